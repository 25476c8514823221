//! Differences of shapes as changes, in the words of two versions rather than of a producer and a consumer.

use super::operations::deprecated;
use super::{Change, Changes, Touched, Version, Versions};
use crate::checks::shape::{Difference, DifferenceKind, Direction, Side, Step, render};
use crate::checks::stability::is_unsettled;
use crate::finding::Severity;
use crate::model::{Kind, ShapeId};
use crate::text::Span;

/// What is compared: a parameter, a header, a body.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// ``query parameter `limit` ``, `the request`, `the response 200`.
    pub(super) words: String,
    /// Where the new version declares it, with its JSON pointer.
    pub(super) span: Span,
    pub(super) pointer: String,
    pub(super) old_span: Span,
    /// A parameter that may be left out.
    pub(super) is_parameter: bool,
    /// JSON's types are what is seen on the wire; XML and text know text only.
    pub(super) is_json: bool,
    /// What of the operation it is.
    pub(super) touched: Touched,
}

impl Whole {
    /// What goes this way, in the words of who reads it.
    fn exchanged(&self, direction: Direction) -> &'static str {
        match (&self.touched, direction) {
            (Touched::Message(..), Direction::Request) => "messages that are received",
            (Touched::Message(..), Direction::Response) => "messages that are sent",
            (Touched::Schema, Direction::Request) => "what may be written",
            (Touched::Schema, Direction::Response) => "what is read",
            (_, Direction::Request) => "requests",
            (_, Direction::Response) => "responses",
        }
    }
}

/// The finding's kind for a difference that goes one way.
pub(super) fn name(kind: DifferenceKind, direction: Direction) -> &'static str {
    let (request, response) = match kind {
        DifferenceKind::MissingField | DifferenceKind::Casing => ("request-field-required", "response-field-removed"),
        DifferenceKind::MissingOptionalField => ("request-field-added", "response-optional-field-removed"),
        DifferenceKind::ExtraField => ("request-field-removed", "response-field-added"),
        DifferenceKind::ForbiddenField => ("request-field-forbidden", "response-field-unexpected"),
        DifferenceKind::Optional | DifferenceKind::LeftOut => ("request-became-required", "response-became-optional"),
        DifferenceKind::Type => ("request-type", "response-type"),
        DifferenceKind::EnumValue => ("request-enum", "response-enum"),
        DifferenceKind::Nullable => ("request-null", "response-null"),
        DifferenceKind::Limit => ("request-limit", "response-limit"),
        DifferenceKind::Pattern => ("request-pattern", "response-pattern"),
        DifferenceKind::Constraint => ("request-constraint", "response-constraint"),
        DifferenceKind::Alternative => ("request-alternative", "response-alternative"),
        DifferenceKind::Closed => ("request-closed", "response-open"),
        DifferenceKind::Default => ("request-default", "response-default"),
        DifferenceKind::Discriminator => ("request-discriminator", "response-discriminator"),
        DifferenceKind::Exposed => ("request-field-read-only", "response-field-exposed"),
        DifferenceKind::Deprecated => ("deprecated", "deprecated"),
        DifferenceKind::Sunset => ("sunset", "sunset"),
    };
    if direction == Direction::Request { request } else { response }
}

/// Where the kind alone says too much: never more severe than this.
fn at_most(versions: Versions<'_>, difference: &Difference, direction: Direction, whole: &Whole) -> Option<Severity> {
    let request = direction == Direction::Request;
    match difference.kind {
        // A bound where there was none, which what is sent may have kept all along.
        DifferenceKind::Limit if request && difference.actual.is_empty() => Some(Severity::Warning),
        // Of two patterns nobody knows which one takes more.
        DifferenceKind::Pattern if request && !difference.actual.is_empty() => Some(Severity::Warning),
        DifferenceKind::Alternative if !request && may_be_several(versions.old, difference.consumer) => {
            Some(Severity::Warning)
        }
        DifferenceKind::Type if !whole.is_json => Some(Severity::Info),
        _ => None,
    }
}

