//! Where a handler answers: what each of its returns says of status and body.

use super::answers::{Answer, Body};
use super::calls::Call;
use super::generics::without_null;
use super::locals::Local;
use super::{Place, Typer, kinds, results, walk};
use crate::evaluate::{Value, last};
use crate::model::program::{Expr, ExprKind, Function};
use crate::text::Span;

/// What a declared result says.
enum Declared<'p> {
    /// All that is answered.
    All(Vec<(Option<u16>, Body<'p>)>),
    /// What is answered where all goes well; the returns say the rest.
    Success(Value<'p>),
    /// Nothing: the returns say it.
    Open,
}

impl<'p> Typer<'_, 'p> {
    /// Everything that a function answers.
    pub(super) fn handler(&mut self, function: &'p Function, place: &Place<'p>) -> Vec<Answer<'p>> {
        let span = function.name_span;
        let declared = match &function.returns {
            Some(returns) => {
                let ty = self.written(returns, place);
                self.declared(&ty)
            }
            None => Declared::Open,
        };
        match declared {
            Declared::All(all) => all.into_iter().map(|(status, body)| Answer { status, body, span }).collect(),
            Declared::Success(ty) => {
                let mut found = Vec::new();
                self.returns(function, place, &mut found);
                let success = |answer: &Answer<'p>| answer.status.is_none_or(|status| (200..300).contains(&status));
                for answer in &mut found {
                    if success(answer) && !matches!(answer.body, Body::Nothing | Body::NotJson(_)) {
                        answer.body = self.agreed(&answer.body, &ty);
                        // What is not known where it stands is what the declaration says.
                        answer.status = answer.status.or(Some(200));
                    }
                }
                if !found.iter().any(success) {
                    found.insert(0, Answer { status: Some(200), body: Body::Type(ty), span });
                }
                found
            }
            Declared::Open => {
                let mut found = Vec::new();
                self.returns(function, place, &mut found);
                if found.is_empty() && walk::returned(function).is_empty() && !ends_in_throw(function) {
                    found.push(Answer { status: Some(200), body: Body::Nothing, span });
                }
                found
            }
        }
    }

    /// What the declared result says that a success carries.
    pub(super) fn declared_success(&mut self, function: &'p Function, place: &Place<'p>) -> Option<Body<'p>> {
        let ty = self.written(function.returns.as_ref()?, place);
        match self.declared(&ty) {
            Declared::Success(ty) => Some(Body::Type(ty)),
            Declared::All(all) => match all.as_slice() {
                [(Some(200), body)] => Some(body.clone()),
                _ => None,
            },
            // A value of any type, which is no result by itself.
            Declared::Open if is_object(&ty) => Some(Body::Unknown("declared only as `object`", None)),
            Declared::Open => None,
        }
    }

    /// The declared body, unless what is returned is known to be something else.
    fn agreed(&mut self, body: &Body<'p>, declared: &Value<'p>) -> Body<'p> {
        if let Body::Type(ty) = body {
            let says = |ty: &Value<'p>| is_of_program(ty) || ty.as_external().is_some_and(kinds::is_plain);
            let known = says(ty) && says(declared);
            if known && self.converts(ty, declared) == Some(false) && self.converts(declared, ty) == Some(false) {
                return body.clone();
            }
        }
        Body::Type(declared.clone())
    }

    fn declared(&mut self, ty: &Value<'p>) -> Declared<'p> {
        let ty = without_null(ty);
        match &ty {
            Value::Unknown(..) => return Declared::Open,
            Value::External(name) if kinds::is_task(name) || last(name) == "void" => {
                return Declared::All(vec![(Some(200), Body::Nothing)]);
            }
            Value::Applied(base, args) => {
                let name = base.as_external().map_or("", last);
                match (name, &**args) {
                    ("Task" | "ValueTask", [inner]) => return self.declared(&inner.clone()),
                    ("ActionResult", [inner]) => {
                        return match self.declared(&inner.clone()) {
                            Declared::All(all) => match all.as_slice() {
                                [(_, Body::Type(ty))] => Declared::Success(ty.clone()),
                                _ => Declared::All(all),
                            },
                            Declared::Open => Declared::Open,
                            success @ Declared::Success(_) => success,
                        };
                    }
                    ("Results", options) => {
                        let mut all = Vec::new();
                        for option in options {
                            match results::of_type(option) {
                                Some(found) => all.push(found),
                                None => all.push((None, Body::Unknown("result of a kind that is not known", None))),
                            }
                        }
                        return Declared::All(all);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if results::is_open(&ty) {
            return Declared::Open;
        }
        if let Some(found) = results::of_type(&ty) {
            return Declared::All(vec![found]);
        }
        if self.is_result(&ty) {
            return Declared::Open;
        }
        Declared::All(vec![(Some(200), Body::Type(ty))])
    }

    /// Whether a class is a result rather than a value.
    pub(super) fn is_result(&mut self, ty: &Value<'p>) -> bool {
        self.supertypes(ty).iter().any(|above| {
            matches!(above, Value::External(_)) && results::is_open(above) && !kinds::is(above, "object")
                || results::of_type(above).is_some()
                || matches!(above, Value::Applied(base, _) if kinds::is(base, "ActionResult") || kinds::is(base, "Results"))
        })
    }

    fn returns(&mut self, function: &'p Function, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        for value in walk::returned(function) {
            if !matches!(value.kind, ExprKind::Other("declared without a body")) {
                self.answer(value, place, out);
            }
        }
    }

    /// What returning an expression answers.
    pub(super) fn answer(&mut self, expr: &'p Expr, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        if !self.enter() {
            let body = Body::Unknown("the handler takes too long to follow", Some(expr.span));
            out.push(Answer { status: None, body, span: expr.span });
            return;
        }
        self.answer_kind(expr, place, out);
        self.depth -= 1;
    }

    fn answer_kind(&mut self, expr: &'p Expr, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        let span = expr.span;
        match &expr.kind {
            // Nothing is there, or an error: neither says what is answered.
            ExprKind::Raise | ExprKind::None | ExprKind::Other("default value") => {}
            ExprKind::Conditional { then, otherwise, .. } => {
                self.answer(then, place, out);
                self.answer(otherwise, place, out);
            }
            ExprKind::Match { arms, .. } => {
                for arm in arms {
                    self.answer(&arm.value, place, out);
                }
            }
            ExprKind::Await(inner) | ExprKind::Named { value: inner, .. } => self.answer(inner, place, out),
            ExprKind::Cast { value, kind } => {
                let ty = self.written(kind, place);
                if self.is_result(&ty) || kinds::is(&ty, "object") {
                    self.answer(value, place, out);
                } else {
                    self.plain(&ty, span, out);
                }
            }
            ExprKind::Or(left, right) if matches!(right.kind, ExprKind::Raise) => self.answer(left, place, out),
            ExprKind::With { value, with } if matches!(value.kind, ExprKind::New { .. }) => {
                self.made(value, Some(with), expr, place, out);
            }
            ExprKind::New { .. } => self.made(expr, None, expr, place, out),
            ExprKind::Call { callee, types, args } => {
                let call = Call { types, args, site: span };
                self.answer_of_call(callee, &call, expr, place, out);
            }
            ExprKind::Name(name) => {
                let ty = self.type_of(expr, place);
                if (ty.is_unknown() || self.is_result(&ty))
                    && let Some((locals, local)) = self.find_local(name, span, place)
                {
                    let values = locals.table.values(name, span);
                    let inside = Place { locals: Some(locals), ..place.clone() };
                    let mut found = Vec::new();
                    self.answer_of_any(values, &inside, &mut found);
                    if let Local::Out(call, at, _) = local {
                        self.answer_of_out(call, at, &inside, &mut found);
                    }
                    if !found.is_empty() {
                        out.append(&mut found);
                        return;
                    }
                }
                self.plain(&ty, span, out);
            }
            // `Results.Empty`, and members of types that say what they are.
            _ => {
                let ty = self.type_of(expr, place);
                if let ExprKind::Member { name, .. } = &expr.kind
                    && name == "Empty"
                    && ty.is_unknown()
                {
                    out.push(Answer { status: Some(200), body: Body::Nothing, span });
                    return;
                }
                self.plain(&ty, span, out);
            }
        }
    }

    /// A value is answered as it is, a result as its type says.
    pub(super) fn plain(&mut self, ty: &Value<'p>, span: Span, out: &mut Vec<Answer<'p>>) {
        let declared = match ty {
            Value::Unknown(why, at) => {
                out.push(Answer { status: None, body: Body::Unknown(why, at.or(Some(span))), span });
                return;
            }
            Value::None => return,
            _ if kinds::is(ty, "object") || kinds::is(ty, "dynamic") => {
                let body = Body::Unknown("value whose type is only `object`", Some(span));
                Declared::All(vec![(Some(200), body)])
            }
            _ if results::is_foreign(ty) => Declared::Open,
            _ => self.declared(ty),
        };
        match declared {
            Declared::All(all) => {
                out.extend(all.into_iter().map(|(status, body)| Answer { status, body, span }));
            }
            Declared::Success(ty) => out.push(Answer { status: Some(200), body: Body::Type(ty), span }),
            Declared::Open => {
                let body = Body::Unknown("result that is made elsewhere", Some(span));
                out.push(Answer { status: None, body, span });
            }
        }
    }
}

/// Whether a type is, or holds, one that the program declares.
fn is_of_program(ty: &Value<'_>) -> bool {
    match ty {
        Value::Class(_) | Value::Dynamic(_) => true,
        Value::Applied(base, args) => matches!(&**base, Value::Class(_)) || args.iter().any(is_of_program),
        Value::Union(options) => options.iter().any(is_of_program),
        _ => false,
    }
}

fn ends_in_throw(function: &Function) -> bool {
    matches!(function.body.last().map(|last| &last.kind), Some(crate::model::program::StmtKind::Raise))
}

/// `object`, also of a task or of a result.
fn is_object(ty: &Value<'_>) -> bool {
    match ty {
        Value::Applied(base, args) => {
            ["Task", "ValueTask", "ActionResult"].iter().any(|name| kinds::is(base, name)) && args.iter().any(is_object)
        }
        ty => kinds::is(ty, "object") || kinds::is(ty, "dynamic"),
    }
}
