//! Which response a document promises: operation by method and path, response by status, body by media type.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::document::Place;
use super::{AnswerError, path};
use crate::config::nearest;
use crate::contracts::{self, Declarations};
use crate::model::Operation;
use crate::text::FileId;

/// More operations are counted in an error, not listed.
const MAX_LISTED: usize = 5;

/// What the body of a response is.
pub(super) enum Promised {
    /// There is none.
    Nothing,
    /// It is not described.
    Anything,
    Schema {
        pointer: String,
        /// The schema is that of each of the values that follow each other (OpenAPI 3.2, `itemSchema`).
        is_stream: bool,
    },
}

pub(super) fn promised(spec: &Value, method: &str, asked: &str, status: u16) -> Result<Promised, AnswerError> {
    let declarations = declared(spec)?;
    let operation = find(&declarations, method, asked)?;
    let nowhere = || AnswerError::malformed(format!("there is nothing at `{}`", operation.pointer));
    let mut place = Place::root(spec);
    for segment in operation.pointer.split('/').skip(1) {
        let key = segment.replace("~1", "/").replace("~0", "~");
        place = place.child(&key).ok_or_else(nowhere)?.follow()?;
    }
    let responses = match place.child("responses") {
        Some(responses) => responses.follow()?,
        None => return Err(undeclared(operation, status, &[])),
    };
    let declared: Vec<&str> = responses.members().map(|(key, _)| key).filter(|key| !key.starts_with("x-")).collect();
    let key = select(&declared, status).ok_or_else(|| undeclared(operation, status, &declared))?;
    body_of(spec, responses.child(key).ok_or_else(nowhere)?)
}

/// What each declared response of the operation at `pointer` promises, by its key.
pub(super) fn all_promised(spec: &Value, pointer: &str) -> Result<Vec<(String, Promised)>, AnswerError> {
    let nowhere = || AnswerError::malformed(format!("there is nothing at `{pointer}`"));
    let place = Place::root(spec).at(pointer).ok_or_else(nowhere)?.follow()?;
    let Some(responses) = place.child("responses") else { return Ok(Vec::new()) };
    let responses = responses.follow()?;
    let declared = responses.members().filter(|(key, _)| !key.starts_with("x-"));
    declared.map(|(key, response)| Ok((key.to_owned(), body_of(spec, response)?))).collect()
}

fn body_of(spec: &Value, response: Place<'_>) -> Result<Promised, AnswerError> {
    let response = response.follow()?;
    if spec.get("swagger").is_some() {
        return Ok(match response.child("schema") {
            Some(schema) => Promised::Schema { pointer: schema.pointer, is_stream: false },
            None => Promised::Nothing,
        });
    }
    let Some(content) = response.child("content") else { return Ok(Promised::Nothing) };
    let Some(media) = media(&content.follow()?) else { return Ok(Promised::Nothing) };
    let media = media.follow()?;
    Ok(match (media.child("schema"), media.child("itemSchema")) {
        (Some(schema), _) => Promised::Schema { pointer: schema.pointer, is_stream: false },
        (None, Some(item)) => Promised::Schema { pointer: item.pointer, is_stream: true },
        (None, None) => Promised::Anything,
    })
}

/// The document's operations, as the rest of treaty reads them. What they are made of is left out: that may be much, and
/// one response of one operation is asked for.
fn declared(spec: &Value) -> Result<Declarations, AnswerError> {
    const NAME: &str = "openapi.json";
    const KEPT: [&str; 5] = ["openapi", "swagger", "info", "servers", "basePath"];
    let mut outline: Map<String, Value> =
        KEPT.iter().filter_map(|key| Some(((*key).to_owned(), spec.get(key)?.clone()))).collect();
    let mut paths = Map::new();
    if let Some(stated) = Place::root(spec).child("paths") {
        for (path, item) in stated.follow()?.members() {
            let mut operations = Map::new();
            // One that cannot be followed says nothing of the others.
            let item = item.follow().ok();
            for (key, member) in item.iter().flat_map(Place::members) {
                let kept = match key {
                    "servers" => member.value.clone(),
                    "additionalOperations" => {
                        member.members().map(|(key, it)| (key.to_owned(), servers(&it))).collect()
                    }
                    _ if member.value.is_object() => servers(&member),
                    _ => continue,
                };
                operations.insert(key.to_owned(), kept);
            }
            paths.insert(path.to_owned(), operations.into());
        }
    }
    outline.insert("paths".to_owned(), paths.into());
    let text = Value::from(outline).to_string();
    let documents = BTreeMap::from([(NAME.to_owned(), contracts::parse(FileId(0), &text))]);
    let declarations = contracts::declare(&documents, NAME);
    match declarations.problems.first() {
        Some(problem) if declarations.operations.is_empty() => Err(AnswerError::malformed(&problem.message)),
        _ => Ok(declarations),
    }
}

