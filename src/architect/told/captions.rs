//! Captions that say of which thing a list tells what it has: `Course information:`, `Address Fields Supported`.

use super::below::is_name;
use super::thing;
use crate::architect::document::{Document, Kind};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::{fields, topics, words};

/// A word without what stands around it, lower case.
fn clean(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase()
}

/// `Course information:` with a list of names below, also as a heading: what a course has, where somebody does something to
/// courses.
pub(super) fn captioned(document: &Document, notes: &Notes, at: usize, text: &str) -> Option<(String, Vec<FieldNote>)> {
    let block = &document.blocks[at];
    let own = text.trim().trim_end_matches('*').strip_suffix(':');
    let (caption, items) = match (&block.kind, own) {
        (Kind::Item(..), Some(own)) if !document.children(at).is_empty() => (own, document.children(at)),
        (Kind::Paragraph(_), Some(own)) if document.begins_list_at(at + 1) => (own, document.outer_items(at + 1)),
        (Kind::Item(..), _) if document.begins_list(at) && document.lead(at).is_none() => {
            (topics::without_number(document.title(block.section)).trim_end_matches(':'), document.outer_items(at))
        }
        _ => return None,
    };
    let mut words: Vec<String> = caption.split_whitespace().map(clean).filter(|it| !it.is_empty()).collect();
    // `Address fields supported`
    if words
        .last()
        .is_some_and(|it| ["supported", "displayed", "shown", "collected", "required"].contains(&it.as_str()))
    {
        words.pop();
    }
    let (aspect, owner) = words.split_last().filter(|(_, owner)| (1..=2).contains(&owner.len()))?;
    let named = owner.iter().all(|it| !words::is_determiner(it) && !words::is_quality(it));
    if !named || !["information", "details", "info", "data", "attributes", "fields"].contains(&aspect.as_str()) {
        return None;
    }
    // Most are names and nothing else; none is a sentence.
    let joined = |at: usize| match &document.blocks[at].kind {
        Kind::Item(text, _) => text.plain.contains(" and ") && text.plain.split_whitespace().count() <= 4,
        _ => false,
    };
    let plain: Vec<usize> = items.iter().copied().filter(|it| is_name(document, *it) || joined(*it)).collect();
    let short = items.iter().all(|it| match &document.blocks[*it].kind {
        Kind::Item(text, _) => text.plain.split('(').next().is_some_and(|it| it.split_whitespace().count() <= 5),
        _ => false,
    });
    let flat = items.iter().all(|it| document.children(*it).is_empty());
    let found = (flat && short && plain.len() >= 3 && plain.len() * 4 >= items.len() * 3)
        .then(|| {
            fields::of_items(document, &plain, true)
                .or_else(|| Some(plain.iter().filter_map(|it| field(document, *it)).collect()))
        })
        .flatten()?;
    let name = thing(notes, owner)?;
    let key = words::key(&name);
    let done = notes.known(&name).is_some() || notes.operations.iter().any(|it| it.key == key);
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    (common > 0 && (done || common * 2 >= found.len())).then_some((name, found))
}

/// An item of a word or three as a field: `Postal/ZIP code (required)` is a postal code.
fn field(document: &Document, at: usize) -> Option<FieldNote> {
    let block = &document.blocks[at];
    let Kind::Item(text, _) = &block.kind else { return None };
    let words = text.plain.split('(').next()?.split_whitespace().map(|it| it.split('/').next().unwrap_or(it));
    let name = words.collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then(|| FieldNote { name, line: block.line, ..FieldNote::default() })
}
