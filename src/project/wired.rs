//! What the modules of a program really export, import and register, for those that a contract about wiring names.
//! Whatever cannot be told is taken for what the contract wants.

use std::collections::{BTreeMap, BTreeSet};

use crate::contracts::Declarations;
use crate::evaluate::{Declaration, Evaluator, Found, ModuleId};
use crate::model::name_key;
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Import, ImportStyle, ImportWhat, Module, Stmt, StmtKind};
use crate::text::{Sources, Span};

/// Re-exports of re-exports are followed this far; what is further away may be exported.
const MAX_RE_EXPORTS: usize = 20;
/// Expressions within expressions that are looked through for registrations; there may be more registrations then.
const MAX_DEPTH: usize = 60;

/// What is known of a module that a contract names.
#[derive(Clone, Debug, Default)]
pub struct WiredFacts {
    /// Where the module begins; `None` where there is no such file.
    pub span: Option<Span>,
    /// Why nothing can be said of what it exports or imports.
    pub unread: Option<String>,
    /// Of the names that the contract asks for, those that it does not export.
    pub not_exported: BTreeSet<String>,
    /// Of the names that it is to import, by module: whether they are.
    pub imports: BTreeMap<(String, String), Imported>,
    /// What it registers, in order: names by [`name_key`] and places.
    pub registered: Vec<(String, Span)>,
    /// It registers what is not known, too.
    pub registers_more: bool,
}

/// Whether a module imports a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    Used,
    /// Imported at this place, and nowhere else in the module.
    Unused(Span),
    Missing,
}

/// The facts of every module that contracts name, by path as the contract has it.
pub fn wired<'p>(
    evaluator: &mut Evaluator<'p>,
    modules: &'p [Module],
    contracts: &[Declarations],
    sources: &Sources,
) -> BTreeMap<String, WiredFacts> {
    let by_path: BTreeMap<&str, ModuleId> = modules
        .iter()
        .enumerate()
        .map(|(at, module)| (sources.get(module.file).path.as_str(), ModuleId(at as u32)))
        .collect();
    let mut look = Look { evaluator, modules, sources, by_path };
    let mut facts: BTreeMap<String, WiredFacts> = BTreeMap::new();
    for wiring in contracts.iter().filter_map(|contract| contract.wiring.as_ref()) {
        for module in &wiring.modules {
            let Some(id) = look.begin(&module.path, &mut facts) else { continue };
            let missing: Vec<String> = module
                .exports
                .iter()
                .filter(|export| look.exports(id, &export.name, MAX_RE_EXPORTS) == Some(false))
                .map(|export| export.name.clone())
                .collect();
            facts.entry(module.path.clone()).or_default().not_exported.extend(missing);
        }
        for wire in &wiring.imports {
            let (source, target) = (look.begin(&wire.source, &mut facts), look.begin(&wire.target, &mut facts));
            let (Some(source), Some(target)) = (source, target) else { continue };
            for name in &wire.names {
                let found = look.imports(source, target, &name.name);
                let key = (wire.target.clone(), name.name.clone());
                facts.entry(wire.source.clone()).or_default().imports.insert(key, found);
            }
        }
        for middlewares in &wiring.middlewares {
            let Some(id) = look.begin(&middlewares.entry, &mut facts) else { continue };
            let mut registered = Registered::default();
            registered.block(&modules[id.0 as usize].body, 0);
            registered.names.sort_by_key(|(_, span)| (span.start, span.end));
            let entry = facts.entry(middlewares.entry.clone()).or_default();
            (entry.registered, entry.registers_more) = (registered.names, registered.more);
        }
    }
    facts
}

struct Look<'e, 'p> {
    evaluator: &'e mut Evaluator<'p>,
    modules: &'p [Module],
    sources: &'e Sources,
    by_path: BTreeMap<&'e str, ModuleId>,
}

