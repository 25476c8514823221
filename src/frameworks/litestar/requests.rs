//! What a handler of Litestar takes: its parameters by name and by what describes them, `data` as the body, and what is
//! provided to it (Litestar docs: "Parameters", "Requests", "Dependency Injection").

use rustc_hash::FxHashSet;

use super::is_ours;
use crate::evaluate::{Evaluator, Made, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, Schemas, taken};
use crate::languages::python::schema::takes_none;
use crate::languages::python::signature::{self, signature};
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, PathTemplate, Request};

/// Names that the library gives something of its own.
const RESERVED: &[&str] = &["request", "headers", "cookies", "query", "state", "scope", "socket", "body", "self"];

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    _: Method,
) -> Request {
    let site = route.draft.site;
    let mut request = Request::default();
    let in_path: FxHashSet<String> = PathTemplate::new(route.path).parameters().map(str::to_owned).collect();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut waiting = vec![route.handler.clone()];
    while let Some(callable) = waiting.pop() {
        let parameters = match signature(evaluator, &callable) {
            Ok(parameters) => parameters,
            Err(why) => {
                let reason = Reason::new(format!("what a handler takes is not known: {why}"), Some(site));
                request.other_parameters.get_or_insert_with(|| reason.clone());
                request.other_bodies.get_or_insert(reason);
                continue;
            }
        };
        for parameter in parameters {
            let name = parameter.name.to_string();
            if parameter.rest || in_path.contains(&name) || !seen.insert(name.clone()) {
                continue;
            }
            if RESERVED.contains(&name.as_str()) {
                if matches!(name.as_str(), "request" | "headers" | "cookies" | "query" | "scope") {
                    let reason = || Reason::new("the request itself is read", Some(parameter.span));
                    request.other_parameters.get_or_insert_with(reason);
                }
                if matches!(name.as_str(), "request" | "body" | "scope") {
                    let reason = || Reason::new("the request itself is read", Some(parameter.span));
                    request.other_bodies.get_or_insert_with(reason);
                }
                continue;
            }
            if let Some(provider) = provided(route, &name) {
                waiting.push(provider);
                continue;
            }
            one(evaluator, schemas, route, &parameter, &mut request);
        }
    }
    request
}

/// What is given for a name: `dependencies={"db": Provide(connect)}` of the handler, or of what is around it.
fn provided<'p>(route: &Route<'_, 'p>, name: &str) -> Option<Value<'p>> {
    [&route.draft.options].into_iter().chain(route.chain).find_map(|options| {
        let Some(Value::Dict(dependencies)) = options.named("dependencies") else { return None };
        let given = dependencies.borrow().get_str(name)?.clone();
        Some(match &given {
            Value::Made(made) if made.name() == "Provide" => made.args.get(0, "dependency").cloned().unwrap_or(given),
            _ => given,
        })
    })
}

/// Whether a layer around a handler provides more than is known by name.
fn provides_more(route: &Route<'_, '_>) -> bool {
    [&route.draft.options].into_iter().chain(route.chain).any(|options| match options.named("dependencies") {
        None | Some(Value::None) => false,
        Some(Value::Dict(dependencies)) => !dependencies.borrow().is_whole(),
        Some(_) => true,
    })
}

/// One parameter of a handler.
fn one<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    parameter: &signature::Parameter<'p>,
    request: &mut Request,
) {
    let span = parameter.span;
    let annotation = parameter.annotation.clone().unwrap_or_else(|| Value::external("typing.Any"));
    let (kind, described) = described(&annotation, parameter.default.as_ref());
    let argument = |name: &str| described.and_then(|made| made.args.named(name));
    if described.is_some_and(|made| made.name() == "Dependency") {
        return;
    }
    let default = parameter.default.as_ref().filter(|default| !matches!(default, Value::Made(made) if is_mark(made)));
    let default = default.or_else(|| argument("default"));
    let optional = default.is_some() || takes_none(&kind);
    if &*parameter.name == "data" {
        let option = |name: &str| {
            let own = route.draft.options.named(name);
            own.or_else(|| route.chain.iter().find_map(|options| options.named(name)))
        };
        let media = match argument("media_type") {
            Some(Value::External(path)) if last(path) == "MULTI_PART" => taken::MULTIPART,
            Some(Value::External(path)) if last(path) == "URL_ENCODED" => taken::URLENCODED,
            _ => taken::JSON,
        };
        let python = schemas.python();
        let shape = if option("dto").is_some_and(|dto| !matches!(dto, Value::None)) {
            python.unknown("what a DTO lets through is not read", Some(span))
        } else {
            python.taken_shape(evaluator, &kind, Some(span))
        };
        request.bodies.push(Body { media: media.to_owned(), shape, span, required: !optional });
        return;
    }
    if matches!(&kind, Value::External(path) if is_ours(path)) {
        return;
    }
    let places =
        [("query", ParameterPlace::Query), ("header", ParameterPlace::Header), ("cookie", ParameterPlace::Cookie)];
    let named = places.iter().find_map(|(key, place)| Some((argument(key)?.as_str()?.to_owned(), *place)));
    let (name, place) = named.unwrap_or_else(|| (parameter.name.to_string(), ParameterPlace::Query));
    let required = match argument("required") {
        Some(Value::Bool(said)) => *said,
        _ => !optional,
    };
    let shape = schemas.python().taken_shape(evaluator, &kind, Some(span));
    // What is of no type that a parameter may have is provided from further out, and what a layer provides whose names
    // are not known may be.
    let is_said = described.is_some_and(|made| made.name() == "Parameter");
    let is_unknown = matches!(schemas.table().view(shape).shape.kind, Kind::Unknown(_));
    if !is_said && (is_unknown || provides_more(route)) {
        let why = format!("whether `{name}` is a parameter or provided is not known");
        request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(span)));
        return;
    }
    taken::add(request, Parameter { name, place, required, shape, span });
}

fn is_mark(made: &Made) -> bool {
    is_ours(&made.path) && matches!(made.name(), "Parameter" | "Body" | "Dependency")
}

/// A type without what `Annotated` says of it, and the call that describes it: `Parameter(header="X-Token")`.
fn described<'v, 'p>(annotation: &'v Value<'p>, default: Option<&'v Value<'p>>) -> (Value<'p>, Option<&'v Made<'p>>) {
    let mark = |value: &'v Value<'p>| match value {
        Value::Made(made) if is_mark(made) => Some(&**made),
        _ => None,
    };
    let in_default = default.and_then(mark);
    match annotation {
        Value::Applied(base, args) if base.as_external().is_some_and(|path| last(path) == "Annotated") => {
            let in_type = args.iter().skip(1).find_map(mark);
            (args.first().cloned().unwrap_or(Value::Ellipsis), in_default.or(in_type))
        }
        other => (other.clone(), in_default),
    }
}
