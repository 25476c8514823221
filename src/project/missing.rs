//! Operations that no route serves: what may have been meant, whether anything of the same resource was read, and whether
//! a part of the service that could not be read may serve them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::nearest::{Index, Nearness};
use super::unread::{Seen, is_located, may_serve, resource, shared_beginning};
use super::{Link, Pair, Service};
use crate::contracts::Declarations;
use crate::finding::{Problem, ProblemKind};
use crate::model::{Method, PathTemplate, Reach, UNKNOWN_PART, Unread};
use crate::text::Sources;

/// What there is to say of an operation without a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The route that comes nearest, as an index into the service's operations.
    pub near: Option<(Nearness, usize)>,
    /// The resource that it belongs to, where nothing of that was read: all of it is missing.
    pub resource: Option<String>,
    /// The unread part that may serve it, as indices of its service and of the part: then it is not known to be missing.
    pub doubt: Option<(usize, usize)>,
}

/// Path keys that an operation may be served at, likeliest first.
pub(super) type Keys<'k> = &'k dyn Fn(&PathTemplate) -> Vec<String>;

/// [`look`] where the contract's paths are served as they are written.
#[cfg(test)]
pub fn look_for_missing(pairs: &mut [Pair], contract: &Declarations, service: &Service) {
    look(pairs, contract, (std::slice::from_ref(service), 0), &|path| vec![path.key()]);
}

/// Fills in [`Pair::miss`] of every pair that is expected and has no route; `of` is the service that keeps the contract.
pub(super) fn look(pairs: &mut [Pair], contract: &Declarations, (services, of): (&[Service], usize), keys: Keys<'_>) {
    let service = &services[of];
    if !pairs.iter().any(is_missing) {
        return;
    }
    let own: Vec<String> = contract.operations.iter().map(|operation| operation.path.key()).collect();
    let shared = shared_beginning(&own);
    let seen = Seen::new(&service.operations);
    let served: FxHashSet<String> = service.operations.iter().map(|operation| operation.path.key()).collect();
    let found: FxHashSet<&str> = pairs
        .iter()
        .filter(|pair| !pair.served.is_empty())
        .map(|pair| resource(&own[pair.declared], &shared))
        .collect();
    // Beside a framework that serves the contract, code that answers requests by itself is another server's.
    let auxiliary = service.unread.iter().filter(|unread| unread.reach == Reach::Anything);
    let by_hand: FxHashSet<_> = auxiliary.filter_map(|unread| Some(unread.reason.span?.file)).collect();
    let by_framework = |at: &usize| !by_hand.contains(&service.operations[*at].span.file);
    let expected = pairs.iter().filter(|pair| !pair.ignored).count();
    let is_served = pairs.iter().filter(|pair| pair.served.iter().any(by_framework)).count() * 2 >= expected;
    let index = Index::new(&service.operations, pairs);
    let misses: Vec<Option<Miss>> = pairs
        .iter()
        .map(|pair| {
            let declared = contract.operations.get(pair.declared).filter(|_| is_missing(pair))?;
            let near = index.nearest(declared, contract);
            let own = own[pair.declared].as_str();
            let named = resource(own, &shared);
            let places: Vec<(String, usize)> = keys(&declared.path)
                .into_iter()
                .map(|key| {
                    let front = key.strip_suffix(own).map_or(0, |front| front.len() + shared.len().min(own.len()));
                    (key, front)
                })
                .collect();
            let is_read = found.contains(named)
                || places.iter().any(|(key, front)| key.len() > 1 && seen.has(resource(key, &key[..*front])));
            // Another method or prefix beside what was read is no gap in the reading.
            let is_close = matches!(near, Some((Nearness::OtherMethod | Nearness::OtherPrefix, _)));
            let doubt = service.unread.iter().position(|unread| {
                let serves = |(key, front): &(String, usize)| {
                    may_serve(unread, &seen, (Some(declared.method), key), &key[..*front])
                        || (!served.contains(key) && is_at(unread, key))
                };
                let is_possible = match (unread.reach, is_located(unread)) {
                    (Reach::Anything, _) if is_served => !is_read && !is_close,
                    (Reach::Anything | Reach::Documents, _) => true,
                    (_, false) => !is_read && !is_close,
                    // A route of the same ending elsewhere says nothing of what was mounted here.
                    (Reach::Unseen, true) => !matches!(near, Some((Nearness::OtherMethod, _))),
                    (Reach::Route | Reach::Below, true) => true,
                };
                is_possible && places.iter().any(serves)
            });
            let doubt = doubt.map(|part| (of, part)).or_else(|| {
                let method = declared.method;
                handed_on(services, of)
                    .find(|(_, unread)| {
                        let prefix = PathTemplate::new(&unread.path).key();
                        !seen.has(&prefix)
                            && places
                                .iter()
                                .any(|(key, front)| may_serve(unread, &seen, (Some(method), key), &key[..*front]))
                    })
                    .map(|(place, _)| place)
            });
            Some(Miss { near, resource: (!is_read).then(|| named.to_owned()), doubt })
        })
        .collect();
    for (pair, miss) in pairs.iter_mut().zip(misses) {
        pair.miss = miss;
    }
    doubt_as_many(pairs, contract, &service.unread, of);
}

