//! aiohttp-apispec: decorators that say which schemas of marshmallow a handler reads and answers with.

use crate::evaluate::{Args, Evaluator, Made, Value, last};
use crate::frameworks::{Schemas, decorated, returned};
use crate::model::{Response, Status};
use crate::text::Span;

/// Decorators that name what is read, and where.
const READS: &[(&str, &str)] = &[
    ("request_schema", "json"),
    ("json_schema", "json"),
    ("querystring_schema", "query"),
    ("form_schema", "form"),
    ("headers_schema", "headers"),
    ("cookies_schema", "cookies"),
    ("match_info_schema", "path"),
];

pub(super) fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_kept = is_ours(path) && (last(path) == "response_schema" || reads(last(path)).is_some());
    is_kept.then(|| decorated::kept(path, args, site))
}

/// The name of the schema among the arguments of a decorator, and where it reads.
pub(super) fn read(made: &Made) -> Option<(&'static str, &'static str)> {
    is_ours(&made.path).then(|| reads(last(&made.path)).map(|place| ("schema", place)))?
}

/// The successful responses that decorators declare.
pub(super) fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    decorators: &[Value<'p>],
) -> Vec<Response> {
    let made = decorated::made(decorators).into_iter();
    let responses = made.filter(|made| is_ours(&made.path) && last(&made.path) == "response_schema");
    let mut out = Vec::new();
    for made in responses {
        let status = returned::status_of(made.args.get(1, "code"), 200, made.site);
        let Some(schema) = made.args.get(0, "schema").filter(|_| status.is_success()) else { continue };
        let python = schemas.python();
        let shape = python
            .shape_of_marshmallow(evaluator, schema, Some(made.site))
            .unwrap_or_else(|| python.unknown("schema of a response is not known", Some(made.site)));
        if matches!(status, Status::Code(_)) {
            out.push(returned::declared(status, shape, made.site));
        }
    }
    out
}

fn is_ours(path: &str) -> bool {
    path.starts_with("aiohttp_apispec.")
}

fn reads(name: &str) -> Option<&'static str> {
    READS.iter().find(|(known, _)| *known == name).map(|(_, place)| *place)
}
