//! Schema objects to shapes. Every schema gets its id when it is first seen and is lowered from a queue, so that cycles
//! end in references and neither long chains nor deep documents use the machine's stack.

pub(super) mod cycles;
pub(super) mod form;
pub(super) mod instance;
mod pattern;
pub(super) mod plain;

use super::IssueKind;
use super::dialect::Dialect;
use super::reader::{Place, Reader};
use super::reference;
use super::tree::{Node, Value};
use crate::finding::Reason;
use crate::model::{Kind, Shape, ShapeId, Union};

/// A schema that has an id and is not lowered yet.
pub(super) struct Pending<'d> {
    id: ShapeId,
    place: Place<'d>,
}

impl<'d> Reader<'d> {
    /// The id of the schema at a place.
    pub(super) fn shape_at(&mut self, place: Place<'d>) -> ShapeId {
        let key = (place.source, place.pointer.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let id = self.shapes.reserve();
        self.known.insert(key, id);
        self.queue.push(Pending { id, place });
        id
    }

    /// Lowers every schema that was asked for, and those that they ask for.
    pub(super) fn lower_pending(&mut self) {
        while let Some(Pending { id, place }) = self.queue.pop() {
            let mut shape = self.lower(&place);
            shape.name = self.component_name(&place);
            self.states_null |= shape.nullable || matches!(shape.kind, Kind::Null);
            self.shapes.set(id, shape);
        }
    }

    /// A shape that the document does not spell out, such as one part of a composition.
    pub(super) fn add_at(&mut self, place: &Place<'d>, shape: Shape) -> ShapeId {
        self.shapes.add(located(place, shape))
    }

    fn lower(&mut self, place: &Place<'d>) -> Shape {
        let mut place = place.clone();
        let outermost = place.clone();
        let mut around: Option<Shape> = None;
        // Wrappers that only add an annotation or `null` to one schema are taken off.
        while let Some(inner) = sole_alternative(&place) {
            let mut wrapper = Shape::new(Kind::Any);
            plain::annotate(&mut wrapper, place.node);
            wrapper.nullable |= inner.nullable;
            wrapper.limits = plain::limits(place.node);
            if let Some(outer) = around.take() {
                wrap(&mut wrapper, outer);
            }
            around = Some(wrapper);
            place = inner.place;
        }
        let mut shape = self.lower_unwrapped(&place);
        if let Some(around) = around {
            wrap(&mut shape, around);
        }
        if matches!(shape.kind, Kind::Ref(_)) && (shape.read_only || shape.write_only) {
            // A view passes through `Ref` and would lose them.
            let target = self.add_at(&place, Shape::new(shape.kind.clone()));
            shape.kind = Kind::All(vec![target]);
        }
        located(&outermost, shape)
    }

    fn lower_unwrapped(&mut self, place: &Place<'d>) -> Shape {
        match &place.node.value {
            Value::Bool(true) => Shape::new(Kind::Any),
            Value::Bool(false) => Shape::new(Kind::Never),
            Value::Object(_) if place.node.cut => Shape::unknown("the document breaks off here", Some(place.span)),
            Value::Object(_) => self.lower_object(place),
            _ => {
                let found = place.node.type_name();
                let message = format!("a schema must be an object, found {found}");
                self.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, None);
                Shape::unknown("not a schema", Some(place.span))
            }
        }
    }

    fn lower_object(&mut self, place: &Place<'d>) -> Shape {
        let mut parts = Vec::new();
        if let Some((_, reference)) = place.node.entry("$ref")
            && let Some(text) = reference.text()
        {
            let target = self.resolve(place.source, text, reference.span, &format!("{}/$ref", place.pointer));
            let kind = match target {
                Some(target) => Kind::Ref(self.shape_at(target)),
                None => {
                    Kind::Unknown(Reason::new(format!("`$ref` to `{text}` cannot be followed"), Some(reference.span)))
                }
            };
            let keeps_siblings = self.dialect(place) >= Dialect::V31;
            if !keeps_siblings {
                return Shape::new(kind);
            }
            parts.push(self.add_at(place, Shape::new(kind)));
        }
        if place.node.get("$dynamicRef").is_some() {
            return Shape::unknown("`$dynamicRef` depends on where it is reached from", Some(place.span));
        }
        self.compose(place, parts)
    }

