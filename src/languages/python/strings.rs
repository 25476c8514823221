//! String literals: prefixes, escapes, implicit concatenation, f-strings.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::tree::{Lowering, Place};
use crate::model::program::{Expr, ExprKind};

/// The parts of adjacent literals, which are one string.
#[derive(Default)]
struct Pieces {
    parts: Vec<Expr>,
    /// Literal text since the last part.
    text: String,
    /// Where that text stands.
    start: usize,
    end: usize,
    is_bytes: bool,
}

#[derive(Clone, Copy, Default)]
struct Prefix {
    raw: bool,
    bytes: bool,
    format: bool,
}

impl<'t> Lowering<'t> {
    pub(super) fn string(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let mut pieces = Pieces::default();
        self.add_string(node, &mut pieces);
        self.finish(node, place, pieces)
    }

    pub(super) fn concatenated_string(&mut self, node: Node<'t>, place: Place) -> ExprKind {
        let mut pieces = Pieces::default();
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::String {
                self.add_string(child.node, &mut pieces);
            }
        }
        self.close(opened);
        self.finish(node, place, pieces)
    }

    fn finish(&mut self, node: Node<'t>, place: Place, mut pieces: Pieces) -> ExprKind {
        if pieces.is_bytes {
            return ExprKind::Bytes;
        }
        if pieces.parts.is_empty() {
            let text = pieces.text;
            let as_type = if place == Place::Type { self.forward_reference(&text, self.span(node)) } else { None };
            return ExprKind::Str { text, as_type };
        }
        self.flush(&mut pieces);
        ExprKind::Template(pieces.parts)
    }

    fn flush(&mut self, pieces: &mut Pieces) {
        if !pieces.text.is_empty() {
            let span = self.span_between(pieces.start, pieces.end);
            let text = std::mem::take(&mut pieces.text);
            pieces.parts.push(Expr { span, kind: ExprKind::Str { text, as_type: None } });
        }
    }

    /// Takes the text between quotes and braces rather than the content nodes: for `r'\\'` the grammar has none, and its
    /// end includes the content.
    fn add_string(&mut self, node: Node<'t>, pieces: &mut Pieces) {
        let opened = self.open(node);
        let mut prefix = Prefix::default();
        let mut quotes = 0;
        let mut at = node.start_byte();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::StringStart => {
                    prefix = Prefix::of(self.slice(child.node));
                    pieces.is_bytes |= prefix.bytes;
                    quotes = self.slice(child.node).bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
                    at = child.node.end_byte();
                }
                Kind::Interpolation => {
                    self.add_text(at, child.node.start_byte(), prefix, pieces);
                    at = child.node.end_byte();
                    self.interpolation(child.node, pieces);
                }
                Kind::StringEnd => {
                    self.add_text(at, child.node.end_byte().saturating_sub(quotes), prefix, pieces);
                    at = node.end_byte();
                }
                _ => {}
            }
        }
        self.close(opened);
        // Without an end: what there is of it.
        self.add_text(at, node.end_byte(), prefix, pieces);
    }

    fn add_text(&self, start: usize, end: usize, prefix: Prefix, pieces: &mut Pieces) {
        let Some(source) = self.text.get(start..end).filter(|source| !source.is_empty()) else { return };
        if pieces.text.is_empty() {
            pieces.start = start;
        }
        pieces.end = end;
        decode(source, prefix, &mut pieces.text);
    }

    /// `{value}`, and `{value=}`, which shows its own source.
    fn interpolation(&mut self, node: Node<'t>, pieces: &mut Pieces) {
        let opened = self.open(node);
        let equals =
            self.opened(opened).iter().find(|child| child.kind == Kind::Token && self.slice(child.node) == "=");
        if let Some(end) = equals.map(|equals| equals.node.end_byte()) {
            let verbatim = Prefix { raw: true, ..Prefix::default() };
            self.add_text(node.start_byte() + 1, end, verbatim, pieces);
        }
        self.flush(pieces);
        let value = self.operand(opened, Field::Expression, node, Place::Value);
        self.close(opened);
        pieces.parts.push(value);
    }
}

