//! Line breaks between brackets, which mean nothing. The grammar's scanner takes what stands left of its statement's indentation
//! for the end of the block all the same, where no closing bracket may follow: the value in `{"a":` ⏎ `b}`.

/// A text of the same length in which line breaks and comments between brackets are spaces, but for those inside of strings;
/// `None` where there are none, or brackets or strings do not end.
pub(super) fn joined(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut depth = 0_usize;
    let mut changed = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'\n' | b'\r' if depth > 0 => {
                bytes[at] = b' ';
                changed = true;
            }
            b'#' => {
                let length = bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                let end = length.map_or(bytes.len(), |length| at + length);
                if depth > 0 {
                    bytes[at..end].fill(b' ');
                }
                at = end;
                continue;
            }
            b'\\' if depth > 0 => {
                let length = text[at + 1..].bytes().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                bytes[at..=at + length].fill(b' ');
                changed |= length > 0;
                at += length;
            }
            quote @ (b'"' | b'\'') => {
                at = string_end(text.as_bytes(), at, quote)?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    String::from_utf8(bytes).ok().filter(|_| changed && depth == 0)
}

/// Where the string ends that is opened at `start`. Strings in the replaced parts of another one are part of it where they
/// have other quotes.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let triple = [quote; 3];
    let closing: &[u8] = if bytes[start..].starts_with(&triple) { &triple } else { &triple[..1] };
    let mut at = start + closing.len();
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' if closing.len() == 1 => return None,
            _ if bytes[at..].starts_with(closing) => return Some(at + closing.len()),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn only_what_stands_between_brackets_is_joined() {
        for (text, expected) in [
            ("x = {'a':\nb\n}\ny", Some("x = {'a': b }\ny")),
            ("f(a, # (\n  b)\n# c\n", Some("f(a,       b)\n# c\n")),
            ("f(\"\"\"(\n'\"\"\",\r\n1)", Some("f(\"\"\"(\n'\"\"\",  1)")),
            ("f('\\'(',\n1)", Some("f('\\'(', 1)")),
            ("f(a \\\n + b)", Some("f(a    + b)")),
            ("a = 1\nb = 2", None),
            ("f(\n", None),
            (")\n(", None),
            ("f('\n')", None),
        ] {
            assert_eq!(joined(text).as_deref(), expected, "{text:?}");
            assert!(joined(text).is_none_or(|joined| joined.len() == text.len()));
        }
    }
}
