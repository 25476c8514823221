//! The language's own `fetch(url, { method, body })`.

use super::super::{Use, Wire};
use super::request;
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::model::Method;
use crate::text::Span;

pub(in crate::wires) static FETCH: Wire = Wire { name: "fetch", library: &LIBRARY, read };

static LIBRARY: Library = Library { name: "fetch", globals: &["fetch"], wire_words: &["fetch"], call, ..Library::NONE };

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if path != "fetch.fetch" {
        return None;
    }
    let url = args.positional.first().cloned().unwrap_or(Value::Unknown("no address is given", Some(site)));
    evaluator.note(&LIBRARY, "request", url, args.clone(), site);
    None
}

fn read<'p>(evaluator: &mut Evaluator<'p>, _: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let method = match noted.args.positional.get(1) {
        None => Ok(Method::Get),
        Some(options) => match evaluator.member(options, "method", Some(noted.site)) {
            Value::None => Ok(Method::Get),
            Value::Str(name) => {
                Method::parse(&name).ok_or_else(|| Reason::new("the method is no method", Some(noted.site)))
            }
            Value::Unknown(why, place) => Err(Reason::new(why, place.or(Some(noted.site)))),
            other => Err(Reason::new(format!("the method is {}", other.describe()), Some(noted.site))),
        },
    };
    vec![request("fetch", noted, method, None)]
}
