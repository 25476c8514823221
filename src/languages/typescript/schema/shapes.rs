//! From a type to the shape of what `JSON.stringify` makes of its values (ECMA-262, section 25.5.2).

use super::types::{ObjectType, Type};
use super::{Schemas, Side};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::model::program::{ClassKind, StmtKind};
use crate::model::{Additional, Field, Kind, Literal, Object, Shape, ShapeId, Union};
use crate::text::Span;

/// Shapes of one service; a program that declares more is built to.
const MAX_SHAPES: usize = 400_000;

impl<'p> Schemas<'p> {
    /// The shape of a type. Never fails: what is not understood is `Unknown` with its reason.
    pub fn shape_of(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Option<Span>) -> ShapeId {
        if self.table.len() > MAX_SHAPES {
            return self.unknown("more types than one service may have", site);
        }
        if !self.enter() {
            return self.unknown("type nested too deep", site);
        }
        let id = self.shape_at(ev, ty, site);
        self.leave();
        id
    }

    fn plain(&mut self, kind: Kind) -> ShapeId {
        self.table.add(Shape::new(kind))
    }

    fn shape_at(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Option<Span>) -> ShapeId {
        match ty {
            Type::Unknown(why, place) => self.unknown(&**why, place.or(site)),
            Type::Any => self.plain(Kind::Any),
            Type::Never => self.plain(Kind::Never),
            Type::Undefined | Type::Null => self.plain(Kind::Null),
            Type::Text => self.plain(Kind::String),
            Type::Number => self.plain(Kind::Numeric),
            Type::Boolean => self.plain(Kind::Boolean),
            Type::Date => {
                let mut shape = Shape::new(Kind::String);
                shape.format = Some("date-time".to_owned());
                self.table.add(shape)
            }
            Type::Literal(literal) => {
                let literal = literal.clone();
                self.table.add(Shape::new(kind_of(&literal)).with_values(vec![literal]))
            }
            Type::Array(items) => {
                let items = self.shape_of(ev, items, site);
                self.plain(Kind::Array { prefix: Vec::new(), items: Some(items) })
            }
            Type::Tuple(items) => {
                let prefix = items.iter().map(|item| self.shape_of(ev, item, site)).collect();
                self.plain(Kind::Array { prefix, items: None })
            }
            Type::Map(values) => {
                let values = self.shape_of(ev, values, site);
                self.plain(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }))
            }
            Type::Union(options) => self.union_shape(ev, options, site),
            Type::Schema(id) => *id,
            Type::Promise(inner) => self.shape_of(ev, inner, site),
            Type::Function(_) => self.unknown("a function is not sent", site),
            Type::Value(Value::Class(class)) if class.node.kind == ClassKind::Enum => self.enumeration(ev, class),
            Type::Value(Value::Dict(_)) | Type::Object(_) | Type::All(_) | Type::Class(..) | Type::Written(_) => {
                self.declared(ev, ty, site)
            }
            Type::Value(value @ Value::Made(_)) => match self.shape_of_schema(ev, value, site) {
                Some(_) => self.unknown("a schema is not sent", site),
                None => self.unknown("what a library made", site),
            },
            Type::Value(value) => self.unknown(format!("{} is not sent", value.describe()), site),
            Type::External(..) if ty.of_json_text().is_some() => self.plain(Kind::String),
            Type::External(path, _) => match last(path) {
                "Decimal" | "BigNumber" | "ObjectId" | "Dayjs" | "Moment" | "DateTime" => {
                    self.unknown(format!("how `{path}` is written is not known"), site)
                }
                _ => self.unknown(format!("`{path}` is not part of the scanned sources"), site),
            },
        }
    }

    /// A type with members, declared once; one that is being declared is referred to.
    fn declared(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Option<Span>) -> ShapeId {
        let touched = ev.touched();
        let id = self.declared_once(ev, ty, site);
        // In another world it is another one.
        if ev.touched() != touched {
            let key = self.key_of(ty);
            self.known.remove(&key);
        }
        id
    }

    fn declared_once(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Option<Span>) -> ShapeId {
        let key = self.key_of(ty);
        if let Some((known, _)) = self.known.get(&key) {
            return *known;
        }
        let id = self.table.reserve();
        // The type is kept as well: its key names addresses, which must stay taken.
        self.known.insert(key, (id, ty.clone()));
        let shape = match ty {
            Type::Written(_) => {
                let forced = self.force(ev, ty);
                let inner = self.shape_of(ev, &forced, site);
                Shape::new(Kind::Ref(inner))
            }
            Type::Class(class, _) if class.node.kind == ClassKind::Enum => {
                let inner = self.enumeration(ev, class);
                Shape::new(Kind::Ref(inner))
            }
            _ if self.side == Side::Output && writes_itself(ev, ty) => {
                let json = self.member(ev, ty, "toJSON", site);
                let place = match ty {
                    Type::Class(class, _) => Some(class.name_span()),
                    Type::Object(object) => object.span,
                    _ => None,
                };
                match place.or(site) {
                    Some(place) => {
                        let result = self.result_of(ev, &json, &[], &[], None, place);
                        let inner = self.shape_of(ev, &result, site);
                        Shape::new(Kind::Ref(inner))
                    }
                    None => Shape::unknown("`toJSON` says what is sent", None),
                }
            }
            _ => match self.properties(ev, ty) {
                Some(object) => self.object_shape(ev, &object, site),
                None => match ty {
                    Type::All(parts) => self.intersection(ev, parts, site),
                    _ => Shape::unknown("type of no known members", site),
                },
            },
        };
        self.table.set(id, shape);
        id
    }

    /// `A & B` where one is no object: a union is joined with each, what only brands is left out.
    fn intersection(&mut self, ev: &mut Evaluator<'p>, parts: &[Type<'p>], site: Option<Span>) -> Shape {
        let forced: Vec<Type<'p>> = parts.iter().map(|part| self.force(ev, part)).collect();
        if let Some(plain) = forced.iter().find(|part| {
            matches!(part, Type::Text | Type::Number | Type::Boolean | Type::Literal(_) | Type::Date | Type::Array(_))
        }) {
            let inner = self.shape_of(ev, plain, site);
            return Shape::new(Kind::Ref(inner));
        }
        if let Some(at) = forced.iter().position(|part| matches!(part, Type::Union(_)))
            && let Type::Union(options) = &forced[at]
            && options.len() <= 50
        {
            let mut joined = Vec::new();
            for option in options.iter() {
                let mut parts = forced.clone();
                parts[at] = option.clone();
                joined.push(Type::All(parts.into()));
            }
            let inner = self.union_shape(ev, &joined, site);
            return Shape::new(Kind::Ref(inner));
        }
        Shape::unknown("intersection of types that are not known", site)
    }

    fn object_shape(&mut self, ev: &mut Evaluator<'p>, object: &ObjectType<'p>, site: Option<Span>) -> Shape {
        let mut fields = Vec::with_capacity(object.props.len());
        for prop in &object.props {
            let facts = self.facts_of(ev, prop);
            if facts.hidden {
                continue;
            }
            let ty = self.decorated(ev, &prop.ty, &facts);
            let Some((ty, may_miss)) = self.sent(ev, &ty) else { continue };
            let mut shape = self.shape_of(ev, &ty, prop.span.or(site));
            if facts.may_miss && !facts.only_absent {
                shape = self.or_null(shape);
            }
            let optional = may_miss || (prop.optional && facts.required != Some(true));
            fields.push(Field {
                declared: facts.name.as_ref().map(|_| prop.name.to_string()),
                name: facts.name.unwrap_or_else(|| prop.name.to_string()),
                shape,
                required: !optional && facts.required != Some(false) && !facts.may_miss,
                always: !optional || ((prop.loose || facts.loaded) && !may_miss),
                span: prop.span,
            });
        }
        let additional = match (&object.open, &object.index) {
            (Some((why, place)), _) => Additional::Of(self.unknown(&**why, place.or(site))),
            (None, Some(index)) => Additional::Of(self.shape_of(ev, index, site)),
            (None, None) => Additional::Open,
        };
        let mut shape = Shape::new(Kind::Object(Object { fields, additional }));
        shape.name = object.name.as_deref().map(str::to_owned);
        shape.span = object.span.or(site);
        shape
    }

    /// The same shape, where null may be taken as well.
    fn or_null(&mut self, id: ShapeId) -> ShapeId {
        if matches!(self.table.get(id).kind, Kind::Unknown(_) | Kind::Any) {
            return id;
        }
        self.table.add(Shape { null_open: true, ..Shape::new(Kind::Ref(id)) })
    }

    /// What of a member's type is sent, and whether it may be left out: `undefined` and functions are.
    pub(super) fn sent(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Option<(Type<'p>, bool)> {
        // Deciding needs no more than the outermost form: names of classes stay as they are written.
        let forced = self.force(ev, ty);
        match &forced {
            Type::Undefined | Type::Never | Type::Function(_) => None,
            Type::Union(options) => {
                let mut kept = Vec::new();
                let mut optional = false;
                for option in options.iter() {
                    let inner = self.force(ev, option);
                    match inner {
                        Type::Undefined | Type::Function(_) => optional = true,
                        Type::Union(_) => {
                            if let Some((inner, may_miss)) = self.sent(ev, &inner) {
                                kept.push(inner);
                                optional |= may_miss;
                            }
                        }
                        _ => kept.push(option.clone()),
                    }
                }
                if !optional {
                    return Some((ty.clone(), false));
                }
                (!kept.is_empty()).then(|| (Type::union(kept), true))
            }
            _ => Some((ty.clone(), false)),
        }
    }

    fn union_shape(&mut self, ev: &mut Evaluator<'p>, options: &[Type<'p>], site: Option<Span>) -> ShapeId {
        let mut nullable = false;
        let mut texts: Vec<Literal> = Vec::new();
        let mut shapes: Vec<ShapeId> = Vec::new();
        let mut booleans = 0;
        let mut kinds: Vec<Kind> = Vec::new();
        let options = flat(self, ev, options);
        for option in self.without_variants(ev, options) {
            match &option {
                Type::Null | Type::Undefined => nullable = true,
                Type::Never => {}
                Type::Literal(literal) => {
                    if let Literal::Boolean(_) = literal {
                        booleans += 1;
                    }
                    if !texts.contains(literal) {
                        texts.push(literal.clone());
                        kinds.push(kind_of(literal));
                    }
                }
                _ => {
                    let id = self.shape_of(ev, &option, site);
                    if !shapes.iter().any(|known| self.table.same(*known, id)) {
                        shapes.push(id);
                    }
                }
            }
        }
        if !texts.is_empty() {
            // A text is any text: the literals beside it say no more.
            let covered = |kind: &Kind| {
                shapes.iter().any(|id| {
                    let shape = self.table.get(*id);
                    shape.values.is_none()
                        && match (&shape.kind, kind) {
                            (Kind::Numeric, Kind::Integer | Kind::Number) => true,
                            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
                        }
                })
            };
            texts = texts.into_iter().zip(&kinds).filter(|(_, kind)| !covered(kind)).map(|(text, _)| text).collect();
        }
        if booleans == 2 {
            texts.retain(|literal| !matches!(literal, Literal::Boolean(_)));
            let id = self.plain(Kind::Boolean);
            shapes.push(id);
        }
        if !texts.is_empty() {
            let all = |test: fn(&Literal) -> bool| texts.iter().all(test);
            let kind = if all(|literal| matches!(literal, Literal::String(_))) {
                Kind::String
            } else if all(|literal| matches!(literal, Literal::Boolean(_))) {
                Kind::Boolean
            } else if all(|literal| matches!(literal, Literal::Number(_))) {
                Kind::Numeric
            } else {
                Kind::Any
            };
            shapes.push(self.table.add(Shape::new(kind).with_values(texts)));
        }
        match shapes.as_slice() {
            [] => self.plain(Kind::Null),
            [only] if !nullable => *only,
            [only] => self.table.add(Shape::new(Kind::Ref(*only)).nullable(true)),
            _ => self.table.add(
                Shape::new(Kind::Union(Union { options: shapes, discriminator: None, exclusive: false }))
                    .nullable(nullable),
            ),
        }
    }

    /// `A | (A & more)` is an `A` that may have more: objects that say the same but for further members are one.
    fn without_variants(&mut self, ev: &mut Evaluator<'p>, options: Vec<Type<'p>>) -> Vec<Type<'p>> {
        if options.len() > MAX_VARIANTS {
            return options;
        }
        let mut kept: Vec<Type<'p>> = Vec::new();
        for option in options {
            let joined = kept.iter().enumerate().find_map(|(at, known)| {
                let both = (self.variant(ev, known)?, self.variant(ev, &option)?);
                Some((at, self.with_more(ev, &both.0, &both.1)?))
            });
            match joined {
                Some((at, joined)) => kept[at] = joined,
                None => kept.push(option),
            }
        }
        kept
    }

    /// The members of an option, where it is an object of which all members are known.
    fn variant(&mut self, ev: &mut Evaluator<'p>, option: &Type<'p>) -> Option<std::rc::Rc<ObjectType<'p>>> {
        let object =
            matches!(option, Type::Object(_) | Type::Class(..) | Type::Schema(_) | Type::Written(_) | Type::All(_));
        let object = if object { self.properties(ev, option)? } else { return None };
        (object.open.is_none() && object.index.is_none() && !object.props.is_empty()).then_some(object)
    }

    /// Two objects as one, if one has all that the other has and no member tells which of them it is.
    fn with_more(&mut self, ev: &mut Evaluator<'p>, one: &ObjectType<'p>, other: &ObjectType<'p>) -> Option<Type<'p>> {
        let (less, more) = if one.props.len() <= other.props.len() { (one, other) } else { (other, one) };
        let mut props = more.props.clone();
        for prop in &less.props {
            let twin = props.iter_mut().find(|twin| twin.name == prop.name)?;
            if prop.ty.key() != twin.ty.key() {
                let shapes = (self.shape_of(ev, &prop.ty, prop.span), self.shape_of(ev, &twin.ty, twin.span));
                if self.table.view(shapes.0).id != self.table.view(shapes.1).id {
                    // A page that is the last has no cursor.
                    let nothing = matches!(prop.ty, Type::Null) || matches!(twin.ty, Type::Null);
                    let objects = self.has_members(ev, &prop.ty) && self.has_members(ev, &twin.ty);
                    if !(nothing || objects) {
                        return None;
                    }
                    twin.ty = Type::union(vec![prop.ty.clone(), twin.ty.clone()]);
                }
            }
            twin.optional |= prop.optional;
        }
        for prop in &mut props {
            prop.optional |= !less.props.iter().any(|known| known.name == prop.name);
        }
        Some(Type::Object(std::rc::Rc::new(ObjectType {
            props,
            index: None,
            open: None,
            name: less.name.clone().or_else(|| more.name.clone()),
            span: less.span.or(more.span),
        })))
    }

    /// Whether a type is an object, null and undefined apart: no value that tells one object from another.
    fn has_members(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
        let ty = self.non_null(ev, ty);
        self.variant(ev, &ty).is_some()
    }

    /// The values of an enumeration.
    pub(super) fn enumeration(&mut self, ev: &mut Evaluator<'p>, class: &ClassRef<'p>) -> ShapeId {
        let key = format!("enum {}", Type::class(class.clone()).key());
        if let Some((known, _)) = self.known.get(&key) {
            return *known;
        }
        let members = ev.enum_members(class);
        let values: Option<Vec<Literal>> = members
            .iter()
            .map(|member| match &member.value {
                Value::Str(text) => Some(Literal::String(text.to_string())),
                Value::Int(number) => Some(Literal::Number(number.to_string())),
                _ => None,
            })
            .collect();
        let mut shape = match values {
            Some(values) if values.iter().all(|value| matches!(value, Literal::String(_))) => {
                Shape::new(Kind::String).with_values(values)
            }
            Some(values) if values.iter().all(|value| matches!(value, Literal::Number(_))) => {
                Shape::new(Kind::Integer).with_values(values)
            }
            _ => Shape::unknown("value of a member of an enumeration is not known", Some(class.name_span())),
        };
        shape.name = Some(class.name().to_owned());
        shape.span = Some(class.name_span());
        let id = self.table.add(shape);
        self.known.insert(key, (id, Type::class(class.clone())));
        id
    }
}

