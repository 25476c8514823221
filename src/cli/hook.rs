//! `treaty hook`: answers to the hooks of a coding agent.

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
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
    };
    let mut input = Vec::new();
    if !io::stdin().is_terminal() {
        // What cannot be read is no JSON, and is told as such.
        let _ = io::stdin().lock().take(LONGEST).read_to_end(&mut input);
    }
    let gate = env::var_os(GATE).map(PathBuf::from);
    let own = env::var(TASK).ok();
    let Answer { block, warning } = answer(hook, &String::from_utf8_lossy(&input), gate.as_deref(), own.as_deref());
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
    if let Some(reason) = block {
        let _ = writeln!(errors, "{reason}");
        // Exit code 2 is what makes an agent go on.
        return Ok(Outcome::CouldNotRun);
    }
    deliver(None, |out| out.write_all(b"{}\n"))?;
    Ok(Outcome::Clean)
}
