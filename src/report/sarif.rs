//! SARIF 2.1.0 as GitHub code scanning accepts it: relative URIs, rule pages as help, stable fingerprints, and no more
//! results than are taken.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactChange, ArtifactContent, ArtifactLocation, Fix as SarifFix, Invocation, Location, Message,
    MultiformatMessageString, Notification, PhysicalLocation, PropertyBag, Region, Replacement, ReportingConfiguration,
    ReportingDescriptor, ReportingDescriptorReference, Result as SarifResult, ResultLevel, Run, RunAutomationDetails,
    Sarif, Suppression as SarifSuppression, Tool, ToolComponent,
};

use super::RuleCard;
use super::excerpt::count;
use super::visible::visible;
use crate::finding::{Edit, Finding, Fix, Problem, ProblemKind, Severity};
use crate::project::Service;
use crate::scan::{Report, Suppressed, Suppression, SuppressionKind};
use crate::text::{Sources, Span};

/// Code scanning shows no more results of one run; others are counted.
pub const MAX_RESULTS: usize = 5_000;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const TRUNCATED: &str = "results-truncated";
const ROOT: &str = "%SRCROOT%";

/// Writes the report; `rules` are those of the run. Where there are more than [`MAX_RESULTS`] findings, the most
/// severe are kept and a notification counts the others.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, rules: &[RuleCard], out: &mut impl Write) -> io::Result<()> {
    let whole = Part {
        category: None,
        findings: report.findings.iter().collect(),
        suppressed: report.suppressed.iter().collect(),
        problems: report.problems.iter().collect(),
    };
    write_runs(vec![run(&whole, rules, &report.project.sources)], out)
}

/// Writes the same with one run for each service, in the category `treaty/NAME/`, and one in `treaty/` for what is no service's:
/// runs of one tool and category take each other's place, and not those of others. A run without results says that nothing is
/// left of what there was.
///
/// # Errors
/// What `out` returns.
pub fn write_by_service(report: &Report, rules: &[RuleCard], out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    let runs = parts(report).iter().map(|part| run(part, rules, sources)).collect();
    write_runs(runs, out)
}

/// What one run tells.
#[derive(Default)]
struct Part<'r> {
    category: Option<String>,
    findings: Vec<&'r Finding>,
    suppressed: Vec<&'r Suppressed>,
    problems: Vec<&'r Problem>,
}

/// What each service has, in the order of the report, and what no service has.
fn parts(report: &Report) -> Vec<Part<'_>> {
    let sources = &report.project.sources;
    let services: Vec<&Service> = report.project.services.iter().filter(|it| it.scanned && !it.is_nameless()).collect();
    let part = |category: String| Part { category: Some(category), ..Part::default() };
    let mut parts: Vec<Part<'_>> = services.iter().map(|it| part(format!("treaty/{}/", visible(&it.name)))).collect();
    parts.push(part("treaty/".to_owned()));
    let keeper = |path: &str| report.summary.contracts.iter().find(|it| it.contract == path).map(|it| &it.service);
    // A contract is its service's, wherever it lies; a file is that of the innermost folder.
    let of = |path: &str| {
        let named = keeper(path).and_then(|name| services.iter().position(|it| it.name == *name));
        let around = services.iter().enumerate().filter(|(_, it)| is_below(path, &it.root));
        named.or_else(|| around.max_by_key(|(_, it)| it.root.len()).map(|(at, _)| at)).unwrap_or(services.len())
    };
    for finding in &report.findings {
        parts[of(sources.path(finding.span))].findings.push(finding);
    }
    for it in &report.suppressed {
        parts[of(sources.path(it.finding.span))].suppressed.push(it);
    }
    for problem in &report.problems {
        let path = problem.span.map_or(problem.path.as_str(), |span| sources.path(span));
        parts[of(path)].problems.push(problem);
    }
    parts
}

fn is_below(path: &str, root: &str) -> bool {
    root == "." || path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn run(part: &Part<'_>, rules: &[RuleCard], sources: &Sources) -> Run {
    let findings = most_severe(&part.findings);
    let mut results: Vec<SarifResult> = findings.iter().map(|finding| result(finding, rules, sources)).collect();
    let room = MAX_RESULTS - findings.len();
    results.extend(part.suppressed.iter().take(room).map(|it| suppressed(it, rules, sources)));
    if !part.suppressed.is_empty() {
        // SARIF 2.1.0, 3.27.23: all results of a run say whether they are suppressed, or none does.
        results.iter_mut().for_each(|it| it.suppressions = Some(it.suppressions.take().unwrap_or_default()));
    }
    let mut notifications: Vec<Notification> =
        part.problems.iter().map(|problem| notification(problem, sources)).collect();
    let left_out = part.findings.len() + part.suppressed.len() - results.len();
    if left_out > 0 {
        let text = format!(
            "{} left out: code scanning takes {MAX_RESULTS} results of a run, and the most severe were kept. Use the JSON report for all.",
            count(left_out, "finding")
        );
        notifications.push(
            Notification::builder()
                .descriptor(ReportingDescriptorReference::builder().id(TRUNCATED).build())
                .level(json!("warning"))
                .message(message(&text))
                .build(),
        );
    }
    let driver = ToolComponent::builder()
        .name("treaty")
        .full_name(concat!("treaty ", env!("CARGO_PKG_VERSION")))
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .short_description(text(env!("CARGO_PKG_DESCRIPTION")))
        .rules(rules.iter().map(descriptor).collect::<Vec<_>>())
        .notifications(notification_descriptors(&notifications))
        .build();
    let invocation =
        Invocation::builder().execution_successful(true).tool_execution_notifications(notifications).build();
    let root = ArtifactLocation::builder()
        .description(message("The root of the repository, else the directory of the settings, else what was scanned."))
        .build();
    let mut run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation])
        .original_uri_base_ids(BTreeMap::from([(ROOT.to_owned(), root)]))
        .column_kind(json!("unicodeCodePoints"))
        .results(results)
        .build();
    run.automation_details = part.category.as_ref().map(|id| RunAutomationDetails::builder().id(id.as_str()).build());
    run
}

