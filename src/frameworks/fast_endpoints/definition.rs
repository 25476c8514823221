//! What an endpoint says of itself: the calls that its `Configure` makes, and those of its group.

use std::rc::Rc;

use super::{DESCRIPTION, ENDPOINT, GROUP, text};
use crate::evaluate::{Args, ClassRef, Evaluator, NodeId, Value, last};
use crate::text::Span;

/// Attributes of an endpoint.
pub(super) const ROUTES: &str = "@routes";
pub(super) const VERBS: &str = "@verbs";
pub(super) const VERSION: &str = "@version";
pub(super) const PREFIX: &str = "@prefix";
/// Calls that say what it answers.
pub(super) const PRODUCES: &str = "@produces";
/// Calls that say what it takes; whether it takes forms, and whether code of the program binds its request.
pub(super) const ACCEPTS: &str = "@accepts";
pub(super) const FORMS: &str = "@forms";
pub(super) const BINDER: &str = "@binder";
/// Where its routes are written.
pub(super) const PLACES: &str = "@places";
/// Of a description: the endpoint. Of a group: its prefix, and the code that configures its endpoints.
const OF: &str = "@of";
const CODE: &str = "@code";

/// Of an endpoint: the groups that it is in.
const GROUPS: &str = "@groups";

/// Groups within groups; that there are deeper ones is told.
const MAX_GROUPS: usize = 10;

/// A call on an endpoint, a group, or what answers are described to.
pub(super) fn said<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: Args<'p>, site: Span) {
    match evaluator.node(id).kind {
        ENDPOINT => configure(evaluator, id, name, &args, site),
        GROUP if name == "Configure" => {
            let attributes = &mut evaluator.node_mut(id).attributes;
            let mut given = args.positional.into_iter();
            attributes.insert(Rc::from(PREFIX), given.next().unwrap_or(Value::None));
            attributes.insert(Rc::from(CODE), given.next().unwrap_or(Value::None));
        }
        DESCRIPTION => {
            if let Some(Value::Node(endpoint)) = evaluator.node(id).attributes.get(OF).cloned() {
                describe(evaluator, endpoint, name, args, site);
            }
        }
        _ => {}
    }
}

fn configure<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: &Args<'p>, site: Span) {
    match name {
        "Get" | "Post" | "Put" | "Delete" | "Patch" | "Head" | "Options" | "Trace" | "Query"
            if !args.positional.iter().any(|given| matches!(given, Value::Function(_)))
                || args.positional.first().is_some_and(is_route) =>
        {
            set(evaluator, id, VERBS, vec![Value::str(name.to_uppercase())]);
            // A function says which members are parameters.
            let routes =
                args.positional.iter().flat_map(|given| given.elements().unwrap_or_else(|| vec![given.clone()]));
            let routes: Vec<Value<'p>> = routes.filter(|given| !matches!(given, Value::Function(_))).collect();
            set(evaluator, id, ROUTES, routes);
            evaluator.node_mut(id).attributes.insert(Rc::from(PLACES), place(site));
        }
        "Verbs" | "AdditionalVerbs" => {
            let given =
                args.positional.iter().flat_map(|given| given.elements().unwrap_or_else(|| vec![given.clone()]));
            let mut verbs: Vec<Value<'p>> = given.map(|verb| verb_of(&verb)).collect();
            if name == "AdditionalVerbs" {
                verbs.splice(0..0, list(evaluator, id, VERBS));
            }
            set(evaluator, id, VERBS, verbs);
        }
        "Routes" => {
            let routes =
                args.positional.iter().flat_map(|given| given.elements().unwrap_or_else(|| vec![given.clone()]));
            set(evaluator, id, ROUTES, routes.collect());
            evaluator.node_mut(id).attributes.insert(Rc::from(PLACES), place(site));
        }
        "RoutePrefixOverride" => {
            let prefix = args.positional.first().cloned().unwrap_or(Value::None);
            evaluator.node_mut(id).attributes.insert(Rc::from(PREFIX), prefix);
        }
        "Version" => {
            let version = args.get(0, "version").cloned().unwrap_or(Value::None);
            evaluator.node_mut(id).attributes.insert(Rc::from(VERSION), version);
        }
        "Group" => {
            if let Some((types, scope)) = &args.types
                && let Some(group) = types.first()
            {
                let group = evaluator.type_expression(group, scope);
                enter(evaluator, id, &group, site, 0);
            }
        }
        "AllowFileUploads" | "AllowFormData" => set(evaluator, id, FORMS, vec![Value::Bool(true)]),
        // The library's own with a choice of sources is none of the program's.
        "RequestBinder" if !matches!(args.positional.first(), Some(Value::Made(made)) if made.name() == "RequestBinder") =>
        {
            set(evaluator, id, BINDER, vec![Value::Bool(true)]);
        }
        "Description" | "Options" | "Summary" | "Setup" => {
            let Some(description) = evaluator.make_node("[Description]", Args::default(), None, site) else { return };
            evaluator.node_mut(description).attributes.insert(Rc::from(OF), Value::Node(id));
            for code in args.values().filter(|given| matches!(given, Value::Function(_) | Value::Bound(..))) {
                let positional = vec![Value::Node(description)];
                evaluator.call_always(code, Args { positional, ..Args::default() }, site);
            }
        }
        _ => {}
    }
}

