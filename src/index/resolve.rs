//! What a name means: from the terms of one record to the symbols of all, through imports, members and declared types.

use std::rc::Rc;

use super::record::{BindingId, Imported, SymbolId, SymbolKind, Taken, Term, TermId};
use super::refresh::style;
use super::view::{At, View};
use crate::evaluate::{Found, ModuleId};
use crate::model::program::{Import, ImportStyle, ImportWhat};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Symbol(At),
    Module(u32),
    /// A directory that is a package.
    Package(Rc<str>),
    /// A namespace of C#.
    Namespace(Rc<str>),
    /// A variable of a function, or a parameter: no symbol.
    Local(u32, BindingId),
    /// A member of an object that has no name, by what it is set to.
    Set(u32, TermId),
    /// Of a library.
    Foreign,
}

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// An object of a class.
    Object(At),
    /// A class, function or object itself.
    Itself(At),
    Module(u32),
    Package(Rc<str>),
    Namespace(Rc<str>),
    /// An object that has no name, by the term that says its members.
    Record(u32, TermId),
    /// A list, or whatever holds several of these.
    Many(Vec<Value>),
    Foreign,
}

/// Longer chains of names are not followed.
const MAX_DEPTH: u32 = 48;
/// More possible meanings of one name are not kept.
const MAX_MEANINGS: usize = 8;

