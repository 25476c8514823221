//! Names of classes that say what they look like (Tailwind), and spaces in styles.

use super::super::place::report;
use super::colours::hex;
use super::{OFF_GRID, RAW_CLASS_COLOUR, STOCK_BLUE, STOCK_PURPLE, Seeing, is_theme};
use crate::finding::Sink;
use crate::text::Span;

/// What a colour may be of.
const COLOURED: &[&str] = &[
    "bg",
    "text",
    "border",
    "from",
    "via",
    "to",
    "ring",
    "fill",
    "stroke",
    "shadow",
    "outline",
    "divide",
    "accent",
    "caret",
    "decoration",
    "placeholder",
];
/// What a space may be of.
const SPACED: &[&str] = &[
    "p", "px", "py", "pt", "pr", "pb", "pl", "ps", "pe", "m", "mx", "my", "mt", "mr", "mb", "ml", "ms", "me", "gap",
    "gap-x", "gap-y", "space-x", "space-y",
];
/// Spaces off the grid that are usual all the same.
const USUAL: &[f64] = &[0.0, 1.0, 2.0, 6.0, 10.0, 14.0];

pub(super) fn judge(seen: &Seeing<'_>, sink: &mut Sink<'_>) {
    for (page, span, class) in seen.classes() {
        // What stands before the last colon says when the class holds.
        let own = own(class);
        let shown = format!("`{class}`");
        let mut tell = |kind| report(sink, kind, (span, class), &[("value", &shown)], &[]);
        if let Some((of, value)) = bracketed(own) {
            if COLOURED.contains(&of) && !hex(value).is_empty() && !is_theme(&page.path) {
                tell(RAW_CLASS_COLOUR);
            }
            if SPACED.contains(&of) && is_off_grid(value) {
                tell(OFF_GRID);
            }
        } else if let Some((of, colour, shade)) = shaded(own) {
            if matches!(colour, "indigo" | "violet" | "purple") && (400..=700).contains(&shade) {
                tell(STOCK_PURPLE);
            }
            if of == "bg" && matches!(colour, "indigo" | "blue") && matches!(shade, 500 | 600) {
                tell(STOCK_BLUE);
            }
        }
    }
    if sink.wants(OFF_GRID) {
        spaces(seen, sink);
    }
}

fn own(class: &str) -> &str {
    let mut depth = 0;
    let mut start = 0;
    for (at, byte) in class.bytes().enumerate() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth -= 1,
            b':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    class[start..].trim_start_matches(['!', '-'])
}

/// `bg-[#fff]`: of what, and the value.
fn bracketed(class: &str) -> Option<(&str, &str)> {
    let (of, rest) = class.split_once("-[")?;
    let (value, after) = rest.split_once(']')?;
    (after.is_empty() || after.starts_with('/')).then_some((of, value))
}

/// `bg-indigo-500/50`: of what, the colour and its shade.
fn shaded(class: &str) -> Option<(&str, &str, u32)> {
    let class = class.split('/').next().unwrap_or(class);
    let (rest, shade) = class.rsplit_once('-')?;
    let (of, colour) = rest.rsplit_once('-')?;
    let first = of.split('-').next().unwrap_or(of);
    COLOURED.contains(&first).then_some((first, colour, shade.parse().ok()?))
}

/// Whether a text is a number of pixels that is neither on the grid nor usual.
fn is_off_grid(text: &str) -> bool {
    let Some(number) = text.strip_suffix("px").and_then(|it| it.parse::<f64>().ok()) else { return false };
    let size = number.abs();
    size % 4.0 != 0.0 && !USUAL.contains(&size)
}

/// Spaces in declarations.
fn spaces(seen: &Seeing<'_>, sink: &mut Sink<'_>) {
    for (_, property, span, value) in seen.styles() {
        let is_space = ["padding", "margin"].iter().any(|start| property.starts_with(start))
            || matches!(property, "gap" | "row-gap" | "column-gap" | "grid-gap");
        if !is_space || value.contains('(') {
            continue;
        }
        for part in value.split_whitespace() {
            // Numbers in objects are pixels.
            let is_number = part.parse::<f64>().is_ok_and(|number| number != 0.0);
            let text = if is_number { format!("{part}px") } else { part.to_owned() };
            if is_off_grid(&text) {
                let start = span.start as usize + (part.as_ptr() as usize - value.as_ptr() as usize);
                let place = Span::new(span.file, start, start + part.len());
                report(
                    sink,
                    OFF_GRID,
                    (place, &format!("{property} {text}")),
                    &[("value", &format!("`{text}`")), ("property", property)],
                    &[],
                );
            }
        }
    }
}
