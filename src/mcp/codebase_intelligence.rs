//! The index of the code base as tools.

use super::tool::Tool;

pub(super) const INSTRUCTIONS: &str = "\
Symbols, callers, dependencies and endpoints of this project's code, as it is now: files that changed are read again. \
`find_definition` and `find_callers` before you change something, `search_semantic` where you do not know its name.";

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    Vec::new()
}
