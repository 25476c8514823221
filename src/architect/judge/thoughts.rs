//! What a first reading takes nouns, members and deeds for. A noun is the likelier a thing the likelier its members and deeds are, and a
//! member the likelier those beside it are. So a text is judged twice, the second time with what the first time found as features.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::trees::{Feature, ln, number};
use crate::architect::words::{self, Deed};

/// From which chance on the first reading takes something for likely.
const LIKELY: f32 = 0.5;

/// How likely a name is a member of a thing.
#[derive(Clone, Debug)]
pub(super) struct OfMember {
    /// The name of the thing.
    pub(super) owner: String,
    /// The key of the name.
    pub(super) key: String,
    pub(super) line: u32,
    pub(super) chance: f32,
}

/// How likely a deed is meant.
#[derive(Clone, Debug)]
pub(super) struct OfDeed {
    pub(super) deed: Deed,
    /// The key of the thing that the deed is about.
    pub(super) about: String,
    pub(super) chance: f32,
}

/// How many chances there are, and how high: of the members or deeds of a noun, or of the names beside a name.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: usize,
    likely: usize,
    sum: f32,
    /// The two highest chances.
    most: [f32; 2],
    /// The two highest values of 1 less a chance: those of the two lowest chances.
    least: [f32; 2],
}

impl Tally {
    fn add(&mut self, chance: f32) {
        self.count += 1;
        self.likely += usize::from(chance >= LIKELY);
        self.sum += chance;
        for (top, value) in [(&mut self.most, chance), (&mut self.least, 1.0 - chance)] {
            if value > top[0] {
                *top = [value, top[0]];
            } else if value > top[1] {
                top[1] = value;
            }
        }
    }

    /// The tally without one of its chances.
    fn without(mut self, chance: Option<f32>) -> Self {
        let Some(chance) = chance.filter(|_| self.count > 0) else { return self };
        self.count -= 1;
        self.likely -= usize::from(chance >= LIKELY).min(self.likely);
        self.sum -= chance;
        for (top, value) in [(&mut self.most, chance), (&mut self.least, 1.0 - chance)] {
            if value >= top[0] {
                *top = [top[1]; 2];
            }
        }
        self
    }

    fn mean(&self) -> f32 {
        if self.count == 0 { 0.0 } else { self.sum / number(self.count) }
    }
}

/// What was found of one noun.
#[derive(Clone, Debug, Default)]
struct OfThing {
    chance: f32,
    /// Its members.
    members: Tally,
    /// Those of its members that no other thing on their lines has as likely.
    own: Tally,
    /// The noun as a member of others.
    as_member: Tally,
    deeds: Tally,
    /// The likeliest of each kind of deed.
    by_deed: [f32; DEEDS.len()],
    /// How many nouns are likelier.
    rank: usize,
    /// The likeliest of the longer names that end, and of those that begin with the noun.
    ends: f32,
    begins: f32,
    /// How likely the last and the first word of the name are things; -1 for a name of one word.
    last: f32,
    first: f32,
}

/// How many of the likeliest nouns tell how clear a text is.
const TOP: usize = 10;

const DEEDS: [&str; 5] = ["thought created", "thought read", "thought updated", "thought deleted", "thought acted"];

/// The place of a deed among these.
fn kind(deed: Deed) -> usize {
    match deed {
        Deed::Create => 0,
        Deed::Read | Deed::Tell => 1,
        Deed::Update => 2,
        Deed::Delete => 3,
        Deed::Act | Deed::Manage => 4,
    }
}

#[derive(Debug, Default)]
pub(super) struct Thoughts {
    /// By the keys of nouns.
    things: FxHashMap<String, OfThing>,
    nouns: Tally,
    /// The mean of the likeliest [`TOP`] nouns.
    top: f32,
    all_members: Tally,
    members: FxHashMap<(String, String), f32>,
    /// What each key of a name is to all things.
    by_name: FxHashMap<String, Tally>,
    by_owner: FxHashMap<String, Tally>,
    /// What stands on a line as members of one thing.
    by_place: FxHashMap<(String, u32), Tally>,
    /// What stands on a line as members of whatever is the likeliest to have each.
    by_line: FxHashMap<u32, Tally>,
    /// The highest chance of each name on a line, whichever thing the name may be a member of.
    best: FxHashMap<(u32, String), f32>,
}

