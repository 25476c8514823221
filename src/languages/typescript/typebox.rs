//! TypeBox as values: what is read of an object schema, and the members of one that is made of others.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::schema::values::{Form, Members, Rest, Side, inner_form, members_of_record};
use super::zod::take;
use crate::evaluate::{Args, Evaluator, Library, Made, Value};
use crate::text::Span;

/// TypeBox, under either name of its package.
pub static TYPEBOX: Library = Library { name: "typebox", call, member, ..Library::TYPESCRIPT };

const PACKAGES: &[&str] = &["@sinclair/typebox", "typebox", "@fastify/type-provider-typebox", "elysia"];

/// `Object` of `@sinclair/typebox.Type.Object`; packages that pass it on call it `t` or `T`, too.
pub(super) fn operation(path: &str) -> Option<&str> {
    let (package, rest) = path.split_once('.')?;
    if !PACKAGES.contains(&package) {
        return None;
    }
    let name = rest.strip_prefix("Type.").or_else(|| rest.strip_prefix("t."));
    let name = name.or_else(|| (package == "typebox").then_some(rest))?;
    (!name.contains('.') && !name.contains("()") && name.starts_with(char::is_uppercase)).then_some(name)
}

/// Calls are kept, whatever they are given: a function or class alone is no decorated one.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let [Value::Function(_) | Value::Class(_)] = args.positional.as_slice() else { return None };
    operation(path)?;
    Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    operation(&made.path)?;
    match name {
        "properties" => Some(members_of(evaluator, value)?.record()),
        "items" => match inner_form(evaluator, value, Side::Output) {
            Form::Array(items) => items,
            _ => None,
        },
        "anyOf" => match inner_form(evaluator, value, Side::Output) {
            Form::Union { options, .. } => Some(Value::list(options)),
            _ => None,
        },
        "const" => made.args.positional.first().cloned(),
        _ => None,
    }
}

fn wrapped<'p>(like: &Made<'p>, name: &str, inner: &Value<'p>) -> Value<'p> {
    let package = like.path.rsplit_once('.').map_or("", |(package, _)| package);
    let site = if let Value::Made(made) = inner { made.site } else { like.site };
    let args = Args { positional: vec![inner.clone()], ..Args::default() };
    Value::Made(Rc::new(Made { path: Rc::from(format!("{package}.{name}")), receiver: None, args, site }))
}

/// The members of an object schema, however it was put together.
pub(super) fn members_of<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<Members<'p>> {
    let Value::Made(made) = value else { return None };
    if !evaluator.afford(64) {
        return None;
    }
    let args = made.args.positional.as_slice();
    let first = args.first()?;
    let members = match operation(&made.path)? {
        "Object" => members_of_record(first, Rest::None)?,
        "Composite" | "Intersect" => {
            let mut all = Members { list: Vec::new(), rest: Rest::None, open: false };
            for part in first.elements()? {
                take(&mut all, members_of(evaluator, &part)?);
            }
            all
        }
        "Pick" | "Omit" => {
            let picks = made.name() == "Pick";
            let mut members = members_of(evaluator, first)?;
            let names = chosen(evaluator, args.get(1)?)?;
            members.list.retain(|member| names.contains(&member.name) == picks);
            members.open &= !picks;
            members
        }
        name @ ("Partial" | "Required") => {
            let mut members = members_of(evaluator, first)?;
            for member in &mut members.list {
                member.schema = match (name, &member.schema) {
                    ("Partial", schema) => wrapped(made, "Optional", schema),
                    (_, Value::Made(inner)) if inner.name() == "Optional" => inner.args.positional.first()?.clone(),
                    (_, schema) => schema.clone(),
                };
            }
            members
        }
        "Readonly" | "Evaluate" | "Options" => members_of(evaluator, first)?,
        _ => return None,
    };
    evaluator.afford(members.list.len() * 8).then_some(members)
}

/// `["a", "b"]`, a union of literals, `Type.KeyOf(Other)`
fn chosen<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<FxHashSet<Rc<str>>> {
    match value {
        Value::Str(name) => Some(FxHashSet::from_iter([name.clone()])),
        Value::List(_) | Value::Tuple(_) => value.elements()?.iter().map(|name| name.as_str().map(Rc::from)).collect(),
        Value::Made(made) => match operation(&made.path)? {
            "KeyOf" => {
                let members = members_of(evaluator, made.args.positional.first()?)?;
                Some(members.list.into_iter().map(|member| member.name).collect())
            }
            "Literal" => chosen(evaluator, made.args.positional.first()?),
            "Union" => {
                let mut names = FxHashSet::default();
                for option in made.args.positional.first()?.elements()? {
                    names.extend(chosen(evaluator, &option)?);
                }
                Some(names)
            }
            _ => None,
        },
        _ => None,
    }
}
