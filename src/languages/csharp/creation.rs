//! Objects and collections that are made where they stand: `new`, initialisers, anonymous objects, `with`, queries.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering};
use crate::model::program::{
    Arg, BinaryOp, Comprehension, ComprehensionClause, ComprehensionKind, DictItem, Expr, ExprKind,
};

impl<'t> Lowering<'t> {
    /// `new A(b) { C = d }`, `new(b) { C = d }`
    pub(super) fn object_creation(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let class = self.by_field(opened, Field::Type);
        let arguments = self.by_kind(opened, Kind::ArgumentList);
        let initializer = self.by_kind(opened, Kind::Initializer);
        self.close(opened);
        let class = class.map(|class| Box::new(self.type_expr(class)));
        let args = arguments.map_or_else(Vec::new, |arguments| self.arguments(arguments));
        self.initialized(node, ExprKind::New { class, args }, initializer)
    }

    /// `new A[2]`, `new A[] { b }`
    pub(super) fn array_creation(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let array = self.by_field(opened, Field::Type);
        let initializer = self.by_kind(opened, Kind::Initializer);
        self.close(opened);
        let Some(array) = array else { return ExprKind::Other("unreadable syntax") };
        let (kind, lengths) = self.array_type(array);
        let class = Some(Box::new(Expr { span: self.span(array), kind }));
        let args = lengths.into_iter().map(Arg::Positional).collect();
        self.initialized(node, ExprKind::New { class, args }, initializer)
    }

    /// `new[] { a }`
    pub(super) fn implicit_array(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let initializer = self.by_kind(opened, Kind::Initializer);
        self.close(opened);
        initializer.map_or(ExprKind::Other("unreadable syntax"), |initializer| self.initializer(initializer))
    }

    /// A value with what the initialiser after it sets, adds and puts.
    fn initialized(&mut self, node: Node<'t>, made: ExprKind, initializer: Option<Node<'t>>) -> ExprKind {
        let Some(initializer) = initializer else { return made };
        let span = self.span(node);
        let steps = self.initializer_steps(initializer);
        let step = |value: ExprKind, with: Expr| ExprKind::With {
            value: Box::new(Expr { span, kind: value }),
            with: Box::new(with),
        };
        steps.into_iter().fold(made, step)
    }

    /// `{ A = 1 }` alone is what it sets, `{ a, b }` a list, `{ { k, v } }` and `{ [k] = v }` a dictionary.
    pub(super) fn initializer(&mut self, node: Node<'t>) -> ExprKind {
        let mut steps = self.initializer_steps(node).into_iter();
        let Some(first) = steps.next() else { return ExprKind::List(Vec::new()) };
        let step = |value: Expr, with: Expr| Expr {
            span: value.span,
            kind: ExprKind::With { value: Box::new(value), with: Box::new(with) },
        };
        steps.fold(first, step).kind
    }

