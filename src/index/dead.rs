//! What nobody uses.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::record::{Record, Symbol, SymbolKind};
use super::resolve::Thing;
use super::view::{At, View};
use super::{Index, IndexError};
use crate::scan::Progress;

/// A symbol that nothing in the project names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dead {
    /// `Class.member`
    pub symbol: String,
    pub file: String,
    pub line: u32,
    pub kind: SymbolKind,
    pub confidence: Confidence,
}

/// How likely it is that nobody uses a symbol that nothing names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    High,
    /// Methods and types, which may be used without being named.
    Medium,
    /// Called like what a framework calls.
    Low,
}

/// What runtimes, frameworks and test runners call by its name.
const ENTRY_POINTS: &[&str] = &[
    "main",
    "Main",
    "constructor",
    "setUp",
    "tearDown",
    "setUpClass",
    "tearDownClass",
    "render",
    "componentDidMount",
    "componentDidUpdate",
    "componentWillUnmount",
    "componentDidCatch",
    "shouldComponentUpdate",
    "getDerivedStateFromProps",
    "getServerSideProps",
    "getStaticProps",
    "getStaticPaths",
    "generateMetadata",
    "generateStaticParams",
    "middleware",
    "ngOnInit",
    "ngOnDestroy",
    "ngOnChanges",
    "ngAfterViewInit",
    "onModuleInit",
    "onModuleDestroy",
    "onApplicationBootstrap",
    "onApplicationShutdown",
    "beforeApplicationShutdown",
    "canActivate",
    "intercept",
    "Configure",
    "ConfigureServices",
    "Dispose",
    "DisposeAsync",
    "ExecuteAsync",
    "StartAsync",
    "StopAsync",
    "InvokeAsync",
    "OnActionExecuting",
    "OnActionExecuted",
    "OnModelCreating",
    "ToString",
    "Equals",
    "GetHashCode",
    "toString",
    "toJSON",
    "valueOf",
    "up",
    "down",
    "Up",
    "Down",
    "upgrade",
    "downgrade",
    "handler",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "default",
    "get_queryset",
    "get_object",
    "get_serializer_class",
    "has_permission",
    "has_object_permission",
    "dispatch",
    "ready",
    "Meta",
    "Config",
    "to_representation",
    "to_internal_value",
];

impl Index {
    /// Functions, classes, methods and types that nothing in the project names, by file and line; of one service, or of all.
    /// What runs by itself is left out: tests, entry points, what is decorated, what overrides something.
    ///
    /// # Errors
    /// Those of [`Index::refresh`], and a service that is not there.
    pub fn dead_code(&mut self, service: Option<&str>, progress: &dyn Progress) -> Result<Vec<Dead>, IndexError> {
        self.refresh(progress)?;
        if let Some(service) = service {
            self.require_service(service)?;
        }
        let program = self.program();
        let view = View::new(self, program);
        let found = view.dead(service, progress);
        let loaded = view.into_loaded();
        self.remember(loaded);
        Ok(found)
    }
}

