//! The JSON-Schema-Test-Suite, where it is there: `JSON_SCHEMA_TEST_SUITE` names its folder, which the source package of
//! PyPI's `jsonschema` has as `json`. `.ci/run` fetches it, and says so where it cannot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use jsonschema::Draft;
use serde_json::{Value, json};

use super::{AnswerError, AnswerReport, Shelf, against_schema, check};
use crate::registry::{SpecKind, validate_spec};

/// Required tests that do not pass, and why: file, words of the case or the test (none for all of the file), reason.
type Exceptions = [(&'static str, &'static str, &'static str)];

/// Formats are held against values in every dialect: an answer with a malformed date breaks its promise. The suite asks
/// that they are annotations unless one asks otherwise.
const FORMATS: (&str, &str, &str) = ("format", "only an annotation", "formats are asserted");

const OF_SCHEMAS: &Exceptions = &[FORMATS];

const ONE_DOCUMENT: &str = "a contract is one document, and nothing is fetched";

const OF_RESPONSES: &Exceptions = &[
    FORMATS,
    ("refRemote", "", ONE_DOCUMENT),
    ("dynamicRef", "strict-tree schema", ONE_DOCUMENT),
    ("dynamicRef", "implementation dynamic anchor", ONE_DOCUMENT),
    ("dynamicRef", "independent of order", ONE_DOCUMENT),
    ("dynamicRef", "detached $dynamicAnchor", ONE_DOCUMENT),
    ("vocabulary", "no validation vocabulary", ONE_DOCUMENT),
];

const DRAFTS: [(&str, Draft, &str); 3] = [
    ("draft4", Draft::Draft4, "http://json-schema.org/draft-04/schema#"),
    ("draft7", Draft::Draft7, "http://json-schema.org/draft-07/schema#"),
    ("draft2020-12", Draft::Draft202012, "https://json-schema.org/draft/2020-12/schema"),
];

fn suite() -> Option<PathBuf> {
    let stated = env::var_os("JSON_SCHEMA_TEST_SUITE").map(PathBuf::from);
    let folder = stated.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/json-schema-suite"));
    folder.join("tests").is_dir().then_some(folder)
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a file of the suite")).expect("JSON")
}

/// JSON files below a folder by their path in it.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut queue = vec![folder.to_owned()];
    while let Some(next) = queue.pop() {
        for entry in fs::read_dir(&next).expect("a folder of the suite") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                queue.push(path);
            } else if path.extension().is_some_and(|it| it == "json") {
                let name = path.strip_prefix(folder).expect("below").to_string_lossy().replace('\\', "/");
                found.insert(name, path);
            }
        }
    }
    found
}

/// What schemas of the suite refer to elsewhere.
fn remotes(suite: &Path) -> Shelf {
    let all = files(&suite.join("remotes")).into_iter();
    Shelf(Arc::new(all.map(|(name, path)| (format!("http://localhost:1234/{name}"), read(&path))).collect()))
}

/// Runs required tests of a draft; gives how many there were, and those that neither pass nor are excepted.
fn run(
    folder: &Path,
    exceptions: &Exceptions,
    judge: &dyn Fn(&Value, &Value) -> Result<AnswerReport, AnswerError>,
) -> (usize, usize, Vec<String>) {
    let (mut all, mut excepted, mut wrong) = (0, 0, Vec::new());
    for (name, path) in files(folder).into_iter().filter(|(name, _)| !name.starts_with("optional/")) {
        for case in read(&path).as_array().expect("cases") {
            for test in case["tests"].as_array().expect("tests") {
                all += 1;
                let title = format!("{name}: {} / {}", case["description"], test["description"]);
                let got = judge(&case["schema"], &test["data"]);
                if got.as_ref().is_ok_and(|report| report.valid == test["valid"]) {
                    continue;
                }
                let stem = name.trim_end_matches(".json");
                if exceptions.iter().any(|(file, words, _)| *file == stem && title.contains(words)) {
                    excepted += 1;
                } else {
                    wrong.push(format!("{title}: {got:?}"));
                }
            }
        }
    }
    (all, excepted, wrong)
}

#[test]
fn the_suite_passes_with_its_schemas_as_contracts() {
    let Some(suite) = suite() else { return };
    let remotes = remotes(&suite);
    for (name, draft, dialect) in DRAFTS {
        let judge = |schema: &Value, value: &Value| {
            let mut schema = schema.clone();
            if let Some(members) = schema.as_object_mut() {
                members.entry("$schema").or_insert_with(|| dialect.into());
            }
            against_schema(&schema, remotes.clone(), schema.is_boolean().then_some(draft), value)
        };
        let (all, excepted, wrong) = run(&suite.join("tests").join(name), OF_SCHEMAS, &judge);
        assert!(all > 500, "{name} has its tests");
        assert!(
            wrong.is_empty(),
            "{name}: {all} tests, {excepted} excepted, {} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

#[test]
fn the_suite_passes_with_its_schemas_in_responses() {
    let Some(suite) = suite() else { return };
    let judge = |schema: &Value, value: &Value| {
        // Pointers of the suite begin at the schema: in a document, that is one with an identifier.
        let mut schema = schema.clone();
        if let Some(members) = schema.as_object_mut() {
            members.entry("$id").or_insert_with(|| "https://e.com/schema".into());
        }
        let spec = json!({
            "openapi": "3.1.0",
            "info": {"title": "x", "version": "1"},
            "paths": {"/x": {"get": {"responses": {"200": {
                "description": "x",
                "content": {"application/json": {"schema": schema}}
            }}}}}
        });
        check(&spec, "GET", "/x", 200, value)
    };
    let (all, excepted, wrong) = run(&suite.join("tests/draft2020-12"), OF_RESPONSES, &judge);
    assert!(all > 500, "there are tests");
    assert!(wrong.is_empty(), "{all} tests, {excepted} excepted, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_schemas_of_the_suite_are_valid_contracts() {
    let Some(suite) = suite() else { return };
    let mut wrong = Vec::new();
    let mut all = 0;
    for (name, _, dialect) in DRAFTS {
        for (file, path) in files(&suite.join("tests").join(name)).into_iter().filter(|(it, _)| !it.contains('/')) {
            for case in read(&path).as_array().expect("cases") {
                let mut schema = case["schema"].clone();
                let Some(members) = schema.as_object_mut() else { continue };
                members.entry("$schema").or_insert_with(|| dialect.into());
                // What lies elsewhere is unresolved, since a contract is one document.
                if schema.to_string().contains("localhost:1234") {
                    continue;
                }
                all += 1;
                let report = validate_spec(&schema, SpecKind::JsonSchema);
                if !report.valid {
                    wrong.push(format!("{name} {file} {}: {:?}", case["description"], report.errors));
                }
            }
        }
    }
    assert!(all > 500, "there are schemas");
    assert!(wrong.is_empty(), "{all} schemas, {} refused:\n{}", wrong.len(), wrong.join("\n"));
}
