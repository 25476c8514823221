//! Channels, messages and operations of both majors to one model.

use rustc_hash::FxHashMap;

use super::Version;
use super::format;
use super::traits::Layers;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;
use crate::model::{Action, Channel, ChannelParameter, Events, Exchange, Kind, Message, Reply, Server, Shape, ShapeId};

/// Reads servers, channels and operations in the order of the document.
pub(super) fn read<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>) -> Events {
    let default_type = root.text("defaultContentType");
    let mut lowering = Lowering {
        reader,
        version,
        default_type,
        events: Events::default(),
        known: FxHashMap::default(),
        by_address: FxHashMap::default(),
    };
    lowering.servers(root);
    if version.major == 2 {
        lowering.channels_2(root);
    } else {
        lowering.channels_3(root);
        lowering.operations_3(root);
    }
    let words = |exchange: &Exchange| {
        let id = exchange.id.as_deref().unwrap_or("");
        match exchange.action {
            Action::Receive => id.ends_with("publish"),
            Action::Send => id.ends_with("subscribe"),
        }
    };
    lowering.events.turned = version.major == 2 || lowering.events.operations.iter().any(words);
    lowering.events
}

/// Members of one of the root's maps without extensions, references followed, with the name of each.
fn followed<'d>(reader: &mut Reader<'d>, root: &Place<'d>, key: &str) -> Vec<(&'d str, Place<'d>, Place<'d>)> {
    let members: Vec<_> = root.child(key).iter().flat_map(Place::members).collect();
    let named = members.into_iter().filter(|(key, _)| !key.text.starts_with("x-"));
    named
        .filter_map(|(key, place)| {
            let target = reader.follow(place.clone())?;
            (target.node.is_object() && !target.node.cut).then_some((key.text.as_str(), place, target))
        })
        .collect()
}

struct Lowering<'r, 'd> {
    reader: &'r mut Reader<'d>,
    version: Version,
    default_type: Option<&'d str>,
    events: Events,
    /// Where each message and channel of version 3 is declared: what operations refer to. Documents and pointers to
    /// indices into channels and their messages.
    known: FxHashMap<(usize, String), (usize, usize)>,
    /// Indices into channels, for copies of them.
    by_address: FxHashMap<String, usize>,
}

