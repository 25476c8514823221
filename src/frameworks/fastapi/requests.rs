//! What a FastAPI route takes: parameters by place, one body of one or several parts. Follows `fastapi.openapi.utils`
//! (`_get_openapi_operation_parameters`, `get_openapi_operation_request_body`) and `get_body_field`.

use super::dependant::{Declared, Dependant, Place, dependant};
use crate::evaluate::{Evaluator, Value};
use crate::finding::Reason;
use crate::frameworks::{Route, Schemas, requests, starlette, taken};
use crate::languages::python::schema::{self, is_model};
use crate::model::{Additional, Body, Field, Kind, Method, Object, Parameter, ParameterPlace, Request, Shape, ShapeId};
use crate::text::Span;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    if route.draft.options.named(starlette::PLAIN).is_some() {
        return starlette::requests::requests(evaluator, schemas, route, method);
    }
    if matches!(route.handler, Value::Unknown(..)) {
        return Request::unknown(Reason::new("handler of the route is not known", Some(site)));
    }
    let schemas = schemas.python();
    let Dependant { declared, other_parameters, other_bodies } = dependant(evaluator, route);
    let mut request = Request { other_parameters, other_bodies, ..Request::default() };
    for place in [ParameterPlace::Path, ParameterPlace::Query, ParameterPlace::Header, ParameterPlace::Cookie] {
        let of_place: Vec<&Declared<'p>> =
            declared.iter().filter(|declared| declared.place == Place::Parameter(place)).collect();
        parameters(evaluator, schemas, place, &of_place, &mut request);
    }
    let parts: Vec<&Declared<'p>> =
        declared.iter().filter(|declared| !matches!(declared.place, Place::Parameter(_))).collect();
    request.bodies.extend(body(evaluator, schemas, &parts, site));
    match route.draft.options.named("openapi_extra") {
        None | Some(Value::None) => {}
        Some(Value::Dict(extra)) => {
            let extra = extra.borrow();
            schemas.with_written(evaluator, |shapes| requests::documented(shapes, &extra, &mut request, site));
        }
        Some(_) => {
            let reason = Reason::new("what the documentation adds is not known", Some(site));
            request.other_parameters.get_or_insert_with(|| reason.clone());
            request.other_bodies.get_or_insert(reason);
        }
    }
    request
}

/// The parameters of one place; one that is a model stands for its members.
fn parameters<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut schema::Schemas,
    place: ParameterPlace,
    declared: &[&Declared<'p>],
    request: &mut Request,
) {
    if let [only] = declared
        && is_model(evaluator, &only.kind)
    {
        let id = schemas.taken_shape(evaluator, &only.kind, Some(only.span));
        let view = schemas.table.view(id);
        let Kind::Object(object) = &view.shape.kind else {
            let why = format!("members of `{}` are not known", only.name);
            request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(only.span)));
            return;
        };
        let hyphens = place == ParameterPlace::Header
            && !matches!(only.argument("convert_underscores"), Some(Value::Bool(false)));
        for field in &object.fields {
            let name =
                if hyphens && field.declared.is_none() { field.name.replace('_', "-") } else { field.name.clone() };
            let (shape, required, span) = (field.shape, field.required, field.span.unwrap_or(only.span));
            add(request, Parameter { name, place, required, shape, span });
        }
        if let Additional::Of(_) = object.additional {
            let why = format!("`{}` lets further members in", only.name);
            request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(only.span)));
        }
        return;
    }
    for one in declared {
        let shape = schemas.taken_shape(evaluator, &one.kind, Some(one.span));
        add(request, Parameter { name: one.name.clone(), place, required: one.required, shape, span: one.span });
    }
}

/// Puts a parameter into a request: of two of one place and name the required one counts, else the later one.
fn add(request: &mut Request, parameter: Parameter) {
    let same = |known: &Parameter| known.place == parameter.place && known.name == parameter.name;
    match request.parameters.iter_mut().find(|known| same(known)) {
        Some(known) if known.required && !parameter.required => {}
        Some(known) => *known = parameter,
        None => request.parameters.push(parameter),
    }
}

/// A single part is the body, unless it says that it is embedded or is a field of a form; several are members of one object.
fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut schema::Schemas,
    parts: &[&Declared<'p>],
    site: Span,
) -> Option<Body> {
    let first = parts.first()?;
    let several = parts.iter().any(|part| part.name != first.name);
    let embedded = several
        || matches!(first.argument("embed"), Some(Value::Bool(true)))
        || (matches!(first.place, Place::Form | Place::File) && !is_model(evaluator, &first.kind));
    let media = media_of(parts);
    let required = parts.iter().any(|part| part.required);
    let shape = if embedded {
        let mut fields: Vec<Field> = Vec::with_capacity(parts.len());
        for part in parts {
            let shape = part_shape(evaluator, schemas, part);
            let field = Field {
                name: part.name.clone(),
                shape,
                required: part.required,
                always: part.required,
                span: Some(part.span),
                declared: None,
            };
            match fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => *known = field,
                None => fields.push(field),
            }
        }
        schemas.table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site)))
    } else {
        part_shape(evaluator, schemas, first)
    };
    Some(Body { media, shape, span: first.span, required })
}

fn part_shape<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut schema::Schemas, part: &Declared<'p>) -> ShapeId {
    schemas.taken_shape(evaluator, &part.kind, Some(part.span))
}

fn media_of(parts: &[&Declared<'_>]) -> String {
    if parts.iter().any(|part| part.place == Place::File) {
        return taken::MULTIPART.to_owned();
    }
    if parts.iter().any(|part| part.place == Place::Form) {
        return taken::URLENCODED.to_owned();
    }
    let mut given = parts.iter().map(|part| part.argument("media_type").and_then(Value::as_str).unwrap_or(taken::JSON));
    let first = given.next().unwrap_or(taken::JSON);
    if given.all(|other| other == first) { first.to_owned() } else { taken::JSON.to_owned() }
}
