//! Whether what a service answered is what the contract promises: the operation is found by method and path, the response
//! by the status code, and the body is held against its schema by JSON Schema's own rules.

mod discriminator;
mod document;
mod lower;
mod operation;
mod path;
mod violation;

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use jsonschema::{Draft, Retrieve, Uri, ValidationOptions};
use serde::Serialize;
use serde_json::Value;

use document::Place;
use operation::Promised;

/// What is wrong with an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnswerReport {
    pub valid: bool,
    pub violations: Vec<Violation>,
}

/// One thing that the contract says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    /// The member that it is about, `lines[1].price`; `$` for the whole body.
    pub field: String,
    /// What the contract says: `integer`, `at most 10`, `required`.
    pub expected: String,
    /// What was answered: `string "7"`, `missing`.
    pub actual: String,
}

/// Why nothing can be said of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("the contract has no operation `{asked}`; {next}")]
    UnknownOperation { asked: String, next: String },
    #[error("`{operation}` declares no answer with status {status}; {next}")]
    UndeclaredStatus { operation: String, status: u16, next: String },
    #[error("{what}; {next}")]
    Unsupported { what: String, next: String },
    #[error("the contract cannot be read: {reason}; correct it (`validate_spec` lists what is wrong), and ask again")]
    Malformed { reason: String },
}

impl AnswerError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            AnswerError::UnknownOperation { .. } => "unknown_operation",
            AnswerError::UndeclaredStatus { .. } => "undeclared_status",
            AnswerError::Unsupported { .. } => "unsupported",
            AnswerError::Malformed { .. } => "invalid",
        }
    }

    fn malformed(reason: impl Into<String>) -> Self {
        AnswerError::Malformed { reason: reason.into() }
    }
}

/// Holds `body` against what `spec` promises of the answer to `method` and `path` with `status`. An OpenAPI document says
/// it by its responses (an exact status, else a range, else `default`); a JSON Schema is itself what is promised, whatever
/// the operation.
///
/// # Errors
/// An operation or a status that the document does not have, with the nearest that it has; a document that cannot be read,
/// or that has no answers.
pub fn check(spec: &Value, method: &str, path: &str, status: u16, body: &Value) -> Result<AnswerReport, AnswerError> {
    if spec.get("asyncapi").is_some() {
        return Err(AnswerError::Unsupported {
            what: "an AsyncAPI document has messages and no answers".to_owned(),
            next: "name a service with a contract of type openapi".to_owned(),
        });
    }
    if spec.get("openapi").is_none() && spec.get("swagger").is_none() {
        return against_schema(spec, Shelf::default(), None, body);
    }
    let schema = match operation::promised(spec, method, path, status)? {
        Promised::Nothing if body.is_null() => return Ok(AnswerReport { valid: true, violations: Vec::new() }),
        Promised::Nothing => {
            let violation = Violation {
                field: violation::WHOLE.to_owned(),
                expected: "no body".to_owned(),
                actual: violation::shown(body),
            };
            return Ok(AnswerReport { valid: false, violations: vec![violation] });
        }
        Promised::Anything => return Ok(AnswerReport { valid: true, violations: Vec::new() }),
        Promised::Schema { pointer, is_stream } => lower::lower(&Place::root(spec), &pointer, is_stream)?,
    };
    against_schema(&schema, Shelf::default(), Some(Draft::Draft202012), body)
}

/// The schema of each declared answer of the operation at `pointer`, by status or range, standing by itself (2020-12).
///
/// # Errors
/// A document that cannot be read.
pub(super) fn response_schemas(spec: &Value, pointer: &str) -> Result<Vec<(String, Option<Value>)>, AnswerError> {
    let promised = operation::all_promised(spec, pointer)?.into_iter();
    let lowered = promised.map(|(status, promised)| match promised {
        Promised::Schema { pointer, is_stream: false } => Ok((status, Some(schema_at(spec, &pointer)?))),
        // Of a stream, a client sees no JSON.
        Promised::Schema { .. } | Promised::Nothing | Promised::Anything => Ok((status, None)),
    });
    lowered.collect()
}

/// A schema of an OpenAPI or AsyncAPI document, standing by itself (2020-12).
///
/// # Errors
/// A document that cannot be read.
pub(crate) fn schema_at(spec: &Value, pointer: &str) -> Result<Value, AnswerError> {
    lower::lower(&Place::root(spec), pointer, false)
}

/// Documents that a schema may refer to beside itself, by their addresses. Nothing is fetched.
#[derive(Clone, Debug, Default)]
struct Shelf(Arc<BTreeMap<String, Value>>);

impl Retrieve for Shelf {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let found = self.0.get(uri.as_str()).cloned();
        found.ok_or_else(|| "it is no part of the contract, and nothing is fetched".into())
    }
}

/// Holds a value against a schema. The dialect is `draft`, else the one that the schema states, else 2020-12. Formats
/// count, whatever the dialect: they are a promise, too.
fn against_schema(
    schema: &Value,
    shelf: Shelf,
    draft: Option<Draft>,
    value: &Value,
) -> Result<AnswerReport, AnswerError> {
    if !(schema.is_object() || schema.is_boolean()) {
        return Err(AnswerError::malformed("it is no object"));
    }
    if let Some(id) = claimed_twice(schema) {
        return Err(AnswerError::malformed(format!("two different schemas have the `$id` {id}")));
    }
    let validator = options(draft.unwrap_or_else(|| stated(schema))).with_retriever(shelf).build(schema);
    let validator = validator.map_err(|error| AnswerError::malformed(error.to_string()))?;
    let violations = violation::all(validator.iter_errors(value));
    Ok(AnswerReport { valid: violations.is_empty(), violations })
}

/// An address that two different schemas have, which is an error by JSON Schema 2020-12, section 8.2.1 of the core, and which
/// nobody can follow. Relative ones may mean different addresses and are let pass.
fn claimed_twice(schema: &Value) -> Option<&str> {
    let mut known: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut left = vec![schema];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => {
                let id = value.get("$id").and_then(Value::as_str).filter(|it| it.contains(':'));
                if let Some(id) = id
                    && known.insert(id, value).is_some_and(|other| other != value)
                {
                    return Some(id);
                }
                // What is a value, and no schema.
                let is_schema = |key: &str| !matches!(key, "enum" | "const" | "default" | "example" | "examples");
                left.extend(members.iter().filter(|it| is_schema(it.0)).map(|it| it.1));
            }
            _ => {}
        }
    }
    None
}

/// The dialect that a schema states. One that is not JSON Schema's own is read as the last.
fn stated(schema: &Value) -> Draft {
    let text = schema.get("$schema").and_then(Value::as_str).unwrap_or("");
    let known = [
        ("/draft-04/", Draft::Draft4),
        ("/draft-06/", Draft::Draft6),
        ("/draft-07/", Draft::Draft7),
        ("/draft/2019-09/", Draft::Draft201909),
    ];
    known.into_iter().find(|(name, _)| text.contains(name)).map_or(Draft::Draft202012, |(_, draft)| draft)
}

fn options<'r>(draft: Draft) -> ValidationOptions<'r> {
    jsonschema::options().with_draft(draft).offline().should_validate_formats(true).with_format("byte", is_base64)
}

/// RFC 4648, section 4; line breaks are let pass, as MIME has them.
fn is_base64(text: &str) -> bool {
    let text: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let digits = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')).count();
    text.len().is_multiple_of(4) && text.len() - digits <= 2 && text[digits..].iter().all(|byte| *byte == b'=')
}

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;
