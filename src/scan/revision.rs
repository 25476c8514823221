//! The files of a git revision or of the index, read from the repository: the work tree is not touched, nothing is fetched
//! and no hook runs. `git` itself does the reading (`ls-tree`, `cat-file --batch`), so whatever a repository is stored like is
//! understood.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use crate::config::repository;

/// A revision whose files can be read.
#[derive(Debug)]
pub(crate) struct Revision {
    /// As the user wrote it.
    pub(super) name: String,
    /// Its files are called by their paths alone, as those on the disk are.
    pub(super) is_nameless: bool,
    /// The work tree's root, absolute, spelled as the scanned path is.
    top: PathBuf,
    /// Ids of its files by their path below `top`. Links and submodules are none.
    files: BTreeMap<String, String>,
    /// Directories of other repositories that the index names, absolute.
    submodules: Vec<PathBuf>,
    reader: Mutex<Reader>,
    /// The first thing that git could not give.
    failure: Mutex<Option<String>>,
}

/// Why a file of a revision cannot be read.
pub(crate) enum BlobError {
    Missing,
    TooLarge(u64),
    Git(String),
}

impl Revision {
    /// Opens a revision of the repository around a directory that exists, both absolute.
    ///
    /// # Errors
    /// In words: there is no git, no repository, or no such revision.
    pub(crate) fn open(name: &str, near: &Path) -> Result<Self, String> {
        if name.is_empty() || name.starts_with('-') {
            return Err(format!("`{name}` is no name of a revision"));
        }
        let top = top(near)?;
        let commit = output(near, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")])
            .map_err(|_| {
                format!(
                    "the repository of {} has no revision `{name}`; a shallow clone gets it with `git fetch --unshallow`",
                    near.display()
                )
            })?;
        let listing = output(near, &["ls-tree", "-r", "-z", "--full-tree", commit.trim()])
            .map_err(|reason| format!("{reason}; {}", way_out(name)))?;
        Revision::of(name, top, blobs(&listing))
    }

    /// Opens what is staged in the repository around a directory that exists: what a commit would hold. Its files are called
    /// as those on the disk are.
    ///
    /// # Errors
    /// In words: there is no git, no repository, or files whose conflicts are not resolved.
    pub(super) fn index(near: &Path) -> Result<Self, String> {
        let top = top(near)?;
        // From the root: the name of another index is relative to it.
        let listing = output(&top, &["ls-files", "--stage", "-z"])?;
        let submodules = listing.split('\0').filter(|line| line.starts_with("160000 "));
        let submodules = submodules.filter_map(|line| Some(top.join(line.split_once('\t')?.1))).collect();
        let files = staged(&listing)?;
        Ok(Revision { is_nameless: true, submodules, ..Revision::of("HEAD", top, files)? })
    }

    fn of(name: &str, top: PathBuf, files: BTreeMap<String, String>) -> Result<Self, String> {
        let reader = Mutex::new(Reader::start(&top)?);
        let name = name.to_owned();
        Ok(Revision { name, is_nameless: false, top, files, submodules: Vec::new(), reader, failure: Mutex::new(None) })
    }

    /// Absolute paths of the files that lie at or below an absolute path, sorted.
    pub(crate) fn below(&self, path: &Path) -> Vec<PathBuf> {
        let Some(start) = self.key(path) else { return Vec::new() };
        let all = self.files.range(start.clone()..);
        let begun = all.take_while(|(name, _)| name.starts_with(&start));
        let inside =
            |name: &str| start.is_empty() || name[start.len()..].is_empty() || name[start.len()..].starts_with('/');
        begun.filter(|(name, _)| inside(name)).map(|(name, _)| self.top.join(name)).collect()
    }

    /// Whether there is a file at an absolute path.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.key(path).is_some_and(|key| self.files.contains_key(&key))
    }

    /// Whether the index says nothing of a path: it lies outside of the repository, or in one within it.
    pub(super) fn is_beside(&self, path: &Path) -> bool {
        let is_own = path.starts_with(&self.top) && !self.submodules.iter().any(|it| path.starts_with(it));
        self.is_nameless && !is_own
    }

    /// Absolute directories of other repositories, of which the index holds no files.
    pub(super) fn submodules(&self) -> &[PathBuf] {
        &self.submodules
    }

    /// The bytes of the file at an absolute path.
    ///
    /// # Errors
    /// It is not there, is larger than `limit`, or git does not give it.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, BlobError> {
        let key = self.key(path).ok_or(BlobError::Missing)?;
        let id = self.files.get(&key).ok_or(BlobError::Missing)?;
        if EMPTY.contains(&id.as_str()) {
            // What is only intended to be added has this content, and nobody has written it down.
            return Ok(Vec::new());
        }
        let mut reader = self.reader.lock().map_err(|_| BlobError::Git("reading stopped".to_owned()))?;
        let read = reader.blob(id, limit);
        if let Err(BlobError::Git(reason)) = &read
            && let Ok(mut failure) = self.failure.lock()
        {
            failure.get_or_insert_with(|| format!("{key}: {reason}; {}", way_out(&self.name)));
        }
        read
    }

    /// The first thing that git could not give, and what to do: without all of it nothing can be said of the revision.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().ok().and_then(|failure| failure.clone())
    }

    /// The directory that the work tree begins at.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    fn key(&self, path: &Path) -> Option<String> {
        Some(path.strip_prefix(&self.top).ok()?.to_string_lossy().replace('\\', "/"))
    }
}

/// Ids of the empty file (SHA-1, SHA-256).
const EMPTY: [&str; 2] =
    ["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"];

