//! Koa: routers of `@koa/router` and its relatives, `use`, `koa-mount`; handlers that answer through `ctx`.

mod answers;
mod requests;

use std::rc::Rc;

use super::colon::{template, templates};
use super::handlers::{flat, is_path, methods, mounted_unknown};
use super::{Framework, Route, Schemas, replies};
use crate::evaluate::{Args, Evaluator, Library, MountKind, NodeId, RouteDraft, Value};
use crate::model::Response;
use crate::text::Span;

pub(super) static KOA: Framework = Framework {
    name: "Koa",
    packages: &["koa", "@koa/router", "koa-router"],
    library: &LIBRARY,
    methods,
    responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "koa",
    words: &["use", "Router", "Koa", "routes", "prefix", "post", "put", "patch", "del"],
    application_words: &["Koa"],
    node_kind,
    created,
    node_method,
    prefix_is_method: true,
    registers_nothing: |path| COMPOSING.iter().any(|name| path.starts_with(name)),
    ..Library::TYPESCRIPT
};

/// Packages whose functions make one middleware of others: what is in it is looked for where it is used.
const COMPOSING: &[&str] = &["koa-mount", "koa-compose", "koa-convert"];
const VERBS: &[&str] = &["get", "put", "post", "delete", "del", "patch", "options", "head", "all"];

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "koa" | "koa.default" | "koa.Koa" => Some("application"),
        "@koa/router"
        | "@koa/router.Router"
        | "@koa/router.default"
        | "koa-router"
        | "koa-router.Router"
        | "koa-better-router"
        | "koa-express-router"
        | "koa-tree-router" => Some("router"),
        _ => None,
    }
}

/// `new Router({ prefix })`
fn created(evaluator: &mut Evaluator, id: NodeId) {
    let prefix = match evaluator.node(id).options.positional.first() {
        Some(Value::Dict(options)) => {
            let options = options.borrow();
            match options.get_str("prefix") {
                Some(Value::None) => None,
                Some(prefix) => Some(template(prefix)),
                None if options.open => Some(Value::Unknown("options of the router are not known", None)),
                None => None,
            }
        }
        _ => None,
    };
    if let Some(prefix) = prefix {
        evaluator.node_mut(id).prefix = prefix;
    }
}

#[expect(clippy::needless_pass_by_value, reason = "every library is asked alike")]
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let node = Value::Node(id);
    match name {
        verb if VERBS.contains(&verb) && evaluator.node(id).kind == "router" => {
            let methods =
                Value::list(vec![Value::str(if verb == "del" { "DELETE".to_owned() } else { verb.to_uppercase() })]);
            let (path, handlers) = route_arguments(&args.positional)?;
            register(evaluator, id, &methods, path, handlers, site);
            Some(node)
        }
        // `router.register(path, methods, handlers)`
        "register" => {
            let [path, methods, handlers @ ..] = args.positional.as_slice() else { return None };
            let methods = methods.elements().unwrap_or_default().into_iter();
            let methods = methods.filter_map(|name| Some(Value::str(name.as_str()?.to_uppercase()))).collect();
            let handlers = handlers.first().map(|first| flat(std::slice::from_ref(first))).unwrap_or_default();
            register(evaluator, id, &Value::list(methods), path, &handlers, site);
            Some(node)
        }
        // What was registered before gets the new prefix in front of the one that it has.
        "prefix" => {
            let prefix = template(args.positional.first()?);
            let own = evaluator.node(id).prefix.clone();
            let joined = match (&prefix, &own) {
                (Value::Str(new), Value::Str(old)) if !evaluator.node(id).items.is_empty() => {
                    Value::str(format!("{}{old}", new.trim_end_matches('/')))
                }
                _ => prefix,
            };
            evaluator.node_mut(id).prefix = joined;
            Some(node)
        }
        "routes" | "middleware" | "callback" if evaluator.node(id).kind == "router" => Some(node),
        "allowedMethods" | "param" => Some(Value::None),
        "use" => {
            let mut given = args.positional.as_slice();
            let mut prefixes = vec![Value::str("")];
            if let Some((first, rest)) = given.split_first()
                && is_path(first)
            {
                prefixes = templates(evaluator, first, site);
                given = rest;
            }
            for value in flat(given) {
                for prefix in &prefixes {
                    mount(evaluator, id, prefix.clone(), &value, site, MAX_WRAPPED);
                }
            }
            Some(node)
        }
        _ => None,
    }
}

/// `[name,] path, …handlers`
fn route_arguments<'a, 'p>(given: &'a [Value<'p>]) -> Option<(&'a Value<'p>, &'a [Value<'p>])> {
    match given {
        [Value::Str(_), path, handlers @ ..] if is_path(path) && !handlers.is_empty() => Some((path, handlers)),
        [path, handlers @ ..] => Some((path, handlers)),
        [] => None,
    }
}

fn register<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    methods: &Value<'p>,
    path: &Value<'p>,
    handlers: &[Value<'p>],
    site: Span,
) {
    let handlers = flat(handlers);
    let handler = handlers.last().cloned().unwrap_or(Value::Unknown("route without a handler", Some(site)));
    let options = Args { positional: handlers, ..Args::default() };
    for path in templates(evaluator, path, site) {
        // `"list"` in a router that is used at `"/"`: the slash is in the prefix, which counts without it here.
        let path = match path {
            Value::Str(path) if !path.is_empty() && !path.starts_with('/') => Value::str(format!("/{path}")),
            path => path,
        };
        let draft = RouteDraft { node: id, methods: methods.clone(), path, options: options.clone(), site };
        evaluator.add_route(&Rc::new(draft), handler.clone());
    }
}

/// Functions around functions around routers that are looked into: `compose([convert(router.routes())])`.
const MAX_WRAPPED: u32 = 5;

fn mount<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, value: &Value<'p>, site: Span, left: u32) {
    match value {
        Value::Node(child) => {
            evaluator.add_mount(id, *child, prefix, Args::default(), site, MountKind::Include);
        }
        Value::Made(made) if left > 0 => {
            let mut given = made.args.positional.as_slice();
            let mut prefix = prefix;
            if matches!(&*made.path, "koa-mount" | "koa-mount.default")
                && let [path, rest @ ..] = given
                && is_path(path)
            {
                prefix = match (&prefix, template(path)) {
                    (Value::Str(outer), Value::Str(inner)) => Value::str(format!("{outer}{inner}")),
                    (_, inner) => inner,
                };
                given = rest;
            }
            for value in flat(given) {
                if matches!(value, Value::Node(_) | Value::Made(_)) {
                    mount(evaluator, id, prefix.clone(), &value, site, left - 1);
                }
            }
        }
        Value::Made(_) => {
            mounted_unknown(evaluator, id, prefix, "functions around routers are nested too deep", site);
        }
        Value::Unknown(why, _) => {
            mounted_unknown(evaluator, id, prefix, why, site);
        }
        _ => {}
    }
}

fn responses<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    let site = route.draft.site;
    let (Value::Function(handler) | Value::Bound(_, handler)) = route.handler else {
        return vec![replies::unknown(schemas, "handler of the route is not known", site)];
    };
    let types = schemas.typescript();
    types.start();
    let answers = answers::replies(types, evaluator, handler);
    replies::responses(evaluator, schemas, answers, 200, site)
}
