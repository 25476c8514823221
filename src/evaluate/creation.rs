//! Objects that are given members where they are made, and choices that are expressions.

use std::rc::Rc;

use super::Evaluator;
use super::value::{Made, Scope, Value};
use crate::model::program::{DictItem, Expr, ExprKind, MatchArm};

impl<'p> Evaluator<'p> {
    /// `new A { B = 1 }`, `new List<A> { a }`, `a with { B = 1 }`
    pub(super) fn with_members(&mut self, value: &'p Expr, with: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        let made = self.evaluate(value, scope);
        self.add_members(made, with, scope)
    }

    /// What is written at a property: `new()` makes an object of its declared type.
    pub(super) fn initial_value(
        &mut self,
        value: &'p Expr,
        annotation: Option<&'p Expr>,
        scope: &Scope<'p>,
    ) -> Value<'p> {
        match (&value.kind, annotation) {
            (ExprKind::New { class: None, args }, Some(annotation)) => {
                let class = self.type_expression(annotation, scope);
                let args = self.arguments(args, scope);
                self.call(&class, args, value.span)
            }
            (ExprKind::With { value: made, with }, Some(_)) => {
                let made = self.initial_value(made, annotation, scope);
                self.add_members(made, with, scope)
            }
            _ => self.evaluate(value, scope),
        }
    }

    fn add_members(&mut self, made: Value<'p>, with: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &with.kind {
            ExprKind::Record(items) => {
                let mut changed = match &made {
                    // What was made before stays as it is.
                    Value::Made(made) => Value::Made(Rc::new(Made {
                        path: made.path.clone(),
                        receiver: made.receiver.clone(),
                        args: made.args.clone(),
                        site: made.site,
                    })),
                    other => other.clone(),
                };
                for item in items {
                    let DictItem::Pair(key, value) = item else { continue };
                    let ExprKind::Str { text, .. } = &key.kind else { continue };
                    let value = self.evaluate(value, scope);
                    if let Value::Made(made) = &mut changed {
                        if let Some(made) = Rc::get_mut(made) {
                            made.args.set(text, value);
                        }
                    } else {
                        self.set_member(&changed, text, value);
                    }
                }
                changed
            }
            ExprKind::List(_) | ExprKind::Dict(_) if !matches!(made, Value::Instance(_) | Value::Node(_)) => {
                self.evaluate(with, scope)
            }
            _ => made,
        }
    }

    /// The arm that a known value leads to; else what all of them agree on.
    pub(super) fn match_expression(&mut self, subject: &'p Expr, arms: &'p [MatchArm], scope: &Scope<'p>) -> Value<'p> {
        let site = subject.span;
        let subject = self.evaluate(subject, scope);
        if subject.is_plain() && !self.soft {
            for arm in arms {
                let mut known = arm.test.is_none();
                for value in &arm.values {
                    let value = self.evaluate(value, scope);
                    known &= value.is_plain();
                    if known && value.same(&subject) {
                        return self.evaluate(&arm.value, scope);
                    }
                }
                if !known {
                    break;
                }
                if arm.values.is_empty() {
                    return self.evaluate(&arm.value, scope);
                }
            }
        }
        let Some((last, arms)) = arms.split_last() else { return Value::Unknown("a choice among nothing", Some(site)) };
        let mut value = self.evaluate(&last.value, scope);
        for arm in arms.iter().rev() {
            let taken = self.open_decision(arm.value.span, None);
            let this = self.within(taken, true, |evaluator| evaluator.evaluate(&arm.value, scope));
            value = self.choice(taken, this.unwrap_or(Value::Unknown("an arm that is not taken", Some(site))), value);
        }
        value
    }
}
