//! What a server of its own compares requests with: `if path == "/users"`, `path.startswith("/users/")`,
//! `req.method === "GET" && req.url === "/users"`, `switch (url.pathname)`.

use rustc_hash::FxHashSet;

use super::found::Servers;
use crate::model::program::{Arg, CompareOp, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::walk;
use crate::text::Span;

/// A method and a path that a request is compared with.
pub(super) struct Compared {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) site: Span,
}

/// More comparisons than this are not read of one server.
const MAX_ROUTES: usize = 1000;
/// More blocks than this are not looked at of one server.
const MAX_BLOCKS: usize = 20 * MAX_ROUTES;
/// What stands for the rest of a path: `path.startswith("/users/")`.
const REST: &str = "{rest}";
const VERBS: &[&str] = &["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/// Every method and path that the functions of a server tell apart, in order; where no method is known, there is none.
pub(super) fn compared(servers: &Servers<'_>) -> Vec<Compared> {
    let mut reading = Reading { servers, seen: FxHashSet::default(), found: Vec::new(), steps: 0 };
    for function in &servers.functions {
        let verb = function.name.strip_prefix("do_").map(str::to_owned);
        reading.function(function, &At { methods: verb.into_iter().collect(), path: None });
    }
    let mut known = FxHashSet::default();
    reading.found.retain(|it| known.insert((it.method.clone(), it.path.clone())));
    reading.found
}

/// What is known of a request at a place of the code.
#[derive(Clone, Default)]
struct At {
    methods: Vec<String>,
    path: Option<String>,
}

/// What a test says of a request where it holds.
#[derive(Default)]
struct Tests {
    methods: Vec<String>,
    paths: Vec<String>,
    ends: Vec<String>,
}

struct Reading<'s, 'p> {
    servers: &'s Servers<'p>,
    /// Functions that were read, by the methods and the path that led to them.
    seen: FxHashSet<(*const Function, Vec<String>, Option<String>)>,
    found: Vec<Compared>,
    /// Blocks that were looked at.
    steps: usize,
}

impl<'p> Reading<'_, 'p> {
    fn function(&mut self, function: &'p Function, at: &At) {
        let key = (std::ptr::from_ref(function), at.methods.clone(), at.path.clone());
        if self.found.len() < MAX_ROUTES && self.seen.len() < MAX_ROUTES && self.seen.insert(key) {
            self.block(&function.body, at);
        }
    }

    fn block(&mut self, block: &'p [Stmt], at: &At) {
        // Tests within tests multiply.
        self.steps += 1;
        if self.steps > MAX_BLOCKS {
            return;
        }
        for statement in block {
            match &statement.kind {
                StmtKind::If { test, then, otherwise } => {
                    self.branch(&tests(test), then, at, test.span);
                    self.block(otherwise, at);
                }
                StmtKind::Match { subject, cases } => {
                    for case in cases {
                        let values = case.values.iter().filter_map(text);
                        let mut said = Tests::default();
                        if is_path(subject) {
                            said.paths.extend(values.filter(|value| value.starts_with('/')).map(str::to_owned));
                        } else if is_method(subject) {
                            said.methods.extend(values.filter(|value| VERBS.contains(value)).map(str::to_owned));
                        }
                        let site = case.values.first().map_or(statement.span, |value| value.span);
                        self.branch(&said, &case.body, at, site);
                    }
                }
                StmtKind::Function(_) | StmtKind::Class(_) => {}
                _ => walk::blocks(statement, &mut |inner| self.block(inner, at)),
            }
            let mut exprs: Vec<&'p Expr> = Vec::new();
            walk::expressions(statement, &mut |expr| exprs.push(expr));
            while let Some(expr) = exprs.pop() {
                if let ExprKind::Call { callee, .. } = &expr.kind
                    && let ExprKind::Name(name) | ExprKind::Member { name, .. } = &callee.kind
                    && let Some(function) = self.servers.names.get(name.as_str())
                {
                    self.function(function, at);
                }
                walk::inner(expr, &mut |inner| exprs.push(inner));
            }
        }
    }

    /// A block that is run where a test holds.
    fn branch(&mut self, said: &Tests, then: &'p [Stmt], at: &At, site: Span) {
        let methods = if said.methods.is_empty() { at.methods.clone() } else { said.methods.clone() };
        let starts: Vec<String> =
            if said.paths.is_empty() { at.path.iter().cloned().collect() } else { said.paths.clone() };
        let open = starts.iter().filter(|path| path.ends_with(REST));
        let mut paths: Vec<Option<String>> =
            open.flat_map(|start| said.ends.iter().map(move |end| Some(format!("{start}{end}")))).collect();
        if paths.is_empty() {
            paths = said.paths.iter().cloned().map(Some).collect();
        }
        if paths.is_empty() {
            paths.push(at.path.clone());
        }
        let tells = !said.paths.is_empty() || !said.ends.is_empty() || !said.methods.is_empty();
        for path in paths {
            let before = self.found.len();
            let inner = At { methods: methods.clone(), path };
            self.block(then, &inner);
            let Some(path) = inner.path.filter(|_| tells && does_something(then)) else { continue };
            // What is told further apart inside is answered there.
            if self.found[before..].iter().any(|it| it.path == path) {
                continue;
            }
            let room = MAX_ROUTES.saturating_sub(self.found.len());
            let found = inner.methods.iter().take(room);
            self.found.extend(found.map(|method| Compared { method: method.clone(), path: path.clone(), site }));
        }
    }
}

