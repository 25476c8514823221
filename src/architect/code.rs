//! What blocks of code declare: SQL, interfaces and classes, Prisma and DBML, GraphQL, diagrams of Mermaid and PlantUML.
//! These are notations in a text, not sources: what is understood is taken, everything else passed over.

use std::borrow::Cow;

mod builders;
mod drawings;
mod members;
pub(super) mod schemas;
mod sql;
mod writes;

use rustc_hash::FxHashSet;

use super::fields;
use super::notes::{FieldNote, RelationNote};
use super::words;
pub(super) use members::unnamed;
use members::{er_member, mapped, member};
use sql::sql;

pub(super) enum Found {
    Entity { name: String, fields: Vec<FieldNote>, line: u32 },
    Values { name: String, values: Vec<String> },
    Relation(RelationNote),
}

impl Found {
    /// The name of a thing that was found.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Entity { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// Reads a block that begins in this line. A language that is data or a shell declares nothing: schemas of these are read apart.
pub(super) fn read(language: &str, text: &str, line: u32) -> Vec<Found> {
    if [
        "json", "yaml", "yml", "bash", "sh", "shell", "http", "toml", "ini", "html", "css", "xml", "env", "diff",
        "console",
    ]
    .contains(&language)
    {
        return Vec::new();
    }
    let first = text.lines().map(str::trim).find(|it| !it.is_empty() && !it.starts_with("%%")).unwrap_or("");
    if ["flowchart", "graph ", "sequencediagram", "gantt", "statediagram", "journey", "mindmap"]
        .iter()
        .any(|it| first.to_ascii_lowercase().starts_with(it))
    {
        return Vec::new();
    }
    let text = &braces_up(text);
    let is_open = |found: &[Found]| found.iter().all(|it| matches!(it, Found::Values { .. }));
    let mut found = Vec::new();
    values(text, &mut found);
    if language.is_empty() || language.contains("sql") || language == "text" || language == "dbml" {
        sql(text, line, &mut found);
    }
    if !is_open(&found) {
        return found;
    }
    records(text, line, &mut found);
    builders::read(text, line, &mut found);
    writes::read(text, line, &mut found);
    if is_open(&found) {
        drawings::read(text, line, &mut found);
        if !is_open(&found) {
            return found;
        }
    }
    // Classes may stand among records and schemas that are built.
    let known: FxHashSet<String> = found.iter().filter_map(Found::name).map(words::key).collect();
    let mut more = Vec::new();
    blocks(text, line, &mut more);
    relations(text, line, &mut more);
    found.extend(more.into_iter().filter(|it| it.name().is_none_or(|name| !known.contains(&words::key(name)))));
    found
}

/// The text with a brace that stands alone on its line moved behind the name in the line before: `class Order` above `{`.
fn braces_up(text: &str) -> Cow<'_, str> {
    if !text.lines().any(|it| it.trim() == "{") {
        return Cow::Borrowed(text);
    }
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    for line in text.split('\n') {
        let declares = |it: &&mut Cow<'_, str>| {
            it.split_whitespace()
                .take(4)
                .any(|it| DECLARING.contains(&it.to_ascii_lowercase().as_str()) || it == "enum")
                && !it.contains(['{', ';', '('])
        };
        if line.trim() == "{"
            && let Some(last) = lines.last_mut().filter(declares)
        {
            *last = Cow::Owned(format!("{last} {{"));
            lines.push(Cow::Borrowed(""));
        } else {
            lines.push(Cow::Borrowed(line));
        }
    }
    Cow::Owned(lines.join("\n"))
}

/// Enumerations on a line each: `ParcelState: WAITING | SENT | LOST`.
fn values(text: &str, found: &mut Vec<Found>) {
    let is_value =
        |it: &&str| it.len() >= 2 && it.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    for line in text.lines() {
        let Some((name, rest)) = line.trim().split_once(':') else { continue };
        let values: Vec<&str> = rest.split('|').map(str::trim).collect();
        let is_name = fields::is_identifier(name) && name.starts_with(char::is_uppercase);
        if is_name && values.len() >= 2 && values.iter().all(is_value) {
            let values = values.into_iter().map(str::to_owned).collect();
            found.push(Found::Values { name: name.to_owned(), values });
        }
    }
}

