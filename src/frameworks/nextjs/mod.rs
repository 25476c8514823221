//! Next.js: routes by the names of files. Below `pages/api` a module's default export answers every method that it does
//! not refuse; in `app/**/route.ts` the exports are named by method.

mod config;
mod files;
mod probe;
mod requests;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::handlers::methods;
use super::{Framework, Route, Schemas, replies, served};
use crate::evaluate::{Args, Evaluator, Item, Library, ModuleId, MountKind, NodeId, RouteDraft, Value};
use crate::model::program::StmtKind;
use crate::model::{Method, Response};
use crate::text::Span;
use files::Kind;

pub(super) static NEXTJS: Framework = Framework {
    name: "Next.js",
    packages: &["next"],
    library: &LIBRARY,
    methods,
    responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library =
    Library { name: "next", node_kind, node_method, call, handed: served::handed, finished, ..Library::TYPESCRIPT };

/// The methods that a handler is asked for.
const METHODS: [Method; 5] = super::handlers::EVERY;
/// What a module of `app` exports.
const EXPORTS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "next" => Some("application"),
        probe::RESPONSE => Some("response"),
        "next-connect" | "next-connect.createRouter" | "next-connect.createEdgeRouter" => Some("connect"),
        _ => None,
    }
}

fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match evaluator.node(id).kind {
        "response" => Some(served::response_method(evaluator, id, name, args, site)),
        "connect" => connect_method(evaluator, id, name, &args, site),
        _ => None,
    }
}

/// `next-connect`: a chain of methods, each with a path that may be left out.
fn connect_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: &Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let node = Value::Node(id);
    let verb = match name {
        "all" | "get" | "post" | "put" | "patch" | "delete" | "head" | "options" => name.to_uppercase(),
        "use" => {
            for value in &args.positional {
                if let Value::Node(child) = value {
                    evaluator.add_mount(id, *child, Value::str(""), Args::default(), site, MountKind::Include);
                }
            }
            return Some(node);
        }
        "handler" | "run" | "clone" | "attach" | "prepare" => return Some(node),
        _ => return None,
    };
    // A path is one of the whole request, which the file's name already says.
    let handler = args.positional.last().cloned().unwrap_or(Value::Unknown("route without a handler", Some(site)));
    let methods = Value::list(vec![Value::str(verb)]);
    let draft = RouteDraft { node: id, methods, path: Value::str(""), options: Args::default(), site };
    evaluator.add_route(&Rc::new(draft), handler);
    Some(node)
}

/// Adds what lies in files that are routes by their names.
fn finished(evaluator: &mut Evaluator, modules: &[ModuleId]) {
    let mut applications: FxHashMap<String, Application> = FxHashMap::default();
    for module in modules {
        let Some(file) = files::route_file(evaluator.index, *module) else { continue };
        let root = file.root.clone();
        if !applications.contains_key(&root) {
            let Some(application) = application(evaluator, *module, &root) else { continue };
            applications.insert(root.clone(), application);
        }
        let Some(application) = applications.get(&root) else { continue };
        let paths: Vec<String> = file.paths.iter().flat_map(|path| application.rewrites.paths(path)).collect();
        match file.kind {
            Kind::Pages => pages(evaluator, application.node, *module, &paths),
            Kind::App => exports(evaluator, application.node, *module, &paths),
        }
    }
}

struct Application {
    node: NodeId,
    rewrites: config::Rewrites,
}

fn application(evaluator: &mut Evaluator, module: ModuleId, root: &str) -> Option<Application> {
    let start = Span { start: 0, end: 0, file: evaluator.file_of(module) };
    let node = evaluator.make_node("next", Args::default(), None, start)?;
    let settings = config::read(evaluator, root);
    if let Some(prefix) = settings.base_path {
        evaluator.node_mut(node).prefix = prefix;
    }
    Some(Application { node, rewrites: settings.rewrites })
}

