//! JSON Schema written as a Python dict: `WithJsonSchema({...})`, `responses={200: {"content": …}}`.

use crate::evaluate::Value;
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId, ShapeTable, Union};
use crate::text::Span;

use super::literal_value;

/// The shape that a schema dict declares; parts that are not plain data are unknown.
pub fn shape_of_schema(table: &mut ShapeTable, schema: &Value, site: Option<Span>) -> ShapeId {
    shape_at(table, schema, site, 0)
}

fn shape_at(table: &mut ShapeTable, schema: &Value, site: Option<Span>, depth: usize) -> ShapeId {
    let Value::Dict(dict) = schema else { return table.add(Shape::unknown("schema is no plain data", site)) };
    if depth > 30 {
        return table.add(Shape::unknown("schema nested too deep", site));
    }
    let dict = dict.borrow();
    if dict.open || dict.get_str("$ref").is_some() || dict.get_str("allOf").is_some() {
        return table.add(Shape::unknown("schema refers to what is not here", site));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(options) = dict.get_str(key).and_then(Value::elements) {
            let options: Vec<ShapeId> = options.iter().map(|option| shape_at(table, option, site, depth + 1)).collect();
            let nullable = options.iter().any(|id| matches!(table.get(*id).kind, Kind::Null));
            let options: Vec<ShapeId> =
                options.into_iter().filter(|id| !matches!(table.get(*id).kind, Kind::Null)).collect();
            let kind = match options.as_slice() {
                [only] => Kind::Ref(*only),
                _ => Kind::Union(Union { options, discriminator: None, exclusive: key == "oneOf" }),
            };
            return table.add(Shape::new(kind).nullable(nullable).at(site));
        }
    }
    let values = dict
        .get_str("enum")
        .and_then(Value::elements)
        .or_else(|| dict.get_str("const").map(|value| vec![value.clone()]))
        .and_then(|values| values.iter().map(literal_value).collect::<Option<Vec<_>>>());
    let properties = match dict.get_str("properties") {
        Some(Value::Dict(properties)) => Some(properties.borrow().entries.clone()),
        _ => None,
    };
    let kind = match dict.get_str("type").and_then(Value::as_str) {
        Some("string") => Kind::String,
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Boolean,
        Some("null") => Kind::Null,
        Some("array") => {
            let items = dict.get_str("items").map(|items| shape_at(table, items, site, depth + 1));
            Kind::Array { prefix: Vec::new(), items }
        }
        Some("object") | None if properties.is_some() => {
            let required = dict.get_str("required").and_then(Value::elements).unwrap_or_default();
            let mut fields = Vec::new();
            for (name, schema) in properties.unwrap_or_default() {
                let Some(name) = name.as_str() else { continue };
                let shape = shape_at(table, &schema, site, depth + 1);
                let required = required.iter().any(|known| known.as_str() == Some(name));
                fields.push(Field {
                    name: name.to_owned(),
                    shape,
                    required,
                    always: required,
                    span: site,
                    declared: None,
                });
            }
            Kind::Object(Object { fields, additional: Additional::Open })
        }
        Some("object") => {
            let additional = match dict.get_str("additionalProperties") {
                Some(Value::Bool(false)) => Additional::Closed,
                Some(values @ Value::Dict(_)) => Additional::Of(shape_at(table, values, site, depth + 1)),
                _ => Additional::Of(table.add(Shape::new(Kind::Any))),
            };
            Kind::Object(Object { fields: Vec::new(), additional })
        }
        _ => values.as_deref().map_or(Kind::Any, super::kind_of_values),
    };
    let mut shape = Shape::new(kind).at(site);
    shape.values = values;
    shape.format = dict.get_str("format").and_then(Value::as_str).map(str::to_owned);
    table.add(shape)
}
