//! Handlers as they run: with what stands for the view and the request, every value that they may return.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{actions, pages};
use crate::evaluate::{Args, ClassRef, Dict, Evaluator, FunctionRef, Instance, Made, Str, Value};
use crate::text::Span;

/// What a method of the library's own views answers: `super().list(…)`; the name of the method follows.
pub(super) const DEFAULT: &str = "rest_framework.views.default.";
/// A page of a list, as the view's pagination writes it.
pub(super) const PAGE: &str = "rest_framework.views.get_paginated_response()";

/// Methods of views that have a meaning here.
const ANSWERED: &[&str] = &[
    "get_serializer",
    "get_serializer_class",
    "get_paginated_response",
    "paginate_queryset",
    "list",
    "create",
    "retrieve",
    "update",
    "partial_update",
    "destroy",
    "get",
    "post",
    "put",
    "patch",
    "delete",
];

pub(super) fn is_answered(name: &str) -> bool {
    ANSWERED.contains(&name)
}

/// What a method of the library gives, of a view (`super().name()` where `inherited`).
pub(super) fn answered<'p>(
    evaluator: &mut Evaluator<'p>,
    view: &Value<'p>,
    name: &str,
    args: &Args<'p>,
    inherited: bool,
) -> Value<'p> {
    let Value::Instance(instance) = view else { return Value::Unknown("method of what is no view", None) };
    let class = instance.class.clone();
    let site = class.name_span();
    let made = |path: String, args: Args<'p>| {
        let receiver = Some(view.clone());
        Value::Made(Rc::new(Made { path: Rc::from(path), receiver, args, site }))
    };
    match name {
        "get_serializer_class" if inherited => own_serializer(evaluator, view, &class),
        "get_serializer_class" => serializer_class(evaluator, view),
        "get_serializer" => match serializer_class(evaluator, view) {
            Value::Class(serializer) => {
                let attributes: FxHashMap<Str, Value<'p>> = args.named.iter().cloned().collect();
                Value::Instance(Rc::new(Instance { class: serializer, attributes: RefCell::new(attributes) }))
            }
            Value::Unknown(why, place) => Value::Unknown(why, place),
            _ => Value::Unknown("serializer of a view is not known", Some(site)),
        },
        "paginate_queryset" => match pages::paginator_of(evaluator, view, &class) {
            None => Value::None,
            Some(_) => made("rest_framework.views.page".to_owned(), Args::default()),
        },
        "get_paginated_response" => made(PAGE.to_owned(), args.clone()),
        name => made(format!("{DEFAULT}{name}"), Args::default()),
    }
}

/// The serializer that a view uses for what it does; unknown where there is more than one.
pub(super) fn serializer_class<'p>(evaluator: &mut Evaluator<'p>, view: &Value<'p>) -> Value<'p> {
    let Value::Instance(instance) = view else { return Value::Unknown("serializer of what is no view", None) };
    let class = instance.class.clone();
    let unknown = |why: &'static str| Value::Unknown(why, Some(class.name_span()));
    match evaluator.class_member(&class, "get_serializer_class") {
        Some(Value::Function(function)) => {
            let args = Args { positional: vec![view.clone()], ..Args::default() };
            let returned = evaluator.returned(&function, args);
            match returned.split_first() {
                Some((first, rest)) if rest.iter().all(|value| value.same(first)) => first.clone(),
                _ => unknown("a view has several serializers"),
            }
        }
        Some(_) => unknown("serializer of a view is not known"),
        None => own_serializer(evaluator, view, &class),
    }
}

/// The serializers that a view's own `get_serializer` makes for what the library does, each with its `many`; none where
/// one is not followed, `None` where the view has no such method.
pub(super) fn made_serializers<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    view: &Value<'p>,
    action: &str,
) -> Option<Vec<(ClassRef<'p>, Value<'p>)>> {
    let Some(Value::Function(function)) = evaluator.class_member(class, "get_serializer") else { return None };
    let unknown = |why: &'static str| Value::Unknown(why, Some(class.name_span()));
    let mut args = Args { positional: vec![view.clone()], ..Args::default() };
    if action != "create" {
        args.positional.push(unknown("object of a view"));
    }
    match action {
        "list" => args.set("many", Value::Bool(true)),
        "retrieve" => {}
        _ => args.set("data", unknown("data of a request")),
    }
    let mut made = Vec::new();
    for value in evaluator.returned(&function, args) {
        let Value::Instance(instance) = &value else { return Some(Vec::new()) };
        let many = instance.attributes.borrow().get("many").cloned().unwrap_or(Value::Bool(false));
        made.push((instance.class.clone(), many));
    }
    Some(made)
}

/// `serializer_class` of a view, or of the action that runs.
fn own_serializer<'p>(evaluator: &mut Evaluator<'p>, view: &Value<'p>, class: &ClassRef<'p>) -> Value<'p> {
    let given = match view {
        Value::Instance(instance) => instance.attributes.borrow().get("serializer_class").cloned(),
        _ => None,
    };
    match given.or_else(|| evaluator.class_member(class, "serializer_class")) {
        Some(Value::None) | None => Value::Unknown("view without a serializer", Some(class.name_span())),
        Some(value) => value,
    }
}

/// What stands for a view that answers a request.
pub(super) fn view_of<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    action: &str,
    method: &str,
) -> Value<'p> {
    let given = actions::given(evaluator, class, action);
    let mut attributes: FxHashMap<Str, Value<'p>> = given.into_iter().collect();
    attributes.insert(Rc::from("action"), Value::str(action));
    attributes.insert(Rc::from("request"), request(method));
    Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::new(attributes) }))
}

/// What stands for a request.
pub(super) fn request<'p>(method: &str) -> Value<'p> {
    let entries = vec![(Value::str("method"), Value::str(method.to_uppercase()))];
    Value::Dict(Rc::new(RefCell::new(Dict { entries, open: true, record: true, ..Dict::default() })))
}

/// Every value that a handler may return.
pub(super) fn returned<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    view: Option<&Value<'p>>,
    method: &str,
) -> Vec<Value<'p>> {
    let mut positional: Vec<Value<'p>> = view.into_iter().cloned().collect();
    positional.push(request(method));
    // What the address gives has no value that is known.
    let takes = function.node.parameters.len();
    let unknown = |span: Span| Value::Unknown("parameter of an address", Some(span));
    while positional.len() < takes {
        let at = positional.len();
        if function.node.parameters[at].kind != crate::model::program::ParamKind::Positional {
            break;
        }
        positional.push(unknown(function.node.parameters[at].span));
    }
    evaluator.returned(function, Args { positional, open: true, ..Args::default() })
}
