//! Disagreements about requests as evidence: places, names and words of both sides.

use super::{
    CASING, Context, ENUM_VALUE, FORBIDDEN, Found, MEDIA, MISSING, MISSING_BODY, NULLABLE, REQUIRED, REQUIRED_BODY,
    TYPE, UNDOCUMENTED, UNKNOWN, UNKNOWN_BODY,
};
use crate::checks::causes::{Cause, handler, route_span};
use crate::checks::member::{Around, Member, closed_set, quoted};
use crate::checks::parameters::{is_any_text, words};
use crate::checks::shape::{Difference, DifferenceKind, describe, render};
use crate::finding::{ContractPlace, Evidence, Label, Severity};
use crate::model::{Body, Kind, Parameter, ParameterPlace};

/// A parameter that one side does not have, or has in another way as a whole.
pub(super) fn stray(
    context: Context<'_>,
    kind: &'static str,
    sent: Option<&Parameter>,
    taken: Option<&Parameter>,
    at_most: Option<Severity>,
) -> Found {
    let Context { service, contract, declared, served, .. } = context;
    let named = taken.or(sent).map(words).unwrap_or_default();
    let expected = taken.map(|parameter| describe(&service.shapes, parameter.shape)).unwrap_or_default();
    let actual = sent.map(|parameter| describe(&contract.shapes, parameter.shape)).unwrap_or_default();
    let (expected, actual) = match (kind, sent, taken) {
        (CASING, Some(sent), Some(taken)) => (format!("`{}`", taken.name), format!("`{}`", sent.name)),
        _ => (expected, actual),
    };
    let route = route_span(served, served.span);
    let span = taken.map_or(route, |parameter| parameter.span);
    let place = match sent {
        Some(parameter) => ContractPlace { span: parameter.span, pointer: declared.pointer.clone() },
        None => ContractPlace { span: declared.span, pointer: declared.pointer.clone() },
    };
    let subject = sent.or(taken).map(words).unwrap_or_default();
    // A parameter of the contract that many operations share may be taken by some of the routes.
    let owner = if taken.is_some() { span } else { place.span };
    let cause: Cause = (kind, Some(owner), subject.clone(), String::new(), sent.map(|sent| sent.span), String::new());
    let shown = if kind == CASING { subject.clone() } else { named };
    let label = match kind {
        UNKNOWN => format!("takes no {shown}"),
        CASING => format!("reads {expected}"),
        MISSING | REQUIRED => "required here".to_owned(),
        _ => "taken here".to_owned(),
    };
    let contract_label = match kind {
        MISSING | UNDOCUMENTED => format!("described without {shown}"),
        REQUIRED => "may be left out here".to_owned(),
        _ => "described here".to_owned(),
    };
    let evidence = Evidence {
        kind,
        span,
        label,
        related: vec![Label { span: place.span, text: contract_label }],
        operations: Vec::new(),
        field: sent.or(taken).map(|parameter| parameter.name.clone()),
        contract: Some(place),
        subject: format!("{} {subject}", declared.title()),
        values: values(shown, handler(served), "the contract".to_owned(), expected, actual),
        at_most: limit(context, kind, at_most),
    };
    Found { essence: (kind, subject), cause, evidence }
}

/// A value of a parameter that code does not take.
pub(super) fn parameter_difference(
    context: Context<'_>,
    (sent, taken): (&Parameter, &Parameter),
    difference: &Difference,
) -> Found {
    let kind = if difference.kind == DifferenceKind::EnumValue { ENUM_VALUE } else { TYPE };
    // No path is found where a part of it is of another form; nobody relies on what such an address answers.
    let says_less = sent.place == ParameterPlace::Path
        && difference.path.is_empty()
        && is_any_text(&context.contract.shapes.view(sent.shape).shape);
    let at_most = if says_less { Some(Severity::Warning) } else { at_most(context, difference) };
    let mut found = stray(context, kind, Some(sent), Some(taken), at_most);
    let member = render(&difference.path);
    let label = format!("takes {}", difference.expected);
    found.essence.1 = format!("{} {member}", found.essence.1);
    found.cause.3.clone_from(&member);
    found.evidence.label = label;
    found.evidence.related[0].text = format!("can be {}", difference.actual);
    let shown = if member.is_empty() { words(taken) } else { format!("`{member}` of {}", words(taken)) };
    let (expected, actual) = (difference.expected.clone(), difference.actual.clone());
    found.evidence.values = values(shown, handler(context.served), "the contract".to_owned(), expected, actual);
    found
}

/// The body as a whole.
pub(super) fn whole_body(context: Context<'_>, kind: &'static str, sent: Option<&Body>, taken: Option<&Body>) -> Found {
    let Context { service, contract, declared, served, .. } = context;
    let (expected, actual) = match (kind, sent, taken) {
        (MEDIA, Some(sent), Some(taken)) => (format!("`{}`", taken.media), format!("`{}`", sent.media)),
        _ => (
            taken.map(|body| describe(&service.shapes, body.shape)).unwrap_or_default(),
            sent.map(|body| describe(&contract.shapes, body.shape)).unwrap_or_default(),
        ),
    };
    let span = taken.map_or(route_span(served, served.span), |body| body.span);
    let place = ContractPlace {
        span: sent.map_or(declared.span, |body| body.span),
        pointer: match sent {
            Some(_) => format!("{}/requestBody", declared.pointer),
            None => declared.pointer.clone(),
        },
    };
    let (label, contract_label) = match kind {
        MISSING_BODY => ("a body is required here", "described without a body"),
        REQUIRED_BODY => ("required here", "may be left out here"),
        UNKNOWN_BODY => ("takes no body", "a body is described here"),
        _ => ("taken here", "described here"),
    };
    let evidence = Evidence {
        kind,
        span,
        label: label.to_owned(),
        related: vec![Label { span: place.span, text: contract_label.to_owned() }],
        operations: Vec::new(),
        field: None,
        subject: format!("{} body", declared.title()),
        values: values("the body".to_owned(), handler(served), "the contract".to_owned(), expected, actual),
        at_most: limit(context, kind, None),
        contract: Some(place.clone()),
    };
    let cause = (kind, Some(span), String::new(), String::new(), Some(place.span), place.pointer);
    Found { essence: (kind, String::new()), cause, evidence }
}

