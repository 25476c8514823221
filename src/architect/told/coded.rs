//! Members that a sentence sets as code one behind the other: ``sends a POST to `/stops` with `roundId`, `lat` and `lng` ``, ``the
//! stop record stores `startsAt`, `driverId` ``.

use super::{passing, thing};
use crate::architect::document::Text;
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::{fields, words};

/// What stands between a path and what is sent there.
const WITH: &[&str] = &["with", "containing", "including", "carrying"];

/// Verbs of what has members.
#[rustfmt::skip]
const HAS: &[&str] = &[
    "stores", "store", "storing", "records", "recording", "holds", "holding", "keeps", "keeping", "tracks", "tracking", "logs",
    "logging", "has", "have", "having", "contains", "contain", "containing", "includes", "include", "including", "captures",
    "capturing", "persists", "persisting",
];

/// Nouns for what is kept of a thing.
const KEPT: &[&str] = &["record", "entry", "row", "document", "table", "collection", "entity", "model", "object"];

/// Words between a verb and the names.
const BETWEEN: &[&str] =
    &["the", "its", "a", "an", "following", "fields", "columns", "field", "attributes", "properties", "values", "body"];

/// How far from the names the rest of the sentence is looked at, in bytes.
const NEAR: usize = 400;

pub(super) fn coded(notes: &mut Notes, text: &Text, line: u32) {
    for (from, end, names) in runs(text) {
        let before = &text.plain[text.plain.floor_char_boundary(from.saturating_sub(NEAR))..from];
        let before = before.rsplit(['\n', ';']).next().unwrap_or(before);
        let before: Vec<&str> = before.rsplit(". ").next().unwrap_or(before).split_whitespace().collect();
        let behind: Vec<&str> = text.plain[end..].split_whitespace().take(4).collect();
        let Some(name) = sent(&before, &behind).or_else(|| kept(notes, &before)) else { continue };
        let found = names.into_iter().map(|name| FieldNote { name, line, stated: true, ..FieldNote::default() });
        passing(notes, &name, line, found.collect());
    }
}

/// The names in a row that a text sets as code, from where to where: two or more with commas or `and` between them. Brackets behind a
/// name explain it.
fn runs(text: &Text) -> Vec<(usize, usize, Vec<String>)> {
    let mut found: Vec<(usize, usize, Vec<String>)> = Vec::new();
    let mut depth_end = 0;
    for (from, end) in text.code_places().iter().copied() {
        let name = text.plain[from..end].trim_end_matches(['?', '[', ']']);
        if from < depth_end {
            continue;
        }
        if !fields::is_identifier(name) || !name.starts_with(char::is_lowercase) {
            found.push((from, end, Vec::new()));
            continue;
        }
        let joins = found
            .last()
            .is_some_and(|it| !it.2.is_empty() && is_joint(text.plain[it.1..from].trim_matches(['`', ' '])));
        match found.last_mut().filter(|_| joins) {
            Some(last) => {
                last.1 = end;
                last.2.push(name.to_owned());
            }
            None => found.push((from, end, vec![name.to_owned()])),
        }
        // Codes in brackets behind a name are values of the name, no further names: `` `kind` (`in` or `out`) ``.
        let rest = text.plain[end..].trim_start_matches('`');
        if rest.trim_start().starts_with('(')
            && let Some(close) = rest[..rest.floor_char_boundary(NEAR)].find(')')
        {
            depth_end = text.plain.len() - rest.len() + close + 1;
            if let Some(last) = found.last_mut() {
                last.1 = depth_end;
            }
        }
    }
    found.retain(|it| it.2.len() >= 2);
    found
}

fn is_joint(between: &str) -> bool {
    between.split([' ', ',', '`']).all(|it| ["", "and", "or", "&", "plus", "optional", "optionally"].contains(&it))
}

/// The thing that a request creates or changes, by the last segment of the path of the request: the path stands right before `with`,
/// or behind `to`.
fn sent(before: &[&str], behind: &[&str]) -> Option<String> {
    let plain = |it: &str| it.trim_matches(|c: char| "`*(),.:;'\"".contains(c)).to_owned();
    let changes = |it: &&str| ["POST", "PUT", "PATCH"].contains(&plain(it).as_str());
    if !before.iter().chain(behind).any(changes) {
        return None;
    }
    let path = match (before, behind) {
        ([.., path, with], _) if WITH.contains(&plain(with).as_str()) && path.contains('/') => path,
        ([.., path, "request" | "body" | "and", with], _) if WITH.contains(&plain(with).as_str()) => path,
        (_, ["to", method, path, ..]) if changes(method) => path,
        (_, ["to", path, ..]) if path.contains('/') => path,
        _ => return None,
    };
    let path = plain(path);
    let last =
        path.split(['?', '#']).next()?.split('/').rfind(|it| !it.is_empty() && !it.starts_with([':', '{', '<']))?;
    (path.starts_with('/') && words::is_plural(last)).then(|| words::singular(&last.replace(['-', '_'], " ")))
}

/// The thing whose members follow: `The stop record stores`, `an audit log entry recording`.
fn kept(notes: &Notes, before: &[&str]) -> Option<String> {
    let plain = |it: &&str| it.trim_matches(|c: char| "`*(),.:;'\"".contains(c)).to_ascii_lowercase();
    let mut words: Vec<String> = before.iter().map(plain).collect();
    while words.last().is_some_and(|it| BETWEEN.contains(&it.as_str())) {
        words.pop();
    }
    let verb = words.pop().filter(|it| HAS.contains(&it.as_str()))?;
    let ends = |it: &String| words::is_determiner(it) || words::ends_object(it) || it.is_empty() || it.contains('/');
    let from = words.iter().rposition(ends).map_or(0, |it| it + 1);
    let noun: Vec<String> = words.split_off(from);
    let is_kept = noun.len() > 1 && noun.last().is_some_and(|it| KEPT.contains(&words::singular(it).as_str()));
    let noun = if is_kept { &noun[..noun.len() - 1] } else { &noun };
    // An entry of an audit log is what the log has.
    if let [.., of, "log"] = noun.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
        && is_kept
    {
        return Some(format!("{of} log"));
    }
    let noun = &noun[noun.len().saturating_sub(3)..];
    let name = thing(notes, noun)?;
    let gerund = verb.ends_with("ing");
    (is_kept || notes.known(&name).is_some() && !gerund).then_some(name)
}
