//! Files of the repository, as the tests that read it see them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Held by whoever rewrites a part of the README.
pub(crate) static README: Mutex<()> = Mutex::new(());

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` whose name ends in `end`: path from the repository's folder, and text; sorted.
pub(crate) fn files(folder: &str, end: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), folder, end, &mut found);
    found.sort();
    found
}

fn collect(directory: &Path, shown: &str, end: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().expect("file names of the repository are plain");
        let shown = format!("{shown}/{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &shown, end, found);
        } else if name.ends_with(end) {
            found.push((shown, fs::read_to_string(entry.path()).expect("the file is text")));
        }
    }
}

/// Whether expectations are to be rewritten rather than compared.
pub(crate) fn updating() -> bool {
    std::env::var_os("UPDATE_CASES").is_some_and(|value| value == "1")
}
