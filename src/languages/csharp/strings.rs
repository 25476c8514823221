//! Numbers, strings of every kind, and interpolation.

use tree_sitter::Node;

use super::kinds::{Kind, Lowering};
use crate::model::program::{Expr, ExprKind};

/// How the text between quotes is to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Regular,
    /// `""` is a quote.
    Verbatim,
    Raw,
}

impl<'t> Lowering<'t> {
    /// What `"…"` and `'…'` stand for.
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

    /// `@"…"`
    pub(super) fn verbatim_text(&self, node: Node<'t>) -> String {
        let source = self.slice(node);
        let inner = source.strip_prefix("@\"").unwrap_or(source);
        inner.strip_suffix('"').unwrap_or(inner).replace("\"\"", "\"")
    }

    /// `"""…"""`, without the indentation of its last line.
    pub(super) fn raw_text(&self, node: Node<'t>) -> String {
        let source = self.slice(node);
        let quotes = source.bytes().take_while(|byte| *byte == b'"').count();
        let inner = source.get(quotes..).unwrap_or("");
        let inner = inner.strip_suffix("u8").or_else(|| inner.strip_suffix("U8")).unwrap_or(inner);
        let inner = inner.get(..inner.len().saturating_sub(quotes)).unwrap_or(inner);
        let indent = indentation(inner);
        let mut text = inner.replace("\r\n", "\n");
        if let Some(indent) = indent {
            unindent(&mut text, indent, true, true);
        }
        text
    }

    /// `$"a{b}c"`; without a substitution it is a string.
    pub(super) fn interpolated(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let is_quote = |kind: Kind| matches!(kind, Kind::Token | Kind::InterpolationQuote);
        let children = self.opened(opened);
        let start = children.iter().find(|child| child.kind == Kind::InterpolationStart).map(|child| child.node);
        let mut quotes = children.iter().filter(|child| is_quote(child.kind)).map(|child| child.node);
        let (first, last) = (quotes.clone().next(), quotes.next_back());
        let quoting = match start.map_or("", |start| self.slice(start)) {
            start if start.contains('@') => Quoting::Verbatim,
            _ if first.is_some_and(|quote| self.kind(quote) == Kind::InterpolationQuote) => Quoting::Raw,
            _ => Quoting::Regular,
        };
        let begin = first.map_or(node.start_byte(), |quote| quote.end_byte());
        let end = last.map_or(node.end_byte(), |quote| quote.start_byte()).max(begin);
        // Of a raw string, every line loses the indentation of the last one.
        let indent = self.text.get(begin..end).filter(|_| quoting == Quoting::Raw).and_then(indentation);
        let indent = indent.map(str::to_owned);
        let (mut parts, mut at) = (Vec::new(), begin);
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::Interpolation {
                continue;
            }
            self.literal_part(
                at,
                child.node.start_byte(),
                (at == begin, false),
                quoting,
                indent.as_deref(),
                &mut parts,
            );
            at = child.node.end_byte();
            parts.push(self.interpolation(child.node));
        }
        self.close(opened);
        let whole = parts.is_empty();
        self.literal_part(at, end, (at == begin, true), quoting, indent.as_deref(), &mut parts);
        match parts.pop() {
            None => ExprKind::Str { text: String::new(), as_type: None },
            Some(Expr { kind: kind @ ExprKind::Str { .. }, .. }) if whole => kind,
            Some(last) => {
                parts.push(last);
                ExprKind::Template(parts)
            }
        }
    }

    /// `{value}`; what a format makes of the value is not known.
    fn interpolation(&mut self, node: Node<'t>) -> Expr {
        let opened = self.open(node);
        let formatted = self.by_kind(opened, Kind::FormatClause).is_some();
        let value = self
            .opened(opened)
            .iter()
            .find(|child| child.is_part() && !matches!(child.kind, Kind::InterpolationBrace | Kind::FormatClause));
        let value = value.map(|child| child.node);
        self.close(opened);
        if formatted {
            return Expr { span: self.span(node), kind: ExprKind::Other("formatted value") };
        }
        self.part(value, node)
    }

    fn literal_part(
        &self,
        start: usize,
        end: usize,
        (is_first, is_last): (bool, bool),
        quoting: Quoting,
        indent: Option<&str>,
        parts: &mut Vec<Expr>,
    ) {
        let Some(source) = self.text.get(start..end).filter(|source| !source.is_empty()) else { return };
        let mut text = String::new();
        match quoting {
            Quoting::Regular => decode(&source.replace("{{", "{").replace("}}", "}"), &mut text),
            Quoting::Verbatim => text = source.replace("\"\"", "\"").replace("{{", "{").replace("}}", "}"),
            Quoting::Raw => text = source.replace("\r\n", "\n"),
        }
        if let Some(indent) = indent {
            unindent(&mut text, indent, is_first, is_last);
        }
        if !text.is_empty() {
            parts.push(Expr { span: self.span_between(start, end), kind: ExprKind::Str { text, as_type: None } });
        }
    }
}

