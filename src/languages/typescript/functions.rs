//! Functions of every kind, their parameters and bodies.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering, Opened};
use super::patterns::made_name;
use crate::model::program::{Expr, ExprKind, Function, Modifiers, Param, ParamKind, Property, Stmt, StmtKind};
use crate::text::Span;

/// The parameters of a function, with what follows from how they are written.
#[derive(Default)]
pub(super) struct Parameters<'t> {
    pub(super) params: Vec<Param>,
    /// Patterns that are parameters, with the names that stand for them.
    patterns: Vec<(Node<'t>, String)>,
    /// `constructor(private readonly users: Users)`
    pub(super) properties: Vec<Property>,
}

/// How a function is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    None,
    /// It is a method: its first parameter is `this`.
    This,
}

impl<'t> Lowering<'t> {
    /// A declaration, with or without a body.
    pub(super) fn function(&mut self, node: Node<'t>, decorators: Vec<Expr>) -> Function {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        self.close(opened);
        let mut function = self.callable(node, Receiver::None).0;
        function.name = name.map_or_else(String::new, |name| self.name(name));
        function.name_span = self.span(name.unwrap_or(node));
        function.decorators = decorators;
        function
    }

    /// An arrow function, function expression or method of an object.
    pub(super) fn lambda(&mut self, node: Node<'t>) -> ExprKind {
        let mut function = self.callable(node, Receiver::None).0;
        function.is_lambda = true;
        if self.kind(node) != Kind::ArrowFunction {
            function.modifiers.add(Modifiers::OWN_THIS);
        }
        if self.kind(node) == Kind::FunctionExpression
            && let Some(name) = self.name_of(node)
        {
            name.clone_into(&mut function.name);
        }
        ExprKind::Lambda(Box::new(function))
    }

