//! Which declarations are of one model: what is declared to be shared, goes through one channel, or is one message.

use std::collections::{BTreeMap, BTreeSet};

use super::{End, Place, Twins};
use crate::checks::Of;
use crate::contracts::Declarations;
use crate::finding::Severity;
use crate::model::{Action, Channel, Kind, Message, MessageUse, Model, ShapeId, ShapeTable, name_key};
use crate::project::{Answer, Project, Service};

/// A schema that types of code are held against.
#[derive(Clone, Debug)]
pub(super) struct Schema<'a> {
    pub(super) end: End<'a>,
    pub(super) via: String,
    pub(super) states_null: bool,
    pub(super) at_most: Option<Severity>,
}

/// Every shared schema with each service's type of its name.
pub(super) fn of_schemas(project: &Project, of: Of) -> Vec<(Schema<'_>, End<'_>)> {
    let mut found = Vec::new();
    if of == Of::Tables {
        of_tables(project, &mut found);
        return found;
    }
    for contract in &project.contracts {
        for model in contract.models.iter().flatten() {
            let keys: BTreeSet<String> = model.names.iter().map(|name| name_key(name)).collect();
            let name = model.names.first().cloned().unwrap_or_default();
            let schema = schema(project, contract, (&name, model.shape), model.span, None);
            for service in &project.services {
                let types = service.models.iter().filter(|declared| keys.contains(&name_key(&declared.name)));
                found.extend(nearest(service, &schema, types).map(|code| (schema.clone(), code)));
            }
        }
    }
    for link in project.links.iter().filter(|link| !link.unrelated) {
        let contract = &project.contracts[link.contract];
        for (at, service) in project.services.iter().enumerate().filter(|(at, _)| *at != link.service) {
            let keeps = project.links.iter().any(|other| other.service == at && other.contract == link.contract);
            if keeps || !asks(project, at, link.contract) {
                continue;
            }
            for (name, shape) in &contract.components {
                let types: Vec<&Model> =
                    service.models.iter().filter(|declared| name_key(&declared.name) == name_key(name)).collect();
                if types.is_empty() {
                    continue;
                }
                let read =
                    service.calls.iter().filter_map(|call| call.answer).any(|answer| {
                        service.shapes.get(innermost(&service.shapes, answer)).name.as_deref() == Some(name)
                    });
                let at_most = if read { Severity::Warning } else { Severity::Info };
                let span = contract.shapes.get(*shape).span.unwrap_or(contract.paths);
                let schema = schema(project, contract, (name, *shape), span, Some(at_most));
                found.extend(nearest(service, &schema, types.into_iter()).map(|code| (schema.clone(), code)));
            }
        }
    }
    found
}

/// Whether a service calls operations of a contract.
fn asks(project: &Project, service: usize, contract: usize) -> bool {
    let found = |answer: &Answer| matches!(answer, Answer::Found { of, .. } if *of == contract);
    project.asked.iter().any(|asked| asked.service == service && found(&asked.contract))
}

/// Types that the rows of a table name, with those of its callers: services that ask for its rows, or that do
/// nothing that a server does.
fn of_tables<'a>(project: &'a Project, found: &mut Vec<(Schema<'a>, End<'a>)>) {
    for (at, contract) in project.contracts.iter().enumerate() {
        let Some(table) = &contract.table else { continue };
        for model in &table.types {
            let name = model.names.first().map_or("", String::as_str);
            let schema = schema(project, contract, (name, model.shape), model.span, None);
            for (service_at, service) in project.services.iter().enumerate() {
                let links = project.table_links.iter().filter(|link| link.contract == at && link.service == service_at);
                let serves = links.flat_map(|link| &link.pairs).any(|pair| !pair.served.is_empty());
                // What serves routes of its own, or handles messages, is no caller unless it is seen to call.
                let is_client = service.operations.is_empty() && service.messages.is_empty();
                if !serves && (is_client || asks(project, service_at, at)) {
                    let types = service.models.iter().filter(|declared| declared.name == name);
                    found.extend(nearest(service, &schema, types).map(|code| (schema.clone(), code)));
                }
            }
        }
    }
}

