//! Reading: functions by whose names a text tells what is done: `create_loan`, `listLoans(page)`, `async function deleteLoan(id)`;
//! in lists, columns, headings and sentences, and in code that declares or lists them.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::clauses::Clauses;
use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, Notes};
use super::{code, fields, services, stories, words};

/// Verbs by which a name is a function's beyond doubt: `update_id` and `review_count` may be columns.
#[rustfmt::skip]
const SURE: &[&str] = &[
    "create", "get", "list", "add", "delete", "remove", "fetch", "find", "insert", "upsert", "save", "register", "cancel",
    "approve", "reject", "submit", "revoke", "assign", "search", "send", "retrieve", "view", "edit", "manage",
];

/// Words behind which the name of a function says how the thing is found: `get_loan_by_id`.
#[rustfmt::skip]
const HOW: &[&str] = &[
    "by", "for", "from", "with", "in", "to", "of", "on", "and", "or", "via", "at", "into", "as", "if", "without", "per", "using", "async",
];

/// What says which of all: `getMyLoans`, `list_all_loans`.
const WHICH: &[&str] = &["my", "all", "new", "a", "the", "user", "current", "own", "this", "existing", "single", "one"];

/// Words, in the singular, for what is no thing of the product.
#[rustfmt::skip]
const PLUMBING: &[&str] = &[
    "task", "pool", "connection", "client", "context", "data", "error", "request", "response", "instance", "element", "logger",
    "item", "object", "value", "config", "header", "info", "result", "id", "name", "type", "status", "count", "key", "listener",
    "token", "hash", "app", "server", "route", "middleware", "handler", "state", "env", "time", "date", "path", "url", "string",
    "index", "db", "session", "store", "router", "stat", "total", "price",
];

/// A name that begins with a verb, in the words of the name.
struct Function {
    line: u32,
    section: usize,
    name: String,
    verb: String,
    object: Vec<String>,
    /// The names of the parameters of the function.
    given: Vec<String>,
}

/// Notes the deeds that functions are named for, where a text names several functions in one place. Names of functions are no fields.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut named = FxHashSet::default();
    let mut told: Vec<Function> = Vec::new();
    // Of each item, whether the items of its list name functions.
    let mut lists: FxHashMap<usize, bool> = FxHashMap::default();
    for (at, block) in document.blocks.iter().enumerate() {
        if document.excluded[block.section] || document.asides[block.section] {
            continue;
        }
        let found: Vec<Function> = match &block.kind {
            Kind::Item(text, _) => {
                // Each item tells one function, which stands first; else an item may list several.
                let known = lists.get(&at).copied();
                let tells = known.unwrap_or_else(|| list_of(document, at, &mut lists));
                if tells {
                    leading(text).and_then(|it| function(it, block.line, block.section)).into_iter().collect()
                } else {
                    among(text, block.line, block.section)
                }
            }
            Kind::Paragraph(text) => among(text, block.line, block.section),
            Kind::Table(head, rows) => {
                let mut found = Vec::new();
                for column in 0..head.len() {
                    let cells = rows.iter().filter_map(|row| Some((row.line, row.cells.get(column)?)));
                    let said: Vec<(u32, &str)> =
                        cells.flat_map(|(line, cell)| all(cell).into_iter().map(move |it| (line, it))).collect();
                    let names: Vec<Option<&str>> = said.iter().map(|it| Some(it.1)).collect();
                    if are_functions(&names) {
                        named.extend(said.iter().map(|it| fields::name_at(it.1).to_owned()));
                        found.extend(said.iter().filter_map(|(line, it)| function(it, *line, block.section)));
                    }
                }
                if found.is_empty() {
                    let cells = rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.line, cell)));
                    found.extend(cells.flat_map(|(line, cell)| among(cell, line, block.section)));
                }
                found
            }
            Kind::Code(language, text) => of_code(language, text, block.line, block.section),
        };
        told.extend(found);
    }
    let headings: Vec<Function> = document
        .sections
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(at, _)| !document.excluded[*at] && !document.asides[*at])
        .filter_map(|(at, it)| function(leading(&it.title).filter(|it| it.contains('('))?, it.line, at))
        .collect();
    if headings.iter().filter(|it| SURE.contains(&it.verb.as_str())).count() >= 2 {
        told.extend(headings);
    }
    things(notes, &told);
    told.iter().for_each(|it| add(document, notes, it));
    named.extend(told.into_iter().map(|it| it.name));
    notes.functions = named;
}

