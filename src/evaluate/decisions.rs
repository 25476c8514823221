//! The one join. A condition that is not decided makes a *decision*; both of its sides run, each under the guard that the
//! decision fell so. What is written under a guard is written as a [`Choice`]: one value where the guard holds, the former
//! one where it does not. What is read under a guard is the value of that side. So nothing has to be put together where
//! paths meet again, and whatever two values hang on one decision stay together (variational execution; Austin and Flanagan,
//! "Multiple facets for dynamic information flow", 2012).
//!
//! What takes a value apart ([`Evaluator::each`]) does so for each alternative under its guard. A value has at most
//! [`MAX_ALTERNATIVES`] of them, by [`MAX_WAYS`] ways; then it is unknown.

use std::fmt::Write;
use std::rc::Rc;

use super::branches::{End, Flow};
use super::condition_keys::MAX_KEY;
use super::value::{Args, Scope, Value};
use super::{Evaluator, Item};
use crate::model::Condition;
use crate::model::program::{Expr, ExprKind, MatchCase};
use crate::text::Span;

/// Values that one name may stand for; one of more is unknown.
pub(super) const MAX_ALTERNATIVES: usize = 8;
/// Ways to them: what one side of many decisions writes is there in one way, and the former value in all of the others.
const MAX_WAYS: usize = 32;
/// Alternatives of alternatives that run one within the other; what more give is unknown.
const MAX_FAN: usize = 16;
/// The same where each of many functions runs by itself; what more give is unknown.
const MAX_FAN_OFTEN: usize = 4;
/// Decisions of which all combinations are looked at; what hangs on more counts as conditional.
const MAX_COMBINED: usize = 8;
/// Decisions that are told apart.
const MAX_DECISIONS: usize = 100_000;

/// Why a value is not known.
const TOO_MANY: &str = "one of more values than are followed";
/// Why a value is not there: what a side did not bind, an element that it did not add.
pub(super) const ABSENT: &str = "only there where a condition holds";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionId(u32);

/// The sides that several decisions fell to, all of which hold at once; the outermost decision first.
pub type Guard = Vec<(DecisionId, bool)>;

/// A condition that is not decided before the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// Where the condition stands.
    pub test: Span,
    /// The side that is taken where nobody sets anything.
    pub default: Option<bool>,
    /// Decided anew each time that the code runs, so that all that comes of it occurs.
    pub(super) each_time: bool,
    /// Decided by what is set around the program.
    pub(super) by_setting: bool,
    /// Whether a loop runs at all, which may then run any number of times.
    pub(super) many: bool,
}

/// A value that hangs on a decision.
pub struct Choice<'p> {
    pub decision: DecisionId,
    pub yes: Value<'p>,
    pub no: Value<'p>,
}

/// What is known of a condition.
pub(super) enum Test {
    Known(bool),
    /// Decided by this; true on its side `yes` where the flag is set.
    Open(DecisionId, bool),
}

impl DecisionId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'p> Evaluator<'p> {
    pub fn decision(&self, id: DecisionId) -> Decision {
        self.decisions[id.0 as usize]
    }