/// The root of the work tree around a directory, spelled as that is.
///
/// # Errors
/// In words: there is no git, or no repository.
pub(super) fn top(near: &Path) -> Result<PathBuf, String> {
    let prefix = output(near, &["rev-parse", "--show-prefix"])
        .map_err(|reason| if reason.contains("not a git repository") { no_repository(near) } else { reason })?;
    let steps = prefix.trim_end_matches('\n').split('/').filter(|step| !step.is_empty()).count();
    Ok(near.ancestors().nth(steps).unwrap_or(near).to_path_buf())
}

/// Nothing is fetched by this program; git itself fetches what it is asked for.
fn way_out(name: &str) -> String {
    format!("a partial clone gets it with `git archive --output=/dev/null {name}`, or clone without `--filter`")
}

fn no_repository(near: &Path) -> String {
    format!("{} lies in no git repository, so there is no revision of it", near.display())
}

/// `git`, where whatever it asks the network or the user for is refused.
fn git(directory: &Path) -> Command {
    let mut command = Command::new("git");
    if repository(directory).is_some() {
        // A hook is told where its repository is, for the directory that it runs in.
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX"].iter().for_each(|name| {
            command.env_remove(name);
        });
    }
    command
        .args(["--no-pager", "-c", "core.fsmonitor=false", "-C"])
        .arg(directory)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C")
        .stderr(Stdio::piped());
    command
}

/// Files below a directory that git tracks and its lists leave out; none where git cannot tell.
pub(super) fn tracked_and_ignored(directory: &Path) -> Vec<PathBuf> {
    if !directory.ancestors().any(|outer| outer.join(".git").exists()) {
        return Vec::new();
    }
    let listed = git(directory).args(["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"]).output();
    let Ok(listed) = listed else { return Vec::new() };
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    names.split('\0').filter(|name| !name.is_empty()).map(|name| directory.join(name)).collect()
}

fn cannot_start(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::NotFound {
        return "revisions are read with `git`, which is not installed".to_owned();
    }
    format!("cannot run `git`: {error}")
}

/// What a command writes; what it complains of, where it fails.
pub(super) fn output(directory: &Path, arguments: &[&str]) -> Result<String, String> {
    let done = git(directory).args(arguments).stdin(Stdio::null()).output().map_err(|error| cannot_start(&error))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(format!("git: {}", said.lines().next().unwrap_or("it failed").trim_start_matches("fatal: ")))
}

/// Lines of `ls-tree -r -z`: `100644 blob <id>\t<path>`.
fn blobs(listing: &str) -> BTreeMap<String, String> {
    let read = |line: &str| {
        let (about, path) = line.split_once('\t')?;
        let mut words = about.split_ascii_whitespace();
        let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
        let is_file = kind == "blob" && mode.starts_with("100") && !path.contains('\u{fffd}');
        is_file.then(|| (path.to_owned(), id.to_owned()))
    };
    listing.split('\0').filter_map(read).collect()
}

/// Lines of `ls-files --stage -z`: `100644 <id> 0\t<path>`.
///
/// # Errors
/// A file whose conflicts are not resolved.
fn staged(listing: &str) -> Result<BTreeMap<String, String>, String> {
    let mut files = BTreeMap::new();
    for line in listing.split('\0') {
        let Some((about, path)) = line.split_once('\t') else { continue };
        let mut words = about.split_ascii_whitespace();
        let (Some(mode), Some(id), Some(stage)) = (words.next(), words.next(), words.next()) else { continue };
        if stage != "0" {
            return Err(format!("{path} has conflicts; resolve them and `git add` it"));
        }
        if mode.starts_with("100") && !path.contains('\u{fffd}') {
            files.insert(path.to_owned(), id.to_owned());
        }
    }
    Ok(files)
}

/// One `git cat-file --batch` that is asked for one object after another.
#[derive(Debug)]
struct Reader {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    fn start(directory: &Path) -> Result<Self, String> {
        let mut command = git(directory);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| cannot_start(&error))?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(questions), Some(answers)) => Ok(Reader { process, questions, answers: BufReader::new(answers) }),
            _ => Err("cannot talk to `git`".to_owned()),
        }
    }

    fn blob(&mut self, id: &str, limit: u64) -> Result<Vec<u8>, BlobError> {
        let failed = |error: std::io::Error| BlobError::Git(format!("git: {error}"));
        writeln!(self.questions, "{id}").and_then(|()| self.questions.flush()).map_err(failed)?;
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(failed)?;
        // `<id> blob <bytes>`, or `<id> missing`: a partial clone has not got every object, and nothing is fetched.
        let mut words = head.split_ascii_whitespace().skip(1);
        let is_blob = words.next() == Some("blob");
        let Some(bytes) = words.next().and_then(|bytes| bytes.parse::<u64>().ok()).filter(|_| is_blob) else {
            return Err(BlobError::Git("the repository does not have its content".to_owned()));
        };
        let mut content = Vec::new();
        let mut answer = (&mut self.answers).take(bytes);
        if bytes > limit {
            std::io::copy(&mut answer, &mut std::io::sink()).map_err(failed)?;
        } else {
            answer.read_to_end(&mut content).map_err(failed)?;
        }
        let mut end = [0];
        self.answers.read_exact(&mut end).map_err(failed)?;
        if bytes > limit { Err(BlobError::TooLarge(bytes)) } else { Ok(content) }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It has nothing to lose, and may have gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_submodules_are_no_files() {
        let listing = "100644 blob aa\tsrc/a.py\x00120000 blob bb\tlink.py\x00160000 commit cc\tother\x00100755 blob dd\ttab\tname.py\0";
        let found: Vec<(String, String)> = blobs(listing).into_iter().collect();
        assert_eq!(
            found,
            [("src/a.py", "aa"), ("tab\tname.py", "dd")].map(|(path, id)| (path.to_owned(), id.to_owned()))
        );
    }
}
