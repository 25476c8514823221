//! Engine `presence`: a contracted operation that no route serves, with the nearest miss.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{KindInfo, Of};
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Method, Operation};
use crate::project::{Link, Project, Service};

/// `of = "tables"` for the tables of requirements documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presence {
    #[serde(default)]
    of: Of,
}

const MISSING: &str = "missing";
const OTHER_METHOD: &str = "other-method";
const OTHER_PREFIX: &str = "other-prefix";

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo {
        name: MISSING,
        severity: Severity::Error,
        about: "no route serves the operation",
        gaps: &["operation", "service", "advice"],
    },
    KindInfo {
        name: OTHER_METHOD,
        severity: Severity::Error,
        about: "the path is served with another method, which the contract does not have",
        gaps: &["operation", "service", "advice", "nearest"],
    },
    KindInfo {
        name: OTHER_PREFIX,
        severity: Severity::Error,
        about: "the path is served under another prefix",
        gaps: &["operation", "service", "advice", "nearest"],
    },
];

/// A contracted operation that no route serves.
pub(super) struct Miss<'p> {
    pub(super) declared: &'p Operation,
    /// Index into the services: the first of those that keep the contract.
    service: usize,
    near: Option<(Nearness, &'p Operation)>,
    doubtful: bool,
}

impl<'p> Miss<'p> {
    /// The route that was probably meant, with what it says already.
    pub(super) fn meant(&self) -> Option<&'p Operation> {
        self.near.filter(|(nearness, _)| *nearness != Nearness::SamePath).map(|(_, route)| route)
    }
}

pub(super) fn judge(params: &Presence, project: &Project, sink: &mut Sink<'_>) {
    for miss in misses(params.of.links(project), project) {
        let service = &project.services[miss.service];
        sink.report(evidence(miss.declared, service, miss.near, miss.doubtful));
    }
}

/// Every operation that is expected and not served, in the contracts' order.
pub(super) fn misses<'p>(links: &'p [Link], project: &'p Project) -> Vec<Miss<'p>> {
    let mut out = Vec::new();
    let mut by_contract: BTreeMap<usize, Vec<&Link>> = BTreeMap::new();
    for link in links.iter().filter(|link| !link.unrelated) {
        by_contract.entry(link.contract).or_default().push(link);
    }
    for (index, links) in by_contract {
        let contract = &project.contracts[index];
        // A contract may be kept by several services together.
        let pairs = links.iter().flat_map(|link| &link.pairs);
        let settled: BTreeSet<usize> =
            pairs.filter(|pair| pair.ignored || !pair.served.is_empty()).map(|pair| pair.declared).collect();
        let missing: Vec<usize> =
            links[0].pairs.iter().map(|pair| pair.declared).filter(|at| !settled.contains(at)).collect();
        if missing.is_empty() {
            continue;
        }
        let doubtful = links.iter().any(|link| link.doubtful);
        let indexes: Vec<Index<'_>> =
            links.iter().map(|link| Index::new(&project.services[link.service], link)).collect();
        for at in missing {
            let declared = &contract.operations[at];
            let doubtful =
                doubtful || links.iter().flat_map(|link| &link.pairs).any(|pair| pair.declared == at && pair.doubtful);
            let near = indexes.iter().filter_map(|index| index.nearest(declared, contract)).min_by_key(|near| near.0);
            out.push(Miss { declared, service: links[0].service, near, doubtful });
        }
    }
    out
}

/// How near a miss is; the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    OtherMethod,
    OtherPrefix,
    OtherSegment,
    /// The path exists, and the methods it has are contracted themselves.
    SamePath,
}

fn evidence(declared: &Operation, service: &Service, near: Option<(Nearness, &Operation)>, doubtful: bool) -> Evidence {
    let nearest = near.map(|(_, route)| format!("`{}`", route.title())).unwrap_or_default();
    let (kind, label) = match near.map(|near| near.0) {
        None => (MISSING, ""),
        Some(Nearness::OtherMethod) => (OTHER_METHOD, "the same path with another method"),
        Some(Nearness::OtherPrefix) => (OTHER_PREFIX, "the same path under another prefix"),
        Some(Nearness::OtherSegment) => (MISSING, "a similar path"),
        Some(Nearness::SamePath) => (MISSING, "the path is served, without this method"),
    };
    let never_mounted = |route: &Operation| route.implementation.as_ref().is_some_and(|code| !code.mounted);
    let advice = match near {
        None => "add the route, or take the operation out of the contract".to_owned(),
        Some((Nearness::OtherMethod, _)) => format!("change the method of {nearest}, or the contract"),
        Some((Nearness::OtherPrefix, route)) if never_mounted(route) => {
            format!("mount the router of {nearest}: no application includes it")
        }
        Some((Nearness::OtherPrefix, _)) => {
            format!("serve {nearest} under the contract's prefix, or set `base-path` if a gateway adds it")
        }
        Some((Nearness::OtherSegment, _)) => format!("compare with {nearest}, which the contract does not have"),
        Some((Nearness::SamePath, _)) => format!("add the method beside {nearest}, or take it out of the contract"),
    };
    Evidence {
        kind,
        span: declared.span,
        label: "promised here".to_owned(),
        related: near.map(|(_, route)| Label { span: route.span, text: label.to_owned() }).into_iter().collect(),
        operations: vec![declared.title()],
        field: None,
        contract: Some(ContractPlace { span: declared.span, pointer: declared.pointer.clone() }),
        subject: declared.title(),
        values: vec![
            ("operation", format!("`{}`", declared.title())),
            ("service", format!("`{}`", service.name)),
            ("nearest", nearest),
            ("advice", advice),
        ],
        at_most: doubtful.then_some(Severity::Info),
    }
}

/// The routes of a service by what a miss may have in common with them.
struct Index<'a> {
    routes: &'a [Operation],
    /// Routes that serve something contracted.
    claimed: BTreeSet<usize>,
    by_key: FxHashMap<String, Vec<usize>>,
    /// By each end of the path that begins at a slash and names something.
    by_suffix: FxHashMap<String, Vec<usize>>,
    /// By the path with one segment left open.
    by_mask: FxHashMap<String, Vec<usize>>,
}

/// Routes that are kept under one suffix or mask.
const MAX_ALIKE: usize = 64;
/// Segments of a path that are looked at.
const MAX_SEGMENTS: usize = 32;

impl<'a> Index<'a> {
    fn new(service: &'a Service, link: &Link) -> Self {
        let claimed: BTreeSet<usize> = link.pairs.iter().flat_map(|pair| pair.served.iter().copied()).collect();
        let mut index = Index {
            routes: &service.operations,
            claimed,
            by_key: FxHashMap::default(),
            by_suffix: FxHashMap::default(),
            by_mask: FxHashMap::default(),
        };
        for (at, route) in service.operations.iter().enumerate() {
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

    fn nearest(&self, declared: &Operation, contract: &Declarations) -> Option<(Nearness, &'a Operation)> {
        let own = declared.path.key();
        let mut keys = vec![own.clone()];
        keys.extend(
            contract.base_paths.iter().filter(|base| !base.is_empty()).map(|base| declared.path.under(base).key()),
        );
        let on_path: Vec<usize> = keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect();
        let free = |at: &&usize| !self.claimed.contains(*at);
        let of_method = |at: &&usize| self.routes[**at].method == declared.method;
        let answer = |nearness, at: &usize| Some((nearness, &self.routes[*at]));
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

/// The path with each of its segments left open in turn.
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
