//! Shapes as JSON Schema, for documents that are plain JSON: 2020-12, or what AsyncAPI takes of draft-07.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::model::{Additional, Kind, Limits, Literal, Object, Shape, ShapeId, ShapeTable};

/// Schemas that one document may have; more are left open.
const MAX_SCHEMAS: usize = 500_000;

/// Which JSON Schema is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draft {
    /// Draft-07, as in AsyncAPI.
    Seven,
    Latest,
}

/// Named schemas of one document, over the tables of all services.
pub(super) struct Definitions {
    draft: Draft,
    /// `#/$defs/`
    front: &'static str,
    pub(super) written: Map<String, Value>,
    /// By service and shape.
    names: FxHashMap<(usize, ShapeId), String>,
    /// Schemas whose place is taken, and that are still to be written.
    waiting: VecDeque<(String, ShapeId)>,
    count: usize,
}

impl Definitions {
    pub(super) fn new(draft: Draft, front: &'static str) -> Self {
        Definitions {
            draft,
            front,
            written: Map::new(),
            names: FxHashMap::default(),
            waiting: VecDeque::new(),
            count: 0,
        }
    }

    /// The schema of a shape: in place, or a reference where it has a name. `service` tells tables apart.
    pub(super) fn schema(&mut self, service: usize, table: &ShapeTable, id: ShapeId) -> Value {
        let mut writer = Writer { definitions: self, service, table, open: Vec::new() };
        let written = writer.schema(id);
        writer.finish();
        written
    }

    /// The same under a name of its own.
    pub(super) fn define(&mut self, service: usize, table: &ShapeTable, (name, id): (&str, ShapeId)) {
        let mut writer = Writer { definitions: self, service, table, open: Vec::new() };
        let id = writer.resolved(id);
        writer.defined(id, name);
        writer.finish();
    }
}

struct Writer<'w> {
    definitions: &'w mut Definitions,
    service: usize,
    table: &'w ShapeTable,
    /// Shapes without a name that are being written.
    open: Vec<ShapeId>,
}

/// Longer chains of references are left open, and deeper nests of what has no name get one.
const MAX_DEPTH: usize = 64;

