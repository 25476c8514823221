//! Two documents: what each states beyond type and members, and which of it the other does not keep.

use super::members::fits;
use super::{Comparer, DifferenceKind, Direction, Place, Seen, Step, Walk, describe};
use crate::checks::stability::{stability_decreased, sunset};
use crate::model::{Additional, Kind, Limits, Object, Shape, ShapeId};

impl Comparer<'_> {
    /// Whether the type of one plain value is the other's; of two documents, the format too.
    pub(super) fn suits(&self, sent: &Shape, promised: &Shape) -> bool {
        fits(sent, promised) && (!self.documents || format_fits(sent, promised))
    }

    /// Bounds, patterns, defaults and the keywords that are kept as they are written.
    pub(super) fn constraints(
        &mut self,
        (sent, mine): (ShapeId, &Shape),
        (promised, theirs): (ShapeId, &Shape),
        place: Place,
        walk: &mut Walk,
    ) {
        let nothing = Limits::default();
        let own = mine.limits.as_deref().unwrap_or(&nothing);
        let other = theirs.limits.as_deref().unwrap_or(&nothing);
        let shapes = (Some(sent), Some(promised));
        let mut beyond = bounds(own, other);
        if !beyond.is_empty() {
            // Moved bounds say more than new ones.
            if beyond.iter().any(|bound| bound.was.is_some()) {
                beyond.retain(|bound| bound.was.is_some());
            }
            let expected: Vec<String> = beyond.iter().map(|bound| format!("`{}: {}`", bound.name, bound.is)).collect();
            let actual: Vec<String> =
                beyond.iter().filter_map(|bound| Some(format!("`{}: {}`", bound.name, bound.was.as_ref()?))).collect();
            walk.note(DifferenceKind::Limit, shapes, place, (expected.join(", "), actual.join(", ")));
        }
        if let Some(pattern) = &other.pattern
            && own.pattern.as_ref() != Some(pattern)
            && !matches!(pattern.as_str(), "" | ".*" | "^.*$")
        {
            let was = own.pattern.as_ref().map_or_else(String::new, |pattern| format!("`{pattern}`"));
            walk.note(DifferenceKind::Pattern, shapes, place, (format!("`{pattern}`"), was));
        }
        if own.default != other.default {
            let words = |limits: &Limits| limits.default.as_ref().map_or_else(String::new, ToString::to_string);
            walk.note(DifferenceKind::Default, shapes, place, (words(other), words(own)));
        }
        let mut broken: Vec<(&str, &str)> = other
            .keywords
            .iter()
            .filter(|(name, value)| {
                let was = own.keywords.binary_search_by(|(known, _)| known.cmp(name)).ok();
                if matches!(*name, STABILITY | SUNSET | DISCRIMINATOR) {
                    return false;
                }
                // An open set of values tells a consumer nothing about what else may come.
                let tells = *name != "x-extensible-enum" || self.direction == Direction::Request;
                tells && !keeps(name, was.map(|at| own.keywords[at].1.as_str()), value)
            })
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let level = |limits| keyword(limits, STABILITY).map(|level| level.trim_matches('"').to_owned());
        let (own_level, other_level) = (level(own), level(other));
        let (before, after) = match self.direction {
            Direction::Request => (&own_level, &other_level),
            Direction::Response => (&other_level, &own_level),
        };
        if before != after && stability_decreased(before.as_deref(), after.as_deref()) {
            broken.push((STABILITY, other_level.as_deref().unwrap_or("")));
        }
        self.deprecation((sent, mine), (promised, theirs), place, walk);
        self.mapping((sent, own), (promised, other), place, walk);
        if !broken.is_empty() {
            let was: Vec<String> = own
                .keywords
                .iter()
                .filter(|(name, _)| broken.iter().any(|(other, _)| other == name))
                .map(|(name, value)| format!("`{name}: {}`", shortened(value)))
                .collect();
            let is: Vec<String> =
                broken.iter().map(|(name, value)| format!("`{name}: {}`", shortened(value))).collect();
            walk.note(DifferenceKind::Constraint, shapes, place, (is.join(", "), was.join(", ")));
        }
        if let (Kind::Array { prefix, items }, Kind::Array { prefix: promised_prefix, .. }) = (&mine.kind, &theirs.kind)
            && promised_prefix.len() > prefix.len()
        {
            // What stood under `items`, or anything, may be sent where the consumer has an element of its own.
            walk.steps.push(Step::Items);
            for target in &promised_prefix[prefix.len()..] {
                if let Some(items) = items {
                    self.value(*items, *target, place, walk);
                } else {
                    let words = (describe(self.consumer.table, *target), "any value".to_owned());
                    walk.note(DifferenceKind::Type, (None, Some(*target)), place, words);
                }
            }
            walk.steps.pop();
        }
    }

    /// Whether the newer document calls a value deprecated that the older one did not, and what it says of its end.
    fn deprecation(
        &mut self,
        (sent, mine): (ShapeId, &Shape),
        (promised, theirs): (ShapeId, &Shape),
        place: Place,
        walk: &mut Walk,
    ) {
        let (old, new) = match self.direction {
            Direction::Request => (mine, theirs),
            Direction::Response => (theirs, mine),
        };
        let end = |shape: &Shape| {
            let found = keyword(shape.limits.as_deref()?, SUNSET)?;
            Some(found.trim_matches('"').to_owned())
        };
        let (was, is) = (end(old), end(new));
        let words = |was: String, is: String| match self.direction {
            Direction::Request => (is, was),
            Direction::Response => (was, is),
        };
        let shapes = (Some(sent), Some(promised));
        if let Some((was, is)) = sunset((old.deprecated, was.as_deref()), (new.deprecated, is.as_deref())) {
            walk.note(DifferenceKind::Sunset, shapes, place, words(was, is));
        }
        if new.deprecated && !old.deprecated {
            let ends = words(was.unwrap_or_default(), is.unwrap_or_default());
            walk.note(DifferenceKind::Deprecated, shapes, place, ends);
        }
    }

    /// Values of a discriminator that the producer names and the consumer does not, or that lead to another alternative.
    fn mapping(
        &mut self,
        (sent, own): (ShapeId, &Limits),
        (promised, other): (ShapeId, &Limits),
        place: Place,
        walk: &mut Walk,
    ) {
        let entries = |limits| {
            let found = serde_json::from_str::<serde_json::Value>(keyword(limits, DISCRIMINATOR)?).ok()?;
            found.get("mapping")?.as_object().cloned()
        };
        let (Some(was), Some(is)) = (entries(own), entries(other)) else { return };
        let only = |these: &serde_json::Map<String, serde_json::Value>, those: &serde_json::Map<_, _>| {
            let own = these.iter().filter(|(key, to)| those.get(*key) != Some(to));
            own.filter_map(|(key, to)| Some(format!("`{key}` for `{}`", to.as_str()?))).collect::<Vec<_>>()
        };
        let (gone, new) = (only(&was, &is), only(&is, &was));
        if !gone.is_empty() {
            let words = |list: Vec<String>| if list.is_empty() { "other values".to_owned() } else { list.join(", ") };
            let words = (words(new), words(gone));
            walk.note(DifferenceKind::Discriminator, (Some(sent), Some(promised)), place, words);
        }
    }

    /// Members that neither side names.
    pub(super) fn further(
        &mut self,
        (own, mine): (&Object, &Seen<'_>),
        (other, theirs): (&Object, &Seen<'_>),
        walk: &mut Walk,
    ) {
        match (&own.additional, &other.additional) {
            (Additional::Of(value), Additional::Of(target)) => {
                walk.steps.push(Step::Values);
                self.value(*value, *target, Place::default(), walk);
                walk.steps.pop();
            }
            (Additional::Open | Additional::Of(_), Additional::Closed) => {
                let words = ("no further members".to_owned(), "further members".to_owned());
                let place = Place { producer: mine.shape.span, consumer: theirs.shape.span };
                walk.note(DifferenceKind::Closed, (Some(mine.id), Some(theirs.id)), place, words);
            }
            _ => {}
        }
    }
}

/// How settled a member is: no constraint of its values.
const STABILITY: &str = "x-stability-level";
/// Until when what is deprecated stays.
const SUNSET: &str = "x-sunset";
/// What tells alternatives apart, with the values that stand for each.
const DISCRIMINATOR: &str = "discriminator";

/// A keyword that is kept as it is written.
fn keyword<'l>(limits: &'l Limits, name: &str) -> Option<&'l str> {
    limits.keywords.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

