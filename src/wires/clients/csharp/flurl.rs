//! Flurl: requests that begin with a text: `"https://api.example.com".AppendPathSegment("users").GetJsonAsync<User[]>()`.
//! What is put to an address gives an address again, and so does what only says how it is asked.

use super::super::super::{Use, Wire};
use super::super::address::text_of;
use super::super::asked::json;
use super::super::{Asked, Query, joined, request};
use super::method_of_name;
use crate::evaluate::{Args, Evaluator, Library, Noted, UNKNOWN_PART, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::{Body, Method};
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static FLURL: Wire =
    Wire { name: "Flurl", languages: &[Language::CSharp], library: &LIBRARY, read };

/// Methods that make a request.
const ASKS: &[&str] = METHODS.split_at(ADDING).1;
/// Methods that give the address longer; a client begins with one more, `Request`.
const ADDS: &[&str] = METHODS.split_at(ADDING).0;
/// How many of them give the address longer: they come first.
const ADDING: usize = 5;
const METHODS: &[&str] = &[
    "AppendPathSegment",
    "AppendPathSegments",
    "SetQueryParam",
    "SetQueryParams",
    "AppendQueryParam",
    "GetJsonAsync",
    "GetJsonListAsync",
    "GetStringAsync",
    "GetStreamAsync",
    "GetBytesAsync",
    "PostJsonAsync",
    "PostStringAsync",
    "PostUrlEncodedAsync",
    "PostMultipartAsync",
    "PutJsonAsync",
    "PutStringAsync",
    "PatchJsonAsync",
    "PatchStringAsync",
    "GetAsync",
    "PostAsync",
    "PutAsync",
    "PatchAsync",
    "DeleteAsync",
    "HeadAsync",
    "DownloadFileAsync",
];

static LIBRARY: Library = Library {
    name: "Flurl",
    wire_packages: &["Flurl"],
    wire_words: ASKS,
    wire_methods: METHODS,
    call,
    value_method,
    ..Library::CSHARP
};

/// `"…".AppendPathSegment(…)`, `"…".WithHeader(…)`: an address.
fn value_method<'p>(_: &mut Evaluator<'p>, receiver: &Value<'p>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    if !matches!(receiver, Value::Str(_) | Value::Pattern(_)) {
        return None;
    }
    // How it is asked.
    if name.starts_with("With") || name.starts_with("Allow") || name == "ConfigureRequest" {
        return Some(receiver.clone());
    }
    is_longer(name).then(|| longer(receiver, name, args))
}

/// Whether a method gives the address longer.
fn is_longer(name: &str) -> bool {
    name == "Request" || ADDS.contains(&name)
}

fn longer<'p>(address: &Value<'p>, name: &str, args: &Args<'p>) -> Value<'p> {
    let known = text_of(address).unwrap_or_else(|| UNKNOWN_PART.to_string().into());
    let part = |value: &Value<'p>| match value {
        Value::Str(text) | Value::Pattern(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        _ => UNKNOWN_PART.to_string(),
    };
    if name.contains("Query") {
        let given = match (name, args.positional.first()) {
            ("SetQueryParam" | "AppendQueryParam", Some(Value::Str(name))) => {
                format!("{name}={}", args.positional.get(1).map(part).unwrap_or_default())
            }
            _ => UNKNOWN_PART.to_string(),
        };
        let between = if known.contains('?') { '&' } else { '?' };
        return Value::Pattern(format!("{known}{between}{given}").into());
    }
    let mut whole = Value::Pattern(known);
    for value in &args.positional {
        let segments = value.elements().unwrap_or_else(|| vec![value.clone()]);
        for segment in segments {
            whole = joined(
                Some(&whole),
                &Value::Pattern(format!("/{}", part(&segment).trim_start_matches('/')).into()),
                false,
            );
        }
    }
    whole
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (owner, name) = path.rsplit_once("().")?;
    let receiver = args.receiver.as_deref()?;
    let address = match (owner, receiver) {
        ("?", Value::Str(_) | Value::Pattern(_)) => receiver.clone(),
        // What is not known may be anything with such a method, but for those that only this library has.
        ("?", _) if is_longer(name) || name.contains("Json") || name.contains("UrlEncoded") => {
            Value::Pattern(UNKNOWN_PART.to_string().into())
        }
        (_, Value::Made(made)) if matches!(last(owner), "Url" | "FlurlClient" | "FlurlRequest" | "IFlurlClient") => {
            made.args.positional.first().cloned().unwrap_or(Value::Pattern(UNKNOWN_PART.to_string().into()))
        }
        _ => return None,
    };
    if is_longer(name) {
        return Some(longer(&address, name, args));
    }
    if name.starts_with("With") {
        return Some(address);
    }
    if !ASKS.contains(&name) {
        return None;
    }
    // A text without a host is no address of its own.
    let is_address = text_of(&address).is_some_and(|text| text.contains("://") || text.contains(UNKNOWN_PART));
    if !is_address {
        return None;
    }
    evaluator.note(&LIBRARY, method_of_name(name).unwrap_or(Method::Get).name(), address, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let method = Method::parse(noted.what).ok_or_else(|| Reason::new("no method", Some(site)));
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch));
    let body: Option<Body> = match noted.args.positional.first() {
        Some(value) if sends => {
            let value = value.clone();
            let written = payload::written(&noted.args, 0, "body");
            Some(json(payload::shape_of(evaluator, schemas, &value, written, site), site))
        }
        _ => None,
    };
    let mut query = Query::default();
    query.add(evaluator, &Value::Unknown("settings of the client may add to the query", Some(site)), site);
    let answer = if sends { None } else { payload::type_argument(evaluator, schemas, &noted.args, site) };
    request(evaluator, schemas, "Flurl", noted, Asked { method, query, body, is_whole: true, answer })
}