    /// What holds where the program is now.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(super) fn side_of(&self, decision: DecisionId) -> Option<bool> {
        self.guard.iter().rev().find(|(known, _)| *known == decision).map(|(_, side)| *side)
    }

    /// The guard of what is there in some runs only, for a reason that no condition states.
    pub fn perhaps(&mut self, site: Span) -> Guard {
        vec![(self.decide(site, None), true)]
    }

    /// A decision that hangs on nothing that was asked before.
    pub(super) fn decide(&mut self, test: Span, default: Option<bool>) -> DecisionId {
        let id = DecisionId(self.decisions.len() as u32);
        let each_time = self.runs_often();
        self.decisions.push(Decision { test, default, each_time, by_setting: default.is_some(), many: false });
        id
    }

    /// Whether what runs now runs more than once in one run of the program.
    pub(super) fn runs_often(&self) -> bool {
        !self.serving.is_empty() || self.gathering > 0 || self.wires.running || self.settles
    }

    /// A decision about something that is asked at one place: while a program starts, each time is another one.
    pub(super) fn open_decision(&mut self, test: Span, default: Option<bool>) -> DecisionId {
        if !self.runs_often() && self.decisions.len() < MAX_DECISIONS {
            return self.decide(test, default);
        }
        if let Some(known) = self.decisions_at.get(&test) {
            return *known;
        }
        let decision = self.decide(test, default);
        self.decisions_at.insert(test, decision);
        decision
    }

    /// Whether a loop runs of which that is not known.
    pub(super) fn loop_decision(&mut self, site: Span) -> DecisionId {
        let decision = self.open_decision(site, None);
        self.decisions[decision.index()].many = true;
        decision
    }

    /// Whether a case of a `match` is the one that is taken: the same for each that asks for the same value of the same
    /// subject.
    pub(super) fn case_decision(
        &mut self,
        subject: &'p Expr,
        case: &'p MatchCase,
        default: Option<bool>,
        scope: &Scope<'p>,
    ) -> DecisionId {
        let site = case.values.first().map_or(subject.span, |value| value.span);
        let mut key = String::new();
        let stable = !case.values.is_empty()
            && self.key_part(subject, scope, &mut key)
            && case.values.iter().all(|value| {
                key.push_str("Equal");
                self.key_part(value, scope, &mut key)
            });
        if !stable || key.len() >= MAX_KEY {
            return self.open_decision(site, default);
        }
        if let Some(known) = self.known_decisions.get(&key) {
            return *known;
        }
        let decision = self.decide(site, default);
        self.known_decisions.insert(key, decision);
        decision
    }

    /// Whether a key is that of an entry of a table: the same as whether it equals that where somebody asks for it.
    pub(super) fn key_decision(
        &mut self,
        subject: &'p Expr,
        known: &Value<'p>,
        default: Option<bool>,
        scope: &Scope<'p>,
    ) -> DecisionId {
        let mut key = String::new();
        let stable = self.key_part(subject, scope, &mut key);
        let Some(text) = known.as_str().filter(|_| stable) else { return self.decide(subject.span, default) };
        let _ = write!(key, "Equal{text:?}");
        if let Some(known) = self.known_decisions.get(&key) {
            return *known;
        }
        let decision = self.decide(subject.span, default);
        self.known_decisions.insert(key, decision);
        decision
    }

    /// What holds now beyond what held where the call began.
    pub(super) fn beyond(&self, frame: &Scope<'p>) -> Guard {
        self.guard.iter().filter(|side| !frame.0.guard.contains(side)).copied().collect()
    }

    /// Runs something that nothing that holds now has to do with.
    pub(super) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let guard = std::mem::take(&mut self.guard);
        let settles = std::mem::replace(&mut self.settles, false);
        let fan = std::mem::replace(&mut self.fan, 1);
        let result = run(self);
        self.fan = fan;
        self.settles = settles;
        self.guard = guard;
        result
    }

    /// What a call gives: what it returned on each way through, where none of them ended with an exception.
    pub(super) fn result_of(&mut self, returns: Vec<(Guard, Value<'p>)>, flow: &Flow) -> Value<'p> {
        let mut result = if flow.end < End::Return { Value::None } else { Value::Unknown(ABSENT, None) };
        for (guard, value) in returns {
            result = self.put(&guard, result, value);
        }
        without_absent(result)
    }

    /// Runs something where a decision fell to one side; nothing where it fell to the other before.
    pub(super) fn within<T>(
        &mut self,
        decision: DecisionId,
        side: bool,
        run: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if let Some(known) = self.side_of(decision) {
            return (known == side).then(|| run(self));
        }
        self.guard.push((decision, side));
        let result = run(self);
        self.guard.pop();
        Some(result)
    }

    /// Runs something where all sides of a guard hold; nothing where they cannot.
    pub fn under<T>(&mut self, guard: &[(DecisionId, bool)], run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let before = self.guard.len();
        for (decision, side) in guard {
            match self.side_of(*decision) {
                Some(known) if known != *side => {
                    self.guard.truncate(before);
                    return None;
                }
                Some(_) => {}
                None => self.guard.push((*decision, *side)),
            }
        }
        let result = run(self);
        self.guard.truncate(before);
        Some(result)
    }

    /// The values that one may be, each with the guard under which it is that.
    pub fn alternatives_of(&self, value: &Value<'p>) -> Vec<(Guard, Value<'p>)> {
        let mut out = Vec::new();
        let mut left = vec![(Guard::new(), value.clone())];
        while let Some((guard, value)) = left.pop() {
            let Value::Choice(choice) = &value else {
                out.push((guard, value));
                continue;
            };
            for (side, value) in [(false, &choice.no), (true, &choice.yes)] {
                let mut guard = guard.clone();
                guard.push((choice.decision, side));
                left.push((guard, value.clone()));
            }
        }
        out
    }

    /// The value that one is where a guard holds.
    pub fn value_where(&self, value: &Value<'p>, guard: &Guard) -> Value<'p> {
        let fits = |known: &Guard| known.iter().all(|(decision, side)| !guard.contains(&(*decision, !*side)));
        let found = self.alternatives_of(value).into_iter().find(|(known, _)| fits(known));
        found.map_or(Value::Unknown(ABSENT, None), |(_, value)| value)
    }

    /// A value that hangs on a decision; where both sides say the same, or nothing, it does not.
    pub(super) fn choice(&self, decision: DecisionId, yes: Value<'p>, no: Value<'p>) -> Value<'p> {
        let (yes, no) = (side(yes, decision, true), side(no, decision, false));
        if yes.same(&no) {
            return yes;
        }
        // Half of what a text may be is no text, unless it is what a setting makes of it.
        let decided = self.decision(decision);
        if decided.each_time && !decided.by_setting {
            match (&yes, &no) {
                (Value::Unknown(..), Value::Str(_) | Value::Pattern(_)) => return yes,
                (Value::Str(_) | Value::Pattern(_), Value::Unknown(..)) => return no,
                _ => {}
            }
        }
        let says_nothing = |value: &Value| matches!(value, Value::Unknown(..));
        if says_nothing(&yes) && says_nothing(&no) {
            return if is_absent(&yes) { no } else { yes };
        }
        let ways = ways(&yes) + ways(&no);
        if ways > MAX_WAYS || (ways > MAX_ALTERNATIVES && distinct(&[&yes, &no]) > MAX_ALTERNATIVES) {
            return Value::Unknown(TOO_MANY, Some(self.decision(decision).test));
        }
        Value::Choice(Rc::new(Choice { decision, yes, no }))
    }

    /// What stands where `old` stood once `new` is written, under what holds now beyond `known` (what held already where
    /// the place that is written to came into being).
    pub(super) fn written(&self, known: &[(DecisionId, bool)], old: Option<Value<'p>>, new: Value<'p>) -> Value<'p> {
        let beyond: Guard = self.guard.iter().filter(|side| !known.contains(side)).copied().collect();
        self.put(&beyond, old.unwrap_or(Value::Unknown(ABSENT, None)), new)
    }

    /// `new` where the guard holds, `old` where it does not.
    pub(super) fn put(&self, guard: &[(DecisionId, bool)], old: Value<'p>, new: Value<'p>) -> Value<'p> {
        let Some(((decision, taken), rest)) = guard.split_first() else { return new };
        let (yes, no) = (side(old.clone(), *decision, true), side(old, *decision, false));
        if *taken {
            let yes = self.put(rest, yes, new);
            self.choice(*decision, yes, no)
        } else {
            let no = self.put(rest, no, new);
            self.choice(*decision, yes, no)
        }
    }

    /// Does something with each alternative of a value, under its guard.
    pub fn each(&mut self, value: Value<'p>, act: &mut dyn FnMut(&mut Self, Value<'p>) -> Value<'p>) -> Value<'p> {
        let value = self.projected(value);
        let Value::Choice(choice) = &value else { return act(self, value) };
        if self.too_many(&value) {
            return Value::Unknown(TOO_MANY, Some(self.decision(choice.decision).test));
        }
        let outer = self.fan;
        self.fan *= ways(&value);
        let result = self.each_way(value, act);
        self.fan = outer;
        result
    }

    /// Whether a value has more alternatives than are looked at, within those that are being looked at.
    fn too_many(&self, value: &Value<'p>) -> bool {
        let most = if self.runs_often() { MAX_FAN_OFTEN } else { MAX_FAN };
        self.fan * ways(value) > most
    }

    fn each_way(&mut self, value: Value<'p>, act: &mut dyn FnMut(&mut Self, Value<'p>) -> Value<'p>) -> Value<'p> {
        let value = self.projected(value);
        let Value::Choice(choice) = &value else { return act(self, value) };
        let yes = self.within(choice.decision, true, |evaluator| evaluator.each_way(choice.yes.clone(), act));
        let no = self.within(choice.decision, false, |evaluator| evaluator.each_way(choice.no.clone(), act));
        let absent = || Value::Unknown(ABSENT, None);
        self.choice(choice.decision, yes.unwrap_or_else(absent), no.unwrap_or_else(absent))
    }

    /// The same of two values.
    pub(super) fn each_two(
        &mut self,
        left: Value<'p>,
        right: Value<'p>,
        act: &mut dyn FnMut(&mut Self, Value<'p>, Value<'p>) -> Value<'p>,
    ) -> Value<'p> {
        if !matches!((&left, &right), (Value::Choice(_), _) | (_, Value::Choice(_))) {
            return act(self, left, right);
        }
        self.each(left, &mut |evaluator, left| {
            evaluator.each(right.clone(), &mut |evaluator, right| act(evaluator, left.clone(), right))
        })
    }

    /// The same of several values.
    pub(super) fn each_of(
        &mut self,
        values: Vec<Value<'p>>,
        act: &mut dyn FnMut(&mut Self, Vec<Value<'p>>) -> Value<'p>,
    ) -> Value<'p> {
        let Some(at) = values.iter().position(|value| matches!(value, Value::Choice(_))) else {
            return act(self, values);
        };
        self.each(values[at].clone(), &mut |evaluator, value| {
            let mut values = values.clone();
            values[at] = value;
            evaluator.each_of(values, act)
        })
    }

    /// The same of something that gives nothing.
    pub fn for_each(&mut self, value: Value<'p>, act: &mut dyn FnMut(&mut Self, Value<'p>)) {
        self.each(value, &mut |evaluator, value| {
            if !is_absent(&value) {
                act(evaluator, value);
            }
            Value::None
        });
    }

    /// The elements that a list is extended by, each only there where what holds now holds.
    pub(super) fn added(&mut self, more: &Value<'p>) -> Vec<Value<'p>> {
        let mut out = Vec::new();
        match more {
            Value::Choice(_) => self.for_each(more.clone(), &mut |evaluator, value| {
                out.extend(evaluator.added(&value));
            }),
            _ => {
                for value in more.elements().unwrap_or_default() {
                    out.push(self.written(&[], None, value));
                }
            }
        }
        out
    }

    /// A call with each alternative of what is called and of what that is given. `None` where there is one of each. A router
    /// is given what is known: what else it may be given is no part of it that was left unread.
    pub(super) fn call_each(&mut self, callee: &Value<'p>, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
        let unknown = |value: &Value<'p>| matches!(value, Value::Unknown(..));
        if matches!(callee, Value::Choice(_)) {
            return Some(self.each(callee.clone(), &mut |evaluator, callee| match callee {
                Value::Unknown(why, place) => Value::Unknown(why, place.or(Some(site))),
                callee => evaluator.call(&callee, args.clone(), site),
            }));
        }
        // What the program declares takes a parameter as it is, and tells alternatives apart where it uses them.
        if matches!(callee, Value::Function(_) | Value::Bound(..) | Value::Class(_)) {
            return None;
        }
        let of_router = matches!(callee, Value::Native(receiver, _) if matches!(**receiver, Value::Node(_)));
        if of_router && let Some(args) = self.elements_apart(args) {
            return self.call_each(callee, &args, site);
        }
        let is_choice = |value: &Value<'p>| matches!(value, Value::Choice(_));
        let at = args.positional.iter().position(is_choice);
        let named = args.named.iter().position(|(_, value)| is_choice(value));
        let choice = at.map(|at| &args.positional[at]).or(named.map(|at| &args.named[at].1))?;
        let mut called = |evaluator: &mut Self, value: Value<'p>| {
            if of_router && unknown(&value) {
                return value;
            }
            let mut given = args.clone();
            match (at, named) {
                (Some(at), _) => given.positional[at] = value,
                (None, Some(at)) => given.named[at].1 = value,
                (None, None) => {}
            }
            evaluator.call(callee, given, site)
        };
        let choice = self.projected(choice.clone());
        Some(if self.too_many(&choice) {
            called(self, Value::Unknown(TOO_MANY, Some(site)))
        } else {
            self.each(choice, &mut called)
        })
    }

    /// Evaluates a condition: known, or which decision it is.
    pub(super) fn test(&mut self, test: &'p Expr, scope: &Scope<'p>) -> Test {
        let mut test = test;
        let mut positive = true;
        while let ExprKind::Not(inner) = &test.kind {
            positive = !positive;
            test = inner;
        }
        let outer = std::mem::replace(&mut self.soft, false);
        let value = self.evaluate(test, scope);
        let soft = std::mem::replace(&mut self.soft, outer);
        match self.truth(value, soft, test, scope) {
            Test::Known(truth) => Test::Known(truth == positive),
            Test::Open(decision, sense) => Test::Open(decision, sense == positive),
        }
    }

    pub(super) fn truth(&mut self, value: Value<'p>, soft: bool, test: &'p Expr, scope: &Scope<'p>) -> Test {
        let mut value = self.projected(value);
        if let Value::List(list) = &value
            && !list.borrow().is_empty()
        {
            value = self.has_any(&value).unwrap_or(Value::Unknown(TOO_MANY, Some(test.span)));
        }
        // A value that hangs on one decision, and is true on one side of it, is that decision.
        if let Value::Choice(choice) = &value
            && let (Some(yes), Some(no)) = (plain_truth(&choice.yes), plain_truth(&choice.no))
            && !soft
        {
            return if yes == no { Test::Known(yes) } else { Test::Open(choice.decision, yes) };
        }
        let known = value.is_plain().then(|| value.truth());
        if let (Some(truth), false) = (known, soft) {
            return Test::Known(truth);
        }
        let default = known.or_else(|| {
            let unset = self.default_of(&value);
            if unset.is_setting() { None } else { plain_truth(&unset) }
        });
        let by_setting = value.is_set_outside();
        let key = self.condition_key(test, scope);
        if let Some(known) = key.as_ref().and_then(|key| self.known_decisions.get(key)) {
            let decision = *known;
            return match self.side_of(decision) {
                Some(side) => Test::Known(side),
                None => Test::Open(decision, true),
            };
        }
        let decision = match key {
            Some(key) => {
                let decision = self.decide(test.span, default);
                self.known_decisions.insert(key, decision);
                decision
            }
            None => self.open_decision(test.span, default),
        };
        self.decisions[decision.0 as usize].by_setting |= by_setting;
        match self.side_of(decision) {
            Some(side) => Test::Known(side),
            None => Test::Open(decision, true),
        }
    }

    /// What a value is where nobody sets anything, as far as that is known.
    fn default_of(&self, value: &Value<'p>) -> Value<'p> {
        let mut value = value;
        while let Value::Choice(choice) = value {
            value = match self.decision(choice.decision).default {
                Some(true) => &choice.yes,
                Some(false) => &choice.no,
                None => break,
            };
        }
        value.clone()
    }

    /// Whether one of several guards holds in every run.
    pub fn always(&self, guards: &[Guard]) -> bool {
        if guards.iter().any(Vec::is_empty) {
            return true;
        }
        let mut decisions: Vec<DecisionId> = guards.iter().flatten().map(|(decision, _)| *decision).collect();
        decisions.sort_unstable();
        decisions.dedup();
        decisions.len() <= MAX_COMBINED
            && (0..1u32 << decisions.len()).all(|run| {
                let falls = |decision: DecisionId| {
                    decisions.iter().position(|known| *known == decision).is_some_and(|at| run >> at & 1 == 1)
                };
                guards.iter().any(|guard| guard.iter().all(|(decision, side)| falls(*decision) == *side))
            })
    }

    /// A guard in the words of the model.
    pub fn conditions(&self, guard: &Guard) -> Vec<Condition> {
        guard.iter().map(|(decision, holds)| Condition { test: self.decision(*decision).test, holds: *holds }).collect()
    }

    /// Whether a guard holds where nobody sets anything.
    pub fn by_default(&self, guard: &Guard) -> bool {
        guard.iter().all(|(decision, side)| self.decision(*decision).default == Some(*side))
    }
}

