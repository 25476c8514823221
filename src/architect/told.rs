//! Reading: fields that sentences tell of, wherever they stand: `Each order shall include:` with a list, `a task has a title
//! and a due date`, `create books (title, author, price)`, ``an `orders` table (`id`, `total`)``.

use super::clauses::is_actor;
use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, Notes};
use super::topics::{self, Topic};
use super::words::Deed;
use super::{fields, words};

/// Verbs that say that a thing has what follows.
const KEEPS: &[&str] = &[
    "include",
    "includes",
    "contain",
    "contains",
    "have",
    "has",
    "store",
    "stores",
    "hold",
    "holds",
    "keep",
    "keeps",
    "record",
    "records",
    "capture",
    "captures",
    "carry",
    "carries",
    "comprise",
    "comprises",
    "track",
    "tracks",
    "maintain",
    "maintains",
    "collect",
    "collects",
    "consist",
    "consists",
];

const MODALS: &[&str] = &["shall", "must", "should", "will", "may", "can", "also", "typically", "always"];

/// Words that say that what follows are fields.
const FIELDS: &[&str] = &[
    "following",
    "field",
    "fields",
    "attribute",
    "attributes",
    "property",
    "properties",
    "column",
    "columns",
    "information",
    "values",
    "details",
    "data",
    "metadata",
];

pub(super) fn read(document: &Document, notes: &mut Notes) {
    notes.headed = headed(document);
    notes.said = document.words();
    for (at, block) in document.blocks.iter().enumerate() {
        let inside = topics::topic(document, block.section);
        if topics::is_aside(document, block.section) || matches!(inside, Some(Topic::Payload | Topic::Endpoints)) {
            continue;
        }
        match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                for (name, found) in tables(text, block.line) {
                    if let Some(entity) = notes.entity(&name, block.line) {
                        found.into_iter().for_each(|field| entity.field(field));
                    }
                }
                listed(document, notes, at, text, inside);
                inputs(document, notes, at);
                if matches!(block.kind, Kind::Item(..)) {
                    titled(notes, &text.plain.replace('\n', " "), block.line);
                }
                if matches!(block.kind, Kind::Paragraph(_)) {
                    lines(notes, &text.plain, block.line);
                }
                said(notes, &text.plain, block.line);
                let title = topics::without_number(document.title(block.section)).to_owned();
                for sentence in super::clauses::apart(&text.plain.replace('\n', " ")) {
                    recorded(notes, sentence, &title, block.line);
                    possessed(notes, sentence, block.line);
                }
            }
            Kind::Table(_, rows) => {
                for row in rows {
                    for cell in &row.cells {
                        titled(notes, &cell.plain.replace('\n', " "), row.line);
                        said(notes, &cell.plain, row.line);
                    }
                }
            }
            Kind::Code(..) => {}
        }
    }
}

/// What goes into a use case that makes a thing: a list below `Data` below `Add Menu Item Use Case`.
fn inputs(document: &Document, notes: &mut Notes, at: usize) {
    let block = &document.blocks[at];
    let title = document.title(block.section).trim_end_matches(':').to_ascii_lowercase();
    if !document.begins_list(at)
        || !["data", "input", "inputs", "fields", "input data", "parameters"].contains(&title.as_str())
    {
        return;
    }
    let Some(above) = document.around(block.section).nth(1) else { return };
    let above = topics::without_number(document.title(above));
    let words: Vec<String> = above
        .split_whitespace()
        .filter(|it| !["use", "case", "feature", "the", "a", "an"].contains(&it.to_ascii_lowercase().as_str()))
        .map(str::to_owned)
        .collect();
    let Some((verb, made)) = words.split_first() else { return };
    let makes = words::verb(verb).is_some_and(|(base, deed)| deed == Deed::Create && base == verb.to_ascii_lowercase());
    let items = document.outer_items(at);
    let Some(found) = fields::of_items(document, &items, true).filter(|it| makes && is_told(it)) else { return };
    if let Some(name) = thing(notes, made) {
        passing(notes, &name, block.line, found);
    }
}

