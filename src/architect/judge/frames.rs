//! Sentences that say plainly what a thing has: `Claims contain a number, a date and an amount`, `For each claim, the system
//! records its number, date and amount`. Each is a frame: words around a list that name the thing.

mod nouns;
mod vocabulary;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lists::{LONGEST_SENTENCE, List, lists, members_of};
use super::tags::{Kind, Word, is_participle};
use super::units::{Form, Unit};
use crate::architect::clauses::TELLING;
use crate::architect::words;
use nouns::{
    done_to, ending, goes_on, is_made, is_members, is_one, kept, labelled, made, noun_at, object, skip_articles,
    skip_said, subject, without_bracket,
};
use vocabulary::{CHANGES, DONE, GIVES, HAS, KINDS, OWN, SHOWING, SHOWS, WRITES};

/// A list whose thing a sentence names.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where the list begins among the words of its sentence.
    pub(super) from: usize,
    /// The name of the thing as the sentence writes it, without words that say how it is kept.
    pub(super) owner: String,
    /// Whether the list names members so clearly that the noun is a thing for it.
    pub(super) clear: bool,
}

/// The frames of each sentence of a document.
pub(super) fn of(units: &[Unit]) -> Vec<Vec<Frame>> {
    let text = Text::of(units);
    (0..units.len()).map(|at| text.frames(at)).collect()
}

/// The sentences of a document, to find frames in.
struct Text<'u> {
    units: &'u [Unit],
    /// The heading of each section.
    headings: FxHashMap<usize, usize>,
}

impl<'u> Text<'u> {
    fn of(units: &'u [Unit]) -> Self {
        let headings = (0..units.len()).filter(|it| units[*it].form == Form::Heading);
        Self { units, headings: headings.map(|it| (units[it].section, it)).collect() }
    }

    /// The frames of a sentence, by its place among all.
    fn frames(&self, at: usize) -> Vec<Frame> {
        let unit = &self.units[at];
        if unit.words.len() > LONGEST_SENTENCE {
            return Vec::new();
        }
        lists(unit).iter().filter_map(|list| framed(unit, list, |it| self.spoken_of(at, it))).collect()
    }

    /// The thing that a sentence speaks of without a name: of its label, of the sentence before, of its heading.
    fn spoken_of(&self, at: usize, unsaid: Unsaid) -> Option<String> {
        // No block has more sentences before the one that tells what it has.
        const FAR: usize = 5;
        let unit = &self.units[at];
        let block = |it: &usize| self.units[*it].line == unit.line && self.units[*it].form == unit.form;
        let first = (at.saturating_sub(FAR)..=at).rev().take_while(block).find(|it| self.units[*it].first)?;
        let words = &self.units[first].words;
        let marks = [":", "–", "—"];
        let label = words.iter().take(5).position(|it| marks.contains(&it.text.as_str()));
        // `Costume. A complete outfit. Has a title.`
        let label = label.or_else(|| (first < at && (2..=4).contains(&words.len())).then(|| words.len() - 1));
        if let Some(name) = label.and_then(|it| kept(words.get(..it)?, true)) {
            return Some(name);
        }
        let before = (first < at).then(|| &self.units[at - 1].words).filter(|_| unsaid == Unsaid::It);
        let subject_before = before.and_then(|words| {
            let verb = words.iter().position(|it| matches!(it.kind, Kind::Verb | Kind::Auxiliary))?;
            kept(subject(words, verb)?, is_one(words))
        });
        subject_before.or_else(|| {
            let heading =
                &self.units[*self.headings.get(&unit.section).filter(|_| unit.form == Form::Paragraph)?].words;
            kept(subject(heading, heading.len())?, true)
        })
    }
}

/// How a sentence says what is had without saying who has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unsaid {
    /// `It has a name`
    It,
    /// `Has a name`, `We know its number`, `Name, number and date.`
    Nothing,
}

