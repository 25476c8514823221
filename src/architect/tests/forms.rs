//! Forms in which texts give the same information: tables without a head, names on lines of their own, documents of JSON,
//! steps, screens.

use super::{entities, entity, named, operations};
use crate::architect::decompose;
use crate::architect::document::{Block, Document, Kind};

#[test]
fn an_empty_head_leaves_the_first_row_as_head() {
    let found = decompose(
        "# App\n\n## Database entities\n\n### Parcel\n\n|  |  |\n|:-:|:-:|\n| **Field** | **Description** |\n\
         | id | UUID |\n| weight | in grams |\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "weight"]);
}

#[test]
fn names_on_lines_of_their_own_are_a_list() {
    let found = decompose(
        "# App\n\n## Database\n\n### Parcel\n\nid\n\nroundId\n\nweight\n\n### Round\n\nid\n\nstartsAt\n\ncity\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "roundId", "weight"]);
    assert_eq!(named(&found, "Round"), ["id", "startsAt", "city"]);
    let two = decompose("# App\n\n## Database\n\n### Parcel\n\nupload\n\nqueue\n");
    assert!(two.domain_model.entities.iter().all(|it| it.fields.is_empty()), "two words are no list");
}

#[test]
fn a_document_of_json_may_say_types_or_leave_something_out() {
    let text = "# App\n\n## Database Schema\n\nEntity: Parcel\n```bash\n{\n  \"id\": \"Serial integer (primary key)\",\n  \
                \"label\": \"String (unique, required)\"\n}\n```\n\n### Round\n\n```json\n{\n  \"round_id\": \"uuid\",\n  \
                \"stops\": [...]\n}\n```\n";
    let found = decompose(text);
    let parcel = entity(&found, "Parcel");
    let said: Vec<_> = parcel.fields.iter().map(|it| (it.name.as_str(), it.required)).collect();
    assert_eq!(said, [("id", true), ("label", true)]);
    assert_eq!(named(&found, "Round"), ["round_id", "stops"]);
}

#[test]
fn entities_may_be_listed_below_an_item() {
    let found = decompose(
        "# App\n\n## Database & Storage\n\n- Primary database: PostgreSQL\n\n- Key data entities:\n\n    \
         - Parcels: id, label, weight\n\n    - Rounds: id, city, started_at\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "label", "weight"]);
    assert_eq!(named(&found, "Round"), ["id", "city", "started_at"]);
}

#[test]
fn what_leaves_no_doubt_to_be_fields_may_have_prose_among_them() {
    let found = decompose(
        "# App\n\n## Parcels\n\nEach parcel contains:\n\n- Title\n\n- Sender / Origin\n\n- Category\n\n- Weight\n\n\
         - The weight as it was told against the weight on the scale\n",
    );
    // Whether `origin` is a second field is a matter of taste.
    assert!(
        named(&found, "Parcel").starts_with(&["Title", "Sender", "Category", "Weight"]),
        "{:?}",
        named(&found, "Parcel")
    );
}

#[test]
fn endpoints_that_steps_mention_are_no_list_of_all() {
    let steps = "# App\n\n## Data Models\n\n### Parcel\n\n| Field | Type |\n|---|---|\n| id | uuid |\n\n### Courier\n\n\
                 | Field | Type |\n|---|---|\n| id | uuid |\n\n## Use Cases\n\n\
                 1. The page asks for its parcels with `GET /parcels` and shows them.\n\
                 2. The page asks for one of them with `GET /parcels/:id` and shows it.\n\
                 3. The page tells the new weight with `PATCH /parcels/:id` and waits.\n\n\
                 ## Functional Requirements\n\n- Admins can create couriers.\n";
    let all = operations(&decompose(steps));
    assert!(all.iter().any(|it| it.ends_with(" createCourier")), "{all:?}");
    // A list of endpoints is one of all; what nothing serves is still asked for.
    let listed =
        steps.replace("The page asks for its parcels with ", "").replace("The page tells the new weight with ", "");
    let listed = listed.replace("The page asks for one of them with ", "").replace("create couriers", "create parcels");
    let all = operations(&decompose(&listed));
    assert!(!all.iter().any(|it| it.ends_with(" createParcel")), "{all:?}");
}

#[test]
fn an_item_may_mark_several_endpoints() {
    let found = decompose(
        "# App\n\n## API\n\n- Approve or reject a parcel\n  (`POST /parcels/:id/approve`,\n  `POST /parcels/:id/reject`).\n",
    );
    let all = operations(&found);
    assert!(all.iter().any(|it| it.starts_with("POST /parcels/{id}/approve")), "{all:?}");
    assert!(all.iter().any(|it| it.starts_with("POST /parcels/{id}/reject")), "{all:?}");
}

#[test]
fn steps_tell_what_is_entered_and_pressed() {
    let found = decompose(
        "# App\n\n## Workflows\n\n### 3.1 Create a parcel\n\n1. The clerk goes to **Parcels → New Parcel**.\n\
         2. Enters the parcel's name, weight (in grams), and address.\n3. The clerk clicks **Send Parcel**.\n",
    );
    assert_eq!(named(&found, "Parcel"), ["name", "weight", "address"]);
    let all = operations(&found);
    assert!(all.iter().any(|it| it.ends_with(" createParcel")), "{all:?}");
    assert!(all.iter().any(|it| it.ends_with(" sendParcel")), "{all:?}");
}

#[test]
fn a_screen_says_what_is_done_to_the_things_on_it() {
    let found = decompose(
        "# App\n\n## Required screens\n\n| Screen | Purpose |\n|---|---|\n\
         | Orders list + detail | Browse, filter by status. Create, edit (drafts only), cancel. |\n",
    );
    let all = operations(&found);
    for verb in ["create", "update", "cancel"] {
        assert!(all.iter().any(|it| it.ends_with(&format!(" {verb}Order"))), "{verb} in {all:?}");
    }
}

#[test]
fn what_a_name_begins_with_is_not_done() {
    let found = decompose(
        "# App\n\n## Data Models\n\n### Leave Request\n\n| Field | Type |\n|---|---|\n| id | uuid |\n\n\
         ## Functional Requirements\n\n- Managers can list, leave requests.\n",
    );
    assert!(!operations(&found).iter().any(|it| it.contains(" leaveLeaveRequest")));
}

#[test]
fn leads_repeat_a_heading_or_leave_out_whose_fields_follow() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "### FR-1 Sender Profile\n\nThe profile may contain:\n\n- Full Name\n- Phone Number\n- Address",
            "Sender",
            &["Full Name", "Phone Number", "Address"],
        ),
        (
            "### FR-2 Depots\n\nDepot information may include:\n\n- Address\n- Contact Number\n- Capacity",
            "Depot",
            &["Address", "Contact Number", "Capacity"],
        ),
        (
            "### FR-3 Parcel Details\n\nDisplays:\n\n- Title, price, description\n- Status",
            "Parcel",
            &["Title", "price", "description", "Status"],
        ),
        (
            "### FR-4 Rounds\n\n- All rounds shall be stored with unified fields:\n  - Title\n  - City\n  - Start date",
            "Round",
            &["Title", "City", "Start date"],
        ),
        ("### 1.1 Sender Registration\n\nFields: name, email, phone (optional)", "Sender", &["name", "email", "phone"]),
        (
            "### 4.2 Parcel Fields\n\n- Delivery notes\n- Gift message\n- Delivery date",
            "Parcel",
            &["Delivery notes", "Gift message", "Delivery date"],
        ),
    ];
    for (text, thing, expected) in cases {
        let found = decompose(&format!("# App\n\n## Functional Requirements\n\n{text}\n"));
        assert_eq!(named(&found, thing), *expected, "{text}");
    }
}

