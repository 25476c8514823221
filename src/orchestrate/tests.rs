//! The driver as a function of events: random runs end, keep their bounds, and go on where they were left.

use proptest::prelude::*;

use super::executors::{Executor, Job};
use super::runner::Observer;
use super::step::{Action, step, wanted};
use super::{Standing, State};
use crate::council::Submission;
use crate::events::{
    Event, FindingRow, Health, Outcome, Phase, PhaseOutcome, Recorded, RunStarted, StageOutcome, TaskResult,
    TaskStatus, Verdict,
};
use crate::finding::Severity;
use crate::ledger::{Usage, Usd};
use crate::plan::{Kind, Plan, Scope, Task};
use crate::process::Cancel;

fn task(at: usize, service: usize, needs: &[usize]) -> Task {
    Task {
        id: format!("TASK-{at:03}"),
        title: format!("task {at}"),
        parent: format!("M{service}"),
        service: format!("s{service}"),
        kind: Kind::Other,
        description: String::new(),
        criteria: Vec::new(),
        scope: Scope { allowed: vec![format!("s{service}/f{at}/**")], forbidden: Vec::new() },
        depends_on: needs.iter().map(|it| format!("TASK-{it:03}")).collect(),
        keeps: Vec::new(),
        complexity: 1,
        line: 0,
    }
}

fn plan(services: usize, each: usize) -> Plan {
    let mut tasks = Vec::new();
    for service in 0..services {
        for at in 0..each {
            let number = service * each + at;
            tasks.push(task(number, service, if at > 1 { &[] } else { &[][..] }));
            if at > 0 && at % 2 == 0 {
                let needed = format!("TASK-{:03}", number - 1);
                tasks[number].depends_on.push(needed);
            }
        }
    }
    Plan { project: "p".to_owned(), tasks, ..Plan::default() }
}

/// Plays the world: every action is answered, by dice.
struct World {
    dice: u64,
    plan: Plan,
    /// In a hundred attempts, as many do not pass.
    bad: u64,
    cost: Usd,
}

