//! Which response of code answers which response of the contract, and which of their bodies can be compared.

use crate::finding::Reason;
use crate::model::{Body, Kind, Operation, Response, ShapeId, ShapeTable, Status};

/// A response of code held against one of the contract.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<'a> {
    pub(super) served: &'a Response,
    pub(super) declared: &'a Response,
    /// Position of `declared` among the contract's responses.
    pub(super) index: usize,
    pub(super) body: Bodies<'a>,
}

/// What can be said about the bodies of two responses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bodies<'a> {
    /// Both are JSON.
    Both { sent: &'a Body, promised: &'a Body },
    /// The contract promises JSON, code sends nothing.
    Missing { promised: &'a Body },
    /// Code sends another media type than the JSON that the contract promises.
    OtherMedia { media: &'a str },
    /// The contract says nothing that could be compared.
    Free,
}

/// All answers of one route to one contracted operation.
#[derive(Debug)]
pub(super) struct Answers<'a> {
    pub(super) given: Vec<Answer<'a>>,
    /// The first success response of code, where the contract has success statuses and none is its.
    pub(super) wrong_status: Option<&'a Response>,
    /// Success responses of code besides those that the contract has, which has no word for the rest.
    pub(super) other_status: Vec<&'a Response>,
    /// What code surely sends otherwise, with a status for which a response is declared.
    pub(super) otherwise: Vec<Answer<'a>>,
    /// Code's status cannot be known, and the contract has several.
    pub(super) unknown_status: Option<&'a Reason>,
}

pub(super) fn answers<'a>(served: &'a Operation, declared: &'a Operation, shapes: &ShapeTable) -> Answers<'a> {
    let mut promised: Vec<(usize, &Response)> = numbered(declared, Status::is_success);
    let has_default = declared.responses.iter().any(|response| response.status == Status::Default);
    let stated = !promised.is_empty();
    if !stated {
        promised = numbered(declared, |status| *status == Status::Default);
    }
    let sole = if let [only] = promised[..] { Some(only) } else { None };
    let mut out = Answers {
        given: Vec::new(),
        wrong_status: None,
        other_status: Vec::new(),
        otherwise: Vec::new(),
        unknown_status: None,
    };
    let mut known_wrong = Vec::new();
    for response in &served.responses {
        let target = match &response.status {
            Status::Unknown(reason) => {
                if sole.is_none() && stated {
                    out.unknown_status = Some(reason);
                }
                sole
            }
            status if status.is_success() => {
                let exact = promised.iter().find(|(_, target)| covers(&target.status, status)).copied();
                if exact.is_none() && stated {
                    known_wrong.push(response);
                }
                exact.or(sole.filter(|_| !stated))
            }
            _ => continue,
        };
        if let Some((index, declared)) = target {
            let answer = Answer { served: response, declared, index, body: bodies(response, declared, shapes) };
            let known = matches!(response.status, Status::Code(_))
                && out.given.iter().any(|answer| answer.served.status == response.status);
            if known { out.otherwise.push(answer) } else { out.given.push(answer) }
        }
    }
    if !out.given.is_empty() && !has_default {
        out.other_status.clone_from(&known_wrong);
    }
    if let (true, Some(first)) = (out.given.is_empty() && out.unknown_status.is_none(), known_wrong.first().copied()) {
        if !has_default {
            out.wrong_status = Some(first);
        }
        // The wrong number does not hide what else is wrong: a contract with one success response means that one.
        if let Some((index, declared)) = sole {
            let body = match bodies(first, declared, shapes) {
                Bodies::Missing { .. } => Bodies::Free,
                other => other,
            };
            out.given.push(Answer { served: first, declared, index, body });
        }
    }
    out
}

fn numbered(operation: &Operation, wanted: impl Fn(&Status) -> bool) -> Vec<(usize, &Response)> {
    let all = operation.responses.iter().enumerate();
    let mut found: Vec<_> = all.filter(|(_, response)| wanted(&response.status)).collect();
    // An exact status goes before its range.
    found.sort_by_key(|(_, response)| !matches!(response.status, Status::Code(_)));
    found
}

fn covers(promised: &Status, sent: &Status) -> bool {
    match (promised, sent) {
        (Status::Range(class), Status::Code(code)) | (Status::Code(code), Status::Range(class)) => {
            u16::from(*class) == code / 100
        }
        (promised, sent) => promised == sent,
    }
}

fn bodies<'a>(served: &'a Response, declared: &'a Response, shapes: &ShapeTable) -> Bodies<'a> {
    let Some(promised) = declared.bodies.iter().find(|body| body.is_json()) else { return Bodies::Free };
    if is_free(shapes, promised.shape) {
        return Bodies::Free;
    }
    if served.bodies.is_empty() {
        let only_json = declared.bodies.iter().all(Body::is_json);
        let may_be_empty = matches!(declared.status, Status::Code(204 | 205)) || shapes.view(promised.shape).nullable;
        return if only_json && !may_be_empty { Bodies::Missing { promised } } else { Bodies::Free };
    }
    let Some(sent) = served.bodies.iter().find(|body| body.is_json()) else {
        return Bodies::OtherMedia { media: &served.bodies[0].media };
    };
    let same_media = declared.bodies.iter().find(|body| body.is_json() && body.media == sent.media);
    Bodies::Both { sent, promised: same_media.unwrap_or(promised) }
}

/// Whether a route says what a success of it answers: a type, another medium than JSON, or nothing at all.
pub(super) fn declares_a_type(served: &Operation, shapes: &ShapeTable) -> bool {
    let mut successes = served.responses.iter().filter(|response| response.status.is_success());
    successes.any(|response| {
        response.bodies.iter().all(|body| {
            let view = shapes.view(body.shape);
            !matches!(view.shape.kind, Kind::Any) || view.shape.values.is_some()
        })
    })
}

/// The contract accepts everything there, or cannot be understood.
pub(super) fn is_free(shapes: &ShapeTable, id: ShapeId) -> bool {
    let view = shapes.view(id);
    match view.shape.kind {
        Kind::Unknown(_) => true,
        Kind::Any => view.shape.values.is_none(),
        _ => false,
    }
}
