//! Tasks: taken, reported, handed over.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::tool::{Call, Given, Refusal};
use super::gates::{errors, word};
use super::{Nothing, SHOWN_ERRORS, TOLD_FAILURES, short, told, tried};
use crate::devteam::{DevTeam, DevTeamError, Refused, Session, Verdict, Work};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StartTask {
    /// Id of a task of the plan, or `adhoc`.
    task_id: String,
    /// What is to be done; needed for `adhoc`.
    description: Option<String>,
    /// How it is known that the task is done; needed for `adhoc`.
    acceptance_criteria: Option<Vec<String>>,
    /// Patterns of files that may be changed. Default: those of the plan; no restriction for `adhoc`.
    scope_files: Option<Vec<String>>,
    /// 1 to 14. Default for `adhoc`: 5.
    complexity: Option<u8>,
}

pub(super) fn start_task(call: &Call<'_>, asked: &StartTask) -> Result<Given, Refusal> {
    let work = Work {
        id: asked.task_id.clone(),
        description: asked.description.clone().unwrap_or_default(),
        acceptance_criteria: asked.acceptance_criteria.clone().unwrap_or_default(),
        scope_files: asked.scope_files.clone().unwrap_or_default(),
        complexity: asked.complexity.unwrap_or(5).clamp(1, 14),
    };
    let said = call.place.team(|team| {
        let started = team.start_task(work)?;
        let session = &started.session;
        let agent = team.agents.get(&session.now.agent).cloned().unwrap_or_default();
        let task = session.now.task.clone().unwrap_or_default();
        let mut text = format!(
            "Task {}: {}\nAgent: {} ({}). Model: {}. Iteration {}/{}.\n",
            task.id,
            task.description,
            agent.name,
            agent.id,
            team.settings.name(session.now.model),
            session.now.iteration,
            session.limits.max_iterations
        );
        let _ = writeln!(text, "Chosen because: {}", started.reasoning);
        if !started.support.is_empty() {
            let _ = writeln!(text, "Have a look at the result as: {}", started.support.join(", "));
        }
        let _ = writeln!(text, "\nRole: {}\nPurpose: {}\n\n{}\n", agent.role, agent.purpose, agent.instructions);
        for (at, it) in task.acceptance_criteria.iter().enumerate() {
            let _ = writeln!(text, "{}. {it}", at + 1);
        }
        let scope = if task.scope_files.is_empty() { "no restriction".to_owned() } else { task.scope_files.join(", ") };
        let _ = write!(text, "Scope: {scope}\nNext: do the work, then devteam_report_completion.");
        let data = json!({
            "session": short(team, session), "task": task, "agent": agent, "support": started.support,
            "next": "devteam_report_completion",
        });
        Ok((text, data))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Report {
    /// Paths below the project's folder.
    files_changed: Vec<String>,
    summary: String,
}

pub(super) fn report_completion(call: &Call<'_>, asked: &Report) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.report(&asked.files_changed, &asked.summary)?;
        Ok(decided(team, &session))
    })?;
    Ok(told(said))
}

/// What an evaluation came to, in words and as data.
fn decided(team: &DevTeam, session: &Session) -> (String, Value) {
    let now = &session.now;
    let model = team.settings.name(now.model).to_owned();
    let logs = team.logs(&session.id);
    let at = format!("Iteration {}/{}.", now.iteration, session.limits.max_iterations);
    let (decision, mut text, next) = match &session.verdict {
        Some(Verdict::Complete) => {
            let ran: Vec<String> = now.gates.iter().map(|it| format!("{}: {}", it.gate, word(it.verdict))).collect();
            let text = format!(
                "The task is complete: every gate that could run passes ({}).\nNext: devteam_start_task for another task, or \
                 devteam_end_session.\nEXIT_SIGNAL: true",
                ran.join(", ")
            );
            ("complete", text, "devteam_start_task or devteam_end_session")
        }
        Some(Verdict::Iterate { reason }) => (
            "iterate",
            format!("Not done: {reason}. {at}\n{}", errors(&now.gates, SHOWN_ERRORS)),
            "mend this, then devteam_report_completion",
        ),
        Some(Verdict::Escalate { reason, .. }) => (
            "escalate",
            format!("Not done: {reason}. The model {model} takes over. {at}\n{}", errors(&now.gates, usize::MAX)),
            "hand the task to this model, then devteam_report_completion",
        ),
        Some(Verdict::Council { reason }) => (
            "bug_council",
            format!("Not done: {reason}. Stop guessing: the council looks for the cause. {at}\n"),
            "devteam_bug_council_analyze",
        ),
        Some(Verdict::Fail { reason, is_halt }) => (
            "failed",
            format!("The task has failed: {reason}. {at}\n{}", errors(&now.gates, SHOWN_ERRORS)),
            if *is_halt || now.is_last_council {
                "devteam_end_session"
            } else {
                "devteam_bug_council_analyze once, or devteam_end_session"
            },
        ),
        None => ("none", session.what_first(), ""),
    };
    if decision != "complete" && decision != "none" {
        let _ = write!(text, "The whole of what the gates say: {}\nNext: {next}.", logs.display());
    }
    let data = json!({
        "decision": decision,
        "reason": match &session.verdict {
            Some(
                Verdict::Iterate { reason } | Verdict::Escalate { reason, .. } | Verdict::Council { reason }
                | Verdict::Fail { reason, .. },
            ) => reason.clone(),
            _ => String::new(),
        },
        "model": model,
        "session": short(team, session),
        "gates": now.gates,
        "logs": logs,
        "nextInstructions": next,
    });
    (text, data)
}

pub(super) fn context(call: &Call<'_>, _: &Nothing) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.current()?;
        let now = &session.now;
        let Some(task) = &now.task else {
            return Err(DevTeamError::from(Refused(session.what_first())));
        };
        let mut text = format!(
            "Task {}: {}\nAgent {}, model {}, iteration {}/{}.\n",
            task.id,
            task.description,
            now.agent,
            team.settings.name(now.model),
            now.iteration,
            session.limits.max_iterations
        );
        text.push_str(&tried(team, &session));
        if !now.plan.is_empty() {
            let _ = writeln!(text, "The plan:\n{}", now.plan);
        }
        if let Some(decision) = &now.decision {
            let _ = writeln!(text, "The council: {}. Fix: {}", decision.root_cause, decision.recommended_fix);
        }
        let from = now.history.len().saturating_sub(TOLD_FAILURES);
        let data = json!({
            "task": task, "agent": now.agent, "model": team.settings.name(now.model), "iteration": now.iteration,
            "failureHistory": &now.history[from..], "failuresLeftOut": from, "gateResults": now.gates,
            "council": now.decision, "plan": now.plan,
        });
        Ok((text, data))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Escalate {
    reason: String,
    /// Default: the next larger one.
    to_model: Option<String>,
}

pub(super) fn escalate(call: &Call<'_>, asked: &Escalate) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.escalate(&asked.reason, asked.to_model.as_deref())?;
        let Some((from, to, _)) = session.escalations.last() else {
            return Ok((session.what_first(), json!({})));
        };
        let from = team.settings.name(*from);
        let to = to.map_or("bug_council", |it| team.settings.name(it));
        let next = if to == "bug_council" { "devteam_bug_council_analyze" } else { "devteam_report_completion" };
        let text = format!("From {from} to {to}.\n{}Next: {next}.", tried(team, &session));
        Ok((text, json!({ "fromModel": from, "toModel": to, "next": next })))
    })?;
    Ok(told(said))
}
