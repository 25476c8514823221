//! The contract registry as tools.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::tool::{Call, Effect, Given, Output, Refusal, Tool, given};
use crate::registry::{self, ListFilter, NewContract, SpecKind};

pub(super) const INSTRUCTIONS: &str = "\
Contracts between the services of this project: OpenAPI, AsyncAPI and JSON Schema documents, by service and version. Read \
the contract of a service (`list_contracts`, `get_contract`) before you write code that keeps or calls it; check a sample \
answer with `validate_endpoint`; when the code is written, `mark_implemented` reads it and says what does not keep the \
contract. `get_unimplemented_contracts` lists what is left to do.";

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "create_contract",
            "Register a contract",
            "Registers a contract document of a service. The same document again changes nothing; another document for the \
             same service, type and version takes its place, but not within one build cycle.",
            (Effect::Replaces, Output::Object(contract(false))),
            create,
        ),
        Tool::new(
            "validate_spec",
            "Check a contract document",
            "Whether a document is valid, with the pointer and the line of each error. A reference that leads nowhere is one.",
            (Effect::Reads, Output::Object(spec_report())),
            validate_spec,
        ),
        Tool::new(
            "list_contracts",
            "List contracts",
            "Registered contracts without their documents, a page at a time.",
            (Effect::Reads, Output::Object(page())),
            list,
        )
        .also_taking(&[("contract_type", "type")]),
        Tool::new(
            "get_contract",
            "Read a contract",
            "A registered contract with its document; null where no contract has this id.",
            (Effect::Reads, Output::Wrapped(or_null(&contract(true)))),
            get,
        ),
    ]
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Kind {
    Openapi,
    Asyncapi,
    JsonSchema,
}

impl From<Kind> for SpecKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Openapi => SpecKind::Openapi,
            Kind::Asyncapi => SpecKind::Asyncapi,
            Kind::JsonSchema => SpecKind::JsonSchema,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Create {
    /// Service that keeps the contract.
    service_name: String,
    /// Kind of document.
    r#type: Kind,
    /// Version of the contract: `1.0.0`.
    version: String,
    /// The document itself, as an object.
    spec: Map<String, Value>,
    /// Build cycle in which a version stays what it is.
    build_cycle_id: Option<String>,
}

fn create(call: &Call<'_>, asked: &Create) -> Result<Given, Refusal> {
    let new = NewContract {
        service_name: asked.service_name.clone(),
        kind: asked.r#type.into(),
        version: asked.version.clone(),
        spec: Value::Object(asked.spec.clone()),
        build_cycle_id: asked.build_cycle_id.clone(),
    };
    given(call.place.registry(|it| it.create(&new))?.entry)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {
    /// Contracts of this service only.
    service_name: Option<String>,
    /// Contracts of this kind only.
    r#type: Option<Kind>,
    /// Contracts with this status only, such as `active`.
    status: Option<String>,
    /// Page, from 1. Default: 1.
    page: Option<u32>,
    /// Contracts on a page, 1 to 100. Default: 20.
    page_size: Option<u32>,
}

fn list(call: &Call<'_>, asked: &List) -> Result<Given, Refusal> {
    let usual = ListFilter::default();
    let filter = ListFilter {
        service_name: asked.service_name.clone(),
        kind: asked.r#type.map(SpecKind::from),
        status: asked.status.clone(),
        page: asked.page.unwrap_or(usual.page),
        page_size: asked.page_size.unwrap_or(usual.page_size),
    };
    given(call.place.registry(|it| it.list(&filter))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Get {
    /// Id of the contract, as `list_contracts` shows it.
    contract_id: String,
}

fn get(call: &Call<'_>, asked: &Get) -> Result<Given, Refusal> {
    given(call.place.registry(|it| it.get(&asked.contract_id))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ValidateSpec {
    /// The document itself, as an object.
    spec: Map<String, Value>,
    /// Kind of document.
    r#type: Kind,
}

fn validate_spec(_: &Call<'_>, asked: &ValidateSpec) -> Result<Given, Refusal> {
    given(registry::validate_spec(&Value::Object(asked.spec.clone()), asked.r#type.into()))
}

fn contract(with_document: bool) -> Value {
    let mut properties = json!({
        "id": { "type": "string" },
        "type": { "type": "string", "enum": ["openapi", "asyncapi", "json_schema"] },
        "version": { "type": "string" },
        "service_name": { "type": "string" },
        "spec_hash": { "type": "string", "description": "SHA-256 of the document with sorted keys." },
        "status": { "type": "string" },
        "build_cycle_id": { "type": ["string", "null"] },
        "created_at": { "type": "string" },
        "updated_at": { "type": "string" },
    });
    let mut required = vec!["id", "type", "version", "service_name", "spec_hash", "status"];
    if with_document {
        properties["spec"] = json!({ "type": "object", "description": "The document." });
        required.push("spec");
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn page() -> Value {
    json!({
        "type": "object",
        "properties": {
            "items": { "type": "array", "items": contract(false) },
            "total": { "type": "integer", "description": "On all pages." },
            "page": { "type": "integer" },
            "page_size": { "type": "integer" },
        },
        "required": ["items", "total", "page", "page_size"],
    })
}

fn or_null(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn spec_report() -> Value {
    json!({
        "type": "object",
        "properties": {
            "valid": { "type": "boolean" },
            "errors": texts(),
            "warnings": texts(),
            "details": { "type": "array", "description": "The same, for programs.", "items": { "type": "object" } },
        },
        "required": ["valid", "errors", "warnings"],
    })
}
