//! What a handler of tornado sends: `self.write(…)`, `self.finish(…)`, each with the status that was set before.

use std::rc::Rc;

use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Value};
use crate::frameworks::returned::{self, Answer, Sent};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::{Body as Code, called_name};
use crate::model::program::{Arg, CompareOp, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::{Kind, Response};
use crate::text::Span;

/// Methods of the program that are followed from a handler; it may answer anything in one that is further away.
const MAX_CALLS: usize = 5;
/// Places that send something; in others, it may answer anything.
const MAX_ANSWERS: usize = 100;

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let Some((function, class)) = returned::function_of(evaluator, route.handler) else {
        return vec![returned::unknown(schemas, "handler of the route is not known", site)];
    };
    let code = Code::new(evaluator, &function, class.as_ref());
    let mut reader = Reader {
        evaluator,
        schemas,
        found: Vec::new(),
        exits: vec![Vec::new()],
        left: false,
        chosen: &route.draft.options,
    };
    let end = reader.block(&function.node.body, &code, State::default());
    let exits = reader.exits.pop().unwrap_or_default();
    exits.into_iter().chain([end]).for_each(|state| reader.send(state, site));
    let (mut found, left) = (reader.found, reader.left);
    let sends = |answer: &Answer| !matches!(answer.body, Sent::Nothing);
    // What is handed on may send more than is seen.
    if left && !found.iter().any(sends) {
        let status = found.first().and_then(|answer| answer.status.clone());
        let body = Sent::Unknown("what the handler calls may send it".to_owned());
        found.push(Answer { status, body, span: site });
    }
    returned::responses(schemas, found, 200, site)
}

/// Whether all that a method does is to raise: it says that it does not answer.
pub(super) fn only_raises(function: &Function) -> bool {
    let is_text = |statement: &&Stmt| matches!(&statement.kind, StmtKind::Expr(value) if matches!(value.kind, ExprKind::Str { .. }));
    let mut rest = function.body.iter().skip_while(is_text);
    matches!(rest.next().map(|statement| &statement.kind), Some(StmtKind::Raise)) && rest.next().is_none()
}

/// What a handler did up to a place: the response is sent when it is finished.
#[derive(Clone, Default)]
struct State<'p> {
    status: Option<Value<'p>>,
    written: Vec<(Sent, Span)>,
    /// It is sent, or nobody comes here.
    done: bool,
}

struct Reader<'r, 'p> {
    evaluator: &'r mut Evaluator<'p>,
    schemas: &'r mut Schemas<'p>,
    found: Vec<Answer<'p>>,
    /// What was done where functions return, the innermost last.
    exits: Vec<Vec<State<'p>>>,
    /// The handler, or something of it, went where it is not followed.
    left: bool,
    /// What the path says of parameters of the handler.
    chosen: &'r Args<'p>,
}

