//! Reading: events, who sends them, who takes them and what they carry.

mod coded;
mod drawn;
mod names;
mod tables;

use rustc_hash::FxHashSet;

use super::document::{Document, Kind, Text};
use super::notes::{EventNote, FieldNote, Notes};
use super::resources::ENVELOPE;
use super::topics::{self, Topic};
use super::{fields, payload, services, words};
pub(super) use drawn::parties as drawn_parties;
use names::{listed, names, of_sockets, protocol, quoted, sent, topics_in};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sends,
    Takes,
}

pub(super) fn read(document: &Document, notes: &mut Notes) {
    for (at, block) in document.blocks.iter().enumerate().filter(|it| !document.asides[it.1.section]) {
        let place = Place::of(document, notes, at);
        match &block.kind {
            // What an event carries, below a heading that names the event.
            Kind::Table(head, rows)
                if let Some(name) = headed(document, block.section)
                    && let Some(found) = fields::of_table(head, rows) =>
            {
                let schema = object(&found);
                note(notes, &name, block.line).payload.get_or_insert(schema);
            }
            Kind::Table(head, rows) => {
                tables::table(notes, head, rows, place.service.as_deref(), place.title, place.inside);
                tables::resulting(notes, head, rows, place.service.as_deref());
            }
            Kind::Item(text, _) | Kind::Paragraph(text) => {
                if !labelled_parties(document, notes, block.section, &text.plain) {
                    said(notes, text, &place);
                }
            }
            Kind::Code(language, text) => {
                drawn::read(notes, text, block.line);
                coded::read(notes, language, text, &place);
                if let (Some(name), Some(schema)) = (headed(document, block.section), payload::read(text)) {
                    note(notes, &name, block.line).payload.get_or_insert(schema);
                }
            }
        }
    }
    in_headings(document, notes);
    coded::without_bodies(notes);
    without_members(notes);
    parties(document, notes);
}

/// Where a text stands, and what that says of the events in it.
struct Place {
    line: u32,
    is_item: bool,
    /// The service that its section is about.
    service: Option<String>,
    /// Whether its section is about events.
    inside: bool,
    /// What a heading around the text says is done with events, the item that it is below of, and the sentence before its list.
    title: Option<Side>,
    parent: Option<Side>,
    lead: Option<Side>,
    /// Whether the item above or the sentence before the list says that events follow.
    led: bool,
    /// What the heading of the section sets as code, where that may name a message.
    heading: Option<String>,
}

impl Place {
    fn of(document: &Document, notes: &Notes, at: usize) -> Self {
        let block = &document.blocks[at];
        let is_item = matches!(block.kind, Kind::Item(..));
        let parent = document.parent(at).and_then(|it| match &document.blocks[it].kind {
            Kind::Item(text, _) => Some(text.plain.as_str()),
            _ => None,
        });
        let lead = document.lead(at).map(|it| it.plain.as_str());
        let leads = |it: &&str| it.trim_end().ends_with(':') && (says_events(it) || side(it).is_some());
        Place {
            line: block.line,
            is_item,
            service: services::of_section(document, notes, block.section),
            inside: topics::topic(document, block.section) == Some(Topic::Events),
            title: document.around(block.section).find_map(|it| side(document.title(it))),
            parent: parent.and_then(side),
            lead: lead.and_then(side),
            heading: document.sections[block.section]
                .title
                .codes()
                .next()
                .filter(|it| {
                    it.contains('_') || document.around(block.section).any(|it| says_messages(document.title(it)))
                })
                .map(str::to_owned),
            led: is_item && (lead.is_some_and(|it| leads(&it)) || parent.is_some_and(|it| leads(&it))),
        }
    }
}

/// Whether a heading is about messages: `Server → Browser Messages`.
fn says_messages(title: &str) -> bool {
    words::split(title)
        .iter()
        .any(|it| ["messages", "events", "websocket", "socket", "websockets"].contains(&it.as_str()))
}

