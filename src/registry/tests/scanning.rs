//! What the registry says of code: small services in a folder, marked, changed, asked about.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::super::*;

/// A project with a service that keeps its contract and a client that asks for one of its operations.
fn project() -> (tempfile::TempDir, Registry) {
    let folder = tempfile::tempdir().expect("it can be done");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be done");
        fs::write(path, text).expect("it can be done");
    };
    write("users/requirements.txt", "fastapi\n");
    write("users/app.py", APP);
    write("web/package.json", r#"{"name": "web", "dependencies": {"axios": "1"}}"#);
    write("web/client.ts", CLIENT);
    let registry = Registry::open(&folder.path().join(".treaty/treaty.db"), folder.path()).expect("it can be done");
    (folder, registry)
}

const APP: &str = r#"
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class User(BaseModel):
    id: int
    name: str


@app.get("/users/{id}")
def user(id: int) -> User: ...


@app.get("/users")
def users() -> list[User]: ...
"#;

const CLIENT: &str = r#"
import axios from "axios";

export async function loadUsers() {
  const answer = await axios.get("/users");
  return answer.data;
}
"#;

fn spec() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Users", "version": "1.0.0"},
        "paths": {
            "/users/{id}": {"get": {
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "one", "content": {"application/json":
                    {"schema": {"$ref": "#/components/schemas/User"}}}}}
            }},
            "/users": {"get": {"responses": {"200": {"description": "all", "content": {"application/json":
                {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/User"}}}}}}}}
        },
        "components": {"schemas": {"User": {
            "type": "object",
            "required": ["id", "name"],
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}
        }}}
    })
}

fn add(registry: &mut Registry, spec: Value) -> Contract {
    let (service_name, version) = ("users".to_owned(), "1.0.0".to_owned());
    let new = NewContract { service_name, kind: SpecKind::of(&spec), version, spec, build_cycle_id: None };
    registry.create(&new).expect("it can be done")
}

fn exported(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("CONTRACTS.json")).expect("it is there")).expect("it is JSON")
}

#[test]
fn what_keeps_the_whole_contract_is_marked_and_exported() {
    let (folder, mut registry) = project();
    let id = add(&mut registry, spec()).entry.id;
    assert_eq!(registry.unimplemented(None).expect("it can be done")[0].implementation, "missing");
    let marked = registry.mark_implemented(&id, "users", "users/app.py").expect("it can be done");
    assert_eq!((marked.marked, marked.total, marked.all_implemented), (true, 1, true), "{marked:?}");
    assert_eq!((marked.verified, marked.promised), (2, 2));
    assert!(registry.unimplemented(Some("users")).expect("it can be done").is_empty());
    let entry = &exported(folder.path())["contracts"][&id];
    assert_eq!(entry["implemented"], true);
    assert_eq!(entry["evidence_path"], "users/app.py");
    assert_eq!(entry["spec_hash"], spec_hash(&spec()));
    // The contract changes, and what was seen of it says nothing any more.
    let mut other = spec();
    other["paths"]["/users/{id}"]["delete"] = json!({"responses": {"204": {"description": "gone"}}});
    add(&mut registry, other);
    let open = registry.unimplemented(None).expect("it can be done");
    assert_eq!(open[0].implementation, "pending");
    assert!(open[0].reasons[0].contains("changed"), "{open:?}");
    let refused = registry.mark_implemented(&id, "users", "users").expect("it can be done");
    assert_eq!((refused.marked, refused.status), (false, Status::Failed));
    assert!(refused.reasons.iter().any(|reason| reason.contains("DELETE /users/{id}")), "{refused:?}");
    assert_eq!(exported(folder.path())["contracts"][&id]["implemented"], false);
}

#[test]
fn what_answers_otherwise_is_refused_with_findings() {
    let (folder, mut registry) = project();
    let wrong = APP.replace("    name: str\n", "    title: str\n");
    fs::write(folder.path().join("users/app.py"), wrong).expect("it can be done");
    let id = add(&mut registry, spec()).entry.id;
    let refused = registry.mark_implemented(&id, "users", "users/app.py").expect("it can be done");
    assert_eq!((refused.marked, refused.status), (false, Status::Failed), "{refused:?}");
    assert!(
        refused.findings.iter().any(|it| it.message.contains("`name`") && it.file == "users/app.py"),
        "{refused:?}"
    );
}

