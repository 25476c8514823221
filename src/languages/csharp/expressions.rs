//! Expressions.

use tree_sitter::Node;

use super::kinds::{Child, Field, Kind, Lowering, Opened};
use super::members::super_value;
use super::strings::number;
use crate::model::program::{Arg, BinaryOp, CompareOp, Expr, ExprKind};

impl<'t> Lowering<'t> {
    /// Lowers any node in the place of a value.
    pub(super) fn expr(&mut self, node: Node<'t>) -> Expr {
        let mut node = self.without_parentheses(node);
        // `value!` says something of types only.
        while self.kind(node) == Kind::Postfix {
            let opened = self.open(node);
            let [inner] = self.parts(opened);
            let step = self.has_token(opened, "++") || self.has_token(opened, "--");
            self.close(opened);
            match inner {
                Some(inner) if !step => node = self.without_parentheses(inner),
                _ => break,
            }
        }
        let kind = self.kind(node);
        let span = self.span(node);
        if let Some(kind) = self.leaf(kind, node) {
            return Expr { span, kind };
        }
        if !self.enter(node) {
            return Expr { span, kind: ExprKind::Other("code nested too deep") };
        }
        let kind = self.compound(kind, node);
        self.leave();
        Expr { span, kind }
    }

    /// The operand in a field; `node` is its parent.
    pub(super) fn operand(&mut self, opened: Opened, field: Field, node: Node<'t>) -> Expr {
        let operand = self.by_field(opened, field);
        self.part(operand, node)
    }

    /// A part that may be missing; `node` is its parent.
    pub(super) fn part(&mut self, part: Option<Node<'t>>, node: Node<'t>) -> Expr {
        match part {
            Some(part) => self.expr(part),
            None => self.unreadable(node),
        }
    }

    fn leaf(&self, kind: Kind, node: Node<'t>) -> Option<ExprKind> {
        Some(match kind {
            Kind::Identifier => match self.slice(node) {
                "" => ExprKind::Other("unreadable syntax"),
                _ => ExprKind::Name(self.identifier(node)),
            },
            Kind::PredefinedType => ExprKind::Name(self.name(node)),
            Kind::This => ExprKind::Name("this".to_owned()),
            Kind::Base => super_value(self.span(node)).kind,
            Kind::Null => ExprKind::None,
            Kind::Boolean => ExprKind::Bool(self.slice(node) == "true"),
            Kind::Integer | Kind::Real => number(self.slice(node)),
            Kind::String if self.slice(node).ends_with(['8']) => ExprKind::Bytes,
            Kind::VerbatimString if self.slice(node).ends_with(['8']) => ExprKind::Bytes,
            Kind::String | Kind::Character => ExprKind::Str { text: self.string_text(node), as_type: None },
            Kind::VerbatimString => ExprKind::Str { text: self.verbatim_text(node), as_type: None },
            Kind::RawString => ExprKind::Str { text: self.raw_text(node), as_type: None },
            Kind::SizeOf => ExprKind::Other("`sizeof`"),
            Kind::Reference => ExprKind::Other("typed reference"),
            Kind::Throw => ExprKind::Raise,
            Kind::Postfix => ExprKind::Other("increment"),
            _ => return None,
        })
    }

