//! What is to be done next: a function of what has happened.

use super::state::{StageState, Standing, State, TaskState};
use super::{council, refine};
use crate::council::Member;
use crate::events::{Event, Outcome, Phase, PhaseOutcome, Stage};
use crate::finding::Severity;
use crate::ledger::Usd;
use crate::plan::{Kind, Scope, Task};

/// Something that the runner does. The same action may be done twice: whoever does it asks the world first.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An event that follows from others: it is kept, and nothing else happens.
    Record(Box<Event>),
    /// A phase that one step carries out.
    Phase(Phase),
    /// An executor works on a task.
    Attempt {
        task: String,
        attempt: u32,
        allowance: Option<Usd>,
    },
    /// What the attempt left is held against scope, gates and contracts.
    Judge {
        task: String,
        attempt: u32,
    },
    /// A model is asked to better the plan.
    Refine {
        allowance: Option<Usd>,
    },
    /// A member of the council is asked; `round` from 1.
    Consult {
        task: String,
        member: Member,
        round: u32,
        allowance: Option<Usd>,
    },
    Merge {
        task: String,
        attempt: u32,
        commit: Option<String>,
    },
    /// The new files of a merged task are told to the codebase index.
    Register {
        task: String,
    },
    Scan {
        stage: Stage,
        pass: u32,
    },
}

/// One event in, and what is to be done after it. Nothing here looks at a clock or at the world.
pub fn step(mut state: State, event: &Event) -> (State, Vec<Action>) {
    state.apply(event);
    let actions = wanted(&state);
    (state, actions)
}

/// What is to be done in a state, what is under way included. After a kill this is what is taken up again.
pub fn wanted(state: &State) -> Vec<Action> {
    if state.outcome.is_some() {
        return Vec::new();
    }
    if state.ledger.warning_is_due() {
        let cap = state.ledger.cap.unwrap_or_default();
        return vec![record(Event::BudgetWarned { spent: state.ledger.spent(), cap })];
    }
    // Before anything else starts: what comes next may search for it.
    if let Some(at) = state.to_register.first() {
        return vec![Action::Register { task: state.tasks[*at].task.id.clone() }];
    }
    let record = |event| vec![record(event)];
    match state.phase() {
        None => record(Event::PhaseStarted { phase: Phase::Configuration }),
        Some((phase, true)) => record(after(state, phase)),
        Some((Phase::Plan, false)) if !state.tasks.is_empty() => vec![planned(state)],
        Some((Phase::Execution, false)) => execution(state),
        Some((Phase::PostBuild, false)) => stages(state),
        Some((Phase::Report, false)) if state.health.is_some() => record(finished(Phase::Report)),
        Some((phase, false)) => vec![Action::Phase(phase)],
    }
}

fn record(event: Event) -> Action {
    Action::Record(Box::new(event))
}

/// What comes after a phase.
fn after(state: &State, phase: Phase) -> Event {
    if phase == Phase::Report {
        return Event::RunFinished { outcome: outcome(state) };
    }
    if phase == Phase::Plan && state.started.plan_only {
        return Event::RunFinished { outcome: Outcome::Planned };
    }
    if state.stop.is_some() {
        return Event::PhaseStarted { phase: Phase::Report };
    }
    let next = Phase::ALL.iter().position(|it| *it == phase).and_then(|at| Phase::ALL.get(at + 1));
    Event::PhaseStarted { phase: next.copied().unwrap_or(Phase::Report) }
}

fn outcome(state: &State) -> Outcome {
    if let Some(stop) = state.stop {
        return stop;
    }
    let healthy = state.health.as_ref().is_some_and(|it| it.verdict == "healthy");
    let built = state.tasks.iter().all(|it| matches!(it.standing, Standing::Merged(_)));
    if healthy && built { Outcome::Healthy } else { Outcome::NotHealthy }
}

fn finished(phase: Phase) -> Event {
    Event::PhaseFinished { phase, outcome: PhaseOutcome::Done, note: String::new() }
}

