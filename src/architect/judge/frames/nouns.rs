//! Nouns around a place in a sentence, and which of them are things: the subject of a verb, the object, the noun that ends or begins there.

use super::vocabulary::{KEEPERS, KINDS, MAY_BE_ONE, RECORDS, WRITES};
use crate::architect::judge::lists::plain;
use crate::architect::judge::tags::{Kind, Word, is_participle};
use crate::architect::words::{self, Deed};

/// The place of the first of the articles and the like that end before a place.
pub(super) fn skip_articles(words: &[Word], at: usize) -> usize {
    let at = skip_said(words, at);
    // `the guest's name`
    let genitive = at > 1 && words[at - 1].lower.starts_with(['\'', '’']) && words[at - 2].kind == Kind::Noun;
    match ending(words, at.saturating_sub(1)).filter(|_| genitive) {
        Some(noun) => skip_said(words, at - 1 - noun.len()),
        None => at,
    }
}

/// The place of the first of the words that end before a place and say which or how many.
pub(super) fn skip_said(words: &[Word], mut at: usize) -> usize {
    const SAID: &[&str] = &["following", "exact", "at", "least", "both", "optional", "its", "their", "own", "all"];
    while at > 0
        && !words[at - 1].lower.starts_with(['\'', '’'])
        && (matches!(words[at - 1].kind, Kind::Determiner | Kind::Adverb)
            || SAID.contains(&words[at - 1].lower.as_str()))
    {
        at -= 1;
    }
    at
}

/// The noun and the words of its name that end before a place, where nothing but an article or a mark stands before these.
pub(super) fn subject(words: &[Word], end: usize) -> Option<&[Word]> {
    let noun = ending(words, end)?;
    let from = end - noun.len();
    let start = (0..from)
        .rev()
        .find(|it| [":", "–", "—", "|", "]", ")"].contains(&words[*it].text.as_str()))
        .map_or(0, |it| it + 1);
    // `When a boat comes back, a damage is recorded`
    let clause = (start..from).rev().find(|it| words[*it].text == "," && *it + 1 < from).map_or(start, |it| it + 1);
    let opens_clause = clause > start && words[clause..from].iter().all(|it| it.kind == Kind::Determiner);
    if opens_clause {
        return Some(noun);
    }
    let opens = words[start..from].iter().all(|it| {
        matches!(it.kind, Kind::Determiner | Kind::Adverb | Kind::Other) || it.text.chars().any(|c| c.is_ascii_digit())
    });
    opens.then_some(noun)
}

/// The noun and the words of its name that end before a place.
pub(super) fn ending(words: &[Word], end: usize) -> Option<&[Word]> {
    let from = (0..end).rev().take_while(|it| matches!(words[*it].kind, Kind::Noun | Kind::Adjective)).last()?;
    (words.get(end.checked_sub(1)?)?.kind == Kind::Noun).then(|| &words[from..end])
}

/// The place where a bracket opens that closes before a place; else the place itself.
pub(super) fn without_bracket(words: &[Word], end: usize) -> usize {
    let closes = end > 0 && words[end - 1].text == ")";
    (0..end).rev().find(|it| closes && words[*it].text == "(").unwrap_or(end)
}

/// The thing whose second verb a sentence says at a place: `A shipment belongs to an order and has a number`.
pub(super) fn goes_on(words: &[Word], verb: usize) -> Option<&[Word]> {
    let joint = verb.checked_sub(1).filter(|it| words[*it].kind == Kind::Joint)?;
    let first = (0..joint).find(|it| matches!(words[*it].kind, Kind::Verb | Kind::Auxiliary))?;
    subject(words, first)
}

/// The thing that is all that stands before a colon: `Stop: name, latitude, longitude`.
pub(super) fn labelled(words: &[Word], end: usize) -> Option<&[Word]> {
    let noun = ending(words, end).filter(|it| it.len() == end)?;
    let last = words::singular(&noun[noun.len() - 1].lower);
    // Whoever takes messages has none of them.
    let party = ["consumer", "producer", "publisher", "subscriber", "event", "topic", "queue"].contains(&last.as_str());
    (!party && !KINDS.contains(&last.as_str())).then_some(noun)
}

/// Whether somebody makes or notes here what follows, articles apart.
pub(super) fn is_made(words: &[Word], at: usize) -> bool {
    // `create, edit and archive a family`
    let verbs =
        words[..skip_articles(words, at)].iter().rev().take_while(|it| matches!(it.kind, Kind::Verb | Kind::Joint));
    verbs.filter(|it| it.kind == Kind::Verb).any(|it| makes(&it.lower))
}

/// Whether a verb makes, changes or notes something.
pub(super) fn makes(lower: &str) -> bool {
    let deed = words::verb(lower).map(|(_, deed)| deed);
    matches!(deed, Some(Deed::Create | Deed::Update | Deed::Manage))
        || RECORDS.contains(&lower)
        || lower.strip_suffix('s').is_some_and(|it| RECORDS.contains(&it))
}

