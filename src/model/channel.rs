//! Events: channels, the messages on them, and which of them an application sends or receives. One model for every
//! version of AsyncAPI, and for what code publishes and consumes.

use super::shape::ShapeId;
use crate::text::Span;

/// What a document says about messages. Shapes live in the table of the declaring contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    pub servers: Vec<Server>,
    pub channels: Vec<Channel>,
    pub operations: Vec<Exchange>,
    /// Its directions were told from the other side (version 2, or what was converted from it by its words), which
    /// authors often have the wrong way round.
    pub turned: bool,
}

/// A broker or another address that channels live at.
#[derive(Clone, Debug, PartialEq)]
pub struct Server {
    pub name: String,
    pub protocol: Option<String>,
    /// `{region}.example.com:9092`, as written.
    pub host: String,
    /// With a leading slash; `""` where there is none.
    pub path: String,
    pub span: Span,
}

/// A topic, queue, routing key or path that messages go through.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// How the document names it: its address in version 2, a key of its own in version 3.
    pub name: String,
    /// With `{name}` parameters; `None` where it is not known before the application runs.
    pub address: Option<String>,
    pub parameters: Vec<ChannelParameter>,
    /// Every message that may pass, whoever sends it.
    pub messages: Vec<Message>,
    /// Names of the servers that have it; empty for all.
    pub servers: Vec<String>,
    pub span: Span,
    /// JSON pointer.
    pub pointer: String,
}

/// `{name}` in the address of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelParameter {
    pub name: String,
    /// The values that it may have; none stated: any.
    pub values: Vec<String>,
    pub span: Span,
}

/// One message, its traits merged into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// `messageId` in version 2, its key in version 3; else the name of the component that it is.
    pub id: Option<String>,
    pub name: Option<String>,
    pub title: Option<String>,
    /// `None`: nothing is said about it. A schema in a language that is not read is unknown with a reason.
    pub payload: Option<ShapeId>,
    pub headers: Option<ShapeId>,
    /// Its own, else the document's default.
    pub content_type: Option<String>,
    /// As written; `None` for AsyncAPI's own.
    pub schema_format: Option<String>,
    /// Runtime expression that tells where the correlation id stands: `$message.header#/id`.
    pub correlation: Option<String>,
    pub span: Span,
    /// JSON pointer.
    pub pointer: String,
}

/// What the described application does with a message. Version 2 tells it from the other side: its `publish` is what
/// others publish and the application receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    Send,
    Receive,
}

/// One thing that the described application does: send messages to a channel, or receive them from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// `operationId` in version 2, its key in version 3.
    pub id: Option<String>,
    pub action: Action,
    /// Index into [`Events::channels`].
    pub channel: usize,
    /// Indices into the channel's messages.
    pub messages: Vec<usize>,
    pub reply: Option<Reply>,
    pub span: Span,
    /// JSON pointer.
    pub pointer: String,
}

/// What comes back of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Index into [`Events::channels`]; `None` where only the message tells.
    pub channel: Option<usize>,
    /// Runtime expression that tells the address: `$message.header#/replyTo`.
    pub address: Option<String>,
    /// Indices into the channel's messages.
    pub messages: Vec<usize>,
}
