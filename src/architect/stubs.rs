//! Contracts to begin with: OpenAPI 3.1 for what each service offers, AsyncAPI 3.0 for what it sends and takes. They say
//! what the text says; what it leaves open is left out.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::decomposition::{DomainModel, Entity, Stub};
use super::notes::{EventNote, FieldNote, Notes};
use super::operation::Operation;
use super::{bodies, payload, words};

pub(super) fn all(notes: &Notes, model: &DomainModel, operations: &[Operation]) -> Vec<Stub> {
    let mut stubs = Vec::new();
    for service in &notes.services {
        stubs.push(Stub {
            kind: "openapi".into(),
            service_id: service.name.clone(),
            spec: openapi(notes, &service.name, &service.description, model, operations),
        });
        let events: Vec<&EventNote> = notes
            .events
            .values()
            .filter(|it| it.publishers.contains(&service.name) || it.consumers.contains(&service.name))
            .collect();
        if !events.is_empty() {
            stubs.push(Stub {
                kind: "asyncapi".into(),
                service_id: service.name.clone(),
                spec: asyncapi(&service.name, &service.description, &events),
            });
        }
    }
    stubs
}

fn info(name: &str, description: &str) -> Value {
    let mut info = json!({"title": name, "version": "0.1.0"});
    if !description.is_empty() {
        info["description"] = json!(description);
    }
    info
}

fn openapi(notes: &Notes, service: &str, description: &str, model: &DomainModel, operations: &[Operation]) -> Value {
    let own: Vec<&Operation> = operations.iter().filter(|it| it.service == service).collect();
    let mut schemas = Map::new();
    let told = |entity: &&Entity| {
        entity.owning_service.as_deref() == Some(service)
            || own.iter().any(|it| it.entity.as_deref() == Some(&entity.name) || bodies::names(&it.note, &entity.name))
    };
    for entity in model.entities.iter().filter(told) {
        if let Some(note) = notes.known(&entity.name) {
            schemas.insert(component(&entity.name), object(&note.fields, &entity.description));
        }
    }
    let mut paths = Map::new();
    for operation in own {
        let item = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        item[operation.method.to_ascii_lowercase()] = described(operation, &schemas);
    }
    // Two templates that differ in the names of their parameters alone are one.
    let mut merged: Map<String, Value> = Map::new();
    let mut shapes: BTreeMap<String, String> = BTreeMap::new();
    for (path, item) in paths {
        let shape = super::operation::shape(&path);
        let known = shapes.get(&shape).cloned();
        shapes.entry(shape).or_insert_with(|| path.clone());
        match (known.and_then(|it| merged.get_mut(&it)), item) {
            (Some(Value::Object(into)), Value::Object(item)) => {
                let named: Vec<Value> = into.values().filter_map(|it| it.get("parameters").cloned()).take(1).collect();
                for (method, mut operation) in item {
                    if let Some(parameters) = named.first() {
                        operation["parameters"] = parameters.clone();
                    }
                    into.entry(method).or_insert(operation);
                }
            }
            (_, item) => {
                merged.insert(path, item);
            }
        }
    }
    let mut document = json!({"openapi": "3.1.0", "info": info(service, description), "paths": merged});
    if !schemas.is_empty() {
        document["components"] = json!({"schemas": schemas});
    }
    document
}

/// The name of an entity as a key of `components`, which has letters of ASCII only (OpenAPI 3.1, Components Object).
fn component(name: &str) -> String {
    name.chars().fold(String::new(), |key, char| match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' => key + char.encode_utf8(&mut [0; 4]),
        _ => format!("{key}_{:x}", u32::from(char)),
    })
}

fn object(fields: &[FieldNote], description: &str) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|it| (it.name.clone(), payload::of_field(it))).collect();
    let required: Vec<&str> = fields.iter().filter(|it| it.required == Some(true)).map(|it| it.name.as_str()).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

