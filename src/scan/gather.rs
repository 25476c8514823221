//! Everything that is read from outside: source files, contracts, the documents that they refer to, manifests; of the
//! scanned paths as they are now and, where they are held against another version, of that one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::beside;
use super::changes::{Changes, Narrowing};
use super::loader::Loader;
use super::parts::Part;
use super::paths::{below, is_archived, is_manifest, is_test};
use super::places::Places;
use super::revision::Revision;
use super::skipped::Skipped;
use super::store::{Store, Text, existing};
use super::walk::{Candidate, Found, is_metadata, walk};
use super::{Input, Options, Progress, ScanError, Scope};
use crate::config::{self, Config};
use crate::contracts::{self, Document};
use crate::facts;
use crate::finding::{Problem, ProblemKind};
use crate::languages::Language;
use crate::text::{FileId, SourceFile, Sources};
use crate::workspace::{Wants, Workspace};

/// Larger source files are not read: what is written by hand is far smaller, and the parser takes its time over text
/// that is no source at all.
pub(super) const MAX_SOURCE_BYTES: u64 = 2 << 20;
/// Of a document that cannot be read, what is looked at to tell whether it is a contract.
const HEAD_BYTES: u64 = 64 << 10;
/// Larger documents are not looked at.
pub(super) const MAX_DOCUMENT_BYTES: u64 = contracts::MAX_BYTES as u64;

/// What a run works on.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) sources: Sources,
    pub(super) now: Tree,
    /// The same at an earlier version, and how that is called.
    pub(super) before: Option<(Tree, String)>,
    /// The document of `now` that the contract is held against.
    pub(super) against: Option<String>,
    /// That document would be a contract of now, if nothing else is.
    pub(super) against_is_found: bool,
    /// Files of facts: path and text.
    pub(super) facts: Vec<(String, String)>,
    /// What the directory is called that names are relative to.
    pub(super) here: String,
    /// The directory that names are relative to.
    pub(super) base: PathBuf,
    /// Settings, whose services are those that are scanned.
    pub(super) config: Config,
    /// What findings are told of, as shown; everything that is read, if empty.
    pub(super) scanned: Vec<String>,
    /// What was asked for.
    pub(super) scope: Scope,
    /// The day of the run.
    pub(super) today: Option<String>,
    /// Every type that code declares is wanted.
    pub(super) all_models: bool,
    /// What was changed, where nothing else is asked for.
    pub(super) changes: Option<Changes>,
    /// What the rules look at besides code and contracts.
    pub(super) wants: Wants,
}

/// One version of what is scanned. Paths are those of now, so that what is the same has the same name in both; the
/// sources are called by where they really come from.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) code: Vec<CodeFile>,
    pub(super) documents: BTreeMap<String, Document>,
    /// Contracts that are held against services: path, and whether the user named it.
    pub(super) entries: Vec<(String, bool)>,
    /// The services that documents say keep them, by the path of each.
    pub(super) providers: BTreeMap<String, String>,
    /// Contracts that documents mark as implemented, each with whether its evidence is there.
    pub(super) marks: Vec<(contracts::Mark, bool)>,
    /// Scanned paths, as shown.
    pub(super) roots: Vec<String>,
    /// Packages that enclose a scanned path without being scanned themselves, absolute.
    pub(super) outer_packages: Vec<String>,
    /// Directories with a manifest, as shown.
    pub(super) manifests: BTreeSet<String>,
    /// Texts of files that publish entry points or tell where imports lead, with their paths as
    /// [`CodeFile::key`] is.
    pub(super) metadata: Vec<(String, String)>,
    pub(super) problems: Vec<Problem>,
    /// Settings of folders.
    pub(super) parts: Vec<Part>,
    /// What was not looked at by its name, or because git leaves it out.
    pub(super) skipped: Skipped,
    /// Files that rules look at besides; those of now.
    pub(super) workspace: Workspace,
}

