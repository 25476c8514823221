//! Types of C# to shapes: what a serialiser writes for a value of a type.

use crate::evaluate::{Evaluator, Value};
use crate::model::{Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// The shapes of one service.
#[derive(Default)]
pub struct Schemas<'p> {
    pub table: ShapeTable,
    _types: std::marker::PhantomData<Value<'p>>,
}

impl<'p> Schemas<'p> {
    /// What is written for a value of a type, which comes as [`Evaluator::type_expression`] gives it.
    pub fn shape_of(&mut self, _evaluator: &mut Evaluator<'p>, ty: &Value<'p>, site: Span) -> ShapeId {
        self.table.add(Shape::unknown(format!("type {}", ty.describe()), Some(site)))
    }
}
