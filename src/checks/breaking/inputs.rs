//! What goes in: parameters and request bodies. Old clients send, the new version takes.

use super::members::{self, Whole};
use super::operations::{about, could_go, sunset};
use super::{Both, Changes, Comparers, Versions, by_name, media_for};
use crate::checks::shape::Direction;
use crate::contracts::ParameterTerms;
use crate::model::{Body, Parameter, ParameterPlace};

pub(super) fn compare(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    parameters(versions, both, comparers, changes);
    bodies(versions, both, comparers, changes);
}

fn place_name(place: ParameterPlace) -> &'static str {
    match place {
        ParameterPlace::Path => "path parameter",
        ParameterPlace::Query => "query parameter",
        ParameterPlace::Header => "header",
        ParameterPlace::Cookie => "cookie",
    }
}

fn words(parameter: &Parameter) -> String {
    format!("{} `{}`", place_name(parameter.place), parameter.name)
}

fn parameters(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
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
    let old = by_name(&both.old.parameters, |parameter| key(&old_path, parameter));
    let new = by_name(&both.new.parameters, |parameter| key(&new_path, parameter));
    for (name, at) in &old {
        let parameter = &both.old.parameters[*at];
        let terms = both.old_terms.parameters.get(*at).unwrap_or(&nothing);
        let Some(now) = new.get(name) else {
            let may_go = could_go(terms.deprecated, terms.sunset.as_deref(), versions.today);
            let kind = if may_go { "sunset-parameter-removed" } else { "parameter-removed" };
            let mut change = about(kind, both, words(parameter), "", "");
            change.before = Some((parameter.span, "it was declared here".to_owned()));
            changes.of_operation(both.new, change);
            continue;
        };
        let new_terms = both.new_terms.parameters.get(*now).unwrap_or(&nothing);
        one_parameter((versions, both), (parameter, terms), (&both.new.parameters[*now], new_terms), comparers, changes);
    }
    for (name, at) in &new {
        if old.contains_key(name) {
            continue;
        }
        let parameter = &both.new.parameters[*at];
        let kind = if parameter.required { "parameter-required" } else { "parameter-added" };
        let mut change = about(kind, both, words(parameter), "", "");
        change.span = parameter.span;
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
        let mut change = about(kind, both, words(new), was, is);
        change.span = new.span;
        change.before = Some((old.span, "before".to_owned()));
        changes.of_operation(both.new, change);
    };
    if new.required && !old.required {
        say("request-became-required", "optional", "required");
    }
    if old_terms.style != new_terms.style && old.place == new.place {
        say("parameter-style", &old_terms.style, &new_terms.style);
    }
    if new_terms.deprecated && !old_terms.deprecated {
        say("deprecated", "", new_terms.sunset.as_deref().unwrap_or(""));
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
    };
    let found = comparers.requests.differences(old.shape, new.shape);
    members::add((versions, both), Direction::Request, (old.shape, new.shape), &whole, &found, changes);
}

fn bodies(versions: Versions<'_>, both: Both<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let (old, new) = (&both.old.request, &both.new.request);
    match (old.first(), new.first()) {
        (None, Some(body)) => {
            let kind = if body.required { "request-body-required" } else { "request-body-added" };
            let mut change = about(kind, both, "the request body", "nothing", &body.media);
            change.span = body.span;
            changes.of_operation(both.new, change);
            return;
        }
        (Some(body), None) => {
            let mut change = about("request-body-removed", both, "the request body", &body.media, "nothing");
            change.before = Some((body.span, "it was declared here".to_owned()));
            changes.of_operation(both.new, change);
            return;
        }
        (Some(was), Some(is)) if is.required && !was.required => {
            let mut change = about("request-body-required", both, "the request body", "optional", "required");
            change.span = is.span;
            change.before = Some((was.span, "before".to_owned()));
            changes.of_operation(both.new, change);
        }
        _ => {}
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
        };
        let found = comparers.requests.differences(body.shape, taken.shape);
        members::add((versions, both), Direction::Request, (body.shape, taken.shape), &whole, &found, changes);
    }
    for body in new.iter().filter(|body| !old.iter().any(|known| known.media.eq_ignore_ascii_case(&body.media))) {
        let mut change = about("request-media-added", both, format!("`{}`", body.media), "", &media(body));
        change.span = body.span;
        changes.of_operation(both.new, change);
    }
}
