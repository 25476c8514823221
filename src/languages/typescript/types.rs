//! Places for types.

use tree_sitter::Node;

use super::kinds::{Child, Field, Kind, Lowering};
use crate::model::program::{BinaryOp, Expr, ExprKind, Modifiers, Property, Signature, TypeParameter};
use crate::text::Span;

impl<'t> Lowering<'t> {
    /// Lowers any node in the place of a type.
    pub(super) fn type_expr(&mut self, node: Node<'t>) -> Expr {
        let mut node = node;
        let mut kind = self.kind(node);
        while matches!(kind, Kind::TypeAnnotation | Kind::TransparentType) {
            let Some(inner) = self.first_part(node) else { return self.unreadable(node) };
            node = inner;
            kind = self.kind(node);
        }
        let span = self.span(node);
        if let Some(kind) = self.type_leaf(kind, node) {
            return Expr { span, kind };
        }
        if !self.enter(node) {
            return Expr { span, kind: ExprKind::Other("code nested too deep") };
        }
        let kind = self.compound_type(kind, node);
        self.leave();
        Expr { span, kind }
    }

    pub(super) fn type_part(&mut self, part: Option<Node<'t>>, node: Node<'t>) -> Expr {
        match part {
            Some(part) => self.type_expr(part),
            None => self.unreadable(node),
        }
    }

    fn type_leaf(&self, kind: Kind, node: Node<'t>) -> Option<ExprKind> {
        Some(match kind {
            Kind::TypeIdentifier | Kind::Identifier | Kind::PredefinedType => match self.slice(node) {
                "" => ExprKind::Other("unreadable syntax"),
                name if name.starts_with("unique") && name.ends_with("symbol") => ExprKind::Other("unique symbol"),
                name => ExprKind::Name(name.to_owned()),
            },
            Kind::ThisType | Kind::This => ExprKind::Name("this".to_owned()),
            Kind::PredicateAnnotation => ExprKind::Name("boolean".to_owned()),
            Kind::Undefined => ExprKind::Name("undefined".to_owned()),
            Kind::ConditionalType => ExprKind::Other("conditional type"),
            Kind::TemplateLiteralType => ExprKind::Other("template literal type"),
            Kind::ConstructorType => ExprKind::Other("constructor type"),
            Kind::InferType => ExprKind::Other("`infer` type"),
            _ => return None,
        })
    }

    fn compound_type(&mut self, kind: Kind, node: Node<'t>) -> ExprKind {
        match kind {
            Kind::GenericType => self.generic_type(node),
            Kind::NestedTypeIdentifier => self.nested_type(node),
            Kind::UnionType => self.joined_type(node, Kind::UnionType, BinaryOp::BitOr),
            Kind::IntersectionType => self.joined_type(node, Kind::IntersectionType, BinaryOp::BitAnd),
            Kind::ArrayType => {
                let inner = self.first_part(node);
                self.applied("Array", inner, node)
            }
            Kind::IndexTypeQuery => {
                let inner = self.first_part(node);
                self.applied("keyof", inner, node)
            }
            Kind::TupleType => ExprKind::Tuple(self.tuple_members(node)),
            Kind::LookupType => {
                let opened = self.open(node);
                let [object, index] = self.parts(opened);
                self.close(opened);
                let object = Box::new(self.type_part(object, node));
                ExprKind::Index { object, index: vec![self.type_part(index, node)] }
            }
            Kind::LiteralType => {
                let inner = self.first_part(node);
                match inner.map(|inner| (self.kind(inner), inner)) {
                    Some((Kind::Undefined, _)) => ExprKind::Name("undefined".to_owned()),
                    _ => self.part(inner, node).kind,
                }
            }
            Kind::TypeQuery => {
                let inner = self.first_part(node);
                ExprKind::TypeOf(Box::new(self.part(inner, node)))
            }
            Kind::ObjectType => self.object_type(node),
            Kind::FunctionType => ExprKind::FunctionType(Box::new(self.signature(node))),
            Kind::Member | Kind::NestedIdentifier | Kind::Call | Kind::Instantiation | Kind::Subscript => {
                self.expr(node).kind
            }
            Kind::String | Kind::Number | Kind::True | Kind::False | Kind::Null => self.expr(node).kind,
            Kind::OptionalType => {
                let inner = self.first_part(node);
                let inner = self.type_part(inner, node);
                self.or_undefined(inner, node)
            }
            Kind::RestType => {
                let inner = self.first_part(node);
                ExprKind::Spread(Box::new(self.type_part(inner, node)))
            }
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    pub(super) fn type_arguments(&mut self, node: Node<'t>) -> Vec<Expr> {
        let opened = self.open(node);
        let mut types = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token => {}
                Kind::Error => types.push(self.unreadable(child.node)),
                _ => types.push(self.type_expr(child.node)),
            }
        }
        self.close(opened);
        types
    }

