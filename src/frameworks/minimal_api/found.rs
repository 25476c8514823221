//! Modules that are found by looking through the assembly: Carter's (github.com/CarterCommunity/Carter).

use super::GROUP_PATH;
use super::groups::group;
use crate::evaluate::{Args, Evaluator, NodeId, Value, last};
use crate::model::program::{ClassKind, Modifiers};
use crate::text::Span;

/// `MapCarter()`: every module of the program adds its routes, behind the path that its base class was given.
pub(super) fn carter(evaluator: &mut Evaluator<'_>, id: NodeId, site: Span) {
    let roots = evaluator.roots().to_vec();
    for class in evaluator.declared_classes(&roots) {
        if class.node.kind != ClassKind::Class || class.node.modifiers.has(Modifiers::ABSTRACT) {
            continue;
        }
        let bases = evaluator.external_bases(&class);
        if !bases.iter().any(|base| matches!(last(base), "ICarterModule" | "CarterModule")) {
            continue;
        }
        let module = evaluator.call(&Value::Class(class.clone()), Args::default(), site);
        let base = evaluator.base_call(&module).and_then(|made| made.args.get(0, "basePath").cloned());
        let target = match base {
            Some(base) => group(evaluator, id, GROUP_PATH, Some(base), class.name_span()),
            None => Some(Value::Node(id)),
        };
        let Some(target) = target else { continue };
        let add = evaluator.member(&module, "AddRoutes", Some(site));
        evaluator.call_always(&add, Args { positional: vec![target], ..Args::default() }, site);
    }
}
