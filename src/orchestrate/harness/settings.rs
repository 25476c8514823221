//! `.claude/settings.local.json`: our hooks and permissions among those of others
//! (<https://code.claude.com/docs/en/hooks>; shapes measured of Claude Code 2.1.330).

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::hook::Hook;
use crate::process::shell_word;

/// What an agent may do without being asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    pub allow: Vec<String>,
    /// Wins over `allow`.
    pub deny: Vec<String>,
}

/// The events that lead to us: the event, which tools it is about, our hook.
const HOOKS: [(&str, Option<&str>, Hook); 5] = [
    ("SessionStart", None, Hook::SessionStart),
    ("Stop", None, Hook::Stop),
    ("TaskCompleted", None, Hook::TaskCompleted),
    ("TeammateIdle", None, Hook::TeammateIdle),
    ("PostToolUse", Some("Write|Edit|MultiEdit|NotebookEdit"), Hook::PostToolUse),
];

/// Seconds after which the client goes on without an answer of ours.
const TIME_LIMIT: u32 = 30;

/// The text of a settings file with our hooks and permissions in it: all other keys, and hooks of others, as they are. The same
/// again changes nothing.
///
/// # Errors
/// Why the text that is there cannot be added to: it is no JSON object, or a key holds something else than hooks.
pub fn merged(old: Option<&str>, ours: &Path, permissions: &Permissions) -> Result<String, String> {
    let ours = shell_word(&ours.display().to_string());
    let commands = HOOKS.map(|(event, tools, hook)| Command {
        event,
        tools,
        command: format!("{ours} hook {}", hook.name()),
        status: (hook == Hook::Stop).then_some("Running quality gate..."),
    });
    with_hooks(old, &commands, permissions)
}

/// A command that the client runs when something happens.
#[derive(Clone, Debug)]
pub struct Command {
    /// `Stop`
    pub event: &'static str,
    /// Which tools it is about.
    pub tools: Option<&'static str>,
    pub command: String,
    /// What the client shows meanwhile.
    pub status: Option<&'static str>,
}

/// The text of a settings file with these hooks and permissions in it, as [`merged`].
///
/// # Errors
/// Those of [`merged`].
pub fn with_hooks(old: Option<&str>, commands: &[Command], permissions: &Permissions) -> Result<String, String> {
    let mut whole: Value = match old.map(|it| it.trim_start_matches('\u{feff}').trim()) {
        None | Some("") => json!({}),
        Some(text) => serde_json::from_str(text).map_err(|error| format!("is no JSON ({error})"))?,
    };
    let top = whole.as_object_mut().ok_or("is no JSON object")?;
    let hooks = object(top, "hooks")?;
    for it in commands {
        let list = list(hooks, it.event)?;
        let mut entry = json!({ "type": "command", "command": it.command, "timeout": TIME_LIMIT });
        if let Some(status) = it.status {
            entry["statusMessage"] = status.into();
        }
        let mut group = json!({ "hooks": [entry] });
        if let Some(tools) = it.tools {
            group["matcher"] = tools.into();
        }
        if !list.contains(&group) {
            list.push(group);
        }
    }
    let held = object(top, "permissions")?;
    for (key, rules) in [("allow", &permissions.allow), ("deny", &permissions.deny)] {
        if rules.is_empty() {
            continue;
        }
        let list = list(held, key)?;
        for rule in rules {
            if !list.iter().any(|it| it == rule) {
                list.push(rule.as_str().into());
            }
        }
    }
    if held.is_empty() {
        top.shift_remove("permissions");
    }
    Ok(serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n")
}

fn object<'m>(map: &'m mut Map<String, Value>, key: &str) -> Result<&'m mut Map<String, Value>, String> {
    map.entry(key)
        .or_insert_with(|| json!({}))
        .as_object_mut()
        .ok_or_else(|| format!("has a `{key}` that is no object"))
}

fn list<'m>(map: &'m mut Map<String, Value>, key: &str) -> Result<&'m mut Vec<Value>, String> {
    map.entry(key).or_insert_with(|| json!([])).as_array_mut().ok_or_else(|| format!("has a `{key}` that is no list"))
}
