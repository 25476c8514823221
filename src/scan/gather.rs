//! Everything that is read from disk: source files, contracts, the documents that they refer to, manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, WalkBuilder};
use rayon::prelude::*;

use super::manifests::is_import_manifest;
use super::paths::{SKIPPED, absolute, below, is_manifest, is_test, shown};
use super::projects::is_project_file;
use super::{Input, Options, Progress, ScanError};
use crate::config::Config;
use crate::contracts::{self, Document};
use crate::finding::{Problem, ProblemKind};
use crate::languages::Language;
use crate::text::{FileId, SourceFile, Sources};

/// Larger source files are not read: what is written by hand is far smaller, and the parser takes its time over text
/// that is no source at all.
const MAX_SOURCE_BYTES: u64 = 2 << 20;
/// Of a document that cannot be read, what is looked at to tell whether it is a contract.
const HEAD_BYTES: u64 = 64 << 10;
/// Larger documents are not looked at.
const MAX_DOCUMENT_BYTES: u64 = contracts::MAX_BYTES as u64;
/// Documents that one run follows references to.
const MAX_DOCUMENTS: usize = 10_000;

/// What a run works on.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) sources: Sources,
    pub(super) code: Vec<CodeFile>,
    pub(super) documents: BTreeMap<String, Document>,
    /// Contracts that are held against services: path, and whether the user named it.
    pub(super) entries: Vec<(String, bool)>,
    /// The services that documents say keep them, by the path of each.
    pub(super) providers: BTreeMap<String, String>,
    /// Scanned paths, as shown.
    pub(super) roots: Vec<String>,
    /// Packages that enclose a scanned path without being scanned themselves, absolute.
    pub(super) outer_packages: Vec<String>,
    /// Directories with a manifest, as shown.
    pub(super) manifests: BTreeSet<String>,
    /// Texts of files that publish entry points or tell where imports lead, with their paths as
    /// [`CodeFile::key`] is.
    pub(super) metadata: Vec<(String, String)>,
    /// The document that the contract is held against, and the day of the run.
    pub(super) against: Option<String>,
    pub(super) today: Option<String>,
    /// Every type that code declares is wanted.
    pub(super) all_models: bool,
    pub(super) problems: Vec<Problem>,
}

#[derive(Clone, Debug)]
pub(super) struct CodeFile {
    pub(super) file: FileId,
    /// Absolute path, forward slashes.
    pub(super) key: String,
    pub(super) language: Language,
    pub(super) is_test: bool,
}

/// The same from texts alone, for a scanned path that is the working directory.
pub(super) fn from_texts(inputs: Vec<Input>, config: &Config) -> Gathered {
    let against = config.against.clone();
    let mut gathered = Gathered { roots: vec![".".to_owned()], against, ..Gathered::default() };
    let mut inputs = inputs;
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    for input in inputs {
        let Input { path, text } = input;
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        if is_manifest(&name) {
            gathered.manifests.insert(parent(&path).to_owned());
        }
        if let Some(language) = Language::by_path(&path) {
            let is_test = is_test(&path);
            let key = path.clone();
            let file = gathered.sources.add(SourceFile::new(path, text));
            gathered.code.push(CodeFile { file, key, language, is_test });
        } else if is_metadata(&name) {
            gathered.metadata.push((path, text));
        } else {
            if gathered.against.as_ref() != Some(&path) && contracts::sniff(&path, &text) {
                gathered.entries.push((path.clone(), false));
            }
            let file = gathered.sources.add(SourceFile::new(path.clone(), text));
            let document = contracts::parse(file, &gathered.sources.get(file).text);
            gathered.documents.insert(path, document);
        }
    }
    unfold(&mut gathered);
    gathered
}

/// Takes in the contracts that documents hold. What only holds others is none itself.
fn unfold(gathered: &mut Gathered) {
    for (path, named) in gathered.entries.clone() {
        let added = contracts::unfold(&mut gathered.documents, &path);
        if !added.is_empty() && !gathered.documents.get(&path).is_some_and(contracts::is_about_wiring) {
            gathered.entries.retain(|(known, _)| *known != path);
        }
        for (path, provider) in added {
            gathered.entries.push((path.clone(), named));
            gathered.providers.extend(provider.map(|provider| (path, provider)));
        }
    }
}

struct Candidate {
    path: PathBuf,
    shown: String,
    is_test: bool,
}

