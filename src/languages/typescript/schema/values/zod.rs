//! zod, versions 3 and 4, in both forms of the latter: methods on schemas, and functions of schemas (`zod/mini`).
//! Follows zod.dev/api; what is not known there is unknown.

use std::rc::Rc;

use super::Side;
use super::forms::{
    Form, Members, Rest, Wrapped, enumerated, inner_form, is_prisma, literal, members_of_record, shape_of_literals,
};
use crate::evaluate::{Args, Evaluator, Made, Value};
use crate::languages::typescript::schema::Type;
use crate::languages::typescript::zod::{members_of, operation, wrapped};
use crate::model::{Kind, Literal, Shape};
use crate::text::Span;

/// What a schema is said to hold by the name that makes it: `z.email()`, `z.iso.datetime()`, `z.string().email()`.
const STRINGS: &[(&str, Option<&str>)] = &[
    ("string", None),
    ("email", Some("email")),
    ("url", Some("uri")),
    ("httpUrl", Some("uri")),
    ("uuid", Some("uuid")),
    ("uuidv4", Some("uuid")),
    ("uuidv6", Some("uuid")),
    ("uuidv7", Some("uuid")),
    ("guid", Some("uuid")),
    ("datetime", Some("date-time")),
    ("date", Some("date")),
    ("time", Some("time")),
    ("duration", Some("duration")),
    ("ipv4", Some("ipv4")),
    ("ipv6", Some("ipv6")),
    ("hostname", Some("hostname")),
    ("ip", None),
    ("cidr", None),
    ("cidrv4", None),
    ("cidrv6", None),
    ("mac", None),
    ("cuid", None),
    ("cuid2", None),
    ("ulid", None),
    ("xid", None),
    ("ksuid", None),
    ("nanoid", None),
    ("emoji", None),
    ("base64", None),
    ("base64url", None),
    ("hex", None),
    ("hash", None),
    ("jwt", None),
    ("e164", None),
    ("templateLiteral", None),
    ("stringFormat", None),
];

/// Methods that leave what a schema lets out as it is.
const TRANSPARENT: &[&str] = &[
    "refine",
    "superRefine",
    "refinement",
    "check",
    "describe",
    "meta",
    "register",
    "openapi",
    "brand",
    "readonly",
    "catch",
    "clone",
    "with",
    "min",
    "max",
    "length",
    "size",
    "nonempty",
    "regex",
    "includes",
    "startsWith",
    "endsWith",
    "trim",
    "toLowerCase",
    "toUpperCase",
    "lowercase",
    "uppercase",
    "normalize",
    "slugify",
    "overwrite",
    "gt",
    "gte",
    "lt",
    "lte",
    "positive",
    "nonnegative",
    "negative",
    "nonpositive",
    "multipleOf",
    "step",
    "finite",
    "safe",
    "promise",
    "superRefineAsync",
    "minLength",
    "maxLength",
    "minSize",
    "maxSize",
    "property",
    "mime",
    "lazy",
    "monitor",
    "title",
];

/// Whether a call made a schema: methods that use one, such as `parse`, give something else.
pub(super) fn is_schema(made: &Made) -> bool {
    let root = made.path.split("()").next().unwrap_or(&made.path);
    operation(root).is_some() && !NO_SCHEMAS.contains(&made.name())
}

const NO_SCHEMAS: &[&str] = &[
    "parse",
    "parseAsync",
    "safeParse",
    "safeParseAsync",
    "spa",
    "isOptional",
    "isNullable",
    "encode",
    "decode",
    "safeEncode",
    "safeDecode",
    "registry",
    "toJSONSchema",
    "treeifyError",
    "prettifyError",
    "flattenError",
    "formatError",
    "setErrorMap",
    "config",
    "ZodError",
    "getErrorMap",
];

/// The name that a schema is given for documents: `.openapi("User")`, `.meta({ id: "User" })`.
pub(super) fn given_name(made: &Made) -> Option<String> {
    match made.name() {
        "openapi" => made.args.positional.first()?.as_str().map(str::to_owned),
        "meta" | "register" => match made.args.positional.last()? {
            Value::Dict(dict) => dict.borrow().get_str("id")?.as_str().map(str::to_owned),
            _ => None,
        },
        _ => None,
    }
}

