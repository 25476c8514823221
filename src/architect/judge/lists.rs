//! Lists of names in sentences: `title, due date and priority`, and how each name may be read.

use rustc_hash::FxHashSet;

use super::lexicon;
use super::tags::{Kind, Word, is_participle, is_writing};
use super::trees::{number, yes};
use super::units::Unit;
use crate::architect::{fields, words};

/// Nouns in a row: `title, due date and priority`.
#[derive(Debug)]
pub(super) struct List {
    /// Where the list begins and ends among the words of its sentence.
    pub(super) from: usize,
    pub(super) end: usize,
    pub(super) names: Vec<Name>,
    pub(super) opened: &'static str,
}

/// A name in a list: where its words stand, and how it reads.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) from: usize,
    pub(super) end: usize,
    pub(super) text: String,
    /// Read another way than word by word: `start date` of `start/end date`, `cover letter` where `cover` may be a verb.
    pub(super) other: bool,
    /// All that stands between two commas, whatever words these are: `created by`.
    pub(super) whole: bool,
}

pub(super) fn plain(words: &[Word]) -> String {
    words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// What has more words is data, not a sentence that says what a thing has.
pub(super) const LONGEST_SENTENCE: usize = 400;

/// The lists of a sentence: where each begins and ends, and which share of its names is called like members.
pub(super) fn rows(unit: &Unit) -> Vec<(usize, usize, f32)> {
    if unit.words.len() > LONGEST_SENTENCE {
        return Vec::new();
    }
    let several = |it: &&List| it.names.len() >= 2;
    lists(unit).iter().filter(several).map(|it| (it.from, it.end, members_of(it, &unit.words))).collect()
}

/// The share of the names of a list that are called like members, from 0 to 1.
pub(super) fn members_of(list: &List, words: &[Word]) -> f32 {
    list.names.iter().map(|it| member_like(&words[it.from..it.end])).sum::<f32>() / number(list.names.len().max(1))
}

fn member_like(name: &[Word]) -> f32 {
    // The head of `date of return` is `date`.
    let head = name.iter().position(|it| it.kind == Kind::Preposition).filter(|at| *at > 0);
    let Some(last) = name[..head.unwrap_or(name.len())].last() else { return 0.0 };
    yes(lexicon::is_member(&words::singular(&last.lower)) || words::is_common(&last.lower))
}

/// Nouns in a row, each with adjectives before it, and single nouns.
pub(super) fn lists(unit: &Unit) -> Vec<List> {
    let words = &unit.words;
    let mut found: Vec<List> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let element_here = || is_start(words, at).then(|| element(words, at)).flatten();
        let Some((from, end)) = name_at(words, at) else {
            // `Created by` alone, or before more: `assigned to, status`
            let Some((from, end)) = element_here().filter(|it| {
                it.0 == 0 && it.1 == words.len() || words.get(it.1).is_some_and(|it| it.kind == Kind::Joint)
            }) else {
                at += 1;
                continue;
            };
            let name = Name { from, end, text: plain(&words[from..end]), other: false, whole: true };
            found.push(List { from, end, names: vec![name], opened: opened(words, from) });
            at += 1;
            continue;
        };
        let whole = element_here().filter(|it| it.1 > end);
        let mut parts = vec![Part { from, end, whole }];
        let mut to = whole.map_or(end, |it| it.1);
        // What goes on behind commas and joints; brackets between names explain the name before.
        loop {
            let mut next = to;
            if words.get(next).is_some_and(|it| it.text == "(")
                && let Some(close) = (next..words.len().min(next + 14)).find(|it| words[*it].text == ")")
                && words.get(close + 1).is_some_and(|it| it.kind == Kind::Joint)
            {
                next = close + 1;
            }
            // `amount?, createdAt`
            let marked = words.get(next).is_some_and(|it| ["?", "*", "!"].contains(&it.text.as_str()));
            next += usize::from(marked && words.get(next + 1).is_some_and(|it| it.kind == Kind::Joint));
            if words.get(next).is_none_or(|it| it.kind != Kind::Joint) {
                break;
            }
            while words.get(next).is_some_and(|it| matches!(it.kind, Kind::Joint | Kind::Adverb) && it.lower != "then")
            {
                next += 1;
            }
            // `links a book to a member and stores the day`
            if words.get(next).is_some_and(|it| it.kind == Kind::Verb && is_writing(&it.lower)) {
                break;
            }
            // `with a number and a date, then upload photos`
            if words.get(next).is_some_and(|it| it.lower == "then") {
                break;
            }
            let whole = element(words, next);
            let Some((from, end)) = name_at(words, next).or(whole) else { break };
            // `For each order, the system records`: a clause begins behind the comma.
            if words[end - 1].kind == Kind::Noun && is_said_of(words, end) && !is_start(words, parts[0].from) {
                break;
            }
            let whole = whole.filter(|it| it.1 > end || *it == (from, end) && name_at(words, next).is_none());
            parts.push(Part { from, end, whole });
            to = whole.map_or(end, |it| it.1);
        }
        let alone = parts.len() == 1;
        found.push(List { from, end: to, names: named(words, &parts), opened: opened(words, from) });
        at = if alone { end } else { at.max(end) };
        // Brackets within the list may hold lists of their own.
        if !alone {
            let inner = words[end..to].iter().position(|it| it.text == "(");
            at = inner.map_or(to, |it| end + it);
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|it| seen.insert((it.from, it.end)));
    found
}

/// Whether a part of a list may begin at a word.
fn is_start(words: &[Word], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|it| &words[it]) else { return true };
    before.kind == Kind::Joint || [":", "(", "[", "{", "-", "–", "—", "•"].contains(&before.text.as_str())
}

