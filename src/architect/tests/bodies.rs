//! What endpoints and messages carry, and of which thing each of that is a member.

use super::{entities, named, operations};
use crate::architect::decompose;

#[test]
fn a_block_right_below_an_endpoint_is_what_goes_in_or_comes_out() {
    let found = decompose(
        "# App\n\n## Parcels\n\n### POST /parcels\n\nCreate a parcel\n\n```json\n{\n  \"label\": \"string\",\n  \
                    // in grams\n  \"weight\": \"number\"\n}\n```\n\n### GET /parcels\n\nList parcels\n\n```json\nQuery Parameters:\n\
                    {\n  \"page\": \"number\"\n}\n```\n\n### POST /parcels/request\n\n```json\n{ \"pickup\": \"string\" }\n```\n\n\
                    ### GET /parcels/{id}\n\n### DELETE /parcels/{id}\n",
    );
    let mut fields = named(&found, "Parcel");
    fields.sort_unstable();
    assert_eq!(fields, ["label", "pickup", "weight"]);
}

#[test]
fn lines_in_bold_below_an_endpoint_say_what_goes_in_and_out() {
    let found = decompose(
        "# API\n\n## Users API\n\n### List Users\n**`GET /users`**\n\n**Query Parameters:**\n\
                    - `search` (string, optional): Text to look for\n- `take` (number, optional): How many\n\n**Response:**\n```json\n\
                    {\n  \"success\": true,\n  \"data\": [{ \"id\": 1, \"email\": \"a@b.c\" }]\n}\n```\n\n### Create User\n\
                    **`POST /users`**\n\n**Fields:**\n- `email` (string, required): Address\n\n**Example:**\n```bash\n\
                    curl -X POST \"https://x.example/users\" -d '{ \"email\": \"a@b.c\", \"nickname\": \"A\" }'\n```\n\n\
                    ### Get User\n**`GET /users/:id`**\n",
    );
    let names: Vec<&str> = found.domain_model.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["User"]);
    assert_eq!(named(&found, "User"), ["id", "email"]);
    assert_eq!(operations(&found).len(), 3);
}

#[test]
fn what_answers_wrap_is_no_member_and_what_they_hold_of_others_is_theirs() {
    let found = decompose(
        "# API\n\n## Rounds\n\n### POST /rounds\n\n**Body:** `{ \"city\" }`\n**Response:** `{ round, token }`\n\n\
                    ### GET /rounds/:id\n\n**Response:** `{ \"id\": 1, \"city\": \"Bonn\", \"parcels\": [{ \"id\": 2, \"weight\": 3 }] }`\n\n\
                    ## Parcels\n\n### POST /parcels\n\n**Body:** `{ \"label\" }`\n**Body (large):** `{ \"label\", \"volume\" }`\n\n\
                    ### GET /parcels/:id\n\n### GET /rounds\n",
    );
    assert_eq!(named(&found, "Round"), ["city", "id", "parcels"]);
    let mut parcel = named(&found, "Parcel");
    parcel.sort_unstable();
    assert_eq!(parcel, ["id", "label", "volume", "weight"]);
}

#[test]
fn messages_carry_members_of_what_they_tell_of() {
    let found = decompose(
        "# Event catalog\n\nOrders are placed by customers. An order can be cancelled.\n\n| Topic | Publisher | Subscriber |\n\
                    |---|---|---|\n| `orders` | OrderService | PaymentService |\n\n## Events\n\n### `OrderPlacedEvent`\n\n\
                    **Producer:** OrderService (`PlaceOrderHandler`)\n**Consumers:** PaymentService → takes the money\n\n\
                    | Field | Type |\n|---|---|\n| `OrderId` | `Guid` |\n| `Total` | `decimal` |\n| `EventId` | `Guid` |\n\n\
                    ### OrderCancelled\n\n**Payload**\n\n```json\n{ \"orderId\": \"1\", \"reason\": \"late\" }\n```\n",
    );
    let services: Vec<&str> = found.service_map.services.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(services, ["order-service", "payment-service"]);
    let placed = found.domain_model.events.iter().find(|it| it.name == "OrderPlacedEvent").expect("the event");
    assert_eq!(
        (placed.publishers.as_slice(), placed.consumers.as_slice()),
        (&["order-service".to_owned()][..], &["payment-service".to_owned()][..])
    );
    assert_eq!(named(&found, "Order"), ["OrderId", "Total", "reason"]);
}

