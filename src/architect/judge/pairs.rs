//! Verbs and the things around them, however they stand to each other: `Devices: view + rename`, `course CRUD`, `response to
//! reviews`.

use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;

use super::named::Thing;
use super::owners::Headings;
use super::tags::{Kind, Word};
use super::trees::{Feature, ln, number, yes};
use super::units::{Form, Unit};
use crate::architect::words::{self, Deed};

/// A verb with a thing that it may be done to, at the place where both are nearest.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) verb: (&'static str, Deed),
    pub(super) thing: String,
    /// The thing in the words of the text.
    pub(super) object: Vec<String>,
    pub(super) line: u32,
    pub(super) sentence: String,
    times: usize,
    near: f32,
    seen: Vec<(&'static str, f32)>,
    /// How the deed is said at all places together.
    said: Said,
}

/// How often a deed is asked for, begins its sentence, is denied, given as a reason or as a condition.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    asked: usize,
    begun: usize,
    denied: usize,
    reason: usize,
    condition: usize,
}

impl Pair {
    pub(super) fn features(&self) -> Vec<Feature> {
        let share = |it: usize| number(it) / number(self.times.max(1));
        let said = self.said;
        let times = [
            ("paired", ln(self.times)),
            ("pair asked", ln(said.asked)),
            ("pair begun", ln(said.begun)),
            ("pair denied", share(said.denied)),
            ("pair as reason", share(said.reason)),
            ("pair as condition", share(said.condition)),
        ];
        self.seen.iter().chain(&times).map(|(name, value)| (Cow::Borrowed(*name), *value)).collect()
    }
}

/// More verbs of one sentence are no list of deeds.
const VERBS: usize = 10;

