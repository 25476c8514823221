//! Two versions of the same code: which service is which, what its operations were, and where the code of now stands
//! for what is gone.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::callers::Callers;
use super::{Change, Changes, KINDS, Touched, Version, Versions, compare, report};
use crate::contracts::{ParameterTerms, Terms};
use crate::finding::{Severity, Sink};
use crate::model::Unread;
use crate::model::{Events, Method, Operation};
use crate::project::{Before, Project, Seen, Service, channel_name, exchanged, may_serve};
use crate::text::{FileId, Span};

/// A service at both versions.
#[derive(Clone, Copy)]
pub(super) struct Twins<'a> {
    old: &'a Service,
    new: &'a Service,
    /// The file of now that one of back then is.
    same: &'a BTreeMap<FileId, FileId>,
}

pub(super) fn judge(before: &Before, project: &Project, sink: &mut Sink<'_>) {
    for (at, new) in counterparts(&before.services, &project.services) {
        let old = &before.services[at];
        let Some(new) =
            new.map(|at| &project.services[at]).filter(|new| !(new.operations.is_empty() && new.messages.is_empty()))
        else {
            gone(at, before, project, sink);
            continue;
        };
        let (then, now) = (terms(old), terms(new));
        let (sent_then, sent_now) = (exchanged(old), exchanged(new));
        let versions = Versions {
            old: version(old, &then, &sent_then),
            new: version(new, &now, &sent_now),
            today: None,
            notice: 0,
            code: Some(Twins { old, new, same: &before.same }),
        };
        let callers = Callers::of(before, at, &new.operations, project);
        let changes = compare(versions);
        changes.cuts.iter().for_each(|what| sink.cut(&project.services[at].root, what));
        for (change, operations) in changes.found.into_values() {
            let labels = callers.broken(&change, severity(&change), &operations);
            report(change, operations, (false, labels), sink);
        }
    }
}

/// Of its kind, or less.
fn severity(change: &Change) -> Severity {
    let of_kind = KINDS.iter().find(|kind| kind.name == change.kind).map_or(Severity::Error, |kind| kind.severity);
    change.at_most.map_or(of_kind, |limit| limit.min(of_kind))
}

fn version<'a>(service: &'a Service, terms: &'a [Terms], events: &'a Events) -> Version<'a> {
    let (operations, shapes) = (&service.operations, &service.shapes);
    let events = Some(events);
    Version { operations, terms, shapes, servers: &[], document: None, events, models: &[], paths: None }
}

/// What code says of its operations beside what goes in and out.
fn terms(service: &Service) -> Vec<Terms> {
    let of = |operation: &Operation| Terms {
        body: operation.request.bodies.first().map(|body| body.required),
        parameters: vec![ParameterTerms::default(); operation.request.parameters.len()],
        ..Terms::default()
    };
    service.operations.iter().map(of).collect()
}

/// Each service of back then that served something, and what it is now: the one at the same place, else the one of its
/// name, else the one that serves most of what it served.
fn counterparts(before: &[Service], now: &[Service]) -> Vec<(usize, Option<usize>)> {
    let mut left: Vec<usize> = (0..now.len()).filter(|at| now[*at].scanned).collect();
    let mut found: Vec<Option<usize>> = vec![None; before.len()];
    let take = |left: &mut Vec<usize>, matches: &dyn Fn(&Service) -> bool| {
        let at = left.iter().position(|at| matches(&now[*at]))?;
        Some(left.remove(at))
    };
    for (at, service) in before.iter().enumerate() {
        found[at] = take(&mut left, &|known| known.root == service.root);
    }
    for (at, service) in before.iter().enumerate().filter(|(_, service)| !service.operations.is_empty()) {
        // One that serves nothing any more may have moved, and left its folder behind.
        let is_empty = found[at].is_some_and(|twin| now[twin].operations.is_empty());
        if found[at].is_none() || is_empty {
            let same_name = take(&mut left, &|known| known.name == service.name && !known.operations.is_empty());
            found[at] = same_name.or_else(|| take(&mut left, &|known| serves_most(known, service))).or(found[at]);
        }
    }
    let served = |service: &Service| !(service.operations.is_empty() && service.messages.is_empty());
    found.into_iter().enumerate().filter(|(at, _)| served(&before[*at])).collect()
}

fn serves_most(now: &Service, before: &Service) -> bool {
    let keys = |service: &Service| -> FxHashSet<(Method, String)> {
        service.operations.iter().map(|operation| (operation.method, operation.path.key())).collect()
    };
    let (was, is) = (keys(before), keys(now));
    was.intersection(&is).count() * 2 > was.len()
}

