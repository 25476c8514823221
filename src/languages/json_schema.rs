//! JSON Schema written as plain data in a program: `WithJsonSchema({...})`, `schema: { response: { 200: {...} } }`.
//! Follows draft 7 and 2020-12, with OpenAPI's `nullable`; parts that are not plain data are unknown.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{Dict, Value};
use crate::model::{Additional, Field, Kind, Literal, Object, Shape, ShapeId, ShapeTable, Union};
use crate::text::Span;

/// Schemas within schemas are read this deep; a deeper one is unknown.
const MAX_DEPTH: usize = 60;

/// Where shapes go, and who knows schemas that are no plain data.
pub trait Shapes<'p> {
    fn table(&mut self) -> &mut ShapeTable;

    /// The shape of a value of a library that stands where a schema is expected.
    fn other(&mut self, _value: &Value<'p>, _site: Option<Span>) -> Option<ShapeId> {
        None
    }

    /// The shape of a schema that was read before.
    fn known(&self, _schema: &Value<'p>) -> Option<ShapeId> {
        None
    }

    /// Keeps the shape of a schema that means the same wherever it stands.
    fn remember(&mut self, _schema: &Value<'p>, _shape: ShapeId) {}
}

impl Shapes<'_> for ShapeTable {
    fn table(&mut self) -> &mut ShapeTable {
        self
    }
}

/// Whether plain data looks like a schema.
pub fn is_schema(value: &Value) -> bool {
    const WORDS: &[&str] = &["type", "properties", "items", "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "$id"];
    let Value::Dict(dict) = value else { return false };
    let dict = dict.borrow();
    let is_type = |value: &Value| matches!(value, Value::Str(_) | Value::List(_) | Value::Tuple(_));
    dict.entries.iter().any(|(name, value)| match name.as_str() {
        Some("type") => is_type(value),
        Some(name) => WORDS.contains(&name),
        None => false,
    })
}

/// The shape that a schema declares.
pub fn shape_of_schema<'p>(shapes: &mut dyn Shapes<'p>, schema: &Value<'p>, site: Option<Span>) -> ShapeId {
    let root = schema.clone();
    let (references, seen) = (FxHashMap::default(), FxHashMap::default());
    let mut reader = Reader { shapes, root, references, followed: 0, seen, site, depth: 0 };
    reader.shape(schema, site)
}

struct Reader<'s, 'p> {
    shapes: &'s mut dyn Shapes<'p>,
    root: Value<'p>,
    /// What `$ref` led to so far.
    references: FxHashMap<Rc<str>, ShapeId>,
    /// How often a `$ref` was followed.
    followed: u32,
    /// By identity: a schema that stands in several places, or in itself, is one.
    seen: FxHashMap<*const (), (ShapeId, Value<'p>)>,
    site: Option<Span>,
    depth: usize,
}

impl<'p> Reader<'_, 'p> {
    fn add(&mut self, shape: Shape) -> ShapeId {
        self.shapes.table().add(shape)
    }

    fn unknown(&mut self, why: &str, site: Option<Span>) -> ShapeId {
        self.add(Shape::unknown(why, site.or(self.site)))
    }

    fn shape(&mut self, schema: &Value<'p>, site: Option<Span>) -> ShapeId {
        let dict = match schema {
            Value::Dict(dict) => dict,
            Value::Bool(true) => return self.add(Shape::new(Kind::Any)),
            Value::Bool(false) => return self.add(Shape::new(Kind::Never)),
            Value::Unknown(why, place) => return self.unknown(why, place.or(site)),
            other => {
                let found = self.shapes.other(other, site);
                return found.unwrap_or_else(|| self.unknown("schema is no plain data", site));
            }
        };
        let key = Rc::as_ptr(dict).cast::<()>();
        if let Some((known, _)) = self.seen.get(&key) {
            return *known;
        }
        if let Some(known) = self.shapes.known(schema) {
            return known;
        }
        let id = self.shapes.table().reserve();
        self.seen.insert(key, (id, schema.clone()));
        let followed = self.followed;
        let dict = dict.borrow().clone();
        let shape = if self.depth > MAX_DEPTH {
            Shape::unknown("schema nested too deep", site)
        } else if dict.open {
            Shape::unknown("schema refers to what is not here", site)
        } else {
            self.depth += 1;
            let shape = self.of_dict(&dict, site);
            self.depth -= 1;
            shape
        };
        self.shapes.table().set(id, shape);
        // What `#/…` means depends on the whole.
        if followed == self.followed {
            self.shapes.remember(schema, id);
        }
        id
    }

