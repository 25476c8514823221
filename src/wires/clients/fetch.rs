//! The language's own `fetch(url, { method, body })`, and packages that have the same.

use crate::languages::Language;
use std::cell::RefCell;
use std::rc::Rc;

use super::super::{Use, Wire};
use super::address::text_of;
use super::asked::method_of;
use super::options::{at, is_literal, object_body, text_body};
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, Evaluator, Library, Noted, UNKNOWN_PART, Value};
use crate::frameworks::Schemas;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static FETCH: Wire =
    Wire { name: "fetch", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "fetch",
    globals: &["fetch", "$fetch", "useFetch", "useLazyFetch"],
    wire_words: &["fetch", "$fetch", "useFetch", "useLazyFetch", "fetchJson", "fetchText", "fetchBlob", "ofetch"],
    call,
    member,
    chained,
    ..Library::TYPESCRIPT
};

/// Packages whose own export, or one of the given name, is `fetch`.
const SAME: &[&str] = &[
    "fetch.fetch",
    "fetch.$fetch",
    // Nuxt imports them by itself.
    "fetch.useFetch",
    "fetch.useLazyFetch",
    "javascript.window.fetch",
    "javascript.globalThis.fetch",
    "node-fetch",
    "node-fetch.fetch",
    "cross-fetch",
    "cross-fetch.fetch",
    "isomorphic-fetch",
    "undici.fetch",
    "undici.request",
    "ofetch.ofetch",
    "ofetch.$fetch",
    "ofetch",
];

/// Clients that are generated on top of `fetch`: addresses are written in their functions.
const GENERATED: &[&str] = &["fetchJson", "fetchText", "fetchBlob"];

fn chained(path: &str) -> bool {
    path.starts_with("@oazapfts/runtime")
}

/// `url.href`
fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if &*made.path != URL || !matches!(name, "href" | "pathname") {
        return None;
    }
    let text = text_of(value)?;
    let text = match (name, text.split_once("://")) {
        ("pathname", Some((_, rest))) => rest.find('/').map_or("/", |at| &rest[at..]).split('?').next()?,
        ("pathname", None) => text.split('?').next()?,
        _ => &*text,
    };
    Some(if text.contains(UNKNOWN_PART) { Value::Pattern(text.into()) } else { Value::str(text) })
}

/// What addresses that are taken apart and put together are of.
const URL: &str = "javascript.URL";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if let Some(name) = path.strip_prefix("@oazapfts/runtime.runtime().") {
        return match name {
            _ if GENERATED.contains(&name) => {
                evaluator.note(&LIBRARY, "generated", at(args, 0), args.clone(), site);
                Some(Value::Unknown("what a server answers", Some(site)))
            }
            "json" | "form" | "multipart" => args.positional.first().cloned(),
            _ => None,
        };
    }
    if let Some("toString" | "toJSON") = path.strip_prefix(URL).and_then(|rest| rest.strip_prefix("()."))
        && let Some(url) = args.receiver.as_deref()
    {
        return member(evaluator, url, "href");
    }
    if path == "ofetch.ofetch.create().ofetch" || !SAME.contains(&path) {
        return None;
    }
    let url = args.positional.first().cloned().unwrap_or(Value::Unknown("no address is given", Some(site)));
    let base = match args.positional.get(1) {
        Some(options) if path.contains("ofetch") => evaluator.member(options, "baseURL", Some(site)),
        _ => Value::None,
    };
    let url = match base {
        Value::Str(_) | Value::Pattern(_) => joined(Some(&base), &url, false),
        _ => url,
    };
    // `fetch(new Request(url, options))`
    let url = match &url {
        Value::Made(made) if made.name() == "Request" => at(&made.args, 0),
        _ => url,
    };
    let what = if path.contains("ofetch") || path.ends_with("$fetch") || path.ends_with("Fetch") {
        "object"
    } else {
        "request"
    };
    evaluator.note(&LIBRARY, what, url, args.clone(), site);
    None
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let options = match noted.args.positional.first() {
        Some(Value::Made(made)) if made.name() == "Request" => at(&made.args, 1),
        _ => at(&noted.args, 1),
    };
    // What is generated says itself what it needs, whatever else it is given.
    let options = match options {
        Value::Dict(dict) if noted.what == "generated" && dict.borrow().open => {
            let mut own = dict.borrow().clone();
            own.open = false;
            Value::Dict(Rc::new(RefCell::new(own)))
        }
        options => options,
    };
    let method = match &options {
        Value::None => Ok(Method::Get),
        options => method_of(&evaluator.member(options, "method", Some(site)), Method::Get, site),
    };
    let mut query = Query::default();
    let mut body = None;
    let mut answer = None;
    let mut is_whole = false;
    if !matches!(options, Value::None) {
        if matches!(noted.what, "object" | "generated") {
            for name in ["query", "params"] {
                let given = evaluator.member(&options, name, Some(site));
                query.add(evaluator, &given, site);
            }
            let value = evaluator.member(&options, "body", Some(site));
            let written = super::options::member(payload::written(&noted.args, 1, ""), "body");
            is_whole = is_literal(&value, written.clone());
            body = object_body(evaluator, schemas, noted, &value, written);
        } else {
            let written = super::options::member(payload::written(&noted.args, 1, ""), "body");
            is_whole = is_literal(&Value::None, written);
            body = text_body(evaluator, schemas, noted, &options, 1, "body");
        }
    }
    if noted.what == "object" {
        answer = payload::type_argument(evaluator, schemas, &noted.args, site);
    }
    if noted.what == "generated" {
        answer = payload::generated_answer(evaluator, schemas, &noted.args, site);
    }
    request(evaluator, schemas, "fetch", noted, Asked { method, query, body, is_whole, answer })
}
