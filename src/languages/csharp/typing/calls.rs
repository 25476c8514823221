//! Calls: which function of the program is meant, and what it gives.

use super::generics::{mentions, substitute, without_null};
use super::locals::Local;
use super::members::Candidate;
use super::names::{Subject, class_around};
use super::overloads::{applicable, names_of, pairs};
use super::{Place, Typer, delegates, kinds};
use crate::evaluate::{FunctionRef, Role, Str, Value};
use crate::model::program::{Arg, Expr, ExprKind, Function};
use crate::text::Span;

/// A call as it is written.
#[derive(Clone, Copy)]
pub(super) struct Call<'p> {
    pub(super) types: &'p [Expr],
    pub(super) args: &'p [Arg],
    pub(super) site: Span,
}

impl<'p> Call<'p> {
    /// The argument at a position.
    pub(super) fn arg(&self, at: usize) -> Option<&'p Expr> {
        self.args.get(at).map(Arg::value)
    }

    /// The argument of a name, else the one at a position.
    pub(super) fn named(&self, name: &str, at: usize) -> Option<&'p Expr> {
        let by_name = self.args.iter().find_map(|arg| match arg {
            Arg::Keyword(known, value) if known == name => Some(value),
            _ => None,
        });
        by_name.or_else(|| match self.args.get(at) {
            Some(Arg::Positional(value)) => Some(value),
            _ => None,
        })
    }
}

