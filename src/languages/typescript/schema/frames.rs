//! Places in calls that ran: what the values of their arguments say of type parameters.

use super::Schemas;
use super::functions::mentions;
use super::types::{Env, Type};
use super::typing::{Place, outer_locals};
use crate::evaluate::{Evaluator, Scope, Value};
use crate::model::program::{Arg, Expr, ExprKind, Param, Property, StmtKind, TypeParameter};

impl<'p> Schemas<'p> {
    /// Where an expression stands in a call that ran: type parameters of the functions around it stand for what their
    /// arguments were.
    pub fn place_in(&mut self, ev: &mut Evaluator<'p>, scope: &Scope<'p>) -> Place<'p> {
        let mut frames = Vec::new();
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if here.function().is_some_and(|function| !function.type_parameters.is_empty()) {
                frames.push(here.clone());
            }
            next = here.parent().cloned();
        }
        let mut bindings: Vec<(&'p str, Type<'p>)> = Vec::new();
        for frame in frames.into_iter().rev() {
            let Some(function) = frame.function() else { continue };
            let names: Vec<&'p str> =
                function.type_parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let mut bound = vec![None; names.len()];
            let env = Env::with(&frame, bindings.clone());
            for parameter in &function.parameters {
                let Some(annotation) = parameter.annotation.as_ref().filter(|written| mentions(written, &names)) else {
                    continue;
                };
                let value = frame.own(&parameter.name).filter(|value| !value.is_unknown());
                // Where a part of the value is not known, its static type may still be.
                let known = value.as_ref().filter(|value| is_whole(value)).map(|value| self.of_value(value));
                let given = known.or_else(|| self.of_caller(ev, &frame, parameter));
                if let Some(given) = given.or_else(|| value.map(|value| self.of_value(&value))) {
                    self.unify(ev, annotation, &given, &names, &mut bound, &env);
                }
            }
            bindings.extend(names.into_iter().zip(bound).filter_map(|(name, bound)| Some((name, bound?))));
        }
        Place { env: Env::with(scope, bindings), locals: outer_locals(scope) }
    }

    /// The static type of what a call that ran gave for a parameter, where that is kept and says anything.
    pub(super) fn of_caller(
        &mut self,
        ev: &mut Evaluator<'p>,
        frame: &Scope<'p>,
        parameter: &'p Param,
    ) -> Option<Type<'p>> {
        let (function, written) = frame.call()?;
        let (args, caller) = written?;
        let named = |it: &&Param| !matches!(it.name.as_str(), "self" | "this");
        let at = function.node.parameters.iter().filter(named).position(|it| std::ptr::eq(it, parameter))?;
        if args.iter().take(at).any(|arg| matches!(arg, Arg::Spread(_))) {
            return None;
        }
        let Arg::Positional(value) = args.get(at)? else { return None };
        let key = std::ptr::from_ref::<Expr>(value);
        if self.active.contains(&key) || !self.enter() {
            return None;
        }
        self.active.push(key);
        let place = self.place_in(ev, &caller);
        let ty = self.type_of(ev, value, &place);
        let known = self.force(ev, &ty);
        self.active.pop();
        self.leave();
        let says_nothing = known.is_unknown() || known.is_nothing() || matches!(known, Type::Any | Type::External(..));
        (!says_nothing || known.of_json_text().is_some()).then_some(ty)
    }

    /// `Config<A, B>` laid over a value: what its members say of its own parameters says what `A` and `B` are.
    #[expect(clippy::too_many_arguments, reason = "that of unify, taken apart")]
    pub(super) fn unify_members(
        &mut self,
        ev: &mut Evaluator<'p>,
        object: &'p Expr,
        index: &'p [Expr],
        given: &Type<'p>,
        names: &[&'p str],
        bound: &mut [Option<Type<'p>>],
        env: &Env<'p>,
    ) {
        let declared = match &object.kind {
            ExprKind::Name(name) => ev.look_type(name, &env.scope),
            ExprKind::Member { .. } => ev.look_type_path(object, &env.scope),
            _ => None,
        };
        let (parameters, scope): (&'p [TypeParameter], Scope<'p>) = match &declared {
            Some(Value::Alias(alias)) => (alias.parameters, alias.scope.clone()),
            Some(Value::Class(class)) => (&class.node.type_parameters, class.scope.clone()),
            _ => return,
        };
        let inner_names: Vec<&'p str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut inner = vec![None; inner_names.len()];
        let inner_env = Env::of(&scope);
        match &declared {
            Some(Value::Alias(alias)) => self.unify(ev, alias.value, given, &inner_names, &mut inner, &inner_env),
            Some(Value::Class(class)) => {
                let members = class.node.body.iter().filter_map(|statement| match &statement.kind {
                    StmtKind::Property(property) => Some(&**property),
                    _ => None,
                });
                for Property { name, annotation, .. } in members {
                    let Some(annotation) = annotation.as_ref().filter(|written| mentions(written, &inner_names)) else {
                        continue;
                    };
                    let given = self.member(ev, given, name, None);
                    if !given.is_unknown() {
                        self.unify(ev, annotation, &given, &inner_names, &mut inner, &inner_env);
                    }
                }
            }
            _ => {}
        }
        for (written, inner) in index.iter().zip(inner) {
            if let Some(inner) = inner {
                self.unify(ev, written, &inner, names, bound, env);
            }
        }
    }
}

/// Whether all members of an object are known.
fn is_whole(value: &Value) -> bool {
    match value {
        Value::Dict(dict) => dict.borrow().entries.iter().all(|(_, member)| !member.is_unknown()),
        _ => true,
    }
}
