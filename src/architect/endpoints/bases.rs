//! Paths that are said from where a heading leaves off: `GET /` and `DELETE /:id` below ``Orders (`/api/orders`)``.

use std::ops::Range;

use super::halves::path_of_title;
use super::marked::LONGEST;
use crate::architect::document::Document;
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
        Self(sections.collect())
    }

    /// The path of the heading above a line, where a path that is said there may leave it out.
    pub(super) fn before(&self, line: u32, path: &str) -> Option<&str> {
        let (base, _) = self.0.iter().rev().find(|it| it.1.contains(&line))?;
        let begins = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        (!begins(base) && !begins("/api")).then_some(base.as_str())
    }

    /// Puts the paths of headings before those below, in a text where one of the paths below is none of its own.
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

/// Whether a path cannot stand alone: `/`, `/{id}`.
fn is_partial(path: &str) -> bool {
    path == "/" || path.starts_with("/{")
}