/// What other services of the run hand on below a path of their own, as a gateway does, under which other path they may: each
/// with its place.
fn handed_on(services: &[Service], of: usize) -> impl Iterator<Item = ((usize, usize), &Unread)> {
    let others = services.iter().enumerate().filter(move |(at, _)| *at != of);
    let parts =
        others.flat_map(|(at, it)| it.unread.iter().enumerate().map(move |(part, unread)| ((at, part), unread)));
    parts.filter(|(_, unread)| unread.reach == Reach::Below && is_located(unread))
}

/// Of a method there may be as many routes more as there are of which the path is not known at all.
fn doubt_as_many(pairs: &mut [Pair], contract: &Declarations, unread: &[Unread], of: usize) {
    for method in Method::ALL {
        let mut nowhere = unread
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.reach == Reach::Route && entry.method == Some(method) && !is_located(entry));
        let Some((first, _)) = nowhere.next() else { continue };
        let routes = 1 + nowhere.count();
        let is_open = |pair: &&mut Pair| {
            contract.operations[pair.declared].method == method
                && pair.miss.as_ref().is_some_and(|miss| miss.doubt.is_none())
        };
        let open: Vec<&mut Pair> = pairs.iter_mut().filter(is_open).collect();
        if open.len() <= routes {
            open.into_iter().filter_map(|pair| pair.miss.as_mut()).for_each(|miss| miss.doubt = Some((of, first)));
        }
    }
}

/// Whether a path key is the one that a part is below: many servers lead from `/files` to `/files/` where nothing else is
/// served there.
fn is_at(unread: &Unread, key: &str) -> bool {
    let pattern = PathTemplate::new(&unread.path).key();
    let beginning = pattern.strip_suffix(UNKNOWN_PART).and_then(|it| it.strip_suffix('/'));
    unread.reach == Reach::Below && is_located(unread) && beginning == Some(key)
}

fn is_missing(pair: &Pair) -> bool {
    pair.served.is_empty() && !pair.ignored
}

/// Operations that a problem names; others are counted.
const MAX_NAMED: usize = 3;

/// One problem for each part that could not be read and may serve something contracted.
pub(super) fn problems(
    links: &[Link],
    services: &[Service],
    contracts: &[Declarations],
    sources: &Sources,
) -> Vec<Problem> {
    // A contract may be kept by several services together.
    let mut settled: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
    for link in links {
        let served = link.pairs.iter().filter(|pair| pair.ignored || !pair.served.is_empty());
        settled.entry(link.contract).or_default().extend(served.map(|pair| pair.declared));
    }
    let mut doubted: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    for link in links.iter().filter(|link| !link.unrelated) {
        for pair in &link.pairs {
            if let Some((service, cause)) = pair.miss.as_ref().and_then(|miss| miss.doubt)
                && !settled[&link.contract].contains(&pair.declared)
            {
                // One place may leave several parts unread: a method each.
                let unread = &services[service].unread;
                let first = unread.iter().position(|other| other.reason == unread[cause].reason).unwrap_or(cause);
                doubted.entry((service, first)).or_default().push((link.contract, pair.declared));
            }
        }
    }
    let problem = |((service, cause), operations): ((usize, usize), Vec<(usize, usize)>)| {
        let (service, cause) = (&services[service], &services[service].unread[cause]);
        let named = operations.iter().take(MAX_NAMED);
        let mut names: Vec<String> =
            named.map(|(contract, at)| format!("`{}`", contracts[*contract].operations[*at].title())).collect();
        if operations.len() > MAX_NAMED {
            names.push(format!("{} more", operations.len() - MAX_NAMED));
        }
        let (number, are) = if operations.len() == 1 {
            ("1 operation".to_owned(), "is")
        } else {
            (format!("{} operations", operations.len()), "are")
        };
        let message = format!(
            "{}; {number} that may be served by it {are} not verifiable: {}",
            cause.reason.text,
            names.join(", ")
        );
        let problem = match cause.reason.span {
            Some(span) => Problem::at(ProblemKind::ExtractionIncomplete, sources, span, message),
            None => Problem::new(ProblemKind::ExtractionIncomplete, service.root.clone(), message),
        };
        problem.with_help(
            "register the routes where they can be read, or list the operations under `ignore-operations` of the service",
        )
    };
    doubted.into_iter().map(problem).collect()
}
