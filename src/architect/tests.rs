//! What is noted of texts, and what any text gives.

mod bodies;
mod deeds;
mod endpoints;
mod events;
mod evidence;
mod forms;
mod functions;
mod grids;
mod notations;
mod outlines;
mod sentences;
mod services;
mod shapes;
mod stores;
mod traces;
mod wordings;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::{Architect, ArchitectError, Decomposition, Entity, decompose};
use crate::contracts::{Declarations, declare, parse};
use crate::registry::{SpecKind, validate_spec};
use crate::text::FileId;

fn entity<'d>(found: &'d Decomposition, name: &str) -> &'d Entity {
    let names: Vec<&str> = found.domain_model.entities.iter().map(|it| it.name.as_str()).collect();
    found.domain_model.entities.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} among {names:?}"))
}

fn fields(entity: &Entity) -> Vec<(&str, &str, bool)> {
    entity.fields.iter().map(|it| (it.name.as_str(), it.kind.as_str(), it.required)).collect()
}

/// The names of the fields of an entity.
fn named<'d>(found: &'d Decomposition, name: &str) -> Vec<&'d str> {
    entity(found, name).fields.iter().map(|it| it.name.as_str()).collect()
}

fn entities(found: &Decomposition) -> Vec<&str> {
    found.domain_model.entities.iter().map(|it| it.name.as_str()).collect()
}

/// The identifiers of the operations.
fn asked(text: &str) -> Vec<String> {
    let all = operations(&decompose(&format!("# App\n\n## Functional Requirements\n\n{text}\n")));
    all.iter().filter_map(|it| it.rsplit(' ').next().map(str::to_owned)).collect()
}

/// Method, path and identifier of each operation.
fn operations(found: &Decomposition) -> Vec<String> {
    let stubs = found.contract_stubs.iter().filter(|it| it.kind == "openapi");
    let mut all = Vec::new();
    for stub in stubs {
        for (path, item) in stub.spec["paths"].as_object().expect("paths are an object") {
            for (method, operation) in item.as_object().expect("an item is an object") {
                let id = operation["operationId"].as_str().expect("every operation has an identifier");
                all.push(format!("{} {path} {id}", method.to_ascii_uppercase()));
            }
        }
    }
    all
}

/// What the core's reader of contracts finds wrong in the stubs.
fn defects(found: &Decomposition) -> Vec<String> {
    let mut wrong = Vec::new();
    for stub in &found.contract_stubs {
        let text = stub.spec.to_string();
        let document = parse(FileId(0), &text);
        let Declarations { issues, problems, .. } =
            declare(&BTreeMap::from([("stub.json".to_owned(), document)]), "stub.json");
        wrong.extend(issues.iter().map(|it| format!("{} {}: {}", stub.service_id, it.pointer, it.message)));
        wrong.extend(problems.iter().map(|it| format!("{}: {}", stub.service_id, it.message)));
        let kind = SpecKind::parse(&stub.kind).expect("a kind of contract");
        let report = validate_spec(&stub.spec, kind);
        wrong.extend(report.errors.iter().map(|it| format!("{}: {it}", stub.service_id)));
    }
    wrong
}

const SHOP: &str = "\
# Shop PRD

## Service 1: order-service

The order-service takes orders. It asks the user-service who somebody is.

### Data Model

#### Order

| Field | Type | Constraints |
|---|---|---|
| id | UUID | Primary key |
| user_id | UUID | Foreign key (User) |
| status | string | Enum: draft, paid, sent |
| note | string | Optional |

### Endpoints

#### POST /orders

- **Request Body**: `{ \"items\": [{ \"sku\": string, \"count\": int }] }`
- **Response 201**: `{ \"id\": UUID }`

#### GET /orders/{id}

#### DELETE /orders/:orderId

### Events Published

| Event | Channel | Payload |
|---|---|---|
| order.paid | orders | `{ order_id, total }` |

## Service 2: user-service

### Data Model

#### User

- `id` (UUID): primary key
- `email`: string, required

### Event Subscriptions

