//! Types as every target writes them in its own words, made of the shapes that a contract declares.

use std::collections::BTreeMap;

use super::names::{self, Scope};
use crate::contracts::Declarations;
use crate::model::{Additional, Field as ShapeField, Kind, Limits, Literal, Object, Shape, ShapeId};

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Any,
    Null,
    Boolean,
    Integer(Bounds),
    Number(Bounds),
    Text(Text),
    /// One of these, each a boolean, a number or a text.
    Values(Vec<Literal>),
    List(Box<List>),
    Map(Box<Type>),
    /// Index into [`Types::models`].
    Model(usize),
    Union(Vec<Type>),
    Nullable(Box<Type>),
}

/// Limits of a number, as decimal text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: Option<String>,
    pub(super) most: Option<String>,
    pub(super) above: Option<String>,
    pub(super) below: Option<String>,
    pub(super) step: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Text {
    pub(super) format: Option<String>,
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
    /// A regular expression that can be compiled (ECMA 262).
    pub(super) pattern: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct List {
    pub(super) item: Type,
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
    pub(super) unique: bool,
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    /// As the contract has it, or made of where it stands; each is there once.
    pub(super) name: String,
    pub(super) kind: ModelKind,
    /// JSON pointer of its schema, and the contract by its place in the blueprint.
    pub(super) pointer: String,
    pub(super) contract: usize,
    /// What holds requests only or answers only, where the two differ.
    pub(super) side: Option<Side>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ModelKind {
    Object { fields: Vec<Field>, extra: Extra, least: Option<u64>, most: Option<u64> },
    Values(Vec<String>),
}

/// Members that have no name of their own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Extra {
    Ignored,
    Refused,
    Of(Type),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// On the wire.
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) required: bool,
    pub(super) default: Option<Literal>,
}

/// Which way a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Taken,
    Given,
}

impl Model {
    pub(super) fn fields(&self) -> &[Field] {
        match &self.kind {
            ModelKind::Object { fields, .. } => fields,
            ModelKind::Values(_) => &[],
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|field| field.name == name)
    }
}

impl Type {
    /// Without null.
    pub(super) fn some(&self) -> &Type {
        match self {
            Type::Nullable(inner) => inner,
            other => other,
        }
    }

    pub(super) fn is_nullable(&self) -> bool {
        matches!(self, Type::Nullable(_) | Type::Null | Type::Any)
    }
}

/// Every named type of a service.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    pub(super) models: Vec<Model>,
    /// What the contract states and no type says.
    pub(super) notes: Vec<String>,
    names: Scope,
}

/// Types nest this deep; beyond, anything goes.
const MAX_DEPTH: usize = 40;

/// Makes types of the shapes of one document.
pub(super) struct Lowering<'t> {
    pub(super) types: &'t mut Types,
    declarations: &'t Declarations,
    contract: usize,
    known: BTreeMap<(ShapeId, Option<Side>), usize>,
    /// Whether a shape holds what goes one way only.
    split: BTreeMap<ShapeId, bool>,
    /// What is being made and has no name: naming itself, it never ends.
    open: Vec<ShapeId>,
}

impl<'t> Lowering<'t> {
    pub(super) fn new(types: &'t mut Types, declarations: &'t Declarations, contract: usize) -> Self {
        let (known, split) = (BTreeMap::new(), BTreeMap::new());
        Lowering { types, declarations, contract, known, split, open: Vec::new() }
    }

    /// The type of a shape; `hint` names what has no name.
    pub(super) fn of(&mut self, id: ShapeId, side: Side, hint: &str) -> Type {
        let (id, nullable) = self.unwrapped(id);
        let view = self.declarations.shapes.view(id);
        let (id, nullable) = (view.id, nullable || view.nullable);
        if self.open.contains(&id) || self.open.len() > MAX_DEPTH {
            self.note(&view.shape, "holds itself without a name, and is taken as anything");
            return Type::Any;
        }
        self.open.push(id);
        let ty = self.of_shape(id, &view.shape, side, hint);
        self.open.pop();
        if nullable && !ty.is_nullable() { Type::Nullable(Box::new(ty)) } else { ty }
    }

    /// `allOf` of one thing is that thing.
    fn unwrapped(&self, mut id: ShapeId) -> (ShapeId, bool) {
        let mut nullable = false;
        for _ in 0..MAX_DEPTH {
            let shape = self.declarations.shapes.get(id);
            nullable |= shape.nullable;
            match &shape.kind {
                Kind::All(parts) if shape.values.is_none() && shape.limits.is_none() => {
                    let says = |part: &&ShapeId| !matches!(self.declarations.shapes.get(**part).kind, Kind::Any);
                    let mut said = parts.iter().filter(says);
                    match (said.next(), said.next()) {
                        (Some(only), None) => id = *only,
                        _ => break,
                    }
                }
                Kind::Ref(target) => id = *target,
                _ => break,
            }
        }
        (id, nullable)
    }

