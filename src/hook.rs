//! Answers to the hooks of a coding agent, from one small file that the runner keeps up to date: no database, no scan.
//!
//! A hook fails open in every agent (time, broken settings, a cap of blocks), so an answer is early feedback and nothing more: the
//! runner judges what was left all the same. What the file does not say is never a reason to block.

mod team;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::plan::Scope;

/// Name of the variable that holds the path of the gate file.
pub const GATE: &str = "TREATY_GATE";
/// Name of the variable that holds the task of a session that works on one task alone.
pub const TASK: &str = "TREATY_TASK";
/// What [`TASK`] says for a session of several agents, which work on several tasks.
pub const TEAM: &str = "team";

pub use team::client_folder;

/// How far a run is, as far as hooks ask.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gate {
    pub run: String,
    /// Tasks that are neither merged nor failed.
    pub open: usize,
    /// The first of the open tasks.
    pub first_open: Vec<String>,
    /// The first of the tasks that nobody works on and that could start.
    pub ready: Vec<String>,
    /// Tasks whose last attempt was not accepted, with the reasons.
    pub refused: Vec<Refused>,
    /// Tasks that somebody works on, with what each may change.
    pub active: Vec<Active>,
    /// Boxes of the requirements, ticked and all.
    pub checked: usize,
    pub total: usize,
    /// Share of the boxes from which on a run is healthy.
    pub threshold: f64,
    /// Errors that the last pass of the stages left.
    pub errors: usize,
    /// Verdict over the run; empty before there is one.
    pub health: String,
}

/// A task whose last attempt was not accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    pub task: String,
    pub reasons: Vec<String>,
}

/// A task that somebody works on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Active {
    pub task: String,
    /// Absolute path of the checkout.
    pub worktree: PathBuf,
    pub scope: Scope,
}

/// A hook of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    Stop,
    TaskCompleted,
    TeammateIdle,
    PostToolUse,
    SessionStart,
}

impl Hook {
    /// As on the command line, and as the log is called.
    pub fn name(self) -> &'static str {
        match self {
            Hook::Stop => "stop",
            Hook::TaskCompleted => "task-completed",
            Hook::TeammateIdle => "teammate-idle",
            Hook::PostToolUse => "post-tool-use",
            Hook::SessionStart => "session-start",
        }
    }
}

/// Why the agent is to go on, for the agent to read; none where the agent may do what it was about to do.
///
/// Input: the payload of the hook (fields as measured of Claude Code 2.1.330), the gate file, and the task of the session where
/// the session works on one task alone.
pub fn block(hook: Hook, payload: &Value, gate: &Gate, own: Option<&str>) -> Option<String> {
    match hook {
        Hook::Stop => stop(payload, gate, own),
        Hook::TaskCompleted => completed(payload, gate),
        // A team has a list of its own: what else the run waits for is not for its agents.
        Hook::TeammateIdle if own == Some(TEAM) => team::waiting(payload, &team::client_folder()),
        Hook::TeammateIdle if gate.ready.is_empty() => None,
        Hook::TeammateIdle => Some(format!("tasks that nobody works on: {}", gate.ready.join(", "))),
        Hook::PostToolUse => outside(payload, gate, own?),
        Hook::SessionStart => None,
    }
}

