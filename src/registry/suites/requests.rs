//! Requests that a contract lets clients make, and requests that it rules out.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::contracts::Declarations;
use crate::model::Operation;
use crate::registry::samples::{Sample, Sampler, encoded, required, type_of};

/// What is known of an operation's answers: for each status or range, the place of its schema in the suite.
pub(super) type Answers = BTreeMap<String, Option<usize>>;

/// One request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Request {
    /// What the test is called.
    pub(super) name: String,
    /// `GET /users/{id}`
    pub(super) operation: String,
    pub(super) method: String,
    /// Path and query, below the base address.
    pub(super) url: String,
    pub(super) headers: BTreeMap<String, String>,
    /// The text that is sent.
    pub(super) body: Option<String>,
    /// All that it sends is given by the contract, so that nothing but success keeps it.
    pub(super) must_succeed: bool,
}

/// What is asked of one operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Requests {
    pub(super) allowed: Option<Request>,
    pub(super) ruled_out: Vec<Request>,
    /// Why nothing that is allowed can be asked.
    pub(super) skipped: Option<String>,
}

/// One parameter with its schema.
struct Parameter<'d> {
    name: &'d str,
    place: &'d str,
    required: bool,
    schema: Option<&'d Value>,
    /// As plain texts; several for a list.
    values: Option<(Vec<String>, bool)>,
}

/// What a body may be.
struct Body<'d> {
    media: String,
    required: bool,
    schema: Option<&'d Value>,
    sample: Option<Sample>,
}

/// Requests of one operation, whose object in the document `at` is.
pub(super) fn requests<'d>(
    document: &'d Value,
    declared: &Declarations,
    operation: &Operation,
    at: &'d Value,
) -> Requests {
    let sampler = Sampler::of_requests(document);
    let title = operation.title();
    let (path, _) = operation.pointer.rsplit_once('/').unwrap_or_default();
    let shared = document.pointer(path).map(|it| sampler.follow(it));
    let parameters = parameters(sampler, [Some(at), shared].into_iter().flatten(), &declared.keys);
    let body = body(sampler, at, &parameters);
    let plan = Plan { title: &title, operation, parameters: &parameters, body: body.as_ref() };
    let missing = parameters.iter().find(|it| it.required && it.values.is_none());
    let skipped = match (&body, missing) {
        (_, Some(missing)) => Some(format!("no value is known for the parameter `{}`", missing.name)),
        (Some(body), _) if body.required && !is_json(&body.media) => {
            Some(format!("a body of `{}` is not made up", body.media))
        }
        (Some(Body { sample: None, required: true, .. }), _) => Some("no value is known for the body".to_owned()),
        _ => None,
    };
    let allowed = skipped.is_none().then(|| plan.request(&title, &Change::None));
    let ruled_out = if skipped.is_none() { plan.ruled_out(sampler) } else { Vec::new() };
    Requests { allowed, ruled_out, skipped }
}

/// How a request differs from one that is allowed.
enum Change<'c> {
    None,
    /// A parameter is left out.
    Without(&'c str, &'c str),
    /// … or has another value.
    With(&'c str, &'c str, &'c str),
    NoBody,
    OtherBody(Value),
    /// The same as plain text.
    OtherMedia,
}

struct Plan<'p, 'd> {
    title: &'p str,
    operation: &'p Operation,
    parameters: &'p [Parameter<'d>],
    body: Option<&'p Body<'d>>,
}

