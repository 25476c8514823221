//! Conditions that the process decides, and values that it chose: what is read of a handler holds in one world.

use rustc_hash::FxHashMap;

use super::Schemas;
use super::locals::{Local, Locals};
use super::members::widened;
use super::types::Type;
use super::typing::Place;
use crate::evaluate::{Evaluator, ModuleId, Scope, Value};
use crate::languages::walk;
use crate::model::program::{Expr, ExprKind, Stmt, StmtKind};

/// How conditions fall that the process decides.
pub(super) type Decided = FxHashMap<*const Expr, bool>;

/// Data within data that is looked at; deeper data has the type that is written.
const MAX_DEPTH: u32 = 12;

impl<'p> Schemas<'p> {
    /// How a condition falls in the world that is read; `None` where each request decides it.
    pub(super) fn settled(ev: &mut Evaluator<'p>, test: &'p Expr, place: &Place<'p>) -> Option<bool> {
        if !ev.settles() {
            return None;
        }
        let mut next = vec![test];
        while let Some(expr) = next.pop() {
            match &expr.kind {
                ExprKind::Name(name) if is_of_request(name, expr, place) => return None,
                ExprKind::Lambda(_) | ExprKind::Await(_) => return None,
                _ => walk::inner(expr, &mut |inner| next.push(inner)),
            }
        }
        let scope = place.locals.as_deref().and_then(Locals::innermost).unwrap_or_else(|| place.env.scope.clone());
        ev.settled_test(test, &scope)
    }

    /// How the conditions of a block fall, those of functions inside of it left out.
    pub(super) fn decided_in(ev: &mut Evaluator<'p>, body: &'p [Stmt], place: &Place<'p>) -> Decided {
        let mut decided = Decided::default();
        if !ev.settles() {
            return decided;
        }
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for statement in block {
                walk::blocks(statement, &mut |inner| blocks.push(inner));
                let mut exprs = Vec::new();
                walk::expressions(statement, &mut |expr| exprs.push(expr));
                let mut tests = Vec::new();
                if let StmtKind::If { test, .. } = &statement.kind {
                    tests.push(test);
                }
                while let Some(expr) = exprs.pop() {
                    if let ExprKind::Conditional { test, .. } = &expr.kind {
                        tests.push(test);
                    }
                    walk::inner(expr, &mut |inner| exprs.push(inner));
                }
                for test in tests {
                    if let Some(holds) = Self::settled(ev, test, place) {
                        decided.insert(std::ptr::from_ref::<Expr>(test), holds);
                    }
                }
            }
        }
        decided
    }

    /// The type of data that a name stands for in the world that is read, where that says more than how it is written:
    /// it was chosen among several, or made in a way that static types tell less of.
    pub(super) fn of_chosen(
        &mut self,
        ev: &mut Evaluator<'p>,
        name: &str,
        value: &Value<'p>,
        scope: &Scope<'p>,
    ) -> Option<Type<'p>> {
        if !ev.settles() || !is_data(value, 0) || ev.is_assigned_later(name, scope) {
            return None;
        }
        let value = ev.projected(value.clone());
        if value.is_absent() { None } else { Some(widened(self.of_value_in_world(ev, &value, 0))) }
    }

    /// The type of data, each part as it is in the world that is read.
    pub(super) fn of_value_in_world(&mut self, ev: &mut Evaluator<'p>, value: &Value<'p>, depth: u32) -> Type<'p> {
        if depth > MAX_DEPTH {
            return Type::unknown("data nested too deep", None);
        }
        match value {
            Value::List(items) => {
                let items = items.borrow().clone();
                let mut options = Vec::new();
                for item in items {
                    let item = ev.projected(item);
                    if !item.is_absent() {
                        options.push(widened(self.of_value_in_world(ev, &item, depth + 1)));
                    }
                }
                Type::array(Type::union(options))
            }
            Value::Choice(choice) => {
                let options = [&choice.yes, &choice.no].map(|value| self.of_value_in_world(ev, value, depth + 1));
                Type::union(options.to_vec())
            }
            value => self.of_value(value),
        }
    }

    /// The same of a name of a module that is bound several times, or to what hangs on a decision.
    pub(super) fn of_chosen_in_module(
        &mut self,
        ev: &mut Evaluator<'p>,
        module: ModuleId,
        name: &str,
    ) -> Option<Type<'p>> {
        if !ev.settles() {
            return None;
        }
        let touched = ev.touched();
        let value = ev.module_name(module, name)?;
        if ev.touched() == touched && !hangs(&value, 0) && !ev.is_bound_again(module, name) {
            return None;
        }
        let scope = ev.module_scope(module);
        self.of_chosen(ev, name, &value, &scope)
    }

    /// The type of a local name, of which the value says which of several it is.
    pub(super) fn one_chosen(
        &mut self,
        ev: &mut Evaluator<'p>,
        ty: Type<'p>,
        name: &str,
        value: Option<&Value<'p>>,
        locals: &Locals<'p>,
    ) -> Type<'p> {
        match locals.innermost_own() {
            Some(scope) => self.one_chosen_of(ev, ty, name, value, &scope),
            None => ty,
        }
    }

    pub(super) fn one_chosen_of(
        &mut self,
        ev: &mut Evaluator<'p>,
        ty: Type<'p>,
        name: &str,
        value: Option<&Value<'p>>,
        scope: &Scope<'p>,
    ) -> Type<'p> {
        let Some(value) = value.filter(|value| is_data(value, 0)) else { return ty };
        if !ev.settles() || !matches!(self.force(ev, &ty), Type::Union(_)) {
            return ty;
        }
        self.of_chosen(ev, name, value, scope).unwrap_or(ty)
    }

    /// What a local name of a call that ran stands for there, where the values say more than the types: it has several, or is
    /// the variable of a loop.
    pub(super) fn of_ran(
        &mut self,
        ev: &mut Evaluator<'p>,
        name: &'p str,
        (local, expr): (Option<Local<'p>>, &'p Expr),
        locals: &Locals<'p>,
    ) -> Option<Type<'p>> {
        let scope = locals.innermost_own()?;
        let value = scope.in_call(name)?;
        let several = match local? {
            Local::Param(_) | Local::Annotated(..) | Local::Function(_) => return None,
            Local::Late | Local::Element(_) | Local::ElementPart(..) => true,
            Local::Value(_) | Local::Part(..) => {
                locals.assigned(name, expr.span).len() > 1 || locals.is_late(name, expr.span) || hangs(&value, 0)
            }
        };
        if several { self.of_chosen(ev, name, &value, &scope) } else { None }
    }
}

