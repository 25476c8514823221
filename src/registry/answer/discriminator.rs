//! Families of schemas that a discriminator tells apart (OpenAPI 3.1, "Discriminator Object"): the value of one member
//! says which schema the whole object is of, and an object is held against that one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::document::{Place, pointer_of};
use super::lower::{Lowering, items, nullable};

/// A schema with a discriminator, and what its values may be.
pub(super) struct Family<'s> {
    /// The member that tells.
    property: &'s str,
    /// `oneOf` or `anyOf`; `None` where the schemas name this one in their `allOf`.
    union: Option<&'static str>,
    /// Schemas by the value that stands for them; `None` for the schema itself.
    members: BTreeMap<String, Option<Place<'s>>>,
    /// What an object is of that the member says nothing of (OpenAPI 3.2).
    otherwise: Option<Place<'s>>,
    /// Null is one of the alternatives.
    has_null: bool,
}

impl<'s> Family<'s> {
    /// `None` where there is no discriminator, or its alternatives have no names.
    pub(super) fn of(place: &Place<'s>, root: &Place<'s>) -> Option<Family<'s>> {
        let property = property(place)?;
        let stated = place.child("discriminator")?;
        let mut family =
            Family { property, union: union(place), members: BTreeMap::new(), otherwise: None, has_null: false };
        let mut mapped = BTreeSet::new();
        for (value, named) in stated.child("mapping").iter().flat_map(Place::members) {
            let target = named.value.as_str().and_then(|text| by_name(text, root))?;
            mapped.insert(target.pointer.clone());
            family.members.insert(value.to_owned(), Some(target));
        }
        family.otherwise = stated.text("defaultMapping").and_then(|text| by_name(text, root));
        let others = match family.union {
            Some(key) => family.alternatives(&place.child(key)?)?,
            None => derived(place, root),
        };
        for other in others {
            if !mapped.contains(&other.pointer) {
                let values = family.values_of(&other);
                family.members.extend(values.into_iter().map(|value| (value, Some(other.clone()))));
            }
        }
        if family.members.is_empty() {
            return None;
        }
        if family.union.is_none() {
            // The schema itself is one of its family, and so is whatever it lists.
            for value in declared(place, property, 0).into_iter().chain([last(&place.pointer)]) {
                family.members.entry(value).or_insert(None);
            }
        }
        Some(family)
    }

    /// What is referred to; `None` where an alternative is written out.
    fn alternatives(&mut self, list: &Place<'s>) -> Option<Vec<Place<'s>>> {
        let mut all = Vec::new();
        for alternative in items(list) {
            if alternative.value.get("type").is_some_and(|word| word == "null") {
                self.has_null = true;
            } else {
                all.push(alternative.target(alternative.text("$ref")?)?);
            }
        }
        Some(all)
    }

    /// Values that stand for a schema which no mapping names: those that it states itself, else its name.
    fn values_of(&self, schema: &Place<'s>) -> Vec<String> {
        let stated = declared(schema, self.property, 0);
        if stated.is_empty() { vec![last(&schema.pointer)] } else { stated }
    }

    /// Whether `base` sends its values on to `derived`, which is made of it.
    pub(super) fn is_head(base: &Place<'s>, derived: &Place<'s>, root: &Place<'s>) -> bool {
        property(base).is_some()
            && (union(base).is_none()
                || Family::of(base, root).is_some_and(|family| {
                    family.members.values().flatten().any(|member| member.pointer == derived.pointer)
                }))
    }

    /// Puts the choice in place of the union.
    pub(super) fn write(self, lowering: &mut Lowering<'s>, out: &mut Map<String, Value>) {
        let property = self.property;
        let values: Vec<&String> = self.members.keys().collect();
        let told = json!({ "required": [property], "properties": { property: { "enum": values } } });
        let mut parts = Vec::new();
        for (value, member) in &self.members {
            let Some(member) = member else { continue };
            let of = lowering.entry(member.clone(), false);
            let is_it = json!({ "required": [property], "properties": { property: { "const": value } } });
            parts.push(json!({ "if": is_it, "then": { "$ref": of } }));
        }
        if let Some(otherwise) = self.otherwise {
            let of = lowering.entry(otherwise, false);
            parts.push(json!({ "if": told, "else": { "$ref": of } }));
        } else {
            parts.insert(0, told);
        }
        let choice = Map::from_iter([("type".to_owned(), json!("object")), ("allOf".to_owned(), parts.into())]);
        let choice = if self.has_null { nullable(choice) } else { Value::Object(choice) };
        if let Some(key) = self.union {
            out.remove(key);
        }
        match out.get_mut("allOf").and_then(Value::as_array_mut) {
            Some(all) => all.push(choice),
            None => {
                out.insert("allOf".to_owned(), json!([choice]));
            }
        }
    }
}

