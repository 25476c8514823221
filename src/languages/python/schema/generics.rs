//! Type variables: what stands for each, and what tells one instance of a generic from another.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{ClassRef, Evaluator, Str, Value, last};

pub(super) type Substitution<'p> = FxHashMap<Str, Value<'p>>;

/// Arguments of one generic class: parts of all of them, and instances that are declared within each other.
pub(super) const MAX_ARGUMENT_PARTS: usize = 300;

pub(super) const MAX_NESTED: u32 = 6;

/// Replaces type variables.
pub(super) fn substitute<'p>(value: &Value<'p>, substitution: &Substitution<'p>) -> Value<'p> {
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

/// Names of the type variables of a type, in order of appearance.
pub(super) fn type_variables(value: &Value, out: &mut Vec<Str>) {
    match value {
        Value::TypeVar(variable) if !out.contains(&variable.name) => out.push(variable.name.clone()),
        Value::Applied(base, args) => {
            if matches!(**base, Value::Applied(..) | Value::Union(_)) {
                type_variables(base, out);
            }
            args.iter().for_each(|arg| type_variables(arg, out));
        }
        Value::Union(options) => options.iter().for_each(|option| type_variables(option, out)),
        _ => {}
    }
}

/// What tells one type from another, for declaring each once.
pub(super) fn key_of(value: &Value, out: &mut String) {
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

/// Type parameters of a class with what was given for them.
pub(super) fn substitution_of<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    args: &[Value<'p>],
) -> Substitution<'p> {
    if args.is_empty() {
        return Substitution::default();
    }
    let mut names: Vec<Str> = Vec::new();
    if class.node.type_parameters.is_empty() {
        let mut declared: Option<Vec<Str>> = None;
        for base in evaluator.bases(class) {
            type_variables(&base, &mut names);
            if let Value::Applied(inner, _) = &base
                && matches!(inner.as_external().map(last), Some("Generic" | "Protocol"))
            {
                let mut own = Vec::new();
                type_variables(&base, &mut own);
                declared = Some(own);
            }
        }
        names = declared.unwrap_or(names);
    } else {
        names.extend(class.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str())));
    }
    names.into_iter().zip(args.iter().cloned()).collect()
}
