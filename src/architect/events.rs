//! Reading: events, who sends them, who takes them and what they carry.

use rustc_hash::FxHashSet;

use super::document::{Document, Kind, Row, Text};
use super::notes::{EventNote, FieldNote, Notes};
use super::resources::ENVELOPE;
use super::topics::{self, Topic};
use super::{fields, payload, services, words};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sends,
    Takes,
}

pub(super) fn read(document: &Document, notes: &mut Notes) {
    for (at, block) in document.blocks.iter().enumerate() {
        if document.asides[block.section] {
            continue;
        }
        let service = services::of_section(document, notes, block.section);
        let inside = topics::topic(document, block.section) == Some(Topic::Events);
        let title_side = document.around(block.section).find_map(|it| side(document.title(it)));
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
                table(notes, head, rows, service.as_deref(), title_side, inside);
                resulting(notes, head, rows);
            }
            Kind::Item(text, _) | Kind::Paragraph(text) => {
                let is_item = matches!(block.kind, Kind::Item(..));
                if labelled_parties(document, notes, block.section, &text.plain) {
                    continue;
                }
                let said = text.plain.replace('\n', " ");
                let parent = document.parent(at).and_then(|it| match &document.blocks[it].kind {
                    Kind::Item(text, _) => side(&text.plain),
                    _ => None,
                });
                let lead = document.lead(at).and_then(|lead| side(&lead.plain));
                let led = document
                    .lead(at)
                    .is_some_and(|it| is_item && it.plain.trim_end().ends_with(':') && says_events(&it.plain));
                let mut before = "";
                for sentence in said.split(". ") {
                    // `Events out. OrderPlaced`: the label is a sentence of its own.
                    let labelled_so = before.split_whitespace().rev().take(2).any(says_events);
                    let label_side = side(before).filter(|_| labelled_so);
                    before = sentence;
                    let own = side(sentence).or(label_side);
                    for (_, name) in protocol(text, sentence) {
                        note(notes, &name, block.line);
                    }
                    let about = own.is_some() || inside || led || labelled_so || says_events(sentence);
                    if !about {
                        continue;
                    }
                    let mut names = names(text, sentence, inside && is_item);
                    names.extend(sent(text, sentence));
                    names.extend(topics_in(text, sentence));
                    let described = text
                        .label()
                        .map(|(_, rest)| rest.trim_start_matches([':', '-', '–', '—', ' ']).replace('\n', " "));
                    let who = notes.service_in(sentence).map(str::to_owned).or_else(|| service.clone());
                    let sides = sides(sentence);
                    let passive = passive(notes, sentence, &sides);
                    let carried = labelled(&said).and_then(|it| carried_by(it, block.line)).filter(|_| is_item);
                    for (place, name) in names {
                        // The last verb before the name says what is done with it.
                        let said =
                            sides.iter().rev().find(|(at, _)| *at < place).or(sides.first()).map(|(_, side)| *side);
                        let side = said.or(parent).or(lead).or(title_side);
                        let event = note(notes, &name, block.line);
                        if event.description.is_empty() && is_item {
                            event.description = described.clone().unwrap_or_default();
                        }
                        if event.payload.is_none() && is_item {
                            event.payload = payload::read(&said_after(sentence, &name)).or_else(|| carried.clone());
                        }
                        if passive.is_empty() {
                            place_in(event, side, who.as_deref());
                        }
                        passive.iter().for_each(|(side, who)| place_in(event, Some(*side), Some(who)));
                    }
                }
            }
            Kind::Code(_, text) => {
                for (number, line) in (block.line + 1..).zip(text.lines()) {
                    drawn(notes, line, number);
                }
                if let (Some(name), Some(schema)) = (headed(document, block.section), payload::read(text)) {
                    note(notes, &name, block.line).payload.get_or_insert(schema);
                }
            }
        }
    }
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        let above = document
            .around(at)
            .skip(1)
            .any(|it| words::split(document.title(it)).iter().any(|word| word == "events" || word == "event"));
        if above && !document.asides[at] {
            let service = services::of_section(document, notes, at);
            let side = document.around(at).find_map(|it| side(document.title(it)));
            for (_, name) in names(&section.title, &section.title.plain, true) {
                let event = note(notes, &name, section.line);
                place_in(event, side, service.as_deref());
            }
        }
    }
    without_members(notes);
    parties(document, notes);
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
        let past = words::split(last).last().is_some_and(|it| is_past(it));
        !past && (ENVELOPE.contains(&of) || !sent && last.contains('_') && notes.known(of).is_some())
    };
    events.retain(|it| !is_member(it));
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
    let key = key(name);
    let at = notes.events.iter().position(|it| self::key(&it.name) == key).unwrap_or_else(|| {
        notes.events.push(EventNote { name: name.to_owned(), line, ..EventNote::default() });
        notes.events.len() - 1
    });
    &mut notes.events[at]
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

