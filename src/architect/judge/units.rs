//! The sentences of a document, each with where it stands, its words and the sentence that leads to it.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::tags::{self, Word, tagged};
use super::trees::number;
use crate::architect::clauses::{apart, is_later};
use crate::architect::document::{self, Block, Document, Kind, Row, Section};
use crate::architect::notes::Notes;
use crate::architect::{drawn, events, fields, topics, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Heading,
    Paragraph,
    Item,
    Cell,
    /// A line of a block of code.
    Code,
}

/// A sentence.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) line: u32,
    pub(super) section: usize,
    pub(super) form: Form,
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    /// The unit that leads to it: the item that it is below of, the sentence with a colon before its list.
    pub(super) lead: Option<usize>,
    /// The first sentence of its block.
    pub(super) first: bool,
    /// How many items its list has.
    pub(super) siblings: usize,
    /// How many of these are short.
    pub(super) short_siblings: usize,
    /// Words of its block.
    pub(super) length: usize,
    /// The place of the sentence in a table, where the sentence stands in one.
    pub(super) cell: Option<Cell>,
    /// What is set as code in the block.
    pub(super) codes: Rc<FxHashSet<String>>,
    /// In a section that says nothing of data: risks, tests, security.
    pub(super) aside: bool,
}

impl Unit {
    /// The beginning of the sentence, which is enough to ask about what it says.
    pub(super) fn beginning(&self) -> &str {
        const MOST: usize = 4096;
        &self.text[..self.text.floor_char_boundary(MOST)]
    }
}

/// Where a cell stands in its table.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What the head of the column says.
    pub(super) head: Rc<str>,
    /// The number of the column in the table, from 0.
    pub(super) column: usize,
    /// The share of the rows of the table that have a cell with a type, from 0 to 1.
    pub(super) typed: f32,
}

/// A sentence with more words leads to nothing: the sentence would be read again for each item below.
const LONGEST_LEAD: usize = 2_000;

/// Names of things that are looked for have at most so many words.
const LONGEST_NAME: usize = 4;

/// Items with more words than these say something of what they name.
const SHORT: usize = 6;

/// The sentences of the text of a document, then those of its asides and the lines of its blocks of code, and how many the first are.
pub(super) fn of(document: &Document) -> (Vec<Unit>, usize) {
    let (mut found, mut codes) = texts(document, |section| !document.asides[section]);
    let texts_end = found.len();
    let aside = |section: usize| document.asides[section] && !document.excluded[section];
    let (mut asides, more) = texts(document, aside);
    for it in &mut asides {
        it.aside = true;
        it.lead = it.lead.map(|it| it + texts_end);
    }
    found.append(&mut asides);
    codes.extend(more.into_iter().map(|(place, lead)| (place, lead.map(|it| it + texts_end))));
    // What an event carries is read with the event.
    let carried = |place: usize| events::headed(document, document.blocks[place].section).is_some();
    for (place, lead) in codes.into_iter().filter(|it| !carried(it.0)) {
        read_code(&mut found, &document.blocks[place], lead);
    }
    let is_long: Vec<bool> = found.iter().map(|it| it.words.len() > LONGEST_LEAD).collect();
    found.iter_mut().for_each(|unit| unit.lead = unit.lead.filter(|it| !is_long[*it]));
    (found, texts_end)
}

/// Blocks of code, each by its place with the sentence that leads to it.
type Codes = Vec<(usize, Option<usize>)>;

/// Marks the words of known names as nouns, whatever the tagger took each word for: names of noted things, and names in headings. In a
/// text with the heading `Permission slips`, `slip` in `Add a permission slip` is a noun.
pub(super) fn name(units: &mut [Unit], document: &Document, notes: &Notes) {
    let fits = |it: &Vec<String>| (2..=LONGEST_NAME).contains(&it.len());
    let noted = notes.entities.iter().filter(|it| !it.in_passing).map(|it| it.words.clone());
    let all: Vec<Vec<String>> = noted.chain(document.sections.iter().filter_map(headed)).filter(fits).collect();
    let names: FxHashSet<&[String]> = all.iter().map(Vec::as_slice).collect();
    let firsts: FxHashSet<&str> = all.iter().map(|it| it[0].as_str()).collect();
    for unit in units.iter_mut().filter(|_| !names.is_empty()) {
        let singular: Vec<String> = unit.words.iter().map(|it| words::singular(&it.lower)).collect();
        for at in (0..singular.len()).filter(|it| firsts.contains(singular[*it].as_str())) {
            let named = |it: &usize| singular.get(at..at + it).is_some_and(|it| names.contains(it));
            let longest = (2..=LONGEST_NAME).rev().find(named).unwrap_or(0);
            unit.words[at..at + longest].iter_mut().for_each(|it| it.kind = tags::Kind::Noun);
        }
    }
}

