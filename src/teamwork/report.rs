//! What a session leaves: one document of everything that was made, and its events as other tools read them.

use std::fmt::Write as _;
use std::fs;
use std::io;

use serde_json::{Value, json};

use super::TeamworkError;
use crate::devteam::{DevTeam, DevTeamError, Session};
use crate::missions::{Judged, Outcome, State};

/// Writes `DELIVERABLE.md` and `trace.jsonl` beside the logs of the session.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write(team: &DevTeam, session: &Session) -> Result<(), TeamworkError> {
    let folder = team.logs(&session.id);
    fs::create_dir_all(&folder).map_err(|error| TeamworkError::file(&folder, &error))?;
    let mut events = Vec::new();
    trace(team, &session.id, &mut events)?.map_err(|error| TeamworkError::file(&folder, &error))?;
    for (name, text) in [("DELIVERABLE.md", deliverable(session).into_bytes()), ("trace.jsonl", events)] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| TeamworkError::file(&path, &error))?;
    }
    Ok(())
}

/// What was made, mission by mission.
pub fn deliverable(session: &Session) -> String {
    let run = &session.missions;
    let mut out = format!("# {}\n\n", session.command.lines().next().unwrap_or_default());
    if run.missions.is_empty() {
        for it in &session.ended {
            let how = if it.passed { "completed" } else { "failed" };
            let _ = writeln!(out, "- task {}: {how} after {} iterations", it.id, it.iterations);
        }
        if let Some(decision) = &session.now.decision {
            let _ = writeln!(out, "- the council: {}. Fix: {}", decision.root_cause, decision.recommended_fix);
        }
        let _ = writeln!(out, "\nCost: {}", session.cost);
        return out;
    }
    let ended = match &run.outcome {
        Some(Outcome::Completed) => "completed".to_owned(),
        Some(Outcome::Terminated(why)) => format!("terminated: {why}"),
        None => "not ended".to_owned(),
    };
    let _ = writeln!(out, "{ended}; taken apart by {}; {} spent\n", run.taken_apart_by, session.cost);
    out.push_str("| mission | role | state | attempts | score | judged by |\n|---|---|---|---|---|---|\n");
    for it in &run.missions {
        let at = &run.standings[&it.id];
        let state = match at.state {
            State::Done => "done",
            State::GivenUp => "given up",
            State::Waiting | State::Working | State::Finished => "open",
        };
        let (score, judged) = at.result.as_ref().map_or((String::new(), String::new()), |result| {
            let who = match result.judged {
                Judged::Model => "a model".to_owned(),
                Judged::Validators if result.unjudged.is_empty() => "validators".to_owned(),
                Judged::Validators => {
                    format!("validators; {} criteria that they cannot look at", result.unjudged.len())
                }
            };
            (format!("{:.0}", result.quality_score), who)
        });
        let _ = writeln!(out, "| {} | {} | {state} | {} | {score} | {judged} |", it.id, at.role, at.attempts);
    }
    for it in &run.missions {
        let Some(result) = &run.standings[&it.id].result else { continue };
        let _ = write!(out, "\n## {}\n\n{}\n\n{}\n", it.id, it.goal, result.output);
        if !result.files.is_empty() {
            let _ = write!(out, "\nFiles: `{}`\n", result.files.join("`, `"));
        }
        if !result.problems.is_empty() {
            let _ = write!(out, "\nWanting: {}\n", result.problems.join("; "));
        }
        let _ = writeln!(out, "\nThe whole: {}", result.place);
    }
    if !run.log.is_empty() {
        out.push_str("\n## Interventions\n\n");
        for (mission, decision) in &run.log {
            let _ = writeln!(out, "- {mission}: {} ({})", decision.intervention.name(), decision.reason);
        }
    }
    out
}

/// The events of a session, a JSON object a line: `{event_id, timestamp, event_type, session_id, data}`. The id of an event is the
/// same whenever it is asked for.
///
/// # Errors
/// Those of the database; those of writing are handed on.
pub fn trace(team: &DevTeam, session: &str, out: &mut impl io::Write) -> Result<io::Result<()>, DevTeamError> {
    let rows = team.bodies(session)?;
    Ok(rows.into_iter().try_for_each(|(row, body)| {
        let data: Value = serde_json::from_str(&body).unwrap_or_default();
        let line = json!({
            "event_id": id(session, row.seq),
            "timestamp": row.timestamp,
            "event_type": row.event_type.to_uppercase(),
            "event_category": row.event_category,
            "session_id": session,
            "data": data,
        });
        writeln!(out, "{line}")
    }))
}

/// A name in the form of a UUID that follows from the session and the number of the event.
fn id(session: &str, seq: i64) -> String {
    let hex = crate::store::digest(&format!("{session}:{seq}"));
    format!("{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
