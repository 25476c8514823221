//! What code does at the other end of a wire: messages that it sends or receives, and requests that it makes.

use super::channel::Action;
use super::operation::{Body, Method, Parameter};
use super::path::PathTemplate;
use super::shape::ShapeId;
use crate::finding::Reason;
use crate::text::Span;

/// One place where code sends messages, or receives them. Shapes live in the table of the service.
#[derive(Clone, Debug)]
pub struct MessageUse {
    /// `aiokafka`
    pub library: &'static str,
    pub action: Action,
    /// The topic, queue, routing key, subject or event name.
    pub channel: Result<String, Reason>,
    /// The message's own name, where a typed bus goes by it: the class that is published or handled.
    pub message: Option<String>,
    /// What is sent, or what the received message is taken for: its declared type, else the members that are read from
    /// it. `None` where nothing is said of it.
    pub payload: Option<ShapeId>,
    /// Sent: the call. Received: the handler or the subscription.
    pub span: Span,
    /// The function that does it.
    pub function: String,
}

/// One place where code makes an HTTP request. Shapes live in the table of the service.
#[derive(Clone, Debug)]
pub struct HttpCall {
    /// `axios`
    pub library: &'static str,
    pub method: Result<Method, Reason>,
    pub url: Result<Url, Reason>,
    /// Where what stands in front of its path comes from, where that is not known: a base address, a client.
    pub origin: Option<Span>,
    /// Query parameters and headers that it gives; required: always.
    pub parameters: Vec<Parameter>,
    /// Why it may give others.
    pub other_parameters: Option<Reason>,
    /// What it sends.
    pub body: Option<Body>,
    /// Why the body may have members that its shape lacks: it is of a type that others may add to.
    pub other_members: Option<Reason>,
    /// What the answer is taken for: its declared type, else the members that are read from it.
    pub answer: Option<ShapeId>,
    /// Why it may never be made, so that nothing about it is wrong: a method that a class inherits and nobody may call.
    pub doubt: Option<Reason>,
    /// The call.
    pub span: Span,
    /// The function that makes it.
    pub function: String,
}

/// An address as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Url {
    /// `https://api.example.com`; `None` where it is relative, or what stands in front of the path is not known.
    pub host: Option<String>,
    /// Whether the path begins where it begins: false where an unknown part stands in front of it, which may be a host
    /// with or without a path.
    pub whole: bool,
    /// Each unknown part of a segment is a parameter.
    pub path: PathTemplate,
}

/// A type that code declares: a class, interface, type alias, record, or a schema that is a value.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    /// Shapes live in the table of the service.
    pub shape: ShapeId,
    /// Where its name stands.
    pub span: Span,
    /// The base that makes a message between services of it: `IntegrationEvent`.
    pub message: Option<String>,
}

/// What names of one type have in common however they are cased: `order_item`, `OrderItem` and `order-item`.
pub fn name_key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