#[derive(Clone, Debug)]
pub(super) struct CodeFile {
    pub(super) file: FileId,
    /// As shown.
    pub(super) path: String,
    /// Absolute path, forward slashes.
    pub(super) key: String,
    pub(super) language: Language,
    pub(super) is_test: bool,
}

/// The same from texts alone, for a scanned path that is the working directory. A configured earlier version is one of
/// the texts, or the folder of some.
pub(super) fn from_texts(inputs: Vec<Input>, config: &Config, wants: Wants) -> Gathered {
    let mut inputs = inputs;
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    let scope = Scope { scanned: vec![".".to_owned()], contracts: Vec::new(), is_whole: true };
    let mut gathered = Gathered { now: texts_tree(), config: config.clone(), scope, wants, ..Gathered::default() };
    gathered.now.parts = config.overrides.iter().map(|it| Part::new(".".to_owned(), it.clone())).collect();
    let folder = config.against.as_ref().map(|folder| format!("{folder}/"));
    let mut before = texts_tree();
    let mut is_folder = false;
    for Input { path, text } in inputs {
        if let Some(rest) = folder.as_ref().and_then(|folder| path.strip_prefix(folder.as_str())) {
            is_folder = true;
            add_text(&mut before, &mut gathered.sources, (rest, &path), text, None);
        } else {
            beside::add(&mut gathered.now, &mut gathered.sources, (&path, &text), wants);
            add_text(&mut gathered.now, &mut gathered.sources, (&path, &path), text, config.against.as_deref());
        }
    }
    unfold(&mut before, |_| false);
    let now = &gathered.now;
    let code = now.code.iter().map(|file| file.path.clone());
    let documents = now.documents.keys().cloned();
    let names: BTreeSet<String> = code.chain(documents).chain(now.metadata.iter().map(|it| it.0.clone())).collect();
    let is_there = |path: &str| path == "." || names.iter().any(|name| below(name, path).is_some());
    unfold(&mut gathered.now, is_there);
    match &config.against {
        Some(folder) if is_folder => gathered.before = Some((before, folder.clone())),
        against => {
            gathered.against.clone_from(against);
            gathered.against_is_found = true;
        }
    }
    gathered
}

/// The same from two versions of one document.
pub(super) fn from_versions(old: Input, new: Input, today: Option<String>, config: &Config) -> Gathered {
    let mut gathered = Gathered { now: texts_tree(), today, config: config.clone(), ..Gathered::default() };
    gathered.against = Some(old.path.clone());
    gathered.now.entries.push((new.path.clone(), true));
    for Input { path, text } in [old, new] {
        let file = gathered.sources.add(SourceFile::new(path.clone(), text));
        let document = contracts::parse_file(file, &path, &gathered.sources.get(file).text);
        gathered.now.documents.insert(path, document);
    }
    gathered
}

fn texts_tree() -> Tree {
    Tree { roots: vec![".".to_owned()], ..Tree::default() }
}

fn add_text(tree: &mut Tree, sources: &mut Sources, (path, name): (&str, &str), text: String, apart: Option<&str>) {
    let last = path.rsplit('/').next().unwrap_or(path);
    if is_manifest(last) {
        tree.manifests.insert(parent(path).to_owned());
    }
    if let Some(language) = Language::by_path(path) {
        let file = sources.add(SourceFile::new(name, text));
        let is_test = is_test(path);
        tree.code.push(CodeFile { file, path: path.to_owned(), key: path.to_owned(), language, is_test });
    } else if is_metadata(last) {
        tree.metadata.push((path.to_owned(), text));
    } else {
        if apart != Some(path) && !is_archived(path) && contracts::sniff(path, &text) {
            tree.entries.push((path.to_owned(), false));
        }
        let file = sources.add(SourceFile::new(name, text));
        tree.documents.insert(path.to_owned(), contracts::parse_file(file, path, &sources.get(file).text));
    }
}

