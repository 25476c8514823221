//! Modules: what a name means at module level, imports followed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::program_index::{ProgramIndex, parent};
use super::value::{Dict, Found, Imported, ModuleId, Scope, Str, Value};
use super::{Args, Evaluator};
use crate::model::program::{ClassKind, Expr, ExprKind, Import, ImportStyle, ImportWhat, Module, Stmt, StmtKind};

/// Modules that re-export one name are followed this far; what lies further away is not declared by the program.
pub(super) const MAX_RE_EXPORTS: u32 = 30;

pub(super) struct ModuleState<'p> {
    /// Statements that bind a name, in order.
    pub(super) binders: FxHashMap<&'p str, Vec<usize>>,
    /// The same for names of types, where those are apart from names of values.
    pub(super) type_binders: FxHashMap<&'p str, Vec<usize>>,
    started: Vec<bool>,
    pub(super) stars: Vec<Found>,
    pub(super) names: FxHashMap<Str, Value<'p>>,
    pub(super) scope: Scope<'p>,
    /// Names being looked up in this module right now.
    pub(super) busy: Vec<Str>,
    star_memo: FxHashMap<Str, Option<Value<'p>>>,
    /// Names whose value is only a default.
    pub(super) defaults: FxHashSet<Str>,
}

pub(super) fn state<'p>(at: usize, module: &'p Module, index: &ProgramIndex) -> ModuleState<'p> {
    let id = ModuleId(at as u32);
    let mut binders: FxHashMap<&'p str, Vec<usize>> = FxHashMap::default();
    let mut type_binders: FxHashMap<&'p str, Vec<usize>> = FxHashMap::default();
    let mut stars = Vec::new();
    for (at, statement) in module.body.iter().enumerate() {
        if module.imports == ImportStyle::Path
            && let Some(name) = declared_type(statement)
        {
            type_binders.entry(name).or_default().push(at);
            continue;
        }
        let mut found = |name: &'p str| {
            let list = binders.entry(name).or_default();
            if list.last() != Some(&at) {
                list.push(at);
            }
        };
        binds(statement, &mut found, &mut |import| {
            if module.imports != ImportStyle::Namespace {
                stars.push(index.imported(id, import));
            }
        });
    }
    ModuleState {
        binders,
        type_binders,
        started: vec![false; module.body.len()],
        stars,
        names: FxHashMap::default(),
        scope: Scope::of_module(id),
        busy: Vec::new(),
        star_memo: FxHashMap::default(),
        defaults: FxHashSet::default(),
    }
}

/// The name of a type that is no value: an interface, an alias.
fn declared_type(statement: &Stmt) -> Option<&str> {
    match &statement.kind {
        StmtKind::TypeAlias { name, .. } => Some(name),
        StmtKind::Class(class) if class.kind == ClassKind::Interface => Some(&class.name),
        _ => None,
    }
}

/// The names that a statement binds at its own level, blocks included, functions not. As deep as blocks nest, which
/// lowering bounds.
fn binds<'p>(statement: &'p Stmt, found: &mut dyn FnMut(&'p str), star: &mut dyn FnMut(&'p Import)) {
    let block = |statements: &'p [Stmt], found: &mut dyn FnMut(&'p str), star: &mut dyn FnMut(&'p Import)| {
        statements.iter().for_each(|statement| binds(statement, found, star));
    };
    match &statement.kind {
        StmtKind::Function(function) => found(&function.name),
        StmtKind::Class(class) => found(&class.name),
        StmtKind::TypeAlias { name, .. } => found(name),
        StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| target_names(target, found)),
        StmtKind::Annotated { target, .. } | StmtKind::Augmented { target, .. } => target_names(target, found),
        StmtKind::Import(import) => match &import.what {
            ImportWhat::Module => found(import.module.split('.').next().unwrap_or(&import.module)),
            ImportWhat::ModuleAs(alias) | ImportWhat::Require(alias) | ImportWhat::Name { alias, .. } => found(alias),
            ImportWhat::Star => star(import),
            ImportWhat::Static => {}
        },
        StmtKind::If { then, otherwise, .. } => {
            block(then, found, star);
            block(otherwise, found, star);
        }
        StmtKind::For { target, body, otherwise, .. } => {
            target_names(target, found);
            block(body, found, star);
            block(otherwise, found, star);
        }
        StmtKind::While { body, .. } => block(body, found, star),
        StmtKind::With { items, body } => {
            items.iter().filter_map(|item| item.target.as_ref()).for_each(|target| target_names(target, found));
            block(body, found, star);
        }
        StmtKind::Try { body, handlers, otherwise, finally } => {
            block(body, found, star);
            handlers.iter().for_each(|handler| block(handler, found, star));
            block(otherwise, found, star);
            block(finally, found, star);
        }
        StmtKind::Match { cases, .. } => cases.iter().for_each(|case| block(&case.body, found, star)),
        StmtKind::Property(_)
        | StmtKind::Namespace { .. }
        | StmtKind::Expr(_)
        | StmtKind::Return(_)
        | StmtKind::Raise
        | StmtKind::Continue
        | StmtKind::Break => {}
    }
}

