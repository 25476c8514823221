//! A document as what it is made of: sections, paragraphs, list items, tables and blocks of code, each with its line.
//! Markdown is read by `pulldown-cmark`; a text without any heading gets those that its lines look like.

mod gherkin;
mod grids;
mod lines;
mod markup;
mod reader;
mod use_cases;

use super::topics::{self, Topic};
use super::{fields, words};

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

    /// From and to which byte code stands, in order.
    pub(super) fn code_places(&self) -> &[(usize, usize)] {
        &self.code
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

    /// The part of the text between two byte places, with its markup.
    fn part(&self, from: usize, to: usize) -> Text {
        let within = |marked: &[(usize, usize)]| {
            let inner = marked.iter().filter(|(start, end)| *start >= from && *end <= to);
            inner.map(|(start, end)| (start - from, end - from)).collect()
        };
        let plain = self.plain.get(from..to).unwrap_or("").to_owned();
        Text { plain, code: within(&self.code), strong: within(&self.strong) }
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
        // `✅ Users can …`: signs before a text decorate it.
        let sign = |c: char| !c.is_ascii() && !c.is_alphanumeric() && !"“‘«„…→–—".contains(c);
        let signs =
            self.plain.find(|c: char| !(sign(c) || c == ' ')).filter(|_| self.plain.starts_with(sign)).unwrap_or(0);
        let text = if signs > 0 { self.without_start(signs) } else { self };
        text.without_label()
    }

    fn without_label(self) -> (Self, bool) {
        let (end, numbered) = lines::label_end(&self.plain);
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
    /// Of each section, whether it is about what is not built, or not now.
    pub(super) excluded: Vec<bool>,
    /// Of each section, whether it is about nothing that is to be built.
    pub(super) asides: Vec<bool>,
    /// Sections in which a line says that fields follow.
    pub(super) fielded: Vec<bool>,
    /// Of each section, whether its heading names a table of a database whose columns follow.
    pub(super) tables: Vec<bool>,
}

impl Document {
    pub(super) fn read(text: &str) -> Document {
        let text = lines::without_wrapping(text);
        let text = lines::with_fences(&text);
        let text = grids::with_html(&text);
        let text = grids::with_grids(&text);
        let text = lines::without_admonitions(&text);
        let text = gherkin::without(&text);
        let text = lines::with_labels(&text);
        let text = markup::without_layout(&text);
        let text = markup::with_definitions(&text);
        let text = lines::with_lists(&text);
        let text = lines::with_names(&text);
        let text = lines::without_pages(&text);
        let text = lines::with_bullets(&text);
        let text = lines::with_letters(&text);
        let text = lines::with_headings(&text);
        let mut document = reader::read(&text);
        document.lines_apart();
        document.lines_as_items();
        document.lists();
        let titles = document.sections.iter().map(|it| topics::topic_of(&it.title.plain));
        document.topics = titles.collect();
        // `timeline_entries` with columns names a table and no timeline.
        document.tables = topics::tables_by_name(&document);
        for at in 0..document.sections.len() {
            if document.tables[at] && document.topics[at] != Some(Topic::Data) {
                document.topics[at] = None;
            }
        }
        for goals in topics::goals_of_somebody(&document) {
            document.topics[goals] = Some(Topic::Features);
        }
        // `Priority: Future`
        for block in &document.blocks {
            if let Kind::Paragraph(text) | Kind::Item(text, _) = &block.kind
                && block.section != 0
                && lines::is_later(&text.plain)
            {
                document.topics[block.section] = Some(Topic::Aside);
            }
        }
        document.excluded = topics::excluded(&document);
        document.asides = topics::asides(&document);
        if document.is_aside_throughout() {
            document.asides.clone_from(&document.excluded);
        }
        document.fielded = topics::fielded(&document);
        document
    }

    /// Whether hardly anything is said outside of asides: then these are the text. A roadmap of milestones may be all there is.
    fn is_aside_throughout(&self) -> bool {
        const SHARE: usize = 8;
        let size = |it: &Block| match &it.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => text.plain.len(),
            Kind::Table(_, rows) => rows.iter().flat_map(|it| &it.cells).map(|it| it.plain.len()).sum(),
            Kind::Code(_, code) => code.len(),
        };
        let all: usize = self.blocks.iter().filter(|it| !self.excluded[it.section]).map(size).sum();
        let said: usize = self.blocks.iter().filter(|it| !self.asides[it.section]).map(size).sum();
        said * SHARE < all
    }

    /// Makes items of short lines behind a line that ends with a colon, where a block has them: `Create books with:`, `Title`,
    /// `Author`. Markdown takes them for one paragraph.
    fn lines_apart(&mut self) {
        let ends = |it: &str| it.trim_end().ends_with(':');
        let apart = |block: &Block| match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                let lines: Vec<&str> = text.plain.lines().collect();
                lines.windows(3).any(|it| ends(it[0]) && lines::is_bare_item(it[1]) && lines::is_bare_item(it[2]))
            }
            _ => false,
        };
        if !self.blocks.iter().any(apart) {
            return;
        }
        for block in std::mem::take(&mut self.blocks) {
            if !apart(&block) {
                self.blocks.push(block);
                continue;
            }
            let (text, depth, is_item) = match &block.kind {
                Kind::Item(text, depth) => (text, *depth, true),
                Kind::Paragraph(text) => (text, 0, false),
                _ => continue,
            };
            let mut below = false;
            let mut at = 0;
            for (number, line) in (0..).zip(text.plain.split('\n')) {
                let part = text.part(at, at + line.len());
                at += line.len() + 1;
                below = below && lines::is_bare_item(line);
                // The first line of an item stays one, and what is said below stands deeper.
                let inner = depth + usize::from(is_item && number > 0);
                let kind = if below {
                    Kind::Item(part, inner + usize::from(is_item))
                } else if is_item {
                    Kind::Item(part, inner)
                } else {
                    Kind::Paragraph(part)
                };
                below |= ends(line);
                self.blocks.push(Block { section: block.section, line: block.line + number, kind });
            }
        }
    }

    /// Makes items of names that stand in paragraphs of their own, three or more of them in a row: `id`, `bookId`, `status`.
    fn lines_as_items(&mut self) {
        let is_name = |block: &Block| {
            matches!(&block.kind, Kind::Paragraph(text) if fields::is_identifier(&text.plain)
                && text.plain.starts_with(char::is_lowercase) || lines::is_bare_item(&text.plain))
        };
        let mut at = 0;
        while at < self.blocks.len() {
            let section = self.blocks[at].section;
            let run = self.blocks[at..].iter().take_while(|it| it.section == section && is_name(it)).count();
            for block in self.blocks[at..at + run].iter_mut().filter(|_| run >= 3) {
                if let Kind::Paragraph(text) = &mut block.kind {
                    block.kind = Kind::Item(std::mem::take(text), 0);
                }
            }
            at += run.max(1);
        }
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
        self.sections[section].level == 1 && self.sections.iter().filter(|it| it.level == 1).nth(1).is_none()
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

    /// The item that a block stands below of.
    pub(super) fn above(&self, at: usize) -> Option<usize> {
        self.parents[at]
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
    pub(super) fn siblings(&self, at: usize) -> impl Iterator<Item = usize> {
        let section = self.blocks[at].section;
        let depth_of = move |at: usize| match self.blocks[at].kind {
            Kind::Item(_, depth) if self.blocks[at].section == section => Some(depth),
            _ => None,
        };
        let parent = self.parents[at];
        let depth = parent.map_or(0, |it| depth_of(it).map_or(0, |it| it + 1));
        let first = parent.map_or(self.starts[at], |it| it + 1);
        let list = (first..self.blocks.len()).take_while(move |it| depth_of(*it).is_some_and(|it| it >= depth));
        list.filter(move |it| depth_of(*it) == Some(depth))
    }

    /// The item that an item is below of.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }
}
