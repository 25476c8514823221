//! RabbitMQ.Client: `channel.BasicPublishAsync(exchange, routingKey, …, body)`, `BasicConsumeAsync(queue, …)`. Messages go
//! by their routing key, as they do where an exchange sends each to the queues that are bound to it; where it is empty, by
//! the exchange.

use super::super::super::{Use, Wire};
use super::super::message;
use super::{handled, message_in, method, received, sent_as_bytes};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static RABBITMQ: Wire =
    Wire { name: "RabbitMQ.Client", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "RabbitMQ.Client",
    wire_packages: &["RabbitMQ.Client"],
    wire_words: &[
        "BasicPublish",
        "BasicPublishAsync",
        "BasicConsume",
        "BasicConsumeAsync",
        "QueueBind",
        "QueueBindAsync",
    ],
    chained: |path| {
        let made = ["ConnectionFactory", "IConnection", "CreateConnection", "CreateConnectionAsync"];
        made.iter().any(|name| path.ends_with(name))
    },
    call,
    ..Library::CSHARP
};

/// What calls code for each message.
const CONSUMERS: &[&str] = &["EventingBasicConsumer", "AsyncEventingBasicConsumer"];
/// What messages are handed to.
const CHANNELS: &[&str] = &["IModel", "IChannel", "CreateModel", "CreateChannelAsync"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (of, name) = method(path)?;
    if CONSUMERS.contains(&of) && matches!(name, "Received+=" | "ReceivedAsync+=") {
        let consumer = args.receiver.as_deref()?;
        let message = evaluator.received(&LIBRARY, consumer, site);
        let sender = Value::Unknown("what calls it", Some(site));
        evaluator.hand_to_library(args.positional.first()?, vec![sender, message], site);
        return Some(Value::None);
    }
    if !CHANNELS.contains(&of) {
        return None;
    }
    match name {
        "BasicPublish" | "BasicPublishAsync" => {
            let key = args.get(1, "routingKey").cloned();
            let named = key.filter(|key| key.as_str() != Some(""));
            let target = named.or_else(|| args.get(0, "exchange").cloned());
            let target = target.unwrap_or(Value::Unknown("no routing key is given", Some(site)));
            let last = args.positional.len().saturating_sub(1);
            let body = message_in(args.get(last, "body"));
            evaluator.note_message(&LIBRARY, target, &body, args.clone(), site);
        }
        "BasicConsume" | "BasicConsumeAsync" => {
            let queue = super::channel(args, 0, "queue");
            evaluator.note(&LIBRARY, "receive", queue, args.clone(), site);
        }
        "QueueBind" | "QueueBindAsync" => {
            let key = args.get(2, "routingKey").cloned();
            let named = key.filter(|key| key.as_str() != Some(""));
            let target = named.or_else(|| args.get(1, "exchange").cloned());
            let target = target.unwrap_or(Value::Unknown("no routing key is given", Some(site)));
            evaluator.note(&LIBRARY, "receive", target, args.clone(), site);
        }
        _ => return None,
    }
    Some(Value::Unknown("what a broker answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    match noted.what {
        "handle" => return handled("RabbitMQ.Client", evaluator, schemas, noted),
        "receive" => {
            let is_consumer =
                |value: &&Value| matches!(value, Value::Made(made) if CONSUMERS.contains(&last(&made.path)));
            let consumer = noted.args.values().find(is_consumer);
            return received("RabbitMQ.Client", evaluator, schemas, noted, consumer);
        }
        _ => {}
    }
    let last = noted.args.positional.len().saturating_sub(1);
    let shape = sent_as_bytes(evaluator, schemas, noted, last, "body");
    vec![message("RabbitMQ.Client", noted, Action::Send, shape)]
}
