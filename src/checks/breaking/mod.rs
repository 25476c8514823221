//! Engine `breaking`: a contract against its own earlier version. What the old one let a client send, the new one must
//! take; what the old one let a client expect, the new one must give. The comparison of shapes is the one that holds
//! code against contracts, once in each direction.
//!
//! One cause, one finding: a member of a schema that many operations share is reported once, with all of them.

mod callers;
mod events;
mod inputs;
mod members;
mod models;
mod moved;
mod operations;
mod outputs;
mod services;
mod webhooks;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::KindInfo;
use super::shape::{Comparer, Direction, Step};
use crate::contracts::{Declarations, Scheme, SharedModel, Terms, Webhook};
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Action, Events, Method, Operation, ParameterPlace, ShapeId, ShapeTable};
use crate::project::{Earlier, Project};
use crate::text::Span;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breaking {}

const GAPS: &[&str] = &["operation", "subject", "was", "is", "where"];

const fn error(name: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name, severity: Severity::Error, about, gaps: GAPS }
}

const fn warning(name: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name, severity: Severity::Warning, about, gaps: GAPS }
}

const fn info(name: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name, severity: Severity::Info, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    error("operation-removed", "an operation is gone"),
    error("channel-removed", "a channel is gone that messages are sent to or received from"),
    info("channel-added", "a channel is new"),
    error("send-removed", "nothing is sent to a channel any more"),
    error("receive-removed", "nothing is received from a channel any more"),
    info("exchange-added", "messages are sent to a channel, or received from it, that were not"),
    error("message-removed", "a message is not sent or not received any more"),
    info("message-added", "a message is new"),
    error("message-content", "messages have another content type"),
    error("schema-removed", "a schema is gone"),
    info("schema-added", "a schema is new"),
    error("service-removed", "nothing serves any more what the code of a service served"),
    error("base-path", "everything that was served below one path is served below another"),
    info("sunset-operation-removed", "an operation is gone that was deprecated, and not before its sunset"),
    info("operation-added", "an operation is new"),
    info("deprecated", "an operation, a parameter or a member is deprecated now"),
    error("notice", "what is deprecated now goes sooner than the configured notice allows, or on no stated day"),
    error("sunset", "the sunset of what is deprecated is earlier, or no longer stated"),
    error("stability", "the stability level of an operation is lower, or none that there is"),
    info("operation-id", "an `operationId` is gone or another one"),
    info("tag", "an operation has lost a tag"),
    warning("security-added", "an operation asks for credentials or scopes that it did not ask for"),
    info("security-removed", "an operation can be called with less than before"),
    warning(
        "security-scheme",
        "a scheme of security asks for something else of clients; an info where an address changed",
    ),
    warning("server", "a server is gone"),
    error("webhook-removed", "a webhook or callback is gone"),
    info("webhook-added", "a webhook or callback is new"),
    error("parameter-required", "a parameter is new and required"),
    info("parameter-added", "an optional parameter is new"),
    warning("parameter-removed", "a parameter is gone"),
    error("parameter-removed-early", "a deprecated parameter is gone before its sunset"),
    info("sunset-parameter-removed", "a parameter is gone that was deprecated, and not before its sunset"),
    error("parameter-style", "a parameter is written out in another way"),
    error("parameter-default", "what stands for a parameter that is left out is another value"),
    error("request-body-required", "a request body is required now"),
    info("request-body-added", "an optional request body is new"),
    error("request-body-removed", "no request body is taken any more"),
    error("request-media-removed", "a media type of a request is not taken any more"),
    info("request-media-added", "a media type of a request is new"),
    error("request-field-required", "a member of a request is new and required"),
    info("request-field-added", "an optional member of a request is new"),
    warning("request-field-removed", "a member of a request is gone"),
    error("request-field-forbidden", "a member of a request is gone, and further members are refused"),
    error("request-became-required", "a parameter or a member of a request is required now"),
    error("request-type", "a value of a request is of another or a narrower type"),
    error("request-enum", "values are gone from a closed set, or a set is closed now"),
    error("request-null", "null is not taken any more"),
    error("request-limit", "a bound of a request is tighter; a warning where there was none"),
    error("request-pattern", "a text of a request must match a pattern; a warning where it matched another"),
    error("request-constraint", "another keyword rules out what could be sent"),
    error("request-alternative", "an alternative of a request is gone"),
    warning("request-closed", "further members of a request are refused"),
    info("request-field-read-only", "a required member of a request is read only now: it is not taken any more"),
    info("request-default", "what stands for a member that is left out is another value"),
    info("request-discriminator", "alternatives of a request are told apart by another member"),
    error("status-removed", "a success status is gone"),
    info("error-status-removed", "a status that is no success is gone"),
    info("status-added", "a status is new"),
    error("response-media-removed", "a media type of a response is gone"),
    info("response-media-added", "a media type of a response is new"),
    error("header-removed", "a required header of a response is gone"),
    warning("optional-header-removed", "an optional header of a response is gone"),
    error("header-became-optional", "a header of a response may be left out now"),
    info("header-added", "a header of a response is new"),
    error("response-field-removed", "a required member of a response is gone"),
    warning("response-optional-field-removed", "an optional member of a response is gone"),
    info("response-field-added", "a member of a response is new"),
    warning("response-field-unexpected", "a member of a response is new where none was allowed"),
    warning("response-field-exposed", "a member that was write only is part of a response now"),
    error("response-became-optional", "a required member of a response may be left out now"),
    error("response-type", "a value of a response is of another or a wider type"),
    warning("response-enum", "values are new in a closed set, or a set is not closed any more"),
    error("response-null", "null may come where it could not"),
    error("response-limit", "a bound of a response is looser or gone"),
    info("response-pattern", "a text of a response matches another pattern or none"),
    error("response-constraint", "another keyword that a response kept is not kept any more"),
    error("response-alternative", "an alternative of a response is new; a warning where several may hold at once"),
    info("response-open", "a response may have further members where it could not"),
    info("response-default", "what stands for a member that is left out is another value"),
    info("response-discriminator", "alternatives of a response are told apart by another member"),
];

