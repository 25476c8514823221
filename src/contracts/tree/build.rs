//! Puts the tree together from a stream of values, with an explicit stack: depth and size are bounded by counting, not
//! by the machine's stack.

use std::sync::Arc;

use super::{Key, MAX_DEPTH, Members, Node, Tree, Value, push_segment};
use crate::contracts::{Issue, IssueKind};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, Span};

/// What aliases may add to a document, in values and 16-byte pieces of text; a document of more is cut there, which is
/// told.
const MAX_ALIASED: usize = 1_000_000;

/// A finished value with what an alias to it would cost.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub node: Node,
    /// Values in it.
    pub weight: usize,
    /// Containers nested in it.
    pub height: usize,
}

/// Reading cannot go on: a [`Problem`] was recorded.
#[derive(Debug)]
pub(super) struct Refused;

#[derive(Debug)]
enum Contents {
    Array(Vec<Node>),
    /// Members, the key whose value is awaited, and values of `<<`.
    Object(Vec<(Key, Node)>, Option<Awaited>, Vec<Node>),
}

#[derive(Debug)]
enum Awaited {
    Member(Key),
    /// `<<`, unquoted in YAML.
    Merge(Key),
}

#[derive(Debug)]
struct Frame {
    start: u32,
    anchor: usize,
    contents: Contents,
    weight: usize,
    height: usize,
}

#[derive(Debug)]
pub(super) struct Builder {
    file: FileId,
    stack: Vec<Frame>,
    root: Option<Node>,
    issues: Vec<Issue>,
    problems: Vec<Problem>,
    aliased: usize,
}

