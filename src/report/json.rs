//! The JSON report: everything a run found, never capped, without times. `report.schema.json` beside this file
//! describes it; a change that a reader could notice raises [`FORMAT`].

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter};

use super::visible::is_hidden;
use crate::finding::{Edit, Finding, Fix, Label, Problem, Severity};
use crate::scan::{
    ContractSummary, EventSummary, Narrowed, Report, RequestSummary, ServiceSummary, Skipped, Suppressed, Suppression,
};
use crate::text::{Sources, Span};

/// Version of the report's format.
pub const FORMAT: u32 = 1;

/// JSON Schema (2020-12) of the report.
pub const SCHEMA: &str = include_str!("report.schema.json");

#[derive(Serialize)]
struct Document<'r> {
    treaty: &'static str,
    format: u32,
    findings: Vec<FindingRow<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressed: Vec<SuppressedRow<'r>>,
    problems: Vec<ProblemRow<'r>>,
    summary: SummaryRow<'r>,
}

#[derive(Serialize)]
struct FindingRow<'r> {
    check: &'r str,
    name: &'r str,
    kind: &'r str,
    severity: Severity,
    message: &'r str,
    help: Option<&'r str>,
    file_path: &'r str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    operation: Option<&'r str>,
    operations: &'r [String],
    field: Option<&'r str>,
    contract: Option<ContractRow<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedRow<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixRow<'r>>,
    fingerprint: &'r str,
}

#[derive(Serialize)]
struct SuppressedRow<'r> {
    finding: FindingRow<'r>,
    by: SuppressionRow<'r>,
}

#[derive(Serialize)]
struct SuppressionRow<'r> {
    kind: &'static str,
    reason: Option<&'r str>,
    file_path: &'r str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct RelatedRow<'r> {
    file_path: &'r str,
    line: u32,
    column: u32,
    text: &'r str,
}

#[derive(Serialize)]
struct FixRow<'r> {
    title: &'r str,
    side: &'static str,
    safety: &'static str,
    edits: Vec<EditRow<'r>>,
}

#[derive(Serialize)]
struct EditRow<'r> {
    file_path: &'r str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'r str,
}

#[derive(Serialize)]
struct ContractRow<'r> {
    file_path: &'r str,
    line: u32,
    column: u32,
    pointer: &'r str,
}

#[derive(Serialize)]
struct ProblemRow<'r> {
    kind: &'static str,
    message: &'r str,
    help: Option<&'r str>,
    file_path: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct SummaryRow<'r> {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    #[serde(skip_serializing_if = "is_none")]
    suppressed: usize,
    problems: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    services: Vec<ServiceSummaryRow<'r>>,
    contracts: Vec<ContractSummaryRow<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<OnlyRow<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<SkippedRow<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventSummaryRow<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    requests: Vec<RequestSummaryRow<'r>>,
}

#[derive(Serialize)]
struct ServiceSummaryRow<'r> {
    service: &'r str,
    frameworks: &'r [String],
    not_read: &'r [String],
    routes: usize,
    parts_not_read: usize,
    not_verifiable: Vec<ReasonRow<'r>>,
}

#[derive(Serialize)]
struct OnlyRow<'r> {
    what: &'r str,
    changed: usize,
    importers: usize,
    findings_elsewhere: usize,
    problems_elsewhere: usize,
}

#[derive(Serialize)]
struct SkippedRow<'r> {
    contracts: usize,
    applications: usize,
    first: &'r str,
    all_counted: bool,
}

#[derive(Serialize)]
struct RequestSummaryRow<'r> {
    service: &'r str,
    made: usize,
    elsewhere: usize,
    not_resolved: Vec<UnresolvedRow<'r>>,
}

#[derive(Serialize)]
struct UnresolvedRow<'r> {
    file_path: &'r str,
    line: u32,
    column: u32,
    reason: &'r str,
}

#[derive(Serialize)]
struct EventSummaryRow<'r> {
    file_path: &'r str,
    channels: usize,
    messages: usize,
    operations: usize,
    services: &'r [String],
}

