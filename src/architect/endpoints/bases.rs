//! Paths of endpoints that go on from the path of the heading above: `GET /` and `DELETE /:id` below ``Orders (`/api/orders`)``.

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

/// Whether a path cannot stand alone: `/`, `/{id}`.
fn is_partial(path: &str) -> bool {
    path == "/" || path.starts_with("/{")
}
