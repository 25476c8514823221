//! Bytes of a file as text: UTF-8, UTF-16 where a byte-order mark says so, and what a coding line of Python names. One
//! byte that is none of it costs a character, not the file.

use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use crate::languages::Language;

/// Of bytes that are none of UTF-8, one in so many at most; with more it is no text.
const MAX_SHARE: usize = 8;

/// What a file holds.
pub(super) struct Decoded {
    pub(super) text: String,
    /// Bytes that are no text were replaced.
    pub(super) is_mended: bool,
}

/// The text of a file of this name without its byte-order mark; `None` where the bytes are no text.
pub(super) fn decode(bytes: Vec<u8>, path: &Path) -> Option<Decoded> {
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes)
        && encoding != UTF_8
    {
        let (text, is_mended) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return (!text.contains('\0')).then(|| Decoded { text: text.into_owned(), is_mended });
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => {
            let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
            return Some(Decoded { text, is_mended: false });
        }
        Err(error) => error.into_bytes(),
    };
    if bytes.contains(&0) {
        return None;
    }
    let is_python = Language::by_path(&path.to_string_lossy()) == Some(Language::Python);
    if let Some(encoding) = is_python.then(|| coding_line(&bytes)).flatten().filter(|it| *it != UTF_8) {
        let (text, is_mended) = encoding.decode_without_bom_handling(&bytes);
        return Some(Decoded { text: text.into_owned(), is_mended });
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let replaced = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    (replaced <= (bytes.len() / MAX_SHARE).max(1)).then_some(Decoded { text, is_mended: true })
}

/// A text as bytes, the way that `like` has it: its byte-order mark, its encoding. `None` where that has no such letters.
pub(super) fn encode(text: &str, like: &[u8], path: &Path) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if let Some(first) = like.get(..2).filter(|first| *first == b"\xff\xfe" || *first == b"\xfe\xff") {
        let unit = |unit: u16| if first[0] == 0xff { unit.to_le_bytes() } else { unit.to_be_bytes() };
        return Some(first.iter().copied().chain(text.encode_utf16().flat_map(unit)).collect());
    }
    if std::str::from_utf8(like).is_ok() {
        let mark = if like.starts_with(MARK) { MARK } else { b"" };
        return Some([mark, text.as_bytes()].concat());
    }
    let is_python = Language::by_path(&path.to_string_lossy()) == Some(Language::Python);
    let encoding = is_python.then(|| coding_line(like)).flatten()?;
    let (bytes, _, has_strangers) = encoding.encode(text);
    (!has_strangers).then(|| bytes.into_owned())
}

/// What a comment in one of the first two lines names: <https://peps.python.org/pep-0263>.
fn coding_line(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut lines = bytes.split(|byte| *byte == b'\n').take(2).map(<[u8]>::trim_ascii);
    let comment = |line: &[u8]| line.strip_prefix(b"#").map(|rest| String::from_utf8_lossy(rest).into_owned());
    let first = lines.next()?;
    let second = lines.next().filter(|_| first.is_empty() || first.starts_with(b"#"));
    [Some(first), second].into_iter().flatten().filter_map(comment).find_map(|comment| {
        let named = comment.match_indices("coding").find_map(|(at, word)| {
            let rest = &comment[at + word.len()..];
            Some(rest.strip_prefix([':', '='])?.trim_start_matches([' ', '\t']))
        })?;
        let end = named.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(named.len());
        let name = named[..end].to_lowercase().replace('_', "-");
        // Python has a hyphen where others have none.
        let spellings = [name.clone(), name.replacen('-', "", 1), name.replacen("-sig", "", 1)];
        spellings.iter().find_map(|name| Encoding::for_label(name.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], path: &str) -> Option<(String, bool)> {
        decode(bytes.to_vec(), Path::new(path)).map(|it| (it.text, it.is_mended))
    }

    #[test]
    fn coding_lines_are_those_of_python() {
        for line in ["# -*- coding: latin-1 -*-", "#!/x\n# vim: set fileencoding=ISO_8859-1 :", "\n#coding=cp1252"] {
            let bytes = [line.as_bytes(), b"\nx = '\xe9'\n"].concat();
            assert_eq!(text(&bytes, "a.py"), Some((format!("{line}\nx = 'é'\n"), false)), "{line}");
            assert_eq!(text(&bytes, "a.ts"), Some((format!("{line}\nx = '\u{fffd}'\n"), true)), "{line}");
        }
        let late = b"import x\n# coding: latin-1\n'\xe9'\n";
        assert_eq!(text(late, "a.py").map(|it| it.1), Some(true), "only comments stand before it");
        assert_eq!(text(b"# coding: cp1251\n'\xff'", "a.py").map(|it| it.0), Some("# coding: cp1251\n'я'".to_owned()));
    }

    #[test]
    fn what_is_read_is_written_the_same_way() {
        let texts: [&[u8]; 5] = [
            b"\xef\xbb\xbfx = 1",
            b"x = 1",
            b"\xff\xfex\0=\0\x3d\xd8\x42\xde",
            b"\xfe\xff\0x\0=",
            b"# coding: latin-1\nx = '\xe9'\n",
        ];
        for bytes in texts {
            let text = decode(bytes.to_vec(), Path::new("a.py")).expect("it is text").text;
            assert_eq!(encode(&text, bytes, Path::new("a.py")).as_deref(), Some(bytes));
        }
        assert_eq!(encode("世", b"# coding: latin-1\n'\xe9'", Path::new("a.py")), None);
        assert_eq!(encode("x", b"\xe9", Path::new("a.ts")), None);
    }

    #[test]
    fn marks_are_obeyed_and_what_is_no_text_is_refused() {
        assert_eq!(text(b"\xef\xbb\xbfx", "a.cs"), Some(("x".to_owned(), false)));
        assert_eq!(text(b"\xff\xfex\0=\0", "a.cs"), Some(("x=".to_owned(), false)));
        assert_eq!(text(b"G\x40\0\x10\xb0\xff", "film.ts"), None);
        assert_eq!(text(&[0xe9; 64], "a.py"), None);
    }
}
