//! Tables of stores wherever they stand, names that mean a declared thing, names with lists below, and members set as code.

use super::named;
use crate::architect::decompose;

fn entities(text: &str) -> Vec<String> {
    decompose(text).domain_model.entities.into_iter().map(|it| it.name).collect()
}

fn operations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for stub in decompose(text).contract_stubs {
        let paths = stub.spec["paths"].as_object().cloned().unwrap_or_default();
        for (path, item) in &paths {
            let methods = item.as_object().map(|it| it.keys().map(|it| it.to_uppercase()).collect::<Vec<_>>());
            found.extend(methods.unwrap_or_default().into_iter().map(|it| format!("{it} {path}")));
        }
    }
    found
}

#[test]
fn tables_of_stores_are_read_below_any_heading() {
    let table = "| Table | Purpose | Key Fields |\n|---|---|---|\n| `threads` | Talks | `title`, `opened_on` |\n\
                 | `api_keys` | Keys of members | `id`, `secret` |\n| `blocks` | Who hides whom | `blocker_id`, `blocked_id` |\n";
    for heading in ["Messaging", "Security", "Table Reference", "Core"] {
        let found = decompose(&format!("# Club\n\n## {heading}\n\n{table}"));
        assert_eq!(named(&found, "Thread"), ["title", "opened_on"], "{heading}");
        assert_eq!(named(&found, "ApiKey"), ["id", "secret"], "{heading}");
        assert_eq!(named(&found, "Block"), ["blocker_id", "blocked_id"], "{heading}");
        // What describes a table is none.
        assert_eq!(found.domain_model.entities.len(), 3, "{heading}");
    }
    let later = decompose(&format!("# Club\n\n## Out of Scope\n\n{table}"));
    assert!(later.domain_model.entities.iter().all(|it| it.fields.is_empty()), "{:?}", later.domain_model.entities);
}

#[test]
fn a_short_name_means_the_thing_that_the_text_declares() {
    let text = "# Leave\n\n## Data Models\n\n### LeaveRequest Document\n\n| Field | Type |\n|---|---|\n| `startDate` | date |\n| `reason` | string |\n\n\
                ### Employee Document\n\n| Field | Type |\n|---|---|\n| `name` | string |\n| `phone` | string |\n\n### AuditLog Document\n\n\
                | Field | Type |\n|---|---|\n| `action` | string |\n| `at` | date |\n\n## Flow\n\nEmployees submit a leave request. The manager opens the \
                request and approves the request. The system creates a LeaveRequest document. Each leave request has one Employee document.\n";
    let found = entities(text);
    assert!(found.contains(&"LeaveRequest".to_owned()) && !found.contains(&"Request".to_owned()), "{found:?}");
    assert!(found.contains(&"Employee".to_owned()) && !found.contains(&"EmployeeDocument".to_owned()), "{found:?}");
}

#[test]
fn a_heading_tells_which_words_are_one_name() {
    let text = "# School\n\n### Permission slips\n\nIncluded:\n\n* Add permission slip title\n* Add due date\n* Delete permission slips\n\n### Children\n\n\
                * Add child\n* Delete child\n";
    assert_eq!(named(&decompose(text), "PermissionSlip"), ["title", "due date"]);
    let operations = operations(text);
    assert!(operations.iter().all(|it| !it.contains("/permissions")), "{operations:?}");
    assert!(operations.contains(&"DELETE /api/permission-slips/{permissionSlipId}".to_owned()), "{operations:?}");
}

#[test]
fn members_set_as_code_are_of_the_path_or_of_the_record_before_them() {
    let text = "# Rounds\n\n- The app sends a POST to `/api/stop-events` with `stopId`, `kind` (`in` or `out`), and `takenAt`.\n\
                - The visit record stores `startsAt`, `driverId`.\n- Each change writes an audit log entry recording `action`, `oldValue`, and `newValue`.\n\
                - The answer has `ok` and `error`.\n";
    let found = decompose(text);
    assert_eq!(named(&found, "StopEvent"), ["stopId", "kind", "takenAt"]);
    assert_eq!(named(&found, "Visit"), ["startsAt", "driverId"]);
    assert_eq!(named(&found, "AuditLog"), ["action", "oldValue", "newValue"]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "Answer"));
}

#[test]
fn columns_with_their_types_in_items_are_named_without_them() {
    let text = "# Shop\n\n### Database schema\n\n- users (id SERIAL PRIMARY KEY, user_name VARCHAR(100), password VARCHAR(400))\n\
                - products (id SERIAL PRIMARY KEY, name VARCHAR(200), price INTEGER)\n\n### Routes\n\n- Index ([get] /products)\n\
                - Show (args: product id) ([get] /products/:id)\n";
    let found = decompose(text);
    assert_eq!(named(&found, "User"), ["id", "user_name", "password"]);
    assert_eq!(named(&found, "Product"), ["id", "name", "price"]);
    assert_eq!(operations(text), ["GET /products", "GET /products/{id}"]);
}

