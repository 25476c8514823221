//! Fastify: applications, plugins with their prefixes, `route` and the methods named after verbs, schemas of responses.

mod autoload;
mod plugins;
mod references;
mod requests;
mod responses;

use std::rc::Rc;

use super::Framework;
use super::colon::template;
use super::handlers::methods;
use crate::evaluate::{Args, Dict, Evaluator, Library, Made, NodeId, Opaque, RouteDraft, Scope, Value};
use crate::finding::Reason;
use crate::model::program::Expr;
use crate::text::Span;

pub(super) static FASTIFY: Framework = Framework {
    name: "Fastify",
    packages: &["fastify"],
    library: &LIBRARY,
    methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "fastify",
    words: &["register", "route", "fastify", "Fastify", "addSchema", "post", "put", "patch"],
    application_words: &["fastify", "Fastify"],
    node_kind,
    node_method,
    call,
    registers_nothing,
    ..Library::TYPESCRIPT
};

/// What the framework's own plugins register is none of an API, but for those that hand requests on.
fn registers_nothing(path: &str) -> bool {
    path.starts_with("@fastify/") && !super::harmless::is_proxy(path)
}

/// The node that a plugin is handed.
const PLUGIN: &str = "fastify.register";
const VERBS: &[&str] = &["get", "head", "post", "put", "delete", "options", "patch", "trace", "search", "all"];
/// Methods that give back the instance, and say nothing about routes.
const CHAINED: &[&str] = &[
    "withTypeProvider",
    "setValidatorCompiler",
    "setSerializerCompiler",
    "setReplySerializer",
    "setSchemaController",
    "setSchemaErrorFormatter",
    "setErrorHandler",
    "setNotFoundHandler",
    "setGenReqId",
    "addHook",
    "addHttpMethod",
    "addConstraintStrategy",
    "addContentTypeParser",
    "removeContentTypeParser",
    "removeAllContentTypeParsers",
    "decorateRequest",
    "decorateReply",
];
/// Attributes of a node that are not the program's.
const PARENT: &str = "@parent";
const SCHEMAS: &str = "@schemas";
const SLASH: &str = "@slash";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "fastify" | "fastify.fastify" | "fastify.default" => Some("application"),
        // What is declared to be an instance, and the children that plugins are handed.
        PLUGIN | "fastify.FastifyInstance" => Some("plugin"),
        _ => None,
    }
}

fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match path {
        // It marks the function that it is given.
        "fastify-plugin" | "fastify-plugin.default" | "fastify-plugin.fastifyPlugin" => {
            let path = Rc::from(plugins::WITHOUT_ENCAPSULATION);
            Some(Value::Made(Rc::new(Made { path, receiver: None, args: args.clone(), site })))
        }
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
    let Args { positional, types, .. } = args;
    match name {
        "register" => plugins::register(evaluator, id, &positional, site),
        "route" => match positional.first() {
            Some(options) => route(evaluator, id, options, &types, site),
            None => return None,
        },
        verb if VERBS.contains(&verb) => {
            let (path, rest) = positional.split_first()?;
            let (options, handler) = match rest {
                [Value::Dict(options), handler, ..] => (options.borrow().clone(), Some(handler)),
                [Value::Dict(options)] => (options.borrow().clone(), None),
                [unknown, handler, ..] if unknown.is_unknown() => {
                    (Dict { open: true, ..Dict::default() }, Some(handler))
                }
                [.., handler] => (Dict::default(), Some(handler)),
                [] => (Dict::default(), None),
            };
            let methods = Value::list(vec![Value::str(verb.to_uppercase())]);
            add(evaluator, id, &Given { methods, path, options: &options, handler, types: &types, site });
        }
        "after" | "ready" | "then" => {
            if let Some(callback @ (Value::Function(_) | Value::Bound(..))) = positional.first() {
                let none = Args { positional: vec![Value::None], ..Args::default() };
                evaluator.call_always(&callback.clone(), none, site);
            }
        }
        "addSchema" => {
            if let Some(schema @ Value::Dict(dict)) = positional.first()
                && let Some(key) = dict.borrow().get_str("$id")
            {
                plugins::remember_schema(evaluator, id, key.clone(), schema.clone());
            }
        }
        "decorate" => {
            if let [Value::Str(name), value, ..] = positional.as_slice() {
                evaluator.node_mut(id).attributes.insert(name.clone(), value.clone());
            }
        }
        other if CHAINED.contains(&other) => {}
        _ => return None,
    }
    Some(Value::Node(id))
}

