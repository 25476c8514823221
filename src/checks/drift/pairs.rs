//! Which declarations of two services are of one model: what goes through one channel, or is one message.

use std::collections::{BTreeMap, BTreeSet};

use super::schemas::{of_model, resembles};
use super::versions::superseded;
use super::{End, Place, Twins};
use crate::contracts::Declarations;
use crate::finding::Severity;
use crate::model::{Action, Channel, Field, Kind, Message, MessageUse, Model, name_key};
use crate::project::{Project, Service};

/// Two declarations each that are of one model.
pub(super) fn twins(project: &Project) -> Vec<Twins<'_>> {
    let mut found = Vec::new();
    let earlier = superseded(project.contracts.iter().map(|contract| project.sources.get(contract.file).path.as_str()));
    let current =
        project.contracts.iter().enumerate().map(|(at, contract)| (!earlier.contains(&at)).then_some(contract));
    let owners: Vec<Option<usize>> = current.map(|contract| owner(project, contract?)).collect();
    of_channels(project, &owners, &mut found);
    of_titles(project, &owners, &mut found);
    let messages = of_messages(project, &mut found);
    of_uses(project, &messages, &mut found);
    found
}

/// The service that a document belongs to: the one whose folder it lies in.
fn owner(project: &Project, contract: &Declarations) -> Option<usize> {
    let path = &project.sources.get(contract.file).path;
    let encloses = |service: &Service| {
        service.root == "." || path.strip_prefix(&service.root).is_some_and(|rest| rest.starts_with('/'))
    };
    let enclosing = project.services.iter().enumerate().filter(|(_, service)| encloses(service));
    enclosing.max_by_key(|(_, service)| if service.root == "." { 0 } else { service.root.len() }).map(|(at, _)| at)
}

/// What a service does with a channel, as its code says, else its document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Sends,
    Receives,
    Unknown,
}

fn role(uses: impl Iterator<Item = Action>) -> Role {
    let (mut sends, mut receives) = (false, false);
    for action in uses {
        sends |= action == Action::Send;
        receives |= action == Action::Receive;
    }
    match (sends, receives) {
        (true, false) => Role::Sends,
        (false, true) => Role::Receives,
        _ => Role::Unknown,
    }
}

/// Documents of two services that describe one channel.
fn of_channels<'a>(project: &'a Project, owners: &[Option<usize>], found: &mut Vec<Twins<'a>>) {
    let mut by_address: BTreeMap<&str, Vec<(usize, usize, usize)>> = BTreeMap::new();
    for (at, contract) in project.contracts.iter().enumerate() {
        let (Some(events), Some(owner)) = (&contract.events, owners[at]) else { continue };
        for (index, channel) in events.channels.iter().enumerate() {
            if let Some(address) = channel.address.as_deref().filter(|address| !address.is_empty()) {
                by_address.entry(address).or_default().push((owner, at, index));
            }
        }
    }
    for (address, places) in by_address {
        for (at, (owner, contract, channel)) in places.iter().enumerate() {
            for (other_owner, other_contract, other_channel) in &places[at + 1..] {
                if owner == other_owner {
                    continue;
                }
                let mine = (*owner, &project.contracts[*contract], *channel);
                let theirs = (*other_owner, &project.contracts[*other_contract], *other_channel);
                channel_twins(project, address, mine, theirs, found);
            }
        }
    }
}

/// A service, its document, and the index of a channel in that.
type Described<'a> = (usize, &'a Declarations, usize);

fn channel_twins<'a>(
    project: &'a Project,
    address: &str,
    mine: Described<'a>,
    theirs: Described<'a>,
    found: &mut Vec<Twins<'a>>,
) {
    let channel =
        |(_, contract, at): Described<'a>| -> Option<&'a Channel> { contract.events.as_ref()?.channels.get(at) };
    let (Some(own), Some(other)) = (channel(mine), channel(theirs)) else { return };
    let (role, other_role) = (channel_role(project, address, mine), channel_role(project, address, theirs));
    let turned = match (role, other_role) {
        (Role::Sends, Role::Receives) => Some(false),
        (Role::Receives, Role::Sends) => Some(true),
        // Both read what a third one sends, or both send it.
        _ => None,
    };
    for message in &own.messages {
        let Some(twin) = same_message(message, &own.messages, &other.messages) else { continue };
        let (Some(first), Some(second)) = (of_message(project, mine, message), of_message(project, theirs, twin))
        else {
            continue;
        };
        let (sender, receiver) = if turned == Some(true) { (second, first) } else { (first, second) };
        let via = format!("channel `{address}`");
        found.push(Twins { sender, receiver, directed: turned.is_some(), among: false, via, at_most: None });
    }
}

