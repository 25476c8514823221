//! Libraries that look alike, as tables: which method sends or receives, where its call says on which channel, and where
//! the payload is.

use super::{handlers_of, keep_handler, message, read_of, read_of_handler, sent};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::{Action, ShapeId};
use crate::text::Span;
use crate::wires::Use;
use crate::wires::payload::Form;

/// What one library does.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) languages: &'static [Language],
    /// What paths of its names begin with.
    pub(super) prefixes: &'static [&'static str],
    pub(super) rows: &'static [Row],
}

/// What one method does.
pub(super) struct Row {
    /// The last part of the path: `basic_publish`.
    pub(super) method: &'static str,
    /// What the rest of the path has in it: `Producer`. Empty: anything.
    pub(super) of: &'static str,
    pub(super) does: Does,
}

pub(super) enum Does {
    Send {
        channel: &'static [At],
        /// What the message itself is called.
        message: Option<At>,
        payload: At,
        form: Form,
    },
    Receive {
        channel: &'static [At],
        got: &'static [Got],
    },
    /// Calls a function with an object of the library's, at a position.
    Give {
        to: At,
        position: usize,
    },
    /// Is given the function that handles what the object is subscribed to.
    Handle {
        handler: &'static [At],
    },
    /// Does one thing where the first argument is one of these names, else another.
    When {
        names: &'static [&'static str],
        then: &'static Does,
        otherwise: &'static Does,
    },
    /// Nothing that concerns a wire.
    Nothing,
}

impl Does {
    /// What is done with these arguments.
    fn with(&'static self, args: &Args) -> &'static Does {
        match self {
            Does::When { names, then, otherwise } => {
                let is_one = args.positional.first().and_then(Value::as_str).is_some_and(|it| names.contains(&it));
                if is_one { then.with(args) } else { otherwise.with(args) }
            }
            does => does,
        }
    }
}

/// Where something is said.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// An argument, and the way into it. A position beyond all: by name alone.
    Arg(usize, &'static str, &'static [&'static str]),
    /// The same of the call that made the object, or of one before it in the chain: the last part of its path.
    Of(&'static str, usize, &'static str, &'static [&'static str]),
    /// All positional arguments.
    All,
    /// The keys of an argument that is a table.
    Keys(usize, &'static str),
}

/// A position for arguments that have names alone.
pub(super) const NAMED: usize = usize::MAX;

type Ways = &'static [&'static [&'static str]];

/// Where the payload of what is received is read: the first that is.
pub(super) enum Got {
    /// Of what the call gives, at the first of these ways into it that is read.
    Result(Ways),
    /// Of the object whose method it is.
    Object(Ways),
    /// Of what a function that the call is given takes, at a position.
    Handler(At, usize, Ways),
    /// The same of the function that another method of the object is given.
    Kept(usize, Ways),
}

/// Whether a path begins as the library's do. What a package exports by default goes by the package's own name.
pub(super) fn is_own(table: &'static Table, path: &str) -> bool {
    let is_default =
        |prefix: &str| path.strip_prefix(prefix.trim_end_matches('.')).is_some_and(|it| it.starts_with("()"));
    table.prefixes.iter().any(|prefix| path.starts_with(prefix) || is_default(prefix))
}

/// A library that a table says all of.
macro_rules! table_library {
    ($name:ident, $table:ident, packages: $packages:expr, words: $words:expr, methods: $methods:expr $(,)?) => {
        pub(in crate::wires) static $name: crate::wires::Wire = {
            use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
            static LIBRARY: Library = Library {
                name: $table.name,
                wire_packages: &$packages,
                wire_words: &$words,
                wire_methods: &$methods,
                chained: |path| super::table::is_own(&$table, path),
                call,
                ..Library::NONE
            };
            fn call<'p>(
                ev: &mut Evaluator<'p>,
                path: &str,
                args: &Args<'p>,
                site: crate::text::Span,
            ) -> Option<Value<'p>> {
                super::table::call(&$table, &LIBRARY, ev, path, args, site)
            }
            fn read<'p>(
                ev: &mut Evaluator<'p>,
                schemas: &mut crate::frameworks::Schemas<'p>,
                noted: &Noted<'p>,
            ) -> Vec<crate::wires::Use> {
                super::table::read(&$table, &LIBRARY, ev, schemas, noted)
            }
            crate::wires::Wire { name: LIBRARY.name, languages: $table.languages, library: &LIBRARY, read }
        };
    };
}
pub(super) use table_library;

