//! Operations: ids that are unique, and in version 3 the channel and the messages that they refer to.

use std::collections::BTreeSet;

use super::super::Version;
use super::super::traits::Layers;
use super::{Ids, is_directly_below, named};
use crate::contracts::IssueKind;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;

/// `sides` are the root and `components`.
pub(super) fn check<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>, sides: &[(bool, Place<'d>)]) {
    if version.major == 2 {
        unique_ids(reader, version, root);
        return;
    }
    for (is_root, side) in sides {
        for operation in named(reader, side, "operations") {
            refers(reader, root, &operation.target, *is_root);
            let reply = operation.target.child("reply").and_then(|reply| reader.follow(reply));
            if let Some(reply) = reply {
                refers(reader, root, &reply, *is_root);
            }
        }
    }
}

/// `operationId` and `messageId`, as traits make them. What lies in `components` unused does not count.
fn unique_ids<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>) {
    let mut operations = Ids::default();
    let mut messages = Ids::default();
    for channel in named(reader, root, "channels") {
        for word in ["subscribe", "publish"] {
            let operation = channel.target.child(word).and_then(|operation| reader.follow(operation));
            let Some(operation) = operation else { continue };
            let id = Layers::of(reader, version, operation.clone()).find("operationId");
            operations.add(reader, IssueKind::DuplicateOperation, "operationId", id);
            let Some(message) = operation.child("message").and_then(|message| reader.follow(message)) else { continue };
            let all = match message.child("oneOf") {
                Some(list) => list.items().collect(),
                None => vec![message],
            };
            for message in all {
                let Some(message) = reader.follow(message) else { continue };
                let id = Layers::of(reader, version, message).find("messageId");
                messages.add(reader, IssueKind::InvalidValue, "messageId", id);
            }
        }
    }
}

/// The channel of an operation or a reply is one of the document's, and its messages are the channel's.
fn refers<'d>(reader: &mut Reader<'d>, root: &Place<'d>, from: &Place<'d>, is_root: bool) {
    let Some(stated) = from.child("channel") else { return };
    let reference = stated.node.entry("$ref").and_then(|(_, node)| Some((node.text()?, node.span)));
    if let Some((text, span)) = reference
        && is_root
        && stated.source == root.source
    {
        let pointer = format!("{}/$ref", stated.pointer);
        let Some(target) = reader.resolve(stated.source, text, span, &pointer) else { return };
        if target.source != root.source || !is_directly_below(&target.pointer, "/channels") {
            let message = format!("`{text}` is no channel of the root `channels`");
            let help = "an operation of the root may only refer to a channel of the root: `#/channels/…`";
            reader.issue(IssueKind::InvalidValue, span, &pointer, message, Some(help));
        }
    }
    let Some(channel) = reader.follow(stated) else { return };
    let listed: Vec<_> = from.child("messages").map(|list| list.items().collect()).unwrap_or_default();
    let mut copies: Option<BTreeSet<String>> = None;
    for message in listed {
        let fits = if let Some(node) = message.node.get("$ref") {
            let Some(text) = node.text() else { continue };
            let pointer = format!("{}/$ref", message.pointer);
            let Some(target) = reader.resolve(message.source, text, node.span, &pointer) else { continue };
            let below = target.pointer.strip_prefix(&channel.pointer).filter(|_| target.source == channel.source);
            below.is_some_and(|rest| is_directly_below(rest, "/messages"))
        } else {
            // A tool has put a copy in place of the reference.
            let known = channel.node.get("messages").map(Node::entries).unwrap_or_default();
            let copies = copies.get_or_insert_with(|| known.iter().map(|(_, known)| known.to_json()).collect());
            copies.contains(&message.node.to_json())
        };
        if !fits {
            let text = "this message is none of its channel's".to_owned();
            let help = "refer to a message of the channel: `#/channels/…/messages/…`";
            reader.issue(IssueKind::InvalidValue, message.span, &message.pointer, text, Some(help));
        }
    }
}
