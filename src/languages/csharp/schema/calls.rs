//! The calls of a block, wherever in it they stand.

use crate::model::program::{Arg, DictItem, Expr, ExprKind, Stmt, StmtKind};

/// Asks about every expression of a block, lambdas and inner functions included; an outer one first.
pub fn expressions<'p>(block: &'p [Stmt], ask: &mut dyn FnMut(&'p Expr)) {
    for statement in block {
        match &statement.kind {
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => expression(value, ask),
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| expression(target, ask));
                expression(value, ask);
            }
            StmtKind::Annotated { value: Some(value), .. } | StmtKind::Augmented { value, .. } => {
                expression(value, ask);
            }
            StmtKind::If { test, then, otherwise } => {
                expression(test, ask);
                expressions(then, ask);
                expressions(otherwise, ask);
            }
            StmtKind::For { iter, body, otherwise, .. } => {
                expression(iter, ask);
                expressions(body, ask);
                expressions(otherwise, ask);
            }
            StmtKind::While { test, body } => {
                expression(test, ask);
                expressions(body, ask);
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|item| expression(&item.value, ask));
                expressions(body, ask);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                expressions(body, ask);
                handlers.iter().for_each(|handler| expressions(handler, ask));
                expressions(otherwise, ask);
                expressions(finally, ask);
            }
            StmtKind::Match { subject, cases } => {
                expression(subject, ask);
                cases.iter().for_each(|case| expressions(&case.body, ask));
            }
            StmtKind::Function(function) => expressions(&function.body, ask),
            _ => {}
        }
    }
}

/// The same of one expression.
pub(super) fn expression<'p>(expr: &'p Expr, ask: &mut dyn FnMut(&'p Expr)) {
    ask(expr);
    match &expr.kind {
        ExprKind::Call { callee, args, .. } => {
            expression(callee, ask);
            args.iter().map(Arg::value).for_each(|value| expression(value, ask));
        }
        ExprKind::New { args, .. } => args.iter().map(Arg::value).for_each(|value| expression(value, ask)),
        ExprKind::Member { object, .. } => expression(object, ask),
        ExprKind::Index { object, index } => {
            expression(object, ask);
            index.iter().for_each(|item| expression(item, ask));
        }
        ExprKind::With { value, with } => {
            expression(value, ask);
            expression(with, ask);
        }
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) | ExprKind::Template(items) => {
            items.iter().for_each(|item| expression(item, ask));
        }
        ExprKind::Dict(items) | ExprKind::Record(items) => items.iter().for_each(|item| match item {
            DictItem::Pair(key, value) => {
                expression(key, ask);
                expression(value, ask);
            }
            DictItem::Spread(value) => expression(value, ask),
        }),
        ExprKind::And(left, right) | ExprKind::Or(left, right) => {
            expression(left, ask);
            expression(right, ask);
        }
        ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
            expression(left, ask);
            expression(right, ask);
        }
        ExprKind::Conditional { test, then, otherwise } => {
            expression(test, ask);
            expression(then, ask);
            expression(otherwise, ask);
        }
        ExprKind::Match { subject, arms } => {
            expression(subject, ask);
            arms.iter().for_each(|arm| expression(&arm.value, ask));
        }
        ExprKind::Lambda(function) => expressions(&function.body, ask),
        ExprKind::Cast { value, .. } | ExprKind::Named { value, .. } | ExprKind::Without { value, .. } => {
            expression(value, ask);
        }
        ExprKind::Spread(inner)
        | ExprKind::Await(inner)
        | ExprKind::Not(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Yield(Some(inner)) => expression(inner, ask),
        _ => {}
    }
}
