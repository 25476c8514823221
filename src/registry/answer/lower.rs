//! Schemas of an OpenAPI document as one JSON Schema (2020-12) for what a response may hold: what the versions write
//! differently is written alike, and every schema that is reached stands once in `$defs`, so that recursive ones end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::AnswerError;
use super::discriminator::Family;
use super::document::{Place, nowhere, pointer_of};

/// The identifier of what is made here, so that references to it are absolute wherever they stand.
const BASE: &str = "treaty:/contract";

/// Lowers the schema at `pointer`; of a stream, the values that follow each other are an array.
///
/// # Errors
/// A reference within the document that leads nowhere, and what is no schema at all.
pub(super) fn lower(root: &Place<'_>, pointer: &str, is_stream: bool) -> Result<Value, AnswerError> {
    let mut lowering = Lowering::new(root);
    let first = lowering.entry(root.at(pointer).ok_or_else(|| nowhere(pointer, pointer))?, false);
    let mut definitions = Map::new();
    while let Some((name, place, is_plain)) = lowering.queue.pop() {
        let schema = lowering.schema(&place, &Scope { is_plain, component: true, ..Scope::default() });
        definitions.insert(name, schema);
    }
    if let Some(error) = lowering.error {
        return Err(error);
    }
    let first = json!({ "$ref": first });
    let mut out = if is_stream { json!({ "type": "array", "items": first }) } else { first };
    out["$id"] = BASE.into();
    out["$defs"] = definitions.into();
    Ok(out)
}

pub(super) struct Lowering<'s> {
    root: Place<'s>,
    /// What stands beside a `$ref` counts, and so do ids and anchors: OpenAPI 3.1 and later.
    is_json_schema: bool,
    /// Names in `$defs` by pointer, and whether it is the schema without its family.
    names: BTreeMap<(String, bool), String>,
    queue: Vec<(String, Place<'s>, bool)>,
    /// Members that are never answered, by the pointer of the schema.
    hidden: BTreeMap<String, BTreeSet<String>>,
    /// Schemas with an `$id` are in the queue.
    identified: bool,
    error: Option<AnswerError>,
}

/// What a schema inherits of those around it.
#[derive(Clone, Default)]
struct Scope<'s> {
    /// The resource with an `$id` of its own that it stands in.
    resource: Option<&'s Value>,
    /// Members that are never answered.
    hidden: BTreeSet<String>,
    /// Its family is left out: that is where it is asked for from.
    is_plain: bool,
    /// It is what `$defs` holds, rather than a part of it.
    component: bool,
}

impl<'s> Lowering<'s> {
    fn new(root: &Place<'s>) -> Self {
        let is_json_schema = root.text("openapi").is_some_and(|version| !version.trim().starts_with("3.0"));
        Lowering {
            root: root.clone(),
            is_json_schema,
            names: BTreeMap::new(),
            queue: Vec::new(),
            hidden: BTreeMap::new(),
            identified: false,
            error: None,
        }
    }

    /// The reference that stands for a schema of the document.
    pub(super) fn entry(&mut self, place: Place<'s>, is_plain: bool) -> String {
        let next = self.names.len();
        let name = self.names.entry((place.pointer.clone(), is_plain)).or_insert_with(|| {
            let name = format!("s{next}");
            self.queue.push((name.clone(), place, is_plain));
            name
        });
        format!("{BASE}#/$defs/{name}")
    }

    fn schema(&mut self, place: &Place<'s>, scope: &Scope<'s>) -> Value {
        match place.value {
            Value::Bool(_) => place.value.clone(),
            Value::Object(_) => self.object(place, scope),
            _ => {
                let reason = format!("`{}` is no schema", place.pointer);
                self.error.get_or_insert_with(|| AnswerError::malformed(reason));
                Value::Bool(true)
            }
        }
    }

    fn object(&mut self, place: &Place<'s>, scope: &Scope<'s>) -> Value {
        if !self.is_json_schema
            && let Some(text) = place.text("$ref")
        {
            return json!({ "$ref": self.reference(text, place, scope, false) });
        }
        let mut inner = Scope { is_plain: false, component: false, ..scope.clone() };
        inner.hidden.extend(self.hidden_of(place));
        if self.is_json_schema && place.text("$id").is_some_and(|id| !id.starts_with('#')) {
            inner.resource = Some(place.value);
        }
        let mut out = Map::new();
        for (key, member) in place.members() {
            if let Some(value) = self.keyword(key, &member, place, scope, &inner) {
                out.insert(key.to_owned(), value);
            }
        }
        items_in_older_drafts(&mut out);
        bounds(place.value, &mut out);
        if !scope.is_plain
            && let Some(family) = Family::of(place, &self.root)
        {
            family.write(self, &mut out);
        }
        let flag = |key: &str| place.value.get(key) == Some(&Value::Bool(true));
        if flag("nullable") || flag("x-nullable") { nullable(out) } else { Value::Object(out) }
    }

