//! Which files are routes, and of which path: `pages/api/users/[id].ts`, `app/api/users/route.ts`.

use crate::evaluate::{ModuleId, ProgramIndex};

pub(super) enum Kind {
    Pages,
    App,
}

/// A module that is a route by its name.
pub(super) struct RouteFile {
    /// The directory of the application.
    pub(super) root: String,
    pub(super) kind: Kind,
    /// The paths that lead to it: two where the last part may be left out.
    pub(super) paths: Vec<String>,
}

const EXTENSIONS: &[&str] = &["ts", "tsx", "js", "jsx", "mjs"];
const CONFIGS: &[&str] = &["next.config.js", "next.config.mjs", "next.config.ts", "next.config.cjs", "next.config.mts"];

pub(super) fn route_file(index: &ProgramIndex, module: ModuleId) -> Option<RouteFile> {
    let path = index.path(module);
    let (stem, extension) = path.rsplit_once('.')?;
    if !EXTENSIONS.contains(&extension) || stem.rsplit_once('.').is_some_and(|(_, inner)| inner == "d") {
        return None;
    }
    let (root, kind, rest) = place(index, module, stem)?;
    let paths = match kind {
        Kind::Pages => paths(rest, true)?,
        Kind::App => paths(rest.strip_suffix("route")?.trim_end_matches('/'), false)?,
    };
    Some(RouteFile { root: root.to_owned(), kind, paths })
}

/// The module that configures the application of a directory.
pub(super) fn config(index: &ProgramIndex, root: &str) -> Option<ModuleId> {
    CONFIGS.iter().find_map(|name| index.module_at(&joined(root, name)))
}

fn joined(root: &str, name: &str) -> String {
    if root.is_empty() { name.to_owned() } else { format!("{root}/{name}") }
}

/// The application's directory, which router, and the path below its folder.
fn place<'a>(index: &ProgramIndex, module: ModuleId, stem: &'a str) -> Option<(&'a str, Kind, &'a str)> {
    let package = index.package_of(module);
    let uses_next = package.is_none_or(|package| package.dependencies.iter().any(|name| name == "next"));
    let mut found = None;
    for (at, folder) in folders(stem) {
        // A file of that name is no folder.
        let Some(rest) = stem.get(at + folder.len() + 1..) else { continue };
        let kind = match folder {
            "pages" if rest == "api" || rest.starts_with("api/") => Kind::Pages,
            "app" if rest == "route" || rest.ends_with("/route") => Kind::App,
            _ => continue,
        };
        let above = stem[..at].trim_end_matches('/');
        let root = above.strip_suffix("/src").unwrap_or(if above == "src" { "" } else { above });
        let is_package = package.is_some_and(|package| package.directory == root);
        if config(index, root).is_some() || (uses_next && is_package) {
            return Some((root, kind, rest));
        }
        if uses_next && found.is_none() {
            found = Some((root, kind, rest));
        }
    }
    found
}

/// Every folder named `pages` or `app` on the way to a file, with where its name begins.
fn folders(stem: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    stem.split('/').filter_map(move |part| {
        let start = at;
        at += part.len() + 1;
        matches!(part, "pages" | "app").then_some((start, part))
    })
}

/// `api/users/[id]` is `/api/users/{id}`; `None` where no request is led to it.
fn paths(rest: &str, drops_index: bool) -> Option<Vec<String>> {
    let mut path = String::new();
    let mut shorter = None;
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    for (at, part) in parts.iter().enumerate() {
        if drops_index {
            if *part == "index" && at + 1 == parts.len() {
                continue;
            }
        } else if part.starts_with('_') {
            return None;
        } else if part.starts_with('@') || (part.starts_with('(') && part.ends_with(')')) {
            continue;
        }
        if part.starts_with("[[...") {
            shorter = Some(path.clone());
        }
        path.push('/');
        path.push_str(&segment(part));
    }
    let whole = |path: String| if path.is_empty() { "/".to_owned() } else { path };
    Some(shorter.into_iter().chain([path]).map(whole).collect())
}

/// `[id]` and `[...id]` are `{id}`; `%5F` is how a name begins with an underscore.
fn segment(part: &str) -> String {
    let inner = part.strip_prefix("[[...").and_then(|rest| rest.strip_suffix("]]"));
    let inner = inner.or_else(|| part.strip_prefix("[...")?.strip_suffix(']'));
    match inner.or_else(|| part.strip_prefix('[')?.strip_suffix(']')) {
        Some(name) => format!("{{{name}}}"),
        None => part.replace("%5F", "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn names_of_files_are_paths() {
        for (rest, drops_index, expected) in [
            ("api/users/[id]", true, vec!["/api/users/{id}"]),
            ("api/index", true, vec!["/api"]),
            ("api/users/index", true, vec!["/api/users"]),
            ("api/[...all]", true, vec!["/api/{all}"]),
            ("api/[[...all]]", true, vec!["/api", "/api/{all}"]),
            ("api/mcp.json", true, vec!["/api/mcp.json"]),
            ("(shop)/api/@slot/[slug]", false, vec!["/api/{slug}"]),
            ("", false, vec!["/"]),
            ("api/%5Fnext", false, vec!["/api/_next"]),
            ("api/index", false, vec!["/api/index"]),
        ] {
            assert_eq!(paths(rest, drops_index).unwrap_or_default(), expected, "{rest}");
        }
        assert_eq!(paths("api/_lib/users", false), None);
    }
}
