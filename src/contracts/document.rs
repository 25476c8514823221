//! A contract document as the rest of `contracts` sees it: parsed, or known to be unreadable.

use std::collections::BTreeSet;

use super::reference::{self, Reference};
use super::tree::{self, Tree};
use super::{Declarations, Issue, table};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, Span};

/// Larger texts are refused.
pub const MAX_BYTES: usize = 32 << 20;

/// One entry of the map of documents.
#[derive(Clone, Debug)]
pub enum Document {
    Read(Parsed),
    /// Of a format that has no tree: read already.
    Declared(Box<Declarations>),
    /// Asked for, and refused or unreadable.
    Absent {
        reason: Problem,
    },
}

impl Document {
    /// The file that was read.
    pub fn file(&self) -> Option<FileId> {
        match self {
            Document::Read(parsed) => Some(parsed.file),
            Document::Declared(declarations) => Some(declarations.file),
            Document::Absent { .. } => None,
        }
    }
}

/// A document that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub file: FileId,
    pub tree: Tree,
}

/// Reads a document of any kind. Never fails: see [`tree::read`]. A text over [`MAX_BYTES`] is not looked at.
pub fn parse(file: FileId, text: &str) -> Document {
    if text.len() > MAX_BYTES {
        let message = format!("{} bytes are more than a contract may have ({MAX_BYTES})", text.len());
        let mut reason = Problem::new(ProblemKind::TooLarge, "", message);
        reason.span = Some(Span::new(file, 0, 0));
        return Document::Absent { reason };
    }
    Document::Read(Parsed { file, tree: tree::read(file, text) })
}

/// Reads a document of the kind that its name says: Markdown may hold tables of requirements, anything else is a tree.
pub fn parse_file(file: FileId, path: &str, text: &str) -> Document {
    if table::is_markdown(path) && text.len() <= MAX_BYTES {
        return Document::Declared(Box::new(table::read(file, text)));
    }
    parse(file, text)
}

/// Files that the document's references lead to: as written, without fragment, sorted, each once. Remote ones are left
/// out, because they are never followed. Give each to [`super::join`] for its path.
pub fn referenced_files(document: &Document) -> Vec<String> {
    let Document::Read(parsed) = document else { return Vec::new() };
    let files: BTreeSet<String> = reference::all(&parsed.tree.root)
        .into_iter()
        .filter_map(|found| match reference::parse(found.text) {
            Reference::File(file, _) => Some(file),
            Reference::Local(_) | Reference::Remote => None,
        })
        .collect();
    files.into_iter().collect()
}

impl Parsed {
    /// What is wrong with the text itself. A file that is named JSON must be JSON.
    pub(super) fn text_issues(&self, path: &str) -> Vec<Issue> {
        let named_json = path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let not_json = self.tree.not_json.iter().filter(|_| named_json);
        self.tree.issues.iter().chain(not_json).cloned().collect()
    }
}

/// Words that state which format a contract is, and in which version.
const STATING: [&str; 3] = ["openapi", "swagger", "asyncapi"];
/// Where the identifiers of JSON Schema's own dialects lie.
const META_SCHEMA: &str = "json-schema.org/";

/// Whether a text looks like an OpenAPI, Swagger or AsyncAPI document: a top-level key of that name with a version; or a
/// JSON Schema: a top-level `$schema` that is one of JSON Schema's own.
/// Cheap: nothing is parsed, and a text without those words is left at once.
pub fn sniff(path: &str, text: &str) -> bool {
    if table::is_markdown(path) {
        return table::sniff(path, text);
    }
    let extension = path.rsplit('.').next().unwrap_or("");
    if !["json", "yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return false;
    }
    if super::wiring::sniff(path, text) {
        return true;
    }
    if !STATING.iter().any(|word| text.contains(word)) && !text.contains(META_SCHEMA) {
        return false;
    }
    let text = text.trim_start_matches('\u{feff}');
    let body = text.trim_start();
    if body.starts_with('{') { sniff_braces(body) } else { sniff_block(text) }
}

