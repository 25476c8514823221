//! Schemas that YAML states: the components of OpenAPI, JSON Schema with its `properties`.

use super::Found;
use crate::architect::fields;
use crate::architect::notes::FieldNote;

/// A line of YAML: its number among the lines, how far to the right it begins, its key, and what stands behind the key.
struct Line<'t> {
    number: u32,
    indent: usize,
    key: &'t str,
    value: &'t str,
}

/// `Order:` with `properties:` below, and a member on each of the lines below that.
pub(super) fn read(text: &str, line: u32, found: &mut Vec<Found>) {
    if !text.contains("properties:") {
        return;
    }
    let lines: Vec<Line<'_>> = (line + 1..)
        .zip(text.lines())
        .filter_map(|(number, it)| {
            let said = it.trim_start();
            let (key, value) = said.split_once(':')?;
            Some(Line {
                number,
                indent: it.len() - said.len(),
                key: key.trim_matches(['"', '\'']),
                value: value.trim(),
            })
        })
        .collect();
    // The lines that a line stands below of, the innermost last.
    let mut above: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        above.retain(|it| lines[*it].indent < line.indent);
        let named = above.iter().rev().next().map(|it| &lines[*it]);
        let listed = above.iter().rev().nth(1).is_some_and(|it| ["schemas", "definitions"].contains(&lines[*it].key));
        if line.key == "properties"
            && line.value.is_empty()
            && let Some(owner) = named.filter(|it| listed || it.key.starts_with(char::is_uppercase))
            && fields::is_identifier(owner.key)
        {
            let fields = members(&lines[at + 1..], line.indent);
            if !fields.is_empty() {
                found.push(Found::Entity { name: owner.key.to_owned(), fields, line: owner.number });
            }
        }
        above.push(at);
    }
}

/// The members below `properties:`, each with its type behind its name or on a line below.
fn members(lines: &[Line<'_>], indent: usize) -> Vec<FieldNote> {
    let below = lines.iter().take_while(|it| it.indent > indent);
    let own = lines.first().map_or(0, |it| it.indent);
    let mut found: Vec<FieldNote> = Vec::new();
    for line in below {
        if line.indent == own && fields::is_identifier(line.key) {
            let kind = line.value.split_once("type:").map_or("", |it| it.1);
            let kind = kind.trim_start().split([',', '}', ' ']).next().unwrap_or("");
            found.push(FieldNote {
                name: line.key.to_owned(),
                kind: kind.to_owned(),
                line: line.number,
                ..FieldNote::default()
            });
        } else if let Some(last) = found.last_mut().filter(|it| line.key == "type" && it.kind.is_empty()) {
            line.value.clone_into(&mut last.kind);
        }
    }
    found
}
