//! Ways through the program tree: the expressions and blocks of a statement, the parts of an expression.

use crate::model::program::{Arg, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};

/// The expressions that stand in a statement itself.
pub fn expressions<'p>(statement: &'p Stmt, found: &mut dyn FnMut(&'p Expr)) {
    match &statement.kind {
        StmtKind::Expr(value)
        | StmtKind::Return(Some(value))
        | StmtKind::Assign { value, .. }
        | StmtKind::Augmented { value, .. }
        | StmtKind::Annotated { value: Some(value), .. }
        | StmtKind::If { test: value, .. }
        | StmtKind::For { iter: value, .. }
        | StmtKind::While { test: value, .. } => found(value),
        StmtKind::Match { subject, cases } => {
            found(subject);
            cases.iter().flat_map(|case| &case.values).for_each(found);
        }
        StmtKind::With { items, .. } => items.iter().for_each(|item| found(&item.value)),
        _ => {}
    }
}

/// The blocks that stand in a statement, functions left out.
pub fn blocks<'p>(statement: &'p Stmt, found: &mut dyn FnMut(&'p [Stmt])) {
    match &statement.kind {
        StmtKind::If { then, otherwise, .. } => {
            found(then);
            found(otherwise);
        }
        StmtKind::For { body, otherwise, .. } => {
            found(body);
            found(otherwise);
        }
        StmtKind::While { body, .. } | StmtKind::With { body, .. } => found(body),
        StmtKind::Try { body, handlers, otherwise, finally } => {
            found(body);
            handlers.iter().for_each(|handler| found(handler));
            found(otherwise);
            found(finally);
        }
        StmtKind::Match { cases, .. } => cases.iter().for_each(|case| found(&case.body)),
        _ => {}
    }
}

/// The expressions directly inside of an expression.
pub fn inner<'p>(expr: &'p Expr, found: &mut dyn FnMut(&'p Expr)) {
    match &expr.kind {
        ExprKind::Member { object, .. } => found(object),
        ExprKind::Index { object, index } => {
            found(object);
            index.iter().for_each(found);
        }
        ExprKind::Call { callee, args, .. } => {
            found(callee);
            args.iter().map(Arg::value).for_each(found);
        }
        ExprKind::New { args, .. } => args.iter().map(Arg::value).for_each(found),
        ExprKind::With { value, with } => {
            found(value);
            found(with);
        }
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) | ExprKind::Template(items) => {
            items.iter().for_each(found);
        }
        ExprKind::Dict(items) | ExprKind::Record(items) => {
            for item in items {
                match item {
                    DictItem::Pair(key, value) => {
                        found(key);
                        found(value);
                    }
                    DictItem::Spread(value) => found(value),
                }
            }
        }
        ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Binary { left, right, .. }
        | ExprKind::Compare { left, right, .. } => {
            found(left);
            found(right);
        }
        ExprKind::Not(value)
        | ExprKind::Negate(value)
        | ExprKind::Await(value)
        | ExprKind::Spread(value)
        | ExprKind::Yield(Some(value))
        | ExprKind::Cast { value, .. }
        | ExprKind::Named { value, .. } => found(value),
        ExprKind::Conditional { test, then, otherwise } => {
            found(test);
            found(then);
            found(otherwise);
        }
        ExprKind::Match { subject, arms } => {
            found(subject);
            for arm in arms {
                arm.values.iter().for_each(&mut *found);
                arm.test.iter().for_each(&mut *found);
                found(&arm.value);
            }
        }
        ExprKind::Comprehension(query) => {
            found(&query.element);
            query.value.iter().for_each(&mut *found);
            for clause in &query.clauses {
                found(&clause.iter);
                clause.conditions.iter().for_each(&mut *found);
            }
        }
        _ => {}
    }
}

/// Every expression of a block, those of functions within it too.
pub fn each_expression<'p>(block: &'p [Stmt], found: &mut dyn FnMut(&'p Expr)) {
    let mut left = vec![block];
    let mut open: Vec<&'p Expr> = Vec::new();
    while let Some(block) = left.pop() {
        for statement in block {
            expressions(statement, &mut |expr| open.push(expr));
            blocks(statement, &mut |inner| left.push(inner));
            if let StmtKind::Function(inner) = &statement.kind {
                left.push(&inner.body);
            }
        }
        while let Some(expr) = open.pop() {
            found(expr);
            inner(expr, &mut |inner| open.push(inner));
            if let ExprKind::Lambda(inner) = &expr.kind {
                left.push(&inner.body);
            }
        }
    }
}

/// What a function itself returns, not the functions inside of it; none where it returns nothing.
pub fn returned(function: &Function) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut next: Vec<&[Stmt]> = vec![&function.body];
    while let Some(block) = next.pop() {
        // In the order of the source: what is inside of a statement comes after what is in front of it.
        for statement in block {
            if let StmtKind::Return(Some(value)) = &statement.kind {
                found.push(value);
            }
            blocks(statement, &mut |block| next.push(block));
        }
    }
    found.sort_by_key(|value| value.span.start);
    found
}
