//! What a controller declares: its paths and versions, and a route for each decorated method.

use super::paths::paths_of;
use super::{COMMON, SWAGGER, status};
use crate::evaluate::{Args, ClassRef, Evaluator, Value, last};
use crate::frameworks::decorated::{self, Decorators, find, is_of, option};
use crate::text::Span;
use std::rc::Rc;

/// A class that serves routes.
pub(super) struct Controller<'p> {
    pub(super) class: ClassRef<'p>,
    /// As written.
    pub(super) paths: Vec<Value<'p>>,
    pub(super) versions: Option<Vec<Value<'p>>>,
    pub(super) routes: Vec<Declared<'p>>,
    /// Of all its routes.
    pub(super) options: Args<'p>,
    pub(super) site: Span,
}

/// A route as its decorators declare it.
pub(super) struct Declared<'p> {
    pub(super) methods: &'static [&'static str],
    pub(super) paths: Vec<Value<'p>>,
    pub(super) versions: Option<Vec<Value<'p>>>,
    pub(super) options: Args<'p>,
    pub(super) handler: Value<'p>,
    pub(super) site: Span,
}

/// Each decorator of a route, and the methods that it means.
const VERBS: &[(&str, &[&str])] = &[
    ("Get", &["GET"]),
    ("Post", &["POST"]),
    ("Put", &["PUT"]),
    ("Patch", &["PATCH"]),
    ("Delete", &["DELETE"]),
    ("Head", &["HEAD"]),
    ("Options", &["OPTIONS"]),
    ("All", ALL),
    ("Sse", &["GET"]),
    // A method that no contract can have.
    ("Search", &[]),
    ("RequestMapping", &["GET"]),
];
const ALL: &[&str] = &["GET", "PUT", "POST", "DELETE", "PATCH"];

/// Reads a class whose decorators, its own or inherited ones, make it a controller.
pub(super) fn read<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    decorators: &Decorators<'p>,
) -> Option<Controller<'p>> {
    let declared = find(decorators, COMMON, &["Controller"])?.clone();
    let given = declared.args.positional.first();
    let (path, versions) = match given {
        Some(options @ Value::Dict(_)) => (option(options, "path"), option(options, "version")),
        other => (other.cloned(), None),
    };
    let paths = paths_of(path.as_ref());
    let versions = find(decorators, COMMON, &["Version"])
        .and_then(|made| made.args.positional.first().cloned())
        .or(versions)
        .map(|versions| versions_of(&versions));
    let mut options = Args::default();
    if is_hidden(decorators, "ApiExcludeController") {
        options.set("include_in_schema", Value::Bool(false));
    }
    options.positional = decorators.iter().cloned().map(Value::Made).collect();
    let routes = routes(evaluator, class);
    Some(Controller { class: class.clone(), paths, versions, routes, options, site: declared.site })
}

fn routes<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Declared<'p>> {
    let mut routes = Vec::new();
    for method in decorated::methods(evaluator, class) {
        let verb = method.decorators.iter().find_map(|made| {
            let (_, methods) = VERBS.iter().find(|(name, _)| is_of(made, COMMON, &[name]))?;
            Some((made, *methods))
        });
        // Handlers of messages and events (`@MessagePattern`, `@EventPattern`) answer a channel, and none of HTTP.
        let Some((verb, methods)) = verb else { continue };
        let (path, methods) = match verb.args.positional.first() {
            Some(options @ Value::Dict(_)) => (option(options, "path"), mapped(options).unwrap_or(methods)),
            other => (other.cloned(), methods),
        };
        let versions = find(&method.decorators, COMMON, &["Version"]).and_then(|made| made.args.positional.first());
        let mut options = Args::default();
        if is_hidden(&method.decorators, "ApiExcludeEndpoint") {
            options.set("include_in_schema", Value::Bool(false));
        }
        if let Some(operation) = find(&method.decorators, SWAGGER, &["ApiOperation"])
            && let Some(deprecated) = operation.args.positional.first().and_then(|it| option(it, "deprecated"))
        {
            options.set("deprecated", deprecated);
        }
        options.positional = method.decorators.iter().cloned().map(Value::Made).collect();
        routes.push(Declared {
            methods,
            paths: paths_of(path.as_ref()),
            versions: versions.map(versions_of),
            options,
            handler: Value::Bound(Rc::new(Value::Class(class.clone())), method.function),
            site: verb.site,
        });
    }
    routes
}

/// `@RequestMapping({ path, method: RequestMethod.POST })`
fn mapped(options: &Value) -> Option<&'static [&'static str]> {
    let Some(Value::Int(number)) = option(options, "method") else { return None };
    let name = status::request_method(number)?;
    VERBS.iter().find(|(verb, _)| verb.eq_ignore_ascii_case(name)).map(|(_, methods)| *methods)
}

fn is_hidden(decorators: &Decorators, name: &str) -> bool {
    find(decorators, SWAGGER, &[name])
        .is_some_and(|made| !matches!(made.args.positional.first(), Some(Value::Bool(false))))
}

/// Each version that a route or controller is served in.
pub(super) fn versions_of<'p>(given: &Value<'p>) -> Vec<Value<'p>> {
    given.elements().unwrap_or_else(|| vec![given.clone()])
}

/// `VERSION_NEUTRAL`: served without a version.
pub(super) fn is_neutral(version: &Value) -> bool {
    version.as_external().is_some_and(|path| last(path) == "VERSION_NEUTRAL")
}
