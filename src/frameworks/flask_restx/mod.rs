//! Flask-RESTX, Flask-RESTPlus and Flask-RESTful: an `Api` of resources that an application or blueprint serves.

mod models;
mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, class_views, flask};
use crate::evaluate::{Args, Evaluator, Item, Library, Made, ModuleId, MountKind, NodeId, RouteDraft, Value, last};
use crate::text::Span;

pub(super) static FLASK_RESTX: Framework = Framework {
    name: "Flask-RESTX",
    packages: &["flask_restx", "flask_restplus", "flask_restful"],
    library: &LIBRARY,
    methods: flask::methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[],
};

static LIBRARY: Library = Library {
    name: "flask_restx",
    words: &["add_namespace", "add_resource", "init_app", "namespace"],
    word_suffixes: &["Namespace"],
    decorator_words: &["route", "resource"],
    node_kind,
    created,
    node_method,
    call,
    finished,
    ..Library::PYTHON
};

const API: &str = "api";
const NAMESPACE: &str = "namespace";
/// Reads arguments of requests, and serves nothing.
const PARSER: &str = "parser";
/// Where a parser keeps what `add_argument` was called with.
const ARGUMENTS: &str = "arguments";

/// Where a namespace keeps its own path: the one that it is added with counts before it.
const PATH: &str = "path";
/// Set on a route that its author leaves out of the document.
const IN_SCHEMA: &str = "include_in_schema";

fn is_ours(path: &str) -> bool {
    matches!(path.split('.').next(), Some("flask_restx" | "flask_restplus" | "flask_restful"))
}

fn node_kind(path: &str) -> Option<&'static str> {
    match last(path) {
        "Api" if is_ours(path) => Some(API),
        "Namespace" if is_ours(path) => Some(NAMESPACE),
        "RequestParser" if is_ours(path) => Some(PARSER),
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    let (kind, options, site, path) = (node.kind, node.options.clone(), node.site, node.path.clone());
    if kind == PARSER {
        evaluator.node_mut(id).attributes.insert(Rc::from(ARGUMENTS), Value::list(Vec::new()));
        return;
    }
    if kind == NAMESPACE {
        let own = match options.get(2, "path") {
            None | Some(Value::None) => match options.get(0, "name") {
                Some(Value::Str(name)) => Value::str(format!("/{name}")),
                Some(other) => other.clone(),
                None => Value::str(""),
            },
            Some(path) => path.clone(),
        };
        evaluator.node_mut(id).attributes.insert(Rc::from(PATH), own);
        return;
    }
    let second = path.starts_with("flask_restful").then(|| options.positional.get(1)).flatten();
    if let Some(prefix) = second.or_else(|| options.named("prefix")).filter(|prefix| !matches!(prefix, Value::None)) {
        evaluator.node_mut(id).prefix = flask::template(prefix);
    }
    serve(evaluator, id, options.get(0, "app"), site);
}

/// Mounts an API in the application or blueprint that it is given.
fn serve<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, application: Option<&Value<'p>>, site: Span) {
    if let Some(Value::Node(application)) = application {
        evaluator.add_mount(*application, id, Value::str(""), Args::default(), site, MountKind::Include);
    }
}

fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match name {
        "route" | "resource" => {
            let draft = draft(id, &args.positional, &args, site);
            Some(Value::Route(Rc::new(draft)))
        }
        "add_resource" => {
            let (resource, rules) = args.positional.split_first()?;
            let draft = draft(id, rules, &args, site);
            evaluator.add_route(&Rc::new(draft), resource.clone());
            Some(Value::None)
        }
        "add_namespace" => {
            if let Some(Value::Node(child)) = args.get(0, "ns") {
                let given = args.get(1, "path").filter(|path| !matches!(path, Value::None)).cloned();
                add_namespace(evaluator, id, *child, given, site);
            }
            Some(Value::None)
        }
        "namespace" => {
            let path = format!("{}.Namespace", evaluator.node(id).path.split('.').next().unwrap_or_default());
            let child = evaluator.make_node(&path, args, None, site)?;
            add_namespace(evaluator, id, child, None, site);
            Some(Value::Node(child))
        }
        "init_app" => {
            if let Some(prefix) = args.named("prefix").filter(|prefix| !matches!(prefix, Value::None)) {
                evaluator.node_mut(id).prefix = flask::template(prefix);
            }
            serve(evaluator, id, args.get(0, "app"), site);
            Some(Value::None)
        }
        "parser" => {
            let path =
                format!("{}.reqparse.RequestParser", evaluator.node(id).path.split('.').next().unwrap_or_default());
            evaluator.make_node(&path, Args::default(), None, site).map(Value::Node)
        }
        "copy" if evaluator.node(id).kind == PARSER => {
            let path = evaluator.node(id).path.clone();
            let arguments = evaluator.node(id).attributes.get(ARGUMENTS).and_then(Value::elements);
            let copy = evaluator.make_node(&path, Args::default(), None, site)?;
            let arguments = Value::list(arguments.unwrap_or_default());
            evaluator.node_mut(copy).attributes.insert(Rc::from(ARGUMENTS), arguments);
            Some(Value::Node(copy))
        }
        "add_argument" | "replace_argument" if evaluator.node(id).kind == PARSER => {
            let made = Made { path: Rc::from("flask_restx.argument"), receiver: None, args, site };
            if let Some(Value::List(list)) = evaluator.node(id).attributes.get(ARGUMENTS) {
                list.borrow_mut().push(Value::Made(Rc::new(made)));
            }
            Some(Value::Node(id))
        }
        "add_model" => args.positional.get(1).cloned(),
        "model" | "inherit" | "clone" | "schema_model" | "as_list" | "marshal_with" | "marshal_list_with"
        | "response" | "expect" | "param" | "doc" | "hide" | "deprecated" | "marshal" => {
            Some(Value::Made(Rc::new(Made {
                path: Rc::from(format!("flask_restx.{name}")),
                receiver: None,
                args,
                site,
            })))
        }
        _ => None,
    }
}

fn add_namespace<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, child: NodeId, given: Option<Value<'p>>, site: Span) {
    let own = evaluator.node(child).attributes.get(PATH).cloned();
    let prefix = given.or(own).map_or(Value::str(""), |path| flask::template(&path));
    evaluator.add_mount(id, child, prefix, Args::default(), site, MountKind::Include);
}

fn draft<'p>(id: NodeId, rules: &[Value<'p>], args: &Args<'p>, site: Span) -> RouteDraft<'p> {
    let rules: Vec<Value<'p>> = rules.iter().map(flask::template).collect();
    let path = if let [only] = rules.as_slice() { only.clone() } else { Value::list(rules) };
    let mut options = args.clone();
    options.positional.clear();
    if matches!(options.named("doc"), Some(Value::Bool(false))) {
        options.set(IN_SCHEMA, Value::Bool(false));
    }
    let methods = args.named("methods").cloned().unwrap_or(Value::None);
    RouteDraft { node: id, methods, path, options, site }
}

/// Fields and models stay what they are called with, whatever their arguments.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_kept = is_ours(path)
        && (path.contains(".fields.")
            || matches!(last(path), "Model" | "OrderedModel" | "SchemaModel" | "marshal_with" | "marshal"));
    is_kept.then(|| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    class_views::open(evaluator, &LIBRARY, class_views::dispatched);
    for at in 0..evaluator.nodes().len() {
        let id = NodeId(at as u32);
        let node = evaluator.node(id);
        if !std::ptr::eq(node.library, &raw const LIBRARY) {
            continue;
        }
        if node.parents == 0
            && let Some(own) = node.attributes.get(PATH).cloned()
        {
            evaluator.node_mut(id).prefix = flask::template(&own);
        }
        let mut items = std::mem::take(&mut evaluator.node_mut(id).items);
        for item in &mut items {
            if let Item::Route { draft, handler, .. } = item
                && responses::is_hidden(evaluator, handler)
            {
                Rc::make_mut(draft).options.set(IN_SCHEMA, Value::Bool(false));
            }
        }
        evaluator.node_mut(id).items = items;
    }
}