#[test]
fn what_stores_something_is_no_thing() {
    let found = decompose(
        "# App\n\n## Interfaces\n\n### Database (PostgreSQL)\n\n- Stores relational data:\n  - Parcels\n  - Rounds\n\n\
         ### Vector Database\n\n- Stores embeddings for:\n  - Search\n",
    );
    let names: Vec<&str> = found.domain_model.entities.iter().map(|it| it.name.as_str()).collect();
    assert!(!names.contains(&"Store") && !names.contains(&"Vector"), "{names:?}");
}

#[test]
fn a_route_may_have_several_methods_behind_it() {
    let all = operations(&decompose(
        "# App\n\n## Pages\n\nRoute: /parcels (GET, POST)\nRoute: /parcels/{id} (PUT, DELETE)\n",
    ));
    for expected in ["GET /parcels ", "POST /parcels ", "PUT /parcels/{id} ", "DELETE /parcels/{id} "] {
        assert!(all.iter().any(|it| it.starts_with(expected)), "{expected} in {all:?}");
    }
}

#[test]
fn a_tree_of_a_domain_names_things() {
    let tree = "User\n├── Parcel\n│ └── Parcel Event\n└── Round\n";
    let names =
        |text: &str| -> Vec<String> { decompose(text).domain_model.entities.into_iter().map(|it| it.name).collect() };
    assert_eq!(
        names(&format!("# App\n\n## Domain Model Diagram\n\n{tree}")),
        ["User", "Parcel", "ParcelEvent", "Round"]
    );
    assert!(names("# App\n\n## Data Folders\n\nsrc\n├── main.rs\n└── lib.rs\n").is_empty());
}

