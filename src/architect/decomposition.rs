//! What a requirements document comes apart into. Its JSON is what clients get; what an architect elsewhere does not tell has a
//! default.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decomposition {
    pub service_map: ServiceMap,
    pub domain_model: DomainModel,
    pub contract_stubs: Vec<Stub>,
    /// Each begins with `ERROR` or `WARNING`.
    pub validation_issues: Vec<String>,
    /// What the text leaves open.
    pub interview_questions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceMap {
    pub project_name: String,
    /// At least one.
    pub services: Vec<Service>,
    /// When it was kept, RFC 3339; a decomposition by itself knows no time.
    pub generated_at: Option<String>,
    /// SHA-256 of the text, in hexadecimal.
    #[serde(default)]
    pub prd_hash: String,
    pub build_cycle_id: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Service {
    /// `order-service`
    pub name: String,
    pub domain: String,
    #[serde(default)]
    pub description: String,
    pub stack: Stack,
    /// A rough size, from what it owns and offers.
    pub estimated_loc: u32,
    #[serde(default)]
    pub owns_entities: Vec<String>,
    #[serde(default)]
    pub provides_contracts: Vec<String>,
    #[serde(default)]
    pub consumes_contracts: Vec<String>,
    #[serde(default)]
    pub is_frontend: bool,
    /// The text names no service: this one stands for the whole product.
    #[serde(default)]
    pub assumed: bool,
    /// Line of the text; 0 for one that is assumed.
    #[serde(default)]
    pub line: u32,
}

/// What a service is built with, where the text says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    pub language: Option<String>,
    pub framework: Option<String>,
    pub database: Option<String>,
    pub message_broker: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DomainModel {
    pub entities: Vec<Entity>,
    pub relationships: Vec<Relationship>,
    /// Those of the entities once more, by entity.
    #[serde(default)]
    pub state_machines: IndexMap<String, StateMachine>,
    #[serde(default)]
    pub events: Vec<DomainEvent>,
    pub generated_at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// None where the text does not say and several services could.
    pub owning_service: Option<String>,
    pub fields: Vec<Field>,
    pub state_machine: Option<StateMachine>,
    /// Only what is done to it makes it a thing: the text describes it nowhere.
    #[serde(default)]
    pub inferred: bool,
    #[serde(default)]
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    /// As written; `unknown` where the text does not say.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the text says that it must be there.
    pub required: bool,
    #[serde(default)]
    pub description: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateMachine {
    /// At least two.
    pub states: Vec<String>,
    /// Empty where the text does not tell it.
    #[serde(default)]
    pub initial_state: String,
    #[serde(default)]
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    pub from_state: String,
    pub to_state: String,
    #[serde(default)]
    pub trigger: String,
    pub guard: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relationship {
    pub source_entity: String,
    pub target_entity: String,
    /// `OWNS`, `HAS_MANY`, `BELONGS_TO`, `REFERENCES`, `TRIGGERS`, `EXTENDS`, `DEPENDS_ON`
    #[serde(rename = "type")]
    pub kind: String,
    /// `1:1`, `1:N`, `N:1`, `N:N`, from source to target.
    pub cardinality: String,
    #[serde(default)]
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DomainEvent {
    pub name: String,
    #[serde(default)]
    pub description: String,
    pub publishers: Vec<String>,
    pub consumers: Vec<String>,
    #[serde(default)]
    pub line: u32,
}

/// A contract to begin with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stub {
    /// `openapi` or `asyncapi`
    #[serde(rename = "type")]
    pub kind: String,
    /// The service that provides it.
    pub service_id: String,
    /// OpenAPI 3.1 or AsyncAPI 3.0.
    pub spec: Value,
}