/// How a sentence gives the members of a list to an owner without naming the owner; none where the sentence gives no members.
fn unsaid(words: &[Word], list: &List) -> Option<Unsaid> {
    let at = skip_articles(words, list.from);
    let said: Vec<&str> = words[..at].iter().map(|it| it.lower.as_str()).collect();
    let has = |verb: &&str| HAS.contains(verb) || ["know", "knows", "note", "notes", "names"].contains(verb);
    match said.as_slice() {
        [] => (list.end + 1 >= words.len() && list.names.iter().filter(|it| !it.other).count() >= 3)
            .then_some(Unsaid::Nothing),
        [verb] | ["we", verb] | ["we", "want" | "need", "to", verb] => has(verb).then_some(Unsaid::Nothing),
        ["consists" | "consist", "of"] | ["comes", "with"] | ["described" | "identified" | "known", "by"] => {
            Some(Unsaid::Nothing)
        }
        ["it" | "they", verb] | ["it" | "they", "also" | "can" | "must" | "should" | "may" | "shall", verb] => {
            has(verb).then_some(Unsaid::It)
        }
        ["it", "consists", "of"] | ["it", "is", "described" | "identified" | "known", "by"] => Some(Unsaid::It),
        _ => None,
    }
}

/// Keys of the nouns that sentences plainly say to have members, from the frames of these sentences.
pub(super) fn things(frames: &[Vec<Frame>]) -> FxHashSet<String> {
    frames.iter().flatten().filter(|it| it.clear).map(|it| words::key(&it.owner)).collect()
}

/// Keys of the nouns of which somebody changes what each has: `update the status of a repair`.
pub(super) fn changed(units: &[Unit]) -> FxHashSet<String> {
    const CHANGING: &[&str] =
        &["update", "updates", "change", "changes", "edit", "edits", "modify", "modifies", "set", "sets"];
    let mut found = FxHashSet::default();
    for unit in units {
        let words = &unit.words;
        for at in (2..words.len().saturating_sub(2)).filter(|it| words[*it].lower == "of") {
            let member = &words[at - 1].lower;
            let from = (0..at - 1).rev().find(|it| words[*it].kind != Kind::Noun);
            let from = from.map(|it| if words[it].kind == Kind::Determiner { it } else { it + 1 });
            let changes =
                from.and_then(|it| it.checked_sub(1)).is_some_and(|it| CHANGING.contains(&words[it].lower.as_str()));
            if !changes || !words::is_common(member) || words[at + 1].kind != Kind::Determiner {
                continue;
            }
            found.extend(noun_at(words, at + 1).and_then(|it| kept(it, false)).map(|it| words::key(&it)));
        }
    }
    found
}

fn framed(unit: &Unit, list: &List, spoken_of: impl Fn(Unsaid) -> Option<String>) -> Option<Frame> {
    let words = &unit.words;
    let own = || list.names.iter().filter(|it| !it.other);
    let size = own().count();
    if size < 2 {
        return None;
    }
    let lexical = members_of(list, words);
    // `Orders support cancelling, exporting and sharing`
    let done = own()
        .filter(|it| words[it.from..it.end].last().is_some_and(|it| words::verbal_noun(&it.lower).is_some()))
        .count();
    if done * 2 >= size || (size == 2 && lexical < 0.5) || lexical == 0.0 {
        return None;
    }
    let last = own().next_back().map(|it| words::singular(&words[it.end - 1].lower))?;
    // `A claim requires the number and the date of the damage`
    let required = is_one(words) && lexical >= 0.6;
    let shown = words[..list.from].iter().rev().take(4).any(|it| {
        SHOWS.contains(&it.lower.as_str()) && !(required && ["requires", "needs"].contains(&it.lower.as_str()))
    });
    if KINDS.contains(&last.as_str()) && words::is_plural(&words[list.end - 1].lower) || shown && lexical < 0.5 {
        return None;
    }
    let denied = words
        .iter()
        .take(list.from.max(1))
        .any(|it| ["no", "not", "never", "without", "nor"].contains(&it.lower.as_str()));
    if denied || list.from == 0 && lexical < 0.6 {
        return None;
    }
    // A list in brackets or behind `with` may tell of deeds and of parts of the product: more of it must be called like members.
    let at = skip_articles(words, list.from);
    let opened = at.checked_sub(1).map_or("", |it| words[it].lower.as_str());
    // `Create purchase (triggers stock increment & balance update)`: the bracket says what happens then.
    let effect = words
        .get(at)
        .is_some_and(|it| it.lower.ends_with('s') && words::verb(&it.lower).is_some_and(|(base, _)| base != it.lower))
        && words.get(at + 1).is_some_and(|it| it.kind == Kind::Noun);
    if opened == "(" && (lexical < 0.5 || effect) || opened == "with" && lexical < 0.5 {
        return None;
    }
    let own = [before, behind, intro].into_iter().find_map(|of| {
        let noun = of(words, list)?;
        let at = words.iter().position(|it| std::ptr::eq(it, &raw const noun[0]))?;
        let determined = at.checked_sub(1).map(|it| words[it].lower.as_str());
        kept(noun, at == 0 && opened == ":" || determined.is_some_and(|it| ["a", "an", "each", "every"].contains(&it)))
    });
    let owner = own.or_else(|| spoken_of(unsaid(words, list)?))?;
    let kind = words::split(&owner).last().is_some_and(|it| KINDS.contains(&words::singular(it).as_str()));
    // `Roles: viewer, editor, owner` names no thing that has these.
    let label = opened == ":" && labelled(words, at - 1).is_some();
    if label && lexical < 0.5 {
        return None;
    }
    let seen = words[..list.from].iter().any(|it| ["view", "views", "see", "sees"].contains(&it.lower.as_str()));
    Some(Frame { from: list.from, owner, clear: !label && !seen && size >= 3 && lexical >= 0.4 && !shown && !kind })
}

