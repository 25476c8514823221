//! Things that prose declares as such: `Create roles and permissions tables`, `Create the Identity domain model`, `Inspector
//! has_many Inspections`.

use super::{is_component, is_technology};
use crate::architect::clauses::apart;
use crate::architect::document::{Document, Kind};
use crate::architect::notes::Notes;
use crate::architect::topics::Topic;
use crate::architect::{told, words};

/// Tables that a text names from which on it is taken to declare them.
const ENOUGH: usize = 3;

pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut tables: Vec<(String, u32)> = Vec::new();
    let mut models: Vec<(String, u32)> = Vec::new();
    let about = document.topics.contains(&Some(Topic::Data));
    for (at, text) in texts(document) {
        if document.asides[document.blocks[at].section] {
            continue;
        }
        let line = document.blocks[at].line;
        if let Kind::Paragraph(text) | Kind::Item(text, _) = &document.blocks[at].kind {
            for name in text.plain.lines().flat_map(owned) {
                notes.entity(&name, line);
            }
        }
        for sentence in apart(&text) {
            tables.extend(
                before(sentence, &["table", "tables", "collection", "collections"]).into_iter().map(|it| (it, line)),
            );
            for name in listed(sentence, about) {
                notes.entity(&name, line);
            }
            models.extend(modelled(sentence).into_iter().map(|it| (it, line)));
            for name in related(sentence) {
                notes.entity(&name, line);
            }
        }
    }
    let mut names: Vec<String> = tables.iter().map(|(name, _)| words::key(name)).collect();
    names.sort();
    names.dedup();
    if names.len() < if about { 1 } else { ENOUGH } {
        tables.clear();
    }
    models.retain(|(name, _)| !words::is_no_thing(&words::key(name)));
    for (name, line) in tables.into_iter().chain(models) {
        if !is_technology(&name) && !is_component(&name) {
            notes.entity(&name, line);
        }
    }
}

/// Words before `entities` or `tables` in a label that speaks of data.
const ABOUT: &[&str] =
    &["core", "main", "key", "data", "domain", "database", "db", "primary", "model", "the", "business"];

/// Things in a row behind a label that says they are entities or tables: `Entities: User, OrderItem, Track`, `Tables: users, order_items`.
fn listed(sentence: &str, about: bool) -> Vec<String> {
    let Some((label, rest)) = sentence.split_once(':') else { return Vec::new() };
    let label = words::split(label);
    let kind = |it: &String| ["entities", "tables", "collections", "aggregates"].contains(&it.as_str());
    // `Legal entities: Germany, France, Spain`
    let other = |it: &String| !ABOUT.contains(&it.as_str()) && !kind(it);
    if label.len() > 3 || !label.last().is_some_and(kind) || label.iter().any(other) {
        return Vec::new();
    }
    let tables = label.last().is_some_and(|it| it != "entities" && it != "aggregates");
    // `Collections: Women, Men, Kids` of a shop.
    if label.last().is_some_and(|it| it == "collections") && !about {
        return Vec::new();
    }
    let is_name = |it: &str| {
        let plain = it.chars().all(|c| c.is_alphanumeric() || "_ -".contains(c));
        let capital = it.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
        let table = tables && !it.contains(' ') && it.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        plain && !it.is_empty() && it.split_whitespace().count() <= 3 && (capital || table)
    };
    let rest = told::sentences::without_brackets(rest);
    let names: Vec<&str> = rest
        .trim_end_matches(['.', ';', ' '])
        .split(',')
        .flat_map(|it| it.split(" and "))
        .map(|it| it.trim().trim_start_matches("and ").trim_matches(['`', '*', ' ']))
        .collect();
    if names.len() < 3 || !names.iter().all(|it| is_name(it)) {
        return Vec::new();
    }
    let named = names.into_iter().filter(|it| !words::is_no_thing(&words::key(it)) && !is_technology(it));
    named.map(str::to_owned).collect()
}

