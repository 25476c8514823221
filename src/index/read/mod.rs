//! From the program tree of one file to its [`Record`]: scopes, symbols, and a term for every name. A pure function.

mod declare;
mod expressions;
mod scopes;
mod statements;
mod written;

use rustc_hash::{FxHashMap, FxHashSet};

use super::record::{Binding, BindingId, Record, SymbolId, Term, TermId, Use, UseKind};
use crate::languages::{self, Language, WordRole, Words};
use crate::model::program::{ImportStyle, Module};
use crate::text::{FileId, SourceFile, Span};
use scopes::{Scope, ScopeId};

/// The record of a text. Never fails: what cannot be read is missing in it.
pub fn read(language: Language, path: &str, text: &str) -> Record {
    let (module, words, _) = languages::lower_with_words(language, FileId(0), path, text);
    let source = SourceFile::new(path, text);
    let mut reader = Reader::new(&module, &words, &source);
    reader.module(&module);
    reader.take_uses();
    reader.take_quoted();
    let mut record = reader.record;
    record.incomplete = !module.errors.is_empty();
    record.lines = text.lines().filter(|line| !line.trim().is_empty()).count() as u32;
    record
}

/// The state of reading one file.
struct Reader<'r> {
    words: &'r Words,
    source: &'r SourceFile,
    style: ImportStyle,
    record: Record,
    /// Each term once.
    known: FxHashMap<Term, TermId>,
    scopes: Vec<Scope>,
    scope: ScopeId,
    /// What the names at these offsets stand for, as the tree says.
    found: FxHashMap<u32, (TermId, UseKind)>,
    /// Words by the offset that they start at.
    word_at: FxHashMap<u32, usize>,
    /// Symbols by the offset of their name.
    symbol_at: FxHashMap<u32, SymbolId>,
    members: FxHashMap<(SymbolId, String), SymbolId>,
    /// The names in `export { a, b }`, `export default a`.
    listed: FxHashSet<&'r str>,
    /// What the functions around return, innermost last.
    returned: Vec<Vec<TermId>>,
    namespace: String,
    /// What parameters of a function are that is an argument.
    handed: Vec<TermId>,
    /// The string that is read as a type.
    quoted: Option<Span>,
    /// Names in such strings, by offset.
    in_strings: Vec<(u32, TermId, ScopeId)>,
}

const UNKNOWN: TermId = 0;

impl<'r> Reader<'r> {
    fn new(module: &Module, words: &'r Words, source: &'r SourceFile) -> Self {
        let word_at = words.names.iter().enumerate().map(|(at, word)| (word.start, at)).collect();
        let listed = words.names.iter().filter(|word| word.exported && word.role == WordRole::Name);
        let listed = listed.filter_map(|word| source.text.get(word.start as usize..word.end as usize)).collect();
        let mut reader = Reader {
            words,
            source,
            style: module.imports,
            record: Record::default(),
            known: FxHashMap::default(),
            scopes: vec![Scope::file(source.text.len() as u32)],
            scope: 0,
            found: FxHashMap::default(),
            word_at,
            symbol_at: FxHashMap::default(),
            members: FxHashMap::default(),
            listed,
            returned: Vec::new(),
            namespace: String::new(),
            handed: Vec::new(),
            quoted: None,
            in_strings: Vec::new(),
        };
        reader.term(Term::Unknown);
        reader
    }

    fn module(&mut self, module: &Module) {
        self.declare(&module.global);
        self.declare(&module.body);
        self.statements(&module.global);
        self.statements(&module.body);
        let listed = self.exported_names(module);
        for symbol in self.record.symbols.iter_mut().filter(|symbol| symbol.parent.is_none()) {
            if let Some(listed) = &listed {
                symbol.exported = listed.contains(&symbol.name);
            }
        }
        for at in 0..self.record.symbols.len() {
            if let Some(parent) = self.record.symbols[at].parent {
                // A class comes before its members.
                let parent = &self.record.symbols[parent as usize];
                let reachable = parent.exported && parent.kind != super::record::SymbolKind::Function;
                self.record.symbols[at].exported &= reachable;
            }
        }
    }

