//! What a handler of aiohttp takes: what it reads of the request by itself, and what schemas read for it.

use super::apispec;
use crate::evaluate::Evaluator;
use crate::frameworks::by_hand::{self, Reach};
use crate::frameworks::{Route, Schemas, located};
use crate::model::{Method, Request};

pub(in crate::frameworks) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let mut request = by_hand::requests(evaluator, schemas, route, method, Reach::Parameter);
    located::add(evaluator, schemas, route, &mut request, apispec::read);
    request
}