impl Plan<'_, '_> {
    fn request(&self, name: &str, change: &Change<'_>) -> Request {
        let mut url = self.operation.path.text().to_owned();
        let mut query: Vec<String> = Vec::new();
        let mut headers = BTreeMap::new();
        let mut cookies: Vec<String> = Vec::new();
        let mut given = true;
        for parameter in self.parameters {
            let is_it = |place: &str, name: &str| parameter.place == place && parameter.name == name;
            let values = match change {
                Change::Without(place, name) if is_it(place, name) => continue,
                Change::With(place, name, value) if is_it(place, name) => vec![(*value).to_owned()],
                _ if !parameter.required => continue,
                _ => match &parameter.values {
                    Some((values, is_given)) => {
                        given &= is_given;
                        values.clone()
                    }
                    None => continue,
                },
            };
            match parameter.place {
                "path" => {
                    url = url.replace(&format!("{{{}}}", parameter.name), &encoded(&values.join(",")));
                }
                "query" => {
                    query.extend(values.iter().map(|value| format!("{}={}", encoded(parameter.name), encoded(value))));
                }
                "header" => {
                    headers.insert(parameter.name.to_owned(), values.join(","));
                }
                _ => cookies.push(format!("{}={}", encoded(parameter.name), encoded(&values.join(",")))),
            }
        }
        if !query.is_empty() {
            url = format!("{url}?{}", query.join("&"));
        }
        if !cookies.is_empty() {
            headers.insert("Cookie".to_owned(), cookies.join("; "));
        }
        let sample = self.body.and_then(|body| Some((body, body.sample.as_ref()?)));
        let body = match (change, sample) {
            (Change::NoBody, _) => None,
            (Change::OtherBody(value), Some((body, _))) => Some((body.media.clone(), value.to_string())),
            (Change::OtherMedia, _) => Some(("text/plain".to_owned(), "not what the contract takes".to_owned())),
            (_, Some((body, sample))) if body.required || sample.given => {
                given &= sample.given;
                Some((body.media.clone(), sample.value.to_string()))
            }
            _ => None,
        };
        let body = body.map(|(media, text)| {
            headers.insert("Content-Type".to_owned(), media);
            text
        });
        let has_success = self.operation.responses.iter().any(|response| response.status.is_success());
        Request {
            name: name.to_owned(),
            operation: self.title.to_owned(),
            method: self.operation.method.name().to_owned(),
            url,
            headers,
            body,
            must_succeed: given && has_success,
        }
    }

    fn ruled_out(&self, sampler: Sampler<'_>) -> Vec<Request> {
        let mut out = Vec::new();
        let mut add = |what: String, change: Change<'_>| {
            let name = format!("{}: {what}", self.title);
            out.push(Request { must_succeed: false, ..self.request(&name, &change) });
        };
        for Parameter { name, place, required, schema, .. } in self.parameters {
            if *required && *place != "path" {
                add(format!("{place} parameter {name} is missing"), Change::Without(place, name));
            }
            // Whatever is in a header is a text, and intermediaries change some of them.
            let wrong =
                schema.filter(|_| matches!(*place, "path" | "query")).and_then(|it| wrong_text(sampler.follow(it)));
            if let Some((value, why)) = wrong {
                add(format!("{place} parameter {name} {why}"), Change::With(place, name, value));
            }
        }
        let Some(Body { required: is_required, schema, sample: Some(sample), .. }) = self.body else { return out };
        if *is_required {
            add("the body is missing".to_owned(), Change::NoBody);
            add("the body is plain text".to_owned(), Change::OtherMedia);
        }
        let Some(members) = sample.value.as_object() else { return out };
        for (name, schema) in own_members(sampler, schema.unwrap_or(&Value::Null)) {
            if schema.is_required && members.contains_key(name) {
                let mut without = members.clone();
                without.shift_remove(name);
                add(format!("the body lacks {name}"), Change::OtherBody(without.into()));
            }
            if let Some((value, why)) = schema.wrong {
                let mut other = members.clone();
                other.insert(name.to_owned(), value);
                add(format!("{name} of the body {why}"), Change::OtherBody(other.into()));
            }
        }
        out
    }
}

struct Member {
    is_required: bool,
    wrong: Option<(Value, &'static str)>,
}

/// Members that a schema states itself or by all of its parts; those of alternatives may be others.
fn own_members<'d>(sampler: Sampler<'d>, schema: &'d Value) -> BTreeMap<&'d str, Member> {
    let mut found = BTreeMap::new();
    let mut left = vec![schema];
    let mut names: Vec<&str> = Vec::new();
    for _ in 0..64 {
        let Some(schema) = left.pop().map(|it| sampler.follow(it)) else { break };
        left.extend(schema.get("allOf").and_then(Value::as_array).into_iter().flatten());
        names.extend(required(schema));
        for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if !sampler.is_hidden(member) {
                let wrong = wrong_value(sampler.follow(member));
                found.insert(name.as_str(), Member { is_required: false, wrong });
            }
        }
    }
    for name in names {
        if let Some(member) = found.get_mut(name) {
            member.is_required = true;
        }
    }
    found
}

