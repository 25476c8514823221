//! Fonts that a page has when nobody chose one.

use super::super::place::report;
use super::{STOCK_FONT, STOCK_THEME_FONT, Seeing, is_theme};
use crate::finding::Sink;
use crate::text::Span;

const STOCK: &[&str] = &["inter", "roboto", "arial", "helvetica", "system-ui", "helvetica neue"];

pub(super) fn judge(seen: &Seeing<'_>, sink: &mut Sink<'_>) {
    for (page, property, span, value) in seen.styles() {
        let is_font = property == "font-family"
            || (property.contains("font") && (property.starts_with("--") || property.starts_with('$')));
        if !is_font {
            continue;
        }
        // The first is the one that is wanted; the others stand in for it.
        let first = value.split(',').next().unwrap_or("");
        let name = first.trim().trim_matches(['"', '\'']);
        if !STOCK.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            continue;
        }
        let start = span.start as usize + (name.as_ptr() as usize - value.as_ptr() as usize);
        let place = Span::new(span.file, start, start + name.len());
        let shown = format!("`{name}`");
        let kind = if is_theme(&page.path) { STOCK_THEME_FONT } else { STOCK_FONT };
        report(sink, kind, (place, &format!("{property} {name}")), &[("value", &shown)], &[]);
        if kind == STOCK_THEME_FONT {
            report(sink, STOCK_FONT, (place, &format!("{property} {name}")), &[("value", &shown)], &[]);
        }
    }
}
