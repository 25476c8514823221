//! Where a handler answers: what each of its returns says of status and body.

use std::rc::Rc;

use super::answers::{Answer, Body};
use super::calls::{Call, Target};
use super::generics::{named, same, without_null};
use super::locals::Local;
use super::members::Candidate;
use super::results::{self, Given, Helper, Status};
use super::{Place, Typer, kinds, walk};
use crate::evaluate::{Str, Value, last};
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Function};
use crate::text::Span;

/// Functions within functions whose answers are followed.
const MAX_FOLLOWED: usize = 6;

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
            let known = is_of_program(ty) && is_of_program(declared);
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
    fn is_result(&mut self, ty: &Value<'p>) -> bool {
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
    fn answer(&mut self, expr: &'p Expr, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
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
                    self.plain(ty, span, out);
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
                self.plain(ty, span, out);
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
                self.plain(ty, span, out);
            }
        }
    }

    /// What any of the values of a variable answers.
    fn answer_of_any(&mut self, values: Vec<&'p Expr>, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        for value in values {
            let key = std::ptr::from_ref(value);
            if !self.active.contains(&key) {
                self.active.push(key);
                self.answer(value, place, out);
                self.active.pop();
            }
        }
    }

    /// What a function of the program answers through one of its parameters: `if (Fails(out var result)) return result;`
    fn answer_of_out(&mut self, expr: &'p Expr, at: usize, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        let ExprKind::Call { callee, types, args } = &expr.kind else { return };
        let call = Call { types, args, site: expr.span };
        let Target::Program(candidates) = self.target(callee, &call, place) else { return };
        let Ok(candidate) = self.choose(candidates, &call, place) else { return };
        let Some(arg) = args.get(at).map(Arg::value) else { return };
        let pairs = self.arguments(&candidate, &call);
        let Some((param, _)) = pairs.into_iter().find(|(_, value)| std::ptr::eq(*value, arg)) else { return };
        let key = std::ptr::from_ref(candidate.function.node);
        if self.following.len() >= MAX_FOLLOWED || self.following.contains(&key) {
            return;
        }
        let inside = self.inside_of(&candidate, callee, &call, place);
        let node = candidate.function.node;
        let values = inside.locals.as_ref().map(|locals| locals.table.values(&param.name, node.span));
        self.following.push(key);
        self.answer_of_any(values.unwrap_or_default(), &inside, out);
        self.following.pop();
    }

    /// A value is answered as it is, a result as its type says.
    fn plain(&mut self, ty: Value<'p>, span: Span, out: &mut Vec<Answer<'p>>) {
        let declared = match &ty {
            Value::Unknown(why, at) => {
                out.push(Answer { status: None, body: Body::Unknown(why, at.or(Some(span))), span });
                return;
            }
            Value::None => return,
            _ if kinds::is(&ty, "object") || kinds::is(&ty, "dynamic") => {
                let body = Body::Unknown("value whose type is only `object`", Some(span));
                Declared::All(vec![(Some(200), body)])
            }
            _ if results::is_foreign(&ty) => Declared::Open,
            _ => self.declared(&ty),
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

    fn answer_of_call(
        &mut self,
        callee: &'p Expr,
        call: &Call<'p>,
        expr: &'p Expr,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        match self.target(callee, call, place) {
            Target::Bare(name) => {
                if let Some(helper) = results::helper(name, false) {
                    return self.helped(&helper, call, None, place, out);
                }
            }
            Target::Static(ty, name) => {
                let class = ty.as_external().map_or("", last);
                match (class, name) {
                    ("Results" | "TypedResults", _) => {
                        if let Some(helper) = results::helper(name, class == "TypedResults") {
                            return self.helped(&helper, call, None, place, out);
                        }
                    }
                    ("Task" | "ValueTask", "FromResult") => {
                        if let Some(value) = call.arg(0) {
                            return self.answer(value, place, out);
                        }
                    }
                    _ => {}
                }
            }
            // `this.Ok(x)`, `base.Ok(x)`, `controller.Ok(x)`
            Target::Library(ty, name) => {
                let base = ["ControllerBase", "Controller"];
                let controller =
                    self.supertypes(&ty).iter().any(|above| base.iter().any(|name| kinds::is(above, name)));
                if (controller || is_this(callee))
                    && let Some(helper) = results::helper(name, false)
                {
                    return self.helped(&helper, call, None, place, out);
                }
                if name == "ConfigureAwait"
                    && let ExprKind::Member { object, .. } = &callee.kind
                {
                    return self.answer(object, place, out);
                }
                if self.answers_of_lambdas(&ty, name, call, place, out) {
                    return;
                }
            }
            Target::Program(candidates) => {
                if let Ok(candidate) = self.choose(candidates, call, place)
                    && self.follow(&candidate, callee, call, place, out)
                {
                    return;
                }
            }
            Target::Lambda(lambda, inside) => {
                if let ExprKind::Lambda(function) = &lambda.kind {
                    let place = self.inside_lambda(function, &[], &inside);
                    return self.handler_within(function, &place, out);
                }
            }
            Target::Delegate(_) | Target::Unknown(_) => {}
        }
        let ty = self.type_of(expr, place);
        let ty = match self.awaited(&ty, expr.span) {
            Value::Unknown(..) => ty,
            awaited => awaited,
        };
        self.plain(ty, expr.span, out);
    }

    /// `result.Match(ok => Ok(ok), error => Problem(…))`: what all the functions answer that it is given.
    fn answers_of_lambdas(
        &mut self,
        ty: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) -> bool {
        let names = ["Match", "MatchAsync", "MatchFirst", "Switch", "Fold", "MapOrElse", "Finally"];
        if !names.contains(&name) || call.args.is_empty() {
            return false;
        }
        let types: Vec<Value<'p>> = match without_null(ty) {
            Value::Applied(_, args) => args.to_vec(),
            _ => Vec::new(),
        };
        for (at, arg) in call.args.iter().enumerate() {
            match &arg.value().kind {
                ExprKind::Lambda(function) => {
                    // Of `ErrorOr<T>` and the like, the first takes what went well.
                    let unknown = Value::Unknown("what a library hands to a function", Some(call.site));
                    let given = types.get(at).cloned().unwrap_or(unknown);
                    let inside = self.inside_lambda(function, &[given], place);
                    self.handler_within(function, &inside, out);
                }
                ExprKind::Name(name) => {
                    if let Some(helper) = results::helper(name, false) {
                        let body = match (helper.body, types.get(at)) {
                            (Given::Argument(..), Some(ty)) => Body::Type(ty.clone()),
                            _ => Body::Unknown("what a library hands to a function", Some(call.site)),
                        };
                        let status = match helper.status {
                            Status::Is(status) => Some(status),
                            Status::Argument(_, _, default) => default,
                        };
                        out.push(Answer { status, body, span: arg.value().span });
                    } else {
                        let body = Body::Unknown("function that is handed on", Some(call.site));
                        out.push(Answer { status: None, body, span: arg.value().span });
                    }
                }
                _ => {
                    let body = Body::Unknown("function that is handed on", Some(call.site));
                    out.push(Answer { status: None, body, span: arg.value().span });
                }
            }
        }
        true
    }

    fn handler_within(&mut self, function: &'p Function, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        let key = std::ptr::from_ref(function);
        if self.following.len() >= MAX_FOLLOWED || self.following.contains(&key) {
            let span = function.name_span;
            let body = Body::Unknown("functions that hand their answers on too often", Some(span));
            out.push(Answer { status: None, body, span });
            return;
        }
        self.following.push(key);
        let mut found = self.handler(function, place);
        self.following.pop();
        out.append(&mut found);
    }

    /// The answers of a function of the program that gives a result; false where it gives a value.
    fn follow(
        &mut self,
        candidate: &Candidate<'p>,
        callee: &'p Expr,
        call: &Call<'p>,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) -> bool {
        let function = &candidate.function;
        let Some(returns) = &function.node.returns else { return false };
        let ty = self.ev.type_expression(returns, &function.scope);
        let ty = match self.awaited(&ty, call.site) {
            Value::Unknown(..) => ty,
            awaited => awaited,
        };
        if !self.is_result(&ty) {
            return false;
        }
        let inside = self.inside_of(candidate, callee, call, place);
        if walk::returned(function.node)
            .iter()
            .any(|value| matches!(value.kind, ExprKind::Other("declared without a body")))
        {
            return false;
        }
        self.handler_within(function.node, &inside, out);
        true
    }

    /// Inside of a function that is called.
    fn inside_of(
        &mut self,
        candidate: &Candidate<'p>,
        callee: &'p Expr,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Place<'p> {
        let function = &candidate.function;
        let receiver = match &callee.kind {
            ExprKind::Name(_) => place.this.clone(),
            ExprKind::Member { object, .. } if candidate.extends.is_none() => {
                let ty = self.type_of(object, place);
                (!ty.is_unknown()).then_some(ty)
            }
            _ => None,
        };
        // A variable's function sees the names around it.
        let is_local = self.find_local(&function.node.name, call.site, place).is_some();
        let mut inside = if is_local && matches!(callee.kind, ExprKind::Name(_)) {
            let table = self.table(function.node);
            let locals = super::Locals::new(table, Vec::new(), place.locals.clone());
            Place { locals: Some(locals), ..place.clone() }
        } else {
            let function = function.clone();
            self.place(&function, receiver.as_ref())
        };
        let names: Vec<Str> =
            function.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str())).collect();
        let mut given = inside.given.to_vec();
        if !names.is_empty() {
            given.extend(self.inferred(candidate, &names, call, place));
        }
        given.extend(candidate.given.iter().cloned());
        inside.given = given.into();
        // What is declared to be any object is what the call gives.
        let mut known = Vec::new();
        for (param, arg) in self.arguments(candidate, call) {
            let open = param.annotation.as_ref().is_some_and(|annotation| {
                let ty = without_null(&self.ev.type_expression(annotation, &function.scope));
                kinds::is(&ty, "object") || kinds::is(&ty, "dynamic")
            });
            if open {
                known.push((param.name.as_str(), self.type_of(arg, place)));
            }
        }
        if let Some(locals) = &inside.locals {
            inside.locals = Some(super::Locals::new(locals.table.clone(), known, locals.parent.clone()));
        }
        inside
    }

    /// `new OkObjectResult(x)`, `new ObjectResult(x) { StatusCode = 201 }`
    fn made(
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
            return self.helped(&helper, &call, with, place, out);
        }
        // A result of the program: what it gives the result that it extends.
        if matches!(&ty, Value::Class(_)) && self.is_result(&ty) {
            let body = Body::Unknown("result of a class of the program", Some(whole.span));
            out.push(Answer { status: None, body, span: whole.span });
            return;
        }
        self.plain(ty, whole.span, out);
    }

    /// What a helper answers with these arguments.
    fn helped(
        &mut self,
        helper: &Helper,
        call: &Call<'p>,
        with: Option<&'p Expr>,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        let span = call.site;
        let set = |name: &str| {
            let Some(Expr { kind: ExprKind::Record(items), .. }) = with else { return None };
            items.iter().find_map(|item| match item {
                DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, value) if text == name => Some(value),
                _ => None,
            })
        };
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
            ExprKind::Cast { value, .. } => self.codes(value, place),
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

    fn number(&mut self, expr: &'p Expr, place: &Place<'p>) -> Option<u16> {
        match self.ev.evaluate(expr, &place.scope) {
            Value::Int(code) => u16::try_from(code).ok(),
            _ => None,
        }
    }
}

