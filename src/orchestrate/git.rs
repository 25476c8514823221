//! Branches, worktrees and merges of a run, by the `git` of the machine. The user's own branch, index and files are never
//! touched: commits are made of trees, and merges need no worktree.

mod snapshot;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository.
#[derive(Clone, Debug)]
pub struct Git {
    root: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("git is needed, and could not be started: {0}")]
    Missing(std::io::Error),
    #[error("`git {command}` failed: {message}")]
    Failed { command: String, message: String },
    #[error("git {found} is too old: merges without a worktree need 2.38 or newer")]
    TooOld { found: String },
    #[error("{path} is in no git repository")]
    NoRepository { path: String },
    #[error("the worktree {path} cannot be used: {reason}")]
    Worktree { path: String, reason: String },
}

/// How a merge ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The commit on the branch.
    Done(String),
    /// Files that both sides changed.
    Conflict(Vec<String>),
}

/// Settings of every call: no hooks of the user, no signatures, no questions, an author that is there.
const SETTINGS: [&str; 10] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "user.name=treaty",
    "-c",
    "user.email=treaty@localhost",
    "-c",
    "core.quotePath=false",
];

impl Git {
    /// The repository whose top folder this is.
    ///
    /// # Errors
    /// `git` is missing or too old, or the folder is the top of no repository.
    pub fn open(root: &Path) -> Result<Git, GitError> {
        let git = Git { root: root.to_owned() };
        let version = git.run(["version"])?;
        let number = version.split_whitespace().nth(2).unwrap_or_default();
        let mut parts = number.split('.').map(|it| it.parse::<u32>().unwrap_or(0));
        if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < (2, 38) {
            return Err(GitError::TooOld { found: number.to_owned() });
        }
        let missing = || GitError::NoRepository { path: root.display().to_string() };
        let top = git.run(["rev-parse", "--show-toplevel"]).map_err(|_| missing())?;
        let same = std::fs::canonicalize(top.trim()).ok() == std::fs::canonicalize(root).ok();
        if same { Ok(git) } else { Err(missing()) }
    }

    /// A new repository with one empty commit, on the branch `main`.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn create(root: &Path) -> Result<Git, GitError> {
        let git = Git { root: root.to_owned() };
        git.run(["init", "--quiet", "--initial-branch=main"])?;
        git.run(["commit", "--quiet", "--allow-empty", "--message", "Begin"])?;
        Ok(git)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Files that were changed and not committed, ours left out.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn dirty(&self) -> Result<Vec<String>, GitError> {
        let out = self.run(["status", "--porcelain", "-z", "--", ".", ":!.treaty", ":!.agent-team"])?;
        Ok(out.split('\0').filter(|it| it.len() > 3).map(|it| it[3..].to_owned()).collect())
    }

    /// The commit of a revision; none where there is none.
    pub fn commit_of(&self, revision: &str) -> Option<String> {
        let found = self.run(["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]).ok()?;
        Some(found.trim().to_owned())
    }

    /// The commit of a branch; none where the branch does not exist. Most branches are a file of their own
    /// (gitrepository-layout(5)), and reading a file takes no process; git itself is asked for packed and symbolic branches.
    pub fn tip(&self, branch: &str) -> Option<String> {
        let file = std::fs::read_to_string(self.root.join(".git/refs/heads").join(branch)).unwrap_or_default();
        let name = file.trim();
        let is_commit = matches!(name.len(), 40 | 64) && name.bytes().all(|it| it.is_ascii_hexdigit());
        if is_commit { Some(name.to_owned()) } else { self.commit_of(&format!("refs/heads/{branch}")) }
    }

    /// The tree of a revision.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn tree_of(&self, revision: &str) -> Result<String, GitError> {
        Ok(self.run(["rev-parse", "--verify", &format!("{revision}^{{tree}}")])?.trim().to_owned())
    }

    /// The text of a file in a revision; none where it is not there.
    pub fn file(&self, revision: &str, path: &str) -> Option<String> {
        self.run(["show", &format!("{revision}:{path}")]).ok()
    }

    /// A commit on top of another one with these files written, whatever the worktree holds.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn commit_files(&self, base: &str, files: &[(String, String)], message: &str) -> Result<String, GitError> {
        let folder = tempfile_in(&self.git_folder()?)?;
        let index = folder.join("index");
        let environment: [(&str, &OsStr); 1] = [("GIT_INDEX_FILE", index.as_os_str())];
        let result = (|| {
            self.run_with(&self.root, &["read-tree", base], &environment, None)?;
            let mut entries = String::new();
            for (path, text) in files {
                let blob = self.run_with(&self.root, &["hash-object", "-w", "--stdin"], &[], Some(text))?;
                let _ = writeln!(entries, "100644 {}\t{path}", blob.trim());
            }
            self.run_with(&self.root, &["update-index", "--add", "--index-info"], &environment, Some(&entries))?;
            let tree = self.run_with(&self.root, &["write-tree"], &environment, None)?;
            self.commit_tree(tree.trim(), &[base], message)
        })();
        let _ = std::fs::remove_dir_all(folder);
        result
    }

