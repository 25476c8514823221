//! A schema without composition: type, members, values, limits.

use rustc_hash::FxHashSet;

use crate::contracts::IssueKind;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::{Node, Value};
use crate::finding::Reason;
use crate::model::{Additional, Field, Kind, Limits, Literal, Object, Shape, Union};

/// Lowers the schema's own keywords; `$ref` and composition are the caller's.
pub(in crate::contracts) fn lower<'d>(reader: &mut Reader<'d>, place: &Place<'d>) -> Shape {
    let node = place.node;
    let mut shape = Shape::new(Kind::Any);
    annotate(&mut shape, node);
    let Types { mut words, null } = types(reader, place);
    let mut values = values(node);
    shape.nullable |= null && !words.is_empty();
    if let Some(values) = &mut values {
        let before = values.len();
        values.retain(|value| *value != Literal::Null);
        shape.nullable |= values.len() < before;
        if values.is_empty() {
            shape.kind = Kind::Null;
            return shape;
        }
    }
    words.dedup();
    shape.kind = match words.as_slice() {
        [] if null => Kind::Null,
        [] => inferred(reader, place, values.as_deref()),
        [word] => of_type(reader, place, word),
        several => {
            let options = several
                .iter()
                .map(|word| {
                    let mut option = Shape::new(of_type(reader, place, word));
                    option.format.clone_from(&shape.format);
                    reader.add_at(place, option)
                })
                .collect();
            Kind::Union(Union { options, discriminator: None, exclusive: false })
        }
    };
    if words == ["file"] {
        shape.format.get_or_insert_with(|| "binary".to_owned());
    }
    if let (Kind::String, Some(values)) = (&shape.kind, &mut values) {
        // `type: string` with `enum: [1, true]`: YAML's unquoted scalars, meant as text.
        for value in values {
            match value {
                Literal::Number(text) => *value = Literal::String(std::mem::take(text)),
                Literal::Boolean(flag) => *value = Literal::String(flag.to_string()),
                Literal::Null | Literal::String(_) | Literal::Other(_) => {}
            }
        }
    }
    shape.values = values;
    shape.limits = limits(node);
    shape
}

/// What holds beside any kind: names, flags, `nullable`.
pub(in crate::contracts) fn annotate(shape: &mut Shape, node: &Node) {
    let is_true = |key: &str| node.get(key).is_some_and(Node::is_true);
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    shape.nullable |= is_true("nullable") || is_true("x-nullable");
    shape.title = text("title");
    shape.format = text("format");
    shape.read_only = is_true("readOnly");
    shape.write_only = is_true("writeOnly");
    shape.deprecated = is_true("deprecated");
}

/// Whether nothing but null belongs to a schema.
pub(in crate::contracts) fn is_null_schema(node: &Node) -> bool {
    let is_null = |node: &Node| node.text() == Some("null") || node.is_null();
    let only = |list: &Node, test: &dyn Fn(&Node) -> bool| !list.items().is_empty() && list.items().iter().all(test);
    node.get("type").is_some_and(|word| is_null(word) || only(word, &is_null))
        || node.get("const").is_some_and(Node::is_null)
        || node.get("enum").is_some_and(|list| only(list, &Node::is_null))
}

struct Types<'d> {
    words: Vec<&'d str>,
    null: bool,
}

fn types<'d>(reader: &mut Reader<'d>, place: &Place<'d>) -> Types<'d> {
    let mut types = Types { words: Vec::new(), null: false };
    let Some(stated) = place.child("type") else { return types };
    let stated_words: Vec<Place<'d>> = match &stated.node.value {
        Value::Array(_) => stated.items().collect(),
        _ => vec![stated],
    };
    for word in stated_words {
        match word.node.text() {
            Some("null") => types.null = true,
            Some(text) => types.words.push(text),
            None => {
                let help = word.node.is_null().then_some("quote it: `type: \"null\"`");
                let message = format!("`type` must be a word, found {}", word.node.type_name());
                reader.issue(IssueKind::InvalidValue, word.node.span, &word.pointer, message, help);
                types.null |= word.node.is_null();
            }
        }
    }
    types
}

