//! What functions of Python read of the request that they are given.

use crate::languages::walk;
use crate::model::program::{Expr, ExprKind, Function, Stmt, StmtKind};

/// What of a request may be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    /// Query, headers or cookies.
    pub(super) parameters: bool,
    pub(super) body: bool,
}

/// Members of a request that tell nothing of its parameters and body.
const AROUND: &[&str] = &[
    "app",
    "state",
    "method",
    "client",
    "base_url",
    "url_for",
    "path_params",
    "session",
    "user",
    "auth",
    "is_disconnected",
    "http_version",
];
const BODY: &[&str] = &["body", "json", "form", "stream"];

/// What a function may read of the request that a parameter of it is, whoever it hands it on to.
pub(super) fn of_request(function: &Function, name: &str) -> Reads {
    let mut reads = Reads::default();
    let mut blocks: Vec<&[Stmt]> = vec![&function.body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            walk::expressions(statement, &mut |expr| of_expression(expr, name, &mut reads));
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            if let StmtKind::Function(inner) = &statement.kind {
                blocks.push(&inner.body);
            }
        }
    }
    reads
}

fn of_expression(expr: &Expr, request: &str, reads: &mut Reads) {
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match &expr.kind {
            ExprKind::Name(name) if name == request => {
                *reads = Reads { parameters: true, body: true };
            }
            ExprKind::Member { object, name } if matches!(&object.kind, ExprKind::Name(known) if known == request) => {
                if BODY.contains(&name.as_str()) {
                    reads.body = true;
                } else if !AROUND.contains(&name.as_str()) {
                    reads.parameters = true;
                }
            }
            ExprKind::Lambda(function) => {
                for statement in &function.body {
                    walk::expressions(statement, &mut |inner| left.push(inner));
                }
            }
            _ => walk::inner(expr, &mut |inner| left.push(inner)),
        }
    }
}
