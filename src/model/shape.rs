//! Shapes: what a JSON value may be. One type for a contract's schema and for a type in code, so that one engine can
//! compare any two. Modelled on JSON Schema 2020-12.

use std::borrow::Cow;

use crate::finding::Reason;
use crate::text::Span;

/// Index into one [`ShapeTable`]; the same id is the same declaration, which is what cuts cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

/// A set of JSON values.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the schema language")]
pub struct Shape {
    pub kind: Kind,
    /// `null` belongs to it as well.
    pub nullable: bool,
    /// Code: whether `null` belongs to it is left open by its type.
    pub null_open: bool,
    /// Code that reads: a text that spells such a number is taken as well.
    pub from_text: bool,
    /// The declared name: a class, or a component of a contract.
    pub name: Option<String>,
    pub title: Option<String>,
    pub format: Option<String>,
    /// `enum` or `const`: nothing else belongs to it.
    pub values: Option<Vec<Literal>>,
    pub read_only: bool,
    pub write_only: bool,
    pub deprecated: bool,
    /// Boxed, because few shapes have any.
    pub limits: Option<Box<Limits>>,
    /// Where it is declared.
    pub span: Option<Span>,
    /// Contract only: JSON pointer of the schema.
    pub pointer: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Cannot be known statically. Nothing is ever reported about it.
    Unknown(Reason),
    /// Every JSON value.
    Any,
    /// No value at all (`false` as a schema).
    Never,
    Null,
    Boolean,
    Integer,
    Number,
    /// Code: a number of which the type does not say whether it is whole.
    Numeric,
    String,
    /// `prefix` is what 2020-12 calls `prefixItems`; `items` is the rest.
    Array {
        prefix: Vec<ShapeId>,
        items: Option<ShapeId>,
    },
    Object(Object),
    Union(Union),
    /// Code: one of these, and nothing tells which. What all of them get wrong is wrong.
    Either(Vec<ShapeId>),
    /// `allOf`: every part at once. [`ShapeTable::view`] gives the merged view.
    All(Vec<ShapeId>),
    /// The same as another shape; `$ref`, or a named class.
    Ref(ShapeId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub fields: Vec<Field>,
    pub additional: Additional,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Additional {
    /// Not stated: further members are allowed.
    Open,
    /// `additionalProperties: false`
    Closed,
    /// A map, or further members of this shape.
    Of(ShapeId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name on the wire.
    pub name: String,
    pub shape: ShapeId,
    /// Stated as required in the schema (contract), or as the framework would state it (code).
    pub required: bool,
    /// Code: every answer carries it, because a default is always serialised. Contract: same as `required`.
    pub always: bool,
    pub span: Option<Span>,
    /// Code: how the type spells it where the wire name differs (`user_id` for alias `userId`).
    pub declared: Option<String>,
}

/// `oneOf`, `anyOf`, a union type.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    pub options: Vec<ShapeId>,
    /// Property whose value chooses the option.
    pub discriminator: Option<String>,
    /// `oneOf` rather than `anyOf`.
    pub exclusive: bool,
}

/// A value of `enum`, `const` or a default. Numbers are kept as text, so that they compare exactly.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    Null,
    Boolean(bool),
    Number(String),
    String(String),
    /// An array or object, as compact JSON.
    Other(String),
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Boolean(value) => write!(f, "{value}"),
            Literal::Number(text) | Literal::Other(text) => f.write_str(text),
            Literal::String(text) => write!(f, "`{text}`"),
        }
    }
}

/// Constraints beyond type and members. Bounds are decimal text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    pub minimum: Option<String>,
    pub maximum: Option<String>,
    pub exclusive_minimum: Option<String>,
    pub exclusive_maximum: Option<String>,
    pub multiple_of: Option<String>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    pub pattern: Option<String>,
    pub default: Option<Literal>,
    /// Contract: keywords that hold beside these and are compared as they are written, such as `if` and `contains`,
    /// each with its value as compact JSON, sorted by name.
    pub keywords: Vec<(&'static str, String)>,
}

impl Limits {
    /// Whether a keyword that is kept as it is written stands there.
    pub fn states(&self, keyword: &str) -> bool {
        self.keywords.iter().any(|(known, _)| *known == keyword)
    }