    /// What all functions have in common; the name is left to the caller.
    pub(super) fn callable(&mut self, node: Node<'t>, receiver: Receiver) -> (Function, Vec<Property>) {
        let index = self.functions;
        self.functions += 1;
        let before = std::mem::take(&mut self.extra.before);
        let opened = self.open(node);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let parameters = self.by_field(opened, Field::Parameters).or_else(|| self.by_field(opened, Field::Parameter));
        let returns = self.by_field(opened, Field::ReturnType);
        let body = self.by_field(opened, Field::Body);
        let is_async = self.has_token(opened, "async");
        let type_parameters = type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node));
        let mut taken = Parameters::default();
        if receiver == Receiver::This {
            taken.params.push(Param {
                name: "this".to_owned(),
                kind: ParamKind::Positional,
                annotation: None,
                default: None,
                optional: false,
                decorators: Vec::new(),
                span: self.span_between(node.start_byte(), node.start_byte()),
            });
        }
        if let Some(parameters) = parameters {
            self.parameters_into(parameters, &mut taken);
        }
        let returns = returns.map(|returns| self.type_expr(returns));
        let mut statements = std::mem::take(&mut self.extra.before);
        for (pattern, name) in std::mem::take(&mut taken.patterns) {
            let value = Expr { span: self.span(pattern), kind: ExprKind::Name(name) };
            self.assign_pattern(pattern, value, &mut statements);
        }
        for property in &taken.properties {
            statements.push(assign_member(property));
        }
        let outer = std::mem::replace(&mut self.yielded, false);
        self.body(opened, body, node, &mut statements);
        let is_generator = std::mem::replace(&mut self.yielded, outer);
        self.close(opened);
        self.extra.before = before;
        let function = Function {
            index,
            name: String::new(),
            name_span: self.head(node),
            span: self.span(node),
            parameters: taken.params,
            returns,
            body: statements,
            decorators: Vec::new(),
            type_parameters,
            is_async,
            is_generator,
            is_lambda: false,
            modifiers: Modifiers::default(),
        };
        (function, taken.properties)
    }

    /// Where a function without a name begins.
    fn head(&self, node: Node<'t>) -> Span {
        let line = self.slice(node).lines().next().map_or(0, str::len);
        let length = self.slice(node).find("=>").map_or(line, |arrow| line.min(arrow + 2));
        self.span_between(node.start_byte(), node.start_byte() + length)
    }

    /// The body of a function, after what the parser could not read in its head, which may be a part of the body.
    fn body(&mut self, opened: Opened, body: Option<Node<'t>>, node: Node<'t>, out: &mut Vec<Stmt>) {
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, out);
            }
        }
        match body {
            Some(block) if self.kind(block) == Kind::StatementBlock => self.block_into(block, out),
            Some(value) => self.returned(value, out),
            None => {
                let span = self.span(node);
                let value = Expr { span, kind: ExprKind::Other("declared without a body") };
                out.push(Stmt { span, kind: StmtKind::Return(Some(value)) });
            }
        }
    }

    /// `=> value`
    fn returned(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let assigns = self.without_parentheses(node);
        if self.kind(assigns) == Kind::Assignment && !self.assigns_name(assigns) {
            self.assignment(assigns, out);
            return;
        }
        let value = self.expr(node);
        out.append(&mut self.extra.before);
        out.push(Stmt { span, kind: StmtKind::Return(Some(value)) });
    }

    pub(super) fn parameters(&mut self, node: Node<'t>) -> Vec<Param> {
        let mut taken = Parameters::default();
        self.parameters_into(node, &mut taken);
        taken.params
    }

    fn parameters_into(&mut self, node: Node<'t>, taken: &mut Parameters<'t>) {
        if self.kind(node) == Kind::Identifier {
            self.parameter(node, taken);
            return;
        }
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.is_part() && child.kind != Kind::Decorator {
                self.parameter(child.node, taken);
            }
        }
        self.close(opened);
    }

    fn parameter(&mut self, node: Node<'t>, taken: &mut Parameters<'t>) {
        let kind = self.kind(node);
        let mut param = Param {
            name: String::new(),
            kind: ParamKind::Positional,
            annotation: None,
            default: None,
            optional: kind == Kind::OptionalParameter,
            decorators: Vec::new(),
            span: self.span(node),
        };
        let mut pattern = Some(node);
        let mut property = None;
        if matches!(kind, Kind::RequiredParameter | Kind::OptionalParameter | Kind::AssignmentPattern) {
            let opened = self.open(node);
            // A parameter of JavaScript is a pattern by itself.
            let default_field = if kind == Kind::AssignmentPattern { Field::Right } else { Field::Value };
            pattern = self
                .by_field(opened, Field::Pattern)
                .or_else(|| self.by_field(opened, Field::Left))
                .or_else(|| self.by_field(opened, Field::Name));
            let annotation = self.by_field(opened, Field::Type);
            let default = self.by_field(opened, default_field);
            param.decorators = self.decorators_of(opened);
            let access = self.by_kind(opened, Kind::AccessibilityModifier);
            if access.is_some()
                || self.by_kind(opened, Kind::OverrideModifier).is_some()
                || self.has_token(opened, "readonly")
            {
                property = Some(access.is_some_and(|access| self.slice(access) != "public"));
            }
            self.close(opened);
            param.annotation = annotation.map(|annotation| self.type_expr(annotation));
            param.default = default.map(|default| self.expr(default));
        }
        let Some(mut pattern) = pattern else { return };
        match self.kind(pattern) {
            // Says what `this` is, takes nothing.
            Kind::This => return,
            Kind::RestPattern => {
                param.kind = ParamKind::Rest;
                let Some(inner) = self.first_part(pattern) else { return };
                pattern = inner;
            }
            _ => {}
        }
        if self.kind(pattern) == Kind::Identifier {
            param.name = self.name(pattern);
        } else {
            param.name = made_name(pattern);
            taken.patterns.push((pattern, param.name.clone()));
        }
        if let Some(is_private) = property {
            taken.properties.push(Property {
                name: param.name.clone(),
                name_span: self.span(pattern),
                annotation: param.annotation.clone(),
                value: None,
                optional: param.optional,
                decorators: Vec::new(),
                is_static: false,
                is_private,
                modifiers: Modifiers::default(),
                getter: None,
            });
        }
        taken.params.push(param);
    }

    pub(super) fn decorators_of(&mut self, opened: Opened) -> Vec<Expr> {
        let mut decorators = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Decorator {
                decorators.extend(self.decorator(child.node));
            }
        }
        decorators
    }

    pub(super) fn decorator(&mut self, node: Node<'t>) -> Option<Expr> {
        let inner = self.first_part(node)?;
        Some(self.expr(inner))
    }
}

/// `this.name = name`
fn assign_member(property: &Property) -> Stmt {
    let span = property.name_span;
    let this = Box::new(Expr { span, kind: ExprKind::Name("this".to_owned()) });
    let target = Expr { span, kind: ExprKind::Member { object: this, name: property.name.clone() } };
    let value = Expr { span, kind: ExprKind::Name(property.name.clone()) };
    Stmt { span, kind: StmtKind::Assign { targets: vec![target], value } }
}
