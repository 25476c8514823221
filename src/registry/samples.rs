//! Values that a schema lets through: what its author gave as an example, else the plainest there is.

mod pattern;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// Schemas within schemas are followed this deep; what needs more has no sample.
const MAX_DEPTH: usize = 12;

/// A value for a schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) value: Value,
    /// The contract gives it: an example, a default, or the only value that there is.
    pub(crate) given: bool,
}

/// Makes samples of the schemas of one document.
#[derive(Clone, Copy)]
pub(crate) struct Sampler<'d> {
    pub(crate) document: &'d Value,
    /// Members that say this of themselves go the other way.
    hidden: &'static str,
    /// Whether what the author gave is taken.
    with_examples: bool,
}

impl<'d> Sampler<'d> {
    /// As a client sends them.
    pub(crate) fn of_requests(document: &'d Value) -> Self {
        Sampler { document, hidden: "readOnly", with_examples: true }
    }

    /// As a service sends them.
    #[cfg(feature = "orchestrate")]
    pub(crate) fn of_answers(document: &'d Value) -> Self {
        Sampler { hidden: "writeOnly", ..Sampler::of_requests(document) }
    }

    /// The plainest, whatever the author gave.
    #[cfg(feature = "orchestrate")]
    #[must_use]
    pub(crate) fn without_examples(self) -> Self {
        Sampler { with_examples: false, ..self }
    }

    /// The value behind a `$ref` within the document, if it is one.
    pub(crate) fn follow(self, value: &'d Value) -> &'d Value {
        let mut value = value;
        for _ in 0..MAX_DEPTH {
            let Some(text) = value.get("$ref").and_then(Value::as_str) else { break };
            let target =
                text.strip_prefix('#').and_then(|it| self.document.pointer(&crate::contracts::percent_decode(it)));
            match target {
                Some(target) => value = target,
                None => break,
            }
        }
        value
    }

    pub(crate) fn sample(self, schema: &'d Value) -> Option<Sample> {
        self.at(schema, 0, &[])
    }

    /// `others` are members that are stated beside this schema, by other parts of the same thing.
    fn at(self, schema: &'d Value, depth: usize, others: &[&'d Map<String, Value>]) -> Option<Sample> {
        if depth > MAX_DEPTH {
            return None;
        }
        let given = |schema| if self.with_examples { given(schema) } else { schema.get("const") };
        let beside = given(schema);
        let schema = self.follow(schema);
        if schema.get("$ref").is_some() {
            return None;
        }
        if let Some(value) = beside.or_else(|| given(schema)) {
            return Some(Sample { value: value.clone(), given: true });
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let value = values.iter().find(|value| !value.is_null()).or(values.first())?;
            return Some(Sample { value: value.clone(), given: true });
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(options) = schema.get(key).and_then(Value::as_array) {
                let mut samples = options.iter().filter_map(|option| self.at(option, depth + 1, others));
                let sample = samples.find(|sample| !sample.value.is_null())?;
                return self.with_own_members(schema, sample, depth, others);
            }
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            let mut whole: Option<Sample> = None;
            let mut others = others.to_vec();
            self.members(schema, depth, &mut others);
            for part in parts {
                let sample = self.at(part, depth + 1, &others)?;
                whole = Some(match whole {
                    Some(before) => merged(before, sample),
                    None => sample,
                });
            }
            return self.with_own_members(schema, whole?, depth, &others);
        }
        match type_of(schema) {
            "object" => self.object(schema, depth, others),
            "array" => self.array(schema, depth),
            "string" => pattern::text(schema).map(generated),
            "integer" => number(schema, true).map(generated),
            "number" => number(schema, false).map(generated),
            "boolean" => Some(generated(json!(true))),
            "null" => Some(generated(Value::Null)),
            _ => Some(generated(json!("any"))),
        }
    }

