//! Parts of speech: a sentence to words, each with what kind of word it is there.

use harper_brill::{Tagger, UPOS, brill_tagger};

use super::lexicon;
use crate::architect::clauses::TELLING;
use crate::architect::words;

/// What kind of word a word is in its sentence, as far as names and deeds are told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Noun,
    Adjective,
    Verb,
    /// `can`, `shall`, `is`
    Auxiliary,
    /// `a`, `the`, `their`, `each`
    Determiner,
    Adverb,
    /// `and`, `or`, `/`, `,`
    Joint,
    /// `to`, before a verb or a place
    To,
    Preposition,
    Other,
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) lower: String,
    pub(super) kind: Kind,
}

/// What comes before `date` and `time` in names.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "start", "end", "due", "release", "issue", "return", "delivery", "creation", "birth", "expiry", "arrival",
    "departure",
];

/// What a thing does with its members, in words that are nothing else.
const HAVING: &[&str] =
    &["contains", "captures", "includes", "comprises", "has", "represents", "defines", "describes", "maintains"];

/// The same, in words that may be nouns.
const KEEPING: &[&str] = &["stores", "tracks", "records", "holds", "keeps", "logs", "links", "references", "groups"];

/// What somebody or something does with what is written down, in words that the tagger often takes for nouns, as a sentence of
/// several or of one says these: `orders record a date`, `the system records a date`.
const WRITING: &[(&str, &str)] = &[
    ("record", "records"),
    ("store", "stores"),
    ("track", "tracks"),
    ("hold", "holds"),
    ("keep", "keeps"),
    ("log", "logs"),
    ("show", "shows"),
    ("display", "displays"),
    ("list", "lists"),
    ("support", "supports"),
    ("capture", "captures"),
    ("save", "saves"),
    ("persist", "persists"),
    ("contain", "contains"),
    ("include", "includes"),
    ("retain", "retains"),
    ("carry", "carries"),
    ("require", "requires"),
    ("need", "needs"),
    ("collect", "collects"),
    ("expose", "exposes"),
    ("enter", "enters"),
    ("provide", "provides"),
    ("specify", "specifies"),
    ("fill", "fills"),
    ("register", "registers"),
    ("assign", "assigns"),
    ("define", "defines"),
    ("link", "links"),
];

pub(super) const MODALS: &[&str] =
    &["can", "shall", "must", "should", "may", "will", "could", "would", "cannot", "can't"];

