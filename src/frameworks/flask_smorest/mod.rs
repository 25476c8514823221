//! flask-smorest, and flask-rest-api before it: blueprints whose views say with which schema they answer.

mod requests;
mod responses;

use std::rc::Rc;

use super::{Framework, flask};
use crate::evaluate::{Args, Evaluator, Library, Made, ModuleId, MountKind, NodeId, Value, last};
use crate::text::Span;

pub(super) static FLASK_SMOREST: Framework = Framework {
    name: "flask-smorest",
    packages: &["flask_smorest", "flask_rest_api"],
    library: &LIBRARY,
    methods: flask::methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[],
};

static LIBRARY: Library = Library {
    name: "flask_smorest",
    words: &["register_blueprint", "init_app"],
    decorator_words: &["route"],
    node_kind,
    created,
    node_method,
    finished,
    ..Library::PYTHON
};

const API: &str = "api";

fn node_kind(path: &str) -> Option<&'static str> {
    let is_ours = matches!(path.split('.').next(), Some("flask_smorest" | "flask_rest_api"));
    match last(path) {
        "Api" if is_ours => Some(API),
        "Blueprint" if is_ours => Some(flask::BLUEPRINT),
        _ => None,
    }
}

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    if node.kind == API {
        let (application, site) = (node.options.get(0, "app").cloned(), node.site);
        serve(evaluator, id, application.as_ref(), site);
    }
    flask::created(evaluator, id);
}

fn serve<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, application: Option<&Value<'p>>, site: Span) {
    if let Some(Value::Node(application)) = application {
        evaluator.add_mount(*application, id, Value::str(""), Args::default(), site, MountKind::Include);
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
        "init_app" if evaluator.node(id).kind == API => {
            serve(evaluator, id, args.get(0, "app"), site);
            Some(Value::None)
        }
        "response" | "alt_response" | "arguments" | "paginate" => {
            let path = Rc::from(format!("flask_smorest.{name}"));
            Some(Value::Made(Rc::new(Made { path, receiver: None, args, site })))
        }
        _ => flask::node_method(evaluator, id, name, args, site),
    }
}

fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    flask::close(evaluator, &LIBRARY);
}
