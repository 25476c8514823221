//! Reading: the states of things and the ways between them: arrows, tables of states, fields with a closed set of values,
//! state diagrams of Mermaid.

pub(super) mod said;

use rustc_hash::FxHashMap;

use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, MachineNote, Notes};
use super::topics::{self, Topic};
use super::{fields, words};

pub(super) fn read(document: &Document, notes: &mut Notes) {
    for (at, block) in document.blocks.iter().enumerate() {
        if document.asides[block.section] {
            continue;
        }
        let inside = topics::topic(document, block.section) == Some(Topic::States);
        match &block.kind {
            Kind::Code(language, text) if text.contains("stateDiagram") => {
                let owner = owner(document, notes, at);
                diagram(notes, owner, text);
                let _ = language;
            }
            Kind::Code(_, text) => arrows(document, notes, at, text, inside),
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                arrows(document, notes, at, &text.plain, inside);
                named_states(document, notes, at, text);
                said::listed(document, notes, at, text);
                said::one_of(notes, &text.plain, block.line);
            }
            Kind::Table(head, rows) => {
                for row in rows {
                    row.cells.iter().for_each(|cell| said::one_of(notes, &cell.plain, row.line));
                }
                let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
                let column = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
                let (from, to) = (
                    column(&["from", "from state", "current state", "current status", "source state", "from status"]),
                    column(&[
                        "to",
                        "to state",
                        "next state",
                        "new state",
                        "target state",
                        "next status",
                        "to status",
                        "allowed transitions",
                        "next states",
                    ]),
                );
                let cell = |row: &super::document::Row, at: usize| {
                    row.cells.get(at).map_or("", |it| it.plain.trim()).to_owned()
                };
                if let (Some(from), Some(to)) = (from, to) {
                    let trigger = column(&["trigger", "event", "action", "when", "condition"]);
                    let mut moves = Vec::new();
                    for row in rows {
                        for start in fields::list(&cell(row, from)) {
                            for end in fields::list(&cell(row, to)).into_iter().filter(|it| is_state(it)) {
                                moves.push((start.clone(), end, trigger.map(|at| cell(row, at)).unwrap_or_default()));
                            }
                        }
                    }
                    if let Some(owner) = owner(document, notes, at) {
                        note(notes, &owner, Vec::new(), moves);
                    }
                    continue;
                }
                let state = column(&["state", "status", "value", "states", "status value"]);
                let told = column(&["description", "meaning", "display", "definition"]);
                if let (Some(state), Some(_)) = (state, told)
                    && (inside || names[state] != "value")
                {
                    let states: Vec<String> = rows
                        .iter()
                        .map(|row| cell(row, state).trim_matches('`').to_owned())
                        .filter(|it| is_state(it))
                        .collect();
                    if let Some(owner) = owner(document, notes, at).filter(|_| states.len() >= 2) {
                        note(notes, &owner, states, Vec::new());
                    }
                }
            }
        }
    }
    set_to(document, notes);
    of_fields(notes);
    spoken_of(notes);
    // A state is no field: `Order: new, paid, shipped`.
    for machine in &notes.machines {
        let is_state = |name: &str| machine.states.iter().any(|it| words::key(it) == words::key(name));
        if let Some(entity) = notes.entities.iter_mut().find(|it| it.name == machine.entity) {
            entity.fields.retain(|it| !it.kind.is_empty() || !is_state(&it.name));
        }
    }
}

/// `order status`, said again and again, is the status of an order.
fn spoken_of(notes: &mut Notes) {
    let spoken = |entity: &super::notes::EntityNote| {
        let mut name = entity.words.clone();
        name.push("status".to_owned());
        notes.times(&name) >= 2
    };
    let found: Vec<(String, u32)> =
        notes.entities.iter().filter(|it| spoken(it)).map(|it| (it.name.clone(), it.line)).collect();
    for (name, line) in found {
        status(notes, &name, line);
    }
}

/// `the claim status is set to "SUBMITTED"`, `a claim with status "PAID"`: a field, and one of its values.
fn set_to(document: &Document, notes: &mut Notes) {
    for block in &document.blocks {
        let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
        for sentence in text.plain.split(['\n', '.']) {
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let Some(at) = words.iter().position(|it| it.trim_matches('`').eq_ignore_ascii_case("status")) else {
                continue;
            };
            let value = words[at + 1..].iter().take(5).find_map(|it| {
                let quoted = it.starts_with(['"', '\'', '`', '“']);
                let clean = it.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
                (quoted && clean.len() > 1 || clean.len() > 2 && clean.chars().all(|c| c.is_uppercase() || c == '_'))
                    .then(|| clean.to_owned())
            });
            // `Revision mismatch: status = OVERDUE` says nothing of revisions.
            let from = words[..at].iter().rposition(|it| it.ends_with(':')).map_or(0, |it| it + 1);
            let before: Vec<String> = words[from..at].iter().map(|it| (*it).to_owned()).collect();
            let Some(value) = value else { continue };
            let Some(owner) = super::relations::entities_in(notes, &before.join(" ")).pop() else { continue };
            status(notes, &owner, block.line);
            note(notes, &owner, vec![value], Vec::new());
        }
    }
}

