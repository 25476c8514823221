//! The name of the thing that a heading is about.

use super::sections::says_values;
use crate::architect::document::Text;
use crate::architect::{entities, fields, words};

/// What forms are for that enter nothing.
const SIGNING: &[&str] =
    &["login", "sign", "signin", "signup", "registration", "register", "search", "filter", "password"];

/// Words of headings that say what kind of thing is described, not which one.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "core", "entity", "entities", "table", "tables", "model", "models", "schema", "schemas", "fields", "field",
    "attributes", "attribute", "collection", "collections", "columns", "data", "object", "objects", "the",
    "definition", "definitions", "structure", "shape", "shapes", "document", "documents", "aggregate", "root",
    "class", "properties", "database", "representation", "domain", "and", "main", "key", "relational", "dictionary", "metadata",
    "requirements", "er", "erd", "diagram", "state", "machine", "states", "status", "lifecycle", "workflow",
    "transitions", "statuses", "overview", "relationships", "description", "details", "information", "sql", "ddl",
    "prisma", "value", "of", "for", "logical", "physical", "conceptual", "design", "storage", "specification",
    "life", "cycle", "flow", "values", "interface", "interfaces", "type", "types", "new", "a", "an", "concepts",
    "example", "allowed", "proposed", "supporting", "additional", "other", "secondary", "auxiliary",
];

/// The name of a table or document, without the schema that it lies in: `po.vendor` is `vendor`. None for a name of a file.
pub(in crate::architect) fn table_of(code: &str) -> Option<&str> {
    const FILES: &[&str] = &[
        "ts", "tsx", "js", "jsx", "py", "cs", "sql", "md", "json", "yaml", "yml", "html", "css", "prisma", "txt", "env",
    ];
    let is_name =
        |it: &str| it.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !words::split(it).is_empty();
    match code.rsplit_once('.') {
        None => is_name(code).then_some(code),
        Some((schema, name)) => {
            let lower = |it: &str| it.starts_with(char::is_lowercase) && is_name(it);
            (lower(schema) && lower(name) && !FILES.contains(&name)).then_some(name)
        }
    }
}

/// The collection that a path in a store of documents names: `rounds/{roundId}/stops` keeps stops.
fn collection_of(code: &str) -> Option<&str> {
    let parts: Vec<&str> = code.split('/').filter(|it| !it.is_empty()).collect();
    let is_key = |it: &&str| it.starts_with('{') && it.ends_with('}') || it.starts_with(':');
    let plain = |it: &&str| is_key(it) || it.chars().all(|c| c.is_alphanumeric() || c == '_');
    let keyed = parts.len() >= 2 && !code.starts_with('/') && parts.iter().any(is_key) && parts.iter().all(plain);
    parts.into_iter().rev().find(|it| keyed && !is_key(it))
}

