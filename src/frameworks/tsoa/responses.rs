//! What a tsoa route answers: what its method returns, with the status that a decorator or the method itself sets.

use super::named;
use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::frameworks::decorated::{made, of_parameter, returned, status_of};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::answers::chains;
use crate::languages::typescript::schema::{Env, Type};
use crate::model::program::{ExprKind, Function};
use crate::model::{Body, Literal, Response, Status};
use crate::text::Span;

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let Value::Bound(receiver, function) = route.handler else { return Vec::new() };
    let Value::Class(class) = &**receiver else { return Vec::new() };
    schemas.typescript().start();
    let (ty, place) = returned(evaluator, schemas, class, function);
    let types = schemas.typescript();
    let forced = types.force(evaluator, &ty);
    let kept = types.non_null(evaluator, &forced);
    let nothing = forced.is_nothing() || matches!(kept, Type::Never);
    let decorators = made(&route.draft.options.positional);
    let of_class = route.chain.first().map(|options| made(&options.positional)).unwrap_or_default();
    let success = named(&decorators, &["SuccessResponse"]);
    let status = match success.and_then(|made| made.args.positional.first()) {
        Some(Value::Str(code)) => code.parse().map_or(Status::Code(if nothing { 204 } else { 200 }), Status::Code),
        Some(code) => status_of(code, site),
        None => Status::Code(if nothing { 204 } else { 200 }),
    };
    let media = success
        .and_then(|made| made.args.positional.get(2))
        .or_else(|| named(&decorators, &["Produces"]).or(named(&of_class, &["Produces"]))?.args.positional.first())
        .and_then(Value::as_str)
        .unwrap_or("application/json")
        .to_owned();
    // As it is written it has a name.
    let sent = if matches!(forced, Type::Union(_)) { kept } else { ty };
    let mut responses = Vec::new();
    let bodies = if nothing || matches!(status, Status::Code(204 | 205 | 304)) {
        Vec::new()
    } else {
        vec![Body { media, shape: types.shape_of(evaluator, &sent, Some(place)), span: place, required: true }]
    };
    responses.push(Response { status, bodies, span: success.map_or(site, |made| made.site) });
    set_statuses(evaluator, schemas, function, &mut responses);
    responders(evaluator, schemas, function, &mut responses);
    responses
}

/// `this.setStatus(201)`: another status of the same answer.
fn set_statuses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    responses: &mut Vec<Response>,
) {
    let types = schemas.typescript();
    let place = types.place_of(function);
    for chain in chains(function.node, "this") {
        let Some(arg) = chain.link("setStatus").and_then(|link| link.args.first()) else { continue };
        let status = status_of(&types.constant(evaluator, arg.value(), &place), chain.span);
        let known = responses.iter().any(|response| response.status == status);
        let success = status.is_success() || matches!(status, Status::Unknown(_));
        if let (true, false, Some(first)) = (success, known, responses.first().cloned()) {
            let bodies = if matches!(status, Status::Code(204 | 205)) { Vec::new() } else { first.bodies };
            responses.push(Response { status, bodies, span: chain.span });
        }
    }
}

/// `@Res() ok: TsoaResponse<200, User>`: an answer that the method gives through a function.
fn responders<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    responses: &mut Vec<Response>,
) {
    let node: &'p Function = function.node;
    for parameter in &node.parameters {
        let decorators = of_parameter(evaluator, function, parameter);
        if named(&decorators, &["Res"]).is_none() {
            continue;
        }
        let Some(ExprKind::Index { index, .. }) = parameter.annotation.as_ref().map(|annotation| &annotation.kind)
        else {
            continue;
        };
        let [code, body, ..] = index.as_slice() else { continue };
        let env = Env::of(&function.scope);
        let types = schemas.typescript();
        for status in codes(&types.written(evaluator, code, &env)) {
            if !status.is_success() || responses.iter().any(|known| known.status == status) {
                continue;
            }
            let sent = types.written(evaluator, body, &env);
            let span: Span = body.span;
            let bodies = if sent.is_nothing() {
                Vec::new()
            } else {
                let shape = types.shape_of(evaluator, &sent, Some(span));
                vec![Body { media: "application/json".to_owned(), shape, span, required: true }]
            };
            responses.push(Response { status, bodies, span });
        }
    }
}

/// The numbers that a type of status codes names.
fn codes(ty: &Type) -> Vec<Status> {
    match ty {
        Type::Literal(Literal::Number(code)) => code.parse().map(Status::Code).into_iter().collect(),
        Type::Union(options) => options.iter().flat_map(codes).collect(),
        _ => Vec::new(),
    }
}