/// Names of events in a sentence: `order.created`, `OrderPlaced`, `payment-failed-event`, and any code where only events
/// are listed. Each with its place.
fn names(text: &Text, sentence: &str, listed: bool) -> Vec<(usize, String)> {
    let marked: Vec<&str> = text.codes().chain(text.strongs()).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut from = 0;
    for word in sentence.split(|c: char| c.is_whitespace() || ",()[]{}|`*\"'/:;→".contains(c)) {
        let clean = word.trim_matches(['.', '`', '*', '"', '\'', '<', '>']);
        let at = sentence.get(from..).and_then(|rest| rest.find(clean)).map_or(from, |at| from + at);
        if !clean.is_empty()
            && is_event(clean, marked.contains(&clean), listed)
            && !found.iter().any(|(_, it)| key(it) == key(clean))
        {
            found.push((at, clean.to_owned()));
        }
        from = at;
    }
    found
}

/// Names behind the word itself: ``Kafka topics `orders_in`, `orders_out` ``.
/// Names set as code of which a sentence says that they are sent: `` `StockLow` is published ``.
fn sent(text: &Text, sentence: &str) -> Vec<(usize, String)> {
    let pascal = |it: &&str| {
        it.starts_with(char::is_uppercase) && it.chars().all(char::is_alphanumeric) && words::split(it).len() > 1
    };
    let is_sent = |at: usize, name: &str| {
        let behind = sentence[at + name.len()..].trim_start_matches(['`', '*', ' ']);
        let before = sentence[..at].trim_end_matches(['`', '*', ' ']);
        ["is published", "is emitted", "is raised", "is fired", "gets published"]
            .iter()
            .any(|it| behind.starts_with(it))
            || ["publishes", "emits", "publish", "emit"].iter().any(|it| before.ends_with(it))
    };
    let found = text.codes().filter(pascal).filter_map(|it| Some((sentence.find(it)?, it)));
    found.filter(|(at, name)| is_sent(*at, name)).map(|(at, name)| (at, name.to_owned())).collect()
}

fn topics_in(text: &Text, sentence: &str) -> Vec<(usize, String)> {
    let lower = sentence.to_ascii_lowercase();
    let Some(at) = ["kafka topic", "redis stream", "topics `", "topic `", "topic ", "topics ", "message bus"]
        .iter()
        .find_map(|it| lower.find(it))
    else {
        return Vec::new();
    };
    let about = ["kafka", "topic", "redis", "stream", "message bus", "rabbitmq", "publish", "consume"]
        .iter()
        .filter(|it| lower.contains(**it))
        .count()
        >= 2;
    let codes = text.codes().filter(|it| {
        it.contains(['_', '.', '-'])
            && !it.contains([' ', '/', '('])
            && !it.ends_with("_id")
            && it.chars().next().is_some_and(char::is_lowercase)
    });
    let found = codes.filter_map(|code| {
        let place = sentence.find(code)?;
        let near = place >= at && place - at < 90
            || place < at && at - place < code.len() + 12
            || lower.contains("message bus");
        (about && near).then(|| (place, code.to_owned()))
    });
    found.collect()
}

/// Messages that a protocol has, set as code: `Client → relay: `session.start {…}`, `audio.chunk``, `Messages include
/// `init_config``.
fn protocol(text: &Text, sentence: &str) -> Vec<(usize, String)> {
    let lower = sentence.to_ascii_lowercase();
    let said =
        ["messages include ", "messages are ", "messages: ", "message types: "].iter().find_map(|it| lower.find(it));
    let ways = sentence.split_once(':').and_then(|(label, _)| {
        let (from, to) = label.split_once('→').or_else(|| label.split_once("->"))?;
        let short = |it: &str| (1..=2).contains(&it.split_whitespace().count());
        (short(from) && short(to)).then_some(label.len())
    });
    let Some(at) = said.or(ways) else { return Vec::new() };
    let named = text.codes().filter_map(|code| {
        let name = code.split([' ', '{', '(']).next().unwrap_or(code);
        let place = sentence.find(code).filter(|place| *place > at)?;
        let fits = name.chars().all(|c| c.is_ascii_lowercase() || "._-:".contains(c)) && words::split(name).len() >= 2;
        let short = sentence.get(..place).is_none_or(|it| !it.ends_with('/'));
        (fits && short).then(|| (place, name.to_owned()))
    });
    let found: Vec<(usize, String)> = named.collect();
    // One alone may be something else.
    if found.len() >= 2 { found } else { Vec::new() }
}

