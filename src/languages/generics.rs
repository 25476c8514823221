//! Type variables of generic types: what stands for each, and what tells one instance of a generic from another.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{Str, Value};

pub(in crate::languages) type Substitution<'p> = FxHashMap<Str, Value<'p>>;

/// Arguments of one generic class: parts of all of them, and instances that are declared within each other.
pub(in crate::languages) const MAX_ARGUMENT_PARTS: usize = 300;

/// The same of instances within instances: a deeper one is unknown.
pub(in crate::languages) const MAX_NESTED: u32 = 6;

/// Replaces type variables.
pub(in crate::languages) fn substitute<'p>(value: &Value<'p>, substitution: &Substitution<'p>) -> Value<'p> {
    if substitution.is_empty() {
        return value.clone();
    }
    match value {
        Value::TypeVar(variable) => substitution.get(&variable.name).cloned().unwrap_or_else(|| value.clone()),
        Value::Applied(base, args) => {
            let base = match &**base {
                generic @ (Value::Applied(..) | Value::Union(_) | Value::TypeVar(_)) => {
                    substitute(generic, substitution)
                }
                other => other.clone(),
            };
            Value::Applied(Rc::new(base), args.iter().map(|arg| substitute(arg, substitution)).collect())
        }
        Value::Union(options) => Value::Union(options.iter().map(|option| substitute(option, substitution)).collect()),
        _ => value.clone(),
    }
}

/// What tells one type from another, for declaring each once.
pub(in crate::languages) fn key_of(value: &Value, out: &mut String) {
    use std::fmt::Write as _;
    match value {
        Value::Class(class) => write!(out, "c{:p}", Rc::as_ptr(class)),
        Value::Dynamic(class) => write!(out, "d{:p}", Rc::as_ptr(class)),
        Value::Made(made) => write!(out, "m{:p}", Rc::as_ptr(made)),
        Value::Applied(base, args) => {
            key_of(base, out);
            out.push('[');
            for arg in args.iter() {
                key_of(arg, out);
                out.push(',');
            }
            write!(out, "]")
        }
        Value::Union(options) => {
            for option in options.iter() {
                key_of(option, out);
                out.push('|');
            }
            Ok(())
        }
        other => write!(out, "{}", other.describe()),
    }
    .expect("writing to a string does not fail");
}
