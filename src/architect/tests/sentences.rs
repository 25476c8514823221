//! What sentences, captions and lists tell, each in a document of its own.

use super::{asked, entities, named, operations};
use crate::architect::decompose;

#[test]
fn sentences_tell_fields() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("Each parcel shall include:\n\n- `id` – its number\n- optional `note` – free text", "Parcel", &["id", "note"]),
        (
            "- The system shall store, for each courier:\n  - `phone` (unique)\n  - `email`",
            "Courier",
            &["phone", "email"],
        ),
        (
            "The bot must support a profile with these fields:\n\n- age\n- weight\n- start date",
            "Profile",
            &["age", "weight", "start date"],
        ),
        ("A parcel has a title, a weight and an optional due date.", "Parcel", &["title", "weight", "due date"]),
        (
            "A parcel log records timestamp, quantity used, optional linked address, and optional notes.",
            "ParcelLog",
            &["timestamp", "quantity used", "linked address", "notes"],
        ),
        (
            "1. Create packing plan (items, boxes, weight, rest time)",
            "PackingPlan",
            &["items", "boxes", "weight", "rest time"],
        ),
        ("- Users can add a parcel with name, weight and price per 100 grams.", "Parcel", &["name", "weight", "price"]),
        (
            "- Users can create a schedule for a parcel: start date, frequency type, time.",
            "Schedule",
            &["start date", "frequency type", "time"],
        ),
        ("- Visitors can register with email and password.", "User", &["email", "password"]),
        (
            "- Labels by brand, color, width, and remaining length",
            "Label",
            &["brand", "color", "width", "remaining length"],
        ),
        (
            "A page shows the parcel's name, photo, description and weight.",
            "Parcel",
            &["name", "photo", "description", "weight"],
        ),
        (
            "Store each address in a `parcel_events` table (`parcel_id`, `seen_at`).",
            "ParcelEvent",
            &["parcel_id", "seen_at"],
        ),
        ("Parcel: number, title, weight\nSender: name, address\nCourier: name, phone", "Sender", &["name", "address"]),
    ];
    for (text, name, expected) in cases {
        let found = decompose(&format!("# App\n\n## Functional Requirements\n\n{text}\n"));
        assert_eq!(named(&found, name), *expected, "{text}");
    }
}

#[test]
fn lists_of_other_things_are_no_fields() {
    for text in [
        "A parcel contains items, labels, and seals.",
        "- Create reports (PDF, CSV, Excel)",
        "- Create users (admins, couriers, clerks)",
        "- Filter parcels (by weight, date, price)",
        "- Provide a fair, visible, first-in-first-out queue for parcels",
        "A parcel can be one of:\n\n- OPEN\n- SENT\n- LOST",
    ] {
        let found = decompose(&format!("# App\n\n## Functional Requirements\n\n{text}\n"));
        let told: Vec<_> = found.domain_model.entities.iter().filter(|it| !it.fields.is_empty()).collect();
        assert!(told.is_empty(), "{text}: {told:?}");
    }
}

#[test]
fn captions_below_a_heading_divide_the_fields_of_its_only_table() {
    let text = "# App\n\n## 2. Data model\n\nOne table: `applications`.\n\n**Core**\n\n| field | type |\n|---|---|\n| id | int |\n\n**Tracking (Phase 2)**\n\n| field | type |\n|---|---|\n| sent_at | date |\n";
    let found = decompose(text);
    assert_eq!(entities(&found), ["Application"]);
    assert_eq!(named(&found, "Application"), ["id", "sent_at"]);
}

#[test]
fn entities_are_those_that_a_lead_announces() {
    let found = decompose("# App\n\n## Data Model Summary\n\nCore entities:\n\n- User\n- Household\n- Document\n");
    assert_eq!(entities(&found), ["User", "Household", "Document"]);
}

#[test]
fn keys_and_constraints_are_no_fields() {
    let text = "# App\n\n## Domain Model\n\n- **Visit** (PK: cuid, FK: userId->User, `day` PK, note?)\n  - `level` (1–4), `name/title?`, `sentAt?`\n";
    assert_eq!(named(&decompose(text), "Visit"), ["userId", "day", "note", "level", "name", "title", "sentAt"]);
}

#[test]
fn numbers_of_requirements_are_no_names() {
    let text = "# App\n\n## 2. Roles\n\n**R2. Roles and capabilities**\n\n- **R2.1 Admin**\n  - R2.1.1 Create, update, and delete any parcel.\n  - [x] FR-7: Assign roles\n";
    let found = operations(&decompose(text));
    let ids: Vec<&str> = found.iter().filter_map(|it| it.rsplit(' ').next()).collect();
    assert!(ids.starts_with(&["createParcel", "updateParcel", "deleteParcel", "assignRole"]), "{ids:?}");
    assert!(ids.iter().all(|it| !it.contains(char::is_numeric)), "{ids:?}");
}

#[test]
fn operations_are_asked_for_in_many_ways() {
    let cases: &[(&str, &[&str])] = &[
        ("- Plan management (create/delete)", &["createPlan", "deletePlan"]),
        ("- User registration and login", &["register", "login"]),
        ("- Invoice generation", &["generateInvoice"]),
        ("Reports can be exported as CSV.", &["exportReport"]),
        ("Charities can publish campaigns.", &["publishCampaign"]),
        ("> Create quote → send quote → archive quote", &["createQuote", "sendQuote", "archiveQuote"]),
        (
            "Build a system that classifies tickets, extracts phrases and routes tickets.",
            &["classifyTicket", "extractPhrase", "routeTicket"],
        ),
        ("- Bulk import employees", &["importEmployee"]),
        ("- Distribute items, updating the counts", &["distributeItem"]),
        ("- Create products with SKU, name, reorder data, and a location", &["createProduct"]),
        ("- A **\"Send invoice\"** button", &["sendInvoice"]),
        ("- \"Edit\" button to update parcels", &["updateParcel"]),
        ("- Soft delete loans", &["deleteLoan"]),
        ("- **Trainer**: validate trainings; send reminders", &["validateTraining", "sendReminder"]),
        // Nouns among nouns.
        ("- Vinyl rolls\n- Sign blanks and substrates\n- Garments", &[]),
        // What HTTP does is no wish.
        ("- GET never consumes content.", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(asked(text), *expected, "{text}");
    }
}

#[test]
fn signs_that_look_like_marks_begin_items() {
    assert_eq!(
        asked("Users should be able to:\n\n• Compare offers\n\n✓ Archive offers"),
        ["compareOffer", "archiveOffer"]
    );
}

/// What fuzzing found.
#[test]
fn any_text_has_an_answer() {
    for text in ["allows users to add parcels", "The provides parcels\n\nThe provides"] {
        assert!(!decompose(text).service_map.services.is_empty(), "{text}");
    }
}