/// What one call says.
pub(super) fn form<'p>(evaluator: &mut Evaluator<'p>, made: &Rc<Made<'p>>, side: Side) -> Form<'p> {
    let args = made.args.positional.as_slice();
    if let Some(receiver) = &made.receiver {
        return on_schema(evaluator, made, made.name(), receiver, args, side);
    }
    let Some(operation) = operation(&made.path) else {
        return Form::unknown(format!("`{}` is no schema that is read", made.path), made.site);
    };
    if operation == "custom"
        && let Some(form) = Form::typed(made)
    {
        return form;
    }
    constructed(evaluator, operation, args, made.site, side).unwrap_or_else(|| match args {
        // `z.optional(schema)`, `z.extend(schema, …)`
        [subject, rest @ ..] => on_schema(evaluator, made, operation, subject, rest, side),
        [] => Form::unknown(format!("`{operation}` of zod"), made.site),
    })
}

fn constructed<'p>(
    evaluator: &mut Evaluator<'p>,
    operation: &str,
    args: &[Value<'p>],
    site: Span,
    side: Side,
) -> Option<Form<'p>> {
    let first = args.first();
    let second = args.get(1);
    if let Some(target) = operation.strip_prefix("coerce.") {
        let of = |name: &str| plain(name, site);
        return Some(match target {
            // Whatever is given has a form as text, and counts as true or false; what is left out has one too.
            "string" | "boolean" if side == Side::Input => Form::optional(of("unknown")),
            "number" | "bigint" | "date" if side == Side::Input => {
                let named = if target == "date" { "date" } else { "number" };
                // Null counts as zero.
                Form::Union { options: vec![of(named), of("string"), of("null")], discriminator: None }
            }
            "date" => Form::formatted(Kind::String, "date-time"),
            _ => constructed(evaluator, target, &[], site, side)?,
        });
    }
    if let Some(format) = operation.strip_prefix("iso.") {
        return string(format);
    }
    // Constructors that take a schema of theirs first are told from functions of schemas by what they are given.
    Some(match operation {
        "date" => Form::formatted(Kind::String, "date-time"),
        "number" | "float32" | "float64" => Form::kind(Kind::Numeric),
        "int" | "int32" | "uint32" | "int53" => Form::kind(Kind::Integer),
        "bigint" | "int64" | "uint64" => Form::unknown("a bigint, for which JSON has no form", site),
        "boolean" | "stringbool" => Form::kind(Kind::Boolean),
        "null" => Form::kind(Kind::Null),
        "any" | "unknown" | "json" => Form::kind(Kind::Any),
        "never" => Form::kind(Kind::Never),
        "undefined" | "void" | "function" | "symbol" | "_function" => Form::Nothing,
        "nan" => Form::unknown("not a number", site),
        "object" | "strictObject" | "looseObject" | "interface" => match members_of_constructed(operation, first) {
            Some(members) => Form::Object(members),
            None => Form::unknown("members of the object are not known", site),
        },
        "array" => Form::Array(first.cloned()),
        "tuple" => match first.and_then(Value::elements) {
            Some(items) => Form::Tuple(items, second.filter(|rest| matches!(rest, Value::Made(_))).cloned()),
            None => Form::unknown("elements of the tuple are not known", site),
        },
        "record" | "partialRecord" | "looseRecord" => Form::Map(second.or(first).cloned()),
        "map" | "set" => Form::unknown("a Map or Set, for which JSON has no form", site),
        "enum" | "nativeEnum" => match first.and_then(|first| enumerated(evaluator, first)) {
            Some(values) => Form::values(&values, site),
            None if first.and_then(Value::as_external).is_some_and(is_prisma) => Form::kind(Kind::String),
            None => Form::unknown("values of the enumeration are not known", site),
        },
        "literal" => match first {
            Some(value) => Form::values(&value.elements().unwrap_or_else(|| vec![value.clone()]), site),
            None => return None,
        },
        "union" | "xor" => match first.and_then(Value::elements) {
            Some(options) => Form::Union { options, discriminator: None },
            None => Form::unknown("alternatives are not known", site),
        },
        "discriminatedUnion" => match (first.and_then(Value::as_str), second.and_then(Value::elements)) {
            (name, Some(options)) => Form::Union { options, discriminator: name.map(str::to_owned) },
            _ => Form::unknown("alternatives are not known", site),
        },
        "intersection" => match args {
            [left, right, ..] => Form::All(vec![left.clone(), right.clone()]),
            _ => return None,
        },
        "lazy" => match first {
            Some(Value::Function(function)) => Form::Deferred(function.clone()),
            _ => Form::unknown("a deferred schema is not known", site),
        },
        "preprocess" if side == Side::Input => Form::optional(plain("unread", site)),
        "unread" => Form::unknown("what is prepared before it is read", site),
        "preprocess" => match (side, second) {
            (Side::Output, Some(schema)) => Form::same(schema.clone()),
            _ => Form::unknown("what is prepared before it is read", site),
        },
        "pipe" | "pipeline" if side == Side::Output && second.is_some_and(is_transformation) => {
            Form::Returned { function: transformed_by(second?)?, given: first.cloned() }
        }
        "pipe" | "pipeline" | "codec" if second.is_some() => {
            let chosen = if side == Side::Output { second } else { first };
            Form::same(chosen?.clone())
        }
        "transform" if second.is_none() => Form::Returned { function: first?.clone(), given: None },
        "instanceof" => match first {
            Some(Value::Class(class)) => Form::Typed(Type::class(class.clone())),
            Some(Value::External(path)) if &**path == "javascript.Date" => Form::formatted(Kind::String, "date-time"),
            _ => Form::unknown("an instance of a class", site),
        },
        "custom" => Form::unknown("a type that only its author knows", site),
        "file" => Form::unknown("a file", site),
        name => return string(name),
    })
}

