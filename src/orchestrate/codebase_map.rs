//! The map of a code base for those who are new to it, where our own index is not the one that is asked: of an index elsewhere, or
//! of the names of files alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::mcp_clients::CodebaseClient;

/// Folders of the list of files; more are counted.
const MAX_FOLDERS: usize = 100;
/// Files of a folder; more are counted.
const MAX_FILES: usize = 20;
/// Endpoints of a service; more are counted.
const MAX_ENDPOINTS: usize = 60;
/// Places to begin reading with.
const BEGINNINGS: u32 = 10;
/// Symbols that nobody uses; more are counted.
const MAX_DEAD: usize = 20;

/// What an index elsewhere says of services, and of code about the architecture and about these things. A service that it does
/// not know is passed over.
///
/// # Errors
/// It does not answer, not what such an index answers, or nothing at all: half a map misleads.
pub(super) fn of_index(client: &mut CodebaseClient, services: &[String], things: &[&str]) -> Result<String, String> {
    let mut out = String::new();
    let mut seen: Vec<&String> = Vec::new();
    for name in services {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let it = match client.get_service_interface(name).given() {
            Ok(it) => it,
            Err(why) if client.0.is_away().is_some() => return Err(why),
            Err(_) => continue,
        };
        if it.endpoints.is_empty() && it.events_published.is_empty() && it.events_consumed.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## Service `{name}`\n");
        for endpoint in it.endpoints.iter().take(MAX_ENDPOINTS) {
            let place = place(&endpoint.file, endpoint.line);
            let _ = writeln!(out, "- `{} {}` {}{place}", endpoint.method, endpoint.path, endpoint.handler);
        }
        rest(&mut out, it.endpoints.len(), MAX_ENDPOINTS, "endpoints");
        for (does, events) in [("publishes", &it.events_published), ("consumes", &it.events_consumed)] {
            for event in events.iter().take(MAX_ENDPOINTS) {
                let _ = writeln!(out, "- {does} `{}`{}", event.event, place(&event.file, event.line));
            }
            rest(&mut out, events.len(), MAX_ENDPOINTS, "events");
        }
    }
    let about = things.join(" ");
    for (title, query) in
        [("Where to begin", "architecture overview"), ("What the requirements speak of", about.as_str())]
    {
        if query.is_empty() {
            continue;
        }
        let hits = client.search_semantic(query, None, None, BEGINNINGS).given()?;
        if !hits.is_empty() {
            let _ = writeln!(out, "\n## {title}\n");
        }
        for hit in &hits {
            let first = hit.content.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
            let first: String = first.chars().take(100).collect();
            let _ = writeln!(out, "- {}:{}-{} `{}`", hit.file, hit.lines.0, hit.lines.1, first.replace('`', "'"));
        }
    }
    let dead = client.check_dead_code(None).given()?;
    if !dead.is_empty() {
        out.push_str("\n## What nothing seems to use\n\n");
        for it in dead.iter().take(MAX_DEAD) {
            let _ = writeln!(out, "- {} `{}`{}", it.kind, it.symbol, place(&it.file, it.line));
        }
        rest(&mut out, dead.len(), MAX_DEAD, "symbols");
    }
    if out.is_empty() {
        return Err("the index knows nothing of this project yet".to_owned());
    }
    Ok(format!("# Codebase map\n{out}"))
}

fn place(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => format!(" ({file})"),
        (file, line) => format!(" ({file}:{line})"),
    }
}

fn rest(out: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        let _ = writeln!(out, "- and {} more {what}", all - shown);
    }
}

/// Files that say what a folder is.
const TELLING: [&str; 12] = [
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "Dockerfile",
    "docker-compose.yml",
    "compose.yaml",
    "Makefile",
    "README.md",
    "openapi.json",
    "openapi.yaml",
    "treaty.toml",
];

/// A map of the names of files: folders, what lies in them, those that tell most first.
pub(super) fn of_files(paths: &[String]) -> String {
    let mut out = format!("# Codebase map\n\n{} files, by their names alone.\n", paths.len());
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
        folders.entry(folder).or_default().push(name);
    }
    for (folder, names) in folders.iter_mut().take(MAX_FOLDERS) {
        names.sort_by_key(|it| (!TELLING.contains(it), *it));
        let _ = writeln!(out, "\n## {folder}\n");
        for name in names.iter().take(MAX_FILES) {
            let _ = writeln!(out, "- {name}");
        }
        rest(&mut out, names.len(), MAX_FILES, "files");
    }
    if folders.len() > MAX_FOLDERS {
        let _ = writeln!(out, "\n{} more folders are left out.", folders.len() - MAX_FOLDERS);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::of_files;

    #[test]
    fn files_are_listed_by_folder_and_those_that_tell_most_come_first() {
        let paths = ["a/z.py", "a/b.py", "a/pyproject.toml", "README.md"].map(str::to_owned);
        let expected = "# Codebase map\n\n4 files, by their names alone.\n\n## .\n\n- README.md\n\n## a\n\n- pyproject.toml\n- b.py\n- z.py\n";
        assert_eq!(of_files(&paths), expected);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let paths: Vec<String> =
            (0..30).map(|it| format!("a/{it}.py")).chain((0..120).map(|it| format!("f{it}/x"))).collect();
        let map = of_files(&paths);
        assert!(map.contains("- and 10 more files\n") && map.ends_with("21 more folders are left out.\n"), "{map}");
    }
}