impl Look<'_, '_> {
    /// The module of a path, which may lack its extension; none where nothing can be said of it.
    fn begin(&self, path: &str, facts: &mut BTreeMap<String, WiredFacts>) -> Option<ModuleId> {
        let ends = ["", ".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cs", "/__init__.py", "/index.ts", "/index.js"];
        let found = ends.iter().find_map(|end| self.by_path.get(format!("{path}{end}").as_str()).copied());
        let entry = facts.entry(path.to_owned()).or_default();
        let id = found?;
        let module = &self.modules[id.0 as usize];
        entry.span = Some(Span::new(module.file, 0, 0));
        match module.imports {
            ImportStyle::Namespace => {
                entry.unread = Some("names of C# belong to namespaces, not to files".to_owned());
            }
            _ if !module.errors.is_empty() => entry.unread = Some("parts of the file could not be read".to_owned()),
            _ => {}
        }
        Some(id)
    }

    fn text(&self, module: ModuleId) -> &str {
        &self.sources.get(self.modules[module.0 as usize].file).text
    }

    /// Whether a module exports a name; `None` where that cannot be told.
    fn exports(&mut self, id: ModuleId, name: &str, left: usize) -> Option<bool> {
        let module = &self.modules[id.0 as usize];
        if !module.errors.is_empty() || left == 0 {
            return None;
        }
        match module.imports {
            ImportStyle::Namespace => None,
            ImportStyle::Dotted => {
                match listed(module) {
                    Listed::Names(names) => return Some(names.contains(&name)),
                    Listed::Unknown => return None,
                    Listed::Nowhere => {}
                }
                if self.evaluator.binder(id, name).is_some() {
                    return Some(true);
                }
                self.starred(id, name, left)
            }
            ImportStyle::Path => {
                let text = self.text(id);
                let mut found = None;
                for statement in &module.body {
                    if declares(statement, name) {
                        found = Some(is_exported(text, statement, name));
                        if found == Some(true) {
                            break;
                        }
                    }
                }
                match found {
                    Some(true) => Some(true),
                    _ if exported_apart(text, name) => Some(true),
                    _ => self.starred(id, name, left),
                }
            }
        }
    }

    /// Whether a module hands on a name with all that another one has.
    fn starred(&mut self, id: ModuleId, name: &str, left: usize) -> Option<bool> {
        let mut answer = Some(false);
        for statement in &self.modules[id.0 as usize].body {
            let StmtKind::Import(import @ Import { what: ImportWhat::Star, .. }) = &statement.kind else { continue };
            match self.evaluator.index.imported(id, import) {
                Found::Module(from) if from != id => match self.exports(from, name, left - 1) {
                    Some(true) => return Some(true),
                    None => answer = None,
                    Some(false) => {}
                },
                Found::Module(_) => {}
                _ => answer = None,
            }
        }
        answer
    }

    /// Whether one module imports a name from another, in whichever direction the contract means it.
    fn imports(&mut self, source: ModuleId, target: ModuleId, name: &str) -> Imported {
        let found = self.imports_from(source, target, name);
        match found {
            Imported::Missing if self.imports_from(target, source, name) != Imported::Missing => Imported::Used,
            found => found,
        }
    }

