//! `treaty contract add|list|show|…`: the registry of contracts on the command line.

mod args;
mod document;

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::Outcome;
use super::failure::Failure;
use super::output::{Output, deliver};
use crate::finding::Severity;
use crate::registry::{AnswerQuestion, Entry, ListFilter, Marked, NewContract, Registry, RegistryError, SpecKind};
use crate::report::{count, json, visible};
use args::{AddArgs, CheckArgs, DiffArgs, ImplementedArgs, ListArgs, MissingArgs, ShowArgs, TestsArgs};
pub(super) use args::{Kept, RegistryCommand, Shown};
use document::data;
pub(super) use document::{document, read};

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        Failure::Said { message: error.to_string(), help: None }
    }
}

pub(super) fn run(command: &RegistryCommand) -> Result<Outcome, Failure> {
    match command {
        RegistryCommand::Add(arguments) => add(arguments),
        RegistryCommand::List(arguments) => list(arguments),
        RegistryCommand::Show(arguments) => show(arguments),
        RegistryCommand::CheckResponse(arguments) => check_response(arguments),
        RegistryCommand::Tests(arguments) => tests(arguments),
        RegistryCommand::Diff(arguments) => diff(arguments),
        RegistryCommand::Implemented(arguments) => implemented(arguments),
        RegistryCommand::Missing(arguments) => missing(arguments),
    }
}

/// The database of a project whose folder is there.
pub(super) fn database(kept: &Kept) -> Result<PathBuf, Failure> {
    if !kept.root.is_dir() {
        let message = format!("there is no folder {}", kept.root.display());
        return Err(Failure::said(message, "name the folder of the project with `--root`"));
    }
    Ok(kept.database())
}

pub(super) fn open(kept: &Kept) -> Result<Registry, Failure> {
    Ok(Registry::open(&database(kept)?, &kept.root)?)
}

fn add(arguments: &AddArgs) -> Result<Outcome, Failure> {
    let spec = document(&arguments.file)?;
    let stated = || spec.pointer("/info/version").and_then(|it| it.as_str()).map(str::to_owned);
    let version = arguments.version.clone().or_else(stated);
    let Some(version) = version.filter(|it| !it.trim().is_empty()) else {
        let message = format!("{} states no `info.version`", arguments.file.display());
        return Err(Failure::said(message, "name the version with `--version`"));
    };
    let new = NewContract {
        service_name: arguments.service.clone(),
        kind: arguments.kind.map_or_else(|| SpecKind::of(&spec), SpecKind::from),
        version,
        spec,
        build_cycle_id: arguments.cycle.clone(),
    };
    let contract = open(&arguments.kept)?.create(&new)?;
    told(arguments.format, &contract, |out| writeln!(out, "{}", line(&contract.entry)))
}

fn list(arguments: &ListArgs) -> Result<Outcome, Failure> {
    let filter = ListFilter {
        service_name: arguments.service.clone(),
        kind: arguments.kind.map(SpecKind::from),
        status: None,
        page: arguments.page,
        page_size: arguments.page_size,
    };
    let page = open(&arguments.kept)?.list(&filter)?;
    told(arguments.format, &page, |out| {
        for entry in &page.items {
            writeln!(out, "{}", line(entry))?;
        }
        let total = count(page.total as usize, "contract");
        match page.total.div_ceil(page.page_size) {
            pages @ 2.. => writeln!(out, "{total}; page {} of {pages}, `--page` shows another", page.page),
            _ if page.total == 0 => writeln!(out, "{total}; `treaty contract add` registers one"),
            _ => writeln!(out, "{total}"),
        }
    })
}

fn show(arguments: &ShowArgs) -> Result<Outcome, Failure> {
    let contract = open(&arguments.kept)?.existing(&arguments.id)?;
    told(arguments.format, &contract, |out| {
        writeln!(out, "{}\nhash {}\n", line(&contract.entry), contract.entry.spec_hash)?;
        json::write_value(&contract.spec, out)
    })
}

fn line(entry: &Entry) -> String {
    let Entry { id, kind, version, service_name, status, .. } = entry;
    format!("{id}  {:<11} {:<8} {} ({})", kind.name(), version, visible(service_name), visible(status))
}