#[derive(Serialize)]
struct ContractSummaryRow<'r> {
    file_path: &'r str,
    service: &'r str,
    operations: OperationsRow,
    not_verifiable: Vec<ReasonRow<'r>>,
    null_checked: bool,
}

#[derive(Serialize)]
struct OperationsRow {
    contracted: usize,
    found: usize,
    verified: usize,
    requests_verified: usize,
    not_verifiable: usize,
    unread: usize,
    ignored: usize,
}

#[derive(Serialize)]
struct ReasonRow<'r> {
    reason: &'r str,
    operations: usize,
}

/// Writes the report.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    let count = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let document = Document {
        treaty: env!("CARGO_PKG_VERSION"),
        format: FORMAT,
        findings: report.findings.iter().map(|finding| finding_row(finding, sources)).collect(),
        suppressed: report.suppressed.iter().map(|it| suppressed_row(it, sources)).collect(),
        problems: report.problems.iter().map(|problem| problem_row(problem, sources)).collect(),
        summary: SummaryRow {
            files: report.summary.files,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            suppressed: report.suppressed.len(),
            problems: report.problems.len(),
            services: report.summary.services.iter().map(service_summary_row).collect(),
            contracts: report.summary.contracts.iter().map(contract_summary_row).collect(),
            only: report.narrowed.as_ref().map(only_row),
            skipped: skipped_row(&report.summary.skipped),
            events: report.summary.events.iter().map(event_summary_row).collect(),
            requests: report.summary.requests.iter().map(|it| request_summary_row(it, sources)).collect(),
        },
    };
    write_value(&document, out)
}

/// Writes any value as indented JSON and a line break. Characters that a terminal or a build log would act on are
/// written as `\u` escapes, which read back as the same text.
///
/// # Errors
/// What `out` returns.
pub fn write_value(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let formatter = Harmless { pretty: PrettyFormatter::new() };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, formatter)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn finding_row<'r>(finding: &'r Finding, sources: &'r Sources) -> FindingRow<'r> {
    let (start, end) = sources.positions(finding.span);
    FindingRow {
        check: &finding.rule,
        name: &finding.name,
        kind: finding.kind,
        severity: finding.severity,
        message: &finding.message,
        help: finding.help.as_deref(),
        file_path: sources.path(finding.span),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        operation: finding.operation.as_deref(),
        operations: &finding.operations,
        field: finding.field.as_deref(),
        contract: finding.contract.as_ref().map(|place| {
            let (line, column) = line_and_column(sources, place.span);
            ContractRow { file_path: sources.path(place.span), line, column, pointer: &place.pointer }
        }),
        related: finding.related.iter().map(|label| related_row(label, sources)).collect(),
        fixes: finding.fixes.iter().map(|fix| fix_row(fix, sources)).collect(),
        fingerprint: &finding.fingerprint,
    }
}

fn fix_row<'r>(fix: &'r Fix, sources: &'r Sources) -> FixRow<'r> {
    let edit_row = |edit: &'r Edit| {
        let (start, end) = sources.positions(edit.span);
        EditRow {
            file_path: sources.path(edit.span),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text: &edit.text,
        }
    };
    let edits = fix.edits.iter().map(edit_row).collect();
    FixRow { title: &fix.title, side: fix.side.name(), safety: fix.safety.name(), edits }
}

fn suppressed_row<'r>(suppressed: &'r Suppressed, sources: &'r Sources) -> SuppressedRow<'r> {
    let Suppression { kind, place, reason } = &suppressed.by;
    let (line, column) = line_and_column(sources, *place);
    let file_path = sources.path(*place);
    let by = SuppressionRow { kind: kind.name(), reason: reason.as_deref(), file_path, line, column };
    SuppressedRow { finding: finding_row(&suppressed.finding, sources), by }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

fn related_row<'r>(label: &'r Label, sources: &'r Sources) -> RelatedRow<'r> {
    let (line, column) = line_and_column(sources, label.span);
    RelatedRow { file_path: sources.path(label.span), line, column, text: &label.text }
}

fn problem_row<'r>(problem: &'r Problem, sources: &Sources) -> ProblemRow<'r> {
    let position = problem.span.map(|span| line_and_column(sources, span));
    ProblemRow {
        kind: problem.kind.name(),
        message: &problem.message,
        help: problem.help.as_deref(),
        file_path: (!problem.path.is_empty()).then_some(problem.path.as_str()),
        line: position.map(|it| it.0),
        column: position.map(|it| it.1),
    }
}

