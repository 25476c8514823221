//! References between contract documents (`$ref`): splitting, joining, and finding them in a document. RFC 3986 for the
//! file part, RFC 6901 for the fragment.

use super::tree::{Node, Value, push_segment};
use crate::text::Span;

/// A `$ref` as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// Percent-decoded fragment in the same document.
    Local(String),
    /// File part as written and percent-decoded fragment.
    File(String, String),
    /// Has a scheme or a host: never followed.
    Remote,
}

pub(super) fn parse(text: &str) -> Reference {
    let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
    let fragment = percent_decode(fragment);
    if file.is_empty() {
        Reference::Local(fragment)
    } else if is_remote(file) {
        Reference::Remote
    } else {
        Reference::File(file.to_owned(), fragment)
    }
}

/// `https:…`, `urn:…`, `//host/…`. One letter and a colon is a Windows drive.
fn is_remote(file: &str) -> bool {
    let scheme = file.split_once(':').map_or("", |(scheme, _)| scheme);
    let mut letters = scheme.bytes();
    file.starts_with("//")
        || (scheme.len() > 1
            && letters.next().is_some_and(|b| b.is_ascii_alphabetic())
            && letters.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
}

/// The path of the document that `reference` (a relative file, with or without a fragment) leads to from the document at
/// `base`. Normalised without looking at the disk; a backslash separates like a slash. `None` where the reference is
/// remote or absolute, or climbs above the root of an absolute path.
pub fn join(base: &str, reference: &str) -> Option<String> {
    let file = reference.split('#').next().unwrap_or("");
    if file.is_empty() {
        return Some(base.to_owned());
    }
    let file = percent_decode(file).replace('\\', "/");
    let has_drive = file.as_bytes().get(1) == Some(&b':');
    if is_remote(&file) || has_drive || file.starts_with('/') {
        return None;
    }
    let base = base.replace('\\', "/");
    let rooted = base.starts_with('/') || base.as_bytes().get(1) == Some(&b':');
    let fixed = usize::from(rooted);
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    let mut out: Vec<&str> = Vec::new();
    for (at, part) in parts.into_iter().chain(file.split('/')).enumerate() {
        match part {
            "" if at == 0 && rooted => out.push(part),
            "" | "." => {}
            ".." if out.len() > fixed && out.last() != Some(&"..") => {
                out.pop();
            }
            ".." if rooted => return None,
            _ => out.push(part),
        }
    }
    Some(out.join("/"))
}

/// Segments of a JSON pointer, unescaped; `None` where it is no pointer (RFC 6901, section 3).
pub(super) fn segments(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect())
}

/// What `%20` and the like stand for; what stands for nothing stays.
pub fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A `$ref` in a document.
#[derive(Clone, Debug)]
pub(super) struct Found<'n> {
    pub text: &'n str,
    /// Of its value.
    pub span: Span,
    /// Of the `$ref` itself.
    pub pointer: String,
}

/// Every `$ref` of a document, in its order. Examples, defaults, enumerated values and `x-` extensions are data, not
/// contract: what looks like a reference there is none.
pub(super) fn all(root: &Node) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    collect(root, Inside::Keywords, &mut String::new(), &mut found);
    found
}

/// Whether what stands at a keyword is data, whatever it looks like.
pub(super) fn is_data(keyword: &str) -> bool {
    matches!(keyword, "example" | "default" | "enum" | "const" | "value") || keyword.starts_with("x-")
}

