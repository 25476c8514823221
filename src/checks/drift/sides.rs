//! Two declarations of one model, member by member: what one side lacks or says differently, seen from both.

use std::collections::{BTreeMap, BTreeSet};

use super::schemas::Schema;
use super::{
    CASING, ENUM_VALUE, EXTRA_FIELD, End, FORBIDDEN_FIELD, Found, MISSING_FIELD, MISSING_OPTIONAL_FIELD, NULLABLE,
    OPEN_VALUES, OPTIONAL, SUBSET, TYPE, Twins,
};
use crate::checks::shape::{Comparer, Difference, DifferenceKind, Direction, Policy, Step, render};
use crate::finding::Severity;
use crate::model::{Additional, Kind, Literal, ShapeId, name_key};

/// Members that a side lacks are listed this far; for the rest stands `…`.
const MAX_LISTED: usize = 8;

/// What was not compared because there was too much of it.
pub(super) type Cuts = BTreeSet<&'static str>;

/// A type of code against the schema that it is shared by.
pub(super) fn against_schema(schema: &Schema<'_>, code: &End<'_>, cuts: &mut Cuts) -> Vec<Found> {
    let policy =
        Policy { null: schema.states_null, null_of_references: schema.states_null, open_null: false, form: None };
    let mut comparer = Comparer::new(code.shapes, schema.end.shapes, policy);
    let differences = comparer.differences(code.shape, schema.end.shape);
    cuts.extend(comparer.cuts());
    let kinds = |difference: &Difference| {
        Some(match difference.kind {
            DifferenceKind::MissingField => (MISSING_FIELD, None),
            DifferenceKind::MissingOptionalField => (MISSING_OPTIONAL_FIELD, Some(Severity::Info)),
            DifferenceKind::ExtraField => (EXTRA_FIELD, None),
            DifferenceKind::ForbiddenField => (FORBIDDEN_FIELD, None),
            DifferenceKind::Casing => (CASING, None),
            DifferenceKind::Type => (TYPE, None),
            DifferenceKind::EnumValue => (ENUM_VALUE, None),
            DifferenceKind::Optional | DifferenceKind::LeftOut => (OPTIONAL, None),
            DifferenceKind::Nullable => (NULLABLE, None),
            _ => return None,
        })
    };
    let found = differences.iter().filter_map(|difference| {
        let (kind, at_most) = kinds(difference)?;
        Some(Found { kind, at_most: lower(at_most, schema.at_most), ..of(difference, true) })
    });
    found.collect()
}

/// Two declarations of one model.
pub(super) fn between(twins: &Twins<'_>, cuts: &mut Cuts) -> Vec<Found> {
    let (sender, receiver) = (&twins.sender, &twins.receiver);
    let mut sent = differences(sender, receiver, cuts);
    sent.retain(|difference| sender.document || !says_nothing(sender, difference));
    let back = differences(receiver, sender, cuts);
    let mut found = Vec::new();
    lacking(twins, &sent, &back, &mut found);
    for (differences, others, forward) in [(&sent, &back, true), (&back, &sent, false)] {
        for difference in differences {
            let both = others.iter().any(|other| {
                let same = other.path == difference.path && other.kind == difference.kind;
                same && format(twins, other, !forward).is_none()
            });
            // What goes the other way only is no fault of who sends.
            let is_closed = is_closed_for_one(twins, difference, forward) && !is_constant(twins, difference);
            if !forward && (both || twins.directed) && !is_closed {
                continue;
            }
            if let Some((kind, at_most)) = weighed(twins, difference, both, forward) {
                let at_most = lower(at_most, twins.at_most);
                found.push(Found { kind, at_most, ..of(difference, forward) });
            }
        }
    }
    found
}

/// Whether code that sends says nothing of what differs: a value of any type, a member of what may have any members.
fn says_nothing(sender: &End<'_>, difference: &Difference) -> bool {
    let shape = |id: Option<ShapeId>| id.map(|id| sender.shapes.view(id));
    match difference.kind {
        DifferenceKind::Type => {
            shape(difference.producer.shape).is_some_and(|view| matches!(view.shape.kind, Kind::Any))
        }
        DifferenceKind::MissingField | DifferenceKind::MissingOptionalField => {
            let owner = shape(difference.producer.owner);
            owner.is_some_and(|view| match &view.shape.kind {
                Kind::Object(object) => matches!(object.additional, Additional::Of(_)),
                _ => false,
            })
        }
        _ => false,
    }
}

