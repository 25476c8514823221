//! Types of functions: `Func<A, B>`, `Action<A>`, `Expression<Func<A, B>>`, delegates of the program.

use super::Typer;
use super::generics::{named, substitute, without_null};
use crate::evaluate::{Str, Value, last};
use crate::model::program::ExprKind;

/// What a function of a type takes and gives.
pub(super) fn parts<'p>(typer: &mut Typer<'_, 'p>, ty: &Value<'p>) -> Option<(Vec<Value<'p>>, Value<'p>)> {
    match without_null(ty) {
        Value::Applied(base, args) => match &*base {
            Value::External(name) => match (last(name), &*args) {
                ("Func", [params @ .., result]) => Some((params.to_vec(), result.clone())),
                ("Action", params) => Some((params.to_vec(), named("void"))),
                ("Predicate", [_]) => Some((args.to_vec(), named("bool"))),
                ("Comparison", [a]) => Some((vec![a.clone(), a.clone()], named("int"))),
                ("Converter", [a, b]) => Some((vec![a.clone()], b.clone())),
                ("Expression" | "Lazy", [inner]) => parts(typer, inner),
                ("AsyncFunc", [params @ .., result]) => {
                    Some((params.to_vec(), super::generic("Task", vec![result.clone()])))
                }
                _ => None,
            },
            Value::Alias(alias) => {
                let names = alias.parameters.iter().map(|parameter| Str::from(parameter.name.as_str()));
                let given: Vec<(Str, Value<'p>)> = names.zip(args.iter().cloned()).collect();
                declared(typer, alias, &given)
            }
            _ => None,
        },
        Value::External(name) if last(&name) == "Action" => Some((Vec::new(), named("void"))),
        Value::Alias(alias) => declared(typer, &alias, &[]),
        _ => None,
    }
}

fn declared<'p>(
    typer: &mut Typer<'_, 'p>,
    alias: &crate::evaluate::Alias<'p>,
    given: &[(Str, Value<'p>)],
) -> Option<(Vec<Value<'p>>, Value<'p>)> {
    let ExprKind::FunctionType(signature) = &alias.value.kind else { return None };
    let mut one = |written: Option<&'p crate::model::program::Expr>| match written {
        Some(written) => {
            // Its type parameters are names like others where it is declared.
            let ty = typer.ev.type_expression(written, &alias.scope);
            substitute(&opened(&ty, given), given)
        }
        None => Value::Unknown("parameter without a type", None),
    };
    let params = signature.parameters.iter().map(|param| one(param.annotation.as_ref())).collect();
    let result = signature.returns.as_ref().map_or(named("void"), |returns| one(Some(returns)));
    Some((params, result))
}

/// Replaces names of libraries that are the type parameters of a delegate.
fn opened<'p>(ty: &Value<'p>, given: &[(Str, Value<'p>)]) -> Value<'p> {
    match ty {
        Value::External(name) => {
            given.iter().find(|(known, _)| known == name).map_or_else(|| ty.clone(), |(_, ty)| ty.clone())
        }
        Value::Applied(base, args) => {
            Value::applied((**base).clone(), args.iter().map(|ty| opened(ty, given)).collect())
        }
        Value::Union(options) => Value::union(options.iter().map(|ty| opened(ty, given)).collect()),
        other => other.clone(),
    }
}
