//! FastAPI: applications, routers, routes.

mod dependant;
mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, starlette};
use crate::evaluate::{Args, Evaluator, Library, Made, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::text::Span;

pub(super) static FASTAPI: Framework = Framework {
    name: "FastAPI",
    packages: &["fastapi"],
    library: &LIBRARY,
    methods: super::routes::named_methods_or_get,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "fastapi",
    // Whoever makes a signature makes a dependency.
    words: &["Signature", "include_router", "add_api_route", "api_route", "mount", "entry_points"],
    word_suffixes: &["Router", "FastAPI"],
    decorator_words: VERBS,
    // Whoever makes a function with such parameters makes a dependency.
    parameter_words: &["Query", "Header", "Cookie", "Body", "Form", "File", "Depends", "Security"],
    application_words: &["FastAPI"],
    node_kind,
    created,
    node_method,
    register_method: Some("add_api_route"),
    call,
    ..Library::PYTHON
};

const VERBS: &[&str] = &["get", "put", "post", "delete", "patch", "options", "head", "trace", "api_route"];

/// Packages whose `…Router` is no router of this framework.
const OTHER_ROUTERS: &[&str] = &[
    "starlette",
    "strawberry",
    "rest_framework",
    "rest_framework_nested",
    "django",
    "celery",
    "kombu",
    "aiohttp",
    "tornado",
    "litestar",
];

/// Names that routers of other frameworks have, whoever extends them.
const OTHER_NAMES: &[&str] = &["Router", "DefaultRouter", "SimpleRouter", "NestedSimpleRouter", "NestedDefaultRouter"];

fn node_kind(path: &str) -> Option<&'static str> {
    let top = path.split('.').next().unwrap_or(path);
    match last(path) {
        "FastAPI" if path.contains('.') => Some("application"),
        "APIRouter" => Some("router"),
        "GraphQLRouter" => Some("graphql"),
        name if name.ends_with("Router")
            && name.starts_with(char::is_uppercase)
            && !OTHER_NAMES.contains(&name)
            && path.contains('.')
            && !OTHER_ROUTERS.iter().any(|other| top.starts_with(other)) =>
        {
            Some("router")
        }
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    let (kind, site, options) = (node.kind, node.site, node.options.clone());
    if kind != "application" {
        let prefix = match options.named("prefix") {
            Some(Value::None) | None => Value::str(""),
            Some(prefix) => prefix.clone(),
        };
        evaluator.node_mut(id).prefix = prefix;
    }
    if kind == "graphql" {
        for method in ["GET", "POST"] {
            let path = options.named("path").cloned().unwrap_or(Value::str(""));
            let methods = Value::list(vec![Value::str(method)]);
            let draft = RouteDraft { node: id, methods, path, options: undocumented_body(), site };
            let handler = Value::Unknown("GraphQL schema", Some(site));
            // One draft a method: the path tells them apart for the evaluator.
            evaluator.add_route_always(draft, handler);
        }
    }
    if let Some(routes) = options.named("routes") {
        starlette::take(evaluator, id, routes, true);
    }
}

/// `Depends(function)` is no decorator of the function.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let depends = path.starts_with("fastapi.") && matches!(last(path), "Depends" | "Security");
    depends.then(|| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

fn undocumented_body<'p>() -> Args<'p> {
    let mut options = Args::default();
    options.set(starlette::PLAIN, Value::Bool(true));
    options.set("response_model", Value::None);
    options
}

fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let draft = |methods: Value<'p>, args: &Args<'p>| {
        let path = args.get(0, "path").cloned().unwrap_or(Value::str(""));
        let mut options = args.clone();
        options.positional.clear();
        Rc::new(RouteDraft { node: id, methods, path, options, site })
    };
    let given_methods = |args: &Args<'p>| args.named("methods").cloned().unwrap_or(Value::None);
    match name {
        "get" | "put" | "post" | "delete" | "patch" | "options" | "head" | "trace" => {
            let methods = Value::list(vec![Value::str(name.to_uppercase())]);
            Some(Value::Route(draft(methods, &args)))
        }
        "api_route" => Some(Value::Route(draft(given_methods(&args), &args))),
        // Starlette's own: served, and left out of the generated document.
        "route" => {
            let mut args = args;
            args.set("include_in_schema", Value::Bool(false));
            args.set(starlette::PLAIN, Value::Bool(true));
            Some(Value::Route(draft(given_methods(&args), &args)))
        }
        "add_api_route" | "add_route" => {
            let mut args = args;
            if name == "add_route" {
                args.set("include_in_schema", Value::Bool(false));
                args.set(starlette::PLAIN, Value::Bool(true));
            }
            let missing = Value::Unknown("registration without a handler", Some(site));
            let handler = args.get(1, "endpoint").or_else(|| args.named("route")).cloned().unwrap_or(missing);
            args.positional.truncate(1);
            let draft = draft(given_methods(&args), &args);
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
        "include_router" => {
            let child = args.get(0, "router");
            let prefix = args.get(1, "prefix").cloned().unwrap_or(Value::str(""));
            match child {
                Some(Value::Node(child)) => {
                    let child = *child;
                    let mut options = args;
                    options.positional.clear();
                    options.remove("router");
                    evaluator.add_mount(id, child, prefix, options, site, MountKind::Include);
                }
                other => {
                    let reason = Reason::new(format!("included router is not known: {}", why(other)), Some(site));
                    evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
                }
            }
            Some(Value::None)
        }
        "mount" => {
            let prefix = args.get(0, "path").cloned().unwrap_or(Value::str(""));
            starlette::mount(evaluator, id, prefix, args.get(1, "app"), site);
            Some(Value::None)
        }
        _ => None,
    }
}

fn why(value: Option<&Value>) -> String {
    match value {
        Some(Value::Unknown(why, _)) => (*why).to_owned(),
        Some(other) => other.describe(),
        None => "it is not given".to_owned(),
    }
}
