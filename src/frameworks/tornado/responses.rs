//! What a handler of tornado sends: `self.write(…)`, `self.finish(…)`, each with the status that was set before.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Value};
use crate::frameworks::returned::{self, Answer, Sent};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::{Body as Code, called_name};
use crate::model::program::{Arg, CompareOp, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::{Kind, Response};
use crate::text::Span;

/// Methods of the program that are followed from a handler.
const MAX_CALLS: u32 = 5;
/// Places that send something.
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
    let code = Code::new(&function, class.as_ref());
    let mut reader = Reader { evaluator, schemas, found: Vec::new(), calls: 0, left: false, chosen: &route.draft.options };
    reader.block(&function.node.body, &code, None);
    let (mut found, left) = (reader.found, reader.left);
    let sends = |answer: &Answer| !matches!(answer.body, Sent::Nothing);
    // What is handed on may send more than is seen.
    if left && !found.iter().any(sends) {
        found.push(Answer {
            status: None,
            body: Sent::Unknown("what the handler calls may send it".to_owned()),
            span: site,
        });
    }
    returned::responses(schemas, found, 200, site)
}

/// Whether all that a method does is to raise: it says that it does not answer.
pub(super) fn only_raises(function: &Function) -> bool {
    let is_text = |statement: &&Stmt| matches!(&statement.kind, StmtKind::Expr(value) if matches!(value.kind, ExprKind::Str { .. }));
    let mut rest = function.body.iter().skip_while(is_text);
    matches!(rest.next().map(|statement| &statement.kind), Some(StmtKind::Raise)) && rest.next().is_none()
}

struct Reader<'r, 'p> {
    evaluator: &'r mut Evaluator<'p>,
    schemas: &'r mut Schemas<'p>,
    found: Vec<Answer<'p>>,
    calls: u32,
    /// The handler, or something of it, went where it is not followed.
    left: bool,
    /// What the path says of parameters of the handler.
    chosen: &'r Args<'p>,
}

/// The status that is set, if any.
type Status<'p> = Option<Value<'p>>;