/// Keys of what headings name: `Module: Tables`, `Customer and organization management`, `4.2 Orders`.
fn headed(document: &Document) -> Vec<String> {
    const MORE: &[&str] = &[
        "management",
        "administration",
        "module",
        "modules",
        "feature",
        "features",
        "requirements",
        "requirement",
        "functionality",
        "processing",
        "handling",
        "tracking",
        "catalog",
        "catalogue",
        "maintenance",
        "and",
    ];
    let mut found = Vec::new();
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if topics::is_aside(document, at) || document.is_heading_of_all(at) {
            continue;
        }
        let title = topics::without_number(section.title.plain.trim());
        let title = title.rsplit_once(':').map_or(title, |(_, rest)| rest);
        for part in title.split(" and ").flat_map(|it| it.split(" & ")).flat_map(|it| it.split('/')) {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            while words.last().is_some_and(|it| MORE.contains(&it.to_ascii_lowercase().as_str())) {
                words.pop();
            }
            if (1..=3).contains(&words.len()) {
                found.push(words::key(&words.join(" ")));
            }
        }
    }
    found
}

/// `Book: ISBN, title, pages` on lines of a paragraph.
fn lines(notes: &mut Notes, text: &str, line: u32) {
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
fn possessed(notes: &mut Notes, sentence: &str, line: u32) {
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
        if found.len() < 3 || common * 2 < found.len() || owner.is_empty() {
            continue;
        }
        if let Some(name) = thing(notes, &owner) {
            let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
            passing(notes, &name, line, found);
        }
    }
}

