//! The top of a file: usings, namespaces, and the types that they hold.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::kinds::{Child, Field, Kind, Lowering, Opened};
use crate::model::program::{
    Arg, Class, ClassKind, Expr, ExprKind, Import, ImportWhat, Modifiers, Property, Signature, Stmt, StmtKind,
};
use crate::text::Span;

impl<'t> Lowering<'t> {
    /// A whole file; what follows `namespace A;` is in it.
    pub(super) fn unit(&mut self, root: Node<'t>) -> Vec<Stmt> {
        let mut outer = Vec::new();
        let mut namespace = None;
        let mut body = Vec::new();
        let opened = self.open(root);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::FileScopedNamespace {
                close_namespace(namespace.take(), &mut body, &mut outer);
                namespace = self.field_of(child.node, Field::Name).map(|name| {
                    let span = self.span(child.node);
                    (self.dotted(name), self.span(name), span)
                });
            } else {
                self.item(child, &mut body);
            }
        }
        self.close(opened);
        close_namespace(namespace, &mut body, &mut outer);
        hoist(&mut outer);
        outer
    }

    /// Declarations and statements right below a node: of a namespace, a class, or of a place that is unreadable as a
    /// whole.
    pub(super) fn items_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        if !self.enter(node) {
            return;
        }
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            self.item(child, out);
        }
        self.close(opened);
        self.leave();
    }

    /// What was understood inside of an unreadable place still counts, after a mark that something is missing.
    pub(super) fn unreadable_into(&mut self, error: Node<'t>, out: &mut Vec<Stmt>) {
        let mark = self.unreadable(error);
        out.push(Stmt { span: mark.span, kind: StmtKind::Expr(mark) });
        self.items_into(error, out);
    }

    /// What stands unreadable in the head of a declaration.
    pub(super) fn unreadable_parts(&mut self, opened: Opened, out: &mut Vec<Stmt>) {
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, out);
            }
        }
    }

    /// A declaration of any kind, or a statement.
    pub(super) fn item(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        let node = child.node;
        let kind = match child.kind {
            Kind::UsingDirective => return self.using(node, out),
            Kind::GlobalAttribute => return self.global_attribute(child),
            Kind::GlobalStatement => {
                if let Some(inner) = self.first_part(node) {
                    self.statement(inner, out);
                }
                return;
            }
            Kind::Namespace => return self.namespace(node, out),
            Kind::PreprocIf => return self.conditional_items(node, out),
            Kind::Error => return self.unreadable_into(node, out),
            Kind::ClassDeclaration
            | Kind::StructDeclaration
            | Kind::RecordDeclaration
            | Kind::InterfaceDeclaration
            | Kind::EnumDeclaration => match self.class(child) {
                Some(class) => StmtKind::Class(Box::new(class)),
                None => return,
            },
            Kind::DelegateDeclaration => self.delegate(node),
            Kind::FieldDeclaration => return self.fields(node, out),
            Kind::PropertyDeclaration => StmtKind::Property(Box::new(self.property(node))),
            Kind::MethodDeclaration => StmtKind::Function(Box::new(self.method(node))),
            Kind::ConstructorDeclaration => match self.constructor(node) {
                Some(function) => StmtKind::Function(Box::new(function)),
                None => return,
            },
            Kind::IndexerDeclaration => match self.indexer(node) {
                Some(function) => StmtKind::Function(Box::new(function)),
                None => return,
            },
            Kind::OperatorDeclaration | Kind::ConversionDeclaration => {
                StmtKind::Function(Box::new(self.operator_declaration(node)))
            }
            _ => return self.statement(node, out),
        };
        out.push(Stmt { span: self.span(node), kind });
    }

    /// `using A.B;`, `using static A.B;`, `using X = A.B;`, each also `global`.
    fn using(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let alias = self.by_field(opened, Field::Name);
        let is_static = self.has_token(opened, "static");
        let is_global = self.has_token(opened, "global");
        let value = self.last_part(opened);
        self.close(opened);
        let Some(value) = value else { return };
        let (span, kind) = if let Some(alias) = alias {
            let value = self.type_expr(value);
            (self.span(node), StmtKind::TypeAlias { name: self.identifier(alias), parameters: Vec::new(), value })
        } else {
            let what = if is_static { ImportWhat::Static } else { ImportWhat::Star };
            (self.span(value), StmtKind::Import(Import { module: self.dotted(value), level: 0, what }))
        };
        let out = if is_global { &mut self.extra.global } else { out };
        out.push(Stmt { span, kind });
    }

    /// `[assembly: A(1)]`
    fn global_attribute(&mut self, child: Child<'t>) {
        let mut attributes = Vec::new();
        self.attributes_into(child.kind, child.node, &mut attributes);
        let calls = attributes.into_iter().map(|(_, call)| Stmt { span: call.span, kind: StmtKind::Expr(call) });
        self.extra.global.extend(calls);
    }

    fn namespace(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let block = self.by_field(opened, Field::Body);
        let mut body = Vec::new();
        self.unreadable_parts(opened, &mut body);
        self.close(opened);
        if let Some(block) = block {
            self.items_into(block, &mut body);
        }
        hoist(&mut body);
        let Some(name) = name else { return out.append(&mut body) };
        let kind = StmtKind::Namespace { name: self.dotted(name), name_span: self.span(name), body };
        out.push(Stmt { span: self.span(node), kind });
    }

    /// The branches of a condition that can be compiled, without the conditions; a loop, for `#elif` has no bound.
    pub(super) fn conditional_branches(&mut self, node: Node<'t>) -> Vec<Vec<Child<'t>>> {
        let mut branches = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            let opened = self.open(node);
            let condition = self.by_field(opened, Field::Condition).map_or("", |condition| self.slice(condition));
            let mut branch = Vec::new();
            for child in self.opened(opened) {
                if child.field == Field::Alternative && child.is_part() {
                    next = Some(child.node);
                } else if child.field != Field::Condition && child.kind != Kind::Token {
                    branch.push(*child);
                }
            }
            self.close(opened);
            if condition != "false" {
                branches.push(branch);
            }
            if condition == "true" {
                break;
            }
        }
        branches
    }

    fn delegate(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.identifier(name));
        let returns = self.by_field(opened, Field::Type);
        let parameters = self.by_field(opened, Field::Parameters);
        let generics = self.generics(opened);
        self.close(opened);
        let returns = self.declared_type(returns);
        let parameters = parameters.map_or_else(Vec::new, |list| self.parameters(list));
        let signature = Signature { type_parameters: Vec::new(), parameters, returns };
        let value = Expr { span: self.span(node), kind: ExprKind::FunctionType(Box::new(signature)) };
        StmtKind::TypeAlias { name, parameters: generics, value }
    }

    /// A class, struct, record, interface or enum.
    fn class(&mut self, child: Child<'t>) -> Option<Class> {
        let node = child.node;
        if !self.enter(node) {
            return None;
        }
        let index = self.classes;
        self.classes += 1;
        let outside = std::mem::replace(&mut self.extra.in_interface, false);
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let body = self.by_field(opened, Field::Body);
        let bases = self.by_kind(opened, Kind::BaseList);
        let parameters = self.by_kind(opened, Kind::ParameterList);
        let mut modifiers = self.modifiers(opened);
        if child.kind == Kind::RecordDeclaration {
            modifiers.add(Modifiers::RECORD);
        }
        if child.kind == Kind::StructDeclaration || self.has_token(opened, "struct") {
            modifiers.add(Modifiers::STRUCT);
        }
        let mut class = Class {
            index,
            name: name.map_or_else(String::new, |name| self.identifier(name)),
            name_span: self.span(name.unwrap_or(node)),
            span: self.span(node),
            kind: match child.kind {
                Kind::InterfaceDeclaration => ClassKind::Interface,
                Kind::EnumDeclaration => ClassKind::Enum,
                _ => ClassKind::Class,
            },
            bases: Vec::new(),
            keywords: Vec::new(),
            body: Vec::new(),
            decorators: self.decorators(opened),
            type_parameters: self.generics(opened),
            modifiers,
        };
        let mut base_args = None;
        if let Some(bases) = bases {
            (class.bases, base_args) = self.bases(bases);
        }
        self.unreadable_parts(opened, &mut class.body);
        self.close(opened);
        let start = class.body.len();
        self.extra.in_interface = child.kind == Kind::InterfaceDeclaration;
        match body {
            Some(body) if child.kind == Kind::EnumDeclaration => self.enum_members(body, &mut class.body),
            Some(body) => self.items_into(body, &mut class.body),
            None => {}
        }
        self.extra.in_interface = false;
        if let Some(parameters) = parameters {
            let mut primary = self.primary_constructor(parameters, &class, base_args);
            primary.append(&mut class.body.split_off(start));
            class.body.append(&mut primary);
        }
        self.extra.in_interface = outside;
        self.leave();
        Some(class)
    }

    /// `: Base(a), IOne<T>`, with the arguments of the base's constructor.
    fn bases(&mut self, node: Node<'t>) -> (Vec<Expr>, Option<Vec<Arg>>) {
        let opened = self.open(node);
        let (mut bases, mut args) = (Vec::new(), None);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::ArgumentList => args = Some(self.arguments(child.node)),
                Kind::PrimaryBase => {
                    let inner = self.open(child.node);
                    let kind = self.by_field(inner, Field::Type);
                    let list = self.by_kind(inner, Kind::ArgumentList);
                    self.close(inner);
                    bases.push(self.type_part(kind, child.node));
                    args = list.map(|list| self.arguments(list));
                }
                Kind::Token | Kind::Error => {}
                _ => bases.push(self.type_expr(child.node)),
            }
        }
        self.close(opened);
        (bases, args)
    }

    fn enum_members(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            self.enum_member(child, out);
        }
        self.close(opened);
    }

    fn enum_member(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        match child.kind {
            Kind::EnumMember => {
                let opened = self.open(child.node);
                let name = self.by_field(opened, Field::Name);
                let value = self.by_field(opened, Field::Value);
                let decorators = self.decorators(opened);
                self.close(opened);
                let property = Property {
                    name: name.map_or_else(String::new, |name| self.identifier(name)),
                    name_span: self.span(name.unwrap_or(child.node)),
                    annotation: None,
                    value: value.map(|value| self.expr(value)),
                    optional: false,
                    decorators,
                    is_static: true,
                    is_private: false,
                    modifiers: Modifiers::PUBLIC.with(Modifiers::CONST).with(Modifiers::READ_ONLY),
                    getter: None,
                };
                out.push(Stmt { span: self.span(child.node), kind: StmtKind::Property(Box::new(property)) });
            }
            Kind::PreprocIf => {
                for branch in self.conditional_branches(child.node) {
                    if self.enter(child.node) {
                        branch.into_iter().for_each(|child| self.enum_member(child, out));
                        self.leave();
                    }
                }
            }
            Kind::Error => self.unreadable_into(child.node, out),
            _ => {}
        }
    }

    pub(super) fn field_of(&mut self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        let opened = self.open(node);
        let found = self.by_field(opened, field);
        self.close(opened);
        found
    }

    /// The last part, which is the value where names and keywords stand before it.
    pub(super) fn last_part(&self, opened: Opened) -> Option<Node<'t>> {
        self.opened(opened).iter().rev().find(|child| child.is_part()).map(|child| child.node)
    }

    /// The part after a token: the value after `=`.
    pub(super) fn part_after(&self, opened: Opened, token: &str) -> Option<Node<'t>> {
        let children = self.opened(opened);
        let at = children.iter().position(|child| child.kind == Kind::Token && self.slice(child.node) == token)?;
        children[at..].iter().find(|child| child.is_part()).map(|child| child.node)
    }
}