    /// The members, items and entries of an initialiser, as far as there are any.
    fn initializer_steps(&mut self, node: Node<'t>) -> Vec<Expr> {
        let (mut members, mut items, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token => {}
                Kind::Error => {
                    let unreadable = self.unreadable(child.node);
                    items.push(Expr { span: unreadable.span, kind: ExprKind::Spread(Box::new(unreadable)) });
                }
                Kind::Assignment => {
                    let inner = self.open(child.node);
                    let left = self.by_field(inner, Field::Left);
                    let value = self.by_field(inner, Field::Right);
                    self.close(inner);
                    let Some(left) = left else { continue };
                    let span = self.span(left);
                    if self.kind(left) == Kind::ElementBinding {
                        let mut keys = self.indexes(left);
                        let key = match keys.len() {
                            1 => keys.remove(0),
                            _ => Expr { span, kind: ExprKind::Tuple(keys) },
                        };
                        entries.push(DictItem::Pair(key, self.part(value, child.node)));
                    } else {
                        let key = Expr { span, kind: ExprKind::Str { text: self.identifier(left), as_type: None } };
                        members.push(DictItem::Pair(key, self.part(value, child.node)));
                    }
                }
                Kind::Initializer => {
                    let inner = self.open(child.node);
                    let parts = self.parts(inner);
                    self.close(inner);
                    if let [Some(key), Some(value), None] = parts {
                        let key = self.expr(key);
                        entries.push(DictItem::Pair(key, self.expr(value)));
                    } else {
                        items.push(self.expr(child.node));
                    }
                }
                _ => items.push(self.expr(child.node)),
            }
        }
        self.close(opened);
        let span = self.span(node);
        let mut steps = Vec::new();
        if !members.is_empty() {
            steps.push(Expr { span, kind: ExprKind::Record(members) });
        }
        if !items.is_empty() {
            steps.push(Expr { span, kind: ExprKind::List(items) });
        }
        if !entries.is_empty() {
            steps.push(Expr { span, kind: ExprKind::Dict(entries) });
        }
        steps
    }

    /// `new { a, b.C, D = 1 }`: a member without a name has the last one of its value.
    pub(super) fn anonymous_object(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut items = Vec::new();
        let mut name: Option<Node<'t>> = None;
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                items.push(DictItem::Spread(self.unreadable(child.node)));
            }
            if !child.is_part() {
                continue;
            }
            let named = index + 1 < opened.end() && {
                let next = self.child(index + 1);
                next.kind == Kind::Token && self.slice(next.node) == "="
            };
            if named {
                name = Some(child.node);
                continue;
            }
            let value = self.expr(child.node);
            let (span, text) = match name.take() {
                Some(name) => (self.span(name), Some(self.identifier(name))),
                None => (value.span, inferred_name(&value)),
            };
            items.push(match text {
                Some(text) => DictItem::Pair(Expr { span, kind: ExprKind::Str { text, as_type: None } }, value),
                None => DictItem::Spread(Expr { span, kind: ExprKind::Other("member without a name") }),
            });
        }
        self.close(opened);
        ExprKind::Record(items)
    }

    /// `[a, ..b]`
    pub(super) fn collection(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut items = Vec::new();
        for index in opened {
            let child = self.child(index);
            let element = match child.kind {
                Kind::CollectionElement => self.first_part(child.node),
                Kind::Error => {
                    let unreadable = self.unreadable(child.node);
                    items.push(Expr { span: unreadable.span, kind: ExprKind::Spread(Box::new(unreadable)) });
                    continue;
                }
                _ => continue,
            };
            let Some(element) = element else { continue };
            let value = self.first_part(element);
            let value = self.part(value, element);
            items.push(match self.kind(element) {
                Kind::SpreadElement => Expr { span: self.span(element), kind: ExprKind::Spread(Box::new(value)) },
                _ => value,
            });
        }
        self.close(opened);
        ExprKind::List(items)
    }

    /// `a with { B = c }`
    pub(super) fn with(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [value] = self.parts(opened);
        let value = Box::new(self.part(value, node));
        let mut members = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::WithInitializer {
                let inner = self.open(child.node);
                let [name] = self.parts(inner);
                let given = self.part_after(inner, "=");
                self.close(inner);
                let Some(name) = name else { continue };
                let key = ExprKind::Str { text: self.identifier(name), as_type: None };
                let key = Expr { span: self.span(name), kind: key };
                members.push(DictItem::Pair(key, self.part(given, child.node)));
            }
        }
        self.close(opened);
        let with = Box::new(Expr { span: self.span(node), kind: ExprKind::Record(members) });
        ExprKind::With { value, with }
    }

    /// `from a in b where c select d` as a comprehension; one that joins, groups or continues is not read.
    pub(super) fn query(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut clauses: Vec<ComprehensionClause> = Vec::new();
        let mut element = None;
        let mut known = true;
        for index in opened {
            let child = self.child(index);
            let inner = self.open(child.node);
            let [name] = self.parts(inner);
            let name = self.by_field(inner, Field::Name).or(name);
            let value = self.last_part(inner);
            self.close(inner);
            match child.kind {
                Kind::FromClause => {
                    let (target, iter) = (self.part(name, child.node), self.part(value, child.node));
                    clauses.push(ComprehensionClause { target, iter, conditions: Vec::new() });
                }
                Kind::LetClause => {
                    let (target, value) = (self.part(name, child.node), self.part(value, child.node));
                    let iter = Expr { span: value.span, kind: ExprKind::List(vec![value]) };
                    clauses.push(ComprehensionClause { target, iter, conditions: Vec::new() });
                }
                Kind::WhereClause => {
                    let condition = self.part(value, child.node);
                    if let Some(clause) = clauses.last_mut() {
                        clause.conditions.push(condition);
                    }
                }
                Kind::SelectClause if element.is_none() => element = Some(self.part(value, child.node)),
                Kind::OrderByClause => {}
                _ => known = false,
            }
        }
        self.close(opened);
        match element {
            Some(element) if known => {
                let kind = ComprehensionKind::Generator;
                ExprKind::Comprehension(Box::new(Comprehension { kind, element, value: None, clauses }))
            }
            _ => ExprKind::Other("query"),
        }
    }
}

/// The name that `new { a.B }` gives to its member.
fn inferred_name(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name.clone()),
        _ => None,
    }
}

/// `new(…)` makes the type that its place asks for.
pub(super) fn targeted(value: Expr, annotation: Option<&Expr>) -> Expr {
    let Some(annotation) = annotation else { return value };
    let span = value.span;
    let kind = match value.kind {
        ExprKind::With { value, with } => ExprKind::With { value: Box::new(targeted(*value, Some(annotation))), with },
        ExprKind::New { class: None, args } => {
            let class = match &annotation.kind {
                ExprKind::Binary { op: BinaryOp::BitOr, left, right } if matches!(right.kind, ExprKind::None) => left,
                _ => annotation,
            };
            ExprKind::New { class: Some(Box::new(class.clone())), args }
        }
        kind => kind,
    };
    Expr { span, kind }
}
