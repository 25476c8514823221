//! Holds schemas to the meta-schema of their dialect: keywords have values of the right kind, and what a schema gives as
//! its default or as examples belongs to it (JSON Schema, draft-07 and 2020-12).

use rustc_hash::FxHashSet;

use super::{instance, pattern};
use crate::contracts::IssueKind;
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::{Node, Value};
use crate::text::Span;

/// Checks these schemas and every one that they contain or refer to, each once.
pub(in crate::contracts) fn check<'d>(reader: &mut Reader<'d>, schemas: Vec<Place<'d>>) {
    let mut queue: Vec<Asked<'d>> = Vec::new();
    for place in schemas {
        let root = &reader.sources[place.source].parsed.tree.root;
        let elsewhere = root.get("jsonSchemaDialect").is_some_and(|stated| !is_own(stated));
        queue.push(Asked { place, elsewhere });
    }
    let mut seen: FxHashSet<(usize, Span)> = FxHashSet::default();
    while let Some(Asked { place, elsewhere }) = queue.pop() {
        if place.node.cut || !seen.insert((place.source, place.node.span)) {
            continue;
        }
        match &place.node.value {
            Value::Bool(_) => {}
            Value::Object(_) => {
                let elsewhere = elsewhere || place.node.get("$schema").is_some_and(|stated| !is_own(stated));
                let mut found = Vec::new();
                check_object(reader, &place, elsewhere, &mut found);
                queue.extend(found.into_iter().map(|place| Asked { place, elsewhere }));
            }
            _ => {
                let message = format!("a schema must be an object, found {}", place.node.type_name());
                reader.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, None);
            }
        }
    }
}

/// A schema to look at.
struct Asked<'d> {
    place: Place<'d>,
    /// It states a dialect of its own, which may write bounds in another way.
    elsewhere: bool,
}

/// Whether a stated dialect is the one that OpenAPI from 3.1 on has anyway.
fn is_own(stated: &Node) -> bool {
    stated.text().is_some_and(|text| text.contains("2020-12") || text.contains("openapis.org"))
}

/// What a keyword holds.
enum Holds {
    Schema,
    /// A schema, or a list of them.
    Items,
    Schemas,
    Map,
    Text,
    Pattern,
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
        "pattern" => Holds::Pattern,
        "title" | "description" | "format" | "$id" | "$comment" | "contentEncoding" | "contentMediaType" => Holds::Text,
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" | "nullable" => Holds::Flag,
        "minimum" | "maximum" | "multipleOf" => Holds::Number,
        "exclusiveMinimum" | "exclusiveMaximum" => Holds::Bound,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Holds::Count,
        "enum" | "examples" => Holds::List,
        "required" => Holds::Names,
        _ => return None,
    })
}

/// Keywords of a schema in OpenAPI 2.0 ("Schema Object"), which knows no others.
const OF_2_0: [&str; 31] = [
    "$ref",
    "format",
    "title",
    "description",
    "default",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "enum",
    "additionalProperties",
    "type",
    "items",
    "allOf",
    "properties",
    "discriminator",
    "readOnly",
    "xml",
    "externalDocs",
    "example",
    "nullable",
];
/// Those that 3.0 has besides.
const OF_3_0: [&str; 6] = ["nullable", "oneOf", "anyOf", "not", "writeOnly", "deprecated"];

