//! Shapes of records in a line of code, and models in cells.

use super::named;
use crate::architect::decompose;

#[test]
fn shapes_below_paths_and_behind_names_have_fields() {
    let text = "# Vans\n\n## Collections\n\n### `drivers/{driverId}`\n`name, nameAr, tags[], active (bool), sortOrder`.\nSeeded.\n\n\
                ### `vans/{vanId}`\n`plate, hours: { \"0\": { open: bool } },\nseats`.\n\nEntries:\n\n\
                - **Trip** ✅ — `{ start, km, mode:\"a\"|…, note? }`; more below.\n- **Fine / paid** — `{ cents, reason }`\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Driver")[..5], ["name", "nameAr", "tags", "active", "sortOrder"]);
    assert_eq!(named(&found, "Van")[..3], ["plate", "hours", "seats"]);
    assert_eq!(named(&found, "Trip"), ["start", "km", "mode", "note"]);
    assert_eq!(named(&found, "Fine"), ["cents", "reason"]);
}

#[test]
fn shapes_in_a_column_are_of_the_thing_of_the_row() {
    let text = "# Vans\n\n| Path | State | Shape (key fields) |\n|---|---|---|\n| `drivers/{uid}` | ok | `{ trips: [{ id }], license, … }` |\n\
                | `vans/{vid}` | ok | `{ plate, kind (\"M\"/…) }` |\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Driver")[..2], ["trips", "license"]);
    assert_eq!(named(&found, "Van")[..2], ["plate", "kind"]);
    let options = "# Vans\n\n## Trip\n\n| Key | Schema type | Options |\n|---|---|---|\n| town | String | `{ trim: true, lower: true }` |\n\
                   | km | Number | `{ min: 1, max: 9 }` |\n";
    assert_eq!(named(&decompose(options), "Trip"), ["town", "km"]);
}

#[test]
fn cells_may_say_what_a_model_says_behind_a_name() {
    let text = "# Vans\n\n## Entities\n\n| Model | Key fields |\n|---|---|\n| `Driver` | vanId @unique (van id), age, tags `Tag[]`, bio? |\n\
                | `Fine` | cents **Int (whole)**, rate Decimal(10,2), currency @default(\"EUR\"), key? @unique, answer Json? |\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Driver")[..4], ["vanId", "age", "tags", "bio"]);
    assert_eq!(named(&found, "Fine"), ["cents", "rate", "currency", "key", "answer"]);
}

#[test]
fn items_with_columns_in_brackets_are_tables_whatever_the_heading() {
    let text = "# Vans\n\n## 2. Demo dataset (do not expand)\n\n- `vans` (id, plate, kind_id FK, state[open/gone])\n\
                - `trips` (id, van_id FK, ended_at nullable) — simulates use\n- UNIQUE (van_id, day)\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Van"), ["id", "plate", "kind_id", "state"]);
    assert_eq!(named(&found, "Trip"), ["id", "van_id", "ended_at"]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "Unique"));
}

#[test]
fn conditions_name_members() {
    let text = "# Vans\n\n| Rule | Check |\n|---|---|\n| Fine must be paid | `fine.paid >= fine.cents` |\n\
                | Seats | `trip.people <= van.seats` |\n| Mine | `this.x == req.user` |\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Fine"), ["paid", "cents"]);
    assert_eq!(named(&found, "Van"), ["seats"]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "Req"));
}

#[test]
fn descriptions_of_tables_may_list_members() {
    let text = "# Vans\n\n## Tables\n\n| Table | Purpose |\n|---|---|\n| `trips` | What a driver drives: van, end date, fine |\n\
                | `vans` | An entry (title, color, price) |\n| `drivers` | People who drive vans, trucks and cars |\n\
                | `garages` | Houses with address, capacity and opening hours |\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Trip"), ["van", "end date", "fine"]);
    assert_eq!(named(&found, "Van"), ["title", "color", "price"]);
    assert_eq!(named(&found, "Garage"), ["address", "capacity", "opening hours"]);
    assert!(named(&found, "Driver").is_empty());
}

#[test]
fn a_line_may_be_a_table_and_a_sketch_may_shorten_types() {
    let text = "# Vans\n\n## 4. Tables\n\n4.1 Trips (trip_id, town, km)\n\n4.2 Index (trip_id, town)\n\n```python\nclass Van(TenantModel):\n    \
                garage = FK(Garage)\n    plate = Char(20)\n    # comment line\n    seats = IntegerField()\n```\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Trip"), ["trip_id", "town", "km"]);
    assert_eq!(named(&found, "Van"), ["garage", "plate", "seats"]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "Index"));
}
