//! Use cases in diagrams: `UC4["UC-04 Book a slot"]` of Mermaid, `usecase "Book a slot" as UC4` and `(Book a slot)` of PlantUML.

use crate::architect::words;

/// The labels of the nodes of a diagram of use cases that say what somebody does, each with the number of its line from 0; none where
/// the block is no such diagram. `title` is the heading above.
pub(super) fn drawn<'t>(title: &str, text: &'t str) -> Vec<(u32, &'t str)> {
    let first = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or("").to_ascii_lowercase();
    let is_diagram = ["flowchart", "graph ", "@startuml", "usecase", "left to right direction", "actor "]
        .iter()
        .any(|it| first.starts_with(it));
    let lower = title.to_ascii_lowercase();
    let says = ["use case", "use-case", "usecase"].iter().any(|it| lower.contains(it))
        || text.contains("usecase ")
        || text.lines().any(|it| it.trim_start().starts_with("actor "));
    let numbered = text.lines().filter(|it| it.trim_start().starts_with("UC")).count() >= 2;
    if !is_diagram || !(says || numbered) {
        return Vec::new();
    }
    let of_line = |(at, line): (u32, &'t str)| label(line).map(|it| (at, it));
    let found: Vec<(u32, &str)> = (0..).zip(text.lines()).filter_map(of_line).collect();
    found.into_iter().filter(|(_, it)| acts(it)).collect()
}

/// The label of the node that a line declares, without the number of the use case.
fn label(line: &str) -> Option<&str> {
    let line = line.trim();
    if ["subgraph", "rectangle", "actor", "package", "title", "%%", "'", "note"].iter().any(|it| line.starts_with(it)) {
        return None;
    }
    let quoted = line.split_once('"').and_then(|(_, rest)| rest.split_once('"')).map(|it| it.0);
    let bracketed = || {
        let open = line.find(['(', '['])?;
        let inner = line[open..].trim_start_matches(['(', '[']);
        Some(&inner[..inner.find([')', ']'])?])
    };
    let label = quoted.or_else(bracketed)?.trim();
    // `UC-04 Book a slot`, `UC4: Book a slot`
    let rest =
        label.strip_prefix("UC").map(|it| it.trim_start_matches(|c: char| c.is_ascii_digit() || "-_.: ".contains(c)));
    Some(rest.filter(|it| !it.is_empty()).unwrap_or(label))
}

fn acts(label: &str) -> bool {
    let first = label.split([' ', ',', '/']).next().unwrap_or("");
    label.contains(' ') && words::verb(first).is_some_and(|(base, _)| base == first.to_ascii_lowercase())
}