#[test]
fn names_have_the_lists_below_them() {
    let managed = "# Pages\n\n## Editor\n\nUsers manage the following sections:\n\n### Personal information\n- Full name\n- Nickname\n\n\
                   ### Awards\n- Given by\n- Year\n";
    let found = decompose(managed);
    assert_eq!(named(&found, "PersonalInformation"), ["Full name", "Nickname"]);
    assert_eq!(named(&found, "Award"), ["Given by", "Year"]);
    assert!(operations(managed).contains(&"DELETE /api/awards/{awardId}".to_owned()));
    let captions =
        "# Garage\n\n## Data\n\nRepair\n- car\n- started on\n- mechanic (optional)\n\nInvoice\n- number\n- total\n";
    let found = decompose(captions);
    assert_eq!(named(&found, "Repair"), ["car", "started on", "mechanic"]);
    assert_eq!(named(&found, "Invoice"), ["number", "total"]);
    assert_eq!(found.domain_model.entities.len(), 2, "{:?}", found.domain_model.entities);
    let labelled = "# Garage\n\n## Repair\nWhat is done to a car.\nFields: cost, started on, mechanic\n";
    assert_eq!(named(&decompose(labelled), "Repair"), ["cost", "started on", "mechanic"]);
    let bold = "# Garage\n\n## Store\n\n**repairs** — `id`, `car_id`, `cost`\n**invoices** — `id`, `total`\n";
    assert_eq!(named(&decompose(bold), "Repair"), ["id", "car_id", "cost"]);
}

#[test]
fn messages_are_named_by_heading_and_example() {
    let text = "# Chat\n\n## WebSocket Protocol\n\n### Server Messages\n\n#### `session_init`\n\nSent first.\n\n```json\n{\n  \"type\": \"session_init\",\n  \
                \"room\": \"a\"\n}\n```\n\n#### `error`\n\n```json\n{ \"type\": \"error\", \"code\": 1 }\n```\n";
    let found = decompose(text);
    let events: Vec<&str> = found.domain_model.events.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(events, ["session_init", "error"]);
}

#[test]
fn alternatives_have_what_is_given_for_either() {
    let text = "# Ledger\n\nUsers can add a book or magazine providing title, author and shelf. Users can create a programme for members with \
                details on name, duration and cost. Users can delete a book.\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Book"), ["title", "author", "shelf"]);
    assert_eq!(named(&found, "Magazine"), ["title", "author", "shelf"]);
    assert_eq!(named(&found, "Programme"), ["name", "duration", "cost"]);
}

#[test]
fn what_somebody_does_is_an_operation_among_the_requirements() {
    let text = "# Garage\n\nThere are refunds, orders and repairs.\n\n## Functional Requirements\n\n- Managers approve or reject refunds.\n\
                - The clerk cancels the order.\n";
    let found = operations(text);
    for expected in ["/refunds/{refundId}/approve", "/refunds/{refundId}/reject", "/orders/{orderId}/cancel"] {
        assert!(found.contains(&format!("POST /api{expected}")), "{expected}: {found:?}");
    }
}

#[test]
fn names_of_columns_in_capitals_and_below_a_described_name_are_fields() {
    let sheet = "# Data model\n\n## VANS\n\n```text\nVAN_ID\nNAME\n```\n\n`KIND`:\n\n```text\nOPEN\nSHUT\n```\n\n## STOPS\n\n```text\nSTOP_ID\nSTARTS_AT\n```\n";
    assert_eq!(named(&decompose(sheet), "Van"), ["VAN_ID", "NAME"]);
    assert_eq!(named(&decompose(sheet), "Stop"), ["STOP_ID", "STARTS_AT"]);
    let described = "## Tables\n\n---\n`LOAN` - what a member borrows\n- `id` - number of the loan\n- `due` - the day\n\nMore.\n\n---\n\
                     `MEMBER` - who borrows\n- `id` - number of the member\n- `label` - what the member is called\n";
    assert_eq!(named(&decompose(described), "Loan"), ["id", "due"]);
    assert_eq!(named(&decompose(described), "Member"), ["id", "label"]);
}

#[test]
fn the_name_of_a_store_in_a_heading_is_the_thing_whatever_stands_before() {
    let text =
        "# Club\n\n## 12. Tabla: book_loans\n\n| Column | Type |\n|---|---|\n| `id` | uuid |\n| `label` | text |\n";
    assert_eq!(named(&decompose(text), "BookLoan"), ["id", "label"]);
}

#[test]
fn things_that_a_domain_model_names_as_code_are_told() {
    let text = "# Domain Model\n\n## Borrowing\n\n`LoanDesk` is where members borrow. A `ReturnSlip` ends a loan. `CopyLabel`, `ShelfMark` and `LoanStatus` \
                follow. The `LoanService` writes them.\n";
    let found = entities(text);
    for name in ["LoanDesk", "ReturnSlip", "CopyLabel", "ShelfMark"] {
        assert!(found.contains(&name.to_owned()), "{name}: {found:?}");
    }
    assert!(!found.iter().any(|it| it == "LoanService" || it == "LoanStatus"), "{found:?}");
}