/// A schema without arguments that is written nowhere.
fn plain<'p>(name: &str, site: Span) -> Value<'p> {
    let path = Rc::from(format!("zod.{name}"));
    Value::Made(Rc::new(Made { path, receiver: None, args: Args::default(), site }))
}

fn string<'p>(name: &str) -> Option<Form<'p>> {
    let (_, format) = STRINGS.iter().find(|(known, _)| *known == name)?;
    Some(match format {
        Some(format) => Form::formatted(Kind::String, format),
        None => Form::kind(Kind::String),
    })
}

fn members_of_constructed<'p>(operation: &str, first: Option<&Value<'p>>) -> Option<Members<'p>> {
    let rest = match operation {
        "looseObject" => Rest::Any,
        "strictObject" => Rest::Refused,
        _ => Rest::None,
    };
    let nothing = Value::dict(Vec::new());
    members_of_record(first.unwrap_or(&nothing), rest)
}

/// A method of a schema, or a function of one.
fn on_schema<'p>(
    evaluator: &mut Evaluator<'p>,
    made: &Rc<Made<'p>>,
    name: &str,
    subject: &Value<'p>,
    args: &[Value<'p>],
    side: Side,
) -> Form<'p> {
    let site = made.site;
    let first = args.first();
    match name {
        "optional" | "exactOptional" => Form::optional(subject.clone()),
        "nullable" => Form::nullable(subject.clone()),
        "nullish" => Form::nullish(subject.clone()),
        "default" | "_default" | "prefault" => {
            if side == Side::Output {
                Form::present(subject.clone())
            } else {
                Form::optional(subject.clone())
            }
        }
        // Whatever is given instead, or left out, stands for something.
        "catch" if side == Side::Input => Form::optional(subject.clone()),
        "nonoptional" => Form::present(subject.clone()),
        "array" => Form::Array(Some(subject.clone())),
        "or" => match first {
            Some(other) => Form::Union { options: vec![subject.clone(), other.clone()], discriminator: None },
            None => Form::same(subject.clone()),
        },
        "and" => match first {
            Some(other) => Form::All(vec![subject.clone(), other.clone()]),
            None => Form::same(subject.clone()),
        },
        "transform" if side == Side::Input => Form::same(subject.clone()),
        "transform" => match first {
            Some(function) => Form::Returned { function: function.clone(), given: Some(subject.clone()) },
            None => Form::unknown("a transformation", site),
        },
        "pipe" => match (side, first) {
            (Side::Output, Some(next)) if is_transformation(next) => match transformed_by(next) {
                Some(function) => Form::Returned { function, given: Some(subject.clone()) },
                None => Form::unknown("a transformation", site),
            },
            (Side::Output, Some(next)) => Form::same(next.clone()),
            _ => Form::same(subject.clone()),
        },
        "int" => integer(evaluator, subject, side, site),
        "check" if args.iter().any(is_integer_check) => integer(evaluator, subject, side, site),
        "strict" | "passthrough" | "loose" | "strip" | "nonstrict" | "catchall" | "extend" | "safeExtend"
        | "augment" | "merge" | "setKey" | "pick" | "omit" | "partial" | "required" | "deepPartial" => {
            match (name, members_of(evaluator, &Value::Made(made.clone()))) {
                (_, Some(members)) => Form::Object(members),
                ("deepPartial", None) => deep_partial(evaluator, subject, side, site),
                _ => Form::unknown(format!("members of an object after `{name}` are not known"), site),
            }
        }
        "rest" => match (inner_form(evaluator, subject, side), first) {
            (Form::Tuple(items, _), Some(rest)) => Form::Tuple(items, Some(rest.clone())),
            (form, _) => form,
        },
        "keyof" => match members_of(evaluator, subject) {
            Some(members) if !members.open => {
                let names: Vec<Value> = members.list.iter().map(|member| Value::Str(member.name.clone())).collect();
                Form::values(&names, site)
            }
            _ => Form::unknown("names of members are not known", site),
        },
        "extract" | "exclude" => {
            let named = first.and_then(Value::elements).unwrap_or_default();
            let named: Vec<Option<Literal>> = named.iter().map(literal).collect();
            match inner_form(evaluator, subject, side) {
                Form::Plain(Shape { values: Some(values), nullable, .. }) if !named.contains(&None) => {
                    let keep = |value: &Literal| named.contains(&Some(value.clone())) == (name == "extract");
                    let values = values.into_iter().filter(keep).collect();
                    Form::Plain(shape_of_literals(values).nullable(nullable))
                }
                _ => Form::unknown("values of the enumeration are not known", site),
            }
        }
        "unwrap" | "innerType" | "removeDefault" | "sourceType" | "element" => match inner(evaluator, subject, side) {
            Some(inner) => Form::same(inner),
            None => Form::same(subject.clone()),
        },
        "implement" | "implementAsync" | "args" | "returns" | "input" | "output" => Form::Nothing,
        _ if TRANSPARENT.contains(&name) => Form::same(subject.clone()),
        _ => match (string(name), inner_form(evaluator, subject, side)) {
            // `z.string().email()`
            (Some(Form::Plain(refined)), Form::Plain(shape)) if matches!(shape.kind, Kind::String) => {
                Form::Plain(Shape { format: refined.format.or(shape.format), ..shape })
            }
            (Some(_), form) => form,
            (None, _) => Form::unknown(format!("`{name}` of a schema of zod"), site),
        },
    }
}

