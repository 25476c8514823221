//! Lists of what a thing has, wherever a sentence has one: `Claims are opened with the policy number, vehicle and date`,
//! `Each event should have basic details (name, date, venue)`, `Employee details include name, email and salary`.
//!
//! A list is told where enough of it is what things commonly have, and where what has it is a thing by other evidence: it is
//! described, or a heading names it, or somebody makes or changes it, or the text comes back to it.

use super::captions::captioned;
use super::leads::MODALS;
use super::names::names;
use super::sentences::without_brackets;
use super::{is_many_of, is_told, logged, passing, thing};
use crate::architect::clauses::apart;
use crate::architect::document::{Document, Kind};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::{self, Topic};
use crate::architect::words::Deed;
use crate::architect::{relations, words};

/// Questions about what things have; more are not read by anybody.
const MOST_ASKED: usize = 40;

/// Words between a thing and what it has.
#[rustfmt::skip]
const HAVE: &[&str] = &[
    "with", "including", "containing", "providing", "include", "includes", "contain", "contains", "has", "have",
    "store", "stores", "capture", "captures", "record", "records", "comprise", "comprises", "hold", "holds", "carry",
    "carries", "track", "tracks", "accept", "accepts", "require",
    "requires", "shows", "displays",
];

/// Words of what is taken from elsewhere.
const TAKE: &[&str] = &["parse", "extract", "collect", "collects"];

/// Whether a word may stand between a thing and a list of what it has.
fn is_between(word: &str) -> bool {
    HAVE.contains(&word) || TAKE.contains(&word)
}

/// Verbs of somebody who tells what a thing has.
const ENTER: &[&str] = &[
    "enter",
    "enters",
    "provide",
    "provides",
    "specify",
    "specifies",
    "input",
    "inputs",
    "submit",
    "submits",
    "fill",
    "edit",
    "edits",
    "set",
    "record",
    "records",
];

/// Words behind which stands what must hold, not what there is.
const CONDITIONS: &[&str] = &["we", "you", "unless", "if", "cannot", "when", "without", "not"];

/// Fields from which on a thing that is described has all of them.
const WHOLE: usize = 5;

/// Bytes from which on a sentence is none.
const LONG: usize = 600;

/// Sentences in which what was spoken of is looked for.
const NEAR: usize = 6;

/// Words that mean the thing that was spoken of.
const MEANT: &[&str] = &["entry", "record", "it", "this", "these", "they", "each", "row"];

/// Words of headings that say what kind of text follows, in the singular.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "criteria", "criterion", "story", "requirement", "note", "rule", "feature", "scope", "overview", "workflow", "flow",
    "step", "goal", "summary", "introduction", "challenge", "architecture",
];

/// How a thing is shown, which is no thing.
pub(super) const FORMS: &[&str] =
    &["form", "forms", "page", "screen", "card", "cards", "modal", "dialog", "section", "table", "inputs", "panel"];

/// A list in a sentence, and where it stands.
struct List<'s> {
    /// What stands before it.
    before: Vec<&'s str>,
    /// What introduces it.
    by: String,
    /// Behind a word that says that attributes follow.
    strong: bool,
    found: Vec<FieldNote>,
}

