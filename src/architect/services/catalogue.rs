//! Catalogues of services in YAML or JSON, which say what each service sends and takes.

use crate::contracts::tree::{self, Node};
use crate::text::FileId;

/// An event of a catalogue.
pub(in crate::architect) struct Entry {
    pub(in crate::architect) service: String,
    pub(in crate::architect) event: String,
    /// Whether the service sends the event rather than takes it.
    pub(in crate::architect) sends: bool,
    /// The number of the line in the block, from 0.
    pub(in crate::architect) line: u32,
}

/// Keys of what a service sends, and of what it takes.
#[rustfmt::skip]
const KEYS: &[(&str, bool)] = &[
    ("publishes", true), ("emits", true), ("produces", true), ("publish", true), ("produce", true), ("emit", true), ("events_published", true),
    ("events_emitted", true), ("publishedEvents", true), ("consumes", false), ("subscribes", false), ("subscribes_to", false),
    ("listens", false), ("listens_to", false), ("consume", false), ("subscribe", false), ("events_consumed", false), ("consumedEvents", false),
];

/// Objects within objects; what lies deeper is not looked at.
const DEEPEST: usize = 12;

/// The events of the catalogues in a block of code; none where the block is none or cannot be read.
pub(in crate::architect) fn read(language: &str, code: &str) -> Vec<Entry> {
    let fits = ["", "yaml", "yml", "json"].contains(&language);
    if !fits || !KEYS.iter().any(|(key, _)| code.contains(key)) {
        return Vec::new();
    }
    let read = tree::read(FileId(0), code);
    let mut found = Vec::new();
    if read.syntax_error().is_none() {
        let ends: Vec<usize> = code.match_indices('\n').map(|it| it.0).collect();
        of(&ends, "", &read.root, 0, &mut found);
    }
    found
}

/// The catalogue at a node that stands below a key; `ends` has where the lines end.
fn of(ends: &[usize], key: &str, node: &Node, depth: usize, found: &mut Vec<Entry>) {
    if depth > DEEPEST {
        return;
    }
    let named = ["name", "service", "id"].iter().find_map(|it| node.get(it)?.text());
    let service = named.unwrap_or(key);
    for (name, value) in node.entries() {
        let Some((_, sends)) = KEYS.iter().find(|it| it.0 == name.text) else {
            // `events: { publishes: […] }` is of the service around.
            let around = ["events", "messaging", "kafka", "topics"].contains(&name.text.as_str());
            of(ends, if around { service } else { &name.text }, value, depth + 1, found);
            continue;
        };
        let items = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
        for item in items {
            let named = || ["event", "name", "topic", "type"].iter().find_map(|it| item.get(it)?.text());
            let Some(event) = item.text().or_else(named).filter(|it| is_name(it) && is_name(service)) else { continue };
            let line = ends.partition_point(|it| *it < item.span.start as usize);
            let line = u32::try_from(line).unwrap_or(0);
            found.push(Entry { service: service.to_owned(), event: event.to_owned(), sends: *sends, line });
        }
    }
    for item in node.items() {
        of(ends, key, item, depth + 1, found);
    }
}

/// Whether a text may be the name of a service or of an event.
fn is_name(text: &str) -> bool {
    (2..=80).contains(&text.len())
        && text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c))
}
