//! Where wires are looked for: objects of which code chooses one. What is called with them is called with each.

use std::rc::Rc;

use super::Evaluator;
use super::statements::Bindings;
use super::value::{Args, Scope, Value};
use crate::text::Span;

/// Objects that one name may stand for.
const MAX_ALTERNATIVES: usize = 8;

impl<'p> Evaluator<'p> {
    /// The objects that one of several expressions gives, where these differ in their classes.
    pub(super) fn alternatives(&self, values: &[&Value<'p>]) -> Option<Value<'p>> {
        if !self.wires.running {
            return None;
        }
        let mut found: Vec<Value<'p>> = Vec::new();
        for value in values {
            let options = match value {
                Value::Union(options) => options,
                value => std::slice::from_ref(*value),
            };
            for option in options {
                let Value::Instance(instance) = option else { return None };
                let of_class = |known: &Value<'p>| matches!(known, Value::Instance(known) if Rc::ptr_eq(&known.class, &instance.class));
                if !found.iter().any(of_class) {
                    found.push(option.clone());
                }
            }
        }
        (2..=MAX_ALTERNATIVES).contains(&found.len()).then(|| Value::Union(found.into()))
    }

    /// After blocks of which one ran, what each left: their names stand for each of the objects that they may be bound to.
    /// What all blocks bind is no longer what it was before.
    pub(super) fn bind_alternatives(&mut self, before: &Bindings<'p>, after: &[Bindings<'p>], scope: &Scope<'p>) {
        let mut names: Vec<&str> = after.iter().flatten().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let of = |bindings: &Bindings<'p>| {
                bindings.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
            };
            let mut values: Vec<Value<'p>> = after.iter().filter_map(of).collect();
            if values.len() < after.len() {
                values.extend(of(before));
            }
            let values: Vec<&Value<'p>> = values.iter().filter(|value| !matches!(value, Value::None)).collect();
            if let Some(one) = self.alternatives(&values) {
                self.assign_name(name, one, scope);
            }
        }
    }

    /// A call with one of several objects is a call with each: what the last gives. `None` where there is nothing to choose.
    pub(super) fn call_with_each(&mut self, callee: &Value<'p>, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
        let at = args.positional.iter().position(is_choice);
        let named = args.named.iter().position(|(_, value)| is_choice(value));
        let Value::Union(options) = at.map(|at| &args.positional[at]).or(named.map(|at| &args.named[at].1))? else {
            return None;
        };
        let mut value = None;
        for option in options.iter() {
            let mut args = args.clone();
            match (at, named) {
                (Some(at), _) => args.positional[at] = option.clone(),
                (None, Some(at)) => args.named[at].1 = option.clone(),
                (None, None) => {}
            }
            value = Some(self.call(callee, args, site));
        }
        value
    }
}

fn is_choice(value: &Value) -> bool {
    matches!(value, Value::Union(options) if matches!(options.first(), Some(Value::Instance(_))))
}
