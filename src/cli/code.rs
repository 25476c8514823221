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
    }
}

/// Nothing found is exit code 1, as for `grep`.
fn found(any: bool) -> Outcome {
    if any { Outcome::Clean } else { Outcome::Findings }
}

fn definition(arguments: &DefinitionArgs) -> Result<Outcome, Failure> {
    let mut index = arguments.common.open()?;
    let bar = Bar::new(false);
    let answer = index.find_definition(&arguments.symbol, arguments.language.as_deref(), &bar);
    bar.finish();
    let answer = answer?;
    arguments.common.answer(&answer, |out| match &answer {
        None => writeln!(out, "nothing is called `{}`", arguments.symbol),
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
    let mut index = arguments.common.open()?;
    let bar = Bar::new(false);
    let answer = index.find_callers(&arguments.symbol, arguments.max_results, &bar);
    bar.finish();
    let answer = answer?;
    arguments.common.answer(&answer.callers, |out| {
        match &answer.definition {
            None => writeln!(out, "nothing is called `{}`", arguments.symbol)?,
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
