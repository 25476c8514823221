//! What is not scanned by its name or because git leaves it out, and holds a contract or sets up an application: counted, so
//! that nobody takes it for judged.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::gather::head;
use super::paths::FOREIGN;
use super::places::Places;
use super::revision::tracked_and_ignored;
use super::store::Store;
use super::walk::{Candidate, is_document};
use crate::contracts;
use crate::frameworks;
use crate::languages::Language;
use crate::model::program::ImportStyle;

/// Files of skipped folders that are looked into; the summary says that there are more.
const MAX_LOOKED_INTO: usize = 2_000;

/// What was not scanned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Documents that are contracts by their content.
    pub contracts: usize,
    /// Source files that set up a web application.
    pub applications: usize,
    /// The first of all, by name.
    pub first: Option<String>,
    /// Not all was looked into.
    pub is_cut: bool,
}

/// Counts what tests, folders of what is built, and lists of what git leaves out hide.
pub(super) fn count(
    store: &Store,
    start: &Path,
    places: &Places,
    (tests, folders): (&[&Candidate], &[PathBuf]),
    skipped: &mut Skipped,
) {
    if matches!(store, Store::Revision(_)) {
        return;
    }
    let mut left = MAX_LOOKED_INTO;
    for candidate in tests {
        look_into(&store.place(&candidate.path), &candidate.shown, &mut left, skipped);
    }
    for folder in folders {
        let walk = WalkBuilder::new(folder)
            .standard_filters(false)
            .follow_links(false)
            .filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                !(entry.file_type().is_some_and(|kind| kind.is_dir()) && FOREIGN.contains(&name.as_ref()))
            })
            .sort_by_file_name(Ord::cmp)
            .build();
        for entry in walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
            look_into(entry.path(), &places.shown(entry.path()), &mut left, skipped);
        }
    }
    for path in tracked_and_ignored(&store.place(start)) {
        look_into(&path, &places.shown(&path), &mut left, skipped);
    }
}

fn look_into(path: &Path, shown: &str, left: &mut usize, skipped: &mut Skipped) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let language = Language::by_path(&name);
    if language.is_none() && !is_document(&name) {
        return;
    }
    if *left == 0 {
        skipped.is_cut = true;
        return;
    }
    *left -= 1;
    let Some(text) = head(path) else { return };
    match language {
        Some(language) if sets_up_application(&text, language) => skipped.applications += 1,
        None if contracts::sniff(shown, &text) => skipped.contracts += 1,
        _ => return,
    }
    if skipped.first.as_ref().is_none_or(|first| shown < first.as_str()) {
        skipped.first = Some(shown.to_owned());
    }
}

/// Whether a text imports a web framework and calls what makes an application of it.
fn sets_up_application(text: &str, language: Language) -> bool {
    let style = match language {
        Language::Python => ImportStyle::Dotted,
        Language::CSharp => ImportStyle::Namespace,
        _ => ImportStyle::Path,
    };
    let ours = frameworks::ALL.iter().filter(|framework| framework.library.language == Some(style));
    ours.into_iter().any(|framework| {
        let imports = style == ImportStyle::Namespace || framework.packages.iter().any(|name| text.contains(name));
        imports && framework.library.application_words.iter().any(|word| calls(text, word))
    })
}

/// Whether a text has a word with an opening bracket behind it.
fn calls(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(is_word) && text[at + word.len()..].starts_with(['(', '<'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_is_told_by_what_makes_it() {
        for (text, language, is_one) in [
            ("from fastapi import FastAPI\napp = FastAPI()\n", Language::Python, true),
            ("from fastapi.testclient import TestClient\n", Language::Python, false),
            ("import express from 'express';\nconst app = express();\n", Language::TypeScript, true),
            ("const regexpress = myexpress();\n", Language::TypeScript, false),
            ("var builder = WebApplication.CreateBuilder(args);\n", Language::CSharp, true),
        ] {
            assert_eq!(sets_up_application(text, language), is_one, "{text}");
        }
    }
}