    /// `Name<A, B>`
    fn generic_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let types = self.by_field(opened, Field::TypeArguments);
        self.close(opened);
        let object = Box::new(self.type_part(name, node));
        ExprKind::Index { object, index: types.map_or_else(Vec::new, |types| self.type_arguments(types)) }
    }

    /// `a.b.Name`
    fn nested_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let module = self.by_field(opened, Field::Module);
        let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.name(name));
        self.close(opened);
        ExprKind::Member { object: Box::new(self.part(module, node)), name }
    }

    /// `T[]` as `Array<T>`
    fn applied(&mut self, name: &str, inner: Option<Node<'t>>, node: Node<'t>) -> ExprKind {
        let inner = self.type_part(inner, node);
        let object = Box::new(Expr { span: self.span(node), kind: ExprKind::Name(name.to_owned()) });
        ExprKind::Index { object, index: vec![inner] }
    }

    fn or_undefined(&mut self, left: Expr, node: Node<'t>) -> ExprKind {
        let right = Expr { span: self.span(node), kind: ExprKind::Name("undefined".to_owned()) };
        ExprKind::Binary { op: BinaryOp::BitOr, left: Box::new(left), right: Box::new(right) }
    }

    /// `A | B | C`: the grammar nests one level for each, unions of literals have hundreds.
    fn joined_type(&mut self, node: Node<'t>, kind: Kind, op: BinaryOp) -> ExprKind {
        let mut nodes = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            let opened = self.open(node);
            for child in self.opened(opened).iter().rev().filter(|child| child.is_part()) {
                if child.kind == kind && next.is_none() {
                    next = Some(child.node);
                } else {
                    nodes.push(child.node);
                }
            }
            self.close(opened);
        }
        let mut types = Vec::with_capacity(nodes.len());
        for node in nodes.into_iter().rev() {
            types.push(self.type_expr(node));
        }
        match balanced(types, op) {
            Some(joined) => joined.kind,
            None => ExprKind::Other("unreadable syntax"),
        }
    }

    fn tuple_members(&mut self, node: Node<'t>) -> Vec<Expr> {
        let opened = self.open(node);
        let mut members = Vec::new();
        for index in opened {
            let Child { kind, node, .. } = self.child(index);
            match kind {
                Kind::Token => {}
                Kind::Error => members.push(self.unreadable(node)),
                Kind::RequiredParameter | Kind::OptionalParameter => {
                    let opened = self.open(node);
                    let annotation = self.by_field(opened, Field::Type);
                    let name = self.by_field(opened, Field::Name);
                    self.close(opened);
                    let mut member = self.type_part(annotation, node);
                    if kind == Kind::OptionalParameter {
                        member = Expr { span: member.span, kind: self.or_undefined(member, node) };
                    }
                    if name.is_some_and(|name| self.kind(name) == Kind::RestPattern) {
                        member = Expr { span: member.span, kind: ExprKind::Spread(Box::new(member)) };
                    }
                    members.push(member);
                }
                _ => members.push(self.type_expr(node)),
            }
        }
        self.close(opened);
        members
    }

    fn object_type(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut members = Vec::new();
        let mut mapped = false;
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::IndexSignature if self.is_mapped(child.node) => mapped = true,
                _ => members.extend(self.type_member(child)),
            }
        }
        self.close(opened);
        if mapped { ExprKind::Other("mapped type") } else { ExprKind::ObjectType(members) }
    }

    fn is_mapped(&mut self, node: Node<'t>) -> bool {
        let opened = self.open(node);
        let mapped = self.by_kind(opened, Kind::MappedTypeClause).is_some();
        self.close(opened);
        mapped
    }

    /// A member of an interface or object type; None for what is no member.
    pub(super) fn type_member(&mut self, child: Child<'t>) -> Option<Property> {
        let node = child.node;
        if !matches!(child.kind, Kind::PropertySignature | Kind::IndexSignature | Kind::MethodSignature) {
            return None;
        }
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let annotation = self.by_field(opened, Field::Type);
        let optional = self.has_token(opened, "?");
        let is_static = self.has_token(opened, "static");
        let getter = self.has_token(opened, "get");
        let returns = self.by_field(opened, Field::ReturnType);
        let setter = self.has_token(opened, "set");
        self.close(opened);
        if setter {
            return None;
        }
        let annotation = match child.kind {
            Kind::MethodSignature if getter => returns.map(|returns| self.type_expr(returns)),
            Kind::MethodSignature => {
                let signature = self.signature(node);
                Some(Expr { span: self.span(node), kind: ExprKind::FunctionType(Box::new(signature)) })
            }
            _ => annotation.map(|annotation| self.type_expr(annotation)),
        };
        let (name, name_span) = match (child.kind, name) {
            (Kind::IndexSignature, name) => ("[index]".to_owned(), self.span(name.unwrap_or(node))),
            (_, Some(name)) => (self.member_name(name), self.span(name)),
            (_, None) => (String::new(), self.span(node)),
        };
        Some(Property {
            name,
            name_span,
            annotation,
            value: None,
            optional,
            decorators: Vec::new(),
            is_static,
            is_private: false,
            modifiers: Modifiers::default(),
            getter: None,
        })
    }

    /// The head of a function, method or function type.
    pub(super) fn signature(&mut self, node: Node<'t>) -> Signature {
        let opened = self.open(node);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let parameters = self.by_field(opened, Field::Parameters);
        let single = self.by_field(opened, Field::Parameter);
        let returns = self.by_field(opened, Field::ReturnType);
        self.close(opened);
        let type_parameters = type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node));
        let parameters = parameters.or(single).map_or_else(Vec::new, |node| self.parameters(node));
        let returns = returns.map(|returns| self.type_expr(returns));
        Signature { type_parameters, parameters, returns }
    }

    /// `<T extends Bound = Default>`
    pub(super) fn type_parameters(&mut self, node: Node<'t>) -> Vec<TypeParameter> {
        let opened = self.open(node);
        let mut parameters = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::TypeParameter {
                continue;
            }
            let opened = self.open(child.node);
            let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.name(name));
            let bound = self.by_field(opened, Field::Constraint);
            let default = self.by_field(opened, Field::Value);
            self.close(opened);
            let bound = bound.map(|bound| self.type_expr(bound));
            let default = default.map(|default| self.type_expr(default));
            parameters.push(TypeParameter { name, bound, default });
        }
        self.close(opened);
        parameters
    }
}

/// Joins any number of types without nesting as deep as there are types.
fn balanced(mut types: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
    while types.len() > 1 {
        let mut joined = Vec::with_capacity(types.len().div_ceil(2));
        let mut rest = types.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => {
                    let span = Span { end: right.span.end.max(left.span.end), ..left.span };
                    let kind = ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) };
                    Expr { span, kind }
                }
                None => left,
            });
        }
        types = joined;
    }
    types.pop()
}
