//! Finds the cases in a Markdown document.

use std::ops::Range;

/// One `###` below `## Cases`.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) title: String,
    /// Of the heading, from 1.
    pub(super) line: usize,
    pub(super) blocks: Vec<Block>,
}

/// One fenced block that means something.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) role: Role,
    /// Name of the file; empty for an expectation.
    pub(super) title: String,
    pub(super) text: String,
    /// Where the text stands in the document.
    pub(super) content: Range<usize>,
    /// Of the opening fence, from 1.
    pub(super) line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    File,
    Findings,
    Facts,
    Requests,
    Wires,
}

/// The cases of a document in order. CommonMark as far as cases need it: headings and fences at the start of a line.
pub(super) fn cases(document: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut below = false;
    let mut lines = Lines { document, at: 0, number: 0 };
    while let Some((line, _)) = lines.next() {
        if let Some(fence) = Fence::open(line) {
            let opened = lines.number;
            let start = lines.at;
            let mut end = start;
            while let Some((inner, range)) = lines.next() {
                end = range.start;
                if fence.closes(inner) {
                    break;
                }
                end = range.end;
            }
            if let (Some((role, title)), Some(case)) = (fence.meaning(), cases.last_mut().filter(|_| below)) {
                let text = document[start..end].to_owned();
                case.blocks.push(Block { role, title, text, content: start..end, line: opened });
            }
        } else if let Some(title) = line.strip_prefix("### ").filter(|_| below) {
            cases.push(Case { title: title.trim().to_owned(), line: lines.number, blocks: Vec::new() });
        } else if line.starts_with("## ") || line.starts_with("# ") {
            below = line.trim_end() == "## Cases";
        }
    }
    cases
}

struct Lines<'d> {
    document: &'d str,
    at: usize,
    number: usize,
}

impl<'d> Lines<'d> {
    /// The next line without its break, and where it stands with it.
    fn next(&mut self) -> Option<(&'d str, Range<usize>)> {
        let rest = &self.document[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let range = self.at..self.at + length;
        self.at += length;
        self.number += 1;
        Some((rest[..length].trim_end_matches(['\n', '\r']), range))
    }
}

struct Fence<'d> {
    length: usize,
    info: &'d str,
}

impl<'d> Fence<'d> {
    fn open(line: &'d str) -> Option<Self> {
        let length = line.bytes().take_while(|byte| *byte == b'`').count();
        let info = line[length..].trim();
        (length >= 3 && !info.contains('`')).then_some(Fence { length, info })
    }

    fn closes(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.len() >= self.length && line.bytes().all(|byte| byte == b'`')
    }

    fn meaning(&self) -> Option<(Role, String)> {
        match self.info {
            "findings" => Some((Role::Findings, String::new())),
            "facts" => Some((Role::Facts, String::new())),
            "requests" => Some((Role::Requests, String::new())),
            "wires" => Some((Role::Wires, String::new())),
            info => {
                let (_, rest) = info.split_once("title=\"")?;
                let (title, _) = rest.split_once('"')?;
                Some((Role::File, title.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# X\n\n```findings\nnot a case\n```\n\n## Cases\n\n### First one\r\n\n```python title=\"a.py\"\n# not a heading\n## neither\n```\n\n```text\nprose\n```\n\n```findings\n```\n\n### Second\n\n````facts\nline\n```\n````\n\n## After\n\n### no case\n";

    #[test]
    fn only_titled_blocks_and_expectations_below_the_heading_count() {
        let cases = cases(DOCUMENT);
        assert_eq!(
            cases.iter().map(|case| (case.title.as_str(), case.line)).collect::<Vec<_>>(),
            [("First one", 9), ("Second", 23)]
        );
        let first: Vec<_> =
            cases[0].blocks.iter().map(|block| (block.role, block.title.as_str(), block.text.as_str())).collect();
        assert_eq!(first, [(Role::File, "a.py", "# not a heading\n## neither\n"), (Role::Findings, "", "")]);
        assert_eq!(cases[1].blocks[0].text, "line\n```\n");
        assert_eq!(&DOCUMENT[cases[1].blocks[0].content.clone()], "line\n```\n");
    }

    #[test]
    fn a_fence_that_is_never_closed_runs_to_the_end() {
        let cases = cases("## Cases\n### a\n```findings\nx");
        assert_eq!(cases[0].blocks[0].text, "x");
    }
}
