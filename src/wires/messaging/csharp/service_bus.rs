//! Azure.Messaging.ServiceBus: `client.CreateSender("queue").SendMessageAsync(new ServiceBusMessage(…))`,
//! `client.CreateProcessor("queue")`.

use super::super::super::{Use, Wire};
use super::super::message;
use super::{channel, method, sent_as_bytes};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::text::Span;

pub(in crate::wires) static SERVICE_BUS: Wire = Wire { name: "Azure Service Bus", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Azure.Messaging.ServiceBus",
    wire_packages: &["Azure.Messaging.ServiceBus"],
    wire_words: &[
        "SendMessageAsync",
        "SendMessagesAsync",
        "CreateProcessor",
        "CreateReceiver",
        "CreateSessionProcessor",
    ],
    chained: |path| path.ends_with("ServiceBusClient"),
    call,
    ..Library::CSHARP
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match method(path)? {
        ("CreateSender" | "ServiceBusSender", "SendMessageAsync" | "SendMessagesAsync" | "ScheduleMessageAsync") => {
            let queue = match args.receiver.as_deref() {
                Some(Value::Made(sender)) if !sender.args.positional.is_empty() => sender.args.positional[0].clone(),
                _ => Value::Unknown("the sender is made somewhere else", Some(site)),
            };
            evaluator.note(&LIBRARY, "send", queue, args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        ("ServiceBusClient", "CreateProcessor" | "CreateReceiver" | "CreateSessionProcessor") => {
            evaluator.note(&LIBRARY, "receive", channel(args, 0, "queueName"), args.clone(), site);
            None
        }
        _ => None,
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    if noted.what == "receive" {
        return vec![message("Azure Service Bus", noted, Action::Receive, None)];
    }
    let shape = sent_as_bytes(evaluator, schemas, noted, 0, "message");
    vec![message("Azure Service Bus", noted, Action::Send, shape)]
}
