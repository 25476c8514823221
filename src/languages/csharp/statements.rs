//! Statements and blocks.

use tree_sitter::Node;

use super::creation::targeted;
use super::declarations::hoist;
use super::expressions::binary_op;
use super::kinds::{Child, Field, Kind, Lowering};
use super::patterns::Arm;
use crate::languages::branches::{Branch, MAX_NESTED_BRANCHES, nest};
use crate::model::program::{Expr, ExprKind, MatchCase, Stmt, StmtKind};
use crate::text::Span;

impl<'t> Lowering<'t> {
    pub(super) fn block_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let start = out.len();
        self.items_into(node, out);
        hoist(&mut out[start..]);
    }

    /// The body of a loop or branch: a block or one statement.
    fn body_of(&mut self, node: Option<Node<'t>>) -> Vec<Stmt> {
        let mut out = Vec::new();
        if let Some(node) = node {
            self.nested_into(node, &mut out);
        }
        out
    }

    fn nested_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        if self.kind(node) == Kind::Block {
            self.block_into(node, out);
        } else if self.enter(node) {
            let child = Child { kind: self.kind(node), field: Field::Body, node };
            self.item(child, out);
            self.leave();
        }
    }

    /// One statement of the source, which may be several.
    pub(super) fn statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let kind = match self.kind(node) {
            Kind::ExpressionStatement => {
                if let Some(inner) = self.first_part(node) {
                    self.expression_statement(inner, out);
                }
                return;
            }
            Kind::Block => return self.block_into(node, out),
            Kind::LocalDeclaration => {
                let opened = self.open(node);
                let declaration = self.by_kind(opened, Kind::VariableDeclaration);
                self.unreadable_parts(opened, out);
                self.close(opened);
                if let Some(declaration) = declaration {
                    self.variables(declaration, out);
                }
                return;
            }
            Kind::LocalFunction => {
                let name = self.field_of(node, Field::Name);
                let mut function = self.callable(node, false);
                function.name = name.map_or_else(String::new, |name| self.identifier(name));
                function.name_span = self.span(name.unwrap_or(node));
                StmtKind::Function(Box::new(function))
            }
            Kind::ForStatement => return self.for_statement(node, out),
            Kind::UsingStatement => return self.using_statement(node, out),
            Kind::WrappingStatement => return self.wrapping_statement(node, out),
            Kind::Error => return self.unreadable_into(node, out),
            Kind::IfStatement => self.if_statement(node),
            Kind::ForeachStatement => self.foreach_statement(node),
            Kind::WhileStatement => self.while_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::SwitchStatement => self.switch_statement(node),
            Kind::ReturnStatement => return self.return_statement(node, out),
            Kind::YieldStatement => return self.yield_statement(node, out),
            Kind::ThrowStatement => StmtKind::Raise,
            Kind::BreakStatement => StmtKind::Break,
            Kind::ContinueStatement => StmtKind::Continue,
            _ => return,
        };
        out.push(Stmt { span, kind });
    }

    /// `#if A … #else … #endif`: declarations count from all branches, statements may go either way.
    pub(super) fn conditional_items(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let mut branches = Vec::new();
        for branch in self.conditional_branches(node) {
            let mut body = Vec::new();
            if self.enter(node) {
                branch.into_iter().for_each(|child| self.item(child, &mut body));
                self.leave();
            }
            let (declared, then): (Vec<Stmt>, Vec<Stmt>) = body.into_iter().partition(is_declaration);
            out.extend(declared);
            let test = Expr { span, kind: ExprKind::Other("conditional compilation") };
            branches.push(Branch { span, test, then });
        }
        if branches.iter().all(|branch| branch.then.is_empty()) {
            return;
        }
        let last = if branches.len() > 1 { branches.pop().map(|branch| branch.then) } else { None };
        let first = branches.remove(0);
        out.push(Stmt { span, kind: nest(first, branches, last.unwrap_or_default()) });
    }

    /// `int a = 1, b;`, `var (a, b) = c;`
    pub(super) fn variables(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let annotation = self.by_field(opened, Field::Type);
        let annotation = self.declared_type(annotation);
        for index in opened {
            let child = self.child(index);
            let span = self.span(child.node);
            if child.kind == Kind::Error {
                self.unreadable_into(child.node, out);
            }
            if child.kind != Kind::VariableDeclarator {
                continue;
            }
            let (name, value) = self.declarator(child.node);
            let Some(name) = name else { continue };
            let value = value.map(|value| self.expr(value)).map(|value| targeted(value, annotation.as_ref()));
            let target = self.target(name);
            let kind = match (annotation.clone(), value) {
                (Some(annotation), value) => StmtKind::Annotated { target, annotation, value },
                (None, value) => {
                    let value = value.unwrap_or(Expr { span, kind: ExprKind::Other("unreadable syntax") });
                    StmtKind::Assign { targets: vec![target], value }
                }
            };
            out.push(Stmt { span, kind });
        }
        self.close(opened);
    }

    /// What is assigned to: `(a, var b)` is a tuple of names.
    fn target(&mut self, node: Node<'t>) -> Expr {
        let span = self.span(node);
        match self.kind(node) {
            Kind::Tuple | Kind::TuplePattern | Kind::Designations if self.enter(node) => {
                let opened = self.open(node);
                let mut targets = Vec::new();
                for index in opened {
                    let child = self.child(index);
                    if child.kind == Kind::Argument {
                        let inner = self.open(child.node);
                        let value = self.last_part(inner);
                        self.close(inner);
                        targets.extend(value.map(|value| self.target(value)));
                    } else if child.is_part() {
                        targets.push(self.target(child.node));
                    }
                }
                self.close(opened);
                self.leave();
                Expr { span, kind: ExprKind::Tuple(targets) }
            }
            Kind::DeclarationExpression => {
                let name = self.field_of(node, Field::Name);
                self.part(name, node)
            }
            Kind::Discard => Expr { span, kind: ExprKind::Name("_".to_owned()) },
            _ => self.expr(node),
        }
    }

    /// An expression whose value nobody takes.
    pub(super) fn expression_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let node = self.without_parentheses(node);
        let span = self.span(node);
        match self.kind(node) {
            Kind::Assignment => self.assignment(node, out),
            // `i++`, `--i`; `a!` and the like are values.
            Kind::Prefix | Kind::Postfix if self.is_step(node) => {}
            _ => {
                let value = self.expr(node);
                out.push(Stmt { span, kind: StmtKind::Expr(value) });
            }
        }
    }

    fn is_step(&mut self, node: Node<'t>) -> bool {
        let opened = self.open(node);
        let step = self.has_token(opened, "++") || self.has_token(opened, "--");
        self.close(opened);
        step
    }

    pub(super) fn without_parentheses(&mut self, node: Node<'t>) -> Node<'t> {
        let mut node = node;
        while self.kind(node) == Kind::Parenthesized {
            let Some(inner) = self.first_part(node) else { break };
            node = inner;
        }
        node
    }

    /// `a = b = value`, `a += value`, `a ??= value` as a statement; a loop, for chains have no bound.
    fn assignment(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let mut targets = Vec::new();
        let mut next = Some(node);
        let mut value = None;
        while let Some(node) = next.take() {
            let opened = self.open(node);
            let left = self.by_field(opened, Field::Left);
            let right = self.by_field(opened, Field::Right);
            let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
            self.close(opened);
            if operator != "=" {
                if targets.is_empty() {
                    out.push(Stmt { span, kind: self.augmented(node, left, operator, right) });
                    return;
                }
                value = Some(node);
                break;
            }
            targets.extend(left);
            match right {
                Some(right) if self.kind(right) == Kind::Assignment => next = Some(right),
                right => value = right,
            }
        }
        let targets: Vec<Expr> = targets.into_iter().map(|target| self.target(target)).collect();
        let value = self.part(value, node);
        out.push(Stmt { span, kind: StmtKind::Assign { targets, value } });
    }

    fn augmented(
        &mut self,
        node: Node<'t>,
        left: Option<Node<'t>>,
        operator: &str,
        right: Option<Node<'t>>,
    ) -> StmtKind {
        let target = self.part(left, node);
        let value = self.part(right, node);
        let operator = operator.strip_suffix('=').unwrap_or("");
        if operator != "??" {
            return StmtKind::Augmented { target, op: binary_op(operator), value };
        }
        let value = Expr { span: self.span(node), kind: ExprKind::Or(Box::new(target.clone()), Box::new(value)) };
        StmtKind::Assign { targets: vec![target], value }
    }

    /// A loop, for `else if` chains have no bound.
    fn if_statement(&mut self, node: Node<'t>) -> StmtKind {
        let depth = self.depth;
        let (first, mut next) = self.branch(node);
        let mut more = Vec::new();
        let mut last = Vec::new();
        while let Some(inner) = next.take() {
            if self.kind(inner) != Kind::IfStatement {
                last = self.body_of(Some(inner));
                break;
            }
            // Each branch lies in the `otherwise` of the one before.
            if more.len() < MAX_NESTED_BRANCHES {
                self.depth += 1;
            } else {
                self.note_too_deep(inner);
            }
            let (branch, after) = self.branch(inner);
            more.push(branch);
            next = after;
        }
        self.depth = depth;
        nest(first, more, last)
    }

    fn branch(&mut self, node: Node<'t>) -> (Branch, Option<Node<'t>>) {
        let opened = self.open(node);
        let test = self.operand(opened, Field::Condition, node);
        let then = self.by_field(opened, Field::Consequence);
        let alternative = self.by_field(opened, Field::Alternative);
        self.close(opened);
        let then = self.body_of(then);
        (Branch { span: self.span(node), test, then }, alternative)
    }

    /// `for (a; b; c) { … }` as `a; while (b) { …; c }`
    fn for_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let opened = self.open(node);
        let condition = self.by_field(opened, Field::Condition);
        let body = self.by_field(opened, Field::Body);
        let mut updates = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.field {
                Field::Initializer if child.kind == Kind::VariableDeclaration => self.variables(child.node, out),
                Field::Initializer if child.is_part() => self.expression_statement(child.node, out),
                Field::Update if child.is_part() => updates.push(child.node),
                _ => {}
            }
        }
        self.close(opened);
        let test = match condition {
            Some(condition) => self.expr(condition),
            None => Expr { span, kind: ExprKind::Bool(true) },
        };
        let mut body = self.body_of(body);
        updates.into_iter().for_each(|update| self.expression_statement(update, &mut body));
        out.push(Stmt { span, kind: StmtKind::While { test, body } });
    }

    /// `foreach (A a in b)`: the body starts with `a: A = a`.
    fn foreach_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let annotation = self.by_field(opened, Field::Type);
        let left = self.by_field(opened, Field::Left);
        let iter = self.operand(opened, Field::Right, node);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let annotation = self.declared_type(annotation);
        let target = match left {
            Some(left) => self.target(left),
            None => self.unreadable(node),
        };
        let mut statements = Vec::new();
        if let (Some(annotation), ExprKind::Name(_)) = (annotation, &target.kind) {
            let value = Some(target.clone());
            let kind = StmtKind::Annotated { target: target.clone(), annotation, value };
            statements.push(Stmt { span: target.span, kind });
        }
        if let Some(body) = body {
            self.nested_into(body, &mut statements);
        }
        StmtKind::For { target, iter, body: statements, otherwise: Vec::new() }
    }

    fn while_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let test = self.operand(opened, Field::Condition, node);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        StmtKind::While { test, body: self.body_of(body) }
    }

    fn try_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let block = self.by_field(opened, Field::Body);
        let body = self.body_of(block);
        let (mut handlers, mut finally) = (Vec::new(), Vec::new());
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::CatchClause => handlers.push(self.handler(child.node)),
                Kind::FinallyClause => {
                    let block = self.first_part(child.node);
                    finally = self.body_of(block);
                }
                _ => {}
            }
        }
        self.close(opened);
        StmtKind::Try { body, handlers, otherwise: Vec::new(), finally }
    }

    /// `catch (A a) { … }`: the body starts with `a: A = <caught error>`.
    fn handler(&mut self, node: Node<'t>) -> Vec<Stmt> {
        let opened = self.open(node);
        let caught = self.by_kind(opened, Kind::CatchDeclaration);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let mut out = Vec::new();
        if let Some(caught) = caught {
            let opened = self.open(caught);
            let kind = self.by_field(opened, Field::Type);
            let name = self.by_field(opened, Field::Name);
            self.close(opened);
            if let Some(name) = name {
                let target = self.expr(name);
                let annotation = self.type_part(kind, caught);
                let value = Some(Expr { span: target.span, kind: ExprKind::Other("caught error") });
                out.push(Stmt { span: target.span, kind: StmtKind::Annotated { target, annotation, value } });
            }
        }
        if let Some(body) = body {
            self.nested_into(body, &mut out);
        }
        out
    }

    /// A case for values has them; one for a pattern has none, and its body starts with the pattern as a test, which binds
    /// its names.
    fn switch_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let value = self.by_field(opened, Field::Value);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let (subject, name) = self.subject(value, node);
        let mut cases = Vec::new();
        let Some(body) = body else { return StmtKind::Match { subject, cases } };
        let mut values = Some(Vec::new());
        let mut tests = Vec::new();
        let opened = self.open(body);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Error {
                let mut unreadable = Vec::new();
                self.unreadable_into(child.node, &mut unreadable);
                cases.push(MatchCase { values: Vec::new(), body: unreadable });
            }
            if child.kind != Kind::SwitchSection {
                continue;
            }
            let (arm, statements) = self.switch_section(child.node, &name);
            match (arm.test, &mut values) {
                (None, Some(values)) if !arm.values.is_empty() => values.extend(arm.values),
                (test, _) => {
                    values = None;
                    tests.extend(test.map(|test| Stmt { span: test.span, kind: StmtKind::Expr(test) }));
                }
            }
            // An empty case leads to the next one.
            if !statements.is_empty() {
                let values = values.replace(Vec::new()).unwrap_or_default();
                let mut body = std::mem::take(&mut tests);
                body.extend(close_case(statements));
                cases.push(MatchCase { values, body });
            }
        }
        self.close(opened);
        StmtKind::Match { subject, cases }
    }

    fn switch_section(&mut self, node: Node<'t>, subject: &Expr) -> (Arm, Vec<Stmt>) {
        let mut out = Vec::new();
        if !self.enter(node) {
            return (Arm::default(), out);
        }
        let opened = self.open(node);
        let is_case = self.has_token(opened, "case");
        let mut arm = Arm::default();
        let mut before = true;
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::Token if self.slice(child.node) == ":" => before = false,
                Kind::Token => {}
                Kind::WhenClause if before => {
                    let guard = self.first_part(child.node);
                    let guard = self.part(guard, child.node);
                    arm.guard(guard);
                }
                Kind::Error if before => {}
                _ if before && is_case => arm = self.arm(child.node, subject),
                _ => self.item(child, &mut out),
            }
        }
        self.close(opened);
        hoist(&mut out);
        self.leave();
        (arm, out)
    }

    /// `using (var a = b) c`: the variables, then the body.
    fn using_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let body = self.by_field(opened, Field::Body);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::VariableDeclaration => self.variables(child.node, out),
                _ if child.is_part() && child.field != Field::Body => self.expression_statement(child.node, out),
                _ => {}
            }
        }
        self.close(opened);
        if let Some(body) = body {
            self.nested_into(body, out);
        }
    }

    /// `lock (a) b`, `fixed (…) b`, `checked b`, `label: b`: what is inside.
    fn wrapping_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let declaration = self.by_kind(opened, Kind::VariableDeclaration);
        let body = self.last_part(opened);
        self.close(opened);
        if let Some(declaration) = declaration {
            self.variables(declaration, out);
        }
        if let Some(body) = body {
            self.nested_into(body, out);
        }
    }

    fn return_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        match self.first_part(node) {
            Some(value) => self.returned(value, span, out),
            None => out.push(Stmt { span, kind: StmtKind::Return(None) }),
        }
    }

    /// `return new(…)` makes what the function says it returns.
    pub(super) fn returned(&mut self, value: Node<'t>, span: Span, out: &mut Vec<Stmt>) {
        let value = self.expr(value);
        let value = targeted(value, self.extra.returns.as_ref());
        out.push(Stmt { span, kind: StmtKind::Return(Some(value)) });
    }

    /// `yield return a;`; `yield break;` is a return.
    fn yield_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        self.yielded = true;
        let Some(value) = self.first_part(node) else {
            out.push(Stmt { span, kind: StmtKind::Return(None) });
            return;
        };
        let value = Box::new(self.expr(value));
        out.push(Stmt { span, kind: StmtKind::Expr(Expr { span, kind: ExprKind::Yield(Some(value)) }) });
    }
}

/// The `break` that ends a case ends no loop.
fn close_case(mut body: Vec<Stmt>) -> Vec<Stmt> {
    if matches!(body.last(), Some(Stmt { kind: StmtKind::Break, .. })) {
        body.pop();
    }
    body
}

fn is_declaration(statement: &Stmt) -> bool {
    matches!(
        statement.kind,
        StmtKind::Import(_)
            | StmtKind::TypeAlias { .. }
            | StmtKind::Class(_)
            | StmtKind::Namespace { .. }
            | StmtKind::Function(_)
            | StmtKind::Property(_)
    )
}
