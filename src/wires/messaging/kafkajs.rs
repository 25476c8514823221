//! kafkajs: `producer.send({ topic, messages: [{ value: JSON.stringify(…) }] })`, `consumer.subscribe({ topic })`.

use super::super::{Use, Wire};
use super::message;
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static KAFKAJS: Wire = Wire { name: "kafkajs", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "kafkajs",
    wire_packages: &["kafkajs"],
    wire_words: &["send", "subscribe"],
    chained: |path| path.starts_with("kafkajs."),
    call,
    ..Library::NONE
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let what = match path.strip_prefix("kafkajs.")? {
        "Kafka().producer().send" | "Producer().send" => "send",
        "Kafka().consumer().subscribe" | "Consumer().subscribe" => "receive",
        _ => return None,
    };
    let options = args.positional.first().cloned().unwrap_or(Value::None);
    let topic = evaluator.member(&options, "topic", Some(site));
    evaluator.note(&LIBRARY, what, topic, args.clone(), site);
    Some(Value::Unknown("what a broker answers", Some(site)))
}

fn read<'p>(_: &mut Evaluator<'p>, _: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let action = if noted.what == "send" { Action::Send } else { Action::Receive };
    vec![message("kafkajs", noted, action, None)]
}
