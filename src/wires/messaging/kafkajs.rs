//! kafkajs: `producer.send({ topic, messages: [{ value: JSON.stringify(…) }] })`, `consumer.subscribe({ topic })` with
//! `consumer.run({ eachMessage })` (kafka.js.org/docs).

use super::super::payload::Form;
use super::super::{Use, Wire};
use super::{handlers_of, keep_handler, message, read_of_handler, sent};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static KAFKAJS: Wire = Wire { name: "kafkajs", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "kafkajs",
    wire_packages: &["kafkajs"],
    wire_words: &["send", "sendBatch", "subscribe", "run"],
    chained: |path| path.starts_with("kafkajs."),
    call,
    ..Library::NONE
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let options = args.positional.first().cloned().unwrap_or(Value::None);
    match path.strip_prefix("kafkajs.")? {
        "Kafka().producer().send" | "Producer().send" | "Kafka().producer().transaction().send" => {
            let topic = evaluator.member(&options, "topic", Some(site));
            evaluator.note(&LIBRARY, "send", topic, args.clone(), site);
        }
        "Kafka().producer().sendBatch" | "Producer().sendBatch" => {
            let batches = evaluator.member(&options, "topicMessages", Some(site));
            for batch in batches.elements().unwrap_or_default() {
                let topic = evaluator.member(&batch, "topic", Some(site));
                evaluator.note(&LIBRARY, "send", topic, args.clone(), site);
            }
        }
        "Kafka().consumer().subscribe" | "Consumer().subscribe" => {
            let one = evaluator.member(&options, "topic", Some(site));
            let several = match one {
                Value::None | Value::Unknown(..) => evaluator.member(&options, "topics", Some(site)).elements(),
                _ => None,
            };
            for topic in several.unwrap_or_else(|| vec![one]) {
                evaluator.note(&LIBRARY, "receive", topic, args.clone(), site);
            }
        }
        "Kafka().consumer().run" | "Consumer().run" => {
            for name in ["eachMessage", "eachBatch"] {
                let handler = evaluator.member(&options, name, Some(site));
                if matches!(handler, Value::Function(_) | Value::Bound(..)) {
                    keep_handler(evaluator, &LIBRARY, args, handler);
                }
            }
        }
        _ => return None,
    }
    Some(Value::Unknown("what a broker answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    if noted.what == "send" {
        let shape = sent(evaluator, schemas, noted, (0, ""), &["messages", "[]", "value"], Form::Bytes);
        return vec![message("kafkajs", noted, Action::Send, Some(shape))];
    }
    let handlers = handlers_of(evaluator, &LIBRARY, noted);
    let shape = handlers.into_iter().find_map(|handler| {
        let ways: [&[&str]; 3] =
            [&["message", "value"], &["batch", "messages", "[]", "value"], &["messages", "[]", "value"]];
        read_of_handler(evaluator, schemas, &handler, 0, &ways)
    });
    vec![message("kafkajs", noted, Action::Receive, shape)]
}
