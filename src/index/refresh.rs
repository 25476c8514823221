//! Keeping up with the files: which of them are new, changed or gone since the last look, and what that changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::read::read;
use super::record::{FORMAT, Record, Taken};
use super::rows::{self, FileRow};
use super::view::Loaded;
use super::words::{UnitText, units};
use super::{Index, IndexError, Program, State};
use crate::evaluate::ProgramIndex;
use crate::languages::Language;
use crate::model::program::{ImportStyle, Module};
use crate::scan::{self, Progress};
use crate::store::{StoreError, digest};
use crate::text::FileId;

/// A file that was read so soon after it was written may be written again within the same tick of the clock.
const TICK: i64 = 100_000_000;
/// Files that are written in one transaction, so that other writers get their turn and nothing is lost when it ends early.
const BATCH: usize = 64;

/// What the last walk found.
pub(super) struct Listed {
    pub(super) listing: scan::Listing,
    /// Directories, manifests and lists of what to leave out, with the time that they were changed.
    watched: Vec<(PathBuf, i64)>,
}

impl Listed {
    /// Whether imports lead to the same files: the same files, manifests and packages around.
    fn leads_as(&self, other: &Listed) -> bool {
        let files = |it: &Listed| -> Vec<(String, Language)> {
            it.listing.files.iter().map(|file| (file.name.clone(), file.language)).collect()
        };
        let manifests = |it: &Listed| -> Vec<(PathBuf, i64)> {
            let all: FxHashSet<&PathBuf> = it.listing.manifests.iter().collect();
            it.watched.iter().filter(|(path, _)| all.contains(path)).cloned().collect()
        };
        // A manifest with the time -1 may have changed right after the walk read the manifest.
        let is_settled = |it: &(PathBuf, i64)| it.1 >= 0;
        self.listing.outer_packages == other.listing.outer_packages
            && manifests(self) == manifests(other)
            && manifests(self).iter().all(is_settled)
            && files(self) == files(other)
    }
}

/// A file that has to be looked at.
struct Changed<'l> {
    file: &'l scan::Listed,
    size: i64,
    modified: i64,
    /// The database has the hash of the last look: no other process has seen another text of the file since.
    is_kept: bool,
}

/// What became of it.
enum Looked {
    /// The text is the same.
    Same(FileRow),
    New {
        row: FileRow,
        record: Option<Arc<Record>>,
        units: Vec<UnitText>,
    },
    Unreadable(String, String),
}

impl Index {
    /// The rows of the database, where they are of this root.
    pub(super) fn take_rows(&mut self) -> Result<(), IndexError> {
        let root = self.root.to_string_lossy().into_owned();
        let connection = self.store.connection();
        let is_here = rows::meta(connection, "root")?.is_some_and(|known| known == root);
        // Records of another form are not found again: every file has to be read.
        let format = FORMAT.to_string();
        if is_here && rows::meta(connection, "format")?.is_some_and(|known| known == format) {
            self.files = rows::files(connection)?.into_iter().map(|it| (it.path.clone(), it)).collect();
        } else if !self.read_only {
            self.store.write(|write| {
                rows::forget_files(write)?;
                if !is_here {
                    rows::forget_artifacts(write)?;
                }
                rows::set_meta(write, "format", &format)?;
                rows::set_meta(write, "root", &root)
            })?;
        }
        Ok(())
    }

    /// Brings the index to what the files are now; `progress` hears of files that are read.
    ///
    /// # Errors
    /// The root cannot be walked, or the database not written. A file that cannot be read is in [`State::unreadable`].
    pub fn refresh(&mut self, progress: &dyn Progress) -> Result<State, IndexError> {
        if self.read_only {
            self.program();
            let complete = rows::meta(self.store.connection(), "complete")?.is_some_and(|it| it == "yes");
            return Ok(State { files: self.files.len(), complete, ..State::default() });
        }
        let is_new = self.listing.as_ref().is_none_or(|known| known.watched.iter().any(|it| time(&it.0) != it.1));
        if is_new {
            self.config = super::settings(&self.root)?;
            let started = now();
            let listing = scan::list(&self.options(), &self.root)?;
            let listed = Listed { watched: watched(&listing, &self.root, started), listing };
            // A file that is saved by renaming another changes the time of its directory alone.
            if !self.listing.as_ref().is_some_and(|known| known.leads_as(&listed)) {
                self.program = None;
            }
            self.listing = Some(listed);
        }
        let Some(listed) = self.listing.take() else { return Ok(State::default()) };
        let state = self.look(&listed.listing, progress);
        self.listing = Some(listed);
        if self.program.is_none() {
            self.graph = None;
        }
        self.program();
        state
    }

