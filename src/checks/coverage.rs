//! How much of each contract could be held against code at all, and why not the rest.

use std::collections::BTreeMap;

use super::answers::{Answers, Bodies, answers};
use super::requests;
use crate::model::{Kind, Operation, ShapeId, ShapeTable};
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
        for pair in link.pairs.iter().filter(|_| !link.unrelated) {
            if pair.ignored {
                entry.ignored += 1;
                continue;
            }
            if pair.served.is_empty() {
                if let Some(cause) = pair.miss.as_ref().and_then(|miss| service.unread.get(miss.doubt?)) {
                    entry.unread += 1;
                    *reasons.entry(cause.reason.text.clone()).or_default() += 1;
                }
                continue;
            }
            entry.found += 1;
            let declared = &contract.operations[pair.declared];
            let mut routes = pair.served.iter().map(|at| &service.operations[*at]);
            let known = pair.served.iter().all(|at| takes_what_is_known(&service.operations[*at], service, declared));
            entry.requests_verified += usize::from(known);
            match routes.find_map(|served| obstacle(served, service, declared, &contract.shapes)) {
                None => entry.verified += 1,
                Some(reason) => *reasons.entry(reason).or_default() += 1,
            }
        }
        entry.not_verifiable = reasons.into_iter().collect();
        entry.not_verifiable.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        out.push(entry);
    }
    out
}

/// Why the success responses of a route could not be compared with those of the contract.
fn obstacle(served: &Operation, service: &Service, declared: &Operation, promised: &ShapeTable) -> Option<String> {
    let Answers { given, wrong_status, unknown_status, .. } = answers(served, declared, promised);
    if let Some(reason) = unknown_status {
        return Some(reason.text.clone());
    }
    if given.is_empty() && wrong_status.is_none() && declared.responses.iter().any(|r| r.status.is_success()) {
        return Some("no success response found in code".to_owned());
    }
    let success = declared.responses.iter().filter(|response| response.status.is_success());
    let mut promises = success.flat_map(|response| &response.bodies).filter(|body| body.is_json());
    if let Some(reason) = promises.find_map(|body| match &promised.view(body.shape).shape.kind {
        Kind::Unknown(reason) => Some(format!("contract: {}", reason.text)),
        _ => None,
    }) {
        return Some(reason);
    }
    given.iter().find_map(|answer| match answer.body {
        Bodies::Both { sent, .. } => vague(&service.shapes, sent.shape),
        Bodies::OtherMedia { media } => Some(format!("code answers with `{media}`")),
        Bodies::Missing { .. } | Bodies::Free => None,
    })
}

/// Whether all that a route takes could be held against the contract: nothing else may be taken, and the shape of the body
/// is known.
fn takes_what_is_known(served: &Operation, service: &Service, declared: &Operation) -> bool {
    let request = &served.request;
    let body = requests::paired(&declared.request.bodies, &request.bodies);
    request.other_parameters.is_none()
        && request.other_bodies.is_none()
        && body.is_none_or(|(_, taken)| vague(&service.shapes, taken.shape).is_none())
}

/// Why nothing can be said about a value of this shape; a list of unknown things is as unknown.
fn vague(shapes: &ShapeTable, id: ShapeId) -> Option<String> {
    let view = shapes.view(id);
    match &view.shape.kind {
        Kind::Unknown(reason) => Some(reason.text.clone()),
        Kind::Any if view.shape.values.is_none() => Some("no declared response type".to_owned()),
        Kind::Array { items: Some(items), .. } => match &shapes.view(*items).shape.kind {
            Kind::Unknown(reason) => Some(reason.text.clone()),
            _ => None,
        },
        _ => None,
    }
}
