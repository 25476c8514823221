//! What is taken for a value of a type, where that differs from what is written for it.

use std::rc::Rc;

use super::fields::without_null;
use super::inputs::is_from_text;
use super::style::{Enums, Style};
use super::{Schemas, Serialiser};
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::model::program::ClassKind;
use crate::model::{Shape, ShapeId};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// What a serialiser reads as a value of a type: the shape that it writes, unless reading differs.
    pub fn taken_by(
        &mut self,
        serialiser: Serialiser,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
        site: Span,
    ) -> ShapeId {
        let written = self.shape_by(serialiser, evaluator, ty, site);
        let writing = self.style;
        self.style = self.like(writing, |style| {
            style.reads = true;
            style.writing = Some(writing);
        });
        let read = self.shape(evaluator, ty, Some(site));
        self.style = writing;
        if self.table.are_alike(read, written) { written } else { read }
    }

    /// What is read as a class, now that its shape is complete: the shape that is written, where the two say the same.
    pub(super) fn or_written(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        (class, args): (&ClassRef<'p>, &[Value<'p>]),
        read: ShapeId,
        site: Option<Span>,
    ) -> ShapeId {
        let Some(writing) = self.style().writing else { return read };
        let reading = std::mem::replace(&mut self.style, writing);
        let written = self.class(evaluator, class, args, site);
        self.style = reading;
        if self.table.are_alike(read, written) { written } else { read }
    }

    /// A name as a serialiser spells it; `None` where that is not known.
    pub fn spelt_name(
        &mut self,
        serialiser: Serialiser,
        evaluator: &mut Evaluator<'p>,
        name: &str,
        site: Span,
    ) -> Option<String> {
        let style = self.style_at(evaluator, site, serialiser);
        self.styles[style].names.spell(name)
    }

    /// What is read as a value of a type from a text by itself: enumerations by name or number.
    pub(super) fn taken_as_text(
        &mut self,
        serialiser: Serialiser,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
        site: Span,
    ) -> ShapeId {
        if let Value::Class(class) = without_null(ty).0
            && class.node.kind != ClassKind::Enum
            && is_from_text(evaluator, ty) == Some(true)
        {
            return self.table.add(Shape::unknown("a text that code of the program reads", Some(site)));
        }
        let writing = self.style_at(evaluator, site, serialiser);
        self.style = self.like(writing, |style| {
            style.reads = true;
            style.enums = Enums::Unknown;
        });
        self.shape(evaluator, ty, Some(site))
    }

    /// A style that differs from another.
    fn like(&mut self, other: usize, change: impl Fn(&mut Style<'p>)) -> usize {
        let mut style = (*self.styles[other]).clone();
        change(&mut style);
        self.styles.iter().position(|known| known.is_same(&style)).unwrap_or_else(|| {
            self.styles.push(Rc::new(style));
            self.styles.len() - 1
        })
    }
}