/// Up to 3.0, schemas are no JSON Schema: keywords that are not named do not exist, and some are written in one way only.
fn check_closed<'d>(reader: &mut Reader<'d>, place: &Place<'d>) {
    let dialect = reader.dialect(place);
    let version = if dialect == Dialect::V2 { "2.0" } else { "3.0" };
    for (key, member) in place.members() {
        let name = key.text.as_str();
        let known = OF_2_0.contains(&name) || (dialect == Dialect::V30 && OF_3_0.contains(&name));
        if !known && !name.starts_with("x-") {
            let message = format!("`{name}` is no keyword of a schema in OpenAPI {version}");
            let help = "remove it, or state `openapi: 3.1.0`, whose schemas are JSON Schema";
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, Some(help));
        }
        let is_list = matches!(member.node.value, Value::Array(_));
        if is_list && matches!(name, "type" | "items") {
            let message = format!("`{name}` must not be a list in OpenAPI {version}");
            let help = "write one, or state `openapi: 3.1.0`";
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, Some(help));
        }
    }
    if place.text("type") == Some("array") && place.node.get("items").is_none() {
        let message = "an array must have `items`".to_owned();
        let help = "say what its elements are, or `items: {}`";
        reader.issue(IssueKind::MissingField, place.span, &place.pointer, message, Some(help));
    }
}

/// What tells alternatives apart is named.
fn check_discriminator<'d>(reader: &mut Reader<'d>, place: &Place<'d>) {
    let Some(stated) = place.child("discriminator") else { return };
    match reader.dialect(place) {
        Dialect::Draft07 => {}
        Dialect::V2 if stated.node.text().is_some() => {}
        Dialect::V30 | Dialect::V31 | Dialect::V32 if stated.text("propertyName").is_some() => {}
        Dialect::V2 => {
            let message = format!("`discriminator` must be the name of a property, found {}", stated.node.type_name());
            reader.issue(IssueKind::InvalidValue, stated.span, &stated.pointer, message, None);
        }
        _ => {
            let message = "`discriminator` must have `propertyName`".to_owned();
            let help = "name the property: `discriminator: {propertyName: kind}`";
            reader.issue(IssueKind::MissingField, stated.span, &stated.pointer, message, Some(help));
        }
    }
}

fn check_object<'d>(reader: &mut Reader<'d>, place: &Place<'d>, elsewhere: bool, queue: &mut Vec<Place<'d>>) {
    if let Some((_, reference)) = place.node.entry("$ref")
        && let Some(text) = reference.text()
    {
        let pointer = format!("{}/$ref", place.pointer);
        queue.extend(reader.resolve(place.source, text, reference.span, &pointer));
        if reader.dialect(place) < Dialect::V31 {
            return;
        }
    }
    if matches!(reader.dialect(place), Dialect::V2 | Dialect::V30) {
        check_closed(reader, place);
    }
    check_discriminator(reader, place);
    for (holds, member) in keywords(reader, place, elsewhere, &[]) {
        match holds {
            Holds::Schema => queue.push(member),
            Holds::Items if matches!(member.node.value, Value::Array(_)) => queue.extend(member.items()),
            Holds::Items => queue.push(member),
            Holds::Schemas => queue.extend(member.items()),
            Holds::Map => queue.extend(member.members().map(|(_, schema)| schema)),
            _ => {}
        }
    }
    if let Some(value) = place.child("default")
        && !is_meant(reader, place, &value)
    {
        instance::check(reader, place, &value, "default");
    }
    if examples_bind(reader, place) {
        let examples: Vec<_> = place.child("examples").map(|list| list.items().collect()).unwrap_or_default();
        for value in examples {
            instance::check(reader, place, &value, "example");
        }
    }
}

/// Whether examples must be what their schema says: OpenAPI only recommends it.
fn examples_bind(reader: &Reader<'_>, place: &Place<'_>) -> bool {
    let root = &reader.sources[place.source].parsed.tree.root;
    root.get("openapi").is_none() && root.get("swagger").is_none()
}

/// Checks what keywords hold that stand outside of a schema, as 2.0 has them in parameters, but for some that mean
/// something else there.
pub(in crate::contracts) fn check_keywords<'d>(reader: &mut Reader<'d>, place: &Place<'d>, but: &[&str]) {
    keywords(reader, place, false, but);
    if let Some(value) = place.child("default")
        && !is_meant(reader, place, &value)
    {
        instance::check(reader, place, &value, "default");
    }
}

