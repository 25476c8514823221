//! APIFlask: applications and blueprints of Flask whose views say with which schema they answer.

mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, flask};
use crate::evaluate::{Args, Evaluator, Item, Library, Made, ModuleId, NodeId, Value, last};
use crate::text::Span;

pub(super) static APIFLASK: Framework = Framework {
    name: "APIFlask",
    packages: &["apiflask"],
    library: &LIBRARY,
    methods: flask::methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[flask::APPLICATION],
};

static LIBRARY: Library = Library {
    name: "apiflask",
    words: &["register_blueprint"],
    word_suffixes: &["APIFlask", "APIBlueprint"],
    decorator_words: &["route"],
    application_words: &["APIFlask"],
    node_kind,
    created: flask::created,
    node_method,
    call,
    finished,
    ..Library::PYTHON
};

fn node_kind(path: &str) -> Option<&'static str> {
    let is_ours = path.starts_with("apiflask.");
    match last(path) {
        "APIFlask" if is_ours => Some(flask::APPLICATION),
        "APIBlueprint" if is_ours => Some(flask::BLUEPRINT),
        _ => None,
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
        "output" | "input" | "doc" => {
            let path = Rc::from(format!("apiflask.{name}"));
            Some(Value::Made(Rc::new(Made { path, receiver: None, args, site })))
        }
        _ => flask::node_method(evaluator, id, name, args, site),
    }
}

/// `@output(Schema)` of the first versions.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_kept = path.starts_with("apiflask.") && matches!(last(path), "output" | "input" | "doc");
    is_kept.then(|| super::decorated::kept(path, args, site))
}

fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    flask::close(evaluator, &LIBRARY);
    // What its author leaves out of the document.
    for at in 0..evaluator.nodes().len() {
        let id = NodeId(at as u32);
        let node = evaluator.node(id);
        if !std::ptr::eq(node.library, &raw const LIBRARY) {
            continue;
        }
        let is_left_out = matches!(node.options.named("enable_openapi"), Some(Value::Bool(false)));
        let mut items = std::mem::take(&mut evaluator.node_mut(id).items);
        for item in &mut items {
            if let Item::Route { draft, handler, .. } = item
                && (is_left_out || responses::is_hidden(evaluator, handler))
            {
                Rc::make_mut(draft).options.set("include_in_schema", Value::Bool(false));
            }
        }
        evaluator.node_mut(id).items = items;
    }
}
