//! Headers and cookies that one place in the code reads for many routes, as middleware and helpers do: they belong to the
//! application, as a language or a key does, and no operation is described by them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Kind, Operation, Parameter, ParameterPlace, ShapeTable};
use crate::text::Span;

/// Handlers from which on a read is no operation's own.
const MANY: usize = 10;
/// So many of the handlers, as one in this number, it must be.
const SHARE: usize = 4;

/// Takes such reads out of what operations take.
pub(super) fn leave_out(operations: &mut [Operation], table: &ShapeTable) {
    let mut handlers: FxHashSet<Span> = FxHashSet::default();
    let mut by_place: FxHashMap<Span, FxHashSet<Span>> = FxHashMap::default();
    for operation in operations.iter() {
        handlers.insert(handler(operation));
        for parameter in operation.request.parameters.iter().filter(|parameter| is_read(parameter, table)) {
            by_place.entry(parameter.span).or_default().insert(handler(operation));
        }
    }
    // What a handler reads for itself alone is its own, whoever else reads a header of the name.
    let is_shared = |span: &Span| by_place.get(span).is_some_and(|of| of.len() > 1);
    let mut by_name: FxHashMap<String, FxHashSet<Span>> = FxHashMap::default();
    for operation in operations.iter() {
        for parameter in &operation.request.parameters {
            if is_read(parameter, table) && is_shared(&parameter.span) {
                by_name.entry(parameter.name.to_ascii_lowercase()).or_default().insert(handler(operation));
            }
        }
    }
    by_name.retain(|_, of| of.len() >= MANY && of.len().saturating_mul(SHARE) >= handlers.len());
    for operation in operations {
        operation.request.parameters.retain(|parameter| {
            let is_own = !is_read(parameter, table) || !is_shared(&parameter.span);
            is_own || !by_name.contains_key(&parameter.name.to_ascii_lowercase())
        });
    }
}

fn handler(operation: &Operation) -> Span {
    operation.implementation.as_ref().and_then(|code| code.handler_span).unwrap_or(operation.span)
}

/// Whether a header or cookie is read by name, and nothing more is said of it.
fn is_read(parameter: &Parameter, table: &ShapeTable) -> bool {
    matches!(parameter.place, ParameterPlace::Header | ParameterPlace::Cookie)
        && !parameter.required
        && matches!(table.view(parameter.shape).shape.kind, Kind::Any)
}
