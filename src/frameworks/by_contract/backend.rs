//! `openapi-backend`: handlers are registered by the `operationId` that they answer.

use super::{Framework, Route, Schemas, answers, no_methods};
use crate::evaluate::{Args, ContractRouting, Dict, Evaluator, Library, NodeId, Value};
use crate::model::{Naming, Response};
use crate::text::Span;

pub(in crate::frameworks) static OPENAPI_BACKEND: Framework = Framework {
    name: "openapi-backend",
    packages: &["openapi-backend"],
    library: &LIBRARY,
    methods: no_methods,
    responses,
    requests: crate::frameworks::requests::unread,
    application_kinds: &[],
};

static LIBRARY: Library = Library {
    name: "openapi-backend",
    words: &["OpenAPIBackend", "registerHandler"],
    node_kind,
    created,
    node_method,
    ..Library::TYPESCRIPT
};

fn node_kind(path: &str) -> Option<&'static str> {
    matches!(path, "openapi-backend" | "openapi-backend.default" | "openapi-backend.OpenAPIBackend")
        .then_some("backend")
}

/// `new OpenAPIBackend({ definition, handlers, apiRoot })`
fn created(evaluator: &mut Evaluator, id: NodeId) {
    let site = evaluator.node(id).site;
    let options = match evaluator.node(id).options.positional.first() {
        Some(Value::Dict(options)) => options.borrow().clone(),
        _ => Dict::default(),
    };
    let get = |name: &str| options.get_str(name).cloned();
    evaluator.routings.push(ContractRouting {
        library: &LIBRARY,
        document: get("definition").unwrap_or(Value::None),
        base: get("apiRoot").unwrap_or(Value::str("")),
        naming: Naming::default(),
        handlers: Vec::new(),
        open: false,
        site,
    });
    if let Some(handlers) = get("handlers") {
        register_all(evaluator, site, &handlers);
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
    let of = evaluator.node(id).site;
    match (name, args.positional.as_slice()) {
        ("register" | "registerHandler", [Value::Str(operation), handler, ..]) => {
            let (operation, handler) = (operation.to_string(), handler.clone());
            register(evaluator, of, operation, handler, site);
        }
        ("register", [handlers]) => register_all(evaluator, of, handlers),
        ("register" | "registerHandler", _) => open(evaluator, of),
        _ => return None,
    }
    Some(Value::Node(id))
}

fn routing<'e, 'p>(evaluator: &'e mut Evaluator<'p>, of: Span) -> Option<&'e mut ContractRouting<'p>> {
    evaluator.routings.iter_mut().find(|routing| routing.site == of)
}

fn open(evaluator: &mut Evaluator, of: Span) {
    if let Some(routing) = routing(evaluator, of) {
        routing.open = true;
    }
}

fn register<'p>(evaluator: &mut Evaluator<'p>, of: Span, name: String, handler: Value<'p>, site: Span) {
    let span = match &handler {
        Value::Function(function) | Value::Bound(_, function) => function.node.name_span,
        _ => site,
    };
    if let Some(routing) = routing(evaluator, of)
        && !routing.handlers.iter().any(|(known, ..)| *known == name)
    {
        routing.handlers.push((name, Some(handler), span));
    }
}

/// Handlers by operation: an object, or a module of functions.
fn register_all<'p>(evaluator: &mut Evaluator<'p>, of: Span, handlers: &Value<'p>) {
    match handlers {
        Value::Dict(dict) => {
            let dict = dict.borrow().clone();
            for (key, value) in dict.entries {
                if let Some(name) = key.as_str() {
                    let site =
                        dict.places.iter().rev().find(|(known, _)| &**known == name).map_or(of, |(_, span)| *span);
                    register(evaluator, of, name.to_owned(), value, site);
                } else {
                    open(evaluator, of);
                }
            }
            if dict.open {
                open(evaluator, of);
            }
        }
        Value::Module(module) => {
            for (name, statement) in evaluator.bound_names(*module) {
                if let Some(value) = evaluator.module_name(*module, name) {
                    register(evaluator, of, name.to_owned(), value, statement.span);
                }
            }
        }
        _ => open(evaluator, of),
    }
}

/// A handler is given the context, then what the server gives: of Express, the request and the response.
fn responses<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    answers(evaluator, schemas, route, 2)
}
