//! Why a run could not be done.

use super::git::GitError;
use crate::events::EventError;
use crate::ledger::UnknownPrice;
use crate::plan::{Cycle, PlanError};
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum OrchestrateError {
    #[error(transparent)]
    Event(#[from] EventError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Plan(#[from] Box<PlanError>),
    #[error(transparent)]
    Cycle(#[from] Cycle),
    #[error(transparent)]
    Price(#[from] UnknownPrice),
    #[error("{path}: {reason}")]
    File { path: String, reason: String },
    #[error("{message}")]
    Refused { message: String, help: String },
}

impl OrchestrateError {
    pub(super) fn refused(message: impl Into<String>, help: impl Into<String>) -> Self {
        OrchestrateError::Refused { message: message.into(), help: help.into() }
    }

    /// An event could not be kept: the run stands where the last one left it.
    pub(super) fn not_kept(database: &std::path::Path, error: EventError) -> Self {
        let EventError::Store(StoreError::Sql(reason)) = &error else { return error.into() };
        let message = format!("{}: {reason}", database.display());
        let help = "see whether the disk is full or may not be written on; then `treaty orchestrate resume` goes on from \
                    what was kept";
        OrchestrateError::refused(message, help)
    }

    pub(super) fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        OrchestrateError::File { path: path.display().to_string(), reason: error.to_string() }
    }
}