/// The first thing that is made before a place: `records a loan for a member`.
pub(super) fn done_to(words: &[Word], end: usize) -> Option<&[Word]> {
    let verb = (0..end).find(|it| *it + 1 < end && is_made(words, *it + 1))?;
    noun_at(words.get(..end)?, verb + 1)
}

/// Whether a sentence speaks of any one of its subject: `A claim is`, `Each claim is`, not `The portal is`.
pub(super) fn is_one(words: &[Word]) -> bool {
    words.first().is_some_and(|it| ["a", "an", "each", "every"].contains(&it.lower.as_str()))
}

/// Whether a word means members of things in general.
pub(super) fn is_members(word: &Word) -> bool {
    const MEMBERS: &[&str] =
        &["field", "attribute", "property", "column", "detail", "information", "data", "metadata", "parameter", "info"];
    MEMBERS.contains(&words::singular(&word.lower).as_str())
}

/// The noun with the words of its name that begins at a place.
pub(super) fn noun_at(words: &[Word], mut at: usize) -> Option<&[Word]> {
    while words.get(at)?.kind == Kind::Determiner {
        at += 1;
    }
    let end =
        (at..words.len()).find(|it| !matches!(words[*it].kind, Kind::Noun | Kind::Adjective)).unwrap_or(words.len());
    (end > at && words[end - 1].kind == Kind::Noun).then(|| &words[at..end])
}

/// The object of the first verb of making within a few words: `creating a claim`, `they register a claim`.
pub(super) fn made(words: &[Word], from: usize) -> Option<&[Word]> {
    const NEAR: usize = 4;
    let makes = |it: &Word| {
        words::verb(&it.lower).or_else(|| words::verbal_noun(&it.lower)).is_some_and(|(base, deed)| {
            matches!(deed, Deed::Create | Deed::Update | Deed::Manage)
                || ["submit", "register", "save", "schedule", "book"].contains(&base)
        })
    };
    let at = (from..words.len().min(from + NEAR)).find(|it| makes(&words[*it]) && words[*it].kind != Kind::Noun)?;
    noun_at(words, at + 1)
}

/// The name of a thing from the words of a noun: without what says how the thing is kept or shown, and none for what keeps things.
/// Where the sentence speaks of `one` of several, a noun may be a thing that otherwise means the product: `each project`.
pub(super) fn kept(noun: &[Word], one: bool) -> Option<String> {
    #[rustfmt::skip]
    const KEPT: &[&str] = &[
        "record", "entry", "row", "form", "card", "page", "detail", "information", "profile", "list", "table", "screen",
        "model", "object", "item", "document", "view",
    ];
    let mut noun = noun;
    let whole = noun.len();
    while noun.len() > 1
        && noun.last().is_some_and(|it| is_members(it) || KEPT.contains(&words::singular(&it.lower).as_str()))
    {
        noun = &noun[..noun.len() - 1];
    }
    // `user metadata` belongs to users; a sentence about `users` alone mostly says what users do.
    let of_users = noun.len() < whole && noun.last().is_some_and(|it| words::singular(&it.lower) == "user");
    while noun.first().is_some_and(|it| words::is_determiner(&it.lower) || is_participle(&it.lower) && noun.len() > 1) {
        noun = &noun[1..];
    }
    // `create additional columns`: columns belong to a thing and are none.
    if noun.last().is_some_and(is_members) {
        return None;
    }
    let last = words::singular(&noun.last()?.lower);
    let name = plain(noun);
    let fits = noun.len() <= 3 && last.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && last.len() >= 3;
    (fits
        && !last.ends_with("ly")
        && !is_state(noun)
        && (of_users || one && MAY_BE_ONE.contains(&last.as_str()) || !KEEPERS.contains(&last.as_str()))
        && !words::is_technical(&last)
        && !words::is_no_thing(&words::key(&name)))
    .then_some(name)
}

/// Whether a noun says how something is rather than which thing: `planned`, `in_progress`, `Held`.
pub(super) fn is_state(noun: &[Word]) -> bool {
    #[rustfmt::skip]
    const STATES: &[&str] = &[
        "new", "complete", "active", "inactive", "open", "draft", "pending", "ready", "in_progress", "in progress", "own", "held", "not held",
        "planned", "stored", "kept", "closed", "resolved", "completed", "cancelled", "approved", "rejected", "done",
    ];
    STATES.contains(&plain(noun).to_lowercase().as_str())
}

/// What somebody makes or notes before a colon: `she records the collection:`, `the clerk adds a claim:`.
pub(super) fn object(words: &[Word], end: usize) -> Option<&[Word]> {
    let noun = ending(words, end)?;
    let verb = &words[skip_articles(words, end - noun.len()).checked_sub(1)?].lower;
    (makes(verb) || WRITES.contains(&verb.as_str())).then_some(noun)
}
