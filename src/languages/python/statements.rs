//! Statements and blocks.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::tree::{Child, Lowering, Opened, Place};
use crate::languages::branches::{Branch, MAX_NESTED_BRANCHES, nest};
use crate::model::program::{Arg, BinaryOp, Expr, ExprKind, MatchCase, Stmt, StmtKind, TypeParameter, WithItem};
use crate::text::Span;

impl<'t> Lowering<'t> {
    /// The statements right below a node: a block, a module, or a place that is unreadable as a whole.
    pub(super) fn block(&mut self, node: Node<'t>) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.block_into(node, &mut out);
        out
    }

    fn block_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        if !self.enter(node) {
            return;
        }
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            self.statement(child, out);
        }
        self.close(opened);
        self.leave();
    }

    /// What was understood inside of an unreadable place still counts, after a mark that something is missing.
    fn unreadable_into(&mut self, error: Node<'t>, out: &mut Vec<Stmt>) {
        let mark = self.unreadable(error);
        out.push(Stmt { span: mark.span, kind: StmtKind::Expr(mark) });
        self.block_into(error, out);
    }

    /// The body of a definition, after what the parser could not read in its head, which may be a part of the body.
    pub(super) fn body(&mut self, definition: Opened, body: Option<Node<'t>>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for index in definition {
            let child = self.child(index);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, &mut out);
            }
        }
        if let Some(body) = body {
            self.block_into(body, &mut out);
        }
        out
    }

    fn block_of(&mut self, node: Option<Node<'t>>) -> Vec<Stmt> {
        node.map_or_else(Vec::new, |node| self.block(node))
    }

    fn statement(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        let node = child.node;
        let span = self.span(node);
        let kind = match child.kind {
            Kind::ExpressionStatement => return self.expression_statement(node, out),
            Kind::ImportStatement => return self.import_statement(node, out),
            Kind::ImportFromStatement => return self.import_from_statement(node, out),
            Kind::Error => return self.unreadable_into(node, out),
            Kind::Block => return self.block_into(node, out),
            Kind::WhileStatement => return self.while_statement(node, out),
            Kind::DecoratedDefinition => return self.decorated_definition(node, out),
            Kind::FunctionDefinition => StmtKind::Function(Box::new(self.function(node, Vec::new()))),
            Kind::ClassDefinition => StmtKind::Class(Box::new(self.class(node, Vec::new()))),
            Kind::IfStatement => self.if_statement(node),
            Kind::ForStatement => self.for_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::WithStatement => self.with_statement(node),
            Kind::MatchStatement => self.match_statement(node),
            Kind::ReturnStatement => {
                let value = self.first_part(node);
                StmtKind::Return(value.map(|value| self.expr(value, Place::Value)))
            }
            Kind::RaiseStatement => StmtKind::Raise,
            Kind::BreakStatement => StmtKind::Break,
            Kind::ContinueStatement => StmtKind::Continue,
            Kind::PrintStatement => self.print_statement(node),
            Kind::DeleteStatement => return self.delete_statement(node, out),
            Kind::TypeAliasStatement => self.type_alias(node),
            _ => return,
        };
        out.push(Stmt { span, kind });
    }

    fn expression_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        self.expression_statement_in(node, Place::Value, out);
    }

    /// A statement that is an expression or an assignment.
    pub(super) fn expression_statement_in(&mut self, node: Node<'t>, place: Place, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let is_tuple = self.opened(opened).iter().any(|child| child.kind == Kind::Token);
        let [first] = self.parts(opened);
        if let Some(first) = first {
            let kind = match self.kind(first) {
                Kind::Assignment => self.assignment(first),
                Kind::AugmentedAssignment => self.augmented_assignment(first),
                _ if is_tuple => {
                    let items = self.expressions_of(opened, place);
                    StmtKind::Expr(Expr { span: self.span(node), kind: ExprKind::Tuple(items) })
                }
                _ => StmtKind::Expr(self.expr(first, place)),
            };
            out.push(Stmt { span: self.span(node), kind });
        }
        self.close(opened);
    }

    /// `a = b = value`, `target: annotation = value`; a loop, for chains have no bound.
    fn assignment(&mut self, node: Node<'t>) -> StmtKind {
        let mut targets = Vec::new();
        let mut node = node;
        loop {
            let opened = self.open(node);
            let left = self.by_field(opened, Field::Left);
            let annotation = self.by_field(opened, Field::Type);
            let right = self.by_field(opened, Field::Right);
            self.close(opened);
            let target = self.part(left, node, Place::Value);
            if let Some(annotation) = annotation {
                let annotation = self.expr(annotation, Place::Type);
                let alias = matches!(&annotation.kind,
                    ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "TypeAlias");
                let place = if alias { Place::Type } else { Place::Value };
                let value = right.map(|right| self.expr(right, place));
                return StmtKind::Annotated { target, annotation, value };
            }
            targets.push(target);
            match right {
                Some(right) if self.kind(right) == Kind::Assignment => node = right,
                Some(right) => return StmtKind::Assign { targets, value: self.expr(right, Place::Value) },
                None => return StmtKind::Assign { targets, value: self.unreadable(node) },
            }
        }
    }

    fn augmented_assignment(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let target = self.operand(opened, Field::Left, node, Place::Value);
        let value = self.operand(opened, Field::Right, node, Place::Value);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        let op = operator.strip_suffix('=').map_or(BinaryOp::Other, super::expressions::binary_op);
        StmtKind::Augmented { target, op, value }
    }

    fn if_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let depth = self.depth;
        let first = self.branch(node);
        let mut more = Vec::new();
        let mut last = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::ElifClause => {
                    // Each branch lies in the `otherwise` of the one before.
                    if more.len() < MAX_NESTED_BRANCHES {
                        self.depth += 1;
                    } else {
                        self.note_too_deep(child.node);
                    }
                    more.push(self.branch(child.node));
                }
                Kind::ElseClause => last = self.clause_block(child.node),
                _ => {}
            }
        }
        self.close(opened);
        self.depth = depth;
        nest(first, more, last)
    }

    /// The test and the block of an `if` or `elif`.
    fn branch(&mut self, node: Node<'t>) -> Branch {
        let opened = self.open(node);
        let test = self.operand(opened, Field::Condition, node, Place::Value);
        let then = self.by_field(opened, Field::Consequence);
        self.close(opened);
        Branch { span: self.span(node), test, then: self.block_of(then) }
    }

    /// The block of an `else`, `except` or `finally` clause.
    fn clause_block(&mut self, clause: Node<'t>) -> Vec<Stmt> {
        let opened = self.open(clause);
        let block = self.by_kind(opened, Kind::Block);
        self.close(opened);
        self.block_of(block)
    }

    fn for_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let target = self.operand(opened, Field::Left, node, Place::Value);
        let iter = self.operand(opened, Field::Right, node, Place::Value);
        let body = self.by_field(opened, Field::Body);
        let otherwise = self.by_kind(opened, Kind::ElseClause);
        self.close(opened);
        let body = self.block_of(body);
        let otherwise = otherwise.map_or_else(Vec::new, |clause| self.clause_block(clause));
        StmtKind::For { target, iter, body, otherwise }
    }

    /// The `else` of a `while` follows it: it runs when the loop has ended.
    fn while_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let test = self.operand(opened, Field::Condition, node, Place::Value);
        let body = self.by_field(opened, Field::Body);
        let otherwise = self.by_kind(opened, Kind::ElseClause);
        self.close(opened);
        let body = self.block_of(body);
        out.push(Stmt { span: self.span(node), kind: StmtKind::While { test, body } });
        if let Some(clause) = otherwise {
            out.append(&mut self.clause_block(clause));
        }
    }

    fn try_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let body = self.by_field(opened, Field::Body);
        let body = self.block_of(body);
        let mut handlers = Vec::new();
        let mut otherwise = Vec::new();
        let mut finally = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::ExceptClause => handlers.push(self.clause_block(child.node)),
                Kind::ElseClause => otherwise = self.clause_block(child.node),
                Kind::FinallyClause => finally = self.clause_block(child.node),
                _ => {}
            }
        }
        self.close(opened);
        StmtKind::Try { body, handlers, otherwise, finally }
    }

    fn with_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let clause = self.by_kind(opened, Kind::WithClause);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let mut items = Vec::new();
        if let Some(clause) = clause {
            let opened = self.open(clause);
            for index in opened {
                let child = self.child(index);
                if child.kind != Kind::WithItem {
                    continue;
                }
                if let Some(value) = self.first_part(child.node) {
                    self.with_item(value, &mut items);
                }
            }
            self.close(opened);
        }
        let body = self.block_of(body);
        StmtKind::With { items, body }
    }

    fn with_item(&mut self, node: Node<'t>, items: &mut Vec<WithItem>) {
        let opened = self.open(node);
        match self.kind(node) {
            Kind::AsPattern => {
                let [value, target] = self.parts(opened);
                let value = self.part(value, node, Place::Value);
                let target = target.map(|target| self.expr(target, Place::Value));
                items.push(WithItem { value, target });
            }
            // `with (a as b, c as d):` reads as a tuple too.
            Kind::Tuple | Kind::ParenthesizedExpression
                if self.opened(opened).iter().any(|child| child.kind == Kind::AsPattern) =>
            {
                for index in opened {
                    let child = self.child(index);
                    if child.is_part() && self.enter(child.node) {
                        self.with_item(child.node, items);
                        self.leave();
                    }
                }
            }
            _ => items.push(WithItem { value: self.expr(node, Place::Value), target: None }),
        }
        self.close(opened);
    }

    fn match_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let body = self.by_field(opened, Field::Body);
        let mut subjects = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.field == Field::Subject && child.is_part() {
                subjects.push(self.expr(child.node, Place::Value));
            }
        }
        self.close(opened);
        let subject = match subjects.len() {
            0 => self.unreadable(node),
            1 => subjects.remove(0),
            _ => {
                let span = Span { end: subjects[subjects.len() - 1].span.end, ..subjects[0].span };
                Expr { span, kind: ExprKind::Tuple(subjects) }
            }
        };
        let mut cases = Vec::new();
        if let Some(body) = body {
            let opened = self.open(body);
            for index in opened {
                let child = self.child(index);
                if child.kind == Kind::CaseClause {
                    cases.push(MatchCase { values: Vec::new(), body: self.clause_block(child.node) });
                }
            }
            self.close(opened);
        }
        StmtKind::Match { subject, cases }
    }

    /// Python 2: `print a, b` is `print(a, b)`.
    fn print_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let mut args = Vec::new();
        for index in opened {
            let child = self.child(index);
            if child.field == Field::Argument && child.is_part() {
                args.push(Arg::Positional(self.expr(child.node, Place::Value)));
            }
        }
        self.close(opened);
        let span = self.span(node);
        let callee = Expr { span, kind: ExprKind::Name("print".to_owned()) };
        StmtKind::Expr(Expr { span, kind: ExprKind::Call { callee: Box::new(callee), types: Vec::new(), args } })
    }

    /// `del data["x"]` is `data.pop("x")`; names and attributes that are deleted say nothing.
    fn delete_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let Some(deleted) = self.first_part(node) else { return };
        let deleted = self.expr(deleted, Place::Value);
        let each = match deleted.kind {
            ExprKind::Tuple(items) => items,
            _ => vec![deleted],
        };
        for Expr { span, kind } in each {
            let ExprKind::Index { object, mut index } = kind else { continue };
            let Some(key) = index.pop().filter(|_| index.is_empty()) else { continue };
            if matches!(key.kind, ExprKind::Slice { .. } | ExprKind::Int(_)) {
                continue;
            }
            let callee = Expr { span, kind: ExprKind::Member { object, name: "pop".to_owned() } };
            let args = vec![Arg::Positional(key)];
            let kind = ExprKind::Call { callee: Box::new(callee), types: Vec::new(), args };
            out.push(Stmt { span, kind: StmtKind::Expr(Expr { span, kind }) });
        }
    }

    /// `type Name[T] = value`; the grammar takes `type(x).name = value` for one as well.
    fn type_alias(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let left = self.by_field(opened, Field::Left);
        let right = self.by_field(opened, Field::Right);
        self.close(opened);
        let Some((name, parameters)) = left.and_then(|left| self.type_alias_name(left)) else {
            let end = left.map_or(node.start_byte(), |left| left.end_byte());
            let target = self.text.get(node.start_byte()..end).unwrap_or("");
            let span = self.span_between(node.start_byte(), end);
            let target = super::parse_nested(self.file(), span, target, self.depth)
                .unwrap_or(Expr { span, kind: ExprKind::Other("unreadable syntax") });
            return StmtKind::Assign { targets: vec![target], value: self.part(right, node, Place::Value) };
        };
        StmtKind::TypeAlias { name, parameters, value: self.part(right, node, Place::Type) }
    }

    fn type_alias_name(&mut self, left: Node<'t>) -> Option<(String, Vec<TypeParameter>)> {
        let left = self.first_part(left)?;
        match self.kind(left) {
            Kind::Identifier => Some((self.name(left), Vec::new())),
            Kind::GenericType => {
                let opened = self.open(left);
                let [name] = self.parts(opened);
                let parameters = self.by_kind(opened, Kind::TypeParameter);
                self.close(opened);
                let parameters = parameters.map_or_else(Vec::new, |parameters| self.type_parameters(parameters));
                Some((self.name(name?), parameters))
            }
            _ => None,
        }
    }
}