impl<'p> Reader<'_, 'p> {
    /// What is sent at the end.
    fn send(&mut self, state: State<'p>, site: Span) {
        if state.done {
            return;
        }
        if self.found.len() >= MAX_ANSWERS {
            self.left = true;
            return;
        }
        if state.written.is_empty() && state.status.is_some() {
            self.found.push(Answer { status: state.status, body: Sent::Nothing, span: site });
            return;
        }
        for (body, span) in state.written {
            self.found.push(Answer { status: state.status.clone(), body, span });
        }
    }

    /// Reads a block; gives what holds after it.
    fn block(&mut self, block: &'p [Stmt], code: &Rc<Code<'p>>, state: State<'p>) -> State<'p> {
        let mut state = state;
        for statement in block {
            state = self.statement(statement, code, state);
        }
        state
    }

    fn statement(&mut self, statement: &'p Stmt, code: &Rc<Code<'p>>, state: State<'p>) -> State<'p> {
        if state.done {
            return state;
        }
        match &statement.kind {
            StmtKind::Expr(value) => self.expression(value, code, state),
            StmtKind::Return(value) => {
                let state = match value {
                    Some(value) => self.expression(value, code, state),
                    None => state,
                };
                match self.exits.last_mut() {
                    Some(exits) if exits.len() < MAX_ANSWERS => exits.push(state),
                    Some(_) => self.left = true,
                    None => {}
                }
                State { done: true, ..State::default() }
            }
            StmtKind::Raise => State { done: true, ..state },
            StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. } => {
                self.expression(value, code, state)
            }
            StmtKind::If { test, then, otherwise } => {
                if let Some(holds) = self.decided(test) {
                    return self.block(if holds { then } else { otherwise }, code, state);
                }
                let first = self.block(then, code, state.clone());
                let second = self.block(otherwise, code, state);
                either(first, second, statement.span)
            }
            StmtKind::For { body, otherwise, .. } => {
                let after = self.block(body, code, state.clone());
                let after = either(after, state, statement.span);
                self.block(otherwise, code, after)
            }
            StmtKind::While { body, .. } => {
                let after = self.block(body, code, state.clone());
                either(after, state, statement.span)
            }
            StmtKind::With { body, .. } => self.block(body, code, state),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                let mut after = self.block(body, code, state.clone());
                after = self.block(otherwise, code, after);
                for handler in handlers {
                    let rescued = self.block(handler, code, state.clone());
                    after = either(after, rescued, statement.span);
                }
                self.block(finally, code, after)
            }
            StmtKind::Match { cases, .. } => {
                let mut after = state.clone();
                for case in cases {
                    let taken = self.block(&case.body, code, state.clone());
                    after = either(after, taken, statement.span);
                }
                after
            }
            _ => state,
        }
    }

    /// `action == "restart"`, where the path has one of few.
    fn decided(&self, test: &Expr) -> Option<bool> {
        let ExprKind::Compare { op, left, right } = &test.kind else { return None };
        let (ExprKind::Name(name), ExprKind::Str { text, .. }) = (&left.kind, &right.kind) else { return None };
        let same = self.chosen.named(name).filter(|_| self.exits.len() == 1)?.as_str()? == text;
        match op {
            CompareOp::Equal => Some(same),
            CompareOp::NotEqual => Some(!same),
            _ => None,
        }
    }

    fn expression(&mut self, value: &'p Expr, code: &Rc<Code<'p>>, mut state: State<'p>) -> State<'p> {
        let value = match &value.kind {
            ExprKind::Await(inner) | ExprKind::Yield(Some(inner)) => inner,
            _ => value,
        };
        let ExprKind::Call { callee, args, .. } = &value.kind else { return state };
        let ExprKind::Member { object, name } = &callee.kind else {
            self.left |= args.iter().any(|arg| is_receiver(arg.value(), code));
            return state;
        };
        let is_super = matches!(&object.kind, ExprKind::Call { callee, .. } if called_name(callee) == "super");
        if !is_receiver(object, code) && !is_super {
            self.left |= args.iter().any(|arg| is_receiver(arg.value(), code));
            return state;
        }
        let first = match args.first() {
            Some(Arg::Positional(first) | Arg::Keyword(_, first)) => Some(first),
            _ => None,
        };
        let span = value.span;
        match (name.as_str(), first) {
            ("set_status", Some(first)) => state.status = Some(code.value(self.evaluator, first)),
            ("write" | "finish", _) => {
                match first {
                    Some(first) => {
                        let body = self.sent(first, code);
                        state.written.push((body, span));
                    }
                    None if args.is_empty() => {}
                    // What overrides one of these hands on what it is given.
                    None => self.left = true,
                }
                if name == "finish" {
                    // Sent without a body where none was written.
                    state.status = state.status.or_else(|| state.written.is_empty().then_some(Value::Int(200)));
                    self.send(std::mem::take(&mut state), span);
                    state.done = true;
                }
            }
            ("render", _) => state.written.push((Sent::Media("text/html"), span)),
            ("redirect" | "send_error", _) => state.done = true,
            _ => {
                if let Some((function, class)) = code.callee(self.evaluator, callee) {
                    return self.called(&function, class.as_ref(), args, code, state);
                }
                self.left |= is_super;
            }
        }
        state
    }

    fn called(
        &mut self,
        function: &FunctionRef<'p>,
        class: Option<&ClassRef<'p>>,
        args: &'p [Arg],
        code: &Rc<Code<'p>>,
        state: State<'p>,
    ) -> State<'p> {
        let deep = self.exits.len() > MAX_CALLS || self.found.len() >= MAX_ANSWERS;
        let Some(inner) = code.called(Some(self.evaluator), function, class, args).filter(|_| !deep) else {
            self.left = true;
            return state;
        };
        self.exits.push(Vec::new());
        let mut after = self.block(&function.node.body, &inner, state);
        for exit in self.exits.pop().unwrap_or_default() {
            after = either(after, exit, function.node.name_span);
        }
        after
    }

    /// A dict is written as JSON, text as it is.
    fn sent(&mut self, value: &'p Expr, code: &Rc<Code<'p>>) -> Sent {
        let mut value = value;
        let mut code = code.clone();
        for _ in 0..8 {
            match &value.kind {
                ExprKind::Name(name) if code.is_local(name) => match code.bound(name).as_deref() {
                    Some([(bound, inner)]) if matches!(bound.kind, ExprKind::Call { .. } | ExprKind::Name(_)) => {
                        let inner = inner.clone();
                        value = bound;
                        code = inner;
                    }
                    _ => break,
                },
                ExprKind::Call { callee, args, .. }
                    if matches!(called_name(callee), "dumps" | "json_encode") && !args.is_empty() =>
                {
                    let shape = self.schemas.python().shape_of_written(self.evaluator, args[0].value(), &code);
                    return Sent::Json(shape);
                }
                _ => break,
            }
        }
        if matches!(value.kind, ExprKind::Str { .. } | ExprKind::Template(_)) {
            return Sent::Unknown("text whose media type is not read".to_owned());
        }
        let schemas = self.schemas.python();
        let shape = schemas.shape_of_written(self.evaluator, value, &code);
        match schemas.table.view(shape).shape.kind {
            Kind::Object(_) => Sent::Json(shape),
            _ => Sent::Unknown("only running tells what is written".to_owned()),
        }
    }
}

fn is_receiver(value: &Expr, code: &Rc<Code>) -> bool {
    matches!(&value.kind, ExprKind::Name(name) if code.is_receiver(name))
}

/// What holds where two ways come together.
fn either<'p>(first: State<'p>, second: State<'p>, span: Span) -> State<'p> {
    let (mut first, second) = match (first.done, second.done) {
        (true, _) => return second,
        (_, true) => return first,
        _ => (first, second),
    };
    first.status = match (first.status, second.status) {
        (None, None) => None,
        (Some(one), Some(other)) if one.same(&other) => Some(one),
        _ => Some(Value::Unknown("which of several statuses it is", Some(span))),
    };
    for written in second.written {
        if !first.written.iter().any(|(_, known)| *known == written.1) && first.written.len() < MAX_ANSWERS {
            first.written.push(written);
        }
    }
    first
}
