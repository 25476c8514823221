//! Notations of interfaces and of layouts in which texts state endpoints, calls, things and events.

use super::{named, operations};
use crate::architect::decompose;

fn stated(text: &str) -> Vec<String> {
    let mut all: Vec<String> =
        operations(&decompose(text)).iter().filter_map(|it| it.rsplit_once(' ').map(|it| it.0.to_owned())).collect();
    all.sort();
    all
}

fn events(text: &str) -> Vec<String> {
    let mut all: Vec<String> = decompose(text).domain_model.events.into_iter().map(|it| it.name).collect();
    all.sort();
    all
}

fn entities(text: &str) -> Vec<String> {
    decompose(text).domain_model.entities.into_iter().map(|it| it.name).collect()
}

#[test]
fn openapi_in_yaml_states_paths_and_schemas() {
    let text = "# App\n\n```yaml\npaths:\n  /vans:\n    get:\n      summary: List vans\n    post:\n      summary: Add a van\n  /vans/{id}:\n    \
                delete:\n      summary: Sell\ncomponents:\n  schemas:\n    Van:\n      type: object\n      properties:\n        plate: { type: string }\n        \
                seats:\n          type: integer\n```\n";
    assert_eq!(stated(text), ["DELETE /vans/{id}", "GET /vans", "POST /vans"]);
    assert_eq!(named(&decompose(text), "Van")[..2], ["plate", "seats"]);
    assert!(!named(&decompose(text), "Van").contains(&"vanId"));
}

#[test]
fn methods_stand_below_paths_in_trees_and_lists() {
    let tree = "# App\n\n```\n/api\n├── /vans\n│   ├── GET   all\n│   └── /{id}\n│       └── DELETE\n```\n";
    assert_eq!(stated(tree), ["DELETE /api/vans/{id}", "GET /api/vans"]);
    let list = "# App\n\n- /vans\n  - GET, all vans\n  - POST, a new van\n";
    assert_eq!(stated(list), ["GET /vans", "POST /vans"]);
}

#[test]
fn programs_and_commands_state_endpoints() {
    let text = "# App\n\n```js\nrouter.get('/vans', list);\nrouter.post('/vans/:id/wash', wash);\ncache.get('/tmp/x');\n```\n\n\
                ```bash\ncurl -X PUT $API/vans/17 \\\n  -d '{\"plate\": \"A 1\"}'\ncurl https://get.tool.dev/install.sh\n```\n";
    assert_eq!(stated(text), ["GET /vans", "POST /vans/{id}/wash", "PUT /vans/{id}"]);
}

#[test]
fn labels_and_what_they_label_may_stand_apart() {
    let text = "# App\n\n## Wash a van\n\n* **URL**\n\n  /vans/:id/wash\n\n* **Method:**\n\n  `POST` | `DELETE`\n\n## Sell\n\n| | |\n|---|---|\n\
                | **Path** | `/vans/{id}/sale` |\n| **Method** | `PUT` |\n\n## Vans\n\nBase path: `/api/drivers`\n\n- GET `/` all\n- GET `/{id}` one\n";
    assert_eq!(
        stated(text),
        [
            "DELETE /vans/{id}/wash",
            "GET /api/drivers",
            "GET /api/drivers/{id}",
            "POST /vans/{id}/wash",
            "PUT /vans/{id}/sale"
        ]
    );
}

#[test]
fn html_that_lays_out_and_lists_of_definitions_are_read() {
    let text = "<h1 align=\"center\">App</h1>\n\n<details>\n <summary><code>GET</code> <code><b>/vans</b></code> <code>(all vans)</code></summary>\n</details>\n\n\
                ~~`POST /vans/{id}/photo`~~ dropped\n\n`POST /vans`\n:   add a van\n";
    assert_eq!(stated(text), ["GET /vans", "POST /vans"]);
}

#[test]
fn lines_of_requirements_and_lists_of_parameters_tell_of_endpoints() {
    let text = "# App\n\nThe system shall provide GET and DELETE on /vans/{id} for all of those who have the keys of the depot.\n\n## Vans\n\n\
                [POST] /vans\n  Adds a van.\n  Params:\n  - plate (string, required)\n  - seats (int)\n";
    let all = stated(text);
    for endpoint in ["DELETE /vans/{id}", "GET /vans/{id}", "POST /vans"] {
        assert!(all.iter().any(|it| it == endpoint), "{endpoint} {all:?}");
    }
    assert_eq!(named(&decompose(text), "Van"), ["plate", "seats", "id"]);
}

