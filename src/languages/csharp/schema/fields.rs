//! What is written of each member of a class.

use super::converters::{Written, converted};
use super::marks::Marks;
use super::members::Member;
use super::names::Naming;
use super::style::{Enums, Ignore};
use super::{Schemas, builtin};
use crate::evaluate::{Args, Evaluator, Value, last};
use crate::model::program::{ClassKind, Modifiers};
use crate::model::{Field, Kind, Limits, Shape, ShapeId};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// What is written of a member; nothing where it is left out, an error where its name is not known.
    pub(super) fn field(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        member: &Member<'p>,
        naming: Option<Naming>,
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
                Some("WhenReading") if style.reads => return Ok(None),
                Some("WhenWriting") if !style.reads => return Ok(None),
                // What is not known.
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
        let of_items = marks.get("JsonProperty").filter(|_| style.newtonsoft);
        let of_items = of_items.and_then(|args| args.named("ItemConverterType"));
        let mut shape = match (marks.get("JsonConverter"), of_items) {
            (Some(args), _) => self.member_converted(evaluator, &args.clone(), member),
            (None, Some(converter)) => self.items_converted(evaluator, &converter.clone(), member),
            (None, None) => self.shape(evaluator, &member.kind, Some(span)),
        };
        let may_be_null = self.table.get(shape).nullable;
        let set = marks.has_any(&["Required", "BindRequired"]);
        if may_be_null && ((ignore != Ignore::Never && !style.reads) || set) {
            shape = self.never_null(shape);
        }
        // What reads takes null wherever there is a reference, and leaves it to others to refuse it.
        let is_open = style.reads || (member.is_oblivious && ignore == Ignore::Never);
        if is_open && !may_be_null && !set && !is_value(&member.kind) {
            shape = self.maybe_null(shape);
        }
        let left_out = match ignore {
            Ignore::Never => false,
            Ignore::Null => may_be_null && !set,
            Ignore::Default => (may_be_null && !set) || is_value(&member.kind),
        };
        let required = set || marks.has("JsonRequired") || node.modifiers.has(Modifiers::REQUIRED);
        shape = self.annotated(shape, marks);
        if style.reads && !self.takes(member) {
            let read_only = Shape { read_only: true, ..Shape::new(Kind::Ref(shape)) };
            shape = self.table.add(read_only);
        }
        // What is marked so and cannot be null has its default where nothing is sent, and nothing is refused.
        let is_asked =
            marks.has("JsonRequired") || marks.has("BindRequired") || node.modifiers.has(Modifiers::REQUIRED);
        let is_refused = required && (is_asked || !is_value(&member.kind) || may_be_null);
        Ok(Some(Field {
            declared: (name != node.name).then(|| node.name.clone()),
            name,
            shape,
            required,
            always: if style.reads { is_refused } else { !left_out && !member.asked },
            span: Some(span),
        }))
    }

    /// Whether what is sent for a member is read.
    fn takes(&self, member: &Member<'p>) -> bool {
        let newtonsoft = self.style().newtonsoft;
        // Newtonsoft fills what is there already.
        let is_filled = newtonsoft && !is_value(&member.kind) && !is_text(&member.kind);
        !member.node.modifiers.has(Modifiers::READ_ONLY)
            || member.is_constructed
            || is_filled
            || member.class.node.kind == ClassKind::Interface
            || member.marks.has(if newtonsoft { "JsonProperty" } else { "JsonInclude" })
    }

    /// What attributes say of the values of a member besides.
    pub(super) fn annotated(&mut self, id: ShapeId, marks: &Marks<'p>) -> ShapeId {
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

    fn member_converted(&mut self, evaluator: &mut Evaluator<'p>, args: &Args<'p>, member: &Member<'p>) -> ShapeId {
        self.value_converted(evaluator, args, &member.kind, member.node.name_span)
    }

    /// A list or map of which each value is converted: `[JsonProperty(ItemConverterType = typeof(X))]`.
    fn items_converted(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        converter: &Value<'p>,
        member: &Member<'p>,
    ) -> ShapeId {
        let span = member.node.name_span;
        let (kind, null) = without_null(&member.kind);
        let args = Args { positional: vec![converter.clone()], ..Args::default() };
        let id = match &kind {
            Value::Applied(base, given) if !given.is_empty() => {
                let name = base.as_external().map_or("", last).to_owned();
                let item = given[given.len() - 1].clone();
                let item = self.value_converted(evaluator, &args, &item, span);
                if builtin::is_map(&name) && given.len() == 2 {
                    self.map(item)
                } else if builtin::is_list(&name) {
                    self.array(item)
                } else {
                    self.unknown("values that are converted one by one", Some(span))
                }
            }
            _ => self.unknown("values that are converted one by one", Some(span)),
        };
        if null { self.or_null(id) } else { id }
    }

    fn value_converted(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        args: &Args<'p>,
        kind: &Value<'p>,
        span: Span,
    ) -> ShapeId {
        let (kind, null) = without_null(kind);
        let shape = match converted(evaluator, args, span) {
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
        if let Kind::Ref(target) = &shape.kind {
            return *target;
        }
        let shape = shape.clone().nullable(false);
        self.table.add(shape)
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

/// `string`, `string?`
fn is_text(kind: &Value) -> bool {
    without_null(kind).0.as_external().is_some_and(|path| matches!(last(path), "string" | "String"))
}

/// Whether values of a type are never null: numbers, structures, enumerations.
pub(super) fn is_value(kind: &Value) -> bool {
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
