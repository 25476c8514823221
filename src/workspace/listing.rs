//! Which files there are, by their paths as shown.

use std::collections::{BTreeMap, BTreeSet};

/// Names of all files of a run, whether they were read or not.
#[derive(Debug, Default)]
pub struct Listing {
    paths: BTreeSet<String>,
    /// Paths by their last part in lower case.
    by_name: BTreeMap<String, Vec<String>>,
    folders: BTreeSet<String>,
}

impl Listing {
    pub fn add(&mut self, path: &str) {
        if self.paths.insert(path.to_owned()) {
            let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
            self.by_name.entry(name).or_default().push(path.to_owned());
            let mut folder = directory(path);
            while folder != "." && self.folders.insert(folder.to_owned()) {
                folder = directory(folder);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(path) || self.folders.contains(path) || path == "."
    }

    /// A file that differs from a path in nothing but upper and lower case.
    pub fn but_for_case(&self, path: &str) -> Option<&str> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let lower = path.to_lowercase();
        let named = self.by_name.get(&name)?;
        named.iter().find(|known| known.as_str() != path && known.to_lowercase() == lower).map(String::as_str)
    }

    /// Files whose path ends with these parts; the second is one that does but for upper and lower case.
    pub fn ending(&self, parts: &str) -> (Option<&str>, Option<&str>) {
        let name = parts.rsplit('/').next().unwrap_or(parts).to_lowercase();
        let Some(named) = self.by_name.get(&name) else { return (None, None) };
        let ends = |path: &str, end: &str| path == end || path.strip_suffix(end).is_some_and(|it| it.ends_with('/'));
        let lower = parts.to_lowercase();
        let same = named.iter().find(|path| ends(path, parts)).map(String::as_str);
        let alike = named.iter().find(|path| ends(&path.to_lowercase(), &lower)).map(String::as_str);
        (same, alike)
    }
}

/// The folder of a path: `.` where there is none.
pub fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder })
}

/// Whether a path lies below a folder, both as shown.
pub fn is_below(path: &str, folder: &str) -> bool {
    (folder == "." && !path.starts_with('/')) || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A path relative to a folder, both as shown; `None` where the path is absolute, or leads out of the folder that all names are
/// relative to.
pub fn resolve(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    let begins = folder.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Some(if begins {
        format!("/{joined}")
    } else if joined.is_empty() {
        ".".to_owned()
    } else {
        joined
    })
}
