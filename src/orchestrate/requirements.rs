//! `REQUIREMENTS.md`: what is asked for as boxes, ticked where there is evidence.

use std::fmt::Write as _;

use super::health::Boxes;
use super::state::{Standing, State};

/// The checklist of a run: a box for each criterion of its tasks. A box is ticked when its task is merged, since nothing is
/// merged that was not held against gates and contracts.
pub(super) fn checklist(state: &State) -> String {
    let mut out = format!("# Requirements: {}\n", state.plan.project);
    let mut number = 0;
    for milestone in &state.plan.milestones {
        let _ = writeln!(out, "\n## {}: {}\n", milestone.id, milestone.title);
        for it in state.tasks.iter().filter(|it| it.task.parent == milestone.id) {
            let tick = if matches!(it.standing, Standing::Merged(_)) { 'x' } else { ' ' };
            for criterion in &it.task.criteria {
                number += 1;
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

fn cycles(it: &super::state::TaskState) -> u32 {
    let judged = !matches!(it.standing, Standing::Waiting | Standing::Running | Standing::Finished(_));
    it.attempt.saturating_sub(u32::from(!judged))
}

/// Boxes of the checklist.
pub(super) fn boxes(state: &State) -> Boxes {
    let mut boxes = Boxes::default();
    for it in
        state.tasks.iter().filter(|it| state.plan.milestones.iter().any(|milestone| milestone.id == it.task.parent))
    {
        boxes.total += it.task.criteria.len();
        if matches!(it.standing, Standing::Merged(_)) {
            boxes.checked += it.task.criteria.len();
        }
        boxes.review_cycles = boxes.review_cycles.max(cycles(it));
    }
    boxes
}
