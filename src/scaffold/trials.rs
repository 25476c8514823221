//! What the tests of a service ask, and which status must come back.

use minijinja::{Value as Data, context};
use serde_json::{Map, Value, json};

use super::crud::Action;
use super::csharp;
use super::model::{Guard, Operation, Service, plain};
use super::types::{ModelKind, Type};
use crate::model::ParameterPlace;
use crate::registry::literal::{Syntax, literal};
use crate::registry::samples::encoded;

/// The key that tests give.
const KEY: &str = "test-key";
/// `test:test-key`, as `Basic` has it.
const BASIC: &str = "dGVzdDp0ZXN0LWtleQ==";

/// One request.
#[derive(Clone, Debug)]
struct Trial {
    name: String,
    method: &'static str,
    url: String,
    headers: Map<String, Value>,
    /// As JSON, or as text of a media type.
    body: Option<Value>,
    text: Option<String>,
    status: u16,
    /// Keeps one thing of this resource before.
    seed: Option<usize>,
}

/// For the templates of tests: `trials`, and `rounds` of what is made and read again.
pub(super) fn data(service: &Service, resources: &[String]) -> Data {
    let mut trials: Vec<Trial> = Vec::new();
    let mut rounds: Vec<Data> = Vec::new();
    for operation in &service.operations {
        let Some(allowed) = allowed(operation, service) else { continue };
        let name = |what: &str| format!("{} {what}", operation.name);
        if let Some(answer) = &operation.unauthorised {
            let headers = credentials(operation, false);
            let url = address(operation, service, false);
            let (headers, status) = (merged(&allowed.headers, headers, operation), answer.status);
            trials.push(Trial { name: name("refuses a stranger"), headers, url, status, ..allowed.clone() });
        }
        let is_item = allowed.seed.is_some();
        if let (true, Some(answer)) = (is_item, &operation.missing) {
            trials.push(Trial { name: name("finds nothing"), status: answer.status, seed: None, ..allowed.clone() });
        }
        if let (Some(answer), Some(body)) = (&operation.invalid, operation.body.as_ref()) {
            let is_shaped = match body.ty.as_ref() {
                Some(Type::Model(at)) => matches!(service.types.models[*at].kind, ModelKind::Object { .. }),
                Some(Type::List(_) | Type::Map(_)) => true,
                _ => false,
            };
            if is_shaped {
                let (body, status) = (Some(json!("neither")), answer.status);
                trials.push(Trial { name: name("refuses what is not valid"), body, status, ..allowed.clone() });
            }
        }
        rounds.extend(round(operation, &allowed, service));
        trials.push(allowed);
    }
    let whole = |it: &Trial| {
        json!({
            "name": it.name, "method": it.method, "url": it.url, "headers": it.headers, "body": it.body, "text": it.text,
            "status": it.status, "seed": it.seed.map(|at| resources[at].clone()),
        })
    };
    let written = |it: &Trial, syntax: Syntax| literal(&whole(it), syntax);
    let csharp: Vec<Data> = trials
        .iter()
        .map(|it| {
            let mut asked = whole(it);
            if let Value::Object(members) = &mut asked {
                members.shift_remove("name");
            }
            context! { name => csharp::text(&it.name), json => csharp::text(&asked.to_string()) }
        })
        .collect();
    let python: Vec<String> = trials.iter().map(|it| written(it, Syntax::Python)).collect();
    let javascript: Vec<String> = trials.iter().map(|it| written(it, Syntax::JavaScript)).collect();
    let seeds: Vec<Data> = service
        .resources
        .iter()
        .zip(resources)
        .map(|(it, name)| {
            let model = &service.types.models[it.model].name;
            let sample = |syntax| literal(&it.sample, syntax);
            let key = it.sample.get(&it.key).unwrap_or(&Value::Null);
            let own = context! {
                variable => super::names::camel(&it.one), json => csharp::text(&it.sample.to_string()),
                property => csharp::property(&service.types.models[it.model], &it.key),
            };
            context! {
                name, model, csharp => own, field => super::fastapi::field_name(&service.types, it.model, &it.key), python => sample(Syntax::Python), javascript => sample(Syntax::JavaScript),
                key => literal(&Value::from(it.key.as_str()), Syntax::Python), key_value => literal(key, Syntax::JavaScript),
            }
        })
        .collect();
    context! { python, javascript, csharp, rounds, seeds, service_key => KEY }
}

/// What is made can be read.
fn round(operation: &Operation, allowed: &Trial, service: &Service) -> Option<Data> {
    let Action::Create { resource, .. } = operation.action else { return None };
    if operation.success.is_empty() {
        return None;
    }
    let reads = service.operations.iter().find(|it| it.action == Action::Read { resource })?;
    let asked = self::allowed(reads, service)?;
    let kept = &service.resources[resource];
    let sample = encoded(&plain(kept.sample.get(&kept.key)?)?);
    let (before, after) = asked.url.rsplit_once(&sample)?;
    let asked_headers = &asked.headers;
    let of = |syntax: Syntax| {
        let create =
            json!({"method": allowed.method, "url": allowed.url, "headers": allowed.headers, "body": allowed.body});
        let read = json!({"before": before, "after": after, "headers": asked_headers});
        context! { create => literal(&create, syntax), read => literal(&read, syntax) }
    };
    let name = format!("{} is read again", operation.name);
    let snake = super::names::snake(&name);
    let key = literal(&Value::from(kept.key.as_str()), Syntax::Python);
    let asked = |sent: &Value| csharp::text(&sent.to_string());
    let create =
        json!({"method": allowed.method, "url": allowed.url, "headers": allowed.headers, "body": allowed.body});
    let url = format!("{before}{{key}}{after}");
    let read = json!({"method": "GET", "url": url, "headers": asked_headers, "body": null});
    let csharp = context! { create => asked(&create), read => asked(&read), key => csharp::text(&kept.key) };
    let pascal = super::names::pascal(&name);
    Some(
        context! { name, snake, pascal, key, csharp, python => of(Syntax::Python), javascript => of(Syntax::JavaScript) },
    )
}

