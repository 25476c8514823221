//! What a route answers: `schema.response`, else the `Reply` of its types, else what its handler says.

use super::references;
use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::frameworks::declared::{self, Entry};
use crate::frameworks::{Route, Schemas, replies};
use crate::languages::typescript::schema::answers::{begins_with, returned_after};
use crate::languages::typescript::schema::{Env, Reply, ReplyBody, Type};
use crate::model::program::{Arg, Expr, ExprKind};
use crate::model::{Response, Status};

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    schemas.typescript().start();
    match route.draft.options.named("schema").cloned() {
        Some(Value::Dict(schema)) => {
            let schema = schema.borrow().clone();
            match schema.get_str("response") {
                Some(table) => {
                    let produces = schema.get_str("produces").and_then(Value::elements).unwrap_or_default();
                    let media = produces.first().and_then(Value::as_str).unwrap_or("application/json");
                    if let Value::Dict(table) = references::resolved(evaluator, route.draft.node, table) {
                        let table = table.borrow().clone();
                        let found = declared::responses(evaluator, schemas, &table, Entry::Schema, media, site);
                        if !found.is_empty() {
                            return found;
                        }
                        if table.open {
                            return vec![replies::unknown(schemas, "schemas of responses are not known", site)];
                        }
                    } else {
                        return vec![replies::unknown(schemas, "schemas of responses are not known", site)];
                    }
                }
                None if schema.open => {
                    return vec![replies::unknown(schemas, "schema of the route is not known", site)];
                }
                None => {}
            }
        }
        None | Some(Value::None) if !route.draft.options.open => {}
        _ => return vec![replies::unknown(schemas, "schema of the route is not known", site)],
    }
    let (Value::Function(handler) | Value::Bound(_, handler)) = route.handler else {
        return vec![replies::unknown(schemas, "handler of the route is not known", site)];
    };
    let mut answers = answers(evaluator, schemas, handler);
    if let Some(declared) = declared_reply(evaluator, schemas, route, handler) {
        declare(evaluator, schemas, &mut answers, &declared);
    }
    replies::responses(evaluator, schemas, answers, 200, site)
}

/// What a handler sends through its reply, and what it returns.
fn answers<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, handler: &FunctionRef<'p>) -> Vec<Reply<'p>> {
    let types = schemas.typescript();
    let mut answers = types.replies(evaluator, handler, 1);
    let callable = types.callable_of(handler);
    let reply = callable.parameters().get(1).map_or("", |parameter| parameter.name.as_str());
    let place = types.place_of(handler);
    for (before, value) in returned_after(handler.node, reply, &["code", "status"]) {
        if !reply.is_empty() && begins_with(value, reply) {
            continue;
        }
        // What a function that the reply is handed on to sends was seen already.
        if is_handed(value, reply) && answers.iter().any(|answer| inner(value).span == answer.span) {
            continue;
        }
        let ty = types.type_of(evaluator, value, &place);
        let ty = types.awaited(evaluator, &ty);
        match &ty {
            Type::Undefined | Type::Never => continue,
            Type::External(path, _) if path.starts_with("fastify.") => continue,
            _ => {}
        }
        let status =
            before.and_then(|link| link.args.first()).map(|arg| types.constant(evaluator, arg.value(), &place));
        answers.push(Reply { status, body: ReplyBody::Value(ty), span: value.span, written: value.span });
    }
    answers
}

fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } => self::inner(inner),
        _ => expr,
    }
}

/// Whether a value is a call that the reply is handed on to.
fn is_handed(value: &Expr, reply: &str) -> bool {
    let is_reply = |arg: &Arg| matches!(&arg.value().kind, ExprKind::Name(name) if name == reply);
    matches!(&inner(value).kind, ExprKind::Call { args, .. } if args.iter().any(is_reply))
}

/// `get<{ Reply: User }>(…)`, `(request, reply: FastifyReply<{ Reply: User }>)`
fn declared_reply<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    handler: &FunctionRef<'p>,
) -> Option<Type<'p>> {
    let types = schemas.typescript();
    let mut generics: Vec<Type<'p>> = Vec::new();
    if let Some((given, scope)) = &route.draft.options.types {
        let env = Env::of(scope);
        generics.extend(given.iter().map(|ty| types.written(evaluator, ty, &env)));
    }
    let callable = types.callable_of(handler);
    if let Some(annotation) = callable.parameters().get(1).and_then(|parameter| parameter.annotation.as_ref())
        && let ExprKind::Index { index, .. } = &annotation.kind
    {
        generics.extend(index.iter().map(|ty| types.written(evaluator, ty, callable.env())));
    }
    for generic in generics {
        if let Some(object) = types.properties(evaluator, &generic)
            && let Some(reply) = object.props.iter().find(|prop| &*prop.name == "Reply")
        {
            let reply = types.force(evaluator, &reply.ty);
            return (!matches!(reply, Type::Any | Type::Unknown(..))).then_some(reply);
        }
    }
    None
}

/// Puts the declared type in the place of what the handler was seen to send; a table of statuses says each.
fn declare<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    answers: &mut [Reply<'p>],
    declared: &Type<'p>,
) {
    let table = schemas.typescript().properties(evaluator, declared).filter(|object| {
        let is_status = |name: &str| declared::status(&Value::str(name)).is_some();
        !object.props.is_empty() && object.props.iter().all(|prop| is_status(&prop.name))
    });
    for answer in answers {
        let ReplyBody::Value(ty) = &mut answer.body else { continue };
        match &table {
            None => *ty = declared.clone(),
            Some(table) => {
                let code = match &answer.status {
                    None => Some(200),
                    Some(Value::Int(code)) => u16::try_from(*code).ok(),
                    Some(_) => None,
                };
                let Some(code) = code else { continue };
                let fits = |name: &str| match declared::status(&Value::str(name)) {
                    Some(Status::Code(known)) => known == code,
                    Some(Status::Range(class)) => u16::from(class) == code / 100,
                    _ => false,
                };
                if let Some(prop) = table.props.iter().find(|prop| fits(&prop.name)) {
                    *ty = prop.ty.clone();
                }
            }
        }
    }
}