fn lower(one: Option<Severity>, other: Option<Severity>) -> Option<Severity> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn differences(from: &End<'_>, to: &End<'_>, cuts: &mut Cuts) -> Vec<Difference> {
    let mut comparer = Comparer::of_documents(from.shapes, to.shapes, Direction::Response);
    let found = comparer.differences(from.shape, to.shape).to_vec();
    cuts.extend(comparer.cuts());
    found
}

/// What a difference is called and how much it may weigh; `None` where it is no drift.
fn weighed(
    twins: &Twins<'_>,
    difference: &Difference,
    both: bool,
    forward: bool,
) -> Option<(&'static str, Option<Severity>)> {
    let stated = twins.sender.document && twins.receiver.document;
    let doubt = (!twins.directed && !both).then_some(Severity::Info);
    Some(match difference.kind {
        DifferenceKind::Type => match format(twins, difference, forward) {
            // A document that states no format says nothing of it.
            Some(Format::Unstated) if stated => return None,
            Some(_) => (TYPE, Some(Severity::Info)),
            None => (TYPE, doubt),
        },
        DifferenceKind::EnumValue if is_closed_for_one(twins, difference, forward) => (OPEN_VALUES, None),
        DifferenceKind::EnumValue => (ENUM_VALUE, doubt.map(|_| Severity::Warning)),
        DifferenceKind::Optional | DifferenceKind::LeftOut => {
            (OPTIONAL, (!twins.directed && !stated).then_some(Severity::Info))
        }
        DifferenceKind::Nullable => (NULLABLE, Some(Severity::Info)),
        _ => return None,
    })
}

/// Whether one side has a closed set of values where the other takes any of the kind.
fn is_closed_for_one(twins: &Twins<'_>, difference: &Difference, forward: bool) -> bool {
    let (from, to) = ends(twins, forward);
    let values =
        |end: &End<'_>, id: Option<ShapeId>| -> Option<Vec<Literal>> { end.shapes.view(id?).shape.values.clone() };
    difference.kind == DifferenceKind::EnumValue
        && values(from, difference.producer.shape).is_none()
        && values(to, difference.consumer.shape).is_some()
}

/// Whether the sender's code says one value alone: what it sends here, not all that there may be.
fn is_constant(twins: &Twins<'_>, difference: &Difference) -> bool {
    let sender = &twins.sender;
    let values = difference.consumer.shape.and_then(|id| sender.shapes.view(id).shape.values.clone());
    twins.directed && !sender.document && values.is_some_and(|values| values.len() == 1)
}

/// How the formats of two values differ, of which one has the kind of the other.
enum Format {
    /// One has none.
    Unstated,
    Another,
}

/// `None` where not only the format differs.
fn format(twins: &Twins<'_>, difference: &Difference, forward: bool) -> Option<Format> {
    if difference.kind != DifferenceKind::Type {
        return None;
    }
    let (from, to) = ends(twins, forward);
    let (sent, promised) = (from.shapes.view(difference.producer.shape?), to.shapes.view(difference.consumer.shape?));
    let fits = match (&sent.shape.kind, &promised.shape.kind) {
        (Kind::Integer | Kind::Numeric, Kind::Number) | (Kind::Numeric, Kind::Integer) => true,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    };
    let unstated = sent.shape.format.is_none() || promised.shape.format.is_none();
    fits.then_some(if unstated { Format::Unstated } else { Format::Another })
}

fn ends<'t, 'a>(twins: &'t Twins<'a>, forward: bool) -> (&'t End<'a>, &'t End<'a>) {
    if forward { (&twins.sender, &twins.receiver) } else { (&twins.receiver, &twins.sender) }
}

fn of(difference: &Difference, forward: bool) -> Found {
    let words = |text: &str| match difference.kind {
        DifferenceKind::Casing => format!("`{text}`"),
        _ => text.to_owned(),
    };
    Found {
        kind: TYPE,
        at_most: None,
        sender: forward,
        path: render(&difference.path),
        owners: (difference.producer.owner, difference.consumer.owner),
        spans: (difference.producer.span, difference.consumer.span),
        shapes: (difference.producer.shape, difference.consumer.shape),
        member: render(&difference.member),
        expected: words(&difference.expected),
        actual: words(&difference.actual),
    }
}

/// Members that one of two objects does not have.
#[derive(Default)]
struct Lacked<'d> {
    /// By the sender, which the receiver declares; and the other way.
    sender: Vec<&'d Difference>,
    receiver: Vec<&'d Difference>,
}