    /// What both say; where both say something of the same matter, what was there first.
    pub fn add(&mut self, more: &Limits) {
        fn fill<T: Clone>(own: &mut Option<T>, more: Option<&T>) {
            if own.is_none() {
                *own = more.cloned();
            }
        }
        fill(&mut self.minimum, more.minimum.as_ref());
        fill(&mut self.maximum, more.maximum.as_ref());
        fill(&mut self.exclusive_minimum, more.exclusive_minimum.as_ref());
        fill(&mut self.exclusive_maximum, more.exclusive_maximum.as_ref());
        fill(&mut self.multiple_of, more.multiple_of.as_ref());
        fill(&mut self.min_length, more.min_length.as_ref());
        fill(&mut self.max_length, more.max_length.as_ref());
        fill(&mut self.min_items, more.min_items.as_ref());
        fill(&mut self.max_items, more.max_items.as_ref());
        self.unique_items |= more.unique_items;
        fill(&mut self.min_properties, more.min_properties.as_ref());
        fill(&mut self.max_properties, more.max_properties.as_ref());
        fill(&mut self.pattern, more.pattern.as_ref());
        fill(&mut self.default, more.default.as_ref());
        for (name, value) in &more.keywords {
            if let Err(at) = self.keywords.binary_search_by(|(known, _)| known.cmp(name)) {
                self.keywords.insert(at, (name, value.clone()));
            }
        }
    }
}

impl Shape {
    pub fn new(kind: Kind) -> Self {
        Shape {
            kind,
            nullable: false,
            null_open: false,
            from_text: false,
            name: None,
            title: None,
            format: None,
            values: None,
            read_only: false,
            write_only: false,
            deprecated: false,
            limits: None,
            span: None,
            pointer: String::new(),
        }
    }

    pub fn unknown(text: impl Into<String>, span: Option<Span>) -> Self {
        Shape::new(Kind::Unknown(Reason::new(text, span)))
    }

    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    #[must_use]
    pub fn nullable(mut self, nullable: bool) -> Self {
        self.nullable = nullable;
        self
    }

    #[must_use]
    pub fn at(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    #[must_use]
    pub fn with_values(mut self, values: Vec<Literal>) -> Self {
        self.values = Some(values);
        self
    }
}

/// What a shape is after following references and merging `allOf`.
#[derive(Clone, Debug)]
pub struct View<'t> {
    /// The declaration that was arrived at; identity for cycle cuts and for "one cause, one finding".
    pub id: ShapeId,
    /// Never `Ref`; never `All`.
    pub shape: Cow<'t, Shape>,
    /// Null is accepted, by the shape itself or by a reference on the way.
    pub nullable: bool,
}

/// Arena of shapes.
#[derive(Clone, Debug, Default)]
pub struct ShapeTable {
    shapes: Vec<Shape>,
}

/// Longer chains of references or deeper `allOf` nests are given up as unknown.
const MAX_DEPTH: usize = 64;
/// `allOf` nests with more parts in all are given up likewise: parts that name each other twice double at every level.
const MAX_PARTS: usize = 10_000;
/// What stands in a reserved place until it is filled.
const RESERVED: &str = "declaration never completed";

impl ShapeTable {
    pub fn add(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId(self.shapes.len() as u32 - 1)
    }

    /// A place to be filled by [`ShapeTable::set`] later: how recursive declarations are built.
    pub fn reserve(&mut self) -> ShapeId {
        self.add(Shape::unknown(RESERVED, None))
    }

    /// Whether two shapes are one, or are written alike. What is still being declared is like nothing else.
    pub fn same(&self, one: ShapeId, other: ShapeId) -> bool {
        let is_open = |shape: &Shape| matches!(&shape.kind, Kind::Unknown(reason) if reason.text == RESERVED);
        one == other || (self.get(one) == self.get(other) && !is_open(self.get(one)))
    }

    pub fn set(&mut self, id: ShapeId, shape: Shape) {
        self.shapes[id.0 as usize] = shape;
    }

    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Whether the code leaves open whether values are null, or which shape they have.
    pub fn leaves_open(&self) -> bool {
        self.shapes.iter().any(|shape| shape.null_open || matches!(shape.kind, Kind::Either(_)))
    }