/// Long values are not quoted whole.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 60;
    if value.chars().count() <= LONGEST {
        return value.to_owned();
    }
    value.chars().take(LONGEST).chain(std::iter::once('…')).collect()
}

/// Whether every value of one format is of the other.
fn format_fits(sent: &Shape, promised: &Shape) -> bool {
    let Some(promised_format) = promised.format.as_deref() else { return true };
    if matches!(promised.kind, Kind::Any | Kind::Unknown(_)) || sent.format.as_deref() == Some(promised_format) {
        return true;
    }
    match (&sent.kind, sent.format.as_deref(), promised_format) {
        (Kind::Integer, Some("int32"), "int64") | (_, Some("float"), "double") => true,
        // Whole numbers are written alike whatever the format of numbers is.
        (Kind::Integer, _, "float" | "double" | "decimal") => true,
        _ => false,
    }
}

/// A bound of the consumer that the producer does not keep.
struct Bound {
    name: &'static str,
    is: String,
    was: Option<String>,
}

fn bounds(own: &Limits, other: &Limits) -> Vec<Bound> {
    let mut out = Vec::new();
    for upper in [false, true] {
        let (was, is) = (range_end(own, upper), range_end(other, upper));
        if let Some(is) = is
            && was.as_ref().is_none_or(|was| is.is_tighter(was, upper))
        {
            out.push(Bound { name: is.name, is: is.text, was: was.map(|was| was.text) });
        }
    }
    let count = |name: &'static str, was: Option<u64>, is: Option<u64>, upper: bool| {
        // At least none is no bound.
        let is = is.filter(|is| upper || *is > 0)?;
        let was = if name == "minLength" { was.or(Some(0)) } else { was };
        let tighter = was.is_none_or(|was| if upper { is < was } else { is > was });
        tighter.then(|| Bound { name, is: is.to_string(), was: was.map(|was| was.to_string()) })
    };
    out.extend(count("minLength", own.min_length, other.min_length, false));
    out.extend(count("maxLength", own.max_length, other.max_length, true));
    out.extend(count("minItems", own.min_items, other.min_items, false));
    out.extend(count("maxItems", own.max_items, other.max_items, true));
    out.extend(count("minProperties", own.min_properties, other.min_properties, false));
    out.extend(count("maxProperties", own.max_properties, other.max_properties, true));
    if other.unique_items && !own.unique_items {
        out.push(Bound { name: "uniqueItems", is: "true".to_owned(), was: None });
    }
    if let Some(step) = &other.multiple_of
        && !own.multiple_of.as_ref().is_some_and(|own| is_multiple(own, step))
    {
        out.push(Bound { name: "multipleOf", is: step.clone(), was: own.multiple_of.clone() });
    }
    out
}

