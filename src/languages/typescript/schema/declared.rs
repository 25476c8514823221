//! Types that a program declares at the level of its modules: classes, interfaces, enumerations, aliases, and schemas
//! that are values.

use super::{Env, Schemas, Type};
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value};
use crate::model::Model;
use crate::model::program::{ExprKind, Stmt, StmtKind};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// The types of a module whose names are wanted; no generic ones, which are many types.
    pub fn declared_types(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        module: ModuleId,
        wants: &dyn Fn(&str) -> bool,
        message: &mut dyn FnMut(&mut Evaluator<'p>, &ClassRef<'p>) -> Option<String>,
    ) -> Vec<Model> {
        let mut found: Vec<Model> = Vec::new();
        for statement in evaluator.statements(module) {
            let Some((name, span)) = declaration(statement).filter(|(name, _)| wants(name)) else { continue };
            // Several declarations of one interface are one type.
            if found.iter().any(|known| known.name == name) {
                continue;
            }
            evaluator.start(span.file);
            self.start();
            let (shape, message) = match &statement.kind {
                StmtKind::Class(_) => {
                    let Some(Value::Class(class)) = evaluator.module_type(module, name) else { continue };
                    let message = message(evaluator, &class);
                    (self.shape_of(evaluator, &Type::class(class), Some(span)), message)
                }
                StmtKind::TypeAlias { value, .. } => {
                    let env = Env::of(&evaluator.module_scope(module));
                    let ty = self.force(evaluator, &Self::lazy(value, &env));
                    (self.shape_of(evaluator, &ty, Some(span)), None)
                }
                _ => {
                    let Some(value @ Value::Made(_)) = evaluator.module_name(module, name) else { continue };
                    match self.shape_of_schema(evaluator, &value, Some(span)) {
                        Some(shape) => (shape, None),
                        None => continue,
                    }
                }
            };
            found.push(Model { name: name.to_owned(), shape, span, message });
        }
        found
    }
}

/// The name that a statement may declare a type under, and where that stands.
fn declaration(statement: &Stmt) -> Option<(&str, Span)> {
    match &statement.kind {
        StmtKind::Class(class) if class.type_parameters.is_empty() => Some((&class.name, class.name_span)),
        StmtKind::TypeAlias { name, parameters, value } if parameters.is_empty() => {
            let start = statement.span.start;
            Some((name, Span { start, end: value.span.start.max(start), ..statement.span }))
        }
        StmtKind::Assign { targets, value } if matches!(value.kind, ExprKind::Call { .. }) => {
            match targets.as_slice() {
                [target] => match &target.kind {
                    ExprKind::Name(name) => Some((name, target.span)),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
