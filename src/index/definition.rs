//! Where a symbol is declared, and who uses it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::record::{Record, Symbol, SymbolKind, Taken, UseKind};
use super::refresh::style;
use super::resolve::Thing;
use super::view::{At, View};
use super::{Index, IndexError, rows};
use crate::config::nearest;
use crate::model::program::ImportStyle;
use crate::scan::{Progress, text_of};

/// Where a symbol is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Definition {
    pub file: String,
    pub line: u32,
    pub kind: SymbolKind,
    pub signature: String,
    /// With what it stands in: `Class.member`.
    pub symbol: String,
    pub lines: [u32; 2],
    pub exported: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Other symbols of the name, in the same order of preference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Definition>,
    /// How many more there are that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_alternatives: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// A place where a symbol is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Caller {
    pub file: String,
    pub line: u32,
    /// The line itself.
    pub context: String,
    /// The function or class around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller_symbol: Option<String>,
    /// `call`, or `use`: handed on, extended, named as a type.
    pub how: &'static str,
    pub column: u32,
}

/// Who uses a symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Callers {
    /// The symbol that was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<Definition>,
    /// By file and line.
    pub callers: Vec<Caller>,
    /// How many there are, listed or not.
    pub total: usize,
}

/// More alternatives are left out: those nearest to the root stay.
const MAX_ALTERNATIVES: usize = 20;

impl Index {
    /// Where a symbol is declared; `None` where nothing is called so, or the language is none that is read. A symbol is
    /// `name`, `Class.member` or `path::name`. Where several fit, it is the exported one nearest to the root, and the others
    /// are its alternatives.
    ///
    /// # Errors
    /// Those of [`Index::refresh`].
    pub fn find_definition(
        &mut self,
        symbol: &str,
        language: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Option<Definition>, IndexError> {
        self.refresh(progress)?;
        let program = self.program();
        let view = View::new(self, program);
        let found = view.named(symbol, language);
        let definition = found.first().map(|first| view.definition(*first, &found[1..]));
        let loaded = view.into_loaded();
        self.remember(loaded);
        Ok(definition)
    }

    /// Who uses a symbol, at most `most` of them; empty where nothing is called so. Every place counts that names it, but
    /// for imports and the declaration itself.
    ///
    /// # Errors
    /// Those of [`Index::refresh`].
    pub fn find_callers(&mut self, symbol: &str, most: usize, progress: &dyn Progress) -> Result<Callers, IndexError> {
        self.refresh(progress)?;
        let program = self.program();
        let view = View::new(self, program);
        let found = view.named(symbol, None);
        let callers = found.first().map_or_else(Callers::default, |first| {
            let mut callers = view.callers(*first);
            let total = callers.len();
            callers.truncate(most);
            view.add_lines(&mut callers);
            Callers { definition: Some(view.definition(*first, &found[1..])), callers, total }
        });
        let loaded = view.into_loaded();
        self.remember(loaded);
        Ok(callers)
    }

    /// The declared name that a symbol was probably meant to be, where nothing is called like the symbol; in the form that
    /// the symbol has: `path::name` keeps its path.
    ///
    /// # Errors
    /// Those of the database.
    pub fn nearest_symbol(&self, symbol: &str) -> Result<Option<String>, IndexError> {
        let symbol = symbol.trim().trim_end_matches("()");
        let start = symbol.rfind(['.', ':']).map_or(0, |at| at + 1);
        let (around, name) = symbol.split_at(start);
        let names = rows::declared_names(self.store.connection(), name.chars().count())?;
        let nearest = nearest(name, names.iter().map(String::as_str).filter(|it| *it != name));
        Ok(nearest.map(|it| format!("{around}{it}")))
    }

    /// What is said where nothing is called like a symbol.
    ///
    /// # Errors
    /// Those of the database.
    pub fn nothing_called(&self, symbol: &str) -> Result<String, IndexError> {
        let nearest = self.nearest_symbol(symbol)?;
        let hint = nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
        Ok(format!("nothing is called `{symbol}`{hint}"))
    }

    /// Records that were decoded for one question, for the next one.
    pub(super) fn remember(&mut self, loaded: Vec<(u32, std::sync::Arc<super::view::Loaded>)>) {
        let Some(program) = self.program.clone() else { return };
        for (file, loaded) in loaded {
            let row = program.paths.get(file as usize).and_then(|path| self.files.get(path));
            if let Some(row) = row {
                self.records.entry((row.hash.clone(), row.language.clone())).or_insert(loaded);
            }
        }
    }
}

impl View<'_> {
    /// The symbols that somebody may mean, best first.
    pub(super) fn named(&self, symbol: &str, language: Option<&str>) -> Vec<At> {
        let symbol = symbol.trim();
        let (path, dotted) = match symbol.rsplit_once("::") {
            Some((path, dotted)) => (Some(path.replace('\\', "/")), dotted),
            None => (None, symbol),
        };
        let path = path.as_deref().map(|path| path.trim_start_matches("./"));
        let dotted = dotted.trim_end_matches("()");
        let parts: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
        let Some((name, around)) = parts.split_last() else { return Vec::new() };
        let mut found = Vec::new();
        for file in self.files_with(name, true) {
            if !is_of_language(self.language(file), language) {
                continue;
            }
            let own = self.path(file);
            if path.is_some_and(|path| own != path && !own.ends_with(&format!("/{path}"))) {
                continue;
            }
            let loaded = self.loaded(file);
            for (at, it) in loaded.record.symbols.iter().enumerate() {
                if it.name == *name && is_within(&loaded.record, at as u32, own, around) {
                    found.push((rank(it, own, self.is_test(file)), At { file, symbol: at as u32 }));
                }
            }
        }
        found.sort();
        found.into_iter().map(|(_, at)| at).collect()
    }

