//! Where wires are looked for: messages that code receives. What stands for one is followed: what it is read as says of which
//! class it is, and where it is given to a method that is only declared, each class that implements the method handles what
//! it takes there.

use std::rc::Rc;

use super::value::{Args, ClassRef, FunctionRef, Made, Value};
use super::{Evaluator, Library};
use crate::model::program::{ClassKind, Modifiers};
use crate::text::Span;

/// What stands for a message.
const MESSAGE: &str = "a received message";
/// Classes that handle what one call gives them; that there are more is told.
const MAX_HANDLERS: usize = 500;
/// Types that the messages of one receiver are read as; that there are more is told.
const MAX_READ: usize = 500;

/// What messages are read as.
#[derive(Clone)]
pub struct Read<'p> {
    pub kind: Value<'p>,
    /// What they are read with.
    pub how: Value<'p>,
    /// The function that ran by itself.
    start: Option<Span>,
}

impl<'p> Evaluator<'p> {
    /// What stands for a message that comes from `by`, an object of the library.
    pub fn received(&self, library: &'static Library, by: &Value<'p>, site: Span) -> Value<'p> {
        let args = Args { positional: vec![Value::str(library.name)], ..Args::default() };
        Value::Made(Rc::new(Made { path: Rc::from(MESSAGE), receiver: Some(by.clone()), args, site }))
    }

    /// A received message was read as an object of which only run time knows the class.
    pub fn read_at_run_time(&self, message: &Value<'p>, how: Value<'p>) -> Value<'p> {
        let Some(message) = as_received(message) else { return message.clone() };
        let mut read = message.clone();
        read.args.named = vec![(Rc::from("how"), how)];
        Value::Made(Rc::new(read))
    }

    /// A received message is read as an object of a type; `how` is what it is read with, in the library's own words.
    pub fn read_as(&mut self, message: &Value<'p>, kind: &Value<'p>, how: Value<'p>) {
        let by = as_received(message).and_then(|message| message.receiver.as_ref()).and_then(place_of);
        let Some(by) = by else { return };
        self.wires.idle.asked += 1;
        let start = self.wires.function.as_ref().map(|function| function.node.span);
        let read = self.wires.read.entry(by).or_default();
        let is_known = |known: &Read<'p>| known.kind.same(kind) && known.start == start;
        if read.iter().any(is_known) {
            return;
        }
        if read.len() < MAX_READ {
            read.push(Read { kind: kind.clone(), how, start });
        } else {
            self.cut("types that the messages of one receiver are read as, beyond the 500th", None);
        }
    }

    /// The types that messages from an object of a library are read as, in the order of the program that reads them: by
    /// what `function` leads to, if it leads to any; functions that hand their parameters on lead to one object.
    pub fn read_from(&self, by: &Value<'p>, function: Option<&FunctionRef<'p>>) -> Vec<Read<'p>> {
        let read = place_of(by).and_then(|place| self.wires.read.get(&place)).map(Vec::as_slice).unwrap_or_default();
        let start = function.map(|function| function.node.span);
        let own = read.iter().any(|read| read.start == start);
        let mut found: Vec<Read<'p>> = Vec::new();
        for read in read {
            if (!own || read.start == start) && !found.iter().any(|known| known.kind.same(&read.kind)) {
                found.push(read.clone());
            }
        }
        found
    }

    /// Keeps a class that a generic function was called with.
    pub(super) fn keep_given_type(&mut self, given: &Value<'p>) {
        if let (true, Value::Class(class)) = (self.wires.running, given) {
            self.wires.idle.asked += 1;
            let known = self.wires.given_types.entry(class.name().to_owned()).or_default();
            if !known.iter().any(|known| Rc::ptr_eq(known, class)) {
                known.push(class.clone());
            }
        }
    }

    /// The only class of a name that generic functions were called with, where wires were looked for: `Subscribe<T>()` says
    /// what comes through a channel that is named after `T`.
    pub fn given_type(&self, name: &str) -> Option<ClassRef<'p>> {
        match self.wires.given_types.get(name).map(Vec::as_slice) {
            Some([only]) => Some(only.clone()),
            _ => None,
        }
    }

    /// A method that `class` only declares is given a received message: the classes that implement it with a type of their
    /// own for it handle messages of that type. The library is noted with the word `handle`, the class of the message and
    /// the name of the one that handles it, and by the name `how` what the message was read with. Whether there are any.
    pub(super) fn note_handlers(&mut self, class: &ClassRef<'p>, name: &str, args: &Args<'p>) -> bool {
        let given = args.positional.iter().enumerate().find_map(|(at, value)| Some((at, as_received(value)?)));
        let Some((at, message)) = given else { return false };
        let named = message.args.positional.first().and_then(Value::as_str);
        let Some(library) = self.libraries.iter().copied().find(|library| Some(library.name) == named) else {
            return false;
        };
        let by = message.receiver.clone().map(Rc::new);
        let how = message.args.named.clone();
        let declared = self.overloads(class, name).first().and_then(|function| self.taken(function, at));
        let mut found = false;
        for below in self.implementers(class, MAX_HANDLERS, false) {
            let is_made = below.node.kind == ClassKind::Class && !below.node.modifiers.has(Modifiers::ABSTRACT);
            if !is_made || !below.node.type_parameters.is_empty() {
                continue;
            }
            for function in self.overloads(&below, name) {
                let Some(taken) = self.taken(&function, at) else { continue };
                let Value::Class(message) = &taken else { continue };
                if declared.as_ref().is_some_and(|declared| declared.same(&taken)) {
                    continue;
                }
                found = true;
                let positional = vec![taken.clone(), Value::str(below.name())];
                let args = Args { positional, named: how.clone(), receiver: by.clone(), ..Args::default() };
                let target = Value::str(message.name());
                let calls = std::mem::take(&mut self.wires.calls);
                self.note(library, "handle", target, args, below.name_span());
                self.wires.calls = calls;
            }
        }
        found
    }

    /// The declared type of a parameter, the receiver not counted.
    fn taken(&mut self, function: &FunctionRef<'p>, at: usize) -> Option<Value<'p>> {
        let node: &'p crate::model::program::Function = function.node;
        let parameter = node.parameters.iter().filter(|parameter| parameter.name != "this").nth(at)?;
        Some(self.type_expression(parameter.annotation.as_ref()?, &function.scope))
    }
}

/// The message that a value stands for, if any.
pub fn as_received<'v, 'p>(value: &'v Value<'p>) -> Option<&'v Made<'p>> {
    match value {
        Value::Made(made) if &*made.path == MESSAGE => Some(made),
        _ => None,
    }
}

/// What tells an object of a library from others: functions may run again.
fn place_of(by: &Value) -> Option<Span> {
    match by {
        Value::Made(made) => Some(made.site),
        Value::Instance(instance) => Some(instance.class.name_span()),
        _ => None,
    }
}
