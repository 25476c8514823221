//! `treaty code`: questions about the code of a project.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use serde::Serialize;

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use crate::index::{Definition, Index, IndexError};
use crate::store;

#[derive(Debug, Args)]
pub(super) struct CodeArgs {
    #[command(subcommand)]
    command: CodeCommand,
}

#[derive(Debug, Subcommand)]
enum CodeCommand {
    /// Where a symbol is declared
    Definition(DefinitionArgs),
    /// Who uses a symbol
    Callers(CallersArgs),
    /// What a file imports, and who imports it
    Dependencies(FileArgs),
    /// Functions, methods and classes that say what is asked
    Search(SearchArgs),
    /// What a service serves, sends and receives
    Interface(InterfaceArgs),
    /// Functions, classes, methods and types that nothing names
    DeadCode(DeadArgs),
    /// The codebase map, as Markdown
    Map(MapArgs),
    /// What a file declares
    Symbols(FileArgs),
    /// Bring the index up to date, and say what is in it
    Index(IndexArgs),
}

/// The project, and how to answer.
#[derive(Debug, Args)]
struct Common {
    /// Folder of the project [default: the working directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,

    /// File that the index is kept in [default: `.treaty/treaty.db` in the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    database: Option<PathBuf>,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: CodeFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CodeFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  treaty code definition create_user\n  treaty code definition UserService.find\n  treaty code definition app/users.py::find"
)]
struct DefinitionArgs {
    /// `name`, `Class.member` or `path::name`
    #[arg(value_name = "SYMBOL")]
    symbol: String,

    /// Only of this language: python, typescript, javascript or csharp
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct CallersArgs {
    /// `name`, `Class.member` or `path::name`
    #[arg(value_name = "SYMBOL")]
    symbol: String,

    /// Most that are listed
    #[arg(short = 'n', long = "max-results", value_name = "COUNT", default_value_t = 50)]
    max_results: usize,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct FileArgs {
    /// A source file of the project, as seen from its root
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: String,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  treaty code search \"refund a payment\"\n  treaty code search \"retry with backoff\" --language python -n 5"
)]
struct SearchArgs {
    /// What is looked for, in words
    #[arg(value_name = "QUERY")]
    query: String,

    /// Only of this language: python, typescript, javascript or csharp
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,

    /// Only in files of this service
    #[arg(long, value_name = "NAME")]
    service: Option<String>,

