//! Which services keep a document about events: the configured ones, else the one whose root encloses it, else those below
//! that.

use super::Service;
use crate::contracts::Declarations;
use crate::text::Sources;

/// A document about events, and the services whose messages it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeper {
    /// Index into [`Project::contracts`](super::Project::contracts).
    pub contract: usize,
    /// Indices into [`Project::services`](super::Project::services).
    pub services: Vec<usize>,
    /// By configuration: it is these services' document even if nothing of it is found.
    pub named: bool,
}

/// The keepers of every document about events. `configured` gives the services that the configuration names for a
/// contract, by its index.
pub fn keepers(
    services: &[Service],
    contracts: &[Declarations],
    configured: impl Fn(usize) -> Vec<usize>,
    sources: &Sources,
) -> Vec<Keeper> {
    let speaks = |at: &usize| !services[*at].messages.is_empty();
    let mut found = Vec::new();
    for (at, contract) in contracts.iter().enumerate().filter(|(_, contract)| contract.events.is_some()) {
        let named = configured(at);
        if !named.is_empty() {
            found.push(Keeper { contract: at, services: named, named: true });
            continue;
        }
        let path = &sources.get(contract.file).path;
        let enclosing = (0..services.len()).filter(|at| is_below(path, &services[*at].root));
        let Some(nearest) = enclosing.max_by_key(|at| depth(&services[*at].root)) else { continue };
        let root = &services[nearest].root;
        let kept = if speaks(&nearest) {
            vec![nearest]
        } else {
            let inner = (0..services.len()).filter(|at| *at != nearest && is_below(&services[*at].root, root));
            inner.filter(speaks).collect()
        };
        if !kept.is_empty() {
            found.push(Keeper { contract: at, services: kept, named: false });
        }
    }
    found
}

fn depth(root: &str) -> usize {
    if root == "." { 0 } else { root.len() }
}

fn is_below(path: &str, root: &str) -> bool {
    if root == "." || root.is_empty() {
        return !path.starts_with('/');
    }
    path.strip_prefix(root.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
}
