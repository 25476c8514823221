//! What carries a message and says nothing of it: serialisers, encodings, containers of bytes. Where wires are looked for,
//! a message is the same on its way through them.

use crate::languages::Language;
use std::rc::Rc;

use super::super::super::{Wire, payload};
use crate::evaluate::{Args, Evaluator, Library, Made, Scope, Value, as_received, last};
use crate::languages::csharp::schema::{Serialiser, serialiser_of};
use crate::languages::csharp::typing::Typer;
use crate::model::program::{Arg, Expr, ExprKind, Function, StmtKind};
use crate::text::Span;

pub(in crate::wires) static CARRIERS: Wire =
    Wire { name: "", languages: &[Language::CSharp], library: &LIBRARY, read: |_, _, _| Vec::new() };

/// What serialisers make: of the first, with the settings that are the second; the third is the type that the first is
/// declared to be.
const JSON: &str = "json";

static LIBRARY: Library = Library { name: "bytes", call, member, ..Library::CSHARP };

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
        return value.cloned();
    }
    match (owner, name) {
        ("JsonSerializer", "Serialize" | "SerializeToUtf8Bytes" | "SerializeToElement" | "SerializeToNode")
        | ("JsonConvert", "SerializeObject")
        | ("BinaryData", "FromObjectAsJson") => {}
        _ => return None,
    }
    let kind = declared(evaluator, args, site);
    let args = Args { positional: vec![value?.clone(), settings(args, 1, site), kind], ..Args::default() };
    Some(Value::Made(Rc::new(Made { path: JSON.into(), receiver: None, args, site })))
}

/// The type that the first argument is declared to be, where that says what it is.
fn declared<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Value<'p> {
    let unknown = Value::Unknown("what is serialised is not known", Some(site));
    if matches!(args.positional.first(), Some(Value::Instance(_))) {
        return unknown;
    }
    let Some((expr, scope)) = payload::written(args, 0, "value") else { return unknown };
    let mut typer = Typer::new(evaluator);
    let place = typer.place_in(&scope);
    match typer.type_of(expr, &place) {
        Value::Class(class) => {
            let standing = evaluator.standing(&class);
            if evaluator.may_be_of_subclass(&standing) { unknown } else { Value::Class(class) }
        }
        kind @ (Value::Applied(..) | Value::Dynamic(_)) => kind,
        _ => unknown,
    }
}

/// The settings that a serialiser is called with, after the first `skipped` arguments: none, what is known of them where
/// they are made, or unknown. A type is no setting.
fn settings<'p>(args: &Args<'p>, skipped: usize, site: Span) -> Value<'p> {
    let is_setting = |value: &&Value<'p>| !matches!(value, Value::Class(_)) && as_received(value).is_none();
    let positional = args.positional.iter().skip(skipped);
    let Some(given) = positional.chain(args.named.iter().map(|(_, value)| value)).find(is_setting) else {
        return Value::None;
    };
    let is_seen = args.written.as_ref().is_some_and(|(written, scope)| {
        written.iter().skip(skipped).map(Arg::value).all(|expr| is_made_here(expr, scope))
    });
    if is_seen { given.clone() } else { Value::Unknown("settings that something else makes", Some(site)) }
}

/// Whether what an expression stands for is seen where it is made: what an object holds may have been set since, what is
/// given stands for what others make.
fn is_made_here(expr: &Expr, scope: &Scope) -> bool {
    match &expr.kind {
        // Of a class: `Json.Settings`.
        ExprKind::Member { object, .. } => {
            matches!(&object.kind, ExprKind::Name(name) if name.starts_with(char::is_uppercase))
        }
        ExprKind::Name(name) => {
            let mut next = Some(scope);
            while let Some(here) = next {
                let is_given =
                    |function: &Function| function.parameters.iter().any(|parameter| parameter.name == *name);
                if here.function().is_some_and(is_given) {
                    return false;
                }
                if here.function().is_some() && here.own(name).is_some() {
                    return true;
                }
                if let Some(class) = here.class() {
                    return class.node.body.iter().any(|statement| match &statement.kind {
                        StmtKind::Property(property) => property.name == *name && property.is_static,
                        _ => false,
                    });
                }
                next = here.parent();
            }
            false
        }
        _ => true,
    }
}

