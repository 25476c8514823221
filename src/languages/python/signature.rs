//! What may be given to something that is called: a function, a class, an instance. Follows `inspect.signature`, with
//! `__signature__` where a program sets it, and with the constructors that pydantic and `dataclasses` make.

use std::rc::Rc;

use super::schema::constructor_of;
use crate::evaluate::{Args, Evaluator, FunctionRef, Made, Role, Str, Value, last};
use crate::model::program::{ExprKind, ParamKind};
use crate::text::Span;

/// One parameter.
#[derive(Clone)]
pub struct Parameter<'p> {
    pub name: Str,
    pub annotation: Option<Value<'p>>,
    pub default: Option<Value<'p>>,
    /// `*args`, `**kwargs`
    pub rest: bool,
    pub span: Span,
}

const SIGNATURE: &str = "inspect.Signature";
const PARAMETER: &str = "inspect.Parameter";
/// Callables within callables (partials, bound methods) are opened this deep; what a deeper one takes is unknown.
const MAX_DEPTH: u32 = 20;

/// The parameters of something that is called, in order; why they are not known, where they are not.
pub fn signature<'p>(evaluator: &mut Evaluator<'p>, callable: &Value<'p>) -> Result<Vec<Parameter<'p>>, String> {
    of_callable(evaluator, callable, 0)
}

fn of_callable<'p>(
    evaluator: &mut Evaluator<'p>,
    callable: &Value<'p>,
    depth: u32,
) -> Result<Vec<Parameter<'p>>, String> {
    if depth > MAX_DEPTH {
        return Err("it is nested too deep".to_owned());
    }
    match callable {
        Value::Function(function) => of_function(evaluator, function, 0),
        Value::Bound(receiver, function) => {
            let bound = match (function.role, &**receiver) {
                (Role::Static, _) => 0,
                (Role::Plain, Value::Class(_)) => 0,
                _ => 1,
            };
            of_function(evaluator, function, bound)
        }
        Value::Partial(inner, given) => {
            let parameters = of_callable(evaluator, inner, depth + 1)?;
            let left = parameters.into_iter().skip(given.positional.len());
            Ok(left
                .map(|mut parameter| {
                    parameter.default = given.named(&parameter.name).cloned().or(parameter.default);
                    parameter
                })
                .collect())
        }
        Value::Class(class) => {
            if let Some(parameters) = constructor_of(evaluator, callable) {
                return Ok(parameters);
            }
            match evaluator.class_member(class, "__init__") {
                Some(Value::Function(init)) => of_function(evaluator, &init, 1),
                Some(_) => Err(format!("the constructor of `{}` is not known", class.name())),
                None if evaluator.unknown_base(class) => {
                    Err(format!("a base class of `{}` is not known", class.name()))
                }
                None => match evaluator.external_bases(class).iter().find(|path| !says_nothing(path)) {
                    Some(path) => Err(format!("`{path}` is not part of the scanned sources")),
                    None => Ok(Vec::new()),
                },
            }
        }
        Value::Dynamic(_) => constructor_of(evaluator, callable).ok_or_else(|| "it is no model".to_owned()),
        Value::Applied(base, _) => of_callable(evaluator, base, depth + 1),
        Value::Instance(instance) => match evaluator.class_member(&instance.class, "__call__") {
            Some(Value::Function(call)) => of_function(evaluator, &call, 1),
            _ => Err(format!("how a `{}` is called is not known", instance.class.name())),
        },
        Value::Unknown(why, _) => Err((*why).to_owned()),
        Value::External(path) => Err(format!("`{path}` is not part of the scanned sources")),
        Value::Made(made) => Err(format!("`{}` is not part of the scanned sources", made.path)),
        other => Err(format!("it is {}", other.describe())),
    }
}

/// Whether an external base class adds no constructor.
fn says_nothing(path: &str) -> bool {
    matches!(last(path), "object" | "ABC" | "Generic" | "Protocol")
}

