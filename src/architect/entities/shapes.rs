//! Things whose shape is set as code: below their heading (`roles/{roleId}` above `` `name, tags[]` ``), behind their name in an
//! item or in their row (`` **Nap** — `{ start, end? }` ``).

use super::{is_endpoint, is_technology, paths};
use crate::architect::code::balanced;
use crate::architect::document::{Document, Kind, Row, Text};
use crate::architect::endpoints::METHODS;
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::{self, Topic};
use crate::architect::{fields, words};

/// Notes what a paragraph or item says of a thing by a shape.
pub(super) fn read(document: &Document, notes: &mut Notes, at: usize, text: &Text, is_item: bool) {
    let block = &document.blocks[at];
    let inside = topics::topic(document, block.section);
    if matches!(inside, Some(Topic::Payload | Topic::Endpoints | Topic::Events)) || is_endpoint(document, block.section)
    {
        return;
    }
    let plain = text.plain.trim_start();
    // `4.2 Loans (loan_id, book_id, due_on)`
    if !is_item
        && let Some((name, found, line)) = bracketed(topics::without_number(plain), block.line)
        && plain.ends_with([')', '.'])
        && found.iter().any(|it| fields::is_key(&it.name))
    {
        return note(notes, Some(name), found, line);
    }
    // `id uuid primary key, book_id uuid references books` below the name of the table
    let typed = if is_item { Vec::new() } else { fields::of_list(plain, block.line) };
    let is_column = |it: &FieldNote| fields::is_identifier(&it.name) && fields::is_type(&it.kind);
    if typed.len() >= 2 && typed.iter().all(is_column) {
        return note(notes, headed(document, block.section), typed, block.line);
    }
    let shape = |code| Some((code, fields::of_shape(&flat(code), block.line))).filter(|it| !it.1.is_empty());
    let Some((code, found)) = text.codes().find_map(shape) else { return };
    let Some(place) = plain.find(code) else { return };
    let before = plain[..place].trim();
    let thing = if before.is_empty() && !is_item {
        headed(document, block.section)
    } else {
        // A list of names alone may be of anything.
        let braced = code.trim_start().starts_with('{');
        let label = before.trim_end_matches(|c: char| !c.is_alphanumeric() && !")}".contains(c));
        let ends = before.len() > label.len();
        if braced && ends { named(label) } else { None }
    };
    note(notes, thing, found, block.line);
}

/// Notes the tables that the items of a list give with their columns in brackets, whatever the heading says:
/// ``- `loans` (id, book_id FK, due_on)``. Says whether the list is one of these.
pub(super) fn tables(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let items = document.outer_items(at);
    let tables: Vec<(String, Vec<FieldNote>, u32)> = items.iter().filter_map(|it| table(document, *it)).collect();
    if tables.len() < 2 || tables.len() * 2 < items.len() {
        return false;
    }
    for (name, found, line) in tables {
        note(notes, Some(name), found, line);
    }
    true
}

/// The table of an item, one of whose columns is a key, with the columns and the line.
fn table(document: &Document, item: usize) -> Option<(String, Vec<FieldNote>, u32)> {
    let block = &document.blocks[item];
    let Kind::Item(text, _) = &block.kind else { return None };
    bracketed(&text.plain, block.line)
}

/// A table with its columns in brackets: `loans (id, book_id FK, due_on)`.
fn bracketed(plain: &str, line: u32) -> Option<(String, Vec<FieldNote>, u32)> {
    let plain = plain.trim();
    let (name, rest) = plain.split_at(fields::name_at(plain).len());
    let rest = rest.trim_start_matches(['`', '*', ':', ' ']);
    let length = balanced(rest, '(', ')').filter(|_| rest.starts_with('('))?;
    let columns = rest[1..length - 1].split(',').map(str::trim);
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for column in columns {
        // `state[open,gone]`
        let inside = depth > 0;
        depth = (depth + column.matches(['[', '(']).count()).saturating_sub(column.matches([']', ')']).count());
        if inside {
            continue;
        }
        let (column, behind) = column.split_at(fields::name_at(column).len());
        if !fields::is_identifier(column) || behind.split_whitespace().count() > 3 {
            return None;
        }
        found.push(FieldNote { name: column.to_owned(), line, ..FieldNote::default() });
    }
    let keyed = found.iter().any(|it| fields::is_key(&it.name) || it.name.contains('_'));
    let constraint = ["unique", "index", "indexes", "indices", "primary", "foreign", "check", "key", "constraint"]
        .contains(&name.to_ascii_lowercase().as_str());
    (fields::is_identifier(name) && !constraint && keyed && found.len() >= 2)
        .then(|| (words::singular(name), found, line))
}

