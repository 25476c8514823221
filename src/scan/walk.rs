//! Which files of a scanned path are looked at: on the disk, or in a git revision by the same rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::gather::{Tree, parent};
use super::manifests::is_import_manifest;
use super::paths::{BUILT, FOREIGN, below, is_archived, is_manifest, is_test};
use super::places::{Places, Start};
use super::projects::is_project_file;
use super::revision::Revision;
use super::settings::{HIDDEN, is_settings};
use super::skipped;
use super::store::{Store, plain_error};
use super::{Options, ScanError};
use crate::config::{FILE_NAME, SCHEMA_NAME};
use crate::finding::{Problem, ProblemKind};
use crate::languages::Language;
use crate::workspace::{Kind, Wants};

/// Larger lists of what to leave out are not read.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

#[derive(Clone)]
pub(super) struct Candidate {
    /// Absolute, as it is now.
    pub(super) path: PathBuf,
    /// The same as shown.
    pub(super) shown: String,
    /// How the version that is read is called.
    pub(super) name: String,
    pub(super) is_test: bool,
}

#[derive(Default)]
pub(super) struct Found {
    pub(super) code: Vec<(Candidate, Language)>,
    pub(super) documents: Vec<Candidate>,
    pub(super) metadata: Vec<Candidate>,
    /// Settings.
    pub(super) settings: Vec<Candidate>,
    /// Files that a rule looks at besides, by what they are.
    pub(super) beside: Vec<(Candidate, Kind)>,
    /// What the rules of the run look at.
    pub(super) wants: Wants,
    /// Absolute.
    pub(super) directories: Vec<PathBuf>,
}

impl Found {
    /// Sorts a file in by its name.
    fn add(&mut self, store: &Store, path: PathBuf, (places, no_skip): (&Places, bool), root: &str, tree: &mut Tree) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let shown = places.shown(&path);
        if is_manifest(&name) {
            tree.manifests.insert(parent(&shown).to_owned());
        }
        let relative = below(&shown, root).unwrap_or(&shown);
        let is_test = !no_skip && (is_test(relative) || (is_document(&name) && is_archived(relative)));
        if self.wants.assets || self.wants.documents {
            tree.workspace.listing.add(&shown);
        }
        let candidate = Candidate { name: store.name(&path, places), path, shown, is_test };
        if let Some(kind) = Kind::of(&name).filter(|kind| kind.is_wanted(self.wants)) {
            self.beside.push((candidate.clone(), kind));
        }
        let rest = below(&candidate.shown, root).unwrap_or(&candidate.shown);
        if rest.split('/').any(|part| part.starts_with('.')) {
            return;
        }
        if name == FILE_NAME {
            self.settings.push(candidate);
        } else if let Some(language) = Language::by_path(&name) {
            self.code.push((candidate, language));
        } else if is_metadata(&name) {
            self.metadata.push(candidate);
        } else if is_document(&name) {
            self.documents.push(candidate);
        }
    }
}