/// `record User(String id, int age)`, `data class User(val id: String)`
fn records(text: &str, line: u32, found: &mut Vec<Found>) {
    for marker in ["record ", "data class ", "case class "] {
        for (at, _) in text.match_indices(marker) {
            let rest = &text[at + marker.len()..];
            let Some(open) = rest.find('(') else { continue };
            let name = rest[..open].split('<').next().unwrap_or("").trim();
            let Some(length) = balanced(&rest[open..], '(', ')') else { continue };
            if !fields::is_identifier(name) {
                continue;
            }
            let line = line + 1 + text[..at].matches('\n').count() as u32;
            let fields = split(&rest[open + 1..open + length - 1], &[',']).into_iter().filter_map(|(_, part)| {
                let part = part.trim().trim_start_matches("val ").trim_start_matches("var ");
                let (name, kind) = match part.split_once(':') {
                    Some((name, kind)) => (name.trim(), kind.trim()),
                    None => part.rsplit_once(' ').map(|(kind, name)| (name.trim(), kind.trim()))?,
                };
                let kind = kind.rsplit(' ').next().unwrap_or(kind).to_owned();
                fields::is_identifier(name).then(|| FieldNote {
                    name: name.to_owned(),
                    kind,
                    line,
                    ..FieldNote::default()
                })
            });
            let fields: Vec<FieldNote> = fields.collect();
            if !fields.is_empty() {
                found.push(Found::Entity { name: name.to_owned(), fields, line });
            }
        }
    }
}

/// Words before the name of what a block in braces declares.
#[rustfmt::skip]
const DECLARING: &[&str] = &[
    "interface", "type", "class", "model", "entity", "table", "struct", "record", "object", "input", "aggregate",
    "collection", "schema", "message", "structure",
];

