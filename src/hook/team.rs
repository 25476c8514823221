//! What the list of tasks of a team says to an agent that is about to be idle (files as measured of Claude Code 2.1.330).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder where the client keeps what is its own.
pub fn client_folder() -> PathBuf {
    let named = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|it| !it.is_empty());
    named.map_or_else(|| std::env::home_dir().unwrap_or_default().join(".claude"), PathBuf::from)
}

/// Tasks of the list that wait for this agent, or for anybody, and that nothing blocks; none where nobody can tell.
pub(super) fn waiting(payload: &Value, client: &Path) -> Option<String> {
    let (agent, team) = (payload["teammate_name"].as_str()?, payload["team_name"].as_str()?);
    if team.contains(['/', '\\', '.']) {
        return None;
    }
    let files = fs::read_dir(client.join("tasks").join(team)).ok()?;
    let files = files.flatten().map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| serde_json::from_str::<Value>(&fs::read_to_string(path).ok()?).ok();
    let tasks: Vec<Value> = files.filter_map(read).collect();
    let is_open = |id: &Value| tasks.iter().any(|it| it["id"] == *id && it["status"] != "completed");
    let is_free = |it: &&Value| !it["blockedBy"].as_array().is_some_and(|all| all.iter().any(is_open));
    let is_its = |it: &&Value| it["owner"].as_str().is_none_or(|owner| owner.is_empty() || owner == agent);
    let pending = tasks.iter().filter(|it| it["status"] == "pending").filter(is_its).filter(is_free);
    let mut names: Vec<&str> = pending.filter_map(|it| it["subject"].as_str()).collect();
    names.sort_unstable();
    (!names.is_empty()).then(|| format!("pending tasks that nothing blocks: {}", names.join(", ")))
}

/// How often an agent is held when it is about to be idle.
const HOLDS: usize = 3;

/// Whether an agent was held as often as it may be, by the log of the hook.
pub(super) fn was_held(logs: &Path, payload: &Value) -> bool {
    let text = fs::read_to_string(logs.join("teammate-idle.jsonl")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_it = |it: &Value| ["session_id", "teammate_name"].iter().all(|key| it[*key] == payload[*key]);
    lines.filter(|it| is_it(it) && !it["block"].is_null()).count() >= HOLDS
}
