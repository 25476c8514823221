//! Disagreements about payloads as evidence: places, names and words of both sides.

use super::Context;
use crate::checks::causes::Cause;
use crate::checks::member::{Around, Member, labels_of_sent, quoted};
use crate::checks::shape::{Difference, DifferenceKind};
use crate::finding::{Evidence, Label, Severity};
use crate::model::{Action, Kind};

/// A member of a payload; `None` for what only two documents differ in.
pub(super) fn member(context: Context<'_>, difference: &Difference) -> Option<(Cause, Evidence)> {
    let Context { service, contract, usage, channel, message } = context;
    let kind = kind_of(usage.action, difference.kind)?;
    let around = Around {
        code: &service.shapes,
        contract,
        sends: usage.action == Action::Send,
        whole: (message.payload?, message.span),
        at: usage.span,
    };
    let member = Member::of(&around, difference);
    let field = quoted(member.field().as_ref(), "the payload");
    let (label, contract_label) = match usage.action {
        Action::Send => labels_of_sent(difference.kind, &field, &member.expected, &member.actual),
        Action::Receive => labels_of_taken(difference.kind, &field, &member.expected, &member.actual),
    };
    let schema = member.schema_name.as_ref().or(message.name.as_ref());
    let cause = member.cause(kind);
    let evidence = Evidence {
        kind,
        span: member.span,
        label,
        related: vec![Label { span: member.place.span, text: contract_label }],
        operations: Vec::new(),
        field: member.field(),
        subject: member.subject(channel),
        values: vec![
            ("field", field),
            ("channel", format!("`{channel}`")),
            ("type", format!("`{}`", member.type_name.as_ref().unwrap_or(&usage.function))),
            ("schema", quoted(schema, "the message")),
            ("expected", member.expected),
            ("actual", member.actual),
        ],
        contract: Some(member.place),
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

/// What the two places show where code takes something else than is promised.
fn labels_of_taken(kind: DifferenceKind, field: &str, expected: &str, actual: &str) -> (String, String) {
    match kind {
        DifferenceKind::MissingField | DifferenceKind::MissingOptionalField => {
            (format!("reads {field}"), format!("declared without {field}"))
        }
        DifferenceKind::Optional | DifferenceKind::LeftOut => {
            ("taken for granted here".to_owned(), format!("{field} may be left out here"))
        }
        DifferenceKind::Nullable => ("null is not expected here".to_owned(), "may be null here".to_owned()),
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