    fn term(&mut self, term: Term) -> TermId {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let id = self.record.terms.len() as u32;
        self.record.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    fn either(&mut self, mut terms: Vec<TermId>) -> TermId {
        terms.retain(|term| *term != UNKNOWN);
        terms.dedup();
        match terms.as_slice() {
            [] => UNKNOWN,
            [one] => *one,
            _ => {
                terms.truncate(MAX_CHOICES);
                self.term(Term::Either(terms))
            }
        }
    }

    fn bind(&mut self, name: &str) -> BindingId {
        let id = self.record.bindings.len() as u32;
        self.record.bindings.push(Binding { name: name.to_owned(), ..Binding::default() });
        id
    }

    /// A name at an offset stands for a term.
    fn note(&mut self, offset: u32, name: &str, term: TermId) {
        if let Some(span) = self.quoted {
            // Its parts have the place of the whole.
            let text = self.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
            if let Some(at) = text.find(name) {
                self.in_strings.push((span.start + at as u32, term, self.scope));
            }
            return;
        }
        let end = offset as usize + name.len();
        if self.source.text.get(offset as usize..end) == Some(name) {
            self.found.entry(offset).or_insert((term, UseKind::Read));
        }
    }

    /// Every name that is used, with what it stands for: as the tree says, else as its place says.
    fn take_uses(&mut self) {
        let words: &'r Words = self.words;
        let mut before: Option<(u32, TermId)> = None;
        let scopes = self.scopes_at(words.names.iter().map(|word| word.start));
        for (word, scope) in words.names.iter().zip(scopes) {
            let text = self.source.text.get(word.start as usize..word.end as usize).unwrap_or("");
            if text.is_empty() || matches!(word.role, WordRole::Import | WordRole::Declared | WordRole::Key) {
                before = None;
                continue;
            }
            let (term, kind) = if let Some(found) = self.found.get(&word.start) {
                *found
            } else {
                let term = if word.role == WordRole::Name {
                    self.look_up_in(scope, text)
                } else {
                    let object = before.filter(|(end, _)| self.is_dot(*end, word.start));
                    let object = object.map_or(UNKNOWN, |(_, term)| term);
                    self.term(Term::Member(object, text.to_owned()))
                };
                let after = self.source.text.get(word.end as usize..).unwrap_or("");
                (term, if after.trim_start().starts_with('(') { UseKind::Call } else { UseKind::Read })
            };
            before = Some((word.end, term));
            if text == "this" {
                continue;
            }
            let place = self.source.position(word.start);
            let inside = self.owner_of(scope);
            self.record.uses.push(Use { line: place.line, column: place.column, term, kind, inside });
        }
    }

    /// The names in strings that are types.
    fn take_quoted(&mut self) {
        for (offset, term, scope) in std::mem::take(&mut self.in_strings) {
            let place = self.source.position(offset);
            let inside = self.owner_of(scope);
            let kind = UseKind::Read;
            self.record.uses.push(Use { line: place.line, column: place.column, term, kind, inside });
        }
        self.record.uses.sort_by_key(|it| (it.line, it.column));
    }

    fn is_dot(&self, from: u32, to: u32) -> bool {
        let between = self.source.text.get(from as usize..to as usize).unwrap_or("");
        matches!(between.trim(), "." | "?." | "!.")
    }

    fn owner_of(&self, scope: ScopeId) -> Option<SymbolId> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            let scope = &self.scopes[scope];
            if scope.owner.is_some() {
                return scope.owner;
            }
            next = scope.parent;
        }
        None
    }
}

/// More possible values of one thing are not followed.
const MAX_CHOICES: usize = 6;

#[cfg(test)]
mod tests;
