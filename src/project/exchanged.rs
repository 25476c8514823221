//! What code sends and receives, as a document about events would say it: channels with their messages.

use indexmap::IndexMap;

use super::Service;
use crate::model::{Action, Channel, Events, Exchange, Message, MessageUse};

/// What a message goes through, as both ends would call it: its channel, or on a bus that goes by types its own name.
pub fn channel_name(used: &MessageUse) -> Option<&str> {
    used.channel.as_ref().ok().or(used.message.as_ref()).map(String::as_str)
}

/// The channels of a service whose names are known, in the order in which the code has them. One operation for each way
/// on a channel; one message for each payload, by its own name, else by that of its type.
pub fn exchanged(service: &Service) -> Events {
    let mut channels: IndexMap<&str, Channel> = IndexMap::new();
    let mut operations: IndexMap<(usize, Action), Exchange> = IndexMap::new();
    for used in &service.messages {
        let Some(name) = channel_name(used) else { continue };
        let entry = channels.entry(name);
        let at = entry.index();
        let channel = entry.or_insert_with(|| Channel {
            name: name.to_owned(),
            address: Some(name.to_owned()),
            parameters: Vec::new(),
            messages: Vec::new(),
            servers: Vec::new(),
            span: used.span,
            pointer: String::new(),
        });
        let type_name = used.payload.and_then(|payload| service.shapes.view(payload).shape.name.clone());
        let called = used.message.clone().or(type_name);
        let is_known = |known: &Message| known.name == called && known.payload == used.payload;
        let message = channel.messages.iter().position(is_known).unwrap_or(channel.messages.len());
        if message == channel.messages.len() {
            channel.messages.push(Message {
                id: None,
                name: called,
                title: None,
                payload: used.payload,
                headers: None,
                content_type: None,
                schema_format: None,
                correlation: None,
                span: used.span,
                pointer: String::new(),
            });
        }
        let exchange = operations.entry((at, used.action)).or_insert_with(|| Exchange {
            id: None,
            action: used.action,
            channel: at,
            messages: Vec::new(),
            reply: None,
            span: used.span,
            pointer: String::new(),
        });
        if !exchange.messages.contains(&message) {
            exchange.messages.push(message);
        }
    }
    Events {
        servers: Vec::new(),
        channels: channels.into_values().collect(),
        operations: operations.into_values().collect(),
        turned: false,
    }
}
