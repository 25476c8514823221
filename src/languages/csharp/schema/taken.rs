//! What is taken for a value of a type, where that differs from what is written for it.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::fields::without_null;
use super::inputs::is_from_text;
use super::style::{Enums, Style};
use super::{Schemas, Serialiser};
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::model::program::ClassKind;
use crate::model::{Additional, Kind, Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Shapes that are compared before two of them count as different.
const MAX_COMPARED: usize = 20_000;

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
        if is_same(&self.table, read, written) { written } else { read }
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
        if is_same(&self.table, read, written) { written } else { read }
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

/// Whether two shapes say the same, whatever declares them.
fn is_same(table: &ShapeTable, one: ShapeId, other: ShapeId) -> bool {
    let mut seen: FxHashSet<(ShapeId, ShapeId)> = FxHashSet::default();
    let mut left = vec![(one, other)];
    while let Some(pair) = left.pop() {
        if pair.0 == pair.1 || !seen.insert(pair) {
            continue;
        }
        let (a, b) = (table.get(pair.0), table.get(pair.1));
        let words =
            |shape: &Shape| (shape.nullable, shape.null_open, shape.read_only, shape.write_only, shape.format.clone());
        if seen.len() > MAX_COMPARED || words(a) != words(b) || a.values != b.values || a.limits != b.limits {
            return false;
        }
        match (&a.kind, &b.kind) {
            (Kind::Unknown(one), Kind::Unknown(other)) if one.text == other.text => {}
            (Kind::Ref(one), Kind::Ref(other)) => left.push((*one, *other)),
            (Kind::Array { items: Some(one), .. }, Kind::Array { items: Some(other), .. }) => left.push((*one, *other)),
            (Kind::Either(one), Kind::Either(other)) if one.len() == other.len() => {
                left.extend(one.iter().copied().zip(other.iter().copied()));
            }
            (Kind::Object(one), Kind::Object(other)) if one.fields.len() == other.fields.len() => {
                match (&one.additional, &other.additional) {
                    (Additional::Of(one), Additional::Of(other)) => left.push((*one, *other)),
                    (one, other) if one == other => {}
                    _ => return false,
                }
                for (one, other) in one.fields.iter().zip(&other.fields) {
                    if (&one.name, one.required, one.always) != (&other.name, other.required, other.always) {
                        return false;
                    }
                    left.push((one.shape, other.shape));
                }
            }
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}
