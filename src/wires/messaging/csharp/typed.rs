//! Buses that know messages by their types: what is published is an object, and a class that implements the interface of a
//! handler says what it receives. The channel is the bus's own affair; the message goes by the name of its class.

use std::rc::Rc;

use super::super::super::{Use, function_of, payload, place_of};
use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Noted, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::{Typer, supertypes};
use crate::model::program::{ClassKind, Modifiers, StmtKind};
use crate::model::{Action, MessageUse};
use crate::text::Span;

/// What a typed bus is known by.
pub(super) struct Bus {
    pub(super) name: &'static str,
    /// Types that messages are handed to.
    pub(super) senders: &'static [&'static str],
    /// Methods of those that take a message first.
    pub(super) sends: &'static [&'static str],
    /// Whether methods of what calling this name made lead to a sender: `Configure.With(…).Transport(…)`.
    pub(super) chains: fn(path: &str) -> bool,
    /// Whether such a method, or a call of the library, gives a sender.
    pub(super) makes: fn(path: &str) -> bool,
    /// Members of what the library made that are senders: `("BuiltinHandlerActivator", "Bus")`.
    pub(super) members: &'static [(&'static str, &'static str)],
    /// Interfaces and classes whose first type argument is the message that is received.
    pub(super) handlers: &'static [&'static str],
    /// Classes of state machines, and the types of their properties whose last type argument is a message that they receive.
    pub(super) machines: &'static [&'static str],
    pub(super) events: &'static [&'static str],
    /// What writes its messages.
    pub(super) serialiser: Serialiser,
}

/// A library that a [`Bus`] says all of.
macro_rules! bus_library {
    ($name:ident, $bus:ident, package: $package:expr $(,)?) => {
        pub(in crate::wires) static $name: crate::wires::Wire = {
            use crate::evaluate::Library;
            static LIBRARY: Library = Library {
                name: $bus.name,
                wire_packages: &[$package],
                wire_words: $bus.sends,
                chained: |path| ($bus.chains)(path),
                member: |_, value, name| super::typed::member(&$bus, value, name),
                call: |ev, path, args, site| super::typed::call(&$bus, &LIBRARY, ev, path, args, site),
                class_defined: |ev, class, _| super::typed::class_defined(&$bus, &LIBRARY, ev, class),
                ..Library::CSHARP
            };
            crate::wires::Wire {
                name: LIBRARY.name,
                languages: &[crate::languages::Language::CSharp],
                library: &LIBRARY,
                read: |ev, schemas, noted| super::typed::read(&$bus, ev, schemas, noted),
            }
        };
    };
}
pub(super) use bus_library;

/// A call of a sender's method is noted.
pub(super) fn call<'p>(
    bus: &Bus,
    library: &'static Library,
    evaluator: &mut Evaluator<'p>,
    path: &str,
    args: &Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    if (bus.makes)(path) {
        return Some(sender(bus, site));
    }
    let (of, method) = super::method(path)?;
    if !bus.senders.contains(&of) || !bus.sends.contains(&method) {
        return None;
    }
    let message = message_of(evaluator, args, site);
    evaluator.note(library, "send", message, args.clone(), site);
    Some(Value::Unknown("what a bus answers", Some(site)))
}

/// What stands for what messages are handed to.
fn sender<'p>(bus: &Bus, site: Span) -> Value<'p> {
    Value::Made(Rc::new(Made { path: Rc::from(bus.senders[0]), receiver: None, args: Args::default(), site }))
}

/// A member of what the library made that is a sender.
pub(super) fn member<'p>(bus: &Bus, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    let is_sender = bus.members.iter().any(|(of, member)| *of == last(&made.path) && *member == name);
    is_sender.then(|| sender(bus, made.site))
}

/// A class that implements the interface of a handler is noted, with each message that it takes.
pub(super) fn class_defined<'p>(bus: &Bus, library: &'static Library, ev: &mut Evaluator<'p>, class: &ClassRef<'p>) {
    let is_made = class.node.kind == ClassKind::Class && !class.node.modifiers.has(Modifiers::ABSTRACT);
    if !is_made || (class.node.bases.is_empty() && class.node.keywords.is_empty()) {
        return;
    }
    for above in supertypes(ev, &Value::Class(class.clone())) {
        let Value::Applied(base, args) = &above else { continue };
        let Some(name) = base.as_external().map(last) else { continue };
        if !bus.handlers.contains(&name) {
            continue;
        }
        if let Some(message) = args.first()
            && let Some(taken) = name_of(message)
        {
            let given = Args { positional: vec![message.clone(), Value::str(class.name())], ..Args::default() };
            ev.note(library, "receive", Value::str(taken), given, class.name_span());
        }
    }
    if bus.machines.is_empty() {
        return;
    }
    let is_machine = ev.external_bases(class).iter().any(|base| bus.machines.contains(&last(base)));
    if is_machine {
        events_of(bus, library, ev, class);
    }
}

