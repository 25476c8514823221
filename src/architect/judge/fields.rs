//! Which names are members of which things.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::around::{Around, For};
use super::frames::Frame;
use super::lexicon::{self, Use};
use super::members::{self, Candidate};
use super::mentions::Found;
use super::named::{Known, Thing};
use super::owners::Headings;
use super::tags::{self, Kind};
use super::thoughts::{OfMember, Thoughts};
use super::trees::{self, Feature, ln, number, yes};
use super::units::Unit;
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::resources::tells_messages_apart;
use crate::architect::{clauses, fields, words};

/// From which chance on a name is told as a field.
const HAS: f32 = 0.40;
/// Below which chance a field is not told that a reading has noted without a type.
const HARDLY: f32 = 0.35;

/// How likely at least a name is a field that a sentence plainly says a thing to have.
const FRAMED: f32 = 0.7;

/// How many data models names and pairs were counted in.
const MODELS: f32 = 367.0;

/// Where names stand in a sentence, from and to which word, each with the chance that the name is a field.
type Readings = Vec<(usize, usize, f32)>;

/// Names that may be members of things, each with how likely it is one.
pub(super) struct Weighed {
    /// By the names of things and the keys of names.
    found: IndexMap<(String, String), Candidate>,
    /// In the same order.
    chances: Vec<f32>,
    /// Keys of the fields of each thing, in their order.
    keys: FxHashMap<String, Vec<String>>,
}

impl Weighed {
    /// What a second reading is told of the first.
    pub(super) fn thoughts(self) -> Vec<OfMember> {
        let told = |(((owner, key), it), chance): (((String, String), Candidate), f32)| OfMember {
            owner,
            key,
            line: it.line,
            chance,
        };
        self.found.into_iter().zip(self.chances).map(told).collect()
    }
}

/// What a text says, for whoever looks for members in it.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) units: &'t [Unit],
    pub(super) all: &'t Found,
    pub(super) around: &'t Around,
    /// By sentence.
    pub(super) frames: &'t [Vec<Frame>],
}

/// Weighs all names that may be members of the noted things.
pub(super) fn weigh(
    notes: &mut Notes,
    text: Text,
    things: &[Vec<Thing>],
    headings: &Headings,
    thoughts: Option<&Thoughts>,
) -> Weighed {
    let Text { units, all, around, frames } = text;
    let (model, trees) = match thoughts {
        None => ("first member", &trees::FIRST_MEMBER),
        Some(_) => ("member", &trees::MEMBER),
    };
    let known = Known::of(notes);
    // The thing that signs in has the members that a sentence says of its speaker.
    let somebody = ["User", "Account", "UserAccount"].into_iter().find_map(|it| known.at(it));
    let somebody = somebody.map(|it| notes.entities[it].name.clone());
    let mut found = members::of(units, things, headings, &known, frames, somebody.as_deref());
    let mut keys: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for (at, entity) in notes.entities.iter().enumerate() {
        // Of things whose names have one key, the first is meant.
        if known.at(&entity.name) != Some(at) {
            continue;
        }
        let own = keys.entry(entity.name.clone()).or_default();
        for field in &entity.fields {
            let key = words::key(&field.name);
            found.entry((entity.name.clone(), key.clone())).or_insert_with(|| Candidate {
                owner: entity.name.clone(),
                name: field.name.clone(),
                line: field.line,
                ..Candidate::default()
            });
            own.push(key);
        }
    }
    let mut chances: Vec<f32> = Vec::with_capacity(found.len());
    for ((owner, key), it) in &found {
        let place = keys.get(owner).and_then(|it| it.iter().position(|it| it == key));
        let ruled = known.at(owner).and_then(|it| notes.entities[it].fields.get(place?));
        let mut features = of_member(notes, all, it, &known, ruled);
        let said = around.member(owner, &it.name, &it.places, it.line);
        features.push(("around".into(), around.weight(For::Member, &said)));
        features.extend(thoughts.into_iter().flat_map(|thoughts| thoughts.member(owner, key, it.line)));
        let mut chance = trees.chance(&features);
        // A member of several is told of each: a name that is a thing of its own is one of these.
        if it.seen.contains_key(members::FRAMED) && known.at(&it.name).is_none() {
            chance = chance.max(FRAMED);
        }
        let about = || {
            // The words around are learnt from in the first reading.
            let around = if thoughts.is_none() { around.told(&said) } else { Vec::new() };
            json!({"owner": owner, "name": it.name, "line": it.line, "around": around})
        };
        notes.trace(model, about, chance, features);
        chances.push(chance);
    }
    Weighed { found, chances, keys }
}

