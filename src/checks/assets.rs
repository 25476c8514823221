//! Engine `assets`: files that code, pages and stylesheets show, against the files that there are. Who serves which folder is
//! decided elsewhere, so a reference counts as answered wherever a file of its path is found.

use super::KindInfo;
use super::place::report;
use crate::finding::{Severity, Sink};
use crate::model::{AssetUse, Seen};
use crate::project::Project;
use crate::text::Span;
use crate::workspace::{Watched, Workspace, directory, is_below, resolve};

/// It has no parameters: a rule says which kinds it reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assets {}

const MISSING_LINK: &str = "missing-link";
const MISSING_URL: &str = "missing-url";
const MISSING_IMPORT: &str = "missing-import";
const OTHER_CASE: &str = "other-case";

const GAPS: &[&str] = &["path", "found"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(MISSING_LINK, Severity::Warning, "an attribute names a file that there is not"),
    kind(MISSING_URL, Severity::Warning, "a stylesheet loads a file that there is not"),
    kind(MISSING_IMPORT, Severity::Warning, "a module imports a file that there is not"),
    kind(OTHER_CASE, Severity::Warning, "a file is there, but for upper and lower case"),
];

/// Folders that servers and bundlers serve as if what is in them lay elsewhere.
const SERVED: &[&str] =
    &["", "public", "src", "assets", "static", "src/assets", "app", "wwwroot", "www", "client", "frontend"];
/// First folders of what people upload or a build makes.
const MADE: &[&str] = &[
    "uploads",
    "upload",
    "media",
    "files",
    "storage",
    "tmp",
    "dist",
    "build",
    "out",
    "node_modules",
    "_next",
    "api",
    "cdn",
    "vendor",
    "generated",
    "coverage",
    "bundles",
    "webjars",
    "i",
];

/// Folders that a scan passes over by their names: which files lie there is not known.
const PASSED_OVER: &[&str] =
    &["node_modules", "venv", "dist", "build", "vendor", "env", "coverage", "target", "bin", "obj"];

fn is_passed_over(path: &str) -> bool {
    let is_hidden = |part: &str| part.starts_with('.') && !matches!(part, "." | "..");
    directory(path).split('/').any(|part| PASSED_OVER.contains(&part) || is_hidden(part))
}

pub(super) fn judge(_: &Assets, project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    if files.listing.is_empty() {
        return;
    }
    for watched in files.watched.iter().filter(|it| !it.is_test && !is_elsewhere(&it.path)) {
        // Beside a file that is scanned alone, nothing is known.
        if !is_scanned(files, directory(&watched.path)) {
            continue;
        }
        for sight in &watched.sights {
            if let Seen::Asset { path, how } = &sight.what {
                look(files, watched, (path, *how, sight.span), sink);
            }
        }
    }
}

/// Documentation that tools write, letters, stories, and parts of other people's work.
fn is_elsewhere(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let is_folder = |part: &str| {
        matches!(
            part,
            "docs"
                | "doc"
                | "vendor"
                | "vendors"
                | "third_party"
                | "plugins"
                | "demo"
                | "demos"
                | "emails"
                | "email"
                | "templates_email"
                | "lib"
                | "libs"
                | "storybook"
                | ".storybook"
                | "cypress"
                | "e2e"
                | "mocks"
                | "__mocks__"
        )
    };
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    // `fontawesome-free-6.1.1-web`: a copy of what others publish.
    let is_copy = |part: &str| {
        part.split(['-', '_', '@']).any(|it| {
            it.split('.').count() > 1
                && it.split('.').all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    folders.split('/').any(|part| is_folder(part) || is_copy(part))
        || name.contains(".stories.")
        || name.contains("mock")
        || name.contains("seed")
}

/// What became of a reference.
enum Outcome<'w> {
    There,
    /// … but for upper and lower case.
    Alike(&'w str),
    Missing,
}

fn look(files: &Workspace, watched: &Watched, (path, how, span): (&str, AssetUse, Span), sink: &mut Sink<'_>) {
    let plain = path.split(['?', '#']).next().unwrap_or(path);
    if is_passed_over(plain) {
        return;
    }
    let folder = directory(&watched.path);
    let outcome = match how {
        AssetUse::Import => imported(files, folder, plain),
        // What a page asks for may lie anywhere in its package: only of a package that is scanned whole all files are known.
        AssetUse::Link | AssetUse::Style if is_whole(files, &watched.path) => served(files, folder, plain),
        AssetUse::Link | AssetUse::Style => Outcome::There,
    };
    let shown = format!("`{plain}`");
    match outcome {
        Outcome::There => {}
        Outcome::Alike(found) => {
            let found = format!("`{found}`");
            report(sink, OTHER_CASE, (span, plain), &[("path", &shown), ("found", &found)], &[]);
        }
        Outcome::Missing => {
            let kind = match how {
                AssetUse::Link => MISSING_LINK,
                AssetUse::Style => MISSING_URL,
                AssetUse::Import => MISSING_IMPORT,
            };
            report(sink, kind, (span, plain), &[("path", &shown)], &[]);
        }
    }
}

/// A path of a module is relative to it, and to nothing else.
fn imported<'w>(files: &'w Workspace, folder: &str, path: &str) -> Outcome<'w> {
    let Some(whole) = resolve(folder, path) else { return Outcome::There };
    if files.listing.has(&whole) || files.ignored.leaves_out(&whole, false) || !is_scanned(files, &whole) {
        return Outcome::There;
    }
    files.listing.but_for_case(&whole).map_or(Outcome::Missing, Outcome::Alike)
}

/// Whether a path lies in what is scanned, so that it would be known.
fn is_scanned(files: &Workspace, path: &str) -> bool {
    files.roots.iter().any(|root| path == root || is_below(path, root))
}

/// Whether the whole package of a file is scanned.
fn is_whole(files: &Workspace, path: &str) -> bool {
    files.roots.iter().any(|root| root == ".") || files.manifests.iter().any(|it| is_below(path, directory(&it.path)))
}

/// An address may be answered from any folder that is served: those around the file and the usual ones in them, else
/// wherever a file of this path is.
fn served<'w>(files: &'w Workspace, folder: &str, path: &str) -> Outcome<'w> {
    let relative = path.trim_start_matches('/');
    let mut parts: Vec<&str> = relative.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    // A bundler finds the files of a package by its name.
    let is_package = |name: &str| files.manifests.iter().any(|it| it.it.contains(&format!("\"{name}\"")));
    if parts.first().is_some_and(|first| MADE.contains(first) || (parts.len() > 1 && is_package(first)))
        || parts.is_empty()
    {
        return Outcome::There;
    }
    let mut alike = None;
    let mut around = Some(folder);
    while let Some(folder) = around {
        for base in SERVED {
            let base = if base.is_empty() { folder.to_owned() } else { format!("{folder}/{base}") };
            let Some(whole) = resolve(&base, relative) else { continue };
            if files.listing.has(&whole) || files.ignored.leaves_out(&whole, false) {
                return Outcome::There;
            }
            alike = alike.or_else(|| files.listing.but_for_case(&whole));
        }
        around = (folder != "." && folder != "/").then(|| directory(folder));
    }
    // A prefix of the address is the server's affair: the rest of the path is looked for anywhere.
    loop {
        let (same, near) = files.listing.ending(&parts.join("/"));
        if same.is_some() {
            return Outcome::There;
        }
        alike = alike.or(near);
        if parts.len() <= 2 {
            break;
        }
        parts.remove(0);
    }
    alike.map_or(Outcome::Missing, Outcome::Alike)
}
