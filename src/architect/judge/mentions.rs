//! Nouns of a text, how often each is said, and what is said of each: that somebody makes one, changes one, that one has
//! something. And what is said to be done, by whom, to what.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::lexicon;
use super::lists;
use super::tags::{Kind, Word};
use super::units::{Form, Unit};
use crate::architect::clauses;
use crate::architect::words::{self, Deed};

/// What a text says of things of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions {
    pub(super) line: u32,
    /// The words of the name, each in the singular.
    pub(super) name: Vec<String>,
    pub(super) times: usize,
    /// In the plural.
    pub(super) many: usize,
    /// In headings.
    pub(super) headings: usize,
    /// How often the noun stands within a sentence, behind the first word.
    pub(super) within: usize,
    /// How often the noun is in capitals there.
    pub(super) capital: usize,
    /// Who does something: before `can`, behind `As a`.
    pub(super) doing: usize,
    pub(super) made: usize,
    pub(super) changed: usize,
    pub(super) deleted: usize,
    pub(super) read: usize,
    /// Anything else is done to it.
    pub(super) acted: usize,
    /// With `with`, `has`, `including` behind it.
    pub(super) having: usize,
    /// With `'s` behind it.
    pub(super) owning: usize,
    /// Behind `by`, `with`, `of`, or one of a list behind these.
    pub(super) aside: usize,
    /// At the end of a longer name: `order` in `purchase order`.
    pub(super) ending: usize,
    /// At the beginning of a longer name: `order` in `order status`.
    pub(super) beginning: usize,
    /// At the beginning of a longer name that something is done to: `order` in `view order details`.
    pub(super) part_done: usize,
    /// Before a word that something kept has: `order details`, `order list`.
    pub(super) recorded: usize,
    /// Before a word that is a member: `order status`, `order_id`.
    pub(super) membered: usize,
    /// Before a list of names that are mostly members: `an order (date, total)`.
    pub(super) listing: usize,
    /// In paths: `/orders`.
    pub(super) paths: usize,
    /// Where a table or an item says only this.
    pub(super) alone: usize,
    /// At the beginning of an item or a cell, before what explains it.
    pub(super) labels: usize,
    /// Sections in which it is said.
    pub(super) sections: usize,
    /// How often what describes another thing says the noun: `| members | accounts of readers |`.
    pub(super) describing: usize,
    /// Different verbs of what is done to it.
    pub(super) verbs: Vec<&'static str>,
    last_section: usize,
}

/// Something that a sentence says is done to something.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) verb: (&'static str, Deed),
    pub(super) object: Vec<String>,
    pub(super) actor: String,
    pub(super) line: u32,
    pub(super) sentence: String,
    /// Said as a noun: `order creation`.
    pub(super) nominal: bool,
    pub(super) heading: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// By their keys, in the order of the text: nouns of one to four words.
    pub(super) nouns: IndexMap<String, Mentions>,
    pub(super) said: Vec<Said>,
    /// How often a noun says what is done to a thing, by the key of the thing.
    pub(super) nominals: rustc_hash::FxHashMap<String, usize>,
}

/// Where a sentence stands.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    section: usize,
    heading: bool,
    /// Whether the sentence describes a thing that the row declares.
    describing: bool,
}

/// Reads the nouns of sentences. `declaring` has the lines that declare a thing, `stating` those that state a field.
pub(super) fn of(units: &[Unit], declaring: &FxHashSet<u32>, stating: &FxHashSet<u32>) -> Found {
    let mut found = Found::default();
    for unit in units {
        let heading = unit.form == Form::Heading;
        let describing = match (unit.form, &unit.cell) {
            (Form::Cell, Some(cell)) => {
                cell.column > 0 && declaring.contains(&unit.line) || stating.contains(&unit.line)
            }
            (Form::Item, _) => stating.contains(&unit.line),
            _ => false,
        };
        found.read(
            unit.beginning(),
            &unit.words,
            Place { line: unit.line, section: unit.section, heading, describing },
        );
        found.signs(unit);
        found.listing(unit);
    }
    found
}

/// What stands before a name decides what is said of it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    None,
    DoneTo(&'static str, Deed),
    Aside,
    /// Behind `As a`
    Somebody,
}

fn deed(lower: &str) -> Option<(&'static str, Deed)> {
    words::verb(lower).or_else(|| words::participle(lower)).or_else(|| words::verbal_noun(lower))
}

