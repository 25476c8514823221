//! One value tree for JSON and YAML that remembers where every key and value stands, because a finding about a contract
//! must point at its line. Building it never fails: what is broken becomes an [`Issue`] or a [`Problem`], and what
//! stands before stays usable.

mod build;
mod json;
mod scalar;
mod yaml;

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Issue, IssueKind};
use crate::finding::Problem;
use crate::text::{FileId, Span};

/// Containers nested deeper than this are refused; real contracts stay below 60.
pub const MAX_DEPTH: usize = 250;

/// Members that are looked through one by one.
const FEW: usize = 8;

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Of an aliased value: the place of the anchor.
    pub span: Span,
    pub value: Value,
    /// The text breaks off (syntax error) inside this container: members may be missing.
    pub cut: bool,
}

/// JSON's values. Containers are shared, so that a YAML alias costs nothing.
#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    /// Decimal text; as written wherever that is a JSON number.
    Number(String),
    String(String),
    Array(Arc<Vec<Node>>),
    Object(Arc<Members>),
}

/// A key of an object. A YAML key is always text: `200:` is `"200"`.
#[derive(Clone, Debug)]
pub struct Key {
    pub text: String,
    pub span: Span,
}

/// The members of an object in the order of the document, each key once.
#[derive(Clone, Debug, Default)]
pub struct Members {
    entries: Vec<(Key, Node)>,
    /// Indices of `entries` sorted by key; none where there are [`FEW`].
    order: Box<[u32]>,
}

/// What reading a text gave.
#[derive(Clone, Debug)]
pub struct Tree {
    pub root: Node,
    pub issues: Vec<Issue>,
    /// Limits that were hit. Their `path` is empty: a text does not know it.
    pub problems: Vec<Problem>,
    /// The text is JSON but for this; reading it as YAML went well. An issue where the file claims to be JSON.
    pub not_json: Option<Issue>,
}

/// Reads JSON or YAML. A leading byte-order mark is skipped; spans count its bytes.
pub fn read(file: FileId, text: &str) -> Tree {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = &text[start..];
    if !body.trim_start().starts_with(['{', '[']) {
        return yaml::read(file, body, start);
    }
    let json = json::read(file, body, start);
    let looks_like_json = body.trim_start()[1..].trim_start().starts_with(['"', '{', '[']);
    let Some(json_error) = json.syntax_error().cloned() else { return json };
    let mut yaml = yaml::read(file, body, start);
    if yaml.syntax_error().is_none() && yaml.problems.is_empty() {
        yaml.not_json = looks_like_json.then_some(json_error);
        return yaml;
    }
    if looks_like_json { json } else { yaml }
}

impl Tree {
    /// The first place where the text is no JSON or YAML.
    pub fn syntax_error(&self) -> Option<&Issue> {
        self.issues.iter().find(|issue| issue.kind == IssueKind::Syntax)
    }
}

impl Node {
    pub fn new(span: Span, value: Value) -> Self {
        Node { span, value, cut: false }
    }

    /// Members of an object; empty for anything else.
    pub fn entries(&self) -> &[(Key, Node)] {
        match &self.value {
            Value::Object(members) => &members.entries,
            _ => &[],
        }
    }

    /// Elements of an array; empty for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// Member of an object.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Member of an object with its key.
    pub fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        match &self.value {
            Value::Object(members) => members.find(key).map(|at| &members.entries[at]),
            _ => None,
        }
    }

    /// Text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Text of a string, or of a number that should have been quoted (`version: 1.0`).
    pub fn scalar_text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) | Value::Number(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self.value, Value::Bool(true))
    }

    pub fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }

    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// `string`, `object`, …: for messages.
    pub fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// The value at a JSON pointer (RFC 6901), given as unescaped segments.
    pub fn at(&self, segments: impl IntoIterator<Item = impl AsRef<str>>) -> Option<&Node> {
        let mut node = self;
        for segment in segments {
            let segment = segment.as_ref();
            node = match &node.value {
                Value::Object(_) => node.get(segment)?,
                Value::Array(items) if !segment.starts_with('+') => items.get(segment.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// Compact JSON, keys in the order of the document.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match &self.value {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => {
                let _ = write!(out, "{value}");
            }
            Value::Number(text) => out.push_str(text),
            Value::String(text) => write_json_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.entries.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    write_json_string(&key.text, out);
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_json_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

impl Members {
    /// Sorts once, so that look-up in an object of any size is cheap. Of equal keys the first is kept; the others are
    /// given back as `(first, again)`.
    fn new(entries: Vec<(Key, Node)>) -> (Self, Vec<(Key, Key)>) {
        let is_new = |at: usize| entries[..at].iter().all(|(key, _)| key.text != entries[at].0.text);
        if entries.len() <= FEW && (1..entries.len()).all(is_new) {
            return (Members { entries, order: Box::default() }, Vec::new());
        }
        let mut order: Box<[u32]> = (0..entries.len() as u32).collect();
        order.sort_by(|a, b| entries[*a as usize].0.text.cmp(&entries[*b as usize].0.text));
        let repeated =
            order.windows(2).any(|pair| entries[pair[0] as usize].0.text == entries[pair[1] as usize].0.text);
        if !repeated {
            return (Members { entries, order }, Vec::new());
        }
        let mut first = 0;
        let mut dropped = vec![None; entries.len()];
        for (place, at) in order.iter().enumerate() {
            if place > 0 && entries[*at as usize].0.text == entries[order[first] as usize].0.text {
                dropped[*at as usize] = Some(order[first] as usize);
            } else {
                first = place;
            }
        }
        let duplicates = dropped
            .iter()
            .enumerate()
            .filter_map(|(at, first)| first.map(|first| (entries[first].0.clone(), entries[at].0.clone())))
            .collect();
        let kept = entries.into_iter().zip(dropped).filter(|(_, dropped)| dropped.is_none()).map(|(entry, _)| entry);
        let (members, _) = Members::new(kept.collect());
        (members, duplicates)
    }

    fn find(&self, key: &str) -> Option<usize> {
        if self.order.is_empty() {
            return self.entries.iter().position(|(known, _)| known.text == key);
        }
        let place = self.order.binary_search_by(|at| self.entries[*at as usize].0.text.as_str().cmp(key)).ok()?;
        Some(self.order[place] as usize)
    }
}

/// Appends a segment to a JSON pointer, escaped.
pub fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for c in segment.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}

/// Values that a document may have when its aliases are written out.
const MOST_VALUES: usize = 2_000_000;

/// A document of JSON or YAML as data.
///
/// # Errors
/// What is wrong, with its line, or more values than a document may have.
pub fn value(text: &str) -> Result<serde_json::Value, String> {
    let tree = read(FileId(0), text);
    if let Some(issue) = tree.syntax_error() {
        let line = text[..(issue.span.start as usize).min(text.len())].lines().count().max(1);
        return Err(format!("line {line}: {}", issue.message));
    }
    if let Some(problem) = tree.problems.first() {
        return Err(problem.message.clone());
    }
    if !is_small(&tree.root, &mut MOST_VALUES.clone()) {
        return Err(format!("it has more than {MOST_VALUES} values"));
    }
    serde_json::from_str(&tree.root.to_json()).map_err(|error| error.to_string())
}

fn is_small(node: &Node, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    node.items().iter().chain(node.entries().iter().map(|(_, value)| value)).all(|inner| is_small(inner, left))
}

#[cfg(test)]
mod tests;
