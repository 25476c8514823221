//! Sentences, titles of items and lines that tell fields: `a task has a title and a due date`.

use super::leads::MODALS;
use super::names::names;
use super::{is_many_of, is_told, noted, passing, thing};
use crate::architect::clauses::apart;
use crate::architect::document::Text;
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::words::Deed;
use crate::architect::{fields, topics, words};

/// `Book: ISBN, title, pages` on lines of a paragraph.
pub(super) fn lines(notes: &mut Notes, text: &str, line: u32) {
    let labelled = |text: &str| -> Option<(String, String)> {
        let (label, list) = text.trim().split_once(": ")?;
        let words: Vec<&str> = label.split_whitespace().collect();
        let fits = (1..=3).contains(&words.len())
            && words.iter().all(|it| it.starts_with(char::is_uppercase) && it.chars().all(char::is_alphanumeric));
        fits.then(|| (label.to_owned(), list.to_owned()))
    };
    let found: Vec<(usize, String, Vec<FieldNote>)> = text
        .lines()
        .enumerate()
        .filter_map(|(at, it)| {
            let (label, list) = labelled(it)?;
            let mut fields = names(&list, line + at as u32);
            if fields.is_empty() && !list.contains(',') && list.split_whitespace().count() <= 2 {
                fields.extend(fields::of_line(&Text::of(&list), line + at as u32));
            }
            Some((at, label, fields))
        })
        .collect();
    let many = found.iter().filter(|(.., it)| is_told(it)).count() >= 3;
    for (at, label, fields) in found {
        let words: Vec<String> = label.split_whitespace().map(str::to_owned).collect();
        if let Some(name) = thing(notes, &words).filter(|_| many && !fields.is_empty()) {
            noted(notes, &name, line + at as u32, fields);
        }
    }
}

/// `the product's name, photo and average rating`
pub(super) fn possessed(notes: &mut Notes, sentence: &str, line: u32) {
    let plain = sentence.replace('’', "'");
    for (at, _) in plain.match_indices("'s ") {
        let before: Vec<&str> = plain[..at].split_whitespace().rev().take(3).collect();
        let Some(det) = before.iter().position(|it| {
            ["the", "a", "an", "each", "every", "their", "this"].contains(&it.to_ascii_lowercase().as_str())
        }) else {
            continue;
        };
        let owner: Vec<String> = before[..det].iter().rev().map(|it| (*it).to_owned()).collect();
        let list = plain[at + 3..].split([';', ':', '–', '—', '(']).next().unwrap_or("");
        let found = names(list, line);
        let common = found.iter().filter(|it| words::is_common(&it.name)).count();
        // A figure that is calculated is no field that a thing keeps.
        let calculated = found.iter().filter(|it| {
            words::split(&it.name)
                .iter()
                .any(|it| ["total", "rate", "count", "average", "percentage", "trend"].contains(&it.as_str()))
        });
        if found.len() < 3 || common * 2 < found.len() || owner.is_empty() || calculated.count() * 2 >= found.len() {
            continue;
        }
        if let Some(name) = thing(notes, &owner) {
            let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
            passing(notes, &name, line, found);
        }
    }
}

/// Fields that a sentence names before their thing: `The position, size and colour of each folder shall be saved.`
pub(super) fn stored(notes: &mut Notes, sentence: &str, line: u32) {
    const KEPT: &[&str] = &["saved", "stored", "recorded", "kept", "persisted", "captured", "tracked", "logged"];
    let all: Vec<&str> = sentence.split_whitespace().collect();
    let clean = |it: &str| it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let Some(of) = all.windows(2).position(|it| it[0] == "of" && ["each", "every"].contains(&it[1])) else { return };
    let Some(done) = (of + 3..all.len().min(of + 9)).find(|at| KEPT.contains(&clean(all[*at]).as_str())) else {
        return;
    };
    let words: Vec<String> = all[of + 2..done]
        .iter()
        .map(|it| clean(it))
        .take_while(|it| !MODALS.contains(&it.as_str()) && !words::ends_object(it))
        .collect();
    let found = names(&all[..of].join(" "), line);
    if found.len() >= 2
        && is_told(&found)
        && let Some(name) = thing(notes, &words)
    {
        passing(notes, &name, line, found);
    }
}

