//! From the answers of a handler to responses: what is sent with one status is one of what each place sends.

use super::Schemas;
use crate::evaluate::{Evaluator, Value};
use crate::finding::Reason;
use crate::languages::typescript::schema::{Reply, ReplyBody, Type};
use crate::model::{Body, Response, Status};
use crate::text::Span;

/// Successful answers by status; `default` is sent where a handler says none. A handler whose answers are not seen has
/// one that is not known.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    replies: Vec<Reply<'p>>,
    default: u16,
    site: Span,
) -> Vec<Response> {
    let mut groups: Vec<(Status, Vec<Reply<'p>>)> = Vec::new();
    let each_status = |reply: Reply<'p>| match &reply.status {
        Some(status @ Value::Choice(_)) => evaluator
            .alternatives_of(status)
            .into_iter()
            .map(|(_, status)| Reply { status: Some(status), ..reply.clone() })
            .collect(),
        _ => vec![reply],
    };
    for reply in replies.into_iter().flat_map(each_status) {
        let status = status_of(reply.status.as_ref(), default, reply.span);
        if !matches!(status, Status::Unknown(_)) && !status.is_success() {
            continue;
        }
        let same =
            |known: &Status| matches!((known, &status), (Status::Unknown(_), Status::Unknown(_))) || *known == status;
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((_, group)) => group.push(reply),
            None => groups.push((status, vec![reply])),
        }
    }
    // What is sent with a status that only run time knows is an error as likely as not.
    if groups.iter().any(|(status, _)| status.is_success()) {
        groups.retain(|(status, _)| status.is_success());
    } else if let Some((Status::Unknown(reason), group)) = groups.first() {
        let place = group.first().map_or(site, |reply| reply.span);
        let status = Status::Unknown(reason.clone());
        return vec![Response { status, ..unknown(schemas, "status that is known at run time", place) }];
    }
    if groups.is_empty() {
        return vec![unknown(schemas, "no answer of the handler is seen", site)];
    }
    groups.into_iter().map(|(status, group)| one(evaluator, schemas, status, group)).collect()
}

/// A response of which nothing is known.
pub(super) fn unknown(schemas: &mut Schemas, why: &str, site: Span) -> Response {
    let shape = schemas.typescript().unknown(why, Some(site));
    let body = Body { media: "application/json".to_owned(), shape, span: site, required: true };
    Response { status: Status::Unknown(Reason::new(why, Some(site))), bodies: vec![body], span: site }
}

fn status_of(value: Option<&Value>, default: u16, site: Span) -> Status {
    match value {
        None => Status::Code(default),
        Some(Value::Int(code)) => match u16::try_from(*code) {
            Ok(code @ 100..=599) => Status::Code(code),
            _ => Status::Unknown(Reason::new("status code is no status", Some(site))),
        },
        Some(Value::Unknown(why, place)) => Status::Unknown(Reason::new(*why, place.or(Some(site)))),
        Some(other) => Status::Unknown(Reason::new(format!("status code is {}", other.describe()), Some(site))),
    }
}

fn one<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    status: Status,
    group: Vec<Reply<'p>>,
) -> Response {
    let span = group[0].span;
    let mut types = Vec::new();
    let (mut other, mut media) = (None, "application/json");
    for reply in group {
        match reply.body {
            ReplyBody::Value(ty) => types.push(ty),
            ReplyBody::Page => (other, media) = (Some(("a page is sent", reply.span)), "text/html"),
            ReplyBody::Other(why) => (other, media) = (Some((why, reply.span)), "application/json"),
            ReplyBody::Nothing => {}
        }
    }
    // What else is sent is no JSON, and nothing that a schema of JSON speaks of.
    if !types.is_empty() {
        media = "application/json";
    }
    if let (Some((why, place)), true) = (other, types.is_empty()) {
        types.push(Type::unknown(why, Some(place)));
    }
    let bodiless = matches!(status, Status::Code(204 | 205 | 304));
    let bodies = if types.is_empty() || bodiless {
        Vec::new()
    } else {
        let shape = schemas.typescript().shape_of(evaluator, &Type::union(types), Some(span));
        vec![Body { media: media.to_owned(), shape, span, required: true }]
    };
    Response { status, bodies, span }
}
