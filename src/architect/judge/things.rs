//! Which nouns are things that the product keeps.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use serde_json::json;

use super::around::{Around, For};
use super::lexicon::{self, Use};
use super::mentions::{Found, Mentions, RECORDS};
use super::thoughts::Thoughts;
use super::trees::{self, Feature, ln, number, yes};
use crate::architect::notes::{EntityNote, Notes};
use crate::architect::{clauses, entities, words};

/// From which chance on a noun is told as a thing.
const ENOUGH: f32 = 0.5;
/// From which chance on the first reading looks for members and deeds of a noun.
const PERHAPS: f32 = 0.15;

/// How likely at least a noun is a thing that a sentence plainly says to have members.
const FRAMED: f32 = 0.6;

/// Keys of what documents call their parts.
#[rustfmt::skip]
const TITLES: &[&str] = &[
    "datamodel", "domainmodel", "dataentity", "databasemodel", "databasetable", "databaseschema", "databaseentity", "coreentity",
    "mainentity", "keyentity", "entity", "domainentity", "userstory", "usecase", "functionalrequirement", "acceptancecriterion",
    "businessrule", "datafolder", "dataschema", "datatable",
];

/// Keys of what a catalogue of events is of.
const MESSAGES: &[&str] =
    &["event", "message", "command", "domainevent", "integrationevent", "eventenvelope", "payload"];

/// What a database keeps a thing in.
const STORES: &[&str] = &["table", "entity", "model", "collection", "schema", "migration", "record", "row", "document"];

/// Features of a noun that say something of the deeds it is the object of.
const ABOUT: &[&str] =
    &["made", "changed", "deleted", "read", "acted", "headings", "nominal", "times", "recorded", "listing"];

/// Notes how likely each noun is a thing. Likely ones are noted as things, and unlikely ones that were noted in passing are
/// not any more. Without thoughts this is the first reading, which takes whatever may be a thing for one.
pub(super) fn judge(
    notes: &mut Notes,
    all: &Found,
    around: &Around,
    framed: &FxHashSet<String>,
    thoughts: Option<&Thoughts>,
) {
    let (model, trees, enough) = match thoughts {
        None => ("first thing", &trees::FIRST_THING, PERHAPS),
        Some(_) => ("thing", &trees::THING, ENOUGH),
    };
    let most = all.nouns.values().map(|it| it.times).max().unwrap_or(1);
    let described = notes.entities.iter().filter(|it| !it.in_passing).count() >= super::SEVERAL;
    let whole = Whole { most, described };
    // `Room availability` and `room types` say that there are rooms.
    let nominal = |key: &String| all.nominals.contains_key(key);
    for (key, it) in all.nouns.iter().filter(|(key, it)| it.times > 0 || it.beginning >= 2 || nominal(key)) {
        let mut features = of_thing(notes, all, whole, key, it);
        let said = around.noun(&it.name);
        features.push(("around".into(), around.weight(For::Thing, &said)));
        features.extend(thoughts.into_iter().flat_map(|it| it.thing(key)));
        let mut chance = if is_of_text(notes, all, key, it) { 0.0 } else { trees.chance(&features) };
        if chance > 0.0 && framed.contains(key) {
            chance = chance.max(FRAMED);
        }
        notes.seen.insert(key.clone(), features.iter().filter(|it| ABOUT.contains(&&*it.0)).cloned().collect());
        notes.chances.insert(key.clone(), chance);
        let about = || {
            // The words around are learnt from in the first reading.
            let around = if thoughts.is_none() { around.told(&said) } else { Vec::new() };
            json!({"key": key, "name": it.name.join(" "), "around": around})
        };
        notes.trace(model, about, chance, features);
    }
    let short = notes.is_short();
    // In a short text a thing that has fields stands.
    let keeps = |it: &EntityNote| short && !it.fields.is_empty();
    let least = if short { enough / 2.0 } else { enough };
    let unlikely = |key: &str| notes.chances.get(key).is_some_and(|it| *it < least);
    let unlikely: Vec<bool> =
        notes.entities.iter().map(|it| it.in_passing && !keeps(it) && unlikely(&words::key(&it.name))).collect();
    for (key, it) in &all.nouns {
        let likely = notes.chances.get(key).is_some_and(|it| *it >= enough);
        let name = it.name.join(" ");
        if likely
            && notes.known(&name).is_none()
            && key.len() >= 3
            && let Some(entity) = notes.entity(&name, it.line)
        {
            entity.in_passing = true;
        }
    }
    let mut unlikely = unlikely.into_iter();
    notes.entities.retain(|_| !unlikely.next().unwrap_or(false));
}

