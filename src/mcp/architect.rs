//! The architect as tools.

use super::tool::Tool;

pub(super) const INSTRUCTIONS: &str = "\
What a requirements text asks for: services, entities, contracts between them, and questions that the text leaves open. \
`decompose` the text first; the other tools answer from what it kept.";

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    Vec::new()
}
