//! What must hold between the parts of a document: parameters and addresses, references to servers and security schemes,
//! ids that are unique, operations and the messages of their channels.

mod operations;
mod security;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Version;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::{Issue, IssueKind};
use crate::text::Span;

pub(super) fn check<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>) {
    let components = root.child("components");
    let sides: Vec<(bool, Place<'d>)> =
        std::iter::once((true, root.clone())).chain(components.map(|components| (false, components))).collect();
    for (is_root, side) in &sides {
        for server in named(reader, side, "servers") {
            variables(reader, version, &server);
        }
        for channel in named(reader, side, "channels") {
            // The key of a channel is its address in version 2, but in `components` it is a name alone.
            if version.major > 2 || *is_root {
                address(reader, version, &channel);
            }
            if *is_root {
                servers(reader, version, root, &channel.target);
            }
        }
    }
    operations::check(reader, version, root, &sides);
    security::check(reader, version, root);
}

/// A member of a map, by its name.
struct Named<'d> {
    name: &'d str,
    place: Place<'d>,
    /// Behind any reference.
    target: Place<'d>,
}

fn named<'d>(reader: &mut Reader<'d>, parent: &Place<'d>, key: &str) -> Vec<Named<'d>> {
    let members: Vec<_> = parent.child(key).iter().flat_map(Place::members).collect();
    let own = members.into_iter().filter(|(key, _)| !key.text.starts_with("x-"));
    own.filter_map(|(key, place)| {
        let target = reader.follow(place.clone())?;
        (target.node.is_object() && !target.node.cut).then_some(Named { name: &key.text, place, target })
    })
    .collect()
}

/// What stands in braces in an address or a URL, sorted.
fn expressions(text: &str) -> BTreeSet<&str> {
    let all = text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    all.filter(|name| !name.is_empty()).collect()
}

/// The address of a channel is plain, and its parameters are those that are described.
fn address<'d>(reader: &mut Reader<'d>, version: Version, channel: &Named<'d>) {
    let (text, span) = if version.major == 2 {
        (channel.name, channel.place.span)
    } else {
        let address = channel.target.child("address");
        let text = address.as_ref().and_then(|address| address.node.text()).unwrap_or("");
        (text, address.map_or(channel.place.span, |address| address.span))
    };
    if outside_braces(text).contains(['?', '#']) {
        let message = format!("address `{text}` of a channel must not have a query or a fragment");
        let help = "describe query parameters in the bindings of the channel";
        reader.issue(IssueKind::InvalidValue, span, &channel.place.pointer, message, Some(help));
    }
    described(reader, &channel.target, "parameters", "parameter", text, span);
}

fn outside_braces(text: &str) -> String {
    text.split('{')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('}').map_or("", |it| it.1) })
        .collect()
}

/// The variables of a server's address are those that are described.
fn variables<'d>(reader: &mut Reader<'d>, version: Version, server: &Named<'d>) {
    let keys: &[&str] = if version.major == 2 { &["url"] } else { &["host", "pathname"] };
    let text: String = keys.iter().filter_map(|key| server.target.text(key)).collect();
    let span = server.target.child(keys[0]).map_or(server.place.span, |address| address.span);
    described(reader, &server.target, "variables", "variable", &text, span);
}

/// Every expression of an address is described below `key`, and nothing else is.
fn described<'d>(reader: &mut Reader<'d>, of: &Place<'d>, key: &str, word: &str, text: &str, span: Span) {
    let wanted = expressions(text);
    let map = of.child(key);
    let members: Vec<_> = map.iter().flat_map(Place::members).filter(|(key, _)| !key.text.starts_with("x-")).collect();
    let missing: Vec<String> = wanted
        .iter()
        .filter(|name| map.as_ref().is_none_or(|map| map.node.get(name).is_none()))
        .map(|name| format!("`{{{name}}}`"))
        .collect();
    let is_cut = map.as_ref().is_some_and(|map| map.node.cut);
    if !missing.is_empty() && !is_cut {
        let (kind, place) = match &map {
            Some(map) => (IssueKind::InvalidValue, map),
            None => (IssueKind::MissingField, of),
        };
        let message = format!("{} of `{text}` is not described in `{key}`", missing.join(", "));
        let help = format!("describe each {word} of the address under `{key}`");
        reader.issue(kind, span, &place.pointer.clone(), message, Some(&help));
    }
    for (name, member) in members {
        if !wanted.contains(name.text.as_str()) {
            let message = format!("{word} `{}` does not occur in `{text}`", name.text);
            let help = format!("write `{{{}}}` into the address, or remove the {word}", name.text);
            reader.issue(IssueKind::InvalidValue, member.span, &member.pointer, message, Some(&help));
        }
    }
}

/// The servers of a channel are servers of the document.
fn servers<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>, channel: &Place<'d>) {
    let listed: Vec<_> = channel.child("servers").map(|list| list.items().collect()).unwrap_or_default();
    for server in listed {
        if version.major == 2 {
            let Some(name) = server.node.text() else { continue };
            if root.node.at(["servers", name]).is_none() {
                let message = format!("server `{name}` is not defined in `servers`");
                let help = "name a server of the document, or add this one";
                reader.issue(IssueKind::InvalidValue, server.span, &server.pointer, message, Some(help));
            }
            continue;
        }
        let Some((_, reference)) = server.node.entry("$ref") else { continue };
        let Some(text) = reference.text() else { continue };
        let pointer = format!("{}/$ref", server.pointer);
        let Some(target) = reader.resolve(server.source, text, reference.span, &pointer) else { continue };
        let is_root = target.source == root.source && is_directly_below(&target.pointer, "/servers");
        if !is_root && server.source == root.source {
            let message = format!("`{text}` is no server of the root `servers`");
            let help = "a channel of the root may only refer to servers of the root: `#/servers/…`";
            reader.issue(IssueKind::InvalidValue, reference.span, &pointer, message, Some(help));
        }
    }
}

fn is_directly_below(pointer: &str, parent: &str) -> bool {
    pointer.strip_prefix(parent).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| !name.contains('/'))
}

/// Ids that were met, and where.
#[derive(Default)]
struct Ids<'d> {
    seen: FxHashMap<&'d str, Span>,
}

impl<'d> Ids<'d> {
    /// Reports an id that another object has.
    fn add(&mut self, reader: &mut Reader<'d>, kind: IssueKind, key: &str, id: Option<Place<'d>>) {
        let Some(id) = id else { return };
        let Some(text) = id.node.text() else { return };
        match self.seen.get(text) {
            // Several references lead to the same object.
            Some(first) if *first == id.node.span => {}
            Some(first) => reader.issues.push(Issue {
                kind,
                span: id.node.span,
                pointer: id.pointer,
                message: format!("`{key}: {text}` is used by another one"),
                help: Some(format!("give each its own `{key}`")),
                related: Some((*first, "it is used here".to_owned())),
            }),
            None => {
                self.seen.insert(text, id.node.span);
            }
        }
    }
}
