//! What a view of flask-smorest answers: the schema that `@blp.response` names, else what it returns.

use crate::evaluate::{Evaluator, Made, Value, last};
use crate::frameworks::flask::PLAIN;
use crate::frameworks::returned;
use crate::frameworks::returning::answers;
use crate::frameworks::{Route, Schemas};
use crate::languages::json_schema::{is_schema, shape_of_schema};
use crate::languages::python::schema::Body as Code;
use crate::model::{Response, Status};

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let Some((function, class)) = returned::function_of(evaluator, route.handler) else {
        return vec![returned::unknown(schemas, "handler of the route is not known", site)];
    };
    let decorators = returned::decorators(evaluator, &function);
    let mut declared: Vec<(Status, Option<Response>)> = Vec::new();
    for value in &decorators {
        if let Value::Made(made) = value
            && made.path.starts_with("flask_smorest.")
            && matches!(last(&made.path), "response" | "alt_response")
        {
            declared.push(response(evaluator, schemas, made));
        }
    }
    declared.retain(|(status, _)| status.is_success());
    if !declared.is_empty() && declared.iter().all(|(_, response)| response.is_some()) {
        return declared.into_iter().filter_map(|(_, response)| response).collect();
    }
    let returned = if returned::may_change(evaluator, &function) {
        vec![returned::unknown(schemas, "a decorator may change what is sent", site)]
    } else {
        let code = Code::new(evaluator, &function, class.as_ref());
        let found = answers(evaluator, schemas, &function, &code, PLAIN);
        // A status that is declared is sent wherever the view says none.
        let default = match declared.first() {
            Some((Status::Code(code), _)) => *code,
            _ => 200,
        };
        returned::responses(schemas, found, default, site)
    };
    if declared.is_empty() {
        return returned;
    }
    let one = |(status, response): (Status, Option<Response>)| match response {
        Some(response) => response,
        None => match returned.iter().find(|response| response.status == status) {
            Some(response) => response.clone(),
            None => Response { status, ..returned::unknown(schemas, "the declared response has no schema", site) },
        },
    };
    declared.into_iter().map(one).collect()
}

/// `@blp.response(200, Schema)`; `@blp.response(Schema, code=200)` of flask-rest-api. No response where it has no schema.
fn response<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    made: &Made<'p>,
) -> (Status, Option<Response>) {
    let site = made.site;
    let args = &made.args;
    let first = args.positional.first();
    let is_status = matches!(first, Some(Value::Int(_) | Value::Str(_)));
    let (status, schema) = if is_status || args.named("status_code").is_some() {
        let at = usize::from(is_status);
        (args.named("status_code").or(first), args.positional.get(at).or_else(|| args.named("schema")))
    } else {
        (args.named("code").or_else(|| args.named("status_code")), first.or_else(|| args.named("schema")))
    };
    let status = returned::status_of(status, 200, site);
    let schema = schema.filter(|schema| !matches!(schema, Value::None));
    if let Some(media) = args.named("content_type").and_then(Value::as_str)
        && !media.contains("json")
        && schema.is_some()
    {
        let mut response = returned::declared(status.clone(), schemas.python().unknown("no JSON", Some(site)), site);
        response.bodies.iter_mut().for_each(|body| media.clone_into(&mut body.media));
        return (status, Some(response));
    }
    let Some(schema) = schema else {
        let bodiless = matches!(status, Status::Code(204 | 205 | 304));
        let response = bodiless.then(|| Response { status: status.clone(), bodies: Vec::new(), span: site });
        return (status, response);
    };
    let python = schemas.python();
    let shape = match schema {
        schema if is_schema(schema) => shape_of_schema(&mut python.table, schema, Some(site)),
        schema => python
            .shape_of_marshmallow(evaluator, schema, Some(site))
            .unwrap_or_else(|| python.unknown(format!("{} is no schema that is known", schema.describe()), Some(site))),
    };
    (status.clone(), Some(returned::declared(status, shape, site)))
}
