//! Clients of engines: the tools of a contract engine, a codebase index and an architect, as methods with types. An engine is a
//! server elsewhere, started as a process, or our own without one.
//!
//! No method fails. Where an engine gives no answer, or one that is none, a method gives its safe default and a warning; what
//! stands in for the engine is the caller's to know. Only failures of the process and its streams are worth another try.

mod answers;
mod architect;
mod codebase;
mod connection;
mod contracts;
#[cfg(all(test, unix))]
mod tests;

pub use answers::{
    AnswerCheck, Caller, ContractEntry, ContractPage, DeadSymbol, Dependencies, DocumentCheck, Endpoint, EventPlace,
    Hit, Interface, Marked, OpenContract, Place, Registered, SpecChange, Violation,
};
pub use architect::{ArchitectClient, ServiceContract};
pub use codebase::CodebaseClient;
pub use connection::{Client, Project};
pub use contracts::{ContractClient, ContractFilter};

/// What a method gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    /// The answer, or the method's safe default.
    pub value: T,
    /// Why it is the default.
    pub warning: Option<String>,
}

impl<T> Answer<T> {
    /// What was asked for or, after a failure, the safe default.
    fn or(result: Result<T, String>, default: impl FnOnce(&str) -> T) -> Answer<T> {
        match result {
            Ok(value) => Answer { value, warning: None },
            Err(warning) => Answer { value: default(&warning), warning: Some(warning) },
        }
    }

    /// The answer, where there is one.
    ///
    /// # Errors
    /// The warning.
    pub fn given(self) -> Result<T, String> {
        match self.warning {
            None => Ok(self.value),
            Some(warning) => Err(warning),
        }
    }
}
