//! GitHub workflow commands: one annotation a finding, shown on the changed lines of a pull request.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::visible::visible;
use crate::finding::Severity;
use crate::scan::Report;
use crate::text::{Sources, Span};

/// Writes the report. Problems are notices.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    for finding in &report.findings {
        let command = match finding.severity {
            Severity::Info => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let title = format!("{} {}", finding.rule, finding.name);
        let message = match &finding.help {
            Some(help) => format!("{}\nhelp: {help}", finding.message),
            None => finding.message.clone(),
        };
        let place = place(sources, finding.span);
        writeln!(out, "::{command} {place},title={}::{}", property(&title), data(&message))?;
    }
    for problem in &report.problems {
        let place = match problem.span {
            Some(span) => format!("{},", place(sources, span)),
            None if problem.path.is_empty() => String::new(),
            None => format!("file={},", property(&problem.path)),
        };
        let title = format!("treaty: {}", problem.kind.name());
        writeln!(out, "::notice {place}title={}::{}", property(&title), data(&problem.message))?;
    }
    Ok(())
}

fn place(sources: &Sources, span: Span) -> String {
    let (start, end) = sources.positions(span);
    let mut out = format!("file={},line={},endLine={}", property(sources.path(span)), start.line, end.line);
    // Columns count only where both ends are on one line; the end is inclusive here.
    if start.line == end.line {
        let last = end.column.saturating_sub(1).max(start.column);
        write!(out, ",col={},endColumn={last}", start.column).expect("a string takes any text");
    }
    out
}

/// The text after `::`. Line breaks of our own survive as `%0A`; everything else hidden is made visible first.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| visible(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

/// A value between `=` and `,`.
fn property(text: &str) -> String {
    visible(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}
