//! Models of Flask-RESTX as shapes: `api.model("User", {"id": fields.Integer})`, `api.inherit(…)`, and the plain dicts of
//! Flask-RESTful. The keys are the names on the wire, and marshalling writes all of them.

use super::is_ours;
use crate::evaluate::{Args, Evaluator, Made, Value, last};
use crate::languages::json_schema::{literal_value, shape_of_schema};
use crate::languages::python::schema::Schemas;
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Models within models are read this deep; a deeper one is unknown.
const MAX_DEPTH: u32 = 40;

/// The shape of a model, a field, or a list of one.
pub(super) fn shape<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    model: &Value<'p>,
    site: Option<Span>,
    depth: u32,
) -> ShapeId {
    if depth > MAX_DEPTH {
        return schemas.unknown("model nested too deep", site);
    }
    match model {
        Value::Made(made) => made_shape(evaluator, schemas, made, depth + 1),
        Value::Dict(_) => {
            let object = members(evaluator, schemas, model, site, depth + 1);
            schemas.table.add(Shape::new(Kind::Object(object)).at(site))
        }
        Value::List(_) | Value::Tuple(_) => match model.elements().unwrap_or_default().as_slice() {
            [only] => {
                let items = shape(evaluator, schemas, only, site, depth + 1);
                array(schemas, items)
            }
            _ => schemas.unknown("a list of several models", site),
        },
        Value::Function(function) if function.node.parameters.is_empty() => {
            let later = evaluator.call(model, Args::default(), function.node.name_span);
            shape(evaluator, schemas, &later, site, depth + 1)
        }
        Value::External(path) => field(evaluator, schemas, last(path), &Args::default(), site, depth),
        // A field of the program's own: what it writes is up to it, unless it only gives arguments to another.
        Value::Instance(instance) => {
            let class = instance.class.clone();
            let own = ["format", "output"].iter().any(|method| evaluator.class_member(&class, method).is_some());
            match evaluator.external_bases(&class).iter().find(|path| is_ours(path)) {
                Some(path) if !own => {
                    let path = path.clone();
                    field(evaluator, schemas, last(&path), &Args::default(), site, depth)
                }
                _ => schemas.unknown(format!("what `{}` writes is not known", class.name()), site),
            }
        }
        Value::Class(class) => schemas.unknown(format!("`{}` is no model that is known", class.name()), site),
        Value::Unknown(why, place) => schemas.unknown(*why, place.or(site)),
        other => schemas.unknown(format!("{} stands where a model is expected", other.describe()), site),
    }
}

fn array(schemas: &mut Schemas, items: ShapeId) -> ShapeId {
    schemas.table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) }))
}

fn made_shape<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas, made: &Made<'p>, depth: u32) -> ShapeId {
    let site = made.site;
    let name = made.args.get(0, "name").and_then(Value::as_str).unwrap_or("").to_owned();
    match made.name() {
        "model" | "Model" | "OrderedModel" | "inherit" | "clone" => {
            let key = format!("model {name} {} {}", site.file.0, site.start);
            schemas.declare_once(key, |schemas| {
                let mut object = Object { fields: Vec::new(), additional: Additional::Open };
                for part in made.args.positional.iter().skip(1).chain(made.args.named("model")) {
                    let part = part_of(evaluator, schemas, part, site, depth);
                    for field in part.fields {
                        object.fields.retain(|known| known.name != field.name);
                        object.fields.push(field);
                    }
                    if let Additional::Of(_) = part.additional {
                        object.additional = part.additional;
                    }
                }
                Shape::new(Kind::Object(object)).named(name).at(Some(site))
            })
        }
        "schema_model" | "SchemaModel" => match made.args.get(1, "schema") {
            Some(schema) => shape_of_schema(&mut schemas.table, schema, Some(site)),
            None => schemas.unknown("a model without a schema", Some(site)),
        },
        "as_list" => {
            let items = match made.args.positional.first() {
                Some(items) => shape(evaluator, schemas, items, Some(site), depth),
                None => schemas.unknown("a list of nothing", Some(site)),
            };
            array(schemas, items)
        }
        name => field(evaluator, schemas, name, &made.args, Some(site), depth),
    }
}

