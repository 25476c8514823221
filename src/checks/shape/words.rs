//! Shapes in words, for messages.

use crate::model::{Additional, Kind, Literal, Object, ShapeId, ShapeTable};

/// Alternatives or values that are listed before the rest is left out.
const MAX_LISTED: usize = 6;

/// `array of `User``, `string or null`, `one of `a`, `b``.
pub fn describe(table: &ShapeTable, id: ShapeId) -> String {
    words(table, id, 0)
}

/// `` `a`, `b` ``
pub(super) fn list(values: &[Literal]) -> String {
    let word = |value: &Literal| match value {
        Literal::String(text) if text.is_empty() => "`\"\"`".to_owned(),
        value => value.to_string(),
    };
    let mut out = values.iter().take(MAX_LISTED).map(word).collect::<Vec<_>>().join(", ");
    if values.len() > MAX_LISTED {
        out.push_str(", …");
    }
    out
}

fn words(table: &ShapeTable, id: ShapeId, depth: usize) -> String {
    let view = table.view(id);
    let shape = &view.shape;
    let known: Option<Vec<Literal>> =
        shape.values.as_ref().map(|values| values.iter().filter(|value| **value != Literal::Null).cloned().collect());
    let mut nullable = view.nullable && !matches!(shape.kind, Kind::Null | Kind::Any);
    let mut text = match (&shape.kind, known) {
        (_, Some(values)) if values.len() == 1 => list(&values),
        (_, Some(values)) if !values.is_empty() => format!("one of {}", list(&values)),
        (Kind::Unknown(_), _) => "unknown".to_owned(),
        (Kind::Any, _) => "any value".to_owned(),
        (Kind::Never, _) => "nothing".to_owned(),
        (Kind::Null, _) => "null".to_owned(),
        (Kind::Boolean, _) => "boolean".to_owned(),
        (Kind::Integer, _) => "integer".to_owned(),
        (Kind::Number | Kind::Numeric, _) => "number".to_owned(),
        (Kind::String, _) => "string".to_owned(),
        (Kind::Array { items: Some(items), .. }, _) if depth < 3 => {
            format!("array of {}", words(table, *items, depth + 1))
        }
        (Kind::Array { .. }, _) => "array".to_owned(),
        (Kind::Object(object), _) => object_words(table, shape.name.as_deref(), object, depth),
        (Kind::Either(options), _) if depth < 3 => {
            let options: Vec<String> = options.iter().map(|option| words(table, *option, depth + 1)).collect();
            format!("either {}", options.join(" or "))
        }
        (Kind::Union(union), _) if depth < 3 => {
            let mut listed: Vec<String> = Vec::new();
            for option in &union.options {
                if matches!(table.view(*option).shape.kind, Kind::Null) {
                    nullable = true;
                } else {
                    let option = words(table, *option, depth + 1);
                    if !listed.contains(&option) && listed.len() <= MAX_LISTED {
                        listed.push(option);
                    }
                }
            }
            listed.join(" or ")
        }
        (Kind::Union(_) | Kind::Either(_) | Kind::All(_) | Kind::Ref(_), _) => "several alternatives".to_owned(),
    };
    if nullable {
        text.push_str(if text.is_empty() { "null" } else { " or null" });
    }
    text
}

fn object_words(table: &ShapeTable, name: Option<&str>, object: &Object, depth: usize) -> String {
    match (name, &object.additional) {
        (Some(name), _) => format!("`{name}`"),
        (None, Additional::Of(value)) if object.fields.is_empty() && depth < 3 => {
            format!("map of {}", words(table, *value, depth + 1))
        }
        (None, _) => "object".to_owned(),
    }
}
