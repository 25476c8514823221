//! tornado: applications with tables of paths and request handlers.

mod requests;
mod responses;
mod tables;

use super::{Framework, class_views};
use crate::evaluate::{Args, ClassRef, Evaluator, Library, ModuleId, NodeId, Value, last};
use crate::text::Span;

pub(super) static TORNADO: Framework = Framework {
    name: "tornado",
    packages: &["tornado"],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "tornado",
    words: &["add_handlers", "URLSpec"],
    word_suffixes: &["Application"],
    application_words: &["Application"],
    node_kind,
    created,
    node_method,
    call,
    finished,
    ..Library::PYTHON
};

const APPLICATION: &str = "application";
/// Tables that no application was seen to take.
const TABLE: &str = "table of handlers";
const TABLE_PATH: &str = "tornado.handlers";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "tornado.web.Application" => Some(APPLICATION),
        TABLE_PATH => Some(TABLE),
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    if node.kind == APPLICATION
        && let Some(handlers) = node.options.get(0, "handlers").cloned()
    {
        let site = node.site;
        tables::take(evaluator, id, &handlers, site, 0);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as the evaluator hands them over")]
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match name {
        "add_handlers" => {
            let handlers = args.get(1, "host_handlers")?.clone();
            tables::take(evaluator, id, &handlers, site, 0);
            Some(Value::None)
        }
        // Tables that are put together by name: `app.handlers.extend(…)` of a class of the program.
        _ => None,
    }
}

/// `url(…)` stays what it is called with, be its handler a class.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_entry = path.starts_with("tornado.") && matches!(last(path), "url" | "URLSpec" | "Rule" | "PathMatches");
    is_entry.then(|| super::decorated::kept(path, args, site))
}

/// What answers each method of a handler: nothing where it only says that it does not.
fn answering<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> class_views::Answering<'p> {
    if evaluator.external_bases(class).iter().any(|path| last(path) == "WebSocketHandler") {
        return Vec::new();
    }
    let mut found = class_views::defined(evaluator, class);
    // What browsers ask before they ask is part of no contract.
    found.retain(|(verb, handler)| {
        let refuses = match handler {
            Value::Bound(_, function) => responses::only_raises(function.node),
            _ => false,
        };
        !matches!(*verb, "options" | "head") && !refuses
    });
    found
}

fn finished(evaluator: &mut Evaluator, modules: &[ModuleId]) {
    tables::finish(evaluator, modules);
    class_views::open(evaluator, &LIBRARY, answering);
}
