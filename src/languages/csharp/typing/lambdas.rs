//! What functions give that are handed on: lambdas, and functions by their name.

use super::calls::{Call, Target};
use super::generics::{generic, mentions, named, substitute};
use super::locals::Locals;
use super::members::Candidate;
use super::names::Subject;
use super::overloads::{names_of, own_params};
use super::{Place, Typer, kinds, walk};
use crate::evaluate::Value;
use crate::model::program::{Expr, ExprKind, Function, Param};

impl<'p> Typer<'_, 'p> {
    /// What a lambda gives, its parameters being of these types.
    pub(super) fn lambda_result(&mut self, lambda: &'p Expr, params: &[Value<'p>], place: &Place<'p>) -> Value<'p> {
        let ExprKind::Lambda(function) = &lambda.kind else {
            return self.group_result(lambda, params, place);
        };
        if let Some(returns) = &function.returns {
            return self.written(returns, place);
        }
        let inside = self.inside_lambda(function, params, place);
        let mut types = Vec::new();
        for value in walk::returned(function) {
            if !matches!(value.kind, ExprKind::Raise) {
                types.push(self.type_of(value, &inside));
            }
        }
        let ty = self.join_all(types).unwrap_or(named("void"));
        if !function.is_async {
            ty
        } else if kinds::is(&ty, "void") {
            named("Task")
        } else {
            generic("Task", vec![ty])
        }
    }

    pub(super) fn inside_lambda(
        &mut self,
        function: &'p Function,
        params: &[Value<'p>],
        place: &Place<'p>,
    ) -> Place<'p> {
        let table = self.table(function);
        let untyped = function.parameters.iter().zip(params).filter(|(param, _)| param.annotation.is_none());
        let given = untyped.map(|(param, ty)| (param.name.as_str(), ty.clone())).collect();
        let locals = Locals::new(table, given, place.locals.clone());
        Place { locals: Some(locals), ..place.clone() }
    }

    /// What a function gives that is handed on by its name: `Select(ToDto)`.
    fn group_result(&mut self, group: &'p Expr, params: &[Value<'p>], place: &Place<'p>) -> Value<'p> {
        let unknown = Value::Unknown("function that is handed on", Some(group.span));
        let call = Call { types: &[], args: &[], site: group.span };
        let candidates = match self.target(group, &call, place) {
            Target::Program(candidates) => candidates,
            Target::Delegate(ty) => return self.delegate(&ty).map_or(unknown, |(_, result)| result),
            // `Select(Path.GetFileName)`, `Select(int.Parse)`
            Target::Static(ty @ Value::External(_), name) => {
                return match self.static_call(&ty, name, &call, place) {
                    Value::Unknown(..) => unknown,
                    known => known,
                };
            }
            _ => match &group.kind {
                ExprKind::Member { object, name } => match self.subject(object, place) {
                    Subject::Value(ty) | Subject::Type(ty) => self.methods(&ty, name),
                },
                _ => return unknown,
            },
        };
        let fits = |candidate: &Candidate<'p>| own_params(candidate).count() == params.len();
        let mut fitting: Vec<Candidate<'p>> = candidates.into_iter().filter(fits).collect();
        if fitting.len() > 1 {
            fitting.retain(|candidate| {
                let first = own_params(candidate).next();
                let wanted = first.and_then(|first| self.wanted(candidate, first));
                match (wanted, params.first()) {
                    (Some(wanted), Some(ty)) => self.may_be(ty, &wanted),
                    _ => true,
                }
            });
        }
        let [candidate] = fitting.as_slice() else { return unknown };
        let Some(returns) = &candidate.function.node.returns else { return unknown };
        let ty = self.ev.type_expression(returns, &candidate.function.scope);
        let ty = substitute(&ty, &candidate.given);
        let names = names_of(candidate);
        if !mentions(&ty, &names) {
            return ty;
        }
        let mut given = Vec::new();
        let wanted: Vec<&'p Param> = own_params(candidate).collect();
        for (param, ty) in wanted.into_iter().zip(params) {
            if let Some(wanted) = self.wanted(candidate, param) {
                self.unify(&wanted, ty, &names, &mut given);
            }
        }
        let ty = substitute(&ty, &given);
        if mentions(&ty, &names) { unknown } else { ty }
    }
}
