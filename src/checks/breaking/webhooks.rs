//! Webhooks and callbacks of two versions: requests that the service itself makes. What it sends is what those who take
//! them were promised, what they answer is what it takes.

use std::collections::BTreeMap;

use super::members::{self, Whole};
use super::{Change, Changes, Comparers, Touched, Versions, media_for};
use crate::checks::shape::Direction;
use crate::contracts::Webhook;
use crate::model::{Action, Body, Method};

pub(super) fn compare(versions: Versions<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let (old, new) = (versions.old.webhooks, versions.new.webhooks);
    let (was, is) = (by_key(old), by_key(new));
    for (key, before) in &was {
        let Some(now) = is.get(key) else {
            let mut gone = change("webhook-removed", before);
            gone.span = versions.new.paths.unwrap_or(before.operation.span);
            gone.before = Some((before.operation.span, "it was declared here".to_owned()));
            changes.of_operation(&before.operation, gone);
            continue;
        };
        for body in &before.operation.request.bodies {
            let sent = media_for(&body.media, &now.operation.request.bodies, |body| &body.media);
            one_body(versions, now, (body, sent), Direction::Response, comparers, changes);
        }
        for answer in &before.operation.responses {
            let Some(taken) = now.operation.responses.iter().find(|taken| taken.status == answer.status) else {
                continue;
            };
            for body in &answer.bodies {
                let taken = media_for(&body.media, &taken.bodies, |body| &body.media);
                one_body(versions, now, (body, taken), Direction::Request, comparers, changes);
            }
        }
    }
    for (key, now) in &is {
        if !was.contains_key(key) {
            changes.of_operation(&now.operation, change("webhook-added", now));
        }
    }
}

/// Each by its name, its address and its method.
fn by_key(webhooks: &[Webhook]) -> BTreeMap<(&str, &str, Method), &Webhook> {
    webhooks.iter().map(|it| ((it.name.as_str(), it.address.as_str(), it.operation.method), it)).collect()
}

fn change(kind: &'static str, webhook: &Webhook) -> Change {
    Change {
        kind,
        span: webhook.operation.span,
        pointer: webhook.operation.pointer.clone(),
        label: "here".to_owned(),
        before: None,
        field: None,
        subject: format!("the {}", webhook.name),
        was: String::new(),
        is: String::new(),
        exchanged: "",
        at_most: None,
        touched: Touched::Nothing,
    }
}

fn one_body(
    versions: Versions<'_>,
    webhook: &Webhook,
    (was, is): (&Body, Option<&Body>),
    direction: Direction,
    comparers: &mut Comparers<'_>,
    changes: &mut Changes,
) {
    let Some(is) = is else {
        let kind = match direction {
            Direction::Request => "request-media-removed",
            Direction::Response => "response-media-removed",
        };
        let mut gone = change(kind, webhook);
        gone.subject = format!("`{}`", was.media);
        gone.before = Some((was.span, "it was declared here".to_owned()));
        return changes.of_operation(&webhook.operation, gone);
    };
    let (found, action) = match direction {
        Direction::Request => (comparers.requests.differences(was.shape, is.shape), Action::Receive),
        Direction::Response => (comparers.responses.differences(is.shape, was.shape), Action::Send),
    };
    let whole = Whole {
        words: format!("the {}", webhook.name),
        span: is.span,
        pointer: webhook.operation.pointer.clone(),
        old_span: was.span,
        is_parameter: false,
        is_json: is.is_json(),
        touched: Touched::Message(action, webhook.name.clone(), Vec::new()),
    };
    let title = webhook.operation.title();
    members::add((versions, &title), direction, (was.shape, is.shape), &whole, &found, changes);
}
