//! What carries a message and says nothing of it: serialisers, encodings, containers of bytes. Where wires are looked for,
//! a message is the same on its way through them.

use std::rc::Rc;

use super::super::super::Wire;
use crate::evaluate::{Args, Evaluator, Library, Made, Value, as_received, last};
use crate::languages::csharp::schema::Serialiser;
use crate::text::Span;

pub(in crate::wires) static CARRIERS: Wire = Wire { name: "bytes", library: &LIBRARY, read: |_, _, _| Vec::new() };

/// What serialisers make, by whether they are given settings.
const PLAINLY: &str = "json as declared";
const BY_SETTINGS: &str = "json by settings";

static LIBRARY: Library = Library { name: "bytes", call, member, ..Library::NONE };

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires() {
        return None;
    }
    if let Some(known) = of_received(evaluator, path, args, site) {
        return Some(known);
    }
    let mut parts = path.rsplit('.');
    let (name, owner) = (parts.next()?, parts.next().unwrap_or(""));
    let carries = match (owner, name) {
        ("BinaryData", "FromString" | "FromBytes")
        | (_, "BinaryData" | "ServiceBusMessage" | "ReadOnlyMemory" | "EventData") => true,
        (encoding, "GetBytes") => matches!(encoding.trim_end_matches("()"), "UTF8" | "Unicode" | "ASCII" | "Default"),
        _ => false,
    };
    let value = args.positional.first();
    if carries {
        return value.or_else(|| args.named("Body")).cloned();
    }
    let made_by = match (owner, name) {
        ("JsonSerializer", "Serialize" | "SerializeToUtf8Bytes" | "SerializeToElement" | "SerializeToNode")
        | ("JsonConvert", "SerializeObject")
        | ("BinaryData", "FromObjectAsJson") => {
            // The second may be the type, which is no setting.
            let is_set = args.values().skip(1).any(|value| !matches!(value, Value::Class(_)));
            if is_set { BY_SETTINGS } else { PLAINLY }
        }
        _ => return None,
    };
    let args = Args { positional: vec![value?.clone()], ..Args::default() };
    Some(Value::Made(Rc::new(Made { path: made_by.into(), receiver: None, args, site })))
}

/// Members of a message that lead to what it carries.
const CONTENTS: &[&str] = &["Body", "Message", "Value", "Span", "Memory", "Payload", "Data", "Content", "RootElement"];
/// Methods that give what a message carries in another form.
const FORMS: &[&str] = &[
    "ToArray", "ToString", "ToStream", "ToMemory", "AsSpan", "AsMemory", "GetString", "Parse", "ParseAsync", "ReadToEnd",
    "ReadToEndAsync", "StreamReader", "StringReader", "MemoryStream", "JsonTextReader", "FromBase64String", "GetRawText",
];
/// Those that make an object of it, whose type they are given.
const READS: &[&str] = &[
    "Deserialize", "DeserializeObject", "DeserializeAsync", "ToObjectFromJson", "ToObject", "GetBody",
];

/// What a received message carries is followed, until it is read as an object.
fn of_received<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = last(path);
    let of = args.receiver.as_deref().filter(|receiver| as_received(receiver).is_some());
    let message = of.or_else(|| args.values().find(|value| as_received(value).is_some()))?.clone();
    if FORMS.contains(&name) || (name == "BinaryData" && of.is_none()) {
        return Some(message);
    }
    if !READS.contains(&name) {
        return None;
    }
    let wanted = match &args.types {
        Some((types, scope)) => evaluator.type_expression(types.first()?, scope),
        // Told at run time only.
        None => args.values().find(|value| matches!(value, Value::Class(_))).cloned().unwrap_or(Value::None),
    };
    match &wanted {
        Value::Class(class) => {
            evaluator.read_as(&message, class);
            Some(evaluator.stand_in_of(&wanted, site).unwrap_or(message))
        }
        _ => Some(message),
    }
}

fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    (CONTENTS.contains(&name) && as_received(value).is_some()).then(|| value.clone())
}

/// What a value was before it was serialised, and by what.
pub(super) fn serialised<'v, 'p>(value: &'v Value<'p>) -> (&'v Value<'p>, Serialiser) {
    if let Value::Made(made) = value
        && let Some(inner) = made.args.positional.first()
    {
        match &*made.path {
            PLAINLY => return (inner, Serialiser::Plain),
            BY_SETTINGS => return (inner, Serialiser::Unknown),
            _ => {}
        }
    }
    (value, Serialiser::Unknown)
}
