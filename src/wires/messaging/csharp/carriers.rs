//! What carries a message and says nothing of it: serialisers, encodings, containers of bytes. Where wires are looked for,
//! a message is the same on its way through them.

use super::super::super::Wire;
use crate::evaluate::{Args, Evaluator, Library, Value};
use crate::text::Span;

pub(in crate::wires) static CARRIERS: Wire = Wire { name: "bytes", library: &LIBRARY, read: |_, _, _| Vec::new() };

static LIBRARY: Library = Library { name: "bytes", call, ..Library::NONE };

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, _: Span) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires() {
        return None;
    }
    let mut parts = path.rsplit('.');
    let (name, owner) = (parts.next()?, parts.next().unwrap_or(""));
    let carries = match (owner, name) {
        ("JsonSerializer", "Serialize" | "SerializeToUtf8Bytes" | "SerializeToElement" | "SerializeToNode")
        | ("JsonConvert", "SerializeObject")
        | ("BinaryData", "FromObjectAsJson" | "FromString" | "FromBytes")
        | (_, "BinaryData" | "ServiceBusMessage" | "ReadOnlyMemory" | "EventData") => true,
        (encoding, "GetBytes") => matches!(encoding.trim_end_matches("()"), "UTF8" | "Unicode" | "ASCII" | "Default"),
        _ => false,
    };
    if !carries {
        return None;
    }
    args.positional.first().filter(|value| !matches!(value, Value::Unknown(..))).cloned()
}