    /// Members that a schema states beside the alternatives or parts that it is made of.
    fn with_own_members(
        self,
        schema: &'d Value,
        sample: Sample,
        depth: usize,
        others: &[&'d Map<String, Value>],
    ) -> Option<Sample> {
        if schema.get("properties").is_none() && schema.get("required").is_none() {
            return Some(sample);
        }
        Some(merged(sample, self.object(schema, depth, others)?))
    }

    /// Members that a schema and its parts state.
    fn members(self, schema: &'d Value, depth: usize, found: &mut Vec<&'d Map<String, Value>>) {
        if depth > MAX_DEPTH || found.len() > MOST_ITEMS {
            return;
        }
        let schema = self.follow(schema);
        found.extend(schema.get("properties").and_then(Value::as_object));
        let parts = schema.get("allOf").and_then(Value::as_array);
        parts.into_iter().flatten().for_each(|part| self.members(part, depth + 1, found));
    }

    fn object(self, schema: &'d Value, depth: usize, others: &[&'d Map<String, Value>]) -> Option<Sample> {
        let mut members = Map::new();
        let mut all_given = true;
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in required(schema) {
            let stated = properties.and_then(|them| them.get(name));
            let Some(member) = stated.or_else(|| others.iter().find_map(|them| them.get(name))) else {
                members.insert(name.to_owned(), json!("any"));
                all_given = false;
                continue;
            };
            if self.is_hidden(member) {
                continue;
            }
            let Sample { value, given } = self.at(member, depth + 1, &[])?;
            members.insert(name.to_owned(), value);
            all_given &= given;
        }
        let least = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(0) as usize;
        for (name, member) in properties.into_iter().flatten() {
            if members.len() >= least {
                break;
            }
            if !members.contains_key(name) && !self.is_hidden(member) {
                members.insert(name.clone(), self.at(member, depth + 1, &[])?.value);
                all_given = false;
            }
        }
        Some(Sample { value: members.into(), given: all_given })
    }

    fn array(self, schema: &'d Value, depth: usize) -> Option<Sample> {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
        let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX) as usize;
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        let mut items = Vec::new();
        for item in prefix.into_iter().flatten() {
            items.push(self.at(item, depth + 1, &[])?.value);
        }
        if let Some(item) = schema.get("items").filter(|items| items.is_object()) {
            let wanted = least.max(1).min(most);
            let sample = self.at(item, depth + 1, &[]);
            while items.len() < wanted {
                match &sample {
                    Some(sample) => items.push(sample.value.clone()),
                    // What holds itself ends here.
                    None if least == 0 => break,
                    None => return None,
                }
            }
        }
        (items.len() <= MOST_ITEMS).then(|| generated(items.into()))
    }

    /// Whether a member goes the other way only: of a request, what is only read.
    pub(crate) fn is_hidden(self, member: &'d Value) -> bool {
        let is_set = |schema: &Value| schema.get(self.hidden) == Some(&Value::Bool(true));
        is_set(member) || is_set(self.follow(member))
    }
}

/// More are no sample any more.
const MOST_ITEMS: usize = 100;

fn generated(value: Value) -> Sample {
    Sample { value, given: false }
}

fn given(schema: &Value) -> Option<&Value> {
    let first = schema.get("examples").and_then(Value::as_array).and_then(|them| them.first());
    schema.get("const").or(schema.get("example")).or(first).or(schema.get("default").filter(|value| !value.is_null()))
}

pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The first type that is not null; told from the other keywords where none is stated.
pub(crate) fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("null")
        }
        _ if schema.get("properties").is_some() || schema.get("required").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ if schema.get("pattern").is_some() || schema.get("minLength").is_some() => "string",
        _ => "",
    }
}

fn merged(a: Sample, b: Sample) -> Sample {
    match (a.value, b.value) {
        (Value::Object(mut members), Value::Object(more)) => {
            members.extend(more);
            Sample { value: members.into(), given: a.given && b.given }
        }
        (value, _) => Sample { value, given: a.given },
    }
}

fn number(schema: &Value, whole: bool) -> Option<Value> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let is_exclusive = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    let step = bound("multipleOf").filter(|step| *step > 0.0).unwrap_or(1.0);
    let mut least = bound("minimum").unwrap_or(f64::NEG_INFINITY);
    let mut most = bound("maximum").unwrap_or(f64::INFINITY);
    let beyond = |limit: f64, by: f64| if whole || limit.fract() == 0.0 { limit + by } else { limit + by / 1000.0 };
    if is_exclusive("exclusiveMinimum") {
        least = beyond(least, step);
    }
    if is_exclusive("exclusiveMaximum") {
        most = beyond(most, -step);
    }
    least = bound("exclusiveMinimum").map_or(least, |limit| least.max(beyond(limit, step)));
    most = bound("exclusiveMaximum").map_or(most, |limit| most.min(beyond(limit, -step)));
    let mut value = 1.0_f64.clamp(least.min(most), most.max(least));
    if bound("multipleOf").is_some() {
        value = (value / step).ceil() * step;
    }
    if whole {
        value = value.ceil();
        return (value >= least && value <= most && value.abs() < 9e15).then(|| json!(value as i64));
    }
    let shown = if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) };
    (value >= least && value <= most).then_some(shown)
}

/// RFC 3986: what is not unreserved is escaped.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