    fn imports_from(&mut self, source: ModuleId, target: ModuleId, name: &str) -> Imported {
        let module = &self.modules[source.0 as usize];
        if module.imports == ImportStyle::Namespace || !module.errors.is_empty() {
            return Imported::Used;
        }
        let mut places: Vec<(&str, Span)> = Vec::new();
        let mut imports = Vec::new();
        imported(&module.body, &mut imports);
        for (import, span) in imports {
            let from = self.evaluator.index.imported(source, import);
            let ours = from == Found::Module(target);
            match &import.what {
                ImportWhat::Name { name: known, alias }
                    if known == name && (ours || self.is_same(source, alias, target, name, &from)) =>
                {
                    places.push((alias.as_str(), span));
                }
                // Through the module's own name, or all of it.
                ImportWhat::Star | ImportWhat::Static if ours => return Imported::Used,
                ImportWhat::ModuleAs(_) | ImportWhat::Require(_) | ImportWhat::Module if ours => {
                    return Imported::Used;
                }
                ImportWhat::Name { .. } if self.names_module(&from, import, target) => return Imported::Used,
                // A default import has the name that the importing module gives it.
                ImportWhat::Name { name: known, alias } if ours && known == "default" && alias == name => {
                    places.push((alias.as_str(), span));
                }
                _ => {}
            }
        }
        let Some((alias, span)) = places.first() else { return Imported::Missing };
        let within: Vec<Span> = places.iter().map(|(_, span)| *span).collect();
        if is_used(self.text(source), alias, &within) { Imported::Used } else { Imported::Unused(*span) }
    }

    /// Whether a name that comes from elsewhere is the target's all the same; so it is where that cannot be told.
    fn is_same(&mut self, source: ModuleId, alias: &str, target: ModuleId, name: &str, from: &Found) -> bool {
        if !matches!(from, Found::Module(_)) {
            // An alias of paths that no configuration tells; a package is another one.
            return !matches!(from, Found::External(path) if !path.starts_with(['@', '~', '#', '.']));
        }
        match (self.evaluator.declaration(source, alias), self.evaluator.declaration(target, name)) {
            (Some(Declaration::Statement(_, one)), Some(Declaration::Statement(_, other))) => std::ptr::eq(one, other),
            _ => true,
        }
    }

    /// `from package import module`
    fn names_module(&self, from: &Found, import: &Import, target: ModuleId) -> bool {
        let ImportWhat::Name { name, .. } = &import.what else { return false };
        match from {
            Found::Module(package) => self.evaluator.index.submodule(*package, name) == Some(Found::Module(target)),
            Found::Package(_) => {
                let stem = self.evaluator.index.path(target).rsplit('/').next().unwrap_or("");
                stem.split('.').next() == Some(name)
            }
            Found::External(_) => false,
        }
    }
}

/// What `__all__` lists.
enum Listed<'m> {
    Nowhere,
    Names(Vec<&'m str>),
    /// It is not a plain list.
    Unknown,
}

fn listed(module: &Module) -> Listed<'_> {
    let mut listed = Listed::Nowhere;
    for statement in &module.body {
        let (target, value) = match &statement.kind {
            StmtKind::Assign { targets, value } => (targets.first(), Some(value)),
            StmtKind::Annotated { target, value, .. } => (Some(target), value.as_ref()),
            StmtKind::Augmented { target, .. } => (Some(target), None),
            _ => continue,
        };
        if !matches!(target.map(|target| &target.kind), Some(ExprKind::Name(name)) if name == "__all__") {
            continue;
        }
        let text = |item: &'_ Expr| matches!(item.kind, ExprKind::Str { .. });
        listed = match value.map(|value| &value.kind) {
            Some(ExprKind::List(items) | ExprKind::Tuple(items)) if items.iter().all(text) => {
                let names = items.iter().filter_map(|item| match &item.kind {
                    ExprKind::Str { text, .. } => Some(text.as_str()),
                    _ => None,
                });
                Listed::Names(names.collect())
            }
            _ => Listed::Unknown,
        };
    }
    listed
}

/// Whether a statement of a module's level declares a name, or brings it in.
fn declares(statement: &Stmt, name: &str) -> bool {
    match &statement.kind {
        StmtKind::Class(class) => class.name == name,
        StmtKind::Function(function) => function.name == name,
        StmtKind::TypeAlias { name: known, .. } | StmtKind::Namespace { name: known, .. } => known == name,
        StmtKind::Assign { targets, .. } => targets.iter().any(|target| binds(target, name)),
        StmtKind::Annotated { target, .. } => binds(target, name),
        StmtKind::Import(import) => match &import.what {
            ImportWhat::Name { alias, .. } | ImportWhat::ModuleAs(alias) | ImportWhat::Require(alias) => alias == name,
            _ => false,
        },
        _ => false,
    }
}