/// The words of the things that a heading names, each in the singular: `6. Permission slips`.
fn headed(section: &Section) -> Option<Vec<String>> {
    let title = topics::without_number(&section.title.plain);
    let said: Vec<String> = title.split_whitespace().map(str::to_lowercase).collect();
    let nouns = said.iter().all(|it| it.chars().all(char::is_alphabetic) && !words::ends_object(it));
    let (last, before) = said.split_last()?;
    let verb = before.iter().any(|it| words::is_only_verb(it) || words::is_determiner(it));
    (nouns && !verb && words::is_plural(last)).then(|| said.iter().map(|it| words::singular(it)).collect())
}

/// The sentences of some sections, and their blocks of code.
fn texts(document: &Document, is_read: impl Fn(usize) -> bool) -> (Vec<Unit>, Codes) {
    let mut found = Vec::new();
    let mut codes: Codes = Vec::new();
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if is_read(at) && !document.is_heading_of_all(at) {
            let title = topics::without_number(&section.title.plain);
            push(&mut found, title, section.line, at, Form::Heading, None);
        }
    }
    // The items that are open, each with its depth, its first unit and its list.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut lead: Option<usize> = None;
    let mut lists: Vec<(usize, usize)> = Vec::new();
    let mut section = 0;
    // The last sentence with a colon, while only short lines follow.
    let mut colon: Option<usize> = None;
    for (place, block) in document.blocks.iter().enumerate() {
        if !is_read(block.section) {
            continue;
        }
        if block.section != section {
            (section, lead, colon) = (block.section, None, None);
            open.clear();
        }
        match &block.kind {
            Kind::Paragraph(text) => {
                open.clear();
                let from = found.len();
                let plain = text.plain.trim_end();
                let short = plain.split_whitespace().count() <= SHORT;
                // Items without marks: a line each.
                let above = colon.filter(|_| short && !plain.ends_with(['.', ':', '!', '?']));
                read(&mut found, text, block.line, block.section, Form::Paragraph, above);
                let last = (found.len() > from).then(|| found.len() - 1);
                lead = last.filter(|_| plain.ends_with(':') || short);
                colon = above.or(last.filter(|_| plain.ends_with(':')));
            }
            Kind::Item(text, depth) => {
                colon = None;
                open.retain(|(it, _)| it < depth);
                let above = open.last().map(|(_, unit)| *unit).or(lead);
                let from = found.len();
                read(&mut found, text, block.line, block.section, Form::Item, above);
                if found.len() > from {
                    open.push((*depth, from));
                    lists.push((from, *depth));
                }
            }
            Kind::Table(heads, rows) => {
                colon = None;
                let heads: Vec<Rc<str>> = heads.iter().map(|it| it.plain.as_str().into()).collect();
                let typed = number(rows.iter().filter(|it| is_typed(it)).count()) / number(rows.len().max(1));
                for row in rows {
                    let mut before = None;
                    for (column, cell) in row.cells.iter().enumerate() {
                        let from = found.len();
                        read(&mut found, cell, row.line, block.section, Form::Cell, before);
                        let head = heads.get(column).cloned().unwrap_or_default();
                        for it in &mut found[from..] {
                            it.cell = Some(Cell { head: Rc::clone(&head), column, typed });
                        }
                        before = (found.len() > from).then_some(from).or(before);
                    }
                }
            }
            Kind::Code(language, code) if language.eq_ignore_ascii_case("mermaid") => {
                for (offset, label) in drawn::labels(code) {
                    let line = block.line + 1 + u32::try_from(offset).unwrap_or(0);
                    push(&mut found, &label, line, block.section, Form::Item, None);
                }
            }
            Kind::Code(..) => codes.push((place, open.last().map(|(_, unit)| *unit).or(lead))),
        }
    }
    // Items of one list have one depth, one section and one lead.
    let mut sizes: rustc_hash::FxHashMap<(usize, usize, Option<usize>), (usize, usize)> =
        rustc_hash::FxHashMap::default();
    for (unit, depth) in &lists {
        let it = &found[*unit];
        let size = sizes.entry((it.section, *depth, it.lead)).or_default();
        size.0 += 1;
        size.1 += usize::from(it.length <= SHORT);
    }
    for (unit, depth) in &lists {
        let (section, lead) = (found[*unit].section, found[*unit].lead);
        let size = sizes[&(section, *depth, lead)];
        (found[*unit].siblings, found[*unit].short_siblings) = size;
    }
    (found, codes)
}

/// Whether a row of a table has a cell that says a type, behind the first.
fn is_typed(row: &Row) -> bool {
    row.cells.iter().skip(1).any(|it| fields::is_type(&it.plain))
}