/// What is recorded of the thing that a heading names: `The system shall record actor, action and timestamp.` below `Audit
/// events`.
pub(super) fn recorded(notes: &mut Notes, sentence: &str, heading: &str, line: u32) {
    let lower = sentence.to_ascii_lowercase();
    let Some(at) = ["record ", "records ", "store ", "stores ", "capture ", "captures ", "captures: "]
        .iter()
        .find_map(|it| lower.find(it).map(|at| at + it.len()))
    else {
        return;
    };
    let Some(named) = topics::thing_named(&Text::of(heading)) else { return };
    let words: Vec<String> = named
        .split_whitespace()
        .filter(|it| {
            !["management", "requirements", "admin", "logging", "tracking"].contains(&it.to_ascii_lowercase().as_str())
        })
        .map(str::to_owned)
        .collect();
    let found = names(sentence.get(at..).unwrap_or(""), line);
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    let single = found.iter().all(|it| words::split(&it.name).last().is_some_and(|it| !words::is_plural(it)));
    let plural = words.last().is_some_and(|it| words::is_plural(&it.to_ascii_lowercase()));
    if found.len() >= 4
        && common > 0
        && single
        && plural
        && let Some(name) = thing(notes, &words)
    {
        passing(notes, &name, line, found);
    }
}

/// What is entered in a step below a heading that says what is made: `Selects a unit, a start date and a rent.` below
/// `Create a lease`.
pub(super) fn entered(notes: &mut Notes, sentence: &str, heading: &str, line: u32) {
    let said: Vec<&str> = sentence.split_whitespace().collect();
    let enters =
        ["enters", "enter", "selects", "select", "fills", "fill", "provides", "provide", "specifies", "inputs"];
    let clean = |it: &str| it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let Some(mut at) = said.iter().take(5).position(|it| enters.contains(&clean(it).as_str())) else { return };
    at += 1 + usize::from(said.get(at + 1).is_some_and(|it| *it == "in" || *it == "out"));
    let Some(mut made) = made(heading) else { return };
    // A `long-term lease` is a lease where the text speaks of leases.
    if made.len() > 1
        && notes.known(&made.join(" ")).is_none()
        && notes.times(&made[made.len() - 1..]) >= 8.max(4 * notes.times(&made))
    {
        made.drain(..made.len() - 1);
    }
    // Where a text describes things, it describes which fields they have.
    let described = notes.entities.iter().any(|it| !it.in_passing && !it.fields.is_empty());
    let Some(name) = thing(notes, &made).filter(|it| !described || notes.known(it).is_some()) else { return };
    let own = words::key(&name);
    // What stands in brackets explains; `selects a unit, enters a title` is entered, too.
    let list = without_brackets(&said[at.min(said.len())..].join(" "));
    let list = enters.iter().fold(list, |list, verb| list.replace(&format!(", {verb} "), ", "));
    let mut found = names(&list, line);
    found.retain(|it| !it.name.split_whitespace().next().is_none_or(words::ends_object));
    // `the unit name` is the name of the unit.
    for field in &mut found {
        let words: Vec<&str> = field.name.split_whitespace().collect();
        let owned = words[0].strip_suffix("'s").unwrap_or(words[0]);
        if words.len() > 1 && (words::key(owned) == own || words[0].ends_with("'s")) {
            field.name = words[1..].join(" ");
        }
    }
    if found.len() < 3 || !is_told(&found) {
        return;
    }
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    passing(notes, &name, line, found);
}

pub(in crate::architect) fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => result.push(c),
            _ => {}
        }
    }
    result.replace(" ,", ",")
}