/// Takes in the contracts that documents hold, and what they say is implemented. What only holds others is none itself.
fn unfold(tree: &mut Tree, is_there: impl Fn(&str) -> bool) {
    for (path, named) in tree.entries.clone() {
        let marks = tree.documents.get(&path).map(|document| contracts::marks(document, &path)).unwrap_or_default();
        let found = |mark: &contracts::Mark| mark.evidence.as_deref().is_some_and(&is_there);
        tree.marks.extend(marks.into_iter().map(|mark| (mark.clone(), found(&mark))));
        let added = contracts::unfold(&mut tree.documents, &path);
        if !added.is_empty() && !tree.documents.get(&path).is_some_and(contracts::is_about_wiring) {
            tree.entries.retain(|(known, _)| *known != path);
        }
        for (path, provider) in added {
            tree.entries.push((path.clone(), named));
            tree.providers.extend(provider.map(|provider| (path, provider)));
        }
    }
}

/// The earlier version that a run is held against.
enum Against {
    Nothing,
    /// One document.
    Document(PathBuf),
    /// Everything that is scanned.
    Everything(Box<Store>),
}

/// Walks and reads.
pub(super) fn gather(options: &Options, wants: Wants, progress: &dyn Progress) -> Result<Gathered, ScanError> {
    let places = Places::of(options)?;
    let near = existing(&places.starts[0].path);
    let now = match (&options.narrowing, &options.revision) {
        (Some(Narrowing::Staged), _) => Store::Revision(index(&near)?),
        _ if !options.edited.is_empty() => {
            let edited = options.edited.iter().map(|(path, bytes)| (places.argument(path), bytes.clone()));
            Store::Edited(edited.collect())
        }
        (_, Some(name)) => Store::Revision(revision(name, &near)?),
        _ => Store::Disk,
    };
    let changes = options.narrowing.as_ref().map(|it| Changes::of(it, &near, &places)).transpose()?;
    let mut gathered = gather_from(&now, (&places, options, false), wants, progress)?;
    let rules = options.config.rules.iter().map(|rules| places.shown(&places.settings().join(rules)));
    let facts = options.facts.iter().map(|path| places.shown(&places.argument(path)));
    let settings = rules.chain(facts).collect();
    gathered.changes = changes.map(|it| it.with_settings(settings));
    gathered.miss();
    Ok(gathered)
}

/// Walks and reads a commit, called as if it were the state of now.
pub(super) fn gather_before(
    commit: &str,
    options: &Options,
    wants: Wants,
    progress: &dyn Progress,
) -> Result<Gathered, ScanError> {
    let places = Places::of(options)?;
    let mut now = revision(commit, &existing(&places.starts[0].path))?;
    now.is_nameless = true;
    gather_from(&Store::Revision(now), (&places, options, true), wants, progress)
}

fn index(near: &Path) -> Result<Revision, ScanError> {
    let bad = |reason| ScanError::BadChanges { asked: "--staged".to_owned(), reason };
    Revision::index(near).map_err(bad)
}

