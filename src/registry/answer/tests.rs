//! Tests of the file that this folder belongs to.

use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "values are written where they are used")]
fn document(version: &str, schemas: Value, schema: Value) -> Value {
    let responses = json!({"200": {"description": "x", "content": {"application/json": {"schema": schema}}}});
    json!({
        "openapi": version,
        "info": {"title": "x", "version": "1"},
        "paths": {"/x": {"get": {"responses": responses}}},
        "components": {"schemas": schemas}
    })
}

fn ask(spec: &Value, body: &Value) -> AnswerReport {
    check(spec, "GET", "/x", 200, body).unwrap_or_else(|error| panic!("{error}"))
}

/// `field: expected, actual` of each violation.
fn lines(report: &AnswerReport) -> Vec<String> {
    report.violations.iter().map(|it| format!("{}: {}, {}", it.field, it.expected, it.actual)).collect()
}

#[test]
fn null_passes_only_where_it_is_allowed() {
    for version in ["3.0.3", "3.1.0"] {
        let nullable = |schema: Value| {
            if version == "3.0.3" {
                let mut schema = schema;
                schema["nullable"] = true.into();
                schema
            } else {
                json!({"anyOf": [schema, {"type": "null"}]})
            }
        };
        let user = json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"},
            "nick": nullable(json!({"type": "string"})),
            "role": nullable(json!({"type": "string", "enum": ["a", "b"]})),
            "boss": nullable(json!({"allOf": [{"$ref": "#/components/schemas/User"}]})),
        }});
        let spec = document(version, json!({"User": user}), json!({"$ref": "#/components/schemas/User"}));
        let fine = json!({"name": "x", "nick": null, "role": null, "boss": {"name": "y", "boss": null}});
        assert_eq!(lines(&ask(&spec, &fine)), [""; 0]);
        assert_eq!(lines(&ask(&spec, &json!({"name": null}))), ["name: string, null"]);
        assert_eq!(lines(&ask(&spec, &json!(null))), ["$: object, null"]);
        let deep = json!({"name": "x", "boss": {"name": "y", "boss": {"name": null, "role": "a"}}});
        assert_eq!(lines(&ask(&spec, &deep)), ["boss.boss.name: string, null"]);
        let role = lines(&ask(&spec, &json!({"name": "x", "role": "c"})));
        assert_eq!(role, ["role: one of \"a\", \"b\" or null, string \"c\""], "{version}");
    }
    let listed = document("3.1.0", json!({}), json!({"type": ["string", "null"]}));
    assert!(ask(&listed, &json!(null)).valid);
    assert_eq!(lines(&ask(&listed, &json!(1))), ["$: null or string, number 1"]);
}

#[test]
fn a_flag_is_no_integer_and_every_element_counts() {
    let spec = document(
        "3.0.0",
        json!({}),
        json!({"type": "array", "items": {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "in": {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "number"}}}}}
        }}),
    );
    let body = json!([{"n": 1}, {"n": true}, {"n": 2.5}, {"n": 3.0}, {"in": {"x": [1, "2"]}}]);
    assert_eq!(
        lines(&ask(&spec, &body)),
        ["[1].n: integer, boolean true", "[2].n: integer, number 2.5", "[4].in.x[1]: number, string \"2\""]
    );
}

