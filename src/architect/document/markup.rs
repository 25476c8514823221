//! Markup that the reader of Markdown passes over: lists of definitions, and HTML that only lays a text out.

use std::borrow::Cow;

/// Longer lines are no terms, in words.
const TERM: usize = 8;

/// Lists of definitions (`Loan`, and `: what a member takes home` on the next line) as items, each with its term in bold.
pub(super) fn with_definitions(text: &str) -> Cow<'_, str> {
    let defines = |line: &str| line.strip_prefix(':').is_some_and(|rest| rest.starts_with([' ', '\t']));
    if !text.lines().any(defines) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_term = |line: &str| {
        !line.trim().is_empty()
            && line.split_whitespace().count() <= TERM
            && line.starts_with(|c: char| c.is_alphanumeric() || "`*_".contains(c))
    };
    let mut result = String::with_capacity(text.len() + 64);
    let mut fenced = false;
    let mut term = None;
    for (at, line) in lines.iter().enumerate() {
        fenced ^= ["```", "~~~"].iter().any(|it| line.trim_start().starts_with(it));
        let next = lines.get(at + 1).copied().unwrap_or("");
        if !fenced && is_term(line) && defines(next) {
            // The term moves down to what is said of it, so that lines stay where they are.
            term = Some(line.trim());
        } else if let Some(name) = term.take() {
            let said = line[1..].trim();
            let marked = name.starts_with(['`', '*']);
            let bold = if marked { "" } else { "**" };
            for part in ["- ", bold, name, bold, ": ", said] {
                result.push_str(part);
            }
        } else {
            result.push_str(line);
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// Tags that lay out what stands in them.
const LAYOUT: &[&str] = &[
    "details", "summary", "div", "p", "center", "h1", "h2", "h3", "h4", "h5", "h6", "/details", "/summary", "/div",
    "/p",
];

/// Lines that begin with a tag of HTML that lays the text out, without tags: what is set as code stays code, and headings stay headings.
/// A block of HTML would be passed over with the text in it.
pub(super) fn without_layout(text: &str) -> Cow<'_, str> {
    let lays_out = |line: &str| {
        line.trim_start().strip_prefix('<').is_some_and(|rest| {
            let name = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '/')).next().unwrap_or("");
            LAYOUT.contains(&name.to_ascii_lowercase().as_str())
        })
    };
    if !text.lines().any(lays_out) {
        return Cow::Borrowed(text);
    }
    let mut fenced = false;
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        fenced ^= ["```", "~~~"].iter().any(|it| line.trim_start().starts_with(it));
        if !fenced && lays_out(line) {
            result.push_str(untagged(line).trim());
        } else {
            result.push_str(line);
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// A line without its tags.
fn untagged(line: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, tagged)) = rest.split_once('<') {
        result.push_str(before);
        let Some((tag, after)) = tagged.split_once('>') else {
            result.push('<');
            rest = tagged;
            break;
        };
        let tag = tag.to_ascii_lowercase();
        match tag.split_whitespace().next().unwrap_or("") {
            "code" | "/code" => result.push('`'),
            heading if heading.len() == 2 && heading.starts_with('h') && heading != "hr" => {
                let level = heading[1..].parse().unwrap_or(6).clamp(1, 6);
                result.push_str(&"#".repeat(level));
                result.push(' ');
            }
            _ => {}
        }
        rest = after;
    }
    result.push_str(rest);
    result
}