impl Writer<'_> {
    fn schema(&mut self, id: ShapeId) -> Value {
        let id = self.resolved(id);
        let shape = self.table.get(id);
        let has_parts = matches!(shape.kind, Kind::Object(_) | Kind::Union(_) | Kind::Array { .. } | Kind::All(_));
        if let Some(name) = &shape.name
            && (has_parts || shape.values.is_some())
        {
            let name = self.defined(id, name);
            return json!({ "$ref": format!("{}{name}", self.definitions.front) });
        }
        let is_known = self.definitions.names.contains_key(&(self.service, id));
        if is_known || self.open.contains(&id) || self.open.len() > MAX_DEPTH {
            let name = self.defined(id, "Recursive");
            return json!({ "$ref": format!("{}{name}", self.definitions.front) });
        }
        self.definitions.count += 1;
        if self.definitions.count > MAX_SCHEMAS {
            return json!({});
        }
        self.open.push(id);
        let written = self.written(id);
        self.open.pop();
        written
    }

    /// The name that a shape is written under; it is written where it is not yet.
    fn defined(&mut self, id: ShapeId, name: &str) -> String {
        if let Some(known) = self.definitions.names.get(&(self.service, id)) {
            return known.clone();
        }
        let base: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
        let base = if base.is_empty() { "_".to_owned() } else { base };
        let mut unique = base.clone();
        let mut number = 2;
        while self.definitions.written.contains_key(&unique) {
            unique = format!("{base}__{number}");
            number += 1;
        }
        self.definitions.names.insert((self.service, id), unique.clone());
        // The place is taken before the members are written, so that a cycle ends in a reference.
        self.definitions.written.insert(unique.clone(), json!({}));
        if self.definitions.names.len() <= MAX_SCHEMAS {
            self.definitions.waiting.push_back((unique.clone(), id));
        }
        unique
    }

    /// Writes the schemas that were asked for, and those that they ask for.
    fn finish(&mut self) {
        while let Some((name, id)) = self.definitions.waiting.pop_front() {
            let written = self.written(id);
            self.definitions.written.insert(name, written);
        }
    }

    /// References without a `null` of their own are looked through.
    fn resolved(&self, id: ShapeId) -> ShapeId {
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            match self.table.get(id) {
                Shape { kind: Kind::Ref(target), nullable: false, .. } => id = *target,
                _ => break,
            }
        }
        id
    }

    fn all(&mut self, ids: &[ShapeId]) -> Vec<Value> {
        ids.iter().map(|id| self.schema(*id)).collect()
    }

    fn written(&mut self, id: ShapeId) -> Value {
        let table = self.table;
        let shape = table.get(id);
        let mut out = Map::new();
        if let Some(title) = &shape.title {
            out.insert("title".to_owned(), json!(title));
        }
        let mut word = None;
        match &shape.kind {
            Kind::Unknown(reason) => {
                out.insert("x-unknown".to_owned(), json!(reason.text));
            }
            Kind::Any => {}
            Kind::Never => {
                out.insert("not".to_owned(), json!({}));
            }
            Kind::Null => word = Some("null"),
            Kind::Boolean => word = Some("boolean"),
            Kind::Integer => word = Some("integer"),
            Kind::Number | Kind::Numeric => word = Some("number"),
            Kind::String => word = Some("string"),
            Kind::Array { prefix, items } => {
                word = Some("array");
                let items = items.map(|items| self.schema(items));
                if prefix.is_empty() {
                    items.into_iter().for_each(|items| {
                        out.insert("items".to_owned(), items);
                    });
                } else {
                    let prefix = self.all(prefix);
                    let (first, rest) = match self.definitions.draft {
                        Draft::Seven => ("items", "additionalItems"),
                        Draft::Latest => ("prefixItems", "items"),
                    };
                    out.insert(first.to_owned(), json!(prefix));
                    items.into_iter().for_each(|items| {
                        out.insert(rest.to_owned(), items);
                    });
                }
            }
            Kind::Object(object) => {
                word = Some("object");
                self.object(object, &mut out);
            }
            Kind::Union(union) => {
                let options = self.all(&union.options);
                out.insert(if union.exclusive { "oneOf" } else { "anyOf" }.to_owned(), alternatives(options));
            }
            Kind::Either(options) => {
                let options = self.all(options);
                out.insert("anyOf".to_owned(), alternatives(options));
            }
            Kind::All(parts) => {
                let parts = self.all(parts);
                out.insert("allOf".to_owned(), alternatives(parts));
            }
            Kind::Ref(target) => {
                let target = self.schema(*target);
                out.insert("allOf".to_owned(), json!([target]));
            }
        }
        let values = shape.values.as_ref().map(|values| values.iter().map(value).collect::<Vec<_>>());
        if let Some(word) = word {
            let may_be_null = shape.nullable && word != "null";
            out.insert("type".to_owned(), if may_be_null { json!([word, "null"]) } else { json!(word) });
        }
        if let Some(mut values) = values.filter(|values| !values.is_empty()) {
            if shape.nullable && !values.contains(&Value::Null) {
                values.push(Value::Null);
            }
            out.insert("enum".to_owned(), json!(values));
        }
        if let Some(format) = &shape.format {
            out.insert("format".to_owned(), json!(format));
        }
        let flags = [("readOnly", shape.read_only), ("writeOnly", shape.write_only), ("deprecated", shape.deprecated)];
        for (name, _) in flags.into_iter().filter(|(_, set)| *set) {
            out.insert(name.to_owned(), json!(true));
        }
        if let Some(limits) = &shape.limits {
            add_limits(limits, &mut out);
        }
        let says_null = word.is_some() || matches!(shape.kind, Kind::Any | Kind::Unknown(_));
        if shape.nullable && !says_null {
            return json!({ "anyOf": [out, { "type": "null" }] });
        }
        Value::Object(out)
    }

    fn object(&mut self, object: &Object, out: &mut Map<String, Value>) {
        let mut properties = Map::new();
        for field in &object.fields {
            let schema = self.schema(field.shape);
            properties.insert(field.name.clone(), schema);
        }
        let mut required: Vec<&str> =
            object.fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
        required.sort_unstable();
        required.dedup();
        if !properties.is_empty() {
            out.insert("properties".to_owned(), Value::Object(properties));
        }
        if !required.is_empty() {
            out.insert("required".to_owned(), json!(required));
        }
        match object.additional {
            Additional::Open => {}
            Additional::Closed => {
                out.insert("additionalProperties".to_owned(), json!(false));
            }
            Additional::Of(values) => {
                let values = self.schema(values);
                out.insert("additionalProperties".to_owned(), values);
            }
        }
    }
}

/// A list of alternatives must have one.
fn alternatives(list: Vec<Value>) -> Value {
    if list.is_empty() { json!([{}]) } else { Value::Array(list) }
}

fn value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Boolean(value) => json!(value),
        Literal::Number(text) | Literal::Other(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Literal::String(text) => json!(text),
    }
}

fn add_limits(limits: &Limits, out: &mut Map<String, Value>) {
    let numbers = [
        ("minimum", &limits.minimum),
        ("maximum", &limits.maximum),
        ("exclusiveMinimum", &limits.exclusive_minimum),
        ("exclusiveMaximum", &limits.exclusive_maximum),
        ("multipleOf", &limits.multiple_of),
    ];
    for (name, text) in numbers {
        let number = text.as_ref().and_then(|text| serde_json::from_str::<serde_json::Number>(text).ok());
        number.into_iter().for_each(|number| {
            out.insert(name.to_owned(), json!(number));
        });
    }
    let counts = [
        ("minLength", limits.min_length),
        ("maxLength", limits.max_length),
        ("minItems", limits.min_items),
        ("maxItems", limits.max_items),
        ("minProperties", limits.min_properties),
        ("maxProperties", limits.max_properties),
    ];
    for (name, count) in counts {
        count.into_iter().for_each(|count| {
            out.insert(name.to_owned(), json!(count));
        });
    }
    if limits.unique_items {
        out.insert("uniqueItems".to_owned(), json!(true));
    }
    if let Some(pattern) = &limits.pattern {
        out.insert("pattern".to_owned(), json!(pattern));
    }
    if let Some(default) = &limits.default {
        out.insert("default".to_owned(), value(default));
    }
}