fn property<'s>(place: &Place<'s>) -> Option<&'s str> {
    let stated = place.value.get("discriminator")?;
    stated.as_str().or_else(|| stated.get("propertyName")?.as_str())
}

fn union(place: &Place<'_>) -> Option<&'static str> {
    ["oneOf", "anyOf"].into_iter().find(|key| place.value.get(key).is_some_and(Value::is_array))
}

/// A schema by what a mapping says: its name, or a reference.
fn by_name<'s>(text: &str, root: &Place<'s>) -> Option<Place<'s>> {
    let named = |place: Option<Place<'s>>| place.and_then(|schemas| schemas.child(text));
    named(schemas(root)).or_else(|| root.at(&pointer_of(text)?))
}

/// Where named schemas stand.
fn schemas<'s>(root: &Place<'s>) -> Option<Place<'s>> {
    root.child("definitions").or_else(|| root.child("components")?.child("schemas"))
}

/// Named schemas that are made of this one, by `allOf`, at any remove.
fn derived<'s>(base: &Place<'s>, root: &Place<'s>) -> Vec<Place<'s>> {
    let all: Vec<Place<'s>> = schemas(root).iter().flat_map(Place::members).map(|(_, schema)| schema).collect();
    let made_of = |schema: &Place<'s>| -> Vec<String> {
        let parts = schema.child("allOf").map(|list| items(&list)).unwrap_or_default();
        parts.iter().filter_map(|part| pointer_of(part.text("$ref")?)).collect()
    };
    let made_of: Vec<Vec<String>> = all.iter().map(made_of).collect();
    let mut known = BTreeSet::from([base.pointer.clone()]);
    loop {
        let before = known.len();
        for (schema, parts) in all.iter().zip(&made_of) {
            if parts.iter().any(|part| known.contains(part)) {
                known.insert(schema.pointer.clone());
            }
        }
        if known.len() == before {
            break;
        }
    }
    known.remove(&base.pointer);
    all.into_iter().filter(|schema| known.contains(&schema.pointer)).collect()
}

/// Values that a schema allows for a member: its `const` or `enum`, its own or that of a part which is written out.
fn declared(schema: &Place<'_>, property: &str, depth: usize) -> Vec<String> {
    /// Parts of parts that lie deeper declare nothing.
    const MAX_DEPTH: usize = 4;
    let stated = schema.child("properties").and_then(|all| all.child(property));
    if let Some(stated) = stated {
        let only = stated.text("const").map(|value| vec![value.to_owned()]);
        let listed = stated.value.get("enum").and_then(Value::as_array);
        let listed = listed.map(|all| all.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        if let Some(values) = only.or(listed) {
            return values;
        }
    }
    let parts = schema.child("allOf").map(|list| items(&list)).unwrap_or_default();
    let own = parts.iter().filter(|part| part.text("$ref").is_none() && depth < MAX_DEPTH);
    own.flat_map(|part| declared(part, property, depth + 1)).collect()
}

/// `Cat` of `/components/schemas/Cat`.
fn last(pointer: &str) -> String {
    pointer.rsplit('/').next().unwrap_or("").replace("~1", "/").replace("~0", "~")
}