fn of_function<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    bound: usize,
) -> Result<Vec<Parameter<'p>>, String> {
    if let Value::Made(stated) = evaluator.member(&Value::Function(function.clone()), "__signature__", None) {
        return parameters(&stated).ok_or_else(|| "its `__signature__` is not known".to_owned());
    }
    if let Some(stated) = given_signature(evaluator, function) {
        let known = match stated {
            Value::Made(stated) => parameters(&stated),
            _ => None,
        };
        let known = known.ok_or_else(|| "the signature that it is given is not known".to_owned())?;
        return Ok(known.into_iter().skip(bound).collect());
    }
    let node = function.node;
    let mut parameters = Vec::with_capacity(node.parameters.len());
    for parameter in node.parameters.iter().skip(bound) {
        let annotation = parameter.annotation.as_ref();
        parameters.push(Parameter {
            name: Rc::from(parameter.name.as_str()),
            annotation: annotation.map(|annotation| evaluator.type_expression(annotation, &function.scope)),
            default: parameter.default.as_ref().map(|default| evaluator.evaluate(default, &function.scope)),
            rest: matches!(parameter.kind, ParamKind::Rest | ParamKind::KeywordRest),
            span: parameter.span,
        });
    }
    Ok(parameters)
}

/// `@with_signature(signature)` of makefun.
fn given_signature<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Option<Value<'p>> {
    let given = function.node.decorators.iter().find_map(|decorator| match &decorator.kind {
        ExprKind::Call { callee, args, .. } => match &callee.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "with_signature" => args.first(),
            _ => None,
        },
        _ => None,
    })?;
    Some(evaluator.evaluate(given.value(), &function.scope))
}

/// `inspect.signature(callable)` as a value.
pub(super) fn inspected<'p>(evaluator: &mut Evaluator<'p>, callable: &Value<'p>, site: Span) -> Option<Value<'p>> {
    let parameters = signature(evaluator, callable).ok()?.into_iter().map(|parameter| {
        let mut args = Args { positional: vec![Value::Str(parameter.name.clone())], ..Args::default() };
        let empty = || Value::external("inspect.Parameter.empty");
        args.set("kind", if parameter.rest { Value::external("inspect.Parameter.VAR_KEYWORD") } else { empty() });
        args.set("annotation", parameter.annotation.unwrap_or_else(empty));
        args.set("default", parameter.default.unwrap_or_else(empty));
        let made = Made { path: Rc::from(PARAMETER), receiver: None, args, site: parameter.span };
        (Value::Str(parameter.name), Value::Made(Rc::new(made)))
    });
    let args = Args { positional: vec![Value::dict(parameters.collect())], ..Args::default() };
    Some(Value::Made(Rc::new(Made { path: Rc::from(SIGNATURE), receiver: None, args, site })))
}

/// A member of a signature or of a parameter.
pub(super) fn member<'p>(made: &Made<'p>, name: &str) -> Option<Value<'p>> {
    match (&*made.path, name) {
        (SIGNATURE, "parameters") => {
            let given = made.args.get(0, "parameters")?;
            let Some(listed) = given.elements() else { return Some(given.clone()) };
            let named = |value: Value<'p>| match &value {
                Value::Made(parameter) => Some((parameter.args.get(0, "name")?.clone(), value)),
                _ => None,
            };
            Some(Value::dict(listed.into_iter().filter_map(named).collect()))
        }
        (PARAMETER, "name") => made.args.get(0, "name").cloned(),
        (PARAMETER, "kind") => made.args.get(1, "kind").cloned(),
        (PARAMETER, "default" | "annotation") => {
            Some(made.args.named(name).cloned().unwrap_or_else(|| Value::external("inspect.Parameter.empty")))
        }
        _ => None,
    }
}

/// The parameters of `inspect.Signature([inspect.Parameter("a", …)])`; `None` where one of them is not known.
fn parameters<'p>(stated: &Made<'p>) -> Option<Vec<Parameter<'p>>> {
    let Value::Dict(given) = member(stated, "parameters")? else { return None };
    let given = given.borrow();
    let each = given.entries.iter().map(|(_, value)| {
        let Value::Made(made) = value else { return None };
        let Some(Value::Str(name)) = member(made, "name") else { return None };
        let known = |value: Option<Value<'p>>| value.filter(|value| !is_empty(value));
        let kind = member(made, "kind");
        let rest = kind.as_ref().and_then(Value::as_external).is_some_and(|kind| kind.contains(".VAR_"));
        let (annotation, default) = (known(member(made, "annotation")), known(member(made, "default")));
        Some(Parameter { name, annotation, default, rest, span: made.site })
    });
    each.collect()
}

fn is_empty(value: &Value) -> bool {
    value.as_external().is_some_and(|path| matches!(path, "inspect.Parameter.empty" | "inspect._empty"))
}
