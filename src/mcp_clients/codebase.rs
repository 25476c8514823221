//! A codebase index: symbols, who uses them, what depends on what, and search.

use std::time::Duration;

use serde_json::{Value, json};

use super::answers::{Caller, DeadSymbol, Dependencies, Hit, Interface, Place, Registered};
use super::{Answer, Client};

/// Asks a codebase index.
pub struct CodebaseClient(pub Client);

/// Within which a file is registered: nobody waits longer for it, nor asks twice.
const REGISTER: Duration = Duration::from_secs(5);

/// The members of `arguments` and those that are given.
fn with(mut arguments: Value, optional: &[(&str, Option<&str>)]) -> Value {
    for (name, value) in optional {
        if let Some(value) = value {
            arguments[*name] = (*value).into();
        }
    }
    arguments
}

impl CodebaseClient {
    /// Where a symbol is declared; none where nothing is called so. Default: none.
    pub fn find_definition(&mut self, symbol: &str, language: Option<&str>) -> Answer<Option<Place>> {
        let arguments = with(json!({ "symbol": symbol }), &[("language", language)]);
        Answer::or(self.0.ask("find_definition", &arguments), |_| None)
    }

    /// Places that use a symbol. Default: none.
    pub fn find_callers(&mut self, symbol: &str, most: u32) -> Answer<Vec<Caller>> {
        Answer::or(self.0.ask("find_callers", &json!({ "symbol": symbol, "max_results": most })), |_| Vec::new())
    }

    /// What a file depends on, and what on it. Default: nothing.
    pub fn find_dependencies(&mut self, file: &str) -> Answer<Dependencies> {
        Answer::or(self.0.ask("find_dependencies", &json!({ "file_path": file })), |_| Dependencies::default())
    }

    /// Code that says most of what is asked. Default: none.
    pub fn search_semantic(
        &mut self,
        query: &str,
        language: Option<&str>,
        service: Option<&str>,
        most: u32,
    ) -> Answer<Vec<Hit>> {
        let arguments = json!({ "query": query, "n_results": most });
        let arguments = with(arguments, &[("language", language), ("service_name", service)]);
        Answer::or(self.0.ask("search_semantic", &arguments), |_| Vec::new())
    }

    /// What a service offers. Default: nothing.
    pub fn get_service_interface(&mut self, service: &str) -> Answer<Interface> {
        let arguments = json!({ "service_name": service });
        Answer::or(self.0.ask("get_service_interface", &arguments), |_| Interface::default())
    }

    /// Code that nobody uses, of all services or of one. Default: none.
    pub fn check_dead_code(&mut self, service: Option<&str>) -> Answer<Vec<DeadSymbol>> {
        Answer::or(self.0.ask("check_dead_code", &with(json!({}), &[("service_name", service)])), |_| Vec::new())
    }

    /// Notes that a file belongs to a service. Default: it is not indexed.
    pub fn register_artifact(&mut self, file: &str, service: &str) -> Answer<Registered> {
        let arguments = json!({ "file_path": file, "service_name": service });
        Answer::or(self.0.ask_once("register_artifact", &arguments, REGISTER), |_| Registered::default())
    }
}
