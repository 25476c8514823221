//! What things have: lists of nouns, and of which thing each list tells.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon;
use super::tags::{Kind, Word};
use super::trees::{ln, number, yes};
use super::units::{Form, Unit};
use crate::architect::document::Document;
use crate::architect::notes::Notes;
use crate::architect::resources::ENVELOPE;
use crate::architect::words;

/// A name that may be that of a member of a thing, with everything that was seen of both.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) times: usize,
    /// Where the name was seen: the sentence, the first word of the name there, and the word behind the last.
    pub(super) places: Vec<(usize, usize, usize)>,
    /// What was seen, and how clearly at best.
    pub(super) seen: IndexMap<&'static str, f32>,
}

/// Nouns in a row: `title, due date and priority`.
#[derive(Debug)]
struct List {
    /// Where the list begins and ends among the words of its sentence.
    from: usize,
    end: usize,
    names: Vec<Name>,
    opened: &'static str,
}

/// A name in a list: where its words stand, and how it reads.
#[derive(Debug)]
struct Name {
    from: usize,
    end: usize,
    text: String,
    /// Read another way than word by word: `start date` of `start/end date`, `cover letter` where `cover` may be a verb.
    other: bool,
}

/// What headings name.
pub(super) struct Headings<'d> {
    document: &'d Document,
    /// The name of the thing and its words, by section.
    named: Vec<Option<(String, Vec<String>)>>,
    /// The last thing that a heading names where the heading names several: `Profile (freelancer)`.
    last: Vec<Option<String>>,
    /// The thing that the story of a section is about: `I want to report a shelter`.
    stories: Vec<Option<String>>,
}

impl<'d> Headings<'d> {
    pub(super) fn of(document: &'d Document, units: &[Unit], things: &[Vec<Thing>]) -> Self {
        let mut named = vec![None; document.sections.len()];
        let mut last: Vec<Option<String>> = vec![None; document.sections.len()];
        for (unit, things) in units.iter().zip(things).filter(|(it, _)| it.form == Form::Heading) {
            let words = |it: &Thing| unit.words[it.from..it.end].iter().map(|it| it.text.clone()).collect();
            named[unit.section] = things.first().map(|it| (it.name.clone(), words(it)));
            last[unit.section] = things.last().filter(|_| things.len() > 1).map(|it| it.name.clone());
        }
        let mut stories: Vec<Option<String>> = vec![None; document.sections.len()];
        for (unit, things) in units.iter().zip(things) {
            let wants = |it: &[Word]| ["want", "wants", "like"].contains(&it[0].lower.as_str()) && it[1].lower == "to";
            let wanted = unit.words.windows(2).position(wants).filter(|_| stories[unit.section].is_none());
            let Some(at) = wanted else { continue };
            stories[unit.section] = things.iter().find(|it| it.from > at).map(|it| it.name.clone());
        }
        Self { document, named, last, stories }
    }

    /// The thing that the story of a section, or of the one around it, is about.
    fn story(&self, section: usize) -> Option<&str> {
        let parent = self.document.sections[section].parent;
        [section, parent].into_iter().find_map(|it| self.stories[it].as_deref())
    }

    /// The thing that the heading of a section or one around it names, its words, and how many headings lie between.
    pub(super) fn of_section(&self, mut section: usize) -> Option<(&str, &[String], usize)> {
        for up in 0..4 {
            if let Some(Some((name, words))) = self.named.get(section) {
                return Some((name, words, up));
            }
            let parent = self.document.sections[section].parent;
            if parent == section {
                break;
            }
            section = parent;
        }
        None
    }
}

/// The places of the noted things by their keys.
pub(super) struct Known(FxHashMap<String, usize>);

impl Known {
    pub(super) fn of(notes: &Notes) -> Self {
        let mut places = FxHashMap::default();
        for (at, it) in notes.entities.iter().enumerate() {
            places.entry(words::key(&it.name)).or_insert(at);
        }
        Self(places)
    }

    /// The place of the thing that a name means.
    pub(super) fn at(&self, name: &str) -> Option<usize> {
        self.0.get(&words::key(name)).copied()
    }
}

/// The things that the sentences of a document say.
pub(super) fn said_things(units: &[Unit], notes: &Notes) -> Vec<Vec<Thing>> {
    let known = Known::of(notes);
    units.iter().map(|it| things(notes, &known, &it.words)).collect()
}

/// What has more words is data, not a sentence that says what a thing has.
const LONGEST_SENTENCE: usize = 400;

