//! Where settings lie.

use std::path::{Component, Path, PathBuf};

use super::FILE_NAME;

/// The configuration file that is in force for a scanned path: in it or in its nearest ancestor up to the root of the
/// repository (the directory with `.git`). Outside a repository only the scanned directory and the working directory
/// count, so that nothing strange above them takes effect.
pub fn find(scanned: &Path) -> Option<PathBuf> {
    let working = std::env::current_dir().ok();
    let absolute = plain_path(&std::path::absolute(scanned).ok()?);
    let start = if absolute.is_dir() { absolute.as_path() } else { absolute.parent()? };
    let root = repository(start);
    let found = start
        .ancestors()
        .take_while(|directory| root.as_ref().is_none_or(|root| directory.starts_with(root)))
        .filter(|directory| root.is_some() || *directory == start || working.as_deref() == Some(*directory))
        .map(|directory| directory.join(FILE_NAME))
        .find(|file| file.is_file())?;
    // Shown relative to the working directory, as everything else is.
    let relative = working.as_deref().and_then(|working| found.strip_prefix(working).ok()).map(Path::to_owned);
    Some(relative.unwrap_or(found))
}

/// The root of the repository that a directory lies in: the nearest one with `.git`.
pub fn repository(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|outer| outer.join(".git").exists()).map(Path::to_path_buf)
}

/// Without `.` and `..`, without asking the disk.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
