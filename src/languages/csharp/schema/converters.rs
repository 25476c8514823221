//! Converters: code that writes values of a type in its own way.

use super::Schemas;
use super::calls::expressions;
use super::names::Naming;
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Value, last};
use crate::model::program::{Expr, ExprKind, Function};
use crate::model::{Kind, Shape};
use crate::text::Span;

/// What a converter makes of values.
pub(super) enum Written {
    /// Enumerations, as names.
    Names(Naming),
    Shape(Shape),
}

impl<'p> Schemas<'p> {
    /// What converters that were added to the settings make of a type; `None` where none is for it.
    pub(super) fn converted_globally(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
        site: Span,
    ) -> Option<Shape> {
        let style = self.style().clone();
        for converter in &style.converters {
            let Value::Instance(instance) = converter else { continue };
            let class = &instance.class;
            let known = self.converts.entry(class.name_span());
            let types = known.or_insert_with(|| converts(evaluator, class).into());
            if types.iter().any(|known| is_same_type(known, ty)) {
                return Some(written_shape(evaluator, class, site));
            }
        }
        None
    }
}

/// What `[JsonConverter(typeof(X), …)]` says about the values of a declaration.
pub(super) fn converted<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Written {
    let Some(converter) = args.positional.first() else {
        return Written::Shape(Shape::unknown("a converter that is made by its attribute", Some(site)));
    };
    let given = Args { positional: args.positional[1..].to_vec(), ..Args::default() };
    written_by(evaluator, converter, &given, site)
}

/// What a type of converter makes of values, made with these arguments.
fn written_by<'p>(evaluator: &mut Evaluator<'p>, converter: &Value<'p>, given: &Args<'p>, site: Span) -> Written {
    let base = match converter {
        Value::Applied(base, _) => base,
        other => other,
    };
    match base {
        Value::External(path) if writes_names(last(path)) => Written::Names(naming(given)),
        Value::Class(class) => written_by_class(evaluator, class, given, site),
        other => {
            let why = format!("`{}` writes it in its own way", other.describe());
            Written::Shape(Shape::unknown(why, Some(site)))
        }
    }
}

fn written_by_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, given: &Args<'p>, site: Span) -> Written {
    if evaluator.external_bases(class).iter().any(|path| writes_names(last(path))) {
        let made = evaluator.call(&Value::Class(class.clone()), given.clone(), site);
        return Written::Names(names_of(evaluator, &made).unwrap_or(Naming::Unknown));
    }
    Written::Shape(written_shape(evaluator, class, site))
}

/// The types that a converter of the program is for.
fn converts<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Value<'p>> {
    let mut types = Vec::new();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        for base in evaluator.bases(ancestor) {
            if let Value::Applied(base, args) = &base
                && base.as_external().is_some_and(|path| last(path) == "JsonConverter")
            {
                types.extend(args.first().cloned());
            }
        }
        // One that is for several types asks: `type == typeof(A)`.
        let scope = evaluator.body_scope(ancestor);
        let asks = evaluator.overloads(ancestor, "CanConvert");
        let mut asked = Vec::new();
        for function in &asks {
            expressions(&function.node.body, &mut |inner| {
                if let ExprKind::TypeOf(inner) = &inner.kind {
                    asked.push(&**inner);
                }
            });
        }
        types.extend(asked.into_iter().map(|written| evaluator.type_expression(written, &scope)));
    }
    types
}

/// Whether a converter is for enumerations, which it writes in a way of its own: `type.IsEnum` where it says what it is for.
pub(super) fn converts_enumerations<'p>(evaluator: &mut Evaluator<'p>, converter: &Value<'p>) -> bool {
    let instance = match converter {
        Value::Made(made) => return made.name().contains("Enum"),
        Value::Instance(instance) => instance,
        _ => return false,
    };
    let class = instance.class.clone();
    let ancestry = evaluator.ancestry(&class);
    let mut asks = false;
    for ancestor in ancestry.iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        for function in evaluator.overloads(ancestor, "CanConvert") {
            expressions(&function.node.body, &mut |inner| {
                asks |= matches!(&inner.kind, ExprKind::Member { name, .. } if name == "IsEnum");
            });
        }
    }
    asks
}

/// Whether a converter for one type, maybe a generic one without arguments, is for another.
fn is_same_type<'p>(known: &Value<'p>, other: &Value<'p>) -> bool {
    match (known, other) {
        (Value::External(one), Value::External(other)) => plain_name(last(one)) == plain_name(last(other)),
        (Value::Class(_), Value::Class(_)) => known.same(other),
        (Value::Applied(one, args), Value::Applied(other, others)) => {
            is_same_type(one, other)
                && (args.is_empty() || args.iter().zip(others.iter()).all(|(one, other)| is_same_type(one, other)))
        }
        // `typeof(A<>)`
        (Value::Applied(one, args), Value::Class(class)) if args.is_empty() => {
            let is_generic = !class.node.type_parameters.is_empty();
            is_generic && one.as_external().is_some_and(|path| last(path) == class.name())
        }
        (Value::Applied(one, _), Value::Class(_)) => is_same_type(one, other),
        _ => false,
    }
}

