//! Responses that are declared as a table: `{ 200: {…}, "4XX": {…}, default: {…} }`.

use super::Schemas;
use crate::evaluate::{Dict, Evaluator, Value};
use crate::model::{Body, Response, Shape, Status};
use crate::text::Span;

/// What the entries of a table are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// OpenAPI's: `{ description, content: { "application/json": { schema } } }`.
    OpenApi,
    /// The same, or a schema by itself.
    Schema,
}

/// The successful responses of a table.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    table: &Dict<'p>,
    entry: Entry,
    media: &str,
    site: Span,
) -> Vec<Response> {
    let mut out: Vec<Response> = Vec::new();
    for (code, given) in &table.entries {
        let Some(status) = status(code).filter(Status::is_success) else { continue };
        if out.iter().any(|known| known.status == status) {
            continue;
        }
        let bodies = bodies(evaluator, schemas, given, entry, media, site);
        let bodies = if matches!(status, Status::Code(204 | 205)) { Vec::new() } else { bodies };
        out.push(Response { status, bodies, span: site });
    }
    out
}

/// A key of such a table.
pub(super) fn status(code: &Value) -> Option<Status> {
    match code {
        Value::Int(code) => u16::try_from(*code).ok().map(Status::Code),
        Value::Str(text) => match text.as_bytes() {
            [class @ b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Some(Status::Range(class - b'0')),
            b"default" => Some(Status::Default),
            _ => text.parse().ok().map(Status::Code),
        },
        _ => None,
    }
}

fn bodies<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    given: &Value<'p>,
    entry: Entry,
    media: &str,
    site: Span,
) -> Vec<Body> {
    if let Value::Dict(dict) = given {
        let dict = dict.borrow().clone();
        match dict.get_str("content") {
            Some(Value::Dict(content)) => {
                let content = content.borrow().clone();
                let mut bodies = Vec::new();
                for (media, of_media) in &content.entries {
                    let Some(media) = media.as_str() else { continue };
                    let schema = match of_media {
                        Value::Dict(of_media) => of_media.borrow().get_str("schema").cloned(),
                        _ => None,
                    };
                    let schema = schema.unwrap_or(Value::Unknown("response without a schema", Some(site)));
                    bodies.push(body(evaluator, schemas, &schema, media, site));
                }
                return bodies;
            }
            // `{ type: "null" }` is how a schema says that nothing is sent.
            _ if dict.get_str("type").and_then(Value::as_str) == Some("null") => return Vec::new(),
            None if entry == Entry::OpenApi && !dict.open => return Vec::new(),
            _ if entry == Entry::OpenApi => {
                let unknown = Value::Unknown("content of a response is not known", Some(site));
                return vec![body(evaluator, schemas, &unknown, media, site)];
            }
            _ => {}
        }
    }
    vec![body(evaluator, schemas, given, media, site)]
}

fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    schema: &Value<'p>,
    media: &str,
    site: Span,
) -> Body {
    let types = schemas.typescript();
    let shape = match schema {
        Value::Unknown(why, place) => types.unknown(*why, place.or(Some(site))),
        schema => types.shape_of_schema(evaluator, schema, Some(site)).unwrap_or_else(|| {
            let why = format!("{} stands where a schema is expected", schema.describe());
            types.table.add(Shape::unknown(why, Some(site)))
        }),
    };
    Body { media: media.to_owned(), shape, span: site, required: true }
}