/// Events that the sentences of a paragraph or item name.
fn said(notes: &mut Notes, text: &Text, place: &Place) {
    let said = text.plain.replace('\n', " ");
    let mut before = "";
    for sentence in said.split(". ") {
        // `Events out. OrderPlaced`: the label is a sentence of its own.
        let labelled_so = before.split_whitespace().rev().take(2).any(says_events);
        let label_side = side(before).filter(|_| labelled_so);
        before = sentence;
        let own = side(sentence).or(label_side);
        for (_, name) in protocol(text, sentence) {
            note(notes, &name, place.line);
        }
        if own.is_none() && !place.inside && !place.led && !labelled_so && !says_events(sentence) {
            continue;
        }
        let mut names = names(text, sentence, place.inside && place.is_item);
        names.extend(sent(text, sentence));
        names.extend(topics_in(text, sentence));
        names.extend(of_sockets(text, sentence));
        names.extend(quoted(sentence).into_iter().map(|it| (sentence.find(&it).unwrap_or(0), it)));
        if names.is_empty() {
            let spoken = names::labelled(sentence);
            let alone = place.is_item && (place.led || place.inside) && spoken.is_empty();
            let spoken = if alone { listed(sentence) } else { spoken };
            names.extend(spoken.into_iter().map(|it| (sentence.find(&it).unwrap_or(0), it)));
        }
        let described =
            text.label().map(|(_, rest)| rest.trim_start_matches([':', '-', '–', '—', ' ']).replace('\n', " "));
        let sides = sides(sentence);
        let passive = passive(notes, sentence, &sides);
        let carried = labelled(&said).and_then(|it| carried_by(it, place.line)).filter(|_| place.is_item);
        for (at, name) in names.into_iter().take(names::MOST) {
            // The last verb before the name says what is done with it.
            let nearest = sides.iter().rev().find(|it| it.0 < at).or(sides.first());
            let side = nearest.map(|it| it.1).or(place.parent).or(place.lead).or(place.title);
            // Whoever is named right before the verb does it.
            let doing = nearest.and_then(|it| notes.last_service_in(sentence.get(..it.0)?));
            let who = doing.or_else(|| notes.service_in(sentence)).map(str::to_owned).or_else(|| place.service.clone());
            let (senders, takers) = beside(notes, &text.plain, &name);
            let event = note(notes, &name, place.line);
            if event.description.is_empty() && place.is_item {
                event.description = described.clone().unwrap_or_default();
            }
            if event.payload.is_none() && place.is_item {
                event.payload = payload::read(&said_after(sentence, &name)).or_else(|| carried.clone());
            }
            let drawn = match side {
                Some(Side::Takes) => &takers,
                _ => &senders,
            };
            if passive.is_empty() && drawn.is_empty() {
                place_in(event, side, who.as_deref());
            }
            passive.iter().for_each(|(side, who)| place_in(event, Some(*side), Some(who)));
            senders.iter().for_each(|who| place_in(event, Some(Side::Sends), Some(who)));
            takers.iter().for_each(|who| place_in(event, Some(Side::Takes), Some(who)));
        }
    }
}

/// Events that headings below one of events name.
fn in_headings(document: &Document, notes: &mut Notes) {
    let of_events = |it: usize| words::split(document.title(it)).iter().any(|word| word == "events" || word == "event");
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if document.asides[at] || !document.around(at).skip(1).any(of_events) {
            continue;
        }
        let service = services::of_section(document, notes, at);
        let side = document.around(at).find_map(|it| side(document.title(it)));
        for (_, name) in names(&section.title, &section.title.plain, true) {
            let event = note(notes, &name, section.line);
            place_in(event, side, service.as_deref());
        }
    }
}

/// Drops events whose names are those of members: `events_attended` where a thing has this member, `users.plan_tier`, `meta.coverage` of
/// an answer.
fn without_members(notes: &mut Notes) {
    let mut events = std::mem::take(&mut notes.events);
    let members: FxHashSet<&str> = notes
        .entities
        .iter()
        .flat_map(|it| &it.fields)
        .map(|it| it.name.as_str())
        .filter(|it| it.contains('_'))
        .collect();
    let is_member = |event: &EventNote| {
        let sent = !event.publishers.is_empty() || !event.consumers.is_empty() || event.payload.is_some();
        let Some((of, last)) = event.name.split_once('.') else {
            return !sent && members.contains(event.name.as_str());
        };
        let past = words::split(last).last().is_some_and(|it| names::is_past(it));
        !past && (ENVELOPE.contains(&of) || !sent && last.contains('_') && notes.known(of).is_some())
    };
    events.retain(|_, it| !is_member(it));
    notes.events = events;
}

