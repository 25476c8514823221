//! Where a run takes place: the directory that names of files are relative to, wherever treaty was started, and the services
//! of the settings that the scanned paths hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::paths::{absolute, below, shown};
use super::{Options, ScanError};
use crate::config::{Config, repository};

/// What is scanned, and from where it is named.
#[derive(Debug)]
pub(super) struct Places {
    /// The directory that arguments are relative to.
    working: PathBuf,
    /// The directory that names are relative to.
    base: PathBuf,
    /// What is walked. A service of the settings that a scanned path is only a part of is read as a whole.
    pub(super) starts: Vec<Start>,
    /// Settings whose services are those of the scanned paths, their roots and contracts as shown.
    pub(super) config: Config,
    /// Contracts that the settings name for those services, absolute.
    pub(super) configured: Vec<PathBuf>,
    /// The scanned paths, as shown.
    pub(super) scanned: Vec<String>,
    /// Roots of services of the settings that are none of the scanned ones, as shown.
    apart: Vec<String>,
    /// Contracts of those, as shown.
    others: BTreeSet<String>,
}

/// A path that is walked.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Absolute.
    pub(super) path: PathBuf,
    /// As the user wrote it.
    pub(super) typed: String,
}

impl Places {
    /// # Errors
    /// The working directory is gone.
    pub(super) fn of(options: &Options) -> Result<Self, ScanError> {
        let working = std::env::current_dir()
            .map_err(|error| ScanError::BadPath { path: ".".to_owned(), reason: error.to_string() })?;
        let start = |path: &Path| Start { path: absolute(path, &working), typed: path.to_string_lossy().into_owned() };
        let starts: Vec<Start> = if options.paths.is_empty() {
            vec![start(Path::new("."))]
        } else {
            options.paths.iter().map(|path| start(path)).collect()
        };
        let base = base(options, &starts, &working);
        let scanned = starts.iter().map(|start| shown(&start.path, &base)).collect();
        let mut places = Places {
            starts,
            config: options.config.clone(),
            configured: Vec::new(),
            scanned,
            apart: Vec::new(),
            others: BTreeSet::new(),
            working,
            base,
        };
        places.narrow(options);
        Ok(places)
    }

    /// Leaves the services of the settings that are scanned, each of them whole.
    fn narrow(&mut self, options: &Options) {
        let directory = absolute(&options.config.directory, &self.working);
        let roots: Vec<PathBuf> =
            options.config.services.iter().map(|service| absolute(Path::new(&service.root), &directory)).collect();
        let enclosing = |path: &Path| {
            let around = roots.iter().filter(|root| path.starts_with(root));
            around.max_by_key(|root| root.components().count())
        };
        // A folder that another version is read from stands for the scanned path, and for nothing around it.
        let is_folder = options.against.as_ref().is_some_and(|path| absolute(path, &self.working).is_dir());
        let scanned: Vec<PathBuf> = self.starts.iter().map(|start| start.path.clone()).collect();
        let named: Vec<PathBuf> = options.contracts.iter().map(|path| absolute(path, &self.working)).collect();
        if !is_folder {
            for start in self.starts.iter_mut().filter(|start| !named.contains(&start.path)) {
                if let Some(root) = enclosing(&start.path).filter(|root| **root != start.path) {
                    *start = Start { path: root.clone(), typed: shown(root, &self.base) };
                }
            }
            self.starts.dedup_by(|a, b| a.path == b.path);
        }
        let mut services = Vec::new();
        for (service, root) in options.config.services.iter().zip(&roots) {
            let mut service = service.clone();
            service.root = shown(root, &self.base);
            let contracts = service.contracts.iter().map(|path| absolute(Path::new(path), &directory));
            let contracts: Vec<PathBuf> = contracts.collect();
            let keeps =
                |path: &PathBuf| named.is_empty() && contracts.iter().any(|contract| contract.starts_with(path));
            let encloses = |path: &PathBuf| enclosing(path) == Some(root) && !named.contains(path);
            let is_scanned = |path: &PathBuf| root.starts_with(path) || encloses(path) || keeps(path);
            if scanned.iter().any(is_scanned) {
                if !is_folder && !self.starts.iter().any(|start| root.starts_with(&start.path)) {
                    // Its contract is scanned.
                    self.starts.push(Start { path: root.clone(), typed: service.root.clone() });
                }
                service.contracts = contracts.iter().map(|path| shown(path, &self.base)).collect();
                self.configured.extend(contracts);
            } else {
                self.others.extend(contracts.iter().map(|path| shown(path, &self.base)));
                if !self.starts.iter().any(|start| root.starts_with(&start.path)) {
                    continue;
                }
                // It lies in what is read, and its files are nobody else's.
                service.contracts.clear();
                self.apart.push(service.root.clone());
            }
            services.push(service);
        }
        self.config.services = services;
    }