impl World {
    fn roll(&mut self, sides: u64) -> u64 {
        // splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014)
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.dice;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    /// What follows when an action is done; for an attempt its start and its end.
    fn answer(&mut self, action: &Action, state: &State) -> Vec<Event> {
        match action {
            Action::Record(event) => vec![(**event).clone()],
            Action::Phase(Phase::Plan) => {
                vec![Event::PlanMade { plan: self.plan.clone(), base: "base".to_owned(), edited: false }]
            }
            Action::Refine { allowance } => {
                assert!(state.is_refinable, "it is asked once");
                let cost = allowance.map_or(Usd(0), |it| Usd(self.cost.0.min(it.0)));
                let usage = Usage { model: "m".to_owned(), ..Usage::default() };
                let result = TaskResult { used: vec![(usage, cost)], ..TaskResult::default() };
                let better = (self.roll(2) == 0).then(|| {
                    let mut plan = self.plan.clone();
                    plan.tasks.reverse();
                    plan
                });
                vec![Event::PlanRefined { plan: better, note: String::new(), result }]
            }
            Action::Phase(Phase::Report) => {
                vec![Event::HealthMeasured { health: Health { verdict: "healthy".to_owned(), ..Health::default() } }]
            }
            Action::Phase(phase) => {
                vec![Event::PhaseFinished { phase: *phase, outcome: PhaseOutcome::Done, note: String::new() }]
            }
            Action::Attempt { task, attempt, allowance } => {
                let cost = allowance.map_or(Usd(0), |it| Usd(self.cost.0.min(it.0)));
                let usage = Usage { model: "m".to_owned(), ..Usage::default() };
                let result = TaskResult { used: vec![(usage, cost)], ..TaskResult::default() };
                vec![
                    Event::TaskStarted {
                        task: task.clone(),
                        attempt: *attempt,
                        allowance: *allowance,
                        base: "b".to_owned(),
                    },
                    Event::AttemptFinished { task: task.clone(), attempt: *attempt, result },
                ]
            }
            Action::Consult { task, member, round, allowance } => {
                let cost = allowance.map_or(Usd(0), |it| Usd(self.cost.0.min(it.0)));
                let usage = Usage { model: "m".to_owned(), ..Usage::default() };
                let is_cut_off = self.roll(5) == 0;
                let status = if is_cut_off { TaskStatus::Cancelled } else { TaskStatus::Completed };
                let result = TaskResult { status, used: vec![(usage, cost)], ..TaskResult::default() };
                // At times nobody knows of a fix.
                let fix = if self.bad > 80 { "" } else { "mend it" };
                let answer = serde_json::json!({"suggested_fix": fix, "confidence": self.roll(100)});
                let it = state.task(task).expect("a task of the run");
                assert_eq!((it.standing.clone(), *round == 2), (Standing::Stuck, it.council.is_ranking()));
                vec![super::council::spoke(task.clone(), *member, Submission::of(*member, Ok(answer)), result)]
            }
            Action::Judge { task, attempt } => {
                let passed = self.roll(100) >= self.bad;
                let reasons = if passed { Vec::new() } else { vec!["it is wrong".to_owned()] };
                let verdict = Verdict { passed, reasons, commit: Some("c".to_owned()), ..Verdict::default() };
                vec![Event::AttemptJudged { task: task.clone(), attempt: *attempt, verdict }]
            }
            Action::Merge { task, attempt, .. } if self.roll(20) == 0 => {
                vec![Event::MergeConflicted { task: task.clone(), attempt: *attempt, files: vec!["f".to_owned()] }]
            }
            Action::Merge { task, attempt, .. } => {
                vec![Event::TaskMerged { task: task.clone(), attempt: *attempt, commit: "m".to_owned() }]
            }
            Action::Register { task } => {
                let files = vec![format!("{task}.py")];
                vec![Event::ArtifactsRegistered { task: task.clone(), files, left_out: 0, warning: None }]
            }
            Action::Scan { stage, pass } => {
                let findings = (0..self.roll(3)).map(|at| FindingRow {
                    fingerprint: format!("{at}"),
                    rule: "R".to_owned(),
                    severity: Severity::Error,
                    file: String::new(),
                    line: 1,
                    message: String::new(),
                });
                let outcome = StageOutcome { findings: findings.collect(), ..StageOutcome::default() };
                let _ = state;
                vec![Event::StageScanned { stage: *stage, pass: *pass, outcome }]
            }
        }
    }
}

fn started(jobs: usize, budget: Option<u64>) -> Event {
    let (budget, registers) = (budget.map(Usd), jobs.is_multiple_of(2));
    let council = jobs != 2;
    Event::RunStarted(RunStarted {
        jobs,
        budget,
        attempts: 3,
        fix_passes: 2,
        registers,
        council,
        refine_plan: jobs != 3,
        ..RunStarted::default()
    })
}

/// Plays a run to its end, one action at a time in the order of `dice`. Gives all events.
fn play(world: &mut World, jobs: usize, budget: Option<u64>) -> (State, Vec<Event>) {
    let mut events = vec![
        started(jobs, budget),
        Event::BackendChosen {
            backend: "b".to_owned(),
            reason: String::new(),
            passed_over: Vec::new(),
            mends: true,
            answers: true,
        },
    ];
    let mut state = State::of(&events);
    let mut open: Vec<(Action, Vec<Event>)> = Vec::new();
    for _ in 0..100_000 {
        if state.outcome.is_some() {
            break;
        }
        let is_work =
            |it: &Action| matches!(it, Action::Attempt { .. } | Action::Consult { .. } | Action::Refine { .. });
        let running = |open: &Vec<(Action, Vec<Event>)>| open.iter().filter(|it| is_work(&it.0)).count();
        assert!(running(&open) <= jobs, "more than {jobs} at a time");
        let next = wanted(&state).into_iter().find(|it| !open.iter().any(|(known, _)| known == it));
        let mut take = |event: Event, state: &mut State| {
            let (after, _) = step(std::mem::take(state), &event);
            *state = after;
            events.push(event);
        };
        if let Some(action) = next {
            let mut answer = world.answer(&action, &state);
            let first = answer.remove(0);
            let is_long = matches!(
                action,
                Action::Judge { .. } | Action::Register { .. } | Action::Consult { .. } | Action::Refine { .. }
            );
            if answer.is_empty() && !is_long {
                take(first, &mut state);
            } else if is_long {
                open.push((action, vec![first]));
            } else {
                take(first, &mut state);
                open.push((action, answer));
            }
        } else {
            assert!(!open.is_empty(), "nothing is under way and nothing is to be done in {:?}", state.phase());
            let at = world.roll(open.len() as u64) as usize;
            let (_, answer) = open.remove(at);
            answer.into_iter().for_each(|it| take(it, &mut state));
        }
    }
    assert!(state.outcome.is_some(), "the run does not end");
    (state, events)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_run_ends_and_keeps_its_bounds(dice in any::<u64>(), services in 1_usize..4, each in 1_usize..6, jobs in 1_usize..5, bad in 0_u64..100) {
        let mut world = World { dice, plan: plan(services, each), bad, cost: Usd(0) };
        let (state, events) = play(&mut world, jobs, None);
        for it in &state.tasks {
            prop_assert!(it.is_settled(), "{} is {:?}", it.task.id, it.standing);
            prop_assert!(it.failures <= 3 && it.councils <= 1);
            // Whoever was given up had a council, where there may be one and somebody had tried.
            let is_given_up = matches!(it.standing, Standing::Failed(_)) && it.failures == 3;
            prop_assert!(jobs != 2 || it.councils == 0);
            prop_assert!(!is_given_up || jobs == 2 || it.councils == 1, "{} was given up", it.task.id);
        }
        // A task starts after all that it depends on.
        let mut merged: Vec<&str> = Vec::new();
        for event in &events {
            match event {
                Event::TaskMerged { task, .. } => merged.push(task),
                Event::TaskStarted { task, .. } => {
                    let needs = &state.task(task).expect("a task of the run").task.depends_on;
                    prop_assert!(needs.iter().all(|it| merged.contains(&it.as_str())), "{task} began too early");
                    prop_assert!(!merged.contains(&task.as_str()), "{task} was done and is done again");
                }
                _ => {}
            }
        }
        // What was merged is registered once, where that is wanted.
        let mut registered = state.registered.clone();
        registered.sort();
        let mut expected: Vec<String> = merged.iter().map(|it| format!("{it}.py")).collect();
        expected.sort();
        prop_assert_eq!(registered, if jobs.is_multiple_of(2) { expected } else { Vec::new() });
        let all = state.tasks.iter().all(|it| matches!(it.standing, Standing::Merged(_)));
        prop_assert_eq!(state.outcome == Some(Outcome::Healthy), all);
    }

    #[test]
    fn the_budget_holds_in_every_run(dice in any::<u64>(), cap in 0_u64..200_000, cost in 1_u64..20_000, jobs in 1_usize..5) {
        let mut world = World { dice, plan: plan(3, 4), bad: 30, cost: Usd(cost) };
        let (state, _) = play(&mut world, jobs, Some(cap));
        prop_assert!(state.ledger.spent() <= Usd(cap));
        let stopped = state.outcome == Some(Outcome::Budget);
        prop_assert_eq!(stopped, state.stop == Some(Outcome::Budget));
    }

    /// What is to be done after any number of events follows from the events alone.
    #[test]
    fn a_run_is_what_its_events_say(dice in any::<u64>()) {
        let mut world = World { dice, plan: plan(2, 4), bad: 30, cost: Usd(0) };
        let (_, events) = play(&mut world, 2, None);
        let mut state = State::default();
        for (at, event) in events.iter().enumerate() {
            let (after, actions) = step(state, event);
            prop_assert_eq!(&actions, &wanted(&State::of(&events[..=at])));
            state = after;
        }
    }
}

/// Answers of a council that were cut off cost money too: found by a run of the property above.
#[test]
fn the_budget_holds_where_answers_of_a_council_are_cut_off() {
    let mut world = World { dice: 12_527_565_319_439_952_682, plan: plan(3, 4), bad: 30, cost: Usd(5_553) };
    let (state, _) = play(&mut world, 3, Some(119_755));
    assert!(state.ledger.spent() <= Usd(119_755));
    for dice in 0..500 {
        let mut world = World { dice, plan: plan(3, 4), bad: 70, cost: Usd(9_000) };
        let (state, _) = play(&mut world, 3, Some(150_000));
        assert!(state.ledger.spent() <= Usd(150_000), "{dice}");
    }
}

#[test]
fn a_result_that_says_so_ends_the_run() {
    let mut state = State::of(&[started(1, None)]);
    let fatal =
        TaskResult { status: TaskStatus::Failed, fatal: true, error: Some("401".to_owned()), ..TaskResult::default() };
    for event in [
        Event::PhaseStarted { phase: Phase::Execution },
        Event::PlanMade { plan: plan(2, 2), base: "b".to_owned(), edited: false },
        Event::WaveStarted { wave: 0 },
        Event::TaskStarted { task: "TASK-000".to_owned(), attempt: 1, allowance: None, base: "b".to_owned() },
        Event::AttemptFinished { task: "TASK-000".to_owned(), attempt: 1, result: fatal },
    ] {
        state = step(state, &event).0;
    }
    assert_eq!((state.stop, state.stop_reason.as_str()), (Some(Outcome::Failed), "401"));
    let next = wanted(&state);
    assert_eq!(next, [Action::Judge { task: "TASK-000".to_owned(), attempt: 1 }], "nothing new is started");
}

/// Has done every task before.
struct Idle;

impl Executor for Idle {
    fn name(&self) -> &'static str {
        "command"
    }

