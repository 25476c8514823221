//! What is declared for the documentation: a serializer, a field, a type, a schema as plain data, and what the generators
//! of documents (drf-spectacular, drf-yasg) have for it.

use indexmap::IndexMap;

use super::super::Schemas;
use super::{Owner, is_library_serializer, serializer_class};
use crate::evaluate::{Evaluator, Made, Value, last};
use crate::languages::json_schema::{self, Shapes, literal_value};
use crate::languages::python::django::{is_field, is_serializer_path};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId, ShapeTable, Union};
use crate::text::Span;

/// `drf_spectacular.types.OpenApiTypes`: name, kind, format.
const TYPES: &[(&str, Kind, Option<&str>)] = &[
    ("NUMBER", Kind::Number, None),
    ("FLOAT", Kind::Number, None),
    ("DOUBLE", Kind::Number, None),
    ("BOOL", Kind::Boolean, None),
    ("STR", Kind::String, None),
    ("BYTE", Kind::String, Some("byte")),
    ("BINARY", Kind::String, Some("binary")),
    ("PASSWORD", Kind::String, Some("password")),
    ("INT", Kind::Integer, None),
    ("INT32", Kind::Integer, None),
    ("INT64", Kind::Integer, None),
    ("UUID", Kind::String, Some("uuid")),
    ("URI", Kind::String, Some("uri")),
    ("URI_REF", Kind::String, Some("uri-reference")),
    ("IP4", Kind::String, Some("ipv4")),
    ("IP6", Kind::String, Some("ipv6")),
    ("HOSTNAME", Kind::String, Some("hostname")),
    ("DECIMAL", Kind::Number, None),
    ("DATETIME", Kind::String, Some("date-time")),
    ("DATE", Kind::String, Some("date")),
    ("TIME", Kind::String, Some("time")),
    ("DURATION", Kind::String, Some("duration")),
    ("EMAIL", Kind::String, Some("email")),
    ("REGEX", Kind::String, Some("regex")),
    ("ANY", Kind::Any, None),
];

/// A schema as plain data in which serializers may stand.
struct Plain<'s, 'e, 'p> {
    schemas: &'s mut Schemas,
    evaluator: &'e mut Evaluator<'p>,
}

impl<'p> Shapes<'p> for Plain<'_, '_, 'p> {
    fn table(&mut self) -> &mut ShapeTable {
        &mut self.schemas.table
    }

    fn other(&mut self, value: &Value<'p>, site: Option<Span>) -> Option<ShapeId> {
        let nowhere = Span { file: crate::text::FileId(0), start: 0, end: 0 };
        Some(self.schemas.declared_shape(self.evaluator, value, site.unwrap_or(nowhere)))
    }
}

