//! Shapes of what is sent: by static types where a language has them, else by the value.

use crate::evaluate::{Args, Evaluator, Scope, Value};
use crate::frameworks::Schemas;
use crate::languages::csharp::typing::Typer;
use crate::model::ShapeId;
use crate::model::program::{Arg, Expr, ImportStyle};
use crate::text::Span;

/// An argument as it is written, with where its names are looked up.
pub(super) fn written<'p>(args: &Args<'p>, position: usize, name: &str) -> Option<(&'p Expr, Scope<'p>)> {
    let (written, scope) = args.written.as_ref()?;
    let by_name = written.iter().find_map(|arg| match arg {
        Arg::Keyword(known, value) if known == name => Some(value),
        _ => None,
    });
    let value = by_name.or_else(|| match written.get(position) {
        Some(Arg::Positional(value)) => Some(value),
        _ => None,
    })?;
    Some((value, scope.clone()))
}

/// The JSON that a value becomes. `written` is the expression that it comes from.
pub(super) fn shape_of<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    value: &Value<'p>,
    written: Option<(&'p Expr, Scope<'p>)>,
    site: Span,
) -> ShapeId {
    let Some(module) = evaluator.module_of_file(site.file) else {
        return schemas.python().unknown("it is not part of the program", Some(site));
    };
    match evaluator.index.style(module) {
        ImportStyle::Path => {
            let ty = match written {
                Some((expr, scope)) => {
                    let place = schemas.typescript().place_in(evaluator, &scope);
                    schemas.typescript().type_of(evaluator, expr, &place)
                }
                None => schemas.typescript().of_value(value),
            };
            schemas.typescript().shape_of(evaluator, &ty, Some(site))
        }
        ImportStyle::Dotted => match value {
            Value::Instance(instance) => {
                let class = Value::Class(instance.class.clone());
                schemas.python().shape_of(evaluator, &class, Some(site))
            }
            value => schemas.python().shape_of_value(value, Some(site), 0),
        },
        ImportStyle::Namespace => match value {
            Value::Instance(instance) => {
                let class = Value::Class(instance.class.clone());
                schemas.csharp().shape_of(evaluator, &class, site)
            }
            _ => {
                let ty = match written {
                    Some((expr, scope)) => {
                        let mut typer = Typer::new(evaluator);
                        let place = typer.place_in(&scope);
                        typer.type_of(expr, &place)
                    }
                    None => Value::Unknown("what is sent is not known", Some(site)),
                };
                schemas.csharp().shape_of(evaluator, &ty, site)
            }
        },
    }
}
