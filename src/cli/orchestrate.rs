//! `treaty orchestrate`: a run from requirements to services, and what there is to ask about runs.

mod args;
mod import;
mod shown;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use self::shown::Watch;
use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::cli::team::places;
use crate::config;
use crate::council::Member;
use crate::devteam::agents::Agents;
use crate::events::{Depth, Event, Log, Outcome as RunOutcome, RunStarted, write_all};
use crate::ledger::Usd;
use crate::orchestrate::git::Git;
use crate::orchestrate::{Ended, Engines, OrchestrateError, Run, RunSettings, State, Workplace, left_out, report};
use crate::process::Cancel;
use crate::report::{count, visible};
use crate::settings::{self, Settings};
use crate::store;
pub(super) use args::OrchestrateArgs;
use args::{OrchestrateCommand, RunArgs, StartArgs};

impl From<OrchestrateError> for Failure {
    fn from(error: OrchestrateError) -> Self {
        match error {
            OrchestrateError::Plan(error) => Failure::Plan(error),
            OrchestrateError::Refused { message, help } => Failure::said(message, help),
            error => Failure::Said { message: error.to_string(), help: None },
        }
    }
}

impl From<crate::events::EventError> for Failure {
    fn from(error: crate::events::EventError) -> Self {
        Failure::Said { message: error.to_string(), help: None }
    }
}

pub(super) fn run(arguments: &OrchestrateArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        None => begin(&arguments.start),
        Some(OrchestrateCommand::Status(it)) => status(it),
        Some(OrchestrateCommand::Resume(it)) => {
            let budget = it.budget.map(dollars).transpose()?;
            let root = &it.run.into;
            work(Run::resume(&absolute(root)?, it.run.run.as_deref(), budget, run_settings(root)?)?)
        }
        Some(OrchestrateCommand::Retry(it)) => {
            work(Run::retry(&absolute(&it.into)?, &it.run, &it.task, run_settings(&it.into)?)?)
        }
        Some(OrchestrateCommand::Report(it)) => {
            let (id, state) = kept(&it.run)?;
            let events = log(&it.run.into)?.events(&id)?;
            deliver(it.output.as_deref(), |out| match it.format {
                args::ReportFormat::Text => report::text(&id, &state, &events, out),
                args::ReportFormat::Json => report::json(&id, &state, &events, out),
                args::ReportFormat::Html => report::html(&id, &state, &events, out),
            })?;
            Ok(Outcome::Clean)
        }
        Some(OrchestrateCommand::Replay(it)) => {
            let log = log(&it.run.into)?;
            let id = log.find(it.run.run.as_deref())?;
            let events = log.events(&id)?;
            deliver(None, |out| {
                if it.json {
                    return write_all(&id, &events, out);
                }
                let mut state = State::default();
                events.iter().try_for_each(|recorded| {
                    state.apply(&recorded.event);
                    match shown::line(recorded, &state) {
                        Some(line) => writeln!(out, "{} {line}", recorded.at),
                        None => Ok(()),
                    }
                })
            })?;
            Ok(Outcome::Clean)
        }
        Some(OrchestrateCommand::Import(it)) => {
            let text = fs::read_to_string(&it.file).map_err(|error| {
                Failure::said(format!("cannot read {}: {error}", it.file.display()), "name an old config.yaml")
            })?;
            let (tables, warnings) = import::import(&text).map_err(|reason| {
                Failure::said(
                    format!("{}: {reason}", it.file.display()),
                    "it has to be YAML with a mapping for each section",
                )
            })?;
            // Whoever cannot be warned gets the tables all the same.
            warnings.iter().for_each(|it| {
                let _ = writeln!(std::io::stderr(), "warning: {it}");
            });
            deliver(None, |out| out.write_all(tables.as_bytes()))?;
            Ok(Outcome::Clean)
        }
        Some(OrchestrateCommand::Cancel(it)) => cancel(it),
        Some(OrchestrateCommand::Clean(it)) => clean(&it.into),
    }
}

