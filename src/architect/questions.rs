//! What does not fit together in a decomposition, and what the text leaves open.

use super::decomposition::{DomainModel, Service};
use super::document::{Document, Kind};
use super::notes::Notes;
use super::operation::Operation;
use super::settle::shortened;
use super::words;

/// `ERROR: …` and `WARNING: …`
pub(super) fn issues(
    notes: &Notes,
    services: &[Service],
    model: &DomainModel,
    operations: &[Operation],
) -> Vec<String> {
    let mut found = notes.issues.clone();
    for entity in model.entities.iter().filter(|it| it.owning_service.is_none()) {
        found.push(format!("WARNING: entity `{}` (line {}) belongs to no service", entity.name, entity.line));
    }
    for service in services.iter().filter(|it| it.owns_entities.is_empty() && !it.is_frontend) {
        found.push(format!("WARNING: service `{}` owns no entity", service.name));
    }
    for service in services {
        for contract in &service.consumes_contracts {
            if !services.iter().any(|it| it.provides_contracts.contains(contract)) {
                found.push(format!(
                    "ERROR: service `{}` consumes `{contract}`, which no service provides",
                    service.name
                ));
            }
        }
        for other in services {
            let needs = |one: &Service, other: &Service| {
                one.consumes_contracts.iter().any(|it| it.ends_with("-api") && other.provides_contracts.contains(it))
            };
            if service.name < other.name && needs(service, other) && needs(other, service) {
                found.push(format!("WARNING: services `{}` and `{}` call each other", service.name, other.name));
            }
        }
    }
    for event in notes.events.values().filter(|it| it.publishers.is_empty()) {
        found.push(format!("WARNING: event `{}` (line {}) has no publisher", event.name, event.line));
    }
    for entity in &model.entities {
        let Some(machine) = &entity.state_machine else { continue };
        for state in &machine.states {
            let reached = machine.transitions.iter().any(|it| it.to_state == *state) || machine.initial_state == *state;
            if !machine.transitions.is_empty() && !reached && !machine.initial_state.is_empty() {
                found.push(format!("WARNING: state `{state}` of `{}` is never reached", entity.name));
            }
        }
    }
    if operations.is_empty() {
        found.push("WARNING: the text asks for no operation".to_owned());
    }
    found
}

/// Questions to whoever wrote the text.
pub(super) fn questions(
    document: &Document,
    notes: &Notes,
    services: &[Service],
    model: &DomainModel,
    operations: &[Operation],
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if services.iter().any(|it| it.assumed) {
        found.push(format!(
            "The text names no services: is `{}` one service, or which parts are to run by themselves?",
            services.first().map_or("", |it| it.name.as_str())
        ));
    }
    let list = |names: Vec<&str>| names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    if model.entities.is_empty() {
        found.push("Which things does the system keep, and what are their fields? The text describes none.".to_owned());
    }
    let bare: Vec<&str> = model.entities.iter().filter(|it| it.fields.is_empty()).map(|it| it.name.as_str()).collect();
    if !bare.is_empty() {
        found.push(format!("Which fields have {}? The text names none.", list(bare)));
    }
    for entity in &model.entities {
        let untyped: Vec<&str> =
            entity.fields.iter().filter(|it| it.kind == "unknown").map(|it| it.name.as_str()).collect();
        if !untyped.is_empty() {
            found.push(format!("Of which types are {} of `{}`?", list(untyped), entity.name));
        }
        if let Some(machine) = &entity.state_machine {
            if machine.transitions.is_empty() {
                found.push(format!(
                    "Which transitions are allowed between the states of `{}` ({})?",
                    entity.name,
                    machine.states.join(", ")
                ));
            } else if machine.initial_state.is_empty() {
                found.push(format!("In which state does `{}` begin?", entity.name));
            }
        }
        if entity.owning_service.is_none() {
            found.push(format!("Which service keeps `{}`?", entity.name));
        }
    }
    let idle: Vec<&str> = model
        .entities
        .iter()
        .map(|it| it.name.as_str())
        .filter(|name| !operations.iter().any(|it| it.entity.as_deref() == Some(name)))
        .collect();
    if !idle.is_empty() {
        found.push(format!("Which operations are there on {}? The text names none.", list(idle)));
    }
    let proposed = operations.iter().filter(|it| !it.stated || it.note.guessed).count();
    if proposed > 0 {
        found.push(format!("The text says of {proposed} operations what they do and not where: are the proposed paths and methods right?"));
    }
    let open: Vec<&str> = operations
        .iter()
        .filter(|it| it.stated && it.note.responses.is_empty() && it.note.said_responses.is_empty())
        .map(|it| it.id.as_str())
        .collect();
    if !open.is_empty() {
        found.push(format!("What do {} answer? The text does not say.", list(open.into_iter().take(30).collect())));
    }
    for event in notes.events.values() {
        if event.payload.is_none() {
            found.push(format!("What does the event `{}` carry?", event.name));
        }
        if event.consumers.is_empty() && !event.publishers.is_empty() && services.len() > 1 {
            found.push(format!("Who takes the event `{}`?", event.name));
        }
    }
    let mut asked = notes.questions.clone();
    asked.sort_by_key(|(line, _)| *line);
    found.extend(asked.into_iter().map(|(_, question)| question));
    found.extend(stated(document));
    found
}

/// What the text itself says is open.
fn stated(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    for block in &document.blocks {
        let open = document.around(block.section).any(|it| {
            let title = words::split(document.title(it)).join(" ");
            ["open question", "open item", "open issue", "unresolved", "to be decided", "to be determined", "tbd"]
                .iter()
                .any(|it| title.starts_with(it))
        });
        let texts: Vec<(u32, &str)> = match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => vec![(block.line, text.plain.as_str())],
            Kind::Table(_, rows) => {
                rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.line, cell.plain.as_str()))).collect()
            }
            Kind::Code(..) => Vec::new(),
        };
        for (line, text) in texts {
            let undecided =
                text.split(|c: char| !c.is_alphanumeric()).any(|it| it == "TBD" || it == "TBC" || it == "TODO");
            if found.len() < 60
                && !text.trim().is_empty()
                && (undecided || open && matches!(block.kind, Kind::Item(..)))
            {
                found.push(format!("Line {line} is open: “{}”", shortened(text)));
            }
        }
    }
    found
}
