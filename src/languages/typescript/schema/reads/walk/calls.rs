//! Calls that are given parts of the request, and the functions of the program that they lead to.

use std::rc::Rc;

use super::stands::Stands;
use super::{MAX_ALIASES, Walk};
use crate::evaluate::{FunctionRef, Value};
use crate::languages::typescript::schema::locals::Locals;
use crate::languages::typescript::schema::reads::parts::{self, Part};
use crate::languages::typescript::schema::reads::{Typed, bare};
use crate::languages::typescript::schema::typing::Place;
use crate::languages::typescript::schema::{Callable, Schemas, Type};
use crate::model::program::{Arg, Expr, ExprKind};

impl<'p> Walk<'_, 'p> {
    pub(super) fn call(&mut self, expr: &'p Expr, callee: &'p Expr, args: &'p [Arg]) {
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
}
