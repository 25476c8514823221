//! Source text: which file a byte belongs to, and which line and column it stands on.

use std::sync::Arc;

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }
}

/// A place as people count it: both from 1, columns in Unicode code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// One file that was read: its path as shown to the user (relative to the working directory where it lies below
/// it, forward slashes) and its text without a byte-order mark.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: String,
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Offsets inside of long lines with their columns, so that a place in a minified file costs no walk from its start.
    columns: Vec<Mark>,
    /// Known from elsewhere: there is no text, and what a span has for an offset is the line.
    elsewhere: bool,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u32,
    /// Characters before it in its line.
    column: u32,
}

/// Bytes of a line from one mark to the next.
const STRIDE: usize = 1024;

impl SourceFile {
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        let columns = marks(&text, &line_starts);
        SourceFile { path: path.into(), text, line_starts, columns, elsewhere: false }
    }

    /// A file that only its name and lines are known of. Spans in it hold lines, from 1, in place of offsets.
    pub fn elsewhere(path: impl Into<String>) -> Self {
        SourceFile { elsewhere: true, ..SourceFile::new(path, "") }
    }

    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Line and column of a byte offset; an offset past the end or inside a character is moved back to the nearest
    /// character before it.
    pub fn position(&self, offset: u32) -> Position {
        if self.elsewhere {
            return Position { line: offset.max(1), column: 1 };
        }
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.line_starts.partition_point(|start| *start as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let before = self.columns.partition_point(|mark| mark.offset as usize <= offset);
        let mark = before.checked_sub(1).map(|at| self.columns[at]).filter(|mark| mark.offset as usize >= start);
        let (from, counted) = mark.map_or((start, 0), |mark| (mark.offset as usize, mark.column as usize));
        let column = counted + self.text[from..offset].chars().count();
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// Number of lines; an empty file has one.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// Byte offset of a line's (from 1) first character; the end of the text for a line that does not exist.
    pub fn line_start(&self, line: u32) -> usize {
        self.line_starts.get((line as usize).wrapping_sub(1)).map_or(self.text.len(), |start| *start as usize)
    }

    /// The text of a line (from 1) without its line break; empty for a line that does not exist.
    pub fn line(&self, line: u32) -> &str {
        let Some(start) = self.line_starts.get((line as usize).wrapping_sub(1)) else { return "" };
        let end = self.line_starts.get(line as usize).map_or(self.text.len(), |next| *next as usize);
        self.text[*start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

fn marks(text: &str, line_starts: &[u32]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let ends = line_starts.iter().skip(1).map(|start| *start as usize).chain([text.len()]);
    for (start, end) in line_starts.iter().map(|start| *start as usize).zip(ends) {
        let (mut at, mut column) = (start, 0);
        while end - at > STRIDE {
            let next = text.ceil_char_boundary(at + STRIDE);
            column += text[at..next].chars().count();
            at = next;
            marks.push(Mark { offset: at as u32, column: column as u32 });
        }
    }
    marks
}

/// Every file of one run. Ids are handed out in the order of insertion.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    pub fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn path(&self, span: Span) -> &str {
        &self.get(span.file).path
    }

    /// Positions of the first byte and of the byte after the last one.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        let file = self.get(span.file);
        (file.position(span.start), file.position(span.end.max(span.start)))
    }

    /// `path:line`, as reasons and traces quote places.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.path(span), self.positions(span).0.line)
    }

    pub fn snippet(&self, span: Span) -> &str {
        let text = &self.get(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_long_lines_are_those_of_short_ones() {
        let line = "aü世🙂".repeat(700);
        let file = SourceFile::new("a.json", format!("short\n{line}\n{line}"));
        for (at, _) in file.text.char_indices() {
            let start = file.text[..at].rfind('\n').map_or(0, |start| start + 1);
            let column = file.text[start..at].chars().count() as u32 + 1;
            assert_eq!(file.position(at as u32).column, column, "{at}");
        }
    }

    #[test]
    fn columns_count_characters_and_survive_crlf_and_tabs() {
        let file = SourceFile::new("a.py", "ab\r\n\tü世x\r\nend");
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        let x = file.text.find('x').expect("x is in the text") as u32;
        assert_eq!(file.position(x), Position { line: 2, column: 4 });
        assert_eq!(file.line(2), "\tü世x");
        assert_eq!(file.position(10_000), Position { line: 3, column: 4 });
        assert_eq!(file.line(99), "");
    }
}
