//! Routers: what `register` made of a prefix and a view set. Follows `rest_framework.routers` and drf-nested-routers.

use std::rc::Rc;

use super::actions::{self, ACTIONS};
use super::views::Target;
use super::{forms, packaged};
use crate::evaluate::{Args, ClassRef, Evaluator, Made, NodeId, Value, last};
use crate::text::Span;

/// Stands for the patterns of a router in a list of patterns.
pub(super) const URLS: &str = "rest_framework.routers.urls";

/// The attribute with what comes before the prefixes of a router.
const WITHIN: &str = "$within";

/// A pattern of a router.
pub(super) struct RouterRoute<'p> {
    pub(super) regex: String,
    pub(super) target: Target<'p>,
    pub(super) site: Span,
}

pub(super) fn created(evaluator: &mut Evaluator, id: NodeId) {
    if evaluator.node(id).kind == "router" && !evaluator.node(id).attributes.contains_key("registry") {
        let registry = Value::list(Vec::new());
        evaluator.node_mut(id).attributes.insert(Rc::from("registry"), registry);
        forms::give(evaluator, id);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "every library is asked alike")]
pub(super) fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    if evaluator.node(id).kind != "router" {
        return None;
    }
    match name {
        "register" => {
            let missing = Value::Unknown("what is registered is not known", Some(site));
            let prefix = args.get(0, "prefix").cloned().unwrap_or(Value::str(""));
            let prefix = match (&prefix, evaluator.node(id).attributes.get(WITHIN)) {
                (Value::Str(prefix), Some(Value::Str(within))) => Value::str(format!("{within}/{prefix}")),
                _ => prefix,
            };
            let viewset = args.get(1, "viewset").cloned().unwrap_or(missing);
            let basename = args.get(2, "basename").cloned().unwrap_or(Value::None);
            // Where it is written stands beside it: views of several files are registered in one.
            let place =
                Value::Made(Rc::new(Made { path: Rc::from(URLS), receiver: None, args: Args::default(), site }));
            if let Some(Value::List(registry)) = evaluator.node(id).attributes.get("registry").cloned() {
                let nested = nested(evaluator, &prefix, &viewset, &args, &place);
                let mut registry = registry.borrow_mut();
                registry.push(Value::Tuple(Rc::from([prefix.clone(), viewset, basename, place])));
                registry.extend(nested);
            }
            if evaluator.node(id).path.starts_with("rest_framework_extensions") {
                return Some(within(evaluator, id, &prefix, &args, site));
            }
            Some(Value::None)
        }
        "get_urls" => Some(urls(id, site)),
        _ => None,
    }
}

/// View sets that are registered below an object of another: `[routers.Nested("versions", VersionViewSet)]`.
fn nested<'p>(
    evaluator: &mut Evaluator<'p>,
    prefix: &Value<'p>,
    viewset: &Value<'p>,
    args: &Args<'p>,
    place: &Value<'p>,
) -> Vec<Value<'p>> {
    let (Value::Str(prefix), Value::Class(class)) = (prefix, viewset) else { return Vec::new() };
    let lists = args.values().filter_map(Value::elements).flatten();
    let made = lists.filter_map(|value| if let Value::Made(made) = value { Some(made) } else { None });
    let mut out = Vec::new();
    for inner in made.filter(|made| made.name() == "Nested") {
        let (Some(name), Some(viewset)) =
            (inner.args.get(0, "prefix").and_then(Value::as_str), inner.args.get(1, "viewset"))
        else {
            continue;
        };
        let field = field_name(evaluator, class);
        let whole = format!("{prefix}/(?P<parent_{field}>[^/.]+)/{name}");
        out.push(Value::Tuple(Rc::from([Value::str(whole), viewset.clone(), Value::None, place.clone()])));
    }
    out
}

/// What drf-extensions gives to register further view sets below an object of the one that was registered.
fn within<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: &Value<'p>, args: &Args<'p>, site: Span) -> Value<'p> {
    let registry = evaluator.node(id).attributes.get("registry").cloned();
    let Some(inner) = evaluator.make_node("rest_framework_extensions.NestedRouter", Args::default(), None, site) else {
        return Value::None;
    };
    let depth = args.named("parents_query_lookups").and_then(Value::elements).map_or(0, |names| names.len());
    let node = evaluator.node_mut(inner);
    if let Some(registry) = registry {
        node.attributes.insert(Rc::from("registry"), registry);
    }
    let within = match prefix {
        Value::Str(prefix) => Value::str(format!("{prefix}/(?P<parent_{}>[^/.]+)", depth + 1)),
        other => other.clone(),
    };
    node.attributes.insert(Rc::from(WITHIN), within);
    Value::Node(inner)
}

/// The patterns that a router's own `get_urls` gives, else those that the library makes.
pub(super) fn urls_of<'p>(evaluator: &mut Evaluator<'p>, id: NodeId) -> Value<'p> {
    let site = evaluator.node(id).site;
    let class = evaluator.node(id).class.clone();
    let own = class.and_then(|class| evaluator.class_member(&class, "get_urls"));
    if let Some(Value::Function(function)) = own {
        let args = Args { positional: vec![Value::Node(id)], ..Args::default() };
        let given = evaluator.call_function(&function, args);
        if matches!(given, Value::List(_)) {
            return given;
        }
        let more = Value::Unknown("patterns that a router makes in a way of its own", Some(function.node.name_span));
        return Value::list(urls(id, site).elements().into_iter().flatten().chain([more]).collect());
    }
    urls(id, site)
}