/// What a heading says is made: `Create and sign a long-term lease`, `Employee submits a leave request`.
fn made(heading: &str) -> Option<Vec<String>> {
    let words: Vec<String> =
        heading.split(['(', ':', '–', '—']).next()?.split_whitespace().map(str::to_ascii_lowercase).collect();
    let verb = |it: &String| words::verb(it).filter(|(base, _)| base == it || it.ends_with('s'));
    let makes = |it: &String| {
        verb(it).is_some_and(|(base, deed)| {
            deed == Deed::Create || ["submit", "schedule", "book", "register"].contains(&base)
        })
    };
    let mut at = words.iter().take(4).position(makes)? + 1;
    while words.get(at).is_some_and(|it| it == "and") && words.get(at + 1).is_some_and(|it| verb(it).is_some()) {
        at += 2;
    }
    let thing = words[at..].iter().skip_while(|it| words::is_determiner(it)).take_while(|it| !words::ends_object(it));
    Some(thing.cloned().collect::<Vec<_>>()).filter(|it| (1..=3).contains(&it.len()))
}

/// An item that names a thing with what it has: `Garments by brand, style and size`, `Job tickets with quantities, due dates
/// and files`, `Customer name, address and phone`.
pub(super) fn titled(notes: &mut Notes, text: &str, line: u32) {
    let sentence = apart(text).first().copied().unwrap_or("");
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let clean = |it: &str| it.trim_matches(|c: char| ",.;:`*".contains(c)).to_ascii_lowercase();
    let spoken = |it: &str| words::verb(it).is_some_and(|(base, _)| base == it) || words::verbal_noun(it).is_some();
    let marks = ["with", "by", "including", "containing"];
    let Some(at) = words.iter().take(5).position(|it| marks.contains(it)) else {
        return leading(notes, sentence, line);
    };
    // `Garments by brand`, not `Deduplicate by number`
    let many = words.get(at.wrapping_sub(1)).is_some_and(|it| words::is_plural(&clean(it)));
    if words[at] == "by" && !many {
        return;
    }
    // `Flows are listed with title and date` tells what flows have.
    let shown = at > 2
        && ["is", "are"].contains(&words[at - 2])
        && ["listed", "shown", "displayed", "stored", "saved"].contains(&words[at - 1]);
    let end = if shown { at - 2 } else { at };
    let name: Vec<String> = words[..end].iter().map(|it| clean(it)).filter(|it| !words::is_determiner(it)).collect();
    if name.iter().any(|it| ["is", "are"].contains(&it.as_str())) {
        return;
    }
    let joined = words[..at].iter().any(|it| it.ends_with([',', ':', '.']) || *it == "and" || *it == "or");
    // `Employee sees their details`
    let acts = name.len() > 2
        && name[1..name.len() - 1].iter().any(|it| {
            words::verb(it).is_some_and(|(base, _)| base != it && it.ends_with('s'))
                && !words::is_noun_too(&words::singular(it))
        });
    // `Guests leave reviews containing …`
    let done = |it: &&String| words::verb(it).is_some_and(|(base, _)| base == it.as_str());
    let acts =
        acts || name.len() > 2 && words::is_plural(&name[0]) && name[1..name.len() - 1].iter().any(|it| done(&it));
    if name.is_empty()
        || joined
        || acts
        || name.first().is_some_and(|it| spoken(it))
        || name.last().is_some_and(|it| spoken(it))
    {
        return;
    }
    let found = names(&words[at + 1..].join(" "), line);
    if found.len() < 3 || !is_told(&found) {
        return;
    }
    if let Some(name) = thing(notes, &name) {
        let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
        passing(notes, &name, line, found);
    }
}

/// `Customer contacts, addresses, notes and tax status`: the first word is a thing that is known, the rest what it has.
pub(super) fn leading(notes: &mut Notes, sentence: &str, line: u32) {
    let found = names(sentence, line);
    let Some(first) = found.first().filter(|_| found.len() >= 3 && is_told(&found)) else { return };
    let words: Vec<String> = first.name.split_whitespace().map(str::to_owned).collect();
    let [owner, rest @ ..] = words.as_slice() else { return };
    let (owner, rest) = (owner.clone(), rest.join(" "));
    let singular = words::singular(&owner.to_ascii_lowercase()) == owner.to_ascii_lowercase();
    let is_thing = notes.known(&owner).is_some() || notes.is_headed(std::slice::from_ref(&owner));
    // `Employee selects a date`
    let acts = words.get(1).is_some_and(|it| words::verb(it).is_some() && !words::is_common(it));
    if rest.is_empty() || acts || !singular || !is_thing || !words::is_common(&rest) || words::verb(&owner).is_some() {
        return;
    }
    let mut found = found;
    found[0].name = rest;
    let Some(name) = thing(notes, &[owner]) else { return };
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    passing(notes, &name, line, found);
}