#[test]
fn what_is_done_may_stand_behind_the_thing_or_in_a_heading() {
    let ids = |text: &str| -> Vec<String> {
        let all = operations(&decompose(&format!("# App\n\n## Functional Requirements\n\n{text}\n")));
        all.iter().filter_map(|it| it.rsplit(' ').next().map(str::to_owned)).collect()
    };
    let found = ids("- The system shall support order creation, update, and deletion");
    assert!(
        ["createOrder", "updateOrder", "deleteOrder"].iter().all(|it| found.iter().any(|id| id == it)),
        "{found:?}"
    );
    assert_eq!(ids("### Upload files\n\nAnybody may come."), ["uploadFile"]);
    assert!(ids("### Resume parser\n\nIt comes later.").is_empty());
    assert!(ids("### Administrators\n\n- Access level: full").iter().all(|it| !it.starts_with("level")));
}

#[test]
fn a_block_without_a_name_is_of_the_heading_above() {
    let found = decompose(
        "# App\n\n## Data Models\n\n### Parcels Table\n```typescript\n{\n  roundId: Id<\"rounds\">\n  label: string\n  \
         weight?: number\n}\n```\n\n### Notes\n```typescript\n{\n  call(): here\n}\n```\n",
    );
    let parcel = entity(&found, "Parcel");
    let said: Vec<_> = parcel.fields.iter().map(|it| (it.name.as_str(), it.required)).collect();
    assert_eq!(said, [("roundId", true), ("label", true), ("weight", false)]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "Note" || it.fields.is_empty()));
}

