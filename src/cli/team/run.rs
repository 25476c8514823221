//! `treaty team run` and `resume`: a goal, worked on by a team until its gates pass.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::cli::Outcome;
use crate::cli::failure::Failure;
use crate::cli::orchestrate::{by_signals, dollars, settings};
use crate::cli::output::deliver;
use crate::devteam::{DevTeam, Places, Session};
use crate::ledger::Usd;
use crate::missions::Mode;
use crate::orchestrate::executors::ExecutorSettings;
use crate::process::Limits;
use crate::settings::Settings;
use crate::store;
use crate::teamwork::{self, Asked, Ended, Means, TeamworkError};

impl From<TeamworkError> for Failure {
    fn from(error: TeamworkError) -> Self {
        match error {
            TeamworkError::Orchestrate(error) => error.into(),
            error => Failure::Said { message: error.to_string(), help: None },
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunArgs {
    /// What is to be reached, in your words. Default: `task.initial_prompt` or `task.goal` of `.devteam/*.yaml`
    goal: Option<String>,

    /// A task of the plan in `.agent-team`, by its id, in the place of a goal
    #[arg(long, value_name = "ID", conflicts_with_all = ["goal", "requirements", "missions", "mode", "files"])]
    task: Option<String>,

    /// Who works: one agent until the gates pass, the roles of the team in line, or a leader with missions. Default: `leader` where
    /// `leader.enabled` is set in `.devteam`, or missions or requirements are given; `team` where `task.initial_prompt` is; else
    /// `single`
    #[arg(long, value_enum)]
    mode: Option<ModeArg>,

    /// Take the goal apart by this document of requirements
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    requirements: Option<PathBuf>,

    /// Missions as they are written down, YAML or JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "requirements")]
    missions: Option<PathBuf>,

    /// How it is known that the goal is reached; may be given several times. Default: the goal
    #[arg(long = "accept", value_name = "TEXT")]
    criteria: Vec<String>,

    /// Files that may be changed, as a pattern; may be given several times. Default: any
    #[arg(long = "files", value_name = "GLOB")]
    files: Vec<String>,

    /// How hard it is, 1 to 14: it decides which model begins
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=14))]
    complexity: u8,

    /// Smaller models first, and more tries before a larger one
    #[arg(long)]
    eco: bool,

    #[command(flatten)]
    with: WithArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ResumeArgs {
    /// The session. Default: the newest that has not ended, begun here or by an agent
    session: Option<String>,

    #[command(flatten)]
    with: WithArgs,
}

#[derive(Debug, Args)]
struct WithArgs {
    /// Who does the work: auto, claude, api, command. Default: `backend` in [orchestrate], else auto
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,

    /// Dollars that may be spent; without it nobody is asked who costs, unless named by --backend. Default: `cost_control` of
    /// `.devteam`, where it is enabled
    #[arg(long, value_name = "DOLLARS")]
    budget: Option<f64>,

    /// Roles, and members of the council, that work at the same time. Default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,