/// One version of an API: what a document promises, or what code serves.
#[derive(Clone, Copy)]
struct Version<'a> {
    operations: &'a [Operation],
    terms: &'a [Terms],
    shapes: &'a ShapeTable,
    servers: &'a [(String, Span)],
    /// What a document says beside: of webhooks and of security schemes.
    document: Option<&'a Declarations>,
    events: Option<&'a Events>,
    /// What a document of schemas declares.
    models: &'a [SharedModel],
    /// Where operations are listed that have no place of their own; code has none.
    paths: Option<Span>,
}

impl<'a> Version<'a> {
    fn webhooks(self) -> &'a [Webhook] {
        self.document.map_or(&[], |document| &document.webhooks)
    }

    fn schemes(self) -> &'a [Scheme] {
        self.document.map_or(&[], |document| &document.schemes)
    }
}

impl<'a> From<&'a Declarations> for Version<'a> {
    fn from(document: &'a Declarations) -> Self {
        let Declarations { operations, terms, shapes, servers, paths, .. } = document;
        let (events, models) = (document.events.as_ref(), document.models.as_deref().unwrap_or_default());
        let (paths, document) = (Some(*paths), Some(document));
        Version { operations, terms, shapes, servers, document, events, models, paths }
    }
}

/// Two versions of one API.
#[derive(Clone, Copy)]
struct Versions<'a> {
    old: Version<'a>,
    new: Version<'a>,
    /// `2026-01-31`, where it is known: whether a sunset has passed.
    today: Option<&'a str>,
    /// Days between the deprecation of something and its end, where settings ask for any.
    notice: u32,
    /// Of code, which need not state what it does: silence says nothing.
    code: Option<services::Twins<'a>>,
}

/// An operation of both versions.
#[derive(Clone, Copy)]
struct Both<'a> {
    old: &'a Operation,
    new: &'a Operation,
    old_terms: &'a Terms,
    new_terms: &'a Terms,
}

/// What of an operation a change is about: who uses it may break.
#[derive(Clone, Debug)]
enum Touched {
    /// All of it.
    Operation,
    /// A member of what it answers, or the whole of it.
    Answer(Vec<Step>),
    /// A member of what it takes, or the whole of it.
    Body(Vec<Step>),
    Parameter(ParameterPlace, String),
    /// A member of a message that is sent to a channel or received from it, or the whole of it.
    Message(Action, String, Vec<Step>),
    /// A schema that whoever has it may write and read.
    Schema,
    /// Nothing that a call would tell.
    Nothing,
}

/// One change, before it has words.
struct Change {
    kind: &'static str,
    /// In the new version.
    span: Span,
    pointer: String,
    label: String,
    /// In the old one.
    before: Option<(Span, String)>,
    field: Option<String>,
    subject: String,
    was: String,
    is: String,
    /// `requests`, `responses`, `messages that are sent`.
    exchanged: &'static str,
    at_most: Option<Severity>,
    touched: Touched,
}

/// What makes two changes one: kind, what is declared in both versions, the member of it.
type Cause = (&'static str, Option<(ShapeId, ShapeId)>, Option<Direction>, String);

/// Changes in the order in which they were found, each with its operations.
#[derive(Default)]
struct Changes {
    found: IndexMap<Cause, (Change, Vec<String>)>,
    /// What was not compared because there was too much of it.
    cuts: BTreeSet<&'static str>,
}

impl Changes {
    /// A change of one operation.
    fn of_operation(&mut self, operation: &Operation, change: Change) {
        let cause = (change.kind, None, None, format!("{} {}", operation.title(), change.subject));
        self.add(cause, operation.title(), change);
    }

    fn add(&mut self, cause: Cause, title: String, change: Change) {
        let operations = &mut self.found.entry(cause).or_insert_with(|| (change, Vec::new())).1;
        if operations.last() != Some(&title) {
            operations.push(title);
        }
    }
}

/// The two comparisons of one pair of versions.
struct Comparers<'a> {
    /// What old clients send against what the new version takes.
    requests: Comparer<'a>,
    /// What the new version answers against what old clients were promised.
    responses: Comparer<'a>,
}