fn binds(target: &Expr, name: &str) -> bool {
    match &target.kind {
        ExprKind::Name(known) => known == name,
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().any(|item| binds(item, name)),
        _ => false,
    }
}

/// Whether the statement that declares a name exports it: `export` stands in front of it on its line or at its beginning.
fn is_exported(text: &str, statement: &Stmt, name: &str) -> bool {
    let start = (statement.span.start as usize).min(text.len());
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    name == "default" || text[start..].starts_with("export") || text[line..start].contains("export")
}

/// Whether a name stands in a clause that exports, or is put on `exports`. Errs on the side of yes.
fn exported_apart(text: &str, name: &str) -> bool {
    let has_word = |part: &str| words(part, name).next().is_some();
    for (at, _) in text.match_indices("export") {
        let rest = &text[at + "export".len()..];
        let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start();
        let rest = rest.strip_prefix("type").unwrap_or(rest).trim_start();
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            if has_word(&list[..list.find('}').unwrap_or(list.len())]) {
                return true;
            }
        } else if has_word(rest.lines().next().unwrap_or("")) {
            return true;
        }
    }
    false
}

/// Where a text has a name as a whole word.
fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Whether a name stands anywhere outside of the places that import it, in whatever: a comment counts, too.
fn is_used(text: &str, name: &str, within: &[Span]) -> bool {
    if name.is_empty() {
        return true;
    }
    words(text, name).any(|at| !within.iter().any(|span| (span.start as usize..span.end as usize).contains(&at)))
}

/// Imports at any level of a module's body, functions included, with their places.
fn imported<'m>(block: &'m [Stmt], found: &mut Vec<(&'m Import, Span)>) {
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Import(import) => found.push((import, statement.span)),
                StmtKind::If { then, otherwise, .. } => blocks.extend([then.as_slice(), otherwise]),
                StmtKind::Try { body, handlers, otherwise, finally } => {
                    blocks.extend([body.as_slice(), otherwise, finally]);
                    blocks.extend(handlers.iter().map(Vec::as_slice));
                }
                StmtKind::Function(function) => blocks.push(&function.body),
                StmtKind::Class(class) => blocks.push(&class.body),
                StmtKind::With { body, .. } => blocks.push(body),
                _ => {}
            }
        }
    }
}

/// What calls register, as they are written.
#[derive(Default)]
struct Registered {
    names: Vec<(String, Span)>,
    more: bool,
}

/// Calls that register what they are given.
const REGISTERING: [&str; 8] =
    ["use", "add_middleware", "addMiddleware", "UseMiddleware", "register", "apply", "Middleware", "useGlobalGuards"];

