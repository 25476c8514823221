//! The report for people: each finding with excerpts of both sides, then what was not understood, then how much of
//! each contract could be verified.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};

use indexmap::IndexMap;
use miette::{
    Diagnostic, GraphicalTheme, LabeledSpan, MietteHandler, MietteHandlerOpts, ReportHandler, SourceCode,
    ThemeCharacters, ThemeStyles,
};

use super::concise::place;
use super::excerpt::{Excerpts, Mark, count, cut};
use super::visible::visible;
use crate::finding::{Finding, Problem, Severity};
use crate::model::name_key;
use crate::scan::{ContractSummary, Narrowed, Report, RequestSummary, ServiceSummary, Skipped};
use crate::text::{FileId, SourceFile, Sources, Span};

/// How text output looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    pub colour: bool,
    /// Columns; what the terminal has where `None`.
    pub width: Option<usize>,
    /// No summary.
    pub quiet: bool,
    /// Every finding, however many are alike.
    pub full: bool,
}

/// Problems of one kind beyond this number are counted instead of shown.
const MAX_PROBLEMS_OF_A_KIND: usize = 20;
/// Lines that findings of one kind of a rule take: of those that do not fit, the places are named.
const SCREEN: usize = 40;
/// Places of such findings beyond this number are counted instead of named.
const MAX_NAMED: usize = 10;
/// Affected operations beyond this number are counted instead of named.
const MAX_OPERATIONS: usize = 5;
/// Places shown beside the one that a finding is reported at; others are counted.
const MAX_RELATED: usize = 6;
/// Reasons beyond this number are summed up.
const MAX_REASONS: usize = 3;

/// Writes the report.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    let handler = handler(style);
    for alike in causes(&report.findings) {
        let mut lines = 0;
        let mut rest = alike.iter();
        while let Some(finding) = rest.as_slice().first() {
            let shown = Rendered { handler: &handler, shown: &show(finding, sources) }.to_string();
            lines += shown.lines().count() + 1;
            // The first is shown however long it is.
            if lines > SCREEN && !style.full && rest.len() < alike.len() {
                break;
            }
            writeln!(out, "{shown}")?;
            rest.next();
        }
        write_rest(rest.as_slice(), sources, out)?;
    }
    write_problems(&report.problems, sources, style, out)?;
    if !style.quiet {
        write_summary(report, style, out)?;
    }
    Ok(())
}

/// Findings with one cause, which is a kind of a rule; the most severe first, else in the order of the report.
fn causes(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: IndexMap<(&str, &str), Vec<&Finding>> = IndexMap::new();
    for finding in findings {
        groups.entry((&finding.rule, finding.kind)).or_default().push(finding);
    }
    let mut groups: Vec<Vec<&Finding>> = groups.into_values().collect();
    groups.sort_by_key(|alike| std::cmp::Reverse(alike.iter().map(|it| it.severity).max()));
    groups
}

/// Names where findings are that do not fit on a screen with those of the same cause.
fn write_rest(rest: &[&Finding], sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    let Some(first) = rest.first() else { return Ok(()) };
    let rule = visible(&format!("{} {}", first.rule, first.name)).into_owned();
    writeln!(out, "{rule}: {} more of this kind", rest.len())?;
    for finding in rest.iter().take(MAX_NAMED) {
        writeln!(out, "  {}: {}", place(sources, finding.span), visible(&finding.message))?;
    }
    if let Some(uncounted) = rest.len().checked_sub(MAX_NAMED).filter(|it| *it > 0) {
        writeln!(out, "  … and {uncounted} more")?;
    }
    writeln!(out, "  `--full` shows all with both sides\n")
}

/// Writes what a document lacks that was made of the code.
///
/// # Errors
/// What `out` returns.
pub fn write_gaps(problems: &[Problem], sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    write_problems(problems, sources, Style::default(), out)
}

/// Writes an error about a file that the user wrote (configuration, rule) with its excerpt. Its text may come from a
/// repository that is only being looked at, so it is made harmless like everything else.
///
/// # Errors
/// What `out` returns.
pub fn write_error(error: &dyn Diagnostic, style: Style, out: &mut impl Write) -> io::Result<()> {
    let mut sources = Sources::default();
    let labels: Vec<LabeledSpan> = error.labels().into_iter().flatten().collect();
    let file = labels.first().zip(error.source_code()).and_then(|(label, code)| {
        let whole = code.read_span(label.inner(), usize::MAX, usize::MAX).ok()?;
        let text = String::from_utf8_lossy(whole.data()).into_owned();
        Some(sources.add(SourceFile::new(whole.name().unwrap_or("input"), text)))
    });
    let marks: Vec<Mark<'_>> = match file {
        Some(file) => labels.iter().map(|label| mark_of(label, file)).collect(),
        None => Vec::new(),
    };
    let (excerpts, labels) = cut(&sources, &marks);
    let shown = Shown {
        code: error.code().map(|code| visible(&code.to_string()).into_owned()),
        severity: Severity::Error,
        message: visible(&error.to_string()).into_owned(),
        help: error.help().map(|help| visible(&help.to_string()).into_owned()),
        labels,
        excerpts,
    };
    write!(out, "{}", Rendered { handler: &handler(style), shown: &shown })
}

