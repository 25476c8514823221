//! Tests that are made of contracts: what is in them. Whether they run is seen in `.ci/contracts`.

use serde_json::{Value, json};

use super::*;
use crate::registry::NewContract;

fn registry() -> (tempfile::TempDir, Registry) {
    let folder = tempfile::tempdir().expect("it can be done");
    let registry = Registry::open(&folder.path().join("contracts.db"), folder.path()).expect("it can be done");
    (folder, registry)
}

fn add(registry: &mut Registry, kind: SpecKind, spec: Value) -> String {
    let (service_name, version) = ("shop".to_owned(), "1.0.0".to_owned());
    let new = NewContract { service_name, kind, version, spec, build_cycle_id: None };
    registry.create(&new).expect("it can be done").entry.id
}

fn shop() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "/api"}],
        "paths": {
            "/orders/{id}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "get": {"responses": {
                    "200": {"description": "one", "content": {"application/json":
                        {"schema": {"$ref": "#/components/schemas/Order"}}}},
                    "404": {"description": "none"}
                }}
            },
            "/orders": {
                "get": {
                    "parameters": [{"name": "state", "in": "query", "required": true,
                        "schema": {"type": "string", "enum": ["open", "paid"]}}],
                    "responses": {"200": {"description": "all"}}
                },
                "post": {
                    "requestBody": {"required": true, "content": {"application/json":
                        {"schema": {"$ref": "#/components/schemas/Order"}}}},
                    "responses": {"201": {"description": "made"}, "default": {"description": "refused"}}
                }
            },
            "/pictures": {"put": {
                "requestBody": {"required": true, "content": {"image/png": {}}},
                "responses": {"204": {"description": "kept"}}
            }}
        },
        "components": {
            "parameters": {"Id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}},
            "schemas": {"Order": {
                "type": "object",
                "required": ["id", "code", "lines"],
                "properties": {
                    "id": {"type": "integer", "readOnly": true},
                    "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
                    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
                    "note": {"type": "string", "nullable": true}
                }
            }, "Line": {"type": "object", "required": ["price"],
                "properties": {"price": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
                               "parent": {"$ref": "#/components/schemas/Line"}}}}
        }
    })
}

fn request<'r>(all: &'r [requests::Request], name: &str) -> &'r requests::Request {
    let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
    all.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} is none of {names:#?}"))
}

#[test]
fn each_operation_is_asked_with_what_it_takes() {
    let Suite { base, allowed, skipped, answers, .. } = of_operations(&shop()).expect("it can be done");
    assert_eq!(base, "http://localhost:8000/api");
    let all = request(&allowed, "GET /orders");
    assert_eq!((all.url.as_str(), all.must_succeed), ("/orders?state=open", true));
    let one = request(&allowed, "GET /orders/{id}");
    assert_eq!((one.url.as_str(), one.must_succeed), ("/orders/1", false));
    let made = request(&allowed, "POST /orders");
    let body: Value = serde_json::from_str(made.body.as_deref().expect("it has one")).expect("it is JSON");
    assert_eq!(body, json!({"code": "AAA", "lines": [{"price": 1}]}));
    assert_eq!(made.headers["Content-Type"], "application/json");
    assert_eq!(skipped[0].0, "PUT /pictures");
    assert_eq!(answers["GET /orders/{id}"].keys().collect::<Vec<_>>(), ["200", "404"]);
    assert!(answers["POST /orders"].contains_key("default"));
}

