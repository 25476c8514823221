//! ASP.NET Core MVC: controllers whose attributes say what they serve, inherited ones as well.

mod actions;
mod attributes;
mod controllers;
mod responses;

use super::Framework;
use crate::evaluate::{ClassRef, Evaluator, Library, RouteDraft, Value};
use crate::model::Method;

pub(super) static ASPNET: Framework = Framework {
    name: "ASP.NET Core",
    packages: &["Microsoft.AspNetCore.Mvc"],
    library: &LIBRARY,
    methods,
    responses: responses::responses,
    application_kinds: &[CONTROLLER],
};

static LIBRARY: Library = Library { name: "Microsoft.AspNetCore.Mvc", node_kind, class_defined, ..Library::NONE };

/// A class that answers requests; the attributes that hold for all its actions are the node's positional options.
const CONTROLLER: &str = "controller";
/// What its node is called, which stands for a class rather than a call.
const CONTROLLER_PATH: &str = "[Controller]";

fn node_kind(path: &str) -> Option<&'static str> {
    (path == CONTROLLER_PATH).then_some(CONTROLLER)
}

fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    if evaluator.names_in_namespaces(&class.scope) {
        controllers::serve(evaluator, class);
    }
}

fn methods(draft: &RouteDraft) -> Vec<Method> {
    let names = draft.methods.elements().unwrap_or_default();
    names.iter().filter_map(|name| Method::parse(name.as_str()?)).collect()
}
