//! A requirements document comes apart into services, a domain model, contracts to begin with, and what it leaves open.
//!
//! [`decompose`] is a function of the text alone: the same text gives the same answer, and nothing is told that the text
//! does not say. Each reading looks at the whole document for one thing and adds to the notes; `settle` makes of the notes
//! what is told.

mod bodies;
mod clauses;
mod code;
mod decomposition;
mod document;
mod drawn;
mod endpoints;
mod entities;
mod events;
mod fields;
mod functions;
mod judge;
mod keep;
mod language;
mod notes;
mod operation;
mod payload;
mod questions;
mod relations;
mod resources;
mod rows;
mod services;
mod settle;
mod stack;
mod states;
mod stories;
mod stubs;
mod svc;
mod told;
mod topics;
mod words;

pub use decomposition::{
    Decomposition, DomainEvent, DomainModel, Entity, Field, Relationship, Service, ServiceMap, Stack, StateMachine,
    Stub, Transition,
};
pub use keep::{Architect, ArchitectError};

use crate::store::digest;
use document::Document;
use notes::Notes;
use operation::Operation;

/// Of a longer text the rest is not read, and that is told.
pub const MAX_BYTES: usize = 1 << 20;

/// Takes a requirements document apart. Any text gives an answer: one that says nothing gives a service, no entities and
/// questions. Of a text that is longer than [`MAX_BYTES`] the beginning is read, and an issue says so.
pub fn decompose(text: &str) -> Decomposition {
    decomposed(text, &mut Notes::default())
}

fn decomposed(text: &str, notes: &mut Notes) -> Decomposition {
    let whole = text;
    let end = text.floor_char_boundary(MAX_BYTES);
    let text = &text[..end];
    let document = Document::read(text);
    if end < whole.len() {
        notes.issues.push(format!(
            "ERROR: only the first {end} of {} bytes were read: hand in the document in parts",
            whole.len()
        ));
    }
    notes.issues.extend(language::not_english(text));
    services::read(&document, notes);
    svc::read(text, notes);
    entities::read(&document, notes);
    told::read(&document, notes);
    endpoints::read(&document, notes);
    stories::read(&document, notes);
    functions::read(&document, notes);
    told::read_lists(&document, notes);
    resources::read(notes);
    judge::read(&document, notes);
    functions::take_back(notes);
    endpoints::without_parameters(text, notes);
    settle::enumerations(notes);
    // Of the things that the judge has found, too.
    resources::members(notes);
    states::read(&document, notes);
    events::read(&document, notes);
    resources::members_of_messages(notes);
    notes.tell_limits();
    let assumed = settle::services(notes);
    settle::owners(notes);
    if let [only] = notes.services.as_slice() {
        // Who else should send them.
        let only = only.name.clone();
        for event in notes.events.values_mut().filter(|it| it.publishers.is_empty() && it.consumers.is_empty()) {
            event.publishers.push(only.clone());
        }
    }
    let operations = settle::operations(notes);
    entities::unowned(notes, &operations);
    let model = model(notes);
    let services = services_of(text, notes, &model, &operations, assumed);
    let contract_stubs = stubs::all(notes, &model, &operations);
    let validation_issues = questions::issues(notes, &services, &model, &operations);
    let interview_questions = questions::questions(&document, notes, &services, &model, &operations);
    let project_name = notes.product.clone().or_else(|| services.first().map(|it| it.name.clone())).unwrap_or_default();
    let prd_hash = digest(whole);
    let service_map = ServiceMap { project_name, services, generated_at: None, prd_hash, build_cycle_id: None };
    Decomposition { service_map, domain_model: model, contract_stubs, validation_issues, interview_questions }
}