/// The messages that a state machine declares: `public Event<OrderPlaced> Placed { get; }`.
fn events_of<'p>(bus: &Bus, library: &'static Library, ev: &mut Evaluator<'p>, class: &ClassRef<'p>) {
    let scope = ev.body_scope(class);
    for statement in ev.class_statements(class) {
        let StmtKind::Property(property) = &statement.kind else { continue };
        let Some(annotation) = &property.annotation else { continue };
        let Value::Applied(base, given) = ev.type_expression(annotation, &scope) else { continue };
        if !base.as_external().is_some_and(|base| bus.events.contains(&last(base))) {
            continue;
        }
        // Of `Schedule<State, Message>`, the second.
        if let Some(message) = given.last()
            && let Some(taken) = name_of(message)
        {
            let given = Args { positional: vec![message.clone(), Value::str(class.name())], ..Args::default() };
            ev.note(library, "receive", Value::str(taken), given, annotation.span);
        }
    }
}

/// The name of the class of a message, of the program or of a library; plain data has none.
fn name_of(message: &Value) -> Option<String> {
    match message {
        Value::Class(class) => Some(class.name().to_owned()),
        Value::External(path) => Some(last(path).to_owned()).filter(|name| name.starts_with(char::is_uppercase)),
        _ => None,
    }
}

/// What was noted as a use of the bus.
pub(super) fn read<'p>(bus: &Bus, ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let receives = noted.what == "receive";
    let at = if receives { 0 } else { position(ev, &noted.args) };
    let shape = match (receives, noted.args.positional.get(at)) {
        (true, Some(message)) => Some(schemas.csharp().shape_by(bus.serialiser, ev, message, noted.site)),
        (false, Some(value)) => {
            let written = payload::written(&noted.args, at, "message");
            let mut ty = payload::type_of(ev, value, written, noted.site);
            // `Send<OrderPlaced>(message => …)` fills it in.
            let is_told = ty.is_unknown() || matches!(value, Value::Function(_) | Value::Bound(..));
            if let (true, Some((types, scope))) = (is_told, &noted.args.types)
                && let [only] = *types
            {
                ty = ev.type_expression(only, scope);
            }
            Some(schemas.csharp().shape_by(bus.serialiser, ev, &ty, noted.site))
        }
        _ => None,
    };
    let (message, why) = match &noted.target {
        Value::Str(name) => (Some(name.to_string()), "the bus names its channels after the messages".to_owned()),
        Value::Unknown(why, _) => (None, (*why).to_owned()),
        other => (None, other.describe()),
    };
    let function = match noted.args.positional.get(1) {
        Some(Value::Str(class)) if receives => class.to_string(),
        _ => function_of(noted),
    };
    vec![Use::Message(MessageUse {
        library: bus.name,
        action: if receives { Action::Receive } else { Action::Send },
        channel: Err(Reason::new(why, Some(noted.site))),
        setting: None,
        message,
        payload: shape,
        span: place_of(noted),
        function,
    })]
}

/// The name of the message that is handed over first: by its type argument, its value, or its static type. Where only a
/// class is known that others extend, it is the caller's to say.
pub(super) fn message_of<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Value<'p> {
    let unknown = Value::Unknown("the message is not known", Some(site));
    let at = position(evaluator, args);
    let Some(value) = args.positional.get(at) else { return unknown };
    if let Value::Instance(instance) = value {
        if evaluator.may_be_of_subclass(value) {
            return Value::Unknown("the message is one of several classes", Some(site));
        }
        return Value::str(instance.class.name());
    }
    if let Some((types, scope)) = &args.types
        && let [only] = *types
        && let Value::Class(class) = evaluator.type_expression(only, scope)
    {
        return Value::str(class.name());
    }
    let Some((expr, scope)) = payload::written(args, at, "message") else { return unknown };
    let mut typer = Typer::new(evaluator);
    let place = typer.place_in(&scope);
    match typer.type_of(expr, &place) {
        // Of a library's class: what was made is of the type that it was declared to be.
        Value::External(path) if matches!(value, Value::Made(made) if is_object(made) && last(&made.path) == last(&path)) => {
            Value::str(last(&path))
        }
        Value::Class(class) => {
            let standing = evaluator.standing(&class);
            if evaluator.may_be_of_subclass(&standing) {
                return Value::Unknown("the message is one of several classes", Some(site));
            }
            Value::str(class.name())
        }
        _ => unknown,
    }
}

/// Which argument is the message: the second of `Send("queue", message)`.
fn position<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>) -> usize {
    if args.positional.len() < 2 {
        return 0;
    }
    let is_text = match &args.positional[0] {
        Value::Str(_) | Value::Pattern(_) => true,
        Value::Unknown(..) => payload::written(args, 0, "destination").is_some_and(|(expr, scope)| {
            let mut typer = Typer::new(evaluator);
            let place = typer.place_in(&scope);
            matches!(typer.type_of(expr, &place), Value::External(path) if matches!(&*path, "string" | "String"))
        }),
        _ => false,
    };
    usize::from(is_text)
}

/// Whether what a library's name made is an object of that name.
fn is_object(made: &Made) -> bool {
    !made.path.contains('(') && last(&made.path).starts_with(char::is_uppercase)
}