impl<'d> Lowering<'_, 'd> {
    fn servers(&mut self, root: &Place<'d>) {
        for (name, place, target) in followed(self.reader, root, "servers") {
            let text = |key: &str| target.text(key);
            let (host, path) = if self.version.major == 2 {
                let url = text("url").unwrap_or("");
                let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
                rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")))
            } else {
                let path = text("pathname").unwrap_or("").trim_start_matches('/');
                (text("host").unwrap_or(""), if path.is_empty() { String::new() } else { format!("/{path}") })
            };
            self.events.servers.push(Server {
                name: name.to_owned(),
                protocol: text("protocol").map(str::to_owned),
                host: host.to_owned(),
                path: path.trim_end_matches('/').to_owned(),
                span: place.span,
            });
        }
    }

    fn channels_2(&mut self, root: &Place<'d>) {
        for (address, place, target) in followed(self.reader, root, "channels") {
            let servers: Vec<_> = target.child("servers").iter().flat_map(Place::items).collect();
            let mut channel = Channel {
                name: address.to_owned(),
                address: Some(address.to_owned()),
                parameters: self.parameters(&target),
                messages: Vec::new(),
                servers: servers.iter().filter_map(|server| server.node.text()).map(str::to_owned).collect(),
                span: place.span,
                pointer: place.pointer,
            };
            let mut known: FxHashMap<(usize, String), usize> = FxHashMap::default();
            // What others publish to the channel, the application receives; what others subscribe to, it sends.
            for (word, action) in [("publish", Action::Receive), ("subscribe", Action::Send)] {
                let Some(place) = target.child(word) else { continue };
                let Some(operation) = self.reader.follow(place.clone()) else { continue };
                let layers = Layers::of(self.reader, self.version, operation.clone());
                let mut messages = Vec::new();
                for listed in self.messages_2(&operation) {
                    let Some(declared) = self.reader.follow(listed) else { continue };
                    let key = (declared.source, declared.pointer.clone());
                    let at = *known.entry(key).or_insert_with(|| {
                        let message = self.message(declared, None);
                        channel.messages.push(message);
                        channel.messages.len() - 1
                    });
                    messages.push(at);
                }
                self.events.operations.push(Exchange {
                    id: layers.text("operationId").map(str::to_owned),
                    action,
                    channel: self.events.channels.len(),
                    messages,
                    reply: None,
                    span: place.span,
                    pointer: place.pointer,
                });
            }
            self.events.channels.push(channel);
        }
    }

    /// `message`, one or `oneOf` several.
    fn messages_2(&mut self, operation: &Place<'d>) -> Vec<Place<'d>> {
        let Some(message) = operation.child("message") else { return Vec::new() };
        let behind = self.reader.follow(message.clone());
        match behind.and_then(|behind| behind.child("oneOf")) {
            Some(list) => list.items().collect(),
            None => vec![message],
        }
    }

    fn channels_3(&mut self, root: &Place<'d>) {
        for (name, place, target) in followed(self.reader, root, "channels") {
            let at = self.events.channels.len();
            let servers: Vec<_> = target.child("servers").iter().flat_map(Place::items).collect();
            let server_name = |server: &Place<'d>| {
                let reference = server.text("$ref").or(server.node.text())?;
                reference.rsplit('/').next().map(str::to_owned)
            };
            let mut channel = Channel {
                name: name.to_owned(),
                address: target.node.get("address").and_then(Node::scalar_text).map(str::to_owned),
                parameters: self.parameters(&target),
                messages: Vec::new(),
                servers: servers.iter().filter_map(server_name).collect(),
                span: place.span,
                pointer: place.pointer,
            };
            for (id, listed, declared) in followed(self.reader, &target, "messages") {
                let message = self.message(declared, Some(id));
                self.known.insert((listed.source, listed.pointer), (at, channel.messages.len()));
                channel.messages.push(message);
            }
            self.known.insert((target.source, target.pointer.clone()), (at, 0));
            if let Some(address) = &channel.address {
                self.by_address.entry(address.clone()).or_insert(at);
            }
            self.events.channels.push(channel);
        }
    }

    fn operations_3(&mut self, root: &Place<'d>) {
        for (id, place, target) in followed(self.reader, root, "operations") {
            let action = match target.text("action") {
                Some("send") => Action::Send,
                Some("receive") => Action::Receive,
                _ => continue,
            };
            let Some(channel) = self.channel_of(&target) else { continue };
            let messages = self.messages_of(&target, channel);
            let reply = target.child("reply").and_then(|reply| self.reader.follow(reply)).map(|reply| {
                let channel = self.channel_of(&reply);
                let address = reply.child("address").and_then(|address| self.reader.follow(address));
                Reply {
                    channel,
                    address: address.and_then(|address| address.text("location")).map(str::to_owned),
                    messages: channel.map(|channel| self.messages_of(&reply, channel)).unwrap_or_default(),
                }
            });
            let (span, pointer) = (place.span, place.pointer);
            self.events.operations.push(Exchange {
                id: Some(id.to_owned()),
                action,
                channel,
                messages,
                reply,
                span,
                pointer,
            });
        }
    }

    /// The channel that an operation or a reply refers to.
    fn channel_of(&mut self, operation: &Place<'d>) -> Option<usize> {
        let target = operation.child("channel").and_then(|channel| self.reader.follow(channel))?;
        if let Some((channel, _)) = self.known.get(&(target.source, target.pointer.clone())) {
            return Some(*channel);
        }
        // A tool has put a copy in place of the reference.
        let address = target.text("address")?;
        self.by_address.get(address).copied()
    }

    /// The messages that an operation lists; all of the channel's where it lists none.
    fn messages_of(&mut self, operation: &Place<'d>, channel: usize) -> Vec<usize> {
        let Some(list) = operation.child("messages") else {
            return (0..self.events.channels[channel].messages.len()).collect();
        };
        let mut messages = Vec::new();
        for listed in list.items() {
            let target = match listed.node.entry("$ref") {
                Some((_, reference)) => reference.text().and_then(|text| {
                    let pointer = format!("{}/$ref", listed.pointer);
                    self.reader.resolve(listed.source, text, reference.span, &pointer)
                }),
                None => None,
            };
            let Some(target) = target else { continue };
            match self.known.get(&(target.source, target.pointer)) {
                Some((known, message)) if *known == channel => messages.push(*message),
                _ => {}
            }
        }
        messages
    }

    fn parameters(&mut self, channel: &Place<'d>) -> Vec<ChannelParameter> {
        let mut parameters = Vec::new();
        for (name, place, target) in followed(self.reader, channel, "parameters") {
            // Version 2 has a schema, version 3 its words for text alone.
            let schema = target.child("schema").and_then(|schema| self.reader.follow(schema)).unwrap_or(target);
            let values = schema.node.get("enum").map(Node::items).unwrap_or_default();
            let values = values.iter().filter_map(Node::scalar_text).map(str::to_owned).collect();
            parameters.push(ChannelParameter { name: name.to_owned(), values, span: place.span });
        }
        parameters
    }

    /// `key` is its name in the channel, in version 3.
    fn message(&mut self, place: Place<'d>, key: Option<&str>) -> Message {
        let layers = Layers::of(self.reader, self.version, place.clone());
        let text = |key: &str| layers.text(key).map(str::to_owned);
        let stated = layers.text("schemaFormat");
        let mut schema_format = stated.map(str::to_owned);
        let payload = place.child("payload").map(|payload| {
            let described = format::described(self.reader, payload, stated);
            schema_format = described.format.map(str::to_owned);
            self.shape(described)
        });
        let headers: Vec<_> = layers
            .all("headers")
            .into_iter()
            .map(|headers| {
                let described = format::described(self.reader, headers, None);
                self.shape(described)
            })
            .collect();
        let headers = match headers.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => Some(self.reader.add_at(&place, Shape::new(Kind::All(headers)))),
        };
        let component = place.pointer.strip_prefix("/components/messages/");
        let correlation = layers.find("correlationId").and_then(|correlation| self.reader.follow(correlation));
        Message {
            id: key.map(str::to_owned).or_else(|| text("messageId")).or_else(|| component.map(unescaped)),
            name: text("name"),
            title: text("title"),
            payload,
            headers,
            content_type: text("contentType").or_else(|| self.default_type.map(str::to_owned)),
            schema_format,
            correlation: correlation.and_then(|correlation| correlation.text("location")).map(str::to_owned),
            span: place.span,
            pointer: place.pointer,
        }
    }

    fn shape(&mut self, described: format::Described<'d>) -> ShapeId {
        if described.dialect.is_some() {
            return self.reader.shape_at(described.schema);
        }
        let format = described.format.unwrap_or("");
        let reason = format!("schemas of the format `{format}` are not read");
        let shape = Shape::unknown(reason, Some(described.schema.span));
        self.reader.add_at(&described.schema, shape)
    }
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
