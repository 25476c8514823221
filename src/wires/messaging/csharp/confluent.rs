//! Confluent.Kafka: `producer.ProduceAsync("topic", new Message<K, V> { Value = … })`, `consumer.Subscribe("topic")`.

use super::super::super::{Use, Wire};
use super::super::message;
use super::{carried, handled, message_in, method, received};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static CONFLUENT: Wire =
    Wire { name: "Confluent.Kafka", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Confluent.Kafka",
    wire_packages: &["Confluent.Kafka"],
    wire_words: &["Produce", "ProduceAsync", "Subscribe", "Consume"],
    chained: |path| {
        let first = path.split("()").next().unwrap_or(path);
        first.ends_with("ProducerBuilder") || first.ends_with("ConsumerBuilder")
    },
    call,
    ..Library::CSHARP
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (of, name) = method(path)?;
    if matches!((of, name), ("IConsumer" | "Build", "Consume")) {
        return Some(evaluator.received(&LIBRARY, args.receiver.as_deref()?, site));
    }
    let what = match (of, name) {
        ("IProducer" | "Build", "Produce" | "ProduceAsync") => "send",
        ("IConsumer" | "Build", "Subscribe") => "receive",
        _ => return None,
    };
    let topics = super::channel(args, 0, if what == "send" { "topic" } else { "topics" });
    if what == "send" {
        let content = message_in(content(args).as_ref());
        evaluator.note_message(&LIBRARY, topics, &content, args.clone(), site);
        return Some(Value::Unknown("what a broker answers", Some(site)));
    }
    for topic in topics.elements().unwrap_or_else(|| vec![topics.clone()]) {
        evaluator.note(&LIBRARY, what, topic, args.clone(), site);
    }
    Some(Value::Unknown("what a broker answers", Some(site)))
}

/// `Value` of the message that is sent.
fn content<'p>(args: &Args<'p>) -> Option<Value<'p>> {
    match args.get(1, "message")? {
        Value::Made(made) => made.args.named("Value").cloned(),
        _ => None,
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    match noted.what {
        "handle" => return handled("Confluent.Kafka", evaluator, schemas, noted),
        "receive" => {
            let consumer = noted.args.receiver.as_deref();
            return received("Confluent.Kafka", evaluator, schemas, noted, consumer);
        }
        _ => {}
    }
    let shape = content(&noted.args).map(|value| carried(evaluator, schemas, &value, noted));
    vec![message("Confluent.Kafka", noted, Action::Send, shape)]
}
