//! What is picked of a table by a key that is not decided before the program runs: `{"a": A, "b": B}[kind]`,
//! `(plain, secure)[bool(flag)]`.

use super::Evaluator;
use super::decisions::{ABSENT, MAX_ALTERNATIVES, Test};
use super::value::{Args, Scope, Value};
use crate::model::program::{Arg, Expr, ExprKind};

/// What is looked for in a table.
pub(super) struct Key<'v, 'p> {
    pub expr: &'p Expr,
    pub value: &'v Value<'p>,
    /// The value is only what is there where nobody sets anything.
    pub soft: bool,
}

impl<'p> Evaluator<'p> {
    /// The entry of each key, each where the key is that one; `missing` where it is none of them. `None` where the key is
    /// known, or nothing is told by it.
    pub(super) fn picked(
        &mut self,
        table: &Value<'p>,
        key: &Key<'_, 'p>,
        missing: &Value<'p>,
        scope: &Scope<'p>,
    ) -> Option<Value<'p>> {
        // What a request asks for may be anything, and so may what nobody was seen to give.
        let decides = key.value.is_set_outside()
            || matches!(key.value, Value::Choice(_))
            || key.soft && key.value.is_plain() && !self.runs_often();
        if !decides {
            return None;
        }
        let entries: Vec<(Value<'p>, Value<'p>)> = match table {
            Value::Dict(dict) => dict.borrow().entries.clone(),
            Value::List(_) | Value::Tuple(_) => {
                let numbered = |(at, value)| (Value::Bool(at == 1), value);
                table.elements()?.into_iter().enumerate().map(numbered).collect()
            }
            _ => return None,
        };
        if entries.len() >= MAX_ALTERNATIVES || entries.is_empty() {
            return None;
        }
        let of_truths = entries.iter().all(|(key, _)| matches!(key, Value::Bool(_)));
        if !(matches!(table, Value::Dict(_)) || entries.len() == 2 && is_truth(key.expr)) {
            return None;
        }
        if of_truths {
            return Some(self.picked_by_truth(&entries, key, missing, scope));
        }
        if !matches!(key.value, Value::Unknown(..) | Value::None | Value::Str(_))
            || !entries.iter().all(|(key, _)| matches!(key, Value::Str(_)))
        {
            return None;
        }
        let mut picked = missing.clone();
        for (known, value) in entries.into_iter().rev() {
            let default = key.soft.then(|| known.same(key.value));
            let decision = self.key_decision(key.expr, &known, default, scope);
            picked = self.choice(decision, value, picked);
        }
        Some(self.projected(picked))
    }

    fn picked_by_truth(
        &mut self,
        entries: &[(Value<'p>, Value<'p>)],
        key: &Key<'_, 'p>,
        missing: &Value<'p>,
        scope: &Scope<'p>,
    ) -> Value<'p> {
        let entry = |wanted: bool| {
            let found = entries.iter().rev().find(|(known, _)| matches!(known, Value::Bool(known) if *known == wanted));
            found.map_or_else(|| missing.clone(), |(_, value)| value.clone())
        };
        match self.truth(key.value.clone(), key.soft, key.expr, scope) {
            Test::Known(truth) => entry(truth),
            Test::Open(decision, sense) => self.choice(decision, entry(sense), entry(!sense)),
        }
    }

    /// What is found under a key, for each alternative of that.
    pub(super) fn by_key(
        &mut self,
        table: &Value<'p>,
        at: &'p Expr,
        scope: &Scope<'p>,
        find: &mut dyn FnMut(&mut Self, Value<'p>) -> Value<'p>,
    ) -> Value<'p> {
        let outer = std::mem::replace(&mut self.soft, false);
        let key = self.evaluate(at, scope);
        let soft = std::mem::replace(&mut self.soft, outer);
        self.soft |= soft;
        if !matches!(key, Value::Choice(_)) || is_truth(at) {
            let key = Key { expr: at, value: &key, soft };
            if let Some(picked) = self.picked(table, &key, &missing_in(table), scope) {
                return picked;
            }
        }
        self.each(key, find)
    }

    /// `table.get(key, default)` with a key that is not decided.
    pub(super) fn picked_by_get(
        &mut self,
        callee: &Value<'p>,
        args: &'p [Arg],
        (given, soft): (&Args<'p>, bool),
        scope: &Scope<'p>,
    ) -> Option<Value<'p>> {
        let Value::Native(table, name) = callee else { return None };
        let (Arg::Positional(expr), true) = (args.first()?, matches!(**table, Value::Dict(_)) && &**name == "get")
        else {
            return None;
        };
        let value = given.positional.first()?.clone();
        let missing = given.get(1, "default").cloned().unwrap_or(Value::None);
        if !matches!(value, Value::Choice(_)) {
            return self.picked(table, &Key { expr, value: &value, soft }, &missing, scope);
        }
        let Value::Dict(entries) = &**table else { return None };
        Some(self.each(value, &mut |evaluator, value| {
            let picked = evaluator.picked(table, &Key { expr, value: &value, soft: false }, &missing, scope);
            picked.or_else(|| entries.borrow().get(&value).cloned()).unwrap_or_else(|| missing.clone())
        }))
    }

    /// A value that is put somewhere else, as an argument or an element: what decides whether it is there at all, or whether
    /// it is true, goes with it.
    pub(super) fn taken_along(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        let outer = std::mem::replace(&mut self.set_outside, false);
        let value = self.evaluate(expr, scope);
        let set_outside = self.set_outside;
        self.set_outside |= outer;
        if !set_outside || self.runs_often() || !matches!(value, Value::None | Value::Bool(_)) {
            return value;
        }
        let there = if matches!(value, Value::None) {
            [Value::nameless_setting(Some(expr.span)), Value::None]
        } else {
            [Value::Bool(true), Value::Bool(false)]
        };
        let [yes, no] = there;
        let (mut test, mut truth, mut positive) = (expr, value.truth(), true);
        while let ExprKind::Not(inner) = &test.kind {
            (test, truth, positive) = (inner, !truth, !positive);
        }
        match self.truth(Value::Bool(truth), true, test, scope) {
            Test::Known(truth) => {
                if truth == positive {
                    yes
                } else {
                    no
                }
            }
            Test::Open(decision, sense) if sense == positive => self.choice(decision, yes, no),
            Test::Open(decision, _) => self.choice(decision, no, yes),
        }
    }

    /// Arguments of which no list has elements that are chosen; `None` where none has.
    pub(super) fn elements_apart(&mut self, args: &Args<'p>) -> Option<Args<'p>> {
        let mut apart = None;
        for at in 0..args.positional.len() {
            if let Some(lists) = self.of_elements(&args.positional[at]) {
                apart.get_or_insert_with(|| args.clone()).positional[at] = lists;
            }
        }
        for at in 0..args.named.len() {
            if let Some(lists) = self.of_elements(&args.named[at].1) {
                apart.get_or_insert_with(|| args.clone()).named[at].1 = lists;
            }
        }
        apart
    }

    /// The alternatives of a list of which some elements are chosen among texts: a list for each.
    fn of_elements(&mut self, value: &Value<'p>) -> Option<Value<'p>> {
        let (Value::List(_) | Value::Tuple(_)) = value else { return None };
        let items = value.elements()?;
        let chosen = items.iter().filter(|item| matches!(item, Value::Choice(_)));
        let of_text = |item: &Value<'p>| {
            let alternatives = self.alternatives_of(item);
            alternatives.iter().all(|(_, value)| matches!(value, Value::Str(_)) || super::decisions::is_absent(value))
        };
        if chosen.clone().count() == 0 || !chosen.clone().all(of_text) {
            return None;
        }
        Some(self.each_of(items.clone(), &mut |_, items| {
            Value::list(items.into_iter().filter(|item| !super::decisions::is_absent(item)).collect())
        }))
    }
}

/// What is not there where a key is none of a table's.
fn missing_in<'p>(table: &Value<'p>) -> Value<'p> {
    match table {
        Value::Dict(dict) if dict.borrow().record && dict.borrow().is_whole() => Value::None,
        _ => Value::Unknown(ABSENT, None),
    }
}

/// Whether an expression is true or false, whatever it says.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare { .. } | ExprKind::Not(_) | ExprKind::Bool(_) => true,
        ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Name(name) if name == "bool"),
        _ => false,
    }
}
