//! Events of two versions: channels, what is sent to them and received from them. Whoever sends is held to what readers
//! of its messages were promised, whoever receives to what those who send to it may send.

use std::collections::BTreeMap;

use super::members::{self, Whole};
use super::{Change, Changes, Comparers, Touched, Versions};
use crate::checks::shape::Direction;
use crate::model::{Action, Channel, Events, Exchange, Message, PathTemplate, Shape, ShapeTable};
use crate::text::Span;

/// What both versions say of a channel.
#[derive(Clone, Copy)]
struct Both<'a> {
    action: Action,
    channel: &'a Channel,
    /// Messages that are sent or received, and where that is said.
    old: &'a [&'a Message],
    new: &'a [&'a Message],
    span: Span,
    old_span: Span,
}

pub(super) fn compare(versions: Versions<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let (Some(old), Some(new)) = (versions.old.events, versions.new.events) else { return };
    let (was, is) = (by_key(old), by_key(new));
    for (key, channel) in &was {
        let Some(now) = is.get(key) else {
            let beginning = versions.new.paths.unwrap_or(channel.span);
            let span = match versions.code {
                Some(twins) => twins.beginning(channel.span),
                None => new.channels.first().map_or(beginning, |other| other.span),
            };
            let mut change = change("channel-removed", channel, format!("the channel `{}`", address(channel)));
            change.span = span;
            change.pointer = "/channels".to_owned();
            change.label = format!("has no channel `{}`", address(channel));
            change.before =
                Some((channel.span, "it was declared here".to_owned())).filter(|(before, _)| *before != span);
            let sends = !exchanged(old, channel, Action::Send).0.is_empty();
            let action = if sends { Action::Send } else { Action::Receive };
            change.touched = Touched::Message(action, address(channel).to_owned(), Vec::new());
            change.at_most = versions.code.and_then(|twins| twins.doubt_of_channels());
            changes.add((change.kind, None, None, key.clone()), address(channel).to_owned(), change);
            continue;
        };
        for action in [Action::Send, Action::Receive] {
            one_way(versions, (old, channel), (new, now), action, comparers, changes);
        }
    }
    for (key, channel) in &is {
        if !was.contains_key(key) {
            let change = change("channel-added", channel, format!("the channel `{}`", address(channel)));
            changes.add((change.kind, None, None, key.clone()), address(channel).to_owned(), change);
        }
    }
}

/// Channels by their address, whatever its parameters are called.
fn by_key(events: &Events) -> BTreeMap<String, &Channel> {
    let mut found = BTreeMap::new();
    for channel in &events.channels {
        found.entry(PathTemplate::new(address(channel)).key()).or_insert(channel);
    }
    found
}

fn address(channel: &Channel) -> &str {
    channel.address.as_deref().unwrap_or(&channel.name)
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::Send => "send",
        Action::Receive => "receive",
    }
}

fn change(kind: &'static str, channel: &Channel, subject: String) -> Change {
    Change {
        kind,
        span: channel.span,
        pointer: channel.pointer.clone(),
        label: "here".to_owned(),
        before: None,
        field: None,
        subject,
        was: String::new(),
        is: String::new(),
        exchanged: "",
        at_most: None,
        touched: Touched::Nothing,
    }
}

/// What is done one way on a channel: operations, and their messages, each once.
fn exchanged<'e>(events: &'e Events, channel: &'e Channel, action: Action) -> (Vec<&'e Exchange>, Vec<&'e Message>) {
    let of = |exchange: &&Exchange| {
        exchange.action == action && events.channels.get(exchange.channel).is_some_and(|it| std::ptr::eq(it, channel))
    };
    let exchanges: Vec<&Exchange> = events.operations.iter().filter(of).collect();
    let mut at: Vec<usize> = exchanges.iter().flat_map(|exchange| exchange.messages.iter().copied()).collect();
    at.sort_unstable();
    at.dedup();
    let messages = at.into_iter().filter_map(|at| channel.messages.get(at)).collect();
    (exchanges, messages)
}