/// The blanks before the closing quotes of a raw string that has lines of its own.
fn indentation(inner: &str) -> Option<&str> {
    let (_, last) = inner.rsplit_once('\n')?;
    last.chars().all(char::is_whitespace).then_some(last)
}

fn unindent(text: &mut String, indent: &str, is_first: bool, is_last: bool) {
    if is_last && let Some((before, _)) = text.rsplit_once('\n') {
        // Lines that open the text stay in front of it until below.
        *text = if before.is_empty() && is_first { String::new() } else { before.to_owned() };
    }
    if !indent.is_empty() {
        *text = text.replace(&format!("\n{indent}"), "\n");
    }
    if is_first && let Some((_, after)) = text.split_once('\n') {
        *text = after.to_owned();
    }
}

/// `1_000`, `0xff`, `0b11`, `10UL`, `1.5m`, `1e3f`; what 64 bits do not hold is not known.
pub(super) fn number(source: &str) -> ExprKind {
    let digits: String = source.chars().filter(|char| *char != '_').collect::<String>().to_ascii_lowercase();
    let (radix, whole) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits.as_str()),
    };
    let integer = whole.trim_end_matches(['u', 'l']);
    if let Ok(value) = i64::from_str_radix(integer, radix) {
        return ExprKind::Int(value);
    }
    let is_real = radix == 10 && whole.contains(['.', 'e', 'f', 'd', 'm']);
    match whole.trim_end_matches(['f', 'd', 'm']).parse() {
        Ok(value) if is_real => ExprKind::Float(value),
        _ => ExprKind::Other("large integer"),
    }
}

/// Appends what the source between quotes stands for.
fn decode(source: &str, out: &mut String) {
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = unescape(&rest[at + 1..], out);
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
        '0' => out.push('\0'),
        'a' => out.push('\u{7}'),
        'b' => out.push('\u{8}'),
        'e' => out.push('\u{1b}'),
        'f' => out.push('\u{c}'),
        'v' => out.push('\u{b}'),
        'x' => {
            let length = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
            return code_point(rest, length, out);
        }
        'u' => {
            if let Some(high @ 0xd800..=0xdbff) = code(rest, 4)
                && let Some(low @ 0xdc00..=0xdfff) = rest.get(4..).and_then(|rest| code(rest.strip_prefix("\\u")?, 4))
            {
                let value = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
                return &rest[10..];
            }
            return code_point(rest, 4, out);
        }
        'U' => return code_point(rest, 8, out),
        other => out.push(other),
    }
    rest
}

fn code_point<'s>(rest: &'s str, length: usize, out: &mut String) -> &'s str {
    let Some(value) = code(rest, length) else {
        out.push(char::REPLACEMENT_CHARACTER);
        return rest;
    };
    out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
    &rest[length..]
}

fn code(rest: &str, length: usize) -> Option<u32> {
    let digits = rest.get(..length).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}