    fn of_dict(&mut self, dict: &Dict<'p>, site: Option<Span>) -> Shape {
        if let Some(reference) = dict.get_str("$ref") {
            let Some(target) = reference.as_str().and_then(|pointer| self.referred(pointer, site)) else {
                return Shape::unknown("schema refers to what is not here", site.or(self.site));
            };
            return Shape::new(Kind::Ref(target)).nullable(is_true(dict, "nullable")).at(site);
        }
        let mut parts: Vec<ShapeId> = Vec::new();
        for all in dict.get_str("allOf").and_then(Value::elements).unwrap_or_default() {
            parts.push(self.shape(&all, site));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(options) = dict.get_str(key).and_then(Value::elements) {
                let options: Vec<ShapeId> = options.iter().map(|option| self.shape(option, site)).collect();
                let discriminator = dict.get_str("discriminator").and_then(|value| property_name(value));
                let shape = self.alternatives(options, key == "oneOf", discriminator);
                parts.push(self.add(shape.at(site)));
            }
        }
        let says_type =
            ["type", "properties", "items", "enum", "const"].iter().any(|word| dict.get_str(word).is_some());
        if parts.is_empty() || says_type {
            let own = self.own(dict, site);
            if parts.is_empty() {
                return own;
            }
            parts.push(self.add(own));
        }
        let nullable = is_true(dict, "nullable");
        let mut shape = match parts.as_slice() {
            [only] => Shape::new(Kind::Ref(*only)).nullable(nullable),
            _ => Shape::new(Kind::All(parts)).nullable(nullable),
        };
        described(&mut shape, dict);
        shape.at(site)
    }

    /// `#/definitions/User`, and `#` for the whole.
    fn referred(&mut self, pointer: &str, site: Option<Span>) -> Option<ShapeId> {
        let path = pointer.strip_prefix('#')?;
        self.followed += 1;
        if let Some(known) = self.references.get(pointer) {
            return Some(*known);
        }
        let mut value = self.root.clone();
        for part in path.split('/').skip(1) {
            let name = part.replace("~1", "/").replace("~0", "~");
            let Value::Dict(dict) = &value else { return None };
            let next = dict.borrow().get_str(&name).cloned()?;
            value = next;
        }
        let id = self.shape(&value, site);
        self.references.insert(Rc::from(pointer), id);
        let shape = self.shapes.table().get(id);
        if shape.name.is_none() && !path.is_empty() && !matches!(shape.kind, Kind::Unknown(_)) {
            let named = shape.clone().named(path.rsplit('/').next().unwrap_or(path));
            self.shapes.table().set(id, named);
        }
        Some(id)
    }

    /// One of several, null apart.
    fn alternatives(&mut self, options: Vec<ShapeId>, exclusive: bool, discriminator: Option<String>) -> Shape {
        let table = self.shapes.table();
        let is_null = |id: &ShapeId| matches!(table.get(*id).kind, Kind::Null);
        let nullable = options.iter().any(is_null);
        let options: Vec<ShapeId> = options.into_iter().filter(|id| !is_null(id)).collect();
        let kind = match options.as_slice() {
            [] => Kind::Null,
            [only] => Kind::Ref(*only),
            _ => Kind::Union(Union { options, discriminator, exclusive }),
        };
        Shape::new(kind).nullable(nullable)
    }