pub(in crate::architect) fn read(document: &Document, notes: &mut Notes) {
    let mut last = Vec::new();
    let mut asked = 0;
    for (at, block) in document.blocks.iter().enumerate() {
        let inside = topics::topic(document, block.section);
        if document.asides[block.section] || matches!(inside, Some(Topic::Payload | Topic::Endpoints)) {
            continue;
        }
        let text = match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => text.plain.replace('\n', " "),
            _ => continue,
        };
        if let Some((name, found)) = captioned(document, notes, at, &text) {
            passing(notes, &name, block.line, found);
        }
        let mut around: Option<Vec<String>> = None;
        for sentence in apart(&text) {
            let told = before_why(sentence);
            if told.len() > LONG {
                continue;
            }
            for list in lists(told, block.line).into_iter().chain(its(told, block.line)) {
                let around = around.get_or_insert_with(|| labels(document, at, &text));
                let Some(name) = owner(notes, &list, around, &last) else { continue };
                let common = list.found.iter().filter(|it| words::is_common(&it.name)).count();
                // What is entered below a heading may be of something else.
                let few = list.by == "enter" && list.found.len() < 3;
                let made = list.by == "with" && makes(&list);
                let told = if list.strong || made { common > 0 && list.found.len() >= 3 } else { is_told(&list.found) };
                // A card that shows a `camp title` is not one of camps alone.
                let own = words::key(&name);
                let of_others = ["shows", "displays"].contains(&list.by.as_str())
                    && list.found.iter().any(|it| {
                        let said = words::split(&it.name);
                        said.len() > 1 && words::key(&said[0]) == own
                    });
                let enough = told && !few && !of_others;
                let whole = notes.known(&name).is_some_and(|it| !it.in_passing && it.fields.len() >= WHOLE);
                let vague = list.found.len() <= 3 && list.found.iter().any(|it| words::is_aspect(&it.name));
                if enough && !whole && !vague {
                    // Of a thing that nobody makes and nothing describes, the reader is asked.
                    if notes.known(&name).is_none() && name != "user" && !is_made(notes, &name) {
                        asked += 1;
                        if asked <= MOST_ASKED {
                            let said = crate::architect::settle::shortened(sentence);
                            let question = format!("Line {}: “{said}” – is this what `{name}` has?", block.line);
                            notes.questions.push((block.line, question));
                        }
                        continue;
                    }
                    let found = list.found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
                    passing(notes, &name, block.line, found);
                }
            }
            last.push(sentence.to_owned());
        }
    }
}

/// What a place is about, the nearest first: the label of its item, of the one above, the heading.
fn labels(document: &Document, at: usize, text: &str) -> Vec<String> {
    let label = |text: &str| {
        let (label, _) = text.split_once(':')?;
        (label.split_whitespace().count() <= 4).then(|| label.to_owned())
    };
    let above = document.parent(at).and_then(|it| match &document.blocks[it].kind {
        Kind::Item(text, _) => Some(label(&text.plain).unwrap_or_else(|| text.plain.clone())),
        _ => None,
    });
    let section = document.blocks[at].section;
    let headings = document
        .around(section)
        .filter(|it| !document.is_heading_of_all(*it))
        .take(2)
        .map(|it| topics::without_number(document.title(it)).to_owned());
    label(text).into_iter().chain(above).chain(headings).collect()
}

/// A sentence without what it is for.
pub(super) fn before_why(sentence: &str) -> &str {
    let lower = sentence.to_ascii_lowercase();
    let end = [" so that ", " so i ", " in order to "].iter().filter_map(|it| lower.find(it)).min();
    sentence.get(..end.unwrap_or(sentence.len())).unwrap_or(sentence)
}

fn clean(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase()
}

/// The lists of a sentence that something introduces.
fn lists(sentence: &str, line: u32) -> Vec<List<'_>> {
    let all: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 1..all.len() {
        let word = clean(all[at]);
        let ahead = clean(all[at - 1]);
        let told =
            |word: &str| words::is_aspect(word) || ["fields", "attributes", "metadata", "properties"].contains(&word);
        // `details (name, date)`, `details such as name and date`, `details: name, date`
        let bracket = all[at].starts_with('(').then(|| {
            let rest = all[at..].join(" ");
            rest[1..].split(')').next().unwrap_or("").to_owned()
        });
        let such = || {
            let from = match word.as_str() {
                "such" if all.get(at + 1).is_some_and(|it| *it == "as") => at + 2,
                "like" | "including" => at + 1,
                _ if all[at - 1].ends_with(':') => at,
                _ => return None,
            };
            Some(all[from..].join(" "))
        };
        // `attributes of each finding: severity and label`
        let of = || {
            let each = told(&ahead) && word == "of" && all.get(at + 1).is_some_and(|it| words::is_determiner(it));
            let end = (at + 2..all.len().min(at + 6))
                .find(|it| ["–", "—", "-"].contains(&all[*it]) || all[*it].ends_with(':'))?;
            let from = end + 1;
            each.then(|| (all.get(from..).unwrap_or_default().join(" "), end + usize::from(all[end].ends_with(':'))))
        };
        let (list, by, strong, end) = if let Some((list, end)) = of() {
            (list, "(".to_owned(), true, end)
        } else if let Some(inner) = bracket {
            let inner = ["e.g.,", "e.g.", "such as", "like", "i.e."]
                .iter()
                .find_map(|it| inner.strip_prefix(it))
                .map_or(inner.clone(), |it| {
                    (if told(&ahead) || sentence.contains("details of ") { it } else { "" }).to_owned()
                });
            (inner, "(".to_owned(), told(&ahead), at)
        } else if told(&ahead)
            && let Some(list) = such()
        {
            (list, "(".to_owned(), true, at)
        } else if is_between(&word) && (word == "including" || !all[at - 1].ends_with([',', ';'])) {
            (all[at + 1..].join(" "), word.clone(), told(&ahead), at)
        } else if ENTER.contains(&word.as_str()) {
            (all[at + 1..].join(" "), "enter".to_owned(), false, at)
        } else {
            continue;
        };
        let list = list.split([';', '–', '—']).next().unwrap_or("").trim();
        // What stands in brackets within explains.
        let list = without_brackets(list);
        let list = list.as_str();
        let list =
            list.strip_suffix("etc.").or_else(|| list.strip_suffix("etc")).unwrap_or(list).trim_end_matches([',', ' ']);
        let mut told = names(list, line);
        told.retain(|it| {
            let first = clean(it.name.split_whitespace().next().unwrap_or(""));
            if it.name.contains(' ') && first.ends_with("ing") && words::verbal_noun(&first).is_some()
                || first == "both"
            {
                return false;
            }
            !["such", "more", "other", "etc", "fields", "form", "filters", "options"]
                .contains(&clean(&it.name).as_str())
                && !words::ends_object(&first)
                && !words::is_determiner(&first) | words::is_common(&it.name)
        });
        if told.len() >= 2 {
            found.push(List { before: all[..end].to_vec(), by, strong, found: told });
        }
    }
    found
}