    fn mends(&self) -> bool {
        false
    }

    fn execute(&self, _: &Job<'_>, _: &Cancel) -> TaskResult {
        TaskResult { done_before: true, ..TaskResult::default() }
    }
}

/// Seconds of processor time that this process has taken, its children left out, and the bytes that it holds (proc(5)).
#[cfg(target_os = "linux")]
fn taken() -> (f64, u64) {
    let read = |path: &str| std::fs::read_to_string(path).expect("proc");
    let stat = read("/proc/self/stat");
    let numbers: Vec<f64> = stat.rsplit(')').next().unwrap_or("").split(' ').filter_map(|it| it.parse().ok()).collect();
    // The name and the state before them are no numbers: utime and stime are fields 14 and 15 of all.
    let held = read("/proc/self/statm").split(' ').nth(1).and_then(|it| it.parse::<u64>().ok()).expect("pages");
    ((numbers[10] + numbers[11]) / 100.0, held * 4096)
}

/// `cargo test --release --lib -- --ignored a_thousand_tasks --nocapture`: the processor time that a run itself needs for a task,
/// with worktrees, merges and every event kept, without what git and executors take.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "the numbers are what is asked for")]
fn a_thousand_tasks() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    // Fifty services with twenty tasks each, one after the other: twenty waves.
    let mut whole = plan(50, 20);
    for service in 0..50 {
        for at in 1..20 {
            let number = service * 20 + at;
            whole.tasks[number].depends_on = vec![format!("TASK-{:03}", number - 1)];
        }
    }
    let started = RunStarted { jobs: 8, attempts: 1, ..RunStarted::default() };
    let mut run = super::Run::begin(&root, started, super::RunSettings::default()).expect("begun");
    let base = run.git.commit_of("HEAD").expect("a commit");
    run.git.move_branch(&run.place.branch(), &base, None).expect("a branch");
    let planned = [
        Event::PhaseStarted { phase: Phase::Plan },
        Event::PlanMade { plan: whole, base, edited: true },
        Event::PhaseFinished { phase: Phase::Plan, outcome: PhaseOutcome::Done, note: String::new() },
        Event::PhaseStarted { phase: Phase::Execution },
    ];
    planned.into_iter().try_for_each(|it| run.keep(it, &Nobody)).expect("kept");
    run.executor = Some(std::sync::Arc::new(Idle));
    let cancel = Cancel::default();
    let observer = Watch { cancel: cancel.clone(), held: std::cell::RefCell::default() };
    let (before, _) = taken();
    let begun = std::time::Instant::now();
    run.work(&cancel, &observer).expect("worked");
    let merged = run.state.tasks.iter().filter(|it| matches!(it.standing, Standing::Merged(_))).count();
    assert_eq!(merged, 1000);
    let held: Vec<String> = observer.held.borrow().iter().map(|it| format!("{} MiB", it >> 20)).collect();
    let seconds = taken().0 - before;
    println!("{seconds:.2} ms of own processor time a task, {:.1?} in all; held {}", begun.elapsed(), held.join(", "));
}

