//! Holds schemas to the meta-schema of their dialect: keywords have values of the right kind, and what a schema gives as
//! its default or as examples belongs to it (JSON Schema, draft-07 and 2020-12).

use rustc_hash::FxHashSet;

use super::instance;
use crate::contracts::IssueKind;
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::{Node, Value};

/// Checks these schemas and every one that they contain or refer to, each once.
pub(in crate::contracts) fn check<'d>(reader: &mut Reader<'d>, schemas: Vec<Place<'d>>) {
    let mut queue = schemas;
    let mut seen: FxHashSet<(usize, String)> = FxHashSet::default();
    while let Some(place) = queue.pop() {
        if place.node.cut || !seen.insert((place.source, place.pointer.clone())) {
            continue;
        }
        match &place.node.value {
            Value::Bool(_) => {}
            Value::Object(_) => check_object(reader, &place, &mut queue),
            _ => {
                let message = format!("a schema must be an object, found {}", place.node.type_name());
                reader.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, None);
            }
        }
    }
}

/// What a keyword holds.
enum Holds {
    Schema,
    /// A schema, or a list of them.
    Items,
    Schemas,
    Map,
    Text,
    Flag,
    Number,
    /// A number, or in older drafts a flag.
    Bound,
    Count,
    List,
    Names,
}

fn keyword(name: &str) -> Option<Holds> {
    Some(match name {
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "items" => Holds::Items,
        "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "additionalProperties"
        | "additionalItems"
        | "unevaluatedProperties"
        | "unevaluatedItems" => Holds::Schema,
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas" => Holds::Map,
        "title" | "description" | "pattern" | "format" | "$id" | "$comment" | "contentEncoding"
        | "contentMediaType" => Holds::Text,
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" | "nullable" => Holds::Flag,
        "minimum" | "maximum" | "multipleOf" => Holds::Number,
        "exclusiveMinimum" | "exclusiveMaximum" => Holds::Bound,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Holds::Count,
        "enum" | "examples" => Holds::List,
        "required" => Holds::Names,
        _ => return None,
    })
}

fn check_object<'d>(reader: &mut Reader<'d>, place: &Place<'d>, queue: &mut Vec<Place<'d>>) {
    if let Some((_, reference)) = place.node.entry("$ref")
        && let Some(text) = reference.text()
    {
        let pointer = format!("{}/$ref", place.pointer);
        queue.extend(reader.resolve(place.source, text, reference.span, &pointer));
        if reader.dialect(place) < Dialect::V31 {
            return;
        }
    }
    for (key, member) in place.members() {
        if key.text == "type" {
            check_type(reader, &member);
            continue;
        }
        let Some(holds) = keyword(&key.text) else { continue };
        let value = &member.node.value;
        let is_list = matches!(value, Value::Array(_));
        let is_schema = matches!(value, Value::Object(_) | Value::Bool(_));
        let (fits, what) = match holds {
            Holds::Schema => (is_schema, "a schema"),
            Holds::Items => (is_schema || is_list, "a schema"),
            Holds::Schemas | Holds::List => (is_list, "a list"),
            Holds::Names => {
                (is_list && member.node.items().iter().all(|name| name.text().is_some()), "a list of names")
            }
            Holds::Map => (member.node.is_object(), "an object"),
            Holds::Text => (matches!(value, Value::String(_) | Value::Number(_)), "text"),
            Holds::Flag => (matches!(value, Value::Bool(_)), "true or false"),
            Holds::Number => (matches!(value, Value::Number(_)), "a number"),
            Holds::Bound => (matches!(value, Value::Number(_) | Value::Bool(_)), "a number"),
            Holds::Count => (is_count(member.node), "a whole number that is not negative"),
        };
        if !fits {
            let message = format!("`{}` must be {what}, found {}", key.text, member.node.type_name());
            let help = format!("write {what} here, or leave `{}` out", key.text);
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, Some(&help));
            continue;
        }
        match holds {
            Holds::Schema => queue.push(member),
            Holds::Items if !is_list => queue.push(member),
            Holds::Items | Holds::Schemas => queue.extend(member.items()),
            Holds::Map => queue.extend(member.members().map(|(_, schema)| schema)),
            _ => {}
        }
    }
    if let Some(value) = place.child("default") {
        instance::check(reader, place, &value, "default");
    }
    let examples: Vec<_> = place.child("examples").map(|list| list.items().collect()).unwrap_or_default();
    for value in examples {
        instance::check(reader, place, &value, "example");
    }
}

/// Says the same of the same place as the lowering does, which does not come to every schema.
fn check_type<'d>(reader: &mut Reader<'d>, stated: &Place<'d>) {
    let words: Vec<Place<'d>> = match &stated.node.value {
        Value::Array(_) => stated.items().collect(),
        _ => vec![stated.clone()],
    };
    for word in words {
        match word.node.text() {
            Some("null" | "string" | "number" | "integer" | "boolean" | "array" | "object") => {}
            Some(text) => {
                let message = format!("`{text}` is no type");
                let help = "the types are `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`";
                reader.issue(IssueKind::InvalidValue, stated.node.span, &stated.pointer, message, Some(help));
            }
            None => {
                let help = word.node.is_null().then_some("quote it: `type: \"null\"`");
                let message = format!("`type` must be a word, found {}", word.node.type_name());
                reader.issue(IssueKind::InvalidValue, word.node.span, &word.pointer, message, help);
            }
        }
    }
}

fn is_count(node: &Node) -> bool {
    let Value::Number(text) = &node.value else { return false };
    text.parse::<f64>().is_ok_and(|number| number >= 0.0 && number.fract() == 0.0)
}
