//! Expressions in the bodies of functions, as the JSON that they become: literals, names that are bound once, results
//! of functions that are written out. What only running tells is unknown.

use std::cell::Cell;
use std::rc::Rc;

use super::locals::{Binding, Locals};
use super::{Schemas, models};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Value, last};
use crate::languages::json_schema::literal_value;
use crate::model::program::{Arg, BinaryOp, ComprehensionKind, DictItem, Expr, ExprKind, Function, ParamKind};
use crate::model::{Additional, Kind, Literal, Object, Shape, ShapeId, Union};
use crate::text::Span;

/// Functions within functions that are read for one answer.
const MAX_CALLS: u32 = 6;
/// Expressions within expressions that are read.
const MAX_DEPTH: u32 = 60;
/// Expressions that are read for one handler.
const MAX_EXPRESSIONS: u32 = 4_000;
/// What reading a function costs, in expressions.
const CALL: u32 = 10;

/// The body of a function that is read, with what its parameters were given.
pub struct Body<'p> {
    pub function: FunctionRef<'p>,
    /// The class whose method it is, as the class that is served has it.
    pub class: Option<ClassRef<'p>>,
    locals: Locals<'p>,
    given: Vec<(&'p str, &'p Expr, Rc<Body<'p>>)>,
    calls: u32,
    left: Rc<Cell<u32>>,
}

impl<'p> Body<'p> {
    /// The body of a handler, whose parameters come from a request.
    pub fn new(function: &FunctionRef<'p>, class: Option<&ClassRef<'p>>) -> Rc<Self> {
        Rc::new(Body {
            function: function.clone(),
            class: class.or(function.class.as_ref()).cloned(),
            locals: Locals::of(function.node),
            given: Vec::new(),
            calls: 0,
            left: Rc::new(Cell::new(MAX_EXPRESSIONS)),
        })
    }

