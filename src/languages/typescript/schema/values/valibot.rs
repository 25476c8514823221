//! valibot: schemas and the actions that are done with their values, all of them functions. Follows valibot.dev/api.

use std::rc::Rc;

use super::Side;
use super::forms::{Form, enumerated, is_prisma};
use crate::evaluate::{Evaluator, Made, Value};
use crate::languages::typescript::valibot::{members_of, operation};
use crate::model::{Kind, Shape};

/// Actions that say what a text is.
const FORMATS: &[(&str, &str)] = &[
    ("email", "email"),
    ("rfcEmail", "email"),
    ("url", "uri"),
    ("uuid", "uuid"),
    ("isoTimestamp", "date-time"),
    ("isoDateTime", "date-time"),
    ("isoDate", "date"),
    ("isoTime", "time"),
    ("ipv4", "ipv4"),
    ("ipv6", "ipv6"),
];
/// Actions that make something else of a value, which is of the kind that they say.
const TO: &[(&str, Kind)] = &[
    ("toLowerCase", Kind::String),
    ("toUpperCase", Kind::String),
    ("trim", Kind::String),
    ("toString", Kind::String),
    ("toNumber", Kind::Numeric),
    ("toBoolean", Kind::Boolean),
    ("stringifyJson", Kind::String),
    ("parseBoolean", Kind::Boolean),
];
/// Functions that give no schema.
const NO_SCHEMAS: &[&str] =
    &["parse", "safeParse", "parseAsync", "safeParseAsync", "is", "assert", "parser", "safeParser"];

pub(super) fn is_schema(made: &Made) -> bool {
    operation(&made.path).is_some_and(|name| !NO_SCHEMAS.contains(&name))
}

/// What one call says.
pub(super) fn form<'p>(evaluator: &mut Evaluator<'p>, made: &Rc<Made<'p>>, side: Side) -> Form<'p> {
    let args = made.args.positional.as_slice();
    let (first, second, site) = (args.first(), args.get(1), made.site);
    let name = operation(&made.path).unwrap_or_default();
    let name = name.strip_suffix("Async").unwrap_or(name);
    let Some(first) = first else {
        return match name {
            "string" => Form::kind(Kind::String),
            "number" => Form::kind(Kind::Numeric),
            "boolean" => Form::kind(Kind::Boolean),
            "null" | "null_" => Form::kind(Kind::Null),
            "any" | "unknown" => Form::kind(Kind::Any),
            "never" => Form::kind(Kind::Never),
            "undefined" | "undefined_" | "void" | "void_" | "function" | "function_" | "symbol" => Form::Nothing,
            "date" => Form::formatted(Kind::String, "date-time"),
            "bigint" => Form::unknown("a bigint, for which JSON has no form", site),
            other => Form::unknown(format!("`{other}` of valibot"), site),
        };
    };
    match name {
        // A message may be given.
        "string" => Form::kind(Kind::String),
        "number" => Form::kind(Kind::Numeric),
        "boolean" => Form::kind(Kind::Boolean),
        "date" => Form::formatted(Kind::String, "date-time"),
        "literal" => Form::values(std::slice::from_ref(first), site),
        "picklist" | "enum" | "enum_" => match enumerated(evaluator, first) {
            Some(values) => Form::values(&values, site),
            None if first.as_external().is_some_and(is_prisma) => Form::kind(Kind::String),
            None => Form::unknown("values of the enumeration are not known", site),
        },
        "array" => Form::Array(Some(first.clone())),
        "tuple" | "strictTuple" | "looseTuple" | "tupleWithRest" => match first.elements() {
            Some(items) => Form::Tuple(items, second.filter(|rest| matches!(rest, Value::Made(_))).cloned()),
            None => Form::unknown("elements of the tuple are not known", site),
        },
        "record" => Form::Map(second.cloned()),
        "union" => match first.elements() {
            Some(options) => Form::Union { options, discriminator: None },
            None => Form::unknown("alternatives are not known", site),
        },
        "variant" => match (first.as_str(), second.and_then(Value::elements)) {
            (tag, Some(options)) => Form::Union { options, discriminator: tag.map(str::to_owned) },
            _ => Form::unknown("alternatives are not known", site),
        },
        "object" | "strictObject" | "looseObject" | "objectWithRest" | "pick" | "omit" | "partial" | "required" => {
            match members_of(evaluator, &Value::Made(made.clone())) {
                Some(members) => Form::Object(members),
                None => Form::unknown("members of the object are not known", site),
            }
        }
        "intersect" => match first.elements() {
            Some(parts) => Form::All(parts),
            None => Form::unknown("parts of the intersection are not known", site),
        },
        "optional" | "exactOptional" | "undefinedable" | "nullish" => {
            let nullable = name == "nullish";
            match (second, side) {
                // A default takes the place of what is missing.
                (Some(Value::None), Side::Output) if nullable => Form::nullable_present(first.clone()),
                (Some(_), Side::Output) => Form::present(first.clone()),
                _ if nullable => Form::nullish(first.clone()),
                _ => Form::optional(first.clone()),
            }
        }
        "nullable" => match (second, side) {
            (Some(default), Side::Output) if !matches!(default, Value::None) => Form::same(first.clone()),
            _ => Form::nullable(first.clone()),
        },
        "nonOptional" | "nonNullish" => Form::present(first.clone()),
        "nonNullable" => Form::unknown("what is left without null", site),
        "lazy" => match first {
            Value::Function(function) => Form::Deferred(function.clone()),
            _ => Form::unknown("a deferred schema is not known", site),
        },
        "instance" | "blob" | "file" => Form::unknown("an instance of a class", site),
        "custom" => Form::typed(made).unwrap_or_else(|| Form::unknown("a type that only its author knows", site)),
        "map" | "set" => Form::unknown("a Map or Set, for which JSON has no form", site),
        "pipe" => piped(evaluator, first, &args[1..], side),
        "fallback" | "config" => Form::same(first.clone()),
        other => Form::unknown(format!("`{other}` of valibot"), site),
    }
}

/// A schema and what is done with its values in order: the last that makes something else counts.
fn piped<'p>(evaluator: &mut Evaluator<'p>, first: &Value<'p>, steps: &[Value<'p>], side: Side) -> Form<'p> {
    let mut current = Form::same(first.clone());
    if side == Side::Input {
        return current;
    }
    let mut given = first.clone();
    for step in steps {
        let Value::Made(step_made) = step else { continue };
        let Some(name) = operation(&step_made.path) else { continue };
        let name = name.strip_suffix("Async").unwrap_or(name);
        if let Some((_, format)) = FORMATS.iter().find(|(known, _)| *known == name) {
            current = Form::formatted(Kind::String, format);
        } else if name == "integer" || name == "safeInteger" {
            current = Form::kind(Kind::Integer);
        } else if let Some((_, kind)) = TO.iter().find(|(known, _)| *known == name) {
            current = Form::kind(kind.clone());
        } else if matches!(name, "toDate") {
            current = Form::formatted(Kind::String, "date-time");
        } else if matches!(name, "transform" | "rawTransform") {
            current = match step_made.args.positional.first() {
                Some(function) if name == "transform" => {
                    Form::Returned { function: function.clone(), given: Some(given.clone()) }
                }
                _ => Form::Plain(Shape::unknown("a transformation", Some(step_made.site))),
            };
        } else if matches!(form(evaluator, step_made, side), Form::Plain(Shape { kind: Kind::Unknown(_), .. })) {
            // Everything else checks or describes.
        } else {
            // A schema by itself: what came before has to be one of its values.
            given = step.clone();
            current = Form::same(step.clone());
        }
    }
    current
}