    // One function per kind: the frames of a recursion through all of them in one function would be large.
    fn compound(&mut self, kind: Kind, node: Node<'t>) -> ExprKind {
        match kind {
            Kind::GenericName => self.generic_name(node),
            Kind::QualifiedName
            | Kind::AliasQualifiedName
            | Kind::NullableType
            | Kind::ArrayType
            | Kind::TupleType
            | Kind::TransparentType => self.type_expr(node).kind,
            Kind::Member => self.member(node),
            Kind::ConditionalAccess => self.conditional_access(node),
            Kind::ElementAccess => self.element_access(node),
            Kind::Invocation => self.call(node),
            Kind::ObjectCreation | Kind::ImplicitObjectCreation => self.object_creation(node),
            Kind::AnonymousObject => self.anonymous_object(node),
            Kind::ArrayCreation | Kind::Stackalloc => self.array_creation(node),
            Kind::ImplicitArray => self.implicit_array(node),
            Kind::Initializer => self.initializer(node),
            Kind::Collection => self.collection(node),
            Kind::With => self.with(node),
            Kind::Lambda | Kind::AnonymousMethod => self.lambda(node),
            Kind::Assignment => self.assigned(node),
            Kind::Binary => self.binary(node),
            Kind::Conditional => self.conditional(node),
            Kind::Prefix => self.prefix(node),
            Kind::Await => self.first_boxed(node).map_or(ExprKind::Other("unreadable syntax"), ExprKind::Await),
            Kind::Cast => self.cast(node, Field::Value, Field::Type),
            Kind::As => self.cast(node, Field::Left, Field::Right),
            Kind::Is | Kind::IsPattern => self.is_pattern(node),
            Kind::Switch => self.switch(node),
            Kind::TypeOf => {
                let kind = self.field_of(node, Field::Type);
                ExprKind::TypeOf(Box::new(self.type_part(kind, node)))
            }
            Kind::Default => self.default_value(node),
            Kind::Range => self.range(node),
            Kind::Tuple => ExprKind::Tuple(self.tuple_items(node)),
            Kind::Query => self.query(node),
            Kind::InterpolatedString => self.interpolated(node),
            Kind::PreprocIf => self.compiled(node),
            Kind::DeclarationExpression => ExprKind::Other("declaration"),
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    fn first_boxed(&mut self, node: Node<'t>) -> Option<Box<Expr>> {
        let inner = self.first_part(node)?;
        Some(Box::new(self.expr(inner)))
    }

    /// `a.b`, `a.b<T>`
    pub(super) fn member(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let object = self.operand(opened, Field::Expression, node);
        let name = self.by_field(opened, Field::Name);
        self.close(opened);
        self.member_of(object, name)
    }

    /// `a?.b`, `a?[b]`, as without the question.
    fn conditional_access(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let object = self.operand(opened, Field::Condition, node);
        let binding = self.last_part(opened);
        self.close(opened);
        match binding.map(|binding| (self.kind(binding), binding)) {
            Some((Kind::MemberBinding, binding)) => {
                let name = self.field_of(binding, Field::Name);
                self.member_of(object, name)
            }
            Some((Kind::ElementBinding, binding)) => {
                ExprKind::Index { object: Box::new(object), index: self.indexes(binding) }
            }
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    fn element_access(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let object = Box::new(self.operand(opened, Field::Expression, node));
        let index = self.by_field(opened, Field::Subscript);
        self.close(opened);
        ExprKind::Index { object, index: index.map_or_else(Vec::new, |index| self.indexes(index)) }
    }

    /// What stands between brackets.
    pub(super) fn indexes(&mut self, node: Node<'t>) -> Vec<Expr> {
        let arguments = self.arguments(node);
        arguments
            .into_iter()
            .map(|argument| match argument {
                Arg::Positional(value) | Arg::Spread(value) | Arg::Keyword(_, value) | Arg::KeywordSpread(value) => {
                    value
                }
            })
            .collect()
    }

    /// `f<T>(a)`; `nameof(a.b)` is the string `b`.
    fn call(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let function = self.by_field(opened, Field::Function);
        let arguments = self.by_field(opened, Field::Arguments);
        self.close(opened);
        if let (Some(function), Some(arguments)) = (function, arguments)
            && self.slice(function) == "nameof"
            && let Some(text) = self.last_name(arguments)
        {
            return ExprKind::Str { text, as_type: None };
        }
        let generic = function.is_some_and(|function| self.ends_generic(function));
        let mut callee = self.part(function, node);
        let mut types = Vec::new();
        if generic && let ExprKind::Index { object, index } = callee.kind {
            callee = *object;
            types = index;
        }
        let args = arguments.map_or_else(Vec::new, |arguments| self.arguments(arguments));
        ExprKind::Call { callee: Box::new(callee), types, args }
    }

    /// Whether a name has type arguments that belong to its call.
    fn ends_generic(&mut self, node: Node<'t>) -> bool {
        let name = match self.kind(node) {
            Kind::GenericName => return true,
            Kind::Member => self.field_of(node, Field::Name),
            Kind::ConditionalAccess => {
                let opened = self.open(node);
                let binding = self.by_kind(opened, Kind::MemberBinding);
                self.close(opened);
                binding.and_then(|binding| self.field_of(binding, Field::Name))
            }
            _ => None,
        };
        name.is_some_and(|name| self.kind(name) == Kind::GenericName)
    }

    /// The last part of the only argument: of `a.b<c>` it is `b`.
    fn last_name(&mut self, arguments: Node<'t>) -> Option<String> {
        let argument = self.first_part(arguments)?;
        let mut node = self.first_part(argument)?;
        for _ in 0..2 {
            node = match self.kind(node) {
                Kind::Member | Kind::QualifiedName | Kind::AliasQualifiedName => self.field_of(node, Field::Name)?,
                Kind::GenericName => self.first_part(node)?,
                _ => break,
            };
        }
        matches!(self.kind(node), Kind::Identifier | Kind::PredefinedType).then(|| self.identifier(node))
    }

    pub(super) fn arguments(&mut self, list: Node<'t>) -> Vec<Arg> {
        let opened = self.open(list);
        let mut args = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Argument => args.push(self.argument(child.node)),
                Kind::Error => args.push(Arg::Spread(self.unreadable(child.node))),
                _ => {}
            }
        }
        self.close(opened);
        args
    }

    fn argument(&mut self, node: Node<'t>) -> Arg {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let is_out = self.has_token(opened, "out");
        let value = self.last_part(opened);
        self.close(opened);
        let value = if is_out { self.out_argument(value, node) } else { self.part(value, node) };
        match name {
            Some(name) => Arg::Keyword(self.identifier(name), value),
            None => Arg::Positional(value),
        }
    }

    /// `out var a`, `out T a`, `out a`: binds the name to what is not known, but for its type.
    fn out_argument(&mut self, value: Option<Node<'t>>, node: Node<'t>) -> Expr {
        let span = self.span(value.unwrap_or(node));
        let given = Expr { span, kind: ExprKind::Other("`out` argument") };
        let (name, kind) = match value.map(|value| (self.kind(value), value)) {
            Some((Kind::Identifier, name)) => (Some(name), None),
            Some((Kind::DeclarationExpression, declaration)) => {
                let opened = self.open(declaration);
                let name = self.by_field(opened, Field::Name);
                let kind = self.by_field(opened, Field::Type);
                self.close(opened);
                (name, self.declared_type(kind))
            }
            _ => (None, None),
        };
        let value = match kind {
            Some(kind) => Expr { span, kind: ExprKind::Cast { value: Box::new(given), kind: Box::new(kind) } },
            None => given,
        };
        match name.map(|name| self.identifier(name)) {
            Some(name) if name != "_" => Expr { span, kind: ExprKind::Named { name, value: Box::new(value) } },
            _ => value,
        }
    }

    fn cast(&mut self, node: Node<'t>, value: Field, kind: Field) -> ExprKind {
        let opened = self.open(node);
        let value = Box::new(self.operand(opened, value, node));
        let kind = self.by_field(opened, kind);
        self.close(opened);
        ExprKind::Cast { value, kind: Box::new(self.type_part(kind, node)) }
    }

    /// An assignment whose value is used: that of a name is kept, of any other target only the value.
    fn assigned(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let left = self.by_field(opened, Field::Left);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        let right = self.by_field(opened, Field::Right);
        self.close(opened);
        let value = match operator {
            "=" => self.part(right, node),
            "??=" => {
                let left = Box::new(self.part(left, node));
                let right = Box::new(self.part(right, node));
                Expr { span: self.span(node), kind: ExprKind::Or(left, right) }
            }
            _ => return ExprKind::Other("assignment"),
        };
        match left.map(|left| (self.kind(left), left)) {
            Some((Kind::Identifier, name)) => ExprKind::Named { name: self.identifier(name), value: Box::new(value) },
            _ => value.kind,
        }
    }

    fn prefix(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [operand] = self.parts(opened);
        let operator = self.opened(opened).first().map_or("", |child| self.slice(child.node));
        self.close(opened);
        let operand = self.part(operand, node);
        match operator {
            "!" => ExprKind::Not(Box::new(operand)),
            // `^1` counts from the end.
            "-" | "^" => ExprKind::Negate(Box::new(operand)),
            "+" => operand.kind,
            "++" | "--" => ExprKind::Other("increment"),
            "&" | "*" => ExprKind::Other("pointer"),
            _ => ExprKind::Other("bitwise operator"),
        }
    }

    fn binary(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let left = Box::new(self.operand(opened, Field::Left, node));
        let right = Box::new(self.operand(opened, Field::Right, node));
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        match operator {
            "&&" => ExprKind::And(left, right),
            "||" | "??" => ExprKind::Or(left, right),
            _ => match compare_op(operator) {
                Some(op) => ExprKind::Compare { op, left, right },
                None => ExprKind::Binary { op: binary_op(operator), left, right },
            },
        }
    }

    fn conditional(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let test = Box::new(self.operand(opened, Field::Condition, node));
        let then = Box::new(self.operand(opened, Field::Consequence, node));
        let otherwise = Box::new(self.operand(opened, Field::Alternative, node));
        self.close(opened);
        ExprKind::Conditional { test, then, otherwise }
    }

    /// `default(T)`, `default`
    fn default_value(&mut self, node: Node<'t>) -> ExprKind {
        let given = ExprKind::Other("default value");
        let Some(kind) = self.field_of(node, Field::Type) else { return given };
        let kind = Box::new(self.type_expr(kind));
        ExprKind::Cast { value: Box::new(Expr { span: self.span(node), kind: given }), kind }
    }

    /// `a..b`
    fn range(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let dots = self.opened(opened).iter().position(|child| child.kind == Kind::Token).unwrap_or(0);
        let part = |at: usize| self.opened(opened).get(at).filter(|child| child.is_part()).map(|child| child.node);
        let (lower, upper) = (dots.checked_sub(1).and_then(part), part(dots + 1));
        self.close(opened);
        let mut bound = |part: Option<Node<'t>>| part.map(|part| Box::new(self.expr(part)));
        ExprKind::Slice { lower: bound(lower), upper: bound(upper), step: None }
    }

    /// Values of a tuple; their names are left out.
    fn tuple_items(&mut self, node: Node<'t>) -> Vec<Expr> {
        self.indexes(node)
    }

    /// `#if` around a value: the first branch's.
    fn compiled(&mut self, node: Node<'t>) -> ExprKind {
        let branches = self.conditional_branches(node);
        let value = branches.into_iter().flatten().find(Child::is_part);
        value.map_or(ExprKind::Other("conditional compilation"), |value| self.expr(value.node).kind)
    }
}

pub(super) fn binary_op(operator: &str) -> BinaryOp {
    match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Modulo,
        "|" => BinaryOp::BitOr,
        "&" => BinaryOp::BitAnd,
        _ => BinaryOp::Other,
    }
}

fn compare_op(operator: &str) -> Option<CompareOp> {
    Some(match operator {
        "==" => CompareOp::Equal,
        "!=" => CompareOp::NotEqual,
        "<" => CompareOp::Less,
        "<=" => CompareOp::LessEqual,
        ">" => CompareOp::Greater,
        ">=" => CompareOp::GreaterEqual,
        _ => return None,
    })
}