/// What is recorded of the thing that a heading names: `The system shall record actor, action and timestamp.` below `Audit
/// events`.
fn recorded(notes: &mut Notes, sentence: &str, heading: &str, line: u32) {
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

fn said(notes: &mut Notes, text: &str, line: u32) {
    let plain = text.replace('\n', " ");
    for sentence in super::clauses::apart(&plain) {
        has(notes, sentence, line);
        // `Fills in job title, description and salary`
        let lower = sentence.to_ascii_lowercase();
        let entered = ["fills in ", "fill in ", "enters ", "enter ", "provides ", "provide ", "inputs "];
        if let Some(at) = entered.iter().find_map(|it| lower.find(it).map(|at| at + it.len()).filter(|at| *at < 40)) {
            leading(notes, sentence.get(at..).unwrap_or(""), line);
        }
        given(notes, sentence, line);
    }
}

/// A thing by the words of its name, without those that only say how it is kept: a `restaurant profile` is a restaurant.
fn thing(notes: &Notes, words: &[String]) -> Option<String> {
    let mut words: Vec<String> = words.to_vec();
    let aspects = [
        "profile",
        "profiles",
        "record",
        "records",
        "details",
        "detail",
        "information",
        "info",
        "data",
        "entry",
        "entries",
    ];
    while words.len() > 1 && words.last().is_some_and(|it| aspects.contains(&it.to_ascii_lowercase().as_str())) {
        words.pop();
    }
    let fits = (1..=3).contains(&words.len())
        && !words.iter().any(|it| it.ends_with("ly"))
        && words.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')));
    // A `catalog medication` that is said once is a medication, where the text is about medications.
    if words.len() > 1 && notes.known(&words.join(" ")).is_none() && !notes.is_headed(&words) {
        let tail = &words[words.len() - 1..];
        if notes.times(&words) <= 1 && (notes.times(tail) >= 8 || notes.is_headed(tail) && notes.times(tail) >= 4) {
            words = tail.to_vec();
        }
    }
    let name = notes.meant(&words).map_or_else(|| words.join(" "), |it| it.name.clone());
    let last = words.last().map(|it| words::singular(&it.to_ascii_lowercase()))?;
    let no_thing = words::is_no_thing(&words::key(&name)) && notes.known(&name).is_none() && !notes.is_headed(&words);
    (fits && !no_thing && !words::is_technical(&last)).then_some(name)
}

/// Whether enough of a list are what things commonly have.
fn is_told(found: &[FieldNote]) -> bool {
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    found.len() >= 2 && (common * 2 >= found.len() || common >= 2 && common * 3 >= found.len())
}

/// An item that names a thing with what it has: `Garments by brand, style and size`, `Job tickets with quantities, due dates
/// and files`, `Customer name, address and phone`.
fn titled(notes: &mut Notes, text: &str, line: u32) {
    let sentence = super::clauses::apart(text).first().copied().unwrap_or("");
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let clean = |it: &str| it.trim_matches(|c: char| ",.;:`*".contains(c)).to_ascii_lowercase();
    let spoken = |it: &str| words::verb(it).is_some_and(|(base, _)| base == it) || words::verbal_noun(it).is_some();
    let marks = ["with", "by", "including", "containing"];
    let Some(at) = words.iter().take(5).position(|it| marks.contains(it)) else {
        return leading(notes, sentence, line);
    };
    let name: Vec<String> = words[..at].iter().map(|it| clean(it)).filter(|it| !words::is_determiner(it)).collect();
    let joined = words[..at].iter().any(|it| it.ends_with([',', ':', '.']) || *it == "and" || *it == "or");
    if name.is_empty()
        || joined
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

/// Notes fields of a thing that is a thing in passing, unless it is described elsewhere.
fn passing(notes: &mut Notes, name: &str, line: u32, found: Vec<FieldNote>) {
    let new = notes.known(name).is_none();
    noted(notes, name, line, found);
    if let Some(entity) = notes.entity(name, line).filter(|_| new) {
        entity.in_passing = true;
    }
}

fn noted(notes: &mut Notes, name: &str, line: u32, found: Vec<FieldNote>) {
    let new = notes.known(name).is_none();
    if let Some(entity) = notes.entity(name, line) {
        entity.in_passing |= new && found.is_empty();
        found.into_iter().for_each(|field| entity.field(field));
    }
}

/// `Customer contacts, addresses, notes and tax status`: the first word is a thing that is known, the rest what it has.
fn leading(notes: &mut Notes, sentence: &str, line: u32) {
    let found = names(sentence, line);
    let Some(first) = found.first().filter(|_| found.len() >= 3 && is_told(&found)) else { return };
    let words: Vec<String> = first.name.split_whitespace().map(str::to_owned).collect();
    let [owner, rest @ ..] = words.as_slice() else { return };
    let (owner, rest) = (owner.clone(), rest.join(" "));
    let singular = words::singular(&owner.to_ascii_lowercase()) == owner.to_ascii_lowercase();
    let is_thing = notes.known(&owner).is_some() || notes.is_headed(&[owner.clone()]);
    if rest.is_empty() || !singular || !is_thing || !words::is_common(&rest) || words::verb(&owner).is_some() {
        return;
    }
    let mut found = found;
    found[0].name = rest;
    let Some(name) = thing(notes, &[owner]) else { return };
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    passing(notes, &name, line, found);
}

/// The thing that a lead has a list of fields for: `Each Event Template shall include:`, `The system shall store, for each
/// user:`, `Required fields for a booking:`; and whether the lead leaves no doubt.
fn owner(notes: &Notes, lead: &str, inside: Option<Topic>) -> Option<(String, bool)> {
    let sentence = super::clauses::apart(lead).last().copied()?.trim().trim_end_matches(':').to_owned();
    let sentence = sentence.trim();
    let tokens: Vec<&str> = sentence.split_whitespace().map(|it| it.trim_matches(['`', '*', '"', ','])).collect();
    let lower: Vec<String> = tokens.iter().map(|it| it.to_ascii_lowercase()).collect();
    let name_of = |from: usize, to: usize| -> Option<String> {
        let words: Vec<String> =
            tokens.get(from..to)?.iter().skip_while(|it| words::is_determiner(it)).map(|it| (*it).to_owned()).collect();
        let fits = (1..=3).contains(&words.len())
            && words.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')))
            && !words.iter().any(|it| words::ends_object(it));
        if !fits {
            return None;
        }
        let name = notes.meant(&words).map_or_else(|| words.join(" "), |it| it.name.clone());
        let last = words.last().map(|it| words::singular(&it.to_ascii_lowercase())).unwrap_or_default();
        (!words::is_no_thing(&words::key(&name)) && !words::is_technical(&last)).then_some(name)
    };
    let keeps = lower.iter().position(|it| KEEPS.contains(&it.as_str()));
    let each = (1..lower.len())
        .find(|at| lower[at - 1] == "for" && ["each", "every", "a", "an"].contains(&lower[*at].as_str()));
    if let Some(each) = each {
        let end = (each + 1..tokens.len())
            .find(|at| {
                sentence_breaks(sentence, tokens[at - 1]) || KEEPS.contains(&lower[*at].as_str()) || lower[*at] == "the"
            })
            .unwrap_or(tokens.len());
        let about = keeps.is_some() || lower.iter().any(|it| FIELDS.contains(&it.as_str()));
        return name_of(each + 1, end)
            .filter(|_| about)
            .map(|it| (it, ["each", "every"].contains(&lower[each].as_str())));
    }
    // `support a profile with these fields:`
    let with = lower.iter().position(|it| it == "with").filter(|at| {
        let tail = &lower[at + 1..];
        tail.len() <= 4 && tail.iter().any(|it| FIELDS.contains(&it.as_str()))
    });
    if let Some(with) = with {
        let begin = (0..with).rev().find(|it| {
            words::is_determiner(&lower[*it]) || words::ends_object(&lower[*it]) || words::verb(&lower[*it]).is_some()
        });
        return name_of(begin.map_or(0, |it| it + 1), with).map(|it| (it, true));
    }
    if let Some(at) = keeps {
        let subject_end = (0..at).rev().find(|it| !MODALS.contains(&lower[*it].as_str())).map_or(0, |it| it + 1);
        let begin = (0..subject_end).rev().find(|it| sentence_breaks(sentence, tokens[*it])).map_or(0, |it| it + 1);
        let tail = &lower[at + 1..];
        let tells = tail.iter().any(|it| FIELDS.contains(&it.as_str())) && tail.len() <= 8
            || tail.len() <= 1
            || tail.len() <= 3 && tail.last().is_some_and(|it| it == "as" || it == "least");
        let explicit = lower.get(begin).is_some_and(|it| ["each", "every", "a", "an"].contains(&it.as_str()));
        let name = name_of(begin, subject_end).filter(|_| tells)?;
        let known = notes.known(&name).is_some();
        return (explicit || known || inside == Some(Topic::Data)).then_some((name, explicit || known));
    }
    // `Booking fields:`
    let (last, before) = lower.split_last()?;
    let caption = ["fields", "attributes", "properties", "columns"].contains(&last.as_str());
    let skipped = before
        .iter()
        .take_while(|it| ["required", "key", "core", "main", "the", "basic"].contains(&it.as_str()))
        .count();
    name_of(skipped, before.len()).filter(|_| caption).map(|it| (it, false))
}

/// Whether a comma or colon stands behind a word of a sentence.
fn sentence_breaks(sentence: &str, word: &str) -> bool {
    [",", ":"].iter().any(|it| sentence.contains(&format!("{word}{it}")) && !word.is_empty())
}

/// A list behind a lead that says whose fields it has.
fn listed(document: &Document, notes: &mut Notes, at: usize, text: &Text, inside: Option<Topic>) {
    let plain = text.plain.replace('\n', " ");
    if !plain.trim_end().trim_end_matches('*').ends_with(':') {
        return;
    }
    let items = match &document.blocks[at].kind {
        Kind::Item(..) => document.children(at),
        _ if document.begins_list_at(at + 1) && document.blocks[at + 1].section == document.blocks[at].section => {
            document.outer_items(at + 1)
        }
        _ => return,
    };
    let Some((name, certain)) = owner(notes, plain.trim_end().trim_end_matches('*'), inside) else { return };
    let Some(found) = fields::of_items(document, &items, true) else { return };
    let identifiers = found.iter().filter(|it| is_code_like(document, &items, &it.name)).count();
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    let spoken = found.iter().any(|it| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        words.len() > 3
            || words.len() > 1
                && words::verb(words[0]).is_some_and(|(base, _)| base == words[0].to_ascii_lowercase())
                && !words::is_common(&it.name)
    });
    let told = identifiers * 2 >= found.len() || common * 3 >= found.len();
    if found.is_empty() || spoken || !told || !certain && identifiers * 2 < found.len() && common * 2 < found.len() {
        return;
    }
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    noted(notes, &name, document.blocks[at].line, found);
}

fn is_code_like(document: &Document, items: &[usize], name: &str) -> bool {
    fields::is_identifier(name)
        && (name.contains('_')
            || items.iter().any(|it| match &document.blocks[*it].kind {
                Kind::Item(text, _) => text.codes().any(|code| code == name),
                _ => false,
            }))
}

/// Whether a name means several of a known thing, which a relationship tells.
fn is_many_of(notes: &Notes, name: &str) -> bool {
    words::split(name).last().is_some_and(|it| words::is_plural(it)) && notes.known(name).is_some()
}

/// Words before a name in a list that are no part of the name.
const LEADS: &[&str] = &[
    "a",
    "an",
    "the",
    "its",
    "their",
    "his",
    "her",
    "one",
    "optional",
    "unique",
    "required",
    "valid",
    "or",
    "optionally",
];

/// The parts of a list, each up to what only explains it.
fn split(list: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut part = String::new();
    for c in list.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    // `location/link` are two.
    let parts: Vec<String> = parts
        .iter()
        .flat_map(|part| match part.split_once('/') {
            Some((one, other)) if part.split_whitespace().count() == 1 && !one.is_empty() && !other.is_empty() => {
                vec![one.to_owned(), other.to_owned()]
            }
            _ => vec![part.clone()],
        })
        .collect();
    let last = parts.len() - 1;
    let mut found: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = part.trim();
        let part = part.strip_prefix("and ").or_else(|| part.strip_prefix("or ")).unwrap_or(part);
        let mut words: Vec<&str> = part.split_whitespace().collect();
        let joint = words.iter().position(|it| ["and", "&"].contains(it)).filter(|_| at == last);
        let cut = |words: &mut Vec<&str>| {
            let leads = words.iter().take_while(|it| LEADS.contains(&it.to_ascii_lowercase().as_str())).count();
            words.drain(..leads.min(words.len().saturating_sub(1)));
            if let Some(end) = (1..words.len())
                .filter(|it| it + 1 < words.len() || !words[*it].ends_with("ed"))
                .find(|it| words::ends_object(words[*it].trim_matches([',', '.'])))
            {
                words.truncate(end);
            }
        };
        let second = joint.map(|it| words.split_off(it)).map(|it| it[1..].to_vec());
        cut(&mut words);
        found.push(words.join(" "));
        if let Some(mut second) = second {
            cut(&mut second);
            found.push(second.join(" "));
        }
    }
    found.retain(|it| !it.is_empty());
    // One part that is no name says nothing of the others.
    let is_name =
        |it: &String| it.split('(').next().is_some_and(|it| it.split_whitespace().count() <= 3 && !it.contains('/'));
    let good = found.iter().filter(|it| is_name(it)).count();
    if good >= 3 && good * 4 >= found.len() * 3 {
        found.retain(is_name);
    }
    found
}

