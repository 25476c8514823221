//! What is known of words without any text: nouns that services call things or members by, and things of many domains.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::architect::words;

/// How public services use a noun at the end of names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    /// How many services keep a thing that is called so.
    pub(super) things: usize,
    /// How many services keep a member that is called so.
    pub(super) members: usize,
}

static NOUNS: LazyLock<FxHashMap<&'static str, Use>> = LazyLock::new(|| {
    let lines = include_str!("nouns.txt").lines().filter(|it| !it.starts_with('#'));
    let noun = |line: &'static str| {
        let mut parts = line.split(' ');
        let name = parts.next()?;
        Some((name, Use { things: parts.next()?.parse().ok()?, members: parts.next()?.parse().ok()? }))
    };
    lines.filter_map(noun).collect()
});

/// Keys of things, each with the number of domains that keep one.
static THINGS: LazyLock<FxHashMap<String, usize>> = LazyLock::new(|| {
    let mut found: FxHashMap<String, usize> = FxHashMap::default();
    let lines = include_str!("things.txt").lines().filter(|it| !it.starts_with('#'));
    for name in lines.filter_map(|it| it.split_once(':')).flat_map(|(_, names)| names.split_whitespace()) {
        *found.entry(name.replace('-', "")).or_default() += 1;
    }
    found
});

/// Keys of whole names, with how many public data models use each.
static NAMES: LazyLock<FxHashMap<String, Use>> = LazyLock::new(|| {
    let lines = include_str!("names.txt").lines().filter(|it| !it.starts_with('#'));
    let name = |line: &str| {
        let (name, counts) = line.split_once(": ")?;
        let (things, members) = counts.split_once(' ')?;
        Some((name.replace(' ', ""), Use { things: things.parse().ok()?, members: members.parse().ok()? }))
    };
    lines.filter_map(name).collect()
});

/// What public data models give things of one last noun.
struct Having {
    /// How many data models have a thing whose name ends in the noun.
    models: usize,
    /// By the key of a member, how many give it to the thing.
    members: FxHashMap<String, usize>,
}

static PAIRS: LazyLock<FxHashMap<&'static str, Having>> = LazyLock::new(|| {
    let lines = include_str!("pairs.txt").lines().filter(|it| !it.starts_with('#'));
    let pair = |line: &'static str| {
        let (head, members) = line.split_once(": ")?;
        let (noun, models) = head.split_once(' ')?;
        let member = |it: &str| {
            let (name, count) = it.rsplit_once(' ')?;
            Some((name.replace(' ', ""), count.parse().ok()?))
        };
        Some((noun, Having { models: models.parse().ok()?, members: members.split(", ").filter_map(member).collect() }))
    };
    lines.filter_map(pair).collect()
});

/// How public data models use a whole name, by its key.
pub(super) fn name(key: &str) -> Use {
    NAMES.get(key).copied().unwrap_or_default()
}

/// How many public data models have a thing that ends in a noun, and how many of these give it a member, by the key of the member.
pub(super) fn pair(noun: &str, member: &str) -> (usize, usize) {
    PAIRS.get(noun).map_or((0, 0), |it| (it.models, it.members.get(member).copied().unwrap_or(0)))
}

/// How services use a noun, in the singular or the plural. None for a noun that hardly any service uses.
pub(super) fn noun(word: &str) -> Option<Use> {
    NOUNS.get(word).or_else(|| NOUNS.get(words::singular(word).as_str())).copied()
}

/// In how many domains a key is that of a thing: `giftcard`.
pub(super) fn domains(key: &str) -> usize {
    THINGS.get(key).copied().unwrap_or(0)
}

/// Whether words together name a thing of some domain: `gift cards`.
pub(super) fn is_thing(words: &[&str]) -> bool {
    domains(&words.iter().map(|it| words::singular(it)).collect::<String>()) > 0
}

/// Whether a word is the name of a member rather than that of a thing.
pub(super) fn is_member(word: &str) -> bool {
    noun(word).is_some_and(|it| it.members > it.things) || words::is_common(word)
}

/// Whether public data models use a whole name for members: `tax number`, `unit`.
pub(in crate::architect) fn is_member_name(text: &str) -> bool {
    let known = name(&words::key(text));
    known.members > known.things || words::split(text).last().is_some_and(|it| is_member(it))
}
