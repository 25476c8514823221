//! The file that hooks of agents read, written anew after each event that changes it.

use super::health::Thresholds;
use super::state::{Standing, State, TaskState};
use super::{OrchestrateError, Workplace, answer, council, exports, requirements};
use crate::council::Member;
use crate::finding::Severity;
use crate::hook::{Active, Gate, Refused};

/// Tasks that are named; the others are counted.
const NAMED: usize = 20;

/// Writes the gate file of a run as a whole, where the file holds another text: also one that somebody changed.
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
    Active { task: it.task.id.clone(), worktree: place.worktree(&it.task.id, it.attempt), scope: it.task.scope.clone() }
}

/// A member of the council writes its answer, and nothing else.
fn of_member(place: &Workplace, it: &TaskState, member: Member) -> Active {
    let (task, worktree) = (council::name(&it.task.id, member), council::checkout(place, &it.task.id, member));
    Active { task, worktree, scope: answer::scope() }
}

fn gate(place: &Workplace, state: &State, thresholds: Thresholds) -> Gate {
    // One walk over the tasks: a plan may have thousands, and each event comes by here.
    let (mut open, mut first_open, mut refused) = (0, Vec::new(), Vec::new());
    for it in &state.tasks {
        if !it.is_settled() {
            open += 1;
            if open <= NAMED {
                first_open.push(it.task.id.clone());
            }
        }
        let reasons = match &it.standing {
            Standing::Again if refused.len() < NAMED => it.learnt.clone(),
            Standing::Failed(reason) if refused.len() < NAMED => vec![reason.clone()],
            _ => continue,
        };
        refused.push(Refused { task: it.task.id.clone(), reasons });
    }
    let boxes = requirements::boxes(state);
    let active = state.active.iter().filter_map(|at| state.tasks.get(*at)).map(|it| of_active(place, it));
    let stuck = state.stuck.iter().filter_map(|at| state.tasks.get(*at));
    let asked = stuck.flat_map(|it| it.council.waiting().into_iter().map(|member| of_member(place, it, member)));
    let ready = state.ready.iter().filter_map(|at| state.tasks.get(*at));
    let left = state.stages.iter().filter_map(|it| it.outcomes.last()).flat_map(|it| &it.findings);
    Gate {
        run: place.run.clone(),
        open,
        first_open,
        ready: ready.take(NAMED).map(|it| it.task.id.clone()).collect(),
        refused,
        active: active.chain(asked).collect(),
        checked: boxes.checked,
        total: boxes.total,
        threshold: thresholds.healthy,
        errors: left.filter(|it| it.severity == Severity::Error).count(),
        health: state.health.as_ref().map(|it| it.verdict.clone()).unwrap_or_default(),
    }
}
