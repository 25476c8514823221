//! Alias generators: how a model's field names become names on the wire.

use crate::evaluate::{Args, Evaluator, Value, last};
use crate::languages::Side;
use crate::languages::python::methods::title;
use crate::text::Span;

/// The alias that a generator makes of a field name; `None` where it makes none, `Err` where that is not known.
pub(super) fn alias<'p>(
    evaluator: &mut Evaluator<'p>,
    generator: &Value<'p>,
    name: &str,
    side: Side,
    site: Span,
) -> Result<Option<String>, ()> {
    match generator {
        Value::None => Ok(None),
        Value::External(path) => match last(path) {
            "to_camel" | "camelize" | "to_lower_camel" => Ok(Some(to_camel(name))),
            "to_pascal" => Ok(Some(to_pascal(name))),
            "to_snake" | "decamelize" => Ok(Some(to_snake(name))),
            _ => Err(()),
        },
        Value::Made(made) if made.name() == "AliasGenerator" => {
            let of_side = match side {
                Side::Output => "serialization_alias",
                Side::Input => "validation_alias",
            };
            match made.args.named(of_side).or_else(|| made.args.get(0, "alias")) {
                Some(inner) => alias(evaluator, &inner.clone(), name, side, site),
                None => Ok(None),
            }
        }
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => {
            let args = Args { positional: vec![Value::str(name)], ..Args::default() };
            let given = evaluator.call_always(generator, args, site);
            first_alias(&given).map(Some).ok_or(())
        }
        _ => Err(()),
    }
}

/// The name that an alias puts into a schema: `"userId"`, the first plain one of `AliasChoices("userId", "user_id")`.
pub(super) fn first_alias(alias: &Value) -> Option<String> {
    match alias {
        Value::Str(text) => Some(text.to_string()),
        Value::Made(made) => match (made.name(), made.args.positional.as_slice()) {
            ("AliasChoices", choices) => choices.iter().find_map(first_alias),
            ("AliasPath", [Value::Str(only)]) => Some(only.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// `pydantic.alias_generators.to_pascal`
fn to_pascal(name: &str) -> String {
    let title = title(name);
    let chars: Vec<char> = title.chars().collect();
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let between = *c == '_'
            && at > 0
            && chars[at - 1].is_ascii_alphanumeric()
            && chars.get(at + 1).is_some_and(|next| next.is_ascii_uppercase() || next.is_ascii_digit());
        if !between {
            out.push(*c);
        }
    }
    out
}

/// `pydantic.alias_generators.to_camel`
fn to_camel(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && !name.as_bytes().windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_lowercase());
    if plain {
        return name.to_owned();
    }
    let pascal = to_pascal(name);
    let start = pascal.find(|c| c != '_').unwrap_or(0);
    let mut out = pascal[..start].to_owned();
    let mut rest = pascal[start..].chars();
    if let Some(first) = rest.next() {
        out.extend(first.to_lowercase());
    }
    out.push_str(rest.as_str());
    out
}

/// `pydantic.alias_generators.to_snake`
fn to_snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let boundary = at > 0
            && c.is_uppercase()
            && (chars[at - 1].is_lowercase()
                || chars[at - 1].is_ascii_digit()
                || chars.get(at + 1).is_some_and(|next| next.is_lowercase()) && chars[at - 1].is_uppercase());
        if boundary && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_spell_names_as_pydantic_does() {
        assert_eq!(to_camel("user_id"), "userId");
        assert_eq!(to_camel("already"), "already");
        assert_eq!(to_camel("_private_name"), "_privateName");
        assert_eq!(to_camel("line_2_text"), "line2Text");
        assert_eq!(to_pascal("user_id"), "UserId");
        assert_eq!(to_snake("userID"), "user_id");
        assert_eq!(to_snake("HTTPResponse"), "http_response");
    }
}
