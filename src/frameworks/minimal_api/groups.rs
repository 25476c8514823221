//! Groups of endpoints: their prefix, what holds for all of them, and versions.

use super::hosting;
use crate::evaluate::{Args, Evaluator, MountKind, NodeId, RouteDraft, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::text::Span;

use super::endpoints;

/// Option: the versions that are declared, and those that an endpoint is mapped to.
pub(super) const DECLARED: &str = "versions";
pub(super) const MAPPED: &str = "mapped_versions";
/// Stands among versions for one that is not known.
const UNKNOWN_VERSION: &str = "?";

/// `MapGroup(prefix)`, and what is a group without one.
pub(super) fn group<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    path: &str,
    prefix: Option<Value<'p>>,
    site: Span,
) -> Option<Value<'p>> {
    let child = evaluator.make_node(path, Args::default(), None, site)?;
    let prefix = prefix.unwrap_or(Value::Unknown("group without a prefix", Some(site)));
    if let Value::Pattern(text) = &prefix {
        // What is mapped on it has a path that is known in part.
        let reason = Reason::new(format!("prefix of a group is known only in part: {}", prefix.describe()), Some(site));
        let prefix = Value::str(rooted(text));
        evaluator.node_mut(child).opaque.push(crate::evaluate::Opaque::below(prefix, reason));
    }
    let prefix = match prefix {
        Value::Str(text) => Value::str(rooted(&text)),
        other => other,
    };
    evaluator.node_mut(child).set_prefix(prefix);
    evaluator.add_mount(id, child, Value::str(""), Args::default(), site, MountKind::Include);
    Some(Value::Node(child))
}

/// A prefix or path with a slash in front, unless it is empty.
pub(super) fn rooted(text: &str) -> String {
    match text.trim_start_matches('/') {
        "" => String::new(),
        rest if rest.starts_with(UNKNOWN_PART) => format!("/{rest}"),
        rest => format!("/{rest}"),
    }
}

/// Something is said of all that is mapped on it.
pub(super) fn say<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: &Args<'p>, site: Span) {
    match name {
        "ExcludeFromDescription" => evaluator.node_mut(id).options.set("include_in_schema", Value::Bool(false)),
        _ if say_version(evaluator, id, name, args) => {}
        _ => {
            if let Some((key, said)) = endpoints::metadata(name, args, site) {
                add(&mut evaluator.node_mut(id).options, key, said);
            }
        }
    }
}

/// `HasApiVersion(1, 0)`, `WithApiVersionSet(set)`; whether it is such a thing.
pub(super) fn say_version<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: &Args<'p>) -> bool {
    let of_set = set_of(evaluator, name, args);
    version_said(&mut evaluator.node_mut(id).options, name, args, of_set)
}

/// The versions of the set that is given.
pub(super) fn set_of<'p>(evaluator: &Evaluator<'p>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    match (name, args.get(0, "apiVersionSet")) {
        ("WithApiVersionSet", Some(Value::Node(set))) => evaluator.node(*set).options.named(DECLARED).cloned(),
        _ => None,
    }
}

/// The same, for options of whatever it is said of.
pub(super) fn version_said<'p>(options: &mut Args<'p>, name: &str, args: &Args<'p>, of_set: Option<Value<'p>>) -> bool {
    let key = match name {
        "HasApiVersion" | "HasDeprecatedApiVersion" => DECLARED,
        "MapToApiVersion" => MAPPED,
        "WithApiVersionSet" => {
            options.set(DECLARED, of_set.unwrap_or_else(|| Value::list(vec![Value::str(UNKNOWN_VERSION)])));
            return true;
        }
        _ => return false,
    };
    let version = hosting::version(args).unwrap_or_else(|| UNKNOWN_VERSION.to_owned());
    add(options, key, Value::str(version));
    true
}

/// Adds to a list among options.
pub(super) fn add<'p>(options: &mut Args<'p>, key: &str, value: Value<'p>) {
    let mut list = options.named(key).and_then(Value::elements).unwrap_or_default();
    list.push(value);
    options.set(key, Value::list(list));
}

/// The versions in which an endpoint is served, and whether all of them are known: those that it is mapped to, else those
/// that it or the nearest group declares.
pub(super) fn versions<'p>(draft: &RouteDraft<'p>, chain: &[Args<'p>]) -> (Vec<String>, bool) {
    for key in [MAPPED, DECLARED] {
        for options in std::iter::once(&draft.options).chain(chain) {
            let Some(list) = options.named(key).and_then(Value::elements) else { continue };
            let mut known: Vec<String> =
                list.iter().filter_map(Value::as_str).filter(|it| *it != UNKNOWN_VERSION).map(str::to_owned).collect();
            let all_known = known.len() == list.len();
            known.sort();
            known.dedup();
            return (known, all_known);
        }
    }
    (Vec::new(), true)
}
