//! Things by their names with lists of names below: sections below `Users can manage the following sections:`, and names on lines of
//! their own within a section about data.

use super::{is_component, is_technology};
use crate::architect::document::{Block, Document, Kind, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::{self, Topic};
use crate::architect::{fields, words};

/// Verbs that say that a product keeps the things behind the verb.
const KEEPS: &[&str] =
    &["manage", "maintain", "store", "edit", "update", "create", "organize", "record", "enter", "keep"];

/// Notes the sections below a sentence such as `manage the following sections:` as things, and the names in the list of each section as
/// the fields of the thing.
pub(super) fn read(document: &Document, notes: &mut Notes, at: usize) {
    for section in kept_below(document, at) {
        let Some(name) = named(document, section) else { continue };
        let found: Vec<FieldNote> = blocks_of(document, section).iter().filter_map(field).collect();
        note(notes, &name, document.sections[section].line, found);
    }
    if let Some((name, items)) = member_lists(document, at) {
        note(notes, &name, document.blocks[at].line, items.iter().filter_map(field).collect());
    }
}

/// Notes the thing that the line before a list names and describes, where the items name its columns: `` `LOAN` - what a member borrows ``
/// above ``- `id` - number of the loan``. Says whether the list was one of these.
pub(super) fn described(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let column = |at: &usize| match &document.blocks[*at].kind {
        Kind::Item(text, _) => headed_by_code(text).filter(|it| it.starts_with(char::is_lowercase)),
        _ => None,
    };
    let Some(name) = document.lead(at).and_then(headed_by_code) else { return false };
    let items = document.outer_items(at);
    let columns: Option<Vec<&str>> = items.iter().map(column).collect();
    let Some(columns) = columns.filter(|it| it.len() >= 2 && it.iter().any(|it| fields::is_key(it))) else {
        return false;
    };
    let found = columns.into_iter().zip(&items).map(|(name, at)| FieldNote {
        name: name.to_owned(),
        line: document.blocks[*at].line,
        stated: true,
        ..FieldNote::default()
    });
    // `LOAN_ITEM` is called as databases write their tables.
    let name = if name.contains(char::is_lowercase) { name.to_owned() } else { name.to_ascii_lowercase() };
    note(notes, &name, document.blocks[at].line.saturating_sub(1), found.collect());
    true
}

/// The name at the beginning of a text that is set as code and has a description behind it: `` `LOAN` - what a member borrows ``.
fn headed_by_code(text: &Text) -> Option<&str> {
    let name = text.codes().next().filter(|it| fields::is_identifier(it))?;
    let rest =
        text.plain.trim_start().trim_start_matches('`').strip_prefix(name)?.trim_start_matches(['`', '*']).trim_start();
    rest.starts_with(['-', '–', '—', ':']).then_some(name)
}

/// Whether the list that begins at a place has what the name right above has.
pub(super) fn is_of_members(document: &Document, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|it| member_lists(document, it).is_some())
}

/// A name with its list, one of several in a section about data.
fn member_lists(document: &Document, at: usize) -> Option<(String, &[Block])> {
    let section = document.blocks[at].section;
    let is_of_data = topics::topic(document, section) == Some(Topic::Data);
    let own = is_of_data.then(|| captioned(document, at)).flatten()?;
    let within = |it: &usize| document.blocks[*it].section == section;
    let behind = (at + 1..document.blocks.len()).take_while(within);
    let before = (0..at).rev().take_while(within);
    behind.chain(before).any(|it| captioned(document, it).is_some()).then_some(own)
}

fn note(notes: &mut Notes, name: &str, line: u32, found: Vec<FieldNote>) {
    if let Some(entity) = notes.entity(name, line) {
        found.into_iter().for_each(|it| entity.field(it));
    }
}

/// The name of an item before brackets, as a field.
fn field(block: &Block) -> Option<FieldNote> {
    let Kind::Item(text, _) = &block.kind else { return None };
    let name = text.plain.split('(').next()?.trim().trim_end_matches(['.', ',', ':']).to_owned();
    Some(FieldNote { name, line: block.line, stated: true, ..FieldNote::default() })
}

