//! Schemas that are values of a validation library (zod, TypeBox, JSON Schema as an object) to shapes.

use super::Schemas;
use crate::evaluate::{Evaluator, Value};
use crate::model::ShapeId;
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// The shape of what a schema lets out (its output side); `None` where the value is no schema.
    pub fn shape_of_schema(
        &mut self,
        _evaluator: &mut Evaluator<'p>,
        _value: &Value<'p>,
        _site: Option<Span>,
    ) -> Option<ShapeId> {
        None
    }
}
