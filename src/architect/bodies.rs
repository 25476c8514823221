//! Bodies that a text names instead of stating their members: `Order`, `201 Order`, `list of orders, 404`.

use serde_json::{Map, Value, json};

use super::document::{Document, Text};
use super::notes::{FieldNote, OperationNote};
use super::{clauses, endpoints, fields, payload, words};

/// Notes what the columns of a row say of request and answers.
pub(super) fn of_row(head: &[Text], cells: &[Text], operation: &mut OperationNote) {
    for (name, cell) in head.iter().zip(cells) {
        let name = words::split(&name.plain).join(" ");
        let said = cell.plain.trim();
        if ["request", "request body", "body", "input", "takes", "payload"].contains(&name.as_str()) {
            said.clone_into(&mut operation.said_request);
            if operation.request.is_none() {
                operation.request = of_cell(cell, operation.line);
            }
        } else if ["response", "responses", "returns", "answer", "answers", "output", "result"].contains(&name.as_str())
        {
            said.clone_into(&mut operation.said_responses);
        }
    }
}

/// The schema of the members that a cell lists: `{ name, slug }`, `email, password`. A name alone is that of a schema.
fn of_cell(cell: &Text, line: u32) -> Option<Value> {
    let said = cell.plain.trim();
    if said.starts_with(['{', '[']) {
        return payload::read(said);
    }
    let members = fields::of_cell(said, line);
    let is_name = |it: &FieldNote| it.name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let is_code = cell.codes().next().is_some();
    (members.iter().all(is_name) && members.len() > usize::from(!is_code))
        .then_some(members)
        .filter(|it| it.iter().any(|it| it.name.starts_with(char::is_lowercase)))
        .map(|it| of_fields(&it))
}

/// What goes in, where members stand right behind an endpoint: `POST /leads (name, phone)`, `PUT /leads/{id} { status }`.
pub(super) fn behind(method: &str, said: &str, line: u32) -> Option<Value> {
    const NONE: &[&str] =
        &["auth", "public", "protected", "private", "optional", "required", "json", "multipart", "jwt", "token"];
    let said = said.trim_start_matches(['`', ' ', '-', '–', '—', ':']);
    if !["POST", "PUT", "PATCH"].contains(&method) {
        return None;
    }
    if said.starts_with('{') {
        return payload::read(said);
    }
    // `POST /lots with title, cents to add a lot`
    let with = said.strip_prefix("with ").map(|it| {
        let end = [". ", " to ", " for ", "; "].iter().filter_map(|mark| it.find(mark)).min();
        it[..end.unwrap_or(it.len())].trim_end_matches('.')
    });
    let inner = match with {
        Some(listed) => listed,
        None => said.strip_prefix('(')?.split_once(')')?.0,
    };
    let inner = inner.strip_prefix("body:").unwrap_or(inner);
    let members = fields::of_list(&inner.replace('`', ""), line);
    let is_name = |it: &FieldNote| {
        it.name.starts_with(|c: char| c.is_ascii_lowercase())
            && it.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !clauses::is_actor(&it.name)
            && !NONE.contains(&it.name.as_str())
    };
    // Whoever may call, and what the call is for, stands in brackets, too.
    (members.len() >= 2 && members.iter().all(is_name)).then(|| of_fields(&members))
}

/// Notes what a labelled line below an operation says: `Response 201: Order`.
pub(super) fn of_line(label: &str, said: &str, operation: &mut OperationNote) {
    let is = |names: &[&str]| words::split(label).iter().any(|it| names.contains(&it.as_str()));
    if said.split_whitespace().count() > 8 {
        return;
    }
    if is(&["response", "responses", "returns", "answers"]) {
        let status: String = label.chars().filter(char::is_ascii_digit).collect();
        let known = std::mem::take(&mut operation.said_responses);
        let joined = [known.as_str(), format!("{status} {said}").trim()].join(", ");
        operation.said_responses = joined.trim_start_matches(", ").to_owned();
    } else if is(&["request", "body", "input", "accepts"]) {
        said.trim().clone_into(&mut operation.said_request);
    }
}

/// The schema of an object with these members.
pub(super) fn of_fields(fields: &[FieldNote]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|it| (it.name.clone(), payload::of_field(it))).collect();
    let required = fields.iter().filter(|it| it.required == Some(true)).map(|it| json!(it.name));
    let required: Vec<Value> = required.collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}

