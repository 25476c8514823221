//! Expressions in the bodies of functions, as the JSON that they become: literals, names that are bound once, results
//! of functions that are written out. What only running tells is unknown.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::body::{Body, MAX_DEPTH};
use super::locals::Binding;
use super::{Schemas, models};
use crate::evaluate::{Evaluator, Scope, Value};
use crate::languages::json_schema::literal_value;
use crate::languages::python::django::DATA;
use crate::model::program::{BinaryOp, ComprehensionKind, DictItem, Expr, ExprKind};
use crate::model::{Additional, Kind, Literal, Object, Shape, ShapeId, Union};
use crate::text::Span;

impl Schemas {
    /// The shape of what an expression becomes as JSON.
    pub fn shape_of_written<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        expr: &'p Expr,
        body: &Rc<Body<'p>>,
    ) -> ShapeId {
        self.written_at(evaluator, expr, body, 0)
    }

    /// The shape of what a function that ran handed on: a value, and how it is written and where.
    pub fn shape_of_sent<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        written: Option<(&'p Expr, Scope<'p>)>,
        site: Span,
    ) -> ShapeId {
        if let Some((expr, scope)) = written
            && let Some(body) = Body::of_run(&scope)
        {
            let shape = self.shape_of_written(evaluator, expr, &body);
            let is_filled = body.is_filled(expr);
            let shape = self.completed(evaluator, shape, (value, is_filled), site, 0);
            if is_filled || !matches!(self.table.view(shape).shape.kind, Kind::Unknown(_)) {
                return shape;
            }
        }
        self.shape_of_value(evaluator, value, Some(site))
    }

    /// What is written, with what only running told: names that were put into a dict (`for name in NAMES: data[name] = …`)
    /// and, where nothing is put in later, what its values are.
    fn completed<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        shape: ShapeId,
        (value, is_filled): (&Value<'p>, bool),
        site: Span,
        depth: u32,
    ) -> ShapeId {
        let Value::Dict(dict) = value else { return shape };
        let mut whole = self.table.get(shape).clone();
        let Kind::Object(object) = &mut whole.kind else { return shape };
        if depth > MAX_DEPTH || whole.name.is_some() || !dict.borrow().is_whole() {
            return shape;
        }
        let is_open = matches!(object.additional, Additional::Of(_));
        let entries = dict.borrow().entries.clone();
        let mut places: FxHashMap<String, usize> =
            object.fields.iter().enumerate().map(|(at, field)| (field.name.clone(), at)).collect();
        let mut is_same = !is_open;
        for (name, value) in &entries {
            let Some(name) = literal_key(name) else { return shape };
            match places.get(&name) {
                Some(_) if is_filled => {}
                Some(at) => {
                    let known = object.fields[*at].shape;
                    let better = match &self.table.get(known).kind {
                        Kind::Unknown(_) => self.shape_of_value(evaluator, value, Some(site)),
                        _ => self.completed(evaluator, known, (value, false), site, depth + 1),
                    };
                    if better != known && !matches!(self.table.get(better).kind, Kind::Unknown(_)) {
                        object.fields[*at].shape = better;
                        is_same = false;
                    }
                }
                None if is_open => {
                    let of_value = self.shape_of_value(evaluator, value, Some(site));
                    places.insert(name.clone(), object.fields.len());
                    put(object, &name, of_value, true, site);
                }
                None => {}
            }
        }
        if is_same {
            return shape;
        }
        object.additional = Additional::Open;
        self.table.add(whole)
    }

    pub(super) fn written_at<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        expr: &'p Expr,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let site = Some(expr.span);
        if depth > MAX_DEPTH || !body.spend() {
            return self.unknown("expression nested too deep", site);
        }
        let next = depth + 1;
        match &expr.kind {
            ExprKind::Str { .. } | ExprKind::Template(_) => self.plain(Kind::String),
            ExprKind::Int(_) => self.plain(Kind::Integer),
            ExprKind::Float(_) => self.plain(Kind::Number),
            ExprKind::Bool(_) | ExprKind::Not(_) => self.plain(Kind::Boolean),
            ExprKind::None => self.plain(Kind::Null),
            ExprKind::Compare { .. } => self.plain(Kind::Boolean),
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                let shapes = items.iter().map(|item| match &item.kind {
                    ExprKind::Spread(_) => self.unknown("elements that are spread in are not known", Some(item.span)),
                    _ => self.written_at(evaluator, item, body, next),
                });
                let shapes: Vec<ShapeId> = shapes.collect();
                let items = if shapes.is_empty() {
                    self.unknown("what is in the list is not known", site)
                } else {
                    self.one_of(shapes, site)
                };
                self.array(items)
            }
            ExprKind::Dict(items) => self.written_dict(evaluator, items, expr.span, body, next),
            ExprKind::Comprehension(comprehension) => match comprehension.kind {
                ComprehensionKind::List | ComprehensionKind::Generator => {
                    let element = self.written_at(evaluator, &comprehension.element, body, next);
                    self.array(element)
                }
                ComprehensionKind::Dict => {
                    let values = match &comprehension.value {
                        Some(value) => self.written_at(evaluator, value, body, next),
                        None => self.plain(Kind::Any),
                    };
                    self.map(values)
                }
                ComprehensionKind::Set => self.unknown("a set", site),
            },
            ExprKind::Conditional { test, then, otherwise } => {
                if let Some(holds) = body.settled(evaluator, test) {
                    return self.written_at(evaluator, if holds { then } else { otherwise }, body, next);
                }
                let options = [then, otherwise].map(|option| self.written_at(evaluator, option, body, next));
                self.one_of(options.to_vec(), site)
            }
            ExprKind::Or(left, right) => {
                let options = [left, right].map(|option| self.written_at(evaluator, option, body, next));
                self.one_of(options.to_vec(), site)
            }
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Modulo, left, right } => {
                let is_text = |side: &Expr| matches!(side.kind, ExprKind::Str { .. } | ExprKind::Template(_));
                if is_text(left) || is_text(right) {
                    return self.plain(Kind::String);
                }
                self.unknown("result of an operator", site)
            }
            ExprKind::Await(inner) | ExprKind::Named { value: inner, .. } => {
                self.written_at(evaluator, inner, body, next)
            }
            ExprKind::Name(name) if body.is_local(name) => self.written_local(evaluator, name, expr.span, body, next),
            ExprKind::Call { callee, args, .. } => self.written_call(evaluator, expr, callee, args, body, next),
            ExprKind::Member { object, name } => {
                let value = body.value(evaluator, expr);
                if value.is_unknown()
                    && let Some(member) = self.written_member(evaluator, object, name, body, next)
                {
                    return member;
                }
                self.shape_of_value(evaluator, &value, site)
            }
            ExprKind::Name(name) => {
                let value = body.value(evaluator, expr);
                let whole = matches!(value, Value::Dict(_) | Value::List(_) | Value::Tuple(_))
                    && self.is_unchanged(evaluator, name, &value, &body.function.scope);
                self.value_within(evaluator, &value, site, whole, 0)
            }
            _ => {
                let value = body.value(evaluator, expr);
                self.shape_of_value(evaluator, &value, site)
            }
        }
    }

    /// A member of a local whose declared type is a schema: what the type says of it.
    fn written_member<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        object: &'p Expr,
        name: &str,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> Option<ShapeId> {
        let is_local =
            matches!(&object.kind, ExprKind::Name(local) if body.is_local(local) && !body.is_receiver(local));
        if !is_local && !matches!(object.kind, ExprKind::Member { .. }) {
            return None;
        }
        let whole = self.written_at(evaluator, object, body, depth);
        let view = self.table.view(whole);
        let Kind::Object(known) = &view.shape.kind else { return None };
        if view.nullable || view.shape.name.is_none() {
            return None;
        }
        let spelled = |field: &&crate::model::Field| field.declared.as_deref().unwrap_or(&field.name) == name;
        known.fields.iter().find(spelled).map(|field| field.shape)
    }

    /// One of several shapes; unknown if one of them is.
    pub fn one_of(&mut self, shapes: Vec<ShapeId>, site: Option<Span>) -> ShapeId {
        let mut options: Vec<ShapeId> = Vec::new();
        let mut nullable = false;
        for id in shapes {
            match &self.table.get(id).kind {
                Kind::Unknown(_) => return id,
                Kind::Null => nullable = true,
                _ if options.iter().any(|known| self.table.same(*known, id)) => {}
                _ => options.push(id),
            }
        }
        // An object now and a list then: which of them answers whom is not known.
        let sort = |id: &ShapeId| match &self.table.view(*id).shape.kind {
            Kind::Object(_) => 1,
            Kind::Array { .. } => 2,
            _ => 0,
        };
        if options.iter().any(|option| sort(option) != sort(&options[0])) {
            return self.unknown("only running tells which of several sorts of value it is", site);
        }
        match (options.as_slice(), nullable) {
            ([], true) => self.plain(Kind::Null),
            ([], false) => self.unknown("no value is seen", site),
            ([only], false) => *only,
            ([only], true) => self.table.add(Shape::new(Kind::Ref(*only)).nullable(true)),
            _ => self.table.add(
                Shape::new(Kind::Union(Union { options, discriminator: None, exclusive: false })).nullable(nullable),
            ),
        }
    }

    fn written_dict<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        items: &'p [DictItem],
        site: Span,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        let mut open = Vec::new();
        for item in items {
            match item {
                DictItem::Pair(key, value) => {
                    let shape = self.written_at(evaluator, value, body, depth);
                    match literal_key(&body.value(evaluator, key)) {
                        Some(name) => put(&mut object, &name, shape, true, key.span),
                        None => open.push(shape),
                    }
                }
                DictItem::Spread(inner) => {
                    let spread = self.written_at(evaluator, inner, body, depth);
                    let view = self.table.view(spread);
                    match &view.shape.kind {
                        Kind::Object(known) => {
                            let known = known.clone();
                            for field in known.fields {
                                object.fields.retain(|own| own.name != field.name);
                                object.fields.push(field);
                            }
                            if let Additional::Of(values) = known.additional {
                                open.push(values);
                            }
                        }
                        _ => open.push(self.unknown("what is spread in is not known", Some(inner.span))),
                    }
                }
            }
        }
        if !open.is_empty() {
            object.additional = Additional::Of(self.one_of(open, Some(site)));
        }
        self.table.add(Shape::new(Kind::Object(object)).at(Some(site)))
    }

    fn written_local<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        name: &'p str,
        site: Span,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let Some(bound) = body.bound(name) else {
            let stood = body.parameter(name).and_then(|_| body.stood(name));
            if let Some(value) = stood.filter(|value| !value.is_unknown()) {
                return self.shape_of_value(evaluator, &value, Some(site));
            }
            if let Some(parameter) = body.parameter(name)
                && let Some(annotation) = &parameter.annotation
            {
                let scope = body.function.scope.clone();
                let declared = evaluator.type_expression(annotation, &scope);
                return self.shape_of(evaluator, &declared, Some(annotation.span));
            }
            return self.unknown("only running tells what it is", Some(site));
        };
        let several = bound.len() > 1;
        let mut shapes: Vec<ShapeId> =
            bound.into_iter().map(|(value, inner)| self.written_at(evaluator, value, &inner, depth)).collect();
        if several {
            // What a name has at first is often no answer.
            shapes.retain(|id| !matches!(self.table.get(*id).kind, Kind::Null));
            let is_empty = |id: &ShapeId| match &self.table.get(*id).kind {
                Kind::Object(object) => object.fields.is_empty(),
                _ => false,
            };
            if shapes.iter().any(is_empty) {
                return self.unknown("only running tells which of several values it is", Some(site));
            }
        }
        let whole = self.one_of(shapes, Some(site));
        let Some(Binding::Values { put: items, added, changed, .. }) = body.filled(name) else {
            return whole;
        };
        if items.is_empty() && added.is_empty() && !changed {
            return whole;
        }
        match self.table.view(whole).shape.kind.clone() {
            Kind::Object(mut object) => {
                for (key, value, is_certain) in items {
                    let shape = self.written_at(evaluator, value, body, depth);
                    match literal_key(&body.value(evaluator, key)) {
                        Some(name) => match object.fields.iter().position(|field| field.name == name) {
                            Some(at) => {
                                let both = if *is_certain { vec![shape] } else { vec![object.fields[at].shape, shape] };
                                object.fields[at].shape = self.one_of(both, Some(key.span));
                            }
                            None => put(&mut object, &name, shape, *is_certain, key.span),
                        },
                        None => object.additional = Additional::Of(shape),
                    }
                }
                if *changed || !added.is_empty() {
                    let rest = self.unknown("members that are set elsewhere are not known", Some(site));
                    object.additional = Additional::Of(rest);
                }
                self.table.add(Shape::new(Kind::Object(object)).at(Some(site)))
            }
            Kind::Array { prefix, items: known } if prefix.is_empty() && items.is_empty() && !changed => {
                let mut elements: Vec<ShapeId> =
                    added.iter().map(|value| self.written_at(evaluator, value, body, depth)).collect();
                // `[]`: all that is in it was added.
                elements.extend(known.filter(|id| !matches!(self.table.get(*id).kind, Kind::Unknown(_))));
                let element = self.one_of(elements, Some(site));
                self.array(element)
            }
            Kind::Array { .. } => {
                let element = self.unknown("what is in the list is not known", Some(site));
                self.array(element)
            }
            // Numbers and text are never changed where they stand.
            Kind::String | Kind::Integer | Kind::Number | Kind::Boolean => whole,
            _ => self.unknown("value that is changed where it stands", Some(site)),
        }
    }

    /// The shape of plain data.
    pub fn shape_of_value<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        site: Option<Span>,
    ) -> ShapeId {
        self.value_within(evaluator, value, site, false, 0)
    }

    fn value_within<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        site: Option<Span>,
        whole: bool,
        depth: u32,
    ) -> ShapeId {
        if depth > MAX_DEPTH {
            return self.unknown("data nested too deep", site);
        }
        match value {
            Value::None => self.plain(Kind::Null),
            Value::Bool(_) => self.plain(Kind::Boolean),
            Value::Int(_) => self.plain(Kind::Integer),
            Value::Float(_) => self.plain(Kind::Number),
            Value::Str(_) | Value::Pattern(_) => self.plain(Kind::String),
            Value::List(_) | Value::Tuple(_) => {
                let items = value.elements().unwrap_or_default();
                let mut shapes = Vec::new();
                if !evaluator.afford(items.len()) {
                    return self.unknown("list of too many values", site);
                }
                for item in items {
                    let item = evaluator.projected(item);
                    if !item.is_absent() {
                        shapes.push(self.value_within(evaluator, &item, site, whole, depth + 1));
                    }
                }
                let element = self.one_of(shapes, site);
                self.array(element)
            }
            Value::Dict(dict) if whole && !dict.borrow().open => {
                let entries = dict.borrow().entries.clone();
                let mut object = Object { fields: Vec::new(), additional: Additional::Open };
                for (key, value) in entries {
                    let value = evaluator.projected(value);
                    if value.is_absent() {
                        continue;
                    }
                    let (Some(name), Some(span)) = (literal_key(&key), site) else {
                        return self.unknown("key of a dict of the program is not known", site);
                    };
                    let shape = self.value_within(evaluator, &value, site, whole, depth + 1);
                    put(&mut object, &name, shape, true, span);
                }
                self.table.add(Shape::new(Kind::Object(object)).at(site))
            }
            Value::Dict(dict) => {
                // A table of the program may be filled anywhere.
                let values = self.unknown("what is in a dict of the program is not known", site);
                let _ = dict;
                self.map(values)
            }
            Value::Made(made) => match self.standing.iter().find(|(path, _)| made.path.starts_with(path)) {
                Some((_, shape)) => *shape,
                None => match &made.receiver {
                    // What a serializer gives.
                    Some(serializer) if &*made.path == DATA => {
                        self.declared_shape(evaluator, serializer, site.unwrap_or(made.site))
                    }
                    _ => self.unknown(format!("{} is not known as JSON", value.describe()), site),
                },
            },
            Value::Unknown(why, place) => self.unknown(*why, place.or(site)),
            other => self.unknown(format!("{} is not known as JSON", other.describe()), site),
        }
    }

    /// A declaration that is made once for each key.
    pub fn declare_once(&mut self, key: String, declare: impl FnOnce(&mut Self) -> Shape) -> ShapeId {
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.table.reserve();
        self.known.insert(key, id);
        let shape = match declare(self) {
            Shape { kind: Kind::Ref(target), span, .. } if target == id => {
                Shape::unknown("type defined as itself", span)
            }
            shape => shape,
        };
        self.table.set(id, shape);
        id
    }
}

pub(super) fn literal_key(value: &Value) -> Option<String> {
    match literal_value(value)? {
        Literal::String(text) | Literal::Number(text) => Some(text),
        _ => None,
    }
}

pub(super) fn put(object: &mut Object, name: &str, shape: ShapeId, always: bool, span: Span) {
    object.fields.retain(|known| known.name != name);
    let mut field = models::field(name, shape, always);
    field.always = always;
    field.span = Some(span);
    object.fields.push(field);
}
