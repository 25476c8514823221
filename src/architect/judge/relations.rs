//! Which things of a text hang together: by what stands between their names, where they stand, how they are called, and what public
//! data models do.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use serde_json::json;

use super::lexicon;
use super::named::Thing;
use super::owners::Headings;
use super::tags::Kind;
use super::trees::{self, Feature, ln, number, yes};
use super::units::{Form, Unit};
use crate::architect::notes::{Notes, RelationNote};
use crate::architect::{clauses, words};

/// From which chance on two things are told to be related.
const RELATED: f32 = 0.42;
/// Below which chance a relation is not told that a sentence says.
const HARDLY: f32 = 0.15;
/// Sentences with more things are lists of them.
const MOST: usize = 8;

/// Two things, and what was seen of both.
#[derive(Clone, Debug, Default)]
struct Pair {
    line: u32,
    times: usize,
    nearest: f32,
    seen: IndexMap<&'static str, f32>,
    /// How much says that the first has the second, and the other way round.
    has: [f32; 2],
}

impl Pair {
    fn see(&mut self, what: &'static str) {
        *self.seen.entry(what).or_insert(0.0) += 1.0;
    }
}

type Pairs = IndexMap<(usize, usize), Pair>;

/// Notes likely relations between things, and drops unlikely ones that sentences say.
pub(super) fn judge(notes: &mut Notes, units: &[Unit], things: &[Vec<Thing>], headings: &Headings) {
    let places: IndexMap<&str, usize> =
        notes.entities.iter().enumerate().map(|(at, it)| (it.name.as_str(), at)).collect();
    let mut found = said(units, things, headings, &places);
    named(notes, &mut found);
    let mut ruled: IndexMap<(usize, usize), Vec<usize>> = IndexMap::new();
    for (at, it) in notes.relations.iter().enumerate() {
        let (Some(a), Some(b)) = (places.get(it.source.as_str()), places.get(it.target.as_str())) else { continue };
        if a != b {
            let pair = (*a.min(b), *a.max(b));
            ruled.entry(pair).or_default().push(at);
            found.entry(pair).or_insert_with(|| Pair { line: it.line, ..Pair::default() });
        }
    }
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    let mut new: Vec<RelationNote> = Vec::new();
    for ((a, b), it) in &found {
        let known = ruled.get(&(*a, *b)).map_or(&[][..], Vec::as_slice);
        let features = of_relation(notes, (*a, *b), it, known);
        let chance = trees::RELATION.chance(&features);
        let names = [notes.entities[*a].name.clone(), notes.entities[*b].name.clone()];
        notes.trace("relation", || json!({"from": names[0], "to": names[1]}), chance, features);
        if known.is_empty() && chance >= RELATED {
            let [first, second] = names;
            let (source, target) = if it.has[1] > it.has[0] { (second, first) } else { (first, second) };
            let (kind, cardinality) =
                if (it.has[0] - it.has[1]).abs() < 0.1 { ("REFERENCES", "N:1") } else { ("HAS_MANY", "1:N") };
            new.push(RelationNote { source, target, kind, cardinality, line: it.line });
        } else if chance < HARDLY && !notes.is_short() {
            dropped.extend(known.iter().filter(|it| !is_declared(notes, &notes.relations[**it])));
        }
    }
    let mut at = 0;
    notes.relations.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
    notes.relations.extend(new);
}

/// Whether a field of a thing refers to the other one.
fn is_declared(notes: &Notes, relation: &RelationNote) -> bool {
    notes.known(&relation.source).is_some_and(|it| {
        it.fields.iter().any(|field| {
            field.line == relation.line && (!field.kind.is_empty() || field.name.to_ascii_lowercase().ends_with("id"))
        })
    })
}

/// Things that stand together in sentences, in lists below a sentence, and in sections below a heading.
fn said(units: &[Unit], things: &[Vec<Thing>], headings: &Headings, places: &IndexMap<&str, usize>) -> Pairs {
    let mut found = Pairs::new();
    for (at, unit) in units.iter().enumerate() {
        let own = &things[at];
        let place = |it: &Thing| places.get(it.name.as_str()).copied();
        for (first, one) in own.iter().enumerate().take(MOST) {
            for other in own.iter().take(MOST).skip(first + 1) {
                let (Some(a), Some(b)) = (place(one), place(other)) else { continue };
                if a == b {
                    continue;
                }
                let between = &unit.words[one.end..other.from];
                let pair = pair(&mut found, a, b, unit.line);
                let turned = usize::from(a > b);
                pair.times += 1;
                pair.nearest = pair.nearest.max(1.0 / (1.0 + number(between.len())));
                pair.see(match unit.form {
                    Form::Heading => "in heading",
                    Form::Paragraph => "in paragraph",
                    Form::Item => "in item",
                    Form::Cell | Form::Code => "in cell",
                });
                if own.len() == 2 {
                    pair.see("only two");
                }
                for (word, what, has) in BETWEEN {
                    if between.iter().any(|it| it.lower == *word) {
                        pair.see(what);
                        match has {
                            1 => pair.has[turned] += 1.0,
                            -1 => pair.has[1 - turned] += 1.0,
                            _ => {}
                        }
                    }
                }
                if between.iter().all(|it| matches!(it.kind, Kind::Joint | Kind::Determiner)) {
                    pair.see("joined");
                }
                if between.iter().any(|it| it.kind == Kind::Verb) {
                    pair.see("verb between");
                }
                if between.iter().any(|it| it.kind == Kind::Other) {
                    pair.see("mark between");
                }
                if between.is_empty() {
                    pair.see("next to each other");
                }
            }
        }
        let led = std::iter::successors(unit.lead, |it| units[*it].lead).find_map(|it| things[it].last());
        if let (Some(lead), Some(one)) = (led, own.first())
            && let (Some(a), Some(b)) = (place(lead), place(one))
            && a != b
        {
            let pair = pair(&mut found, a, b, unit.line);
            pair.see("lead");
            pair.has[usize::from(a > b)] += 0.5;
        }
        if unit.form != Form::Heading
            && let Some((name, _, up)) = headings.of_section(unit.section)
            && let Some(a) = places.get(name)
        {
            for one in own.iter().take(MOST) {
                let Some(b) = place(one).filter(|it| it != a) else { continue };
                let pair = pair(&mut found, *a, b, unit.line);
                pair.see(if up == 0 { "heading" } else { "heading above" });
                pair.has[usize::from(*a > b)] += 0.25;
            }
        }
    }
    found
}

