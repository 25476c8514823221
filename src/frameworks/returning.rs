//! Where handlers of Python return, and what: literals, names, tuples of body and status, results of functions that are
//! written out. What a call of a library answers is for each framework to say.

use std::rc::Rc;

use super::returned::{self, Answer, Sent};
use super::{Route, Schemas};
use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::languages::python::schema::{Body as Code, called_name, is_plain};
use crate::model::program::{Arg, Expr, ExprKind};
use crate::model::{Kind, Response};
use crate::text::Span;

/// Answers within answers that are read; a deeper one is not known.
const MAX_DEPTH: u32 = 12;
/// Places of one handler that return; that there are more is told.
const MAX_ANSWERS: usize = 200;

/// A call whose result is returned.
pub(super) struct Call<'c, 'p> {
    /// Of the library's function or class; empty where it is not known.
    pub(super) path: &'c str,
    /// The last part of the path, else of what is called.
    pub(super) name: &'c str,
    pub(super) args: &'p [Arg],
    pub(super) code: &'c Rc<Code<'p>>,
    pub(super) span: Span,
}

impl<'p> Call<'_, 'p> {
    /// The argument at a position or of a name.
    pub(super) fn argument(&self, position: usize, name: &str) -> Option<&'p Expr> {
        match self.args.get(position) {
            Some(Arg::Positional(value)) => Some(value),
            _ => self.named(name),
        }
    }

    pub(super) fn named(&self, name: &str) -> Option<&'p Expr> {
        self.args.iter().find_map(|arg| match arg {
            Arg::Keyword(known, value) if known == name => Some(value),
            _ => None,
        })
    }

    /// The value of an argument by name.
    pub(super) fn value(&self, evaluator: &mut Evaluator<'p>, argument: Option<&'p Expr>) -> Option<Value<'p>> {
        argument.map(|value| self.code.value(evaluator, value))
    }

    /// An expression as JSON.
    pub(super) fn json(&self, evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, value: &'p Expr) -> Sent {
        Sent::Json(schemas.python().shape_of_written(evaluator, value, self.code))
    }
}

/// What a call of a library answers.
pub(super) enum Known<'p> {
    /// With a status where it says one.
    Answer(Option<Value<'p>>, Sent),
    /// Whatever this expression answers, with a status where it says one.
    Value(&'p Expr, Option<Value<'p>>),
    /// It does not return.
    Never,
}

/// How the handlers of a framework answer.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) call: for<'p> fn(&mut Evaluator<'p>, &mut Schemas<'p>, &Call<'_, 'p>) -> Option<Known<'p>>,
    /// Text that is returned is written as JSON.
    pub(super) text_is_json: bool,
    /// A tuple is a body and a status.
    pub(super) tuple_has_status: bool,
}

/// What the handler of a route answers, with 200 where it says no status; not known where a decorator may change it.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    manner: Manner,
) -> Vec<Response> {
    let site = route.draft.site;
    let Some((function, class)) = returned::function_of(evaluator, route.handler) else {
        return vec![returned::unknown(schemas, "handler of the route is not known", site)];
    };
    if returned::may_change(evaluator, &function) {
        return vec![returned::unknown(schemas, "a decorator may change what is sent", site)];
    }
    let code = Code::new(evaluator, &function, class.as_ref());
    let found = answers(evaluator, schemas, &function, &code, manner);
    returned::responses(schemas, found, 200, site)
}

/// What a handler answers, wherever it returns.
pub(super) fn answers<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    code: &Rc<Code<'p>>,
    manner: Manner,
) -> Vec<Answer<'p>> {
    if function.node.is_generator {
        return Vec::new();
    }
    let mut reader = Reader { evaluator, schemas, manner, found: Vec::new() };
    for value in code.returns().to_vec() {
        reader.read(value, code, None, 0);
    }
    reader.found
}

struct Reader<'r, 'p> {
    evaluator: &'r mut Evaluator<'p>,
    schemas: &'r mut Schemas<'p>,
    manner: Manner,
    found: Vec<Answer<'p>>,
}

