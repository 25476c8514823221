//! Events in drawings: on arrows between two parties.

use rustc_hash::FxHashMap;

use super::names::is_event;
use super::{Side, note, parties_in, place_in};
use crate::architect::notes::Notes;

/// Arrows of sequence diagrams, longest first.
const ARROWS: &[&str] = &["-->>", "->>", "--)", "-)", "-->", "->"];

/// Those who send or take messages in a block of code that draws some, each with the number of its line from 0.
pub(in crate::architect) fn parties(code: &str) -> Vec<(&str, u32)> {
    let mut found = Vec::new();
    let mut draws = false;
    for (number, line) in (0..).zip(code.lines().map(str::trim)) {
        draws |= message(line).is_some();
        if let Some(named) = ["participant ", "actor "].iter().find_map(|it| line.strip_prefix(it)) {
            found.push((named.split_once(" as ").map_or(named, |it| it.1).trim(), number));
        } else if let Some((from, to)) = ends(line) {
            found.extend([(from, number), (to, number)]);
        }
    }
    found.truncate(if draws { found.len() } else { 0 });
    found
}

/// Reads a block of code as a drawing; `line` is that of the fence.
pub(super) fn read(notes: &mut Notes, code: &str, line: u32) {
    // `participant O as OrderService`
    let mut spelled: FxHashMap<&str, &str> = FxHashMap::default();
    for (number, text) in (line + 1..).zip(code.lines()) {
        let text = text.trim();
        let declared = ["participant ", "actor "].iter().find_map(|it| text.strip_prefix(it));
        if let Some((short, long)) = declared.and_then(|it| it.split_once(" as ")) {
            spelled.insert(short.trim(), long.trim());
            continue;
        }
        let Some((from, name, to)) = arrow(text).or_else(|| message(text)) else { continue };
        let full = |it: &str| spelled.get(it).map_or_else(|| it.to_owned(), |it| (*it).to_owned());
        let senders = parties_in(notes, &full(from));
        let takers = parties_in(notes, &full(to));
        let event = note(notes, name, number);
        senders.iter().for_each(|who| place_in(event, Some(Side::Sends), Some(who)));
        takers.iter().for_each(|who| place_in(event, Some(Side::Takes), Some(who)));
    }
}

/// The sender, event and takers of an arrow with the event on its line: `orders --OrderPlaced--> billing, mail`,
/// `Billing -->|InvoicePaid| Order`.
fn arrow(line: &str) -> Option<(&str, &str, &str)> {
    let (sender, rest) = line.split_once("--")?;
    let (name, takers) = match rest.strip_prefix(">|") {
        Some(rest) => rest.split_once('|')?,
        None => rest.split_once("-->").or_else(|| rest.split_once("->"))?,
    };
    let (sender, name) = (sender.trim(), name.trim().trim_matches('"'));
    let is_party = !sender.is_empty() && !sender.contains(|c: char| c.is_whitespace() || "[({\"".contains(c));
    let takers = takers.split(['(', '[']).next().unwrap_or(takers);
    (is_party && is_event(name, false, true) && name.starts_with(char::is_uppercase)).then_some((sender, name, takers))
}

/// The sender, event and taker of a message in a sequence: `Orders->>Bus: OrderPlaced`, `Orders->>Bus: publish order.placed`.
fn message(line: &str) -> Option<(&str, &str, &str)> {
    let (from, to) = ends(line)?;
    let (_, said) = line.split_once(':')?;
    let mut named = said.split_whitespace().map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()));
    let verbs = ["publish", "publishes", "emit", "emits", "event", "consume", "consumes", "raise", "raises", "produce"];
    let alone = said.split_whitespace().count() == 1;
    let told = alone || said.split_whitespace().any(|it| verbs.contains(&it.trim_matches(':').to_lowercase().as_str()));
    let name =
        named.find(|it| is_event(it, false, true) && (it.contains('.') || it.starts_with(char::is_uppercase)))?;
    told.then_some((from, name, to))
}

/// The two ends of a message in a sequence.
fn ends(line: &str) -> Option<(&str, &str)> {
    let (ends, _) = line.split_once(':')?;
    let (from, to) = ARROWS.iter().find_map(|it| ends.split_once(it))?;
    Some((from.trim(), to.trim_start_matches(['+', '-']).trim()))
}