#[test]
fn bounds_are_read_in_either_way_of_writing_them() {
    let old = document(
        "3.0.0",
        json!({}),
        json!({"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false}),
    );
    let new = document("3.1.0", json!({}), json!({"type": "number", "exclusiveMinimum": 1, "maximum": 3}));
    for spec in [old, new] {
        assert_eq!(lines(&ask(&spec, &json!(1))), ["$: more than 1, number 1"]);
        assert_eq!(lines(&ask(&spec, &json!(4))), ["$: at most 3, number 4"]);
        assert!(ask(&spec, &json!(3)).valid);
    }
}

#[test]
fn what_is_write_only_is_neither_required_nor_allowed_and_what_is_read_only_is_both() {
    let base = json!({"type": "object", "required": ["id", "password"], "properties": {
        "id": {"type": "integer", "readOnly": true},
        "password": {"$ref": "#/components/schemas/Secret"},
    }});
    let secret = json!({"type": "string", "writeOnly": true});
    let user = json!({"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["password"]}]});
    let schemas = json!({"Base": base, "Secret": secret, "User": user});
    for version in ["3.0.0", "3.1.0"] {
        let spec = document(version, schemas.clone(), json!({"$ref": "#/components/schemas/User"}));
        assert!(ask(&spec, &json!({"id": 1})).valid);
        assert_eq!(lines(&ask(&spec, &json!({}))), ["id: required, missing"]);
        let told = lines(&ask(&spec, &json!({"id": 1, "password": "x"})));
        assert_eq!(told, ["password: not to be in an answer, string \"x\""]);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "values are written where they are used")]
fn pets(discriminator: Value) -> Value {
    json!({
        "Cat": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "bark": {"type": "boolean"}}},
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": discriminator}
    })
}

#[test]
fn a_discriminator_tells_which_alternative_counts() {
    let pet = json!({"$ref": "#/components/schemas/Pet"});
    let plain = document("3.0.0", pets(json!({"propertyName": "kind"})), pet.clone());
    // Both alternatives would take it.
    assert!(ask(&plain, &json!({"kind": "Cat", "lives": 9})).valid);
    assert_eq!(lines(&ask(&plain, &json!({"kind": "Cat"}))), ["lives: required, missing"]);
    assert_eq!(lines(&ask(&plain, &json!({"kind": "Dog", "bark": 1}))), ["bark: boolean, number 1"]);
    assert_eq!(lines(&ask(&plain, &json!({"kind": "Cow"}))), ["kind: one of \"Cat\", \"Dog\", string \"Cow\""]);
    assert_eq!(lines(&ask(&plain, &json!({}))), ["kind: required, missing"]);
    assert_eq!(lines(&ask(&plain, &json!("x"))), ["$: object, string \"x\""]);
    let mapping = json!({"propertyName": "kind", "mapping": {"c": "Cat", "d": "#/components/schemas/Dog"}});
    let mapped = document("3.1.0", pets(mapping), pet);
    assert!(ask(&mapped, &json!({"kind": "d", "bark": true})).valid);
    assert_eq!(lines(&ask(&mapped, &json!({"kind": "c"}))), ["lives: required, missing"]);
    assert_eq!(lines(&ask(&mapped, &json!({"kind": "Dog"}))), ["kind: one of \"c\", \"d\", string \"Dog\""]);
}

#[test]
fn a_discriminator_leads_to_the_schemas_that_are_made_of_its_own() {
    let schemas = json!({
        "Pet": {"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer"}}}]},
        "Lion": {"allOf": [{"$ref": "#/components/schemas/Cat"}, {"type": "object", "properties": {"pride": {"type": "string"}}}]}
    });
    let spec = document("3.0.0", schemas, json!({"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}));
    assert!(
        ask(&spec, &json!([{"kind": "Pet"}, {"kind": "Cat", "lives": 1}, {"kind": "Lion", "lives": 1, "pride": "x"}]))
            .valid
    );
    assert_eq!(
        lines(&ask(&spec, &json!([{"kind": "Lion", "pride": 1}]))),
        ["[0].lives: required, missing", "[0].pride: string, number 1"]
    );
    assert_eq!(
        lines(&ask(&spec, &json!([{"kind": "Cow"}]))),
        ["[0].kind: one of \"Cat\", \"Lion\", \"Pet\", string \"Cow\""]
    );
}

#[test]
fn formats_count() {
    let cases = [
        ("string", "date", json!("2024-02-29"), json!("2023-02-29")),
        ("string", "date-time", json!("2024-01-01T00:00:00Z"), json!("2024-01-01 00:00")),
        ("string", "email", json!("a@e.com"), json!("a.e.com")),
        ("string", "uuid", json!("6c84fb90-12c4-11e1-840d-7b25c5ee775a"), json!("6c84fb90")),
        ("string", "uri", json!("https://e.com/x"), json!("/x y")),
        ("string", "ipv4", json!("127.0.0.1"), json!("127.0.0.256")),
        ("string", "byte", json!("aGk="), json!("a?")),
        ("integer", "int32", json!(2_147_483_647), json!(2_147_483_648_i64)),
        ("integer", "int64", json!(9_007_199_254_740_993_i64), json!(1e300)),
    ];
    for version in ["3.0.0", "3.1.0"] {
        for (word, format, good, bad) in &cases {
            let spec = document(version, json!({}), json!({"type": word, "format": format}));
            assert!(ask(&spec, good).valid, "{format}");
            assert!(!ask(&spec, bad).valid, "{format}");
        }
        let spec = document(version, json!({}), json!({"type": "string", "format": "password"}));
        assert!(ask(&spec, &json!("any")).valid);
    }
}

fn service() -> Value {
    let answer = |schema: Value| json!({"description": "x", "content": {"application/json": {"schema": schema}}});
    json!({
        "openapi": "3.0.3",
        "info": {"title": "x", "version": "1"},
        "servers": [{"url": "https://e.com/api/v1"}],
        "paths": {
            "/users/{id}": {
                "get": {"responses": {
                    "200": answer(json!({"type": "object"})),
                    "4XX": answer(json!({"type": "array", "items": {}})),
                    "default": {"$ref": "#/components/responses/Failure"}
                }},
                "delete": {"responses": {"204": {"description": "gone"}}}
            },
            "/users/me": {"get": {"responses": {"200": answer(json!({"type": "string"})), "404": answer(json!({}))}}}
        },
        "components": {"responses": {"Failure": answer(json!({"type": "integer"}))}}
    })
}

#[test]
fn the_status_selects_the_response_and_the_path_the_operation() {
    let spec = service();
    let valid = |method: &str, path: &str, status: u16, body: Value| {
        check(&spec, method, path, status, &body).map(|it| it.valid)
    };
    assert_eq!(valid("get", "/users/42", 200, json!({})), Ok(true));
    assert_eq!(valid("GET", "/api/v1/users/42?full=1", 200, json!({})), Ok(true));
    assert_eq!(valid("GET", "https://e.com/api/v1/users/42/", 200, json!({})), Ok(true));
    assert_eq!(valid("GET", "/users/{id}", 200, json!({})), Ok(true));
    assert_eq!(valid("GET", "/users/me", 200, json!({})), Ok(false));
    assert_eq!(valid("GET", "/users/me", 200, json!("x")), Ok(true));
    assert_eq!(valid("GET", "/users/42", 404, json!({})), Ok(false));
    assert_eq!(valid("GET", "/users/42", 404, json!([1])), Ok(true));
    assert_eq!(valid("GET", "/users/42", 500, json!(1)), Ok(true));
    assert_eq!(valid("GET", "/users/42", 500, json!("1")), Ok(false));
    assert_eq!(valid("DELETE", "/users/42", 204, json!(null)), Ok(true));
    assert_eq!(valid("DELETE", "/users/42", 204, json!({})), Ok(false));
    assert_eq!(valid("GET", "/users/me", 404, json!([true])), Ok(true));
}

#[test]
fn what_is_not_there_is_an_error_that_names_the_nearest() {
    let spec = service();
    let told = |method: &str, path: &str, status: u16| {
        let error = check(&spec, method, path, status, &json!({})).expect_err("an error");
        (error.code(), error.to_string())
    };
    let (code, text) = told("GET", "/user/me", 200);
    assert_eq!(code, "unknown_operation");
    assert!(text.contains("`GET /users/me`"), "{text}");
    let (_, text) = told("GET", "/quite/another/thing", 200);
    assert!(text.contains("GET /users/{id}"), "{text}");
    let (_, text) = told("PUT", "/users/42", 200);
    assert!(text.contains("`DELETE /users/{id}`, `GET /users/{id}`"), "{text}");
    let (code, text) = told("GET", "/users/me", 403);
    assert_eq!(code, "undeclared_status");
    assert!(text.contains("200, 404, the nearest is 404"), "{text}");
    let error = check(&json!({"asyncapi": "3.0.0"}), "GET", "/x", 200, &json!({})).expect_err("no answers");
    assert_eq!(error.code(), "unsupported");
    let broken = document("3.0.0", json!({}), json!({"$ref": "#/components/schemas/Nobody"}));
    let error = check(&broken, "GET", "/x", 200, &json!({})).expect_err("a reference that leads nowhere");
    assert_eq!(error.code(), "invalid");
    assert!(error.to_string().contains("Nobody"), "{error}");
}

#[test]
fn a_swagger_document_has_its_schemas_elsewhere() {
    let spec = json!({
        "swagger": "2.0", "info": {"title": "x", "version": "1"}, "basePath": "/v2",
        "paths": {"/pets/{id}": {"get": {"responses": {"200": {"description": "x", "schema": {"$ref": "#/definitions/Pet"}}}}}},
        "definitions": {"Pet": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer", "format": "int32"}, "tag": {"type": "string", "x-nullable": true}
        }}}
    });
    let answer = |body: Value| check(&spec, "GET", "/v2/pets/7", 200, &body).expect("an operation");
    assert!(answer(json!({"id": 1, "tag": null})).valid);
    assert_eq!(lines(&answer(json!({"id": "1"}))), ["id: integer, string \"1\""]);
}

