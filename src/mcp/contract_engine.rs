//! The contract registry as tools.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::tool::{Call, Effect, Given, Output, Refusal, Tool, given};
use crate::registry::{self, AnswerQuestion, ListFilter, NewContract, SpecKind, TestFramework};

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
        Tool::new(
            "validate_endpoint",
            "Check an answer",
            "Holds the body of an answer against the contract of a service: the status selects what is promised, a path such \
             as `/users/42` finds `/users/{id}`.",
            (Effect::Reads, Output::Object(answer_report())),
            validate_endpoint,
        ),
        Tool::new(
            "generate_tests",
            "Write tests of a contract",
            "Source of tests that hold a running service against a contract, for pytest or jest. Write it to a file, and run it.",
            (Effect::Reads, Output::Text),
            generate_tests,
        ),
        Tool::new(
            "check_breaking_changes",
            "Compare with a new version",
            "What a new document in the place of a contract would break, and which services that affects; without a new \
             document, what the contract broke of the version before it.",
            (Effect::Reads, Output::Wrapped(changes())),
            check_breaking_changes,
        ),
        Tool::new(
            "mark_implemented",
            "Verify an implementation",
            "Reads the code of the service that the evidence belongs to and notes whether it keeps the contract: `marked` is \
             true only if every operation is verified. What is wrong stands in `findings`, what is not known in `reasons`.",
            (Effect::Adds, Output::Object(marked())),
            mark_implemented,
        ),
        Tool::new(
            "get_unimplemented_contracts",
            "What is left to implement",
            "Contracts that no service is verified to implement, of all services or of one.",
            (Effect::Reads, Output::Wrapped(unimplemented())),
            get_unimplemented,
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ValidateEndpoint {
    /// Service that answered.
    service_name: String,
    /// `GET`, `POST`, …
    method: String,
    /// Path that was asked for, `/users/42`, or as the contract writes it.
    path: String,
    /// The body that was answered: any JSON value.
    response_body: Value,
    /// Status that was answered. Default: 200.
    status_code: Option<u16>,
}

fn validate_endpoint(call: &Call<'_>, asked: &ValidateEndpoint) -> Result<Given, Refusal> {
    let question = AnswerQuestion {
        service_name: asked.service_name.clone(),
        method: asked.method.clone(),
        path: asked.path.clone(),
        status_code: asked.status_code.unwrap_or(200),
        response_body: asked.response_body.clone(),
    };
    given(call.place.registry(|it| it.validate_endpoint(&question))?)
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Framework {
    Pytest,
    Jest,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GenerateTests {
    /// Id of the contract.
    contract_id: String,
    /// What the tests are written for. Default: `pytest`.
    framework: Option<Framework>,
    /// Also test what the contract rules out. Default: true.
    include_negative: Option<bool>,
}

fn generate_tests(call: &Call<'_>, asked: &GenerateTests) -> Result<Given, Refusal> {
    let framework = match asked.framework {
        Some(Framework::Jest) => TestFramework::Jest,
        Some(Framework::Pytest) | None => TestFramework::Pytest,
    };
    let negative = asked.include_negative.unwrap_or(true);
    given(call.place.registry(|it| it.generate_tests(&asked.contract_id, framework, negative))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckBreakingChanges {
    /// Id of the contract.
    contract_id: String,
    /// The new document, as an object. Default: what is recorded about the contract.
    new_spec: Option<Map<String, Value>>,
}

fn check_breaking_changes(call: &Call<'_>, asked: &CheckBreakingChanges) -> Result<Given, Refusal> {
    let new = asked.new_spec.clone().map(Value::Object);
    given(call.place.registry(|it| it.breaking_changes(&asked.contract_id, new.as_ref()))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarkImplemented {
    /// Id of the contract.
    contract_id: String,
    /// Service that implements it.
    service_name: String,
    /// File or folder of its code, below the project's folder.
    evidence_path: String,
}

fn mark_implemented(call: &Call<'_>, asked: &MarkImplemented) -> Result<Given, Refusal> {
    let MarkImplemented { contract_id, service_name, evidence_path } = asked;
    given(call.place.registry(|it| it.mark_implemented(contract_id, service_name, evidence_path))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetUnimplemented {
    /// Contracts of this service only.
    service_name: Option<String>,
}

/// Contracts in one answer: a model reads them all.
const OPEN: usize = 200;

fn get_unimplemented(call: &Call<'_>, asked: &GetUnimplemented) -> Result<Given, Refusal> {
    let mut found = call.place.registry(|it| it.unimplemented(asked.service_name.as_deref()))?;
    let total = found.len();
    let more = format!("{OPEN} of {total} contracts; ask for one `service_name` at a time");
    found.truncate(OPEN);
    Ok(Given { more: (total > OPEN).then_some(more), ..given(found)? })
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

fn answer_report() -> Value {
    let violation = json!({
        "type": "object",
        "properties": {
            "field": { "type": "string" },
            "expected": { "type": "string" },
            "actual": { "type": "string" },
        },
        "required": ["field", "expected", "actual"],
    });
    json!({
        "type": "object",
        "properties": { "valid": { "type": "boolean" }, "violations": { "type": "array", "items": violation } },
        "required": ["valid", "violations"],
    })
}

fn changes() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "change": { "type": "string" },
            "severity": { "type": "string", "enum": ["error", "warning", "info"] },
            "affected_consumers": texts(),
            "path": { "type": "string", "description": "JSON pointer." },
            "old_value": {},
            "new_value": {},
            "message": { "type": "string" },
        },
        "required": ["change", "severity", "affected_consumers", "path", "old_value", "new_value"],
    } })
}

fn marked() -> Value {
    json!({
        "type": "object",
        "properties": {
            "marked": { "type": "boolean" },
            "total": { "type": "integer", "description": "Implementations of this contract." },
            "all_implemented": { "type": "boolean" },
            "reasons": texts(),
            "findings": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["marked", "total", "all_implemented"],
    })
}

fn unimplemented() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "type": { "type": "string", "enum": ["openapi", "asyncapi", "json_schema"] },
            "expected_service": { "type": "string" },
            "version": { "type": "string" },
            "status": { "type": "string" },
            "reasons": texts(),
        },
        "required": ["id", "type", "expected_service", "version", "status"],
    } })
}