fn write_runs(runs: Vec<Run>, out: &mut impl Write) -> io::Result<()> {
    let log = Sarif::builder().schema(SCHEMA).version(json!("2.1.0")).runs(runs).build();
    super::json::write_value(&log, out)
}

/// The findings to show, in their order; if there are too many, the most severe.
fn most_severe<'r>(findings: &[&'r Finding]) -> Vec<&'r Finding> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    if findings.len() > MAX_RESULTS {
        order.sort_by_key(|index| std::cmp::Reverse(findings[*index].severity));
        order.truncate(MAX_RESULTS);
        order.sort_unstable();
    }
    order.into_iter().map(|index| findings[index]).collect()
}

fn result(finding: &Finding, rules: &[RuleCard], sources: &Sources) -> SarifResult {
    let mut text = sentence(&finding.message);
    if let Some(help) = &finding.help {
        text.push(' ');
        text.push_str(&sentence(help));
    }
    let mut related: Vec<(Span, &str)> =
        finding.related.iter().map(|label| (label.span, label.text.as_str())).collect();
    if let Some(place) = &finding.contract
        && place.span != finding.span
        && !related.iter().any(|(span, _)| *span == place.span)
    {
        related.push((place.span, "the contract says so here"));
    }
    let related_locations: Vec<Location> = related
        .iter()
        .zip(1_i64..)
        .map(|((span, label), id)| {
            let mut at = location(*span, sources);
            at.id = Some(id);
            at.message = Some(message(label));
            at
        })
        .collect();
    let mut result = SarifResult::builder()
        .rule_id(finding.rule.as_str())
        .level(level(finding.severity))
        .message(message(&text))
        .locations(vec![location(finding.span, sources)])
        .partial_fingerprints(BTreeMap::from([("treaty/v1".to_owned(), finding.fingerprint.clone())]))
        .properties(properties(finding))
        .build();
    result.rule_index = rules.iter().position(|rule| rule.code == finding.rule).and_then(|it| i64::try_from(it).ok());
    if !related_locations.is_empty() {
        result.related_locations = Some(related_locations);
    }
    if !finding.fixes.is_empty() {
        result.fixes = Some(finding.fixes.iter().map(|it| fix(it, sources)).collect());
    }
    result
}

/// What would mend it, file by file (SARIF 2.1.0, 3.55).
fn fix(fix: &Fix, sources: &Sources) -> SarifFix {
    let mut of_files: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        of_files.entry(sources.path(edit.span)).or_default().push(edit);
    }
    let replacement = |edit: &Edit| {
        let inserted = ArtifactContent::builder().text(edit.text.as_str()).build();
        Replacement::builder().deleted_region(region(edit.span, sources)).inserted_content(inserted).build()
    };
    let changes = of_files.into_iter().map(|(path, edits)| {
        let replacements: Vec<Replacement> = edits.into_iter().map(replacement).collect();
        ArtifactChange::builder().artifact_location(artifact(path)).replacements(replacements).build()
    });
    let title = message(&sentence(&fix.title));
    SarifFix::builder().description(title).artifact_changes(changes.collect::<Vec<_>>()).build()
}

fn suppressed(it: &Suppressed, rules: &[RuleCard], sources: &Sources) -> SarifResult {
    let mut result = result(&it.finding, rules, sources);
    let Suppression { kind, place, reason } = &it.by;
    let is_inside = *kind == SuppressionKind::InSource;
    let kind = json!(if is_inside { "inSource" } else { "external" });
    let mut suppression = SarifSuppression::builder().kind(kind).status(json!("accepted")).build();
    // A baseline may lie anywhere, and is no artifact of the run.
    suppression.location = is_inside.then(|| location(*place, sources));
    suppression.justification = reason.as_ref().map(|reason| visible(reason).into_owned());
    result.suppressions = Some(vec![suppression]);
    result
}

