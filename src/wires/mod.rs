//! Libraries that send messages, wait for them, or make requests. As a framework does, a library here sees no file: it is
//! asked what a call of it means, notes that ([`Evaluator::note`]), and reads afterwards what was noted.
//!
//! To add one: a file (or folder) in `messaging/` or `clients/` with a [`Wire`], and a line in [`CLIENTS`] or [`MESSAGING`].

mod clients;
mod messaging;
mod payload;
mod reads;

use std::sync::LazyLock;

use crate::evaluate::{Evaluator, Library, ModuleId, Noted};
use crate::finding::Reason;
use crate::frameworks::{self, Schemas};
use crate::languages::Language;
use crate::model::{HttpCall, MessageUse, Parameter};

/// One library of messages or requests.
pub struct Wire {
    /// `kafkajs`; several packages where they are read as one. Empty for what is no package that anybody chooses.
    pub name: &'static str,
    /// Those that it is read in.
    pub languages: &'static [Language],
    pub library: &'static Library,
    /// What one of its notes means.
    pub read: for<'p> fn(&mut Evaluator<'p>, &mut Schemas<'p>, &Noted<'p>) -> Vec<Use>,
}

/// What code does at a wire.
#[derive(Clone, Debug)]
pub enum Use {
    Message(MessageUse),
    Call(Box<HttpCall>),
}

/// Clients whose requests are read.
#[rustfmt::skip]
pub static CLIENTS: &[&Wire] = &[
    &clients::fetch::FETCH,
    &clients::axios::AXIOS,
    &clients::angular::ANGULAR,
    &clients::jquery::JQUERY,
    &clients::verbs::VERBS,
    &clients::described::DESCRIBED,
    &clients::python::PYTHON,
    &clients::csharp::http_client::DOTNET,
    &clients::csharp::refit::REFIT,
    &clients::csharp::rest_sharp::REST_SHARP,
    &clients::csharp::flurl::FLURL,
];

/// Libraries whose messages are read.
#[rustfmt::skip]
pub static MESSAGING: &[&Wire] = &[
    &messaging::kafkajs::KAFKAJS,
    &messaging::aiokafka::AIOKAFKA,
    &messaging::kafka_python::KAFKA_PYTHON,
    &messaging::confluent_kafka::CONFLUENT_KAFKA,
    &messaging::pika::PIKA,
    &messaging::pika::AIO_PIKA,
    &messaging::redis::REDIS,
    &messaging::nats::NATS,
    &messaging::celery::CELERY,
    &messaging::faststream::FASTSTREAM,
    &messaging::nestjs::NESTJS,
    &messaging::amqplib::AMQPLIB,
    &messaging::bullmq::BULLMQ,
    &messaging::service_bus::SERVICE_BUS,
    &messaging::service_bus::PYTHON_SERVICE_BUS,
    &messaging::aws::SDK,
    &messaging::aws::BOTO3,
    &messaging::events::EVENTS,
    &messaging::events::SOCKETS,
    &messaging::csharp::mass_transit::MASS_TRANSIT,
    &messaging::csharp::mediatr::MEDIATR,
    &messaging::csharp::nservicebus::NSERVICEBUS,
    &messaging::csharp::rebus::REBUS,
    &messaging::csharp::confluent::CONFLUENT,
    &messaging::csharp::rabbitmq::RABBITMQ,
    &messaging::csharp::service_bus::SERVICE_BUS,
    &messaging::csharp::dapr::DAPR,
    &messaging::csharp::saunter::SAUNTER,
    &messaging::csharp::carriers::CARRIERS,
];

/// Every library that can be read.
pub fn all() -> impl Iterator<Item = &'static Wire> {
    CLIENTS.iter().chain(MESSAGING).copied()
}

/// What the evaluator is told about: libraries of wires, then what frameworks need.
pub fn libraries() -> &'static [&'static Library] {
    static LIBRARIES: LazyLock<Vec<&'static Library>> =
        LazyLock::new(|| all().map(|wire| wire.library).chain(frameworks::libraries().iter().copied()).collect());
    &LIBRARIES
}

/// What the code of a service's own modules sends, waits for and asks, in the order of the program.
pub fn uses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    own: &[ModuleId],
) -> (Vec<MessageUse>, Vec<HttpCall>) {
    let (mut messages, mut calls) = (Vec::new(), Vec::new());
    for noted in evaluator.noted(own) {
        let Some(wire) = all().find(|wire| std::ptr::eq(wire.library, noted.library)) else { continue };
        evaluator.start(noted.site.file);
        for found in (wire.read)(evaluator, schemas, &noted) {
            match found {
                Use::Message(message) => messages.push(named(evaluator, &noted, message)),
                Use::Call(call) => match calls.iter_mut().rev().find(|known| is_other_way(known, &call)) {
                    Some(known) => take_together(known, *call),
                    None => calls.push(*call),
                },
            }
        }
    }
    (messages, calls)
}

/// Whether two are one request, which a place makes in several ways.
fn is_other_way(known: &HttpCall, call: &HttpCall) -> bool {
    known.span == call.span
        && known.method == call.method
        && known.url.is_ok()
        && known.url == call.url
        && known.body.is_some() == call.body.is_some()
}

/// What is given in some ways only may be given.
fn take_together(known: &mut HttpCall, call: HttpCall) {
    for parameter in &mut known.parameters {
        parameter.required &= call.parameters.iter().any(|other| other.required && other.name == parameter.name);
    }
    for parameter in call.parameters {
        if known.parameters.iter().all(|other| other.name != parameter.name) {
            known.parameters.push(Parameter { required: false, ..parameter });
        }
    }
    known.other_parameters = known.other_parameters.take().or(call.other_parameters);
    known.other_members = known.other_members.take().or(call.other_members);
    known.doubt = known.doubt.take().filter(|_| call.doubt.is_some());
}

/// A channel that a setting says: its value where that lies beside the code, else it goes by the setting's name.
fn named(evaluator: &Evaluator<'_>, noted: &Noted<'_>, mut message: MessageUse) -> MessageUse {
    if message.channel.is_err()
        && message.message.is_none()
        && let Some(name) = evaluator.setting_of(&noted.target)
    {
        if let Some(value) = evaluator.setting_value(name, noted.site) {
            message.channel = Ok(value.to_owned());
            return message;
        }
        message.setting = Some(name.to_owned());
        message.channel = Err(Reason::new(format!("the setting `{name}` says it"), Some(noted.site)));
    }
    message
}

/// The name of the function that did what was noted.
fn function_of(noted: &Noted) -> String {
    let name = noted.function.as_ref().map(|function| function.node.name.as_str());
    name.filter(|name| !name.is_empty()).unwrap_or("a module").to_owned()
}

/// Where it was done: the call in the function that knows the target.
fn place_of(noted: &Noted) -> crate::text::Span {
    // A function that came into being in the one that ran stands there itself.
    let is_within = noted.function.as_ref().is_some_and(|function| {
        let around = function.node.span;
        around.file == noted.site.file && around.start <= noted.site.start && noted.site.end <= around.end
    });
    if is_within { noted.site } else { noted.calls.first().copied().unwrap_or(noted.site) }
}
