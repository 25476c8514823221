//! From a TypeScript type to the shape of what is serialised.

mod values;

use std::marker::PhantomData;

use crate::evaluate::{Evaluator, Value};
use crate::model::{Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Shapes of one service, declared once for each type.
#[derive(Default)]
pub struct Schemas<'p> {
    pub table: ShapeTable,
    marker: PhantomData<&'p ()>,
}

impl<'p> Schemas<'p> {
    pub fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }
}
