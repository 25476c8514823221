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

impl Reads {
    /// What either reads.
    pub(super) fn add(&mut self, other: Reads) {
        self.parameters |= other.parameters;
        self.body |= other.body;
    }
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
    "build_absolute_uri",
    "get_host",
    "path",
    "scheme",
    "is_secure",
    "resolver_match",
    "_request",
    "accepted_renderer",
    "successful_authenticator",
];
const BODY: &[&str] = &["body", "json", "form", "stream", "data", "POST", "FILES"];

/// What a function may read of the request that a parameter of it is, whoever it hands it on to.
pub(super) fn of_request(function: &Function, name: &str) -> Reads {
    of_function(function, &|expr| matches!(&expr.kind, ExprKind::Name(known) if known == name))
}

/// What a method may read of `self.context.request`, and of a parameter `request`.
pub(super) fn of_context(function: &Function) -> Reads {
    of_function(
        function,
        &|expr| matches!(&expr.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "request"),
    )
}

/// What a method may read of `self.request`, and of a parameter `request`.
pub(super) fn of_method(function: &Function) -> Reads {
    of_function(function, &|expr| match &expr.kind {
        ExprKind::Name(name) => name == "request",
        ExprKind::Member { object, name } => {
            name == "request" && matches!(&object.kind, ExprKind::Name(object) if object == "self")
        }
        _ => false,
    })
}

fn of_function(function: &Function, is_request: &dyn Fn(&Expr) -> bool) -> Reads {
    let mut reads = Reads::default();
    let mut blocks: Vec<&[Stmt]> = vec![&function.body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            walk::expressions(statement, &mut |expr| of_expression(expr, is_request, &mut reads));
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            if let StmtKind::Function(inner) = &statement.kind {
                blocks.push(&inner.body);
            }
        }
    }
    reads
}

fn of_expression(expr: &Expr, is_request: &dyn Fn(&Expr) -> bool, reads: &mut Reads) {
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match &expr.kind {
            _ if is_request(expr) => *reads = Reads { parameters: true, body: true },
            ExprKind::Member { object, name } if is_request(object) => {
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
