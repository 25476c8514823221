//! Messages that a service sends and receives, and the operations that send them.

use serde_json::Value;

use super::crud::{Action, Fill, With};
use super::model::Service;
use super::names::{self, Scope};
use super::samples::Samples;
use super::types::{Lowering, Side, Type, Types};
use crate::contracts::Declarations;
use crate::model as core;

/// A message on a channel.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Words that name it: `order placed`.
    pub(super) name: String,
    /// Of the channel; with `{name}` parameters.
    pub(super) address: String,
    pub(super) parameters: Vec<String>,
    pub(super) payload: Type,
    pub(super) sample: Option<Value>,
    /// The operation that sends it, by index, with what is said beside the members that the kept thing has.
    pub(super) trigger: Option<Trigger>,
}

#[derive(Clone, Debug)]
pub(super) struct Trigger {
    pub(super) operation: usize,
    /// Members that are those of the kept thing: of the message, of the thing.
    pub(super) copied: Vec<(String, String)>,
    pub(super) fills: Vec<Fill>,
}

/// Messages of one document that pass one way.
pub(super) fn read(
    id: &str,
    document: &Value,
    declarations: &Declarations,
    action: core::Action,
    at: usize,
    types: &mut Types,
    scope: &mut Scope,
) -> Vec<Message> {
    let Some(events) = &declarations.events else {
        types.note(format!("`{id}` says nothing of messages"));
        return Vec::new();
    };
    let mut lowering = Lowering::new(types, declarations, at);
    let mut found: Vec<Message> = Vec::new();
    let mut passed: Vec<(usize, usize)> = Vec::new();
    for exchange in events.operations.iter().filter(|it| it.action == action) {
        let Some(channel) = events.channels.get(exchange.channel) else { continue };
        if exchange.reply.is_some() {
            lowering.types.note(format!("the replies of `{}` in `{id}` are left out", channel.name));
        }
        for message in &exchange.messages {
            let Some(said) = channel.messages.get(*message).filter(|_| !passed.contains(&(exchange.channel, *message)))
            else {
                continue;
            };
            passed.push((exchange.channel, *message));
            let name = [&said.name, &said.id, &said.title].into_iter().flatten().next().unwrap_or(&channel.name);
            let name = names::words(name).join(" ");
            let Some(address) = channel.address.clone() else {
                lowering
                    .types
                    .note(format!("the channel `{}` of `{id}` has no address, and is left out", channel.name));
                continue;
            };
            if said.headers.is_some() {
                lowering.types.note(format!("the headers of `{name}` in `{id}` are not written"));
            }
            let (payload, sample) = match said.payload {
                Some(shape) => {
                    let ty = lowering.of(shape, Side::Given, &format!("{name} payload"));
                    (ty, Samples { document }.given(&declarations.shapes.get(shape).pointer))
                }
                None => (Type::Any, None),
            };
            let parameters =
                address.split('{').skip(1).filter_map(|it| it.split('}').next()).map(str::to_owned).collect();
            found.push(Message { name: scope.name(&name), address, parameters, payload, sample, trigger: None });
        }
    }
    if found.is_empty() {
        let way = if action == core::Action::Send { "sent" } else { "received" };
        types.note(format!("`{id}` has no message that is {way}"));
    }
    found
}

const CREATED: &[&str] = &["created", "placed", "added", "registered", "submitted", "opened", "posted"];
const CHANGED: &[&str] = &["updated", "changed", "modified", "edited"];
const DELETED: &[&str] = &["deleted", "removed"];

/// Lets operations send what is about them: `order placed` is told by what creates orders. Nothing is made up: a message
/// of which a required member is not known is left to be sent by hand.
pub(super) fn trigger(service: &mut Service) {
    for at in 0..service.sent.len() {
        service.sent[at].trigger = found(service, &service.sent[at]);
    }
}

fn found(service: &Service, message: &Message) -> Option<Trigger> {
    let words = names::words(&message.name);
    let Type::Model(payload) = message.payload else { return None };
    if !message.parameters.is_empty() {
        return None;
    }
    let says = |verbs: &[&str]| words.iter().any(|word| verbs.contains(&word.as_str()));
    let (operation, resource) = service.operations.iter().enumerate().find_map(|(at, operation)| {
        let resource = &service.resources[operation.action.resource()?];
        let fits = match operation.action {
            Action::Create { .. } => says(CREATED),
            Action::Replace { .. } | Action::Change { .. } => says(CHANGED),
            Action::Delete { .. } => says(DELETED),
            _ => false,
        };
        let is_about = names::words(&resource.one).iter().all(|word| words.contains(word));
        (fits && is_about).then_some((at, resource))
    })?;
    let kept = &service.types.models[resource.model];
    let own_id = names::snake(&format!("{} id", resource.one));
    let (mut copied, mut fills) = (Vec::new(), Vec::new());
    for field in service.types.models[payload].fields() {
        let same = kept.field(&field.name).filter(|it| it.ty == field.ty && (it.required || !field.required));
        let is_id = names::snake(&field.name) == own_id && field.ty == resource.key_type;
        let fill = |with: With| Fill { field: field.name.clone(), with };
        match (&same, &field.ty) {
            _ if is_id => copied.push((field.name.clone(), resource.key.clone())),
            (Some(same), _) => copied.push((field.name.clone(), same.name.clone())),
            (None, Type::Text(text)) if text.format.as_deref() == Some("date-time") => fills.push(fill(With::Now)),
            (None, Type::Text(text))
                if text.format.as_deref() == Some("uuid")
                    && names::words(&field.name).contains(&"event".to_owned()) =>
            {
                fills.push(fill(With::NewUuid));
            }
            (None, Type::Values(values)) if values.len() == 1 => {
                fills.push(fill(With::Value(super::crud::value_of(&values[0])?)));
            }
            _ if field.required => return None,
            _ => {}
        }
    }
    Some(Trigger { operation, copied, fills })
}
