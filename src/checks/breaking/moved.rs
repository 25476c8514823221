//! Base paths that moved: where everything that was served below one path is served below another, that is one change,
//! and the operations are still the same ones.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Versions;
use crate::model::{Method, Operation};

/// Operations that must have moved alike to tell that it is their base path that moved.
const MIN_TELLING: usize = 3;

/// A base path that moved.
pub(super) struct Moved {
    pub(super) from: String,
    pub(super) to: String,
    /// Operations of the old version, and what each one is in the new.
    pub(super) pairs: BTreeMap<usize, usize>,
}

/// The base path that moved, if nearly all operations that are gone are found behind another one. `index` has the
/// operations of the new version by their key.
pub(super) fn below_another_path(
    versions: Versions<'_>,
    index: &FxHashMap<(Method, String), usize>,
    key: impl Fn(&Operation) -> (Method, String),
) -> Option<Moved> {
    let Versions { old, new, .. } = versions;
    let was: FxHashSet<(Method, String)> = old.operations.iter().map(&key).collect();
    // Every end of a path that is new, with the longest beginning first where several have it.
    let mut ends: FxHashMap<(Method, String), Vec<usize>> = FxHashMap::default();
    for (at, operation) in new.operations.iter().enumerate() {
        let (method, path) = key(operation);
        if was.contains(&(method, path.clone())) {
            continue;
        }
        for (start, _) in path.match_indices('/') {
            ends.entry((method, path[start..].to_owned())).or_default().push(at);
        }
    }
    let mut gone: Vec<(usize, Method, String)> = Vec::new();
    for (at, operation) in old.operations.iter().enumerate() {
        let (method, path) = key(operation);
        if !index.contains_key(&(method, path.clone())) {
            gone.push((at, method, path));
        }
    }
    if gone.len() < MIN_TELLING {
        return None;
    }
    // Which beginning each one lost, and which one it got: the shortest that tells it apart.
    let mut votes: BTreeMap<(String, String), BTreeMap<usize, usize>> = BTreeMap::new();
    for (at, method, path) in &gone {
        let starts: Vec<usize> = path.match_indices('/').map(|(start, _)| start).collect();
        let Some((start, [now])) = starts
            .into_iter()
            .find_map(|start| Some((start, ends.get(&(*method, path[start..].to_owned()))?.as_slice())))
        else {
            continue;
        };
        let (_, is) = key(&new.operations[*now]);
        let front = is.strip_suffix(&path[start..]).unwrap_or("");
        votes.entry((path[..start].to_owned(), front.to_owned())).or_default().insert(*at, *now);
    }
    let ((from, to), pairs) = votes.into_iter().max_by_key(|(_, pairs)| pairs.len())?;
    let is_told = pairs.len() >= MIN_TELLING && pairs.len() * 10 >= gone.len() * 8;
    is_told.then_some(Moved { from, to, pairs })
}
