//! What one schema says, before it is a shape: the language that the libraries have in common.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{MAX_DEPTH, Side, form};
use crate::evaluate::{Dict, Evaluator, FunctionRef, Made, Value};
use crate::languages::json_schema::{kind_of_values, literal_value};
use crate::languages::typescript::schema::{Env, Schemas, Type};
use crate::languages::typescript::zod::{deferred_by, operation};
use crate::model::{Kind, Literal, Shape};
use crate::text::Span;

/// What one schema says, one level deep.
pub(in crate::languages::typescript) enum Form<'p> {
    /// A shape without members, or one that is not known.
    Plain(Shape),
    /// No value at all, so a member that is left out.
    Nothing,
    Object(Members<'p>),
    /// What it holds, where that is said.
    Array(Option<Value<'p>>),
    /// The first elements, and the rest.
    Tuple(Vec<Value<'p>>, Option<Value<'p>>),
    /// Any keys, with these values.
    Map(Option<Value<'p>>),
    Union {
        options: Vec<Value<'p>>,
        discriminator: Option<String>,
    },
    /// All at once.
    All(Vec<Value<'p>>),
    /// Another schema, with what is said on top of it.
    Wrapped(Wrapped<'p>),
    /// Whatever a function returns, given what another schema lets out.
    Returned {
        function: Value<'p>,
        given: Option<Value<'p>>,
    },
    /// Said by a type alone.
    Typed(Type<'p>),
    /// The schema that a function returns, when it is asked.
    Deferred(FunctionRef<'p>),
    /// The schema that a function returns, given itself.
    Contained(FunctionRef<'p>),
}

pub(in crate::languages::typescript) struct Wrapped<'p> {
    pub inner: Value<'p>,
    /// Whether a member of this schema is always there, or may be left out; `None` where the inner one says.
    pub present: Option<bool>,
    pub nullable: bool,
}

/// The members of an object.
#[derive(Clone)]
pub(in crate::languages::typescript) struct Members<'p> {
    pub list: Vec<Member<'p>>,
    pub rest: Rest<'p>,
    /// There are more, which are not known.
    pub open: bool,
}

impl<'p> Members<'p> {
    /// As an object literal that has them.
    pub(in crate::languages::typescript) fn record(self) -> Value<'p> {
        let entries = self.list.iter().map(|member| (Value::Str(member.name.clone()), member.schema.clone())).collect();
        let places = self.list.into_iter().filter_map(|member| Some((member.name, member.span?))).collect();
        Value::Dict(Rc::new(RefCell::new(Dict { entries, open: self.open, record: true, places })))
    }
}

#[derive(Clone)]
pub(in crate::languages::typescript) struct Member<'p> {
    pub name: Rc<str>,
    pub schema: Value<'p>,
    pub span: Option<Span>,
}

/// Members that an object does not declare.
#[derive(Clone)]
pub(in crate::languages::typescript) enum Rest<'p> {
    /// They are dropped.
    None,
    /// A value that has any is refused.
    Refused,
    /// They pass.
    Any,
    /// They are of this schema.
    Of(Value<'p>),
}

/// The members of an object literal of schemas; `None` where it is no such thing.
pub(in crate::languages::typescript) fn members_of_record<'p>(
    record: &Value<'p>,
    rest: Rest<'p>,
) -> Option<Members<'p>> {
    let Value::Dict(dict) = record else { return None };
    let dict = dict.borrow();
    let places: FxHashMap<&str, Span> = dict.places.iter().map(|(name, place)| (&**name, *place)).collect();
    let mut open = dict.open;
    let mut list = Vec::with_capacity(dict.entries.len());
    for (name, schema) in &dict.entries {
        match name {
            Value::Str(name) => {
                let span = places.get(&**name).copied();
                let schema = match schema {
                    Value::Partial(getter, _) => deferred_by(getter),
                    schema => schema.clone(),
                };
                list.push(Member { name: name.clone(), schema, span });
            }
            _ => open = true,
        }
    }
    Some(Members { list, rest, open })
}

impl<'p> Form<'p> {
    pub(super) fn unknown(why: impl Into<String>, site: Span) -> Self {
        Form::Plain(Shape::unknown(why, Some(site)))
    }

    pub(super) fn kind(kind: Kind) -> Self {
        Form::Plain(Shape::new(kind))
    }

    pub(super) fn formatted(kind: Kind, format: &str) -> Self {
        let mut shape = Shape::new(kind);
        shape.format = Some(format.to_owned());
        Form::Plain(shape)
    }

    /// The same as another schema.
    pub(super) fn same(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: None, nullable: false })
    }

    pub(super) fn optional(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: Some(false), nullable: false })
    }

    pub(super) fn present(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: Some(true), nullable: false })
    }

    pub(super) fn nullable(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: None, nullable: true })
    }

    pub(super) fn nullable_present(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: Some(true), nullable: true })
    }

    pub(super) fn nullish(inner: Value<'p>) -> Self {
        Form::Wrapped(Wrapped { inner, present: Some(false), nullable: true })
    }

    /// What the first type argument of a call says, or what stands for it.
    pub(super) fn typed(made: &Made<'p>) -> Option<Self> {
        let (types, scope) = made.args.types.as_ref()?;
        Some(Form::Typed(Schemas::lazy(types.first()?, &Env::of(scope))))
    }

    /// One of these values; unknown where one of them is.
    pub(super) fn values(values: &[Value<'p>], site: Span) -> Self {
        let mut nothing = false;
        let mut literals = Vec::new();
        for value in values {
            match literal(value) {
                Some(literal) => literals.push(literal),
                None if is_undefined(value) => nothing = true,
                None => {
                    let strings = values.iter().filter_map(Value::as_str).count() + 1 == values.len();
                    let shape = if strings && values.len() > 1 {
                        Shape::new(Kind::String)
                    } else {
                        Shape::unknown("one of the allowed values is not known", Some(site))
                    };
                    return Form::Plain(shape);
                }
            }
        }
        if literals.is_empty() && nothing {
            return Form::Nothing;
        }
        Form::Plain(shape_of_literals(literals))
    }
}

