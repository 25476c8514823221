//! Checkpoints: where the work stood, without the files.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::tool::{Call, Given, Refusal};
use super::{Nothing, short, stage, told};
use crate::devteam::Checkpoint;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Save {
    /// Default: `Manual checkpoint`.
    description: Option<String>,
}

pub(super) fn save(call: &Call<'_>, asked: &Save) -> Result<Given, Refusal> {
    let description = asked.description.as_deref().unwrap_or("Manual checkpoint");
    let said = call.place.team(|team| {
        let (session, id) = team.save(description)?;
        let text = format!("Checkpoint {id}: where the work stands is kept. Files are not: commit them.");
        Ok((text, json!({ "checkpointId": id, "description": description, "session": short(team, &session) })))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Restore {
    checkpoint_id: String,
}

pub(super) fn restore(call: &Call<'_>, asked: &Restore) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.restore(&asked.checkpoint_id)?;
        let text = format!(
            "The work stands where it stood at {}: {}. Files were not restored.\n{}",
            asked.checkpoint_id,
            stage(session.now.stage),
            session.what_first()
        );
        Ok((text, json!({ "session": short(team, &session), "task": session.now.task })))
    })?;
    Ok(told(said))
}

pub(super) fn checkpoints(call: &Call<'_>, _: &Nothing) -> Result<Given, Refusal> {
    call.place.team(|team| {
        let session = team.current()?;
        let row = |it: &Checkpoint| json!({ "id": it.id, "createdAt": it.created_at, "description": it.description });
        Ok(Given { value: session.checkpoints.iter().map(row).collect(), more: None })
    })
}
