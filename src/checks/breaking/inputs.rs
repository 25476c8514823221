//! What goes in: parameters and request bodies. Old clients send, the new version takes.

use super::members::{self, Whole};
use super::operations::{about, could_go, deprecated};
use super::{Both, Changes, Comparers, Touched, Versions, by_name, media_for};
use crate::checks::parameters::{self, place_name, words};
use crate::checks::shape::Direction;
use crate::checks::stability::{is_unsettled, sunset};
use crate::contracts::ParameterTerms;
use crate::model::{Body, Parameter, ParameterPlace, Request};

pub(super) fn compare(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    all_parameters(versions, both, comparers, changes);
    bodies(versions, both, comparers, changes);
}

fn all_parameters(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let nothing = ParameterTerms::default();
    // Parameters of the path are known by their position in it: clients do not see their names.
    let key = |path: &[&str], parameter: &Parameter| {
        let position = (parameter.place == ParameterPlace::Path)
            .then(|| path.iter().position(|name| *name == parameter.name))
            .flatten();
        let name = match parameter.place {
            ParameterPlace::Header => parameter.name.to_ascii_lowercase(),
            _ => position.map_or_else(|| parameter.name.clone(), |at| format!("{{{at}}}")),
        };
        format!("{} {name}", place_name(parameter.place))
    };
    let old_path: Vec<&str> = both.old.path.parameters().collect();
    let new_path: Vec<&str> = both.new.path.parameters().collect();
    let old = by_name(&both.old.request.parameters, |parameter| key(&old_path, parameter));
    let new = by_name(&both.new.request.parameters, |parameter| key(&new_path, parameter));
    // Code: the path itself tells which parameters it has, and what may be taken beside the others says nothing.
    let is_told = |parameter: &Parameter, other: &Request| {
        versions.code.is_none() || (parameter.place != ParameterPlace::Path && other.other_parameters.is_none())
    };
    for (name, at) in &old {
        let parameter = &both.old.request.parameters[*at];
        let terms = both.old_terms.parameters.get(*at).unwrap_or(&nothing);
        let Some(now) = new.get(name) else {
            if !is_told(parameter, &both.new.request) {
                continue;
            }
            let may_go = could_go(terms.deprecated, terms.sunset.as_deref(), versions.today);
            let kind = match (&terms.sunset, terms.deprecated) {
                _ if may_go => "sunset-parameter-removed",
                (Some(_), true) => "parameter-removed-early",
                _ => "parameter-removed",
            };
            let mut change = about(kind, both, words(parameter), terms.sunset.as_deref().unwrap_or(""), "");
            change.before = Some((parameter.span, "it was declared here".to_owned()));
            change.touched = Touched::Parameter(parameter.place, parameter.name.clone());
            changes.of_operation(both.new, change);
            continue;
        };
        let new_terms = both.new_terms.parameters.get(*now).unwrap_or(&nothing);
        one_parameter(
            (versions, both),
            (parameter, terms),
            (&both.new.request.parameters[*now], new_terms),
            comparers,
            changes,
        );
    }
    for (name, at) in &new {
        if old.contains_key(name) {
            continue;
        }
        let parameter = &both.new.request.parameters[*at];
        if !is_told(parameter, &both.old.request) {
            continue;
        }
        let kind = if parameter.required { "parameter-required" } else { "parameter-added" };
        let mut change = about(kind, both, words(parameter), "", "");
        change.span = parameter.span;
        change.touched = Touched::Parameter(parameter.place, parameter.name.clone());
        changes.of_operation(both.new, change);
    }
}