/// The words of one sentence. Marks other than commas and slashes are words of the kind [`Kind::Other`].
pub(super) fn tagged(sentence: &str) -> Vec<Word> {
    let texts = tokens(sentence);
    let lower: Vec<String> = texts.iter().map(|it| it.to_lowercase()).collect();
    let tags = brill_tagger().tag_sentence(&lower);
    let mut found: Vec<Word> = texts
        .iter()
        .zip(&lower)
        .zip(tags)
        .map(|((text, lower), tag)| {
            let method = ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(text);
            let kind = if method { Kind::Other } else { kind(lower, tag) };
            Word { text: (*text).to_owned(), lower: lower.clone(), kind }
        })
        .collect();
    in_capitals(&mut found);
    joined(&mut found);
    of_time(&mut found);
    written(&mut found);
    for at in 0..found.len() {
        let before = at.checked_sub(1).map(|it| (found[it].kind, found[it].lower.clone()));
        let verb = words::verb(&found[at].lower).map(|(base, _)| base == found[at].lower);
        let base = verb == Some(true);
        let next = found.get(at + 1).map(|it| it.kind);
        // `can view`, `to order`: what stands there is done.
        let led = before.as_ref().is_some_and(|(_, it)| MODALS.contains(&it.as_str()))
            || before.as_ref().is_some_and(|(kind, _)| *kind == Kind::To)
                && matches!(next, Some(Kind::Determiner | Kind::Noun | Kind::Adjective));
        // `View orders`, but `Order history`
        let begins = at == 0
            && !words::is_noun_too(&found[at].lower)
            && found[at].kind != Kind::Adjective
            && !found.get(at + 1).is_some_and(|it| lexicon::is_thing(&[&found[at].lower, &it.lower]))
            && matches!(next, Some(Kind::Determiner | Kind::Noun | Kind::Adjective | Kind::Joint));
        // `View and edit profiles`, `can create, edit and delete orders`
        let goes_on = before.as_ref().is_some_and(|(kind, _)| *kind == Kind::Joint)
            && found[..at].iter().rev().find(|it| it.kind != Kind::Joint).is_some_and(|it| it.kind == Kind::Verb);
        if base && (led || begins || goes_on) {
            found[at].kind = Kind::Verb;
        }
        // `that classifies tickets and routes tickets`
        let third = verb == Some(false)
            && matches!(next, Some(Kind::Determiner | Kind::Noun | Kind::Adjective))
            && before.as_ref().is_some_and(|(kind, lower)| {
                let goes_on = || found[..at].iter().any(|it| it.kind == Kind::Verb && it.lower.ends_with('s'));
                ["that", "which", "who"].contains(&lower.as_str()) || *kind == Kind::Joint && goes_on()
            });
        if third {
            found[at].kind = Kind::Verb;
        }
        // `Captures the genre`, `Contains: title, status`, said of what stands above.
        let opens = before.as_ref().is_none_or(|(kind, lower)| *kind == Kind::Other && lower != "-");
        let colon = found.get(at + 1).is_some_and(|it| it.text == ":");
        let object = matches!(next, Some(Kind::Determiner | Kind::Adjective))
            || HAVING.contains(&found[at].lower.as_str()) && (next == Some(Kind::Noun) || colon);
        if opens
            && object
            && (HAVING.contains(&found[at].lower.as_str()) || KEEPING.contains(&found[at].lower.as_str()))
        {
            found[at].kind = Kind::Verb;
        }
        // `approving or rejecting orders`
        let doing = |it: usize| {
            found.get(it).is_some_and(|it| it.lower.ends_with("ing") && words::verbal_noun(&it.lower).is_some())
        };
        let joint = |it: usize| found.get(it).is_some_and(|it| it.kind == Kind::Joint);
        if doing(at) && (joint(at + 1) && doing(at + 2) || at >= 2 && joint(at - 1) && doing(at - 2)) {
            found[at].kind = Kind::Verb;
        }
        // `a training job specifying symbol and horizon`
        let shown = ["specifying", "containing", "including", "featuring", "comprising"];
        // `records a loan, giving the book and the day`
        let told = before.as_ref().is_some_and(|(kind, _)| *kind == Kind::Joint)
            && TELLING.contains(&found[at].lower.as_str());
        if (told
            || shown.contains(&found[at].lower.as_str())
                && before.as_ref().is_some_and(|(kind, _)| *kind == Kind::Noun))
            && matches!(next, Some(Kind::Determiner | Kind::Noun | Kind::Adjective))
        {
            found[at].kind = Kind::Verb;
        }
        // Words that are verbs wherever they stand.
        if ["consists", "contains", "includes", "comprises", "belongs", "specifies"].contains(&found[at].lower.as_str())
            && at > 0
        {
            found[at].kind = Kind::Verb;
        }
        // `Stop: name, latitude, longitude`
        if at == 0 && colon && found[at].kind == Kind::Verb && !HAVING.contains(&found[at].lower.as_str()) {
            found[at].kind = Kind::Noun;
        }
        // `I'd like to book a room`
        let wish = before.as_ref().is_some_and(|(_, it)| it == "would" || it.ends_with("'d") || it.ends_with("’d"));
        if wish && found[at].lower == "like" {
            found[at].kind = Kind::Auxiliary;
        }
        let one = before.as_ref().is_some_and(|(_, it)| ["a", "an", "each", "every"].contains(&it.as_str()));
        // `creates a fine with`, `for every fine its amount`
        if one
            && found[at].kind == Kind::Adjective
            && matches!(next, Some(Kind::Preposition | Kind::Determiner | Kind::Auxiliary))
            && !WHICH.contains(&found[at].lower.as_str())
        {
            found[at].kind = Kind::Noun;
        }
        let determined = before.is_some_and(|(kind, _)| kind == Kind::Determiner);
        if determined && found[at].kind == Kind::Verb && !matches!(next, Some(Kind::Noun)) {
            found[at].kind = Kind::Noun;
        }
    }
    found
}

