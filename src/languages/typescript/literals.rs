//! Numbers, strings and templates.

use tree_sitter::Node;

use super::kinds::{Kind, Lowering};
use crate::model::program::{Expr, ExprKind};

impl<'t> Lowering<'t> {
    /// What a string stands for.
    pub(super) fn string_text(&self, node: Node<'t>) -> String {
        let source = self.slice(node);
        let quote = source.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let inner = quote.map_or(source, |quote| {
            let inner = &source[1..];
            inner.strip_suffix(quote).unwrap_or(inner)
        });
        let mut text = String::with_capacity(inner.len());
        decode(inner, &mut text);
        text
    }

    /// `` `a${b}c` ``; without a substitution it is a string.
    pub(super) fn template(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut parts = Vec::new();
        let mut at = node.start_byte() + 1;
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::TemplateSubstitution {
                continue;
            }
            self.literal_part(at, child.node.start_byte(), &mut parts);
            at = child.node.end_byte();
            let inner = self.first_part(child.node);
            parts.push(self.part(inner, child.node));
        }
        self.close(opened);
        let end = node.end_byte();
        let end = if self.text.get(at..end).is_some_and(|rest| rest.ends_with('`')) { end - 1 } else { end };
        if parts.is_empty() {
            let mut text = String::new();
            decode(self.text.get(at..end).unwrap_or(""), &mut text);
            return ExprKind::Str { text, as_type: None };
        }
        self.literal_part(at, end, &mut parts);
        ExprKind::Template(parts)
    }

    fn literal_part(&self, start: usize, end: usize, parts: &mut Vec<Expr>) {
        let Some(source) = self.text.get(start..end).filter(|source| !source.is_empty()) else { return };
        let mut text = String::new();
        decode(source, &mut text);
        parts.push(Expr { span: self.span_between(start, end), kind: ExprKind::Str { text, as_type: None } });
    }
}

/// `1_000`, `0xff`, `017`, `1.5e3`, `10n`; what 64 bits do not hold is a float, as the language has it.
pub(super) fn number(source: &str) -> ExprKind {
    if source.is_empty() {
        return ExprKind::Other("unreadable syntax");
    }
    let digits: String = source.chars().filter(|char| *char != '_').collect();
    let big = digits.ends_with('n');
    let digits = digits.trim_end_matches('n');
    let (radix, whole) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0o" | "0O") => (8, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ if digits.len() > 1
            && digits.starts_with('0')
            && digits.bytes().all(|digit| matches!(digit, b'0'..=b'7')) =>
        {
            (8, &digits[1..])
        }
        _ => (10, digits),
    };
    if let Ok(value) = i64::from_str_radix(whole, radix) {
        return ExprKind::Int(value);
    }
    match digits.parse() {
        Ok(value) if !big && radix == 10 => ExprKind::Float(value),
        _ => ExprKind::Other("large integer"),
    }
}

/// Appends what the source between quotes stands for.
fn decode(source: &str, out: &mut String) {
    let mut rest = source;
    while let Some(at) = rest.find(['\\', '\r']) {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        rest = if rest.as_bytes()[at] == b'\r' {
            // A line break in a template is one character.
            out.push('\n');
            after.strip_prefix('\n').unwrap_or(after)
        } else {
            unescape(after, out)
        };
    }
    out.push_str(rest);
}

/// Reads one escape after its backslash; the rest follows.
fn unescape<'s>(after: &'s str, out: &mut String) -> &'s str {
    let mut chars = after.chars();
    let Some(char) = chars.next() else {
        out.push('\\');
        return "";
    };
    let rest = chars.as_str();
    match char {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        'b' => out.push('\u{8}'),
        'f' => out.push('\u{c}'),
        'v' => out.push('\u{b}'),
        '\r' => return rest.strip_prefix('\n').unwrap_or(rest),
        '\n' | '\u{2028}' | '\u{2029}' => {}
        'x' => return hexadecimal(rest, 2, 'x', out),
        'u' => return unicode(rest, out),
        '0'..='7' => {
            let most = if char <= '3' { 3 } else { 2 };
            let length = after.bytes().take(most).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
            let value = u32::from_str_radix(&after[..length], 8).unwrap_or(0);
            out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            return &after[length..];
        }
        other => out.push(other),
    }
    rest
}

fn hexadecimal<'s>(rest: &'s str, length: usize, letter: char, out: &mut String) -> &'s str {
    if let Some(value) = code(rest, length) {
        out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
        &rest[length..]
    } else {
        out.push(letter);
        rest
    }
}

fn code(rest: &str, length: usize) -> Option<u32> {
    let digits = rest.get(..length).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// `\u{1F600}`, `\u00e9`, and two of the latter for what takes two.
fn unicode<'s>(rest: &'s str, out: &mut String) -> &'s str {
    if let Some((digits, after)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        let value = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        out.push(value.unwrap_or(char::REPLACEMENT_CHARACTER));
        return after;
    }
    if let Some(high @ 0xd800..=0xdbff) = code(rest, 4)
        && let Some(low @ 0xdc00..=0xdfff) = rest.get(4..).and_then(|rest| code(rest.strip_prefix("\\u")?, 4))
    {
        let value = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
        return &rest[10..];
    }
    hexadecimal(rest, 4, 'u', out)
}