/// Adds what lies below a scanned path, without `apart`.
pub(super) fn walk(
    store: &Store,
    start: &Start,
    places: &Places,
    (options, apart): (&Options, Option<&Path>),
    tree: &mut Tree,
    found: &mut Found,
) -> Result<(), ScanError> {
    let whole = start.path.as_path();
    let root = places.shown(whole);
    // Of a file that is scanned: the file.
    tree.workspace.roots.push(root.clone());
    let bad = |reason: String| ScanError::BadPath { path: start.typed.clone(), reason };
    let overrides = overrides(options, places).map_err(bad)?;
    match store {
        Store::Revision(revision) => {
            let files = revision.below(whole);
            for path in revision.submodules().iter().filter(|path| path.starts_with(whole)) {
                let message = "it is a submodule, of which a commit holds no files: nothing below it was looked at";
                let help = "scan without `--staged`, or name its contracts in `treaty.toml`";
                tree.problems.push(Problem::new(ProblemKind::NoSources, places.shown(path), message).with_help(help));
            }
            if files.is_empty() && revision.is_nameless {
                // Everything may be staged to be removed.
                if !whole.starts_with(revision.top()) || !whole.is_dir() {
                    return Err(bad("git tracks nothing there".to_owned()));
                }
                tree.roots.push(root);
                return Ok(());
            }
            if files.is_empty() {
                return Err(bad(format!("there is nothing in the revision `{}`", revision.name)));
            }
            tree.roots.push(if files[0] == whole { parent(&root).to_owned() } else { root.clone() });
            let no_skip = options.config.no_skip;
            let kept = kept(revision, &files, whole, (overrides.as_ref(), no_skip), found.wants);
            kept.into_iter().for_each(|path| found.add(store, path, (places, no_skip), &root, tree));
        }
        Store::Disk | Store::Edited(_) | Store::Folder { .. } => {
            let start = store.place(whole);
            let meta = fs::metadata(&start).map_err(|error| bad(plain_error(&error)))?;
            tree.roots.push(if meta.is_dir() { root.clone() } else { parent(&root).to_owned() });
            let folders = on_disk(store, whole, (places, options.config.no_skip), (overrides, apart), tree, found);
            if !options.config.no_skip {
                let code = found.code.iter().map(|(candidate, _)| candidate);
                let tests: Vec<&Candidate> = code.chain(&found.documents).filter(|it| it.is_test).collect();
                skipped::count(store, whole, places, (&tests, &folders), &mut tree.skipped);
            }
        }
    }
    for outer in whole.ancestors().skip(1).take_while(|outer| store.has(&outer.join("__init__.py"))) {
        tree.outer_packages.push(outer.to_string_lossy().replace('\\', "/"));
    }
    // Beside a manifest, and where the scan begins.
    let beside = found.metadata.iter().filter_map(|it| it.path.parent().map(Path::to_owned));
    let directories: BTreeSet<PathBuf> = beside.chain([whole.to_path_buf()]).collect();
    for path in directories.iter().flat_map(|directory| HIDDEN.iter().map(|name| directory.join(name))) {
        if store.has(&path) {
            let (shown, name) = (places.shown(&path), store.name(&path, places));
            found.metadata.push(Candidate { path, shown, name, is_test: false });
        }
    }
    for outer in enclosing(store, whole, places) {
        let manifests = OUTER_MANIFESTS.iter().map(|name| outer.join(name)).filter(|path| store.has(path));
        let list = outer.join(".gitignore");
        if Kind::Ignore.is_wanted(found.wants) && store.has(&list) {
            let (shown, name) = (places.shown(&list), store.name(&list, places));
            found.beside.push((Candidate { path: list, shown, name, is_test: false }, Kind::Ignore));
        }
        found.metadata.extend(manifests.map(|path| {
            let (shown, name) = (places.shown(&path), store.name(&path, places));
            Candidate { path, shown, name, is_test: false }
        }));
    }
    Ok(())
}

/// Adds the files below a path, without a word about what is left out.
pub(super) fn files_below(path: &Path, places: &Places, options: &Options, found: &mut Found) {
    let overrides = overrides(options, places).unwrap_or_default();
    let no_skip = options.config.no_skip;
    on_disk(&Store::Disk, path, (places, no_skip), (overrides, None), &mut Tree::default(), found);
}

/// Manifests of directories around the scanned path that say where its imports lead.
const OUTER_MANIFESTS: &[&str] = &["package.json", "tsconfig.json", "tsconfig.base.json", "jsconfig.json"];

/// The directories around a path that belong to the same project: up to its repository, else to the directory that names are
/// relative to.
fn enclosing<'w>(store: &Store, whole: &'w Path, places: &Places) -> Vec<&'w Path> {
    let outer: Vec<&Path> = whole.ancestors().skip(1).collect();
    let is_top = |outer: &&Path| match store {
        Store::Revision(revision) => *outer == revision.top(),
        Store::Disk | Store::Edited(_) | Store::Folder { .. } => store.place(outer).join(".git").exists(),
    };
    if whole.join(".git").exists() {
        return Vec::new();
    }
    let top = outer.iter().position(is_top).or_else(|| outer.iter().position(|outer| places.shown(outer) == "."));
    top.map(|top| outer[..=top].to_vec()).unwrap_or_default()
}

