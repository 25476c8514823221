//! Express: applications and routers, `use`, `route`, handlers that answer through `res`.

mod requests;

pub(super) use requests::requests;

use std::rc::Rc;

use super::colon::{template, templates};
use super::handlers::{flat, is_path, methods, mounted_package, mounted_unknown, package_path};
use super::harmless::{is_proxy, is_router};
use super::{Framework, Route, Schemas, replies, served};
use crate::evaluate::{Args, Evaluator, FunctionRef, Library, MountKind, NodeId, RouteDraft, Value};
use crate::languages::typescript::schema::{Env, Reply, ReplyBody, Type};
use crate::model::Response;
use crate::model::program::{Expr, ExprKind};
use crate::text::Span;

pub(super) static EXPRESS: Framework = Framework {
    name: "Express",
    packages: &["express", "ultimate-express", "hyper-express"],
    library: &LIBRARY,
    methods,
    responses,
    requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "express",
    words: &["use", "Router", "express", "route", "post", "put", "patch"],
    application_words: &["express"],
    node_kind,
    node_method,
    handed: served::handed,
    chained,
    ..Library::TYPESCRIPT
};

/// `upload.single("file")`, `body("name").optional()`
fn chained(path: &str) -> bool {
    path.starts_with("multer") || path.starts_with("express-validator")
}

/// Stands for the response of a handler that runs.
const RESPONSE: &str = "express.response";
const VERBS: &[&str] = &["get", "put", "post", "delete", "patch", "options", "head", "trace", "all"];

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "express" | "express.express" | "ultimate-express" | "hyper-express.Server" | "json-server.create" => {
            Some("application")
        }
        "express.Router" | "ultimate-express.Router" | "hyper-express.Router" | "express-promise-router" => {
            Some("router")
        }
        "express.route()" => Some("path"),
        RESPONSE => Some("response"),
        _ => None,
    }
}

pub(super) fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let node = Value::Node(id);
    if evaluator.node(id).kind == "response" {
        return Some(served::response_method(evaluator, id, name, args, site));
    }
    match name {
        // Settings are chained like routes.
        "set" | "enable" | "disable" | "engine" | "param" | "on" | "once" => Some(node),
        // A web socket begins with a `GET`, which documents may leave out.
        "ws" => {
            let methods = Value::list(vec![Value::str("GET")]);
            let mut options = Args::default();
            options.set("include_in_schema", Value::Bool(false));
            for path in args.positional.first().map(|path| templates(evaluator, path, site)).unwrap_or_default() {
                let (methods, options) = (methods.clone(), options.clone());
                let draft = RouteDraft { node: id, methods, path, options, site };
                evaluator.add_route(&Rc::new(draft), Value::Unknown("a web socket", Some(site)));
            }
            Some(node)
        }
        // `app.get("setting")` reads a setting.
        "get" if args.positional.len() < 2 && evaluator.node(id).kind == "application" => None,
        verb if VERBS.contains(&verb) => {
            let own = evaluator.node(id).kind == "path";
            let (path, handlers) = if own {
                (Value::str(""), args.positional.as_slice())
            } else {
                let (path, handlers) = args.positional.split_first()?;
                (path.clone(), handlers)
            };
            let handlers = flat(handlers);
            let handler = handlers.last().cloned().unwrap_or(Value::Unknown("route without a handler", Some(site)));
            for path in templates(evaluator, &path, site) {
                let methods = Value::list(vec![Value::str(verb.to_uppercase())]);
                let options = Args { positional: handlers.clone(), types: args.types.clone(), ..Args::default() };
                let draft = RouteDraft { node: id, methods, path, options, site };
                evaluator.add_route(&Rc::new(draft), handler.clone());
            }
            Some(node)
        }
        "route" => {
            let path = template(args.positional.first()?);
            let child = evaluator.make_node("express.route()", Args::default(), None, site)?;
            evaluator.add_mount(id, child, path, Args::default(), site, MountKind::Include);
            Some(Value::Node(child))
        }
        "use" => {
            let mut handlers = args.positional.as_slice();
            let mut prefixes = vec![Value::str("")];
            if let Some((first, rest)) = handlers.split_first()
                && is_path(first)
            {
                prefixes = templates(evaluator, first, site);
                handlers = rest;
            }
            for handler in mounted(&flat(handlers)) {
                for prefix in &prefixes {
                    mount(evaluator, id, prefix.clone(), &handler, site);
                }
            }
            Some(node)
        }
        _ => None,
    }
}

