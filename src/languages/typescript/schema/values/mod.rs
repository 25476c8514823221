//! Schemas that are values of a validation library (zod, TypeBox, JSON Schema as an object) to shapes.
//!
//! Each library says what one call means, a [`Form`] whose members are still values; here forms become shapes, once for
//! each value, so that a schema that is used twice is one declaration and one that contains itself ends.

mod forms;
mod typebox;
mod types;
mod unions;
mod valibot;
mod zod;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Schemas;
use forms::Wrapped;
pub(in crate::languages::typescript) use forms::{
    Form, Member, Members, Rest, enumerated, generated, inner_form, is_never, members_of_record,
};

use crate::evaluate::{Args, Evaluator, FunctionRef, Made, Value};
pub use crate::languages::Side;
use crate::languages::json_schema::{self, Shapes};
use crate::languages::typescript::zod::is_derived;
use crate::model::program::{Expr, ExprKind, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId, ShapeTable};
use crate::text::{FileId, Span};

/// What is known of schemas by now.
#[derive(Default)]
pub(super) struct Known<'p> {
    /// By identity; the value is kept so that no other takes its place in memory.
    schemas: FxHashMap<(*const (), Side), Entry<'p>>,
    /// Functions of deferred schemas that are being read, by where they stand.
    deferred: FxHashMap<Span, u32>,
    names: FxHashMap<FileId, FxHashMap<Span, &'p str>>,
    /// Shapes without their mark of null.
    bare: FxHashMap<ShapeId, ShapeId>,
    depth: u32,
}

struct Entry<'p> {
    read: Read,
    done: bool,
    _keep: Value<'p>,
}

/// A schema as a shape, and whether a member of it may be left out.
#[derive(Clone, Copy)]
struct Read {
    shape: ShapeId,
    optional: bool,
}

/// Schemas within schemas are read this deep; a deeper one is unknown.
const MAX_DEPTH: u32 = 120;
/// The same function may return a schema that contains another of its own this often; a further one is unknown.
const MAX_DEFERRED: u32 = 3;

impl<'p> Schemas<'p> {
    /// The shape of what a schema lets out (its output side); `None` where the value is no schema.
    pub fn shape_of_schema(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        self.shape_of_side(evaluator, value, Side::Output, site)
    }

    /// The shape of one side of a schema; `None` where the value is no schema.
    pub fn shape_of_side(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        side: Side,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        if !is_schema(value) {
            return None;
        }
        Some(self.read(evaluator, value, side, site, None).shape)
    }

    fn read(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        side: Side,
        site: Option<Span>,
        outer: Option<&str>,
    ) -> Read {
        let always = |shape| Read { shape, optional: false };
        let made = match value {
            Value::Made(made) => made,
            Value::Unknown(why, place) => return always(self.unknown(*why, place.or(site))),
            Value::Dict(_) | Value::Bool(_) => {
                if self.values.depth > MAX_DEPTH {
                    return always(self.unknown("schema nested too deep", site));
                }
                self.values.depth += 1;
                let shape = json_schema::shape_of_schema(&mut Beside { schemas: self, evaluator, side }, value, site);
                self.values.depth -= 1;
                return always(shape);
            }
            other => return always(self.unknown(format!("{} is no schema that is read", other.describe()), site)),
        };
        let key = (Rc::as_ptr(made).cast::<()>(), side);
        if let Some(known) = self.values.schemas.get(&key) {
            if known.done {
                return known.read;
            }
            return Read { shape: known.read.shape, optional: optional(evaluator, value, side, MAX_DEPTH) };
        }
        if self.values.depth > MAX_DEPTH {
            return always(self.unknown("schema nested too deep", site));
        }
        if !evaluator.afford(8) {
            return always(self.unknown("evaluation budget of the file used up", site));
        }
        let id = self.table.reserve();
        let read = always(id);
        self.values.schemas.insert(key, Entry { read, done: false, _keep: value.clone() });
        self.values.depth += 1;
        let form = form(evaluator, made, side);
        let given = match zod::given_name(made) {
            None if !is_derived(made) => self.bound_name(evaluator, made.site),
            given => given,
        };
        let name = given.as_deref().or(outer);
        let read = self.shape_of_form(evaluator, form, side, (id, made), name);
        self.values.depth -= 1;
        if let Some(entry) = self.values.schemas.get_mut(&key) {
            entry.read = read;
            entry.done = true;
        }
        read
    }

