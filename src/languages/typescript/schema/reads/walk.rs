//! The walk through a handler and the functions that it hands its request on to.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::parts::{self, Given, Part, Source};
use super::{Read, Reads, Typed, bare};
use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::languages::typescript::schema::answers::returned;
use crate::languages::typescript::schema::locals::{Local, Locals};
use crate::languages::typescript::schema::typing::Place;
use crate::languages::typescript::schema::{Callable, Schemas, Side, Type};
use crate::model::program::{Arg, CompareOp, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::{Kind, ShapeId};
use crate::text::Span;

/// Functions that the request is handed on to are followed this far.
const MAX_HANDED_ON: u32 = 5;
/// Names that stand for names.
const MAX_ALIASES: u32 = 12;
/// Expressions that are looked at for one handler.
const MAX_STEPS: u32 = 200_000;

/// A function, what each of its parameters stood for, and the arguments where it was given others.
type Walked<'p> = (*const Function, Vec<(&'p str, u8)>, *const Arg);

pub(super) struct Walk<'w, 'p> {
    schemas: &'w mut Schemas<'p>,
    ev: &'w mut Evaluator<'p>,
    method: Option<&'w str>,
    pub(super) found: Reads<'p>,
    /// The functions around, innermost last.
    frames: Vec<Frame<'p>>,
    /// Functions that were walked, each with what its parameters stood for and what else it was given.
    done: FxHashSet<Walked<'p>>,
    left: u32,
    steps: u32,
}

struct Frame<'p> {
    place: Place<'p>,
    /// Its own names.
    locals: Rc<Locals<'p>>,
    roots: Vec<(&'p str, Part)>,
    /// The sequence that it is called with the elements of.
    elements: Option<&'p Expr>,
}

/// What an expression stands for.
#[derive(Clone, Debug, PartialEq)]
enum Stands {
    Part(Part),
    Member(Source, String),
    /// A member whose name is not known.
    Some(Source),
}

impl<'w, 'p> Walk<'w, 'p> {
    pub(super) fn new(schemas: &'w mut Schemas<'p>, ev: &'w mut Evaluator<'p>, method: Option<&'w str>) -> Self {
        Walk {
            schemas,
            ev,
            method,
            found: Reads::default(),
            frames: Vec::new(),
            done: FxHashSet::default(),
            left: MAX_HANDED_ON,
            steps: 0,
        }
    }

