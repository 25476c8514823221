//! What an expression is worth.

use std::rc::Rc;

use super::{MAX_DEPTH, Thing, Value, shorten};
use crate::index::record::{SymbolKind, Term, TermId};
use crate::index::view::{At, View};

/// Methods that give one of what is held.
const TAKING_ONE: &[&str] = &[
    "get",
    "pop",
    "popleft",
    "find",
    "findLast",
    "at",
    "shift",
    "First",
    "FirstOrDefault",
    "Single",
    "SingleOrDefault",
    "Last",
    "LastOrDefault",
    "FirstAsync",
    "FirstOrDefaultAsync",
    "SingleAsync",
    "SingleOrDefaultAsync",
    "FindAsync",
    "Find",
    "setdefault",
    "ElementAt",
    "Pop",
    "Dequeue",
    "Peek",
];
/// Methods that give several of it.
const KEEPING_ALL: &[&str] = &[
    "filter",
    "slice",
    "sort",
    "reverse",
    "concat",
    "values",
    "copy",
    "Where",
    "OrderBy",
    "OrderByDescending",
    "ThenBy",
    "ToList",
    "ToArray",
    "ToListAsync",
    "ToArrayAsync",
    "Include",
    "ThenInclude",
    "AsNoTracking",
    "Skip",
    "Take",
    "Distinct",
    "AsQueryable",
    "AsEnumerable",
    "splice",
    "toSorted",
    "toReversed",
    "entries",
];

