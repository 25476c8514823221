//! FastStream: `@broker.subscriber("topic")` and `@broker.publisher("topic")` on functions whose types say what is received
//! and sent, `broker.publish(message, "topic")` (faststream.airt.ai).

use crate::languages::Language;
use std::rc::Rc;

use super::{message, read_of_handler, sent};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;
use crate::wires::payload::Form;
use crate::wires::{Use, Wire};

pub(in crate::wires) static FASTSTREAM: Wire =
    Wire { name: "faststream", languages: &[Language::Python], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "faststream",
    wire_packages: &["faststream", "propan"],
    wire_words: &["publish", "request"],
    call,
    ..Library::PYTHON
};

/// Names of the argument that tells the channel.
const CHANNELS: &[&str] = &["topic", "queue", "subject", "channel", "stream", "list"];

fn call<'p>(ev: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !path.starts_with("faststream.") && !path.starts_with("propan.") {
        return None;
    }
    match last(path) {
        "publish" | "request" if path.contains("()") => {
            // `broker.publish(message, "topic")`, `publisher.publish(message)`
            let given = args.positional.get(1).cloned().or_else(|| by_name(args));
            let channel = given.or_else(|| match args.receiver.as_deref() {
                Some(Value::Made(made)) => made.args.positional.first().cloned().or_else(|| by_name(&made.args)),
                _ => None,
            });
            let channel = channel.unwrap_or(Value::Unknown("no channel is given", Some(site)));
            ev.note(&LIBRARY, "send", named(channel), args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        "subscriber" | "publisher" => {
            let receiver = args.receiver.as_deref().cloned();
            Some(Value::Made(Rc::new(Made { path: path.into(), receiver, args: args.clone(), site })))
        }
        name @ ("subscriber()" | "publisher()") => {
            let handler = args.positional.first()?.clone();
            let Some(Value::Made(made)) = args.receiver.as_deref() else { return None };
            let made = made.clone();
            let mut channels = match name {
                "subscriber()" => made.args.positional.clone(),
                _ => made.args.positional.first().cloned().into_iter().collect(),
            };
            channels.extend(by_name(&made.args));
            let what = if name == "subscriber()" { "receive" } else { "return" };
            for channel in channels {
                let args = Args { positional: vec![handler.clone()], ..Args::default() };
                ev.note(&LIBRARY, what, named(channel), args, made.site);
            }
            Some(handler)
        }
        _ => None,
    }
}

fn by_name<'p>(args: &Args<'p>) -> Option<Value<'p>> {
    CHANNELS.iter().find_map(|name| args.named(name).cloned())
}

/// `RabbitQueue("orders")`
fn named(value: Value<'_>) -> Value<'_> {
    match &value {
        Value::Made(made) => made.args.get(0, "name").cloned().unwrap_or(value),
        _ => value,
    }
}

fn read<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let handler = noted.args.positional.first().cloned();
    let function = match &handler {
        Some(Value::Function(function) | Value::Bound(_, function)) => Some(function.clone()),
        _ => None,
    };
    let (action, payload) = match (noted.what, &handler) {
        ("receive", Some(handler)) => (Action::Receive, read_of_handler(ev, schemas, handler, 0, &[&[]])),
        ("return", _) => {
            let declared = function.as_ref().and_then(|function| {
                let returns = function.node.returns.as_ref()?;
                Some((ev.type_expression(returns, &function.scope), returns.span))
            });
            (Action::Send, declared.map(|(declared, span)| schemas.python().shape_of(ev, &declared, Some(span))))
        }
        _ => (Action::Send, Some(sent(ev, schemas, noted, (0, "message"), &[], Form::Json))),
    };
    let mut found = message("faststream", noted, action, payload);
    if let (Use::Message(found), Some(function)) = (&mut found, function.filter(|_| noted.what != "send")) {
        found.function.clone_from(&function.node.name);
    }
    vec![found]
}
