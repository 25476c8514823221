//! Routers that a program writes by itself, in the manner of Express: a class with a function for each method of HTTP, which
//! keeps the path and what answers it. How such a router finds its way is not read; what is called on it is taken for what it
//! looks like.

use crate::evaluate::{ClassRef, Evaluator, Library, Value};
use crate::frameworks::{Framework, express, handlers};
use crate::model::program::{ExprKind, Function, ImportStyle};
use crate::model::walk;

pub(in crate::frameworks) static OWN_ROUTER: Framework = Framework {
    name: "routers in the manner of Express",
    packages: &[],
    library: &LIBRARY,
    methods: handlers::methods,
    responses: express::responses,
    requests: express::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library =
    Library { name: "own router", node_kind, node_method: express::node_method, class_node, ..Library::TYPESCRIPT };

const ROUTER: &str = "own.Router";
const APPLICATION: &str = "own.Application";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        ROUTER => Some("router"),
        APPLICATION => Some("application"),
        _ => None,
    }
}

/// The functions of such a class; one of the last three is enough.
const ALWAYS: &[&str] = &["get", "post", "use"];
const ANY: &[&str] = &["put", "patch", "delete"];
/// What takes requests may be called.
const HANDLERS: &[&str] =
    &["handler", "handlers", "callback", "callbacks", "fn", "fns", "middleware", "middlewares", "controller", "cb"];

/// The kind of router that instances of a class of the program are: the class keeps the paths and handlers that its functions
/// for `GET` and `POST` are given, and hands them to no other router.
fn class_node<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<&'static str> {
    if evaluator.index.style(class.scope.module()) != ImportStyle::Path {
        return None;
    }
    let get = method(evaluator, class, "get").filter(|get| takes_handlers(get))?;
    let post = method(evaluator, class, "post").filter(|post| takes_handlers(post))?;
    let is_whole = ALWAYS.iter().all(|name| method(evaluator, class, name).is_some())
        && ANY.iter().any(|name| method(evaluator, class, name).is_some());
    if !is_whole || !keeps(evaluator, class, get) || !keeps(evaluator, class, post) {
        return None;
    }
    Some(if method(evaluator, class, "listen").is_some() { APPLICATION } else { ROUTER })
}

fn method<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Option<&'p Function> {
    match evaluator.class_member(class, name) {
        Some(Value::Function(function)) => Some(function.node),
        _ => None,
    }
}

/// `(path, …handlers)`
fn takes_handlers(function: &Function) -> bool {
    let last = function.parameters.last().map(|parameter| parameter.name.to_lowercase());
    function.parameters.len() >= 2 && last.is_some_and(|name| HANDLERS.contains(&name.as_str())) && !function.is_async
}

/// Whether a function, or one of its class that it calls, adds to a list or a table, and none calls what is only known when it
/// runs, as those do that hand all on to another router.
fn keeps<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, function: &'p Function) -> bool {
    let mut called: Vec<&'p str> = Vec::new();
    let mut adds = false;
    let mut hands_on = false;
    let mut look = |function: &'p Function, called: &mut Vec<&'p str>| {
        walk::each_expression(&function.body, &mut |expr| {
            let ExprKind::Call { callee, args, .. } = &expr.kind else { return };
            let is_verb = |name: &str| ALWAYS.contains(&name) || ANY.contains(&name);
            match &callee.kind {
                ExprKind::Member { name, .. } if matches!(name.as_str(), "push" | "set" | "unshift") => adds = true,
                // A table is asked with a key alone.
                ExprKind::Member { name, .. } if is_verb(name) => hands_on |= args.len() > 1 || name == "use",
                ExprKind::Member { name, .. } => called.push(name),
                ExprKind::Name(_) => {}
                _ => hands_on = true,
            }
        });
    };
    look(function, &mut called);
    for name in std::mem::take(&mut called) {
        if let Some(inner) = method(evaluator, class, name) {
            look(inner, &mut called);
        }
    }
    adds && !hands_on
}
