//! What a handler answers through the response object that it is given: `res.status(201).json(user)`.

use std::rc::Rc;

use super::Schemas;
use super::answers::{Chain, Handed, Link, Uses, is_name, uses_where};
use super::locals::Locals;
use super::types::{Callable, Env, Type};
use super::typing::Place;
use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::model::program::{Arg, Expr, ExprKind, Function, Param};
use crate::model::walk;
use crate::text::Span;

/// One place where a handler answers.
#[derive(Clone)]
pub struct Reply<'p> {
    /// `None`: whatever the framework sends by itself.
    pub status: Option<Value<'p>>,
    pub body: ReplyBody<'p>,
    pub span: Span,
    /// Where it is written, which may be in a function that the response is handed to.
    pub written: Span,
}

#[derive(Clone)]
pub enum ReplyBody<'p> {
    /// A value that is sent as JSON, or as text where it is one.
    Value(Type<'p>),
    Nothing,
    /// A page that a browser shows.
    Page,
    /// A file, a redirect, a stream: no JSON that could be known.
    Other(&'static str),
}

/// Functions that a response object is handed on to are followed this far; that there are further ones is told.
const MAX_HANDED_ON: usize = 8;

impl<'p> Schemas<'p> {
    /// Every answer that a handler gives through its parameter at `position` (`this` not counted), in source order.
    pub fn replies(&mut self, ev: &mut Evaluator<'p>, function: &FunctionRef<'p>, position: usize) -> Vec<Reply<'p>> {
        self.replies_given(ev, function, position, Vec::new())
    }

    /// The same, where the framework knows of what types parameters are that declare none.
    pub fn replies_given(
        &mut self,
        ev: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        position: usize,
        given: Vec<(usize, Type<'p>)>,
    ) -> Vec<Reply<'p>> {
        let place = self.place_of(function);
        let mut found = Vec::new();
        let callable =
            Callable::Program { function: function.node, env: Env::of(&function.scope), locals: None, this: None };
        if let Some(parameter) = callable.parameters().get(position) {
            for (at, given) in given {
                if let (Some(parameter), Some(locals)) = (callable.parameters().get(at), &place.locals)
                    && says_little(parameter)
                {
                    locals.given.borrow_mut().insert(&parameter.name, given);
                }
            }
            self.replies_of(ev, function.node, &parameter.name, &place, &[], &mut found);
        }
        found
    }

    fn replies_of(
        &mut self,
        ev: &mut Evaluator<'p>,
        function: &'p Function,
        root: &str,
        place: &Place<'p>,
        around: &[*const Function],
        found: &mut Vec<Reply<'p>>,
    ) {
        let decided = Self::decided_in(ev, &function.body, place);
        let Uses { chains, handed } = uses_where(function, root, &decided);
        for chain in &chains {
            let place = self.place_inside(ev, &chain.inside, place);
            self.reply(ev, chain, &chains, &place, found);
        }
        let within: Vec<*const Function> = around.iter().copied().chain([std::ptr::from_ref(function)]).collect();
        // `sendUser(res, user)`: what the function that it is handed on to answers.
        for Handed { callee, args, span: site, inside } in handed {
            let place = &self.place_inside(ev, &inside, place);
            let callee = self.type_of(ev, callee, place);
            let callee = self.force(ev, &callee);
            let handed = match &callee {
                Type::Function(_) => Some((callee, args)),
                _ => self.passed_through(ev, args, place),
            };
            let Some((Type::Function(callable), args)) = &handed else { continue };
            let Callable::Program { function: inner, env, locals, this } = &**callable else { continue };
            if within.contains(&std::ptr::from_ref(*inner)) {
                continue;
            }
            if around.len() >= MAX_HANDED_ON {
                ev.cut_reading("functions that a response is handed on to, more than 8 deep", Some(site));
                continue;
            }
            let parameters = callable.parameters();
            let at = args.iter().position(|arg| is_name(arg.value(), root));
            let Some(parameter) = at.and_then(|at| parameters.get(at)) else { continue };
            let mut inside = Locals::of(inner, locals.clone(), None);
            inside.this.clone_from(this);
            for (parameter, arg) in parameters.iter().zip(*args) {
                inside.args.borrow_mut().insert(&parameter.name, (arg.value(), place.clone()));
                if says_little(parameter) {
                    let given = self.taken_apart(ev, arg, (inner, parameter), place);
                    inside.given.borrow_mut().insert(&parameter.name, given);
                }
            }
            let inside = Place { env: env.clone(), locals: Some(Rc::new(inside)) };
            let before = found.len();
            self.replies_of(ev, inner, &parameter.name, &inside, &within, found);
            found[before..].iter_mut().for_each(|reply| reply.span = site);
        }
    }

    /// `context.with(ctx, handler, this, req, res)`: a library calls a function that it is given with what comes last.
    pub(super) fn passed_through(
        &mut self,
        ev: &mut Evaluator<'p>,
        args: &'p [Arg],
        place: &Place<'p>,
    ) -> Option<(Type<'p>, &'p [Arg])> {
        for (at, arg) in args.iter().enumerate() {
            if !matches!(arg.value().kind, ExprKind::Name(_) | ExprKind::Member { .. }) {
                continue;
            }
            let ty = self.of_arg(ev, arg, place);
            let ty = self.force(ev, &ty);
            if let Type::Function(callable) = &ty
                && matches!(&**callable, Callable::Program { .. })
            {
                let taken = callable.parameters().len();
                let rest = args.len() - at - 1;
                return (taken > 0 && taken <= rest).then(|| (ty.clone(), &args[args.len() - taken..]));
            }
        }
        None
    }

    /// What a chain sends, if it sends anything; several where its status is chosen among several.
    fn reply(
        &mut self,
        ev: &mut Evaluator<'p>,
        chain: &Chain<'p>,
        all: &[Chain<'p>],
        place: &Place<'p>,
        found: &mut Vec<Reply<'p>>,
    ) {
        let mut statuses: Vec<Value<'p>> = Vec::new();
        let mut body = None;
        for link in &chain.links {
            match link.name {
                "status" | "code" | "writeHead" => statuses = self.statuses(ev, link.args.first(), place, chain.span),
                "json" | "send" | "jsonp" | "text" if link.direct => {
                    body = Some(match link.args.first() {
                        Some(arg) => ReplyBody::Value(self.of_arg(ev, arg, place)),
                        None => ReplyBody::Nothing,
                    });
                }
                "sendStatus" => {
                    statuses = self.statuses(ev, link.args.first(), place, chain.span);
                    body = Some(ReplyBody::Nothing);
                }
                // `res.json(user).end()`
                "end" if body.is_some() && link.args.is_empty() => {}
                "end" => {
                    body = Some(match link.args.first().map(|arg| &arg.value().kind) {
                        None => ReplyBody::Nothing,
                        Some(_) => ReplyBody::Other("text or bytes are sent"),
                    });
                }
                "body" | "newResponse" if link.direct => {
                    body = Some(match link.args.first().map(|arg| &arg.value().kind) {
                        None | Some(ExprKind::None) => ReplyBody::Nothing,
                        Some(_) => ReplyBody::Other("text or bytes are sent"),
                    });
                }
                "notFound" if link.direct => {
                    statuses = vec![Value::Int(404)];
                    body = Some(ReplyBody::Nothing);
                }
                "redirect" => return,
                "sendFile" | "sendfile" if link.args.first().is_some_and(|arg| names_page(arg.value())) => {
                    body = Some(ReplyBody::Page);
                }
                "sendFile" | "download" | "sendfile" => body = Some(ReplyBody::Other("a file is sent")),
                "render" | "view" | "html" => body = Some(ReplyBody::Page),
                "write" | "pipe" | "raw" | "hijack" => body = Some(ReplyBody::Other("a stream is sent")),
                _ => {}
            }
            // `c.json(user, 201)`
            if matches!(link.name, "json" | "text" | "body" | "html" | "newResponse")
                && link.direct
                && let Some(arg) = link.args.get(1)
                && !matches!(arg.value().kind, ExprKind::Record(_) | ExprKind::None)
            {
                statuses = self.statuses(ev, Some(arg), place, chain.span);
            }
        }
        let Some(body) = body else { return };
        let mut before = chain.before.and_then(|at| all.get(at));
        while let (true, Some(earlier)) = (statuses.is_empty(), before) {
            if let [Link { name: "status" | "code", args, .. }] = earlier.links.as_slice() {
                statuses = self.statuses(ev, args.first(), place, chain.span);
            }
            before = earlier.before.and_then(|at| all.get(at));
        }
        let span = chain.span;
        let Some(last) = statuses.pop() else {
            found.push(Reply { status: None, body, span, written: span });
            return;
        };
        statuses.push(last);
        let reply = |status| Reply { status: Some(status), body: body.clone(), span, written: span };
        found.extend(statuses.into_iter().map(reply));
    }

    /// Status codes: a number, those that are chosen among, or what it is instead.
    fn statuses(
        &mut self,
        ev: &mut Evaluator<'p>,
        arg: Option<&'p Arg>,
        place: &Place<'p>,
        site: Span,
    ) -> Vec<Value<'p>> {
        let Some(arg) = arg else { return vec![Value::Unknown("status without a code", Some(site))] };
        let mut found = Vec::new();
        let mut open = vec![arg.value()];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Conditional { test, then, otherwise } => match Self::settled(ev, test, place) {
                    Some(holds) => open.push(if holds { then } else { otherwise }),
                    None => open.extend([&**otherwise, &**then]),
                },
                ExprKind::Cast { value, .. } => open.push(value),
                _ => found.push(self.constant(ev, expr, place)),
            }
        }
        found
    }

    /// The value of an expression in a body, where it is a constant or a default.
    pub fn constant(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Or(left, right) => match self.constant(ev, left, place) {
                known @ Value::Int(_) => known,
                _ => self.constant(ev, right, place),
            },
            ExprKind::Conditional { .. } => Value::Unknown("status that is chosen at run time", Some(expr.span)),
            ExprKind::Name(name) => {
                let mut next = place.locals.clone();
                while let Some(locals) = next {
                    let given = locals.args.borrow().get(name.as_str()).cloned();
                    if let Some((arg, caller)) = given {
                        return self.constant_within(ev, arg, &caller);
                    }
                    if let Some(local) = locals.find(name, expr.span) {
                        return match local {
                            super::locals::Local::Value(value) if locals.assigned(name, expr.span).len() == 1 => {
                                let place = Place { env: place.env.clone(), locals: Some(locals.clone()) };
                                self.constant_within(ev, value, &place)
                            }
                            super::locals::Local::Param(Param { default: Some(default), .. }) => {
                                self.constant_within(ev, default, place)
                            }
                            _ => Value::Unknown("value that is known at run time", Some(expr.span)),
                        };
                    }
                    next = locals.parent.clone();
                }
                ev.evaluate(expr, &place.env.scope)
            }
            _ => ev.evaluate(expr, &place.env.scope),
        }
    }

    fn constant_within(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        if !self.enter() {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        let value = self.constant(ev, expr, place);
        self.leave();
        value
    }
}

/// Whether an expression names a file that is a page: `path.join(__dirname, "index.html")`.
fn names_page(expr: &Expr) -> bool {
    let mut next = vec![expr];
    while let Some(expr) = next.pop() {
        if let ExprKind::Str { text, .. } = &expr.kind {
            let end = std::path::Path::new(text).extension();
            if end.is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm")) {
                return true;
            }
        }
        walk::inner(expr, &mut |inner| next.push(inner));
    }
    false
}

/// Whether the argument says more of a parameter than its declaration.
pub(super) fn says_little(parameter: &Param) -> bool {
    match &parameter.annotation {
        None => true,
        Some(annotation) => match &annotation.kind {
            ExprKind::Name(name) => matches!(name.as_str(), "any" | "unknown" | "object" | "T" | "Object"),
            _ => false,
        },
    }
}
