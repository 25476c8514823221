//! Engine `claims`: what documents say of a project, against what there is.

use std::collections::BTreeSet;

use super::KindInfo;
use super::place::report;
use crate::finding::{Severity, Sink};
use crate::project::{Imported, Project};
use crate::technologies::is_absent;
use crate::workspace::{Item, directory, resolve};

/// It has no parameters: a rule says which kinds it reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {}

const MISMATCH: &str = "mismatch";
const ABSENT_TECHNOLOGY: &str = "absent-technology";
const UNPROVEN: &str = "unproven";
const MISSING_FILE: &str = "missing-file";

const GAPS: &[&str] = &["text", "name", "path"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(MISMATCH, Severity::Warning, "a comparison of claims with the code found a difference"),
    kind(ABSENT_TECHNOLOGY, Severity::Warning, "no manifest names a technology that the requirements do"),
    kind(UNPROVEN, Severity::Warning, "a requirement is ticked and nothing shows that it holds"),
    kind(MISSING_FILE, Severity::Warning, "a task is complete and a file of it is not there"),
];

pub(super) fn judge(_: &Claims, project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    for document in &files.mismatches {
        for it in &document.it {
            report(sink, MISMATCH, (it.span, &it.text), &[("text", &it.text)], &[]);
        }
    }
    if sink.wants(ABSENT_TECHNOLOGY) {
        technologies(project, sink);
    }
    if sink.wants(UNPROVEN) {
        requirements(project, sink);
    }
    if sink.wants(MISSING_FILE) {
        tasks(project, sink);
    }
}

fn technologies(project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    let manifests: Vec<(&str, &str)> = files.manifests.iter().map(|it| (it.path.as_str(), it.it.as_str())).collect();
    for document in &files.requirements {
        let mut told = BTreeSet::new();
        for (word, span) in &document.it.technologies {
            if is_absent(word, &manifests) && told.insert(word.to_lowercase()) {
                report(sink, ABSENT_TECHNOLOGY, (*span, word), &[("name", &format!("`{word}`"))], &[]);
            }
        }
    }
}

fn requirements(project: &Project, sink: &mut Sink<'_>) {
    let rows = verified_rows(project);
    let wires = held_wirings(project);
    for document in &project.workspace.requirements {
        for item in document.it.items.iter().filter(|it| it.is_ticked) {
            let mut shown = named(item);
            let is_shown = document.it.passed.contains(&item.id)
                || shown.any(|id| rows.contains(&id) || document.it.passed.contains(&id))
                || wires
                    .iter()
                    .any(|(source, target)| item.text.contains(source.as_str()) && item.text.contains(target.as_str()));
            if !is_shown {
                let name = format!("`{}`", item.id);
                report(sink, UNPROVEN, (item.span, &item.id), &[("name", &name)], &[]);
            }
        }
    }
}

/// Rows of tables that an item names, itself included.
fn named(item: &Item) -> impl Iterator<Item = String> {
    item.text
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| ["SVC-", "WIRE-", "TEST-", "INT-"].iter().any(|start| word.starts_with(start)))
        .map(str::to_owned)
}

/// Rows of requirements that an operation answers whose code is known.
fn verified_rows(project: &Project) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for link in project.table_links.iter().filter(|link| !link.unrelated) {
        let declared = &project.contracts[link.contract].operations;
        for pair in link.pairs.iter().filter(|pair| !pair.served.is_empty()) {
            found.extend(declared[pair.declared].id.clone());
        }
    }
    found
}

/// Modules of contracts about wiring of which one imports from the other all that it is to.
fn held_wirings(project: &Project) -> Vec<(String, String)> {
    let wirings = project.contracts.iter().filter_map(|contract| contract.wiring.as_ref());
    let held = wirings.flat_map(|wiring| &wiring.imports).filter(|wire| {
        let facts = project.wired.get(&wire.source);
        facts.is_some_and(|facts| {
            wire.names.iter().all(|name| {
                matches!(facts.imports.get(&(wire.target.clone(), name.name.clone())), Some(Imported::Used))
            })
        })
    });
    held.map(|wire| (wire.source.clone(), wire.target.clone())).collect()
}

fn tasks(project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    if files.listing.is_empty() {
        return;
    }
    for document in &files.tasks {
        let folder = directory(&document.path);
        for task in document.it.iter().filter(|task| task.is_complete) {
            for (path, span) in &task.files {
                let plain = path.trim_start_matches('/');
                let around = std::iter::successors(Some(folder), |folder| {
                    (*folder != "." && *folder != "/").then(|| directory(folder))
                });
                let is_there = around.filter_map(|folder| resolve(folder, plain)).any(|path| files.listing.has(&path))
                    || files.listing.ending(plain.trim_start_matches("./")).0.is_some()
                    || files.ignored.leaves_out(plain, false);
                if !is_there {
                    let (name, shown) = (format!("`{}`", task.id), format!("`{path}`"));
                    let values = [("name", name.as_str()), ("path", &shown)];
                    report(
                        sink,
                        MISSING_FILE,
                        (*span, &format!("{} {path}", task.id)),
                        &values,
                        &[(task.span, "complete, as this says")],
                    );
                }
            }
        }
    }
}
