//! The development team as tools: every answer says what happened and what to do next, in words and as data.

mod checkpoints;
mod council;
mod gates;
mod sessions;
mod tasks;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tool::{Call, Effect, Given, Output, Refusal, Tool};
use crate::devteam::agents::Agent;
use crate::devteam::{DevTeam, DevTeamError, Session, Settings, Stage};

pub(super) const INSTRUCTIONS: &str = "\
Work in sessions that are held to the gates of the project. `devteam_start_session`, then `devteam_start_task`; do the work; \
`devteam_report_completion` runs tests, types and linter, and says what comes next: done, once more with what failed, a larger \
model, or the council. Do what the answer says. Only `EXIT_SIGNAL: true` means that the task is done.";

/// Errors of a gate that are shown when the same model goes on.
const SHOWN_ERRORS: usize = 5;
/// Failures that the next attempt is told of, and how much text.
const TOLD_FAILURES: usize = 5;

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    let told = |effect| (effect, Output::Told);
    vec![
        Tool::new(
            "devteam_start_session",
            "Start a session",
            "Starts a session: a command that is worked on task by task, within a number of iterations. Next: devteam_start_task.",
            told(Effect::Adds),
            sessions::start_session,
        ),
        Tool::new(
            "devteam_get_session_status",
            "Where the session stands",
            "Gives the session, its tasks, what was used, and its last ten events.",
            told(Effect::Reads),
            sessions::session_status,
        ),
        Tool::new(
            "devteam_end_session",
            "End the session",
            "Ends the session as completed or failed, or pauses it: a paused one goes on with devteam_start_task.",
            told(Effect::Replaces),
            sessions::end_session,
        ),
        Tool::new(
            "devteam_start_task",
            "Take a task",
            "Takes a task of the plan by its id, or one described here (taskId `adhoc`), and says who works on it, with which \
             model, towards which criteria and within which files. Next: do the work, then devteam_report_completion.",
            told(Effect::Replaces),
            tasks::start_task,
        ),
        Tool::new(
            "devteam_report_completion",
            "Report the work as done",
            "Runs the required gates (tests, types, linter, security) and decides: complete, iterate, escalate, bug_council or \
             failed. Do what the answer says.",
            told(Effect::Replaces),
            tasks::report_completion,
        ),
        Tool::new(
            "devteam_get_context",
            "What was tried",
            "The task, who works on it, the failures so far and the last results of the gates: what the next attempt needs to know.",
            told(Effect::Reads),
            tasks::context,
        ),
        Tool::new(
            "devteam_run_quality_gates",
            "Run gates",
            "Runs gates of the project and decides nothing. Whether the task is done, devteam_report_completion decides.",
            told(Effect::Replaces),
            gates::run_gates,
        ),
        Tool::new(
            "devteam_check_scope",
            "Check files against the scope",
            "Says which of these files the task may not change.",
            told(Effect::Reads),
            gates::check_scope,
        ),
        Tool::new(
            "devteam_bug_council_analyze",
            "Ask the council",
            "Says who of the council is asked, with which perspective, and what is known of the failures. Convenes it once where \
             the task has failed. Next: devteam_bug_council_submit.",
            told(Effect::Replaces),
            council::analyze,
        ),
        Tool::new(
            "devteam_bug_council_submit",
            "Speak in the council",
            "Takes the analysis of one member; once all five are there, each submits again with a ranking of all. Then \
             instant-runoff voting decides, and the answer holds the fix to try.",
            told(Effect::Replaces),
            council::submit,
        ),
        Tool::new(
            "devteam_save_checkpoint",
            "Save a checkpoint",
            "Keeps where the work stands: task, model, iteration, failures. Files are not kept: commit them.",
            told(Effect::Adds),
            checkpoints::save,
        ),
        Tool::new(
            "devteam_restore_checkpoint",
            "Restore a checkpoint",
            "Goes back to where the work stood. Files stay as they are.",
            told(Effect::Replaces),
            checkpoints::restore,
        ),
        Tool::new(
            "devteam_list_checkpoints",
            "List checkpoints",
            "The checkpoints of the session, oldest first.",
            (Effect::Reads, Output::Wrapped(json!({ "type": "array", "items": { "type": "object" } }))),
            checkpoints::checkpoints,
        ),
        Tool::new(
            "devteam_escalate",
            "Hand over to a larger model",
            "Hands the task to the next larger model, or to the council where there is none.",
            told(Effect::Replaces),
            tasks::escalate,
        ),
        Tool::new(
            "devteam_get_agent_info",
            "Describe an agent",
            "An agent of the team by its id: what it does, for which files and kinds of task, with which instructions.",
            told(Effect::Reads),
            agent_info,
        ),
        Tool::new(
            "devteam_record_tokens",
            "Book tokens",
            "Adds tokens that a model used to the session, at the prices of the configuration.",
            told(Effect::Replaces),
            sessions::record_tokens,
        ),
    ]
}

