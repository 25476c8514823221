//! What a FastAPI route answers: status, media type, model. Follows `fastapi.openapi.utils.get_openapi_path`.

use crate::evaluate::{Args, Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::frameworks::Route;
use crate::languages::json_schema::shape_of_schema;
use crate::languages::python::schema::{Dump, Schemas, Selection};
use crate::model::program::ExprKind;
use crate::model::{Body, Kind, Response, Shape, ShapeId, Status};
use crate::text::Span;

const RESPONSE_CLASSES: &[&str] = &[
    "Response",
    "JSONResponse",
    "HTMLResponse",
    "PlainTextResponse",
    "RedirectResponse",
    "StreamingResponse",
    "FileResponse",
    "ORJSONResponse",
    "UJSONResponse",
    "EventSourceResponse",
];

/// What is known of a route's model.
enum Declared {
    Shape(ShapeId, Span),
    /// No model: the document says `{}`.
    Nothing,
}

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut crate::frameworks::Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let schemas = schemas.python();
    let site = route.draft.site;
    let options = &route.draft.options;
    let response_class = options
        .named("response_class")
        .cloned()
        .or_else(|| route.chain.iter().find_map(|options| options.named("default_response_class").cloned()));
    let response_class = response_class.filter(|class| !matches!(class, Value::Made(_) | Value::Unknown(..)));
    let family = response_class.as_ref().and_then(|class| response_family(evaluator, class));
    let declared = match declared_model(evaluator, schemas, route) {
        Declared::Shape(shape, span) => Declared::Shape(serialised(schemas, shape, options, span), span),
        Declared::Nothing => Declared::Nothing,
    };
    let status = match options.named("status_code") {
        None | Some(Value::None | Value::Made(_)) => {
            Status::Code(if family.as_deref() == Some("RedirectResponse") { 307 } else { 200 })
        }
        Some(Value::Int(code)) => Status::Code(u16::try_from(*code).unwrap_or(200)),
        Some(Value::Unknown(why, place)) => Status::Unknown(Reason::new(*why, place.or(Some(site)))),
        Some(other) => Status::Unknown(Reason::new(format!("status code is {}", other.describe()), Some(site))),
    };
    let bodiless = matches!(status, Status::Code(100..=199 | 204 | 205 | 304));
    // A handler that yields sends one value a line, or one an event.
    let streams = handler_function(evaluator, route.handler).is_some_and(|function| function.node.is_generator);
    let media = match &response_class {
        None if streams => Some("application/jsonl".to_owned()),
        None => Some("application/json".to_owned()),
        Some(class) => media_type(evaluator, class, family.as_deref()),
    };
    let json_family = family.as_deref().is_none_or(|name| name.contains("JSON"));
    let mut bodies = Vec::new();
    if let (false, Some(media)) = (bodiless, &media) {
        let (shape, span) = match declared {
            _ if streams => (schemas.table.add(Shape::new(Kind::Any)), site),
            Declared::Shape(shape, span) if json_family => (shape, span),
            _ if json_family => (schemas.table.add(Shape::new(Kind::Any)), site),
            _ => (schemas.table.add(Shape::new(Kind::String)), site),
        };
        bodies.push(Body { media: media.clone(), shape, span, required: true });
    }
    let mut responses = vec![Response { status, bodies, span: site }];
    let media = media.unwrap_or_else(|| "application/json".to_owned());
    for options in route.chain.iter().rev().chain([options]) {
        if let Some(Value::Dict(extra)) = options.named("responses") {
            for (code, given) in &extra.borrow().entries {
                further_response(evaluator, schemas, &mut responses, code, given, &media, site);
            }
        }
    }
    responses
}

/// `response_model=`, else the return annotation.
fn declared_model<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas, route: &Route<'_, 'p>) -> Declared {
    let site = route.draft.site;
    match route.draft.options.named("response_model") {
        None | Some(Value::Made(_)) => {}
        Some(Value::None) => return Declared::Nothing,
        Some(model) => return Declared::Shape(schemas.shape_of(evaluator, model, Some(site)), site),
    }
    let Some(function) = handler_function(evaluator, route.handler) else {
        if route.draft.options.open || matches!(route.handler, Value::Unknown(..)) {
            return Declared::Shape(schemas.unknown("handler of the route is not known", Some(site)), site);
        }
        return Declared::Nothing;
    };
    let Some(returns) = &function.node.returns else {
        if route.draft.options.open {
            return Declared::Shape(schemas.unknown("options of the route are not known", Some(site)), site);
        }
        return Declared::Nothing;
    };
    let declared = evaluator.type_expression(returns, &function.scope);
    // The text "None" is evaluated to the type of null, which is a model like any other; `None` itself is no model.
    let is_text = evaluator.types_are_texts(function.scope.module()) || matches!(returns.kind, ExprKind::Str { .. });
    if matches!(declared, Value::None) && is_text {
        return Declared::Shape(schemas.shape_of(evaluator, &declared, Some(returns.span)), returns.span);
    }
    if matches!(declared, Value::None)
        || declared.as_external().is_some_and(|path| path.ends_with("None"))
        || response_family(evaluator, &declared).is_some()
    {
        return Declared::Nothing;
    }
    Declared::Shape(schemas.shape_of(evaluator, &declared, Some(returns.span)), returns.span)
}

