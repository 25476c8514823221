//! What a run is, as its events tell.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::architect::Decomposition;
use crate::council::Council;
use crate::events::{
    AskedRow, Event, FindingRow, GateResult, Health, Outcome, Phase, RunStarted, Stage, StageOutcome, TaskResult,
    TaskStatus, Verdict,
};
use crate::ledger::{Ledger, Usd};
use crate::plan::{Plan, Task, waves};

/// A run after some of its events.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub started: RunStarted,
    pub backend: String,
    /// Why this backend, and why not the others.
    pub backend_reason: String,
    /// Findings can be handed to the backend.
    pub mends: bool,
    /// Questions can be asked of the backend.
    pub answers: bool,
    pub plan: Arc<Plan>,
    /// Somebody may still be asked to better the plan.
    pub is_refinable: bool,
    /// What somebody was asked to make of the requirements; nothing inside: the own decomposition.
    pub decomposed: Option<Option<Decomposition>>,
    /// The commit that the first tasks start from.
    pub base: String,
    /// Tasks of the plan, then those that stages added.
    pub tasks: Vec<TaskState>,
    /// Places of the tasks by their ids.
    places: BTreeMap<String, usize>,
    /// Tasks that may start.
    pub ready: BTreeSet<usize>,
    /// Tasks whose council is at work, in the order in which the councils convened.
    pub stuck: Vec<usize>,
    /// Tasks that were started and are neither merged nor failed, stuck ones aside.
    pub active: BTreeSet<usize>,
    /// Tasks that were merged, whose new files are not registered yet.
    pub to_register: BTreeSet<usize>,
    /// Files that the codebase index has taken.
    pub registered: Vec<String>,
    /// Waves that have begun.
    pub waves_begun: usize,
    pub ledger: Ledger,
    /// Phases that have begun, in order, and whether the last one has ended.
    pub phases: Vec<(Phase, Option<String>)>,
    pub stages: Vec<StageState>,
    /// Nothing starts before this time.
    pub paused_until: Option<String>,
    /// Operations that a running service was asked for, and what it answered.
    pub asked: Vec<AskedRow>,
    pub health: Option<Health>,
    /// Why nothing more is started.
    pub stop: Option<Outcome>,
    pub stop_reason: String,
    pub outcome: Option<Outcome>,
}

/// A task and how far it is.
#[derive(Clone, Debug)]
pub struct TaskState {
    pub task: Task,
    pub wave: usize,
    pub standing: Standing,
    /// Attempts that were started.
    pub attempt: u32,
    /// Attempts that did not pass for a reason of their own.
    pub failures: u32,
    /// What the attempts so far taught: for the next one.
    pub learnt: Vec<String>,
    /// The commit of what the last attempt left; none where that was nothing.
    pub left: Option<String>,
    /// The council of the task, and how many met.
    pub council: Council,
    pub councils: u32,
    /// What each question of the council may cost.
    pub council_allowance: Option<Usd>,
    /// Files that the last attempt changed out of its scope.
    pub outside: Vec<String>,
    /// Gates of the last attempt.
    pub gates: Vec<GateResult>,
    /// The commit that the last attempt started from.
    pub base: String,
    /// Tasks that must be settled before this one, not yet so.
    waiting_for: BTreeSet<usize>,
    /// Tasks that wait for this one.
    followers: Vec<usize>,
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    Waiting,
    Running,
    Finished(Box<TaskResult>),
    /// It may be merged: the commit, none where nothing changed.
    Passed(Option<String>),
    /// To be tried once more.
    Again,
    /// The council looks for the cause.
    Stuck,
    Merged(String),
    Failed(String),
}

/// A stage after the build.
#[derive(Clone, Debug)]
pub struct StageState {
    pub stage: Stage,
    /// From 1.
    pub pass: u32,
    /// What each pass found.
    pub outcomes: Vec<StageOutcome>,
    /// Task that mends what the last pass found.
    pub fix: Option<usize>,
    pub finished: bool,
}

impl TaskState {
    pub fn is_settled(&self) -> bool {
        matches!(self.standing, Standing::Merged(_) | Standing::Failed(_))
    }

