//! Endpoints whose methods stand below their path: in trees of paths, in YAML of OpenAPI, in lists.

use super::marked::LONGEST;
use super::{METHODS, template};
use crate::architect::document::{Document, Kind};

/// The endpoints of an outline: below a path and further to the right stand its methods (`POST`, `get:`) or longer paths. Each endpoint
/// comes with the number of its line and its remark; there are none where the lines are no outline of paths.
pub(super) fn of_lines(text: &str) -> Vec<(u32, (String, String), String)> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in (0..).zip(text.lines()) {
        let said = line.trim_start_matches(|c: char| c.is_whitespace() || "│├└─┬|-".contains(c));
        if said.trim().is_empty() {
            continue;
        }
        let indent = line.chars().count() - said.chars().count();
        open.retain(|(above, _)| *above < indent);
        if let Some(path) = path(said) {
            let above = open.last().map_or("", |it| it.1.as_str());
            let whole = if path.starts_with(above) { path.to_owned() } else { format!("{above}{path}") };
            if whole.len() <= LONGEST {
                open.push((indent, whole));
            }
        } else if let (Some(method), Some((_, path))) = (method(said), open.last()) {
            let rest = said.split_once([' ', ':']).map_or("", |it| it.1).trim();
            found.push((at, (method, template(path)), rest.to_owned()));
        }
    }
    if found.len() >= 2 { found } else { Vec::new() }
}

/// The endpoint of an item that begins with a method and stands below an item that begins with a path.
pub(super) fn of_item(document: &Document, at: usize) -> Option<(String, String)> {
    let said = |at: usize| match &document.blocks[at].kind {
        Kind::Item(text, _) => Some(text.plain.trim()),
        _ => None,
    };
    let method = method(said(at)?)?;
    let path = path(said(document.parent(at)?)?)?;
    Some((method, template(path)))
}

/// The path that a line consists of, or begins with: `/orders:`, `/orders – all orders`.
fn path(line: &str) -> Option<&str> {
    let first = line.split_whitespace().next()?.trim_matches(['`', '"', '\'', ':', '*']);
    let states = line.split_whitespace().any(|it| METHODS.contains(&it.trim_matches(|c: char| !c.is_alphanumeric())));
    let names =
        first.strip_prefix('/').is_some_and(|it| it.starts_with(|c: char| c.is_alphanumeric() || "{:<".contains(c)));
    (names && !states).then_some(first)
}

/// The method that a line begins with: `POST, a new order`, `get:`.
fn method(line: &str) -> Option<String> {
    let first = line.split_whitespace().next()?;
    let bare = first.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let key = first.ends_with(':').then(|| bare.to_ascii_uppercase());
    let method = key.unwrap_or_else(|| bare.to_owned());
    METHODS.contains(&method.as_str()).then_some(method)
}
