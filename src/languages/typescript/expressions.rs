//! Expressions.

use tree_sitter::Node;

use super::imported_types;
use super::kinds::{Field, Kind, Lowering, Opened};
use super::literals::number;
use crate::model::program::{Arg, BinaryOp, CompareOp, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// Calls and members on one another that are followed; that there are more is told.
const MAX_LINKS: usize = 1_200;

impl<'t> Lowering<'t> {
    /// Lowers any node in the place of a value.
    pub(super) fn expr(&mut self, node: Node<'t>) -> Expr {
        let mut node = node;
        let mut kind = self.kind(node);
        loop {
            match kind {
                Kind::Parenthesized | Kind::NonNull => {
                    let Some(inner) = self.first_part(node) else { return self.unreadable(node) };
                    node = inner;
                }
                Kind::Sequence => {
                    let Some(last) = self.last_part(node) else { return self.unreadable(node) };
                    node = last;
                }
                _ => break,
            }
            kind = self.kind(node);
        }
        let span = self.span(node);
        if let Some(kind) = self.leaf(kind, node) {
            return Expr { span, kind };
        }
        if !self.enter(node) {
            return Expr { span, kind: ExprKind::Other("code nested too deep") };
        }
        let expr = match kind {
            Kind::Call | Kind::Member | Kind::NestedIdentifier => self.chain(node),
            _ => Expr { span, kind: self.compound(kind, node) },
        };
        self.leave();
        expr
    }

    /// `a.b(…).c(…)`: calls and members on one another, which do not nest for whoever reads them.
    fn chain(&mut self, node: Node<'t>) -> Expr {
        let mut links = Vec::new();
        let mut too_long = false;
        // Links outside of the innermost parentheses.
        let mut outside = 0;
        let mut first = Some(node);
        while let Some(node) = first {
            let field = match self.kind(node) {
                Kind::Call => Field::Function,
                Kind::Member | Kind::NestedIdentifier => Field::Object,
                kind @ (Kind::Parenthesized | Kind::NonNull) => {
                    if kind == Kind::Parenthesized {
                        outside = links.len();
                    }
                    first = self.first_part(node);
                    continue;
                }
                _ => break,
            };
            if links.len() == MAX_LINKS {
                self.note_too_deep(node);
                too_long = true;
                break;
            }
            links.push(node);
            let opened = self.open(node);
            first = self.by_field(opened, field);
            self.close(opened);
        }
        let innermost = links.last().copied().unwrap_or(node);
        let mut expr = match first {
            Some(first) if too_long => Expr { span: self.span(first), kind: ExprKind::Other("code nested too deep") },
            first => self.part(first, innermost),
        };
        // The grammar takes `await f<T>(x)` for a call of what `await f` gives; `(await f()).x` is what it looks like.
        let mut awaited = false;
        if outside < links.len() && first.is_some_and(|first| self.kind(first) == Kind::Await) {
            expr = match expr.kind {
                ExprKind::Await(operand) => {
                    awaited = true;
                    *operand
                }
                kind => Expr { kind, ..expr },
            };
        }
        for (at, node) in links.into_iter().enumerate().rev() {
            if awaited && at < outside {
                expr = Expr { span: expr.span, kind: ExprKind::Await(Box::new(expr)) };
                awaited = false;
            }
            let whole = self.span(node);
            let span = if awaited { Span { start: expr.span.start, ..whole } } else { whole };
            let kind = if self.kind(node) == Kind::Call { self.call(node, expr) } else { self.member(node, expr) };
            expr = Expr { span, kind };
        }
        if awaited { Expr { span: self.span(node), kind: ExprKind::Await(Box::new(expr)) } } else { expr }
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

    pub(super) fn last_part(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let opened = self.open(node);
        let last = self.opened(opened).iter().rev().find(|child| child.is_part()).map(|child| child.node);
        self.close(opened);
        last
    }

    fn leaf(&self, kind: Kind, node: Node<'t>) -> Option<ExprKind> {
        Some(match kind {
            Kind::Identifier | Kind::ShorthandProperty | Kind::ShorthandPattern | Kind::TypeIdentifier => {
                match self.slice(node) {
                    "" => ExprKind::Other("unreadable syntax"),
                    name => imported_types::hidden(name, self.span(node)).unwrap_or(ExprKind::Name(name.to_owned())),
                }
            }
            Kind::This => ExprKind::Name("this".to_owned()),
            Kind::Import => ExprKind::Name("import".to_owned()),
            Kind::Super => super_call(self.span(node)),
            Kind::Number => number(self.slice(node)),
            Kind::String => ExprKind::Str { text: self.string_text(node), as_type: None },
            Kind::True => ExprKind::Bool(true),
            Kind::False => ExprKind::Bool(false),
            Kind::Null | Kind::Undefined => ExprKind::None,
            Kind::Regex => self.regular_expression(node),
            Kind::MetaProperty if self.slice(node) == "import.meta" => ExprKind::Name("import.meta".to_owned()),
            Kind::MetaProperty => ExprKind::Other("meta property"),
            Kind::PrivateIdentifier => ExprKind::Other("private name"),
            _ => return None,
        })
    }

    /// `/pattern/flags` is `RegExp("pattern")`.
    fn regular_expression(&self, node: Node<'t>) -> ExprKind {
        let (written, span) = (self.slice(node), self.span(node));
        let pattern =
            written.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')).map_or("", |(pattern, _)| pattern);
        let pattern = ExprKind::Str { text: pattern.to_owned(), as_type: None };
        let callee = Box::new(Expr { kind: ExprKind::Name("RegExp".to_owned()), span });
        ExprKind::Call { callee, types: Vec::new(), args: vec![Arg::Positional(Expr { kind: pattern, span })] }
    }

    // One function per kind: the frames of a recursion through all of them in one function would be large.
    fn compound(&mut self, kind: Kind, node: Node<'t>) -> ExprKind {
        match kind {
            Kind::Jsx => self.jsx(node),
            Kind::TemplateString => self.template(node),
            Kind::Subscript => self.subscript(node),
            Kind::New => self.new_call(node),
            Kind::Object => self.object(node),
            Kind::Array => ExprKind::List(self.items(node)),
            Kind::FunctionExpression | Kind::ArrowFunction => self.lambda(node),
            Kind::Class => self.class_expression(node),
            Kind::As => self.cast(node),
            Kind::TypeAssertion => self.assertion(node),
            Kind::Instantiation => self.instantiation(node),
            Kind::Assignment => self.assigned(node),
            Kind::AugmentedAssignment => ExprKind::Other("assignment"),
            Kind::Update => ExprKind::Other("increment"),
            Kind::Await => self.first_boxed(node).map_or(ExprKind::Other("unreadable syntax"), ExprKind::Await),
            Kind::Yield => {
                self.yielded = true;
                ExprKind::Yield(self.first_boxed(node))
            }
            Kind::SpreadElement | Kind::RestPattern => {
                self.first_boxed(node).map_or(ExprKind::Other("unreadable syntax"), ExprKind::Spread)
            }
            Kind::Unary => self.unary(node),
            Kind::Binary => self.binary(node),
            Kind::Ternary => self.ternary(node),
            Kind::ObjectPattern | Kind::ArrayPattern => ExprKind::Other("pattern"),
            Kind::Namespace => ExprKind::Other("namespace"),
            _ => ExprKind::Other("unreadable syntax"),
        }
    }

    /// An element is known by the functions that it is given: `<Form onSubmit={async () => …}>`.
    fn jsx(&mut self, node: Node<'t>) -> ExprKind {
        let mut args = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if self.kind(node) == Kind::JsxExpression {
                let text = self.slice(node);
                let holds_function = text.contains("=>") || text.contains("function");
                if let Some(inner) = self.first_part(node).filter(|_| holds_function) {
                    args.push(Arg::Positional(self.expr(inner)));
                }
                continue;
            }
            let opened = self.open(node);
            let parts = opened.into_iter().map(|index| self.child(index));
            let is_inner = |kind| matches!(kind, Kind::Jsx | Kind::JsxPart | Kind::JsxExpression);
            let mut inner: Vec<Node<'t>> = parts.filter(|part| is_inner(part.kind)).map(|part| part.node).collect();
            self.close(opened);
            inner.reverse();
            stack.extend(inner);
        }
        let element = ExprKind::Other("JSX");
        if args.is_empty() {
            return element;
        }
        let callee = Box::new(Expr { span: self.span(node), kind: element });
        ExprKind::Call { callee, args, types: Vec::new() }
    }

    fn first_boxed(&mut self, node: Node<'t>) -> Option<Box<Expr>> {
        let inner = self.first_part(node)?;
        Some(Box::new(self.expr(inner)))
    }

    /// Items of an array, with a mark where something could not be read.
    fn items(&mut self, node: Node<'t>) -> Vec<Expr> {
        let opened = self.open(node);
        let mut items = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token => {}
                Kind::Error => {
                    let unreadable = self.unreadable(child.node);
                    items.push(Expr { span: unreadable.span, kind: ExprKind::Spread(Box::new(unreadable)) });
                }
                _ => items.push(self.expr(child.node)),
            }
        }
        self.close(opened);
        items
    }

    fn member(&mut self, node: Node<'t>, object: Expr) -> ExprKind {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Property).map_or_else(String::new, |name| self.name(name));
        self.close(opened);
        ExprKind::Member { object: Box::new(object), name }
    }

    fn subscript(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let object = self.operand(opened, Field::Object, node);
        let index = self.operand(opened, Field::Index, node);
        self.close(opened);
        ExprKind::Index { object: Box::new(object), index: vec![index] }
    }

    /// `f<T>(a)`, `super(a)`, `` f`a` ``
    fn call(&mut self, node: Node<'t>, callee: Expr) -> ExprKind {
        let opened = self.open(node);
        let function = self.by_field(opened, Field::Function);
        let types = self.by_field(opened, Field::TypeArguments);
        let arguments = self.by_field(opened, Field::Arguments);
        self.close(opened);
        let mut callee = callee;
        if function.is_some_and(|function| self.kind(function) == Kind::Super) {
            let kind = ExprKind::Member { object: Box::new(callee.clone()), name: "__init__".to_owned() };
            callee = Expr { span: callee.span, kind };
        }
        let types = types.map_or_else(Vec::new, |types| self.type_arguments(types));
        let args = match arguments.map(|arguments| (self.kind(arguments), arguments)) {
            Some((Kind::TemplateString, template)) => vec![Arg::Positional(self.expr(template))],
            Some((_, list)) => self.arguments(list),
            None => Vec::new(),
        };
        ExprKind::Call { callee: Box::new(callee), types, args }
    }

    fn new_call(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let callee = Box::new(self.operand(opened, Field::Constructor, node));
        let types = self.by_field(opened, Field::TypeArguments);
        let arguments = self.by_field(opened, Field::Arguments);
        self.close(opened);
        let types = types.map_or_else(Vec::new, |types| self.type_arguments(types));
        let args = arguments.map_or_else(Vec::new, |arguments| self.arguments(arguments));
        ExprKind::Call { callee, types, args }
    }

    fn arguments(&mut self, list: Node<'t>) -> Vec<Arg> {
        self.items(list)
            .into_iter()
            .map(|item| match item {
                Expr { kind: ExprKind::Spread(value), .. } => Arg::Spread(*value),
                value => Arg::Positional(value),
            })
            .collect()
    }

    /// `value as T`, `value satisfies T`, `value as const`
    fn cast(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [value, kind] = self.parts(opened);
        let last = self.opened(opened).last().map(|child| child.node);
        self.close(opened);
        let value = Box::new(self.part(value, node));
        let kind = match kind {
            Some(kind) => self.type_expr(kind),
            None => Expr { span: self.span(last.unwrap_or(node)), kind: ExprKind::Name("const".to_owned()) },
        };
        ExprKind::Cast { value, kind: Box::new(kind) }
    }

    /// `<T>value`
    fn assertion(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [types, value] = self.parts(opened);
        self.close(opened);
        let mut types = types.map_or_else(Vec::new, |types| self.type_arguments(types));
        let value = Box::new(self.part(value, node));
        match types.pop() {
            Some(kind) => ExprKind::Cast { value, kind: Box::new(kind) },
            None => value.kind,
        }
    }

    /// `f<T>` without a call.
    fn instantiation(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [object] = self.parts(opened);
        let types = self.by_field(opened, Field::TypeArguments);
        self.close(opened);
        let object = Box::new(self.part(object, node));
        ExprKind::Index { object, index: types.map_or_else(Vec::new, |types| self.type_arguments(types)) }
    }

    /// An assignment whose value is used: that of a name is kept, of any other target only the value.
    fn assigned(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let left = self.by_field(opened, Field::Left);
        let value = self.operand(opened, Field::Right, node);
        self.close(opened);
        match left.map(|left| (self.kind(left), left)) {
            Some((Kind::Identifier, name)) => ExprKind::Named { name: self.name(name), value: Box::new(value) },
            _ => value.kind,
        }
    }

    fn unary(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let operator = self.by_field(opened, Field::Operator);
        let operand = self.operand(opened, Field::Argument, node);
        self.close(opened);
        let at = self.span(operator.unwrap_or(node));
        match operator.map_or("", |operator| self.slice(operator)) {
            "!" => ExprKind::Not(Box::new(operand)),
            "-" => ExprKind::Negate(Box::new(operand)),
            "+" if matches!(operand.kind, ExprKind::Int(_) | ExprKind::Float(_)) => operand.kind,
            "+" => call_of("Number", at, operand),
            "delete" => call_of("delete", at, operand),
            "void" if matches!(operand.kind, ExprKind::Int(_)) => ExprKind::None,
            "void" => ExprKind::And(Box::new(operand), Box::new(Expr { span: at, kind: ExprKind::None })),
            "typeof" => ExprKind::TypeOf(Box::new(operand)),
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
            "instanceof" => ExprKind::Other("`instanceof`"),
            _ => match compare_op(operator) {
                Some(op) => ExprKind::Compare { op, left, right },
                None => ExprKind::Binary { op: binary_op(operator), left, right },
            },
        }
    }

    fn ternary(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let test = Box::new(self.operand(opened, Field::Condition, node));
        let then = Box::new(self.operand(opened, Field::Consequence, node));
        let otherwise = Box::new(self.operand(opened, Field::Alternative, node));
        self.close(opened);
        ExprKind::Conditional { test, then, otherwise }
    }

    /// The class is declared before the statement; what stands here is its name.
    fn class_expression(&mut self, node: Node<'t>) -> ExprKind {
        let mut class = self.class(node, Vec::new());
        if class.name.is_empty() {
            class.name = format!("class@{}", node.start_byte());
        }
        let name = class.name.clone();
        self.extra.before.push(Stmt { span: self.span(node), kind: StmtKind::Class(Box::new(class)) });
        ExprKind::Name(name)
    }
}