/// Words behind `a` and `each` that say which or how many, and stand for no thing.
const WHICH: &[&str] = &[
    "few", "little", "many", "more", "most", "less", "least", "single", "one", "two", "three", "other", "own", "such",
    "same", "first", "second", "third", "last", "next", "new", "given", "lot", "maximum", "minimum",
];

/// Takes the word before a date or time for a part of its name: `start date`, `due date`.
fn of_time(words: &mut [Word]) {
    for at in 0..words.len().saturating_sub(1) {
        let led = at > 0
            && (matches!(words[at - 1].kind, Kind::To | Kind::Auxiliary)
                || MODALS.contains(&words[at - 1].lower.as_str()));
        let named = ["date", "dates", "time", "times"].contains(&words[at + 1].lower.as_str());
        if named && !led && TIMES.contains(&words[at].lower.as_str()) {
            words[at].kind = Kind::Noun;
        }
    }
}

/// Takes words that go on with a list for joints: `a date as well as a place`, `the fee along with the tax`.
fn joined(words: &mut [Word]) {
    const JOINTS: &[&[&str]] = &[&["as", "well", "as"], &["along", "with"], &["together", "with"], &["plus"]];
    for at in 1..words.len() {
        for joint in JOINTS {
            let here = words
                .get(at..at + joint.len())
                .is_some_and(|it| it.iter().map(|it| it.lower.as_str()).eq(joint.iter().copied()));
            // `is stored together with` goes on with no list.
            if here
                && matches!(words[at - 1].kind, Kind::Noun | Kind::Joint)
                && words.get(at + joint.len()).is_some_and(|it| begins_name(it.kind))
            {
                words[at..at + joint.len()].iter_mut().for_each(|it| it.kind = Kind::Joint);
            }
        }
    }
}

/// Finds the verb of each clause that has none and says what is written down: `the system records the date`, `Store the date of
/// each order`. What follows a modal is a verb, whatever the word is elsewhere.
fn written(words: &mut [Word]) {
    for at in 1..words.len() {
        let done =
            matches!(words[at].kind, Kind::Noun | Kind::Adjective) && MODALS.contains(&words[at - 1].lower.as_str());
        if done && words.get(at + 1).is_some_and(|it| begins_name(it.kind) || it.text == ":") {
            words[at].kind = Kind::Verb;
        }
    }
    let ends =
        |it: &Word| it.kind == Kind::Other && !["(", ")", "`", "\"", "*", "<", ">", "="].contains(&it.text.as_str());
    let mut from = 0;
    while from < words.len() {
        let to = (from..words.len()).find(|it| ends(&words[*it])).unwrap_or(words.len());
        verb_of(&mut words[from..to]);
        second_of(&mut words[from..to]);
        from = to + 1;
    }
}

/// Whether a name may begin with a word of a kind.
fn begins_name(kind: Kind) -> bool {
    matches!(kind, Kind::Determiner | Kind::Noun | Kind::Adjective)
}

