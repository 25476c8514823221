//! The actions of a controller: its public methods and those that it inherits, with the attributes that count for each.

use rustc_hash::FxHashSet;

use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value};
use crate::frameworks::attributes::{Attribute, of_function};
use crate::model::program::{ClassKind, Function, Modifiers, StmtKind};

/// A method that may answer requests.
pub(super) struct Action<'p> {
    pub(super) function: FunctionRef<'p>,
    /// Its own attributes, then those of the methods that it overrides, nearest first.
    pub(super) attributes: Vec<Vec<Attribute<'p>>>,
}

/// The actions of a class, those of the nearest class first.
pub(super) fn actions<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Action<'p>> {
    let ancestry = evaluator.ancestry(class);
    let mut actions: Vec<Action<'p>> = Vec::new();
    // Methods of the program that an override may stand for.
    let mut declared: FxHashSet<(&'p str, usize)> = FxHashSet::default();
    // Methods that stand for those of the classes further up, by name and number of parameters.
    let mut replaced: FxHashSet<(&'p str, usize)> = FxHashSet::default();
    for ancestor in ancestry.iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        if ancestor.node.kind != ClassKind::Class {
            continue;
        }
        let mut own: Vec<(&'p str, usize)> = Vec::new();
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(node) = &statement.kind else { continue };
            let node: &'p Function = node;
            let key = (node.name.as_str(), node.parameters.len());
            if !node.modifiers.has(Modifiers::OVERRIDE) {
                declared.insert(key);
            }
            let function = evaluator.function_of(ancestor, node);
            if replaced.contains(&key) {
                // What it declares still counts for the method that overrides it.
                let inherited = of_function(evaluator, &function);
                if let Some(action) = actions.iter_mut().find(|action| {
                    (action.function.node.name.as_str(), action.function.node.parameters.len()) == key
                        && action.function.node.modifiers.has(Modifiers::OVERRIDE)
                }) {
                    action.attributes.push(inherited);
                }
                continue;
            }
            if node.modifiers.has(Modifiers::OVERRIDE) || node.modifiers.has(Modifiers::HIDES) {
                own.push(key);
            }
            if !is_action(node) {
                continue;
            }
            let attributes = vec![of_function(evaluator, &function)];
            actions.push(Action { function, attributes });
        }
        replaced.extend(own);
    }
    // What stands for a method of the framework itself (`Dispose`, `OnActionExecuting`) is none.
    actions.retain(|action| {
        let node = action.function.node;
        !node.modifiers.has(Modifiers::OVERRIDE) || declared.contains(&(node.name.as_str(), node.parameters.len()))
    });
    actions.retain(|action| !action.attributes.iter().flatten().any(|attribute| attribute.is("NonAction")));
    actions
}

fn is_action(node: &Function) -> bool {
    let modifiers = node.modifiers;
    modifiers.has(Modifiers::PUBLIC)
        && !modifiers.has(Modifiers::STATIC)
        && node.type_parameters.is_empty()
        && !node.name.contains('.')
        && !node.name.starts_with("__")
        && !node.name.starts_with("operator ")
        && !node.name.ends_with(" operator")
}
