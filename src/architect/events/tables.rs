//! Tables of events: each row has one, several of one thing, what comes of its subject, or what a service sends and takes.

use super::names::{carries, is_event, listed, names};
use super::{Side, carried_by, note, parties_in, place_in, sides};
use crate::architect::document::{Row, Text};
use crate::architect::notes::Notes;
use crate::architect::words;

/// Columns of the names of events.
const EVENTS: &[&str] = &[
    "event",
    "events",
    "event name",
    "event type",
    "domain event",
    "message",
    "topic event",
    "integration event",
    "message identity",
    "message name",
    "message type",
    "event identity",
];
#[rustfmt::skip]
const PUBLISHERS: &[&str] = &[
    "publisher", "producer", "publishers", "producers", "published by", "emitted by", "source", "from", "producer service",
    "publisher service", "source service", "emitter", "service",
];
#[rustfmt::skip]
const CONSUMERS: &[&str] = &[
    "consumer", "consumers", "subscriber", "subscribers", "consumed by", "listener", "listeners", "target", "to", "handled by",
    "consumer service", "consuming services",
];
const CHANNELS: &[&str] = &["channel", "topic", "queue", "exchange", "routing key", "kafka topic", "topics"];
const CARRIED: &[&str] =
    &["payload", "data", "schema", "fields", "content", "contents", "key fields", "payload fields"];
const SAID: &[&str] = &["description", "purpose", "trigger", "when", "action", "meaning", "effect"];

/// Where the columns of a table of events stand.
struct Columns {
    event: usize,
    publisher: Option<usize>,
    consumer: Option<usize>,
    channel: Option<usize>,
    carried: Option<usize>,
    said: Option<usize>,
}

impl Columns {
    fn of(head: &[Text], inside: bool) -> Option<Self> {
        let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
        let column = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
        let publisher = column(PUBLISHERS);
        let consumer = column(CONSUMERS);
        let routed = || inside || column(&["publisher", "producer", "consumer", "consumers", "subscribers"]).is_some();
        // `Event types`, `WebSocket event`
        let ends = |name: &String| [" event", " events", "event types"].iter().any(|it| name.ends_with(it));
        let event = column(EVENTS)
            .or_else(|| names.iter().position(ends).filter(|_| inside))
            .or_else(|| routed().then(|| column(&["name", "topic", "routing key", "channel"])).flatten())?;
        let channel = column(CHANNELS).filter(|at| *at != event);
        Some(Self { event, publisher, consumer, channel, carried: column(CARRIED), said: column(SAID) })
    }

    /// Whether the columns beside the events are those of messages.
    fn are_of_messages(&self) -> bool {
        [self.publisher, self.consumer, self.channel, self.carried].iter().any(Option::is_some)
    }
}

/// Tables of events: who publishes and who takes them, or what is done with them.
pub(super) fn table(
    notes: &mut Notes,
    head: &[Text],
    rows: &[Row],
    service: Option<&str>,
    side: Option<Side>,
    inside: bool,
) {
    let Some(columns) = Columns::of(head, inside) else { return };
    if !inside && !columns.are_of_messages() && side.is_none() && !are_events(rows, columns.event) {
        return;
    }
    for row in rows {
        let cell = |at: Option<usize>| at.and_then(|at| row.cells.get(at)).map_or("", |cell| cell.plain.trim());
        let publishers = parties_in(notes, cell(columns.publisher));
        let consumers = parties_in(notes, cell(columns.consumer));
        let payload = columns.carried.and_then(|at| row.cells.get(at)).and_then(|it| carried_by(&it.plain, row.line));
        let (channel, description) = (cell(columns.channel).trim_matches('`'), cell(columns.said));
        let nobody = columns.publisher.is_none() && columns.consumer.is_none();
        for name in row.cells.get(columns.event).into_iter().flat_map(of_cell) {
            let event = note(notes, &name, row.line);
            if event.channel.is_none() && !channel.is_empty() && channel != "-" {
                event.channel = Some(channel.to_owned());
            }
            if event.payload.is_none() {
                event.payload.clone_from(&payload);
            }
            if event.description.is_empty() {
                description.clone_into(&mut event.description);
            }
            for who in &publishers {
                place_in(event, Some(Side::Sends), Some(who));
            }
            for who in &consumers {
                place_in(event, Some(Side::Takes), Some(who));
            }
            place_in(event, side.or(nobody.then_some(Side::Sends)), service);
        }
    }
}