/// An answer in words and as data.
fn told((text, mut data): (String, Value)) -> Given {
    data["text"] = Value::String(text);
    Given { value: data, more: None }
}

fn short(team: &DevTeam, session: &Session) -> Value {
    let now = &session.now;
    json!({
        "id": session.id,
        "command": session.command,
        "commandType": session.command_type,
        "status": session.status,
        "executionMode": if session.is_eco { "eco" } else { "normal" },
        "currentPhase": now.stage,
        "currentAgent": now.agent,
        "currentModel": team.settings.name(now.model),
        "iteration": now.iteration,
        "maxIterations": session.limits.max_iterations,
        "consecutiveFailures": now.failures,
        "tokensInput": session.tokens_input,
        "tokensOutput": session.tokens_output,
        "costCents": session.cost.dollars() * 100.0,
        "createdAt": session.created_at,
        "updatedAt": session.updated_at,
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn stage(stage: Stage) -> String {
    serde_json::to_value(stage).ok().and_then(|it| it.as_str().map(|it| it.replace('_', " "))).unwrap_or_default()
}

/// What was tried and what failed, the last few times.
fn tried(team: &DevTeam, session: &Session) -> String {
    let history = &session.now.history;
    let from = history.len().saturating_sub(TOLD_FAILURES);
    let mut text = String::new();
    if from > 0 {
        let _ = writeln!(text, "{from} earlier failures are left out.");
    }
    for it in &history[from..] {
        let _ = writeln!(
            text,
            "Iteration {} ({}): {} Changed {}. Failed: {}",
            it.iteration,
            team.settings.name(it.model),
            it.summary,
            it.files.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", "),
            it.gates_failed.join(", ")
        );
        for error in it.errors.iter().take(SHOWN_ERRORS) {
            let _ = writeln!(text, "  {error}");
        }
    }
    text
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AgentInfo {
    agent_id: String,
}

fn agent_info(call: &Call<'_>, asked: &AgentInfo) -> Result<Given, Refusal> {
    let agent = call.place.team(|team| {
        team.agents.get(&asked.agent_id).cloned().ok_or_else(|| {
            let ids: Vec<&str> = team.agents.all().map(|it| it.id.as_str()).collect();
            DevTeamError::NotFound(format!("there is no agent `{}`; there is {}", asked.agent_id, ids.join(", ")))
        })
    })?;
    let Agent { id, name, purpose, role, instructions, model, .. } = &agent;
    let text = format!("{name} ({id}), model {model}\n{role}\n{purpose}\n\n{instructions}");
    let data = serde_json::to_value(&agent).map_err(|error| Refusal::new("internal", error.to_string()))?;
    Ok(told((text, data)))
}

/// What can be read besides: address, name, and what it holds.
pub(super) const RESOURCES: [(&str, &str); 4] = [
    ("devteam://agents", "Available Agents"),
    ("devteam://session/current", "Current Session"),
    ("devteam://session/history", "Session History"),
    ("devteam://config", "Configuration"),
];
/// Agents, one by one.
pub(super) const TEMPLATE: (&str, &str) = ("devteam://agents/{id}", "Agent Details");
/// Sessions of the history that are shown.
const SHOWN_SESSIONS: usize = 20;

/// A resource as JSON; none for an address that is none.
pub(super) fn resource(call: &Call<'_>, uri: &str) -> Result<Option<Value>, Refusal> {
    call.place.team(|team| {
        let list = |it: &Agent| json!({ "id": it.id, "name": it.name, "category": it.category, "model": it.model, "purpose": it.purpose });
        Ok(match uri {
            "devteam://agents" => Some(team.agents.all().map(list).collect()),
            "devteam://config" => Some(Settings::document(&team.settings)),
            "devteam://session/current" => match team.current() {
                Ok(session) => Some(json!({
                    "session": short(team, &session), "state": session.now.stage, "task": session.now.task,
                    "tasks": session.ended, "next": session.what_first(),
                })),
                Err(DevTeamError::Refused(_)) => Some(Value::Null),
                Err(error) => return Err(error),
            },
            "devteam://session/history" => {
                let sessions = team.history(SHOWN_SESSIONS)?;
                Some(sessions.iter().map(|it| short(team, it)).collect())
            }
            _ => uri.strip_prefix("devteam://agents/").and_then(|id| team.agents.get(id)).map(|it| json!(it)),
        })
    })
}