#[test]
fn schemas_that_are_made_of_themselves_come_to_an_end() {
    for (schemas, schema) in [
        (json!({"A": {"$ref": "#/components/schemas/A"}}), json!({"$ref": "#/components/schemas/A"})),
        (json!({"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}}), json!({"$ref": "#/components/schemas/A"})),
        (
            json!({"A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"type": "string"}]}, "B": {"anyOf": [{"$ref": "#/components/schemas/A"}]}}),
            json!({"$ref": "#/components/schemas/B"}),
        ),
        (json!({"A": {"not": {"$ref": "#/components/schemas/A"}}}), json!({"$ref": "#/components/schemas/A"})),
        (
            json!({"A": {"discriminator": {"propertyName": "k"}, "oneOf": [{"$ref": "#/components/schemas/B"}]}, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}}),
            json!({"$ref": "#/components/schemas/A"}),
        ),
    ] {
        for version in ["3.0.0", "3.1.0"] {
            let spec = document(version, schemas.clone(), schema.clone());
            for body in [json!({"k": "B"}), json!("x"), json!(null)] {
                let _ = check(&spec, "GET", "/x", 200, &body);
            }
        }
    }
}

#[test]
fn anchors_and_identifiers_lead_to_their_schemas() {
    let schemas = json!({
        "Name": {"$anchor": "name", "type": "string"},
        "Id": {"$id": "https://e.com/id", "type": "object", "properties": {"v": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
    });
    let schema = json!({"properties": {"a": {"$ref": "#name"}, "b": {"$ref": "https://e.com/id"}, "c": {"$ref": "#/components/schemas/Id"}}});
    let spec = document("3.1.0", schemas, schema);
    assert!(ask(&spec, &json!({"a": "x", "b": {"v": 1}, "c": {"v": 2}})).valid);
    let told = lines(&ask(&spec, &json!({"a": 1, "b": {"v": "x"}, "c": {"v": "y"}})));
    assert_eq!(told, ["a: string, number 1", "b.v: integer, string \"x\"", "c.v: integer, string \"y\""]);
}

#[test]
fn members_that_no_schema_knows_are_told_by_name() {
    let spec =
        document("3.0.0", json!({}), json!({"type": "object", "additionalProperties": false, "properties": {"a": {}}}));
    assert_eq!(
        lines(&ask(&spec, &json!({"a": 1, "b": [], "c": {}}))),
        ["b: no such member, array of 0", "c: no such member, object without members"]
    );
}

#[test]
fn a_schema_is_a_contract_of_its_own() {
    let spec = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 1, "exclusiveMinimum": true});
    let answer = |body: Value| check(&spec, "", "", 0, &body).expect("a schema");
    assert!(answer(json!(2)).valid);
    assert_eq!(lines(&answer(json!(1))), ["$: more than 1, number 1"]);
    assert_eq!(check(&json!("x"), "", "", 0, &json!(1)).expect_err("no schema").code(), "invalid");
}

proptest::proptest! {
    /// Whatever is put for the schemas of a document, an answer or an error comes of it.
    #[test]
    fn any_schema_ends_without_panic(text in "[{}\\[\\],:\"a$reftypnull0-9 ]{0,60}") {
        let schema = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let spec = document("3.1.0", json!({"A": schema}), json!({"$ref": "#/components/schemas/A"}));
        let _ = check(&spec, "GET", "/x", 200, &json!({"a": [1]}));
    }
}

#[test]
fn schemas_that_claim_one_address_are_an_error() {
    let schema = |anchor: &str| {
        json!({
            "$id": "https://example.com/a", "$dynamicAnchor": "a", "$defs": {"n": {anchor: "n"}},
            "items": {"$dynamicRef": "#a"}, "not": {"$ref": "#n"},
        })
    };
    let answer =
        |anchor: &str| json!({"description": "x", "content": {"application/json": {"schema": schema(anchor)}}});
    let spec = json!({
        "openapi": "3.1.0", "info": {"title": "x", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": answer("$anchor"), "4XX": answer("$other")}}}},
        "components": {"schemas": {"A": schema("$anchor")}},
    });
    for status in [200, 404] {
        let _ = check(&spec, "GET", "/a", status, &json!({}));
    }
    let both = json!({"anyOf": [schema("$anchor"), schema("$other")]});
    let error = check(&both, "GET", "/", 200, &json!({})).expect_err("which one is meant?");
    assert!(error.to_string().contains("two different schemas have the `$id` https://example.com/a"), "{error}");
    assert!(check(&json!({"anyOf": [schema("$anchor"), schema("$anchor")]}), "GET", "/", 200, &json!(1)).is_ok());
}