/// Notes of all items of the list that an item is in, whether these name functions. Returns whether they do.
fn list_of(document: &Document, at: usize, lists: &mut FxHashMap<usize, bool>) -> bool {
    let items: Vec<usize> = document.siblings(at).collect();
    let name = |it: &usize| match &document.blocks[*it].kind {
        Kind::Item(text, _) => Some(leading(text)),
        _ => None,
    };
    let tells = are_functions(&items.iter().filter_map(name).collect::<Vec<_>>());
    lists.extend(items.into_iter().chain([at]).map(|it| (it, tells)));
    tells
}

/// Takes back what other readings took for fields and are the names of functions.
pub(super) fn take_back(notes: &mut Notes) {
    let named = std::mem::take(&mut notes.functions);
    for entity in &mut notes.entities {
        entity.fields.retain(|it| !named.contains(&it.name));
    }
}

/// The name that a text begins with, with what may stand in brackets behind: `create_loan`, `addMember(name)`.
fn leading(text: &Text) -> Option<&str> {
    let plain = text.plain.trim_start();
    let coded = text.codes().next().filter(|it| plain.starts_with(it)).map(str::trim);
    coded.or_else(|| plain[fields::name_at(plain).len()..].starts_with('(').then_some(plain))
}

/// All names of a cell: what is set as code, else what the cell begins with.
fn all(cell: &Text) -> Vec<&str> {
    let codes: Vec<&str> = cell.codes().map(str::trim).collect();
    if codes.is_empty() { leading(cell).into_iter().collect() } else { codes }
}

/// Whether most of the names in one place are names of functions, two of them beyond doubt.
fn are_functions(names: &[Option<&str>]) -> bool {
    let verbs: Vec<String> = names.iter().flatten().filter_map(|it| Some(parts(it)?.0)).collect();
    verbs.iter().filter(|it| SURE.contains(&it.as_str())).count() >= 2 && verbs.len() * 2 > names.len()
}

/// The functions that a sentence or cell lists: three at least.
fn among(text: &Text, line: u32, section: usize) -> Vec<Function> {
    let names: Vec<Option<&str>> = text.codes().map(|it| Some(it.trim())).collect();
    if names.len() < 3 || !are_functions(&names) {
        return Vec::new();
    }
    names.into_iter().flatten().filter_map(|it| function(it, line, section)).collect()
}

/// The verb of a name of two words or more that begins with one, and the words of what is done to.
fn parts(name: &str) -> Option<(String, Vec<String>)> {
    let (bare, behind) = name.split_at(fields::name_at(name).len());
    if !bare.starts_with(|c: char| c.is_ascii_lowercase()) || !(behind.is_empty() || behind.starts_with('(')) {
        return None;
    }
    let said = words::split(bare);
    let (first, object) = said.split_first().filter(|it| !it.1.is_empty() && it.1.len() <= 6)?;
    // The name is one word to its author.
    if !bare.contains('_') && !bare.contains(char::is_uppercase) {
        return None;
    }
    let is_verb = words::verb(first).is_some_and(|(base, _)| base == first) || SURE.contains(&first.as_str());
    is_verb.then(|| (first.clone(), object.to_vec()))
}

/// The names of parameters: `name, email?`, `name: str = "", email: str`, `String name`. What stands for a whole thing is left out.
fn parameters(inside: &str) -> Vec<String> {
    #[rustfmt::skip]
    const WHOLE: &[&str] = &[
        "self", "input", "data", "dto", "payload", "body", "request", "req", "res", "options", "params", "ctx", "context", "db",
        "user", "props", "values", "args", "kwargs", "session", "id", "cls", "requester", "pageable",
    ];
    let parts = code::split(inside, &[',']).into_iter().map(|(_, it)| it.split(['=', ':']).next().unwrap_or("").trim());
    let names = parts.map(|it| it.rsplit(' ').next().unwrap_or(it).trim_matches(['?', '*', '"', '\'', '$', '[', ']']));
    let fits =
        |it: &&str| fields::is_identifier(it) && !WHOLE.contains(it) && !it.to_ascii_lowercase().ends_with("dto");
    names.filter(fits).map(str::to_owned).collect()
}

