//! Which type variables a class of Python has.

use std::rc::Rc;

use crate::evaluate::{ClassRef, Evaluator, Str, Value, last};

pub(super) use crate::languages::generics::{MAX_ARGUMENT_PARTS, MAX_NESTED, Substitution, key_of, substitute};

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
