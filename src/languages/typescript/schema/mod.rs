//! From a TypeScript type to the shape of what is serialised.

use crate::evaluate::{Evaluator, Value};
use crate::model::{Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Shapes of one service, declared once for each type.
#[derive(Default)]
pub struct Schemas<'p> {
    marker: std::marker::PhantomData<&'p ()>,
    pub table: ShapeTable,
}

impl<'p> Schemas<'p> {
    pub fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }

    pub fn shape_of_value(&mut self, _evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Option<Span>) -> ShapeId {
        self.unknown(value.describe(), site)
    }
}
