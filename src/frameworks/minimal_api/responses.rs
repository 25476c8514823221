//! What an endpoint answers: what is said of it where it is mapped and by its handler's attributes, and what the handler's
//! code says.

use super::endpoints::PRODUCES;
use crate::evaluate::{Evaluator, FunctionRef, Made, Value, last};
use crate::frameworks::answered::{self, Declared};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::answers::{Answer, Body as Sent, answers};
use crate::model::program::{ExprKind, Param};
use crate::model::{Response, Status};
use crate::text::Span;

/// What an endpoint answers.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let mut declared = said(evaluator, route);
    let (function, receiver) = match route.handler {
        Value::Function(function) => (function, None),
        Value::Bound(receiver, function) => (function, class_of(receiver)),
        _ => return answered::responses(evaluator, schemas, Serialiser::Endpoints, &declared, &[], site),
    };
    declared.extend(attributes(evaluator, function));
    let mut seen = answers(evaluator, function, receiver.as_ref());
    if writes_itself(function) && seen.iter().all(|answer| matches!(answer.body, Sent::Nothing)) {
        seen = vec![Answer {
            status: None,
            body: Sent::Unknown("the handler writes its answer itself", None),
            span: site,
        }];
    }
    let mut out = answered::responses(evaluator, schemas, Serialiser::Endpoints, &declared, &seen, site);
    if is_text(function) && !declared.iter().any(|response| response.status.is_success()) {
        out.iter_mut()
            .flat_map(|response| &mut response.bodies)
            .for_each(|body| "text/plain".clone_into(&mut body.media));
    }
    out
}

/// The type that a method is called on.
pub(super) fn class_of<'p>(receiver: &Value<'p>) -> Option<Value<'p>> {
    match receiver {
        Value::Class(_) => Some(receiver.clone()),
        Value::Instance(instance) => Some(Value::Class(instance.class.clone())),
        _ => None,
    }
}

/// What is said where the endpoint is mapped, then of the groups around it.
fn said<'p>(evaluator: &mut Evaluator<'p>, route: &Route<'_, 'p>) -> Vec<Declared<'p>> {
    let mut out = Vec::new();
    for options in std::iter::once(&route.draft.options).chain(route.chain) {
        for value in options.named(PRODUCES).and_then(Value::elements).unwrap_or_default() {
            if let Value::Made(made) = value {
                out.extend(read(evaluator, &made, made.site));
            }
        }
    }
    out
}

/// What the attributes of a handler say.
fn attributes<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Declared<'p>> {
    let node: &'p crate::model::program::Function = function.node;
    let attributes = evaluator.attributes(&node.decorators, &function.scope);
    let mut out = Vec::new();
    for attribute in attributes {
        if let Value::Made(made) = attribute {
            out.extend(read(evaluator, &made, made.site));
        }
    }
    out
}

fn read<'p>(evaluator: &mut Evaluator<'p>, made: &Made<'p>, span: Span) -> Option<Declared<'p>> {
    let name = last(&made.path);
    let default = match name.strip_suffix("Attribute").unwrap_or(name) {
        "Produces" | "ProducesResponseType" | "SwaggerResponse" => 200,
        "ProducesProblem" => 500,
        "ProducesValidationProblem" => 400,
        _ => return None,
    };
    let mut declared = answered::declared(evaluator, &made.args, default, span);
    // Without a type it says that nothing is sent, unless the handler sends something.
    if default != 200 && declared.status.is_success() {
        declared.status = Status::Code(default);
    }
    Some(declared)
}

/// Whether a handler is given the response to write to, and nothing else tells what it sends.
fn writes_itself(function: &FunctionRef) -> bool {
    let parameters: Vec<&Param> = function.node.parameters.iter().filter(|it| it.name != "this").collect();
    let typed = |parameter: &&Param| match parameter.annotation.as_ref().map(|annotation| &annotation.kind) {
        Some(ExprKind::Name(name) | ExprKind::Member { name, .. }) => {
            matches!(name.as_str(), "HttpContext" | "HttpResponse")
        }
        None => function.node.is_lambda && parameters.len() == 1,
        _ => false,
    };
    parameters.iter().any(typed)
}

/// Whether what a handler returns is declared to be text, which is sent as it is.
fn is_text(function: &FunctionRef) -> bool {
    let Some(returns) = &function.node.returns else { return false };
    let mut written = returns;
    if let ExprKind::Index { object, index } = &written.kind
        && let [only] = index.as_slice()
        && matches!(&object.kind, ExprKind::Name(name) if matches!(name.as_str(), "Task" | "ValueTask"))
    {
        written = only;
    }
    matches!(&written.kind, ExprKind::Name(name) if matches!(name.as_str(), "string" | "String"))
}