/// One end of a range of numbers.
struct End {
    name: &'static str,
    text: String,
    value: f64,
    excluded: bool,
}

impl End {
    fn is_tighter(&self, than: &End, upper: bool) -> bool {
        if self.text == than.text || self.value.partial_cmp(&than.value).is_some_and(std::cmp::Ordering::is_eq) {
            return self.excluded && !than.excluded;
        }
        if upper { self.value < than.value } else { self.value > than.value }
    }
}

/// The bound that counts, of the two that may be stated.
fn range_end(limits: &Limits, upper: bool) -> Option<End> {
    let (name, stated, excluded_name, excluding) = if upper {
        ("maximum", &limits.maximum, "exclusiveMaximum", &limits.exclusive_maximum)
    } else {
        ("minimum", &limits.minimum, "exclusiveMinimum", &limits.exclusive_minimum)
    };
    let end = |name, text: &Option<String>, excluded| {
        let text = text.clone()?;
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite())?;
        Some(End { name, text, value, excluded })
    };
    match (end(name, stated, false), end(excluded_name, excluding, true)) {
        (Some(one), Some(two)) => Some(if two.is_tighter(&one, upper) { two } else { one }),
        (one, two) => one.or(two),
    }
}

/// Whether whatever is a multiple of one number is one of the other.
fn is_multiple(of: &str, step: &str) -> bool {
    match (of.parse::<f64>(), step.parse::<f64>()) {
        _ if of == step => true,
        (Ok(of), Ok(step)) if step != 0.0 => (of / step).fract() == 0.0,
        _ => false,
    }
}

/// Whether what the producer states of a keyword keeps what the consumer states of it.
fn keeps(name: &str, was: Option<&str>, is: &str) -> bool {
    if was == Some(is) {
        return true;
    }
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<f64>().ok());
    match name {
        // Without `contains` they hold of everything; with it the least is one.
        "minContains" => number(Some(is)) <= number(was).or(Some(1.0)),
        "maxContains" => number(was).is_some_and(|was| Some(was) <= number(Some(is))),
        "unevaluatedItems" | "unevaluatedProperties" if is == "true" => true,
        "dependentRequired" | "dependentSchemas" | "patternProperties" => {
            let entries = |text: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).ok();
            match (was.and_then(entries), entries(is)) {
                (Some(was), Some(is)) => is.iter().all(|(key, value)| was.get(key) == Some(value)),
                (None, Some(is)) => is.is_empty(),
                _ => false,
            }
        }
        "x-extensible-enum" => {
            let values = |text: &str| serde_json::from_str::<Vec<serde_json::Value>>(text).ok();
            match (was.and_then(values), values(is)) {
                (Some(was), Some(is)) => was.iter().all(|value| is.contains(value)),
                // Such a set is open: stating it rules nothing out.
                _ => true,
            }
        }
        _ => false,
    }
}
