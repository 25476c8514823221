//! FastEndpoints: one class an endpoint, whose `Configure` says what it serves (fast-endpoints.com/docs).

mod definition;
mod endpoints;
mod requests;
mod responses;
mod settings;

use super::{Framework, hosting, route_template};
use crate::evaluate::{Args, Evaluator, Library, ModuleId, NodeId, RouteDraft, Value};
use crate::text::Span;

pub(super) static FAST_ENDPOINTS: Framework = Framework {
    name: "FastEndpoints",
    packages: &["FastEndpoints"],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[],
};

static LIBRARY: Library =
    Library { name: "FastEndpoints", any_case: true, node_kind, node_method, paths, finished, ..Library::CSHARP };

/// An endpoint's class.
const ENDPOINT: &str = "endpoint";
/// A class that configures several endpoints alike.
const GROUP: &str = "group";
/// What the settings of the library are written to.
const SETTINGS: &str = "settings";
/// What an endpoint describes its answers to.
const DESCRIPTION: &str = "description";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "[Endpoint]" => Some(ENDPOINT),
        "[Group]" => Some(GROUP),
        "[Settings]" => Some(SETTINGS),
        "[Description]" => Some(DESCRIPTION),
        _ => None,
    }
}

/// What is called on endpoints and their groups gives them back; settings are only written to.
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    if evaluator.node(id).kind == SETTINGS {
        return None;
    }
    definition::said(evaluator, id, name, args, site);
    Some(Value::Node(id))
}

fn finished(evaluator: &mut Evaluator<'_>, roots: &[ModuleId]) {
    endpoints::serve(evaluator, roots);
}

/// What a template serves without its parts that may be left out is no path that documents state.
fn paths<'p>(_: &RouteDraft<'p>, _: &[Args<'p>], path: &str) -> Vec<(String, bool)> {
    let route_template::Normal { path, shorter } = route_template::normalise(path);
    std::iter::once((path, false)).chain(shorter.into_iter().map(|path| (path, true))).collect()
}

/// The text of a value, where `string.Empty` is none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.to_string()),
        Value::None => Some(String::new()),
        Value::External(path) if matches!(&**path, "string.Empty" | "String.Empty") => Some(String::new()),
        _ => None,
    }
}
