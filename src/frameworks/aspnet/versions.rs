//! Versions of an API in its paths (Asp.Versioning).

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::CONVENTION;
use crate::evaluate::{Args, ClassRef, Evaluator, NodeId, RouteDraft, Value, last};
use crate::frameworks::attributes::Attribute;
use crate::frameworks::hosting::{version, version_parameter};
use crate::model::program::StmtKind;

/// Whether a class gives controllers their versions.
pub(super) fn is_convention<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator.external_bases(class).iter().any(|path| last(path) == "IControllerConvention")
}

/// The versions that conventions of the program name, as paths write them: those of every controller that declares none.
pub(super) fn of_conventions(evaluator: &mut Evaluator<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..evaluator.nodes().len() as u32 {
        let node = evaluator.node(NodeId(at));
        if node.kind != CONVENTION {
            continue;
        }
        let Some(class) = node.class.clone() else { continue };
        for statement in evaluator.class_statements(&class) {
            if let StmtKind::Property(property) = &statement.kind
                && property.is_static
                && let Some(value) = evaluator.own_member(&class, &property.name)
            {
                named(&value, &mut found);
            }
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|version| seen.insert(version.clone()));
    found
}

/// `ApiVersion.Parse("2")`, `new ApiVersion(2, 0)`, and lists of such.
fn named(value: &Value, found: &mut Vec<String>) {
    let made = match value {
        Value::List(items) => return items.borrow().iter().for_each(|item| named(item, found)),
        Value::Made(made) if matches!(&*made.path, "ApiVersion.Parse" | "ApiVersion") => made,
        _ => return,
    };
    let Some(version) = version(&made.args) else { return };
    found.push(version);
}

/// `[ApiVersion("2.0")]`, `[MapToApiVersion(2)]`: versions as a path writes them, `2`.
pub(super) fn declared(attributes: &[Attribute<'_>]) -> Vec<String> {
    let versioning =
        attributes.iter().filter(|attribute| attribute.is("ApiVersion") || attribute.is("MapToApiVersion"));
    versioning.filter_map(|attribute| version(&attribute.args)).collect()
}

/// The versions that the attributes of an action name, else those of its controller.
pub(super) fn of_route<'p>(draft: &RouteDraft<'p>, chain: &[Args<'p>]) -> Vec<String> {
    let of = |options: &Args<'p>, name: &str| -> Vec<String> {
        let attributes = options.positional.iter().filter_map(|value| match value {
            Value::Made(made) if last(&made.path).trim_end_matches("Attribute") == name => version(&made.args),
            _ => None,
        });
        attributes.collect()
    };
    let all = || std::iter::once(&draft.options).chain(chain);
    ["MapToApiVersion", "ApiVersion"]
        .iter()
        .find_map(|name| all().map(|options| of(options, name)).find(|versions| !versions.is_empty()))
        .unwrap_or_default()
}

/// A path in each version that is declared, and as one path of all versions, which documents may state instead.
pub(super) fn versioned<'p>(path: &Value<'p>, versions: &[String]) -> Vec<(Value<'p>, bool)> {
    let Some(text) = path.as_str() else { return vec![(path.clone(), false)] };
    let Some(Range { start, end }) = version_parameter(text) else { return vec![(path.clone(), false)] };
    if versions.is_empty() {
        return vec![(path.clone(), false)];
    }
    let in_version = |version: &String| Value::str(format!("{}{version}{}", &text[..start], &text[end..]));
    let mut out: Vec<(Value<'p>, bool)> = versions.iter().map(|version| (in_version(version), false)).collect();
    out.push((path.clone(), true));
    out
}
