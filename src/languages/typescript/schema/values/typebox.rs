//! TypeBox: JSON Schema that is put together by functions (`Type.Object({…})`). Follows its documentation, "Types".

use std::rc::Rc;

use super::forms::{Form, Members, Rest, enumerated, members_of_record};
use crate::evaluate::{Evaluator, Made, Value};
use crate::languages::typescript::typebox::{members_of, operation};
use crate::model::{Kind, Shape};

pub(super) fn is_schema(made: &Made) -> bool {
    operation(&made.path).is_some()
}

/// What one call says.
pub(super) fn form<'p>(evaluator: &mut Evaluator<'p>, made: &Rc<Made<'p>>) -> Form<'p> {
    let args = made.args.positional.as_slice();
    let (first, second, site) = (args.first(), args.get(1), made.site);
    let form = match operation(&made.path).unwrap_or_default() {
        "String" | "RegExp" | "RegEx" | "TemplateLiteral" | "Uint8Array" => Form::kind(Kind::String),
        "Number" => Form::kind(Kind::Number),
        "Integer" => Form::kind(Kind::Integer),
        "Boolean" => Form::kind(Kind::Boolean),
        "Null" => Form::kind(Kind::Null),
        "Any" | "Unknown" => Form::kind(Kind::Any),
        "Never" => Form::kind(Kind::Never),
        "Undefined" | "Void" | "Function" | "Constructor" | "Symbol" => Form::Nothing,
        "Date" => Form::formatted(Kind::String, "date-time"),
        "BigInt" => Form::unknown("a bigint, for which JSON has no form", site),
        "Literal" => match first {
            Some(value) => Form::values(std::slice::from_ref(value), site),
            None => Form::Nothing,
        },
        "Enum" => match first.and_then(|first| enumerated(evaluator, first)) {
            Some(values) => Form::values(&values, site),
            None => Form::unknown("values of the enumeration are not known", site),
        },
        "Array" => Form::Array(first.cloned()),
        "Tuple" => match first.and_then(Value::elements) {
            Some(items) => Form::Tuple(items, None),
            None => Form::unknown("elements of the tuple are not known", site),
        },
        "Record" => Form::Map(second.cloned()),
        "Union" => match first.and_then(Value::elements) {
            Some(options) => Form::Union { options, discriminator: None },
            None => Form::unknown("alternatives are not known", site),
        },
        "Intersect" => match first.and_then(Value::elements) {
            Some(parts) => Form::All(parts),
            None => Form::unknown("parts of the intersection are not known", site),
        },
        "Object" | "Interface" => match first.and_then(|first| members_of_record(first, rest(second))) {
            Some(members) => Form::Object(members),
            None => Form::unknown("members of the object are not known", site),
        },
        "Partial" | "Required" | "Pick" | "Omit" | "Composite" | "Evaluate" => {
            match members_of(evaluator, &Value::Made(made.clone())) {
                Some(members) => Form::Object(members),
                None => Form::unknown("members of the object are not known", site),
            }
        }
        "KeyOf" => match first.and_then(|first| members_of(evaluator, first)) {
            Some(Members { list, open: false, .. }) => {
                let names: Vec<Value> = list.iter().map(|member| Value::Str(member.name.clone())).collect();
                Form::values(&names, site)
            }
            _ => Form::unknown("names of members are not known", site),
        },
        "Index" => match (first.and_then(|first| members_of(evaluator, first)), second.map(named)) {
            (Some(members), Some(names)) if !names.is_empty() => {
                let chosen = members.list.into_iter().filter(|member| names.contains(&member.name));
                Form::Union { options: chosen.map(|member| member.schema).collect(), discriminator: None }
            }
            _ => Form::unknown("member of an object", site),
        },
        "Optional" => with(first, Form::optional),
        "Readonly" | "ReadonlyOptional" | "Mutable" | "Transform" | "Promise" | "Decode" | "Encode" | "Options"
        | "Codec" | "Refine" | "Base" => {
            let optional = made.name() == "ReadonlyOptional";
            with(first, if optional { Form::optional } else { Form::same })
        }
        // What a schema lets out that is said to be of some type is what is passed.
        "Unsafe" => match first {
            Some(Value::Dict(dict)) if !dict.borrow().entries.is_empty() => with(first, Form::same),
            _ => Form::typed(made).unwrap_or_else(|| with(first, Form::same)),
        },
        "Recursive" => match first {
            Some(Value::Function(function)) => Form::Contained(function.clone()),
            _ => Form::unknown("a recursive schema is not known", site),
        },
        "Ref" | "This" => match first {
            Some(schema @ Value::Made(_)) => Form::same(schema.clone()),
            _ => Form::unknown("schema refers to what is not here", site),
        },
        "Exclude" | "Extract" => Form::unknown("alternatives that are picked out", site),
        "Capitalize" | "Lowercase" | "Uncapitalize" | "Uppercase" => Form::kind(Kind::String),
        other => Form::unknown(format!("`{other}` of TypeBox"), site),
    };
    match form {
        Form::Plain(shape) => Form::Plain(described(shape, args)),
        form => form,
    }
}

fn with<'p>(schema: Option<&Value<'p>>, wrap: fn(Value<'p>) -> Form<'p>) -> Form<'p> {
    schema.map_or(Form::kind(Kind::Any), |schema| wrap(schema.clone()))
}

/// `additionalProperties` of the options.
fn rest<'p>(options: Option<&Value<'p>>) -> Rest<'p> {
    let Some(Value::Dict(options)) = options else { return Rest::None };
    match options.borrow().get_str("additionalProperties") {
        Some(Value::Bool(true)) => Rest::Any,
        Some(Value::Bool(false)) => Rest::Refused,
        Some(schema @ Value::Made(_)) => Rest::Of(schema.clone()),
        _ => Rest::None,
    }
}

/// `"a"` or `["a", "b"]`
fn named(value: &Value) -> Vec<Rc<str>> {
    let names = value.elements().unwrap_or_else(|| vec![value.clone()]);
    names.iter().filter_map(|name| name.as_str().map(Rc::from)).collect()
}

/// `format` and `nullable` of the options, which come last.
fn described(mut shape: Shape, args: &[Value]) -> Shape {
    let Some(Value::Dict(options)) = args.last() else { return shape };
    let options = options.borrow();
    if let Some(format) = options.get_str("format").and_then(Value::as_str)
        && matches!(shape.kind, Kind::String | Kind::Integer | Kind::Number)
    {
        shape.format = Some(format.to_owned());
    }
    if matches!(options.get_str("nullable"), Some(Value::Bool(true))) {
        shape.nullable = true;
    }
    shape
}
