//! Where a program makes a server of its own: with a function that looks at the path of each request.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::last;
use crate::model::program::{Class, CompareOp, Expr, ExprKind, Function, Module, Stmt, StmtKind};
use crate::model::walk;
use crate::text::Span;

/// Packages whose import says that a module may make one.
pub const SERVER_PACKAGES: &[&str] =
    &["http", "https", "http2", "node:http", "node:https", "node:http2", "http.server"];

/// Classes that handlers of Python's own server derive from.
const HANDLERS: &[&str] = &["BaseHTTPRequestHandler", "SimpleHTTPRequestHandler", "CGIHTTPRequestHandler"];

/// Where a module makes a server whose function tells paths apart.
pub fn own_server(module: &Module) -> Option<Span> {
    servers(&module.body).map(|servers| servers.site)
}

/// The servers of one module.
pub(super) struct Servers<'p> {
    /// Where the first of them is made.
    pub(super) site: Span,
    /// What answers requests.
    pub(super) functions: Vec<&'p Function>,
    /// Every function of the module, and every method of a class that answers requests, by name.
    pub(super) names: FxHashMap<&'p str, &'p Function>,
}

/// The servers of a module whose functions tell paths apart.
pub(super) fn servers(body: &[Stmt]) -> Option<Servers<'_>> {
    let mut names: FxHashMap<&str, &Function> = FxHashMap::default();
    let mut made: Vec<(Span, &Function)> = Vec::new();
    let mut named: Vec<(Span, &str)> = Vec::new();
    let mut blocks: Vec<&[Stmt]> = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Function(function) => {
                    names.insert(&function.name, function);
                    blocks.push(&function.body);
                }
                StmtKind::Class(class) => {
                    made.extend(handling(class).map(|function| (function.name_span, function)));
                    blocks.push(&class.body);
                }
                StmtKind::Assign { targets, value } => {
                    if let ([Expr { kind: ExprKind::Name(name), .. }], ExprKind::Lambda(function)) =
                        (targets.as_slice(), &value.kind)
                    {
                        names.insert(name, function);
                    }
                }
                _ => {}
            }
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            let mut exprs: Vec<&Expr> = Vec::new();
            walk::expressions(statement, &mut |expr| exprs.push(expr));
            while let Some(expr) = exprs.pop() {
                if let ExprKind::Lambda(function) = &expr.kind {
                    blocks.push(&function.body);
                }
                if let ExprKind::Call { callee, args, .. } = &expr.kind
                    && matches!(&callee.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "createServer")
                {
                    for arg in args {
                        match &arg.value().kind {
                            ExprKind::Lambda(function) => made.push((expr.span, function)),
                            ExprKind::Name(name) => named.push((expr.span, name)),
                            _ => {}
                        }
                    }
                }
                walk::inner(expr, &mut |inner| exprs.push(inner));
            }
        }
    }
    made.extend(named.into_iter().filter_map(|(span, name)| Some((span, *names.get(name)?))));
    made.sort_by_key(|(span, _)| span.start);
    made.retain(|(_, function)| tells_paths_apart(function, &names));
    let site = made.first()?.0;
    Some(Servers { site, functions: made.into_iter().map(|(_, function)| function).collect(), names })
}

/// `do_GET` and the like of a class that Python's own server runs.
fn handling(class: &Class) -> impl Iterator<Item = &Function> {
    let is_handler = class.bases.iter().any(|base| match &base.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => HANDLERS.contains(&last(name)),
        _ => false,
    });
    class.body.iter().filter(move |_| is_handler).filter_map(|statement| match &statement.kind {
        StmtKind::Function(function) if function.name.starts_with("do_") => Some(&**function),
        _ => None,
    })
}

/// Whether a function, or one of the same module that it calls, compares something with a path: `req.url === "/users"`.
fn tells_paths_apart<'p>(function: &'p Function, names: &FxHashMap<&'p str, &'p Function>) -> bool {
    let mut seen: FxHashSet<*const Function> = FxHashSet::default();
    let mut left = vec![function];
    while let Some(function) = left.pop() {
        if !seen.insert(std::ptr::from_ref(function)) {
            continue;
        }
        let mut blocks: Vec<&'p [Stmt]> = vec![&function.body];
        while let Some(block) = blocks.pop() {
            for statement in block {
                if let StmtKind::Match { cases, .. } = &statement.kind
                    && cases.iter().flat_map(|case| &case.values).any(is_path)
                {
                    return true;
                }
                walk::blocks(statement, &mut |inner| blocks.push(inner));
                let mut exprs: Vec<&'p Expr> = Vec::new();
                walk::expressions(statement, &mut |expr| exprs.push(expr));
                while let Some(expr) = exprs.pop() {
                    match &expr.kind {
                        ExprKind::Compare { op: CompareOp::Equal, left: one, right: other }
                            if is_path(one) || is_path(other) =>
                        {
                            return true;
                        }
                        ExprKind::Call { callee, .. } => match &callee.kind {
                            ExprKind::Name(name) | ExprKind::Member { name, .. } => {
                                left.extend(names.get(name.as_str()));
                            }
                            _ => {}
                        },
                        ExprKind::Lambda(inner) => blocks.push(&inner.body),
                        _ => {}
                    }
                    walk::inner(expr, &mut |inner| exprs.push(inner));
                }
            }
        }
    }
    false
}

/// `"/users"`
fn is_path(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Str { text, .. } if text.len() > 1 && text.starts_with('/'))
}