/// Keywords whose values are of the right kind, with these; the others are reported.
fn keywords<'d>(reader: &mut Reader<'d>, place: &Place<'d>, elsewhere: bool, but: &[&str]) -> Vec<(Holds, Place<'d>)> {
    let mut found = Vec::new();
    for (key, member) in place.members().filter(|(key, _)| !but.contains(&key.text.as_str())) {
        if key.text == "type" {
            check_type(reader, &member);
            continue;
        }
        let Some(holds) = keyword(&key.text) else { continue };
        let value = &member.node.value;
        let is_list = matches!(value, Value::Array(_));
        let is_schema = matches!(value, Value::Object(_) | Value::Bool(_));
        let dialect = reader.dialect(place);
        let (fits, what) = match holds {
            Holds::Schema => (is_schema, "a schema"),
            Holds::Items => (is_schema || is_list, "a schema"),
            Holds::Schemas | Holds::List => (is_list, "a list"),
            Holds::Names => {
                (is_list && member.node.items().iter().all(|name| name.text().is_some()), "a list of names")
            }
            Holds::Map => (member.node.is_object(), "an object"),
            Holds::Text => (matches!(value, Value::String(_) | Value::Number(_)), "text"),
            Holds::Pattern => (matches!(value, Value::String(_)), "a regular expression"),
            Holds::Flag => (matches!(value, Value::Bool(_)), "true or false"),
            Holds::Number => (matches!(value, Value::Number(_)), "a number"),
            Holds::Bound if matches!(dialect, Dialect::V2 | Dialect::V30) => {
                (matches!(value, Value::Bool(_)), "true or false")
            }
            Holds::Bound if dialect >= Dialect::V31 && !elsewhere => (matches!(value, Value::Number(_)), "a number"),
            Holds::Bound => (matches!(value, Value::Number(_) | Value::Bool(_)), "a number"),
            Holds::Count => (is_count(member.node), "a whole number that is not negative"),
        };
        if !fits {
            let is_number = matches!((&holds, value), (Holds::Count, Value::Number(_)));
            let found = if is_number { member.node.to_json() } else { member.node.type_name().to_owned() };
            let message = format!("`{}` must be {what}, found {found}", key.text);
            let help = format!("write {what} here, or leave `{}` out", key.text);
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, Some(&help));
            continue;
        }
        if let (Holds::Pattern, Some(text)) = (&holds, member.node.text())
            && let Some(wrong) = pattern::wrong(text)
        {
            let message = format!("`{text}` is no regular expression: {wrong}");
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, None);
        }
        found.push((holds, member));
    }
    found
}

/// Whether a default is what its schema says but for quotes, or null, which says that there is none: tools read it as it
/// was meant, and it is told as a doubt. OpenAPI only.
fn is_meant<'d>(reader: &mut Reader<'d>, schema: &Place<'d>, value: &Place<'d>) -> bool {
    let Some(word) = schema.text("type").filter(|_| reader.dialect(schema) != Dialect::Draft07) else { return false };
    let nullable = schema.is_true("nullable") || schema.is_true("x-nullable");
    let (message, help) = match (&value.node.value, word) {
        (Value::Null, "null") => return true,
        (Value::Null, _) if nullable => return true,
        (Value::Null, _) => ("null".to_owned(), "leave it out, or let the schema allow null"),
        (Value::String(text), "integer") if text.parse::<i128>().is_ok() => {
            ("text".to_owned(), "write it without quotes")
        }
        (Value::String(text), "number") if text.parse::<f64>().is_ok() => {
            ("text".to_owned(), "write it without quotes")
        }
        (Value::String(text), "boolean") if matches!(text.as_str(), "true" | "false") => {
            ("text".to_owned(), "write it without quotes")
        }
        (Value::Bool(flag), "string") => (format!("`{flag}`"), "write it in quotes"),
        _ => return false,
    };
    let message = format!("this default is {message}, and its schema says {word}");
    reader.issue(IssueKind::Doubtful, value.span, &value.pointer, message, Some(help));
    true
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
            Some("file") if reader.dialect(stated) == Dialect::V2 => {}
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
