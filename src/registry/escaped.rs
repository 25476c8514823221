//! Texts as literals.

use std::fmt::Write as _;

/// Writes a text between double quotes, with the escapes of JSON (RFC 8259, section 7), which those of Python and
/// JavaScript include. A character that `is_plain` does not take is written as its UTF-16 units, `\u00e9`.
pub(super) fn write_text(text: &str, is_plain: impl Fn(char) -> bool, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_plain(c) => out.push(c),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_plain_is_escaped() {
        let mut out = String::new();
        write_text("a\"\\\n\r\t\u{8}\u{c}\u{7f}é\u{1F600}", |c| (' '..='~').contains(&c), &mut out);
        assert_eq!(out, r#""a\"\\\n\r\t\b\f\u007f\u00e9\ud83d\ude00""#);
        out.clear();
        write_text("é\n\"", |_| true, &mut out);
        assert_eq!(out, r#""é\n\"""#);
    }
}
