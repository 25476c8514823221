//! Forms in which texts state endpoints.

use super::operations;
use crate::architect::decompose;

/// The methods and paths that a text states, in order.
fn stated(text: &str) -> Vec<String> {
    let all = operations(&decompose(&format!("# App\n\n{text}\n")));
    let mut all: Vec<String> = all.iter().filter_map(|it| it.rsplit_once(' ').map(|it| it.0.to_owned())).collect();
    all.sort();
    all
}

#[test]
fn a_row_may_have_several_columns_of_paths_or_a_column_for_each_method() {
    let found = stated(
        "## API\n\n| Method | Old path | New endpoint |\n|---|---|---|\n| GET/POST | `/box` | `POST /parcels` |\n\n\
         | Method | Python endpoint | Node endpoint |\n|---|---|---|\n| GET | `/rounds` | `/api/rounds` |\n\n\
         | Method | Path |\n|---|---|\n| GET, PUT | api/depots/:id |\n\n\
         | Endpoint | GET | POST | DELETE |\n|---|:-:|:-:|:-:|\n| `/vans` | x | x | - |\n",
    );
    assert_eq!(
        found,
        ["GET /api/depots/{id}", "GET /rounds", "GET /vans", "POST /parcels", "POST /vans", "PUT /api/depots/{id}"]
    );
}

#[test]
fn several_methods_may_stand_before_a_path_and_several_ends_behind_it() {
    let found = stated(
        "## API\n\n- `GET|POST /parcels`, `POST /codes/reserve|release`\n- PATCH/PUT /rounds/:id to move it\n\n\
         **Routes**: `GET /vans`, `DELETE /vans/<int:id>`\n",
    );
    assert_eq!(
        found,
        [
            "DELETE /vans/{id}",
            "GET /parcels",
            "GET /vans",
            "PATCH /rounds/{id}",
            "POST /codes/release",
            "POST /codes/reserve",
            "POST /parcels",
            "PUT /rounds/{id}"
        ]
    );
}

#[test]
fn a_cell_a_sentence_and_a_drawing_may_state_endpoints() {
    let found = stated(
        "## Services\n\n| Service | Routes |\n|---|---|\n| Parcels | `GET /parcels`, `POST /parcels` |\n\nA round ends with `POST /rounds/{id}/end` \
         and is told to all.\n\n```mermaid\nsequenceDiagram\n  Van->>Depot: PUT /depots/{id: int}<br/>changes it\n```\n",
    );
    assert_eq!(found, ["GET /parcels", "POST /parcels", "POST /rounds/{id}/end", "PUT /depots/{id}"]);
}

#[test]
fn the_method_may_stand_below_a_heading_with_the_path_or_below_one_of_its_own() {
    let found = stated(
        "## API\n\n### 1. Add `/parcels`\n- method: `POST`\n\n### Move\n\n#### Method\n\nPATCH\n\n#### Endpoint\n\n`/rounds/:id`\n",
    );
    assert_eq!(found, ["PATCH /rounds/{id}", "POST /parcels"]);
}

#[test]
fn lines_below_a_heading_come_before_the_path_of_the_heading() {
    let found = stated(
        "## API\n\n### Parcels `/api`\n\n- Method: GET\n- Path: /parcels\n\n- Method: POST\n- Path: /parcels\n\n### Weigh `/weigh`\n\n\
         #### Description\n\nWeighs all.\n\n#### Method\n\nPOST\n",
    );
    assert_eq!(found, ["GET /parcels", "POST /parcels", "POST /weigh"]);
}

#[test]
fn columns_come_before_what_a_description_mentions_and_a_query_is_no_path() {
    let found = stated(
        "## API\n\n| Method | Path | Description |\n|---|---|---|\n| POST | /parcels | Adds one; poll GET /parcels/{id} |\n| POST | n/a | none |\n\n\
         - `GET /rounds?status=open|closed`\n- `GET /vans/{id|plate}`\n- API endpoints: DELETE/PATCH `/depots/{id}`\n",
    );
    let expected = ["DELETE /depots/{id}", "GET /rounds", "GET /vans/{idplate}", "PATCH /depots/{id}", "POST /parcels"];
    assert_eq!(found, expected);
}

#[test]
fn what_looks_like_an_endpoint_is_none() {
    assert_eq!(stated("## Notes\n\n```text\n1.2.3.4 \"GET /favicon.ico HTTP/1.1\" 200\n```\n"), [""; 0]);
    assert_eq!(stated("## Notes\n\nThe GET and POST methods differ. See `/etc/hosts` or a/b, GET it.\n"), [""; 0]);
}