/// The names in a cell of events: those set as code where there are several, else those between commas.
fn of_cell(cell: &Text) -> Vec<String> {
    let codes: Vec<&str> = cell.codes().filter(|it| is_event(it, true, true)).collect();
    let parts: Vec<&str> = if codes.len() >= 2 { codes } else { cell.plain.trim().split([',', '/']).collect() };
    let fits = |name: &&str| {
        (1..=6).contains(&words::split(name).len())
            // A name may have colons, as `chat:typing` has.
            && name.chars().all(|c| c.is_alphanumeric() || "._- ".contains(c) || c == ':' && !name.contains(' '))
            && name.chars().any(char::is_alphabetic)
            && !carries(name)
    };
    parts.into_iter().map(|it| it.trim().trim_matches(['`', '*'])).filter(fits).map(str::to_owned).collect()
}

/// Whether every cell of a column is spelled as the name of an event.
fn are_events(rows: &[Row], column: usize) -> bool {
    let mut cells = rows.iter().filter_map(|it| it.cells.get(column)).peekable();
    cells.peek().is_some() && cells.all(|it| is_event(it.plain.trim().trim_matches('`'), true, true))
}

/// Events that rows about something else say to come of it: `Command | Resulting event`, `Trigger | Raises`, ``event `OrderPaid` `` in a
/// cell; and those that a service of a row sends and takes: `Service | Publishes | Consumes`.
pub(super) fn resulting(notes: &mut Notes, head: &[Text], rows: &[Row], service: Option<&str>) {
    let columns: Vec<Option<Side>> = head.iter().map(sent_or_taken).collect();
    let results: Vec<bool> = head.iter().map(says_results).collect();
    for row in rows {
        let named = row.cells.first().filter(|_| columns.first().is_some_and(Option::is_none));
        let who = named.and_then(|it| parties_in(notes, &it.plain).pop()).or_else(|| service.map(str::to_owned));
        for (at, cell) in row.cells.iter().enumerate() {
            let side = columns.get(at).copied().flatten();
            let resulting = results.get(at).is_some_and(|it| *it);
            let marked = cell.codes().any(|it| cell.plain.contains(&format!("event {it}")));
            if side.is_none() && !resulting && !marked {
                continue;
            }
            let mut found = names(cell, &cell.plain, side.is_some() || resulting);
            if found.is_empty() && (side.is_some() || resulting) {
                found = listed(&cell.plain).into_iter().map(|it| (0, it)).collect();
            }
            for (_, name) in found {
                let event = note(notes, &name, row.line);
                place_in(event, side, who.as_deref());
            }
        }
    }
}

/// What a column of events says the service of a row to do with them: `Publishes`, `Events consumed`; not `Published by`, which has
/// services.
fn sent_or_taken(name: &Text) -> Option<Side> {
    let said = words::split(&name.plain);
    let of_parties =
        |it: &String| it == "by" || it.ends_with("er") || it.ends_with("ers") || it == "from" || it == "to";
    let subscribes =
        said.iter().any(|it| it.starts_with("subscri") || it.starts_with("listen") || it.starts_with("react"));
    let parties = said.iter().any(|it| of_parties(it) && !(subscribes && it == "to"));
    let short = said.len() <= 3;
    sides(&name.plain).first().map(|it| it.1).filter(|_| short && !parties)
}

/// Whether a column has what comes of its row.
fn says_results(name: &Text) -> bool {
    let said = words::split(&name.plain);
    let raises = ["raises", "emits", "publishes", "produces"].contains(&said.join(" ").as_str());
    let events = said.iter().any(|it| it == "event" || it == "events");
    let results = ["resulting", "raised", "emitted", "domain", "published", "produced"];
    raises || events && said.iter().any(|it| results.contains(&it.as_str()))
}
