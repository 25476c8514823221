//! How pages look, by what their stylesheets declare.

use std::collections::BTreeMap;

use crate::languages::sights::read_styles;
use crate::model::Seen;
use crate::text::FileId;

/// Values that stylesheets declare, the most frequent first, each with how often it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub colours: Vec<(String, usize)>,
    pub fonts: Vec<(String, usize)>,
    pub sizes: Vec<(String, usize)>,
    pub spacing: Vec<(String, usize)>,
    pub corners: Vec<(String, usize)>,
    pub shadows: Vec<(String, usize)>,
    /// Variables (`--accent`) with the first value that each is given, in their order.
    pub variables: Vec<(String, String)>,
}

/// Values of a kind that are told; rarer ones are left out.
const MAX_VALUES: usize = 12;
/// Bytes of a value; one that is longer is no size or colour, and is left out.
const MAX_VALUE: usize = 80;

impl Look {
    /// Of whole stylesheets, CSS or SCSS.
    pub fn of<'s>(sheets: impl IntoIterator<Item = &'s str>) -> Look {
        let mut counts: [BTreeMap<String, usize>; 6] = Default::default();
        let mut variables: Vec<(String, String)> = Vec::new();
        for text in sheets {
            for sight in read_styles(FileId::default(), text) {
                let Seen::Style { property } = sight.what else { continue };
                let value = text.get(sight.span.start as usize..sight.span.end as usize).unwrap_or_default();
                let value = value.trim_end_matches("!important").split_whitespace().collect::<Vec<_>>().join(" ");
                if value.is_empty() || value.len() > MAX_VALUE {
                    continue;
                }
                let mut count = |kind: usize, value: String| *counts[kind].entry(value).or_default() += 1;
                if property.starts_with("--") && !variables.iter().any(|it| it.0 == property) {
                    variables.push((property.clone(), value.clone()));
                }
                colours(&value).for_each(|it| count(0, it));
                let is_known = !value.contains("var(") && !matches!(value.as_str(), "inherit" | "0" | "none" | "auto");
                match property.as_str() {
                    "font-family" if is_known => count(1, value),
                    "font-size" if is_known => count(2, value),
                    "padding" | "margin" | "gap" if is_known => count(3, value),
                    "border-radius" if is_known => count(4, value),
                    "box-shadow" if is_known => count(5, value),
                    _ => {}
                }
            }
        }
        let [colours, fonts, sizes, spacing, corners, shadows] = counts.map(frequent);
        Look { colours, fonts, sizes, spacing, corners, shadows, variables }
    }
}

/// The most frequent first; of equals, in the order of their text.
fn frequent(counts: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|it| std::cmp::Reverse(it.1));
    counts.truncate(MAX_VALUES);
    counts
}

/// Colours in a value: `#rgb` to `#rrggbbaa`, and the functions of CSS Color Module Level 4.
fn colours(value: &str) -> impl Iterator<Item = String> + '_ {
    const FUNCTIONS: [&str; 8] = ["rgb(", "rgba(", "hsl(", "hsla(", "hwb(", "lab(", "oklch(", "oklab("];
    let lower = value.to_ascii_lowercase();
    let mut found = Vec::new();
    for (at, _) in lower.match_indices('#') {
        let digits = lower[at + 1..].bytes().take_while(u8::is_ascii_hexdigit).count();
        if matches!(digits, 3 | 4 | 6 | 8) {
            found.push((at, lower[at..=at + digits].to_owned()));
        }
    }
    for name in FUNCTIONS {
        for (at, _) in lower.match_indices(name) {
            let is_word = lower[..at].chars().next_back().is_none_or(|it| !it.is_ascii_alphanumeric());
            let end = lower[at..].find(')');
            found.extend(end.filter(|_| is_word).map(|end| (at, lower[at..=at + end].to_owned())));
        }
    }
    found.sort();
    found.into_iter().map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_variables_kept() {
        let sheet = ":root { --accent: #0AF; --gap: 8px }
            h1, h2 { font-family: Inter, sans-serif; color: #0af; margin: 0 }
            a { color: rgb(1, 2, 3); padding: 8px 16px; border-radius: 4px }
            b { color: var(--accent); padding: 8px  16px !important }";
        let look = Look::of([sheet]);
        let counted = |of: &[(String, usize)]| of.iter().map(|(it, n)| format!("{it} ×{n}")).collect::<Vec<_>>();
        assert_eq!(counted(&look.colours), ["#0af ×2", "rgb(1, 2, 3) ×1"]);
        assert_eq!(counted(&look.fonts), ["Inter, sans-serif ×1"]);
        assert_eq!(counted(&look.spacing), ["8px 16px ×2"]);
        assert_eq!(counted(&look.corners), ["4px ×1"]);
        assert_eq!(
            look.variables,
            [("--accent".to_owned(), "#0AF".to_owned()), ("--gap".to_owned(), "8px".to_owned())]
        );
    }
}
