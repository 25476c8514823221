//! Classes, interfaces, enums and namespaces.

use tree_sitter::Node;

use super::functions::Receiver;
use super::kinds::{Child, Field, Kind, Lowering, Opened};
use crate::model::program::{Class, ClassKind, Expr, ExprKind, Function, Modifiers, Property, Stmt, StmtKind};
use crate::text::Span;

/// Names of `namespace A.B.C`; that there are more is told.
const MAX_NAMES: usize = 60;

impl<'t> Lowering<'t> {
    fn empty_class(&mut self, node: Node<'t>, name: Option<Node<'t>>, kind: ClassKind) -> Class {
        let index = self.classes;
        self.classes += 1;
        let name_span = match name {
            Some(name) => self.span(name),
            None => self.span_between(node.start_byte(), (node.start_byte() + "class".len()).min(node.end_byte())),
        };
        Class {
            index,
            name: name.map_or_else(String::new, |name| self.name(name)),
            name_span,
            span: self.span(node),
            kind,
            bases: Vec::new(),
            keywords: Vec::new(),
            body: Vec::new(),
            decorators: Vec::new(),
            type_parameters: Vec::new(),
            modifiers: Modifiers::default(),
        }
    }

    /// A class declaration or expression; `decorators` are those that stand outside of it, before `export`.
    pub(super) fn class(&mut self, node: Node<'t>, mut decorators: Vec<Expr>) -> Class {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let heritage = self.by_kind(opened, Kind::ClassHeritage);
        let body = self.by_field(opened, Field::Body);
        let mut class = self.empty_class(node, name, ClassKind::Class);
        decorators.append(&mut self.decorators_of(opened));
        class.decorators = decorators;
        class.type_parameters = type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node));
        if let Some(heritage) = heritage {
            self.heritage(heritage, &mut class);
        }
        self.unreadable_parts(opened, &mut class.body);
        self.close(opened);
        if let Some(body) = body {
            self.class_body(body, &mut class.body);
        }
        class
    }

    fn unreadable_parts(&mut self, opened: Opened, out: &mut Vec<Stmt>) {
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, out);
            }
        }
    }

    /// `extends Base<T> implements A, B`; the keyword of an implemented type is `implements`.
    fn heritage(&mut self, node: Node<'t>, class: &mut Class) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token | Kind::Error => {}
                Kind::ExtendsClause => self.extends(child.node, class),
                Kind::ImplementsClause => {
                    let types = self.type_arguments(child.node);
                    class.keywords.extend(types.into_iter().map(|kind| ("implements".to_owned(), kind)));
                }
                // JavaScript: the base itself.
                _ => class.bases.push(self.expr(child.node)),
            }
        }
        self.close(opened);
    }

    fn extends(&mut self, node: Node<'t>, class: &mut Class) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.field == Field::Value && child.is_part() {
                class.bases.push(self.expr(child.node));
            } else if child.kind == Kind::TypeArguments
                && let Some(base) = class.bases.pop()
            {
                let span = Span { end: child.node.end_byte() as u32, ..base.span };
                let index = self.type_arguments(child.node);
                class.bases.push(Expr { span, kind: ExprKind::Index { object: Box::new(base), index } });
            }
        }
        self.close(opened);
    }

    fn class_body(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let mut decorators = Vec::new();
        for index in opened {
            let child = self.child(index);
            let node = child.node;
            match child.kind {
                Kind::Decorator => decorators.extend(self.decorator(node)),
                Kind::MethodDefinition => self.method(node, std::mem::take(&mut decorators), out),
                Kind::MethodSignature => {
                    let decorators = std::mem::take(&mut decorators);
                    if !self.is_overload(node, index + 1..opened.end()) {
                        self.method(node, decorators, out);
                    }
                }
                Kind::FieldDefinition => {
                    let property = self.field(node, std::mem::take(&mut decorators));
                    out.push(Stmt { span: self.span(node), kind: StmtKind::Property(Box::new(property)) });
                }
                Kind::IndexSignature => self.type_member_into(child, out),
                Kind::ClassStaticBlock => {
                    if let Some(block) = self.first_part(node) {
                        self.block_into(block, out);
                    }
                }
                Kind::Error => {
                    // Those before belong to a member that could not be read.
                    decorators.clear();
                    self.unreadable_into(node, out);
                }
                _ => {}
            }
        }
        self.close(opened);
    }

    /// Whether the member after a signature is another one of the same name.
    fn is_overload(&mut self, node: Node<'t>, mut after: std::ops::Range<usize>) -> bool {
        let next = after.find_map(|index| {
            let child = self.child(index);
            (child.is_part() && child.kind != Kind::Decorator).then_some(child)
        });
        let Some(next) = next else { return false };
        matches!(next.kind, Kind::MethodDefinition | Kind::MethodSignature)
            && self.name_of(next.node).is_some_and(|name| Some(name) == self.name_of(node))
    }

    pub(super) fn name_of(&mut self, node: Node<'t>) -> Option<&'t str> {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        self.close(opened);
        name.map(|name| self.slice(name))
    }

    fn method(&mut self, node: Node<'t>, mut decorators: Vec<Expr>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let (getter, setter) = (self.has_token(opened, "get"), self.has_token(opened, "set"));
        let static_getter = self.has_token(opened, "static get");
        let is_static = static_getter || self.has_token(opened, "static");
        decorators.append(&mut self.decorators_of(opened));
        self.close(opened);
        if setter {
            return;
        }
        let receiver = if is_static { Receiver::None } else { Receiver::This };
        let (mut function, properties) = self.callable(node, receiver);
        function.name = match name.map(|name| self.member_name(name)) {
            Some(name) if name == "constructor" && !is_static => "__init__".to_owned(),
            name => name.unwrap_or_default(),
        };
        function.name_span = self.span(name.unwrap_or(node));
        function.decorators = decorators;
        if is_static {
            mark(&mut function, "staticmethod");
        }
        if getter || static_getter {
            mark(&mut function, "property");
        }
        out.extend(
            properties
                .into_iter()
                .map(|property| Stmt { span: property.name_span, kind: StmtKind::Property(Box::new(property)) }),
        );
        out.push(Stmt { span: self.span(node), kind: StmtKind::Function(Box::new(function)) });
    }

    fn field(&mut self, node: Node<'t>, mut decorators: Vec<Expr>) -> Property {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).or_else(|| self.by_field(opened, Field::Property));
        let annotation = self.by_field(opened, Field::Type);
        let value = self.by_field(opened, Field::Value);
        let access = self.by_kind(opened, Kind::AccessibilityModifier);
        let optional = self.has_token(opened, "?");
        let is_static = self.has_token(opened, "static");
        decorators.append(&mut self.decorators_of(opened));
        self.close(opened);
        let hidden = access.is_some_and(|access| self.slice(access) != "public");
        let annotation = annotation.map(|annotation| self.type_expr(annotation));
        let mut value = value.map(|value| self.expr(value));
        if let (Some(Expr { kind: ExprKind::Lambda(function), .. }), Some(name)) = (&mut value, name) {
            function.name = self.member_name(name);
            function.name_span = self.span(name);
        }
        Property {
            name: name.map_or_else(String::new, |name| self.member_name(name)),
            name_span: self.span(name.unwrap_or(node)),
            annotation,
            value,
            optional,
            decorators,
            is_static,
            is_private: hidden || name.is_some_and(|name| self.kind(name) == Kind::PrivateIdentifier),
            modifiers: Modifiers::default(),
            getter: None,
        }
    }

    fn type_member_into(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(child.node);
        if let Some(property) = self.type_member(child) {
            out.push(Stmt { span, kind: StmtKind::Property(Box::new(property)) });
        }
    }

    pub(super) fn interface(&mut self, node: Node<'t>) -> Class {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let extends = self.by_kind(opened, Kind::ExtendsTypeClause);
        let body = self.by_field(opened, Field::Body);
        let mut class = self.empty_class(node, name, ClassKind::Interface);
        class.type_parameters = type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node));
        class.bases = extends.map_or_else(Vec::new, |extends| self.type_arguments(extends));
        self.unreadable_parts(opened, &mut class.body);
        self.close(opened);
        if let Some(body) = body {
            let opened = self.open(body);
            for index in opened {
                let child = self.child(index);
                match child.kind {
                    Kind::Error => self.unreadable_into(child.node, &mut class.body),
                    _ => self.type_member_into(child, &mut class.body),
                }
            }
            self.close(opened);
        }
        class
    }

    pub(super) fn enumeration(&mut self, node: Node<'t>) -> Class {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let body = self.by_field(opened, Field::Body);
        let mut class = self.empty_class(node, name, ClassKind::Enum);
        self.unreadable_parts(opened, &mut class.body);
        self.close(opened);
        let Some(body) = body else { return class };
        let opened = self.open(body);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, &mut class.body);
            } else if child.is_part() {
                let property = self.enum_member(child);
                class.body.push(Stmt { span: self.span(child.node), kind: StmtKind::Property(Box::new(property)) });
            }
        }
        self.close(opened);
        class
    }

    fn enum_member(&mut self, child: Child<'t>) -> Property {
        let (mut name, mut value) = (Some(child.node), None);
        if child.kind == Kind::EnumAssignment {
            let opened = self.open(child.node);
            name = self.by_field(opened, Field::Name);
            value = self.by_field(opened, Field::Value);
            self.close(opened);
        }
        Property {
            name: name.map_or_else(String::new, |name| self.member_name(name)),
            name_span: self.span(name.unwrap_or(child.node)),
            annotation: None,
            value: value.map(|value| self.expr(value)),
            optional: false,
            decorators: Vec::new(),
            is_static: true,
            is_private: false,
            modifiers: Modifiers::default(),
            getter: None,
        }
    }

    /// `namespace A.B { … }` is a class `A` with a class `B`, whose functions are static.
    pub(super) fn namespace(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let (Some(name), Some(body)) = (name, body) else { return };
        // A quoted name stays quoted: it is a module's, not one that can be used here.
        let names: Vec<&str> = match self.kind(name) {
            Kind::String => vec![self.slice(name)],
            _ => self.slice(name).split('.').map(str::trim).collect(),
        };
        if names.len() > MAX_NAMES {
            self.note_too_deep(node);
            return;
        }
        let mut classes: Vec<Class> = Vec::new();
        for part in names {
            let mut class = self.empty_class(node, Some(name), ClassKind::Class);
            part.clone_into(&mut class.name);
            classes.push(class);
        }
        let mut statements = self.block(body);
        for statement in &mut statements {
            if let StmtKind::Function(function) = &mut statement.kind {
                mark(function, "staticmethod");
            }
        }
        while let Some(mut class) = classes.pop() {
            class.body = statements;
            statements = vec![Stmt { span: self.span(node), kind: StmtKind::Class(Box::new(class)) }];
        }
        out.append(&mut statements);
    }

    /// `declare global { … }`
    pub(super) fn global(&mut self, node: Node<'t>, block: Node<'t>, out: &mut Vec<Stmt>) {
        let mut class = self.empty_class(node, None, ClassKind::Class);
        "global".clone_into(&mut class.name);
        class.body = self.block(block);
        out.push(Stmt { span: self.span(node), kind: StmtKind::Class(Box::new(class)) });
    }
}

/// Says what kind of member a function is, as a decorator would.
fn mark(function: &mut Function, name: &str) {
    let kind = ExprKind::Name(name.to_owned());
    function.decorators.push(Expr { span: function.name_span, kind });
}
