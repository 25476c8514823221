//! What a route of Koa takes: what its handlers read off their context.

use crate::evaluate::Evaluator;
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
    let mut request = Request { parsed: true, ..Request::default() };
    let types = schemas.typescript();
    types.start();
    let reads = taken::reads_of(evaluator, types, &route.draft.options.positional, Part::Both, method, site);
    let reading = Reading { method, in_path: &[], declares: false };
    taken::read(evaluator, types, &mut request, &reads, &reading);
    request
}
