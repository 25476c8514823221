//! A finished run in the words of its reader: people, programs, code scanning, build servers, a build log.

use std::io::{self, Write};

use crate::finding::Severity;
use crate::scan::Report;

pub(crate) use excerpt::count;
pub mod changelog;
pub mod concise;
mod excerpt;
pub mod explain;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod terminal;
#[cfg(test)]
mod tests;
pub mod verbose;
mod visible;
pub mod why;

pub use terminal::Style;
pub use visible::{visible, visible_lines};

/// What a reader is told about a rule.
#[derive(Clone, Debug)]
pub struct RuleCard {
    /// `CONTRACT-001`
    pub code: String,
    /// `response-schema-mismatch`
    pub name: String,
    pub severity: Severity,
    /// When it runs: `default`, `depth` or `preview`.
    pub tier: &'static str,
    /// One line.
    pub summary: String,
    /// The rule's page.
    pub markdown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One line for each finding.
    Concise,
    Json,
    Sarif,
    /// The same with one run for each service.
    SarifByService,
    Github,
    Markdown,
    Junit,
    Gitlab,
    /// One page for people.
    Html,
    /// Counts by rule, as text.
    Statistics,
    /// The same as Markdown.
    MarkdownStatistics,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 12] = [
        Format::Text,
        Format::Concise,
        Format::Json,
        Format::Sarif,
        Format::SarifByService,
        Format::Github,
        Format::Markdown,
        Format::Junit,
        Format::Gitlab,
        Format::Html,
        Format::Statistics,
        Format::MarkdownStatistics,
    ];
}

/// Writes `report` as `format`. `style` is for what people read; `rules` are those of the run, for SARIF and JUnit.
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
        Format::SarifByService => sarif::write_by_service(report, rules, out),
        Format::Github => github::write(report, out),
        Format::Concise => concise::write(report, style, out),
        Format::Statistics => concise::write_statistics(report, style, out),
        Format::Markdown => markdown::write(report, style, out),
        Format::MarkdownStatistics => markdown::write_statistics(report, style, out),
        Format::Junit => junit::write(report, rules, out),
        Format::Gitlab => gitlab::write(report, out),
        Format::Html => html::write(report, out),
    }
}
