//! Arguments of a call: their schema as clients see it, and what is said of those that do not fit.

use jsonschema::Validator;
use rmcp::model::JsonObject;
use schemars::Schema;
use serde_json::Value;

use super::tool::Refusal;

/// Text in all arguments together; the largest public API descriptions have a third of it.
pub(super) const MOST_TEXT: usize = 32 * 1024 * 1024;

/// Complaints that one answer holds.
const MOST_COMPLAINTS: usize = 5;

/// A schema without what only its generator wants to know: names of types, and widths of integers, which validators of
/// clients warn about.
pub(super) fn schema(generated: Schema) -> JsonObject {
    let Value::Object(mut root) = generated.to_value() else { return JsonObject::new() };
    for name in ["$schema", "title", "description"] {
        root.remove(name);
    }
    if let Some(Value::Object(properties)) = root.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.remove("format");
        }
    } else {
        root.insert("properties".to_owned(), Value::Object(JsonObject::new()));
    }
    root
}

/// Arguments under the names that the tool has for them.
pub(super) fn known_by(mut given: JsonObject, others: &[(&str, &str)]) -> JsonObject {
    for (other, name) in others {
        if let Some(value) = given.remove(*other)
            && !name.is_empty()
            && !given.contains_key(*name)
        {
            given.insert((*name).to_owned(), value);
        }
    }
    given
}

/// Whether arguments are what the schema asks for.
///
/// # Errors
/// `invalid_arguments`, which names each parameter that is wrong, and those that there are; `too_large`.
pub(super) fn check(validator: Option<&Validator>, schema: &JsonObject, given: &JsonObject) -> Result<(), Refusal> {
    let size: usize = given.values().map(size).sum();
    if size > MOST_TEXT {
        let message = format!(
            "the arguments hold {} MB, and {} MB are read; give a smaller document, or split it",
            size / 1_000_000,
            MOST_TEXT / 1_000_000
        );
        return Err(Refusal::new("too_large", message));
    }
    let given = Value::Object(given.clone());
    let complaints: Vec<String> = validator
        .into_iter()
        .flat_map(|it| it.iter_errors(&given))
        .take(MOST_COMPLAINTS)
        .map(|error| {
            let place = error.instance_path().as_str().trim_start_matches('/').to_owned();
            let said = error.masked_with("what was given").to_string();
            if place.is_empty() { said } else { format!("`{place}`: {said}") }
        })
        .collect();
    if complaints.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("invalid_arguments", format!("{}. Parameters: {}.", complaints.join("; "), parameters(schema))))
}

/// Text in a value, roughly.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// `service_name` (string, required), `page` (integer or null)
fn parameters(schema: &JsonObject) -> String {
    let Some(Value::Object(properties)) = schema.get("properties") else { return "none".to_owned() };
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let each = properties.iter().map(|(name, property)| {
        let kind = match property.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
            _ => "any value".to_owned(),
        };
        let must = if required.contains(&name.as_str()) { ", required" } else { "" };
        format!("`{name}` ({kind}{must})")
    });
    let listed = each.collect::<Vec<_>>().join(", ");
    if listed.is_empty() { "none".to_owned() } else { listed }
}