/// Languages in which nobody says what things have.
const OTHER: &[&str] = &[
    "bash",
    "sh",
    "shell",
    "console",
    "zsh",
    "powershell",
    "css",
    "scss",
    "html",
    "xml",
    "diff",
    "mermaid",
    "plantuml",
    "dockerfile",
    "nginx",
    "env",
    "ini",
    "toml",
    "csv",
    "http",
];

/// A line with more bytes is data, not said to anybody.
const LINE: usize = 400;

/// Lines of a block of code: a line leads to those that stand further to the right below it. Of `"name": "Ann"` only the name is
/// read.
fn read_code(found: &mut Vec<Unit>, block: &Block, lead: Option<usize>) {
    let Kind::Code(language, code) = &block.kind else { return };
    if OTHER.contains(&language.to_ascii_lowercase().as_str()) {
        return;
    }
    let number = |offset: usize| block.line + 1 + u32::try_from(offset).unwrap_or(0);
    let drawn = drawn::texts(code);
    if !drawn.is_empty() {
        let from = found.len();
        for it in drawn {
            let below = it.below.map(|it| from + it).or(lead);
            push(found, &it.text, number(it.line), block.section, Form::Code, below);
        }
        return;
    }
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (offset, line) in code.lines().enumerate() {
        let said = line.trim();
        let depth = line.len() - line.trim_start().len();
        let named = said.strip_prefix(['"', '\'']).and_then(|it| Some(it.split_once(['"', '\''])?.0));
        // `name: "Ann",` in an object
        let given =
            || said.split_once(": ").filter(|it| fields::is_identifier(it.0) && it.1.starts_with(['"', '\'', '`']));
        let text = named.or_else(|| Some(given()?.0)).map_or_else(|| columns(said), str::to_owned);
        if !text.contains(char::is_alphabetic) || text.len() > LINE {
            continue;
        }
        open.retain(|(it, _)| *it < depth);
        let above = open.last().map(|(_, unit)| *unit).or(lead);
        open.push((depth, found.len()));
        push(found, &text, number(offset), block.section, Form::Code, above);
    }
}

/// A line with a colon where it leaves a gap: `User    id, email` names what a user has.
fn columns(line: &str) -> String {
    let parts = line.split("  ").map(str::trim).filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(" : ")
}

fn read(found: &mut Vec<Unit>, text: &document::Text, line: u32, section: usize, form: Form, lead: Option<usize>) {
    let from = found.len();
    for sentence in sentences(&text.plain.replace('\n', " ")).filter(|it| !is_later(&it.to_lowercase())) {
        push(found, sentence, line, section, form, lead);
    }
    let length = text.plain.split_whitespace().count();
    let codes: Rc<FxHashSet<String>> = Rc::new(text.codes().map(str::to_owned).collect());
    for (at, unit) in found[from..].iter_mut().enumerate() {
        (unit.first, unit.length) = (at == 0, length);
        unit.codes = Rc::clone(&codes);
    }
}

/// The sentences of a text. What only names things behind a semicolon goes on with a list: `Orders have: a number; a date`.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    for part in apart(text) {
        let end = at + part.len();
        match found.last_mut() {
            Some(last) if text[last.clone()].ends_with(';') && is_named(part) => last.end = end,
            _ => found.push(at..end),
        }
        at = end;
    }
    found.into_iter().map(move |it| &text[it])
}

/// Whether a part of a sentence is but a name.
fn is_named(part: &str) -> bool {
    const LONGEST: usize = 8;
    let names = |it: &Word| {
        !(it.kind == tags::Kind::Auxiliary || it.kind == tags::Kind::Verb && !tags::is_participle(&it.lower))
    };
    (1..=LONGEST).contains(&part.split_whitespace().count()) && tagged(part).iter().all(names)
}

fn push(found: &mut Vec<Unit>, text: &str, line: u32, section: usize, form: Form, lead: Option<usize>) {
    let words = tagged(text);
    let length = words.len();
    let text = text.to_owned();
    let first = true;
    let (cell, codes) = (None, Rc::default());
    let (siblings, short_siblings, aside) = (0, 0, false);
    found.push(Unit {
        line,
        section,
        form,
        text,
        words,
        lead,
        first,
        siblings,
        short_siblings,
        length,
        cell,
        codes,
        aside,
    });
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LEAD, of};
    use crate::architect::document::Document;

    /// Whether a sentence that ends in a colon is noted as the lead of the list below the sentence.
    fn leads(sentence: &str) -> bool {
        let units = of(&Document::read(&format!("# Shop\n\n{sentence}:\n\n- title\n- total\n"))).0;
        units.iter().any(|it| it.lead.is_some())
    }

    #[test]
    fn a_sentence_without_end_leads_to_nothing() {
        assert!(leads("An order has"));
        assert!(!leads(&format!("An order has {}", "a field, ".repeat(LONGEST_LEAD / 2))));
    }
}