/// What is to be done with a plan that was made.
fn planned(state: &State) -> Action {
    if let Some(action) = refine::wanted(state, LEAST) {
        return action;
    }
    let waves = state.tasks.iter().map(|it| it.wave + 1).max().unwrap_or_default();
    let (tasks, services) = (state.tasks.len(), state.plan.services.len());
    let note = format!("{tasks} tasks of {services} services in {waves} waves");
    record(Event::PhaseFinished { phase: Phase::Plan, outcome: PhaseOutcome::Done, note })
}

fn execution(state: &State) -> Vec<Action> {
    let actions = tasks(state);
    if actions.is_empty() && state.active.is_empty() && state.paused_until.is_none() {
        let merged = state.tasks.iter().filter(|it| matches!(it.standing, Standing::Merged(_))).count();
        let note = format!("{merged} of {} tasks", state.tasks.len());
        let outcome = if merged == state.tasks.len() { PhaseOutcome::Done } else { PhaseOutcome::Failed };
        return vec![record(Event::PhaseFinished { phase: Phase::Execution, outcome, note })];
    }
    actions
}

/// What is to be done for the tasks. Empty where none can start and none is under way, or while the run is paused.
fn tasks(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut running = 0;
    for it in state.active.iter().map(|at| &state.tasks[*at]) {
        let (task, attempt) = (it.task.id.clone(), it.attempt);
        match &it.standing {
            Standing::Running => {
                running += 1;
                actions.push(Action::Attempt { task, attempt, allowance: state.ledger.granted(&it.task.id) });
            }
            Standing::Finished(_) => actions.push(Action::Judge { task, attempt }),
            Standing::Passed(commit) if is_next(state, it) => {
                actions.push(Action::Merge { task, attempt, commit: commit.clone() });
            }
            _ => {}
        }
    }
    if state.stop.is_some() {
        return actions;
    }
    for at in &state.ready {
        let it = &state.tasks[*at];
        if let Some(reason) = hopeless(state, it) {
            let is_stuck = it.failures >= state.started.attempts.max(1);
            if let Some(event) = council::convened(state, it, LEAST).filter(|_| is_stuck) {
                return vec![record(event)];
            }
            return vec![record(Event::TaskFailed { task: it.task.id.clone(), reason })];
        }
        if it.wave >= state.waves_begun && it.task.parent != FIX {
            return vec![record(Event::WaveStarted { wave: state.waves_begun })];
        }
    }
    if state.paused_until.is_some() {
        return actions;
    }
    let mut slots = state.started.jobs.max(1).saturating_sub(running);
    // One council at a time: what the members of another have under way is not to be told from the events.
    if let Some(at) = state.stuck.first() {
        let before = actions.len();
        actions.extend(council::questions(&state.tasks[*at], slots));
        slots -= actions.len() - before;
    }
    // One is started at a time, since each takes of what the next may have.
    let Some(first) = state.ready.first().filter(|_| slots > 0) else { return actions };
    let it = &state.tasks[*first];
    match state.ledger.allowance(slots.min(state.ready.len()), LEAST) {
        Some(allowance) => {
            actions.push(Action::Attempt { task: it.task.id.clone(), attempt: it.attempt + 1, allowance });
        }
        None if running == 0 && actions.is_empty() => {
            let (spent, cap) = (state.ledger.spent(), state.ledger.cap.unwrap_or_default());
            return vec![record(Event::BudgetReached { spent, cap })];
        }
        // Somebody is at work, and may leave something over.
        None => {}
    }
    actions
}

/// A grant below this is not worth a start.
const LEAST: Usd = Usd(1_000);

/// Tasks of a wave are merged in the order of the plan.
fn is_next(state: &State, task: &TaskState) -> bool {
    let earlier = state.active.iter().map(|at| &state.tasks[*at]).take_while(|it| it.task.id != task.task.id);
    !earlier.into_iter().any(|it| it.wave == task.wave)
}

