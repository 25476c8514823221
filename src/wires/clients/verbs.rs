//! Clients whose methods are named after the method: `ky.get(url, { json })`, `got.post(url, { json })`,
//! `superagent.get(url)`, `client.GET("/users", …)` of openapi-fetch and its like.

use super::super::{Use, Wire};
use super::asked::method_of;
use super::options::{at, is_literal, member, object_body, text_body};
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

/// One of them.
struct Client {
    package: &'static str,
    /// How one is made with options of its own, besides the package itself; `create`, `extend`.
    made_by: &'static [&'static str],
    /// The option that stands in front of addresses.
    base: &'static str,
    /// Whether it is a function itself.
    callable: bool,
}

const CLIENTS: &[Client] = &[
    Client { package: "ky", made_by: &["create", "extend"], base: "prefixUrl", callable: true },
    Client { package: "got", made_by: &["extend"], base: "prefixUrl", callable: true },
    Client { package: "superagent", made_by: &["agent"], base: "", callable: false },
    Client { package: "openapi-fetch", made_by: &[""], base: "baseUrl", callable: false },
];

pub(in crate::wires) static VERBS: Wire =
    Wire { name: "ky, got, superagent, openapi-fetch", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "ky",
    wire_packages: &["ky", "got", "superagent", "openapi-fetch"],
    wire_words: &[
        "get", "post", "put", "patch", "delete", "del", "head", "GET", "POST", "PUT", "PATCH", "DELETE", "ky", "got",
    ],
    call,
    ..Library::TYPESCRIPT
};

/// The method that a name of a function stands for.
pub(super) fn verb(name: &str) -> Option<Method> {
    match name {
        "get" | "GET" => Some(Method::Get),
        "post" | "POST" => Some(Method::Post),
        "put" | "PUT" => Some(Method::Put),
        "patch" | "PATCH" => Some(Method::Patch),
        "delete" | "del" | "DELETE" => Some(Method::Delete),
        "head" | "HEAD" => Some(Method::Head),
        "options" | "OPTIONS" => Some(Method::Options),
        _ => None,
    }
}

fn client_of(path: &str) -> Option<(&'static Client, &str)> {
    let client = CLIENTS.iter().find(|client| {
        path.strip_prefix(client.package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(']))
    })?;
    let mut rest = path[client.package.len()..].trim_start_matches('.');
    if rest == client.package || rest.starts_with(&format!("{}.", client.package)) {
        rest = rest[client.package.len()..].trim_start_matches('.');
    }
    for maker in client.made_by {
        let made = format!("{maker}()");
        if let Some(end) = rest.strip_prefix(&made) {
            return Some((client, end.trim_start_matches('.')));
        }
    }
    if let Some(end) = rest.strip_prefix("default().").or_else(|| rest.strip_prefix("default.")) {
        rest = end;
    }
    Some((client, rest))
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (client, name) = client_of(path)?;
    let what = match verb(name) {
        Some(method) => method.name(),
        None if name.is_empty() && client.callable => "request",
        None => return None,
    };
    let base = match args.receiver.as_deref() {
        Some(Value::Made(made)) if !client.base.is_empty() => {
            let options = at(&made.args, 0);
            evaluator.member(&options, client.base, Some(site))
        }
        _ => Value::None,
    };
    let url = args.positional.first().cloned().unwrap_or(Value::Unknown("no address is given", Some(site)));
    let base = if matches!(&base, Value::Unknown(..)) && args.receiver.is_none() { Value::None } else { base };
    let target = joined(Some(&base), &url, false);
    evaluator.note(&LIBRARY, what, target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let options = at(&noted.args, 1);
    let member_of = |evaluator: &mut Evaluator<'p>, name: &str| match &options {
        Value::None => Value::None,
        options => evaluator.member(options, name, Some(site)),
    };
    let method = match noted.what {
        "request" => method_of(&member_of(evaluator, "method"), Method::Get, site),
        what => Method::parse(what).ok_or_else(|| crate::finding::Reason::new("no method", Some(site))),
    };
    let mut query = Query::default();
    for name in ["searchParams", "params"] {
        let mut given = member_of(evaluator, name);
        if name == "params" && !matches!(given, Value::None | Value::Unknown(..)) {
            given = evaluator.member(&given, "query", Some(site));
        }
        query.add(evaluator, &given, site);
    }
    let written = payload::written(&noted.args, 1, "");
    let json = member_of(evaluator, "json");
    let is_whole = ["json", "body"].iter().any(|name| is_literal(&Value::None, member(written.clone(), name)));
    let body = match json {
        Value::None => {
            let value = member_of(evaluator, "body");
            match value {
                Value::Dict(_) => object_body(evaluator, schemas, noted, &value, member(written, "body")),
                _ => text_body(evaluator, schemas, noted, &options, 1, "body")
                    .filter(|_| !matches!(options, Value::None)),
            }
        }
        json => object_body(evaluator, schemas, noted, &json, member(written, "json")),
    };
    request(evaluator, schemas, "ky", noted, Asked { method, query, body, is_whole, answer: None })
}