fn gather_from(
    now: &Store,
    (places, options, is_past): (&Places, &Options, bool),
    wants: Wants,
    progress: &dyn Progress,
) -> Result<Gathered, ScanError> {
    let mut gathered =
        Gathered { today: options.today.clone(), all_models: options.all_models, wants, ..Gathered::default() };
    let near = existing(&places.starts[0].path);
    let against = against(options, places, &near)?;
    let reading = Reading { options, places, progress, wants, is_past };
    let document = match &against {
        Against::Document(path) => Some(path.as_path()),
        _ => None,
    };
    let apart = match &against {
        Against::Everything(store) => match &**store {
            Store::Folder { folder, .. } => Some(folder.as_path()),
            _ => None,
        },
        _ => None,
    };
    let sources = &mut gathered.sources;
    let found = &mut gathered.against_is_found;
    gathered.now = reading.tree(now, Role::Now { document: document.map(|path| (path, found)), apart }, sources)?;
    let is_there = |path: &&Path| !is_past || gathered.now.documents.contains_key(&places.shown(path));
    gathered.against = document.filter(is_there).map(|path| places.shown(path));
    gathered.here = places.here();
    gathered.base = places.base().to_path_buf();
    let settings = places.shown(&places.settings());
    let overrides = places.config.overrides.iter().map(|it| Part::new(settings.clone(), it.clone()));
    gathered.now.parts.splice(0..0, overrides);
    gathered.config = places.config.clone();
    gathered.scanned.clone_from(&places.scanned);
    gathered.scope = scope(options, places);
    for path in &options.facts {
        let whole = places.argument(path);
        let name = places.shown(&whole);
        let text = Store::Disk.read(&whole, &name, facts::MAX_BYTES);
        let bad = |problem: Problem| ScanError::BadFacts { path: path.display().to_string(), reason: problem.message };
        let Text { text, flaw } = text.map_err(bad)?;
        if let Some(flaw) = flaw {
            return Err(bad(flaw));
        }
        gathered.facts.push((name, text));
    }
    if let Against::Everything(store) = &against {
        let name = match &**store {
            Store::Revision(revision) => revision.name.clone(),
            Store::Disk | Store::Edited(_) | Store::Folder { .. } => store.name(&places.starts[0].path, places),
        };
        gathered.before = Some((reading.tree(store, Role::Before, sources)?, name));
    }
    Ok(gathered)
}

fn scope(options: &Options, places: &Places) -> Scope {
    let mut scanned = places.scanned.clone();
    let texts = options.documents.iter().map(|input| Path::new(&input.path));
    let named = options.contracts.iter().map(PathBuf::as_path).chain(texts);
    let mut contracts: Vec<String> = named.map(|path| places.shown(&places.argument(path))).collect();
    scanned.sort();
    contracts.sort();
    let is_whole = contracts.is_empty() && scanned.iter().any(|path| path == ".");
    Scope { scanned, contracts, is_whole }
}

/// `--against`, or what the configuration names: a file, a folder, else a revision.
fn against(options: &Options, places: &Places, near: &Path) -> Result<Against, ScanError> {
    if let Some(name) = &options.before {
        return Ok(Against::Everything(Box::new(Store::Revision(revision(name, near)?))));
    }
    let configured = options.config.against.as_ref().map(|path| (places.settings().join(path), path.clone()));
    let named = options.against.as_ref().map(|path| (places.argument(path), path.to_string_lossy().into_owned()));
    let Some((path, text)) = named.or(configured) else { return Ok(Against::Nothing) };
    if path.is_dir() {
        let [scanned] = places.starts.as_slice() else {
            let reason = "a folder stands for one scanned path; name one".to_owned();
            return Err(ScanError::BadPath { path: text, reason });
        };
        return Ok(Against::Everything(Box::new(Store::Folder { folder: path, root: scanned.path.clone() })));
    }
    if path.exists() {
        return Ok(Against::Document(path));
    }
    let revision = Revision::open(&text, near);
    let neither = |reason| ScanError::BadAgainst { against: text.clone(), reason };
    Ok(Against::Everything(Box::new(Store::Revision(revision.map_err(neither)?))))
}

fn revision(name: &str, near: &Path) -> Result<Revision, ScanError> {
    let bad = |reason| ScanError::BadRevision { revision: name.to_owned(), reason };
    Revision::open(name, near).map_err(bad)
}

/// What a tree is read for.
enum Role<'r> {
    /// To be judged; `document` is an earlier version and no contract of now, with whether it lies in what is scanned, and
    /// `apart` is not looked into.
    Now { document: Option<(&'r Path, &'r mut bool)>, apart: Option<&'r Path> },
    /// To be compared with: what is not there is new.
    Before,
}

struct Reading<'r> {
    options: &'r Options,
    places: &'r Places,
    progress: &'r dyn Progress,
    /// What the rules look at besides.
    wants: Wants,
    /// A commit is read as if it were the state of now: what the commit does not have is new.
    is_past: bool,
}

