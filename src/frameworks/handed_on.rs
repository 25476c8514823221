//! Whether the handler of a route that takes whatever lies below a path hands requests on: to another application, or over
//! the network. Then anything may be served there; a handler that sends a page, a file or a refusal serves nothing else.

use super::harmless;
use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::languages::walk;
use crate::model::program::{Arg, Expr, ExprKind};

/// Functions within functions that are looked into; one that is further away may hand anything on.
const MAX_DEPTH: u32 = 3;
/// Words of names that make requests.
const REQUESTS: &[&str] = &[
    "axios",
    "clientsession",
    "fetch",
    "got",
    "httpx",
    "ky",
    "requests",
    "superagent",
    "undici",
    "urllib",
    "urllib3",
    "urlopen",
];
/// Words of functions that answer with a page, a file, or an error, whatever they are given.
const ANSWERS: &[&str] = &[
    "asset", "assets", "error", "errors", "file", "files", "found", "html", "index", "page", "redirect", "render",
    "send", "sendfile", "spa", "static", "template", "view",
];
/// What a handler calls the path of its request.
const PATHS: &[&str] = &[
    "full_path",
    "fullPath",
    "original_url",
    "originalUrl",
    "params",
    "path",
    "Path",
    "path_params",
    "pathname",
    "raw",
    "Request",
    "scope",
    "url",
];

/// Whether a path leads whatever lies below it to one route: `/files/{path:path}`, `/{**rest}`. What stands before that.
pub(super) fn before_rest(template: &str) -> Option<&str> {
    let template = template.trim_end_matches('/').trim_end_matches(')');
    let start = template.rfind('{')?;
    let parameter = template[start + 1..].strip_suffix('}')?;
    let takes_rest = parameter.starts_with('*') || parameter.rsplit_once(':').is_some_and(|(_, kind)| kind == "path");
    let before = template[..start].trim_end_matches(['.', '(']);
    takes_rest.then_some(before.trim_end_matches('/'))
}

/// Whether the path without its rest is none that such a route takes: `/files/{path:path}` asks for the `/`.
pub(super) fn asks_for_slash(template: &str) -> bool {
    template.trim_end_matches('/').rsplit_once("/{").is_some_and(|(_, parameter)| parameter.ends_with(":path}"))
}

/// What a handler hands its requests on to.
pub(super) fn to<'p>(evaluator: &mut Evaluator<'p>, handler: &Value<'p>) -> Option<String> {
    match handler {
        Value::External(path) => of_package(evaluator, path),
        Value::Made(made) => of_package(evaluator, &made.path),
        Value::Function(function) | Value::Bound(_, function) => of_function(evaluator, function, 0),
        _ => None,
    }
}

fn of_package(evaluator: &Evaluator, path: &str) -> Option<String> {
    (!evaluator.registers_nothing(path) && !says(path, ANSWERS)).then(|| last(path).to_owned())
}

fn says(name: &str, known: &[&str]) -> bool {
    harmless::words_of(name).iter().any(|word| known.contains(&word.as_str()))
}

fn of_function<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, depth: u32) -> Option<String> {
    let mut calls: Vec<(&'p Expr, &'p [Arg])> = Vec::new();
    let mut reads_path = false;
    let parameters: Vec<&str> = function.node.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    walk::each_expression(&function.node.body, &mut |expr| match &expr.kind {
        ExprKind::Call { callee, args, .. } => calls.push((callee, args)),
        ExprKind::Member { name, .. } => reads_path |= PATHS.contains(&name.as_str()),
        // A path that is given as a parameter.
        ExprKind::Name(name) => {
            reads_path |= parameters.contains(&name.as_str()) && !matches!(name.as_str(), "req" | "res" | "ctx" | "c");
        }
        _ => {}
    });
    let annotations = function.node.parameters.iter().filter_map(|parameter| parameter.annotation.as_ref());
    if let Some(forwarder) = annotations.map(written).find(|name| says(name, harmless::PROXIES)) {
        return Some(forwarder);
    }
    for (callee, args) in calls {
        let written = written(callee);
        let is_reply_from =
            last(&written) == "from" && root(callee).is_some_and(|root| parameters.get(1) == Some(&root));
        let makes_request = reads_path && says(&written, REQUESTS) && !says(&written, ANSWERS);
        if is_reply_from || makes_request || says(&written, harmless::PROXIES) {
            return Some(shown(&written));
        }
        if !hands_both(args, &parameters) {
            continue;
        }
        let called = evaluator.evaluate(callee, &function.scope);
        match called {
            Value::Function(_) | Value::Bound(..) if depth >= MAX_DEPTH => return Some(shown(&written)),
            Value::Function(inner) | Value::Bound(_, inner) => {
                if let Some(found) = of_function(evaluator, &inner, depth + 1) {
                    return Some(found);
                }
            }
            Value::External(path) if evaluator.registers_nothing(&path) && !says(&path, SERVING) => {}
            _ if !says(&written, ANSWERS) && written != "next" => return Some(shown(&written)),
            _ => {}
        }
    }
    None
}

/// Words of what takes a request for another application, though it registers nothing.
const SERVING: &[&str] = &["handle", "handler"];

/// The last two parts of a callee: `requests.get`.
fn shown(written: &str) -> String {
    let parts: Vec<&str> = written.split("()").next().unwrap_or(written).split('.').collect();
    parts[parts.len().saturating_sub(2)..].join(".")
}

/// Whether a call is given the request and the response, or the request as the server made it: `handle(req, res)`,
/// `auth.handler(c.req.raw)`.
fn hands_both(args: &[Arg], parameters: &[&str]) -> bool {
    let is_raw = |expr: &Expr| {
        matches!(&expr.kind, ExprKind::Member { object, name } if matches!(name.as_str(), "raw" | "req")
            && root(object).is_some_and(|root| parameters.contains(&root)))
    };
    let mut given: Vec<&str> = args
        .iter()
        .filter_map(|arg| match &arg.value().kind {
            ExprKind::Name(name) => parameters.iter().position(|known| known == name).filter(|at| *at < 2),
            _ => None,
        })
        .map(|at| parameters[at])
        .collect();
    given.dedup();
    given.len() >= 2 || args.iter().any(|arg| is_raw(arg.value()))
}

fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member { object, .. } => root(object),
        _ => None,
    }
}

/// A callee as it is written: `client.request`.
fn written(callee: &Expr) -> String {
    match &callee.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member { object, name } => format!("{}.{name}", written(object)),
        ExprKind::Call { callee, .. } => format!("{}()", written(callee)),
        ExprKind::Await(inner) => written(inner),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::before_rest;

    #[test]
    fn the_rest_of_a_path_is_told_from_one_part_of_it() {
        for (template, before) in [
            ("/files/{path:path}", Some("/files")),
            ("/{**rest}", Some("")),
            ("/api/{*rest}/", Some("/api")),
            ("/dyn/(.{wildcard:path})", Some("/dyn")),
            ("/users/{id}", None),
            ("/users/{id:int}", None),
            ("/files/{path:path}/meta", None),
            ("", None),
        ] {
            assert_eq!(before_rest(template), before, "{template}");
        }
    }
}
