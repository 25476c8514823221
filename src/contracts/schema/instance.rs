//! Whether a value that a document gives as an example or default belongs to the schema beside it. What is not looked at
//! (patterns, formats, conditions) never makes it wrong.

use crate::contracts::IssueKind;
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::{Node, Value};
use crate::finding::{Problem, ProblemKind};

/// Schemas that one value is held against, one within another; that there are deeper ones is told.
const MAX_DEPTH: usize = 64;
/// … and altogether: alternatives within alternatives multiply.
const MAX_STEPS: usize = 10_000;

/// Reports a value that cannot belong to a schema. `role` is what it is: `example`, `default`.
pub(in crate::contracts) fn check<'d>(reader: &mut Reader<'d>, schema: &Place<'d>, value: &Place<'d>, role: &str) {
    let mut check = Check { reader, steps: MAX_STEPS, cut: false };
    let misfit = check.misfit(schema, value, 0);
    if check.cut && misfit.is_none() {
        let message = format!("this {role} is not held against its whole schema: there is too much of it");
        let path = reader.sources[0].path;
        let problem = Problem { span: Some(value.span), ..Problem::new(ProblemKind::BudgetExhausted, path, message) };
        reader.problems.push(problem);
    }
    let Some(misfit) = misfit else { return };
    let message = format!("this {role} is not what its schema says: {}", misfit.message);
    let help = format!("correct the {role} or the schema");
    // JSON Schema only recommends it (2020-12, validation, section 9.2); OpenAPI and AsyncAPI require it.
    let root = &reader.sources[value.source].parsed.tree.root;
    let required = ["openapi", "swagger", "asyncapi"].into_iter().any(|key| root.get(key).is_some());
    let kind = if required { IssueKind::InvalidValue } else { IssueKind::Doubtful };
    reader.issue(kind, misfit.place.span, &misfit.place.pointer, message, Some(&help));
}

struct Misfit<'d> {
    place: Place<'d>,
    message: String,
}

struct Check<'r, 'd> {
    reader: &'r mut Reader<'d>,
    steps: usize,
    /// It ended before all was looked at.
    cut: bool,
}

impl<'d> Check<'_, 'd> {
    fn misfit(&mut self, schema: &Place<'d>, value: &Place<'d>, depth: usize) -> Option<Misfit<'d>> {
        if depth > MAX_DEPTH || self.steps == 0 {
            self.cut = true;
            return None;
        }
        self.steps -= 1;
        let wrong = |message: String| Some(Misfit { place: value.clone(), message });
        if matches!(schema.node.value, Value::Bool(false)) {
            return wrong("no value is allowed".to_owned());
        }
        if let Some((_, reference)) = schema.node.entry("$ref")
            && let Some(text) = reference.text()
        {
            let pointer = format!("{}/$ref", schema.pointer);
            if let Some(target) = self.reader.resolve(schema.source, text, reference.span, &pointer)
                && let Some(misfit) = self.misfit(&target, value, depth + 1)
            {
                return Some(misfit);
            }
            if self.reader.dialect(schema) < Dialect::V31 {
                return None;
            }
        }
        let has = |key: &str| schema.node.get(key).is_some_and(Node::is_true);
        if value.node.is_null() && (has("nullable") || has("x-nullable")) {
            return None;
        }
        if let Some(message) = wrong_alone(schema.node, value.node) {
            return wrong(message);
        }
        self.items(schema, value, depth)
            .or_else(|| self.members(schema, value, depth))
            .or_else(|| self.composed(schema, value, depth))
    }

    fn items(&mut self, schema: &Place<'d>, value: &Place<'d>, depth: usize) -> Option<Misfit<'d>> {
        if !matches!(value.node.value, Value::Array(_)) {
            return None;
        }
        let items = schema.child("items");
        let older = items.clone().filter(|items| matches!(items.node.value, Value::Array(_)));
        let prefix: Vec<_> = older
            .clone()
            .or_else(|| schema.child("prefixItems"))
            .map(|list| list.items().collect())
            .unwrap_or_default();
        let rest = if older.is_some() { schema.child("additionalItems") } else { items };
        for (at, item) in value.items().enumerate() {
            let of = prefix.get(at).or(rest.as_ref());
            if let Some(of) = of
                && let Some(misfit) = self.misfit(of, &item, depth + 1)
            {
                return Some(misfit);
            }
        }
        None
    }

    fn members(&mut self, schema: &Place<'d>, value: &Place<'d>, depth: usize) -> Option<Misfit<'d>> {
        if !value.node.is_object() {
            return None;
        }
        for name in schema.node.get("required").map(Node::items).unwrap_or_default() {
            let Some(name) = name.text() else { continue };
            if value.node.get(name).is_none() && !value.node.cut {
                return Some(Misfit { place: value.clone(), message: format!("`{name}` is missing") });
            }
        }
        let properties = schema.child("properties");
        // Patterns are not compared with names: whatever they may be about is left alone.
        let further = schema.child("additionalProperties").filter(|_| schema.node.get("patternProperties").is_none());
        for (key, member) in value.members() {
            let of = properties.as_ref().and_then(|all| all.child(&key.text));
            match of.or_else(|| further.clone()) {
                Some(of) if matches!(of.node.value, Value::Bool(false)) => {
                    let message = format!("`{}` is not allowed", key.text);
                    return Some(Misfit { place: member, message });
                }
                Some(of) => {
                    if let Some(misfit) = self.misfit(&of, &member, depth + 1) {
                        return Some(misfit);
                    }
                }
                None => {}
            }
        }
        None
    }

    fn composed(&mut self, schema: &Place<'d>, value: &Place<'d>, depth: usize) -> Option<Misfit<'d>> {
        for part in schema.child("allOf").iter().flat_map(Place::items) {
            if let Some(misfit) = self.misfit(&part, value, depth + 1) {
                return Some(misfit);
            }
        }
        for key in ["anyOf", "oneOf"] {
            let options: Vec<_> = schema.child(key).map(|list| list.items().collect()).unwrap_or_default();
            let misfits: Vec<_> = options.iter().map_while(|option| self.misfit(option, value, depth + 1)).collect();
            if !options.is_empty() && misfits.len() == options.len() {
                // The only alternative says best what is wrong.
                let mut misfits = misfits;
                let only = misfits.pop().filter(|_| misfits.is_empty());
                let message = format!("none of the alternatives of `{key}` fits");
                return only.or(Some(Misfit { place: value.clone(), message }));
            }
        }
        None
    }
}

