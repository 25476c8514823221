//! Actions of view sets: the standard ones, and those that `@action` adds.

use rustc_hash::FxHashSet;

use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Made, Str, Value};
use crate::model::program::{Arg, Expr, ExprKind, StmtKind};
use std::rc::Rc;

/// The actions of `ModelViewSet`.
pub(super) const ACTIONS: &[&str] = &["list", "create", "retrieve", "update", "partial_update", "destroy"];

/// An action that a method of a view set adds.
pub(super) struct Added {
    pub(super) url_path: String,
    pub(super) detail: bool,
    /// Methods with the functions that answer them.
    pub(super) mapping: Vec<(String, String)>,
}

/// What the decorators of a function are called with, the outermost first; those that are not called stand as names.
pub(super) fn decorators<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Value<'p>> {
    let written: &'p [Expr] = &function.node.decorators;
    let scope = match &function.class {
        Some(class) => evaluator.body_scope(class),
        None => function.scope.clone(),
    };
    written.iter().map(|decorator| evaluator.evaluate(decorator, &scope)).collect()
}

/// The same of a class.
pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Rc<Made<'p>>> {
    let written: &'p [Expr] = &class.node.decorators;
    let scope = class.scope.clone();
    let values: Vec<Value<'p>> = written.iter().map(|decorator| evaluator.evaluate(decorator, &scope)).collect();
    values.into_iter().filter_map(|value| if let Value::Made(made) = value { Some(made) } else { None }).collect()
}

/// The actions that a view set and its bases add.
pub(super) fn added<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Added> {
    let mut out: Vec<(String, Added)> = Vec::new();
    let mut seen: FxHashSet<&'p str> = FxHashSet::default();
    let mut further: Vec<(String, String, String)> = Vec::new();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        let mut own: Vec<&'p str> = Vec::new();
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(node) = &statement.kind else { continue };
            let name: &'p str = &node.name;
            if seen.contains(name) {
                continue;
            }
            own.push(name);
            further.extend(
                node.decorators.iter().filter_map(mapped).map(|(action, method)| (action, method, name.to_owned())),
            );
            if node.decorators.is_empty() {
                continue;
            }
            let Some(Value::Function(function)) = evaluator.own_member(ancestor, name) else { continue };
            for decorator in decorators(evaluator, &function) {
                let Value::Made(made) = decorator else { continue };
                if let Some(action) = action(&made, name) {
                    out.push((name.to_owned(), action));
                    break;
                }
            }
        }
        seen.extend(own);
    }
    for (action, method, name) in further {
        if let Some((_, added)) = out.iter_mut().find(|(known, _)| *known == action) {
            added.mapping.push((method, name));
        }
    }
    out.into_iter().map(|(_, added)| added).collect()
}

/// What `@action` gives the view while it runs: `serializer_class=…`.
pub(super) fn given<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Vec<(Str, Value<'p>)> {
    let Some(Value::Function(function)) = evaluator.class_member(class, name) else { return Vec::new() };
    for decorator in decorators(evaluator, &function) {
        if let Value::Made(made) = decorator
            && made.name() == "action"
        {
            let own = |name: &str| matches!(name, "methods" | "detail" | "url_path" | "url_name");
            return made.args.named.iter().filter(|(name, _)| !own(name)).cloned().collect();
        }
    }
    Vec::new()
}

/// `@password.mapping.delete`
fn mapped(decorator: &Expr) -> Option<(String, String)> {
    let callee = match &decorator.kind {
        ExprKind::Call { callee, args, .. } if args.iter().all(|arg| !matches!(arg, Arg::Positional(_))) => callee,
        _ => decorator,
    };
    let ExprKind::Member { object, name: method } = &callee.kind else { return None };
    let ExprKind::Member { object, name } = &object.kind else { return None };
    match &object.kind {
        ExprKind::Name(action) if name == "mapping" => Some((action.clone(), method.clone())),
        _ => None,
    }
}

/// `@action(detail=True, methods=["post"], url_path="x")`, and what it was before.
fn action(made: &Made, name: &str) -> Option<Added> {
    let detail = match made.name() {
        "action" => matches!(made.args.get(1, "detail"), Some(Value::Bool(true))),
        "detail_route" => true,
        "list_route" => false,
        _ => return None,
    };
    let methods = made.args.get(0, "methods").and_then(Value::elements).unwrap_or_else(|| vec![Value::str("get")]);
    let url_path = match made.args.named("url_path") {
        Some(Value::Str(path)) => path.to_string(),
        _ => name.to_owned(),
    };
    let mapping = methods.iter().filter_map(Value::as_str).map(|method| (method.to_lowercase(), name.to_owned()));
    Some(Added { url_path, detail, mapping: mapping.collect() })
}