/// The members that a description of a thing lists behind a colon, in brackets or behind `with`: `What a member borrows: book, due date,
/// fine`, `An entry (title, author, ISBN)`.
pub(super) fn said(description: &str, line: u32) -> Vec<FieldNote> {
    let plain = description.replace('\n', " ");
    let sentence = plain.split(". ").next().unwrap_or("").trim_end_matches('.');
    let bracketed = || sentence.split_once(" (").and_then(|(_, it)| it.split_once(')')).map(|it| it.0);
    let listed = sentence
        .split_once(": ")
        .map(|it| it.1)
        .or_else(bracketed)
        .or_else(|| sentence.split_once(" with ").map(|it| it.1));
    let Some(listed) = listed else { return Vec::new() };
    let joined = listed.replace(" and ", ", ");
    let names: Vec<&str> = joined
        .split(',')
        .map(|it| it.trim().trim_matches('`'))
        .map(|it| ["a ", "an ", "the ", "its "].iter().find_map(|article| it.strip_prefix(article)).unwrap_or(it))
        .filter(|it| !it.is_empty())
        .collect();
    let is_name = |it: &&str| {
        (1..=3).contains(&it.split_whitespace().count())
            && it.chars().all(|c| c.is_alphanumeric() || " _-".contains(c))
            && !it.split_whitespace().any(|it| words::ends_object(it) || words::is_determiner(it))
    };
    let common = names.iter().filter(|it| it.rsplit(' ').next().is_some_and(words::is_common)).count();
    // Three and more behind a colon tell what there is, whatever they are called.
    let enough = if sentence.contains(": ") && names.len() > 2 { 1 } else { names.len().div_ceil(2) };
    if names.len() < 2 || !names.iter().all(is_name) || common < enough {
        return Vec::new();
    }
    names.into_iter().map(|name| FieldNote { name: name.to_owned(), line, ..FieldNote::default() }).collect()
}

/// Heads of columns of shapes.
#[rustfmt::skip]
const SHAPES: &[&str] = &["shape", "field", "fields", "structure", "schema", "columns", "attributes", "properties", "document"];

/// Notes the shapes of the rows of a table, where each row is of a thing or path. Says whether the table has any.
pub(super) fn rows(notes: &mut Notes, head: &[Text], rows: &[Row]) -> bool {
    let Some(column) = (1..head.len()).find(|it| {
        words::split(&head[*it].plain).iter().any(|it| SHAPES.contains(&it.as_str()))
            && rows
                .iter()
                .filter(|row| row.cells.get(*it).is_some_and(|it| it.plain.trim_start().starts_with('{')))
                .count()
                * 2
                > rows.len()
    }) else {
        return false;
    };
    for row in rows {
        let shape = row.cells.get(column).and_then(|it| it.codes().find(|it| it.trim_start().starts_with('{')));
        let found = shape.map(|it| fields::of_shape(&flat(it), row.line)).unwrap_or_default();
        note(notes, row.cells.first().and_then(|it| named(it.plain.trim())), found, row.line);
    }
    true
}

fn note(notes: &mut Notes, thing: Option<String>, found: Vec<FieldNote>, line: u32) {
    if let Some(entity) = thing.filter(|_| !found.is_empty()).and_then(|it| notes.entity(&it, line)) {
        entity.in_passing = false;
        found.into_iter().for_each(|it| entity.field(FieldNote { stated: true, ..it }));
    }
}

/// A code without its line ends.
fn flat(code: &str) -> String {
    code.replace('\n', " ")
}

/// The thing that the heading of a section is about, or whose path the heading gives.
fn headed(document: &Document, section: usize) -> Option<String> {
    let title = &document.sections[section].title;
    paths::thing(title.plain.split([' ', '—']).next().unwrap_or(""))
        .or_else(|| topics::thing_named(title).filter(|_| !document.is_heading_of_all(section)))
}

/// The thing of a label: `users/{uid}`, `Nap`, `Feed / bottle`.
fn named(label: &str) -> Option<String> {
    /// What is passed, not kept.
    const PASSED: &[&str] =
        &["payload", "request", "response", "body", "input", "output", "params", "returns", "example"];
    let label = label.trim().trim_matches(['`', '*']);
    if let Some(thing) = paths::thing(label) {
        return Some(thing);
    }
    let label = label.split(" / ").next().unwrap_or(label).split('(').next().unwrap_or(label).trim();
    let label = label.trim_end_matches(|c: char| !c.is_alphanumeric());
    if words::split(label).iter().any(|it| PASSED.contains(&it.as_str())) || METHODS.contains(&label) {
        return None;
    }
    let fits = (1..=3).contains(&label.split_whitespace().count())
        && label.chars().all(|c| c.is_alphanumeric() || " _-".contains(c));
    let thing = topics::thing_named(&Text::of(label)).filter(|_| fits && !is_technology(label))?;
    (!words::is_no_thing(&words::key(&thing))).then_some(thing)
}
