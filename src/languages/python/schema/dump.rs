//! What is left of a type when a value of it is serialised with options: pydantic's `model_dump(include=…, exclude=…,
//! by_alias=…, exclude_unset=…, exclude_defaults=…, exclude_none=…)`.

use std::collections::BTreeMap;

use super::Schemas;
use crate::evaluate::Value;
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};

/// How values are serialised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dump {
    /// Members stand under their declared names.
    pub declared_names: bool,
    /// A member that is null is left out.
    pub without_null: bool,
    /// A member that has its default, or that nobody set, is left out.
    pub without_default: bool,
    /// Only these members.
    pub include: Option<Selection>,
    /// All but these members.
    pub exclude: Option<Selection>,
}

/// Members by declared name, with what is selected inside of each; nothing: all of it. `__all__` stands for every
/// element of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selection(BTreeMap<String, Option<Selection>>);

const EACH: &str = "__all__";
/// Selections within selections are read this deep; what is left of a deeper one is unknown.
const MAX_DEPTH: usize = 20;

impl Selection {
    /// Reads `{"a", "b"}`, `["a"]` or `{"a": True, "b": {"c"}, "items": {"__all__": {"d"}}}`; `None` where a part is
    /// not known.
    pub fn of(value: &Value) -> Option<Selection> {
        Self::at(value, 0)
    }

    fn at(value: &Value, depth: usize) -> Option<Selection> {
        if depth > MAX_DEPTH {
            return None;
        }
        let name = |key: &Value| match key {
            Value::Str(text) => Some(text.to_string()),
            Value::Int(index) => Some(index.to_string()),
            _ => None,
        };
        let mut selected = BTreeMap::new();
        if let Value::Dict(dict) = value {
            let dict = dict.borrow();
            if dict.open {
                return None;
            }
            for (key, inner) in &dict.entries {
                match inner {
                    Value::Bool(false) => {}
                    Value::Bool(true) | Value::Ellipsis => drop(selected.insert(name(key)?, None)),
                    inner => drop(selected.insert(name(key)?, Some(Self::at(inner, depth + 1)?))),
                }
            }
        } else {
            for key in value.elements()? {
                selected.insert(name(&key)?, None);
            }
        }
        Some(Selection(selected))
    }
}

impl Dump {
    fn changes_nothing(&self) -> bool {
        *self == Dump::default()
    }

    /// The same for a part, in which something else is selected.
    fn inside(&self, include: Option<Selection>, exclude: Option<Selection>) -> Dump {
        let Dump { declared_names, without_null, without_default, .. } = *self;
        Dump { declared_names, without_null, without_default, include, exclude }
    }
}

impl Schemas {
    /// The shape of what is sent when values of a shape are serialised that way. The same shape and options give the
    /// same declaration.
    pub fn dumped(&mut self, id: ShapeId, dump: &Dump) -> ShapeId {
        if dump.changes_nothing() {
            return id;
        }
        let key = (id, dump.clone());
        if let Some(known) = self.dumps.get(&key) {
            return *known;
        }
        let copy = self.table.reserve();
        self.dumps.insert(key, copy);
        let shape = self.table.get(id).clone();
        let kind = match shape.kind {
            Kind::Array { prefix, items } => {
                let each = |selection: &Option<Selection>| {
                    selection.as_ref().and_then(|Selection(selected)| selected.get(EACH).cloned().flatten())
                };
                let inner = dump.inside(each(&dump.include), each(&dump.exclude));
                Kind::Array {
                    prefix: prefix.into_iter().map(|part| self.dumped(part, &inner)).collect(),
                    items: items.map(|items| self.dumped(items, &inner)),
                }
            }
            Kind::Object(object) => Kind::Object(self.dumped_object(object, dump)),
            Kind::Union(mut union) => {
                union.options = union.options.into_iter().map(|option| self.dumped(option, dump)).collect();
                Kind::Union(union)
            }
            Kind::All(parts) => Kind::All(parts.into_iter().map(|part| self.dumped(part, dump)).collect()),
            Kind::Ref(target) => Kind::Ref(self.dumped(target, dump)),
            plain => plain,
        };
        self.table.set(copy, Shape { kind, ..shape });
        copy
    }

    fn dumped_object(&mut self, object: Object, dump: &Dump) -> Object {
        let mut fields = Vec::with_capacity(object.fields.len());
        for field in object.fields {
            let declared = field.declared.as_ref().unwrap_or(&field.name);
            let included = dump.include.as_ref().map(|Selection(selected)| selected.get(declared));
            let excluded = dump.exclude.as_ref().and_then(|Selection(selected)| selected.get(declared));
            if matches!(included, Some(None)) || matches!(excluded, Some(None)) {
                continue;
            }
            let inner = dump.inside(included.flatten().cloned().flatten(), excluded.cloned().flatten());
            fields.push(self.dumped_field(field, &inner));
        }
        let additional = match object.additional {
            Additional::Of(values) => Additional::Of(self.dumped(values, &dump.inside(None, None))),
            other => other,
        };
        Object { fields, additional }
    }

    fn dumped_field(&mut self, field: Field, dump: &Dump) -> Field {
        let mut always = field.always && (field.required || !dump.without_default);
        let mut shape = field.shape;
        if dump.without_null && self.table.view(shape).nullable {
            always = false;
            shape = self.without_null(shape, 0);
        }
        let shape = self.dumped(shape, dump);
        let (name, declared) = match field.declared {
            Some(declared) if dump.declared_names => (declared, None),
            declared => (field.name, declared),
        };
        Field { name, declared, shape, required: field.required, always, ..field }
    }

    /// The same values but null.
    fn without_null(&mut self, id: ShapeId, depth: usize) -> ShapeId {
        let shape = self.table.get(id).clone();
        match shape.kind {
            Kind::Ref(target) if depth < MAX_DEPTH && self.table.view(target).nullable => {
                self.without_null(target, depth + 1)
            }
            _ => self.table.add(shape.nullable(false)),
        }
    }
}
