//! What tables do not say of AsyncAPI's objects: payloads in languages of their own, and messages with their examples.

use super::Version;
use super::format;
use super::objects::{MESSAGE_2, MESSAGE_3};
use super::traits::Layers;
use crate::contracts::form::{Form, Object, What};
use crate::contracts::reader::Place;
use crate::contracts::schema::instance;
use crate::contracts::tree::Value;

fn message_object(version: Version) -> &'static Object {
    if version.major == 2 { &MESSAGE_2 } else { &MESSAGE_3 }
}

/// A schema with its language, or of AsyncAPI's own.
pub(super) fn described_payload<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    described(form, place.clone(), None);
}

fn described<'d>(form: &mut Form<'_, 'd>, place: Place<'d>, stated: Option<&'d str>) {
    let described = format::described(form.reader, place, stated);
    if described.dialect.is_some() {
        form.schemas.push(described.schema);
    }
}

/// One message, or in version 2 `oneOf` several.
pub(super) fn messages<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let message = What::Object(message_object(form.edition));
    let Some(place) = form.reader.follow(place.clone()) else { return };
    match place.child("oneOf") {
        Some(list) => {
            form.expect(&list, matches!(list.node.value, Value::Array(_)), "a list");
            form.queue.extend(list.items().map(|item| (item, message)));
        }
        None => form.queue.push((place, message)),
    }
}

/// Schemas of a message are in the language that it states, and its examples are what they say.
pub(super) fn message<'d>(form: &mut Form<'_, 'd>, message: &Place<'d>) {
    let layers = Layers::of(form.reader, form.edition, message.clone());
    let stated = layers.find("schemaFormat").and_then(|format| format.node.text());
    let examples: Vec<_> = message.child("examples").map(|list| list.items().collect()).unwrap_or_default();
    for part in ["payload", "headers"] {
        let Some(schema) = message.child(part) else { continue };
        // Version 2 states the language of the payload alone, and headers are always in AsyncAPI's own.
        let of_part = stated.filter(|_| part == "payload" || form.edition.major > 2);
        if part == "payload" || form.edition.major > 2 {
            described(form, schema.clone(), of_part);
        }
        let described = format::described(form.reader, schema, stated.filter(|_| part == "payload"));
        if described.dialect.is_none() {
            continue;
        }
        for example in &examples {
            if let Some(value) = example.child(part) {
                instance::check(form.reader, &described.schema, &value, "example");
            }
        }
    }
}