    /// Fills in the place that was reserved for a schema, or answers with the shape of the one that it wraps.
    fn shape_of_form(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        form: Form<'p>,
        side: Side,
        (id, made): (ShapeId, &Rc<Made<'p>>),
        name: Option<&str>,
    ) -> Read {
        let site = Some(made.site);
        let mut optional = false;
        let mut shape = match form {
            Form::Plain(shape) => shape,
            Form::Nothing => {
                optional = true;
                Shape::new(Kind::Never)
            }
            Form::Object(members) => Shape::new(Kind::Object(self.object(evaluator, members, side, made.site))),
            Form::Array(items) => {
                let items = items.map(|items| self.read(evaluator, &items, side, site, None).shape);
                let items = items.unwrap_or_else(|| self.table.add(Shape::new(Kind::Any)));
                Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) })
            }
            Form::Tuple(first, rest) => {
                let prefix = first.iter().map(|item| self.read(evaluator, item, side, site, None).shape).collect();
                let items = rest.map(|rest| self.read(evaluator, &rest, side, site, None).shape);
                Shape::new(Kind::Array { prefix, items })
            }
            Form::Map(values) => {
                let values = values.map(|values| self.read(evaluator, &values, side, site, None).shape);
                let values = values.unwrap_or_else(|| self.table.add(Shape::new(Kind::Any)));
                Shape::new(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }))
            }
            Form::Union { options, discriminator } => {
                let reads: Vec<Read> =
                    options.iter().map(|option| self.read(evaluator, option, side, site, None)).collect();
                optional = reads.iter().any(|read| read.optional);
                self.union(&reads.iter().map(|read| read.shape).collect::<Vec<_>>(), discriminator)
            }
            Form::All(parts) => {
                let reads: Vec<Read> = parts.iter().map(|part| self.read(evaluator, part, side, site, None)).collect();
                optional = !reads.is_empty() && reads.iter().all(|read| read.optional);
                self.all(&reads.iter().map(|read| read.shape).collect::<Vec<_>>())
            }
            Form::Wrapped(Wrapped { inner, present, nullable }) => {
                let read = self.read(evaluator, &inner, side, site, name);
                let optional = present.map_or(read.optional, |present| !present);
                self.table.set(id, Shape::new(Kind::Ref(read.shape)).nullable(nullable).at(site));
                return Read { shape: if nullable { id } else { read.shape }, optional };
            }
            Form::Returned { function, given } => {
                let Some((returned, may_miss)) = self.returned(evaluator, &function, given.as_ref(), side, made.site)
                else {
                    self.table.set(id, Shape::new(Kind::Never).at(site));
                    return Read { shape: id, optional: true };
                };
                self.table.set(id, Shape::new(Kind::Ref(returned)).at(site));
                return Read { shape: returned, optional: may_miss };
            }
            Form::Typed(ty) => {
                if let Some((ty, may_miss)) = self.sent(evaluator, &ty) {
                    let said = self.shape_of(evaluator, &ty, site);
                    self.table.set(id, Shape::new(Kind::Ref(said)).at(site));
                    return Read { shape: said, optional: may_miss };
                }
                optional = true;
                Shape::new(Kind::Never)
            }
            Form::Deferred(function) => {
                return self.deferred(evaluator, &function, side, (id, made), name, Args::default());
            }
            Form::Contained(function) => {
                let whole = Args { positional: vec![Value::Made(made.clone())], ..Args::default() };
                return self.deferred(evaluator, &function, side, (id, made), name, whole);
            }
        };
        if shape.span.is_none() {
            shape.span = site;
        }
        let declares = shape.values.is_some() || matches!(shape.kind, Kind::Object(_) | Kind::Union(_) | Kind::All(_));
        if declares && shape.name.is_none() {
            shape.name = name.map(str::to_owned);
        }
        self.table.set(id, shape);
        Read { shape: id, optional }
    }

    /// `z.lazy(() => Node)`; a function that makes a new schema of its own each time is followed a few times.
    fn deferred(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        side: Side,
        (id, made): (ShapeId, &Rc<Made<'p>>),
        name: Option<&str>,
        given: Args<'p>,
    ) -> Read {
        let place = function.node.span;
        let open = self.values.deferred.get(&place).copied().unwrap_or(0);
        if open >= MAX_DEFERRED {
            self.table.set(id, Shape::unknown("schema that is made anew inside of itself", Some(made.site)));
            return Read { shape: id, optional: false };
        }
        self.values.deferred.insert(place, open + 1);
        let value = evaluator.call_always(&Value::Function(function.clone()), given, made.site);
        let read = self.read(evaluator, &value, side, Some(made.site), name);
        self.values.deferred.insert(place, open);
        self.table.set(id, Shape::new(Kind::Ref(read.shape)).at(Some(made.site)));
        read
    }

    fn object(&mut self, evaluator: &mut Evaluator<'p>, members: Members<'p>, side: Side, site: Span) -> Object {
        let mut fields = Vec::with_capacity(members.list.len());
        for member in members.list {
            let mut read = self.read(evaluator, &member.schema, side, member.span.or(Some(site)), None);
            // Whatever may be given may be left out.
            read.optional |= side == Side::Input && matches!(self.table.get(read.shape).kind, Kind::Any);
            fields.push(Field {
                name: member.name.to_string(),
                shape: read.shape,
                required: !read.optional,
                always: !read.optional,
                span: member.span.or(Some(site)),
                declared: None,
            });
        }
        let additional = match members.rest {
            _ if members.open => Additional::Of(self.unknown("members that are spread in are not known", Some(site))),
            Rest::Refused => Additional::Closed,
            Rest::None if side == Side::Output => Additional::Closed,
            // Whatever else is given does no harm.
            Rest::None if side == Side::Input => Additional::Open,
            Rest::None | Rest::Any => Additional::Of(self.unknown("members that are not declared pass", Some(site))),
            Rest::Of(values) => Additional::Of(self.read(evaluator, &values, side, Some(site), None).shape),
        };
        Object { fields, additional }
    }

    /// The name of the constant at module level whose value is made there.
    fn bound_name(&mut self, evaluator: &Evaluator<'p>, site: Span) -> Option<String> {
        let names = self.values.names.entry(site.file).or_insert_with(|| {
            let module = evaluator.module_of_file(site.file);
            let body = module.map_or(&[][..], |module| evaluator.statements(module));
            let named = body.iter().filter_map(|statement| {
                let (target, value) = match &statement.kind {
                    StmtKind::Assign { targets, value } => (targets.first()?, value),
                    StmtKind::Annotated { target, value: Some(value), .. } => (target, value),
                    _ => return None,
                };
                let ExprKind::Name(name) = &target.kind else { return None };
                (name != "default").then_some((uncast(value).span, name.as_str()))
            });
            named.collect()
        });
        names.get(&site).map(|name| (*name).to_owned())
    }
}