fn event_summary_row(summary: &EventSummary) -> EventSummaryRow<'_> {
    let EventSummary { contract, channels, messages, operations, services } = summary;
    let (channels, messages, operations) = (*channels, *messages, *operations);
    EventSummaryRow { file_path: contract, channels, messages, operations, services }
}

fn request_summary_row<'r>(summary: &'r RequestSummary, sources: &'r Sources) -> RequestSummaryRow<'r> {
    let unresolved = summary.unresolved.iter().map(|(span, reason)| {
        let (line, column) = line_and_column(sources, *span);
        UnresolvedRow { file_path: sources.path(*span), line, column, reason }
    });
    let RequestSummary { service, made, elsewhere, .. } = summary;
    RequestSummaryRow { service, made: *made, elsewhere: *elsewhere, not_resolved: unresolved.collect() }
}

fn only_row(narrowed: &Narrowed) -> OnlyRow<'_> {
    let Narrowed { what, changed, importers, findings, problems, .. } = narrowed;
    OnlyRow {
        what,
        changed: *changed,
        importers: *importers,
        findings_elsewhere: *findings,
        problems_elsewhere: *problems,
    }
}

fn skipped_row(skipped: &Skipped) -> Option<SkippedRow<'_>> {
    let first = skipped.first.as_deref()?;
    let Skipped { contracts, applications, is_cut, .. } = *skipped;
    Some(SkippedRow { contracts, applications, first, all_counted: !is_cut })
}

fn contract_summary_row(summary: &ContractSummary) -> ContractSummaryRow<'_> {
    ContractSummaryRow {
        file_path: &summary.contract,
        service: &summary.service,
        operations: OperationsRow {
            contracted: summary.contracted,
            found: summary.found,
            verified: summary.verified,
            requests_verified: summary.requests_verified,
            not_verifiable: summary.not_verifiable.iter().map(|(_, operations)| operations).sum(),
            unread: summary.unread,
            ignored: summary.ignored,
        },
        not_verifiable: reason_rows(&summary.not_verifiable),
        null_checked: summary.null_unchecked.is_none(),
    }
}

fn service_summary_row(summary: &ServiceSummary) -> ServiceSummaryRow<'_> {
    ServiceSummaryRow {
        service: &summary.service,
        frameworks: &summary.frameworks,
        not_read: &summary.unsupported,
        routes: summary.routes,
        parts_not_read: summary.unread,
        not_verifiable: reason_rows(&summary.not_verifiable),
    }
}

fn reason_rows(reasons: &[(String, usize)]) -> Vec<ReasonRow<'_>> {
    reasons.iter().map(|(reason, operations)| ReasonRow { reason, operations: *operations }).collect()
}

fn line_and_column(sources: &Sources, span: Span) -> (u32, u32) {
    let start = sources.positions(span).0;
    (start.line, start.column)
}

/// Indented JSON in which hidden characters, and the `[` of a `##[command]`, are escaped.
struct Harmless {
    pretty: PrettyFormatter<'static>,
}

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut done = 0;
        for (at, c) in fragment.char_indices() {
            let command = c == '#' && {
                let rest = &fragment[at + 1..];
                fragment[..at].ends_with('#') && (rest.starts_with('[') || rest.starts_with("vso["))
            };
            if !command && !is_hidden(c) {
                continue;
            }
            writer.write_all(&fragment.as_bytes()[done..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            done = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[done..])
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.pretty.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(writer)
    }
}
