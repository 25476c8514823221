//! Services made of contracts: they keep them, as the scan sees it, and nothing that is asked makes it panic.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use treaty::config::Config;
use treaty::rules::RuleSet;
use treaty::scaffold::{Blueprint, Contract, Scaffold, Target, generate};
use treaty::scan::{Input, scan_texts};

use crate::files::root;

/// Targets that are made.
const TARGETS: &[Target] = &[Target::FastApi, Target::Express, Target::NestJs, Target::AspNet];

/// A document of the tests, YAML or JSON.
fn contract(path: &str) -> Contract {
    let text = fs::read_to_string(root().join(path)).expect("the contract is there");
    let tree = treaty::contracts::tree::read(treaty::text::FileId(0), &text);
    let document = serde_json::from_str(&tree.root.to_json()).expect("a tree is JSON");
    let id = Path::new(path).file_stem().and_then(|it| it.to_str()).expect("it has a name").to_owned();
    Contract { id, document }
}

fn blueprint(target: Target, serves: &[&str], publishes: &[&str], consumes: &[&str]) -> Blueprint {
    let all = |paths: &[&str]| paths.iter().map(|path| contract(path)).collect();
    Blueprint {
        service: "Bookshop".to_owned(),
        target,
        port: 8000,
        serves: all(serves),
        publishes: all(publishes),
        consumes: all(consumes),
    }
}

/// Every file of a program can be parsed without an error.
fn parses(made: &Scaffold) -> Result<(), String> {
    for file in &made.files {
        let language = match Path::new(&file.path).extension().and_then(|it| it.to_str()) {
            Some("cs") => tree_sitter_c_sharp::LANGUAGE,
            Some("py") => tree_sitter_python::LANGUAGE,
            Some("ts") => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            _ => continue,
        };
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language.into()).expect("the grammar fits the parser");
        let tree = parser.parse(&file.text, None).expect("nothing stops the parser");
        if tree.root_node().has_error() {
            return Err(format!("{} cannot be parsed:\n{}", file.path, file.text));
        }
    }
    Ok(())
}

/// Every finding of the least severity, every operation verified, every document about events compared.
fn keeps(made: &Scaffold, what: &str) {
    let inputs = made.files.iter().map(|it| Input { path: it.path.clone(), text: it.text.clone() }).collect();
    let report = scan_texts(inputs, &Config::default(), &RuleSet::embedded());
    let findings: Vec<&str> = report.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(findings.is_empty(), "{what}: {findings:#?}");
    let problems: Vec<&str> = report.problems.iter().map(|it| it.message.as_str()).collect();
    assert!(problems.is_empty(), "{what}: {problems:#?}");
    for contract in &report.summary.contracts {
        assert!(contract.contracted > 0, "{what}: {contract:?}");
        assert_eq!(contract.contracted, contract.verified, "{what}: {contract:?}");
        // A header that a middleware of Express reads may be one of others, as far as the scan knows.
        let unknown = if what.starts_with("express") && contract.contract.ends_with("library.json") { 2 } else { 0 };
        assert_eq!(contract.contracted, contract.requests_verified + unknown, "{what}: {contract:?}");
    }
    for events in &report.summary.events {
        assert!(!events.services.is_empty(), "{what}: {events:?}");
    }
}

#[test]
fn services_keep_their_contracts() {
    for target in TARGETS {
        for (serves, publishes, consumes) in [
            (&["fixtures/bookshop/openapi.yaml"][..], &[][..], &[][..]),
            (&["fixtures/clean/openapi.json"], &[], &[]),
            (&["tests/scaffold/tasks.yaml"], &["tests/scaffold/events.yaml"], &["tests/scaffold/stock.yaml"]),
            (&["tests/scaffold/pets.json"], &[], &[]),
            (&["tests/scaffold/library.yaml"], &[], &[]),
            (&["tests/scaffold/pets.json", "tests/scaffold/tasks.yaml"], &[], &[]),
            (&[], &["tests/scaffold/events.yaml"], &["tests/scaffold/stock.yaml"]),
        ] {
            let what = format!("{target} of {serves:?} {publishes:?} {consumes:?}");
            let made = generate(&blueprint(*target, serves, publishes, consumes)).expect("a service can be made");
            parses(&made).unwrap_or_else(|error| panic!("{what}: {error}"));
            keeps(&made, &what);
        }
    }
}

#[test]
fn a_service_reads_like_this() {
    for target in TARGETS {
        let made = generate(&blueprint(*target, &["tests/scaffold/tasks.yaml"], &["tests/scaffold/events.yaml"], &[]));
        let mut text = String::new();
        for file in made.expect("a service can be made").files {
            if !file.path.starts_with("contracts/") {
                let _ = write!(text, "==> {} ({:?})\n{}\n", file.path, file.part, file.text);
            }
        }
        insta::assert_snapshot!(format!("scaffold_{target}"), text);
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    let of = |serves: Vec<Contract>| {
        let blueprint = Blueprint { serves, ..blueprint(Target::FastApi, &[], &[], &[]) };
        generate(&blueprint).expect_err("nothing can be made of it").to_string()
    };
    assert!(of(Vec::new()).contains("no contract"));
    assert!(of(vec![Contract { id: "a".to_owned(), document: json!({}) }]).contains("`a`"));
    assert!(of(vec![Contract { id: "../a".to_owned(), document: json!({}) }]).contains("`../a`"));
    let two = |title: &str| Contract { id: "a".to_owned(), document: json!({"info": {"title": title}}) };
    assert!(of(vec![two("x"), two("y")]).contains("two contracts"));
}

/// Words that mean something to a reader of contracts, so that random documents get somewhere.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "type",
        "object",
        "array",
        "string",
        "integer",
        "properties",
        "items",
        "required",
        "enum",
        "allOf",
        "oneOf",
        "anyOf",
        "$ref",
        "#/components/schemas/A",
        "nullable",
        "null",
        "format",
        "date-time",
        "uuid",
        "minimum",
        "pattern",
        "default",
        "additionalProperties",
        "class",
        "2fa",
        "x-y",
        "größe",
        "id",
        "readOnly",
        "writeOnly",
        "example",
        "const",
        "[",
        "",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..5).prop_map(|them| Value::Object(them.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Whatever a document is, making a service of it ends; and whatever a schema is, the service can be read.
    #[test]
    fn any_document_ends(a in anything(), b in anything(), whole in anything(), parameter in anything()) {
        let document = json!({
            "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
            "paths": {
                "/as": {"get": {"parameters": [parameter, {"name": "class", "in": "query", "schema": a}], "responses": {"200": {"description": "", "content": {"application/json": {"schema": a}}}}},
                    "post": {"requestBody": {"required": true, "content": {"application/json": {"schema": b}}}, "responses": {"201": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}},
                "/as/{id}": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}, "404": {"description": ""}}}},
            },
            "components": {"schemas": {"A": a, "B": b}},
        });
        for target in TARGETS {
            let of = |document: Value| Blueprint { serves: vec![Contract { id: "c".to_owned(), document }], ..blueprint(*target, &[], &[], &[]) };
            let made = generate(&of(document.clone())).map_err(|error| TestCaseError::fail(error.to_string()))?;
            parses(&made).map_err(TestCaseError::fail)?;
            let _ = generate(&of(whole.clone()));
            let events = Blueprint { publishes: vec![Contract { id: "c".to_owned(), document: whole.clone() }], ..blueprint(*target, &[], &[], &[]) };
            let _ = generate(&events);
        }
    }
}
