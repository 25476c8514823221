//! States that lists and sentences tell: `Order: new, paid, shipped` below `State models:`, `Products may be active or
//! blocked`, `assign bugs as open, in-progress or closed`.

use super::{is_state, note, status};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::Notes;
use crate::architect::{fields, relations, words};

/// Whether what leads up to a list says that states follow.
pub(in crate::architect) fn leads(lead: &str) -> bool {
    const LONGEST: usize = 6;
    // The lead is looked at for each item below: a long lead is not split into words.
    let is_word = |it: &&str| it.contains(char::is_alphanumeric);
    if lead.split_whitespace().filter(is_word).nth(LONGEST).is_some() {
        return false;
    }
    let said = words::split(lead);
    lead.trim_end().trim_end_matches('*').ends_with(':')
        && said.len() <= LONGEST
        && said.iter().any(|it| ["state", "states", "status", "statuses", "lifecycle"].contains(&it.as_str()))
}

/// `Order: new, paid, shipped` in a list of states.
pub(super) fn listed(document: &Document, notes: &mut Notes, at: usize, text: &Text) {
    let block = &document.blocks[at];
    if !matches!(block.kind, Kind::Item(..)) || !document.lead(at).is_some_and(|lead| leads(&lead.plain)) {
        return;
    }
    let Some((label, rest)) = text.plain.split_once(':') else { return };
    let states: Vec<String> = fields::list(rest).into_iter().filter(|it| is_state(it)).collect();
    let owner = notes.known(label).map(|it| it.name.clone());
    if let Some(owner) = owner.filter(|_| states.len() >= 2) {
        status(notes, &owner, block.line);
        note(notes, &owner, states, Vec::new());
    }
}

/// `Orders may be `new`, `paid` or `shipped``, `mark bugs as open, in-progress or closed`, `Article status management
/// (draft/published/archived)`
pub(super) fn one_of(notes: &mut Notes, text: &str, line: u32) {
    for sentence in text.replace('\n', " ").split(". ") {
        let lower = sentence.to_ascii_lowercase();
        let be = [" may be ", " can be ", " is either ", " are either "]
            .iter()
            .find_map(|it| Some((lower.find(it)?, lower.find(it)? + it.len())));
        let set = || {
            let at = lower.find(" as ")?;
            let verbs = ["assign", "mark", "set", "flag", "classify"];
            let verb = words::split(&lower[..at]).iter().rev().take(4).any(|it| verbs.contains(&it.as_str()));
            verb.then_some((at, at + 4))
        };
        let in_brackets = || {
            let at = lower.find("status ")?;
            let open = lower[at..].find('(').map(|it| at + it)?;
            (lower[at..open].split_whitespace().count() <= 3).then_some((at, open + 1))
        };
        // `Job status: draft, active, closed`
        let behind = || {
            let mark = [" status: ", " statuses: "].into_iter().find(|it| lower.contains(it))?;
            lower.find(mark).map(|at| (at, at + mark.len()))
        };
        let Some((end, from)) = be.or_else(set).or_else(in_brackets).or_else(behind) else { continue };
        let (Some(before), Some(list)) = (sentence.get(..end), sentence.get(from..)) else { continue };
        let list = list.split([')', ';', ':']).next().unwrap_or(list);
        let states: Vec<String> = fields::list(list);
        let last = states.len().saturating_sub(1);
        // Behind the last there may be more: `or blocked for picking`.
        let states: Vec<String> = states
            .into_iter()
            .enumerate()
            .filter_map(|(at, it)| if at == last { it.split_whitespace().next().map(str::to_owned) } else { Some(it) })
            .collect();
        let fits = states
            .iter()
            .all(|it| is_state(it) && it.split_whitespace().count() == 1 && it.chars().all(|c| !c.is_numeric()));
        // What is done to it is no state: `can be created, edited or deleted`.
        let done = states.iter().filter(|it| words::participle(it).is_some()).count();
        if states.len() < 3 || !fits || be.is_some() && done == states.len() && !list.contains('`') {
            continue;
        }
        let subject = before.rsplit([',', ':']).next().unwrap_or(before);
        if let Some(owner) = relations::entities_in(notes, subject).pop() {
            status(notes, &owner, line);
            note(notes, &owner, states, Vec::new());
        }
    }
}