/// Takes the word that writes something down for a verb where a clause has no other.
fn verb_of(clause: &mut [Word]) {
    // `the date recorded` has no verb.
    let says = |it: &Word| it.kind == Kind::Auxiliary || it.kind == Kind::Verb && !is_participle(&it.lower);
    if clause.iter().any(says) || !clause.iter().any(|it| it.kind == Kind::Joint) {
        return;
    }
    let form =
        |it: &Word| WRITING.iter().find_map(|(one, other)| [*one, *other].iter().position(|form| *form == it.lower));
    let verb = (0..clause.len().saturating_sub(1)).find(|at| {
        let Some(form) = form(&clause[*at]) else { return false };
        let next = &clause[at + 1];
        let Some(before) = at.checked_sub(1).map(|it| &clause[it]) else {
            // `Record the date, the place and the reason`, but `Record type, name and size`
            let several = clause.iter().filter(|it| it.kind == Kind::Joint).count() >= 2;
            let order = ["record", "capture", "log", "persist", "save"].contains(&clause[*at].lower.as_str());
            let compound = ["id", "type", "name", "number", "date", "status", "count", "size", "time", "level"];
            return form == 0
                && (next.kind == Kind::Determiner
                    || clause.iter().any(|it| EACH.contains(&it.lower.as_str()))
                    || several && order && !compound.contains(&next.lower.as_str()));
        };
        let plural = words::is_plural(&before.lower);
        let determined = clause[..*at].iter().any(|it| it.kind == Kind::Determiner);
        before.kind == Kind::Noun && begins_name(next.kind) && if form == 0 { plural } else { !plural && determined }
    });
    if let Some(at) = verb {
        clause[at].kind = Kind::Verb;
    }
}

/// Takes the word with which a clause goes on that has a verb for one, too: `A loan links a book to a member and stores the day`.
fn second_of(clause: &mut [Word]) {
    let third = |it: &Word| it.kind == Kind::Verb && it.lower.ends_with('s');
    for at in 1..clause.len().saturating_sub(1) {
        let second = clause[at - 1].kind == Kind::Joint
            && clause[at].kind == Kind::Noun
            && clause[..at].iter().any(third)
            && is_writing(&clause[at].lower);
        if second && begins_name(clause[at + 1].kind) {
            clause[at].kind = Kind::Verb;
        }
    }
}

/// Whether somebody writes something down with a verb: `stores`.
pub(super) fn is_writing(lower: &str) -> bool {
    WRITING.iter().any(|it| it.1 == lower)
}

/// Words that say of what something is told: `the date of each order`.
const EACH: &[&str] = &["each", "every", "per"];

/// Whether a verb says what was done with something: `recorded`, `taken`.
pub(super) fn is_participle(lower: &str) -> bool {
    const OTHERS: &[&str] = &[
        "taken", "given", "made", "sent", "paid", "sold", "held", "kept", "said", "set", "spent", "bought", "known",
        "shown", "done", "written", "chosen", "left", "born", "seen", "drawn", "driven", "broken", "lost", "won",
        "met", "read", "put", "built", "due",
    ];
    lower.ends_with("ed") || lower.ends_with("ing") || OTHERS.contains(&lower)
}

/// Two words and more in capitals within a sentence that is not in capitals are a name, whatever each word is elsewhere:
/// `a Trusted Contact`, `each Course Offering`.
fn in_capitals(words: &mut [Word]) {
    let capital = |it: &Word| {
        it.text.starts_with(char::is_uppercase)
            && it.text.chars().skip(1).any(char::is_lowercase)
            && it.kind != Kind::Determiner
    };
    let long = |it: &&Word| it.text.len() > 3 && it.text.chars().all(char::is_alphabetic);
    let (all, small) = (words.iter().filter(long).count(), words.iter().filter(long).filter(|it| !capital(it)).count());
    if small < 2 || small * 2 < all {
        return;
    }
    let mut at = 1;
    while at < words.len() {
        let end = (at..words.len()).find(|it| !capital(&words[*it])).unwrap_or(words.len());
        let led = !matches!(words[at - 1].kind, Kind::Other | Kind::Auxiliary | Kind::To);
        if end - at >= 2 && end - at <= 3 && led && !words::is_only_verb(&words[at].lower) {
            words[at..end].iter_mut().for_each(|it| it.kind = Kind::Noun);
        }
        at = end.max(at + 1);
    }
}