/// Notes likely members of things as fields, and drops unlikely fields that have no type. Of several things that may have what
/// one line names, the likeliest has it.
pub(super) fn note(notes: &mut Notes, weighed: Weighed) {
    let Weighed { found, chances, mut keys } = weighed;
    let known = Known::of(notes);
    let hardly = if notes.is_short() { 0.0 } else { HARDLY };
    // The places of names that may be fields of one thing, each with the chance: one place has one name.
    let mut readings: FxHashMap<(&str, usize), Readings> = FxHashMap::default();
    let mut best: FxHashMap<(u32, String), f32> = FxHashMap::default();
    // What a reading has noted of a thing on one line stands or falls together.
    let mut together: FxHashMap<(String, u32), f32> = FxHashMap::default();
    for (((owner, key), it), chance) in found.iter().zip(&chances) {
        let place = keys.get(owner).and_then(|it| it.iter().position(|it| it == key));
        let ruled = known.at(owner).and_then(|it| notes.entities[it].fields.get(place?));
        let top = best.entry((it.line, key.clone())).or_insert(0.0);
        *top = top.max(*chance);
        if let Some(field) = ruled {
            let top = together.entry((owner.clone(), field.line)).or_insert(0.0);
            *top = top.max(*chance);
        }
        // What a reading has noted stands before other ways to read the same words.
        let chance = if ruled.is_some() && *chance >= hardly { 1.0 } else { *chance };
        if chance >= HAS {
            for (unit, from, end) in &it.places {
                readings.entry((owner, *unit)).or_default().push((*from, *end, chance));
            }
        }
    }
    // `delivery` and `delivery selection` at one place: the likelier reading is meant.
    let is_meant = |owner: &str, it: &Candidate, chance: f32| {
        let free = |(unit, from, end): &(usize, usize, usize)| {
            let here = readings.get(&(owner, *unit)).into_iter().flatten();
            !here.into_iter().any(|(start, stop, other)| start < end && from < stop && *other > chance)
        };
        it.places.is_empty() || it.places.iter().any(free)
    };
    let meant: Vec<bool> =
        found.iter().zip(&chances).map(|(((owner, _), it), chance)| is_meant(owner, it, *chance)).collect();
    drop(readings);
    for ((((owner, key), it), chance), meant) in found.into_iter().zip(chances).zip(meant) {
        let of_message =
            tells_messages_apart(&key) && !["event", "message"].iter().any(|it| words::key(&owner).ends_with(it));
        let told =
            meant && !of_message && chance >= HAS && best.get(&(it.line, key.clone())).is_none_or(|top| chance >= *top);
        let place = known.at(&owner).filter(|it| notes.entities[*it].name == owner);
        let (Some(place), Some(own)) = (place, keys.get_mut(&owner)) else { continue };
        let entity = &mut notes.entities[place];
        match own.iter().position(|it| *it == key) {
            None if told && !has(&words::key(&owner), own, &key) && !is_typed(own, &it.name) => {
                let as_code = it.seen.get("set as code").is_some_and(|it| *it > 0.0);
                let name = if as_code { it.name.clone() } else { named(&it.name) };
                entity.field(FieldNote { name, line: it.line, ..FieldNote::default() });
                own.extend((entity.fields.len() > own.len()).then_some(key));
            }
            Some(at)
                if chance < hardly
                    && entity.fields.get(at).is_some_and(|field| {
                        let unlikely = together.get(&(owner, field.line)).is_none_or(|it| *it < hardly);
                        field.kind.is_empty() && !field.stated && unlikely
                    }) =>
            {
                entity.fields.remove(at);
                own.remove(at);
            }
            _ => {}
        }
    }
}

/// Whether a name is that of a field with its type behind: `label text` of a thing with a `label`.
fn is_typed(fields: &[String], name: &str) -> bool {
    name.rsplit_once(' ').is_some_and(|(name, kind)| fields::is_type(kind) && fields.contains(&words::key(name)))
}

/// Whether the field of a key is among the fields of a thing under another name: `orderTitle` of an order with a `title`,
/// `orderId` of an order with an `id`. All by their keys.
fn has(owner: &str, fields: &[String], key: &str) -> bool {
    let key = without(owner, key);
    fields.iter().any(|it| without(owner, it) == key)
}

fn without<'k>(owner: &str, key: &'k str) -> &'k str {
    key.strip_prefix(owner).filter(|it| !it.is_empty()).unwrap_or(key)
}

/// A name in lower case, unless the text writes the name as code: `dueDate`.
fn named(name: &str) -> String {
    let code = !name.contains(' ') && name.contains(char::is_lowercase) && name.chars().skip(1).any(char::is_uppercase);
    if code { name.to_owned() } else { name.to_lowercase() }
}

