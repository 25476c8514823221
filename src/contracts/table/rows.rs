//! Tables of Markdown: lines to cells with their places, columns by their headers.

use super::{REGISTRY, Registered};
use crate::model::name_key;
use crate::text::{FileId, Span};

/// A part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Cell {
    pub(super) fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// A row of the table of services; a column that it lacks is none.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: Cell,
    pub(super) endpoint: Option<Cell>,
    pub(super) method: Option<Cell>,
    pub(super) request: Option<Cell>,
    pub(super) response: Option<Cell>,
    pub(super) cells: usize,
}

/// What a document holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) services: Vec<Row>,
    /// Lines below the heading of the registry: where each begins and ends.
    pub(super) registry: Vec<Cell>,
}

/// Where the columns of a table are.
#[derive(Clone, Debug, Default)]
struct Columns {
    endpoint: Option<usize>,
    method: Option<usize>,
    request: Option<usize>,
    response: Option<usize>,
}

pub(super) fn read(text: &str) -> Found {
    let mut found = Found::default();
    let mut columns: Option<Columns> = None;
    let mut in_registry = false;
    let mut fenced = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        let trimmed = content.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        if trimmed.starts_with('#') {
            in_registry = trimmed.contains(REGISTRY);
        } else if trimmed == REGISTRY || trimmed.trim_matches(['*', ':']) == REGISTRY {
            in_registry = true;
        } else if in_registry && !trimmed.is_empty() {
            found.registry.push(Cell { start, end: start + content.len() });
        }
        if !trimmed.starts_with('|') {
            columns = None;
            continue;
        }
        let cells = cells(content, start);
        if id_of_line(content).is_none() {
            if !is_rule(trimmed) {
                columns = headers(text, &cells);
            }
            continue;
        }
        let columns = columns.clone().unwrap_or_else(|| by_count(cells.len()));
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).copied();
        found.services.push(Row {
            id: cells[0],
            endpoint: cell(columns.endpoint),
            method: cell(columns.method),
            request: cell(columns.request),
            response: cell(columns.response),
            cells: cells.len(),
        });
    }
    found
}

/// The first cell of a line, where it is `SVC-` and digits.
pub(super) fn id_of_line(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('|')?;
    let first = rest.split('|').next()?.trim().trim_matches(['`', '*']);
    let digits = first.get(..4).filter(|head| head.eq_ignore_ascii_case("SVC-")).and_then(|_| first.get(4..))?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(first)
}

/// `|---|:-:|`
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// The cells of a line without what is around them; `\|` separates nothing, and neither does a bar between braces. The
/// empty ones count.
fn cells(line: &str, start: usize) -> Vec<Cell> {
    let indent = line.len() - line.trim_start().len();
    let body = line.trim();
    let body_start = start + indent;
    let mut cells = Vec::new();
    let mut from = 1;
    let bytes = body.as_bytes();
    let braces = braces(bytes);
    let mut at = 1;
    while at <= bytes.len() {
        let ends = at == bytes.len();
        if !ends && bytes[at] == b'\\' {
            at = (at + 2).min(bytes.len());
            continue;
        }
        if let Ok(found) = braces.binary_search_by_key(&at, |(opening, _)| *opening) {
            at = braces[found].1;
            continue;
        }
        if ends || bytes[at] == b'|' {
            // Behind the last bar there is no cell.
            if !(ends && body[from.min(body.len())..].trim().is_empty()) {
                let raw = &body[from..at.min(body.len())];
                let lead = raw.len() - raw.trim_start().len();
                let begin = body_start + from + lead;
                cells.push(Cell { start: begin, end: begin + raw.trim().len() });
            }
            from = at + 1;
        }
        at += 1;
    }
    if cells.is_empty() {
        cells.push(Cell { start: body_start, end: body_start + body.len() });
    }
    cells
}

/// Where the outermost balanced braces of a line open and close. One that is never closed opens nothing.
fn braces(line: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut open = Vec::new();
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => {
                let Some(opening) = open.pop() else { continue };
                while found.last().is_some_and(|(inner, _)| *inner > opening) {
                    found.pop();
                }
                found.push((opening, at));
            }
            _ => {}
        }
    }
    found
}

