//! What carries a message and says nothing of it: serialisers, encodings, containers of bytes. Where wires are looked for,
//! a message is the same on its way through them.

use std::rc::Rc;

use super::super::super::Wire;
use crate::evaluate::{Args, Evaluator, Library, Made, Value};
use crate::languages::csharp::schema::Serialiser;
use crate::text::Span;

pub(in crate::wires) static CARRIERS: Wire = Wire { name: "bytes", library: &LIBRARY, read: |_, _, _| Vec::new() };

/// What serialisers make, by whether they are given settings.
const PLAINLY: &str = "json as declared";
const BY_SETTINGS: &str = "json by settings";

static LIBRARY: Library = Library { name: "bytes", call, ..Library::CSHARP };

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires() {
        return None;
    }
    let mut parts = path.rsplit('.');
    let (name, owner) = (parts.next()?, parts.next().unwrap_or(""));
    let carries = match (owner, name) {
        ("BinaryData", "FromString" | "FromBytes")
        | (_, "BinaryData" | "ServiceBusMessage" | "ReadOnlyMemory" | "EventData") => true,
        (encoding, "GetBytes") => matches!(encoding.trim_end_matches("()"), "UTF8" | "Unicode" | "ASCII" | "Default"),
        _ => false,
    };
    let value = args.positional.first().filter(|value| !matches!(value, Value::Unknown(..)));
    if carries {
        return value.cloned();
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
