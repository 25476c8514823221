//! Types, names of types, and the parameters of generic declarations.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering, Opened};
use crate::model::program::{BinaryOp, Expr, ExprKind, TypeParameter};
use crate::text::Span;

impl<'t> Lowering<'t> {
    /// An identifier without the `@` that makes one of a keyword.
    pub(super) fn identifier(&self, node: Node<'t>) -> String {
        let name = self.slice(node);
        name.strip_prefix('@').unwrap_or(name).to_owned()
    }

    /// A dotted name without blanks, as namespaces have.
    pub(super) fn dotted(&self, node: Node<'t>) -> String {
        let text: String = self.slice(node).chars().filter(|char| !char.is_whitespace() && *char != '@').collect();
        text.strip_prefix("global::").map_or(text.clone(), str::to_owned)
    }

    /// A type; `var` is none.
    pub(super) fn declared_type(&mut self, node: Option<Node<'t>>) -> Option<Expr> {
        let node = node.filter(|node| self.kind(*node) != Kind::ImplicitType)?;
        Some(self.type_expr(node))
    }

    pub(super) fn type_part(&mut self, part: Option<Node<'t>>, node: Node<'t>) -> Expr {
        match part {
            Some(part) => self.type_expr(part),
            None => self.unreadable(node),
        }
    }

    /// Lowers any node in the place of a type.
    pub(super) fn type_expr(&mut self, node: Node<'t>) -> Expr {
        let span = self.span(node);
        let kind = match self.kind(node) {
            Kind::PredefinedType => ExprKind::Name(self.name(node)),
            Kind::Identifier => match self.slice(node) {
                "" => ExprKind::Other("unreadable syntax"),
                _ => ExprKind::Name(self.identifier(node)),
            },
            Kind::ImplicitType => ExprKind::Other("`var`"),
            Kind::PointerType => ExprKind::Other("pointer"),
            kind => {
                if !self.enter(node) {
                    return Expr { span, kind: ExprKind::Other("code nested too deep") };
                }
                let lowered = self.compound_type(kind, node);
                self.leave();
                lowered
            }
        };
        Expr { span, kind }
    }