    fn git_folder(&self) -> Result<PathBuf, GitError> {
        Ok(self.root.join(self.run(["rev-parse", "--git-common-dir"])?.trim()))
    }

    fn commit_tree(&self, tree: &str, parents: &[&str], message: &str) -> Result<String, GitError> {
        let mut arguments = vec!["commit-tree", tree];
        parents.iter().for_each(|it| arguments.extend(["-p", it]));
        arguments.extend(["-F", "-"]);
        Ok(self.run_with(&self.root, &arguments, &[], Some(message))?.trim().to_owned())
    }

    /// Moves a branch, if it still is where it was (`None`: it is not there yet).
    ///
    /// # Errors
    /// Somebody else moved the branch meanwhile.
    pub fn move_branch(&self, branch: &str, to: &str, from: Option<&str>) -> Result<(), GitError> {
        let none = "0".repeat(40);
        self.run(["update-ref", &format!("refs/heads/{branch}"), to, from.unwrap_or(&none)]).map(|_| ())
    }

    /// A new worktree on a new branch. What an earlier try left at the place is taken away.
    ///
    /// # Errors
    /// Those of `git` and of the file system.
    pub fn add_worktree(&self, path: &Path, branch: &str, base: &str) -> Result<(), GitError> {
        let place = path.to_string_lossy();
        let add = ["worktree", "add", "--quiet", "--force", "-B", branch, &place, base];
        if !path.exists() && self.run(add).is_ok() {
            return Ok(());
        }
        self.remove_worktree(path, Some(branch))?;
        self.run(add).map(|_| ())
    }