/// The handlers that a module exports by the names of methods.
fn exports(evaluator: &mut Evaluator, application: NodeId, module: ModuleId, paths: &[String]) {
    for name in EXPORTS {
        evaluator.start(evaluator.file_of(module));
        let Some(handler) = evaluator.module_name(module, name) else { continue };
        // An application of its own, which knows the whole path.
        if wraps_node(&handler) {
            continue;
        }
        let site = site_of(evaluator, module, name, &handler);
        let sent = match handlers(&handler) {
            Some(handler) => probe::run(evaluator, module, &handler, name, site),
            None => Vec::new(),
        };
        for path in paths {
            add(evaluator, application, name, path, handler.clone(), sent.clone(), site, false);
        }
    }
}

/// The function in what a library makes of it.
fn handlers<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    match value {
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => Some(value.clone()),
        Value::Made(made) => made.args.values().find(|value| matches!(value, Value::Function(_))).cloned(),
        _ => None,
    }
}

fn wraps_node(value: &Value) -> bool {
    match value {
        Value::Node(_) => true,
        Value::Made(made) => made.args.values().any(|value| matches!(value, Value::Node(_))),
        _ => false,
    }
}

/// The default export of a module below `pages/api`.
fn pages(evaluator: &mut Evaluator, application: NodeId, module: ModuleId, paths: &[String]) {
    evaluator.start(evaluator.file_of(module));
    let Some(handler) = evaluator.module_name(module, "default") else { return };
    let site = site_of(evaluator, module, "default", &handler);
    if let Value::Node(child) = handler
        && evaluator.node(child).kind == "connect"
    {
        for path in paths {
            let path = Value::str(path.as_str());
            evaluator.add_mount(application, child, path, Args::default(), site, MountKind::Include);
        }
        return;
    }
    if wraps_node(&handler) {
        return;
    }
    for answer in probe::methods(evaluator, module, &handler, site) {
        for path in paths {
            let sent = answer.sent.clone();
            add(evaluator, application, answer.method.name(), path, handler.clone(), sent, site, answer.any);
        }
    }
}

/// Under this, a route's options keep what was seen to be sent.
const SENT: &str = "sent";

#[expect(clippy::too_many_arguments, reason = "a route has that many parts")]
fn add<'p>(
    evaluator: &mut Evaluator<'p>,
    node: NodeId,
    method: &str,
    path: &str,
    handler: Value<'p>,
    sent: Vec<Value<'p>>,
    site: Span,
    conditional: bool,
) {
    let methods = Value::list(vec![Value::str(method)]);
    let options = Args { named: vec![(Rc::from(SENT), Value::list(sent))], ..Args::default() };
    let draft = Rc::new(RouteDraft { node, methods, path: Value::str(path), options, site });
    let when = vec![if conditional { evaluator.perhaps(site) } else { Vec::new() }];
    evaluator.node_mut(node).items.push(Item::Route { draft, handler, when });
}

/// Where a module binds a name: the function itself where it is written there.
fn site_of(evaluator: &mut Evaluator, module: ModuleId, name: &str, value: &Value) -> Span {
    let file = evaluator.file_of(module);
    if let Value::Function(function) = value
        && function.node.span.file == file
    {
        return function.node.span;
    }
    match evaluator.binder(module, name) {
        Some(statement) => match &statement.kind {
            StmtKind::Assign { value, .. } => value.span,
            _ => statement.span,
        },
        None => Span { start: 0, end: 0, file },
    }
}

/// A call of a library: one that makes a response says what is sent.
fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    probe::made(evaluator, path, args, site);
    None
}

fn responses<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    let site = route.draft.site;
    schemas.typescript().start();
    let sent = match route.draft.options.named(SENT) {
        Some(sent) => sent.elements().unwrap_or_default(),
        // A method of next-connect.
        None => match (handlers(route.handler), evaluator.module_of_file(site.file)) {
            (Some(handler), Some(module)) => {
                let methods = methods(route.draft);
                let method = methods.first().map_or("GET", |method| method.name());
                probe::run(evaluator, module, &handler, method, site)
            }
            _ => Vec::new(),
        },
    };
    let found = served::replies(evaluator, schemas, &sent, site);
    replies::responses(evaluator, schemas, found, 200, site)
}
