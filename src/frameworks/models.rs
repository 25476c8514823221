//! Types that a service declares, asked for by name or all of them, with their shapes as its serialisers write them.

use std::collections::BTreeSet;

use super::Schemas;
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value, last};
use crate::model::program::ImportStyle;
use crate::model::{Kind, Model, name_key};

/// Which of the types that code declares somebody wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// By [`name_key`].
    Named(BTreeSet<String>),
}

impl Wanted {
    pub fn is_empty(&self) -> bool {
        matches!(self, Wanted::Named(names) if names.is_empty())
    }

    pub fn has(&self, name: &str) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Named(names) => names.contains(&name_key(name)),
        }
    }
}

/// The wanted types of these modules, by file and place. What is no data (a class without members that are written, a
/// type that cannot be known) is left out.
pub fn models<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    modules: &[ModuleId],
    wanted: &Wanted,
) -> Vec<Model> {
    let wants = |name: &str| wanted.has(name);
    let mut found = Vec::new();
    let mut in_namespaces = Vec::new();
    for module in modules {
        match evaluator.index.style(*module) {
            ImportStyle::Namespace => in_namespaces.push(*module),
            ImportStyle::Dotted => {
                found.extend(schemas.python().declared_types(evaluator, *module, &wants, &mut message));
            }
            ImportStyle::Path => {
                found.extend(schemas.typescript().declared_types(evaluator, *module, &wants, &mut message));
            }
        }
    }
    if !in_namespaces.is_empty() {
        found.extend(schemas.csharp().declared_types(evaluator, &in_namespaces, &wants, &mut message));
    }
    let table = schemas.table();
    found.retain(|model| {
        let view = table.view(model.shape);
        match &view.shape.kind {
            Kind::Unknown(_) | Kind::Any | Kind::Never | Kind::Null => false,
            Kind::Object(object) => !object.fields.is_empty() || model.message.is_some(),
            _ => true,
        }
    });
    found.sort_by_key(|model| model.span);
    found
}

/// The base that makes a message between services of a class.
fn message<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    let ancestry = evaluator.ancestry(class);
    ancestry.iter().skip(1).find_map(|base| {
        let name = match base {
            Value::Class(base) => base.name(),
            Value::External(path) => last(path),
            _ => return None,
        };
        is_message_base(name).then(|| name.to_owned())
    })
}

/// Whether types that extend a type of this name are sent from one service to another: `IntegrationEvent`,
/// `IIntegrationMessage`. Plain events and commands are as often handled in the process that raises them.
pub fn is_message_base(name: &str) -> bool {
    name.contains("Integration") && ["Event", "Message", "Command"].iter().any(|end| name.ends_with(end))
}