/// What a call means.
pub(super) enum Target<'p> {
    /// Functions of the program, of which one is meant.
    Program(Vec<Candidate<'p>>),
    /// A variable or member that holds a function, by its type.
    Delegate(Value<'p>),
    /// A lambda of a variable.
    Lambda(&'p Expr, Place<'p>),
    /// A method of a library, on a value of a type.
    Library(Value<'p>, &'p str),
    /// A static method of a library's type, or a function that a library's base class gives.
    Static(Value<'p>, &'p str),
    Bare(&'p str),
    Unknown(&'static str),
}

impl<'p> Typer<'_, 'p> {
    pub(super) fn of_call(
        &mut self,
        callee: &'p Expr,
        types: &'p [Expr],
        args: &'p [Arg],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Value<'p> {
        let call = Call { types, args, site: expr.span };
        if let ExprKind::Name(name) = &callee.kind
            && name == "super"
            && args.is_empty()
        {
            return self.base_of(place).unwrap_or(Value::Unknown("base class of a library", Some(expr.span)));
        }
        match self.target(callee, &call, place) {
            Target::Program(candidates) => self.result_of(candidates, &call, place),
            Target::Delegate(ty) => match self.delegate(&ty) {
                Some((_, result)) => result,
                None => Value::Unknown("result of a function that is not known", Some(expr.span)),
            },
            Target::Lambda(lambda, inside) => self.lambda_result(lambda, &[], &inside),
            Target::Library(ty, name) => self.library_call(&ty, name, &call, place),
            Target::Static(ty, name) => self.static_call(&ty, name, &call, place),
            Target::Bare(_) => Value::Unknown("call of what is not declared", Some(expr.span)),
            Target::Unknown(why) => Value::Unknown(why, Some(expr.span)),
        }
    }

    /// The type of `base`.
    fn base_of(&mut self, place: &Place<'p>) -> Option<Value<'p>> {
        let class = place.class.clone()?;
        let base = self.ev.bases(&class).into_iter().next()?;
        Some(substitute(&base, &place.given))
    }

    pub(super) fn target(&mut self, callee: &'p Expr, call: &Call<'p>, place: &Place<'p>) -> Target<'p> {
        match &callee.kind {
            ExprKind::Name(name) => self.target_of_name(name, callee, place),
            ExprKind::Member { object, name } => self.target_of_member(object, name, call, place),
            _ => Target::Delegate(self.type_of(callee, place)),
        }
    }

    fn target_of_name(&mut self, name: &'p str, callee: &'p Expr, place: &Place<'p>) -> Target<'p> {
        if let Some((locals, local)) = self.find_local(name, callee.span, place) {
            let inside = Place { locals: Some(locals), ..place.clone() };
            return match local {
                Local::Function(node) => {
                    let function = local_function(node, &inside);
                    Target::Program(vec![Candidate { function, given: inside.given.clone(), extends: None }])
                }
                Local::Value(lambda @ Expr { kind: ExprKind::Lambda(_), .. }) => Target::Lambda(lambda, inside),
                _ => match self.local(name, callee.span, place) {
                    Some(ty) => Target::Delegate(ty),
                    None => Target::Unknown("call of a variable"),
                },
            };
        }
        let mut around = place.this.clone();
        let mut class = place.class.clone();
        while let Some(ty) = around {
            let methods = self.methods(&ty, name);
            if !methods.is_empty() {
                return Target::Program(methods);
            }
            if self.find_member(&ty, name).is_some() {
                return Target::Delegate(self.member(&ty, name, callee.span));
            }
            class = class.and_then(|class| class_around(&class));
            around = class.as_ref().map(super::self_type);
        }
        if let Some((class, function)) = self.statically_imported(callee, place) {
            let ty = Value::Class(class);
            let methods = self.methods(&ty, &function.node.name);
            return Target::Program(methods);
        }
        Target::Bare(name)
    }

    fn target_of_member(&mut self, object: &'p Expr, name: &'p str, call: &Call<'p>, place: &Place<'p>) -> Target<'p> {
        let ty = match self.subject(object, place) {
            Subject::Type(ty) => {
                let methods = self.methods(&ty, name);
                if !methods.is_empty() {
                    return Target::Program(methods);
                }
                if self.find_member(&ty, name).is_some() {
                    return Target::Delegate(self.member(&ty, name, call.site));
                }
                return Target::Static(ty, name);
            }
            Subject::Value(ty) => without_null(&ty),
        };
        let methods = self.methods(&ty, name);
        if !methods.is_empty() {
            let applicable = applicable(methods, call);
            if !applicable.is_empty() {
                return Target::Program(applicable);
            }
        }
        // A property may have the name of its type, whose static method is meant.
        if let ExprKind::Name(outer) = &object.kind
            && let Some(class) = self.ev.named_type(outer, 0, &place.scope)
        {
            let methods = self.methods(&class, name);
            if !methods.is_empty() {
                return Target::Program(methods);
            }
        }
        if name == "Invoke" && self.delegate(&ty).is_some() {
            return Target::Delegate(ty);
        }
        if self.find_member(&ty, name).is_some() {
            return Target::Delegate(self.member(&ty, name, call.site));
        }
        let extensions = self.extensions(&ty, name, place);
        let extensions = applicable(extensions, call);
        if !extensions.is_empty() {
            return Target::Program(extensions);
        }
        Target::Library(ty, name)
    }

    /// What calling one of these functions gives.
    pub(super) fn result_of(
        &mut self,
        candidates: Vec<Candidate<'p>>,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Value<'p> {
        match self.choose(candidates, call, place) {
            Ok(candidate) => self.result(&candidate, call, place),
            Err(why) => Value::Unknown(why, Some(call.site)),
        }
    }

    /// What calling a function gives.
    pub(super) fn result(&mut self, candidate: &Candidate<'p>, call: &Call<'p>, place: &Place<'p>) -> Value<'p> {
        let node = candidate.function.node;
        let Some(returns) = &node.returns else {
            return if node.is_lambda {
                Value::Unknown("result of a lambda", Some(call.site))
            } else {
                Value::Unknown("function without a declared result", Some(call.site))
            };
        };
        let ty = self.ev.type_expression(returns, &candidate.function.scope);
        let ty = substitute(&ty, &candidate.given);
        let names = names_of(candidate);
        if names.is_empty() || !mentions(&ty, &names) {
            return ty;
        }
        let given = self.inferred(candidate, &names, call, place);
        let ty = substitute(&ty, &given);
        if mentions(&ty, &names) { Value::Unknown("type argument that is not inferred", Some(call.site)) } else { ty }
    }

    /// What the type parameters of a function stand for in a call.
    pub(super) fn inferred(
        &mut self,
        candidate: &Candidate<'p>,
        names: &[Str],
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Vec<(Str, Value<'p>)> {
        if call.types.len() == names.len() {
            let types: Vec<Value<'p>> = call.types.iter().map(|ty| self.written(ty, place)).collect();
            return names.iter().cloned().zip(types).collect();
        }
        let mut given: Vec<(Str, Value<'p>)> = Vec::new();
        // Inside of a generic function that calls itself, its own type parameters are types like others.
        let names_apart: Vec<Str> = names.to_vec();
        if let (Some(receiver), Some(first)) = (&candidate.extends, candidate.function.node.parameters.first())
            && let Some(wanted) = self.wanted(candidate, first)
        {
            self.unify(&wanted, &receiver.clone(), &names_apart, &mut given);
        }
        let Some(pairs) = pairs(candidate, call) else { return given };
        for (param, arg) in &pairs {
            if !matches!(arg.kind, ExprKind::Lambda(_))
                && let Some(wanted) = self.wanted(candidate, param)
                && mentions(&wanted, names)
            {
                let ty = self.type_of(arg, place);
                self.unify(&wanted, &ty, &names_apart, &mut given);
            }
        }
        for (param, arg) in &pairs {
            if matches!(arg.kind, ExprKind::Lambda(_))
                && let Some(wanted) = self.wanted(candidate, param)
                && mentions(&wanted, names)
                && let Some((params, result)) = self.delegate(&wanted)
            {
                let params: Vec<Value<'p>> = params.iter().map(|ty| substitute(ty, &given)).collect();
                let ty = self.lambda_result(arg, &params, place);
                self.unify(&result, &ty, &names_apart, &mut given);
            }
        }
        given
    }

    /// The type of what a call gives through one of its arguments.
    pub(super) fn of_out(&mut self, expr: &'p Expr, at: usize, place: &Place<'p>) -> Value<'p> {
        let unknown = Value::Unknown("what a call gives through an argument", Some(expr.span));
        let ExprKind::Call { callee, types, args } = &expr.kind else { return unknown };
        let call = Call { types, args, site: expr.span };
        match self.target(callee, &call, place) {
            Target::Program(candidates) => {
                let Ok(candidate) = self.choose(candidates, &call, place) else { return unknown };
                let Some(arg) = args.get(at).map(Arg::value) else { return unknown };
                let found = pairs(&candidate, &call)
                    .unwrap_or_default()
                    .into_iter()
                    .find(|(_, value)| std::ptr::eq(*value, arg));
                let Some((param, _)) = found else { return unknown };
                let names = names_of(&candidate);
                let Some(wanted) = self.wanted(&candidate, param) else { return unknown };
                if !mentions(&wanted, &names) {
                    return wanted;
                }
                let given = self.inferred(&candidate, &names, &call, place);
                let ty = substitute(&wanted, &given);
                if mentions(&ty, &names) { unknown } else { ty }
            }
            Target::Library(ty, "TryGetValue") => match self.entry(&ty) {
                Some((_, value)) if at == 1 => value,
                _ => match call.types {
                    [written] => self.written(written, place),
                    _ => unknown,
                },
            },
            Target::Library(ty, "TryDequeue" | "TryPeek" | "TryPop" | "TryTake") => {
                self.element(&ty).unwrap_or(unknown)
            }
            Target::Static(ty, "TryParse") => match call.types {
                [written] => self.written(written, place),
                _ if matches!(&ty, Value::External(name) if kinds::is_plain(kinds::plain(name))) => ty,
                _ => unknown,
            },
            _ => unknown,
        }
    }

    pub(super) fn delegate(&mut self, ty: &Value<'p>) -> Option<(Vec<Value<'p>>, Value<'p>)> {
        delegates::parts(self, ty)
    }
}

/// A function of a variable, where it is declared.
fn local_function<'p>(node: &'p Function, place: &Place<'p>) -> FunctionRef<'p> {
    let (scope, class) = (place.scope.clone(), place.class.clone());
    crate::evaluate::Function::new(node, scope, class, Role::Plain)
}
