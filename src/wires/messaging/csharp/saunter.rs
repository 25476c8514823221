//! Saunter: `[AsyncApi]` classes whose attributes say what goes through which channel. Its words are those of AsyncAPI 2,
//! which speaks of the application from outside: what may be published to a channel, the application receives.

use super::super::super::{Use, Wire};
use super::super::message;
use super::channel;
use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Action;
use crate::model::program::StmtKind;
use crate::text::Span;

pub(in crate::wires) static SAUNTER: Wire =
    Wire { name: "Saunter", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library { name: "Saunter", wire_packages: &["Saunter"], class_defined, ..Library::CSHARP };

/// What the attributes of a class or method say.
#[derive(Default)]
struct Said<'p> {
    scanned: bool,
    channel: Option<Value<'p>>,
    what: Option<&'static str>,
    /// Types of messages.
    messages: Vec<Value<'p>>,
}

impl<'p> Said<'p> {
    fn read(&mut self, attributes: &[Value<'p>]) {
        let made = attributes.iter().filter_map(|attribute| match attribute {
            Value::Made(made) => Some(made),
            _ => None,
        });
        for made in made {
            match last(&made.path).trim_end_matches("Attribute") {
                "AsyncApi" => self.scanned = true,
                "Channel" => self.channel = Some(channel(&made.args, 0, "name")),
                "PublishOperation" => self.operation("receive", made),
                "SubscribeOperation" => self.operation("send", made),
                "Message" => self.messages.extend(made.args.positional.first().cloned()),
                _ => {}
            }
        }
    }

    fn operation(&mut self, what: &'static str, made: &Made<'p>) {
        self.what = Some(what);
        let payload = made.args.positional.first().filter(|value| !matches!(value, Value::Str(_)));
        self.messages.extend(payload.cloned());
    }

    fn note(&self, evaluator: &mut Evaluator<'p>, name: &str, site: Span) {
        let (Some(channel), Some(what)) = (&self.channel, self.what) else { return };
        let positional = std::iter::once(Value::str(name)).chain(self.messages.iter().cloned()).collect();
        evaluator.note(&LIBRARY, what, channel.clone(), Args { positional, ..Args::default() }, site);
    }
}

fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    let scope = evaluator.body_scope(class);
    let mut whole = Said::default();
    for part in evaluator.class_attributes(class) {
        let attributes = evaluator.attributes(part, &scope);
        whole.read(&attributes);
    }
    if !whole.scanned {
        return;
    }
    for statement in evaluator.class_statements(class) {
        let StmtKind::Function(function) = &statement.kind else { continue };
        let mut said = Said::default();
        let attributes = evaluator.attributes(&function.decorators, &scope);
        said.read(&attributes);
        if said.channel.is_some() {
            said.note(evaluator, &function.name, function.name_span);
        } else {
            whole.messages.append(&mut said.messages);
        }
    }
    whole.note(evaluator, class.name(), class.name_span());
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let action = if noted.what == "receive" { Action::Receive } else { Action::Send };
    let [Value::Str(name), messages @ ..] = noted.args.positional.as_slice() else { return Vec::new() };
    let shapes = messages.iter().map(|ty| Some(schemas.csharp().shape_of(evaluator, ty, noted.site)));
    let mut shapes: Vec<_> = shapes.collect();
    if shapes.is_empty() {
        shapes.push(None);
    }
    let used = |shape| {
        let mut found = message("Saunter", noted, action, shape);
        if let Use::Message(found) = &mut found {
            found.function = name.to_string();
        }
        found
    };
    shapes.into_iter().map(used).collect()
}
