//! Paths of one provider, found segment by segment: a parameter takes anything, and what a client does not know may be
//! anything.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Method, Operation};
use crate::text::Span;

/// Places of the tree that one path may lead to; one that leads to more may mean any operation.
const MAX_VISITED: usize = 2_000;
/// Segments of a path that are looked at; one of more may mean any operation.
const MAX_SEGMENTS: usize = 32;
/// Prefixes that are kept of one end of a path; others are not offered as a client's base.
const MAX_ALIKE: usize = 16;
/// Names of parameters that take all the rest of a path.
const RESTS: &[&str] = &["path", "rest", "splat", "wildcard", "slug", "all", "any", "catch", "*"];

pub(super) struct Paths<'a> {
    operations: &'a [Operation],
    nodes: Vec<Node>,
    keys: FxHashSet<String>,
    /// What stands in front, by each end of a path that names something.
    by_end: FxHashMap<String, Vec<String>>,
    /// The first two segments.
    beginnings: FxHashSet<String>,
    /// Segments that are names, wherever they stand, in small letters.
    names: FxHashSet<String>,
    /// Paths below which anything is taken.
    rests: Vec<String>,
}

#[derive(Default)]
struct Node {
    names: FxHashMap<String, usize>,
    parameter: Option<usize>,
    operations: Vec<usize>,
}

/// Operations that a path leads to.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) operations: Vec<usize>,
    /// No unknown segment was taken for a name.
    pub(super) sure: bool,
    /// Paths of different meaning.
    pub(super) several: bool,
}

/// What is compared of two ways that both fit.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    guessed: usize,
    parameters: usize,
    /// Unknown segments that were taken for names.
    named: usize,
}

impl Fit {
    /// Whether an unknown segment was taken for a name, and a name for a value: `/{}/questions` is not `/templates/{id}`.
    fn is_crossed(self) -> bool {
        self.named > 0 && self.parameters > 0
    }
}

impl<'a> Paths<'a> {
    pub(super) fn new(operations: &'a [Operation], bases: &[String]) -> Self {
        let mut paths = Paths {
            operations,
            nodes: vec![Node::default()],
            keys: FxHashSet::default(),
            by_end: FxHashMap::default(),
            beginnings: FxHashSet::default(),
            names: FxHashSet::default(),
            rests: Vec::new(),
        };
        for (at, operation) in operations.iter().enumerate() {
            let takes_rest = operation.path.parameters().last().is_some_and(|name| {
                let name = name.to_ascii_lowercase();
                operation.path.text().ends_with('}') && RESTS.iter().any(|rest| name.contains(rest))
            }) || operation.path.text().ends_with('*');
            for base in bases {
                let path = operation.path.under(base);
                let any_case = operation.implementation.as_ref().is_some_and(|code| code.any_case);
                let key = if any_case { path.key().to_lowercase() } else { path.key() };
                paths.add(&key, at);
                if takes_rest && let Some((front, _)) = key.rsplit_once('/') {
                    paths.rests.push(format!("{front}/"));
                }
            }
        }
        paths.rests.sort();
        paths.rests.dedup();
        paths
    }

    fn add(&mut self, key: &str, at: usize) {
        let mut node = 0;
        for segment in segments(key) {
            let next = self.nodes.len();
            let entry = if is_open(segment) {
                *self.nodes[node].parameter.get_or_insert(next)
            } else {
                self.names.insert(segment.to_lowercase());
                *self.nodes[node].names.entry(segment.to_owned()).or_insert(next)
            };
            if entry == next {
                self.nodes.push(Node::default());
            }
            node = entry;
        }
        self.nodes[node].operations.push(at);
        self.beginnings.insert(beginning(key));
        if self.keys.insert(key.to_owned()) {
            for (front, end) in ends(key).filter(|(_, end)| is_telling(end)) {
                let fronts = self.by_end.entry(end.to_owned()).or_default();
                if fronts.len() < MAX_ALIKE {
                    fronts.push(front.to_owned());
                }
            }
        }
    }

    /// Whether the path of an operation names anything.
    pub(super) fn is_telling(&self, at: usize) -> bool {
        self.operations.get(at).is_some_and(|operation| is_telling(&operation.path.key()))
    }

