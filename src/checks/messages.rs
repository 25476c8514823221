//! Engine `messages`: what code sends and receives, against the messages of the document about events that its service
//! keeps. What is sent has to keep the message's schema; what is received has to promise what code takes it for. Where a
//! channel has several messages, any that fits will do.

mod channels;
mod evidence;

use indexmap::IndexMap;

use super::KindInfo;
use super::causes::Cause;
use super::shape::{Comparer, Difference, DifferenceKind, Policy};
use crate::contracts::Declarations;
use crate::finding::{Evidence, Severity, Sink};
use crate::model::{Action, Events, Message, MessageUse, ShapeId, name_key};
use crate::project::{Keeper, Project, Service};

use channels::Uses;
pub(super) use channels::{found_channel, is_at};

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Messages {}

const UNKNOWN_CHANNEL: &str = "unknown-channel";
const UNUSED_CHANNEL: &str = "unused-channel";

const MEMBER: &[&str] = &["field", "channel", "type", "schema", "expected", "actual"];

const fn kind(kind: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name: kind, severity, about, gaps: MEMBER }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind("missing-field", Severity::Error, "the message requires a member that code never sends"),
    kind("missing-optional-field", Severity::Info, "the message has an optional member that code never sends"),
    kind("extra-field", Severity::Warning, "code sends a member that the message does not declare"),
    kind("forbidden-field", Severity::Error, "code sends a member although the message closes the object"),
    kind("casing", Severity::Error, "code sends the member in another casing"),
    kind("type", Severity::Error, "code sends a value of another type"),
    kind("enum-value", Severity::Error, "code can send a value that the message's closed set lacks"),
    kind("optional", Severity::Error, "code may leave out a member that the message requires"),
    kind("nullable", Severity::Error, "code may send null where the message does not allow it"),
    kind("read-missing-field", Severity::Warning, "code reads a member that the message does not have"),
    kind(
        "read-missing-optional-field",
        Severity::Info,
        "code reads a member that the message does not have, and does without it",
    ),
    kind("read-casing", Severity::Warning, "code reads the member in another casing"),
    kind("read-type", Severity::Warning, "code takes a value for another type"),
    kind("read-enum-value", Severity::Warning, "the message may have a value that code does not know"),
    kind("read-optional", Severity::Info, "code takes a member for granted that the message may lack"),
    kind("read-nullable", Severity::Info, "code does not expect the null that the message allows"),
    KindInfo {
        name: UNKNOWN_CHANNEL,
        severity: Severity::Warning,
        about: "code sends to a channel, or receives from one, that the document does not have",
        gaps: &["channel", "type", "does", "advice"],
    },
    KindInfo {
        name: UNUSED_CHANNEL,
        severity: Severity::Info,
        about: "the document has a channel that code neither sends to nor receives from",
        gaps: &["channel"],
    },
];

/// One use of a channel that the document has.
#[derive(Clone, Copy)]
struct Context<'a> {
    service: &'a Service,
    contract: &'a Declarations,
    usage: &'a MessageUse,
    /// The channel's address.
    channel: &'a str,
    message: &'a Message,
}

pub(super) fn judge(_: &Messages, project: &Project, sink: &mut Sink<'_>) {
    let mut causes: IndexMap<Cause, Evidence> = IndexMap::new();
    for keeper in &project.keepers {
        let contract = &project.contracts[keeper.contract];
        if let Some(events) = &contract.events {
            judge_document((project, sink), keeper, contract, events, &mut causes);
        }
    }
    for evidence in causes.into_values() {
        sink.report(evidence);
    }
}

