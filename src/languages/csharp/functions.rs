//! Functions of every kind, their parameters and bodies.

use tree_sitter::Node;

use super::attributes::Target;
use super::kinds::{Field, Kind, Lowering};
use super::members::this_parameter;
use crate::model::program::{Expr, ExprKind, Function, Modifiers, Param, ParamKind, Stmt, StmtKind};
use crate::text::Span;

/// What was known of the function around the one that is being lowered.
pub(super) struct Outer {
    yielded: bool,
    returns: Option<Expr>,
}

impl<'t> Lowering<'t> {
    /// A function with nothing in it but `this`.
    pub(super) fn empty_function(&mut self, node: Node<'t>, receiver: bool) -> Function {
        let index = self.functions;
        self.functions += 1;
        let start = self.span_between(node.start_byte(), node.start_byte());
        Function {
            index,
            name: String::new(),
            name_span: self.head(node),
            span: self.span(node),
            parameters: if receiver { vec![this_parameter(start)] } else { Vec::new() },
            returns: None,
            body: Vec::new(),
            decorators: Vec::new(),
            type_parameters: Vec::new(),
            is_async: false,
            is_generator: false,
            is_lambda: false,
            modifiers: Modifiers::default(),
        }
    }

    /// Where a function without a name begins.
    fn head(&self, node: Node<'t>) -> Span {
        let line = self.slice(node).lines().next().map_or(0, str::len);
        let length = self.slice(node).find("=>").map_or(line, |arrow| line.min(arrow + 2));
        self.span_between(node.start_byte(), node.start_byte() + length)
    }

    /// To be paired with [`Lowering::leave_function`].
    pub(super) fn enter_function(&mut self, function: &Function) -> Outer {
        let returns = function.returns.as_ref().map(|returns| match &returns.kind {
            // What an async function's `return` gives is inside of the task.
            ExprKind::Index { index, .. } if function.is_async && index.len() == 1 => index[0].clone(),
            _ => returns.clone(),
        });
        Outer {
            yielded: std::mem::replace(&mut self.yielded, false),
            returns: std::mem::replace(&mut self.extra.returns, returns),
        }
    }

    pub(super) fn leave_function(&mut self, outer: Outer, function: &mut Function) {
        function.is_generator = std::mem::replace(&mut self.yielded, outer.yielded);
        self.extra.returns = outer.returns;
    }

    /// What all functions have in common; the name is left to the caller.
    pub(super) fn callable(&mut self, node: Node<'t>, receiver: bool) -> Function {
        let mut function = self.empty_function(node, receiver);
        let opened = self.open(node);
        function.decorators = self.decorators(opened);
        function.modifiers = self.modifiers(opened);
        function.type_parameters = self.generics(opened);
        function.is_async = self.has_modifier(opened, "async");
        let returns = self.by_field(opened, Field::Returns).or_else(|| self.by_field(opened, Field::Type));
        let parameters = self.by_field(opened, Field::Parameters);
        let body = self.by_field(opened, Field::Body).or_else(|| self.by_kind(opened, Kind::Block));
        self.unreadable_parts(opened, &mut function.body);
        self.close(opened);
        function.returns = self.declared_type(returns);
        match parameters {
            Some(list) if self.kind(list) == Kind::ImplicitParameter => {
                let name = self.identifier(list);
                function.parameters.push(Param { name, ..this_parameter(self.span(list)) });
            }
            Some(list) => {
                if self.extends_first(list) {
                    function.modifiers.add(Modifiers::EXTENSION);
                }
                function.parameters.extend(self.parameters(list));
            }
            None => {}
        }
        let is_constructor = self.kind(node) == Kind::ConstructorDeclaration;
        let is_void = is_void(function.returns.as_ref(), function.is_async);
        let outer = self.enter_function(&function);
        self.body_into(body, node, !is_constructor && !is_void, &mut function.body);
        self.leave_function(outer, &mut function);
        function
    }

    /// A lambda or anonymous method.
    pub(super) fn lambda(&mut self, node: Node<'t>) -> ExprKind {
        let mut function = self.callable(node, false);
        function.is_lambda = true;
        function.modifiers = Modifiers::default();
        ExprKind::Lambda(Box::new(function))
    }