#[test]
fn what_is_ruled_out_is_asked_too() {
    let Suite { ruled_out, .. } = of_operations(&shop()).expect("it can be done");
    assert_eq!(request(&ruled_out, "GET /orders: query parameter state is missing").url, "/orders");
    assert_eq!(request(&ruled_out, "GET /orders/{id}: path parameter id is no integer").url, "/orders/not-a-number");
    assert_eq!(request(&ruled_out, "POST /orders: the body is missing").body, None);
    let without = request(&ruled_out, "POST /orders: the body lacks code");
    assert_eq!(without.body.as_deref(), Some(r#"{"lines":[{"price":1}]}"#));
    assert!(request(&ruled_out, "POST /orders: lines of the body is an object").body.is_some());
    assert!(!ruled_out.iter().any(|it| it.name.contains(" id of the body")), "nobody sends what is read only");
}

#[test]
fn suites_are_kept_as_long_as_the_document_stays() {
    let (_folder, mut registry) = registry();
    let id = add(&mut registry, SpecKind::Openapi, shop());
    for framework in TestFramework::ALL {
        let first = registry.generate_tests(&id, framework, true).expect("it can be done");
        assert_eq!(registry.generate_tests(&id, framework, true).expect("it can be done"), first);
        let positive = registry.generate_tests(&id, framework, false).expect("it can be done");
        assert!(!positive.contains("RULED_OUT") && first.contains("RULED_OUT"));
        let mut other = shop();
        other["paths"].as_object_mut().expect("it is one").shift_remove("/pictures");
        add(&mut registry, SpecKind::Openapi, other);
        let second = registry.generate_tests(&id, framework, true).expect("it can be done");
        assert!(first.contains("PUT /pictures") && !second.contains("PUT /pictures"));
        add(&mut registry, SpecKind::Openapi, shop());
        assert_eq!(registry.generate_tests(&id, framework, true).expect("it can be done"), first);
    }
}

#[test]
fn messages_and_schemas_have_samples_of_what_is_let_through_and_what_is_not() {
    let events = json!({
        "asyncapi": "3.0.0",
        "info": {"title": "Events", "version": "1"},
        "channels": {"placed": {"address": "orders.placed", "messages": {
            "Placed": {"$ref": "#/components/messages/Placed"}
        }}},
        "components": {"messages": {"Placed": {"name": "Placed", "payload": {
            "type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}
        }}}}
    });
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "title": "Line",
        "type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}});
    for (kind, spec, name) in [(SpecKind::Asyncapi, events, "Placed"), (SpecKind::JsonSchema, schema, "Line")] {
        let found = messages::messages(kind, &spec).expect("it can be done");
        assert_eq!((found.len(), found[0].name.as_str(), found[0].samples.len()), (1, name, 1), "{found:#?}");
        assert!(found[0].ruled_out.iter().any(|it| it.name.ends_with("is missing")), "{found:#?}");
        let (_folder, mut registry) = registry();
        let id = add(&mut registry, kind, spec);
        for framework in TestFramework::ALL {
            assert!(registry.generate_tests(&id, framework, true).expect("it can be done").contains(name));
        }
    }
}

#[test]
fn what_no_tests_can_be_made_of_is_said() {
    let (_folder, mut registry) = registry();
    let empty = json!({"openapi": "3.1.0", "info": {"title": "None", "version": "1"}, "paths": {}});
    let id = add(&mut registry, SpecKind::Openapi, empty);
    let error = registry.generate_tests(&id, TestFramework::Pytest, true).expect_err("there is nothing");
    assert_eq!(error.code(), "invalid");
    assert_eq!(registry.generate_tests("none", TestFramework::Jest, true).expect_err("none").code(), "not_found");
    assert!(TestFramework::parse("pytests").expect_err("there is none").to_string().contains("did you mean `pytest`"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever a document holds, tests are written or it is said why not; what is written holds no open quote.
    #[test]
    fn any_document_ends_without_a_panic(name in "\\PC{0,20}", pattern in "\\PC{0,12}", number in proptest::num::f64::ANY) {
        let mut document = shop();
        document["paths"][format!("/{name}")] = json!({"get": {"parameters": [
            {"name": name, "in": "query", "required": true, "schema": {"type": "string", "pattern": pattern}},
            {"name": "n", "in": "query", "required": true, "schema": {"type": "number", "minimum": number, "multipleOf": number}},
        ], "responses": {"200": {"description": name}}}});
        let (_folder, mut registry) = registry();
        let id = add(&mut registry, SpecKind::Openapi, document);
        for framework in TestFramework::ALL {
            proptest::prop_assert!(registry.generate_tests(&id, framework, true).is_ok());
        }
    }
}
