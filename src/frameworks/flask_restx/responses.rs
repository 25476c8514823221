//! What a resource of Flask-RESTX answers: what its decorators declare, else what it returns.

use super::models;
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Made, Value, last};
use crate::finding::Reason;
use crate::frameworks::flask;
use crate::frameworks::returned::{self, Sent};
use crate::frameworks::returning::{Call, Known, Manner, answers};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::Body as Code;
use crate::model::program::{Arg, Expr, ExprKind};
use crate::model::{Additional, Field, Kind, Object, Response, Shape, ShapeId, Status};
use crate::text::Span;

/// Decorators of a method, or of its class, the nearest first.
pub(super) fn decorators_of<'p>(evaluator: &mut Evaluator<'p>, handler: &Value<'p>) -> Vec<Vec<Value<'p>>> {
    let Some((function, class)) = returned::function_of(evaluator, handler) else { return Vec::new() };
    let mut all = vec![returned::decorators(evaluator, &function)];
    if let Some(class) = class {
        for ancestor in evaluator.ancestry(&class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = ancestor.scope.clone();
            let own = ancestor.node.decorators.iter().map(|decorator| evaluator.evaluate(decorator, &scope)).collect();
            all.push(own);
        }
    }
    all
}

/// Whether a resource's author leaves it out of the document.
pub(super) fn is_hidden<'p>(evaluator: &mut Evaluator<'p>, handler: &Value<'p>) -> bool {
    let is_mark = |value: &Value<'p>| match value {
        Value::Native(receiver, name) => &**name == "hide" && matches!(**receiver, Value::Node(_)),
        Value::Made(made) => {
            &*made.path == "flask_restx.doc" && matches!(made.args.positional.first(), Some(Value::Bool(false)))
        }
        _ => false,
    };
    decorators_of(evaluator, handler).iter().flatten().any(is_mark)
}

/// A response that is declared, and its body where a model says it.
struct Declared {
    status: Status,
    shape: Option<ShapeId>,
    span: Span,
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
    let levels = decorators_of(evaluator, route.handler);
    let mut declared: Vec<Declared> = Vec::new();
    // What the method says counts before what the class says.
    for value in levels.iter().flatten() {
        if let Value::Made(made) = value {
            declare(evaluator, schemas, made, &mut declared);
        }
    }
    declared.retain(|found| found.status.is_success());
    if !declared.is_empty() && declared.iter().all(|found| found.shape.is_some()) {
        return declared
            .into_iter()
            .filter_map(|found| Some(returned::declared(found.status, found.shape?, found.span)))
            .collect();
    }
    let returned = if returned::may_change(evaluator, &function) {
        vec![returned::unknown(schemas, "a decorator may change what is sent", site)]
    } else {
        returned_by(evaluator, schemas, &function, class.as_ref(), site)
    };
    if declared.is_empty() {
        return undeclared(returned, site);
    }
    let one = |found: Declared| {
        if let Some(shape) = found.shape {
            return returned::declared(found.status, shape, found.span);
        }
        let seen = returned.iter().find(|response| response.status == found.status).cloned();
        seen.unwrap_or_else(|| {
            let unknown = returned::unknown(schemas, "the declared response has no model", found.span);
            Response { status: found.status, ..unknown }
        })
    };
    declared.into_iter().map(one).collect()
}

/// Where nothing is declared, the document says 200 whatever is returned: another status is not held against it.
fn undeclared(mut responses: Vec<Response>, site: Span) -> Vec<Response> {
    let is_stated = |response: &Response| response.status == Status::Code(200);
    if !responses.iter().any(is_stated) {
        for response in &mut responses {
            response.status = Status::Unknown(Reason::new("the route declares no response", Some(site)));
        }
        responses.truncate(1);
    }
    responses
}

fn returned_by<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    class: Option<&ClassRef<'p>>,
    site: Span,
) -> Vec<Response> {
    let code = Code::new(evaluator, function, class);
    let manner = Manner { call: known, text_is_json: true, tuple_has_status: true };
    let found = answers(evaluator, schemas, function, &code, manner);
    returned::responses(schemas, found, 200, site)
}

