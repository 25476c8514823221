//! Versions of an API in its paths (Asp.Versioning).

use super::CONVENTION;
use super::attributes::Attribute;
use crate::evaluate::{ClassRef, Evaluator, NodeId, Value, last};
use crate::model::program::StmtKind;

/// Versions of one program.
const MAX_VERSIONS: usize = 100;

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
    found
}

/// `ApiVersion.Parse("2")`, `new ApiVersion(2, 0)`, and lists of such.
fn named(value: &Value, found: &mut Vec<String>) {
    let made = match value {
        Value::List(items) => return items.borrow().iter().for_each(|item| named(item, found)),
        Value::Made(made) if matches!(&*made.path, "ApiVersion.Parse" | "ApiVersion") => made,
        _ => return,
    };
    let given = match made.args.positional.as_slice() {
        [Value::Str(text), ..] => text.to_string(),
        [Value::Int(major), Value::Int(minor), ..] => format!("{major}.{minor}"),
        [Value::Int(major), ..] => major.to_string(),
        _ => return,
    };
    let version = shown(&given);
    if !found.contains(&version) && found.len() < MAX_VERSIONS {
        found.push(version);
    }
}

/// As documents write a version in a path (the format `VVV`): without a minor version that is zero.
fn shown(given: &str) -> String {
    let (number, status) = given.split_once('-').map_or((given, None), |(number, status)| (number, Some(status)));
    let short = number.strip_suffix(".0").unwrap_or(number);
    status.map_or_else(|| short.to_owned(), |status| format!("{short}-{status}"))
}

/// `[ApiVersion("2.0")]`, `[MapToApiVersion(2)]`: versions as a path writes them, `2`.
pub(super) fn declared<'p>(evaluator: &mut Evaluator<'p>, attributes: &[Attribute<'p>]) -> Vec<String> {
    let mut versions = Vec::new();
    for attribute in attributes.iter().filter(|it| it.is("ApiVersion") || it.is("MapToApiVersion")) {
        let given = match attribute.setting(evaluator, Some(0), "version", "Version") {
            Some(Value::Str(text)) => text.to_string(),
            Some(Value::Int(number)) => match attribute.args.positional.get(1) {
                Some(Value::Int(minor)) => format!("{number}.{minor}"),
                _ => number.to_string(),
            },
            Some(Value::Float(number)) => number.to_string(),
            _ => continue,
        };
        versions.push(shown(&given));
    }
    versions
}

/// A path in each version that is declared, and as one path of all versions, which documents may state instead.
pub(super) fn versioned<'p>(path: &Value<'p>, versions: &[String]) -> Vec<(Value<'p>, bool)> {
    let Some(text) = path.as_str() else { return vec![(path.clone(), false)] };
    let Some((start, end)) = version_parameter(text) else { return vec![(path.clone(), false)] };
    if versions.is_empty() {
        return vec![(path.clone(), false)];
    }
    let in_version = |version: &String| Value::str(format!("{}{version}{}", &text[..start], &text[end..]));
    let mut out: Vec<(Value<'p>, bool)> = versions.iter().map(|version| (in_version(version), false)).collect();
    out.push((path.clone(), true));
    out
}

/// Where `{version:apiVersion}` stands in a template.
fn version_parameter(template: &str) -> Option<(usize, usize)> {
    let constraint = template.find(":apiVersion")?;
    let start = template[..constraint].rfind('{')?;
    let end = constraint + template[constraint..].find('}')? + 1;
    Some((start, end))
}
