//! What a tsoa route takes: what the decorators of its method's parameters bind (tsoa-community.github.io/docs).

use std::rc::Rc;

use crate::evaluate::{Evaluator, Made, Value};
use crate::finding::Reason;
use crate::frameworks::decorated::{is_of, of_parameter};
use crate::frameworks::taken::{self, JSON, MULTIPART, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Part, Type};
use crate::model::{Method, Parameter, ParameterPlace, Request};

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

const PLACES: &[(&str, ParameterPlace)] =
    &[("Query", ParameterPlace::Query), ("Path", ParameterPlace::Path), ("Header", ParameterPlace::Header)];

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let Value::Bound(_, function) = route.handler else {
        return Request::unknown(Reason::new("handler of the route is not known", Some(site)));
    };
    let types = schemas.typescript();
    types.start();
    let mut request = Request { parsed: true, ..Request::default() };
    let (mut fields, mut forms) = (Vec::new(), Vec::new());
    let callable = types.callable_of(function);
    for (at, parameter) in callable.parameters().iter().enumerate() {
        let span = parameter.span;
        let ty = parameter.annotation.as_ref().map_or(Type::Any, |written| Types::lazy(written, callable.env()));
        let required = !(parameter.optional || parameter.default.is_some());
        for made in of_parameter(evaluator, function, parameter) {
            let given = made.args.positional.first().and_then(Value::as_str);
            let name = given.unwrap_or(&parameter.name);
            if let Some((_, place)) = PLACES.iter().find(|(name, _)| is(&made, &[name])) {
                let shape = types.taken_shape(evaluator, &ty, Some(span));
                let required = required || *place == ParameterPlace::Path;
                taken::add(&mut request, Parameter { name: name.to_owned(), place: *place, required, shape, span });
            } else if is(&made, &["Queries"]) {
                let shape = types.taken_shape(evaluator, &ty, Some(span));
                taken::members(&mut request, &types.table, shape, ParameterPlace::Query, span);
            } else if is(&made, &["Body"]) {
                let shape = types.taken_shape(evaluator, &ty, Some(span));
                taken::body(&mut request, &types.table, JSON, shape, span);
                if let Some(body) = request.bodies.last_mut() {
                    body.required = required;
                }
            } else if is(&made, &["BodyProp"]) {
                let shape = types.taken_shape(evaluator, &ty, Some(span));
                fields.push(taken::field(name, shape, required, span));
            } else if is(&made, &["FormField"]) {
                let shape = types.taken_shape(evaluator, &ty, Some(span));
                forms.push(taken::field(name, shape, required, span));
            } else if is(&made, &["UploadedFile", "UploadedFiles"]) {
                let shape = taken::file(&mut types.table, made.name() == "UploadedFiles", span);
                forms.push(taken::field(name, shape, required, span));
            } else if is(&made, &["Request"]) {
                let reads = types.reads(evaluator, function, at, Part::Request, Some(method.name()));
                let reading = Reading { method, in_path: &[], declares: true };
                taken::read(evaluator, types, &mut request, &reads, &reading);
            }
        }
    }
    for (fields, media) in [(fields, JSON), (forms, MULTIPART)] {
        if let Some(span) = fields.first().and_then(|field| field.span) {
            let shape = taken::object(&mut types.table, fields, None, span);
            taken::body(&mut request, &types.table, media, shape, span);
        }
    }
    request
}

fn is(made: &Rc<Made<'_>>, names: &[&str]) -> bool {
    is_of(made, "tsoa", names) || is_of(made, "@tsoa/runtime", names)
}
