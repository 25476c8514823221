//! What a route of Next.js takes: what its handler reads, and the functions around the places where it answers.

use super::{SENT, handlers, probe};
use crate::evaluate::{Evaluator, Scope, Value};
use crate::frameworks::taken::{self, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::Part;
use crate::model::{Method, Request};

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let mut request = Request::default();
    let types = schemas.typescript();
    types.start();
    // Functions that wrap handlers ran: what they were made with is known.
    let sent = route.draft.options.named(SENT).and_then(Value::elements).unwrap_or_default();
    let scopes: Vec<Scope<'p>> = sent
        .iter()
        .filter_map(|sent| match sent {
            Value::Made(made) => made.args.written.as_ref().map(|(_, scope)| scope.clone()),
            _ => None,
        })
        .collect();
    let mut reads = types.reads_around(evaluator, &scopes, Some(method.name()), |scope, name| {
        probe::is_request(&scope.own(name)?).then_some(Part::Request)
    });
    if let Some(handler) = handlers(route.handler) {
        reads.add(taken::reads_of(evaluator, types, &[handler], Part::Request, method, site));
    } else if scopes.is_empty() {
        reads.whole.push((None, site));
    }
    let in_path = taken::names_in_path(&route.draft.path);
    let reading = Reading { method, in_path: &in_path, declares: false };
    taken::read(evaluator, types, &mut request, &reads, &reading);
    request
}