/// The endpoint is one of a group: `Group<T>()`.
fn enter<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, group: &Value<'p>, site: Span, depth: usize) {
    let Value::Class(class) = group else {
        let unknown = Value::Unknown("group of an endpoint", Some(site));
        return set_all(evaluator, id, ROUTES, &unknown);
    };
    // One that leads back to itself counts once.
    let mut entered = list(evaluator, id, GROUPS);
    if depth > MAX_GROUPS {
        evaluator.cut("groups within groups, more than 10 deep", Some(site));
    }
    if depth > MAX_GROUPS || entered.iter().any(|known| known.same(group)) {
        return;
    }
    entered.push(group.clone());
    set(evaluator, id, GROUPS, entered);
    let Some(node) = evaluator.make_node("[Group]", Args::default(), Some(class.clone()), class.name_span()) else {
        return;
    };
    if let Some(init @ Value::Function(_)) = evaluator.class_member(class, "__init__") {
        evaluator.call_always(&init, Args { positional: vec![Value::Node(node)], ..Args::default() }, site);
    }
    let get = |name: &str| evaluator.node(node).attributes.get(name).cloned();
    let (prefix, code) = (get(PREFIX).unwrap_or(Value::None), get(CODE));
    let routes = list(evaluator, id, ROUTES).into_iter().map(|route| match (text(&prefix), text(&route)) {
        (Some(prefix), Some(route)) => {
            Value::str(format!("{}/{}", prefix.trim_end_matches('/'), route.trim_start_matches('/')))
        }
        (None, Some(_)) => Value::Unknown("prefix of a group", Some(site)),
        _ => route,
    });
    let routes = routes.collect();
    set(evaluator, id, ROUTES, routes);
    if let Some(code @ (Value::Function(_) | Value::Bound(..))) = code {
        evaluator.call_always(&code, Args { positional: vec![Value::Node(id)], ..Args::default() }, site);
    }
    if let Some(parent) = parent_group(evaluator, class) {
        enter(evaluator, id, &parent, site, depth + 1);
    }
}

/// `SubGroup<Parent>`
fn parent_group<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Value<'p>> {
    evaluator.bases(class).into_iter().find_map(|base| match base {
        Value::Applied(base, args) if base.as_external().is_some_and(|path| last(path) == "SubGroup") => {
            args.first().cloned()
        }
        _ => None,
    })
}

/// What is said of answers: kept until they are asked for.
fn describe<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: Args<'p>, site: Span) {
    match name {
        // What renews tokens: `Setup(o => o.Endpoint("/route", ep => …))`.
        "Endpoint" => configure(evaluator, id, "Post", &args, site),
        "ExcludeFromDescription" => {
            evaluator.node_mut(id).options.set("include_in_schema", Value::Bool(false));
        }
        "Accepts" => {
            let made = crate::evaluate::Made { path: Rc::from(name), receiver: None, args, site };
            set(evaluator, id, ACCEPTS, vec![Value::Made(Rc::new(made))]);
        }
        "Produces" | "ProducesProblemDetails" | "ProducesProblemFE" | "ProducesProblem" | "Response" => {
            let made = crate::evaluate::Made { path: Rc::from(name), receiver: None, args, site };
            let mut said = list(evaluator, id, PRODUCES);
            said.push(Value::Made(Rc::new(made)));
            set(evaluator, id, PRODUCES, said);
        }
        _ => {}
    }
}

fn is_route(value: &Value) -> bool {
    !matches!(value, Value::Function(_) | Value::Bound(..))
}

/// `Http.GET`, `"GET"`
pub(super) fn verb_of<'p>(value: &Value<'p>) -> Value<'p> {
    match value {
        Value::External(path) => Value::str(last(path).to_uppercase()),
        Value::Str(text) => Value::str(text.to_uppercase()),
        other => other.clone(),
    }
}

/// A place in the code, kept among attributes.
pub(super) fn place<'p>(site: Span) -> Value<'p> {
    Value::Unknown("", Some(site))
}

pub(super) fn list<'p>(evaluator: &Evaluator<'p>, id: NodeId, name: &str) -> Vec<Value<'p>> {
    evaluator.node(id).attributes.get(name).and_then(Value::elements).unwrap_or_default()
}

pub(super) fn set<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, values: Vec<Value<'p>>) {
    evaluator.node_mut(id).attributes.insert(Rc::from(name), Value::list(values));
}

fn set_all<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, value: &Value<'p>) {
    let count = list(evaluator, id, name).len();
    set(evaluator, id, name, vec![value.clone(); count]);
}
