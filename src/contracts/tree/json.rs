//! JSON text (RFC 8259) to tree. JSON goes its own way because YAML is not quite a superset of it in practice: surrogate
//! pairs, tabs before a colon; and because most big contracts are generated JSON.

use super::build::{Builder, Refused};
use super::{Node, Tree, Value};
use crate::contracts::IssueKind;
use crate::text::FileId;

/// Reads `text`, whose first byte stands at `base` in the file. A syntax error is the last issue.
pub(super) fn read(file: FileId, text: &str, base: usize) -> Tree {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, base, builder: Builder::new(file) };
    match reader.document() {
        Ok(()) | Err(Stop::Refused) => {}
        Err(Stop::Syntax(at, message)) => {
            let end = text[at..].char_indices().nth(1).map_or(text.len(), |(len, _)| at + len);
            reader.builder.issue(IssueKind::Syntax, base + at, base + end, format!("not valid JSON: {message}"));
        }
    }
    reader.builder.finish(base + text.len())
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    base: usize,
    builder: Builder,
}

enum Stop {
    Refused,
    /// At a character boundary.
    Syntax(usize, String),
}

impl From<Refused> for Stop {
    fn from(_: Refused) -> Self {
        Stop::Refused
    }
}

/// A container that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Array,
    Object,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Stop> {
        let mut open = Vec::new();
        loop {
            // A value is due here.
            self.space();
            match self.peek() {
                Some(b'{') => {
                    self.builder.open_object(self.base + self.at, 0)?;
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b'}') {
                        open.push(Open::Object);
                        self.member()?;
                        continue;
                    }
                    self.close();
                }
                Some(b'[') => {
                    self.builder.open_array(self.base + self.at, 0)?;
                    self.at += 1;
                    self.space();
                    if self.peek() != Some(b']') {
                        open.push(Open::Array);
                        continue;
                    }
                    self.close();
                }
                _ => self.scalar()?,
            }
            // A value was read.
            loop {
                self.space();
                let Some(container) = open.last().copied() else {
                    return if self.at == self.bytes.len() {
                        Ok(())
                    } else {
                        Err(self.unexpected("the end of the text"))
                    };
                };
                match (self.peek(), container) {
                    (Some(b','), Open::Array) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b','), Open::Object) => {
                        self.at += 1;
                        self.space();
                        self.member()?;
                        break;
                    }
                    (Some(b']'), Open::Array) | (Some(b'}'), Open::Object) => {
                        self.close();
                        open.pop();
                    }
                    (_, Open::Array) => return Err(self.unexpected("`,` or `]`")),
                    (_, Open::Object) => return Err(self.unexpected("`,` or `}`")),
                }
            }
        }
    }

    /// Key and colon.
    fn member(&mut self) -> Result<(), Stop> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let start = self.base + self.at;
        let text = self.string()?;
        let span = self.builder.span(start, self.base + self.at);
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.builder.key(text, span);
        Ok(())
    }

    fn close(&mut self) {
        self.at += 1;
        self.builder.close(self.base + self.at);
    }

    fn scalar(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => {
                let rest = &self.text[self.at..];
                let words = [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
                let Some((word, value)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) else {
                    return Err(self.unexpected("a value"));
                };
                self.at += word.len();
                value
            }
        };
        let span = self.builder.span(self.base + start, self.base + self.at);
        self.builder.scalar(Node::new(span, value));
        Ok(())
    }

    fn number(&mut self) -> Result<String, Stop> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if zero && digits > 1 {
            return Err(Stop::Syntax(start, "a number with leading zeros".to_owned()));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text[start..self.at].to_owned())
    }

    fn digits(&mut self) -> Result<usize, Stop> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(self.at - start) }
    }

    /// A string from its opening quote on.
    fn string(&mut self) -> Result<String, Stop> {
        let opening = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => {
                    return Err(Stop::Syntax(self.at, "a control character or line break in a string".to_owned()));
                }
                None => return Err(Stop::Syntax(opening, "a string without an end".to_owned())),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Stop> {
        let start = self.at;
        let wrong = || Stop::Syntax(start, "unknown escape in a string".to_owned());
        let letter = *self.bytes.get(start + 1).ok_or_else(wrong)?;
        self.at += 2;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.hex().ok_or_else(wrong)?;
                let low = match unit {
                    0xd800..=0xdbff if self.bytes[self.at..].starts_with(b"\\u") => {
                        let back = self.at;
                        self.at += 2;
                        let low = self.hex().filter(|low| (0xdc00..=0xdfff).contains(low));
                        if low.is_none() {
                            self.at = back;
                        }
                        low
                    }
                    _ => None,
                };
                let code = low.map_or(unit, |low| 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(wrong()),
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        let value = digits.iter().try_fold(0, |value, digit| Some(value * 16 + (*digit as char).to_digit(16)?))?;
        self.at += 4;
        Some(value)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn unexpected(&self, wanted: &str) -> Stop {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "the end of the text".to_owned(),
        };
        Stop::Syntax(self.at, format!("expected {wanted}, found {found}"))
    }
}
