//! The report as one page that people look at: a map of services and contracts, every operation and how far it was verified,
//! findings with both sides. The page holds everything that it shows, and asks for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::visible::is_hidden;
use crate::checks::verdicts::{Verdict, of_operations};
use crate::finding::{Finding, Severity};
use crate::project::Answer;
use crate::scan::Report;
use crate::text::{Sources, Span};

/// The page, with a place for the data.
const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Lines that are shown above and below a place.
const CONTEXT: u32 = 2;
/// Characters of a line that are shown; a longer one is cut, which is told by an ellipsis.
const MAX_LINE: usize = 240;
/// Findings whose lines are shown; of more, the places are told without their lines.
const MAX_EXCERPTS: usize = 2_000;

#[derive(Serialize)]
struct Data<'r> {
    treaty: &'static str,
    files: usize,
    suppressed: usize,
    services: Vec<ServiceRow<'r>>,
    contracts: Vec<ContractRow<'r>>,
    edges: Vec<EdgeRow>,
    operations: Vec<OperationRow>,
    findings: Vec<FindingRow<'r>>,
    problems: Vec<ProblemRow<'r>>,
}

#[derive(Serialize)]
struct ServiceRow<'r> {
    name: &'r str,
    frameworks: String,
    routes: usize,
}

#[derive(Serialize)]
struct ContractRow<'r> {
    file: &'r str,
    title: &'r str,
}

/// A service and a contract that have to do with each other.
#[derive(Serialize)]
struct EdgeRow {
    service: usize,
    contract: usize,
    /// `serves`, `asks`, `exchanges`
    kind: &'static str,
    /// Errors and warnings between the two.
    broken: usize,
}

#[derive(Serialize)]
struct OperationRow {
    service: usize,
    contract: usize,
    title: String,
    /// `violated`, `verified`, `unknown`, `missing`, `ignored`
    state: &'static str,
    reason: String,
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct FindingRow<'r> {
    rule: &'r str,
    name: &'r str,
    severity: &'static str,
    message: &'r str,
    help: Option<&'r str>,
    operation: Option<&'r str>,
    code: Place<'r>,
    contract: Option<Place<'r>>,
    pointer: Option<&'r str>,
    related: Vec<Related<'r>>,
}

#[derive(Serialize)]
struct Related<'r> {
    text: &'r str,
    place: Place<'r>,
}

/// A place in a file with the lines around it.
#[derive(Serialize)]
struct Place<'r> {
    file: &'r str,
    line: u32,
    end: u32,
    /// Number of the first of the lines.
    first: u32,
    lines: Vec<String>,
}

#[derive(Serialize)]
struct ProblemRow<'r> {
    kind: &'static str,
    message: &'r str,
    help: Option<&'r str>,
    file: &'r str,
    line: Option<u32>,
}

/// Writes the report.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut parts = PAGE.split("<!-- data -->");
    let (before, after) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    out.write_all(before.replace("/* style */", STYLE).as_bytes())?;
    // Within a script only `</script` and `<!--` end the text, so no `<` is written as itself; what changes how text is shown is
    // not written as itself anywhere.
    let data = serde_json::to_string(&data_of(report))?;
    let mut done = 0;
    // Build servers act on `##[` and `##vso[` of whatever is printed.
    let is_command = |at: usize| data[..at].ends_with('#');
    let escaped = |(at, c): &(usize, char)| *c == '<' || is_hidden(*c) || (*c == '#' && is_command(*at));
    for (at, c) in data.char_indices().filter(escaped) {
        out.write_all(&data.as_bytes()[done..at])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        done = at + c.len_utf8();
    }
    out.write_all(&data.as_bytes()[done..])?;
    out.write_all(after.replace("/* script */", SCRIPT).as_bytes())
}

fn data_of(report: &Report) -> Data<'_> {
    let project = &report.project;
    let sources = &project.sources;
    let frameworks: BTreeMap<&str, String> =
        report.summary.services.iter().map(|it| (it.service.as_str(), it.frameworks.join(", "))).collect();
    let service = |it: &'_ crate::project::Service| frameworks.get(it.name.as_str()).cloned().unwrap_or_default();
    Data {
        treaty: env!("CARGO_PKG_VERSION"),
        files: report.summary.files,
        suppressed: report.suppressed.len(),
        services: project
            .services
            .iter()
            .map(|it| ServiceRow { name: &it.name, frameworks: service(it), routes: it.operations.len() })
            .collect(),
        contracts: project
            .contracts
            .iter()
            .map(|it| ContractRow { file: &sources.get(it.file).path, title: &it.title })
            .collect(),
        edges: edges(report),
        operations: operations(report),
        findings: report
            .findings
            .iter()
            .enumerate()
            .map(|(at, finding)| finding_row(finding, sources, at < MAX_EXCERPTS))
            .collect(),
        problems: report
            .problems
            .iter()
            .map(|it| ProblemRow {
                kind: it.kind.name(),
                message: &it.message,
                help: it.help.as_deref(),
                file: it.span.map_or(it.path.as_str(), |span| sources.path(span)),
                line: it.span.map(|span| sources.positions(span).0.line),
            })
            .collect(),
    }
}

