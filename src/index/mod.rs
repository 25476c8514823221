//! The codebase index: where a symbol is declared, who uses it, what a file depends on, what nobody uses, and search.
//!
//! Each file has a [`record::Record`] that follows from its text alone and is kept by the hash of it. What a name means is
//! found out when somebody asks, from the records of the files as they are at that moment: nothing that crosses files is
//! kept but which file imports which, with the files that decide these imports.

mod artifact;
mod dead;
mod definition;
mod dependencies;
mod map;
mod read;
mod record;
mod refresh;
mod resolve;
mod rows;
mod said;
mod search;
mod service;
mod symbols;
mod view;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::config::{self, Config};
use crate::evaluate::ProgramIndex;
use crate::scan::{Options, ScanError};
use crate::store::{Store, StoreError};
use rows::FileRow;
use view::Loaded;

pub use artifact::Registered;
pub use dead::{Confidence, Dead};
pub use definition::{Caller, Callers, Definition};
pub use dependencies::Dependencies;
pub use read::read;
pub use record::{Record, Symbol, SymbolKind};
pub use rows::PART;
pub use search::Hit;
pub use service::{Endpoint, Event, Exported, ServiceInterface};
pub use symbols::Outlined;

/// Why a question cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Scan(#[from] ScanError),
    #[error("the settings cannot be used: {0}")]
    Config(#[from] Box<config::ConfigError>),
    #[error("{root} is no folder: name the folder of a project with --root")]
    NoRoot { root: String },
    #[error("{path} lies outside of {root}: only files of the project are indexed")]
    OutsideRoot { path: String, root: String },
    #[error("{path} is not in the index: {reason}")]
    NoFile { path: String, reason: String },
    #[error("there is no service `{name}`{nearest}: `treaty code map` lists them")]
    NoService { name: String, nearest: String },
}

impl IndexError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            IndexError::Store(_) => "store",
            IndexError::Scan(_) => "scan",
            IndexError::Config(_) => "config",
            IndexError::NoRoot { .. } => "no_root",
            IndexError::OutsideRoot { .. } => "outside_root",
            IndexError::NoFile { .. } | IndexError::NoService { .. } => "not_found",
        }
    }
}

/// The index of one project. Not for several threads at once: each has its own.
pub struct Index {
    store: Store,
    /// Absolute, links resolved.
    root: PathBuf,
    config: Config,
    read_only: bool,
    /// By path relative to the root.
    files: BTreeMap<String, FileRow>,
    /// What was listed last; `None` before the first look.
    listing: Option<refresh::Listed>,
    program: Option<Arc<Program>>,
    /// Decoded records, by hash and language.
    records: FxHashMap<(String, String), Arc<Loaded>>,
    unreadable: BTreeMap<String, String>,
    /// Which file imports which; `None` before the first question about that, and after files have come or gone.
    graph: Option<dependencies::Graph>,
    /// What search has read of the units, in the state that they were in then.
    words: said::Words,
    /// What a scan understands of the services, and of which state of the files.
    services: Option<(String, Arc<Vec<ServiceInterface>>)>,
}

/// Which file an import leads to, for the files as they were at the last look.
struct Program {
    paths: Vec<String>,
    /// Index into `paths`.
    by_path: FxHashMap<String, u32>,
    index: ProgramIndex,
}

/// What is known, and how fresh it is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct State {
    pub files: usize,
    /// Files that were read for this answer, because they were new or had changed.
    pub refreshed: usize,
    pub removed: usize,
    /// All files of the project are in it, as they are now.
    pub complete: bool,
    /// Files that could not be read, and why.
    pub unreadable: BTreeMap<String, String>,
}

impl Index {
    /// Opens the index of the project at `root`, makes it where there is none. Nothing is read yet.
    ///
    /// # Errors
    /// A root that is no folder, settings that cannot be read, a database that cannot be used.
    pub fn open(database: &Path, root: &Path) -> Result<Index, IndexError> {
        Index::new(Store::open(database, &[&PART])?, root, false)
    }

    /// Opens an index that is there and answers from it, without looking at the files.
    ///
    /// # Errors
    /// As [`Index::open`], and a database that has no index yet.
    pub fn open_read_only(database: &Path, root: &Path) -> Result<Index, IndexError> {
        Index::new(Store::open_read_only(database, &[&PART])?, root, true)
    }

    /// An index that is gone with the value.
    ///
    /// # Errors
    /// As [`Index::open`].
    pub fn in_memory(root: &Path) -> Result<Index, IndexError> {
        Index::new(Store::in_memory(&[&PART])?, root, false)
    }

    fn new(store: Store, root: &Path, read_only: bool) -> Result<Index, IndexError> {
        let no_root = || IndexError::NoRoot { root: root.display().to_string() };
        let whole = std::fs::canonicalize(root).map_err(|_| no_root())?;
        if !whole.is_dir() {
            return Err(no_root());
        }
        let root = config::plain_path(&whole);
        let mut index = Index {
            config: settings(&root)?,
            store,
            root,
            read_only,
            files: BTreeMap::new(),
            listing: None,
            program: None,
            records: FxHashMap::default(),
            unreadable: BTreeMap::new(),
            graph: None,
            words: said::Words::default(),
            services: None,
        };
        index.take_rows()?;
        Ok(index)
    }

    /// The root, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn options(&self) -> Options {
        Options { paths: vec![self.root.clone()], config: self.config.clone(), ..Options::default() }
    }
}

/// The settings that are in force at a root.
fn settings(root: &Path) -> Result<Config, IndexError> {
    match config::find(root) {
        Some(file) => Ok(config::load(&file).map_err(Box::new)?),
        None => Ok(Config::default()),
    }
}

#[cfg(test)]
mod tests;
