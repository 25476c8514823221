//! What a NestJS route answers: what its decorators declare, else its return type.

use std::rc::Rc;

use super::COMMON;
use crate::evaluate::{Evaluator, FunctionRef, Made, Value};
use crate::finding::Reason;
use crate::frameworks::decorated::{find, of_parameter, option};
use crate::frameworks::{Route, Schemas};
use crate::model::{Body, Response, Status};
use crate::text::Span;

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let decorators = made(&route.draft.options.positional);
    if let Some(redirect) = find(&decorators, COMMON, &["Redirect"]) {
        let status = match redirect.args.positional.get(1) {
            Some(code) => status_of(code, site),
            None => Status::Code(302),
        };
        return vec![Response { status, bodies: Vec::new(), span: redirect.site }];
    }
    let status = match find(&decorators, COMMON, &["HttpCode"]).and_then(|made| made.args.positional.first()) {
        Some(code) => status_of(code, site),
        None if posts(route) => Status::Code(201),
        None => Status::Code(200),
    };
    let Value::Bound(_, function) = route.handler else { return Vec::new() };
    if takes_response(evaluator, function) {
        let why = "the handler writes the response itself";
        let shape = schemas.typescript().unknown(why, Some(site));
        let body = Body { media: "application/json".to_owned(), shape, span: site, required: true };
        let status = Status::Unknown(Reason::new(why, Some(site)));
        return vec![Response { status, bodies: vec![body], span: site }];
    }
    let shape = schemas.typescript().unknown("return types are not read yet", Some(site));
    let body = Body { media: "application/json".to_owned(), shape, span: site, required: true };
    vec![Response { status, bodies: vec![body], span: site }]
}

fn made<'p>(values: &[Value<'p>]) -> Vec<Rc<Made<'p>>> {
    let made = values.iter().filter_map(|value| if let Value::Made(made) = value { Some(made.clone()) } else { None });
    made.collect()
}

fn posts(route: &Route) -> bool {
    let methods = route.draft.methods.elements().unwrap_or_default();
    methods.len() == 1 && methods[0].as_str() == Some("POST")
}

fn status_of(code: &Value, site: Span) -> Status {
    match code {
        Value::Int(code) => match u16::try_from(*code) {
            Ok(code) => Status::Code(code),
            Err(_) => Status::Unknown(Reason::new("status code is no such number", Some(site))),
        },
        Value::Unknown(why, place) => Status::Unknown(Reason::new(*why, place.or(Some(site)))),
        other => Status::Unknown(Reason::new(format!("status code is {}", other.describe()), Some(site))),
    }
}

/// Whether the handler is given the response (`@Res()`, `@Next()`) without leaving it to the framework to send it.
fn takes_response<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> bool {
    let node: &'p crate::model::program::Function = function.node;
    node.parameters.iter().any(|parameter| {
        let decorators = of_parameter(evaluator, function, parameter);
        find(&decorators, COMMON, &["Res", "Response", "Next"]).is_some_and(|made| {
            let options = made.args.positional.first();
            !matches!(options.and_then(|options| option(options, "passthrough")), Some(Value::Bool(true)))
        })
    })
}