fn described(operation: &Operation, schemas: &Map<String, Value>) -> Value {
    let mut found = json!({"operationId": operation.id});
    let summary = super::settle::shortened(&operation.summary);
    if !summary.is_empty() {
        found["summary"] = json!(summary);
    }
    let parameters: Vec<Value> = parameters(&operation.path)
        .into_iter()
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    if !parameters.is_empty() {
        found["parameters"] = Value::Array(parameters);
    }
    let known = operation
        .entity
        .as_deref()
        .map(component)
        .filter(|it| schemas.contains_key(it))
        .map(|it| json!({"$ref": format!("#/components/schemas/{it}")}));
    let writes = ["POST", "PUT", "PATCH"].contains(&operation.method.as_str());
    let plain = !operation.stated
        && matches!(operation.id.as_str(), id if id.starts_with("create") || id.starts_with("update"));
    let request = operation.note.request.clone().or_else(|| bodies::request(&operation.note, schemas));
    let request = request.or_else(|| known.clone().filter(|_| plain));
    if let Some(schema) = request.filter(|_| writes) {
        found["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    let mut responses = Map::new();
    for (status, schema, said) in &operation.note.responses {
        let description = if said.is_empty() { meaning(*status) } else { said };
        let mut response = json!({"description": description});
        if *status != 204 {
            response["content"] = json!({"application/json": {"schema": schema}});
        }
        responses.insert(status.to_string(), response);
    }
    let usual = if operation.method == "POST" { 201 } else { 200 };
    for (status, schema) in bodies::responses(&operation.note, usual, schemas) {
        let mut response = json!({"description": meaning(status)});
        if let Some(schema) = schema.filter(|_| status != 204) {
            response["content"] = json!({"application/json": {"schema": schema}});
        }
        responses.entry(status.to_string()).or_insert(response);
    }
    if responses.is_empty() {
        let (status, body) = match operation.method.as_str() {
            "DELETE" => (204, None),
            "POST" if plain || operation.id.starts_with("create") => (201, known),
            "GET" if operation.many => (200, known.map(|it| json!({"type": "array", "items": it}))),
            "GET" | "PUT" | "PATCH" => (200, known),
            _ => (200, None),
        };
        let mut response = json!({"description": meaning(status)});
        if let Some(schema) = body.filter(|_| !operation.stated) {
            response["content"] = json!({"application/json": {"schema": schema}});
        }
        responses.insert(status.to_string(), response);
    }
    found["responses"] = Value::Object(responses);
    found["x-source-line"] = json!(operation.note.line);
    if !operation.stated || operation.note.guessed {
        // The text says what is done, and not all of where.
        found["x-proposed"] = json!(true);
    }
    if let Some(id) = &operation.note.id {
        found["x-requirement"] = json!(id);
    }
    if !operation.actor.is_empty() {
        found["x-actor"] = json!(operation.actor);
    }
    found
}

fn meaning(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No content",
        400 => "Bad request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not found",
        409 => "Conflict",
        422 => "Unprocessable content",
        429 => "Too many requests",
        _ if status < 300 => "Success",
        _ => "Error",
    }
}

/// The names in braces of a path, each once.
fn parameters(path: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        if let Some(name) = segment.strip_prefix('{').and_then(|it| it.strip_suffix('}'))
            && !found.contains(&name)
        {
            found.push(name);
        }
    }
    found
}

fn asyncapi(service: &str, description: &str, events: &[&EventNote]) -> Value {
    let (mut channels, mut operations, mut messages) = (Map::new(), Map::new(), Map::new());
    for event in events {
        let name = words::split(&event.name).iter().map(|it| words::capitalised(it)).collect::<String>();
        if name.is_empty() {
            continue;
        }
        let mut message = json!({"name": event.name});
        if !event.description.is_empty() {
            message["summary"] = json!(super::settle::shortened(&event.description));
        }
        if let Some(payload) = &event.payload {
            message["payload"] = payload.clone();
        }
        messages.insert(name.clone(), message);
        let address = event.channel.clone().unwrap_or_else(|| event.name.clone());
        let mut held = Map::new();
        held.insert(name.clone(), json!({"$ref": format!("#/components/messages/{name}")}));
        let channel = words::camel(&words::split(&event.name));
        channels.insert(channel.clone(), json!({"address": address, "messages": held}));
        let sides = [(&event.publishers, "publish", "send"), (&event.consumers, "subscribe", "receive")];
        for (who, verb, action) in sides {
            if who.iter().any(|it| it == service) {
                operations.insert(
                    format!("{verb}{name}"),
                    json!({"action": action, "channel": {"$ref": format!("#/channels/{channel}")}, "messages": [{"$ref": format!("#/channels/{channel}/messages/{name}")}]}),
                );
            }
        }
    }
    json!({
        "asyncapi": "3.0.0",
        "info": info(service, description),
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages},
    })
}
