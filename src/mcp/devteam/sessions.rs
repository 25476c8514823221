//! Sessions: begun, shown, ended, and what they cost.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::tool::{Call, Given, Refusal};
use super::{Nothing, short, stage, told};
use crate::devteam::Status;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CommandType {
    Plan,
    Implement,
    Bug,
    Issue,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Normal,
    /// Smaller models first, and more tries before a larger one.
    Eco,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StartSession {
    /// What is to be done, in the words of whoever asked.
    command: String,
    command_type: CommandType,
    execution_mode: Option<Mode>,
}

pub(super) fn start_session(call: &Call<'_>, asked: &StartSession) -> Result<Given, Refusal> {
    let kind = match asked.command_type {
        CommandType::Plan => "plan",
        CommandType::Implement => "implement",
        CommandType::Bug => "bug",
        CommandType::Issue => "issue",
    };
    let is_eco = matches!(asked.execution_mode, Some(Mode::Eco));
    let said = call.place.team(|team| {
        let session = team.start_session(&asked.command, kind, is_eco, None)?;
        let mode = if is_eco { "eco" } else { "normal" };
        let mut text = format!(
            "Session {} has started ({mode}, at most {} iterations a task).\n",
            session.id, session.limits.max_iterations
        );
        let problems = team.settings.problems.iter().chain(&team.agents.problems);
        problems.for_each(|it| {
            let _ = writeln!(text, "Not used: {it}");
        });
        text.push_str("Next: devteam_start_task.");
        Ok((text, json!({ "session": short(team, &session), "next": "devteam_start_task" })))
    })?;
    Ok(told(said))
}

pub(super) fn session_status(call: &Call<'_>, _: &Nothing) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.current()?;
        let events = team.events(&session.id, 10)?;
        let mut text = format!(
            "Session {} ({:?}): {}, iteration {}/{}, model {}.\n",
            session.id,
            session.status,
            stage(session.now.stage),
            session.now.iteration,
            session.limits.max_iterations,
            team.settings.name(session.now.model)
        );
        for it in &session.ended {
            let how = if it.passed { "completed" } else { "failed" };
            let _ = writeln!(text, "Task {}: {how} after {} iterations", it.id, it.iterations);
        }
        if let Some(task) =
            session.now.task.as_ref().filter(|it| session.ended.last().is_none_or(|last| last.id != it.id))
        {
            let _ = writeln!(text, "Task {}: {}", task.id, task.description);
        }
        for it in &events {
            let _ = writeln!(text, "{} {}", it.timestamp, it.event_type);
        }
        text.push_str(&session.what_first());
        let data = json!({
            "session": short(team, &session), "task": session.now.task, "ended": session.ended, "events": events,
        });
        Ok((text, data))
    })?;
    Ok(told(said))
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EndStatus {
    Completed,
    Failed,
    Paused,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EndSession {
    status: EndStatus,
    reason: Option<String>,
}

pub(super) fn end_session(call: &Call<'_>, asked: &EndSession) -> Result<Given, Refusal> {
    let status = match asked.status {
        EndStatus::Completed => Status::Completed,
        EndStatus::Failed => Status::Failed,
        EndStatus::Paused => Status::Paused,
    };
    let said = call.place.team(|team| {
        let session = team.end_session(status, asked.reason.as_deref().unwrap_or_default())?;
        let passed = session.ended.iter().filter(|it| it.passed).count();
        let text = format!(
            "Session {} is {}: {passed} of {} tasks completed, {} tokens in, {} out, {}.{}",
            session.id,
            match status {
                Status::Paused => "paused",
                Status::Failed => "ended as failed",
                _ => "ended as completed",
            },
            session.ended.len(),
            session.tokens_input,
            session.tokens_output,
            session.cost,
            if status == Status::Paused { "\nIt goes on with devteam_start_task." } else { "" }
        );
        Ok((text, json!({ "session": short(team, &session), "tasks": session.ended })))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Tokens {
    model: String,
    #[serde(rename = "inputTokens")]
    input: u64,
    #[serde(rename = "outputTokens")]
    output: u64,
    task_id: Option<String>,
}

pub(super) fn record_tokens(call: &Call<'_>, asked: &Tokens) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.record(&asked.model, asked.input, asked.output, asked.task_id.clone())?;
        let text = format!(
            "{} tokens in, {} out, {} in this session.",
            session.tokens_input, session.tokens_output, session.cost
        );
        let data = json!({
            "tokensInput": session.tokens_input, "tokensOutput": session.tokens_output,
            "costCents": session.cost.dollars() * 100.0,
        });
        Ok((text, data))
    })?;
    Ok(told(said))
}