    /// Walks a function whose parameters stand for parts.
    pub(super) fn function(&mut self, function: &'p Function, place: Place<'p>, roots: Vec<(&'p str, Part)>) {
        self.given(function, place, roots, &[]);
    }

    /// The same, where it is called with these arguments.
    fn given(&mut self, function: &'p Function, place: Place<'p>, roots: Vec<(&'p str, Part)>, args: &'p [Arg]) {
        let key = roots.iter().map(|(name, part)| (*name, code(*part))).collect();
        let Some(locals) = place.locals.clone() else { return };
        // Names that it reads may depend on what else it is given.
        let given = if args.len() > roots.len() { args.as_ptr() } else { std::ptr::null() };
        if !self.done.insert((std::ptr::from_ref(function), key, given)) {
            return;
        }
        let outer = std::mem::take(&mut self.frames);
        self.frames.push(Frame { place, locals, roots, elements: None });
        self.block(&function.body);
        self.frames = outer;
    }

    fn inner(&mut self, function: &'p Function, elements: Option<&'p Expr>) {
        let Some(frame) = self.frames.last() else { return };
        let locals = Rc::new(Locals::of(function, frame.place.locals.clone(), None));
        let place = Place { env: frame.place.env.clone(), locals: Some(locals.clone()) };
        self.frames.push(Frame { place, locals, roots: Vec::new(), elements });
        self.block(&function.body);
        self.frames.pop();
    }

    fn place(&self) -> Option<Place<'p>> {
        self.frames.last().map(|frame| frame.place.clone())
    }

    /// Whether the block ends the function for this method.
    fn block(&mut self, block: &'p [Stmt]) -> bool {
        block.iter().any(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'p Stmt) -> bool {
        match &statement.kind {
            StmtKind::Expr(value) => self.used(value),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.used(value);
                }
                return true;
            }
            StmtKind::Raise => return true,
            StmtKind::Assign { targets, value } => {
                if targets.iter().all(|target| matches!(target.kind, ExprKind::Name(_))) {
                    self.bound(value);
                } else {
                    if let (Some(Stands::Part(Part::Of(source))), [target]) = (self.stands(value, 0), &targets[..]) {
                        self.put(source, target, false);
                    }
                    self.used(value);
                }
            }
            StmtKind::Annotated { annotation, value: Some(value), .. } => {
                if let ExprKind::Record(items) = &value.kind {
                    self.spread_into(items, annotation);
                }
                if let Some(Stands::Part(Part::Of(source))) = self.stands(value, 0) {
                    self.typed(source, annotation);
                }
                self.bound(value);
            }
            StmtKind::Augmented { value, .. } => self.used(value),
            StmtKind::Function(function) => self.inner(function, None),
            StmtKind::If { test, then, otherwise } => {
                self.test(test);
                return match self.decided(test) {
                    Some(true) => self.block(then),
                    Some(false) => self.block(otherwise),
                    None => {
                        let ended = self.block(then);
                        self.block(otherwise) && ended
                    }
                };
            }
            StmtKind::For { iter, body, otherwise, .. } => {
                self.used(iter);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::While { test, body } => {
                self.test(test);
                self.block(body);
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|item| self.used(&item.value));
                return self.block(body);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                let ended = self.block(body);
                for handler in handlers {
                    self.block(handler);
                }
                self.block(otherwise);
                return self.block(finally) || (ended && handlers.iter().all(|handler| ends(handler)));
            }
            StmtKind::Match { subject, cases } => {
                if self.stands(subject, 0) == Some(Stands::Part(Part::Method))
                    && let Some(method) = self.method
                {
                    let names = |value: &Expr| matches!(&value.kind, ExprKind::Str { text, .. } if text == method);
                    let own = cases.iter().find(|case| case.values.iter().any(names));
                    let own = own.or_else(|| cases.iter().find(|case| case.values.is_empty()));
                    return own.is_some_and(|case| self.block(&case.body));
                }
                self.test(subject);
                for case in cases {
                    self.block(&case.body);
                }
            }
            _ => {}
        }
        false
    }

