//! Which documents are versions of one: `v1/order.json` and `v2/order.json`, `order.json` and `archive/order.json`,
//! `order.v1.json` and `order.v2.json`. Versions are no peers: code keeps one of them.

use std::collections::{BTreeMap, BTreeSet};

/// What paths of versions have in common, and which of them is the later one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    pub(super) family: String,
    rank: Rank,
}

/// The later, the greater.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Archived(Vec<u64>),
    Numbered(Vec<u64>),
    Current,
}

const ARCHIVED: &[&str] = &[
    "archive",
    "archived",
    "archives",
    "old",
    "legacy",
    "deprecated",
    "history",
    "previous",
    "draft",
    "drafts",
    "next",
];
const CURRENT: &[&str] = &["latest", "current", "stable", "versions"];

impl Version {
    /// Of the document at a path.
    pub(super) fn of(path: &str) -> Self {
        let (mut family, mut numbers, mut archived) = (String::new(), Vec::new(), false);
        for (at, segment) in path.split('/').enumerate() {
            let mut kept: Vec<&str> = Vec::new();
            let words: Vec<&str> = segment.split(['.', '-', '_']).collect();
            for (place, word) in words.iter().enumerate() {
                let is_beside = |other: Option<usize>| {
                    other.and_then(|other| words.get(other)).is_some_and(|word| number_of(word).is_some())
                };
                // `order-2` may be a second order; `order-2.1` and a folder `2` are versions.
                let bare = words.len() == 1 || is_beside(place.checked_sub(1)) || is_beside(Some(place + 1));
                let lower = word.to_ascii_lowercase();
                match number_of(word).filter(|_| bare).or_else(|| lower.strip_prefix('v').and_then(number_of)) {
                    Some(number) => numbers.push(number),
                    None if ARCHIVED.contains(&lower.as_str()) => archived = true,
                    None if CURRENT.contains(&lower.as_str()) => {}
                    None => kept.push(word),
                }
            }
            if !kept.is_empty() || words.is_empty() {
                if at > 0 && !family.is_empty() {
                    family.push('/');
                }
                family.push_str(&kept.join("."));
            }
        }
        let rank = match (archived, numbers.is_empty()) {
            (true, _) => Rank::Archived(numbers),
            (false, true) => Rank::Current,
            (false, false) => Rank::Numbered(numbers),
        };
        Self { family, rank }
    }
}

/// `12` of `12`, `1` of `1beta2`.
fn number_of(word: &str) -> Option<u64> {
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let rest = word[digits..].trim_end_matches(|c: char| c.is_ascii_digit());
    let number = word[..digits].parse().ok()?;
    matches!(rest, "" | "alpha" | "beta" | "rc").then_some(number)
}

/// Those of several documents, by the place in the list, that a later version of the same document supersedes.
pub(super) fn superseded<'p>(paths: impl Iterator<Item = &'p str>) -> BTreeSet<usize> {
    let mut families: BTreeMap<String, Vec<(Rank, usize)>> = BTreeMap::new();
    for (at, path) in paths.enumerate() {
        let Version { family, rank } = Version::of(path);
        families.entry(family).or_default().push((rank, at));
    }
    let earlier = families.into_values().flat_map(|mut versions| {
        versions.sort();
        let last = versions.last().map(|(rank, _)| rank.clone());
        versions.into_iter().filter(move |(rank, _)| Some(rank) != last.as_ref()).map(|(_, at)| at)
    });
    earlier.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_one_document_have_one_family_and_an_order() {
        for (earlier, later) in [
            ("schemas/v1/order.json", "schemas/v2/order.json"),
            ("schemas/order.v1.json", "schemas/order.v2.json"),
            ("schemas/order-v9.schema.json", "schemas/order-v10.schema.json"),
            ("schemas/order_1.0.0.json", "schemas/order.json"),
            ("schemas/2023-01/order.json", "schemas/2023-06/order.json"),
            ("schemas/archive/order.json", "schemas/order.json"),
            ("schemas/archive/2024/order.json", "schemas/1/order.json"),
            ("schemas/v1beta1/order.json", "schemas/latest/order.json"),
        ] {
            let (one, other) = (Version::of(earlier), Version::of(later));
            assert_eq!(one.family, other.family, "{earlier} {later}");
            assert!(one.rank < other.rank, "{earlier} {later}");
        }
    }

    #[test]
    fn what_only_looks_alike_is_no_version() {
        for (one, other) in [
            ("schemas/address-1.json", "schemas/address-2.json"),
            ("billing/order.json", "shipping/order.json"),
            ("schemas/video.json", "schemas/vision.json"),
        ] {
            assert_ne!(Version::of(one).family, Version::of(other).family, "{one} {other}");
        }
        assert_eq!(superseded(["a/v1/x.json", "a/v2/x.json", "a/y.json", "b/v1/x.json"].into_iter()), [0].into());
    }
}
