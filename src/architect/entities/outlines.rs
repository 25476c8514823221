//! Outlines of tables in blocks of code: the name of a table, and a line for each column.

use super::columns::{MODIFIERS, Table, is_column, is_constraint, note_tables};
use crate::architect::document::Document;
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::{fields, topics, words};

/// Tables with their columns on the lines below, further to the right or under strokes: `Codes:` with `code (INTEGER) - what happened`,
/// `orders/{orderId}` with `- total: number`. Columns above the first table are those of the thing that the heading names, where one is
/// given. Notes the tables and says whether the block had any.
pub(super) fn outline(notes: &mut Notes, heading: Option<&str>, text: &str, line: u32) -> bool {
    let mut tables: Vec<Table> = Vec::new();
    let lines: Vec<(u32, &str)> = (line + 1..).zip(text.lines()).filter(|it| !it.1.trim().is_empty()).collect();
    let is_rule = |it: &str| it.len() >= 3 && it.chars().all(|c| c == '-' || c == '=');
    // How far to the right the name of the last table stands, and whether strokes are below the name.
    let (mut depth, mut ruled) = (0, false);
    // How far to the right the columns of the last table stand: lines further inside belong to a column.
    let mut inside = usize::MAX;
    let (mut typed, mut all) = (0, 0);
    for (at, (line, content)) in lines.iter().enumerate() {
        let inner = indent(content);
        let content = content.trim();
        if is_rule(content) || content.starts_with('#') || content.starts_with("//") {
            continue;
        }
        let under = lines.get(at + 1).is_some_and(|it| is_rule(it.1.trim()));
        let heads = content.ends_with(':')
            && lines.get(at + 1).is_some_and(|it| indent(it.1) > inner || it.1.trim().starts_with("- "));
        if let Some(name) = table_head(content).filter(|_| under || heads || inner == 0 && !ruled)
            && (inner <= depth || inside == usize::MAX)
        {
            tables.push((name, *line, Vec::new()));
            (depth, ruled, inside) = (inner, under, usize::MAX);
            continue;
        }
        let marked = content.strip_prefix(['-', '*', '•', '+']).filter(|it| it.starts_with(' '));
        if tables.is_empty()
            && let Some(name) = heading
        {
            tables.push((name, *line, Vec::new()));
            ruled = true;
        }
        let is_below = inner > depth || ruled || marked.is_some() && inner == depth;
        let Some((_, _, columns)) = tables.last_mut().filter(|_| is_below) else { return false };
        if inside == usize::MAX {
            inside = inner;
        }
        if inner > inside || is_constraint(content) {
            continue;
        }
        let Some((name, kind, is_typed)) = column(marked.unwrap_or(content).trim_start()) else { return false };
        all += 1;
        typed += usize::from(is_typed);
        columns.push(FieldNote { name: name.to_owned(), kind, line: *line, ..FieldNote::default() });
    }
    tables.retain(|(name, ..)| !["indexes", "constraints", "keys"].contains(&name.to_ascii_lowercase().as_str()));
    if tables.is_empty() || tables.iter().any(|(.., columns)| columns.is_empty()) || typed * 2 < all {
        return false;
    }
    note_tables(notes, tables);
    true
}

/// The thing that the heading of a section names, where the section may say what the thing has.
pub(super) fn headed(document: &Document, section: usize) -> Option<String> {
    let is_of_all = document.is_heading_of_all(section) || document.asides[section];
    topics::thing_named(&document.sections[section].title)
        .filter(|it| !is_of_all && !words::is_no_thing(&words::key(it)))
}

/// How many bytes of white space a line begins with.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The name of the table whose columns follow: `Codes:`, `Table: codes`, `codes (collection)`, `users/{uid}/orders/{orderId}`.
fn table_head(content: &str) -> Option<&str> {
    let content = content.trim_end_matches(':').trim_end();
    let content = match content.split_once([':', ' ']) {
        Some(("Table" | "Entity" | "Collection", name)) => name.trim_start(),
        _ => content,
    };
    let name = content.strip_suffix(')').and_then(|it| it.split_once(" (")).map_or(content, |it| it.0);
    if let Some((before, _)) = name.strip_suffix('}').and_then(|it| it.rsplit_once("/{")) {
        let name = before.rsplit('/').next().unwrap_or(before);
        return fields::is_identifier(name).then_some(name);
    }
    fields::is_identifier(name).then_some(name)
}

/// The name of the column in a line of an outline, the type of the column, and whether the line says one: `code (INTEGER) - what
/// happened`, `id PK int`, `order_id -> Order`, `label`.
fn column(content: &str) -> Option<(&str, String, bool)> {
    let end = content.find([' ', '(', ':']).unwrap_or(content.len());
    let (name, rest) = content.split_at(end);
    let name = name.trim_end_matches(['?', '*', ',']);
    let mut said = rest.split([' ', '(', ':', ')', ',', '[', '|']).filter(|it| !it.is_empty());
    let first = said.find(|it| !["PK", "FK", "pk", "fk", "UK"].contains(it)).unwrap_or("").to_ascii_lowercase();
    let is_typed = fields::is_type(&first);
    let key = fields::is_key(name) || rest.contains("PK") || rest.contains("FK");
    let bare = rest.trim_matches([':', ',', ' ']).is_empty();
    // `private String text;` is a line of a program.
    let declared = content.ends_with(';') || MODIFIERS.contains(&name);
    let fits = !declared
        && is_column(name)
        && (is_typed || key || bare || rest.starts_with(':') && !rest.contains(['.', '/', '"']));
    fits.then(|| (name, if is_typed { first } else { String::new() }, is_typed || key))
}