/// The candidates by the name of the thing and the key of the name.
pub(super) fn of(
    units: &[Unit],
    things: &[Vec<Thing>],
    headings: &Headings,
    known: &Known,
) -> IndexMap<(String, String), Candidate> {
    let mut found = IndexMap::new();
    for (at, unit) in units.iter().enumerate() {
        let words = &unit.words;
        if words.len() > LONGEST_SENTENCE {
            continue;
        }
        compounds((at, unit), &things[at], known, &mut found);
        let item = unit.form == Form::Item && unit.first;
        for list in lists(unit) {
            let before = things[at].iter().rev().find(|it| it.end <= list.from);
            let owners = owners(units, things, headings, at, &list);
            let near_before = before.map(|it| list.from - it.end);
            let lexical = members_of(&list, words);
            let of_things = list.names.iter().filter(|it| known.at(&it.text).is_some()).count();
            let has = words[..list.from].iter().any(|it| HAVING.contains(&it.lower.as_str()));
            let of_fields = |it: &Word| FIELDS.contains(&words::singular(&it.lower).as_str());
            let before_colon =
                |it: &&Word| !matches!(it.kind, Kind::Other | Kind::Determiner | Kind::Adverb | Kind::Adjective);
            let labelled =
                list.opened == "colon" && words[..list.from].iter().rev().find(before_colon).is_some_and(of_fields);
            let led = unit.lead.is_some_and(|it| {
                units[it].words.iter().rev().find(|it| it.kind != Kind::Other).is_some_and(of_fields)
            });
            let verb = words[..list.from]
                .iter()
                .rev()
                .find(|it| it.kind == Kind::Verb)
                .and_then(|it| words::verb(&it.lower))
                .map(|it| it.1);
            let mut names: Vec<&str> = owners.iter().map(|it| it.0).collect();
            names.sort_unstable();
            names.dedup();
            for owner in &names {
                for name in &list.names {
                    let candidate = candidate(&mut found, owner, &name.text, unit.line);
                    candidate.times += 1;
                    candidate.places.push((at, name.from, name.end));
                    let mut see = |what: &'static str, value: f32| {
                        let known = candidate.seen.entry(what).or_insert(0.0);
                        *known = known.max(value);
                    };
                    for (_, relation) in owners.iter().filter(|it| it.0 == *owner) {
                        see(relation, 1.0);
                    }
                    see(list.opened, 1.0);
                    see("read otherwise", yes(name.other));
                    see("of many words", yes(words[name.from..name.end].iter().any(|it| it.kind == Kind::Preposition)));
                    let size = list.names.len();
                    see("size", ln(size));
                    see("alone", yes(size == 1));
                    see("others like members", lexical);
                    see("others are things", number(of_things) / number(size));
                    see("has", yes(has));
                    see("behind label of fields", yes(labelled));
                    see("below label of fields", yes(led));
                    see("owners", number(names.len()));
                    see("only owner", yes(names.len() == 1));
                    if let Some(near) = near_before.filter(|_| before.is_some_and(|it| it.name == *owner)) {
                        see("near", 1.0 / (1.0 + number(near)));
                    }
                    see("all of it", yes(list.from <= 1 && list.end + 1 >= words.len()));
                    see(
                        match unit.form {
                            Form::Heading => "in heading",
                            Form::Paragraph => "in paragraph",
                            Form::Item => "in item",
                            Form::Cell => "in cell",
                            Form::Code => "in code",
                        },
                        1.0,
                    );
                    match verb {
                        Some(words::Deed::Create) => see("made", 1.0),
                        Some(words::Deed::Update) => see("changed", 1.0),
                        Some(words::Deed::Read | words::Deed::Tell) => see("read", 1.0),
                        Some(words::Deed::Delete) => see("deleted", 1.0),
                        Some(_) => see("acted", 1.0),
                        None => see("no verb", 1.0),
                    }
                    if item {
                        see("siblings", ln(unit.siblings));
                        see("short siblings", number(unit.short_siblings) / number(unit.siblings.max(1)));
                        if list.opened == "begins" {
                            see("item itself", 1.0);
                            see("short item", yes(unit.length <= 6));
                        }
                    }
                }
            }
        }
    }
    found
}

