//! Which client a request is made with, where its address does not say whom it asks: requests of one client go to one
//! service.

use crate::evaluate::{Evaluator, Noted, Value};
use crate::model::program::{BinaryOp, Expr, ExprKind};
use crate::text::Span;
use crate::wires::payload;

/// Where what stands in front of a request's path comes from: the base address, the object that asks, or the function that
/// others ask through.
pub(super) fn origin<'p>(evaluator: &mut Evaluator<'p>, noted: &Noted<'p>) -> Option<Span> {
    if let Some((written, scope)) = payload::written(&noted.args, 0, "") {
        let first = leading(written);
        let is_named = matches!(first.kind, ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. });
        if is_named && let Value::Unknown(_, Some(place)) = evaluator.evaluate(first, &scope) {
            return Some(place);
        }
    }
    let mut receiver = noted.args.receiver.as_deref().cloned();
    let mut made = None;
    while let Some(Value::Made(next)) = receiver {
        made = Some(next.site);
        receiver = next.receiver.clone().or_else(|| next.args.receiver.as_deref().cloned());
    }
    made.or((noted.calls.len() > 1).then_some(noted.site))
}

/// What a text begins with that is put together: `base` of `` `${base}/users` `` and `base + "/users"`.
fn leading(expr: &Expr) -> &Expr {
    let mut expr = expr;
    loop {
        expr = match &expr.kind {
            ExprKind::Template(parts) => match parts.iter().find(|part| !is_empty(part)) {
                Some(first) => first,
                None => return expr,
            },
            ExprKind::Binary { op: BinaryOp::Add, left, .. } => left,
            _ => return expr,
        };
    }
}

fn is_empty(part: &Expr) -> bool {
    matches!(&part.kind, ExprKind::Str { text, .. } if text.is_empty())
}