/// A list up to what is done next: `a username and password, and apply for a loan`.
fn before_verb(list: &str) -> &str {
    let mut from = 0;
    while let Some(at) = list[from..].find(" and ").map(|at| at + from) {
        let behind = &list[at + 5..];
        let mut words = behind.split_whitespace();
        let first = words.next().unwrap_or("");
        let verb = words::verb(first).is_some_and(|(base, _)| base == first) && !words::is_common(first)
            || first.ends_with("ing") && words::verbal_noun(first).is_some();
        if verb && words.next().is_some_and(|it| !it.starts_with('(')) {
            return list[..at].trim_end_matches(',');
        }
        from = at + 5;
    }
    list
}

/// Names without the words before them that are no part of them.
fn names(list: &str, line: u32) -> Vec<FieldNote> {
    let list = list.trim();
    // `details such as a name and a price`
    let lower = list.to_ascii_lowercase();
    let introduced = ["such as ", "like ", "including ", "e.g. "].iter().find_map(|it| {
        let at = lower.find(it).filter(|at| lower[..*at].split_whitespace().count() <= 3)?;
        let said = lower[..at].split_whitespace().last()?;
        ["details", "information", "data", "fields", "attributes", "info"].contains(&said).then_some(at + it.len())
    });
    let list = list.get(introduced.unwrap_or(0)..).unwrap_or(list);
    let list = before_verb(list.trim_end_matches(['.', ';', ':']));
    // `username and password`
    let two = list.split_once(" and ").filter(|_| !list.contains(','));
    let parts = match two {
        Some((one, other)) => format!("{one}, {other}"),
        None => list.to_owned(),
    };
    // `quantity according to type` is a quantity.
    let parts: Vec<String> = split(&parts);
    let mut found = fields::of_list(&parts.join(", "), line);
    for field in &mut found {
        let words: Vec<&str> =
            field.name.split_whitespace().skip_while(|it| LEADS.contains(&it.to_ascii_lowercase().as_str())).collect();
        field.name = words.join(" ");
    }
    // `reorder data` may be one among others.
    let spoken = |it: &FieldNote| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        words.len() > 1
            && words::verb(words[0]).is_some_and(|(base, _)| base == words[0])
            && !words::is_common(&it.name)
    };
    let many = found.iter().filter(|it| spoken(it)).count() * 4 > found.len();
    let fits = found.iter().all(|it| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        (1..=3).contains(&words.len())
            && !words.iter().skip(1).any(|it| words::ends_object(it) && !it.ends_with("ed"))
            && !many
    });
    if fits { found } else { Vec::new() }
}

