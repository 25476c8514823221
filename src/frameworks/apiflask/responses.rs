//! What a view of APIFlask answers: the schema that `@app.output` names, else what it returns.

use crate::evaluate::{Evaluator, Made, Value};
use crate::frameworks::flask::PLAIN;
use crate::frameworks::returned;
use crate::frameworks::returning::answers;
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::Body as Code;
use crate::model::{Kind, Response, Shape, Status};

/// Whether a view says `@app.doc(hide=True)`.
pub(super) fn is_hidden<'p>(evaluator: &mut Evaluator<'p>, handler: &Value<'p>) -> bool {
    let Some((function, _)) = returned::function_of(evaluator, handler) else { return false };
    returned::decorators(evaluator, &function).iter().any(|value| match value {
        Value::Made(made) => {
            made.path.starts_with("apiflask.")
                && made.name() == "doc"
                && matches!(made.args.named("hide"), Some(Value::Bool(true)))
        }
        _ => false,
    })
}

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
    for value in &decorators {
        match value {
            Value::Made(made) if made.path.starts_with("apiflask.") && made.name() == "output" => {
                return vec![output(evaluator, schemas, made)];
            }
            _ => {}
        }
    }
    if returned::may_change(evaluator, &function) {
        return vec![returned::unknown(schemas, "a decorator may change what is sent", site)];
    }
    let code = Code::new(evaluator, &function, class.as_ref());
    let found = answers(evaluator, schemas, &function, &code, PLAIN);
    returned::responses(schemas, found, 200, site)
}

/// `@app.output(PetOut(many=True), status_code=201)`
fn output<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, made: &Made<'p>) -> Response {
    let site = made.site;
    let status = returned::status_of(made.args.get(1, "status_code"), 200, site);
    let schema = made.args.get(0, "schema");
    let python = schemas.python();
    let shape = match schema {
        Some(Value::Dict(dict)) if dict.borrow().entries.is_empty() => {
            return Response { status, bodies: Vec::new(), span: site };
        }
        Some(Value::External(path)) if path.ends_with(".EmptySchema") => {
            return Response { status, bodies: Vec::new(), span: site };
        }
        Some(Value::External(path)) if path.ends_with(".FileSchema") => {
            let shape = python.table.add(Shape::new(Kind::String));
            let mut response = returned::declared(status, shape, site);
            response.bodies.iter_mut().for_each(|body| "application/octet-stream".clone_into(&mut body.media));
            return response;
        }
        Some(schema) => match python.shape_of_marshmallow(evaluator, schema, Some(site)) {
            Some(shape) => shape,
            // pydantic's models are taken as well.
            None => python.shape_of(evaluator, schema, Some(site)),
        },
        None => python.unknown("output without a schema", Some(site)),
    };
    if matches!(status, Status::Code(204)) {
        return Response { status, bodies: Vec::new(), span: site };
    }
    returned::declared(status, shape, site)
}
