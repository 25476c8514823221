//! What can be typed after `treaty orchestrate`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::cli::args::Depth;
use crate::cli::registry::Shown;

const EXAMPLES: &str = "\
Examples:
  treaty orchestrate REQUIREMENTS.md --into shop                    without a model: services from templates
  treaty orchestrate REQUIREMENTS.md --into shop --plan-only        the plan, to be read and edited first
  treaty orchestrate REQUIREMENTS.md --backend claude --budget 5    sessions of Claude Code, for at most five dollars
  treaty orchestrate status --into shop
  treaty orchestrate resume --into shop                             goes on where a run was left

Exit codes: 0 healthy, 1 finished but not healthy, 2 could not run, 3 stopped by the budget, 130 interrupted";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXAMPLES)]
pub(in crate::cli) struct OrchestrateArgs {
    #[command(subcommand)]
    pub(super) command: Option<OrchestrateCommand>,

    #[command(flatten)]
    pub(super) start: StartArgs,
}

#[derive(Debug, Args)]
pub(super) struct StartArgs {
    /// Requirements: Markdown or plain text
    #[arg(value_name = "REQUIREMENTS", value_hint = ValueHint::FilePath)]
    pub(super) requirements: Option<PathBuf>,

    /// Folder of the project: a clean git repository, or a new folder
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) into: PathBuf,

    /// Build this service only (may be given several times)
    #[arg(long = "service", value_name = "NAME")]
    pub(super) services: Vec<String>,

    /// How thorough the run is
    #[arg(long, value_name = "DEPTH", default_value = "standard")]
    pub(super) depth: Depth,

    /// Who carries the tasks out: auto, scaffold (templates, no model), claude (Claude Code), teams (agents of Claude Code together), api (a chat model over HTTP), command (of treaty.toml) [default: auto]
    #[arg(long, value_name = "BACKEND")]
    pub(super) backend: Option<String>,

    /// Dollars that the run may cost; without it, `auto` asks no model
    #[arg(long, value_name = "USD")]
    pub(super) budget: Option<f64>,

    /// Tasks that are carried out at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<usize>,

    /// Answers to the questions of an earlier run (`.agent-team/QUESTIONS.md`), read as part of the requirements
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) answers: Option<PathBuf>,

    /// Write the plan, and stop: it is read back by the next run with the same requirements
    #[arg(long)]
    pub(super) plan_only: bool,

    /// Do not ask before the run begins
    #[arg(long, short = 'y')]
    pub(super) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum OrchestrateCommand {
    /// How far a run is
    Status(StatusArgs),
    /// Go on with a run that was interrupted or stopped
    Resume(ResumeArgs),
    /// What a run did: tasks, costs, health, findings
    Report(ReportArgs),
    /// End a run
    Cancel(RunArgs),
    /// What happened in a run, event by event
    Replay(ReplayArgs),
    /// Try a failed task of an ended run once more, and what waited for it
    Retry(RetryArgs),
    /// Print the tables of treaty.toml that an old config.yaml leads to; what has no place in them is told on standard error
    Import(ImportArgs),
    /// Take worktrees and branches of ended runs away
    Clean(CleanArgs),
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Run, or the beginning of its id [default: the last one]
    #[arg(value_name = "RUN")]
    pub(super) run: Option<String>,

    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) into: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,

    /// List all runs of the project
    #[arg(long)]
    pub(super) all: bool,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,

    /// Dollars that the run may cost from its beginning on, in the place of what was given
    #[arg(long, value_name = "USD")]
    pub(super) budget: Option<f64>,
}

#[derive(Debug, Args)]
pub(super) struct RetryArgs {
    /// Run, or the beginning of its id
    #[arg(value_name = "RUN")]
    pub(super) run: String,

    /// Task, such as TASK-003
    #[arg(value_name = "TASK")]
    pub(super) task: String,

    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) into: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,

    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: ReportFormat,

    /// File to write to
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,

    /// One JSON object an event
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The old configuration
    #[arg(value_name = "CONFIG.yaml", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct CleanArgs {
    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) into: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ReportFormat {
    Text,
    Json,
    /// One page, for a browser
    Html,
}
