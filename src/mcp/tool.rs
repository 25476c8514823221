//! One tool: what clients are told about it, and what a call of it does.

use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use rmcp::model::{JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments;
use super::workplace::Workplace;
use crate::scan;

/// What a running call may use.
pub(super) struct Call<'c> {
    pub(super) place: &'c Workplace,
    pub(super) progress: &'c (dyn Fn(Progress) + Sync),
}

/// How far a long call is.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) done: u32,
    pub(super) total: Option<u32>,
    pub(super) what: String,
}

/// Progress of the libraries, told to the client.
pub(super) struct Told<'t, 'c>(pub(super) &'t Call<'c>);

impl scan::Progress for Told<'_, '_> {
    fn tick(&self, stage: &'static str, done: usize, total: usize) {
        (self.0.progress)(Progress { done: done as u32, total: Some(total as u32), what: stage.to_owned() });
    }
}

/// What a call gives: a value, and what is to be known about it.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) value: Value,
    /// What was left out, and how to get it.
    pub(super) more: Option<String>,
}

/// Why a call gives nothing, in words for a model: clients show this text and nothing else.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: &'static str,
    /// What is wrong, and the next step.
    pub(super) message: String,
}

impl Refusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.message)
    }
}

/// The form of an answer. The first text block is what older clients parse.
pub(super) enum Output {
    /// An object of this schema, in the text and as structured content.
    Object(Value),
    /// A list, or something or `null`, of this schema: bare in the text, `{result}` as structured content, which has to
    /// be an object.
    Wrapped(Value),
    /// The text itself.
    Text,
    /// An object whose `text` is for the model: alone as text, and with the rest as structured content, since clients show
    /// only one of the two.
    Told,
}

/// What a call leaves behind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing, but for what treaty keeps to answer faster.
    Reads,
    /// Something that was not there before; nothing when repeated.
    Adds,
    /// May take the place of what was there; nothing when repeated.
    Replaces,
}

type Run = Box<dyn Fn(&Call<'_>, JsonObject) -> Result<Given, Refusal> + Send + Sync>;

pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) effect: Effect,
    pub(super) output: Output,
    input: Arc<JsonObject>,
    validator: OnceLock<Option<Validator>>,
    /// Other names of parameters that old clients use; an empty one is ignored.
    others: &'static [(&'static str, &'static str)],
    run: Run,
}

impl Tool {
    /// A tool with the parameters `P`, whose documentation and schema are what clients see.
    pub(super) fn new<P: DeserializeOwned + JsonSchema + 'static>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        (effect, output): (Effect, Output),
        run: fn(&Call<'_>, &P) -> Result<Given, Refusal>,
    ) -> Tool {
        let run = move |call: &Call<'_>, given: JsonObject| {
            let parameters: P = serde_json::from_value(Value::Object(given))
                .map_err(|error| Refusal::new("invalid_arguments", error.to_string()))?;
            run(call, &parameters)
        };
        let input =
            Arc::new(arguments::schema(SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<P>()));
        Tool {
            name,
            title,
            description,
            effect,
            output,
            input,
            validator: OnceLock::new(),
            others: &[],
            run: Box::new(run),
        }
    }

    /// The same tool, which takes further names of its parameters.
    pub(super) fn also_taking(mut self, others: &'static [(&'static str, &'static str)]) -> Tool {
        self.others = others;
        self
    }

    /// Runs a call.
    ///
    /// # Errors
    /// Arguments that do not fit, and what the library refuses.
    pub(super) fn call(&self, call: &Call<'_>, given: JsonObject) -> Result<Given, Refusal> {
        let given = arguments::known_by(given, self.others);
        let validator =
            self.validator.get_or_init(|| jsonschema::validator_for(&Value::Object((*self.input).clone())).ok());
        arguments::check(validator.as_ref(), &self.input, &given)?;
        (self.run)(call, given)
    }

    /// As clients are told.
    pub(super) fn described(&self) -> rmcp::model::Tool {
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == Effect::Reads)
            .destructive(self.effect == Effect::Replaces)
            .idempotent(true)
            .open_world(false);
        let tool = rmcp::model::Tool::new(self.name, self.description, self.input.clone())
            .with_title(self.title)
            .with_annotations(annotations);
        match self.output.schema() {
            Some(schema) => tool.with_raw_output_schema(Arc::new(schema)),
            None => tool,
        }
    }
}

impl Output {
    fn schema(&self) -> Option<JsonObject> {
        let schema = match self {
            Output::Text => return None,
            Output::Told => serde_json::json!({
                "type": "object",
                "properties": { "text": { "type": "string", "description": "What happened, and what to do next." } },
                "required": ["text"],
            }),
            Output::Object(schema) => schema.clone(),
            Output::Wrapped(schema) => serde_json::json!({
                "type": "object",
                "properties": {
                    "result": schema,
                    "more": { "type": "string", "description": "What was left out, and how to get it." },
                },
                "required": ["result"],
            }),
        };
        match schema {
            Value::Object(schema) => Some(schema),
            _ => None,
        }
    }
}

/// A result of a library, whose JSON is the protocol.
pub(super) fn given(value: impl Serialize) -> Result<Given, Refusal> {
    let value = serde_json::to_value(value).map_err(|error| Refusal::new("internal", error.to_string()))?;
    Ok(Given { value, more: None })
}
