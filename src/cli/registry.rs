//! `treaty contract add|list|show|…`: the registry of contracts on the command line.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use serde::Serialize;
use serde_json::Value;

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::contracts::MAX_BYTES;
use crate::contracts::tree::{self, Node};
use crate::registry::{Entry, ListFilter, NewContract, Registry, RegistryError, SpecKind};
use crate::report::{count, json, visible};
use crate::store::default_path;
use crate::text::FileId;

#[derive(Debug, Subcommand)]
pub(super) enum RegistryCommand {
    /// Register a contract: a document for a service and a version
    ///
    /// The same document again changes nothing. Another document for a version that is registered takes its place, unless
    /// both name one build cycle (--cycle): within a cycle a version stays what it is.
    #[command(
        after_help = "Examples:\n  treaty contract add openapi.yaml --service users --version 1.0.0\n  treaty contract add events.yaml --service users --version 2.1.0 --cycle build-7"
    )]
    Add(AddArgs),
    /// List registered contracts
    #[command(
        after_help = "Examples:\n  treaty contract list\n  treaty contract list --service users --type openapi --format json"
    )]
    List(ListArgs),
    /// Show a registered contract with its document
    #[command(after_help = "Examples:\n  treaty contract show 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 --format json")]
    Show(ShowArgs),
}

/// Where contracts are registered.
#[derive(Debug, Args)]
pub(super) struct Kept {
    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) root: PathBuf,

    /// Database to use [default: `.treaty/treaty.db` below the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) database: Option<PathBuf>,
}

impl Kept {
    pub(super) fn database(&self) -> PathBuf {
        self.database.clone().unwrap_or_else(|| default_path(&self.root))
    }

    fn open(&self) -> Result<Registry, Failure> {
        if !self.root.is_dir() {
            let message = format!("there is no folder {}", self.root.display());
            return Err(Failure::said(message, "name the folder of the project with `--root`"));
        }
        Ok(Registry::open(&self.database(), &self.root)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Shown {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Kind {
    Openapi,
    Asyncapi,
    #[value(name = "json_schema")]
    JsonSchema,
}

impl From<Kind> for SpecKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Openapi => SpecKind::Openapi,
            Kind::Asyncapi => SpecKind::Asyncapi,
            Kind::JsonSchema => SpecKind::JsonSchema,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct AddArgs {
    /// Contract document, JSON or YAML; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Service that keeps it
    #[arg(long, value_name = "NAME")]
    service: String,

    /// Its version, such as `1.0.0`
    #[arg(long, value_name = "VERSION")]
    version: String,

    /// What it is [default: what its keys say]
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<Kind>,

    /// Build cycle within which a version stays what it is
    #[arg(long, value_name = "ID")]
    cycle: Option<String>,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Only those of this service
    #[arg(long, value_name = "NAME")]
    service: Option<String>,

    /// Only those of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<Kind>,

    /// Page to show
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    page: u32,

    /// Contracts on a page, at most 100
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    page_size: u32,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// Id of the contract, as `treaty contract list` shows it
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shown,
}

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
    }
}

fn add(arguments: &AddArgs) -> Result<Outcome, Failure> {
    let spec = document(&arguments.file)?;
    let new = NewContract {
        service_name: arguments.service.clone(),
        kind: arguments.kind.map_or_else(|| SpecKind::of(&spec), SpecKind::from),
        version: arguments.version.clone(),
        spec,
        build_cycle_id: arguments.cycle.clone(),
    };
    let contract = arguments.kept.open()?.create(&new)?;
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
    let page = arguments.kept.open()?.list(&filter)?;
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
    let contract = arguments.kept.open()?.existing(&arguments.id)?;
    told(arguments.format, &contract, |out| {
        writeln!(out, "{}\nhash {}\n", line(&contract.entry), contract.entry.spec_hash)?;
        json::write_value(&contract.spec, out)
    })
}

fn line(entry: &Entry) -> String {
    let Entry { id, kind, version, service_name, status, .. } = entry;
    format!("{id}  {:<11} {:<8} {} ({})", kind.name(), version, visible(service_name), visible(status))
}

/// The answer in the form that was asked for.
fn told<T: Serialize>(
    format: Shown,
    value: &T,
    text: impl FnOnce(&mut super::output::Output<'_>) -> std::io::Result<()>,
) -> Result<Outcome, Failure> {
    deliver(None, |out| match format {
        Shown::Json => json::write_value(value, out),
        Shown::Text => text(out),
    })?;
    Ok(Outcome::Clean)
}

/// Values that a document may have when its aliases are written out.
const MOST_VALUES: usize = 2_000_000;

/// Reads a document of JSON or YAML as data.
fn document(file: &Path) -> Result<Value, Failure> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let next = "name a document of JSON or YAML; `treaty contract validate` says what is wrong in one";
    let wrong = |reason: &dyn std::fmt::Display| Failure::said(format!("cannot read {name}: {reason}"), next);
    let text = read(file).map_err(|error| wrong(&error))?;
    let tree = tree::read(FileId(0), &text);
    if let Some(issue) = tree.syntax_error() {
        let line = text[..(issue.span.start as usize).min(text.len())].lines().count().max(1);
        return Err(wrong(&format!("line {line}: {}", issue.message)));
    }
    if let Some(problem) = tree.problems.first() {
        return Err(wrong(&problem.message));
    }
    if !is_small(&tree.root, &mut MOST_VALUES.clone()) {
        return Err(wrong(&format!("it has more than {MOST_VALUES} values")));
    }
    serde_json::from_str(&tree.root.to_json()).map_err(|error| wrong(&error))
}

fn read(file: &Path) -> std::io::Result<String> {
    let limit = MAX_BYTES as u64 + 1;
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_string(&mut text)?;
    } else {
        std::fs::File::open(file)?.take(limit).read_to_string(&mut text)?;
    }
    if text.len() > MAX_BYTES {
        return Err(std::io::Error::other(format!("more than {MAX_BYTES} bytes")));
    }
    Ok(text)
}

fn is_small(node: &Node, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    node.items().iter().chain(node.entries().iter().map(|(_, value)| value)).all(|inner| is_small(inner, left))
}