/// What goes in, where a list of members begins below an endpoint that takes something: `POST /orders` and `Params:` on lines above.
pub(super) fn listed(document: &Document, at: usize) -> Option<Vec<FieldNote>> {
    let lead = Some(()).filter(|()| document.begins_list(at)).and_then(|()| document.lead(at))?;
    let label = lead.plain.trim_end().lines().last()?.trim().strip_suffix(':')?.to_ascii_lowercase();
    let takes = lead.plain.lines().any(|it| endpoints::in_text(it).is_some_and(|it| it.0 != "GET" && it.0 != "DELETE"));
    let fits =
        ["params", "parameters", "body", "fields", "request", "request body", "payload"].contains(&label.as_str());
    let items = document.outer_items(at);
    Some(()).filter(|()| takes && fits).and_then(|()| fields::of_items(document, &items, true))
}

/// The schema of a request that is named; none where the words name no entity.
pub(super) fn request(operation: &OperationNote, schemas: &Map<String, Value>) -> Option<Value> {
    named(&operation.said_request, schemas)
}

/// Answers that are named: statuses, and their schemas where they have one. `usual` is the status of a success.
pub(super) fn responses(
    operation: &OperationNote,
    usual: u16,
    schemas: &Map<String, Value>,
) -> Vec<(u16, Option<Value>)> {
    let mut found: Vec<(u16, Option<Value>)> = Vec::new();
    for part in operation.said_responses.split([',', ';', '\n']) {
        let part = part.trim();
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let status = part[..digits].parse::<u16>().ok().filter(|it| (100..600).contains(it));
        let schema = named(part[if status.is_some() { digits } else { 0 }..].trim(), schemas);
        let status = match (status, &schema) {
            (Some(status), _) => status,
            (None, Some(_)) => usual,
            (None, None) => continue,
        };
        if !found.iter().any(|it| it.0 == status) {
            found.push((status, schema));
        }
    }
    found
}

/// Entities that a text names as bodies.
pub(super) fn names(operation: &OperationNote, entity: &str) -> bool {
    let schemas = Map::from_iter([(entity.to_owned(), Value::Null)]);
    request(operation, &schemas).is_some() || responses(operation, 200, &schemas).iter().any(|it| it.1.is_some())
}

/// `Order`, `Order[]`, `list of orders`, `[Order]`, `Array<Order>`: one entity, or several.
fn named(text: &str, schemas: &Map<String, Value>) -> Option<Value> {
    let text = text.trim().trim_matches(['`', '*', '(', ')', ':', '.']).trim();
    let lower = text.to_ascii_lowercase();
    let lists = ["list of ", "array of ", "list<", "array<", "["];
    let (inner, mut many) = match lists.iter().find(|it| lower.starts_with(**it)) {
        Some(prefix) => (&text[prefix.len()..], true),
        None => (text, false),
    };
    let bare = inner.trim_end_matches(['>', ']', '[']).trim();
    many |= inner.ends_with("[]");
    if bare.is_empty() || bare.split_whitespace().count() > 2 {
        return None;
    }
    let key = words::key(bare);
    let schema = schemas.keys().find(|it| words::key(it) == key)?;
    // `orders` are several, `Order` is one.
    let plural = bare.ends_with('s') && !schema.ends_with('s');
    let one = json!({"$ref": format!("#/components/schemas/{schema}")});
    Some(if many || plural { json!({"type": "array", "items": one}) } else { one })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_named_alone_or_in_lists() {
        let schemas = Map::from_iter([("Order".to_owned(), json!({})), ("LineItem".to_owned(), json!({}))]);
        let one = json!({"$ref": "#/components/schemas/Order"});
        let many = json!({"type": "array", "items": one});
        assert_eq!(named("`Order`", &schemas), Some(one.clone()));
        for text in ["Order[]", "list of orders", "[Order]", "Array<Order>", "orders"] {
            assert_eq!(named(text, &schemas), Some(many.clone()), "{text}");
        }
        assert_eq!(named("line item", &schemas), Some(json!({"$ref": "#/components/schemas/LineItem"})));
        for text in ["-", "none", "the order that was created", "Parcel"] {
            assert_eq!(named(text, &schemas), None, "{text}");
        }
        let note = OperationNote { said_responses: "Order[], 404 if missing".to_owned(), ..OperationNote::default() };
        assert_eq!(responses(&note, 200, &schemas), [(200, Some(many)), (404, None)]);
    }
}
