//! `$ref` in schemas: `{ $ref: "user#" }` is the schema that was added under that name.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::plugins::{known_schema, remember_schema};
use crate::evaluate::{Dict, Evaluator, NodeId, Str, Value};

/// Schemas within schemas that are followed; a deeper one is unknown.
const MAX_DEPTH: u32 = 60;

/// A schema with the ones that it refers to in their places; what leads to nothing stays as it is.
pub(super) fn resolved<'p>(evaluator: &mut Evaluator<'p>, node: NodeId, schema: &Value<'p>) -> Value<'p> {
    if !refers(schema, &mut FxHashSet::default(), 0) {
        return schema.clone();
    }
    let mut resolver = Resolver { evaluator, node, known: FxHashMap::default(), named: FxHashMap::default() };
    resolver.value(schema, schema, 0)
}

/// Whether there is a reference anywhere in a value.
fn refers<'p>(value: &Value<'p>, seen: &mut FxHashSet<*const RefCell<Dict<'p>>>, depth: u32) -> bool {
    match value {
        _ if depth > MAX_DEPTH => false,
        Value::Dict(dict) => {
            let entries = &dict.borrow().entries;
            seen.insert(Rc::as_ptr(dict))
                && entries.iter().any(|(key, value)| key.as_str() == Some("$ref") || refers(value, seen, depth + 1))
        }
        Value::List(items) => items.borrow().iter().any(|item| refers(item, seen, depth + 1)),
        _ => false,
    }
}

struct Resolver<'e, 'p> {
    evaluator: &'e mut Evaluator<'p>,
    node: NodeId,
    /// What became of each object, so that schemas that contain themselves end.
    known: FxHashMap<*const RefCell<Dict<'p>>, Value<'p>>,
    named: FxHashMap<Str, Value<'p>>,
}

impl<'p> Resolver<'_, 'p> {
    fn value(&mut self, value: &Value<'p>, root: &Value<'p>, depth: u32) -> Value<'p> {
        if depth > MAX_DEPTH {
            return Value::Unknown("schema nested too deep", None);
        }
        match value {
            Value::Dict(dict) => {
                let reference = dict.borrow().get_str("$ref").and_then(|name| name.as_str().map(Rc::from));
                match reference {
                    Some(name) => self.reference(&name, root, depth).unwrap_or_else(|| value.clone()),
                    None => self.object(dict, root, depth),
                }
            }
            Value::List(items) => {
                let items = items.borrow().clone();
                Value::list(items.iter().map(|item| self.value(item, root, depth + 1)).collect())
            }
            other => other.clone(),
        }
    }

    fn object(&mut self, dict: &Rc<RefCell<Dict<'p>>>, root: &Value<'p>, depth: u32) -> Value<'p> {
        if let Some(known) = self.known.get(&Rc::as_ptr(dict)) {
            return known.clone();
        }
        let original = dict.borrow().clone();
        if !self.evaluator.afford(original.entries.len()) {
            return Value::Unknown("schema too large", None);
        }
        let copy = Rc::new(RefCell::new(Dict::default()));
        self.known.insert(Rc::as_ptr(dict), Value::Dict(copy.clone()));
        let mut filled = original;
        for (_, value) in &mut filled.entries {
            *value = self.value(value, root, depth + 1);
        }
        copy.replace(filled);
        Value::Dict(copy)
    }

    /// `user#`, `common#/definitions/user`, `#/definitions/user`
    fn reference(&mut self, name: &Str, root: &Value<'p>, depth: u32) -> Option<Value<'p>> {
        let (document, pointer) = name.split_once('#').unwrap_or((name, ""));
        if !document.is_empty() && pointer.trim_matches('/').is_empty() {
            if let Some(known) = self.named.get(document) {
                return Some(known.clone());
            }
            let schema = self.added(document)?;
            let resolved = self.value(&schema, &schema, depth + 1);
            let key: Str = Rc::from(document);
            self.named.insert(key.clone(), resolved.clone());
            if !resolved.is_unknown() {
                remember_schema(self.evaluator, self.node, Value::Str(key), resolved.clone());
            }
            return Some(resolved);
        }
        let root = if document.is_empty() { root.clone() } else { self.added(document)? };
        let mut target = root.clone();
        for part in pointer.split('/').filter(|part| !part.is_empty()) {
            let Value::Dict(dict) = &target else { return None };
            let inner = dict.borrow().get_str(part).cloned()?;
            target = inner;
        }
        Some(self.value(&target, &root, depth + 1))
    }

    /// A schema by the name that it was added under.
    fn added(&self, name: &str) -> Option<Value<'p>> {
        let known = |name: &str| known_schema(self.evaluator, self.node, name);
        known(name).or_else(|| known(&format!("{name}#"))).or_else(|| known(&format!("#{name}")))
    }
}