    /// In the words of the plan's documents.
    pub fn status(&self) -> &'static str {
        match self.standing {
            Standing::Waiting => "PENDING",
            Standing::Merged(_) => "COMPLETE",
            Standing::Failed(_) => "FAILED",
            _ => "IN_PROGRESS",
        }
    }
}

impl StageState {
    /// What the first pass found and the last one did not, what both found, and what the last one found alone.
    pub fn balance(&self) -> (usize, usize, usize) {
        let prints = |at: Option<&StageOutcome>| -> BTreeSet<String> {
            at.into_iter().flat_map(|it| &it.findings).map(|it: &FindingRow| it.fingerprint.clone()).collect()
        };
        let (first, last) = (prints(self.outcomes.first()), prints(self.outcomes.last()));
        let residual = first.intersection(&last).count();
        (first.len() - residual, residual, last.len() - residual)
    }
}

impl State {
    /// The state after these events.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Event>) -> State {
        let mut state = State::default();
        events.into_iter().for_each(|it| state.apply(it));
        state
    }

    pub fn place(&self, task: &str) -> Option<usize> {
        self.places.get(task).copied()
    }

    pub fn task(&self, id: &str) -> Option<&TaskState> {
        Some(&self.tasks[self.place(id)?])
    }

    /// Tasks of the same wave as this one that nobody works on, as many as may be under way beside those that are. After a kill, no task
    /// is under way, whatever its events say.
    pub fn peers(&self, task: &str, is_under_way: &dyn Fn(&str) -> bool) -> usize {
        let Some(own) = self.task(task) else { return 0 };
        let is_left = |it: &TaskState| it.standing == Standing::Running && !is_under_way(&it.task.id);
        let is_open = |it: &&TaskState| matches!(it.standing, Standing::Waiting | Standing::Again) || is_left(it);
        let open = self.tasks.iter().filter(is_open).filter(|it| it.wave == own.wave && it.task.id != task).count();
        let running = self.active.iter().filter(|at| is_under_way(&self.tasks[**at].task.id)).count();
        open.min(self.started.jobs.max(1).saturating_sub(running + 1))
    }

    /// The phase that is under way, and whether it has ended.
    pub fn phase(&self) -> Option<(Phase, bool)> {
        self.phases.last().map(|(phase, ended)| (*phase, ended.is_some()))
    }

    /// Takes one event in. Events that do not fit change nothing: a log may come from anywhere.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.ledger = Ledger::new(started.budget);
                self.started = started.clone();
            }
            Event::RunResumed { budget, .. } => {
                if budget.is_some() {
                    self.ledger.cap = *budget;
                    self.ledger.warned = false;
                }
                self.stop = None;
                self.stop_reason.clear();
                self.outcome = None;
                self.paused_until = None;
                self.reopen_last_phase();
            }
            Event::BackendChosen { backend, reason, mends, answers, .. } => {
                self.backend.clone_from(backend);
                self.backend_reason.clone_from(reason);
                self.mends = *mends;
                self.answers = *answers;
            }
            Event::PhaseStarted { phase } => self.phases.push((*phase, None)),
            Event::PhaseFinished { phase, note, .. } => {
                if let Some(last) = self.phases.last_mut().filter(|it| it.0 == *phase) {
                    last.1 = Some(note.clone());
                }
            }
            Event::Decomposed { decomposition, .. } => self.decomposed = Some(decomposition.clone()),
            Event::PlanMade { plan, base, edited } => {
                self.is_refinable = !edited;
                self.plan_made(plan, base);
            }
            Event::PlanRefined { plan, result, .. } => self.plan_refined(plan.as_ref(), result),
            Event::WaveStarted { wave } => self.waves_begun = wave + 1,
            Event::TaskStarted { task, attempt, allowance, base } => {
                if let Some(amount) = allowance {
                    self.ledger.grant(task, *amount);
                }
                self.change(task, |it| {
                    it.attempt = *attempt;
                    it.base.clone_from(base);
                    it.standing = Standing::Running;
                });
            }
            Event::AttemptFinished { task, attempt, result } => {
                if result.status == TaskStatus::Budget {
                    self.ledger.ran_out(task);
                }
                self.ledger.settle(task, *attempt, &result.used);
                self.change(task, |it| it.standing = Standing::Finished(Box::new(result.clone())));
                if result.fatal {
                    self.stop(Outcome::Failed, result.error.as_deref().unwrap_or("the executor cannot go on"));
                }
            }
            Event::AttemptJudged { task, verdict, .. } => self.judged(task, verdict),
            Event::TaskMerged { task, commit, .. } => {
                self.change(task, |it| it.standing = Standing::Merged(commit.clone()));
                if self.started.registers {
                    self.to_register.extend(self.place(task));
                }
            }
            Event::ArtifactsRegistered { task, files, .. } => {
                if let Some(at) = self.place(task) {
                    self.to_register.remove(&at);
                }
                self.registered.extend(files.iter().cloned());
            }
            Event::MergeConflicted { task, files, .. } => self.change(task, |it| {
                it.failures += 1;
                it.standing = Standing::Again;
                it.learnt.push(format!(
                    "the change clashed with one that was merged meanwhile, in {}: start from the files as they are now",
                    files.join(", ")
                ));
            }),
            Event::TaskFailed { task, reason } => self.change(task, |it| it.standing = Standing::Failed(reason.clone())),
            Event::CouncilConvened { task, allowance } => self.council_convened(task, *allowance),
            Event::CouncilSpoke { task, member, submission, result } => {
                self.council_spoke(task, *member, submission.as_ref(), result);
            }
            Event::TaskRetried { task } => {
                self.stop = None;
                self.outcome = None;
                self.change(task, |it| {
                    it.failures = 0;
                    it.councils = 0;
                    it.standing = Standing::Again;
                });
                // What waited for the task has failed with it.
                let followers = self.place(task).map(|at| self.tasks[at].followers.clone()).unwrap_or_default();
                for at in followers {
                    let id = self.tasks[at].task.id.clone();
                    if matches!(self.tasks[at].standing, Standing::Failed(_)) {
                        self.apply(&Event::TaskRetried { task: id });
                    }
                }
                self.phases.retain(|it| it.0 < Phase::Execution);
                self.phases.push((Phase::Execution, None));
                self.stages.clear();
                self.health = None;
            }
            Event::StageStarted { stage, pass } => match self.stages.last_mut().filter(|it| it.stage == *stage) {
                Some(last) => {
                    last.pass = *pass;
                    last.fix = None;
                }
                None => self.stages.push(StageState {
                    stage: *stage,
                    pass: *pass,
                    outcomes: Vec::new(),
                    fix: None,
                    finished: false,
                }),
            },
            Event::StageScanned { stage, outcome, .. } => {
                if let Some(last) = self.stages.last_mut().filter(|it| it.stage == *stage) {
                    last.outcomes.push(outcome.clone());
                }
            }
            Event::FixPlanned { stage, task, .. } => {
                let at = self.tasks.len();
                self.add(task.clone(), self.waves_begun);
                self.ready.insert(at);
                if let Some(last) = self.stages.last_mut().filter(|it| it.stage == *stage) {
                    last.fix = Some(at);
                }
            }
            Event::StageFinished { stage, .. } => {
                if let Some(last) = self.stages.last_mut().filter(|it| it.stage == *stage) {
                    last.finished = true;
                }
            }
            Event::BudgetWarned { .. } => self.ledger.warned = true,
            Event::BudgetReached { spent, cap } => {
                let reason = format!("{spent} of {cap} are spent: what is left does not suffice for another answer");
                self.stop(Outcome::Budget, &reason);
            }
            Event::Paused { until, .. } => self.paused_until = Some(until.clone()),
            Event::Continued => self.paused_until = None,
            Event::Interrupted { .. } => {}
            Event::OperationsAsked { rows } => self.asked.clone_from(rows),
            Event::HealthMeasured { health } => self.health = Some(health.clone()),
            Event::RunFinished { outcome } => self.outcome = Some(*outcome),
        }
    }

    pub(super) fn stop(&mut self, outcome: Outcome, reason: &str) {
        self.stop = Some(outcome);
        self.stop_reason = reason.to_owned();
    }

    /// A run that was stopped went on to its report: it comes back to where work was left.
    fn reopen_last_phase(&mut self) {
        let unsettled = self.tasks.iter().any(|it| !it.is_settled());
        if unsettled && self.phases.iter().any(|it| it.0 > Phase::Execution) {
            self.phases.retain(|it| it.0 <= Phase::Execution);
            if let Some(last) = self.phases.last_mut() {
                last.1 = None;
            }
            self.health = None;
        }
    }

    pub(super) fn plan_made(&mut self, plan: &Plan, base: &str) {
        self.base = base.to_owned();
        self.tasks.clear();
        self.places.clear();
        self.ready.clear();
        // A plan with a circle is not made; were one read, all of it would be one wave.
        let waves = waves(plan).unwrap_or_else(|_| vec![(0..plan.tasks.len()).collect()]);
        let mut wave_of = vec![0; plan.tasks.len()];
        for (number, wave) in waves.iter().enumerate() {
            wave.iter().for_each(|at| wave_of[*at] = number);
        }
        for (at, task) in plan.tasks.iter().enumerate() {
            self.add(task.clone(), wave_of[at]);
        }
        self.plan = Arc::new(plan.clone());
        let mut by_service: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for wave in &waves {
            for at in wave {
                let task = &plan.tasks[*at];
                let own = by_service.entry(task.service.as_str()).or_default();
                let mut needs: BTreeSet<usize> =
                    task.depends_on.iter().filter_map(|it| self.places.get(it).copied()).collect();
                // A builder finishes one of its waves before it begins the next.
                needs.extend(own.iter().copied().filter(|it| wave_of[*it] + 1 == wave_of[*at]));
                own.push(*at);
                needs.iter().for_each(|it| self.tasks[*it].followers.push(*at));
                if needs.is_empty() {
                    self.ready.insert(*at);
                }
                self.tasks[*at].waiting_for = needs;
            }
        }
    }

    fn add(&mut self, task: Task, wave: usize) {
        self.places.insert(task.id.clone(), self.tasks.len());
        self.tasks.push(TaskState {
            task,
            wave,
            standing: Standing::Waiting,
            attempt: 0,
            failures: 0,
            learnt: Vec::new(),
            left: None,
            council: Council::default(),
            councils: 0,
            council_allowance: None,
            outside: Vec::new(),
            gates: Vec::new(),
            base: String::new(),
            waiting_for: BTreeSet::new(),
            followers: Vec::new(),
        });
    }

    fn judged(&mut self, task: &str, verdict: &Verdict) {
        if verdict.halt {
            self.stop(Outcome::Failed, verdict.reasons.first().map_or("a gate halted the run", String::as_str));
        }
        self.change(task, |it| {
            let Standing::Finished(result) = &it.standing else { return };
            let status = result.status;
            it.outside.clone_from(&verdict.outside);
            it.left.clone_from(&verdict.commit);
            it.gates.clone_from(&verdict.gates);
            if verdict.passed {
                it.standing = Standing::Passed(verdict.commit.clone());
                return;
            }
            // Limits of others are no failures of the task.
            if !matches!(status, TaskStatus::Budget | TaskStatus::RateLimited | TaskStatus::Cancelled) {
                it.failures += 1;
            }
            // Why an executor handed the task over says nothing about the task.
            if status != TaskStatus::Cancelled {
                it.learnt.extend(verdict.reasons.iter().cloned());
            }
            it.standing = Standing::Again;
        });
    }

    /// Changes a task, and keeps the lists of what is ready and under way true.
    pub(super) fn change(&mut self, id: &str, change: impl FnOnce(&mut TaskState)) {
        let Some(at) = self.place(id) else { return };
        let was_settled = self.tasks[at].is_settled();
        change(&mut self.tasks[at]);
        let it = &self.tasks[at];
        let (settled, waits) = (it.is_settled(), !it.waiting_for.is_empty());
        let open = matches!(it.standing, Standing::Waiting | Standing::Again);
        let active = !settled && !open && it.standing != Standing::Stuck;
        if active {
            self.active.insert(at)
        } else {
            self.active.remove(&at)
        };
        if open && !waits {
            self.ready.insert(at)
        } else {
            self.ready.remove(&at)
        };
        if settled == was_settled {
            return;
        }
        for follower in self.tasks[at].followers.clone() {
            let it = &mut self.tasks[follower];
            if settled {
                it.waiting_for.remove(&at)
            } else {
                it.waiting_for.insert(at)
            };
            let open = matches!(it.standing, Standing::Waiting | Standing::Again);
            if open && it.waiting_for.is_empty() {
                self.ready.insert(follower)
            } else {
                self.ready.remove(&follower)
            };
        }
    }
}
