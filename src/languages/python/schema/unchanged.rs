//! Whether data that a program makes while it starts is still what it was when a handler sends it: no function that runs
//! later puts something into it, or hands it to somebody who may.

use rustc_hash::{FxHashMap, FxHashSet};

use super::locals::READERS;
use crate::evaluate::{Evaluator, Scope, Value};
use crate::languages::walk;
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};

/// Methods that leave what they are called on as it is.
const READING: &[&str] = &["get", "items", "keys", "values", "copy", "index", "count"];

/// What the functions of one module do to names of functions and modules around them.
#[derive(Default)]
pub(super) struct Changes {
    /// Names whose value may be changed, with the spans of the functions that may.
    changed: FxHashMap<String, Vec<(u32, u32)>>,
    /// Names whose value is returned: the name of the function that does, and its span.
    returned: Vec<(String, String, (u32, u32))>,
    /// Names that are called.
    called: FxHashSet<String>,
}

impl super::Schemas {
    /// Whether a name of a scope stands for what it stood for when the program had started.
    pub(super) fn is_unchanged<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        name: &str,
        value: &Value<'p>,
        scope: &Scope<'p>,
    ) -> bool {
        let holders = evaluator.holders(name, value, scope);
        holders.into_iter().all(|(module, function, name)| {
            let span = function.map(|function| (function.span.start, function.span.end));
            let others = if function.is_none() { evaluator.modules() } else { Vec::new() };
            let modules = std::iter::once(module).chain(others);
            modules.into_iter().all(|module| {
                let changes = self.changes.entry(module).or_insert_with(|| changes_of(evaluator.statements(module)));
                !changes.may_change(&name, span)
            })
        })
    }
}

impl Changes {
    /// Whether a function inside of another, or of the module, may change what a name stands for.
    fn may_change(&self, name: &str, within: Option<(u32, u32)>) -> bool {
        let inside = |span: &(u32, u32)| within.is_none_or(|outer| outer.0 < span.0 && span.1 <= outer.1);
        self.changed.get(name).is_some_and(|spans| spans.iter().any(inside))
            || self
                .returned
                .iter()
                .any(|(returned, function, span)| returned == name && inside(span) && self.called.contains(function))
    }
}

fn changes_of(body: &[Stmt]) -> Changes {
    let mut look = Look { changes: Changes::default(), functions: Vec::new() };
    look.block(body);
    look.changes
}

struct Look<'p> {
    changes: Changes,
    /// The functions around, outermost first.
    functions: Vec<&'p Function>,
}

impl<'p> Look<'p> {
    fn block(&mut self, block: &'p [Stmt]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn function(&mut self, function: &'p Function) {
        self.functions.push(function);
        self.block(&function.body);
        self.functions.pop();
    }

    fn statement(&mut self, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::Function(function) => return self.function(function),
            StmtKind::Class(class) => return self.block(&class.body),
            StmtKind::Return(Some(value)) => return self.returned(value),
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| self.target(target)),
            StmtKind::Augmented { target, .. } => self.expr(target, false),
            _ => {}
        }
        let tests = matches!(statement.kind, StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Match { .. });
        let mut found = Vec::new();
        walk::expressions(statement, &mut |expr| found.push(expr));
        found.into_iter().for_each(|expr| self.expr(expr, tests));
        let mut blocks = Vec::new();
        walk::blocks(statement, &mut |block| blocks.push(block));
        blocks.into_iter().for_each(|block| self.block(block));
    }

    fn target(&mut self, target: &'p Expr) {
        match &target.kind {
            ExprKind::Index { object, .. } | ExprKind::Member { object, .. } => self.expr(object, false),
            ExprKind::Tuple(targets) | ExprKind::List(targets) => targets.iter().for_each(|target| self.target(target)),
            _ => {}
        }
    }

    fn returned(&mut self, value: &'p Expr) {
        match &value.kind {
            ExprKind::Name(name) => {
                if let Some(function) = self.functions.last() {
                    let span = (function.span.start, function.span.end);
                    self.changes.returned.push((name.clone(), function.name.clone(), span));
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.returned(item)),
            ExprKind::Dict(items) => items.iter().for_each(|item| match item {
                DictItem::Pair(_, value) => self.returned(value),
                DictItem::Spread(value) => self.expr(value, true),
            }),
            ExprKind::Conditional { test, then, otherwise } => {
                self.expr(test, true);
                self.returned(then);
                self.returned(otherwise);
            }
            _ => self.expr(value, false),
        }
    }

    /// `reads`: what stands here is only looked at.
    fn expr(&mut self, expr: &'p Expr, reads: bool) {
        match &expr.kind {
            ExprKind::Name(name) if !reads => {
                if let Some(function) = self.functions.last() {
                    let spans = self.changes.changed.entry(name.clone()).or_default();
                    spans.push((function.span.start, function.span.end));
                }
            }
            ExprKind::Lambda(function) => self.function(function),
            ExprKind::Call { callee, args, .. } => self.call(callee, args),
            ExprKind::Compare { .. } | ExprKind::Not(_) | ExprKind::Binary { .. } | ExprKind::Template(_) => {
                self.inside(expr, true);
            }
            ExprKind::Comprehension(query) => {
                query.clauses.iter().for_each(|clause| self.expr(&clause.iter, true));
                query.clauses.iter().flat_map(|clause| &clause.conditions).for_each(|test| self.expr(test, true));
                self.expr(&query.element, reads);
                query.value.iter().for_each(|value| self.expr(value, reads));
            }
            _ => self.inside(expr, reads),
        }
    }

    fn inside(&mut self, expr: &'p Expr, reads: bool) {
        let mut inner = Vec::new();
        walk::inner(expr, &mut |expr| inner.push(expr));
        inner.into_iter().for_each(|expr| self.expr(expr, reads));
    }

    fn call(&mut self, callee: &'p Expr, args: &'p [Arg]) {
        let name = super::body::called_name(callee);
        self.changes.called.insert(name.to_owned());
        match &callee.kind {
            ExprKind::Member { object, name } => self.expr(object, READING.contains(&name.as_str())),
            ExprKind::Name(_) => {}
            _ => self.expr(callee, false),
        }
        let reads = READERS.contains(&name);
        args.iter().for_each(|arg| self.expr(arg.value(), reads));
    }
}
