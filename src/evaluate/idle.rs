//! Where wires are looked for, the same small functions are followed from everywhere: what reads settings, opens a file,
//! makes sure that a folder is there. One that says and changes nothing, however often it was followed, is not followed
//! any more.

use rustc_hash::FxHashMap;

use super::Evaluator;
use super::value::{Args, FunctionRef, Role, Value};
use crate::model::program::Function as FunctionNode;

/// Calls that say nothing, after which one more says nothing either; what is known to send, receive or ask is none of
/// these.
const MAX_IDLE: u32 = 48;
/// Values within values that are looked at; a function that is given deeper ones is followed each time.
const MAX_WITHIN: usize = 3;

/// What following small functions has been worth so far.
#[derive(Default)]
pub(super) struct Idle<'p> {
    /// Things that were noted, kept or run apart.
    pub(super) asked: u64,
    /// Members and entries that were set, but for those of what was just made.
    pub(super) changed: u64,
    /// Of each function how often it did nothing, and what it gave; none for those that do something.
    calls: FxHashMap<*const FunctionNode, Option<(u32, Value<'p>)>>,
}

impl<'p> Evaluator<'p> {
    /// Follows a small function for what it does at wires, unless it never does anything.
    pub(super) fn call_unless_idle(&mut self, function: &FunctionRef<'p>, args: Args<'p>) -> Value<'p> {
        let key = std::ptr::from_ref(function.node);
        let receiver = usize::from(function.class.is_some() && function.role != Role::Static);
        let is_plain = !self.hands_on(function.node)
            && !self.is_of_wires(function.node)
            && args.named.iter().all(|(_, value)| is_inert(value, MAX_WITHIN))
            && args.positional.iter().skip(receiver).all(|value| is_inert(value, MAX_WITHIN));
        let known = self.wires.idle.calls.get(&key);
        if !is_plain || matches!(known, Some(None)) {
            return self.call_function_always(function, args);
        }
        if let Some(Some((times, gave))) = known
            && *times >= MAX_IDLE
        {
            return gave.clone();
        }
        let before = (self.wires.idle.asked, self.wires.idle.changed);
        let value = self.call_function_always(function, args);
        let after = (self.wires.idle.asked, self.wires.idle.changed);
        let gives = !matches!(value, Value::None | Value::Unknown(..));
        let known = self.wires.idle.calls.entry(key).or_insert_with(|| Some((0, value.clone())));
        if gives || before != after {
            *known = None;
        } else if let Some((times, gave)) = known {
            *times += 1;
            if value.is_unknown() {
                *gave = value.clone();
            }
        }
        value
    }

    /// Makes an object: what it is given while it is made changes nothing that was there.
    pub(super) fn making<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.wires.idle.changed;
        let made = make(self);
        self.wires.idle.changed = before;
        made
    }
}

/// Whether nothing happens with a value that a function is given: it cannot be called, and holds nothing that can.
fn is_inert(value: &Value, within: usize) -> bool {
    let all = |values: &[Value]| within > 0 && values.iter().all(|value| is_inert(value, within - 1));
    match value {
        Value::Unknown(..)
        | Value::None
        | Value::Ellipsis
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Pattern(_) => true,
        Value::List(list) => all(&list.borrow()),
        Value::Tuple(items) => all(items),
        Value::Dict(dict) => dict.borrow().entries.iter().all(|(_, value)| within > 0 && is_inert(value, within - 1)),
        Value::Choice(choice) => within > 0 && is_inert(&choice.yes, within - 1) && is_inert(&choice.no, within - 1),
        _ => false,
    }
}
