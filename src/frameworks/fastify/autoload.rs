//! `@fastify/autoload`: every file of a directory is a plugin, its prefix the folders on the way.

use crate::evaluate::{Evaluator, NodeId, Value};
use crate::text::Span;

/// The plugin of the package.
pub(super) fn is_autoload(path: &str) -> bool {
    matches!(path, "@fastify/autoload" | "@fastify/autoload.default" | "@fastify/autoload.fastifyAutoload" | "fastify-autoload")
}

pub(super) fn load<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, _options: &Value<'p>, site: Span) {
    super::unread(evaluator, id, "directory that is loaded is not known", site);
}
