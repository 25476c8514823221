//! What applications of ASP.NET have in common, whichever framework adds to them: what was said to them, and versions.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Made, NodeId, Value, last};
use crate::text::Span;

/// Attribute of an application: the calls on it that the framework it belongs to makes nothing of.
const SAID: &str = "@said";

/// Keeps a call on an application for the framework that knows what it means.
pub(super) fn remember<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: Args<'p>, site: Span) {
    let said = Value::Made(Rc::new(Made { path: Rc::from(name), receiver: None, args, site }));
    let attributes = &mut evaluator.node_mut(id).attributes;
    match attributes.get(SAID) {
        Some(Value::List(list)) => list.borrow_mut().push(said),
        _ => {
            attributes.insert(Rc::from(SAID), Value::list(vec![said]));
        }
    }
}

/// The calls of a name on any application, each with the application.
pub(super) fn remembered<'p>(evaluator: &Evaluator<'p>, name: &str) -> Vec<(NodeId, Rc<Made<'p>>)> {
    let mut found = Vec::new();
    for (at, node) in evaluator.nodes().iter().enumerate() {
        for said in node.attributes.get(SAID).and_then(Value::elements).unwrap_or_default() {
            if let Value::Made(made) = said
                && &*made.path == name
            {
                found.push((NodeId(at as u32), made));
            }
        }
    }
    found
}

/// A version as a path writes it: `(1, 0)`, `1.0`, `"1.0"` and `new ApiVersion(1)` are `1`, `"2.1-beta"` is itself. `None`
/// where it is not known.
pub(super) fn version(args: &Args) -> Option<String> {
    let text = match args.get(0, "version").or_else(|| args.named("majorVersion"))? {
        Value::Str(text) => text.to_string(),
        Value::Int(number) => match args.get(1, "minorVersion") {
            Some(Value::Int(minor)) => format!("{number}.{minor}"),
            _ => number.to_string(),
        },
        Value::Float(number) => number.to_string(),
        Value::Made(made) if last(&made.path) == "ApiVersion" => return version(&made.args),
        _ => return None,
    };
    let (number, status) = text.split_once('-').map_or((text.as_str(), None), |(number, rest)| (number, Some(rest)));
    // `VVV`, which documents are written with: no minor version that is zero.
    let number = number.strip_suffix(".0").unwrap_or(number);
    // A date is no number with a status.
    Some(match status {
        Some(_) if text.len() >= 10 && text.as_bytes()[4] == b'-' => text,
        Some(status) => format!("{number}-{status}"),
        None => number.to_owned(),
    })
}

/// Where `{version:apiVersion}` stands in a template.
pub(super) fn version_parameter(template: &str) -> Option<std::ops::Range<usize>> {
    let constraint = template.find(":apiVersion")?;
    let start = template[..constraint].rfind('{')?;
    let end = constraint + template[constraint..].find('}')? + 1;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::{Args, Value, version};

    #[test]
    fn versions_are_written_as_documents_have_them() {
        let args = |positional: Vec<Value<'static>>| Args { positional, ..Args::default() };
        for (given, written) in [
            (vec![Value::Int(1), Value::Int(0)], Some("1")),
            (vec![Value::Int(1), Value::Int(2)], Some("1.2")),
            (vec![Value::Float(2.0)], Some("2")),
            (vec![Value::Float(1.1)], Some("1.1")),
            (vec![Value::str("2.0-beta")], Some("2-beta")),
            (vec![Value::str("2024-01-02")], Some("2024-01-02")),
            (vec![Value::str("é-1")], Some("é-1")),
            (vec![Value::None], None),
            (vec![], None),
        ] {
            assert_eq!(version(&args(given)).as_deref(), written);
        }
    }
}