#[test]
fn what_is_not_known_is_pending_with_its_reason() {
    let (folder, mut registry) = project();
    let vague =
        APP.replace("-> User: ...", ":\n    return load(id)").replace("-> list[User]: ...", ":\n    return load()");
    fs::write(folder.path().join("users/app.py"), format!("from store import load\n{vague}")).expect("it can be done");
    let id = add(&mut registry, spec()).entry.id;
    let marked = registry.mark_implemented(&id, "users", "users/app.py").expect("it can be done");
    assert_eq!((marked.marked, marked.status), (false, Status::Pending), "{marked:?}");
    assert_eq!(marked.reasons.len(), 2, "{marked:?}");
    assert_eq!(registry.unimplemented(None).expect("it can be done")[0].implementation, "pending");
}

#[test]
fn evidence_outside_of_the_project_is_refused_links_followed() {
    let (folder, mut registry) = project();
    let id = add(&mut registry, spec()).entry.id;
    let mut code =
        |evidence: &str| registry.mark_implemented(&id, "users", evidence).expect_err("it is refused").code();
    assert_eq!(code("/etc"), "outside_root");
    assert_eq!(code("../"), "outside_root");
    assert_eq!(code("users/../../../no/such/place"), "outside_root");
    assert_eq!(code("users/no.py"), "unreadable");
    assert_eq!(code(" "), "invalid");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", folder.path().join("users/link")).expect("it can be done");
        assert_eq!(code("users/link"), "outside_root");
        assert_eq!(code("users/link/hosts"), "outside_root");
    }
    assert!(!folder.path().join("CONTRACTS.json").exists());
    assert_eq!(registry.mark_implemented("none", "users", "users").expect_err("none").code(), "not_found");
}

#[test]
fn what_a_contracts_file_holds_besides_stays() {
    let (folder, mut registry) = project();
    let id = add(&mut registry, spec()).entry.id;
    let file = folder.path().join("CONTRACTS.json");
    let before = json!({"version": "1.0", "modules": {"a.py": {"exports": []}}, "contracts": {"x": {"spec": null}}});
    fs::write(&file, before.to_string()).expect("it can be done");
    registry.mark_implemented(&id, "users", "users").expect("it can be done");
    let after = exported(folder.path());
    assert_eq!(after["modules"], before["modules"]);
    assert_eq!(after["contracts"]["x"], before["contracts"]["x"]);
    assert_eq!(after["contracts"][&id]["implemented"], true);
    fs::write(&file, "{").expect("it can be done");
    assert_eq!(registry.mark_implemented(&id, "users", "users").expect_err("it is broken").code(), "unreadable");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "{");
}

#[test]
fn what_breaks_is_told_with_those_whom_it_breaks() {
    let (_folder, mut registry) = project();
    let id = add(&mut registry, spec()).entry.id;
    let mut other = spec();
    other["paths"].as_object_mut().expect("it is one").remove("/users");
    other["components"]["schemas"]["User"]["properties"]["id"]["type"] = json!("string");
    other["paths"]["/groups"] = json!({"get": {"responses": {"204": {"description": "none"}}}});
    let changes = registry.breaking_changes(&id, Some(&other)).expect("it can be done");
    let find =
        |kind: &str| changes.iter().find(|it| it.change == kind).unwrap_or_else(|| panic!("{kind}: {changes:#?}"));
    let removed = find("operation-removed");
    assert_eq!(
        (removed.operations.as_slice(), &removed.affected_consumers),
        (&["GET /users".to_owned()][..], &vec!["web".to_owned()])
    );
    let changed = find("response-type");
    assert_eq!(changed.old_value.as_deref(), Some("integer"));
    assert_eq!(changed.new_value.as_deref(), Some("string"));
    assert_eq!(changed.affected_consumers, Vec::<String>::new(), "nobody asks for one user");
    assert!(changed.path.starts_with("/components/schemas/User"), "{changed:?}");
    assert!(find("operation-added").affected_consumers.is_empty());
    assert!(registry.breaking_changes(&id, Some(&spec())).expect("it can be done").is_empty());
    assert!(registry.breaking_changes(&id, None).expect("it can be done").is_empty());
    assert_eq!(
        registry.breaking_changes(&id, Some(&json!({"asyncapi": "3.0.0"}))).expect_err("another type").code(),
        "invalid"
    );
    add(&mut registry, other);
    let recorded = registry.breaking_changes(&id, None).expect("it can be done");
    assert_eq!(recorded.len(), changes.len());
}

#[test]
fn versions_of_schemas_are_compared_too() {
    let (_folder, mut registry) = project();
    let id = add(&mut registry, json!({"type": "object", "properties": {"a": {"type": "integer"}}})).entry.id;
    let changes = registry
        .breaking_changes(&id, Some(&json!({"type": "object", "properties": {"a": {"type": "string"}}})))
        .expect("it can be done");
    assert!(changes.iter().any(|it| it.severity == crate::finding::Severity::Error), "{changes:#?}");
}

