//! Which deeds are operations.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use super::lexicon::{self, Use};
use super::mentions::Said;
use super::pairs::Pair;
use super::thoughts::OfDeed;
use super::trees::{self, Feature, ln, yes};
use crate::architect::clauses;
use crate::architect::notes::{Heard, Managed, Notes, OperationNote};
use crate::architect::operation::{Endpoints, derived, does};
use crate::architect::words::{self, Deed};

/// From which chance on a deed is told as an operation.
const TOLD: f32 = 0.6;
/// From which chance on a deed is told whose sentence is plain and whose thing is told.
const PLAIN: f32 = 0.4;
/// From which chance on a deed is told that a reading has found in a short text.
const WORDED: f32 = 0.05;

/// How likely a deed with these features is meant as an operation.
pub(in crate::architect) fn of_features(features: &[Feature]) -> f32 {
    trees::DEED.chance(features)
}

/// Whether a deed is told as an operation. `entity` is the thing that the deed is about.
pub(in crate::architect) fn is_meant(notes: &Notes, note: &OperationNote, entity: Option<&str>, chance: f32) -> bool {
    note.coded
        || chance
            >= if note.worded && notes.is_short() {
                WORDED
            } else if entity.is_some() && is_plain(note) {
                PLAIN
            } else {
                TOLD
            }
}

/// Whether a sentence says no more than the deed (`Delete images`, `Edits or deletes draft reports`), or names the thing of the deed
/// right behind `manage`.
fn is_plain(note: &OperationNote) -> bool {
    let said = words::split(&note.summary);
    let (Some((verb, _)), Some(head)) = (note.verb, note.object.last()) else { return false };
    let head = words::singular(&head.to_ascii_lowercase());
    let follows = |from: usize| said.iter().skip(from).take(2).any(|it| words::singular(it) == head);
    let joins = |it: &String| it == "and" || it == "or";
    // `list books`: books are what is listed, and nobody books anything.
    let is_verb = |it: &String| words::singular(it) != head && words::verb(it).is_some();
    let first = said.iter().take_while(|it| joins(it) || is_verb(it)).count();
    let verbs = said[..first].iter().filter_map(|it| words::verb(it)).filter(|it| it.0 == verb).count();
    let longest = if said[..first].iter().any(joins) { 9 } else { 4 };
    if verbs > 0 && said.len() <= longest && follows(first) {
        return true;
    }
    let managed = said.iter().position(|it| it.starts_with("manag") && it != "management");
    note.heard.managed.is_some_and(|it| it.verb == "manage")
        && managed.is_some_and(|at| said.iter().skip(at + 1).take(3).any(|it| words::singular(it) == head))
}

/// Weighs what is noted of deeds as the first reading does.
pub(super) fn weigh(notes: &mut Notes) -> Vec<OfDeed> {
    let endpoints = Endpoints::of(notes);
    let all = std::mem::take(&mut notes.operations);
    let mut found = Vec::new();
    for note in all.iter().filter(|it| it.endpoint.is_none()) {
        let Some((verb, deed)) = note.verb.filter(|it| it.1 != Deed::Manage) else { continue };
        let entity = notes.meant(&note.object).map(|it| it.name.clone());
        let features = of_deed(notes, note, entity.as_deref(), &endpoints);
        let chance = trees::FIRST_DEED.chance(&features);
        let about = words::key(&entity.clone().unwrap_or_else(|| note.object.join(" ")));
        if notes.traced.is_some() {
            let operation = derived(notes, note, verb, deed, entity);
            let told = || json!({"method": operation.method, "path": operation.path, "id": operation.id});
            notes.trace("first deed", told, chance, features);
        }
        found.push(OfDeed { deed, about, chance });
    }
    notes.operations = all;
    found
}