/// Who has to do with which contract, and how often the two disagree.
fn edges(report: &Report) -> Vec<EdgeRow> {
    let project = &report.project;
    let mut pairs: BTreeSet<(usize, usize, &'static str)> = BTreeSet::new();
    pairs.extend(project.links.iter().filter(|it| !it.unrelated).map(|it| (it.service, it.contract, "serves")));
    for asked in &project.asked {
        if let Answer::Found { of, .. } | Answer::OtherMethod { of, .. } | Answer::Missing { of, .. } = &asked.contract
        {
            pairs.insert((asked.service, *of, "asks"));
        }
    }
    for keeper in &project.keepers {
        pairs.extend(keeper.services.iter().map(|service| (*service, keeper.contract, "exchanges")));
    }
    // Of each disagreement: the contract, and the service whose code it shows.
    let mut broken: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let by_file: BTreeMap<_, usize> = project.contracts.iter().enumerate().map(|(at, it)| (it.file, at)).collect();
    let counted = report.findings.iter().filter(|it| it.severity > Severity::Info);
    for finding in counted {
        let spans = [Some(finding.span), finding.contract.as_ref().map(|it| it.span)];
        let related = finding.related.iter().map(|it| it.span);
        let spans: Vec<Span> = spans.into_iter().flatten().chain(related).collect();
        let contracts: BTreeSet<usize> = spans.iter().filter_map(|it| by_file.get(&it.file).copied()).collect();
        for contract in contracts {
            let near = pairs.iter().filter(|it| it.1 == contract);
            let shown = |at: usize| {
                let root = &project.services[at].root;
                spans.iter().any(|it| root == "." || is_below(project.sources.path(*it), root))
            };
            let services: BTreeSet<usize> = near.map(|it| it.0).filter(|at| shown(*at)).collect();
            for service in services {
                *broken.entry((service, contract)).or_default() += 1;
            }
        }
    }
    pairs
        .into_iter()
        .map(|(service, contract, kind)| EdgeRow {
            service,
            contract,
            kind,
            broken: broken.get(&(service, contract)).copied().unwrap_or(0),
        })
        .collect()
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Each operation of each contract that a service keeps: violated, verified, or why that is not known.
fn operations(report: &Report) -> Vec<OperationRow> {
    let project = &report.project;
    let mut wrong: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|it| it.severity > Severity::Info) {
        for title in finding.operations.iter().chain(&finding.operation) {
            wrong.entry(title).or_default().push(finding);
        }
    }
    let mut rows = Vec::new();
    for link in project.links.iter().filter(|it| !it.unrelated) {
        let contract = &project.contracts[link.contract];
        let about = |finding: &Finding| {
            let place = finding.contract.as_ref().map_or(finding.span, |it| it.span);
            place.file == contract.file
        };
        for (pair, verdict) in link.pairs.iter().zip(of_operations(project, link)) {
            let declared = &contract.operations[pair.declared];
            let title = declared.title();
            let finding = wrong.get(title.as_str()).and_then(|all| all.iter().find(|it| about(it)));
            let (state, reason) = match (finding, verdict) {
                (Some(finding), Verdict::Missing) => ("missing", format!("{} {}", finding.rule, finding.message)),
                (Some(finding), _) => ("violated", format!("{} {}", finding.rule, finding.message)),
                (None, Verdict::Verified) => ("verified", String::new()),
                (None, Verdict::Unverified(reason) | Verdict::Unread(reason)) => ("unknown", reason),
                (None, Verdict::Missing) => ("missing", "not found in code".to_owned()),
                (None, Verdict::Ignored) => ("ignored", "not expected".to_owned()),
            };
            let place =
                pair.served.first().map_or(declared.span, |at| project.services[link.service].operations[*at].span);
            rows.push(OperationRow {
                service: link.service,
                contract: link.contract,
                title,
                state,
                reason,
                file: project.sources.path(place).to_owned(),
                line: project.sources.positions(place).0.line,
            });
        }
    }
    rows
}

fn finding_row<'r>(finding: &'r Finding, sources: &'r Sources, with_lines: bool) -> FindingRow<'r> {
    let place = |span: Span| place(span, sources, with_lines);
    FindingRow {
        rule: &finding.rule,
        name: &finding.name,
        severity: finding.severity.name(),
        message: &finding.message,
        help: finding.help.as_deref(),
        operation: finding.operation.as_deref(),
        code: place(finding.span),
        contract: finding.contract.as_ref().map(|it| place(it.span)),
        pointer: finding.contract.as_ref().map(|it| it.pointer.as_str()),
        related: finding.related.iter().map(|it| Related { text: &it.text, place: place(it.span) }).collect(),
    }
}

fn place(span: Span, sources: &Sources, with_lines: bool) -> Place<'_> {
    let (start, end) = sources.positions(span);
    let file = sources.get(span.file);
    let (first, last) = (start.line.saturating_sub(CONTEXT).max(1), end.line.min(start.line + CONTEXT) + CONTEXT);
    let shown = with_lines && !file.is_elsewhere();
    let lines =
        if shown { (first..=last.min(file.line_count())).map(|at| cut(file.line(at))).collect() } else { Vec::new() };
    Place { file: sources.path(span), line: start.line, end: end.line, first, lines }
}

fn cut(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(MAX_LINE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
