//! What a type lets through, as attributes of `System.ComponentModel.DataAnnotations` and of our own.

use super::text;
use crate::scaffold::formats;
use crate::scaffold::types::{Bounds, List, Text};

pub(super) fn limits(bounds: &Bounds, is_whole: bool) -> Vec<String> {
    let mut checks = Vec::new();
    let number =
        |it: &Option<String>| it.as_deref().and_then(|it| it.parse::<f64>().ok().filter(|it| it.is_finite())).is_some();
    let least = bounds.least.as_ref().filter(|_| number(&bounds.least)).map(|it| (it, false));
    let least = least.or(bounds.above.as_ref().filter(|_| number(&bounds.above)).map(|it| (it, true)));
    let most = bounds.most.as_ref().filter(|_| number(&bounds.most)).map(|it| (it, false));
    let most = most.or(bounds.below.as_ref().filter(|_| number(&bounds.below)).map(|it| (it, true)));
    // The type says so already.
    let is_type = |it: &Option<(&String, bool)>, end: [&str; 2]| it.is_some_and(|(it, _)| end.contains(&it.as_str()));
    let is_bare = is_whole
        && is_type(&least, ["-2147483648", "-9223372036854775808"])
        && is_type(&most, ["2147483647", "9223372036854775807"]);
    if (least.is_some() || most.is_some()) && !is_bare {
        let is_small = |it: &Option<(&String, bool)>| it.is_none_or(|(it, _)| it.parse::<i32>().is_ok());
        let (from, to) = if is_whole && is_small(&least) && is_small(&most) && least.is_some() && most.is_some() {
            (least.map_or(String::new(), |it| it.0.clone()), most.map_or(String::new(), |it| it.0.clone()))
        } else {
            let spelled = |it: &String| if it.contains(['.', 'e', 'E']) { it.clone() } else { format!("{it}.0") };
            let from = least.map_or_else(|| "double.MinValue".to_owned(), |it| spelled(it.0));
            (from, most.map_or_else(|| "double.MaxValue".to_owned(), |it| spelled(it.0)))
        };
        let mut check = format!("Range({from}, {to}");
        if least.is_some_and(|it| it.1) {
            check += ", MinimumIsExclusive = true";
        }
        if most.is_some_and(|it| it.1) {
            check += ", MaximumIsExclusive = true";
        }
        checks.push(format!("{check})"));
    }
    if let Some(step) = bounds.step.as_ref().filter(|it| it.parse::<f64>().is_ok_and(|it| it > 0.0)) {
        checks.push(format!("MultipleOf({step})"));
    }
    checks
}

pub(super) fn of_length(it: &Text) -> Vec<String> {
    let mut checks = Vec::new();
    let int = |it: u64| i32::try_from(it).unwrap_or(i32::MAX);
    match (it.least.filter(|it| *it > 0).map(int), it.most.map(int)) {
        (Some(least), Some(most)) => checks.push(format!("StringLength({most}, MinimumLength = {least})")),
        (None, Some(most)) => checks.push(format!("StringLength({most})")),
        (Some(least), None) => checks.push(format!("MinLength({least})")),
        (None, None) => {}
    }
    if let Some(pattern) = &it.pattern {
        checks.push(format!("Pattern({})", text(&anchored(pattern))));
    } else if let Some(format) = formats::of(it) {
        checks.push(format!("Pattern(Formats.{})", format.name));
    }
    checks
}

/// `$` of .NET lets a line end follow.
pub(in crate::scaffold) fn anchored(pattern: &str) -> String {
    match pattern.strip_suffix('$') {
        Some(before) if before.chars().rev().take_while(|c| *c == '\\').count() % 2 == 0 => format!("{before}\\z"),
        _ => pattern.to_owned(),
    }
}

pub(super) fn of_list(List { least, most, unique, .. }: &List) -> Vec<String> {
    let int = |it: u64| i32::try_from(it).unwrap_or(i32::MAX);
    let mut checks: Vec<String> = Vec::new();
    checks.extend(least.filter(|it| *it > 0).map(|it| format!("MinLength({})", int(it))));
    checks.extend(most.map(|it| format!("MaxLength({})", int(it))));
    if *unique {
        checks.push("UniqueItems".to_owned());
    }
    checks
}
