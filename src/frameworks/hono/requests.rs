//! What a route of Hono takes: what `createRoute` declares, what validators let through, else what its handlers read.

use crate::evaluate::{Evaluator, Value};
use crate::frameworks::decorated::option;
use crate::frameworks::taken::{self, JSON, MULTIPART, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Part, Side};
use crate::model::{Method, ParameterPlace, Request};
use crate::text::Span;

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

/// What validators call the places.
const PLACES: &[(&str, ParameterPlace)] = &[
    ("query", ParameterPlace::Query),
    ("param", ParameterPlace::Path),
    ("params", ParameterPlace::Path),
    ("header", ParameterPlace::Header),
    ("headers", ParameterPlace::Header),
    ("cookie", ParameterPlace::Cookie),
    ("cookies", ParameterPlace::Cookie),
];

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let mut request = Request::default();
    let types = schemas.typescript();
    types.start();
    let options = &route.draft.options;
    let mut declares = false;
    if let Some(declared @ Value::Dict(_)) = options.named("request") {
        declares = true;
        for (name, place) in PLACES {
            for schema in
                option(declared, name).iter().flat_map(|given| given.elements().unwrap_or_else(|| vec![given.clone()]))
            {
                place_of(evaluator, types, &mut request, &schema, *place, site);
            }
        }
        let whole = option(declared, "body");
        let required = whole.as_ref().and_then(|body| option(body, "required"));
        if let Some(Value::Dict(content)) = whole.as_ref().and_then(|body| option(body, "content")) {
            for (media, of_media) in &content.borrow().clone().entries {
                if let (Some(media), Some(schema)) = (media.as_str(), option(of_media, "schema")) {
                    body(evaluator, types, &mut request, media, &schema, site);
                }
            }
            // Without a body, nothing is validated unless the route says that there must be one (@hono/zod-openapi).
            if !matches!(required, Some(Value::Bool(true))) {
                request.bodies.iter_mut().for_each(|body| body.required = false);
            }
        }
    }
    for handler in &options.positional {
        let Value::Made(made) = handler else { continue };
        let [Value::Str(target), schema, ..] = made.args.positional.as_slice() else { continue };
        let media = match &**target {
            "json" => JSON,
            "form" => MULTIPART,
            target => {
                if let Some((_, place)) = PLACES.iter().find(|(name, _)| *name == target) {
                    declares |= place_of(evaluator, types, &mut request, schema, *place, made.site);
                }
                continue;
            }
        };
        declares |= body(evaluator, types, &mut request, media, schema, made.site);
    }
    let handlers: Vec<Value<'p>> = match options.positional.as_slice() {
        [] => vec![route.handler.clone()],
        handlers => handlers.to_vec(),
    };
    let reads = taken::reads_of(evaluator, types, &handlers, Part::Context, method, site);
    let reading = Reading { method, in_path: &[], declares };
    taken::read(evaluator, types, &mut request, &reads, &reading);
    request
}

/// Whether it is a schema.
fn place_of<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    request: &mut Request,
    schema: &Value<'p>,
    place: ParameterPlace,
    site: Span,
) -> bool {
    let shape = types.shape_of_side(evaluator, schema, Side::Input, Some(site));
    if let Some(shape) = shape {
        taken::members(request, &types.table, shape, place, site);
    }
    shape.is_some()
}

fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    request: &mut Request,
    media: &str,
    schema: &Value<'p>,
    site: Span,
) -> bool {
    let shape = types.shape_of_side(evaluator, schema, Side::Input, Some(site));
    let known = shape.is_some();
    let shape = shape.unwrap_or_else(|| types.unknown("schema of the body is not known", Some(site)));
    taken::body(request, &types.table, media, shape, site);
    known
}
