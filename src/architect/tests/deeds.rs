//! What is told to be done in stories, use cases, scenarios, forms and tables of rights.

use super::{named, operations};
use crate::architect::decompose;

/// The operations of a text below a title, by their identifiers.
fn deeds(text: &str) -> Vec<String> {
    let found = operations(&decompose(&format!("# Parcel desk\n\n{text}\n")));
    found.iter().filter_map(|it| Some(it.rsplit(' ').next()?.to_owned())).collect()
}

#[test]
fn deeds_are_told_in_many_forms() {
    let cases: &[(&str, &[&str])] = &[
        // Scenarios.
        (
            "```gherkin\nFeature: Parcels\n  Scenario: Weigh one\n    Given I am logged in\n    When I weigh a parcel\n    Then it is new\n\n  Scenario: Reject one\n    When the clerk rejects the parcel\n    Then the sender is told\n```",
            &["weighParcel", "rejectParcel"],
        ),
        // Conditions of what the system does.
        (
            "1. WHEN a clerk stamps a parcel THEN the system SHALL store the weight\n2. IF a clerk rejects a parcel THEN the system SHALL inform the sender",
            &["stampParcel", "rejectParcel"],
        ),
        ("- **Given** a wet parcel\n  **When** I discard the parcel\n  **Then** it is gone", &["discardParcel"]),
        // Job stories.
        ("When a parcel is wet, I want to discard the parcel, so I can save the others.", &["discardParcel"]),
        // Steps.
        (
            "## Flow\n\n1. The courier scans the parcel.\n2. The clerk weighs the parcel.\n3. The system prints a label.",
            &["scanParcel", "weighParcel"],
        ),
        // Who does what.
        (
            "**Sender** – weighs parcels (weight, height), cancels a parcel.\n\n**Courier** – collects parcels, delivers a parcel.",
            &["weighParcel", "cancelParcel", "collectParcel", "deliverParcel"],
        ),
        // Tables of who may do what.
        (
            "| | Clerk | Boss |\n|---|---|---|\n| Weigh a parcel | x | x |\n| Release a parcel | - | x |",
            &["weighParcel", "releaseParcel"],
        ),
        (
            "| | Guest | Clerk |\n|---|---|---|\n| Parcel | R | CRUD |\n| Courier | – | CR |",
            &["createParcel", "listParcels", "updateParcel", "deleteParcel", "createCourier"],
        ),
        // Forms.
        (
            "## Form F1 \"New parcel\"\n\n| Field | Type |\n|---|---|\n| Weight | number |\n\nButtons: **Save draft**, **Release**, **Cancel**",
            &["saveParcel", "releaseParcel"],
        ),
        // Use cases in brief.
        (
            "## Use cases\n\n**Weigh a parcel.** The clerk enters the weight.\n\n**Return a parcel.** Nobody was at home.",
            &["weighParcel", "returnParcel"],
        ),
        // Persons and their goals.
        (
            "## Dora, 71, sender\n\n**Goals**\n\n- Track her parcel\n- Return a parcel without the bus\n\n**Frustrations**\n\n- Small buttons",
            &["returnParcel"],
        ),
        ("The solution must allow a clerk to weigh a parcel.", &["weighParcel"]),
        ("The courier wants to hand back a parcel and write off parcels.", &["writeParcel"]),
    ];
    let mut missing = Vec::new();
    for (text, expected) in cases {
        let found = deeds(text);
        let missed = expected.iter().filter(|deed| !found.iter().any(|it| it == *deed));
        missing.extend(missed.map(|deed| format!("no {deed} in {found:?}: {text}")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn what_forms_show_is_no_deed() {
    for (text, other) in [
        // What leaves a form does nothing to the parcel.
        (
            "## Form \"New parcel\"\n\n| Field | Type |\n|---|---|\n| Weight | number |\n\nButtons: **Save**, **Cancel**",
            "cancelParcel",
        ),
        // Yes and no of fields.
        (
            "| Field | Required | Unique |\n|---|---|---|\n| Order number | yes | yes |\n| Parcel weight | yes | no |",
            "orderNumber",
        ),
        ("As a sender, I'd like to track a parcel.", "likeSender"),
    ] {
        let found = deeds(text);
        assert!(!found.iter().any(|it| it == other), "{other} in {found:?}: {text}");
    }
}

#[test]
fn the_table_of_a_step_tells_fields() {
    let text = "# Desk\n\n```gherkin\nFeature: Send parcels\n  Scenario: Send one\n    When I register a parcel with\n      | field  | value |\n      | weight | 3     |\n      | height | 7     |\n    Then the parcel is new\n```\n";
    assert_eq!(named(&decompose(text), "Parcel"), ["weight", "height"]);
}

#[test]
fn lines_with_numbers_of_rules_are_items() {
    let text = "# Desk\n\n## Rules\n\nBR-01  A parcel has a weight and a height.\nBR-02  A courier delivers the parcel.\nBR-03  A courier has a name.\n";
    assert_eq!(named(&decompose(text), "Parcel"), ["weight", "height"]);
}

#[test]
fn bare_deeds_are_done_with_what_they_stand_below_of() {
    let told = deeds(
        "## Features\n\n- Books\n  - CRUD\n- Loans\n  - Create\n  - Edit\n  - Extend\n- Readers: create, edit, delete\n- Admin\n  - \
         Export\n\n### Rooms\n\n- Create\n- Delete only if empty\n",
    );
    for expected in [
        "createBook",
        "listBooks",
        "updateBook",
        "deleteBook",
        "createLoan",
        "updateLoan",
        "extendLoan",
        "createReader",
        "updateReader",
        "deleteReader",
        "createRoom",
        "deleteRoom",
    ] {
        assert!(told.iter().any(|it| it == expected), "{expected} is not among {told:?}");
    }
    assert!(!told.iter().any(|it| it == "exportAdmin"), "{told:?}");
}

#[test]
fn what_is_listed_anew_is_made() {
    let told = deeds(
        "## Stories\n\n- As a host, I want to list a new room\n- As a guest, I want to list new bookings\n\
         - As a guest, I want to request to book a boat\n",
    );
    for expected in ["createRoom", "listBookings", "bookBoat"] {
        assert!(told.iter().any(|it| it == expected), "{expected} is not among {told:?}");
    }
}
