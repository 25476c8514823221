//! A contract engine: documents of services, whether they are kept, and by whom.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answers::{AnswerCheck, ContractEntry, ContractPage, DocumentCheck, Marked, OpenContract, SpecChange};
use super::{Answer, Client};
use crate::registry::{AnswerQuestion, NewContract, SpecKind, TestFramework};

/// Asks a contract engine.
pub struct ContractClient(pub Client);

/// Which contracts are listed.
#[derive(Clone, Debug, Default)]
pub struct ContractFilter {
    pub service_name: Option<String>,
    pub kind: Option<SpecKind>,
    /// From 1; none for the first.
    pub page: Option<u32>,
    /// 1 to 100.
    pub page_size: Option<u32>,
}

/// A contract with its document.
#[derive(Deserialize)]
struct Whole {
    #[serde(flatten)]
    entry: ContractEntry,
    spec: Map<String, Value>,
}

/// Arguments without those that are not given: absent and `null` mean the same, and not every server knows so.
fn given(arguments: Value) -> Value {
    let Value::Object(mut arguments) = arguments else { return arguments };
    arguments.retain(|_, it| !it.is_null());
    Value::Object(arguments)
}

impl ContractClient {
    /// Registers a contract: its entry. Default: none.
    pub fn create_contract(&mut self, new: &NewContract) -> Answer<Option<ContractEntry>> {
        let NewContract { service_name, kind, version, spec, build_cycle_id } = new;
        let arguments = given(json!({
            "service_name": service_name,
            "type": kind.name(),
            "version": version,
            "spec": spec,
            "build_cycle_id": build_cycle_id,
        }));
        Answer::or(self.0.ask("create_contract", &arguments).map(Some), |_| None)
    }

    /// Whether a document is valid. Default: it is not known to be, with the reason among the errors.
    pub fn validate_spec(&mut self, spec: &Value, kind: SpecKind) -> Answer<DocumentCheck> {
        let arguments = json!({ "spec": spec, "type": kind.name() });
        Answer::or(self.0.ask("validate_spec", &arguments), |why| DocumentCheck {
            errors: vec![why.to_owned()],
            ..DocumentCheck::default()
        })
    }

    /// Contracts without their documents, one page of them. Default: an empty page.
    pub fn list_contracts(&mut self, filter: &ContractFilter) -> Answer<ContractPage> {
        let ContractFilter { service_name, kind, page, page_size } = filter;
        let kind = kind.map(SpecKind::name);
        let arguments =
            given(json!({ "service_name": service_name, "type": kind, "page": page, "page_size": page_size }));
        Answer::or(self.0.ask("list_contracts", &arguments), |_| ContractPage::default())
    }

    /// A contract and its document; none where no contract has this id. Default: none.
    pub fn get_contract(&mut self, id: &str) -> Answer<Option<(ContractEntry, Value)>> {
        let whole: Result<Option<Whole>, String> = self.0.ask("get_contract", &json!({ "contract_id": id }));
        Answer::or(whole.map(|it| it.map(|it| (it.entry, Value::Object(it.spec)))), |_| None)
    }

    /// Holds an answer of a service against its contract. Default: invalid, without violations, with the reason as `error`.
    pub fn validate_endpoint(&mut self, question: &AnswerQuestion) -> Answer<AnswerCheck> {
        let AnswerQuestion { service_name, method, path, status_code, response_body } = question;
        let arguments = json!({
            "service_name": service_name,
            "method": method,
            "path": path,
            "response_body": response_body,
            "status_code": status_code,
        });
        Answer::or(self.0.ask("validate_endpoint", &arguments), |why| AnswerCheck {
            error: why.to_owned(),
            ..AnswerCheck::default()
        })
    }

    /// The source of tests of a contract. Default: empty.
    pub fn generate_tests(&mut self, id: &str, framework: TestFramework, negative: bool) -> Answer<String> {
        let arguments = json!({ "contract_id": id, "framework": framework.name(), "include_negative": negative });
        Answer::or(self.0.text("generate_tests", &arguments), |_| String::new())
    }

    /// What a new document in the place of a contract would break; without one, what the contract broke. Default: nothing.
    pub fn check_breaking_changes(&mut self, id: &str, new_spec: Option<&Value>) -> Answer<Vec<SpecChange>> {
        let arguments = given(json!({ "contract_id": id, "new_spec": new_spec }));
        Answer::or(self.0.ask("check_breaking_changes", &arguments), |_| Vec::new())
    }

    /// Notes that code implements a contract. Default: not noted.
    pub fn mark_implemented(&mut self, id: &str, service: &str, evidence: &str) -> Answer<Marked> {
        let arguments = json!({ "contract_id": id, "service_name": service, "evidence_path": evidence });
        Answer::or(self.0.ask("mark_implemented", &arguments), |_| Marked::default())
    }

    /// Contracts that are not implemented, of all services or of one. Default: none.
    pub fn get_unimplemented_contracts(&mut self, service: Option<&str>) -> Answer<Vec<OpenContract>> {
        let arguments = given(json!({ "service_name": service }));
        Answer::or(self.0.ask("get_unimplemented_contracts", &arguments), |_| Vec::new())
    }
}
