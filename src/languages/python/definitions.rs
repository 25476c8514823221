//! Functions, lambdas, classes, their parameters and decorators.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::tree::{Lowering, Place};
use crate::model::program::{
    Arg, Class, ClassKind, Expr, ExprKind, Function, Modifiers, Param, ParamKind, Stmt, StmtKind, TypeParameter,
};

impl<'t> Lowering<'t> {
    pub(super) fn decorated_definition(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let mut decorators = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Decorator => {
                    if let Some(decorator) = self.first_part(child.node) {
                        decorators.push(self.expr(decorator, Place::Value));
                    }
                }
                // Those before belong to a definition that could not be read.
                Kind::Error => decorators_into(&mut decorators, out),
                _ => {}
            }
        }
        let definition = self.by_field(opened, Field::Definition);
        self.close(opened);
        let span = self.span(node);
        let kind = match definition.map(|definition| (self.kind(definition), definition)) {
            Some((Kind::FunctionDefinition, function)) => {
                StmtKind::Function(Box::new(self.function(function, decorators)))
            }
            Some((Kind::ClassDefinition, class)) => StmtKind::Class(Box::new(self.class(class, decorators))),
            _ => {
                decorators_into(&mut decorators, out);
                return;
            }
        };
        out.push(Stmt { span, kind });
    }

    pub(super) fn function(&mut self, node: Node<'t>, decorators: Vec<Expr>) -> Function {
        let index = self.next_function();
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let parameters = self.by_field(opened, Field::Parameters);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let returns = self.by_field(opened, Field::ReturnType);
        let body = self.by_field(opened, Field::Body);
        let is_async = self.has_token(opened, "async");
        let outer = std::mem::replace(&mut self.yielded, false);
        let mut function = Function {
            index,
            name: name.map_or_else(String::new, |name| self.name(name)),
            name_span: self.span(name.unwrap_or(node)),
            span: self.span(node),
            type_parameters: type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node)),
            parameters: parameters.map_or_else(Vec::new, |node| self.parameters(node)),
            returns: returns.map(|returns| self.expr(returns, Place::Type)),
            body: self.body(opened, body),
            decorators,
            is_async,
            is_lambda: false,
            is_generator: false,
            modifiers: Modifiers::default(),
        };
        function.is_generator = std::mem::replace(&mut self.yielded, outer);
        self.close(opened);
        function
    }

    pub(super) fn lambda(&mut self, node: Node<'t>) -> ExprKind {
        let index = self.next_function();
        let opened = self.open(node);
        let parameters = self.by_field(opened, Field::Parameters);
        let value = self.operand(opened, Field::Body, node, Place::Value);
        self.close(opened);
        let parameters = parameters.map_or_else(Vec::new, |node| self.parameters(node));
        let keyword = (node.start_byte() + "lambda".len()).min(node.end_byte());
        ExprKind::Lambda(Box::new(Function {
            index,
            name: String::new(),
            name_span: self.span_between(node.start_byte(), keyword),
            span: self.span(node),
            parameters,
            returns: None,
            body: vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }],
            decorators: Vec::new(),
            type_parameters: Vec::new(),
            is_async: false,
            is_lambda: true,
            is_generator: false,
            modifiers: Modifiers::default(),
        }))
    }

    fn next_function(&mut self) -> u32 {
        self.functions += 1;
        self.functions - 1
    }

    pub(super) fn class(&mut self, node: Node<'t>, decorators: Vec<Expr>) -> Class {
        let index = self.classes;
        self.classes += 1;
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let type_parameters = self.by_field(opened, Field::TypeParameters);
        let superclasses = self.by_field(opened, Field::Superclasses);
        let body = self.by_field(opened, Field::Body);
        let mut class = Class {
            kind: ClassKind::Class,
            index,
            name: name.map_or_else(String::new, |name| self.name(name)),
            name_span: self.span(name.unwrap_or(node)),
            span: self.span(node),
            bases: Vec::new(),
            keywords: Vec::new(),
            body: Vec::new(),
            decorators,
            type_parameters: type_parameters.map_or_else(Vec::new, |node| self.type_parameters(node)),
            modifiers: Modifiers::default(),
        };
        if let Some(superclasses) = superclasses {
            self.superclasses(superclasses, &mut class);
        }
        class.body = self.body(opened, body);
        self.close(opened);
        class
    }

    /// `(Base[T], *more, metaclass=Meta, **rest)`; the keyword of `**rest` is `**`.
    fn superclasses(&mut self, node: Node<'t>, class: &mut Class) {
        for arg in self.arguments(node) {
            match arg {
                Arg::Positional(base) => class.bases.push(base),
                Arg::Spread(value) => {
                    let span = value.span;
                    class.bases.push(Expr { span, kind: ExprKind::Spread(Box::new(value)) });
                }
                Arg::Keyword(name, value) => class.keywords.push((name, value)),
                Arg::KeywordSpread(value) => class.keywords.push(("**".to_owned(), value)),
            }
        }
    }

    fn parameters(&mut self, node: Node<'t>) -> Vec<Param> {
        let opened = self.open(node);
        let mut params = Vec::new();
        let mut ordinary = ParamKind::Positional;
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token | Kind::Error | Kind::PositionalSeparator => {}
                Kind::KeywordSeparator => ordinary = ParamKind::KeywordOnly,
                _ => {
                    let param = self.parameter(child.node, ordinary);
                    if param.kind == ParamKind::Rest {
                        ordinary = ParamKind::KeywordOnly;
                    }
                    params.push(param);
                }
            }
        }
        self.close(opened);
        params
    }

    fn parameter(&mut self, node: Node<'t>, ordinary: ParamKind) -> Param {
        let mut param = Param {
            name: String::new(),
            kind: ordinary,
            annotation: None,
            default: None,
            optional: false,
            decorators: Vec::new(),
            span: self.span(node),
        };
        let mut name = Some(node);
        if matches!(self.kind(node), Kind::TypedParameter | Kind::DefaultParameter | Kind::TypedDefaultParameter) {
            let opened = self.open(node);
            let [first] = self.parts(opened);
            name = self.by_field(opened, Field::Name).or(first);
            let annotation = self.by_field(opened, Field::Type);
            let default = self.by_field(opened, Field::Value);
            self.close(opened);
            param.annotation = annotation.map(|annotation| self.expr(annotation, Place::Type));
            param.default = default.map(|default| self.expr(default, Place::Value));
        }
        if let Some(name) = name {
            param.kind = match self.kind(name) {
                Kind::ListSplatPattern => ParamKind::Rest,
                Kind::DictionarySplatPattern => ParamKind::KeywordRest,
                _ => ordinary,
            };
            // Python 2 unpacks a tuple here: `def f((a, b))`; its text is as good a name as any.
            self.slice(name).trim_start_matches('*').trim_start().clone_into(&mut param.name);
        }
        param
    }

    /// `[T: bound, *Ts, **P]`
    pub(super) fn type_parameters(&mut self, node: Node<'t>) -> Vec<TypeParameter> {
        let opened = self.open(node);
        let mut parameters = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::Type {
                continue;
            }
            let Some(declared) = self.first_part(child.node) else { continue };
            let (name, bound) = if self.kind(declared) == Kind::ConstrainedType {
                let opened = self.open(declared);
                let [name, bound] = self.parts(opened);
                self.close(opened);
                (name, bound)
            } else {
                (Some(declared), None)
            };
            let name = name.map_or("", |name| self.slice(name)).trim_start_matches('*').trim_start().to_owned();
            let bound = bound.map(|bound| self.expr(bound, Place::Type));
            parameters.push(TypeParameter { name, bound, default: None });
        }
        self.close(opened);
        parameters
    }
}

fn decorators_into(decorators: &mut Vec<Expr>, out: &mut Vec<Stmt>) {
    out.extend(decorators.drain(..).map(|expr| Stmt { span: expr.span, kind: StmtKind::Expr(expr) }));
}