    /// Whether a path is written like this one, but for names of parameters.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.contains(key) || self.find(key, None).is_some_and(|found| found.sure)
    }

    /// What paths have in front that end like this one.
    pub(super) fn in_front_of(&self, key: &str) -> impl Iterator<Item = &str> {
        self.by_end.get(key).into_iter().flatten().map(String::as_str)
    }

    /// Whether a path, or an end of it, could be [had](Self::has) or end like another at all: quickly told, since most have
    /// nothing in common.
    pub(super) fn may_share(&self, key: &str) -> bool {
        let begins_open = self.nodes[0].parameter.is_some();
        segments(key)
            .any(|segment| if is_open(segment) { begins_open } else { self.names.contains(&segment.to_lowercase()) })
    }

    /// Whether anything begins with the same two segments.
    pub(super) fn shares_beginning(&self, key: &str) -> bool {
        let named = beginning(key);
        let first = named.split('/').next().unwrap_or("");
        self.beginnings.contains(&named) || self.beginnings.contains(first)
    }

    /// Whether a route takes any rest of what begins like this one.
    pub(super) fn is_below_any_rest(&self, key: &str) -> bool {
        self.rests.iter().any(|rest| key.starts_with(rest.as_str()))
    }

    /// Where the first of these operations is declared.
    pub(super) fn place(&self, found: &Found) -> Option<Span> {
        found.operations.first().map(|at| self.operations[*at].span)
    }

    /// The operations that a path leads to, of a method if one is given.
    pub(super) fn find(&self, key: &str, method: Option<Method>) -> Option<Found> {
        let asked: Vec<&str> = segments(key).collect();
        // What cannot be looked up may be any of them.
        let anything = || Some(Found { operations: Vec::new(), sure: false, several: true });
        if asked.len() > MAX_SEGMENTS {
            return anything();
        }
        let mut best: Vec<(Fit, usize)> = Vec::new();
        let mut stack = vec![(0_usize, 0_usize, Fit::default())];
        let mut visited = 0;
        while let Some((node, depth, fit)) = stack.pop() {
            visited += 1;
            if visited > MAX_VISITED {
                return anything();
            }
            let here = &self.nodes[node];
            let Some(segment) = asked.get(depth) else {
                let fits = |at: &&usize| method.is_none_or(|method| self.operations[**at].method == method);
                if !fit.is_crossed() && here.operations.iter().any(|at| fits(&at)) {
                    best.push((fit, node));
                }
                continue;
            };
            if let Some(next) = here.parameter {
                let named = usize::from(!is_open(segment));
                // What stands first is seldom a value.
                let guessed = fit.guessed + if depth == 0 { named } else { 0 };
                stack.push((next, depth + 1, Fit { guessed, parameters: fit.parameters + named, ..fit }));
            }
            if is_open(segment) {
                let guess = Fit { guessed: fit.guessed + 1, named: fit.named + 1, ..fit };
                stack.extend(here.names.values().map(|next| (*next, depth + 1, guess)));
            } else {
                let lower = segment.to_lowercase();
                let next = here.names.get(*segment).or_else(|| here.names.get(&lower));
                stack.extend(next.map(|next| (*next, depth + 1, fit)));
            }
        }
        let least = best.iter().map(|(fit, _)| *fit).min()?;
        let mut nodes: Vec<usize> = best.into_iter().filter(|(fit, _)| *fit == least).map(|(_, node)| node).collect();
        nodes.sort_unstable();
        let of_method = |at: &usize| method.is_none_or(|method| self.operations[*at].method == method);
        let operations =
            nodes.iter().flat_map(|node| &self.nodes[*node].operations).copied().filter(of_method).collect();
        Some(Found { operations, sure: least.guessed == 0, several: nodes.len() > 1 })
    }
}

fn segments(key: &str) -> impl Iterator<Item = &str> {
    key.split('/').filter(|segment| !segment.is_empty())
}

fn is_open(segment: &str) -> bool {
    segment.contains('{')
}

/// Whether it is one part that is not known.
pub(super) fn is_one_open(strip: &str) -> bool {
    strip.strip_prefix('/').is_some_and(|part| part.starts_with('{') && part.ends_with('}') && !part.contains('/'))
}

/// Whether a path names anything.
pub(super) fn is_telling(key: &str) -> bool {
    segments(key).any(|segment| !is_open(segment))
}

fn beginning(key: &str) -> String {
    let named = segments(key).take_while(|segment| !is_open(segment)).take(2);
    named.collect::<Vec<_>>().join("/").to_lowercase()
}

/// The ways to cut a path in two at a slash: what stands in front, and the rest.
pub(super) fn ends(key: &str) -> impl Iterator<Item = (&str, &str)> {
    key.char_indices().skip(1).filter(|(_, c)| *c == '/').take(MAX_SEGMENTS).map(|(at, _)| key.split_at(at))
}
