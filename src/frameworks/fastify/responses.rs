//! What a route answers: `schema.response`, else what its handler says.

use crate::evaluate::{Evaluator, Value};
use crate::frameworks::{Route, Schemas};
use crate::model::{Body, Response, Status};

pub(super) fn responses<'p>(
    _evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let declared = match route.draft.options.named("schema") {
        Some(Value::Dict(schema)) => schema.borrow().get_str("response").cloned(),
        _ => None,
    };
    let why = if declared.is_some() { "schemas of responses are not read yet" } else { "no schema of a response" };
    let shape = schemas.typescript().unknown(why, Some(site));
    let body = Body { media: "application/json".to_owned(), shape, span: site, required: true };
    vec![Response { status: Status::Code(200), bodies: vec![body], span: site }]
}
