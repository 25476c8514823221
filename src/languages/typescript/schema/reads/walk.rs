//! The walk through a handler and the functions that it hands its request on to: all parts of a request at once, by static
//! types and for one method. (What is read of one value, in any language, is `wires/reads`.)

mod calls;
mod parsing;
mod stands;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use self::stands::Stands;
use super::parts::{Part, Source};
use super::{Read, Reads, Typed};
use crate::evaluate::{Evaluator, Value};
use crate::languages::typescript::schema::Schemas;
use crate::languages::typescript::schema::locals::{Local, Locals};
use crate::languages::typescript::schema::typing::Place;
use crate::model::ShapeId;
use crate::model::program::{Arg, CompareOp, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::text::Span;

/// Functions that the request is handed on to are followed this far; beyond, all of it may be read.
const MAX_HANDED_ON: u32 = 5;
/// Names that stand for names; a name that is further away stands for itself.
const MAX_ALIASES: u32 = 12;
/// Expressions that are looked at for one handler; that there are more is told.
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
            let what = "code that reads what one handler takes: there is too much";
            if self.steps == MAX_STEPS + 1 {
                self.ev.cut_reading(what, Some(expr.span));
                self.found.whole.push((None, expr.span));
            }
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