#[test]
fn classes_that_are_mapped_to_tables_are_entities_and_what_functions_do_is_no_field() {
    let found = decompose(
        "# App\n\n## Core\n\n```python\nclass Parcel(models.Model):\n    label = models.CharField(max_length=20)\n    \
         weight = models.FloatField(null=True)\n    round = models.ForeignKey(Round, on_delete=models.CASCADE)\n\n\
         class Scale:\n    def __init__(self):\n        # Load it\n        self.driver = load('scale')\n\n    \
         def read(self, image):\n        if image is None:\n            return None, \"nothing\"\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["label", "weight", "round"]);
    let names: Vec<&str> = found.domain_model.entities.iter().map(|it| it.name.as_str()).collect();
    assert!(!names.contains(&"Scale"), "{names:?}");
}

#[test]
fn paths_of_files_are_no_fields() {
    let found = decompose(
        "# App\n\n## Functional Requirements\n\n### Parcel Details\n\nDisplays:\n\n- Title, price, description\n- Status\n\
         HTML: `views/parcels/show.html`\n",
    );
    let names = named(&found, "Parcel");
    assert!(!names.contains(&"views") && !names.contains(&"parcels"), "{names:?}");
}

#[test]
fn columns_stand_below_a_heading_of_their_own_or_on_one_line() {
    let found = decompose(
        "# Bank\n\n## 1. raw_transfers (as they come)\n\nAll that comes in.\n\n### Columns\n\n- id (PK)\n- source (enum: csv, manual)\n\
         - raw_date (date)\n\n### Rules\n\n- Never changed.\n",
    );
    assert_eq!(entities(&found), ["RawTransfer"]);
    assert_eq!(named(&found, "RawTransfer"), ["id", "source", "raw_date"]);
    let found = decompose(
        "# Agency\n\n## 3. Tables\n\n### roles\n\nOwner, Admin\n\n### grants\n\nrole_id • resource • action\n\n\
         ### clients\n\nid, company_name, phone\n\n## Notes\n\nred, green, blue\n",
    );
    assert_eq!(named(&found, "Grant"), ["role_id", "resource", "action"]);
    assert_eq!(named(&found, "Client"), ["id", "company_name", "phone"]);
    assert!(found.domain_model.entities.iter().all(|it| it.fields.iter().all(|it| it.name != "green")));
}

#[test]
fn tables_of_views_have_the_fields_of_what_is_shown() {
    let found = decompose(
        "# Club\n\n## Notices (`/notices`)\n\n**Notice List:**\n\n| Column | Description |\n|---|---|\n| # | Row number |\n\
         | Title | What it is about |\n| Sender | Who wrote it |\n| Actions | View, Edit |\n\n**Create/Edit Notice Modal:**\n\n\
         | Field | Required |\n|---|---|\n| Title | Yes |\n| Body | Yes |\n",
    );
    assert_eq!(named(&found, "Notice"), ["Title", "Sender", "Body"]);
    // The document's own heading says nothing of when it is built.
    let found = decompose("# Future Planning\n\n## Entities\n\n### Order\n\n- id: uuid\n- total: number\n");
    assert_eq!(named(&found, "Order"), ["id", "total"]);
}

#[test]
fn names_alone_and_outlines_in_blocks_are_fields() {
    let found = decompose("# Rooms\n\n## Entity: Room\n\nFields:\n\n```ts\nid\nname\ncreatedAt\n```\n");
    assert_eq!(named(&found, "Room"), ["id", "name", "createdAt"]);
    let found = decompose(
        "# Rooms\n\nThe database has two tables:\n\n    Rooms:\n        code (INTEGER) - its number\n        title (TEXT): what it is called\n\
         \n    Floors:\n        level (INTEGER) - how high\n",
    );
    assert_eq!(named(&found, "Room"), ["code", "title"]);
    assert_eq!(named(&found, "Floor"), ["level"]);
}

#[test]
fn captions_of_fields_may_say_more_and_paths_name_documents() {
    let found = decompose(
        "# Desk\n\n## Entities\n\n## Incident\n\n**Key Fields (proposed)**\n\n- `id` (UUID)\n- `title`\n- `created_at`, `updated_at`\n",
    );
    assert_eq!(entities(&found), ["Incident"]);
    assert_eq!(named(&found, "Incident"), ["id", "title", "created_at", "updated_at"]);
    let found = decompose(
        "# Desk\n\n## 1) users\n\n```javascript\nusers/{userId}\n{\n  uid: string,\n  email: string,   // lower case\n}\n```\n\n\
         ### 1a) users/{userId}/devices\n\n```javascript\nusers/{userId}/devices/{deviceId}\n{\n  token?: string,\n  seenAt: timestamp,\n}\n```\n",
    );
    assert_eq!(named(&found, "User")[..2], ["uid", "email"]);
    assert_eq!(named(&found, "Device")[..2], ["token", "seenAt"]);
}

#[test]
fn tables_are_headed_by_their_names_in_a_schema() {
    let found = decompose(
        "# Data Model\n\n## Schema `inv`\n\n### `inv.parcel`\n- `id` UUID PK, `tenant_id`, `label` text, `weight`\n\
         - `round_id` UUID → `inv.round.id`\n- For `heavy` parcels: needs a permit\n\n**Constraints**:\n- `UNIQUE (label)`\n\n\
         ### `inv.parcel_stop` (projection)\n- PK `(parcel_id, stop_id)`\n- `seen_at` timestamptz\n\n#### 4a. Delivery Rounds\n\n\
         | Field | Type |\n|---|---|\n| id | uuid |\n\n**Map fields** (of late):\n\n| Field | Type |\n|---|---|\n| route | json |\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "tenant_id", "label", "weight", "round_id"]);
    assert_eq!(named(&found, "ParcelStop"), ["parcel_id", "stop_id", "seen_at"]);
    assert_eq!(named(&found, "DeliveryRound"), ["id", "route"]);
}

#[test]
fn tables_stand_on_lines_with_their_columns_in_brackets() {
    let found = decompose(
        "# App\n\n## Database\n\n```sql\nparcels   — What is sent (parcel_id, label, embedding vector(3), note text)\n\
         rounds    — Who goes where (round_id, city)\n```\n\n- Entities: courier/driver (name, phone), shift record (start, end).\n",
    );
    assert_eq!(named(&found, "Parcel"), ["parcel_id", "label", "embedding", "note"]);
    assert_eq!(named(&found, "Round"), ["round_id", "city"]);
    assert_eq!(named(&found, "Courier"), ["name", "phone"]);
    assert_eq!(named(&found, "Shift"), ["start", "end"]);
}

#[test]
fn steps_that_are_set_as_code_are_steps() {
    let text = "# Flows\n\n## Creating a parcel\n\n```\n1. User opens the page\n   ├─ Parcels are listed\n   └─ Rounds are listed\n\
                2. User creates a parcel with label, weight and address\n3. User deletes a parcel\n```\n";
    let found = decompose(text);
    let plain = decompose(&text.replace("```\n", "").replace("├─", "-").replace("└─", "-"));
    assert_eq!(operations(&found), operations(&plain));
    assert!(operations(&found).iter().any(|it| it.ends_with(" createParcel")));
    // A tree of files stays one.
    let tree = "# App\n\n```\n1. src\n├── models\n│   └── parcel.ts\n2. tests\n```\n";
    assert!(decompose(tree).domain_model.entities.is_empty());
}

#[test]
fn parts_of_the_product_that_are_to_do_something_are_no_things() {
    let found = decompose(
        "# Requirements\n\n## Glossary\n\n- **Parcel_Tracker**: The web application that manages parcels\n\n## Requirements\n\n\
         1. WHEN a user enters a label, a weight and an address, THE Parcel_Tracker SHALL create a new parcel\n\
         2. WHEN a user deletes a parcel, THE Parcel_Tracker SHALL remove the parcel\n\
         3. WHEN a user opens the page, THE Parcel_Tracker SHALL display all parcels\n",
    );
    assert!(!entities(&found).contains(&"ParcelTracker"), "{:?}", entities(&found));
}

#[test]
fn leads_may_say_what_each_record_supports() {
    let found = decompose(
        "# App\n\n## Data Model\n\nEach parcel record shall support the following fields (as far as known):\n\n1. Label\n2. Weight\n",
    );
    assert_eq!(named(&found, "Parcel"), ["Label", "Weight"]);
}

#[test]
fn lines_behind_a_colon_and_bullets_behind_a_number_belong_below() {
    let found = decompose(
        "Parcel app\n\nCore features\n\n1. Parcel Management\nCreate a Parcel model with fields such as:\nLabel\nWeight\nColour\n\
         Implement CRUD operations for parcels, using a database of your choice.\n2. Reports\nGenerate reports of parcels.\n",
    );
    assert_eq!(named(&found, "Parcel"), ["Label", "Weight", "Colour"]);
    let document = Document::read(
        "# App\n\n1. Couriers:\n+ Couriers register.\n+ Required: name.\n\n2. Parcels:\n+ Required: label.\n",
    );
    let depth = |it: &Block| if let Kind::Item(_, depth) = it.kind { depth } else { 9 };
    assert_eq!(document.blocks.iter().map(depth).collect::<Vec<_>>(), [0, 1, 1, 0, 1]);
}

#[test]
fn outlines_need_no_colon_and_have_indexes() {
    let found = decompose(
        "# App\n\n## Schemas\n\n```\nparcel_rows\n  parcel_ref  VARCHAR(36) PK (UUID)\n  weight      INTEGER\n\nIndexes:\n  \
         idx_parcel_ref   (parcel_ref)\n```\n\n```\nrounds   — who goes where (city, start)\nsettings — pairs\n```\n",
    );
    assert_eq!(named(&found, "ParcelRow"), ["parcel_ref", "weight"]);
    assert_eq!(named(&found, "Round"), ["city", "start"]);
}

#[test]
fn classes_of_a_diagram_that_only_do_something_are_no_things() {
    let found = decompose(
        "# App\n\n## Class Diagram\n\n```mermaid\nclassDiagram\n  class Parcel {\n    +int id\n    +str email\n  }\n  \
         class ParcelApi {\n    +send(parcel) dict\n  }\n```\n\n```mermaid\nclassDiagram\n  class ParcelUpdate {\n    \
         +str email\n  }\n  BaseModel <|-- ParcelUpdate\n```\n\n### Round\n\n**Purpose:** Who goes where.\n\n\
         | Column | Type |\n|---|---|\n| id | uuid |\n\n### Course\n\n```\nCourse(id, number, name)\nPK: {id}\n```\n",
    );
    assert_eq!(entities(&found), ["Parcel", "Round", "Course"]);
    assert_eq!(named(&found, "Parcel"), ["id", "email"]);
    assert_eq!(named(&found, "Course"), ["id", "number", "name"]);
}

#[test]
fn a_collection_in_a_store_is_named_by_its_path() {
    let table =
        "| Key | Type | Meaning |\n|---|---|---|\n| `id` | string | Stable |\n| `stopCount` | number | How many |\n";
    let text = format!(
        "# Data\n\n## Collection: `rounds/{{roundId}}`\n\nKeys:\n\n{table}\n## Collection: `rounds/{{roundId}}/stops`\n\nKeys:\n\n{table}"
    );
    let found = decompose(&text);
    assert_eq!(named(&found, "Round"), ["id", "stopCount"]);
    assert_eq!(named(&found, "Stop"), ["id", "stopCount"]);
}

#[test]
fn comments_in_statements_hide_no_columns() {
    let text = "# Data\n\n```sql\nCREATE TABLE parcels (\n  id UUID PRIMARY KEY, -- the key, of course\n\n  -- Label (printed), if any\n  \
                label VARCHAR(100),\n  -- Weight\n  weight DECIMAL(15,2)\n);\n```\n";
    assert_eq!(named(&decompose(text), "Parcel"), ["id", "label", "weight"]);
    let brackets = "# Data\n\n```sql\nCREATE TABLE parcels (\n  id UUID, -- 1) the key\n  note TEXT DEFAULT '--', -- printed (if any\n  label TEXT\n);\n```\n";
    assert_eq!(named(&decompose(brackets), "Parcel"), ["id", "note", "label"]);
}

#[test]
fn columns_on_a_line_may_have_remarks() {
    let text = "# Data model\n\n## Core tables\n\n### `parcels`\n\n\
                id, round_id (FK, nullable = not planned), label, is_heavy (BOOLEAN)\n";
    assert_eq!(named(&decompose(text), "Parcel"), ["id", "round_id", "label", "is_heavy"]);
}

#[test]
fn short_lines_below_a_colon_are_items_and_no_headings() {
    let text = "Parcel office\n\n1. Parcels\n\nAdd notes of a round:\n\nWeather\n\nDelays\n\nThings left behind\n\n2. Rounds\n\nRounds are planned.\n";
    let document = Document::read(text);
    let titles: Vec<&str> = document.sections.iter().map(|it| it.title.plain.as_str()).collect();
    assert!(!titles.contains(&"Weather") && titles.contains(&"2. Rounds"), "{titles:?}");
    let items: Vec<&str> = document
        .blocks
        .iter()
        .filter_map(|it| if let Kind::Item(text, _) = &it.kind { Some(text.plain.as_str()) } else { None })
        .collect();
    assert_eq!(items, ["Weather", "Delays", "Things left behind"]);
    let code = Document::read("Parcel office\n\n1. Parcels\n\n```\nclass Parcel:\n\n    id\n\nRound\n```\n");
    assert!(code.blocks.iter().any(|it| matches!(&it.kind, Kind::Code(_, text) if text.contains("\n    id\n\nRound"))));
}

#[test]
fn boxes_of_a_drawing_say_what_things_have() {
    let text = "# Data\n\nRounds and parcels are stored. Users can create parcels and delete parcels. Users can create rounds, edit rounds and delete rounds.\n\n\
                ## Entity relationship diagram\n\n```\n\
                ┌──────────┐     ┌──────────────┐\n│  Round   │     │   Parcel     │\n├──────────┤     ├──────────────┤\n\
                │  id      │◀┐   │  id          │\n│  city    │ └──▶│  round_id    │\n│  status  │     │  description │\n\
                └──────────┘     └──────────────┘\n```\n";
    let found = decompose(text);
    let (round, parcel) = (named(&found, "Round"), named(&found, "Parcel"));
    assert!(round.contains(&"city") && !round.contains(&"description"), "{round:?}");
    assert!(parcel.contains(&"description") && !parcel.contains(&"city"), "{parcel:?}");
}

#[test]
fn a_sentence_may_say_which_entities_there_are() {
    let found = decompose(
        "# App\n\n## 6. Data model\n\nKeys are UUIDs throughout. Entities: Parcel, RoundStop, Van, DriverShift.\n",
    );
    let names = entities(&found);
    for expected in ["Parcel", "RoundStop", "Van", "DriverShift"] {
        assert!(names.contains(&expected), "{expected} in {names:?}");
    }
}

#[test]
fn a_table_of_one_column_is_a_class() {
    let found = decompose(
        "# App\n\n## Class diagram\n\n**Parcel**|\n---------|\nid primary key<br />round_id<br />weight: int<br />|\n\
         move(round_id)<br />weigh()|\n\n| Advice |\n|---|\n| Weigh every parcel |\n| Call the driver |\n\n\
         | Round status |\n|---|\n| on_hold |\n| in_transit |\n\n| Van |\n|---|\n| + id: int<br />- plate: String |\n",
    );
    assert_eq!(named(&found, "Van"), ["id", "plate"]);
    assert!(found.domain_model.entities.iter().all(|it| it.fields.iter().all(|it| it.name != "on_hold")));
    assert_eq!(named(&found, "Parcel"), ["id", "round_id", "weight"]);
    assert!(!entities(&found).contains(&"Advice"), "{:?}", entities(&found));
}

#[test]
fn boxes_and_trees_with_types_declare_things() {
    let found = decompose(
        "# App\n\n## Model\n\n```\n\
         +----------------------+\n|        Parcel        |\n|   (Aggregate Root)   |\n| - id: string         |\n\
         | - sentBy: string | null |\n| Methods:             |\n| - send(by: Clerk)    |\n+----------------------+\n\
         \u{20}          |\n           v\n\
         +----------------------+\n|        Round         |\n| - id: number         |\n| - city: string       |\n+----------------------+\n\
         ```\n\n```\nround_stops\n├── id              INTEGER PRIMARY KEY\n├── done            BOOLEAN\n└── UNIQUE(id, done)\n\n\
         src\n├── round.py        the round\n└── main.py         begins\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "sentBy"]);
    assert_eq!(named(&found, "Round"), ["id", "city"]);
    let stop = entity(&found, "RoundStop");
    let said: Vec<_> = stop.fields.iter().map(|it| (it.name.as_str(), it.kind.as_str())).collect();
    assert_eq!(said[..2], [("id", "INTEGER"), ("done", "BOOLEAN")]);
    assert!(!entities(&found).contains(&"Src"), "a tree of files declares nothing");
}

#[test]
fn what_all_things_have_is_no_thing_of_its_own() {
    let described = "## Entities\n\n### Parcel\n\n| Field | Type |\n|---|---|\n| label | string |\n| weight | number |\n\n\
                     ### Round\n\n| Field | Type |\n|---|---|\n| city | string |\n| day | date |\n\n";
    let cases = [
        "## Common Audit Fields\n\n| Field | Type |\n|---|---|\n| created_at | date |\n| created_by | uuid |\n\n",
        "All tables include `created_at` and `created_by` (by triggers).\n\n",
        "Every entity has the following fields:\n\n- `created_at`: date\n- `created_by`: uuid\n\n",
    ];
    for text in cases {
        for text in [format!("# App\n\n{text}{described}"), format!("# App\n\n{described}## Conventions\n\n{text}")] {
            let found = decompose(&text);
            assert_eq!(named(&found, "Parcel"), ["label", "weight", "created_at", "created_by"], "{text}");
            assert_eq!(named(&found, "Round"), ["city", "day", "created_at", "created_by"], "{text}");
            assert_eq!(entities(&found), ["Parcel", "Round"], "{text}");
        }
    }
}

#[test]
fn fences_with_strokes_before_them_are_fences() {
    let found = decompose("# App\n\n\\`\\`\\`ts\ninterface Parcel {\n  id: string;\n  label: string;\n}\n\\`\\`\\`\n");
    assert_eq!(named(&found, "Parcel"), ["id", "label"]);
}

#[test]
fn typed_fields_below_no_name_are_those_of_the_thing_that_the_text_is_about() {
    let fields = "## Data Dictionary\n\n- `id`: UUID (primary key)\n- `clientId`: UUID\n- `weight`: Decimal (0 to 90)\n- `label`: \
                  String (3 to 200 characters)\n";
    let about = "# Parcels\n\nUsers can create a parcel, list parcels, update a parcel and delete a parcel.\n\n";
    let found = decompose(&format!("{about}{fields}"));
    assert_eq!(entities(&found), ["User", "Parcel"]);
    assert_eq!(named(&found, "Parcel"), ["id", "clientId", "weight", "label"]);
    // Two things may have them: no entity is made of the fields either.
    let found = decompose(&format!(
        "{about}Users can create a round, list rounds, edit rounds and delete a round.\n\n{fields}"
    ));
    assert_eq!(entities(&found), ["User", "Parcel", "Round"]);
    assert!(found.domain_model.entities.iter().all(|it| it.fields.is_empty()), "{:?}", found.domain_model.entities);
}

#[test]
fn listed_values_have_the_name_of_an_enumeration() {
    let found = decompose(
        "# Parcels\n\n## Data Model\n\n`ParcelState` values:\n\n- `Waiting`\n- `Sent`\n- `Lost`\n\n`Parcel` contains:\n\n- `Id`\n\
         - `Weight`\n- `State`\n",
    );
    assert_eq!(entities(&found), ["Parcel"]);
    assert_eq!(named(&found, "Parcel"), ["Id", "Weight", "State"]);
}

#[test]
fn related_records_are_things_of_their_own() {
    let found = decompose(
        "# Parcels\n\n## Data Model\n\n`Parcel` contains:\n\n- `Id`\n- `Weight`\n\nRelated records:\n\n- `LabelKind`: kind ID and \
         display text\n- `RoundPlan`: start date and city\n",
    );
    assert_eq!(entities(&found), ["Parcel", "LabelKind", "RoundPlan"]);
    assert_eq!(named(&found, "RoundPlan"), ["start date", "city"]);
}

#[test]
fn an_outlined_class_lists_its_members() {
    let found = decompose(
        "# Parcels\n\n## Plan\n\n```\n□ core/parcel.py\n    class Parcel:\n        label, weight,\n        stops[], sent_at\n        \
         methods: send(), is_late()\n\n    class Round:\n        city, starts_at\n\n    class Sorter:\n        methods: sort()\n\
         ```\n",
    );
    assert_eq!(entities(&found), ["Parcel", "Round"]);
    // Which of the names are told as fields, the judge decides, as of all that have no type.
    assert!(
        ["weight", "sent_at"].iter().all(|it| named(&found, "Parcel").contains(it)),
        "{:?}",
        named(&found, "Parcel")
    );
    assert!(!named(&found, "Parcel").contains(&"methods"));
}

#[test]
fn a_diagram_may_quote_the_names_of_things() {
    let found = decompose(
        "# App\n\n## Data Model\n\n```mermaid\nerDiagram\n\"Parcel\" {\n  String id\n}\n\"LeaveRequest\" {\n  String id\n}\n\
         \"Parcel\" ||--o{ \"LeaveRequest\" : \"leaves\"\n```\n",
    );
    assert_eq!(entities(&found), ["Parcel", "LeaveRequest"]);
    let relations = &found.domain_model.relationships;
    let ends: Vec<_> = relations.iter().map(|it| (it.source_entity.as_str(), it.target_entity.as_str())).collect();
    assert_eq!(ends, [("Parcel", "LeaveRequest")]);
}

#[test]
fn what_is_no_name_of_a_field_is_none() {
    let found = decompose(
        "# App\n\n## Database Schema\n\n### Parcel\n\n- `id` (uuid)\n- `label` (text)\n- `idx_parcels_label` (index)\n\n\
         Parcels have a label (max 200 characters, required).\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "label"]);
}

#[test]
fn columns_with_types_may_share_a_line_and_a_table_may_be_one_of_kinds() {
    let found = decompose(
        "# App\n\n## 3. Database Schema\n\n### Parcels\n```sql\nid INT PK, label VARCHAR(80) UNIQUE,\nstate ENUM('waiting','sent'), \
         weight DECIMAL(10,2)\n```\n\n### Rounds + Stops\n```sql\nrounds: id INT PK, city VARCHAR(40), driver,\n        \
         starts_at DATETIME\n\nstops: id INT PK, round_id INT FK, street TEXT\n```\n\n### Drivers\n\n| Attribute \\ Kind | Base | Van \
         | Bike |\n|---|---|---|---|\n| Licence Number | req | x | - |\n| Start Date | req | x | x |\n",
    );
    assert_eq!(entities(&found), ["Parcel", "Round", "Stop", "Driver"]);
    assert_eq!(named(&found, "Parcel"), ["id", "label", "state", "weight"]);
    assert_eq!(named(&found, "Round"), ["id", "city", "driver", "starts_at"]);
    assert_eq!(named(&found, "Stop"), ["id", "round_id", "street"]);
    assert_eq!(named(&found, "Driver"), ["Licence Number", "Start Date"]);
}

#[test]
fn enumerations_in_a_block_are_no_things_and_things_below_a_thing_no_fields() {
    let found = decompose(
        "# App\n\n## Data Model\n\n```text\nParcel\n├── ParcelLabel\n├── ParcelStop\n└── ParcelState\n```\n\n```text\nParcelState: WAITING | \
         SENT | LOST\nParcelKind: SMALL | BIG\n```\n\n### ParcelLabel\n\n- `id` (uuid)\n- `text` (string)\n\n### ParcelStop\n\n- `id` \
         (uuid)\n- `city` (string)\n",
    );
    let names = entities(&found);
    assert!(!names.contains(&"ParcelState") && !names.contains(&"ParcelKind"), "{names:?}");
    assert_eq!(named(&found, "ParcelLabel"), ["id", "text"]);
    assert_eq!(named(&found, "Parcel"), Vec::<&str>::new());
}

#[test]
fn what_looks_like_columns_or_choices_may_be_something_else() {
    let found = decompose(
        "# App\n\n## Database Schema\n\n### Parcels\n\n```\nid INT PK, label TEXT, weight INT,\nPRIMARY KEY (id), UNIQUE (label)\n\
         ```\n\n### Notes\n\n```\nprivate String text;\nprivate int age;\nprivate Date sent;\n```\n\n### Notifications\n\n- `id`: \
         uuid\n- `kind`: string\n\nNotification options:\n\n- Email\n- Letter\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "label", "weight"]);
    assert_eq!(named(&found, "Notification")[..2], ["id", "kind"]);
    assert!(found.domain_model.entities.iter().all(|it| it.fields.iter().all(|it| it.name != "private")));
    // More paths than anybody writes, and longer ones.
    let cell = format!("`/a/{}/c` {}", "b".repeat(50_000), "`/y` ".repeat(20_000));
    let found = decompose(&format!(
        "# App\n\n## API\n\n| Method | Path |\n|---|---|\n| {} | {cell} |\n",
        "GET ".repeat(10_000)
    ));
    assert!(operations(&found).len() <= 100);
}
