//! aiokafka: `producer.send_and_wait("topic", value)`, `AIOKafkaConsumer("topic")`.

use super::super::payload::Form;
use super::super::{Use, Wire};
use super::{message, read_of, sent};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static AIOKAFKA: Wire = Wire { name: "aiokafka", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "aiokafka",
    wire_packages: &["aiokafka"],
    wire_words: &["send", "send_and_wait", "AIOKafkaConsumer"],
    call,
    ..Library::NONE
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = path.strip_prefix("aiokafka.")?;
    match name {
        "AIOKafkaProducer().send" | "AIOKafkaProducer().send_and_wait" => {
            let topic = args.get(0, "topic").cloned().unwrap_or(Value::Unknown("no topic is given", Some(site)));
            evaluator.note(&LIBRARY, "send", topic, args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        "AIOKafkaConsumer" => {
            for topic in &args.positional {
                evaluator.note(&LIBRARY, "receive", topic.clone(), args.clone(), site);
            }
            None
        }
        _ => None,
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    if noted.what == "receive" {
        let shape = read_of(evaluator, schemas, noted, false, &[&["[]", "value"], &["getone()", "value"]]);
        return vec![message("aiokafka", noted, Action::Receive, shape)];
    }
    let shape = sent(evaluator, schemas, noted, (1, "value"), &[], Form::Bytes);
    vec![message("aiokafka", noted, Action::Send, Some(shape))]
}
