//! `.devteam/roles/*.yaml`: roles of a project beside those of the product.

use std::fs;
use std::path::Path;

use crate::missions::Roles;

/// Larger files are no roles, and are told.
const MAX_BYTES: u64 = 1 << 18;

/// The roles of the product, and those of a folder, which win where a name is the same. A folder that is not there is fine.
pub(super) fn load(folder: &Path) -> Roles {
    let mut roles = Roles::default();
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    files.retain(|it| it.is_file() && it.extension().is_some_and(|it| it == "yaml" || it == "yml"));
    files.sort();
    for path in files {
        let shown = path.display().to_string();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let size = fs::metadata(&path).map_or(0, |it| it.len());
        match fs::read_to_string(&path) {
            _ if size > MAX_BYTES => roles.problems.push(format!("{shown}: {size} bytes are too many")),
            Ok(text) => roles.add(&shown, &name, &text),
            Err(error) => roles.problems.push(format!("{shown}: {error}")),
        }
    }
    roles
}
