//! The one place where foreign text is made harmless: what comes from sources, contracts, paths and configuration must
//! not reach a terminal or a build log as a control sequence, a reordering of text, or a workflow command.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text for one line of output: control characters (line breaks and tabs included), bidirectional overrides and
/// invisible characters become visible escapes such as `\x1b` and `\u{202e}`; what a build log would take for a
/// command (`::error …`, `##[error]…`) is broken up.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_hidden) || text.contains("::") || text.contains("##") {
        Cow::Owned(escape(text, Place::Message, |_, _| {}))
    } else {
        Cow::Borrowed(text)
    }
}

/// A piece of a source line as it is shown behind a gutter. Tabs stay. Also gives, for every byte of `text` where a
/// character starts, and for its end, the offset in the result.
pub(crate) fn visible_source(text: &str) -> (String, Vec<usize>) {
    let mut offsets = vec![0; text.len() + 1];
    let shown = escape(text, Place::Source, |from, to| offsets[from] = to);
    offsets[text.len()] = shown.len();
    for at in (0..text.len()).rev() {
        if !text.is_char_boundary(at) {
            offsets[at] = offsets[at + 1];
        }
    }
    (shown, offsets)
}

/// Lines of source text, with their ends as they are.
pub fn visible_lines(text: &str) -> String {
    let line = |line: &str| {
        let end = line.len() - line.trim_end_matches(['\n', '\r']).len();
        let (text, end) = line.split_at(line.len() - end);
        visible_source(text).0 + end
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Characters that a reader does not see, or that move other characters.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Message,
    Source,
}

fn escape(text: &str, place: Place, mut at_offset: impl FnMut(usize, usize)) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = None;
    for (at, c) in text.char_indices() {
        at_offset(at, out.len());
        let rest = &text[at + c.len_utf8()..];
        match c {
            '\t' if place == Place::Source => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => push_escape(&mut out, c),
            // `##[command]` counts anywhere in a line of a build log.
            '#' if before == Some('#') && (rest.starts_with('[') || rest.starts_with("vso[")) => {
                push_escape(&mut out, c);
            }
            // `::command::` counts at the start of a line, and long messages are wrapped at white space.
            ':' if place == Place::Message && rest.starts_with(':') && before.is_none_or(char::is_whitespace) => {
                push_escape(&mut out, c);
            }
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

fn push_escape(out: &mut String, c: char) {
    let code = u32::from(c);
    if code < 0x80 {
        write!(out, "\\x{code:02x}").expect("a string takes any text");
    } else {
        write!(out, "\\u{{{code:x}}}").expect("a string takes any text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_left_alone() {
        for text in ["", "`GET /users/{id}` größer 世界 🙂 ❤\u{fe0f}", "a::b", "## heading", "std::fmt: x"] {
            assert_eq!(visible(text), text);
            assert!(matches!(visible(text), Cow::Borrowed(_)) || text.contains("::") || text.contains("##"));
        }
    }

    #[test]
    fn terminal_escapes_and_reordering_become_visible() {
        assert_eq!(visible("a\x1b[31mred\x07"), "a\\x1b[31mred\\x07");
        assert_eq!(visible("\u{9b}31m"), "\\u{9b}31m");
        assert_eq!(visible("user\u{202e}nimda"), "user\\u{202e}nimda");
        assert_eq!(visible("one\r\ntwo\tthree"), "one\\r\\ntwo\\tthree");
    }

    #[test]
    fn workflow_commands_are_broken_up() {
        assert_eq!(visible("::error::x"), "\\x3a:error::x");
        assert_eq!(visible("field ::set-output name=a::b"), "field \\x3a:set-output name=a::b");
        assert_eq!(visible("a ##[add-path]b ##vso[task.x]"), "a #\\x23[add-path]b #\\x23vso[task.x]");
        assert_eq!(visible("####[group]"), "###\\x23[group]");
    }

    #[test]
    fn source_text_keeps_its_tabs_and_maps_offsets() {
        let (shown, offsets) = visible_source("\tü\x1b=1");
        assert_eq!(shown, "\tü\\x1b=1");
        assert_eq!(offsets[0], 0);
        assert_eq!(offsets[1], 1, "start of ü");
        assert_eq!(offsets[3], 3, "start of the escape");
        assert_eq!(offsets[4], 7, "after the escape");
        assert_eq!(offsets[6], shown.len());
    }
}
