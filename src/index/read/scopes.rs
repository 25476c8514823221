//! Scopes of one file, and which binding a name leads to.

use rustc_hash::FxHashMap;

use super::Reader;
use crate::index::record::{BindingId, SymbolId, Term, TermId};
use crate::model::program::ImportStyle;

pub(super) type ScopeId = usize;

#[derive(Debug)]
pub(super) struct Scope {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) parent: Option<ScopeId>,
    pub(super) names: FxHashMap<String, BindingId>,
    /// The function, class or variable that it is the inside of.
    pub(super) owner: Option<SymbolId>,
    /// The class that it is the inside of.
    pub(super) class: Option<SymbolId>,
    /// A class, whose names only those see that stand in it directly (C#: all of it).
    pub(super) is_class: bool,
}

impl Scope {
    pub(super) fn file(end: u32) -> Scope {
        Scope { start: 0, end, parent: None, names: FxHashMap::default(), owner: None, class: None, is_class: false }
    }
}

impl Reader<'_> {
    /// Goes into a scope; the one before comes back from it, for [`Reader::leave`].
    pub(super) fn enter(&mut self, (start, end): (u32, u32), owner: Option<SymbolId>, is_class: bool) -> ScopeId {
        let before = self.scope;
        let class = if is_class { owner } else { None };
        let names = FxHashMap::default();
        self.scopes.push(Scope { start, end, parent: Some(before), names, owner, class, is_class });
        self.scope = self.scopes.len() - 1;
        before
    }

    pub(super) fn leave(&mut self, before: ScopeId) {
        self.scope = before;
    }

    /// Binds a name in the scope, unless it is bound there.
    pub(super) fn bind_here(&mut self, name: &str) -> BindingId {
        if let Some(known) = self.scopes[self.scope].names.get(name) {
            return *known;
        }
        let binding = self.bind(name);
        self.scopes[self.scope].names.insert(name.to_owned(), binding);
        if self.scope == 0 {
            self.record.top.push(binding);
        }
        binding
    }

    pub(super) fn is_bound_here(&self, name: &str) -> bool {
        self.scopes[self.scope].names.contains_key(name)
    }

    pub(super) fn look_up(&mut self, name: &str) -> TermId {
        self.look_up_in(self.scope, name)
    }

    pub(super) fn look_up_in(&mut self, scope: ScopeId, name: &str) -> TermId {
        let mut next = Some(scope);
        let mut class = None;
        while let Some(at) = next {
            let it = &self.scopes[at];
            if it.is_class {
                class = class.or(it.class);
            }
            let sees = !it.is_class || at == scope || self.style == ImportStyle::Namespace;
            if sees && let Some(binding) = it.names.get(name) {
                let binding = *binding;
                return self.term(Term::Bound(binding));
            }
            next = it.parent;
        }
        if name == "this"
            && let Some(class) = class
        {
            // A function that has none of its own, as what a property is set to.
            return self.term(Term::This(class));
        }
        self.term(Term::Free(name.to_owned(), class))
    }

    /// The binding that a name leads to in the scopes around.
    pub(super) fn binding(&self, name: &str) -> Option<BindingId> {
        let mut next = Some(self.scope);
        while let Some(at) = next {
            if let Some(binding) = self.scopes[at].names.get(name) {
                return Some(*binding);
            }
            next = self.scopes[at].parent;
        }
        None
    }

    /// The class around.
    pub(super) fn class_around(&self) -> Option<SymbolId> {
        let mut next = Some(self.scope);
        while let Some(at) = next {
            if self.scopes[at].is_class {
                return self.scopes[at].class;
            }
            next = self.scopes[at].parent;
        }
        None
    }

    /// The innermost scope at each of these offsets, which ascend.
    pub(super) fn scopes_at(&self, offsets: impl Iterator<Item = u32>) -> Vec<ScopeId> {
        let mut order: Vec<ScopeId> = (0..self.scopes.len()).collect();
        order.sort_by_key(|at| (self.scopes[*at].start, u32::MAX - self.scopes[*at].end, *at));
        let (mut next, mut open) = (order.into_iter().peekable(), Vec::new());
        let found = offsets.map(|offset| {
            while let Some(at) = next.next_if(|at| self.scopes[*at].start <= offset) {
                open.push(at);
            }
            while open.last().is_some_and(|at: &ScopeId| self.scopes[*at].end <= offset) {
                open.pop();
            }
            open.last().copied().unwrap_or(0)
        });
        found.collect()
    }
}