/// The thing that a sentence speaks of before its list: `Each claim has`, `Claims must be stored with`, `Claim fields:`.
fn before<'w>(words: &'w [Word], list: &List) -> Option<&'w [Word]> {
    let mut at = skip_articles(words, list.from);
    let last = words.get(at.checked_sub(1)?)?;
    // `Claims contain: a date`
    let colon = last.text == ":" || ["–", "—"].contains(&last.text.as_str());
    if colon {
        at = skip_articles(words, at - 1);
    }
    let last = words.get(at.checked_sub(1)?)?;
    let verb_at = |mut at: usize| {
        while at > 0 && matches!(words[at - 1].kind, Kind::Auxiliary | Kind::Adverb) {
            at -= 1;
        }
        at
    };
    let said = last.lower.as_str();
    if said == "(" {
        return bracketed(words, at - 1);
    }
    if said == "{" {
        return written_as(words, at - 1);
    }
    // `a profile page (/mentors/:id) featuring a video and a history`
    if SHOWING.contains(&said) {
        return ending(words, without_bracket(words, at - 1));
    }
    // `The clerk defines a doctor's hours and fees`: the doctor has these, the clerk does not.
    let owned = list.from.checked_sub(2).filter(|_| words[list.from - 1].lower.starts_with(['\'', '’']));
    let written = !OWN.contains(&said) && (HAS.contains(&said) || WRITES.contains(&said));
    if let Some(noun) = owned.and_then(|it| ending(words, it + 1)).filter(|_| written && last.kind == Kind::Verb) {
        return Some(noun);
    }
    if HAS.contains(&said) && matches!(last.kind, Kind::Verb | Kind::Auxiliary) {
        return subject(words, verb_at(at - 1)).or_else(|| goes_on(words, at - 1));
    }
    // `Each room is given a number and a floor`
    if ["given", "assigned", "allocated"].contains(&said) && at > 1 && words[at - 2].kind == Kind::Auxiliary {
        return subject(words, verb_at(at - 1));
    }
    // `A loan is made by choosing a book and a day`, `adds a loan by entering the book and the day`
    if TELLING.contains(&said) && at > 2 && words[at - 2].lower == "by" {
        let is_done = words[at - 3].kind == Kind::Verb && is_participle(&words[at - 3].lower);
        return if is_done { subject(words, verb_at(at - 3)) } else { done_to(words, at - 2) };
    }
    // `records a loan, giving the book and the day`: the loan has these.
    if TELLING.contains(&said) && at > 1 && words[at - 2].text == "," {
        return done_to(words, at - 2);
    }
    // `Members enter their name and address`: the members have these.
    if words[at..list.from].iter().any(|it| ["his", "her", "their"].contains(&it.lower.as_str())) {
        let verb =
            (0..at).rev().find(|it| words[*it].kind == Kind::Verb && WRITES.contains(&words[*it].lower.as_str()));
        if let Some(verb) = verb.filter(|it| *it + 2 >= at) {
            return subject(words, verb_at(verb));
        }
    }
    // `The system assigns each parcel a number and a date`
    if last.kind == Kind::Noun
        && words[at].kind == Kind::Determiner
        && let Some(noun) = ending(words, at)
        && let Some(each) = (at - noun.len()).checked_sub(1)
        && each > 0
        && words[each].kind == Kind::Determiner
        && GIVES.contains(&words[each - 1].lower.as_str())
    {
        return Some(noun);
    }
    // `stores for every fine its amount and its date`
    if last.kind == Kind::Noun
        && let Some(noun) = ending(words, at)
        && let Some(each) = (at - noun.len()).checked_sub(2)
        && words[each].lower == "for"
        && ["each", "every"].contains(&words[each + 1].lower.as_str())
        && each > 0
        && WRITES.contains(&words[each - 1].lower.as_str())
    {
        return Some(noun);
    }
    // `consists of`, `is described by`, `is stored together with`
    if ["of", "by", "with"].contains(&said) {
        let mut done = at - 1;
        while done > 0 && matches!(words[done - 1].lower.as_str(), "together" | "along" | "up") {
            done -= 1;
        }
        let verb = words.get(done.checked_sub(1)?)?;
        // `a meter, known by its number and its maker`
        let known = said == "by" && done >= 3 && words[done - 2].text == "," && words[done - 3].kind == Kind::Noun;
        if known && DONE.contains(&verb.lower.as_str()) {
            return ending(words, done - 2);
        }
        // `A connection is a house with an address and a number`
        if said == "with" && done > 1 && words[done - 1].text == "," {
            return subject(words, done - 1).or_else(|| done_to(words, done - 1));
        }
        // `Playlists, each with a name and a cover`
        if said == "with" && done > 2 && words[done - 1].lower == "each" && words[done - 2].text == "," {
            return ending(words, done - 2).filter(|it| {
                let before = (done - 2).checked_sub(it.len() + 1).map(|at| words[at].kind);
                before.is_none_or(|it| !matches!(it, Kind::Joint | Kind::Other))
            });
        }
        // `creates a fine with an amount and a reason`
        if said == "with"
            && let Some(noun) = ending(words, done)
            && is_made(words, done - noun.len())
        {
            return Some(noun);
        }
        // `enters donations per family with an amount and a date`
        if said == "with"
            && words[..done].iter().any(|it| {
                ["per", "for", "to", "in", "into", "inside", "within", "under", "from", "on", "at"]
                    .contains(&it.lower.as_str())
            })
            && let Some(noun) = done_to(words, done)
        {
            return Some(noun);
        }
        let is_a = (1..done).find(|it| words[*it].kind == Kind::Auxiliary && words[*it + 1].kind == Kind::Determiner);
        if said == "with"
            && let Some(is) = is_a.filter(|_| is_one(words))
        {
            return subject(words, is);
        }
        let consists = said == "of" && verb.lower.starts_with("consist") || verb.lower.starts_with("compris");
        let is = done >= 2 && words[done - 2].kind == Kind::Auxiliary;
        if consists || is && DONE.contains(&verb.lower.as_str()) {
            return subject(words, verb_at(done - 1));
        }
        return None;
    }
    // `attributes such as`
    let such = at >= 2 && said == "as" && words[at - 2].lower == "such";
    if such || ["including", "like"].contains(&said) {
        let noun = at - if such { 2 } else { 1 };
        let named = noun > 0 && is_members(&words[noun - 1]);
        let from = skip_articles(words, noun.saturating_sub(1));
        let verb = words.get(from.checked_sub(1)?)?;
        return (named && HAS.contains(&verb.lower.as_str())).then(|| subject(words, verb_at(from - 1))).flatten();
    }
    // `Claim fields:`, `The claim fields are`
    let are = last.kind == Kind::Auxiliary && ["are", "is"].contains(&said);
    if colon || are {
        let end = if are { at - 1 } else { at };
        // `An event has the following properties:`
        if colon && is_members(last) {
            let has = skip_said(words, end - 1);
            if has > 1 && HAS.contains(&words[has - 1].lower.as_str()) && words[has - 1].kind != Kind::Noun {
                return subject(words, verb_at(has - 1));
            }
        }
        let mut noun = end;
        while noun > 0
            && (is_members(&words[noun - 1]) || ["required", "form", "input"].contains(&words[noun - 1].lower.as_str()))
        {
            noun -= 1;
        }
        let named = (noun < end).then(|| subject(words, noun)).flatten();
        let whole = list.end + 1 >= words.len();
        return named.or_else(|| {
            if !colon {
                return None;
            }
            object(words, end)
                .or_else(|| told_of(words, end))
                .or_else(|| done_to(words, end).filter(|_| whole))
                .or_else(|| labelled(words, end).filter(|_| whole && list.names.len() > 2))
        });
    }
    None
}