#[derive(Default)]
struct Found {
    code: Vec<(Candidate, Language)>,
    documents: Vec<Candidate>,
    metadata: Vec<Candidate>,
}

/// Walks and reads.
pub(super) fn gather(options: &Options, progress: &dyn Progress) -> Result<Gathered, ScanError> {
    let working = std::env::current_dir()
        .map_err(|error| ScanError::BadPath { path: ".".to_owned(), reason: error.to_string() })?;
    let mut gathered = Gathered { today: options.today.clone(), all_models: options.all_models, ..Gathered::default() };
    let default = [PathBuf::from(".")];
    let paths = if options.paths.is_empty() { &default[..] } else { &options.paths };
    let mut found = Found::default();
    for path in paths {
        walk(path, &working, options, &mut gathered, &mut found)?;
    }
    found.code.sort_by(|a, b| a.0.shown.cmp(&b.0.shown));
    found.code.dedup_by(|a, b| a.0.shown == b.0.shown);
    found.documents.sort_by(|a, b| a.shown.cmp(&b.shown));
    found.documents.dedup_by(|a, b| a.shown == b.shown);
    read_code(found.code, &working, &mut gathered, progress);
    for candidate in &found.metadata {
        if let Ok(text) = read_text(&candidate.path, MAX_SOURCE_BYTES) {
            let key = absolute(&candidate.path, &working).to_string_lossy().replace('\\', "/");
            gathered.metadata.push((key, text));
        }
    }
    let mut loader = Loader::new(&working, options, &gathered.roots);
    let named: Vec<(PathBuf, bool)> = named_contracts(options);
    let against = earlier_version(options);
    if options.contracts.is_empty() {
        let apart = named.iter().map(|(path, _)| path).chain(&against);
        let configured: BTreeSet<String> = apart.map(|path| shown(path, &working)).collect();
        let discovered: Vec<(Candidate, Option<Result<String, Problem>>)> = found
            .documents
            .into_par_iter()
            .filter(|candidate| !candidate.is_test && !configured.contains(&candidate.shown))
            .map(|candidate| {
                let text = discover(&candidate);
                (candidate, text)
            })
            .collect();
        for (candidate, text) in discovered {
            match text {
                Some(Ok(text)) => {
                    loader.add(&mut gathered, &candidate.shown, Ok(text));
                    gathered.entries.push((candidate.shown, false));
                }
                Some(Err(problem)) => gathered.problems.push(problem),
                None => {}
            }
        }
    }
    for (path, must_exist) in named {
        let name = shown(&path, &working);
        match loader.named(&path, &name)? {
            Ok(text) => {
                loader.add(&mut gathered, &name, Ok(text));
                gathered.entries.push((name, must_exist));
            }
            Err(problem) => gathered.problems.push(problem),
        }
    }
    if let Some(path) = against {
        let name = shown(&path, &working);
        let text = loader.named(&path, &name)?;
        if !gathered.documents.contains_key(&name) {
            loader.add(&mut gathered, &name, text);
        }
        gathered.against = Some(name);
    }
    unfold(&mut gathered);
    loader.follow_references(&mut gathered);
    gathered.entries.sort();
    gathered.entries.dedup_by(|a, b| a.0 == b.0);
    Ok(gathered)
}

/// `--contract`, or the contracts that the configuration names.
fn named_contracts(options: &Options) -> Vec<(PathBuf, bool)> {
    if !options.contracts.is_empty() {
        return options.contracts.iter().map(|path| (path.clone(), true)).collect();
    }
    let configured = options.config.services.iter().flat_map(|service| &service.contracts);
    configured.map(|path| (options.config.directory.join(path), true)).collect()
}

/// `--against`, or the earlier version that the configuration names.
fn earlier_version(options: &Options) -> Option<PathBuf> {
    let configured = options.config.against.as_ref().map(|path| options.config.directory.join(path));
    options.against.clone().or(configured)
}

