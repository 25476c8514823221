//! The file that hooks of agents read, written anew after each event.

use super::health::Thresholds;
use super::state::{Standing, State, TaskState};
use super::{OrchestrateError, Workplace, exports, requirements};
use crate::finding::Severity;
use crate::hook::{Active, Gate, Refused};

/// Tasks that are named; the others are counted.
const NAMED: usize = 20;

/// Writes the gate file of a run as a whole.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write(place: &Workplace, state: &State, thresholds: Thresholds) -> Result<(), OrchestrateError> {
    let path = place.gate();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| OrchestrateError::file(folder, &error))?;
    }
    let text = serde_json::to_string(&gate(place, state, thresholds)).unwrap_or_default();
    exports::write_whole(&path, &text)
}

fn of_active(place: &Workplace, it: &TaskState) -> Active {
    let worktree = place.worktree(&it.task.id, it.attempt);
    let worktree = std::path::absolute(&worktree).unwrap_or(worktree);
    Active { task: it.task.id.clone(), worktree, scope: it.task.scope.clone() }
}

fn gate(place: &Workplace, state: &State, thresholds: Thresholds) -> Gate {
    let open = || state.tasks.iter().filter(|it| !it.is_settled());
    let boxes = requirements::boxes(state);
    let refused = state.tasks.iter().filter_map(|it| match &it.standing {
        Standing::Again => Some(Refused { task: it.task.id.clone(), reasons: it.learnt.clone() }),
        Standing::Failed(reason) => Some(Refused { task: it.task.id.clone(), reasons: vec![reason.clone()] }),
        _ => None,
    });
    let active = state.active.iter().filter_map(|at| state.tasks.get(*at));
    let ready = state.ready.iter().filter_map(|at| state.tasks.get(*at));
    let left = state.stages.iter().filter_map(|it| it.outcomes.last()).flat_map(|it| &it.findings);
    Gate {
        run: place.run.clone(),
        open: open().count(),
        first_open: open().take(NAMED).map(|it| it.task.id.clone()).collect(),
        ready: ready.take(NAMED).map(|it| it.task.id.clone()).collect(),
        refused: refused.take(NAMED).collect(),
        active: active.map(|it| of_active(place, it)).collect(),
        checked: boxes.checked,
        total: boxes.total,
        threshold: thresholds.healthy,
        errors: left.filter(|it| it.severity == Severity::Error).count(),
        health: state.health.as_ref().map(|it| it.verdict.clone()).unwrap_or_default(),
    }
}