impl Builder {
    pub(super) fn new(file: FileId) -> Self {
        Builder { file, stack: Vec::new(), root: None, issues: Vec::new(), problems: Vec::new(), aliased: 0 }
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end.max(start))
    }

    /// Whether the next value is a key.
    pub(super) fn wants_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame { contents: Contents::Object(_, None, _), .. }))
    }

    pub(super) fn key(&mut self, text: String, span: Span) {
        self.await_value(Awaited::Member(Key { text, span }));
    }

    /// YAML's `<<`.
    pub(super) fn merge_key(&mut self, span: Span) {
        self.await_value(Awaited::Merge(Key { text: "<<".to_owned(), span }));
    }

    fn await_value(&mut self, key: Awaited) {
        if let Some(Frame { contents: Contents::Object(_, awaited, _), .. }) = self.stack.last_mut() {
            *awaited = Some(key);
        }
    }

    pub(super) fn open_array(&mut self, start: usize, anchor: usize) -> Result<(), Refused> {
        self.open(start, anchor, Contents::Array(Vec::new()))
    }

    pub(super) fn open_object(&mut self, start: usize, anchor: usize) -> Result<(), Refused> {
        self.open(start, anchor, Contents::Object(Vec::new(), None, Vec::new()))
    }

    fn open(&mut self, start: usize, anchor: usize, contents: Contents) -> Result<(), Refused> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.too_deep(start));
        }
        self.stack.push(Frame { start: start as u32, anchor, contents, weight: 1, height: 1 });
        Ok(())
    }

    /// Ends the innermost container. Gives it back with its anchor (0: none) for later aliases.
    pub(super) fn close(&mut self, end: usize) -> Option<(usize, Built)> {
        let built = self.finish_frame(end, false)?;
        let (anchor, built) = built;
        let anchored = (anchor != 0).then(|| (anchor, built.clone()));
        self.place(built);
        anchored
    }

    fn finish_frame(&mut self, end: usize, cut: bool) -> Option<(usize, Built)> {
        let frame = self.stack.pop()?;
        let value = match frame.contents {
            // Most hold one or two values, and room for four was made.
            Contents::Array(mut items) => {
                items.shrink_to_fit();
                Value::Array(Arc::new(items))
            }
            Contents::Object(mut entries, _, merges) => {
                entries.shrink_to_fit();
                let (members, duplicates) = Members::new(entries);
                for (first, again) in duplicates {
                    self.report_duplicate(&first, &again);
                }
                Value::Object(Arc::new(merge(members, &merges)))
            }
        };
        let node = Node { span: self.span(frame.start as usize, end), value, cut };
        Some((frame.anchor, Built { node, weight: frame.weight, height: frame.height }))
    }

    /// A scalar, or an aliased value.
    pub(super) fn place(&mut self, built: Built) {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(built.node);
            return;
        };
        frame.weight = frame.weight.saturating_add(built.weight);
        frame.height = frame.height.max(built.height + 1);
        match &mut frame.contents {
            Contents::Array(items) => items.push(built.node),
            Contents::Object(entries, awaited, merges) => match awaited.take() {
                Some(Awaited::Merge(_)) if is_mergeable(&built.node) => merges.push(built.node),
                Some(Awaited::Merge(key) | Awaited::Member(key)) => entries.push((key, built.node)),
                None => {}
            },
        }
    }

    pub(super) fn scalar(&mut self, node: Node) {
        let weight = 1 + node.scalar_text().map_or(0, |text| text.len() / 16);
        self.place(Built { node, weight, height: 0 });
    }

    pub(super) fn alias(&mut self, target: &Built, at: usize) -> Result<(), Refused> {
        self.aliased = self.aliased.saturating_add(target.weight);
        if self.aliased > MAX_ALIASED {
            let message = format!("aliases expand the document beyond {MAX_ALIASED} values");
            self.problems.push(self.problem(ProblemKind::TooLarge, at, message));
            return Err(Refused);
        }
        if self.stack.len() + target.height > MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        self.place(target.clone());
        Ok(())
    }

    pub(super) fn too_deep(&mut self, at: usize) -> Refused {
        let message = format!("values are nested more than {MAX_DEPTH} levels deep");
        self.problems.push(self.problem(ProblemKind::TooDeep, at, message));
        Refused
    }

    fn problem(&self, kind: ProblemKind, at: usize, message: String) -> Problem {
        Problem { path: String::new(), span: Some(self.span(at, at)), kind, message, help: None }
    }

    pub(super) fn issue(&mut self, kind: IssueKind, start: usize, end: usize, message: String) {
        let span = self.span(start, end);
        let pointer = self.pointer();
        self.issues.push(Issue { kind, span, pointer, message, help: None, related: None });
    }

    fn report_duplicate(&mut self, first: &Key, again: &Key) {
        let mut pointer = self.pointer();
        push_segment(&mut pointer, &again.text);
        self.issues.push(Issue {
            kind: IssueKind::DuplicateKey,
            span: again.span,
            pointer,
            message: format!("key `{}` is repeated in the same object", again.text),
            help: Some("keep one of the two; the first one is used here".to_owned()),
            related: Some((first.span, format!("`{}` stands here first", first.text))),
        });
    }

    /// Where the value that is read next will stand.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for frame in &self.stack {
            match &frame.contents {
                Contents::Array(items) => push_segment(&mut pointer, &items.len().to_string()),
                Contents::Object(_, Some(Awaited::Member(key) | Awaited::Merge(key)), _) => {
                    push_segment(&mut pointer, &key.text);
                }
                Contents::Object(_, None, _) => {}
            }
        }
        pointer
    }

    /// The finished tree. Containers that are still open are closed and marked as cut.
    pub(super) fn finish(mut self, end: usize) -> Tree {
        let mut cut = !self.stack.is_empty();
        while let Some((_, built)) = self.finish_frame(end, true) {
            self.place(built);
        }
        cut |= self.root.is_none() && self.issues.iter().any(|issue| issue.kind == IssueKind::Syntax);
        let empty = Node { span: self.span(0, 0), value: Value::Null, cut };
        let mut root = self.root.take().unwrap_or(empty);
        root.cut |= cut;
        self.issues.sort_by_key(|issue| issue.span);
        Tree { root, issues: self.issues, problems: self.problems, not_json: None }
    }
}

/// A merge key takes an object or a list of objects; anything else is an ordinary member named `<<`.
fn is_mergeable(node: &Node) -> bool {
    node.is_object() || (!node.items().is_empty() && node.items().iter().all(Node::is_object))
}

/// YAML's merge key: members of `merges` that the object does not have itself, earlier ones first.
fn merge(members: Members, merges: &[Node]) -> Members {
    if merges.is_empty() {
        return members;
    }
    let mut entries = members.entries;
    for node in merges {
        let sources = if node.is_object() { std::slice::from_ref(node) } else { node.items() };
        entries.extend(sources.iter().flat_map(Node::entries).cloned());
    }
    Members::new(entries).0
}