    /// What a schema says by itself, combinations aside.
    fn own(&mut self, dict: &Dict<'p>, site: Option<Span>) -> Shape {
        let values = dict
            .get_str("enum")
            .and_then(Value::elements)
            .or_else(|| dict.get_str("const").map(|value| vec![value.clone()]))
            .and_then(|values| values.iter().map(literal_value).collect::<Option<Vec<_>>>());
        let mut nullable = is_true(dict, "nullable");
        if let Some(values) = &values {
            nullable |= values.contains(&Literal::Null);
        }
        let values: Option<Vec<Literal>> =
            values.map(|values| values.into_iter().filter(|value| *value != Literal::Null).collect());
        let named: Vec<Rc<str>> = match dict.get_str("type") {
            Some(Value::Str(name)) => vec![name.clone()],
            Some(several) => {
                let names = several.elements().unwrap_or_default();
                names.iter().filter_map(|name| name.as_str().map(Rc::from)).collect()
            }
            None => Vec::new(),
        };
        if named.len() > 1 {
            nullable |= named.iter().any(|name| &**name == "null");
        }
        let named: Vec<Rc<str>> = match named.as_slice() {
            [_] => named,
            _ => named.into_iter().filter(|name| &**name != "null").collect(),
        };
        let mut shape = match named.as_slice() {
            [] => Shape::new(self.kind(None, dict, values.as_deref(), site)),
            [only] => Shape::new(self.kind(Some(only), dict, values.as_deref(), site)),
            several => {
                let mut options = Vec::new();
                for name in several {
                    let kind = self.kind(Some(name), dict, None, site);
                    options.push(self.add(Shape::new(kind).at(site)));
                }
                Shape::new(Kind::Union(Union { options, discriminator: None, exclusive: false }))
            }
        };
        shape.values = values.filter(|values| !values.is_empty());
        shape.format = dict.get_str("format").and_then(Value::as_str).map(str::to_owned);
        described(&mut shape, dict);
        shape.nullable(nullable).at(site)
    }

    fn kind(&mut self, name: Option<&str>, dict: &Dict<'p>, values: Option<&[Literal]>, site: Option<Span>) -> Kind {
        let has = |word: &str| dict.get_str(word).is_some();
        match name {
            Some("string") => Kind::String,
            Some("integer") => Kind::Integer,
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Boolean,
            Some("null") => Kind::Null,
            Some("array") => self.array(dict, site),
            None if has("items") || has("prefixItems") => self.array(dict, site),
            Some("object") => self.object(dict, site),
            None if has("properties") => self.object(dict, site),
            _ => match values {
                Some(values) if !values.is_empty() => kind_of_values(values),
                Some(_) => Kind::Null,
                None => Kind::Any,
            },
        }
    }

    fn array(&mut self, dict: &Dict<'p>, site: Option<Span>) -> Kind {
        let (first, rest) = match (dict.get_str("prefixItems"), dict.get_str("items")) {
            (Some(first), rest) => (first.elements(), rest),
            (None, Some(items)) => match items.elements() {
                Some(first) => (Some(first), dict.get_str("additionalItems")),
                None => (None, Some(items)),
            },
            (None, None) => (None, None),
        };
        let prefix = first.unwrap_or_default().iter().map(|item| self.shape(item, site)).collect();
        let items = rest.filter(|rest| !matches!(rest, Value::Bool(false))).cloned();
        Kind::Array { prefix, items: items.map(|items| self.shape(&items, site)) }
    }