impl<'p> Reader<'_, 'p> {
    /// Reads a block; gives the status that holds after it.
    fn block(&mut self, block: &'p [Stmt], code: &Rc<Code<'p>>, status: Status<'p>) -> Status<'p> {
        let mut status = status;
        for statement in block {
            status = self.statement(statement, code, status);
        }
        status
    }

    fn statement(&mut self, statement: &'p Stmt, code: &Rc<Code<'p>>, status: Status<'p>) -> Status<'p> {
        match &statement.kind {
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.expression(value, code, status),
            StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. } => {
                self.expression(value, code, status)
            }
            StmtKind::If { test, then, otherwise } => {
                if let Some(holds) = self.decided(test) {
                    return self.block(if holds { then } else { otherwise }, code, status);
                }
                let first = self.block(then, code, status.clone());
                let second = self.block(otherwise, code, status.clone());
                let ends = |block: &[Stmt]| {
                    matches!(block.last().map(|last| &last.kind), Some(StmtKind::Return(_) | StmtKind::Raise))
                };
                match (ends(then), ends(otherwise)) {
                    (true, _) => second,
                    (_, true) => first,
                    _ => either(first, second, statement.span),
                }
            }
            StmtKind::For { body, otherwise, .. } => {
                self.block(body, code, status.clone());
                self.block(otherwise, code, status)
            }
            StmtKind::While { body, .. } => {
                self.block(body, code, status.clone());
                status
            }
            StmtKind::With { body, .. } => self.block(body, code, status),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                let after = self.block(body, code, status.clone());
                for handler in handlers {
                    self.block(handler, code, status.clone());
                }
                let after = self.block(otherwise, code, after);
                self.block(finally, code, after)
            }
            StmtKind::Match { cases, .. } => {
                for case in cases {
                    self.block(&case.body, code, status.clone());
                }
                status
            }
            _ => status,
        }
    }

    /// `action == "restart"`, where the path has one of few.
    fn decided(&self, test: &Expr) -> Option<bool> {
        let ExprKind::Compare { op, left, right } = &test.kind else { return None };
        let (ExprKind::Name(name), ExprKind::Str { text, .. }) = (&left.kind, &right.kind) else { return None };
        let same = self.chosen.named(name).filter(|_| self.calls == 0)?.as_str()? == text;
        match op {
            CompareOp::Equal => Some(same),
            CompareOp::NotEqual => Some(!same),
            _ => None,
        }
    }

    fn expression(&mut self, value: &'p Expr, code: &Rc<Code<'p>>, status: Status<'p>) -> Status<'p> {
        let value = match &value.kind {
            ExprKind::Await(inner) | ExprKind::Yield(Some(inner)) => inner,
            _ => value,
        };
        let ExprKind::Call { callee, args, .. } = &value.kind else { return status };
        let ExprKind::Member { object, name } = &callee.kind else {
            self.left |= args.iter().any(|arg| is_receiver(arg.value(), code));
            return status;
        };
        let is_super = matches!(&object.kind, ExprKind::Call { callee, .. } if called_name(callee) == "super");
        if !is_receiver(object, code) && !is_super {
            self.left |= args.iter().any(|arg| is_receiver(arg.value(), code));
            return status;
        }
        let first = match args.first() {
            Some(Arg::Positional(first) | Arg::Keyword(_, first)) => Some(first),
            _ => None,
        };
        // What overrides one of these hands on what it is given.
        let is_known = matches!(name.as_str(), "write" | "finish" | "set_status" | "redirect" | "render");
        if !is_known && let Some((function, class)) = code.callee(self.evaluator, callee) {
            return self.called(&function, class.as_ref(), args, code, status);
        }
        match (name.as_str(), first) {
            ("set_status", Some(first)) => return Some(code.value(self.evaluator, first)),
            ("write" | "finish", Some(first)) => {
                let body = self.sent(first, code);
                self.add(status.clone(), body, value.span);
            }
            ("write" | "finish", None) if !args.is_empty() => self.left = true,
            ("finish", None) => self.add(status.clone(), Sent::Nothing, value.span),
            ("render" | "render_string", _) => self.add(status.clone(), Sent::Media("text/html"), value.span),
            ("redirect", _) => self.add(Some(Value::Int(302)), Sent::Nothing, value.span),
            (
                "set_header" | "add_header" | "clear_header" | "set_cookie" | "clear_cookie" | "get_argument"
                | "get_query_argument" | "get_body_argument" | "get_arguments" | "flush" | "check_etag_header"
                | "check_xsrf_cookie" | "send_error" | "set_secure_cookie" | "get_secure_cookie" | "get_json_body",
                _,
            ) => {}
            _ => self.left |= is_super,
        }
        status
    }

    fn called(
        &mut self,
        function: &crate::evaluate::FunctionRef<'p>,
        class: Option<&crate::evaluate::ClassRef<'p>>,
        args: &'p [Arg],
        code: &Rc<Code<'p>>,
        status: Status<'p>,
    ) -> Status<'p> {
        let Some(inner) = code.called(function, class, args) else {
            self.left = true;
            return status;
        };
        if self.calls >= MAX_CALLS || self.found.len() >= MAX_ANSWERS {
            self.left = true;
            return status;
        }
        self.calls += 1;
        let after = self.block(&function.node.body, &inner, status);
        self.calls -= 1;
        after
    }

    fn add(&mut self, status: Status<'p>, body: Sent, span: Span) {
        if self.found.len() < MAX_ANSWERS {
            self.found.push(Answer { status, body, span });
        }
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

fn either<'p>(first: Status<'p>, second: Status<'p>, span: Span) -> Status<'p> {
    match (first, second) {
        (None, None) => None,
        (Some(first), Some(second)) if first.same(&second) => Some(first),
        _ => Some(Value::Unknown("which of several statuses it is", Some(span))),
    }
}