fn is_event(word: &str, marked: bool, listed: bool) -> bool {
    // `submission.judged.v1`
    let is_version = |it: &str| it.strip_prefix('v').is_some_and(|it| it.parse::<u8>().is_ok());
    let word = word.rsplit_once('.').filter(|it| is_version(it.1)).map_or(word, |it| it.0);
    let words = words::split(word);
    let simple = word.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) && words.len() >= 2 && words.len() <= 6;
    let file = [
        ".md", ".json", ".py", ".ts", ".js", ".yaml", ".yml", ".com", ".io", ".net", ".rs", ".cs", ".ics", ".tsx",
        ".toml", ".html", ".sh",
    ]
    .iter()
    .any(|end| word.to_ascii_lowercase().ends_with(end));
    if !simple || file || word.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let past = words.last().is_some_and(|last| is_past(last) || last == "event" && words.len() > 1);
    if word.contains('.') && word.split('.').any(|it| it.len() < 3) {
        return false;
    }
    // `tasks.publish_post` is done, not told.
    let last = words::split(word.rsplit('.').next().unwrap_or(word));
    let done = last.len() > 1 && words::verb(&last[0]).is_some_and(|(base, _)| base == last[0]) && !past;
    let dotted =
        !done && word.contains('.') && word == word.to_ascii_lowercase() && word.split('.').all(|it| !it.is_empty());
    let pascal =
        word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase) && !word.contains(['.', '_', '-']);
    let spelled = (word.contains(['-', '_']) || word == word.to_ascii_uppercase()) && past;
    // `reply.message_id` and `users.is_verified` are fields, `public.users` is a table.
    let table = ["public.", "dbo."].iter().any(|it| word.starts_with(it));
    if table || word.ends_with("_id") || [".is_", ".has_"].iter().any(|it| word.contains(it)) {
        return false;
    }
    (dotted && (past || marked || listed))
        || (pascal && past)
        || (spelled && (marked || listed && !word.contains('-')))
        || (marked && listed && past)
}

/// Whether a word says that something has happened.
fn is_past(word: &str) -> bool {
    // `role-based` says how something is.
    let says_how =
        ["feed", "need", "based", "related", "oriented", "enabled", "powered", "assisted", "focused", "speed"];
    word.len() > 3 && word.ends_with("ed") && !says_how.contains(&word)
        || [
            "sent", "paid", "made", "sold", "lost", "won", "built", "begun", "out", "met", "done", "low", "run",
            "failure", "success",
        ]
        .contains(&word)
            && word.len() > 2
}

