//! The records of all files as they are at one moment, for one question.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::record::{BindingId, Record, Symbol, SymbolId, TermId};
use super::resolve::{Thing, Value};
use super::rows;
use super::{Index, Program};

/// A symbol of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) file: u32,
    pub(super) symbol: SymbolId,
}

/// A record with what is looked up in it.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) record: Arc<Record>,
    /// Names that the file binds itself.
    top: FxHashMap<String, BindingId>,
    /// Bindings of the file itself, not of a function.
    is_top: Vec<bool>,
    members: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl Loaded {
    pub(super) fn new(record: Arc<Record>) -> Loaded {
        let mut loaded = Loaded { is_top: vec![false; record.bindings.len()], ..Loaded::default() };
        for binding in &record.top {
            if let Some(it) = record.bindings.get(*binding as usize) {
                loaded.top.insert(it.name.clone(), *binding);
                loaded.is_top[*binding as usize] = true;
            }
        }
        for (at, symbol) in record.symbols.iter().enumerate() {
            if let Some(parent) = symbol.parent {
                loaded.members.entry(parent).or_default().push(at as u32);
            }
        }
        loaded.record = record;
        loaded
    }

    pub(super) fn top(&self, name: &str) -> Option<BindingId> {
        self.top.get(name).copied()
    }

    pub(super) fn is_top(&self, binding: BindingId) -> bool {
        self.is_top.get(binding as usize).copied().unwrap_or(false)
    }

    pub(super) fn members(&self, parent: SymbolId) -> &[SymbolId] {
        self.members.get(&parent).map_or(&[], Vec::as_slice)
    }

    pub(super) fn symbol(&self, symbol: SymbolId) -> Option<&Symbol> {
        self.record.symbols.get(symbol as usize)
    }
}

/// What terms of files were found to mean.
type Memo<T> = RefCell<FxHashMap<(u32, TermId), Rc<[T]>>>;

/// What is known at one moment.
pub(super) struct View<'i> {
    pub(super) index: &'i Index,
    pub(super) program: Arc<Program>,
    loaded: RefCell<FxHashMap<u32, Arc<Loaded>>>,
    pub(super) things: Memo<Thing>,
    pub(super) values: Memo<Value>,
    pub(super) depth: Cell<u32>,
    /// Something was cut because it was too deep: what follows from it is not remembered.
    pub(super) cut: Cell<bool>,
}

impl<'i> View<'i> {
    pub(super) fn new(index: &'i Index, program: Arc<Program>) -> View<'i> {
        View {
            index,
            program,
            loaded: RefCell::default(),
            things: RefCell::default(),
            values: RefCell::default(),
            depth: Cell::new(0),
            cut: Cell::new(false),
        }
    }

    pub(super) fn path(&self, file: u32) -> &str {
        self.program.paths.get(file as usize).map_or("", String::as_str)
    }

    pub(super) fn file(&self, path: &str) -> Option<u32> {
        self.program.by_path.get(path).copied()
    }

    /// The record of a file; an empty one where it cannot be had.
    pub(super) fn loaded(&self, file: u32) -> Arc<Loaded> {
        if let Some(known) = self.loaded.borrow().get(&file) {
            return Arc::clone(known);
        }
        let row = self.index.files.get(self.path(file));
        let loaded = row.and_then(|row| {
            if let Some(known) = self.index.records.get(&(row.hash.clone(), row.language.clone())) {
                return Some(Arc::clone(known));
            }
            let record = rows::record(self.index.store.connection(), &row.hash, &row.language).ok()??;
            Some(Arc::new(Loaded::new(Arc::new(record))))
        });
        let loaded = loaded.unwrap_or_default();
        self.loaded.borrow_mut().insert(file, Arc::clone(&loaded));
        loaded
    }

    pub(super) fn symbol(&self, at: At) -> Option<Symbol> {
        self.loaded(at.file).symbol(at.symbol).cloned()
    }

    pub(super) fn language(&self, file: u32) -> &str {
        self.index.files.get(self.path(file)).map_or("", |row| row.language.as_str())
    }

    /// Files whose text says a name.
    pub(super) fn files_with(&self, name: &str, declared: bool) -> Vec<u32> {
        let paths = rows::files_with(self.index.store.connection(), name, declared).unwrap_or_default();
        paths.iter().filter_map(|path| self.file(path)).collect()
    }

    /// Records that were read for this question, for the next one.
    pub(super) fn into_loaded(self) -> Vec<(u32, Arc<Loaded>)> {
        self.loaded.into_inner().into_iter().collect()
    }
}