fn declare<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    made: &Made<'p>,
    declared: &mut Vec<Declared>,
) {
    let site = made.site;
    let mut add = |code: &Value<'p>, shape: Option<ShapeId>| {
        let status = match code {
            Value::Str(text) if &**text == "default" => Status::Default,
            code => returned::status_of(Some(code), 200, site),
        };
        match declared.iter_mut().find(|known| known.status == status) {
            Some(known) => known.shape = known.shape.or(shape),
            None => declared.push(Declared { status, shape, span: site }),
        }
    };
    let args = &made.args;
    match last(&made.path) {
        "marshal_with" | "marshal_list_with" => {
            let Some(model) = args.get(0, "fields") else { return };
            let mut shape = models::shape(evaluator, schemas.python(), model, Some(site), 0);
            let flag = |name: &str| matches!(args.named(name), Some(Value::Bool(true)));
            if flag("skip_none") {
                shape = models::without_none(schemas.python(), shape);
            }
            if flag("as_list") || made.name() == "marshal_list_with" {
                shape = array(schemas, shape);
            }
            if let Some(Value::Str(envelope)) = args.named("envelope") {
                shape = enveloped(schemas, envelope, shape, site);
            }
            // Flask-RESTful marshals whatever is returned: one or several.
            if made.path.starts_with("flask_restful") {
                let why = "one object or a list of them, whichever is returned";
                shape = schemas.python().unknown(why, Some(site));
            }
            add(args.named("code").unwrap_or(&Value::Int(200)), Some(shape));
        }
        "response" => {
            let shape = match args.get(2, "model") {
                None | Some(Value::None) => None,
                Some(model) => Some(models::shape(evaluator, schemas.python(), model, Some(site), 0)),
            };
            if let Some(code) = args.get(0, "code") {
                add(code, shape);
            }
        }
        "doc" => {
            if let Some(Value::Dict(responses)) = args.named("responses") {
                for (code, given) in &responses.borrow().entries {
                    let model = given.elements().and_then(|parts| parts.get(1).cloned());
                    let model = model.filter(|model| !matches!(model, Value::None));
                    let shape = model.map(|model| models::shape(evaluator, schemas.python(), &model, Some(site), 0));
                    add(code, shape);
                }
            }
            if let Some(model) = args.named("model") {
                let shape = models::shape(evaluator, schemas.python(), model, Some(site), 0);
                add(args.named("default_code").unwrap_or(&Value::Int(200)), Some(shape));
            }
        }
        _ => {}
    }
}

fn array(schemas: &mut Schemas, items: ShapeId) -> ShapeId {
    schemas.python().table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) }))
}

fn enveloped(schemas: &mut Schemas, name: &str, shape: ShapeId, site: Span) -> ShapeId {
    let field = Field { name: name.to_owned(), shape, required: true, always: true, span: Some(site), declared: None };
    let object = Object { fields: vec![field], additional: Additional::Open };
    schemas.python().table.add(Shape::new(Kind::Object(object)).at(Some(site)))
}

/// `marshal(data, model)`: as many as the data.
fn known<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, call: &Call<'_, 'p>) -> Option<Known<'p>> {
    if call.name != "marshal" || !super::is_ours(call.path) {
        return flask::known(evaluator, schemas, call);
    }
    let [Arg::Positional(data), Arg::Positional(model), ..] = call.args else {
        return Some(Known::Answer(None, Sent::Unknown("what is marshalled is not known".to_owned())));
    };
    let model = call.code.value(evaluator, model);
    let shape = models::shape(evaluator, schemas.python(), &model, Some(call.span), 0);
    let sent = match count(data) {
        Some(Count::One) => Sent::Json(shape),
        Some(Count::Several) => Sent::Json(array(schemas, shape)),
        None => Sent::Unknown("one object or a list of them, whichever is marshalled".to_owned()),
    };
    Some(Known::Answer(None, sent))
}

enum Count {
    One,
    Several,
}

fn count(data: &Expr) -> Option<Count> {
    match &data.kind {
        ExprKind::Dict(_) => Some(Count::One),
        ExprKind::List(_) | ExprKind::Comprehension(_) => Some(Count::Several),
        _ => None,
    }
}
