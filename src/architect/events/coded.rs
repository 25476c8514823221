//! Events in blocks of code: catalogues of services, enumerations, types, and examples of messages.

use super::names::{is_event, is_past};
use super::{Place, Side, note, place_in};
use crate::architect::notes::{EntityNote, Notes};
use crate::architect::{payload, services, words};

/// Reads a block of code as one that lists events or has one as an example.
pub(super) fn read(notes: &mut Notes, language: &str, code: &str, place: &Place) {
    for entry in services::catalogue(language, code) {
        let (side, line) = (if entry.sends { Side::Sends } else { Side::Takes }, place.line + 1 + entry.line);
        let who = notes.known_service(&entry.service).map(str::to_owned);
        place_in(note(notes, &entry.event, line), Some(side), who.as_deref());
    }
    // `"type": "set_mode"` below the heading `set_mode`
    if let Some(heading) = &place.heading
        && code.lines().find_map(example) == Some(heading.as_str())
    {
        note(notes, heading, place.line);
    }
    let mut enumerated = false;
    for (number, line) in (place.line + 1..).zip(code.lines()) {
        let line = line.trim();
        // `enum EventType {`, `type DomainEvent =`
        let declares = ["enum ", "type ", "const "].iter().any(|it| line.contains(it));
        enumerated = if declares { names_events(line) } else { enumerated && !line.starts_with('}') };
        // `PAID = 'invoice.paid',`, `| 'invoice.paid'`
        let quoted = line.split(['\'', '"']).nth(1).filter(|_| enumerated && line.matches(['\'', '"']).count() == 2);
        // `{ "type": "refund.requested", … }`
        let typed = place.inside.then(|| example(line)).flatten();
        for name in quoted.into_iter().chain(typed).chain(sent(line)).filter(|it| is_event(it, true, true)) {
            note(notes, name, number);
        }
    }
    if place.inside
        && let [name] = code.lines().filter_map(example).filter(|it| is_event(it, true, true)).collect::<Vec<_>>()[..]
        && let Some(schema) = payload::read(code)
    {
        note(notes, name, place.line).payload.get_or_insert(schema);
    }
}

/// Whether a declaration is one of events: `enum EventType {`, `type OrderEvents =`.
fn names_events(line: &str) -> bool {
    let name = line.split(['{', '=', ':']).next().unwrap_or(line);
    words::split(name).iter().any(|it| it == "event" || it == "events")
}

/// The value of what tells messages apart in an example: `"event": "order.paid"`, `{ type: 'order:paid', … }`.
fn example(line: &str) -> Option<&str> {
    const KEYS: &[&str] = &["type", "event", "event_type", "eventType", "name", "event_name", "eventName"];
    let is_mark = |c: char| ['"', '\'', '`'].contains(&c);
    let begins =
        |at: usize| at == 0 || line[..at].ends_with(|c: char| is_mark(c) || c.is_whitespace() || c == '{' || c == ',');
    KEYS.iter().find_map(|key| {
        let at = line.find(key).filter(|at| begins(*at))?;
        let rest = line[at + key.len()..].trim_start_matches(is_mark).trim_start().strip_prefix(':')?.trim_start();
        let mark = rest.chars().next().filter(|it| is_mark(*it))?;
        rest[1..].split(mark).next()
    })
}

/// The message that a line of a program sends: `io.to(room).emit('order:paid', order)`, `publish("order.paid", …)`.
fn sent(line: &str) -> Option<&str> {
    let at = ["emit(", "publish("].iter().find_map(|it| Some(line.find(it)? + it.len()))?;
    let mark = line[at..].chars().next().filter(|it| ['"', '\''].contains(it))?;
    line[at + 1..].split(mark).next()
}

/// What events carry is no thing that is kept: `OrderPlacedEvent` with its members becomes the event.
pub(super) fn without_bodies(notes: &mut Notes) {
    let is_body = |it: &EntityNote| {
        let words = words::split(&it.name);
        matches!(words.as_slice(), [_, .., past, last] if last == "event" && is_past(past))
    };
    let (bodies, entities): (Vec<EntityNote>, Vec<EntityNote>) =
        std::mem::take(&mut notes.entities).into_iter().partition(is_body);
    notes.entities = entities;
    for body in bodies {
        notes.relations.retain(|it| it.source != body.name && it.target != body.name);
        let event = note(notes, &body.name, body.line);
        if event.payload.is_none() && !body.fields.is_empty() {
            event.payload = Some(super::object(&body.fields));
        }
    }
}
