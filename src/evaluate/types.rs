//! Expressions where types stand.

use super::operators::union;
use super::value::{Scope, Value, last};
use super::{Evaluator, MAX_DEPTH};
use crate::model::program::{BinaryOp, Expr, ExprKind};

impl<'p> Evaluator<'p> {
    /// An expression where a type stands: strings are forward references, `|` makes unions.
    pub fn type_expression(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if self.depth > MAX_DEPTH {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        self.depth += 1;
        let value = self.type_expression_kind(expr, scope);
        self.depth -= 1;
        value
    }

    fn type_expression_kind(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Str { as_type: Some(inner), .. } => self.type_expression(inner, scope),
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let left = self.type_expression(left, scope);
                let right = self.type_expression(right, scope);
                union(left, right)
            }
            ExprKind::Index { object, index } => {
                let base = self.type_expression(object, scope);
                let literal = base.as_external().is_some_and(|path| last(path) == "Literal");
                let annotated = base.as_external().is_some_and(|path| last(path) == "Annotated");
                if matches!(base, Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Str(_)) {
                    return self.evaluate(expr, scope);
                }
                let items: &'p [Expr] = match index.as_slice() {
                    [Expr { kind: ExprKind::Tuple(items), .. }] => items,
                    items => items,
                };
                let args: Vec<Value<'p>> = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| {
                        if literal || (annotated && at > 0) {
                            self.evaluate(item, scope)
                        } else {
                            self.type_expression(item, scope)
                        }
                    })
                    .collect();
                Value::applied(base, args)
            }
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.type_expression(item, scope)).collect();
                Value::list(items)
            }
            _ => self.evaluate(expr, scope),
        }
    }
}
