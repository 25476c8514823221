//! The files of a development team.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::new;
use crate::cli::Outcome;
use crate::cli::failure::Failure;
use crate::cli::output::deliver;
use crate::devteam::agents;
use crate::mcp::Server;
use crate::mcp::clients::{self, Client};
use crate::missions as roles;
use crate::orchestrate::harness::{Command, Permissions, with_hooks};

const CONFIG: &str = "\
# How the development team works. Everything that is left out has the value that stands here.
orchestration:
  maxIterations: 10        # evaluations of a task
  escalationThreshold: 2   # failures in a row before a larger model takes over
  stuckDetection: true     # the same error, or the same files without progress, three times
models:
  haiku: {name: haiku}
  sonnet: {name: sonnet}
  opus: {name: opus}
ecoMode:
  escalationThreshold: 4
qualityGates:              # `command` takes the place of the one that is found
  tests: {required: true}
  typecheck: {required: true}
  lint: {required: true}
  security: {required: true}
  coverage: {required: false}
leader: {enabled: false, qualityThreshold: 70, maxMissionRetries: 3}
safety: {maxIterations: 50, maxDurationHours: 8}
costControl: {enabled: false, maxBudgetUsd: 10}
network: false             # roles may look things up outside
";

/// Writes what is not there yet, and says what that is.
///
/// # Errors
/// A file that cannot be read or written, or that is not what its name says.
pub(super) fn run(root: &Path) -> Result<Outcome, Failure> {
    let mut lines = vec![servers(root)?, hooks(root)?];
    for (category, id, text) in agents::own() {
        lines.push(new(root, &format!("agents/{category}/{id}.md"), text)?);
    }
    for (name, text) in roles::own() {
        lines.push(new(root, &format!(".devteam/roles/{name}.yaml"), text)?);
    }
    lines.push(new(root, ".devteam/config.yaml", CONFIG)?);
    deliver(None, |out| {
        lines.iter().try_for_each(|it| writeln!(out, "{it}"))?;
        writeln!(out, "\nNext: `treaty team check`, then start your agent in this folder; it has the server `devteam`.")
    })?;
    Ok(Outcome::Clean)
}

/// Adds the hook that holds an agent which wants to end while its task is under way; hooks and keys of others stay.
fn hooks(root: &Path) -> Result<String, Failure> {
    const NAME: &str = ".claude/settings.json";
    let path = root.join(NAME);
    let old = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::said(format!("{}: {error}", path.display()), "check who may read there")),
    };
    let stop = Command {
        event: "Stop",
        tools: None,
        command: "treaty hook session-stop".to_owned(),
        status: Some("Looking at the session of the team..."),
    };
    let text = with_hooks(old.as_deref(), &[stop], &Permissions::default())
        .map_err(|why| Failure::said(format!("{} {why}", path.display()), "mend the file, or take it away"))?;
    // A file that says the same in another layout is left alone.
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    match old {
        None => new(root, NAME, &text),
        Some(old) if value(&old) == value(&text) => Ok(format!("kept  {NAME}")),
        Some(_) => {
            fs::write(&path, text)
                .map_err(|error| Failure::said(format!("{}: {error}", path.display()), "check who may write there"))?;
            Ok(format!("wrote {NAME}: one hook more"))
        }
    }
}

/// Adds the servers to `.mcp.json` that it does not name yet.
fn servers(root: &Path) -> Result<String, Failure> {
    let refused = |error: clients::ClientError| {
        Failure::said(error.to_string(), "`treaty mcp config devteam` prints the entry, to be written there by hand")
    };
    let all = [&Server::EACH[..], &[Server::DevTeam]].concat();
    let known = clients::merge(Client::Claude, root, "treaty", &all).map_err(refused)?;
    let is_new = |server: &&Server| known.entries.iter().any(|(name, old, _)| name == server.key() && old.is_none());
    let missing: Vec<Server> = all.iter().filter(is_new).copied().collect();
    if missing.is_empty() {
        return Ok("kept  .mcp.json".to_owned());
    }
    clients::merge(Client::Claude, root, "treaty", &missing).and_then(|it| it.write()).map_err(refused)?;
    let names: Vec<&str> = missing.iter().map(|it| it.key()).collect();
    Ok(format!("wrote .mcp.json: {}", names.join(", ")))
}