/// The thing that a heading names: `### 4.2 Order Item Table` is about `Order Item`.
pub(in crate::architect) fn thing_named(title: &Text) -> Option<String> {
    let codes: Vec<&str> = title.codes().filter_map(|it| collection_of(it).or_else(|| table_of(it))).collect();
    if let [code] = codes.as_slice() {
        return Some((*code).to_owned());
    }
    let text = without_number(title.plain.trim());
    let text = quoted(text).unwrap_or(text);
    let text = text.split(['(', '[']).next().unwrap_or(text);
    let parts: Vec<&str> = text.split([':', '—', '–']).flat_map(|part| part.split(" - ")).collect();
    // `Tabla: book_loans`, whatever the word for a table is.
    let stored = |it: &&str| it.contains('_') && fields::is_identifier(it) && it.starts_with(char::is_lowercase);
    if let Some(name) = parts.iter().map(|it| it.trim()).skip(1).find(stored) {
        return Some(name.to_owned());
    }
    // `Orders + Order Items` are two.
    parts.iter().enumerate().filter(|it| !it.1.contains(" + ")).find_map(|(at, part)| {
        let mut words: Vec<&str> = part
            .split_whitespace()
            .map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter(|it| !it.is_empty())
            .collect();
        let is_kind = |word: &str| KINDS.contains(&word.to_ascii_lowercase().as_str());
        // `Edit invoice`, `Booking form`: where a thing is entered.
        let says =
            |word: Option<&&str>, of: &[&str]| word.is_some_and(|it| of.contains(&it.to_ascii_lowercase().as_str()));
        if words.len() > 1 && says(words.first(), &["edit", "add"]) {
            words.remove(0);
        }
        if words.len() > 1 && says(words.last(), &["form"]) && !says(words.first(), SIGNING) {
            words.pop();
        }
        if words.len() > 1 && says_values(part) {
            return None;
        }
        while words.first().is_some_and(|word| is_kind(word)) {
            words.remove(0);
        }
        while words.last().is_some_and(|word| is_kind(word)) {
            words.pop();
        }
        // A `Documents Table` is one of documents.
        let kinds: Vec<&str> = part.split_whitespace().collect();
        if let ([name, kind], true) = (kinds.as_slice(), words.is_empty())
            && ["document", "documents"].contains(&name.to_ascii_lowercase().as_str())
            && ["table", "entity", "collection"].contains(&kind.to_ascii_lowercase().as_str())
        {
            words.push(name);
        }
        // `Response schema — OrderReadResponse` describes an order.
        let is_body =
            |word: &str| ["response", "request", "payload", "body"].iter().any(|it| word.eq_ignore_ascii_case(it));
        if let [only] = words.as_slice()
            && is_body(only)
            && let Some(form) = parts.get(at + 1).and_then(|it| it.split_whitespace().next())
            && form.matches(char::is_uppercase).count() >= 2
        {
            let thing = entities::without_role(form);
            if thing != form {
                return Some(thing).filter(|it| !words::ends_object(it));
            }
        }
        let titled = words.iter().all(|word| word.starts_with(char::is_uppercase));
        let fits = (1..=if titled { 4 } else { 3 }).contains(&words.len())
            && words.iter().all(|word| {
                word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/')) && !words::ends_object(word)
            })
            && words[0].chars().any(char::is_alphabetic);
        fits.then(|| words.join(" "))
    })
}

/// What stands in quotes behind the word for a form and its number: `Form F1 "New consignment"`.
fn quoted(title: &str) -> Option<&str> {
    let (before, rest) = title.split_once(['"', '“', '„'])?;
    let kind = before.split_whitespace().next()?.to_ascii_lowercase();
    let is_form = ["form", "screen", "page", "dialog", "dialogue", "view", "mask"].contains(&kind.as_str());
    Some(rest.trim_end_matches(['"', '”', '“'])).filter(|it| is_form && !it.contains(['"', '”']))
}

/// A heading without its number, and without what only decorates it: `### 3.1. 📦 Orders`.
pub(in crate::architect) fn without_number(title: &str) -> &str {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '{');
    // A digit in a box is a digit with two marks: `1️⃣ Orders`.
    let end = title.find(|c: char| !(c.is_ascii_digit() || ".\u{fe0f}\u{20e3}".contains(c))).unwrap_or(0);
    let rest = &title[end..];
    // `4a. Prices`
    let lettered = rest.strip_prefix(|c: char| c.is_ascii_lowercase()).filter(|it| it.starts_with(['.', ')']));
    let rest = lettered.filter(|_| end > 0 && !title[..end].contains('.')).map_or(rest, |it| &it[1..]);
    let numbered = end > 0 && rest.starts_with([' ', ')', '-', ':']);
    if numbered { rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/') } else { title }
}

/// Headings that describe several things, or none.
pub(in crate::architect) fn is_plain_heading(title: &str) -> bool {
    thing_named(&Text::of(title)).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_things() {
        let named = |title: &str| thing_named(&Text::of(title));
        assert_eq!(named("4.2 Order Item Table").as_deref(), Some("Order Item"));
        assert_eq!(named("Core Entity: JobApplication").as_deref(), Some("JobApplication"));
        assert_eq!(named("Users").as_deref(), Some("Users"));
        assert_eq!(named("Claim State Machine").as_deref(), Some("Claim"));
        assert_eq!(named("3. Data Model"), None);
        assert_eq!(named("4.2.2 Documents Table").as_deref(), Some("Documents"));
        assert_eq!(named("Document Structure"), None);
        assert_eq!(named("Entities and Relationships"), None);
    }
}
