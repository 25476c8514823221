//! Names of events: how texts spell them and by what a reader tells them from other names.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::architect::document::Text;
use crate::architect::words;

use super::{key, says_events, side};

/// What a name behind it is the name of, rather than of an event.
const CARRIERS: &[&str] = &["queue", "exchange", "format", "pattern", "convention", "database", "bus"];

/// What names end with that carry messages and are none: `shop.events`, `billing.dlq`.
const CARRYING: &[&str] = &[
    "events", "commands", "messages", "retry", "dlx", "dlq", "queue", "queues", "exchange", "stream", "bus", "topic",
    "topics",
];

/// Whether a name is one of what carries messages.
pub(super) fn carries(name: &str) -> bool {
    words::split(name).last().is_some_and(|it| CARRYING.contains(&it.as_str()))
}

/// The most events of one sentence: with more, the sentence is generated, and is not searched to its end.
pub(super) const MOST: usize = 200;

/// No name of an event has more words.
const MOST_WORDS: usize = 6;

/// Names of events in a sentence: `order.created`, `OrderPlaced`, `payment-failed-event`, and any code where only events
/// are listed. Each with its place.
pub(super) fn names(text: &Text, sentence: &str, listed: bool) -> Vec<(usize, String)> {
    let marked: FxHashSet<&str> = text.codes().chain(text.strongs()).collect();
    let mut found: IndexMap<String, (usize, String)> = IndexMap::new();
    let mut from = 0;
    let mut before = "";
    for word in sentence.split(|c: char| c.is_whitespace() || ",()[]{}|`*\"'/:;→".contains(c)) {
        let clean = word.trim_matches(['.', '`', '*', '"', '\'', '<', '>']);
        let at = sentence.get(from..).and_then(|rest| rest.find(clean)).map_or(from, |at| from + at);
        // The queue `billing.orders` takes messages and is none.
        let beside = (sentence.get(..at).unwrap_or(""), sentence.get(at + clean.len()..).unwrap_or(""));
        // `shop_shared/events.py`
        let in_path = clean.contains('_') && (beside.0.ends_with('/') || beside.1.starts_with('/'));
        let carries = CARRIERS.contains(&before.to_ascii_lowercase().as_str()) && !ends_past(&words::split(clean));
        if !clean.is_empty() {
            before = clean;
        }
        if !clean.is_empty() && !carries && !in_path && is_event(clean, marked.contains(&clean), listed) {
            found.entry(key(clean)).or_insert_with(|| (at, clean.to_owned()));
        }
        if found.len() >= MOST {
            break;
        }
        from = at;
    }
    found.into_values().collect()
}

/// Names set as code of which a sentence says that they are sent: `` `StockLow` is published ``.
pub(super) fn sent(text: &Text, sentence: &str) -> Vec<(usize, String)> {
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
    let found = text.codes().filter(pascal).take(MOST).filter_map(|it| Some((sentence.find(it)?, it)));
    found.filter(|(at, name)| is_sent(*at, name)).map(|(at, name)| (at, name.to_owned())).collect()
}