    fn look(&mut self, listing: &scan::Listing, progress: &dyn Progress) -> Result<State, IndexError> {
        let services: BTreeMap<String, String> = rows::artifacts(self.store.connection())?.into_iter().collect();
        let mut state = State { complete: true, ..State::default() };
        let mut changed = Vec::new();
        let mut unreadable = BTreeMap::new();
        for file in &listing.files {
            let Ok(meta) = fs::metadata(&file.path) else {
                unreadable.insert(file.name.clone(), "it is gone, or may not be read".to_owned());
                continue;
            };
            let (size, modified) = (meta.len() as i64, modified(&meta));
            let is_same = |row: &FileRow| {
                row.size == size
                    && row.modified == modified
                    && row.checked - modified > TICK
                    && row.language == key(file.language)
                    && row.service == *services.get(&file.name).unwrap_or(&file.service)
            };
            if !self.files.get(&file.name).is_some_and(is_same) {
                let is_kept = match self.files.get(&file.name) {
                    Some(row) => rows::hash_of(self.store.connection(), &file.name)?.as_ref() == Some(&row.hash),
                    None => false,
                };
                changed.push(Changed { file, size, modified, is_kept });
            }
        }
        let there: FxHashSet<&str> = listing.files.iter().map(|file| file.name.as_str()).collect();
        let gone = |path: &String| !there.contains(path.as_str()) || unreadable.contains_key(path);
        let removed: Vec<String> = self.files.keys().filter(|path| gone(path)).cloned().collect();
        if !removed.is_empty() || changed.len() > BATCH {
            self.store.write(|write| {
                rows::set_meta(write, "complete", "no")?;
                removed.iter().try_for_each(|path| rows::forget_file(write, path))
            })?;
            removed.iter().for_each(|path| {
                self.files.remove(path);
            });
            self.program = None;
        }
        state.removed = removed.len();
        let (total, done) = (changed.len(), AtomicUsize::new(0));
        let pool = if total > 4 { Some(scan::start_threads()?) } else { None };
        for batch in changed.chunks(BATCH) {
            let look = |changed: &Changed<'_>| {
                let service = services.get(&changed.file.name).unwrap_or(&changed.file.service);
                let known = self.files.get(&changed.file.name).filter(|_| changed.is_kept);
                let looked = look_at(changed, service, known);
                progress.tick("indexing", done.fetch_add(1, Ordering::Relaxed) + 1, total);
                looked
            };
            let looked: Vec<Looked> = match &pool {
                Some(pool) => pool.install(|| batch.par_iter().map(look).collect()),
                None => batch.iter().map(look).collect(),
            };
            self.take(looked, &mut state, &mut unreadable)?;
        }
        if total > BATCH || !removed.is_empty() {
            self.store.write(|write| {
                rows::set_meta(write, "complete", "yes")?;
                rows::forget_old_records(write)
            })?;
        }
        state.files = self.files.len();
        self.unreadable.clone_from(&unreadable);
        state.unreadable = unreadable;
        Ok(state)
    }

    fn take(
        &mut self,
        looked: Vec<Looked>,
        state: &mut State,
        unreadable: &mut BTreeMap<String, String>,
    ) -> Result<(), IndexError> {
        // The row of a file with the same text as before is written once the file is older than the tick of the clock: until
        // then every look reads the file.
        let connection = self.store.connection();
        let can_wait = |looked: &Looked| match looked {
            Looked::Same(row) => self.files.get(&row.path).is_some_and(|known| {
                row.checked - row.modified <= TICK && FileRow { checked: known.checked, ..row.clone() } == *known
            }),
            // Nothing is to be forgotten of a file that could not be read before.
            Looked::Unreadable(path, _) => {
                !self.files.contains_key(path) && rows::hash_of(connection, path).is_ok_and(|it| it.is_none())
            }
            Looked::New { .. } => false,
        };
        let changes: Vec<&Looked> = looked.iter().filter(|it| !can_wait(it)).collect();
        if !changes.is_empty() {
            self.store.write(|write| -> Result<(), StoreError> {
                for looked in &changes {
                    match looked {
                        Looked::Same(row) => {
                            rows::keep_file(write, row)?;
                        }
                        Looked::New { row, record, units } => {
                            // Another process may have written the same text of the file.
                            let known = rows::hash_of(write, &row.path)?.is_some_and(|hash| hash == row.hash);
                            if let Some(record) = record {
                                rows::keep_record(write, &row.hash, &row.language, record, &names(record))?;
                            }
                            let id = rows::keep_file(write, row)?;
                            if !known {
                                rows::keep_units(write, id, units)?;
                            }
                        }
                        Looked::Unreadable(path, _) => rows::forget_file(write, path)?,
                    }
                }
                Ok(())
            })?;
        }
        for looked in looked {
            match looked {
                Looked::Same(row) => {
                    self.files.insert(row.path.clone(), row);
                }
                Looked::New { row, record, .. } => {
                    state.refreshed += 1;
                    if let Some(graph) = &mut self.graph {
                        graph.note(&row.path);
                    }
                    match self.files.get(&row.path) {
                        Some(old) => {
                            self.records.remove(&(old.hash.clone(), old.language.clone()));
                        }
                        None => self.program = None,
                    }
                    if let Some(record) = record {
                        let key = (row.hash.clone(), row.language.clone());
                        self.records.insert(key, Arc::new(Loaded::new(record)));
                    }
                    self.files.insert(row.path.clone(), row);
                }
                Looked::Unreadable(path, reason) => {
                    if self.files.remove(&path).is_some() {
                        self.program = None;
                    }
                    unreadable.insert(path, reason);
                }
            }
        }
        Ok(())
    }

    /// Which file an import leads to, for the files that are known.
    pub(super) fn program(&mut self) -> Arc<Program> {
        if let Some(program) = &self.program {
            return Arc::clone(program);
        }
        let (mut manifests, mut outer_packages) = (Vec::new(), Vec::new());
        if let Some(listed) = &self.listing {
            manifests.clone_from(&listed.listing.manifests);
            outer_packages.clone_from(&listed.listing.outer_packages);
        }
        let paths: Vec<String> = self.files.keys().cloned().collect();
        let modules: Vec<Module> = self
            .files
            .values()
            .enumerate()
            .map(|(at, row)| {
                let path = self.root.join(&row.path).to_string_lossy().replace('\\', "/");
                Module::empty(FileId(at as u32), path, style(&row.language))
            })
            .collect();
        let index = ProgramIndex::new(&modules, &outer_packages, scan::specifiers(&manifests), &[], &[]);
        let by_path: FxHashMap<String, u32> =
            paths.iter().enumerate().map(|(at, path)| (path.clone(), at as u32)).collect();
        let program = Arc::new(Program { paths, by_path, index });
        self.program = Some(Arc::clone(&program));
        program
    }
}