impl Thoughts {
    /// `names` are the words of each noun by its key.
    pub(super) fn of<'n>(
        names: impl Iterator<Item = (&'n String, &'n [String])>,
        chances: &FxHashMap<String, f32>,
        members: Vec<OfMember>,
        deeds: &[OfDeed],
    ) -> Self {
        let mut found = Self::default();
        found.nouns_of(names, chances);
        for it in &members {
            let top = found.best.entry((it.line, it.key.clone())).or_insert(0.0);
            *top = top.max(it.chance);
        }
        for it in &members {
            let owner = words::key(&it.owner);
            if let Some(thing) = found.things.get_mut(&owner) {
                thing.members.add(it.chance);
                if found.best.get(&(it.line, it.key.clone())).is_none_or(|top| it.chance >= *top) {
                    thing.own.add(it.chance);
                }
            }
            if let Some(thing) = found.things.get_mut(&it.key).filter(|_| owner != it.key) {
                thing.as_member.add(it.chance);
            }
            found.all_members.add(it.chance);
            found.by_name.entry(it.key.clone()).or_default().add(it.chance);
            found.by_owner.entry(it.owner.clone()).or_default().add(it.chance);
            found.by_place.entry((it.owner.clone(), it.line)).or_default().add(it.chance);
        }
        let mut best: Vec<(&(u32, String), f32)> = found.best.iter().map(|(place, chance)| (place, *chance)).collect();
        best.sort_unstable_by_key(|(place, _)| *place);
        for ((line, _), chance) in best {
            found.by_line.entry(*line).or_default().add(chance);
        }
        found.members = members.into_iter().map(|it| ((it.owner, it.key), it.chance)).collect();
        for it in deeds {
            if let Some(thing) = found.things.get_mut(&it.about) {
                thing.deeds.add(it.chance);
                let top = &mut thing.by_deed[kind(it.deed)];
                *top = top.max(it.chance);
            }
        }
        found
    }

    fn nouns_of<'n>(
        &mut self,
        names: impl Iterator<Item = (&'n String, &'n [String])>,
        chances: &FxHashMap<String, f32>,
    ) {
        let of = |key: &str| chances.get(key).copied().unwrap_or(0.0);
        let mut all: Vec<(&String, &[String], f32)> = names.map(|(key, name)| (key, name, of(key))).collect();
        all.sort_by(|one, other| other.2.total_cmp(&one.2));
        let mut parts: IndexMap<String, (f32, f32)> = IndexMap::new();
        let mut rank = 0;
        for (at, (key, name, chance)) in all.iter().enumerate() {
            if at > 0 && *chance < all[at - 1].2 {
                rank = at;
            }
            self.nouns.add(*chance);
            for place in 1..name.len() {
                let ends = &mut parts.entry(words::key(&name[place..].join(" "))).or_default().0;
                *ends = ends.max(*chance);
                let begins = &mut parts.entry(words::key(&name[..place].join(" "))).or_default().1;
                *begins = begins.max(*chance);
            }
            let part = |word: Option<&String>| word.filter(|_| name.len() > 1).map_or(-1.0, |it| of(&words::key(it)));
            let (last, first) = (part(name.last()), part(name.first()));
            self.things.insert((*key).clone(), OfThing { chance: *chance, rank, last, first, ..OfThing::default() });
        }
        for (key, (ends, begins)) in parts {
            if let Some(thing) = self.things.get_mut(&key) {
                (thing.ends, thing.begins) = (ends, begins);
            }
        }
        self.top = all.iter().take(TOP).map(|it| it.2).sum::<f32>() / number(TOP);
    }

    /// The features of a noun, by its key.
    pub(super) fn thing(&self, key: &str) -> Vec<Feature> {
        let it = self.things.get(key).cloned().unwrap_or_default();
        let found = [
            ("thought", it.chance),
            ("thought members", ln(it.members.count)),
            ("thought members most", it.members.most[0]),
            ("thought members sum", it.members.sum),
            ("thought own members most", it.own.most[0]),
            ("thought own members second", it.own.most[1]),
            ("thought own members sum", it.own.sum),
            ("thought own members likely", ln(it.own.likely)),
            ("thought as member", ln(it.as_member.count)),
            ("thought as member most", it.as_member.most[0]),
            ("thought as member likely", ln(it.as_member.likely)),
            ("thought deeds", ln(it.deeds.count)),
            ("thought deeds most", it.deeds.most[0]),
            ("thought deeds sum", it.deeds.sum),
            ("thought deeds likely", ln(it.deeds.likely)),
            ("thought things", ln(self.nouns.likely)),
            ("thought nouns", ln(self.nouns.count)),
            ("thought top", self.top),
            ("thought rank", ln(it.rank)),
            ("thought ends", it.ends),
            ("thought begins", it.begins),
            ("thought last", it.last),
            ("thought first", it.first),
        ];
        let found = found.into_iter().chain(DEEDS.into_iter().zip(it.by_deed));
        found.map(|(name, value)| (Cow::Borrowed(name), value)).collect()
    }

    /// The features of a name that may be a member of a thing, by the name of the thing, the key of the name and its line.
    pub(super) fn member(&self, owner: &str, key: &str, line: u32) -> Vec<Feature> {
        let own = self.members.get(&(owner.to_owned(), key.to_owned())).copied();
        let chance = own.unwrap_or(0.0);
        let rivals = self.by_name.get(key).copied().unwrap_or_default().without(own);
        let of_owner = self.by_owner.get(owner).copied().unwrap_or_default().without(own);
        let place = |line: Option<u32>| line.and_then(|it| self.by_place.get(&(owner.to_owned(), it))).copied();
        let beside = place(Some(line)).unwrap_or_default().without(own);
        // -1 where nothing stands there.
        let most = |line: Option<u32>| place(line).map_or(-1.0, |it| it.most[0]);
        let best = self.best.get(&(line, key.to_owned())).copied();
        let on_line = self.by_line.get(&line).copied().unwrap_or_default().without(best);
        let found = [
            ("thought", chance),
            ("thought rivals", ln(rivals.count)),
            ("thought rivals most", rivals.most[0]),
            ("thought rivals likely", ln(rivals.likely)),
            ("thought over rivals", chance - rivals.most[0]),
            ("thought beside", ln(beside.count)),
            ("thought beside mean", beside.mean()),
            ("thought beside most", beside.most[0]),
            ("thought beside least", if beside.count == 0 { 0.0 } else { 1.0 - beside.least[0] }),
            ("thought beside likely", number(beside.likely) / number(beside.count.max(1))),
            ("thought two above", most(line.checked_sub(2))),
            ("thought above", most(line.checked_sub(1))),
            ("thought below", most(line.checked_add(1))),
            ("thought two below", most(line.checked_add(2))),
            ("thought of owner", ln(of_owner.count)),
            ("thought of owner likely", ln(of_owner.likely)),
            ("thought of owner most", of_owner.most[0]),
            ("thought on line", ln(on_line.count)),
            ("thought on line mean", on_line.mean()),
            ("thought on line most", on_line.most[0]),
            ("thought of all likely", number(self.all_members.likely) / number(self.all_members.count.max(1))),
        ];
        found.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{OfDeed, OfMember, Tally, Thoughts};
    use crate::architect::words::Deed;

    fn value(found: &[super::Feature], name: &str) -> f32 {
        found.iter().find(|it| it.0 == name).map_or_else(|| panic!("no feature {name}"), |it| it.1)
    }

    #[test]
    fn a_tally_forgets_one_of_its_chances() {
        let mut tally = Tally::default();
        for chance in [0.2, 0.9, 0.6] {
            tally.add(chance);
        }
        let rest = tally.without(Some(0.9));
        assert_eq!((rest.count, rest.likely, rest.most[0]), (2, 1, 0.6));
        assert!((rest.mean() - 0.4).abs() < 1e-6 && (1.0 - rest.least[0] - 0.2).abs() < 1e-6);
        assert_eq!(tally.without(None).count, 3);
        assert_eq!(Tally::default().without(Some(0.5)).count, 0);
    }

    #[test]
    fn what_was_thought_of_members_and_deeds_speaks_for_their_thing() {
        let chances = [("order", 0.4), ("total", 0.1), ("ordertotal", 0.2)]
            .map(|(key, chance)| (key.to_owned(), chance))
            .into_iter()
            .collect();
        let member = |owner: &str, key: &str, line, chance| OfMember {
            owner: owner.to_owned(),
            key: key.to_owned(),
            line,
            chance,
        };
        let members = vec![
            member("Order", "total", 3, 0.8),
            member("Order", "status", 3, 0.7),
            member("Customer", "total", 3, 0.3),
            member("Order", "note", 4, 0.6),
        ];
        let deeds = [OfDeed { deed: Deed::Create, about: "order".to_owned(), chance: 0.9 }];
        let names = [("order", vec!["order"]), ("total", vec!["total"]), ("ordertotal", vec!["order", "total"])];
        let names = names.map(|(key, name)| (key.to_owned(), name.into_iter().map(str::to_owned).collect::<Vec<_>>()));
        let thoughts = Thoughts::of(names.iter().map(|(key, name)| (key, name.as_slice())), &chances, members, &deeds);
        let order = thoughts.thing("order");
        for (name, expected) in [
            ("thought", 0.4),
            ("thought members sum", 2.1),
            ("thought own members second", 0.7),
            ("thought created", 0.9),
            ("thought read", 0.0),
            ("thought rank", 0.0),
            ("thought begins", 0.2),
            ("thought ends", 0.0),
            ("thought last", -1.0),
        ] {
            assert!((value(&order, name) - expected).abs() < 1e-5, "{name}: {}", value(&order, name));
        }
        assert!((value(&thoughts.thing("total"), "thought as member most") - 0.8).abs() < 1e-6);
        assert!((value(&thoughts.thing("ordertotal"), "thought last") - 0.1).abs() < 1e-6);
        let total = thoughts.member("Order", "total", 3);
        for (name, expected) in [
            ("thought", 0.8),
            ("thought rivals most", 0.3),
            ("thought beside mean", 0.7),
            ("thought below", 0.6),
            ("thought above", -1.0),
            ("thought on line mean", 0.7),
        ] {
            assert!((value(&total, name) - expected).abs() < 1e-5, "{name}: {}", value(&total, name));
        }
        assert!(value(&thoughts.member("Nobody", "total", 9), "thought").abs() < 1e-6);
    }
}