    /// Whether a test holds for the method that is asked for, as far as it is about that, or about what the function that
    /// made the handler was not given.
    fn decided(&mut self, test: &'p Expr) -> Option<bool> {
        let method = self.method?;
        match &test.kind {
            // `config.bodySchema ? config.bodySchema.parse(req.body) : {}`
            ExprKind::Member { object, .. } if matches!(object.kind, ExprKind::Name(_)) && !self.is_own(object) => {
                let place = self.place()?;
                matches!(self.ev.evaluate(test, &place.env.scope), Value::None).then_some(false)
            }
            ExprKind::Compare { op, left, right } => {
                let ExprKind::Str { text, .. } = &right.kind else { return None };
                if self.stands(left, 0) != Some(Stands::Part(Part::Method)) {
                    return None;
                }
                match op {
                    CompareOp::Equal | CompareOp::Is => Some(text == method),
                    CompareOp::NotEqual | CompareOp::IsNot => Some(text != method),
                    _ => None,
                }
            }
            ExprKind::Not(inner) => self.decided(inner).map(|holds| !holds),
            ExprKind::And(left, right) => match (self.decided(left), self.decided(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Or(left, right) => match (self.decided(left), self.decided(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value that is given a name: what it stands for is followed by that.
    fn bound(&mut self, value: &'p Expr) {
        match self.stands(value, 0) {
            Some(Stands::Part(_)) => self.casts(value),
            _ => self.used(value),
        }
    }

    /// A value that is only looked at.
    fn test(&mut self, value: &'p Expr) {
        match self.stands(value, 0) {
            Some(Stands::Part(_)) => {}
            _ => self.used(value),
        }
    }

    /// `request.body as User`
    fn casts(&mut self, value: &'p Expr) {
        let mut value = value;
        loop {
            match &value.kind {
                ExprKind::Cast { value: inner, kind } => {
                    if let Some(Stands::Part(Part::Of(source))) = self.stands(inner, 0) {
                        self.typed(source, kind);
                        return;
                    }
                    value = inner;
                }
                ExprKind::Await(inner) | ExprKind::Or(inner, _) => value = inner,
                _ => return,
            }
        }
    }

    fn typed(&mut self, source: Source, written: &'p Expr) {
        let Some(place) = self.place() else { return };
        let ty = Schemas::lazy(written, &place.env);
        self.found.typed.push(Typed { source, ty, partial: false, without: Vec::new(), span: written.span });
    }

    /// `{ ...req.body, id } as User`
    fn spread_into(&mut self, items: &'p [DictItem], written: &'p Expr) {
        let Some(place) = self.place() else { return };
        for item in items {
            let DictItem::Spread(value) = item else { continue };
            let Some(Stands::Part(Part::Of(source))) = self.stands(value, 0) else { continue };
            let without = items.iter().filter_map(|item| match item {
                DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, _) => Some(text.clone()),
                _ => None,
            });
            let ty = Schemas::lazy(written, &place.env);
            self.found.typed.push(Typed { source, ty, partial: false, without: without.collect(), span: written.span });
        }
    }

    /// What a part is put into says what it is: `settings.main = req.body`, `merge(settings.main, req.body)`.
    fn put(&mut self, source: Source, target: &'p Expr, partial: bool) {
        let Some(place) = self.place() else { return };
        let ty = self.schemas.type_of(self.ev, target, &place);
        self.found.typed.push(Typed { source, ty, partial, without: Vec::new(), span: target.span });
    }

    /// A value that goes somewhere.
    fn used(&mut self, expr: &'p Expr) {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return;
        }
        if self.computed(expr) {
            return;
        }
        match self.stands(expr, 0) {
            Some(Stands::Member(source, name)) => {
                self.read(source, name, None, expr.span);
                self.arguments_inside(expr);
                return;
            }
            Some(Stands::Some(source)) => {
                self.found.whole.push((Some(source), expr.span));
                self.arguments_inside(expr);
                return;
            }
            Some(Stands::Part(part)) => {
                self.casts(expr);
                match part {
                    Part::Of(source) => self.found.whole.push((Some(source), expr.span)),
                    Part::Request | Part::Context | Part::Both => self.found.whole.push((None, expr.span)),
                    Part::Address | Part::Url | Part::Method => {}
                }
                return;
            }
            None => {}
        }
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => self.call(expr, callee, args),
            ExprKind::Cast { value, kind } => {
                if let ExprKind::Record(items) = &value.kind {
                    self.spread_into(items, kind);
                }
                self.used(value);
            }
            ExprKind::Member { object, .. } => self.test(object),
            ExprKind::Index { object, index } => {
                self.test(object);
                index.iter().for_each(|index| self.used(index));
            }
            ExprKind::Lambda(function) => self.inner(function, None),
            ExprKind::Await(inner)
            | ExprKind::Spread(inner)
            | ExprKind::Yield(Some(inner))
            | ExprKind::Named { value: inner, .. }
            | ExprKind::Negate(inner)
            | ExprKind::Without { value: inner, .. } => self.used(inner),
            ExprKind::Not(inner) | ExprKind::TypeOf(inner) => self.test(inner),
            ExprKind::And(left, right) => {
                self.test(left);
                self.used(right);
            }
            ExprKind::Or(left, right) | ExprKind::Binary { left, right, .. } => {
                self.used(left);
                self.used(right);
            }
            ExprKind::Compare { left, right, .. } => {
                self.test(left);
                self.test(right);
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.test(test);
                match self.decided(test) {
                    Some(true) => self.used(then),
                    Some(false) => self.used(otherwise),
                    None => {
                        self.used(then);
                        self.used(otherwise);
                    }
                }
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Template(items) | ExprKind::Set(items) => {
                items.iter().for_each(|item| self.used(item));
            }
            ExprKind::Record(items) | ExprKind::Dict(items) => items.iter().for_each(|item| match item {
                DictItem::Pair(key, value) => {
                    self.test(key);
                    self.used(value);
                }
                DictItem::Spread(value) => self.used(value),
            }),
            _ => {}
        }
    }

    /// What is given to the methods of a chain that a member begins: `req.query.ids.split(separator)`.
    fn arguments_inside(&mut self, expr: &'p Expr) {
        let mut expr = expr;
        loop {
            match &expr.kind {
                ExprKind::Call { callee, args, .. } => {
                    args.iter().for_each(|arg| self.test(arg.value()));
                    expr = callee;
                }
                ExprKind::Member { object, .. } => expr = object,
                ExprKind::Index { object, .. } => expr = object,
                ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } => expr = inner,
                _ => return,
            }
        }
    }

    fn read(&mut self, source: Source, name: String, parsed: Option<(ShapeId, bool)>, span: Span) {
        let known = self.found.members.iter_mut().find(|known| known.source == source && known.name == name);
        match known {
            Some(known) if known.parsed.is_none() => known.parsed = parsed,
            Some(_) => {}
            None => self.found.members.push(Read { source, name, parsed, span }),
        }
    }

    fn call(&mut self, expr: &'p Expr, callee: &'p Expr, args: &'p [Arg]) {
        if let Some((schema, given)) = self.parse(callee, args)
            && self.parsed(&schema, given, expr.span)
        {
            return;
        }
        let hands: Vec<Option<Part>> = args
            .iter()
            .map(|arg| match self.stands(arg.value(), 0) {
                Some(Stands::Part(part)) => Some(part),
                _ => None,
            })
            .collect();
        if let (ExprKind::Name(name) | ExprKind::Member { name, .. }, [target, rest @ ..]) = (&callee.kind, args)
            && parts::merges(name)
            && hands.first() == Some(&None)
        {
            for (_, part) in rest.iter().zip(&hands[1..]) {
                if let Some(Part::Of(source)) = part {
                    self.put(*source, target.value(), true);
                }
            }
        }
        if hands.iter().any(Option::is_some) && self.hand_on(callee, args, &hands) {
            for (arg, part) in args.iter().zip(&hands) {
                if part.is_none() {
                    self.used(arg.value());
                } else {
                    self.casts(arg.value());
                }
            }
            return;
        }
        self.used_callee(callee);
        if let (
            ExprKind::Member { object, name },
            [Arg::Positional(Expr { kind: ExprKind::Lambda(function), .. }), rest @ ..],
        ) = (&callee.kind, args)
            && parts::iterates(name)
        {
            self.inner(function, Some(object));
            rest.iter().for_each(|arg| self.used(arg.value()));
            return;
        }
        args.iter().for_each(|arg| self.used(arg.value()));
    }

    fn used_callee(&mut self, callee: &'p Expr) {
        match &callee.kind {
            ExprKind::Name(_) => {}
            // `request.body.map(…)`: the whole of it.
            ExprKind::Member { object, .. } => match self.stands(object, 0) {
                Some(Stands::Part(Part::Of(source))) => self.found.whole.push((Some(source), object.span)),
                Some(Stands::Part(_)) => {}
                _ => self.used(object),
            },
            _ => self.used(callee),
        }
    }

    /// `schema.parse(given)`, `parse(schema, given)`: the schema, where it is one.
    fn parse(&mut self, callee: &'p Expr, args: &'p [Arg]) -> Option<(Value<'p>, &'p Expr)> {
        let first = args.first()?.value();
        if let ExprKind::Member { object, name } = &callee.kind
            && parts::is_parsing(name)
            && let Some(schema) = self.schema(object)
        {
            return Some((schema, first));
        }
        let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { return None };
        let second = args.get(1)?.value();
        if parts::is_parsing(name)
            && let Some(schema) = self.schema(first)
        {
            return Some((schema, second));
        }
        None
    }

    fn schema(&mut self, expr: &'p Expr) -> Option<Value<'p>> {
        let place = self.place()?;
        if !matches!(
            expr.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Call { .. } | ExprKind::Index { .. }
        ) {
            return None;
        }
        let mut value = self.ev.evaluate(expr, &place.env.scope);
        if !matches!(value, Value::Made(_)) {
            value = self.schemas.constant(self.ev, expr, &place);
        }
        matches!(value, Value::Made(_)).then_some(value)
    }

    /// Notes what a schema takes of what it is given; false where that is no part of the request.
    fn parsed(&mut self, schema: &Value<'p>, given: &'p Expr, span: Span) -> bool {
        match self.stands(given, 0) {
            Some(Stands::Part(part)) => {
                let Some(shape) = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span)) else {
                    return false;
                };
                match part {
                    Part::Of(source) => self.found.parsed.push((source, shape, span)),
                    Part::Request => self.parsed_request(shape, span),
                    _ => return false,
                }
                true
            }
            Some(Stands::Member(source, name)) => {
                let shape = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span));
                self.read(source, name, shape.map(|shape| (shape, false)), given.span);
                true
            }
            Some(Stands::Some(_)) => false,
            None => {
                let ExprKind::Record(items) = &bare(given).kind else { return false };
                let Some(shape) = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span)) else {
                    return false;
                };
                for item in items {
                    match item {
                        DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, value) => {
                            self.parsed_member(shape, text, value);
                        }
                        DictItem::Pair(_, value) => self.used(value),
                        // `schema.parse({ ...req.body, id })`
                        DictItem::Spread(value) => match self.stands(value, 0) {
                            Some(Stands::Part(Part::Of(source))) => {
                                let without = self.without(shape, items);
                                self.found.parsed.push((source, without, span));
                            }
                            _ => self.used(value),
                        },
                    }
                }
                true
            }
        }
    }

    /// The members of an object that a record does not give by name.
    fn without(&mut self, shape: ShapeId, items: &'p [DictItem]) -> ShapeId {
        let view = self.schemas.table.view(shape);
        let mut rest = view.shape.into_owned();
        if let Kind::Object(object) = &mut rest.kind {
            object.fields.retain(|field| {
                !items.iter().any(|item| {
                    matches!(item, DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, _) if *text == field.name)
                })
            });
        }
        self.schemas.table.add(rest)
    }

    /// `schema.parse({ body: req.body, page: req.query.page })`
    fn parsed_member(&mut self, shape: ShapeId, name: &str, value: &'p Expr) {
        let view = self.schemas.table.view(shape);
        let field = match &view.shape.kind {
            Kind::Object(object) => object.fields.iter().find(|field| field.name == name).cloned(),
            _ => None,
        };
        match (self.stands(value, 0), field) {
            (Some(Stands::Part(Part::Of(source))), Some(field)) => {
                self.found.parsed.push((source, field.shape, value.span));
            }
            (Some(Stands::Member(source, name)), Some(field)) => {
                self.read(source, name, Some((field.shape, field.required)), value.span);
            }
            _ => self.used(value),
        }
    }

    /// A schema of the whole request: `z.object({ body, query, params })`.
    fn parsed_request(&mut self, shape: ShapeId, span: Span) {
        let view = self.schemas.table.view(shape);
        let Kind::Object(object) = &view.shape.kind else { return };
        let fields: Vec<(String, ShapeId)> = object.fields.iter().map(|it| (it.name.clone(), it.shape)).collect();
        for (name, shape) in fields {
            if let Some(Part::Of(source)) = parts::member(Part::Request, &name) {
                self.found.parsed.push((source, shape, span));
            }
        }
    }

    /// Follows a function of the program that parts are handed on to; false where it is none.
    fn hand_on(&mut self, callee: &'p Expr, args: &'p [Arg], hands: &[Option<Part>]) -> bool {
        let (Some(place), Some(left)) = (self.place(), self.left.checked_sub(1)) else { return false };
        let dispatched = self.dispatched(callee, 0);
        let callee = match dispatched {
            Some(function) => Type::Function(Rc::new(self.schemas.callable_of(&function))),
            None => self.schemas.type_of(self.ev, callee, &place),
        };
        let (callable, args) = match self.schemas.force(self.ev, &callee) {
            Type::Function(callable) => (callable, args),
            // `new Agent(req.body)`
            Type::Value(Value::Class(class)) => {
                match self.schemas.member(self.ev, &Type::class(class), "__init__", None) {
                    Type::Function(callable) => (callable, args),
                    _ => return false,
                }
            }
            _ => match self.schemas.passed_through(self.ev, args, &place) {
                Some((Type::Function(callable), rest)) => (callable, rest),
                _ => return false,
            },
        };
        let hands = &hands[hands.len() - args.len()..];
        let Callable::Program { function, env, locals, this } = &*callable else { return false };
        // What is only declared is not followed.
        if function.body.is_empty() {
            return false;
        }
        let parameters = callable.parameters();
        let mut inside = Locals::of(function, locals.clone(), None);
        inside.this.clone_from(this);
        let mut roots = Vec::new();
        for ((parameter, arg), part) in parameters.iter().zip(args).zip(hands) {
            match part {
                Some(part) => {
                    roots.push((parameter.name.as_str(), *part));
                    if let (Part::Of(source), Some(annotation)) = (part, &parameter.annotation) {
                        let ty = Schemas::lazy(annotation, env);
                        self.found.typed.push(Typed {
                            source: *source,
                            ty,
                            partial: false,
                            without: Vec::new(),
                            span: annotation.span,
                        });
                    }
                }
                None => {
                    inside.args.borrow_mut().insert(&parameter.name, (arg.value(), place.clone()));
                }
            }
        }
        if roots.is_empty() {
            return false;
        }
        let inside = Place { env: env.clone(), locals: Some(Rc::new(inside)) };
        let outer = std::mem::replace(&mut self.left, left);
        self.given(function, inside, roots, args);
        self.left = outer;
        true
    }

    /// `handlers[req.method]`: the one for the method that is asked for.
    fn dispatched(&mut self, callee: &'p Expr, aliases: u32) -> Option<FunctionRef<'p>> {
        match &bare(callee).kind {
            ExprKind::Index { object, index } => {
                let [index] = index.as_slice() else { return None };
                let method = self.method?;
                if self.stands(index, 0) != Some(Stands::Part(Part::Method)) {
                    return None;
                }
                let place = self.place()?;
                let object = self.local(object).unwrap_or(object);
                let Value::Dict(handlers) = self.ev.evaluate(object, &place.env.scope) else { return None };
                let handler = handlers.borrow().get_str(method).cloned();
                match handler? {
                    Value::Function(function) | Value::Bound(_, function) => Some(function),
                    _ => None,
                }
            }
            ExprKind::Name(_) if aliases < MAX_ALIASES => {
                let value = self.local(callee)?;
                self.dispatched(value, aliases + 1)
            }
            _ => None,
        }
    }

    /// Whether a name is one of the functions that are walked.
    fn is_own(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return false };
        self.frames.iter().any(|frame| frame.locals.find(name, expr.span).is_some())
    }

    /// What a local name is bound to.
    fn local(&self, expr: &'p Expr) -> Option<&'p Expr> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.frames.iter().rev().find_map(|frame| frame.locals.find(name, expr.span))? {
            Local::Value(value) | Local::Annotated(_, Some(value)) => Some(value),
            _ => None,
        }
    }

    /// What an expression stands for: a part of the request, or a member of one.
    fn stands(&mut self, expr: &'p Expr, aliases: u32) -> Option<Stands> {
        self.steps += 1;
        if aliases > MAX_ALIASES || self.steps > MAX_STEPS {
            return None;
        }
        match &expr.kind {
            ExprKind::Name(name) => self.named(name, expr, aliases),
            ExprKind::Member { object, name } => match self.stands(object, aliases)? {
                Stands::Part(Part::Of(_)) if name == "length" => None,
                Stands::Part(Part::Of(source)) => Some(Stands::Member(source, name.clone())),
                Stands::Part(part) => parts::member(part, name).map(Stands::Part),
                // What is inside of a member, or what a method makes of it.
                member @ (Stands::Member(..) | Stands::Some(_)) => Some(member),
            },
            ExprKind::Index { object, index } => match (self.stands(object, aliases)?, index.as_slice()) {
                (Stands::Part(Part::Of(source)), [Expr { kind: ExprKind::Str { text, .. }, .. }]) => {
                    Some(Stands::Member(source, text.clone()))
                }
                (Stands::Part(Part::Of(source)), [index]) => match self.text(index) {
                    Some(name) => Some(Stands::Member(source, name)),
                    None => Some(Stands::Some(source)),
                },
                (member @ (Stands::Member(..) | Stands::Some(_)), _) => Some(member),
                _ => None,
            },
            ExprKind::Call { callee, args, .. } => self.stands_call(callee, args, aliases),
            ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } | ExprKind::Spread(inner) => {
                self.stands(inner, aliases)
            }
            // `req.body ?? {}`
            ExprKind::Or(left, right) => match self.stands(left, aliases)? {
                part @ Stands::Part(_) if is_plain(right) => Some(part),
                part @ Stands::Part(_) if self.stands(right, aliases).as_ref() == Some(&part) => Some(part),
                member @ (Stands::Member(..) | Stands::Some(_)) if is_plain(right) => Some(member),
                _ => None,
            },
            _ => None,
        }
    }

    fn stands_call(&mut self, callee: &'p Expr, args: &'p [Arg], aliases: u32) -> Option<Stands> {
        let first = args.first().map(Arg::value);
        if let ExprKind::Member { object, name } = &callee.kind {
            match self.stands(object, aliases) {
                Some(Stands::Part(part)) => {
                    return match parts::called(part, name, first.is_some())? {
                        Given::Part(part) => Some(Stands::Part(part)),
                        Given::Named(source) => match self.text(first?) {
                            Some(name) => Some(Stands::Member(source, name)),
                            None => Some(Stands::Some(source)),
                        },
                    };
                }
                // `req.query.ids.split(",")`
                Some(member @ (Stands::Member(..) | Stands::Some(_))) => return Some(member),
                None => {}
            }
        }
        let (of, name) = match &callee.kind {
            ExprKind::Name(name) => (None, name),
            ExprKind::Member { object, name } => match &object.kind {
                ExprKind::Name(of) => (Some(of.as_str()), name),
                _ => return None,
            },
            _ => return None,
        };
        let first = first?;
        let known = match name.as_str() {
            "URL" => match self.stands(first, aliases)? {
                Stands::Part(Part::Address | Part::Url) => Some(Stands::Part(Part::Url)),
                _ => None,
            },
            // `getCookie(c, "name")`
            "getCookie" | "getSignedCookie" => {
                self.stands(first, aliases).filter(|it| matches!(it, Stands::Part(Part::Context)))?;
                let name = args.iter().skip(1).find_map(|arg| self.text(arg.value()));
                Some(name.map_or(Stands::Part(Part::Of(Source::Cookie)), |name| Stands::Member(Source::Cookie, name)))
            }
            name if parts::passes(of, name) => match self.stands(first, aliases)? {
                part @ Stands::Part(Part::Of(_)) => Some(part),
                _ => None,
            },
            _ => None,
        };
        known.or_else(|| self.given_back(callee, args, aliases))
    }

    /// `const body = readBody(request)`: a function that gives back a part of what it is given.
    fn given_back(&mut self, callee: &'p Expr, args: &'p [Arg], aliases: u32) -> Option<Stands> {
        let hands: Vec<Option<Part>> = args
            .iter()
            .map(|arg| match self.stands(arg.value(), aliases + 1) {
                Some(Stands::Part(part)) => Some(part),
                _ => None,
            })
            .collect();
        hands.iter().flatten().next()?;
        let (place, left) = (self.place()?, self.left.checked_sub(1)?);
        let callee = self.schemas.type_of(self.ev, callee, &place);
        let Type::Function(callable) = self.schemas.force(self.ev, &callee) else { return None };
        let Callable::Program { function, env, locals, this } = &*callable else { return None };
        let mut inside = Locals::of(function, locals.clone(), None);
        inside.this.clone_from(this);
        let inside = Rc::new(inside);
        let given = callable.parameters().iter().zip(&hands);
        let roots = given.filter_map(|(parameter, part)| Some((parameter.name.as_str(), (*part)?))).collect();
        let place = Place { env: env.clone(), locals: Some(inside.clone()) };
        let frames = std::mem::replace(&mut self.frames, vec![Frame { place, locals: inside, roots, elements: None }]);
        let outer = std::mem::replace(&mut self.left, left);
        let mut found = None;
        for value in returned(function).into_iter().flatten() {
            let mut choices = vec![value];
            while let Some(choice) = choices.pop() {
                match &bare(choice).kind {
                    ExprKind::Conditional { then, otherwise, .. } => choices.extend([&**then, &**otherwise]),
                    _ if found.is_none() => found = self.stands(choice, aliases + 1),
                    _ => {}
                }
            }
        }
        self.left = outer;
        self.frames = frames;
        found.filter(|found| matches!(found, Stands::Part(Part::Of(_) | Part::Url)))
    }

    /// `part[name]` where the name is one of several: each is read.
    fn computed(&mut self, expr: &'p Expr) -> bool {
        let ExprKind::Index { object, index } = &bare(expr).kind else { return false };
        let (Some(Stands::Part(Part::Of(source))), [index]) = (self.stands(object, 0), index.as_slice()) else {
            return false;
        };
        let names = self.texts(index);
        for name in &names {
            self.read(source, name.clone(), None, expr.span);
        }
        !names.is_empty()
    }

    /// The texts that an expression may be, where it is an element of a sequence that is known, or a member of one.
    fn texts(&mut self, expr: &'p Expr) -> Vec<String> {
        let (element, member) = match &expr.kind {
            ExprKind::Name(_) => (expr, None),
            ExprKind::Member { object, name } => (&**object, Some(name)),
            _ => return Vec::new(),
        };
        let ExprKind::Name(name) = &element.kind else { return Vec::new() };
        let Some((sequence, place)) = self.sequence_of(name, element) else { return Vec::new() };
        let elements = self.schemas.constant(self.ev, sequence, &place).elements().unwrap_or_default();
        let texts = elements.iter().filter_map(|element| match (member, element) {
            (None, Value::Str(text)) => Some(text.to_string()),
            (Some(member), Value::Dict(dict)) => Some(dict.borrow().get_str(member)?.as_str()?.to_owned()),
            _ => None,
        });
        texts.collect()
    }

    /// What a name is an element of.
    fn sequence_of(&self, name: &str, at: &Expr) -> Option<(&'p Expr, Place<'p>)> {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let Some(local) = frame.locals.find(name, at.span) else { continue };
            return match local {
                Local::Element(sequence) => Some((sequence, frame.place.clone())),
                // The function stands in the one around it.
                Local::Param(_) => {
                    let around = self.frames.get(depth.checked_sub(1)?)?;
                    Some((frame.elements?, around.place.clone()))
                }
                _ => None,
            };
        }
        None
    }

    fn named(&mut self, name: &'p str, expr: &'p Expr, aliases: u32) -> Option<Stands> {
        for at in (0..self.frames.len()).rev() {
            let frame = &self.frames[at];
            let Some(local) = frame.locals.find(name, expr.span) else { continue };
            return match local {
                Local::Param(_) => {
                    frame.roots.iter().find(|(root, _)| *root == name).map(|(_, part)| Stands::Part(*part))
                }
                Local::Value(value) | Local::Annotated(_, Some(value)) => {
                    let inner = self.frames.split_off(at + 1);
                    let found = self.stands(value, aliases + 1);
                    self.frames.extend(inner);
                    // A name of a member was read where it was bound.
                    found.filter(|found| matches!(found, Stands::Part(_)))
                }
                _ => None,
            };
        }
        None
    }

    /// The text that an expression is known to be.
    fn text(&mut self, expr: &'p Expr) -> Option<String> {
        if let ExprKind::Str { text, .. } = &expr.kind {
            return Some(text.clone());
        }
        let place = self.place()?;
        match self.schemas.constant(self.ev, expr, &place) {
            Value::Str(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

/// A value that stands for one that is not there.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Record(items) => items.is_empty(),
        ExprKind::None | ExprKind::Str { .. } | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) => true,
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Cast { value, .. } => is_plain(value),
        _ => false,
    }
}

fn ends(block: &[Stmt]) -> bool {
    matches!(block.last().map(|last| &last.kind), Some(StmtKind::Return(_) | StmtKind::Raise))
}

fn code(part: Part) -> u8 {
    match part {
        Part::Request => 0,
        Part::Context => 1,
        Part::Both => 2,
        Part::Address => 3,
        Part::Url => 4,
        Part::Method => 5,
        Part::Of(source) => 6 + source as u8,
    }
}
