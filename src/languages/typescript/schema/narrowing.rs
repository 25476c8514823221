//! What is known of an object beyond its declared type: members that a condition rules out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Schemas;
use super::locals::{Local, Locals, path_of, span_of};
use super::types::{ObjectType, Type};
use crate::evaluate::Evaluator;
use crate::model::program::{CompareOp, Expr, ExprKind, Stmt, StmtKind};

/// Names and members that count as false, by path, with the places where they do.
pub(super) type Absent = FxHashMap<String, Vec<(u32, u32)>>;

/// Collects `if (!name) { … }` and `if (name == null) { … }`.
pub(super) fn absences(statements: &[Stmt], absent: &mut Absent) {
    for statement in statements {
        match &statement.kind {
            StmtKind::If { test, then, otherwise } => {
                if let Some(path) = absent_where(test) {
                    let whole = (statement.span.start, statement.span.end);
                    absent.entry(path).or_default().push(span_of(then, whole));
                }
                absences(then, absent);
                absences(otherwise, absent);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                absences(body, absent);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                absences(body, absent);
                handlers.iter().for_each(|handler| absences(handler, absent));
                absences(otherwise, absent);
                absences(finally, absent);
            }
            StmtKind::Match { cases, .. } => cases.iter().for_each(|case| absences(&case.body, absent)),
            _ => {}
        }
    }
}

fn absent_where(test: &Expr) -> Option<String> {
    match &test.kind {
        ExprKind::Not(inner) => path_of(inner),
        ExprKind::Compare { op: CompareOp::Equal | CompareOp::Is, left, right }
            if matches!(right.kind, ExprKind::None) =>
        {
            path_of(left)
        }
        _ => None,
    }
}

impl<'p> Schemas<'p> {
    /// An object of which a member, or a name that was taken out of it, counts as false at this place.
    pub(super) fn without_absent(
        &mut self,
        ev: &mut Evaluator<'p>,
        ty: Type<'p>,
        name: &str,
        expr: &'p Expr,
        locals: &Locals<'p>,
    ) -> Type<'p> {
        let at = expr.span.start;
        let mut ty = ty;
        let mut paths: Vec<&String> = locals
            .absent
            .iter()
            .filter(|(_, ranges)| ranges.iter().any(|range| range.0 <= at && at < range.1))
            .map(|(path, _)| path)
            .collect();
        paths.sort();
        for path in paths {
            let member = match path.split_once('.') {
                Some((object, member)) => (object == name && !member.contains('.')).then(|| member.to_owned()),
                None => taken_from(locals, path, expr).filter(|(object, _)| object == name).map(|(_, member)| member),
            };
            if let Some(member) = member {
                ty = self.lacking(ev, ty, &member);
            }
        }
        ty
    }

    fn lacking(&mut self, ev: &mut Evaluator<'p>, ty: Type<'p>, member: &str) -> Type<'p> {
        let Some(object) = self.properties(ev, &ty) else { return ty };
        let Some(at) = object.props.iter().position(|prop| &*prop.name == member) else { return ty };
        let left = self.falsy(ev, &object.props[at].ty);
        if matches!(left, Type::Never) || left.is_unknown() {
            return ty;
        }
        let mut props = object.props.clone();
        props[at].ty = left;
        changed(&object, props)
    }
}

fn changed<'p>(object: &ObjectType<'p>, props: Vec<super::Prop<'p>>) -> Type<'p> {
    Type::Object(Rc::new(ObjectType {
        props,
        index: object.index.clone(),
        open: object.open.clone(),
        name: object.name.clone(),
        span: object.span,
    }))
}

/// The object and member that a name was taken from: `const { name } = object`.
fn taken_from(locals: &Locals, name: &str, expr: &Expr) -> Option<(String, String)> {
    let Some(Local::Value(value)) = locals.find(name, expr.span) else { return None };
    let ExprKind::Member { object, name: member } = &value.kind else { return None };
    let ExprKind::Name(object) = &object.kind else { return None };
    if object.contains('@')
        && let Some(Local::Value(Expr { kind: ExprKind::Name(whole), .. })) = locals.find(object, expr.span)
    {
        return Some((whole.clone(), member.clone()));
    }
    Some((object.clone(), member.clone()))
}