/// Services behind `published by`, `consumed by`: each with what it does.
fn passive(notes: &Notes, sentence: &str, sides: &[(usize, Side)]) -> Vec<(Side, String)> {
    let mut found = Vec::new();
    for (at, (place, side)) in sides.iter().enumerate() {
        let end = sides.get(at + 1).map_or(sentence.len(), |it| it.0);
        let Some((verb, named)) = sentence.get(*place..end).and_then(|it| it.split_once(" by ")) else { continue };
        if !verb.contains(' ') {
            let named = named.trim_end_matches([' ', ',', ';', '.', '(', ')']).trim_end_matches(" and");
            found.extend(parties_in(notes, named).into_iter().map(|it| (*side, it)));
        }
    }
    found
}

/// The services before and behind an event on a line of arrows: `OrderService → OrderPlaced → StockService, MailService`.
fn beside(notes: &Notes, text: &str, name: &str) -> (Vec<String>, Vec<String>) {
    let Some(line) = text.lines().find(|it| it.contains(name)) else { return Default::default() };
    let steps: Vec<&str> = line.split(['→', '⇒']).flat_map(|it| it.split("->")).collect();
    let Some(at) = steps.iter().position(|it| it.contains(name)).filter(|_| steps.len() > 1) else {
        return Default::default();
    };
    let step = |at: Option<usize>| {
        at.and_then(|it| steps.get(it)).map_or_else(Vec::new, |it| parties_in(notes, it.trim_matches(['-', ' ', '.'])))
    };
    (step(at.checked_sub(1)), step(Some(at + 1)))
}

/// What stands behind `Payload:` in a text, up to the end of its sentence.
fn labelled(text: &str) -> Option<&str> {
    let at = text.to_ascii_lowercase().find("payload:")? + "payload:".len();
    text.get(at..)?.split(". ").next()
}

fn said_after(sentence: &str, name: &str) -> String {
    sentence.find(name).and_then(|at| sentence.get(at + name.len()..)).unwrap_or("").to_owned()
}

fn note<'n>(notes: &'n mut Notes, name: &str, line: u32) -> &'n mut EventNote {
    // `OnOrderPaid` handles `OrderPaid`.
    let handled = name.strip_prefix("On").filter(|it| it.starts_with(char::is_uppercase));
    let name = handled.unwrap_or(name);
    notes.events.entry(key(name)).or_insert_with(|| EventNote { name: name.to_owned(), line, ..EventNote::default() })
}

/// `order.created`, `OrderCreated` and `OrderCreatedEvent` are one event.
fn key(name: &str) -> String {
    let key = words::split(name).concat();
    key.strip_suffix("event").filter(|it| !it.is_empty()).unwrap_or(&key).to_owned()
}

fn place_in(event: &mut EventNote, side: Option<Side>, who: Option<&str>) {
    let Some(who) = who else { return };
    let list = match side {
        Some(Side::Sends) => &mut event.publishers,
        Some(Side::Takes) => &mut event.consumers,
        None => return,
    };
    if !list.iter().any(|it| it == who) {
        list.push(who.to_owned());
    }
}

/// What a text says is done with messages: whoever it is about sends or takes them.
fn side(text: &str) -> Option<Side> {
    sides(text).first().map(|(_, side)| *side)
}

/// Whether a text says that messages are sent or taken.
pub(super) fn is_about(text: &str) -> bool {
    side(text).is_some()
}

