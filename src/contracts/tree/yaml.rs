//! YAML text to tree, over the events of `saphyr-parser`. Its markers count characters; spans here are bytes.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use super::build::{Builder, Built, Refused};
use super::{Node, Tree, Value, scalar};
use crate::contracts::IssueKind;
use crate::text::FileId;

/// Reads the first document of `text`, whose first byte stands at `base` in the file.
pub(super) fn read(file: FileId, text: &str, base: usize) -> Tree {
    let offsets = Offsets::new(text, base);
    let mut reading =
        Reading { builder: Builder::new(file), anchors: std::collections::BTreeMap::new(), end: base, skipped: 0 };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let at = offsets.byte(error.marker());
                if error.info().contains("recursion limit") {
                    reading.builder.too_deep(at);
                } else {
                    let message = format!("not valid YAML: {}", error.info());
                    reading.builder.issue(IssueKind::Syntax, at, end_of_line(text, base, at), message);
                }
                break;
            }
        };
        let (mut start, mut end) = (offsets.byte(&span.start), offsets.byte(&span.end));
        if let Event::Scalar(_, style, ..) = &event {
            let source = &text[start - base..end.max(start) - base];
            start += properties_length(source);
            end = start + scalar_length(&text[start - base..end.max(start) - base], *style);
        }
        if let Event::DocumentStart(_) = event {
            documents += 1;
            if documents > 1 {
                let message = "a second YAML document starts here; only the first one is read".to_owned();
                reading.builder.issue(IssueKind::Syntax, start, end, message);
                break;
            }
        }
        if reading.event(event, start, end).is_err() {
            break;
        }
    }
    reading.builder.finish(base + text.len())
}

struct Reading {
    builder: Builder,
    anchors: std::collections::BTreeMap<usize, Built>,
    /// Where the last thing that has text ended.
    end: usize,
    /// Depth inside a key that is no scalar.
    skipped: usize,
}

impl Reading {
    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<(), Refused> {
        if self.skipped > 0 {
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => self.skipped += 1,
                Event::SequenceEnd | Event::MappingEnd => self.skipped -= 1,
                _ => {}
            }
            return Ok(());
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref(), start, end),
            Event::Alias(anchor) => return self.alias(anchor, start, end),
            Event::SequenceStart(..) | Event::MappingStart(..) if self.builder.wants_key() => {
                self.skipped = 1;
                let message = "a key must be a scalar; this member is left out".to_owned();
                self.builder.issue(IssueKind::Syntax, start, end, message);
                self.builder.key("? …".to_owned(), self.builder.span(start, end));
            }
            Event::SequenceStart(anchor, _) => self.builder.open_array(start, anchor)?,
            Event::MappingStart(anchor, _) => self.builder.open_object(start, anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                // A block has no closing token: it ends with its last member.
                if end > start {
                    self.end = end;
                }
                if let Some((anchor, built)) = self.builder.close(self.end) {
                    self.anchors.insert(anchor, built);
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: Option<&Tag>, start: usize, end: usize) {
        // An absent value has no place of its own: it stands where its key ends.
        let (start, end) = if end > start { (start, end) } else { (self.end, self.end) };
        self.end = end;
        let span = self.builder.span(start, end);
        let node = Node::new(span, typed(text, style, tag));
        if anchor != 0 {
            let weight = 1 + text.len() / 16;
            self.anchors.insert(anchor, Built { node: node.clone(), weight, height: 0 });
        }
        if !self.builder.wants_key() {
            self.builder.scalar(node);
        } else if text == "<<" && style == ScalarStyle::Plain {
            self.builder.merge_key(span);
        } else {
            self.builder.key(text.to_owned(), span);
        }
    }

    fn alias(&mut self, anchor: usize, start: usize, end: usize) -> Result<(), Refused> {
        self.end = end;
        let span = self.builder.span(start, end);
        let Some(target) = self.anchors.get(&anchor) else {
            // The parser knows the name, so the anchor belongs to a container that is still open.
            let message = "an alias inside the value that it stands for".to_owned();
            self.builder.issue(IssueKind::Syntax, start, end, message);
            if self.builder.wants_key() {
                self.builder.key("*".to_owned(), span);
            } else {
                self.builder.scalar(Node::new(span, Value::Null));
            }
            return Ok(());
        };
        if self.builder.wants_key() {
            let text = target.node.scalar_text().map_or_else(|| target.node.to_json(), str::to_owned);
            self.builder.key(text, span);
            return Ok(());
        }
        self.builder.alias(target, start)
    }
}

fn typed(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    match tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str()) {
        Some("int" | "float") => return scalar::number(text).map_or(Value::String(text.to_owned()), Value::Number),
        Some("bool" | "null") => return scalar::plain(text),
        Some(_) => return Value::String(text.to_owned()),
        None => {}
    }
    let forced = tag.is_some_and(|tag| tag.handle == "!" && tag.suffix.is_empty());
    if style == ScalarStyle::Plain && !forced { scalar::plain(text) } else { Value::String(text.to_owned()) }
}

/// Length of what stands before a scalar and is none of it: `&anchor`, `!tag`, comments between them.
fn properties_length(source: &str) -> usize {
    let mut rest = source;
    loop {
        let end = match rest.as_bytes().first() {
            Some(b'&' | b'!') => rest.find(char::is_whitespace),
            Some(b'#') => rest.find(['\n', '\r']),
            _ => return source.len() - rest.len(),
        };
        rest = end.map_or("", |end| rest[end..].trim_start());
    }
}

/// The parser counts what follows a scalar on its line (a comment, line breaks) as part of it; this is its own length.
fn scalar_length(source: &str, style: ScalarStyle) -> usize {
    let quote = match style {
        ScalarStyle::SingleQuoted => b'\'',
        ScalarStyle::DoubleQuoted => b'"',
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => return source.trim_end().len(),
    };
    let bytes = source.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_line(text: &str, base: usize, at: usize) -> usize {
    let from = at - base;
    at + text.as_bytes()[from..].iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(text.len() - from)
}

/// Characters to bytes.
struct Offsets<'t> {
    text: &'t str,
    base: usize,
    /// Byte offset of every 64th character; empty for ASCII text, where both counts are the same.
    checkpoints: Vec<u32>,
}

const STEP: usize = 64;

impl<'t> Offsets<'t> {
    fn new(text: &'t str, base: usize) -> Self {
        let checkpoints = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().step_by(STEP).map(|(at, _)| at as u32).collect()
        };
        Offsets { text, base, checkpoints }
    }

    /// Markers past the end are moved to the end.
    fn byte(&self, marker: &Marker) -> usize {
        let index = marker.index();
        if self.checkpoints.is_empty() {
            return self.base + index.min(self.text.len());
        }
        let Some(from) = self.checkpoints.get(index / STEP) else { return self.base + self.text.len() };
        let rest = &self.text[*from as usize..];
        let further = rest.char_indices().nth(index % STEP).map_or(rest.len(), |(at, _)| at);
        self.base + *from as usize + further
    }
}
