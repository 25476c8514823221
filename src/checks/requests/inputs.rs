//! Parameters: which of the contract's is which of the code's, and what is wrong with each.

use rustc_hash::{FxHashMap, FxHashSet};

use super::wording::{parameter_difference, stray};
use super::{CASING, Context, Found, MISSING, REQUIRED, UNDOCUMENTED, UNKNOWN};
use crate::checks::parameters::{self, is_any_text};
use crate::checks::shape::{Comparer, Difference, DifferenceKind};
use crate::finding::Severity;
use crate::model::{
    Kind, Literal, Operation, Parameter, ParameterPlace, Shape, ShapeId, ShapeTable, is_of_every_message,
};

pub(super) fn disagreements(context: Context<'_>, comparer: &mut Comparer<'_>) -> Vec<Found> {
    let Context { declared, served, .. } = context;
    let any_case = context.any_case();
    let promised: FxHashMap<Key, &Parameter> =
        declared.request.parameters.iter().map(|parameter| (key(declared, parameter, any_case), parameter)).collect();
    let taken: FxHashMap<Key, &Parameter> =
        served.request.parameters.iter().map(|parameter| (key(served, parameter, any_case), parameter)).collect();
    let mut out = Vec::new();
    let mut unknown: Vec<(usize, &Parameter)> = Vec::new();
    for (at, parameter) in declared.request.parameters.iter().enumerate() {
        match taken.get(&key(declared, parameter, any_case)) {
            Some(twin) => out.extend(both(context, parameter, twin, comparer)),
            // What middleware reads of headers is not known.
            None if parameter.place == ParameterPlace::Query && served.request.other_parameters.is_none() => {
                unknown.push((at, parameter));
            }
            None => {}
        }
    }
    let mut missing: Vec<&Parameter> = Vec::new();
    if declared.request.other_parameters.is_none() {
        // What stands for several that are not known is none itself.
        let is_several = |parameter: &Parameter| {
            served.request.other_parameters.is_some()
                && matches!(context.service.shapes.view(parameter.shape).shape.kind, Kind::Unknown(_))
        };
        missing.extend(served.request.parameters.iter().filter(|parameter| {
            !promised.contains_key(&key(served, parameter, any_case))
                && !is_expected(context, parameter)
                && !is_several(parameter)
        }));
    }
    unknown.retain(|(_, parameter)| !is_key(context, parameter));
    // `filter[name]` and `filter.name` are members of a parameter that is an object.
    let objects: FxHashSet<String> = missing.iter().filter_map(|parameter| object_of(&parameter.name)).collect();
    unknown.retain(|(_, parameter)| !objects.contains(&parameter.name));
    let declared_names: FxHashSet<&str> =
        declared.request.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    missing
        .retain(|parameter| object_of(&parameter.name).is_none_or(|object| !declared_names.contains(object.as_str())));
    for (at, parameter) in unknown {
        let folded = folded(&parameter.name);
        let twin = missing
            .iter()
            .position(|twin| twin.place == ParameterPlace::Query && self::folded(&twin.name) == folded)
            .map(|at| missing.remove(at));
        if let Some(twin) = twin {
            out.push(stray(context, CASING, Some(parameter), Some(twin), None));
            continue;
        }
        let deprecated = context.terms.and_then(|terms| terms.parameters.get(at)).is_some_and(|terms| terms.deprecated);
        let at_most = deprecated.then_some(Severity::Info);
        out.push(stray(context, UNKNOWN, Some(parameter), None, at_most));
    }
    for parameter in missing {
        let kind = if parameter.required { MISSING } else { UNDOCUMENTED };
        out.push(stray(context, kind, None, Some(parameter), None));
    }
    out
}

/// What two parameters that are the same have in common: those of the path are known by their position from its end,
/// because a prefix of one side may have parameters as well.
type Key = (ParameterPlace, String);

fn key(operation: &Operation, parameter: &Parameter, any_case: bool) -> Key {
    let name = match parameter.place {
        ParameterPlace::Header => parameter.name.to_ascii_lowercase().replace('_', "-"),
        ParameterPlace::Query => {
            let name = parameter.name.strip_suffix("[]").unwrap_or(&parameter.name);
            if any_case { name.to_lowercase() } else { name.to_owned() }
        }
        ParameterPlace::Cookie => parameter.name.clone(),
        ParameterPlace::Path => {
            let names: Vec<&str> = operation.path.parameters().collect();
            match names.iter().position(|name| *name == parameter.name) {
                Some(at) => format!("{{{}}}", names.len() - at),
                None => parameter.name.clone(),
            }
        }
    };
    (parameter.place, name)
}