/// `a pizza, its ingredients and its price`: a thing, and what it has.
fn its(sentence: &str, line: u32) -> Option<List<'_>> {
    let at = sentence.find(", its ")?;
    let rest = &sentence[at + 2..];
    if rest.matches("its ").count() < 2 {
        return None;
    }
    let list = rest.replace("its ", "");
    let found = names(list.trim_end_matches('.'), line);
    (found.len() >= 2).then(|| List {
        before: sentence[..at].split_whitespace().collect(),
        by: "with".to_owned(),
        strong: false,
        found,
    })
}

/// What has a list: what stands before it, else what the sentence, the label or the heading is about.
fn owner(notes: &Notes, list: &List, around: &[String], last: &[String]) -> Option<String> {
    let before: Vec<String> = list.before.iter().map(|it| clean(it)).collect();
    // `When I send a request with …` is a step.
    let step = before.first().is_some_and(|it| it == "when") && before.get(1).is_some_and(|it| it == "i");
    if before.iter().skip(usize::from(step)).any(|it| CONDITIONS.contains(&it.as_str())) {
        return None;
    }
    let named = |words: &[String]| {
        let form = words.last().is_some_and(|it| FORMS.contains(&it.as_str()));
        let words = without_form(words);
        // Who signs up by a form is a user.
        if form && matches!(words, [only] if ["registration", "signup", "login"].contains(&only.as_str())) {
            return Some("user".to_owned());
        }
        let one = words.iter().any(|it| ENTER.contains(&it.as_str()) || is_between(it));
        let found = thing(notes, words).or_else(|| logged(notes, words));
        found.filter(|it| !one && is_thing(notes, it))
    };
    let breaks = |at: usize| {
        let word = &before[at];
        list.before[at].ends_with([',', ':', ';']) && (at + 1 < before.len() || list.by != "including")
            || ["and", "or"].contains(&word.as_str())
            || words::is_determiner(word)
            || words::ends_object(word)
            || is_between(word)
            || words::verb(word).is_some_and(|(base, _)| base == word && !words::is_noun_too(word))
    };
    let from = (0..before.len()).rev().find(|at| breaks(*at)).map_or(0, |it| it + 1);
    let near = without_form(&before[from..]);
    let told = |it: &String| {
        words::is_aspect(it)
            || ["metadata", "necessary", "basic", "required", "optional", "field", "fields"].contains(&it.as_str())
    };
    let bare = near.iter().all(told) || before[from..].iter().all(|it| FORMS.contains(&it.as_str()));
    if list.by != "enter" && !bare {
        if let [only] = near
            && MEANT.contains(&words::singular(only).as_str())
        {
            return last.iter().rev().take(NEAR).find_map(|it| relations::entities_in(notes, it).into_iter().next());
        }
        return named(&before[from..]);
    }
    // Sentences with a list of fields: `Each event should have basic details (…)`, `Customer form includes fields: …`
    let subject = before
        .iter()
        .position(|it| HAVE.contains(&it.as_str()) && it != "with")
        .map(|at| before[..at].iter().skip_while(|it| words::is_determiner(it)).cloned().collect::<Vec<_>>())
        .map(|it| it.into_iter().take_while(|it| !MODALS.contains(&it.as_str())).collect::<Vec<_>>());
    if let Some(name) = subject.as_deref().and_then(named) {
        return Some(name);
    }
    // `Add medicines with details (…)`
    let made = before.iter().position(|it| {
        words::verb(it).is_some_and(|(base, deed)| {
            base == it
                && (matches!(deed, Deed::Create | Deed::Update) || ["submit", "upload", "define"].contains(&base))
        })
    });
    let made = made.map(|at| {
        let object = before[at + 1..].iter().skip_while(|it| words::is_determiner(it));
        object.take_while(|it| !words::ends_object(it)).cloned().collect::<Vec<_>>()
    });
    if let Some(name) = made.filter(|_| list.by != "enter").as_deref().and_then(named) {
        return Some(name);
    }
    let shown = from < before.len() && before[from..].iter().all(|it| FORMS.contains(&it.as_str()));
    if !list.strong && list.by != "enter" && !shown {
        return None;
    }
    around.iter().find_map(|label| {
        let label = label.rsplit_once(": ").map_or(label.as_str(), |(_, it)| it);
        let mut words: Vec<String> = label.split_whitespace().map(clean).filter(|it| !it.is_empty()).collect();
        if words.iter().any(|it| ABOUT.contains(&words::singular(it).as_str())) {
            return None;
        }
        let leads = |it: &String| {
            words::verb(it).is_some_and(|(base, _)| base == it) || words::is_determiner(it) || it == "and"
        };
        while words.len() > 1 && leads(&words[0]) {
            words.remove(0);
        }
        // A `harvest listing` is one, where the text has it so.
        if let Some(name) = named(&words) {
            return Some(name);
        }
        while words.len() > 1
            && words.last().is_some_and(|it| {
                words::verbal_noun(it).is_some()
                    || words::is_aspect(it)
                    || ["management", "form", "and"].contains(&it.as_str())
            })
        {
            words.pop();
        }
        named(&words)
    })
}