/// A closed set of values; null is a mark of its own.
pub(super) fn shape_of_literals(literals: Vec<Literal>) -> Shape {
    let nullable = literals.contains(&Literal::Null);
    let mut values: Vec<Literal> = Vec::with_capacity(literals.len());
    let mut seen = FxHashSet::default();
    for value in literals {
        if value != Literal::Null && seen.insert(value.clone()) {
            values.push(value);
        }
    }
    if values.is_empty() {
        return Shape::new(if nullable { Kind::Null } else { Kind::Never });
    }
    Shape::new(kind_of_values(&values)).with_values(values).nullable(nullable)
}

/// A value as a JSON literal.
pub(super) fn literal(value: &Value) -> Option<Literal> {
    match value {
        Value::External(path) => generated(path).map(|member| Literal::String(member.to_owned())),
        value => literal_value(value),
    }
}

/// `ADMIN` of `@prisma/client.Role.ADMIN`: members of enumerations that Prisma generates are their own names.
pub(in crate::languages::typescript) fn generated(path: &str) -> Option<&str> {
    let (enumeration, member) = path.rsplit_once('.')?;
    (is_prisma(path) && enumeration.contains('.')).then_some(member)
}

/// `z.NEVER`, which a transformation returns where it refuses.
pub(in crate::languages::typescript) fn is_never(path: &str) -> bool {
    operation(path) == Some("NEVER")
}

pub(super) fn is_prisma(path: &str) -> bool {
    path.starts_with("@prisma/client.")
}

fn is_undefined(value: &Value) -> bool {
    value.as_external() == Some("javascript.undefined")
}

/// The form of a schema below whatever says nothing about its type.
pub(in crate::languages::typescript) fn inner_form<'p>(
    evaluator: &mut Evaluator<'p>,
    value: &Value<'p>,
    side: Side,
) -> Form<'p> {
    let mut value = value.clone();
    for _ in 0..MAX_DEPTH {
        let Value::Made(made) = &value else { break };
        if !evaluator.afford(8) {
            break;
        }
        match form(evaluator, made, side) {
            Form::Wrapped(Wrapped { inner, present: None, nullable: false }) => value = inner,
            form => return form,
        }
    }
    Form::Plain(Shape::unknown("a schema that is not known", None))
}

/// The values of an enumeration of the program, of an object, or of an array.
pub(in crate::languages::typescript) fn enumerated<'p>(
    evaluator: &mut Evaluator<'p>,
    value: &Value<'p>,
) -> Option<Vec<Value<'p>>> {
    match value {
        Value::List(_) | Value::Tuple(_) => value.elements(),
        Value::Dict(dict) if !dict.borrow().open => {
            Some(dict.borrow().entries.iter().map(|(_, value)| value.clone()).collect())
        }
        Value::Class(class) if evaluator.is_enum(class) => {
            Some(evaluator.enum_members(class).iter().map(|member| member.value.clone()).collect())
        }
        _ => None,
    }
}
