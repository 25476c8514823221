//! Brokers, queues and buses.

pub(super) mod aiokafka;
pub(super) mod csharp;
pub(super) mod kafkajs;

use super::{Use, function_of, place_of};
use crate::evaluate::{Noted, Value};
use crate::finding::Reason;
use crate::model::{Action, MessageUse, ShapeId};

/// A message on a channel whose name is what was noted.
fn message(name: &'static str, noted: &Noted, action: Action, payload: Option<ShapeId>) -> Use {
    Use::Message(MessageUse {
        library: name,
        action,
        channel: channel_of(&noted.target, noted),
        message: None,
        payload,
        span: place_of(noted),
        function: function_of(noted),
    })
}

fn channel_of(target: &Value, noted: &Noted) -> Result<String, Reason> {
    match target {
        Value::Str(text) => Ok(text.to_string()),
        Value::Unknown(why, place) => Err(Reason::new(*why, place.or(Some(noted.site)))),
        other => Err(Reason::new(format!("the channel is {}", other.describe()), Some(noted.site))),
    }
}
