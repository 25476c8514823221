//! Disagreements about payloads as evidence: places, names and words of both sides.

use super::{Cause, Context};
use crate::checks::causes::contract_place;
use crate::checks::shape::{Difference, DifferenceKind, Side, render};
use crate::finding::{Evidence, Label, Severity};
use crate::model::{Action, Kind};

/// A member of a payload; `None` for what only two documents differ in.
pub(super) fn member(context: Context<'_>, difference: &Difference) -> Option<(Cause, Evidence)> {
    let Context { service, contract, usage, channel, message } = context;
    let promised = message.payload?;
    let kind = kind_of(usage.action, difference.kind)?;
    let code = &service.shapes;
    let (own, theirs): (&Side, &Side) = match usage.action {
        Action::Send => (&difference.producer, &difference.consumer),
        Action::Receive => (&difference.consumer, &difference.producer),
    };
    let owner = own.owner.map(|id| code.get(id));
    let type_name = owner.and_then(|owner| owner.name.clone());
    let type_span = owner.and_then(|owner| owner.span);
    let own_span = own.shape.filter(|_| owner.is_some()).and_then(|id| code.get(id).span);
    let span = own.span.or(type_span).or(own_span).unwrap_or(usage.span);
    let place = contract_place(contract, (promised, message.span), theirs, &difference.member);
    let schema = contract.shapes.view(theirs.owner.unwrap_or(promised));
    let schema_name = schema.shape.name.as_ref().or(schema.shape.title.as_ref()).or(message.name.as_ref());
    let shown_schema = schema_name.map_or_else(|| "the message".to_owned(), |name| format!("`{name}`"));
    let name = render(&difference.member);
    let path = if type_name.is_some() { name.clone() } else { render(&difference.path) };
    let field = if path.is_empty() { "the payload".to_owned() } else { format!("`{path}`") };
    let shown_type = format!("`{}`", type_name.as_ref().unwrap_or(&usage.function));
    let quoted = |text: &str| match difference.kind {
        DifferenceKind::Casing => format!("`{text}`"),
        _ => text.to_owned(),
    };
    let (expected, actual) = (quoted(&difference.expected), quoted(&difference.actual));
    let subject = match &type_name {
        Some(type_name) => format!("{type_name}.{name}"),
        None => format!("{channel} {}", render(&difference.path)),
    };
    let (label, contract_label) = labels(usage.action, difference.kind, &field, (&expected, &actual));
    let code_span = if owner.is_some() { type_span } else { Some(usage.span) };
    let cause = (kind, code_span, name, schema.shape.span.or(Some(place.span)), schema.shape.pointer.clone());
    let evidence = Evidence {
        kind,
        span,
        label,
        related: vec![Label { span: place.span, text: contract_label }],
        operations: Vec::new(),
        field: Some(path).filter(|path| !path.is_empty()),
        contract: Some(place),
        subject,
        values: vec![
            ("field", field),
            ("channel", format!("`{channel}`")),
            ("type", shown_type),
            ("schema", shown_schema),
            ("expected", expected),
            ("actual", actual),
        ],
        at_most: at_most(context, difference),
    };
    Some((cause, evidence))
}

fn kind_of(action: Action, kind: DifferenceKind) -> Option<&'static str> {
    let sent = action == Action::Send;
    Some(match kind {
        DifferenceKind::MissingField if sent => "missing-field",
        DifferenceKind::MissingField => "read-missing-field",
        DifferenceKind::MissingOptionalField if sent => "missing-optional-field",
        DifferenceKind::MissingOptionalField => "read-missing-optional-field",
        DifferenceKind::ExtraField if sent => "extra-field",
        DifferenceKind::ForbiddenField if sent => "forbidden-field",
        DifferenceKind::Casing if sent => "casing",
        DifferenceKind::Casing => "read-casing",
        DifferenceKind::Type if sent => "type",
        DifferenceKind::Type => "read-type",
        DifferenceKind::EnumValue if sent => "enum-value",
        DifferenceKind::EnumValue => "read-enum-value",
        DifferenceKind::Optional | DifferenceKind::LeftOut if sent => "optional",
        DifferenceKind::Optional | DifferenceKind::LeftOut => "read-optional",
        DifferenceKind::Nullable if sent => "nullable",
        DifferenceKind::Nullable => "read-nullable",
        _ => return None,
    })
}

/// What the two places show.
fn labels(action: Action, kind: DifferenceKind, field: &str, (expected, actual): (&str, &str)) -> (String, String) {
    let sent = action == Action::Send;
    match kind {
        DifferenceKind::MissingField if sent => (format!("has no {field}"), format!("{field} is required here")),
        DifferenceKind::MissingOptionalField if sent => {
            (format!("has no {field}"), format!("{field} is declared here"))
        }
        DifferenceKind::MissingField | DifferenceKind::MissingOptionalField => {
            (format!("reads {field}"), format!("declared without {field}"))
        }
        DifferenceKind::ExtraField => (format!("sends {field}"), format!("declared without {field}")),
        DifferenceKind::ForbiddenField => (format!("sends {field}"), "no further members are allowed here".to_owned()),
        DifferenceKind::Optional | DifferenceKind::LeftOut if sent => {
            ("may be left out".to_owned(), format!("{field} is required here"))
        }
        DifferenceKind::Optional | DifferenceKind::LeftOut => {
            ("taken for granted here".to_owned(), format!("{field} may be left out here"))
        }
        DifferenceKind::Nullable if sent => ("may be null".to_owned(), "null is not allowed here".to_owned()),
        DifferenceKind::Nullable => ("null is not expected here".to_owned(), "may be null here".to_owned()),
        _ if sent => (format!("sends {actual}"), format!("promises {expected}")),
        _ => (format!("takes {expected}"), format!("promises {actual}")),
    }
}

/// Where the kind alone says too much.
fn at_most(context: Context<'_>, difference: &Difference) -> Option<Severity> {
    let Context { service, contract, usage, .. } = context;
    let (code, document) = (&service.shapes, &contract.shapes);
    match (usage.action, difference.kind) {
        // Code knows some values of what the document leaves open.
        (Action::Receive, DifferenceKind::EnumValue) => {
            let said = difference.producer.shape.map(|id| document.view(id));
            said.filter(|said| said.shape.values.is_none()).map(|_| Severity::Info)
        }
        // Whole numbers are what is mostly meant.
        (Action::Receive, DifferenceKind::Type) => {
            let said = difference.producer.shape.map(|id| document.view(id));
            let taken = difference.consumer.shape.map(|id| code.view(id));
            let whole = matches!(
                (said.map(|it| it.shape.kind.clone()), taken.map(|it| it.shape.kind.clone())),
                (Some(Kind::Number), Some(Kind::Integer))
            );
            whole.then_some(Severity::Info)
        }
        _ => None,
    }
}
