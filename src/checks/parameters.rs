//! Parameters as they arrive: everything is text in an address or a header, and a list is a name that is repeated.

use super::shape::{Comparer, Difference, DifferenceKind};
use crate::model::{Kind, Parameter, ParameterPlace, Shape, ShapeId, ShapeTable};

/// ``query parameter `limit` ``
pub(super) fn words(parameter: &Parameter) -> String {
    format!("{} `{}`", place_name(parameter.place), parameter.name)
}

pub(super) fn place_name(place: ParameterPlace) -> &'static str {
    match place {
        ParameterPlace::Path => "path parameter",
        ParameterPlace::Query => "query parameter",
        ParameterPlace::Header => "header",
        ParameterPlace::Cookie => "cookie",
    }
}

/// What is wrong with the values of a parameter that is sent, as one that is taken: `?tag=a` is a list of one where lists
/// are `exploded` to a repeated name, and whatever is sent is text. With the shape that was compared in the end.
pub(super) fn differences(
    comparer: &mut Comparer<'_>,
    (from, sent): (&ShapeTable, ShapeId),
    (to, taken): (&ShapeTable, ShapeId),
    exploded: bool,
) -> (ShapeId, Vec<Difference>) {
    let (before, after) = (from.view(sent), to.view(taken));
    let mut target = taken;
    if let Kind::Array { items: Some(items), .. } = &after.shape.kind
        && is_plain(&before.shape.kind)
        && exploded
        && after.shape.limits.as_ref().is_none_or(|limits| limits.min_items.is_none_or(|least| least <= 1))
    {
        target = *items;
    }
    let any_text = is_any_text(&to.view(target).shape);
    let found = comparer.differences(sent, target);
    let widened = |difference: &Difference| {
        difference.kind == DifferenceKind::Type
            && difference.path.is_empty()
            && any_text
            && is_plain(&before.shape.kind)
    };
    (target, found.iter().filter(|difference| !widened(difference)).cloned().collect())
}

fn is_plain(kind: &Kind) -> bool {
    !matches!(kind, Kind::Array { .. } | Kind::Object(_) | Kind::Any | Kind::Unknown(_))
}

/// Whether any text at all is taken.
pub(super) fn is_any_text(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::String) && shape.format.is_none() && shape.values.is_none()
}