pub(super) fn judge(_: &Breaking, project: &Project, sink: &mut Sink<'_>) {
    for earlier in &project.earlier {
        let Earlier { contract, declarations: old, today, notice } = earlier;
        let new = &project.contracts[*contract];
        let versions =
            Versions { old: old.into(), new: new.into(), today: today.as_deref(), notice: *notice, code: None };
        let changes = compare(versions);
        changes.cuts.iter().for_each(|what| sink.cut(&project.sources.get(new.file).path, what));
        for (change, operations) in changes.found.into_values() {
            report(change, operations, (true, Vec::new()), sink);
        }
    }
    if let Some(before) = &project.before {
        services::judge(before, project, sink);
    }
}

fn compare(versions: Versions<'_>) -> Changes {
    let Versions { old, new, .. } = versions;
    let mut changes = Changes::default();
    let comparer = if versions.code.is_some() { Comparer::of_code } else { Comparer::of_documents };
    let mut comparers = Comparers {
        requests: comparer(old.shapes, new.shapes, Direction::Request),
        responses: comparer(new.shapes, old.shapes, Direction::Response),
    };
    operations::servers(versions, &mut changes);
    operations::schemes(versions, &mut changes);
    let nothing = Terms::default();
    let key = |operation: &Operation| {
        let any_case = operation.implementation.as_ref().is_some_and(|code| code.any_case);
        let path = operation.path.key();
        (operation.method, if any_case { path.to_lowercase() } else { path })
    };
    let mut index: FxHashMap<(Method, String), usize> = FxHashMap::default();
    for (at, operation) in new.operations.iter().enumerate() {
        index.entry(key(operation)).or_insert(at);
    }
    let mut known: BTreeSet<usize> = BTreeSet::new();
    let moved = moved::below_another_path(versions, &index, key);
    moved.iter().for_each(|moved| operations::moved(versions, moved, &mut changes));
    for (before, operation) in old.operations.iter().enumerate() {
        let old_terms = old.terms.get(before).unwrap_or(&nothing);
        let at = index.get(&key(operation)).copied();
        let Some(at) = at.or_else(|| moved.iter().find_map(|moved| moved.pairs.get(&before).copied())) else {
            operations::removed(versions, operation, old_terms, &mut changes);
            continue;
        };
        if !known.insert(at) {
            continue;
        }
        let new_terms = new.terms.get(at).unwrap_or(&nothing);
        let both = Both { old: operation, new: &new.operations[at], old_terms, new_terms };
        operations::both(versions, both, &mut changes);
        inputs::compare(versions, both, &mut comparers, &mut changes);
        outputs::compare(versions, both, &mut comparers, &mut changes);
    }
    for (at, operation) in new.operations.iter().enumerate() {
        if !known.contains(&at) && index.get(&key(operation)) == Some(&at) {
            operations::added(operation, &mut changes);
        }
    }
    webhooks::compare(versions, &mut comparers, &mut changes);
    events::compare(versions, &mut comparers, &mut changes);
    models::compare(versions, &mut comparers, &mut changes);
    changes.cuts.extend(comparers.requests.cuts().chain(comparers.responses.cuts()));
    changes
}

fn report(change: Change, operations: Vec<String>, (of_contract, callers): (bool, Vec<Label>), sink: &mut Sink<'_>) {
    let more = operations.len().saturating_sub(1);
    let title = operations.first().map_or("", String::as_str);
    let shown = if more == 0 { format!("`{title}`") } else { format!("`{title}` and {more} more") };
    sink.report(Evidence {
        kind: change.kind,
        span: change.span,
        label: change.label,
        related: change.before.into_iter().map(|(span, text)| Label { span, text }).chain(callers).collect(),
        field: change.field,
        contract: of_contract.then_some(ContractPlace { span: change.span, pointer: change.pointer }),
        subject: format!("{title} {}", change.subject),
        values: vec![
            ("operation", shown),
            ("subject", change.subject),
            ("was", change.was),
            ("is", change.is),
            ("where", change.exchanged.to_owned()),
        ],
        at_most: change.at_most,
        operations,
    });
}

/// Where a list of media types has one that takes in another: itself, else a range.
fn media_for<'m, T>(media: &str, list: &'m [T], name: impl Fn(&T) -> &str) -> Option<&'m T> {
    let essence = |text: &str| text.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let wanted = essence(media);
    let class = wanted.split('/').next().unwrap_or("").to_owned();
    list.iter()
        .find(|entry| name(entry).eq_ignore_ascii_case(media))
        .or_else(|| list.iter().find(|entry| essence(name(entry)) == wanted))
        .or_else(|| list.iter().find(|entry| essence(name(entry)) == format!("{class}/*")))
        .or_else(|| list.iter().find(|entry| essence(name(entry)) == "*/*"))
}

/// Names that are met once, with their place.
fn by_name<T>(list: &[T], name: impl Fn(&T) -> String) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for (at, entry) in list.iter().enumerate() {
        out.entry(name(entry)).or_insert(at);
    }
    out
}

#[cfg(test)]
mod tests;
