//! Fields of marshmallow as shapes: what each of them writes.

use std::rc::Rc;

use super::{Choice, MAX_DEPTH, arguments, says};
use crate::evaluate::{Args, ClassRef, Evaluator, Value, last};
use crate::languages::json_schema::{kind_of_values, literal_value};
use crate::languages::python::marshmallow::is_ours;
use crate::languages::python::schema::Schemas;
use crate::model::{Kind, Literal, Shape, ShapeId};
use crate::text::Span;

impl Schemas {
    /// The shape of what a field writes.
    pub(super) fn field<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        value: &Value<'p>,
        class: Option<&ClassRef<'p>>,
        choice: &Choice,
        span: Span,
        depth: u32,
    ) -> ShapeId {
        let site = Some(span);
        if depth > MAX_DEPTH {
            return self.unknown("field nested too deep", site);
        }
        let args = arguments(value);
        let path = match value {
            Value::Made(made) => made.path.clone(),
            Value::External(path) => path.clone(),
            Value::Class(_) | Value::Instance(_) => match own_field(evaluator, value) {
                Ok(path) => path,
                Err(Some(written)) => return self.shape_of(evaluator, &written, site),
                Err(None) => return self.unknown("what a field of the program writes is not known", site),
            },
            Value::Unknown(why, place) => return self.unknown(*why, place.or(site)),
            other => return self.unknown(format!("{} stands where a field is expected", other.describe()), site),
        };
        let shape = self.named_field(evaluator, last(&path), &args, class, choice, span, depth);
        // A default of None means that None is taken, too.
        let takes_none = args.named("allow_none").map_or_else(
            || matches!(args.named("load_default").or_else(|| args.named("missing")), Some(Value::None)),
            |given| says(Some(given)),
        );
        if takes_none { self.table.add(Shape::new(Kind::Ref(shape)).nullable(true)) } else { shape }
    }

    #[expect(clippy::too_many_arguments, reason = "a field in its place")]
    fn named_field<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        name: &str,
        args: &Args<'p>,
        class: Option<&ClassRef<'p>>,
        choice: &Choice,
        span: Span,
        depth: u32,
    ) -> ShapeId {
        let site = Some(span);
        let format = args.named("format").and_then(Value::as_str);
        let text = |format: &str| Shape { format: Some(format.to_owned()), ..Shape::new(Kind::String) };
        let plain = match name {
            "Integer" | "Int" if says(args.named("as_string")) => Shape::new(Kind::String),
            "Integer" | "Int" => Shape::new(Kind::Integer),
            "Float" | "Decimal" | "Number" if says(args.named("as_string")) => Shape::new(Kind::String),
            "Float" | "Decimal" | "Number" => Shape::new(Kind::Number),
            "Boolean" | "Bool" => Shape::new(Kind::Boolean),
            "String" | "Str" | "Email" | "URL" | "Url" | "URLFor" | "UrlFor" | "AbsoluteURLFor" | "AbsoluteUrlFor"
            | "IP" | "IPv4" | "IPv6" | "IPInterface" => Shape::new(Kind::String),
            "UUID" => text("uuid"),
            "DateTime" | "NaiveDateTime" | "AwareDateTime" | "LocalDateTime" => match format {
                Some("timestamp" | "timestamp_ms") => Shape::new(Kind::Number),
                None | Some("iso" | "iso8601") => text("date-time"),
                Some(_) => Shape::new(Kind::String),
            },
            "Date" => text("date"),
            "Time" => Shape::new(Kind::String),
            "TimeDelta" => Shape::new(Kind::Integer),
            "Raw" | "Field" => Shape::new(Kind::Any),
            "Dict" | "Mapping" => {
                let values = match args.named("values") {
                    Some(values) => self.field(evaluator, &values.clone(), class, choice, span, depth + 1),
                    None => self.plain(Kind::Any),
                };
                return self.map(values);
            }
            "List" => {
                let items = match args.get(0, "cls_or_instance") {
                    Some(inner) => self.field(evaluator, &inner.clone(), class, choice, span, depth + 1),
                    None => self.plain(Kind::Any),
                };
                return self.array(items);
            }
            "Tuple" => {
                let parts = args.get(0, "tuple_fields").and_then(Value::elements).unwrap_or_default();
                let prefix =
                    parts.iter().map(|part| self.field(evaluator, part, class, choice, span, depth + 1)).collect();
                Shape::new(Kind::Array { prefix, items: None })
            }
            "Nested" => {
                let own = Choice::read(|name| args.named(name).cloned()).and(choice);
                let found = args.get(0, "nested").cloned();
                let inner = found
                    .and_then(|schema| self.marshmallow(evaluator, &schema, class, &own, site, depth + 1))
                    .unwrap_or_else(|| self.unknown("nested schema is not known", site));
                return if says(args.named("many")) { self.array(inner) } else { inner };
            }
            "Pluck" => {
                let inner = args.get(0, "nested").cloned();
                let inner = inner.and_then(|schema| {
                    self.marshmallow(evaluator, &schema, class, &Choice::default(), site, depth + 1)
                });
                let picked = args.get(1, "field_name").and_then(Value::as_str);
                let member = inner.and_then(|id| match &self.table.view(id).shape.kind {
                    Kind::Object(object) => {
                        let is_picked = |name: &str| picked == Some(name);
                        let found = object
                            .fields
                            .iter()
                            .find(|field| is_picked(field.declared.as_deref().unwrap_or(&field.name)));
                        found.map(|field| field.shape)
                    }
                    _ => None,
                });
                let member = member.unwrap_or_else(|| self.unknown("picked field is not known", site));
                return if says(args.named("many")) { self.array(member) } else { member };
            }
            "Enum" | "EnumField" => return self.enumerated(evaluator, args, class, span, depth),
            "Constant" => match args.positional.first().and_then(literal_value) {
                Some(value) => {
                    let values = vec![value];
                    Shape::new(kind_of_values(&values)).with_values(values)
                }
                None => Shape::unknown("constant is not known", site),
            },
            "Method" => return self.computed_field(evaluator, args, class, span),
            "Function" => Shape::unknown("what a function writes is not known", site),
            other => Shape::unknown(format!("field `{other}` is not known"), site),
        };
        let plain = match one_of(args) {
            Some(values) if !matches!(plain.kind, Kind::Unknown(_) | Kind::Any) => plain.with_values(values),
            _ => plain,
        };
        self.table.add(plain)
    }

    /// `fields.Method("name")`: what that method says that it returns.
    fn computed_field<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        args: &Args<'p>,
        class: Option<&ClassRef<'p>>,
        span: Span,
    ) -> ShapeId {
        let method = match (args.get(0, "serialize"), class) {
            (Some(Value::Str(name)), Some(class)) => evaluator.class_member(class, name),
            _ => None,
        };
        if let Some(Value::Function(method)) = method
            && let Some(returns) = &method.node.returns
        {
            let declared = evaluator.type_expression(returns, &method.scope);
            return self.shape_of(evaluator, &declared, Some(returns.span));
        }
        self.unknown("what a method writes is not known", Some(span))
    }

    fn enumerated<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        args: &Args<'p>,
        class: Option<&ClassRef<'p>>,
        span: Span,
        depth: u32,
    ) -> ShapeId {
        let Some(Value::Class(enumeration)) = args.get(0, "enum").cloned() else {
            return self.unknown("values of an enumeration are not known", Some(span));
        };
        let values: Option<Vec<Literal>> = match args.named("by_value") {
            None | Some(Value::Bool(false)) => {
                let members = evaluator.enum_members(&enumeration);
                Some(members.iter().map(|member| Literal::String(member.name.to_owned())).collect())
            }
            Some(Value::Bool(true)) => {
                evaluator.enum_members(&enumeration).iter().map(|member| literal_value(&member.value)).collect()
            }
            // Written as another field says.
            Some(field) => return self.field(evaluator, &field.clone(), class, &Choice::default(), span, depth + 1),
        };
        match values {
            Some(values) if !values.is_empty() => {
                self.table.add(Shape::new(kind_of_values(&values)).with_values(values))
            }
            _ => self.unknown("values of an enumeration are not known", Some(span)),
        }
    }
}

/// The field of the library that one of the program comes from; else what its `_serialize` says that it returns.
fn own_field<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Result<Rc<str>, Option<Value<'p>>> {
    let class = match value {
        Value::Instance(instance) => instance.class.clone(),
        Value::Class(class) => class.clone(),
        _ => return Err(None),
    };
    if let Some(Value::Function(method)) = evaluator.class_member(&class, "_serialize") {
        let returns = method.node.returns.as_ref();
        return Err(returns.map(|returns| evaluator.type_expression(returns, &method.scope)));
    }
    evaluator.external_bases(&class).into_iter().find(|path| is_ours(path)).ok_or(None)
}

/// The values that `validate=OneOf([…])` lets through.
fn one_of(args: &Args) -> Option<Vec<Literal>> {
    let given = args.named("validate")?;
    let all = given.elements().unwrap_or_else(|| vec![given.clone()]);
    all.iter().find_map(|validator| match validator {
        Value::Made(made) if made.name() == "OneOf" => {
            let values = made.args.get(0, "choices")?.elements()?;
            let values: Option<Vec<Literal>> = values.iter().map(literal_value).collect();
            values.filter(|values| !values.is_empty() && !values.contains(&Literal::Null))
        }
        _ => None,
    })
}
