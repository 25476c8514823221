//! What a route answers: its declared responses, else what its handler says.

use super::context;
use crate::evaluate::{Evaluator, Value};
use crate::frameworks::declared::{self, Entry};
use crate::frameworks::{Route, Schemas, replies};
use crate::languages::typescript::schema::answers::{begins_with, returned_after};
use crate::languages::typescript::schema::{Reply, ReplyBody};
use crate::model::Response;
use crate::model::program::{Arg, ExprKind};

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    schemas.typescript().start();
    if let Some(declared) = route.draft.options.named("responses") {
        let Value::Dict(table) = declared else {
            return vec![replies::unknown(schemas, "declared responses are not known", site)];
        };
        let table = table.borrow().clone();
        let found = declared::responses(evaluator, schemas, &table, Entry::OpenApi, "application/json", site);
        if !found.is_empty() {
            return found;
        }
        if table.open {
            return vec![replies::unknown(schemas, "declared responses are not known", site)];
        }
    }
    let (Value::Function(handler) | Value::Bound(_, handler)) = route.handler else {
        return vec![replies::unknown(schemas, "handler of the route is not known", site)];
    };
    let context = context::of_handler(evaluator, schemas, route, handler);
    let types = schemas.typescript();
    let mut answers = types.replies_given(evaluator, handler, 0, vec![(0, context)]);
    let callable = types.callable_of(handler);
    let context = callable.parameters().first().map_or("", |parameter| parameter.name.as_str());
    // Whatever else is returned is a `Response` that is made elsewhere.
    for (_, value) in returned_after(handler.node, context, &[]) {
        let is_context = |arg: &Arg| matches!(&arg.value().kind, ExprKind::Name(name) if name == context);
        let seen = answers.iter().any(|answer| answer.span == value.span);
        let handed = matches!(&value.kind, ExprKind::Call { args, .. } if args.iter().any(is_context));
        if !seen && (handed || !begins_with(value, context)) && !matches!(value.kind, ExprKind::None) {
            let unknown = Value::Unknown("a response that is made elsewhere", Some(value.span));
            let body = ReplyBody::Other("a response that is made elsewhere");
            answers.push(Reply { status: Some(unknown), body, span: value.span });
        }
    }
    replies::responses(evaluator, schemas, answers, 200, site)
}