/// `StatusCodes.Status404NotFound`, `HttpStatusCode.NotFound`.
pub(in crate::languages::csharp) fn status_code(class: &str, name: &str) -> Option<u16> {
    match class {
        "StatusCodes" => {
            let rest = name.strip_prefix("Status")?;
            rest.get(..3)?.parse().ok()
        }
        "HttpStatusCode" => Some(match name {
            "Continue" => 100,
            "OK" => 200,
            "Created" => 201,
            "Accepted" => 202,
            "NonAuthoritativeInformation" => 203,
            "NoContent" => 204,
            "ResetContent" => 205,
            "PartialContent" => 206,
            "MultiStatus" => 207,
            "Moved" | "MovedPermanently" => 301,
            "Found" | "Redirect" => 302,
            "SeeOther" | "RedirectMethod" => 303,
            "NotModified" => 304,
            "TemporaryRedirect" | "RedirectKeepVerb" => 307,
            "PermanentRedirect" => 308,
            "BadRequest" => 400,
            "Unauthorized" => 401,
            "PaymentRequired" => 402,
            "Forbidden" => 403,
            "NotFound" => 404,
            "MethodNotAllowed" => 405,
            "NotAcceptable" => 406,
            "RequestTimeout" => 408,
            "Conflict" => 409,
            "Gone" => 410,
            "LengthRequired" => 411,
            "PreconditionFailed" => 412,
            "RequestEntityTooLarge" => 413,
            "UnsupportedMediaType" => 415,
            "ExpectationFailed" => 417,
            "MisdirectedRequest" => 421,
            "UnprocessableEntity" | "UnprocessableContent" => 422,
            "Locked" => 423,
            "FailedDependency" => 424,
            "UpgradeRequired" => 426,
            "PreconditionRequired" => 428,
            "TooManyRequests" => 429,
            "InternalServerError" => 500,
            "NotImplemented" => 501,
            "BadGateway" => 502,
            "ServiceUnavailable" => 503,
            "GatewayTimeout" => 504,
            _ => return None,
        }),
        _ => None,
    }
}

fn is_this(callee: &Expr) -> bool {
    let ExprKind::Member { object, .. } = &callee.kind else { return false };
    match &object.kind {
        ExprKind::Name(name) => name == "this",
        ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Name(name) if name == "super"),
        _ => false,
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
