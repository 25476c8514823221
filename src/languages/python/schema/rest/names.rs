//! Shapes whose names are written in another case than they are declared.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Schemas;
use crate::model::{Additional, Kind, Shape, ShapeId, ShapeTable, Union};

impl Schemas {
    /// The same shape with every name as `camelCase`, all the way down. Follows `djangorestframework_camel_case.util`.
    pub fn camelized(&mut self, shape: ShapeId) -> ShapeId {
        let mut known = std::mem::take(&mut self.camelized);
        let mut next = vec![shape];
        // Places first: shapes that lead back to themselves do so under their new names.
        let mut order = Vec::new();
        while let Some(id) = next.pop() {
            if known.contains_key(&id) {
                continue;
            }
            known.insert(id, self.table.reserve());
            order.push(id);
            next.extend(parts(self.table.get(id)));
        }
        for id in order {
            let renamed = renamed(self.table.get(id).clone(), &known);
            self.table.set(known[&id], renamed);
        }
        let found = known[&shape];
        self.camelized = known;
        found
    }
}

/// Whether a name anywhere in a shape would be another in camel case.
pub fn has_underscores(table: &ShapeTable, shape: ShapeId) -> bool {
    let mut seen = FxHashSet::default();
    let mut next = vec![shape];
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        let shape = table.get(id);
        if let Kind::Object(object) = &shape.kind
            && object.fields.iter().any(|field| camel_case(&field.name) != field.name)
        {
            return true;
        }
        next.extend(parts(shape));
    }
    false
}

fn parts(shape: &Shape) -> Vec<ShapeId> {
    match &shape.kind {
        Kind::Array { prefix, items } => prefix.iter().chain(items).copied().collect(),
        Kind::Object(object) => {
            let values = match object.additional {
                Additional::Of(values) => Some(values),
                _ => None,
            };
            object.fields.iter().map(|field| field.shape).chain(values).collect()
        }
        Kind::Union(union) => union.options.clone(),
        Kind::All(parts) => parts.clone(),
        Kind::Ref(target) => vec![*target],
        _ => Vec::new(),
    }
}

fn renamed(mut shape: Shape, known: &FxHashMap<ShapeId, ShapeId>) -> Shape {
    let of = |id: ShapeId| known.get(&id).copied().unwrap_or(id);
    shape.kind = match shape.kind {
        Kind::Array { prefix, items } => {
            Kind::Array { prefix: prefix.into_iter().map(of).collect(), items: items.map(of) }
        }
        Kind::Object(mut object) => {
            for field in &mut object.fields {
                let name = camel_case(&field.name);
                if name != field.name {
                    field.declared = Some(std::mem::replace(&mut field.name, name));
                }
                field.shape = of(field.shape);
            }
            if let Additional::Of(values) = object.additional {
                object.additional = Additional::Of(of(values));
            }
            Kind::Object(object)
        }
        Kind::Union(Union { options, discriminator, exclusive }) => Kind::Union(Union {
            options: options.into_iter().map(of).collect(),
            discriminator: discriminator.map(|name| camel_case(&name)),
            exclusive,
        }),
        Kind::All(parts) => Kind::All(parts.into_iter().map(of).collect()),
        Kind::Ref(target) => Kind::Ref(of(target)),
        other => other,
    };
    shape
}

/// `one_two_3` is `oneTwo3`: an underscore before a small letter or a digit goes, what follows is a capital.
fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '_' && (next.is_ascii_lowercase() || next.is_ascii_digit()) => {
                out.push(next.to_ascii_uppercase());
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn underscores_before_small_letters_and_digits_go() {
        for (written, camel) in [
            ("one_two", "oneTwo"),
            ("page_2_size", "page2Size"),
            ("plain", "plain"),
            ("UPPER_CASE", "UPPER_CASE"),
            ("a__b", "a_B"),
            ("end_", "end_"),
        ] {
            assert_eq!(camel_case(written), camel);
        }
    }
}