/// Whether a contract need not list a parameter that code takes.
fn is_expected(context: Context<'_>, parameter: &Parameter) -> bool {
    match parameter.place {
        // Paths were paired, so it is there.
        ParameterPlace::Path => true,
        ParameterPlace::Header if is_of_every_message(&parameter.name) => true,
        _ => is_key(context, parameter),
    }
}

/// Whether a security scheme of the contract says that a key stands there.
fn is_key(context: Context<'_>, parameter: &Parameter) -> bool {
    context.contract.keys.iter().any(|(place, name)| {
        *place == parameter.place
            && (name == &parameter.name
                || (*place == ParameterPlace::Header && name.eq_ignore_ascii_case(&parameter.name.replace('_', "-"))))
    })
}

/// `filter` of `filter[name]` and `filter.name`.
fn object_of(name: &str) -> Option<String> {
    let end = name.find(['[', '.']).filter(|end| *end > 0)?;
    Some(name[..end].to_owned())
}

/// `userId`, `user_id` and `user-id` are one word.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '[' | ']')).flat_map(char::to_lowercase).collect()
}

/// A parameter that both sides have.
fn both(context: Context<'_>, sent: &Parameter, taken: &Parameter, comparer: &mut Comparer<'_>) -> Vec<Found> {
    let mut out = Vec::new();
    if taken.required && !sent.required && taken.place != ParameterPlace::Path {
        out.push(stray(context, REQUIRED, Some(sent), Some(taken), None));
    }
    let (from, to) = (&context.contract.shapes, &context.service.shapes);
    let (target, found) = parameters::differences(comparer, (from, sent.shape), (to, taken.shape), true);
    let theirs = to.view(target);
    // Alternatives of one text are ways to write the same: `integer or string`.
    let mine = alternatives(from, sent.shape);
    let differs = |sent: &Shape| !is_read_from_text(sent, &theirs.shape);
    if !mine.iter().all(|id| differs(&from.view(*id).shape))
        || (mine.len() > 1 && mine.iter().any(|id| fits_alone(comparer, *id, target)))
    {
        return out;
    }
    let counts = |difference: &&Difference| matches!(difference.kind, DifferenceKind::Type | DifferenceKind::EnumValue);
    out.extend(found.iter().filter(counts).map(|difference| parameter_difference(context, (sent, taken), difference)));
    out
}

/// What a parameter may be, null apart.
fn alternatives(table: &ShapeTable, id: ShapeId) -> Vec<ShapeId> {
    match &table.view(id).shape.kind {
        Kind::Union(union) => {
            let is_null = |id: &&ShapeId| matches!(table.view(**id).shape.kind, Kind::Null);
            union.options.iter().filter(|id| !is_null(id)).copied().collect()
        }
        _ => vec![id],
    }
}

fn fits_alone(comparer: &mut Comparer<'_>, sent: ShapeId, taken: ShapeId) -> bool {
    let breaks = |difference: &Difference| matches!(difference.kind, DifferenceKind::Type | DifferenceKind::EnumValue);
    !comparer.differences(sent, taken).iter().any(breaks)
}

/// Whether every text that is sent for a value can be read as the other: a list as one text, `true` as a boolean.
fn is_read_from_text(sent: &Shape, taken: &Shape) -> bool {
    if is_any_text(taken) {
        return true;
    }
    let texts = |values: &'_ [Literal]| -> Option<Vec<String>> {
        values
            .iter()
            .map(|value| match value {
                Literal::String(text) | Literal::Number(text) => Some(text.clone()),
                Literal::Boolean(value) => Some(value.to_string()),
                Literal::Null | Literal::Other(_) => None,
            })
            .collect()
    };
    let is_boolean = |text: &String| matches!(text.to_ascii_lowercase().as_str(), "true" | "false" | "0" | "1");
    let sent_texts = match (&sent.kind, &sent.values) {
        (Kind::Boolean, None) => Some(vec!["true".to_owned(), "false".to_owned()]),
        (_, Some(values)) => texts(values),
        _ => None,
    };
    let Some(sent_texts) = sent_texts else { return false };
    match (&taken.kind, &taken.values) {
        (_, Some(values)) => texts(values).is_some_and(|taken| sent_texts.iter().all(|text| taken.contains(text))),
        (Kind::Boolean, None) => sent_texts.iter().all(is_boolean),
        (Kind::Integer, None) => sent_texts.iter().all(|text| text.parse::<i128>().is_ok()),
        (Kind::Number | Kind::Numeric, None) => sent_texts.iter().all(|text| text.parse::<f64>().is_ok()),
        _ => false,
    }
}
