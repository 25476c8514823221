//! What contracts become, without writing it anywhere.

use serde_json::json;

use super::*;

fn of(document: Value) -> model::Service {
    let serves = vec![Contract { id: "c".to_owned(), document }];
    let (publishes, consumes) = (Vec::new(), Vec::new());
    model::read(
        &Blueprint { service: "s".to_owned(), target: Target::FastApi, port: 1, serves, publishes, consumes },
        &[],
    )
}

fn schema(schema: Value) -> types::Type {
    let answer = json!({"200": {"description": "", "content": {"application/json": {"schema": schema}}}});
    let service = of(
        json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": answer}}}}),
    );
    service.operations[0].success.ty.clone().expect("it has a body")
}

#[test]
fn targets_have_names() {
    for target in Target::ALL {
        assert_eq!(target.to_string().parse(), Ok(target));
    }
    let error = "rails".parse::<Target>().expect_err("no such target");
    assert!(error.to_string().contains("fastapi"), "{error}");
}

#[test]
fn schemas_become_types() {
    use types::Type;
    let text = || Type::Text(types::Text::default());
    let nullable = |ty: Type| Type::Nullable(Box::new(ty));
    assert_eq!(schema(json!({"type": ["string", "null"]})), nullable(text()));
    assert_eq!(schema(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})), nullable(text()));
    assert_eq!(
        schema(json!({"oneOf": [{"type": "string"}, {"type": "boolean"}]})),
        Type::Union(vec![text(), Type::Boolean])
    );
    assert_eq!(
        schema(json!({"type": "object", "additionalProperties": {"type": "string"}})),
        Type::Map(Box::new(text()))
    );
    assert_eq!(schema(json!({"allOf": [{"type": "string"}]})), text());
    assert_eq!(schema(json!({"const": "a"})), Type::Values(vec![crate::model::Literal::String("a".to_owned())]));
    assert_eq!(schema(json!({})), Type::Any);
}

#[test]
fn what_goes_one_way_has_two_models() {
    let thing = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "string", "format": "uuid", "readOnly": true}, "password": {"type": "string", "writeOnly": true}}});
    let body = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}});
    let service = of(json!({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
        "/things": {"post": {"requestBody": {"required": true, "content": body}, "responses": {"201": {"description": "", "content": body}}}}},
        "components": {"schemas": {"Thing": thing}}}));
    let fields = |name: &str| -> Vec<String> {
        let model = service.types.models.iter().find(|it| it.name == name).expect("it is there");
        model.fields().iter().map(|it| it.name.clone()).collect()
    };
    assert_eq!(fields("Thing"), ["id"]);
    assert_eq!(fields("ThingInput"), ["password"]);
}

#[test]
fn collections_are_told_by_paths_and_schemas() {
    let thing = json!({"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}});
    let new = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
    let sent = |schema: &Value| json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let answer = |schema: &Value| json!({"description": "", "content": {"application/json": {"schema": schema}}});
    let missing = json!({"description": ""});
    let service = of(json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
        "/things": {
            "get": {"responses": {"200": answer(&json!({"type": "array", "items": thing}))}},
            "post": {"requestBody": sent(&new), "responses": {"201": answer(&thing)}}},
        "/things/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "get": {"responses": {"200": answer(&thing), "404": missing}},
            "put": {"requestBody": sent(&new), "responses": {"200": answer(&thing)}},
            "delete": {"responses": {"204": missing}}},
        "/things/{id}/start": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "post": {"responses": {"204": missing, "404": missing}}}}}));
    let told: Vec<(String, bool)> =
        service.operations.iter().map(|it| (it.title(), it.action != crud::Action::Sample)).collect();
    let told: Vec<(&str, bool)> = told.iter().map(|(title, kept)| (title.as_str(), *kept)).collect();
    // Each inline schema is a model of its own, so that a list of others is none of these things.
    assert_eq!(
        told,
        [
            ("GET /things", false),
            ("POST /things", false),
            ("GET /things/{id}", true),
            // Where nothing may be said of what is not there, it cannot be looked for.
            ("PUT /things/{id}", false),
            ("DELETE /things/{id}", true),
            ("POST /things/{id}/start", false),
        ]
    );
    assert_eq!(service.operations[5].within, Some((0, 0)));
}