/// The folders that are skipped by their names and may hold a part of the project.
fn on_disk(
    store: &Store,
    whole: &Path,
    (places, no_skip): (&Places, bool),
    (overrides, apart): (Option<Override>, Option<&Path>),
    tree: &mut Tree,
    found: &mut Found,
) -> Vec<PathBuf> {
    let root = places.shown(whole);
    let start = store.place(whole);
    if let Some(list) = start.ancestors().find_map(waiting_list) {
        let message = "it is no regular file, and reading it might never end: nothing below it was looked at";
        tree.problems.push(Problem::new(ProblemKind::Unreadable, places.shown(&list), message));
        return Vec::new();
    }
    let waiting: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let seen = Arc::clone(&waiting);
    let built: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let passed = Arc::clone(&built);
    let mut builder = WalkBuilder::new(&start);
    let wants = found.wants;
    builder.hidden(!wants.any()).require_git(true).follow_links(false).filter_entry(move |entry| {
        let name = entry.file_name().to_string_lossy();
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        if entry.depth() > 0 && name.starts_with('.') && !is_looked_at(&name, directory, wants) {
            return false;
        }
        if directory && let Some(list) = waiting_list(entry.path()) {
            if let Ok(mut seen) = seen.lock() {
                seen.push(list);
            }
            return false;
        }
        let skips = directory && entry.depth() > 0 && is_skipped(&name, no_skip);
        if skips
            && BUILT.contains(&name.as_ref())
            && let Ok(mut passed) = passed.lock()
        {
            passed.push(entry.path().to_path_buf());
        }
        !skips
    });
    if no_skip {
        builder.ignore(false).git_ignore(false).git_global(false).git_exclude(false).parents(false);
    }
    if let Some(overrides) = overrides {
        builder.overrides(overrides);
    }
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let (place, reason) = refused(&error);
                let shown = place.map_or_else(|| root.clone(), |place| places.shown(place));
                tree.problems.push(Problem::new(ProblemKind::Unreadable, shown, reason));
                continue;
            }
        };
        let real = entry.path().to_path_buf();
        if apart.is_some_and(|apart| real.starts_with(apart)) {
            continue;
        }
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            found.directories.push(real);
            continue;
        }
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            tree.problems.extend(not_a_file(&entry, &name, &places.shown(&real), &start));
            continue;
        }
        let place = match store {
            Store::Folder { folder, root } => real.strip_prefix(folder).map_or(real.clone(), |rest| joined(root, rest)),
            Store::Disk | Store::Edited(_) | Store::Revision(_) => real,
        };
        found.add(store, place, (places, no_skip), &root, tree);
    }
    if let Store::Edited(files) = store {
        let new = files.keys().filter(|path| path.starts_with(whole) && !path.exists());
        new.for_each(|path| found.add(store, path.clone(), (places, no_skip), &root, tree));
    }
    for list in waiting.lock().map(|mut seen| std::mem::take(&mut *seen)).unwrap_or_default() {
        let message = "it is no regular file, and reading it might never end: its directory was not looked at";
        tree.problems.push(Problem::new(ProblemKind::Unreadable, places.shown(&list), message));
    }
    let mut built = built.lock().map(|mut passed| std::mem::take(&mut *passed)).unwrap_or_default();
    built.sort();
    built
}

/// What is read of a directory to tell what is left out of it, where reading it might never end.
fn waiting_list(directory: &Path) -> Option<PathBuf> {
    let lists = [".gitignore", ".ignore", ".git/info/exclude"].map(|name| directory.join(name));
    lists.into_iter().find(|list| fs::metadata(list).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()))
}

/// Where a walk could not go, and why.
fn refused(error: &ignore::Error) -> (Option<&Path>, String) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), refused(err).1),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => refused(err),
        ignore::Error::Io(error) => (None, plain_error(error)),
        other => (None, other.to_string()),
    }
}

/// Without the trailing slash that an empty end would leave.
fn joined(root: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { root.to_path_buf() } else { root.join(rest) }
}

fn is_skipped(directory: &str, no_skip: bool) -> bool {
    FOREIGN.contains(&directory) || directory.ends_with(".egg-info") || (!no_skip && BUILT.contains(&directory))
}

/// Whether something hidden is looked at: the folder of a run, and files that a rule wants.
fn is_looked_at(name: &str, is_directory: bool, wants: Wants) -> bool {
    if is_directory {
        return name == ".agent-team" && wants.documents;
    }
    Kind::of(name).is_some_and(|kind| kind.is_wanted(wants))
}

/// What the settings leave out.
pub(super) fn overrides(options: &Options, places: &Places) -> Result<Option<Override>, String> {
    if options.config.exclude.is_empty() {
        return Ok(None);
    }
    let mut overrides = OverrideBuilder::new(places.settings());
    for glob in &options.config.exclude {
        overrides.add(&format!("!{glob}")).map_err(|error| error.to_string())?;
    }
    overrides.build().map(Some).map_err(|error| error.to_string())
}

