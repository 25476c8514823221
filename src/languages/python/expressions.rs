//! Expressions.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::tree::{Lowering, Opened, Place};
use crate::model::program::{
    Arg, BinaryOp, CompareOp, Comprehension, ComprehensionClause, ComprehensionKind, DictItem, Expr, ExprKind,
};

impl<'t> Lowering<'t> {
    /// Lowers any node in the place of an expression.
    pub(super) fn expr(&mut self, node: Node<'t>, place: Place) -> Expr {
        let mut node = node;
        let mut kind = self.kind(node);
        while matches!(kind, Kind::ParenthesizedExpression | Kind::Type | Kind::AsPatternTarget) {
            let Some(inner) = self.first_part(node) else { return self.unreadable(node) };
            node = inner;
            kind = self.kind(node);
        }
        let span = self.span(node);
        if let Some(kind) = self.leaf(kind, node) {
            return Expr { span, kind };
        }
        if !self.enter(node) {
            return Expr { span, kind: ExprKind::Other("code nested too deep") };
        }
        let kind = self.compound(kind, node, place);
        self.leave();
        Expr { span, kind }
    }

    /// The operand in a field; `node` is its parent.
    pub(super) fn operand(&mut self, opened: Opened, field: Field, node: Node<'t>, place: Place) -> Expr {
        let operand = self.by_field(opened, field);
        self.part(operand, node, place)
    }

    /// A part that may be missing; `node` is its parent.
    pub(super) fn part(&mut self, part: Option<Node<'t>>, node: Node<'t>, place: Place) -> Expr {
        match part {
            Some(part) => self.expr(part, place),
            None => self.unreadable(node),
        }
    }

