//! What calling a function gives: its declared result with type parameters bound, else what it returns.

use std::rc::Rc;

use super::Schemas;
use super::locals::Locals;
use super::members::widened;
use super::replies::says_little;
use super::types::{Callable, Env, KEYED, Prop, Type};
use super::typing::Place;
use crate::evaluate::{Evaluator, Value};
use crate::model::program::{Arg, BinaryOp, Expr, ExprKind, Function, Param, Stmt, StmtKind};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// The type of an argument of a call.
    pub(super) fn of_arg(&mut self, ev: &mut Evaluator<'p>, arg: &'p Arg, place: &Place<'p>) -> Type<'p> {
        self.type_of(ev, arg.value(), place)
    }

    /// The type of an argument that a parameter takes apart: what an object literal lacks is not there.
    pub(super) fn taken_apart(
        &mut self,
        ev: &mut Evaluator<'p>,
        arg: &'p Arg,
        (function, parameter): (&'p Function, &'p Param),
        place: &Place<'p>,
    ) -> Type<'p> {
        let given = self.of_arg(ev, arg, place);
        let (Type::Object(object), ExprKind::Record(_)) = (&given, &arg.value().kind) else { return given };
        if object.open.is_some() || object.index.is_some() {
            return given;
        }
        let mut object = (**object).clone();
        for statement in &function.body {
            let StmtKind::Assign { value, .. } = &statement.kind else { break };
            let value = match &value.kind {
                ExprKind::Or(value, _) => value,
                _ => value,
            };
            if let ExprKind::Member { object: whole, name } = &value.kind
                && matches!(&whole.kind, ExprKind::Name(known) if *known == parameter.name)
                && !object.props.iter().any(|prop| *prop.name == **name)
            {
                object.props.push(Prop::of(name.as_str(), Type::Undefined));
            }
        }
        Type::Object(Rc::new(object))
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

    pub(super) fn result_of_function(
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
                            let given = self.taken_apart(ev, arg, (function, parameter), place);
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
                let plain = inner.given.borrow().is_empty()
                    && env.bindings.is_empty()
                    && locals.is_none()
                    && this.as_ref().is_none_or(|this| is_own(function, this));
                self.inferred_return(ev, function, &Place { env, locals: Some(Rc::new(inner)) }, plain)
            }
            Callable::Signature { .. } => Type::unknown("function without a declared result", Some(site)),
        }
    }

    /// What a function without a declared result returns: one of what its `return`s give.
    pub fn inferred_return(
        &mut self,
        ev: &mut Evaluator<'p>,
        function: &'p Function,
        place: &Place<'p>,
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
        let touched = ev.touched();
        let mut options = Vec::new();
        let mut reached = Vec::new();
        self.reached_returns(ev, &function.body, place, &mut reached);
        for returned in reached {
            options.push(match returned {
                Some(value) => self.type_of(ev, value, place),
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
        if remember && ev.touched() == touched {
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
        self.inferred_return(ev, function, &Place { env, locals: Some(Rc::new(inner)) }, false)
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

/// Whether a method is called on the very class that it stands in.
fn is_own(function: &Function, this: &Type) -> bool {
    let Type::Class(class, args) = this else { return false };
    let stands = |statement: &Stmt| matches!(&statement.kind, StmtKind::Function(own) if std::ptr::eq(&raw const **own, function));
    args.is_empty() && class.node.body.iter().any(stands)
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
                stack.extend(members.iter().filter_map(|member| member.annotation.as_ref()));
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