fn walk(
    path: &Path,
    working: &Path,
    options: &Options,
    gathered: &mut Gathered,
    found: &mut Found,
) -> Result<(), ScanError> {
    let root = shown(path, working);
    let bad = |reason: String| ScanError::BadPath { path: root.clone(), reason };
    let meta = fs::metadata(path).map_err(|error| bad(plain_error(&error)))?;
    gathered.roots.push(if meta.is_dir() { root.clone() } else { parent(&root).to_owned() });
    let whole = absolute(path, working);
    for outer in whole.ancestors().skip(1).take_while(|outer| outer.join("__init__.py").is_file()) {
        gathered.outer_packages.push(outer.to_string_lossy().replace('\\', "/"));
    }
    let mut builder = WalkBuilder::new(path);
    builder.hidden(true).require_git(true).follow_links(false).filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        !(directory && entry.depth() > 0 && (SKIPPED.contains(&&*name) || name.ends_with(".egg-info")))
    });
    if !options.config.exclude.is_empty() {
        let base = if options.config.directory.as_os_str().is_empty() { working } else { &options.config.directory };
        let mut overrides = OverrideBuilder::new(base);
        for glob in &options.config.exclude {
            overrides.add(&format!("!{glob}")).map_err(|error| bad(error.to_string()))?;
        }
        builder.overrides(overrides.build().map_err(|error| bad(error.to_string()))?);
    }
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                gathered.problems.push(Problem::new(ProblemKind::Unreadable, root.clone(), error.to_string()));
                continue;
            }
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let shown = shown(entry.path(), working);
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            gathered.problems.extend(not_a_file(&entry, &name, &shown, path));
            continue;
        }
        if is_manifest(&name) {
            gathered.manifests.insert(parent(&shown).to_owned());
        }
        let relative = below(&shown, &root).unwrap_or(&shown).to_owned();
        let candidate = Candidate { path: entry.into_path(), is_test: is_test(&relative), shown };
        if let Some(language) = Language::by_path(&name) {
            found.code.push((candidate, language));
        } else if is_metadata(&name) {
            found.metadata.push(candidate);
        } else if is_document(&name) {
            found.documents.push(candidate);
        }
    }
    Ok(())
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

fn is_metadata(name: &str) -> bool {
    name == "entry_points.txt" || name == "pyproject.toml" || is_import_manifest(name) || is_project_file(name)
}

fn is_document(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".json", ".yaml", ".yml"].iter().any(|extension| name.ends_with(extension))
}

pub(super) fn parent(shown: &str) -> &str {
    shown.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

fn read_code(files: Vec<(Candidate, Language)>, working: &Path, gathered: &mut Gathered, progress: &dyn Progress) {
    let total = files.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let texts: Vec<Result<SourceFile, Problem>> = files
        .par_iter()
        .map(|(candidate, _)| {
            let text = read_problem(&candidate.path, &candidate.shown, MAX_SOURCE_BYTES);
            progress.tick("reading", done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, total);
            text.map(|text| SourceFile::new(candidate.shown.clone(), text))
        })
        .collect();
    for ((candidate, language), text) in files.into_iter().zip(texts) {
        match text {
            Ok(source) => {
                let file = gathered.sources.add(source);
                let key = absolute(&candidate.path, working).to_string_lossy().replace('\\', "/");
                gathered.code.push(CodeFile { file, key, language, is_test: candidate.is_test });
            }
            Err(problem) => gathered.problems.push(problem),
        }
    }
}

/// The text of a contract; `None` for a document that is none. What cannot be read and may be one is a problem.
fn discover(candidate: &Candidate) -> Option<Result<String, Problem>> {
    match read_document(&candidate.path, &candidate.shown) {
        Ok(text) => contracts::sniff(&candidate.shown, &text).then_some(Ok(text)),
        Err(problem) => {
            let may_be_one = problem.kind == ProblemKind::Unreadable
                || head(&candidate.path).is_none_or(|head| contracts::sniff(&candidate.shown, &head));
            may_be_one.then_some(Err(problem))
        }
    }
}

/// The beginning of a file, whatever its encoding: of UTF-16, the letters are left.
fn head(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    let start = if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) { 2 } else { 0 };
    head.retain(|byte| *byte != 0);
    Some(String::from_utf8_lossy(&head[start..]).into_owned())
}

fn read_document(path: &Path, shown: &str) -> Result<String, Problem> {
    read_problem(path, shown, MAX_DOCUMENT_BYTES)
}

