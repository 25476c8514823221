//! Walking a syntax tree of any language: children in one pass, bounded depth, spans, and the counters of a module.

use tree_sitter::{Node, TreeCursor};

use super::grammar::{Grammar, Tables};
use crate::model::program::{Expr, ExprKind};
use crate::text::{FileId, Span};

/// Levels of statements and expressions within each other that are still lowered. Python itself refuses more than 100
/// indentations and 200 brackets; everything that walks a program tree may recurse because of this bound.
pub(super) const MAX_DEPTH: u32 = 200;

/// A child with what its parent says about it. Comments and the like are left out, errors are not.
pub(super) struct Child<'t, G: Grammar> {
    pub(super) kind: G::Kind,
    pub(super) field: G::Field,
    pub(super) node: Node<'t>,
}

impl<G: Grammar> Clone for Child<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Grammar> Copy for Child<'_, G> {}

impl<G: Grammar> Child<'_, G> {
    /// Whether it stands for something, rather than being a keyword, punctuation or an error.
    pub(super) fn is_part(&self) -> bool {
        self.kind != G::TOKEN && self.kind != G::ERROR
    }
}

/// Children that were opened: a range of [`Lowering::children`].
#[derive(Clone, Copy)]
pub(super) struct Opened {
    start: usize,
    end: usize,
}

impl Opened {
    pub(super) fn end(self) -> usize {
        self.end
    }
}

impl IntoIterator for Opened {
    type Item = usize;
    type IntoIter = std::ops::Range<usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.start..self.end
    }
}

/// The state of lowering one text.
pub(super) struct Lowering<'t, G: Grammar> {
    pub(super) text: &'t str,
    file: FileId,
    /// Every span is this one: the text is what a string says, it does not stand in the file as it is.
    fixed: Option<Span>,
    tables: &'static Tables<G>,
    cursor: TreeCursor<'t>,
    /// Children of every node that is being lowered, a stack.
    children: Vec<Child<'t, G>>,
    pub(super) depth: u32,
    /// The first place that lies too deep.
    pub(super) too_deep: Option<Span>,
    pub(super) functions: u32,
    pub(super) classes: u32,
    /// The function that is being lowered has yielded.
    pub(super) yielded: bool,
    /// What one language needs besides.
    pub(super) extra: G::Extra,
}

impl<'t, G: Grammar> Lowering<'t, G> {
    pub(super) fn new(
        tables: &'static Tables<G>,
        file: FileId,
        text: &'t str,
        root: Node<'t>,
        fixed: Option<Span>,
        depth: u32,
    ) -> Self {
        Lowering {
            text,
            file,
            fixed,
            tables,
            cursor: root.walk(),
            children: Vec::new(),
            depth,
            too_deep: None,
            functions: 0,
            classes: 0,
            yielded: false,
            extra: G::Extra::default(),
        }
    }

    pub(super) fn kind(&self, node: Node<'t>) -> G::Kind {
        self.tables.kind(node)
    }

    pub(super) fn file(&self) -> FileId {
        self.file
    }

    pub(super) fn span(&self, node: Node<'t>) -> Span {
        self.fixed.unwrap_or_else(|| Span::new(self.file, node.start_byte(), node.end_byte()))
    }

    pub(super) fn span_between(&self, start: usize, end: usize) -> Span {
        self.fixed.unwrap_or_else(|| Span::new(self.file, start, end))
    }

    /// What stands at a node; empty where the grammar filled in something that is missing.
    pub(super) fn slice(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Lists the children of a node; to be closed in reverse order of opening.
    pub(super) fn open(&mut self, node: Node<'t>) -> Opened {
        let start = self.children.len();
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let node = self.cursor.node();
                let kind = self.tables.kind(node);
                if !G::is_skipped(kind) {
                    let field = self.tables.field(self.cursor.field_id());
                    self.children.push(Child { kind, field, node });
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        Opened { start, end: self.children.len() }
    }

    pub(super) fn close(&mut self, opened: Opened) {
        self.children.truncate(opened.start);
    }

    pub(super) fn child(&self, index: usize) -> Child<'t, G> {
        self.children[index]
    }

    pub(super) fn opened(&self, opened: Opened) -> &[Child<'t, G>] {
        &self.children[opened.start..opened.end]
    }

    pub(super) fn by_field(&self, opened: Opened, field: G::Field) -> Option<Node<'t>> {
        self.opened(opened).iter().find(|child| child.field == field && child.kind != G::ERROR).map(|child| child.node)
    }

    pub(super) fn by_kind(&self, opened: Opened, kind: G::Kind) -> Option<Node<'t>> {
        self.opened(opened).iter().find(|child| child.kind == kind).map(|child| child.node)
    }

    /// The first children that are no keyword, punctuation or error.
    pub(super) fn parts<const N: usize>(&self, opened: Opened) -> [Option<Node<'t>>; N] {
        let mut parts = self.opened(opened).iter().filter(|child| child.is_part()).map(|child| child.node);
        std::array::from_fn(|_| parts.next())
    }

    pub(super) fn first_part(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let opened = self.open(node);
        let [part] = self.parts(opened);
        self.close(opened);
        part
    }

    pub(super) fn has_token(&self, opened: Opened, token: &str) -> bool {
        self.opened(opened).iter().any(|child| child.kind == G::TOKEN && self.slice(child.node) == token)
    }

    /// One level down; false, and noted, where that is too deep. Each success is paired with [`Lowering::leave`].
    pub(super) fn enter(&mut self, node: Node<'t>) -> bool {
        if self.depth >= MAX_DEPTH {
            self.note_too_deep(node);
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn note_too_deep(&mut self, node: Node<'t>) {
        if self.too_deep.is_none() {
            self.too_deep = Some(self.span(node));
        }
    }

    /// A name, unless the grammar filled in a missing one.
    pub(super) fn name(&self, node: Node<'t>) -> String {
        self.slice(node).to_owned()
    }

    /// What stands where an operand could not be read.
    pub(super) fn unreadable(&self, node: Node<'t>) -> Expr {
        Expr { span: self.span(node), kind: ExprKind::Other("unreadable syntax") }
    }
}
