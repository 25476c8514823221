//! Fields as classes declare them, before they have a name on the wire.

use std::rc::Rc;

use indexmap::IndexMap;

use super::generics::{Substitution, substitute};
use crate::evaluate::{Evaluator, Made, Scope, Value, last};
use crate::languages::Side;
use crate::model::program::{Arg, Expr, ExprKind, Function};
use crate::text::Span;

/// A field before its wire name is known.
#[derive(Clone)]
pub(super) struct Declared<'p> {
    pub(super) kind: Value<'p>,
    /// What a validator takes before the type does.
    pub(super) read_as: Option<Value<'p>>,
    pub(super) has_default: bool,
    /// The value that stands for the field in the class.
    pub(super) given: Option<Value<'p>>,
    /// The key may be absent (`NotRequired`, `total=False`).
    pub(super) may_lack: bool,
    pub(super) info: Option<Rc<Made<'p>>>,
    pub(super) computed: bool,
    pub(super) span: Span,
}

pub(super) type Fields<'p> = IndexMap<String, Declared<'p>, rustc_hash::FxBuildHasher>;

/// `name: annotation = value`
pub(super) struct Own<'p> {
    pub(super) annotation: &'p Expr,
    pub(super) value: Option<&'p Expr>,
    /// The class says that its keys may be absent.
    pub(super) partial: bool,
    pub(super) span: Span,
}

/// A field from what a class declares; `None` for what is no field on that side.
pub(super) fn annotated_field<'p>(
    evaluator: &mut Evaluator<'p>,
    own: &Own<'p>,
    scope: &Scope<'p>,
    side: Side,
) -> Option<Declared<'p>> {
    let Own { annotation, value, partial, span } = *own;
    let mut kind = evaluator.type_expression(annotation, scope);
    let head = match &kind {
        Value::Applied(base, _) => base.as_external().map(last),
        other => other.as_external().map(last),
    };
    match (head, side) {
        (Some("ClassVar"), _) | (Some("InitVar"), Side::Output) => return None,
        // What only the constructor takes.
        (Some("InitVar"), Side::Input) => {
            if let Value::Applied(_, args) = &kind {
                kind = args.first().cloned().unwrap_or(Value::Ellipsis);
            }
        }
        _ => {}
    }
    let mut declared = Declared {
        has_default: false,
        given: None,
        may_lack: partial,
        info: None,
        computed: false,
        span,
        read_as: None,
        kind: kind.clone(),
    };
    if let Some(value) = value {
        let given = evaluator.evaluate(value, scope);
        declared.given = Some(given.clone());
        match given {
            Value::Made(made) if matches!(made.name(), "Relationship" | "relationship" | "PrivateAttr") => return None,
            Value::Made(made) if is_field_call(made.name()) => {
                if side == Side::Input && matches!(made.args.named("init"), Some(Value::Bool(false))) {
                    return None;
                }
                declared.has_default = has_default(&made);
                declared.info = Some(made);
            }
            _ => declared.has_default = !matches!(value.kind, ExprKind::Ellipsis),
        }
    }
    if let Value::Applied(base, args) = &kind {
        match base.as_external().map(last) {
            Some("Annotated") => {
                for item in args.iter().skip(1) {
                    if let Value::Made(made) = item
                        && is_field_call(made.name())
                    {
                        declared.has_default |= has_default(made);
                        declared.info = Some(match declared.info.take() {
                            Some(info) => merged(made, &info),
                            None => made.clone(),
                        });
                    }
                }
            }
            Some("NotRequired") => declared.may_lack = true,
            Some("Required") => declared.may_lack = false,
            _ => {}
        }
    }
    Some(declared)
}

/// `Annotated[…, Field(a)] = Field(b)`: the assignment wins.
pub(super) fn merged<'p>(first: &Rc<Made<'p>>, second: &Rc<Made<'p>>) -> Rc<Made<'p>> {
    let mut args = first.args.clone();
    for (name, value) in &second.args.named {
        args.set(name, value.clone());
    }
    Rc::new(Made { path: first.path.clone(), receiver: None, args, site: second.site })
}

/// Whether `None` is one of the options of a type.
pub fn takes_none(kind: &Value) -> bool {
    match kind {
        Value::Union(options) => options.iter().any(|option| matches!(option, Value::None)),
        Value::Applied(base, args) => match base.as_external().map(last) {
            Some("Optional") => true,
            Some("Union") => args.iter().any(|option| matches!(option, Value::None)),
            _ => false,
        },
        _ => false,
    }
}

/// `Field(...)`: required whatever the type.
pub(super) fn has_ellipsis(info: Option<&Made>) -> bool {
    info.is_some_and(|info| matches!(info.args.get(0, "default"), Some(Value::Ellipsis)))
}

pub(super) fn is_field_call(name: &str) -> bool {
    matches!(
        name,
        "Field" | "field" | "FieldInfo" | "Query" | "Body" | "Path" | "Form" | "Header" | "mapped_column" | "ib"
    )
}

pub(super) fn has_default(made: &Made) -> bool {
    let given = made.args.get(0, "default");
    // `Field(..., default_factory=f)` has a default all the same.
    given.is_some_and(|default| !matches!(default, Value::Ellipsis))
        || ["default_factory", "factory"].iter().any(|name| made.args.named(name).is_some())
}

/// `@computed_field` adds a field, `@field_serializer("x")` with a declared result changes its type.
pub(super) fn method_field<'p>(
    evaluator: &mut Evaluator<'p>,
    method: &'p Function,
    scope: &Scope<'p>,
    substitution: &Substitution<'p>,
    fields: &mut Fields<'p>,
) {
    if let Some(found) = decorator(method, "computed_field") {
        let made = match evaluator.evaluate(found, scope) {
            Value::Made(made) => Some(made),
            _ => None,
        };
        let declared = made.as_ref().and_then(|made| made.args.named("return_type").cloned());
        let kind = match (declared, &method.returns) {
            (Some(kind), _) => kind,
            (None, Some(returns)) => evaluator.type_expression(returns, scope),
            (None, None) => Value::External(Rc::from("typing.Any")),
        };
        let declared = Declared {
            kind: substitute(&kind, substitution),
            read_as: None,
            has_default: false,
            given: None,
            may_lack: false,
            info: made,
            computed: true,
            span: method.name_span,
        };
        fields.insert(method.name.clone(), declared);
    }
    if let Some(Expr { kind: ExprKind::Call { args, .. }, .. }) = decorator(method, "field_serializer") {
        let declared = args.iter().find_map(|arg| match arg {
            Arg::Keyword(name, value) if name == "return_type" => Some(value),
            _ => None,
        });
        let Some(returns) = declared.or(method.returns.as_ref()) else { return };
        let kind = evaluator.type_expression(returns, scope);
        if kind.is_unknown() {
            return;
        }
        for arg in args {
            let Arg::Positional(target) = arg else { continue };
            let Value::Str(target) = evaluator.evaluate(target, scope) else { continue };
            for (name, declared) in fields.iter_mut() {
                if &*target == "*" || **name == *target {
                    declared.kind = substitute(&kind, substitution);
                }
            }
        }
    }
}

/// The decorator of that name, called or not.
pub(super) fn decorator<'p>(method: &'p Function, wanted: &str) -> Option<&'p Expr> {
    method.decorators.iter().find(|decorator| {
        let callee = match &decorator.kind {
            ExprKind::Call { callee, .. } => callee,
            _ => *decorator,
        };
        matches!(&callee.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if name == wanted)
    })
}