/// What is known of a whole text.
#[derive(Clone, Copy)]
struct Whole {
    /// How often the text says the noun that it says most often.
    most: usize,
    /// Whether the text describes several things.
    described: bool,
}

/// Whether a name is one of the text or of a program rather than that of a thing, however often the text says the name:
/// `data model`, `order-service`, `edit orders` where orders are known, and what only describes things that are declared.
fn is_of_text(notes: &Notes, all: &Found, key: &str, it: &Mentions) -> bool {
    let name = it.name.join(" ");
    let said = |key: &str| all.nouns.get(key).map_or(0, |it| it.times);
    let titles: usize = TITLES.iter().filter(|it| it.len() > key.len() && it.ends_with(key)).map(|it| said(it)).sum();
    TITLES.contains(&key)
        || titles > 0 && titles >= it.times
        || notes.systems.contains(key)
        || entities::is_component(&name)
        || entities::is_technology(&name)
        || notes.lists_events && MESSAGES.contains(&key)
        || notes.services.iter().any(|it| words::key(&it.name) == key && it.name.contains('-'))
        || notes.services.len() >= 2 && ["service", "microservice"].contains(&key)
        || it.name.len() == 2 && words::is_only_verb(&it.name[0])
        // The `permission table` keeps permissions.
        || it.name.split_last().is_some_and(|(last, of)| {
            !of.is_empty() && STORES.contains(&last.as_str()) && notes.known(&of.join(" ")).is_some_and(|it| !it.in_passing)
        })
        || is_record(notes, all, key)
        || it.times > 0 && it.describing == it.times
        || is_short_for_another(notes, it)
}

/// Whether a name is how the text calls a thing that is declared by a longer name: `request` where a text declares leave requests
/// and mostly says the whole name, `loan document` where it declares loans.
fn is_short_for_another(notes: &Notes, it: &Mentions) -> bool {
    let name = it.name.join(" ");
    if clauses::is_actor(&name) || notes.known(&name).is_some_and(|it| !it.in_passing) {
        return false;
    }
    let Some(meant) = notes.meant(&it.name).filter(|it| !it.in_passing) else { return false };
    meant.words.len() > it.name.len() && notes.times(&meant.words) * 3 >= notes.times(&it.name)
}

/// Whether a word means what is kept of a thing that the text names before the word: `profile` where a text has sender profiles.
fn is_record(notes: &Notes, all: &Found, key: &str) -> bool {
    let before = |it: &EntityNote| all.nouns.get(&format!("{}{key}", words::key(&it.name)));
    RECORDS.contains(&key) && notes.entities.iter().filter_map(before).any(|it| it.times > 0)
}

