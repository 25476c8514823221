//! The static type of an expression: declared types first, then what follows from how a value is made. Far less than a
//! type checker: what is not understood is unknown, never guessed.

use std::rc::Rc;

use super::Schemas;
use super::locals::{Local, Locals};
use super::members::widened;
use super::replies::says_little;
use super::types::{Callable, Env, KEYED, ObjectType, Prop, Type};
use crate::evaluate::{Evaluator, FunctionRef, Scope, Value};
use crate::model::Literal;
use crate::model::program::{Arg, BinaryOp, ClassKind, DictItem, Expr, ExprKind, Function, Param};
use crate::text::Span;

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
                let yes = place.under(test, true, then);
                let no = place.under(test, false, otherwise);
                let options = vec![self.type_of(ev, then, &yes), self.type_of(ev, otherwise, &no)];
                Type::union(options)
            }
            ExprKind::Or(left, right) => {
                let left = self.type_of(ev, left, place);
                if self.is_truthy(&left) {
                    return left;
                }
                let left = self.non_null(ev, &left);
                let right = self.type_of(ev, right, place);
                Type::union(vec![left, right])
            }
            ExprKind::And(left, right) => {
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
            let given = locals.frame.as_ref().and_then(|frame| frame.own(name));
            // What the call that ran was not given is not there, what it was given is.
            if let (Some(Local::Value(_)), Some(value)) = (local, &given)
                && is_absent(value)
                && locals.assigned(name, expr.span).len() == 1
            {
                return Type::Undefined;
            }
            let there = matches!(given, Some(Value::Dict(_) | Value::Instance(_) | Value::List(_)));
            if let Some(frame) = &locals.frame
                && let Some(value) = frame.own(name)
                && speaks(&value)
                && !self.declared_better(ev, local, &value, &place.env)
            {
                return self.of_value(ev, &value);
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
                return self.of_value(ev, &value);
            }
            scope = here.parent().cloned();
        }
        let module = place.env.scope.module();
        match ev.declaration(module, name) {
            Some(declared) => self.of_declaration(ev, &declared, name, Some(expr.span)),
            None => {
                let scope = ev.module_scope(module);
                let value = ev.evaluate(expr, &scope);
                self.of_value(ev, &value)
            }
        }
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

    /// A declared type where an object literal is written for it: members that the literal has are not left out.
    fn assigned(&mut self, ev: &mut Evaluator<'p>, declared: Type<'p>, value: &'p Expr, place: &Place<'p>) -> Type<'p> {
        let ExprKind::Record(items) = &value.kind else { return declared };
        let Some(object) = self.properties(ev, &declared) else { return declared };
        if !object.props.iter().any(|prop| prop.optional) {
            return declared;
        }
        let written = self.of_record(ev, items, value, place);
        let Type::Object(written) = &written else { return declared };
        let mut props = object.props.clone();
        let mut changed = false;
        for prop in props.iter_mut().filter(|prop| prop.optional) {
            let Some(given) = written.props.iter().find(|given| given.name == prop.name && !given.optional) else {
                continue;
            };
            if !self.may_be_undefined(ev, &given.ty) {
                prop.loose = true;
                changed = true;
            }
        }
        if !changed {
            return declared;
        }
        Type::Object(Rc::new(ObjectType {
            props,
            index: object.index.clone(),
            open: object.open.clone(),
            name: object.name.clone(),
            span: object.span,
        }))
    }

    fn may_be_undefined(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
        if !self.enter() {
            return true;
        }
        let may = match self.force(ev, ty) {
            Type::Undefined => true,
            Type::Union(options) => options.iter().any(|option| self.may_be_undefined(ev, option)),
            _ => false,
        };
        self.leave();
        may
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
                let declared = Self::lazy(annotation, &place.env);
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
                let ty = self.type_of(ev, value, place);
                self.active.pop();
                // `let list = []` becomes what is put into it.
                match &ty {
                    Type::Array(items) if matches!(**items, Type::Never) => {
                        Type::array(Type::unknown("array that is filled step by step", Some(value.span)))
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
            Local::Param(param) => match (&param.annotation, &param.default) {
                (Some(annotation), default) => {
                    let ty = Self::lazy(annotation, &place.env);
                    if param.optional && default.is_none() { Type::union(vec![ty, Type::Undefined]) } else { ty }
                }
                (None, Some(default)) => widened(self.type_of(ev, default, place)),
                (None, None) => {
                    Type::unknown(format!("parameter `{}` has no declared type", param.name), Some(param.span))
                }
            },
            Local::Function(function) => Type::Function(Rc::new(Callable::Program {
                function,
                env: place.env.clone(),
                locals: place.locals.clone(),
                this: None,
            })),
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

    /// An object literal.
    fn of_record(
        &mut self,
        ev: &mut Evaluator<'p>,
        items: &'p [DictItem],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        let mut object = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: Some(expr.span) };
        for item in items {
            match item {
                DictItem::Pair(key, value) => {
                    let name = match &key.kind {
                        ExprKind::Str { text, .. } => Some(text.clone()),
                        ExprKind::Int(number) => Some(number.to_string()),
                        _ => {
                            let key = self.type_of(ev, key, place);
                            match self.force(ev, &key) {
                                Type::Literal(Literal::String(text)) => Some(text),
                                _ => None,
                            }
                        }
                    };
                    let ty = self.type_of(ev, value, place);
                    match name {
                        Some(name) if !matches!(ty, Type::Function(_)) => add(
                            &mut object.props,
                            Prop {
                                name: Rc::from(name),
                                optional: false,
                                loose: false,
                                ty,
                                span: Some(key.span),
                                decorators: None,
                            },
                        ),
                        Some(_) => {}
                        None => object.open = Some((Rc::from("name of a member is computed"), Some(key.span))),
                    }
                }
                DictItem::Spread(inner) => {
                    let ty = self.type_of(ev, inner, place);
                    self.spread(ev, &ty, inner.span, &mut object);
                }
            }
        }
        Type::Object(Rc::new(object))
    }

    /// `...value` in an object literal.
    pub(super) fn spread(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Span, into: &mut ObjectType<'p>) {
        let forced = self.force(ev, ty);
        match &forced {
            Type::Union(options) => {
                // Each option may be what is spread: a member that not all of them have may be missing.
                let mut found: Vec<Prop<'p>> = Vec::new();
                let mut seen: Vec<usize> = Vec::new();
                for option in options.iter() {
                    let mut one = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: None };
                    self.spread(ev, option, site, &mut one);
                    into.open = into.open.take().or(one.open);
                    into.index = into.index.take().or(one.index);
                    for prop in one.props {
                        match found.iter().position(|known| known.name == prop.name) {
                            Some(at) => {
                                seen[at] += 1;
                                found[at].optional |= prop.optional;
                                found[at].ty = Type::union(vec![found[at].ty.clone(), prop.ty]);
                            }
                            None => {
                                found.push(prop);
                                seen.push(1);
                            }
                        }
                    }
                }
                for (mut prop, seen) in found.into_iter().zip(seen) {
                    prop.optional |= seen < options.len();
                    add(&mut into.props, prop);
                }
            }
            Type::Undefined
            | Type::Null
            | Type::Boolean
            | Type::Literal(_)
            | Type::Never
            | Type::Text
            | Type::Number => {}
            _ => match self.properties(ev, &forced) {
                Some(object) => {
                    object.props.iter().for_each(|prop| add(&mut into.props, prop.clone()));
                    into.index = into.index.take().or_else(|| object.index.clone());
                    into.open = into.open.take().or_else(|| object.open.clone());
                }
                None => {
                    into.open = Some(match forced {
                        Type::Unknown(why, place) => (why, place.or(Some(site))),
                        Type::External(path, _) => {
                            (Rc::from(format!("`{path}` is not part of the scanned sources")), Some(site))
                        }
                        _ => (Rc::from("what is spread in is not known"), Some(site)),
                    });
                }
            },
        }
    }

    /// The type of an argument of a call.
    pub(super) fn of_arg(&mut self, ev: &mut Evaluator<'p>, arg: &'p Arg, place: &Place<'p>) -> Type<'p> {
        self.type_of(ev, arg.value(), place)
    }

    /// What calling something gives, its type parameters bound by the arguments.
    pub fn result_of(
        &mut self,
        ev: &mut Evaluator<'p>,
        callee: &Type<'p>,
        args: &'p [Arg],
        types: &'p [Expr],
        place: Option<&Place<'p>>,
        site: Span,
    ) -> Type<'p> {
        if !self.enter() {
            return self.too_deep(site);
        }
        let forced = self.force(ev, callee);
        let result = match &forced {
            Type::Function(callable) => self.result_of_function(ev, callable, args, types, place, site),
            Type::Value(value) => self.result_of_value(ev, value, args, types, place, site),
            Type::Union(options) => {
                let callable =
                    options.iter().find(|option| matches!(option, Type::Function(_) | Type::Written(_))).cloned();
                match callable {
                    Some(callable) => self.result_of(ev, &callable, args, types, place, site),
                    None => Type::unknown("call of what is no function", Some(site)),
                }
            }
            Type::Unknown(..) => forced.clone(),
            Type::External(path, own) if &**path == KEYED => {
                match (own.first(), args.first().map(|arg| &arg.value().kind)) {
                    (Some(object), Some(ExprKind::Str { text, .. })) => {
                        let object = object.clone();
                        self.member(ev, &object, text, Some(site))
                    }
                    _ => Type::unknown("member that is asked for is not known", Some(site)),
                }
            }
            Type::External(path, _) => {
                Type::unknown(format!("`{path}` is not part of the scanned sources"), Some(site))
            }
            _ => Type::unknown("call of what is no function", Some(site)),
        };
        self.leave();
        result
    }

    fn result_of_function(
        &mut self,
        ev: &mut Evaluator<'p>,
        callable: &Rc<Callable<'p>>,
        args: &'p [Arg],
        types: &'p [Expr],
        place: Option<&Place<'p>>,
        site: Span,
    ) -> Type<'p> {
        let (type_parameters, returns) = match &**callable {
            Callable::Program { function, .. } => (&function.type_parameters, function.returns.as_ref()),
            Callable::Signature { signature, .. } => (&signature.type_parameters, signature.returns.as_ref()),
        };
        let mut env = callable.env().clone();
        if !type_parameters.is_empty() {
            let mut bindings = env.bindings.to_vec();
            let mut bound: Vec<Option<Type<'p>>> = vec![None; type_parameters.len()];
            for (at, ty) in types.iter().enumerate().take(bound.len()) {
                bound[at] = place.map(|place| Self::lazy(ty, &place.env));
            }
            if types.is_empty()
                && let Some(place) = place
            {
                let names: Vec<&'p str> = type_parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                for (parameter, arg) in callable.parameters().iter().zip(args) {
                    let Some(annotation) = &parameter.annotation else { continue };
                    if !mentions(annotation, &names) {
                        continue;
                    }
                    let given = self.of_arg(ev, arg, place);
                    self.unify(ev, annotation, &given, &names, &mut bound, callable.env());
                }
            }
            for (parameter, bound) in type_parameters.iter().zip(bound) {
                let fallback = || match (&parameter.default, &parameter.bound) {
                    (Some(default), _) => Self::lazy(default, &Env::with(&env.scope, bindings.clone())),
                    _ => Type::unknown(format!("type parameter `{}`", parameter.name), Some(site)),
                };
                let bound = bound.unwrap_or_else(fallback);
                bindings.push((&parameter.name, bound));
            }
            env = Env::with(&env.scope, bindings);
        }
        let says_nothing = |returns: &Expr| matches!(&returns.kind, ExprKind::Name(name) if name == "unknown");
        if let Some(returns) = returns
            && !(says_nothing(returns) && matches!(**callable, Callable::Program { .. }))
        {
            if let (ExprKind::Name(name), Callable::Program { this: Some(this), .. }) = (&returns.kind, &**callable)
                && name == "this"
            {
                return this.clone();
            }
            return Self::lazy(returns, &env);
        }
        match &**callable {
            Callable::Program { function, locals, this, .. } => {
                let mut inner = Locals::of(function, locals.clone(), None);
                inner.this.clone_from(this);
                // What the caller gives says what an unannotated parameter is.
                if let Some(place) = place {
                    for (parameter, arg) in callable.parameters().iter().zip(args) {
                        let may_be_absent = parameter.optional
                            || matches!(&parameter.annotation, Some(Expr { kind: ExprKind::Binary { .. }, .. }));
                        if says_little(parameter) || may_be_absent {
                            let given = self.of_arg(ev, arg, place);
                            let given = self.force(ev, &given);
                            // Whether it is there at all says more than the declaration.
                            if !says_little(parameter) && !given.is_nothing() && !self.is_truthy(&given) {
                                continue;
                            }
                            inner.given.borrow_mut().insert(&parameter.name, given);
                        } else if may_be_nothing(parameter) {
                            let given = self.of_arg(ev, arg, place);
                            let given = self.force(ev, &given);
                            if given.is_nothing() {
                                inner.given.borrow_mut().insert(&parameter.name, given);
                            }
                        }
                    }
                }
                let plain = inner.given.borrow().is_empty() && env.bindings.is_empty() && locals.is_none();
                self.inferred_return(ev, function, Place { env, locals: Some(Rc::new(inner)) }, plain)
            }
            Callable::Signature { .. } => Type::unknown("function without a declared result", Some(site)),
        }
    }

    /// What a function without a declared result returns: one of what its `return`s give.
    pub fn inferred_return(
        &mut self,
        ev: &mut Evaluator<'p>,
        function: &'p Function,
        place: Place<'p>,
        remember: bool,
    ) -> Type<'p> {
        let key = std::ptr::from_ref(function);
        if remember && let Some(known) = self.returns.get(&key) {
            return known.clone();
        }
        if self.inferring.contains(&key) || self.inferring.len() > 24 {
            return Type::unknown("function that calls itself", Some(function.name_span));
        }
        self.inferring.push(key);
        let mut options = Vec::new();
        let mut reached = Vec::new();
        self.reached_returns(ev, &function.body, &place, &mut reached);
        for returned in reached {
            options.push(match returned {
                Some(value) => self.type_of(ev, value, &place),
                None => Type::Undefined,
            });
        }
        self.inferring.pop();
        let ty = if options.is_empty() { Type::Undefined } else { Type::union(options) };
        let ty = if function.is_async {
            let inner = self.awaited(ev, &ty);
            Type::promise(inner)
        } else if function.is_generator {
            Type::unknown("generator without a declared type", Some(function.name_span))
        } else {
            ty
        };
        if remember {
            self.returns.insert(key, ty.clone());
        }
        ty
    }

    /// What a callback gives for arguments of known types.
    pub fn apply(&mut self, ev: &mut Evaluator<'p>, callback: &Type<'p>, given: &[Type<'p>], site: Span) -> Type<'p> {
        let forced = self.force(ev, callback);
        let Type::Function(callable) = &forced else {
            return match forced {
                Type::Value(Value::External(path)) if &*path == "javascript.String" => Type::Text,
                Type::Value(Value::External(path)) if &*path == "javascript.Number" => Type::Number,
                unknown @ Type::Unknown(..) => unknown,
                _ => Type::unknown("call of what is no function", Some(site)),
            };
        };
        let Callable::Program { function, env, locals, this } = &**callable else {
            return self.result_of(ev, &forced, &[], &[], None, site);
        };
        let mut env = env.clone();
        if !function.type_parameters.is_empty() {
            let names: Vec<&'p str> =
                function.type_parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let mut bound = vec![None; names.len()];
            for (parameter, given) in callable.parameters().iter().zip(given) {
                if let Some(annotation) = &parameter.annotation {
                    self.unify(ev, annotation, given, &names, &mut bound, &env);
                }
            }
            let mut bindings = env.bindings.to_vec();
            for (name, bound) in names.iter().zip(bound) {
                bindings.push((name, bound.unwrap_or_else(|| Type::unknown("type parameter", Some(site)))));
            }
            env = Env::with(&env.scope, bindings);
        }
        if let Some(returns) = &function.returns {
            return Self::lazy(returns, &env);
        }
        let mut inner = Locals::of(function, locals.clone(), None);
        inner.this.clone_from(this);
        for (parameter, given) in callable.parameters().iter().zip(given) {
            if parameter.annotation.is_none() {
                inner.given.borrow_mut().insert(&parameter.name, given.clone());
            }
        }
        self.inferred_return(ev, function, Place { env, locals: Some(Rc::new(inner)) }, false)
    }

    /// Finds what type parameters stand for, by laying a written type over a given one.
    pub(super) fn unify(
        &mut self,
        ev: &mut Evaluator<'p>,
        written: &'p Expr,
        given: &Type<'p>,
        names: &[&'p str],
        bound: &mut [Option<Type<'p>>],
        env: &Env<'p>,
    ) {
        if !self.enter() {
            return;
        }
        match &written.kind {
            ExprKind::Name(name) => {
                if let Some(at) = names.iter().position(|known| known == name)
                    && bound[at].is_none()
                {
                    bound[at] = Some(widened(given.clone()));
                }
            }
            ExprKind::Index { object, index } => {
                let given = self.non_null(ev, given);
                let name = match &object.kind {
                    ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
                    _ => "",
                };
                match (&given, name) {
                    (_, "Array" | "ReadonlyArray" | "Iterable") => {
                        if let (Some(items), Some(inner)) = (self.items(ev, &given), index.first()) {
                            self.unify(ev, inner, &items, names, bound, env);
                        }
                    }
                    (Type::Promise(inner), _) => {
                        if let Some(written) = index.first() {
                            self.unify(ev, written, &inner.clone(), names, bound, env);
                        }
                    }
                    // A class given where its instances are spoken of: `EntityTarget<T>`, `Type<T>`.
                    (Type::Value(Value::Class(class)), _) => {
                        if let Some(written) = index.first() {
                            self.unify(ev, written, &Type::class(class.clone()), names, bound, env);
                        }
                    }
                    (Type::Class(_, args) | Type::External(_, args), _) => {
                        for (written, given) in index.iter().zip(args.iter()) {
                            self.unify(ev, written, given, names, bound, env);
                        }
                    }
                    // A schema where schemas of a type are spoken of: `ZodType<T>`.
                    (Type::Value(value @ Value::Made(_)), _) => {
                        if let (Some(written), Some(shape)) = (index.first(), self.shape_of_schema(ev, value, None)) {
                            self.unify(ev, written, &Type::Schema(shape), names, bound, env);
                        }
                    }
                    _ => self.unify_members(ev, object, index, &given, names, bound, env),
                }
            }
            ExprKind::ObjectType(members) => {
                for member in members {
                    let open: Vec<&'p str> = names
                        .iter()
                        .zip(bound.iter())
                        .filter(|(_, bound)| bound.is_none())
                        .map(|(name, _)| *name)
                        .collect();
                    if let Some(annotation) = &member.annotation
                        && mentions(annotation, &open)
                    {
                        let given = self.member(ev, given, &member.name, None);
                        if !given.is_unknown() {
                            self.unify(ev, annotation, &given, names, bound, env);
                        }
                    }
                }
            }
            ExprKind::FunctionType(signature) => {
                if let Some(returns) = &signature.returns {
                    let given = self.non_null(ev, given);
                    let result = match &given {
                        Type::Function(callable) if matches!(&**callable, Callable::Program { .. }) => {
                            let env = env.clone();
                            let parameters: Vec<Type<'p>> = signature
                                .parameters
                                .iter()
                                .map(|parameter| match &parameter.annotation {
                                    Some(annotation) => {
                                        let known = names.iter().zip(bound.iter());
                                        let known = known.filter_map(|(name, bound)| Some((*name, bound.clone()?)));
                                        let bindings = env.bindings.iter().cloned().chain(known).collect();
                                        Self::lazy(annotation, &Env::with(&env.scope, bindings))
                                    }
                                    None => Type::unknown("parameter of a callback", Some(parameter.span)),
                                })
                                .collect();
                            self.apply(ev, &given, &parameters, written.span)
                        }
                        _ => self.result_of(ev, &given, &[], &[], None, written.span),
                    };
                    if !result.is_unknown() {
                        self.unify(ev, returns, &result, names, bound, env);
                    }
                }
            }
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let given = self.non_null(ev, given);
                for side in [left, right] {
                    if mentions(side, names) {
                        self.unify(ev, side, &given, names, bound, env);
                    }
                }
            }
            _ => {}
        }
        self.leave();
    }
}

/// Whether a written type says one of the names.
pub(super) fn mentions(written: &Expr, names: &[&str]) -> bool {
    let mut stack = vec![written];
    while let Some(expr) = stack.pop() {
        match &expr.kind {
            ExprKind::Name(name) if names.contains(&name.as_str()) => return true,
            ExprKind::Index { object, index } => {
                stack.push(object);
                stack.extend(index);
            }
            ExprKind::Binary { left, right, .. } => stack.extend([&**left, &**right]),
            ExprKind::Tuple(items) => stack.extend(items),
            ExprKind::Spread(inner) => stack.push(inner),
            ExprKind::ObjectType(members) => {
                stack.extend(members.iter().filter_map(|member| member.annotation.as_ref()))
            }
            ExprKind::FunctionType(signature) => {
                stack.extend(signature.returns.as_ref());
                stack.extend(signature.parameters.iter().filter_map(|parameter| parameter.annotation.as_ref()));
            }
            _ => {}
        }
    }
    false
}

fn add<'p>(props: &mut Vec<Prop<'p>>, prop: Prop<'p>) {
    match props.iter_mut().find(|known| known.name == prop.name) {
        // `{ ...all, name }`: the later one counts, unless it may not be there.
        Some(known) if prop.optional => known.ty = Type::union(vec![known.ty.clone(), prop.ty]),
        Some(known) => *known = prop,
        None => props.push(prop),
    }
}

/// The locals of the calls that a function was defined in.
pub(super) fn outer_locals<'p>(scope: &Scope<'p>) -> Option<Rc<Locals<'p>>> {
    let mut frames = Vec::new();
    let mut next = Some(scope.clone());
    while let Some(here) = next {
        if let Some(function) = here.function() {
            frames.push((function, here.clone()));
        }
        next = here.parent().cloned();
    }
    let mut locals = None;
    for (function, frame) in frames.into_iter().rev() {
        locals = Some(Rc::new(Locals::of(function, locals, Some(frame))));
    }
    locals
}

fn is_absent(value: &Value) -> bool {
    matches!(value, Value::None) || value.as_external() == Some("javascript.undefined")
}

/// `name?: T`, `name: T | undefined`, `name: T | null`
fn may_be_nothing(parameter: &Param) -> bool {
    let mut written = parameter.annotation.as_ref();
    while let Some(annotation) = written {
        let nothing = |expr: &Expr| match &expr.kind {
            ExprKind::None => true,
            ExprKind::Name(name) => name == "undefined",
            _ => false,
        };
        match &annotation.kind {
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } if !nothing(left) && !nothing(right) => {
                written = Some(left);
            }
            ExprKind::Binary { op: BinaryOp::BitOr, .. } => return true,
            _ => break,
        }
    }
    parameter.optional
}

/// Whether the argument that a name stands for in a call that ran is known whole, without such a member.
fn lacks(object: &Expr, member: &str, place: &Place) -> bool {
    let ExprKind::Name(name) = &object.kind else { return false };
    let mut next = place.locals.as_deref();
    while let Some(locals) = next {
        if let Some(frame) = &locals.frame
            && let Some(value) = frame.own(name)
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
