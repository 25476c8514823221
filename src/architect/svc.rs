//! Reading: the rows `SVC-001` and the registry of states, as [`crate::contracts`] reads them.

use serde_json::{Map, Value, json};

use super::notes::{FieldNote, MachineNote, Notes, OperationNote};

use crate::contracts::{Document, parse_file};
use crate::model::{Body, Kind, Literal, ShapeId, ShapeTable};
use crate::text::FileId;

/// Objects within objects; what lies deeper has no members.
const MAX_DEPTH: usize = 12;

pub(super) fn read(text: &str, notes: &mut Notes) {
    let Document::Declared(declared) = parse_file(FileId(0), "requirements.md", text) else { return };
    let line_of = |at: u32| text.get(..at as usize).map_or(0, |before| before.matches('\n').count() as u32 + 1);
    let shapes = &declared.shapes;
    for operation in &declared.operations {
        let schema = |bodies: &[Body]| bodies.first().map(|body| schema(shapes, body.shape, 0));
        let responses =
            operation.responses.iter().filter_map(|it| schema(&it.bodies)).map(|it| (200, it, String::new()));
        let path = super::endpoints::template(operation.path.text());
        notes.operations.push(OperationNote {
            key: super::operation::shape(&path),
            line: line_of(operation.span.start),
            endpoint: Some((operation.method.name().to_owned(), path)),
            request: schema(&operation.request.bodies),
            responses: responses.collect(),
            id: operation.id.clone(),
            ..OperationNote::default()
        });
    }
    let Some(table) = &declared.table else { return };
    for issue in &table.issues {
        notes.issues.push(format!("ERROR: line {}: {}: {}", line_of(issue.span.start), issue.row, issue.message));
    }
    for model in &table.types {
        let Kind::Object(object) = &shapes.view(model.shape).shape.kind else { continue };
        let line = line_of(model.span.start);
        let Some(entity) = model.names.first().and_then(|name| notes.entity(name, line)) else { continue };
        for field in &object.fields {
            let kind = schema(shapes, field.shape, 0).get("type").and_then(Value::as_str).unwrap_or("").to_owned();
            entity.field(FieldNote {
                name: field.name.clone(),
                kind,
                required: Some(field.required),
                line,
                ..FieldNote::default()
            });
        }
    }
    for registered in table.registry.iter().filter(|it| !it.model.is_empty()) {
        let line = line_of(registered.span.start);
        let Some(entity) = notes.entity(&registered.model, line).map(|it| it.name.clone()) else { continue };
        let moves = registered.transitions.iter().map(|(from, to)| (from.clone(), to.clone(), String::new())).collect();
        notes.machines.push(MachineNote { entity, states: registered.states.clone(), moves, initial: None });
    }
}

fn schema(shapes: &ShapeTable, id: ShapeId, depth: usize) -> Value {
    let view = shapes.view(id);
    let literals: Vec<&str> = view
        .shape
        .values
        .iter()
        .flatten()
        .filter_map(|it| if let Literal::String(text) = it { Some(text.as_str()) } else { None })
        .collect();
    match &view.shape.kind {
        _ if depth > MAX_DEPTH => json!({}),
        Kind::String if !literals.is_empty() => json!({"type": "string", "enum": literals}),
        Kind::String => json!({"type": "string"}),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Number | Kind::Numeric => json!({"type": "number"}),
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Array { items, .. } => {
            json!({"type": "array", "items": items.map_or_else(|| json!({}), |it| schema(shapes, it, depth + 1))})
        }
        Kind::Object(object) => {
            let properties: Map<String, Value> =
                object.fields.iter().map(|it| (it.name.clone(), schema(shapes, it.shape, depth + 1))).collect();
            let required: Vec<&str> =
                object.fields.iter().filter(|it| it.required).map(|it| it.name.as_str()).collect();
            let mut found = json!({"type": "object", "properties": properties});
            if !required.is_empty() {
                found["required"] = json!(required);
            }
            found
        }
        _ => json!({}),
    }
}