impl Reading<'_> {
    fn tree(&self, store: &Store, role: Role<'_>, sources: &mut Sources) -> Result<Tree, ScanError> {
        let Reading { options, places, .. } = *self;
        let mut tree = Tree::default();
        let mut found = Found::default();
        let is_before = matches!(role, Role::Before);
        let may_lack = is_before || self.is_past;
        if !is_before {
            found.wants = self.wants;
        }
        let (document, apart) = match role {
            Role::Now { document, apart } => (document, apart),
            Role::Before => (None, None),
        };
        for start in &places.starts {
            match walk(store, start, places, (options, apart), &mut tree, &mut found) {
                Err(_) if may_lack => {}
                other => other?,
            }
        }
        found.code.sort_by(|a, b| a.0.shown.cmp(&b.0.shown));
        found.code.dedup_by(|a, b| a.0.shown == b.0.shown);
        found.documents.sort_by(|a, b| a.shown.cmp(&b.shown));
        found.documents.dedup_by(|a, b| a.shown == b.shown);
        self.code(store, found.code, &mut tree, sources);
        if options.nested && !may_lack {
            tree.parts = parts(store, places, found.settings, &mut tree.problems)?;
        }
        beside::read((store, places, self.wants), found.beside, &mut tree, sources);
        for candidate in &found.metadata {
            if let Ok(text) = store.text(&candidate.path, MAX_SOURCE_BYTES) {
                tree.metadata.push((candidate.path.to_string_lossy().replace('\\', "/"), text.text));
            }
        }
        let documents = found.documents.iter().filter(|candidate| !candidate.is_test);
        let lies_there: BTreeSet<String> = documents.map(|candidate| candidate.shown.clone()).collect();
        let mut loader = Loader::new(store, places, options, &tree.roots);
        let named: Vec<PathBuf> = named_contracts(options, places);
        if !options.names_contracts() {
            let document = document.as_ref().map(|(path, _)| *path);
            let apart = named.iter().map(PathBuf::as_path).chain(document);
            let configured: BTreeSet<String> = apart.map(|path| places.shown(path)).collect();
            let discovered: Vec<(Candidate, Option<Result<Text, Problem>>)> = found
                .documents
                .into_par_iter()
                .filter(|candidate| !candidate.is_test && !configured.contains(&candidate.shown))
                .filter(|candidate| places.is_wanted(&candidate.shown))
                .map(|candidate| {
                    let text = discover(store, &candidate);
                    (candidate, text)
                })
                .collect();
            for (candidate, text) in discovered {
                match text {
                    Some(Ok(text)) => {
                        loader.add(&mut tree, sources, &candidate.shown, Ok(text));
                        tree.entries.push((candidate.shown, false));
                    }
                    Some(Err(problem)) => tree.problems.push(problem),
                    None => {}
                }
            }
        }
        for path in named {
            if may_lack && !store.has(&path) {
                continue;
            }
            let name = places.shown(&path);
            if !options.names_contracts() && matches!(store, Store::Disk) && !places.is_held(&path) {
                let message = "the settings name it, and it leads out of the repository";
                let problem = Problem::new(ProblemKind::ReferenceOutsideRoot, name, message);
                tree.problems.push(problem.with_help("name it with `--contract`, if it is to be read"));
                continue;
            }
            match loader.named(&path, &name)? {
                Ok(text) => {
                    loader.add(&mut tree, sources, &name, Ok(text));
                    tree.entries.push((name, true));
                }
                Err(problem) => tree.problems.push(problem),
            }
        }
        for Input { path, text } in options.documents.iter().filter(|_| !is_before) {
            let name = places.shown(&places.argument(Path::new(path)));
            loader.add(&mut tree, sources, &name, Ok(Text { text: text.clone(), flaw: None }));
            tree.entries.push((name, true));
        }
        if let Some((path, is_found)) = document.filter(|(path, _)| !self.is_past || store.has(path)) {
            let name = places.shown(path);
            *is_found = !options.names_contracts() && lies_there.contains(&name);
            let text = loader.named(path, &name)?;
            if !tree.documents.contains_key(&name) {
                loader.add(&mut tree, sources, &name, text);
            }
        }
        loader.follow_references(&mut tree, sources);
        unfold(&mut tree, |path| store.has(&places.absolute(path)));
        tree.entries.sort();
        tree.entries.dedup_by(|a, b| a.0 == b.0);
        match store {
            Store::Revision(revision) => revision
                .failure()
                .map_or(Ok(tree), |reason| Err(ScanError::BadRevision { revision: revision.name.clone(), reason })),
            Store::Disk | Store::Edited(_) | Store::Folder { .. } => Ok(tree),
        }
    }

    fn code(&self, store: &Store, files: Vec<(Candidate, Language)>, tree: &mut Tree, sources: &mut Sources) {
        let total = files.len();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let texts: Vec<Result<(SourceFile, Option<Problem>), Problem>> = files
            .par_iter()
            .map(|(candidate, _)| {
                let text = store.read(&candidate.path, &candidate.name, MAX_SOURCE_BYTES);
                self.progress.tick("reading", done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, total);
                text.map(|Text { text, flaw }| (SourceFile::new(candidate.name.clone(), text), flaw))
            })
            .collect();
        for ((candidate, language), text) in files.into_iter().zip(texts) {
            match text {
                Ok((source, flaw)) => {
                    tree.problems.extend(flaw);
                    let file = sources.add(source);
                    let key = candidate.path.to_string_lossy().replace('\\', "/");
                    let is_test = candidate.is_test;
                    tree.code.push(CodeFile { file, path: candidate.shown, key, language, is_test });
                }
                Err(problem) => tree.problems.push(problem),
            }
        }
    }
}