/// What members are told of before a colon: `the following data on vehicles:`, `information is kept about each vehicle:`, and what
/// a sentence explains before its colon: `A subscriber is who pays:`.
fn told_of(words: &[Word], end: usize) -> Option<&[Word]> {
    let noun = ending(words, end)?;
    let of = skip_articles(words, end - noun.len()).checked_sub(1)?;
    let members = words[..of].iter().any(is_members);
    if members && ["on", "about", "of", "for"].contains(&words[of].lower.as_str()) {
        return Some(noun);
    }
    let is = (1..end).find(|it| ["is", "are"].contains(&words[*it].lower.as_str())).filter(|_| is_one(words))?;
    subject(words, is)
}

/// What somebody keeps or makes before a bracket: `record fetch metadata (symbol, range, time)`.
fn bracketed(words: &[Word], end: usize) -> Option<&[Word]> {
    let noun = ending(words, end)?;
    let verb = &words[skip_articles(words, end - noun.len()).checked_sub(1)?];
    let keeps =
        verb.kind == Kind::Verb && WRITES.contains(&verb.lower.as_str()) && !SHOWS.contains(&verb.lower.as_str());
    // `assign roles (viewer, editor)` names some of them.
    let several =
        words[..end].iter().any(|it| ["multiple", "several", "various", "different"].contains(&it.lower.as_str()));
    (keeps || !several && is_made(words, end - noun.len())).then_some(noun)
}

