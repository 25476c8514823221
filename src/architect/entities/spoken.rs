//! Things that the sentences of a text about data name as code, as a program calls them: `` `LoanRequest` keeps who asks. A
//! `ReturnSlip` ends a loan. ``

use super::{is_component, is_technology};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::Notes;
use crate::architect::topics::{self, Topic};
use crate::architect::{fields, words};

/// From how many such names on a text calls its things so.
const SEVERAL: usize = 4;

/// Ends of names of what is no thing.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "status", "state", "type", "kind", "enum", "id", "dto", "error", "exception", "response", "event", "command", "query",
    "config", "options", "props", "context", "value", "mode", "level", "role", "key",
];

/// Notes the things of the paragraphs and items of a document about data.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut found: Vec<(&str, u32)> = Vec::new();
    for block in document.blocks.iter().filter(|it| !document.asides[it.section]) {
        let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
        if topics::topic(document, block.section) == Some(Topic::Data) {
            let codes = text.code_places().iter().filter_map(|(from, end)| Some((*from, text.plain.get(*from..*end)?)));
            found.extend(codes.filter(|it| is_class(it.1) && is_subject(text, it.0)).map(|it| (it.1, block.line)));
        }
    }
    let mut names: Vec<&str> = found.iter().map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() >= SEVERAL {
        for (name, line) in found {
            notes.entity(name, line);
        }
    }
}

/// Whether a name is one of a class of several words: `LoanRequest`.
fn is_class(name: &str) -> bool {
    let humps = name.matches(char::is_uppercase).count();
    let last = words::split(name).pop().unwrap_or_default();
    fields::is_identifier(name)
        && name.starts_with(char::is_uppercase)
        && humps >= 2
        && !name.contains('_')
        && name.matches(char::is_lowercase).count() > humps
        && !OTHERS.contains(&last.as_str())
        && !is_component(name)
        && !is_technology(name)
}

/// Whether a sentence begins with the name at a place, or lists the name: not `the method of `LoanRequest``.
fn is_subject(text: &Text, at: usize) -> bool {
    let before =
        text.plain[text.plain.floor_char_boundary(at.saturating_sub(40))..at].trim_end_matches(['`', ' ', '\n']);
    let last = before.rsplit([' ', '\n']).next().unwrap_or("").to_ascii_lowercase();
    before.is_empty()
        || before.ends_with(['.', ',', ';', ':', '-', '–'])
        || words::is_determiner(&last)
        || ["and", "or", "adds", "has"].contains(&last.as_str())
}
