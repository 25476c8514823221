//! Buses and brokers of C#.

pub(in crate::wires) mod carriers;
pub(in crate::wires) mod confluent;
pub(in crate::wires) mod dapr;
pub(in crate::wires) mod mass_transit;
pub(in crate::wires) mod mediatr;
pub(in crate::wires) mod nservicebus;
pub(in crate::wires) mod rabbitmq;
pub(in crate::wires) mod rebus;
pub(in crate::wires) mod saunter;
pub(in crate::wires) mod service_bus;
mod typed;

use super::super::{Use, payload, place_of};
use crate::evaluate::{Args, Evaluator, Noted, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::model::{Action, MessageUse, ShapeId};

/// The type and the method of a call on what a library made or declares: `IBus().Publish` is `IBus` and `Publish`,
/// `ServiceBusClient().CreateSender().SendMessageAsync` is `CreateSender` and `SendMessageAsync`. Packages are not part
/// of the program: types are known by their last part only.
fn method(path: &str) -> Option<(&str, &str)> {
    let (before, method) = path.rsplit_once("().")?;
    Some((last(before), method))
}

/// The shape of an argument of what was noted, by its position or name.
fn sent<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    position: usize,
    name: &str,
) -> Option<ShapeId> {
    let value = noted.args.get(position, name)?.clone();
    let written = payload::written(&noted.args, position, name);
    Some(payload::shape_of(evaluator, schemas, &value, written, noted.site))
}

/// The shape of an argument that is bytes or text: what its serialiser made of it, where one is seen.
fn sent_as_bytes<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    position: usize,
    name: &str,
) -> Option<ShapeId> {
    noted.args.get(position, name).map(|value| carried(evaluator, schemas, value, noted))
}

/// The message in what a library is given.
fn message_in<'p>(value: Option<&Value<'p>>) -> Value<'p> {
    let unknown = Value::Unknown("what is sent is not known", None);
    match value.map(carriers::serialised) {
        Some((Value::Unknown(..), Some(json))) => json.kind.clone(),
        Some((value, _)) => value.clone(),
        None => unknown,
    }
}

/// The JSON that a value has become on its way.
fn carried<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    value: &Value<'p>,
    noted: &Noted<'p>,
) -> ShapeId {
    let (value, json) = carriers::serialised(value);
    let serialiser = json.map_or(Serialiser::Unknown, |json| carriers::serialiser(evaluator, json.settings));
    let ty = match (value, json) {
        (Value::Instance(instance), _) => Value::Class(instance.class.clone()),
        (_, Some(json)) if !json.kind.is_unknown() => json.kind.clone(),
        _ => Value::Unknown("what is sent is not known", Some(noted.site)),
    };
    schemas.csharp().shape_by(serialiser, evaluator, &ty, noted.site)
}

/// What a receiver of messages takes: one for each type that they are read as.
fn received<'p>(
    name: &'static str,
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    by: Option<&Value<'p>>,
) -> Vec<Use> {
    let read = by.map(|by| evaluator.read_from(by, noted.function.as_ref())).unwrap_or_default();
    let mut kinds: Vec<(Value<'p>, Serialiser)> =
        read.into_iter().map(|read| (read.kind, carriers::reader(evaluator, &read.how))).collect();
    if let (true, Value::Str(channel)) = (kinds.is_empty(), &noted.target) {
        kinds.extend(evaluator.given_type(channel).map(|class| (Value::Class(class), Serialiser::Unknown)));
    }
    let one = |payload| super::message(name, noted, Action::Receive, payload);
    let mut uses = Vec::new();
    for (kind, serialiser) in kinds {
        uses.push(one(Some(schemas.csharp().shape_by(serialiser, evaluator, &kind, noted.site))));
    }
    if uses.is_empty() { vec![one(None)] } else { uses }
}

/// A class that handles messages of an in-house bus: they go by the names of their classes.
fn handled<'p>(
    name: &'static str,
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
) -> Vec<Use> {
    let [message @ Value::Class(class), Value::Str(handler)] = noted.args.positional.as_slice() else {
        return Vec::new();
    };
    let how = noted.args.named("how").cloned();
    let serialiser = how.map_or(Serialiser::Unknown, |how| carriers::reader(evaluator, &how));
    vec![Use::Message(MessageUse {
        library: name,
        action: Action::Receive,
        channel: Err(Reason::new("the bus tells its handlers by the classes of messages", Some(noted.site))),
        setting: None,
        message: Some(class.name().to_owned()),
        payload: Some(schemas.csharp().shape_by(serialiser, evaluator, message, noted.site)),
        span: place_of(noted),
        function: handler.to_string(),
    })]
}

/// An argument that names a channel.
fn channel<'p>(args: &Args<'p>, position: usize, name: &str) -> Value<'p> {
    args.get(position, name).cloned().unwrap_or(Value::Unknown("no channel is given", None))
}