pub(super) fn handler_function<'p>(evaluator: &mut Evaluator<'p>, handler: &Value<'p>) -> Option<FunctionRef<'p>> {
    match handler {
        Value::Function(function) | Value::Bound(_, function) => Some(function.clone()),
        Value::Partial(inner, _) => handler_function(evaluator, inner),
        Value::Instance(instance) => match evaluator.class_member(&instance.class, "__call__") {
            Some(Value::Function(function)) => Some(function),
            _ => None,
        },
        _ => None,
    }
}

/// The model as `response_model_include=`, `response_model_exclude_none=` and the like let it through.
fn serialised(schemas: &mut Schemas, model: ShapeId, options: &Args<'_>, site: Span) -> ShapeId {
    let says = |name: &str, what: bool| matches!(options.named(name), Some(Value::Bool(given)) if *given == what);
    let mut dump = Dump {
        declared_names: says("response_model_by_alias", false),
        without_null: says("response_model_exclude_none", true),
        without_default: says("response_model_exclude_unset", true) || says("response_model_exclude_defaults", true),
        include: None,
        exclude: None,
    };
    for (name, selection) in
        [("response_model_include", &mut dump.include), ("response_model_exclude", &mut dump.exclude)]
    {
        match options.named(name) {
            None | Some(Value::None | Value::Made(_)) => {}
            Some(given) => match Selection::of(given) {
                Some(given) => *selection = Some(given),
                None => return schemas.unknown(format!("members that `{name}` selects are not known"), Some(site)),
            },
        }
    }
    schemas.dumped(model, &dump)
}

/// The class of Starlette's `Response` family that a type is or comes from.
pub(super) fn response_family<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<String> {
    let known = |path: &str| {
        let name = last(path);
        let top = path.split('.').next().unwrap_or(path);
        let ours = matches!(top, "fastapi" | "starlette" | "sse_starlette");
        (RESPONSE_CLASSES.contains(&name) || (name.ends_with("Response") && ours)).then(|| name.to_owned())
    };
    match value {
        Value::External(path) => known(path),
        Value::Class(class) => {
            let external = evaluator.external_bases(class);
            external.iter().map(|path| last(path)).find(|name| RESPONSE_CLASSES.contains(name)).map(str::to_owned)
        }
        _ => None,
    }
}

fn media_type<'p>(evaluator: &mut Evaluator<'p>, class: &Value<'p>, family: Option<&str>) -> Option<String> {
    if let Value::Class(class) = class
        && let Some(Value::Str(media)) = evaluator.class_member(class, "media_type")
    {
        return Some(media.to_string());
    }
    match family {
        Some("HTMLResponse") => Some("text/html".to_owned()),
        Some("PlainTextResponse") => Some("text/plain".to_owned()),
        Some("EventSourceResponse") => Some("text/event-stream".to_owned()),
        Some("Response" | "RedirectResponse" | "StreamingResponse" | "FileResponse") => None,
        _ => Some("application/json".to_owned()),
    }
}

/// One entry of `responses={…}`: a model, or literal content.
fn further_response<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    responses: &mut Vec<Response>,
    code: &Value<'p>,
    given: &Value<'p>,
    media: &str,
    site: Span,
) {
    let status = match code {
        Value::Int(code) => u16::try_from(*code).ok().map(Status::Code),
        Value::Str(text) => match text.as_bytes() {
            [class @ b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Some(Status::Range(class - b'0')),
            b"default" => Some(Status::Default),
            _ => text.parse().ok().map(Status::Code),
        },
        _ => None,
    };
    let (Some(status), Value::Dict(given)) = (status, given) else { return };
    if !status.is_success() {
        return;
    }
    let at = responses.iter().position(|known| known.status == status).unwrap_or_else(|| {
        responses.push(Response { status, bodies: Vec::new(), span: site });
        responses.len() - 1
    });
    let mut set = |media: &str, shape: ShapeId| {
        let bodies = &mut responses[at].bodies;
        match bodies.iter_mut().find(|body| body.media == media) {
            Some(body) => body.shape = shape,
            None => bodies.push(Body { media: media.to_owned(), shape, span: site, required: true }),
        }
    };
    let given = given.borrow();
    if let Some(Value::Dict(content)) = given.get_str("content") {
        for (media, entry) in &content.borrow().entries {
            let (Some(media), Value::Dict(entry)) = (media.as_str(), entry) else { continue };
            if let Some(schema) = entry.borrow().get_str("schema") {
                let shape = shape_of_schema(&mut schemas.table, schema, Some(site));
                set(media, shape);
            } else {
                let shape = schemas.table.add(Shape::new(Kind::Any));
                if !media.contains("json") {
                    set(media, shape);
                }
            }
        }
    }
    match given.get_str("model") {
        None | Some(Value::None) => {}
        Some(model) => {
            let shape = schemas.shape_of(evaluator, model, Some(site));
            set(media, shape);
        }
    }
}