fn schema<'a>(
    project: &'a Project,
    contract: &'a Declarations,
    (name, shape): (&str, ShapeId),
    span: crate::text::Span,
    at_most: Option<Severity>,
) -> Schema<'a> {
    let path = &project.sources.get(contract.file).path;
    let end = End {
        shapes: &contract.shapes,
        shape,
        name: name.to_owned(),
        owner: format!("`{path}`"),
        span,
        document: true,
        place: Place::Shared,
    };
    Schema { end, via: format!("`{name}`"), states_null: contract.states_null, at_most }
}

/// The declaration behind lists.
fn innermost(shapes: &ShapeTable, id: ShapeId) -> ShapeId {
    let mut id = id;
    for _ in 0..8 {
        match &shapes.view(id).shape.kind {
            Kind::Array { items: Some(items), .. } => id = *items,
            _ => break,
        }
    }
    shapes.view(id).id
}

/// Of several types of one name, the one that differs least; none that has nothing in common with the schema.
fn nearest<'a>(service: &'a Service, schema: &Schema<'_>, types: impl Iterator<Item = &'a Model>) -> Option<End<'a>> {
    let ends = types.filter_map(|model| {
        let end = of_model(service, model);
        resembles(&end, &schema.end).then(|| (super::sides::against_schema(schema, &end).len(), end))
    });
    ends.min_by_key(|(differences, end)| (*differences, end.span)).map(|(_, end)| end)
}

/// Whether two objects have a member in common, however it is cased; what are no objects do.
fn resembles(one: &End<'_>, other: &End<'_>) -> bool {
    let names = |end: &End<'_>| -> Option<BTreeSet<String>> {
        match &end.shapes.view(end.shape).shape.kind {
            Kind::Object(object) if !object.fields.is_empty() => {
                Some(object.fields.iter().map(|field| name_key(&field.name)).collect())
            }
            _ => None,
        }
    };
    match (names(one), names(other)) {
        (Some(one), Some(other)) => !one.is_disjoint(&other),
        _ => true,
    }
}

fn of_model<'a>(service: &'a Service, model: &Model) -> End<'a> {
    End {
        shapes: &service.shapes,
        shape: model.shape,
        name: model.name.clone(),
        owner: format!("`{}`", service.name),
        span: model.span,
        document: false,
        place: Place::Service,
    }
}

/// Two declarations each that are of one model.
pub(super) fn twins(project: &Project) -> Vec<Twins<'_>> {
    let mut found = Vec::new();
    let owners: Vec<Option<usize>> = project.contracts.iter().map(|contract| owner(project, contract)).collect();
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
        found.push(Twins { sender, receiver, directed: turned.is_some(), via, at_most: None });
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
                    found.push(Twins { sender, receiver, directed: false, via, at_most: None });
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
        let Some(((first, model), others)) = declared.split_first() else { continue };
        for (at, other) in others.iter().filter(|(at, _)| at != first) {
            let directed = role_of(*first) == Role::Sends && role_of(*at) == Role::Receives;
            found.push(Twins {
                sender: of_model(&project.services[*first], model),
                receiver: of_model(&project.services[*at], other),
                directed,
                via: format!("`{name}`"),
                at_most: None,
            });
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
        // Of several that send, nobody knows whose message is read.
        let sending = known(Action::Send);
        let all = uses.iter().filter(|(_, it)| it.action == Action::Send).count();
        let ([(from, sent)], 1) = (sending.as_slice(), all) else { continue };
        for (to, received) in known(Action::Receive) {
            if from == to || (sent.message.is_some() && received.message.is_some() && sent.message != received.message)
            {
                continue;
            }
            let end = |at: usize, it: &MessageUse| {
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
            };
            if let (Some(sender), Some(receiver)) = (end(*from, sent), end(*to, received)) {
                let via = format!("channel `{channel}`");
                found.push(Twins { sender, receiver, directed: true, via, at_most: None });
            }
        }
    }
}
