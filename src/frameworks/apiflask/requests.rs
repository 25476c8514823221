//! What a view of APIFlask takes: the schemas that `@app.input` names, and what it reads by itself.

use crate::evaluate::Evaluator;
use crate::frameworks::{Route, Schemas, flask};
use crate::model::{Method, Request};

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    flask::requests::declared(evaluator, schemas, route, method, |made| {
        (made.path.starts_with("apiflask.") && made.name() == "input").then_some(("schema", "json"))
    })
}
