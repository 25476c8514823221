//! The last decomposition of each project, kept for questions that come later.

use std::path::Path;

use super::decomposition::{Decomposition, DomainModel, ServiceMap};
use super::rows;
use crate::store::{Store, StoreError};

/// What was decomposed last.
#[derive(Debug)]
pub struct Architect {
    store: Store,
}

/// What went wrong, by a code that stays the same and a message that says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum ArchitectError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "nothing was decomposed yet: call decompose with the requirements first (`treaty architect decompose FILE`)"
    )]
    Nothing,
    #[error("there is no decomposition of `{project}`; there is one of {known}")]
    NotFound { project: String, known: String },
    #[error("the kept decomposition cannot be read: {reason}; decompose the requirements again")]
    Unreadable { reason: String },
}

impl ArchitectError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ArchitectError::Store(_) => "database",
            ArchitectError::Nothing => "nothing_decomposed",
            ArchitectError::NotFound { .. } => "not_found",
            ArchitectError::Unreadable { .. } => "unreadable",
        }
    }
}

impl From<serde_json::Error> for ArchitectError {
    fn from(error: serde_json::Error) -> Self {
        ArchitectError::Unreadable { reason: error.to_string() }
    }
}

impl Architect {
    /// Opens what a database holds, and makes it where there is none.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(database: &Path) -> Result<Architect, ArchitectError> {
        Ok(Architect { store: Store::open(database, &[&rows::PART])? })
    }

    /// The same, for questions only.
    ///
    /// # Errors
    /// Those of [`Store::open_read_only`].
    pub fn open_read_only(database: &Path) -> Result<Architect, ArchitectError> {
        Ok(Architect { store: Store::open_read_only(database, &[&rows::PART])? })
    }

    /// Keeps a decomposition, in the place of the one that its project had, and notes in it when that was.
    ///
    /// # Errors
    /// Those of the database.
    pub fn keep(&mut self, decomposition: &mut Decomposition) -> Result<(), ArchitectError> {
        let body = serde_json::to_string(decomposition)?;
        let map = &decomposition.service_map;
        let kept_at = self.store.write(|it| rows::keep(it, &map.project_name, &map.prd_hash, &body))?;
        stamp(decomposition, kept_at);
        Ok(())
    }

    /// The decomposition that was kept last; with a name, that of this project.
    ///
    /// # Errors
    /// `nothing_decomposed`, `not_found` for a project that has none, and those of the database.
    pub fn last(&self, project: Option<&str>) -> Result<Decomposition, ArchitectError> {
        let connection = self.store.connection();
        let Some(kept) = rows::last(connection, project)? else {
            let known = rows::projects(connection)?;
            return Err(match project {
                Some(project) if !known.is_empty() => {
                    let names: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
                    ArchitectError::NotFound { project: project.to_owned(), known: names.join(", ") }
                }
                _ => ArchitectError::Nothing,
            });
        };
        let mut decomposition: Decomposition = serde_json::from_str(&kept.body)?;
        stamp(&mut decomposition, kept.kept_at);
        Ok(decomposition)
    }

    /// Services of the last decomposition.
    ///
    /// # Errors
    /// Those of [`Architect::last`].
    pub fn service_map(&self, project: Option<&str>) -> Result<ServiceMap, ArchitectError> {
        Ok(self.last(project)?.service_map)
    }

    /// Entities, relationships and states of the last decomposition.
    ///
    /// # Errors
    /// Those of [`Architect::last`].
    pub fn domain_model(&self, project: Option<&str>) -> Result<DomainModel, ArchitectError> {
        Ok(self.last(project)?.domain_model)
    }
}

fn stamp(decomposition: &mut Decomposition, kept_at: String) {
    decomposition.service_map.generated_at = Some(kept_at.clone());
    decomposition.domain_model.generated_at = Some(kept_at);
}