/// The thing that is kept as an object written out: ``Store items in the database as `{userId, amount}` ``.
fn written_as(words: &[Word], end: usize) -> Option<&[Word]> {
    let verb = (0..end).find(|it| WRITES.contains(&words[*it].lower.as_str()) && words[*it].kind == Kind::Verb);
    match verb {
        Some(verb) => noun_at(words, verb + 1),
        None => ending(words, skip_articles(words, end)),
    }
}

/// Whether somebody writes, shows or changes what a list names.
fn is_written(words: &[Word], list: &List) -> bool {
    let mut at = skip_articles(words, list.from);
    if at > 0 && ["in", "out", "down", ":"].contains(&words[at - 1].lower.as_str()) {
        at -= 1;
    }
    at > 0 && [WRITES, CHANGES].iter().any(|it| it.contains(&words[at - 1].lower.as_str()))
}

/// The thing behind a list: `Store the date and the amount of each claim`, `enter a date and an amount when they register a claim`.
fn behind<'w>(words: &'w [Word], list: &List) -> Option<&'w [Word]> {
    if !is_written(words, list) {
        return None;
    }
    let end = list.names.iter().filter(|it| !it.whole).map(|it| it.end).max()?;
    let of = words.get(end)?;
    let each = words.get(end + 1)?;
    let determined = each.kind == Kind::Determiner;
    match of.lower.as_str() {
        "per" => noun_at(words, end + 1),
        "of" | "for" | "about" | "on" if determined => noun_at(words, end + 2),
        "when" | "to" | "while" | "before" | "after" => made(words, end + 1).or_else(|| joining(words, end + 1)),
        _ => None,
    }
}

/// Who comes to a product: `when a customer signs up`.
fn joining(words: &[Word], from: usize) -> Option<&[Word]> {
    const JOINS: &[&str] = &["signs", "sign", "registers", "register", "joins", "join", "enrols", "enrolls", "applies"];
    words.get(from).filter(|it| it.kind == Kind::Determiner)?;
    let verb = (from + 2..words.len().min(from + 5)).find(|it| JOINS.contains(&words[*it].lower.as_str()))?;
    ending(words, verb)
}

