//! Types that a program declares, as a serialiser writes their values.

use super::Schemas;
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value};
use crate::model::program::Modifiers;
use crate::model::{Model, ShapeId};

impl<'p> Schemas<'p> {
    /// The types of these modules whose names are wanted: classes, records, structs, interfaces and enumerations; no
    /// generic ones, which are many types, and no static ones, which have no values.
    pub fn declared_types(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        modules: &[ModuleId],
        wants: &dyn Fn(&str) -> bool,
        message: &mut dyn FnMut(&mut Evaluator<'p>, &ClassRef<'p>) -> Option<String>,
    ) -> Vec<Model> {
        let mut found = Vec::new();
        for class in evaluator.declared_classes(modules) {
            let node = class.node;
            if !wants(&node.name) || !node.type_parameters.is_empty() || node.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            evaluator.start(node.span.file);
            let shape: ShapeId = self.shape_of(evaluator, &Value::Class(class.clone()), node.name_span);
            let message = message(evaluator, &class);
            found.push(Model { name: node.name.clone(), shape, span: node.name_span, message });
        }
        found
    }
}