#[test]
fn bodies_tell_of_things_that_everybody_has_one_of_and_of_some_of_many() {
    let found = decompose(
        "# Garage API\n\nCustomers keep clients and a cart.\n\n## Clients\n\n### Create a private client\n\n```http\n\
         POST {{host}}/api/clients/private\nContent-Type: application/json\n\n{ \"firstName\": \"Ann\", \"phone\": \"1\" }\n```\n\n\
         ### List clients\n\n- **Method:** `GET`\n- **Route:** `/api/clients`\n\n## Cart\n\n### GET /api/cart\n\n\
         ```json\n{ \"data\": { \"coupon\": \"en\", \"theme\": \"dark\", \"zone\": \"UTC\" } }\n```\n\n### GET /api/clients/{id}/full\n\n\
         ```json\n{ \"id\": 1, \"score\": 2, \"rank\": 3 }\n```\n",
    );
    let client = named(&found, "Client");
    assert!(["firstName", "phone"].iter().all(|it| client.contains(it)), "{client:?}");
    let cart = named(&found, "Cart");
    assert!(["coupon", "theme", "zone"].iter().all(|it| cart.contains(it)), "{cart:?}");
    assert!(!found.domain_model.entities.iter().any(|it| it.name == "Full"));
    let paths: Vec<String> = found
        .contract_stubs
        .iter()
        .flat_map(|it| it.spec["paths"].as_object().into_iter().flatten())
        .map(|it| it.0.clone())
        .collect();
    assert!(["/api/clients/private", "/api/clients"].iter().all(|it| paths.contains(&(*it).to_owned())), "{paths:?}");
}

#[test]
fn lines_of_code_name_members_of_what_stands_before_or_above_them() {
    let found = decompose(
        "# Stays\n\nOwners manage units and bookings. A unit can be booked. Owners can list bookings and cancel a booking.\n\n\
         ## Data model\n\n```\nUnit          id, property_id, base_price, max_guests\nBooking       id, unit_id, source, status\n```\n",
    );
    assert_eq!(named(&found, "Unit"), ["id", "property_id", "base_price", "max_guests"]);
}

#[test]
fn objects_with_an_identifier_within_answers_are_things() {
    let found = decompose(
        "# App\n\n## API\n\n### POST /api/auth/login\n\nResponse:\n\n```json\n{\"user\": {\"id\": \"string\", \"email\": \"string\"}, \
         \"token\": \"string\"}\n```\n\n### GET /api/cargo\n\nResponse:\n\n```json\n[{\"id\": \"string\", \"label\": \"string\", \
         \"weight\": 4, \"created_by\": {\"id\": \"string\", \"name\": \"string\"}, \"stops\": [{\"city\": \"string\", \"street\": \
         \"string\", \"arrives_at\": \"string\"}], \"position\": {\"x\": 1, \"y\": 2, \"z\": 3}}]\n```\n",
    );
    let mut names = entities(&found);
    names.sort_unstable();
    // The stops have no identifiers of their own: they may be values of the cargo.
    assert_eq!(names, ["Cargo", "User"]);
    assert_eq!(named(&found, "User"), ["id", "email"]);
    assert!(named(&found, "Cargo").contains(&"label"));
}

#[test]
fn what_lists_within_a_document_hold_are_things_of_their_own() {
    let found = decompose(
        "# App\n\n## API\n\n### GET /api/parcels\n\nResponse:\n\n```json\n{\"data\": [{\"id\": \"string\", \"weight\": 4, \"items\": \
         [{\"id\": \"string\", \"label\": \"string\", \"count\": 2}]}], \"total\": 1}\n```\n\n## Data Model\n\n### Round (JSON)\n\n```json\n\
         {\"id\": \"string\", \"city\": \"string\", \"marks\": [{\"kind\": \"a|b\", \"url\": \"string\", \"size\": \"number\"}]}\n```\n",
    );
    let mut names = entities(&found);
    names.sort_unstable();
    assert_eq!(names, ["Mark", "Parcel", "ParcelItem", "Round"]);
    assert_eq!(named(&found, "ParcelItem"), ["id", "label", "count"]);
    assert_eq!(named(&found, "Mark"), ["kind", "url", "size"]);
}

#[test]
fn a_heading_may_name_the_thing_behind_the_word_response() {
    let found = decompose(
        "# App\n\n## Parcels\n\n| Method | Path | Description |\n|---|---|---|\n| GET | `/parcels/{id}` | A parcel |\n\n\
         ### Response schema — ParcelReadDTO\n\n```json\n{\"id\": \"uuid\", \"label\": \"string\", \"weight\": \"float\"}\n```\n",
    );
    assert_eq!(entities(&found), ["Parcel"]);
    assert_eq!(named(&found, "Parcel"), ["id", "label", "weight"]);
}