#[test]
fn all_deeds_that_are_said_at_once_stand_beside_endpoints() {
    let text = "# App\n\n## Must have\n\n- CRUD for drivers (first name, phone number)\n\n## Special endpoints\n\n- `POST /api/vans/{id}/wash`\n\
                - `GET /api/vans/{id}/trips`\n- `POST /api/vans/{id}/sale`\n";
    let all = operations(&decompose(text));
    for name in ["createDriver", "listDrivers", "deleteDriver"] {
        assert!(all.iter().any(|it| it.contains(name)), "{name} {all:?}");
    }
}

#[test]
fn calls_are_operations() {
    let text = "# App\n\n```proto\nservice Vans {\n  rpc RegisterVan (RegisterRequest) returns (Van);\n}\nmessage Van {\n  string plate = 1;\n  repeated string tags = 2;\n}\n```\n\n\
                ## Mutations\n\n- `approveLoan(id: ID!): LoanRequest!`\n";
    let all = operations(&decompose(text));
    assert!(all.iter().any(|it| it.contains("registerVan") || it.contains("createVan")), "{all:?}");
    assert!(all.iter().any(|it| it.contains("approveLoanRequest")), "{all:?}");
    assert_eq!(named(&decompose(text), "Van"), ["plate", "tags"]);
}

#[test]
fn commands_of_a_thing_stand_in_tables_and_lists() {
    let text = "# App\n\n## Quote\n\n| From | Trigger | To | Raises |\n|---|---|---|---|\n| DRAFT | send | SENT | `QuoteSent` |\n| SENT | accept | WON | |\n\n\
                **Commands**\n- Cancel Visit (physician)\n";
    let all = operations(&decompose(text));
    for name in ["sendQuote", "acceptQuote", "cancelVisit"] {
        assert!(all.iter().any(|it| it.contains(name)), "{name} {all:?}");
    }
    assert_eq!(events(text), ["QuoteSent"]);
}

#[test]
fn events_stand_on_arrows_and_behind_labels() {
    let text = "# App\n\n## Flow\n\n```\nvans  --VanWashed-->  mail\n```\n\n*Events out.* VanSold\n\nThese events are sent:\n\n- vans → `VanParked` { id }\n";
    assert_eq!(events(text), ["VanParked", "VanSold", "VanWashed"]);
}

#[test]
fn things_are_labelled_owned_and_listed_in_tables() {
    let text = "# App\n\n## Modules\n\n**1. Fleet**\nOwns: Van, Driver.\n\n## Dictionary\n\nTABLE: DEPOT\nDescription: Where vans stand.\n\n\
                | # | Column | Type |\n|---|---|---|\n| 1 | CODE | CHAR(3) |\n| 2 | CITY | VARCHAR(20) |\n\n\
                | Item | PK | other attributes |\n|---|---|---|\n| Route | `R#<id>` | name, length |\n";
    let all = entities(text);
    for name in ["Van", "Driver", "Route"] {
        assert!(all.iter().any(|it| it == name), "{name} {all:?}");
    }
    let depot = all.iter().find(|it| it.eq_ignore_ascii_case("depot")).expect("the table");
    assert_eq!(named(&decompose(text), depot).len(), 2);
}

#[test]
fn attributes_are_said_behind_a_label_of_an_aggregate() {
    let text = "# App\n\n## Data model\n\n### Van\n\n- **Identity**: plate\n- **Attributes**: colour, seats, boughtOn\n- **Invariants**\n  - a van has one driver\n";
    assert_eq!(named(&decompose(text), "Van"), ["plate", "colour", "seats", "boughtOn"]);
}

#[test]
fn who_sends_and_takes_messages_is_a_service() {
    let text =
        "# App\n\n### Topic `van.v1`\n\nProducer: **fleet-api** Consumers: **mailer**, **billing**\n\n- `VanWashed`\n";
    let names: Vec<String> = decompose(text).service_map.services.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["fleet-api", "mailer", "billing"]);
}

