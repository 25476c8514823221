//! Contract documents with all that they refer to, never from outside of the directories that are allowed.

use std::fs;
use std::path::{Path, PathBuf};

use super::gather::{MAX_DOCUMENT_BYTES, Tree};
use super::places::Places;
use super::store::{Store, Text, plain_error};
use super::{Options, ScanError};
use crate::contracts::{self, Document};
use crate::finding::{Problem, ProblemKind};
use crate::text::{SourceFile, Sources};

/// Documents that one run follows references to; each reference to another one is told.
const MAX_DOCUMENTS: usize = 10_000;

/// Loads documents until no reference leads to a new one, never from outside of the roots.
pub(super) struct Loader<'s> {
    store: &'s Store,
    places: &'s Places,
    roots: Vec<PathBuf>,
    queue: Vec<String>,
}

impl<'s> Loader<'s> {
    pub(super) fn new(store: &'s Store, places: &'s Places, options: &Options, roots: &[String]) -> Self {
        // Settings are part of what is looked at, and allow nothing that lies outside of it.
        let configured = options.config.contract_roots.iter().map(|root| places.settings().join(root));
        let configured = configured.map(|root| places.argument(&root)).filter(|root| places.is_held(root));
        let further = configured.chain(options.contract_roots.iter().map(|root| places.argument(root)));
        // Named contracts lead only into their own directory and the configured roots; discovered ones into the
        // scanned paths.
        let scanned: Vec<PathBuf> = if options.names_contracts() {
            Vec::new()
        } else {
            roots.iter().map(|root| places.absolute(root)).collect()
        };
        let roots = scanned.into_iter().chain(further).collect();
        Loader { store, places, roots, queue: Vec::new() }
    }

    /// Reads a document that the user named, whose references may lead into its directory.
    pub(super) fn named(&mut self, whole: &Path, name: &str) -> Result<Result<Text, Problem>, ScanError> {
        let bad = |reason: String| ScanError::BadContract { path: name.to_owned(), reason };
        if !matches!(self.store, Store::Revision(_)) {
            let meta = fs::metadata(self.store.place(whole)).map_err(|error| bad(plain_error(&error)))?;
            if meta.is_dir() {
                return Err(bad("it is a directory; name the contract file in it".to_owned()));
            }
            if !meta.is_file() {
                return Err(bad("it is no regular file".to_owned()));
            }
        }
        self.roots.push(whole.parent().unwrap_or(Path::new("/")).to_path_buf());
        match self.store.read(whole, name, MAX_DOCUMENT_BYTES) {
            Err(problem) if problem.kind == ProblemKind::Unreadable => Err(bad(problem.message)),
            other => Ok(other),
        }
    }

    /// Keeps a document under its path as shown.
    pub(super) fn add(&mut self, tree: &mut Tree, sources: &mut Sources, name: &str, text: Result<Text, Problem>) {
        let document = match text {
            Ok(Text { text, flaw }) => {
                tree.problems.extend(flaw);
                let source = self.store.name(&self.places.absolute(name), self.places);
                let file = sources.add(SourceFile::new(source, text));
                contracts::parse_file(file, name, &sources.get(file).text)
            }
            Err(reason) => Document::Absent { reason },
        };
        tree.documents.insert(name.to_owned(), document);
        self.queue.push(name.to_owned());
    }

    pub(super) fn follow_references(&mut self, tree: &mut Tree, sources: &mut Sources) {
        while let Some(name) = self.queue.pop() {
            let references = match tree.documents.get(&name) {
                Some(document) => contracts::referenced_files(document),
                None => continue,
            };
            for reference in references {
                let Some(target) = contracts::join(&name, &reference) else { continue };
                if tree.documents.contains_key(&target) {
                    continue;
                }
                if tree.documents.len() >= MAX_DOCUMENTS {
                    let message = format!("not looked at: it is beyond the {MAX_DOCUMENTS} documents of one run");
                    let reason = Problem::new(ProblemKind::TooLarge, name.clone(), message);
                    tree.documents.insert(target, Document::Absent { reason });
                    continue;
                }
                let path = self.places.absolute(&target);
                let text = if !self.store.is_inside(&path, &self.roots) {
                    let message = "it leads out of the directories that contracts are read from";
                    Err(Problem::new(ProblemKind::ReferenceOutsideRoot, name.clone(), message).with_help(
                        "move the document below the contract's, name its folder under `contract-roots` in `treaty.toml` or, outside of the repository, with `--contract-root`",
                    ))
                } else if self.store.has(&path) {
                    self.store.read(&path, &target, MAX_DOCUMENT_BYTES)
                } else {
                    // A reference that leads nowhere is wrong in the contract.
                    continue;
                };
                self.add(tree, sources, &target, text);
            }
        }
    }
}