/// The features of a noun.
fn of_thing(notes: &Notes, all: &Found, whole: Whole, key: &str, it: &Mentions) -> Vec<Feature> {
    let last = it.name.last().map(String::as_str).unwrap_or_default();
    let Use { things, members } = lexicon::noun(last).unwrap_or_default();
    let domains = lexicon::domains(key);
    let name = it.name.join(" ");
    let known = notes.known(&name);
    let times = number(it.times.max(1));
    let pair = it.name.len() == 2;
    let head = number(all.nouns.get(last).map_or(0, |it| it.times).max(1));
    let passing = known.is_some_and(|it| it.in_passing);
    let named = lexicon::name(key);
    let (first, end) = (it.name.first().map_or("", String::as_str), lexicon::pair(last, "").0);
    let found = [
        ("times", ln(it.times)),
        ("relative", ln(it.times) / ln(whole.most.max(1))),
        ("once", yes(it.times == 1)),
        ("things", ln(things)),
        ("members", ln(members)),
        ("unknown", yes(things + members == 0)),
        ("made", ln(it.made)),
        ("changed", ln(it.changed)),
        ("deleted", ln(it.deleted)),
        ("read", ln(it.read)),
        ("acted", ln(it.acted)),
        ("whole", yes(it.made > 0 && it.changed + it.deleted > 0)),
        ("verbs", ln(it.verbs.len())),
        ("headings", ln(it.headings)),
        ("headed", yes(it.headings > 0)),
        ("capital", number(it.capital) / number(it.within.max(1))),
        ("capitals", ln(it.capital)),
        ("doing", ln(it.doing)),
        ("does", yes(number(it.doing) > 0.5 * times)),
        ("having", ln(it.having)),
        ("owning", ln(it.owning)),
        ("aside", number(it.aside) / times),
        ("many", number(it.many) / times),
        ("beginning", ln(it.beginning)),
        ("part done", ln(it.part_done)),
        ("only part", yes(it.times == 0)),
        ("ending", number(it.ending) / times),
        ("sections", ln(it.sections)),
        ("common thing", yes(domains > 0)),
        ("common pair", yes(pair && domains > 0)),
        ("in domains", ln(domains)),
        ("common end", yes(pair && domains == 0 && lexicon::domains(last) > 0)),
        ("common thing made", yes(domains > 0) * ln(it.made)),
        ("common thing often", yes(domains > 0) * ln(it.times)),
        ("verb first", yes(pair && words::is_only_verb(&it.name[0]))),
        ("actor first", yes(pair && clauses::is_actor(&it.name[0]))),
        ("recorded", ln(it.recorded)),
        ("membered", ln(it.membered)),
        ("listing", ln(it.listing)),
        ("listing once", yes(it.listing > 0)),
        ("paths", ln(it.paths)),
        ("alone", ln(it.alone)),
        ("labels", ln(it.labels)),
        ("identified", yes(all.nouns.contains_key(&format!("{key}id")))),
        ("things over members", ((number(things) + 1.0) / (number(members) + 1.0)).ln()),
        ("thing made", yes(things > members) * ln(it.made)),
        ("nothing", yes(words::is_no_thing(key))),
        ("no end", yes(words::is_no_end(last))),
        ("technical", yes(words::is_technical(last))),
        ("actor", yes(clauses::is_actor(&name))),
        ("common", yes(words::is_common(last))),
        ("pair", yes(pair)),
        ("longer than a pair", yes(it.name.len() > 2)),
        ("whole name thing", ln(named.things)),
        ("whole name member", ln(named.members)),
        ("whole name", ln(named.things) - ln(named.members)),
        ("ends like things", ln(end)),
        ("last as member", ln(lexicon::name(last).members)),
        ("first as thing", ln(lexicon::name(first).things)),
        ("first as member", ln(lexicon::name(first).members)),
        ("share of pair", if it.name.len() > 1 { times / head } else { 0.0 }),
        ("rare pair", yes(pair && it.times < 3)),
        ("passing", yes(passing)),
        ("passing with fields", yes(known.is_some_and(|it| it.in_passing && !it.fields.is_empty()))),
        ("much described", yes(whole.described)),
        ("nominal", ln(all.nominals.get(key).copied().unwrap_or(0))),
        ("services", ln(notes.services.len())),
        ("product", yes(notes.product.as_deref().is_some_and(|it| words::key(it) == key))),
    ];
    found.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}
