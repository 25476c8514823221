//! Starlette: lists of routes and mounts, endpoint classes, and the responses that handlers make.

pub(super) mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, class_views};
use crate::evaluate::{Args, Evaluator, Library, Made, ModuleId, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::text::Span;

pub(super) static STARLETTE: Framework = Framework {
    name: "Starlette",
    packages: &["starlette"],
    library: &LIBRARY,
    methods: super::routes::named_methods_or_get,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "starlette",
    words: &["add_route", "mount"],
    word_suffixes: &["Starlette"],
    decorator_words: &["route"],
    application_words: &["Starlette"],
    node_kind,
    created,
    node_method,
    finished,
    ..Library::PYTHON
};

/// Marks, among the options of a route, a handler that is given the request and nothing else, whatever serves it.
pub(super) const PLAIN: &str = "plain handler";

const APPLICATION: &str = "application";
const ROUTER: &str = "router";
const ROUTER_PATH: &str = "starlette.routing.Router";

fn node_kind(path: &str) -> Option<&'static str> {
    match last(path) {
        "Starlette" if path.contains('.') => Some(APPLICATION),
        "Router" if path.starts_with("starlette.") => Some(ROUTER),
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    let at = usize::from(node.kind == APPLICATION);
    let routes = node.options.get(at, "routes").cloned();
    if let Some(routes) = routes {
        take(evaluator, id, &routes, false);
    }
}

/// Adds what a list of routes and mounts holds; `hidden`: it is left out of a document that the framework makes.
pub(super) fn take<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, routes: &Value<'p>, hidden: bool) {
    for route in routes.elements().unwrap_or_default() {
        if let Value::Made(made) = &route {
            add(evaluator, id, made, hidden);
        }
    }
}

/// `Route("/x", endpoint)`, `APIRoute("/x", endpoint)`, `Mount("/x", app)`, `Host("x", app)`.
fn add<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, made: &Made<'p>, hidden: bool) {
    let site = made.site;
    let path = made.args.get(0, "path").cloned().unwrap_or(Value::str(""));
    match made.name() {
        "Mount" => match (made.args.get(1, "app").cloned(), made.args.get(2, "routes").cloned()) {
            (None | Some(Value::None), Some(routes)) => {
                let options = Args { named: vec![(Rc::from("routes"), routes)], ..Args::default() };
                if let Some(child) = evaluator.make_node(ROUTER_PATH, options, None, site) {
                    evaluator.add_mount(id, child, path, Args::default(), site, MountKind::Application);
                }
            }
            (app, _) => mount(evaluator, id, path, app.as_ref(), site),
        },
        "Host" => mount(evaluator, id, Value::str(""), made.args.get(1, "app"), site),
        name @ ("Route" | "APIRoute") => {
            let handler = made.args.get(1, "endpoint").cloned();
            let handler = handler.unwrap_or(Value::Unknown("route without an endpoint", Some(site)));
            let mut options = made.args.clone();
            options.positional.clear();
            if name == "Route" {
                options.set(PLAIN, Value::Bool(true));
                if hidden {
                    options.set("include_in_schema", Value::Bool(false));
                }
            }
            let methods = made.args.named("methods").cloned().unwrap_or(Value::None);
            evaluator.add_route_always(RouteDraft { node: id, methods, path, options, site }, handler);
        }
        _ => {}
    }
}

/// Mounts an application, what wraps one, or notes that it is not known.
pub(super) fn mount<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    path: Value<'p>,
    app: Option<&Value<'p>>,
    site: Span,
) {
    let child = match app {
        Some(Value::Made(made)) => made.args.get(0, "app"),
        other => other,
    };
    match child {
        Some(Value::Node(child)) => {
            evaluator.add_mount(id, *child, path, Args::default(), site, MountKind::Application);
        }
        _ if app.is_some_and(|app| sends_files(evaluator, app)) => {}
        _ => {
            let why = app.map_or("it is not given".to_owned(), Value::describe);
            let reason = Reason::new(format!("mounted application is not known: {why}"), Some(site));
            evaluator.node_mut(id).opaque.push(Opaque::below(path, reason));
        }
    }
}

/// Whether an application is `StaticFiles` or of a class that derives from it.
fn sends_files<'p>(evaluator: &mut Evaluator<'p>, app: &Value<'p>) -> bool {
    let is_named = |value: &Value<'p>| value.as_external().is_some_and(|path| last(path) == "StaticFiles");
    match app {
        Value::Made(made) => made.name() == "StaticFiles",
        Value::Instance(instance) => evaluator.ancestry(&instance.class).iter().any(is_named),
        _ => false,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as the evaluator hands them over")]
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match name {
        "route" => Some(Value::Route(Rc::new(draft(id, &args, site)))),
        "add_route" => {
            let handler = args.get(1, "route").or_else(|| args.named("endpoint")).cloned();
            let handler = handler.unwrap_or(Value::Unknown("route without an endpoint", Some(site)));
            let draft = Rc::new(draft(id, &args, site));
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
        "mount" => {
            let path = args.get(0, "path").cloned().unwrap_or(Value::str(""));
            mount(evaluator, id, path, args.get(1, "app"), site);
            Some(Value::None)
        }
        "host" => {
            mount(evaluator, id, Value::str(""), args.get(1, "app"), site);
            Some(Value::None)
        }
        _ => None,
    }
}

fn draft<'p>(id: NodeId, args: &Args<'p>, site: Span) -> RouteDraft<'p> {
    let path = args.get(0, "path").cloned().unwrap_or(Value::str(""));
    let methods = args.get(2, "methods").cloned().filter(|given| given.elements().is_some()).unwrap_or(Value::None);
    let mut options = args.clone();
    options.positional.clear();
    RouteDraft { node: id, methods, path, options, site }
}

fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    class_views::open(evaluator, &LIBRARY, class_views::defined);
}