/// Tables of events: who publishes and who takes them, or what is done with them.
fn table(notes: &mut Notes, head: &[Text], rows: &[Row], service: Option<&str>, side: Option<Side>, inside: bool) {
    let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
    let column = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
    let event = column(&["event", "events", "event name", "event type", "domain event", "message", "topic event"])
        .or_else(|| {
            let routed = column(&["publisher", "producer", "consumer", "consumers", "subscribers"]).is_some() || inside;
            routed.then(|| column(&["name", "topic", "routing key", "channel"])).flatten()
        });
    let Some(event) = event else { return };
    let publisher = column(&[
        "publisher",
        "producer",
        "publishers",
        "producers",
        "published by",
        "emitted by",
        "source",
        "from",
        "producer service",
        "publisher service",
        "source service",
        "emitter",
        "service",
    ]);
    let consumer = column(&[
        "consumer",
        "consumers",
        "subscriber",
        "subscribers",
        "consumed by",
        "listener",
        "listeners",
        "target",
        "to",
        "handled by",
        "consumer service",
        "consuming services",
    ]);
    let channel = column(&["channel", "topic", "queue", "exchange", "routing key", "kafka topic", "topics"])
        .filter(|at| *at != event);
    let carried =
        column(&["payload", "data", "schema", "fields", "content", "contents", "key fields", "payload fields"]);
    let said = column(&["description", "purpose", "trigger", "when", "action", "meaning", "effect"]);
    if !inside && publisher.is_none() && consumer.is_none() && channel.is_none() && carried.is_none() && side.is_none()
    {
        return;
    }
    for row in rows {
        let cell = |at: Option<usize>| at.and_then(|at| row.cells.get(at)).map_or("", |cell| cell.plain.trim());
        let label = cell(Some(event));
        for name in label.split([',', '/']).map(|it| it.trim().trim_matches(['`', '*'])) {
            let joined = words::split(name);
            let fits = (1..=6).contains(&joined.len())
                // A name may have colons, as `chat:typing` has.
                && name.chars().all(|c| c.is_alphanumeric() || "._- ".contains(c) || c == ':' && !name.contains(' '))
                && name.chars().any(char::is_alphabetic);
            if !fits {
                continue;
            }
            let publishers: Vec<String> = parties_in(notes, cell(publisher));
            let consumers: Vec<String> = parties_in(notes, cell(consumer));
            let payload = carried.and_then(|at| row.cells.get(at)).and_then(|cell| carried_by(&cell.plain, row.line));
            let (channel, description) = (cell(channel).trim_matches('`').to_owned(), cell(said).to_owned());
            let event = note(notes, name, row.line);
            if event.channel.is_none() && !channel.is_empty() && channel != "-" {
                event.channel = Some(channel);
            }
            if event.payload.is_none() {
                event.payload = payload;
            }
            if event.description.is_empty() {
                event.description = description;
            }
            for who in publishers {
                place_in(event, Some(Side::Sends), Some(&who));
            }
            for who in consumers {
                place_in(event, Some(Side::Takes), Some(&who));
            }
            place_in(event, side.or((publisher.is_none() && consumer.is_none()).then_some(Side::Sends)), service);
        }
    }
}

fn says_events(text: &str) -> bool {
    words::split(text).iter().any(|it| it == "event" || it == "events")
}

/// Events that rows about something else say to come of it: `Command | Resulting event`, `Trigger | Raises`, ``event `OrderPaid` `` in a cell.
fn resulting(notes: &mut Notes, head: &[Text], rows: &[Row]) {
    let results = |name: &Text| {
        let said = words::split(&name.plain);
        let raises = ["raises", "emits", "publishes", "produces"].contains(&said.join(" ").as_str());
        let of_events = said.iter().any(|it| it == "event" || it == "events")
            && said
                .iter()
                .any(|it| ["resulting", "raised", "emitted", "domain", "published", "produced"].contains(&it.as_str()));
        raises || of_events
    };
    for row in rows {
        for (name, cell) in head.iter().zip(&row.cells) {
            let marked = cell.codes().any(|it| cell.plain.contains(&format!("event {it}")));
            if results(name) || marked {
                for (_, name) in names(cell, &cell.plain, results(name)) {
                    note(notes, &name, row.line);
                }
            }
        }
    }
}

/// An event on the line of an arrow between two parties: `orders --OrderPlaced--> billing, mail`.
fn drawn(notes: &mut Notes, line: &str, number: u32) {
    let Some((sender, rest)) = line.split_once("--") else { return };
    let Some((name, takers)) = rest.split_once("-->").or_else(|| rest.split_once("->")) else { return };
    let (sender, name) = (sender.trim(), name.trim());
    let is_party = |it: &str| !it.is_empty() && !it.contains(|c: char| c.is_whitespace() || "[({\"".contains(c));
    if !is_party(sender) || !is_event(name, false, true) || !name.starts_with(char::is_uppercase) {
        return;
    }
    let (senders, takers) = (parties_in(notes, sender), parties_in(notes, takers.split('(').next().unwrap_or(takers)));
    let event = note(notes, name, number);
    senders.iter().for_each(|who| place_in(event, Some(Side::Sends), Some(who)));
    takers.iter().for_each(|who| place_in(event, Some(Side::Takes), Some(who)));
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

/// The event that a heading of a section about events names, or the one above a heading `Payload`.
fn headed(document: &Document, section: usize) -> Option<String> {
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
    parts
        .filter_map(|part| {
            let part = part.trim().trim_matches(['`', '*']);
            if part.is_empty() || part == "-" {
                return None;
            }
            let key = super::notes::service_key(part);
            notes.services.iter().find(|it| super::notes::service_key(&it.name) == key).map(|it| it.name.clone())
        })
        .collect()
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
