//! Options that clients of JavaScript are given as an object: `{ method, params, body }`.

use super::asked::json;
use crate::evaluate::{Args, Evaluator, Noted, Scope, Value};
use crate::frameworks::Schemas;
use crate::model::Body;
use crate::model::program::{Arg, DictItem, Expr, ExprKind};
use crate::wires::payload;

/// A member of an object that is written where it is given.
pub(super) fn member<'p>(options: Option<(&'p Expr, Scope<'p>)>, name: &str) -> Option<(&'p Expr, Scope<'p>)> {
    let (expr, scope) = options?;
    // `json({ body })`: what makes options of options.
    let expr = match &expr.kind {
        ExprKind::Call { args, .. } => match args.as_slice() {
            [Arg::Positional(only)] => only,
            _ => return None,
        },
        _ => expr,
    };
    let (ExprKind::Record(items) | ExprKind::Dict(items)) = &expr.kind else { return None };
    items.iter().rev().find_map(|item| match item {
        DictItem::Pair(key, value) if matches!(&key.kind, ExprKind::Str { text, .. } if text == name) => {
            Some((value, scope.clone()))
        }
        _ => None,
    })
}

/// What is made into text before it is sent: `JSON.stringify(user)`.
fn stringified<'p>(written: Option<(&'p Expr, Scope<'p>)>) -> Option<(&'p Expr, Scope<'p>)> {
    let (expr, scope) = written?;
    match &expr.kind {
        ExprKind::Call { callee, args, .. } => match (&callee.kind, args.as_slice()) {
            (ExprKind::Member { name, .. }, [Arg::Positional(inner), ..]) if name == "stringify" => {
                Some((inner, scope))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A body that is an object, which the client makes into JSON.
pub(super) fn object_body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    value: &Value<'p>,
    written: Option<(&'p Expr, Scope<'p>)>,
) -> Option<Body> {
    if matches!(value, Value::None) {
        return None;
    }
    let is_form = |value: &Value| matches!(value, Value::Made(made) if matches!(made.name(), "FormData" | "URLSearchParams" | "Blob" | "File"));
    if is_form(value) {
        let shape = payload::unknown(evaluator, schemas, "what a form holds", noted.site);
        return Some(Body { media: "multipart/form-data".to_owned(), ..json(shape, noted.site) });
    }
    let written = stringified(written.clone()).or(written);
    let shape = payload::shape_of(evaluator, schemas, value, written, noted.site);
    // A text is sent as it is: what it says is not known.
    if payload::is_text(schemas, shape) {
        let shape = payload::unknown(evaluator, schemas, "a text is sent", noted.site);
        return Some(json(shape, noted.site));
    }
    Some(json(shape, noted.site))
}

/// Whether all members of a body are written where it is sent: it is an object literal, or made into text there.
pub(super) fn is_literal<'p>(value: &Value<'p>, written: Option<(&'p Expr, Scope<'p>)>) -> bool {
    let written = stringified(written.clone()).or(written);
    let is_record = written.is_some_and(|(expr, _)| matches!(expr.kind, ExprKind::Record(_) | ExprKind::Dict(_)));
    is_record || matches!(value, Value::Dict(dict) if dict.borrow().is_whole())
}

/// A body that is a text, or anything else that is sent as it is.
pub(super) fn text_body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    options: &Value<'p>,
    position: usize,
    member_name: &str,
) -> Option<Body> {
    let value = evaluator.member(options, member_name, Some(noted.site));
    if matches!(value, Value::None) {
        return None;
    }
    let written = member(payload::written(&noted.args, position, ""), member_name);
    let shape = match stringified(written) {
        Some(inner) => payload::shape_of(evaluator, schemas, &value, Some(inner), noted.site),
        None => payload::unknown(evaluator, schemas, "a text is sent", noted.site),
    };
    Some(json(shape, noted.site))
}

/// An argument, nothing where there is none.
pub(super) fn at<'p>(args: &Args<'p>, position: usize) -> Value<'p> {
    args.positional.get(position).cloned().unwrap_or(Value::None)
}
