//! Engine `left-out`: what git should leave out of a project and does not.

use std::collections::BTreeSet;

use super::KindInfo;
use super::place::report;
use crate::finding::{Severity, Sink};
use crate::model::Seen;
use crate::project::Project;
use crate::text::Span;
use crate::workspace::{Read, Workspace, directory, is_below};

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {}

const NO_LIST: &str = "no-list";
const NOT_LEFT_OUT: &str = "not-left-out";

const GAPS: &[&str] = &["name", "why"];

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo { name: NO_LIST, severity: Severity::Warning, about: "there is no `.gitignore`", gaps: GAPS },
    KindInfo {
        name: NOT_LEFT_OUT,
        severity: Severity::Warning,
        about: "`.gitignore` lets in what a tool writes",
        gaps: GAPS,
    },
];

pub(super) fn judge(_: &LeftOut, project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    let packages = files.manifests.iter().filter(|it| it.path.ends_with("package.json"));
    let packages: BTreeSet<&str> = packages.map(|it| directory(&it.path)).collect();
    for manifest in files.manifests.iter().filter(|it| it.path.ends_with("package.json")) {
        let Ok(package) = serde_json::from_str::<serde_json::Value>(&manifest.it) else { continue };
        let folder = directory(&manifest.path);
        // A workspace installs into the folder of the one around it.
        let is_inner = packages.iter().any(|outer| *outer != folder && is_below(folder, outer));
        if is_inner || !has_packages(&package) {
            continue;
        }
        let place = Span::new(manifest.file, 0, 0);
        if files.ignored.lists.is_empty() {
            report(
                sink,
                NO_LIST,
                (place, "no list"),
                &[("name", "`node_modules`"), ("why", "packages are installed there")],
                &[],
            );
            continue;
        }
        for (name, is_directory, why) in written(files, manifest, &package) {
            let path = if folder == "." { name.to_owned() } else { format!("{folder}/{name}") };
            if files.ignored.leaves_out(&path, is_directory) {
                continue;
            }
            let list = nearest(files, folder);
            let span = list.map_or(place, |file| Span::new(file, 0, 0));
            let shown = format!("`{path}`");
            report(sink, NOT_LEFT_OUT, (span, &path), &[("name", &shown), ("why", why)], &[]);
        }
    }
}

/// Whether a variable may be a secret: bundlers put others into the page for everybody to read.
fn is_kept(name: &str) -> bool {
    const PUBLIC: &[&str] =
        &["VITE_", "NEXT_PUBLIC_", "REACT_APP_", "NUXT_PUBLIC_", "PUBLIC_", "EXPO_PUBLIC_", "VUE_APP_"];
    let is_known = matches!(
        name,
        "NODE_ENV" | "PORT" | "CI" | "MODE" | "BASE_URL" | "PROD" | "DEV" | "SSR" | "DEBUG" | "HOME" | "PATH"
    );
    !is_known && !PUBLIC.iter().any(|start| name.starts_with(start))
}

/// The list that lies nearest around a folder.
fn nearest(files: &Workspace, folder: &str) -> Option<crate::text::FileId> {
    let around = |path: &str| {
        let of = directory(path);
        (of == folder || is_below(folder, of)).then(|| if of == "." { 0 } else { of.len() })
    };
    files
        .ignored
        .lists
        .iter()
        .filter_map(|list| Some((around(&list.path)?, list.file)))
        .max_by_key(|it| it.0)
        .map(|it| it.1)
}

fn has_packages(package: &serde_json::Value) -> bool {
    ["dependencies", "devDependencies"].iter().any(|key| package[*key].as_object().is_some_and(|it| !it.is_empty()))
}

/// What tools of the project write, each with why it is there.
fn written(
    files: &Workspace,
    manifest: &Read<String>,
    package: &serde_json::Value,
) -> Vec<(&'static str, bool, &'static str)> {
    let mut found = vec![("node_modules", true, "packages are installed there")];
    let builds = package["scripts"]["build"].as_str().unwrap_or("");
    let bundles =
        ["vite build", "rollup", "webpack", "tsup", "parcel build", "nest build"].iter().any(|it| builds.contains(it));
    let is_output = package["main"].as_str().is_some_and(|main| main.trim_start_matches("./").starts_with("dist/"));
    if bundles || is_output {
        found.push(("dist", true, "what is built is written there"));
    }
    let folder = directory(&manifest.path);
    let is_own = |path: &str| is_below(path, folder);
    let loads = |key: &str| package[key].as_object().is_some_and(|it| it.contains_key("dotenv"));
    let reads = files.watched.iter().filter(|it| is_own(&it.path)).flat_map(|it| &it.sights);
    let reads = reads.into_iter().any(|sight| matches!(&sight.what, Seen::Variable { name, .. } if is_kept(name)));
    if loads("dependencies") || loads("devDependencies") || reads {
        found.push((".env", false, "the code reads variables that are kept there"));
    }
    found
}
