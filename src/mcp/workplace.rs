//! What calls work with: the project's folder and the libraries, opened when first needed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Options;
use super::pool::Pool;
use super::tool::Refusal;
use crate::architect::{Architect, ArchitectError};
#[cfg(feature = "orchestrate")]
use crate::devteam::{DevTeam, DevTeamError, Places};
use crate::index::{Index, IndexError};
use crate::registry::{Registry, RegistryError};

pub(super) struct Workplace {
    pub(super) options: Options,
    registries: Pool<Registry>,
    architects: Pool<Architect>,
    /// One for all calls: it holds what it read, and reads each file once.
    index: Mutex<Option<Index>>,
    /// One for all calls: it knows which session was started here.
    #[cfg(feature = "orchestrate")]
    team: Mutex<Option<DevTeam>>,
}

impl Workplace {
    pub(super) fn new(options: Options) -> Workplace {
        Workplace {
            options,
            registries: Pool::default(),
            architects: Pool::default(),
            index: Mutex::new(None),
            #[cfg(feature = "orchestrate")]
            team: Mutex::new(None),
        }
    }

    /// A file or folder of the project, whatever links lead to it.
    pub(super) fn inside(&self, path: &str) -> Result<PathBuf, Refusal> {
        let root = self.options.root.canonicalize().unwrap_or_else(|_| self.options.root.clone());
        let named = root.join(Path::new(path));
        let found = named.canonicalize().map_err(|error| {
            let message = format!("`{path}`: {error}; name a path below {}", root.display());
            Refusal::new("not_found", message)
        })?;
        if found.starts_with(&root) {
            return Ok(found);
        }
        Err(Refusal::new("outside_root", format!("`{path}` leads out of {}; name a path below it", root.display())))
    }

    /// Asks the registry, or changes it.
    pub(super) fn registry<R>(
        &self,
        work: impl FnOnce(&mut Registry) -> Result<R, RegistryError>,
    ) -> Result<R, Refusal> {
        let Options { database, root, read_only, .. } = &self.options;
        let open = || {
            if *read_only { Registry::open_read_only(database, root) } else { Registry::open(database, root) }
        };
        Ok(self.registries.with(open, work)?)
    }

    /// Asks what was decomposed, or keeps something decomposed.
    pub(super) fn architect<R>(
        &self,
        work: impl FnOnce(&mut Architect) -> Result<R, ArchitectError>,
    ) -> Result<R, Refusal> {
        let Options { database, read_only, .. } = &self.options;
        let open = || if *read_only { Architect::open_read_only(database) } else { Architect::open(database) };
        Ok(self.architects.with(open, work)?)
    }

    /// Asks the index, which looks at the files first. A server that only reads keeps it in memory.
    pub(super) fn index<R>(&self, work: impl FnOnce(&mut Index) -> Result<R, IndexError>) -> Result<R, Refusal> {
        let Options { database, root, read_only, .. } = &self.options;
        // One that panicked is opened anew.
        let mut kept = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let mut index = match kept.take() {
            Some(index) => index,
            None if *read_only => Index::in_memory(root)?,
            None => Index::open(database, root)?,
        };
        let done = work(&mut index);
        *kept = Some(index);
        Ok(done?)
    }

    /// Asks the development team, or has it do something.
    #[cfg(feature = "orchestrate")]
    pub(super) fn team<R>(&self, work: impl FnOnce(&mut DevTeam) -> Result<R, DevTeamError>) -> Result<R, Refusal> {
        let mut kept = self.team.lock().unwrap_or_else(PoisonError::into_inner);
        let mut team = if let Some(team) = kept.take() {
            team
        } else {
            let Options { root, database, team_config, team_agents, .. } = &self.options;
            let place = |named: &Option<PathBuf>, usual: &str| root.join(named.clone().unwrap_or_else(|| usual.into()));
            DevTeam::open(&Places {
                root: root.clone(),
                database: database.clone(),
                config: place(team_config, ".devteam"),
                agents: place(team_agents, "agents"),
            })?
        };
        let done = work(&mut team);
        *kept = Some(team);
        Ok(done?)
    }
}

#[cfg(feature = "orchestrate")]
impl From<DevTeamError> for Refusal {
    fn from(error: DevTeamError) -> Self {
        Refusal::new(error.code(), error.to_string())
    }
}

impl From<ArchitectError> for Refusal {
    fn from(error: ArchitectError) -> Self {
        Refusal::new(error.code(), error.to_string())
    }
}

impl From<IndexError> for Refusal {
    fn from(error: IndexError) -> Self {
        Refusal::new(error.code(), error.to_string())
    }
}

impl From<RegistryError> for Refusal {
    fn from(error: RegistryError) -> Self {
        Refusal::new(error.code(), error.to_string())
    }
}