fn one_way(
    versions: Versions<'_>,
    (old, before): (&Events, &Channel),
    (new, channel): (&Events, &Channel),
    action: Action,
    comparers: &mut Comparers<'_>,
    changes: &mut Changes,
) {
    let (was, old_messages) = exchanged(old, before, action);
    let (is, new_messages) = exchanged(new, channel, action);
    let title = format!("{} {}", verb(action), address(channel));
    let touched = || Touched::Message(action, address(channel).to_owned(), Vec::new());
    let (old_span, span) = match (was.first(), is.first()) {
        (Some(was), Some(is)) => (was.span, is.span),
        (Some(was), None) => {
            let kind = if action == Action::Send { "send-removed" } else { "receive-removed" };
            let mut gone = change(kind, channel, format!("`{title}`"));
            gone.before = Some((was.span, "it was declared here".to_owned()));
            gone.at_most = versions.code.and_then(|twins| twins.doubt_of_channels());
            gone.touched = touched();
            return changes.add((kind, None, None, title.clone()), title, gone);
        }
        (None, Some(is)) => {
            let mut added = change("exchange-added", channel, format!("`{title}`"));
            added.span = is.span;
            return changes.add((added.kind, None, None, title.clone()), title, added);
        }
        (None, None) => return,
    };
    let both = Both { action, channel, old: &old_messages, new: &new_messages, span, old_span };
    messages(versions, both, &title, comparers, changes);
}

/// How a message is called, and what may call it so.
fn names<'m>(message: &'m Message, shapes: &'m ShapeTable) -> Vec<&'m str> {
    let payload = message.payload.and_then(|payload| shapes.get(payload).name.as_deref());
    [message.name.as_deref(), message.id.as_deref(), payload].into_iter().flatten().collect()
}

fn messages(versions: Versions<'_>, both: Both<'_>, title: &str, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let called = |message: &Message, shapes: &ShapeTable| {
        names(message, shapes).first().map_or_else(
            || format!("the message of `{}`", address(both.channel)),
            |name| format!("the message `{name}`"),
        )
    };
    let (then, now) = (versions.old.shapes, versions.new.shapes);
    let twin = |message: &Message| {
        let known = names(message, then);
        let same = |other: &&&Message| names(other, now).iter().any(|name| known.contains(name));
        let only = || if let ([_], [only]) = (both.old, both.new) { Some(*only) } else { None };
        both.new.iter().find(same).copied().or_else(only)
    };
    let touched = || Touched::Message(both.action, address(both.channel).to_owned(), Vec::new());
    for message in both.old {
        let Some(new) = twin(message) else {
            let words = called(message, then);
            let mut gone = change("message-removed", both.channel, words.clone());
            gone.span = both.span;
            gone.before = Some((message.span, "it was declared here".to_owned()));
            gone.at_most = versions.code.and_then(|twins| twins.doubt_of_channels());
            gone.touched = touched();
            changes.add((gone.kind, None, None, format!("{title} {words}")), title.to_owned(), gone);
            continue;
        };
        let words = called(new, now);
        if let (Some(was), Some(is)) = (&message.content_type, &new.content_type)
            && !was.eq_ignore_ascii_case(is)
        {
            let mut content = change("message-content", both.channel, words.clone());
            content.span = new.span;
            content.before = Some((message.span, "before".to_owned()));
            content.was = format!("`{was}`");
            content.is = format!("`{is}`");
            content.touched = touched();
            changes.add((content.kind, None, None, format!("{title} {words}")), title.to_owned(), content);
        }
        let parts = [
            (message.payload, new.payload, words.clone()),
            (message.headers, new.headers, format!("the headers of {words}")),
        ];
        for (was, is, words) in parts {
            let (Some(was), Some(is)) = (was, is) else { continue };
            let place = |shape: &Shape, other: Span| shape.span.unwrap_or(other);
            let whole = Whole {
                words,
                span: place(now.get(is), new.span),
                pointer: new.pointer.clone(),
                old_span: place(then.get(was), message.span),
                is_parameter: false,
                is_json: true,
                touched: touched(),
            };
            let (direction, found) = match both.action {
                Action::Send => (Direction::Response, comparers.responses.differences(is, was)),
                Action::Receive => (Direction::Request, comparers.requests.differences(was, is)),
            };
            members::add((versions, title), direction, (was, is), &whole, &found, changes);
        }
    }
    for message in both.new {
        let known = names(message, now);
        let is_old = both.old.iter().any(|old| names(old, then).iter().any(|name| known.contains(name)));
        let is_alone = both.old.len() == 1 && both.new.len() == 1;
        if !is_old && !is_alone {
            let words = called(message, now);
            let mut added = change("message-added", both.channel, words.clone());
            added.span = message.span;
            added.before = Some((both.old_span, "before".to_owned()));
            changes.add((added.kind, None, None, format!("{title} {words}")), title.to_owned(), added);
        }
    }
}
