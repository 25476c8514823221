//! Members of a type: what the program declares, then what libraries give.

use super::generics::{Given, class_of, named, substitute, with_null, without_null};
use super::{Place, Typer, kinds, library};
use crate::evaluate::{ClassRef, FunctionRef, Value};
use crate::model::program::{Expr, ExprKind, Modifiers, Property, StmtKind};
use crate::text::Span;

/// A function that a call may mean.
#[derive(Clone)]
pub(super) struct Candidate<'p> {
    pub(super) function: FunctionRef<'p>,
    /// What the type parameters of its class stand for.
    pub(super) given: Given<'p>,
    /// The type that it is called on, as the argument of its first parameter.
    pub(super) extends: Option<Value<'p>>,
}

impl<'p> Typer<'_, 'p> {
    /// A property or field that the program declares in a type or one that it extends.
    pub(super) fn find_member(
        &mut self,
        ty: &Value<'p>,
        name: &str,
    ) -> Option<(ClassRef<'p>, Given<'p>, &'p Property)> {
        for above in self.supertypes(ty) {
            let Some((class, given)) = class_of(&above) else { continue };
            let found = self.ev.class_statements(&class).into_iter().find_map(|statement| match &statement.kind {
                StmtKind::Property(property) if property.name == name => Some(&**property),
                _ => None,
            });
            if let Some(property) = found {
                return Some((class, given, property));
            }
        }
        None
    }

    /// Whether a library's type that this one extends has such a member.
    pub(super) fn has_library_member(&mut self, ty: &Value<'p>, name: &str) -> bool {
        self.supertypes(ty).iter().skip(1).any(|above| library::member(above, name).is_some())
    }

    /// The type of `value.name`.
    pub(super) fn member(&mut self, ty: &Value<'p>, name: &str, site: Span) -> Value<'p> {
        let nullable = kinds::is_null_or(ty);
        if nullable && matches!(name, "HasValue") {
            return named("bool");
        }
        let ty = without_null(ty);
        match &ty {
            Value::Unknown(why, at) => return Value::Unknown(why, at.or(Some(site))),
            Value::Dynamic(class) => {
                let field = class.fields.iter().find(|(known, _)| &**known == name);
                return field
                    .map_or(Value::Unknown("member that an object does not have", Some(site)), |(_, ty)| ty.clone());
            }
            _ => {}
        }
        if let Some((class, given, property)) = self.find_member(&ty, name) {
            return self.property(&class, &given, property);
        }
        for above in self.supertypes(&ty) {
            if let Some(found) = library::member(&above, name) {
                return found;
            }
        }
        // `a.Value` of what may be null.
        if name == "Value" {
            if nullable
                || matches!(&ty, Value::Class(class) if class.node.modifiers.has(Modifiers::STRUCT) || class.node.kind == crate::model::program::ClassKind::Enum)
            {
                return ty;
            }
            if let Value::External(path) = &ty
                && kinds::is_value(path)
            {
                return ty;
            }
        }
        if let Some((key, value)) = self.entry(&ty) {
            match name {
                "Keys" => return super::generic("ICollection", vec![key]),
                "Values" => return super::generic("ICollection", vec![value]),
                "Count" => return named("int"),
                _ => {}
            }
        }
        if self.element(&ty).is_some() {
            match name {
                "Count" | "Length" => return named("int"),
                "LongLength" => return named("long"),
                _ => {}
            }
        }
        match &ty {
            Value::External(_) | Value::Applied(..) => Value::Unknown("member of a type of a library", Some(site)),
            Value::TypeVar(_) => Value::Unknown("member of a type parameter", Some(site)),
            _ => Value::Unknown("member that its type does not declare", Some(site)),
        }
    }

    fn property(&mut self, class: &ClassRef<'p>, given: &Given<'p>, property: &'p Property) -> Value<'p> {
        if self.ev.is_enum(class) {
            return Value::Class(class.clone());
        }
        let Some(annotation) = &property.annotation else {
            return Value::Unknown("member without a type", Some(property.name_span));
        };
        let scope = self.ev.body_scope(class);
        let ty = self.ev.type_expression(annotation, &scope);
        let ty = substitute(&ty, given);
        if property.optional { with_null(ty) } else { ty }
    }

    /// The functions of a name that a type has, its own first.
    pub(super) fn methods(&mut self, ty: &Value<'p>, name: &str) -> Vec<Candidate<'p>> {
        let mut found = Vec::new();
        for above in self.supertypes(ty) {
            let Some((class, given)) = class_of(&above) else { continue };
            for function in self.ev.overloads(&class, name) {
                found.push(Candidate { function, given: given.clone(), extends: None });
            }
        }
        found
    }

    /// Functions of the program that are called like methods of the type.
    pub(super) fn extensions(&mut self, ty: &Value<'p>, name: &str, place: &Place<'p>) -> Vec<Candidate<'p>> {
        let functions = self.ev.extensions(name, &place.scope);
        let mut found = Vec::new();
        for function in functions {
            let Some(annotation) = function.node.parameters.first().and_then(|first| first.annotation.as_ref()) else {
                continue;
            };
            let wanted = self.ev.type_expression(annotation, &function.scope);
            if self.may_be(ty, &wanted) {
                found.push(Candidate { function, given: std::rc::Rc::from([]), extends: Some(ty.clone()) });
            }
        }
        found
    }

    /// Whether a value of a type may be given where another is asked for, type parameters left open.
    pub(super) fn may_be(&mut self, ty: &Value<'p>, wanted: &Value<'p>) -> bool {
        let (ty, wanted) = (without_null(ty), without_null(wanted));
        match &wanted {
            Value::TypeVar(variable) => match &variable.bound {
                Some(bound @ (Value::Class(_) | Value::Applied(..))) => {
                    let bound = bound.clone();
                    kinds::is_bound_word(&bound) || self.may_be(&ty, &bound)
                }
                _ => true,
            },
            Value::Applied(base, args) if matches!(&**base, Value::Class(_)) => match self.as_base(&ty, base) {
                Some(found) => {
                    found.len() == args.len()
                        && args.iter().zip(&found).all(|(wanted, ty)| {
                            matches!(wanted, Value::TypeVar(_)) || self.converts(ty, wanted) != Some(false)
                        })
                }
                None => ty.is_unknown(),
            },
            Value::Applied(base, args) if kinds::is(base, "&") => args.iter().all(|part| self.may_be(&ty, part)),
            Value::Applied(_, args) if args.iter().any(has_variable) => match (&**args, self.element(&wanted)) {
                ([element], Some(_)) => match self.element(&ty) {
                    Some(found) => self.may_be(&found, element),
                    None => false,
                },
                _ => match &ty {
                    Value::Applied(base, found) => {
                        let Value::Applied(wanted_base, _) = &wanted else { return false };
                        super::same(base, wanted_base)
                            && found.len() == args.len()
                            && args.iter().zip(found.iter()).all(|(wanted, ty)| self.may_be(ty, wanted))
                    }
                    _ => self.entry(&wanted).is_some() && self.entry(&ty).is_some(),
                },
            },
            // The parameter of an extension is told by its type alone: what is not known to be one is none.
            Value::External(_) if ty.is_unknown() => false,
            _ => {
                self.converts(&ty, &wanted) == Some(true)
                    || (self.converts(&ty, &wanted).is_none() && kinds::same_last(&ty, &wanted))
            }
        }
    }

    /// What `value[index]` gives, where the program says so.
    pub(super) fn indexer(&mut self, ty: &Value<'p>, index: &'p [Expr], place: &Place<'p>) -> Option<Value<'p>> {
        let candidates = self.methods(ty, "__getitem__");
        if candidates.is_empty() {
            return None;
        }
        let fitting: Vec<Candidate<'p>> = candidates
            .into_iter()
            .filter(|candidate| candidate.function.node.parameters.len() == index.len() + 1)
            .collect();
        let mut best = None;
        for candidate in fitting {
            let annotation = candidate.function.node.parameters.get(1).and_then(|first| first.annotation.as_ref());
            let agrees = match (annotation, index.first()) {
                (Some(annotation), Some(index)) => {
                    let wanted = self.ev.type_expression(annotation, &candidate.function.scope);
                    let wanted = substitute(&wanted, &candidate.given);
                    let given = self.type_of(index, place);
                    self.converts(&given, &wanted)
                }
                _ => None,
            };
            match agrees {
                Some(true) => {
                    best = Some(candidate);
                    break;
                }
                Some(false) => {}
                None => best = best.or(Some(candidate)),
            }
        }
        let found = best?;
        let returns = found.function.node.returns.as_ref()?;
        let ty = self.ev.type_expression(returns, &found.function.scope);
        Some(substitute(&ty, &found.given))
    }
}

fn has_variable(ty: &Value<'_>) -> bool {
    match ty {
        Value::TypeVar(_) => true,
        Value::Applied(_, args) => args.iter().any(has_variable),
        Value::Union(options) => options.iter().any(has_variable),
        _ => false,
    }
}

/// Whether an expression is `default`, which is of any type.
pub(super) fn is_default(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Other("default value"))
}
