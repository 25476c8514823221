//! Fields that every entity has by one sentence or table: `All tables include created_at and updated_at`, a table below `Common
//! fields`.

use super::fields;
use crate::architect::clauses::apart;
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::{self, Topic};
use crate::architect::words;

/// More fields are not those of all things.
const MOST: usize = 40;
/// The longest name, type and description of one field together, in bytes: longer ones would be copied into every entity.
const LONGEST: usize = 500;

/// Adds the fields that all things have to those that the text describes.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut found: Vec<FieldNote> = Vec::new();
    for (at, block) in document.blocks.iter().enumerate() {
        match &block.kind {
            Kind::Table(head, rows) if is_headed(document, block.section) => {
                found.extend(fields::of_table(head, rows).into_iter().flatten());
            }
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                let said = apart(&text.plain).into_iter().find_map(|it| of_all(notes, it));
                let Some(said) = said.filter(|_| !is_elsewhere(document, block.section)) else { continue };
                found.extend(named(text, said, block.line));
                let mut items = document.children(at);
                if items.is_empty() && at + 1 < document.blocks.len() && said.trim_end().ends_with(':') {
                    items = document.outer_items(at + 1);
                }
                found.extend(fields::of_items(document, &items, true).into_iter().flatten());
            }
            _ => {}
        }
    }
    found.retain(|it| it.name.len() + it.kind.len() + it.description.len() <= LONGEST && it.values.len() <= MOST);
    found.truncate(MOST);
    let is_described = |it: &Vec<FieldNote>| it.len() >= 2 && it.iter().any(|it| !it.kind.is_empty());
    for entity in notes.entities.iter_mut().filter(|it| is_described(&it.fields)) {
        for field in &found {
            entity.field(field.clone());
        }
    }
}

/// Whether a text says of all things what they have.
pub(super) fn is_said(notes: &Notes, text: &str) -> bool {
    apart(text).into_iter().any(|it| of_all(notes, it).is_some())
}

fn is_elsewhere(document: &Document, section: usize) -> bool {
    matches!(topics::topic(document, section), Some(Topic::Payload | Topic::Events | Topic::Aside))
}

/// Whether the heading of a section says that all things have what stands below: `Common audit fields`, `Shared columns (all
/// tables)`. Below `Vehicle` these are the fields of all vehicles.
pub(super) fn is_headed(document: &Document, section: usize) -> bool {
    const COMMON: &[&str] = &["common", "shared", "base", "standard", "audit"];
    const MORE: &[&str] = &["entity", "table", "model", "system", "metadata", "timestamp", "database", "and"];
    let title = document.title(section);
    let words = words::split(title.split('(').next().unwrap_or(title));
    let Some((last, before)) = words.split_last() else { return false };
    let says = ["fields", "columns", "attributes", "properties"].contains(&last.as_str())
        && before.iter().any(|it| COMMON.contains(&it.as_str()))
        && before.iter().all(|it| [COMMON, MORE].iter().any(|of| of.contains(&it.as_str())));
    let parent = document.sections[section].parent;
    let names =
        || !document.is_heading_of_all(parent) && topics::thing_named(&document.sections[parent].title).is_some();
    says && !is_elsewhere(document, section) && !names()
}

/// The rest of a sentence behind `All tables include`. None where the text describes a `table` as a thing, as that of a restaurant does.
fn of_all<'s>(notes: &Notes, sentence: &'s str) -> Option<&'s str> {
    /// The words stand at the beginning.
    const NEAR: usize = 8;
    const KINDS: &[&str] = &["entity", "entities", "table", "tables", "model", "models", "collection", "collections"];
    let words: Vec<&str> = sentence.split_whitespace().take(NEAR).collect();
    let plain = |at: usize| -> String {
        let word = words.get(at).copied().unwrap_or("");
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase()
    };
    let is = |at: usize, of: &[&str]| of.contains(&plain(at).as_str());
    let all = (0..3).find(|it| is(*it, &["all", "every", "each"]))?;
    let kind = (all + 1..all + 4).find(|it| is(*it, KINDS))?;
    let verb = kind + 1 + usize::from(is(kind + 1, &["must", "should", "shall", "will", "also"]));
    let has = ["include", "includes", "have", "has", "carry", "carries", "contain", "contains", "share"];
    if !is(verb, &has) || all > 0 && is(all - 1, &["not"]) || notes.known(&plain(kind)).is_some() {
        return None;
    }
    let last = words.get(verb)?;
    // The words are parts of the sentence.
    let end = last.as_ptr() as usize - sentence.as_ptr() as usize + last.len();
    sentence.get(end - usize::from(last.ends_with(':'))..)
}

/// The names written as code at the beginning of what a sentence says: `created_at and updated_at`, not what follows these.
fn named(text: &Text, said: &str, line: u32) -> Vec<FieldNote> {
    /// Words before the first name: `the following standard columns`.
    const BEFORE: usize = 5;
    let from = said.as_ptr() as usize - text.plain.as_ptr() as usize;
    let mut found = Vec::new();
    let mut at = from;
    for (start, end) in
        text.code_places().iter().filter(|(start, end)| *start >= from && *end <= from + said.len()).take(MOST)
    {
        let Some(between) = text.plain.get(at..*start) else { break };
        let words = words::split(between);
        let joins = words.iter().all(|it| ["and", "a", "an", "the"].contains(&it.as_str()))
            && !between.contains([';', '(', '.']);
        let leads = found.is_empty()
            && words.len() <= BEFORE
            && !words.iter().any(|it| ["on", "by", "for", "in", "from", "with", "to", "except"].contains(&it.as_str()));
        if !joins && !leads {
            break;
        }
        at = *end;
        let Some(code) = text.plain.get(*start..*end) else { break };
        // `tenant_id UUID NOT NULL`
        let (name, kind) = code.split_once(' ').unwrap_or((code, ""));
        if fields::is_identifier(name) && name.starts_with(char::is_lowercase) {
            let kind = if fields::is_type(kind) { kind } else { "" };
            found.push(FieldNote { name: name.to_owned(), kind: kind.to_owned(), line, ..FieldNote::default() });
        }
    }
    found
}
