//! What changes about operations as a whole: gone, new, deprecated, renamed, guarded in another way.

use super::super::stability::{day, is_short, is_unsettled, stability_decreased, sunset};
use super::moved::Moved;
use super::{Both, Change, Changes, Touched, Versions};
use crate::contracts::{Scheme, Terms};
use crate::finding::Severity;
use crate::model::Operation;
use crate::text::Span;

/// A change that is about an operation of the new version.
pub(super) fn about(kind: &'static str, both: Both<'_>, subject: impl Into<String>, was: &str, is: &str) -> Change {
    Change {
        kind,
        span: both.new.span,
        pointer: both.new.pointer.clone(),
        label: "here".to_owned(),
        before: Some((both.old.span, "before".to_owned())),
        field: None,
        subject: subject.into(),
        was: was.to_owned(),
        is: is.to_owned(),
        exchanged: "requests",
        at_most: None,
        touched: Touched::Nothing,
    }
}

/// Whether what was deprecated could go by now: its sunset, if it had one, has passed.
pub(super) fn could_go(deprecated: bool, sunset: Option<&str>, today: Option<&str>) -> bool {
    let passed = |sunset: &str| match (day(sunset), today) {
        (Some(sunset), Some(today)) => sunset <= today,
        // What is no date promises nothing that could be held against a day.
        (None, _) => false,
        (Some(_), None) => true,
    };
    deprecated && sunset.is_none_or(passed)
}

pub(super) fn removed(versions: Versions<'_>, old: &Operation, terms: &Terms, changes: &mut Changes) {
    let may_go =
        could_go(old.deprecated, terms.sunset.as_deref(), versions.today) || is_unsettled(terms.stability.as_deref());
    let same_path = versions.new.operations.iter().find(|operation| operation.path.key() == old.path.key());
    let mut label = format!("has no `{}`", old.title());
    let (span, pointer) = match (same_path, versions.code, versions.new.paths) {
        (_, Some(twins), _) => {
            let (span, words) = twins.place(old, same_path);
            label = words;
            (span, String::new())
        }
        (Some(operation), ..) => (operation.span, operation.pointer.clone()),
        (None, None, paths) => (paths.unwrap_or(old.span), "/paths".to_owned()),
    };
    let was = match (&terms.sunset, old.deprecated) {
        (Some(sunset), true) => format!("deprecated until {sunset}"),
        (None, true) => "deprecated".to_owned(),
        _ => "not deprecated".to_owned(),
    };
    let change = Change {
        kind: if may_go { "sunset-operation-removed" } else { "operation-removed" },
        span,
        pointer,
        label,
        before: Some((old.span, "it was declared here".to_owned())).filter(|(before, _)| *before != span),
        field: None,
        subject: format!("`{}`", old.title()),
        was,
        is: String::new(),
        exchanged: "",
        at_most: versions.code.and_then(|twins| twins.doubt(old)),
        touched: Touched::Operation,
    };
    changes.of_operation(old, change);
}

/// One change for all that is served below another path now.
pub(super) fn moved(versions: Versions<'_>, moved: &Moved, changes: &mut Changes) {
    let words = |path: &str| format!("`{}`", if path.is_empty() { "/" } else { path });
    for (old, new) in &moved.pairs {
        let (old, new) = (&versions.old.operations[*old], &versions.new.operations[*new]);
        let change = Change {
            kind: "base-path",
            span: new.span,
            pointer: new.pointer.clone(),
            label: format!("serves `{}` now", new.title()),
            before: Some((old.span, format!("served `{}` before", old.title()))),
            field: None,
            subject: format!("{} operations", moved.pairs.len()),
            was: words(&moved.from),
            is: words(&moved.to),
            exchanged: "",
            at_most: None,
            touched: Touched::Operation,
        };
        changes.add((change.kind, None, None, moved.from.clone()), old.title(), change);
    }
}

pub(super) fn added(new: &Operation, changes: &mut Changes) {
    let change = Change {
        kind: "operation-added",
        span: new.span,
        pointer: new.pointer.clone(),
        label: "here".to_owned(),
        before: None,
        field: None,
        subject: format!("`{}`", new.title()),
        was: String::new(),
        is: String::new(),
        exchanged: "",
        at_most: None,
        touched: Touched::Nothing,
    };
    changes.of_operation(new, change);
}

/// The kind of a deprecation that is new, the notice that is due, and until when it stays.
pub(super) fn deprecated(
    versions: Versions<'_>,
    settled: bool,
    sunset: Option<&str>,
) -> (&'static str, String, String) {
    let is_short = settled && is_short(sunset, versions.today, versions.notice);
    let until = sunset.map_or_else(|| "no stated day".to_owned(), str::to_owned);
    (if is_short { "notice" } else { "deprecated" }, format!("{} days", versions.notice), until)
}

