//! A contract of which nothing is found, and of which much is served below another prefix.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::unread::{last_literal, shared_beginning};
use crate::contracts::Declarations;
use crate::model::{Method, Operation};

/// Where the operations of a contract are served instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What the contract has in front; empty where it has nothing.
    pub from: String,
    /// What the code has in front instead.
    pub to: String,
    /// Operations that are served so.
    pub fitting: usize,
    /// One of their routes, as an index into the service's operations.
    pub route: usize,
}

/// The one other prefix below which at least half of the operations are served.
pub(super) fn moved(routes: &[Operation], contract: &Declarations) -> Option<Moved> {
    let ends = ends(routes);
    let fronts: Vec<&str> = match contract.base_paths.as_slice() {
        [] => vec![""],
        several => several.iter().map(String::as_str).collect(),
    };
    let mut best: Option<Moved> = None;
    for front in fronts {
        let keys: Vec<String> = contract.operations.iter().map(|it| it.path.under(front).key()).collect();
        let shared = shared_beginning(&keys);
        let cuts = shared.match_indices('/').map(|(at, _)| at).skip(1).chain([shared.len(), 0]);
        for cut in cuts {
            let (from, to) = (&shared[..cut], fitting(&ends, contract, &keys, cut));
            for (to, (fitting, route)) in to {
                let is_more = best.as_ref().is_none_or(|best| fitting > best.fitting);
                if to != from && fitting * 2 >= keys.len() && is_more {
                    best = Some(Moved { from: from.to_owned(), to, fitting, route });
                }
            }
        }
    }
    best
}

/// Routes that are looked at behind one end of a path; another prefix that all share is not offered then.
const MAX_ALIKE: usize = 64;
/// Segments of a path that are looked at; a longer one tells no prefix.
const MAX_SEGMENTS: usize = 32;

/// Routes by method and each end of their path that names something, with what stands in front of that.
type Ends = FxHashMap<(Method, String), Vec<(String, usize)>>;

fn ends(routes: &[Operation]) -> Ends {
    let mut ends = Ends::default();
    for (at, route) in routes.iter().enumerate() {
        let key = route.path.key();
        for (start, _) in key.match_indices('/').take(MAX_SEGMENTS) {
            let (front, end) = key.split_at(start);
            if front.contains('{') || last_literal(end).is_none() {
                break;
            }
            let alike = ends.entry((route.method, end.to_owned())).or_default();
            if alike.len() < MAX_ALIKE && alike.iter().all(|(known, _)| known != front) {
                alike.push((front.to_owned(), at));
            }
        }
    }
    ends
}

/// For each prefix that routes have in front of what follows `cut` in the operations' paths: how many operations are served
/// behind it, and one of the routes.
fn fitting(ends: &Ends, contract: &Declarations, keys: &[String], cut: usize) -> BTreeMap<String, (usize, usize)> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (operation, key) in contract.operations.iter().zip(keys) {
        let Some(rest) = key.get(cut..) else { continue };
        for (front, at) in ends.get(&(operation.method, rest.to_owned())).into_iter().flatten() {
            found.entry(front.clone()).or_insert((0, *at)).0 += 1;
        }
    }
    found
}
