//! Attributes of C# as a framework sees them: its own, and those that a program derives from them.

use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Scope, Value, last};
use crate::model::program::Expr;

/// One attribute of a class or method.
pub(super) struct Attribute<'p> {
    /// The library's attributes that it is or comes from, and the interfaces that it implements; without `Attribute`.
    pub(super) kinds: Vec<String>,
    /// What the library's attribute is given.
    pub(super) args: Args<'p>,
    /// As evaluated.
    pub(super) value: Value<'p>,
}

impl<'p> Attribute<'p> {
    pub(super) fn is(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| known == kind)
    }

    /// A setting: by position in the library's constructor, by its name there, or as a property.
    pub(super) fn setting(
        &self,
        evaluator: &mut Evaluator<'p>,
        position: Option<usize>,
        parameter: &str,
        property: &str,
    ) -> Option<Value<'p>> {
        if matches!(self.value, Value::Instance(_)) {
            let own = evaluator.member(&self.value, property, None);
            if !own.is_unknown() {
                return Some(own);
            }
        }
        let given = position.and_then(|position| self.args.positional.get(position));
        given.or_else(|| self.args.named(parameter)).or_else(|| self.args.named(property)).cloned()
    }
}

/// The attributes of one declaration.
pub(super) fn read<'p>(evaluator: &mut Evaluator<'p>, written: &'p [Expr], scope: &Scope<'p>) -> Vec<Attribute<'p>> {
    let values = evaluator.attributes(written, scope);
    values.iter().filter_map(|value| of_value(evaluator, value)).collect()
}

pub(super) fn of_value<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<Attribute<'p>> {
    let bare = |path: &str| last(path).strip_suffix("Attribute").unwrap_or(last(path)).to_owned();
    match value {
        Value::Made(made) => {
            Some(Attribute { kinds: vec![bare(&made.path)], args: made.args.clone(), value: value.clone() })
        }
        Value::Instance(instance) => {
            let class = instance.class.clone();
            let mut kinds: Vec<String> = evaluator.external_bases(&class).iter().map(|path| bare(path)).collect();
            kinds.extend(evaluator.ancestry(&class).iter().filter_map(|ancestor| match ancestor {
                Value::Class(ancestor) => Some(bare(ancestor.name())),
                _ => None,
            }));
            let args = evaluator.base_call(value).map(|made| made.args.clone()).unwrap_or_default();
            Some(Attribute { kinds, args, value: value.clone() })
        }
        _ => None,
    }
}

/// The attributes of a class and of the classes that it extends, the nearest class first.
pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Vec<Attribute<'p>>> {
    let ancestry = evaluator.ancestry(class);
    let mut levels = Vec::new();
    for ancestor in ancestry.iter() {
        if let Value::Class(ancestor) = ancestor
            && ancestor.node.kind == crate::model::program::ClassKind::Class
        {
            let scope = ancestor.scope.clone();
            let written = evaluator.class_attributes(ancestor);
            levels.push(written.into_iter().flat_map(|written| read(evaluator, written, &scope)).collect());
        }
    }
    levels
}

/// The attributes of a method.
pub(super) fn of_function<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Attribute<'p>> {
    read(evaluator, &function.node.decorators, &function.scope)
}
