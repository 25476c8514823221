//! Differences of shapes as changes, in the words of two versions rather than of a producer and a consumer.

use super::{Both, Change, Changes, Versions};
use crate::checks::shape::{Difference, DifferenceKind, Direction, Side, render};
use crate::contracts::Declarations;
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
    pub(super) is_parameter: bool,
    /// JSON's types are what is seen on the wire; XML and text know text only.
    pub(super) is_json: bool,
}

/// The finding's kind, and whether it is less certain than the kind says.
fn kind(difference: &Difference, direction: Direction, whole: &Whole) -> (&'static str, Option<Severity>) {
    let mild = |kind, is_mild: bool| (kind, is_mild.then_some(Severity::Warning));
    match (direction, difference.kind) {
        (Direction::Request, kind) => match kind {
            DifferenceKind::MissingField | DifferenceKind::Casing => ("request-field-required", None),
            DifferenceKind::MissingOptionalField => ("request-field-added", None),
            DifferenceKind::ExtraField => ("request-field-removed", None),
            DifferenceKind::ForbiddenField => ("request-field-forbidden", None),
            DifferenceKind::Optional | DifferenceKind::LeftOut => ("request-became-required", None),
            DifferenceKind::Type => ("request-type", None),
            DifferenceKind::EnumValue => ("request-enum", None),
            DifferenceKind::Nullable => ("request-null", None),
            DifferenceKind::Limit => mild("request-limit", difference.actual.is_empty()),
            DifferenceKind::Pattern => mild("request-pattern", !difference.actual.is_empty()),
            DifferenceKind::Constraint => ("request-constraint", None),
            DifferenceKind::Alternative => ("request-alternative", None),
            DifferenceKind::Closed => ("request-closed", None),
            DifferenceKind::Default if whole.is_parameter && difference.path.is_empty() => ("parameter-default", None),
            DifferenceKind::Default => ("request-default", None),
            DifferenceKind::Discriminator => ("request-discriminator", None),
        },
        (Direction::Response, kind) => match kind {
            DifferenceKind::MissingField | DifferenceKind::Casing => ("response-field-removed", None),
            DifferenceKind::MissingOptionalField => ("response-optional-field-removed", None),
            DifferenceKind::ExtraField => ("response-field-added", None),
            DifferenceKind::ForbiddenField => ("response-field-unexpected", None),
            DifferenceKind::Optional | DifferenceKind::LeftOut => ("response-became-optional", None),
            DifferenceKind::Type => ("response-type", None),
            DifferenceKind::EnumValue => ("response-enum", None),
            DifferenceKind::Nullable => ("response-null", None),
            DifferenceKind::Limit => ("response-limit", None),
            DifferenceKind::Pattern => ("response-pattern", None),
            DifferenceKind::Constraint => ("response-constraint", None),
            DifferenceKind::Alternative => ("response-alternative", None),
            DifferenceKind::Closed => ("response-open", None),
            DifferenceKind::Default => ("response-default", None),
            DifferenceKind::Discriminator => ("response-discriminator", None),
        },
    }
}

/// Adds what two shapes, compared in a direction, differ in.
pub(super) fn add(
    (versions, both): (Versions<'_>, Both<'_>),
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
        let (kind, mut at_most) = kind(difference, direction, whole);
        if difference.kind == DifferenceKind::Alternative && direction == Direction::Response && may_be_several(versions.old, before) {
            at_most = Some(Severity::Warning);
        }
        if difference.kind == DifferenceKind::Type && !whole.is_json {
            at_most = Some(Severity::Warning);
        }
        let member = render(if owners.is_some() { &difference.member } else { &difference.path });
        let span = place(versions.new, after);
        let (span, pointer) = span.unwrap_or_else(|| (whole.span, whole.pointer.clone()));
        let old_span = place(versions.old, before).map_or(whole.old_span, |(span, _)| span);
        let subject = subject(versions, (before, after), &member, whole);
        let change = Change {
            kind,
            span,
            pointer,
            label: label("here", is),
            before: Some((old_span, label("before", was))),
            field: Some(render(&difference.path)).filter(|field| !field.is_empty()),
            subject,
            was: if was.is_empty() { "nothing".to_owned() } else { was.clone() },
            is: if is.is_empty() { "nothing".to_owned() } else { is.clone() },
            at_most,
        };
        // Outside of any object, a shape that many share says where they all changed; one of its own is of its place.
        let named = |table: &Declarations, id: ShapeId| table.shapes.view(id).shape.name.is_some();
        let shared = named(versions.old, old) && named(versions.new, new);
        match owners {
            Some(owners) => changes.add((kind, Some(owners), Some(direction), member), both.new, change),
            None if shared => changes.add((kind, Some((old, new)), Some(direction), member), both.new, change),
            None => {
                let within = format!("{} {} {member}", both.new.title(), whole.words);
                changes.add((kind, None, Some(direction), within), both.new, change);
            }
        }
    }
}

/// What stands at a place, shortly.
fn label(where_it_is: &str, words: &str) -> String {
    if words.is_empty() { where_it_is.to_owned() } else { format!("{where_it_is}: {words}") }
}

/// Where a version declares the member, else the object around it.
fn place(version: &Declarations, side: Side) -> Option<(Span, String)> {
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
    let name = |version: &Declarations, owner: Option<ShapeId>| version.shapes.view(owner?).shape.name.clone();
    let owner = name(versions.new, after.owner).or_else(|| name(versions.old, before.owner));
    let owner = owner.map_or_else(|| whole.words.clone(), |owner| format!("`{owner}`"));
    if member.is_empty() { owner } else { format!("`{member}` of {owner}") }
}

/// Whether the alternatives may hold at once: `anyOf`.
fn may_be_several(version: &Declarations, side: Side) -> bool {
    side.shape.is_some_and(|id| {
        matches!(&version.shapes.view(id).shape.kind, Kind::Union(union) if !union.exclusive)
    })
}
