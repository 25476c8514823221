//! Classes whose decorators say what they serve: what the frameworks of that style have in common.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Schemas;
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Made, Value, last};
use crate::finding::Reason;
use crate::languages::typescript::schema::Type;
use crate::model::Status;
use crate::model::program::{Expr, ExprKind, Param, StmtKind};
use crate::text::Span;

/// Decorators that are made of others, nested; that there are deeper ones is told.
const MAX_NESTED: u32 = 8;
/// Decorators of one place; that there are more is told.
const MAX_DECORATORS: usize = 200;

/// Decorators as they take effect, the outermost first: those that others are composed of stand in their place.
pub(super) type Decorators<'p> = Vec<Rc<Made<'p>>>;

/// A method with its decorators.
pub(super) struct Decorated<'p> {
    pub(super) function: FunctionRef<'p>,
    pub(super) decorators: Decorators<'p>,
}

/// Opens `applyDecorators(A(), B())`, lists of decorators, and functions of the program that apply others to what they
/// are given: `(target, key, descriptor) => { A()(target, key, descriptor); }`.
pub(super) fn opened<'p>(evaluator: &mut Evaluator<'p>, values: &[Value<'p>]) -> Decorators<'p> {
    let mut out = Vec::new();
    open(evaluator, values, &mut out, 0);
    out
}

fn open<'p>(evaluator: &mut Evaluator<'p>, values: &[Value<'p>], out: &mut Decorators<'p>, depth: u32) {
    for value in values {
        if out.len() >= MAX_DECORATORS || depth > MAX_NESTED {
            evaluator.cut("decorators of one class or method, too many or too deep", None);
            return;
        }
        match value {
            Value::Made(made) if made.name() == "applyDecorators" => {
                open(evaluator, &made.args.positional, out, depth + 1);
            }
            Value::Made(made) => out.push(made.clone()),
            Value::List(_) | Value::Tuple(_) => {
                let inner = value.elements().unwrap_or_default();
                open(evaluator, &inner, out, depth + 1);
            }
            Value::Function(function) => {
                let applied = applied(evaluator, function);
                open(evaluator, &applied, out, depth + 1);
            }
            _ => {}
        }
    }
}

/// The decorators that a function applies to its own arguments.
fn applied<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Value<'p>> {
    let calls = function.node.body.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Expr(value) | StmtKind::Return(Some(value)) => match &value.kind {
            ExprKind::Call { callee, .. } if matches!(callee.kind, ExprKind::Call { .. }) => Some(&**callee),
            _ => None,
        },
        _ => None,
    });
    calls.map(|callee| evaluator.evaluate(callee, &function.scope)).collect()
}

/// The decorators of a class itself.
pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Decorators<'p> {
    let scope = class.scope.clone();
    written(evaluator, &class.node.decorators, &scope)
}

/// The decorators of a parameter of a method.
pub(super) fn of_parameter<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    parameter: &'p Param,
) -> Decorators<'p> {
    written(evaluator, &parameter.decorators, &function.scope)
}

fn written<'p>(
    evaluator: &mut Evaluator<'p>,
    decorators: &'p [Expr],
    scope: &crate::evaluate::Scope<'p>,
) -> Decorators<'p> {
    let values: Vec<Value<'p>> = decorators.iter().map(|decorator| evaluator.decorator(decorator, scope)).collect();
    opened(evaluator, &values)
}

/// The methods of a class and of the classes that it extends, in the order of the nearest class first; one that is
/// overridden counts as its override says. Static ones are left out.
pub(super) fn methods<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Decorated<'p>> {
    let mut seen: FxHashSet<&'p str> = FxHashSet::default();
    let mut found = Vec::new();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        let scope = evaluator.body_scope(ancestor);
        let mut own: Vec<&'p str> = Vec::new();
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(node) = &statement.kind else { continue };
            let node: &'p crate::model::program::Function = node;
            if seen.contains(node.name.as_str()) || is_static(&node.decorators) {
                continue;
            }
            own.push(&node.name);
            if node.decorators.is_empty() {
                continue;
            }
            let Some(Value::Function(function)) = evaluator.own_member(ancestor, &node.name) else { continue };
            if std::ptr::eq(function.node, node) {
                let decorators = written(evaluator, &node.decorators, &scope);
                found.push(Decorated { function, decorators });
            }
        }
        seen.extend(own);
    }
    found
}

fn is_static(decorators: &[Expr]) -> bool {
    decorators.iter().any(|decorator| matches!(&decorator.kind, ExprKind::Name(name) if name == "staticmethod"))
}

/// The first decorator of a package that has one of the names.
pub(super) fn find<'d, 'p>(decorators: &'d [Rc<Made<'p>>], package: &str, names: &[&str]) -> Option<&'d Rc<Made<'p>>> {
    decorators.iter().find(|made| is_of(made, package, names))
}

/// Whether a decorator is one of these names of a package, whichever of its modules it is imported from.
pub(super) fn is_of(made: &Made, package: &str, names: &[&str]) -> bool {
    let rest = made.path.strip_prefix(package);
    rest.is_some_and(|rest| rest.starts_with(['.', '/'])) && names.contains(&last(&made.path))
}

/// A member of an object literal.
pub(super) fn option<'p>(value: &Value<'p>, key: &str) -> Option<Value<'p>> {
    match value {
        Value::Dict(dict) => dict.borrow().get_str(key).cloned(),
        _ => None,
    }
}

/// Decorators of these packages stay what they are called with, whatever their arguments.
pub(super) fn kept<'p>(path: &str, args: &Args<'p>, site: Span) -> Value<'p> {
    Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site }))
}

/// The decorators among values.
pub(super) fn made<'p>(values: &[Value<'p>]) -> Vec<Rc<Made<'p>>> {
    let made = values.iter().filter_map(|value| if let Value::Made(made) = value { Some(made.clone()) } else { None });
    made.collect()
}

/// A status code that a decorator is given.
pub(super) fn status_of(code: &Value, site: Span) -> Status {
    match code {
        Value::Int(code) => match u16::try_from(*code) {
            Ok(code @ 100..=599) => Status::Code(code),
            _ => Status::Unknown(Reason::new("status code is no status", Some(site))),
        },
        Value::Unknown(why, place) => Status::Unknown(Reason::new(*why, place.or(Some(site)))),
        other => Status::Unknown(Reason::new(format!("status code is {}", other.describe()), Some(site))),
    }
}

/// The type of what the method returns, as the class has it that is served.
pub(super) fn returned<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    class: &ClassRef<'p>,
    function: &FunctionRef<'p>,
) -> (Type<'p>, Span) {
    let types = schemas.typescript();
    let site = function.node.name_span;
    let method = types.member(evaluator, &Type::class(class.clone()), &function.node.name, Some(site));
    let result = types.result_of(evaluator, &method, &[], &[], None, site);
    let ty = types.awaited(evaluator, &result);
    // An interface of a library says less than what is returned.
    let ty = match types.force(evaluator, &ty) {
        Type::Any => {
            let place = types.place_of(function);
            let inferred = types.inferred_return(evaluator, function.node, &place, false);
            match types.awaited(evaluator, &inferred) {
                Type::Unknown(..) => ty,
                inferred => inferred,
            }
        }
        _ => ty,
    };
    (ty, function.node.returns.as_ref().map_or(site, |returns| returns.span))
}
