//! axios: `axios.get(url, config)`, `axios.post(url, data, config)`, `axios.create({ baseURL }).get(…)`, `axios(config)`.

use super::super::{Use, Wire};
use super::asked::method_of;
use super::options::{at, is_literal, member, object_body};
use super::verbs::verb;
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static AXIOS: Wire =
    Wire { name: "axios", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "axios",
    wire_packages: PACKAGES,
    wire_words: &["get", "post", "put", "patch", "delete", "head", "options", "request", "axios"],
    call,
    ..Library::TYPESCRIPT
};

/// What others hand out is an instance as well.
const PACKAGES: &[&str] = &["axios", "@nuxtjs/axios", "@nestjs/axios"];

/// What comes after the package and what makes an instance of it.
fn operation(path: &str) -> Option<&str> {
    let rest = PACKAGES.iter().find_map(|package| path.strip_prefix(package))?;
    let rest = rest.strip_prefix(".axios").or_else(|| rest.strip_prefix(".default")).unwrap_or(rest);
    let makers =
        [".create()", ".AxiosInstance()", ".NuxtAxiosInstance()", ".HttpService()", ".Axios()", ".AxiosStatic()"];
    let rest = makers.iter().find_map(|maker| rest.strip_prefix(maker)).unwrap_or(rest);
    match rest {
        "" => Some("request"),
        _ => rest.strip_prefix('.').filter(|name| *name == "request" || verb(name).is_some()),
    }
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = operation(path)?;
    let mut base = match args.receiver.as_deref() {
        Some(Value::Made(made)) if &*made.path == "axios.create" => match made.args.positional.first() {
            Some(options) => evaluator.member(options, "baseURL", Some(site)),
            None => Value::None,
        },
        // An instance that something else made: what it begins with is not known.
        Some(Value::Made(made)) if made.path.ends_with("AxiosInstance") || made.path.ends_with("HttpService") => {
            Value::Unknown("a base address", Some(site))
        }
        _ => Value::None,
    };
    let (what, url) = match verb(name) {
        Some(method) => (method.name(), at(args, 0)),
        None => match at(args, 0) {
            url @ (Value::Str(_) | Value::Pattern(_)) => ("request", url),
            config @ Value::Dict(_) => {
                let own = evaluator.member(&config, "baseURL", Some(site));
                if !matches!(own, Value::None) {
                    base = own;
                }
                ("config", evaluator.member(&config, "url", Some(site)))
            }
            other => {
                ("config", Value::Unknown("a request that is put together elsewhere", Some(other_span(&other, site))))
            }
        },
    };
    let url = if matches!(url, Value::None) { Value::Unknown("no address is given", Some(site)) } else { url };
    let target = joined(Some(&base), &url, false);
    evaluator.note(&LIBRARY, what, target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn other_span(value: &Value, site: Span) -> Span {
    if let Value::Unknown(_, Some(place)) = value { *place } else { site }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let named = Method::parse(noted.what);
    // Where the config stands, and where the data.
    let (config_at, data_at) = match (noted.what, named) {
        ("config", _) => (0, None),
        (_, Some(Method::Post | Method::Put | Method::Patch)) => (2, Some(1)),
        _ => (1, None),
    };
    let config = at(&noted.args, config_at);
    let config_member = |evaluator: &mut Evaluator<'p>, name: &str| match &config {
        Value::None => Value::None,
        config => evaluator.member(config, name, Some(site)),
    };
    let method = match named {
        Some(method) => Ok(method),
        None => method_of(&config_member(evaluator, "method"), Method::Get, site),
    };
    let mut query = Query::default();
    let params = config_member(evaluator, "params");
    query.add(evaluator, &params, site);
    let (data, written) = match data_at {
        Some(position) => (at(&noted.args, position), payload::written(&noted.args, position, "")),
        None => (config_member(evaluator, "data"), member(payload::written(&noted.args, config_at, ""), "data")),
    };
    let is_whole = is_literal(&data, written.clone());
    let body = object_body(evaluator, schemas, noted, &data, written);
    let answer = payload::type_argument(evaluator, schemas, &noted.args, site);
    request(evaluator, schemas, "axios", noted, Asked { method, query, body, is_whole, answer })
}
