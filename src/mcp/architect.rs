//! The architect as tools.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::remote;
use super::tool::{Call, Effect, Given, Output, Refusal, Tool, given};
use crate::architect;

pub(super) const INSTRUCTIONS: &str = "\
What a requirements text asks for: services, entities, contracts between them, and questions that the text leaves open. \
`decompose` the text first; `get_service_map` and `get_domain_model` answer from what it kept, `get_contracts_for_service` \
from the contracts that are registered.";

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "decompose",
            "Take requirements apart",
            "Reads a requirements text (Markdown, any style) and gives the services, entities, relationships and state \
             machines it speaks of, contract stubs to begin with, and questions that it leaves open. Nothing is invented. \
             The result is kept for the other tools, in the place of the one before.",
            (Effect::Replaces, Output::Object(decomposition())),
            decompose,
        ),
        Tool::new(
            "get_service_map",
            "Services of the requirements",
            "The services of the text that was decomposed last.",
            (Effect::Reads, Output::Object(service_map())),
            get_service_map,
        ),
        Tool::new(
            "get_domain_model",
            "Entities of the requirements",
            "Entities, relationships and state machines of the text that was decomposed last.",
            (Effect::Reads, Output::Object(domain_model())),
            get_domain_model,
        ),
        Tool::new(
            "get_contracts_for_service",
            "Contracts of a service",
            "The registered contracts that a service provides or consumes.",
            (Effect::Reads, Output::Wrapped(contracts())),
            get_contracts_for_service,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Decompose {
    /// The requirements text itself.
    prd_text: String,
}

fn decompose(call: &Call<'_>, asked: &Decompose) -> Result<Given, Refusal> {
    if asked.prd_text.trim().is_empty() {
        return Err(Refusal::new("invalid", "`prd_text` is empty; give the requirements text itself"));
    }
    let mut found = architect::decompose(&asked.prd_text);
    call.place.architect(|it| it.keep(&mut found))?;
    given(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfProject {
    /// Name of the project, where several were decomposed. Default: the last one.
    project_name: Option<String>,
}

fn get_service_map(call: &Call<'_>, asked: &OfProject) -> Result<Given, Refusal> {
    given(call.place.architect(|it| it.service_map(asked.project_name.as_deref()))?)
}

fn get_domain_model(call: &Call<'_>, asked: &OfProject) -> Result<Given, Refusal> {
    given(call.place.architect(|it| it.domain_model(asked.project_name.as_deref()))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Contracts {
    /// Name of the service.
    service_name: String,
}

fn get_contracts_for_service(call: &Call<'_>, asked: &Contracts) -> Result<Given, Refusal> {
    let Contracts { service_name } = asked;
    let other = call.place.options.contract_engine.as_deref();
    let failed = match other.map(|engine| remote::contracts(engine, service_name)) {
        Some(Ok(found)) => return given(found),
        Some(Err(why)) => Some(format!("from the local registry, since CONTRACT_ENGINE_URL could not be used ({why})")),
        None => None,
    };
    let mut found = call.place.registry(|it| it.of_service(service_name))?;
    if let Some(why) = &failed {
        found.iter_mut().for_each(|contract| contract.summary = format!("{}; {why}", contract.summary));
    }
    Ok(Given { more: failed, ..given(found)? })
}

fn service_map() -> Value {
    let service = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "domain": { "type": "string" },
            "description": { "type": "string" },
            "stack": { "type": "object" },
            "estimated_loc": { "type": "integer" },
            "owns_entities": { "type": "array", "items": { "type": "string" } },
            "provides_contracts": { "type": "array", "items": { "type": "string" } },
            "consumes_contracts": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["name", "domain", "stack", "estimated_loc"],
    });
    json!({
        "type": "object",
        "properties": {
            "project_name": { "type": "string" },
            "services": { "type": "array", "items": service },
            "prd_hash": { "type": "string" },
        },
        "required": ["services"],
    })
}

fn domain_model() -> Value {
    let field = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "type": { "type": "string" },
            "required": { "type": "boolean" },
            "description": { "type": "string" },
        },
        "required": ["name", "type", "required"],
    });
    let entity = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "description": { "type": "string" },
            "owning_service": { "type": ["string", "null"] },
            "fields": { "type": "array", "items": field },
            "state_machine": { "type": ["object", "null"] },
        },
        "required": ["name", "fields"],
    });
    let relationship = json!({
        "type": "object",
        "properties": {
            "source_entity": { "type": "string" },
            "target_entity": { "type": "string" },
            "type": { "type": "string" },
            "cardinality": { "type": "string" },
        },
        "required": ["source_entity", "target_entity", "type", "cardinality"],
    });
    json!({
        "type": "object",
        "properties": {
            "entities": { "type": "array", "items": entity },
            "relationships": { "type": "array", "items": relationship },
            "state_machines": { "type": "object", "description": "Those of the entities, by entity." },
        },
        "required": ["entities", "relationships", "state_machines"],
    })
}

fn decomposition() -> Value {
    let stub = json!({
        "type": "object",
        "properties": {
            "type": { "type": "string" },
            "service_id": { "type": "string" },
            "spec": { "type": "object", "description": "An OpenAPI or AsyncAPI document." },
        },
        "required": ["type", "service_id", "spec"],
    });
    json!({
        "type": "object",
        "properties": {
            "service_map": service_map(),
            "domain_model": domain_model(),
            "contract_stubs": { "type": "array", "items": stub },
            "validation_issues": { "type": "array", "items": { "type": "string" } },
            "interview_questions": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["service_map", "domain_model", "contract_stubs", "validation_issues", "interview_questions"],
    })
}

fn contracts() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "role": { "type": "string", "enum": ["provider", "consumer"] },
            "type": { "type": "string", "enum": ["openapi", "asyncapi", "json_schema"] },
            "counterparty": { "type": "string", "description": "Who is at the other end." },
            "summary": { "type": "string" },
        },
        "required": ["id", "role", "type", "counterparty", "summary"],
    } })
}
