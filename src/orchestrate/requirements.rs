//! `REQUIREMENTS.md`: what is asked for as boxes, ticked where there is evidence.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::health::Boxes;
use super::state::{Standing, State, TaskState};
use crate::events::{GateResult, GateVerdict};
use crate::gates::Gate;
use crate::plan::TESTS_PASS;

/// The checklist of a run: a box for each criterion of its tasks. A box is ticked when its task is merged, since nothing is
/// merged that was not held against gates and contracts; that of tests when they were run.
pub(super) fn checklist(state: &State) -> String {
    let mut out = format!("# Requirements: {}\n", state.plan.project);
    let mut number = 0;
    for milestone in &state.plan.milestones {
        let _ = writeln!(out, "\n## {}: {}\n", milestone.id, milestone.title);
        for it in state.tasks.iter().filter(|it| it.task.parent == milestone.id) {
            for criterion in &it.task.criteria {
                number += 1;
                let tick = if is_met(it, criterion) { 'x' } else { ' ' };
                let _ = writeln!(
                    out,
                    "- [{tick}] REQ-{number:03}: {criterion} ({}, review_cycles: {})",
                    it.task.id,
                    cycles(it)
                );
            }
        }
    }
    out
}

/// Whether there is evidence for a criterion: its task is merged, and tests that are to pass were run.
fn is_met(it: &TaskState, criterion: &str) -> bool {
    let passed = |it: &&GateResult| it.gate == Gate::Tests.name() && it.verdict == GateVerdict::Pass;
    matches!(it.standing, Standing::Merged(_)) && (criterion != TESTS_PASS || it.gates.iter().any(|gate| passed(&gate)))
}

/// Services whose tests were not run, each with the reason.
pub(super) fn untested(state: &State) -> Vec<String> {
    let asked = state.tasks.iter().filter(|it| it.task.criteria.iter().any(|criterion| criterion == TESTS_PASS));
    let skipped = asked.filter_map(|it| {
        let gate = it.gates.iter().find(|it| it.gate == Gate::Tests.name() && it.verdict == GateVerdict::Skipped)?;
        Some(format!("the tests of {} were not run: {}", it.task.service, gate.note))
    });
    skipped.collect()
}

fn cycles(it: &TaskState) -> u32 {
    let judged = !matches!(it.standing, Standing::Waiting | Standing::Running | Standing::Finished(_));
    it.attempt.saturating_sub(u32::from(!judged))
}

/// Boxes of the checklist.
pub(super) fn boxes(state: &State) -> Boxes {
    let mut boxes = Boxes::default();
    let milestones: BTreeSet<&str> = state.plan.milestones.iter().map(|it| it.id.as_str()).collect();
    for it in state.tasks.iter().filter(|it| milestones.contains(it.task.parent.as_str())) {
        boxes.total += it.task.criteria.len();
        boxes.checked += it.task.criteria.iter().filter(|criterion| is_met(it, criterion)).count();
        boxes.review_cycles = boxes.review_cycles.max(cycles(it));
    }
    boxes
}
