//! Tests of the file that this folder belongs to.

use serde_json::json;

use super::*;

fn openapi(paths: &Value, components: &Value) -> Value {
    json!({"openapi": "3.0.3", "info": {"title": "x", "version": "1"}, "paths": paths, "components": components})
}

fn operation(parts: Value) -> Value {
    let mut operation = parts;
    operation["responses"] = json!({"200": {"description": "fine"}});
    json!({"/users/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "get": operation
    }})
}

fn pointers(spec: &Value) -> Vec<String> {
    let report = validate_spec(spec, SpecKind::Openapi);
    assert_eq!(report.valid, report.errors.is_empty());
    report.details.into_iter().map(|detail| format!("{} {}", detail.kind, detail.pointer)).collect()
}

#[test]
fn a_valid_document_has_no_errors() {
    let spec = openapi(&operation(json!({"operationId": "get"})), &json!({}));
    assert_eq!(pointers(&spec), [""; 0]);
    assert!(validate_spec(&spec, SpecKind::Openapi).valid);
}

#[test]
fn errors_say_where_they_are_in_the_printed_text() {
    let spec = openapi(&json!({}), &json!({"schemas": {"A": {"$ref": "#/components/schemas/Nobody"}}}));
    let report = validate_spec(&spec, SpecKind::Openapi);
    let text = serde_json::to_string_pretty(&spec).expect("JSON");
    let line = text.lines().position(|line| line.contains("Nobody")).expect("a line") + 1;
    assert_eq!(report.errors.len(), 1);
    let error = &report.errors[0];
    assert!(error.contains(&format!("(`/components/schemas/A/$ref`, line {line})")), "{error}");
    assert_eq!(report.details[0].kind, "unresolved-reference");
}

#[test]
fn references_to_other_documents_are_unresolved() {
    for target in ["common.yaml#/User", "https://e.com/user.json", "../../../x.json"] {
        let spec = openapi(&json!({}), &json!({"schemas": {"A": {"$ref": target}}}));
        let report = validate_spec(&spec, SpecKind::Openapi);
        assert!(!report.valid, "{target}");
        assert_eq!(report.details[0].pointer, "/components/schemas/A/$ref", "{target}");
    }
}

#[test]
fn each_fault_is_told_at_its_place() {
    let schema = |schema: Value| openapi(&json!({}), &json!({"schemas": {"A": schema}}));
    let parameter = |parameter: Value| openapi(&operation(json!({"parameters": [parameter]})), &json!({}));
    let scheme = |scheme: Value| openapi(&json!({}), &json!({"securitySchemes": {"s": scheme}}));
    let at = "/paths/~1users~1{id}/get";
    for (spec, expected) in [
        (openapi(&operation(json!({"sumary": "x"})), &json!({})), format!("invalid-value {at}/sumary")),
        (openapi(&operation(json!({"tags": "x"})), &json!({})), format!("invalid-value {at}/tags")),
        (openapi(&operation(json!({"summary": 42})), &json!({})), format!("invalid-value {at}/summary")),
        (openapi(&operation(json!({"deprecated": "no"})), &json!({})), format!("invalid-value {at}/deprecated")),
        (
            openapi(&operation(json!({"security": [{"s": []}]})), &json!({"securitySchemes": {}})),
            format!("invalid-value {at}/security/0/s"),
        ),
        (parameter(json!({"name": "q", "schema": {}})), format!("missing-field {at}/parameters/0")),
        (parameter(json!({"name": "q", "in": "querry", "schema": {}})), format!("invalid-value {at}/parameters/0/in")),
        (parameter(json!({"name": "q", "in": "query"})), format!("missing-field {at}/parameters/0")),
        (
            parameter(json!({"name": "id", "in": "path", "required": false, "schema": {}})),
            format!("invalid-value {at}/parameters/0/required"),
        ),
        (schema(json!({"type": "array"})), "missing-field /components/schemas/A".to_owned()),
        (schema(json!({"type": "strnig"})), "invalid-value /components/schemas/A/type".to_owned()),
        (
            schema(json!({"type": "string", "maxLength": -1})),
            "invalid-value /components/schemas/A/maxLength".to_owned(),
        ),
        (schema(json!({"type": "string", "pattern": "^[a"})), "invalid-value /components/schemas/A/pattern".to_owned()),
        (
            schema(json!({"type": "object", "required": true})),
            "invalid-value /components/schemas/A/required".to_owned(),
        ),
        (schema(json!({"type": "integer", "default": "x"})), "invalid-value /components/schemas/A/default".to_owned()),
        (schema(json!({"type": "integer", "default": "7"})), "doubtful-value /components/schemas/A/default".to_owned()),
        (schema(json!({"const": 1})), "invalid-value /components/schemas/A/const".to_owned()),
        (scheme(json!({"type": "apiKey", "name": "k"})), "missing-field /components/securitySchemes/s".to_owned()),
        (
            scheme(json!({"type": "oauth2", "flows": {"password": {"tokenUrl": "/t"}}})),
            "missing-field /components/securitySchemes/s/flows/password".to_owned(),
        ),
    ] {
        assert_eq!(pointers(&spec), [expected], "{spec}");
    }
}

