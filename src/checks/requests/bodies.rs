//! Bodies: which of the contract's is held against which of the code's, and what is wrong with it.

use super::wording::{body_difference, whole_body};
use super::{Context, Found, MEDIA, MISSING_BODY, REQUIRED_BODY, UNKNOWN_BODY};
use crate::checks::answers::is_free;
use crate::checks::shape::{Comparer, Difference, DifferenceKind, Step};
use crate::model::{Body, Kind, Method, Request, ShapeId};

/// How a body is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing<'b> {
    Json,
    /// Of either encoding: what reads one mostly reads the other, and the fields are what counts.
    Form,
    Other(&'b str),
}

pub(super) fn writing(body: &Body) -> Writing<'_> {
    let essence = body.media.split(';').next().unwrap_or("").trim();
    if body.is_json() || essence.eq_ignore_ascii_case("text/json") {
        Writing::Json
    } else if essence.starts_with("multipart/") || essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        Writing::Form
    } else {
        Writing::Other(essence)
    }
}

/// The bodies of both sides that can be held against each other: JSON if there is any.
pub(in crate::checks) fn paired<'a>(sent: &'a [Body], request: &'a Request) -> Option<(&'a Body, &'a Body)> {
    let taken = &request.bodies;
    let of = |bodies: &'a [Body], wanted: Writing<'_>| bodies.iter().find(|body| writing(body) == wanted);
    let same = |wanted| Some((of(sent, wanted)?, of(taken, wanted)?));
    let form = || Some((of(sent, Writing::Form)?, of(taken, Writing::Json).filter(|_| request.parsed)?));
    same(Writing::Json)
        .or_else(|| same(Writing::Form))
        .or_else(|| sent.iter().find_map(|body| same(writing(body))))
        .or_else(form)
}

pub(super) fn disagreements(context: Context<'_>, comparer: &mut Comparer<'_>) -> Vec<Found> {
    let (declared, served) = (&context.declared.request, &context.served.request);
    let (sent, taken) = (&declared.bodies, &served.bodies);
    let is_required = !taken.is_empty() && taken.iter().all(|body| body.required);
    match (sent.first(), taken.first()) {
        (None, Some(first)) if is_required && declared.other_bodies.is_none() => {
            return vec![whole_body(context, MISSING_BODY, None, Some(first))];
        }
        // Nobody reads the body of a GET, and tools write one down all the same.
        (Some(first), None)
            if served.other_bodies.is_none() && !matches!(context.declared.method, Method::Get | Method::Head) =>
        {
            return vec![whole_body(context, UNKNOWN_BODY, Some(first), None)];
        }
        (None, _) | (_, None) => return Vec::new(),
        (Some(_), Some(_)) => {}
    }
    let Some((sent_body, taken_body)) = paired(sent, served) else {
        let takes_any = taken.iter().chain(sent).any(|body| body.media.contains('*') || body.media.is_empty());
        return match served.other_bodies {
            None if !takes_any => vec![whole_body(context, MEDIA, sent.first(), taken.first())],
            _ => Vec::new(),
        };
    };
    let mut out = Vec::new();
    if is_required
        && served.other_bodies.is_none()
        && context.states_required_bodies
        && !sent.iter().any(|body| body.required)
    {
        out.push(whole_body(context, REQUIRED_BODY, Some(sent_body), Some(taken_body)));
    }
    let form = [sent_body, taken_body].map(writing).contains(&Writing::Form);
    if matches!(writing(taken_body), Writing::Other(_)) || is_free(&context.contract.shapes, sent_body.shape) {
        return out;
    }
    let found = comparer.differences(sent_body.shape, taken_body.shape);
    let counts = |difference: &&Difference| {
        let case_only = difference.kind == DifferenceKind::Casing
            && difference.expected.eq_ignore_ascii_case(&difference.actual)
            && context.any_case();
        let may_be_more = served.other_bodies.is_some() && is_of_whole(difference);
        !case_only && !may_be_more && (!form || counts_in_form(context, difference))
    };
    let differences = found.iter().filter(counts);
    out.extend(differences.filter_map(|difference| body_difference(context, (sent_body, taken_body), difference)));
    out
}

/// Whether a difference is one of the body itself or of its members, which another body may have.
fn is_of_whole(difference: &Difference) -> bool {
    difference.path.len() < 2
}

/// Everything in a form is text or a file, so types do not show; names do.
fn counts_in_form(context: Context<'_>, difference: &Difference) -> bool {
    let is_list = |id: Option<ShapeId>| {
        id.is_some_and(|id| matches!(context.contract.shapes.view(id).shape.kind, Kind::Array { .. }))
    };
    let named = matches!(
        difference.kind,
        DifferenceKind::MissingField
            | DifferenceKind::MissingOptionalField
            | DifferenceKind::ExtraField
            | DifferenceKind::ForbiddenField
            | DifferenceKind::Optional
            | DifferenceKind::Casing
    );
    named && matches!(difference.path[..], [Step::Field(_)]) && !is_list(difference.producer.owner)
}
