//! One answer of a service against the contract that the service keeps.

use std::cmp::Reverse;

use serde_json::Value;

use super::answer::{self, AnswerError, AnswerReport};
use super::contract::{Entry, SpecKind};
use super::{Registry, RegistryError, rows};
use crate::config::nearest;

/// What was asked of a service, and what it answered.
#[derive(Clone, Debug)]
pub struct AnswerQuestion {
    pub service_name: String,
    pub method: String,
    /// `/users/42`, or as the contract writes it.
    pub path: String,
    pub status_code: u16,
    pub response_body: Value,
}

impl Registry {
    /// Holds an answer against the newest OpenAPI contract of the service that has the operation.
    ///
    /// # Errors
    /// `not_found`: a service without such a contract. Those of [`answer::check`]: an operation or a status that the
    /// contract does not have, with the nearest that it has.
    pub fn validate_endpoint(&self, question: &AnswerQuestion) -> Result<AnswerReport, RegistryError> {
        let AnswerQuestion { service_name, method, path, status_code, response_body } = question;
        let it = self.store.connection();
        let mut entries = rows::entries(it, Some(service_name))?;
        entries.retain(|entry| entry.kind == SpecKind::Openapi);
        entries.sort_by_key(|entry| Reverse(precedence(entry)));
        let mut first: Option<AnswerError> = None;
        for entry in &entries {
            let Some(contract) = rows::get(it, &entry.id)? else { continue };
            match answer::check(&contract.spec, method, path, *status_code, response_body) {
                Err(error @ AnswerError::UnknownOperation { .. }) => first = first.or(Some(error)),
                other => return Ok(other?),
            }
        }
        match first {
            Some(error) => Err(error.into()),
            None => Err(self.no_contract(service_name)?),
        }
    }

    /// What to say where a service has no OpenAPI contract: the name that was probably meant.
    fn no_contract(&self, service: &str) -> Result<RegistryError, RegistryError> {
        let known: Vec<Entry> = rows::entries(self.store.connection(), None)?;
        let openapi = known.iter().filter(|entry| entry.kind == SpecKind::Openapi);
        let mut names: Vec<&str> = openapi.map(|entry| entry.service_name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let next = match nearest(service, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => {
                "none is registered yet: `create_contract` (on the command line `treaty contract add`) does that"
                    .to_owned()
            }
            None => format!("services that have one: {}", names.join(", ")),
        };
        Ok(RegistryError::Unknown { what: format!("the service `{service}` has no contract of type openapi"), next })
    }
}

/// What makes one version newer than another: its numbers, then that it is no preview.
fn precedence(entry: &Entry) -> (Vec<u64>, bool, String) {
    let (numbers, label) = entry.version.split_at(entry.version.find(['-', '+']).unwrap_or(entry.version.len()));
    let numbers = numbers.split('.').map(|number| number.parse().unwrap_or(0)).collect();
    (numbers, !label.starts_with('-'), label.to_owned())
}