impl View<'_> {
    fn dead(&self, service: Option<&str>, progress: &dyn Progress) -> Vec<Dead> {
        let count = self.program.paths.len() as u32;
        // Symbols that may be dead, by name.
        let mut asked: BTreeMap<At, Symbol> = BTreeMap::new();
        let mut names: FxHashMap<String, Vec<At>> = FxHashMap::default();
        for file in 0..count {
            let row = self.index.files.get(self.path(file));
            if row.is_none_or(|row| row.is_test || service.is_some_and(|service| row.service != service)) {
                continue;
            }
            let loaded = self.loaded(file);
            for (at, symbol) in loaded.record.symbols.iter().enumerate() {
                let at = At { file, symbol: at as u32 };
                if may_be_dead(&loaded.record, symbol) {
                    names.entry(symbol.name.clone()).or_default().push(at);
                    asked.insert(at, symbol.clone());
                }
            }
        }
        let mut used: BTreeSet<At> = BTreeSet::new();
        // Names that are used somewhere, and nobody knows of what.
        let mut unknown: BTreeSet<String> = BTreeSet::new();
        for file in 0..count {
            progress.tick("looking for uses", file as usize + 1, count as usize);
            let loaded = self.loaded(file);
            let record = &loaded.record;
            let mut seen = BTreeSet::new();
            for it in record.uses.iter().filter(|it| seen.insert(it.term)) {
                let name = record.name_of(it.term);
                let things = self.things(file, it.term);
                for thing in things.iter() {
                    if let Thing::Symbol(at) = thing {
                        used.insert(*at);
                        // Whoever calls what it overrides calls it.
                        used.extend(self.family(*at));
                    }
                }
                if things.is_empty() && names.contains_key(name) {
                    unknown.insert(name.to_owned());
                }
            }
            for (at, _) in record.bindings.iter().enumerate().filter(|(_, it)| it.name == "default") {
                for thing in self.bound(file, at as u32) {
                    if let Thing::Symbol(at) = thing {
                        used.insert(at);
                    }
                }
            }
        }
        let mut dead = Vec::new();
        for (at, symbol) in &asked {
            let by_base = || self.family(*at).iter().skip(1).any(|it| used.contains(it));
            let foreign = symbol.parent.is_some_and(|class| self.has_foreign_base(At { file: at.file, symbol: class }));
            if used.contains(at) || (symbol.parent.is_some() && (unknown.contains(&symbol.name) || by_base())) {
                continue;
            }
            let overrides = symbol.parent.is_some_and(|class| {
                let class = At { file: at.file, symbol: class };
                self.bases(class).iter().any(|base| !self.member_of(*base, &symbol.name, &mut Vec::new()).is_empty())
            });
            if overrides {
                continue;
            }
            let loaded = self.loaded(at.file);
            let mut confidence = confidence(symbol);
            if foreign {
                // Its library may call it.
                confidence = Confidence::Low;
            }
            dead.push(Dead {
                symbol: loaded.record.qualified(at.symbol),
                file: self.path(at.file).to_owned(),
                line: symbol.line,
                kind: symbol.kind,
                confidence,
            });
        }
        dead.sort_by(|a, b| (&a.file, a.line, &a.symbol).cmp(&(&b.file, b.line, &b.symbol)));
        dead
    }

    /// Whether a class extends something that is not in the sources.
    fn has_foreign_base(&self, class: At) -> bool {
        let mut next = vec![class];
        let mut seen = Vec::new();
        while let Some(class) = next.pop() {
            if seen.contains(&class) || seen.len() > 64 {
                continue;
            }
            seen.push(class);
            let bases = self.bases(class);
            if self.symbol(class).is_some_and(|it| it.bases.len() > bases.len()) {
                return true;
            }
            next.extend(bases);
        }
        false
    }
}

/// Whether a symbol is dead where nothing names it.
fn may_be_dead(record: &Record, symbol: &Symbol) -> bool {
    let is_member_of = |kinds: &[SymbolKind]| {
        let parent = symbol.parent.and_then(|parent| record.symbols.get(parent as usize));
        parent.is_none_or(|parent| kinds.contains(&parent.kind))
    };
    symbol.kind != SymbolKind::Variable
        && !symbol.name.is_empty()
        && !symbol.decorated
        && !symbol.overrides
        && !symbol.getter
        && !is_entry_point(&symbol.name)
        // What stands in a function is seen at once; members of objects are handed on with them.
        && is_member_of(&[SymbolKind::Class])
}

fn is_entry_point(name: &str) -> bool {
    (name.starts_with("__") && name.ends_with("__"))
        || name.starts_with("test_")
        || name.starts_with("Test")
        || ENTRY_POINTS.contains(&name)
}

fn confidence(symbol: &Symbol) -> Confidence {
    let begins = |list: &[&str]| list.iter().any(|start| symbol.name.starts_with(start));
    let called = begins(&["on_", "handle_", "process_", "do_", "visit_"]);
    let top = symbol.parent.is_none()
        && symbol.kind == SymbolKind::Function
        && begins(&["get_", "post_", "put_", "patch_", "delete_", "create_", "update_", "list_"]);
    if called || top {
        return Confidence::Low;
    }
    match symbol.kind {
        SymbolKind::Method | SymbolKind::Interface | SymbolKind::Type => Confidence::Medium,
        _ => Confidence::High,
    }
}
