//! The same input gives the same output: whatever the order of the files, the number of threads, the place of the
//! folder. Reformatting changes positions only.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use treaty::config::Config;
use treaty::rules::RuleSet;
use treaty::scan::{Baseline, Input, scan_texts};

use crate::files::root;
use crate::folder::{run_with, write};

const BOOKSHOP: &str = "fixtures/bookshop";

/// Files of the fixture: path below it, and text; sorted.
fn bookshop() -> Vec<(String, String)> {
    fn collect(directory: &Path, below: &str, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(directory).expect("the fixture is there").flatten() {
            let name = entry.file_name().into_string().expect("a plain name");
            let path = if below.is_empty() { name } else { format!("{below}/{name}") };
            if entry.path().is_dir() {
                collect(&entry.path(), &path, out);
            } else {
                out.push((path, fs::read_to_string(entry.path()).expect("text")));
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join(BOOKSHOP), "", &mut files);
    files.sort();
    files
}

/// Writes the files in their order below `name`, and scans that.
fn outcome(files: &[(String, String)], name: &str, format: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        write(folder.path(), &format!("{name}/{path}"), text);
    }
    let run = run_with(folder.path(), &["scan", name, "--format", format], &[("RAYON_NUM_THREADS", threads)]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    run.stdout
}

#[test]
fn neither_the_order_of_files_nor_threads_change_a_byte() {
    let files = bookshop();
    assert!(files.len() > 4);
    let mut turned = files.clone();
    turned.reverse();
    let mut mixed = files.clone();
    mixed.sort_by_key(|(path, _)| path.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte)));
    for format in ["json", "sarif", "github", "junit", "concise"] {
        let expected = outcome(&files, "shop", format, "1");
        for (order, threads) in [(&files, "4"), (&turned, "1"), (&turned, "4"), (&mixed, "2"), (&mixed, "4")] {
            assert_eq!(outcome(order, "shop", format, threads), expected, "{format} with {threads} threads");
        }
    }
}

/// A report without positions: what may change when sources are reformatted or moved.
fn without_positions(json: &str, name: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for key in ["line", "column", "end_line", "end_column"] {
                    members.remove(key);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let text = json.replace(&format!("\"{name}/"), "\"").replace(&format!("\"{name}\""), "\"the service\"");
    let mut value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {json}"));
    strip(&mut value);
    // Findings of one file are sorted by place, and definitions change theirs.
    let findings = value["findings"].as_array_mut().expect("findings");
    findings.sort_by_key(Value::to_string);
    value
}

/// Python as another formatter might leave it: comments and empty lines between statements, calls opened up after
/// their brackets, other line ends.
fn reformatted(path: &str, text: &str) -> String {
    if Path::new(path).extension().is_none_or(|extension| extension != "py") {
        return format!("# moved down\n\n{text}");
    }
    let mut out = String::from("# A comment above everything.\n\n\n");
    let mut quoted = false;
    for line in text.lines() {
        let inside = quoted;
        quoted ^= line.matches("\"\"\"").count() % 2 == 1;
        let top = !inside && !line.starts_with([' ', ')', ']', '}']) && !line.is_empty();
        if top && !out.trim_end().ends_with(')') {
            out.push('\n');
        }
        if top && !line.starts_with(['@', '#', '"']) {
            out.push_str("# About the next line, in 世界.\n");
        }
        // `f(a, b)` over several lines, one argument each. Only where no text is in it.
        let wrapped = if inside || quoted || line.contains(['"', '\'', '#']) {
            line.to_owned()
        } else {
            line.replace('(', "(\n            ").replace(", ", ",\n            ")
        };
        let depth = |c: char| line.matches(c).count();
        let balanced = depth('(') == depth(')') && depth('(') > 0;
        out.push_str(if balanced { &wrapped } else { line });
        out.push_str("\r\n");
    }
    out.push_str("\n\n# The end.\n");
    out
}

#[test]
fn reformatting_and_moving_change_positions_only() {
    let files = bookshop();
    let plain = outcome(&files, "shop", "json", "2");
    let other: Vec<(String, String)> =
        files.iter().map(|(path, text)| (path.clone(), reformatted(path, text))).collect();
    let changed = outcome(&other, "shop", "json", "2");
    assert_ne!(plain, changed, "the reformatting moved something");
    let (before, after) = (without_positions(&plain, "shop"), without_positions(&changed, "shop"));
    assert!(before["findings"].as_array().expect("findings").len() >= 7);
    assert_eq!(before, after);
    let renamed = outcome(&files, "another-place", "json", "2");
    let strip = |mut value: Value| {
        // A fingerprint tells files of the same repository apart, so it names the path from the working directory.
        for finding in value["findings"].as_array_mut().expect("findings") {
            finding.as_object_mut().expect("a finding").remove("fingerprint");
        }
        value
    };
    assert_eq!(strip(before), strip(without_positions(&renamed, "another-place")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_run_panic(
        code in prop::collection::vec(any::<u8>(), 0..300),
        contract in any::<String>(),
        cut in 0..1_000_usize,
        with in "[\\[\\]{}():,.'\"#@=*&!|>%\\-\\\\ \n\ta-c1]{0,12}",
    ) {
        let noise = String::from_utf8_lossy(&code).into_owned();
        let files = bookshop();
        let mut inputs: Vec<Input> = files.into_iter().map(|(path, text)| Input { path, text }).collect();
        // A healthy service with one spot of damage in each file, and files of noise beside it.
        for input in &mut inputs {
            let mut at = cut.min(input.text.len());
            while !input.text.is_char_boundary(at) {
                at -= 1;
            }
            input.text.insert_str(at, &with);
        }
        inputs.push(Input { path: "noise.py".to_owned(), text: format!("# treaty: ignore[{with}] {noise}") });
        inputs.push(Input { path: "noise.yaml".to_owned(), text: format!("openapi: 3.1.0\n{contract}") });
        inputs.push(Input { path: "noise.json".to_owned(), text: format!("{{\"openapi\": \"3.1.0\", {contract}") });
        inputs.push(Input { path: "bytes.yaml".to_owned(), text: format!("swagger: '2.0'\npaths:\n  {noise}") });
        let rules = RuleSet::embedded();
        let mut report = scan_texts(inputs.clone(), &Config::default(), &rules);
        report.suppress(&rules, Some(&rules));
        let written = Baseline::of(&report).to_string();
        let mut again = scan_texts(inputs, &Config::default(), &rules);
        again.suppress(&rules, Some(&rules));
        again.hold_against(&Baseline::read("b.json", &written).expect("what is written is read"), &rules);
        prop_assert!(again.findings.is_empty(), "{:?}", again.findings);
        prop_assert!(!again.problems.iter().any(|it| it.kind == treaty::finding::ProblemKind::OutdatedBaseline), "{written}");
        // Whatever stands in a baseline, it is read or refused.
        let mut at = cut.min(written.len());
        while !written.is_char_boundary(at) {
            at -= 1;
        }
        let _ = Baseline::read("b.json", &format!("{}{with}{}", &written[..at], &written[at..]));
        prop_assert!(!report.problems.iter().any(|it| it.kind == treaty::finding::ProblemKind::Crashed), "{:?}", report.problems);
    }
}
