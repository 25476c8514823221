//! `register`: a plugin is called with a child of the instance, which has its own prefix.

use std::rc::Rc;

use super::super::colon::template;
use super::super::handlers::mounted_package;
use super::{PARENT, PLUGIN, SCHEMAS, SLASH, autoload};
use crate::evaluate::{Args, Evaluator, MountKind, NodeId, Opaque, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::text::Span;

/// What `fastify-plugin` makes of a function: it is called with the instance itself.
pub(super) const WITHOUT_ENCAPSULATION: &str = "fastify-plugin()";

/// `register(plugin, options)`
pub(super) fn register<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, given: &[Value<'p>], site: Span) {
    let Some(plugin) = given.first() else { return };
    let options = match given.get(1) {
        // Options may depend on the instance.
        Some(function @ Value::Function(_)) => {
            let given = Args { positional: vec![Value::Node(id)], ..Args::default() };
            Some(evaluator.call_always(function, given, site))
        }
        other => other.cloned(),
    };
    plug(evaluator, id, plugin, options, site);
}

/// Calls a plugin with the instance that it is due.
pub(super) fn plug<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    plugin: &Value<'p>,
    options: Option<Value<'p>>,
    site: Span,
) {
    let (function, encapsulated) = function_of(evaluator, plugin);
    let prefix = match &options {
        Some(Value::Dict(options)) => options.borrow().get_str("prefix").cloned(),
        _ => None,
    };
    let options = options.unwrap_or_else(|| Value::dict(Vec::new()));
    match &function {
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => {
            let own = if encapsulated { child(evaluator, id, prefix, site) } else { Some(id) };
            let Some(own) = own else { return };
            // A plugin that takes three parameters is handed what to call when it is done.
            let done = Value::external("fastify.done");
            let given = Args { positional: vec![Value::Node(own), options, done], ..Args::default() };
            evaluator.call_always(&function, given, site);
        }
        Value::External(path) if autoload::is_autoload(path) => autoload::load(evaluator, id, &options, site),
        Value::External(_) | Value::Made(_) => {
            mounted_package(evaluator, id, prefix.map(|prefix| with_slash(&prefix)), &function, site);
        }
        Value::None | Value::Native(..) => {}
        other => {
            let why = match other {
                Value::Unknown(why, _) => (*why).to_owned(),
                other => other.describe(),
            };
            let reason = Reason::new(format!("plugin that is registered is not known: {why}"), Some(site));
            let prefix = prefix.map_or(Value::str(format!("/{UNKNOWN_PART}")), |prefix| with_slash(&prefix));
            evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
        }
    }
}

/// The function of a plugin, and whether it is called with a child.
fn function_of<'p>(evaluator: &mut Evaluator<'p>, plugin: &Value<'p>) -> (Value<'p>, bool) {
    match plugin {
        Value::Made(made) if &*made.path == WITHOUT_ENCAPSULATION => {
            let inner = made.args.positional.first().cloned().unwrap_or(Value::None);
            let encapsulated = match made.args.positional.get(1) {
                Some(Value::Dict(options)) => {
                    matches!(options.borrow().get_str("encapsulate"), Some(Value::Bool(true)))
                }
                _ => false,
            };
            (function_of(evaluator, &inner).0, encapsulated)
        }
        Value::Module(module) => match evaluator.module_name(*module, "default") {
            Some(exported) if !matches!(exported, Value::Module(_)) => function_of(evaluator, &exported),
            _ => (Value::Unknown("module without a default export", None), true),
        },
        Value::Dict(dict) => {
            let exported = dict.borrow().get_str("default").cloned();
            match exported {
                Some(exported @ (Value::Function(_) | Value::Made(_))) => function_of(evaluator, &exported),
                _ => (plugin.clone(), true),
            }
        }
        other => (other.clone(), true),
    }
}

/// The child that a plugin of these options is handed.
pub(super) fn child_for<'p>(
    evaluator: &mut Evaluator<'p>,
    parent: NodeId,
    options: &Value<'p>,
    site: Span,
) -> Option<NodeId> {
    let prefix = match options {
        Value::Dict(options) => options.borrow().get_str("prefix").cloned(),
        _ => None,
    };
    child(evaluator, parent, prefix, site)
}

/// A child of an instance: what is registered on it is served below the prefix.
fn child<'p>(evaluator: &mut Evaluator<'p>, parent: NodeId, prefix: Option<Value<'p>>, site: Span) -> Option<NodeId> {
    let id = evaluator.make_node(PLUGIN, Args::default(), None, site)?;
    let mut attributes = evaluator.node(parent).attributes.clone();
    attributes.remove(SCHEMAS);
    attributes.insert(Rc::from(PARENT), Value::Node(parent));
    let prefix = match prefix {
        None | Some(Value::None) => Value::str(""),
        Some(prefix) => {
            let slash = prefix.as_str().is_some_and(|prefix| prefix.ends_with('/'));
            attributes.insert(Rc::from(SLASH), Value::Bool(slash));
            with_slash(&prefix)
        }
    };
    evaluator.node_mut(id).attributes = attributes;
    evaluator.add_mount(parent, id, prefix, Args::default(), site, MountKind::Include);
    Some(id)
}

/// A prefix as a template that begins with a slash.
fn with_slash<'p>(prefix: &Value<'p>) -> Value<'p> {
    match template(prefix) {
        Value::Str(text) if !text.is_empty() && !text.starts_with('/') => Value::str(format!("/{text}")),
        other => other,
    }
}

/// The instances around one, innermost first.
pub(super) fn ancestors(evaluator: &Evaluator, id: NodeId) -> impl Iterator<Item = NodeId> {
    let parent = |id: &NodeId| match evaluator.node(*id).attributes.get(PARENT) {
        Some(Value::Node(parent)) => Some(*parent),
        _ => None,
    };
    std::iter::successors(parent(&id), parent).take(evaluator.nodes().len())
}

/// `addSchema`: what `$ref` may name from here down.
pub(super) fn remember_schema<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, key: Value<'p>, schema: Value<'p>) {
    let known = evaluator.node(id).attributes.get(SCHEMAS).cloned();
    let known = known.unwrap_or_else(|| Value::dict(Vec::new()));
    if let Value::Dict(dict) = &known
        && evaluator.afford(dict.borrow().entries.len())
    {
        dict.borrow_mut().set(key, schema);
    }
    evaluator.node_mut(id).attributes.insert(Rc::from(SCHEMAS), known);
}

/// The schema of a name, of the instance or of one around it.
pub(super) fn known_schema<'p>(evaluator: &Evaluator<'p>, id: NodeId, name: &str) -> Option<Value<'p>> {
    let mut around = std::iter::once(id).chain(ancestors(evaluator, id));
    around.find_map(|id| match evaluator.node(id).attributes.get(SCHEMAS) {
        Some(Value::Dict(schemas)) => schemas.borrow().get_str(name).cloned(),
        _ => None,
    })
}
