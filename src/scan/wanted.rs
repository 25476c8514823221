//! Which types of the code somebody wants to know, so that no other has to be looked at: those that contracts share by
//! name, and messages that several services declare.

use std::collections::{BTreeMap, BTreeSet};

use crate::contracts::Declarations;
use crate::frameworks::{Wanted, is_message_base};
use crate::model::name_key;
use crate::model::program::{Class, Expr, ExprKind, Module, Stmt, StmtKind};

/// The types that are wanted of services, each given as its modules.
pub(super) fn wanted(contracts: &[Declarations], services: &[Vec<&Module>]) -> Wanted {
    // Where states are registered, every field with states is looked for.
    if contracts.iter().any(|contract| contract.table.as_ref().is_some_and(|table| !table.registry.is_empty())) {
        return Wanted::All;
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    for contract in contracts {
        let shared = contract.models.iter().flatten().flat_map(|model| &model.names);
        names.extend(shared.map(|name| name_key(name)));
        let of_table = contract.table.iter().flat_map(|table| &table.types).flat_map(|known| &known.names);
        names.extend(of_table.map(|name| name_key(name)));
        if services.len() > 1 && contract.events.is_none() {
            names.extend(contract.components.iter().map(|(name, _)| name_key(name)));
        }
    }
    names.extend(declared_in_several(services));
    names.remove("");
    Wanted::Named(names)
}

/// Whether a module declares anything of a name that is wanted.
pub(super) fn declares(module: &Module, wanted: &Wanted) -> bool {
    let mut found = false;
    each_name(module, &mut |name, _| found |= wanted.has(name));
    found
}

/// Messages that two services declare, each for itself.
fn declared_in_several(services: &[Vec<&Module>]) -> BTreeSet<String> {
    let mut by_name: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, modules) in services.iter().enumerate() {
        for module in modules {
            each_name(module, &mut |name, class| {
                if class.is_some_and(|class| class.bases.iter().any(names_message_base)) {
                    by_name.entry(name_key(name)).or_default().insert(at);
                }
            });
        }
    }
    by_name.into_iter().filter(|(_, services)| services.len() > 1).map(|(name, _)| name).collect()
}

fn names_message_base(base: &Expr) -> bool {
    match &base.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => is_message_base(name),
        ExprKind::Index { object, .. } => names_message_base(object),
        ExprKind::Call { callee, .. } => names_message_base(callee),
        _ => false,
    }
}

/// Every name of a module's level that a type may be declared under, those in namespaces and in classes included.
fn each_name<'m>(module: &'m Module, found: &mut dyn FnMut(&'m str, Option<&'m Class>)) {
    let mut blocks: Vec<&'m [Stmt]> = vec![&module.body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Namespace { body, .. } => blocks.push(body),
                StmtKind::Class(class) => {
                    found(&class.name, Some(class));
                    blocks.push(&class.body);
                }
                StmtKind::TypeAlias { name, .. } => found(name, None),
                StmtKind::Assign { targets, value } if matches!(value.kind, ExprKind::Call { .. }) => {
                    if let Some(Expr { kind: ExprKind::Name(name), .. }) = targets.first() {
                        found(name, None);
                    }
                }
                _ => {}
            }
        }
    }
}
