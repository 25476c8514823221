//! What a run read and recognised, and what it left out and why: for whoever wonders what a scan looks at.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::excerpt::count;
use super::terminal::understood;
use super::visible::visible;
use crate::checks::is_written_by_tools;
use crate::contracts::Declarations;
use crate::finding::ProblemKind;
use crate::languages::Language;
use crate::project::Service;
use crate::scan::{Report, ServiceSummary, Why};

/// Names of one reason beyond this number are counted.
const MAX_NAMED: usize = 6;
/// Columns of what a line is about.
const LABEL: usize = 10;

/// What the report does not know by itself.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The settings in force, as the user knows them.
    pub settings: Option<String>,
    /// Rules that ran, of all that there are.
    pub rules: (usize, usize),
    /// As [`crate::scan::left_out`] gives it.
    pub left_out: Vec<(Why, String)>,
}

/// Writes it, each line with what it is about in front.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, asked: &Asked, out: &mut impl Write) -> io::Result<()> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    let settings = asked.settings.as_deref().unwrap_or("none");
    lines.push(("settings", settings.strip_prefix("./").unwrap_or(settings).to_owned()));
    lines.extend(report.folder_settings().map(|(path, passed)| {
        let passed = match passed {
            [] => String::new(),
            keys => format!("; only where a scan begins there: {}", keys.join(", ")),
        };
        ("settings", format!("{path} for its folder{passed}"))
    }));
    lines.push(("rules", format!("{} of {}", asked.rules.0, asked.rules.1)));
    lines.push(("read", read(report)));
    let project = &report.project;
    let services: Vec<&Service> = project.services.iter().filter(|it| it.scanned).collect();
    let width = services.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    for service in services {
        let summary = report.summary.services.iter().find(|it| it.service == service.name);
        lines.push(("service", format!("{:width$}  {}", service.name, recognised(service, summary))));
    }
    let contracts: Vec<&Declarations> = project.contracts.iter().collect();
    let path = |it: &Declarations| project.sources.get(it.file).path.clone();
    let width = contracts.iter().map(|it| path(it).chars().count()).max().unwrap_or(0);
    for contract in contracts {
        lines.push(("contract", format!("{:width$}  {}", path(contract), declared(contract))));
    }
    lines.extend(left_out(report, asked).into_iter().map(|line| ("left out", line)));
    let mut before = "";
    for (label, text) in lines {
        let shown = if label == before { "" } else { label };
        writeln!(out, "{shown:LABEL$} {}", visible(&text).trim_end())?;
        before = label;
    }
    Ok(())
}

/// `112 files (1.3 MB): 80 Python, 20 TypeScript, 12 contract documents`
fn read(report: &Report) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &report.now {
        let language = Language::by_path(&report.project.sources.get(*file).path);
        *kinds.entry(language.map_or("contract documents", Language::name)).or_default() += 1;
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(name, number)| (std::cmp::Reverse(*number), *name));
    let kinds: Vec<String> = kinds.into_iter().map(|(name, number)| format!("{number} {name}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    format!("{} ({}){kinds}", count(report.now.len(), "file"), size(report.summary.bytes))
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

/// `services/books: FastAPI, 12 routes read, 3 requests, 2 messages, 14 models, 32 files`
fn recognised(service: &Service, summary: Option<&ServiceSummary>) -> String {
    let mut told = match summary {
        Some(summary) => understood(summary),
        None if service.frameworks.is_empty() => "no framework that is known".to_owned(),
        None => service.frameworks.join(", "),
    };
    let counted = [
        (service.calls.len(), "request"),
        (service.messages.len(), "message"),
        (service.models.len(), "model"),
        (service.files, "file"),
    ];
    for (number, word) in counted.into_iter().filter(|it| it.0 > 0) {
        told = format!("{told}, {}", count(number, word));
    }
    format!("{}: {told}", service.root)
}

/// `OpenAPI, 12 operations`
fn declared(contract: &Declarations) -> String {
    if let Some(events) = &contract.events {
        let channels = events.channels.len();
        let messages: usize = events.channels.iter().map(|it| it.messages.len()).sum();
        return format!("AsyncAPI, {}, {}", count(channels, "channel"), count(messages, "message"));
    }
    if let Some(models) = &contract.models {
        return format!("JSON Schema, {}", count(models.len(), "model"));
    }
    if contract.wiring.is_some() {
        return "wiring of modules".to_owned();
    }
    let kind = if contract.table.is_some() { "rows of requirements" } else { "OpenAPI" };
    format!("{kind}, {}", count(contract.operations.len(), "operation"))
}

/// `tests, fixtures, examples or archives: tests/test_a.py, tests/test_b.py and 3 more`
fn left_out(report: &Report, asked: &Asked) -> Vec<String> {
    let mut by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (why, path) in &asked.left_out {
        by.entry(why.reason()).or_default().push(path);
    }
    for problem in &report.problems {
        let why = match problem.kind {
            ProblemKind::TooLarge => "too large",
            ProblemKind::TooDeep => "nested too deeply",
            ProblemKind::Unreadable => "not to be read",
            _ => continue,
        };
        by.entry(why).or_default().push(&problem.path);
    }
    let sources = &report.project.sources;
    let code = report.now.iter().map(|file| sources.get(*file)).filter(|it| Language::by_path(&it.path).is_some());
    let made: Vec<&str> = code.filter(|it| is_written_by_tools(&it.text)).map(|it| it.path.as_str()).collect();
    if !made.is_empty() {
        by.insert("generated or minified: rules about the code alone do not look at it", made);
    }
    let told = by.into_iter().map(|(why, paths)| {
        let named = paths[..paths.len().min(MAX_NAMED)].join(", ");
        let more = paths.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{why}: {named}{more}")
    });
    told.collect()
}
