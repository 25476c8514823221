//! Holds every object of a document to the tables in [`super::objects`]: fields that are there, required, of the right
//! kind and known to the version that the document states.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Version;
use super::format::{self, Described};
use super::objects::{MESSAGE_2, MESSAGE_3, Object, What};
use super::traits::Layers;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::schema::form as schema_form;
use crate::contracts::schema::instance;
use crate::contracts::tree::Value;
use crate::contracts::{Issue, IssueKind};

/// Checks the document below `root`, wherever its references lead.
pub(super) fn check<'d>(reader: &mut Reader<'d>, version: Version, object: &'static Object, root: Place<'d>) {
    let mut form = Form { reader, version, seen: FxHashSet::default(), queue: Vec::new(), schemas: Vec::new() };
    form.queue.push((root, What::Object(object)));
    while let Some((place, what)) = form.queue.pop() {
        form.visit(place, what);
    }
    let schemas = std::mem::take(&mut form.schemas);
    schema_form::check(reader, schemas);
}

struct Form<'r, 'd> {
    reader: &'r mut Reader<'d>,
    version: Version,
    /// Objects that were checked, by document, pointer and kind: several references may lead to one.
    seen: FxHashSet<(usize, String, &'static str)>,
    queue: Vec<(Place<'d>, What)>,
    schemas: Vec<Place<'d>>,
}

impl<'d> Form<'_, 'd> {
    fn visit(&mut self, place: Place<'d>, what: What) {
        match what {
            What::Anything => {}
            What::Text => self.expect(&place, matches!(place.node.value, Value::String(_) | Value::Number(_)), "text"),
            What::TextOrNull => {
                let fits = matches!(place.node.value, Value::String(_) | Value::Number(_) | Value::Null);
                self.expect(&place, fits, "text or null");
            }
            What::Members => self.expect(&place, place.node.is_object(), "an object"),
            What::Word(words) => match place.node.text() {
                Some(word) if words.contains(&word) => {}
                found => {
                    let found = found.unwrap_or(place.node.type_name());
                    let message = format!("`{}` must not be `{found}`", last(&place));
                    let help = format!("it may be {}", words.join(", "));
                    self.issue(&place, message, Some(&help));
                }
            },
            What::Object(object) => self.object(place, object),
            What::Map(of) => {
                self.expect(&place, place.node.is_object(), "an object");
                let members: Vec<_> = place.members().filter(|(key, _)| !key.text.starts_with("x-")).collect();
                self.queue.extend(members.into_iter().map(|(_, member)| (member, *of)));
            }
            What::List(of) => {
                self.expect(&place, matches!(place.node.value, Value::Array(_)), "a list");
                if let What::Object(object) = of
                    && object.name == "a tag"
                {
                    self.tags(&place);
                }
                self.queue.extend(place.items().map(|item| (item, *of)));
            }
            What::Schema => self.schemas.push(place),
            What::Payload => {
                let described = format::described(self.reader, place, None);
                self.described(described);
            }
            What::Messages => {
                let message = What::Object(self.message_object());
                let Some(place) = self.reader.follow(place) else { return };
                match place.child("oneOf") {
                    Some(list) => {
                        self.expect(&list, matches!(list.node.value, Value::Array(_)), "a list");
                        self.queue.extend(list.items().map(|item| (item, message)));
                    }
                    None => self.object(place, self.message_object()),
                }
            }
        }
    }

    fn message_object(&self) -> &'static Object {
        if self.version.major == 2 { &MESSAGE_2 } else { &MESSAGE_3 }
    }

