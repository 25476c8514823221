//! The route that comes nearest to a contracted operation which nothing serves.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Pair;
use crate::contracts::Declarations;
use crate::model::{Method, Operation};

/// How near a route comes to an operation that nothing serves; the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    OtherMethod,
    OtherPrefix,
    OtherSegment,
    /// The path exists, and the methods it has are contracted themselves.
    SamePath,
}

/// The routes of a service by what a miss may have in common with them.
pub(super) struct Index<'a> {
    routes: &'a [Operation],
    /// Routes that serve something contracted.
    claimed: BTreeSet<usize>,
    by_key: FxHashMap<String, Vec<usize>>,
    /// By each end of the path that begins at a slash and names something.
    by_suffix: FxHashMap<String, Vec<usize>>,
    /// By the path with one segment left open.
    by_mask: FxHashMap<String, Vec<usize>>,
}

/// Routes that are kept under one suffix or mask; others are not offered as what was meant.
const MAX_ALIKE: usize = 64;
/// Segments of a path that are looked at; a longer one offers nothing that was meant.
const MAX_SEGMENTS: usize = 32;

impl<'a> Index<'a> {
    pub(super) fn new(routes: &'a [Operation], pairs: &[Pair]) -> Self {
        let claimed: BTreeSet<usize> = pairs.iter().flat_map(|pair| pair.served.iter().copied()).collect();
        let mut index = Index {
            routes,
            claimed,
            by_key: FxHashMap::default(),
            by_suffix: FxHashMap::default(),
            by_mask: FxHashMap::default(),
        };
        for (at, route) in routes.iter().enumerate() {
            let key = route.path.key();
            index.by_key.entry(key.clone()).or_default().push(at);
            if index.claimed.contains(&at) {
                continue;
            }
            for suffix in suffixes(&key) {
                push(&mut index.by_suffix, suffix.to_owned(), at);
            }
            for mask in masks(&key) {
                push(&mut index.by_mask, mask, at);
            }
        }
        index
    }

    /// The nearest route, by its index, and how near it comes.
    pub(super) fn nearest(&self, declared: &Operation, contract: &Declarations) -> Option<(Nearness, usize)> {
        let own = declared.path.key();
        let mut keys = vec![own.clone()];
        keys.extend(
            contract.base_paths.iter().filter(|base| !base.is_empty()).map(|base| declared.path.under(base).key()),
        );
        let on_path: Vec<usize> = keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect();
        let free = |at: &&usize| !self.claimed.contains(*at);
        let of_method = |at: &&usize| self.routes[**at].method == declared.method;
        let answer = |nearness, at: &usize| Some((nearness, *at));
        // A `HEAD` beside a `GET` comes with it: nobody meant something else by it.
        let is_get = |at: &usize| self.routes[*at].method == Method::Get;
        let comes_along = |at: &usize| self.routes[*at].method == Method::Head && on_path.iter().any(is_get);
        if let Some(at) = on_path.iter().filter(free).find(|at| !of_method(at) && !comes_along(at)) {
            return answer(Nearness::OtherMethod, at);
        }
        // The route has more in front than the contract, or less.
        let longer = self.by_suffix.get(&own).and_then(|routes| routes.iter().find(of_method));
        let shorter = || {
            keys.iter().flat_map(|key| suffixes(key)).find_map(|suffix| {
                self.by_key.get(suffix).and_then(|routes| routes.iter().filter(free).find(of_method))
            })
        };
        if let Some(at) = longer.filter(|_| telling(&own)).or_else(shorter) {
            return answer(Nearness::OtherPrefix, at);
        }
        for key in &keys {
            for mask in masks(key) {
                let alike = self.by_mask.get(&mask).into_iter().flatten();
                let near = |at: &&usize| similar(key, &self.routes[**at].path.key());
                if let Some(at) = alike.filter(of_method).find(near) {
                    return answer(Nearness::OtherSegment, at);
                }
            }
        }
        on_path.first().and_then(|at| answer(Nearness::SamePath, at))
    }
}

fn push(map: &mut FxHashMap<String, Vec<usize>>, key: String, at: usize) {
    let routes = map.entry(key).or_default();
    if routes.len() < MAX_ALIKE {
        routes.push(at);
    }
}

/// Whether a path names anything: `/{}` and `/` are the end of too many.
fn telling(key: &str) -> bool {
    key.split('/').any(|segment| !segment.is_empty() && !segment.starts_with('{'))
}

/// The proper ends of a path that name anything, longest first.
fn suffixes(key: &str) -> impl Iterator<Item = &str> {
    key.char_indices()
        .skip(1)
        .filter(|(_, c)| *c == '/')
        .take(MAX_SEGMENTS)
        .map(|(at, _)| &key[at..])
        .filter(|end| telling(end))
}

/// The forms of a path in which one of its segments is left open, a form for each segment.
fn masks(key: &str) -> Vec<String> {
    let segments: Vec<&str> = key.split('/').skip(1).take(MAX_SEGMENTS + 1).collect();
    if segments.len() > MAX_SEGMENTS {
        return Vec::new();
    }
    let masked = |open: usize| {
        let shown = segments.iter().enumerate().map(|(at, segment)| if at == open { "*" } else { segment });
        shown.fold(String::new(), |path, segment| path + "/" + segment)
    };
    (0..segments.len()).map(masked).filter(|mask| telling(&mask.replace('*', "{"))).collect()
}

/// Whether the one segment in which two paths differ could be meant to be the same: a parameter, or nearly the word.
fn similar(a: &str, b: &str) -> bool {
    let differing = a.split('/').zip(b.split('/')).find(|(mine, theirs)| mine != theirs);
    differing.is_some_and(|(mine, theirs)| {
        let (parameter, literal) = (mine.starts_with('{'), theirs.starts_with('{'));
        parameter != literal || distance(mine, theirs) <= 1 + mine.len().min(theirs.len()) / 6
    })
}

/// Levenshtein distance of two short words; of long ones only whether they are the same.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) > 64 {
        return if a == b { 0 } else { usize::MAX };
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}
