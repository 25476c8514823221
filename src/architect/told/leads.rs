//! Lists behind a lead that says whose fields they are: `Each order shall include:`.

use super::names::names;
use super::{is_many_of, is_told, noted, passing, thing};
use crate::architect::clauses::apart;
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::Notes;
use crate::architect::topics::Topic;
use crate::architect::words::Deed;
use crate::architect::{fields, topics, words};

/// Verbs that say that a thing has what follows.
pub(in crate::architect) const KEEPS: &[&str] = &[
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

pub(super) const MODALS: &[&str] = &["shall", "must", "should", "will", "may", "can", "also", "typically", "always"];

/// Words that say that what follows are fields.
pub(super) const FIELDS: &[&str] = &[
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

/// What goes into a use case that makes a thing: a list below `Data` below `Add Menu Item Use Case`.
pub(super) fn inputs(document: &Document, notes: &mut Notes, at: usize) {
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

/// The thing that a lead has a list of fields for: `Each Event Template shall include:`, `The system shall store, for each
/// user:`, `Required fields for a booking:`; and whether the lead leaves no doubt.
pub(super) fn owner(notes: &Notes, lead: &str, inside: Option<Topic>) -> Option<(String, bool)> {
    let sentence = apart(lead).last().copied()?.trim().trim_end_matches(':').to_owned();
    let sentence = sentence.trim();
    let tokens: Vec<&str> = sentence.split_whitespace().map(|it| it.trim_matches(['`', '*', '"', ','])).collect();
    let lower: Vec<String> = tokens.iter().map(|it| it.to_ascii_lowercase()).collect();
    let name_of = |from: usize, to: usize| -> Option<String> {
        let mut words: Vec<String> =
            tokens.get(from..to)?.iter().skip_while(|it| words::is_determiner(it)).map(|it| (*it).to_owned()).collect();
        if words.len() > 1 && words.last().is_some_and(|it| ["model", "entity", "table"].contains(&it.as_str())) {
            words.pop();
        }
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
    // `All jobs shall be stored with unified fields:`
    let stored = (1..lower.len()).find(|at| {
        ["stored", "saved", "recorded", "kept", "described"].contains(&lower[*at].as_str())
            && ["be", "is", "are"].contains(&lower[at - 1].as_str())
            && lower[at + 1..].iter().any(|it| FIELDS.contains(&it.as_str()))
    });
    if let Some(stored) = stored {
        let end = (0..stored - 1).rev().find(|it| !MODALS.contains(&lower[*it].as_str())).map_or(0, |it| it + 1);
        return name_of(0, end).map(|it| (it, true));
    }
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
        // `a Book model`: behind an article a name may look like a verb.
        let article = (with.saturating_sub(4)..with).rev().find(|it| ["a", "an", "the"].contains(&lower[*it].as_str()));
        let begin = article.or_else(|| {
            (0..with).rev().find(|it| {
                words::is_determiner(&lower[*it])
                    || words::ends_object(&lower[*it])
                    || words::verb(&lower[*it]).is_some()
            })
        });
        return name_of(begin.map_or(0, |it| it + 1), with).map(|it| (it, true));
    }
    // `Create and manage announcements with:`
    if lower.last().is_some_and(|it| it == "with")
        && let Some(begin) = lower.iter().rposition(|it| {
            words::verb(it)
                .is_some_and(|(base, deed)| base == it && matches!(deed, Deed::Create | Deed::Update | Deed::Manage))
        })
    {
        return name_of(begin + 1, lower.len() - 1).map(|it| (it, false));
    }
    // `display appointment information including:`
    if let [.., thing, aspect, including] = lower.as_slice()
        && including == "including"
        && words::is_aspect(aspect)
        && !words::is_determiner(thing)
    {
        return name_of(lower.len() - 3, lower.len() - 2).map(|it| (it, false));
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
        // `Hospital information may include:` is about a hospital; what is usual among fields tells the rest.
        let aspect = lower[begin..subject_end].last().is_some_and(|it| words::is_aspect(it));
        if !explicit && !known && aspect && subject_end - begin >= 2 {
            return name_of(begin, subject_end - 1).map(|it| (it, false));
        }
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
pub(super) fn sentence_breaks(sentence: &str, word: &str) -> bool {
    [",", ":"].iter().any(|it| sentence.contains(&format!("{word}{it}")) && !word.is_empty())
}

/// A list behind a lead that says whose fields it has.
pub(super) fn listed(document: &Document, notes: &mut Notes, at: usize, text: &Text, inside: Option<Topic>) {
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
    let heading = topics::without_number(document.title(document.blocks[at].section));
    let lead = plain.trim_end().trim_end_matches('*');
    if topics::says_values(lead) {
        return;
    }
    let Some((name, certain)) = owner(notes, lead, inside)
        .or_else(|| of_heading(notes, text.plain.trim_end().lines().last().unwrap_or(lead), heading))
    else {
        return;
    };
    let Some(found) = fields::of_items(document, &items, true) else { return };
    let identifiers = found.iter().filter(|it| is_code_like(document, &items, &it.name)).count();
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    let spoken = found.iter().filter(|it| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        words.len() > 3
            || words.len() > 1
                && words::verb(words[0]).is_some_and(|(base, _)| base == words[0].to_ascii_lowercase())
                && !words::is_common(&it.name)
    });
    // `Display order` is a field of what leaves no doubt to have some.
    let spoken = spoken.count() > if certain { found.len() / 3 } else { 0 };
    let told = identifiers * 2 >= found.len() || common * 3 >= found.len();
    if found.is_empty() || spoken || !told || !certain && identifiers * 2 < found.len() && common * 2 < found.len() {
        return;
    }
    let found = found.into_iter().filter(|it| !is_many_of(notes, &it.name)).collect();
    noted(notes, &name, document.blocks[at].line, found);
}

/// Fields on a line that says that they are: `Fields: name, email, phone (optional)` below `Customer Registration`. Below the name of a
/// thing nothing is left to judge.
pub(super) fn on_a_line(notes: &mut Notes, text: &str, heading: &str, line: u32) {
    const LABELS: &[&str] =
        &["fields", "attributes", "columns", "properties", "key fields", "main fields", "key attributes"];
    for (line, said) in (line..).zip(text.lines()) {
        let Some((label, list)) = said.split_once(':') else { continue };
        let label = label.trim().trim_matches('*').to_ascii_lowercase();
        if !LABELS.contains(&label.as_str()) {
            continue;
        }
        let Some(words) = managed(heading) else { return };
        let found = names(list.trim_start_matches('*'), line);
        let plainly = topics::thing_named(&Text::of(heading)).is_some_and(|it| it.split_whitespace().eq(words.iter()))
            && !words::is_no_thing(&words::key(&words.join(" ")));
        if found.len() < 2 || !plainly && !is_told(&found) {
            continue;
        }
        let Some(name) = thing(notes, &words) else { continue };
        if plainly {
            noted(notes, &name, line, fields::stated(found));
        } else {
            passing(notes, &name, line, found);
        }
    }
}

/// The words of the thing that a heading is about, without what is done to it: `Customer Registration` is about a customer,
/// and a profile alone is that of a user.
pub(super) fn managed(heading: &str) -> Option<Vec<String>> {
    let named = topics::thing_named(&Text::of(heading))?;
    let mut words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    while words.len() > 1
        && words.last().is_some_and(|it| {
            let it = it.to_ascii_lowercase();
            words::verbal_noun(&it).is_some() || ["management", "form", "page"].contains(&it.as_str())
        })
    {
        words.pop();
    }
    match words.as_slice() {
        [only] if only.eq_ignore_ascii_case("profile") => Some(vec!["user".to_owned()]),
        _ => Some(words),
    }
}

/// The thing that a heading names, where the lead only repeats its end or says that something is stored: `The profile may
/// contain:` below `Patient Profile`, `The system shall store:` below `User Preferences`.
fn of_heading(notes: &Notes, lead: &str, heading: &str) -> Option<(String, bool)> {
    let lower = apart(lead).last().copied()?.trim().trim_end_matches(':').to_ascii_lowercase();
    let said: Vec<&str> = lower.split_whitespace().collect();
    let titled = managed(heading)?;
    let whole: Vec<&str> = heading.split_whitespace().collect();
    let (last, stores) = (whole.last()?.to_ascii_lowercase(), said.last()?);
    let repeats = said.len() <= 5
        && ["the", "this"].contains(said.first()?)
        && words::singular(said.get(1)?) == words::singular(&last)
        && KEEPS.contains(stores);
    // `Displays:` below `Product Details`
    let shows = said.len() == 1
        && (["displays", "shows", "fields", "attributes", "columns"].contains(stores) || KEEPS.contains(stores))
        && (words::is_aspect(&last) || stores.ends_with("ds"));
    let stored = said.len() <= 4 && ["store", "record", "save", "keep"].contains(stores) && lower.contains("system ");
    let spoken = words::verb(&titled[0]).is_some() && !words::is_noun_too(&titled[0].to_ascii_lowercase());
    (whole.len() >= 2 && !spoken && (repeats || stored || shows))
        .then(|| thing(notes, &titled))
        .flatten()
        .map(|it| (it, false))
}

pub(super) fn is_code_like(document: &Document, items: &[usize], name: &str) -> bool {
    fields::is_identifier(name)
        && (name.contains('_')
            || items.iter().any(|it| match &document.blocks[*it].kind {
                Kind::Item(text, _) => text.codes().any(|code| code == name),
                _ => false,
            }))
}