impl View<'_> {
    /// What an expression may be worth.
    pub(in crate::index) fn values(&self, file: u32, term: TermId) -> Rc<[Value]> {
        if let Some(known) = self.values.borrow().get(&(file, term)) {
            return Rc::clone(known);
        }
        if self.depth.get() >= MAX_DEPTH {
            self.cut.set(true);
            return Rc::default();
        }
        self.values.borrow_mut().insert((file, term), Rc::default());
        self.depth.set(self.depth.get() + 1);
        let mut found = self.find_values(file, term);
        self.depth.set(self.depth.get() - 1);
        shorten(&mut found);
        let found: Rc<[Value]> = found.into();
        self.values.borrow_mut().insert((file, term), Rc::clone(&found));
        found
    }

    fn find_values(&self, file: u32, term: TermId) -> Vec<Value> {
        let loaded = self.loaded(file);
        let Some(term_is) = loaded.record.terms.get(term as usize) else { return Vec::new() };
        match term_is {
            Term::Unknown => Vec::new(),
            Term::Bound(_) | Term::Free(..) | Term::Member(..) => {
                let things = self.things(file, term);
                things.iter().flat_map(|thing| self.worth(thing)).collect()
            }
            Term::Called(called) => self.called(file, *called),
            Term::Value(kind) => self.instances(file, *kind),
            Term::Index(base, _) => {
                let values = self.values(file, *base);
                let of = |value: &Value| match value {
                    Value::Many(items) => items.clone(),
                    Value::Itself(at) => vec![Value::Itself(*at)],
                    Value::Object(at) => self.result_of(*at, "__getitem__"),
                    _ => Vec::new(),
                };
                values.iter().flat_map(of).collect()
            }
            Term::Item(of) => {
                let values = self.values(file, *of);
                let of = |value: &Value| match value {
                    Value::Many(items) => items.clone(),
                    Value::Object(at) => self.result_of(*at, "__iter__"),
                    _ => Vec::new(),
                };
                values.iter().flat_map(of).collect()
            }
            Term::Awaited(value) => self.values(file, *value).to_vec(),
            Term::Either(several) => several.iter().flat_map(|it| self.values(file, *it).to_vec()).collect(),
            Term::This(class) => vec![Value::Object(At { file, symbol: *class })],
            Term::Class(class) => vec![Value::Itself(At { file, symbol: *class })],
            Term::Super(class) => self.bases(At { file, symbol: *class }).into_iter().map(Value::Object).collect(),
            Term::Handed(called, argument, parameter) => self.handed(file, *called, *argument, *parameter),
            Term::Record(_) => vec![Value::Record(file, term)],
            Term::List(item) => vec![Value::Many(self.values(file, *item).to_vec())],
        }
    }

    /// What a method of an object gives.
    fn result_of(&self, class: At, method: &str) -> Vec<Value> {
        let found = self.member_of(class, method, &mut Vec::new());
        let results = found.iter().filter_map(|thing| match thing {
            Thing::Symbol(at) => Some(self.given(*at)),
            _ => None,
        });
        let results = results.flatten().flat_map(|value| match value {
            Value::Many(items) => items,
            one => vec![one],
        });
        results.collect()
    }

    /// What a call of a function gives.
    pub(super) fn given(&self, at: At) -> Vec<Value> {
        let Some(symbol) = self.symbol(at) else { return Vec::new() };
        symbol.values.iter().flat_map(|value| self.values(at.file, *value).to_vec()).collect()
    }

    fn called(&self, file: u32, called: TermId) -> Vec<Value> {
        let loaded = self.loaded(file);
        if let Some(Term::Member(object, name)) = loaded.record.terms.get(called as usize) {
            let many: Vec<Value> =
                self.values(file, *object).iter().filter(|it| matches!(it, Value::Many(_))).cloned().collect();
            if !many.is_empty() {
                let items = many.iter().flat_map(|it| if let Value::Many(items) = it { items.clone() } else { vec![] });
                if TAKING_ONE.contains(&name.as_str()) {
                    return items.collect();
                }
                if KEEPING_ALL.contains(&name.as_str()) {
                    return many;
                }
            }
        }
        let mut found = Vec::new();
        for value in self.values(file, called).iter() {
            let Value::Itself(at) = value else { continue };
            match self.symbol(*at).map(|it| it.kind) {
                Some(SymbolKind::Function | SymbolKind::Method) => found.extend(self.given(*at)),
                Some(kind) if kind.is_type() => found.push(Value::Object(*at)),
                _ => {}
            }
        }
        found
    }

    /// What a call hands to a function that it is given.
    fn handed(&self, file: u32, called: TermId, argument: u32, parameter: u32) -> Vec<Value> {
        let mut found = Vec::new();
        for value in self.values(file, called).iter() {
            let Value::Itself(mut at) = value.clone() else { continue };
            if self.symbol(at).is_some_and(|it| it.kind.is_type()) {
                let maker = ["constructor", "__init__"]
                    .into_iter()
                    .find_map(|name| self.member_of(at, name, &mut Vec::new()).into_iter().next());
                let Some(Thing::Symbol(maker)) = maker else { continue };
                at = maker;
            }
            let Some(symbol) = self.symbol(at) else { continue };
            for (_, types) in symbol.hands.iter().filter(|(at, _)| *at == argument) {
                let Some(kind) = types.get(parameter as usize) else { continue };
                found.extend(self.values(at.file, *kind).iter().cloned());
            }
        }
        found
    }

    /// What something that is named is worth.
    fn worth(&self, thing: &Thing) -> Vec<Value> {
        match thing {
            Thing::Symbol(at) => {
                let Some(symbol) = self.symbol(*at) else { return Vec::new() };
                if symbol.getter {
                    return self.given(*at);
                }
                if symbol.kind == SymbolKind::Variable {
                    let mut found = self.given(*at);
                    // An object whose members are known.
                    if found.is_empty() {
                        found.push(Value::Itself(*at));
                    }
                    return found;
                }
                vec![Value::Itself(*at)]
            }
            Thing::Module(module) => vec![Value::Module(*module)],
            Thing::Package(directory) => vec![Value::Package(Rc::clone(directory))],
            Thing::Namespace(name) => vec![Value::Namespace(Rc::clone(name))],
            Thing::Local(file, binding) => {
                let loaded = self.loaded(*file);
                let values = loaded.record.bindings.get(*binding as usize).map(|it| it.values.clone());
                values.unwrap_or_default().iter().flat_map(|value| self.values(*file, *value).to_vec()).collect()
            }
            Thing::Set(file, term) => self.values(*file, *term).to_vec(),
            Thing::Foreign => vec![Value::Foreign],
        }
    }
}