    /// The value of a keyword; `None` for those that say nothing of the values themselves.
    fn keyword(
        &mut self,
        key: &str,
        member: &Place<'s>,
        of: &Place<'s>,
        scope: &Scope<'s>,
        inner: &Scope<'s>,
    ) -> Option<Value> {
        let below = Scope { resource: inner.resource, ..Scope::default() };
        Some(match key {
            "$ref" => self.reference(member.value.as_str()?, of, inner, false).into(),
            "$dynamicRef" if self.is_json_schema => self.dynamic_reference(member.value.as_str()?, of, inner).into(),
            "$id" | "$anchor" | "$dynamicAnchor" if self.is_json_schema => member.value.clone(),
            "properties" => {
                let mut out = Map::new();
                for (name, property) in member.members() {
                    let is_hidden = is_write_only(&property, 0);
                    let lowered = if is_hidden { Value::Bool(false) } else { self.schema(&property, &below) };
                    out.insert(name.to_owned(), lowered);
                }
                out.into()
            }
            "patternProperties" | "$defs" | "definitions" => self.map(member, &below),
            "dependentSchemas" => self.map(member, inner),
            "items" | "prefixItems" if member.value.is_array() => self.list(member, &below),
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "contains"
            | "propertyNames"
            | "unevaluatedProperties"
            | "unevaluatedItems" => self.schema(member, &below),
            "not" | "if" | "then" | "else" => self.schema(member, inner),
            "allOf" if scope.component => {
                let parts = items(member);
                parts.iter().map(|part| self.part(part, of, inner)).collect::<Vec<_>>().into()
            }
            "allOf" | "anyOf" | "oneOf" => self.list(member, inner),
            "required" => {
                let names = member.value.as_array()?.iter();
                let kept = names.filter(|name| name.as_str().is_none_or(|name| !inner.hidden.contains(name)));
                kept.cloned().collect::<Vec<_>>().into()
            }
            "type" if member.value == "file" => return None,
            "type" | "enum" | "const" | "format" | "pattern" | "multipleOf" | "minLength" | "maxLength"
            | "minItems" | "maxItems" | "uniqueItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" | "dependentRequired" => member.value.clone(),
            _ => return None,
        })
    }

    fn map(&mut self, of: &Place<'s>, scope: &Scope<'s>) -> Value {
        let members = of.members().map(|(key, schema)| (key.to_owned(), self.schema(&schema, scope)));
        Value::Object(members.collect())
    }

    fn list(&mut self, of: &Place<'s>, scope: &Scope<'s>) -> Value {
        items(of).iter().map(|schema| self.schema(schema, scope)).collect::<Vec<_>>().into()
    }

    /// A part of `allOf`. What a schema is derived from does not send its values back to it.
    fn part(&mut self, part: &Place<'s>, of: &Place<'s>, scope: &Scope<'s>) -> Value {
        let base = part.text("$ref").and_then(|text| part.target(text));
        match (base.filter(|base| Family::is_head(base, of, &self.root)), part.text("$ref")) {
            (Some(_), Some(text)) => json!({ "$ref": self.reference(text, part, scope, true) }),
            _ => self.schema(part, scope),
        }
    }

    fn reference(&mut self, text: &str, at: &Place<'s>, scope: &Scope<'s>, is_plain: bool) -> String {
        let Some(pointer) = pointer_of(text) else {
            return self.by_name(text, scope);
        };
        if scope.resource.is_some_and(|resource| resource.pointer(&pointer).is_some()) {
            return text.to_owned();
        }
        if let Some(target) = self.root.at(&pointer) {
            return self.entry(target, is_plain);
        }
        self.error.get_or_insert_with(|| nowhere(text, &at.pointer));
        text.to_owned()
    }

    /// A reference by an anchor or an identifier.
    fn by_name(&mut self, text: &str, scope: &Scope<'s>) -> String {
        if let Some(anchor) = text.strip_prefix('#').filter(|_| scope.resource.is_none()) {
            let mut all = Vec::new();
            carrying(&self.root, &["$anchor", "$dynamicAnchor"], &mut all);
            let of = |place: &Place<'_>| [place.text("$anchor"), place.text("$dynamicAnchor")].contains(&Some(anchor));
            if let Some(place) = all.into_iter().find(of) {
                return self.entry(place, false);
            }
        }
        self.add_identified();
        text.to_owned()
    }

    /// Which schema it means is known only where it is reached from, unless it is a pointer.
    fn dynamic_reference(&mut self, text: &str, at: &Place<'s>, scope: &Scope<'s>) -> String {
        if pointer_of(text).is_some() {
            return self.reference(text, at, scope, false);
        }
        self.add_identified();
        text.to_owned()
    }