/// Whether a list says with what something is made: `Create a claim with …`.
fn makes(list: &List) -> bool {
    let before: Vec<String> = list.before.iter().map(|it| clean(it)).collect();
    before
        .iter()
        .rev()
        .skip(1)
        .take(4)
        .any(|it| words::verb(it).is_some_and(|(base, deed)| base == it && deed == Deed::Create))
}

/// Words of a name without those of how it is shown.
fn without_form(words: &[String]) -> &[String] {
    let forms = words.iter().rev().take_while(|it| FORMS.contains(&it.as_str())).count();
    &words[..words.len() - forms.min(words.len().saturating_sub(1))]
}

/// Whether somebody makes or changes a thing.
fn is_made(notes: &Notes, name: &str) -> bool {
    let key = words::key(name);
    notes.operations.iter().any(|it| {
        it.key == key
            && it.verb.is_some_and(|(verb, deed)| {
                matches!(deed, Deed::Create | Deed::Update | Deed::Delete | Deed::Manage)
                    || ["submit", "place"].contains(&verb)
            })
    })
}

/// Whether other evidence than a list says that something is a thing.
fn is_thing(notes: &Notes, name: &str) -> bool {
    #[rustfmt::skip]
    const NONE: &[&str] = &["system", "application", "app", "platform", "frontend", "backend", "client", "server", "userinterface", "page", "screen", "data", "api"];
    if notes.known(name).is_some() {
        return true;
    }
    let key = words::key(name);
    let words = words::split(name);
    let made = is_made(notes, name);
    let last = words.last().map_or("", String::as_str);
    let spoken = words::verb(last).is_some_and(|(base, _)| base == last && !words::is_noun_too(last));
    let deed = words::verbal_noun(last).is_some();
    let headed = notes.headed.iter().any(|it| it.ends_with(&key));
    let told = made || !deed && (headed || notes.times(&words) >= 4);
    !spoken && !NONE.contains(&key.as_str()) && told
}