fn of_type<'d>(reader: &mut Reader<'d>, place: &Place<'d>, word: &str) -> Kind {
    match word {
        "object" => Kind::Object(object(reader, place)),
        "array" => array(reader, place),
        "string" | "file" => Kind::String,
        "integer" => Kind::Integer,
        "number" => Kind::Number,
        "boolean" => Kind::Boolean,
        _ => {
            let meant = meant(word);
            if let Some(stated) = place.child("type") {
                let message = format!("`{word}` is no type");
                let help = match meant {
                    Some(meant) => &format!("write `{meant}`"),
                    None => "the types are `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`",
                };
                reader.issue(IssueKind::InvalidValue, stated.node.span, &stated.pointer, message, Some(help));
            }
            match meant {
                Some(meant) => of_type(reader, place, meant),
                None => Kind::Unknown(Reason::new(format!("`{word}` is no type"), Some(place.span))),
            }
        }
    }
}

/// The type that is meant by a word of a programming language.
fn meant(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "int" | "int32" | "int64" | "long" | "integer" => "integer",
        "float" | "double" | "decimal" | "number" => "number",
        "bool" | "boolean" => "boolean",
        "str" | "string" | "uuid" | "date" | "datetime" | "date-time" => "string",
        "list" | "array" => "array",
        "dict" | "map" | "object" => "object",
        _ => return None,
    })
}

/// The kind of a schema without `type`.
fn inferred<'d>(reader: &mut Reader<'d>, place: &Place<'d>, values: Option<&[Literal]>) -> Kind {
    let has = |keys: &[&str]| keys.iter().any(|key| place.node.get(key).is_some());
    if let Some(values) = values {
        let all = |test: fn(&Literal) -> bool| values.iter().all(test);
        if all(|value| matches!(value, Literal::String(_))) {
            return Kind::String;
        }
        if all(|value| matches!(value, Literal::Boolean(_))) {
            return Kind::Boolean;
        }
        if all(|value| matches!(value, Literal::Number(text) if !text.contains(['.', 'e', 'E']))) {
            return Kind::Integer;
        }
        return if all(|value| matches!(value, Literal::Number(_))) { Kind::Number } else { Kind::Any };
    }
    if has(&[
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "unevaluatedProperties",
    ]) && !place.node.get("required").is_some_and(|required| matches!(required.value, Value::Bool(_)))
    {
        return Kind::Object(object(reader, place));
    }
    if has(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]) {
        return array(reader, place);
    }
    Kind::Any
}

fn object<'d>(reader: &mut Reader<'d>, place: &Place<'d>) -> Object {
    let properties = place.child("properties").and_then(|properties| reader.follow(properties));
    let required: Vec<&'d Node> =
        place.node.get("required").map(|list| list.items().iter().collect()).unwrap_or_default();
    let mut awaited: FxHashSet<&str> = required.iter().filter_map(|name| name.text()).collect();
    let mut fields = Vec::new();
    for (key, property) in properties.iter().flat_map(Place::members) {
        let required = awaited.remove(key.text.as_str());
        let shape = reader.shape_at(property);
        let (name, span) = (key.text.clone(), Some(key.span));
        fields.push(Field { name, shape, required, always: required, span, declared: None });
    }
    for node in required {
        let Some(name) = node.text().filter(|name| awaited.remove(name)) else { continue };
        let shape = reader.add_at(place, Shape::new(Kind::Any));
        let (name, span) = (name.to_owned(), Some(node.span));
        fields.push(Field { name, shape, required: true, always: true, span, declared: None });
    }
    Object { fields, additional: additional(reader, place) }
}

fn additional<'d>(reader: &mut Reader<'d>, place: &Place<'d>) -> Additional {
    let stated = place.child("additionalProperties").or_else(|| place.child("unevaluatedProperties"));
    let mut patterns = place.child("patternProperties").into_iter().flat_map(|map| map.members().collect::<Vec<_>>());
    match stated {
        Some(stated) if matches!(stated.node.value, Value::Bool(false)) => match (patterns.next(), patterns.next()) {
            (None, _) => Additional::Closed,
            (Some((_, only)), None) => Additional::Of(reader.shape_at(only)),
            _ => Additional::Open,
        },
        Some(stated) if !stated.node.is_null() => Additional::Of(reader.shape_at(stated)),
        _ => Additional::Open,
    }
}

