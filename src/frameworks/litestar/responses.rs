//! What a handler of Litestar answers: the type that it says it returns, with the status of its method.

use crate::evaluate::{Evaluator, Value, last};
use crate::frameworks::returned;
use crate::frameworks::{Route, Schemas};
use crate::model::{Body, Kind, Response, Shape, ShapeId, Status};
use crate::text::Span;

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else {
        return vec![returned::unknown(schemas, "handler of the route is not known", site)];
    };
    let option = |name: &str| {
        let own = route.draft.options.named(name);
        own.or_else(|| route.chain.iter().find_map(|options| options.named(name))).cloned()
    };
    let Some(returns) = &function.node.returns else {
        return vec![returned::unknown(schemas, "handler that does not say what it returns", site)];
    };
    let span = returns.span;
    let declared = evaluator.type_expression(returns, &function.scope);
    let declared = unwrapped(&declared);
    let status = returned::status_of(route.draft.options.named("status_code"), default_status(route), site);
    if let Value::External(path) = &declared
        && is_library(path)
    {
        return match last(path) {
            "Redirect" => vec![Response { status: Status::Code(302), bodies: Vec::new(), span }],
            "Template" => vec![media(schemas, status, "text/html", span)],
            "File" => vec![media(schemas, status, "application/octet-stream", span)],
            _ => {
                let unknown = returned::unknown(schemas, "what the response holds is not declared", span);
                vec![Response { status, ..unknown }]
            }
        };
    }
    if matches!(declared, Value::None) || matches!(&declared, Value::External(path) if last(path) == "None") {
        return vec![Response { status, bodies: Vec::new(), span }];
    }
    let dto = option("return_dto").or_else(|| option("dto")).filter(|dto| !matches!(dto, Value::None));
    if dto.is_some() {
        let why = "what a DTO lets through is not read";
        return vec![Response { status, ..returned::unknown(schemas, why, span) }];
    }
    let given = option("media_type");
    let is_text = |path: &str| matches!(last(path), "str" | "bytes");
    let plain = match (&given, &declared) {
        (None | Some(Value::None), Value::External(path)) if is_text(path) => Some("text/plain"),
        (Some(Value::External(path)), _) => match last(path) {
            "TEXT" => Some("text/plain"),
            "HTML" => Some("text/html"),
            _ => None,
        },
        (Some(Value::Str(text)), _) if !text.contains("json") => Some(returned::simple_media(text)),
        _ => None,
    };
    if let Some(plain) = plain {
        return vec![media(schemas, status, plain, span)];
    }
    let shape = schemas.python().shape_of(evaluator, &declared, Some(span));
    vec![returned::declared(status, shape, span)]
}

/// `Response[T]` answers T; a response class without it says nothing.
fn unwrapped<'p>(declared: &Value<'p>) -> Value<'p> {
    match declared {
        Value::Applied(base, args) => match base.as_external() {
            Some(path) if is_library(path) || last(path) == "Annotated" => {
                args.first().map_or_else(|| declared.clone(), unwrapped)
            }
            _ => declared.clone(),
        },
        other => other.clone(),
    }
}

fn is_library(path: &str) -> bool {
    matches!(path.split('.').next(), Some("litestar" | "starlite" | "starlette"))
        && (last(path).ends_with("Response")
            || matches!(last(path), "Redirect" | "Template" | "File" | "Stream" | "ServerSentEvent" | "ASGIApp"))
}

fn default_status(route: &Route) -> u16 {
    match route.draft.methods.elements().unwrap_or_default().first().and_then(Value::as_str) {
        Some("POST") => 201,
        Some("DELETE") => 204,
        _ => 200,
    }
}

fn media(schemas: &mut Schemas, status: Status, media: &str, span: Span) -> Response {
    let shape: ShapeId = schemas.python().table.add(Shape::new(Kind::String));
    let body = Body { media: media.to_owned(), shape, span, required: true };
    Response { status, bodies: vec![body], span }
}
