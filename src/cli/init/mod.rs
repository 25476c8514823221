//! `treaty init`: files that a project begins with, never over what is there.

#[cfg(feature = "orchestrate")]
mod agents;
mod project;
mod settings;

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::Outcome;
use super::failure::Failure;

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Write the development team instead: `.mcp.json` with the servers, a hook in `.claude/settings.json`, `agents/`,
    /// `.devteam/`
    #[cfg(feature = "orchestrate")]
    #[arg(long)]
    agents: bool,

    /// The project's folder
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    root: PathBuf,
}

pub(super) fn run(arguments: &InitArgs) -> Result<Outcome, Failure> {
    let root = &arguments.root;
    if !root.is_dir() {
        return Err(Failure::said(
            format!("{} is no folder", root.display()),
            "`--root` names the folder of the project",
        ));
    }
    #[cfg(feature = "orchestrate")]
    if arguments.agents {
        return agents::run(root);
    }
    project::run(root)
}

/// Writes a file that is not there yet, and says so.
#[cfg(feature = "orchestrate")]
fn new(root: &Path, name: &str, text: &str) -> Result<String, Failure> {
    Ok(if is_written(root, name, text)? { format!("wrote {name}") } else { format!("kept  {name}") })
}

/// Writes a file, unless it is there.
///
/// # Errors
/// A folder or file that cannot be written.
fn is_written(root: &Path, name: &str, text: &str) -> Result<bool, Failure> {
    let path = root.join(name);
    let failed =
        |error: std::io::Error| Failure::said(format!("{}: {error}", path.display()), "check who may write there");
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map_err(failed).map(|()| true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    }
}