    /// A worktree without a branch, at a revision: made where it is not there, else moved.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn follow(&self, path: &Path, revision: &str) -> Result<(), GitError> {
        let checkout = ["checkout", "--quiet", "--force", "--detach", revision];
        if path.join(".git").exists() && self.run_with(path, &checkout, &[], None).is_ok() {
            return Ok(());
        }
        self.remove_worktree(path, None)?;
        let place = path.to_string_lossy();
        self.run(["worktree", "add", "--quiet", "--force", "--detach", &place, revision]).map(|_| ())
    }

    /// Files that a merge brought: those that its first parent does not have.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn added(&self, merge: &str) -> Result<Vec<String>, GitError> {
        let first = format!("{merge}^1");
        let out = self.run(["diff", "--no-renames", "--name-only", "--diff-filter=A", "-z", &first, merge])?;
        Ok(out.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect())
    }

    /// All files of a revision.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn files(&self, revision: &str) -> Result<Vec<String>, GitError> {
        let out = self.run(["ls-tree", "-r", "--name-only", "-z", revision])?;
        Ok(out.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect())
    }

    /// Takes a worktree away, and its branch where one is named. One that is not there is fine.
    ///
    /// # Errors
    /// Those of `git` and of the file system.
    pub fn remove_worktree(&self, path: &Path, branch: Option<&str>) -> Result<(), GitError> {
        let place = path.to_string_lossy();
        if !path.exists() || self.run(["worktree", "remove", "--force", "--force", &place]).is_err() {
            let failed = |error: std::io::Error| GitError::Worktree {
                path: path.display().to_string(),
                reason: error.to_string(),
            };
            match std::fs::remove_dir_all(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                _ => self.run(["worktree", "prune"])?,
            };
        }
        let Some(branch) = branch else { return Ok(()) };
        match self.remove_branch(branch) {
            Err(error) if self.tip(branch).is_some() => Err(error),
            _ => Ok(()),
        }
    }

    /// Files of a worktree that differ from a commit, new and deleted ones included.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn changed(&self, worktree: &Path, base: &str) -> Result<Vec<Changed>, GitError> {
        self.run_with(worktree, &["add", "--all"], &[], None)?;
        let out =
            self.run_with(worktree, &["diff", "--cached", "--no-renames", "--name-status", "-z", base], &[], None)?;
        let mut parts = out.split('\0').filter(|it| !it.is_empty());
        let mut changed = Vec::new();
        while let (Some(status), Some(path)) = (parts.next(), parts.next()) {
            changed.push(Changed { path: path.to_owned(), is_new: status == "A" });
        }
        Ok(changed)
    }

    /// Takes back what a worktree changed in these files.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn take_back(&self, worktree: &Path, base: &str, paths: &[String]) -> Result<(), GitError> {
        for path in paths {
            let there = self.run_with(worktree, &["cat-file", "-e", &format!("{base}:{path}")], &[], None).is_ok();
            let literal = format!(":(literal,top){path}");
            if there {
                self.run_with(worktree, &["checkout", "--quiet", base, "--", &literal], &[], None)?;
            } else {
                self.run_with(worktree, &["rm", "--quiet", "--force", "-r", "--", &literal], &[], None)?;
            }
        }
        Ok(())
    }

    /// Commits what [`Git::changed`] found in a worktree and [`Git::take_back`] left there.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn commit_worktree(&self, worktree: &Path, base: &str, message: &str) -> Result<String, GitError> {
        let tree = self.run_with(worktree, &["write-tree"], &[], None)?;
        let commit = self.commit_tree(tree.trim(), &[base], message)?;
        self.run_with(worktree, &["reset", "--quiet", "--soft", &commit], &[], None)?;
        Ok(commit)
    }

    /// Keeps all files of a worktree as they are: the name of a tree, which [`Git::bring_back`] takes.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn keep_tree(&self, worktree: &Path) -> Result<String, GitError> {
        self.run_with(worktree, &["add", "--all"], &[], None)?;
        Ok(self.run_with(worktree, &["write-tree"], &[], None)?.trim().to_owned())
    }

    /// Makes the files of a worktree those of a tree.
    ///
    /// # Errors
    /// Those of `git`: there is no such tree any more.
    pub fn bring_back(&self, worktree: &Path, tree: &str) -> Result<(), GitError> {
        self.run_with(worktree, &["read-tree", "--reset", "-u", tree], &[], None).map(|_| ())
    }

    /// Merges a commit into a branch. A merge that was done before is found by its key.
    ///
    /// # Errors
    /// Those of `git`; a conflict is none.
    pub fn merge(&self, branch: &str, commit: &str, message: &str, key: &str) -> Result<Merge, GitError> {
        let place = format!("refs/heads/{branch}");
        let trailer = format!("Treaty-Task: {key}");
        let done = self.run(["log", "-1", "--fixed-strings", "--grep", &trailer, "--format=%H", &place])?;
        if !done.trim().is_empty() {
            return Ok(Merge::Done(done.trim().to_owned()));
        }
        let missing =
            || GitError::Failed { command: "merge".to_owned(), message: format!("there is no branch {branch}") };
        let head = self.tip(branch).ok_or_else(missing)?;
        let merged =
            self.raw(&self.root, &["merge-tree", "--write-tree", "--name-only", "-z", &head, commit], &[], None)?;
        let out = String::from_utf8_lossy(&merged.stdout).into_owned();
        let mut parts = out.split('\0');
        let tree = parts.next().unwrap_or_default().to_owned();
        match merged.status.code() {
            Some(0) => {}
            Some(1) => return Ok(Merge::Conflict(parts.take_while(|it| !it.is_empty()).map(str::to_owned).collect())),
            _ => return Err(failed(&["merge-tree"], &merged)),
        }
        let merge = self.commit_tree(&tree, &[&head, commit], &format!("{message}\n\n{trailer}\n"))?;
        self.move_branch(branch, &merge, Some(&head))?;
        Ok(Merge::Done(merge))
    }

    /// Branches that begin so.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn branches(&self, beginning: &str) -> Result<Vec<String>, GitError> {
        let out = self.run(["for-each-ref", "--format=%(refname:short)", &format!("refs/heads/{beginning}*")])?;
        Ok(out.lines().map(str::to_owned).collect())
    }

    /// Takes a branch away.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn remove_branch(&self, branch: &str) -> Result<(), GitError> {
        self.run(["branch", "--quiet", "-D", branch]).map(|_| ())
    }

    fn run<const N: usize>(&self, arguments: [&str; N]) -> Result<String, GitError> {
        self.run_with(&self.root, &arguments, &[], None)
    }

    fn run_with(
        &self,
        folder: &Path,
        arguments: &[&str],
        environment: &[(&str, &OsStr)],
        input: Option<&str>,
    ) -> Result<String, GitError> {
        let out = self.raw(folder, arguments, environment, input)?;
        if out.status.success() {
            Ok(String::from_utf8_lossy(&out.stdout).into_owned())
        } else {
            Err(failed(arguments, &out))
        }
    }

    #[expect(clippy::unused_self, reason = "calls read as what the repository does")]
    fn raw(
        &self,
        folder: &Path,
        arguments: &[&str],
        environment: &[(&str, &OsStr)],
        input: Option<&str>,
    ) -> Result<std::process::Output, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(SETTINGS).args(arguments).envs(environment.iter().copied());
        // Git reads these where a hook or another tool of git has started us.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"] {
            command.env_remove(name);
        }
        if !environment.iter().any(|it| it.0 == "GIT_INDEX_FILE") {
            command.env_remove("GIT_INDEX_FILE");
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(GitError::Missing)?;
        let pipe = child.stdin.take();
        // Written beside: a git that answers while it reads would wait for us, and we for it.
        std::thread::scope(|scope| {
            if let (Some(text), Some(mut pipe)) = (input, pipe) {
                // A git that does not read says why on its standard error.
                scope.spawn(move || pipe.write_all(text.as_bytes()));
            }
            child.wait_with_output().map_err(GitError::Missing)
        })
    }
}

