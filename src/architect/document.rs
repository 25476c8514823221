//! A document as what it is made of: sections, paragraphs, list items, tables and blocks of code, each with its line.
//! Markdown is read by `pulldown-cmark`; a text without any heading gets those that its lines look like.

use std::borrow::Cow;

use super::topics::{self, Topic};
use super::words;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Text without its markup, and where it was marked.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) plain: String,
    /// Byte ranges of what is set as code.
    code: Vec<(usize, usize)>,
    /// Byte ranges of what is set in bold.
    strong: Vec<(usize, usize)>,
}

impl Text {
    pub(super) fn of(plain: &str) -> Self {
        Text { plain: plain.to_owned(), ..Text::default() }
    }

    pub(super) fn codes(&self) -> impl Iterator<Item = &str> {
        self.code.iter().filter_map(|(start, end)| self.plain.get(*start..*end))
    }

    pub(super) fn strongs(&self) -> impl Iterator<Item = &str> {
        self.strong.iter().filter_map(|(start, end)| self.plain.get(*start..*end))
    }

    /// What is marked at the very beginning, and the rest of the text.
    pub(super) fn label(&self) -> Option<(&str, &str)> {
        let lead = self.plain.len() - self.plain.trim_start().len();
        let (_, end) = self.strong.iter().chain(&self.code).find(|(start, _)| *start == lead)?;
        Some((self.plain.get(lead..*end)?, self.plain.get(*end..)?))
    }

    /// Without its first bytes, which are no part of what is marked behind them.
    fn without_start(mut self, bytes: usize) -> Self {
        self.plain.drain(..bytes);
        for marked in [&mut self.code, &mut self.strong] {
            marked.retain(|(_, end)| *end > bytes);
            for (start, end) in marked.iter_mut() {
                (*start, *end) = (start.saturating_sub(bytes), *end - bytes);
            }
        }
        self
    }

    /// Without the box that is ticked and the number of the requirement that it begins with; whether it had a number.
    fn unlabelled(self) -> (Self, bool) {
        let (end, numbered) = label_end(&self.plain);
        if end == 0 { (self, false) } else { (self.without_start(end), numbered) }
    }

    /// Whether all of it is in bold: a heading in disguise.
    fn is_strong(&self) -> bool {
        let text = self.plain.trim().trim_end_matches(':');
        !text.is_empty()
            && matches!(self.strong.as_slice(), [(start, end)] if self.plain.get(*start..*end)
                .is_some_and(|strong| strong.trim().trim_end_matches(':') == text))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) title: Text,
    /// Its title had the number of a requirement before it: `UC-03`.
    pub(super) numbered: bool,
    pub(super) level: u8,
    pub(super) parent: usize,
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) cells: Vec<Text>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Paragraph(Text),
    /// With its depth: 0 in the outermost list.
    Item(Text, usize),
    Table(Vec<Text>, Vec<Row>),
    /// With its language.
    Code(String, String),
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) section: usize,
    pub(super) line: u32,
    pub(super) kind: Kind,
}

/// The first section is that of the document; it is its own parent.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) sections: Vec<Section>,
    pub(super) blocks: Vec<Block>,
    /// Of each block, the first item of the list that it is in, or itself.
    starts: Vec<usize>,
    /// Of each block, the item that it is below of.
    parents: Vec<Option<usize>>,
    /// Of each section, what its own heading says that it is about.
    pub(super) topics: Vec<Option<Topic>>,
}

/// Level of a paragraph in bold that stands for a heading: below all headings.
const BOLD: u8 = 7;