- `order.paid`: counts orders
";

#[test]
fn a_document_with_headings_and_tables_is_read() {
    let found = decompose(SHOP);
    assert_eq!(found.service_map.project_name, "Shop");
    let services: Vec<&str> = found.service_map.services.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(services, ["order-service", "user-service"]);
    assert_eq!(found.service_map.services[0].consumes_contracts, ["user-service-api"]);
    assert_eq!(found.service_map.services[1].consumes_contracts, ["order-service-events"]);
    let order = entity(&found, "Order");
    assert_eq!(order.owning_service.as_deref(), Some("order-service"));
    assert_eq!(
        fields(order),
        [
            ("id", "UUID", true),
            ("user_id", "UUID", false),
            ("status", "string", false),
            ("note", "string", false),
            // In the body that makes an order. What the message that one was paid carries is not in the data model.
            ("items", "array", false)
        ]
    );
    assert_eq!(order.state_machine.as_ref().expect("it has states").states, ["draft", "paid", "sent"]);
    assert_eq!(fields(entity(&found, "User")), [("id", "UUID", true), ("email", "string", true)]);
    let related: Vec<_> = found
        .domain_model
        .relationships
        .iter()
        .map(|it| (it.source_entity.as_str(), it.target_entity.as_str(), it.cardinality.as_str()))
        .collect();
    assert_eq!(related, [("Order", "User", "N:1")]);
    assert_eq!(
        operations(&found),
        ["POST /orders postOrders", "GET /orders/{id} getOrdersById", "DELETE /orders/{id} deleteOrdersByOrderId"]
    );
    let event = &found.domain_model.events[0];
    assert_eq!(
        (event.name.as_str(), event.publishers.as_slice(), event.consumers.as_slice()),
        ("order.paid", &["order-service".to_owned()][..], &["user-service".to_owned()][..])
    );
    assert_eq!(defects(&found), [""; 0]);
}

