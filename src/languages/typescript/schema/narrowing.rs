//! What is known of an object beyond its declared type: members that a condition rules out, members that a literal has
//! although its type says that they may be missing.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Schemas;
use super::locals::{Local, Locals, path_of, span_of};
use super::types::{ObjectType, Type};
use super::typing::Place;
use crate::evaluate::Evaluator;
use crate::model::program::{CompareOp, DictItem, Expr, ExprKind, Stmt, StmtKind};

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
        ExprKind::Compare { op: CompareOp::Equal | CompareOp::Is, left, right } if matches!(right.kind, ExprKind::None) => {
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

    /// `const answer: T = { … }`: a member that the literal has is sent, whatever `T` says of it.
    pub(super) fn filled(
        &mut self,
        ev: &mut Evaluator<'p>,
        ty: Type<'p>,
        value: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        let ExprKind::Record(items) = &value.kind else { return ty };
        let Some(object) = self.properties(ev, &ty) else { return ty };
        let mut props = object.props.clone();
        let mut any = false;
        for prop in &mut props {
            let given = items.iter().find_map(|item| match item {
                DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, given) if **text == *prop.name => Some(given),
                _ => None,
            });
            let (true, Some(given)) = (prop.optional, given) else { continue };
            let given = self.type_of(ev, given, place);
            if given.is_unknown() || matches!(given, Type::Any) {
                continue;
            }
            if let Some((_, false)) = self.sent(ev, &given)
                && !self.may_hide(ev, &given)
            {
                prop.optional = false;
                any = true;
            }
        }
        if any { changed(&object, props) } else { ty }
    }

    /// Whether a part of a type is not known: it may be nothing.
    fn may_hide(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
        match self.force(ev, ty) {
            Type::Unknown(..) | Type::Any => true,
            Type::Union(options) => options.iter().any(|option| matches!(option, Type::Unknown(..) | Type::Any)),
            _ => false,
        }
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