    /// The body of a function: a block, `=> value`, or none. `gives` tells whether the value is what it returns.
    pub(super) fn body_into(&mut self, body: Option<Node<'t>>, node: Node<'t>, gives: bool, out: &mut Vec<Stmt>) {
        let value = match body.map(|body| (self.kind(body), body)) {
            Some((Kind::Block, block)) => return self.block_into(block, out),
            Some((Kind::ArrowClause, arrow)) => self.first_part(arrow),
            Some((_, value)) => Some(value),
            None => None,
        };
        let span = self.span(value.unwrap_or(node));
        let Some(value) = value else {
            let missing = Expr { span, kind: ExprKind::Other("declared without a body") };
            out.push(Stmt { span, kind: StmtKind::Return(Some(missing)) });
            return;
        };
        match self.kind(value) {
            Kind::Throw => out.push(Stmt { span, kind: StmtKind::Raise }),
            Kind::Assignment => self.expression_statement(value, out),
            _ if !gives => self.expression_statement(value, out),
            _ => self.returned(value, span, out),
        }
    }

    /// Whether the first parameter is marked `this`.
    fn extends_first(&mut self, list: Node<'t>) -> bool {
        let Some(first) = self.first_part(list).filter(|first| self.kind(*first) == Kind::Parameter) else {
            return false;
        };
        let opened = self.open(first);
        let extends = self.has_modifier(opened, "this");
        self.close(opened);
        extends
    }

    pub(super) fn parameters(&mut self, list: Node<'t>) -> Vec<Param> {
        self.parameters_of_class(list).into_iter().map(|(parameter, ..)| parameter).collect()
    }

    /// Parameters, each with the attributes that are meant for its property, and the span of its name.
    pub(super) fn parameters_of_class(&mut self, list: Node<'t>) -> Vec<(Param, Vec<Expr>, Span)> {
        let opened = self.open(list);
        let mut out = Vec::new();
        // `params T[] rest` has no node of its own.
        let mut rest: Option<(Param, Vec<(Target, Expr)>)> = None;
        let mut attributes = Vec::new();
        for index in opened {
            let child = self.child(index);
            let span = self.span(child.node);
            match (child.kind, child.field, &mut rest) {
                (Kind::Parameter, ..) => out.extend(self.parameter(child.node)),
                (Kind::AttributeList, ..) => self.attributes_into(child.kind, child.node, &mut attributes),
                (Kind::Token, ..) if self.slice(child.node) == "params" => {
                    let param = Param { name: String::new(), kind: ParamKind::Rest, ..this_parameter(span) };
                    rest = Some((param, std::mem::take(&mut attributes)));
                }
                (_, Field::Type, Some((param, _))) => param.annotation = Some(self.type_expr(child.node)),
                (_, Field::Name, Some(_)) => {
                    let Some((mut param, attributes)) = rest.take() else { continue };
                    param.name = self.identifier(child.node);
                    param.span.end = span.end;
                    let (decorators, of_property) = split(attributes);
                    param.decorators = decorators;
                    out.push((param, of_property, span));
                }
                _ => {}
            }
        }
        self.close(opened);
        out
    }

    fn parameter(&mut self, node: Node<'t>) -> Option<(Param, Vec<Expr>, Span)> {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let kind = self.by_field(opened, Field::Type);
        let default = self.part_after(opened, "=");
        let mut attributes = Vec::new();
        for index in opened {
            let child = self.child(index);
            self.attributes_into(child.kind, child.node, &mut attributes);
        }
        self.close(opened);
        let name = name?;
        let (decorators, of_property) = split(attributes);
        let mut param = Param { name: self.identifier(name), decorators, ..this_parameter(self.span(node)) };
        param.annotation = self.declared_type(kind);
        param.default = default.map(|default| self.expr(default));
        Some((param, of_property, self.span(name)))
    }
}

/// Attributes of a parameter, and those of its property.
fn split(attributes: Vec<(Target, Expr)>) -> (Vec<Expr>, Vec<Expr>) {
    let (mut own, mut of_property) = (Vec::new(), Vec::new());
    for (target, decorator) in attributes {
        match target {
            Target::Here => own.push(decorator),
            Target::Property => of_property.push(decorator),
            Target::Nothing => {}
        }
    }
    (own, of_property)
}

/// Whether calling gives no value.
fn is_void(returns: Option<&Expr>, is_async: bool) -> bool {
    match returns.map(|returns| &returns.kind) {
        Some(ExprKind::Name(name)) => name == "void" || (is_async && (name == "Task" || name == "ValueTask")),
        _ => false,
    }
}