/// All that counts of an operation here.
fn servers(operation: &Place<'_>) -> Value {
    let stated = operation.value.get("servers").map(|servers| ("servers".to_owned(), servers.clone()));
    Value::Object(stated.into_iter().collect())
}

fn find<'d>(declarations: &'d Declarations, method: &str, asked: &str) -> Result<&'d Operation, AnswerError> {
    let asked = path::of_request(asked);
    let shorter = asked.trim_end_matches('/');
    let mut fitting: Vec<(bool, path::Fit, &Operation)> = Vec::new();
    for operation in &declarations.operations {
        let bases = declarations.base_paths.iter().map(String::as_str).chain([""]);
        for template in bases.map(|base| operation.path.under(base)) {
            let template = template.text();
            if let Some(fit) = path::fit(template, &asked) {
                fitting.push((false, fit, operation));
            } else if let Some(fit) = path::fit(template.trim_end_matches('/'), shorter) {
                fitting.push((true, fit, operation));
            }
        }
    }
    fitting.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let is_asked = |operation: &Operation| operation.method.name().eq_ignore_ascii_case(method.trim());
    if let Some((.., operation)) = fitting.iter().find(|(.., operation)| is_asked(operation)) {
        return Ok(operation);
    }
    let mut others: Vec<String> = fitting.iter().map(|(.., other)| format!("`{}`", other.title())).collect();
    others.sort();
    others.dedup();
    let title = format!("{} {asked}", method.trim().to_ascii_uppercase());
    let next =
        if others.is_empty() { near(declarations, &title) } else { format!("that path has {}", others.join(", ")) };
    Err(AnswerError::UnknownOperation { asked: title, next })
}

/// What an operation that is not there was probably meant to be.
fn near(declarations: &Declarations, asked: &str) -> String {
    let titles: Vec<String> = declarations.operations.iter().map(Operation::title).collect();
    let in_common = |title: &str| {
        let (mut ours, theirs) = (asked.split(['/', ' ']), title.split(['/', ' ']));
        theirs
            .filter(|part| ours.next().is_some_and(|our| our.eq_ignore_ascii_case(part) || part.starts_with('{')))
            .count()
    };
    if let Some(near) = nearest(asked, titles.iter().map(String::as_str)) {
        return format!("the nearest is `{near}`");
    }
    match titles.iter().max_by_key(|title| (in_common(title), std::cmp::Reverse(title.len()))) {
        None => "it has no operations at all".to_owned(),
        Some(near) => {
            let listed: Vec<&str> = titles.iter().take(MAX_LISTED).map(String::as_str).collect();
            let more = titles.len().saturating_sub(MAX_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("the nearest is `{near}`, and there are {}{more}", listed.join(", "))
        }
    }
}

/// The key of the response: the exact status, else its range, else `default` (OpenAPI 3.1, "Responses Object").
fn select<'k>(declared: &[&'k str], status: u16) -> Option<&'k str> {
    let exact = status.to_string();
    let range = format!("{}XX", status / 100);
    let find = |wanted: &str| declared.iter().copied().find(|key| key.eq_ignore_ascii_case(wanted));
    find(&exact).or_else(|| find(&range)).or_else(|| find("default"))
}

fn undeclared(operation: &Operation, status: u16, declared: &[&str]) -> AnswerError {
    let distance = |key: &&&str| {
        let low = key.replace(['X', 'x'], "0").parse::<u16>().unwrap_or(u16::MAX);
        (low / 100 != status / 100, low.abs_diff(status))
    };
    let next = match declared.iter().min_by_key(distance) {
        Some(nearest) => format!("it has {}, the nearest is {nearest}", declared.join(", ")),
        None => "it declares no answers at all".to_owned(),
    };
    AnswerError::UndeclaredStatus { operation: operation.title(), status, next }
}

/// The media type that JSON answers have, else the first.
fn media<'s>(content: &Place<'s>) -> Option<Place<'s>> {
    let rank = |name: &str| {
        let name = name.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        match name.as_str() {
            "application/json" => 0,
            name if name.ends_with("+json") => 1,
            "application/*" => 2,
            "*/*" => 3,
            name if name.contains("json") => 4,
            _ => 5,
        }
    };
    content.members().filter(|(key, _)| !key.starts_with("x-")).min_by_key(|(key, _)| rank(key)).map(|(_, media)| media)
}