/// What settings of folders say that are not those in force, outer ones first.
fn parts(
    store: &Store,
    places: &Places,
    mut settings: Vec<Candidate>,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Part>, ScanError> {
    let in_force = places.settings();
    settings.retain(|it| !it.is_test && it.path.parent() != Some(in_force.as_path()));
    settings.sort_by(|a, b| a.shown.cmp(&b.shown));
    settings.dedup_by(|a, b| a.shown == b.shown);
    settings.sort_by_key(|it| it.shown.matches('/').count());
    let mut parts = Vec::new();
    for candidate in settings {
        match store.read(&candidate.path, &candidate.name, config::MAX_BYTES) {
            Ok(text) => {
                problems.extend(text.flaw);
                let part = config::parse_part(&candidate.shown, &text.text);
                let part = part.map_err(|error| ScanError::Settings(Box::new(error)))?;
                parts.push(Part::of_folder(parent(&candidate.shown).to_owned(), part));
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok(parts)
}

/// `--contract`, or the contracts that the configuration names.
fn named_contracts(options: &Options, places: &Places) -> Vec<PathBuf> {
    if !options.names_contracts() {
        return places.configured.clone();
    }
    options.contracts.iter().map(|path| places.argument(path)).collect()
}

pub(super) fn parent(shown: &str) -> &str {
    shown.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

/// The text of a contract; `None` for a document that is none. What cannot be read and may be one is a problem.
fn discover(store: &Store, candidate: &Candidate) -> Option<Result<Text, Problem>> {
    match store.read(&candidate.path, &candidate.name, MAX_DOCUMENT_BYTES) {
        Ok(text) => contracts::sniff(&candidate.shown, &text.text).then_some(Ok(text)),
        Err(problem) => {
            let may_be_one = problem.kind == ProblemKind::Unreadable
                || head(&store.place(&candidate.path)).is_none_or(|head| contracts::sniff(&candidate.shown, &head));
            may_be_one.then_some(Err(problem))
        }
    }
}

/// The beginning of a file, whatever its encoding: of UTF-16, the letters are left.
pub(super) fn head(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    let start = if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) { 2 } else { 0 };
    head.retain(|byte| *byte != 0);
    Some(String::from_utf8_lossy(&head[start..]).into_owned())
}
