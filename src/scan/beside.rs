//! Files other than code and contracts that the rules of a run look at: which are read, and what is seen in them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::gather::{MAX_SOURCE_BYTES, Tree};
use super::lower::{Commented, crashed};
use super::paths::is_test;
use super::places::Places;
use super::store::{Store, Text};
use super::suppress::MARK;
use super::walk::Candidate;
use crate::finding::Problem;
use crate::languages::sights::{markup_comments, read_markup, read_styles, style_comments};
use crate::model::Sight;
use crate::text::{FileId, SourceFile, Sources};
use crate::workspace::{Kind, Wants, Watched, Workspace, directory, line_comments};

/// Files of variables as tools read them without being told.
const ENVIRONMENTS: &[&str] =
    &[".env", ".env.local", ".env.development", ".env.production", ".env.example", ".env.sample", ".env.template"];

/// Reads the files that rules look at besides; of variables, those too that git leaves out.
pub(super) fn read(
    (store, places, wants): (&Store, &Places, Wants),
    mut files: Vec<(Candidate, Kind)>,
    tree: &mut Tree,
    sources: &mut Sources,
) {
    files.sort_by(|a, b| a.0.shown.cmp(&b.0.shown));
    files.dedup_by(|a, b| a.0.shown == b.0.shown);
    for (candidate, kind) in &files {
        one(store, candidate, *kind, tree, sources);
    }
    if !wants.deployment {
        return;
    }
    let beside = files.iter().filter(|(_, kind)| !matches!(kind, Kind::Styles | Kind::Markup));
    let mut folders: BTreeSet<String> = beside.map(|(it, _)| directory(&it.shown).to_owned()).collect();
    folders.extend(tree.manifests.iter().cloned().chain(tree.roots.iter().cloned()));
    let usual = folders.iter().flat_map(|folder| ENVIRONMENTS.iter().map(move |name| format!("{folder}/{name}")));
    let named = tree.workspace.composes.iter().flat_map(|it| &it.it.services).flat_map(|it| &it.env_files);
    let wanted: BTreeSet<String> = usual.chain(named.map(|(path, _)| path.clone())).collect();
    for path in wanted {
        let path = places.absolute(path.trim_start_matches("./"));
        let shown = places.shown(&path);
        let is_known = tree.workspace.environments.iter().any(|it| it.path == shown);
        if is_known || !places.is_held(&path) || !store.has(&path) {
            continue;
        }
        let candidate = Candidate { name: store.name(&path, places), path, shown, is_test: false };
        one(store, &candidate, Kind::Environment, tree, sources);
    }
}

fn one(store: &Store, it: &Candidate, kind: Kind, tree: &mut Tree, sources: &mut Sources) {
    match store.read(&it.path, &it.name, MAX_SOURCE_BYTES) {
        Ok(Text { text, flaw }) => {
            tree.problems.extend(flaw);
            let file = sources.add(SourceFile::new(it.name.clone(), text));
            let text = sources.get(file).text.clone();
            take(tree, kind, (file, &it.shown, it.is_test), &text);
        }
        Err(problem) => tree.problems.push(problem),
    }
}

/// Takes in a file that a rule looks at besides.
pub(super) fn add(tree: &mut Tree, sources: &mut Sources, (path, text): (&str, &str), wants: Wants) {
    tree.workspace.listing.add(path);
    if tree.workspace.roots.is_empty() {
        tree.workspace.roots.push(".".to_owned());
    }
    let Some(kind) = Kind::of(path).filter(|kind| kind.is_wanted(wants)) else { return };
    let file = sources.add(SourceFile::new(path, text));
    take(tree, kind, (file, path, is_test(path)), text);
}

fn take(tree: &mut Tree, kind: Kind, (file, path, is_test): (FileId, &str, bool), text: &str) {
    let found = tree.workspace.add(kind, (file, path, is_test), text);
    tree.problems.extend(found);
    if matches!(kind, Kind::Styles | Kind::Markup) {
        let watched = Watched { file, path: path.to_owned(), is_test, kind: Some(kind), sights: Vec::new() };
        tree.workspace.watched.push(watched);
    }
}

/// The files that rules look at besides, with what is seen in code, pages and stylesheets. A file that makes its reader fail costs
/// itself only.
pub(super) fn look(now: &mut Tree, seen: Vec<Vec<Sight>>, sources: &Sources, problems: &mut Vec<Problem>) -> Workspace {
    let mut workspace = std::mem::take(&mut now.workspace);
    let crashes = workspace.watched.par_iter_mut().filter_map(|watched| {
        let text = &sources.get(watched.file).text;
        let read = || match watched.kind {
            Some(Kind::Styles) => read_styles(watched.file, text),
            Some(Kind::Markup) => read_markup(watched.file, text),
            _ => Vec::new(),
        };
        let sights = catch_unwind(AssertUnwindSafe(read));
        let crash = sights.is_err().then(|| crashed(&sources.get(watched.file).path));
        watched.sights = sights.unwrap_or_default();
        crash
    });
    problems.extend(crashes.collect::<Vec<Problem>>());
    let code = now.code.iter().zip(seen).filter(|(_, sights)| !sights.is_empty());
    workspace.watched.extend(code.map(|(code, sights)| Watched {
        file: code.file,
        path: code.path.clone(),
        is_test: code.is_test,
        kind: None,
        sights,
    }));
    workspace.watched.sort_by(|a, b| a.path.cmp(&b.path));
    workspace
}

/// The files that rules look at besides whose comments may say something to treaty.
pub(super) fn commented(workspace: &Workspace, sources: &Sources) -> Vec<Commented> {
    let text = |file: FileId| sources.get(file).text.as_ref();
    let of = |kind: Kind, file: FileId| match kind {
        Kind::Styles => style_comments(text(file)),
        Kind::Markup | Kind::Requirements | Kind::Tasks | Kind::Reconciliation => markup_comments(text(file)),
        _ => line_comments(text(file)),
    };
    let files = workspace.files.iter().filter(|(_, file)| text(*file).contains(MARK));
    files.map(|(kind, file)| (*file, of(*kind, *file))).collect()
}