/// What each side does not have of what the other declares, object by object.
fn lacking(twins: &Twins<'_>, sent: &[Difference], back: &[Difference], found: &mut Vec<Found>) {
    let mut objects: BTreeMap<&[Step], Lacked<'_>> = BTreeMap::new();
    for (differences, forward) in [(sent, true), (back, false)] {
        for difference in differences {
            if matches!(difference.kind, DifferenceKind::MissingField | DifferenceKind::MissingOptionalField)
                && let Some((Step::Field(_), around)) = difference.path.split_last()
            {
                let lacked = objects.entry(around).or_default();
                if forward { &mut lacked.sender } else { &mut lacked.receiver }.push(difference);
            }
        }
    }
    for lacked in objects.values_mut() {
        recased(twins, lacked, found);
        let diverged = !lacked.sender.is_empty() && !lacked.receiver.is_empty();
        for (forward, list) in [(true, &lacked.sender), (false, &lacked.receiver)] {
            let mut tolerated = Vec::new();
            for difference in list {
                match needed(twins, difference, forward, diverged) {
                    Some((kind, at_most)) => {
                        let at_most = lower(at_most, twins.at_most);
                        found.push(Found { kind, at_most, ..of(difference, forward) });
                    }
                    None => tolerated.push(*difference),
                }
            }
            if let Some(first) = tolerated.first() {
                found.push(subset(first, &tolerated, forward));
            }
        }
    }
}

/// What a lacking member is called where whoever declares it needs it; `None` where it can do without.
fn needed(
    twins: &Twins<'_>,
    difference: &Difference,
    forward: bool,
    diverged: bool,
) -> Option<(&'static str, Option<Severity>)> {
    let (_, declares) = ends(twins, forward);
    let required = difference.kind == DifferenceKind::MissingField;
    match (twins.directed, forward) {
        // It reads what is never sent.
        (true, true) if required => Some((MISSING_FIELD, None)),
        (true, true) if twins.among => None,
        (true, true) => Some((MISSING_OPTIONAL_FIELD, declares.document.then_some(Severity::Info))),
        // It does not read everything.
        (true, false) => None,
        (false, _) if declares.document => required.then_some((MISSING_FIELD, Some(Severity::Warning))),
        // Whichever sends it, the other reads what is never sent.
        (false, _) => diverged.then_some((MISSING_OPTIONAL_FIELD, None)),
    }
}

/// One finding for all members that a side can do without.
fn subset(first: &Difference, all: &[&Difference], forward: bool) -> Found {
    let mut names: Vec<String> =
        all.iter().take(MAX_LISTED).map(|difference| format!("`{}`", render(&difference.member))).collect();
    if all.len() > MAX_LISTED {
        names.push("…".to_owned());
    }
    let around = first.path.split_last().map_or(&[][..], |(_, around)| around);
    Found {
        kind: SUBSET,
        path: render(around),
        // Of the objects, not of the first member.
        spans: (None, None),
        shapes: (None, None),
        member: String::new(),
        expected: names.join(", "),
        actual: String::new(),
        ..of(first, forward)
    }
}

/// Takes out members that both have in another casing. Where the types spell them alike, the serialisers differ, which
/// whoever connects the two has set up.
fn recased(twins: &Twins<'_>, lacked: &mut Lacked<'_>, found: &mut Vec<Found>) {
    let mut by_key: BTreeMap<String, &Difference> = BTreeMap::new();
    for difference in &lacked.receiver {
        by_key.insert(name_key(last(difference)), difference);
    }
    let mut taken: Vec<String> = Vec::new();
    lacked.sender.retain(|difference| {
        let key = name_key(last(difference));
        let Some(twin) = by_key.get(&key) else { return true };
        let mine = declared(&twins.sender, twin.consumer.owner, last(twin));
        let theirs = declared(&twins.receiver, difference.consumer.owner, last(difference));
        if mine != theirs {
            found.push(Found {
                kind: CASING,
                at_most: twins.at_most,
                spans: (twin.consumer.span, difference.consumer.span),
                shapes: (twin.consumer.shape, difference.consumer.shape),
                expected: format!("`{}`", last(difference)),
                actual: format!("`{}`", last(twin)),
                ..of(difference, true)
            });
        }
        taken.push(key);
        false
    });
    lacked.receiver.retain(|difference| !taken.contains(&name_key(last(difference))));
}

fn last(difference: &Difference) -> &str {
    match difference.path.last() {
        Some(Step::Field(name)) => name,
        _ => "",
    }
}

/// How a type spells a member, whatever its name on the wire is.
fn declared(end: &End<'_>, owner: Option<ShapeId>, name: &str) -> String {
    let view = owner.map(|owner| end.shapes.view(owner));
    let field = match view.as_ref().map(|view| &view.shape.kind) {
        Some(Kind::Object(object)) => object.fields.iter().find(|field| field.name == name),
        _ => None,
    };
    field.and_then(|field| field.declared.clone()).unwrap_or_else(|| name.to_owned())
}
