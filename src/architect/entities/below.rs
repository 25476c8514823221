//! What a sentence says of the sections below it: `Users can manage the following sections:` above `Education` and `Projects`.

use crate::architect::document::{Document, Kind};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::{topics, words};

/// Verbs of what is done with what is kept.
const KEEPS: &[&str] =
    &["manage", "maintain", "store", "edit", "update", "create", "organize", "record", "enter", "keep"];

/// Notes the things that stand below a sentence of this kind, each with the names in its list.
pub(super) fn read(document: &Document, notes: &mut Notes, at: usize) {
    for section in kept_below(document, at) {
        let Some(name) = named(document, section) else { continue };
        let items = document.blocks.iter().filter(|it| it.section == section);
        let found: Vec<FieldNote> = items
            .filter_map(|it| match &it.kind {
                Kind::Item(text, _) => {
                    let name = text.plain.split('(').next()?.trim().trim_end_matches(['.', ',', ':']).to_owned();
                    Some(FieldNote { name, line: it.line, stated: true, ..FieldNote::default() })
                }
                _ => None,
            })
            .collect();
        let line = document.sections[section].line;
        if let Some(entity) = notes.entity(&name, line) {
            found.into_iter().for_each(|it| entity.field(it));
        }
    }
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
    let below: Vec<usize> =
        (1..document.sections.len()).filter(|it| document.sections[*it].parent == block.section).collect();
    if below.len() >= 2 && below.iter().all(|it| lists_names(document, *it)) { below } else { Vec::new() }
}

/// Whether a section is a list of short names and nothing else.
fn lists_names(document: &Document, section: usize) -> bool {
    let verb = |it: &str| words::verb(&it.to_ascii_lowercase()).is_some_and(|(base, _)| base.eq_ignore_ascii_case(it));
    let is_name = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        (1..=4).contains(&words.len()) && !(words.len() > 1 && verb(words[0]) && !words::is_noun_too(words[0]))
    };
    let mut blocks = document.blocks.iter().filter(|it| it.section == section).peekable();
    blocks.peek().is_some() && blocks.all(|it| matches!(&it.kind, Kind::Item(text, _) if is_name(text.plain.trim())))
}
