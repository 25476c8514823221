//! Results of calls as JSON: built-in functions, schemas that are dumped, functions of the program that are written out.

use std::rc::Rc;

use super::Schemas;
use super::body::{Body, is_plain, known_arguments};
use super::written::{literal_key, put};
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::languages::python::django::is_serializer;
use crate::model::program::{Arg, Expr, ExprKind};
use crate::model::{Additional, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Calls that give what their first argument gives once it is awaited.
const AWAITED: &[&str] = &[
    "asyncio.create_task",
    "asyncio.ensure_future",
    "asyncio.shield",
    "asyncio.wait_for",
    "jupyter_client.utils.ensure_async",
    "jupyter_core.utils.ensure_async",
];
/// Calls that give what the function gives that is their first argument, called with the rest.
const ELSEWHERE: &[&str] = &["anyio.to_thread.run_sync", "asyncio.to_thread"];

impl Schemas {
    /// What a call gives, as JSON.
    pub(super) fn written_call<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        whole: &'p Expr,
        callee: &'p Expr,
        args: &'p [Arg],
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let site = Some(whole.span);
        let first = match args.first() {
            Some(Arg::Positional(first)) => Some(first),
            _ => None,
        };
        let text_of = |object: &Expr| matches!(object.kind, ExprKind::Str { .. } | ExprKind::Template(_));
        if let ExprKind::Member { object, name } = &callee.kind
            && (text_of(object) || matches!(name.as_str(), "isoformat" | "strftime"))
        {
            return match name.as_str() {
                "join" | "format" | "isoformat" | "strftime" | "lower" | "upper" | "strip" => self.plain(Kind::String),
                _ => self.unknown("result of a method", site),
            };
        }
        if let ExprKind::Member { object, name } = &callee.kind
            && matches!(name.as_str(), "dump" | "model_dump" | "dict")
            && let Some(dumped) = self.written_dump(evaluator, object, name == "dump", args, body, whole.span)
        {
            return dumped;
        }
        if let Some((function, class)) = body.callee(evaluator, callee) {
            let class = (class.as_ref(), false);
            return self.written_result(evaluator, &function, class, args, body, whole.span, depth);
        }
        if let Some((function, class)) = body.declared_callee(evaluator, callee) {
            let class = (Some(&class), true);
            return self.written_result(evaluator, &function, class, args, body, whole.span, depth);
        }
        match body.value(evaluator, callee) {
            Value::External(path) => match (&*path, first) {
                ("builtins.str" | "builtins.repr", _) => self.plain(Kind::String),
                ("builtins.int" | "builtins.len", _) => self.plain(Kind::Integer),
                ("builtins.float", _) => self.plain(Kind::Number),
                ("builtins.bool" | "builtins.isinstance" | "builtins.any" | "builtins.all", _) => {
                    self.plain(Kind::Boolean)
                }
                ("builtins.list" | "builtins.sorted" | "builtins.tuple" | "builtins.reversed", Some(first)) => {
                    let inner = self.written_at(evaluator, first, body, depth);
                    if matches!(self.table.view(inner).shape.kind, Kind::Array { .. }) {
                        return inner;
                    }
                    let items = self.unknown("what is in the list is not known", site);
                    self.array(items)
                }
                (path, Some(first)) if AWAITED.contains(&path) => self.written_at(evaluator, first, body, depth),
                (path, Some(first)) if ELSEWHERE.contains(&path) => {
                    self.written_call(evaluator, whole, first, &args[1..], body, depth + 1)
                }
                ("typing.cast" | "typing_extensions.cast", Some(first)) => {
                    let declared = evaluator.type_expression(first, &body.function.scope);
                    self.shape_of(evaluator, &declared, site)
                }
                ("builtins.dict", None) => self.written_keywords(evaluator, args, whole.span, body, depth),
                ("builtins.dict", Some(first)) if args.len() == 1 => self.written_at(evaluator, first, body, depth),
                ("collections.OrderedDict", None) => self.written_keywords(evaluator, args, whole.span, body, depth),
                ("collections.OrderedDict", Some(first)) if args.len() == 1 => {
                    self.written_pairs(evaluator, first, whole.span, body, depth)
                }
                (path, _) if matches!(last(path), "time" | "monotonic") && path.starts_with("time.") => {
                    self.plain(Kind::Number)
                }
                (path, _) => match body.value(evaluator, whole) {
                    Value::Unknown(..) => self.unknown(format!("result of `{path}` is not known"), site),
                    given => self.shape_of_value(evaluator, &given, site),
                },
            },
            // A serializer is none of the data that it gives.
            Value::Class(class) if is_serializer(evaluator, &class) => self.unknown("a serializer", site),
            class @ Value::Class(_) => self.shape_of(evaluator, &class, site),
            _ => match body.value(evaluator, whole) {
                Value::Unknown(..) => self.unknown("result of a call is not known", site),
                given => self.shape_of_value(evaluator, &given, site),
            },
        }
    }

    /// `schema.dump(value)` of marshmallow, `Model(…).model_dump()` of pydantic.
    fn written_dump<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        object: &'p Expr,
        by_schema: bool,
        args: &'p [Arg],
        body: &Rc<Body<'p>>,
        site: Span,
    ) -> Option<ShapeId> {
        let object = match &object.kind {
            ExprKind::Name(name) if body.is_local(name) => match body.bound(name)?.as_slice() {
                [(value, inner)] if Rc::ptr_eq(inner, body) => *value,
                _ => return None,
            },
            _ => object,
        };
        let value = match &object.kind {
            ExprKind::Call { callee, args, .. } => match body.value(evaluator, callee) {
                class @ Value::Class(_) if by_schema => {
                    let args = known_arguments(evaluator, args, body);
                    evaluator.call(&class, args, site)
                }
                class => class,
            },
            _ => body.value(evaluator, object),
        };
        if by_schema {
            let many = match args.get(1) {
                None => None,
                Some(Arg::Positional(many)) => Some(many),
                Some(Arg::Keyword(name, many)) if name == "many" => Some(many),
                Some(_) => return None,
            };
            let many = match many.map(|many| body.value(evaluator, many)) {
                None => None,
                Some(Value::Bool(many)) => Some(many),
                Some(_) => return None,
            };
            return self.shape_of_dump(evaluator, &value, many, Some(site));
        }
        if args.is_empty() && matches!(value, Value::Class(_)) {
            return Some(self.shape_of(evaluator, &value, Some(site)));
        }
        None
    }

    /// `dict(a=1, b=2)`, `jsonify(a=1, b=2)`
    pub fn written_keywords<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        args: &'p [Arg],
        site: Span,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        for arg in args {
            match arg {
                Arg::Keyword(name, value) => {
                    let shape = self.written_at(evaluator, value, body, depth + 1);
                    put(&mut object, name, shape, true, value.span);
                }
                other => {
                    let rest = self.unknown("what is spread in is not known", Some(other.value().span));
                    object.additional = Additional::Of(rest);
                }
            }
        }
        self.table.add(Shape::new(Kind::Object(object)).at(Some(site)))
    }

    /// `[("count", …), ("results", …)]`
    fn written_pairs<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        pairs: &'p Expr,
        site: Span,
        body: &Rc<Body<'p>>,
        depth: u32,
    ) -> ShapeId {
        let (ExprKind::List(pairs) | ExprKind::Tuple(pairs)) = &pairs.kind else {
            return self.written_at(evaluator, pairs, body, depth);
        };
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        for pair in pairs {
            let entry = match &pair.kind {
                ExprKind::Tuple(pair) | ExprKind::List(pair) => match pair.as_slice() {
                    [key, value] => literal_key(&body.value(evaluator, key)).map(|name| (name, key, value)),
                    _ => None,
                },
                _ => None,
            };
            if let Some((name, key, value)) = entry {
                let shape = self.written_at(evaluator, value, body, depth + 1);
                put(&mut object, &name, shape, true, key.span);
            } else {
                let rest = self.unknown("a pair that is not written out", Some(pair.span));
                object.additional = Additional::Of(rest);
            }
        }
        self.table.add(Shape::new(Kind::Object(object)).at(Some(site)))
    }

    /// What a function of the program gives: a class that it declares to return, else what its body returns.
    #[expect(clippy::too_many_arguments, reason = "a call in its place")]
    fn written_result<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        (class, is_below): (Option<&ClassRef<'p>>, bool),
        args: &'p [Arg],
        body: &Rc<Body<'p>>,
        site: Span,
        depth: u32,
    ) -> ShapeId {
        if let Some(returns) = &function.node.returns {
            let declared = evaluator.type_expression(returns, &function.scope);
            let shape = self.shape_of(evaluator, &declared, Some(returns.span));
            if !is_vague(self, shape) {
                return shape;
            }
        }
        if function.node.is_generator || !is_plain(function.node) {
            return self.unknown("result of a call is not known", Some(site));
        }
        let inner = body.called(Some(evaluator), function, class, args);
        let Some(inner) = inner.and_then(|inner| if is_below { inner.below() } else { Some(inner) }) else {
            return self.unknown("calls nested too deep", Some(site));
        };
        if inner.returns().is_empty() {
            return self.unknown("function that returns nothing", Some(site));
        }
        let returns = inner.returns().to_vec();
        let mut shapes: Vec<ShapeId> =
            returns.into_iter().map(|value| self.written_at(evaluator, value, &inner, depth)).collect();
        // A function that may give nothing need not do so for these arguments.
        if shapes.len() > 1 {
            shapes.retain(|id| !matches!(self.table.get(*id).kind, Kind::Null));
        }
        self.one_of(shapes, Some(site))
    }
}

/// Whether a type says little: a map, anything, what is not known.
fn is_vague(schemas: &Schemas, id: ShapeId) -> bool {
    match &schemas.table.view(id).shape.kind {
        Kind::Unknown(_) | Kind::Any => true,
        Kind::Object(object) => object.fields.is_empty(),
        Kind::Array { prefix, items } => {
            prefix.is_empty() && items.is_none_or(|items| matches!(schemas.table.get(items).kind, Kind::Any))
        }
        _ => false,
    }
}
