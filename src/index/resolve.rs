//! What a name means: from the terms of one record to the symbols of all, through imports, members and declared types.

mod types;
mod values;

use std::rc::Rc;

use super::record::{BindingId, Imported, SymbolId, Taken, Term, TermId};
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

/// The file that an import leads to, and the file that decides so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    /// The file that the import names.
    pub(super) module: Option<u32>,
    /// The file whose names were asked whether the import means one of these names or a module below the file's.
    pub(super) asked: Option<u32>,
}

/// Longer chains of names are not followed.
const MAX_DEPTH: u32 = 48;
/// More possible meanings of one name are not kept.
const MAX_MEANINGS: usize = 8;

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
        self.target_of(file, imported).module
    }

    /// The file that an import names, and the one whose names decide that.
    pub(super) fn target_of(&self, file: u32, imported: &Imported) -> Target {
        if style(self.language(file)) == ImportStyle::Namespace {
            return Target::default();
        }
        let index = &self.program.index;
        let has_modules_below = style(self.language(file)) == ImportStyle::Dotted;
        let (found, asked) = match (index.imported(ModuleId(file), &import(imported)), &imported.what) {
            // `from package import module`
            (Found::Module(module), Taken::Name(name)) if has_modules_below => {
                let is_own = self.loaded(module.0).top(name).is_some();
                let below = if is_own { None } else { index.submodule(module, name) };
                (Some(below.unwrap_or(Found::Module(module))), Some(module.0))
            }
            (Found::Module(module), _) => (Some(Found::Module(module)), None),
            (Found::Package(directory), Taken::Name(name)) => (index.within(&directory, name), None),
            (Found::Package(_) | Found::External(_), _) => (None, None),
        };
        let module = match found {
            Some(Found::Module(module)) => Some(module.0),
            _ => None,
        };
        Target { module, asked }
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
