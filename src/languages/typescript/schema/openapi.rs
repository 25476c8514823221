//! Types that are declared as values: the options of `@ApiProperty()` and `@ApiResponse()`, which are OpenAPI schemas with a
//! few members more (docs.nestjs.com/openapi/types-and-parameters).

use std::rc::Rc;

use super::types::{ObjectType, Prop, Type};
use super::{Schemas, Side};
use crate::evaluate::{Args, Evaluator, Value, last};
use crate::model::{Kind, Literal, Shape};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// The type that such options declare, if they do.
    pub fn declared_by(&mut self, ev: &mut Evaluator<'p>, options: &Value<'p>, site: Span) -> Option<Type<'p>> {
        if !self.enter() {
            return None;
        }
        let ty = self.declared_within(ev, options, site);
        self.leave();
        ty
    }

    fn declared_within(&mut self, ev: &mut Evaluator<'p>, options: &Value<'p>, site: Span) -> Option<Type<'p>> {
        let is_array = matches!(member(options, "isArray"), Some(Value::Bool(true)));
        let of = |ty: Type<'p>| if is_array { Type::array(ty) } else { ty };
        if let Some(values) = member(options, "enum").and_then(|given| enumerated_by(ev, &given, site)) {
            let listed = matches!(member(options, "type"), Some(Value::Str(kind)) if &*kind == "array");
            return Some(if listed && !is_array { Type::array(values) } else { of(values) });
        }
        if let Some(named) = member(options, "$ref") {
            return Some(of(self.referred_by(ev, &named, site)?));
        }
        for (combined, all) in [("allOf", true), ("oneOf", false), ("anyOf", false)] {
            if let Some(parts) = member(options, combined) {
                let parts = parts.elements()?;
                let parts: Option<Vec<Type<'p>>> = parts.iter().map(|part| self.declared_by(ev, part, site)).collect();
                let parts = parts?;
                let ty = match (&parts[..], all) {
                    ([only], _) => only.clone(),
                    (_, true) => Type::All(parts.into()),
                    _ => Type::union(parts),
                };
                return Some(of(ty));
            }
        }
        let given = match member(options, "type") {
            Some(given) => given,
            None if member(options, "properties").is_some() => Value::str("object"),
            None if member(options, "items").is_some() => Value::str("array"),
            None => return None,
        };
        let ty = match &given {
            Value::Str(kind) if &**kind == "array" => {
                let items = member(options, "items");
                let items = items.and_then(|items| self.declared_by(ev, &items, site));
                return items.map(Type::array);
            }
            Value::Str(kind) if &**kind == "object" => self.object_by(ev, options, site)?,
            other => self.named_by(ev, other, site)?,
        };
        Some(of(ty))
    }

    /// `{ type: 'object', properties: {…}, required: […] }`, `{ type: 'object', additionalProperties: … }`
    fn object_by(&mut self, ev: &mut Evaluator<'p>, options: &Value<'p>, site: Span) -> Option<Type<'p>> {
        let Some(Value::Dict(properties)) = member(options, "properties") else {
            let values = member(options, "additionalProperties")?;
            return Some(Type::Map(Rc::new(self.declared_by(ev, &values, site).unwrap_or(Type::Any))));
        };
        // Few say what is required at all: of what is sent it mostly is.
        let required = member(options, "required").and_then(|names| names.elements());
        let properties = properties.borrow().clone();
        let mut props = Vec::new();
        for (name, schema) in &properties.entries {
            let Some(name) = name.as_str() else { continue };
            let unread = || Type::unknown("schema that is not followed", Some(site));
            let ty = self.declared_by(ev, schema, site).unwrap_or_else(unread);
            let nullable = matches!(member(schema, "nullable"), Some(Value::Bool(true)));
            let ty = if nullable { Type::union(vec![ty, Type::Null]) } else { ty };
            let optional = match &required {
                Some(names) => !names.iter().any(|known| known.as_str() == Some(name)),
                None => self.side == Side::Input,
            };
            props.push(Prop { name: Rc::from(name), ty, optional, loose: false, span: Some(site), decorators: None });
        }
        let open = properties.open.then(|| (Rc::from("members that are spread in"), Some(site)));
        Some(Type::Object(Rc::new(ObjectType { props, index: None, open, name: None, span: Some(site) })))
    }

    /// `$ref: getSchemaPath(User)`
    fn referred_by(&mut self, ev: &mut Evaluator<'p>, named: &Value<'p>, site: Span) -> Option<Type<'p>> {
        let Value::Made(made) = named else { return None };
        let class = made.args.positional.first()?;
        (made.name() == "getSchemaPath" && !matches!(class, Value::Str(_))).then(|| self.instance_of(ev, class, site))
    }

    /// `type: User`, `type: () => [User]`, `type: 'integer'`
    fn named_by(&mut self, ev: &mut Evaluator<'p>, given: &Value<'p>, site: Span) -> Option<Type<'p>> {
        match given {
            Value::Str(kind) => match &**kind {
                "string" | "String" => Some(Type::Text),
                "integer" | "int" => Some(Type::Schema(self.table.add(Shape::new(Kind::Integer)))),
                "number" | "Number" => Some(Type::Number),
                "boolean" | "Boolean" => Some(Type::Boolean),
                "null" => Some(Type::Null),
                _ => None,
            },
            Value::Function(_) => {
                let later = ev.call_always(given, Args::default(), site);
                if matches!(later, Value::Function(_)) {
                    return None;
                }
                self.named_by(ev, &later, site)
            }
            Value::List(_) | Value::Tuple(_) => {
                let items = given.elements()?;
                Some(Type::array(self.named_by(ev, items.first()?, site)?))
            }
            Value::External(path) if path.starts_with("javascript.") => match last(path) {
                "String" => Some(Type::Text),
                "Number" => Some(Type::Number),
                "Boolean" => Some(Type::Boolean),
                "Date" => Some(Type::Date),
                // Says no more than the declared type.
                _ => None,
            },
            Value::Class(_) | Value::Made(_) => Some(self.instance_of(ev, given, site)),
            _ => None,
        }
    }
}

/// `enum: Color`, `enum: ['red', 'green']`, `enum: () => Color`
fn enumerated_by<'p>(ev: &mut Evaluator<'p>, given: &Value<'p>, site: Span) -> Option<Type<'p>> {
    let literal = |value: &Value<'p>| match value {
        Value::Str(text) => Some(Type::Literal(Literal::String(text.to_string()))),
        Value::Int(number) => Some(Type::Literal(Literal::Number(number.to_string()))),
        Value::Bool(value) => Some(Type::Literal(Literal::Boolean(*value))),
        _ => None,
    };
    match given {
        Value::Class(class) if ev.is_enum(class) => Some(Type::class(class.clone())),
        Value::Function(_) => {
            let later = ev.call_always(given, Args::default(), site);
            if matches!(later, Value::Function(_)) {
                return None;
            }
            enumerated_by(ev, &later, site)
        }
        Value::List(_) | Value::Tuple(_) => {
            let values: Option<Vec<Type<'p>>> = given.elements()?.iter().map(literal).collect();
            Some(Type::union(values?))
        }
        Value::Dict(dict) if !dict.borrow().open => {
            let values: Option<Vec<Type<'p>>> = dict.borrow().entries.iter().map(|(_, value)| literal(value)).collect();
            Some(Type::union(values?))
        }
        _ => None,
    }
}

/// A member of an object literal.
pub(super) fn member<'p>(options: &Value<'p>, key: &str) -> Option<Value<'p>> {
    match options {
        Value::Dict(dict) => dict.borrow().get_str(key).cloned(),
        _ => None,
    }
}
