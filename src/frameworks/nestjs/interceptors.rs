//! What interceptors make of the value that a handler returns: `next.handle().pipe(map((data) => ({ data })))`.

use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::frameworks::Schemas;
use crate::languages::typescript::schema::Type;
use crate::languages::typescript::schema::answers::{chains, returned};
use crate::model::program::{Arg, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// What is sent in the end.
pub(super) enum Intercepted<'p> {
    Value(Type<'p>),
    Unknown(&'static str, Span),
}

/// Operators that let values through as they are.
const TRANSPARENT: &[&str] = &[
    "tap",
    "catchError",
    "timeout",
    "retry",
    "finalize",
    "delay",
    "share",
    "shareReplay",
    "first",
    "take",
    "last",
    "filter",
];

/// The value after all interceptors; the first of them is the outermost.
pub(super) fn sent<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    interceptors: &[Value<'p>],
    value: Type<'p>,
) -> Intercepted<'p> {
    let mut value = value;
    for interceptor in interceptors.iter().rev() {
        let class = match interceptor {
            Value::Class(class) => class.clone(),
            Value::Instance(instance) => instance.class.clone(),
            _ => continue,
        };
        match through(evaluator, schemas, interceptor, &class, &value) {
            Intercepted::Value(next) => value = next,
            unknown @ Intercepted::Unknown(..) => return unknown,
        }
    }
    Intercepted::Value(value)
}

fn through<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    interceptor: &Value<'p>,
    class: &ClassRef<'p>,
    value: &Type<'p>,
) -> Intercepted<'p> {
    let Some(Value::Function(intercept)) = evaluator.class_member(class, "intercept") else {
        return Intercepted::Value(value.clone());
    };
    let Some(next) = intercept.node.parameters.iter().filter(|parameter| parameter.name != "this").nth(1) else {
        return Intercepted::Value(value.clone());
    };
    let ways: Vec<Vec<Operator<'p>>> = chains(intercept.node, &next.name)
        .iter()
        .map(|chain| operators(chain.link("pipe").map_or(&[], |pipe| pipe.args)))
        .collect();
    let elsewhere = "an interceptor makes another value of what is returned";
    let maps = |way: &Vec<Operator<'p>>| way.iter().any(|operator| !TRANSPARENT.contains(&operator.name));
    if !ways.iter().any(maps) {
        // The stream may be mapped under another name.
        let mapped = chains_of_streams(&intercept);
        return if mapped {
            Intercepted::Unknown(elsewhere, intercept.node.name_span)
        } else {
            Intercepted::Value(value.clone())
        };
    }
    // Which of several ways is gone is decided at run time.
    let [way] = &ways[..] else { return Intercepted::Unknown(elsewhere, intercept.node.name_span) };
    if returned(intercept.node).len() > 1 {
        return Intercepted::Unknown(elsewhere, intercept.node.name_span);
    }
    let mut value = value.clone();
    for operator in way {
        if TRANSPARENT.contains(&operator.name) {
            continue;
        }
        let (true, Some(callback)) = (operator.name == "map", operator.callback) else {
            return Intercepted::Unknown(elsewhere, operator.span);
        };
        if let Some(class) = turned_into(evaluator, interceptor, class, callback) {
            let types = schemas.typescript();
            let instance = types.instance_of(evaluator, &class, operator.span);
            let kept = types.non_null(evaluator, &value);
            value = if types.items(evaluator, &kept).is_some() { Type::array(instance) } else { instance };
            continue;
        }
        let types = schemas.typescript();
        let place = types.place_of(&intercept);
        let callback = types.type_of(evaluator, callback, &place);
        let mapped = types.apply(evaluator, &callback, &[value], operator.span);
        value = types.awaited(evaluator, &mapped);
    }
    Intercepted::Value(value)
}

/// The class that a callback turns every value into: `map((data) => plainToInstance(this.dto, data))`, where the
/// interceptor was made with it.
fn turned_into<'p>(
    evaluator: &mut Evaluator<'p>,
    interceptor: &Value<'p>,
    class: &ClassRef<'p>,
    callback: &'p Expr,
) -> Option<Value<'p>> {
    let ExprKind::Lambda(function) = &callback.kind else { return None };
    let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = function.body.as_slice() else { return None };
    let ExprKind::Call { callee, args, .. } = &value.kind else { return None };
    let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { return None };
    if !matches!(name.as_str(), "plainToInstance" | "plainToClass") {
        return None;
    }
    let scope = evaluator.body_scope(class);
    scope.bind("this", interceptor.clone());
    match evaluator.evaluate(args.first()?.value(), &scope) {
        class @ Value::Class(_) => Some(class),
        _ => None,
    }
}

/// One operator of `pipe(…)`.
struct Operator<'p> {
    name: &'p str,
    callback: Option<&'p Expr>,
    span: Span,
}

fn operators<'p>(args: &'p [Arg]) -> Vec<Operator<'p>> {
    let operators = args.iter().map(|arg| {
        let expr: &'p Expr = arg.value();
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => {
                let name = match &callee.kind {
                    ExprKind::Name(name) | ExprKind::Member { name, .. } => last(name),
                    _ => "",
                };
                Operator { name, callback: args.first().map(Arg::value), span: expr.span }
            }
            _ => Operator { name: "", callback: None, span: expr.span },
        }
    });
    operators.collect()
}

/// Whether what is returned is a stream that was put by under a name and is piped there.
fn chains_of_streams(intercept: &FunctionRef<'_>) -> bool {
    returned(intercept.node).into_iter().flatten().any(|value| {
        let ExprKind::Call { callee, args, .. } = &value.kind else { return false };
        let piped = matches!(&callee.kind, ExprKind::Member { name, .. } if name == "pipe");
        piped && operators(args).iter().any(|operator| !TRANSPARENT.contains(&operator.name))
    })
}