    fn object(&mut self, dict: &Dict<'p>, site: Option<Span>) -> Kind {
        let required = dict.get_str("required").and_then(Value::elements).unwrap_or_default();
        let properties = match dict.get_str("properties") {
            Some(Value::Dict(properties)) => properties.borrow().clone(),
            Some(_) => Dict { open: true, ..Dict::default() },
            None => Dict::default(),
        };
        let has_properties = dict.get_str("properties").is_some();
        let places: FxHashMap<&str, Span> = properties.places.iter().map(|(name, place)| (&**name, *place)).collect();
        let mut fields = Vec::with_capacity(properties.entries.len());
        for (name, schema) in &properties.entries {
            let Some(name) = name.as_str() else { continue };
            let span = places.get(name).copied().or(site);
            let shape = self.shape(schema, span);
            let required = required.iter().any(|known| known.as_str() == Some(name));
            fields.push(Field { name: name.to_owned(), shape, required, always: required, span, declared: None });
        }
        let further = dict.get_str("additionalProperties");
        let patterns = match dict.get_str("patternProperties") {
            Some(Value::Dict(patterns)) => patterns.borrow().entries.first().map(|(_, schema)| schema.clone()),
            _ => None,
        };
        let additional = match (further, patterns) {
            _ if properties.open => Additional::Of(self.unknown("members that are spread in are not known", site)),
            (Some(Value::Bool(false)), None) => Additional::Closed,
            (Some(values @ Value::Dict(_)), _) if !fields.is_empty() || !is_empty(values) => {
                Additional::Of(self.shape(values, site))
            }
            (_, Some(values)) => Additional::Of(self.shape(&values, site)),
            (Some(values @ Value::Made(_)), _) => Additional::Of(self.shape(values, site)),
            (None, None) if !fields.is_empty() => Additional::Open,
            // What has to be there is among what is listed, or nothing sends it.
            (None, None) if has_properties && !required.is_empty() => Additional::Closed,
            _ if fields.is_empty() => Additional::Of(self.add(Shape::new(Kind::Any))),
            _ => Additional::Of(self.unknown("members that are not declared pass", site)),
        };
        Kind::Object(Object { fields, additional })
    }
}

fn is_true(dict: &Dict, word: &str) -> bool {
    matches!(dict.get_str(word), Some(Value::Bool(true)))
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Dict(dict) if dict.borrow().entries.is_empty())
}

/// `discriminator: { propertyName: "type" }`
fn property_name(value: &Value) -> Option<String> {
    match value {
        Value::Dict(dict) => dict.borrow().get_str("propertyName")?.as_str().map(str::to_owned),
        _ => None,
    }
}

/// What a schema says besides its type.
fn described(shape: &mut Shape, dict: &Dict) {
    let text = |word: &str| dict.get_str(word).and_then(Value::as_str).map(str::to_owned);
    shape.title = shape.title.take().or_else(|| text("title"));
    if shape.name.is_none() {
        // A plain word, no address.
        shape.name = text("$id").filter(|id| !id.is_empty() && !id.contains(['/', '#', ':']));
    }
    shape.read_only |= is_true(dict, "readOnly");
    shape.write_only |= is_true(dict, "writeOnly");
    shape.deprecated |= is_true(dict, "deprecated");
}

/// A value as a JSON literal.
pub fn literal_value(value: &Value) -> Option<Literal> {
    match value {
        Value::None => Some(Literal::Null),
        Value::Bool(value) => Some(Literal::Boolean(*value)),
        Value::Int(value) => Some(Literal::Number(value.to_string())),
        Value::Float(value) => Some(Literal::Number(value.to_string())),
        Value::Str(text) => Some(Literal::String(text.to_string())),
        _ => None,
    }
}

