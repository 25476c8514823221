//! Files that somebody says belong to a service.

use std::path::Path;

use serde::Serialize;

use super::record::SymbolKind;
use super::view::View;
use super::{Index, IndexError, rows};
use crate::config::plain_path;
use crate::scan::Progress;

/// What is known of a file that was registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Registered {
    pub indexed: bool,
    pub symbols_found: usize,
    pub dependencies_found: usize,
    /// Why it is not indexed.
    pub errors: Vec<String>,
}

impl Index {
    /// Notes that a file belongs to a service, and reads it. A file that cannot be read is an answer, no error.
    ///
    /// # Errors
    /// Those of [`Index::refresh`], and a path outside of the project.
    pub fn register_artifact(
        &mut self,
        path: &str,
        service: &str,
        progress: &dyn Progress,
    ) -> Result<Registered, IndexError> {
        let name = self.name_of(path)?;
        let known = rows::artifact(self.store.connection(), &name)?;
        // A registration that changes nothing waits for no other writer.
        if !self.read_only && known.as_deref() != Some(service) {
            self.store.write(|write| rows::keep_artifact(write, &name, service))?;
        }
        self.refresh(progress)?;
        if !self.files.contains_key(&name) {
            return Ok(Registered { errors: vec![self.why_missing(&name)], ..Registered::default() });
        }
        let program = self.program();
        let view = View::new(self, program);
        let file = view.file(&name).unwrap_or_default();
        let loaded = view.loaded(file);
        let symbols = loaded.record.symbols.iter().filter(|it| it.kind != SymbolKind::Variable || it.parent.is_none());
        let dependencies_found = view.imports_of(file).files.len();
        Ok(Registered { indexed: true, symbols_found: symbols.count(), dependencies_found, errors: Vec::new() })
    }

    /// How the index calls a file: relative to the root.
    pub(super) fn name_of(&self, path: &str) -> Result<String, IndexError> {
        let whole = plain_path(&self.root.join(Path::new(path)));
        // A link below the root may lead elsewhere: what exists is known by where the path leads. Of what does not exist
        // the nearest folder that does is asked.
        let mut there = whole.as_path();
        let mut missing = Vec::new();
        let real = loop {
            match (std::fs::canonicalize(there), there.file_name(), there.parent()) {
                (Ok(real), ..) => break missing.iter().rev().fold(plain_path(&real), |path, it| path.join(it)),
                (Err(_), Some(name), Some(parent)) => {
                    missing.push(name);
                    there = parent;
                }
                (Err(_), ..) => break whole.clone(),
            }
        };
        let below = real.strip_prefix(&self.root);
        let name = below.map(|it| it.to_string_lossy().replace('\\', "/")).unwrap_or_default();
        if name.is_empty() {
            let root = self.root.display().to_string();
            return Err(IndexError::OutsideRoot { path: path.to_owned(), root });
        }
        Ok(name)
    }

    /// How the index calls a file that it has, after a look at what has changed.
    ///
    /// # Errors
    /// Those of [`Index::refresh`]; a path outside of the project, or of no file in the index.
    pub(super) fn indexed(&mut self, path: &str, progress: &dyn Progress) -> Result<String, IndexError> {
        let name = self.name_of(path)?;
        self.refresh(progress)?;
        if !self.files.contains_key(&name) {
            return Err(IndexError::NoFile { path: path.to_owned(), reason: self.why_missing(&name) });
        }
        Ok(name)
    }

    /// Why a file is not in the index.
    pub(super) fn why_missing(&self, name: &str) -> String {
        if let Some(reason) = self.unreadable.get(name) {
            return format!("{name} cannot be read: {reason}");
        }
        let whole = self.root.join(name);
        if !whole.exists() {
            return format!("{name} does not exist below {}", self.root.display());
        }
        if crate::languages::Language::by_path(name).is_none() {
            return format!("{name} is in no language that is read: Python, TypeScript, JavaScript, C#");
        }
        format!("{name} is left out: by `.gitignore`, by the settings, or for the folder that it lies in")
    }
}