    pub(super) fn is_test(&self, file: u32) -> bool {
        self.index.files.get(self.path(file)).is_some_and(|row| row.is_test)
    }

    pub(super) fn definition(&self, at: At, alternatives: &[At]) -> Definition {
        let loaded = self.loaded(at.file);
        let listed = alternatives.iter().take(MAX_ALTERNATIVES).map(|other| self.definition(*other, &[]));
        let listed: Vec<Definition> = listed.collect();
        let more_alternatives = alternatives.len() - listed.len();
        let symbol = &loaded.record.symbols[at.symbol as usize];
        Definition {
            file: self.path(at.file).to_owned(),
            line: symbol.line,
            kind: symbol.kind,
            signature: symbol.signature.clone(),
            symbol: loaded.record.qualified(at.symbol),
            lines: [symbol.lines.0, symbol.lines.1],
            exported: symbol.exported,
            doc: symbol.doc.clone(),
            alternatives: listed,
            more_alternatives,
        }
    }

    /// Every place that uses a symbol, by file and line.
    pub(super) fn callers(&self, target: At) -> Vec<Caller> {
        let Some(symbol) = self.symbol(target) else { return Vec::new() };
        let name = symbol.name.as_str();
        let family = self.family(target);
        let names = self.other_names(target, name);
        let mut files: Vec<u32> = names.iter().flat_map(|name| self.files_with(name, false)).collect();
        files.sort_unstable();
        files.dedup();
        let mut found = Vec::new();
        for file in files {
            let loaded = self.loaded(file);
            let record = &loaded.record;
            // What the term of one use means, all of its uses mean.
            let mut means: BTreeMap<u32, bool> = BTreeMap::new();
            for used in &record.uses {
                if !names.contains(record.name_of(used.term)) {
                    continue;
                }
                let is_it = *means.entry(used.term).or_insert_with(|| {
                    self.things(file, used.term).iter().any(|thing| match thing {
                        Thing::Symbol(at) => *at == target || self.is_related(*at, &family),
                        _ => false,
                    })
                });
                let is_own = file == target.file && used.line == symbol.line && used.column == symbol.column;
                if is_it && !is_own {
                    found.push(Caller {
                        file: self.path(file).to_owned(),
                        line: used.line,
                        column: used.column,
                        context: String::new(),
                        caller_symbol: used.inside.map(|inside| record.qualified(inside)),
                        how: if used.kind == UseKind::Call { "call" } else { "use" },
                    });
                }
            }
        }
        found.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        found
    }

    /// Its name, and what imports and exports call it besides.
    fn other_names(&self, target: At, name: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::from([name.to_owned()]);
        let mut next = vec![name.to_owned()];
        if self.is_default(target) {
            next.push("default".to_owned());
        }
        while let Some(name) = next.pop() {
            for file in self.files_with(&name, false) {
                let loaded = self.loaded(file);
                let record = &loaded.record;
                for (at, binding) in record.bindings.iter().enumerate() {
                    let import = binding.import.and_then(|it| record.imports.get(it as usize));
                    let renames = match import.map(|it| &it.what) {
                        Some(Taken::Name(taken)) => *taken == name && binding.name != name,
                        Some(Taken::Require) => name == "default",
                        _ => binding.symbol.is_none() && loaded.is_top(at as u32) && !binding.values.is_empty(),
                    };
                    if renames
                        && !names.contains(&binding.name)
                        && self.bound(file, at as u32).contains(&Thing::Symbol(target))
                    {
                        names.insert(binding.name.clone());
                        next.push(binding.name.clone());
                    }
                }
            }
        }
        names
    }

