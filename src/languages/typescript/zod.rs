//! zod as values: schemas are kept as they are called, and what is read of one (`User.shape.name`, `Role.enum.admin`,
//! `Pair.options`) is what it was made of. Shapes of schemas are in `schema/values/zod.rs`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::schema::values::{Form, Member, Members, Rest, Side, enumerated, inner_form, members_of_record};
use crate::evaluate::{Args, Evaluator, Library, Made, Value};
use crate::text::Span;

/// zod, whichever package passes it on.
pub static ZOD: Library = Library { name: "zod", call, chained, member, ..Library::TYPESCRIPT };

/// What is called, without the package and its `z`: `object` of `zod.z.object`, `iso.date` of `zod/v4.z.iso.date`.
/// Packages that pass zod on say so in their names.
pub(super) fn operation(path: &str) -> Option<&str> {
    if path.contains("()") {
        return None;
    }
    if let Some(at) = path.find(".z.") {
        return path[..at].contains("zod").then_some(&path[at + 3..]);
    }
    let (package, operation) = path.split_once('.')?;
    (package == "zod" || package.starts_with("zod/")).then_some(operation)
}

fn chained(path: &str) -> bool {
    operation(path.split("()").next().unwrap_or(path)).is_some()
}

/// Calls of zod itself are kept, whatever they are given: a function alone is no decorated one.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let [Value::Function(_) | Value::Class(_)] = args.positional.as_slice() else { return None };
    operation(path)?;
    Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

/// A schema with something said on top of it that is written nowhere.
pub(super) fn wrapped<'p>(name: &str, inner: &Value<'p>, site: Span) -> Value<'p> {
    let site = if let Value::Made(made) = inner { made.site } else { site };
    let args = Args { positional: vec![inner.clone()], ..Args::default() };
    Value::Made(Rc::new(Made { path: Rc::from(format!("zod.{name}")), receiver: None, args, site }))
}

/// Whether a schema is written nowhere, but made of another that has a name of its own.
pub(super) fn is_derived(made: &Made) -> bool {
    &*made.path == "zod.deepPartial"
}

/// The schema that a function without arguments returns.
pub(super) fn deferred_by<'p>(function: &Value<'p>) -> Value<'p> {
    let Value::Function(known) = function else { return function.clone() };
    let args = Args { positional: vec![function.clone()], ..Args::default() };
    Value::Made(Rc::new(Made { path: Rc::from("zod.lazy"), receiver: None, args, site: known.node.span }))
}

/// What a call is done on, by what name and with what: `schema.pick(mask)` or `z.pick(schema, mask)`.
fn parts<'m, 'p>(made: &'m Made<'p>) -> Option<(&'m str, &'m Value<'p>, &'m [Value<'p>])> {
    if let Some(receiver) = &made.receiver {
        return Some((made.name(), receiver, &made.args.positional));
    }
    let (first, rest) = made.args.positional.split_first()?;
    Some((operation(&made.path)?, first, rest))
}

/// The members of an object schema, however it was put together.
pub(super) fn members_of<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<Members<'p>> {
    let Value::Made(made) = value else { return None };
    if !evaluator.afford(64) {
        return None;
    }
    let combined = match parts(made) {
        Some((name, subject, args)) if COMBINING.contains(&name) => combine(evaluator, name, subject, args, made.site)?,
        _ => match inner_form(evaluator, value, Side::Output) {
            Form::Object(members) => members,
            _ => return None,
        },
    };
    evaluator.afford(combined.list.len() * 8).then_some(combined)
}

const COMBINING: &[&str] = &[
    "strict",
    "passthrough",
    "loose",
    "strip",
    "nonstrict",
    "catchall",
    "extend",
    "safeExtend",
    "augment",
    "merge",
    "setKey",
    "pick",
    "omit",
    "partial",
    "required",
    "deepPartial",
];