#[test]
fn a_gate_file_that_somebody_changed_is_mended_by_the_next_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run =
        super::Run::begin(folder.path(), RunStarted::default(), super::RunSettings::default()).expect("begun");
    let gate = run.place.gate();
    run.keep(Event::PhaseStarted { phase: Phase::Plan }, &Nobody).expect("kept");
    let whole = std::fs::read_to_string(&gate).expect("a gate file");
    for damage in [Some("{}"), None] {
        match damage {
            Some(text) => std::fs::write(&gate, text).expect("changed"),
            None => std::fs::remove_file(&gate).expect("removed"),
        }
        run.keep(Event::PhaseStarted { phase: Phase::Plan }, &Nobody).expect("kept");
        assert_eq!(std::fs::read_to_string(&gate).ok().as_ref(), Some(&whole));
    }
}

struct Nobody;

impl Observer for Nobody {
    fn event(&self, _: &Recorded, _: &State) {}
}

/// Notes what is held at the end of each fifth wave, and ends the run when all tasks are merged.
struct Watch {
    cancel: Cancel,
    held: std::cell::RefCell<Vec<u64>>,
}

impl Observer for Watch {
    fn event(&self, recorded: &Recorded, _: &State) {
        match &recorded.event {
            Event::WaveStarted { wave } if wave % 5 == 0 => self.held.borrow_mut().push(taken().1),
            Event::PhaseFinished { phase: Phase::Execution, .. } => {
                self.held.borrow_mut().push(taken().1);
                self.cancel.now();
            }
            _ => {}
        }
    }
}
