//! What comes out: statuses, headers and bodies of responses. The new version answers, old clients read.

use super::members::{self, Whole};
use super::operations::about;
use super::{Both, Changes, Comparers, Touched, Versions, by_name, media_for};
use crate::checks::shape::Direction;
use crate::model::{Parameter, Response, Status};

pub(super) fn compare(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    // Code: a status that is not known may be any, and of failures it never tells all.
    let is_told = |status: &Status, others: &[Response]| {
        let open = others.iter().any(|other| matches!(other.status, Status::Unknown(_) | Status::Default));
        versions.code.is_none() || (status.is_success() && !open && !others.is_empty())
    };
    for (at, old) in both.old.responses.iter().enumerate() {
        let Some(now) = answering(&old.status, &both.new.responses) else {
            if !is_told(&old.status, &both.new.responses) {
                continue;
            }
            let kind = if old.status.is_success() { "status-removed" } else { "error-status-removed" };
            let name = old.status.name();
            let mut change = about(kind, both, format!("status {name}"), &name, "");
            change.before = Some((old.span, "it was declared here".to_owned()));
            change.touched = Touched::Answer(Vec::new());
            changes.of_operation(both.new, change);
            continue;
        };
        let new = &both.new.responses[now];
        let (was, is) = (both.old_terms.headers.get(at), both.new_terms.headers.get(now));
        let (was, is) = (was.map_or(&[][..], Vec::as_slice), is.map_or(&[][..], Vec::as_slice));
        headers((versions, both), (old, was), (new, is), comparers, changes);
        bodies((versions, both), old, new, comparers, changes);
    }
    for new in &both.new.responses {
        if answering(&new.status, &both.old.responses).is_none() && is_told(&new.status, &both.old.responses) {
            let name = new.status.name();
            let mut change = about("status-added", both, format!("status {name}"), "", &name);
            change.span = new.span;
            changes.of_operation(both.new, change);
        }
    }
}

/// The response for a status: its own, else that of its class.
fn answering(status: &Status, responses: &[Response]) -> Option<usize> {
    let class = match status {
        Status::Code(code) => Some(Status::Range((code / 100) as u8)),
        _ => None,
    };
    let is = |response: &Response, status: &Status| match (&response.status, status) {
        (Status::Unknown(_), Status::Unknown(_)) => true,
        (own, other) => own == other,
    };
    let find = |status: &Status| responses.iter().position(|response| is(response, status));
    find(status).or_else(|| find(&class?))
}

fn headers(
    (versions, both): (Versions<'_>, Both<'_>),
    (old, was): (&Response, &[Parameter]),
    (new, is): (&Response, &[Parameter]),
    comparers: &mut Comparers<'_>,
    changes: &mut Changes,
) {
    let lower = |header: &Parameter| header.name.to_ascii_lowercase();
    let (before, after) = (by_name(was, lower), by_name(is, lower));
    let words =
        |header: &Parameter, status: &Status| format!("header `{}` of the response {}", header.name, status.name());
    for (name, at) in &before {
        let header = &was[*at];
        let Some(now) = after.get(name) else {
            let kind = if header.required { "header-removed" } else { "optional-header-removed" };
            let mut change = about(kind, both, words(header, &old.status), "", "");
            change.span = new.span;
            change.before = Some((header.span, "it was declared here".to_owned()));
            changes.of_operation(both.new, change);
            continue;
        };
        let found = &is[*now];
        if header.required && !found.required {
            let mut change = about("header-became-optional", both, words(found, &new.status), "required", "optional");
            change.span = found.span;
            change.before = Some((header.span, "before".to_owned()));
            changes.of_operation(both.new, change);
        }
        let whole = Whole {
            words: words(found, &new.status),
            span: found.span,
            pointer: format!("{}/responses/{}", both.new.pointer, new.status.name()),
            old_span: header.span,
            is_parameter: false,
            is_json: true,
            touched: Touched::Nothing,
        };
        let differences = comparers.responses.differences(found.shape, header.shape);
        let shapes = (header.shape, found.shape);
        members::add((versions, &both.new.title()), Direction::Response, shapes, &whole, &differences, changes);
    }
    for (name, at) in &after {
        if !before.contains_key(name) {
            let mut change = about("header-added", both, words(&is[*at], &new.status), "", "");
            change.span = is[*at].span;
            changes.of_operation(both.new, change);
        }
    }
}

fn bodies(
    (versions, both): (Versions<'_>, Both<'_>),
    old: &Response,
    new: &Response,
    comparers: &mut Comparers<'_>,
    changes: &mut Changes,
) {
    let status = new.status.name();
    for body in &old.bodies {
        let words = format!("`{}` of the response {status}", body.media);
        // Its own media type, or one that is more exact.
        let same = new.bodies.iter().find(|sent| sent.media.eq_ignore_ascii_case(&body.media));
        let within = || {
            let ranges = std::slice::from_ref(body);
            new.bodies.iter().find(|sent| media_for(&sent.media, ranges, |body| &body.media).is_some())
        };
        let Some(sent) = same.or_else(within) else {
            let mut change = about("response-media-removed", both, words, &body.media, "");
            change.span = new.span;
            change.before = Some((body.span, "it was declared here".to_owned()));
            changes.of_operation(both.new, change);
            continue;
        };
        let whole = Whole {
            words: format!("the response {status}"),
            span: sent.span,
            pointer: format!("{}/responses/{status}", both.new.pointer),
            old_span: body.span,
            is_parameter: false,
            is_json: body.is_json(),
            touched: Touched::Answer(Vec::new()),
        };
        let differences = comparers.responses.differences(sent.shape, body.shape);
        let shapes = (body.shape, sent.shape);
        members::add((versions, &both.new.title()), Direction::Response, shapes, &whole, &differences, changes);
    }
    for body in &new.bodies {
        if media_for(&body.media, &old.bodies, |body| &body.media).is_none() {
            let words = format!("`{}` of the response {status}", body.media);
            let mut change = about("response-media-added", both, words, "", &body.media);
            change.span = body.span;
            changes.of_operation(both.new, change);
        }
    }
}
