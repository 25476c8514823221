//! Statements and blocks.

use tree_sitter::Node;

use super::expressions::call_of;
use super::kinds::{Child, Field, Kind, Lowering};
use crate::languages::branches::{Branch, MAX_NESTED_BRANCHES, nest};
use crate::model::program::{Expr, ExprKind, MatchCase, Stmt, StmtKind};

impl<'t> Lowering<'t> {
    /// The statements right below a node: a block, a module, or a place that is unreadable as a whole.
    pub(super) fn block(&mut self, node: Node<'t>) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.block_into(node, &mut out);
        out
    }

    pub(super) fn block_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        if !self.enter(node) {
            return;
        }
        let before = std::mem::take(&mut self.extra.before);
        let start = out.len();
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if !self.is_overloaded(child, index + 1..opened.end()) {
                self.statement(child, out);
            }
        }
        self.close(opened);
        hoist(&mut out[start..]);
        self.extra.before = before;
        self.leave();
    }

    /// What was understood inside of an unreadable place still counts, after a mark that something is missing.
    pub(super) fn unreadable_into(&mut self, error: Node<'t>, out: &mut Vec<Stmt>) {
        let mark = self.unreadable(error);
        out.push(Stmt { span: mark.span, kind: StmtKind::Expr(mark) });
        self.block_into(error, out);
    }

    /// Whether a declared function is followed by another of its name: only the last one counts.
    fn is_overloaded(&mut self, child: Child<'t>, mut after: std::ops::Range<usize>) -> bool {
        let Some((Kind::FunctionSignature, name)) = self.declared_function(child) else { return false };
        let next = after.find_map(|index| Some(self.child(index)).filter(Child::is_part));
        next.and_then(|next| self.declared_function(next)).is_some_and(|(_, next)| next == name)
    }

    fn declared_function(&mut self, child: Child<'t>) -> Option<(Kind, &'t str)> {
        let mut node = child.node;
        if matches!(child.kind, Kind::ExportStatement | Kind::AmbientDeclaration) {
            let opened = self.open(node);
            let declared = self
                .opened(opened)
                .iter()
                .find(|child| matches!(child.kind, Kind::FunctionSignature | Kind::FunctionDeclaration))
                .map(|child| child.node);
            self.close(opened);
            node = declared?;
        }
        let kind = self.kind(node);
        if !matches!(kind, Kind::FunctionSignature | Kind::FunctionDeclaration) {
            return None;
        }
        Some((kind, self.name_of(node)?))
    }

    /// The body of a loop or branch: a block or one statement.
    fn body_into(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let child = Child { kind: self.kind(node), field: Field::Body, node };
        if child.kind == Kind::StatementBlock {
            self.block_into(node, out);
        } else if self.enter(node) {
            self.statement(child, out);
            self.leave();
        }
    }

    fn body_of(&mut self, node: Option<Node<'t>>) -> Vec<Stmt> {
        let mut out = Vec::new();
        if let Some(node) = node {
            self.body_into(node, &mut out);
        }
        out
    }

    /// One statement of the source, which may be several, with the classes that its expressions declare before it.
    fn statement(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        let start = out.len();
        self.plain_statement(child, out);
        if !self.extra.before.is_empty() {
            out.splice(start..start, self.extra.before.drain(..));
        }
    }

    fn plain_statement(&mut self, child: Child<'t>, out: &mut Vec<Stmt>) {
        let node = child.node;
        let span = self.span(node);
        let kind = match child.kind {
            Kind::ExpressionStatement => {
                if let Some(inner) = self.first_part(node) {
                    self.expression_statement(inner, out);
                }
                return;
            }
            Kind::ImportStatement => return self.import_statement(node, out),
            Kind::ExportStatement => return self.export_statement(node, out),
            Kind::Error => return self.unreadable_into(node, out),
            Kind::StatementBlock => return self.block_into(node, out),
            Kind::ForStatement => return self.for_statement(node, out),
            Kind::WithStatement | Kind::LabeledStatement => {
                let body = self.field_of(node, Field::Body);
                out.append(&mut self.body_of(body));
                return;
            }
            Kind::IfStatement => self.if_statement(node),
            Kind::ForInStatement => self.for_in_statement(node),
            Kind::WhileStatement => self.while_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::SwitchStatement => self.switch_statement(node),
            Kind::ReturnStatement => {
                let value = self.first_part(node);
                StmtKind::Return(value.map(|value| self.expr(value)))
            }
            Kind::ThrowStatement => StmtKind::Raise,
            Kind::BreakStatement => StmtKind::Break,
            Kind::ContinueStatement => StmtKind::Continue,
            _ => return self.declaration(node, Vec::new(), out),
        };
        out.push(Stmt { span, kind });
    }

    fn field_of(&mut self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        let opened = self.open(node);
        let found = self.by_field(opened, field);
        self.close(opened);
        found
    }

    /// `decorators` are those before `export`.
    pub(super) fn declaration(&mut self, node: Node<'t>, decorators: Vec<Expr>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let kind = match self.kind(node) {
            Kind::VariableDeclaration => return self.variables(node, out),
            Kind::Namespace => return self.namespace(node, out),
            Kind::ImportAlias => return self.import_alias(node, out),
            Kind::AmbientDeclaration => return self.ambient(node, out),
            Kind::FunctionDeclaration | Kind::FunctionSignature => {
                StmtKind::Function(Box::new(self.function(node, decorators)))
            }
            Kind::ClassDeclaration => StmtKind::Class(Box::new(self.class(node, decorators))),
            Kind::InterfaceDeclaration => StmtKind::Class(Box::new(self.interface(node))),
            Kind::EnumDeclaration => StmtKind::Class(Box::new(self.enumeration(node))),
            Kind::TypeAliasDeclaration => self.type_alias(node),
            _ => return,
        };
        out.append(&mut self.extra.before);
        out.push(Stmt { span, kind });
    }

    /// `declare …`
    fn ambient(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let [declared] = self.parts(opened);
        self.close(opened);
        match declared.map(|declared| (self.kind(declared), declared)) {
            Some((Kind::StatementBlock, block)) => self.global(node, block, out),
            Some((_, declared)) if self.enter(node) => {
                self.declaration(declared, Vec::new(), out);
                self.leave();
            }
            _ => {}
        }
    }

    fn type_alias(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).map_or_else(String::new, |name| self.name(name));
        let parameters = self.by_field(opened, Field::TypeParameters);
        let value = self.by_field(opened, Field::Value);
        self.close(opened);
        let parameters = parameters.map_or_else(Vec::new, |node| self.type_parameters(node));
        let value = self.type_part(value, node);
        StmtKind::TypeAlias { name, parameters, value }
    }

    /// An expression whose value nobody takes.
    fn expression_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let mut node = node;
        while matches!(self.kind(node), Kind::Parenthesized | Kind::NonNull) {
            let Some(inner) = self.first_part(node) else { return };
            node = inner;
        }
        let span = self.span(node);
        let kind = match self.kind(node) {
            Kind::Assignment => return self.assignment(node, out),
            Kind::Namespace => return self.namespace(node, out),
            Kind::Update => return,
            Kind::Sequence if self.enter(node) => {
                let opened = self.open(node);
                for index in opened {
                    let child = self.child(index);
                    if child.is_part() {
                        self.expression_statement(child.node, out);
                    }
                }
                self.close(opened);
                self.leave();
                return;
            }
            Kind::AugmentedAssignment => self.augmented_assignment(node),
            _ => StmtKind::Expr(self.expr(node)),
        };
        out.append(&mut self.extra.before);
        out.push(Stmt { span, kind });
    }

    /// A loop, for `else if` chains have no bound.
    fn if_statement(&mut self, node: Node<'t>) -> StmtKind {
        let depth = self.depth;
        let (first, mut next) = self.branch(node);
        let mut more = Vec::new();
        let mut last = Vec::new();
        while let Some(clause) = next.take() {
            match self.first_part(clause) {
                Some(inner) if self.kind(inner) == Kind::IfStatement => {
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
                inner => last = self.body_of(inner),
            }
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
        let opened = self.open(node);
        let initializer = self.by_field(opened, Field::Initializer);
        let condition = self.by_field(opened, Field::Condition);
        let increment = self.by_field(opened, Field::Increment);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        match initializer.map(|initializer| (self.kind(initializer), initializer)) {
            Some((Kind::VariableDeclaration, variables)) => self.variables(variables, out),
            Some((kind, expression)) if kind != Kind::EmptyStatement => self.expression_statement(expression, out),
            _ => {}
        }
        let span = self.span(node);
        let test = match condition {
            Some(condition) if self.kind(condition) != Kind::EmptyStatement => self.expr(condition),
            _ => Expr { span, kind: ExprKind::Bool(true) },
        };
        let mut body = self.body_of(body);
        if let Some(increment) = increment {
            self.expression_statement(increment, &mut body);
        }
        out.push(Stmt { span, kind: StmtKind::While { test, body } });
    }

    /// `for (const a of b)`; `for (const a in b)` goes over `Object.keys(b)`.
    fn for_in_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let left = self.by_field(opened, Field::Left);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        let mut iter = self.operand(opened, Field::Right, node);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        if operator == "in" {
            let span = iter.span;
            let object = Box::new(Expr { span, kind: ExprKind::Name("Object".to_owned()) });
            let mut keys = call_of("keys", span, iter);
            if let ExprKind::Call { callee, .. } = &mut keys {
                callee.kind = ExprKind::Member { object, name: "keys".to_owned() };
            }
            iter = Expr { span, kind: keys };
        }
        let mut statements = Vec::new();
        let target = match left {
            Some(left) => self.loop_target(left, &mut statements),
            None => self.unreadable(node),
        };
        if let Some(body) = body {
            self.body_into(body, &mut statements);
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
        let body = self.by_field(opened, Field::Body);
        let handler = self.by_field(opened, Field::Handler);
        let finalizer = self.by_field(opened, Field::Finalizer);
        self.close(opened);
        let body = self.body_of(body);
        let handlers = handler.map(|handler| vec![self.handler(handler)]).unwrap_or_default();
        let finally = finalizer.and_then(|finalizer| self.field_of(finalizer, Field::Body));
        let finally = self.body_of(finally);
        StmtKind::Try { body, handlers, otherwise: Vec::new(), finally }
    }

    /// `catch (error) { … }`: the error is a name, so that no other of this name is meant.
    fn handler(&mut self, node: Node<'t>) -> Vec<Stmt> {
        let opened = self.open(node);
        let parameter = self.by_field(opened, Field::Parameter);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let mut out = Vec::new();
        if let Some(parameter) = parameter {
            let value = Expr { span: self.span(parameter), kind: ExprKind::Other("caught error") };
            self.assign_pattern(parameter, value, &mut out);
        }
        if let Some(body) = body {
            self.body_into(body, &mut out);
        }
        out
    }

    fn switch_statement(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let subject = self.operand(opened, Field::Value, node);
        let body = self.by_field(opened, Field::Body);
        self.close(opened);
        let mut cases = Vec::new();
        let Some(body) = body else { return StmtKind::Match { subject, cases } };
        let mut values = Some(Vec::new());
        let opened = self.open(body);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::SwitchCase => {
                    let value = self.field_of(child.node, Field::Value);
                    let value = self.part(value, child.node);
                    if let Some(values) = &mut values {
                        values.push(value);
                    }
                }
                Kind::SwitchDefault => values = None,
                _ => continue,
            }
            // An empty case leads to the next one.
            let statements = self.case_body(child.node);
            if !statements.is_empty() {
                let values = values.replace(Vec::new()).unwrap_or_default();
                cases.push(MatchCase { values, body: close_case(statements) });
            }
        }
        self.close(opened);
        StmtKind::Match { subject, cases }
    }

    fn case_body(&mut self, node: Node<'t>) -> Vec<Stmt> {
        let mut out = Vec::new();
        if !self.enter(node) {
            return out;
        }
        let before = std::mem::take(&mut self.extra.before);
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.field != Field::Value && child.is_part() {
                self.statement(child, &mut out);
            }
        }
        self.close(opened);
        hoist(&mut out);
        self.extra.before = before;
        self.leave();
        out
    }
}

/// The `break` that ends a case ends no loop.
fn close_case(mut body: Vec<Stmt>) -> Vec<Stmt> {
    if matches!(body.last(), Some(Stmt { kind: StmtKind::Break, .. })) {
        body.pop();
    }
    body
}

/// Imports hold for the whole module and function declarations for the whole block, wherever they stand.
fn hoist(block: &mut [Stmt]) {
    let rank = |statement: &Stmt| match statement.kind {
        StmtKind::Import(_) => 0,
        StmtKind::Function(_) => 1,
        _ => 2,
    };
    if !block.is_sorted_by_key(rank) {
        block.sort_by_key(rank);
    }
}