fn one_parameter(
    (versions, both): (Versions<'_>, Both<'_>),
    (old, old_terms): (&Parameter, &ParameterTerms),
    (new, new_terms): (&Parameter, &ParameterTerms),
    comparers: &mut Comparers<'_>,
    changes: &mut Changes,
) {
    let mut say = |kind, was: &str, is: &str| {
        let subject = match kind {
            "deprecated" | "notice" => format!("{} of `{}`", words(new), both.new.title()),
            _ => words(new),
        };
        let mut change = about(kind, both, subject, was, is);
        change.span = new.span;
        change.before = Some((old.span, "before".to_owned()));
        change.touched = Touched::Parameter(new.place, new.name.clone());
        changes.of_operation(both.new, change);
    };
    if new.required && !old.required {
        say("request-became-required", "optional", "required");
    }
    if old_terms.style != new_terms.style && old.place == new.place {
        say("parameter-style", &old_terms.style, &new_terms.style);
    }
    if new_terms.deprecated && !old_terms.deprecated {
        let settled = !is_unsettled(both.new_terms.stability.as_deref());
        let (kind, was, is) = deprecated(versions, settled, new_terms.sunset.as_deref());
        say(kind, &was, &is);
    }
    let ends = sunset(
        (old_terms.deprecated, old_terms.sunset.as_deref()),
        (new_terms.deprecated, new_terms.sunset.as_deref()),
    );
    if let Some((was, is)) = ends {
        say("sunset", &was, &is);
    }
    let whole = Whole {
        words: words(new),
        span: new.span,
        pointer: both.new.pointer.clone(),
        old_span: old.span,
        // Whoever must send a parameter never gets its default.
        is_parameter: !(old.required && new.required),
        is_json: true,
        touched: Touched::Parameter(new.place, new.name.clone()),
    };
    let (target, kept) = parameters::differences(
        &mut comparers.requests,
        (versions.old.shapes, old.shape),
        (versions.new.shapes, new.shape),
        new_terms.style == "form, exploded",
    );
    members::add((versions, &both.new.title()), Direction::Request, (old.shape, target), &whole, &kept, changes);
}

fn bodies(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    if both.old.request.other_bodies.is_some() || both.new.request.other_bodies.is_some() {
        return;
    }
    let (old, new) = (&both.old.request.bodies, &both.new.request.bodies);
    let words = |required: Option<bool>| match required {
        Some(true) => "required",
        Some(false) => "optional",
        None => "not taken",
    };
    let (was, is) = (both.old_terms.body, both.new_terms.body);
    let kind = match (was, is) {
        (None | Some(false), Some(true)) => Some("request-body-required"),
        (None, Some(false)) => Some("request-body-added"),
        (Some(_), None) => Some("request-body-removed"),
        _ => None,
    };
    if let Some(kind) = kind {
        let mut change = about(kind, both, "the request body", words(was), words(is));
        change.span = new.first().map_or(change.span, |body| body.span);
        change.touched = Touched::Body(Vec::new());
        change.before = Some((old.first().map_or(both.old.span, |body| body.span), "before".to_owned()));
        changes.of_operation(both.new, change);
    }
    if was.is_none() || is.is_none() {
        return;
    }
    let media = |body: &Body| body.media.clone();
    for body in old {
        let Some(taken) = media_for(&body.media, new, |body| &body.media) else {
            let mut change = about("request-media-removed", both, format!("`{}`", body.media), &media(body), "");
            change.before = Some((body.span, "it was declared here".to_owned()));
            changes.of_operation(both.new, change);
            continue;
        };
        let whole = Whole {
            words: "the request".to_owned(),
            span: taken.span,
            pointer: format!("{}/requestBody", both.new.pointer),
            old_span: body.span,
            is_parameter: false,
            is_json: body.is_json(),
            touched: Touched::Body(Vec::new()),
        };
        let found = comparers.requests.differences(body.shape, taken.shape);
        members::add(
            (versions, &both.new.title()),
            Direction::Request,
            (body.shape, taken.shape),
            &whole,
            &found,
            changes,
        );
    }
    for body in new.iter().filter(|body| !old.iter().any(|known| known.media.eq_ignore_ascii_case(&body.media))) {
        let mut change = about("request-media-added", both, format!("`{}`", body.media), "", &media(body));
        change.span = body.span;
        changes.of_operation(both.new, change);
    }
}
