//! Does what is to be done, and keeps what happened.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::executors::{self, Executor, ExecutorSettings, Job};
use super::git::{Git, Merge};
use super::health::Thresholds;
use super::inspect::Inspection;
use super::judge::Case;
use super::lock::Lock;
use super::state::{Standing, State};
use super::step::{Action, wanted};
use super::workplace::{Workplace, is_clean_or_new};
use super::{OrchestrateError, exports, gate, stages};
use crate::events::{Event, Log, Outcome, Recorded, RunStarted, TaskResult, TaskStatus};
use crate::gates::{Gate, GateSettings};
use crate::ledger::Usd;
use crate::plan::Contract;
use crate::process::{Cancel, Limits, end_left_behind};
use crate::settings::Settings;

/// How a run works, beside what was asked for.
#[derive(Clone, Debug, Default)]
pub struct RunSettings {
    pub gates: GateSettings,
    pub thresholds: Thresholds,
    pub limits: Limits,
    pub executors: ExecutorSettings,
}

impl From<&Settings> for RunSettings {
    fn from(settings: &Settings) -> Self {
        let (time, idle) = settings.orchestrate.limits();
        let gates = &settings.gates;
        let is_wanted = |gate: &Gate| gates.run.iter().any(|it| it == gate.name());
        let command = |gate: Gate| Some((gate.name(), gates.commands.get(gate.name())?.clone()));
        RunSettings {
            gates: GateSettings {
                enabled: Gate::ALL.into_iter().filter(is_wanted).collect(),
                commands: Gate::ALL.into_iter().filter_map(command).collect(),
                setup: gates.setup.clone(),
                limit: Duration::from_secs(gates.time_limit),
                environment: gates.environment.clone(),
            },
            thresholds: Thresholds {
                healthy: settings.convergence.min_convergence_ratio,
                degraded: settings.convergence.degraded_threshold,
            },
            limits: Limits { time, idle },
            executors: ExecutorSettings::from(settings),
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
    /// The last scan of everything that was merged, with the commit.
    inspected: Option<(String, Arc<Inspection>)>,
    exported: Option<Instant>,
    _lock: Lock,
}

/// What a thread has done.
type Done = (Action, Result<Vec<Event>, OrchestrateError>);

/// How often the runner looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// The documents for others are written at most this often while much happens.
const EXPORT_PAUSE: Duration = Duration::from_millis(500);

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
            state: State::default(),
            git,
            settings,
            executor: None,
            contracts: Arc::default(),
            inspected: None,
            exported: None,
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
        let owner = format!("process {}", std::process::id());
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
        let (lock, _) = Lock::take(&place.own(), &id)?;
        let events = log.events(&id)?;
        exports::rewrite(&place, &events)?;
        let state = State::of(events.iter().map(|it| &it.event));
        let mut run = Run {
            place,
            log,
            state,
            git,
            settings,
            executor: None,
            contracts: Arc::default(),
            inspected: None,
            exported: None,
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
                    let kept = done.and_then(|events| events.into_iter().try_for_each(|it| self.keep(it, observer)));
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
                Action::Phase(phase) => {
                    for event in self.perform(*phase)? {
                        self.keep(event, observer)?;
                    }
                }
                Action::Merge { task, attempt, commit } => {
                    let event = self.merge(task, *attempt, commit.as_deref())?;
                    self.keep(event, observer)?;
                }
                Action::Attempt { task, attempt, allowance } => {
                    let base = self.git.commit_of(&self.place.branch()).unwrap_or_else(|| self.state.base.clone());
                    let event =
                        Event::TaskStarted { task: task.clone(), attempt: *attempt, allowance: *allowance, base };
                    self.keep(event, observer)?;
                    self.attempt(&action, under_way, sender, stop)?;
                    under_way.push(action.clone());
                }
                Action::Judge { .. } => {
                    self.judge(&action, sender);
                    under_way.push(action.clone());
                }
                Action::Scan { stage, pass } => {
                    let outcome = stages::idle(*stage).unwrap_or_else(|| match self.inspect() {
                        Ok(found) => stages::of_scan(*stage, &found),
                        Err(error) => stages::broken(error.to_string()),
                    });
                    self.keep(Event::StageScanned { stage: *stage, pass: *pass, outcome }, observer)?;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Keeps an event: nothing relies on it before this returns.
    pub(super) fn keep(&mut self, event: Event, observer: &dyn Observer) -> Result<(), OrchestrateError> {
        let recorded = self.log.append(&self.place.run, event)?;
        self.state.apply(&recorded.event);
        exports::append(&self.place, &recorded)?;
        gate::write(&self.place, &self.state, self.settings.thresholds)?;
        if self.exported.is_none_or(|it| it.elapsed() >= EXPORT_PAUSE) {
            self.exported = Some(Instant::now());
            exports::write(&self.place, &self.state, &recorded.at)?;
        }
        observer.event(&recorded, &self.state);
        // A limit of the provider holds for every task.
        if let Event::AttemptFinished {
            result: TaskResult { status: TaskStatus::RateLimited, retry_after, error, .. },
            ..
        } = &recorded.event
        {
            let until = self.log.time_after(retry_after.unwrap_or(60))?;
            let reason = error.clone().unwrap_or_else(|| "a rate limit".to_owned());
            self.keep(Event::Paused { until, reason }, observer)?;
        }
        Ok(())
    }

    fn go_on_after_pause(&mut self, observer: &dyn Observer) -> Result<(), OrchestrateError> {
        match &self.state.paused_until {
            Some(until) if self.log.is_past(until)? => self.keep(Event::Continued, observer),
            _ => Ok(()),
        }
    }

    fn export(&self) -> Result<(), OrchestrateError> {
        exports::write(&self.place, &self.state, &self.log.time_after(0)?)
    }

    /// Lets the executor work on a task, in a worktree of its own.
    fn attempt(
        &self,
        action: &Action,
        under_way: &[Action],
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
    ) -> Result<(), OrchestrateError> {
        let Action::Attempt { task: id, attempt, allowance } = action.clone() else { return Ok(()) };
        let (Some(it), Some(executor)) = (self.state.task(&id), self.executor.clone()) else { return Ok(()) };
        let (worktree, log) = (self.place.worktree(&id, attempt), self.place.log(&id, attempt));
        end_left_behind(&log);
        self.git.add_worktree(&worktree, &self.place.task_branch(&id, attempt), &it.base)?;
        let (task, learnt, plan) = (it.task.clone(), it.learnt.clone(), self.state.plan.clone());
        let (contracts, run, limits) = (self.contracts.clone(), self.place.run.clone(), self.settings.limits);
        let (database, exports) = (self.place.database(), self.place.exports());
        let convergence = self.settings.thresholds.healthy;
        let (sender, stop, action) = (sender.clone(), stop.clone(), action.clone());
        let is_under_way =
            |task: &str| under_way.iter().any(|it| matches!(it, Action::Attempt { task: it, .. } if it == task));
        let peers = self.state.peers(&id, &is_under_way);
        thread::spawn(move || {
            let started = Instant::now();
            let folder = log.parent().map(std::fs::create_dir_all);
            let job = Job {
                run: &run,
                task: &task,
                attempt,
                worktree: &worktree,
                plan: &plan,
                contracts: &contracts,
                learnt: &learnt,
                peers,
                allowance,
                log: &log,
                database: &database,
                exports: &exports,
                convergence,
                limits,
            };
            let mut result = match folder {
                Some(Err(error)) => TaskResult {
                    status: TaskStatus::Failed,
                    error: Some(format!("{}: {error}", log.display())),
                    ..TaskResult::default()
                },
                _ => executor.execute(&job, &stop),
            };
            result.task_id.clone_from(&id);
            result.duration_seconds = started.elapsed().as_secs_f64();
            // What was cancelled is tried again: its result is nobody's.
            if !stop.is_wanted() {
                let _ = sender.send((action, Ok(vec![Event::AttemptFinished { task: id, attempt, result }])));
            }
        });
        Ok(())
    }

    fn judge(&self, action: &Action, sender: &mpsc::Sender<Done>) {
        let Action::Judge { task: id, attempt } = action.clone() else { return };
        let Some(it) = self.state.task(&id) else { return };
        let Standing::Finished(result) = it.standing.clone() else { return };
        let (task, base, git) = (it.task.clone(), it.base.clone(), self.git.clone());
        let (plan, contracts, gates) = (self.state.plan.clone(), self.contracts.clone(), self.settings.gates.clone());
        let worktree = self.place.worktree(&id, attempt);
        let logs = self.place.log(&id, attempt).parent().map(Path::to_owned).unwrap_or_default();
        let (sender, action) = (sender.clone(), action.clone());
        thread::spawn(move || {
            let case = Case {
                git: &git,
                worktree: &worktree,
                base: &base,
                task: &task,
                result: &result,
                plan: &plan,
                contracts: &contracts,
                gates: &gates,
                logs: &logs,
            };
            let verdict = case.judge();
            let event = verdict.map(|verdict| vec![Event::AttemptJudged { task: id, attempt, verdict }]);
            let _ = sender.send((action, event.map_err(OrchestrateError::from)));
        });
    }

    fn merge(&self, id: &str, attempt: u32, commit: Option<&str>) -> Result<Event, OrchestrateError> {
        let branch = self.place.branch();
        let title = self.state.task(id).map(|it| it.task.title.clone()).unwrap_or_default();
        let merged = match commit {
            Some(commit) => self.git.merge(&branch, commit, &format!("{id}: {title}"), &format!("{id}.{attempt}"))?,
            None => Merge::Done(self.git.commit_of(&branch).unwrap_or_default()),
        };
        let task = id.to_owned();
        Ok(match merged {
            Merge::Done(commit) => {
                let worktree = self.place.worktree(id, attempt);
                self.git.remove_worktree(&worktree, Some(&self.place.task_branch(id, attempt)))?;
                Event::TaskMerged { task, attempt, commit }
            }
            Merge::Conflict(files) => Event::MergeConflicted { task, attempt, files },
        })
    }

    /// A checkout of everything that was merged.
    pub(super) fn integrated(&self) -> Result<std::path::PathBuf, OrchestrateError> {
        let path = self.place.integration();
        let branch = self.place.branch();
        self.git.add_worktree(&path, &format!("treaty/view-{}", self.place.run), &branch)?;
        Ok(path)
    }

    /// The scan of everything that was merged; one for each commit, however many ask.
    pub(super) fn inspect(&mut self) -> Result<Arc<Inspection>, OrchestrateError> {
        let commit = self.git.commit_of(&self.place.branch()).unwrap_or_default();
        if let Some((_, found)) = self.inspected.as_ref().filter(|it| it.0 == commit) {
            return Ok(found.clone());
        }
        let root = self.integrated()?;
        let failed = |reason| OrchestrateError::File { path: root.display().to_string(), reason };
        let found = Arc::new(Inspection::of(&root).map_err(failed)?);
        self.inspected = Some((commit, found.clone()));
        Ok(found)
    }
}

/// Nobody watches.
struct Nobody;

impl Observer for Nobody {
    fn event(&self, _: &Recorded, _: &State) {}
}
