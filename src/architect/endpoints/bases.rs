//! Paths of endpoints that go on from the path of the heading above: `GET /` and `DELETE /:id` below ``Orders (`/api/orders`)``.

use std::ops::Range;

use super::halves::path_of_title;
use super::marked::LONGEST;
use super::template;
use crate::architect::document::{Document, Kind};
use crate::architect::notes::Notes;

/// The paths that headings say, each with the lines below its heading.
pub(super) struct Bases(Vec<(String, Range<u32>)>);

impl Bases {
    pub(super) fn of(document: &Document) -> Self {
        let sections = document.sections.iter().enumerate().filter_map(|(at, section)| {
            let path = path_of_title(&section.title).filter(|it| it.len() <= LONGEST && !is_partial(it))?;
            let end = document.sections[at + 1..].iter().find(|it| it.level <= section.level);
            Some((path, section.line..end.map_or(u32::MAX, |it| it.line)))
        });
        let mut found: Vec<(String, Range<u32>)> = sections.collect();
        for block in document.blocks.iter().filter(|it| it.section != 0) {
            let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
            let Some(path) = text.plain.lines().find_map(labelled) else { continue };
            let level = document.sections[block.section].level;
            let end = document.sections[block.section + 1..].iter().find(|it| it.level <= level);
            found.push((path, block.line..end.map_or(u32::MAX, |it| it.line)));
        }
        // The last of those around a line is the nearest.
        found.sort_by_key(|it| it.1.start);
        Self(found)
    }

    /// The path of the heading above a line, where the path of an endpoint on this line may leave out the path of the heading.
    /// A path below `/api` is whole.
    pub(super) fn before(&self, line: u32, path: &str) -> Option<&str> {
        let (base, _) = self.0.iter().rev().find(|it| it.1.contains(&line))?;
        let begins = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        (!begins(base) && !begins("/api")).then_some(base.as_str())
    }

    /// Puts the paths of headings before the paths of the endpoints below, in a text where one of these endpoints has only the
    /// rest of a path.
    pub(super) fn join(&self, notes: &mut Notes) {
        let left_out = |path: &str, line: u32| is_partial(path) && self.before(line, path).is_some();
        if !notes.operations.iter().any(|it| it.endpoint.as_ref().is_some_and(|(_, path)| left_out(path, it.line))) {
            return;
        }
        for note in notes.operations.iter_mut().filter(|it| !it.guessed) {
            let Some((_, path)) = &mut note.endpoint else { continue };
            let Some(base) = self.before(note.line, path) else { continue };
            *path = if path == "/" { base.to_owned() } else { format!("{base}{path}") };
        }
    }
}

/// The path of a line that says where endpoints begin: `Base path: /api/orders`. `/api/v1` alone belongs to all of a text.
fn labelled(line: &str) -> Option<String> {
    let (label, said) = line.split_once(':')?;
    let label = label.trim().to_ascii_lowercase();
    let path = said.trim().trim_matches('`');
    let is_base = ["base path", "base url", "base route", "prefix", "route prefix", "base"].contains(&label.as_str());
    let fits = is_base && path.starts_with('/') && path.len() <= LONGEST && !path.contains(char::is_whitespace);
    let names = |it: &str| it.len() > 3 && it != "api";
    (fits && path.split('/').any(names) && !is_partial(path)).then(|| template(path))
}

/// Whether a path cannot stand alone: `/`, `/{id}`.
fn is_partial(path: &str) -> bool {
    path == "/" || path.starts_with("/{")
}
