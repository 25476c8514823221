//! Types of C# as values: what type parameters stand for, what a type extends, and whether one converts to another.

use std::rc::Rc;

use super::Typer;
use super::library::kinds::{self, element_name, is_number, same_name};
use crate::evaluate::{ClassRef, DynamicClass, Str, Value};
use crate::model::program::Modifiers;

/// Types that type parameters stand for, by name.
pub(super) type Given<'p> = Rc<[(Str, Value<'p>)]>;

/// Types above one type that are looked at; that there are more is told.
const MAX_BASES: usize = 200;
/// Types within types that are followed; a deeper one is unknown.
const MAX_NESTED: u32 = 40;

/// The external type of a name.
pub(super) fn named<'p>(name: &str) -> Value<'p> {
    Value::external(name)
}

/// `name<args>` of a library.
pub(super) fn generic<'p>(name: &str, args: Vec<Value<'p>>) -> Value<'p> {
    Value::applied(Value::external(name), args)
}

/// The type without null.
pub(super) fn without_null<'p>(ty: &Value<'p>) -> Value<'p> {
    match ty {
        Value::Union(options) => {
            let mut left: Vec<Value<'p>> =
                options.iter().filter(|option| !matches!(option, Value::None)).cloned().collect();
            if left.len() == 1 { left.remove(0) } else { Value::union(left) }
        }
        Value::Applied(base, args) if args.len() == 1 && kinds::is(base, "Nullable") => args[0].clone(),
        other => other.clone(),
    }
}

