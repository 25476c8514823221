//! How a serialiser spells the names of members: `JsonNamingPolicy` of System.Text.Json, `NamingStrategy` of Newtonsoft.

use crate::evaluate::{Value, last};

/// A rule for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Naming {
    /// As they are declared.
    #[default]
    Declared,
    Camel,
    Words {
        separator: char,
        upper: bool,
    },
    /// Words as some rule of the program or of another library tells them apart: known where nothing is to be told but
    /// capitals that begin a word.
    PlainWords(char),
    /// Not known.
    Unknown,
}

impl Naming {
    /// What names are spelt like by a value that stands where a policy or strategy is expected.
    pub(super) fn of(value: &Value) -> Naming {
        let name = match value {
            Value::None => return Naming::Declared,
            Value::External(path) => last(path).to_owned(),
            Value::Made(made) => made.name().to_owned(),
            Value::Instance(policy) => return Naming::named(policy.class.name()),
            _ => return Naming::Unknown,
        };
        let words = |separator, upper| Naming::Words { separator, upper };
        match name.as_str() {
            "CamelCase" | "CamelCaseNamingStrategy" | "CamelCasePropertyNamesContractResolver" => Naming::Camel,
            "SnakeCaseLower" | "SnakeCaseNamingStrategy" => words('_', false),
            "SnakeCaseUpper" => words('_', true),
            "KebabCaseLower" | "KebabCaseNamingStrategy" => words('-', false),
            "KebabCaseUpper" => words('-', true),
            "DefaultNamingStrategy" | "DefaultContractResolver" => Naming::Declared,
            other => Naming::named(other),
        }
    }

    /// What a rule that is not followed does by its name: `MySnakeCaseNamingPolicy`.
    fn named(policy: &str) -> Naming {
        match policy {
            name if name.contains("SnakeCase") => Naming::PlainWords('_'),
            name if name.contains("KebabCase") => Naming::PlainWords('-'),
            _ => Naming::Unknown,
        }
    }

    /// The name on the wire; `None` where it is not known.
    pub(super) fn spell(self, name: &str) -> Option<String> {
        match self {
            Naming::Declared => Some(name.to_owned()),
            Naming::Camel => Some(camel(name)),
            Naming::Words { separator, upper } => Some(words(name, separator, upper)),
            Naming::PlainWords(separator) => is_plain(name).then(|| words(name, separator, false)),
            Naming::Unknown => None,
        }
    }
}

/// `URLValue` is `urlValue`: of capitals at the start, all but the one that begins the next word.
fn camel(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out: Vec<char> = chars.clone();
    for (at, c) in chars.iter().enumerate() {
        let next_is_small = chars.get(at + 1).is_some_and(|next| !next.is_uppercase());
        if !c.is_uppercase() || (at > 0 && next_is_small) {
            break;
        }
        out[at] = c.to_lowercase().next().unwrap_or(*c);
    }
    out.into_iter().collect()
}

/// Whether a name has only letters, and no two capitals that stand together.
fn is_plain(name: &str) -> bool {
    let chars: Vec<char> = name.chars().collect();
    chars.iter().all(char::is_ascii_alphabetic)
        && chars.windows(2).all(|pair| !(pair[0].is_uppercase() && pair[1].is_uppercase()))
}

#[derive(PartialEq)]
enum Before {
    Nothing,
    Small,
    Capital,
    Space,
}

/// `URLValue` is `url_value`.
fn words(name: &str, separator: char, upper: bool) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = Before::Nothing;
    let put = |out: &mut String, c: char| {
        if upper {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
    };
    for (at, c) in chars.iter().copied().enumerate() {
        if c.is_uppercase() {
            let begins = match before {
                Before::Nothing => false,
                Before::Small | Before::Space => true,
                Before::Capital => chars.get(at + 1).is_some_and(|next| next.is_lowercase()),
            };
            if begins {
                out.push(separator);
            }
            put(&mut out, c);
            before = Before::Capital;
        } else if c.is_lowercase() || c.is_ascii_digit() {
            if before == Before::Space {
                out.push(separator);
            }
            put(&mut out, c);
            before = Before::Small;
        } else if c == ' ' {
            if before != Before::Nothing {
                before = Before::Space;
            }
        } else {
            out.push(c);
            before = Before::Nothing;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_lowers_all_capitals_but_the_one_that_begins_the_next_word() {
        for (name, expected) in [
            ("Name", "name"),
            ("URLValue", "urlValue"),
            ("ID", "id"),
            ("IOStatus", "ioStatus"),
            ("name", "name"),
            ("I", "i"),
            ("IPhone", "iPhone"),
            ("IsCIA", "isCIA"),
            ("Xml2Json", "xml2Json"),
            ("_Name", "_Name"),
            ("ÄÖName", "äöName"),
            ("A1", "a1"),
            ("AB1", "aB1"),
        ] {
            assert_eq!(Naming::Camel.spell(name).as_deref(), Some(expected));
        }
    }

    #[test]
    fn words_are_told_by_capitals_and_not_by_digits() {
        for (name, expected) in [
            ("Name", "name"),
            ("UserName", "user_name"),
            ("URLValue", "url_value"),
            ("ID", "id"),
            ("Item1Name", "item1_name"),
            ("Already_There", "already_there"),
            ("IsCIA", "is_cia"),
        ] {
            assert_eq!(words(name, '_', false), expected);
        }
        assert_eq!(words("UserName", '-', true), "USER-NAME");
        assert_eq!(Naming::PlainWords('_').spell("UserName").as_deref(), Some("user_name"));
        assert_eq!(Naming::PlainWords('_').spell("URLValue"), None);
        assert_eq!(Naming::named("JsonSnakeCaseNamingPolicy"), Naming::PlainWords('_'));
    }
}