/// The columns that headers name; none where they do not say where requests and responses are.
fn headers(text: &str, cells: &[Cell]) -> Option<Columns> {
    let mut columns = Columns::default();
    for (at, cell) in cells.iter().enumerate() {
        let name = name_key(cell.text(text));
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let place = if has(&["frontend", "client", "function", "servicemethod", "handler"]) {
            continue;
        } else if has(&["request", "input", "payload"]) {
            &mut columns.request
        } else if has(&["response", "output", "returns"]) {
            &mut columns.response
        } else if has(&["endpoint", "path", "url", "route"]) {
            &mut columns.endpoint
        } else if has(&["method", "verb"]) {
            &mut columns.method
        } else {
            continue;
        };
        place.get_or_insert(at);
    }
    (columns.endpoint.is_some() && columns.response.is_some()).then_some(columns)
}

/// The columns of a row without headers: 5 cells from the id on, 6 with the caller, 7 with the caller and the function.
fn by_count(cells: usize) -> Columns {
    let (endpoint, method, request) = match cells {
        0..=4 => return Columns::default(),
        5 => (1, 2, 3),
        6 => (2, 3, 4),
        _ => (4, 3, 5),
    };
    Columns { endpoint: Some(endpoint), method: Some(method), request: Some(request), response: Some(request + 1) }
}

/// The fields of a registry: rows of a table (entity, field, states, transitions, by their headers), or items
/// `- Order.status: draft, paid`.
pub(super) fn registry(text: &str, file: FileId, lines: &[Cell]) -> Vec<Registered> {
    let mut found = Vec::new();
    let mut columns: Option<Vec<String>> = None;
    for line in lines {
        let content = line.text(text);
        let trimmed = content.trim();
        let span = |cell: &Cell| Span::new(file, cell.start, cell.end);
        if trimmed.starts_with('|') {
            let cells = cells(content, line.start);
            if is_rule(trimmed) {
                continue;
            }
            let Some(names) = &columns else {
                columns = Some(cells.iter().map(|cell| name_key(cell.text(text))).collect());
                continue;
            };
            let of = |words: &[&str]| {
                let at = names.iter().position(|name| words.iter().any(|word| name.contains(word)));
                at.and_then(|at| cells.get(at)).copied()
            };
            let entity = of(&["entity", "model", "table", "resource"]);
            let states = of(&["state", "value", "status"]).filter(|cell| Some(*cell) != entity);
            let field = of(&["field", "column", "property", "attribute"]);
            let transitions = of(&["transition"]).map(|cell| transitions(cell.text(text))).unwrap_or_default();
            // `Order.status` in one cell names both.
            let word = |cell: Option<Cell>| cell.map(|cell| super::plain(cell.text(text))).unwrap_or_default();
            let (mut model, mut name) = (word(entity), word(field));
            if let Some((outer, inner)) = model.clone().split_once('.').or(name.clone().split_once('.')) {
                (model, name) = (outer.to_owned(), inner.to_owned());
            }
            if name.is_empty() {
                "status".clone_into(&mut name);
            }
            let listed = states.map(|cell| list(cell.text(text))).unwrap_or_default();
            if !listed.is_empty() {
                let place = entity.or(field).unwrap_or(*line);
                found.push(Registered { model, field: name, states: listed, transitions, span: span(&place) });
            }
            continue;
        }
        columns = None;
        let Some(item) = trimmed.strip_prefix(['-', '*']) else { continue };
        let Some((name, states)) = item.split_once(':') else { continue };
        let Some((model, field)) = super::plain(name).split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())) else {
            continue;
        };
        let (states, moves) = states.split_once(';').unwrap_or((states, ""));
        let states = list(states);
        if !states.is_empty() {
            let transitions = transitions(moves);
            found.push(Registered { model, field, states, transitions, span: span(line) });
        }
    }
    found
}

/// `draft, paid | "sent"`
fn list(text: &str) -> Vec<String> {
    let parts = text.split([',', '|', '/']).map(|part| {
        part.trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '\\' | '*' | '{' | '}' | '[' | ']')
        })
    });
    parts.filter(|part| !part.is_empty() && !part.contains("->")).map(str::to_owned).collect()
}

/// `draft -> paid, paid → sent -> closed`
fn transitions(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for chain in text.replace('→', "->").split([',', ';']) {
        let states: Vec<&str> = chain.split("->").collect();
        for pair in states.windows(2) {
            if let (Some(from), Some(to)) = (list(pair[0]).first(), list(pair[1]).first()) {
                found.push((from.clone(), to.clone()));
            }
        }
    }
    found
}
