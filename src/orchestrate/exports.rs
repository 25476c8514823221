//! What other tools and people read of a run, written anew from its state: nothing reads these files back but people's edits of
//! the plan.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::state::{Standing, State};
use super::{OrchestrateError, Workplace};
use super::{ask, handoff, promises, requirements};
use crate::events::{AskedVerdict, Outcome, Recorded, line};
use crate::plan::{PLAN_FILE, TASKS_FILE, master_plan, task_list};
use crate::settings::TrackingDocuments;

/// Writes a file as a whole, where its text is another one: readers see the old text or the new one.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), OrchestrateError> {
    let is_same_size = |it: fs::Metadata| it.is_file() && it.len() == text.len() as u64;
    if fs::metadata(path).is_ok_and(is_same_size) && fs::read(path).is_ok_and(|it| it == text.as_bytes()) {
        return Ok(());
    }
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let failed = |error: std::io::Error| OrchestrateError::file(path, &error);
    fs::write(&beside, text).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)
}

/// Adds an event to `events.jsonl`.
pub(super) fn append(place: &Workplace, recorded: &Recorded) -> Result<(), OrchestrateError> {
    let path = place.exports().join("events.jsonl");
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(format!("{}\n", line(&place.run, recorded)).as_bytes())
    };
    write().map_err(|error| OrchestrateError::file(&path, &error))
}

/// Writes all events anew: those that a killed process kept and did not export are there again.
pub(super) fn rewrite(place: &Workplace, events: &[Recorded]) -> Result<(), OrchestrateError> {
    let text: String = events.iter().map(|it| line(&place.run, it) + "\n").collect();
    write_whole(&place.exports().join("events.jsonl"), &text)
}

/// Writes `STATE.json`, and the documents of the plan with how far each task is.
pub(super) fn write(
    place: &Workplace,
    state: &State,
    documents: TrackingDocuments,
    at: &str,
) -> Result<(), OrchestrateError> {
    let folder = place.exports();
    let text = serde_json::to_string_pretty(&state_json(&place.run, state, at)).unwrap_or_default();
    write_whole(&folder.join("STATE.json"), &(text + "\n"))?;
    if !state.plan.tasks.is_empty() {
        let of_task = |id: &str| state.task(id).map_or("PENDING", super::state::TaskState::status);
        let plan = stamped(state, &master_plan(&state.plan, &|it| of_milestone(state, &it.id)));
        write_whole(&folder.join(PLAN_FILE), &plan)?;
        write_whole(&folder.join(TASKS_FILE), &stamped(state, &task_list(&state.plan, &|it| of_task(&it.id))))?;
        write_whole(&folder.join("REQUIREMENTS.md"), &requirements::checklist(state))?;
        if documents.fix_cycle_log {
            write_whole(&folder.join("FIX_CYCLE_LOG.md"), &handoff::fix_log(state))?;
        }
    }
    if !state.asked.is_empty() {
        write_whole(&folder.join("CONTRACT_E2E_RESULTS.md"), &ask::results(&state.plan.project, &state.asked))?;
    }
    if let Some(health) = &state.health {
        if documents.contract_compliance_matrix {
            let matrix = promises::matrix(&state.plan.project, &health.promises);
            write_whole(&folder.join("CONTRACT_COMPLIANCE_MATRIX.md"), &matrix)?;
        }
        if documents.milestone_handoff {
            write_whole(&folder.join("MILESTONE_HANDOFF.md"), &handoff::handoff(state))?;
        }
    }
    Ok(())
}

/// A document of the plan with the hash of the requirements that it was made of, as its last line.
pub(super) fn stamped(state: &State, text: &str) -> String {
    format!("{text}\n{}\n", stamp(&state.started.text))
}