#[test]
fn the_path_of_a_heading_stands_before_those_that_leave_it_out() {
    let found = stated(
        "## Parcels (`/api/parcels`)\n\n- `GET /`: all parcels\n- `DELETE /:id`: deletes one\n\n\
         ## Rounds (`/api/rounds`)\n\n- `GET /today`: those of today\n- `POST /api/rounds/plan`: plans them\n",
    );
    assert_eq!(
        found,
        ["DELETE /api/parcels/{id}", "GET /api/parcels", "GET /api/rounds/today", "POST /api/rounds/plan"]
    );
    let whole = stated("## Parcels (`/parcels`)\n\n- `GET /parcels`\n- `GET /vans`: where they are\n");
    assert_eq!(whole, ["GET /parcels", "GET /vans"], "these are whole paths");
}

#[test]
fn a_cell_or_heading_may_hold_several_endpoints() {
    let found = decompose(
        "# App\n\n## API\n\n| Method | Path | Purpose |\n|---|---|---|\n| `POST` | `/parcels/<id>/accept` · `/refuse` · `/rename` | \
         Review |\n| `GET` | `/rounds`, `/rounds/{id}` | Rounds |\n\n#### `GET /api/labels/` & `POST /api/labels/`\n\nLabels.\n",
    );
    let found = operations(&found);
    for expected in [
        "POST /parcels/{id}/accept",
        "POST /parcels/{id}/refuse",
        "POST /parcels/{id}/rename",
        "GET /rounds",
        "GET /rounds/{id}",
        "GET /api/labels",
        "POST /api/labels",
    ] {
        assert!(found.iter().any(|it| it.starts_with(expected)), "{expected} in {found:?}");
    }
}

#[test]
fn identifiers_of_examples_are_parameters() {
    let found = stated(
        "## Orders\n\n- `GET /orders/123`\n- `PUT /orders/e285afdf-3e82-4291-beb2-f86b82c1200a/items`\n\
         - `DELETE http://localhost:3000/orders/64f1c0ffee5f1e0012345678`\n- `GET /v1/orders`\n",
    );
    assert_eq!(found, ["DELETE /orders/{id}", "GET /orders/{id}", "GET /v1/orders", "PUT /orders/{id}/items"]);
}

#[test]
fn a_cell_says_paths_before_it_says_more() {
    let text = "## API\n\n| Method | Path | Body |\n|---|---|---|\n| POST | `/orders` (by a clerk) | `{ total, note }` |\n\
         | GET | `/orders?open=` \u{b7} `/orders/:id` | - |\n| PATCH | `/orders/:id` `{ note }` | `note, dueDate (a day)` |\n\
         | GET/PUT | `/clients[...]` (all of them) | `email, phone` |\n| GET | `/flags` \u{b7} PUT `/flags/:key` | |\n";
    assert_eq!(
        stated(text),
        [
            "GET /clients",
            "GET /flags",
            "GET /orders",
            "GET /orders/{id}",
            "PATCH /orders/{id}",
            "POST /orders",
            "PUT /clients",
            "PUT /flags/{key}"
        ]
    );
    let entities = decompose(&format!("# App\n\n{text}\n")).domain_model.entities;
    let order = entities.iter().find(|it| it.name == "Order").map(|it| it.fields.iter().map(|it| it.name.as_str()));
    assert_eq!(order.into_iter().flatten().collect::<Vec<_>>(), ["total", "note", "dueDate", "id"]);
}

#[test]
fn members_behind_an_endpoint_are_those_of_its_request() {
    let text = "# CRM\n\n- POST `/leads` (name, phone, status)\n- PUT `/leads/{id}` (status, note)\n- GET `/leads` (filter: sales_id)\n\
                - POST `/offers` { title, price } → 201\n- POST `/login` (admin, manager)\n";
    let found = decompose(text);
    let fields = |name: &str| -> Vec<String> {
        let thing = found.domain_model.entities.iter().find(|it| it.name == name);
        thing.map(|it| it.fields.iter().map(|it| it.name.clone()).collect()).unwrap_or_default()
    };
    assert_eq!(fields("Lead"), ["name", "phone", "status", "note"]);
    assert_eq!(fields("Offer"), ["title", "price"]);
}

#[test]
fn what_is_made_by_a_deed_in_a_collection_is_a_thing() {
    let text = "# Bank\n\nPOST /cards/request\n\nGET /cards/{cardId}\n\nPUT /cards/{cardId}/block\n";
    assert!(decompose(text).domain_model.entities.iter().any(|it| it.name == "Card"));
}