#[test]
fn what_3_1_adds_is_no_fault_there() {
    let spec = json!({
        "openapi": "3.1.0",
        "info": {"title": "x", "version": "1", "summary": "y", "license": {"name": "MIT", "identifier": "MIT"}},
        "webhooks": {"seen": {"post": {"requestBody": {"content": {"application/json": {"schema": {
            "type": ["string", "null"], "const": "a", "exclusiveMinimum": 3, "examples": [7]
        }}}}}}},
        "components": {"schemas": {"A": true, "B": {"type": "array"}}, "pathItems": {"p": {"get": {}}}}
    });
    assert_eq!(pointers(&spec), [""; 0]);
    let mut older = spec;
    older["openapi"] = "3.0.0".into();
    assert!(pointers(&older).len() > 5);
}

#[test]
fn documents_of_the_other_kinds_are_read_as_what_they_are() {
    let swagger = json!({"swagger": "2.0", "info": {"title": "x", "version": "1"}, "paths": {}});
    let report = validate_spec(&swagger, SpecKind::Openapi);
    assert!(report.valid && report.warnings.len() == 1, "{report:?}");
    let events = json!({"asyncapi": "3.0.0", "info": {"title": "x", "version": "1"}});
    assert!(validate_spec(&events, SpecKind::Asyncapi).valid);
    assert!(!validate_spec(&events, SpecKind::Openapi).valid);
    assert!(!validate_spec(&json!({"asyncapi": "3.0.0"}), SpecKind::Asyncapi).valid);
    for schema in [
        json!({}),
        json!({"minimum": 1}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}),
    ] {
        assert!(validate_spec(&schema, SpecKind::JsonSchema).valid, "{schema}");
    }
    for schema in [json!({"type": "strnig"}), json!({"$ref": "#/$defs/none"}), json!({"properties": []}), json!([])] {
        assert!(!validate_spec(&schema, SpecKind::JsonSchema).valid, "{schema}");
    }
    for nothing in [json!(null), json!("x"), json!({})] {
        assert!(!validate_spec(&nothing, SpecKind::Openapi).valid, "{nothing}");
    }
}

#[test]
fn a_default_that_is_too_deep_to_look_at_is_a_warning() {
    let mut value = json!({});
    for _ in 0..70 {
        value = json!({ "next": value });
    }
    let node =
        json!({"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}, "default": value});
    let report = validate_spec(&openapi(&json!({}), &json!({"schemas": {"Node": node}})), SpecKind::Openapi);
    assert!(report.valid, "{:?}", report.errors);
    assert_eq!(report.warnings.len(), 1);
    assert!(
        report.warnings[0].starts_with("this default is not held against its whole schema"),
        "{:?}",
        report.warnings
    );
}
