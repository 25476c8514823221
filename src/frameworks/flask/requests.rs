//! What a view of Flask takes: what it reads of the request by itself, and what schemas of marshmallow read for it.

use crate::evaluate::{Evaluator, Made, last};
use crate::frameworks::by_hand::{self, Reach};
use crate::frameworks::{Route, Schemas, located};
use crate::model::{Method, Request};

/// What a view takes; one that webargs reads for it among that.
pub(in crate::frameworks) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    declared(evaluator, schemas, route, method, |made| {
        let is_ours = made.path.starts_with("webargs.") && matches!(last(&made.path), "use_args" | "use_kwargs");
        is_ours.then_some(("argmap", "json"))
    })
}

/// What a view takes whose decorators say which schema reads what: `by` tells the name of the schema among a decorator's
/// arguments and where it reads if nothing else is said.
pub(in crate::frameworks) fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
    by: impl Fn(&Made<'p>) -> Option<(&'static str, &'static str)>,
) -> Request {
    let mut request = by_hand::requests(evaluator, schemas, route, method, Reach::Global);
    located::add(evaluator, schemas, route, &mut request, by);
    request
}