/// Notes that a thing has a status, as the text says of it.
fn status(notes: &mut Notes, owner: &str, line: u32) {
    let is_status =
        |it: &FieldNote| words::split(&it.name).last().is_some_and(|last| ["status", "state"].contains(&last.as_str()));
    // By the word that the text has for it.
    let Some(name) = ["status", "state"].into_iter().find(|it| notes.said.iter().any(|said| said == it)) else {
        return;
    };
    if let Some(entity) = notes.entity(owner, line)
        && !entity.fields.iter().any(is_status)
    {
        entity.field(FieldNote { name: name.to_owned(), line, ..FieldNote::default() });
    }
}

/// The entity that a place is about: what leads up to it or a heading names one, else the last one that was described.
fn owner(document: &Document, notes: &Notes, at: usize) -> Option<String> {
    let block = &document.blocks[at];
    let own = match &block.kind {
        Kind::Paragraph(text) | Kind::Item(text, _) => Some(text.plain.as_str()),
        _ => None,
    };
    let lead = document.lead(at).map(|it| it.plain.as_str());
    let titles = document.around(block.section).map(|it| document.title(it));
    for text in own.into_iter().chain(lead).chain(titles) {
        let mut found = super::relations::entities_in(notes, text);
        found.sort_by_key(|it| std::cmp::Reverse(it.len()));
        if let Some(entity) = found.into_iter().next() {
            return Some(entity);
        }
    }
    notes
        .entities
        .iter()
        .filter(|it| it.line <= block.line && !it.in_passing)
        .max_by_key(|it| it.line)
        .map(|it| it.name.clone())
}

fn is_state(text: &str) -> bool {
    let words = text.split_whitespace().count();
    (1..=3).contains(&words)
        && text.len() <= 40
        && text.chars().all(|c| c.is_alphanumeric() || " _-".contains(c))
        && text.chars().any(char::is_alphabetic)
}

fn clean(text: &str) -> String {
    text.trim().trim_matches(|c: char| "`*\"'()[]{}.,:;|".contains(c) || c.is_whitespace()).to_owned()
}

/// `SUBMITTED → UNDER_REVIEW → APPROVED | DENIED`, line by line.
fn arrows(document: &Document, notes: &mut Notes, at: usize, text: &str, inside: bool) {
    let mut moves = Vec::new();
    for content in text.lines() {
        let content =
            content.replace('→', "->").replace("-->", "->").replace("=>", "->").replace('➜', "->").replace("➔", "->");
        if content.matches("->").count() == 0 {
            continue;
        }
        let mut before: Vec<String> = Vec::new();
        let mut chain = content.as_str();
        // `Status: draft -> paid`
        if let Some((label, rest)) = content.split_once(':')
            && !label.contains("->")
        {
            chain = rest;
        }
        let sides: Vec<Vec<String>> = chain
            .split("->")
            .map(|side| {
                // A remark in brackets behind the state.
                let grouped = side.trim_start().starts_with('(');
                let side = if grouped { side } else { side.split('(').next().unwrap_or(side) };
                side.split(['|', '/', ','])
                    .flat_map(|it| it.split(" or "))
                    .map(clean)
                    .filter(|it| !it.is_empty())
                    .collect()
            })
            .collect();
        let all = sides.iter().flatten().all(|it| is_state(it)) && sides.iter().all(|it| !it.is_empty());
        // Outside of sections about states, only what is written as states are.
        let spelled = |it: &String| {
            it.chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
                || it.chars().all(|c| c.is_lowercase() || c == '_')
        };
        let about = content.to_ascii_lowercase().contains("status") || content.to_ascii_lowercase().contains("state");
        if !all
            || !(inside
                || sides.iter().flatten().all(spelled)
                    && (about || sides.iter().flatten().all(|it| it.len() > 2 && *it == it.to_uppercase())))
        {
            continue;
        }
        for side in sides {
            for from in &before {
                for to in &side {
                    if from != to {
                        moves.push((from.clone(), to.clone(), String::new()));
                    }
                }
            }
            before = side;
        }
    }
    if !moves.is_empty()
        && let Some(owner) = owner(document, notes, at)
    {
        note(notes, &owner, Vec::new(), moves);
    }
}

