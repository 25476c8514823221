//! Names as a language writes them, made of names as a contract writes them.

use std::collections::BTreeSet;

/// The words of a name: `placedAt`, `placed-at` and `PlacedAT` have two, `2fa` has one.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = text.chars().collect();
    let mut end = |word: &mut String| {
        if !word.is_empty() {
            found.push(word.to_lowercase());
            word.clear();
        }
    };
    for (at, c) in letters.iter().copied().enumerate() {
        if !(c.is_ascii_digit() || c.is_alphabetic()) {
            end(&mut word);
            continue;
        }
        let before = at.checked_sub(1).map(|at| letters[at]);
        let starts = before.is_some_and(|before| {
            let ends_run = before.is_uppercase() && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
            c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit() || ends_run)
        });
        if starts {
            end(&mut word);
        }
        word.push(c);
    }
    end(&mut word);
    found
}

/// `placed_at`
pub(super) fn snake(text: &str) -> String {
    of_a_letter(words(text).join("_"))
}

/// `placedAt`
#[allow(dead_code)]
pub(super) fn camel(text: &str) -> String {
    let words = words(text);
    let (first, rest) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    of_a_letter(rest.iter().fold(first.to_owned(), |name, word| name + &capital(word)))
}

/// `PlacedAt`
pub(super) fn pascal(text: &str) -> String {
    let name: String = words(text).iter().map(|word| capital(word)).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() { format!("Value{name}") } else { name }
}

/// `placed-at`
pub(super) fn kebab(text: &str) -> String {
    let name = words(text).join("-");
    if name.is_empty() { "service".to_owned() } else { name }
}

/// One of several, by the plain rules of English: `categories`, `boxes`, `books`.
pub(super) fn singular(word: &str) -> String {
    let lower = word.to_lowercase();
    if let Some(stem) = lower.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes", "zes"] {
        if lower.ends_with(ending) {
            return lower[..lower.len() - 2].to_owned();
        }
    }
    match lower.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !lower.ends_with("ss") && !lower.ends_with("us") => stem.to_owned(),
        _ => lower,
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn of_a_letter(name: String) -> String {
    match name.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("value_{name}"),
        Some(_) => name,
    }
}

/// Names of one scope, each given once.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// A scope in which some names mean something else.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Scope { taken: reserved.iter().map(|name| (*name).to_owned()).collect() }
    }

    /// The name, or the first of `name_`, `name2`, … that is free.
    pub(super) fn name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut count = 1;
        while self.taken.contains(&name) {
            name = if count == 1 { format!("{wanted}_") } else { format!("{wanted}{count}") };
            count += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        for (text, found) in [
            ("placedAt", "placed_at"),
            ("x-y", "x_y"),
            ("HTTPServer", "http_server"),
            ("2fa", "value_2fa"),
            ("größe", "größe"),
            ("", "value"),
            ("GET /books/{bookId}", "get_books_book_id"),
        ] {
            assert_eq!(snake(text), found, "{text}");
        }
        assert_eq!(camel("x-request-id"), "xRequestId");
        assert_eq!(pascal("2fa"), "Value2fa");
        assert_eq!(pascal("order.placed"), "OrderPlaced");
    }

    #[test]
    fn several_become_one() {
        for (many, one) in [
            ("books", "book"),
            ("categories", "category"),
            ("boxes", "box"),
            ("status", "status"),
            ("address", "address"),
        ] {
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn a_scope_gives_each_name_once() {
        let mut scope = Scope::without(&["class"]);
        assert_eq!(["class", "id", "id", "id"].map(|it| scope.name(it)), ["class_", "id", "id_", "id2"]);
    }
}