/// A member of the body; `None` for what only two documents differ in.
pub(super) fn body_difference(
    context: Context<'_>,
    (sent, taken): (&Body, &Body),
    difference: &Difference,
) -> Option<Found> {
    let kind = kind_of(difference.kind)?;
    let Context { service, contract, declared, served, .. } = context;
    let around = Around {
        code: &service.shapes,
        contract,
        sends: false,
        whole: (sent.shape, sent.span),
        at: route_span(served, taken.span),
    };
    let member = Member::of(&around, difference);
    let (about, cause) = closed_set(&around, ENUM_VALUE, difference)
        .unwrap_or_else(|| (member.subject(&declared.title()), member.cause(kind)));
    let subject = member.shown("the body");
    let (expected, actual) = (member.expected.clone(), member.actual.clone());
    let label = match kind {
        MISSING | REQUIRED => "required here".to_owned(),
        UNDOCUMENTED => "taken here".to_owned(),
        UNKNOWN | FORBIDDEN => format!("takes no {subject}"),
        CASING => format!("reads {expected}"),
        _ => format!("takes {expected}"),
    };
    let contract_label = match kind {
        MISSING | UNDOCUMENTED => format!("described without {subject}"),
        REQUIRED => "may be left out here".to_owned(),
        NULLABLE => "may be null here".to_owned(),
        UNKNOWN | FORBIDDEN => "described here".to_owned(),
        CASING => format!("described as {actual}"),
        _ => format!("can be {actual}"),
    };
    let shown_type = quoted(member.type_name.as_ref(), &handler(served));
    let shown_schema = quoted(member.schema_name.as_ref(), "the contract");
    let evidence = Evidence {
        kind,
        span: member.span,
        label,
        related: vec![Label { span: member.place.span, text: contract_label }],
        operations: Vec::new(),
        field: member.field(),
        contract: Some(member.place),
        subject: about,
        values: values(subject, shown_type, shown_schema, expected, actual),
        at_most: limit(context, kind, at_most(context, difference)),
    };
    Some(Found { essence: (kind, render(&difference.path)), cause, evidence })
}

fn kind_of(kind: DifferenceKind) -> Option<&'static str> {
    Some(match kind {
        DifferenceKind::MissingField => MISSING,
        DifferenceKind::MissingOptionalField => UNDOCUMENTED,
        DifferenceKind::ExtraField => UNKNOWN,
        DifferenceKind::ForbiddenField => FORBIDDEN,
        DifferenceKind::Casing => CASING,
        DifferenceKind::Type => TYPE,
        DifferenceKind::EnumValue => ENUM_VALUE,
        DifferenceKind::Optional | DifferenceKind::LeftOut => REQUIRED,
        DifferenceKind::Nullable => NULLABLE,
        _ => return None,
    })
}

/// What nothing checks is refused by nobody: types that differ are two opinions, and what a type requires may be missing.
fn limit(context: Context<'_>, kind: &str, own: Option<Severity>) -> Option<Severity> {
    let unchecked = match kind {
        _ if !context.served.request.unchecked => None,
        MISSING | REQUIRED | NULLABLE | REQUIRED_BODY | MISSING_BODY => Some(Severity::Info),
        _ => Some(Severity::Warning),
    };
    match (own, unchecked) {
        (Some(own), Some(unchecked)) => Some(own.min(unchecked)),
        (own, unchecked) => own.or(unchecked),
    }
}

/// Where the kind alone says too much.
fn at_most(context: Context<'_>, difference: &Difference) -> Option<Severity> {
    let sent = difference.producer.shape.map(|id| context.contract.shapes.view(id));
    let taken = difference.consumer.shape.map(|id| context.service.shapes.view(id));
    match (difference.kind, sent, taken) {
        // Whole numbers are what is mostly meant.
        (DifferenceKind::Type, Some(sent), Some(taken))
            if matches!((&sent.shape.kind, &taken.shape.kind), (Kind::Number, Kind::Integer)) =>
        {
            Some(Severity::Warning)
        }
        // The contract says less, not something else.
        (DifferenceKind::EnumValue, Some(sent), _) if sent.shape.values.is_none() => Some(Severity::Warning),
        (DifferenceKind::ExtraField, Some(sent), _) if sent.shape.deprecated => Some(Severity::Info),
        _ => None,
    }
}

fn values(
    subject: String,
    owner: String,
    schema: String,
    expected: String,
    actual: String,
) -> Vec<(&'static str, String)> {
    vec![("subject", subject), ("type", owner), ("schema", schema), ("expected", expected), ("actual", actual)]
}
