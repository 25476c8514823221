//! Litestar (and Starlite before it): handlers, controllers and routers that an application lists.

mod requests;
mod responses;

use std::cell::RefCell;
use std::rc::Rc;

use super::{Framework, handlers, returned};
use crate::evaluate::{
    Args, ClassRef, Dict, Evaluator, FunctionRef, Library, Made, MountKind, NodeId, Opaque, RouteDraft, Value, last,
};
use crate::finding::Reason;
use crate::model::program::StmtKind;
use crate::text::Span;

pub(super) static LITESTAR: Framework = Framework {
    name: "Litestar",
    packages: &["litestar", "starlite"],
    library: &LIBRARY,
    methods: handlers::methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "litestar",
    words: &["route_handlers"],
    word_suffixes: &["Litestar", "Starlite"],
    application_words: &["Litestar", "Starlite"],
    node_kind,
    created,
    node_method,
    call,
    ..Library::PYTHON
};

const APPLICATION: &str = "application";
const ROUTER: &str = "router";
/// Of a controller, the options of which its handlers inherit.
const CONTROLLER: &str = "controller";
const CONTROLLER_PATH: &str = "litestar.Controller()";

/// What handlers, controllers and routers hand down.
const INHERITED: &[&str] = &["include_in_schema", "return_dto", "dto", "media_type", "dependencies"];

fn is_ours(path: &str) -> bool {
    matches!(path.split('.').next(), Some("litestar" | "starlite"))
}

fn node_kind(path: &str) -> Option<&'static str> {
    match last(path) {
        "Litestar" | "Starlite" if is_ours(path) => Some(APPLICATION),
        "Router" if is_ours(path) => Some(ROUTER),
        "Controller()" if is_ours(path) => Some(CONTROLLER),
        _ => None,
    }
}

/// Decorators of handlers stay what they are called with; a plugin of the library gives the configuration back.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if is_ours(path) && last(path) == "on_app_init" {
        return args.get(0, "app_config").cloned();
    }
    // `Provide(function)` is no decorator of the function.
    let is_kept = verb(last(path)).is_some() || last(path) == "Provide";
    (is_ours(path) && is_kept).then(|| super::decorated::kept(path, args, site))
}

/// The method of a decorator; an empty one where its arguments say it.
fn verb(name: &str) -> Option<&'static str> {
    match name {
        "get" => Some("GET"),
        "post" => Some("POST"),
        "put" => Some("PUT"),
        "patch" => Some("PATCH"),
        "delete" => Some("DELETE"),
        "head" => Some("HEAD"),
        "route" => Some(""),
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    let (kind, options, site) = (node.kind, node.options.clone(), node.site);
    if kind == CONTROLLER {
        return;
    }
    let (path, at) = if kind == ROUTER { (options.get(0, "path"), 1) } else { (options.named("path"), 0) };
    if let Some(path) = path {
        evaluator.node_mut(id).prefix = rooted(path);
    }
    let handlers = if kind == ROUTER { options.named("route_handlers") } else { options.get(at, "route_handlers") };
    if let Some(handlers) = handlers {
        take(evaluator, id, &handlers.clone(), site);
    }
    let plugins = options.named("plugins").and_then(Value::elements).unwrap_or_default();
    let hooks = options.named("on_app_init").and_then(Value::elements).unwrap_or_default();
    for hook in plugins.iter().chain(&hooks) {
        configured(evaluator, id, hook, site);
    }
}

/// What a plugin adds when the application is made: `app_config.route_handlers.extend([…])`.
fn configured<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, hook: &Value<'p>, site: Span) {
    let hook = match hook {
        Value::Instance(instance) => match evaluator.class_member(&instance.class, "on_app_init") {
            Some(Value::Function(method)) => Value::Bound(Rc::new(hook.clone()), method),
            _ => return,
        },
        Value::Function(_) | Value::Bound(..) => hook.clone(),
        _ => return,
    };
    let handlers = Value::list(Vec::new());
    let entries = vec![(Value::str("route_handlers"), handlers)];
    let config = Rc::new(RefCell::new(Dict { entries, record: true, ..Dict::default() }));
    let given = Value::Dict(config.clone());
    match &hook {
        Value::Function(function) => {
            evaluator.call_function_always(function, Args { positional: vec![given], ..Args::default() });
        }
        Value::Bound(receiver, method) => {
            let positional = vec![(**receiver).clone(), given];
            evaluator.call_function_always(method, Args { positional, ..Args::default() });
        }
        _ => {}
    }
    let found = config.borrow().get_str("route_handlers").cloned();
    if let Some(found) = found {
        take(evaluator, id, &found, site);
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
    if name != "register" {
        return None;
    }
    let handler = args.positional.first()?.clone();
    add(evaluator, id, &handler, site);
    Some(Value::None)
}

