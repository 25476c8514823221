//! Messages of a document about events, or values of a schema: what may be sent, and what may not.

use serde_json::Value;

use super::NEXT;
use super::requests::wrong_value;
use crate::registry::contract::SpecKind;
use crate::registry::samples::{Sampler, required};
use crate::registry::{RegistryError, answer, scanned};

/// One kind of message with its schema.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) name: String,
    /// Stands by itself.
    pub(super) schema: Value,
    pub(super) samples: Vec<Sample>,
    pub(super) ruled_out: Vec<Sample>,
}

#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) value: Value,
}

/// # Errors
/// A document without messages, or with a schema that cannot be read.
pub(super) fn messages(kind: SpecKind, spec: &Value) -> Result<Vec<Message>, RegistryError> {
    let mut found: Vec<Message> = Vec::new();
    if kind == SpecKind::JsonSchema {
        let name = spec.get("title").and_then(Value::as_str).unwrap_or("value").to_owned();
        found.push(message(name, spec, spec, spec.clone())?);
        return Ok(found);
    }
    let events = scanned::declared(kind, spec).events.unwrap_or_default();
    for message_of in events.channels.iter().flat_map(|channel| &channel.messages) {
        let name = [&message_of.name, &message_of.id, &message_of.title].into_iter().flatten().next();
        let name = name.cloned().unwrap_or_else(|| message_of.pointer.clone());
        if found.iter().any(|known| known.name == name) {
            continue;
        }
        let Some((pointer, raw)) = payload(spec, &message_of.pointer) else { continue };
        let schema =
            answer::schema_at(spec, &pointer).map_err(|error| RegistryError::invalid(error.to_string(), NEXT))?;
        found.push(message(name, spec, raw, schema)?);
    }
    if found.is_empty() {
        return Err(RegistryError::invalid("the contract has no messages with a schema of their payload", NEXT));
    }
    Ok(found)
}

/// The schema of a message's payload, where it is one of JSON Schema.
fn payload<'d>(spec: &'d Value, message: &str) -> Option<(String, &'d Value)> {
    let sampler = Sampler::of_requests(spec);
    let mut pointer = message.to_owned();
    for _ in 0..8 {
        let Some(text) = spec.pointer(&pointer)?.get("$ref").and_then(Value::as_str) else { break };
        pointer = crate::contracts::percent_decode(text.strip_prefix('#')?);
    }
    pointer.push_str("/payload");
    let raw = spec.pointer(&pointer)?;
    let format = spec.pointer(message)?.get("schemaFormat").or(raw.get("schemaFormat")).and_then(Value::as_str);
    let is_read =
        |format: &str| ["aai.asyncapi", "schema+json", "schema+yaml", "openapi"].iter().any(|it| format.contains(it));
    if !format.is_none_or(is_read) {
        return None;
    }
    if raw.get("schemaFormat").is_some() {
        pointer.push_str("/schema");
    }
    let raw = spec.pointer(&pointer)?;
    Some((pointer, sampler.follow(raw)))
}

fn message(name: String, document: &Value, raw: &Value, schema: Value) -> Result<Message, RegistryError> {
    let validator = jsonschema::options().offline().build(&schema);
    let validator =
        validator.map_err(|error| RegistryError::invalid(format!("the schema of `{name}`: {error}"), NEXT))?;
    let sampler = Sampler::of_requests(document);
    let (mut samples, mut ruled_out) = (Vec::new(), Vec::new());
    if let Some(sample) = sampler.sample(raw).filter(|sample| validator.is_valid(&sample.value)) {
        let mut add = |what: String, value: Value| {
            if !validator.is_valid(&value) {
                ruled_out.push(Sample { name: format!("{name}: {what}"), value });
            }
        };
        if let Some((value, why)) = wrong_value(raw) {
            add(format!("it {why}"), value);
        }
        if let Some(members) = sample.value.as_object() {
            for member in required(raw) {
                let mut without = members.clone();
                without.shift_remove(member);
                add(format!("{member} is missing"), without.into());
            }
            for (member, schema) in raw.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if let Some((value, why)) = wrong_value(sampler.follow(schema)) {
                    let mut other = members.clone();
                    other.insert(member.clone(), value);
                    add(format!("{member} {why}"), other.into());
                }
            }
        }
        samples.push(Sample { name: name.clone(), value: sample.value });
    }
    Ok(Message { name, schema, samples, ruled_out })
}

/// The module of Ajv that knows the dialect of a document.
pub(super) fn ajv(kind: SpecKind, spec: &Value) -> &'static str {
    let stated = spec.get("$schema").and_then(Value::as_str).unwrap_or("");
    match stated {
        _ if kind != SpecKind::JsonSchema => "ajv/dist/2020",
        _ if stated.contains("draft-07") || stated.contains("draft-06") => "ajv",
        _ if stated.contains("draft-04") => "ajv-draft-04",
        _ if stated.contains("2019-09") => "ajv/dist/2019",
        _ => "ajv/dist/2020",
    }
}