    /// Takes in every schema with an identifier, since references may mean any of them.
    fn add_identified(&mut self) {
        if std::mem::replace(&mut self.identified, true) || !self.is_json_schema {
            return;
        }
        let mut all = Vec::new();
        carrying(&self.root, &["$id", "$dynamicAnchor"], &mut all);
        for place in all {
            self.entry(place, false);
        }
    }

    /// Members of a schema that are `writeOnly`, its own and those of what it is made of.
    fn hidden_of(&mut self, place: &Place<'s>) -> BTreeSet<String> {
        if let Some(known) = self.hidden.get(&place.pointer) {
            return known.clone();
        }
        // Where it is made of itself, that adds nothing.
        self.hidden.insert(place.pointer.clone(), BTreeSet::new());
        let mut names = BTreeSet::new();
        for (name, property) in place.child("properties").iter().flat_map(Place::members) {
            if is_write_only(&property, 0) {
                names.insert(name.to_owned());
            }
        }
        let parts = place.child("allOf").map(|list| items(&list)).unwrap_or_default();
        let target = place.text("$ref").and_then(|text| place.target(text));
        for part in parts.into_iter().chain(target) {
            names.extend(self.hidden_of(&part));
        }
        self.hidden.insert(place.pointer.clone(), names.clone());
        names
    }
}

/// Its own flag, that of what it refers to, or of the only part that it is made of.
fn is_write_only(place: &Place<'_>, hops: usize) -> bool {
    /// Longer chains say nothing.
    const MAX_HOPS: usize = 8;
    if place.value.get("writeOnly") == Some(&Value::Bool(true)) {
        return true;
    }
    let target = place.text("$ref").and_then(|text| place.target(text));
    let sole = place.child("allOf").map(|list| items(&list)).filter(|parts| parts.len() == 1);
    hops < MAX_HOPS && target.into_iter().chain(sole.unwrap_or_default()).any(|it| is_write_only(&it, hops + 1))
}

pub(super) fn items<'s>(list: &Place<'s>) -> Vec<Place<'s>> {
    let length = list.value.as_array().map_or(0, Vec::len);
    (0..length).filter_map(|at| list.at(&format!("{}/{at}", list.pointer))).collect()
}

/// Objects in the document that have one of the keys with a text; what has an `$id` is looked at as a whole.
fn carrying<'s>(place: &Place<'s>, keys: &[&str], found: &mut Vec<Place<'s>>) {
    let is_resource = place.text("$id").is_some();
    if keys.iter().any(|key| place.text(key).is_some() && (*key == "$id" || !is_resource)) {
        found.push(place.clone());
    }
    if is_resource {
        return;
    }
    for (key, member) in place.members() {
        if !matches!(key, "example" | "examples" | "default" | "enum" | "const" | "value") && !key.starts_with("x-") {
            carrying(&member, keys, found);
        }
    }
    for item in items(place) {
        carrying(&item, keys, found);
    }
}

/// `items: […]` and `additionalItems` are `prefixItems` and `items` from 2020-12 on.
fn items_in_older_drafts(out: &mut Map<String, Value>) {
    let rest = out.remove("additionalItems");
    if out.get("items").is_some_and(Value::is_array) {
        let prefix = out.remove("items").unwrap_or_default();
        out.insert("prefixItems".to_owned(), prefix);
        if let Some(rest) = rest {
            out.insert("items".to_owned(), rest);
        }
    }
}

/// Bounds, where an exclusive one is a flag beside the other up to OpenAPI 3.0, and those of `int32` and `int64`.
fn bounds(schema: &Value, out: &mut Map<String, Value>) {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        match (schema.get(bound), schema.get(exclusive)) {
            (Some(limit), Some(Value::Bool(true))) => out.insert(exclusive.to_owned(), limit.clone()),
            (_, Some(limit @ Value::Number(_))) => out.insert(exclusive.to_owned(), limit.clone()),
            _ => None,
        };
        if let Some(limit) = schema.get(bound)
            && schema.get(exclusive) != Some(&Value::Bool(true))
        {
            out.insert(bound.to_owned(), limit.clone());
        }
    }
    let (least, most) = match schema.get("format").and_then(Value::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => (i64::MIN, i64::MAX),
        _ => return,
    };
    out.entry("minimum").or_insert_with(|| least.into());
    out.entry("maximum").or_insert_with(|| most.into());
}

/// The same, or null.
pub(super) fn nullable(mut schema: Map<String, Value>) -> Value {
    const COMPOSED: [&str; 8] = ["allOf", "anyOf", "oneOf", "$ref", "not", "if", "enum", "const"];
    // A type alone is widened: what is told of a misfit is then all that may stand there.
    let word = schema.get("type").filter(|_| !COMPOSED.iter().any(|key| schema.contains_key(*key)));
    if let Some(Value::String(word)) = word {
        let words = json!([word, "null"]);
        schema.insert("type".to_owned(), words);
        return Value::Object(schema);
    }
    json!({ "anyOf": [schema, { "type": "null" }] })
}