/// Options of a union that are held against each other; of more, all are kept.
const MAX_VARIANTS: usize = 12;

/// Whether an object says itself how it is written.
fn writes_itself<'p>(ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
    match ty {
        Type::Class(class, _) => ev.ancestry(class).iter().any(|ancestor| match ancestor {
            Value::Class(class) => ev
                .class_statements(class)
                .iter()
                .any(|statement| matches!(&statement.kind, StmtKind::Function(function) if function.name == "toJSON")),
            _ => false,
        }),
        Type::Object(object) => object.props.iter().any(|prop| {
            &*prop.name == "toJSON" && matches!(prop.ty, Type::Function(_) | Type::Value(Value::Function(_)))
        }),
        _ => false,
    }
}

/// The options of a union with aliases of unions opened, as far as they are unions.
fn flat<'p>(schemas: &mut Schemas<'p>, ev: &mut Evaluator<'p>, options: &[Type<'p>]) -> Vec<Type<'p>> {
    let mut out = Vec::new();
    for option in options {
        match option {
            Type::Written(_) => {
                if !schemas.enter() {
                    continue;
                }
                match schemas.force(ev, option) {
                    Type::Union(inner) => out.extend(flat(schemas, ev, &inner)),
                    // As it is written it has a name, and is declared once.
                    Type::Object(_) | Type::Class(..) | Type::All(_) => out.push(option.clone()),
                    other => out.push(other),
                }
                schemas.leave();
            }
            Type::Union(inner) => out.extend(flat(schemas, ev, inner)),
            other => out.push(other.clone()),
        }
    }
    out
}

fn kind_of(literal: &Literal) -> Kind {
    match literal {
        Literal::String(_) => Kind::String,
        Literal::Boolean(_) => Kind::Boolean,
        Literal::Number(text) if text.contains('.') => Kind::Number,
        Literal::Number(_) => Kind::Integer,
        Literal::Null => Kind::Null,
        Literal::Other(_) => Kind::Any,
    }
}