/// A file that a task changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Below the root, forward slashes.
    pub path: String,
    pub is_new: bool,
}

fn failed(arguments: &[&str], out: &std::process::Output) -> GitError {
    let said = String::from_utf8_lossy(&out.stderr);
    let message = said.lines().find(|it| !it.trim().is_empty()).unwrap_or("it said nothing").to_owned();
    GitError::Failed { command: arguments.join(" "), message }
}

/// A new folder for an index of our own.
fn tempfile_in(folder: &Path) -> Result<PathBuf, GitError> {
    let path = folder.join(format!("treaty-{}", uuid::Uuid::new_v4()));
    let failed =
        |error: std::io::Error| GitError::Worktree { path: path.display().to_string(), reason: error.to_string() };
    std::fs::create_dir_all(&path).map_err(failed)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_of_a_branch_is_known_however_it_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = Git::create(folder.path()).expect("a repository");
        let head = git.commit_of("HEAD");
        git.move_branch("treaty/run-1", head.as_deref().expect("a commit"), None).expect("a branch");
        let file = folder.path().join(".git/refs/heads/treaty/run-1");
        assert_eq!((file.is_file(), git.tip("treaty/run-1")), (true, head.clone()));
        git.run(["pack-refs", "--all", "--prune"]).expect("packed");
        assert_eq!((file.is_file(), git.tip("treaty/run-1")), (false, head.clone()));
        // A branch that stands for another one holds no commit itself.
        git.run(["symbolic-ref", "refs/heads/treaty/run-2", "refs/heads/treaty/run-1"]).expect("a branch");
        assert_eq!((git.tip("treaty/run-2"), git.tip("treaty/run-3")), (head, None));
    }
}
