//! What a call of a client asks, put together in one way for all of them.

use super::super::{Use, function_of, place_of};
use super::origin::origin;
use super::{Query, url_of};
use crate::evaluate::{Evaluator, Noted, Value};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::model::{Body, HttpCall, Method, Parameter, ParameterPlace, ShapeId};
use crate::text::Span;
use crate::wires::payload;

/// What a client is asked for besides the address, which was noted.
pub(super) struct Asked<'p> {
    pub(super) method: Result<Method, Reason>,
    /// Query parameters that are given apart from the address.
    pub(super) query: Query<'p>,
    pub(super) body: Option<Body>,
    /// Whether all members of the body are written where it is sent.
    pub(super) is_whole: bool,
    pub(super) answer: Option<ShapeId>,
}

/// A request to the address that was noted.
pub(super) fn request<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    name: &'static str,
    noted: &Noted<'p>,
    asked: Asked<'p>,
) -> Vec<Use> {
    let (url, written) = url_of(&noted.target, noted);
    let origin = url.as_ref().is_ok_and(|url| !url.whole).then(|| origin(evaluator, noted)).flatten();
    let site = noted.site;
    let mut parameters: Vec<Parameter> = Vec::new();
    for (name, value) in written.given.into_iter().chain(asked.query.given) {
        if parameters.iter().all(|known| known.name != name) {
            let shape = match &value {
                Value::Str(_) | Value::Int(_) | Value::Bool(_) => {
                    payload::shape_of(evaluator, schemas, &value, None, site)
                }
                _ => payload::unknown(evaluator, schemas, "a part of an address", site),
            };
            parameters.push(Parameter { name, place: ParameterPlace::Query, required: true, shape, span: site });
        }
    }
    for typed in asked.query.typed {
        if parameters.iter().all(|known| known.name != typed.name) {
            parameters.push(typed);
        }
    }
    vec![Use::Call(Box::new(HttpCall {
        library: name,
        method: asked.method,
        url,
        origin,
        parameters,
        other_parameters: written.more.or(asked.query.more),
        body: asked.body,
        other_members: (!asked.is_whole).then(|| Reason::new("the body is put together elsewhere", Some(site))),
        answer: asked.answer,
        doubt: doubt(noted),
        span: place_of(noted),
        function: function_of(noted),
    }))]
}

/// Why it may never be asked so.
fn doubt(noted: &Noted) -> Option<Reason> {
    let why = if noted.inherited {
        "a class inherits it, and may never ask so"
    } else if noted.is_begun {
        "who calls it may say how its address ends"
    } else {
        return None;
    };
    Some(Reason::new(why, Some(noted.site)))
}

/// A method as it is named: `"post"`.
pub(super) fn method_of(value: &Value, otherwise: Method, site: Span) -> Result<Method, Reason> {
    match value {
        Value::None => Ok(otherwise),
        Value::Str(name) => Method::parse(name).ok_or_else(|| Reason::new("the method is no method", Some(site))),
        // `HttpMethod.Get`
        Value::External(path) => {
            Method::parse(crate::evaluate::last(path)).ok_or_else(|| Reason::new("the method is not known", Some(site)))
        }
        Value::Unknown(why, place) => Err(Reason::new(*why, place.or(Some(site)))),
        other => Err(Reason::new(format!("the method is {}", other.describe()), Some(site))),
    }
}

/// A body of JSON of this shape.
pub(super) fn json(shape: ShapeId, span: Span) -> Body {
    Body { media: "application/json".to_owned(), shape, span, required: true }
}