/// Reads a file that may have changed.
fn look_at(changed: &Changed<'_>, service: &str, known: Option<&FileRow>) -> Looked {
    let Changed { file, size, modified, .. } = changed;
    // Before it is read: what is written afterwards is seen the next time.
    let checked = now();
    let text = match scan::text_of(&file.path) {
        Ok(text) => text,
        Err(reason) => return Looked::Unreadable(file.name.clone(), reason),
    };
    let hash = digest(&text);
    let row = FileRow {
        path: file.name.clone(),
        hash,
        size: *size,
        modified: *modified,
        checked,
        language: key(file.language).to_owned(),
        service: service.to_owned(),
        is_test: file.is_test,
    };
    if known.is_some_and(|known| known.hash == row.hash && known.language == row.language) {
        return Looked::Same(row);
    }
    let record = read(file.language, &file.name, &text);
    let units = units(&record, &file.name, &text);
    Looked::New { row, record: Some(Arc::new(record)), units }
}

/// The names in a record by which it is looked for, and whether it declares them.
fn names(record: &Record) -> Vec<(String, bool)> {
    let mut names: FxHashMap<&str, bool> = FxHashMap::default();
    for used in &record.uses {
        names.entry(record.name_of(used.term)).or_insert(false);
    }
    for import in &record.imports {
        match &import.what {
            Taken::Name(name) => names.entry(name).or_insert(false),
            // It may be the one thing that the module exports.
            Taken::Require => names.entry("default").or_insert(false),
            _ => continue,
        };
    }
    for symbol in &record.symbols {
        names.insert(&symbol.name, true);
    }
    names.remove("");
    let mut names: Vec<(String, bool)> =
        names.into_iter().map(|(name, declares)| (name.to_owned(), declares)).collect();
    names.sort();
    names
}

/// How a language is called in the tables.
fn key(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        Language::TypeScript => "typescript",
        Language::Tsx => "tsx",
        Language::JavaScript => "javascript",
        Language::Component => "component",
        Language::CSharp => "csharp",
    }
}

pub(super) fn style(language: &str) -> ImportStyle {
    match language {
        "python" => ImportStyle::Dotted,
        "csharp" => ImportStyle::Namespace,
        _ => ImportStyle::Path,
    }
}

fn now() -> i64 {
    nanoseconds(SystemTime::now())
}

fn nanoseconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

fn modified(meta: &fs::Metadata) -> i64 {
    meta.modified().map_or(0, nanoseconds)
}

/// When a path was changed last; 0 where there is none.
pub(super) fn time(path: &Path) -> i64 {
    fs::metadata(path).map_or(0, |meta| modified(&meta))
}

/// What a new or removed file, or another rule, changes the time of.
///
/// What changed right before the walk, or during it, may have changed after the walk was there: it counts as changed again.
fn watched(listing: &scan::Listing, root: &Path, started: i64) -> Vec<(PathBuf, i64)> {
    let directories = listing.directories.iter();
    let lists = directories.clone().flat_map(|it| [it.join(".gitignore"), it.join(".ignore")]);
    let own = [root.to_path_buf(), root.join("treaty.toml"), root.join(".gitignore")];
    let lists = lists.chain(own).filter(|path| path.exists());
    let all = directories.cloned().chain(lists).chain(listing.manifests.iter().cloned());
    let settled = |time: i64| if time + TICK < started { time } else { -1 };
    all.map(|path| (path.clone(), settled(time(&path)))).collect()
}