fn events(action: &str, address: &str) -> Value {
    json!({
        "asyncapi": "3.0.0",
        "info": {"title": "Events", "version": "1.0.0"},
        "channels": {"placed": {"address": address, "messages": {"Placed": {"payload": {"type": "object",
            "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}},
        "operations": {"one": {"action": action, "channel": {"$ref": "#/channels/placed"}}}
    })
}

#[test]
fn a_service_is_told_what_it_provides_and_what_it_consumes() {
    let (_folder, mut registry) = project();
    let sent = add(&mut registry, events("send", "orders.placed"));
    let new = NewContract {
        service_name: "mail".to_owned(),
        kind: SpecKind::Asyncapi,
        version: "1.0.0".to_owned(),
        spec: events("receive", "orders.placed"),
        build_cycle_id: None,
    };
    let received = registry.create(&new).expect("it can be done");
    let of = |service: &str| registry.of_service(service).expect("it can be done");
    let mail = of("mail");
    assert_eq!(mail.len(), 2, "{mail:?}");
    assert_eq!(
        (mail[0].id.as_str(), mail[0].role, mail[0].counterparty.as_str()),
        (sent.entry.id.as_str(), Role::Consumer, "users")
    );
    assert_eq!((mail[1].id.as_str(), mail[1].role), (received.entry.id.as_str(), Role::Provider));
    assert_eq!(of("users")[0].counterparty, "mail");
    assert_eq!(of("users")[0].summary, "Events 1.0.0: 1 channel");
    assert!(of("nobody").is_empty());
    let changes =
        registry.breaking_changes(&sent.entry.id, Some(&events("send", "orders.new"))).expect("it can be done");
    assert!(changes.iter().any(|it| it.affected_consumers == ["mail"]), "{changes:#?}");
}

const SENDER: &str = r#"
from kafka import KafkaProducer
from pydantic import BaseModel

producer = KafkaProducer()


class Placed(BaseModel):
    id: int


def place(placed: Placed):
    producer.send("orders.placed", value=placed.model_dump())
"#;

#[test]
fn messages_and_models_are_verified_too() {
    let (folder, mut registry) = project();
    fs::write(folder.path().join("users/app.py"), SENDER).expect("it can be done");
    let sends = add(&mut registry, events("send", "orders.placed")).entry.id;
    let marked = registry.mark_implemented(&sends, "users", "users/app.py").expect("it can be done");
    assert_eq!((marked.status, marked.verified, marked.promised), (Status::Verified, 1, 1), "{marked:?}");
    let other = add(&mut registry, events("send", "orders.gone")).entry.id;
    let refused = registry.mark_implemented(&other, "users", "users/app.py").expect("it can be done");
    assert_eq!((refused.marked, refused.status), (false, Status::Failed), "{refused:?}");
    assert!(refused.reasons[0].contains("send orders.gone"), "{refused:?}");
    let model = |kind: &str| json!({"title": "Placed", "type": "object", "required": ["id"], "properties": {"id": {"type": kind}}});
    let schema = add(&mut registry, model("integer")).entry.id;
    let marked = registry.mark_implemented(&schema, "users", "users").expect("it can be done");
    assert_eq!(marked.status, Status::Verified, "{marked:?}");
    add(&mut registry, model("string"));
    let refused = registry.mark_implemented(&schema, "users", "users").expect("it can be done");
    assert_eq!(refused.status, Status::Failed, "{refused:?}");
    assert!(!refused.findings.is_empty(), "{refused:?}");
}

#[test]
fn an_exported_contract_still_says_where_keys_are() {
    let (folder, mut registry) = project();
    let app = "from fastapi import FastAPI, Header\n\napp = FastAPI()\n\n\n@app.get(\"/search\")\ndef search(x_api_key: str = Header()) -> str: ...\n";
    fs::write(folder.path().join("users/app.py"), app).expect("it can be done");
    let id = add(
        &mut registry,
        json!({
            "openapi": "3.1.0",
            "info": {"title": "Search", "version": "1"},
            "security": [{"key": []}],
            "paths": {"/search": {"get": {"responses": {"200": {"description": "x", "content": {"application/json":
                {"schema": {"type": "string"}}}}}}}},
            "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}}}
        }),
    )
    .entry
    .id;
    assert!(registry.mark_implemented(&id, "users", "users").expect("it can be done").marked);
    let entry = exported(folder.path())["contracts"][&id].clone();
    assert!(!entry.to_string().contains("securitySchemes"), "{entry}");
    let options = crate::scan::Options { paths: vec![folder.path().to_owned()], ..Default::default() };
    let rules = crate::rules::RuleSet::embedded().select(&crate::rules::Selection::default()).expect("it can be done");
    let report = crate::scan::scan(&options, &rules, &crate::scan::Silent).expect("it can be done");
    let told: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(told, [""; 0]);
}
