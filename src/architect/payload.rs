//! What is written of a body or of a type, as JSON Schema: `{ "id": UUID, "items": [{ "price": float }] }`, `decimal(10,2)`.

use serde_json::{Map, Value, json};

use super::code::{balanced, split};
use super::notes::FieldNote;

/// Objects within objects; what lies deeper has no members.
const MAX_DEPTH: usize = 12;

/// The schema that a text states: the first block in braces or brackets; none where there is none.
pub(super) fn read(text: &str) -> Option<Value> {
    let open = text.find(['{', '['])?;
    let rest = &text[open..];
    let (from, to) = if rest.starts_with('{') { ('{', '}') } else { ('[', ']') };
    let length = balanced(rest, from, to)?;
    let schema = schema(&rest[..length], 0);
    let says = match schema.get("type").and_then(Value::as_str) {
        Some("object") => schema.get("properties").and_then(Value::as_object).is_some_and(|it| !it.is_empty()),
        Some("array") => true,
        _ => false,
    };
    says.then_some(schema)
}

fn schema(text: &str, depth: usize) -> Value {
    let text = text.trim();
    if depth > MAX_DEPTH {
        return json!({});
    }
    if text.starts_with('{') && text.ends_with('}') && text.len() >= 2 {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (_, part) in split(&text[1..text.len() - 1], &[',', ';', '\n']) {
            let part = part.split("//").next().unwrap_or(part).trim();
            let (name, kind) = part.split_once(':').unwrap_or((part, ""));
            let optional = name.trim().ends_with('?');
            let name = name.trim().trim_matches(|c: char| "\"'`?*".contains(c));
            let is_name =
                !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-$@.".contains(c)) && name != "...";
            if !is_name || properties.contains_key(name) {
                continue;
            }
            properties.insert(name.to_owned(), schema(kind, depth + 1));
            if !optional && !kind.is_empty() {
                required.push(json!(name));
            }
        }
        let mut object = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            object["required"] = Value::Array(required);
        }
        return object;
    }
    if text.starts_with('[') && text.ends_with(']') && text.len() >= 2 {
        let inner = text[1..text.len() - 1].trim();
        let first = split(inner, &[',']).first().map_or("", |(_, it)| *it);
        let items = if inner.is_empty() || inner.starts_with("...") { json!({}) } else { schema(first, depth + 1) };
        return json!({"type": "array", "items": items});
    }
    of_type(text)
}

/// The schema of a type as it is written. A word that is no type says nothing.
pub(super) fn of_type(text: &str) -> Value {
    let text = text.trim().trim_matches('`').trim_end_matches(['!', ',', ';']);
    if let Some(inner) = text.strip_suffix("[]") {
        return json!({"type": "array", "items": of_type(inner)});
    }
    if let Some((outer, inner)) = text.split_once(['<', '[']).filter(|_| text.ends_with(['>', ']'])) {
        let inner = inner.trim_end_matches(['>', ']']);
        return match outer.trim().to_ascii_lowercase().as_str() {
            "array" | "list" | "set" | "sequence" | "ienumerable" | "icollection" => {
                json!({"type": "array", "items": of_type(inner)})
            }
            "" => json!({"type": "array", "items": of_type(inner)}),
            "optional" | "nullable" => of_type(inner),
            "map" | "dict" | "record" | "dictionary" => json!({"type": "object"}),
            _ => json!({}),
        };
    }
    if text.starts_with('"') || text.starts_with('\'') {
        return json!({"type": "string"});
    }
    let word: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
    match word.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" | "varchar" | "char" | "character" | "nvarchar" | "citext" | "mediumtext"
        | "longtext" => json!({"type": "string"}),
        "uuid" | "guid" => json!({"type": "string", "format": "uuid"}),
        "email" => json!({"type": "string", "format": "email"}),
        "url" | "uri" => json!({"type": "string", "format": "uri"}),
        "datetime" | "timestamp" | "timestamptz" | "iso8601" | "datetimeoffset" => {
            json!({"type": "string", "format": "date-time"})
        }
        "date" | "dateonly" => json!({"type": "string", "format": "date"}),
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "serial" | "bigserial" | "long" | "short" | "int32"
        | "int64" | "year" => json!({"type": "integer"}),
        "number" | "numeric" | "decimal" | "float" | "double" | "real" | "money" => json!({"type": "number"}),
        "bool" | "boolean" | "bit" => json!({"type": "boolean"}),
        "true" | "false" => json!({"type": "boolean"}),
        "object" | "map" | "dict" | "dictionary" => json!({"type": "object"}),
        "array" | "list" => json!({"type": "array", "items": {}}),
        digits if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) => {
            if text.contains('.') {
                json!({"type": "number"})
            } else {
                json!({"type": "integer"})
            }
        }
        _ => json!({}),
    }
}

/// The schema of a field: its type, its values, what is said of it.
pub(super) fn of_field(field: &FieldNote) -> Value {
    let mut schema = of_type(&field.kind);
    if field.values.len() >= 2 {
        let array = schema.get("type").and_then(Value::as_str) == Some("array");
        let values = json!({"type": "string", "enum": unique(&field.values)});
        schema = if array { json!({"type": "array", "items": values}) } else { values };
    }
    let known = schema.as_object().is_some_and(|it| !it.is_empty());
    let mut said = field.description.trim().to_owned();
    if !known && !field.kind.is_empty() {
        said = format!("{}{}{}", field.kind, if said.is_empty() { "" } else { "; " }, said);
    }
    if !said.is_empty() {
        schema["description"] = json!(said);
    }
    schema
}

pub(super) fn unique(values: &[String]) -> Vec<&String> {
    let mut found: Vec<&String> = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read_as_it_is_written() {
        let schema =
            read("`{ \"id\": UUID, \"items\": [{ \"price\": float }], \"note\"?: string }`").expect("a schema");
        assert_eq!(schema["properties"]["id"]["format"], "uuid");
        assert_eq!(schema["properties"]["items"]["items"]["properties"]["price"]["type"], "number");
        assert_eq!(schema["required"], json!(["id", "items"]));
        assert_eq!(read("a user object"), None);
    }
}
