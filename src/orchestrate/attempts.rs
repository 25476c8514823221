//! What a run does with one task: an attempt in a worktree, the verdict on it, the merge; and the look at all that was merged.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Instant;

use super::ask::{self, Asking};
use super::executors::{self, Job};
use super::git::Merge;
use super::inspect::Inspection;
use super::judge::Case;
use super::runner::{Done, Run};
use super::stages;
use super::state::Standing;
use super::step::Action;
use super::{OrchestrateError, answer, council, refine};
use crate::council::Submission;
use crate::events::{Depth, Event, Phase, PhaseOutcome, Stage, StageOutcome, TaskResult, TaskStatus};
use crate::ledger::Usd;
use crate::plan::{Kind, Task};
use crate::process::{Cancel, end_left_behind};

/// What an executor is sent to do.
struct Errand {
    task: Task,
    attempt: u32,
    learnt: Vec<String>,
    peers: usize,
    allowance: Option<Usd>,
    worktree: PathBuf,
    log: PathBuf,
}

impl Run {
    /// Lets the executor work on a task, in a worktree of its own.
    pub(super) fn attempt(
        &self,
        action: &Action,
        under_way: &[Action],
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
    ) -> Result<(), OrchestrateError> {
        let Action::Attempt { task: id, attempt, allowance } = action.clone() else { return Ok(()) };
        let Some(it) = self.state.task(&id) else { return Ok(()) };
        let (worktree, log) = (self.place.worktree(&id, attempt), self.place.log(&id, attempt));
        end_left_behind(&log);
        self.git.add_worktree(&worktree, &self.place.task_branch(&id, attempt), &it.base)?;
        let is_under_way =
            |task: &str| under_way.iter().any(|it| matches!(it, Action::Attempt { task: it, .. } if it == task));
        let peers = self.state.peers(&id, &is_under_way);
        let errand =
            Errand { task: it.task.clone(), attempt, learnt: it.learnt.clone(), peers, allowance, worktree, log };
        self.send(errand, action, (sender, stop), move |task, mut result, _| {
            result.task_id.clone_from(&task);
            Event::AttemptFinished { task, attempt, result }
        })
    }

    /// Asks a member of the council, in a checkout of what the last attempt left.
    pub(super) fn consult(
        &self,
        action: &Action,
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
    ) -> Result<(), OrchestrateError> {
        let Action::Consult { task: id, member, round, allowance } = action.clone() else { return Ok(()) };
        let Some(it) = self.state.task(&id) else { return Ok(()) };
        let name = council::name(&id, member);
        let (worktree, log) = (council::checkout(&self.place, &id, member), self.place.log(&name, round));
        end_left_behind(&log);
        // What a question that was cut off left there is gone.
        self.git.remove_worktree(&worktree, None)?;
        self.git.follow(&worktree, it.left.as_deref().unwrap_or(&it.base))?;
        let own = self.settings.members.get(&member).map_or("", String::as_str);
        let asked = it.council.question(member, own, &format!("{}\n\n{}", it.task.title, it.task.description));
        let task = Task {
            id: name,
            title: format!("What keeps {id} from passing"),
            description: answer::asked(&asked),
            scope: answer::scope(),
            kind: Kind::Other,
            ..it.task.clone()
        };
        let errand = Errand { task, attempt: round, learnt: it.learnt.clone(), peers: 0, allowance, worktree, log };
        self.send(errand, action, (sender, stop), move |_, result, worktree| {
            let submission = Submission::of(member, answer::found(worktree, &result));
            council::spoke(id, member, submission, result)
        })
    }

    /// Asks for a better plan, in a checkout of the run's branch.
    pub(super) fn refine(
        &self,
        action: &Action,
        allowance: Option<Usd>,
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
    ) -> Result<(), OrchestrateError> {
        let (worktree, log) = (self.place.worktree(refine::NAME, 0), self.place.log(refine::NAME, 1));
        end_left_behind(&log);
        self.git.remove_worktree(&worktree, None)?;
        self.git.follow(&worktree, &self.state.base)?;
        let task = refine::question(&self.state.plan, &self.state.started.text);
        let errand = Errand { task, attempt: 1, learnt: Vec::new(), peers: 0, allowance, worktree, log };
        let plan = self.state.plan.clone();
        self.send(errand, action, (sender, stop), move |_, result, worktree| {
            refine::refined(&plan, answer::found(worktree, &result), result)
        })
    }

