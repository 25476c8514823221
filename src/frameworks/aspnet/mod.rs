//! ASP.NET Core MVC: controllers whose attributes say what they serve, inherited ones as well.

mod actions;
mod controllers;
mod requests;
mod responses;
mod versions;

use super::Framework;
use crate::evaluate::{ClassRef, Evaluator, Library, ModuleId, NodeId, Value};

pub(super) static ASPNET: Framework = Framework {
    name: "ASP.NET Core",
    packages: &["Microsoft.AspNetCore.Mvc"],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[CONTROLLER],
};

static LIBRARY: Library = Library {
    name: "Microsoft.AspNetCore.Mvc",
    any_case: true,
    node_kind,
    class_defined,
    finished,
    versions: versions::of_route,
    ..Library::CSHARP
};

/// A class that answers requests; the attributes that hold for all its actions are the node's positional options.
const CONTROLLER: &str = "controller";
/// What its node is called, which stands for a class rather than a call.
const CONTROLLER_PATH: &str = "[Controller]";

/// A class that gives versions to controllers.
const CONVENTION: &str = "convention of versions";
const CONVENTION_PATH: &str = "[IControllerConvention]";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        CONTROLLER_PATH => Some(CONTROLLER),
        CONVENTION_PATH => Some(CONVENTION),
        _ => None,
    }
}

fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    if evaluator.names_in_namespaces(&class.scope) {
        controllers::remember(evaluator, class);
    }
}

/// What controllers serve is read when all classes are known.
fn finished(evaluator: &mut Evaluator<'_>, _: &[ModuleId]) {
    let versions = versions::of_conventions(evaluator);
    for at in 0..evaluator.nodes().len() as u32 {
        let node = evaluator.node(NodeId(at));
        if std::ptr::eq(node.library, &raw const LIBRARY)
            && node.kind == CONTROLLER
            && let Some(class) = node.class.clone()
        {
            controllers::serve(evaluator, NodeId(at), &class, &versions);
        }
    }
}