fn channel_role(project: &Project, address: &str, (owner, contract, channel): Described<'_>) -> Role {
    let uses = project.services[owner].messages.iter().filter(|it| it.channel.as_deref() == Ok(address));
    let in_code = role(uses.map(|it| it.action));
    let Some(events) = &contract.events else { return in_code };
    // Who wrote a document that tells directions from the other side may have meant either.
    if in_code != Role::Unknown || events.turned {
        return in_code;
    }
    role(events.operations.iter().filter(|it| it.channel == channel).map(|it| it.action))
}

/// The message of another description of the channel: the only one of both, else the one of its name.
fn same_message<'m>(message: &Message, own: &[Message], others: &'m [Message]) -> Option<&'m Message> {
    if let ([_], [other]) = (own, others) {
        return Some(other);
    }
    let keys = |message: &Message| -> BTreeSet<String> {
        let names = [&message.name, &message.title, &message.id];
        names.into_iter().flatten().map(|name| name_key(name)).collect()
    };
    let mine = keys(message);
    others.iter().find(|other| !keys(other).is_disjoint(&mine))
}

fn of_message<'a>(project: &'a Project, (owner, contract, _): Described<'a>, message: &Message) -> Option<End<'a>> {
    let shape = message.payload?;
    let view = contract.shapes.view(shape);
    let of_shape = view.shape.name.clone().or_else(|| view.shape.title.clone());
    let name = of_shape.or_else(|| message.name.clone()).or_else(|| message.id.clone());
    Some(End {
        shapes: &contract.shapes,
        shape,
        name: name.unwrap_or_else(|| "message".to_owned()),
        owner: format!("`{}`", project.services[owner].name),
        span: view.shape.span.unwrap_or(message.span),
        document: true,
        place: Place::Service,
    })
}

/// Shared schemas of one title that two services keep a copy of each.
fn of_titles<'a>(project: &'a Project, owners: &[Option<usize>], found: &mut Vec<Twins<'a>>) {
    let mut by_name: BTreeMap<String, Vec<(usize, End<'a>)>> = BTreeMap::new();
    for (at, contract) in project.contracts.iter().enumerate() {
        let (Some(model), Some(owner)) = (contract.models.as_ref().and_then(|models| models.first()), owners[at])
        else {
            continue;
        };
        // A file name alone declares nothing.
        let ([name, _, ..], Some(file)) = (model.names.as_slice(), model.names.last()) else { continue };
        if name == file {
            continue;
        }
        let end = End {
            shapes: &contract.shapes,
            shape: model.shape,
            name: name.clone(),
            owner: format!("`{}`", project.services[owner].name),
            span: model.span,
            document: true,
            place: Place::Service,
        };
        by_name.entry(name_key(name)).or_default().push((owner, end));
    }
    for copies in by_name.into_values() {
        for (at, (owner, end)) in copies.iter().enumerate() {
            for (other_owner, other) in &copies[at + 1..] {
                if owner != other_owner {
                    let via = format!("`{}`", end.name);
                    let (sender, receiver) = (end.clone(), other.clone());
                    found.push(Twins { sender, receiver, directed: false, among: false, via, at_most: None });
                }
            }
        }
    }
}