impl Prefix {
    fn of(start: &str) -> Self {
        let mut prefix = Prefix::default();
        for byte in start.bytes() {
            match byte {
                b'r' | b'R' => prefix.raw = true,
                b'b' | b'B' => prefix.bytes = true,
                b'f' | b'F' => prefix.format = true,
                _ => {}
            }
        }
        prefix
    }
}

/// Appends what the source of a literal stands for.
fn decode(source: &str, prefix: Prefix, out: &mut String) {
    if prefix.bytes {
        return;
    }
    let special: &[char] = match (prefix.raw, prefix.format) {
        (true, true) => &['\r', '{', '}'],
        (true, false) => &['\r'],
        (false, true) => &['\r', '\\', '{', '}'],
        (false, false) => &['\r', '\\'],
    };
    let mut rest = source;
    while let Some(at) = rest.find(special) {
        out.push_str(&rest[..at]);
        let (escape, after) = rest[at..].split_at(1);
        rest = match escape {
            "\\" => unescape(after, out),
            "\r" => {
                out.push('\n');
                after.strip_prefix('\n').unwrap_or(after)
            }
            brace => {
                out.push_str(brace);
                after.strip_prefix(brace).unwrap_or(after)
            }
        };
    }
    out.push_str(rest);
}

/// Decodes the escape after a backslash and returns what follows it. An escape that Python does not know, a named
/// character and half of a surrogate pair stay as they are written.
fn unescape<'a>(source: &'a str, out: &mut String) -> &'a str {
    let mut chars = source.chars();
    let Some(first) = chars.next() else {
        out.push('\\');
        return source;
    };
    let after = chars.as_str();
    let simple = match first {
        '\n' => return after,
        '\r' => return after.strip_prefix('\n').unwrap_or(after),
        '\\' | '\'' | '"' => first,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '0'..='7' => {
            let digits = source.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            return code(source, 0, digits, 8, out);
        }
        'x' => return code(source, 1, 2, 16, out),
        'u' => return code(source, 1, 4, 16, out),
        'U' => return code(source, 1, 8, 16, out),
        _ => {
            out.push('\\');
            return source;
        }
    };
    out.push(simple);
    after
}

/// A character by its number: `digits` digits after `skip` bytes.
fn code<'a>(source: &'a str, skip: usize, digits: usize, radix: u32, out: &mut String) -> &'a str {
    let end = skip + digits;
    let number = source.get(skip..end).filter(|digits| digits.chars().all(|digit| digit.is_digit(radix)));
    let decoded = number.and_then(|digits| u32::from_str_radix(digits, radix).ok()).and_then(char::from_u32);
    if let Some(decoded) = decoded {
        out.push(decoded);
        return &source[end..];
    }
    out.push('\\');
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(source: &str, start: &str) -> String {
        let mut out = String::new();
        decode(source, Prefix::of(start), &mut out);
        out
    }

    #[test]
    fn escapes_are_decoded_as_python_does() {
        for (source, expected) in [
            (r"a\nb\tc\\d\'e\x41\u00e9\U0001F600\101\0", "a\nb\tc\\d'eA\u{e9}\u{1f600}A\0"),
            ("one\\\ntwo\\\r\nthree", "onetwothree"),
            ("one\r\ntwo\rthree", "one\ntwo\nthree"),
            (r"\d+ \N{DASH} \ud83d \xZZ \u12", r"\d+ \N{DASH} \ud83d \xZZ \u12"),
            (r"\1234\8", "S4\\8"),
            (r"\x4é", r"\x4é"),
            ("end\\", "end\\"),
            ("{{}}", "{{}}"),
        ] {
            assert_eq!(decoded(source, "\""), expected, "{source}");
        }
    }

    #[test]
    fn raw_and_format_strings_decode_only_what_theirs_is() {
        assert_eq!(decoded(r"\n{{x}}", "r'"), r"\n{{x}}");
        assert_eq!(decoded(r"\n{{x}}", "Rf'"), r"\n{x}");
        assert_eq!(decoded(r"\n{{x}}", "f'"), "\n{x}");
        assert_eq!(decoded(r"\n", "b'"), "");
    }
}
