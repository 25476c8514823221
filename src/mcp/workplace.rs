//! What calls work with: the project's folder and the libraries, opened when first needed.

use std::path::{Path, PathBuf};

use super::Options;
use super::pool::Pool;
use super::tool::Refusal;
use crate::registry::{Registry, RegistryError};

pub(super) struct Workplace {
    pub(super) options: Options,
    registries: Pool<Registry>,
}

impl Workplace {
    pub(super) fn new(options: Options) -> Workplace {
        Workplace { options, registries: Pool::default() }
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
}

impl From<RegistryError> for Refusal {
    fn from(error: RegistryError) -> Self {
        Refusal::new(error.code(), error.to_string())
    }
}
