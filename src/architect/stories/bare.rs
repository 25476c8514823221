//! Items that say but what is done, below or behind what it is done with: `Loans` with `Create`, `Edit` below, `Readers: create, edit,
//! delete`, `Books (CRUD)`.

use crate::architect::clauses;
use crate::architect::document::{Document, Kind};
use crate::architect::{topics, words};

/// Deeds that are done with people as with anything else that is kept.
const KEPT: &[&str] =
    &["create", "add", "new", "edit", "update", "delete", "remove", "view", "list", "crud", "manage", "search"];

/// The deeds that `CRUD` stands for.
const ALL: &[&str] = &["create", "list", "update", "delete"];

/// The deeds that an item says, each with its thing: `create loan`. Empty where the item says something else.
pub(super) fn deeds(document: &Document, at: usize) -> Vec<String> {
    let Kind::Item(text, _) = &document.blocks[at].kind else { return Vec::new() };
    let plain = text.plain.trim().trim_end_matches('.');
    let behind = [": ", " – ", " — ", " - "].iter().find_map(|it| plain.split_once(it));
    let labelled = behind.and_then(|(label, rest)| Some((thing(label)?, verbs(rest).filter(|it| it.len() >= 2)?)));
    let found = labelled.or_else(|| {
        let verbs = verbs(plain)?;
        let sure =
            verbs.len() >= 2 || verbs[0] == "crud" || !words::is_noun_too(verbs[0]) || is_among_deeds(document, at);
        Some((above(document, at).filter(|_| sure)?, verbs))
    });
    let found = found.or_else(|| Some((managed(plain).filter(|_| document.children(at).is_empty())?, vec!["crud"])));
    let Some((thing, verbs)) = found else { return Vec::new() };
    if clauses::is_actor(&thing) && !verbs.iter().all(|it| KEPT.contains(it)) {
        return Vec::new();
    }
    let all = verbs.iter().flat_map(|it| if *it == "crud" { ALL.to_vec() } else { vec![*it] });
    all.map(|verb| format!("{verb} {thing}")).collect()
}

/// What an item says is managed: `Batch management`.
fn managed(plain: &str) -> Option<String> {
    const STATES: &[&str] = &[
        "session", "state", "risk", "time", "memory", "error", "access", "identity", "project", "content", "data",
        "cache",
    ];
    let lower = plain.to_ascii_lowercase();
    let about = ["management", "administration", "maintenance"].iter().find_map(|it| lower.strip_suffix(it))?;
    thing(about).filter(|it| !STATES.contains(&it.as_str()))
}

/// The verbs that a text consists of, before a condition at most: `Create, edit and cancel`, `Delete only if empty`.
fn verbs(text: &str) -> Option<Vec<&'static str>> {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "only", "if", "with", "when", "by", "via", "through", "from", "for", "without", "unless",
    ];
    const MOST: usize = 7;
    let lower = text.replace(['/', '&', '+'], " , ").replace(',', " , ").to_ascii_lowercase();
    let mut found = Vec::new();
    for word in lower.split_whitespace() {
        if [",", "and", "or"].contains(&word) {
            continue;
        }
        if ENDS.contains(&word) || word.starts_with('(') {
            break;
        }
        let verb = if word == "crud" { "crud" } else { words::verb(word).filter(|(base, _)| *base == word)?.0 };
        found.push(verb);
    }
    (1..=MOST).contains(&found.len()).then_some(found)
}

/// Whether an item near by in the list says but a deed, too.
fn is_among_deeds(document: &Document, at: usize) -> bool {
    const NEAR: usize = 6;
    let block = &document.blocks[at];
    let Kind::Item(_, depth) = &block.kind else { return false };
    let deed = |it: &usize| {
        let other = &document.blocks[*it];
        *it != at
            && other.section == block.section
            && matches!(&other.kind, Kind::Item(text, deep) if deep == depth && verbs(text.plain.trim().trim_end_matches('.')).is_some())
    };
    (at.saturating_sub(NEAR)..document.blocks.len().min(at + NEAR)).any(|it| deed(&it))
}

/// What an item is said of: the item above, or else the heading.
fn above(document: &Document, at: usize) -> Option<String> {
    match document.parent(at).map(|it| &document.blocks[it].kind) {
        Some(Kind::Item(text, _)) => thing(&text.plain),
        Some(_) => None,
        None => {
            let section = document.blocks[at].section;
            let named = !document.is_heading_of_all(section) && document.lead(at).is_none();
            named.then(|| thing(&document.sections[section].title.plain)).flatten()
        }
    }
}

/// The thing that a label or a heading is about: `Loans`, `Event management`, `Transactions and their splits`.
fn thing(label: &str) -> Option<String> {
    #[rustfmt::skip]
    const ABOUT: &[&str] = &[
        "management", "administration", "module", "feature", "features", "operations", "page", "screen", "section",
        "crud", "actions", "functions", "handling",
    ];
    let label = topics::without_number(label.trim().trim_end_matches(':')).to_lowercase();
    let label = label.split([',', '(', '/', '&', '–', '—', ':']).next()?.split(" and ").next()?;
    let mut said: Vec<&str> = label.split_whitespace().collect();
    while said.last().is_some_and(|it| ABOUT.contains(it)) {
        said.pop();
    }
    let last = words::singular(said.last()?);
    let fits = (1..=3).contains(&said.len())
        && said.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || c == '-'))
        && words::verb(said[0]).is_none_or(|(base, _)| words::is_noun_too(base))
        && words::verbal_noun(&last).is_none()
        && !words::is_technical(&last)
        && !words::is_no_thing(&words::key(&said.join(" ")));
    fits.then(|| said.join(" "))
}
