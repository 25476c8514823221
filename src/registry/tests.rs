//! What is registered is found again, and stays what it is.

mod scanning;

use serde_json::json;

use super::*;

fn registry() -> (tempfile::TempDir, Registry) {
    let folder = tempfile::tempdir().expect("it can be done");
    let registry = Registry::open(&folder.path().join("contracts.db"), folder.path()).expect("it can be done");
    (folder, registry)
}

fn users(version: &str, title: &str, cycle: Option<&str>) -> NewContract {
    NewContract {
        service_name: "users".to_owned(),
        kind: SpecKind::Openapi,
        version: version.to_owned(),
        spec: json!({"openapi": "3.1.0", "info": {"title": title, "version": version}, "paths": {}}),
        build_cycle_id: cycle.map(str::to_owned),
    }
}

#[test]
fn a_contract_is_found_again_as_it_was_registered() {
    let (_folder, mut registry) = registry();
    let made = registry.create(&users("1.0.0", "Users", None)).expect("it can be done");
    let found = registry.get(&made.entry.id).expect("it can be done").expect("it is there");
    assert_eq!(found, made);
    assert_eq!(found.spec.to_string(), users("1.0.0", "Users", None).spec.to_string());
    let shown = serde_json::to_value(&found).expect("it can be done");
    for key in ["id", "type", "version", "service_name", "spec", "spec_hash", "status"] {
        assert!(shown.get(key).is_some_and(|value| !value.is_null()), "{key}");
    }
    assert_eq!(shown["type"], "openapi");
    assert_eq!(registry.get("no such id").expect("it can be done"), None);
}

#[test]
fn within_a_build_cycle_a_version_stays_what_it_is() {
    let (_folder, mut registry) = registry();
    let first = registry.create(&users("1.0.0", "Users", Some("one"))).expect("it can be done");
    let again = registry.create(&users("1.0.0", "Users", Some("one"))).expect("the same is no change");
    assert_eq!(again, first);
    let refused = registry.create(&users("1.0.0", "People", Some("one"))).expect_err("it is refused");
    assert_eq!(refused.code(), "conflict");
    assert!(refused.to_string().contains(&first.entry.id), "{refused}");
    assert!(registry.create(&users("1.1.0", "People", Some("one"))).is_ok());
    let later = registry.create(&users("1.0.0", "People", Some("two"))).expect("it can be done");
    assert_eq!(later.entry.id, first.entry.id);
    assert_ne!(later.entry.spec_hash, first.entry.spec_hash);
    assert_eq!(registry.list(&ListFilter::default()).expect("it can be done").total, 2);
}

#[test]
fn what_no_contract_can_have_is_refused_with_what_to_do() {
    let (_folder, mut registry) = registry();
    let good = users("1.0.0", "Users", None);
    let wrong = [
        NewContract { service_name: " ".to_owned(), ..good.clone() },
        NewContract { service_name: "x".repeat(101), ..good.clone() },
        NewContract { version: "1.0".to_owned(), ..good.clone() },
        NewContract { version: "1.0.0-".to_owned(), ..good.clone() },
        NewContract { spec: json!("{}"), ..good.clone() },
        NewContract { spec: json!({}), ..good.clone() },
        NewContract { spec: json!({"asyncapi": "3.0.0"}), ..good },
    ];
    for new in wrong {
        let error = registry.create(&new).expect_err("it is refused");
        assert_eq!(error.code(), "invalid");
        assert!(error.to_string().contains("; "), "{error}");
    }
    assert_eq!(registry.list(&ListFilter::default()).expect("it can be done").total, 0);
}

#[test]
fn pages_hold_what_a_filter_lets_through() {
    let (_folder, mut registry) = registry();
    for minor in 0..5 {
        registry.create(&users(&format!("1.{minor}.0"), "Users", None)).expect("it can be done");
    }
    let schema = NewContract {
        service_name: "orders".to_owned(),
        kind: SpecKind::JsonSchema,
        spec: json!({"type": "object"}),
        ..users("1.0.0", "", None)
    };
    registry.create(&schema).expect("it can be done");
    let ask = |filter: ListFilter| registry.list(&filter).expect("it can be done");
    let second =
        ask(ListFilter { service_name: Some("users".to_owned()), page: 2, page_size: 2, ..Default::default() });
    assert_eq!((second.total, second.page, second.page_size), (5, 2, 2));
    assert_eq!(second.items.iter().map(|it| it.version.as_str()).collect::<Vec<_>>(), ["1.2.0", "1.3.0"]);
    let schemas = ask(ListFilter { kind: Some(SpecKind::JsonSchema), ..Default::default() });
    assert_eq!(schemas.items.len(), 1);
    assert!(ask(ListFilter { page: u32::MAX, ..Default::default() }).items.is_empty());
    assert_eq!(registry.list(&ListFilter { page: 0, ..Default::default() }).expect_err("no page").code(), "invalid");
    let large = ListFilter { page_size: 101, ..Default::default() };
    assert_eq!(registry.list(&large).expect_err("too many").code(), "invalid");
}

#[test]
fn a_type_that_is_misspelt_is_named() {
    let error = SpecKind::parse("open-api").expect_err("there is none");
    assert!(error.to_string().contains("did you mean `openapi`"), "{error}");
}