    /// `allOf`, `oneOf`, `anyOf` and the schema's own keywords, which all must hold.
    fn compose(&mut self, place: &Place<'d>, mut parts: Vec<ShapeId>) -> Shape {
        let node = place.node;
        let all_of: Vec<_> = place.child("allOf").map(|list| list.items().collect()).unwrap_or_default();
        let one_of = alternatives(place, "oneOf");
        let any_of = alternatives(place, "anyOf");
        if parts.is_empty() && all_of.is_empty() && one_of.is_none() && any_of.is_none() {
            return plain::lower(self, place);
        }
        let mut shape = Shape::new(Kind::Any);
        plain::annotate(&mut shape, node);
        shape.limits = plain::limits(node);
        let typed_elsewhere = all_of
            .iter()
            .chain(one_of.iter().chain(&any_of).flat_map(|union| &union.options))
            .all(|part| states_type(part.node));
        // What only requires members comes last: members are known from the part that describes them.
        let (bare, full): (Vec<_>, Vec<_>) = all_of.into_iter().partition(|part| only_requires(part.node));
        parts.extend(full.into_iter().chain(bare).map(|part| self.shape_at(part)).collect::<Vec<_>>());
        if has_own_keywords(node) || (node.get("type").is_some() && !typed_elsewhere) {
            let own = plain::lower(self, place);
            parts.push(self.add_at(place, own));
        }
        for union in [one_of, any_of].into_iter().flatten() {
            shape.nullable |= union.nullable;
            if union.options.is_empty() {
                parts.push(self.add_at(place, Shape::new(Kind::Null)));
                continue;
            }
            // (A or B) and C is (A and C) or (B and C): each option is compared whole.
            let base = std::mem::take(&mut parts);
            let exclusive = union.exclusive;
            let options = union.options.into_iter().map(|option| self.option(option, &base)).collect();
            let discriminator =
                node.get("discriminator").and_then(|d| d.get("propertyName").or(Some(d))).and_then(Node::text);
            let kind = Kind::Union(Union { options, discriminator: discriminator.map(str::to_owned), exclusive });
            parts.push(self.add_at(place, Shape::new(kind)));
        }
        shape.kind = match parts.as_slice() {
            [only] => self.unwrap_part(*only),
            _ => Kind::All(parts),
        };
        shape
    }

    /// The kind of a composition that has one part only.
    fn unwrap_part(&mut self, part: ShapeId) -> Kind {
        match &self.shapes.get(part).kind {
            kind @ (Kind::Ref(_) | Kind::Union(_) | Kind::Null) => kind.clone(),
            // A failed reference. What is only reserved has another reason and gets its kind later.
            Kind::Unknown(reason) if reason.span.is_some() => Kind::Unknown(reason.clone()),
            _ => Kind::Ref(part),
        }
    }

    fn option(&mut self, option: Place<'d>, base: &[ShapeId]) -> ShapeId {
        let bare = only_requires(option.node);
        let place = option.clone();
        let id = self.shape_at(option);
        if base.is_empty() {
            return id;
        }
        let mut parts = base.to_vec();
        let at = if bare { parts.len() } else { 0 };
        parts.insert(at, id);
        let mut whole = Shape::new(Kind::All(parts));
        whole.title = place.text("title").map(str::to_owned);
        whole.name = match self.follow(place.clone()) {
            Some(target) => self.component_name(&target),
            None => None,
        };
        self.add_at(&place, whole)
    }

    /// `User` of `#/components/schemas/User`, of `common.yaml#/User`, and of `User.yaml` as a whole.
    fn component_name(&self, place: &Place<'d>) -> Option<String> {
        let Some((parent, last)) = place.pointer.rsplit_once('/') else {
            let file = self.sources[place.source].path.rsplit('/').next()?;
            return file.split('.').next().map(str::to_owned);
        };
        let named = parent.is_empty()
            || ["/schemas", "/definitions", "/$defs"].iter().any(|end| {
                // Not the keywords below a property that has such a name.
                parent.strip_suffix(end).is_some_and(|above| !above.ends_with("/properties"))
            });
        if named { reference::segments(&format!("/{last}"))?.pop() } else { None }
    }
}