    /// The body of a function that is called in this one; `None` where calls are nested too deep.
    pub fn called(
        self: &Rc<Self>,
        function: &FunctionRef<'p>,
        class: Option<&ClassRef<'p>>,
        args: &'p [Arg],
    ) -> Option<Rc<Body<'p>>> {
        if self.calls >= MAX_CALLS || self.left.get() == 0 {
            return None;
        }
        self.left.set(self.left.get().saturating_sub(CALL));
        let is_method = class.is_some() && function.role != crate::evaluate::Role::Static;
        let node = function.node;
        let mut names = node.parameters.iter().filter(|parameter| parameter.kind == ParamKind::Positional);
        if is_method {
            names.next();
        }
        let mut given = Vec::new();
        for arg in args {
            match arg {
                Arg::Positional(value) => {
                    if let Some(parameter) = names.next() {
                        given.push((parameter.name.as_str(), value, self.clone()));
                    }
                }
                Arg::Keyword(name, value) => given.push((name.as_str(), value, self.clone())),
                // Which parameter takes what is not known from here on.
                Arg::Spread(_) | Arg::KeywordSpread(_) => break,
            }
        }
        Some(Rc::new(Body {
            function: function.clone(),
            class: class.or(function.class.as_ref()).cloned(),
            locals: Locals::of(node),
            given,
            calls: self.calls + 1,
            left: self.left.clone(),
        }))
    }

    /// What is returned, in order.
    pub fn returns(&self) -> &[&'p Expr] {
        &self.locals.returns
    }

    /// Calls that stand as statements or are awaited there, in order.
    pub fn statements(&self) -> &[&'p Expr] {
        &self.locals.calls
    }

    /// What `name.attribute = …` gives.
    pub fn attribute(&self, name: &str, attribute: &str) -> Option<&'p Expr> {
        let found = self.locals.attributes.iter().rev();
        found.clone().find(|(object, member, _)| *object == name && *member == attribute).map(|(_, _, value)| *value)
    }

    /// The expressions that a name may stand for, each with the body that it is written in; `None` where others may be.
    pub fn bound(self: &Rc<Self>, name: &str) -> Option<Vec<(&'p Expr, Rc<Body<'p>>)>> {
        match self.locals.names.get(name)? {
            Binding::Values { values, .. } => Some(values.iter().map(|value| (*value, self.clone())).collect()),
            Binding::Parameter(parameter) => {
                let given = self.given.iter().find(|(known, ..)| *known == name);
                match given {
                    Some((_, value, body)) => Some(vec![(*value, body.clone())]),
                    None if self.calls > 0 => parameter.default.as_ref().map(|value| vec![(value, self.clone())]),
                    None => None,
                }
            }
            Binding::Other => None,
        }
    }

    /// Whether a name belongs to the function.
    pub fn is_local(&self, name: &str) -> bool {
        self.locals.names.contains_key(name)
    }

    /// The value of an expression, as far as it does not depend on what the function does.
    pub fn value(self: &Rc<Self>, evaluator: &mut Evaluator<'p>, expr: &'p Expr) -> Value<'p> {
        self.value_at(evaluator, expr, 0)
    }

    fn value_at(self: &Rc<Self>, evaluator: &mut Evaluator<'p>, expr: &'p Expr, depth: u32) -> Value<'p> {
        let unknown = Value::Unknown("only running tells what it is", Some(expr.span));
        if depth > MAX_DEPTH {
            return unknown;
        }
        match &expr.kind {
            ExprKind::Name(name) if self.is_local(name) => match self.bound(name).as_deref() {
                Some([(value, body)]) => body.value_at(evaluator, value, depth + 1),
                _ => unknown,
            },
            ExprKind::Member { object, name } => {
                if let (ExprKind::Name(receiver), Some(class)) = (&object.kind, &self.class)
                    && self.is_receiver(receiver)
                {
                    let member = evaluator.class_member(class, name);
                    return member.unwrap_or(unknown);
                }
                let object = self.value_at(evaluator, object, depth + 1);
                if object.is_unknown() { unknown } else { evaluator.member(&object, name, Some(expr.span)) }
            }
            ExprKind::Name(_)
            | ExprKind::Str { .. }
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::None => {
                let scope = self.function.scope.clone();
                evaluator.evaluate(expr, &scope)
            }
            ExprKind::Await(inner) => self.value_at(evaluator, inner, depth + 1),
            ExprKind::Conditional { test, then, otherwise } => {
                let decided = self.value_at(evaluator, test, depth + 1);
                if decided.is_plain() {
                    let taken = if decided.truth() { then } else { otherwise };
                    return self.value_at(evaluator, taken, depth + 1);
                }
                let first = self.value_at(evaluator, then, depth + 1);
                let second = self.value_at(evaluator, otherwise, depth + 1);
                if first.is_plain() && first.same(&second) { first } else { unknown }
            }
            _ => unknown,
        }
    }

    /// The function that reading a member runs: a property of the program.
    pub fn property(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        object: &'p Expr,
        name: &str,
    ) -> Option<Rc<Body<'p>>> {
        let class = match &object.kind {
            ExprKind::Name(receiver) if self.is_receiver(receiver) => self.class.clone()?,
            _ => match self.value(evaluator, object) {
                Value::Instance(instance) => instance.class.clone(),
                _ => return None,
            },
        };
        match evaluator.class_member(&class, name)? {
            Value::Function(function) if function.role == crate::evaluate::Role::Property => {
                self.called(&function, Some(&class), &[])
            }
            _ => None,
        }
    }

    /// Whether a name is the object (or class) whose method this is.
    pub fn is_receiver(&self, name: &str) -> bool {
        self.class.is_some()
            && self.function.role != crate::evaluate::Role::Static
            && self.function.node.parameters.first().is_some_and(|first| first.name == name)
    }

    /// The function of the program that is called, and the class through which.
    pub fn callee(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        callee: &'p Expr,
    ) -> Option<(FunctionRef<'p>, Option<ClassRef<'p>>)> {
        match self.value(evaluator, callee) {
            Value::Function(function) => {
                let class = function.class.is_some().then(|| self.class.clone()).flatten();
                Some((function, class))
            }
            Value::Bound(receiver, function) => {
                let class = match &*receiver {
                    Value::Class(class) if function.role == crate::evaluate::Role::ClassMethod => Some(class.clone()),
                    Value::Instance(instance) => Some(instance.class.clone()),
                    _ => None,
                };
                Some((function, class))
            }
            _ => None,
        }
    }

    fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

