//! What is declared of a view for its documentation: `@extend_schema` and `@extend_schema_view` of drf-spectacular,
//! `@swagger_auto_schema` of drf-yasg, on methods, classes, and through `@method_decorator`.

use std::rc::Rc;

use super::actions;
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Made, Value};

/// What was found.
pub(super) struct Declared<'p> {
    /// What is given as `responses`.
    pub(super) responses: Option<Value<'p>>,
    /// What is given as `request` or `request_body`.
    pub(super) request: Option<Value<'p>>,
    /// What is given as `parameters` or `manual_parameters`.
    pub(super) parameters: Option<Value<'p>>,
    /// What is given as `query_serializer`.
    pub(super) query: Option<Value<'p>>,
    /// Left out of the documentation.
    pub(super) excluded: bool,
    /// The generator adds to lists what stands around them.
    pub(super) wraps_lists: bool,
    pub(super) site: crate::text::Span,
}

impl Declared<'_> {
    /// Of which nothing is said.
    fn nothing(site: crate::text::Span) -> Self {
        Declared {
            responses: None,
            request: None,
            parameters: None,
            query: None,
            excluded: false,
            wraps_lists: false,
            site,
        }
    }
}

/// What is declared of a method or action of a class, the nearest declaration first.
pub(super) fn of_method<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    action: &str,
    method: &str,
) -> Vec<Declared<'p>> {
    let mut found = Vec::new();
    let mut of_whole = Vec::new();
    let mut shadowed = false;
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        let decorators = actions::of_class(evaluator, ancestor);
        for made in decorators.iter().filter(|_| !shadowed) {
            match made.name() {
                "extend_schema_view" => {
                    if let Some(Value::Made(given)) = made.args.named(action) {
                        found.extend(declared(given, method));
                    }
                }
                "method_decorator" if made.args.get(1, "name").and_then(Value::as_str) == Some(action) => {
                    let given = made.args.get(0, "decorator");
                    let several =
                        given.and_then(Value::elements).unwrap_or_else(|| given.into_iter().cloned().collect());
                    for given in several {
                        if let Value::Made(given) = given {
                            found.extend(declared(&given, method));
                        }
                    }
                }
                _ => {}
            }
        }
        if !shadowed && let Some(Value::Function(function)) = evaluator.own_member(ancestor, action) {
            found.extend(of_function(evaluator, &function, method));
            shadowed = true;
        }
        for made in decorators.iter().filter(|made| made.name() == "extend_schema") {
            of_whole.extend(declared(made, method));
        }
        for name in ["schema", "swagger_schema"] {
            if let Some(Value::None) = evaluator.own_member(ancestor, name) {
                let site = ancestor.name_span();
                let nothing = Declared { excluded: true, ..Declared::nothing(site) };
                of_whole.push(nothing);
            }
        }
    }
    found.extend(of_whole);
    found
}

/// What the decorators of a function declare.
pub(super) fn of_function<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    method: &str,
) -> Vec<Declared<'p>> {
    let mut found = Vec::new();
    for decorator in actions::decorators(evaluator, function) {
        let Value::Made(made) = decorator else { continue };
        if made.name() == "method_decorator" {
            if let Some(Value::Made(given)) = made.args.get(0, "decorator") {
                found.extend(declared(given, method));
            }
        } else {
            found.extend(declared(&made, method));
        }
    }
    found
}

fn declared<'p>(made: &Rc<Made<'p>>, method: &str) -> Option<Declared<'p>> {
    let args = &made.args;
    let is = |name: &str, what: &Value<'p>| args.named(name).is_some_and(|value| value.same(what));
    let names = |name: &str| args.named(name).and_then(Value::elements);
    let says =
        |names: &[Value]| names.iter().any(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(method)));
    let (excluded, wraps_lists) = match made.name() {
        "extend_schema" => {
            if names("methods").is_some_and(|methods| !says(&methods)) {
                return None;
            }
            (is("exclude", &Value::Bool(true)) || is("operation", &Value::None), true)
        }
        "swagger_auto_schema" => {
            let one = args.named("method").cloned().map(|method| vec![method]);
            if names("methods").or(one).is_some_and(|methods| !says(&methods)) {
                return None;
            }
            (is("auto_schema", &Value::None), false)
        }
        _ => return None,
    };
    let mut responses = args.named("responses").cloned();
    // `operation={…}` replaces everything that is known.
    if let Some(Value::Dict(operation)) = args.named("operation") {
        responses = Some(match operation.borrow().get_str("responses") {
            Some(Value::Dict(_)) | None => Value::Unknown("operation that is written as plain data", Some(made.site)),
            Some(other) => other.clone(),
        });
    }
    // What a generator is not told by name may be told by `**`.
    if responses.is_none() && args.open {
        responses = Some(Value::Unknown("what is declared is not known", Some(made.site)));
    }
    let request = args.named("request").or_else(|| args.named("request_body")).cloned();
    let parameters = args.named("parameters").or_else(|| args.named("manual_parameters")).cloned();
    let query = args.named("query_serializer").cloned();
    Some(Declared { responses, request, parameters, query, excluded, wraps_lists, site: made.site })
}