/// A name alone in a paragraph, with the items of the list right below: `Loan` above `- book`, `- due date`.
fn captioned(document: &Document, at: usize) -> Option<(String, &[Block])> {
    let block = &document.blocks[at];
    let Kind::Paragraph(text) = &block.kind else { return None };
    let plain = text.plain.trim().trim_end_matches(':');
    let words = plain.split_whitespace().count();
    let capital =
        plain.starts_with(char::is_uppercase) && plain.chars().all(|c| c.is_alphanumeric() || " _-".contains(c));
    let name = topics::thing_named(&Text::of(plain)).filter(|it| capital && words <= 3 && *it == plain)?;
    if words::is_no_thing(&words::key(&name)) || is_technology(&name) || is_component(&name) {
        return None;
    }
    let rest = &document.blocks[at + 1..];
    let items = rest.iter().take_while(|it| it.section == block.section && matches!(it.kind, Kind::Item(..))).count();
    let items = &rest[..items];
    let names = items.iter().all(|it| matches!(&it.kind, Kind::Item(text, 0) if is_name(text.plain.trim())));
    (items.len() >= 2 && names).then_some((name, items))
}

/// The thing that the heading of a section names: all of `Personal information`.
pub(in crate::architect) fn named(document: &Document, section: usize) -> Option<String> {
    const WHICH: &[&str] = &["personal", "basic", "general", "additional", "contact"];
    let name = topics::thing_named(&document.sections[section].title)?;
    let which = WHICH.iter().any(|it| name.eq_ignore_ascii_case(it));
    Some(if which { topics::without_number(document.title(section)).to_owned() } else { name })
}

/// The sections whose headings name what the paragraph before them says is kept: each has a list of names. Empty where the paragraph
/// says nothing of the kind.
pub(in crate::architect) fn kept_below(document: &Document, at: usize) -> Vec<usize> {
    let block = &document.blocks[at];
    let Kind::Paragraph(text) = &block.kind else { return Vec::new() };
    let plain = text.plain.trim().to_ascii_lowercase();
    let last = document.blocks.get(at + 1).is_none_or(|it| it.section != block.section);
    let says = || {
        let words: Vec<&str> = plain.split_whitespace().collect();
        words.contains(&"following") && words.iter().any(|it| KEEPS.contains(it))
    };
    if block.section == 0 || !last || !plain.ends_with(':') || !says() {
        return Vec::new();
    }
    let level = document.sections[block.section].level;
    let behind = (block.section + 1..document.sections.len()).take_while(|it| document.sections[*it].level > level);
    let below: Vec<usize> = behind.filter(|it| document.sections[*it].parent == block.section).collect();
    if below.len() >= 2 && below.iter().all(|it| lists_names(document, *it)) { below } else { Vec::new() }
}

/// The blocks of a section, which stand in a row.
fn blocks_of(document: &Document, section: usize) -> &[Block] {
    let from = document.blocks.partition_point(|it| it.section < section);
    let end = document.blocks.partition_point(|it| it.section <= section);
    &document.blocks[from..end]
}

/// Whether a section is a list of short names and nothing else.
fn lists_names(document: &Document, section: usize) -> bool {
    let mut blocks = blocks_of(document, section).iter().peekable();
    blocks.peek().is_some() && blocks.all(|it| matches!(&it.kind, Kind::Item(text, _) if is_name(text.plain.trim())))
}

/// Whether the text of an item is a name of at most four words that does not begin with a verb: `Due date`, not `View the loans`.
fn is_name(text: &str) -> bool {
    let verb = |it: &str| words::verb(&it.to_ascii_lowercase()).is_some_and(|(base, _)| base.eq_ignore_ascii_case(it));
    let said: Vec<&str> = text.split('(').next().unwrap_or(text).split_whitespace().collect();
    (1..=4).contains(&said.len()) && !(said.len() > 1 && verb(said[0]) && !words::is_noun_too(said[0]))
}
