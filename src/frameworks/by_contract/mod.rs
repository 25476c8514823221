//! Libraries that leave routing to a contract: an operation is implemented when the handler is there that the contract
//! names for it. Which contract that is and what it says is not known here: what is found is names and functions.

mod backend;
mod connexion;
mod controllers;
mod validator;

use super::{Framework, Route, Schemas, of_library, replies};
use crate::evaluate::{Args, Evaluator, NodeId, RouteDraft, Value, last};
use crate::model::{Handler, Method, Response, Routing};

pub(super) use backend::OPENAPI_BACKEND;
pub(super) use connexion::CONNEXION;
pub(super) use controllers::CONTROLLERS;
pub(super) use validator::OPENAPI_VALIDATOR;

/// What the evaluated code leaves to contracts.
pub(super) fn routings<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>) -> Vec<Routing> {
    let found = std::mem::take(&mut evaluator.routings);
    let mut routings = Vec::new();
    for routing in found {
        let Some(framework) = of_library(routing.library) else { continue };
        let mut handlers = Vec::new();
        for (name, value, span) in &routing.handlers {
            let Some(value) = value else {
                handlers.push(Handler { name: name.clone(), span: *span, responses: Vec::new() });
                continue;
            };
            let draft = RouteDraft {
                node: NodeId(0),
                methods: Value::None,
                path: Value::None,
                options: Args::default(),
                site: *span,
            };
            let route = Route { draft: &draft, handler: value, path: "", template: "", chain: &[] };
            evaluator.start(span.file);
            let responses = (framework.responses)(evaluator, schemas, &route);
            handlers.push(Handler { name: name.clone(), span: *span, responses });
        }
        let base = match &routing.base {
            Value::Str(base) => Some(base.trim_end_matches('/').to_owned()),
            _ => None,
        };
        let document = document(&routing.document);
        let (naming, open, span) = (routing.naming, routing.open, routing.site);
        routings.push(Routing { framework: framework.name, document, base, naming, handlers, open, span });
    }
    routings
}

/// The known end of the path of a document: `"./api/openapi.yaml"`, `path.join(__dirname, "openapi.yaml")`.
fn document(value: &Value) -> Option<String> {
    let text = match value {
        Value::Str(text) => text.to_string(),
        Value::Pattern(text) => text.rsplit(crate::evaluate::UNKNOWN_PART).next().unwrap_or("").to_owned(),
        Value::Made(made) if is_join(&made.path) => {
            let mut parts: Vec<&str> = made.args.positional.iter().rev().map_while(Value::as_str).collect();
            parts.reverse();
            parts.join("/")
        }
        _ => return None,
    };
    let parts: Vec<&str> = text.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    let above = parts.iter().rposition(|part| *part == "..").map_or(0, |at| at + 1);
    let end = parts[above..].join("/");
    let is_document = [".yaml", ".yml", ".json"].iter().any(|ending| end.to_ascii_lowercase().ends_with(ending));
    is_document.then_some(end)
}

/// Functions that put paths together.
fn is_join(path: &str) -> bool {
    matches!(path, "path.join" | "path.resolve" | "path.path.join" | "path.path.resolve")
}

/// What a handler answers through its parameter at `position`.
fn answers<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    position: usize,
) -> Vec<Response> {
    let site = route.draft.site;
    let (Value::Function(handler) | Value::Bound(_, handler)) = route.handler else {
        return vec![replies::unknown(schemas, "handler of the route is not known", site)];
    };
    let types = schemas.typescript();
    types.start();
    let found = types.replies(evaluator, handler, position);
    replies::responses(evaluator, schemas, found, 200, site)
}

fn no_methods(_: &RouteDraft) -> Vec<Method> {
    Vec::new()
}

/// Whether an external name is one of a library's.
fn is_of(path: &str, library: &str, names: &[&str]) -> bool {
    path.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        && names.contains(&last(path))
}