fn read_problem(path: &Path, shown: &str, limit: u64) -> Result<String, Problem> {
    read_text(path, limit).map_err(|failure| {
        let (kind, message, help) = match failure {
            ReadFailure::TooLarge(bytes) => (
                ProblemKind::TooLarge,
                format!("{bytes} bytes are more than the {limit} that are read"),
                "exclude it in `treaty.toml`, or split it",
            ),
            ReadFailure::Encoding => {
                (ProblemKind::InvalidEncoding, "the file is not valid UTF-8".to_owned(), "save it as UTF-8")
            }
            ReadFailure::Io(reason) => (ProblemKind::Unreadable, reason, "check that it may be read"),
        };
        Problem::new(kind, shown, message).with_help(help)
    })
}

enum ReadFailure {
    TooLarge(u64),
    Encoding,
    Io(String),
}

/// The text of a file without its byte-order mark.
fn read_text(path: &Path, limit: u64) -> Result<String, ReadFailure> {
    let io = |error: std::io::Error| ReadFailure::Io(plain_error(&error));
    let meta = fs::metadata(path).map_err(io)?;
    if !meta.is_file() {
        return Err(ReadFailure::Io("it is not a file".to_owned()));
    }
    if meta.len() > limit {
        return Err(ReadFailure::TooLarge(meta.len()));
    }
    let text = String::from_utf8(fs::read(path).map_err(io)?).map_err(|_| ReadFailure::Encoding)?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The reason without the operating system's number.
fn plain_error(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Loads documents until no reference leads to a new one, never from outside of the roots.
struct Loader {
    working: PathBuf,
    roots: Vec<PathBuf>,
    queue: Vec<String>,
}

impl Loader {
    fn new(working: &Path, options: &Options, roots: &[String]) -> Self {
        let further = options.config.contract_roots.iter().map(|root| options.config.directory.join(root));
        // Named contracts lead only into their own directory and the configured roots; discovered ones into the
        // scanned paths.
        let scanned: Vec<PathBuf> =
            if options.contracts.is_empty() { roots.iter().map(PathBuf::from).collect() } else { Vec::new() };
        let roots = scanned.into_iter().chain(further).map(|root| absolute(&root, working)).collect();
        Loader { working: working.to_path_buf(), roots, queue: Vec::new() }
    }

    /// Reads a document that the user named, whose references may lead into its directory.
    fn named(&mut self, path: &Path, name: &str) -> Result<Result<String, Problem>, ScanError> {
        let bad = |reason: String| ScanError::BadContract { path: name.to_owned(), reason };
        let meta = fs::metadata(path).map_err(|error| bad(plain_error(&error)))?;
        if meta.is_dir() {
            return Err(bad("it is a directory; name the contract file in it".to_owned()));
        }
        self.roots.push(absolute(path, &self.working).parent().unwrap_or(Path::new("/")).to_path_buf());
        Ok(read_document(path, name))
    }

    fn add(&mut self, gathered: &mut Gathered, name: &str, text: Result<String, Problem>) {
        let document = match text {
            Ok(text) => {
                let source = SourceFile::new(name, text);
                let file = gathered.sources.add(source);
                contracts::parse(file, &gathered.sources.get(file).text)
            }
            Err(reason) => Document::Absent { reason },
        };
        gathered.documents.insert(name.to_owned(), document);
        self.queue.push(name.to_owned());
    }

    fn follow_references(&mut self, gathered: &mut Gathered) {
        while let Some(name) = self.queue.pop() {
            let references = match gathered.documents.get(&name) {
                Some(document) => contracts::referenced_files(document),
                None => continue,
            };
            for reference in references {
                let Some(target) = contracts::join(&name, &reference) else { continue };
                if gathered.documents.contains_key(&target) || gathered.documents.len() >= MAX_DOCUMENTS {
                    continue;
                }
                let path = absolute(Path::new(&target), &self.working);
                let text = if !self.is_inside(&path) {
                    let message = "it leads out of the directories that contracts are read from";
                    Err(Problem::new(ProblemKind::ReferenceOutsideRoot, name.clone(), message).with_help(
                        "move the document below the contract's, or name its folder under `contract-roots` in `treaty.toml`",
                    ))
                } else if path.exists() {
                    read_document(&path, &target)
                } else {
                    // A reference that leads nowhere is wrong in the contract.
                    continue;
                };
                self.add(gathered, &target, text);
            }
        }
    }

    /// Whether a path lies in a root, links on the disk resolved.
    fn is_inside(&self, path: &Path) -> bool {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        self.roots.iter().any(|root| {
            let real_root = fs::canonicalize(root).unwrap_or_else(|_| root.clone());
            path.starts_with(root) && real.starts_with(real_root)
        })
    }
}
