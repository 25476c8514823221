//! What things have: names in lists, each with the things whose member it may be.

use indexmap::IndexMap;

use super::frames::Frame;
use super::lists::{LONGEST_SENTENCE, has_type_behind, lists, members_of, plain};
use super::named::{Known, Thing};
use super::owners::{Headings, in_row, own, owners};
use super::tags::{Kind, Word};
use super::trees::{ln, number, yes};
use super::units::{Form, Unit};
use crate::architect::words;

/// What is seen of a name where the sentence says plainly which thing has it.
pub(super) const FRAMED: &str = "framed";

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

/// The candidates by the name of the thing and the key of the name.
pub(super) fn of(
    units: &[Unit],
    things: &[Vec<Thing>],
    headings: &Headings,
    known: &Known,
    frames: &[Vec<Frame>],
    somebody: Option<&str>,
) -> IndexMap<(String, String), Candidate> {
    let mut found = IndexMap::new();
    for (at, unit) in units.iter().enumerate() {
        let words = &unit.words;
        if words.len() > LONGEST_SENTENCE {
            continue;
        }
        compounds((at, unit), &things[at], known, &mut found);
        let item = unit.form == Form::Item && unit.first;
        let frames = &frames[at];
        for list in lists(unit) {
            // The thing that the sentence itself says to have what the list names.
            let owner_said = frames.iter().find(|it| it.from == list.from).and_then(|it| known.meant(&it.owner));
            let before = things[at].iter().rev().find(|it| it.end <= list.from);
            let mut owners = owners(units, things, headings, at, &list);
            owners.extend(somebody.and_then(|it| Some((it, own(words, &list)?))));
            owners.extend(in_row(units, things, at));
            owners.extend(owner_said.map(|it| (it, "subject")));
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
                    let as_code = unit.codes.contains(&name.text);
                    if as_code {
                        candidate.name.clone_from(&name.text);
                    }
                    let mut see = |what: &'static str, value: f32| {
                        let known = candidate.seen.entry(what).or_insert(0.0);
                        *known = known.max(value);
                    };
                    for (_, relation) in owners.iter().filter(|it| it.0 == *owner) {
                        see(relation, 1.0);
                    }
                    see(list.opened, 1.0);
                    if owner_said == Some(owner) && !name.other {
                        see(FRAMED, 1.0);
                    }
                    see("read otherwise", yes(name.other));
                    see("whole element", yes(name.whole));
                    see("set as code", yes(as_code));
                    see("type behind", yes(has_type_behind(words, name.end)));
                    see("in aside", yes(unit.aside));
                    if let Some(cell) = &unit.cell {
                        see("in typed table", cell.typed);
                        see("first of typed table", if cell.column == 0 && list.from == 0 { cell.typed } else { 0.0 });
                        see("in first column", yes(cell.column == 0));
                    }
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

pub(super) const HAVING: &[&str] = &[
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
    "captures",
    "comprises",
    "stores",
    "holds",
    "tracks",
    "records",
];

pub(super) fn said(unit: &Unit, of: &[&str]) -> bool {
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
        // `orders.total`, but `orders.find()`
        let is = |at: usize, mark: &str| words.get(at).is_some_and(|it| it.text == mark);
        let name = words.get(from + 1).filter(|it| is(from, ".") && it.text.starts_with(char::is_lowercase));
        if let Some(name) = name.filter(|_| !is(from + 2, "(") && !is(from + 2, ".")) {
            let candidate = candidate(found, &thing.name, &name.text, unit.line);
            candidate.times += 1;
            candidate.places.push((at, from + 1, from + 2));
            candidate.seen.insert("behind a point", 1.0);
            let as_code = unit.codes.contains(&format!("{}.{}", words[from - 1].text, name.text));
            candidate.seen.insert("behind a point of code", yes(as_code));
            continue;
        }
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
