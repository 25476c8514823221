//! Where not everything is asked for: what was changed, as git says, and which findings have to do with it. Facts are those
//! of all files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::gather::{Gathered, Tree};
use super::paths::below;
use super::places::Places;
use super::revision::{Revision, output, top};
use super::store::{Store, existing};
use super::{Report, ScanError};
use crate::config::FILE_NAME;
use crate::finding::{Finding, Problem, ProblemKind};
use crate::text::{FileId, Sources};

/// What a run tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrowing {
    /// What is staged; all contents are those of the index.
    Staged,
    /// What was changed since the work began that this revision does not have, what git does not track included.
    Since(String),
    /// One file.
    File(PathBuf),
}

/// What was changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// How it is called: `what is staged`.
    what: String,
    /// As shown: files that were added, changed or removed.
    paths: BTreeSet<String>,
    /// The commit that they are held against; none before the first one, and for one file.
    base: Option<String>,
    /// One file is asked for by its name.
    pub(super) is_file: bool,
    /// Files and folders that say how a run judges, as shown.
    settings: Vec<String>,
}

/// The part of a report that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Narrowed {
    /// How it is called: `what is staged`.
    pub what: String,
    /// Files that were added, changed or removed.
    pub changed: usize,
    /// … that import one of those.
    pub importers: usize,
    /// Findings that have nothing to do with it.
    pub findings: usize,
    /// Problems likewise.
    pub problems: usize,
    files: BTreeSet<FileId>,
    paths: BTreeSet<String>,
    /// One file is asked for by its name.
    pub is_file: bool,
    /// The settings were changed: all that they hold for is asked for.
    is_everything: bool,
    /// The commit that the state before is read from.
    pub(super) base: Option<String>,
}

impl Changes {
    /// # Errors
    /// Git cannot tell what was changed, or the file is none of those that are scanned.
    pub(super) fn of(narrowing: &Narrowing, near: &Path, places: &Places) -> Result<Self, ScanError> {
        match narrowing {
            Narrowing::Staged => {
                staged(near, places).map_err(|reason| ScanError::BadChanges { asked: "--staged".to_owned(), reason })
            }
            Narrowing::Since(revision) => {
                let asked = format!("--changed={revision}");
                since(revision, near, places).map_err(|reason| ScanError::BadChanges { asked, reason })
            }
            Narrowing::File(path) => {
                let whole = places.argument(path);
                if !places.starts.iter().any(|start| whole.starts_with(&start.path)) {
                    let reason = "it is not below what is scanned; name a folder that holds it".to_owned();
                    return Err(ScanError::BadPath { path: path.display().to_string(), reason });
                }
                let shown = places.shown(&whole);
                Ok(Changes {
                    what: shown.clone(),
                    paths: BTreeSet::from([shown]),
                    base: None,
                    is_file: true,
                    settings: Vec::new(),
                })
            }
        }
    }

    /// `settings`: files and folders that say how a run judges, as shown.
    pub(super) fn with_settings(self, settings: Vec<String>) -> Self {
        Changes { settings, ..self }
    }

    /// The files of a run that were changed or import one that was; findings are counted later.
    pub(super) fn narrowed(self, trees: &[&Tree], importers: &BTreeSet<FileId>, sources: &Sources) -> Narrowed {
        let mut files = self.files(trees);
        // What lies beside code and contracts is called as it is now.
        let all = (0..sources.len() as u32).map(FileId);
        files.extend(all.filter(|file| self.paths.contains(&sources.get(*file).path)));
        let importers: BTreeSet<FileId> = importers.difference(&files).copied().filter(|_| !self.is_file).collect();
        let (changed, importing) = (self.paths.len(), importers.len());
        files.extend(importers);
        let is_setting = |path: &String| {
            path.rsplit('/').next() == Some(FILE_NAME) || self.settings.iter().any(|it| below(path, it).is_some())
        };
        let is_everything = !self.is_file && self.paths.iter().any(is_setting);
        let Changes { what, paths, base, is_file, settings: _ } = self;
        Narrowed {
            what,
            changed,
            importers: importing,
            files,
            paths,
            is_everything,
            base,
            is_file,
            ..Narrowed::default()
        }
    }

    /// The files of these trees that were changed.
    pub(super) fn files(&self, trees: &[&Tree]) -> BTreeSet<FileId> {
        let mut files = BTreeSet::new();
        for tree in trees {
            let code = tree.code.iter().filter(|file| self.paths.contains(&file.path));
            files.extend(code.map(|file| file.file));
            let documents = tree.documents.iter().filter(|(path, _)| self.paths.contains(*path));
            files.extend(documents.filter_map(|(_, document)| document.file()));
        }
        files
    }

    /// Documents that refer to one that was changed.
    pub(super) fn referring(&self, tree: &Tree) -> BTreeSet<FileId> {
        let refers = |path: &str, document| {
            let references = crate::contracts::referenced_files(document);
            let mut targets = references.iter().filter_map(|reference| crate::contracts::join(path, reference));
            targets.any(|target| self.paths.contains(&target))
        };
        let documents = tree.documents.iter().filter(|(path, document)| refers(path, document));
        documents.filter_map(|(_, document)| document.file()).collect()
    }
}

/// Names of what changed, below the root of the work tree, in a listing that ends each with a zero byte.
fn names(listing: &str) -> impl Iterator<Item = &str> {
    listing.split('\0').filter(|name| !name.is_empty())
}

fn shown<'n>(names: impl Iterator<Item = &'n str>, top: &Path, places: &Places) -> BTreeSet<String> {
    names.map(|name| places.shown(&top.join(name))).collect()
}

