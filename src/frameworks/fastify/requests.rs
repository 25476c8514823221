//! What a route of Fastify takes: `schema.querystring`, `params`, `headers` and `body`, else the types of the route and
//! what its handler reads (fastify.dev/docs/latest/Reference/Validation-and-Serialization).

use super::references;
use crate::evaluate::{Evaluator, Value};
use crate::finding::Reason;
use crate::frameworks::decorated::option;
use crate::frameworks::taken::{self, JSON, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Env, Part, Reads, Side, Source, Typed};
use crate::model::program::ExprKind;
use crate::model::{Method, ParameterPlace, Request};

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

const PLACES: &[(&str, ParameterPlace)] = &[
    ("querystring", ParameterPlace::Query),
    ("query", ParameterPlace::Query),
    ("params", ParameterPlace::Path),
    ("headers", ParameterPlace::Header),
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
    let schema = route.draft.options.named("schema").cloned();
    let mut not_known = route.draft.options.open && schema.is_none();
    let mut declares = false;
    if let Some(schema @ Value::Dict(dict)) = &schema {
        declares = true;
        not_known |= dict.borrow().open;
        for (name, place) in PLACES {
            let Some(given) = option(schema, name) else { continue };
            let given = references::resolved(evaluator, route.draft.node, &object_of(given));
            match types.shape_of_side(evaluator, &given, Side::Input, Some(site)) {
                Some(shape) => taken::members(&mut request, &types.table, shape, *place, site),
                None if *place == ParameterPlace::Path || matches!(given, Value::None) => {}
                None => request.other_parameters = Some(Reason::new("schema of the route is not known", Some(site))),
            }
        }
        // The plugin that writes the document leaves it to what is said of security.
        request
            .parameters
            .retain(|known| known.place != ParameterPlace::Header || !known.name.eq_ignore_ascii_case("authorization"));
        if let Some(given) = option(schema, "body").filter(|given| !matches!(given, Value::None)) {
            let given = references::resolved(evaluator, route.draft.node, &given);
            let consumes = option(schema, "consumes").and_then(|media| media.elements()).unwrap_or_default();
            let media = consumes.first().and_then(Value::as_str).unwrap_or(JSON).to_owned();
            bodies(evaluator, types, &mut request, &given, &media, route);
        }
    } else if !matches!(schema, None | Some(Value::None)) {
        not_known = true;
    }
    let handlers = [route.handler.clone()];
    let mut reads = taken::reads_of(evaluator, types, &handlers, Part::Request, method, site);
    typed(evaluator, types, route, &mut reads);
    let reading = Reading { method, in_path: &[], declares };
    taken::read(evaluator, types, &mut request, &reads, &reading);
    if not_known {
        let why = Reason::new("schema of the route is not known", Some(site));
        request.other_parameters.get_or_insert_with(|| why.clone());
        request.other_bodies.get_or_insert(why);
    }
    request
}

/// `querystring: { page: { type: "number" } }`: the members by themselves are a schema as well.
fn object_of(given: Value<'_>) -> Value<'_> {
    let Value::Dict(dict) = &given else { return given };
    let known = dict.borrow();
    let words = ["type", "$ref", "$id", "allOf", "anyOf", "oneOf", "properties"];
    let is_schema = |value: &Value| matches!(value, Value::Str(_) | Value::List(_) | Value::Tuple(_));
    let whole = known.entries.iter().any(|(name, value)| {
        name.as_str().is_some_and(|name| words.contains(&name) && (name == "properties" || is_schema(value)))
    });
    if whole || known.entries.is_empty() {
        drop(known);
        return given;
    }
    let properties = given.clone();
    drop(known);
    Value::dict(vec![(Value::str("type"), Value::str("object")), (Value::str("properties"), properties)])
}

/// A schema, or one for each medium: `body: { content: { "application/json": { schema } } }`.
fn bodies<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    request: &mut Request,
    given: &Value<'p>,
    media: &str,
    route: &Route<'_, 'p>,
) {
    let site = route.draft.site;
    if let Some(Value::Dict(content)) = option(given, "content") {
        for (media, of_media) in &content.borrow().clone().entries {
            if let (Some(media), Some(schema)) = (media.as_str(), option(of_media, "schema")) {
                bodies(evaluator, types, request, &schema, media, route);
            }
        }
        return;
    }
    let shape = types.shape_of_side(evaluator, given, Side::Input, Some(site));
    let shape = shape.unwrap_or_else(|| types.unknown("schema of the body is not known", Some(site)));
    taken::body(request, &types.table, media, shape, site);
}

/// `post<{ Body: NewUser }>(…)`, `(request: FastifyRequest<{ Querystring: Page }>)`
fn typed<'p>(evaluator: &mut Evaluator<'p>, types: &mut Types<'p>, route: &Route<'_, 'p>, reads: &mut Reads<'p>) {
    let mut generics = Vec::new();
    if let Some((given, scope)) = &route.draft.options.types {
        generics.extend(given.first().map(|written| Types::lazy(written, &Env::of(scope))));
    }
    if let Value::Function(handler) | Value::Bound(_, handler) = route.handler {
        let callable = types.callable_of(handler);
        let written = callable.parameters().first().and_then(|parameter| parameter.annotation.as_ref());
        if let Some(ExprKind::Index { index, .. }) = written.map(|written| &written.kind) {
            generics.extend(index.first().map(|written| Types::lazy(written, callable.env())));
        }
    }
    for generic in generics {
        let Some(object) = types.properties(evaluator, &generic) else { continue };
        for prop in &object.props {
            let source = match &*prop.name {
                "Body" => Source::Body,
                "Querystring" => Source::Query,
                "Headers" => Source::Header,
                _ => continue,
            };
            let span = prop.span.unwrap_or(route.draft.site);
            reads.typed.push(Typed { source, ty: prop.ty.clone(), partial: false, without: Vec::new(), span });
        }
    }
}