/// The things that may have what a list names, each with how the thing stands to the list; one may stand in several ways.
fn owners<'t>(
    units: &[Unit],
    things: &'t [Vec<Thing>],
    headings: &'t Headings,
    at: usize,
    list: &List,
) -> Vec<(&'t str, &'static str)> {
    let unit = &units[at];
    let words = &unit.words;
    let mut found: Vec<(&str, &'static str)> = Vec::new();
    let own = &things[at];
    if let Some(thing) = own.iter().rev().find(|it| it.end <= list.from) {
        let name = thing.name.as_str();
        found.push((name, "before"));
        if list.from - thing.end <= 2 {
            found.push((name, "just before"));
        }
        if words[thing.end..list.from].iter().any(|it| it.text == ":") {
            found.push((name, "label"));
        }
        if words.get(thing.end).is_some_and(|it| ["'s", "’s"].contains(&it.lower.as_str())) {
            found.push((name, "genitive"));
        }
    }
    if let Some(first) = own.first().filter(|it| it.end <= list.from) {
        found.push((&first.name, "first"));
        if words.get(first.end).is_some_and(|it| it.kind == Kind::Auxiliary) {
            found.push((&first.name, "subject"));
        }
    }
    if let Some(thing) = own.iter().find(|it| it.from >= list.end) {
        let near = thing.from <= list.end + 3;
        found.push((
            &thing.name,
            match words.get(list.end).map(|it| it.lower.as_str()) {
                Some("of") if near => "of",
                Some("for" | "about" | "per" | "in" | "on" | "to") if near => "for",
                _ => "after",
            },
        ));
    }
    let mut lead = unit.lead;
    let mut step = 0;
    while let Some(above) = lead {
        if let Some(thing) = things[above].last() {
            let name = thing.name.as_str();
            found.push((name, if step == 0 { "lead" } else { "lead above" }));
            if step == 0 && things[above].len() == 1 {
                found.push((name, "only of lead"));
            }
            if step == 0 && said(&units[above], HAVING) {
                found.push((name, "lead has"));
            }
            found.extend(made(&units[above], &things[above]).map(|it| (it, "lead makes")));
            break;
        }
        lead = units[above].lead;
        step += 1;
    }
    found.extend(made(unit, own).map(|it| (it, "makes")));
    found.extend(label(units, things, at).map(|it| (it, "item label")));
    found.extend(headings.story(unit.section).filter(|_| unit.form == Form::Item).map(|it| (it, "story")));
    if let Some((name, _, up)) = headings.of_section(unit.section).filter(|_| !is_within(units, things, at)) {
        found.push((name, if up == 0 { "heading" } else { "heading above" }));
    }
    found.extend(headings.last[unit.section].as_deref().map(|it| (it, "heading last")));
    // What the sentence before was about.
    if let Some(last) =
        at.checked_sub(1).filter(|it| units[*it].section == unit.section && units[*it].form == unit.form)
        && unit.form == Form::Paragraph
        && let Some(thing) = things[last].first()
    {
        found.push((&thing.name, "sentence before"));
    }
    found
}

/// Whether a line of code belongs to an object within another one rather than to what the heading names: `bio` in
/// `profile: { bio: String }`.
fn is_within(units: &[Unit], things: &[Vec<Thing>], at: usize) -> bool {
    let above = units[at].lead.filter(|it| units[at].form == Form::Code && units[*it].form == Form::Code);
    above.is_some_and(|it| {
        let named = units[it].words.iter().find(|it| it.kind == Kind::Noun);
        let wraps = named.is_none_or(|it| ENVELOPE.contains(&it.text.as_str()));
        if wraps { is_within(units, things, it) } else { things[it].is_empty() }
    })
}

/// The thing that the item or cell of a sentence begins with, before what explains the thing: `Variant: A size of a product. Has its
/// own price.`
fn label<'t>(units: &[Unit], things: &'t [Vec<Thing>], at: usize) -> Option<&'t str> {
    let block = |it: &usize| units[*it].line == units[at].line && units[*it].form == Form::Item;
    let first = (0..=at).rev().take_while(block).find(|it| units[*it].first)?;
    let thing = things[first].first().filter(|it| it.from == 0)?;
    let next = units[first].words.get(thing.end)?;
    [":", "–", "—", "-"].contains(&next.text.as_str()).then_some(thing.name.as_str())
}

/// The thing that a sentence says is made: `proposal` in `Freelancers submit a proposal on a project`.
fn made<'t>(unit: &Unit, things: &'t [Thing]) -> Option<&'t str> {
    let words = &unit.words;
    let making = |it: &Thing| {
        let verb = words[..it.from].iter().rev().find(|it| !matches!(it.kind, Kind::Determiner | Kind::Adjective))?;
        matches!(words::verb(&verb.lower)?.1, words::Deed::Create | words::Deed::Manage).then_some(())
    };
    things.iter().find(|it| making(it).is_some()).map(|it| it.name.as_str())
}

/// Words before a list of the members of a thing: `Input: name, email`.
const FIELDS: &[&str] = &[
    "field",
    "input",
    "data",
    "detail",
    "attribute",
    "information",
    "column",
    "property",
    "parameter",
    "form",
    "info",
    "metadata",
];

