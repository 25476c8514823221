//! Next.js: routes by the names of files. Below `pages/api` a module's default export answers every method that it does
//! not refuse; in `app/**/route.ts` the exports are named by method.

mod config;
mod files;
mod probe;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Framework, Route, Schemas};
use crate::evaluate::{Args, Evaluator, Item, Library, ModuleId, MountKind, NodeId, RouteDraft, Value, last};
use crate::model::program::StmtKind;
use crate::model::{Body, Method, Response, Status};
use crate::text::Span;
use files::Kind;

pub(super) static NEXTJS: Framework = Framework {
    name: "Next.js",
    packages: &["next"],
    library: &LIBRARY,
    methods,
    responses,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "next",
    application_words: &[],
    node_kind,
    node_method,
    handed: probe::handed,
    finished,
    ..Library::NONE
};

/// The methods that a handler is asked for.
const METHODS: [Method; 5] = [Method::Get, Method::Put, Method::Post, Method::Delete, Method::Patch];
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
        "response" => Some(probe::response_method(evaluator, id, name, &args, site)),
        "connect" => connect_method(evaluator, id, name, args, site),
        _ => None,
    }
}

/// `next-connect`: a chain of methods, each with a path that may be left out.
fn connect_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
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
        let site = site_of(evaluator, module, name, &handler);
        for path in paths {
            add(evaluator, application, &[name], path, handler.clone(), site, false);
        }
    }
}

/// The default export of a module below `pages/api`.
fn pages<'p>(evaluator: &mut Evaluator<'p>, application: NodeId, module: ModuleId, paths: &[String]) {
    evaluator.start(evaluator.file_of(module));
    let Some(handler) = evaluator.module_name(module, "default") else { return };
    let site = site_of(evaluator, module, "default", &handler);
    if let Value::Node(child) = handler {
        for path in paths {
            let path = Value::str(path.as_str());
            evaluator.add_mount(application, child, path, Args::default(), site, MountKind::Include);
        }
        return;
    }
    let answers = probe::methods(evaluator, module, &handler, site);
    for path in paths {
        for answer in &answers {
            let name = answer.method.name();
            let handler = answer.handler.clone().unwrap_or_else(|| handler.clone());
            add(evaluator, application, &[name], path, handler, site, answer.any);
        }
    }
}

fn add<'p>(
    evaluator: &mut Evaluator<'p>,
    node: NodeId,
    methods: &[&str],
    path: &str,
    handler: Value<'p>,
    site: Span,
    conditional: bool,
) {
    let methods = Value::list(methods.iter().map(|name| Value::str(*name)).collect());
    let draft = Rc::new(RouteDraft { node, methods, path: Value::str(path), options: Args::default(), site });
    evaluator.node_mut(node).items.push(Item::Route { draft, handler, conditional });
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

fn methods(draft: &RouteDraft) -> Vec<Method> {
    let names = draft.methods.elements().unwrap_or_default();
    names
        .iter()
        .filter_map(Value::as_str)
        .flat_map(|name| match name {
            "ALL" => METHODS.to_vec(),
            name => Method::parse(name).into_iter().collect(),
        })
        .collect()
}

fn responses<'p>(_evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    let site = route.draft.site;
    let shape = schemas.typescript().unknown("responses of Next.js are not read yet", Some(site));
    let body = Body { media: "application/json".to_owned(), shape, span: site, required: true };
    vec![Response { status: Status::Code(200), bodies: vec![body], span: site }]
}

/// Whether a value made by a library is an answer: `new Response(…)`, `NextResponse.json(…)`.
fn is_answer(path: &str) -> bool {
    let class = path.strip_suffix(".json").or_else(|| path.strip_suffix(".redirect")).unwrap_or(path);
    matches!(last(class), "Response" | "NextResponse")
}
