//! Python: requests, httpx and aiohttp: `requests.get(url, params=…)`, `httpx.AsyncClient(base_url=…).post(url, json=…)`,
//! `aiohttp.ClientSession(base).get(url)`.

use super::super::{Use, Wire};
use super::asked::{json, method_of};
use super::options::at;
use super::verbs::verb;
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::model::program::ExprKind;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static PYTHON: Wire =
    Wire { name: "requests, httpx, aiohttp", languages: &[Language::Python], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "requests",
    wire_packages: &["requests", "httpx", "aiohttp"],
    wire_words: &["get", "post", "put", "patch", "delete", "head", "options", "request", "stream"],
    call,
    ..Library::PYTHON
};

/// What makes a client, and what its base address is called.
const MAKERS: &[(&str, &str)] = &[
    ("requests.Session().", ""),
    ("requests.session().", ""),
    ("requests.sessions.Session().", ""),
    ("httpx.Client().", "base_url"),
    ("httpx.AsyncClient().", "base_url"),
    ("aiohttp.ClientSession().", "base_url"),
    ("aiohttp.client.ClientSession().", "base_url"),
    ("requests.api.", ""),
    ("requests.", ""),
    ("httpx.", ""),
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (name, base) = MAKERS.iter().find_map(|(maker, base)| Some((path.strip_prefix(maker)?, *base)))?;
    let (what, position) = match verb(name) {
        Some(method) => (method.name(), 0),
        None if matches!(name, "request" | "stream") => ("request", 1),
        None => return None,
    };
    let base = match args.receiver.as_deref() {
        Some(Value::Made(made)) if !base.is_empty() => {
            let first =
                if base == "base_url" && path.starts_with("aiohttp") { made.args.positional.first() } else { None };
            made.args.named(base).or(first).cloned()
        }
        _ => None,
    };
    let url = args.get(position, "url").cloned().unwrap_or(Value::Unknown("no address is given", Some(site)));
    // httpx puts every address below the base; aiohttp as a browser does.
    let target = joined(base.as_ref(), &url, path.starts_with("aiohttp"));
    evaluator.note(&LIBRARY, what, target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let named = |name: &str| noted.args.named(name).cloned().unwrap_or(Value::None);
    let method = match noted.what {
        "request" => method_of(&noted.args.get(0, "method").cloned().unwrap_or(at(&noted.args, 0)), Method::Get, site),
        what => method_of(&Value::str(what), Method::Get, site),
    };
    let mut query = Query::default();
    query.add(evaluator, &named("params"), site);
    if noted.args.open {
        query.add(evaluator, &Value::Unknown("more arguments", Some(site)), site);
    }
    let sent = named("json");
    let other = ["data", "files", "content"].iter().any(|name| noted.args.named(name).is_some());
    let written = payload::written(&noted.args, usize::MAX, "json");
    // `json=body.dump() if body else None` may be one or the other.
    let decides = match &written {
        Some((expr, _)) => !matches!(expr.kind, ExprKind::None | ExprKind::Name(_)),
        // It came with `**options`.
        None => noted.args.named("json").is_some(),
    };
    let body = if matches!(sent, Value::None) && decides {
        Some(json(payload::unknown(evaluator, schemas, "whether anything is sent is not known", site), site))
    } else if !matches!(sent, Value::None) {
        Some(json(payload::shape_of(evaluator, schemas, &sent, written, site), site))
    } else if other || noted.args.open {
        Some(json(payload::unknown(evaluator, schemas, "what is sent is no JSON", site), site))
    } else {
        None
    };
    request(evaluator, schemas, "requests", noted, Asked { method, query, body, is_whole: true, answer: None })
}
