//! Statements and blocks.

use tree_sitter::Node;

use super::creation::targeted;
use super::declarations::hoist;
use super::expressions::binary_op;
use super::kinds::{Child, Field, Kind, Lowering};
use crate::languages::branches::{Branch, nest};
use crate::model::program::{Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

impl<'t> Lowering<'t> {
    pub(super) fn block_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let start = out.len();
        self.items_into(node, out);
        hoist(&mut out[start..]);
    }

    /// The body of a loop or branch: a block or one statement.
    pub(super) fn body_of(&mut self, node: Option<Node<'t>>) -> Vec<Stmt> {
        let mut out = Vec::new();
        if let Some(node) = node {
            self.nested_into(node, &mut out);
        }
        out
    }

    pub(super) fn nested_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
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
    pub(super) fn target(&mut self, node: Node<'t>) -> Expr {
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
