//! Servers that a program writes by itself, without a framework: a function that looks at the method and the path of each
//! request and answers it. Where it compares the two with what is written there, that is a route; how it is answered is not
//! read, and there may be more routes than are seen.

mod found;
mod paths;
mod routers;

use std::rc::Rc;

use super::{Framework, Route, Schemas, answered};
use crate::evaluate::{Args, Evaluator, Item, Library, ModuleId, RouteDraft, Value};
use crate::finding::Reason;
use crate::model::program::{ImportWhat, Stmt, StmtKind};
use crate::model::{Method, Request, Response};

pub use found::{SERVER_PACKAGES, own_server};
pub(super) use routers::OWN_ROUTER;

/// What such a server is called in reports.
pub const OWN_SERVER: &str = "an HTTP server of its own";

pub(super) static OWN: Framework = Framework {
    name: OWN_SERVER,
    packages: &[],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses,
    requests,
    application_kinds: &[SERVER],
};

static LIBRARY: Library = Library { name: SERVER, node_kind, finished, ..Library::NONE };

const SERVER: &str = "own server";
const BY_HAND: &str = "answer that is written without a framework";

fn node_kind(path: &str) -> Option<&'static str> {
    (path == SERVER).then_some(SERVER)
}

/// Adds what each module with such a server compares requests with.
fn finished(evaluator: &mut Evaluator, modules: &[ModuleId]) {
    for module in modules {
        let body = evaluator.statements(*module);
        if !body.iter().any(imports_server) {
            continue;
        }
        let Some(servers) = found::servers(body) else { continue };
        let Some(node) = evaluator.make_node(SERVER, Args::default(), None, servers.site) else { continue };
        for compared in paths::compared(&servers) {
            let draft = RouteDraft {
                node,
                methods: Value::list(vec![Value::str(compared.method)]),
                path: Value::str(compared.path),
                options: Args::default(),
                site: compared.site,
            };
            // What else is asked before, and whether the server is started, is not read.
            let when = vec![evaluator.perhaps(compared.site)];
            let handler = Value::Unknown(BY_HAND, Some(compared.site));
            evaluator.node_mut(node).items.push(Item::Route { draft: Rc::new(draft), handler, when });
        }
    }
}

fn imports_server(statement: &Stmt) -> bool {
    let StmtKind::Import(import) = &statement.kind else { return false };
    match &import.what {
        // `from http import server`
        ImportWhat::Name { name, .. } if import.module == "http" && name == "server" => true,
        _ => SERVER_PACKAGES.contains(&import.module.as_str()),
    }
}

fn responses<'p>(_: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    vec![answered::unknown(schemas, BY_HAND, route.draft.site)]
}

fn requests<'p>(_: &mut Evaluator<'p>, _: &mut Schemas<'p>, route: &Route<'_, 'p>, _: Method) -> Request {
    Request::unknown(Reason::new(BY_HAND, Some(route.draft.site)))
}