/// Whether the key `exclude` of the settings names a file or folder.
pub(super) fn is_excluded(overrides: Option<&Override>, path: &Path, is_folder: bool) -> bool {
    overrides.is_some_and(|overrides| overrides.matched(path, is_folder).is_ignore())
}

/// The files of a revision that a walk over them would come to.
fn kept(
    revision: &Revision,
    files: &[PathBuf],
    root: &Path,
    (overrides, no_skip): (Option<&Override>, bool),
    wants: Wants,
) -> Vec<PathBuf> {
    // Rules of directories that enclose the scanned path hold, too.
    let outer = root.ancestors().skip(1).take_while(|outer| outer.starts_with(revision.top()));
    let outer = outer.map(|directory| directory.join(".gitignore"));
    let lists: Vec<Gitignore> = outer
        .chain(files.iter().filter(|path| path.file_name().is_some_and(|name| name == ".gitignore")).cloned())
        .filter_map(|path| {
            let text = String::from_utf8(revision.read(&path, MAX_IGNORE_BYTES).ok()?).ok()?;
            let mut builder = GitignoreBuilder::new(path.parent()?);
            text.lines().for_each(|line| {
                // A pattern that cannot be read leaves nothing out.
                let _ = builder.add_line(None, line);
            });
            builder.build().ok()
        })
        .collect();
    let is_ignored = |path: &Path| {
        let about = |list: &&Gitignore| !no_skip && path.starts_with(list.path());
        let mut near: Vec<&Gitignore> = lists.iter().filter(about).collect();
        near.sort_by_key(|list| std::cmp::Reverse(list.path().as_os_str().len()));
        let matched = near.iter().map(|list| list.matched_path_or_any_parents(path, false));
        matched.into_iter().find(|matched| !matched.is_none()).is_some_and(|matched| matched.is_ignore())
    };
    let is_excluded = |path: &Path| {
        let Some(overrides) = overrides else { return false };
        let around = path.ancestors().skip(1).take_while(|outer| outer.starts_with(root));
        overrides.matched(path, false).is_ignore()
            || around.into_iter().any(|outer| overrides.matched(outer, true).is_ignore())
    };
    let is_reached = |path: &Path| {
        let Ok(rest) = path.strip_prefix(root) else { return false };
        let names: Vec<_> = rest.iter().map(|part| part.to_string_lossy()).collect();
        let directories = &names[..names.len().saturating_sub(1)];
        let last = names.len().saturating_sub(1);
        let mut hidden = names.iter().enumerate().filter(|(_, name)| name.starts_with('.'));
        hidden.all(|(at, name)| is_looked_at(name, at < last, wants))
            && !directories.iter().any(|name| is_skipped(name, no_skip))
    };
    files.iter().filter(|path| is_reached(path) && !is_excluded(path) && !is_ignored(path)).cloned().collect()
}

/// What to say of an entry that is passed over although its name promises something to read: a link that leads nowhere
/// or out of the scanned path, a pipe. A link to what is scanned anyway is not worth a word.
fn not_a_file(entry: &DirEntry, name: &str, shown: &str, scanned: &Path) -> Option<Problem> {
    let kind = entry.file_type()?;
    let readable = Language::by_path(name).is_some() || is_document(name);
    if kind.is_dir() {
        return None;
    }
    let unreadable = |why: String| Problem::new(ProblemKind::Unreadable, shown, why);
    if !kind.is_symlink() {
        return readable.then(|| unreadable("it is not a file".to_owned()));
    }
    match fs::canonicalize(entry.path()) {
        Err(error) => readable.then(|| unreadable(format!("the link cannot be followed: {}", plain_error(&error)))),
        Ok(target) => {
            let inside = fs::canonicalize(scanned).is_ok_and(|root| target.starts_with(root));
            (!inside && (readable || target.is_dir())).then(|| {
                let message = "the link leads out of the scanned path and is not followed";
                unreadable(message.to_owned()).with_help("scan what it leads to as well, if it belongs to the service")
            })
        }
    }
}

pub(super) fn is_metadata(name: &str) -> bool {
    name == "entry_points.txt"
        || name == "pyproject.toml"
        || is_import_manifest(name)
        || is_project_file(name)
        || is_settings(name)
}

pub(super) fn is_document(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // What editors read of our own settings is nobody's contract.
    name != SCHEMA_NAME
        && (name == "requirements.md" || [".json", ".yaml", ".yml"].iter().any(|extension| name.ends_with(extension)))
}