/// `Each product has a name, a price and an optional description`
fn has(notes: &mut Notes, sentence: &str, line: u32) {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let lower: Vec<String> = tokens.iter().map(|it| it.trim_matches(['`', '*']).to_ascii_lowercase()).collect();
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
            "require",
        ]
        .contains(&it.as_str())
    }) else {
        return;
    };
    let subject: Vec<String> = lower[..verb]
        .iter()
        .skip_while(|it| words::is_determiner(it))
        .take_while(|it| !MODALS.contains(&it.as_str()))
        .map(|it| it.trim_end_matches('s').to_owned())
        .collect();
    let rest: Vec<&str> = tokens[verb + 1..].iter().copied().skip_while(|it| *it == "of").collect();
    let rest = rest.join(" ");
    let rest = rest.trim_start_matches("of:").trim_start_matches([':', ' ']);
    let rest = rest.split([';', ':', '–', '—']).next().unwrap_or("");
    // `Author records store a name.`
    let records = subject.len() > 1 && ["record", "account", "profile"].contains(&subject[subject.len() - 1].as_str());
    let explicit = explicit || records;
    let subject = if records { subject[..subject.len() - 1].to_vec() } else { subject };
    let name = notes.meant(&subject).map(|it| it.name.clone());
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

/// What is given when a thing is made: `Create workout plans (exercises, sets, weight)`, `add books with title, author and
/// price`, `register with a username and password`.
fn given(notes: &mut Notes, sentence: &str, line: u32) {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let clean = |at: usize| tokens[at].trim_matches(|c: char| ",.;:`*\"".contains(c)).to_ascii_lowercase();
    for at in 0..tokens.len() {
        let word = clean(at);
        let making = words::verb(&word)
            .filter(|(base, deed)| *base == word || *deed == Deed::Read && !words::is_noun_too(base))
            .or_else(|| words::verbal_noun(&word));
        let keeping = ["store", "stores", "keep", "keeps", "hold", "holds"].contains(&word.as_str());
        let Some((verb, deed)) = making.or(keeping.then_some(("store", Deed::Act))) else { continue };
        let makes = matches!(deed, Deed::Create | Deed::Update | Deed::Manage)
            || ["submit", "define", "save", "upload", "schedule", "provide", "configure", "signup"].contains(&verb);
        // `display user details including name and role`
        let shows = deed == Deed::Read && !["search", "filter", "find", "query", "browse"].contains(&verb);
        let sign_up = word == "sign" && tokens.get(at + 1).is_some_and(|it| it.starts_with("up"));
        let keeps = ["store", "stores", "keep", "keeps", "hold", "holds", "track", "tracks"].contains(&word.as_str());
        if !makes && !sign_up && !shows && !keeps {
            continue;
        }
        let from = at + 1 + usize::from(sign_up);
        let registering = sign_up || ["register", "signup"].contains(&verb);
        // The thing, up to what introduces its fields.
        let mut thing: Vec<String> = Vec::new();
        let mut listed = None;
        for next in from..tokens.len().min(from + 7) {
            let word = clean(next);
            if let Some(inner) = tokens[next].strip_prefix('(') {
                let text = format!("{inner} {}", tokens[next + 1..].join(" "));
                listed = text.split(')').next().map(str::to_owned).map(|it| (it, true));
                break;
            }
            if ["with", "including", "using", "containing", "specifying", "providing"].contains(&word.as_str()) {
                // `holidays` are among the hours, no field of them.
                let members = ["including", "using"].contains(&word.as_str())
                    && !thing
                        .last()
                        .is_some_and(|it| words::is_aspect(it) || ["profile", "profiles"].contains(&it.as_str()));
                listed = (!members || registering).then(|| (tokens[next + 1..].join(" "), false));
                break;
            }
            // `register a request by entering a name and a number`
            if word == "by"
                && tokens
                    .get(next + 1)
                    .is_some_and(|it| ["entering", "providing", "specifying", "supplying"].contains(it))
            {
                listed = Some((tokens[next + 2..].join(" "), false));
                break;
            }
            // `add an entry: quantity, unit and notes`
            if tokens[next].ends_with(':') && (makes || keeps) {
                if !words::is_determiner(&word) {
                    thing.push(word);
                }
                listed = Some((tokens[next + 1..].join(" "), false));
                break;
            }
            // `profiles, including preferences`
            let introduced = tokens.get(next + 1).is_some_and(|it| ["including", "with"].contains(it));
            if introduced && tokens[next].ends_with(',') && !words::is_determiner(&word) {
                thing.push(word);
                continue;
            }
            if word == "and"
                || word == "or"
                || tokens[next].ends_with([',', '.', ';', ':']) && !tokens[next].ends_with("),")
            {
                thing.clear();
                if tokens[next].ends_with(['.', ';', ':']) {
                    break;
                }
                continue;
            }
            if words::ends_object(&word) {
                // `a schedule for an entry: amount, frequency and times`
                let colon = (next..tokens.len().min(next + 6)).find(|it| tokens[*it].ends_with(':'));
                if let Some(colon) =
                    colon.filter(|_| makes && !thing.is_empty() && ["for", "of", "in", "on"].contains(&word.as_str()))
                {
                    listed = Some((tokens[colon + 1..].join(" "), false));
                }
                break;
            }
            let joined = next > from && ["and", "or", "/"].contains(&tokens[next - 1])
                || next > from && tokens[next - 1].ends_with(',');
            if thing.is_empty() && joined && words::verb(&word).is_some_and(|(base, _)| base == word) {
                continue;
            }
            if !words::is_determiner(&word) {
                thing.push(word);
            }
        }
        let Some((list, in_brackets)) = listed else { continue };
        let lower = list.trim_start().to_ascii_lowercase();
        if ["e.g", "i.e", "via", "by ", "for "].iter().any(|it| lower.starts_with(it)) {
            continue;
        }
        let list = list.split([';', ':', '–', '—']).next().unwrap_or("").split(". ").next().unwrap_or("");
        // `with title and price, and assign them …`
        let found = names(list, line);
        let common = found.iter().filter(|it| words::is_common(&it.name)).count();
        let proper = found
            .iter()
            .any(|it| it.name.chars().nth(1).is_some_and(char::is_uppercase) && !words::is_common(&it.name));
        let headed = notes.is_headed(&thing) && found.len() >= 3;
        let enough =
            if in_brackets { found.len() >= 3 && common * 3 >= found.len() } else { is_told(&found) || headed };
        // `view orders (date, status)` may be what is shown of something else.
        let enough = enough && !(shows && (in_brackets || found.len() < 3));
        if found.len() < 2 || !enough || proper {
            continue;
        }
        let registers = sign_up || ["register", "signup"].contains(&verb);
        let name = if thing.is_empty() && registers {
            let actor: Vec<String> = tokens[..at]
                .iter()
                .map(|it| it.trim_matches([',', '*', '`']).to_ascii_lowercase())
                .take_while(|it| !words::ends_object(it) || it == "of")
                .take_while(|it| it != "of")
                .filter(|it| !words::is_determiner(it))
                .collect();
            if common < found.len() {
                continue;
            }
            let anyone = ["visitor", "visitors", "guest", "guests", "anyone", "everyone", "person", "people", "users"];
            let somebody = is_actor(&actor.join(" ")) && actor.len() <= 2;
            if somebody && !actor.iter().any(|it| anyone.contains(&it.as_str())) {
                actor.join(" ")
            } else {
                "user".to_owned()
            }
        } else {
            thing.join(" ")
        };
        let words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
        let Some(name) = self::thing(notes, &words) else { continue };
        let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
        passing(notes, &name, line, found);
    }
}