/// `interface User { id: string; name?: string }`, `model User { id Int @id }`, `ORDER { string id PK }`, and classes of
/// Python by their indentation.
fn blocks(text: &str, line: u32, found: &mut Vec<Found>) {
    let is_er = text.trim_start().starts_with("erDiagram");
    let is_diagram = is_er || text.contains("classDiagram") || text.contains("@startuml");
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, content)) = lines.next() {
        let here = line + 1 + at as u32;
        let trimmed = content.trim();
        if let Some(head) = python_head(trimmed.split(" #").next().unwrap_or(trimmed).trim_end()) {
            let depth = content.len() - content.trim_start().len();
            let mut body = Vec::new();
            while let Some((_, next)) = lines.peek() {
                let inner = next.len() - next.trim_start().len();
                if !next.trim().is_empty() && inner <= depth {
                    break;
                }
                body.extend(lines.next());
            }
            let is_values = trimmed.contains("Enum");
            // What functions of the class do is none of its fields.
            let indent = |it: &str| it.len() - it.trim_start().len();
            let own = body.iter().map(|(_, it)| *it).filter(|it| !it.trim().is_empty()).map(indent).min().unwrap_or(0);
            let declares = |it: &str| {
                !["def ", "async ", "class ", "return ", "self.", "#"].iter().any(|no| it.trim().starts_with(no))
            };
            let fields: Vec<FieldNote> = body
                .iter()
                .filter(|(_, it)| indent(it) == own && declares(it))
                .filter_map(|(at, it)| {
                    let line = line + 1 + *at as u32;
                    mapped(it.trim(), line).or_else(|| member(it.trim(), line))
                })
                .collect();
            if is_values {
                let values = body
                    .iter()
                    .filter_map(|(_, it)| it.split_once('='))
                    .map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
                    .collect();
                found.push(Found::Values { name: head.to_owned(), values });
            } else {
                // `code, name  # "S-05"`: names alone, with remarks
                let is_own = |it: &str| indent(it) == own && declares(it) || it.trim().starts_with('#');
                let named = body.iter().filter(|(_, it)| is_own(it)).map(|(at, it)| (line + 1 + *at as u32, *it));
                let named = outlined(named);
                let typed = fields.iter().any(|it| !it.kind.is_empty());
                let (fewest, fields) =
                    if named.len() >= 2 && named.len() >= fields.len() || !typed { (2, named) } else { (1, fields) };
                if fields.len() >= fewest {
                    found.push(Found::Entity { name: head.to_owned(), fields, line: here });
                }
            }
            continue;
        }
        if is_diagram && (trimmed.contains("--") || trimmed.contains("..")) {
            continue;
        }
        let Some((head, rest)) = trimmed.split_once('{') else { continue };
        // `entity "Order Item" as item {` gives the name of the thing and the name that the diagram uses for the thing.
        let quoted = is_diagram.then(|| head.split('"').nth(1)).flatten();
        let before: Vec<&str> = head.split(['=', ':']).next().unwrap_or("").split_whitespace().collect();
        let enumerates = before.contains(&"enum");
        let named =
            before.iter().position(|word| DECLARING.contains(&word.to_ascii_lowercase().as_str()) || *word == "enum");
        let name = match named {
            Some(at) => before.get(at + 1).copied(),
            None if is_er && before.len() == 1 => before.first().copied(),
            None => None,
        };
        let mut body: Vec<(u32, String)> = Vec::new();
        if let Some((inner, _)) = rest.split_once('}') {
            body.extend(inner.split([';', ',']).map(|it| (here, it.to_owned())));
        } else {
            body.push((here, rest.to_owned()));
            let mut depth = 1_usize;
            for (at, next) in lines.by_ref() {
                let opened = next.matches('{').count();
                let closed = next.matches('}').count();
                if depth == 1 && depth + opened > closed {
                    body.push((line + 1 + at as u32, next.to_owned()));
                }
                depth = (depth + opened).saturating_sub(closed);
                if depth == 0 {
                    break;
                }
            }
        }
        let Some(name) = name
            .map(|it| it.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_')).split('<').next().unwrap_or(""))
            .filter(|it| fields::is_identifier(it))
        else {
            continue;
        };
        let name = quoted.filter(|it| it.split_whitespace().all(fields::is_identifier)).unwrap_or(name);
        // `type Query` of GraphQL lists operations, no members.
        if before.contains(&"type") && ["Query", "Mutation", "Subscription"].contains(&name) {
            continue;
        }
        // What a call is given and gives back is no thing.
        if before.contains(&"message") && ["Request", "Response", "Reply"].iter().any(|it| name.ends_with(it)) {
            continue;
        }
        if enumerates {
            let values = body.iter().flat_map(|(_, it)| it.split(',')).map(|it| {
                it.split('=').next_back().unwrap_or("").trim().trim_matches(['"', '\'', ',', ';']).to_owned()
            });
            found.push(Found::Values {
                name: name.to_owned(),
                values: values.filter(|it| fields::is_identifier(it)).collect(),
            });
            continue;
        }
        let read = |(at, it): &(u32, String)| if is_er { er_member(it.trim(), *at) } else { member(it.trim(), *at) };
        let fields: Vec<FieldNote> = body.iter().filter_map(read).collect();
        // Classes of a diagram that only do something are no things.
        let stored = body.iter().any(|(_, it)| fields::is_identifier(it.trim()) || !it.contains('('));
        if is_diagram && !is_er && !stored {
            continue;
        }
        if !fields.is_empty() && (is_diagram || fields.iter().any(|it| !it.kind.is_empty())) {
            found.push(Found::Entity { name: name.to_owned(), fields, line: here });
        }
    }
}

/// The members of an outlined class, from the lines below its name, each with its line number: `title, author, pages[],`. The first
/// line that has anything but names ends the members.
fn outlined<'t>(body: impl Iterator<Item = (u32, &'t str)>) -> Vec<FieldNote> {
    let mut found = Vec::new();
    for (line, said) in body {
        // `code  # "S-05"`
        let text = said.split('#').next().unwrap_or(said).split("//").next().unwrap_or("");
        if text.trim().is_empty() && !said.trim().is_empty() {
            continue;
        }
        let names: Vec<&str> = text.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        if !names.iter().all(|it| fields::is_identifier(it.trim_end_matches("[]"))) {
            break;
        }
        found.extend(names.into_iter().map(|it| FieldNote {
            name: it.trim_end_matches("[]").to_owned(),
            kind: if it.ends_with("[]") { "list".to_owned() } else { String::new() },
            line,
            stated: true,
            ..FieldNote::default()
        }));
    }
    found
}