/// Whether a name belongs to a function that did not run: what it stands for is another thing for each request.
fn is_of_request(name: &str, expr: &Expr, place: &Place) -> bool {
    let mut next = place.locals.as_deref();
    while let Some(locals) = next {
        if locals.frame.is_some() {
            return false;
        }
        if locals.find(name, expr.span).is_some() {
            return true;
        }
        next = locals.parent.as_deref();
    }
    false
}

/// Whether a value is data through and through, as a program writes it down.
pub(super) fn is_data(value: &Value, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => true,
        Value::Choice(choice) => {
            [&choice.yes, &choice.no].into_iter().all(|value| value.is_absent() || is_data(value, depth + 1))
        }
        Value::Dict(dict) => {
            let dict = dict.borrow();
            dict.record
                && dict.is_whole()
                && dict.entries.iter().all(|(_, value)| value.is_absent() || is_data(value, depth + 1))
        }
        Value::List(items) => {
            let items = items.borrow();
            !items.is_empty() && items.iter().all(|item| item.is_absent() || is_data(item, depth + 1))
        }
        _ => false,
    }
}

/// Whether a value, or a part of it, hangs on a decision.
pub(super) fn hangs(value: &Value, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        Value::Choice(_) => true,
        Value::Dict(dict) => dict.borrow().entries.iter().any(|(_, value)| hangs(value, depth + 1)),
        Value::List(items) => items.borrow().iter().any(|item| hangs(item, depth + 1)),
        _ => false,
    }
}

/// Whether nothing behind a statement runs, because of how the process decides a condition.
pub(super) fn ends(statement: &Stmt, decided: &Decided) -> bool {
    let StmtKind::If { test, then, otherwise } = &statement.kind else { return false };
    let taken = match decided.get(&std::ptr::from_ref(test)) {
        Some(true) => then,
        Some(false) => otherwise,
        None => return false,
    };
    let last = |last: &Stmt| matches!(last.kind, StmtKind::Return(_) | StmtKind::Raise) || ends(last, decided);
    taken.last().is_some_and(last)
}
