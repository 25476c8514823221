//! Types that a program declares at the level of its modules: models, dataclasses, typed dictionaries, enumerations.

use super::Schemas;
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value};
use crate::model::Model;
use crate::model::program::{ExprKind, StmtKind};

impl Schemas {
    /// The types of a module whose names are wanted; no generic ones, which are many types.
    pub fn declared_types<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        module: ModuleId,
        wants: &dyn Fn(&str) -> bool,
        message: &mut dyn FnMut(&mut Evaluator<'p>, &ClassRef<'p>) -> Option<String>,
    ) -> Vec<Model> {
        let mut found = Vec::new();
        for statement in evaluator.statements(module) {
            let (name, span) = match &statement.kind {
                StmtKind::Class(class) if class.type_parameters.is_empty() => (&class.name, class.name_span),
                // `Point = TypedDict("Point", {…})`
                StmtKind::Assign { targets, value } if matches!(value.kind, ExprKind::Call { .. }) => {
                    match targets.first().map(|target| (&target.kind, target.span)) {
                        Some((ExprKind::Name(name), span)) => (name, span),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            if !wants(name) {
                continue;
            }
            evaluator.start(span.file);
            let value = evaluator.module_name(module, name);
            let of_message = match &value {
                Some(Value::Class(class)) if class.name_span() == span => message(evaluator, class),
                Some(Value::Dynamic(_)) => None,
                _ => continue,
            };
            let Some(value) = value else { continue };
            let shape = self.shape_of(evaluator, &value, Some(span));
            found.push(Model { name: name.clone(), shape, span, message: of_message });
        }
        found
    }
}
