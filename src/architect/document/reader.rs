//! The blocks of a text, from what the reader of Markdown meets one after another.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Block, Document, Kind, Row, Section, Text, use_cases};
use crate::architect::endpoints;

/// Level of a paragraph in bold that stands for a heading: below all headings.
const BOLD: u8 = 7;

/// The sections and blocks of a text, without what is known of them together.
pub(super) fn read(text: &str) -> Document {
    let mut reader = Reader::new(text);
    // What is struck out is not wanted any more.
    let mut struck = false;
    for (event, range) in
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).into_offset_iter()
    {
        match event {
            Event::Start(Tag::Strikethrough) => struck = text[range.start..].starts_with("~~"),
            Event::End(TagEnd::Strikethrough) => struck = false,
            Event::Text(_) | Event::Code(_) if struck => {}
            event => reader.event(event, range.start),
        }
    }
    reader.flush();
    reader.document
}

struct Reader {
    document: Document,
    section: usize,
    /// Where each line begins.
    lines: Vec<usize>,
    text: Text,
    at: usize,
    /// Lists that are open.
    lists: usize,
    /// Whether the outermost list has numbers, and by how much deeper its items stand than they seem to.
    numbered: bool,
    deeper: usize,
    in_item: bool,
    heading: Option<u8>,
    table: Option<(Vec<Text>, Vec<Row>)>,
    row: Vec<Text>,
    code: Option<(String, String)>,
    strong: Option<usize>,
}

impl Reader {
    fn new(text: &str) -> Self {
        let root = Section { title: Text::default(), numbered: false, level: 0, parent: 0, line: 1 };
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Reader {
            document: Document {
                sections: vec![root],
                blocks: Vec::new(),
                starts: Vec::new(),
                parents: Vec::new(),
                topics: Vec::new(),
                excluded: Vec::new(),
                asides: Vec::new(),
                fielded: Vec::new(),
                tables: Vec::new(),
            },
            section: 0,
            lines: std::iter::once(0).chain(starts).collect(),
            text: Text::default(),
            at: 0,
            lists: 0,
            numbered: false,
            deeper: 0,
            in_item: false,
            heading: None,
            table: None,
            row: Vec::new(),
            code: None,
            strong: None,
        }
    }

    fn line(&self, at: usize) -> u32 {
        self.lines.partition_point(|start| *start <= at) as u32
    }

    fn begin(&mut self, at: usize) {
        if self.text.plain.is_empty() {
            self.at = at;
        }
    }

    /// Ends the paragraph or item that is being read.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.strong = None;
        if text.plain.trim().is_empty() {
            return;
        }
        let whole_strong = text.is_strong();
        let (text, numbered) = text.unlabelled();
        let line = self.line(self.at);
        if self.lists > 0 {
            let kind = Kind::Item(text, self.lists - 1 + self.deeper);
            self.document.blocks.push(Block { section: self.section, line, kind });
        } else if whole_strong && text.plain.split_whitespace().count() <= 8 {
            let level = self.level_in_bold(&text);
            self.open((text, numbered), level, line);
        } else {
            self.document.blocks.push(Block { section: self.section, line, kind: Kind::Paragraph(text) });
        }
    }

    /// Lines in bold stand below one that states an endpoint: they say what goes in and out.
    fn level_in_bold(&self, text: &Text) -> u8 {
        let states = |text: &Text| endpoints::in_text(&text.plain).is_some();
        let above = self.document.around(self.section).take_while(|it| self.document.sections[*it].level >= BOLD);
        let below = !states(text) && above.into_iter().any(|it| states(&self.document.sections[it].title));
        BOLD + u8::from(below)
    }

    fn open(&mut self, (title, numbered): (Text, bool), level: u8, line: u32) {
        let mut parent = self.section;
        while parent != 0 && self.document.sections[parent].level >= level {
            parent = self.document.sections[parent].parent;
        }
        self.document.sections.push(Section { title, numbered, level, parent, line });
        self.section = self.document.sections.len() - 1;
    }

    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                self.flush();
                self.heading = Some(level_of(level));
                self.at = at;
            }
            Event::End(TagEnd::Heading(_)) => {
                let title = std::mem::take(&mut self.text);
                let line = self.line(self.at);
                if let Some(level) = self.heading.take()
                    && !title.plain.trim().is_empty()
                {
                    self.open(title.unlabelled(), level, line);
                }
            }
            Event::Start(Tag::List(first)) => {
                self.flush();
                if self.lists == 0 {
                    // `1. Orders:` with `- date` on the next line, not further to the right
                    let leads = self.document.blocks.last().is_some_and(|it| {
                        it.section == self.section
                            && matches!(&it.kind, Kind::Item(text, 0) if text.plain.trim_end().ends_with(':'))
                    });
                    self.deeper = usize::from(leads && self.numbered && first.is_none());
                    self.numbered = first.is_some();
                }
                self.lists += 1;
            }
            Event::End(TagEnd::List(_)) => {
                self.flush();
                self.lists = self.lists.saturating_sub(1);
            }
            Event::Start(Tag::Item) => {
                self.flush();
                self.in_item = true;
                self.at = at;
            }
            Event::Start(Tag::Paragraph) if self.lists > 0 && !self.text.plain.is_empty() => self.push("\n"),
            Event::End(TagEnd::Item) => self.flush(),
            Event::End(TagEnd::Paragraph) if self.lists == 0 => self.flush(),
            Event::Start(Tag::CodeBlock(kind)) => {
                self.flush();
                let language = match kind {
                    pulldown_cmark::CodeBlockKind::Fenced(language) => language.to_string(),
                    pulldown_cmark::CodeBlockKind::Indented => INDENTED.to_owned(),
                };
                self.code = Some((language.trim().to_ascii_lowercase(), String::new()));
                self.at = at;
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, text)) = self.code.take() {
                    let line = self.line(self.at);
                    let plain = ["", "text", "txt", "plaintext", INDENTED].contains(&language.as_str());
                    if let Some(steps) = plain.then(|| steps(&text)).flatten() {
                        let fence = u32::from(language != INDENTED);
                        for (at, text, depth) in steps {
                            let kind = Kind::Item(Text::of(text).unlabelled().0, depth);
                            self.document.blocks.push(Block { section: self.section, line: line + fence + at, kind });
                        }
                        return;
                    }
                    let kind = if language == INDENTED && is_prose(&text) {
                        Kind::Paragraph(Text { plain: text.trim().to_owned(), ..Text::default() })
                    } else {
                        Kind::Code(if language == INDENTED { String::new() } else { language }, text)
                    };
                    self.document.blocks.push(Block { section: self.section, line, kind });
                }
            }
            Event::Start(Tag::Table(_)) => {
                self.flush();
                self.table = Some((Vec::new(), Vec::new()));
                self.at = at;
            }
            Event::End(TagEnd::Table) => {
                if let Some((head, rows)) = self.table.take() {
                    let (head, rows) = with_head(head, rows);
                    let line = rows.first().map_or_else(|| self.line(self.at), |row| row.line.saturating_sub(2));
                    let items = use_cases::items(&head, &rows);
                    let blocks = items.unwrap_or_else(|| vec![(line, Kind::Table(head, rows))]);
                    let section = self.section;
                    self.document.blocks.extend(blocks.into_iter().map(|(line, kind)| Block { section, line, kind }));
                }
            }
            Event::Start(Tag::TableRow) => self.at = at,
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.text);
                self.row.push(cell.unlabelled().0);
            }
            Event::End(TagEnd::TableHead) => {
                let cells = std::mem::take(&mut self.row);
                if let Some((head, _)) = &mut self.table {
                    *head = cells;
                }
            }
            Event::End(TagEnd::TableRow) => {
                let cells = std::mem::take(&mut self.row);
                let line = self.line(self.at);
                if let Some((_, rows)) = &mut self.table {
                    rows.push(Row { line, cells });
                }
            }
            Event::Start(Tag::Strong) => self.strong = Some(self.text.plain.len()),
            Event::End(TagEnd::Strong) => {
                if let Some(start) = self.strong.take() {
                    self.text.strong.push((start, self.text.plain.len()));
                }
            }
            Event::Text(text) => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(&text);
                } else {
                    self.begin_outside(at);
                    self.push(&text);
                }
            }
            Event::Code(text) => {
                self.begin_outside(at);
                let start = self.text.plain.len();
                self.push(&text);
                self.text.code.push((start, self.text.plain.len()));
            }
            Event::SoftBreak | Event::HardBreak => self.push("\n"),
            Event::Html(text) | Event::InlineHtml(text) if text.trim().to_ascii_lowercase().starts_with("<br") => {
                self.push("\n");
            }
            _ => {}
        }
    }

    fn begin_outside(&mut self, at: usize) {
        if self.table.is_none() && self.heading.is_none() && !self.in_item {
            self.begin(at);
        }
        self.in_item = false;
    }

    fn push(&mut self, text: &str) {
        self.text.plain.push_str(text);
    }
}