#[test]
fn bodies_are_those_that_the_text_states() {
    let found = decompose(SHOP);
    let post = &found.contract_stubs[0].spec["paths"]["/orders"]["post"];
    let body = &post["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["properties"]["items"]["items"]["properties"]["count"]["type"], "integer");
    assert_eq!(post["responses"]["201"]["content"]["application/json"]["schema"]["properties"]["id"]["format"], "uuid");
}

#[test]
fn stories_become_operations_and_things() {
    let found = decompose(
        "# Library user stories\n\n- As a reader, I want to borrow a book so that I can read it.\n\
         - As a reader,\n  so that I find something,\n  I can search books.\n\
         - As a librarian, I want to add, edit and delete books.\n- As a librarian I want to manage members.\n",
    );
    let told = operations(&found);
    for expected in [
        "DELETE /api/books/{bookId} deleteBook",
        "GET /api/books listBooks",
        "PATCH /api/books/{bookId} updateBook",
        "POST /api/books createBook",
        "POST /api/books/{bookId}/borrow borrowBook",
        // Whoever manages members makes, lists, changes and deletes them.
        "POST /api/members createMember",
        "GET /api/members listMembers",
        "PATCH /api/members/{memberId} updateMember",
        "DELETE /api/members/{memberId} deleteMember",
    ] {
        assert!(told.iter().any(|it| it == expected), "{expected} in {told:?}");
    }
    assert!(entity(&found, "Book").inferred);
    assert!(
        found.interview_questions.iter().any(|it| it.contains("manage members")),
        "{:?}",
        found.interview_questions
    );
    assert!(found.service_map.services[0].assumed);
    assert_eq!(defects(&found), [""; 0]);
}

#[test]
fn services_are_named_at_the_beginning_of_their_bullets() {
    let told = |text: &str| -> Vec<String> {
        let found = decompose(text);
        found.service_map.services.iter().map(|it| format!("{}: {}", it.name, it.description)).collect()
    };
    let text = "# Notes\n\n## Services\n\n- note-service keeps notes\n- tag-service - keeps tags\n- self-service is for later\n";
    assert_eq!(told(text), ["note-service: keeps notes", "tag-service: keeps tags"]);
    // Elsewhere the same words may speak of people.
    let elsewhere = told("# Shop\n\n## Roles\n\n- customer-service staff can refund\n");
    assert!(!elsewhere.iter().any(|it| it.contains("customer-service")), "{elsewhere:?}");
}

#[test]
fn nothing_is_told_that_the_text_leaves_open() {
    let found = decompose("# Notes\n\n## Entities\n\n- **Note**: what somebody wrote\n- **Tag**\n");
    assert_eq!(entity(&found, "Note").fields, []);
    assert_eq!(entity(&found, "Note").description, "what somebody wrote");
    assert_eq!(operations(&found), [""; 0]);
    let asked = found.interview_questions.join("\n");
    assert!(asked.contains("Which fields have `Note`, `Tag`?"), "{asked}");
    assert!(asked.contains("Which operations are there on `Note`, `Tag`?"), "{asked}");
}

#[test]
fn code_declares_things() {
    let found = decompose(
        "# Shop\n\n## Schema\n\n```sql\nCREATE TABLE users (id UUID PRIMARY KEY, name VARCHAR(50) NOT NULL);\n```\n\n\
         ```typescript\ninterface Order {\n  id: string;\n  status: OrderStatus;\n  total?: number;\n}\n\
         enum OrderStatus { OPEN, CLOSED }\n```\n\n```mermaid\nerDiagram\n  Order ||--o{ Item : has\n  Item {\n    uuid id PK\n    int count\n  }\n```\n",
    );
    assert_eq!(fields(entity(&found, "User")), [("id", "UUID", true), ("name", "VARCHAR(50)", true)]);
    assert_eq!(
        fields(entity(&found, "Order")),
        [("id", "string", true), ("status", "OrderStatus", true), ("total", "number", false)]
    );
    assert_eq!(fields(entity(&found, "Item")), [("id", "uuid", true), ("count", "int", false)]);
    assert_eq!(entity(&found, "Order").state_machine.as_ref().expect("it has states").states, ["OPEN", "CLOSED"]);
    let related = &found.domain_model.relationships[0];
    assert_eq!(
        (related.source_entity.as_str(), related.kind.as_str(), related.cardinality.as_str()),
        ("Order", "HAS_MANY", "1:N")
    );
    assert_eq!(defects(&found), [""; 0]);
}

#[test]
fn arrows_are_transitions() {
    let found = decompose(
        "# Shop\n\n## Entities\n\n- **Order**: id, total, status\n\n## Order State Machine\n\n```\nDRAFT -> PAID | CANCELLED\nPAID -> SENT (by courier)\n```\n",
    );
    let machine = entity(&found, "Order").state_machine.as_ref().expect("it has states");
    assert_eq!(machine.initial_state, "DRAFT");
    let moves: Vec<_> = machine.transitions.iter().map(|it| (it.from_state.as_str(), it.to_state.as_str())).collect();
    assert_eq!(moves, [("DRAFT", "PAID"), ("DRAFT", "CANCELLED"), ("PAID", "SENT")]);
}

#[test]
fn rows_of_services_are_endpoints() {
    let found = decompose(
        "# Shop requirements\n\n| SVC-001 | UserService.create | /api/users | POST | CreateUser { name: string } | User { id: number } |\n\
         | SVC-002 | UserService.list | /api/users | FETCH | - | - |\n\n## STATUS_REGISTRY\n\n- Order.status: draft, paid; draft -> paid\n",
    );
    // The second row has a method that there is none of: an error.
    assert_eq!(operations(&found), ["POST /api/users postApiUsers"]);
    assert_eq!(fields(entity(&found, "User")), [("id", "number", true), ("name", "string", false)]);
    assert!(found.validation_issues.iter().any(|it| it.starts_with("ERROR") && it.contains("SVC-002")));
    assert_eq!(entity(&found, "Order").state_machine.as_ref().expect("it has states").transitions.len(), 1);
    assert_eq!(defects(&found), [""; 0]);
}

#[test]
fn the_last_decomposition_is_kept_and_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("architect.db");
    let mut architect = Architect::open(&path).expect("a database");
    let nothing = architect.last(None).expect_err("nothing was kept");
    assert!(matches!(nothing, ArchitectError::Nothing) && nothing.to_string().contains("decompose"), "{nothing}");
    let mut shop = decompose(SHOP);
    architect.keep(&mut shop).expect("it is kept");
    let mut notes = decompose("# Notes\n\n## Entities\n\n- **Note**: id, text\n");
    architect.keep(&mut notes).expect("it is kept");
    let again = Architect::open_read_only(&path).expect("a database");
    assert_eq!(again.last(None).expect("the newest"), notes);
    assert_eq!(again.last(Some("shop")).expect("by name"), shop);
    assert!(shop.service_map.generated_at.is_some());
    assert_eq!(again.last(Some("other")).expect_err("no such project").code(), "not_found");
}