impl Schemas {
    /// The shape of a schema as plain data; values in it that are no data are declared likewise.
    pub fn schema_shape<'p>(&mut self, evaluator: &mut Evaluator<'p>, schema: &Value<'p>, site: Span) -> ShapeId {
        let mut plain = Plain { schemas: self, evaluator };
        json_schema::shape_of_schema(&mut plain, schema, Some(site))
    }

    /// The shape of what is declared.
    pub fn declared_shape<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span) -> ShapeId {
        if self.depth > super::super::MAX_DEPTH {
            return self.unknown("declaration nested too deep", Some(site));
        }
        self.depth += 1;
        let shape = self.declared_at(evaluator, value, site);
        self.depth -= 1;
        shape
    }

    fn declared_at<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span) -> ShapeId {
        if let Some(class) = serializer_class(evaluator, value) {
            let shape = self.serializer(evaluator, &class);
            let many = match value {
                Value::Instance(instance) => instance.attributes.borrow().get("many").cloned(),
                _ => None,
            };
            return self.one_or_many(shape, many.as_ref());
        }
        match value {
            Value::Dict(_) => self.schema_shape(evaluator, value, site),
            Value::External(path) if path.contains("OpenApiTypes.") => self.open_api_type(last(path), site),
            // The class of a field stands for one that is made without arguments.
            Value::External(path) if is_field(last(path)) => {
                let call = super::calls::Call::of_library(path);
                self.plain_field(evaluator, &call)
            }
            Value::Made(made) => self.declared_made(evaluator, value, &made.clone()),
            Value::Class(class) => {
                let external = evaluator.external_bases(class);
                let Some(field) = external.iter().find(|path| is_field(last(path))) else {
                    return self.shape_of(evaluator, value, Some(site));
                };
                let mut call = super::calls::Call::of_library(field);
                call.class = Some(class.clone());
                match self.declared_by_decorator(evaluator, class) {
                    Some(shape) => shape,
                    None => match evaluator.class_member(class, "to_representation") {
                        Some(Value::Function(function)) => {
                            self.declared_result(evaluator, &function, "what a field writes in a way of its own")
                        }
                        _ => self.plain_field(evaluator, &call),
                    },
                }
            }
            Value::Instance(_) => {
                let owner = Owner { class: None, model: None };
                match self.member(evaluator, &owner, "", value) {
                    Some(member) => member.shape,
                    None => self.unknown("a field that is not written", Some(site)),
                }
            }
            // The elements of a list are alternatives nowhere: a list of one stands for several of it.
            Value::List(_) | Value::Tuple(_) => self.unknown("a list stands where a schema is expected", Some(site)),
            other => self.shape_of(evaluator, other, Some(site)),
        }
    }

    fn open_api_type(&mut self, name: &str, site: Span) -> ShapeId {
        if name == "OBJECT" {
            let values = self.plain(Kind::Any);
            return self.map(values);
        }
        let Some((_, kind, format)) = TYPES.iter().find(|(known, ..)| *known == name) else {
            return self.unknown(format!("type `{name}` of the documentation is not known"), Some(site));
        };
        let mut shape = Shape::new(kind.clone()).at(Some(site));
        shape.format = format.map(str::to_owned);
        self.table.add(shape)
    }

    fn declared_made<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, made: &Made<'p>) -> ShapeId {
        let site = made.site;
        match made.name() {
            "inline_serializer" => {
                let shape = match made.args.get(1, "fields") {
                    Some(Value::Dict(fields)) => {
                        let fields = fields.borrow().clone();
                        self.inline(evaluator, &fields, site)
                    }
                    _ => self.unknown("fields of an inline serializer are not known", Some(site)),
                };
                self.one_or_many(shape, made.args.named("many"))
            }
            // The class of one, made with `many=True`.
            "inline_serializer()" => {
                let shape = match &made.receiver {
                    Some(inline) => self.declared_shape(evaluator, &inline.clone(), site),
                    None => self.unknown("fields of an inline serializer are not known", Some(site)),
                };
                self.one_or_many(shape, made.args.named("many"))
            }
            "PolymorphicProxySerializer" => {
                let options: Vec<Value<'p>> = match made.args.get(1, "serializers") {
                    Some(Value::Dict(options)) => {
                        options.borrow().entries.iter().map(|(_, option)| option.clone()).collect()
                    }
                    Some(other) => other.elements().unwrap_or_default(),
                    None => Vec::new(),
                };
                if options.is_empty() {
                    return self.unknown("alternatives of a polymorphic serializer are not known", Some(site));
                }
                let options: Vec<ShapeId> =
                    options.iter().map(|option| self.declared_shape(evaluator, option, site)).collect();
                let union = Union { options, discriminator: None, exclusive: true };
                let shape = self.table.add(Shape::new(Kind::Union(union)).at(Some(site)));
                self.one_or_many(shape, made.args.named("many"))
            }
            "OpenApiResponse" => match made.args.get(0, "response") {
                Some(response) => self.declared_shape(evaluator, &response.clone(), site),
                None => self.plain(Kind::Any),
            },
            "Schema" if made.path.contains("openapi") => self.yasg_schema(evaluator, made),
            "build_basic_type" | "force_instance" => match made.args.positional.first() {
                Some(given) => self.declared_shape(evaluator, &given.clone(), site),
                None => self.unknown("a schema that is built", Some(site)),
            },
            "build_array_type" => {
                let items = made.args.get(0, "schema").cloned();
                let items = match items {
                    Some(items) => self.declared_shape(evaluator, &items, site),
                    None => self.unknown("a schema that is built", Some(site)),
                };
                self.array(items)
            }
            "build_object_type" => self.built_object(evaluator, &made.args, site),
            name if is_field(name) || is_library_serializer(value) || is_serializer_path(&made.path) => {
                let owner = Owner { class: None, model: None };
                match self.member(evaluator, &owner, "", value) {
                    Some(member) => member.shape,
                    None => self.unknown("a field that is not written", Some(site)),
                }
            }
            name => self.unknown(format!("`{name}` stands where a schema is expected"), Some(site)),
        }
    }

    fn inline<'p>(&mut self, evaluator: &mut Evaluator<'p>, fields: &crate::evaluate::Dict<'p>, site: Span) -> ShapeId {
        let owner = Owner { class: None, model: None };
        let mut members = IndexMap::new();
        for (name, value) in &fields.entries {
            let Some(name) = name.as_str() else { continue };
            let value = match value {
                // `{"user": UserSerializer}`: the class stands for one that is made.
                Value::Class(_) | Value::External(_) => {
                    let shape = self.declared_shape(evaluator, value, site);
                    members.insert(name.to_owned(), super::Member { shape, required: true, span: Some(site) });
                    continue;
                }
                other => other,
            };
            if let Some(member) = self.member(evaluator, &owner, name, value) {
                members.insert(name.to_owned(), member);
            }
        }
        let open = fields.open.then(|| "fields of an inline serializer are not known".to_owned());
        let shape = self.object_of(members, open, site).at(Some(site));
        self.table.add(shape)
    }

    /// `openapi.Schema(type=openapi.TYPE_OBJECT, properties={…})` of drf-yasg.
    fn yasg_schema<'p>(&mut self, evaluator: &mut Evaluator<'p>, made: &Made<'p>) -> ShapeId {
        let site = made.site;
        let kind = match made.args.named("type") {
            Some(Value::External(path)) => last(path).trim_start_matches("TYPE_").to_lowercase(),
            Some(Value::Str(text)) => text.to_string(),
            _ => return self.unknown("type of a schema is not known", Some(site)),
        };
        let mut shape = match kind.as_str() {
            "string" | "file" => Shape::new(Kind::String),
            "integer" => Shape::new(Kind::Integer),
            "number" => Shape::new(Kind::Number),
            "boolean" => Shape::new(Kind::Boolean),
            "array" => {
                let items = made.args.named("items").cloned();
                let items = items.map(|items| self.declared_shape(evaluator, &items, site));
                Shape::new(Kind::Array { prefix: Vec::new(), items })
            }
            "object" => {
                let required = made.args.named("required").and_then(Value::elements).unwrap_or_default();
                let mut fields = Vec::new();
                let mut additional = Additional::Open;
                if let Some(Value::Dict(properties)) = made.args.named("properties") {
                    let properties = properties.borrow().clone();
                    for (name, value) in &properties.entries {
                        let Some(name) = name.as_str() else { continue };
                        let shape = self.declared_shape(evaluator, value, site);
                        let required = required.iter().any(|known| known.as_str() == Some(name));
                        fields.push(Field {
                            name: name.to_owned(),
                            shape,
                            required,
                            always: required,
                            span: Some(site),
                            declared: None,
                        });
                    }
                }
                if fields.is_empty() {
                    additional = Additional::Of(self.plain(Kind::Any));
                }
                Shape::new(Kind::Object(Object { fields, additional }))
            }
            _ => Shape::unknown("type of a schema is not known", Some(site)),
        };
        if let Some(values) = made.args.named("enum").and_then(Value::elements) {
            shape.values = values.iter().map(literal_value).collect();
        }
        self.table.add(shape.at(Some(site)))
    }
}
