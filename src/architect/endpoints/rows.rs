//! Endpoints that a row of a table states: in columns for method and path, in one cell, or in a column for each method.

use super::marked::{LONGEST, stated};
use super::{METHODS, MOST, in_text, is_path, template};
use crate::architect::document::Text;
use crate::architect::notes::Notes;
use crate::architect::words;

/// What a row of a table says of endpoints.
#[derive(Default)]
pub(super) struct OfRow {
    pub(super) endpoints: Vec<(String, String)>,
    pub(super) said: String,
    pub(super) actor: String,
}

/// The endpoints of a row: columns for method and path, both in one cell, or a column for each method.
pub(super) fn of_row(head: &[Text], cells: &[Text]) -> OfRow {
    let is_svc = cells.first().is_some_and(|cell| cell.plain.trim().to_ascii_uppercase().starts_with("SVC-"));
    if is_svc {
        return OfRow::default();
    }
    let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
    let column = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
    let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", |cell| cell.plain.trim());
    let said = cell(column(&[
        "description",
        "purpose",
        "summary",
        "action",
        "notes",
        "what it does",
        "operation",
        "details",
        "function",
    ]))
    .to_owned();
    let actor = cell(column(&["role", "roles", "access", "auth", "actor", "who"])).to_owned();
    // `Old path | New endpoint`: endpoints that a cell states and nothing else are meant.
    let alone = |it: &&Text| METHODS.iter().any(|method| it.plain.trim().starts_with(method));
    let whole: Vec<(String, String)> = cells.iter().filter(alone).flat_map(|it| stated(&it.plain)).collect();
    if !whole.is_empty() {
        return OfRow { endpoints: whole, said, actor };
    }
    let holds_path = |it: &str| is_path(it.trim_matches('`')) && !it.contains(char::is_whitespace);
    let path =
        cell(column(&["endpoint", "path", "url", "route", "uri", "resource", "endpoints", "api", "api endpoint"]));
    // `FastAPI endpoint | Express endpoint`: the first is meant.
    let path = if holds_path(path) {
        path
    } else {
        cells.iter().map(|it| it.plain.trim()).find(|it| holds_path(it)).unwrap_or(path)
    };
    // `/orders (only open ones)`, `/orders · PUT /orders/:id`
    let (path, rest) = leading_paths(path);
    let paths = alternatives(path);
    let path = path.trim_matches('`');
    let method = cell(column(&["method", "http method", "verb", "http verb"])).trim_matches('`').to_ascii_uppercase();
    let mut methods: Vec<&str> = Vec::new();
    for it in method.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()) {
        if !methods.contains(&it) && methods.len() <= METHODS.len() {
            methods.push(it);
        }
    }
    if !methods.is_empty() && methods.iter().all(|it| METHODS.contains(it)) && (path.starts_with('/') || is_bare(path))
    {
        let paths = if paths.is_empty() { vec![template(path)] } else { paths };
        let each = methods.into_iter().flat_map(|method| paths.iter().map(|path| (method.to_owned(), path.clone())));
        return OfRow { endpoints: each.chain(stated(rest)).collect(), said, actor };
    }
    // `Endpoint | GET | POST` with a mark for each method that there is.
    let marked = |at: usize| {
        let mark = cell(Some(at));
        METHODS.contains(&head[at].plain.trim()) && !NONE.contains(&mark.to_ascii_lowercase().as_str())
    };
    let by_column: Vec<usize> = (0..head.len()).filter(|it| METHODS.contains(&head[*it].plain.trim())).collect();
    if by_column.len() >= 2 && holds_path(path) {
        let endpoints = by_column.into_iter().filter(|it| marked(*it));
        let endpoints = endpoints.map(|it| (head[it].plain.trim().to_owned(), template(path))).collect();
        return OfRow { endpoints, said, actor };
    }
    let all: Vec<(String, String)> = cells.iter().flat_map(|it| stated(&it.plain)).collect();
    let found = cells.iter().find_map(|cell| in_text(&cell.plain)).map(|(method, path, _)| (method, path));
    let endpoints = if all.len() > 1 { all } else { found.into_iter().collect() };
    OfRow { endpoints, said, actor }
}

/// The paths that a cell begins with, and the rest of the cell.
fn leading_paths(cell: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let mut end = 0;
    for token in cell.split_inclusive(char::is_whitespace) {
        let plain = token.trim().trim_matches(['`', ',', ';', '|', '·', '&']);
        // A space within braces is a part of the parameter: `{user id}`.
        let goes_on =
            depth > 0 || plain.is_empty() || ["/", "and", "or"].contains(&plain) || is_path(plain) || is_bare(plain);
        if !goes_on {
            break;
        }
        depth = (depth + plain.matches(['{', '<']).count()).saturating_sub(plain.matches(['}', '>']).count());
        end += token.len();
    }
    // A cell that begins with something else is a path as a whole, or none.
    if end == 0 { (cell, "") } else { (cell[..end].trim(), &cell[end..]) }
}

/// The paths of a cell that holds several paths and no other words. A path of one segment replaces the last segment of the first path
/// where this last segment stands behind a parameter: `` `/orders/{id}/approve` · `/reject` `` are `/orders/{id}/approve` and
/// `/orders/{id}/reject`.
fn alternatives(cell: &str) -> Vec<String> {
    let is_name = |it: &&str| !["·", "|", "/", "&", "and", "or", ","].contains(it);
    let tokens: Vec<&str> = cell
        .split_whitespace()
        .filter(is_name)
        .map(|it| it.trim_matches(['`', ',', ';', '|', '·']))
        .take(MOST + 1)
        .collect();
    let is_whole = |it: &&str| it.len() <= LONGEST && is_path(it);
    if !(2..=MOST).contains(&tokens.len()) || !tokens.iter().all(is_whole) {
        return Vec::new();
    }
    let paths: Vec<String> = tokens.into_iter().map(template).collect();
    let stem = paths[0].rsplit_once('/').map_or("", |it| it.0).to_owned();
    let joined = |path: &String| {
        let is_end = path.matches('/').count() == 1 && !path.contains('{') && stem.ends_with('}');
        let is_above = paths[0].strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'));
        if is_end && !is_above { format!("{stem}{path}") } else { path.clone() }
    };
    std::iter::once(paths[0].clone()).chain(paths.iter().skip(1).map(joined)).collect()
}

/// Whether a cell for a path holds one without its first stroke: `api/orders`.
pub(super) fn is_bare(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/_-".contains(c);
    let segment = |it: &str| it.starts_with(['{', ':']) || !it.is_empty() && it.chars().all(plain);
    path.contains('/') && !NONE.contains(&path) && path.split('/').all(segment)
}

/// Marks and words of a cell that say no.
const NONE: &[&str] = &["", "-", "–", "—", "no", "n", "✗", "✘", "❌", "×", "n/a", "none"];

/// The service that a row names in a column headed `Service` or `Owner`.
pub(super) fn of_columns(notes: &Notes, head: &[Text], cells: &[Text]) -> Option<String> {
    let at = head.iter().position(|cell| {
        ["service", "microservice", "owner", "provider"].contains(&words::split(&cell.plain).join(" ").as_str())
    })?;
    notes.service_in(&cells.get(at)?.plain).map(str::to_owned)
}