/// What is wrong with a value whatever it contains.
fn wrong_alone(schema: &Node, value: &Node) -> Option<String> {
    if let Some(stated) = schema.get("type") {
        let words: Vec<&str> = match &stated.value {
            Value::Array(_) => stated.items().iter().filter_map(Node::text).collect(),
            _ => stated.text().into_iter().collect(),
        };
        let known = |word: &&str| ["null", "string", "number", "integer", "boolean", "array", "object"].contains(word);
        if !words.is_empty() && words.iter().all(known) && !words.iter().any(|word| is_of(value, word)) {
            return Some(format!("its type must be {}, found {}", words.join(" or "), value.type_name()));
        }
    }
    if let Some(only) = schema.get("const")
        && !same(only, value)
    {
        return Some(format!("it must be `{}`", only.to_json()));
    }
    if let Some(values) = schema.get("enum")
        && matches!(values.value, Value::Array(_))
        && !values.items().iter().any(|known| same(known, value))
    {
        return Some("it is none of the values of `enum`".to_owned());
    }
    let number = |key: &str| schema.get(key).and_then(as_number);
    if let Some(found) = as_number(value) {
        let low = number("minimum").is_some_and(|least| found < least);
        let high = number("maximum").is_some_and(|most| found > most);
        let at_low = number("exclusiveMinimum").is_some_and(|least| found <= least);
        let at_high = number("exclusiveMaximum").is_some_and(|most| found >= most);
        if low || high || at_low || at_high {
            return Some("it is outside of its bounds".to_owned());
        }
    }
    let (least, most, size) = match &value.value {
        Value::String(text) => ("minLength", "maxLength", text.chars().count()),
        Value::Array(items) => ("minItems", "maxItems", items.len()),
        Value::Object(_) => ("minProperties", "maxProperties", value.entries().len()),
        _ => return None,
    };
    let size = f64::from(u32::try_from(size).unwrap_or(u32::MAX));
    if number(least).is_some_and(|least| size < least) {
        return Some(format!("it is shorter than its `{least}`"));
    }
    number(most).is_some_and(|most| size > most).then(|| format!("it is longer than its `{most}`"))
}

fn is_of(value: &Node, word: &str) -> bool {
    match word {
        "integer" => as_number(value).is_some_and(|number| number.fract() == 0.0),
        "number" => matches!(value.value, Value::Number(_)),
        word => value.type_name() == word,
    }
}

fn as_number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// Equality of JSON values: numbers by value, objects whatever the order.
fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b || decimal(a) == decimal(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        (Value::Object(_), Value::Object(_)) => {
            a.entries().len() == b.entries().len()
                && a.entries().iter().all(|(key, value)| b.get(&key.text).is_some_and(|other| same(value, other)))
        }
        _ => false,
    }
}

/// `1.50` and `1.5` are one number.
fn decimal(text: &str) -> &str {
    if !text.contains('.') || text.contains(['e', 'E']) {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.')
}
