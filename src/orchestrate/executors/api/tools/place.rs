//! Where a path of the model leads: always to a place inside of the checkout.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// A place in the checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// Below the root, with forward slashes: what scopes are written for.
    pub(super) name: String,
}

/// The place that a path means, below the root or in the root by its whole name.
///
/// # Errors
/// The path leads out of the checkout, through a link too, or into what belongs to git.
pub(super) fn place(root: &Path, written: &str) -> Result<Place, String> {
    let outside = || format!("`{written}` is outside of the checkout: paths are relative to its root");
    let path = Path::new(written);
    let below = if path.is_absolute() { path.strip_prefix(root).map_err(|_| outside())? } else { path };
    let mut parts: Vec<&str> = Vec::new();
    for component in below.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str().ok_or_else(outside)?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop().ok_or_else(outside)?),
            Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
    }
    // A backslash is a name elsewhere, and a way on Windows; a zero is refused by every system.
    if written.contains(['\0', '\\']) {
        return Err(format!("`{}` is no path: folders are separated by `/`", written.escape_debug()));
    }
    if parts.iter().any(|it| it.eq_ignore_ascii_case(".git")) {
        return Err(format!("`{written}` belongs to git"));
    }
    let mut path = root.to_owned();
    for part in &parts {
        path.push(part);
        // A link may lead anywhere, and the scope speaks of names.
        if fs::symlink_metadata(&path).is_ok_and(|it| it.file_type().is_symlink()) {
            return Err(format!("`{written}` leads through a link, which is not followed"));
        }
    }
    Ok(Place { path, name: parts.join("/") })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_inside() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let name = |written: &str| place(root, written).map(|it| it.name);
        assert_eq!(name("a/./b/../c.py").as_deref(), Ok("a/c.py"));
        assert_eq!(name(&root.join("a").to_string_lossy()).as_deref(), Ok("a"));
        assert_eq!(name(".").as_deref(), Ok(""));
        for wrong in ["../a", "a/../../b", "/etc/passwd", ".git/config", "a/.GIT/x", "a\\b", "a\0"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::os::unix::fs::symlink("/etc", root.join("etc")).expect("a link");
        std::os::unix::fs::symlink("/nowhere/x", root.join("dangling")).expect("a link");
        for wrong in ["etc/passwd", "etc", "dangling"] {
            assert!(place(root, wrong).is_err_and(|it| it.contains("link")), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_path_leads_out(written in "(\\.\\.|\\.|/|a|b|\\\\|\\.git| ){0,12}") {
            let folder = tempfile::tempdir().expect("a folder");
            if let Ok(it) = place(folder.path(), &written) {
                prop_assert!(it.path.starts_with(folder.path()));
                prop_assert!(it.path.components().all(|it| it != Component::ParentDir));
                prop_assert!(!it.name.split('/').any(|it| it == ".git" || it == ".."));
            }
        }
    }
}
