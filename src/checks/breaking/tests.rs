//! Two versions, by example and by law.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::contracts::{Document, declare, parse};
use crate::text::{FileId, SourceFile, Sources};

fn declared(file: u32, text: &str) -> Declarations {
    let document: Document = parse(FileId(file), text);
    declare(&BTreeMap::from([("api.yaml".to_owned(), document)]), "api.yaml")
}

fn versions<'a>(old: &'a Declarations, new: &'a Declarations, today: Option<&'a str>) -> Versions<'a> {
    Versions { old: old.into(), new: new.into(), today, notice: 0, code: None }
}

/// `kind subject` of every change, in the order in which they are found.
fn changed(old: &str, new: &str, today: Option<&str>) -> Vec<String> {
    let (old, new) = (declared(0, old), declared(1, new));
    let changes = compare(versions(&old, &new, today));
    changes.found.into_values().map(|(change, _)| format!("{} {}", change.kind, change.subject)).collect()
}

fn severity(kind: &str) -> Severity {
    KINDS.iter().find(|known| known.name == kind).expect("a kind of the engine").severity
}

/// A document with one operation that takes and gives the same schema.
fn with_schema(schema: &str) -> String {
    let body = format!("{{content: {{application/json: {{schema: {schema}}}}}}}");
    format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    post:\n      requestBody: {body}\n      responses:\n        '200': {body}\n"
    )
}

#[test]
fn every_kind_that_is_reported_is_known() {
    for direction in [Direction::Request, Direction::Response] {
        for kind in crate::checks::shape::DifferenceKind::ALL {
            let name = members::name(kind, direction);
            assert!(KINDS.iter().any(|known| known.name == name), "{name}");
        }
    }
}

#[test]
fn both_directions_of_one_schema_are_judged() {
    let old =
        with_schema("{type: object, required: [a], properties: {a: {type: integer, maximum: 5}, b: {type: string}}}");
    let new = with_schema("{type: object, properties: {a: {type: number, maximum: 9}, c: {type: string}}}");
    assert_eq!(
        changed(&old, &new, None),
        [
            "request-field-added `c` of the request",
            "request-field-removed `b` of the request",
            "response-became-optional `a` of the response 200",
            "response-limit `a` of the response 200",
            "response-type `a` of the response 200",
            "response-optional-field-removed `b` of the response 200",
            "response-field-added `c` of the response 200",
        ]
    );
}

#[test]
fn what_is_deprecated_may_go_after_its_day() {
    let old = |extra: &str| {
        format!(
            "openapi: 3.0.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get: {{deprecated: true, {extra}responses: {{'200': {{description: x}}}}}}\n"
        )
    };
    let new = "openapi: 3.0.0\ninfo: {title: T, version: '2'}\npaths: {}\n";
    let gone = |extra: &str, today| changed(&old(extra), new, today);
    assert_eq!(gone("", None), ["sunset-operation-removed `GET /a`"]);
    let sunset = "x-sunset: '2026-02-01', ";
    assert_eq!(gone(sunset, Some("2026-01-31")), ["operation-removed `GET /a`"]);
    assert_eq!(gone(sunset, Some("2026-02-01")), ["sunset-operation-removed `GET /a`"]);
    assert_eq!(gone("x-sunset: soon, ", Some("2026-02-01")), ["operation-removed `GET /a`"]);
}

#[test]
fn parameters_of_a_path_are_known_by_their_position() {
    let version = |name: &str, kind: &str| {
        format!(
            "openapi: 3.0.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a/{{{name}}}:\n    get:\n      parameters: [{{name: {name}, in: path, required: true, schema: {{type: {kind}}}}}]\n      responses: {{'200': {{description: x}}}}\n"
        )
    };
    assert!(changed(&version("id", "integer"), &version("user", "integer"), None).is_empty());
    assert!(changed(&version("id", "integer"), &version("id", "string"), None).is_empty(), "any text is taken");
    assert_eq!(
        changed(&version("id", "string"), &version("id", "integer"), None),
        ["request-type path parameter `id`"]
    );
}

#[test]
fn a_version_of_2_is_compared_with_one_of_3() {
    let old = "swagger: '2.0'\ninfo: {title: T, version: '1'}\nproduces: [application/json]\npaths:\n  /a:\n    get: {responses: {'200': {description: x, schema: {type: array, items: {type: string}}}}}\n";
    let new = "openapi: 3.0.0\ninfo: {title: T, version: '2'}\npaths:\n  /a:\n    get: {responses: {'200': {description: x, content: {application/json: {schema: {type: array, items: {type: integer}}}}}}}\n";
    assert_eq!(changed(old, new, None), ["response-type `[]` of the response 200"]);
}

