//! Flask and Quart: applications, blueprints within blueprints, view functions and view classes.

pub(super) mod requests;
mod responses;
mod rules;

use std::rc::Rc;

use super::handlers::mounted_package;
use super::{Framework, class_views, returned};
use crate::evaluate::{Args, Evaluator, Library, Made, ModuleId, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::model::Method;
use crate::text::Span;

pub(super) use responses::{PLAIN, known};
pub(super) use rules::template;

pub(super) static FLASK: Framework = Framework {
    name: "Flask",
    packages: &["flask", "quart"],
    library: &LIBRARY,
    methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "flask",
    words: &["register_blueprint", "add_url_rule", "as_view"],
    word_suffixes: &["Flask", "Quart", "Blueprint"],
    decorator_words: &["route"],
    application_words: &["Flask", "Quart"],
    node_kind,
    created,
    node_method,
    member,
    value_method,
    finished,
    ..Library::PYTHON
};

pub(super) const APPLICATION: &str = "application";
/// The option of a route whose view a decorator of the program may answer for.
pub(in crate::frameworks) const CHANGED: &str = "$changed";
pub(super) const BLUEPRINT: &str = "blueprint";

/// Where a blueprint keeps its own prefix: the one that it is registered with counts before it.
const URL_PREFIX: &str = "url_prefix";

/// What `UserView.as_view("users")` gives; its receiver is the class.
const AS_VIEW: &str = "flask.views.as_view";

fn node_kind(path: &str) -> Option<&'static str> {
    let top = path.split('.').next().unwrap_or(path);
    match (top, last(path)) {
        ("flask", "Flask") | ("quart", "Quart") => Some(APPLICATION),
        ("flask" | "quart", "Blueprint") => Some(BLUEPRINT),
        _ => None,
    }
}

pub(super) fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let node = evaluator.node(id);
    if node.kind == BLUEPRINT
        && let Some(prefix) = node.options.get(5, URL_PREFIX).cloned()
    {
        evaluator.node_mut(id).attributes.insert(Rc::from(URL_PREFIX), prefix);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as the evaluator hands them over")]
pub(super) fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match name {
        "route" => Some(Value::Route(Rc::new(draft(id, &args, given_methods(&args), site)))),
        "get" | "post" | "put" | "patch" | "delete" => {
            let methods = Value::list(vec![Value::str(name.to_uppercase())]);
            Some(Value::Route(Rc::new(draft(id, &args, methods, site))))
        }
        "add_url_rule" => {
            let handler = args.get(2, "view_func").cloned();
            let handler = handler.map_or(Value::Unknown("rule without a view", Some(site)), |handler| opened(&handler));
            let mut draft = draft(id, &args, given_methods(&args), site);
            let handler = match wrapped(&handler) {
                Some((class, hands_on)) => {
                    if !hands_on {
                        draft.options.set(CHANGED, Value::Bool(true));
                    }
                    class
                }
                None => handler,
            };
            evaluator.add_route(&Rc::new(draft), handler);
            Some(Value::None)
        }
        "register_blueprint" => {
            let child = args.get(0, "blueprint").cloned();
            let given = args.get(1, URL_PREFIX).filter(|prefix| !matches!(prefix, Value::None)).cloned();
            register(evaluator, id, child.as_ref(), given, site);
            Some(Value::None)
        }
        _ => None,
    }
}

fn register<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    child: Option<&Value<'p>>,
    given: Option<Value<'p>>,
    site: Span,
) {
    match child {
        Some(Value::Node(child)) => {
            let own = evaluator.node(*child).attributes.get(URL_PREFIX).cloned();
            let prefix = given.or(own).map_or(Value::str(""), |prefix| rooted(template(&prefix)));
            evaluator.add_mount(id, *child, prefix, Args::default(), site, MountKind::Include);
        }
        Some(package @ (Value::External(_) | Value::Made(_))) => {
            let prefix = given.map(|prefix| rooted(template(&prefix)));
            mounted_package(evaluator, id, prefix, package, site);
        }
        other => {
            let why = match other {
                Some(Value::Unknown(why, _)) => (*why).to_owned(),
                Some(other) => other.describe(),
                None => "it is not given".to_owned(),
            };
            let reason = Reason::new(format!("registered blueprint is not known: {why}"), Some(site));
            let prefix = given.map_or(Value::str(""), |prefix| rooted(template(&prefix)));
            evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
        }
    }
}