/// Every place where a text says so.
fn sides(text: &str) -> Vec<(usize, Side)> {
    const SENDS: &[&str] =
        &["publish", "emit", "produce", "raise", "fires ", "outgoing", "outbound", "dispatch", "broadcast"];
    const TAKES: &[&str] =
        &["subscri", "consume", "listen", "incoming", "inbound", "reacts to", "react to", "receives"];
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(usize, Side)> = Vec::new();
    for (words, side) in [(SENDS, Side::Sends), (TAKES, Side::Takes)] {
        for word in words {
            found.extend(lower.match_indices(word).map(|(at, _)| (at, side)));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found
}

fn says_events(text: &str) -> bool {
    words::split(text).iter().any(|it| it == "event" || it == "events")
}

/// `{ order_id, total }`, or names between commas.
fn carried_by(text: &str, line: u32) -> Option<serde_json::Value> {
    payload::read(text).or_else(|| {
        let found = fields::of_list(&text.replace('`', ""), line);
        (found.len() >= 2 && found.iter().all(|it| fields::is_identifier(&it.name))).then(|| object(&found))
    })
}

/// The schema of an object of these members.
fn object(members: &[FieldNote]) -> serde_json::Value {
    let properties: serde_json::Map<_, _> = members.iter().map(|it| (it.name.clone(), payload::of_field(it))).collect();
    serde_json::json!({"type": "object", "properties": properties})
}

/// Whether a text has a catalogue of the events of a system: names of several in sections about events.
pub(super) fn are_listed(document: &Document) -> bool {
    const ENOUGH: usize = 3;
    let mut found: FxHashSet<String> = FxHashSet::default();
    let mut add = |text: &Text| found.extend(names(text, &text.plain, true).into_iter().map(|it| key(&it.1)));
    let inside = |section: usize| topics::topic(document, section) == Some(Topic::Events);
    let titles = document.sections.iter().enumerate().skip(1).filter(|it| inside(it.0));
    titles.for_each(|it| add(&it.1.title));
    for block in document.blocks.iter().filter(|it| inside(it.section)) {
        match &block.kind {
            Kind::Item(text, _) => add(text),
            Kind::Table(_, rows) => rows.iter().filter_map(|it| it.cells.first()).for_each(&mut add),
            Kind::Paragraph(_) | Kind::Code(..) => {}
        }
    }
    found.len() >= ENOUGH
}

/// The event that a heading of a section about events names, or the one above a heading `Payload`.
pub(super) fn headed(document: &Document, section: usize) -> Option<String> {
    let is_caption = document.topics[section] == Some(Topic::Payload) && section != 0;
    let section = if is_caption { document.sections[section].parent } else { section };
    let title = &document.sections[section].title;
    let inside = topics::topic(document, section) == Some(Topic::Events);
    names(title, &title.plain, inside).into_iter().next().map(|(_, name)| name).filter(|_| inside)
}

/// Lines below a heading that names an event, each with who sends or takes it: `Producer: OrderService (PlaceOrderHandler)`. Says
/// whether there was one.
fn labelled_parties(document: &Document, notes: &mut Notes, section: usize, text: &str) -> bool {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((label, rest)) = line.split_once(':').filter(|it| it.0.split_whitespace().count() <= 2) else {
            continue;
        };
        let Some(side) = side(label) else { continue };
        for part in rest.split([',', ';']) {
            let name = part.split(['(', '→', '—', '–']).next().unwrap_or("").split(" - ").next().unwrap_or("");
            found.extend(parties_in(notes, name).into_iter().map(|it| (side, it)));
        }
    }
    let Some(name) = headed(document, section).filter(|_| !found.is_empty()) else { return false };
    for (side, who) in found {
        place_in(note(notes, &name, document.sections[section].line), Some(side), Some(&who));
    }
    true
}

/// The services that a cell names.
fn parties_in(notes: &Notes, cell: &str) -> Vec<String> {
    let parts = cell.split([',', '/', ';', '\n', '&']).flat_map(|it| it.split(" and "));
    // `audit (later)`
    let names = parts.map(|it| it.split('(').next().unwrap_or(it));
    let named = names.map(|it| it.trim().trim_matches(['`', '*'])).filter(|it| !it.is_empty() && *it != "-");
    named.filter_map(|it| notes.known_service(it)).map(str::to_owned).collect()
}

/// `Publisher: order-service`, `Subscriber: notification-service` in one list: of the events of that publisher that have
/// none yet.
fn parties(document: &Document, notes: &mut Notes) {
    for at in 0..document.blocks.len() {
        let block = &document.blocks[at];
        let Kind::Item(text, _) = &block.kind else { continue };
        let lower = text.plain.to_ascii_lowercase();
        if !(lower.starts_with("subscriber:")
            || lower.starts_with("consumer:")
            || lower.starts_with("consumers:")
            || lower.starts_with("subscribers:"))
        {
            continue;
        }
        let takers = parties_in(notes, text.plain.split_once(':').map_or("", |(_, it)| it));
        let title = &document.sections[block.section].title;
        if let Some((_, name)) = names(title, &title.plain, true).into_iter().next() {
            let event = note(notes, &name, block.line);
            takers.iter().for_each(|who| place_in(event, Some(Side::Takes), Some(who)));
        }
    }
}