fn begin(arguments: &StartArgs) -> Result<Outcome, Failure> {
    let Some(file) = &arguments.requirements else {
        return Err(Failure::said("no requirements are named", "`treaty orchestrate REQUIREMENTS.md --into shop`"));
    };
    let text = |path: &Path| {
        fs::read_to_string(path).map_err(|error| {
            Failure::said(format!("cannot read {}: {error}", path.display()), "name a document of requirements")
        })
    };
    let mut requirements = text(file)?;
    if requirements.trim().is_empty() {
        return Err(Failure::said(
            format!("{} is empty", file.display()),
            "write down services, what they know and what they do: `treaty architect decompose` shows how it is read",
        ));
    }
    if let Some(answers) = &arguments.answers {
        requirements = format!("{requirements}\n\n{}", text(answers)?);
    }
    let budget = arguments.budget.map(dollars).transpose()?;
    let depth: Depth = arguments.depth.into();
    let root = absolute(&arguments.into)?;
    let settings = settings(&root)?;
    let backend = arguments.backend.clone().or_else(|| settings.orchestrate.backend.clone());
    let backend = backend.unwrap_or_else(|| "auto".to_owned());
    if !arguments.plan_only && !arguments.yes {
        shown::confirm(&requirements, &backend, budget, &root, &RunSettings::from(&settings))?;
    }
    let started = RunStarted {
        requirements: file.display().to_string(),
        text: requirements,
        depth,
        services: arguments.services.clone(),
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from)),
        budget,
        attempts: settings.orchestrate.attempts,
        fix_passes: settings
            .orchestrate
            .fix_passes
            .or(settings.scans.post_orchestration.max_scan_fix_passes)
            .unwrap_or_else(|| shown::fix_passes(depth)),
        plan_only: arguments.plan_only,
        backend,
        left_out: left_out(depth, &settings.scans),
        registers: Engines::from(&settings).registers(),
        council: settings.orchestrate.council.unwrap_or(depth >= Depth::Thorough),
        refine_plan: settings.orchestrate.refine_plan,
    };
    work(Run::begin(&root, started, run_settings(&root)?)?)
}

/// How runs of a project work, with the members of the council as its team has them.
fn run_settings(root: &Path) -> Result<RunSettings, Failure> {
    let agents = Agents::load(&places(root).agents);
    let own = |member: Member| agents.get(member.name()).map(|it| (member, it.instructions.clone()));
    let members = Member::ALL.into_iter().filter_map(own).collect();
    Ok(RunSettings { members, ..RunSettings::from(&settings(root)?) })
}

pub(super) fn dollars(amount: f64) -> Result<Usd, Failure> {
    Usd::from_dollars(amount)
        .filter(|it| !it.is_zero())
        .ok_or_else(|| Failure::said(format!("{amount} is no budget"), "name dollars, such as --budget 5"))
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let whole = std::path::absolute(path);
    whole.map_err(|error| Failure::said(format!("{}: {error}", path.display()), "name a folder with --into"))
}

/// The settings of the project, or the defaults where it has none.
pub(super) fn settings(root: &Path) -> Result<Settings, Failure> {
    let path = root.join(config::FILE_NAME);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(settings::parse(&path.display().to_string(), &text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => {
            Err(Failure::said(format!("cannot read {}: {error}", path.display()), "it holds the settings of a run"))
        }
    }
}

/// What SIGINT and SIGTERM end.
pub(super) fn by_signals() -> Cancel {
    let cancel = Cancel::default();
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The second one ends the process at once: somebody is in a hurry.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, cancel.flag());
        let _ = signal_hook::flag::register(signal, cancel.flag());
    }
    cancel
}

