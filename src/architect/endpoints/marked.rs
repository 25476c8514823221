//! Endpoints that are not on a line of their own: several in an item, a cell or a sentence, with several methods, in drawings.

use super::{METHODS, first_line, in_text, is_path, template};
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

/// Endpoints that an item states where they are several or not in its first line: `` `POST /a/approve`, `POST /a/reject` ``.
pub(super) fn marked(text: &Text) -> Vec<(String, String)> {
    let found = stated(&text.plain);
    if found.len() == 1 && in_text(first_line(&text.plain)).is_some() { Vec::new() } else { found }
}

/// Endpoints that a text sets as code wherever in its sentences.
pub(super) fn coded(text: &Text) -> Vec<(String, String)> {
    text.codes().filter(|it| METHODS.iter().any(|method| it.starts_with(method))).flat_map(stated).collect()
}

/// How many last segments one path may list: `/codes/reserve|release` lists two.
const SEVERAL: usize = 20;

/// Longer words are no paths, in bytes.
pub(super) const LONGEST: usize = 500;

/// All endpoints that a text states, each a method right before its path: `GET/POST /orders and DELETE /orders/{id}`. Several methods
/// before one path are an endpoint each, as are several last segments: `POST /codes/reserve|release`.
pub(super) fn stated(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for token in text.split_whitespace() {
        let named = methods(token);
        if !named.is_empty() {
            open.extend(named.into_iter().filter(|it| !open.contains(it)).collect::<Vec<_>>());
        } else if token.len() <= LONGEST && is_path(tidy(token)) {
            let path = tidy(token);
            let path = path.split(['?', '#']).next().unwrap_or(path);
            let (stem, last) = path.rsplit_once('/').unwrap_or(("", ""));
            // `{id|slug}` is one parameter.
            let one = last.contains(['{', '<', '[', ':']);
            let ends: Vec<&str> = if one { vec![last] } else { last.split('|').take(SEVERAL).collect() };
            for method in open.drain(..) {
                let each = ends.iter().filter(|it| ends.len() == 1 || !it.is_empty());
                found.extend(each.map(|it| (method.to_owned(), template(&format!("{stem}/{it}")))));
            }
        } else if !["and", "or", "/", "|", "&", "`", "on"].contains(&token) {
            open.clear();
        }
    }
    found
}

/// The HTTP methods that a word names: `GET`, `PUT/PATCH`, `A[GET` in a diagram.
fn methods(token: &str) -> Vec<&str> {
    let token =
        token.rsplit(['[', '(', '"', '>']).next().unwrap_or(token).trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let found: Vec<&str> = token.split(['/', '|', ',']).collect();
    if found.iter().all(|it| METHODS.contains(it)) { found } else { Vec::new() }
}

/// A path without marks around and without what stands right behind: `/orders(body)`, `/orders<br/>lists`.
fn tidy(token: &str) -> &str {
    let token = token.trim_start_matches(|c: char| "`*(\"'|".contains(c));
    let end = token.find(['(', ')', '`', '"', ',', ';']).unwrap_or(token.len());
    let end = ["<br", "->"].iter().filter_map(|it| token.find(it)).fold(end, usize::min);
    let token = token[..end].trim_end_matches(['.', ':', '-', '–', '—', '|', '\'', '*']);
    if token.contains('[') { token } else { token.trim_end_matches(']') }
}

/// Whether a method stands behind the beginning of a sentence: `The page asks for its rows with `GET /rows``.
pub(super) fn is_in_sentence(text: &str, method: &str) -> bool {
    let before = text.split(method).next().unwrap_or("");
    before.split_whitespace().count() >= 4 && !before.contains([':', '|', '→', '–', '—'])
}
