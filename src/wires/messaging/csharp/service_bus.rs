//! Azure.Messaging.ServiceBus: `client.CreateSender("queue").SendMessageAsync(new ServiceBusMessage(…))`,
//! `client.CreateProcessor("queue")`.

use crate::languages::Language;
use std::rc::Rc;

use super::super::super::{Use, Wire};
use super::super::message;
use super::{channel, handled, message_in, method, received, sent_as_bytes};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static SERVICE_BUS: Wire =
    Wire { name: "Azure Service Bus", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Azure.Messaging.ServiceBus",
    wire_packages: &["Azure.Messaging.ServiceBus"],
    wire_words: &[
        "SendMessageAsync",
        "SendMessagesAsync",
        "CreateProcessor",
        "CreateReceiver",
        "CreateSessionProcessor",
        "AcceptSessionAsync",
        "AcceptNextSessionAsync",
        "StartProcessingAsync",
        "ReceiveMessageAsync",
        "ReceiveMessagesAsync",
    ],
    chained: |path| path.ends_with("ServiceBusClient"),
    call,
    ..Library::CSHARP
};

/// What messages are taken from.
const RECEIVERS: &[&str] = &[
    "ServiceBusReceiver",
    "ServiceBusSessionReceiver",
    "CreateReceiver",
    "AcceptSessionAsync",
    "AcceptNextSessionAsync",
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match method(path)? {
        ("CreateSender" | "ServiceBusSender", "SendMessageAsync" | "SendMessagesAsync" | "ScheduleMessageAsync") => {
            let queue = match args.receiver.as_deref() {
                Some(Value::Made(sender)) if !sender.args.positional.is_empty() => sender.args.positional[0].clone(),
                _ => Value::Unknown("the sender is made somewhere else", Some(site)),
            };
            let body = message_in(args.get(0, "message"));
            evaluator.note_message(&LIBRARY, queue, &body, args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        (
            "ServiceBusClient",
            "CreateProcessor"
            | "CreateReceiver"
            | "CreateSessionProcessor"
            | "AcceptSessionAsync"
            | "AcceptNextSessionAsync",
        ) => {
            evaluator.note(&LIBRARY, "receive", channel(args, 0, "queueName"), args.clone(), site);
            None
        }
        (_, "ProcessMessageAsync+=") => {
            let message = evaluator.received(&LIBRARY, args.receiver.as_deref()?, site);
            evaluator.hand_to_library(args.positional.first()?, vec![message], site);
            Some(Value::None)
        }
        (of, "ReceiveMessageAsync") if RECEIVERS.contains(&of) => {
            Some(evaluator.received(&LIBRARY, args.receiver.as_deref()?, site))
        }
        (of, "ReceiveMessagesAsync") if RECEIVERS.contains(&of) => {
            Some(Value::list(vec![evaluator.received(&LIBRARY, args.receiver.as_deref()?, site)]))
        }
        _ => None,
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    match noted.what {
        "handle" => return handled("Azure Service Bus", evaluator, schemas, noted),
        "receive" => {
            let args = noted.args.clone();
            // Told from others by its place alone.
            let receiver = Made { path: Rc::from("receiver"), receiver: None, args, site: noted.site };
            let receiver = Value::Made(Rc::new(receiver));
            return received("Azure Service Bus", evaluator, schemas, noted, Some(&receiver));
        }
        _ => {}
    }
    let shape = sent_as_bytes(evaluator, schemas, noted, 0, "message");
    vec![message("Azure Service Bus", noted, Action::Send, shape)]
}
