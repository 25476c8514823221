//! GitLab's Code Quality report (<https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>): a list of
//! findings, shown in the merge request. What is suppressed is left out, problems are no matter of quality.

use std::io::{self, Write};

use serde::Serialize;

use super::visible::visible;
use crate::finding::{Finding, Severity};
use crate::scan::Report;
use crate::text::Sources;

#[derive(Serialize)]
struct Row<'r> {
    description: String,
    check_name: &'r str,
    fingerprint: &'r str,
    severity: &'static str,
    location: Location<'r>,
}

#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// Writes the report.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    let rows: Vec<Row> = report.findings.iter().map(|finding| row(finding, sources)).collect();
    super::json::write_value(&rows, out)
}

fn row<'r>(finding: &'r Finding, sources: &'r Sources) -> Row<'r> {
    let help = finding.help.as_ref().map_or(String::new(), |help| format!(" (help: {help})"));
    Row {
        description: visible(&format!("{}{help}", finding.message)).into_owned(),
        check_name: &finding.rule,
        fingerprint: &finding.fingerprint,
        severity: match finding.severity {
            Severity::Info => "info",
            Severity::Warning => "minor",
            Severity::Error => "major",
        },
        location: Location {
            path: sources.path(finding.span),
            lines: Lines { begin: sources.positions(finding.span).0.line },
        },
    }
}
