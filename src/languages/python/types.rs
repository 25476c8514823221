//! Places for types: the grammar's own type nodes, and strings that are forward references.

use tree_sitter::Node;

use super::kinds::Kind;
use super::tree::{Lowering, Place};
use crate::model::program::{BinaryOp, Expr, ExprKind};
use crate::text::{FileId, Span};

/// A forward reference is shorter than this; a longer string in a subscript is prose.
const MAX_REFERENCE: usize = 4096;

impl<'t> Lowering<'t> {
    /// `Name[A, B]`
    pub(super) fn generic_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [name] = self.parts(opened);
        let parameters = self.by_kind(opened, Kind::TypeParameter);
        self.close(opened);
        let object = self.part(name, node, Place::Type);
        let index = parameters.map_or_else(Vec::new, |parameters| {
            let opened = self.open(parameters);
            let index = self.expressions_of(opened, Place::Type);
            self.close(opened);
            index
        });
        ExprKind::Index { object: Box::new(object), index }
    }

    /// `A | B`
    pub(super) fn union_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let parts = self.parts(opened);
        self.close(opened);
        let [Some(left), Some(right)] = parts else { return ExprKind::Other("unreadable syntax") };
        let left = Box::new(self.expr(left, Place::Type));
        let right = Box::new(self.expr(right, Place::Type));
        ExprKind::Binary { op: BinaryOp::BitOr, left, right }
    }

    /// `A[B].C`
    pub(super) fn member_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let parts = self.parts(opened);
        self.close(opened);
        let [Some(object), Some(name)] = parts else { return ExprKind::Other("unreadable syntax") };
        ExprKind::Member { object: Box::new(self.expr(object, Place::Type)), name: self.name(name) }
    }

    /// What a string in a place for types refers to.
    pub(super) fn forward_reference(&self, text: &str, span: Span) -> Option<Box<Expr>> {
        forward_reference(self.file(), text, span, self.depth).map(Box::new)
    }
}

fn forward_reference(file: FileId, text: &str, span: Span, depth: u32) -> Option<Expr> {
    let text = text.trim();
    if text.len() > MAX_REFERENCE {
        return None;
    }
    if let Some(expr) = dotted(text, span) {
        return Some(expr);
    }
    // Only these make an expression of names out of more than one; most strings in subscripts end here.
    let first = text.chars().next()?;
    let starts = first == '_' || first.is_alphabetic() || matches!(first, '[' | '(' | '"' | '\'');
    if !starts || !text.contains(['[', '|', '(', '"', '\'', '.']) {
        return None;
    }
    super::parse_nested(file, span, text, depth).filter(is_type)
}

/// `Name`, `a.b.Name`, `None` and the like, without a parser.
fn dotted(text: &str, span: Span) -> Option<Expr> {
    let mut parts = text.split('.');
    let first = parts.next().filter(|part| is_identifier(part));
    let kind = match first {
        None if text == "..." => return Some(Expr { span, kind: ExprKind::Ellipsis }),
        None => return None,
        Some("None") => ExprKind::None,
        Some("True") => ExprKind::Bool(true),
        Some("False") => ExprKind::Bool(false),
        Some(name) if is_keyword(name) => return None,
        Some(name) => ExprKind::Name(name.to_owned()),
    };
    let mut expr = Expr { span, kind };
    for (depth, part) in parts.enumerate() {
        if !is_identifier(part) || is_keyword(part) || depth > 20 {
            return None;
        }
        expr = Expr { span, kind: ExprKind::Member { object: Box::new(expr), name: part.to_owned() } };
    }
    Some(expr)
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && chars.all(|char| char == '_' || char.is_alphanumeric())
}

fn is_keyword(text: &str) -> bool {
    matches!(
        text,
        "and"
            | "as"
            | "assert"
            | "async"
            | "await"
            | "break"
            | "class"
            | "continue"
            | "def"
            | "del"
            | "elif"
            | "else"
            | "except"
            | "finally"
            | "for"
            | "from"
            | "global"
            | "if"
            | "import"
            | "in"
            | "is"
            | "lambda"
            | "nonlocal"
            | "not"
            | "or"
            | "pass"
            | "raise"
            | "return"
            | "try"
            | "while"
            | "with"
            | "yield"
    )
}

/// Whether an expression is made of what types are made of.
fn is_type(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::None | ExprKind::Ellipsis | ExprKind::Str { .. } => true,
        ExprKind::Member { object, .. } => is_type(object),
        ExprKind::Index { object, index } => is_type(object) && index.iter().all(is_type_argument),
        ExprKind::Binary { op: BinaryOp::BitOr, left, right } => is_type(left) && is_type(right),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().all(is_type),
        ExprKind::Spread(inner) => is_type(inner),
        _ => false,
    }
}

/// `Literal[-1]` and `Annotated[int, Field(gt=0)]` hold values too.
fn is_type_argument(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Bytes | ExprKind::Call { .. } => true,
        ExprKind::Negate(inner) => is_type_argument(inner),
        _ => is_type(expr),
    }
}
