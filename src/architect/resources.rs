//! Reading: things from endpoints, and their fields from the bodies of endpoints that make, change or give one: `POST /orders`
//! with `{"total": 5}`.

use serde_json::Value;

use super::notes::{FieldNote, Notes};
use super::words;

/// Members of answers that are about the answer.
#[rustfmt::skip]
const ENVELOPE: &[&str] = &[
    "data", "items", "results", "result", "success", "message", "error", "errors", "meta", "pagination", "total", "page",
    "limit", "count", "status_code", "statusCode", "token", "accessToken", "access_token", "refreshToken", "pageSize",
    "totalPages", "page_size", "next", "previous", "hasMore", "detail", "code",
];

pub(super) fn read(notes: &mut Notes) {
    things(notes);
    let mut found: Vec<(String, FieldNote)> = Vec::new();
    for operation in notes.operations.iter().filter(|it| !it.guessed && !it.in_passing) {
        let Some((method, path)) = &operation.endpoint else { continue };
        let segments: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        let Some(last) = segments.last() else { continue };
        let one = last.starts_with('{');
        let collection = if one { segments.iter().rev().nth(1) } else { Some(last) };
        let Some(thing) = collection.filter(|it| !it.starts_with('{') && words::is_plural(it)) else { continue };
        let given = || {
            let bodies = operation.responses.iter().filter(|it| (200..300).contains(&it.0));
            let each = method == "GET" && !words::is_no_thing(&words::key(thing));
            let kept = |body: &Value| {
                let members = body.get("properties").and_then(Value::as_object);
                members.is_some_and(|it| it.len() >= 3 && (it.contains_key("id") || it.contains_key("_id")))
            };
            let shown = bodies.filter_map(|(_, schema, _)| body(schema, thing)).any(kept);
            (each && shown).then(|| words::pascal(thing))
        };
        let Some(entity) = notes.known(thing).map(|it| it.name.clone()).or_else(given) else { continue };
        let mut note = |schema: &Value| {
            for (name, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let kind = value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
                let field = FieldNote { name: name.clone(), kind, line: operation.line, ..FieldNote::default() };
                found.push((entity.clone(), field));
            }
        };
        let asks = method == "POST" && !one || ["PUT", "PATCH"].contains(&method.as_str()) && one;
        if let Some(schema) = operation.request.as_ref().filter(|_| asks) {
            note(schema);
        }
        for (_, schema, _) in operation.responses.iter().filter(|it| (200..300).contains(&it.0)) {
            if let Some(body) = body(schema, thing) {
                note(body);
            }
        }
    }
    for (entity, field) in found {
        if let Some(entity) = notes.entity(&entity, field.line) {
            entity.field(field);
        }
    }
}

/// The schema of one thing in that of an answer: the answer itself, the elements of a list, or those of the member that is
/// called like the things.
fn body<'s>(schema: &'s Value, things: &str) -> Option<&'s Value> {
    if let Some(items) = schema.get("items") {
        return items.get("properties").is_some().then_some(items);
    }
    let members = schema.get("properties")?.as_object()?;
    let key = words::key(things);
    let named = members
        .iter()
        .find(|(name, _)| words::key(name) == key || ["data", "items", "results"].contains(&name.as_str()));
    if let Some((_, inner)) = named.filter(|(_, it)| it.get("properties").is_some() || it.get("items").is_some()) {
        return body(inner, things);
    }
    let plain = members.keys().all(|it| !ENVELOPE.contains(&it.as_str()));
    plain.then_some(schema)
}

/// Resources of stated endpoints that are made in a collection and have an address each: `POST /bookings`, `GET
/// /bookings/{id}`.
fn things(notes: &mut Notes) {
    let stated: Vec<(String, String, u32)> = notes
        .operations
        .iter()
        .filter(|it| !it.guessed && !it.in_passing)
        .filter_map(|it| it.endpoint.clone().map(|(method, path)| (method, path, it.line)))
        .collect();
    for (method, path, line) in &stated {
        let Some(name) = path.rsplit('/').next().filter(|it| method == "POST" && words::is_plural(it)) else {
            continue;
        };
        let each = |it: &&(String, String, u32)| {
            it.1.strip_prefix(path.as_str())
                .is_some_and(|rest| rest.starts_with("/{") && rest.matches('/').count() == 1)
        };
        let fits =
            name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') && stated.iter().any(|it| each(&it));
        let new = notes.known(name).is_none();
        if fits
            && !words::is_no_thing(&words::key(name))
            && let Some(entity) = notes.entity(name, *line)
        {
            entity.in_passing |= new;
        }
    }
}
