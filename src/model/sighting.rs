//! What a rule about source code looks for, where it was seen.

use crate::text::Span;

/// One place in code that a rule's pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Code of the rule.
    pub rule: String,
    pub span: Span,
    /// What the names in the pattern stand for there, sorted by name.
    pub names: Vec<(String, String)>,
}
