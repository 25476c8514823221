//! What a request gives and takes its answer for, through the one comparison of shapes.

use std::collections::BTreeMap;

use super::evidence::{Particular, particular};
use super::{
    CASING, MISSING_BODY, MISSING_MEMBER, MISSING_PARAMETER, Pair, READS_CASING, READS_MISSING, READS_TYPE, TYPE,
};
use crate::checks::parameters::words;
use crate::checks::shape::{Comparer, Difference, DifferenceKind, Policy, describe, render};
use crate::finding::{Evidence, Label, Severity};
use crate::model::{Body, Kind, ParameterPlace, ShapeId};

/// Of requests and of answers, by who asks and who answers.
pub(super) type Comparers<'a> = BTreeMap<(usize, usize), Both<'a>>;

/// What goes each way, and the same from the other end: a type is wrong where neither of two holds the other.
pub(super) struct Both<'a> {
    request: Comparer<'a>,
    answer: Comparer<'a>,
    request_back: Comparer<'a>,
    answer_back: Comparer<'a>,
}

impl Both<'_> {
    /// What was not compared because there was too much of it.
    pub(super) fn cuts(&self) -> impl Iterator<Item = &'static str> {
        [&self.request, &self.answer, &self.request_back, &self.answer_back].into_iter().flat_map(Comparer::cuts)
    }
}

type Found = Vec<(&'static str, Evidence)>;

fn comparers<'c, 'a>(pair: Pair<'a>, key: (usize, usize), all: &'c mut Comparers<'a>) -> &'c mut Both<'a> {
    // A client's types say little of null, and nothing that is known of a value that it computes.
    let policy = Policy { null: false, null_of_references: false, open_null: false, form: None };
    let (asking, answering) = (pair.asking, pair.answering);
    let to_code = pair.place.contract.is_none();
    all.entry(key).or_insert_with(|| Both {
        request: if to_code { Comparer::of_calls(asking, answering) } else { Comparer::of_requests(asking, answering) },
        answer: Comparer::new(answering, asking, policy),
        request_back: Comparer::of_requests(answering, asking),
        answer_back: Comparer::new(asking, answering, policy),
    })
}

/// The ways in which one shape breaks another; of types only those that differ from the other end as well.
fn differences(there: &mut Comparer<'_>, back: &mut Comparer<'_>, sent: ShapeId, wanted: ShapeId) -> Vec<Difference> {
    let found = there.differences(sent, wanted);
    if !found.iter().any(|difference| difference.kind == DifferenceKind::Type) {
        return found.to_vec();
    }
    let other = back.differences(wanted, sent);
    let is_mutual = |it: &Difference| other.iter().any(|back| back.kind == it.kind && back.path == it.path);
    found.iter().filter(|it| it.kind != DifferenceKind::Type || is_mutual(it)).cloned().collect()
}

/// Required parameters and bodies that are not given, and members of the body.
pub(super) fn request<'a>(pair: Pair<'a>, key: (usize, usize), all: &mut Comparers<'a>, found: &mut Found) {
    let Pair { call, operation, place, doubt, .. } = pair;
    let taken = &operation.request;
    let any_case = operation.implementation.as_ref().is_some_and(|code| code.any_case);
    let same = |a: &str, b: &str| {
        // Some clients write a list so, whatever it is called.
        let (a, b) = (a.trim_end_matches("[]"), b.trim_end_matches("[]"));
        if any_case { a.eq_ignore_ascii_case(b) } else { a == b }
    };
    if call.other_parameters.is_none() && call.method.is_ok() {
        // What is no plain value is given to the operation by something else.
        let is_plain = |shape: ShapeId| {
            !matches!(pair.answering.view(shape).shape.kind, Kind::Unknown(_) | Kind::Any | Kind::Object(_))
        };
        let required = taken.parameters.iter().filter(|it| it.required && it.place == ParameterPlace::Query);
        let required = required.filter(|it| is_plain(it.shape));
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
            found.push((MISSING_PARAMETER, particular(call, operation, place, particulars, doubt)));
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
            found.push((MISSING_BODY, particular(call, operation, place, particulars, doubt)));
        }
        (Some(sent), Some(wanted)) if sent.is_json() => {
            let both = comparers(pair, key, all);
            let differences = differences(&mut both.request, &mut both.request_back, sent.shape, wanted.shape);
            for difference in &differences {
                let kind = match difference.kind {
                    DifferenceKind::MissingField => MISSING_MEMBER,
                    DifferenceKind::Casing if !any_case => CASING,
                    DifferenceKind::Type => TYPE,
                    _ => continue,
                };
                let particulars = member(kind, difference, wanted, "sent here", "taken here");
                let mut evidence = particular(call, operation, place, particulars, doubt);
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
    let Pair { call, operation, place, doubt, .. } = pair;
    let Some(read) = call.answer else { return };
    let success = operation.responses.iter().filter(|response| response.status.is_success());
    let mut bodies = success.flat_map(|response| &response.bodies).filter(|body| body.is_json());
    let (Some(given), None) = (bodies.next(), bodies.next()) else { return };
    let both = comparers(pair, key, all);
    let differences = differences(&mut both.answer, &mut both.answer_back, given.shape, read);
    for difference in &differences {
        let kind = match difference.kind {
            DifferenceKind::MissingField => READS_MISSING,
            DifferenceKind::Casing => READS_CASING,
            DifferenceKind::Type => READS_TYPE,
            _ => continue,
        };
        let particulars = member(kind, difference, given, "read here", "answered here");
        found.push((kind, particular(call, operation, place, particulars, doubt)));
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