const HAVING: &[&str] = &[
    "with",
    "has",
    "have",
    "include",
    "includes",
    "including",
    "contains",
    "contain",
    "containing",
    "following",
    "enter",
    "provide",
    "providing",
    "specify",
    "specifying",
    "consists",
];

fn said(unit: &Unit, of: &[&str]) -> bool {
    unit.words.iter().any(|it| of.contains(&it.lower.as_str()))
}

fn candidate<'f>(
    found: &'f mut IndexMap<(String, String), Candidate>,
    owner: &str,
    name: &str,
    line: u32,
) -> &'f mut Candidate {
    found.entry((owner.to_owned(), words::key(name))).or_insert_with(|| Candidate {
        owner: owner.to_owned(),
        name: name.to_owned(),
        line,
        ..Candidate::default()
    })
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

/// The things that a sentence says.
fn things(notes: &Notes, known: &Known, words: &[Word]) -> Vec<Thing> {
    let named = |name: &str| known.at(name).map(|it| notes.entities[it].name.clone());
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at].kind != Kind::Noun {
            at += 1;
            continue;
        }
        let end = (at..words.len()).find(|it| words[*it].kind != Kind::Noun).unwrap_or(words.len());
        // The longest name at the end of the nouns, else one that they begin with.
        let mut hit = None;
        for from in at.max(end.saturating_sub(LONGEST))..end {
            if let Some(name) = named(&plain(&words[from..end])) {
                hit = Some(Thing { from, end, name });
                break;
            }
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

fn plain(words: &[Word]) -> String {
    words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The lists of a sentence: where each begins and ends, and which share of its names is called like members.
pub(super) fn rows(unit: &Unit) -> Vec<(usize, usize, f32)> {
    let several = |it: &&List| it.names.len() >= 2;
    lists(unit).iter().filter(several).map(|it| (it.from, it.end, members_of(it, &unit.words))).collect()
}

/// The share of the names of a list that are called like members, from 0 to 1.
fn members_of(list: &List, words: &[Word]) -> f32 {
    list.names.iter().map(|it| member_like(&words[it.from..it.end])).sum::<f32>() / number(list.names.len().max(1))
}

fn member_like(name: &[Word]) -> f32 {
    let Some(last) = name.last() else { return 0.0 };
    yes(lexicon::is_member(&words::singular(&last.lower)) || words::is_common(&last.lower))
}

/// `order status`, where orders are things.
fn compounds(
    (at, unit): (usize, &Unit),
    things: &[Thing],
    known: &Known,
    found: &mut IndexMap<(String, String), Candidate>,
) {
    let words = &unit.words;
    for thing in things {
        let mut from = thing.end;
        let genitive = words.get(from).is_some_and(|it| ["'s", "’s"].contains(&it.lower.as_str()));
        if genitive {
            from += 1;
        }
        let to = (from..words.len())
            .find(|it| !(words[*it].kind == Kind::Noun || genitive && words[*it].kind == Kind::Adjective))
            .unwrap_or(words.len());
        if from >= to || to - from > 2 || known.at(&plain(&words[thing.from..to])).is_some() {
            continue;
        }
        let candidate = candidate(found, &thing.name, &plain(&words[from..to]), unit.line);
        candidate.times += 1;
        candidate.places.push((at, from, to));
        candidate.seen.insert(if genitive { "said as its" } else { "compound" }, 1.0);
        if unit.form == Form::Heading {
            candidate.seen.insert("compound in heading", 1.0);
        }
        let verb = words[..thing.from].last().filter(|it| it.kind == Kind::Verb).and_then(|it| words::verb(&it.lower));
        match verb.map(|it| it.1) {
            Some(words::Deed::Update) => candidate.seen.insert("compound changed", 1.0),
            Some(words::Deed::Read) => candidate.seen.insert("compound read", 1.0),
            Some(_) => candidate.seen.insert("compound acted", 1.0),
            None => None,
        };
    }
}

/// Nouns in a row, each with adjectives before it, and single nouns.
fn lists(unit: &Unit) -> Vec<List> {
    let words = &unit.words;
    let mut found: Vec<List> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((from, end)) = name_at(words, at) else {
            at += 1;
            continue;
        };
        let mut spans = vec![(from, end)];
        let mut to = end;
        // What goes on behind commas and joints; brackets between names explain the name before.
        loop {
            let mut next = to;
            if words.get(next).is_some_and(|it| it.text == "(")
                && let Some(close) = (next..words.len().min(next + 14)).find(|it| words[*it].text == ")")
                && words.get(close + 1).is_some_and(|it| it.kind == Kind::Joint)
            {
                next = close + 1;
            }
            if words.get(next).is_none_or(|it| it.kind != Kind::Joint) {
                break;
            }
            while words.get(next).is_some_and(|it| matches!(it.kind, Kind::Joint | Kind::Adverb)) {
                next += 1;
            }
            let Some(name) = name_at(words, next) else { break };
            spans.push(name);
            to = name.1;
        }
        let alone = spans.len() == 1;
        found.push(List { from, end: to, names: named(words, &spans), opened: opened(words, from) });
        at = if alone { end } else { at.max(end) };
        // Brackets within the list may hold lists of their own.
        if !alone {
            let inner = words[end..to].iter().position(|it| it.text == "(");
            at = inner.map_or(to, |it| end + it);
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|it| seen.insert((it.from, it.end)));
    found
}

/// The names of a list by their spans, and other ways to read them.
fn named(words: &[Word], spans: &[(usize, usize)]) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::with_capacity(spans.len());
    for (at, (from, end)) in spans.iter().copied().enumerate() {
        let text = plain(&words[from..end]);
        let mut other = |text: String| found.push(Name { from, end, text, other: true });
        // `start/end date`
        if let Some((next, last)) = spans.get(at + 1).copied()
            && end - from == 1
            && last - next == 2
            && ["date", "time", "dates", "times"].contains(&words[last - 1].lower.as_str())
        {
            other(format!("{text} {}", words[last - 1].text));
        }
        // `Cover letter, amount`: what is written like a verb may be part of a name.
        if at == 0 && from == 1 && words[0].kind == Kind::Verb && words::is_noun_too(&words[0].lower) {
            other(plain(&words[0..end]));
        }
        found.push(Name { from, end, text, other: false });
    }
    found
}

/// A name that begins here: `the due date`, without the article; `date of birth`.
fn name_at(words: &[Word], mut at: usize) -> Option<(usize, usize)> {
    while words.get(at).is_some_and(|it| it.kind == Kind::Determiner && !it.lower.starts_with('\'')) {
        at += 1;
    }
    let adjectives = (at..words.len()).find(|it| words[*it].kind != Kind::Adjective).unwrap_or(words.len());
    let nouns_from = |from: usize| (from..words.len()).find(|it| words[*it].kind != Kind::Noun).unwrap_or(words.len());
    let mut end = nouns_from(adjectives);
    let mut from = at;
    // `optional description`
    while from + 1 < end && is_sort(&words[from].lower) {
        from += 1;
    }
    let fits = end > adjectives && end - from <= 4;
    if fits
        && end - from == 1
        && OF.contains(&words::singular(&words[from].lower).as_str())
        && words.get(end).is_some_and(|it| it.lower == "of")
    {
        let to = nouns_from(end + 1);
        end = if to > end + 1 && to <= end + 3 { to } else { end };
    }
    // `days remaining`
    let rest = words.get(end).filter(|it| ["remaining", "left"].contains(&it.lower.as_str()));
    if rest.is_some() && words.get(end + 1).is_none_or(|it| matches!(it.kind, Kind::Joint | Kind::Other)) {
        end += 1;
    }
    fits.then_some((from, end))
}

/// Nouns that are members only with what they are of: `date of birth`, `number of rooms`.
const OF: &[&str] = &[
    "date", "number", "place", "year", "time", "type", "proof", "point", "method", "mode", "country", "reason", "area",
];

/// Whether a word says which of several, and is no part of a name.
fn is_sort(lower: &str) -> bool {
    words::is_determiner(lower) && !["full", "first", "last", "current", "initial", "next", "previous"].contains(&lower)
        || ["optional", "required", "detailed", "unique", "basic", "relevant"].contains(&lower)
}

fn opened(words: &[Word], from: usize) -> &'static str {
    let mut before = from;
    while before > 0
        && (matches!(words[before - 1].kind, Kind::Determiner | Kind::Adverb) || is_sort(&words[before - 1].lower))
    {
        before -= 1;
    }
    let Some(last) = before.checked_sub(1).map(|it| &words[it]) else { return "begins" };
    match last.lower.as_str() {
        "(" | "[" | "{" => "bracket",
        ":" | "-" | "–" | "—" => "colon",
        "with" => "with",
        "including" | "include" | "includes" | "contains" | "containing" | "has" | "have" | "as" | "like" => "includes",
        "by" => "by",
        "of" => "of which",
        "for" | "in" | "on" | "to" | "from" | "at" => "preposition",
        _ => match last.kind {
            Kind::Verb => "verb",
            Kind::Joint => "joint",
            Kind::Auxiliary => "is",
            _ => "else",
        },
    }
}