fn check_response(arguments: &CheckArgs) -> Result<Outcome, Failure> {
    let body = arguments.body.as_deref().map(data).transpose()?;
    let question = AnswerQuestion {
        service_name: arguments.service.clone(),
        method: arguments.method.clone(),
        path: arguments.path.clone(),
        status_code: arguments.status,
        response_body: body.unwrap_or_default(),
    };
    let report = open(&arguments.kept)?.validate_endpoint(&question)?;
    told(arguments.format, &report, |out| {
        for it in &report.violations {
            let (field, expected, actual) = (visible(&it.field), visible(&it.expected), visible(&it.actual));
            writeln!(out, "{field}: expected {expected}, found {actual}")?;
        }
        match report.violations.len() {
            0 => writeln!(out, "the answer keeps the contract"),
            number => writeln!(out, "{}", count(number, "violation")),
        }
    })?;
    Ok(if report.valid { Outcome::Clean } else { Outcome::Findings })
}

fn tests(arguments: &TestsArgs) -> Result<Outcome, Failure> {
    let TestsArgs { id, framework, no_negative, output, kept } = arguments;
    let source = open(kept)?.generate_tests(id, (*framework).into(), !no_negative)?;
    deliver(output.as_deref(), |out| out.write_all(source.as_bytes()))?;
    Ok(Outcome::Clean)
}

fn diff(arguments: &DiffArgs) -> Result<Outcome, Failure> {
    let new = arguments.file.as_deref().map(document).transpose()?;
    let changes = open(&arguments.kept)?.breaking_changes(&arguments.id, new.as_ref())?;
    let of = |severity| changes.iter().filter(|change| change.severity == severity).count();
    let breaking = of(Severity::Error);
    told(arguments.format, &changes, |out| {
        for change in &changes {
            writeln!(out, "{:<8} {} ({})", change.severity.name(), visible(&change.message), change.change)?;
            if !change.affected_consumers.is_empty() {
                writeln!(out, "         used by {}", visible(&change.affected_consumers.join(", ")))?;
            }
        }
        let (doubtful, other) = (count(of(Severity::Warning), "warning"), of(Severity::Info));
        writeln!(out, "{}, {doubtful}, {other} that break nobody", count(breaking, "breaking change"))
    })?;
    Ok(if breaking > 0 { Outcome::Findings } else { Outcome::Clean })
}

fn implemented(arguments: &ImplementedArgs) -> Result<Outcome, Failure> {
    let ImplementedArgs { id, service, evidence, .. } = arguments;
    let marked = open(&arguments.kept)?.mark_implemented(id, service, evidence)?;
    told(arguments.format, &marked, |out| {
        let Marked { status, verified, promised, .. } = &marked;
        let word = if marked.marked { "marked as implemented" } else { "not marked" };
        writeln!(out, "{word}: {} ({verified} of {promised} verified)", status.name())?;
        for finding in &marked.findings {
            let place = format!("{}:{}", finding.file, finding.line);
            writeln!(out, "  {} {} {}", finding.rule, visible(&place), visible(&finding.message))?;
        }
        marked.reasons.iter().try_for_each(|reason| writeln!(out, "  {}", visible(reason)))
    })?;
    Ok(if marked.marked { Outcome::Clean } else { Outcome::Findings })
}

fn missing(arguments: &MissingArgs) -> Result<Outcome, Failure> {
    let found = open(&arguments.kept)?.unimplemented(arguments.service.as_deref())?;
    told(arguments.format, &found, |out| {
        for it in &found {
            let (kind, service) = (it.kind.name(), visible(&it.expected_service));
            writeln!(out, "{}  {kind:<11} {:<8} {service}: {}", it.id, it.version, it.implementation)?;
            it.reasons.iter().try_for_each(|reason| writeln!(out, "  {}", visible(reason)))?;
        }
        writeln!(out, "{} not verified to be implemented", count(found.len(), "contract"))
    })?;
    Ok(if found.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// The answer in the form that was asked for.
pub(super) fn told<T: Serialize>(
    format: Shown,
    value: &T,
    text: impl FnOnce(&mut Output<'_>) -> std::io::Result<()>,
) -> Result<Outcome, Failure> {
    deliver(None, |out| match format {
        Shown::Json => json::write_value(value, out),
        Shown::Text => text(out),
    })?;
    Ok(Outcome::Clean)
}