    /// Every child that is an expression, with a mark where something could not be read.
    pub(super) fn expressions_of(&mut self, opened: Opened, place: Place) -> Vec<Expr> {
        let mut items = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token => {}
                Kind::Error => {
                    let unreadable = self.unreadable(child.node);
                    items.push(Expr { span: unreadable.span, kind: ExprKind::Spread(Box::new(unreadable)) });
                }
                _ => items.push(self.expr(child.node, place)),
            }
        }
        items
    }

    fn leaf(&self, kind: Kind, node: Node<'t>) -> Option<ExprKind> {
        Some(match kind {
            Kind::Identifier => match self.slice(node) {
                "" => ExprKind::Other("unreadable syntax"),
                name => ExprKind::Name(name.to_owned()),
            },
            Kind::Integer => super::literals::integer(self.slice(node)),
            Kind::Float => super::literals::float(self.slice(node)),
            Kind::True => ExprKind::Bool(true),
            Kind::False => ExprKind::Bool(false),
            Kind::None => ExprKind::None,
            Kind::Ellipsis => ExprKind::Ellipsis,
            _ => return None,
        })
    }

    // One function per kind: the frames of a recursion through all of them in one function would be large.
    fn compound(&mut self, kind: Kind, node: Node<'t>, place: Place) -> ExprKind {
        match kind {
            Kind::String => self.string(node, place),
            Kind::ConcatenatedString => self.concatenated_string(node, place),
            Kind::Attribute => self.attribute(node, place),
            Kind::Subscript => self.subscript(node, place),
            Kind::Slice => self.slice_expression(node),
            Kind::Call => self.call(node),
            Kind::List | Kind::ListPattern => ExprKind::List(self.items(node, place)),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList | Kind::TuplePattern => {
                ExprKind::Tuple(self.items(node, place))
            }
            Kind::Set => ExprKind::Set(self.items(node, Place::Value)),
            Kind::Dictionary => self.dictionary(node),
            Kind::ListComprehension => self.comprehension(node, ComprehensionKind::List),
            Kind::SetComprehension => self.comprehension(node, ComprehensionKind::Set),
            Kind::DictionaryComprehension => self.comprehension(node, ComprehensionKind::Dict),
            Kind::GeneratorExpression => self.comprehension(node, ComprehensionKind::Generator),
            Kind::BinaryOperator => self.binary(node, place),
            Kind::BooleanOperator => self.boolean(node),
            Kind::NotOperator => self.inner(node, Field::Argument, ExprKind::Not),
            Kind::UnaryOperator => self.unary(node),
            Kind::ComparisonOperator => self.comparison(node),
            Kind::ConditionalExpression => self.conditional(node, place),
            Kind::NamedExpression => self.named(node),
            Kind::Lambda => self.lambda(node),
            Kind::Await => self.first_boxed(node, place).map_or(ExprKind::Other("unreadable syntax"), ExprKind::Await),
            Kind::Yield => {
                self.yielded = true;
                ExprKind::Yield(self.first_boxed(node, Place::Value))
            }
            Kind::ListSplat | Kind::ListSplatPattern | Kind::SplatType => {
                self.first_boxed(node, place).map_or(ExprKind::Other("unreadable syntax"), ExprKind::Spread)
            }
            Kind::GenericType => self.generic_type(node),
            Kind::UnionType => self.union_type(node),
            Kind::MemberType => self.member_type(node),
            Kind::ConstrainedType => ExprKind::Other("constrained type"),
            Kind::AsPattern => ExprKind::Other("`as` pattern"),
            Kind::Assignment | Kind::AugmentedAssignment => ExprKind::Other("assignment"),
            Kind::DictionarySplat | Kind::DictionarySplatPattern => ExprKind::Other("`**` spread"),
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    fn first_boxed(&mut self, node: Node<'t>, place: Place) -> Option<Box<Expr>> {
        let inner = self.first_part(node)?;
        Some(Box::new(self.expr(inner, place)))
    }

    fn inner(&mut self, node: Node<'t>, field: Field, wrap: fn(Box<Expr>) -> ExprKind) -> ExprKind {
        let opened = self.open(node);
        let value = self.operand(opened, field, node, Place::Value);
        self.close(opened);
        wrap(Box::new(value))
    }

    fn items(&mut self, node: Node<'t>, place: Place) -> Vec<Expr> {
        let opened = self.open(node);
        let items = self.expressions_of(opened, place);
        self.close(opened);
        items
    }

    fn attribute(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let opened = self.open(node);
        let object = self.operand(opened, Field::Object, node, place);
        let name = self.by_field(opened, Field::Attribute).map_or_else(String::new, |name| self.name(name));
        self.close(opened);
        ExprKind::Member { object: Box::new(object), name }
    }

    fn subscript(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let opened = self.open(node);
        let object = self.operand(opened, Field::Value, node, place);
        let mut index = Vec::new();
        for at in opened {
            let child = self.child(at);
            if child.field == Field::Subscript && child.is_part() {
                index.push(self.expr(child.node, Place::Type));
            }
        }
        self.close(opened);
        ExprKind::Index { object: Box::new(object), index }
    }

    fn slice_expression(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut bounds = [None, None, None];
        let mut at = 0;
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Token {
                at += 1;
            } else if child.is_part() && at < bounds.len() {
                bounds[at] = Some(Box::new(self.expr(child.node, Place::Value)));
            }
        }
        self.close(opened);
        let [lower, upper, step] = bounds;
        ExprKind::Slice { lower, upper, step }
    }

    fn call(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let callee = self.operand(opened, Field::Function, node, Place::Value);
        let arguments = self.by_field(opened, Field::Arguments);
        self.close(opened);
        let mut args = match arguments.map(|arguments| (self.kind(arguments), arguments)) {
            Some((Kind::ArgumentList, list)) => self.arguments(list),
            Some((_, generator)) => vec![Arg::Positional(self.expr(generator, Place::Value))],
            None => Vec::new(),
        };
        // `cast("list[int]", value)`: the text is a type.
        if let (ExprKind::Name(name) | ExprKind::Member { name, .. }, Some(Arg::Positional(first))) =
            (&callee.kind, args.first_mut())
            && name == "cast"
            && let ExprKind::Str { text, as_type: as_type @ None } = &mut first.kind
        {
            *as_type = self.forward_reference(text, first.span);
        }
        ExprKind::Call { callee: Box::new(callee), types: Vec::new(), args }
    }

    pub(super) fn arguments(&mut self, list: Node<'t>) -> Vec<Arg> {
        let opened = self.open(list);
        let mut args = Vec::new();
        for index in opened {
            let child = self.child(index);
            let node = child.node;
            match child.kind {
                Kind::Token => {}
                Kind::Error => args.push(Arg::KeywordSpread(self.unreadable(node))),
                Kind::KeywordArgument => {
                    let opened = self.open(node);
                    let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.name(name));
                    let value = self.operand(opened, Field::Value, node, Place::Value);
                    self.close(opened);
                    args.push(Arg::Keyword(name, value));
                }
                Kind::DictionarySplat => {
                    args.extend(self.first_boxed(node, Place::Value).map(|value| Arg::KeywordSpread(*value)));
                }
                _ => args.push(match self.expr(node, Place::Value) {
                    Expr { kind: ExprKind::Spread(value), .. } => Arg::Spread(*value),
                    value => Arg::Positional(value),
                }),
            }
        }
        self.close(opened);
        args
    }

    fn dictionary(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut items = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Pair => {
                    let (key, value) = self.pair(child.node);
                    items.push(DictItem::Pair(key, value));
                }
                Kind::DictionarySplat => {
                    items.extend(self.first_boxed(child.node, Place::Value).map(|value| DictItem::Spread(*value)));
                }
                Kind::Error => items.push(DictItem::Spread(self.unreadable(child.node))),
                _ => {}
            }
        }
        self.close(opened);
        ExprKind::Dict(items)
    }

    fn pair(&mut self, node: Node<'t>) -> (Expr, Expr) {
        let opened = self.open(node);
        let key = self.operand(opened, Field::Key, node, Place::Value);
        let value = self.operand(opened, Field::Value, node, Place::Value);
        self.close(opened);
        (key, value)
    }

    fn comprehension(&mut self, node: Node<'t>, kind: ComprehensionKind) -> ExprKind {
        let opened = self.open(node);
        let (element, value) = match self.by_field(opened, Field::Body) {
            Some(pair) if self.kind(pair) == Kind::Pair => {
                let (key, value) = self.pair(pair);
                (key, Some(value))
            }
            Some(element) => (self.expr(element, Place::Value), None),
            None => (self.unreadable(node), None),
        };
        let mut clauses: Vec<ComprehensionClause> = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::ForInClause => {
                    let clause = self.for_in_clause(child.node);
                    clauses.push(clause);
                }
                Kind::IfClause => {
                    let condition = self.first_boxed(child.node, Place::Value);
                    if let (Some(clause), Some(condition)) = (clauses.last_mut(), condition) {
                        clause.conditions.push(*condition);
                    }
                }
                _ => {}
            }
        }
        self.close(opened);
        ExprKind::Comprehension(Box::new(Comprehension { kind, element, value, clauses }))
    }

    fn for_in_clause(&mut self, node: Node<'t>) -> ComprehensionClause {
        let opened = self.open(node);
        let target = self.operand(opened, Field::Left, node, Place::Value);
        let iter = self.operand(opened, Field::Right, node, Place::Value);
        self.close(opened);
        ComprehensionClause { target, iter, conditions: Vec::new() }
    }

    fn binary(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let opened = self.open(node);
        let left = self.operand(opened, Field::Left, node, place);
        let right = self.operand(opened, Field::Right, node, place);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        ExprKind::Binary { op: binary_op(operator), left: Box::new(left), right: Box::new(right) }
    }

    fn boolean(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let left = Box::new(self.operand(opened, Field::Left, node, Place::Value));
        let right = Box::new(self.operand(opened, Field::Right, node, Place::Value));
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        if operator == "and" { ExprKind::And(left, right) } else { ExprKind::Or(left, right) }
    }

    /// `+x` is `x`.
    fn unary(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let operand = self.operand(opened, Field::Argument, node, Place::Value);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        match operator {
            "-" => ExprKind::Negate(Box::new(operand)),
            "+" => operand.kind,
            _ => ExprKind::Other("bitwise operator"),
        }
    }

    fn comparison(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut operators = self.opened(opened).iter().filter(|child| child.field == Field::Operators);
        let (operator, more) = (operators.next().map(|child| child.node), operators.next().is_some());
        let operands: [Option<Node<'t>>; 2] = self.parts(opened);
        self.close(opened);
        let (Some(operator), [Some(left), Some(right)]) = (operator, operands) else {
            return ExprKind::Other("unreadable syntax");
        };
        if more {
            return ExprKind::Other("chained comparison");
        }
        let Some(op) = compare_op(self.slice(operator)) else { return ExprKind::Other("unreadable syntax") };
        let left = Box::new(self.expr(left, Place::Value));
        let right = Box::new(self.expr(right, Place::Value));
        ExprKind::Compare { op, left, right }
    }

    /// `then if test else otherwise`
    fn conditional(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let opened = self.open(node);
        let parts = self.parts(opened);
        self.close(opened);
        let [Some(then), Some(test), Some(otherwise)] = parts else {
            return ExprKind::Other("unreadable syntax");
        };
        // In order of appearance, for the indices of lambdas.
        let then = Box::new(self.expr(then, place));
        let test = Box::new(self.expr(test, Place::Value));
        let otherwise = Box::new(self.expr(otherwise, place));
        ExprKind::Conditional { test, then, otherwise }
    }

    fn named(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.name(name));
        let value = self.operand(opened, Field::Value, node, Place::Value);
        self.close(opened);
        ExprKind::Named { name, value: Box::new(value) }
    }
}

pub(super) fn binary_op(operator: &str) -> BinaryOp {
    match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "//" => BinaryOp::FloorDivide,
        "%" => BinaryOp::Modulo,
        "**" => BinaryOp::Power,
        "|" => BinaryOp::BitOr,
        _ => BinaryOp::Other,
    }
}

/// `not   in` may have any space or line break inside.
fn compare_op(operator: &str) -> Option<CompareOp> {
    Some(match operator {
        "==" => CompareOp::Equal,
        "!=" | "<>" => CompareOp::NotEqual,
        "<" => CompareOp::Less,
        "<=" => CompareOp::LessEqual,
        ">" => CompareOp::Greater,
        ">=" => CompareOp::GreaterEqual,
        "in" => CompareOp::In,
        "is" => CompareOp::Is,
        _ if operator.starts_with("not") => CompareOp::NotIn,
        _ if operator.starts_with("is") => CompareOp::IsNot,
        _ => return None,
    })
}