/// `class User(BaseModel):`, `STRUCT User`
fn python_head(line: &str) -> Option<&str> {
    if let Some((word, name)) = line.split_once(' ').filter(|it| fields::is_identifier(it.1)) {
        let declares = ["struct", "record", "entity", "type", "model"].contains(&word.to_ascii_lowercase().as_str());
        return (declares && name.starts_with(char::is_uppercase)).then_some(name);
    }
    let rest = line.strip_prefix("class ")?;
    let name = rest.split(['(', ':']).next()?.trim();
    (line.ends_with(':') && fields::is_identifier(name)).then_some(name)
}

/// `CUSTOMER ||--o{ ORDER : places`, `Order "1" --> "*" Item`
fn relations(text: &str, line: u32, found: &mut Vec<Found>) {
    if !(text.contains("erDiagram") || text.contains("classDiagram") || text.contains("@startuml")) {
        return;
    }
    let aliases = aliases(text);
    let called = |name: &'_ str| aliases.iter().find(|it| it.0 == name).map_or(name, |it| it.1).to_owned();
    for (at, content) in text.lines().enumerate() {
        // `"Order" ||--o{ "Item" : "items"` quotes the names, `Order "1" --> "*" Item` how many there are.
        let names = content.trim_start().starts_with('"');
        let is_word = |it: &&str| names || !it.starts_with('"');
        let words: Vec<&str> = content.split_whitespace().filter(is_word).map(|it| it.trim_matches('"')).collect();
        let [source, arrow, target, ..] = words.as_slice() else { continue };
        let connects = arrow.contains("--") || arrow.contains("..");
        if !connects || !fields::is_identifier(source) || !fields::is_identifier(target.trim_end_matches(':')) {
            continue;
        }
        let many = |side: &str| side.contains(['{', '}', '*']);
        let (left, right) = arrow.split_once("--").or_else(|| arrow.split_once("..")).unwrap_or(("", ""));
        let quoted: Vec<&str> = if names { Vec::new() } else { content.split('"').skip(1).step_by(2).collect() };
        let is_many = |at: usize, side: &str| {
            many(side) || quoted.get(at).is_some_and(|it| it.contains(['*', 'n', 'N']) || it.contains("many"))
        };
        let (from_many, to_many) = (is_many(0, left), is_many(1, right));
        let (kind, cardinality) = if arrow.contains("<|") || arrow.contains("|>") {
            ("EXTENDS", "1:1")
        } else {
            match (from_many, to_many) {
                (false, true) => ("HAS_MANY", "1:N"),
                (true, false) => ("BELONGS_TO", "N:1"),
                (true, true) => ("REFERENCES", "N:N"),
                (false, false) => ("REFERENCES", "1:1"),
            }
        };
        let line = line + 1 + at as u32;
        let [source, target] = [source, target].map(|it| called(it.trim_end_matches(':')));
        for name in [&source, &target] {
            found.push(Found::Entity { name: name.clone(), fields: Vec::new(), line });
        }
        let relation =
            RelationNote { source: words::pascal(&source), target: words::pascal(&target), kind, cardinality, line };
        found.push(Found::Relation(relation));
    }
}

/// The names that a diagram gives to things for itself, each with the name of the thing: `entity "Order Item" as item`.
fn aliases(text: &str) -> Vec<(&str, &str)> {
    let alias = |line: &'_ str| -> Option<(usize, usize, usize, usize)> {
        let open = line.find('"')?;
        let close = open + 1 + line[open + 1..].find('"')?;
        let rest = line[close + 1..].strip_prefix(" as ")?;
        let length = fields::name_at(rest).len();
        Some((open + 1, close, close + 5, close + 5 + length))
    };
    text.lines()
        .filter(|it| it.split_whitespace().next().is_some_and(|it| ["entity", "class", "object"].contains(&it)))
        .filter_map(|it| alias(it).map(|(open, close, from, to)| (&it[from..to], &it[open..close])))
        .collect()
}

/// The length of the bracketed block that a text begins with.
pub(super) fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at + c.len_utf8());
            }
        }
    }
    None
}

/// The parts of a text between separators that stand in no bracket and no quotes, each with its place.
pub(super) fn split<'t>(text: &'t str, separators: &[char]) -> Vec<(usize, &'t str)> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            (None, c) if depth == 0 && separators.contains(&c) => {
                parts.push((start, &text[start..at]));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push((start, &text[start..]));
    parts
}