fn allowed(operation: &Operation, service: &Service) -> Option<Trial> {
    let is_known = |place: ParameterPlace| {
        operation
            .parameters_in(place)
            .all(|it| !it.required || it.sample.as_ref().is_some_and(|it| texts(it).is_some()))
    };
    let places = [ParameterPlace::Path, ParameterPlace::Query, ParameterPlace::Header, ParameterPlace::Cookie];
    if !places.into_iter().all(is_known) {
        return None;
    }
    let mut headers = Map::new();
    let mut cookies: Vec<String> = Vec::new();
    for parameter in operation.parameters.iter().filter(|it| it.required) {
        let value = parameter.sample.as_ref().and_then(plain).unwrap_or_default();
        match parameter.place {
            ParameterPlace::Header => drop(headers.insert(parameter.name.clone(), json!(value))),
            ParameterPlace::Cookie => cookies.push(format!("{}={}", parameter.name, encoded(&value))),
            _ => {}
        }
    }
    if !cookies.is_empty() {
        headers.insert("Cookie".to_owned(), json!(cookies.join("; ")));
    }
    let headers = merged(&headers, credentials(operation, true), operation);
    let (mut body, mut text) = (None, None);
    let mut headers = headers;
    if let Some(sent) = operation.body.as_ref().filter(|it| it.required) {
        if sent.ty.is_some() {
            body = Some(sent.sample.clone()?);
        } else {
            text = Some("text".to_owned());
        }
        headers.insert("Content-Type".to_owned(), json!(sent.media));
    }
    let seed = match operation.action {
        Action::Read { resource }
        | Action::Replace { resource, .. }
        | Action::Change { resource, .. }
        | Action::Delete { resource } => Some(resource),
        _ => operation.within.map(|(resource, _)| resource),
    };
    // What nothing could be made of is not asked.
    if seed.is_none()
        && operation.action == Action::Sample
        && operation.success.ty.is_some()
        && operation.success.sample.is_none()
    {
        return None;
    }
    let url = address(operation, service, true);
    let (name, status) = (format!("{} answers {}", operation.name, operation.success.status), operation.success.status);
    Some(Trial { name, method: operation.method.name(), url, headers, body, text, status, seed })
}

/// Path and query.
fn address(operation: &Operation, service: &Service, is_known: bool) -> String {
    let mut url = format!("{}{}", operation.base, operation.path);
    let is_item = !matches!(operation.action, Action::List { .. } | Action::Create { .. } | Action::Sample);
    let count = operation.parameters_in(ParameterPlace::Path).count();
    for (at, parameter) in operation.parameters_in(ParameterPlace::Path).enumerate() {
        let own = operation.action.resource().filter(|_| is_item && at + 1 == count);
        let above =
            operation.within.filter(|(_, of)| operation.parameters[*of].name == parameter.name).map(|(it, _)| it);
        let kept = own.or(above).map(|at| &service.resources[at]);
        let value = match kept {
            Some(kept) => kept.sample.get(&kept.key).and_then(plain),
            None => parameter.sample.as_ref().and_then(plain),
        };
        url = url.replace(&format!("{{{}}}", parameter.name), &encoded(&value.unwrap_or_default()));
    }
    let mut query: Vec<String> = Vec::new();
    for parameter in operation.parameters_in(ParameterPlace::Query).filter(|it| it.required) {
        let values = parameter.sample.as_ref().and_then(texts).unwrap_or_default();
        query.extend(values.iter().map(|value| format!("{}={}", encoded(&parameter.name), encoded(value))));
    }
    if let (true, Some(Guard::Query(name))) = (is_known && operation.unauthorised.is_some(), operation.guards.first()) {
        query.push(format!("{}={KEY}", encoded(name)));
    }
    if query.is_empty() { url } else { format!("{url}?{}", query.join("&")) }
}

fn credentials(operation: &Operation, is_known: bool) -> Option<(String, String)> {
    let guard = operation.guards.first().filter(|_| operation.unauthorised.is_some() && is_known)?;
    match guard {
        Guard::Scheme(scheme) if scheme == "Basic" => Some(("Authorization".to_owned(), format!("Basic {BASIC}"))),
        Guard::Scheme(scheme) => Some(("Authorization".to_owned(), format!("{scheme} {KEY}"))),
        Guard::Header(name) => Some((name.clone(), KEY.to_owned())),
        Guard::Cookie(name) => Some(("Cookie".to_owned(), format!("{name}={KEY}"))),
        Guard::Query(_) => None,
    }
}

/// Headers with other credentials.
fn merged(
    headers: &Map<String, Value>,
    credentials: Option<(String, String)>,
    operation: &Operation,
) -> Map<String, Value> {
    let mut merged = headers.clone();
    if let Some((name, _)) = self::credentials(operation, true) {
        merged.shift_remove(&name);
    }
    if let Some((name, value)) = credentials {
        merged.insert(name, json!(value));
    }
    merged
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        other => Some(vec![plain(other)?]),
    }
}
