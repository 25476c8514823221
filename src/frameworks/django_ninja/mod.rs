//! Django Ninja, and Django Ninja Extra on it: an API of operations, routers and controllers, mounted in Django's tree of
//! addresses as `api.urls`.

mod controllers;
mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, decorated, handlers};
use crate::evaluate::{Args, Evaluator, Library, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::languages::python::django::imported_string;
use crate::text::Span;

pub(super) static DJANGO_NINJA: Framework = Framework {
    name: "Django Ninja",
    packages: &["ninja", "ninja_extra"],
    library: &LIBRARY,
    methods: handlers::methods,
    responses: responses::responses,
    requests: requests::requests,
    // What addresses lead to an API is told by the tree that it is mounted in.
    application_kinds: &[],
};

static LIBRARY: Library = Library {
    name: "ninja",
    words: &["add_router", "add_api_operation", "register_controllers"],
    word_suffixes: &["NinjaAPI", "NinjaExtraAPI"],
    decorator_words: &["get", "post", "put", "delete", "patch", "api_operation"],
    application_words: &["NinjaAPI", "NinjaExtraAPI"],
    node_kind,
    node_method,
    call,
    member,
    ..Library::PYTHON
};

const API: &str = "ninja API";
const ROUTER: &str = "ninja router";
const ROUTER_PATH: &str = "ninja.Router";

fn node_kind(path: &str) -> Option<&'static str> {
    let is_ours = matches!(path.split('.').next(), Some("ninja" | "ninja_extra"));
    match last(path) {
        "NinjaAPI" | "NinjaExtraAPI" if is_ours => Some(API),
        "Router" if is_ours => Some(ROUTER),
        _ => None,
    }
}

/// What describes a parameter is kept with what it was called with, and so is what divides a list into pages.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_kept = path.starts_with("ninja.") && (requests::describes(last(path)) || last(path) == "paginate");
    if is_kept { Some(decorated::kept(path, args, site)) } else { controllers::call(path, args, site) }
}

/// `api.urls` stands for the API where addresses are listed.
fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::Node(id) if name == "urls" && evaluator.node(*id).kind == API => Some(value.clone()),
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
    match name {
        "get" | "post" | "put" | "delete" | "patch" => {
            let methods = Value::list(vec![Value::str(name.to_uppercase())]);
            let path = args.get(0, "path").cloned();
            Some(Value::Route(draft(id, methods, path, args, site)))
        }
        "api_operation" => {
            let methods = args.get(0, "methods").cloned().unwrap_or(Value::None);
            let path = args.get(1, "path").cloned();
            Some(Value::Route(draft(id, methods, path, args, site)))
        }
        "add_api_operation" => {
            let missing = Value::Unknown("registration without a handler", Some(site));
            let handler = args.get(2, "view_func").cloned().unwrap_or(missing);
            let methods = args.get(1, "methods").cloned().unwrap_or(Value::None);
            let path = args.get(0, "path").cloned();
            let draft = draft(id, methods, path, args, site);
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
        "register_controllers" => {
            controllers::register(evaluator, id, &args, site);
            Some(Value::None)
        }
        // It looks for controllers in every application that is installed.
        "auto_discover_controllers" => {
            let reason = Reason::new("controllers are found by `auto_discover_controllers`", Some(site));
            evaluator.node_mut(id).opaque.push(Opaque::below(Value::str(""), reason));
            Some(Value::None)
        }
        "add_router" => {
            add_router(evaluator, id, &args, site);
            Some(Value::None)
        }
        _ => None,
    }
}

fn draft<'p>(
    node: NodeId,
    methods: Value<'p>,
    path: Option<Value<'p>>,
    args: Args<'p>,
    site: Span,
) -> Rc<RouteDraft<'p>> {
    let path = match path {
        Some(Value::Str(path)) => Value::str(template(&path)),
        Some(other) => other,
        None => Value::str(""),
    };
    let mut options = args;
    options.positional.clear();
    Rc::new(RouteDraft { node, methods, path, options, site })
}

/// A path as it joins what comes before: with one slash between them, `{int:id}` as `{id}`.
fn template(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 1);
    if !path.is_empty() {
        out.push('/');
    }
    let mut rest = path.trim_start_matches('/');
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        let inner = &rest[open + 1..open + length];
        out.push_str(&rest[..=open]);
        out.push_str(inner.rsplit(':').next().unwrap_or(inner));
        out.push('}');
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    out
}

/// `api.add_router("/events/", router)`, which may be named by text: `"events.api.router"`.
fn add_router<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, args: &Args<'p>, site: Span) {
    let prefix = match args.get(0, "prefix") {
        Some(Value::Str(prefix)) => Value::str(template(prefix)),
        Some(other) => other.clone(),
        None => Value::str(""),
    };
    let router = match args.get(1, "router") {
        Some(Value::Str(dotted)) => {
            evaluator.module_of_file(site.file).map(|from| imported_string(evaluator, from, dotted))
        }
        other => other.cloned(),
    };
    if let Some(Value::Node(child)) = router {
        let mut options = args.clone();
        options.positional.clear();
        evaluator.add_mount(id, child, prefix, options, site, MountKind::Include);
    } else {
        let why = router.map_or_else(|| "it is not given".to_owned(), |router| router.describe());
        let reason = Reason::new(format!("included router is not known: {why}"), Some(site));
        evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
    }
}