fn take<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, handlers: &Value<'p>, site: Span) {
    match handlers.elements() {
        Some(handlers) => handlers.iter().for_each(|handler| add(evaluator, id, handler, site)),
        None => opaque(evaluator, id, handlers, site),
    }
}

fn opaque<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, handler: &Value<'p>, site: Span) {
    if let Value::Unknown(why, _) = handler {
        let reason = Reason::new(format!("handler that is listed is not known: {why}"), Some(site));
        evaluator.node_mut(id).opaque.push(Opaque::below(Value::str(""), reason));
    }
}

fn add<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, handler: &Value<'p>, site: Span) {
    match handler {
        Value::Node(child) => {
            evaluator.add_mount(id, *child, Value::str(""), Args::default(), site, MountKind::Include);
        }
        Value::Function(function) => decorated(evaluator, id, function, handler),
        Value::Class(class) => controller(evaluator, id, class, site),
        other => opaque(evaluator, id, other, site),
    }
}

/// A class whose methods are handlers, below its path.
fn controller<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, class: &ClassRef<'p>, site: Span) {
    let mut options = Args::default();
    for name in INHERITED {
        if let Some(value) = evaluator.class_member(class, name) {
            options.set(name, value);
        }
    }
    let Some(child) = evaluator.make_node(CONTROLLER_PATH, options, None, class.name_span()) else { return };
    if let Some(path) = evaluator.class_member(class, "path") {
        evaluator.node_mut(child).prefix = rooted(&path);
    }
    let receiver = Rc::new(Value::Class(class.clone()));
    let mut seen = rustc_hash::FxHashSet::default();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(node) = &statement.kind else { continue };
            if node.decorators.is_empty() || !seen.insert(node.name.as_str()) {
                continue;
            }
            if let Some(Value::Function(method)) = evaluator.own_member(ancestor, &node.name) {
                decorated(evaluator, child, &method, &Value::Bound(receiver.clone(), method.clone()));
            }
        }
    }
    evaluator.add_mount(id, child, Value::str(""), Args::default(), site, MountKind::Include);
}

/// A function with `@get("/x")`.
fn decorated<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, function: &FunctionRef<'p>, handler: &Value<'p>) {
    for value in returned::decorators(evaluator, function) {
        let Value::Made(made) = value else { continue };
        let Some(method) = verb(last(&made.path)).filter(|_| is_ours(&made.path)) else { continue };
        let methods = match (method, made.args.named("http_method")) {
            ("", Some(given)) => match given.elements() {
                Some(several) => Value::list(several.iter().map(method_name).collect()),
                None => Value::list(vec![method_name(given)]),
            },
            ("", None) => continue,
            (method, _) => Value::list(vec![Value::str(method)]),
        };
        for path in paths(&made) {
            let mut options = made.args.clone();
            options.positional.clear();
            let draft = RouteDraft { node: id, methods: methods.clone(), path, options, site: made.site };
            evaluator.add_route_always(draft, handler.clone());
        }
    }
}

/// `HttpMethod.GET` or `"GET"`.
fn method_name<'p>(value: &Value<'p>) -> Value<'p> {
    match value {
        Value::External(path) => Value::str(last(path)),
        other => other.clone(),
    }
}

fn paths<'p>(made: &Made<'p>) -> Vec<Value<'p>> {
    match made.args.get(0, "path") {
        None | Some(Value::None) => vec![Value::str("")],
        Some(path) => path.elements().unwrap_or_else(|| vec![path.clone()]).iter().map(rooted).collect(),
    }
}

fn rooted<'p>(path: &Value<'p>) -> Value<'p> {
    match path {
        Value::Str(text) => {
            let text = text.trim_matches('/');
            Value::str(if text.is_empty() { String::new() } else { format!("/{text}") })
        }
        other => other.clone(),
    }
}
