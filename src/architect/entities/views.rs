//! Names of what is seen on a screen: a `Notice List`, an `Edit Notice Modal` and an `Add User Button` are about notices and users.

use crate::architect::words;

/// What a screen shows things in.
const VIEWS: &[&str] = &[
    "list", "table", "modal", "form", "view", "page", "screen", "dialog", "card", "cards", "popup", "window", "panel",
    "tab", "grid", "wizard", "drawer", "widget", "button", "row", "rows", "listing", "section", "flow",
];

/// What is said of fields and names no thing.
#[rustfmt::skip]
const SORTS: &[&str] = &[
    "editable", "required", "optional", "mandatory", "basic", "additional", "visible", "main", "input", "form", "displayed", "output",
    "following", "common", "extra", "custom", "standard", "filter", "search", "sort", "read", "readonly", "key", "core", "important",
    "primary", "proposed", "typical", "suggested", "recommended", "expected", "minimum", "minimal", "possible", "initial", "planned",
    "potential", "essential", "relevant", "useful", "current", "sample", "conceptual", "tracked",
];

/// Whether a word in lower case says which fields are meant, and not of what: `editable`.
pub(super) fn is_sort(word: &str) -> bool {
    SORTS.contains(&word)
}

/// The name of the thing that is shown: `Notice` of `Create/Edit Notice Modal`, `Payment` of `Payment Recording Flow`. The name
/// itself where it is no name of a view. None where nothing is left: `Editable`.
pub(super) fn shown(name: &str) -> Option<String> {
    let mut words: Vec<&str> = name.split_whitespace().collect();
    if words.iter().all(|it| is_sort(&it.to_ascii_lowercase())) {
        return None;
    }
    let is_view = |word: &&str| VIEWS.contains(&word.to_ascii_lowercase().as_str());
    let before = words.len();
    while words.len() > 1 && words.last().is_some_and(is_view) {
        words.pop();
    }
    let viewed = words.len() < before;
    let does = |word: &str| {
        let lower = word.to_ascii_lowercase();
        lower.split('/').all(|it| {
            ["new", "add", "manage", "create", "edit"].contains(&it)
                || words::verb(it).is_some_and(|(base, _)| base == it) && !words::is_noun_too(it)
        })
    };
    while words.len() > 1 && words.first().is_some_and(|it| does(it)) && (viewed || words.len() == 2) {
        words.remove(0);
    }
    let nominal = |word: &&str| words::deed_of(&word.to_ascii_lowercase()).is_some();
    if viewed && words.len() > 1 && words.last().is_some_and(|it| nominal(it) || it.eq_ignore_ascii_case("history")) {
        words.pop();
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn views_show_things() {
        let named = |name: &str| shown(name).unwrap_or_default();
        assert_eq!(named("Create/Edit Notice Modal"), "Notice");
        assert_eq!(named("Payment Recording Flow"), "Payment");
        assert_eq!(named("Payment History Table"), "Payment");
        assert_eq!(named("Add User Button"), "User");
        assert_eq!(named("Price List"), "Price");
        assert_eq!(named("Order Item"), "Order Item");
        assert_eq!(named("Editable"), "");
    }
}
