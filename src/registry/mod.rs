//! The registry of contracts: documents by service, type and version, what was made of them, and who implements them.
//!
//! Everything is kept in one SQLite file, which several processes may use at once.

pub mod answer;
mod breaking;
mod contract;
mod endpoint;
mod error;
mod escaped;
mod evidence;
mod hash;
mod implemented;
pub(crate) mod literal;
mod rows;
pub(crate) mod samples;
mod scanned;
mod services;
mod spec;
mod suites;

use std::path::{Path, PathBuf};

pub use breaking::Change;
pub use contract::{Contract, Entry, ListFilter, MAX_PAGE, NewContract, Page, SpecKind};
pub use endpoint::AnswerQuestion;
pub use error::RegistryError;
pub use hash::spec_hash;
pub use implemented::{Marked, Refusal, Status, Unimplemented};
pub use services::{Role, ServiceContract};
pub use spec::{SpecDetail, SpecReport, validate_spec};
pub use suites::{Question, Questions, TestFramework, otherwise, questions};

use crate::store::Store;

/// Contracts of the services of one project.
#[derive(Debug)]
pub struct Registry {
    store: Store,
    /// Of the project: what evidence must lie in.
    root: PathBuf,
    read_only: bool,
}

impl Registry {
    /// Opens the registry that a database holds, and makes both where there are none. `root` is the project's folder.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(database: &Path, root: &Path) -> Result<Registry, RegistryError> {
        Ok(Registry { store: Store::open(database, &[&rows::PART])?, root: root.to_owned(), read_only: false })
    }

    /// The same, for questions only.
    ///
    /// # Errors
    /// Those of [`Store::open_read_only`].
    pub fn open_read_only(database: &Path, root: &Path) -> Result<Registry, RegistryError> {
        let store = Store::open_read_only(database, &[&rows::PART])?;
        Ok(Registry { store, root: root.to_owned(), read_only: true })
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Registers a contract. The same document again is the same contract; another one takes its place, and the contract
    /// keeps its id.
    ///
    /// # Errors
    /// `invalid`: what no contract can have. `conflict`: another document for a version of this build cycle.
    pub fn create(&mut self, new: &NewContract) -> Result<Contract, RegistryError> {
        new.check()?;
        let (text, hash) = (new.spec.to_string(), spec_hash(&new.spec));
        let document = rows::Document { text: &text, hash: &hash };
        let (entry, spec) = self
            .store
            .write(|it| {
                match rows::of_version(it, new)? {
                    None => rows::insert(it, &uuid::Uuid::new_v4().to_string(), new, document)?,
                    Some(known) => {
                        let same_cycle = new.build_cycle_id.is_some() && known.build_cycle_id == new.build_cycle_id;
                        if known.spec_hash == hash {
                            if new.build_cycle_id.is_some() && !same_cycle {
                                rows::set_cycle(it, &known.id, new.build_cycle_id.as_deref())?;
                            }
                            // The members of the document there may stand in another order.
                            return Ok(rows::get(it, &known.id)?.map(|it| (it.entry, Some(it.spec))));
                        }
                        if same_cycle {
                            return Err(taken(new, &known));
                        }
                        rows::replace(it, &known.id, new, document)?;
                    }
                }
                Ok(rows::of_version(it, new)?.map(|it| (it, None)))
            })?
            .ok_or_else(|| RegistryError::NotFound {
                id: format!("{} {}", new.service_name, new.version),
                next: "register it again".to_owned(),
            })?;
        Ok(Contract { entry, spec: spec.unwrap_or_else(|| new.spec.clone()) })
    }

    /// # Errors
    /// `invalid`: a page that there cannot be.
    pub fn list(&self, filter: &ListFilter) -> Result<Page, RegistryError> {
        filter.check()?;
        let (total, items) = rows::list(self.store.connection(), filter)?;
        Ok(Page { items, total, page: filter.page, page_size: filter.page_size })
    }

    /// # Errors
    /// Those of the database; a contract that is not there is `None`.
    pub fn get(&self, id: &str) -> Result<Option<Contract>, RegistryError> {
        Ok(rows::get(self.store.connection(), id)?)
    }

    /// The contract of an id that must be there.
    ///
    /// # Errors
    /// `not_found`.
    pub fn existing(&self, id: &str) -> Result<Contract, RegistryError> {
        self.get(id)?.ok_or_else(|| {
            let next = "`list_contracts` (on the command line `treaty contract list`) shows their ids";
            RegistryError::NotFound { id: id.to_owned(), next: next.to_owned() }
        })
    }
}

fn taken(new: &NewContract, known: &Entry) -> RegistryError {
    RegistryError::Conflict {
        what: format!(
            "{} {} of `{}` is registered with another document in the build cycle `{}`",
            new.kind.name(),
            new.version,
            new.service_name,
            known.build_cycle_id.as_deref().unwrap_or_default()
        ),
        next: format!("register the changed document as another version; the contract there has the id {}", known.id),
    }
}

#[cfg(test)]
mod tests;