fn kind(lower: &str, tag: Option<UPOS>) -> Kind {
    if [",", "/", "&", "+", ";", "·", "•", "and", "or"].contains(&lower) {
        return Kind::Joint;
    }
    if lower == "to" {
        return Kind::To;
    }
    if ["inside", "within", "into", "onto"].contains(&lower) {
        return Kind::Preposition;
    }
    if MODALS.contains(&lower) {
        return Kind::Auxiliary;
    }
    if ["'s", "’s"].contains(&lower) {
        return Kind::Determiner;
    }
    if !lower.starts_with(char::is_alphanumeric) {
        return Kind::Other;
    }
    if lexicon::noun(lower).is_some_and(|it| it.things + it.members >= 3)
        && matches!(tag, None | Some(UPOS::ADJ | UPOS::PROPN | UPOS::NOUN))
    {
        return Kind::Noun;
    }
    match tag {
        Some(UPOS::NOUN | UPOS::PROPN) | None => Kind::Noun,
        Some(UPOS::ADJ | UPOS::NUM) => Kind::Adjective,
        Some(UPOS::VERB) => Kind::Verb,
        Some(UPOS::AUX) => Kind::Auxiliary,
        Some(UPOS::DET) => Kind::Determiner,
        Some(UPOS::PRON)
            if ["my", "their", "his", "her", "its", "our", "your", "this", "that", "these"].contains(&lower) =>
        {
            Kind::Determiner
        }
        Some(UPOS::ADV) => Kind::Adverb,
        Some(UPOS::ADP) => Kind::Preposition,
        _ => Kind::Other,
    }
}

/// Words and marks of a sentence.
fn tokens(sentence: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut start = None;
    let mut chars = sentence.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // `P&L` is one word.
        let letters = c == '&' && start.is_some_and(|from| at - from == 1);
        let inner = (c == '-' || c == '\'' || c == '’' || c == '_' || letters)
            && start.is_some()
            && chars.peek().is_some_and(|(_, it)| it.is_alphanumeric());
        if c.is_alphanumeric() || inner {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            found.push(&sentence[from..at]);
        }
        if !c.is_whitespace() {
            found.push(&sentence[at..at + c.len_utf8()]);
        }
    }
    if let Some(from) = start {
        found.push(&sentence[from..]);
    }
    // `(e.g., a title)`, `i.e.` say nothing.
    let mut told = Vec::with_capacity(found.len());
    let mut rest = found.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        rest = match rest {
            ["e" | "E", ".", "g", ".", after @ ..] | ["i" | "I", ".", "e", ".", after @ ..] => {
                after.strip_prefix(&[","]).unwrap_or(after)
            }
            _ => {
                told.push(*first);
                behind
            }
        };
    }
    // `order's` is a noun and what owns something.
    let ends = |it: &&str| ["'s", "’s"].iter().find_map(|end| it.strip_suffix(end)).map(str::len);
    told.into_iter()
        .flat_map(|it| ends(&it).map_or([it, ""], |at| [&it[..at], &it[at..]]))
        .filter(|it| !it.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, tagged};

    #[test]
    fn a_sentence_may_begin_with_what_a_thing_has() {
        for (sentence, expected) in [
            ("Contains: title, status", Kind::Verb),
            ("Captures genre, target audience", Kind::Verb),
            ("Tracks the weight of a parcel", Kind::Verb),
            ("Tracks and albums", Kind::Noun),
            ("Records: id, name", Kind::Noun),
        ] {
            assert_eq!(tagged(sentence)[0].kind, expected, "{sentence}");
        }
    }
}