/// The type that a closed set of values has in common.
pub fn kind_of_values(values: &[Literal]) -> Kind {
    let all = |test: fn(&Literal) -> bool| !values.is_empty() && values.iter().all(test);
    if all(|value| matches!(value, Literal::String(_))) {
        Kind::String
    } else if all(|value| matches!(value, Literal::Boolean(_))) {
        Kind::Boolean
    } else if all(|value| matches!(value, Literal::Number(text) if !text.contains('.'))) {
        Kind::Integer
    } else if all(|value| matches!(value, Literal::Number(_))) {
        Kind::Number
    } else {
        Kind::Any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn record(entries: Vec<(&str, Value<'static>)>) -> Value<'static> {
        Value::dict(entries.into_iter().map(|(name, value)| (Value::str(name), value)).collect())
    }

    fn texts(words: &[&str]) -> Value<'static> {
        Value::list(words.iter().map(|word| Value::str(*word)).collect())
    }

    fn text() -> Value<'static> {
        record(vec![("type", Value::str("string"))])
    }

    fn object(table: &ShapeTable, id: ShapeId) -> Object {
        match &table.view(id).shape.kind {
            Kind::Object(object) => object.clone(),
            other => panic!("no object: {other:?}"),
        }
    }

    #[test]
    fn members_null_and_sets_of_values() {
        let schema = record(vec![
            ("type", Value::str("object")),
            ("required", texts(&["id", "kind"])),
            (
                "properties",
                record(vec![
                    ("id", record(vec![("type", texts(&["string", "null"])), ("format", Value::str("uuid"))])),
                    ("kind", record(vec![("enum", Value::list(vec![Value::str("a"), Value::None]))])),
                    ("more", record(vec![("type", Value::str("integer")), ("nullable", Value::Bool(true))])),
                ]),
            ),
            ("additionalProperties", Value::Bool(false)),
        ]);
        let mut table = ShapeTable::default();
        let id = shape_of_schema(&mut table, &schema, None);
        let object = object(&table, id);
        assert_eq!(object.additional, Additional::Closed);
        let seen: Vec<_> = object
            .fields
            .iter()
            .map(|field| (field.name.as_str(), field.always, table.view(field.shape).nullable))
            .collect();
        assert_eq!(seen, [("id", true, true), ("kind", true, true), ("more", false, true)]);
        assert_eq!(table.get(object.fields[0].shape).format.as_deref(), Some("uuid"));
        assert_eq!(table.get(object.fields[1].shape).values, Some(vec![Literal::String("a".into())]));
    }

    #[test]
    fn definitions_may_contain_themselves() {
        let node = record(vec![(
            "properties",
            record(vec![("next", record(vec![("$ref", Value::str("#/definitions/node"))]))]),
        )]);
        let schema =
            record(vec![("$ref", Value::str("#/definitions/node")), ("definitions", record(vec![("node", node)]))]);
        let mut table = ShapeTable::default();
        let id = shape_of_schema(&mut table, &schema, None);
        let whole = object(&table, id);
        assert_eq!(table.view(whole.fields[0].shape).id, table.view(id).id);
        assert_eq!(table.view(id).shape.name.as_deref(), Some("node"));
        let elsewhere = record(vec![("$ref", Value::str("user.json"))]);
        let id = shape_of_schema(&mut table, &elsewhere, None);
        assert!(matches!(table.get(id).kind, Kind::Unknown(_)));
    }

    #[test]
    fn combinations_are_kept_as_they_are() {
        let part = |name| record(vec![("properties", record(vec![(name, text())]))]);
        let all = record(vec![("allOf", Value::list(vec![part("a"), part("b")]))]);
        let mut table = ShapeTable::default();
        let id = shape_of_schema(&mut table, &all, None);
        assert_eq!(object(&table, id).fields.len(), 2);
        let any = record(vec![("anyOf", Value::list(vec![text(), record(vec![("type", Value::str("null"))])]))]);
        let id = shape_of_schema(&mut table, &any, None);
        let view = table.view(id);
        assert!(view.nullable && matches!(view.shape.kind, Kind::String));
    }

    #[test]
    fn a_schema_that_is_shared_a_lot_is_read_once() {
        let mut schema = text();
        for _ in 0..50 {
            schema = record(vec![("properties", record(vec![("a", schema.clone()), ("b", schema)]))]);
        }
        let mut table = ShapeTable::default();
        shape_of_schema(&mut table, &schema, None);
        assert!(table.len() < 200);
    }
}