/// Types that stand for what is in their brackets.
const TRANSPARENT: &[&str] = &[
    "Optional",
    "Annotated",
    "Promise",
    "PromiseLike",
    "Awaitable",
    "Coroutine",
    "Task",
    "ValueTask",
    "Readonly",
    "Required",
    "Partial",
    "NonNullable",
    "Awaited",
    "Final",
    "ClassVar",
    "Mapped",
    "Omit",
    "Pick",
    "InstanceType",
    "Nullable",
    "Lazy",
    "Depends",
    "Ref",
    "ActionResult",
    "AsyncContextManager",
    "ContextManager",
    "AbstractAsyncContextManager",
    "AbstractContextManager",
    "Self",
];
/// Types that hold several of what is in their brackets, the last of it.
const HOLDING: &[&str] = &[
    "list",
    "List",
    "set",
    "Set",
    "frozenset",
    "FrozenSet",
    "tuple",
    "Tuple",
    "Sequence",
    "MutableSequence",
    "Iterable",
    "Iterator",
    "Collection",
    "Generator",
    "AsyncGenerator",
    "AsyncIterator",
    "AsyncIterable",
    "dict",
    "Dict",
    "Mapping",
    "MutableMapping",
    "defaultdict",
    "DefaultDict",
    "OrderedDict",
    "deque",
    "Deque",
    "Array",
    "ReadonlyArray",
    "Map",
    "ReadonlyMap",
    "Record",
    "IEnumerable",
    "IList",
    "ICollection",
    "IReadOnlyList",
    "IReadOnlyCollection",
    "IQueryable",
    "HashSet",
    "Dictionary",
    "IDictionary",
    "IAsyncEnumerable",
    "DbSet",
    "ConcurrentDictionary",
    "Queue",
    "Stack",
];
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
    /// What a term names.
    pub(super) fn things(&self, file: u32, term: TermId) -> Rc<[Thing]> {
        if let Some(known) = self.things.borrow().get(&(file, term)) {
            return Rc::clone(known);
        }
        if self.depth.get() >= MAX_DEPTH {
            self.cut.set(true);
            return Rc::default();
        }
        // Until it is known, it means nothing: names may lead in circles.
        self.things.borrow_mut().insert((file, term), Rc::default());
        self.depth.set(self.depth.get() + 1);
        let mut found = self.find_things(file, term);
        self.depth.set(self.depth.get() - 1);
        shorten(&mut found);
        let found: Rc<[Thing]> = found.into();
        self.things.borrow_mut().insert((file, term), Rc::clone(&found));
        found
    }

    fn find_things(&self, file: u32, term: TermId) -> Vec<Thing> {
        let loaded = self.loaded(file);
        match loaded.record.terms.get(term as usize) {
            Some(Term::Bound(binding)) => self.bound(file, *binding),
            Some(Term::Free(name, class)) => self.free(file, name, *class),
            Some(Term::Member(object, name)) => {
                let values = self.values(file, *object);
                values.iter().flat_map(|value| self.member(file, value, name)).collect()
            }
            Some(Term::Index(base, _)) => self.things(file, *base).to_vec(),
            _ => Vec::new(),
        }
    }

    /// What a binding stands for.
    pub(super) fn bound(&self, file: u32, binding: BindingId) -> Vec<Thing> {
        let loaded = self.loaded(file);
        let Some(it) = loaded.record.bindings.get(binding as usize) else { return Vec::new() };
        if let Some(symbol) = it.symbol {
            return vec![Thing::Symbol(At { file, symbol })];
        }
        if let Some(import) = it.import.and_then(|at| loaded.record.imports.get(at as usize)) {
            return self.imported(file, import);
        }
        if loaded.is_top(binding) {
            // Another name for something: `export default a`.
            let values = it.values.clone();
            let found: Vec<Thing> = values.iter().flat_map(|value| self.things(file, *value).to_vec()).collect();
            if !found.is_empty() {
                return found;
            }
        }
        vec![Thing::Local(file, binding)]
    }

    /// Where an import leads.
    pub(super) fn imported(&self, file: u32, imported: &Imported) -> Vec<Thing> {
        let from = ModuleId(file);
        match (&imported.what, style(self.language(file))) {
            (_, ImportStyle::Namespace) => {
                let dotted = &imported.module;
                let types = self.declared_in_namespaces(dotted);
                if types.is_empty() { vec![Thing::Namespace(Rc::from(dotted.as_str()))] } else { types }
            }
            (Taken::Module, ImportStyle::Dotted) => {
                let first = imported.module.split('.').next().unwrap_or("");
                vec![of_found(self.program.index.absolute(from, first))]
            }
            (what, _) => {
                let found = self.program.index.imported(from, &import(imported));
                match (what, found) {
                    (Taken::Name(name), Found::Module(module)) => self.exported(module.0, name),
                    (Taken::Name(name), Found::Package(directory)) => {
                        vec![self.program.index.within(&directory, name).map_or(Thing::Foreign, of_found)]
                    }
                    (Taken::Require, Found::Module(module)) => {
                        let whole = self.loaded(module.0).top("default");
                        let mut found = vec![Thing::Module(module.0)];
                        found.extend(whole.into_iter().flat_map(|binding| self.bound(module.0, binding)));
                        found
                    }
                    (_, found) => vec![of_found(found)],
                }
            }
        }
    }

    /// The file that an import names.
    pub(super) fn module_of(&self, file: u32, imported: &Imported) -> Option<u32> {
        if style(self.language(file)) == ImportStyle::Namespace {
            return None;
        }
        let found = match self.program.index.imported(ModuleId(file), &import(imported)) {
            // `from package import module`
            Found::Module(module) => match &imported.what {
                Taken::Name(name) if self.loaded(module.0).top(name).is_none() => {
                    self.program.index.submodule(module, name).unwrap_or(Found::Module(module))
                }
                _ => Found::Module(module),
            },
            Found::Package(directory) => match &imported.what {
                Taken::Name(name) => self.program.index.within(&directory, name)?,
                _ => return None,
            },
            Found::External(_) => return None,
        };
        match found {
            Found::Module(module) => Some(module.0),
            _ => None,
        }
    }

    /// What a module means by a name.
    pub(super) fn exported(&self, module: u32, name: &str) -> Vec<Thing> {
        if self.depth.get() >= MAX_DEPTH {
            self.cut.set(true);
            return Vec::new();
        }
        self.depth.set(self.depth.get() + 1);
        let found = self.find_exported(module, name);
        self.depth.set(self.depth.get() - 1);
        found
    }

    fn find_exported(&self, module: u32, name: &str) -> Vec<Thing> {
        let loaded = self.loaded(module);
        if let Some(binding) = loaded.top(name) {
            return self.bound(module, binding);
        }
        let is_star = |it: &&Imported| it.what == Taken::Star;
        for star in loaded.record.imports.iter().filter(is_star) {
            if let Found::Module(target) = self.program.index.imported(ModuleId(module), &import(star))
                && target.0 != module
            {
                let found = self.exported(target.0, name);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        self.program.index.submodule(ModuleId(module), name).map(of_found).into_iter().collect()
    }

    /// A name that its file does not bind.
    fn free(&self, file: u32, name: &str, class: Option<SymbolId>) -> Vec<Thing> {
        let loaded = self.loaded(file);
        if style(self.language(file)) == ImportStyle::Namespace {
            let mut around = class;
            while let Some(symbol) = around {
                let found = self.member_of(At { file, symbol }, name, &mut Vec::new());
                if !found.is_empty() {
                    return found;
                }
                around = loaded.symbol(symbol).and_then(|it| it.parent);
            }
            return self.by_namespace(file, name);
        }
        let is_star = |it: &&Imported| it.what == Taken::Star;
        for star in loaded.record.imports.iter().filter(is_star) {
            match self.program.index.imported(ModuleId(file), &import(star)) {
                Found::Module(target) if target.0 != file => {
                    let found = self.exported(target.0, name);
                    if !found.is_empty() {
                        return found;
                    }
                }
                _ => {}
            }
        }
        vec![Thing::Foreign]
    }

    /// A type of C# by its bare name: of the namespaces around, then of those that the file uses.
    fn by_namespace(&self, file: u32, name: &str) -> Vec<Thing> {
        let loaded = self.loaded(file);
        let own: Vec<&str> = loaded.record.symbols.iter().map(|it| it.namespace.as_str()).collect();
        let used: Vec<&str> = loaded.record.imports.iter().map(|it| it.module.as_str()).collect();
        let sees = |namespace: &str| {
            let around = |own: &&str| {
                namespace.is_empty()
                    || *own == namespace
                    || own.strip_prefix(namespace).is_some_and(|it| it.starts_with('.'))
            };
            if own.iter().any(around) { 2 } else { u32::from(used.contains(&namespace)) }
        };
        let mut found: Vec<(u32, At)> = Vec::new();
        for at in self.types_named(name) {
            let Some(symbol) = self.symbol(at) else { continue };
            found.push((sees(&symbol.namespace), at));
        }
        let best = found.iter().map(|it| it.0).max().unwrap_or(0);
        // Namespaces that all files of a project use are written elsewhere: what is called so once is it.
        if best == 0 && found.len() > 1 {
            return Vec::new();
        }
        found.into_iter().filter(|it| it.0 == best).map(|it| Thing::Symbol(it.1)).collect()
    }

    /// Types of C# of a name, whatever their namespace.
    fn types_named(&self, name: &str) -> Vec<At> {
        let mut found = Vec::new();
        for file in self.files_with(name, true) {
            if style(self.language(file)) != ImportStyle::Namespace {
                continue;
            }
            let loaded = self.loaded(file);
            for (at, symbol) in loaded.record.symbols.iter().enumerate() {
                if symbol.name == name && symbol.parent.is_none() {
                    found.push(At { file, symbol: at as u32 });
                }
            }
        }
        found
    }

    /// The types that a dotted name of C# means.
    fn declared_in_namespaces(&self, dotted: &str) -> Vec<Thing> {
        let (namespace, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
        let is_it = |at: &At| self.symbol(*at).is_some_and(|it| it.namespace == namespace);
        self.types_named(name).into_iter().filter(is_it).map(Thing::Symbol).collect()
    }

    /// A member of a value, as code of `file` sees it.
    fn member(&self, file: u32, value: &Value, name: &str) -> Vec<Thing> {
        match value {
            // What a class of JavaScript gives to its objects.
            Value::Itself(at) if name == "prototype" => vec![Thing::Symbol(*at)],
            Value::Object(at) | Value::Itself(at) => self.member_of(*at, name, &mut Vec::new()),
            Value::Module(module) => {
                let found = self.exported(*module, name);
                // Names that a module imports are reached through it, too; a namespace of imports is one of modules.
                if found.is_empty() && *module != file { vec![] } else { found }
            }
            Value::Package(directory) => self.program.index.within(directory, name).map(of_found).into_iter().collect(),
            Value::Namespace(namespace) => {
                let dotted = format!("{namespace}.{name}");
                let types = self.declared_in_namespaces(&dotted);
                if types.is_empty() { vec![Thing::Namespace(Rc::from(dotted.as_str()))] } else { types }
            }
            Value::Record(file, term) => {
                let loaded = self.loaded(*file);
                let Some(Term::Record(members)) = loaded.record.terms.get(*term as usize) else { return Vec::new() };
                let found = members.iter().find(|member| member.0 == name);
                found.map(|member| Thing::Set(*file, member.1)).into_iter().collect()
            }
            Value::Many(_) => Vec::new(),
            Value::Foreign => vec![Thing::Foreign],
        }
    }

    /// A member that a class declares or inherits.
    pub(super) fn member_of(&self, class: At, name: &str, seen: &mut Vec<At>) -> Vec<Thing> {
        if seen.contains(&class) || seen.len() > 64 {
            return Vec::new();
        }
        seen.push(class);
        let loaded = self.loaded(class.file);
        let own = loaded
            .members(class.symbol)
            .iter()
            .filter(|at| loaded.symbol(**at).is_some_and(|member| member.name == name));
        let own: Vec<Thing> = own.map(|symbol| Thing::Symbol(At { file: class.file, symbol: *symbol })).collect();
        if let Some(first) = own.into_iter().next() {
            return vec![first];
        }
        let Some(symbol) = loaded.symbol(class.symbol) else { return Vec::new() };
        if style(self.language(class.file)) == ImportStyle::Namespace && symbol.parent.is_none() {
            // Parts of it may stand elsewhere.
            for other in self.types_named(&symbol.name) {
                if !seen.contains(&other) && self.symbol(other).is_some_and(|it| it.namespace == symbol.namespace) {
                    let found = self.member_of(other, name, seen);
                    if !found.is_empty() {
                        return found;
                    }
                }
            }
        }
        for base in self.bases(class) {
            let found = self.member_of(base, name, seen);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// What a class extends and implements, as far as it is in the sources.
    pub(super) fn bases(&self, class: At) -> Vec<At> {
        let loaded = self.loaded(class.file);
        let Some(symbol) = loaded.symbol(class.symbol) else { return Vec::new() };
        let mut bases = Vec::new();
        for base in &symbol.bases {
            for value in self.instances(class.file, *base) {
                if let Value::Object(at) = value
                    && at != class
                    && !bases.contains(&at)
                {
                    bases.push(at);
                }
            }
        }
        bases
    }

    /// What an expression may be worth.
    pub(super) fn values(&self, file: u32, term: TermId) -> Rc<[Value]> {
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
    fn given(&self, at: At) -> Vec<Value> {
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

    /// Values of a written type.
    fn instances(&self, file: u32, kind: TermId) -> Vec<Value> {
        if self.depth.get() >= MAX_DEPTH {
            self.cut.set(true);
            return Vec::new();
        }
        self.depth.set(self.depth.get() + 1);
        let found = self.find_instances(file, kind);
        self.depth.set(self.depth.get() - 1);
        found
    }

    fn find_instances(&self, file: u32, kind: TermId) -> Vec<Value> {
        let loaded = self.loaded(file);
        let record = &loaded.record;
        match record.terms.get(kind as usize) {
            Some(Term::Index(base, args)) => {
                let name = record.name_of(*base);
                let first = args.first().copied();
                if name == "Union" {
                    return args.iter().flat_map(|it| self.instances(file, *it)).collect();
                }
                if TRANSPARENT.contains(&name) {
                    let argument = if name == "Coroutine" { args.last().copied() } else { first };
                    return argument.map(|it| self.instances(file, it)).unwrap_or_default();
                }
                if HOLDING.contains(&name) {
                    let item =
                        if name == "Generator" || name == "AsyncGenerator" { first } else { args.last().copied() };
                    return vec![Value::Many(item.map(|it| self.instances(file, it)).unwrap_or_default())];
                }
                if matches!(name, "type" | "Type") {
                    let classes = first.map(|it| self.instances(file, it)).unwrap_or_default();
                    return classes
                        .into_iter()
                        .map(|it| if let Value::Object(at) = it { Value::Itself(at) } else { it })
                        .collect();
                }
                self.instances(file, *base)
            }
            Some(Term::Either(several)) => several.iter().flat_map(|it| self.instances(file, *it)).collect(),
            Some(Term::List(item)) => vec![Value::Many(self.instances(file, *item))],
            Some(Term::Bound(_) | Term::Free(..) | Term::Member(..)) => {
                let things = self.things(file, kind);
                things.iter().flat_map(|thing| self.instance_of(thing)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn instance_of(&self, thing: &Thing) -> Vec<Value> {
        match thing {
            Thing::Symbol(at) => {
                let Some(symbol) = self.symbol(*at) else { return Vec::new() };
                match symbol.kind {
                    SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum => vec![Value::Object(*at)],
                    SymbolKind::Type => {
                        let meant: Vec<Value> =
                            symbol.values.iter().flat_map(|value| self.instances(at.file, *value)).collect();
                        if meant.is_empty() { vec![Value::Object(*at)] } else { meant }
                    }
                    SymbolKind::Variable if style(self.language(at.file)) == ImportStyle::Dotted => {
                        symbol.values.iter().flat_map(|value| self.instances(at.file, *value)).collect()
                    }
                    // `typeof value`
                    SymbolKind::Variable => self.given(*at),
                    _ => Vec::new(),
                }
            }
            // A parameter of a type stands for its bound.
            Thing::Local(file, binding) => {
                let loaded = self.loaded(*file);
                let values = loaded.record.bindings.get(*binding as usize).map(|it| it.values.clone());
                values.unwrap_or_default().iter().flat_map(|value| self.instances(*file, *value)).collect()
            }
            Thing::Foreign => vec![Value::Foreign],
            _ => Vec::new(),
        }
    }
}

fn of_found(found: Found) -> Thing {
    match found {
        Found::Module(module) => Thing::Module(module.0),
        Found::Package(directory) => Thing::Package(directory),
        Found::External(_) => Thing::Foreign,
    }
}

/// An import as the program tree has it.
pub(super) fn import(imported: &Imported) -> Import {
    let what = match &imported.what {
        Taken::Module => ImportWhat::Module,
        Taken::Whole => ImportWhat::ModuleAs(String::new()),
        Taken::Name(name) => ImportWhat::Name { name: name.clone(), alias: name.clone() },
        Taken::Star => ImportWhat::Star,
        Taken::Static => ImportWhat::Static,
        Taken::Require => ImportWhat::Require(String::new()),
    };
    Import { module: imported.module.clone(), level: imported.level, what }
}

fn shorten<T: PartialEq>(found: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::new();
    for it in found.drain(..) {
        if kept.len() < MAX_MEANINGS && !kept.contains(&it) {
            kept.push(it);
        }
    }
    *found = kept;
}