/// Keys in the column of the first one: that of the root, which need not be the first column.
fn sniff_block(text: &str) -> bool {
    let is_content = |line: &&str| !line.trim_start().starts_with(['#', '%']) && !line.trim().is_empty();
    let mut lines = text.lines().filter(is_content).skip_while(|line| line.starts_with("---")).peekable();
    let indent = lines.peek().map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    lines
        .filter_map(|line| line.split_at_checked(indent))
        .any(|(before, rest)| before.trim().is_empty() && sniff_line(rest))
}

/// `openapi: 3.0.3`, `asyncapi: 2.6.0`, and nothing before it.
fn sniff_line(line: &str) -> bool {
    let line = line.trim_start_matches(['"', '\'']);
    if let Some(rest) = line.strip_prefix("$schema") {
        let value = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':').unwrap_or("").trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        let value = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
        return value.is_some_and(|value| value.starts_with(META_SCHEMA));
    }
    let Some(rest) = STATING.iter().find_map(|word| line.strip_prefix(word)) else { return false };
    let Some(value) = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':') else { return false };
    value.trim_start().trim_start_matches(['"', '\'']).starts_with(|c: char| c.is_ascii_digit())
}

/// The same among the keys of the outermost braces.
fn sniff_braces(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'o' | b's' | b'a' | b'$'
                if depth == 1 && !bytes[at - 1].is_ascii_alphanumeric() && sniff_line(head(text, at)) =>
            {
                return true;
            }
            b'"' => {
                if depth == 1 && sniff_line(head(text, at)) {
                    return true;
                }
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Enough of the text from `at` on to hold a key and the start of a version.
fn head(text: &str, at: usize) -> &str {
    &text[at..text.floor_char_boundary(at + 64)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_are_told_by_a_top_level_version() {
        for (path, text) in [
            ("a.json", r#"{"openapi": "3.1.0"}"#),
            ("a.JSON", "\u{feff}{ \"info\": {\"x\": \"\\\"{\"}, \"swagger\"\n : \"2.0\"}"),
            ("a.yaml", "# hello\nopenapi: 3.0.0\n"),
            ("a.yml", "info:\n  title: x\n\"swagger\": '2.0'\r\n"),
            ("a.yaml", "{openapi: 3.0.0}"),
            ("a.yaml", "{asyncapi: 3.0.0}"),
            ("a.json", r#"{"asyncapi": "2.6.0"}"#),
            ("a.yml", "asyncapi: '2.0.0'\n"),
            ("a.yaml", "---\n# x\n  info: ü\n  swagger: 2.0\n"),
            ("a.json", r#"{"$schema": "http://json-schema.org/draft-07/schema#"}"#),
            ("a.yml", "$schema: https://json-schema.org/draft/2020-12/schema\n"),
        ] {
            assert!(sniff(path, text), "{text}");
        }
        for (path, text) in [
            ("a.json", r#"{"info": {"openapi": "3.1.0"}}"#),
            ("a.json", r#"{"name": "openapi", "version": "3.1.0", "x": ["openapi"]}"#),
            ("a.yaml", "x:\n  openapi: 3.0.0\n"),
            ("a.yaml", "openapi:\n  generator: yes\n"),
            ("a.yaml", "openapi-generator: 3\n"),
            ("a.py", "openapi: 3.0.0"),
            ("a.json", "{"),
        ] {
            assert!(!sniff(path, text), "{text}");
        }
    }

    #[test]
    fn referenced_files_are_listed_once_without_fragment() {
        let text = "a: {$ref: './c.yaml#/X'}\nb: {$ref: './c.yaml#/Y'}\nc: {$ref: '#/a'}\nd: {$ref: 'https://e.com/x'}\ne: {$ref: b.yaml}\n";
        assert_eq!(referenced_files(&parse(FileId(0), text)), ["./c.yaml", "b.yaml"]);
    }

    #[test]
    fn a_huge_text_is_refused_unread() {
        let text = " ".repeat(MAX_BYTES + 1);
        assert!(matches!(parse(FileId(0), &text), Document::Absent { reason } if reason.kind == ProblemKind::TooLarge));
    }
}