fn stop(payload: &Value, gate: &Gate, own: Option<&str>) -> Option<String> {
    // The agent was held once already for this stop. A session for one task cannot settle the run: its task stays open until the
    // runner has judged what the session left.
    if payload["stop_hook_active"] == true || own.is_some() {
        return None;
    }
    let mut reasons = Vec::new();
    if gate.open > 0 {
        reasons.push(format!("{} tasks are open: {}", gate.open, gate.first_open.join(", ")));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of requirements")]
    if gate.total > 0 && (gate.checked as f64) < gate.threshold * gate.total as f64 {
        let wanted = gate.threshold * 100.0;
        reasons.push(format!("{} of {} requirements are met, {wanted:.0} % are wanted", gate.checked, gate.total));
    }
    if gate.errors > 0 {
        reasons.push(format!("{} errors of the scan are left", gate.errors));
    }
    if gate.health == "failed" {
        reasons.push("the health of the run is `failed`".to_owned());
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// A task is called done whose last attempt was not accepted.
fn completed(payload: &Value, gate: &Gate) -> Option<String> {
    let subject = payload["task_subject"].as_str()?;
    let names = |id: &str| subject.split(|c: char| !c.is_alphanumeric() && !"-_".contains(c)).any(|it| it == id);
    let refused = gate.refused.iter().find(|it| names(&it.task))?;
    Some(format!("{} was not accepted: {}", refused.task, refused.reasons.join("; ")))
}

/// A file was written that the task may not change.
fn outside(payload: &Value, gate: &Gate, own: &str) -> Option<String> {
    if !matches!(payload["tool_name"].as_str()?, "Write" | "Edit" | "MultiEdit" | "NotebookEdit") {
        return None;
    }
    let input = &payload["tool_input"];
    let path = Path::new(input["file_path"].as_str().or_else(|| input["notebook_path"].as_str())?);
    let of_team = |it: &&Active| own == TEAM && path.starts_with(&it.worktree);
    let active = gate.active.iter().find(|it| it.task == own || of_team(it))?;
    // The agent may have changed its folder: `cwd` of the payload is not the root.
    let mut names = Vec::new();
    for part in path.strip_prefix(&active.worktree).ok()?.components() {
        match part {
            Component::Normal(name) => names.push(name.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    let path = names.join("/");
    (!active.scope.permits(&path))
        .then(|| format!("{path} is outside of what {} may change, and will be left out", active.task))
}

/// What a hook answers: the exit code is 2 where there is a reason to block, else 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// For the agent.
    pub block: Option<String>,
    /// For whoever looks after the agent.
    pub warning: Option<String>,
}

/// The answer to a hook: from the text on its standard input, the path in [`GATE`] and the task in [`TASK`]. Input that is no
/// payload, and a gate file that is not there or not readable, give a warning and never block.
pub fn answer(hook: Hook, input: &str, gate: Option<&Path>, own: Option<&str>) -> Answer {
    let warn = |text: String| Answer { block: None, warning: Some(text) };
    let payload = match serde_json::from_str::<Value>(input) {
        Ok(it) if it["hook_event_name"].is_string() => it,
        Ok(_) => return warn("the input has no `hook_event_name`".to_owned()),
        Err(error) => return warn(format!("the input is no JSON: {error}")),
    };
    let Some(path) = gate else { return warn(format!("{GATE} is not set: nothing is known of a run")) };
    let read = fs::read_to_string(path).map_err(|it| it.to_string());
    let gate = match read.and_then(|text| serde_json::from_str::<Gate>(&text).map_err(|it| it.to_string())) {
        Ok(it) => it,
        Err(error) => return warn(format!("{}: {error}", path.display())),
    };
    let mut block = block(hook, &payload, &gate, own);
    // An agent that does not take its task for all that is not asked for ever.
    if hook == Hook::TeammateIdle && path.parent().is_some_and(|it| team::was_held(&it.join("hooks"), &payload)) {
        block = None;
    }
    let kept = path.parent().map(|folder| keep(&folder.join("hooks"), hook, &payload, block.as_deref()));
    let warning = kept.and_then(Result::err).map(|error| format!("the log of hooks cannot be written: {error}"));
    Answer { block, warning }
}

/// A log that is longer is cut.
const LINES: usize = 1000;
/// Lines that are left of a log that was cut.
const LEFT: usize = 500;

/// Adds a line to the log of a hook. Texts of files and messages are not kept.
fn keep(folder: &Path, hook: Hook, payload: &Value, block: Option<&str>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let mut line = json!({"timestamp": since.map_or(0, |it| it.as_secs()), "block": block});
    for field in
        ["session_id", "tool_name", "task_id", "task_subject", "teammate_name", "team_name", "stop_hook_active"]
    {
        if let Some(value) = payload.get(field) {
            line[field] = value.clone();
        }
    }
    let path = folder.join(format!("{}.jsonl", hook.name()));
    // Several sessions answer at a time: who cuts the log must not lose what another one adds.
    let lock = OpenOptions::new().create(true).append(true).open(folder.join("lock"))?;
    lock.lock()?;
    OpenOptions::new().create(true).append(true).open(&path)?.write_all(format!("{line}\n").as_bytes())?;
    let text = fs::read_to_string(&path)?;
    let count = text.lines().count();
    if count > LINES {
        let rest: String = text.lines().skip(count - LEFT).flat_map(|it| [it, "\n"]).collect();
        let beside = path.with_extension("part");
        fs::write(&beside, rest)?;
        fs::rename(&beside, &path)?;
    }
    Ok(())
}
