//! What is sent in Python: the value behind `json.dumps(…).encode()`, `event.model_dump_json()` and what stands for them,
//! as it is written.

use std::rc::Rc;

use crate::evaluate::{Evaluator, Scope, Value};
use crate::frameworks::Schemas;
use crate::languages::python::schema::{Body, called_name};
use crate::model::program::{Arg, DictItem, Expr, ExprKind};
use crate::model::{Kind, ShapeId};
use crate::text::Span;

/// Layers around a value; what is within more is unknown.
const MAX_LAYERS: u32 = 24;

/// Functions that make text or bytes of JSON.
const DUMPS: &[&str] = &["dumps", "packb", "json_dumps", "to_json_bytes", "dump_json"];
/// Functions that give a value in another form with the same members.
const PLAIN: &[&str] = &["asdict", "jsonable_encoder", "to_dict", "unstructure", "to_builtins", "deepcopy"];
/// Methods that make JSON of the object that they are called on.
const OWN_JSON: &[&str] = &["model_dump_json", "json", "to_json", "SerializeToJsonString"];
/// Methods that make a dict of it.
const OWN_DICT: &[&str] = &["model_dump", "dict", "to_dict", "asdict", "_asdict"];

/// The shape of what is sent, and whether a serialiser was seen.
pub(super) fn shape_within<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    (value, written): (&Value<'p>, Option<(&'p Expr, Scope<'p>)>),
    steps: &[&str],
    site: Span,
) -> (ShapeId, bool) {
    let (mut is_json, mut found) = (false, None);
    if let Some((expr, scope)) = written
        && let Some(body) = Body::of_call(&scope)
    {
        let mut layers = Layers { expr, body, is_json: false, left: MAX_LAYERS };
        layers.open(ev);
        for step in steps {
            layers = match layers.step(ev, step) {
                Some(inner) => inner,
                None => return (schemas.python().unknown("what is sent is put together elsewhere", Some(site)), false),
            };
            layers.open(ev);
        }
        is_json = layers.is_json;
        found = Some(layers.shape(ev, schemas));
    }
    let is_known = |schemas: &mut Schemas<'p>, id: ShapeId| {
        !matches!(schemas.python().table.view(id).shape.kind, Kind::Unknown(_))
    };
    if let Some(shape) = found.filter(|shape| is_known(schemas, *shape)) {
        return (shape, is_json);
    }
    match value {
        Value::Instance(instance) if steps.is_empty() => {
            let class = Value::Class(instance.class.clone());
            (schemas.python().shape_of(ev, &class, Some(site)), is_json)
        }
        value => (found.unwrap_or_else(|| schemas.python().shape_of_value(ev, value, Some(site))), is_json),
    }
}

/// An expression whose layers are taken off one by one.
struct Layers<'p> {
    expr: &'p Expr,
    body: Rc<Body<'p>>,
    is_json: bool,
    left: u32,
}

impl<'p> Layers<'p> {
    /// Takes off what makes text or bytes of a value.
    fn open(&mut self, ev: &mut Evaluator<'p>) {
        while self.left > 0 && self.take_off(ev) {
            self.left -= 1;
        }
    }

    fn take_off(&mut self, ev: &mut Evaluator<'p>) -> bool {
        let expr = self.expr;
        match &expr.kind {
            ExprKind::Await(inner) | ExprKind::Named { value: inner, .. } => {
                self.expr = inner;
                true
            }
            ExprKind::Name(name) if self.body.is_local(name) => {
                let Some([(value, body)]) = self.body.bound(name).as_deref().map(<[_]>::to_vec).and_then(one) else {
                    return false;
                };
                // What is put into it later counts, so that only what is made of another value is looked through.
                let mut inner = Layers { expr: value, body, is_json: self.is_json, left: self.left.saturating_sub(1) };
                if matches!(value.kind, ExprKind::Call { .. } | ExprKind::Name(_) | ExprKind::Await(_)) {
                    inner.open(ev);
                    if !std::ptr::eq(inner.expr, value) {
                        *self = inner;
                        return true;
                    }
                }
                false
            }
            ExprKind::Call { callee, args, .. } => self.take_off_call(ev, callee, args),
            _ => false,
        }
    }