/// `z.transform(…)` by itself, as it stands in pipes.
fn is_transformation(value: &Value) -> bool {
    matches!(value, Value::Made(made) if made.receiver.is_none() && operation(&made.path) == Some("transform"))
}

fn transformed_by<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    made.args.positional.first().cloned()
}

/// `z.number().int()`, with whatever is said between.
fn integer<'p>(evaluator: &mut Evaluator<'p>, subject: &Value<'p>, side: Side, site: Span) -> Form<'p> {
    match inner_form(evaluator, subject, side) {
        Form::Plain(shape) if matches!(shape.kind, Kind::Number | Kind::Numeric | Kind::Integer) => {
            Form::Plain(Shape { kind: Kind::Integer, ..shape })
        }
        Form::Plain(shape) if matches!(shape.kind, Kind::Any | Kind::Unknown(_)) => Form::Plain(shape),
        // What is turned into a number first.
        form @ Form::Union { .. } if side == Side::Input => form,
        _ => Form::unknown("a whole number of what is no number", site),
    }
}

/// `.check(z.int())`
fn is_integer_check(value: &Value) -> bool {
    matches!(value, Value::Made(made) if operation(&made.path).is_some_and(|name| name.starts_with("int")))
}

/// What an optional, an array, a pipe or the like is made of.
fn inner<'p>(evaluator: &mut Evaluator<'p>, subject: &Value<'p>, side: Side) -> Option<Value<'p>> {
    let Value::Made(made) = subject else { return None };
    if made.name() == "transform" {
        return made.receiver.clone();
    }
    match inner_form(evaluator, subject, side) {
        Form::Wrapped(Wrapped { inner, present: Some(false), nullable: true }) => {
            Some(wrapped("nullable", &inner, made.site))
        }
        Form::Wrapped(wrapped) => Some(wrapped.inner),
        Form::Array(items) => items,
        _ => None,
    }
}

/// `deepPartial` of what is no object: members of objects inside may be left out.
fn deep_partial<'p>(evaluator: &mut Evaluator<'p>, subject: &Value<'p>, side: Side, site: Span) -> Form<'p> {
    let deep = |value: &Value<'p>| wrapped("deepPartial", value, site);
    match inner_form(evaluator, subject, side) {
        Form::Wrapped(inside) => Form::Wrapped(Wrapped { inner: deep(&inside.inner), ..inside }),
        Form::Array(items) => Form::Array(items.as_ref().map(deep)),
        Form::Tuple(items, rest) => Form::Tuple(items.iter().map(deep).collect(), rest.as_ref().map(deep)),
        form => form,
    }
}