#[test]
fn every_change_has_a_place_in_both_versions() {
    let old = with_schema("{type: object, required: [a], properties: {a: {type: integer}}}");
    let new = with_schema("{type: string}");
    let mut sources = Sources::default();
    sources.add(SourceFile::new("old.yaml", old.as_str()));
    sources.add(SourceFile::new("new.yaml", new.as_str()));
    let (old, new) = (declared(0, &old), declared(1, &new));
    let changes = compare(versions(&old, &new, None));
    assert_eq!(changes.found.len(), 2);
    for (change, _) in changes.found.values() {
        assert_eq!(sources.path(change.span), "new.yaml");
        let (before, _) = change.before.as_ref().expect("there was one before");
        assert_eq!(sources.path(*before), "old.yaml");
    }
}

/// Schemas as YAML in one line: every keyword that is compared, anyhow, and references that go round.
fn schemas() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("{}".to_owned()),
        Just("true".to_owned()),
        Just("{type: string, maxLength: 5, pattern: a}".to_owned()),
        Just("{type: integer, format: int32, minimum: 1}".to_owned()),
        Just("{type: [string, 'null'], enum: [a, b, null]}".to_owned()),
        Just("{type: [integer, string], format: int64}".to_owned()),
        Just("{const: 1}".to_owned()),
        Just("{if: {type: string}, then: {minLength: 1}}".to_owned()),
        Just("{$ref: '#/components/schemas/Loop'}".to_owned()),
        Just("{$ref: '#/components/schemas/Cat'}".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let several = proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            (several.clone(), any::<bool>(), any::<bool>()).prop_map(|(members, required, closed)| {
                let properties: Vec<String> =
                    members.iter().enumerate().map(|(at, member)| format!("m{at}: {member}")).collect();
                let required = if required { "required: [m0], " } else { "" };
                let closed = if closed { "additionalProperties: false, " } else { "" };
                format!("{{type: object, {required}{closed}properties: {{{}}}}}", properties.join(", "))
            }),
            inner.clone().prop_map(|item| format!("{{type: array, minItems: 1, items: {item}}}")),
            inner.clone().prop_map(|value| format!("{{type: object, additionalProperties: {value}}}")),
            several.clone().prop_map(|options| format!("{{oneOf: [{}]}}", options.join(", "))),
            several.clone().prop_map(|options| format!("{{anyOf: [{}], nullable: true}}", options.join(", "))),
            several.prop_map(|parts| format!("{{allOf: [{}]}}", parts.join(", "))),
        ]
    })
}

const COMPONENTS: &str = "components:\n  schemas:\n    Loop: {type: object, properties: {next: {$ref: '#/components/schemas/Loop'}}}\n    Cat: {type: object, required: [kind], properties: {kind: {const: cat}}}\n";

fn document(schema: &str) -> String {
    with_schema(schema) + COMPONENTS
}

#[test]
fn of_alternatives_of_one_name_the_same_one_is_meant() {
    let (cat, looping) = ("{$ref: '#/components/schemas/Cat'}", "{$ref: '#/components/schemas/Loop'}");
    for schema in [
        format!("{{oneOf: [{{allOf: [{cat}, {looping}]}}, {cat}]}}"),
        format!("{{anyOf: [{cat}, {{allOf: [{cat}, {looping}]}}], nullable: true}}"),
    ] {
        let text = document(&schema);
        assert!(changed(&text, &text, None).is_empty(), "{schema}");
    }
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(schema in schemas()) {
        let text = document(&schema);
        let found = changed(&text, &text, None);
        prop_assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn an_optional_member_that_is_new_breaks_nobody(schema in schemas()) {
        let old = document(&format!("{{type: object, properties: {{a: {schema}}}}}"));
        let new = document(&format!("{{type: object, properties: {{a: {schema}, b: {schema}}}}}"));
        for found in changed(&old, &new, None) {
            let kind = found.split(' ').next().expect("a kind");
            prop_assert_eq!(severity(kind), Severity::Info, "{}", found);
        }
    }

    #[test]
    fn a_required_member_that_is_gone_always_breaks(schema in schemas()) {
        let old = document(&format!("{{type: object, required: [a, b], properties: {{a: {schema}, b: {schema}}}}}"));
        let new = document(&format!("{{type: object, required: [a], properties: {{a: {schema}}}}}"));
        let found = changed(&old, &new, None);
        prop_assert!(found.contains(&"response-field-removed `b` of the response 200".to_owned()), "{found:?}");
    }
}
