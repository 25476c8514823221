//! valibot as values: members of an object schema that are read, and the members of one that is made of others.

use std::rc::Rc;

use super::schema::values::{Form, Members, Rest, Side, inner_form, members_of_record};
use super::zod::take;
use crate::evaluate::{Args, Evaluator, Library, Made, Value};
use crate::text::Span;

pub static VALIBOT: Library = Library { name: "valibot", call, member, ..Library::TYPESCRIPT };

/// `object` of `valibot.object`.
pub(super) fn operation(path: &str) -> Option<&str> {
    let name = path.strip_prefix("valibot.")?;
    let name = name.strip_prefix("v.").unwrap_or(name);
    (!name.contains(['.', '('])).then_some(name)
}

/// Calls are kept, whatever they are given: a function alone is no decorated one.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let [Value::Function(_) | Value::Class(_)] = args.positional.as_slice() else { return None };
    operation(path)?;
    Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    operation(&made.path)?;
    match name {
        "entries" => Some(members_of(evaluator, value)?.record()),
        "item" => match inner_form(evaluator, value, Side::Output) {
            Form::Array(items) => items,
            _ => None,
        },
        "options" | "enum" | "items" | "literal" => made.args.positional.first().cloned(),
        "wrapped" => made.args.positional.first().cloned(),
        _ => None,
    }
}

fn wrapped<'p>(name: &str, inner: &Value<'p>, site: Span) -> Value<'p> {
    let site = if let Value::Made(made) = inner { made.site } else { site };
    let args = Args { positional: vec![inner.clone()], ..Args::default() };
    Value::Made(Rc::new(Made { path: Rc::from(format!("valibot.{name}")), receiver: None, args, site }))
}

/// The members of an object schema, however it was put together.
pub(super) fn members_of<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<Members<'p>> {
    let Value::Made(made) = value else { return None };
    if !evaluator.afford(64) {
        return None;
    }
    let args = made.args.positional.as_slice();
    let first = args.first()?;
    let names = |value: &Value<'p>| -> Option<Vec<Rc<str>>> {
        value.elements()?.iter().map(|name| name.as_str().map(Rc::from)).collect()
    };
    let members = match operation(&made.path)? {
        "object" | "objectAsync" => members_of_record(first, Rest::None)?,
        "strictObject" | "strictObjectAsync" => members_of_record(first, Rest::Refused)?,
        "looseObject" | "looseObjectAsync" => members_of_record(first, Rest::Any)?,
        "objectWithRest" | "objectWithRestAsync" => members_of_record(first, Rest::Of(args.get(1)?.clone()))?,
        name @ ("pick" | "omit") => {
            let mut members = members_of(evaluator, first)?;
            let names = names(args.get(1)?)?;
            members.list.retain(|member| names.contains(&member.name) == (name == "pick"));
            members.open &= name == "omit";
            members
        }
        name @ ("partial" | "partialAsync" | "required" | "requiredAsync") => {
            let mut members = members_of(evaluator, first)?;
            let names = match args.get(1) {
                Some(list @ Value::List(_)) => Some(names(list)?),
                _ => None,
            };
            let wrapper = if name.starts_with("partial") { "optional" } else { "nonOptional" };
            for member in &mut members.list {
                if names.as_ref().is_none_or(|names| names.contains(&member.name)) {
                    member.schema = wrapped(wrapper, &member.schema, made.site);
                }
            }
            members
        }
        "intersect" => {
            let mut all = Members { list: Vec::new(), rest: Rest::None, open: false };
            for part in first.elements()? {
                take(&mut all, members_of(evaluator, &part)?);
            }
            all
        }
        "pipe" | "config" | "fallback" => members_of(evaluator, first)?,
        _ => return None,
    };
    evaluator.afford(members.list.len() * 8).then_some(members)
}