impl Document {
    pub(super) fn read(text: &str) -> Document {
        let text = without_admonitions(text);
        let text = with_bullets(&text);
        let text = with_headings(&text);
        let mut reader = Reader::new(&text);
        for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
            reader.event(event, range.start);
        }
        reader.flush();
        reader.document.lists();
        let titles = reader.document.sections.iter().map(|it| topics::topic_of(&it.title.plain));
        reader.document.topics = titles.collect();
        reader.document
    }

    /// Notes which list each item is in, and below which item.
    fn lists(&mut self) {
        let mut start = None;
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let Kind::Item(_, depth) = block.kind else {
                start = None;
                open.clear();
                self.starts.push(at);
                self.parents.push(None);
                continue;
            };
            let begun = start.filter(|it: &usize| self.blocks[*it].section == block.section).unwrap_or(at);
            if begun == at {
                open.clear();
            }
            start = Some(begun);
            open.retain(|(_, above)| *above < depth);
            self.starts.push(begun);
            self.parents.push(open.last().map(|(it, _)| *it));
            open.push((at, depth));
        }
    }

    /// A section and those around it, the innermost first, without the document itself.
    pub(super) fn around(&self, section: usize) -> impl Iterator<Item = usize> {
        let mut next = section;
        std::iter::from_fn(move || {
            let here = next;
            next = self.sections[here].parent;
            (here != 0).then_some(here)
        })
    }

    pub(super) fn title(&self, section: usize) -> &str {
        self.sections[section].title.plain.trim()
    }

    /// Whether a section is the heading of the whole document.
    pub(super) fn is_heading_of_all(&self, section: usize) -> bool {
        self.sections[section].level == 1 && self.sections.iter().filter(|it| it.level == 1).count() == 1
    }

    /// The paragraph that leads up to a list, table or block of code.
    pub(super) fn lead(&self, at: usize) -> Option<&Text> {
        let start = self.starts[at];
        let before = self.blocks.get(start.checked_sub(1)?)?;
        match &before.kind {
            Kind::Paragraph(text) if before.section == self.blocks[at].section => Some(text),
            Kind::Item(text, _)
                if before.section == self.blocks[at].section && !matches!(self.blocks[at].kind, Kind::Item(..)) =>
            {
                Some(text)
            }
            _ => None,
        }
    }

    /// Whether a block is the first item of a list.
    pub(super) fn begins_list(&self, at: usize) -> bool {
        self.starts[at] == at && matches!(self.blocks[at].kind, Kind::Item(..))
    }

    /// All words of a text in the order of the text, each in the singular.
    pub(super) fn words(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut add = |text: &str| found.extend(words::split(text).iter().map(|it| words::singular(it)));
        for section in &self.sections {
            add(&section.title.plain);
        }
        for block in &self.blocks {
            match &block.kind {
                Kind::Paragraph(text) | Kind::Item(text, _) => add(&text.plain),
                Kind::Table(_, rows) => rows.iter().flat_map(|row| &row.cells).for_each(|cell| add(&cell.plain)),
                Kind::Code(..) => {}
            }
        }
        found
    }

    /// Whether there is a block that is the first item of a list.
    pub(super) fn begins_list_at(&self, at: usize) -> bool {
        at < self.blocks.len() && self.begins_list(at)
    }

    /// The outermost items of the list that begins with a block.
    pub(super) fn outer_items(&self, at: usize) -> Vec<usize> {
        let section = self.blocks[at].section;
        let all = self.blocks.iter().enumerate().skip(at);
        all.take_while(|(_, it)| matches!(it.kind, Kind::Item(..)) && it.section == section)
            .filter(|(_, it)| matches!(it.kind, Kind::Item(_, 0)))
            .map(|(at, _)| at)
            .collect()
    }

    /// The items below an item.
    pub(super) fn children(&self, at: usize) -> Vec<usize> {
        let Kind::Item(_, depth) = self.blocks[at].kind else { return Vec::new() };
        let after = self.blocks.iter().enumerate().skip(at + 1);
        let inner = after.take_while(|(_, it)| matches!(it.kind, Kind::Item(_, below) if below > depth));
        inner
            .filter(|(_, it)| matches!(it.kind, Kind::Item(_, below) if below == depth + 1))
            .map(|(at, _)| at)
            .collect()
    }

    /// The items of the list that an item is in, of its depth and below the same item.
    pub(super) fn siblings(&self, at: usize) -> Vec<usize> {
        match self.parents[at] {
            Some(parent) => self.children(parent),
            None if matches!(self.blocks[at].kind, Kind::Item(..)) => self.outer_items(self.starts[at]),
            None => Vec::new(),
        }
    }

    /// The item that an item is below of.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }
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
            },
            section: 0,
            lines: std::iter::once(0).chain(starts).collect(),
            text: Text::default(),
            at: 0,
            lists: 0,
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
            let kind = Kind::Item(text, self.lists - 1);
            self.document.blocks.push(Block { section: self.section, line, kind });
        } else if whole_strong && text.plain.split_whitespace().count() <= 8 {
            self.open((text, numbered), BOLD, line);
        } else {
            self.document.blocks.push(Block { section: self.section, line, kind: Kind::Paragraph(text) });
        }
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
            Event::Start(Tag::List(_)) => {
                self.flush();
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
                    pulldown_cmark::CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language.trim().to_ascii_lowercase(), String::new()));
                self.at = at;
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, text)) = self.code.take() {
                    let line = self.line(self.at);
                    let kind = Kind::Code(language, text);
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
                    let line = rows.first().map_or_else(|| self.line(self.at), |row| row.line.saturating_sub(2));
                    self.document.blocks.push(Block { section: self.section, line, kind: Kind::Table(head, rows) });
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

/// Where a text begins behind the box that is ticked (`[x]`) and the number of the requirement (`R1.2`, `FR-001:`,
/// `US-3.`), and whether there is such a number. A number needs a sign that it is one: inner points, a hyphen, or what ends
/// it. `S3 buckets` are no requirement.
fn label_end(text: &str) -> (usize, bool) {
    let mut at = text.len() - text.trim_start().len();
    let rest = &text[at..];
    if let Some(tick) = ["[ ]", "[]", "[x]", "[X]"].iter().find(|it| rest.starts_with(**it)) {
        at += tick.len() + rest[tick.len()..].len() - rest[tick.len()..].trim_start().len();
    }
    let rest = &text[at..];
    let open = rest.starts_with('[') || rest.starts_with('(');
    let label = &rest[usize::from(open)..];
    let letters = label.bytes().take_while(u8::is_ascii_uppercase).count();
    let joined = label[letters..].starts_with(['-', '_']) || letters > 1 && label[letters..].starts_with(' ');
    let digits_from = letters + usize::from(joined);
    let digits = label[digits_from..].bytes().take_while(|it| it.is_ascii_digit() || matches!(it, b'.' | b'-')).count();
    let number = &label[digits_from..digits_from + digits];
    let behind = &label[digits_from + digits..];
    let ended = number.ends_with(['.', '-']) || behind.starts_with([':', ')', ']', '–', '—']);
    let spaced = behind.starts_with([' ', ':', ')', ']', '–', '—']);
    // `V1.2` is a version.
    let is_number =
        (1..=6).contains(&letters) && !label.starts_with(['V']) && number.starts_with(|c: char| c.is_ascii_digit());
    let told = joined && !label[letters..].starts_with(' ') || number.trim_end_matches('.').contains('.') || ended;
    let after = behind.trim_start_matches([':', ')', ']', '–', '—', '-', ' ']);
    if is_number && spaced && told && after.chars().any(char::is_alphanumeric) {
        (text.len() - after.len(), true)
    } else if at > 0 && text[at..].chars().any(char::is_alphanumeric) && !text[..at].trim().is_empty() {
        (at, false)
    } else {
        (0, false)
    }
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

/// What stands in a box of MkDocs (`!!! note "…"`, and four columns to the right what is in it) as if it stood outside.
fn without_admonitions(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| ["!!! ", "??? ", "???+ "].iter().any(|it| line.trim_start().starts_with(it));
    if !text.lines().any(begins) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut inside = None;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if begins(line) {
            inside = Some(depth);
        } else if let Some(outer) = inside.filter(|_| !line.trim().is_empty()) {
            if depth >= outer + 4 {
                result.push_str(line.get(4..).unwrap_or(""));
            } else {
                inside = None;
                result.push_str(line);
            }
        } else {
            result.push_str(line);
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// Lines that begin with a sign that is no mark of Markdown and looks like one (`•`, `✓`), as items.
fn with_bullets(text: &str) -> Cow<'_, str> {
    const SIGNS: [char; 9] = ['•', '✓', '✔', '●', '▪', '◦', '‣', '○', '☐'];
    if !text.contains(SIGNS) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim_start();
        match trimmed.strip_prefix(SIGNS) {
            Some(rest) => {
                result.push_str(&line[..line.len() - trimmed.len()]);
                result.push_str("- ");
                result.push_str(rest.trim_start());
            }
            None => result.push_str(line),
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// A text that has no heading of Markdown, with those lines as headings that stand alone and look like one: short, with a
/// capital or a number, without an end of a sentence. Lines stay where they are.
fn with_headings(text: &str) -> Cow<'_, str> {
    let mut fenced = false;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let underlined = lines.get(at + 1).is_some_and(|next| {
            let next = next.trim_end();
            next.len() > 2 && (next.chars().all(|c| c == '=') || next.chars().all(|c| c == '-'))
        });
        let is_atx = trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ');
        if !fenced && (is_atx || (underlined && !trimmed.is_empty() && !trimmed.starts_with('|'))) {
            return Cow::Borrowed(text);
        }
    }
    // A text that is cut by rules has a heading behind each of them.
    let rule = |line: &str| {
        line.trim().len() >= 3
            && ["_", "*", "-", "="].iter().any(|it| line.trim().trim_matches(|c| it.starts_with(c)).is_empty())
    };
    let ruled = lines.iter().filter(|line| rule(line)).count() >= 3;
    let mut result = String::with_capacity(text.len() + 64);
    let mut after_rule = false;
    for (at, line) in lines.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or("");
        let after = lines.get(at + 1).copied().unwrap_or("");
        let short = is_short(line);
        match heading_level(line, before, after) {
            _ if ruled && after_rule && short => {
                result.push_str("## ");
                result.push_str(line.trim());
            }
            Some(level) if !ruled => {
                result.push_str(&"#".repeat(level));
                result.push(' ');
                result.push_str(line.trim());
            }
            _ if ruled && short && (is_short(before) || is_short(after)) => {
                result.push_str("- ");
                result.push_str(line.trim());
            }
            _ => result.push_str(line),
        }
        after_rule = rule(line) || after_rule && line.trim().is_empty();
        result.push('\n');
    }
    Cow::Owned(result)
}

/// A line that is no sentence: an item of a list without its mark.
fn is_short(line: &str) -> bool {
    let line = line.trim();
    let spoken = ["As ", "I ", "So ", "If ", "When ", "Given ", "Then ", "And "].iter().any(|it| line.starts_with(it));
    !spoken
        && !line.is_empty()
        && line.split_whitespace().count() <= 7
        && line.starts_with(char::is_alphanumeric)
        && !line.ends_with(['.', ':', ';', ',', '!', '?', '"'])
}

fn heading_level(line: &str, before: &str, after: &str) -> Option<usize> {
    let text = line.trim();
    let numbered = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let rest = text[number.len()..].trim_start_matches(')').trim_start();
    let fits = text.len() <= 70
        && (1..=8).contains(&rest.split_whitespace().count())
        && rest.starts_with(char::is_uppercase)
        && !text.ends_with(['.', ',', ';', ':', '?', '!', '|'])
        && !rest.contains(['/', '{', '=', '|'])
        && before.trim().is_empty();
    if !fits {
        return None;
    }
    if number.is_empty() {
        return after.trim().is_empty().then_some(3);
    }
    let depth = number.split('.').filter(|part| !part.is_empty()).count();
    (!numbered(after)).then_some((depth + 1).min(6))
}