/// `route({ method, url, … })`
fn route<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, options: &Value<'p>, types: &Types<'p>, site: Span) {
    let Value::Dict(options) = options else {
        unread(evaluator, id, "options of a route are not known", site);
        return;
    };
    let options = options.borrow().clone();
    let path = options.get_str("url").or_else(|| options.get_str("path")).cloned();
    let path = path.unwrap_or(Value::Unknown("route without a path", Some(site)));
    let methods = options.get_str("method").cloned().unwrap_or(Value::Unknown("method of a route", None));
    let methods = Value::list(methods.elements().unwrap_or_else(|| vec![methods]));
    add(evaluator, id, &Given { methods, path: &path, options: &options, handler: None, types, site });
}

/// Notes that something was registered that could not be read.
fn unread(evaluator: &mut Evaluator, id: NodeId, what: &str, site: Span) {
    let opaque = Opaque::below(Value::str(""), Reason::new(what, Some(site)));
    evaluator.node_mut(id).opaque.push(opaque);
}

/// A route as it is registered.
struct Given<'v, 'p> {
    methods: Value<'p>,
    path: &'v Value<'p>,
    options: &'v Dict<'p>,
    handler: Option<&'v Value<'p>>,
    types: &'v Types<'p>,
    site: Span,
}

type Types<'p> = Option<(&'p [Expr], Scope<'p>)>;

/// Adds a route, with each path that an optional parameter at its end makes, and the `HEAD` that comes with a `GET`.
fn add<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, route: &Given<'_, 'p>) {
    let Given { methods, path, options, handler, types, site } = route;
    let site = *site;
    let handler = handler.or_else(|| options.get_str("handler")).cloned();
    let handler = handler.unwrap_or(Value::Unknown("route without a handler", Some(site)));
    let mut given = Args { open: options.open, types: (*types).clone(), ..Args::default() };
    for (name, value) in &options.entries {
        if let Some(name) = name.as_str()
            && matches!(name, "schema" | "config")
        {
            given.set(name, value.clone());
        }
    }
    if let Some(Value::Dict(schema)) = options.get_str("schema")
        && matches!(schema.borrow().get_str("hide"), Some(Value::Bool(true)))
    {
        given.set("include_in_schema", Value::Bool(false));
    }
    let gets = methods.elements().unwrap_or_default().iter().any(|name| is_method(name, "GET"));
    let with_head = gets && exposes_head(evaluator, id, options);
    let (path, optional) = written(evaluator, id, path);
    let short = optional.as_ref();
    for path in std::iter::once(&path).chain(short) {
        let draft = RouteDraft { node: id, methods: methods.clone(), path: path.clone(), options: given.clone(), site };
        evaluator.add_route(&Rc::new(draft), handler.clone());
        if with_head {
            let mut options = given.clone();
            options.set("include_in_schema", Value::Bool(false));
            let methods = Value::list(vec![Value::str("HEAD")]);
            let draft = RouteDraft { node: id, methods, path: path.clone(), options, site };
            evaluator.add_route(&Rc::new(draft), handler.clone());
        }
    }
}

fn is_method(value: &Value, name: &str) -> bool {
    value.as_str().is_some_and(|given| given.eq_ignore_ascii_case(name))
}

/// Whether a `GET` route answers `HEAD` as well: unless it or its application says no.
fn exposes_head(evaluator: &Evaluator, id: NodeId, options: &Dict) -> bool {
    if let Some(Value::Bool(own)) = options.get_str("exposeHeadRoute") {
        return *own;
    }
    let root = plugins::ancestors(evaluator, id).last().unwrap_or(id);
    match evaluator.node(root).options.positional.first() {
        Some(Value::Dict(options)) => !matches!(options.borrow().get_str("exposeHeadRoutes"), Some(Value::Bool(false))),
        _ => true,
    }
}

/// A path as a template; the one without its last parameter too, where that is optional.
fn written<'p>(evaluator: &Evaluator<'p>, id: NodeId, path: &Value<'p>) -> (Value<'p>, Option<Value<'p>>) {
    let Value::Str(text) = path else { return (template(path), None) };
    // `::` is a colon, and a path without a slash continues its prefix.
    let mut text = text.replace("::", "\\:");
    let after_slash = matches!(evaluator.node(id).attributes.get(SLASH), Some(Value::Bool(true)));
    if after_slash && !text.starts_with('/') {
        text.insert(0, '/');
    }
    let short = text.strip_suffix('?').and_then(|text| text.rsplit_once("/:")).map(|(short, _)| Value::str(short));
    (template(&Value::str(text)), short.map(|short| template(&short)))
}
