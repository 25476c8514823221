//! Does what is to be done, and keeps what happened.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::engines::{Engines, Registrar};
use super::executors::{self, Executor, ExecutorSettings};
use super::git::Git;
use super::health::Thresholds;
use super::inspect::Inspection;
use super::lock::Lock;
use super::state::{Standing, State};
use super::step::{Action, wanted};
use super::workplace::{Workplace, is_clean_or_new};
use super::{OrchestrateError, council, exports, gate, refine};
use crate::council::Member;
use crate::events::{Event, Log, Outcome, Phase, Recorded, RunStarted, TaskResult, TaskStatus};
use crate::gates::{EndToEnd, GateSettings};
use crate::ledger::Usd;
use crate::plan::Contract;
use crate::process::{Cancel, Limits};
use crate::settings::{EndToEndTesting, Research, Scans, Settings};

/// How a run works, beside what was asked for.
#[derive(Clone, Debug, Default)]
pub struct RunSettings {
    pub gates: GateSettings,
    pub thresholds: Thresholds,
    pub limits: Limits,
    pub executors: ExecutorSettings,
    pub scans: Scans,
    /// Commands that start services, by name.
    pub start: BTreeMap<String, String>,
    /// The first port of services that are asked; 0: any that is free.
    pub test_port: u16,
    pub engines: Engines,
    pub research: Research,
    /// What the members of the council are told about themselves.
    pub members: BTreeMap<Member, String>,
}

impl From<&Settings> for RunSettings {
    fn from(settings: &Settings) -> Self {
        let (time, idle) = settings.orchestrate.limits();
        let EndToEndTesting { backend_command, frontend_command, .. } = &settings.scans.end_to_end;
        let own = [
            (EndToEnd::Backend, backend_command),
            (EndToEnd::Frontend, frontend_command),
            (EndToEnd::Browser, &settings.scans.browser.command),
        ];
        let own = own.into_iter().filter_map(|(kind, line)| Some((kind.name(), line.clone()?)));
        let mut gates = GateSettings::from(&settings.gates);
        gates.commands.extend(own);
        RunSettings {
            gates,
            thresholds: Thresholds {
                healthy: settings.convergence.min_convergence_ratio,
                degraded: settings.convergence.degraded_threshold,
            },
            limits: Limits { time, idle },
            executors: ExecutorSettings::from(settings),
            scans: settings.scans.clone(),
            start: settings.scans.end_to_end.start.clone(),
            test_port: settings.scans.end_to_end.test_port,
            engines: Engines::from(settings),
            research: settings.research.clone(),
            members: BTreeMap::new(),
        }
    }
}

/// Somebody who watches a run. Called by the thread that keeps the events.
pub trait Observer {
    fn event(&self, recorded: &Recorded, state: &State);
}

/// How the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Finished(Outcome),
    /// The run can be resumed.
    Interrupted,
}

/// A run that this process works on.
pub struct Run {
    pub(super) place: Workplace,
    pub(super) log: Log,
    pub(super) state: State,
    pub(super) git: Git,
    pub(super) settings: RunSettings,
    pub(super) executor: Option<Arc<dyn Executor>>,
    pub(super) contracts: Arc<Vec<Contract>>,
    /// The requirements as they were handed in.
    pub(super) requirements: Arc<str>,
    /// The last scan of everything that was merged, with the commit.
    pub(super) inspected: Option<(String, Arc<Inspection>)>,
    /// When this process began to pause, and for how long.
    paused: Option<(Instant, Duration)>,
    /// Ends what the run waits for.
    pub(super) cancel: Cancel,
    pub(super) registrar: Registrar,
    exported: Option<Instant>,
    pub(super) crew: Crew,
    /// Who held the lock of the run and ended without giving it back.
    left_by: Option<String>,
    _lock: Lock,
}

/// What a thread has done.
pub(super) type Done = (Action, Result<Vec<Event>, OrchestrateError>);

/// How often the runner looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// The documents for others are written at most this often while much happens.
const EXPORT_PAUSE: Duration = Duration::from_secs(1);

