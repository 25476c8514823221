//! Statements that hold others: branches, loops, `switch`, `try`, `using`.

use tree_sitter::Node;

use super::declarations::hoist;
use super::kinds::{Field, Kind, Lowering};
use super::patterns::Arm;
use crate::languages::branches::{Branch, MAX_NESTED_BRANCHES, nest};
use crate::model::program::{Expr, ExprKind, MatchCase, Stmt, StmtKind};

impl<'t> Lowering<'t> {
    /// A loop, for `else if` chains have no bound.
    pub(super) fn if_statement(&mut self, node: Node<'t>) -> StmtKind {
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
    pub(super) fn for_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
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
    pub(super) fn foreach_statement(&mut self, node: Node<'t>) -> StmtKind {
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

    pub(super) fn while_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let test = self.operand(opened, Field::Condition, node);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        StmtKind::While { test, body: self.body_of(body) }
    }

    pub(super) fn try_statement(&mut self, node: Node<'t>) -> StmtKind {
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
    pub(super) fn switch_statement(&mut self, node: Node<'t>) -> StmtKind {
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
    pub(super) fn using_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
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
    pub(super) fn wrapping_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
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
}

/// The `break` that ends a case ends no loop.
fn close_case(mut body: Vec<Stmt>) -> Vec<Stmt> {
    if matches!(body.last(), Some(Stmt { kind: StmtKind::Break, .. })) {
        body.pop();
    }
    body
}
