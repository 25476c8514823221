//! Runs the Markdown cases of all rules and frameworks. `UPDATE_CASES=1 cargo test` rewrites what they expect.

use std::fs;

use treaty::cases::{Checked, run_cases};
use treaty::rules::RuleSet;

use crate::files::{files, root, updating};

fn hold(documents: &[(String, String)]) {
    let checked = run_cases(documents, &RuleSet::embedded());
    if updating() {
        for (checked, (path, text)) in checked.iter().zip(documents) {
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
    hold(&files("rules", ".md"));
}

#[test]
fn the_cases_of_every_framework_hold() {
    hold(&files("src/frameworks", "cases.md"));
}

#[test]
fn the_cases_of_every_library_of_wires_hold() {
    hold(&files("src/wires", ".md"));
}