    /// Follows references and merges `allOf`.
    pub fn view(&self, id: ShapeId) -> View<'_> {
        self.view_at(id, 0, &mut { MAX_PARTS })
    }

    fn view_at(&self, id: ShapeId, depth: usize, parts_left: &mut usize) -> View<'_> {
        let mut id = id;
        let mut nullable = false;
        for _ in 0..MAX_DEPTH {
            let shape = self.get(id);
            nullable |= shape.nullable;
            match &shape.kind {
                Kind::Ref(target) => id = *target,
                Kind::All(parts) => {
                    let merged = self.merge(shape, parts, depth, parts_left);
                    nullable |= merged.nullable;
                    return View { id, shape: Cow::Owned(merged), nullable };
                }
                Kind::Null => return View { id, shape: Cow::Borrowed(shape), nullable: true },
                _ => return View { id, shape: Cow::Borrowed(shape), nullable },
            }
        }
        View { id, shape: Cow::Owned(Shape::unknown("chain of references never ends", self.get(id).span)), nullable }
    }

    /// JSON Schema 2020-12, section 10.2.1.1: an instance is valid if it is valid against all parts.
    fn merge(&self, whole: &Shape, parts: &[ShapeId], depth: usize, parts_left: &mut usize) -> Shape {
        let mut merged = Shape { kind: Kind::Any, ..whole.clone() };
        if depth > MAX_DEPTH || *parts_left < parts.len() {
            merged.kind = Kind::Unknown(Reason::new("`allOf` nested too deep", whole.span));
            return merged;
        }
        *parts_left -= parts.len();
        let mut all_nullable = !parts.is_empty();
        for part in parts {
            let view = self.view_at(*part, depth + 1, parts_left);
            let untyped_wrapper = matches!(view.shape.kind, Kind::Any);
            all_nullable &= view.nullable || untyped_wrapper;
            merge_part(&mut merged, &view.shape);
        }
        merged.nullable |= all_nullable && !matches!(merged.kind, Kind::Any);
        merged
    }
}

fn merge_part(into: &mut Shape, part: &Shape) {
    into.read_only |= part.read_only;
    into.write_only |= part.write_only;
    if into.values.is_none() {
        into.values.clone_from(&part.values);
    }
    if into.format.is_none() {
        into.format.clone_from(&part.format);
    }
    match (&mut into.limits, &part.limits) {
        (Some(own), Some(more)) => own.add(more),
        (own @ None, more) => own.clone_from(more),
        (Some(_), None) => {}
    }
    match (&mut into.kind, &part.kind) {
        (Kind::Unknown(_), _) | (_, Kind::Any) => {}
        (_, Kind::Unknown(reason)) => into.kind = Kind::Unknown(reason.clone()),
        (Kind::Any, kind) => {
            into.kind = kind.clone();
            if into.name.is_none() {
                into.name.clone_from(&part.name);
            }
        }
        (Kind::Object(object), Kind::Object(more)) => merge_objects(object, more),
        (Kind::Number, Kind::Integer) => into.kind = Kind::Integer,
        (Kind::Integer, Kind::Number | Kind::Numeric) | (Kind::Number, Kind::Numeric) => {}
        (Kind::Numeric, Kind::Integer | Kind::Number) => into.kind = part.kind.clone(),
        (Kind::Union(_), _) | (_, Kind::Union(_)) => {
            into.kind = Kind::Unknown(Reason::new("`allOf` of alternatives", part.span));
        }
        (mine, theirs) if std::mem::discriminant(mine) == std::mem::discriminant(theirs) => {}
        _ => into.kind = Kind::Unknown(Reason::new("`allOf` of different types", part.span)),
    }
}

fn merge_objects(object: &mut Object, more: &Object) {
    for field in &more.fields {
        match object.fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => {
                known.required |= field.required;
                known.always |= field.always;
            }
            None => object.fields.push(field.clone()),
        }
    }
    match (&object.additional, &more.additional) {
        (_, Additional::Closed) => object.additional = Additional::Closed,
        (Additional::Open, other) => object.additional = other.clone(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, shape: ShapeId) -> Field {
        Field { name: name.into(), shape, required: true, always: true, span: None, declared: None }
    }

    #[test]
    fn all_of_merges_members_and_follows_references() {
        let mut table = ShapeTable::default();
        let text = table.add(Shape::new(Kind::String));
        let object = |fields| Shape::new(Kind::Object(Object { fields, additional: Additional::Open }));
        let base = table.add(object(vec![field("id", text)]).named("Base"));
        let reference = table.add(Shape::new(Kind::Ref(base)));
        let own = table.add(object(vec![field("name", text)]));
        let all = table.add(Shape::new(Kind::All(vec![reference, own])));
        let view = table.view(all);
        let Kind::Object(merged) = &view.shape.kind else { panic!("merged into an object") };
        assert_eq!(merged.fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["id", "name"]);
        assert!(!view.nullable);
    }

    #[test]
    fn a_cycle_of_references_is_unknown_not_a_hang() {
        let mut table = ShapeTable::default();
        let a = table.reserve();
        let b = table.add(Shape::new(Kind::Ref(a)));
        table.set(a, Shape::new(Kind::Ref(b)));
        assert!(matches!(table.view(a).shape.kind, Kind::Unknown(_)));
        let own = table.reserve();
        table.set(own, Shape::new(Kind::All(vec![own])));
        assert!(matches!(table.view(own).shape.kind, Kind::Unknown(_)));
        let twice = table.reserve();
        table.set(twice, Shape::new(Kind::All(vec![twice, twice])));
        assert!(matches!(table.view(twice).shape.kind, Kind::Unknown(_)));
    }
}
