//! aiohttp's server: applications, tables of routes, resources, views.

mod apispec;
mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, class_views, handlers};
use crate::evaluate::{Args, Evaluator, Library, Made, ModuleId, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::text::Span;

pub(super) static AIOHTTP: Framework = Framework {
    name: "aiohttp",
    packages: &["aiohttp"],
    library: &LIBRARY,
    methods: handlers::methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "aiohttp",
    words: &["add_routes", "add_route", "add_get", "add_post", "add_view", "add_resource", "add_subapp"],
    word_suffixes: &["RouteTableDef"],
    decorator_words: &["get", "post", "put", "patch", "delete", "view", "route"],
    application_words: &["Application"],
    node_kind,
    node_method,
    call: apispec::call,
    finished,
    ..Library::PYTHON
};

const APPLICATION: &str = "application";
const TABLE: &str = "table of routes";
const RESOURCE: &str = "resource";
const RESOURCE_PATH: &str = "aiohttp.web.Resource";

fn node_kind(path: &str) -> Option<&'static str> {
    if !path.starts_with("aiohttp.") {
        return None;
    }
    match last(path) {
        "Application" => Some(APPLICATION),
        "RouteTableDef" => Some(TABLE),
        "Resource" => Some(RESOURCE),
        _ => None,
    }
}

/// The method that a name such as `add_get` or `get` stands for; a view answers whatever it defines.
fn verb<'p>(name: &str) -> Option<Value<'p>> {
    let name = name.strip_prefix("add_").unwrap_or(name);
    match name {
        "get" | "post" | "put" | "patch" | "delete" | "head" | "options" => {
            Some(Value::list(vec![Value::str(name.to_uppercase())]))
        }
        "view" => Some(Value::None),
        _ => None,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as the evaluator hands them over")]
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let is_table = evaluator.node(id).kind == TABLE;
    match name {
        "add_routes" => {
            let routes = args.get(0, "routes").cloned()?;
            take(evaluator, id, &routes, site);
            Some(Value::None)
        }
        "add_subapp" => {
            let prefix = template(args.get(0, "prefix")?);
            mount(evaluator, id, prefix, args.get(1, "subapp"), site);
            Some(Value::None)
        }
        "add_domain" => {
            mount(evaluator, id, Value::str(""), args.get(1, "subapp"), site);
            Some(Value::None)
        }
        "add_resource" => {
            let path = template(args.get(0, "path")?);
            let child = evaluator.make_node(RESOURCE_PATH, Args::default(), None, site)?;
            evaluator.add_mount(id, child, path, Args::default(), site, MountKind::Include);
            Some(Value::Node(child))
        }
        "route" if is_table => {
            Some(Value::Route(Rc::new(draft(id, one(args.get(0, "method")), args.get(1, "path"), site))))
        }
        "add_route" if evaluator.node(id).kind == RESOURCE => {
            let draft = Rc::new(draft(id, one(args.get(0, "method")), Some(&Value::str("")), site));
            let handler = args.get(1, "handler").cloned()?;
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
        "add_route" => {
            let draft = Rc::new(draft(id, one(args.get(0, "method")), args.get(1, "path"), site));
            let handler = args.get(2, "handler").cloned()?;
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
        name => {
            let methods = verb(name)?;
            let draft = Rc::new(draft(id, methods, args.get(0, "path"), site));
            if is_table {
                return Some(Value::Route(draft));
            }
            let handler = args.get(1, "handler").cloned()?;
            evaluator.add_route(&draft, handler);
            Some(Value::None)
        }
    }
}

/// A method in a list of its own; `*` stands for every one.
fn one<'p>(method: Option<&Value<'p>>) -> Value<'p> {
    Value::list(vec![method.cloned().unwrap_or(Value::str("*"))])
}

fn draft<'p>(id: NodeId, methods: Value<'p>, path: Option<&Value<'p>>, site: Span) -> RouteDraft<'p> {
    let path = path.map_or(Value::str(""), template);
    RouteDraft { node: id, methods, path, options: Args::default(), site }
}

/// `[web.get("/x", handler), web.view("/y", View), …]`, a table of routes, or both.
fn take<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, routes: &Value<'p>, site: Span) {
    match routes {
        Value::Node(table) => {
            evaluator.add_mount(id, *table, Value::str(""), Args::default(), site, MountKind::Include);
        }
        Value::Unknown(why, _) => {
            let reason = Reason::new(format!("routes that are added are not known: {why}"), Some(site));
            evaluator.node_mut(id).opaque.push(Opaque::below(Value::str(""), reason));
        }
        other => {
            for route in other.elements().unwrap_or_default() {
                match &route {
                    Value::Made(made) => add(evaluator, id, made),
                    Value::Node(_) => take(evaluator, id, &route, site),
                    _ => {}
                }
            }
        }
    }
}

fn add<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, made: &Made<'p>) {
    if !made.path.starts_with("aiohttp.") {
        return;
    }
    let (methods, at) = match made.name() {
        "route" => (one(made.args.get(0, "method")), 1),
        name => match verb(name) {
            Some(methods) => (methods, 0),
            None => return,
        },
    };
    let draft = Rc::new(draft(id, methods, made.args.get(at, "path"), made.site));
    if let Some(handler) = made.args.get(at + 1, "handler") {
        evaluator.add_route(&draft, handler.clone());
    }
}

fn mount<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, app: Option<&Value<'p>>, site: Span) {
    match app {
        Some(Value::Node(child)) => {
            evaluator.add_mount(id, *child, prefix, Args::default(), site, MountKind::Application);
        }
        Some(Value::Made(_) | Value::External(_)) | None => {}
        Some(other) => {
            let reason =
                Reason::new(format!("application that is added is not known: {}", other.describe()), Some(site));
            evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
        }
    }
}

/// `/users/{id:\d{3}}` is `/users/{id}`.
fn template<'p>(path: &Value<'p>) -> Value<'p> {
    match path {
        Value::Str(text) => Value::str(template_text(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(template_text(text))),
        other => other.clone(),
    }
}

fn template_text(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut depth = 0_u32;
    let mut in_pattern = false;
    for c in path.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ':' if depth == 1 => in_pattern = true,
            _ => {}
        }
        if c == '}' && depth == 0 {
            in_pattern = false;
        }
        if !in_pattern && (depth <= 1) {
            out.push(c);
        }
    }
    out
}

/// The methods of views that are added for every method are those that they define.
fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    class_views::open(evaluator, &LIBRARY, class_views::defined);
}

#[cfg(test)]
mod tests {
    use super::template_text;

    #[test]
    fn patterns_of_parameters_are_left_out() {
        for (path, template) in [
            ("/users/{id}", "/users/{id}"),
            (r"/users/{id:\d+}/x", "/users/{id}/x"),
            (r"/c/{code:[a-z]{2}}/{rest:.*}", "/c/{code}/{rest}"),
        ] {
            assert_eq!(template_text(path), template);
        }
    }
}