fn array<'d>(reader: &mut Reader<'d>, place: &Place<'d>) -> Kind {
    let tuple = |list: Option<Place<'d>>| list.map(|list| list.items().collect::<Vec<_>>()).unwrap_or_default();
    let items = place.child("items");
    // Drafts before 2020-12: a list under `items`, the rest under `additionalItems`.
    let (prefix, rest) = if items.as_ref().is_some_and(|items| matches!(items.node.value, Value::Array(_))) {
        (tuple(items), place.child("additionalItems"))
    } else {
        (tuple(place.child("prefixItems")), items)
    };
    let prefix = prefix.into_iter().map(|item| reader.shape_at(item)).collect();
    Kind::Array { prefix, items: rest.map(|rest| reader.shape_at(rest)) }
}

/// `enum` and `const`, null included.
fn values(node: &Node) -> Option<Vec<Literal>> {
    if let Some(value) = node.get("const") {
        return Some(vec![literal(value)]);
    }
    let values = node.get("enum")?.items();
    (!values.is_empty()).then(|| values.iter().map(literal).collect())
}

fn literal(node: &Node) -> Literal {
    match &node.value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Boolean(*value),
        Value::Number(text) => Literal::Number(decimal(text)),
        Value::String(text) => Literal::String(text.clone()),
        Value::Array(_) | Value::Object(_) => Literal::Other(node.to_json()),
    }
}

/// `1.50` is `1.5`, `2.0` is `2`: numbers that are equal read equal.
fn decimal(text: &str) -> String {
    if !text.contains('.') || text.contains(['e', 'E']) {
        return text.to_owned();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Keywords that are kept as they are written (JSON Schema 2020-12, `x-extensible-enum` of Zalando's guidelines,
/// `x-stability-level` and `x-sunset` of oasdiff's).
const KEPT: [&str; 21] = [
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "dependentRequired",
    "dependentSchemas",
    "discriminator",
    "else",
    "if",
    "maxContains",
    "minContains",
    "not",
    "patternProperties",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "x-extensible-enum",
    "x-stability-level",
    "x-sunset",
];

/// Constraints beyond type and members; `None` where there are none.
pub(in crate::contracts) fn limits(node: &Node) -> Option<Box<Limits>> {
    let mut limits = Limits::default();
    let mut exclusive = (false, false);
    for (key, value) in node.entries() {
        let number = || match &value.value {
            Value::Number(text) => Some(decimal(text)),
            _ => None,
        };
        let count = || number().and_then(|text| text.parse::<u64>().ok());
        match key.text.as_str() {
            "minimum" => limits.minimum = number(),
            "maximum" => limits.maximum = number(),
            // OpenAPI 2.0 and 3.0 follow drafts where the exclusive bound is a flag on the other.
            "exclusiveMinimum" => (exclusive.0, limits.exclusive_minimum) = (value.is_true(), number()),
            "exclusiveMaximum" => (exclusive.1, limits.exclusive_maximum) = (value.is_true(), number()),
            "multipleOf" => limits.multiple_of = number(),
            "minLength" => limits.min_length = count(),
            "maxLength" => limits.max_length = count(),
            "minItems" => limits.min_items = count(),
            "maxItems" => limits.max_items = count(),
            "uniqueItems" => limits.unique_items = value.is_true(),
            "minProperties" => limits.min_properties = count(),
            "maxProperties" => limits.max_properties = count(),
            "pattern" => limits.pattern = value.text().map(str::to_owned),
            "default" => limits.default = Some(literal(value)),
            other => {
                if let Some(known) = KEPT.iter().find(|known| **known == other) {
                    limits.keywords.push((known, value.to_json()));
                }
            }
        }
    }
    if exclusive.0 {
        limits.exclusive_minimum = limits.minimum.take();
    }
    if exclusive.1 {
        limits.exclusive_maximum = limits.maximum.take();
    }
    limits.keywords.sort_unstable();
    (limits != Limits::default()).then(|| Box::new(limits))
}