#[test]
fn a_text_that_is_too_long_is_read_to_a_point_that_is_told() {
    let text = "As a user I want to add notes. ü ".repeat(40_000);
    let found = decompose(&text);
    assert!(found.validation_issues[0].starts_with("ERROR: only the first"), "{:?}", found.validation_issues);
}

/// A text without what marks it up, in lower case: a name in prose is told so.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a text says a name, also as `start/end date` says `start date`.
fn says(text: &str, name: &str) -> bool {
    let (text, name) = (plain(text), plain(name));
    let parts = name.rsplit_once(' ');
    text.contains(&name)
        || parts.is_some_and(|(first, last)| text.contains(&format!("{first}/")) && text.contains(&format!(" {last}")))
}

/// Pieces that readings look for, in any order.
const PIECES: &str = "(# [A-Za-z]{1,9} PRD\n|## (Entities|Data Model|Order|API Endpoints|Events|States|Order Service|User Stories)\n\n|### `?[A-Z][a-z_]{0,6}`?\n\
    |\\| (Field|Event|Method|Entity|Service|Name) \\| (Type|Payload|Endpoint|Fields|Description) \\|\n\\|---\\|---\\|\n\\| [a-z_{}/:]{0,9} \\| [A-Za-z{}:,(|) ]{0,12} \\|\n\
    |- (\\*\\*[A-Z][a-z]{0,6}\\*\\*: )?[a-z_, :(){}/-]{0,24}\n|  - [a-z_]{1,6}: (uuid|string|Order\\[\\])\n\
    |As an? [a-z]{1,6}, I want to (add|list|approve|delete) [a-z ]{0,9}\\.\n\n|(GET|POST|DELETE) /[a-z{}:/<>]{0,14}\n\
    |```(sql|mermaid|ts|)\n(CREATE TABLE [a-z]{1,4} \\([a-z ,()]{0,20}\\)|erDiagram\nA \\|\\|--o\\{ B : c\nA \\{\nint x\n\\}|interface [A-Z]{1,3} \\{ [a-z:; ?]{0,12} \\})\n```\n\
    |[A-Z]{2,5} (->|→) [A-Z]{2,5}\n|publishes `[A-Z][a-z]{1,5}Created`, consumes `[a-z]{1,4}\\.[a-z]{1,4}ed`\n|[ -~üß→–]{0,20}\n)";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever a text holds, it comes apart, and every stub is a document that the core has nothing to say against.
    #[test]
    fn any_text_comes_apart_and_every_stub_is_valid(pieces in proptest::collection::vec(proptest::string::string_regex(PIECES).expect("an expression"), 0..14)) {
        let text = pieces.concat();
        let found = decompose(&text);
        prop_assert!(!found.service_map.services.is_empty());
        prop_assert_eq!(defects(&found), Vec::<String>::new());
        prop_assert_eq!(&decompose(&text), &found);
        let kept: Decomposition = serde_json::from_str(&serde_json::to_string(&found).expect("JSON")).expect("the same shape");
        prop_assert_eq!(kept, found);
    }

    /// Every field that is told stands in the text.
    #[test]
    fn no_field_is_made_up(pieces in proptest::collection::vec(proptest::string::string_regex(PIECES).expect("an expression"), 0..14)) {
        let text = pieces.concat();
        for entity in &decompose(&text).domain_model.entities {
            for field in &entity.fields {
                prop_assert!(says(&text, &field.name), "{} of {}", field.name, entity.name);
            }
        }
    }
}