    fn of_shape(&mut self, id: ShapeId, shape: &Shape, side: Side, hint: &str) -> Type {
        if let Some(values) = &shape.values {
            return self.of_values(id, shape, values);
        }
        let limits = shape.limits.as_deref().cloned().unwrap_or_default();
        for (keyword, _) in &limits.keywords {
            self.note(shape, &format!("states `{keyword}`, which is not checked"));
        }
        match &shape.kind {
            Kind::Null => Type::Null,
            Kind::Boolean => Type::Boolean,
            Kind::Integer => Type::Integer(within(bounds(&limits), shape.format.as_deref())),
            Kind::Number | Kind::Numeric => Type::Number(bounds(&limits)),
            Kind::String => Type::Text(self.text(shape, &limits)),
            Kind::Array { prefix, items } => {
                if !prefix.is_empty() {
                    self.note(shape, "is a tuple, and its items are taken as anything");
                }
                let item = match items {
                    Some(item) if prefix.is_empty() => self.of(*item, side, &format!("{hint} item")),
                    _ => Type::Any,
                };
                let (least, most) = (limits.min_items, limits.max_items);
                Type::List(Box::new(List { item, least, most, unique: limits.unique_items }))
            }
            Kind::Object(object) => self.object(id, shape, object, &limits, side, hint),
            Kind::Union(union) => {
                let mut options: Vec<Type> = Vec::new();
                for (at, option) in union.options.iter().enumerate() {
                    let option = self.of(*option, side, &format!("{hint} option {}", at + 1));
                    if !options.contains(&option) {
                        options.push(option);
                    }
                }
                union_of(options)
            }
            Kind::Unknown(reason) => {
                self.note(shape, &format!("is not known ({}), and is taken as anything", reason.text));
                Type::Any
            }
            Kind::Never => {
                self.note(shape, "lets nothing through, and is taken as anything");
                Type::Any
            }
            Kind::Any | Kind::Either(_) | Kind::All(_) | Kind::Ref(_) => Type::Any,
        }
    }

    fn of_values(&mut self, id: ShapeId, shape: &Shape, values: &[Literal]) -> Type {
        let has_null = values.contains(&Literal::Null);
        let plain: Vec<Literal> = values.iter().filter(|it| !matches!(it, Literal::Null)).cloned().collect();
        if plain.iter().any(|it| matches!(it, Literal::Other(_))) {
            self.note(shape, "has values that are lists or objects, and is taken as anything");
            return Type::Any;
        }
        let texts: Vec<String> = plain
            .iter()
            .filter_map(|it| if let Literal::String(text) = it { Some(text.clone()) } else { None })
            .collect();
        let ty = match &shape.name {
            _ if plain.is_empty() => return Type::Null,
            Some(name) if texts.len() == plain.len() => {
                let key = (id, None);
                let at = if let Some(at) = self.known.get(&key) {
                    *at
                } else {
                    let at = self.named(name, shape, None);
                    self.known.insert(key, at);
                    self.types.models[at].kind = ModelKind::Values(texts);
                    at
                };
                Type::Model(at)
            }
            _ => Type::Values(plain),
        };
        if has_null { Type::Nullable(Box::new(ty)) } else { ty }
    }

    fn object(&mut self, id: ShapeId, shape: &Shape, object: &Object, limits: &Limits, side: Side, hint: &str) -> Type {
        let is_counted = limits.min_properties.is_some() || limits.max_properties.is_some();
        let is_map =
            object.fields.is_empty() && (shape.name.is_none() || matches!(object.additional, Additional::Of(_)));
        if is_counted && is_map {
            self.note(shape, "says how many members there are, which is not checked");
        }
        if object.fields.is_empty() && shape.name.is_none() {
            return match &object.additional {
                Additional::Of(value) => Type::Map(Box::new(self.of(*value, side, &format!("{hint} value")))),
                Additional::Open => Type::Map(Box::new(Type::Any)),
                Additional::Closed => self.model(id, shape, object, side, hint),
            };
        }
        if object.fields.is_empty()
            && let Additional::Of(value) = &object.additional
        {
            return Type::Map(Box::new(self.of(*value, side, &format!("{hint} value"))));
        }
        self.model(id, shape, object, side, hint)
    }

    fn model(&mut self, id: ShapeId, shape: &Shape, object: &Object, side: Side, hint: &str) -> Type {
        let splits = self.splits(id);
        let key = (id, splits.then_some(side));
        if let Some(at) = self.known.get(&key) {
            return Type::Model(*at);
        }
        let base = shape.name.as_deref().unwrap_or(hint);
        let name = if splits && side == Side::Taken { format!("{base} input") } else { base.to_owned() };
        let at = self.named(&name, shape, key.1);
        self.known.insert(key, at);
        // A model may hold itself.
        let open = std::mem::take(&mut self.open);
        let hint = self.types.models[at].name.clone();
        let mut fields = Vec::new();
        for field in &object.fields {
            if !self.is_hidden(field, side) {
                fields.push(self.field(field, side, &hint));
            }
        }
        let extra = match &object.additional {
            Additional::Open => Extra::Ignored,
            Additional::Closed => Extra::Refused,
            Additional::Of(value) => Extra::Of(self.of(*value, side, &format!("{hint} value"))),
        };
        self.open = open;
        let counts = shape.limits.as_ref().map(|it| (it.min_properties, it.max_properties)).unwrap_or_default();
        let (least, most) = (counts.0.filter(|it| *it > 0), counts.1);
        self.types.models[at].kind = ModelKind::Object { fields, extra, least, most };
        Type::Model(at)
    }