/// Whether a block calls anything: a list of paths that need no key only lets them pass.
fn does_something(block: &[Stmt]) -> bool {
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for statement in block {
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            let mut exprs = Vec::new();
            walk::expressions(statement, &mut |expr| exprs.push(expr));
            while let Some(expr) = exprs.pop() {
                if matches!(expr.kind, ExprKind::Call { .. } | ExprKind::New { .. }) {
                    return true;
                }
                walk::inner(expr, &mut |inner| exprs.push(inner));
            }
        }
    }
    false
}

fn tests(test: &Expr) -> Tests {
    match &test.kind {
        ExprKind::And(left, right) => {
            let (mut one, other) = (tests(left), tests(right));
            one.methods.extend(other.methods);
            one.paths.extend(other.paths);
            one.ends.extend(other.ends);
            one
        }
        // Only where each side says something of the same kind.
        ExprKind::Or(left, right) => {
            let (mut one, other) = (tests(left), tests(right));
            // `GET /a` or `POST /b` is neither `POST /a` nor `GET /b`.
            if one.methods != other.methods && (one.paths != other.paths || one.ends != other.ends) {
                return Tests::default();
            }
            let both = |one: &mut Vec<String>, other: Vec<String>| {
                if one.is_empty() || other.is_empty() { one.clear() } else { one.extend(other) }
            };
            both(&mut one.methods, other.methods);
            both(&mut one.paths, other.paths);
            both(&mut one.ends, other.ends);
            one
        }
        ExprKind::Compare { op: CompareOp::Equal, left, right } => {
            let (value, asked) = match (text(left), text(right)) {
                (Some(value), None) => (value, right),
                (None, Some(value)) => (value, left),
                _ => return Tests::default(),
            };
            one_of(asked, &[value])
        }
        ExprKind::Compare { op: CompareOp::In, left, right } => one_of(left, &texts(right)),
        ExprKind::Call { callee, args, .. } => {
            let ExprKind::Member { object, name } = &callee.kind else { return Tests::default() };
            let Some(arg) = args.first().map(Arg::value) else { return Tests::default() };
            match (name.as_str(), text(arg)) {
                ("startswith" | "startsWith", Some(start)) if is_path(object) && is_start(start) => {
                    Tests { paths: vec![format!("{start}{REST}")], ..Tests::default() }
                }
                ("endswith" | "endsWith", Some(end)) if is_path(object) && end.len() > 1 && end.starts_with('/') => {
                    Tests { ends: vec![end.to_owned()], ..Tests::default() }
                }
                ("includes", None) => one_of(arg, &texts(object)),
                _ => Tests::default(),
            }
        }
        _ => Tests::default(),
    }
}

/// `/users/`, below which something is named.
fn is_start(start: &str) -> bool {
    start.len() > 2 && start.starts_with('/') && start.ends_with('/')
}

/// What is asked for is one of these.
fn one_of(asked: &Expr, values: &[&str]) -> Tests {
    let owned = |values: &mut dyn Iterator<Item = &&str>| values.map(|value| (*value).to_owned()).collect();
    if is_path(asked) {
        let paths = owned(&mut values.iter().filter(|value| value.starts_with('/') && !value.contains('?')));
        return Tests { paths, ..Tests::default() };
    }
    if is_method(asked) {
        return Tests { methods: owned(&mut values.iter().filter(|value| VERBS.contains(value))), ..Tests::default() };
    }
    Tests::default()
}

fn text(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Str { text, .. } => Some(text),
        _ => None,
    }
}

fn texts(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
            let all: Option<Vec<&str>> = items.iter().map(text).collect();
            all.unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// `req.url`, `url.pathname`, `self.path`, `path`, `req.url.split("?")[0]`
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => {
            let name = name.to_ascii_lowercase();
            name.ends_with("path") || matches!(name.as_str(), "pathname" | "url" | "uri" | "route" | "endpoint")
        }
        ExprKind::Index { object, .. } => is_path(object),
        ExprKind::Call { callee, .. } => match &callee.kind {
            ExprKind::Member { object, name } => {
                matches!(name.as_str(), "split" | "rstrip" | "partition" | "replace" | "lower" | "toLowerCase")
                    && is_path(object)
            }
            _ => false,
        },
        _ => false,
    }
}

/// `req.method`, `self.command`
fn is_method(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if matches!(name.as_str(), "method" | "command"))
}
