//! C#: `HttpClient`, by hand or from a factory: `client.GetFromJsonAsync<User>(url)`, `client.PostAsJsonAsync(url, user)`,
//! `new HttpClient { BaseAddress = … }`; RestSharp and Flurl are not read.

use super::super::{Use, Wire};
use super::asked::json;
use super::options::at;
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, UNKNOWN_PART, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static DOTNET: Wire = Wire { name: "HttpClient", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "HttpClient",
    wire_words: &[
        "GetAsync",
        "GetStringAsync",
        "GetStreamAsync",
        "GetByteArrayAsync",
        "GetFromJsonAsync",
        "GetFromJsonAsAsyncEnumerable",
        "PostAsync",
        "PostAsJsonAsync",
        "PutAsync",
        "PutAsJsonAsync",
        "PatchAsync",
        "PatchAsJsonAsync",
        "DeleteAsync",
        "DeleteFromJsonAsync",
    ],
    call,
    ..Library::CSHARP
};

const METHODS: &[(&str, Method)] = &[
    ("Get", Method::Get),
    ("Post", Method::Post),
    ("Put", Method::Put),
    ("Patch", Method::Patch),
    ("Delete", Method::Delete),
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (owner, name) = path.rsplit_once("().")?;
    if last(owner) == "IHttpClientFactory" && name == "CreateClient" {
        let args = Args::default();
        return Some(Value::Made(std::rc::Rc::new(Made { path: "HttpClient".into(), receiver: None, args, site })));
    }
    if last(owner) != "HttpClient" || !LIBRARY.wire_words.contains(&name) {
        return None;
    }
    let method = METHODS.iter().find(|(start, _)| name.starts_with(start))?.1;
    let base = match args.receiver.as_deref() {
        Some(Value::Made(made)) => made.args.named("BaseAddress").cloned(),
        _ => None,
    };
    let url = args.get(0, "requestUri").cloned();
    let url = url.unwrap_or(Value::Unknown("no address is given", Some(site)));
    // An address that begins nowhere is below what the client was given, wherever that was.
    let base = base.unwrap_or(Value::Pattern(UNKNOWN_PART.to_string().into()));
    let target = joined(Some(&base), &url, true);
    evaluator.note(&LIBRARY, method.name(), target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let method = Method::parse(noted.what).ok_or_else(|| Reason::new("no method", Some(site)));
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch));
    let body = match at(&noted.args, 1) {
        Value::None => None,
        _ if !sends => None,
        value => {
            let written = payload::written(&noted.args, 1, "value");
            Some(json(payload::shape_of(evaluator, schemas, &value, written, site), site))
        }
    };
    // Handlers that the client was built with may add to what is asked.
    let more = Some(Reason::new("handlers of the client may add to the query", Some(site)));
    let query = Query { given: Vec::new(), more };
    let answer = if sends { None } else { payload::type_argument(evaluator, schemas, &noted.args, site) };
    request(evaluator, schemas, "HttpClient", noted, Asked { method, query, body, is_whole: true, answer })
}