/// Things that a part of the program has to itself, on a line that says so: `Owns: Order, OrderLine.`
fn owned(line: &str) -> Vec<String> {
    let Some(rest) =
        ["Owns: ", "Owned entities: ", "Owns data: "].iter().find_map(|it| line.trim_start().strip_prefix(it))
    else {
        return Vec::new();
    };
    let rest = told::sentences::without_brackets(rest.split(". ").next().unwrap_or(rest));
    let names = rest.trim_end_matches(['.', ';', ' ']).split(',').map(|it| it.trim().trim_matches(['`', '*', ' ']));
    let fits = |it: &&str| {
        it.starts_with(char::is_uppercase)
            && (1..=3).contains(&it.split_whitespace().count())
            && it.chars().all(|c| c.is_alphanumeric() || c == ' ')
            && !words::is_no_thing(&words::key(it))
    };
    names.filter(fits).map(str::to_owned).collect()
}

fn texts(document: &Document) -> impl Iterator<Item = (usize, String)> {
    document.blocks.iter().enumerate().filter_map(|(at, block)| match &block.kind {
        Kind::Paragraph(text) | Kind::Item(text, _) => Some((at, text.plain.replace('\n', " "))),
        _ => None,
    })
}

fn clean(word: &str) -> &str {
    word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// Names before a word that says what they are: `roles and permissions tables`. Each is in the plural, as names of tables are,
/// or written as programs write names.
fn before(sentence: &str, kinds: &[&str]) -> Vec<String> {
    let all: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 1..all.len() {
        if !kinds.contains(&clean(all[at]).to_ascii_lowercase().as_str()) {
            continue;
        }
        let mut end = at;
        while end > 0 {
            let word = clean(all[end - 1]);
            let is_name = word.contains('_') || words::is_plural(&word.to_ascii_lowercase());
            if !is_name || word.chars().any(|c| !(c.is_ascii_lowercase() || c == '_')) || words::is_determiner(word) {
                break;
            }
            found.push(word.to_owned());
            end -= 1;
            let joint =
                end > 1 && (all[end - 1] == "and" || all[end - 1] == "&") || end > 0 && all[end - 1].ends_with(',');
            if !joint {
                break;
            }
            end -= usize::from(!all[end - 1].ends_with(','));
        }
    }
    found
}

/// `Create Identity domain model`, `Implement the role entity`: what is made is a thing.
fn modelled(sentence: &str) -> Option<String> {
    let all: Vec<&str> = sentence.split_whitespace().map(clean).filter(|it| !it.is_empty()).collect();
    let verb = all.iter().take(3).position(|it| {
        ["create", "define", "implement", "add", "design"].contains(&it.to_ascii_lowercase().as_str())
    })?;
    let rest: Vec<&str> = all[verb + 1..].iter().copied().skip_while(|it| words::is_determiner(it)).take(5).collect();
    let kind = rest
        .iter()
        .position(|it| ["domain", "entity", "aggregate", "struct"].contains(&it.to_ascii_lowercase().as_str()))?;
    let whole = !rest[kind].eq_ignore_ascii_case("domain")
        || rest.get(kind + 1).is_some_and(|it| it.eq_ignore_ascii_case("model"));
    let fits = (1..=2).contains(&kind)
        && rest[..kind].iter().all(|it| it.chars().all(char::is_alphanumeric) && !words::ends_object(it));
    (whole && fits).then(|| rest[..kind].join(" "))
}

/// `Inspector has_many Inspections`, outside of brackets.
fn related(sentence: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut open = String::new();
    for c in sentence.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => open.push(c),
            _ => {}
        }
    }
    let all: Vec<&str> = open.split_whitespace().map(clean).collect();
    let named =
        |at: usize| all.get(at).filter(|it| it.starts_with(char::is_uppercase) && it.chars().any(char::is_lowercase));
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate().skip(1) {
        let says = ["has_many", "belongs_to", "has_one", "has_and_belongs_to_many"].contains(word);
        if let (Some(one), Some(other), true) = (named(at - 1), named(at + 1), says) {
            found.extend([words::singular(one), words::singular(other)]);
        }
    }
    found
}
