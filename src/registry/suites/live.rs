//! The same requests, for whoever asks a running service by itself.

use serde_json::Value;

use super::{base, of_operations, requests};
use crate::registry::answer::{self, AnswerError};
use crate::registry::contract::SpecKind;
use crate::registry::{RegistryError, scanned};

/// A request that a contract allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// `GET /users/{id}`
    pub operation: String,
    pub method: String,
    /// Path and query below the address of the service, base path included.
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    /// All that it sends is given by the contract, so that nothing but success keeps it.
    pub must_succeed: bool,
}

/// What can be asked by a contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    /// A request for each operation.
    pub asked: Vec<Question>,
    /// Operations that none could be made up for, each with the reason.
    pub skipped: Vec<(String, String)>,
}

/// What can be asked by a contract.
///
/// # Errors
/// `invalid`: a document that has no operations, or that cannot be read.
pub fn questions(spec: &Value) -> Result<Questions, RegistryError> {
    let suite = of_operations(spec)?;
    // The address is the caller's; the path below it is the contract's.
    let declared = scanned::declared(SpecKind::Openapi, spec);
    let whole = base(spec, &declared.base_paths);
    let below = whole.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| rest[at..].to_owned()));
    let below = below.unwrap_or_default();
    let question = |it: requests::Request| Question {
        operation: it.operation,
        method: it.method,
        url: format!("{below}{}", it.url),
        headers: it.headers.into_iter().collect(),
        body: it.body,
        must_succeed: it.must_succeed,
    };
    Ok(Questions { asked: suite.allowed.into_iter().map(question).collect(), skipped: suite.skipped })
}

/// What an answer has otherwise than the contract promises, a line each; none where it is kept. `body` is the text that was
/// sent.
pub fn otherwise(spec: &Value, question: &Question, status: u16, body: &str) -> Vec<String> {
    if question.must_succeed && !(200..300).contains(&status) {
        return vec![format!("answered with {status}, and the contract's own examples were sent")];
    }
    let Some((method, path)) = question.operation.split_once(' ') else { return Vec::new() };
    let value = if body.trim().is_empty() {
        Value::Null
    } else {
        // A text that is no JSON is held against the schema as a text.
        serde_json::from_str(body).unwrap_or_else(|_| Value::from(body))
    };
    match answer::check(spec, method, path, status, &value) {
        Ok(report) => report
            .violations
            .iter()
            .map(|it| format!("{}: {} expected, {} answered", it.field, it.expected, it.actual))
            .collect(),
        Err(AnswerError::UndeclaredStatus { status, .. }) => vec![format!("{status} is none of the declared answers")],
        Err(error) => vec![error.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_are_held_against_the_contract() {
        let spec = json!({
            "openapi": "3.0.3",
            "info": {"title": "Notes", "version": "1"},
            "servers": [{"url": "https://example.com/v1"}],
            "paths": {"/notes/{id}": {"get": {
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
                "responses": {
                    "200": {"description": "ok", "content": {"application/json": {"schema": {
                        "type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}},
                    "404": {"description": "none"},
                },
            }}},
        });
        let Questions { asked, skipped } = questions(&spec).expect("a contract");
        assert!(skipped.is_empty());
        let [question] = asked.as_slice() else { panic!("{asked:?}") };
        assert!(question.url.starts_with("/v1/notes/"), "{}", question.url);
        let said = |status, body| otherwise(&spec, question, status, body);
        assert_eq!(said(200, "{\"id\": 7}"), [""; 0]);
        assert_eq!(said(404, ""), [""; 0]);
        assert!(said(200, "{}")[0].starts_with("id: "), "{:?}", said(200, "{}"));
        assert_eq!(said(500, "no"), ["500 is none of the declared answers"]);
        assert_eq!(said(200, "sorry").len(), 1);
    }
}
