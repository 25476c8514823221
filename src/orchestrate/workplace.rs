//! Where a run works: the folder of the project, and what lies in it.

use std::fs;
use std::path::{Path, PathBuf};

use super::OrchestrateError;
use super::git::{Git, GitError};
use super::lock::Lock;
use crate::store;

/// Folders and files of a run.
#[derive(Clone, Debug)]
pub struct Workplace {
    pub root: PathBuf,
    pub run: String,
}

impl Workplace {
    pub fn new(root: &Path, run: &str) -> Workplace {
        // Executors work in folders of their own: what they are told is read from there.
        Workplace { root: std::path::absolute(root).unwrap_or_else(|_| root.to_owned()), run: run.to_owned() }
    }

    pub fn database(&self) -> PathBuf {
        store::default_path(&self.root)
    }

    /// What is ours and no part of the project: `.treaty`.
    pub fn own(&self) -> PathBuf {
        self.root.join(".treaty")
    }

    /// The branch that everything is merged to.
    pub fn branch(&self) -> String {
        format!("treaty/run-{}", self.run)
    }

    /// The branch of an attempt.
    pub fn task_branch(&self, task: &str, attempt: u32) -> String {
        format!("treaty/work-{}/{task}-{attempt}", self.run)
    }

    /// The checkout of an attempt.
    pub fn worktree(&self, task: &str, attempt: u32) -> PathBuf {
        self.own().join("worktrees").join(&self.run).join(format!("{task}-{attempt}"))
    }

    /// The checkout of everything that was merged.
    pub fn integration(&self) -> PathBuf {
        self.own().join("worktrees").join(&self.run).join("all")
    }

    /// The checkout that new files are registered from: it follows what is merged, and stays where it is.
    pub fn registered(&self) -> PathBuf {
        self.own().join("worktrees").join(&self.run).join("registered")
    }

    /// What an attempt said.
    pub fn log(&self, task: &str, attempt: u32) -> PathBuf {
        self.own().join("logs").join(&self.run).join(format!("{task}-{attempt}")).join("output.log")
    }

    /// Where the commands of a stage write what they say.
    pub fn stage_logs(&self, stage: &str, pass: u32) -> PathBuf {
        self.own().join("logs").join(&self.run).join(format!("{stage}-{pass}"))
    }

    /// How far the run is, for the hooks of agents.
    pub fn gate(&self) -> PathBuf {
        self.own().join("logs").join(&self.run).join("gate.json")
    }

    /// The documents that other tools and people read.
    pub fn exports(&self) -> PathBuf {
        self.root.join(".agent-team")
    }

    /// A file that asks the process at work to end.
    pub fn cancel_file(&self) -> PathBuf {
        self.own().join(format!("cancel-{}", self.run))
    }

    /// Whether a process works on a run in this folder.
    pub fn is_at_work(&self) -> bool {
        Lock::is_held(&self.own())
    }

    /// Takes the worktrees and the branches of attempts away. Says how many there were.
    ///
    /// # Errors
    /// Those of git.
    pub fn clean(&self, git: &Git) -> Result<usize, GitError> {
        let folder = self.own().join("worktrees").join(&self.run);
        let mut taken = 0;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            git.remove_worktree(&entry.path(), None)?;
            taken += 1;
        }
        let _ = fs::remove_dir(&folder);
        for beginning in [format!("treaty/work-{}/", self.run), format!("treaty/view-{}", self.run)] {
            for branch in git.branches(&beginning)? {
                git.remove_branch(&branch)?;
            }
        }
        Ok(taken)
    }

    /// Keeps our folders out of the project's history.
    ///
    /// # Errors
    /// The folders cannot be written.
    pub fn prepare(&self) -> Result<(), OrchestrateError> {
        for folder in [self.own(), self.exports()] {
            let ignore = folder.join(".gitignore");
            if !ignore.exists() {
                fs::create_dir_all(&folder).map_err(|error| OrchestrateError::file(&folder, &error))?;
                fs::write(&ignore, "*\n").map_err(|error| OrchestrateError::file(&ignore, &error))?;
            }
        }
        Ok(())
    }
}

/// The repository that a run works in: the one that is there and clean, or a new one where the folder is new or empty.
///
/// # Errors
/// A folder with files and no repository, a repository with changes that nobody committed, no commit yet.
pub fn is_clean_or_new(root: &Path) -> Result<Git, OrchestrateError> {
    fs::create_dir_all(root).map_err(|error| OrchestrateError::file(root, &error))?;
    let ours = [".treaty", ".agent-team"];
    let entries = fs::read_dir(root).map_err(|error| OrchestrateError::file(root, &error))?;
    let is_empty = entries.flatten().all(|it| ours.contains(&&*it.file_name().to_string_lossy()));
    let git = match Git::open(root) {
        Ok(git) => git,
        Err(GitError::NoRepository { .. }) if is_empty => Git::create(root)?,
        Err(GitError::NoRepository { path }) => {
            let help = "run `git init` and commit what is there, or name a new folder with --into";
            return Err(OrchestrateError::refused(format!("{path} holds files and is no git repository"), help));
        }
        Err(error) => return Err(error.into()),
    };
    let dirty = git.dirty()?;
    if !dirty.is_empty() {
        let shown: Vec<&str> = dirty.iter().take(5).map(String::as_str).collect();
        let more = if dirty.len() > 5 { format!(" and {} more", dirty.len() - 5) } else { String::new() };
        let message = format!("{} has changes that are not committed: {}{more}", root.display(), shown.join(", "));
        return Err(OrchestrateError::refused(message, "commit or stash them: a run starts from what is committed"));
    }
    if git.commit_of("HEAD").is_none() {
        return Err(OrchestrateError::refused(
            format!("{} has no commit yet", root.display()),
            "commit something first",
        ));
    }
    Ok(git)
}