/// Names behind the word itself: ``Kafka topics `orders_in`, `orders_out` ``.
pub(super) fn topics_in(text: &Text, sentence: &str) -> Vec<(usize, String)> {
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
    let found = codes.take(MOST).filter_map(|code| {
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
pub(super) fn protocol(text: &Text, sentence: &str) -> Vec<(usize, String)> {
    let lower = sentence.to_ascii_lowercase();
    let said =
        ["messages include ", "messages are ", "messages: ", "message types: "].iter().find_map(|it| lower.find(it));
    let ways = sentence.split_once(':').and_then(|(label, _)| {
        let (from, to) = label.split_once('→').or_else(|| label.split_once("->"))?;
        let short = |it: &str| (1..=2).contains(&it.split_whitespace().count());
        (short(from) && short(to)).then_some(label.len())
    });
    let Some(at) = said.or(ways) else { return Vec::new() };
    let named = text.codes().take(MOST).filter_map(|code| {
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

pub(super) fn is_event(word: &str, marked: bool, listed: bool) -> bool {
    // `board:updated` of a socket; elsewhere `state:closed` is a key and its value.
    let parts = word.split(':').filter(|it| !it.is_empty()).count();
    if marked && listed && (2..=3).contains(&parts) && !word.contains(['.', '{', '/']) {
        return is_event(&word.replace(':', "."), marked, listed);
    }
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
    if !simple || file || carries(word) || word.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let past = ends_past(&words) || words.len() > 1 && words.last().is_some_and(|it| it == "event");
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

/// Whether the words of a name end with what has happened: `order placed`, `volunteer checked in`.
fn ends_past(words: &[String]) -> bool {
    const BEHIND: &[&str] = &["in", "off", "out", "up", "on", "down", "back", "over"];
    match words {
        [.., past, last] if BEHIND.contains(&last.as_str()) && is_past(past) => true,
        [.., last] => is_past(last),
        [] => false,
    }
}

/// Whether a word says that something has happened.
pub(super) fn is_past(word: &str) -> bool {
    // `role-based` says how something is.
    let says_how =
        ["feed", "need", "based", "related", "oriented", "enabled", "powered", "assisted", "focused", "speed"];
    word.len() > 3 && word.ends_with("ed") && !says_how.contains(&word)
        || [
            "sent",
            "paid",
            "made",
            "sold",
            "lost",
            "won",
            "built",
            "begun",
            "out",
            "met",
            "done",
            "low",
            "run",
            "failure",
            "success",
            "lent",
            "given",
            "taken",
            "chosen",
            "written",
            "withdrawn",
            "overdue",
            "bought",
            "reset",
            "drawn",
            "frozen",
            "overridden",
            "rewritten",
            "resent",
            "due",
        ]
        .contains(&word)
            && word.len() > 2
}

/// Names that are written as a person says them, between commas: `Order placed, Payment failed`. None unless most of them say that
/// something has happened.
pub(super) fn listed(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.trim().trim_end_matches('.').split([',', ';', '\n']).map(spoken).collect();
    let happened = parts.iter().filter(|it| has_happened(it)).count();
    let is_name = |it: &&str| {
        it.starts_with(char::is_alphabetic)
            && (2..=MOST_WORDS).contains(&words::split(it).len())
            && it.chars().all(|c| c.is_alphanumeric() || " -_.".contains(c))
    };
    if happened * 2 <= parts.len() || !parts.iter().all(is_name) {
        return Vec::new();
    }
    parts.into_iter().map(str::to_owned).collect()
}

/// A name without what a text says of it: `Order placed (by a clerk)`, `Order placed — mails the buyer`.
fn spoken(part: &str) -> &str {
    let part = part.split(['(', '—', '–', ':']).next().unwrap_or(part);
    let part = part.split(" - ").next().unwrap_or(part).trim().trim_matches(['`', '*', '"', '“', '”', '.']);
    part.strip_prefix("and ").unwrap_or(part).trim()
}

/// Whether a name says that something has happened to a thing: `Order placed`, not `Placed orders` or `is placed`.
fn has_happened(name: &str) -> bool {
    let said: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let [first, _, ..] = said.as_slice() else { return false };
    // `Event published` is said of any of them.
    let any = ["event", "events", "message", "messages"].contains(&first.as_str());
    let helps = ["is", "are", "was", "were", "be", "been", "not", "must", "can", "has", "have"];
    // `Show books lent` does something; a `copy archived` is a copy.
    let is_verb = words::verb(first).is_some_and(|(base, _)| base == *first && !words::is_noun_too(base));
    let does = is_verb && !is_past(&said[1]);
    ends_past(&said) && !is_past(first) && !does && !any && !said.iter().any(|it| helps.contains(&it.as_str()))
}

/// The names behind a label of events, `Domain events: Order placed, Order shipped`, `Publishes: Order placed`; in a step of a flow,
/// `Event: Order placed → Policy: …`; and of a flow that consists of them, `Order placed → Order paid → Order shipped`.
pub(super) fn labelled(text: &str) -> Vec<String> {
    let steps: Vec<&str> = text.split(['→', '⇒', '|']).flat_map(|it| it.split("->")).collect();
    let behind = |step: &&str| {
        let (label, rest) = step.split_once(':')?;
        let label = label.trim().trim_matches(['*', '`', ' ']);
        let short = label.split_whitespace().count() <= 4;
        (short && (says_events(label) || side(label).is_some())).then(|| listed(rest))
    };
    let found: Vec<String> = steps.iter().filter_map(behind).flatten().collect();
    let flow = || steps.iter().skip(1).flat_map(|it| it.split(" / ")).map(spoken);
    let happened = flow().filter(|it| has_happened(it)).count();
    if found.is_empty() && happened >= 3 && happened * 4 >= flow().count() * 3 {
        // The first step may stand behind what introduces the flow.
        let first = steps[0].rsplit(['\n', ':', ')']).next().map(spoken).into_iter();
        return first.chain(flow()).filter(|it| has_happened(it)).map(str::to_owned).collect();
    }
    found
}

/// Names in quotes that a sentence calls events: `raises an "Order placed" event`.
pub(super) fn quoted(sentence: &str) -> Vec<String> {
    let sentence = sentence.replace(['“', '”'], "\"");
    let parts: Vec<&str> = sentence.split('"').collect();
    let called = |behind: &str| ["event", "message"].iter().any(|it| behind.trim_start().starts_with(it));
    let inner = parts.iter().zip(parts.iter().skip(1)).skip(1).step_by(2);
    inner.filter(|(_, behind)| called(behind)).flat_map(|(name, _)| listed(name)).collect()
}

/// Names of messages of sockets, set as code: `message:send`. Each with its place.
pub(super) fn of_sockets(text: &Text, sentence: &str) -> Vec<(usize, String)> {
    let is_name = |it: &&str| {
        it.contains(':')
            && it.split(':').all(|it| it.len() >= 2 && it.chars().all(|c| c.is_ascii_lowercase() || "_-".contains(c)))
    };
    text.codes().filter(is_name).take(MOST).filter_map(|it| Some((sentence.find(it)?, it.to_owned()))).collect()
}