/// Adds the guard under which something is registered once more.
pub(super) fn add_guard(item: &mut Item, guard: Guard) {
    let (Item::Route { when, .. } | Item::Mount { when, .. }) = item;
    if !when.contains(&guard) {
        when.push(guard);
    }
}

pub(super) fn is_absent(value: &Value) -> bool {
    matches!(value, Value::Unknown(why, None) if *why == ABSENT)
}

/// The value where it is there: a way through that ended with an exception gives nothing that goes on.
fn without_absent(value: Value<'_>) -> Value<'_> {
    let Value::Choice(choice) = &value else { return value };
    let (yes, no) = (without_absent(choice.yes.clone()), without_absent(choice.no.clone()));
    match (is_absent(&yes), is_absent(&no)) {
        (true, _) => no,
        (_, true) => yes,
        _ => Value::Choice(Rc::new(Choice { decision: choice.decision, yes, no })),
    }
}

/// The values that one value may be.
pub(super) fn alternatives<'p>(value: Value<'p>, into: &mut Vec<Value<'p>>) {
    match &value {
        Value::Choice(choice) => {
            alternatives(choice.yes.clone(), into);
            alternatives(choice.no.clone(), into);
        }
        absent if is_absent(absent) => {}
        _ => into.push(value),
    }
}