fn model(notes: &Notes) -> DomainModel {
    let machine = |name: &str| {
        let note = notes.machines.iter().find(|it| it.entity == name && it.states.len() >= 2)?;
        // A state that nothing leads to is where it begins, if there is one only.
        let sources: Vec<&String> = note
            .states
            .iter()
            .filter(|state| note.moves.iter().any(|it| it.0 == **state) && !note.moves.iter().any(|it| it.1 == **state))
            .collect();
        let initial =
            note.initial.clone().or_else(|| if let [only] = sources.as_slice() { Some((*only).clone()) } else { None });
        let transitions = note.moves.iter().map(|(from, to, trigger)| Transition {
            from_state: from.clone(),
            to_state: to.clone(),
            trigger: trigger.clone(),
            guard: None,
        });
        Some(StateMachine {
            states: note.states.clone(),
            initial_state: initial.unwrap_or_default(),
            transitions: transitions.collect(),
        })
    };
    let entities: Vec<Entity> = notes
        .entities
        .iter()
        .map(|note| Entity {
            name: note.name.clone(),
            description: note.description.clone(),
            owning_service: note.service.clone(),
            fields: note
                .fields
                .iter()
                .map(|field| Field {
                    name: field.name.clone(),
                    kind: if field.kind.is_empty() { "unknown".to_owned() } else { field.kind.clone() },
                    required: field.required.unwrap_or(false),
                    description: field.description.clone(),
                    values: field.values.clone(),
                    line: field.line,
                })
                .collect(),
            state_machine: machine(&note.name),
            inferred: note.in_passing,
            line: note.line,
        })
        .collect();
    let relationships = notes.relations.iter().map(|it| Relationship {
        source_entity: it.source.clone(),
        target_entity: it.target.clone(),
        kind: it.kind.to_owned(),
        cardinality: it.cardinality.to_owned(),
        line: it.line,
    });
    let events = notes.events.values().map(|it| DomainEvent {
        name: it.name.clone(),
        description: it.description.clone(),
        publishers: it.publishers.clone(),
        consumers: it.consumers.clone(),
        line: it.line,
    });
    let state_machines = entities.iter().filter_map(|it| Some((it.name.clone(), it.state_machine.clone()?))).collect();
    DomainModel {
        relationships: relationships.collect(),
        events: events.collect(),
        state_machines,
        entities,
        generated_at: None,
    }
}

fn services_of(
    text: &str,
    notes: &Notes,
    model: &DomainModel,
    operations: &[Operation],
    assumed: bool,
) -> Vec<Service> {
    let general = stack::read(text);
    let publishes = |name: &str| notes.events.values().any(|it| it.publishers.iter().any(|who| who == name));
    notes
        .services
        .iter()
        .map(|note| {
            let owned: Vec<String> = model
                .entities
                .iter()
                .filter(|it| it.owning_service.as_deref() == Some(&note.name))
                .map(|it| it.name.clone())
                .collect();
            let offered = operations.iter().filter(|it| it.service == note.name).count();
            let is_frontend = words::split(&note.name)
                .iter()
                .any(|it| ["frontend", "ui", "web", "webapp", "portal"].contains(&it.as_str()));
            let mut provides = Vec::new();
            if !is_frontend {
                provides.push(format!("{}-api", note.name));
            }
            if publishes(&note.name) {
                provides.push(format!("{}-events", note.name));
            }
            let mut consumes: Vec<String> = note.needs.iter().map(|it| format!("{it}-api")).collect();
            for event in notes.events.values().filter(|it| it.consumers.contains(&note.name)) {
                for contract in event.publishers.iter().filter(|it| **it != note.name).map(|it| format!("{it}-events"))
                {
                    if !consumes.contains(&contract) {
                        consumes.push(contract);
                    }
                }
            }
            let domain = notes::service_key(&note.name);
            let estimated_loc = (300 + 250 * owned.len() + 120 * offered).clamp(100, 200_000) as u32;
            Service {
                name: note.name.clone(),
                domain,
                description: note.description.clone(),
                stack: stack::or(stack::read(&note.text), &general),
                estimated_loc,
                owns_entities: owned,
                provides_contracts: provides,
                consumes_contracts: consumes,
                is_frontend,
                assumed,
                line: note.line,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
