//! `HttpClient`, by hand, injected, or from a factory: `client.GetFromJsonAsync<User>(url)`,
//! `client.PostAsJsonAsync(url, user)`, `client.SendAsync(new HttpRequestMessage(HttpMethod.Put, url))`. What it begins with
//! is known from `BaseAddress`, where it is made or set up.

use crate::languages::Language;
use std::rc::Rc;

use super::super::super::{Use, Wire};
use super::super::asked::{json, method_of};
use super::super::options::at;
use super::super::{Asked, Query, request};
use super::{below, method_of_name, more, named, set_up};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::model::{Body, Method, ShapeId};
use crate::text::Span;
use crate::wires::{payload, reads};

pub(in crate::wires) static DOTNET: Wire =
    Wire { name: "HttpClient", languages: &[Language::CSharp], library: &LIBRARY, read };

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
        "SendAsync",
        "Send",
        "AddHttpClient",
        "ConfigureHttpClient",
    ],
    wire_methods: &["AddHttpClient"],
    call,
    ..Library::CSHARP
};

/// Where the answer is read: what the call gives, its body.
const ANSWERS: &[&[&str]] = &[
    &["Content", "ReadFromJsonAsync()"],
    &["Content", "ReadAsAsync()"],
    &["Content", "ReadFromJsonAsAsyncEnumerable()"],
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if let Some(builder) = set_up(evaluator, path, args, site) {
        return Some(builder);
    }
    let (owner, name) = path.rsplit_once("().")?;
    if last(owner) == "IHttpClientFactory" && name == "CreateClient" {
        let name = args.positional.first().cloned().unwrap_or(Value::str(""));
        let args = Args { named: vec![("name".into(), name)], ..Args::default() };
        return Some(Value::Made(Rc::new(Made { path: "HttpClient".into(), receiver: None, args, site })));
    }
    if !matches!(last(owner), "HttpClient" | "HttpMessageInvoker") || !LIBRARY.wire_words.contains(&name) {
        return None;
    }
    let (what, url) = match name {
        "SendAsync" | "Send" => ("send", address_of(args.positional.first(), site)),
        _ => (method_of_name(name)?.name(), args.get(0, "requestUri").cloned()),
    };
    let url = url.unwrap_or(Value::Unknown("no address is given", Some(site)));
    let base = match args.receiver.as_deref() {
        Some(Value::Made(made)) => made.args.named("BaseAddress").cloned(),
        _ => None,
    };
    // An address that begins nowhere is below what the client was given, wherever that was.
    evaluator.note(&LIBRARY, what, below(base, &url, true), args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

/// Where a message goes to.
fn address_of<'p>(message: Option<&Value<'p>>, site: Span) -> Option<Value<'p>> {
    let Some(Value::Made(made)) = message else {
        return Some(Value::Unknown("a request that is put together elsewhere", Some(site)));
    };
    made.args.named("RequestUri").or_else(|| made.args.get(1, "requestUri")).cloned()
}

/// The base address that the program sets up for the client of what was noted.
fn given_base<'p>(evaluator: &Evaluator<'p>, noted: &Noted<'p>) -> Option<Value<'p>> {
    if let Some(Value::Made(made)) = noted.args.receiver.as_deref() {
        if made.args.named("BaseAddress").is_some() {
            return None;
        }
        if let Some(Value::Str(name)) = made.args.named("name") {
            return evaluator.kept(&named(name));
        }
    }
    let class = noted.function.as_ref()?.class.as_ref()?;
    evaluator.kept(&evaluator.full_name(class))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let message = match (noted.what, noted.args.positional.first()) {
        ("send", Some(Value::Made(made))) => Some(made.clone()),
        _ => None,
    };
    let mut based;
    let noted = match given_base(evaluator, noted) {
        Some(base) => {
            let url = if noted.what == "send" {
                address_of(noted.args.positional.first(), site)
            } else {
                noted.args.get(0, "requestUri").cloned()
            };
            based = noted.clone();
            if let Some(url) = url {
                based.target = below(Some(base), &url, true);
            }
            &based
        }
        None => noted,
    };
    let method = match &message {
        Some(message) => {
            let given = message.args.named("Method").or_else(|| message.args.get(0, "method"));
            method_of(&given.cloned().unwrap_or(Value::None), Method::Get, site)
        }
        None if noted.what == "send" => Err(Reason::new("a request that is put together elsewhere", Some(site))),
        None => Method::parse(noted.what).ok_or_else(|| Reason::new("no method", Some(site))),
    };
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch) | Err(_));
    let body = if !sends {
        None
    } else if noted.what == "send" {
        let content = message.as_ref().and_then(|message| message.args.named("Content").cloned());
        Some(content_body(evaluator, schemas, content.as_ref(), site))
    } else {
        match at(&noted.args, 1) {
            Value::None => None,
            value => match &value {
                Value::Made(content) if is_content(content) => {
                    Some(content_body(evaluator, schemas, Some(&value), site))
                }
                _ => {
                    let written = payload::written(&noted.args, 1, "value");
                    Some(json(payload::shape_of(evaluator, schemas, &value, written, site), site))
                }
            },
        }
    };
    let query = Query { more: Some(more()), ..Query::default() };
    let answer = if sends { None } else { payload::type_argument(evaluator, schemas, &noted.args, site) };
    let answer = answer.or_else(|| answer_of(evaluator, schemas, noted));
    request(evaluator, schemas, "HttpClient", noted, Asked { method, query, body, is_whole: true, answer })
}

/// What the answer is read as afterwards.
fn answer_of<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Option<ShapeId> {
    // Only where it is asked for: what others do with what a wrapper gives them is theirs.
    if noted.calls.len() > 1 {
        return None;
    }
    let reads = reads::of_result(evaluator, noted);
    let node = ANSWERS.iter().find_map(|steps| reads.at(steps))?;
    reads.declared(evaluator, schemas, node)
}

/// Whether something is made to be sent.
fn is_content(made: &Made) -> bool {
    let name = last(made.path.trim_end_matches("()"));
    name.ends_with("Content") || made.path.ends_with("JsonContent.Create")
}

/// What the content of a message holds: `JsonContent.Create(user)`; of others, that it is there.
fn content_body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    content: Option<&Value<'p>>,
    site: Span,
) -> Body {
    if let Some(Value::Made(made)) = content {
        if made.path.ends_with("JsonContent.Create")
            && let Some(value) = made.args.positional.first()
        {
            let value = value.clone();
            let written = payload::written(&made.args, 0, "inputValue");
            let ty = payload::type_of(evaluator, &value, written, site);
            return json(schemas.csharp().shape_by(Serialiser::Client, evaluator, &ty, site), site);
        }
        let shape = payload::unknown(evaluator, schemas, "what the content holds", site);
        return match last(&made.path) {
            "MultipartFormDataContent" => Body { media: "multipart/form-data".to_owned(), ..json(shape, site) },
            "FormUrlEncodedContent" => {
                Body { media: "application/x-www-form-urlencoded".to_owned(), ..json(shape, site) }
            }
            _ => json(shape, site),
        };
    }
    json(payload::unknown(evaluator, schemas, "what is sent is not known", site), site)
}