/// Adds what two shapes, compared in a direction, differ in.
pub(super) fn add(
    (versions, title): (Versions<'_>, &str),
    direction: Direction,
    (old, new): (ShapeId, ShapeId),
    whole: &Whole,
    differences: &[Difference],
    changes: &mut Changes,
) {
    for difference in differences {
        let (before, after, was, is) = match direction {
            Direction::Request => (difference.producer, difference.consumer, &difference.actual, &difference.expected),
            Direction::Response => (difference.consumer, difference.producer, &difference.expected, &difference.actual),
        };
        let owners = before.owner.zip(after.owner);
        let is_default = difference.kind == DifferenceKind::Default && difference.path.is_empty();
        let mut kind =
            if is_default && whole.is_parameter { "parameter-default" } else { name(difference.kind, direction) };
        let (mut was, mut is) = (was.clone(), is.clone());
        if difference.kind == DifferenceKind::Deprecated {
            let settled = !is_unsettled(stability(versions.new, after).as_deref());
            (kind, was, is) = deprecated(versions, settled, Some(is.as_str()).filter(|day| !day.is_empty()));
        }
        let at_most = at_most(versions, difference, direction, whole);
        let member = render(if owners.is_some() { &difference.member } else { &difference.path });
        let span = place(versions.new, after);
        let (span, pointer) = span.unwrap_or_else(|| (whole.span, whole.pointer.clone()));
        let old_span = place(versions.old, before).map_or(whole.old_span, |(span, _)| span);
        let subject = subject(versions, (before, after), &member, whole);
        let change = Change {
            kind,
            span,
            pointer,
            label: label("here", if kind == "deprecated" { "" } else { &is }),
            before: Some((old_span, label("before", if matches!(kind, "deprecated" | "notice") { "" } else { &was }))),
            field: Some(render(&difference.path)).filter(|field| !field.is_empty()),
            subject,
            was: if was.is_empty() { "nothing".to_owned() } else { was },
            is: if is.is_empty() { "nothing".to_owned() } else { is },
            exchanged: whole.exchanged(direction),
            at_most,
            touched: within(&whole.touched, &difference.path),
        };
        // Outside of any object, a shape that many share says where they all changed; one of its own is of its place.
        let named = |table: Version<'_>, id: ShapeId| table.shapes.view(id).shape.name.is_some();
        let shared = named(versions.old, old) && named(versions.new, new);
        // What goes both ways is deprecated once.
        let way = (!matches!(kind, "deprecated" | "notice" | "sunset")).then_some(direction);
        match owners {
            Some(owners) => changes.add((kind, Some(owners), way, member), title.to_owned(), change),
            None if shared => changes.add((kind, Some((old, new)), way, member), title.to_owned(), change),
            None => {
                let within = format!("{} {} {member}", title, whole.words);
                changes.add((kind, None, way, within), title.to_owned(), change);
            }
        }
    }
}

/// How settled a version says a value to be.
fn stability(version: Version<'_>, side: Side) -> Option<String> {
    let view = version.shapes.view(side.shape?);
    let keywords = &view.shape.limits.as_ref()?.keywords;
    let (_, level) = keywords.iter().find(|(name, _)| *name == "x-stability-level")?;
    Some(level.trim_matches('"').to_owned())
}

/// A member of what is touched.
fn within(whole: &Touched, path: &[Step]) -> Touched {
    match whole {
        Touched::Answer(_) => Touched::Answer(path.to_vec()),
        Touched::Body(_) => Touched::Body(path.to_vec()),
        Touched::Message(action, channel, _) => Touched::Message(*action, channel.clone(), path.to_vec()),
        other => other.clone(),
    }
}

/// What stands at a place, shortly.
fn label(where_it_is: &str, words: &str) -> String {
    if words.is_empty() { where_it_is.to_owned() } else { format!("{where_it_is}: {words}") }
}

/// Where a version declares the member, else the object around it.
fn place(version: Version<'_>, side: Side) -> Option<(Span, String)> {
    let of = |id: ShapeId| {
        let shape = version.shapes.get(id);
        Some((shape.span?, shape.pointer.clone()))
    };
    let shape = side.shape.and_then(of);
    let owner = side.owner.and_then(of);
    match side.span {
        Some(span) => Some((span, shape.or(owner).map_or_else(String::new, |(_, pointer)| pointer))),
        None => shape.or(owner),
    }
}

/// `` `name` of `User` ``, `` `name` of the request ``, ``query parameter `limit` ``.
fn subject(versions: Versions<'_>, (before, after): (Side, Side), member: &str, whole: &Whole) -> String {
    if member.is_empty() && before.owner.is_none() {
        return whole.words.clone();
    }
    let name = |version: Version<'_>, owner: Option<ShapeId>| version.shapes.view(owner?).shape.name.clone();
    let owner = name(versions.new, after.owner).or_else(|| name(versions.old, before.owner));
    let owner = owner.map_or_else(|| whole.words.clone(), |owner| format!("`{owner}`"));
    if member.is_empty() { owner } else { format!("`{member}` of {owner}") }
}

/// Whether the alternatives may hold at once: `anyOf`.
fn may_be_several(version: Version<'_>, side: Side) -> bool {
    side.shape.is_some_and(|id| matches!(&version.shapes.view(id).shape.kind, Kind::Union(union) if !union.exclusive))
}
