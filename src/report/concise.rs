//! One line for each finding and problem, as editors and `grep` like it, and counts by rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Style;
use super::terminal::{Paint, paint, totals, write_summary};
use super::visible::visible;
use crate::finding::{Finding, Severity};
use crate::scan::Report;
use crate::text::{Sources, Span};

/// Writes `path:line:column: CODE message` for each finding, the same with the kind for each problem, and how many there
/// are.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    for finding in &report.findings {
        let rule = paint(colour(finding.severity), &visible(&finding.rule), style);
        writeln!(out, "{}: {rule} {}", place(sources, finding.span), visible(&finding.message))?;
    }
    for problem in &report.problems {
        let place = match problem.span {
            Some(span) => place(sources, span),
            None if problem.path.is_empty() => ".".to_owned(),
            None => visible(&problem.path).into_owned(),
        };
        writeln!(out, "{place}: {} {}", paint(Paint::Cyan, problem.kind.name(), style), visible(&problem.message))?;
    }
    if style.quiet { Ok(()) } else { writeln!(out, "{}", totals(report, style)) }
}

/// Writes how many findings each rule has, the most frequent first, and the summary of the text report.
///
/// # Errors
/// What `out` returns.
pub fn write_statistics(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let rows = statistics(report);
    let number = |row: &(usize, &Finding)| row.0.to_string().len();
    let code = |row: &(usize, &Finding)| visible(&row.1.rule).chars().count();
    let (numbers, codes) = (rows.iter().map(number).max(), rows.iter().map(code).max());
    let (numbers, codes) = (numbers.unwrap_or(0), codes.unwrap_or(0));
    for (times, finding) in &rows {
        // Colour has no width.
        let gap = " ".repeat(codes - code(&(*times, *finding)));
        let rule = paint(colour(finding.severity), &visible(&finding.rule), style);
        writeln!(out, "{times:numbers$}  {rule}{gap}  {}", visible(&finding.name))?;
    }
    if style.quiet {
        return Ok(());
    }
    if !rows.is_empty() {
        writeln!(out)?;
    }
    write_summary(report, style, out)
}

/// How often each rule is broken, the most frequent first, each with the most severe of its findings.
pub(super) fn statistics(report: &Report) -> Vec<(usize, &Finding)> {
    let mut by_rule: BTreeMap<&str, (usize, &Finding)> = BTreeMap::new();
    for finding in &report.findings {
        let row = by_rule.entry(&finding.rule).or_insert((0, finding));
        row.0 += 1;
        if finding.severity > row.1.severity {
            row.1 = finding;
        }
    }
    let mut rows: Vec<(usize, &Finding)> = by_rule.into_values().collect();
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.rule.cmp(&b.1.rule)));
    rows
}

/// `path:line:column`
pub(super) fn place(sources: &Sources, span: Span) -> String {
    let at = sources.positions(span).0;
    format!("{}:{}:{}", visible(sources.path(span)), at.line, at.column)
}

fn colour(severity: Severity) -> Paint {
    match severity {
        Severity::Error => Paint::Red,
        Severity::Warning => Paint::Yellow,
        Severity::Info => Paint::Cyan,
    }
}
