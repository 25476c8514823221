//! Verbs and the things around them, however they stand to each other: `Devices: view + rename`, `course CRUD`, `response to
//! reviews`.

use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxHashMap;

use super::named::Thing;
use super::owners::Headings;
use super::tags::{self, Kind, Word};
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
    seen: Seen,
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
/// More things of one list, of one cell, are not all of what is done.
const THINGS: usize = 12;
/// What stands further away in a row is of something else.
const CELLS: usize = 24;

/// What is seen of a verb and a thing: features by name.
type Seen = Vec<(&'static str, f32)>;

/// A verb by its place in a sentence.
type Placed = (usize, (&'static str, Deed));

/// The pairs of a document by verb and name of the thing, in the order of the text.
pub(super) fn of(units: &[Unit], things: &[Vec<Thing>], headings: &Headings) -> IndexMap<(&'static str, String), Pair> {
    let verbs: Vec<Vec<Here>> = units.iter().zip(things).map(|(unit, own)| Here::all(unit, own)).collect();
    let rows = rows(units);
    let titles: FxHashMap<usize, usize> =
        units.iter().enumerate().filter(|(_, it)| it.form == Form::Heading).map(|(at, it)| (it.section, at)).collect();
    // The nearest sentence that leads to each and names a thing.
    let mut led: Vec<Option<usize>> = Vec::with_capacity(units.len());
    for unit in units {
        let above = unit.lead.and_then(|it| if things[it].is_empty() { led.get(it).copied()? } else { Some(it) });
        led.push(above);
    }
    let mut found = Found::default();
    for (at, unit) in units.iter().enumerate() {
        let own = &things[at];
        let alone = yes(own.is_empty());
        let led = led[at].and_then(|it| Some((it, things[it].last()?)));
        let heading = headings.of_section(unit.section);
        for here in &verbs[at] {
            for (thing, near, seen) in here.beside(own) {
                found.add(here, &thing.name, || words_of(unit, thing), near, seen);
            }
            if let Some((lead, thing)) = led.filter(|(lead, thing)| !is_asked_of(&units[*lead], thing)) {
                let seen = vec![("pair lead", 1.0), ("pair only lead", alone)];
                found.add(here, &thing.name, || words_of(&units[lead], thing), 0.1, seen);
            }
            if let Some((name, object, up)) = heading.as_ref().filter(|_| unit.form != Form::Heading) {
                let which = if *up == 0 { "pair heading" } else { "pair heading above" };
                let seen = vec![(which, 1.0), ("pair only heading", alone)];
                found.add(here, name, || object.to_vec(), 0.05, seen);
            }
            // `Customers, leads | create and view`
            let row = unit.cell.as_ref().and_then(|_| rows.get(&unit.line)).cloned().unwrap_or_default();
            let row = row.start.max(at.saturating_sub(CELLS))..row.end.min(at + CELLS + 1);
            let is_other = |it: &usize| *it != at && Some(*it) != unit.lead && units[*it].line == unit.line;
            for other in row.filter(is_other) {
                for thing in things[other].iter().take(THINGS) {
                    let seen = vec![("pair of row", 1.0), ("pair only row", alone)];
                    found.add(here, &thing.name, || words_of(&units[other], thing), 0.07, seen);
                }
            }
        }
        // The verbs that lead to a thing: `Admins can manage:` above `Teachers`, `Content management` above `News, pages`.
        let leads = unit.lead.or_else(|| titles.get(&unit.section).copied()).filter(|_| unit.form != Form::Heading);
        let Some(lead) = leads.filter(|_| unit.first && !own.is_empty()) else { continue };
        let begins = unit.words[..own[0].from].iter().all(|it| matches!(it.kind, Kind::Determiner | Kind::Adjective));
        for here in &verbs[lead] {
            let titled = here.unit.form == Form::Heading;
            for (nth, thing) in listed(&unit.words, own, 0).into_iter().enumerate() {
                let seen = vec![
                    (if titled { "pair titles" } else { "pair leads" }, 1.0),
                    ("pair leads on", yes(things[lead].last().is_none_or(|it| it.from <= here.place))),
                    ("pair leads alone", yes(things[lead].is_empty())),
                    ("pair leads colon", yes(here.unit.text.trim_end().ends_with(':'))),
                    ("pair led first", yes(nth == 0)),
                    ("pair led begins", yes(begins)),
                    ("pair led whole", yes(thing.end - thing.from == unit.words.len())),
                    ("pair led verbs", ln(verbs[at].first().map_or(0, |it| it.verbs))),
                    ("pair led siblings", ln(unit.siblings)),
                ];
                found.add(here, &thing.name, || words_of(unit, thing), 0.06, seen);
            }
        }
    }
    found.0
}

/// Pairs by verb and name of the thing, each with the places seen so far.
#[derive(Default)]
struct Found(IndexMap<(&'static str, String), Pair>);

impl Found {
    /// Adds a verb with a thing, which `object` says in the words of the text. What is seen where both are nearest stays.
    fn add(&mut self, here: &Here, thing: &str, object: impl Fn() -> Vec<String>, near: f32, seen: Seen) {
        let new = || Pair {
            verb: here.verb,
            thing: thing.to_owned(),
            object: object(),
            line: here.unit.line,
            sentence: here.unit.beginning().to_owned(),
            times: 0,
            near,
            seen: seen.into_iter().chain(here.seen.iter().copied()).collect(),
            said: Said::default(),
        };
        let known = match self.0.entry((here.verb.0, thing.to_owned())) {
            Entry::Vacant(place) => place.insert(new()),
            Entry::Occupied(place) => {
                let known = place.into_mut();
                if near > known.near {
                    let (times, said) = (known.times, known.said);
                    *known = Pair { times, said, ..new() };
                }
                known
            }
        };
        known.times += 1;
        known.said = Said {
            asked: known.said.asked + here.said.asked,
            begun: known.said.begun + here.said.begun,
            denied: known.said.denied + here.said.denied,
            reason: known.said.reason + here.said.reason,
            condition: known.said.condition + here.said.condition,
        };
    }
}

/// A verb in its sentence, with what is seen of the verb there whatever it is done to.
struct Here<'u> {
    unit: &'u Unit,
    place: usize,
    verb: (&'static str, Deed),
    /// How many verbs the sentence has.
    verbs: usize,
    /// From and to where verbs stand in a row with this one: `view, edit and delete`.
    row: Range<usize>,
    said: Said,
    seen: Seen,
}

impl<'u> Here<'u> {
    /// The first verbs of a sentence that says these things.
    fn all(unit: &'u Unit, things: &[Thing]) -> Vec<Self> {
        let all = verbs(&unit.words, things);
        let here = |(place, verb): &Placed| {
            let row = row(&unit.words, &all, *place);
            let mut seen = of_verb(unit, *place, all.len());
            seen.push(("pair row", ln(all.iter().filter(|it| row.contains(&it.0)).count())));
            Here { unit, place: *place, verb: *verb, verbs: all.len(), row, said: said_as(&unit.words, *place), seen }
        };
        all.iter().take(VERBS).map(here).collect()
    }

    /// The things of the sentence that the verb may be done to, each with how near and how the thing stands to the verb: the
    /// nearest behind it and before it, those listed with these, and the first.
    fn beside<'t>(&self, own: &'t [Thing]) -> Vec<(&'t Thing, f32, Seen)> {
        let (words, place, row) = (&self.unit.words, self.place, &self.row);
        let after = own.iter().position(|it| it.from > place);
        let before = own.iter().rposition(|it| it.end <= place);
        let first = before.filter(|it| *it > 0).map(|_| 0);
        let mut found = Vec::new();
        for (at, name) in [(after, "pair after"), (before, "pair before"), (first, "pair first")] {
            let Some(at) = at else { continue };
            let nearest = &own[at];
            let list = match name {
                "pair after" => listed(words, own, at),
                "pair before" => listed_before(words, own, at),
                _ => vec![nearest],
            };
            let between = if nearest.from > place { place + 1..nearest.from } else { nearest.end..place };
            let near = 1.0 / (1.0 + number(between.len()));
            // `create, edit and delete orders`: all of these are as near.
            let others = between.clone().filter(|it| !row.contains(it)).count();
            let between = &words[between];
            let has = |kind: Kind| yes(between.iter().any(|it| it.kind == kind));
            for thing in list.into_iter().filter(|it| !self.is_done_by(it)) {
                let seen = vec![
                    (name, 1.0),
                    (if name == "pair after" { "pair near after" } else { "pair near before" }, near),
                    ("pair near row", 1.0 / (1.0 + number(others))),
                    ("pair crossed", has(Kind::Other)),
                    ("pair colon", yes(between.iter().any(|it| it.text == ":"))),
                    ("pair by preposition", has(Kind::Preposition)),
                    ("pair joined", has(Kind::Joint)),
                    ("pair over verbs", has(Kind::Verb)),
                    ("pair over nouns", has(Kind::Noun)),
                    ("pair does", yes(between.iter().any(|it| it.kind == Kind::Auxiliary) && name != "pair after")),
                    ("pair listed", yes(thing.from != nearest.from)),
                ];
                found.push((thing, if thing.from == nearest.from { near } else { near * 0.9 }, seen));
            }
        }
        found
    }

    /// Whether the deed is the thing's own: `As a member I want to report damage`, `members can report damage`.
    fn is_done_by(&self, thing: &Thing) -> bool {
        let words = &self.unit.words;
        if thing.end > self.place {
            return false;
        }
        let before = words[..thing.from].iter().map(|it| it.lower.as_str());
        let story = before.clone().next() == Some("as") && before.skip(1).all(|it| ["a", "an", "the"].contains(&it));
        let between = &words[thing.end..self.place];
        let passive = between.iter().any(|it| ["be", "get", "been"].contains(&it.lower.as_str()))
            && !between.iter().any(|it| it.lower == "able");
        story || between.first().is_some_and(|it| tags::MODALS.contains(&it.lower.as_str())) && !passive
    }
}

/// Whether a sentence leads to what the thing can do: `A tutor should be able to:`.
fn is_asked_of(lead: &Unit, thing: &Thing) -> bool {
    let behind = lead.words.get(thing.end);
    behind.is_some_and(|it| tags::MODALS.contains(&it.lower.as_str()))
        && lead.words[thing.end..].iter().all(|it| it.kind != Kind::Noun && it.kind != Kind::Determiner)
}

/// The words that say a thing.
fn words_of(unit: &Unit, thing: &Thing) -> Vec<String> {
    unit.words[thing.from..thing.end].iter().map(|it| it.text.clone()).collect()
}

/// A thing and those that a list joins to it from there on: `orders, customers and suppliers`.
fn listed<'t>(words: &[Word], own: &'t [Thing], at: usize) -> Vec<&'t Thing> {
    let goes_on = |it: &&[Thing]| is_list(words, &it[0], &it[1]);
    let more = own[at..].windows(2).take_while(goes_on).count();
    own[at..=at + more].iter().take(THINGS).collect()
}

/// A thing and those that a list joins to it up to there.
fn listed_before<'t>(words: &[Word], own: &'t [Thing], at: usize) -> Vec<&'t Thing> {
    let goes_on = |it: &&[Thing]| is_list(words, &it[0], &it[1]);
    let more = own[..=at].windows(2).rev().take_while(goes_on).count();
    own[at - more..=at].iter().rev().take(THINGS).collect()
}