    fn field(&mut self, field: &ShapeField, side: Side, hint: &str) -> Field {
        let ty = self.of(field.shape, side, &format!("{hint} {}", field.name));
        let default =
            self.declarations.shapes.view(field.shape).shape.limits.as_ref().and_then(|it| it.default.clone());
        Field { name: field.name.clone(), ty, required: field.required, default }
    }

    fn is_hidden(&self, field: &ShapeField, side: Side) -> bool {
        let shape = self.declarations.shapes.get(field.shape);
        let view = self.declarations.shapes.view(field.shape);
        match side {
            Side::Taken => shape.read_only || view.shape.read_only,
            Side::Given => shape.write_only || view.shape.write_only,
        }
    }

    /// Whether something within goes one way only.
    fn splits(&mut self, id: ShapeId) -> bool {
        if let Some(known) = self.split.get(&id) {
            return *known;
        }
        let shapes = &self.declarations.shapes;
        let (mut left, mut seen) = (vec![id], std::collections::BTreeSet::new());
        let mut splits = false;
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            let shape = shapes.get(id);
            splits |= shape.read_only || shape.write_only;
            match &shape.kind {
                Kind::Array { prefix, items } => left.extend(prefix.iter().chain(items)),
                Kind::Object(object) => {
                    left.extend(object.fields.iter().map(|field| field.shape));
                    if let Additional::Of(value) = &object.additional {
                        left.push(*value);
                    }
                }
                Kind::Union(union) => left.extend(&union.options),
                Kind::Either(parts) | Kind::All(parts) => left.extend(parts),
                Kind::Ref(target) => left.push(*target),
                _ => {}
            }
        }
        self.split.insert(id, splits);
        splits
    }

    fn named(&mut self, name: &str, shape: &Shape, side: Option<Side>) -> usize {
        let name = self.types.names.name(&names::pascal(name));
        let kind = ModelKind::Values(Vec::new());
        self.types.models.push(Model { name, kind, pointer: shape.pointer.clone(), contract: self.contract, side });
        self.types.models.len() - 1
    }

    fn text(&mut self, shape: &Shape, limits: &Limits) -> Text {
        let pattern = limits.pattern.clone().filter(|pattern| {
            let schema = serde_json::json!({"pattern": pattern});
            let compiles = jsonschema::validator_for(&schema).is_ok();
            if !compiles {
                self.note(shape, &format!("has the pattern `{pattern}`, which cannot be compiled"));
            }
            compiles
        });
        Text { format: shape.format.clone(), least: limits.min_length, most: limits.max_length, pattern }
    }

    fn note(&mut self, shape: &Shape, what: &str) {
        let place = if shape.pointer.is_empty() { "a schema".to_owned() } else { format!("`{}`", shape.pointer) };
        self.types.note(format!("{place} {what}"));
    }
}

impl Types {
    /// Names that the code of a target needs for itself.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Types { names: Scope::without(reserved), ..Types::default() }
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn union_of(options: Vec<Type>) -> Type {
    let nullable = options.iter().any(|it| matches!(it, Type::Null | Type::Nullable(_)));
    let mut rest: Vec<Type> = Vec::new();
    for option in options {
        match option {
            Type::Null => {}
            Type::Nullable(inner) => rest.push(*inner),
            other => rest.push(other),
        }
    }
    if rest.contains(&Type::Any) {
        return Type::Any;
    }
    let whole = match rest.len() {
        0 => return Type::Null,
        1 => rest.remove(0),
        _ => Type::Union(rest),
    };
    if nullable { Type::Nullable(Box::new(whole)) } else { whole }
}

/// What a format lets through (<https://spec.openapis.org/registry/format/>).
fn within(bounds: Bounds, format: Option<&str>) -> Bounds {
    let (least, most) = match format {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => (i64::MIN, i64::MAX),
        _ => return bounds,
    };
    let least = bounds.least.clone().or_else(|| bounds.above.is_none().then(|| least.to_string()));
    let most = bounds.most.clone().or_else(|| bounds.below.is_none().then(|| most.to_string()));
    Bounds { least, most, ..bounds }
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        least: limits.minimum.clone(),
        most: limits.maximum.clone(),
        above: limits.exclusive_minimum.clone(),
        below: limits.exclusive_maximum.clone(),
        step: limits.multiple_of.clone(),
    }
}