    fn take_off_call(&mut self, ev: &mut Evaluator<'p>, callee: &'p Expr, args: &'p [Arg]) -> bool {
        let name = called_name(callee);
        let object = if let ExprKind::Member { object, .. } = &callee.kind { Some(&**object) } else { None };
        let first = match args.first() {
            Some(Arg::Positional(first)) => Some(first),
            _ => None,
        };
        if name == "encode" && first.is_none_or(|first| matches!(first.kind, ExprKind::Str { .. })) {
            return object.is_some_and(|object| self.go_on(object));
        }
        let is_pickle = object.is_some_and(|it| matches!(&it.kind, ExprKind::Name(module) if module == "pickle"));
        if let Some(first) = first
            && DUMPS.contains(&name)
            && !is_pickle
        {
            self.is_json = true;
            return self.go_on(first);
        }
        if let Some(first) = first
            && (PLAIN.contains(&name) || (name == "bytes" && object.is_none()))
        {
            return self.go_on(first);
        }
        // A function of the program that does it.
        if let Some((function, class)) = self.body.callee(ev, callee) {
            let Some(inner) = self.body.called(None, &function, class.as_ref(), args) else { return false };
            let [returned] = *inner.returns() else { return false };
            let mut layers = Layers { expr: returned, body: inner, is_json: false, left: self.left.saturating_sub(1) };
            layers.open(ev);
            if layers.is_json {
                *self = layers;
                return true;
            }
            return false;
        }
        let Some(object) = object else { return false };
        if OWN_JSON.contains(&name) {
            self.is_json = true;
            return self.go_on(object);
        }
        let takes_part = args.iter().any(|arg| {
            matches!(arg, Arg::Keyword(name, _) if matches!(name.as_str(), "include" | "exclude" | "exclude_none" | "exclude_unset"))
        });
        OWN_DICT.contains(&name) && !takes_part && self.go_on(object)
    }

    fn go_on(&mut self, inner: &'p Expr) -> bool {
        self.expr = inner;
        true
    }

    /// A member or element of what is written here.
    fn step(self, ev: &mut Evaluator<'p>, step: &str) -> Option<Layers<'p>> {
        let whole = match &self.expr.kind {
            ExprKind::Name(name) => match self.body.bound(name)?.as_slice() {
                [(value, body)] => Layers { expr: value, body: body.clone(), ..self },
                _ => return None,
            },
            _ => self,
        };
        let inner = match (&whole.expr.kind, step) {
            (ExprKind::List(items) | ExprKind::Tuple(items), "[]") => items.first()?,
            (ExprKind::Comprehension(comprehension), "[]") => &comprehension.element,
            (ExprKind::Dict(items), name) => items.iter().find_map(|item| match item {
                DictItem::Pair(key, value) if whole.body.value(ev, key).as_str() == Some(name) => Some(value),
                _ => None,
            })?,
            // What a class of a library is made of: `Message(body=…)`.
            (ExprKind::Call { args, .. }, name) => {
                let named = args.iter().find_map(|arg| match arg {
                    Arg::Keyword(known, value) if known == name => Some(value),
                    _ => None,
                });
                match (named, args.first()) {
                    (Some(value), _) | (None, Some(Arg::Positional(value))) => value,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Layers { expr: inner, ..whole })
    }

    fn shape(&self, ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>) -> ShapeId {
        schemas.python().shape_of_written(ev, self.expr, &self.body)
    }
}

fn one<T>(mut all: Vec<T>) -> Option<[T; 1]> {
    if all.len() == 1 { all.pop().map(|only| [only]) } else { None }
}
