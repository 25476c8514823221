//! Services that tables list, a row each.

use rustc_hash::FxHashMap;

use super::names::{is_external, is_service_name, named};
use crate::architect::document::{Block, Document, Row, Text};
use crate::architect::notes::Notes;
use crate::architect::topics::{self, Topic};
use crate::architect::words;

/// What the head of a column of services says. Where a table has both, a context is the longer name of the service in its row.
const SERVICES: &[&str] = &["service", "services", "microservice", "service name", "microservices"];
const CONTEXTS: &[&str] = &["bounded context", "context"];

pub(super) fn read(document: &Document, block: &Block, head: &[Text], rows: &[Row], notes: &mut Notes) {
    let headed =
        |names: &[&str]| head.iter().position(|it| names.contains(&words::split(&it.plain).join(" ").as_str()));
    let Some(column) = headed(SERVICES).or_else(|| headed(CONTEXTS)) else { return };
    if head.len() < 2 && topics::topic(document, block.section) != Some(Topic::Services) {
        return;
    }
    let said = headed(&["responsibility", "responsibilities", "description", "purpose", "role", "owns"]);
    // Of tables about something else, many rows may belong to one service.
    let one_row_each = column == 0 && said.is_some() && !head.iter().any(is_of_parts);
    let names_one = |cell: &Text| is_service_name(cell.plain.trim()) || named(cell.plain.trim()).is_some();
    let naming = rows.iter().filter(|it| it.cells.get(column).is_some_and(names_one)).count();
    let mostly = naming >= 2 && naming * 2 >= rows.len();
    let mut rows_of: FxHashMap<String, u32> = FxHashMap::default();
    for row in rows {
        let Some(cell) = row.cells.get(column) else { continue };
        if said.is_none() && !mostly && !names_one(cell) {
            continue;
        }
        for name in names_in(cell) {
            let key = words::kebab(&name);
            if let Some(first) = rows_of.get(&key).filter(|_| one_row_each) {
                notes.issues.push(format!(
                    "WARNING: lines {first} and {} both describe a service `{key}`: they are taken for one; \
                     give one of them another name if they are two",
                    row.line
                ));
            }
            rows_of.entry(key).or_insert(row.line);
            let service = notes.service(&name, row.line);
            if service.description.is_empty()
                && let Some(cell) = said.and_then(|at| row.cells.get(at))
            {
                cell.plain.trim().clone_into(&mut service.description);
            }
            let cells = row.cells.iter().map(|cell| cell.plain.as_str());
            service.text.push_str(&(cells.collect::<Vec<_>>().join(" ") + "\n"));
        }
    }
}

/// The services that a cell names: one, or several in code, `` `shop-bff`, `ops-bff` ``.
fn names_in(cell: &Text) -> Vec<String> {
    let codes: Vec<&str> = cell.codes().collect();
    if codes.len() > 1 && cell.plain.split([',', '/', ' ', '\n']).all(|it| it.is_empty() || codes.contains(&it)) {
        return codes.into_iter().map(str::to_owned).collect();
    }
    // `**Core API** ([`backend/`](../backend/))`
    let plain = cell.plain.split('(').next().unwrap_or("").trim();
    let fits = (1..=4).contains(&words::split(plain).len()) && !plain.contains(['/', ',']) && !is_external(plain);
    if fits { vec![named(plain).unwrap_or_else(|| plain.to_owned())] } else { Vec::new() }
}

/// Whether a column tells of parts of a service: its operations, its data, its messages.
fn is_of_parts(cell: &Text) -> bool {
    let parts =
        ["method", "path", "endpoint", "route", "operation", "entity", "field", "event", "topic", "channel", "table"];
    words::split(&cell.plain).iter().any(|it| parts.contains(&it.trim_end_matches('s')))
}
