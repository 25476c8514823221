//! Measures the reading of AsyncAPI documents by labelled cases of other people's parser, which are not kept here:
//! `TREATY_ASYNCAPI_CASES=cases.json cargo test --test it asyncapi -- --ignored --nocapture`.
//!
//! A case is a document, the rule that it is about, and the errors that are expected of that rule alone. Most documents
//! are fragments: fields that a whole document must have are put aside, unless the rule is about whole documents.

use std::fmt::Write as _;

use serde_json::Value;
use treaty::config::Config;
use treaty::rules::RuleSet;
use treaty::scan::{Input, scan_texts};

/// Rules that are about whole documents.
const WHOLE: [&str; 3] = ["asyncapi-document-resolved", "asyncapi-document-unresolved", "asyncapi-is-asyncapi"];

#[test]
fn a_scan_says_how_much_was_read_and_reports_nothing_about_it() {
    let input = |path: &str, text: &str| Input { path: path.to_owned(), text: text.to_owned() };
    let contract = "asyncapi: 2.6.0\ninfo: {title: Shop, version: '1'}\nchannels:\n  orders:\n    publish: {message: {payload: \
                    {type: string}}}\n    subscribe: {message: {oneOf: [{name: a}, {name: b}]}}\n";
    let code = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get(\"/orders\")\ndef orders(): ...\n";
    let inputs = vec![input("app.py", code), input("asyncapi.yaml", contract)];
    let report = scan_texts(inputs, &Config::default(), &RuleSet::embedded());
    assert!(report.findings.is_empty() && report.problems.is_empty(), "{:?} {:?}", report.findings, report.problems);
    assert!(report.summary.contracts.is_empty());
    let read: Vec<_> = report
        .summary
        .events
        .iter()
        .map(|it| (it.contract.as_str(), it.channels, it.messages, it.operations))
        .collect();
    assert_eq!(read, [("asyncapi.yaml", 1, 3, 2)]);
}

#[test]
#[ignore = "needs the labelled cases: TREATY_ASYNCAPI_CASES"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn labelled_cases_are_accepted_and_rejected() {
    let path = std::env::var("TREATY_ASYNCAPI_CASES").expect("TREATY_ASYNCAPI_CASES names the file of the cases");
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the cases can be read"))
        .expect("the cases are JSON");
    let rules = RuleSet::embedded();
    let (mut right, mut all, mut at_place, mut rejected, mut wrong) = (0, 0.0, 0, 0, String::new());
    let cases = cases["cases"].as_array().expect("a list of cases");
    for case in cases {
        all += 1.0;
        let rule = case["rule"].as_str().expect("a rule");
        let errors: Vec<&Value> =
            case["errors"].as_array().expect("errors").iter().filter(|error| error["severity"] == 0).collect();
        let path = "asyncapi.json".to_owned();
        let text = serde_json::to_string_pretty(&case["document"]).expect("a document");
        let report = scan_texts(vec![Input { path, text }], &Config::default(), &rules);
        let counts = |kind: &str| WHOLE.contains(&rule) || kind != "missing-field";
        let mut found: Vec<(String, String)> = Vec::new();
        for finding in report.findings.iter().filter(|finding| counts(finding.kind)) {
            let pointer = finding.contract.as_ref().map(|place| place.pointer.clone()).unwrap_or_default();
            found.push((pointer, finding.message.clone()));
        }
        if errors.is_empty() == found.is_empty() {
            right += 1;
        } else {
            let name = case["name"].as_str().unwrap_or("");
            writeln!(wrong, "{rule}: {name}: expected {errors:?}, found {found:?}").expect("a string grows");
        }
        if !errors.is_empty() && !found.is_empty() {
            rejected += 1;
            let near = |error: &Value| {
                let parts: Vec<String> = match error["path"].as_array() {
                    Some(parts) => parts
                        .iter()
                        .map(|part| part.as_str().unwrap_or("").replace('~', "~0").replace('/', "~1"))
                        .collect(),
                    None => return true,
                };
                let expected = parts.iter().fold(String::new(), |pointer, part| pointer + "/" + part);
                found
                    .iter()
                    .any(|(pointer, _)| pointer.starts_with(&expected) || expected.starts_with(pointer.as_str()))
            };
            if errors.iter().any(|error| near(error)) {
                at_place += 1;
            } else {
                println!("elsewhere: {rule}: {errors:?}, found {found:?}");
            }
        }
    }
    let share = f64::from(right) / all;
    println!("{wrong}{right} of {} right: {share:.3}; of {rejected} rejected, {at_place} at the place", cases.len());
    assert!(share >= 0.95, "less than was reached before");
}
