//! What the frameworks of JavaScript have in common: methods by name, handlers in arrays, what is mounted.

use super::{colon, harmless};
use crate::evaluate::{Evaluator, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::model::{Method, Reach};
use crate::text::Span;

/// The methods that `all` stands for: those that contracts speak of.
pub(super) const EVERY: [Method; 5] = [Method::Get, Method::Put, Method::Post, Method::Delete, Method::Patch];

/// The methods of a route that names them, `ALL` and `*` opened.
pub(super) fn methods(draft: &RouteDraft) -> Vec<Method> {
    let names = draft.methods.elements().unwrap_or_default();
    let named = names.iter().filter_map(Value::as_str).flat_map(|name| match name {
        "ALL" | "*" => EVERY.to_vec(),
        name => Method::parse(name).into_iter().collect(),
    });
    named.collect()
}

/// Whether what `use` is given first is a path, or several.
pub(super) fn is_path(value: &Value) -> bool {
    match value {
        Value::Str(_) | Value::Pattern(_) => true,
        Value::Made(_) => colon::expression(value).is_some(),
        Value::List(items) => items.borrow().iter().all(is_path) && !items.borrow().is_empty(),
        _ => false,
    }
}

/// Handlers, with arrays of handlers opened.
pub(super) fn flat<'p>(handlers: &[Value<'p>]) -> Vec<Value<'p>> {
    handlers.iter().flat_map(|handler| handler.elements().unwrap_or_else(|| vec![handler.clone()])).collect()
}

/// Something is mounted that is not known: whatever lies below the prefix may or may not be served.
pub(super) fn mounted_unknown<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, why: &str, site: Span) {
    let reason = Reason::new(format!("what is mounted is not known: {why}"), Some(site));
    evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
}

/// The path of a value that a package gives: `some-server.router`.
pub(super) fn package_path<'v>(given: &'v Value<'_>) -> Option<&'v str> {
    match given {
        Value::External(path) => Some(path),
        Value::Made(made) => Some(&made.path),
        _ => None,
    }
}

/// What a package gives is mounted: a proxy or a router answers whatever lies below its path, other things what nothing else
/// does. One that makes its routes of data may answer anything: `jsonServer.router("db.json")` what a file lists.
pub(super) fn mounted_package<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    prefix: Option<Value<'p>>,
    given: &Value<'p>,
    site: Span,
) {
    let Some(path) = package_path(given) else { return };
    if evaluator.registers_nothing(path) {
        return;
    }
    let prefix = prefix.unwrap_or(Value::str(""));
    let is_below = prefix.as_str().is_some_and(|prefix| !prefix.trim_matches('/').is_empty());
    let hands_on = harmless::is_proxy(path) || harmless::is_router(path);
    let reach = match (is_below, hands_on) {
        (true, true) => Reach::Below,
        _ if harmless::serves_data(path) => Reach::Anything,
        _ => Reach::Unseen,
    };
    let reason = Reason::new(format!("what a package gives is mounted: `{}`", last(path)), Some(site));
    evaluator.node_mut(id).opaque.push(Opaque { prefix, reach, reason });
}