/// `Int32` is `int`.
fn plain_name(name: &str) -> &str {
    match name {
        "Int32" => "int",
        "Int64" => "long",
        "String" => "string",
        "Boolean" => "bool",
        "Double" => "double",
        "Single" => "float",
        "Decimal" => "decimal",
        "Object" => "object",
        other => other,
    }
}

fn written_shape<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, site: Span) -> Shape {
    match written_kind(evaluator, class) {
        Some(kind) => Shape::new(kind),
        None => Shape::unknown(format!("`{}` writes it in its own way", class.name()), Some(site)),
    }
}

/// The rule for names of a converter that writes enumerations as names.
pub(super) fn names_of<'p>(evaluator: &mut Evaluator<'p>, converter: &Value<'p>) -> Option<Naming> {
    match converter {
        Value::Made(made) if writes_names(made.name()) => Some(naming(&made.args)),
        Value::Instance(instance) => {
            let class = instance.class.clone();
            if !evaluator.external_bases(&class).iter().any(|path| writes_names(last(path))) {
                return None;
            }
            Some(evaluator.base_call(converter).map_or(Naming::Declared, |made| naming(&made.args)))
        }
        _ => None,
    }
}

/// `JsonStringEnumConverter`, `StringEnumConverter`, `StrictStringEnumConverter`, …
fn writes_names(name: &str) -> bool {
    name.contains("StringEnum") && name.ends_with("Converter")
}

/// The rule for names among the arguments of such a converter.
fn naming(args: &Args) -> Naming {
    let is_camel = |value: Option<&Value>| matches!(value, Some(Value::Bool(true)));
    // Newtonsoft's: `new StringEnumConverter { CamelCaseText = true }`, `new StringEnumConverter(true)`.
    if is_camel(args.named("CamelCaseText")) || is_camel(args.positional.first()) {
        return Naming::Camel;
    }
    let given = args.get(0, "namingPolicy").or_else(|| args.named("NamingStrategy"));
    match given {
        Some(Value::Bool(_)) | None => Naming::Declared,
        Some(Value::Tuple(_) | Value::List(_)) => Naming::Unknown,
        Some(given) => Naming::of(given),
    }
}

/// Functions that a converter hands its writer on to are followed this far; what is written further away is unknown.
const MAX_HANDED_ON: u32 = 4;

/// What the method of a converter writes, where it is one plain value whatever happens.
fn written_kind<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Kind> {
    let write =
        ["Write", "WriteJson"].into_iter().find_map(|name| evaluator.overloads(class, name).into_iter().next())?;
    let mut called = Vec::new();
    if !writes(evaluator, &write, 1, MAX_HANDED_ON, &mut called) {
        return None;
    }
    called.retain(|name| !matches!(*name, "WriteNullValue" | "WriteNull" | "Flush"));
    let first = *called.first()?;
    if called.iter().any(|name| *name != first) {
        return None;
    }
    match first {
        "WriteStringValue" | "WriteBase64StringValue" => Some(Kind::String),
        "WriteNumberValue" => Some(Kind::Numeric),
        "WriteBooleanValue" => Some(Kind::Boolean),
        _ => None,
    }
}

/// Collects what a function calls of the writer that is its parameter at a position; false where it goes elsewhere.
fn writes<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    position: usize,
    left: u32,
    called: &mut Vec<&'p str>,
) -> bool {
    let (Some(writer), Some(left)) = (function.node.parameters.get(position), left.checked_sub(1)) else {
        return false;
    };
    let is_writer = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if *name == writer.name);
    let (mut mentioned, mut seen, mut handed) = (0, 0, Vec::new());
    let node: &'p Function = function.node;
    expressions(&node.body, &mut |inner| {
        mentioned += usize::from(is_writer(inner));
        let ExprKind::Call { callee, args, .. } = &inner.kind else { return };
        match &callee.kind {
            ExprKind::Member { object, name } if is_writer(object) => {
                // Newtonsoft has one method for values of all types.
                let is_text = name == "WriteValue" && args.first().is_some_and(|arg| is_text(arg.value()));
                called.push(if is_text { "WriteStringValue" } else { name.as_str() });
                seen += 1;
            }
            _ => {
                if let Some(at) = args.iter().position(|arg| is_writer(arg.value())) {
                    handed.push((&**callee, at));
                }
            }
        }
    });
    // Kept or wrapped, it may write anything.
    if mentioned != seen + handed.len() {
        return false;
    }
    handed.into_iter().all(|(callee, at)| match evaluator.evaluate(callee, &function.scope) {
        Value::Function(inner) | Value::Bound(_, inner) => {
            let before = usize::from(inner.node.parameters.first().is_some_and(|first| first.name == "this"));
            writes(evaluator, &inner, at + before, left, called)
        }
        _ => false,
    })
}

/// Whether an expression is a text by its form.
fn is_text(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Str { .. } | ExprKind::Template(_) => true,
        ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Member { name, .. } if name == "ToString"),
        _ => false,
    }
}
