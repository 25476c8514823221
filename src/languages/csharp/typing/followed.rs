//! What a call answers: helper methods of controllers, functions of the program that hand their answers on.

use std::cell::RefCell;
use std::rc::Rc;

use super::answers::{Answer, Body};
use super::calls::{Call, Target};
use super::generics::without_null;
use super::locals::{Local, Locals};
use super::members::Candidate;
use super::overloads::pairs;
use super::results::{self, Given, Status};
use super::{Place, Typer, kinds, walk};
use crate::evaluate::{Str, Value, last};
use crate::model::program::{Arg, Expr, ExprKind, Function};

/// Functions within functions whose answers are followed; what is answered further away is unknown.
const MAX_FOLLOWED: usize = 6;

impl<'p> Typer<'_, 'p> {
    /// What any of the values of a variable answers.
    pub(super) fn answer_of_any(&mut self, values: Vec<&'p Expr>, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
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
    pub(super) fn answer_of_out(&mut self, expr: &'p Expr, at: usize, place: &Place<'p>, out: &mut Vec<Answer<'p>>) {
        let ExprKind::Call { callee, types, args } = &expr.kind else { return };
        let call = Call { types, args, site: expr.span };
        let Target::Program(candidates) = self.target(callee, &call, place) else { return };
        let Ok(candidate) = self.choose(candidates, &call, place) else { return };
        let Some(arg) = args.get(at).map(Arg::value) else { return };
        let given = pairs(&candidate, &call).unwrap_or_default();
        let Some((param, _)) = given.into_iter().find(|(_, value)| std::ptr::eq(*value, arg)) else { return };
        let key = std::ptr::from_ref(candidate.function.node);
        if self.following.contains(&key) {
            return;
        }
        if self.following.len() >= MAX_FOLLOWED {
            let body = Body::Unknown("functions that hand their answers on too often", Some(expr.span));
            out.push(Answer { status: None, body, span: expr.span });
            return;
        }
        let inside = self.inside_of(&candidate, callee, &call, place);
        let node = candidate.function.node;
        let values = inside.locals.as_ref().map(|locals| locals.table.values(&param.name, node.span));
        self.following.push(key);
        self.answer_of_any(values.unwrap_or_default(), &inside, out);
        self.following.pop();
    }

    pub(super) fn answer_of_call(
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
                    return self.helped(&helper, call, &[], place, out);
                }
            }
            Target::Static(ty, name) => {
                let class = ty.as_external().map_or("", last);
                match (class, name) {
                    ("Results" | "TypedResults", _) => {
                        if let Some(helper) = results::helper(name, class == "TypedResults") {
                            return self.helped(&helper, call, &[], place, out);
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
                    return self.helped(&helper, call, &[], place, out);
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
            Target::Delegate(_) => {
                if let ExprKind::Name(name) = &callee.kind
                    && self.answer_of_given(name, callee, call, place, out)
                {
                    return;
                }
            }
            Target::Unknown(_) => {}
        }
        let ty = self.type_of(expr, place);
        let ty = match Self::awaited(&ty, expr.span) {
            Value::Unknown(..) => ty,
            awaited => awaited,
        };
        self.plain(&ty, expr.span, out);
    }

    /// `onSuccess(value)`, where a caller gave the function for the parameter.
    fn answer_of_given(
        &mut self,
        name: &str,
        callee: &'p Expr,
        call: &Call<'p>,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) -> bool {
        let Some((locals, Local::Param(_))) = self.find_local(name, callee.span, place) else { return false };
        let Some((Expr { kind: ExprKind::Lambda(function), .. }, there)) = locals.arg(name) else { return false };
        let types: Vec<Value<'p>> = call.args.iter().map(|arg| self.type_of(arg.value(), place)).collect();
        let inside = self.inside_lambda(function, &types, &there);
        self.handler_within(function, &inside, out);
        true
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
                _ => self.answer_of_group(arg.value(), types.get(at), place, out),
            }
        }
        true
    }

    /// `Match(Ok, Problem)`: what a function answers that is handed on by its name.
    fn answer_of_group(
        &mut self,
        group: &'p Expr,
        given: Option<&Value<'p>>,
        place: &Place<'p>,
        out: &mut Vec<Answer<'p>>,
    ) {
        let span = group.span;
        let call = Call { types: &[], args: &[], site: span };
        let helper = match self.target(group, &call, place) {
            Target::Bare(name) => results::helper(name, false),
            Target::Static(ty, name) if ty.as_external().is_some_and(|path| last(path).ends_with("Results")) => {
                results::helper(name, false)
            }
            Target::Program(candidates) => {
                if let [candidate] = candidates.as_slice() {
                    let inside = self.inside_of(candidate, group, &call, place);
                    return self.handler_within(candidate.function.node, &inside, out);
                }
                None
            }
            _ => None,
        };
        let (status, body) = match helper {
            Some(helper) => {
                let status = match helper.status {
                    Status::Is(status) => Some(status),
                    Status::Argument(_, _, default) => default,
                };
                match (helper.body, given) {
                    (Given::Argument(..), Some(ty)) => (status, Body::Type(ty.clone())),
                    _ => (status, Body::Unknown("what a library hands to a function", Some(span))),
                }
            }
            None => (None, Body::Unknown("function that is handed on", Some(span))),
        };
        out.push(Answer { status, body, span });
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
        let ty = match Self::awaited(&ty, call.site) {
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
    pub(super) fn inside_of(
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
            let locals = Locals::new(table, Vec::new(), place.locals.clone());
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
        let mut args = Vec::new();
        for (param, arg) in pairs(candidate, call).unwrap_or_default() {
            args.push((param.name.as_str(), arg, place.clone()));
            let open = param.annotation.as_ref().is_some_and(|annotation| {
                let ty = without_null(&self.ev.type_expression(annotation, &function.scope));
                kinds::is(&ty, "object") || kinds::is(&ty, "dynamic")
            });
            if open {
                known.push((param.name.as_str(), self.type_of(arg, place)));
            }
        }
        if let Some(locals) = &inside.locals {
            let (table, parent) = (locals.table.clone(), locals.parent.clone());
            inside.locals = Some(Rc::new(Locals { table, given: known, args, parent, known: RefCell::default() }));
        }
        inside
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