/// Whether the keys of the object at a keyword are names that somebody chose.
pub(super) fn has_names(keyword: &str) -> bool {
    matches!(
        keyword,
        "properties"
            | "patternProperties"
            | "definitions"
            | "$defs"
            | "dependentSchemas"
            | "schemas"
            | "responses"
            | "parameters"
            | "requestBodies"
            | "headers"
            | "securitySchemes"
            | "links"
            | "callbacks"
            | "pathItems"
            | "paths"
            | "webhooks"
            | "content"
            | "encoding"
            | "variables"
            | "mapping"
            | "mediaTypes"
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Keys are keywords.
    Keywords,
    /// Keys are names that somebody chose: `properties`, `responses`, `schemas`.
    Names,
    /// Keys are names, and what they name is data unless it is a `$ref` itself.
    Examples,
}

fn collect<'n>(node: &'n Node, inside: Inside, pointer: &mut String, found: &mut Vec<Found<'n>>) {
    let length = pointer.len();
    match &node.value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                push_segment(pointer, &at.to_string());
                collect(item, Inside::Keywords, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Object(_) => {
            for (key, value) in node.entries() {
                push_segment(pointer, &key.text);
                match (key.text.as_str(), inside) {
                    ("$ref", _) if value.text().is_some() => {
                        let text = value.text().unwrap_or("");
                        found.push(Found { text, span: value.span, pointer: pointer.clone() });
                    }
                    (_, Inside::Examples) => {
                        if let Some((_, target)) = value.entry("$ref")
                            && let Some(text) = target.text()
                        {
                            found.push(Found { text, span: target.span, pointer: format!("{pointer}/$ref") });
                        }
                    }
                    (_, Inside::Names) => collect(value, Inside::Keywords, pointer, found),
                    (name, _) if is_data(name) => {}
                    ("examples", _) if value.is_object() => collect(value, Inside::Examples, pointer, found),
                    ("examples", _) => {}
                    (name, _) if has_names(name) && value.is_object() => collect(value, Inside::Names, pointer, found),
                    _ => collect(value, Inside::Keywords, pointer, found),
                }
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::tree;
    use crate::text::FileId;

    #[test]
    fn references_join_lexically_and_never_leave_the_file_system_root() {
        let cases = [
            ("api.yaml", "common.yaml", Some("common.yaml")),
            ("a/b/api.yaml", "./common.yaml#/X", Some("a/b/common.yaml")),
            ("a/b/api.yaml", "../../x.yaml", Some("x.yaml")),
            ("a/b/api.yaml", "../../../x.yaml", Some("../x.yaml")),
            ("../api.yaml", "../x.yaml", Some("../../x.yaml")),
            ("a/api.yaml", "..\\c\\x.yaml", Some("c/x.yaml")),
            ("a/api.yaml", "sub/./y//x%20y.yaml", Some("a/sub/y/x y.yaml")),
            ("a/api.yaml", "%2e%2e/x.yaml", Some("x.yaml")),
            ("a/api.yaml", "#/X", Some("a/api.yaml")),
            ("/srv/a/api.yaml", "../x.yaml", Some("/srv/x.yaml")),
            ("/srv/api.yaml", "../../x.yaml", None),
            ("C:/a/api.yaml", "../../x.yaml", None),
            ("a/api.yaml", "/etc/passwd", None),
            ("a/api.yaml", "C:\\x.yaml", None),
            ("a/api.yaml", "https://example.com/x.yaml", None),
            ("a/api.yaml", "//example.com/x.yaml", None),
        ];
        for (base, reference, joined) in cases {
            assert_eq!(join(base, reference).as_deref(), joined, "{base} + {reference}");
        }
    }

    #[test]
    fn a_reference_is_local_a_file_or_remote() {
        assert_eq!(parse("#/a%20b/~1c"), Reference::Local("/a b/~1c".into()));
        assert_eq!(parse("x.yaml#/A"), Reference::File("x.yaml".into(), "/A".into()));
        assert_eq!(parse("x.yaml"), Reference::File("x.yaml".into(), String::new()));
        assert_eq!(parse("HTTPS://example.com/x#/A"), Reference::Remote);
        assert_eq!(parse("urn:example:pet"), Reference::Remote);
        assert_eq!(segments("/a~1b/~01/"), Some(vec!["a/b".into(), "~1".into(), String::new()]));
        assert_eq!(segments("Pet"), None);
        assert_eq!(percent_decode("100%/%zz/%c3%bc"), "100%/%zz/ü");
    }

    #[test]
    fn data_that_looks_like_a_reference_is_none() {
        let text = r"
properties:
  example: { $ref: 'a' }
  $ref: { type: string }
example: { $ref: no }
x-more: { $ref: no }
enum: [{ $ref: no }]
content:
  application/json:
    examples:
      one: { $ref: 'b' }
      two: { value: { $ref: no } }
items: [{ $ref: c }]
";
        let tree = tree::read(FileId(0), text);
        let found: Vec<_> = all(&tree.root).into_iter().map(|found| (found.text.to_owned(), found.pointer)).collect();
        let expected = [
            ("a", "/properties/example/$ref"),
            ("b", "/content/application~1json/examples/one/$ref"),
            ("c", "/items/0/$ref"),
        ];
        assert_eq!(found, expected.map(|(text, pointer)| (text.to_owned(), pointer.to_owned())));
    }
}
