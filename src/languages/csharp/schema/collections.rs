//! Classes that are written as arrays or maps.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{arguments_of, builtin};
use crate::evaluate::{ClassRef, Evaluator, MAX_ANCESTRY, Value, last};
use crate::languages::generics::{Substitution, substitute};
use crate::text::Span;

/// What a class is written as because of what it extends.
pub(super) enum Collection<'p> {
    List(Value<'p>),
    Map(Value<'p>),
}

/// Whether a class is written as an array or a map, because of what it extends or implements.
pub(super) fn collection<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    substitution: &Substitution<'p>,
    seen: &mut FxHashSet<Span>,
) -> Option<Collection<'p>> {
    if seen.len() > MAX_ANCESTRY || !seen.insert(class.name_span()) || !evaluator.afford(8) {
        return None;
    }
    let mut list = None;
    for base in evaluator.bases(class) {
        let base = substitute(&base, substitution);
        let (generic, args) = match &base {
            Value::Applied(generic, args) => (&**generic, &args[..]),
            other => (other, &[][..]),
        };
        let found = match generic {
            Value::Class(inner) if !Rc::ptr_eq(inner, class) => {
                let inner_substitution = arguments_of(inner, args);
                collection(evaluator, inner, &inner_substitution, seen)
            }
            Value::External(path) => {
                let anything = || Value::external("object");
                match (last(path), args) {
                    (name, [_, values]) if builtin::is_map(name) => Some(Collection::Map(values.clone())),
                    ("IDictionary", []) => Some(Collection::Map(anything())),
                    (name, [.., items]) if builtin::is_list(name) => Some(Collection::List(items.clone())),
                    (name, []) if builtin::is_list(name) => Some(Collection::List(anything())),
                    _ => None,
                }
            }
            _ => None,
        };
        match found {
            Some(Collection::Map(values)) => return Some(Collection::Map(values)),
            // One with a type says more than one without.
            Some(Collection::List(items)) if list.is_none() || items.as_external() != Some("object") => {
                list = Some(Collection::List(items));
            }
            _ => {}
        }
    }
    list
}