/// A value without the types that it is said to be of.
fn uncast(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Cast { value, .. } = &expr.kind {
        expr = value;
    }
    expr
}

/// Whether a value is a schema of a library that is known.
fn is_schema(value: &Value) -> bool {
    match value {
        Value::Made(made) => zod::is_schema(made) || typebox::is_schema(made) || valibot::is_schema(made),
        Value::Dict(_) => json_schema::is_schema(value),
        _ => false,
    }
}

fn form<'p>(evaluator: &mut Evaluator<'p>, made: &Rc<Made<'p>>, side: Side) -> Form<'p> {
    if typebox::is_schema(made) {
        typebox::form(evaluator, made)
    } else if valibot::is_schema(made) {
        valibot::form(evaluator, made, side)
    } else {
        zod::form(evaluator, made, side)
    }
}

/// JSON Schema among schemas of libraries.
struct Beside<'s, 'e, 'p> {
    schemas: &'s mut Schemas<'p>,
    evaluator: &'e mut Evaluator<'p>,
    side: Side,
}

impl<'p> Shapes<'p> for Beside<'_, '_, 'p> {
    fn table(&mut self) -> &mut ShapeTable {
        &mut self.schemas.table
    }

    fn other(&mut self, value: &Value<'p>, site: Option<Span>) -> Option<ShapeId> {
        matches!(value, Value::Made(_)).then(|| self.schemas.read(self.evaluator, value, self.side, site, None).shape)
    }

    fn known(&self, schema: &Value<'p>) -> Option<ShapeId> {
        let Value::Dict(dict) = schema else { return None };
        let known = self.schemas.values.schemas.get(&(Rc::as_ptr(dict).cast(), self.side))?;
        Some(known.read.shape)
    }

    fn remember(&mut self, schema: &Value<'p>, shape: ShapeId) {
        let Value::Dict(dict) = schema else { return };
        let entry = Entry { read: Read { shape, optional: false }, done: true, _keep: schema.clone() };
        self.schemas.values.schemas.insert((Rc::as_ptr(dict).cast(), self.side), entry);
    }
}

/// Whether a member of a schema that is still being read may be left out.
fn optional<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, side: Side, left: u32) -> bool {
    let (Value::Made(made), Some(left)) = (value, left.checked_sub(1)) else { return false };
    match form(evaluator, made, side) {
        Form::Nothing => true,
        Form::Wrapped(Wrapped { present: Some(present), .. }) => !present,
        Form::Wrapped(Wrapped { inner, .. }) => optional(evaluator, &inner, side, left),
        _ => false,
    }
}