/// The serialiser that settings stand for.
pub(super) fn serialiser<'p>(evaluator: &mut Evaluator<'p>, settings: &Value<'p>) -> Serialiser {
    match settings {
        Value::None => Serialiser::Plain,
        settings => serialiser_of(evaluator, settings),
    }
}

/// Members of a message that lead to what it carries.
const CONTENTS: &[&str] = &["Body", "Message", "Value", "Span", "Memory", "Payload", "Data", "Content", "RootElement"];
/// Methods that give what a message carries in another form.
const FORMS: &[&str] = &[
    "ToArray",
    "ToString",
    "ToStream",
    "ToMemory",
    "AsSpan",
    "AsMemory",
    "GetString",
    "Parse",
    "ParseAsync",
    "ReadToEnd",
    "ReadToEndAsync",
    "StreamReader",
    "StringReader",
    "MemoryStream",
    "JsonTextReader",
    "FromBase64String",
    "GetRawText",
];
/// Those that make an object of it, whose type they are given.
const READS: &[&str] =
    &["Deserialize", "DeserializeObject", "DeserializeAsync", "ToObjectFromJson", "ToObject", "GetBody"];

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
    // Newtonsoft's reads names in any case.
    let how = match name {
        "Deserialize" | "DeserializeAsync" | "ToObjectFromJson" => {
            // The message, and the type where it is no type argument.
            let skipped = usize::from(of.is_none()) + usize::from(args.types.is_none());
            settings(args, skipped, site)
        }
        _ => Value::Unknown("names are read in any case", Some(site)),
    };
    let is_of_classes = |value: &Value| matches!(value, Value::Class(_) | Value::External(_));
    match &wanted {
        Value::Class(_) => {
            evaluator.read_as(&message, &wanted, how);
            Some(evaluator.stand_in_of(&wanted, site).unwrap_or(message))
        }
        Value::Applied(_, given) if given.iter().all(is_of_classes) => {
            evaluator.read_as(&message, &wanted, how);
            Some(Value::Unknown("what a message is read as", Some(site)))
        }
        _ => Some(evaluator.read_at_run_time(&message, how)),
    }
}

fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    (CONTENTS.contains(&name) && as_received(value).is_some()).then(|| value.clone())
}

/// The same of what reads: where it reads names in any case, they are not known.
pub(super) fn reader<'p>(evaluator: &mut Evaluator<'p>, settings: &Value<'p>) -> Serialiser {
    match settings {
        Value::Made(made)
            if made.args.positional.is_empty() && made.args.named("PropertyNameCaseInsensitive").is_none() =>
        {
            serialiser_of(evaluator, settings)
        }
        Value::None => Serialiser::Plain,
        _ => Serialiser::Unknown,
    }
}

/// What is known of a serialiser's call.
#[derive(Clone, Copy)]
pub(super) struct Json<'v, 'p> {
    pub(super) settings: &'v Value<'p>,
    /// The type that it was given is declared to be.
    pub(super) kind: &'v Value<'p>,
}

/// What a value was before it was serialised, and what did that, where it was seen.
pub(super) fn serialised<'v, 'p>(value: &'v Value<'p>) -> (&'v Value<'p>, Option<Json<'v, 'p>>) {
    // `new ServiceBusMessage { Body = … }`
    if let Value::Made(made) = value
        && matches!(last(&made.path), "ServiceBusMessage" | "EventData")
        && let Some(body) = made.args.named("Body")
    {
        return serialised(body);
    }
    if let Value::Made(made) = value
        && &*made.path == JSON
        && let [inner, settings, kind] = made.args.positional.as_slice()
    {
        return (inner, Some(Json { settings, kind }));
    }
    (value, None)
}
