//! Formats of texts that no target has a type for, as regular expressions.

use super::types::Text;

pub(super) struct Format {
    /// As `format` names it.
    keyword: &'static str,
    /// What the generated code calls it.
    pub(super) name: &'static str,
    /// What the generated code says of it.
    pub(super) words: &'static str,
    /// In the syntax that the engines of Python, JavaScript, C# and Rust share; never narrower than the format.
    pub(super) pattern: &'static str,
}

const FORMATS: &[Format] = &[
    // RFC 5321 section 4.1.2 without quoted names and addresses in brackets, which HTML does not take either.
    Format {
        keyword: "email",
        name: "Email",
        words: "An address for mail (RFC 5321), without quotes or brackets.",
        pattern: "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+([.][A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$",
    },
    // RFC 3986 section 2 and 3.1: the scheme and the characters; how the parts are put together is not checked.
    Format {
        keyword: "uri",
        name: "Uri",
        words: "An absolute URI (RFC 3986): a scheme, and the characters that may follow.",
        pattern: "^[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9._~:/?#@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})*$",
    },
    // RFC 2673 section 3.2.
    Format {
        keyword: "ipv4",
        name: "Ipv4",
        words: "Four numbers with dots between them (RFC 2673).",
        pattern: "^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$",
    },
    // RFC 1123 section 2.1.
    Format {
        keyword: "hostname",
        name: "Hostname",
        words: "The name of a host (RFC 1123).",
        pattern: "^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$",
    },
];

/// The names that the generated code uses.
pub(super) const NAMES: &[&str] = &["Email", "Uri", "Ipv4", "Hostname"];

pub(super) fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|it| it.name == name)
}

/// The format that a text is checked by; a pattern of the contract's own says more and takes its place.
pub(super) fn of(text: &Text) -> Option<&'static Format> {
    let wanted = text.format.as_deref().filter(|_| text.pattern.is_none())?;
    FORMATS.iter().find(|it| it.keyword == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_let_through_what_is_of_the_format_only() {
        let is_let_through = |name: &str, value: &str| {
            let schema = serde_json::json!({ "pattern": named(name).expect("a format").pattern });
            jsonschema::validator_for(&schema).expect("a pattern").is_valid(&serde_json::json!(value))
        };
        let cases = [
            ("Email", "o'neil+x@example.co.uk", true),
            ("Email", "a@localhost", true),
            ("Email", "<k\u{1}úF7dû", false),
            ("Email", "a..b@example.com", false),
            ("Email", "a@-example.com", false),
            ("Email", "a@example.com\n", false),
            ("Uri", "https://example.com/a?b=c#d", true),
            ("Uri", "urn:isbn:0451450523", true),
            ("Uri", "http://[::1]:80/%20", true),
            ("Uri", "/relative", false),
            ("Uri", "http://a b", false),
            ("Uri", "http://a/%2", false),
            ("Ipv4", "192.0.2.255", true),
            ("Ipv4", "192.0.2.256", false),
            ("Ipv4", "192.0.2", false),
            ("Ipv4", "192.0.2.1.", false),
            ("Ipv4", "01.0.2.1", false),
            ("Hostname", "a-b.example.com", true),
            ("Hostname", "a_b.example.com", false),
        ];
        for (name, value, expected) in cases {
            assert_eq!(is_let_through(name, value), expected, "{name} {value:?}");
        }
        assert!(NAMES.iter().all(|it| named(it).is_some()) && NAMES.len() == FORMATS.len());
    }
}