impl<'p> Reader<'_, 'p> {
    fn add(&mut self, status: Option<Value<'p>>, body: Sent, span: Span) {
        if self.has_room(span) {
            self.found.push(Answer { status, body, span });
        }
    }

    fn has_room(&mut self, span: Span) -> bool {
        let fits = self.found.len() < MAX_ANSWERS;
        if !fits {
            self.evaluator.cut_reading("places where one handler returns, beyond the 200th", Some(span));
        }
        fits
    }

    fn json(&mut self, value: &'p Expr, code: &Rc<Code<'p>>) -> Sent {
        Sent::Json(self.schemas.python().shape_of_written(self.evaluator, value, code))
    }

    /// What is not known may be a response, with a status of its own.
    fn unknown(&mut self, status: Option<Value<'p>>, why: &'static str, span: Span) {
        let status = status.unwrap_or(Value::Unknown(why, Some(span)));
        self.add(Some(status), Sent::Unknown(why.to_owned()), span);
    }

    fn read(&mut self, value: &'p Expr, code: &Rc<Code<'p>>, status: Option<Value<'p>>, depth: u32) {
        let span = value.span;
        if !self.has_room(span) {
            return;
        }
        if depth > MAX_DEPTH {
            return self.unknown(status, "what is returned is nested too deep", span);
        }
        match &value.kind {
            ExprKind::Tuple(parts) if self.manner.tuple_has_status => {
                let given = match parts.get(1).map(|part| &part.kind) {
                    None | Some(ExprKind::Dict(_)) => None,
                    Some(_) => Some(code.value(self.evaluator, &parts[1])),
                };
                match parts.first() {
                    Some(body) => self.read(body, code, status.or(given), depth + 1),
                    None => self.unknown(status, "an empty tuple is returned", span),
                }
            }
            ExprKind::Dict(_) | ExprKind::List(_) | ExprKind::Comprehension(_) | ExprKind::Tuple(_) => {
                let body = self.json(value, code);
                self.add(status, body, span);
            }
            ExprKind::Str { .. } | ExprKind::Template(_) | ExprKind::None if self.manner.text_is_json => {
                let body = self.json(value, code);
                self.add(status, body, span);
            }
            ExprKind::Str { text, .. } if text.is_empty() => self.add(status, Sent::Nothing, span),
            ExprKind::None => self.add(status, Sent::Nothing, span),
            ExprKind::Str { .. } | ExprKind::Template(_) => self.add(status, Sent::Media("text/html"), span),
            ExprKind::Conditional { test, then, otherwise } => {
                if let Some(holds) = code.settled(self.evaluator, test) {
                    return self.read(if holds { then } else { otherwise }, code, status, depth + 1);
                }
                self.read(then, code, status.clone(), depth + 1);
                self.read(otherwise, code, status, depth + 1);
            }
            ExprKind::Await(inner) => self.read(inner, code, status, depth + 1),
            ExprKind::Name(name) if code.is_local(name) => self.local(name, value, code, status, depth),
            ExprKind::Call { callee, args, .. } => self.call(value, callee, args, code, status, depth),
            ExprKind::Member { object, name } => match code.property(self.evaluator, object, name) {
                Some(inner) => self.inner(&inner, status, span, depth),
                None => self.whole(value, code, status),
            },
            ExprKind::Name(_) | ExprKind::Index { .. } => self.whole(value, code, status),
            _ => self.unknown(status, "only running tells what is returned", span),
        }
    }

    /// What is returned as a dict or list is written as JSON: `schema.dump(…)`.
    fn whole(&mut self, value: &'p Expr, code: &Rc<Code<'p>>, status: Option<Value<'p>>) {
        let python = self.schemas.python();
        let shape = python.shape_of_written(self.evaluator, value, code);
        match python.table.view(shape).shape.kind {
            Kind::Object(_) | Kind::Array { .. } => self.add(status, Sent::Json(shape), value.span),
            _ => self.unknown(status, "only running tells what is returned", value.span),
        }
    }

    /// What a function that is called returns.
    fn inner(&mut self, inner: &Rc<Code<'p>>, status: Option<Value<'p>>, span: Span, depth: u32) {
        if inner.returns().is_empty() {
            return self.unknown(status, "function that returns nothing", span);
        }
        for value in inner.returns().to_vec() {
            self.read(value, inner, status.clone(), depth + 1);
        }
    }

    fn local(&mut self, name: &'p str, value: &'p Expr, code: &Rc<Code<'p>>, status: Option<Value<'p>>, depth: u32) {
        let set = code.attribute(name, "status_code").or_else(|| code.attribute(name, "status"));
        let set = set.map(|given| code.value(self.evaluator, given));
        let status = status.or(set);
        let bound = code.bound(name).unwrap_or_default();
        let makes_answer =
            |value: &&'p Expr| matches!(value.kind, ExprKind::Call { .. } | ExprKind::Tuple(_) | ExprKind::Name(_));
        if bound.is_empty() {
            return self.unknown(status, "only running tells what is returned", value.span);
        }
        // What is filled after it was made is read as a whole.
        if !bound.iter().all(|(value, _)| makes_answer(value)) {
            let body = self.json(value, code);
            return self.add(status, body, value.span);
        }
        for (value, inner) in bound {
            self.read(value, &inner, status.clone(), depth + 1);
        }
    }

    fn call(
        &mut self,
        whole: &'p Expr,
        callee: &'p Expr,
        args: &'p [Arg],
        code: &Rc<Code<'p>>,
        status: Option<Value<'p>>,
        depth: u32,
    ) {
        let span = whole.span;
        if let Some((function, class)) = code.callee(self.evaluator, callee) {
            let inner = code.called(Some(self.evaluator), &function, class.as_ref(), args);
            let Some(inner) = inner.filter(|_| !function.node.is_generator && is_plain(function.node)) else {
                return self.unknown(status, "result of a function that is not followed", span);
            };
            return self.inner(&inner, status, span, depth);
        }
        let path = returned::external_callee(self.evaluator, callee, code);
        let path = path.as_deref().unwrap_or("");
        let name = if path.is_empty() { called_name(callee) } else { last(path) };
        let call = Call { path, name, args, code, span };
        match (self.manner.call)(self.evaluator, self.schemas, &call) {
            Some(Known::Answer(given, sent)) => self.add(status.or(given), sent, span),
            Some(Known::Value(value, given)) => self.read(value, code, status.or(given), depth + 1),
            Some(Known::Never) => {}
            None => self.whole(whole, code, status),
        }
    }
}
