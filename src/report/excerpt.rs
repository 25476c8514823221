//! Source excerpts of several files in one diagnostic: the few lines around each mark, made harmless, laid out one
//! after the other in one text of their own, so that `miette` can show both sides of a finding at once.
//!
//! `miette` searches a file from its start for every label and counts columns in bytes; here the lines are known, so a
//! mark costs a few lines whatever the size of its file, and columns count characters.

use std::fmt::Write as _;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::visible::{visible, visible_source};
use crate::text::{FileId, Position, SourceFile, Sources, Span};

/// Lines shown above and below a mark.
const CONTEXT: u32 = 1;
/// Longer lines (minified documents) are cut to a window around their mark.
const MAX_LINE: usize = 160;
/// Stands for a line that is known from facts only.
const ELSEWHERE: &str = "…";

/// A place to point at, and what to say about it.
pub(crate) struct Mark<'a> {
    pub span: Span,
    pub text: &'a str,
}

/// The excerpts of one finding. Implements [`SourceCode`] over a text of its own.
#[derive(Debug)]
pub(crate) struct Excerpts {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    name: String,
    /// Range in `text`.
    start: usize,
    end: usize,
    /// From 0.
    first_line: usize,
    lines: usize,
    /// Start of each mark in `text`, and where it stands in its file.
    marks: Vec<(usize, Position)>,
}

/// Lines of one file that are shown together.
struct Group<'m> {
    file: FileId,
    first: u32,
    last: u32,
    marks: Vec<Placed<'m>>,
}

struct Placed<'m> {
    primary: bool,
    position: Position,
    span: Span,
    text: &'m str,
}

/// Cuts out what `marks` point at; the first is the primary one and its excerpt comes first. Gives the labels that
/// belong to the excerpts' own text.
pub(crate) fn cut(sources: &Sources, marks: &[Mark<'_>]) -> (Excerpts, Vec<LabeledSpan>) {
    let mut excerpts = Excerpts { text: String::new(), parts: Vec::new() };
    let mut labels = Vec::with_capacity(marks.len());
    for group in group(sources, marks) {
        excerpts.push(sources.get(group.file), &group, &mut labels);
    }
    (excerpts, labels)
}

fn group<'m>(sources: &Sources, marks: &[Mark<'m>]) -> Vec<Group<'m>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let file = mark.span.file;
        let position = sources.get(file).position(mark.span.start);
        let context = if sources.get(file).is_elsewhere() { 0 } else { CONTEXT };
        let (first, last) = (position.line.saturating_sub(context).max(1), position.line.saturating_add(context));
        let placed = Placed { primary: index == 0, position, span: mark.span, text: mark.text };
        let near = groups.iter_mut().find(|it| it.file == file && first <= it.last + 1 && last + 1 >= it.first);
        match near {
            Some(group) => {
                group.first = group.first.min(first);
                group.last = group.last.max(last);
                group.marks.push(placed);
            }
            None => groups.push(Group { file, first, last, marks: vec![placed] }),
        }
    }
    groups
}

impl Excerpts {
    fn push(&mut self, file: &SourceFile, group: &Group<'_>, labels: &mut Vec<LabeledSpan>) {
        // Between two parts one byte belongs to neither, so that no span touches both.
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        let last = if file.is_elsewhere() { group.first } else { group.last.min(file.line_count()) };
        let mut marks = Vec::with_capacity(group.marks.len());
        for line in group.first..=last {
            if line > group.first {
                self.text.push('\n');
            }
            let here: Vec<&Placed<'_>> = group.marks.iter().filter(|mark| mark.position.line == line).collect();
            let (from, window) = if file.is_elsewhere() {
                (line as usize, ELSEWHERE)
            } else {
                window(file.line(line), file.line_start(line), here.first().map(|mark| mark.span))
            };
            let (shown, offsets) = visible_source(window);
            let cut_left = !file.is_elsewhere() && from > file.line_start(line);
            let cut_right = from + window.len() < file.line_start(line) + file.line(line).len();
            if cut_left {
                self.text.push('…');
            }
            let base = self.text.len();
            self.text.push_str(&shown);
            if cut_right {
                self.text.push('…');
            }
            for mark in here {
                let begin = offsets[(mark.span.start as usize).saturating_sub(from).min(window.len())];
                let end = offsets[(mark.span.end as usize).saturating_sub(from).min(window.len())];
                let span = (base + begin, end.saturating_sub(begin));
                marks.push((span.0, mark.position));
                let text = (!mark.text.is_empty()).then(|| visible(mark.text).into_owned());
                labels.push(if mark.primary {
                    LabeledSpan::new_primary_with_span(text, span)
                } else {
                    LabeledSpan::new_with_span(text, span)
                });
            }
        }
        self.parts.push(Part {
            name: visible(&file.path).into_owned(),
            start,
            end: self.text.len(),
            first_line: group.first as usize - 1,
            lines: (last + 1).saturating_sub(group.first) as usize,
            marks,
        });
    }
}

/// The part of a line that is shown: all of it, or what surrounds the mark (the beginning, without one). Gives the
/// byte offset in the file where it starts.
fn window(line: &str, line_start: usize, mark: Option<Span>) -> (usize, &str) {
    if line.len() <= MAX_LINE {
        return (line_start, line);
    }
    let wanted = mark.map_or(0, |span| (span.start as usize).saturating_sub(line_start).saturating_sub(MAX_LINE / 4));
    let start = line.floor_char_boundary(wanted);
    let end = line.floor_char_boundary(start + MAX_LINE);
    (line_start + start, &line[start..end])
}

impl SourceCode for Excerpts {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let part =
            self.parts.iter().find(|part| part.start <= start && end <= part.end).ok_or(MietteError::OutOfBounds)?;
        let contents = if before == 0 && after == 0 {
            // The exact place: asked for to print `file:line:column` above the excerpt.
            let position = part.marks.iter().find(|(at, _)| *at == start).map(|(_, position)| *position);
            let (line, column) =
                position.map_or((part.first_line, 0), |it| (it.line as usize - 1, it.column as usize - 1));
            (start, end, line, column, 1)
        } else {
            (part.start, part.end, part.first_line, 0, part.lines)
        };
        let (start, end, line, column, lines) = contents;
        Ok(Box::new(MietteSpanContents::new_named(
            part.name.clone(),
            &self.text.as_bytes()[start..end],
            (start, end - start).into(),
            line,
            column,
            lines,
        )))
    }
}

/// `n thing` or `n things`.
pub(crate) fn count(n: usize, thing: &str) -> String {
    let mut out = format!("{n} {thing}");
    if n != 1 {
        write!(out, "s").expect("a string takes any text");
    }
    out
}