fn draft<'p>(id: NodeId, args: &Args<'p>, methods: Value<'p>, site: Span) -> RouteDraft<'p> {
    let rule = args.get(0, "rule").cloned().unwrap_or(Value::str(""));
    let mut options = args.clone();
    options.positional.clear();
    RouteDraft { node: id, methods, path: rooted(template(&rule)), options, site }
}

fn given_methods<'p>(args: &Args<'p>) -> Value<'p> {
    args.named("methods").cloned().unwrap_or(Value::None)
}

/// A rule begins with a slash, below a prefix as well.
fn rooted(rule: Value<'_>) -> Value<'_> {
    match &rule {
        Value::Str(text) if !text.is_empty() && !text.starts_with('/') => Value::str(format!("/{text}")),
        _ => rule,
    }
}

/// The function or class behind a view: `as_view()` and what wraps a view are opened.
pub(super) fn opened<'p>(view: &Value<'p>) -> Value<'p> {
    let mut view = view.clone();
    for _ in 0..10 {
        let Value::Made(made) = &view else { break };
        let inner = match &made.receiver {
            Some(class @ Value::Class(_)) if &*made.path == AS_VIEW => class,
            _ => match made.args.positional.as_slice() {
                [only @ (Value::Made(_) | Value::Function(_) | Value::Class(_))] => only,
                _ => break,
            },
        };
        view = inner.clone();
    }
    view
}

/// The class of a view in the function that a decorator of the program made of it, and whether that hands on what the
/// view answers.
fn wrapped<'p>(view: &Value<'p>) -> Option<(Value<'p>, bool)> {
    let mut view = view.clone();
    let mut hands_on = true;
    for _ in 0..10 {
        let Value::Function(function) = &view else { break };
        let decorator = function.scope.function()?;
        hands_on &= returned::hands_on_given(decorator);
        let names = decorator.parameters.iter().map(|parameter| parameter.name.as_str());
        let is_view = |value: &Value| matches!(value, Value::Made(_) | Value::Function(_));
        let inner = names.filter_map(|name| function.scope.own(name)).find(is_view)?;
        view = opened(&inner);
    }
    matches!(view, Value::Class(_)).then_some((view, hands_on))
}

/// Whether a class is a view of the library.
fn is_view<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> bool {
    let Value::Class(class) = value else { return false };
    let is_of_library = |path: &Rc<str>| {
        (path.ends_with("View") || path.ends_with("Resource"))
            && (path.starts_with("flask") || path.starts_with("quart."))
    };
    evaluator.external_bases(class).iter().any(is_of_library)
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let is_known = name == "as_view" && is_view(evaluator, value);
    is_known.then(|| Value::Native(Rc::new(value.clone()), Rc::from(name)))
}

fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    value: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    let Value::Class(class) = value else { return None };
    if name != "as_view" || !is_view(evaluator, value) {
        return None;
    }
    let made =
        Made { path: Rc::from(AS_VIEW), receiver: Some(value.clone()), args: args.clone(), site: class.name_span() };
    Some(Value::Made(Rc::new(made)))
}

fn finished(evaluator: &mut Evaluator, _: &[ModuleId]) {
    close(evaluator, &LIBRARY);
}

/// What is left to do when the program ran: routes of classes are opened, blueprints that nobody registers keep their
/// own prefix.
pub(super) fn close(evaluator: &mut Evaluator, library: &'static Library) {
    class_views::open(evaluator, library, class_views::dispatched);
    for at in 0..evaluator.nodes().len() {
        let id = NodeId(at as u32);
        let node = evaluator.node(id);
        if std::ptr::eq(node.library, library)
            && node.parents == 0
            && let Some(own) = node.attributes.get(URL_PREFIX).cloned()
        {
            evaluator.node_mut(id).prefix = rooted(template(&own));
        }
    }
}

/// The methods of a route: a view answers GET where it does not say.
pub(super) fn methods(draft: &RouteDraft) -> Vec<Method> {
    match (&draft.methods, draft.methods.elements()) {
        (_, Some(names)) => names.iter().filter_map(|name| Method::parse(name.as_str()?)).collect(),
        (Value::None, None) => vec![Method::Get],
        _ => super::handlers::EVERY.to_vec(),
    }
}