/// The value on one side of a decision.
fn side(value: Value<'_>, decision: DecisionId, taken: bool) -> Value<'_> {
    let Value::Choice(choice) = &value else { return value };
    if choice.decision == decision {
        return side(if taken { choice.yes.clone() } else { choice.no.clone() }, decision, taken);
    }
    let (yes, no) = (side(choice.yes.clone(), decision, taken), side(choice.no.clone(), decision, taken));
    Value::Choice(Rc::new(Choice { decision: choice.decision, yes, no }))
}

/// Ways to the alternatives of a value.
fn ways(value: &Value) -> usize {
    match value {
        Value::Choice(choice) => ways(&choice.yes) + ways(&choice.no),
        _ => 1,
    }
}

/// Values that differ among the alternatives of several.
fn distinct(values: &[&Value]) -> usize {
    let mut found: Vec<&Value> = Vec::new();
    let mut left = values.to_vec();
    while let Some(value) = left.pop() {
        match value {
            Value::Choice(choice) => left.extend([&choice.yes, &choice.no]),
            value if found.iter().any(|known| known.same(value)) => {}
            value => found.push(value),
        }
    }
    found.len()
}

/// Whether a value counts as true, where that is known.
fn plain_truth(value: &Value) -> Option<bool> {
    if is_object(value) || value.is_setting() { Some(true) } else { value.is_plain().then(|| value.truth()) }
}

/// What is there, and no plain data.
pub(super) fn is_object(value: &Value) -> bool {
    matches!(
        value,
        Value::Class(_)
            | Value::Function(_)
            | Value::Instance(_)
            | Value::Node(_)
            | Value::Module(_)
            | Value::Made(_)
            | Value::Bound(..)
    )
}
