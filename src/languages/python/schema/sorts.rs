//! Which sort of class a class is: model, enumeration, dataclass, scalar.

use crate::evaluate::{ClassRef, Evaluator, Scope, Str, Value, last};
use crate::languages::json_schema::{kind_of_values, literal_value};
use crate::model::program::{Expr, ExprKind};
use crate::model::{Kind, Shape};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Enum,
    Root,
    TypedDict,
    Model,
    NamedTuple,
    Dataclass,
    /// msgspec's.
    Struct,
    /// A subclass of a built-in or library scalar.
    Scalar,
    Other,
}

/// External bases that bring no fields.
pub(super) const FIELDLESS: &[&str] = &[
    "BaseModel",
    "SQLModel",
    "BaseSettings",
    "GenericModel",
    "RootModel",
    "Generic",
    "Protocol",
    "ABC",
    "ABCMeta",
    "object",
    "TypedDict",
    "Enum",
    "str",
    "int",
    "StrEnum",
    "IntEnum",
    "Representation",
    "DeclarativeBase",
    "NamedTuple",
    "Exception",
    "dict",
    "AsyncAttrs",
    "MappedAsDataclass",
    "Struct",
];

/// A base whose fields are not known, so that the class may have more than is seen.
pub(super) fn open_base<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    if evaluator.unknown_base(class) {
        return Some(format!("a base class of `{}` is not known", class.name()));
    }
    let external = evaluator.external_bases(class);
    external
        .iter()
        .find(|path| !FIELDLESS.contains(&last(path)) && !is_scalar(path))
        .map(|path| format!("base class `{path}` of `{}` is not part of the scanned sources", class.name()))
}

pub(super) fn sort_of<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Sort {
    if evaluator.is_enum(class) {
        return Sort::Enum;
    }
    let external = evaluator.external_bases(class);
    let has = |names: &[&str]| external.iter().any(|path| names.contains(&last(path)));
    if has(&["RootModel"]) {
        return Sort::Root;
    }
    if has(&["TypedDict"]) {
        return Sort::TypedDict;
    }
    if has(&["BaseModel", "SQLModel", "BaseSettings", "GenericModel"]) {
        return Sort::Model;
    }
    if external.iter().any(|path| path.starts_with("msgspec") && last(path) == "Struct") {
        return Sort::Struct;
    }
    if has(&["NamedTuple"]) {
        return Sort::NamedTuple;
    }
    for ancestor in evaluator.ancestry(class).iter() {
        if let Value::Class(ancestor) = ancestor
            && ancestor
                .node
                .decorators
                .iter()
                .any(|decorator| is_dataclass_decorator(evaluator, decorator, &ancestor.scope))
        {
            return Sort::Dataclass;
        }
    }
    if external.iter().any(|path| is_scalar(path)) {
        return Sort::Scalar;
    }
    let model_like = |path: &Str| {
        path.starts_with("pydantic")
            || path.starts_with("fastapi")
            || path.starts_with("sqlmodel")
            || (last(path).starts_with("Base") && !matches!(last(path), "BaseException"))
    };
    if external.iter().any(model_like) { Sort::Model } else { Sort::Other }
}

pub(super) fn is_scalar(path: &str) -> bool {
    matches!(
        last(path),
        "str" | "int" | "float" | "bool" | "dict" | "list" | "UUID" | "datetime" | "SecretStr" | "AnyUrl" | "HttpUrl"
    )
}

pub(super) fn is_dataclass_decorator<'p>(
    evaluator: &mut Evaluator<'p>,
    decorator: &'p Expr,
    scope: &Scope<'p>,
) -> bool {
    is_decorator(evaluator, decorator, scope, &["dataclass", "define", "attrs", "frozen", "mutable"])
}

pub(super) fn is_attrs_decorator<'p>(evaluator: &mut Evaluator<'p>, decorator: &'p Expr, scope: &Scope<'p>) -> bool {
    is_decorator(evaluator, decorator, scope, &["define", "attrs", "frozen", "mutable"])
}

/// Whether a decorator is one of these names, or `attr.s`.
fn is_decorator<'p>(evaluator: &mut Evaluator<'p>, decorator: &'p Expr, scope: &Scope<'p>, names: &[&str]) -> bool {
    let callee = match &decorator.kind {
        ExprKind::Call { callee, .. } => callee,
        _ => decorator,
    };
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } if names.contains(&name.as_str()) => true,
        // `attr.s`
        ExprKind::Member { name, .. } if name == "s" => {
            evaluator.evaluate(callee, scope).as_external().is_some_and(|path| path == "attr.s")
        }
        ExprKind::Name(_) => {
            evaluator.evaluate(callee, scope).as_external().is_some_and(|path| names.contains(&last(path)))
        }
        _ => false,
    }
}

pub(super) fn enumeration<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Shape {
    // A member that may not exist is not said to be sent.
    let members = evaluator.enum_members(class);
    let members = members.iter().filter(|member| !member.conditional);
    let values: Option<Vec<_>> = members.map(|member| literal_value(&member.value)).collect();
    match values {
        Some(values) if !values.is_empty() => Shape::new(kind_of_values(&values)).with_values(values),
        _ => {
            let external = evaluator.external_bases(class);
            let based = |names: &[&str]| external.iter().any(|path| names.contains(&last(path)));
            if based(&["str", "StrEnum"]) {
                Shape::new(Kind::String)
            } else if based(&["int", "IntEnum"]) {
                Shape::new(Kind::Integer)
            } else {
                Shape::unknown("values of an enumeration are not known", Some(class.name_span()))
            }
        }
    }
}