    /// Whether its file exports it as the default.
    fn is_default(&self, target: At) -> bool {
        let loaded = self.loaded(target.file);
        let Some(binding) = loaded.top("default") else { return false };
        self.bound(target.file, binding).contains(&Thing::Symbol(target))
    }

    /// The declarations that a method overrides or implements, itself included: where types are declared, who calls one of
    /// them may call all.
    pub(super) fn family(&self, at: At) -> Vec<At> {
        let mut family = vec![at];
        let Some(symbol) = self.symbol(at) else { return family };
        if style(self.language(at.file)) == ImportStyle::Dotted {
            return family;
        }
        let Some(parent) = symbol.parent.filter(|_| !symbol.is_static) else { return family };
        let mut next = vec![At { file: at.file, symbol: parent }];
        let mut seen = next.clone();
        while let Some(class) = next.pop() {
            for base in self.bases(class) {
                if seen.contains(&base) || seen.len() > 64 {
                    continue;
                }
                seen.push(base);
                next.push(base);
                let loaded = self.loaded(base.file);
                let own = loaded.members(base.symbol).iter();
                let own = own.filter(|it| loaded.symbol(**it).is_some_and(|it| it.name == symbol.name));
                family.extend(own.map(|it| At { file: base.file, symbol: *it }));
            }
        }
        family
    }

    fn is_related(&self, at: At, family: &[At]) -> bool {
        if family.contains(&at) {
            return true;
        }
        let is_member = self.symbol(at).is_some_and(|it| it.parent.is_some());
        is_member && self.family(at).iter().skip(1).any(|it| family.contains(it))
    }

    /// The text of each line.
    fn add_lines(&self, callers: &mut [Caller]) {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for caller in callers {
            let lines = texts.entry(caller.file.clone()).or_insert_with(|| {
                let text = text_of(&self.index.root.join(&caller.file)).unwrap_or_default();
                text.lines().map(str::to_owned).collect()
            });
            let line = lines.get(caller.line as usize - 1).map_or("", |line| line.trim());
            caller.context = line.chars().take(MAX_CONTEXT).collect();
        }
    }
}

/// Longer lines are cut.
const MAX_CONTEXT: usize = 300;

/// Whether a symbol stands in what is named: classes, and the modules or namespaces around them.
fn is_within(record: &Record, symbol: u32, path: &str, around: &[&str]) -> bool {
    if around.is_empty() {
        return true;
    }
    let it = &record.symbols[symbol as usize];
    let qualified = record.qualified(symbol);
    let root = {
        let mut next = it;
        while let Some(parent) = next.parent.and_then(|at| record.symbols.get(at as usize)) {
            next = parent;
        }
        next.namespace.clone()
    };
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_suffix("/__init__").or(stem.strip_suffix("/index")).unwrap_or(stem);
    let by_path: Vec<&str> = stem.split('/').chain(qualified.split('.')).collect();
    let by_namespace: Vec<&str> = root.split('.').chain(qualified.split('.')).collect();
    let ends = |parts: &[&str]| parts[..parts.len() - 1].ends_with(around);
    ends(&by_path) || ends(&by_namespace)
}

/// Which of several symbols of a name is meant: what others may use, outside of tests, nearest to the root.
fn rank(symbol: &Symbol, path: &str, is_test: bool) -> (bool, bool, bool, usize, bool, String, u32) {
    let inner = symbol.parent.is_some();
    let is_variable = symbol.kind == SymbolKind::Variable;
    (!symbol.exported, is_test, is_variable, path.matches('/').count(), inner, path.to_owned(), symbol.line)
}

/// Whether files of a language are asked for: what clients call it.
pub(super) fn is_of_language(language: &str, asked: Option<&str>) -> bool {
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else { return true };
    match asked.to_ascii_lowercase().as_str() {
        "python" | "py" => language == "python",
        "csharp" | "c#" | "cs" => language == "csharp",
        "typescript" | "ts" | "tsx" => style(language) == ImportStyle::Path,
        "javascript" | "js" | "jsx" => matches!(language, "javascript" | "component"),
        _ => false,
    }
}