    /// Lets the executor work on a thread of its own, which sends the event that comes of the result.
    fn send(
        &self,
        errand: Errand,
        action: &Action,
        (sender, stop): (&mpsc::Sender<Done>, &Cancel),
        ended: impl FnOnce(String, TaskResult, &Path) -> Event + Send + 'static,
    ) -> Result<(), OrchestrateError> {
        let Some(executor) = self.executor.clone() else { return Ok(()) };
        let plan = self.state.plan.clone();
        let (contracts, run, limits) = (self.contracts.clone(), self.place.run.clone(), self.settings.limits);
        let (database, exports) = (self.place.database(), self.place.exports());
        let convergence = self.settings.thresholds.healthy;
        let (requirements, research) = (self.requirements.clone(), self.settings.research.clone());
        let engines = self.settings.engines.clone();
        let at = self.log.time_after(0)?;
        let (sender, stop, action) = (sender.clone(), stop.clone(), action.clone());
        self.crew.send(move || {
            let started = Instant::now();
            let Errand { task, attempt, learnt, peers, allowance, worktree, log } = errand;
            let folder = log.parent().map(std::fs::create_dir_all);
            let job = Job {
                run: &run,
                task: &task,
                attempt,
                at: &at,
                worktree: &worktree,
                plan: &plan,
                contracts: &contracts,
                learnt: &learnt,
                peers,
                allowance,
                log: &log,
                database: &database,
                exports: &exports,
                requirements: &requirements,
                research: &research,
                engines: &engines,
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
            executor.name().clone_into(&mut result.backend);
            result.duration_seconds = started.elapsed().as_secs_f64();
            // What was cancelled is tried again: its result is nobody's.
            if !stop.is_wanted() {
                let _ = sender.send((action, Ok(vec![ended(task.id.clone(), result, &worktree)])));
            }
        });
        Ok(())
    }

    /// Events as they are kept: where an executor cannot go on and another one may, that one takes over, and the attempt counts for
    /// nothing.
    pub(super) fn with_another(&mut self, mut events: Vec<Event>) -> Vec<Event> {
        let Some(
            Event::AttemptFinished { result, .. }
            | Event::CouncilSpoke { result, .. }
            | Event::PlanRefined { result, .. },
        ) = events.first_mut()
        else {
            return events;
        };
        if !result.fatal || !self.settings.executors.fallback {
            return events;
        }
        // Somebody took over already, while this attempt was under way.
        let mut chosen = None;
        if result.backend == self.state.backend {
            let why = result.error.as_deref().unwrap_or("it cannot go on");
            let budget = self.state.ledger.cap;
            let Some(choice) = executors::instead(&result.backend, why, budget, &self.settings.executors) else {
                return events;
            };
            chosen = Some(Event::BackendChosen {
                backend: choice.executor.name().to_owned(),
                reason: choice.reason,
                passed_over: choice.passed_over,
                mends: choice.executor.mends(),
                answers: choice.executor.answers(),
            });
            self.executor = Some(choice.executor);
        }
        result.fatal = false;
        result.status = TaskStatus::Cancelled;
        // The question is asked again.
        if let Some(Event::CouncilSpoke { submission, .. }) = events.first_mut() {
            *submission = None;
        }
        chosen.into_iter().chain(events).collect()
    }

    pub(super) fn judge(&self, action: &Action, sender: &mpsc::Sender<Done>, stop: &Cancel) {
        let Action::Judge { task: id, attempt } = action.clone() else { return };
        let Some(it) = self.state.task(&id) else { return };
        let Standing::Finished(result) = it.standing.clone() else { return };
        let (task, base, git) = (it.task.clone(), it.base.clone(), self.git.clone());
        let (plan, contracts, gates) = (self.state.plan.clone(), self.contracts.clone(), self.settings.gates.clone());
        let held = self.settings.engines.contract_engine.validation_on_build;
        let worktree = self.place.worktree(&id, attempt);
        let logs = self.place.log(&id, attempt).parent().map(Path::to_owned).unwrap_or_default();
        let (sender, stop, action) = (sender.clone(), stop.clone(), action.clone());
        self.crew.send(move || {
            let case = Case {
                git: &git,
                worktree: &worktree,
                base: &base,
                task: &task,
                result: &result,
                plan: &plan,
                contracts: held.then_some(contracts.as_slice()),
                gates: &gates,
                logs: &logs,
                cancel: &stop,
            };
            let verdict = case.judge();
            // Gates that were ended say nothing: the attempt is judged again when the run is taken up.
            if stop.is_wanted() {
                return;
            }
            let event = verdict.map(|verdict| vec![Event::AttemptJudged { task: id, attempt, verdict }]);
            let _ = sender.send((action, event.map_err(OrchestrateError::from)));
        });
    }

    /// Looks at everything that was merged for one stage: at once where a scan tells, else on a thread of its own, which
    /// sends the event.
    pub(super) fn look(&mut self, action: &Action, sender: &mpsc::Sender<Done>, stop: &Cancel) -> Option<Event> {
        let Action::Scan { stage, pass } = *action else { return None };
        let scanned = |outcome: StageOutcome| Event::StageScanned { stage, pass, outcome };
        if let Some(outcome) = stages::idle(stage, &self.state, &self.settings.scans) {
            return Some(scanned(outcome));
        }
        let Some(kind) = stages::runs_commands(stage) else {
            let outcome = match self.inspect() {
                Ok(found) => stages::of_scan(stage, &found),
                Err(error) => stages::broken(error.to_string()),
            };
            return Some(scanned(outcome));
        };
        let root = match self.integrated() {
            Ok(root) => root,
            Err(error) => return Some(scanned(stages::broken(error.to_string()))),
        };
        let folders: Vec<String> = self.state.plan.services.iter().map(|it| it.folder.clone()).collect();
        let logs = self.place.stage_logs(stage.name(), pass);
        let (settings, sender, stop, action) =
            (self.settings.gates.clone(), sender.clone(), stop.clone(), action.clone());
        self.crew.send(move || {
            let outcome = stages::of_commands(kind, (&root, &folders), &settings, &logs, &stop);
            if !stop.is_wanted() {
                let _ = sender.send((action, Ok(vec![Event::StageScanned { stage, pass, outcome }])));
            }
        });
        None
    }

    /// Has each contracted operation asked on a thread of its own, or tells why not.
    pub(super) fn ask_services(
        &mut self,
        action: &Action,
        sender: &mpsc::Sender<Done>,
        stop: &Cancel,
    ) -> Option<Event> {
        let ended = |outcome: PhaseOutcome, note: String| Event::PhaseFinished {
            phase: Phase::ContractEndToEnd,
            outcome,
            note,
        };
        if let Some((_, reason)) = self.state.started.left_out.iter().find(|it| it.0 == Stage::E2eBackend) {
            return Some(ended(PhaseOutcome::Skipped, reason.clone()));
        }
        let root = match self.integrated() {
            Ok(root) => root,
            Err(error) => return Some(ended(PhaseOutcome::Failed, error.to_string())),
        };
        let asking = Asking {
            root,
            logs: self.place.stage_logs("contracts", 1),
            setup: self.settings.gates.setup.clone(),
            commands: self.settings.start.clone(),
            port: self.settings.test_port,
            environment: self.settings.gates.environment.clone(),
        };
        let (plan, contracts) = (self.state.plan.clone(), self.contracts.clone());
        let (sender, stop, action) = (sender.clone(), stop.clone(), action.clone());
        self.crew.send(move || {
            let rows = ask::ask(&plan, &contracts, &asking, &stop);
            if !stop.is_wanted() {
                let note = ask::said(&rows);
                let _ =
                    sender.send((action, Ok(vec![Event::OperationsAsked { rows }, ended(PhaseOutcome::Done, note)])));
            }
        });
        None
    }

    pub(super) fn merge(&self, id: &str, attempt: u32, commit: Option<&str>) -> Result<Event, OrchestrateError> {
        let branch = self.place.branch();
        let title = self.state.task(id).map(|it| it.task.title.clone()).unwrap_or_default();
        let merged = match commit {
            Some(commit) => self.git.merge(&branch, commit, &format!("{id}: {title}"), &format!("{id}.{attempt}"))?,
            None => Merge::Done(self.git.tip(&branch).unwrap_or_default()),
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
        let commit = self.git.tip(&self.place.branch()).unwrap_or_default();
        if let Some((_, found)) = self.inspected.as_ref().filter(|it| it.0 == commit) {
            return Ok(found.clone());
        }
        let root = self.integrated()?;
        let failed = |reason| OrchestrateError::File { path: root.display().to_string(), reason };
        let found = Arc::new(Inspection::of(&root, Some(Depth::Exhaustive)).map_err(failed)?);
        self.inspected = Some((commit, found.clone()));
        Ok(found)
    }
}
