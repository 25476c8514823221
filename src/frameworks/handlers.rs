//! What the frameworks of JavaScript have in common: methods by name, handlers in arrays, what is mounted.

use crate::evaluate::{Evaluator, NodeId, Opaque, RouteDraft, Value};
use crate::finding::Reason;
use crate::model::Method;
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
