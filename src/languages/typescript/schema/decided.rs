//! Conditions that the types of arguments decide: which results of a function a call can have.

use super::Schemas;
use super::answers::returned_in;
use super::types::Type;
use super::typing::Place;
use crate::evaluate::Evaluator;
use crate::model::Kind;
use crate::model::program::{Arg, CompareOp, Expr, ExprKind, Stmt, StmtKind};

impl<'p> Schemas<'p> {
    /// The results that a block can lead to; true where it leads to one in any case.
    pub(super) fn reached_returns(
        &mut self,
        ev: &mut Evaluator<'p>,
        block: &'p [Stmt],
        place: &Place<'p>,
        found: &mut Vec<Option<&'p Expr>>,
    ) -> bool {
        let knows = place.locals.as_ref().is_some_and(|locals| !locals.given.borrow().is_empty());
        if !knows && !ev.settles() {
            returned_in(block, found);
            return false;
        }
        for statement in block {
            match &statement.kind {
                StmtKind::Return(value) => {
                    found.push(value.as_ref());
                    return true;
                }
                StmtKind::If { test, then, otherwise } => {
                    let decided = self.decided(ev, test, place);
                    let first = decided != Some(false) && self.reached_returns(ev, then, place, found);
                    let second = decided != Some(true) && self.reached_returns(ev, otherwise, place, found);
                    if decided.map_or(first && second, |holds| if holds { first } else { second }) {
                        return true;
                    }
                }
                _ => returned_in(std::slice::from_ref(statement), found),
            }
        }
        false
    }

    /// Whether a condition holds, as far as it asks whether arguments are there.
    fn decided(&mut self, ev: &mut Evaluator<'p>, test: &'p Expr, place: &Place<'p>) -> Option<bool> {
        if let Some(holds) = Self::settled(ev, test, place) {
            return Some(holds);
        }
        match &test.kind {
            ExprKind::Not(inner) => self.decided(ev, inner, place).map(|holds| !holds),
            ExprKind::Or(left, right) => match (self.decided(ev, left, place), self.decided(ev, right, place)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::And(left, right) => match (self.decided(ev, left, place), self.decided(ev, right, place)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Name(_) => {
                let given = self.given(ev, test, place)?;
                if given.is_nothing() { Some(false) } else { self.is_truthy(&given).then_some(true) }
            }
            ExprKind::Compare { op, left, right } => {
                let equal = match op {
                    CompareOp::Equal => true,
                    CompareOp::NotEqual => false,
                    _ => return None,
                };
                let same = match (&left.kind, &right.kind) {
                    (ExprKind::TypeOf(value), ExprKind::Str { text, .. }) if text == "object" => {
                        let given = self.given(ev, value, place)?;
                        self.is_truthy(&given).then_some(!matches!(given, Type::Function(_)))?
                    }
                    (_, ExprKind::None) => {
                        let given = self.given(ev, left, place)?;
                        if given.is_nothing() {
                            matches!(given, Type::Null)
                        } else {
                            !self.is_truthy(&given).then_some(true)?
                        }
                    }
                    _ => return None,
                };
                Some(same == equal)
            }
            ExprKind::Call { callee, args, .. } => {
                let (ExprKind::Member { object, name }, [Arg::Positional(value)]) = (&callee.kind, args.as_slice())
                else {
                    return None;
                };
                if !matches!(&object.kind, ExprKind::Name(known) if known == "Array") || name != "isArray" {
                    return None;
                }
                match self.given(ev, value, place)? {
                    Type::Array(_) | Type::Tuple(_) => Some(true),
                    Type::Object(_) | Type::Class(..) | Type::Undefined | Type::Null => Some(false),
                    Type::Schema(id) => match self.table.get(id).kind {
                        Kind::Array { .. } => Some(true),
                        Kind::Object(_) => Some(false),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What the caller gave for a parameter.
    fn given(&mut self, ev: &mut Evaluator<'p>, expr: &Expr, place: &Place<'p>) -> Option<Type<'p>> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let given = place.locals.as_ref()?.given.borrow().get(name.as_str()).cloned()?;
        Some(self.force(ev, &given))
    }
}
