//! What calling something that a library made gives: procedures of tRPC, and callers of its routers.

use super::Schemas;
use super::types::{Prop, Type};
use super::values::Side;
use crate::evaluate::{Args, Evaluator, Value};
use crate::languages::typescript::trpc::{Answer, answer_of_call};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// What calling a value that a library made gives.
    pub(super) fn called(&mut self, ev: &mut Evaluator<'p>, value: &Value<'p>, site: Span) -> Type<'p> {
        match answer_of_call(value) {
            Some(Answer::Schema(schema)) => match self.shape_of_schema(ev, &schema, Some(site)) {
                Some(shape) => Type::promise(Type::Schema(shape)),
                None => Type::unknown("schema of a procedure is not known", Some(site)),
            },
            Some(Answer::Resolver(resolver, inputs)) => {
                let mut given = Vec::new();
                for input in inputs {
                    let input = self.shape_of_side(ev, &input, Side::Output, Some(site));
                    given.push(input.map_or_else(|| Type::unknown("input of a procedure", Some(site)), Type::Schema));
                }
                let input = match given.len() {
                    0 => Type::Undefined,
                    1 => given.remove(0),
                    _ => Type::All(given.into()),
                };
                let context = Type::unknown("context of a procedure", Some(site));
                let options = Type::object(vec![Prop::of("input", input), Prop::of("ctx", context)]);
                let resolver = self.of_value(&Value::Function(resolver));
                let result = self.apply(ev, &resolver, &[options], site);
                let result = self.awaited(ev, &result);
                Type::promise(result)
            }
            None => match ev.call(value, Args::default(), site) {
                made @ Value::Made(_) => Type::Value(made),
                _ => Type::unknown("call of what a library made", Some(site)),
            },
        }
    }
}