fn close_namespace(namespace: Option<(String, Span, Span)>, body: &mut Vec<Stmt>, outer: &mut Vec<Stmt>) {
    let Some((name, name_span, mut span)) = namespace else { return outer.append(body) };
    let mut body = std::mem::take(body);
    hoist(&mut body);
    // The namespace reaches over what is in it.
    span.end = body.iter().map(|statement| statement.span.end).max().unwrap_or(span.end).max(span.end);
    outer.push(Stmt { span, kind: StmtKind::Namespace { name, name_span, body } });
}

/// Imports and declarations hold for the whole block, wherever they stand; statements follow in their order.
pub(super) fn hoist(block: &mut [Stmt]) {
    let rank = |statement: &Stmt| match statement.kind {
        StmtKind::Import(_) => 0,
        StmtKind::TypeAlias { .. } => 1,
        StmtKind::Class(_) | StmtKind::Namespace { .. } => 2,
        StmtKind::Function(_) => 3,
        _ => 4,
    };
    if !block.is_sorted_by_key(rank) {
        block.sort_by_key(rank);
    }
}

/// The names that a class's own body gives to properties.
pub(super) fn property_names(body: &[Stmt]) -> FxHashSet<&str> {
    body.iter()
        .filter_map(|statement| match &statement.kind {
            StmtKind::Property(property) => Some(property.name.as_str()),
            _ => None,
        })
        .collect()
}