    /// Most that are listed
    #[arg(short = 'n', long = "n-results", value_name = "COUNT", default_value_t = 10)]
    count: usize,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct InterfaceArgs {
    /// Name of the service
    #[arg(value_name = "SERVICE")]
    service: String,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct DeadArgs {
    /// Only in files of this service
    #[arg(value_name = "SERVICE")]
    service: Option<String>,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct MapArgs {
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct IndexArgs {
    #[command(flatten)]
    common: Common,
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Scan(error) => error.into(),
            error => Failure::Said { message: error.to_string(), help: None },
        }
    }
}

impl Common {
    fn open(&self) -> Result<Index, Failure> {
        let root = self.root.clone().unwrap_or_else(|| PathBuf::from("."));
        let database = self.database.clone().unwrap_or_else(|| store::default_path(&root));
        if !root.is_dir() {
            return Err(IndexError::NoRoot { root: root.display().to_string() }.into());
        }
        Ok(Index::open(&database, &root)?)
    }

    /// Asks the index, with a bar while files are read.
    fn ask<T>(&self, question: impl FnOnce(&mut Index, &Bar) -> Result<T, IndexError>) -> Result<T, Failure> {
        let mut index = self.open()?;
        let bar = Bar::new(false);
        let answer = question(&mut index, &bar);
        bar.finish();
        Ok(answer?)
    }

    /// Writes an answer: for programs as it is, for people as `text` words it.
    fn answer<T: Serialize + ?Sized>(
        &self,
        answer: &T,
        text: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        deliver(None, |out| {
            if self.format == CodeFormat::Json {
                serde_json::to_writer_pretty(&mut *out, answer)?;
                writeln!(out)
            } else {
                text(out)
            }
        })
    }
}

pub(super) fn run(arguments: &CodeArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        CodeCommand::Definition(it) => definition(it),
        CodeCommand::Callers(it) => callers(it),
        CodeCommand::Dependencies(it) => dependencies(it),
        CodeCommand::Search(it) => search(it),
        CodeCommand::Interface(it) => interface(it),
        CodeCommand::DeadCode(it) => dead_code(it),
        CodeCommand::Map(it) => map(it),
        CodeCommand::Symbols(it) => symbols(it),
        CodeCommand::Index(it) => refresh(it),
    }
}

/// Nothing found is exit code 1, as for `grep`.
fn found(any: bool) -> Outcome {
    if any { Outcome::Clean } else { Outcome::Findings }
}

fn definition(arguments: &DefinitionArgs) -> Result<Outcome, Failure> {
    let language = arguments.language.as_deref();
    let (answer, nothing) = arguments.common.ask(|index, bar| {
        let answer = index.find_definition(&arguments.symbol, language, bar)?;
        let nothing = if answer.is_none() { index.nothing_called(&arguments.symbol)? } else { String::new() };
        Ok((answer, nothing))
    })?;
    arguments.common.answer(&answer, |out| match &answer {
        None => writeln!(out, "{nothing}"),
        Some(it) => {
            write_definition(out, it)?;
            if !it.doc.is_empty() {
                writeln!(out, "\n{}", it.doc)?;
            }
            if !it.alternatives.is_empty() {
                writeln!(out, "\nalso called so:")?;
            }
            it.alternatives.iter().try_for_each(|other| write_definition(out, other))
        }
    })?;
    Ok(found(answer.is_some()))
}

fn write_definition(out: &mut dyn Write, it: &Definition) -> std::io::Result<()> {
    writeln!(out, "{}:{}: {} {}\n    {}", it.file, it.line, it.kind.name(), it.symbol, it.signature)
}

fn callers(arguments: &CallersArgs) -> Result<Outcome, Failure> {
    let most = arguments.max_results;
    let (answer, nothing) = arguments.common.ask(|index, bar| {
        let answer = index.find_callers(&arguments.symbol, most, bar)?;
        let is_known = answer.definition.is_some();
        let nothing = if is_known { String::new() } else { index.nothing_called(&arguments.symbol)? };
        Ok((answer, nothing))
    })?;
    arguments.common.answer(&answer.callers, |out| {
        match &answer.definition {
            None => writeln!(out, "{nothing}")?,
            Some(it) => writeln!(out, "{} {}:{}", it.symbol, it.file, it.line)?,
        }
        for it in &answer.callers {
            writeln!(out, "{}:{}: {}", it.file, it.line, it.context)?;
        }
        if answer.total > answer.callers.len() {
            let left = answer.total - answer.callers.len();
            writeln!(out, "… and {left} more: `--max-results {}` lists them all", answer.total)?;
        }
        Ok(())
    })?;
    Ok(found(!answer.callers.is_empty()))
}

fn dependencies(arguments: &FileArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.find_dependencies(&arguments.file, bar))?;
    arguments.common.answer(&answer, |out| {
        let parts = [
            ("imports", &answer.imports),
            ("imported by", &answer.imported_by),
            ("needs besides", &answer.transitive_deps),
            ("libraries", &answer.external),
        ];
        for (title, paths) in parts.into_iter().filter(|(_, paths)| !paths.is_empty()) {
            writeln!(out, "{title}:")?;
            paths.iter().try_for_each(|path| writeln!(out, "  {path}"))?;
        }
        answer.circular_deps.iter().try_for_each(|circle| writeln!(out, "circle: {}", circle.join(" -> ")))
    })?;
    Ok(Outcome::Clean)
}

fn search(arguments: &SearchArgs) -> Result<Outcome, Failure> {
    let (language, service) = (arguments.language.as_deref(), arguments.service.as_deref());
    let answer =
        arguments.common.ask(|index, bar| index.search(&arguments.query, language, service, arguments.count, bar))?;
    arguments.common.answer(&answer, |out| {
        for it in &answer {
            let line = it.content.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
            writeln!(out, "{}:{}-{}  {:.2}  {}\n    {line}", it.file, it.lines[0], it.lines[1], it.score, it.symbol)?;
        }
        Ok(())
    })?;
    Ok(found(!answer.is_empty()))
}

fn interface(arguments: &InterfaceArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.service_interface(&arguments.service, bar))?;
    arguments.common.answer(&answer, |out| {
        for it in &answer.endpoints {
            writeln!(out, "{} {}  {}  {}:{}", it.method, it.path, it.handler, it.file, it.line)?;
        }
        for (verb, events) in [("publishes", &answer.events_published), ("consumes", &answer.events_consumed)] {
            events.iter().try_for_each(|it| writeln!(out, "{verb} {}  {}:{}", it.event, it.file, it.line))?;
        }
        for it in &answer.exported_symbols {
            writeln!(out, "used by other services: {}  {}:{}", it.symbol, it.file, it.line)?;
        }
        answer.not_read.iter().try_for_each(|reason| writeln!(out, "not read: {reason}"))
    })?;
    Ok(Outcome::Clean)
}

fn dead_code(arguments: &DeadArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.dead_code(arguments.service.as_deref(), bar))?;
    arguments.common.answer(&answer, |out| {
        for it in &answer {
            let confidence = format!("{:?}", it.confidence).to_lowercase();
            writeln!(out, "{}:{}: {} {} ({confidence})", it.file, it.line, it.kind.name(), it.symbol)?;
        }
        Ok(())
    })?;
    Ok(found(!answer.is_empty()))
}

fn map(arguments: &MapArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.map(bar))?;
    deliver(arguments.output.as_deref(), |out| {
        if arguments.common.format == CodeFormat::Json {
            serde_json::to_writer_pretty(&mut *out, &serde_json::json!({ "markdown": answer }))?;
            writeln!(out)
        } else {
            write!(out, "{answer}")
        }
    })?;
    Ok(Outcome::Clean)
}

fn symbols(arguments: &FileArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.symbols(&arguments.file, bar))?;
    arguments.common.answer(&answer, |out| {
        answer
            .iter()
            .try_for_each(|it| writeln!(out, "{:>5}  {} {}  {}", it.line, it.kind.name(), it.symbol, it.signature))
    })?;
    Ok(Outcome::Clean)
}

fn refresh(arguments: &IndexArgs) -> Result<Outcome, Failure> {
    let answer = arguments.common.ask(|index, bar| index.refresh(bar))?;
    arguments.common.answer(&answer, |out| {
        let changed = format!("{} read now, {} removed", answer.refreshed, answer.removed);
        writeln!(out, "{} files, {changed}", answer.files)?;
        answer.unreadable.iter().try_for_each(|(path, reason)| writeln!(out, "{path}: {reason}"))
    })?;
    Ok(Outcome::Clean)
}