fn mark_of(label: &LabeledSpan, file: FileId) -> Mark<'_> {
    let span = Span::new(file, label.offset(), label.offset() + label.len());
    Mark { span, text: label.label().unwrap_or("") }
}

fn handler(style: Style) -> MietteHandler {
    let styles = if style.colour { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    let options = MietteHandlerOpts::new()
        .force_graphical(true)
        .graphical_theme(theme)
        .terminal_links(false)
        .tab_width(4)
        // A word that is broken could put `::` at the start of a line.
        .break_words(false)
        .without_cause_chain();
    match style.width {
        Some(width) => options.width(width).build(),
        None => options.build(),
    }
}

/// A finding in the form that `miette` draws; all text in it is harmless already.
#[derive(Debug)]
struct Shown {
    code: Option<String>,
    severity: Severity,
    message: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    excerpts: Excerpts,
}

impl Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Shown {}

impl Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Info => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpts)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

struct Rendered<'a> {
    handler: &'a MietteHandler,
    shown: &'a Shown,
}

impl Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handler.debug(self.shown, f)
    }
}

fn show(finding: &Finding, sources: &Sources) -> Shown {
    let mut marks = vec![Mark { span: finding.span, text: &finding.label }];
    marks.extend(finding.related.iter().take(MAX_RELATED).map(|label| Mark { span: label.span, text: &label.text }));
    if let Some(place) = &finding.contract
        && !marks.iter().any(|mark| same_line(sources, mark.span, place.span))
    {
        marks.push(Mark { span: place.span, text: "the contract says so here" });
    }
    let (excerpts, labels) = cut(sources, &marks);
    let code = visible(&format!("{} {}", finding.rule, finding.name)).into_owned();
    let message = visible(&finding.message).into_owned();
    Shown { code: Some(code), severity: finding.severity, message, help: help(finding), labels, excerpts }
}

fn same_line(sources: &Sources, a: Span, b: Span) -> bool {
    a.file == b.file && sources.positions(a).0.line == sources.positions(b).0.line
}