#[test]
fn a_heading_in_code_is_a_table_also_below_tasks_and_milestones() {
    let found = decompose(
        "# Model\n\nA team plans its work.\n\n## Teams\n\n### `teams`\n\n| Column | Type |\n|---|---|\n| `id` | uuid |\n| `name` | text |\n\n\
         ## Tasks, dependencies, milestones\n\n### `tasks`\n\n| Column | Type |\n|---|---|\n| `id` | uuid |\n| `lead_days` | int |\n\n\
         ### `task_links`\n\n`id` \u{b7} `from_id` FK \u{2192} tasks \u{b7} `kind` \u{b7} `lag_days`\n",
    );
    assert_eq!(named(&found, "Task"), ["id", "lead_days"]);
    assert_eq!(named(&found, "TaskLink"), ["id", "from_id", "kind", "lag_days"]);
}

#[test]
fn a_caption_of_values_gives_no_members() {
    let found = decompose(
        "# Bank API\n\n## Transactions\n\nA transaction has an amount and a date.\n\n**Transaction Types:**\n\n\
         - `deposit` - Add money to account\n- `withdraw` - Remove money from account\n- `transfer` - Send money\n",
    );
    assert!(!named(&found, "Transaction").iter().any(|it| ["deposit", "withdraw", "transfer"].contains(it)));
}

#[test]
fn names_of_members_are_no_events() {
    let found = events(
        "# Clubs\n\n## Events\n\n### `attendance`\n\n`id` \u{b7} `member_id` FK \u{b7} `events_attended` \u{b7} `is_required`\n\n\
         `meta.coverage` says how much of the event was published.\n\n- `member.joined` is published by the clubs\n",
    );
    assert_eq!(found, ["member.joined"]);
}

#[test]
fn use_cases_in_diagrams_are_deeds() {
    let mermaid = "# Vans\n\n```mermaid\nflowchart TD\n  subgraph s[\"Van booking\"]\n    UC1[\"UC-01 Confirm / cancel trips\"]\n    \
                   UC2[\"UC-02 Retire vans (soft delete)\"]\n  end\n  Driver --> UC1\n```\n";
    assert_eq!(
        stated(mermaid),
        ["POST /api/trips/{tripId}/cancel", "POST /api/trips/{tripId}/confirm", "POST /api/vans/retire"]
    );
    let plant = "# Vans\n\n```plantuml\n@startuml\nactor Driver\nusecase \"Confirm trips\" as UC1\n(Create a van) as UC2\n@enduml\n```\n";
    assert_eq!(stated(plant), ["POST /api/trips/confirm", "POST /api/vans"]);
    let steps = "# Vans\n\n```mermaid\nflowchart TD\n  A[\"Confirm trips\"] --> B[\"Create a van\"]\n```\n";
    assert!(stated(steps).is_empty());
}

#[test]
fn messages_of_sockets_are_events() {
    let text = "# Vans\n\n### Socket Events\n\n```ts\n{ type: 'van:moved', data: Van }\n{ type: 'trip:created' }\n```\n\n\
                - `driver:joined`: somebody came\n";
    assert_eq!(events(text), ["driver:joined", "trip:created", "van:moved"]);
    let sends = "# Vans\n\n```js\nio.to(room).emit('trip:closed', trip);\nawait bus.publish(\"fine.paid\", {});\nlog.emit('text');\n```\n";
    assert_eq!(events(sends), ["fine.paid", "trip:closed"]);
    assert!(events("# Vans\n\nA trip with `state:closed` ends.\n").is_empty());
}

#[test]
fn a_text_pasted_as_one_block_of_markdown_is_read() {
    let text = "```markdown\n# Vans\n\n- Drivers can book a van\n\n```sql\nCREATE TABLE vans (id INT, plate TEXT);\n```\n\n```\n";
    assert_eq!(named(&decompose(text), "Van"), ["id", "plate"]);
    assert_eq!(stated(text), ["POST /api/vans/{vanId}/book"]);
}

#[test]
fn members_stand_behind_an_endpoint_and_parameters_are_none() {
    let text = "# Vans\n\n1. POST `/vans` with `plate`, `seats` to add a van\n2. GET `/vans/{vanId}`\n3. PUT `/vans/:vanId/driver` with `driverId`, `day`.\n";
    assert_eq!(named(&decompose(text), "Van")[..2], ["plate", "seats"]);
    assert!(!named(&decompose(text), "Van").contains(&"vanId"));
}