/// Messages that several services declare; their names.
fn of_messages<'a>(project: &'a Project, found: &mut Vec<Twins<'a>>) -> BTreeSet<&'a str> {
    let mut by_name: BTreeMap<(&str, &str), Vec<(usize, &Model)>> = BTreeMap::new();
    for (at, service) in project.services.iter().enumerate() {
        for model in &service.models {
            if let Some(base) = &model.message {
                by_name.entry((&model.name, base)).or_default().push((at, model));
            }
        }
    }
    let mut names = BTreeSet::new();
    for ((name, _), mut declared) in by_name {
        names.insert(name);
        let role_of = |at: usize| {
            let uses = project.services[at].messages.iter().filter(|it| it.message.as_deref() == Some(name));
            role(uses.map(|it| it.action))
        };
        // Whoever sends it says what it is, else whoever knows most of it.
        declared.sort_by_key(|(at, model)| {
            let service = &project.services[*at];
            let members = match &service.shapes.view(model.shape).shape.kind {
                Kind::Object(object) => object.fields.len(),
                _ => 0,
            };
            (role_of(*at) != Role::Sends, std::cmp::Reverse(members), *at)
        });
        let senders = declared.iter().filter(|(at, _)| role_of(*at) == Role::Sends).count();
        for (at, other) in declared.iter().skip(1) {
            // Each that sends it is held against each that receives it, else all against the one that knows most.
            let directed = role_of(*at) == Role::Receives && senders > 0;
            for (from, model) in &declared[..if directed { senders } else { 1 }] {
                if from == at {
                    continue;
                }
                found.push(Twins {
                    sender: of_model(&project.services[*from], model),
                    receiver: of_model(&project.services[*at], other),
                    directed,
                    among: false,
                    via: format!("`{name}`"),
                    at_most: None,
                });
            }
        }
    }
    names
}

/// What one service sends and another receives under one name, where no document describes it.
fn of_uses<'a>(project: &'a Project, messages: &BTreeSet<&str>, found: &mut Vec<Twins<'a>>) {
    let described: BTreeSet<&str> = project
        .contracts
        .iter()
        .filter_map(|contract| contract.events.as_ref())
        .flat_map(|events| events.channels.iter().filter_map(|channel| channel.address.as_deref()))
        .collect();
    let mut by_channel: BTreeMap<&str, Vec<(usize, &'a MessageUse)>> = BTreeMap::new();
    for (at, service) in project.services.iter().enumerate() {
        for message in &service.messages {
            if let Ok(channel) = &message.channel
                && !described.contains(channel.as_str())
                && !message.message.as_deref().is_some_and(|name| messages.contains(name))
            {
                by_channel.entry(channel).or_default().push((at, message));
            }
        }
    }
    for (channel, uses) in by_channel {
        let known = |action: Action| {
            uses.iter().filter(move |(_, it)| it.action == action && it.payload.is_some()).collect::<Vec<_>>()
        };
        let among = uses.iter().filter(|(_, it)| it.action == Action::Send).count() > 1;
        for (from, sent) in known(Action::Send) {
            for (to, received) in known(Action::Receive) {
                let is_named = sent.message.is_some() && received.message.is_some();
                if from == to || (is_named && sent.message != received.message) {
                    continue;
                }
                let Some((sender, receiver)) =
                    of_use(project, channel, *from, sent).zip(of_use(project, channel, *to, received))
                else {
                    continue;
                };
                // Of several that send, only what looks like it is known to be what is read.
                if !among || is_named || is_alike(&sender, &receiver) {
                    let via = format!("channel `{channel}`");
                    let at_most = (among && !is_named).then_some(Severity::Warning);
                    found.push(Twins { sender, receiver, directed: true, among, via, at_most });
                }
            }
        }
    }
}

fn of_use<'a>(project: &'a Project, channel: &str, at: usize, it: &MessageUse) -> Option<End<'a>> {
    let service = &project.services[at];
    let shape = it.payload?;
    let view = service.shapes.view(shape);
    Some(End {
        shapes: &service.shapes,
        shape,
        name: view.shape.name.clone().unwrap_or_else(|| channel.to_owned()),
        owner: format!("`{}`", service.name),
        span: it.span,
        document: false,
        place: Place::Service,
    })
}

/// Whether what is sent can be what is received among other messages: both are objects with members in common, and no
/// member has values that the other never has, as `type` does where a channel has messages of several kinds.
fn is_alike(sender: &End<'_>, receiver: &End<'_>) -> bool {
    let fields = |end: &End<'_>| match &end.shapes.view(end.shape).shape.kind {
        Kind::Object(object) => object.fields.clone(),
        _ => Vec::new(),
    };
    let (sent, received) = (fields(sender), fields(receiver));
    let values = |end: &End<'_>, field: &Field| end.shapes.view(field.shape).shape.values.clone();
    let told_apart = sent.iter().any(|field| {
        let twin = received.iter().find(|other| other.name == field.name);
        let both = twin.and_then(|twin| values(sender, field).zip(values(receiver, twin)));
        both.is_some_and(|(one, other)| one.iter().all(|value| !other.contains(value)))
    });
    !sent.is_empty() && !received.is_empty() && resembles(sender, receiver) && !told_apart
}