    /// Do not ask before money is spent
    #[arg(long)]
    yes: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    Single,
    Team,
    Leader,
}

pub(super) fn run(root: &Path, places: Places, arguments: &RunArgs) -> Result<Outcome, Failure> {
    let settings = settings(root)?;
    let goals = DevTeam::settings(&places).map_err(|error| Failure::said(error.to_string(), "mend the file"))?.goals;
    let goal = arguments.goal.clone().or(goals.goal).filter(|it| !it.trim().is_empty());
    let requirements = arguments.requirements.as_deref().map(text).transpose()?;
    let missions = arguments.missions.as_deref().map(text).transpose()?;
    let named = arguments.requirements.as_ref().or(arguments.missions.as_ref());
    let goal = goal.or_else(|| named.map(|it| format!("What {} asks for", it.display())));
    let goal = arguments.task.as_ref().map(|it| format!("Task {it}")).or(goal);
    let Some(goal) = goal else {
        return Err(Failure::said("no goal is named", "`treaty team run \"Add paging to GET /orders\"`"));
    };
    let mode = match arguments.mode {
        Some(ModeArg::Single) => Mode::Single,
        Some(ModeArg::Team) => Mode::Team,
        Some(ModeArg::Leader) => Mode::Leader,
        None if arguments.task.is_some() => Mode::Single,
        None if named.is_some() => Mode::Leader,
        None => goals.mode,
    };
    if mode == Mode::Single && named.is_some() {
        return Err(Failure::said("one agent has no missions", "leave --mode single out, or the document"));
    }
    let budget = arguments.with.budget.map(dollars).transpose()?.or(goals.budget);
    let means = means(places, &settings, &arguments.with);
    agreed(budget, &means.backend, arguments.with.yes)?;
    let asked = Asked {
        goal,
        task: arguments.task.clone(),
        requirements,
        missions,
        mode,
        criteria: arguments.criteria.clone(),
        files: arguments.files.clone(),
        complexity: arguments.complexity,
        is_eco: arguments.eco,
        budget,
    };
    let (session, ended) = teamwork::begin(&means, &asked, &say, &by_signals())?;
    shown(&session, &ended)
}

pub(super) fn resume(root: &Path, places: Places, arguments: &ResumeArgs) -> Result<Outcome, Failure> {
    let settings = settings(root)?;
    let means = means(places, &settings, &arguments.with);
    let budget = arguments.with.budget.map(dollars).transpose()?;
    agreed(budget, &means.backend, arguments.with.yes)?;
    let (session, ended) = teamwork::resume(&means, arguments.session.as_deref(), budget, &say, &by_signals())?;
    shown(&session, &ended)
}

/// Money is never spent unasked.
fn agreed(budget: Option<Usd>, backend: &str, is_agreed: bool) -> Result<(), Failure> {
    let Some(budget) = budget.filter(|_| !is_agreed) else { return Ok(()) };
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        let message = format!("up to {budget} would be spent, and nobody is here to agree");
        return Err(Failure::said(message, "add --yes"));
    }
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "At most {budget} are spent by `{backend}`. Go on? [y/N] ");
    let _ = err.flush();
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(Failure::said("nothing was done", "`--yes` does not ask"))
    }
}

fn means(places: Places, settings: &Settings, with: &WithArgs) -> Means {
    let backend = with.backend.clone().or_else(|| settings.orchestrate.backend.clone());
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Means {
        places,
        backend: backend.unwrap_or_else(|| "auto".to_owned()),
        executors: ExecutorSettings::from(settings),
        jobs: with.jobs.map_or(cores, usize::from),
        limits: Limits::default(),
    }
}

fn shown(session: &Session, ended: &Ended) -> Result<Outcome, Failure> {
    let id = &session.id;
    deliver(None, |out| {
        write!(out, "{}", teamwork::deliverable(session))?;
        match ended {
            Ended::Completed => {
                writeln!(out, "\nThe goal is reached; the files are changed, and nothing is committed.")
            }
            Ended::Failed(why) => writeln!(out, "\nThe goal is not reached: {why}"),
            Ended::Paused(why) => writeln!(out, "\nPaused: {why}. `treaty team resume {id}` goes on."),
            Ended::Interrupted => writeln!(out, "\nInterrupted. `treaty team resume {id}` goes on."),
        }
    })?;
    Ok(match ended {
        Ended::Completed => Outcome::Clean,
        Ended::Failed(_) => Outcome::Findings,
        Ended::Paused(_) => Outcome::Budget,
        Ended::Interrupted => Outcome::Interrupted,
    })
}

fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::said(format!("cannot read {}: {error}", path.display()), "name a file that is there"))
}

/// Where a project keeps what its team works with.
pub(in crate::cli) fn places(root: &Path) -> Places {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let place = |name: &str, usual: &str| root.join(variable(name).unwrap_or_else(|| usual.into()));
    Places {
        root: root.to_owned(),
        database: variable("DEVTEAM_DB").map_or_else(|| store::default_path(root), |it| root.join(it)),
        config: place("DEVTEAM_CONFIG", ".devteam"),
        agents: place("DEVTEAM_AGENTS", "agents"),
    }
}
