//! What the parameters of a function are that is written as an argument of a call: `users.list().then((all) => …)`.

use std::rc::Rc;

use super::Schemas;
use super::answers::Inside;
use super::functions::mentions;
use super::locals::Locals;
use super::replies::says_little;
use super::types::{Callable, Type};
use super::typing::Place;
use crate::evaluate::Evaluator;
use crate::model::program::{Expr, ExprKind};

impl<'p> Schemas<'p> {
    /// The place in functions inside a handler.
    pub(super) fn place_inside(
        &mut self,
        ev: &mut Evaluator<'p>,
        inside: &[Inside<'p>],
        place: &Place<'p>,
    ) -> Place<'p> {
        let mut place = place.clone();
        for Inside { function, given_to } in inside {
            let locals = Locals::of(function, place.locals.clone(), None);
            let parameters = &function.parameters;
            if let Some((callee, at)) = given_to
                && parameters.iter().any(says_little)
            {
                let given = self.given_to_callback(ev, callee, *at, &place);
                for (parameter, given) in parameters.iter().zip(given) {
                    if says_little(parameter) {
                        locals.given.borrow_mut().insert(&parameter.name, given);
                    }
                }
            }
            place.locals = Some(Rc::new(locals));
        }
        place
    }

    /// What a call gives to the function that is its argument at a place, as far as that is known.
    fn given_to_callback(
        &mut self,
        ev: &mut Evaluator<'p>,
        callee: &'p Expr,
        at: usize,
        place: &Place<'p>,
    ) -> Vec<Type<'p>> {
        if let ExprKind::Member { object, name } = &callee.kind {
            let receiver = self.type_of(ev, object, place);
            let receiver = self.non_null(ev, &receiver);
            match (&receiver, name.as_str(), at) {
                (Type::Promise(inner), "then", 0) => return vec![self.awaited(ev, &inner.clone())],
                // Whatever waits for what is not known gets what is not known, and that is the reason.
                (Type::Unknown(..), "then", 0) => return vec![receiver],
                (_, "map" | "forEach" | "flatMap" | "filter" | "find" | "some" | "every" | "findLast", 0) => {
                    if let Some(items) = self.items(ev, &receiver) {
                        return vec![items, Type::Number];
                    }
                }
                _ => {}
            }
        }
        let callee = self.type_of(ev, callee, place);
        let Type::Function(callable) = self.force(ev, &callee) else { return Vec::new() };
        Self::declared_for_callback(&callable, at)
    }

    /// `withUser(id: string, then: (user: User) => void)`: what a parameter says that it is called with.
    fn declared_for_callback(callable: &Callable<'p>, at: usize) -> Vec<Type<'p>> {
        let type_parameters = match callable {
            Callable::Program { function, .. } => &function.type_parameters,
            Callable::Signature { signature, .. } => &signature.type_parameters,
        };
        let open: Vec<&str> = type_parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let annotation = callable.parameters().get(at).and_then(|parameter| parameter.annotation.as_ref());
        let Some(Expr { kind: ExprKind::FunctionType(signature), .. }) = annotation else { return Vec::new() };
        let declared = signature.parameters.iter().map_while(|parameter| parameter.annotation.as_ref());
        let known = declared.take_while(|annotation| !mentions(annotation, &open));
        known.map(|annotation| Self::lazy(annotation, callable.env())).collect()
    }
}
