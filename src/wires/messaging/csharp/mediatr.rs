//! MediatR: `IPublisher.Publish` of a notification, `INotificationHandler<T>`. Requests have one handler in the same process: they are calls.

use super::super::super::{Use, Wire};
use super::typed::{self, Bus};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::text::Span;

pub(in crate::wires) static MEDIATR: Wire = Wire { name: "MediatR", library: &LIBRARY, read };

static BUS: Bus = Bus {
    name: "MediatR",
    senders: &["IPublisher", "IMediator", "Mediator"],
    sends: &["Publish"],
    handlers: &["INotificationHandler", "NotificationHandler"],
    serialiser: Serialiser::Plain,
};

static LIBRARY: Library = Library {
    name: "MediatR",
    wire_packages: &["MediatR"],
    wire_words: BUS.sends,
    call,
    class_defined: |ev, class, _| typed::class_defined(&BUS, &LIBRARY, ev, class),
    ..Library::NONE
};

fn call<'p>(ev: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    typed::call(&BUS, &LIBRARY, ev, path, args, site)
}

fn read<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    typed::read(&BUS, ev, schemas, noted)
}