/// Why a task is not tried any more.
fn hopeless(state: &State, it: &TaskState) -> Option<String> {
    let failed = |id: &&String| matches!(state.task(id).map(|it| &it.standing), Some(Standing::Failed(_)));
    if let Some(needed) = it.task.depends_on.iter().find(failed) {
        return Some(format!("{needed} failed, which this task builds on"));
    }
    let attempts = state.started.attempts.max(1);
    if it.failures >= attempts {
        let last = it.learnt.last().map_or("no reason was given", String::as_str);
        return Some(format!("{} did not pass, the last because: {last}", counted(it.failures)));
    }
    None
}

fn counted(attempts: u32) -> String {
    if attempts == 1 { "one attempt".to_owned() } else { format!("{attempts} attempts") }
}

/// Milestone of tasks that mend what a stage found.
pub const FIX: &str = "FIX";

fn stages(state: &State) -> Vec<Action> {
    let record = |event| vec![record(event)];
    let next = |done: usize| match Stage::ALL.get(done) {
        Some(stage) => Event::StageStarted { stage: *stage, pass: 1 },
        None => finished(Phase::PostBuild),
    };
    let Some(last) = state.stages.last() else { return record(next(0)) };
    let (stage, pass) = (last.stage, last.pass);
    if last.finished {
        return if state.stop.is_some() {
            record(finished(Phase::PostBuild))
        } else {
            record(next(state.stages.len()))
        };
    }
    if last.outcomes.len() < pass as usize {
        return vec![Action::Scan { stage, pass }];
    }
    let (fixed, residual, new) = last.balance();
    let end = || record(Event::StageFinished { stage, fixed, residual, new });
    if let Some(fix) = last.fix {
        if state.tasks[fix].is_settled() {
            return record(Event::StageStarted { stage, pass: pass + 1 });
        }
        let actions = tasks(state);
        let waits = state.paused_until.is_some() || state.stop.is_none();
        return if actions.is_empty() && state.active.is_empty() && !waits { end() } else { actions };
    }
    let findings = mendable(last);
    let stands_still = last.outcomes.len() > 1 && !progressed(last);
    if findings == 0 || !state.mends || !stage.is_mended() || pass > state.started.fix_passes || stands_still {
        return end();
    }
    if state.stop.is_some() {
        return end();
    }
    record(Event::FixPlanned { stage, pass, task: fix(state, last) })
}

/// Findings that are handed to a fixer: what may be otherwise is not.
fn mendable(stage: &StageState) -> usize {
    let last = stage.outcomes.last();
    last.map_or(0, |it| it.findings.iter().filter(|it| it.severity > Severity::Info).count())
}

/// Whether the last pass took something of what the one before had found away.
fn progressed(stage: &StageState) -> bool {
    let [.., before, last] = stage.outcomes.as_slice() else { return true };
    before.findings.iter().any(|it| !last.findings.iter().any(|now| now.fingerprint == it.fingerprint))
}

/// The id of the task that mends what a pass (from 1) of a stage found.
pub(super) fn fix_id(stage: Stage, pass: usize) -> String {
    format!("FIX-{}-{pass}", stage.name())
}

/// The task that mends what a stage found.
fn fix(state: &State, stage: &StageState) -> Task {
    let found = stage.outcomes.last().map(|it| it.findings.as_slice()).unwrap_or_default();
    let found = found.iter().filter(|it| it.severity > Severity::Info);
    let criteria = found.map(|it| format!("{} {}:{} {}", it.rule, it.file, it.line, it.message)).collect();
    let folders = state.plan.services.iter().map(|it| format!("{}/**", it.folder));
    let keeps = state.plan.services.iter().flat_map(|it| it.serves.iter().chain(&it.publishes)).cloned();
    Task {
        id: fix_id(stage.stage, stage.pass as usize),
        title: format!("Mend what the stage {} found", stage.stage.name()),
        parent: FIX.to_owned(),
        service: String::new(),
        kind: Kind::Other,
        description: "Change the code so that each of these is gone. Contracts stay as they are.".to_owned(),
        criteria,
        scope: Scope {
            allowed: folders.collect(),
            forbidden: vec!["contracts/**".to_owned(), "treaty.toml".to_owned()],
        },
        depends_on: Vec::new(),
        keeps: keeps.collect(),
        complexity: 5,
        line: 0,
    }
}