/// The pairs of a document by verb and name of the thing, in the order of the text.
pub(super) fn of(units: &[Unit], things: &[Vec<Thing>], headings: &Headings) -> IndexMap<(&'static str, String), Pair> {
    let mut found: IndexMap<(&'static str, String), Pair> = IndexMap::new();
    for (at, unit) in units.iter().enumerate() {
        let own = &things[at];
        let verbs = verbs(&unit.words, own);
        let led = std::iter::successors(unit.lead, |it| units[*it].lead).find_map(|it| Some((it, things[it].last()?)));
        let heading = headings.of_section(unit.section);
        for (place, verb) in verbs.iter().take(VERBS) {
            let row = row(&unit.words, &verbs, *place);
            let mut pair = |thing: &str, object: Vec<String>, near: f32, seen: Vec<(&'static str, f32)>| {
                let mut seen = seen;
                let how = said_as(&unit.words, *place);
                seen.extend(of_verb(unit, *place, verbs.len()));
                seen.push(("pair row", ln(verbs.iter().filter(|it| row.contains(&it.0)).count())));
                let new = Pair {
                    verb: *verb,
                    thing: thing.to_owned(),
                    object,
                    line: unit.line,
                    sentence: unit.text.clone(),
                    times: 0,
                    near,
                    seen,
                    said: Said::default(),
                };
                let known = found.entry((verb.0, thing.to_owned())).or_insert_with(|| new.clone());
                let (times, said) = (known.times + 1, known.said);
                if near > known.near {
                    *known = new;
                }
                known.times = times;
                known.said = Said {
                    asked: said.asked + how.asked,
                    begun: said.begun + how.begun,
                    denied: said.denied + how.denied,
                    reason: said.reason + how.reason,
                    condition: said.condition + how.condition,
                };
            };
            let after = own.iter().find(|it| it.from > *place);
            let before = own.iter().rev().find(|it| it.end <= *place);
            let first = own.first().filter(|it| it.end <= *place && before.is_some_and(|near| near.from != it.from));
            for (thing, name) in [(after, "pair after"), (before, "pair before"), (first, "pair first")] {
                let Some(thing) = thing else { continue };
                let between = if thing.from > *place { *place + 1..thing.from } else { thing.end..*place };
                let near = 1.0 / (1.0 + number(between.len()));
                // `create, edit and delete orders`: all of these are as near.
                let others = between.clone().filter(|it| !row.contains(it)).count();
                let words = &unit.words[between];
                let seen = vec![
                    (name, 1.0),
                    (if name == "pair after" { "pair near after" } else { "pair near before" }, near),
                    ("pair near row", 1.0 / (1.0 + number(others))),
                    ("pair crossed", yes(words.iter().any(|it| it.kind == Kind::Other))),
                    ("pair colon", yes(words.iter().any(|it| it.text == ":"))),
                    ("pair by preposition", yes(words.iter().any(|it| it.kind == Kind::Preposition))),
                    ("pair joined", yes(words.iter().any(|it| it.kind == Kind::Joint))),
                    ("pair over verbs", yes(words.iter().any(|it| it.kind == Kind::Verb))),
                    ("pair over nouns", yes(words.iter().any(|it| it.kind == Kind::Noun))),
                    ("pair does", yes(words.iter().any(|it| it.kind == Kind::Auxiliary) && name != "pair after")),
                ];
                let object = unit.words[thing.from..thing.end].iter().map(|it| it.text.clone()).collect();
                pair(&thing.name, object, near, seen);
            }
            let alone = yes(own.is_empty());
            if let Some((lead, thing)) = led {
                let object = units[lead].words[thing.from..thing.end].iter().map(|it| it.text.clone()).collect();
                pair(&thing.name, object, 0.1, vec![("pair lead", 1.0), ("pair only lead", alone)]);
            }
            if let Some((name, object, up)) = heading.as_ref().filter(|_| unit.form != Form::Heading) {
                let which = if *up == 0 { "pair heading" } else { "pair heading above" };
                pair(name, object.to_vec(), 0.05, vec![(which, 1.0), ("pair only heading", alone)]);
            }
        }
    }
    found
}

/// How a sentence says the deed of one of its verbs: `can cancel`, `cannot cancel`, `so that they cancel`, `when they cancel`.
fn said_as(words: &[Word], at: usize) -> Said {
    const DENIES: &[&str] = &["no", "not", "cannot", "can't", "never", "without", "nor", "neither", "don't", "doesn't"];
    const ASKS: &[&str] =
        &["can", "shall", "must", "should", "may", "will", "want", "wants", "able", "allow", "allows", "let", "lets"];
    const CONDITIONS: &[&str] =
        &["when", "if", "once", "after", "before", "upon", "while", "until", "unless", "whenever", "during"];
    let before = &words[..at];
    let has = |of: &[&str]| before.iter().any(|it| of.contains(&it.lower.as_str()));
    // The clause of the verb says whether the deed is a condition: in `When an order arrives, staff can confirm the order` it is none.
    let clause = before.iter().rposition(|it| it.text == ",").map_or(before, |it| &before[it..]);
    let in_clause = |of: &[&str]| clause.iter().any(|it| of.contains(&it.lower.as_str()));
    let reason = before.windows(2).any(|it| {
        it[0].lower == "so" && ["that", "i", "they", "we"].contains(&it[1].lower.as_str())
            || it[0].lower == "in" && it[1].lower == "order"
    });
    let denied = has(DENIES);
    let begun = before.iter().all(|it| matches!(it.kind, Kind::Other | Kind::Adverb | Kind::Joint | Kind::Verb));
    Said {
        asked: usize::from(has(ASKS) && !denied && !reason),
        begun: usize::from(begun && words[at].kind == Kind::Verb),
        denied: usize::from(denied),
        reason: usize::from(reason || has(&["because"])),
        condition: usize::from(in_clause(CONDITIONS)),
    }
}

/// From and to where verbs stand in a row with this one: `view, edit and delete`.
fn row(words: &[Word], verbs: &[(usize, (&'static str, Deed))], at: usize) -> Range<usize> {
    let is_verb = |at: usize| verbs.binary_search_by_key(&at, |it| it.0).is_ok();
    let in_row = |at: &usize| words[*at].kind == Kind::Joint || is_verb(*at);
    let from = (0..at).rev().take_while(in_row).last().unwrap_or(at);
    let end = (at + 1..words.len()).take_while(in_row).last().unwrap_or(at);
    (from..at).find(|it| is_verb(*it)).unwrap_or(at)..(at..=end).rfind(|it| is_verb(*it)).unwrap_or(at) + 1
}

/// What is seen of a verb where it stands.
fn of_verb(unit: &Unit, at: usize, verbs: usize) -> Vec<(&'static str, f32)> {
    let word = &unit.words[at];
    let begins = at == 0 || unit.words[at - 1].kind == Kind::Other;
    vec![
        ("pair as verb", yes(word.kind == Kind::Verb)),
        ("pair as noun", yes(word.kind == Kind::Noun)),
        ("pair ing", yes(word.lower.ends_with("ing"))),
        ("pair ed", yes(word.lower.ends_with("ed"))),
        ("pair noun too", yes(words::is_noun_too(&word.lower))),
        ("pair begins", yes(begins)),
        ("pair may", yes(unit.words[..at].iter().any(|it| it.kind == Kind::Auxiliary))),
        ("pair to", yes(at > 0 && unit.words[at - 1].kind == Kind::To)),
        ("pair verbs", ln(verbs)),
        ("pair words", ln(unit.words.len())),
        (
            match unit.form {
                Form::Heading => "pair in heading",
                Form::Paragraph => "pair in paragraph",
                Form::Item => "pair in item",
                Form::Cell | Form::Code => "pair in cell",
            },
            1.0,
        ),
    ]
}

/// The words of a sentence that say what is done, and are no part of the name of a thing.
fn verbs(words: &[Word], things: &[Thing]) -> Vec<(usize, (&'static str, Deed))> {
    let inside = |at: usize| things.iter().any(|it| it.from <= at && at < it.end);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(at, _)| !inside(*at)) {
        let lower = word.lower.as_str();
        let verb = match word.kind {
            _ if lower == "crud" => words::verb("manage"),
            Kind::Verb => words::verb(lower).or_else(|| words::participle(lower)).or_else(|| words::verbal_noun(lower)),
            Kind::Noun => words::deed_of(lower).or_else(|| words::verb(lower).filter(|(base, _)| *base == lower)),
            Kind::Adjective | Kind::Other | Kind::Preposition => {
                words::verb(lower).filter(|_| words::is_only_verb(lower))
            }
            _ => None,
        };
        found.extend(verb.map(|it| (at, it)));
    }
    found
}