/// `super` as a value: `super()`.
fn super_call(span: Span) -> ExprKind {
    let callee = Box::new(Expr { span, kind: ExprKind::Name("super".to_owned()) });
    ExprKind::Call { callee, types: Vec::new(), args: Vec::new() }
}

/// A call of a function that the language has by itself; `at` is where it is asked for.
pub(super) fn call_of(name: &str, at: Span, argument: Expr) -> ExprKind {
    let callee = Box::new(Expr { span: at, kind: ExprKind::Name(name.to_owned()) });
    ExprKind::Call { callee, types: Vec::new(), args: vec![Arg::Positional(argument)] }
}

pub(super) fn binary_op(operator: &str) -> BinaryOp {
    match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Modulo,
        "**" => BinaryOp::Power,
        "|" => BinaryOp::BitOr,
        "&" => BinaryOp::BitAnd,
        _ => BinaryOp::Other,
    }
}

fn compare_op(operator: &str) -> Option<CompareOp> {
    Some(match operator {
        "==" | "===" => CompareOp::Equal,
        "!=" | "!==" => CompareOp::NotEqual,
        "<" => CompareOp::Less,
        "<=" => CompareOp::LessEqual,
        ">" => CompareOp::Greater,
        ">=" => CompareOp::GreaterEqual,
        "in" => CompareOp::In,
        _ => return None,
    })
}
