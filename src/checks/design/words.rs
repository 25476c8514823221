//! Words that stand for others: what nobody meant to ship.

use super::super::place::report;
use super::{PLACEHOLDER, Seeing};
use crate::finding::Sink;
use crate::model::Seen;
use crate::text::Span;

const PHRASES: &[&str] = &[
    "lorem ipsum",
    "coming soon",
    "under construction",
    "placeholder text",
    "not yet implemented",
    "todo:",
    "tbd",
    "insert text here",
];

pub(super) fn judge(seen: &Seeing<'_>, sink: &mut Sink<'_>) {
    for page in &seen.pages {
        for sight in page.sights.iter().filter(|sight| sight.what == Seen::Text) {
            let text = seen.sources.snippet(sight.span);
            let lower = text.to_ascii_lowercase();
            let Some((at, phrase)) = PHRASES.iter().find_map(|phrase| Some((position(&lower, phrase)?, *phrase)))
            else {
                continue;
            };
            let start = sight.span.start as usize + at;
            let place = Span::new(sight.span.file, start, start + phrase.len());
            let shown = format!("`{}`", &text[at..at + phrase.len()]);
            report(sink, PLACEHOLDER, (place, phrase), &[("value", &shown)], &[]);
        }
    }
}

/// Where a phrase stands as words of its own.
fn position(text: &str, phrase: &str) -> Option<usize> {
    text.match_indices(phrase).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
