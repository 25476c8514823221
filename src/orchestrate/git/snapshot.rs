//! The user's own files, looked at and written without touching the index or a branch.

use std::ffi::OsStr;
use std::path::Path;

use super::{Git, GitError, tempfile_in};

impl Git {
    /// The files of the root as they are, those that nobody committed included and ours left out: a commit that no branch holds.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn snapshot(&self) -> Result<String, GitError> {
        let head = self.commit_of("HEAD");
        self.with_index(|index| {
            if let Some(head) = &head {
                self.run_with(self.root(), &["read-tree", head], &index, None)?;
            }
            let ours = ["add", "--all", "--", ".", ":!.treaty", ":!.agent-team"];
            self.run_with(self.root(), &ours, &index, None)?;
            let tree = self.run_with(self.root(), &["write-tree"], &index, None)?;
            let parents: Vec<&str> = head.as_deref().into_iter().collect();
            self.commit_tree(tree.trim(), &parents, "Files as they are")
        })
    }

    /// Files that differ between two revisions, forward slashes.
    ///
    /// # Errors
    /// Those of `git`.
    pub fn differ(&self, from: &str, to: &str) -> Result<Vec<String>, GitError> {
        let arguments = ["diff-tree", "-r", "--no-renames", "--name-only", "-z", from, to];
        let out = self.run_with(self.root(), &arguments, &[], None)?;
        Ok(out.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect())
    }

    /// Makes these files of the root those of a revision; one that the revision does not hold is taken away.
    ///
    /// # Errors
    /// Those of `git` and of the file system.
    pub fn write_files(&self, revision: &str, paths: &[String]) -> Result<(), GitError> {
        let held = self.files(revision)?;
        let (there, gone): (Vec<&String>, Vec<&String>) = paths.iter().partition(|it| held.contains(it));
        self.with_index(|index| {
            self.run_with(self.root(), &["read-tree", revision], &index, None)?;
            let names = there.iter().fold(String::new(), |all, it| format!("{all}{it}\0"));
            let write = ["checkout-index", "--force", "--stdin", "-z"];
            self.run_with(self.root(), &write, &index, Some(&names)).map(|_| ())
        })?;
        for path in gone {
            let file = self.root().join(path);
            match std::fs::remove_file(&file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(GitError::Worktree { path: file.display().to_string(), reason: error.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Works with an index of its own, which is taken away afterwards.
    fn with_index<R>(&self, work: impl FnOnce([(&str, &OsStr); 1]) -> Result<R, GitError>) -> Result<R, GitError> {
        let folder = tempfile_in(&self.git_folder()?)?;
        let index: &Path = &folder.join("index");
        let done = work([("GIT_INDEX_FILE", index.as_os_str())]);
        let _ = std::fs::remove_dir_all(folder);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_kept_and_written_without_the_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = Git::create(folder.path()).expect("a repository");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
        write("a.txt", "one");
        let before = git.snapshot().expect("a snapshot");
        write("a.txt", "two");
        write("b ü.txt", "new");
        let after = git.snapshot().expect("a snapshot");
        let changed = git.differ(&before, &after).expect("files");
        assert_eq!(changed, ["a.txt", "b ü.txt"]);
        assert_eq!(git.dirty().expect("a status").len(), 2, "nothing was staged");
        git.write_files(&before, &changed).expect("written");
        assert_eq!((read("a.txt").as_deref(), read("b ü.txt")), (Some("one"), None));
        git.write_files(&after, &changed).expect("written");
        assert_eq!((read("a.txt").as_deref(), read("b ü.txt").as_deref()), (Some("two"), Some("new")));
        assert_eq!(git.snapshot().and_then(|it| git.tree_of(&it)).ok(), git.tree_of(&after).ok());
    }
}
