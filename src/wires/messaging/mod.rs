//! Brokers, queues and buses.

pub(super) mod aiokafka;
pub(super) mod amqplib;
pub(super) mod aws;
pub(super) mod bullmq;
pub(super) mod celery;
pub(super) mod confluent_kafka;
pub(super) mod csharp;
pub(super) mod events;
pub(super) mod faststream;
pub(super) mod kafka_python;
pub(super) mod kafkajs;
pub(super) mod nats;
pub(super) mod nestjs;
pub(super) mod pika;
pub(super) mod redis;
pub(super) mod service_bus;
mod table;

use std::rc::Rc;

use super::payload::Form;
use super::{Use, function_of, payload, place_of, reads};
use crate::evaluate::{Args, Evaluator, FunctionRef, Library, Noted, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::model::{Action, MessageUse, ShapeId};

/// Handlers that are kept of one library; that there are more is told.
const MAX_HANDLERS: usize = 2_000;

/// A message on a channel whose name is what was noted.
fn message(name: &'static str, noted: &Noted, action: Action, payload: Option<ShapeId>) -> Use {
    Use::Message(MessageUse {
        library: name,
        action,
        channel: channel_of(&noted.target, noted),
        setting: None,
        message: None,
        payload,
        span: place_of(noted),
        function: function_of(noted),
    })
}

fn channel_of(target: &Value, noted: &Noted) -> Result<String, Reason> {
    match target {
        Value::Str(text) => Ok(short(text).to_owned()),
        Value::Pattern(text) if !short(text).contains(UNKNOWN_PART) => Ok(short(text).to_owned()),
        Value::Unknown(why, place) => Err(Reason::new(*why, place.or(Some(noted.site)))),
        Value::External(path) => Err(from_library(path, noted)),
        Value::Made(made) => Err(from_library(&made.path, noted)),
        Value::Native(..) => Err(from_library(&target.describe(), noted)),
        other => Err(Reason::new(format!("the channel is {}", other.describe()), Some(noted.site))),
    }
}

fn from_library(path: &str, noted: &Noted) -> Reason {
    Reason::new(format!("the channel is what `{path}` of a library gives"), Some(noted.site))
}

/// The name in an address: what `arn:aws:sns:eu-west-1:1234:orders` and `https://sqs.eu-west-1.amazonaws.com/1234/orders`
/// end with.
fn short(channel: &str) -> &str {
    let end = if channel.starts_with("arn:") {
        channel.rsplit(':').next()
    } else if channel.contains("://") {
        channel.rsplit('/').next()
    } else {
        None
    };
    end.filter(|end| !end.is_empty()).unwrap_or(channel)
}

/// The shape of what an argument gives to be sent, at a place within it.
fn sent<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    (position, name): (usize, &str),
    steps: &[&str],
    form: Form,
) -> ShapeId {
    let value = noted.args.get(position, name).cloned();
    let value = value.unwrap_or(Value::Unknown("no payload is given", Some(noted.site)));
    let written = payload::written(&noted.args, position, name);
    payload::shape_within(ev, schemas, (&value, written), steps, form, noted.site)
}

/// What is read of what a call of a library gives, or of the object whose method it is, at the first of `ways` that leads
/// to anything.
fn read_of<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    object: bool,
    ways: &[&[&str]],
) -> Option<ShapeId> {
    let read = if object { reads::of_object(ev, noted) } else { reads::of_result(ev, noted) };
    let node = read.at_any(ways)?;
    read.shape(ev, schemas, node)
}

/// What a handler takes its parameter at a position for, at the first of `ways` into it that leads to anything.
fn read_of_handler<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    handler: &Value<'p>,
    position: usize,
    ways: &[&[&str]],
) -> Option<ShapeId> {
    let function = match handler {
        Value::Function(function) | Value::Bound(_, function) => function.clone(),
        _ => return None,
    };
    read_of_parameter(ev, schemas, &function, position, ways)
}

/// The same of a function.
fn read_of_parameter<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    position: usize,
    ways: &[&[&str]],
) -> Option<ShapeId> {
    ev.start(function.node.span.file);
    let read = reads::of_parameter(ev, function, position);
    let node = read.at_any(ways)?;
    read.shape(ev, schemas, node)
}

/// Keeps a handler that a method of an object was given, until what the object is subscribed to is read.
fn keep_handler<'p>(ev: &mut Evaluator<'p>, library: &'static Library, args: &Args<'p>, handler: Value<'p>) {
    let Some(receiver) = args.receiver.as_deref().cloned() else { return };
    let kept = ev.notes.entry(library.name).or_insert_with(|| Value::list(Vec::new()));
    if let Value::List(list) = kept {
        if list.borrow().len() < MAX_HANDLERS {
            list.borrow_mut().push(Value::Tuple(Rc::from([receiver, handler])));
        } else {
            ev.cut("handlers of messages of one library beyond the 2000th", None);
        }
    }
}

/// The handlers that the object of a note was given; those of its file where the object is made anew each time.
fn handlers_of<'p>(ev: &Evaluator<'p>, library: &'static Library, noted: &Noted<'p>) -> Vec<Value<'p>> {
    let kept = ev.notes.get(library.name).and_then(Value::elements).unwrap_or_default();
    let pairs = kept.into_iter().filter_map(|pair| match pair.elements()?.as_slice() {
        [receiver, handler] => Some((receiver.clone(), handler.clone())),
        _ => None,
    });
    let pairs: Vec<(Value<'p>, Value<'p>)> = pairs.collect();
    let own = |receiver: &Value<'p>| noted.args.receiver.as_deref().is_some_and(|known| known.same(receiver));
    let by_object: Vec<Value<'p>> =
        pairs.iter().filter(|(receiver, _)| own(receiver)).map(|(_, handler)| handler.clone()).collect();
    if !by_object.is_empty() {
        return by_object;
    }
    let file_of = |handler: &Value<'p>| match handler {
        Value::Function(function) | Value::Bound(_, function) => Some(function.node.span.file),
        _ => None,
    };
    let here: Vec<Value<'p>> =
        pairs.into_iter().map(|(_, handler)| handler).filter(|it| file_of(it) == Some(noted.site.file)).collect();
    if here.len() == 1 { here } else { Vec::new() }
}
