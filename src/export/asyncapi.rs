//! What the code sends and receives, as AsyncAPI 3.0.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::schema::{Definitions, Draft};
use crate::model::{Action, Message};
use crate::project::{Project, Service, exchanged};
use crate::text::{Sources, Span};

/// One document over all services: channels whose names are known, the messages that pass there, and who sends or
/// receives them. Each operation carries `x-source`: file and line of the first place that does it.
pub fn asyncapi(project: &Project) -> Value {
    let mut writer = Writer {
        schemas: Definitions::new(Draft::Seven, "#/components/schemas/"),
        channels: IndexMap::new(),
        operations: Map::new(),
    };
    for at in 0..project.services.len() {
        writer.service(project, at);
    }
    let mut channels = Map::new();
    for (address, channel) in writer.channels {
        let mut written = Map::new();
        written.insert("address".to_owned(), json!(address));
        if !channel.parameters.is_empty() {
            let parameters: Map<String, Value> = channel.parameters.into_iter().map(|name| (name, json!({}))).collect();
            written.insert("parameters".to_owned(), Value::Object(parameters));
        }
        written.insert("messages".to_owned(), Value::Object(channel.messages));
        channels.insert(channel.key, Value::Object(written));
    }
    let services: Vec<&str> = project.services.iter().map(|service| service.name.as_str()).collect();
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": services.join(", "),
            "version": "0",
            "description": "What the code sends and receives, read from its sources",
        },
        "channels": channels,
        "operations": writer.operations,
        "components": { "schemas": writer.schemas.written },
    })
}

struct Channel {
    key: String,
    parameters: Vec<String>,
    messages: Map<String, Value>,
}

struct Writer {
    schemas: Definitions,
    /// By address.
    channels: IndexMap<String, Channel>,
    operations: Map<String, Value>,
}

impl Writer {
    fn service(&mut self, project: &Project, at: usize) {
        let service = &project.services[at];
        let events = exchanged(service);
        for exchange in &events.operations {
            let channel = &events.channels[exchange.channel];
            let (address, key) = self.channel(&channel.name);
            let messages: Vec<String> = exchange
                .messages
                .iter()
                .map(|message| self.message(&address, service, at, &channel.messages[*message]))
                .collect();
            let action = match exchange.action {
                Action::Send => "send",
                Action::Receive => "receive",
            };
            let several = project.services.len() > 1;
            let name = if several { format!("{}.{action}.{key}", service.name) } else { format!("{action}.{key}") };
            let name = unique(&word(&name), |name| self.operations.contains_key(name));
            let channel = format!("#/channels/{key}");
            let references: Vec<Value> =
                messages.iter().map(|message| json!({ "$ref": format!("{channel}/messages/{message}") })).collect();
            let operation = json!({
                "action": action,
                "channel": { "$ref": channel },
                "messages": references,
                "x-source": source(&project.sources, exchange.span),
            });
            self.operations.insert(name, operation);
        }
    }

    /// The address of a channel, and the key that it has in the document.
    fn channel(&mut self, name: &str) -> (String, String) {
        let (address, parameters) = addressed(name);
        if let Some(known) = self.channels.get(&address) {
            return (address, known.key.clone());
        }
        let key = unique(&word(&address), |key| self.channels.values().any(|known| known.key == key));
        let channel = Channel { key: key.clone(), parameters, messages: Map::new() };
        self.channels.insert(address.clone(), channel);
        (address, key)
    }

    /// The key of a message of a channel; one that is the same, whoever sends it, is written once.
    fn message(&mut self, address: &str, service: &Service, at: usize, message: &Message) -> String {
        let payload = message.payload.map_or_else(|| json!({}), |it| self.schemas.schema(at, &service.shapes, it));
        let name = message.name.clone().unwrap_or_else(|| "message".to_owned());
        let written = json!({ "name": name, "contentType": "application/json", "payload": payload });
        let messages = &mut self.channels[address].messages;
        if let Some((key, _)) = messages.iter().find(|(_, known)| **known == written) {
            return key.clone();
        }
        let key = unique(&word(&name), |key| messages.contains_key(key));
        messages.insert(key.clone(), written);
        key
    }
}

fn source(sources: &Sources, span: Span) -> Value {
    json!({ "file": sources.path(span), "line": sources.positions(span).0.line })
}

/// Letters, digits, dots, dashes and underscores.
fn word(text: &str) -> String {
    let word: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

fn unique(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{base}__{number}");
        number += 1;
    }
    name
}

/// An address with its parameters, each of which has a name of its own that may stand there.
fn addressed(name: &str) -> (String, Vec<String>) {
    let mut address = String::with_capacity(name.len());
    let mut parameters: Vec<String> = Vec::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inner, end)) = after.split_once('}') else { break };
        let own: String = inner.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).collect();
        let own = if own.is_empty() { "part".to_owned() } else { own };
        let own = unique(&own, |known| parameters.iter().any(|other| other == known));
        address.push_str(before);
        address.push('{');
        address.push_str(&own);
        address.push('}');
        parameters.push(own);
        rest = end;
    }
    address.push_str(&rest.replace(['{', '}'], "_"));
    (address, parameters)
}