/// The members of a part of a model: another model, or a dict.
fn part_of<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    part: &Value<'p>,
    site: Span,
    depth: u32,
) -> Object {
    if let Value::Dict(_) = part {
        return members(evaluator, schemas, part, Some(site), depth);
    }
    let id = shape(evaluator, schemas, part, Some(site), depth);
    match &schemas.table.view(id).shape.kind {
        Kind::Object(object) => object.clone(),
        _ => Object { fields: Vec::new(), additional: Additional::Of(id) },
    }
}

fn members<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    dict: &Value<'p>,
    site: Option<Span>,
    depth: u32,
) -> Object {
    let mut object = Object { fields: Vec::new(), additional: Additional::Open };
    let Value::Dict(dict) = dict else { return object };
    let (entries, open) = (dict.borrow().entries.clone(), dict.borrow().open);
    if open {
        object.additional = Additional::Of(schemas.unknown("members that are spread in are not known", site));
    }
    for (key, value) in &entries {
        let shape = shape(evaluator, schemas, value, site, depth);
        let (required, span) = match value {
            Value::Made(made) => (says(&made.args, "required"), Some(made.site)),
            _ => (false, site),
        };
        match key.as_str() {
            // Flask-RESTX: all further members.
            Some("*") => object.additional = Additional::Of(shape),
            Some(name) => {
                let (name, always) = (name.to_owned(), true);
                object.fields.push(Field { name, shape, required, always, span, declared: None });
            }
            None => object.additional = Additional::Of(shape),
        }
    }
    object
}

fn says(args: &Args, name: &str) -> bool {
    matches!(args.named(name), Some(Value::Bool(true)))
}

/// The shape of what a field of this name writes.
fn field<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    name: &str,
    args: &Args<'p>,
    site: Option<Span>,
    depth: u32,
) -> ShapeId {
    let inner = |evaluator: &mut Evaluator<'p>, schemas: &mut Schemas| match args.positional.first() {
        Some(inner) => shape(evaluator, schemas, inner, site, depth + 1),
        None => schemas.unknown("what a field holds is not known", site),
    };
    let mut plain = match name {
        "Polymorph" => return schemas.unknown("one of several models", site),
        "String" | "FormattedString" | "Url" | "ClassName" => Shape::new(Kind::String),
        "DateTime" | "Date" => {
            let format = if name == "Date" { "date" } else { "date-time" };
            let is_mail = args.named("dt_format").and_then(Value::as_str) == Some("rfc822");
            Shape { format: (!is_mail).then(|| format.to_owned()), ..Shape::new(Kind::String) }
        }
        "Integer" => Shape::new(Kind::Integer),
        "Float" => Shape::new(Kind::Number),
        // Written as text by some versions.
        "Fixed" | "Arbitrary" | "Price" => Shape::new(Kind::Any),
        "Boolean" => Shape::new(Kind::Boolean),
        "Raw" => Shape::new(Kind::Any),
        "List" => {
            let items = inner(evaluator, schemas);
            return array(schemas, items);
        }
        "Wildcard" => return inner(evaluator, schemas),
        "Nested" => {
            let model = inner(evaluator, schemas);
            let model = if says(args, "skip_none") { without_none(schemas, model) } else { model };
            let model = if says(args, "as_list") { array(schemas, model) } else { model };
            if says(args, "allow_null") {
                return schemas.table.add(Shape::new(Kind::Ref(model)).nullable(true));
            }
            return model;
        }
        other => return schemas.unknown(format!("field `{other}` is not known"), site),
    };
    if let Some(values) = args.named("enum").and_then(Value::elements) {
        let values: Option<Vec<_>> = values.iter().map(literal_value).collect();
        plain.values = values.filter(|values| !values.is_empty());
    }
    schemas.table.add(plain)
}

/// The same without members that have no value.
pub(super) fn without_none(schemas: &mut Schemas, id: ShapeId) -> ShapeId {
    let view = schemas.table.view(id);
    let mut shape = view.shape.into_owned();
    match &mut shape.kind {
        Kind::Object(object) => object.fields.iter_mut().for_each(|field| field.always = false),
        Kind::Array { items: Some(items), .. } => {
            let items = *items;
            let inner = without_none(schemas, items);
            return array(schemas, inner);
        }
        _ => return id,
    }
    schemas.table.add(shape)
}