/// Works on a run to its end, and says how that was.
fn work(mut run: Run) -> Result<Outcome, Failure> {
    let cancel = by_signals();
    let watch = Watch::new(run.id());
    let ended = run.work(&cancel, &watch);
    watch.finish();
    let ended = ended?;
    let (id, place) = (run.id().to_owned(), run.place().clone());
    deliver(None, |out| report::ending(&id, run.state(), &place.branch(), &place.root, out))?;
    Ok(match ended {
        Ended::Interrupted | Ended::Finished(RunOutcome::Cancelled) => Outcome::Interrupted,
        Ended::Finished(RunOutcome::Healthy | RunOutcome::Planned) => Outcome::Clean,
        Ended::Finished(RunOutcome::NotHealthy) => Outcome::Findings,
        Ended::Finished(RunOutcome::Failed) => Outcome::CouldNotRun,
        Ended::Finished(RunOutcome::Budget) => Outcome::Budget,
    })
}

fn log(root: &Path) -> Result<Log, Failure> {
    let database = store::default_path(root);
    if !database.is_file() {
        let message = format!("nothing was orchestrated in {} yet", root.display());
        return Err(Failure::said(message, "name the folder of the run with --into"));
    }
    Ok(Log::open_read_only(&database)?)
}

/// The id and the state of the run that is meant.
fn kept(arguments: &RunArgs) -> Result<(String, State), Failure> {
    let log = log(&arguments.into)?;
    let id = log.find(arguments.run.as_deref())?;
    let events = log.events(&id)?;
    Ok((id, State::of(events.iter().map(|it| &it.event))))
}

fn status(arguments: &args::StatusArgs) -> Result<Outcome, Failure> {
    let log = log(&arguments.run.into)?;
    if arguments.all {
        let runs = log.runs()?;
        deliver(None, |out| {
            for it in &runs {
                let how = if it.has_ended { "ended" } else { "not ended" };
                writeln!(out, "{}  {}  {how}, {}", it.run, it.started, count(it.events as usize, "event"))?;
            }
            writeln!(out, "{}", count(runs.len(), "run"))
        })?;
        return Ok(Outcome::Clean);
    }
    let (id, state) = kept(&arguments.run)?;
    let at_work = Workplace::new(&arguments.run.into, &id).is_at_work();
    super::registry::told(arguments.format, &report::summary(&id, &state, at_work), |out| {
        report::standing(&id, &state, at_work, out)
    })
}

fn cancel(arguments: &RunArgs) -> Result<Outcome, Failure> {
    let (id, state) = kept(arguments)?;
    let place = Workplace::new(&absolute(&arguments.into)?, &id);
    if state.outcome.is_some() {
        return Err(Failure::said(format!("the run {id} has ended"), "`treaty orchestrate status` shows how"));
    }
    if place.is_at_work() {
        let file = place.cancel_file();
        fs::write(&file, "").map_err(|reason| Failure::Output { place: file.display().to_string(), reason })?;
        deliver(None, |out| writeln!(out, "the run {id} is asked to end"))?;
        return Ok(Outcome::Clean);
    }
    let mut log = Log::open(&place.database())?;
    log.append(&id, Event::RunFinished { outcome: RunOutcome::Cancelled })?;
    deliver(None, |out| writeln!(out, "the run {id} is cancelled: nobody was at work"))?;
    Ok(Outcome::Clean)
}

/// Worktrees and branches of ended runs.
fn clean(root: &Path) -> Result<Outcome, Failure> {
    let root = absolute(root)?;
    let log = log(&root)?;
    let git = Git::open(&root).map_err(OrchestrateError::from)?;
    let mut taken = 0;
    for it in log.runs()?.into_iter().filter(|it| it.has_ended) {
        let place = Workplace::new(&root, &it.run);
        if place.is_at_work() {
            continue;
        }
        taken += place.clean(&git).map_err(OrchestrateError::from)?;
    }
    deliver(None, |out| {
        writeln!(
            out,
            "{} taken away; what was merged stays on treaty/run-…",
            visible(&count(taken, "worktree and branch"))
        )
    })?;
    Ok(Outcome::Clean)
}