    fn compound_type(&mut self, kind: Kind, node: Node<'t>) -> ExprKind {
        match kind {
            Kind::GenericName => self.generic_name(node),
            Kind::QualifiedName => self.qualified_name(node),
            Kind::AliasQualifiedName => self.alias_qualified_name(node),
            // Names are parsed as values where both can stand.
            Kind::Member => self.member(node),
            Kind::NullableType => self.nullable(node),
            Kind::ArrayType => self.array_type(node).0,
            Kind::TupleType => self.tuple_type(node),
            Kind::TransparentType => {
                let inner = self.field_of(node, Field::Type);
                self.type_part(inner, node).kind
            }
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    /// `A<B, C>` as an index; without arguments (`A<,>`) the index is empty.
    pub(super) fn generic_name(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [name] = self.parts(opened);
        let arguments = self.by_kind(opened, Kind::TypeArgumentList);
        self.close(opened);
        let object = Box::new(match name {
            Some(name) => Expr { span: self.span(name), kind: ExprKind::Name(self.identifier(name)) },
            None => self.unreadable(node),
        });
        let index = arguments.map_or_else(Vec::new, |arguments| self.type_arguments(arguments));
        ExprKind::Index { object, index }
    }

    pub(super) fn type_arguments(&mut self, node: Node<'t>) -> Vec<Expr> {
        let opened = self.open(node);
        let mut types = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.is_part() {
                types.push(self.type_expr(child.node));
            }
        }
        self.close(opened);
        types
    }

    fn qualified_name(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let qualifier = self.by_field(opened, Field::Qualifier);
        let name = self.by_field(opened, Field::Name);
        self.close(opened);
        let object = self.type_part(qualifier, node);
        self.member_of(object, name)
    }

    /// `object.Name`, `object.Name<T>`
    pub(super) fn member_of(&mut self, object: Expr, name: Option<Node<'t>>) -> ExprKind {
        let Some(name) = name else { return ExprKind::Member { object: Box::new(object), name: String::new() } };
        if self.kind(name) != Kind::GenericName {
            return ExprKind::Member { object: Box::new(object), name: self.identifier(name) };
        }
        let ExprKind::Index { object: last, index } = self.generic_name(name) else {
            return ExprKind::Other("unreadable syntax");
        };
        let name = match last.kind {
            ExprKind::Name(name) => name,
            _ => String::new(),
        };
        let span = Span { end: last.span.end.max(object.span.end), ..object.span };
        let member = Expr { span, kind: ExprKind::Member { object: Box::new(object), name } };
        ExprKind::Index { object: Box::new(member), index }
    }

    /// `global::A` is `A`, any other alias is a name like others.
    fn alias_qualified_name(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let alias = self.by_field(opened, Field::Alias);
        let name = self.by_field(opened, Field::Name);
        self.close(opened);
        match alias {
            Some(alias) if self.slice(alias) != "global" => {
                let object = self.type_expr(alias);
                self.member_of(object, name)
            }
            _ => self.type_part(name, node).kind,
        }
    }

    /// `T?` as `T | null`.
    fn nullable(&mut self, node: Node<'t>) -> ExprKind {
        let inner = self.field_of(node, Field::Type);
        let left = Box::new(self.type_part(inner, node));
        let span = self.span_between(node.end_byte().saturating_sub(1).max(node.start_byte()), node.end_byte());
        let right = Box::new(Expr { span, kind: ExprKind::None });
        ExprKind::Binary { op: BinaryOp::BitOr, left, right }
    }

    /// `T[]` as `[][T]`, `T[,]` as `[,][T]`; with the lengths that `new` gives.
    pub(super) fn array_type(&mut self, node: Node<'t>) -> (ExprKind, Vec<Expr>) {
        let opened = self.open(node);
        let inner = self.by_field(opened, Field::Type);
        let rank = self.by_field(opened, Field::Rank);
        self.close(opened);
        let element = self.type_part(inner, node);
        let (mut name, mut lengths) = ("[".to_owned(), Vec::new());
        if let Some(rank) = rank {
            let opened = self.open(rank);
            for index in opened {
                let child = self.child(index);
                if child.is_part() {
                    lengths.push(self.expr(child.node));
                } else if self.slice(child.node) == "," {
                    name.push(',');
                }
            }
            self.close(opened);
        }
        name.push(']');
        let object = Box::new(Expr { span: self.span(rank.unwrap_or(node)), kind: ExprKind::Name(name) });
        (ExprKind::Index { object, index: vec![element] }, lengths)
    }

    /// `(A, B b)`: an element with a name is `Named`.
    fn tuple_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut elements = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::TupleElement {
                continue;
            }
            let opened = self.open(child.node);
            let kind = self.by_field(opened, Field::Type);
            let name = self.by_field(opened, Field::Name);
            self.close(opened);
            let value = self.type_part(kind, child.node);
            elements.push(match name {
                Some(name) => {
                    let kind = ExprKind::Named { name: self.identifier(name), value: Box::new(value) };
                    Expr { span: self.span(child.node), kind }
                }
                None => value,
            });
        }
        self.close(opened);
        ExprKind::Tuple(elements)
    }

    /// `<T, U>` with what the `where` clauses of the same declaration ask of them.
    pub(super) fn generics(&mut self, opened: Opened) -> Vec<TypeParameter> {
        let mut parameters: Vec<TypeParameter> = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::TypeParameterList => self.type_parameters(child.node, &mut parameters),
                Kind::Constraints => self.constraints(child.node, &mut parameters),
                _ => {}
            }
        }
        parameters
    }

    fn type_parameters(&mut self, node: Node<'t>, out: &mut Vec<TypeParameter>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::TypeParameter
                && let Some(name) = self.field_of(child.node, Field::Name)
            {
                out.push(TypeParameter { name: self.identifier(name), bound: None, default: None });
            }
        }
        self.close(opened);
    }

    /// `where T : A, B` bounds `T` by both; `class`, `struct`, `notnull` and `unmanaged` are names, `new()` is left out.
    fn constraints(&mut self, node: Node<'t>, parameters: &mut [TypeParameter]) {
        let opened = self.open(node);
        let name = self.by_kind(opened, Kind::Identifier).map_or_else(String::new, |name| self.identifier(name));
        let mut bound: Option<Expr> = None;
        // Each bound nests the ones before it.
        let depth = self.depth;
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::Constraint {
                continue;
            }
            let inner = self.open(child.node);
            let kind = self.by_field(inner, Field::Type);
            let is_new = self.by_kind(inner, Kind::ConstructorConstraint).is_some();
            self.close(inner);
            let one = match kind {
                Some(kind) => self.type_expr(kind),
                None if is_new => continue,
                None => {
                    let word = self.slice(child.node).trim_end_matches(['?', ' ']).to_owned();
                    Expr { span: self.span(child.node), kind: ExprKind::Name(word) }
                }
            };
            if !self.enter(child.node) {
                break;
            }
            bound = Some(match bound {
                Some(left) => {
                    let span = Span { end: one.span.end, ..left.span };
                    let (left, right) = (Box::new(left), Box::new(one));
                    Expr { span, kind: ExprKind::Binary { op: BinaryOp::BitAnd, left, right } }
                }
                None => one,
            });
        }
        self.depth = depth;
        self.close(opened);
        if let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == name) {
            parameter.bound = bound;
        }
    }
}
