//! What a handler of aiohttp takes: what it reads of the request by itself.

use crate::evaluate::Evaluator;
use crate::frameworks::by_hand::{self, Reach};
use crate::frameworks::{Route, Schemas};
use crate::model::{Method, Request};

pub(in crate::frameworks) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    by_hand::requests(evaluator, schemas, route, method, Reach::Parameter)
}
