//! Texts that a schema lets through: by format, by length, by pattern.

use serde_json::{Value, json};

/// A text for a schema of type string; `None` where none was found.
pub(super) fn text(schema: &Value) -> Option<Value> {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or("");
    let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0) as usize;
    let most = schema.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX) as usize;
    let plain = match format {
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        "date" => "2026-01-31",
        "date-time" => "2026-01-31T12:00:00Z",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "email" | "idn-email" => "someone@example.com",
        "uri" | "url" | "iri" | "uri-reference" => "https://example.com/a",
        "hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" | "base64" => "dHJlYXR5",
        _ => "text",
    };
    let mut text = plain.to_owned();
    if format.is_empty() {
        while text.chars().count() < least.min(MOST) {
            text.push('x');
        }
        text = text.chars().take(most).collect();
    }
    let matching = schema.get("pattern").and_then(Value::as_str).and_then(matching);
    let keywords = ["pattern", "minLength", "maxLength"];
    let leaf: serde_json::Map<String, Value> =
        keywords.iter().filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone()))).collect();
    let validator = jsonschema::validator_for(&Value::Object(leaf)).ok()?;
    [Some(text), matching].into_iter().flatten().map(|text| json!(text)).find(|text| validator.is_valid(text))
}

/// Longer texts are no sample.
const MOST: usize = 10_000;
/// Of a repetition without an upper bound.
const REPEATED: usize = 3;

/// A text that a regular expression of the usual kind matches: letters, classes, groups, alternatives, repetitions. What
/// is beyond that gives a text that need not match: it is checked.
fn matching(pattern: &str) -> Option<String> {
    let mut reader = Reader { rest: pattern.chars().collect::<Vec<_>>().into_iter().peekable(), depth: 0 };
    let text = reader.alternatives()?;
    (text.len() <= MOST).then_some(text)
}

struct Reader {
    rest: std::iter::Peekable<std::vec::IntoIter<char>>,
    depth: usize,
}

impl Reader {
    /// The first alternative; the others are read over.
    fn alternatives(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > 20 {
            return None;
        }
        let mut first = None;
        loop {
            let text = self.sequence()?;
            first = first.or(Some(text));
            if self.rest.next_if_eq(&'|').is_none() {
                break;
            }
        }
        self.depth -= 1;
        first
    }

    fn sequence(&mut self) -> Option<String> {
        let mut out = String::new();
        while let Some(c) = self.rest.peek().copied() {
            if c == '|' || c == ')' {
                break;
            }
            self.rest.next();
            let atom = match c {
                '^' | '$' => continue,
                '.' => "a".to_owned(),
                '[' => self.class()?.to_string(),
                '(' => self.group()?,
                '\\' => match self.rest.next()? {
                    'd' => "1".to_owned(),
                    'w' => "a".to_owned(),
                    's' => " ".to_owned(),
                    'b' | 'B' => continue,
                    other => other.to_string(),
                },
                other => other.to_string(),
            };
            let times = self.times()?;
            if out.len() + atom.len() * times > MOST {
                return None;
            }
            out.push_str(&atom.repeat(times));
        }
        Some(out)
    }

    fn group(&mut self) -> Option<String> {
        if self.rest.next_if_eq(&'?').is_some() {
            match self.rest.next()? {
                ':' => {}
                // Looking around cannot be followed.
                _ => return None,
            }
        }
        let text = self.alternatives()?;
        self.rest.next_if_eq(&')')?;
        Some(text)
    }

    /// The first character of a class; of a class of others, one of the usual ones that it does not name.
    fn class(&mut self) -> Option<char> {
        let is_negative = self.rest.next_if_eq(&'^').is_some();
        let mut named = Vec::new();
        loop {
            match self.rest.next()? {
                ']' if !named.is_empty() => break,
                '\\' => named.extend(match self.rest.next()? {
                    'd' => '0'..='9',
                    'w' => 'a'..='z',
                    's' => ' '..=' ',
                    other => other..=other,
                }),
                '-' if named.last().is_some() && self.rest.peek().is_some_and(|c| *c != ']') => {
                    let (from, to) = (*named.last()?, self.rest.next()?);
                    named.extend((from..=to).take(128));
                }
                other => named.push(other),
            }
        }
        if is_negative { "aA1 -_.".chars().find(|c| !named.contains(c)) } else { named.first().copied() }
    }

    /// How often what stands before is there, at least once where it may be.
    fn times(&mut self) -> Option<usize> {
        let times = match self.rest.peek() {
            Some('*' | '?') => {
                self.rest.next();
                1
            }
            Some('+') => {
                self.rest.next();
                1
            }
            Some('{') => {
                self.rest.next();
                let inside: String = std::iter::from_fn(|| self.rest.next_if(|c| *c != '}')).collect();
                self.rest.next();
                let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
                let least: usize = least.trim().parse().ok()?;
                let most: usize = most.trim().parse().unwrap_or(least.max(REPEATED));
                least.max(1).min(most)
            }
            _ => 1,
        };
        // The lazy form matches the same.
        self.rest.next_if_eq(&'?');
        (times <= MOST).then_some(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_patterns_have_a_text() {
        for pattern in [
            "^[A-Z]{3}-\\d{4}$",
            "^(red|green)$",
            "^[^@]+@[^@]+\\.[a-z]{2,}$",
            "^\\+?[1-9]\\d{1,14}$",
            "[0-9a-f]{8}",
            "^(?:a|b)c*$",
            "^[\\w.-]+$",
        ] {
            assert!(text(&json!({"type": "string", "pattern": pattern})).is_some(), "{pattern}");
        }
        assert_eq!(text(&json!({"minLength": 6})), Some(json!("textxx")));
        assert_eq!(text(&json!({"maxLength": 2})), Some(json!("te")));
        assert_eq!(text(&json!({"pattern": "^(?=x)y$"})), None);
    }

    proptest::proptest! {
        /// Whatever a pattern is, it ends, and what is given matches.
        #[test]
        fn any_pattern_ends(pattern in "[a-c\\[\\]{}()|?*+.^$\\\\,1-3-]{0,24}") {
            let schema = json!({"type": "string", "pattern": pattern});
            if let Some(found) = text(&schema) {
                proptest::prop_assert!(jsonschema::validator_for(&schema).expect("it was built").is_valid(&found));
            }
        }
    }
}
