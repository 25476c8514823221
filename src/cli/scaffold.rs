//! `treaty scaffold`: contracts to a service.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::report::count;
use crate::scaffold::{Blueprint, Contract, Scaffold, Target, generate};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ScaffoldArgs {
    /// OpenAPI contracts that the service provides (3.0 or 3.1; JSON or YAML)
    #[arg(value_name = "CONTRACT", value_hint = ValueHint::FilePath, required_unless_present_any = ["publishes", "consumes"])]
    contracts: Vec<PathBuf>,

    /// What the service is written with
    #[arg(long, value_name = "TARGET")]
    target: TargetName,

    /// Folder to write to; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    into: PathBuf,

    /// Name of the service [default: the name of the folder]
    #[arg(long, value_name = "NAME")]
    service: Option<String>,

    /// Port that it listens on
    #[arg(long, value_name = "PORT", default_value_t = 8000, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,

    /// AsyncAPI document of which the service sends the messages (operations `send`); may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    publishes: Vec<PathBuf>,

    /// AsyncAPI document of which the service receives the messages (operations `receive`); may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    consumes: Vec<PathBuf>,

    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  treaty scaffold openapi.yaml --target fastapi --into services/books
  treaty scaffold orders.yaml --target nestjs --into services/orders --port 3000
  treaty scaffold orders.json --publishes events.yaml --consumes stock.yaml --target express --into orders

Exit codes: 0 written, 2 could not be written; then nothing was";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TargetName {
    /// Python, with pydantic
    #[value(name = "fastapi")]
    FastApi,
    /// TypeScript, with zod
    Express,
    /// TypeScript, with zod
    #[value(name = "nestjs")]
    NestJs,
    /// C#, minimal API
    #[value(name = "aspnet")]
    AspNet,
}

impl From<TargetName> for Target {
    fn from(name: TargetName) -> Self {
        match name {
            TargetName::FastApi => Target::FastApi,
            TargetName::Express => Target::Express,
            TargetName::NestJs => Target::NestJs,
            TargetName::AspNet => Target::AspNet,
        }
    }
}

pub(super) fn run(arguments: &ScaffoldArgs) -> Result<Outcome, Failure> {
    let read = |files: &[PathBuf]| files.iter().map(|file| contract(file)).collect::<Result<Vec<_>, _>>();
    let name = arguments.into.file_name().map(|name| name.to_string_lossy().into_owned());
    let blueprint = Blueprint {
        service: arguments.service.clone().or(name).unwrap_or_else(|| "service".to_owned()),
        target: arguments.target.into(),
        port: arguments.port,
        serves: read(&arguments.contracts)?,
        publishes: read(&arguments.publishes)?,
        consumes: read(&arguments.consumes)?,
    };
    let made = generate(&blueprint).map_err(|error| {
        Failure::said(error.to_string(), "`treaty contract check` says what is wrong in a document")
    })?;
    let there: Vec<&str> =
        made.files.iter().map(|it| it.path.as_str()).filter(|path| arguments.into.join(path).exists()).collect();
    if !there.is_empty() && !arguments.force {
        let folder = arguments.into.display();
        return Err(Failure::said(
            format!("{} would be written over in {folder}: {}", count(there.len(), "file"), there.join(", ")),
            "name another folder with `--into`, or write over them with `--force`",
        ));
    }
    write(&arguments.into, &made)?;
    deliver(None, |out| {
        use std::io::Write as _;
        let folder = arguments.into.display();
        let count = count(made.files.len(), "file");
        writeln!(out, "{count} of a {} service in {folder}", blueprint.target)?;
        let shown = made.files.iter().map(|it| it.path.as_str());
        for path in shown.clone().take(MOST_LINES) {
            writeln!(out, "  {path}")?;
        }
        if shown.len() > MOST_LINES {
            writeln!(out, "  and {} more", shown.len() - MOST_LINES)?;
        }
        if !made.notes.is_empty() {
            writeln!(out, "\nLeft out, or to be done (all of it is in the README)")?;
        }
        for note in made.notes.iter().take(MOST_LINES) {
            writeln!(out, "  {note}")?;
        }
        if made.notes.len() > MOST_LINES {
            writeln!(out, "  and {} more", made.notes.len() - MOST_LINES)?;
        }
        let (run, test) = commands(blueprint.target, blueprint.port);
        writeln!(out, "\nRun it   cd {folder} && {run}\nTest it  cd {folder} && {test}")
    })?;
    Ok(Outcome::Clean)
}

/// Longer lists do not fit on a screen.
const MOST_LINES: usize = 20;

fn commands(target: Target, port: u16) -> (String, &'static str) {
    match target {
        Target::FastApi => (
            format!("pip install -e '.[test]' && uvicorn app.main:app --port {port}"),
            "pip install -e '.[test]' && pytest",
        ),
        Target::Express | Target::NestJs => {
            ("npm install && npm run build && npm start".to_owned(), "npm install && npm test")
        }
        Target::AspNet => (format!("dotnet run --urls http://localhost:{port}"), "dotnet test tests"),
    }
}

/// A document in JSON or YAML.
fn contract(file: &Path) -> Result<Contract, Failure> {
    let document = super::registry::document(file)?;
    let stem = file.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let id = stem.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' });
    let id: String = id.collect();
    Ok(Contract { id: id.trim_start_matches('.').to_owned(), document })
}

fn write(folder: &Path, made: &Scaffold) -> Result<(), Failure> {
    for file in &made.files {
        let place = folder.join(&file.path);
        let failed = |reason| Failure::Output { place: place.display().to_string(), reason };
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&place, &file.text).map_err(failed)?;
    }
    Ok(())
}
