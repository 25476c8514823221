//! Classes, structs, records and interfaces as shapes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::converters::Written;
use super::marks::Marks;
use super::members::{Member, Members};
use super::style::{Enums, Ignore};
use super::{Schemas, arguments_of, builtin};
use crate::evaluate::{ClassRef, Evaluator, MAX_ANCESTRY, Value, last};
use crate::languages::generics::{MAX_ARGUMENT_PARTS, MAX_NESTED, Substitution, key_of, substitute};
use crate::model::program::{ClassKind, Modifiers};
use crate::model::{Additional, Field, Kind, Limits, Object, Shape, ShapeId};
use crate::text::Span;

/// What a class is written as because of what it extends.
enum Collection<'p> {
    List(Value<'p>),
    Map(Value<'p>),
}

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
        self.known.insert(key, id);
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
        id
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
            return match self.converted(evaluator, args, class.name_span()) {
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
        match self.collection(evaluator, class, &substitution, &mut FxHashSet::default()) {
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
        let mut open = None;
        for member in members.all.values() {
            if member.marks.has("JsonExtensionData") {
                open = Some(self.map_values(evaluator, &member.kind));
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
            (None, Some(())) => Additional::Of(self.unknown("members that are added at run time", span)),
            (None, None) => Additional::Open,
        };
        let mut shape = Shape::new(Kind::Object(Object { fields, additional })).at(span);
        shape.deprecated = marks.has("Obsolete");
        shape
    }

    fn map_values(&mut self, _evaluator: &mut Evaluator<'p>, _kind: &Value<'p>) {}

    /// What is written of a member; nothing where it is left out, an error where its name is not known.
    fn field(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        member: &Member<'p>,
        naming: Option<super::names::Naming>,
    ) -> Result<Option<Field>, String> {
        let style = self.style().clone();
        let (node, marks) = (member.node, &member.marks);
        let mut ignore = style.ignore;
        let condition = |value: Option<&Value>| value.and_then(Value::as_external).map(|path| last(path).to_owned());
        if let Some(args) = marks.get("JsonIgnore") {
            match condition(args.named("Condition")).as_deref() {
                None | Some("Always") => return Ok(None),
                Some("Never") => ignore = Ignore::Never,
                Some("WhenWritingNull") => ignore = Ignore::Null,
                Some("WhenWritingDefault") => ignore = Ignore::Default,
                // `WhenReading`, and what is not known.
                Some(_) => {}
            }
        }
        // Sent, and left out of the document on purpose.
        if marks.has_any(&["SwaggerIgnore", "OpenApiIgnore", "SwaggerExclude"]) {
            return Ok(None);
        }
        if style.newtonsoft && marks.has("IgnoreDataMember") {
            return Ok(None);
        }
        let mut given = None;
        if style.newtonsoft {
            if let Some(args) = marks.get("JsonProperty") {
                given = args.positional.first().or_else(|| args.named("PropertyName")).or(args.named("propertyName"));
                match condition(args.named("NullValueHandling")).as_deref() {
                    Some("Ignore") => ignore = Ignore::Null,
                    Some("Include") => ignore = Ignore::Never,
                    _ => {}
                }
                if condition(args.named("DefaultValueHandling")).is_some_and(|how| how.starts_with("Ignore")) {
                    ignore = Ignore::Default;
                }
            }
            given = given.or_else(|| marks.get("DataMember").and_then(|args| args.named("Name")));
        } else if let Some(args) = marks.get("JsonPropertyName") {
            given = args.get(0, "name");
        }
        let naming = naming.unwrap_or(style.names);
        let name = match given {
            Some(Value::Str(name)) if style.respell => naming.spell(name),
            Some(Value::Str(name)) => Some(name.to_string()),
            Some(_) => None,
            None => naming.spell(&node.name),
        };
        let Some(name) = name else { return Err(format!("the name of `{}` on the wire is not known", node.name)) };
        let span = node.name_span;
        let mut shape = match marks.get("JsonConverter") {
            Some(args) => self.member_converted(evaluator, &args.clone(), member),
            None => self.shape(evaluator, &member.kind, Some(span)),
        };
        let may_be_null = self.table.get(shape).nullable;
        let set = marks.has_any(&["Required", "BindRequired"]);
        if may_be_null && (ignore != Ignore::Never || set) {
            shape = self.never_null(shape);
        }
        if !may_be_null && !set && ignore == Ignore::Never && !is_value(&member.kind) && member.is_oblivious {
            shape = self.maybe_null(shape);
        }
        let left_out = match ignore {
            Ignore::Never => false,
            Ignore::Null => may_be_null && !set,
            Ignore::Default => (may_be_null && !set) || is_value(&member.kind),
        };
        let required = set || marks.has("JsonRequired") || node.modifiers.has(Modifiers::REQUIRED);
        shape = self.annotated(shape, marks);
        Ok(Some(Field {
            declared: (name != node.name).then(|| node.name.clone()),
            name,
            shape,
            required,
            always: !left_out && !member.asked,
            span: Some(span),
        }))
    }

    /// What attributes say of the values of a member besides.
    fn annotated(&mut self, id: ShapeId, marks: &Marks<'p>) -> ShapeId {
        let shape = self.table.get(id);
        let mut format = None;
        let mut limits = Limits::default();
        let count = |value: Option<&Value>| match value {
            Some(Value::Int(count)) => u64::try_from(*count).ok(),
            _ => None,
        };
        let number = |value: Option<&Value>| match value {
            Some(Value::Int(number)) => Some(number.to_string()),
            Some(Value::Float(number)) => Some(number.to_string()),
            _ => None,
        };
        match shape.kind {
            Kind::String => {
                if let Some(args) = marks.get("StringLength").or_else(|| marks.get("MaxLength")) {
                    limits.max_length = count(args.positional.first());
                    limits.min_length = count(args.named("MinimumLength"));
                }
                if let Some(args) = marks.get("MinLength") {
                    limits.min_length = count(args.positional.first());
                }
                let pattern = marks.get("RegularExpression").and_then(|args| args.positional.first());
                limits.pattern = pattern.and_then(Value::as_str).map(str::to_owned);
                let formats = [("EmailAddress", "email"), ("Url", "uri"), ("Phone", "tel")];
                format = formats.iter().find(|(mark, _)| marks.has(mark)).map(|(_, format)| (*format).to_owned());
            }
            Kind::Array { .. } => {
                limits.max_items = marks.get("MaxLength").and_then(|args| count(args.positional.first()));
                limits.min_items = marks.get("MinLength").and_then(|args| count(args.positional.first()));
            }
            Kind::Integer | Kind::Number => {
                if let Some(args) = marks.get("Range") {
                    limits.minimum = number(args.positional.first());
                    limits.maximum = number(args.positional.get(1));
                }
            }
            _ => {}
        }
        let deprecated = marks.has("Obsolete");
        let has_limits = limits != Limits::default();
        if !deprecated && !has_limits && format.is_none() {
            return id;
        }
        let mut annotated = match &shape.kind {
            // What is declared elsewhere stays as it is.
            Kind::Object(_) | Kind::Unknown(_) => Shape::new(Kind::Ref(id)),
            _ => shape.clone(),
        };
        annotated.deprecated |= deprecated;
        annotated.format = format.or(annotated.format);
        if has_limits {
            annotated.limits = Some(Box::new(limits));
        }
        self.table.add(annotated)
    }

    fn member_converted(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        args: &crate::evaluate::Args<'p>,
        member: &Member<'p>,
    ) -> ShapeId {
        let (kind, null) = without_null(&member.kind);
        let shape = match self.converted(evaluator, args, member.node.name_span) {
            Written::Names(naming) => match &kind {
                Value::Class(class) if class.node.kind == ClassKind::Enum => {
                    let name = class.name().to_owned();
                    self.enumeration(evaluator, class, Enums::Names(naming)).named(name)
                }
                _ => Shape::new(Kind::String),
            },
            Written::Shape(shape) => shape,
        };
        let id = self.table.add(shape);
        if null { self.or_null(id) } else { id }
    }

    /// The same, of a type that leaves open whether it holds null.
    fn maybe_null(&mut self, id: ShapeId) -> ShapeId {
        let shape = self.table.get(id);
        let open = match &shape.kind {
            Kind::Unknown(_) | Kind::Any => return id,
            _ if shape.name.is_some() => Shape::new(Kind::Ref(id)),
            _ => shape.clone(),
        };
        self.table.add(Shape { null_open: true, ..open })
    }

    /// The same without null, which is left out instead.
    pub(super) fn never_null(&mut self, id: ShapeId) -> ShapeId {
        let shape = self.table.get(id);
        match &shape.kind {
            Kind::Ref(target) => *target,
            _ => {
                let shape = shape.clone().nullable(false);
                self.table.add(shape)
            }
        }
    }

    /// Whether a class is written as an array or a map, because of what it extends or implements.
    fn collection(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
        seen: &mut FxHashSet<Span>,
    ) -> Option<Collection<'p>> {
        if seen.len() > MAX_ANCESTRY || !seen.insert(class.name_span()) || !evaluator.afford(8) {
            return None;
        }
        let mut list = None;
        for base in evaluator.bases(class) {
            let base = substitute(&base, substitution);
            let (generic, args) = match &base {
                Value::Applied(generic, args) => (&**generic, &args[..]),
                other => (other, &[][..]),
            };
            let found = match generic {
                Value::Class(inner) if !Rc::ptr_eq(inner, class) => {
                    let inner_substitution = arguments_of(inner, args);
                    self.collection(evaluator, inner, &inner_substitution, seen)
                }
                Value::External(path) => {
                    let anything = || Value::external("object");
                    match (last(path), args) {
                        (name, [_, values]) if builtin::is_map(name) => Some(Collection::Map(values.clone())),
                        ("IDictionary", []) => Some(Collection::Map(anything())),
                        (name, [.., items]) if builtin::is_list(name) => Some(Collection::List(items.clone())),
                        (name, []) if builtin::is_list(name) => Some(Collection::List(anything())),
                        _ => None,
                    }
                }
                _ => None,
            };
            match found {
                Some(Collection::Map(values)) => return Some(Collection::Map(values)),
                // One with a type says more than one without.
                Some(Collection::List(items)) if list.is_none() || items.as_external() != Some("object") => {
                    list = Some(Collection::List(items));
                }
                _ => {}
            }
        }
        list
    }
}

/// A type without `?`, and whether it had one.
pub(super) fn without_null<'p>(kind: &Value<'p>) -> (Value<'p>, bool) {
    let Value::Union(options) = kind else { return (kind.clone(), false) };
    let mut others = options.iter().filter(|option| !matches!(option, Value::None));
    match (others.next(), others.next()) {
        (Some(only), None) => (only.clone(), options.len() > 1),
        _ => (kind.clone(), false),
    }
}

/// Whether values of a type are never null: numbers, structures, enumerations.
fn is_value(kind: &Value) -> bool {
    match kind {
        Value::External(path) => builtin::is_value_type(last(path)),
        Value::Class(class) => class.node.kind == ClassKind::Enum || class.node.modifiers.has(Modifiers::STRUCT),
        Value::Applied(base, _) => match &**base {
            Value::External(path) => matches!(last(path), "KeyValuePair" | "ValueTuple" | "ImmutableArray"),
            other => is_value(other),
        },
        _ => false,
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
