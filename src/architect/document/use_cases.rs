//! Use cases that are written as tables of two columns: what the first one has are labels of the template, and no names of fields.

use super::{Kind, Row, Text};
use crate::architect::words;

/// Labels of templates of use cases (Cockburn, *Writing Effective Use Cases*, and its descendants).
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "actor", "actors", "primary actor", "secondary actor", "secondary actors", "precondition", "preconditions", "pre conditions",
    "postcondition", "postconditions", "post conditions", "main flow", "basic flow", "normal flow", "main scenario",
    "main success scenario", "alternative flow", "alternative flows", "alternate flow", "alternate flows", "exception flow",
    "exceptions", "extensions", "trigger", "use case id", "use case name",
];

/// How many labels a table must have.
const ENOUGH: usize = 2;

/// The table as a list, `Actor: Clerk`, with the steps of a flow below its label; None where a table is none of a use case. Each item
/// comes with its line.
pub(super) fn items(head: &[Text], rows: &[Row]) -> Option<Vec<(u32, Kind)>> {
    let label = |it: &Text| words::split(&it.plain).join(" ");
    let is_label = |it: &Text| LABELS.contains(&label(it).as_str());
    let named = rows.iter().filter_map(|it| it.cells.first()).filter(|it| is_label(it)).count();
    if head.len() != 2 || named < ENOUGH {
        return None;
    }
    // `Field | Description` names the columns; `Use case | Take an order` is of the use case.
    let captions = ["field", "item", "attribute", "section", "element", "aspect", "property", "label", ""];
    let whole = Some(head).filter(|it| !captions.contains(&label(&it[0]).as_str()));
    let first = rows.first().map_or(0, |it| it.line.saturating_sub(2));
    let lines = whole.map(|it| (first, it)).into_iter().chain(rows.iter().map(|it| (it.line, it.cells.as_slice())));
    let mut found = Vec::new();
    for (line, cells) in lines {
        let [label, said, ..] = cells else { continue };
        let steps: Vec<&str> = said.plain.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        let label = label.plain.trim().trim_end_matches(':');
        match steps.as_slice() {
            [] => {}
            [one] => found.push((line, Kind::Item(Text::of(&format!("{label}: {one}")), 0))),
            steps => {
                found.push((line, Kind::Item(Text::of(&format!("{label}:")), 0)));
                found.extend(steps.iter().map(|it| (line, Kind::Item(Text::of(it).unlabelled().0, 1))));
            }
        }
    }
    Some(found)
}