/// The row of a path.
fn row_of(table: &'static Table, path: &str) -> Option<&'static Row> {
    let known = path.starts_with("?().") || is_own(table, path);
    let method = last(path);
    let fits =
        |row: &&Row| row.method == method && (row.of.is_empty() || path.starts_with('?') || path.contains(row.of));
    if known { table.rows.iter().find(fits) } else { None }
}

/// Notes what a call does; `None` where it is none of the table's.
pub(super) fn call<'p>(
    table: &'static Table,
    library: &'static Library,
    ev: &mut Evaluator<'p>,
    path: &str,
    args: &Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let row = row_of(table, path)?;
    let ways = match row.does.with(args) {
        Does::When { .. } | Does::Nothing => return Some(gives(path, args, site)),
        Does::Send { channel, .. } => channel,
        Does::Receive { channel, got } => {
            for got in *got {
                if let Got::Handler(at, ..) = got {
                    run_handler(ev, args, *at, site);
                }
            }
            channel
        }
        Does::Give { to, position } => {
            if let Some(function @ (Value::Function(_) | Value::Bound(..))) = value_at(ev, args, *to, site) {
                let mut given = vec![Value::None; *position];
                given.push(gives(path, args, site));
                ev.hand_to_library(&function, given, site);
            }
            return Some(gives(path, args, site));
        }
        Does::Handle { handler } => {
            for at in *handler {
                let found = value_at(ev, args, *at, site);
                if matches!(found, Some(Value::Function(_) | Value::Bound(..))) {
                    keep_handler(ev, library, args, found?);
                    run_handler(ev, args, *at, site);
                    break;
                }
            }
            return Some(gives(path, args, site));
        }
    };
    for channel in channels(ev, args, ways, site) {
        ev.note(library, row.method, channel, args.clone(), site);
    }
    Some(gives(path, args, site))
}

/// A handler runs, as whatever it is handed to would run it.
fn run_handler<'p>(ev: &mut Evaluator<'p>, args: &Args<'p>, at: At, site: Span) {
    if let Some(handler @ (Value::Function(_) | Value::Bound(..))) = value_at(ev, args, at, site) {
        ev.hand_to_library(&handler, Vec::new(), site);
    }
}

/// What the call gives: something that is read of, as it is made of its arguments.
fn gives<'p>(path: &str, args: &Args<'p>, site: Span) -> Value<'p> {
    let receiver = args.receiver.as_deref().cloned();
    Value::Made(std::rc::Rc::new(Made { path: path.into(), receiver, args: args.clone(), site }))
}

/// Channels of one call; that there are more is told.
const MAX_CHANNELS: usize = 200;

/// The channels that a call names: by the first place where anything is given; each of several.
fn channels<'p>(ev: &mut Evaluator<'p>, args: &Args<'p>, ways: &[At], site: Span) -> Vec<Value<'p>> {
    for at in ways {
        let Some(value) = value_at(ev, args, *at, site) else { continue };
        match value {
            // `on(router)`, `subscribe((event) => …)`: something else of that name.
            Value::Node(_) | Value::Function(_) | Value::Bound(..) => return Vec::new(),
            Value::None => {}
            Value::Str(text) if text.is_empty() => {}
            value @ Value::Unknown(..) => return vec![value],
            value => match value.elements() {
                Some(all) => {
                    let is_name = |value: &Value| !matches!(value, Value::Function(_) | Value::Bound(..));
                    let mut all: Vec<Value<'p>> = all.into_iter().filter(is_name).collect();
                    if all.len() > MAX_CHANNELS {
                        ev.cut("channels that one call names, beyond the 200th", Some(site));
                        all.truncate(MAX_CHANNELS);
                    }
                    if !all.is_empty() {
                        return all;
                    }
                }
                None => return vec![named(value)],
            },
        }
    }
    vec![Value::Unknown("no channel is given", Some(site))]
}

