//! Any JSON as a contract of each kind, and as an answer to each of its operations: a report or an error that can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use treaty::registry::{SpecKind, answer, validate_spec};

/// Operations that are asked for.
const MOST: usize = 8;

fuzz_target!(|text: &str| {
    let Ok(spec) = serde_json::from_str::<Value>(text) else { return };
    for kind in SpecKind::ALL {
        let report = validate_spec(&spec, kind);
        assert_eq!(report.valid, report.errors.is_empty());
        let lines = serde_json::to_string_pretty(&spec).map_or(0, |text| text.lines().count());
        assert!(report.details.iter().all(|detail| detail.line as usize <= lines.max(1)));
    }
    let body = spec.get("x-body").unwrap_or(&spec);
    let paths = spec.get("paths").and_then(Value::as_object);
    let operations = paths.into_iter().flatten().flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    for (path, method, operation) in operations.take(MOST).chain([("/", "GET", &Value::Null)]) {
        let statuses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
        let statuses = statuses.filter_map(|(status, _)| status.parse::<u16>().ok()).take(MOST);
        for status in statuses.chain([200]) {
            match answer::check(&spec, method, path, status, body) {
                Ok(report) => assert_eq!(report.valid, report.violations.is_empty()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
});