/// Whether the decorators of a function leave what it returns as it is.
pub fn is_plain(function: &Function) -> bool {
    let is_known = |decorator: &Expr| {
        matches!(&decorator.kind, ExprKind::Name(name) | ExprKind::Member { name, .. }
            if matches!(name.as_str(), "staticmethod" | "classmethod" | "property" | "cached_property" | "override"))
    };
    function.decorators.iter().all(is_known)
}

/// The name that is called: `jsonify` for `flask.jsonify(…)`.
pub fn called_name(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        _ => "",
    }
}

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

    fn written_at<'p>(
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
            ExprKind::Conditional { then, otherwise, .. } => {
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
            _ => {
                let value = body.value(evaluator, expr);
                self.shape_of_value(&value, site, 0)
            }
        }
    }

    /// One of several shapes; unknown if one of them is.
    pub fn one_of(&mut self, shapes: Vec<ShapeId>, site: Option<Span>) -> ShapeId {
        let mut options: Vec<ShapeId> = Vec::new();
        let mut nullable = false;
        for id in shapes {
            match &self.table.get(id).kind {
                Kind::Unknown(_) => return id,
                Kind::Null => nullable = true,
                _ if options.contains(&id)
                    || options.iter().any(|known| self.table.get(*known) == self.table.get(id)) => {}
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
            if let Some(Binding::Parameter(parameter)) = body.locals.names.get(name)
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
        let Some(Binding::Values { put: items, added, changed, .. }) = body.locals.names.get(name) else {
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
            _ => self.unknown("value that is changed where it stands", Some(site)),
        }
    }

    fn written_call<'p>(
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
            return self.written_result(evaluator, &function, class.as_ref(), args, body, whole.span, depth);
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
                ("builtins.dict", None) => self.written_keywords(evaluator, args, whole.span, body, depth),
                ("builtins.dict", Some(first)) if args.len() == 1 => self.written_at(evaluator, first, body, depth),
                (path, _) if matches!(last(path), "time" | "monotonic") && path.starts_with("time.") => {
                    self.plain(Kind::Number)
                }
                (path, _) => self.unknown(format!("result of `{path}` is not known"), site),
            },
            class @ Value::Class(_) => self.shape_of(evaluator, &class, site),
            _ => self.unknown("result of a call is not known", site),
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

    /// What a function of the program gives: a class that it declares to return, else what its body returns.
    #[expect(clippy::too_many_arguments, reason = "a call in its place")]
    fn written_result<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        class: Option<&ClassRef<'p>>,
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
        let Some(inner) = body.called(function, class, args) else {
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

    /// The shape of plain data.
    pub fn shape_of_value(&mut self, value: &Value<'_>, site: Option<Span>, depth: u32) -> ShapeId {
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
                let shapes: Vec<ShapeId> =
                    items.iter().take(100).map(|item| self.shape_of_value(item, site, depth + 1)).collect();
                let element = self.one_of(shapes, site);
                self.array(element)
            }
            Value::Dict(dict) => {
                // A table of the program may be filled anywhere.
                let values = self.unknown("what is in a dict of the program is not known", site);
                let _ = dict;
                self.map(values)
            }
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

fn literal_key(value: &Value) -> Option<String> {
    match literal_value(value)? {
        Literal::String(text) | Literal::Number(text) => Some(text),
        _ => None,
    }
}

fn put(object: &mut Object, name: &str, shape: ShapeId, always: bool, span: Span) {
    object.fields.retain(|known| known.name != name);
    let mut field = models::field(name, shape, always);
    field.always = always;
    field.span = Some(span);
    object.fields.push(field);
}

/// Arguments of a call as values, those alone that are known.
pub fn known_arguments<'p>(evaluator: &mut Evaluator<'p>, args: &'p [Arg], body: &Rc<Body<'p>>) -> Args<'p> {
    let mut known = Args::default();
    for arg in args {
        match arg {
            Arg::Positional(value) => known.positional.push(body.value(evaluator, value)),
            Arg::Keyword(name, value) => known.set(name, body.value(evaluator, value)),
            Arg::Spread(_) | Arg::KeywordSpread(_) => known.open = true,
        }
    }
    known
}