/// Whether nothing but commas and words that join stands between two things.
fn is_list(words: &[Word], one: &Thing, next: &Thing) -> bool {
    let between = &words[one.end..next.from];
    let joins = |it: &Word| it.kind == Kind::Joint;
    between.iter().any(joins)
        && between.iter().all(|it| joins(it) || matches!(it.kind, Kind::Determiner | Kind::Adjective))
}

/// From and to where the cells of a row stand, by the line of the row.
fn rows(units: &[Unit]) -> FxHashMap<u32, Range<usize>> {
    let mut found: FxHashMap<u32, Range<usize>> = FxHashMap::default();
    for (at, unit) in units.iter().enumerate().filter(|(_, it)| it.cell.is_some()) {
        found.entry(unit.line).or_insert(at..at).end = at + 1;
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
fn row(words: &[Word], verbs: &[Placed], at: usize) -> Range<usize> {
    let is_verb = |at: usize| verbs.binary_search_by_key(&at, |it| it.0).is_ok();
    let in_row = |at: &usize| words[*at].kind == Kind::Joint || is_verb(*at);
    let from = (0..at).rev().take_while(in_row).last().unwrap_or(at);
    let end = (at + 1..words.len()).take_while(in_row).last().unwrap_or(at);
    (from..at).find(|it| is_verb(*it)).unwrap_or(at)..(at..=end).rfind(|it| is_verb(*it)).unwrap_or(at) + 1
}

/// What is seen of a verb where it stands.
fn of_verb(unit: &Unit, at: usize, verbs: usize) -> Seen {
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
fn verbs(words: &[Word], things: &[Thing]) -> Vec<Placed> {
    let inside = |at: usize| {
        let next = things.partition_point(|it| it.end <= at);
        things.get(next).is_some_and(|it| it.from <= at)
    };
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