impl Found {
    fn read(&mut self, sentence: &str, words: &[Word], place: Place) {
        let mut role = Role::None;
        // Verbs that wait for what they are done to: `create, edit and delete orders`.
        let mut waiting: Vec<(&'static str, Deed)> = Vec::new();
        let mut actor = String::new();
        let mut last: Option<Vec<String>> = None;
        let mut before: Option<Kind> = None;
        let mut at = 0;
        while at < words.len() {
            let word = &words[at];
            match word.kind {
                Kind::Noun | Kind::Adjective => {
                    let end = (at..words.len())
                        .find(|it| !matches!(words[*it].kind, Kind::Noun | Kind::Adjective))
                        .unwrap_or(words.len());
                    // Adjectives before a name are no part of the name.
                    let from = (at..end).rfind(|it| words[*it].kind == Kind::Adjective).map_or(at, |it| it + 1);
                    if from < end {
                        let name = &words[from..end];
                        self.note(name, words.get(end), role, place, from > 0);
                        self.nominal(words, from, end, sentence, place);
                        self.labelled(words, from, end, sentence, place);
                        let plain: Vec<String> = name.iter().map(|it| it.text.clone()).collect();
                        let done = if let Role::DoneTo(..) = role { waiting.as_slice() } else { &[] };
                        for verb in done {
                            self.said.push(Said {
                                verb: *verb,
                                object: plain.clone(),
                                actor: actor.clone(),
                                line: place.line,
                                sentence: sentence.to_owned(),
                                nominal: false,
                                heading: place.heading,
                            });
                        }
                        let acts = words.get(end).is_some_and(|it| it.kind == Kind::Auxiliary);
                        if role == Role::Somebody || acts && actor.is_empty() {
                            actor = plain.join(" ");
                        }
                        last = Some(plain);
                    }
                    at = end;
                    before = Some(Kind::Noun);
                    continue;
                }
                Kind::Verb => {
                    let has = ["has", "have", "include", "includes", "contains", "contain", "including"];
                    let verb = deed(&word.lower).filter(|_| !has.contains(&word.lower.as_str()));
                    if before != Some(Kind::Joint) && before != Some(Kind::Verb) {
                        waiting.clear();
                    }
                    let passive = word.lower.ends_with("ed") && before == Some(Kind::Auxiliary);
                    match verb {
                        // `orders can be cancelled`
                        Some(verb) if passive => {
                            if let Some(object) = last.clone() {
                                let actor = String::new();
                                let sentence = sentence.to_owned();
                                self.said.push(Said {
                                    verb,
                                    object,
                                    actor,
                                    line: place.line,
                                    sentence,
                                    nominal: false,
                                    heading: place.heading,
                                });
                            }
                            role = Role::None;
                        }
                        Some(verb) => {
                            waiting.push(verb);
                            role = Role::DoneTo(verb.0, verb.1);
                        }
                        None => role = if has.contains(&word.lower.as_str()) { Role::Aside } else { Role::None },
                    }
                }
                Kind::Preposition => {
                    role = if at == 0 && word.lower == "as" { Role::Somebody } else { Role::Aside };
                }
                Kind::To => role = Role::Aside,
                Kind::Determiner | Kind::Adverb | Kind::Joint => {}
                Kind::Auxiliary | Kind::Other => role = Role::None,
            }
            before = Some(word.kind);
            at += 1;
        }
    }

    /// Nouns that lists of members follow, paths, and labels.
    fn listing(&mut self, unit: &Unit) {
        let words = &unit.words;
        for (from, end, like) in lists::rows(unit) {
            if end - from < 2 || like < 0.5 {
                continue;
            }
            let skips = ["(", ":", "-", "–", "—", "with", "including", "includes", "has", "have", "contains"];
            let Some(before) = (0..from)
                .rev()
                .find(|it| !skips.contains(&words[*it].lower.as_str()) && words[*it].kind != Kind::Determiner)
                .filter(|it| words[*it].kind == Kind::Noun)
            else {
                continue;
            };
            let start = (0..=before).rev().take_while(|it| words[*it].kind == Kind::Noun).last().unwrap_or(before);
            for from in start.max(before.saturating_sub(1))..=before {
                let key: String = words[from..=before].iter().map(|it| words::singular(&it.lower)).collect();
                if let Some(known) = self.nouns.get_mut(&key) {
                    known.listing += 1;
                }
            }
        }
        for at in 0..words.len().saturating_sub(1) {
            if words[at].text == "/"
                && (at == 0 || words[at - 1].text.ends_with('/') || words[at - 1].kind != Kind::Noun)
            {
                // `/orders`, `/GetShopOrders`
                let said: Vec<String> =
                    words::split(&words[at + 1].text).iter().map(|it| words::singular(it)).collect();
                for from in said.len().saturating_sub(2)..said.len() {
                    if let Some(known) = self.nouns.get_mut(&said[from..].concat()) {
                        known.paths += 1;
                    }
                }
            }
        }
        if matches!(unit.form, Form::Item | Form::Cell) && unit.first {
            let nouns = words.iter().take_while(|it| matches!(it.kind, Kind::Noun | Kind::Determiner)).count();
            if nouns > 0 {
                let last = nouns - 1;
                let behind = words.get(nouns).map(|it| it.text.as_str());
                let first = usize::from(words[0].kind == Kind::Determiner);
                let key: String = words[first.min(last)..=last].iter().map(|it| words::singular(&it.lower)).collect();
                if let Some(known) = self.nouns.get_mut(&key) {
                    known.alone += usize::from(behind.is_none());
                    known.labels += usize::from(behind.is_some_and(|it| [":", "-", "–", "—", "("].contains(&it)));
                }
            }
        }
    }

    /// What is done to get in and out, however it is said: `log in`, `authentication`, `sign-up`.
    fn signs(&mut self, unit: &Unit) {
        let words: Vec<&str> = unit.words.iter().flat_map(|it| it.lower.split('-')).collect();
        let two = |first: &[&str], second: &[&str]| {
            words.windows(2).any(|it| first.contains(&it[0]) && second.contains(&it[1]))
        };
        let one = |of: &[&str]| words.iter().any(|it| of.contains(it));
        let login = one(&["login", "logins", "signin", "authentication", "authenticate", "authenticates"])
            || two(&["log", "logs", "logging", "logged", "sign", "signs", "signing"], &["in", "into"]);
        let register = one(&["register", "registers", "registration", "signup", "sign-up"])
            || two(&["sign", "signs", "signing"], &["up"]);
        let logout = one(&["logout", "signout"]) || two(&["log", "logs", "logging", "sign", "signs"], &["out"]);
        let reset = two(&["reset", "resets", "forgot", "forgotten", "recover"], &["password", "passwords"])
            || two(&["password"], &["reset", "recovery", "resets", "resetting"]);
        for (said, verb, object) in
            [(login, "login", ""), (register, "register", ""), (logout, "logout", ""), (reset, "reset", "password")]
        {
            if let Some(verb) = words::verb(verb).filter(|_| said) {
                self.said.push(Said {
                    verb,
                    object: Some(object.to_owned()).into_iter().filter(|it| !it.is_empty()).collect(),
                    actor: String::new(),
                    line: unit.line,
                    sentence: unit.beginning().to_owned(),
                    nominal: false,
                    heading: unit.form == Form::Heading,
                });
            }
        }
    }

    /// Deeds behind a thing: `Orders: create, cancel, view`, `gift cards (purchase, redeem)`.
    fn labelled(&mut self, words: &[Word], from: usize, end: usize, sentence: &str, place: Place) {
        let Some(opens) = words.get(end).filter(|it| ["(", ":", "-", "–", "—"].contains(&it.text.as_str())) else {
            return;
        };
        let rest = &words[end + 1..];
        let close =
            rest.iter().position(|it| it.text == if opens.text == "(" { ")" } else { "." }).unwrap_or(rest.len());
        let parts: Vec<&[Word]> =
            rest[..close].split(|it| it.kind == Kind::Joint).filter(|it| !it.is_empty()).collect();
        let verbs: Vec<(&'static str, Deed)> = parts
            .iter()
            .filter(|it| it.len() == 1)
            .filter_map(|it| words::verb(&it[0].lower).filter(|(base, _)| *base == it[0].lower))
            .collect();
        if verbs.len() < 2 || verbs.len() * 2 < parts.len() {
            return;
        }
        let object: Vec<String> = words[from..end].iter().map(|it| it.text.clone()).collect();
        for verb in verbs {
            self.said.push(Said {
                verb,
                object: object.clone(),
                actor: String::new(),
                line: place.line,
                sentence: sentence.to_owned(),
                nominal: false,
                heading: place.heading,
            });
        }
    }

    /// Deeds that nouns say: `order creation`, `creation of orders`, `Inventory Management`.
    fn nominal(&mut self, words: &[Word], from: usize, end: usize, sentence: &str, place: Place) {
        let name = &words[from..end];
        let Some(last) = name.last() else { return };
        let Some(verb) = words::deed_of(&last.lower) else { return };
        // `User registration` is read with what is done to get in.
        let signs = ["registration", "login", "signup", "authentication"].contains(&last.lower.as_str());
        if signs && name.len() > 1 && clauses::is_actor(&name[name.len() - 2].lower) {
            return;
        }
        let mut things: Vec<Vec<String>> = Vec::new();
        let plain = |it: &[Word]| -> Vec<String> { it.iter().map(|it| it.text.clone()).collect() };
        if name.len() > 1 {
            things.push(plain(&name[..name.len() - 1]));
        } else if words.get(end).is_some_and(|it| it.lower == "of") {
            let mut at = end + 1;
            while at < words.len() {
                match words[at].kind {
                    Kind::Determiner | Kind::Adjective | Kind::Joint => at += 1,
                    Kind::Noun => {
                        let to = (at..words.len()).find(|it| words[*it].kind != Kind::Noun).unwrap_or(words.len());
                        things.push(plain(&words[at..to]));
                        at = to;
                    }
                    _ => break,
                }
            }
        }
        // `Order creation and cancellation`, `User & Role Management`
        for object in things {
            let key: String = object.iter().map(|it| words::singular(&it.to_lowercase())).collect();
            let known = self.nominals.entry(key).or_insert(0);
            *known += 1;
            self.said.push(Said {
                verb,
                object,
                actor: String::new(),
                line: place.line,
                sentence: sentence.to_owned(),
                nominal: true,
                heading: place.heading,
            });
        }
    }

    fn note(&mut self, name: &[Word], next: Option<&Word>, role: Role, place: Place, within: bool) {
        let all: Vec<String> = name.iter().flat_map(|it| words::split(&it.text)).collect();
        let one: Vec<String> = all.iter().map(|it| words::singular(it)).collect();
        let Some(last) = all.last().filter(|_| all.len() <= 6) else { return };
        let plural = words::is_plural(last);
        let whole = one.len();
        for from in 0..whole {
            // Longer names are whole ones; of four words, those that are written as code.
            let longest = if name.len() == 1 { 4 } else { 3 };
            for end in from + 1..=whole.min(from + longest) {
                let words = &one[from..end];
                if end < whole && words.len() > 1 || words.len() > 1 && is_kind(&words[0]) {
                    continue;
                }
                let known = self.nouns.entry(words.concat()).or_insert_with(|| Mentions {
                    line: place.line,
                    name: words.to_vec(),
                    ..Mentions::default()
                });
                if end < whole {
                    known.beginning += 1;
                    known.part_done += usize::from(matches!(role, Role::DoneTo(..)));
                    let next = one[end].as_str();
                    known.recorded += usize::from(RECORDS.contains(&next));
                    known.membered += usize::from(end + 1 == whole && lexicon::is_member(next));
                    continue;
                }
                known.times += 1;
                if known.last_section != place.section + 1 {
                    known.last_section = place.section + 1;
                    known.sections += 1;
                }
                known.many += usize::from(plural);
                let within = within && !place.heading;
                known.within += usize::from(within);
                let capital = name.last().is_some_and(|it| it.text.starts_with(char::is_uppercase));
                known.capital += usize::from(within && capital);
                known.headings += usize::from(place.heading);
                known.describing += usize::from(place.describing);
                known.ending += usize::from(from > 0);
                let says = |of: &[&str]| next.is_some_and(|it| of.contains(&it.lower.as_str()));
                known.doing += usize::from(role == Role::Somebody || next.is_some_and(|it| it.kind == Kind::Auxiliary));
                known.having += usize::from(says(&["with", "has", "have", "including", "includes"]));
                known.owning += usize::from(says(&["'s", "’s"]));
                match role {
                    Role::DoneTo(verb, deed) => {
                        match deed {
                            Deed::Create => known.made += 1,
                            Deed::Update => known.changed += 1,
                            Deed::Delete => known.deleted += 1,
                            Deed::Manage => {
                                known.made += 1;
                                known.changed += 1;
                            }
                            Deed::Read | Deed::Tell => known.read += 1,
                            Deed::Act => known.acted += 1,
                        }
                        if !known.verbs.contains(&verb) {
                            known.verbs.push(verb);
                        }
                    }
                    Role::Aside => known.aside += 1,
                    Role::None | Role::Somebody => {}
                }
            }
        }
    }
}

/// Nouns behind the name of what is kept.
pub(super) const RECORDS: &[&str] = &[
    "record",
    "detail",
    "information",
    "list",
    "profile",
    "history",
    "catalog",
    "catalogue",
    "database",
    "entry",
    "data",
    "registry",
    "directory",
    "log",
];

/// Whether a word says which of several, not what: `new order`, `invalid token`.
fn is_kind(word: &str) -> bool {
    words::is_determiner(word) || words::is_quality(word)
}