/// Tables, collections and entities that a text names as such in code, with the fields behind them: ``an `orders` table
/// (`id`, `total`)``, ``One table: `applications` ``.
fn tables(text: &Text, line: u32) -> Vec<(String, Vec<FieldNote>)> {
    let kinds = ["table", "tables", "collection", "entity"];
    let mut found = Vec::new();
    let mut from = 0;
    for code in text.codes() {
        let Some(at) = text.plain.get(from..).and_then(|rest| rest.find(code)).map(|at| at + from) else { continue };
        from = at + code.len();
        let word = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let before = text.plain[..at].split_whitespace().last().map(word).unwrap_or_default();
        let behind = &text.plain[from..];
        let next = behind.split_whitespace().next().map(word).unwrap_or_default();
        let named = kinds.contains(&next.as_str()) || ["table", "collection", "entity"].contains(&before.as_str());
        if !named || !fields::is_identifier(code) {
            continue;
        }
        let mut fields = Vec::new();
        let open = behind.find('(').filter(|at| behind[..*at].split_whitespace().count() <= 1);
        if let Some(open) = open {
            let inner = behind[open + 1..].split(')').next().unwrap_or("");
            let parts: Vec<&str> = inner.split(',').map(|it| it.trim().trim_matches('`')).collect();
            if parts.len() >= 2 && parts.iter().all(|it| fields::is_identifier(it)) {
                fields = parts
                    .into_iter()
                    .map(|name| FieldNote { name: name.to_owned(), line, ..FieldNote::default() })
                    .collect();
            }
        }
        found.push((code.to_owned(), fields));
    }
    found
}

/// The only table that the text above a caption speaks of, for what stands below the caption.
pub(super) fn only_table(document: &Document, section: usize) -> Option<String> {
    let own = &document.sections[section];
    let above = document.around(section).nth(1).filter(|_| own.title.codes().next().is_none())?;
    let said = document.blocks.iter().filter(|it| it.section == above).filter_map(|it| match &it.kind {
        Kind::Paragraph(text) => Some(tables(text, it.line)),
        _ => None,
    });
    let mut names: Vec<String> = said.flatten().map(|(name, _)| name).collect();
    names.dedup();
    match names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}
