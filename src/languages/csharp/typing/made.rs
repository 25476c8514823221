//! Results that are made: `new OkObjectResult(x)`, what helper methods make of their arguments, status codes.

use super::answers::{Answer, Body};
use super::calls::Call;
use super::generics::{named, same};
use super::locals::Local;
use super::results::{self, Given, Helper, Status};
use super::statuses::status_code;
use super::{Place, Typer, kinds};
use crate::evaluate::{Value, last};
use crate::model::program::{Arg, DictItem, Expr, ExprKind, StmtKind};

/// Values of variables within values of variables; what stands further away is unknown.
const MAX_DEPTH: usize = 60;

impl<'p> Typer<'_, 'p> {
    /// `new OkObjectResult(x)`, `new ObjectResult(x) { StatusCode = 201 }`
    pub(super) fn made(
        &mut self,
        new: &'p Expr,
        with: Option<&'p Expr>,
        whole: &'p Expr,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        let ExprKind::New { class, args } = &new.kind else { return };
        let Some(class) = class else {
            let body = Body::Unknown("`new` of a type that its place asks for", Some(whole.span));
            out.push(Answer { status: None, body, span: whole.span });
            return;
        };
        let ty = self.written(class, place);
        let call = Call { types: &[], args, site: whole.span };
        if let Value::Applied(base, _) = &ty
            && kinds::is(base, "ActionResult")
            && let Some(value) = call.arg(0)
        {
            return self.answer(value, place, out);
        }
        if let Some(name) = ty.as_external()
            && let Some(helper) = results::result_class(last(name))
        {
            return self.helped(&helper, &call, &set_by(with), place, out);
        }
        if matches!(&ty, Value::Class(_) | Value::Applied(..)) && self.is_result(&ty) {
            return self.made_of_program(&ty, &call, whole, place, out);
        }
        self.plain(&ty, whole.span, out);
    }

    /// A result of a class of the program: what it gives the result that it extends.
    fn made_of_program(
        &mut self,
        ty: &Value<'p>,
        call: &Call<'p>,
        whole: &'p Expr,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        let above = self.supertypes(ty);
        // A file is a file however it is made.
        let kind = above.iter().find_map(results::of_type).filter(|(_, body)| matches!(body, Body::NotJson(_)));
        if let Some((status, body)) = kind {
            out.push(Answer { status, body, span: whole.span });
            return;
        }
        let mut unknown = || {
            let body = Body::Unknown("result of a class of the program", Some(whole.span));
            out.push(Answer { status: None, body, span: whole.span });
        };
        let helper = above.get(1).and_then(Value::as_external).and_then(|base| results::result_class(last(base)));
        let Some(helper) = helper else { return unknown() };
        if !self.methods(ty, "ExecuteResultAsync").is_empty() || !self.methods(ty, "ExecuteResult").is_empty() {
            return unknown();
        }
        let constructors = self.methods(ty, "__init__");
        let Ok(constructor) = self.choose(constructors, call, place) else { return unknown() };
        let inside = self.inside_of(&constructor, whole, call, place);
        let (mut args, mut set): (&'p [Arg], Vec<(&'p str, &'p Expr)>) = (&[], Vec::new());
        for statement in &constructor.function.node.body {
            match &statement.kind {
                StmtKind::Expr(Expr { kind: ExprKind::Call { callee, args: given, .. }, .. }) => {
                    if matches!(&callee.kind, ExprKind::Member { name, .. } if name == "__init__") {
                        args = given;
                    }
                }
                StmtKind::Assign { targets, value } => {
                    for target in targets {
                        if let ExprKind::Name(name) | ExprKind::Member { name, .. } = &target.kind {
                            set.push((name, value));
                        }
                    }
                }
                _ => {}
            }
        }
        let base = Call { types: &[], args, site: whole.span };
        self.helped(&helper, &base, &set, &inside, out);
    }

    /// What a helper answers with these arguments.
    pub(super) fn helped(
        &mut self,
        helper: &Helper,
        call: &Call<'p>,
        set: &[(&'p str, &'p Expr)],
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        let span = call.site;
        let set = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let status = match helper.status {
            Status::Is(status) => vec![Some(status)],
            Status::Argument(name, at, default) => match set(name).or_else(|| call.named(name, at)) {
                Some(value) => self.codes(value, place),
                None => vec![default],
            },
        };
        let body = match helper.body {
            Given::Nothing => Body::Nothing,
            Given::Argument(name, at) => {
                let value = set("Value").or_else(|| call.named(name, at)).or_else(|| match call.args.get(at) {
                    Some(Arg::Keyword(..)) if call.args.len() == at + 1 => call.arg(at),
                    _ => None,
                });
                self.body(value, call, place)
            }
            Given::Last(least) => {
                let value = call.named("value", usize::MAX);
                let last = (call.args.len() >= least).then(|| call.args.last().map(Arg::value)).flatten();
                self.body(value.or(last), call, place)
            }
            Given::AfterAddress => {
                let value = call.named("value", 1).or_else(|| {
                    let only = call.arg(0)?;
                    let ty = self.type_of(only, place);
                    let address = kinds::is(&ty, "string") || kinds::is(&ty, "Uri");
                    (!address).then_some(only)
                });
                self.body(value, call, place)
            }
            Given::Problem => match call.arg(0) {
                Some(value) if call.args.len() == 1 && matches!(call.args[0], Arg::Positional(_)) => {
                    let ty = self.type_of(value, place);
                    let details = ty.as_external().is_none_or(|name| last(name).ends_with("ProblemDetails"));
                    let body = if details && !ty.is_unknown() { ty } else { named("ProblemDetails") };
                    Body::Type(body)
                }
                _ => Body::Type(named("ProblemDetails")),
            },
            Given::ValidationProblem => Body::Type(named("ValidationProblemDetails")),
            Given::Text(at) => {
                let kind = set("ContentType").or_else(|| call.named("contentType", at));
                match kind.map(|kind| self.ev.evaluate(kind, &place.scope)) {
                    Some(Value::Str(kind)) if kind.contains("json") => {
                        Body::Unknown("JSON that is written as text", Some(span))
                    }
                    Some(Value::Str(_)) | None => Body::NotJson("text"),
                    Some(_) => Body::Unknown("text of an unknown kind", Some(span)),
                }
            }
            Given::NotJson(what) => Body::NotJson(what),
        };
        for status in status {
            out.push(Answer { status, body: body.clone(), span });
        }
    }

    fn body(&mut self, value: Option<&'p Expr>, call: &Call<'p>, place: &Place<'p>) -> Body<'p> {
        let Some(value) = value else {
            // `Ok<T>()` has none either.
            return Body::Nothing;
        };
        if matches!(value.kind, ExprKind::None) {
            return Body::Nothing;
        }
        // `Ok(cond ? a : b)` may answer either.
        if let ExprKind::Conditional { then, otherwise, .. } = &value.kind {
            let (a, b) = (self.type_of(then, place), self.type_of(otherwise, place));
            if !a.is_unknown() && !b.is_unknown() && !same(&a, &b) && self.type_of(value, place).is_unknown() {
                return Body::Type(Value::union(vec![a, b]));
            }
        }
        let ty = match call.types {
            [explicit] => self.written(explicit, place),
            _ => self.type_of(value, place),
        };
        match ty {
            Value::Unknown(why, at) => Body::Unknown(why, at.or(Some(value.span))),
            ty if kinds::is(&ty, "object") || kinds::is(&ty, "dynamic") => {
                Body::Unknown("value whose type is only `object`", Some(value.span))
            }
            ty => Body::Type(ty),
        }
    }

    /// The status codes that an expression may be.
    fn codes(&mut self, expr: &'p Expr, place: &Place<'p>) -> Vec<Option<u16>> {
        match &expr.kind {
            ExprKind::Conditional { then, otherwise, .. } => {
                let mut found = self.codes(then, place);
                found.extend(self.codes(otherwise, place));
                found
            }
            ExprKind::Match { arms, .. } => arms
                .iter()
                .filter(|arm| !matches!(arm.value.kind, ExprKind::Raise))
                .flat_map(|arm| self.codes(&arm.value, place))
                .collect(),
            ExprKind::Cast { value, .. } => self.codes(value, place),
            ExprKind::Name(name) => self.codes_of_name(name, expr, place),
            ExprKind::Int(code) => vec![u16::try_from(*code).ok()],
            ExprKind::Member { name, object } => {
                let class = match &object.kind {
                    ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
                    _ => "",
                };
                if let Some(code) = status_code(class, name) {
                    return vec![Some(code)];
                }
                vec![self.number(expr, place)]
            }
            _ => vec![self.number(expr, place)],
        }
    }

    /// The status codes that a variable holds: what it is given, or what the call gives for a parameter.
    fn codes_of_name(&mut self, name: &str, expr: &'p Expr, place: &Place<'p>) -> Vec<Option<u16>> {
        let Some((locals, local)) = self.find_local(name, expr.span, place) else {
            return vec![self.number(expr, place)];
        };
        let given: Vec<(&'p Expr, Place<'p>)> = if matches!(local, Local::Param(_)) {
            locals.arg(name).into_iter().collect()
        } else {
            let inside = Place { locals: Some(locals.clone()), ..place.clone() };
            let values = locals.table.values(name, expr.span);
            values.into_iter().map(|value| (value, inside.clone())).collect()
        };
        let mut found = Vec::new();
        for (value, place) in given {
            let key = std::ptr::from_ref(value);
            if self.active.contains(&key) {
                continue;
            }
            if self.active.len() >= MAX_DEPTH {
                found.push(None);
                continue;
            }
            self.active.push(key);
            found.extend(self.codes(value, &place));
            self.active.pop();
        }
        if found.is_empty() { vec![None] } else { found }
    }

    fn number(&mut self, expr: &'p Expr, place: &Place<'p>) -> Option<u16> {
        match self.ev.evaluate(expr, &place.scope) {
            Value::Int(code) => u16::try_from(code).ok(),
            _ => None,
        }
    }
}

/// What stands in braces after `new`.
fn set_by(with: Option<&Expr>) -> Vec<(&str, &Expr)> {
    let Some(Expr { kind: ExprKind::Record(items), .. }) = with else { return Vec::new() };
    let pairs = items.iter().filter_map(|item| match item {
        DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, value) => Some((text.as_str(), value)),
        _ => None,
    });
    pairs.collect()
}
