//! Lists and tables that are filled where a condition holds: what is added is there on that side of the decision only, and so
//! is what hangs on how much is there.

use std::rc::Rc;

use super::Evaluator;
use super::decisions::{ABSENT, Choice, is_absent};
use super::value::{Dict, Value};
use crate::text::Span;

/// What a list or a table held before one of its methods ran.
pub(super) struct Before<'p> {
    held: usize,
    entries: Vec<(Value<'p>, Value<'p>)>,
}

impl<'p> Evaluator<'p> {
    /// What is kept of a list or a table before one of its methods runs; `None` where no condition is open.
    pub(super) fn before_filling(&mut self, receiver: &Value<'p>, name: &str) -> Option<Before<'p>> {
        if self.guard.is_empty() || self.runs_often() {
            return None;
        }
        let held = held(receiver);
        match receiver {
            Value::List(_) => Some(Before { held, entries: Vec::new() }),
            Value::Dict(dict) if matches!(name, "update" | "set") && self.afford(held) => {
                Some(Before { held, entries: dict.borrow().entries.clone() })
            }
            Value::Dict(_) => Some(Before { held, entries: Vec::new() }),
            _ => None,
        }
    }

    /// What the method added, changed or took away is so where what holds now holds.
    pub(super) fn after_filling(
        &mut self,
        receiver: &Value<'p>,
        name: &str,
        before: &Before<'p>,
        given: Option<&Value<'p>>,
    ) {
        let now = held(receiver);
        match receiver {
            Value::List(list) if now > before.held => {
                let added = if name == "insert" { 0..now - before.held } else { before.held..now };
                for at in added {
                    let value = list.borrow()[at].clone();
                    let value = self.only_here(value);
                    list.borrow_mut()[at] = value;
                }
            }
            Value::List(list) if now < before.held && name == "pop" => {
                if let Some(taken) = given {
                    let left = self.written(&[], Some(taken.clone()), Value::Unknown(ABSENT, None));
                    list.borrow_mut().push(left);
                }
            }
            Value::Dict(dict) => {
                let mut changed: Vec<(Value<'p>, Option<Value<'p>>, Value<'p>)> = Vec::new();
                for (key, old) in &before.entries {
                    if let Some(new) = dict.borrow().get(key)
                        && !new.same(old)
                    {
                        changed.push((key.clone(), Some(old.clone()), new.clone()));
                    }
                }
                changed.extend(
                    dict.borrow().entries.iter().skip(before.held).map(|(key, new)| (key.clone(), None, new.clone())),
                );
                for (key, old, new) in changed {
                    let value = self.written(&[], old, new);
                    dict.borrow_mut().set(key, value);
                }
            }
            _ => {}
        }
    }

    /// How many elements a list has, on each side of what they hang on; `None` where a loop that may run any number of times
    /// adds some, or they hang on too much.
    pub fn count(&mut self, value: &Value<'p>) -> Option<Value<'p>> {
        self.over_elements(value, Value::Int(0), &mut |so_far, one| match (so_far, one) {
            (Value::Int(so_far), Value::Bool(one)) => Value::Int(so_far + i64::from(one)),
            _ => Value::Unknown("how many elements a list has", None),
        })
    }

    /// Whether a list has any elements, on each side of what they hang on.
    pub(super) fn has_any(&mut self, value: &Value<'p>) -> Option<Value<'p>> {
        if value.elements()?.iter().any(|element| !may_be_absent(element)) {
            return Some(Value::Bool(true));
        }
        self.over_elements(value, Value::Bool(false), &mut |so_far, one| {
            // As many as a loop adds: any, as far as can be known of a loop that runs.
            Value::Bool(matches!((so_far, one), (Value::Bool(true), _) | (_, Value::Bool(true) | Value::Unknown(..))))
        })
    }

    /// An element as a test keeps it: only there on the sides where the test holds, perhaps where that is not known.
    pub fn kept_where(&mut self, element: &Value<'p>, test: Value<'p>, site: Option<Span>) -> Option<Value<'p>> {
        let kept = self.each(test, &mut |evaluator, test| {
            if test.is_unknown() {
                let Some(site) = site.filter(|_| !evaluator.runs_often()) else { return element.clone() };
                let perhaps = evaluator.perhaps(site);
                evaluator.put(&perhaps, Value::Unknown(ABSENT, None), element.clone())
            } else if test.truth() {
                element.clone()
            } else {
                Value::Unknown(ABSENT, None)
            }
        });
        (!is_absent(&kept)).then_some(kept)
    }

    /// The keys of a table, each there where its value is.
    pub fn keys(&self, dict: &Dict<'p>) -> Vec<Value<'p>> {
        dict.entries.iter().map(|(key, value)| self.where_there(value, &mut |_| key.clone())).collect()
    }

    /// Keys and values of a table as pairs, each there where its value is.
    pub fn pairs(&self, dict: &Dict<'p>, pair: fn(Value<'p>, Value<'p>) -> Value<'p>) -> Vec<Value<'p>> {
        let pairs = dict.entries.iter();
        pairs.map(|(key, value)| self.where_there(value, &mut |value| pair(key.clone(), value))).collect()
    }

    /// What is made of a value, only where that is there.
    fn where_there(&self, value: &Value<'p>, make: &mut dyn FnMut(Value<'p>) -> Value<'p>) -> Value<'p> {
        match value {
            Value::Choice(choice) if may_be_absent(value) => {
                let (yes, no) = (self.where_there(&choice.yes, make), self.where_there(&choice.no, make));
                self.choice(choice.decision, yes, no)
            }
            absent if is_absent(absent) => absent.clone(),
            value => make(value.clone()),
        }
    }

    /// What is only there where what holds now holds, of which nothing else may be known.
    fn only_here(&self, value: Value<'p>) -> Value<'p> {
        match (self.guard.last(), &value) {
            (Some((decision, taken)), Value::Unknown(..)) => {
                let absent = Value::Unknown(ABSENT, None);
                let (yes, no) = if *taken { (value, absent) } else { (absent, value) };
                Value::Choice(Rc::new(Choice { decision: *decision, yes, no }))
            }
            _ => self.written(&[], None, value),
        }
    }

    /// Adds up whether each element is there.
    fn over_elements(
        &mut self,
        value: &Value<'p>,
        start: Value<'p>,
        add: &mut dyn FnMut(Value<'p>, Value<'p>) -> Value<'p>,
    ) -> Option<Value<'p>> {
        let elements = value.elements()?;
        if !self.afford(elements.len()) {
            return None;
        }
        let mut sum = start;
        for element in elements {
            let there = self.presence(&element, false);
            sum = self.each_two(sum, there, &mut |_, sum, there| add(sum, there));
        }
        Some(sum)
    }

    /// Whether an element is there, on each side of what that hangs on; unknown where it stands for any number of them.
    fn presence(&self, element: &Value<'p>, many: bool) -> Value<'p> {
        match element {
            Value::Choice(choice) => {
                let many = many || self.decision(choice.decision).many;
                let (yes, no) = (self.presence(&choice.yes, many), self.presence(&choice.no, many));
                self.choice(choice.decision, yes, no)
            }
            absent if is_absent(absent) => Value::Bool(false),
            _ if many => Value::Unknown("as many elements as a loop adds", None),
            _ => Value::Bool(true),
        }
    }
}

/// Whether an element is there on some sides of what it hangs on only.
fn may_be_absent(element: &Value) -> bool {
    match element {
        Value::Choice(choice) => may_be_absent(&choice.yes) || may_be_absent(&choice.no),
        other => is_absent(other),
    }
}

/// How much a list or a table holds.
pub(super) fn held(value: &Value) -> usize {
    match value {
        Value::List(list) => list.borrow().len(),
        Value::Dict(dict) => dict.borrow().entries.len(),
        _ => 0,
    }
}
