//! The static type of an expression: declared types first, then what follows from how a value is made. Far less than a
//! type checker: what is not understood is unknown, never guessed.

use std::rc::Rc;

use super::Schemas;
use super::functions::mentions;
use super::locals::{Local, Locals};
use super::members::widened;
use super::types::{Callable, Env, ObjectType, Type};
use crate::evaluate::{Evaluator, FunctionRef, Scope, Value};
use crate::model::Literal;
use crate::model::program::{Arg, BinaryOp, ClassKind, Expr, ExprKind, Param};
use crate::text::Span;

/// Steps from a value to the parameter that it is taken out of; a value that is further away counts as the program's
/// own.
const MAX_STEPS_OUT: usize = 12;

/// Where an expression stands.
#[derive(Clone)]
pub struct Place<'p> {
    pub env: Env<'p>,
    /// The names of the functions around it.
    pub locals: Option<Rc<Locals<'p>>>,
}

impl<'p> Place<'p> {
    /// The same place where a condition holds or does not, for what stands under it.
    fn under(&self, test: &Expr, holds: bool, branch: &Expr) -> Place<'p> {
        Place { env: self.env.clone(), locals: Locals::under(self.locals.clone(), test, holds, branch) }
    }
}

impl<'p> Schemas<'p> {
    /// Inside a function's body.
    pub fn place_of(&mut self, function: &FunctionRef<'p>) -> Place<'p> {
        let parent = outer_locals(&function.scope);
        let mut locals = Locals::of(function.node, parent, None);
        locals.this = function.class.as_ref().map(|class| Type::class(class.clone()));
        Place { env: Env::of(&function.scope), locals: Some(Rc::new(locals)) }
    }

    pub fn callable_of(&mut self, function: &FunctionRef<'p>) -> Callable<'p> {
        Callable::Program {
            function: function.node,
            env: Env::of(&function.scope),
            locals: outer_locals(&function.scope),
            this: function.class.as_ref().map(|class| Type::class(class.clone())),
        }
    }

    pub fn type_of(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, place: &Place<'p>) -> Type<'p> {
        if !self.enter() {
            return self.too_deep(expr.span);
        }
        let mut ty = self.type_of_kind(ev, expr, place);
        if matches!(expr.kind, ExprKind::Name(_) | ExprKind::Member { .. })
            && place.locals.as_ref().is_some_and(|locals| locals.is_guarded(expr))
        {
            ty = self.non_null(ev, &ty);
        }
        self.leave();
        ty
    }

    fn type_of_kind(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, place: &Place<'p>) -> Type<'p> {
        match &expr.kind {
            ExprKind::Str { text, .. } => Type::Literal(Literal::String(text.clone())),
            ExprKind::Int(_) | ExprKind::Float(_) => Type::Number,
            ExprKind::Bool(_) | ExprKind::Not(_) | ExprKind::Compare { .. } => Type::Boolean,
            // `undefined` stands as the same; only `null` is that short.
            ExprKind::None if expr.span.end - expr.span.start != 4 => Type::Undefined,
            ExprKind::None => Type::Null,
            ExprKind::Template(_) | ExprKind::TypeOf(_) => Type::Text,
            ExprKind::Negate(_) => Type::Number,
            ExprKind::Name(name) => self.of_name(ev, name, expr, place),
            ExprKind::Member { object, name } if lacks(object, name, place) => Type::Undefined,
            ExprKind::Member { object, name } => {
                let object = self.type_of(ev, object, place);
                self.member(ev, &object, name, Some(expr.span))
            }
            ExprKind::Index { object, index } => self.of_index(ev, object, index, expr, place),
            ExprKind::Call { callee, args, types } => self.of_call(ev, callee, args, types, expr, place),
            ExprKind::List(items) | ExprKind::Set(items) | ExprKind::Tuple(items) => {
                let mut options = Vec::new();
                for item in items {
                    if let ExprKind::Spread(inner) = &item.kind {
                        let inner = self.type_of(ev, inner, place);
                        options.push(self.element(ev, &inner, item.span));
                    } else {
                        options.push(widened(self.type_of(ev, item, place)));
                    }
                }
                Type::array(Type::union(options))
            }
            ExprKind::Record(items) | ExprKind::Dict(items) => self.of_record(ev, items, expr, place),
            ExprKind::Cast { value, kind } => match &kind.kind {
                ExprKind::Name(name) if matches!(name.as_str(), "const" | "any" | "unknown") => {
                    self.type_of(ev, value, place)
                }
                _ => {
                    let declared = Self::lazy(kind, &place.env);
                    self.assigned(ev, declared, value, place)
                }
            },
            ExprKind::Await(inner) => {
                let ty = self.type_of(ev, inner, place);
                self.awaited(ev, &ty)
            }
            ExprKind::Conditional { test, then, otherwise } => {
                if let Some(holds) = Self::settled(ev, test, place) {
                    return self.type_of(ev, if holds { then } else { otherwise }, place);
                }
                let yes = place.under(test, true, then);
                let no = place.under(test, false, otherwise);
                let options = vec![self.type_of(ev, then, &yes), self.type_of(ev, otherwise, &no)];
                Type::union(options)
            }
            ExprKind::Or(left, right) => {
                let left = self.type_of(ev, left, place);
                if self.is_always_truthy(ev, &left) {
                    return left;
                }
                if matches!(left, Type::Undefined | Type::Null | Type::Literal(Literal::Boolean(false))) {
                    return self.type_of(ev, right, place);
                }
                let left = self.non_null(ev, &left);
                // That there is something at all may be all that an empty default is for.
                if left.is_unknown() && is_empty(right) {
                    return left;
                }
                let right = self.type_of(ev, right, place);
                Type::union(vec![left, right])
            }
            ExprKind::And(left, right) => {
                match Self::settled(ev, left, place) {
                    Some(true) => return self.type_of(ev, right, place),
                    Some(false) => return Type::Literal(Literal::Boolean(false)),
                    None => {}
                }
                let under = place.under(left, true, right);
                let left = self.type_of(ev, left, place);
                let right = self.type_of(ev, right, &under);
                let falsy = self.falsy(ev, &left);
                Type::union(vec![right, falsy])
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                let left = self.type_of(ev, left, place);
                let right = self.type_of(ev, right, place);
                let text = |ty: &Type| matches!(ty, Type::Text | Type::Literal(Literal::String(_)));
                match (self.force(ev, &left), self.force(ev, &right)) {
                    (left, right) if text(&left) || text(&right) => Type::Text,
                    (Type::Number, Type::Number) => Type::Number,
                    _ => Type::unknown("sum of values that are not known", Some(expr.span)),
                }
            }
            ExprKind::Binary { .. } => Type::Number,
            ExprKind::Lambda(function) => Type::Function(Rc::new(Callable::Program {
                function,
                env: place.env.clone(),
                locals: place.locals.clone(),
                this: None,
            })),
            ExprKind::Without { value, names } => {
                let value = self.type_of(ev, value, place);
                let value = self.non_null(ev, &value);
                self.select(ev, &value, false, names)
            }
            ExprKind::Named { value, .. } | ExprKind::Spread(value) => self.type_of(ev, value, place),
            ExprKind::Other(what) => Type::unknown(*what, Some(expr.span)),
            _ => Type::unknown("expression that is not followed", Some(expr.span)),
        }
    }

    /// Whether a value of the type counts as true whatever it is.
    pub(super) fn is_truthy(&self, ty: &Type<'p>) -> bool {
        match ty {
            Type::Object(_) | Type::Array(_) | Type::Tuple(_) | Type::Function(_) | Type::Date => true,
            Type::Class(class, _) => class.node.kind != ClassKind::Enum,
            Type::Union(options) => options.iter().all(|option| self.is_truthy(option)),
            Type::Schema(id) => {
                matches!(self.table.get(*id).kind, crate::model::Kind::Object(_) | crate::model::Kind::Array { .. })
            }
            _ => false,
        }
    }

    /// The same of what a type is once what stands for it is followed.
    fn is_always_truthy(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
        match self.force(ev, ty) {
            Type::Union(options) => options.iter().all(|option| self.is_always_truthy(ev, option)),
            other => self.is_truthy(&other),
        }
    }

    /// What `value && …` is where the value counts as false.
    pub(super) fn falsy(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Type<'p> {
        match self.force(ev, ty) {
            Type::Union(options) => {
                let options = options.iter().map(|option| self.falsy(ev, option)).collect();
                Type::union(options)
            }
            Type::Boolean => Type::Literal(Literal::Boolean(false)),
            nothing @ (Type::Undefined | Type::Null) => nothing,
            Type::Text => Type::Literal(Literal::String(String::new())),
            unknown @ Type::Unknown(..) => unknown,
            Type::Number => Type::Number,
            _ => Type::Never,
        }
    }

    pub(super) fn of_name(
        &mut self,
        ev: &mut Evaluator<'p>,
        name: &'p str,
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        if name == "undefined" {
            return Type::Undefined;
        }
        let mut next = place.locals.clone();
        while let Some(locals) = next {
            if name == "this"
                && let Some(this) = &locals.this
            {
                return this.clone();
            }
            let local = locals.find(name, expr.span);
            if let Some(chosen) = self.of_ran(ev, name, (local, expr), &locals) {
                return chosen;
            }
            let given = locals.innermost_own().and_then(|scope| scope.in_call(name));
            let given = given.map(|value| ev.projected(value));
            let stood = given.clone();
            // What the call that ran was not given is not there, what it was given is.
            if let (Some(Local::Value(written)), Some(value)) = (local, &given)
                && is_absent(value)
                && of_parameter(written, &locals)
                && locals.assigned(name, expr.span).len() == 1
            {
                return Type::Undefined;
            }
            if let (Some(Local::Param(parameter)), Some(frame)) = (local, &locals.frame)
                && let Some(given) = self.given_in_call(ev, parameter, frame)
            {
                return given;
            }
            let there = matches!(given, Some(Value::Dict(_) | Value::Instance(_) | Value::List(_)));
            if let Some(value) = given.clone()
                && speaks(&value)
                && !self.declared_better(ev, local, &value, &place.env)
            {
                return self.of_value(&value);
            }
            let given = locals.given.borrow().get(name).cloned();
            if let Some(given) = given {
                return if locals.absent.is_empty() {
                    given
                } else {
                    self.without_absent(ev, given, name, expr, &locals)
                };
            }
            if let Some(local) = local {
                let inside = Place { env: place.env.clone(), locals: Some(locals.clone()) };
                let ty = self.of_local(ev, local, name, expr, &inside);
                let ty =
                    self.one_chosen(ev, ty, name, stood.as_ref().filter(|_| matches!(local, Local::Value(_))), &locals);
                let ty = if there { self.non_null(ev, &ty) } else { ty };
                return if locals.absent.is_empty() { ty } else { self.without_absent(ev, ty, name, expr, &locals) };
            }
            next = locals.parent.clone();
        }
        // A scope between the functions and the module: a class body, a call whose function is not known.
        let mut scope = Some(place.env.scope.clone());
        while let Some(here) = scope {
            if here.is_module() {
                break;
            }
            if let Some(value) = here.own(name) {
                let value = ev.projected(value);
                return self.of_value_in_world(ev, &value, 0);
            }
            scope = here.parent().cloned();
        }
        let module = place.env.scope.module();
        if let Some(declared) = ev.declaration(module, name) {
            self.of_declaration(ev, &declared, name, Some(expr.span))
        } else {
            let scope = ev.module_scope(module);
            let value = ev.evaluate(expr, &scope);
            self.of_value(&value)
        }
    }

    /// What the call that ran gave for a parameter whose own type says little.
    fn given_in_call(&mut self, ev: &mut Evaluator<'p>, parameter: &'p Param, frame: &Scope<'p>) -> Option<Type<'p>> {
        let (function, written) = frame.call()?;
        let (args, caller) = written?;
        let mut several = false;
        if let Some(annotation) = &parameter.annotation {
            let declared = Self::lazy(annotation, &Env::of(frame));
            let declared = self.force(ev, &declared);
            let says = match &declared {
                Type::Unknown(..) | Type::Any => false,
                // One of several things, of which this call gives one.
                Type::Union(options) => {
                    let own = |option: &&Type| !option.is_nothing() && !matches!(option, Type::Literal(_));
                    several = options.iter().filter(own).count() > 1;
                    !several
                }
                Type::Map(values) => !matches!(self.force(ev, &values.clone()), Type::Unknown(..) | Type::Any),
                _ => true,
            };
            if says {
                return None;
            }
        }
        let given = function.node.parameters.iter().filter(|it| !matches!(it.name.as_str(), "self" | "this"));
        let position = given.clone().position(|known| std::ptr::eq(known, parameter))?;
        let leading = &args[..args.len().min(position + 1)];
        if leading.iter().any(|arg| !matches!(arg, Arg::Positional(_))) {
            return None;
        }
        let place = self.place_in(ev, &caller);
        let given = self.type_of(ev, args.get(position)?.value(), &place);
        (several || !given.is_unknown()).then_some(given)
    }

    /// Whether what a name is declared to be says more than its value: what its type takes from other arguments is known,
    /// or the value is made by an expression that has a type.
    fn declared_better(
        &mut self,
        ev: &mut Evaluator<'p>,
        local: Option<Local<'p>>,
        value: &Value<'p>,
        env: &Env<'p>,
    ) -> bool {
        match local {
            Some(Local::Param(parameter)) => parameter.annotation.as_ref().is_some_and(|annotation| {
                let bound: Vec<&str> = env.bindings.iter().map(|(name, _)| *name).collect();
                mentions(annotation, &bound)
            }),
            Some(Local::Value(_) | Local::Annotated(..)) => match value {
                Value::Dict(_) | Value::Instance(_) => true,
                Value::Made(_) => self.shape_of_schema(ev, value, None).is_none(),
                _ => false,
            },
            _ => false,
        }
    }

    fn of_local(
        &mut self,
        ev: &mut Evaluator<'p>,
        local: Local<'p>,
        name: &str,
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        match local {
            Local::Annotated(annotation, value) => {
                let declared = match &annotation.kind {
                    // Of another local, which types of the module do not know.
                    ExprKind::TypeOf(other) => self.type_of(ev, other, place),
                    _ => Self::lazy(annotation, &place.env),
                };
                match value {
                    Some(value) => self.assigned(ev, declared, value, place),
                    None => declared,
                }
            }
            Local::Value(value) => {
                let key = std::ptr::from_ref::<Expr>(value);
                if self.active.contains(&key) {
                    return Type::unknown("defined in terms of itself", Some(expr.span));
                }
                self.active.push(key);
                let mut ty = self.type_of(ev, value, place);
                if let (Type::Object(object), ExprKind::Record(_)) = (&ty, &value.kind) {
                    ty = self.filled(ev, (**object).clone(), (name, value), expr.span, place);
                }
                self.active.pop();
                // `let list = []` becomes what is put into it.
                match &ty {
                    Type::Array(items) if matches!(**items, Type::Never) => {
                        Type::array(Type::unknown("array that is filled step by step", Some(value.span)))
                    }
                    Type::Object(object) if self.keeps_text && is_bare(object) => {
                        Type::unknown("object that is filled step by step", Some(value.span))
                    }
                    _ => widened(ty),
                }
            }
            Local::Late => {
                let values = place.locals.as_ref().map(|locals| locals.assigned(name, expr.span)).unwrap_or_default();
                let options: Vec<Type<'p>> = values.into_iter().map(|value| self.type_of(ev, value, place)).collect();
                if options.is_empty() {
                    return Type::unknown("variable without a declared type", Some(expr.span));
                }
                Type::union(options)
            }
            Local::Part(value, at) => {
                let whole = self.type_of(ev, value, place);
                self.part(ev, &whole, at, expr.span)
            }
            Local::ElementPart(iter, at) => {
                let sequence = self.type_of(ev, iter, place);
                let element = self.element(ev, &sequence, expr.span);
                self.part(ev, &element, at, expr.span)
            }
            Local::Element(iter) => {
                let sequence = self.type_of(ev, iter, place);
                self.element(ev, &sequence, expr.span)
            }
            Local::Param(param) => {
                let declared = self.of_parameter(ev, param, place);
                // What a library's type or none says less of than what the call gives.
                let says_less = matches!(self.force(ev, &declared), Type::Unknown(..) | Type::Any | Type::External(..));
                let frame = place.locals.as_deref().and_then(|locals| locals.frame_of(param)).filter(|_| says_less);
                frame.and_then(|frame| self.of_caller(ev, &frame, param)).unwrap_or(declared)
            }
            Local::Function(function) => Type::Function(Rc::new(Callable::Program {
                function,
                env: place.env.clone(),
                locals: place.locals.clone(),
                this: None,
            })),
        }
    }

    fn of_parameter(&mut self, ev: &mut Evaluator<'p>, param: &'p Param, place: &Place<'p>) -> Type<'p> {
        match (&param.annotation, &param.default) {
            (Some(annotation), default) => {
                let ty = Self::lazy(annotation, &place.env);
                if param.optional && default.is_none() { Type::union(vec![ty, Type::Undefined]) } else { ty }
            }
            (None, Some(default)) => widened(self.type_of(ev, default, place)),
            (None, None) => Type::unknown(format!("parameter `{}` has no declared type", param.name), Some(param.span)),
        }
    }

    /// One element of an array, by its place.
    fn part(&mut self, ev: &mut Evaluator<'p>, whole: &Type<'p>, at: usize, site: Span) -> Type<'p> {
        match self.non_null(ev, whole) {
            Type::Tuple(items) => {
                items.get(at).cloned().unwrap_or_else(|| Type::unknown("index outside of a tuple", Some(site)))
            }
            other => self.element(ev, &other, site),
        }
    }

    fn of_index(
        &mut self,
        ev: &mut Evaluator<'p>,
        object: &'p Expr,
        index: &'p [Expr],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        let object = self.type_of(ev, object, place);
        let [at] = index else { return Type::unknown("several indices", Some(expr.span)) };
        let object = self.non_null(ev, &object);
        match &at.kind {
            ExprKind::Int(at) => match (&object, usize::try_from(*at)) {
                (Type::Tuple(items), Ok(at)) => {
                    items.get(at).cloned().unwrap_or_else(|| Type::unknown("index outside of a tuple", Some(expr.span)))
                }
                _ => self.element(ev, &object, expr.span),
            },
            ExprKind::Str { text, .. } => self.member(ev, &object, text, Some(expr.span)),
            _ => {
                if let Some(items) = self.items(ev, &object) {
                    return items;
                }
                let key = self.type_of(ev, at, place);
                match (self.force(ev, &key), self.properties(ev, &object)) {
                    (Type::Literal(Literal::String(name)), _) => self.member(ev, &object, &name, Some(expr.span)),
                    (_, Some(object))
                        if object.open.is_none() && (object.index.is_some() || !object.props.is_empty()) =>
                    {
                        let props = object.props.iter().map(|prop| prop.ty.clone());
                        Type::union(props.chain(object.index.clone()).collect())
                    }
                    _ => Type::unknown("member that is chosen at run time", Some(expr.span)),
                }
            }
        }
    }
}

/// The locals of the calls that a function was defined in.
pub(super) fn outer_locals<'p>(scope: &Scope<'p>) -> Option<Rc<Locals<'p>>> {
    let mut frames = Vec::new();
    let mut next = Some(scope.clone());
    let mut within = None;
    while let Some(here) = next {
        let innermost = within.get_or_insert_with(|| here.clone()).clone();
        if let Some(function) = here.function() {
            frames.push((function, here.clone(), innermost));
            within = None;
        }
        next = here.parent().cloned();
    }
    let mut locals = None;
    for (function, frame, within) in frames.into_iter().rev() {
        let mut inner = Locals::of(function, locals, Some(frame));
        inner.within = Some(within);
        locals = Some(Rc::new(inner));
    }
    locals
}

/// `{}`, `[]`
fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Record(items) => items.is_empty(),
        ExprKind::List(items) => items.is_empty(),
        _ => false,
    }
}

/// `{}`
fn is_bare(object: &ObjectType) -> bool {
    object.props.is_empty() && object.index.is_none() && object.open.is_none()
}

/// Whether a value is taken out of a parameter, in however many steps.
fn of_parameter(written: &Expr, locals: &Locals) -> bool {
    let mut written = written;
    for _ in 0..MAX_STEPS_OUT {
        match &written.kind {
            ExprKind::Member { object: inner, .. } | ExprKind::Or(inner, _) | ExprKind::Cast { value: inner, .. } => {
                written = inner;
            }
            ExprKind::Name(name) => match locals.find(name, written.span) {
                Some(Local::Value(value)) => written = value,
                Some(Local::Param(_)) => return true,
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

fn is_absent(value: &Value) -> bool {
    matches!(value, Value::None) || value.as_external() == Some("javascript.undefined")
}

/// Whether the argument that a name stands for in a call that ran is known whole, without such a member.
fn lacks(object: &Expr, member: &str, place: &Place) -> bool {
    let ExprKind::Name(name) = &object.kind else { return false };
    let mut next = place.locals.as_deref();
    while let Some(locals) = next {
        if let Some(scope) = locals.innermost_own()
            && let Some(value) = scope.in_call(name)
        {
            let Value::Dict(dict) = value else { return false };
            let dict = dict.borrow();
            return dict.record
                && dict.is_whole()
                && dict.get_str(member).is_none_or(|value| matches!(value, Value::None));
        }
        if locals.given.borrow().contains_key(name.as_str()) || locals.find(name, object.span).is_some() {
            return false;
        }
        next = locals.parent.as_deref();
    }
    false
}

/// Whether a value says more than the declared type of the name that it is bound to.
fn speaks(value: &Value) -> bool {
    match value {
        Value::Class(_) | Value::Function(_) | Value::Bound(..) | Value::Made(_) | Value::Str(_) | Value::Module(_) => {
            true
        }
        Value::Dict(dict) => dict.borrow().record,
        Value::Instance(instance) => instance.class.node.kind != ClassKind::Interface,
        _ => false,
    }
}
