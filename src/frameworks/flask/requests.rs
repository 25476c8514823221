//! What a view of Flask takes: what it reads of the request by itself, and what schemas of marshmallow read for it.

use crate::evaluate::{Evaluator, Value, last};
use crate::finding::Reason;
use crate::frameworks::by_hand::{self, Reach};
use crate::frameworks::{Route, Schemas, returned, taken};
use crate::model::{Body, Method, ParameterPlace, Request};
use crate::text::Span;

/// What a view takes; one that webargs reads for it among that.
pub(in crate::frameworks) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    declared(evaluator, schemas, route, method, |made| {
        let is_ours = made.path.starts_with("webargs.") && matches!(last(&made.path), "use_args" | "use_kwargs");
        is_ours.then_some(("argmap", "json"))
    })
}

/// What a view takes whose decorators say which schema reads what: `by` tells the name of the schema among a decorator's
/// arguments and where it reads if nothing else is said.
pub(in crate::frameworks) fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
    by: impl Fn(&crate::evaluate::Made<'p>) -> Option<(&'static str, &'static str)>,
) -> Request {
    let mut request = by_hand::requests(evaluator, schemas, route, method, Reach::Global);
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else { return request };
    for decorator in returned::decorators(evaluator, &function) {
        let Value::Made(made) = decorator else { continue };
        let Some((name, default)) = by(&made) else { continue };
        let location = made.args.named("location").and_then(Value::as_str).unwrap_or(default).to_owned();
        if let Some(schema) = made.args.get(0, name) {
            let required = !matches!(made.args.named("required"), Some(Value::Bool(false)));
            located(evaluator, schemas, &schema.clone(), (&location, required), &mut request, made.site);
        }
    }
    request
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
