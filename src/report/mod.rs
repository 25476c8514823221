//! A finished run in the words of its reader: people, programs, code scanning, a build log.

use std::io::{self, Write};

use crate::finding::Severity;
use crate::scan::Report;

pub(crate) use excerpt::count;
mod excerpt;
pub mod github;
pub mod json;
pub mod sarif;
pub mod terminal;
#[cfg(test)]
mod tests;
mod visible;
pub mod why;

pub use terminal::Style;
pub use visible::visible;

/// What a reader is told about a rule.
#[derive(Clone, Debug)]
pub struct RuleCard {
    /// `CONTRACT-001`
    pub code: String,
    /// `response-schema-mismatch`
    pub name: String,
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// The rule's page.
    pub markdown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Sarif,
    Github,
}

/// Writes `report` as `format`. `style` is for text only; `rules` are those of the run, for SARIF.
///
/// # Errors
/// What `out` returns.
pub fn write(
    report: &Report,
    rules: &[RuleCard],
    format: Format,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Text => terminal::write(report, style, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, rules, out),
        Format::Github => github::write(report, out),
    }
}