    /// The absolute path of an argument.
    pub(super) fn argument(&self, path: &Path) -> PathBuf {
        absolute(path, &self.working)
    }

    /// The absolute path of what is shown so.
    pub(super) fn absolute(&self, name: &str) -> PathBuf {
        absolute(Path::new(name), &self.base)
    }

    /// How an absolute path is shown.
    pub(super) fn shown(&self, path: &Path) -> String {
        shown(path, &self.base)
    }

    /// The directory that names are relative to.
    pub(super) fn base(&self) -> &Path {
        &self.base
    }

    /// What the directory is called that names are relative to.
    pub(super) fn here(&self) -> String {
        self.base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The directory of the settings, absolute.
    pub(super) fn settings(&self) -> PathBuf {
        absolute(&self.config.directory, &self.working)
    }

    /// Whether an absolute path lies in the repository, else in the directory of the settings, links resolved.
    pub(super) fn is_held(&self, path: &Path) -> bool {
        let settings = self.settings();
        let boundary = repository(&settings).unwrap_or(settings);
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        path.starts_with(&boundary) && real(path).starts_with(real(&boundary))
    }

    /// Whether a contract that was found at this name is one of the scanned services' own.
    pub(super) fn is_wanted(&self, contract: &str) -> bool {
        let deepest = |roots: &mut dyn Iterator<Item = &String>| {
            roots.filter(|root| below(contract, root).is_some()).map(|root| depth(root)).max()
        };
        let apart = deepest(&mut self.apart.iter());
        let own = deepest(&mut self.config.services.iter().map(|it| &it.root).filter(|it| !self.apart.contains(it)));
        !self.others.contains(contract) && (apart.is_none() || apart < own)
    }
}

fn depth(shown: &str) -> usize {
    if shown == "." { 0 } else { shown.split('/').count() }
}

/// The directory that names are relative to: the root of the repository, else the directory of the settings, else the
/// innermost one that holds all that is named. The working directory is no part of it, so that a file has one name.
fn base(options: &Options, starts: &[Start], working: &Path) -> PathBuf {
    let directory = |path: &Path| if path.is_dir() { path.to_path_buf() } else { path.parent().unwrap_or(path).into() };
    let settings = (!options.config.is_default()).then(|| absolute(&options.config.directory, working));
    let anchor = |start: &Start| {
        let near = directory(&start.path);
        repository(&near).or_else(|| settings.clone().filter(|settings| near.starts_with(settings)))
    };
    let anchors: Option<Vec<PathBuf>> = starts.iter().map(anchor).collect();
    if let Some(base) = anchors.and_then(common) {
        return base;
    }
    let scanned = common(starts.iter().map(|start| directory(&start.path)).collect());
    let named = options.contracts.iter().chain(&options.against).map(|path| absolute(path, working));
    let named = named.filter(|path| path.exists()).map(|path| directory(&path));
    let whole = common(scanned.iter().cloned().chain(named).collect());
    whole.filter(|base| base.parent().is_some()).or(scanned).unwrap_or_else(|| working.to_path_buf())
}

/// The innermost directory that holds all of these.
fn common(paths: Vec<PathBuf>) -> Option<PathBuf> {
    let mut paths = paths.into_iter();
    let first = paths.next()?;
    paths.try_fold(first, |held, path| held.ancestors().find(|outer| path.starts_with(outer)).map(Path::to_path_buf))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_paths_have_in_common_holds_them_all() {
        let common = |paths: &[&str]| common(paths.iter().map(PathBuf::from).collect());
        assert_eq!(common(&["/a/b/c", "/a/b/d", "/a/b"]), Some(PathBuf::from("/a/b")));
        assert_eq!(common(&["/a/b", "/c"]), Some(PathBuf::from("/")));
        assert_eq!(common(&[]), None);
    }
}
