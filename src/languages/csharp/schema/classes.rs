//! Classes, structs, records and interfaces as shapes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::collections::{Collection, collection};
use super::converters::{Written, converted};
use super::marks::Marks;
use super::members::Members;
use super::style::Enums;
use super::{Schemas, arguments_of};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::languages::generics::{MAX_ARGUMENT_PARTS, MAX_NESTED, Substitution, key_of};
use crate::model::program::{ClassKind, Modifiers};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

impl<'p> Schemas<'p> {
    pub(super) fn class(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> ShapeId {
        let mut key = format!("{} ", self.style);
        let whole = if args.is_empty() {
            Value::Class(class.clone())
        } else {
            Value::Applied(Rc::new(Value::Class(class.clone())), args.into())
        };
        key_of(&whole, &mut key);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        // `class A<T> { A<List<T>> X }` has no end.
        let nested = self.nested.get(&class.name_span()).copied().unwrap_or(0);
        let parts: usize = args.iter().map(|arg| arg.parts(MAX_ARGUMENT_PARTS)).sum();
        if !args.is_empty() && (nested >= MAX_NESTED || parts >= MAX_ARGUMENT_PARTS) {
            return self.unknown(format!("`{}` contains itself with ever larger arguments", class.name()), site);
        }
        let id = self.table.reserve();
        self.known.insert(key.clone(), id);
        self.nested.insert(class.name_span(), nested + u32::from(!args.is_empty()));
        let mut shape = self.declare(evaluator, class, args);
        self.nested.insert(class.name_span(), nested);
        // What was found before the budget ran out may lack anything.
        if evaluator.is_exhausted() {
            shape = Shape::unknown("evaluation budget of the file used up", Some(class.name_span()));
        }
        if shape.name.is_none() && !matches!(shape.kind, Kind::Unknown(_)) {
            shape.name = Some(name_of(&whole));
        }
        if shape.span.is_none() {
            shape.span = Some(class.name_span());
        }
        self.table.set(id, shape);
        let kept = self.or_written(evaluator, (class, args), id, site);
        if kept != id {
            self.known.insert(key, kept);
        }
        kept
    }

    fn declare(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, args: &[Value<'p>]) -> Shape {
        let scope = evaluator.body_scope(class);
        let marks = self.marks(evaluator, &class.node.decorators, &scope, class.node.span.file);
        let whole = Value::Class(class.clone());
        let is_enum = class.node.kind == ClassKind::Enum;
        // Converters of the settings come before those of a type, with Newtonsoft after them.
        if !self.style().newtonsoft {
            if let Some(shape) = self.converted_globally(evaluator, &whole, class.name_span()) {
                return shape;
            }
            if let (true, how @ Enums::Names(_)) = (is_enum, self.style().enums) {
                return self.enumeration(evaluator, class, how);
            }
        }
        if let Some(args) = marks.get("JsonConverter") {
            return match converted(evaluator, args, class.name_span()) {
                Written::Names(naming) if is_enum => self.enumeration(evaluator, class, Enums::Names(naming)),
                Written::Names(_) => Shape::unknown("a converter for enumerations", Some(class.name_span())),
                Written::Shape(shape) => shape,
            };
        }
        if let Some(shape) = self.converted_globally(evaluator, &whole, class.name_span()) {
            return shape;
        }
        if is_enum {
            let how = self.style().enums;
            return self.enumeration(evaluator, class, how);
        }
        let substitution = arguments_of(class, args);
        match collection(evaluator, class, &substitution, &mut FxHashSet::default()) {
            Some(Collection::Map(values)) => {
                let values = self.shape(evaluator, &values, Some(class.name_span()));
                return Shape::new(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }));
            }
            Some(Collection::List(items)) if !marks.has("JsonObject") => {
                let items = self.shape(evaluator, &items, Some(class.name_span()));
                return Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) });
            }
            _ => {}
        }
        self.object(evaluator, class, &substitution, &marks)
    }

    fn object(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
        marks: &Marks<'p>,
    ) -> Shape {
        let span = Some(class.name_span());
        let mut members = Members::default();
        self.members(evaluator, class, substitution, 0, &mut members);
        let errors = evaluator.external_bases(class);
        if errors.iter().any(|path| last(path).ends_with("Exception")) {
            return Shape::unknown("an exception, which is written with what the library adds", span);
        }
        let mut more = members.more;
        if marks.has_any(&["JsonDerivedType", "JsonPolymorphic"]) {
            more.get_or_insert_with(|| format!("what extends `{}` is written with its own members", class.name()));
        }
        // Newtonsoft writes what a value is, not what it is declared as.
        if self.style().newtonsoft
            && (class.node.kind == ClassKind::Interface || class.node.modifiers.has(Modifiers::ABSTRACT))
        {
            more.get_or_insert_with(|| format!("what extends `{}` is written with its own members", class.name()));
        }
        let naming = marks.get("JsonObject").and_then(|args| args.named("NamingStrategyType"));
        let naming = naming.map(super::names::Naming::of);
        let mut fields: Vec<Field> = Vec::with_capacity(members.all.len());
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut open = false;
        for member in members.all.values() {
            if member.marks.has("JsonExtensionData") {
                open = true;
                continue;
            }
            match self.field(evaluator, member, naming) {
                Ok(Some(field)) if names.insert(field.name.clone()) => fields.push(field),
                Ok(_) => {}
                Err(why) => {
                    more.get_or_insert(why);
                }
            }
        }
        for (declared, args) in &members.of_library {
            let declared =
                declared.iter().filter(|(name, _)| !members.all.contains_key(name)).copied().collect::<Vec<_>>();
            match self.library_fields(evaluator, &declared, args, span) {
                Ok(inherited) => fields.extend(inherited),
                Err(why) => {
                    more.get_or_insert(why);
                }
            }
        }
        let additional = match (more, open) {
            (Some(why), _) => Additional::Of(self.unknown(why, span)),
            // Whatever is put there at run time.
            (None, true) => Additional::Of(self.unknown("members that are added at run time", span)),
            (None, false) => Additional::Open,
        };
        let mut shape = Shape::new(Kind::Object(Object { fields, additional })).at(span);
        shape.deprecated = marks.has("Obsolete");
        shape
    }
}

/// The name of a type as documents have it: type arguments first, `UserPage` for `Page<User>`.
fn name_of(value: &Value) -> String {
    match value {
        Value::Applied(base, args) if matches!(base.as_external(), Some("[]")) => {
            format!("{}Array", args.iter().map(name_of).collect::<String>())
        }
        Value::Applied(base, args) => format!("{}{}", args.iter().map(name_of).collect::<String>(), name_of(base)),
        Value::Union(options) => options.iter().filter(|option| !matches!(option, Value::None)).map(name_of).collect(),
        Value::Class(class) => class.name().to_owned(),
        Value::External(path) => match last(path) {
            "int" => "Int32".to_owned(),
            "long" => "Int64".to_owned(),
            "bool" => "Boolean".to_owned(),
            "string" => "String".to_owned(),
            "object" => "Object".to_owned(),
            "double" => "Double".to_owned(),
            "float" => "Single".to_owned(),
            "decimal" => "Decimal".to_owned(),
            other => other.to_owned(),
        },
        other => other.describe(),
    }
}