/// The features of a name and the thing that may have a member of it.
fn of_member(notes: &Notes, all: &Found, it: &Candidate, things: &Known, ruled: Option<&FieldNote>) -> Vec<Feature> {
    let parts = words::split(&it.name);
    let last = parts.last().map(|it| words::singular(it)).unwrap_or_default();
    let used = lexicon::noun(&last).unwrap_or_default();
    let key = words::key(&it.name);
    let known = things.at(&it.owner).map(|it| &notes.entities[it]);
    let owner = known.map(|it| words::key(&it.name)).unwrap_or_default();
    let described = known.is_some_and(|it| it.fields.iter().any(|it| !it.kind.is_empty()));
    let mentions = all.nouns.get(&key);
    let tagged = tags::tagged(&it.name);
    // `order number` of an order is its `number`.
    let own = without(&owner, &key);
    let named = lexicon::name(&key);
    let named =
        if own == key { named } else { Use { members: named.members.max(lexicon::name(own).members), ..named } };
    let noun = words::split(&it.owner).last().map(|it| words::singular(it)).unwrap_or_default();
    let (models, given) = lexicon::pair(&noun, &key);
    let given = given.max(lexicon::pair(&noun, own).1);
    let expected = number(models) * number(named.members) / MODELS;
    let found = [
        ("whole name member", ln(named.members)),
        ("whole name thing", ln(named.things)),
        ("given", ln(given)),
        ("share given", number(given) / (number(models) + 3.0)),
        ("given over expected", ((number(given) + 0.3) / (expected + 0.3)).ln()),
        ("owner in models", ln(models)),
        ("times", ln(it.times)),
        ("seen as member", yes(it.times > 0)),
        ("things", ln(used.things)),
        ("members", ln(used.members)),
        ("unknown", yes(used.things + used.members == 0)),
        ("common", yes(words::is_common(&last))),
        ("common and listed", yes(words::is_common(&last) && it.seen.get("size").is_some_and(|it| *it > 1.3))),
        ("is a thing", yes(things.at(&it.name).is_some())),
        ("common thing", yes(lexicon::domains(&key) > 0)),
        ("chance", notes.chances.get(&key).copied().unwrap_or(0.0)),
        ("chance of owner", notes.chances.get(&owner).copied().unwrap_or(0.0)),
        ("owner in passing", yes(known.is_some_and(|it| it.in_passing))),
        ("owner described", yes(described)),
        ("owner has some", ln(known.map_or(0, |it| it.fields.len()))),
        ("owner is actor", yes(clauses::is_actor(&it.owner))),
        ("owner's times", ln(all.nouns.get(&owner).map_or(0, |it| it.times))),
        ("single", yes(parts.len() == 1)),
        ("long", yes(parts.len() > 2)),
        ("many", yes(parts.last().is_some_and(|it| words::is_plural(it)))),
        ("verbal", yes(words::verbal_noun(&last).is_some())),
        ("verb", yes(parts.first().is_some_and(|it| words::is_only_verb(it)))),
        ("technical", yes(words::is_technical(&last))),
        ("no thing", yes(words::is_no_thing(&key))),
        ("no end", yes(words::is_no_end(&last))),
        ("aspect", yes(words::is_aspect(&last))),
        ("actor", yes(clauses::is_actor(&it.name))),
        ("is made", yes(mentions.is_some_and(|it| it.made > 0))),
        ("is deleted", yes(mentions.is_some_and(|it| it.deleted > 0))),
        ("headed", yes(mentions.is_some_and(|it| it.headings > 0))),
        ("said often", ln(mentions.map_or(0, |it| it.times))),
        ("said verb", yes(tagged.first().is_some_and(|it| it.kind == Kind::Verb))),
        ("sentence", yes(tagged.iter().any(|it| matches!(it.kind, Kind::Verb | Kind::Preposition | Kind::To)))),
        ("ends in a noun", yes(tagged.last().is_some_and(|it| it.kind == Kind::Noun))),
        ("words", ln(tagged.len())),
        ("number", yes(it.name.chars().any(|c| c.is_ascii_digit()))),
        (
            "written as code",
            yes(it.name.contains('_') || it.name.chars().skip(1).any(char::is_uppercase) && !it.name.contains(' ')),
        ),
        ("ruled", yes(ruled.is_some())),
        ("ruled typed", yes(ruled.is_some_and(|it| !it.kind.is_empty()))),
        ("ruled in passing", yes(ruled.is_some() && known.is_some_and(|it| it.in_passing))),
        ("not ruled, owner described", yes(ruled.is_none() && described)),
    ];
    let seen = it.seen.iter().map(|(name, value)| (*name, *value));
    seen.chain(found).map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}