/// The line that says what a plan was made of.
pub(super) fn stamp(requirements: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(requirements.as_bytes());
    let hex: String = hash
        .iter()
        .take(8)
        .flat_map(|it| [it >> 4, it & 15])
        .filter_map(|it| char::from_digit(it.into(), 16))
        .collect();
    format!("<!-- made of requirements {hex} -->")
}

fn asked(state: &State) -> Value {
    if state.asked.is_empty() {
        return json!({});
    }
    let of = |verdict: AskedVerdict| state.asked.iter().filter(|it| it.verdict == verdict).count();
    json!({
        "total": state.asked.len(),
        "passed": of(AskedVerdict::Passed),
        "failed": of(AskedVerdict::Failed),
        "not_asked": of(AskedVerdict::NotAsked),
    })
}

fn of_milestone(state: &State, id: &str) -> &'static str {
    let mut tasks = state.tasks.iter().filter(|it| it.task.parent == id).peekable();
    if tasks.peek().is_none() {
        return "PENDING";
    }
    let all: Vec<&str> = tasks.map(super::state::TaskState::status).collect();
    if all.contains(&"FAILED") {
        "FAILED"
    } else if all.iter().all(|it| *it == "COMPLETE") {
        "COMPLETE"
    } else if all.iter().all(|it| *it == "PENDING") {
        "PENDING"
    } else {
        "IN_PROGRESS"
    }
}

/// The state as other tools know it (`schema_version` 2).
fn state_json(run: &str, state: &State, at: &str) -> Value {
    let milestones = |status: &str| -> Vec<&str> {
        let all = state.plan.milestones.iter().map(|it| it.id.as_str());
        all.filter(|it| of_milestone(state, it) == status).collect()
    };
    let boxes = requirements::boxes(state);
    let progress: serde_json::Map<String, Value> = state
        .plan
        .milestones
        .iter()
        .map(|it| (it.id.clone(), json!({"status": of_milestone(state, &it.id)})))
        .collect();
    let health = state.health.clone().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "counts of tasks")]
    let ratio = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let merged = state.tasks.iter().filter(|it| matches!(it.standing, Standing::Merged(_))).count();
    let violated = health.contracts_total - health.contracts_verified.min(health.contracts_total);
    let errors: Vec<&String> = state
        .tasks
        .iter()
        .filter_map(|it| if let Standing::Failed(reason) = &it.standing { Some(reason) } else { None })
        .collect();
    json!({
        "schema_version": 2,
        "run_id": run,
        "task": state.started.requirements,
        "depth": state.started.depth,
        "current_phase": state.phase().map_or("", |it| it.0.title()),
        "completed_phases": state.phases.iter().filter(|it| it.1.is_some()).map(|it| it.0.title()).collect::<Vec<_>>(),
        "total_cost": state.ledger.spent().dollars(),
        "artifacts": {},
        "interrupted": state.outcome.is_none() || state.outcome == Some(Outcome::Budget),
        "timestamp": at,
        "convergence_cycles": boxes.review_cycles,
        "requirements_checked": boxes.checked,
        "requirements_total": boxes.total,
        "error_context": errors,
        "milestone_progress": progress,
        "current_milestone": milestones("IN_PROGRESS").first().copied().unwrap_or_default(),
        "completed_milestones": milestones("COMPLETE"),
        "failed_milestones": milestones("FAILED"),
        "milestone_order": state.plan.milestones.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(),
        "completion_ratio": ratio(merged, state.tasks.len()),
        "completed_browser_workflows": [],
        "agent_teams_active": state.backend == "teams",
        "contract_report": {
            "total_contracts": health.contracts_total,
            "verified_contracts": health.contracts_verified,
            "violated_contracts": violated,
            "health": health.verdict,
        },
        "endpoint_test_report": asked(state),
        "registered_artifacts": state.registered,
        "summary": {
            "success": state.outcome == Some(Outcome::Healthy),
            "test_passed": Value::Null,
            "test_total": Value::Null,
            "convergence_ratio": ratio(boxes.checked, boxes.total),
        },
    })
}
