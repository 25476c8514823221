//! What a router makes of each view set: `routes` of Django REST framework's routers, as a program may change them.

use std::cell::RefCell;
use std::rc::Rc;

use super::routers::attribute;
use crate::evaluate::{Args, Dict, Evaluator, Made, NodeId, Value, last};
use crate::text::Span;

const ROUTE: &str = "rest_framework.routers.Route";
const DYNAMIC: &str = "rest_framework.routers.DynamicRoute";
/// What each of them is made with, in order.
const PARTS: &[&str] = &["url", "mapping", "name", "detail", "initkwargs"];
const PARTS_OF_DYNAMIC: &[&str] = &["url", "name", "detail", "initkwargs"];
/// Methods of routers by which a program decides itself what is made of a view set.
const DECIDING: &[&str] = &["get_routes", "get_method_map", "get_lookup_regex"];

/// One kind of routes that a router makes: `Route(url=…, mapping={…})`, `DynamicRoute(url=…)`.
pub(super) struct Form {
    pub(super) url: String,
    /// Methods with the actions that they lead to; empty for the actions that view sets add.
    pub(super) mapping: Vec<(String, String)>,
    pub(super) dynamic: bool,
    pub(super) detail: bool,
}

/// Gives a router the `routes` of the library, which its constructor may change, where its class has none.
pub(super) fn give(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let site = evaluator.node(id).site;
    let class = evaluator.node(id).class.clone();
    let own = class.is_some_and(|class| evaluator.class_member(&class, "routes").is_some());
    if !own && !evaluator.node(id).attributes.contains_key("routes") {
        evaluator.node_mut(id).attributes.insert(Rc::from("routes"), of_library(site));
    }
}

/// `SimpleRouter.routes`
pub(super) fn of_library<'p>(site: Span) -> Value<'p> {
    let route = |url: &str, mapping: &[(&str, &str)], detail: bool| {
        let mut args = Args::default();
        args.set("url", Value::str(url));
        let entries = mapping.iter().map(|(method, action)| (Value::str(*method), Value::str(*action))).collect();
        args.set("mapping", Value::Dict(Rc::new(RefCell::new(Dict { entries, ..Dict::default() }))));
        args.set("detail", Value::Bool(detail));
        Value::Made(Rc::new(Made { path: Rc::from(ROUTE), receiver: None, args, site }))
    };
    let dynamic = |url: &str, detail: bool| {
        let mut args = Args::default();
        args.set("url", Value::str(url));
        args.set("detail", Value::Bool(detail));
        Value::Made(Rc::new(Made { path: Rc::from(DYNAMIC), receiver: None, args, site }))
    };
    let of_one = [("get", "retrieve"), ("put", "update"), ("patch", "partial_update"), ("delete", "destroy")];
    Value::list(vec![
        route("{prefix}{trailing_slash}", &[("get", "list"), ("post", "create")], false),
        dynamic("{prefix}/{url_path}{trailing_slash}", false),
        route("{prefix}/{lookup}{trailing_slash}", &of_one, true),
        dynamic("{prefix}/{lookup}/{url_path}{trailing_slash}", true),
    ])
}

/// `SimpleRouter.routes`, `route.mapping`
pub(super) fn member<'p>(evaluator: &Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::External(path) if name == "routes" && is_router(path) => {
            let nowhere = Span { file: crate::text::FileId(0), start: 0, end: 0 };
            Some(of_library(nowhere))
        }
        Value::Node(id) if name == "routes" && evaluator.node(*id).kind == "router" => {
            Some(of_library(evaluator.node(*id).site))
        }
        Value::Made(made) => part(made, name),
        _ => None,
    }
}

/// `route._replace(url=…)`
pub(super) fn replaced<'p>(path: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let made = match args.receiver.as_deref() {
        Some(Value::Made(made)) if last(path) == "_replace" => made,
        _ => return None,
    };
    let parts = parts_of(made)?;
    let mut given = Args::default();
    for (at, part) in parts.iter().enumerate() {
        if let Some(value) = args.named(part).or_else(|| made.args.get(at, part)) {
            given.set(part, value.clone());
        }
    }
    Some(Value::Made(Rc::new(Made { path: made.path.clone(), receiver: None, args: given, site: made.site })))
}

fn is_router(path: &str) -> bool {
    path.starts_with("rest_framework.routers.") && path.ends_with("Router")
}

fn parts_of(made: &Made) -> Option<&'static [&'static str]> {
    match made.name() {
        _ if made.receiver.is_some() || !made.path.starts_with("rest_framework.") => None,
        "Route" => Some(PARTS),
        "DynamicRoute" => Some(PARTS_OF_DYNAMIC),
        _ => None,
    }
}

fn part<'p>(made: &Made<'p>, name: &str) -> Option<Value<'p>> {
    let at = parts_of(made)?.iter().position(|part| *part == name)?;
    made.args.get(at, name).cloned()
}

/// The forms of a router, and whether they are all that it makes.
pub(super) fn of_router(evaluator: &mut Evaluator<'_>, id: NodeId) -> (Vec<Form>, bool) {
    let class = evaluator.node(id).class.clone();
    let decides = class.is_some_and(|class| {
        let own = DECIDING.iter().any(|name| evaluator.class_member(&class, name).is_some());
        own || evaluator.unknown_base(&class)
    });
    let site = evaluator.node(id).site;
    let routes = attribute(evaluator, id, "routes").and_then(|routes| routes.elements());
    let known: Option<Vec<Form>> = routes.as_ref().and_then(|routes| routes.iter().map(form).collect());
    if let Some(forms) = known.filter(|forms| !forms.is_empty()) {
        return (forms, !decides);
    }
    let of_library = of_library(site).elements().unwrap_or_default();
    (of_library.iter().filter_map(form).collect(), false)
}

fn form(route: &Value) -> Option<Form> {
    let Value::Made(made) = route else { return None };
    let dynamic = match last(&made.path) {
        "DynamicRoute" | "DynamicListRoute" | "DynamicDetailRoute" => true,
        "Route" => false,
        _ => return None,
    };
    let url = made.args.get(0, "url").and_then(Value::as_str)?.trim_end_matches('$').to_owned();
    let mapping = match made.args.get(1, "mapping") {
        Some(Value::Dict(mapping)) if !dynamic => {
            let mapping = mapping.borrow();
            let entry = |(method, action): &(Value, Value)| {
                Some((method.as_str()?.to_lowercase(), action.as_str()?.to_owned()))
            };
            mapping.entries.iter().filter_map(entry).collect()
        }
        _ => Vec::new(),
    };
    let detail = match made.args.get(if dynamic { 2 } else { 3 }, "detail") {
        Some(Value::Bool(detail)) => *detail,
        _ => url.contains("{lookup}"),
    };
    Some(Form { url, mapping, dynamic, detail })
}
