//! Endpoints that are not on a line of their own: set as code in an item, with several methods, in a sentence.

use super::{METHODS, first_line, in_text, template};
use crate::architect::document::Text;

/// `Route: /orders (GET, POST)`: a path with all its methods behind it.
pub(super) fn routed(line: &str) -> Vec<(String, String)> {
    let line = line.trim();
    let rest = line.split_once(':').filter(|(label, _)| !label.contains('/')).map_or(line, |(_, rest)| rest).trim();
    let Some((path, methods)) =
        rest.split_once([' ', '(', '[']).filter(|(path, _)| path.trim_matches('`').starts_with('/'))
    else {
        return Vec::new();
    };
    let methods: Vec<&str> = methods.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    if methods.is_empty() || !methods.iter().all(|it| METHODS.contains(it)) {
        return Vec::new();
    }
    methods.into_iter().map(|it| (it.to_owned(), template(path))).collect()
}

/// Endpoints that an item sets as code, where they are several or not in its first line: `` `POST /a/approve`, `POST /a/reject` ``.
pub(super) fn marked(text: &Text) -> Vec<(String, String)> {
    let found: Vec<(String, String)> = text
        .codes()
        .filter(|code| code.split_whitespace().count() == 2 && METHODS.iter().any(|it| code.starts_with(it)))
        .filter_map(|code| in_text(code).map(|(method, path, _)| (method, path)))
        .collect();
    if found.len() == 1 && in_text(first_line(&text.plain)).is_some() { Vec::new() } else { found }
}

/// Whether a method stands behind the beginning of a sentence: `The page asks for its rows with `GET /rows``.
pub(super) fn is_in_sentence(text: &str, method: &str) -> bool {
    let before = text.split(method).next().unwrap_or("");
    before.split_whitespace().count() >= 4 && !before.contains([':', '|', '→', '–', '—'])
}