fn function(name: &str, line: u32, section: usize) -> Option<Function> {
    let (verb, object) = parts(name)?;
    let end = object.iter().position(|it| HOW.contains(&it.as_str())).unwrap_or(object.len());
    let begin = object[..end].iter().take_while(|it| WHICH.contains(&it.as_str())).count();
    let begin = if begin == end { end.saturating_sub(1) } else { begin };
    let object = object[begin..end].to_vec();
    let (bare, behind) = name.split_at(fields::name_at(name).len());
    let given =
        code::balanced(behind, '(', ')').filter(|_| behind.starts_with('(')).map(|it| parameters(&behind[1..it - 1]));
    Some(Function { line, section, name: bare.to_owned(), verb, object, given: given.unwrap_or_default() })
}

/// The functions that a block of code declares or lists, a line each: `async function createLoan(…)`, `def create_loan(…)`,
/// `createLoan(…): Promise<Loan>`, `create_loan()`. What functions call in their bodies is left out.
fn of_code(language: &str, text: &str, line: u32, section: usize) -> Vec<Function> {
    if ["sql", "mermaid", "graphql", "proto", "protobuf", "bash", "sh", "json", "yaml"].contains(&language) {
        return Vec::new();
    }
    let found: Vec<Function> = (line + 1..)
        .zip(text.lines())
        .filter_map(|(line, content)| function(declared(content)?, line, section))
        .collect();
    let sure = found.iter().filter(|it| SURE.contains(&it.verb.as_str())).count();
    if sure == 0 { Vec::new() } else { found }
}

/// The name of the function that a line declares, or that is all the line says, with what stands in brackets behind the name.
fn declared(line: &str) -> Option<&str> {
    let said = line.trim();
    let mut rest = said;
    let mut declares = false;
    while let Some(after) = ["export ", "default ", "public ", "async ", "function ", "def ", "fun ", "func "]
        .iter()
        .find_map(|it| rest.strip_prefix(it))
    {
        declares |= !rest.starts_with("async ") && !rest.starts_with("default ");
        rest = after.trim_start();
    }
    let name = fields::name_at(rest);
    let behind = &rest[name.len()..];
    let length = if behind.starts_with('(') { code::balanced(behind, '(', ')') } else { None };
    let after = behind.get(length.unwrap_or(0)..)?.trim();
    let answers = [":", "->"].iter().any(|it| after.starts_with(it)) && length.is_some();
    let alone = length.is_some() && after.is_empty() && line.starts_with(|c: char| !c.is_whitespace());
    // A declaration may go on in the next lines.
    let opens = declares && behind.starts_with('(');
    (opens || answers || alone).then_some(rest)
}

/// Notes the things that a function makes or takes away, where two functions at least are about the thing.
fn things(notes: &mut Notes, told: &[Function]) {
    let mut about: IndexMap<String, (&Function, FxHashSet<&str>)> = IndexMap::default();
    for function in told.iter().filter(|it| it.is_of_product()) {
        let known = about.entry(words::key(&function.object.join(" "))).or_insert((function, FxHashSet::default()));
        known.1.insert(&function.verb);
    }
    for (function, verbs) in about.into_values() {
        let kept =
            ["create", "add", "delete", "remove", "insert", "upsert", "register"].iter().any(|it| verbs.contains(it));
        if kept && verbs.len() >= 2 && notes.meant(&function.object).is_none() {
            let name = function.object.iter().map(|it| words::singular(it)).collect::<Vec<_>>().join(" ");
            notes.entity(&name, function.line);
        }
    }
    // The parameters of a function that makes a thing are fields of the thing.
    for function in told
        .iter()
        .filter(|it| it.is_of_product() && ["create", "add", "insert", "register"].contains(&it.verb.as_str()))
    {
        let Some(thing) = notes.meant(&function.object).map(|it| it.name.clone()) else { continue };
        for name in &function.given {
            if let Some(entity) = notes.entity(&thing, function.line) {
                entity.field(FieldNote { name: name.clone(), line: function.line, ..FieldNote::default() });
            }
        }
    }
}

impl Function {
    fn is_of_product(&self) -> bool {
        self.object.last().is_some_and(|it| !PLUMBING.contains(&words::singular(it).as_str()))
    }
}

fn add(document: &Document, notes: &mut Notes, function: &Function) {
    let Function { object, .. } = function;
    // `manage_settings` says little of what is done, and to what.
    if !function.is_of_product() || function.verb == "manage" && notes.meant(object).is_none() {
        return;
    }
    let service = services::of_section(document, notes, function.section);
    let mut clauses = Clauses::new(function.line, None);
    clauses.function(&function.verb, object, &function.name);
    for mut operation in clauses.found {
        operation.service.clone_from(&service);
        stories::add(notes, operation);
    }
}
