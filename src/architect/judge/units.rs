//! The sentences of a document, each with where it stands, its words and the sentence that leads to it.

use super::tags::{Word, tagged};
use crate::architect::clauses::{apart, is_later};
use crate::architect::document::{self, Block, Document, Kind};
use crate::architect::topics;

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
}

/// Items with more words than these say something of what they name.
const SHORT: usize = 6;

/// The sentences of the text of a document, then the lines of its blocks of code, and how many the former are.
pub(super) fn of(document: &Document) -> (Vec<Unit>, usize) {
    let mut found = Vec::new();
    // Blocks of code, each with the unit that leads to it.
    let mut codes: Vec<(usize, Option<usize>)> = Vec::new();
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if !topics::is_aside(document, at) && !document.is_heading_of_all(at) {
            let title = topics::without_number(&section.title.plain);
            push(&mut found, title, section.line, at, Form::Heading, None);
        }
    }
    // The items that are open, each with its depth, its first unit and its list.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut lead: Option<usize> = None;
    let mut lists: Vec<(usize, usize)> = Vec::new();
    let mut section = 0;
    for (place, block) in document.blocks.iter().enumerate() {
        if topics::is_aside(document, block.section) {
            continue;
        }
        if block.section != section {
            (section, lead) = (block.section, None);
            open.clear();
        }
        match &block.kind {
            Kind::Paragraph(text) => {
                open.clear();
                let from = found.len();
                read(&mut found, text, block.line, block.section, Form::Paragraph, None);
                let leads = text.plain.trim_end().ends_with(':') || text.plain.split_whitespace().count() <= SHORT;
                lead = (leads && found.len() > from).then(|| found.len() - 1);
            }
            Kind::Item(text, depth) => {
                open.retain(|(it, _)| it < depth);
                let above = open.last().map(|(_, unit)| *unit).or(lead);
                let from = found.len();
                read(&mut found, text, block.line, block.section, Form::Item, above);
                if found.len() > from {
                    open.push((*depth, from));
                    lists.push((from, *depth));
                }
            }
            Kind::Table(_, rows) => {
                for row in rows {
                    let mut before = None;
                    for cell in &row.cells {
                        let from = found.len();
                        read(&mut found, cell, row.line, block.section, Form::Cell, before);
                        before = (found.len() > from).then_some(from).or(before);
                    }
                }
            }
            Kind::Code(..) => codes.push((place, open.last().map(|(_, unit)| *unit).or(lead))),
        }
    }
    let texts = found.len();
    for (place, lead) in codes {
        read_code(&mut found, &document.blocks[place], lead);
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
    (found, texts)
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
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (offset, line) in code.lines().enumerate() {
        let said = line.trim();
        let depth = line.len() - line.trim_start().len();
        let named = said.strip_prefix(['"', '\'']).and_then(|it| Some(it.split_once(['"', '\''])?.0));
        let text = named.map_or_else(|| columns(said), str::to_owned);
        if !text.contains(char::is_alphabetic) || text.len() > LINE {
            continue;
        }
        open.retain(|(it, _)| *it < depth);
        let above = open.last().map(|(_, unit)| *unit).or(lead);
        open.push((depth, found.len()));
        let number = block.line + 1 + u32::try_from(offset).unwrap_or(0);
        push(found, &text, number, block.section, Form::Code, above);
    }
}

/// A line with a colon where it leaves a gap: `User    id, email` names what a user has.
fn columns(line: &str) -> String {
    let parts = line.split("  ").map(str::trim).filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(" : ")
}

fn read(found: &mut Vec<Unit>, text: &document::Text, line: u32, section: usize, form: Form, lead: Option<usize>) {
    let from = found.len();
    for sentence in apart(&text.plain.replace('\n', " ")).into_iter().filter(|it| !is_later(&it.to_lowercase())) {
        push(found, sentence, line, section, form, lead);
    }
    let length = text.plain.split_whitespace().count();
    for (at, unit) in found[from..].iter_mut().enumerate() {
        (unit.first, unit.length) = (at == 0, length);
    }
}

fn push(found: &mut Vec<Unit>, text: &str, line: u32, section: usize, form: Form, lead: Option<usize>) {
    let words = tagged(text);
    let length = words.len();
    let text = text.to_owned();
    let first = true;
    found.push(Unit { line, section, form, text, words, lead, first, siblings: 0, short_siblings: 0, length });
}