/// Notes everything that sentences say is done beside what readings have noted, once for each verb and object.
pub(super) fn note(notes: &mut Notes, said: &[Said], pairs: IndexMap<(&'static str, String), Pair>) {
    let mut at = Places::default();
    for (place, it) in notes.operations.iter_mut().enumerate() {
        it.worded = true;
        if let Some((verb, _)) = it.verb.filter(|_| it.endpoint.is_none()) {
            at.entry((verb, words::key(&it.object.join(" ")))).or_insert(place);
        }
    }
    for it in said.iter().filter(|it| it.object.len() <= 4) {
        let known = heard(notes, &mut at, it);
        known.nominal += usize::from(it.nominal);
        known.headed |= it.heading;
    }
    // `manage orders`: orders are made, listed, changed and deleted.
    let managed: Vec<OperationNote> =
        notes.operations.iter().filter(|it| it.verb.is_some_and(|it| it.1 == Deed::Manage)).cloned().collect();
    for note in managed {
        let Some((by, _)) = note.verb else { continue };
        let looks = ["track", "monitor", "oversee"].contains(&by);
        let deeds: &[&str] = if looks { &["list"] } else { &["create", "list", "update", "delete"] };
        for verb in deeds.iter().filter_map(|it| words::verb(it)) {
            let said = Said {
                verb,
                object: note.object.clone(),
                actor: note.actor.clone(),
                line: note.line,
                sentence: note.summary.clone(),
                nominal: false,
                heading: note.heard.headed,
            };
            let known = heard(notes, &mut at, &said);
            known.times -= 1;
            let before = known.managed;
            known.managed = Some(Managed {
                verb: by,
                nominal: note.heard.nominal > 0 || before.is_some_and(|it| it.nominal),
                worded: note.worded || before.is_some_and(|it| it.worded),
                headed: note.heard.headed || before.is_some_and(|it| it.headed),
            });
        }
    }
    paired(notes, pairs);
}

/// Notes what stands around verbs: evidence for deeds that are noted, and deeds that nothing else has noted.
fn paired(notes: &mut Notes, pairs: IndexMap<(&'static str, String), Pair>) {
    let mut known: FxHashSet<(&'static str, String)> =
        notes.operations.iter().filter_map(|it| Some((it.verb?.0, notes.meant(&it.object)?.name.clone()))).collect();
    let mut new: Vec<(&'static str, Deed, Pair)> = Vec::new();
    for ((verb, thing), pair) in pairs {
        let deed = pair.verb.1;
        if deed == Deed::Manage {
            for (verb, deed) in ["create", "read", "list", "update", "delete"].iter().filter_map(|it| words::verb(it)) {
                let managed = notes.pairs.entry((verb, thing.clone())).or_default();
                managed.extend(
                    pair.features().into_iter().map(|(name, value)| (format!("by manager {name}").into(), value)),
                );
                new.push((verb, deed, pair.clone()));
            }
        }
        notes.pairs.entry((verb, thing)).or_default().extend(pair.features());
        if deed != Deed::Manage {
            new.push((verb, deed, pair));
        }
    }
    for (verb, deed, pair) in new {
        // Whoever signs in does so once, whatever the text calls them.
        let signs = ["login", "register", "logout"].contains(&verb) && clauses::is_actor(&pair.thing);
        if signs || !known.insert((verb, pair.thing.clone())) {
            continue;
        }
        notes.operations.push(OperationNote {
            line: pair.line,
            key: words::key(&pair.object.join(" ")),
            verb: Some((verb, deed)),
            object: pair.object,
            summary: pair.sentence,
            ..OperationNote::default()
        });
    }
}

/// Where the note of a verb and the key of its object lies.
type Places = FxHashMap<(&'static str, String), usize>;

/// The note of what is done, made now where there is none.
fn heard<'n>(notes: &'n mut Notes, at: &mut Places, it: &Said) -> &'n mut Heard {
    let key = words::key(&it.object.join(" "));
    let place = *at.entry((it.verb.0, key.clone())).or_insert_with(|| {
        notes.operations.push(OperationNote {
            line: it.line,
            key,
            verb: Some(it.verb),
            object: it.object.clone(),
            actor: it.actor.clone(),
            summary: it.sentence.clone(),
            ..OperationNote::default()
        });
        notes.operations.len() - 1
    });
    let known = &mut notes.operations[place];
    if known.actor.is_empty() {
        known.actor.clone_from(&it.actor);
    }
    known.heard.as_verb = true;
    known.heard.times += 1;
    &mut known.heard
}

/// The features of what a sentence says is done. `entity` is the thing that the deed is about, `endpoints` those that the text
/// states.
pub(in crate::architect) fn of_deed(
    notes: &Notes,
    note: &OperationNote,
    entity: Option<&str>,
    endpoints: &Endpoints,
) -> Vec<Feature> {
    let Some((verb, deed)) = note.verb else { return Vec::new() };
    let heard = &note.heard;
    let times = notes.times(&note.object);
    let last = note.object.last().map(|it| words::singular(&it.to_ascii_lowercase())).unwrap_or_default();
    let Use { things, members } = lexicon::noun(&last).unwrap_or_default();
    let key = words::key(&note.object.join(" "));
    let chance = |key: &str| notes.chances.get(key).copied().unwrap_or(0.0);
    let known = entity.and_then(|it| notes.known(it));
    let first = note.object.first().map(|it| it.to_ascii_lowercase()).unwrap_or_default();
    let sentence = note.summary.to_ascii_lowercase();
    let begins = words::split(&sentence).first().and_then(|it| words::verb(it)).is_some_and(|(it, _)| it == verb);
    let mut found: Vec<Feature> = [
        ("worded", yes(note.worded)),
        ("heard", yes(heard.as_verb)),
        ("both", yes(note.worded && heard.as_verb)),
        ("said", ln(heard.times)),
        ("nominal", yes(heard.nominal > 0)),
        ("only nominal", yes(heard.nominal > 0 && heard.nominal == heard.times && !note.worded)),
        ("headed deed", yes(heard.headed)),
        ("managed", yes(heard.managed.is_some())),
        ("only managed", yes(heard.managed.is_some() && heard.times == 0 && !note.worded)),
        ("managed nominal", yes(heard.managed.is_some_and(|it| it.nominal))),
        ("managed worded", yes(heard.managed.is_some_and(|it| it.worded))),
        ("manager headed", yes(heard.managed.is_some_and(|it| it.headed))),
        ("system", yes(note.actor.to_ascii_lowercase().ends_with("system"))),
        ("somebody", yes(!note.actor.is_empty() && !note.actor.to_ascii_lowercase().ends_with("system"))),
        ("actor", yes(clauses::is_actor(&note.actor))),
        ("worded by somebody", yes(note.worded && !note.actor.is_empty())),
        ("no object", yes(note.object.is_empty())),
        ("entity", yes(known.is_some())),
        ("described", yes(known.is_some_and(|it| !it.in_passing))),
        ("whole entity", yes(known.is_some_and(|it| words::key(&it.name) == key))),
        ("chance", chance(&key)),
        ("chance of last", chance(&last)),
        ("longer", yes(note.object.len() >= 3)),
        ("single", yes(note.object.len() == 1)),
        ("times", ln(times)),
        ("once", yes(times <= 1)),
        ("many", yes(note.object.last().is_some_and(|it| words::is_plural(&it.to_ascii_lowercase())))),
        ("things", ln(things)),
        ("members", ln(members)),
        ("unknown", yes(things + members == 0)),
        ("common thing", yes(lexicon::domains(&key) > 0)),
        ("nothing", yes(words::is_no_thing(&key))),
        ("no end", yes(words::is_no_end(&last))),
        ("technical", yes(words::is_technical(&last))),
        ("common", yes(words::is_common(&last))),
        ("verbal", yes(words::verbal_noun(&last).is_some())),
        ("verb in object", yes(words::is_only_verb(&first))),
        ("headed", yes(notes.is_headed(&note.object))),
        ("begins", yes(begins)),
        ("story", yes(sentence.starts_with("as a"))),
        ("long", yes(sentence.split_whitespace().count() > 20)),
        ("short", yes(sentence.split_whitespace().count() <= 4)),
        ("may be a noun", yes(words::is_noun_too(verb))),
        ("much described", yes(notes.entities.iter().filter(|it| !it.in_passing).nth(2).is_some())),
    ]
    .into_iter()
    .chain(of_endpoints(endpoints, verb, deed, entity))
    .map(|(name, value)| (Cow::Borrowed(name), value))
    .collect();
    let deed = format!("{deed:?}").to_lowercase();
    let about = known.map_or_else(|| key.clone(), |it| words::key(&it.name));
    for (name, value) in notes.seen.get(&about).into_iter().flatten() {
        found.push((format!("noun {name}").into(), *value));
        if ["create", "read", "update", "delete"].contains(&deed.as_str()) {
            found.push((format!("{deed} noun {name}").into(), *value));
        }
    }
    found.push((format!("verb {verb}").into(), 1.0));
    if let Some(by) = heard.managed {
        found.push((format!("by {}", by.verb).into(), 1.0));
        found.push((format!("managed {deed}").into(), 1.0));
    }
    found.push((format!("{deed} of entity").into(), yes(known.is_some())));
    found.push((format!("{deed} of other").into(), yes(known.is_none())));
    let pair = entity.and_then(|it| notes.pairs.get(&(verb, it.to_owned())));
    found.extend(pair.into_iter().flatten().cloned());
    found
}

/// What the stated endpoints say of a deed: whether there are any, whether one serves the entity, and whether one does the same.
fn of_endpoints(endpoints: &Endpoints, verb: &str, deed: Deed, entity: Option<&str>) -> [(&'static str, f32); 7] {
    let serving = entity.map_or(&[][..], |it| endpoints.serving(it));
    let same = serving.iter().any(|it| does(it, deed));
    [
        ("endpoints", ln(endpoints.listed)),
        ("other endpoints", ln(endpoints.others)),
        ("served", ln(serving.len())),
        ("served so", yes(same)),
        ("served otherwise", yes(!serving.is_empty() && !same)),
        ("not served, others are", yes(serving.is_empty() && endpoints.listed > 0)),
        ("in a path", yes(endpoints.says(verb))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_plain_where_hardly_more_is_said() {
        let plain = |verb: &str, object: &str, sentence: &str| {
            is_plain(&OperationNote {
                verb: words::verb(verb),
                object: vec![object.to_owned()],
                summary: sentence.to_owned(),
                ..OperationNote::default()
            })
        };
        assert!(plain("list", "books", "list books"));
        assert!(plain("delete", "images", "Delete images"));
        assert!(plain("delete", "report", "Edits or deletes draft reports on the device"));
        assert!(!plain("delete", "books", "list books"));
        assert!(!plain("book", "books", "list books"));
        assert!(!plain("delete", "reports", "A day later the system deletes what nobody reads of the reports"));
    }
}
