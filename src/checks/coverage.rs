//! How much of each contract could be held against code at all, and why not the rest.

use std::collections::BTreeMap;

use super::requests;
use super::verdicts::{Verdict, of_operations, vague};
use crate::model::Operation;
use crate::project::{Project, Service};

/// What was looked at for one link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Index into [`Project::links`].
    pub link: usize,
    /// Operations of the contract.
    pub contracted: usize,
    /// … that are not expected: ignored by configuration or planned by the contract.
    pub ignored: usize,
    /// … that are expected and have a route.
    pub found: usize,
    /// … whose success responses were compared.
    pub verified: usize,
    /// … and have a route of which all is known that it takes.
    pub requests_verified: usize,
    /// … that have no route and may be served by a part of the code that could not be read.
    pub unread: usize,
    /// Why the others of `found`, and those of `unread`, could not be verified; most frequent first.
    pub not_verifiable: Vec<(String, usize)>,
}

/// One entry a link, in the project's order; a link to a contract that is another service's is all zero but for
/// `contracted`.
pub fn coverage(project: &Project) -> Vec<Coverage> {
    let mut out = Vec::new();
    for (index, link) in project.links.iter().enumerate() {
        let (service, contract) = (&project.services[link.service], &project.contracts[link.contract]);
        let mut entry = Coverage { link: index, contracted: link.pairs.len(), ..Coverage::default() };
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        let verdicts = if link.unrelated { Vec::new() } else { of_operations(project, link) };
        for (pair, verdict) in link.pairs.iter().zip(verdicts) {
            let reason = match verdict {
                Verdict::Ignored => {
                    entry.ignored += 1;
                    continue;
                }
                Verdict::Missing => None,
                Verdict::Unread(reason) => {
                    entry.unread += 1;
                    Some(reason)
                }
                Verdict::Verified => {
                    entry.verified += 1;
                    None
                }
                Verdict::Unverified(reason) => Some(reason),
            };
            if let Some(reason) = reason {
                *reasons.entry(reason).or_default() += 1;
            }
            if pair.served.is_empty() {
                continue;
            }
            entry.found += 1;
            let declared = &contract.operations[pair.declared];
            let known = pair.served.iter().all(|at| takes_what_is_known(&service.operations[*at], service, declared));
            entry.requests_verified += usize::from(known);
        }
        entry.not_verifiable = reasons.into_iter().collect();
        entry.not_verifiable.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        out.push(entry);
    }
    out
}

/// Whether all that a route takes could be held against the contract: nothing else may be taken, and the shape of the body
/// is known.
fn takes_what_is_known(served: &Operation, service: &Service, declared: &Operation) -> bool {
    let request = &served.request;
    let body = requests::paired(&declared.request.bodies, request);
    request.other_parameters.is_none()
        && request.other_bodies.is_none()
        && body.is_none_or(|(_, taken)| vague(&service.shapes, taken.shape).is_none())
}
