//! Files of the repository, as the tests that read it see them.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Output without what differs from run to run: the summary ends in `(12 ms)` or `(1.2 s)`.
pub(crate) fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let time = line.rsplit_once(" (").filter(|(_, rest)| {
            let rest = rest.strip_suffix(" ms)").or_else(|| rest.strip_suffix(" s)"));
            rest.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit() || c == '.'))
        });
        time.map_or(line, |(before, _)| before)
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}