/// Renames are what they consist of: one file goes, and another one comes.
fn staged(near: &Path, places: &Places) -> Result<Changes, String> {
    let top = top(near)?;
    let what = "what is staged".to_owned();
    let head = output(&top, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    let Ok(head) = head else {
        let all = output(&top, &["ls-files", "-z"])?;
        return Ok(Changes {
            what,
            paths: shown(names(&all), &top, places),
            base: None,
            is_file: false,
            settings: Vec::new(),
        });
    };
    let base = head.trim().to_owned();
    let listing = output(&top, &["diff-index", "--cached", "--name-only", "--no-renames", "-z", &base])?;
    Ok(Changes {
        what,
        paths: shown(names(&listing), &top, places),
        base: Some(base),
        is_file: false,
        settings: Vec::new(),
    })
}

fn since(revision: &str, near: &Path, places: &Places) -> Result<Changes, String> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(format!("`{revision}` is no name of a revision"));
    }
    let top = top(near)?;
    let verified = output(&top, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]);
    let commit = verified.map_err(|_| {
        format!("there is no such revision; where only a part was cloned, `git fetch origin {revision}` gets it")
    })?;
    let base = output(&top, &["merge-base", commit.trim(), "HEAD"]).map_err(|_| {
        "it has no commit in common with what is checked out; a shallow clone gets it with `git fetch --unshallow`"
            .to_owned()
    })?;
    let base = base.trim().to_owned();
    let arguments = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-relative", "-z", &base, "--"];
    let changed = output(&top, &arguments)?;
    let untracked = output(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let paths = shown(names(&changed).chain(names(&untracked)), &top, places);
    Ok(Changes {
        what: format!("what changed since `{revision}`"),
        paths,
        base: Some(base),
        is_file: false,
        settings: Vec::new(),
    })
}

/// The text of a file as it is staged; nothing where git does not track it.
///
/// # Errors
/// Git cannot give it, or it is no text.
pub fn staged_text(file: &Path) -> Result<Option<String>, ScanError> {
    let bad = |reason: String| ScanError::BadChanges { asked: "--staged".to_owned(), reason };
    let whole = std::path::absolute(file).map_err(|error| bad(error.to_string()))?;
    let whole = crate::config::plain_path(&whole);
    let index = Revision::index(&existing(&whole)).map_err(bad)?;
    if !index.has(&whole) {
        return Ok(None);
    }
    let unreadable = || bad(format!("{} cannot be read as it is staged", file.display()));
    let decoded = Store::Revision(index).text(&whole, MAX_SETTINGS_BYTES).map_err(|_| unreadable())?;
    Ok(Some(decoded.text))
}

/// Larger files are no settings.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

impl Gathered {
    /// Says so where a file that was asked for is none that is read.
    pub(super) fn miss(&mut self) {
        let Some(path) = self.changes.as_ref().filter(|it| it.is_file).and_then(|it| it.paths.first()) else { return };
        let mut besides = self.now.workspace.files.iter().map(|(_, file)| self.sources.get(*file).path.as_str());
        let is_read = self.now.code.iter().any(|file| file.path == *path)
            || self.now.documents.contains_key(path)
            || besides.any(|besides| besides == path);
        if !is_read {
            let message = "it is left out by its name, by git or by the settings, or it holds nothing that is read";
            self.now.problems.push(Problem::new(ProblemKind::NoSources, path.clone(), message));
        }
    }
}

impl Narrowed {
    fn is_about(&self, finding: &Finding) -> bool {
        let related = finding.related.iter().map(|label| label.span.file);
        let contract = finding.contract.as_ref().map(|place| place.span.file);
        let mut files = related.chain(contract).chain([finding.span.file]);
        self.is_everything || files.any(|file| self.files.contains(&file))
    }
}

impl Report {
    /// Whether findings that count have no place in what was asked for, so that it matters which of them are new.
    pub(super) fn has_others(&self) -> bool {
        self.narrowed.as_ref().is_some_and(|it| self.findings.iter().any(|finding| !it.is_about(finding)))
    }

    /// Leaves what was asked for: findings and problems that show a place in a file that was changed or imports one, and
    /// findings that are none of `before`, the fingerprints of the state before. Problems of the run as a whole stay.
    pub(super) fn leave_narrowed(&mut self, before: Option<&BTreeSet<String>>) {
        let Some(mut narrowed) = self.narrowed.take() else { return };
        let is_new = |finding: &Finding| before.is_some_and(|before| !before.contains(&finding.fingerprint));
        let all = self.findings.len();
        self.findings.retain(|finding| narrowed.is_about(finding) || is_new(finding));
        narrowed.findings = all - self.findings.len();
        self.suppressed.retain(|it| narrowed.is_about(&it.finding));
        let sources = &self.project.sources;
        let names: BTreeSet<&str> = narrowed.files.iter().map(|file| sources.get(*file).path.as_str()).collect();
        let all = self.problems.len();
        self.problems.retain(|problem| {
            let of_all =
                [ProblemKind::NoSources, ProblemKind::NoContract, ProblemKind::Crashed, ProblemKind::InvalidFacts];
            narrowed.is_everything
                || problem.path.is_empty()
                || of_all.contains(&problem.kind)
                || problem.span.is_some_and(|span| narrowed.files.contains(&span.file))
                || names.contains(problem.path.as_str())
                || narrowed.paths.contains(&problem.path)
        });
        narrowed.problems = all - self.problems.len();
        self.narrowed = Some(narrowed);
    }
}
