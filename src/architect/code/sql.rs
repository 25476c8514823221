//! Tables that statements of SQL make, and relations that their columns refer to.

use super::{Found, balanced, split};
use crate::architect::notes::{FieldNote, RelationNote};
use crate::architect::{fields, words};

/// `CREATE TABLE users (id SERIAL, …)`, `users (id SERIAL, …)`
pub(super) fn sql(text: &str, line: u32, found: &mut Vec<Found>) {
    // A bracket or a comma in a comment is none of the statement.
    let text = &without_comments(text);
    let mut rest = text.as_str();
    let mut passed = 0;
    while let Some(open) = rest.find('(') {
        let head = &rest[..open];
        let Some(length) = balanced(&rest[open..], '(', ')') else { return };
        let body = &rest[open + 1..open + length - 1];
        let name = head
            .split_whitespace()
            .last()
            .unwrap_or("")
            .rsplit('.')
            .next()
            .unwrap_or("")
            .trim_matches(['`', '"', '[', ']', '\'']);
        let before = head.lines().last().unwrap_or("").to_ascii_lowercase();
        let created =
            before.contains("create table") || before.trim_start_matches(['-', ' ', '*']).starts_with("table ");
        let at = line + 1 + text[..passed + open].matches('\n').count() as u32;
        let bare = before.split_whitespace().count() == 1 || created;
        if bare && fields::is_identifier(name) {
            let columns = sql_columns(body, at, name, found);
            let typed = columns.iter().filter(|it| created && !it.kind.is_empty() || fields::is_type(&it.kind)).count();
            if typed > 0 && typed * 2 >= columns.len() {
                found.push(Found::Entity { name: name.to_owned(), fields: columns, line: at });
            }
        }
        let next = open + length;
        passed += next;
        rest = &rest[next..];
    }
}

fn sql_columns(body: &str, line: u32, table: &str, found: &mut Vec<Found>) -> Vec<FieldNote> {
    let mut columns = Vec::new();
    for (offset, part) in split(body, &[',']) {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part.trim();
        let mut said = part.split_whitespace();
        let Some(name) = said.next().map(|it| it.trim_matches(['`', '"', '[', ']'])) else { continue };
        let upper = part.to_ascii_uppercase();
        let is_constraint =
            ["PRIMARY", "FOREIGN", "UNIQUE", "CONSTRAINT", "CHECK", "INDEX", "KEY", "EXCLUDE", "CREATE"]
                .contains(&name.to_ascii_uppercase().as_str());
        if let Some(at) = upper.find("REFERENCES ") {
            let target: String = part[at + 11..]
                .trim_start()
                .trim_start_matches(['`', '"'])
                .chars()
                .take_while(|c| c.is_alphanumeric() || "_.".contains(*c))
                .collect();
            let target = target.rsplit('.').next().unwrap_or("").to_owned();
            let relation = belongs(table, &target, line);
            if !target.is_empty() && found.len() < 500 {
                found.push(Found::Relation(relation));
            }
        }
        if is_constraint || !fields::is_identifier(name) {
            continue;
        }
        let kind = part[part.find(name).map_or(0, |at| at + name.len())..].trim_start_matches(['`', '"', ']']).trim();
        let kind = kind.split_whitespace().next().unwrap_or("").to_owned();
        columns.push(FieldNote {
            name: name.to_owned(),
            required: (upper.contains("NOT NULL") || upper.contains("PRIMARY KEY")).then_some(true),
            values: if upper.contains(" IN (") {
                fields::list(part.split_once(" IN (").or_else(|| part.split_once(" in (")).map_or("", |(_, it)| it))
            } else {
                fields::values(&kind)
            },
            kind,
            line: line + body[..offset].matches('\n').count() as u32,
            ..FieldNote::default()
        });
    }
    columns
}

/// Statements with spaces where comments were, so that each column stays at its place. `'--'` is a value.
fn without_comments(text: &str) -> String {
    let blank =
        |line: &str| match line.match_indices("--").find(|(at, _)| line[..*at].matches('\'').count().is_multiple_of(2))
        {
            // A remark before the name of a table belongs to the table: `-- Table users (id SERIAL, …)`.
            Some((at, _)) if line[at..].trim_start_matches(['-', ' ']).to_ascii_lowercase().starts_with("table ") => {
                line.to_owned()
            }
            Some((at, _)) => format!("{}{}", &line[..at], " ".repeat(line.len() - at)),
            None => line.to_owned(),
        };
    text.split('\n').map(blank).collect::<Vec<_>>().join("\n")
}

fn belongs(source: &str, target: &str, line: u32) -> RelationNote {
    RelationNote {
        source: words::pascal(source),
        target: words::pascal(target),
        kind: "BELONGS_TO",
        cardinality: "N:1",
        line,
    }
}
