//! What routes take, where frameworks have that in common.

use super::{Route, Schemas, taken};
use crate::evaluate::{Dict, Evaluator, Value};
use crate::finding::Reason;
use crate::languages::json_schema::{Shapes, shape_of_schema};
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, Request, Shape};
use crate::text::Span;

/// Of a framework whose requests are not read.
pub(super) fn unread<'p>(_: &mut Evaluator<'p>, _: &mut Schemas<'p>, route: &Route<'_, 'p>, _: Method) -> Request {
    Request::unknown(Reason::new("what this framework takes is not read", Some(route.draft.site)))
}

/// What an operation that is written as plain data, as OpenAPI has it, says of what it takes: `requestBody` replaces the
/// body, `parameters` are added.
pub(super) fn documented<'p>(shapes: &mut dyn Shapes<'p>, operation: &Dict<'p>, request: &mut Request, site: Span) {
    let not_known = || Reason::new("parameters that the documentation adds are not known", Some(site));
    let parameters = operation.get_str("parameters").map(Value::elements);
    if operation.open || matches!(parameters, Some(None)) {
        request.other_parameters.get_or_insert_with(not_known);
    }
    for given in parameters.flatten().unwrap_or_default() {
        let Value::Dict(given) = given else {
            request.other_parameters.get_or_insert_with(not_known);
            continue;
        };
        let given = given.borrow();
        let (Some(Value::Str(name)), Some(Value::Str(place))) = (given.get_str("name"), given.get_str("in")) else {
            request.other_parameters.get_or_insert_with(not_known);
            continue;
        };
        let place = match &**place {
            "path" => ParameterPlace::Path,
            "query" => ParameterPlace::Query,
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            _ => continue,
        };
        let required = matches!(given.get_str("required"), Some(Value::Bool(true)));
        let shape = match given.get_str("schema") {
            Some(schema) => shape_of_schema(shapes, schema, Some(site)),
            None => shapes.table().add(Shape::new(Kind::Any)),
        };
        taken::declare(request, Parameter { name: name.to_string(), place, required, shape, span: site });
    }
    let Some(Value::Dict(body)) = operation.get_str("requestBody") else { return };
    let body = body.borrow();
    let required = matches!(body.get_str("required"), Some(Value::Bool(true)));
    let Some(Value::Dict(content)) = body.get_str("content") else { return };
    for (media, entry) in &content.borrow().entries {
        let (Some(media), Value::Dict(entry)) = (media.as_str(), entry) else { continue };
        let shape = match entry.borrow().get_str("schema") {
            Some(schema) => shape_of_schema(shapes, schema, Some(site)),
            None => shapes.table().add(Shape::new(Kind::Any)),
        };
        let written = Body { media: media.to_owned(), shape, span: site, required };
        match request.bodies.iter_mut().find(|known| known.media == media) {
            Some(known) => *known = written,
            None => request.bodies.push(written),
        }
    }
}