/// Adds what a wrapper says, which wins, to the shape of the schema in it.
fn wrap(shape: &mut Shape, wrapper: Shape) {
    shape.nullable |= wrapper.nullable;
    shape.read_only |= wrapper.read_only;
    shape.write_only |= wrapper.write_only;
    shape.deprecated |= wrapper.deprecated;
    shape.title = wrapper.title.or(shape.title.take());
    match (&mut shape.limits, wrapper.limits) {
        (Some(limits), Some(mut around)) => {
            around.add(limits);
            *limits = around;
        }
        (limits @ None, around) => *limits = around,
        (Some(_), None) => {}
    }
}

fn located(place: &Place<'_>, mut shape: Shape) -> Shape {
    shape.span = Some(place.span);
    shape.pointer.clone_from(&place.pointer);
    shape
}

struct Sole<'d> {
    place: Place<'d>,
    nullable: bool,
}

/// The schema that a wrapper is about: `allOf` of one, `anyOf` or `oneOf` of one and perhaps `null`, with nothing but
/// annotations around it.
fn sole_alternative<'d>(place: &Place<'d>) -> Option<Sole<'d>> {
    let node = place.node;
    let mut found = None;
    for key in ["allOf", "oneOf", "anyOf"] {
        if node.get(key).is_some_and(|list| !list.items().is_empty()) {
            if found.is_some() {
                return None;
            }
            found = Some(key);
        }
    }
    let key = found?;
    if node.cut || node.get("$ref").is_some_and(|reference| reference.text().is_some()) || has_own_keywords(node) {
        return None;
    }
    let sole = match key {
        "allOf" => {
            let list = place.child("allOf")?;
            let mut items = list.items();
            let first = items.next()?;
            items.next().is_none().then_some(Sole { place: first, nullable: false })?
        }
        key => {
            let mut union = alternatives(place, key)?;
            let last = union.options.pop()?;
            union.options.is_empty().then_some(Sole { place: last, nullable: union.nullable })?
        }
    };
    (node.get("type").is_none() || states_type(sole.place.node)).then_some(sole)
}

struct Alternatives<'d> {
    options: Vec<Place<'d>>,
    nullable: bool,
    exclusive: bool,
}

/// Options of a union without those that are only `null`; `None` where there are none at all.
fn alternatives<'d>(place: &Place<'d>, key: &str) -> Option<Alternatives<'d>> {
    let list = place.child(key)?;
    if list.node.items().is_empty() {
        return None;
    }
    let (nulls, options): (Vec<_>, Vec<_>) = list.items().partition(|option| plain::is_null_schema(option.node));
    Some(Alternatives { options, nullable: !nulls.is_empty(), exclusive: key == "oneOf" })
}

/// Whether a schema has keywords of its own beside `type`, composition and annotations.
fn has_own_keywords(node: &Node) -> bool {
    node.entries().iter().any(|(key, _)| {
        matches!(
            key.text.as_str(),
            "properties"
                | "required"
                | "additionalProperties"
                | "patternProperties"
                | "minProperties"
                | "maxProperties"
                | "items"
                | "prefixItems"
                | "additionalItems"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "enum"
                | "const"
                | "format"
                | "pattern"
                | "minLength"
                | "maxLength"
                | "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "unevaluatedProperties"
        )
    })
}

fn states_type(node: &Node) -> bool {
    const STATING: [&str; 11] = [
        "type",
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "properties",
        "additionalProperties",
        "items",
        "prefixItems",
        "enum",
        "const",
    ];
    STATING.iter().any(|key| node.get(key).is_some()) || only_requires(node)
}

/// `{required: […]}` and no description of the members.
fn only_requires(node: &Node) -> bool {
    let describes = ["$ref", "properties", "allOf", "anyOf", "oneOf", "additionalProperties"];
    node.get("required").is_some() && !describes.iter().any(|key| node.get(key).is_some())
}
