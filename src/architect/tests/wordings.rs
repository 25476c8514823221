//! Wordings that several texts have for the same: steps, captions, forms, roles, protocols.

use super::{asked, entities, named};
use crate::architect::decompose;

#[test]
fn fields_stand_in_steps_forms_and_captions() {
    let clerk = "As a clerk, I want to create parcels and delete parcels and edit parcels.\n\n";
    let cases: &[(&str, &[&str])] = &[
        (
            "- **When** I send a POST request with the data of the new parcel (name, weight, price)",
            &["name", "weight", "price"],
        ),
        (
            "Parcel information:\n\n- Label\n- Customs code\n- Weight\n- Due date",
            &["Label", "Customs code", "Weight", "Due date"],
        ),
        ("**Parcel Fields Supported:**\n- Name (required)\n- State/Province\n- Weight", &["Name", "State", "Weight"]),
        ("The name, weight and price of each parcel shall be saved.", &["name", "weight", "price"]),
        ("- Parcels are listed with title, status and date.", &["title", "status", "date"]),
        ("Add a parcel submission form (name, weight, price).", &["name", "weight", "price"]),
        ("Each parcel records: name, weight, and optional notes/comments.", &["name", "weight", "notes", "comments"]),
        ("Each parcel displays a Title, a Status and a Price.", &["Title", "Status", "Price"]),
        ("I view each parcel, including its name, weight, and price, to learn more.", &["name", "weight", "price"]),
        ("Parcel details include ID, name and status, when they are saved.", &["ID", "name", "status"]),
        ("✅ Clerks create parcels with name, weight and price.", &["name", "weight", "price"]),
        (
            "Create and manage parcels with:\n\n- Name\n- Delivery selection\n- Priority",
            &["Name", "Delivery selection", "Priority"],
        ),
    ];
    for (text, expected) in cases {
        let found = decompose(&format!("# Post\n\n## User stories\n\n{clerk}{text}\n"));
        let told = named(&found, "Parcel");
        // Whether `province` is a second field is a matter of taste.
        assert!(
            told == *expected || told.starts_with(expected) && told[expected.len()..] == ["province"],
            "{told:?}: {text}"
        );
    }
}

#[test]
fn what_is_shown_of_others_is_no_field() {
    let found = decompose(
        "# Post\n\n## User stories\n\nAs a clerk, I want to create parcels and edit parcels.\n\n### View my parcels\n\n\
         - Each card shows parcel title, progress percentage, start date, and days remaining\n\
         - Parcel system with status management and notes\n",
    );
    let told = named(&found, "Parcel");
    assert!(!told.iter().any(|it| it.contains("management") || it.contains("days")), "{told:?}");
    assert_eq!(entities(&found), ["Parcel"]);
}

#[test]
fn stories_are_read_behind_labels_and_signs() {
    let text = "### US001: Selection\n**Title:** Selection at the start\n**Description:**\n\
                _As a driver, I want to select my vehicle so that I can drive._\n";
    assert_eq!(asked(text), ["selectVehicle"]);
    assert_eq!(asked("- Drivers: View rounds, export lists"), ["listRounds", "exportList"]);
    assert_eq!(asked("As a clerk, I want to implement the ability to delete a parcel."), ["deleteParcel"]);
    assert_eq!(asked("As a clerk, I want to add new orders or modify existing ones."), ["createOrder", "updateOrder"]);
    assert_eq!(asked("- A panel with controls for approving or rejecting orders"), ["approveOrder", "rejectOrder"]);
}

#[test]
fn how_something_is_or_looks_is_no_operation() {
    for text in [
        "As a clerk, I want the panel protected.",
        "As a clerk, I want a large QR code displayed on the screen.",
        "As a clerk, I want earlier answers to score zero.",
        "As a clerk, I want immediate feedback.",
        "- Clear progress tracking from start to end",
        "- Automatic parcel resizing",
        "- Group Statistics: counts of each",
        "| Category | Story Count |\n|---|---|\n| Parcel creation | 6 |",
        "- Enable users to see more",
    ] {
        assert!(asked(text).is_empty(), "{text}: {:?}", asked(text));
    }
}

#[test]
fn messages_of_a_protocol_are_events() {
    let found = decompose(
        "# App\n\n## Protocol\n\n- Client → relay: `session.start { questions }`, `session.end`\n\n\
         Messages include `init_config` and `update_config`.\n",
    );
    let events: Vec<&str> = found.domain_model.events.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(events, ["session.start", "session.end", "init_config", "update_config"]);
}

#[test]
fn things_that_are_put_to_others_are_related() {
    let found = decompose(
        "# App\n\n## Requirements\n\nAs a lead, I want to create teams, delete teams, create judges and delete judges.\n\n\
         As a lead, I want to assign judges to teams.\n",
    );
    let related: Vec<(&str, &str)> = found
        .domain_model
        .relationships
        .iter()
        .map(|it| (it.source_entity.as_str(), it.target_entity.as_str()))
        .collect();
    assert_eq!(related, [("Judge", "Team")]);
}

#[test]
fn what_is_said_below_a_label_is_said_of_what_the_label_names() {
    let found = decompose(
        "# App\n\n## Data model\n\n**Parcel** — what is brought. Belongs to one Courier and one Round. Users can create parcels and delete parcels.\n\n\
         - **Courier**: who brings parcels.\n  - It has a **one-to-many** relationship with `Vehicle`.\n\n\
         **Round** — a way through the city. Users can create rounds and delete rounds.\n\n**Vehicle** — what a courier drives.\n",
    );
    let related = |from: &str, to: &str| {
        found.domain_model.relationships.iter().any(|it| it.source_entity == from && it.target_entity == to)
    };
    assert!(related("Parcel", "Courier"), "{:?}", found.domain_model.relationships);
    assert!(related("Parcel", "Round") && related("Courier", "Vehicle"), "{:?}", found.domain_model.relationships);
}

#[test]
fn a_version_behind_a_message_is_part_of_its_name_and_a_column_or_table_is_no_message() {
    let found = decompose(
        "# Post\n\n- Depot publishes `parcel.weighed.v1` after weighing.\n- Clerks cannot send before `users.is_verified` is set; \
         `public.parcels_archived` keeps what is sent.\n",
    );
    let events: Vec<_> = found.domain_model.events.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(events, ["parcel.weighed.v1"]);
}

#[test]
fn a_heading_above_stories_is_a_part_of_the_product() {
    let story = |title: &str, who: &str, what: &str| {
        format!("### {title}\n\n> As {who}\n> I want to {what}\n> So that I know.\n\n")
    };
    let found = decompose(&format!(
        "# User Stories\n\n## 1. Parcels\n\n{}## 2. Audit & Security\n\n{}## 3. Fraud & Risk Management\n\n{}## 4. Risks\n\nUsers can \
         delete a letter.\n\n## 5. Security\n\nUsers can rename a stamp.\n",
        story("Send", "a sender", "create a parcel"),
        story("Logs", "an auditor", "view audit logs"),
        story("Alerts", "an officer", "review fraud alerts"),
    ));
    let names = entities(&found);
    assert!(["AuditLog", "FraudAlert", "Parcel"].iter().all(|it| names.contains(it)), "{names:?}");
    assert!(!names.contains(&"Letter") && !names.contains(&"Stamp"), "{names:?}");
}
