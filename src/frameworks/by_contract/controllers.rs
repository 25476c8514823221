//! `oas3-tools` and `swagger-tools`, which generated servers are built on: an operation names a file below a directory, its
//! controller, and is answered by the function that the file exports under its `operationId`.

use super::validator::{directory, handlers_below};
use super::{Framework, Route, Schemas, answers, is_of, no_methods};
use crate::evaluate::{Args, ContractRouting, Evaluator, Library, Value};
use crate::model::{Naming, Response};
use crate::text::Span;

pub(in crate::frameworks) static CONTROLLERS: Framework = Framework {
    name: "oas3-tools",
    packages: &["oas3-tools", "swagger-tools"],
    library: &LIBRARY,
    methods: no_methods,
    responses,
    requests: crate::frameworks::requests::unread,
    application_kinds: &[],
};

static LIBRARY: Library = Library {
    name: "oas3-tools",
    words: &["expressAppConfig", "initializeMiddleware", "swaggerRouter"],
    call,
    ..Library::TYPESCRIPT
};

/// Stands for what `initializeMiddleware` hands its callback.
const MIDDLEWARE: &str = "swagger-tools.middleware";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if is_of(path, "oas3-tools", &["expressAppConfig"]) {
        let [document, Value::Dict(options), ..] = args.positional.as_slice() else { return None };
        let routing = options.borrow().get_str("routing").cloned();
        let controllers = match &routing {
            Some(Value::Dict(routing)) => routing.borrow().get_str("controllers").cloned(),
            _ => options.borrow().get_str("controllers").cloned(),
        };
        route(evaluator, document.clone(), controllers, site);
    } else if is_of(path, "swagger-tools", &["initializeMiddleware"]) {
        let code = args.positional.get(1).filter(|code| matches!(code, Value::Function(_) | Value::Bound(..)))?;
        let given = Args { positional: vec![Value::external(MIDDLEWARE)], ..Args::default() };
        evaluator.call_always(code, given, site);
    } else if is_of(path, MIDDLEWARE, &["swaggerRouter"]) {
        let Some(Value::Dict(options)) = args.positional.first() else { return None };
        let controllers = options.borrow().get_str("controllers").cloned();
        route(evaluator, Value::None, controllers, site);
    }
    None
}

fn route<'p>(evaluator: &mut Evaluator<'p>, document: Value<'p>, controllers: Option<Value<'p>>, site: Span) {
    if evaluator.routings.iter().any(|routing| routing.site == site) {
        return;
    }
    let directory = controllers.and_then(|controllers| directory(evaluator, &controllers, site));
    let handlers = directory.iter().flat_map(|directory| handlers_below(evaluator, directory)).collect();
    let naming = Naming {
        places: &["x-openapi-router-controller", "x-swagger-router-controller"],
        needs_place: true,
        ..Naming::default()
    };
    let open = directory.is_none();
    evaluator.routings.push(ContractRouting {
        library: &LIBRARY,
        document,
        base: Value::None,
        naming,
        handlers,
        open,
        site,
    });
}

fn responses<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    answers(evaluator, schemas, route, 1)
}
