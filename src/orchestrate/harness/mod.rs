//! What an agent's client finds in a worktree: hooks that lead to us, what it may do, a brief, our servers. Nothing of it enters a
//! diff: it is taken back before the work is judged, and what was there before is there again.

mod settings;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::excerpt;
use super::executors::Job;
use super::research::{names, technologies_of};
use super::roles::{self, Role};
use crate::mcp::Server;
use crate::process::shell_word;
use crate::settings::EngineServer;
use crate::technologies::rule_files;

pub use settings::{Command, Permissions, merged, with_hooks};

/// Our part of a brief stands between these; the text around them is somebody else's.
const START: &str = "<!-- AGENT-TEAMS-START -->";
const END: &str = "<!-- AGENT-TEAMS-END -->";

/// Folders above a file that may have been made for it: `.claude/memory/rules`.
const MADE_FOLDERS: usize = 3;

/// Longest brief, in bytes: an agent reads it with each request. What is left out is said.
const LONGEST_BRIEF: usize = 16_000;

/// Files that were put into a worktree, with what was there before. Taken back when dropped.
#[derive(Debug, Default)]
pub(super) struct Harness {
    before: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Harness {
    /// Puts settings and the brief of a role into the worktree of a job.
    ///
    /// # Errors
    /// Settings that are there and malformed, a link in the place of a folder, a file that cannot be written.
    pub(super) fn place(
        job: &Job<'_>,
        role: Role,
        servers: &[Server],
        permissions: &Permissions,
    ) -> Result<Harness, String> {
        let mut it = Harness::default();
        let folder = job.worktree.join(".claude");
        if fs::symlink_metadata(&folder).is_ok_and(|it| !it.is_dir()) {
            return Err(format!("{} is no folder", folder.display()));
        }
        let ours = std::env::current_exe().map_err(|error| format!("our own program is not found: {error}"))?;
        let path = folder.join("settings.local.json");
        let text = merged(read(&path)?.as_deref(), &ours, permissions)
            .map_err(|why| format!("{} {why}, and is left as it is", path.display()))?;
        it.put(&path, &text)?;
        let path = folder.join("CLAUDE.md");
        let brief = roles::brief(role, job, servers, roles::MOST_CONTRACTS);
        let brief = excerpt::bounded(&brief, LONGEST_BRIEF, "this brief");
        it.put(&path, &within(read(&path)?.as_deref().unwrap_or(""), &brief))?;
        let rules = folder.join("memory").join("rules");
        let names = job.plan.service(&job.task.service).map(|it| names(&job.worktree.join(&it.folder)));
        for (name, text) in rule_files(&technologies_of(job), &names.unwrap_or_default(), job.at) {
            it.put(&rules.join(name), &text)?;
        }
        Ok(it)
    }

    fn put(&mut self, path: &Path, text: &str) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(told)?;
        }
        if fs::symlink_metadata(path).is_ok_and(|it| !it.is_file()) {
            return Err(format!("{} is no file", path.display()));
        }
        self.before.push((path.to_owned(), fs::read(path).ok()));
        fs::write(path, text).map_err(told)
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        for (path, before) in self.before.drain(..).rev() {
            // The worktree may be gone, and what is left over is outside of the task's scope.
            let _ = match before {
                Some(text) => fs::write(&path, text),
                None => fs::remove_file(&path),
            };
            // Folders that were made for it; one that holds something stays.
            let made = path.ancestors().skip(1).take(MADE_FOLDERS);
            let _ = made.map(fs::remove_dir).take_while(Result::is_ok).count();
        }
    }
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// A text with our part in it: in the place of what stood between the marks, else at its end.
fn within(text: &str, ours: &str) -> String {
    let ours = format!("{START}\n{ours}\n{END}\n");
    match (text.find(START), text.find(END)) {
        (Some(start), Some(end)) if start < end => {
            let rest = text[end + END.len()..].trim_start_matches('\n');
            format!("{}{ours}{rest}", &text[..start])
        }
        _ if text.is_empty() => ours,
        _ => format!("{}\n\n{ours}", text.trim_end()),
    }
}

/// The settings of the servers for a client that works on a job: engines that are asked elsewhere, else our own, where contracts are
/// those of the project and the index is the worktree's own. Their tools are told to the model from the start.
pub(super) fn servers(job: &Job<'_>, servers: &[Server]) -> Value {
    let ours = std::env::current_exe().unwrap_or_else(|_| "treaty".into());
    let own = job.log.with_file_name("index.db");
    let entry = |it: &Server| {
        if let Some(elsewhere) = job.engines.elsewhere(*it) {
            return (it.key().to_owned(), foreign(&elsewhere, job));
        }
        let database = if *it == Server::CodebaseIntelligence { own.as_path() } else { job.database };
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let arguments = [
            "mcp".into(),
            "serve".into(),
            it.name().into(),
            "--root".into(),
            absolute(job.worktree).display().to_string(),
            "--database".into(),
            absolute(database).display().to_string(),
        ];
        let entry = json!({
            "type": "stdio",
            "command": ours.display().to_string(),
            "args": arguments,
            "env": {},
            "alwaysLoad": true,
        });
        (it.key().to_owned(), entry)
    };
    json!({ "mcpServers": servers.iter().map(entry).collect::<serde_json::Map<_, _>>() })
}

/// The entry of an engine elsewhere: clients know no folder of a server, so a shell goes there first.
fn foreign(it: &EngineServer, job: &Job<'_>) -> Value {
    let environment: serde_json::Map<String, Value> =
        it.environment.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect();
    let project = job.exports.parent().unwrap_or(job.exports);
    let folder = std::path::absolute(project.join(&it.root)).unwrap_or_else(|_| project.join(&it.root));
    let words: Vec<String> = [&it.command].into_iter().chain(&it.arguments).map(|word| shell_word(word)).collect();
    let line = format!("cd {} && exec {}", shell_word(&folder.display().to_string()), words.join(" "));
    json!({ "type": "stdio", "command": "sh", "args": ["-c", line], "env": environment, "alwaysLoad": true })
}