/// An object of a library that stands for a channel is made of its name.
fn named(value: Value<'_>) -> Value<'_> {
    match &value {
        Value::Made(made) => match made.args.get(0, "name").or_else(|| made.args.named("queue")) {
            Some(name @ Value::Str(_)) => name.clone(),
            _ => value,
        },
        _ => value,
    }
}

fn value_at<'p>(ev: &mut Evaluator<'p>, args: &Args<'p>, at: At, site: Span) -> Option<Value<'p>> {
    let (value, steps) = match at {
        At::All => return Some(Value::list(args.positional.clone())),
        At::Keys(position, name) => {
            let Value::Dict(table) = args.get(position, name)? else { return None };
            return Some(Value::list(table.borrow().entries.iter().map(|(key, _)| key.clone()).collect()));
        }
        At::Arg(position, name, steps) => (args.get(position, name)?.clone(), steps),
        At::Of(method, position, name, steps) => {
            let mut next = args.receiver.as_deref().cloned();
            let made = loop {
                let Some(Value::Made(made)) = next else { return None };
                if last(made.path.trim_end_matches("()")) == method {
                    break made;
                }
                next = made.receiver.clone().or_else(|| made.args.receiver.as_deref().cloned());
            };
            (made.args.get(position, name)?.clone(), steps)
        }
    };
    let mut value = value;
    for step in steps {
        value = match *step {
            "[]" => value.elements()?.first()?.clone(),
            name => match &value {
                Value::Dict(dict) => dict.borrow().get_str(name).cloned()?,
                Value::Made(made) => made.args.named(name).cloned()?,
                other => ev.member(other, name, Some(site)),
            },
        };
    }
    Some(value)
}

/// What a note of the table's means.
pub(super) fn read<'p>(
    table: &'static Table,
    library: &'static Library,
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
) -> Vec<Use> {
    let of = match noted.args.receiver.as_deref() {
        Some(Value::Made(made)) => &*made.path,
        _ => "",
    };
    let named = |row: &&Row| row.method == noted.what;
    let row = table.rows.iter().find(|row| named(row) && of.contains(row.of));
    let Some(row) = row.or_else(|| table.rows.iter().find(named)) else { return Vec::new() };
    let does = row.does.with(&noted.args);
    let action = if matches!(does, Does::Send { .. }) { Action::Send } else { Action::Receive };
    let payload = payload(does, library, ev, schemas, noted);
    let mut found = message(table.name, noted, action, payload);
    if let (Does::Send { message: Some(at), .. }, Use::Message(sent)) = (does, &mut found)
        && let Some(Value::Str(name)) = value_at(ev, &noted.args, *at, noted.site)
    {
        sent.message = Some(name.to_string());
    }
    vec![found]
}

fn payload<'p>(
    does: &Does,
    library: &'static Library,
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
) -> Option<ShapeId> {
    match does {
        Does::Send { payload: At::Arg(position, name, steps), form, .. } => {
            // `socket.emit("refresh", (answer) => …)`: who waits for the answer.
            let given = noted.args.get(*position, name);
            if matches!(given, Some(Value::Function(_) | Value::Bound(..))) {
                return None;
            }
            Some(sent(ev, schemas, noted, (*position, name), steps, *form))
        }
        Does::Send { .. } | Does::Give { .. } | Does::Handle { .. } | Does::When { .. } | Does::Nothing => None,
        Does::Receive { got, .. } => got.iter().find_map(|got| match got {
            Got::Result(ways) => read_of(ev, schemas, noted, false, ways),
            Got::Object(ways) => read_of(ev, schemas, noted, true, ways),
            Got::Handler(at, position, ways) => {
                let handler = value_at(ev, &noted.args, *at, noted.site)?;
                read_of_handler(ev, schemas, &handler, *position, ways)
            }
            Got::Kept(position, ways) => {
                let handlers = handlers_of(ev, library, noted);
                handlers.into_iter().find_map(|handler| read_of_handler(ev, schemas, &handler, *position, ways))
            }
        }),
    }
}