pub(super) fn both(versions: Versions<'_>, both: Both<'_>, changes: &mut Changes) {
    let title = format!("`{}`", both.new.title());
    let mut say = |kind, subject: &str, was: &str, is: &str| {
        changes.of_operation(both.new, about(kind, both, subject, was, is));
    };
    if both.new.deprecated && !both.old.deprecated {
        let settled = !is_unsettled(both.new_terms.stability.as_deref());
        let (kind, was, is) = deprecated(versions, settled, both.new_terms.sunset.as_deref());
        say(kind, &title, &was, &is);
    }
    if let Some(change) = sunset(
        (both.old.deprecated, both.old_terms.sunset.as_deref()),
        (both.new.deprecated, both.new_terms.sunset.as_deref()),
    ) {
        say("sunset", &title, &change.0, &change.1);
    }
    let (was, is) = (both.old_terms.stability.as_deref(), both.new_terms.stability.as_deref());
    if was != is && stability_decreased(was, is) {
        say("stability", &title, was.unwrap_or("nothing"), is.unwrap_or("nothing"));
    }
    match (&both.old.id, &both.new.id) {
        (Some(was), Some(is)) if was != is => say("operation-id", &format!("`{was}`"), was, is),
        (Some(was), None) => say("operation-id", &format!("`{was}`"), was, ""),
        _ => {}
    }
    for tag in both.old_terms.tags.iter().filter(|tag| !both.new_terms.tags.contains(tag)) {
        say("tag", &format!("`{tag}`"), tag, "");
    }
    let words = |ways: &[Vec<(String, Vec<String>)>]| {
        let way = |way: &Vec<(String, Vec<String>)>| -> String {
            let scheme = |(name, scopes): &(String, Vec<String>)| {
                if scopes.is_empty() { format!("`{name}`") } else { format!("`{name}` ({})", scopes.join(", ")) }
            };
            way.iter().map(scheme).collect::<Vec<_>>().join(" and ")
        };
        if ways.is_empty() { "nothing".to_owned() } else { ways.iter().map(way).collect::<Vec<_>>().join(" or ") }
    };
    let (was, is) = (&both.old_terms.security, &both.new_terms.security);
    if !lets_in(is, was) {
        say("security-added", &title, &words(was), &words(is));
    } else if !lets_in(was, is) {
        say("security-removed", &title, &words(was), &words(is));
    }
}

/// Whether whoever has what any of `had` asks for is let in by `asked`.
fn lets_in(asked: &[Vec<(String, Vec<String>)>], had: &[Vec<(String, Vec<String>)>]) -> bool {
    let satisfied = |way: &Vec<(String, Vec<String>)>, credentials: &[(String, Vec<String>)]| {
        way.iter().all(|(scheme, scopes)| {
            let held = credentials.iter().find(|(name, _)| name == scheme);
            held.is_some_and(|(_, held)| scopes.iter().all(|scope| held.contains(scope)))
        })
    };
    if asked.is_empty() {
        return true;
    }
    if had.is_empty() {
        return false;
    }
    had.iter().all(|credentials| asked.iter().any(|way| satisfied(way, credentials)))
}

pub(super) fn servers(versions: Versions<'_>, changes: &mut Changes) {
    let Versions { old, new, .. } = versions;
    // A document without servers is about whoever serves it.
    if new.servers.is_empty() {
        return;
    }
    for (url, span) in old.servers {
        let plain = |url: &str| url.trim_end_matches('/').to_owned();
        if new.servers.iter().any(|(known, _)| plain(known) == plain(url)) {
            continue;
        }
        let at: Span = new.servers.first().map_or(*span, |(_, span)| *span);
        let change = Change {
            kind: "server",
            span: at,
            pointer: String::new(),
            label: "here".to_owned(),
            before: Some((*span, "it was declared here".to_owned())),
            field: None,
            subject: format!("`{url}`"),
            was: url.clone(),
            is: String::new(),
            exchanged: "",
            at_most: None,
            touched: Touched::Nothing,
        };
        let cause = (change.kind, None, None, change.subject.clone());
        changes.found.entry(cause).or_insert_with(|| (change, Vec::new()));
    }
}

/// Schemes of both versions that ask for something else now. Those that are gone are told where operations ask for them.
pub(super) fn schemes(versions: Versions<'_>, changes: &mut Changes) {
    for old in versions.old.schemes {
        let Some(new) = versions.new.schemes.iter().find(|new| new.name == old.name) else { continue };
        let moved = |these: &Scheme, those: &Scheme| {
            let other: Vec<&str> =
                these.addresses.iter().filter(|it| !those.addresses.contains(it)).map(String::as_str).collect();
            if other.is_empty() { "without it".to_owned() } else { other.join(", ") }
        };
        let (was, is, at_most) = if old.words != new.words {
            (old.words.clone(), new.words.clone(), None)
        } else if old.addresses != new.addresses {
            (moved(old, new), moved(new, old), Some(Severity::Info))
        } else {
            continue;
        };
        let change = Change {
            kind: "security-scheme",
            span: new.span,
            pointer: String::new(),
            label: format!("here: {is}"),
            before: Some((old.span, format!("before: {was}"))),
            field: None,
            subject: format!("`{}`", old.name),
            was,
            is,
            exchanged: "",
            at_most,
            touched: Touched::Nothing,
        };
        let cause = (change.kind, None, None, change.subject.clone());
        changes.found.entry(cause).or_insert_with(|| (change, Vec::new()));
    }
}