/// A value of a type that a schema rules out.
pub(super) fn wrong_value(schema: &Value) -> Option<(Value, &'static str)> {
    let allows = |name: &str| match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|it| it == name),
        _ => true,
    };
    if allows("string") && schema.get("enum").is_some() && schema.get("type").is_some() {
        return Some((json!("not-one-of-them"), "is none of its values"));
    }
    // Numbers are often taken where a text is meant, and the other way round; an object is neither.
    [("object", json!({"not": "expected"}), "is an object"), ("array", json!(["not expected"]), "is a list")]
        .into_iter()
        .find(|(name, ..)| !allows(name))
        .map(|(_, value, why)| (value, why))
}

/// A text that a parameter of this schema cannot be.
fn wrong_text(schema: &Value) -> Option<(&'static str, &'static str)> {
    if schema.get("enum").is_some() {
        return Some(("not-one-of-them", "is none of its values"));
    }
    match (type_of(schema), schema.get("format").and_then(Value::as_str)) {
        ("integer", _) => Some(("not-a-number", "is no integer")),
        ("number", _) => Some(("not-a-number", "is no number")),
        ("boolean", _) => Some(("not-a-boolean", "is no boolean")),
        ("string", Some("uuid")) => Some(("not-a-uuid", "is no UUID")),
        ("string", Some("date" | "date-time")) => Some(("not-a-date", "is no date")),
        _ => None,
    }
}

fn parameters<'d>(
    sampler: Sampler<'d>,
    holders: impl Iterator<Item = &'d Value>,
    keys: &[(crate::model::ParameterPlace, String)],
) -> Vec<Parameter<'d>> {
    let mut found: Vec<Parameter<'d>> = Vec::new();
    for holder in holders {
        for parameter in holder.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            let parameter = sampler.follow(parameter);
            let text = |key: &str| parameter.get(key).and_then(Value::as_str);
            let (Some(name), Some(place)) = (text("name"), text("in")) else { continue };
            let is_key = keys.iter().any(|(_, key)| key.eq_ignore_ascii_case(name));
            let known = found.iter().any(|it| it.name == name && it.place == place);
            if known || is_key || !matches!(place, "path" | "query" | "header" | "cookie" | "body") {
                continue;
            }
            let content = parameter.get("content").and_then(Value::as_object).and_then(|it| it.values().next());
            let schema = parameter.get("schema").or_else(|| content?.get("schema"));
            // In 2.0, a parameter is its own schema.
            let schema = schema.or_else(|| parameter.get("type").is_some().then_some(parameter));
            let first = parameter.get("examples").and_then(Value::as_object).and_then(|it| it.values().next());
            let example = parameter.get("example").or_else(|| sampler.follow(first?).get("value"));
            let sample = match example {
                Some(value) => Some(Sample { value: value.clone(), given: true }),
                None => schema.and_then(|schema| sampler.sample(schema)),
            };
            let required = place == "path" || parameter.get("required") == Some(&Value::Bool(true));
            let values = sample.and_then(|it| Some((texts(&it.value)?, it.given)));
            found.push(Parameter { name, place, required, schema, values });
        }
    }
    found
}

/// What a value is in an address: each element of a list by itself.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(|item| texts(item)?.pop()).collect(),
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(_) | Value::Bool(_) => Some(vec![value.to_string()]),
        Value::Null | Value::Object(_) => None,
    }
}

fn body<'d>(sampler: Sampler<'d>, at: &'d Value, parameters: &[Parameter<'d>]) -> Option<Body<'d>> {
    if let Some(body) = parameters.iter().find(|it| it.place == "body") {
        let sample = body.schema.and_then(|schema| sampler.sample(schema));
        return Some(Body {
            media: "application/json".to_owned(),
            required: body.required,
            schema: body.schema,
            sample,
        });
    }
    let body = sampler.follow(at.get("requestBody")?);
    let content = body.get("content")?.as_object()?;
    let (media, entry) = content.iter().find(|(media, _)| is_json(media)).or_else(|| content.iter().next())?;
    let schema = entry.get("schema");
    let first = entry.get("examples").and_then(Value::as_object).and_then(|it| it.values().next());
    let example = entry.get("example").or_else(|| sampler.follow(first?).get("value"));
    let sample = match example {
        Some(value) => Some(Sample { value: value.clone(), given: true }),
        None => schema.and_then(|schema| sampler.sample(schema)),
    };
    let sample = sample.filter(|_| is_json(media));
    let required = body.get("required") == Some(&Value::Bool(true));
    Some(Body { media: media.clone(), required, schema, sample })
}

pub(super) fn is_json(media: &str) -> bool {
    let essence = media.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    essence == "application/json" || essence.ends_with("+json")
}
