//! Classes as handlers: each method of HTTP that the class, or a class that it extends, defines is a route.

use std::rc::Rc;

use crate::evaluate::{ClassRef, Evaluator, Item, Library, NodeId, Value};

/// The methods that a class may answer, as they are called.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/// What answers each method of a class.
pub(super) type Answering<'p> = Vec<(&'static str, Value<'p>)>;

/// Opens the routes of a library's nodes whose handler is a class; `answering` says what the class answers.
/// A route may have several paths.
pub(super) fn open<'p>(
    evaluator: &mut Evaluator<'p>,
    library: &'static Library,
    answering: fn(&mut Evaluator<'p>, &ClassRef<'p>) -> Answering<'p>,
) {
    for at in 0..evaluator.nodes().len() {
        let id = NodeId(at as u32);
        let node = evaluator.node(id);
        let is_class = |item: &Item| matches!(item, Item::Route { handler: Value::Class(_), .. });
        if !std::ptr::eq(node.library, library) || !node.items.iter().any(is_class) {
            continue;
        }
        let items = std::mem::take(&mut evaluator.node_mut(id).items);
        let mut open = Vec::with_capacity(items.len());
        for item in items {
            let Item::Route { draft, handler: Value::Class(class), when } = item else {
                open.push(item);
                continue;
            };
            let only = names(&draft.methods);
            let paths = draft.path.elements().unwrap_or_else(|| vec![draft.path.clone()]);
            for (method, handler) in answering(evaluator, &class) {
                if only.as_ref().is_some_and(|only| !only.iter().any(|name| name == method)) {
                    continue;
                }
                for path in &paths {
                    let mut draft = (*draft).clone();
                    draft.path = path.clone();
                    draft.methods = Value::list(vec![Value::str(method)]);
                    open.push(Item::Route { draft: Rc::new(draft), handler: handler.clone(), when: when.clone() });
                }
            }
        }
        evaluator.node_mut(id).items = open;
    }
}

/// The methods of HTTP that a class defines, bound to it.
pub(super) fn defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Answering<'p> {
    let receiver = Rc::new(Value::Class(class.clone()));
    let mut found = Vec::new();
    for verb in VERBS {
        if let Some(Value::Function(function)) = evaluator.class_member(class, verb) {
            found.push((*verb, Value::Bound(receiver.clone(), function)));
        }
    }
    found
}

/// The same of classes that may say `methods = […]`, and answer all of them in `dispatch_request`.
pub(super) fn dispatched<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Answering<'p> {
    let only = evaluator.class_member(class, "methods").as_ref().and_then(names);
    let mut found = defined(evaluator, class);
    if found.is_empty()
        && let Some(Value::Function(all)) = evaluator.class_member(class, "dispatch_request")
    {
        let handler = Value::Bound(Rc::new(Value::Class(class.clone())), all);
        let answers = only.clone().unwrap_or_else(|| vec!["get".to_owned()]);
        let verbs = VERBS.iter().filter(|verb| answers.iter().any(|name| name == *verb));
        return verbs.map(|verb| (*verb, handler.clone())).collect();
    }
    if let Some(only) = only {
        found.retain(|(verb, _)| only.iter().any(|name| name == verb));
    }
    found
}

/// Names of methods in lower case; `None` where they are not known, or all are meant.
fn names(methods: &Value) -> Option<Vec<String>> {
    let names = methods.elements()?;
    let names: Vec<String> = names.iter().filter_map(|name| Some(name.as_str()?.to_lowercase())).collect();
    (!names.iter().any(|name| name == "*")).then_some(names)
}