fn judge_document(
    (project, sink): (&Project, &mut Sink<'_>),
    keeper: &Keeper,
    contract: &Declarations,
    events: &Events,
    causes: &mut IndexMap<Cause, Evidence>,
) {
    let mut uses = Uses::new(events, keeper.named);
    for at in &keeper.services {
        let service = &project.services[*at];
        let policy = Policy {
            null: contract.states_null,
            null_of_references: contract.states_null_of_references,
            open_null: false,
            form: None,
        };
        let mut sent = Comparer::new(&service.shapes, &contract.shapes, policy);
        let mut read = Comparer::new(&contract.shapes, &service.shapes, policy);
        for usage in &service.messages {
            let Some(channel) = found_channel(events, usage) else {
                // A service may keep several documents, each about some of its channels.
                if !is_elsewhere(project, keeper, *at, usage) {
                    uses.missed(service, usage);
                }
                continue;
            };
            uses.found(channel, usage);
            let comparer = if usage.action == Action::Send { &mut sent } else { &mut read };
            for (message, difference) in disagreements(events, channel, usage, comparer) {
                let channel = &events.channels[channel];
                let channel = channel.address.as_deref().unwrap_or(&channel.name);
                let context = Context { service, contract, usage, channel, message };
                if let Some((cause, evidence)) = evidence::member(context, &difference) {
                    causes.entry(cause).or_insert(evidence);
                }
            }
        }
        sent.cuts().chain(read.cuts()).for_each(|what| sink.cut(&project.sources.get(contract.file).path, what));
    }
    for (cause, evidence) in uses.evidence(contract) {
        causes.entry(cause).or_insert(evidence);
    }
}

/// Whether another document that the service keeps has the channel of a use.
fn is_elsewhere(project: &Project, keeper: &Keeper, service: usize, usage: &MessageUse) -> bool {
    let others = project.keepers.iter().filter(|it| it.contract != keeper.contract && it.services.contains(&service));
    let mut events = others.filter_map(|it| project.contracts[it.contract].events.as_ref());
    events.any(|events| found_channel(events, usage).is_some())
}

/// What a use gets wrong: nothing where one of the messages fits, else what the message that it comes nearest to says.
fn disagreements<'e>(
    events: &'e Events,
    channel: usize,
    usage: &MessageUse,
    comparer: &mut Comparer<'_>,
) -> Vec<(&'e Message, Difference)> {
    let Some(payload) = usage.payload else { return Vec::new() };
    let messages = messages_of(events, channel, usage);
    let several = messages.len() > 1;
    let mut best: Option<(usize, &Message, Vec<Difference>)> = None;
    for message in messages {
        let Some(promised) = message.payload else { return Vec::new() };
        let found = differences(usage.action, payload, promised, comparer);
        let breaking = found.iter().filter(|it| it.kind.breaks()).count();
        if best.as_ref().is_none_or(|(least, ..)| breaking < *least) {
            best = Some((breaking, message, found));
        }
    }
    match best {
        // Of several, it need not be this one.
        Some((0, ..)) if several => Vec::new(),
        Some((_, message, found)) => found.into_iter().map(|difference| (message, difference)).collect(),
        None => Vec::new(),
    }
}

fn differences(action: Action, payload: ShapeId, promised: ShapeId, comparer: &mut Comparer<'_>) -> Vec<Difference> {
    match action {
        Action::Send => comparer.differences(payload, promised).to_vec(),
        // What the message has besides is nothing that code would miss.
        Action::Receive => {
            let all = comparer.differences(promised, payload);
            let unread = |kind| matches!(kind, DifferenceKind::ExtraField | DifferenceKind::ForbiddenField);
            all.iter().filter(|it| !unread(it.kind)).cloned().collect()
        }
    }
}

/// The messages that a use may be about: the one of its name, else those that the document has for what it does.
fn messages_of<'e>(events: &'e Events, at: usize, usage: &MessageUse) -> Vec<&'e Message> {
    let channel = &events.channels[at];
    if let Some(name) = &usage.message {
        let named = channel.messages.iter().filter(|message| is_named(message, name));
        let named: Vec<&Message> = named.collect();
        if !named.is_empty() {
            return named;
        }
    }
    let mut known: Vec<usize> = events
        .operations
        .iter()
        // Directions that are told from the other side are often meant the other way round.
        .filter(|it| it.channel == at && it.action == usage.action && !events.turned)
        .flat_map(|it| it.messages.iter().copied())
        .collect();
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        return channel.messages.iter().collect();
    }
    known.into_iter().filter_map(|index| channel.messages.get(index)).collect()
}

fn is_named(message: &Message, name: &str) -> bool {
    let key = name_key(name);
    [&message.name, &message.title, &message.id].into_iter().flatten().any(|known| name_key(known) == key)
}
