//! What a path says: how it is shown, which directories are never scanned, which files are only about tests.

use std::path::{Path, PathBuf};

use crate::config::plain_path;
use crate::languages::Language;

/// Directories of other people's code, and of what tools keep for themselves.
#[rustfmt::skip]
pub(super) const FOREIGN: &[&str] = &[
    "node_modules", "__pycache__", "venv", ".venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    "site-packages", ".egg-info", ".git",
];
/// Directories of what is built or copied, as a rule: scanned where nothing is to be skipped.
#[rustfmt::skip]
pub(super) const BUILT: &[&str] = &[
    "dist", "build", ".next", "vendor", "env", ".angular", "coverage", ".nuxt", ".output", ".svelte-kit", "target", "bin",
    "obj",
];

/// Files that make their directory a service of its own.
pub(super) fn is_manifest(name: &str) -> bool {
    matches!(name, "pyproject.toml" | "setup.py" | "requirements.txt" | "package.json")
        || Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csproj"))
}

/// Whether a path (relative to the scanned path) is about tests or examples rather than the product.
pub(super) fn is_test(relative: &str) -> bool {
    let (directories, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    let test_directory = |part: &str| {
        matches!(
            part,
            "test" | "tests" | "testing" | "__tests__" | "fixtures" | "fixture" | "examples" | "example" | "testdata"
        )
    };
    // Projects of C#: `Shop.Tests`, `Shop.IntegrationTests`.
    let test_project = |part: &str| part.ends_with("Tests") || part.ends_with(".Test");
    directories.split('/').any(|part| test_directory(part) || test_project(part))
        || name == "conftest.py"
        || name.starts_with("test_")
        || name.ends_with("_test.py")
        || name.contains(".test.")
        || is_named_as_test(name)
        // `users.e2e-spec.ts` is a test; `openapi-spec.json` is what is to be kept.
        || (Language::by_path(name).is_some() && (name.contains(".spec.") || name.contains("-spec.")))
}

/// `list.clienttest.ts`, `list.servertest.tsx`: what stands before the ending says which tests.
fn is_named_as_test(name: &str) -> bool {
    const WORDS: &[&str] =
        &["latest", "fastest", "contest", "newest", "oldest", "greatest", "protest", "attest", "manifest"];
    let mut parts = name.rsplit('.');
    let (_, kind, rest) = (parts.next(), parts.next().unwrap_or(""), parts.next());
    rest.is_some() && kind.ends_with("test") && !WORDS.contains(&kind)
}

/// Whether a document (by its path relative to the scanned path) was put away: nobody keeps it any more.
pub(super) fn is_archived(relative: &str) -> bool {
    let directories = relative.rsplit_once('/').map_or("", |(directories, _)| directories);
    directories.split('/').any(|part| matches!(part, "archive" | "archived" | "_archive" | "_archived"))
}

/// An absolute path as shown: relative to the base where it lies below it, forward slashes.
pub(super) fn shown(path: &Path, base: &Path) -> String {
    let absolute = plain_path(path);
    let shown = absolute.strip_prefix(base).unwrap_or(&absolute);
    let text = shown.to_string_lossy().replace('\\', "/");
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Absolute and without `.` and `..`, without asking the disk.
pub(super) fn absolute(path: &Path, working: &Path) -> PathBuf {
    plain_path(&working.join(path))
}

/// `path` relative to `root`, both as shown; `None` where it lies elsewhere.
pub(super) fn below<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    if root == "." || root.is_empty() {
        return (!path.starts_with('/')).then_some(path);
    }
    if path == root {
        return Some("");
    }
    path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_base() {
        let base = Path::new("/home/me/work");
        assert_eq!(shown(&absolute(Path::new("./app/../app/main.py"), base), base), "app/main.py");
        assert_eq!(shown(Path::new("/etc/x.py"), base), "/etc/x.py");
        assert_eq!(shown(base, base), ".");
        assert_eq!(below("app/main.py", "."), Some("app/main.py"));
        assert_eq!(below("app/main.py", "app"), Some("main.py"));
        assert_eq!(below("application/main.py", "app"), None);
    }

    #[test]
    fn tests_are_told_by_their_place_below_the_scanned_path() {
        assert!(is_test("tests/app.py"));
        assert!(is_test("app/test_users.py"));
        assert!(is_test("src/users/users.e2e-spec.ts"));
        assert!(is_test("src/users.spec.js"));
        assert!(!is_test("docs/openapi-spec.json"));
        assert!(!is_test("docs/api.spec.yaml"));
        assert!(is_test("src/list.clienttest.ts"));
        assert!(!is_test("src/schema.latest.ts"));
        assert!(is_archived("docs/_archive/openapi.yaml"));
        assert!(!is_archived("docs/archive.yaml"));
        assert!(!is_test("app/contest.py"));
        assert!(!is_test("app/latest/main.py"));
    }
}
