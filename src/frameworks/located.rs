//! What schemas of marshmallow read for a handler, and where: its decorators name them.

use super::{Route, Schemas, returned, taken};
use crate::evaluate::{Evaluator, Made, Value};
use crate::finding::Reason;
use crate::model::{Body, ParameterPlace, Request};
use crate::text::Span;

/// Adds what decorators say that schemas read: `by` tells the name of the schema among a decorator's arguments and where it
/// reads if nothing else is said.
pub(super) fn add<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    request: &mut Request,
    by: impl Fn(&Made<'p>) -> Option<(&'static str, &'static str)>,
) {
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else { return };
    for decorator in returned::decorators(evaluator, &function) {
        let Value::Made(made) = decorator else { continue };
        let Some((name, default)) = by(&made) else { continue };
        let location = made.args.named("location").and_then(Value::as_str).unwrap_or(default).to_owned();
        if let Some(schema) = made.args.get(0, name) {
            let required = !matches!(made.args.named("required"), Some(Value::Bool(false)));
            located(evaluator, schemas, &schema.clone(), (&location, required), request, made.site);
        }
    }
}

/// Adds what a schema reads, by where it reads it.
fn located<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    schema: &Value<'p>,
    (location, required): (&str, bool),
    request: &mut Request,
    site: Span,
) {
    let python = schemas.python();
    let shape = python
        .taken_marshmallow(evaluator, schema, Some(site))
        .unwrap_or_else(|| python.unknown(format!("{} is no schema that is known", schema.describe()), Some(site)));
    let media: &[&str] = match location {
        "query" | "querystring" | "args" => {
            return taken::members(request, &python.table, shape, ParameterPlace::Query, site);
        }
        "headers" => return taken::members(request, &python.table, shape, ParameterPlace::Header, site),
        "cookies" => return taken::members(request, &python.table, shape, ParameterPlace::Cookie, site),
        "path" | "view_args" => return taken::members(request, &python.table, shape, ParameterPlace::Path, site),
        "json" => &[taken::JSON],
        "form" => &[taken::URLENCODED],
        "json_or_form" => &[taken::JSON, taken::URLENCODED],
        "files" | "form_and_files" | "mixed" => &[taken::MULTIPART],
        _ => {
            let why = "where a schema reads is not known";
            request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(site)));
            request.other_bodies = Some(Reason::new(why, Some(site)));
            return;
        }
    };
    request.other_bodies = None;
    request.bodies.retain(|body| !media.contains(&body.media.as_str()));
    let body = |media: &&str| Body { media: (*media).to_owned(), shape, span: site, required };
    request.bodies.extend(media.iter().map(body));
}
