//! Tables of who may do what: a row for what is done with a column for each role, or a row for a thing with the letters of
//! `CRUD` in each cell.

use crate::architect::clauses::Clauses;
use crate::architect::document::{Row, Text};
use crate::architect::notes::OperationNote;
use crate::architect::words;

/// What each letter stands for.
const LETTERS: [(char, &[&str]); 4] =
    [('C', &["create"]), ('R', &["list", "view"]), ('U', &["update"]), ('D', &["delete"])];

/// Marks of what is allowed and of what is not.
const YES: &[&str] = &["x", "✓", "✔", "✔️", "✅", "yes", "y", "own", "o", "all", "full", "☑", "●"];
const NO: &[&str] = &["", "-", "–", "—", "✗", "✘", "❌", "no", "n", "none", "○", "☐"];

/// A cell without what stands in brackets.
fn mark(cell: &Text) -> &str {
    cell.plain.split('(').next().unwrap_or("").trim()
}

fn is_letters(mark: &str) -> bool {
    !mark.is_empty() && mark.chars().all(|it| LETTERS.iter().any(|(letter, _)| *letter == it) || "/, ".contains(it))
}

fn is_yes(mark: &str) -> bool {
    YES.contains(&mark.to_lowercase().as_str()) || is_letters(mark)
}

/// The cells of a row behind the first.
fn marks(row: &Row) -> impl Iterator<Item = &str> {
    row.cells.iter().skip(1).map(mark)
}

/// Whether some cells of a table say more than one letter of `CRUD`.
fn is_lettered(rows: &[Row]) -> bool {
    rows.iter().flat_map(marks).any(|it| is_letters(it) && it.len() > 1)
}

/// Whether all cells of a table behind the first of each row are marks, and rows that allow something say what: deeds, or things
/// where letters say the deeds.
pub(super) fn is_matrix(rows: &[Row]) -> bool {
    let is_mark = |it: &str| is_yes(it) || NO.contains(&it.to_lowercase().as_str());
    let begins = |row: &&Row| {
        let first =
            row.cells.first().and_then(|it| it.plain.split([' ', ',']).next()).unwrap_or("").to_ascii_lowercase();
        words::verb(&first).is_some_and(|(base, _)| base == first)
    };
    let allowing = || rows.iter().filter(|row| marks(row).any(is_yes));
    rows.iter().all(|row| row.cells.len() >= 3 && marks(row).all(is_mark))
        && allowing().count() >= 2
        && (is_lettered(rows) || allowing().filter(begins).count() * 2 >= allowing().count())
}

/// What the rows allow.
pub(super) fn read(rows: &[Row], context: Option<&str>) -> Vec<OperationNote> {
    let lettered = is_lettered(rows);
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| marks(row).any(is_yes)) {
        let Some(first) = row.cells.first() else { continue };
        let mut clauses = Clauses::new(row.line, context);
        if lettered {
            let allowed =
                LETTERS.iter().filter(|(letter, _)| marks(row).any(|it| is_letters(it) && it.contains(*letter)));
            let verbs: Vec<&str> = allowed.flat_map(|(_, verbs)| verbs.iter().copied()).collect();
            clauses.of_thing(&verbs, mark(first));
        } else {
            clauses.imperative(&first.plain, true);
        }
        found.append(&mut clauses.found);
    }
    found
}
