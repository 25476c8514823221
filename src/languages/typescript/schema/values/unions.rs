//! Shapes out of shapes: one of several, all of several.

use super::Schemas;
use crate::languages::json_schema::kind_of_values;
use crate::model::{Kind, Shape, ShapeId, Union};

/// Combinations of alternatives that are written out when several unions hold at once; more stay unions that hold at
/// once.
const MAX_COMBINATIONS: usize = 256;
/// Alternatives within alternatives are opened this deep; a deeper one stays an alternative of its own.
const MAX_NESTED: u32 = 20;

impl Schemas<'_> {
    /// One of several: null becomes a mark, alternatives of alternatives are opened, sets of values of one kind are one.
    pub(super) fn union(&mut self, options: &[ShapeId], discriminator: Option<String>) -> Shape {
        let mut nullable = false;
        let mut flat = Vec::new();
        self.flatten(options, &mut flat, &mut nullable, 0);
        let mut kept: Vec<ShapeId> = Vec::new();
        let mut sets: Vec<Shape> = Vec::new();
        for id in flat {
            let shape = self.table.get(id);
            let Some(values) = shape.values.as_ref().filter(|_| shape.name.is_none()) else {
                if !kept.contains(&id) {
                    kept.push(id);
                }
                continue;
            };
            nullable |= shape.nullable;
            match sets.iter_mut().find(|set| same_kind(&set.kind, &shape.kind)) {
                Some(set) => {
                    let known = set.values.get_or_insert_default();
                    known.extend(values.iter().filter(|value| !known.contains(value)).cloned().collect::<Vec<_>>());
                    set.kind = kind_of_values(known);
                }
                None => sets.push(Shape { nullable: false, ..shape.clone() }),
            }
        }
        if let (true, [_]) = (kept.is_empty(), sets.as_slice())
            && let Some(set) = sets.pop()
        {
            return set.nullable(nullable);
        }
        kept.extend(sets.into_iter().map(|set| self.table.add(set)));
        match kept.as_slice() {
            [] => Shape::new(if nullable { Kind::Null } else { Kind::Never }),
            [only] => Shape::new(Kind::Ref(*only)).nullable(nullable),
            _ => Shape::new(Kind::Union(Union { options: kept, exclusive: discriminator.is_some(), discriminator }))
                .nullable(nullable),
        }
    }

    fn flatten(&self, options: &[ShapeId], out: &mut Vec<ShapeId>, nullable: &mut bool, depth: u32) {
        for id in options {
            let shape = self.table.get(*id);
            match &shape.kind {
                Kind::Null => *nullable = true,
                Kind::Never => {}
                // A mark of null on a reference is one of the whole.
                Kind::Ref(target) if depth < MAX_NESTED => {
                    *nullable |= shape.nullable;
                    self.flatten(&[*target], out, nullable, depth + 1);
                }
                Kind::Union(inner) if shape.name.is_none() && depth < MAX_NESTED => {
                    *nullable |= shape.nullable;
                    self.flatten(&inner.options, out, nullable, depth + 1);
                }
                _ => out.push(*id),
            }
        }
    }

    /// All of several at once; where some are alternatives, one of the combinations.
    pub(super) fn all(&mut self, parts: &[ShapeId]) -> Shape {
        let alternatives: Vec<Vec<ShapeId>> = parts.iter().map(|part| self.alternatives(*part)).collect();
        let combinations = alternatives.iter().map(Vec::len).try_fold(1, usize::checked_mul).unwrap_or(usize::MAX);
        if combinations == 1 || combinations > MAX_COMBINATIONS {
            return Shape::new(Kind::All(parts.to_vec()));
        }
        let mut rows: Vec<Vec<ShapeId>> = vec![Vec::new()];
        for options in alternatives {
            rows = rows
                .into_iter()
                .flat_map(|row| options.iter().map(move |option| [row.as_slice(), &[*option]].concat()))
                .collect();
        }
        let options = rows.into_iter().map(|row| self.table.add(Shape::new(Kind::All(row)))).collect();
        Shape::new(Kind::Union(Union { options, discriminator: None, exclusive: false }))
    }

    fn alternatives(&self, id: ShapeId) -> Vec<ShapeId> {
        let view = self.table.view(id);
        match &view.shape.kind {
            Kind::Union(union) if !union.options.is_empty() => union.options.clone(),
            _ => vec![id],
        }
    }
}

/// Whether two sets of values are of one kind: whole numbers and others are.
fn same_kind(one: &Kind, other: &Kind) -> bool {
    let number = |kind: &Kind| matches!(kind, Kind::Integer | Kind::Number);
    std::mem::discriminant(one) == std::mem::discriminant(other) || number(one) && number(other)
}