/// `stateDiagram-v2`: `[*] --> Draft`, `Draft --> Paid: pay`
fn diagram(notes: &mut Notes, owner: Option<String>, text: &str) {
    let Some(owner) = owner else { return };
    let mut moves = Vec::new();
    let mut initial = None;
    for content in text.lines() {
        let Some((from, rest)) = content.split_once("-->") else { continue };
        let (to, trigger) = rest.split_once(':').unwrap_or((rest, ""));
        let (from, to) = (from.trim(), to.trim());
        if from == "[*]" {
            initial.get_or_insert(to.to_owned());
        } else if to != "[*]" && is_state(from) && is_state(to) {
            moves.push((from.to_owned(), to.to_owned(), trigger.trim().to_owned()));
        }
    }
    note(notes, &owner, Vec::new(), moves);
    if let Some(machine) = notes.machines.iter_mut().find(|it| it.entity == owner) {
        machine.initial = machine.initial.take().or(initial);
    }
}

/// `status (pending, confirmed, cancelled)`, `Statuses: open, closed`
fn named_states(document: &Document, notes: &mut Notes, at: usize, text: &Text) {
    let plain = text.plain.trim();
    let lower = plain.to_ascii_lowercase();
    let starts = [
        "status:",
        "statuses:",
        "states:",
        "state:",
        "possible statuses:",
        "order statuses:",
        "status values:",
        "possible states:",
        "status flow:",
    ];
    let rest = starts.iter().find(|it| lower.starts_with(**it)).and_then(|it| plain.get(it.len()..));
    let rest = rest.or_else(|| {
        let open = ["status (", "statuses (", "states (", "state ("]
            .iter()
            .find_map(|it| lower.find(it).map(|at| at + it.len()))?;
        let inner = plain.get(open..)?;
        Some(&inner[..inner.find(')')?])
    });
    let Some(rest) = rest.filter(|it| !it.contains("->") && !it.contains('→')) else { return };
    let states: Vec<String> = fields::list(rest.split(['.', ';', '\n']).next().unwrap_or(rest))
        .into_iter()
        .filter(|it| is_state(it) && !fields::is_type(it))
        .collect();
    if states.len() >= 2
        && let Some(owner) = owner(document, notes, at)
    {
        note(notes, &owner, states, Vec::new());
    }
}

/// A field called status or state with a closed set of values.
fn of_fields(notes: &mut Notes) {
    let mut found = Vec::new();
    let mut known: FxHashMap<String, &Vec<String>> = FxHashMap::default();
    for (name, values) in &notes.values {
        known.entry(words::key(name)).or_insert(values);
    }
    for entity in &mut notes.entities {
        for field in &mut entity.fields {
            if field.values.is_empty()
                && let Some(values) = known.get(&words::key(&field.kind)).filter(|_| !field.kind.is_empty())
            {
                field.values.clone_from(values);
            }
            let name = words::split(&field.name);
            let last = name.last().map_or("", String::as_str);
            if ["status", "state"].contains(&last)
                && field.values.len() >= 2
                && field.values.iter().all(|it| is_state(it))
            {
                found.push((entity.name.clone(), field.values.clone()));
            }
        }
    }
    for (owner, values) in found {
        note(notes, &owner, values, Vec::new());
    }
}

fn note(notes: &mut Notes, owner: &str, states: Vec<String>, moves: Vec<(String, String, String)>) {
    let at = notes.machines.iter().position(|it| it.entity == owner).unwrap_or_else(|| {
        notes.machines.push(MachineNote { entity: owner.to_owned(), ..MachineNote::default() });
        notes.machines.len() - 1
    });
    let machine = &mut notes.machines[at];
    let ends = moves.iter().flat_map(|(from, to, _)| [from.clone(), to.clone()]);
    for state in states.into_iter().chain(ends.collect::<Vec<_>>()) {
        let same = |it: &String| words::split(it) == words::split(&state);
        if !machine.states.iter().any(same) && machine.states.len() < 60 {
            machine.states.push(state);
        }
    }
    for (from, to, trigger) in moves {
        let spelled = |name: &str| {
            machine
                .states
                .iter()
                .find(|it| words::split(it) == words::split(name))
                .cloned()
                .unwrap_or_else(|| name.to_owned())
        };
        let (from, to) = (spelled(&from), spelled(&to));
        if !machine.moves.iter().any(|(a, b, _)| *a == from && *b == to) {
            machine.moves.push((from, to, trigger));
        }
    }
}
