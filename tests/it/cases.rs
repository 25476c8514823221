//! Runs the Markdown cases of all rules and frameworks. `UPDATE_CASES=1 cargo test` rewrites what they expect.

use std::fs;

use treaty::cases::{Checked, run_cases};
use treaty::rules::RuleSet;

use crate::files::{files, root, updating};

/// Holds the cases of every page below a folder. A folder without pages and a page without cases fail: nothing would be
/// looked at.
fn hold(folder: &str, end: &str) {
    let documents = files(folder, end);
    assert!(!documents.is_empty(), "no page of cases (`…{end}`) below {folder}");
    let checked = run_cases(&documents, &RuleSet::embedded());
    let empty: Vec<&str> = checked.iter().filter(|it| it.cases == 0).map(|it| it.path.as_str()).collect();
    assert!(empty.is_empty(), "pages without a case: {empty:?}");
    if updating() {
        for (checked, (path, text)) in checked.iter().zip(&documents) {
            if checked.rewritten != *text {
                fs::write(root().join(path), &checked.rewritten).expect("the document can be written");
            }
        }
    }
    // What cannot be run at all stays wrong, however often it is rewritten.
    let wrong = |checked: &&Checked| checked.failures.iter().any(|failure| !updating() || !failure.problem.is_empty());
    let explained: String = checked.iter().filter(wrong).map(Checked::explain).collect();
    assert!(explained.is_empty(), "\n{explained}\nUPDATE_CASES=1 cargo test rewrites the expectations");
}

#[test]
fn the_cases_of_every_rule_hold() {
    hold("rules", ".md");
}

#[test]
fn the_cases_of_every_framework_hold() {
    hold("src/frameworks", "cases.md");
}

#[test]
fn the_cases_of_every_library_of_wires_hold() {
    hold("src/wires", ".md");
}