/// The items of a list of steps that is set as code: `1. User opens the app` with `- Email is checked` or `├─ Finds orders`
/// below. Each with its place among the lines and its depth. None where the block is anything else.
fn steps(text: &str) -> Option<Vec<(u32, &str, usize)>> {
    let mut found: Vec<(u32, &str, usize)> = Vec::new();
    let (mut numbered, mut words) = (0, 0);
    for (at, line) in (0..).zip(text.lines()) {
        let body = line.trim_start_matches(|c: char| c.is_whitespace() || "│├└─┬|".contains(c));
        if body.trim().is_empty() {
            continue;
        }
        let indent = line.chars().count() - body.chars().count();
        let digits = body.chars().take_while(char::is_ascii_digit).count();
        let number = digits > 0 && body[digits..].starts_with(['.', ')']) && indent == 0;
        let marked = number || body.starts_with(['-', '*', '•', '→']) || indent > 0 && line.contains(['├', '└', '│']);
        if body.contains(['{', '}', ';', '=']) && !body.contains('(') || !marked && indent == 0 {
            return None;
        }
        numbered += usize::from(number);
        let said = if number { &body[digits + 1..] } else { body.trim_start_matches(['-', '*', '•', '→']) }.trim();
        words += said.split_whitespace().count();
        // Three columns further to the right are one item deeper.
        let depth = if number { 0 } else { 1 + indent.saturating_sub(2) / 3 };
        found.push((at, said, depth));
    }
    (numbered >= 2 && words >= 3 * found.len()).then_some(found)
}

/// Stands for the language of code that nothing but its indent makes code.
const INDENTED: &str = "\u{0}";

/// Whether what is indented like code is a text: lines of many words, and no marks of programs.
fn is_prose(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    let words: usize = lines.iter().map(|it| it.split_whitespace().count()).sum();
    words >= 8 * lines.len().max(1) && !text.contains(['{', '}', '=', '|', ';', '├', '└', '→', '─'])
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// A table whose head is empty has it in its first row: what writes Markdown from other formats leaves it there.
fn with_head(head: Vec<Text>, mut rows: Vec<Row>) -> (Vec<Text>, Vec<Row>) {
    let empty = head.iter().all(|cell| cell.plain.trim().is_empty());
    let first = rows.first().is_some_and(|row| row.cells.iter().all(|cell| !cell.plain.trim().is_empty()));
    if empty && first && rows.len() > 1 { (rows.remove(0).cells, rows) } else { (head, rows) }
}