/// `Each product has a name, a price and an optional description`
pub(super) fn has(notes: &mut Notes, sentence: &str, line: u32) {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let lower: Vec<String> = tokens.iter().map(|it| it.trim_matches(['`', '*', ':']).to_ascii_lowercase()).collect();
    let Some(first) = lower.first() else { return };
    let explicit = ["each", "every", "a", "an"].contains(&first.as_str());
    let Some(verb) = lower.iter().take(7).position(|it| {
        [
            "has",
            "have",
            "contains",
            "includes",
            "stores",
            "consists",
            "comprises",
            "contain",
            "include",
            "store",
            "records",
            "record",
            "holds",
            "hold",
            "carries",
            "carry",
            "define",
            "defines",
            "requires",
            "know",
            "knows",
            "require",
        ]
        .contains(&it.as_str())
            // `Each block displays a title and a duration.`
            || ["each", "every"].contains(&first.as_str())
                && ["displays", "shows", "display", "show"].contains(&it.as_str())
    }) else {
        return;
    };
    let subject: Vec<String> = lower[..verb]
        .iter()
        .skip_while(|it| words::is_determiner(it))
        .take_while(|it| !MODALS.contains(&it.as_str()))
        .filter(|it| {
            !["thus", "also", "always", "then", "usually", "typically", "only", "therefore"].contains(&it.as_str())
        })
        .map(|it| words::singular(it))
        .collect();
    let rest: Vec<&str> = tokens[verb + 1..].iter().copied().skip_while(|it| *it == "of").collect();
    let rest = rest.join(" ");
    let rest = rest.trim_start_matches("of:").trim_start_matches([':', ' ']);
    let rest = rest.split([';', ':', '–', '—']).next().unwrap_or("");
    let shown = ["form", "page", "screen", "card", "table", "list", "dashboard", "field", "row"];
    if subject.iter().any(|it| shown.contains(&it.as_str())) {
        return;
    }
    // `Author records store a name.`
    let records = subject.len() > 1 && ["record", "account", "profile"].contains(&subject[subject.len() - 1].as_str());
    // `Contributions must store an amount and a currency.`
    let bound = verb > 0
        && ["must", "shall", "should"].contains(&lower[verb - 1].as_str())
        && words::is_plural(
            &lower[..verb].iter().rev().find(|it| !MODALS.contains(&it.as_str())).cloned().unwrap_or_default(),
        );
    let explicit = explicit || records || bound;
    let subject = if records { subject[..subject.len() - 1].to_vec() } else { subject };
    let name = notes.meant(&subject).map(|it| it.name.clone()).or_else(|| super::logged(notes, &subject));
    let (Some(name), true) = (name.or_else(|| explicit.then(|| subject.join(" "))), (1..=3).contains(&subject.len()))
    else {
        return;
    };
    let found = names(rest, line);
    let singular = found.iter().filter(|it| !is_many_of(notes, &it.name)).count();
    if singular < 2
        || !is_told(&found)
        || words::is_no_thing(&words::key(&name))
        || words::is_technical(subject.last().map_or("", String::as_str))
    {
        return;
    }
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    noted(notes, &name, line, found);
}

/// `fields for product information (name, price and image)`
pub(super) fn bracketed(notes: &mut Notes, text: &str, line: u32) {
    for marker in [" information (", " data ("] {
        for (at, _) in text.match_indices(marker) {
            let list = text[at + marker.len()..].split(')').next().unwrap_or("");
            let found = names(list, line);
            let owner = text[..at].split_whitespace().last().unwrap_or("").to_ascii_lowercase();
            if found.len() < 3
                || !is_told(&found)
                || list.starts_with("e.g")
                || words::is_determiner(&owner)
                || owner.ends_with("ed")
            {
                continue;
            }
            if let Some(name) = thing(notes, &[owner]) {
                passing(notes, &name, line, found);
            }
        }
    }
}