/// The type with null.
pub(super) fn with_null(ty: Value<'_>) -> Value<'_> {
    match &ty {
        Value::Unknown(..) | Value::None => ty,
        Value::Union(options) if options.iter().any(|option| matches!(option, Value::None)) => ty,
        _ => Value::union(vec![ty, Value::None]),
    }
}

pub(super) fn is_nullable(ty: &Value<'_>) -> bool {
    match ty {
        Value::None => true,
        Value::Union(options) => options.iter().any(|option| matches!(option, Value::None)),
        _ => false,
    }
}

/// The class of a type, and what its type parameters stand for.
pub(super) fn class_of<'p>(ty: &Value<'p>) -> Option<(ClassRef<'p>, Given<'p>)> {
    match ty {
        Value::Class(class) => Some((class.clone(), Rc::from([]))),
        Value::Applied(base, args) => match &**base {
            Value::Class(class) => {
                let names = class.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str()));
                Some((class.clone(), names.zip(args.iter().cloned()).collect()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Replaces type parameters by what they stand for.
pub(super) fn substitute<'p>(ty: &Value<'p>, given: &[(Str, Value<'p>)]) -> Value<'p> {
    if given.is_empty() { ty.clone() } else { substitute_at(ty, given, 0) }
}

fn substitute_at<'p>(ty: &Value<'p>, given: &[(Str, Value<'p>)], depth: u32) -> Value<'p> {
    if depth > MAX_NESTED {
        return Value::Unknown("type nested too deep", None);
    }
    let all = |types: &[Value<'p>]| types.iter().map(|ty| substitute_at(ty, given, depth + 1)).collect::<Vec<_>>();
    match ty {
        Value::TypeVar(variable) => {
            given.iter().find(|(name, _)| *name == variable.name).map_or_else(|| ty.clone(), |(_, ty)| ty.clone())
        }
        Value::Applied(base, args) => Value::applied((**base).clone(), all(args)),
        Value::Union(options) => {
            let nullable = is_nullable(ty);
            let options: Vec<Value<'p>> = options.iter().filter(|ty| !matches!(ty, Value::None)).cloned().collect();
            let mut options = all(&options);
            let inner = if options.len() == 1 { options.remove(0) } else { Value::union(options) };
            if nullable { with_null(inner) } else { inner }
        }
        Value::Dynamic(class) => {
            let fields = class.fields.iter().map(|(name, ty)| (name.clone(), substitute_at(ty, given, depth + 1)));
            let made =
                DynamicClass { name: class.name.clone(), bases: vec![], fields: fields.collect(), site: class.site };
            Value::Dynamic(Rc::new(made))
        }
        other => other.clone(),
    }
}

/// Whether a type says all that there is to know: no type parameter of these names is left in it.
pub(super) fn mentions(ty: &Value<'_>, names: &[Str]) -> bool {
    match ty {
        Value::TypeVar(variable) => names.contains(&variable.name),
        Value::Applied(_, args) => args.iter().any(|ty| mentions(ty, names)),
        Value::Union(options) => options.iter().any(|ty| mentions(ty, names)),
        Value::Dynamic(class) => class.fields.iter().any(|(_, ty)| mentions(ty, names)),
        _ => false,
    }
}

/// Whether two types are the same, as far as can be told.
pub(super) fn same<'p>(a: &Value<'p>, b: &Value<'p>) -> bool {
    match (a, b) {
        (Value::External(a), Value::External(b)) => same_name(a, b),
        (Value::Applied(a, x), Value::Applied(b, y)) => {
            same(a, b) && x.len() == y.len() && x.iter().zip(y.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Union(x), Value::Union(y)) => x.len() == y.len() && x.iter().all(|a| y.iter().any(|b| same(a, b))),
        (Value::Dynamic(a), Value::Dynamic(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields.iter().zip(&b.fields).all(|((n, a), (m, b))| n == m && same(a, b))
        }
        (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
        (Value::TypeVar(a), Value::TypeVar(b)) => a.name == b.name,
        (Value::None, Value::None) => true,
        _ => false,
    }
}

impl<'p> Typer<'_, 'p> {
    /// What a type extends, with what type parameters stand for; the type itself first, then nearest first.
    pub(super) fn supertypes(&mut self, ty: &Value<'p>) -> Vec<Value<'p>> {
        let mut found = vec![ty.clone()];
        let mut at = 0;
        while let Some(next) = found.get(at).cloned() {
            at += 1;
            if let Value::TypeVar(variable) = &next {
                if let Some(bound) = &variable.bound {
                    parts_of_bound(bound, &mut found);
                }
                continue;
            }
            let Some((class, given)) = class_of(&next) else { continue };
            for base in self.ev.bases(&class) {
                let base = substitute(&base, &given);
                if found.len() >= MAX_BASES {
                    self.ev.cut_reading("types above one type, beyond the 200th", None);
                    return found;
                }
                let room = self.ev.afford(found.len());
                if room && !found.iter().any(|known| same(known, &base)) {
                    found.push(base);
                }
            }
        }
        found
    }

    /// The type above that has this base: of `List<A>` and a program's `IQuery` the one `IQuery<A>`.
    pub(super) fn as_base(&mut self, ty: &Value<'p>, base: &Value<'p>) -> Option<Vec<Value<'p>>> {
        self.supertypes(ty).into_iter().find_map(|above| match &above {
            Value::Applied(known, args) if same(known, base) => Some(args.to_vec()),
            _ => None,
        })
    }

    /// What goes through a loop over a value of the type.
    pub(super) fn element(&mut self, ty: &Value<'p>) -> Option<Value<'p>> {
        let ty = without_null(ty);
        for above in self.supertypes(&ty) {
            match &above {
                Value::Applied(base, args) => {
                    let Some(name) = base.as_external() else { continue };
                    match (element_name(name), &**args) {
                        (true, [element]) => return Some(element.clone()),
                        (true, [.., element]) if kinds::is(base, "IGrouping") => return Some(element.clone()),
                        _ => {}
                    }
                    if let (true, [key, value]) = (kinds::is_map(name), &**args) {
                        return Some(generic("KeyValuePair", vec![key.clone(), value.clone()]));
                    }
                }
                Value::External(name) if kinds::is_text(name) => return Some(named("char")),
                _ => {}
            }
        }
        None
    }

    /// Key and value of a dictionary.
    pub(super) fn entry(&mut self, ty: &Value<'p>) -> Option<(Value<'p>, Value<'p>)> {
        let ty = without_null(ty);
        self.supertypes(&ty).into_iter().find_map(|above| match &above {
            Value::Applied(base, args) if base.as_external().is_some_and(kinds::is_map) => match &**args {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a value of one type is one of another without being written otherwise; `None` where that is not known.
    pub(super) fn converts(&mut self, from: &Value<'p>, to: &Value<'p>) -> Option<bool> {
        if from.is_unknown() || to.is_unknown() {
            return None;
        }
        if same(from, to) {
            return Some(true);
        }
        if matches!(from, Value::None) {
            return Some(match to {
                Value::Union(_) | Value::TypeVar(_) | Value::Applied(..) | Value::Alias(_) => true,
                Value::Class(class) => !class.node.modifiers.has(Modifiers::STRUCT),
                Value::External(name) => !kinds::is_value(name),
                _ => return None,
            });
        }
        if is_nullable(to) || is_nullable(from) {
            let (from, to) = (without_null(from), without_null(to));
            return self.converts(&from, &to);
        }
        if let (Value::External(a), Value::External(b)) = (from, to) {
            if kinds::is(to, "object") || kinds::is(to, "dynamic") {
                return Some(true);
            }
            let (a, b) = (kinds::plain(a), kinds::plain(b));
            return match (kinds::is_plain(a), kinds::is_plain(b)) {
                (true, true) => Some(is_number(a) && is_number(b) && kinds::rank(a) <= kinds::rank(b)),
                _ => None,
            };
        }
        if kinds::is(to, "object") || kinds::is(to, "dynamic") {
            return Some(true);
        }
        if let (Value::TypeVar(_), _) | (_, Value::TypeVar(_)) = (from, to) {
            return None;
        }
        if let Value::Applied(base, wanted) = to
            && let [wanted] = &**wanted
            && base.as_external().is_some_and(element_name)
        {
            return match self.element(from) {
                Some(element) => self.converts(&element, wanted),
                None if from.as_external().is_some() || matches!(from, Value::Applied(..)) => None,
                None => Some(false),
            };
        }
        let above = self.supertypes(from);
        if above.iter().any(|above| same(above, to)) {
            return Some(true);
        }
        // A type of a library may extend anything of a library.
        let open = above.iter().any(|above| match above {
            Value::External(name) => !kinds::is_plain(kinds::plain(name)),
            Value::Applied(base, _) => base.as_external().is_some(),
            Value::Unknown(..) => true,
            _ => false,
        });
        let wanted_library =
            matches!(to, Value::External(_)) || matches!(to, Value::Applied(base, _) if base.as_external().is_some());
        if (open && wanted_library) || self.has_conversion(from, to) { None } else { Some(false) }
    }

    /// Whether either class says how one becomes the other.
    fn has_conversion(&mut self, from: &Value<'p>, to: &Value<'p>) -> bool {
        [from, to]
            .into_iter()
            .any(|ty| class_of(ty).is_some_and(|(class, _)| !self.ev.overloads(&class, "implicit operator").is_empty()))
    }

    /// What both of two types are: `a ? b : c`.
    pub(super) fn join(&mut self, a: Value<'p>, b: Value<'p>) -> Value<'p> {
        if matches!(a, Value::None) {
            return with_null(b);
        }
        if matches!(b, Value::None) {
            return with_null(a);
        }
        if a.is_unknown() {
            return a;
        }
        if b.is_unknown() {
            return b;
        }
        let nullable = is_nullable(&a) || is_nullable(&b);
        let (a, b) = (without_null(&a), without_null(&b));
        let joined = if self.converts(&a, &b) == Some(true) {
            b
        } else if self.converts(&b, &a) == Some(true) {
            a
        } else {
            Value::Unknown("one of several types", None)
        };
        if nullable { with_null(joined) } else { joined }
    }

    pub(super) fn join_all(&mut self, types: Vec<Value<'p>>) -> Option<Value<'p>> {
        let mut types = types.into_iter();
        let first = types.next()?;
        Some(types.fold(first, |a, b| self.join(a, b)))
    }

    /// What type parameters stand for where a type is what another says: `IRequest<T>` of a class that implements
    /// `IRequest<A>` says that `T` is `A`.
    pub(super) fn unify(
        &mut self,
        wanted: &Value<'p>,
        actual: &Value<'p>,
        names: &[Str],
        out: &mut Vec<(Str, Value<'p>)>,
    ) {
        self.unify_at(wanted, actual, names, out, 0);
    }

    fn unify_at(
        &mut self,
        wanted: &Value<'p>,
        actual: &Value<'p>,
        names: &[Str],
        out: &mut Vec<(Str, Value<'p>)>,
        depth: u32,
    ) {
        if depth > MAX_NESTED || actual.is_unknown() || matches!(actual, Value::None) || !mentions(wanted, names) {
            return;
        }
        match wanted {
            Value::TypeVar(variable) if names.contains(&variable.name) => {
                match out.iter().position(|(name, _)| *name == variable.name) {
                    None => out.push((variable.name.clone(), actual.clone())),
                    // Of several, the one that the others convert to.
                    Some(at) => {
                        let known = out[at].1.clone();
                        if self.converts(&known, actual) == Some(true) {
                            out[at].1 = actual.clone();
                        }
                    }
                }
            }
            Value::Union(_) => {
                let (wanted, actual) = (without_null(wanted), without_null(actual));
                if !matches!(wanted, Value::Union(_)) {
                    self.unify_at(&wanted, &actual, names, out, depth + 1);
                }
            }
            Value::Applied(base, args) => {
                let actual = without_null(actual);
                let found = self.as_base(&actual, base);
                if let Some(found) = found
                    && found.len() == args.len()
                {
                    for (wanted, actual) in args.iter().zip(&found) {
                        self.unify_at(wanted, actual, names, out, depth + 1);
                    }
                } else if let [element] = &**args
                    && base.as_external().is_some_and(element_name)
                    && let Some(actual) = self.element(&actual)
                {
                    self.unify_at(element, &actual, names, out, depth + 1);
                } else if let [key, value] = &**args
                    && base.as_external().is_some_and(kinds::is_map)
                    && let Some((actual_key, actual_value)) = self.entry(&actual)
                {
                    self.unify_at(key, &actual_key, names, out, depth + 1);
                    self.unify_at(value, &actual_value, names, out, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// The types that a constraint asks for.
fn parts_of_bound<'p>(bound: &Value<'p>, out: &mut Vec<Value<'p>>) {
    match bound {
        Value::Applied(base, parts) if kinds::is(base, "&") => {
            parts.iter().for_each(|part| parts_of_bound(part, out));
        }
        other => out.push(other.clone()),
    }
}
