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
