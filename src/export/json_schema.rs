//! The types that the code declares, as JSON Schema 2020-12.

use serde_json::{Value, json};

use super::schema::{Definitions, Draft};
use crate::project::Project;

/// One document over all services: every type that one declares under `$defs`, and what they are made of.
pub fn json_schema(project: &Project) -> Value {
    let mut definitions = Definitions::new(Draft::Latest, "#/$defs/");
    for (at, service) in project.services.iter().enumerate() {
        for model in &service.models {
            definitions.define(at, &service.shapes, (&model.name, model.shape));
        }
    }
    let services: Vec<&str> = project.services.iter().map(|service| service.name.as_str()).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": services.join(", "),
        "description": "What the code declares, read from its sources",
        "$defs": definitions.written,
    })
}
