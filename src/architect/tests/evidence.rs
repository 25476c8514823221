//! What lists, titles and blocks tell of things, and what is told only where there is evidence for it.

use super::{entities, named, operations};
use crate::architect::decompose;

#[test]
fn a_sentence_may_hold_a_list_of_what_a_thing_has() {
    let wanted = "As a clerk, I want to create claims and edit claims.\n\nClerks delete claims.\n\n";
    let cases: &[(&str, &[&str])] = &[
        ("Claim details include number, date and amount.", &["number", "date", "amount"]),
        ("Each claim should have basic details (name, date, venue, etc.)", &["name", "date", "venue"]),
        (
            "Open or create a claim with the policy number, vehicle, and date, then upload photos.",
            &["policy number", "vehicle", "date"],
        ),
        ("A claim is rejected unless it has a name, a date and an amount.", &["name", "date", "amount"]),
        ("Claim form includes: name, email, notes", &["name", "email", "notes"]),
        ("- Form requires: name, email, notes", &["name", "email", "notes"]),
        ("All attributes of each claim — type, severity, and label — can be edited.", &["type", "severity", "label"]),
    ];
    for (text, expected) in cases {
        let found = decompose(&format!("# Claims\n\n## User stories\n\n{wanted}### US-1 Create a claim\n\n{text}\n"));
        assert_eq!(named(&found, "Claim"), *expected, "{text}");
    }
    // A sentence about `we`, and a list of optional fields without an owner give no entity a field.
    for text in ["We provide both name, email and date.", "Optional fields: name, email, date"] {
        let found = decompose(&format!("# Claims\n\n## User stories\n\n{wanted}### Notes\n\n{text}\n"));
        assert!(found.domain_model.entities.iter().all(|it| it.fields.is_empty()), "{text}: {:?}", found.domain_model);
    }
}

#[test]
fn states_are_no_fields() {
    let text = "# Shop\n\n## Data Model\n\nCore entities:\n- `orders`\n- `tasks`\n\nKey state models:\n- Order: `new`, `paid`, `shipped`\n\
        - Task: `open`, `done`\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Order"), ["state"]);
    let states = &found.domain_model.state_machines["Order"].states;
    assert_eq!(states, &["new", "paid", "shipped"]);
}

#[test]
fn prose_declares_tables_and_relations() {
    let text = "# Identity\n\n## Work\n\n- Create tenants table migration\n- Create roles and permissions tables\n\
        - Create audit_logs table\n- Create the session table of contents\n";
    assert_eq!(entities(&decompose(text)), ["Tenant", "Permission", "Role", "AuditLog"]);
    let text =
        "# Homes\n\n- Inspector has_many Inspections (e.g. User has_many Recipes)\n- Inspection belongs_to Client\n";
    assert_eq!(entities(&decompose(text)), ["Inspector", "Inspection", "Client"]);
}

#[test]
fn headings_over_lists_of_names_are_things_where_there_are_several() {
    let part = |title: &str, names: &str| format!("### {title}\n```\n{names}```\n\n");
    let parts = part("Experience", "- Company name\n- Position\n- Duration\n")
        + &part("Projects", "- Project title\n- Live demo\n- Technologies used\n")
        + &part("Education", "- Institution\n- Degree\n- Duration\n");
    let found = decompose(&format!("# Portfolio\n\n## Functional Requirements\n\n{parts}"));
    assert_eq!(named(&found, "Project"), ["Project title", "Live demo", "Technologies used"]);
    // A page is no heading.
    let found = decompose("# Page 2\n\nUser enters email, password, name.\n");
    assert_eq!(entities(&found), ["User"]);
}

#[test]
fn a_document_of_several_lists_has_a_thing_in_each() {
    let text = "# Kept\n\n## Technical Architecture\n\n### Data Models\n\n```json\n{\n  \"days\": [1, 2], // numbers\n  \
        \"rules\": [{\"id\": \"a\", \"text\": \"No\", \"active\": true}],\n  \"entries\": [{\"id\": \"b\", \"price\": 5.5}]\n}\n```\n";
    let found = decompose(text);
    assert_eq!(entities(&found), ["Rule", "Entry"]);
    assert_eq!(named(&found, "Rule"), ["id", "text", "active"]);
}

#[test]
fn an_object_may_have_objects() {
    let text = "# News\n\n## Database\n\n**Users Collection**\n```javascript\n{\n  _id: ObjectId,\n  email: String (unique),\n  \
        profile: {\n    bio: String\n  },\n  role: \"user\" | \"admin\"\n}\n```\n";
    assert_eq!(named(&decompose(text), "User"), ["_id", "email", "profile", "role"]);
}

#[test]
fn what_nobody_asks_for_is_a_question() {
    let words = "The shop is open on every day of the year and its staff is glad about it. ".repeat(12);
    let text = format!(
        "# Shop\n\n{words}\n\n## Functional Requirements\n\n- Sort parcels by weight\n- Create orders\n\
         - The system shall display a header.\n- Users can export reports (future)\n"
    );
    let found = decompose(&text);
    assert_eq!(operations(&found), ["POST /api/orders createOrder"]);
    let asked = found.interview_questions.iter().any(|it| it.contains("Sort parcels by weight"));
    assert!(asked, "{:?}", found.interview_questions);
}

#[test]
fn commands_and_tasks_that_are_code_are_done() {
    let text = "# Kitchen\n\n## Stories\n\nMaps to commands: `CreateRecipe`, `DeliverOrder`.\n\nWhen done, `StockLow` is published.\n";
    let found = decompose(text);
    assert_eq!(operations(&found).len(), 2);
    assert_eq!(found.domain_model.events.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["StockLow"]);
}

#[test]
fn a_paragraph_of_many_words_without_an_end_tells_of_nothing_it_has() {
    // Every noun of such a paragraph stood beside every other: the time grew with the square of its length.
    let words = (0..6000).fold(String::new(), |text, at| text + "the note" + &"abcdefghij"[at % 10..] + " ");
    let found = decompose(&format!("# Shop\n\nUsers can create orders with a total and a note.\n\n{words}.\n"));
    assert!(entities(&found).contains(&"Order"), "{:?}", entities(&found));
}
