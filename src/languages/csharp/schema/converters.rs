//! Converters: code that writes values of a type in its own way.

use super::Schemas;
use super::names::Naming;
use super::style::Enums;
use crate::evaluate::{Args, ClassRef, Evaluator, Value, last};
use crate::model::program::StmtKind;
use crate::model::{Kind, Shape};
use crate::text::Span;

/// What a converter makes of values.
pub(super) enum Written {
    /// Enumerations, as names.
    Names(Naming),
    Shape(Shape),
}

impl<'p> Schemas<'p> {
    /// What `[JsonConverter(typeof(X), …)]` says about the values of a declaration.
    pub(super) fn converted(&mut self, evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Written {
        let Some(converter) = args.positional.first() else {
            return Written::Shape(Shape::unknown("a converter that is made by its attribute", Some(site)));
        };
        let given = Args { positional: args.positional[1..].to_vec(), ..Args::default() };
        self.written_by(evaluator, converter, &given, site)
    }

    /// What a type of converter makes of values, made with these arguments.
    fn written_by(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        converter: &Value<'p>,
        given: &Args<'p>,
        site: Span,
    ) -> Written {
        let base = match converter {
            Value::Applied(base, _) => base,
            other => other,
        };
        match base {
            Value::External(path) if writes_names(last(path)) => Written::Names(naming(given)),
            Value::Class(class) => self.written_by_class(evaluator, class, given, site),
            other => {
                let why = format!("`{}` writes it in its own way", other.describe());
                Written::Shape(Shape::unknown(why, Some(site)))
            }
        }
    }

    fn written_by_class(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        given: &Args<'p>,
        site: Span,
    ) -> Written {
        if evaluator.external_bases(class).iter().any(|path| writes_names(last(path))) {
            let made = evaluator.call(&Value::Class(class.clone()), given.clone(), site);
            return Written::Names(match evaluator.base_call(&made) {
                Some(made) => naming(&made.args),
                None => Naming::Declared,
            });
        }
        let why = format!("`{}` writes it in its own way", class.name());
        let shape = match written_kind(evaluator, class) {
            Some(kind) => Shape::new(kind),
            None => Shape::unknown(why, Some(site)),
        };
        Written::Shape(shape)
    }

    /// What a converter that was added to the settings makes of a type; `None` where it is not for it.
    pub(super) fn converted_globally(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
        site: Option<Span>,
    ) -> Option<Shape> {
        let _ = (evaluator, ty, site);
        None
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

/// What the method of a converter writes, where it is one plain value whatever happens.
fn written_kind<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Kind> {
    let statements = evaluator.class_statements(class);
    let write = statements.iter().find_map(|statement| match &statement.kind {
        StmtKind::Function(function) if matches!(function.name.as_str(), "Write" | "WriteJson") => Some(&**function),
        _ => None,
    })?;
    let writer = write.parameters.get(1)?.name.as_str();
    let _ = writer;
    None
}

impl Enums {
    pub(super) fn of(written: &Written) -> Option<Enums> {
        match written {
            Written::Names(naming) => Some(Enums::Names(*naming)),
            Written::Shape(_) => None,
        }
    }
}