fn properties(finding: &Finding) -> PropertyBag {
    let mut more = BTreeMap::from([("kind".to_owned(), json!(finding.kind))]);
    if !finding.operations.is_empty() {
        more.insert("operations".to_owned(), json!(finding.operations));
    }
    if let Some(field) = &finding.field {
        more.insert("field".to_owned(), json!(field));
    }
    if let Some(place) = &finding.contract {
        more.insert("contractPointer".to_owned(), json!(place.pointer));
    }
    PropertyBag::builder().additional_properties(more).build()
}

fn notification(problem: &Problem, sources: &Sources) -> Notification {
    let mut text = sentence(&problem.message);
    if let Some(help) = &problem.help {
        text.push(' ');
        text.push_str(&sentence(help));
    }
    let mut notification = Notification::builder()
        .descriptor(ReportingDescriptorReference::builder().id(problem.kind.name()).build())
        .level(json!("warning"))
        .message(message(&text))
        .build();
    notification.locations = match problem.span {
        Some(span) => Some(vec![location(span, sources)]),
        None if problem.path.is_empty() => None,
        None => {
            let place = PhysicalLocation::builder().artifact_location(artifact(&problem.path)).build();
            Some(vec![Location::builder().physical_location(place).build()])
        }
    };
    notification
}

fn notification_descriptors(notifications: &[Notification]) -> Vec<ReportingDescriptor> {
    let used =
        |id: &str| notifications.iter().any(|it| it.descriptor.as_ref().and_then(|d| d.id.as_deref()) == Some(id));
    let kinds = ProblemKind::ALL.into_iter().map(ProblemKind::name);
    kinds
        .chain([TRUNCATED])
        .filter(|id| used(id))
        .map(|id| {
            let summary = text(&sentence(&id.replace('-', " ")));
            ReportingDescriptor::builder()
                .id(id)
                .name(pascal(id))
                .short_description(summary.clone())
                .full_description(summary)
                .help(text("The notification names the file and what to do. It is not a violation."))
                .build()
        })
        .collect()
}

fn descriptor(rule: &RuleCard) -> ReportingDescriptor {
    let severity = match rule.severity {
        Severity::Info => "recommendation",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut tags = vec!["contract".to_owned()];
    if let Some((family, _)) = rule.code.rsplit_once('-')
        && !family.eq_ignore_ascii_case("contract")
    {
        tags.push(family.to_ascii_lowercase());
    }
    // What code scanning sorts by. Never `security-severity`: these are not vulnerabilities.
    let properties = BTreeMap::from([("problem.severity".to_owned(), json!(severity))]);
    ReportingDescriptor::builder()
        .id(rule.code.as_str())
        .name(pascal(&rule.name))
        .short_description(text(&sentence(&rule.summary)))
        .full_description(text(&sentence(&rule.summary)))
        .help(MultiformatMessageString::builder().text(rule.markdown.as_str()).markdown(rule.markdown.as_str()).build())
        .default_configuration(ReportingConfiguration::builder().level(level_name(rule.severity)).build())
        .properties(PropertyBag::builder().tags(tags).additional_properties(properties).build())
        .build()
}

fn location(span: Span, sources: &Sources) -> Location {
    let place = PhysicalLocation::builder()
        .artifact_location(artifact(sources.path(span)))
        .region(region(span, sources))
        .build();
    Location::builder().physical_location(place).build()
}

fn region(span: Span, sources: &Sources) -> Region {
    let (start, end) = sources.positions(span);
    Region::builder()
        .start_line(start.line)
        .start_column(start.column)
        .end_line(end.line)
        .end_column(end.column)
        .build()
}

/// Paths below the working directory are relative to `%SRCROOT%`; others are absolute `file` URIs.
fn artifact(path: &str) -> ArtifactLocation {
    let windows_drive =
        path.as_bytes().get(1) == Some(&b':') && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    if path.starts_with('/') {
        ArtifactLocation::builder().uri(format!("file://{}", percent_encode(path))).build()
    } else if windows_drive {
        ArtifactLocation::builder().uri(format!("file:///{}:{}", &path[..1], percent_encode(&path[2..]))).build()
    } else {
        ArtifactLocation::builder().uri(percent_encode(path)).uri_base_id(ROOT).build()
    }
}

/// RFC 3986: everything but unreserved characters and `/`.
fn percent_encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("a string takes any text");
        }
    }
    out
}

fn level(severity: Severity) -> ResultLevel {
    match severity {
        Severity::Info => ResultLevel::Note,
        Severity::Warning => ResultLevel::Warning,
        Severity::Error => ResultLevel::Error,
    }
}

fn level_name(severity: Severity) -> Value {
    json!(match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    })
}

/// Text for a viewer: harmless, and without the `[text](target)` that SARIF would make a link.
fn message(text: &str) -> Message {
    Message::builder().text(visible(text).replace("](", "] (")).build()
}

fn text(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).build()
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// `missing-endpoint` → `MissingEndpoint`
fn pascal(name: &str) -> String {
    name.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        })
        .collect()
}