    fn object(&mut self, place: Place<'d>, object: &'static Object) {
        if !self.seen.insert((place.source, place.pointer.clone(), object.name)) {
            return;
        }
        if !place.node.is_object() {
            let message = format!("{} must be an object, found {}", object.name, place.node.type_name());
            let fields: Vec<&str> = object.fields.iter().map(|field| field.name).collect();
            let help =
                format!("its fields are {}{}", fields.join(", "), if object.refers { ", or `$ref` alone" } else { "" });
            self.issue(&place, message, Some(&help));
            return;
        }
        if let Some((key, reference)) = place.node.entry("$ref")
            && reference.text().is_some()
        {
            if !object.refers {
                let message = format!("a `$ref` is not allowed in place of {}", object.name);
                let pointer = format!("{}/$ref", place.pointer);
                self.reader.issue(
                    IssueKind::InvalidValue,
                    key.span,
                    &pointer,
                    message,
                    Some("write it out at this place"),
                );
            } else if let Some(target) = self.reader.follow(place) {
                self.queue.push((target, What::Object(object)));
            }
            return;
        }
        let is_message = std::ptr::eq(object, self.message_object());
        let stated = if is_message {
            let layers = Layers::of(self.reader, self.version, place.clone());
            layers.find("schemaFormat").and_then(|format| format.node.text())
        } else {
            None
        };
        for field in object.fields {
            let Some(member) = place.child(field.name) else {
                if field.required && !place.node.cut {
                    let message = format!("{} must have `{}`", object.name, field.name);
                    let help = format!("add `{}`, which AsyncAPI {} requires here", field.name, self.version.major);
                    self.reader.issue(IssueKind::MissingField, place.span, &place.pointer, message, Some(&help));
                }
                continue;
            };
            if self.version.major == 2 && field.since > self.version.minor {
                let message =
                    format!("`{}` is a field of {} from AsyncAPI 2.{} on", field.name, object.name, field.since);
                let help = format!("state `asyncapi: 2.{}.0`, or leave it out", field.since);
                self.issue(&member, message, Some(&help));
            }
            if matches!(field.what, What::Payload) && stated.is_some() {
                let described = format::described(self.reader, member, stated);
                self.described(described);
            } else {
                self.queue.push((member, field.what));
            }
        }
        for (key, member) in place.members() {
            if !key.text.starts_with("x-") && !object.fields.iter().any(|field| field.name == key.text) {
                let message = format!("`{}` is no field of {}", key.text, object.name);
                let help = "remove it, or give its name the prefix `x-` if it is an extension";
                self.issue(&member, message, Some(help));
            }
        }
        if is_message {
            self.examples(&place, stated);
        }
    }

    fn described(&mut self, described: Described<'d>) {
        if described.dialect.is_some() {
            self.schemas.push(described.schema);
        }
    }

    /// Examples of a message are what its schemas say.
    fn examples(&mut self, message: &Place<'d>, stated: Option<&'d str>) {
        let examples: Vec<_> = message.child("examples").map(|list| list.items().collect()).unwrap_or_default();
        for part in ["payload", "headers"] {
            let Some(schema) = message.child(part) else { continue };
            // Version 2 states the language of the payload alone.
            let described = format::described(self.reader, schema, stated.filter(|_| part == "payload"));
            if described.dialect.is_none() {
                continue;
            }
            for example in &examples {
                if let Some(value) = example.child(part) {
                    instance::check(self.reader, &described.schema, &value, "example");
                }
            }
        }
    }

    /// The names of tags are unique in their list.
    fn tags(&mut self, list: &Place<'d>) {
        let mut names: FxHashMap<&str, Place<'d>> = FxHashMap::default();
        for tag in list.items() {
            let Some(name) = tag.child("name") else { continue };
            let Some(text) = name.node.text() else { continue };
            if let Some(first) = names.get(text) {
                self.reader.issues.push(Issue {
                    kind: IssueKind::InvalidValue,
                    span: name.node.span,
                    pointer: name.pointer,
                    message: format!("tag `{text}` stands twice in one list"),
                    help: Some("remove one".to_owned()),
                    related: Some((first.node.span, "the first is here".to_owned())),
                });
            } else {
                names.insert(text, name);
            }
        }
    }

    fn expect(&mut self, place: &Place<'d>, fits: bool, what: &str) {
        if !fits {
            let message = format!("`{}` must be {what}, found {}", last(place), place.node.type_name());
            let help = format!("write {what} here, or leave `{}` out", last(place));
            self.issue(place, message, Some(&help));
        }
    }

    fn issue(&mut self, place: &Place<'d>, message: String, help: Option<&str>) {
        self.reader.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, help);
    }
}

/// The last part of a place's pointer, for messages.
fn last(place: &Place<'_>) -> String {
    let last = place.pointer.rsplit('/').next().unwrap_or("");
    last.replace("~1", "/").replace("~0", "~")
}
