//! What is known of each promise of a contract: whether code keeps it could be looked at whole, and why not.

use super::answers::{Answers, Bodies, answers};
use super::messages::{found_channel, is_at};
use crate::model::{Kind, MessageUse, Operation, ShapeId, ShapeTable, name_key};
use crate::project::{Link, Project, Service};

/// How far one promise was looked at. Whether it is kept is told by findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All that it says of success could be compared.
    Verified,
    /// Something in code answers to it, and not all could be compared; why.
    Unverified(String),
    /// Nothing was found, and it may be in a part of the code that could not be read; why.
    Unread(String),
    /// Nothing was found.
    Missing,
    /// Not expected: ignored by configuration, or planned by the contract.
    Ignored,
}

/// One entry for each operation of a link's contract.
pub fn of_operations(project: &Project, link: &Link) -> Vec<Verdict> {
    let (service, contract) = (&project.services[link.service], &project.contracts[link.contract]);
    let mut out = Vec::with_capacity(link.pairs.len());
    for pair in &link.pairs {
        let declared = &contract.operations[pair.declared];
        let doubt = || {
            let (service, part) = pair.miss.as_ref()?.doubt?;
            project.services.get(service)?.unread.get(part)
        };
        let mut routes = pair.served.iter().map(|at| &service.operations[*at]);
        out.push(match routes.find_map(|served| obstacle(served, service, declared, &contract.shapes)) {
            _ if pair.ignored => Verdict::Ignored,
            None if pair.served.is_empty() => {
                doubt().map_or(Verdict::Missing, |cause| Verdict::Unread(cause.reason.text.clone()))
            }
            None => Verdict::Verified,
            Some(reason) => Verdict::Unverified(reason),
        });
    }
    out
}

/// One entry for each operation of a document about events: what a service does with its channel. Where `either`, the other
/// direction is looked at, too: of a consumer, which receives what the document says is sent.
pub fn of_events(project: &Project, contract: usize, service: &Service, either: bool) -> Vec<Verdict> {
    let Some(events) = &project.contracts[contract].events else { return Vec::new() };
    let either = either || events.turned;
    let mut out = Vec::with_capacity(events.operations.len());
    for exchange in &events.operations {
        let is_it = |usage: &&MessageUse| {
            (usage.action == exchange.action || either) && found_channel(events, usage) == Some(exchange.channel)
        };
        let reasons: Vec<Option<String>> = service
            .messages
            .iter()
            .filter(is_it)
            .map(|usage| match (&usage.channel, usage.payload) {
                // Found by the name of its message alone.
                (Ok(address), _) if !is_at(&events.channels[exchange.channel], address) => {
                    Some(format!("code exchanges it on `{address}`"))
                }
                (_, Some(payload)) => vague(&service.shapes, payload),
                (_, None) => Some("nothing is said of its payload in code".to_owned()),
            })
            .collect();
        let open = service.messages.iter().find_map(|usage| usage.channel.as_ref().err());
        out.push(match (reasons.iter().find_map(Option::as_ref), open) {
            (Some(reason), _) => Verdict::Unverified(reason.clone()),
            (None, Some(reason)) if reasons.is_empty() => Verdict::Unread(reason.text.clone()),
            (None, _) if reasons.is_empty() => Verdict::Missing,
            (None, _) => Verdict::Verified,
        });
    }
    out
}

/// One entry for each model of a document of schemas: whether a service declares a type of its name.
pub fn of_models(project: &Project, contract: usize, service: &Service) -> Vec<Verdict> {
    let models = project.contracts[contract].models.as_deref().unwrap_or_default();
    let verdict = |names: &[String]| {
        let is_it = |name: &str| names.iter().any(|known| name_key(known) == name_key(name));
        match service.models.iter().find(|model| is_it(&model.name)) {
            None => Verdict::Missing,
            Some(model) => vague(&service.shapes, model.shape).map_or(Verdict::Verified, Verdict::Unverified),
        }
    };
    models.iter().map(|model| verdict(&model.names)).collect()
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

/// Why nothing can be said about a value of this shape; a list of unknown things is as unknown.
pub(super) fn vague(shapes: &ShapeTable, id: ShapeId) -> Option<String> {
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
