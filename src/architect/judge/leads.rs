//! Sentences that lead to what a thing has.

use super::tags;
use crate::architect::words;

/// The thing that a sentence says has what follows: `Each order record includes:`, `Users can add orders with the following
/// fields:`.
pub(in crate::architect) fn had(lead: &str) -> Option<String> {
    #[rustfmt::skip]
    const HAS: &[&str] = &[
        "with", "has", "have", "includes", "include", "contains", "contain", "containing", "including", "stores", "records",
        "defines", "define", "holds", "comprises", "captures", "keeps",
    ];
    const MEMBERS: &[&str] =
        &["fields", "field", "attributes", "properties", "columns", "details", "information", "data"];
    const OF_EACH: &[&str] = &["support", "supports", "capture", "record", "store", "hold", "track", "tracks", "keep"];
    let lead = lead.trim_end().strip_suffix(':')?.trim_end();
    // `… the following fields (as far as known):`
    let lead = if lead.ends_with(')') { lead.rsplit_once('(').map_or(lead, |it| it.0.trim_end()) } else { lead };
    let sentence = lead.rsplit(". ").next().unwrap_or(lead);
    if sentence.len() > 200 {
        return None;
    }
    let words = tags::tagged(sentence);
    let each = words.first().is_some_and(|it| ["each", "every"].contains(&it.lower.as_str()));
    let has = |lower: &str| HAS.contains(&lower) || each && OF_EACH.contains(&lower);
    let at = words.iter().rposition(|it| has(&it.lower))?;
    let rest: Vec<&str> = words[at + 1..].iter().map(|it| it.lower.as_str()).collect();
    let plain = ["the", "following", "at", "least", "these"];
    let says = rest.iter().any(|it| MEMBERS.contains(it)) || rest.contains(&"following");
    if !rest.iter().all(|it| plain.contains(it) || MEMBERS.contains(it)) || !rest.is_empty() && !says {
        return None;
    }
    let end = (0..at).rev().find(|it| !matches!(words[*it].kind, tags::Kind::Auxiliary | tags::Kind::Adverb))? + 1;
    // `a Book model`: a name in capitals is one, though it may be a verb, too.
    let named = |it: usize| {
        words[it].kind == tags::Kind::Noun || it > 0 && it + 1 < end && words[it].text.starts_with(char::is_uppercase)
    };
    let from = (0..end).rev().take_while(|it| named(*it)).last()?;
    let mut name: Vec<&str> = words[from..end].iter().map(|it| it.text.as_str()).collect();
    while name.len() > 1
        && name.last().is_some_and(|it| {
            words::is_aspect(it)
                || ["record", "records", "entry", "entries", "object", "entity", "table", "item", "model"]
                    .contains(&it.to_ascii_lowercase().as_str())
        })
    {
        name.pop();
    }
    let name = name.join(" ");
    let key = words::key(&name);
    let last = words::split(&name).last().map(|it| words::singular(it)).unwrap_or_default();
    let shown = [
        "response", "request", "row", "card", "form", "list", "view", "each", "section", "report", "app", "email",
        "body", "file", "table", "model",
    ];
    (name.split_whitespace().count() <= 3
        && !words::is_no_thing(&key)
        && !words::is_technical(&last)
        && !shown.contains(&last.as_str()))
    .then_some(name)
}