#[test]
fn stubs_are_of_the_promised_versions() {
    let found = decompose(SHOP);
    for stub in &found.contract_stubs {
        let version = if stub.kind == "openapi" { &stub.spec["openapi"] } else { &stub.spec["asyncapi"] };
        let wanted = if stub.kind == "openapi" { "3.1.0" } else { "3.0.0" };
        assert_eq!(version, &Value::from(wanted));
    }
}

#[test]
fn what_is_left_out_of_a_document_without_end_is_told() {
    let field = |at: usize| format!("- field{}{}{}: string\n", letter(at / 100), letter(at / 10), letter(at));
    let text = format!("# Shop\n\n## Entities\n\n### Order\n\n{}", (0..600).map(field).collect::<String>());
    let found = super::decompose(&text);
    let told = found.validation_issues.iter().any(|issue| issue.contains("500 fields of one entity"));
    assert!(told, "{:?}", found.validation_issues);
}

/// A letter for the last digit of a number.
fn letter(number: usize) -> char {
    char::from(b'a' + (number % 10) as u8)
}

#[test]
fn entities_with_other_letters_have_schemas_that_can_be_referred_to() {
    let found = super::decompose("| Entity | Fields |\n|---|---|\n| Aü | id |\n");
    assert_eq!(defects(&found), Vec::<String>::new());
    assert!(found.contract_stubs[0].spec["components"]["schemas"]["A_fc"].is_object());
}

#[test]
fn plain_lists_say_what_tables_say() {
    let found = decompose(
        "# Diary\n\n## Services\n\n- **diary-service** (Python, FastAPI): keeps entries\n- **mail-service** (TypeScript, Express): sends mail\n\n\
         ## Data model\n\n### Entry (diary-service)\n\n| Field | Type | Required |\n|---|---|---|\n| id | string | yes |\n| text | string | yes |\n\n\
         ## API\n\n### mail-service\n\n| Method | Path | Request | Response |\n|---|---|---|---|\n| POST | /letters | Entry | 201 Entry, 409 |\n\n\
         ## Events\n\n- `entry.written`: published by diary-service, consumed by mail-service. Payload: id, text\n",
    );
    let services = found.service_map.services.iter();
    let stacks: std::collections::BTreeMap<_, _> =
        services.map(|it| (&*it.name, it.stack.framework.as_deref())).collect();
    assert_eq!(stacks, [("diary-service", Some("FastAPI")), ("mail-service", Some("Express"))].into());
    let entities: Vec<_> = found.domain_model.entities.iter().map(|it| (it.name.as_str(), it.fields.len())).collect();
    assert!(entities.contains(&("Entry", 2)), "{entities:?}");
    assert!(!entities.iter().any(|it| it.0.contains("Service")), "a service is no entity: {entities:?}");
    let event = &found.domain_model.events[0];
    assert_eq!(
        (&*event.publishers, &*event.consumers),
        (&["diary-service".to_owned()][..], &["mail-service".to_owned()][..])
    );
    let stub = found.contract_stubs.iter().find(|it| it.service_id == "mail-service").expect("there is one");
    let post = &stub.spec["paths"]["/letters"]["post"];
    assert_eq!(post["requestBody"]["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/Entry");
    assert_eq!(post["responses"]["201"]["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/Entry");
    assert!(post["responses"]["409"].is_object(), "{post}");
    let events = found.contract_stubs.iter().find(|it| it.kind == "asyncapi").expect("there is one");
    assert!(events.spec["components"]["messages"]["EntryWritten"]["payload"]["properties"]["text"].is_object());
}
