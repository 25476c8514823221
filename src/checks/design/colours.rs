//! Colours that are written as numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::super::place::report;
use super::{NAMED_COLOUR, RAW_COLOUR, Seeing, is_theme};
use crate::finding::Sink;
use crate::text::Span;

/// Properties whose values are colours.
fn is_coloured(property: &str) -> bool {
    property.ends_with("color")
        || matches!(
            property,
            "background"
                | "border"
                | "outline"
                | "box-shadow"
                | "text-shadow"
                | "border-top"
                | "border-right"
                | "border-bottom"
                | "border-left"
        )
}

/// Whether a declaration gives a value a name: custom properties of CSS, variables of SCSS.
fn names_it(property: &str) -> bool {
    property.starts_with("--") || property.starts_with('$')
}

pub(super) fn judge(seen: &Seeing<'_>, sink: &mut Sink<'_>) {
    // Names of colours by what they stand for, of each package: what another one declares is not to be had.
    let mut tokens: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for (page, property, _, value) in seen.styles().filter(|(_, property, _, _)| names_it(property)) {
        let value = value.trim();
        if let Some((0, colour)) = hex(value).into_iter().next()
            && colour.len() == value.trim_end_matches("!default").trim_end().len()
        {
            tokens.entry((seen.package(&page.path), plain(colour))).or_insert(property);
        }
    }
    let named: BTreeSet<&str> = tokens.keys().map(|(package, _)| *package).collect();
    for (page, property, span, value) in seen.styles() {
        if names_it(property) || !is_coloured(property) || is_theme(&page.path) {
            continue;
        }
        // Where nothing has a name there is none to use.
        let package = seen.package(&page.path);
        if !named.contains(package) {
            continue;
        }
        for (at, colour) in hex(value) {
            let start = span.start as usize + at;
            let place = Span::new(span.file, start, start + colour.len());
            let (shown, named) = (format!("`{colour}`"), format!("`{property}`"));
            let token = tokens
                .get(&(package, plain(colour)))
                .map(|name| if name.starts_with('$') { format!("`{name}`") } else { format!("`var({name})`") });
            let kind = if token.is_some() { NAMED_COLOUR } else { RAW_COLOUR };
            let token = token.unwrap_or_default();
            let values = [("value", shown.as_str()), ("property", &named), ("token", &token)];
            report(sink, kind, (place, &format!("{property} {colour}")), &values, &[]);
        }
    }
}

/// Colours in hexadecimal with their offsets: three, four, six or eight digits, as no part of a longer word or an address.
pub(super) fn hex(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('#') {
        // What stands behind a name holds only where nobody gives the name a value.
        if is_fallback(&text[..at]) {
            continue;
        }
        let rest = &text[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let goes_on = rest[digits..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '{'));
        let before = text[..at].chars().next_back();
        let is_address = text[..at].rsplit('(').next().is_some_and(|it| it.contains(['/', '"', '\'']))
            && text[..at].contains("url(");
        let is_word = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '&' | '.' | '"' | '\''));
        if matches!(digits, 3 | 4 | 6 | 8) && !goes_on && !is_word && !is_address {
            found.push((at, &text[at..=at + digits]));
        }
    }
    found
}

/// Whether a text ends within `var(`.
fn is_fallback(before: &str) -> bool {
    let Some(at) = before.rfind("var(") else { return false };
    let depth = before[at + 4..].chars().fold(1_i32, |depth, c| match c {
        '(' => depth + 1,
        ')' => depth - 1,
        _ => depth,
    });
    depth > 0
}

/// One spelling of a colour: six or eight digits in lower case.
fn plain(colour: &str) -> String {
    let digits = colour.trim_start_matches('#').to_ascii_lowercase();
    if digits.len() > 4 { digits } else { digits.chars().flat_map(|digit| [digit, digit]).collect() }
}
