//! The things that sentences say, wherever they stand.

use rustc_hash::FxHashMap;

use super::lists::plain;
use super::tags::{Kind, Word};
use super::units::Unit;
use crate::architect::notes::Notes;
use crate::architect::words;

/// The places of the noted things by their keys.
pub(super) struct Known {
    places: FxHashMap<String, usize>,
    names: Vec<String>,
}

impl Known {
    pub(super) fn of(notes: &Notes) -> Self {
        let mut places = FxHashMap::default();
        for (at, it) in notes.entities.iter().enumerate() {
            places.entry(words::key(&it.name)).or_insert(at);
        }
        Self { places, names: notes.entities.iter().map(|it| it.name.clone()).collect() }
    }

    /// The name of the thing that words mean, by all of them, else by those at the end.
    pub(super) fn meant(&self, name: &str) -> Option<&str> {
        let words: Vec<&str> = name.split(' ').collect();
        let at = (0..words.len()).find_map(|from| self.at(&words[from..].join(" ")))?;
        self.names.get(at).map(String::as_str)
    }

    /// The place of the thing that a name means.
    pub(super) fn at(&self, name: &str) -> Option<usize> {
        self.places.get(&words::key(name)).copied()
    }
}

/// The things that the sentences of a document say.
pub(super) fn said_things(units: &[Unit], notes: &Notes) -> Vec<Vec<Thing>> {
    let known = Known::of(notes);
    units.iter().map(|it| things(notes, &known, &it.words)).collect()
}

/// A thing that words mean.
#[derive(Debug)]
pub(super) struct Thing {
    pub(super) from: usize,
    pub(super) end: usize,
    pub(super) name: String,
}

/// Names of things have no more words.
const LONGEST: usize = 8;

/// Labels have no more words.
const LABEL: usize = 3;

/// The things that a sentence says.
fn things(notes: &Notes, known: &Known, words: &[Word]) -> Vec<Thing> {
    let named = |name: &str| known.at(name).map(|it| notes.entities[it].name.clone());
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at].kind != Kind::Noun {
            // A label names a thing whatever kind of word it may be elsewhere: `Order: id, total`, `Round` above its columns.
            let end = (at + 1..words.len().min(at + LONGEST)).find(|it| words[*it].kind == Kind::Other);
            let label = Some(end.unwrap_or(words.len())).filter(|it| at == 0 && *it <= LABEL);
            let name = label.and_then(|end| Some((end, named(&plain(&words[at..end]))?)));
            if let Some((end, name)) = name {
                found.push(Thing { from: at, end, name });
                at = end;
            } else {
                at += 1;
            }
            continue;
        }
        let end = (at..words.len()).find(|it| words[*it].kind != Kind::Noun).unwrap_or(words.len());
        // The longest name at the end of the row of nouns, else one at the beginning of the row.
        let mut hit = None;
        for from in at.max(end.saturating_sub(LONGEST))..end {
            if let Some(name) = named(&plain(&words[from..end])) {
                hit = Some(Thing { from, end, name });
                break;
            }
        }
        if hit.is_none() {
            hit = joined(&words[end - 1].text).find_map(|it| named(&it)).map(|name| Thing { from: end - 1, end, name });
        }
        if hit.is_none() {
            for to in (at + 1..end.min(at + LONGEST)).rev() {
                if let Some(name) = named(&plain(&words[at..to])) {
                    hit = Some(Thing { from: at, end: to, name });
                    break;
                }
            }
        }
        found.extend(hit);
        at = end;
    }
    found
}

/// The names that a name written as code begins with, the longest first: `Transaction Data`, `Transaction` of `TransactionDataTable`.
fn joined(name: &str) -> impl Iterator<Item = String> {
    let parts = if name.chars().skip(1).any(char::is_uppercase) { words::split(name) } else { Vec::new() };
    (1..parts.len().min(LONGEST)).rev().map(move |it| parts[..it].join(" "))
}