/// All words up to the next comma or mark, where these are few and say no sentence: `created by`, `is active`, `time spent`.
fn element(words: &[Word], mut at: usize) -> Option<(usize, usize)> {
    while words.get(at).is_some_and(|it| it.kind == Kind::Determiner && !it.lower.starts_with('\'')) {
        at += 1;
    }
    let end = (at..words.len()).find(|it| matches!(words[*it].kind, Kind::Joint | Kind::Other)).unwrap_or(words.len());
    let said = words.get(at..end).filter(|it| (1..=4).contains(&it.len()))?;
    // `and has a name`, `, giving a mark`, `, each with a cover`: a clause of its own begins.
    let is_clause = |it: &[Word]| matches!(it[0].kind, Kind::Verb | Kind::Auxiliary) && it[1].kind == Kind::Determiner;
    let has = said.len() > 1 && ["contains", "includes", "comprises", "consists"].contains(&said[0].lower.as_str());
    // `each is known by a number` says of a thing what follows.
    let known = said.len() > 2 && said[0].kind == Kind::Auxiliary && ["by", "with"].contains(&said[2].lower.as_str());
    // `a detail, on which`
    let relative =
        words[at..words.len().min(end + 1)].iter().any(|it| ["which", "whom", "whose"].contains(&it.lower.as_str()));
    let with = said.len() > 1 && said[0].lower == "with";
    if said.windows(2).any(is_clause) || known || has || relative || with {
        return None;
    }
    let is = |it: &Word| ["is", "has", "can"].contains(&it.lower.as_str());
    let plain = said.iter().enumerate().all(|(place, it)| match it.kind {
        Kind::Auxiliary => place == 0 && is(it) && said.len() > 1,
        Kind::To | Kind::Determiner => place > 0,
        // `Claims contain a date`, but `action taken`
        Kind::Verb => place == 0 || said[place - 1].kind != Kind::Noun || is_participle(&it.lower),
        _ => true,
    });
    plain.then_some((at, end))
}

/// Whether a sentence says here what the noun before does.
fn is_said_of(words: &[Word], at: usize) -> bool {
    let said = words.iter().skip(at).find(|it| it.kind != Kind::Adverb);
    said.is_some_and(|it| it.kind == Kind::Auxiliary || it.kind == Kind::Verb && !is_participle(&it.lower))
}

/// Whether a type stands behind a name: `id (UUID)`, `title: string`, `cargo_type VARCHAR`.
pub(super) fn has_type_behind(words: &[Word], end: usize) -> bool {
    let behind =
        words.iter().skip(end).filter(|it| !["(", ":", "-", "–", "—", "?", "*", "`", "\""].contains(&it.text.as_str()));
    behind.take(1).any(|it| fields::is_type(&it.text))
}

/// A part of a list: where its name stands, and all that stands between two commas where this is another name.
#[derive(Clone, Copy)]
struct Part {
    from: usize,
    end: usize,
    whole: Option<(usize, usize)>,
}

/// The names of the parts of a list, and other ways to read them.
fn named(words: &[Word], parts: &[Part]) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::with_capacity(parts.len());
    for (at, Part { from, end, whole }) in parts.iter().copied().enumerate() {
        // `id int pk` is called `id`.
        let typed = words[from + 1..end].iter().take_while(|it| is_type(&it.lower)).count();
        let end = if from + 1 + typed == end && !is_type(&words[from].lower) { from + 1 } else { end };
        let text = plain(&words[from..end]);
        if ["pk", "fk"].contains(&text.to_ascii_lowercase().as_str()) {
            continue;
        }
        let mut other = |text: String| found.push(Name { from, end, text, other: true, whole: false });
        // `joined date`, `available spots`
        if let Some(before) = from.checked_sub(1).map(|it| &words[it])
            && (before.kind == Kind::Verb && (before.lower.ends_with("ed") || before.lower.ends_with("ing"))
                || TELLING.contains(&before.lower.as_str()))
        {
            other(plain(&words[from - 1..end]));
        }
        // `effectiveDate DateTime`
        if end - from > 1 && is_code(&words[from].text) {
            other(words[from].text.clone());
        }
        // `Nationality dropdown`, `Print status tracking`, `Email signup`
        if end - from > 1 && is_shown_or_done(&words[end - 1].lower) {
            other(plain(&words[from..end - 1]));
        }
        // `start/end date`
        if let Some(next) = parts.get(at + 1)
            && end - from == 1
            && next.end - next.from == 2
            && ["date", "time", "dates", "times"].contains(&words[next.end - 1].lower.as_str())
        {
            other(format!("{text} {}", words[next.end - 1].text));
        }
        // `Cover letter, amount`: what is written like a verb may be part of a name.
        if at == 0 && from == 1 && words[0].kind == Kind::Verb && words::is_noun_too(&words[0].lower) {
            other(plain(&words[0..end]));
        }
        let is_whole = whole == Some((from, end));
        if let Some((from, end)) = whole.filter(|_| !is_whole) {
            found.push(Name { from, end, text: plain(&words[from..end]), other: true, whole: true });
        }
        found.push(Name { from, end, text, other: false, whole: is_whole });
    }
    found
}

