//! `treaty hook`: answers to the hooks of a coding agent.

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use super::team::places;
use crate::devteam::DevTeam;
use crate::hook::{Answer, GATE, Hook, TASK, answer};

#[derive(Debug, Args)]
pub(super) struct HookArgs {
    /// The hook that the agent calls
    hook: Name,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    Stop,
    TaskCompleted,
    TeammateIdle,
    PostToolUse,
    SessionStart,
    PermissionRequest,
    /// The end of an answer, in a project with a session of the development team
    SessionStop,
}

/// A payload that is longer is not read to its end, and is no JSON then.
const LONGEST: u64 = 16 << 20;

pub(super) fn run(arguments: &HookArgs) -> Result<Outcome, Failure> {
    let hook = match arguments.hook {
        Name::Stop => Hook::Stop,
        Name::TaskCompleted => Hook::TaskCompleted,
        Name::TeammateIdle => Hook::TeammateIdle,
        Name::PostToolUse => Hook::PostToolUse,
        Name::SessionStart => Hook::SessionStart,
        Name::PermissionRequest => Hook::PermissionRequest,
        Name::SessionStop => return session_stop(),
    };
    let input = payload();
    let gate = env::var_os(GATE).map(PathBuf::from);
    let own = env::var(TASK).ok();
    let Answer { block, warning } = answer(hook, &input, gate.as_deref(), own.as_deref());
    let mut errors = io::stderr().lock();
    if let Some(warning) = warning {
        let _ = writeln!(errors, "warning: {warning}");
    }
    if let (Hook::PermissionRequest, Some(reason)) = (hook, &block) {
        let decision = json!({"behavior": "deny", "message": reason});
        let answer = json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
        deliver(None, |out| writeln!(out, "{answer}"))?;
        return Ok(Outcome::Clean);
    }
    answered(block)
}

/// What the agent says of the hook, as far as it can be read.
fn payload() -> String {
    let mut input = Vec::new();
    if !io::stdin().is_terminal() {
        // What cannot be read is no JSON, and is told as such.
        let _ = io::stdin().lock().take(LONGEST).read_to_end(&mut input);
    }
    String::from_utf8_lossy(&input).into_owned()
}

/// Holds an agent once that wants to end while its task is under way. A session that nobody has touched for hours holds nobody, and
/// whatever goes wrong neither.
fn session_stop() -> Result<Outcome, Failure> {
    let payload: serde_json::Value = serde_json::from_str(&payload()).unwrap_or_default();
    if payload["stop_hook_active"] == true {
        return answered(None);
    }
    let root = payload["cwd"].as_str().map(PathBuf::from).or_else(|| env::current_dir().ok()).unwrap_or_default();
    let places = places(&root);
    let open = || -> Option<String> {
        let team = places.database.is_file().then(|| DevTeam::open(&places).ok())??;
        let session = team.at_work().ok()??;
        Some(format!("The session {} of the development team: {}", session.id, session.what_first()))
    };
    answered(open())
}

/// Tells the agent why it is held; lets it go where there is no reason.
fn answered(block: Option<String>) -> Result<Outcome, Failure> {
    if let Some(reason) = block {
        let _ = writeln!(io::stderr().lock(), "{reason}");
        // Exit code 2 is what makes an agent go on.
        return Ok(Outcome::CouldNotRun);
    }
    deliver(None, |out| out.write_all(b"{}\n"))?;
    Ok(Outcome::Clean)
}
