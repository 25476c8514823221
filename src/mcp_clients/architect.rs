//! An architect: what a requirements text asks for.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Client};
use crate::architect::{Decomposition, DomainModel, ServiceMap};

/// Asks an architect.
pub struct ArchitectClient(pub Client);

/// A contract that a service provides or consumes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ServiceContract {
    pub id: String,
    /// `provider` or `consumer`
    pub role: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub counterparty: String,
    #[serde(default)]
    pub summary: String,
}

impl ArchitectClient {
    /// Takes a requirements text apart. Default: none.
    pub fn decompose(&mut self, text: &str) -> Answer<Option<Decomposition>> {
        let answered = self.0.ask("decompose", &json!({ "prd_text": text }));
        Answer::or(answered.and_then(decomposition).map(Some), |_| None)
    }

    /// The services of the text that was taken apart last. Default: none.
    pub fn get_service_map(&mut self) -> Answer<Option<ServiceMap>> {
        Answer::or(self.0.ask("get_service_map", &json!({})).map(Some), |_| None)
    }

    /// The entities of the text that was taken apart last. Default: none.
    pub fn get_domain_model(&mut self) -> Answer<Option<DomainModel>> {
        Answer::or(self.0.ask("get_domain_model", &json!({})).map(Some), |_| None)
    }

    /// The contracts that a service provides or consumes. Default: none.
    pub fn get_contracts_for_service(&mut self, service: &str) -> Answer<Vec<ServiceContract>> {
        let arguments = json!({ "service_name": service });
        Answer::or(self.0.ask("get_contracts_for_service", &arguments), |_| Vec::new())
    }
}

/// A decomposition as we know it: older architects write the document of a stub beside its type and service.
///
/// # Errors
/// What is missing, or that there is no service.
pub(super) fn decomposition(mut answer: Value) -> Result<Decomposition, String> {
    for stub in answer.get_mut("contract_stubs").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(stub) = stub
            && !stub.contains_key("spec")
        {
            let mut spec = stub.clone();
            spec.remove("service_id");
            let kind = spec.remove("type");
            *stub = [
                ("type".to_owned(), kind.unwrap_or_default()),
                ("service_id".to_owned(), stub.get("service_id").cloned().unwrap_or_default()),
                ("spec".to_owned(), Value::Object(spec)),
            ]
            .into_iter()
            .collect();
        }
    }
    let failed = |why: String| format!("`decompose` of the architect: the answer is not what it should be: {why}");
    let read: Decomposition = serde_json::from_value(answer).map_err(|error| failed(error.to_string()))?;
    if read.service_map.services.is_empty() {
        return Err(failed("it has no services".to_owned()));
    }
    // Folders and files are called after services: a name must not lead elsewhere, and means one service.
    let mut names: Vec<&str> = Vec::new();
    for service in &read.service_map.services {
        if !is_name(&service.name) || names.contains(&service.name.as_str()) {
            return Err(failed(format!("`{}` is no name of a service, or of several", service.name)));
        }
        names.push(&service.name);
    }
    if let Some(stub) = read.contract_stubs.iter().find(|it| !names.contains(&it.service_id.as_str())) {
        return Err(failed(format!("a contract is of `{}`, which is no service", stub.service_id)));
    }
    Ok(read)
}

/// `order-service`: letters and digits of any script, and what may stand between them.
fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphanumeric) && name.chars().all(|it| it.is_alphanumeric() || "-_.".contains(it))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::decomposition;

    #[test]
    fn a_stub_may_have_its_document_beside_its_type() {
        let stack = json!({ "language": "Python", "framework": null });
        let service = json!({ "name": "books", "domain": "books", "stack": stack, "estimated_loc": 100 });
        let entity = json!({ "name": "Book", "fields": [{ "name": "id", "type": "uuid", "required": true }] });
        let paths = json!({ "/books": {} });
        let answer = json!({
            "service_map": { "project_name": "Library", "services": [service], "prd_hash": "0" },
            "domain_model": { "entities": [entity], "relationships": [] },
            "contract_stubs": [{ "type": "openapi", "service_id": "books", "openapi": "3.1.0", "paths": paths }],
            "validation_issues": [],
            "interview_questions": [],
        });
        let read = decomposition(answer.clone()).expect("as older architects answer");
        assert_eq!(read.contract_stubs[0].spec, json!({ "openapi": "3.1.0", "paths": paths }));
        assert_eq!(read.contract_stubs[0].service_id, "books");
        for name in ["../elsewhere", "", "a/b", "-x"] {
            let mut odd = answer.clone();
            odd["service_map"]["services"][0]["name"] = json!(name);
            assert!(decomposition(odd).expect_err(name).contains("no name of a service"));
        }
        let mut other = answer.clone();
        other["contract_stubs"][0]["service_id"] = json!("../films");
        assert!(decomposition(other).expect_err("no such service").contains("which is no service"));
        let mut twice = answer.clone();
        twice["service_map"]["services"] = json!([service, service]);
        assert!(decomposition(twice).expect_err("one name").contains("of several"));
        let mut without = answer;
        without["service_map"]["services"] = json!([]);
        assert!(decomposition(without).expect_err("no service").contains("no services"));
        for other in [json!({ "services": [] }), json!([1]), json!("no"), json!(null)] {
            assert!(decomposition(other).is_err());
        }
    }
}
