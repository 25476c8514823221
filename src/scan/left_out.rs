//! What lies in the scanned paths and was not read, and why: looked for by itself, for whoever asks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::paths::{BUILT, FOREIGN, is_test};
use super::places::Places;
use super::walk::{Found, files_below, is_document, is_excluded, overrides};
use super::{Options, ScanError};
use crate::languages::Language;

/// Why something is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Named by the key `exclude` of the settings.
    Excluded,
    /// `.gitignore` and what else git leaves out.
    Ignored,
    /// Folders whose names say that they hold files that are built or copied.
    Built,
    /// Folders whose names say that they hold code of others, or files of tools.
    Foreign,
    /// Tests, fixtures, examples, and documents that were put away; a folder or a file of them.
    Test,
}

impl Why {
    pub fn reason(self) -> &'static str {
        match self {
            Why::Excluded => "excluded by the settings",
            Why::Ignored => "ignored by git",
            Why::Built => "built or copied, by its name",
            Why::Foreign => "code of others or kept by tools, by its name",
            Why::Test => "tests, fixtures, examples or archives",
        }
    }
}

/// The outermost folder of a path that is about tests by its name, else the path.
fn of_tests(path: &str) -> String {
    let folders = path.match_indices('/').map(|(at, _)| &path[..=at]);
    folders.into_iter().find(|folder| is_test(folder)).unwrap_or(path).to_owned()
}

/// What was left out of the disk's files, as shown, sorted by reason and name: folders with a slash at their end, and files of
/// the kinds that are read. What is hidden is not told.
///
/// # Errors
/// The working directory is gone.
pub fn left_out(options: &Options) -> Result<Vec<(Why, String)>, ScanError> {
    let places = Places::of(options)?;
    let mut found = Found::default();
    for start in &places.starts {
        files_below(&start.path, &places, options, &mut found);
    }
    let excluded = overrides(options, &places).unwrap_or_default();
    let visited: BTreeSet<&Path> = found.directories.iter().map(PathBuf::as_path).collect();
    let candidates = found.code.iter().map(|(it, _)| it).chain(&found.documents).chain(&found.metadata);
    let mut read: BTreeSet<&Path> = BTreeSet::new();
    let mut left: BTreeSet<(Why, String)> = BTreeSet::new();
    for candidate in candidates {
        read.insert(&candidate.path);
        if candidate.is_test {
            left.insert((Why::Test, of_tests(&candidate.shown)));
        }
    }
    for entry in visited.iter().flat_map(|directory| fs::read_dir(directory).into_iter().flatten().flatten()) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_known = if is_folder { visited.contains(path.as_path()) } else { read.contains(path.as_path()) };
        let is_read = is_folder || Language::by_path(&name).is_some() || is_document(&name);
        if is_known || !is_read || (name.starts_with('.') && !FOREIGN.contains(&name.as_str())) || name == ".git" {
            continue;
        }
        let why = if is_excluded(excluded.as_ref(), &path, is_folder) {
            Why::Excluded
        } else if is_folder && FOREIGN.contains(&name.as_str()) {
            Why::Foreign
        } else if is_folder && !options.config.no_skip && BUILT.contains(&name.as_str()) {
            Why::Built
        } else {
            Why::Ignored
        };
        left.insert((why, format!("{}{}", places.shown(&path), if is_folder { "/" } else { "" })));
    }
    Ok(left.into_iter().collect())
}
