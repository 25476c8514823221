//! Why the registry does not do what it was asked for. Each message says what to do next: clients show nothing else.

use super::answer::AnswerError;
use crate::scan::ScanError;
use crate::store::StoreError;

/// What went wrong, by a code that stays the same and a message for people.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no contract `{id}`; {next}")]
    NotFound { id: String, next: String },
    #[error("{what}; {next}")]
    Unknown { what: String, next: String },
    #[error("{what}; {next}")]
    Conflict { what: String, next: String },
    #[error("{what}; {next}")]
    Invalid { what: String, next: String },
    #[error("`{path}` leads out of {root}; name a file or folder below it")]
    OutsideRoot { path: String, root: String },
    #[error("{path}: {reason}; {next}")]
    Unreadable { path: String, reason: String, next: String },
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("{0}; check what `--root` names")]
    Scan(#[from] ScanError),
}

impl RegistryError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            RegistryError::Store(_) => "database",
            RegistryError::NotFound { .. } | RegistryError::Unknown { .. } => "not_found",
            RegistryError::Conflict { .. } => "conflict",
            RegistryError::Invalid { .. } => "invalid",
            RegistryError::OutsideRoot { .. } => "outside_root",
            RegistryError::Unreadable { .. } => "unreadable",
            RegistryError::Answer(error) => error.code(),
            RegistryError::Scan(_) => "scan",
        }
    }

    pub(crate) fn invalid(what: impl Into<String>, next: impl Into<String>) -> Self {
        RegistryError::Invalid { what: what.into(), next: next.into() }
    }
}
