//! Django and Django REST framework: the tree of addresses that the settings name, views, routers and view sets.

mod actions;
mod bodies;
mod declared;
mod documented;
mod filters;
mod forms;
mod library;
mod packaged;
mod pages;
mod patterns;
mod renderers;
mod requests;
mod responses;
mod routers;
mod urls;
mod views;

use super::Framework;
use super::handlers::methods;
use crate::evaluate::{Args, Evaluator, Library, Value};
use crate::text::Span;

pub(super) static DJANGO: Framework = Framework {
    name: "Django",
    packages: &["django", "rest_framework"],
    library: &LIBRARY,
    methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "rest_framework",
    words: &["re_path"],
    node_kind,
    created: routers::created,
    node_method: routers::node_method,
    call,
    member: views::member,
    value_method: views::value_method,
    finished: urls::finished,
    ..Library::PYTHON
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    urls::included(evaluator, path, args, site)
        .or_else(|| views::decorated(evaluator, path, args, site))
        .or_else(|| pages::made(path, site))
        .or_else(|| forms::replaced(path, args))
}

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        urls::ROOT => Some("application"),
        urls::PART => Some("urls"),
        _ if path.starts_with("rest_framework") && path.ends_with("Router") => Some("router"),
        // Libraries that extend the framework's own.
        _ if path.contains(".routers.") && (path.ends_with(".DefaultRouter") || path.ends_with(".SimpleRouter")) => {
            Some("router")
        }
        _ => None,
    }
}