impl Run {
    /// Begins a run in the folder of a project, which is made where there is none.
    ///
    /// # Errors
    /// The folder cannot be used, or another run is at work in it.
    pub fn begin(root: &Path, started: RunStarted, settings: RunSettings) -> Result<Run, OrchestrateError> {
        let git = is_clean_or_new(root)?;
        let id: String = uuid::Uuid::new_v4().simple().to_string().chars().take(12).collect();
        let place = Workplace::new(root, &id);
        place.prepare()?;
        let (lock, _) = Lock::take(&place.own(), &id)?;
        let log = Log::open(&place.database())?;
        let mut run = Run {
            place,
            log,
            requirements: started.text.as_str().into(),
            state: State::default(),
            git,
            settings,
            executor: None,
            contracts: Arc::default(),
            inspected: None,
            paused: None,
            cancel: Cancel::default(),
            registrar: Registrar::default(),
            exported: None,
            crew: Crew::default(),
            left_by: None,
            _lock: lock,
        };
        run.keep(Event::RunStarted(started), &Nobody)?;
        Ok(run)
    }

    /// Takes up a run that was left. A budget takes the place of the one that it had.
    ///
    /// # Errors
    /// There is no such run, it has ended well, or somebody works on it.
    pub fn resume(
        root: &Path,
        run: Option<&str>,
        budget: Option<Usd>,
        settings: RunSettings,
    ) -> Result<Run, OrchestrateError> {
        let mut run = Run::open(root, run, settings)?;
        if let Some(outcome @ (Outcome::Healthy | Outcome::NotHealthy | Outcome::Planned)) = run.state.outcome {
            let help = match outcome {
                Outcome::NotHealthy => "`treaty orchestrate retry RUN TASK` tries a failed task once more",
                Outcome::Planned => {
                    "run `treaty orchestrate` with the same requirements: it takes the plan as it is now"
                }
                _ => "there is nothing left to do",
            };
            return Err(OrchestrateError::refused(format!("the run {} has ended", run.place.run), help));
        }
        let from = run.left_by.as_ref().map(|it| format!(", taken over from {it}, which was ended"));
        let owner = format!("process {}{}", std::process::id(), from.unwrap_or_default());
        run.keep(Event::RunResumed { owner, budget }, &Nobody)?;
        Ok(run)
    }

    /// Tries a failed task of an ended run once more, and what waited for it.
    ///
    /// # Errors
    /// There is no such run or task, or the task did not fail.
    pub fn retry(root: &Path, run: &str, task: &str, settings: RunSettings) -> Result<Run, OrchestrateError> {
        let mut run = Run::open(root, Some(run), settings)?;
        match run.state.task(task).map(|it| &it.standing) {
            Some(Standing::Failed(_)) => {}
            found => {
                let failed = run.state.tasks.iter().filter(|it| matches!(it.standing, Standing::Failed(_)));
                let names: Vec<&str> = failed.map(|it| it.task.id.as_str()).collect();
                let what = if found.is_some() { "did not fail" } else { "is no task of the run" };
                let help = if names.is_empty() {
                    "no task failed".to_owned()
                } else {
                    format!("failed: {}", names.join(", "))
                };
                return Err(OrchestrateError::refused(format!("`{task}` {what}"), help));
            }
        }
        run.keep(Event::TaskRetried { task: task.to_owned() }, &Nobody)?;
        Ok(run)
    }

    fn open(root: &Path, run: Option<&str>, settings: RunSettings) -> Result<Run, OrchestrateError> {
        let git = Git::open(root)?;
        let database = crate::store::default_path(root);
        if !database.is_file() {
            let message = format!("nothing was orchestrated in {} yet", root.display());
            return Err(OrchestrateError::refused(message, "name the folder of the run with --into"));
        }
        let log = Log::open(&database)?;
        let id = log.find(run)?;
        let place = Workplace::new(root, &id);
        place.prepare()?;
        let (lock, stale) = Lock::take(&place.own(), &id)?;
        let events = log.events(&id)?;
        exports::rewrite(&place, &events)?;
        let state = State::of(events.iter().map(|it| &it.event));
        let mut run = Run {
            place,
            log,
            requirements: state.started.text.as_str().into(),
            state,
            git,
            settings,
            executor: None,
            contracts: Arc::default(),
            inspected: None,
            paused: None,
            cancel: Cancel::default(),
            registrar: Registrar::default(),
            exported: None,
            crew: Crew::default(),
            left_by: stale,
            _lock: lock,
        };
        if !run.state.backend.is_empty() {
            run.executor = Some(executors::named(&run.state.backend, &run.settings.executors)?);
        }
        if !run.state.base.is_empty() {
            run.contracts = Arc::new(run.contracts_of_base());
        }
        Ok(run)
    }