fn help(finding: &Finding) -> Option<String> {
    let mut lines = Vec::new();
    lines.extend(finding.help.as_ref().map(|help| visible(help).into_owned()));
    if finding.operations.len() > 1 {
        let named: Vec<String> =
            finding.operations.iter().take(MAX_OPERATIONS).map(|it| format!("`{}`", visible(it))).collect();
        let rest = finding.operations.len().saturating_sub(MAX_OPERATIONS);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        lines.push(format!("affects {}: {}{more}", count(finding.operations.len(), "operation"), named.join(", ")));
    }
    let hidden = finding.related.len().saturating_sub(MAX_RELATED);
    if hidden > 0 {
        lines.push(format!("{} not shown", count(hidden, "more place")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn write_problems(problems: &[Problem], sources: &Sources, style: Style, out: &mut impl Write) -> io::Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", paint(Paint::Bold, "problems: inputs that could not be read or understood", style))?;
    let mut shown_of_kind = [0_usize; crate::finding::ProblemKind::ALL.len()];
    for problem in problems {
        let shown = &mut shown_of_kind[problem.kind as usize];
        *shown += 1;
        if *shown > MAX_PROBLEMS_OF_A_KIND {
            continue;
        }
        let place = match problem.span {
            Some(span) => sources.place(span),
            None => problem.path.clone(),
        };
        let place = if place.is_empty() { String::new() } else { format!("{}: ", visible(&place)) };
        let kind = paint(Paint::Yellow, problem.kind.name(), style);
        writeln!(out, "  {place}{kind}: {}", visible(&problem.message))?;
        if let Some(help) = &problem.help {
            writeln!(out, "    {}: {}", paint(Paint::Cyan, "help", style), visible(help))?;
        }
    }
    for kind in crate::finding::ProblemKind::ALL {
        let rest = shown_of_kind[kind as usize].saturating_sub(MAX_PROBLEMS_OF_A_KIND);
        if rest > 0 {
            writeln!(out, "  … and {rest} more `{}`, all of them with `--format json`", kind.name())?;
        }
    }
    writeln!(out)
}

pub(super) fn write_summary(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let summary = &report.summary;
    for service in &summary.services {
        writeln!(out, "{}: {}", visible(&service.service), understood(service))?;
    }
    for contract in &summary.contracts {
        writeln!(out, "{}", contract_line(contract))?;
    }
    for contract in &summary.events {
        let services = contract.services.iter().map(|name| format!("`{}`", visible(name))).collect::<Vec<_>>();
        let compared = match services.as_slice() {
            [] => "no service that keeps it sends or receives messages".to_owned(),
            services => format!("compared with {}", services.join(", ")),
        };
        writeln!(
            out,
            "{}: events: {}, {}, {}; {compared}",
            visible(&contract.contract),
            count(contract.channels, "channel"),
            count(contract.messages, "message"),
            count(contract.operations, "operation")
        )?;
    }
    let mut is_compared = !summary.contracts.is_empty() || summary.events.iter().any(|it| !it.services.is_empty());
    let services = &report.project.services;
    let declared: BTreeSet<String> = services.iter().flat_map(|it| &it.models).map(|it| name_key(&it.name)).collect();
    for document in &report.project.contracts {
        let models = document.models.iter().flatten();
        let models = models.filter(|model| model.names.iter().any(|name| declared.contains(&name_key(name)))).count();
        let mut parts = vec![(models, "shared model")];
        if let Some(wiring) = &document.wiring {
            parts.extend([(wiring.modules.len(), "module"), (wiring.imports.len(), "wiring")]);
            parts.push((wiring.middlewares.len(), "middleware order"));
        }
        if let Some(table) = &document.table {
            parts.extend([(document.operations.len(), "row"), (table.registry.len(), "registered field")]);
        }
        let words: Vec<String> =
            parts.into_iter().filter(|(number, _)| *number > 0).map(|(number, word)| count(number, word)).collect();
        if !words.is_empty() {
            let path = &report.project.sources.get(document.file).path;
            writeln!(out, "{}: {}", visible(path), words.join(", "))?;
            is_compared = true;
        }
    }
    for requests in &summary.requests {
        writeln!(out, "{}", request_line(requests))?;
    }
    if let Some(line) = skipped_line(&summary.skipped) {
        writeln!(out, "{line}")?;
    }
    if !is_compared {
        writeln!(out, "no contract was compared: only what needs none was checked")?;
    }
    writeln!(out, "{} ({})", totals(report, style), time(summary.elapsed))
}

/// `2 errors, 1 warning, 3 suppressed, 1 problem in 14 files`
pub(super) fn totals(report: &Report, style: Style) -> String {
    let of = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings, infos) = (of(Severity::Error), of(Severity::Warning), of(Severity::Info));
    let mut counts = Vec::new();
    if errors > 0 {
        counts.push(paint(Paint::Red, &count(errors, "error"), style));
    }
    if warnings > 0 {
        counts.push(paint(Paint::Yellow, &count(warnings, "warning"), style));
    }
    if infos > 0 {
        counts.push(format!("{infos} info"));
    }
    match (counts.is_empty(), report.summary.files) {
        (true, 0) => counts.push("nothing was checked".to_owned()),
        (true, _) => counts.push(paint(Paint::Green, "clean: no findings", style)),
        _ => {}
    }
    if !report.suppressed.is_empty() {
        counts.push(format!("{} suppressed", report.suppressed.len()));
    }
    if !report.problems.is_empty() {
        counts.push(count(report.problems.len(), "problem"));
    }
    let part = report.narrowed.as_ref().map(part).unwrap_or_default();
    format!("{} in {}{part}", counts.join(", "), count(report.summary.files, "file"))
}

/// `; only what is staged: 2 files and 3 that import them; 4 findings and 1 problem elsewhere`
fn part(narrowed: &Narrowed) -> String {
    let mut text = format!("; only {}", visible(&narrowed.what));
    if !narrowed.is_file {
        text = format!("{text}: {}", count(narrowed.changed, "file"));
    }
    if narrowed.importers > 0 {
        let verb = if narrowed.importers == 1 { "imports" } else { "import" };
        let what = if narrowed.changed == 1 { "it" } else { "them" };
        text = format!("{text} and {} that {verb} {what}", narrowed.importers);
    }
    let left = [(narrowed.findings, "finding"), (narrowed.problems, "problem")];
    let left: Vec<String> = left.iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(*n, word)).collect();
    if !left.is_empty() {
        text = format!("{text}; {} elsewhere", left.join(" and "));
    }
    text
}

/// `not scanned: 1 contract and 2 files that set up an application (`tests/openapi.yaml` first); `--no-skip` scans them`
fn skipped_line(skipped: &Skipped) -> Option<String> {
    let first = skipped.first.as_deref()?;
    let mut parts = Vec::new();
    if skipped.contracts > 0 {
        parts.push(count(skipped.contracts, "contract"));
    }
    if skipped.applications > 0 {
        parts.push(format!("{} that set up an application", count(skipped.applications, "file")));
    }
    let least = if skipped.is_cut { "at least " } else { "" };
    Some(format!(
        "not scanned: {least}{} (ignored, built, or of tests and examples; `{}` first): `--no-skip` scans what is skipped",
        parts.join(" and "),
        visible(first)
    ))
}

/// `FastAPI, 12 routes read, 2 parts of it not read`
pub(super) fn understood(service: &ServiceSummary) -> String {
    let mut named: Vec<String> = service.frameworks.iter().map(|name| visible(name).into_owned()).collect();
    named.extend(service.unsupported.iter().map(|name| format!("{} (not read yet)", visible(name))));
    named.push(format!("{} read", count(service.routes, "route")));
    if service.unread > 0 {
        named.push(format!("{} of it not read", count(service.unread, "part")));
    }
    named.join(", ")
}

/// `openapi.yaml (bookshop): operations: 200 contracted, 198 found, 171 verified, 27 not verifiable (why: 20 × …), requests
/// of 150 verified`
fn contract_line(contract: &ContractSummary) -> String {
    let mut out = format!(
        "{} ({}): operations: {} contracted, {} found, {} verified",
        visible(&contract.contract),
        visible(&contract.service),
        contract.contracted,
        contract.found,
        contract.verified
    );
    let unverified: usize = contract.not_verifiable.iter().map(|(_, operations)| operations).sum();
    if unverified > 0 {
        let reasons = contract.not_verifiable.iter().map(|(reason, operations)| (reason.as_str(), *operations));
        out = format!("{out}, {unverified} not verifiable ({})", why(reasons));
    }
    if contract.found > 0 {
        out = format!("{out}, requests of {} verified", contract.requests_verified);
    }
    if contract.ignored > 0 {
        out = format!("{out}, {} ignored", contract.ignored);
    }
    if let Some(why) = contract.null_unchecked.filter(|_| contract.found > 0) {
        out = format!("{out}, null not checked ({why})");
    }
    out
}

/// `shop: requests: 120 made, 4 to others, 6 not resolved (why: 5 × …)`
fn request_line(requests: &RequestSummary) -> String {
    let mut out = format!("{}: requests: {} made", visible(&requests.service), requests.made);
    if requests.elsewhere > 0 {
        out = format!("{out}, {} to others", requests.elsewhere);
    }
    if requests.unresolved.is_empty() {
        return out;
    }
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    requests.unresolved.iter().for_each(|(_, reason)| *by_reason.entry(reason).or_default() += 1);
    let mut reasons: Vec<(&str, usize)> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(reason, times)| (std::cmp::Reverse(*times), *reason));
    format!("{out}, {} not resolved ({})", requests.unresolved.len(), why(reasons))
}

/// `why: 20 × the address is not known, 3 × other reasons`
pub(super) fn why<'r>(reasons: impl IntoIterator<Item = (&'r str, usize)>) -> String {
    let (mut told, mut rest) = (Vec::new(), 0);
    for (reason, times) in reasons {
        if told.len() < MAX_REASONS {
            told.push(format!("{times} × {}", visible(reason)));
        } else {
            rest += times;
        }
    }
    if rest > 0 {
        told.push(format!("{rest} × other reasons"));
    }
    format!("why: {}", told.join(", "))
}

fn time(elapsed: std::time::Duration) -> String {
    if elapsed.as_millis() < 1000 {
        format!("{} ms", elapsed.as_millis())
    } else {
        format!("{:.1} s", elapsed.as_secs_f64())
    }
}

#[derive(Clone, Copy)]
pub(super) enum Paint {
    Bold,
    Red,
    Green,
    Yellow,
    Cyan,
}

pub(super) fn paint(paint: Paint, text: &str, style: Style) -> String {
    if !style.colour {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Bold => 1,
        Paint::Red => 31,
        Paint::Green => 32,
        Paint::Yellow => 33,
        Paint::Cyan => 36,
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