/// Everything that a service served, as one change.
fn gone(at: usize, before: &Before, project: &Project, sink: &mut Sink<'_>) {
    let old = &before.services[at];
    let Some(first) = old.operations.first() else { return };
    let elsewhere: FxHashMap<(Method, String), &Service> = project
        .services
        .iter()
        .flat_map(|service| service.operations.iter().map(move |it| ((it.method, it.path.key()), service)))
        .collect();
    let mut changes = Changes::default();
    let missing = old.operations.iter().filter(|it| !elsewhere.contains_key(&(it.method, it.path.key())));
    for operation in missing {
        let change = Change {
            kind: "service-removed",
            span: first.span,
            pointer: String::new(),
            label: "it was served here".to_owned(),
            before: None,
            field: None,
            subject: format!("the service `{}`", old.name),
            was: String::new(),
            is: String::new(),
            exchanged: "",
            at_most: doubt(operation),
            touched: Touched::Operation,
        };
        changes.add((change.kind, None, None, old.name.clone()), operation.title(), change);
    }
    let callers = Callers::of(before, at, &[], project);
    for (change, operations) in changes.found.into_values() {
        let labels = callers.broken(&change, severity(&change), &operations);
        report(change, operations, (false, labels), sink);
    }
}

/// What the code of back then left open about an operation.
fn doubt(old: &Operation) -> Option<Severity> {
    let code = old.implementation.as_ref()?;
    if !code.mounted || !code.unknown.is_empty() || code.hidden {
        return Some(Severity::Info);
    }
    code.conditional.then_some(Severity::Warning)
}

impl<'a> Twins<'a> {
    /// How sure it is that an operation is gone.
    pub(super) fn doubt(&self, old: &Operation) -> Option<Severity> {
        let place = |it: &Unread| (it.path.clone(), it.method, it.reach);
        let known: BTreeSet<_> = self.old.unread.iter().map(place).collect();
        let mut unread = self.new.unread.iter().filter(|entry| entry.is_gap() && !known.contains(&place(entry)));
        let seen = Seen::new(&self.new.operations);
        let key = old.path.key();
        if unread.any(|it| may_serve(it, &seen, (Some(old.method), &key), ""))
            || self.new.unsupported.iter().any(|name| !self.old.unsupported.contains(name))
        {
            return Some(Severity::Info);
        }
        doubt(old)
    }

    /// How sure it is that something about channels is gone: messages whose channel is not known may be it.
    pub(super) fn doubt_of_channels(&self) -> Option<Severity> {
        let unknown = |service: &Service| service.messages.iter().filter(|used| channel_name(used).is_none()).count();
        (unknown(self.new) > unknown(self.old)).then_some(Severity::Info)
    }

    /// The beginning of the file of now that something was in, else where it was.
    pub(super) fn beginning(&self, was: Span) -> Span {
        self.same.get(&was.file).map_or(was, |file| Span::new(*file, 0, 0))
    }

    /// Where the code of now is that an operation is missing from, and what to say there: where its handler serves
    /// something else now, where its path is served, the nearest operation beside which it stood, the beginning of its
    /// file; else where it was.
    pub(super) fn place(&self, old: &Operation, same_path: Option<&Operation>) -> (Span, String) {
        let missing = format!("has no `{}`", old.title());
        if let Some(renamed) = self.renamed(old) {
            return (renamed.span, format!("serves `{}` now", renamed.title()));
        }
        if let Some(other) = same_path {
            return (other.span, missing);
        }
        let Some(file) = self.same.get(&old.span.file).copied() else {
            return (old.span, "it was served here".to_owned());
        };
        let still = |known: &&'a Operation| {
            let key = known.path.key();
            self.new
                .operations
                .iter()
                .find(|it| it.span.file == file && it.method == known.method && it.path.key() == key)
        };
        let beside = self.old.operations.iter().filter(|it| it.span.file == old.span.file);
        let nearest = beside.filter_map(|it| Some((it.span.start.abs_diff(old.span.start), still(&it)?)));
        match nearest.min_by_key(|(distance, now)| (*distance, now.span)) {
            Some((_, now)) => (now.span, format!("`{}` was beside it", old.title())),
            None => (Span::new(file, 0, 0), missing),
        }
    }

    /// The operation that the same handler serves now and did not serve before.
    fn renamed(&self, old: &Operation) -> Option<&'a Operation> {
        let handler = &old.implementation.as_ref()?.handler;
        let file = self.same.get(&old.span.file)?;
        let mut found = self.new.operations.iter().filter(|it| {
            it.span.file == *file && it.implementation.as_ref().is_some_and(|code| code.handler == *handler)
        });
        let was_there = |it: &Operation| {
            let key = it.path.key();
            self.old.operations.iter().any(|known| known.method == it.method && known.path.key() == key)
        };
        let only = found.next().filter(|it| !was_there(it))?;
        found.next().is_none().then_some(only)
    }
}