fn combine<'p>(
    evaluator: &mut Evaluator<'p>,
    name: &str,
    subject: &Value<'p>,
    args: &[Value<'p>],
    site: Span,
) -> Option<Members<'p>> {
    let mut members = members_of(evaluator, subject)?;
    let first = args.first();
    match name {
        "strict" => members.rest = Rest::Refused,
        "strip" | "nonstrict" => members.rest = Rest::None,
        "passthrough" | "loose" => members.rest = Rest::Any,
        "catchall" => members.rest = Rest::Of(first?.clone()),
        "extend" | "safeExtend" | "augment" => match members_of_record(first?, Rest::None) {
            Some(more) => take(&mut members, more),
            None => match members_of(evaluator, first?) {
                Some(more) => take(&mut members, more),
                None => members.open = true,
            },
        },
        "merge" => {
            let more = members_of(evaluator, first?)?;
            members.rest = more.rest.clone();
            take(&mut members, more);
        }
        "setKey" => {
            let member = Member { name: Rc::from(first?.as_str()?), schema: args.get(1)?.clone(), span: None };
            take(&mut members, Members { list: vec![member], rest: Rest::None, open: false });
        }
        "pick" | "omit" => {
            let mask = mask(first?)?;
            members.list.retain(|member| mask.contains(&*member.name) == (name == "pick"));
            members.open &= name == "omit";
        }
        _ => {
            let mask = match first {
                Some(first @ Value::Dict(_)) => Some(mask(first)?),
                _ => None,
            };
            for member in &mut members.list {
                if mask.as_ref().is_some_and(|mask| !mask.contains(&*member.name)) {
                    continue;
                }
                member.schema = match name {
                    "required" => wrapped("nonoptional", &member.schema, site),
                    "deepPartial" => wrapped("optional", &wrapped("deepPartial", &member.schema, site), site),
                    _ => wrapped("optional", &member.schema, site),
                };
            }
        }
    }
    Some(members)
}

/// Takes in the members of another object: one of the same name is replaced.
pub(super) fn take<'p>(members: &mut Members<'p>, more: Members<'p>) {
    let mut known: FxHashMap<Rc<str>, usize> =
        members.list.iter().enumerate().map(|(at, member)| (member.name.clone(), at)).collect();
    for member in more.list {
        if let Some(at) = known.get(&member.name) {
            members.list[*at] = member;
        } else {
            known.insert(member.name.clone(), members.list.len());
            members.list.push(member);
        }
    }
    members.open |= more.open;
}

/// `{ name: true }`; `None` where not all of it is known.
fn mask(value: &Value) -> Option<FxHashSet<String>> {
    let Value::Dict(dict) = value else { return None };
    let dict = dict.borrow();
    if dict.open {
        return None;
    }
    let named = dict.entries.iter().filter(|(_, chosen)| !matches!(chosen, Value::Bool(false)));
    named.map(|(name, _)| Some(name.as_str()?.to_owned())).collect()
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if !chained(&made.path) {
        return None;
    }
    if made.name() == "parse" {
        return setting(evaluator, made, name);
    }
    match name {
        "shape" => Some(members_of(evaluator, value)?.record()),
        "element" => match inner_form(evaluator, value, Side::Output) {
            Form::Array(items) => items,
            _ => None,
        },
        "options" => match inner_form(evaluator, value, Side::Output) {
            Form::Union { options, .. } => Some(Value::list(options)),
            _ => Some(Value::list(enumerated(evaluator, &enumeration(value)?)?)),
        },
        "enum" | "Enum" | "Values" => {
            let given = enumeration(value)?;
            let Some(values) = given.elements() else { return Some(given) };
            let record = Value::dict(values.into_iter().map(|value| (value.clone(), value)).collect());
            if let Value::Dict(dict) = &record {
                dict.borrow_mut().record = true;
            }
            Some(record)
        }
        _ => None,
    }
}

/// What `schema.parse(process.env)` has of a name that the environment does not set: its default.
fn setting<'p>(evaluator: &mut Evaluator<'p>, parsed: &Made<'p>, name: &str) -> Option<Value<'p>> {
    let is_environment = |value: &Value| value.as_external().is_some_and(|path| path.ends_with("process.env"));
    if !parsed.args.positional.first().is_some_and(is_environment) {
        return None;
    }
    let members = members_of(evaluator, parsed.receiver.as_ref()?)?;
    let mut next = members.list.into_iter().find(|member| &*member.name == name).map(|member| member.schema);
    while let Some(Value::Made(made)) = next {
        if made.name() == "default" {
            evaluator.mark_soft();
            return made.args.positional.first().filter(|value| value.is_plain()).cloned();
        }
        // What is made of the text is not followed.
        if matches!(made.name(), "transform" | "pipe" | "preprocess") {
            return None;
        }
        next = made.receiver.clone();
    }
    None
}

/// What `z.enum` was given, through whatever was called on it.
fn enumeration<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    let mut value = value;
    while let Value::Made(made) = value {
        match &made.receiver {
            Some(_) if matches!(made.name(), "extract" | "exclude") => return None,
            Some(receiver) => value = receiver,
            None => {
                return matches!(operation(&made.path)?, "enum" | "nativeEnum")
                    .then(|| made.args.positional.first().cloned())
                    .flatten();
            }
        }
    }
    None
}
