//! What a request gives and takes its answer for, through the one comparison of shapes.

use std::collections::BTreeMap;

use super::evidence::{Particular, particular};
use super::{
    CASING, MISSING_BODY, MISSING_MEMBER, MISSING_PARAMETER, Pair, READS_CASING, READS_MISSING, READS_TYPE, TYPE,
};
use crate::checks::parameters::words;
use crate::checks::shape::{Comparer, Difference, DifferenceKind, Policy, describe, render};
use crate::finding::{Evidence, Label, Severity};
use crate::model::{Body, ParameterPlace};

/// Of requests and of answers, by who asks and who answers.
pub(super) type Comparers<'a> = BTreeMap<(usize, usize), (Comparer<'a>, Comparer<'a>)>;
type Found = Vec<(&'static str, Evidence)>;

fn comparers<'c, 'a>(
    pair: Pair<'a>,
    key: (usize, usize),
    all: &'c mut Comparers<'a>,
) -> &'c mut (Comparer<'a>, Comparer<'a>) {
    // A client's types say little of null, and nothing that is known of a value that it computes.
    let policy = Policy { null: false, null_of_references: false, open_null: false, form: None };
    all.entry(key).or_insert_with(|| {
        (Comparer::of_requests(pair.asking, pair.answering), Comparer::new(pair.answering, pair.asking, policy))
    })
}

/// Required parameters and bodies that are not given, and members of the body.
pub(super) fn request<'a>(pair: Pair<'a>, key: (usize, usize), all: &mut Comparers<'a>, found: &mut Found) {
    let Pair { call, operation, place, sure, .. } = pair;
    let taken = &operation.request;
    let any_case = operation.implementation.as_ref().is_some_and(|code| code.any_case);
    let same = |a: &str, b: &str| if any_case { a.eq_ignore_ascii_case(b) } else { a == b };
    if call.other_parameters.is_none() && call.method.is_ok() {
        let required = taken.parameters.iter().filter(|it| it.required && it.place == ParameterPlace::Query);
        for parameter in required.filter(|it| !call.parameters.iter().any(|given| same(&given.name, &it.name))) {
            let particulars = Particular {
                kind: MISSING_PARAMETER,
                subject: words(parameter),
                field: Some(parameter.name.clone()),
                expected: describe(pair.answering, parameter.shape),
                actual: "nothing".to_owned(),
                label: "asked here without it".to_owned(),
                there: Label { span: parameter.span, text: "required here".to_owned() },
            };
            found.push((MISSING_PARAMETER, particular(call, operation, place, particulars, sure)));
        }
    }
    let body = |bodies: &'a [Body]| bodies.iter().find(|body| body.is_json());
    match (&call.body, body(&taken.bodies)) {
        (None, Some(wanted)) if taken.bodies.iter().all(|body| body.required) && call.method.is_ok() => {
            let particulars = Particular {
                kind: MISSING_BODY,
                subject: "the body".to_owned(),
                field: None,
                expected: describe(pair.answering, wanted.shape),
                actual: "nothing".to_owned(),
                label: "asked here without a body".to_owned(),
                there: Label { span: wanted.span, text: "required here".to_owned() },
            };
            found.push((MISSING_BODY, particular(call, operation, place, particulars, sure)));
        }
        (Some(sent), Some(wanted)) if sent.is_json() => {
            let differences = comparers(pair, key, all).0.differences(sent.shape, wanted.shape);
            for difference in differences.iter() {
                let kind = match difference.kind {
                    DifferenceKind::MissingField => MISSING_MEMBER,
                    DifferenceKind::Casing => CASING,
                    DifferenceKind::Type => TYPE,
                    _ => continue,
                };
                let particulars = member(kind, difference, wanted, "sent here", "taken here");
                let mut evidence = particular(call, operation, place, particulars, sure);
                // What has a type may have more members than that says.
                if kind == MISSING_MEMBER && call.other_members.is_some() {
                    evidence.at_most = Some(Severity::Info);
                }
                found.push((kind, evidence));
            }
        }
        _ => {}
    }
}

/// The type that the answer is taken for.
pub(super) fn answer<'a>(pair: Pair<'a>, key: (usize, usize), all: &mut Comparers<'a>, found: &mut Found) {
    let Pair { call, operation, place, sure, .. } = pair;
    let Some(read) = call.answer else { return };
    let success = operation.responses.iter().filter(|response| response.status.is_success());
    let mut bodies = success.flat_map(|response| &response.bodies).filter(|body| body.is_json());
    let (Some(given), None) = (bodies.next(), bodies.next()) else { return };
    let differences = comparers(pair, key, all).1.differences(given.shape, read);
    for difference in differences.iter() {
        let kind = match difference.kind {
            DifferenceKind::MissingField => READS_MISSING,
            DifferenceKind::Casing => READS_CASING,
            DifferenceKind::Type => READS_TYPE,
            _ => continue,
        };
        let particulars = member(kind, difference, given, "read here", "answered here");
        found.push((kind, particular(call, operation, place, particulars, sure)));
    }
}

fn member(kind: &'static str, difference: &Difference, there: &Body, label: &str, other: &str) -> Particular {
    let name = render(&difference.path);
    let reads = matches!(kind, READS_MISSING | READS_CASING | READS_TYPE);
    let theirs = if reads { &difference.producer } else { &difference.consumer };
    let (wanted, given) = (difference.expected.clone(), difference.actual.clone());
    let whole = if reads { "the answer" } else { "the body" };
    Particular {
        kind,
        subject: if name.is_empty() { whole.to_owned() } else { format!("`{name}` of {whole}") },
        field: Some(name).filter(|name| !name.is_empty()),
        expected: wanted,
        actual: given,
        label: label.to_owned(),
        there: Label { span: theirs.span.unwrap_or(there.span), text: other.to_owned() },
    }
}
