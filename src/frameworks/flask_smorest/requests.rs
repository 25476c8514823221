//! What a view of flask-smorest takes: the schemas that `@blp.arguments` names, pages, and what it reads by itself.

use crate::evaluate::{Evaluator, Value, last};
use crate::frameworks::{Route, Schemas, flask, returned, taken};
use crate::model::{Kind, Method, Parameter, ParameterPlace, Request, Shape};

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let is = |path: &str, name: &str| path.starts_with("flask_smorest.") && last(path) == name;
    let mut request = flask::requests::declared(evaluator, schemas, route, method, |made| {
        is(&made.path, "arguments").then_some(("schema", "json"))
    });
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else { return request };
    for decorator in returned::decorators(evaluator, &function) {
        if let Value::Made(made) = decorator
            && is(&made.path, "paginate")
        {
            for name in ["page", "page_size"] {
                let shape = schemas.python().table.add(Shape::new(Kind::Integer));
                let (name, place, span) = (name.to_owned(), ParameterPlace::Query, made.site);
                taken::add(&mut request, Parameter { name, place, required: false, shape, span });
            }
        }
    }
    request
}