/// Whether a word is a type of a column, and no word of a name.
fn is_type(lower: &str) -> bool {
    #[rustfmt::skip]
    const TYPES: &[&str] = &[
        "int", "integer", "bigint", "pk", "fk", "uuid", "varchar", "string", "bool", "boolean", "timestamp", "timestamptz", "datetime",
        "float", "decimal", "serial", "jsonb", "json", "null",
    ];
    TYPES.contains(&lower)
}

/// Whether a word is written as names in programs are: `due_date`, `dueDate`.
fn is_code(word: &str) -> bool {
    word.contains('_') || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// Whether a word behind the name of a member says how the member is shown or what is done with the member.
fn is_shown_or_done(lower: &str) -> bool {
    #[rustfmt::skip]
    const SHOWN: &[&str] = &[
        "field", "fields", "dropdown", "input", "picker", "selector", "selection", "display", "filter", "column", "box", "label", "flag",
        "badge", "slider", "toggle", "area", "indicator", "info", "information", "value", "attribute", "property", "timestamp", "signup",
        "login", "specification", "support", "preference", "setting", "option",
    ];
    SHOWN.contains(&words::singular(lower).as_str()) || words::verbal_noun(lower).is_some()
}

/// Words that are left out before names, and are part of some: `available spots`, `current balance`.
const TELLING: &[&str] = &[
    "available",
    "current",
    "initial",
    "personal",
    "active",
    "last",
    "next",
    "previous",
    "first",
    "full",
    "total",
    "unique",
    "additional",
    "detailed",
    "required",
];

/// A name that begins here: `the due date`, without the article; `date of birth`.
fn name_at(words: &[Word], mut at: usize) -> Option<(usize, usize)> {
    while words.get(at).is_some_and(|it| it.kind == Kind::Determiner && !it.lower.starts_with('\'')) {
        at += 1;
    }
    let adjectives = (at..words.len()).find(|it| words[*it].kind != Kind::Adjective).unwrap_or(words.len());
    let nouns_from = |from: usize| (from..words.len()).find(|it| words[*it].kind != Kind::Noun).unwrap_or(words.len());
    let mut end = nouns_from(adjectives);
    let mut from = at;
    // `optional description`
    while from + 1 < end && is_sort(&words[from].lower) {
        from += 1;
    }
    let fits = end > adjectives && end - from <= 4;
    if fits
        && end - from == 1
        && OF.contains(&words::singular(&words[from].lower).as_str())
        && words.get(end).is_some_and(|it| it.lower == "of")
    {
        let to = nouns_from(end + 1);
        end = if to > end + 1 && to <= end + 3 { to } else { end };
    }
    // `days remaining`
    let rest = words.get(end).filter(|it| ["remaining", "left"].contains(&it.lower.as_str()));
    if rest.is_some() && words.get(end + 1).is_none_or(|it| matches!(it.kind, Kind::Joint | Kind::Other)) {
        end += 1;
    }
    fits.then_some((from, end))
}

/// Nouns that are members only with what they are of: `date of birth`, `number of rooms`.
const OF: &[&str] = &[
    "date", "number", "place", "year", "time", "type", "proof", "point", "method", "mode", "country", "reason", "area",
];

/// Whether a word says which of several, and is no part of a name.
fn is_sort(lower: &str) -> bool {
    words::is_determiner(lower) && !["full", "first", "last", "current", "initial", "next", "previous"].contains(&lower)
        || ["optional", "required", "detailed", "unique", "basic", "relevant"].contains(&lower)
}

fn opened(words: &[Word], from: usize) -> &'static str {
    let mut before = from;
    while before > 0
        && (matches!(words[before - 1].kind, Kind::Determiner | Kind::Adverb) || is_sort(&words[before - 1].lower))
    {
        before -= 1;
    }
    let Some(last) = before.checked_sub(1).map(|it| &words[it]) else { return "begins" };
    match last.lower.as_str() {
        "(" | "[" | "{" => "bracket",
        ":" | "-" | "–" | "—" => "colon",
        "with" => "with",
        "including" | "include" | "includes" | "contains" | "containing" | "captures" | "comprises" | "has"
        | "have" | "as" | "like" => "includes",
        "by" => "by",
        "of" => "of which",
        "for" | "in" | "on" | "to" | "from" | "at" => "preposition",
        _ => match last.kind {
            Kind::Verb => "verb",
            Kind::Joint => "joint",
            Kind::Auxiliary => "is",
            _ => "else",
        },
    }
}