/// The thing that a sentence names before it says what is written: `For each claim, record a date`, `To add a claim, enter a date`.
fn intro<'w>(words: &'w [Word], list: &List) -> Option<&'w [Word]> {
    if !is_written(words, list) {
        return None;
    }
    let first = words.first()?;
    let second = words.get(1)?;
    match first.lower.as_str() {
        "for" if ["each", "every"].contains(&second.lower.as_str()) => noun_at(words, 2),
        "per" | "about" | "of" | "on" => noun_at(words, 1),
        "when" | "to" | "while" | "after" | "before" => made(words, 1).filter(|it| it.len() < list.from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::architect::decompose;

    /// The fields of the claims of a text that says of claims a sentence alone.
    fn fields(sentence: &str) -> Vec<String> {
        let text = format!(
            "# Office Portal\n\n## Overview\n\nThe portal helps clerks of a town office with their daily work. A clerk signs in with a \
             password, and a supervisor reviews the work of the week.\n\n## Functions\n\nSupervisors can create offices, assign clerks \
             to offices and print a weekly summary. Clerks can create and edit claims, and delete them.\n\n{sentence}\n"
        );
        let entities = decompose(&text).domain_model.entities;
        let claim = entities.into_iter().find(|it| it.name == "Claim");
        claim.map(|it| it.fields.into_iter().map(|it| it.name).collect()).unwrap_or_default()
    }

    #[test]
    fn a_sentence_says_plainly_what_a_thing_has() {
        for sentence in [
            "Claims retain policy number, loss date, amount, and adjuster.",
            "Claims contain: policy number; loss date; amount; adjuster.",
            "The claim should capture: policy number; loss date; amount; adjuster.",
            "For each claim, the system records policy number, loss date, amount and adjuster.",
            "The system stores policy number, loss date, amount, and adjuster for each claim.",
            "Store the policy number, loss date, amount, and adjuster of each claim.",
            "Record policy number, loss date, amount, and adjuster for every claim.",
            "When creating a claim, clerks must provide policy number, loss date, amount, and adjuster.",
            "To add a claim, the clerk fills in policy number, loss date, amount, and adjuster.",
            "Clerks enter policy number, loss date, amount, and adjuster when they register a claim.",
            "Claims MUST be tracked with policy number, loss date, amount and adjuster.",
            "Clerks record a claim, giving the policy number, loss date, amount and adjuster.",
            "Each claim is given a policy number, a loss date, an amount and an adjuster.",
            "Each claim belongs to a town and has a policy number, a loss date, an amount and an adjuster.",
            "Claims, each with a policy number, a loss date, an amount and an adjuster, are listed.",
            "A claim is registered by entering the policy number, loss date, amount and adjuster.",
            "The clerk adds a claim by entering the policy number, loss date, amount and adjuster.",
            "The system creates a claim with a policy number, a loss date, an amount and an adjuster.",
            "Claim: policy number, loss date, amount, adjuster.",
            "The clerk registers claims listed in folders with policy number, loss date, amount and adjuster.",
            "Clerks add claims inside folders with a policy number, a loss date, an amount and an adjuster.",
            "Clerks can change the policy number, loss date, amount and adjuster of a claim.",
            "We collect policy number, loss date, amount and adjuster when a claim signs up.",
            "The system assigns each claim a policy number, a loss date, an amount and an adjuster.",
            "A claim links a town to an office and stores policy number, loss date, amount and adjuster.",
        ] {
            assert_eq!(fields(sentence), ["policy number", "loss date", "amount", "adjuster"], "{sentence}");
        }
    }

    #[test]
    fn what_a_thing_can_do_and_be_is_nothing_it_has() {
        for sentence in [
            "Claims support editing, exporting, sharing and archiving.",
            "The system stores policies, offices, clerks and settings for each town.",
            "Create claim (triggers balance update & amount increment).",
            "Claims: open, settled, refused.",
        ] {
            assert_eq!(fields(sentence), [""; 0], "{sentence}");
        }
    }
}
