//! RestSharp: `new RestClient(base).GetAsync<User>(new RestRequest("users/{id}"))`, `client.PostJsonAsync(url, user)`. A
//! request is put together by its methods, some of them called by themselves: what they add is not all seen.

use super::super::super::{Use, Wire};
use super::super::asked::{json, method_of};
use super::super::{Asked, Query, request};
use super::{below, method_of_name};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static REST_SHARP: Wire =
    Wire { name: "RestSharp", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "RestSharp",
    wire_packages: &["RestSharp"],
    wire_words: &[
        "ExecuteAsync",
        "Execute",
        "ExecuteGetAsync",
        "ExecutePostAsync",
        "ExecutePutAsync",
        "ExecuteDeleteAsync",
        "GetAsync",
        "PostAsync",
        "PutAsync",
        "PatchAsync",
        "DeleteAsync",
        "GetJsonAsync",
        "PostJsonAsync",
        "PutJsonAsync",
        "Get",
        "Post",
    ],
    call,
    chained: |path| last(path.split("()").next().unwrap_or(path)) == "RestRequest",
    ..Library::CSHARP
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (owner, name) = path.rsplit_once("().")?;
    if !matches!(last(owner), "RestClient" | "IRestClient") || !LIBRARY.wire_words.contains(&name) {
        return None;
    }
    let base = match args.receiver.as_deref() {
        Some(Value::Made(made)) => base_of(made),
        _ => None,
    };
    let first = args.positional.first().cloned();
    let url = match &first {
        Some(Value::Made(made)) => origin(made).args.get(0, "resource").cloned(),
        Some(text @ (Value::Str(_) | Value::Pattern(_))) => Some(text.clone()),
        _ => Some(Value::Unknown("a request that is put together elsewhere", Some(site))),
    };
    let url = url.unwrap_or(Value::Unknown("no address is given", Some(site)));
    let what = method_of_name(name.strip_prefix("Execute").unwrap_or(name)).map_or("execute", Method::name);
    evaluator.note(&LIBRARY, what, below(base, &url, false), args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

/// `new RestClient("https://…")`, `new RestClient(new RestClientOptions("https://…"))`
fn base_of<'p>(client: &Made<'p>) -> Option<Value<'p>> {
    match client.args.positional.first()? {
        Value::Made(options) if last(&options.path).ends_with("Options") => {
            options.args.named("BaseUrl").or_else(|| options.args.positional.first()).cloned()
        }
        base => Some(base.clone()),
    }
}

/// The request that methods were called on.
fn origin<'a, 'p>(made: &'a Made<'p>) -> &'a Made<'p> {
    let mut made = made;
    while let Some(Value::Made(receiver)) = made.receiver.as_ref() {
        made = receiver;
    }
    made
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let method = match (noted.what, noted.args.positional.first()) {
        ("execute", Some(Value::Made(made))) => {
            let made = origin(made);
            let given = made.args.named("Method").or_else(|| made.args.get(1, "method")).cloned();
            method_of(&given.unwrap_or(Value::None), Method::Get, site)
        }
        ("execute", _) => {
            method_of(&Value::Unknown("a request that is put together elsewhere", Some(site)), Method::Get, site)
        }
        (what, _) => method_of(&Value::str(what), Method::Get, site),
    };
    let mut query = Query::default();
    let sends = !matches!(method, Ok(Method::Get | Method::Head | Method::Delete));
    let by_url = !matches!(noted.args.positional.first(), Some(Value::Made(_)));
    let body = match noted.args.positional.get(1) {
        Some(value) if sends && by_url => {
            let value = value.clone();
            let written = payload::written(&noted.args, 1, "request");
            Some(json(payload::shape_of(evaluator, schemas, &value, written, site), site))
        }
        _ if sends => Some(json(payload::unknown(evaluator, schemas, "what is added to the request", site), site)),
        _ => None,
    };
    query.add(evaluator, &Value::Unknown("what is added to the request", Some(site)), site);
    let answer = payload::type_argument(evaluator, schemas, &noted.args, site);
    request(evaluator, schemas, "RestSharp", noted, Asked { method, query, body, is_whole: true, answer })
}
