//! From a TypeScript type to the shape of what is serialised.

pub(super) mod values;

pub use values::Side;

use crate::model::{Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Shapes of one service, declared once for each type.
#[derive(Default)]
pub struct Schemas<'p> {
    pub table: ShapeTable,
    values: values::Known<'p>,
}

impl<'p> Schemas<'p> {
    pub fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }
}