/// Words between the names of two things, each with its feature, and whether the first has the second (1) or is of it (-1).
const BETWEEN: &[(&str, &str, i8)] = &[
    ("of", "of", -1),
    ("for", "for", -1),
    ("with", "with", 1),
    ("to", "to", -1),
    ("in", "in", -1),
    ("within", "in", -1),
    ("on", "on", -1),
    ("from", "from", -1),
    ("by", "by", -1),
    ("per", "per", -1),
    ("each", "each", 0),
    ("has", "has", 1),
    ("have", "has", 1),
    ("having", "has", 1),
    ("contains", "has", 1),
    ("contain", "has", 1),
    ("includes", "has", 1),
    ("include", "has", 1),
    ("owns", "has", 1),
    ("belongs", "belongs", -1),
    ("belong", "belongs", -1),
    ("linked", "linked", 0),
    ("associated", "linked", 0),
    ("assigned", "linked", 0),
    ("references", "linked", -1),
    ("multiple", "several", 1),
    ("many", "several", 1),
    ("several", "several", 1),
    ("more", "several", 1),
    ("one", "one", 0),
    ("'s", "genitive", 1),
    ("’s", "genitive", 1),
    ("their", "their", 1),
    ("its", "their", 1),
    ("and", "and", 0),
    ("or", "or", 0),
];

fn pair(found: &mut Pairs, a: usize, b: usize, line: u32) -> &mut Pair {
    found.entry((a.min(b), a.max(b))).or_insert_with(|| Pair { line, ..Pair::default() })
}

/// Things whose names say that they belong together: `Order` and `Order Item`.
fn named(notes: &Notes, found: &mut Pairs) {
    let by_name: IndexMap<&[String], usize> =
        notes.entities.iter().enumerate().map(|(at, it)| (it.words.as_slice(), at)).collect();
    for (at, it) in notes.entities.iter().enumerate() {
        for end in 1..it.words.len() {
            if let Some(other) = by_name.get(&it.words[..end]).filter(|other| **other != at) {
                let pair = pair(found, *other, at, it.line);
                pair.see("begins with");
                pair.has[usize::from(*other > at)] += 2.0;
            }
        }
    }
}

/// The features of two things, of which `ruled` are relations that readings have noted.
fn of_relation(notes: &Notes, (a, b): (usize, usize), it: &Pair, ruled: &[usize]) -> Vec<Feature> {
    let (one, other) = (&notes.entities[a], &notes.entities[b]);
    let noun = |of: &[String]| of.last().map_or("", String::as_str).to_owned();
    let key = |of: &[String]| of.concat();
    // How many data models give one of the things a member that is called like the other.
    let given = |of: &[String], member: &[String]| {
        let (models, plain) = lexicon::pair(&noun(of), &key(member));
        let (_, id) = lexicon::pair(&noun(of), &format!("{}id", key(member)));
        (number(plain.max(id)), number(plain.max(id)) / (number(models) + 3.0))
    };
    let ((first, share), (second, other_share)) = (given(&one.words, &other.words), given(&other.words, &one.words));
    let chance = |name: &str| notes.chances.get(&words::key(name)).copied().unwrap_or(1.0);
    let times = [notes.times(&one.words), notes.times(&other.words)];
    let declared = ruled.iter().filter(|it| is_declared(notes, &notes.relations[**it])).count();
    let found = [
        ("times", ln(it.times)),
        ("nearest", it.nearest),
        ("share", number(it.times) / number(times[0].min(times[1]).max(1))),
        ("given", (1.0 + first.max(second)).ln()),
        ("share given", share.max(other_share)),
        ("has", (it.has[0] - it.has[1]).abs()),
        ("ruled", yes(!ruled.is_empty())),
        ("declared", yes(declared > 0)),
        ("least chance", chance(&one.name).min(chance(&other.name))),
        ("passing", yes(one.in_passing) + yes(other.in_passing)),
        ("actors", yes(clauses::is_actor(&one.name)) + yes(clauses::is_actor(&other.name))),
        ("fewer times", ln(times[0].min(times[1]))),
        ("more times", ln(times[0].max(times[1]))),
        ("things", ln(notes.entities.len())),
        ("fields", ln(one.fields.len().min(other.fields.len()))),
        ("relations", ln(notes.relations.len())),
        ("ends alike", yes(one.words.last() == other.words.last())),
        ("described", yes(!one.in_passing && !other.in_passing)),
    ];
    let seen = it.seen.iter().map(|(name, count)| (*name, (1.0 + count).ln()));
    seen.chain(found).map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}