fn target_names<'p>(target: &'p Expr, found: &mut dyn FnMut(&'p str)) {
    let mut stack = vec![target];
    while let Some(target) = stack.pop() {
        match &target.kind {
            ExprKind::Name(name) => found(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => stack.extend(items.iter().rev()),
            ExprKind::Spread(inner) => stack.push(inner),
            _ => {}
        }
    }
}

impl<'p> Evaluator<'p> {
    /// Where an import of a module leads.
    pub(super) fn target(&mut self, from: ModuleId, import: &'p Import) -> Found {
        let key = std::ptr::from_ref(import);
        if let Some(known) = self.targets.get(&key) {
            return known.clone();
        }
        let mut found = self.index.imported(from, import);
        if self.index.style(from) == ImportStyle::Dotted && import.level == 0 && self.lacks(&found, import) {
            found = Found::External(Rc::from(import.module.as_str()));
        }
        self.targets.insert(key, found.clone());
        found
    }

    /// Whether a folder of the program that is called like a package has not what is imported from the package: the package
    /// is meant, since the program works.
    fn lacks(&mut self, found: &Found, import: &Import) -> bool {
        let ImportWhat::Name { name, .. } = &import.what else { return false };
        match found {
            Found::Package(directory) => self.index.inside(directory, name).is_none(),
            Found::Module(module) => {
                let index = self.index;
                let state = self.state(*module);
                let has = state.binders.contains_key(name.as_str()) || state.binders.contains_key("__getattr__");
                index.is_package(*module) && !has && state.stars.is_empty() && index.submodule(*module, name).is_none()
            }
            Found::External(_) => false,
        }
    }

    pub(super) fn state(&mut self, module: ModuleId) -> &mut ModuleState<'p> {
        let at = module.0 as usize;
        let (program, index) = (self.program, self.index);
        self.modules[at].get_or_insert_with(|| {
            self.touched.push(module);
            Box::new(state(at, &program[at], index))
        })
    }

    pub fn module_scope(&mut self, module: ModuleId) -> Scope<'p> {
        self.state(module).scope.clone()
    }

    /// Runs one top-level statement, once.
    pub(super) fn force(&mut self, module: ModuleId, statement: usize) {
        let state = self.state(module);
        if std::mem::replace(&mut state.started[statement], true) {
            return;
        }
        let scope = state.scope.clone();
        // Whatever asked for it, it runs by itself.
        let uncertain = std::mem::replace(&mut self.uncertain, 0);
        let serving = std::mem::take(&mut self.serving);
        let decorating = std::mem::take(&mut self.decorating);
        let thrown = std::mem::replace(&mut self.thrown, false);
        let (soft, set_outside) = (self.soft, std::mem::replace(&mut self.set_outside, false));
        let program = self.program;
        self.apart(|evaluator| evaluator.execute(&program[module.0 as usize].body[statement], &scope));
        self.thrown = thrown;
        (self.soft, self.set_outside) = (soft, set_outside);
        self.serving = serving;
        self.decorating = decorating;
        self.uncertain = uncertain;
    }

    pub(super) fn bind_in_module(&mut self, module: ModuleId, name: &str, value: Value<'p>) {
        self.state(module).names.insert(Rc::from(name), value);
    }

    /// The names that a module binds itself, with the statements that do.
    pub fn bound_names(&mut self, module: ModuleId) -> Vec<(&'p str, &'p Stmt)> {
        let body: &'p [Stmt] = &self.program[module.0 as usize].body;
        let binders = self.state(module).binders.iter();
        let mut names: Vec<(&'p str, &'p Stmt)> =
            binders.filter_map(|(name, at)| Some((*name, body.get(*at.last()?)?))).collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        names
    }

    /// The statement of a module that binds a name first.
    pub fn binder(&mut self, module: ModuleId, name: &str) -> Option<&'p Stmt> {
        let at = *self.state(module).binders.get(name)?.first()?;
        self.program[module.0 as usize].body.get(at)
    }

    /// A module-level name that is already bound, without running anything.
    pub(super) fn bound_in_module(&self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        self.modules[module.0 as usize].as_ref()?.names.get(name).cloned()
    }

    /// Whether a module binds a name itself.
    pub(super) fn is_bound_in(&self, module: ModuleId, name: &str) -> bool {
        self.modules[module.0 as usize].as_ref().is_some_and(|state| state.binders.contains_key(name))
    }

    /// What a name means at the level of a module; `None` where it means nothing.
    pub fn module_name(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        let value = self.plain_module_name(module, name);
        // Nothing, until a function makes it.
        if self.wires.running && matches!(value, None | Some(Value::None)) && self.is_bound_in(module, name) {
            return self.standing_name(module, name).or(value);
        }
        value
    }

    fn plain_module_name(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        let found = self.look_in_module(module, name);
        if self.state(module).defaults.contains(name) {
            self.mark_soft();
        }
        found
    }

    fn look_in_module(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if let Some(value) = self.state(module).names.get(name).cloned() {
            return Some(self.settle(value));
        }
        if let Some(binders) = self.state(module).binders.get(name).cloned() {
            for statement in binders {
                self.force(module, statement);
            }
            if let Some(value) = self.state(module).names.get(name).cloned() {
                return Some(self.settle(value));
            }
        }
        if let Some(value) = self.starred(module, name) {
            return Some(value);
        }
        if let Some(found) = self.index.submodule(module, name) {
            return Some(Value::from(found));
        }
        match name {
            "__name__" => return Some(Value::str(self.index.dotted(module))),
            "__package__" => return Some(Value::str(self.index.package_name(module))),
            "__file__" if self.index.style(module) == ImportStyle::Dotted => {
                return Some(Value::str(self.index.path(module)));
            }
            "__path__" if self.index.style(module) == ImportStyle::Dotted => {
                return Some(Value::list(vec![Value::str(directory(self.index.path(module)))]));
            }
            "__filename" if self.index.style(module) == ImportStyle::Path => {
                return Some(Value::str(self.index.path(module)));
            }
            "__dirname" if self.index.style(module) == ImportStyle::Path => {
                return Some(Value::str(directory(self.index.path(module))));
            }
            "import.meta" => {
                let path = self.index.path(module);
                let texts = [("url", format!("file://{path}")), ("filename", path.to_owned())];
                let mut entries: Vec<_> =
                    texts.into_iter().map(|(name, text)| (Value::str(name), Value::str(text))).collect();
                entries.push((Value::str("dirname"), Value::str(directory(path))));
                return Some(Value::Dict(Rc::new(RefCell::new(Dict { entries, record: true, ..Dict::default() }))));
            }
            "__spec__" => {
                let parent = Value::str(self.index.package_name(module));
                return Some(Value::dict(vec![(Value::str("parent"), parent)]));
            }
            _ => {}
        }
        None
    }

    /// `require("./m")` and `import("./m")` as expressions: what the module exports as a whole, or its names.
    pub(super) fn import_expression(&mut self, from: ModuleId, specifier: &str, is_require: bool) -> Value<'p> {
        match self.index.files.resolve(self.index.path(from), specifier) {
            Found::Module(module) if is_require && self.state(module).binders.contains_key("default") => {
                self.import_name(&Found::Module(module), "default")
            }
            found => Value::from(found),
        }
    }

    /// The same of a path that is put together of the module's own: `require(path.join(__dirname, file))`.
    pub(super) fn import_by_path(&mut self, from: ModuleId, path: &str, is_require: bool) -> Value<'p> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let module = self.index.module_at(path).filter(|_| !path.starts_with("./") && !path.starts_with("../"));
        match module.map(|module| self.index.path(module).to_owned()) {
            Some(whole) => {
                let up = "../".repeat(self.index.path(from).matches('/').count());
                self.import_expression(from, &format!("./{up}{whole}"), is_require)
            }
            None => self.import_expression(from, path, is_require),
        }
    }

    /// A name that nothing in the program defines comes from the library whose names are all imported, here or in a
    /// module whose names are: the one that makes something of it, else the first.
    pub(super) fn starred_library(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if name.starts_with('_') {
            return None;
        }
        let libraries = self.starred_libraries(module);
        let making = libraries.iter().find(|dotted| self.node_maker(&format!("{dotted}.{name}")).is_some());
        making.or(libraries.first()).map(|dotted| self.external_member(dotted, name))
    }

    /// The libraries whose names are all imported or re-exported, here or in a module whose names are.
    fn starred_libraries(&mut self, module: ModuleId) -> Vec<Str> {
        let mut libraries: Vec<Str> = Vec::new();
        let (mut seen, mut next) = (FxHashSet::default(), vec![module]);
        while let Some(module) = next.pop() {
            if seen.insert(module) {
                for star in &self.state(module).stars {
                    match star {
                        Found::External(dotted) if libraries.contains(dotted) => {}
                        Found::External(dotted) => libraries.push(dotted.clone()),
                        Found::Module(inner) => next.push(*inner),
                        Found::Package(_) => {}
                    }
                }
            }
        }
        libraries
    }

    /// A name of a library: a number where it stands for one. The default export of a package stands for all of it, as
    /// `require` gives it.
    pub(super) fn external_member(&self, dotted: &str, name: &str) -> Value<'p> {
        if name == "default" {
            return Value::external(dotted);
        }
        if dotted.ends_with("process.env") {
            return Value::nameless_setting(None);
        }
        match self.libraries.iter().find_map(|library| (library.constant)(dotted, name)) {
            Some(number) => Value::Int(number),
            None => Value::external(format!("{dotted}.{name}")),
        }
    }

    /// A name of a module as seen from outside: also through the module's own `__getattr__` (PEP 562).
    pub fn module_member(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if let Some(value) = self.module_name(module, name) {
            return Some(value);
        }
        if name.starts_with("__") || !self.state(module).binders.contains_key("__getattr__") {
            return None;
        }
        let key: Str = Rc::from(format!("__getattr__ {name}"));
        if self.state(module).busy.contains(&key) {
            return None;
        }
        let lazy = self.module_name(module, "__getattr__")?;
        self.state(module).busy.push(key);
        let value = match &lazy {
            Value::Function(function) => {
                let args = Args { positional: vec![Value::str(name)], ..Args::default() };
                Some(self.call_function_always(function, args))
            }
            _ => None,
        };
        self.state(module).busy.pop();
        value.filter(|value| !value.is_unknown())
    }

    fn starred(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if self.state(module).stars.is_empty() || name.starts_with('_') {
            return None;
        }
        if let Some(known) = self.state(module).star_memo.get(name) {
            return known.clone();
        }
        // Apart from the names that are being imported: those are looked up through here.
        let key: Str = Rc::from(format!("* {name}"));
        if self.state(module).busy.contains(&key) {
            return None;
        }
        self.state(module).busy.push(key);
        let mut found = None;
        for star in self.state(module).stars.clone() {
            let value = match star {
                Found::Module(from) => self.module_member(from, name),
                Found::Package(_) | Found::External(_) => None,
            };
            // What a module imports itself is looked at, too, and may lead back to here.
            let known = value.as_ref().is_some_and(|value| !value.is_unknown());
            found = if known { value } else { found.or(value) };
            if known {
                break;
            }
        }
        self.state(module).busy.pop();
        if self.state(module).busy.iter().all(|open| open.starts_with("import ")) {
            self.state(module).star_memo.insert(Rc::from(name), found.clone());
        }
        found
    }

    /// An imported name becomes what it stands for.
    pub(super) fn settle(&mut self, value: Value<'p>) -> Value<'p> {
        let mut value = self.projected(value);
        if let Value::Choice(choice) = &value {
            let choice = choice.clone();
            let absent = || Value::Unknown(super::decisions::ABSENT, None);
            let yes = self.within(choice.decision, true, |evaluator| evaluator.settle(choice.yes.clone()));
            let no = self.within(choice.decision, false, |evaluator| evaluator.settle(choice.no.clone()));
            return self.choice(choice.decision, yes.unwrap_or_else(absent), no.unwrap_or_else(absent));
        }
        for _ in 0..30 {
            let Value::Imported(imported) = &value else { return value };
            let imported = imported.clone();
            value = self.import_name(&imported.from, &imported.name);
        }
        Value::Unknown("imports lead in a circle", None)
    }

    fn import_name(&mut self, from: &Found, name: &str) -> Value<'p> {
        match from {
            Found::Module(module) => {
                let module = *module;
                // Apart from the names that are looked for in what is imported as a whole.
                let key: Str = Rc::from(format!("import {name}"));
                let circular = self.state(module).busy.contains(&key);
                let value = if circular {
                    None
                } else {
                    self.state(module).busy.push(key);
                    let value = self.module_member(module, name);
                    self.state(module).busy.pop();
                    value
                };
                match value {
                    Some(value) if !value.is_unknown() => value,
                    None if self.index.style(module) == ImportStyle::Path => {
                        match (self.exported_member(module, name), self.starred_libraries(module).as_slice()) {
                            // What is re-exported and not here comes from the one library of which everything is.
                            (Value::Unknown(..), [only]) if !circular && !only.starts_with('.') => {
                                self.external_member(only, name)
                            }
                            (exported, _) => exported,
                        }
                    }
                    other => match self.index.submodule(module, name) {
                        Some(found) => Value::from(found),
                        None => other
                            .or_else(|| self.starred_library(module, name))
                            .unwrap_or(Value::Unknown("imported name is not defined in its module", None)),
                    },
                }
            }
            Found::Package(directory) => match self.index.inside(directory, name) {
                Some(found) => Value::from(found),
                None => Value::external(format!("{}.{name}", directory.replace('/', "."))),
            },
            Found::External(dotted) => self.external_member(dotted, name),
        }
    }

    /// `import { a } from` a module that says `module.exports = { a }`, `import m from` one that has no default export.
    fn exported_member(&mut self, module: ModuleId, name: &str) -> Value<'p> {
        if name == "default" {
            return Value::Module(module);
        }
        let missing = Value::Unknown("imported name is not defined in its module", None);
        if !self.state(module).binders.contains_key("default") {
            return missing;
        }
        match self.module_name(module, "default") {
            Some(exported @ Value::Dict(_)) => match self.member(&exported, name, None) {
                Value::Native(..) => missing,
                value => value,
            },
            _ => missing,
        }
    }

    /// `importlib.import_module(name, package)`
    pub fn import_module(&mut self, from: ModuleId, name: &str, package: Option<&str>) -> Value<'p> {
        let level = name.chars().take_while(|c| *c == '.').count();
        let rest = &name[level..];
        let found = if level == 0 {
            self.index.absolute(from, rest)
        } else {
            let mut parts: Vec<&str> = package.unwrap_or("").split('.').collect();
            parts.truncate(parts.len().saturating_sub(level - 1));
            if !rest.is_empty() {
                parts.push(rest);
            }
            self.index.absolute(from, &parts.join("."))
        };
        Value::from(found)
    }

    /// `package.module:attribute.attribute`, as packaging metadata names an object.
    pub fn load_target(&mut self, from: ModuleId, target: &str) -> Option<Value<'p>> {
        let target = target.split('[').next().unwrap_or(target).trim();
        let (module, path) = target.split_once(':').unwrap_or((target, ""));
        let Found::Module(id) = self.index.absolute(from, module.trim()) else { return None };
        let mut value = Value::Module(id);
        for part in path.trim().split('.').filter(|part| !part.is_empty()) {
            value = self.member(&value, part, None);
        }
        Some(value)
    }

    pub(super) fn execute_import(&mut self, import: &'p Import, scope: &Scope<'p>) {
        let module = scope.module();
        let bind = |evaluator: &mut Self, name: &str, value| evaluator.assign_name(name, value, scope);
        match &import.what {
            ImportWhat::Module => {
                let top = import.module.split('.').next().unwrap_or(&import.module);
                let found = self.index.absolute(module, top);
                // `import a.b` where only `a.b` is here: another part of a namespace.
                let value = Value::from(found);
                bind(self, top, value);
            }
            ImportWhat::ModuleAs(alias) => {
                let found = self.target(module, import);
                bind(self, alias, Value::from(found));
            }
            ImportWhat::Require(alias) => {
                let from = self.target(module, import);
                let exported = match &from {
                    Found::Module(exporter) if self.state(*exporter).binders.contains_key("default") => {
                        Value::Imported(Rc::new(Imported { from, name: Rc::from("default") }))
                    }
                    _ => Value::from(from),
                };
                bind(self, alias, exported);
            }
            ImportWhat::Name { name, alias } => {
                let from = self.target(module, import);
                bind(self, alias, Value::Imported(Rc::new(Imported { from, name: Rc::from(name.as_str()) })));
            }
            ImportWhat::Star | ImportWhat::Static => {}
        }
    }
}

/// Where names of types are apart from names of values, they are bound under this.
pub(super) fn type_key(name: &str) -> String {
    format!("type {name}")
}

/// The directory of a path as programs name it, so that a part can be added by hand: `__dirname + "/routes"`.
fn directory(path: &str) -> &str {
    match parent(path) {
        "" => ".",
        directory => directory,
    }
}
