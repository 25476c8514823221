//! Whether two shapes say the same, whatever declares them.

use rustc_hash::FxHashSet;

use super::shape::{Additional, Kind, Shape, ShapeId, ShapeTable};

/// Shapes that are compared before two of them count as different; what differs is kept apart, and nothing is lost.
const MAX_COMPARED: usize = 20_000;

impl ShapeTable {
    /// Whether two shapes are the same in all that they say.
    pub fn are_alike(&self, one: ShapeId, other: ShapeId) -> bool {
        self.compare(one, other, true)
    }

    /// Whether a document says the same of both: it cannot leave open whether null or a text belongs to a shape, nor tell members
    /// that are always there from those that may be left out, unless they are required.
    pub fn are_documented_alike(&self, one: ShapeId, other: ShapeId) -> bool {
        self.compare(one, other, false)
    }

    fn compare(&self, one: ShapeId, other: ShapeId, exact: bool) -> bool {
        let words = |shape: &Shape| {
            let open = (exact && shape.null_open, exact && shape.from_text);
            (shape.nullable, open, shape.read_only, shape.write_only, shape.deprecated, shape.format.clone())
        };
        let mut seen: FxHashSet<(ShapeId, ShapeId)> = FxHashSet::default();
        let mut left = vec![(one, other)];
        while let Some(pair) = left.pop() {
            let pair = if exact { pair } else { (self.bare(pair.0), self.bare(pair.1)) };
            if pair.0 == pair.1 || !seen.insert(pair) {
                continue;
            }
            let (a, b) = (self.get(pair.0), self.get(pair.1));
            if seen.len() > MAX_COMPARED || words(a) != words(b) || a.values != b.values || a.limits != b.limits {
                return false;
            }
            match (&a.kind, &b.kind) {
                (Kind::Unknown(one), Kind::Unknown(other)) if one.text == other.text => {}
                (Kind::Ref(one), Kind::Ref(other)) => left.push((*one, *other)),
                (Kind::Array { prefix: a, items: one }, Kind::Array { prefix: b, items: other })
                    if a.len() == b.len() && one.is_some() == other.is_some() =>
                {
                    left.extend(a.iter().copied().zip(b.iter().copied()));
                    left.extend(one.zip(*other));
                }
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
                        let always = !exact || one.always == other.always;
                        if one.name != other.name || one.required != other.required || !always {
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

    /// What a reference that adds nothing which a document can say leads to.
    fn bare(&self, id: ShapeId) -> ShapeId {
        let mut id = id;
        for _ in 0..32 {
            match self.get(id) {
                Shape { kind: Kind::Ref(target), nullable: false, read_only: false, .. } => id = *target,
                _ => break,
            }
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, Object};

    /// `{next: itself, name: string}`
    fn node(table: &mut ShapeTable, null_open: bool) -> ShapeId {
        let id = table.reserve();
        let text = table.add(Shape { null_open, ..Shape::new(Kind::String) });
        let field = |name: &str, shape| Field {
            name: name.to_owned(),
            shape,
            required: false,
            always: true,
            span: None,
            declared: None,
        };
        let fields = vec![field("next", id), field("name", text)];
        table.set(id, Shape::new(Kind::Object(Object { fields, additional: Additional::Open })));
        id
    }

    #[test]
    fn shapes_that_contain_themselves_are_alike_member_by_member() {
        let mut table = ShapeTable::default();
        let (one, other, open) = (node(&mut table, false), node(&mut table, false), node(&mut table, true));
        assert!(table.are_alike(one, other));
        assert!(!table.are_alike(one, open));
        assert!(table.are_documented_alike(one, open));
        let text = table.add(Shape::new(Kind::String));
        let list = |items| Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) });
        let (texts, nodes) = (table.add(list(text)), table.add(list(one)));
        assert!(!table.are_documented_alike(texts, nodes));
        let open_node = table.add(Shape { null_open: true, ..Shape::new(Kind::Ref(other)) });
        let nodes_too = table.add(list(open_node));
        assert!(table.are_documented_alike(nodes, nodes_too));
    }
}
