//! The shapes of types that a value is taken for.

use super::Taken;
use crate::evaluate::{Evaluator, Value};
use crate::frameworks::Schemas;
use crate::languages::typescript::schema::{Env, Schemas as TypeScript};
use crate::model::program::{Expr, ExprKind, ImportStyle};
use crate::model::{Additional, Kind, ShapeId};

/// The shape of a type; `None` where it says nothing.
pub(super) fn shape<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, taken: &Taken<'p>) -> Option<ShapeId> {
    let shape = match taken {
        Taken::Written(expr, scope) => {
            ev.start(expr.span.file);
            match ev.index.style(scope.module()) {
                ImportStyle::Path => {
                    let ty = TypeScript::lazy(expr, &Env::of(scope));
                    schemas.typescript().start();
                    let ty = schemas.typescript().awaited(ev, &ty);
                    schemas.typescript().shape_of(ev, &ty, Some(expr.span))
                }
                ImportStyle::Dotted => {
                    let declared = ev.type_expression(expr, scope);
                    schemas.python().shape_of(ev, &declared, Some(expr.span))
                }
                ImportStyle::Namespace => {
                    let declared = ev.type_expression(expr, scope);
                    schemas.csharp().shape_of(ev, &declared, expr.span)
                }
            }
        }
        Taken::Value(value @ Value::Class(class)) => {
            let site = class.name_span();
            ev.start(site.file);
            match ev.index.style(class.scope.module()) {
                ImportStyle::Path => {
                    let ty = schemas.typescript().instance_of(ev, value, site);
                    schemas.typescript().shape_of(ev, &ty, Some(site))
                }
                ImportStyle::Dotted => schemas.python().shape_of(ev, value, Some(site)),
                ImportStyle::Namespace => schemas.csharp().shape_of(ev, value, site),
            }
        }
        // A schema that is a value.
        Taken::Value(value) => schemas.typescript().shape_of_schema(ev, value, None)?,
    };
    let view = schemas.python().table.view(shape);
    let says = match &view.shape.kind {
        Kind::Unknown(_) | Kind::Any | Kind::Never | Kind::Null | Kind::String => false,
        Kind::Object(object) => !object.fields.is_empty() || matches!(object.additional, Additional::Of(_)),
        _ => true,
    };
    let is_any_map = match &view.shape.kind {
        Kind::Object(object) if object.fields.is_empty() => match object.additional {
            Additional::Of(values) => {
                matches!(schemas.python().table.view(values).shape.kind, Kind::Any | Kind::Unknown(_))
            }
            _ => false,
        },
        _ => false,
    };
    (says && !is_any_map).then_some(shape)
}

/// Whether a written type is one that says nothing: `any`, `unknown`, `dict`.
pub(super) fn says_nothing(annotation: &Expr) -> bool {
    matches!(&annotation.kind, ExprKind::Name(name)
        if matches!(name.as_str(), "any" | "unknown" | "object" | "dict" | "Any" | "const" | "string" | "str" | "bytes" | "Buffer"))
}
