//! Extensions of drf-spectacular: classes that say how another class is documented, by its name.

use std::rc::Rc;

use super::super::Schemas;
use crate::evaluate::{Args, ClassRef, Evaluator, Instance, ModuleId, Value, last};
use crate::languages::python::django::imported_string;
use crate::model::program::{ExprKind, ImportStyle, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Where the pairs of documented class and extension are kept.
const NOTE: &str = "drf-spectacular extensions";
/// The methods that say it, of fields and of serializers.
const METHODS: &[&str] = &["map_serializer_field", "map_serializer"];

impl Schemas {
    /// What an extension says of a class, where there is one.
    pub(super) fn by_extension<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<ShapeId> {
        let extension = extension_of(evaluator, class)?;
        let site = extension.name_span();
        for name in METHODS {
            let Some(Value::Function(function)) = evaluator.class_member(&extension, name) else { continue };
            let standing = Value::Instance(Rc::new(Instance {
                class: extension.clone(),
                attributes: std::cell::RefCell::default(),
            }));
            let direction = Value::str("response");
            let schema = Value::Unknown("what makes the documentation", Some(site));
            let args = Args { positional: vec![standing, schema, direction], ..Args::default() };
            let returned = evaluator.returned(&function, args);
            return Some(match returned.as_slice() {
                [only @ (Value::Dict(_) | Value::Made(_))] => self.declared_shape(evaluator, only, site),
                _ => self.unknown("an extension of the documentation is not followed", Some(site)),
            });
        }
        None
    }

    /// `build_object_type(properties={…}, required=[…])`
    pub(super) fn built_object<'p>(&mut self, evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> ShapeId {
        let required = args.get(1, "required").and_then(Value::elements).unwrap_or_default();
        let mut fields = Vec::new();
        if let Some(Value::Dict(properties)) = args.get(0, "properties") {
            let properties = properties.borrow().clone();
            for (name, value) in &properties.entries {
                let Some(name) = name.as_str() else { continue };
                let shape = self.declared_shape(evaluator, value, site);
                let required = required.iter().any(|known| known.as_str() == Some(name));
                let (name, span) = (name.to_owned(), Some(site));
                fields.push(Field { name, shape, required, always: required, span, declared: None });
            }
        }
        let additional = match args.named("additionalProperties") {
            Some(values @ Value::Dict(_)) => Additional::Of(self.schema_shape(evaluator, values, site)),
            _ if fields.is_empty() => Additional::Of(self.plain(Kind::Any)),
            _ => Additional::Open,
        };
        self.table.add(Shape::new(Kind::Object(Object { fields, additional })).at(Some(site)))
    }
}

fn extension_of<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<ClassRef<'p>> {
    if !evaluator.notes.contains_key(NOTE) {
        evaluator.notes.insert(NOTE, Value::None);
        let pairs = pairs(evaluator);
        evaluator.notes.insert(NOTE, Value::list(pairs));
    }
    let Some(Value::List(pairs)) = evaluator.notes.get(NOTE) else { return None };
    let pairs = pairs.borrow();
    pairs.iter().find_map(|pair| match pair {
        Value::Tuple(pair) => match &**pair {
            [Value::Class(target), Value::Class(extension)] if Rc::ptr_eq(target, class) => Some(extension.clone()),
            _ => None,
        },
        _ => None,
    })
}

/// The classes that extensions speak of, each with its extension.
fn pairs<'p>(evaluator: &mut Evaluator<'p>) -> Vec<Value<'p>> {
    let mut named: Vec<(ModuleId, &'p str)> = Vec::new();
    for module in evaluator.roots().to_vec() {
        if evaluator.index.style(module) != ImportStyle::Dotted {
            continue;
        }
        for statement in evaluator.statements(module) {
            let StmtKind::Class(class) = &statement.kind else { continue };
            let is_extension = class.bases.iter().any(|base| match &base.kind {
                ExprKind::Name(name) | ExprKind::Member { name, .. } => last(name).ends_with("Extension"),
                _ => false,
            });
            if is_extension {
                named.push((module, &class.name));
            }
        }
    }
    let mut out = Vec::new();
    for (module, name) in named {
        let Some(Value::Class(extension)) = evaluator.module_name(module, name) else { continue };
        let target = match evaluator.class_member(&extension, "target_class") {
            Some(Value::Str(dotted)) => imported_string(evaluator, module, &dotted),
            Some(other) => other,
            None => continue,
        };
        if matches!(target, Value::Class(_)) {
            out.push(Value::Tuple(Rc::from([target, Value::Class(extension)])));
        }
    }
    out
}