impl Registered {
    fn block(&mut self, block: &[Stmt], depth: usize) {
        if depth > MAX_DEPTH {
            self.more = true;
            return;
        }
        for statement in block {
            match &statement.kind {
                StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.expr(value, depth + 1),
                StmtKind::Assign { targets, value } => {
                    let is_list = targets.iter().any(|target| match &target.kind {
                        ExprKind::Name(name) => name_key(name).contains("middleware"),
                        _ => false,
                    });
                    if is_list { self.given(value, depth + 1) } else { self.expr(value, depth + 1) }
                }
                StmtKind::Annotated { value: Some(value), .. } => self.expr(value, depth + 1),
                StmtKind::Function(function) => self.block(&function.body, depth + 1),
                StmtKind::Class(class) => self.block(&class.body, depth + 1),
                StmtKind::Namespace { body, .. } | StmtKind::With { body, .. } => self.block(body, depth + 1),
                StmtKind::If { then, otherwise, .. } => {
                    self.block(then, depth + 1);
                    self.block(otherwise, depth + 1);
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                    let before = self.names.len();
                    self.block(body, depth + 1);
                    self.more |= self.names.len() > before;
                }
                StmtKind::Try { body, otherwise, finally, .. } => {
                    for block in [body, otherwise, finally] {
                        self.block(block, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn expr(&mut self, expr: &Expr, depth: usize) {
        if depth > MAX_DEPTH {
            self.more = true;
            return;
        }
        match &expr.kind {
            ExprKind::Call { callee, types, args } => {
                let name = called(callee);
                if let ExprKind::Member { object, .. } = &callee.kind {
                    self.expr(object, depth + 1);
                }
                if REGISTERING.contains(&name) {
                    for ty in types {
                        self.given(ty, depth + 1);
                    }
                    for arg in args {
                        match arg {
                            Arg::Positional(value) | Arg::Keyword(_, value) => self.given(value, depth + 1),
                            Arg::Spread(_) | Arg::KeywordSpread(_) => self.more = true,
                        }
                    }
                } else {
                    if let Some(rest) = name.strip_prefix("Use").filter(|rest| !rest.is_empty()) {
                        self.names.push((middleware_key(rest), callee.span));
                    }
                    for arg in args {
                        match arg {
                            Arg::Keyword(name, value) if name == "middleware" => self.given(value, depth + 1),
                            arg => self.expr(arg.value(), depth + 1),
                        }
                    }
                }
            }
            ExprKind::Await(inner) => self.expr(inner, depth + 1),
            ExprKind::Lambda(function) => self.block(&function.body, depth + 1),
            ExprKind::Record(items) | ExprKind::Dict(items) => {
                for item in items {
                    match item {
                        DictItem::Pair(_, value) | DictItem::Spread(value) => self.expr(value, depth + 1),
                    }
                }
            }
            _ => {}
        }
    }

    /// What is registered: a name, a member, what a call makes, a list of those, a dotted path.
    fn given(&mut self, value: &Expr, depth: usize) {
        if depth > MAX_DEPTH {
            self.more = true;
            return;
        }
        match &value.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => self.names.push((middleware_key(name), value.span)),
            ExprKind::Call { callee, args, .. } => {
                let name = called(callee);
                if REGISTERING.contains(&name) {
                    return self.expr(value, depth + 1);
                }
                // `auth.required()` is `auth` as well as `required`.
                if let ExprKind::Member { object, .. } = &callee.kind
                    && let ExprKind::Name(object) = &object.kind
                {
                    self.names.push((middleware_key(object), value.span));
                }
                self.names.push((middleware_key(name), value.span));
                for arg in args {
                    if matches!(arg.value().kind, ExprKind::Call { .. } | ExprKind::Name(_)) {
                        self.given(arg.value(), depth + 1);
                    }
                }
            }
            ExprKind::New { class: Some(class), .. } => self.given(class, depth + 1),
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                for item in items {
                    self.given(item, depth + 1);
                }
            }
            ExprKind::Str { text, .. } => {
                let last = text.rsplit(['.', '/']).next().unwrap_or(text);
                self.names.push((middleware_key(last), value.span));
            }
            ExprKind::Lambda(function) => self.block(&function.body, depth + 1),
            _ => self.more = true,
        }
    }
}

fn called(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        ExprKind::Index { object, .. } => called(object),
        _ => "",
    }
}

/// What names of one middleware have in common: `CORSMiddleware`, `cors` and `useCors`.
pub fn middleware_key(name: &str) -> String {
    let last = name.trim_end_matches("()").rsplit(['.', '/']).next().unwrap_or(name);
    let key = name_key(last);
    let key = key.strip_prefix("use").filter(|rest| !rest.is_empty()).unwrap_or(&key);
    key.strip_suffix("middleware").filter(|rest| !rest.is_empty()).unwrap_or(key).to_owned()
}