/// The patterns of a router, as one entry of a list.
pub(super) fn urls<'p>(id: NodeId, site: Span) -> Value<'p> {
    let receiver = Some(Value::Node(id));
    Value::list(vec![Value::Made(Rc::new(Made { path: Rc::from(URLS), receiver, args: Args::default(), site }))])
}

/// What a router serves.
pub(super) fn routes<'p>(evaluator: &mut Evaluator<'p>, id: NodeId) -> Vec<RouterRoute<'p>> {
    let slash = match attribute(evaluator, id, "trailing_slash") {
        Some(Value::Bool(false)) => String::new(),
        Some(Value::Str(text)) => text.to_string(),
        _ => "/".to_owned(),
    };
    let slash = if slash == "/?" { "/".to_owned() } else { slash };
    let (forms, is_whole) = forms::of_router(evaluator, id);
    let above = above(evaluator, id, 0);
    let registry = evaluator.node(id).attributes.get("registry").and_then(Value::elements).unwrap_or_default();
    let mut out = Vec::new();
    for entry in registry {
        let parts = entry.elements().unwrap_or_default();
        let [prefix, viewset, ..] = parts.as_slice() else { continue };
        let site = match parts.last() {
            Some(Value::Made(place)) if &*place.path == URLS => place.site,
            _ => evaluator.node(id).site,
        };
        let Some(prefix) = prefix.as_str() else { continue };
        let Value::Class(class) = viewset else { continue };
        let lookup = format!("(?P<{}>[^/.]+)", lookup_name(evaluator, class));
        let mut added = actions::added(evaluator, class);
        for base in evaluator.external_bases(class) {
            let is_new = |brought: &actions::Added| added.iter().all(|own| own.url_path != brought.url_path);
            let brought: Vec<actions::Added> = packaged::added(&base).filter(is_new).collect();
            added.extend(brought);
        }
        let open = !is_whole || super::views::is_open(evaluator, class);
        for form in &forms {
            let mut add = |mapping: Vec<(String, String)>, url_path: Option<&str>| {
                let mut regex = form.url.replace("{prefix}", prefix).replace("{lookup}", &lookup);
                regex = regex.replace("{trailing_slash}", &slash);
                if let Some(url_path) = url_path {
                    regex = regex.replace("{url_path}", url_path);
                }
                let regex = regex.trim_start_matches('^');
                let regex = if prefix.is_empty() { regex.trim_start_matches('/') } else { regex };
                let target = Target::of_view(class.clone(), Some(mapping), open);
                out.push(RouterRoute { regex: format!("{above}{regex}"), target, site });
            };
            if form.dynamic {
                for action in added.iter().filter(|action| action.detail == form.detail) {
                    add(action.mapping.clone(), Some(&action.url_path));
                }
            } else {
                add(form.mapping.clone(), None);
            }
        }
    }
    out
}

/// An attribute of a router: set on it, given to it by name, or one of its class.
pub(super) fn attribute<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str) -> Option<Value<'p>> {
    let node = evaluator.node(id);
    if let Some(value) = node.attributes.get(name) {
        return Some(value.clone());
    }
    if let Some(value) = node.options.named(name) {
        return Some(value.clone());
    }
    let class = node.class.clone()?;
    evaluator.class_member(&class, name)
}

/// Routers that a router is nested in; that there are more is told.
const MAX_ABOVE: usize = 8;

/// What a nested router puts before its routes.
fn above(evaluator: &mut Evaluator<'_>, id: NodeId, depth: usize) -> String {
    let options = evaluator.node(id).options.clone();
    let (Some(Value::Node(parent)), Some(prefix)) =
        (options.get(0, "parent_router"), options.get(1, "parent_prefix").and_then(Value::as_str))
    else {
        return String::new();
    };
    if depth > MAX_ABOVE {
        evaluator.cut("nested routers, more than 8 within one another", Some(evaluator.node(id).site));
        return String::new();
    }
    let parent = *parent;
    let further = above(evaluator, parent, depth + 1);
    let lookup = options.named("lookup").and_then(Value::as_str).map_or_else(|| "nested_1".to_owned(), str::to_owned);
    let registry = evaluator.node(parent).attributes.get("registry").and_then(Value::elements).unwrap_or_default();
    let viewset = registry.iter().find_map(|entry| {
        let parts = entry.elements()?;
        match parts.as_slice() {
            [known, Value::Class(class), ..] if known.as_str() == Some(prefix) => Some(class.clone()),
            _ => None,
        }
    });
    let field = viewset.map_or_else(|| "pk".to_owned(), |class| field_name(evaluator, &class));
    let regex = format!("{prefix}/(?P<{lookup}_{field}>[^/.]+)/");
    format!("{further}{}", regex.trim_start_matches('/'))
}

fn field_name<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> String {
    match evaluator.class_member(class, "lookup_field") {
        Some(Value::Str(field)) => field.to_string(),
        _ => "pk".to_owned(),
    }
}

/// The name of the parameter that tells one object of a view set from another.
fn lookup_name<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> String {
    match evaluator.class_member(class, "lookup_url_kwarg") {
        Some(Value::Str(name)) => name.to_string(),
        _ => field_name(evaluator, class),
    }
}

/// Actions that a library's base class brings: those of its mixins.
pub(super) fn library_actions(path: &str) -> &'static [&'static str] {
    match last(path) {
        "ModelViewSet" => ACTIONS,
        "ReadOnlyModelViewSet" => &["list", "retrieve"],
        "ListModelMixin" => &["list"],
        "CreateModelMixin" => &["create"],
        "RetrieveModelMixin" => &["retrieve"],
        "UpdateModelMixin" => &["update", "partial_update"],
        "DestroyModelMixin" => &["destroy"],
        _ => &[],
    }
}