    pub fn id(&self) -> &str {
        &self.place.run
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn place(&self) -> &Workplace {
        &self.place
    }

    /// Works until nothing is left to do, or until somebody wants the end.
    ///
    /// # Errors
    /// The database, the repository or a file cannot be used: what was kept is still there.
    pub fn work(&mut self, cancel: &Cancel, observer: &dyn Observer) -> Result<Ended, OrchestrateError> {
        self.cancel = cancel.clone();
        let (sender, receiver) = mpsc::channel::<Done>();
        let stop = Cancel::default();
        let mut under_way: Vec<Action> = Vec::new();
        let result = loop {
            match self.advance(&mut under_way, &sender, &stop, observer) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => break Err(error),
            }
            if under_way.is_empty() && self.state.outcome.is_some() {
                break Ok(Ended::Finished(self.state.outcome.unwrap_or(Outcome::Failed)));
            }
            if cancel.is_wanted() || self.place.cancel_file().exists() {
                break Ok(Ended::Interrupted);
            }
            if let Err(error) = self.go_on_after_pause(observer) {
                break Err(error);
            }
            match receiver.recv_timeout(LOOK) {
                Ok((action, done)) => {
                    under_way.retain(|it| *it != action);
                    // One that stays is made anew for the next question.
                    match &action {
                        Action::Consult { task, member, .. } => {
                            let _ = self.git.remove_worktree(&council::checkout(&self.place, task, *member), None);
                        }
                        Action::Refine { .. } => {
                            let _ = self.git.remove_worktree(&self.place.worktree(refine::NAME, 0), None);
                        }
                        _ => {}
                    }
                    let kept = done
                        .map(|events| self.with_another(events))
                        .and_then(|events| events.into_iter().try_for_each(|it| self.keep(it, observer)));
                    if let Err(error) = kept {
                        break Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(Ended::Interrupted),
            }
        };
        // Whoever is still at work is ended, and tries again when the run is taken up: what is half done is not kept.
        stop.now();
        drop(sender);
        while receiver.recv().is_ok() {}
        if let Ok(Ended::Interrupted) = result {
            let asked = self.place.cancel_file();
            let reason = if asked.exists() { "cancelled" } else { "a signal" };
            self.keep(Event::Interrupted { reason: reason.to_owned() }, observer)?;
            if asked.exists() {
                self.keep(Event::RunFinished { outcome: Outcome::Cancelled }, observer)?;
                let _ = std::fs::remove_file(asked);
                self.export()?;
                return Ok(Ended::Finished(Outcome::Cancelled));
            }
        }
        if let Ok(Ended::Finished(_)) = result {
            let view = format!("treaty/view-{}", self.place.run);
            self.git.remove_worktree(&self.place.integration(), Some(&view))?;
            *self.registrar.lock().unwrap_or_else(PoisonError::into_inner) = None;
            self.git.remove_worktree(&self.place.registered(), None)?;
        }
        self.export()?;
        result
    }

    /// Starts what is to be done and not under way. Says whether something happened, so that there may be more.
    fn advance(
        &mut self,
        under_way: &mut Vec<Action>,
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
        observer: &dyn Observer,
    ) -> Result<bool, OrchestrateError> {
        for action in wanted(&self.state) {
            if under_way.contains(&action) {
                continue;
            }
            match &action {
                Action::Record(event) => self.keep((**event).clone(), observer)?,
                Action::Phase(Phase::ContractEndToEnd) => match self.ask_services(&action, sender, stop) {
                    Some(event) => self.keep(event, observer)?,
                    None => under_way.push(action.clone()),
                },
                Action::Phase(phase) => {
                    let events = self.perform(*phase)?;
                    // What was answered while somebody wanted the end is asked again when the run is taken up.
                    if self.cancel.is_wanted() {
                        return Ok(false);
                    }
                    for event in events {
                        self.keep(event, observer)?;
                    }
                }
                Action::Merge { task, attempt, commit } => {
                    let event = self.merge(task, *attempt, commit.as_deref())?;
                    self.keep(event, observer)?;
                }
                Action::Attempt { task, attempt, allowance } => {
                    let base = self.git.tip(&self.place.branch()).unwrap_or_else(|| self.state.base.clone());
                    let event =
                        Event::TaskStarted { task: task.clone(), attempt: *attempt, allowance: *allowance, base };
                    self.keep(event, observer)?;
                    self.attempt(&action, under_way, sender, stop)?;
                    under_way.push(action.clone());
                }
                Action::Refine { allowance } => {
                    self.refine(&action, *allowance, sender, stop)?;
                    under_way.push(action.clone());
                }
                Action::Consult { .. } => {
                    self.consult(&action, sender, stop)?;
                    under_way.push(action.clone());
                }
                Action::Judge { .. } => {
                    self.judge(&action, sender, stop);
                    under_way.push(action.clone());
                }
                Action::Scan { .. } => match self.look(&action, sender, stop) {
                    Some(event) => self.keep(event, observer)?,
                    None => under_way.push(action.clone()),
                },
                Action::Register { task } => {
                    let work = self.registering(task)?;
                    let (sender, done, cancel) = (sender.clone(), action.clone(), self.cancel.clone());
                    self.crew.send(move || {
                        let event = work();
                        if !cancel.is_wanted() {
                            let _ = sender.send((done, Ok(vec![event])));
                        }
                    });
                    under_way.push(action.clone());
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Keeps an event: nothing relies on it before this returns.
    pub(super) fn keep(&mut self, event: Event, observer: &dyn Observer) -> Result<(), OrchestrateError> {
        let kept = self.log.append(&self.place.run, event);
        let recorded = kept.map_err(|error| OrchestrateError::not_kept(&self.place.database(), error))?;
        self.state.apply(&recorded.event);
        exports::append(&self.place, &recorded)?;
        gate::write(&self.place, &self.state, self.settings.thresholds)?;
        if self.exported.is_none_or(|it| it.elapsed() >= EXPORT_PAUSE) {
            self.exported = Some(Instant::now());
            exports::write(&self.place, &self.state, self.settings.scans.tracking, &recorded.at)?;
        }
        observer.event(&recorded, &self.state);
        // A limit of the provider holds for every task.
        if let Event::AttemptFinished { result, .. }
        | Event::CouncilSpoke { result, .. }
        | Event::PlanRefined { result, .. } = &recorded.event
            && let TaskResult { status: TaskStatus::RateLimited, retry_after, error, .. } = result
        {
            let seconds = retry_after.unwrap_or(60);
            let until = self.log.time_after(seconds)?;
            self.paused = Some((Instant::now(), Duration::from_secs(seconds)));
            let reason = error.clone().unwrap_or_else(|| "a rate limit".to_owned());
            self.keep(Event::Paused { until, reason }, observer)?;
        }
        Ok(())
    }

    fn go_on_after_pause(&mut self, observer: &dyn Observer) -> Result<(), OrchestrateError> {
        let Some(until) = &self.state.paused_until else { return Ok(()) };
        // A clock that is put back does not prolong the pause of whoever has waited for it.
        let has_waited = self.paused.is_some_and(|(begun, asked)| begun.elapsed() >= asked);
        if has_waited || self.log.is_past(until)? { self.keep(Event::Continued, observer) } else { Ok(()) }
    }

    fn export(&self) -> Result<(), OrchestrateError> {
        exports::write(&self.place, &self.state, self.settings.scans.tracking, &self.log.time_after(0)?)
    }
}

/// Nobody watches.
struct Nobody;

impl Observer for Nobody {
    fn event(&self, _: &Recorded, _: &State) {}
}
