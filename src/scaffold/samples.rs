//! Values that a contract's schemas let through.

use serde_json::{Value, json};

use crate::registry::answer::schema_at;
use crate::registry::samples::Sampler;

/// Makes values for the schemas of one document.
#[derive(Clone, Copy)]
pub(super) struct Samples<'d> {
    pub(super) document: &'d Value,
}

impl<'d> Samples<'d> {
    pub(super) fn follow(self, value: &'d Value) -> &'d Value {
        Sampler::of_requests(self.document).follow(value)
    }

    /// What a client may send for the schema at a JSON pointer.
    pub(super) fn taken(self, pointer: &str) -> Option<Value> {
        self.valid(pointer, Sampler::of_requests(self.document))
    }

    /// What a service may answer, with texts for people where they are meant for people.
    pub(super) fn given(self, pointer: &str) -> Option<Value> {
        self.valid(pointer, Sampler::of_answers(self.document))
    }

    fn valid(self, pointer: &str, sampler: Sampler<'d>) -> Option<Value> {
        let schema = self.document.pointer(pointer).filter(|it| it.is_object() || it.is_boolean())?;
        // In 2.0, a parameter is its own schema, and where nothing is said, anything goes.
        let standing = schema_at(self.document, pointer).ok()?;
        let validator = jsonschema::validator_for(&standing).ok()?;
        [sampler, sampler.without_examples()]
            .into_iter()
            .filter_map(|it| Some(it.sample(schema)?.value))
            .find(|value| validator.is_valid(value))
    }

    /// An error's sample that says what happened.
    pub(super) fn worded(self, pointer: &str, sample: Value, status: u16, code: &str, words: &str) -> Value {
        let Value::Object(members) = &sample else { return sample };
        let mut worded = members.clone();
        for (name, value) in &mut worded {
            if value.is_number() && matches!(name.as_str(), "status" | "statusCode" | "code") && status > 0 {
                *value = json!(status);
            }
            if !value.is_string() {
                continue;
            }
            match name.as_str() {
                "message" | "detail" | "description" | "error_description" | "title" | "error" => *value = json!(words),
                "code" => *value = json!(code),
                _ => {}
            }
        }
        let worded = Value::Object(worded);
        let standing = schema_at(self.document, pointer).ok();
        let validator = standing.and_then(|it| jsonschema::validator_for(&it).ok());
        if validator.is_some_and(|it| it.is_valid(&worded)) { worded } else { sample }
    }
}
