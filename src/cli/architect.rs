//! `treaty architect decompose|service-map|domain-model`: requirements on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::Outcome;
use super::failure::Failure;
use super::output::Output;
use super::registry::{self, Kept, Shown, read, told};
use crate::architect::{Architect, ArchitectError, Decomposition, DomainModel, ServiceMap, decompose};
use crate::registry::Role;
use crate::report::{count, visible};

#[derive(Debug, Args)]
pub(super) struct ArchitectArgs {
    #[command(subcommand)]
    command: ArchitectCommand,
}

#[derive(Debug, Subcommand)]
enum ArchitectCommand {
    /// Take a requirements document apart: services, entities, states, contracts to begin with, open questions
    ///
    /// Nothing is made up: what the text leaves open is asked. The answer is kept for `service-map` and `domain-model`.
    #[command(
        after_help = "Examples:\n  treaty architect decompose PRD.md\n  treaty architect decompose PRD.md --format json > parts.json"
    )]
    Decompose(DecomposeArgs),
    /// Services of the document that was decomposed last
    ServiceMap(AskArgs),
    /// Entities, relationships and states of the document that was decomposed last
    DomainModel(AskArgs),
    /// Registered contracts that a service provides or consumes
    #[command(after_help = "Examples:\n  treaty architect contracts order-service")]
    Contracts(ContractsArgs),
}

#[derive(Debug, Args)]
struct DecomposeArgs {
    /// Requirements: Markdown or plain text; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

#[derive(Debug, Args)]
struct AskArgs {
    /// Project to tell of [default: the last one]
    #[arg(long, value_name = "NAME")]
    project: Option<String>,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

#[derive(Debug, Args)]
struct ContractsArgs {
    /// Service to tell of
    #[arg(value_name = "SERVICE")]
    service: String,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

impl From<ArchitectError> for Failure {
    fn from(error: ArchitectError) -> Self {
        Failure::Said { message: error.to_string(), help: None }
    }
}

pub(super) fn run(arguments: &ArchitectArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        ArchitectCommand::Decompose(arguments) => {
            let text = read(&arguments.file).map_err(|error| {
                Failure::said(
                    format!("cannot read {}: {error}", arguments.file.display()),
                    "name a document of requirements, as Markdown or plain text",
                )
            })?;
            let mut found = decompose(&text);
            Architect::open(&registry::database(&arguments.kept)?)?.keep(&mut found)?;
            told(arguments.format, &found, |out| everything(&found, out))
        }
        ArchitectCommand::ServiceMap(arguments) => {
            let map = opened(arguments)?.service_map(arguments.project.as_deref())?;
            told(arguments.format, &map, |out| services(&map, out))
        }
        ArchitectCommand::DomainModel(arguments) => {
            let model = opened(arguments)?.domain_model(arguments.project.as_deref())?;
            told(arguments.format, &model, |out| entities(&model, out))
        }
        ArchitectCommand::Contracts(arguments) => {
            let found = registry::open(&arguments.kept)?.of_service(&arguments.service)?;
            told(arguments.format, &found, |out| {
                for it in &found {
                    let role = if it.role == Role::Provider { "provides" } else { "consumes" };
                    writeln!(out, "{}  {role} {}", it.id, visible(&it.summary))?;
                }
                writeln!(out, "{} of {}", count(found.len(), "contract"), visible(&arguments.service))
            })
        }
    }
}

fn opened(arguments: &AskArgs) -> Result<Architect, Failure> {
    let database = registry::database(&arguments.kept)?;
    if !database.exists() {
        return Err(ArchitectError::Nothing.into());
    }
    Ok(Architect::open(&database)?)
}

fn everything(found: &Decomposition, out: &mut Output<'_>) -> std::io::Result<()> {
    services(&found.service_map, out)?;
    writeln!(out)?;
    entities(&found.domain_model, out)?;
    for stub in &found.contract_stubs {
        writeln!(out, "\n{} ({})", visible(&stub.service_id), stub.kind)?;
        let parts = if stub.kind == "openapi" { "paths" } else { "operations" };
        for (name, part) in stub.spec[parts].as_object().into_iter().flatten() {
            if stub.kind != "openapi" {
                writeln!(out, "  {}", visible(name))?;
                continue;
            }
            for (method, operation) in part.as_object().into_iter().flatten() {
                let summary = operation["summary"].as_str().unwrap_or("");
                writeln!(out, "  {:<6} {}  {}", method.to_ascii_uppercase(), visible(name), visible(summary))?;
            }
        }
    }
    for (title, lines) in [("Issues", &found.validation_issues), ("Open questions", &found.interview_questions)] {
        if !lines.is_empty() {
            writeln!(out, "\n{title}")?;
        }
        for line in lines {
            writeln!(out, "  {}", visible(line))?;
        }
    }
    Ok(())
}

fn services(map: &ServiceMap, out: &mut Output<'_>) -> std::io::Result<()> {
    writeln!(out, "{}", visible(&map.project_name))?;
    for service in &map.services {
        let stack = &service.stack;
        let built: Vec<&str> = [&stack.language, &stack.framework, &stack.database, &stack.message_broker]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let assumed = if service.assumed { "  (the text names no service)" } else { "" };
        writeln!(out, "  {}  {}{assumed}", visible(&service.name), visible(&built.join(", ")))?;
        if !service.owns_entities.is_empty() {
            writeln!(out, "    keeps {}", visible(&service.owns_entities.join(", ")))?;
        }
        if !service.consumes_contracts.is_empty() {
            writeln!(out, "    needs {}", visible(&service.consumes_contracts.join(", ")))?;
        }
    }
    Ok(())
}

fn entities(model: &DomainModel, out: &mut Output<'_>) -> std::io::Result<()> {
    for entity in &model.entities {
        let of = entity.owning_service.as_deref().unwrap_or("no service");
        writeln!(out, "{} ({}, line {})", visible(&entity.name), visible(of), entity.line)?;
        for field in &entity.fields {
            let required = if field.required { ", required" } else { "" };
            writeln!(out, "  {}: {}{required}", visible(&field.name), visible(&field.kind))?;
        }
        if let Some(machine) = &entity.state_machine {
            writeln!(out, "  states: {}", visible(&machine.states.join(", ")))?;
            for step in &machine.transitions {
                writeln!(out, "    {} -> {}", visible(&step.from_state), visible(&step.to_state))?;
            }
        }
    }
    for it in &model.relationships {
        writeln!(
            out,
            "{} {} {} ({})",
            visible(&it.source_entity),
            it.kind,
            visible(&it.target_entity),
            it.cardinality
        )?;
    }
    for event in &model.events {
        let (from, to) = (event.publishers.join(", "), event.consumers.join(", "));
        writeln!(out, "event {}: {} -> {}", visible(&event.name), visible(&from), visible(&to))?;
    }
    Ok(())
}
