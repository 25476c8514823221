//! Clients of HTTP services.

pub(super) mod fetch;

use super::{Use, function_of, place_of};
use crate::evaluate::{Noted, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::model::{HttpCall, Method, PathTemplate, ShapeId, Url};

/// A request to the address that was noted.
fn request(name: &'static str, noted: &Noted, method: Result<Method, Reason>, answer: Option<ShapeId>) -> Use {
    Use::Call(HttpCall {
        library: name,
        method,
        url: url_of(&noted.target, noted),
        parameters: Vec::new(),
        other_parameters: None,
        body: None,
        answer,
        span: place_of(noted),
        function: function_of(noted),
    })
}

/// An address as far as it is known: host and path apart, the query left out.
fn url_of(target: &Value, noted: &Noted) -> Result<Url, Reason> {
    let text = match target {
        Value::Str(text) | Value::Pattern(text) => text.to_string(),
        Value::Unknown(why, place) => return Err(Reason::new(*why, place.or(Some(noted.site)))),
        other => return Err(Reason::new(format!("the address is {}", other.describe()), Some(noted.site))),
    };
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let (host, path, whole) = match text.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(format!("{scheme}://{}", &rest[..end])), &rest[end..], true)
        }
        None => match text.strip_prefix(UNKNOWN_PART) {
            Some(rest) => (None, rest, false),
            None => (None, text, true),
        },
    };
    let mut number = 0;
    let segments = path.split('/').map(|segment| {
        if segment.contains(UNKNOWN_PART) {
            number += 1;
            format!("{{p{number}}}")
        } else {
            segment.to_owned()
        }
    });
    let path = segments.collect::<Vec<_>>().join("/");
    Ok(Url { host, whole, path: PathTemplate::new(&path) })
}