/// What `use` is given, without what stands before a router that is known and hands no request on: that is middleware.
fn mounted<'p>(given: &[Value<'p>]) -> Vec<Value<'p>> {
    let routers = given.iter().rposition(|value| matches!(value, Value::Node(_))).unwrap_or(0);
    let may_answer = |value: &Value| {
        matches!(value, Value::Node(_)) || package_path(value).is_some_and(|path| is_router(path) || is_proxy(path))
    };
    let kept = given.iter().enumerate().filter(|(at, value)| *at >= routers || may_answer(value));
    kept.map(|(_, value)| value.clone()).collect()
}

fn mount<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, handler: &Value<'p>, site: Span) {
    match handler {
        Value::Node(child) => {
            evaluator.add_mount(id, *child, prefix, Args::default(), site, MountKind::Include);
        }
        Value::Unknown(why, _) => {
            mounted_unknown(evaluator, id, prefix, why, site);
        }
        // What a package gives is middleware, unless it has a path of its own or is called a router.
        other
            if prefix.as_str().is_some_and(|prefix| !prefix.trim_matches('/').is_empty())
                || package_path(other).is_some_and(is_router) =>
        {
            mounted_package(evaluator, id, Some(prefix), other, site);
        }
        _ => {}
    }
}

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let (Value::Function(handler) | Value::Bound(_, handler)) = route.handler else {
        return vec![replies::unknown(schemas, "handler of the route is not known", site)];
    };
    let types = schemas.typescript();
    types.start();
    let mut answers = types.replies_given(evaluator, handler, 1, vec![(0, Type::external("express.Request"))]);
    // `router.get<Params, Body>(…)`: the author says what is sent.
    // … `(req, res: Response<Body>)` as well.
    let generic = route.draft.options.types.as_ref().and_then(|(given, scope)| Some((given.get(1)?, scope.clone())));
    if let Some((body, scope)) = generic.or_else(|| Some((body_of_parameter(handler)?, handler.scope.clone()))) {
        let declared = types.written(evaluator, body, &Env::of(&scope));
        if !matches!(declared, Type::Any | Type::Unknown(..)) {
            for answer in &mut answers {
                if let ReplyBody::Value(ty) = &mut answer.body {
                    *ty = declared.clone();
                }
            }
        }
    }
    if !answers.iter().any(is_success) {
        answers = run(evaluator, schemas, route, answers);
    }
    replies::responses(evaluator, schemas, answers, 200, site)
}

/// Whether an answer is known to be a success.
fn is_success(answer: &Reply) -> bool {
    matches!(answer.status, None | Some(Value::Int(200..=299)))
}

/// What a handler answers when it runs, where reading it says nothing: through wrappers and objects of the program that
/// are handed the response. What is sent is told better by reading, which with the status by running.
fn run<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    read: Vec<Reply<'p>>,
) -> Vec<Reply<'p>> {
    let site = route.draft.site;
    let Some(module) = evaluator.module_of_file(site.file) else { return read };
    // `app.all(…)`: a handler may refuse all methods but one.
    let mut seen = Vec::new();
    for method in methods(route.draft) {
        let sent = served::run(evaluator, RESPONSE, module, route.handler, method.name(), site);
        seen = served::replies(evaluator, schemas, &sent, site);
        if seen.iter().any(is_success) {
            break;
        }
    }
    if !seen.iter().any(is_success) {
        return read;
    }
    let better = |answer: Reply<'p>| {
        let same = |known: &&Reply| overlap(known.written, answer.written);
        match read.iter().find(same) {
            Some(known) => Reply { body: known.body.clone(), ..answer },
            None => answer,
        }
    };
    seen.into_iter().map(better).collect()
}

fn overlap(one: Span, other: Span) -> bool {
    one.file == other.file && one.start < other.end && other.start < one.end
}

/// `T` of a second parameter that is declared to be a `Response<T>`.
fn body_of_parameter<'p>(handler: &FunctionRef<'p>) -> Option<&'p Expr> {
    let parameters = handler.node.parameters.iter().filter(|parameter| parameter.name != "this");
    match &parameters.skip(1).find_map(|parameter| parameter.annotation.as_ref())?.kind {
        ExprKind::Index { object, index } => {
            let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &object.kind else { return None };
            (name == "Response").then(|| index.first()).flatten()
        }
        _ => None,
    }
}
