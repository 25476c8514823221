//! What a validator says, as field, expected and actual.

use std::fmt::Write as _;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::Violation;

/// The body itself.
pub(super) const WHOLE: &str = "$";

/// Longer values are shown with `…`.
const MAX_SHOWN: usize = 60;
/// More values of an `enum` are counted, not listed.
const MAX_LISTED: usize = 12;

/// Each once, in the order of the validator.
pub(super) fn all<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Vec<Violation> {
    let mut found: Vec<Violation> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for error in errors {
        add(&error, &mut found);
    }
    found.retain(|violation| seen.insert(violation.clone()));
    found
}

fn add(error: &ValidationError<'_>, found: &mut Vec<Violation>) {
    let field = field(error);
    let value: &Value = error.instance();
    let one = |expected: String| Violation { field: field.clone(), expected, actual: shown(value) };
    let member = |name: &str, expected: &str, actual: String| Violation {
        field: if field == WHOLE { name.to_owned() } else { format!("{field}.{name}") },
        expected: expected.to_owned(),
        actual,
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            found.push(member(name, "required", "missing".to_owned()));
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                let actual = value.get(name).map_or_else(|| "there".to_owned(), shown);
                found.push(member(name, "no such member", actual));
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            alternatives(error, context, found);
        }
        ValidationErrorKind::PropertyNames { error: inner } => {
            found.push(one(format!("names of members that fit: {inner}")));
        }
        kind => found.push(one(expected(kind, error))),
    }
}

/// None of several schemas fits. Where one of them is meant, which is seen by what is wrong lying deeper in it than in the
/// others, what is wrong by that one is told; else what they all are.
fn alternatives(error: &ValidationError<'_>, context: &[Vec<ValidationError<'static>>], found: &mut Vec<Violation>) {
    let here = error.instance_path().as_str().len();
    let is_other = |branch: &Vec<ValidationError<'static>>| {
        branch.iter().any(|error| {
            matches!(
                error.kind(),
                ValidationErrorKind::Type { .. }
                    | ValidationErrorKind::Constant { .. }
                    | ValidationErrorKind::Enum { .. }
            ) && error.instance_path().as_str().len() == here
        })
    };
    let meant: Vec<_> = context.iter().filter(|branch| !is_other(branch)).collect();
    if let [branch] = meant.as_slice()
        && !branch.is_empty()
    {
        branch.iter().for_each(|error| add(error, found));
        return;
    }
    let mut words: Vec<String> = Vec::new();
    for branch in context {
        let word = match branch.first() {
            Some(error) if is_other(branch) => expected(error.kind(), error),
            Some(error) => {
                let mut of_branch = Vec::new();
                add(error, &mut of_branch);
                of_branch.first().map_or_else(String::new, |it| format!("{} {}", it.field, it.expected))
            }
            None => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let expected = if words.is_empty() { "one of the alternatives".to_owned() } else { words.join(" or ") };
    found.push(Violation { field: field(error), expected, actual: shown(error.instance()) });
}

/// What the schema says, in words.
fn expected(kind: &ValidationErrorKind, error: &ValidationError<'_>) -> String {
    match kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(word) } => name(*word).to_owned(),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(words) } => {
            let words: Vec<&str> = words.iter().map(name).collect();
            words.join(" or ")
        }
        ValidationErrorKind::Constant { expected_value } => shown_plain(expected_value),
        ValidationErrorKind::Enum { options } => {
            let values = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let mut words: Vec<String> = values.iter().take(MAX_LISTED).map(shown_plain).collect();
            if values.len() > MAX_LISTED {
                words.push(format!("{} more", values.len() - MAX_LISTED));
            }
            format!("one of {}", words.join(", "))
        }
        ValidationErrorKind::Format { format } => format!("format {format}"),
        ValidationErrorKind::Pattern { pattern } => format!("text that fits `{pattern}`"),
        ValidationErrorKind::Minimum { limit } => format!("at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("at most {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        ValidationErrorKind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        ValidationErrorKind::MinLength { limit } => format!("at least {limit} characters"),
        ValidationErrorKind::MaxLength { limit } => format!("at most {limit} characters"),
        ValidationErrorKind::MinItems { limit } => format!("at least {limit} elements"),
        ValidationErrorKind::MaxItems { limit } => format!("at most {limit} elements"),
        ValidationErrorKind::AdditionalItems { limit } => format!("at most {limit} elements"),
        ValidationErrorKind::MinProperties { limit } => format!("at least {limit} members"),
        ValidationErrorKind::MaxProperties { limit } => format!("at most {limit} members"),
        ValidationErrorKind::UnevaluatedItems { unexpected } => {
            format!("no further elements, found {}", unexpected.join(", "))
        }
        ValidationErrorKind::UniqueItems => "elements that differ".to_owned(),
        ValidationErrorKind::Contains => "an element that fits `contains`".to_owned(),
        ValidationErrorKind::FalseSchema => "not to be in an answer".to_owned(),
        ValidationErrorKind::OneOfMultipleValid { .. } => "exactly one of the alternatives".to_owned(),
        ValidationErrorKind::Not { .. } => "not what `not` describes".to_owned(),
        _ => error.to_string(),
    }
}

fn name(word: JsonType) -> &'static str {
    match word {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

/// `lines[1].price`
fn field(error: &ValidationError<'_>) -> String {
    let mut out = String::new();
    for segment in error.instance_path().segments() {
        match segment {
            LocationSegment::Property(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&name);
            }
            LocationSegment::Index(at) => {
                let _ = write!(out, "[{at}]");
            }
        }
    }
    if out.is_empty() { WHOLE.to_owned() } else { out }
}

/// A value with its type: `string "7"`, `array of 3`.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("boolean {value}"),
        Value::Number(_) => format!("number {value}"),
        Value::String(_) => format!("string {}", shown_plain(value)),
        Value::Array(items) => format!("array of {}", items.len()),
        Value::Object(members) => {
            let names: Vec<&str> = members.keys().map(String::as_str).collect();
            if names.is_empty() {
                "object without members".to_owned()
            } else {
                cut(&format!("object with {}", names.join(", ")))
            }
        }
    }
}

fn shown_plain(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
