//! Things that a text describes nowhere, and that are things for what is done to them.

use super::document::{Document, Kind};
use super::notes::{Notes, OperationNote};
use super::words::{self, Deed};

/// Verbs that make a thing what it is.
const MAKING: &[&str] = &[
    "book",
    "submit",
    "schedule",
    "cancel",
    "approve",
    "confirm",
    "publish",
    "purchase",
    "reserve",
    "request",
    "share",
    "rate",
    "place",
    "pay",
    "upload",
    "complete",
    "resolve",
    "sign",
    "dispute",
    "generate",
    "configure",
    "send",
    "define",
    "issue",
    "assign",
    "receive",
    "archive",
    "import",
];

/// Last words of names of what is sent or shown, or of parts of programs.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "notification", "alert", "system", "control", "setting", "settings", "administrator", "admin", "entity",
    "recovery", "completion",
];

/// A thing that operations are about.
struct Candidate {
    key: String,
    name: String,
    line: u32,
    weight: u32,
    verbs: Vec<&'static str>,
    /// Somebody makes one.
    makes: bool,
    /// Somebody changes or deletes one.
    changes: bool,
    deletes: bool,
    /// It is called like what things commonly have: `address`.
    value: bool,
}

/// Notes things that sentences do something to, where the text describes few.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    resources(notes);
    let described: Vec<_> = notes.entities.iter().filter(|it| !it.in_passing).collect();
    let kept = described.iter().filter(|it| !it.fields.is_empty()).count();
    // Where a text describes things, what it does not describe takes more to be one.
    let many = kept >= 3 || described.len() >= 4;
    let mut found: Vec<Candidate> = Vec::new();
    for operation in &notes.operations {
        candidate(notes, operation, &mut found);
    }
    let mut names = if many { Vec::new() } else { again_and_again(document) };
    for it in found {
        let times = notes.times(std::slice::from_ref(&it.name));
        let headed = notes.is_headed(std::slice::from_ref(&it.name));
        let whole = it.makes && (it.changes || it.verbs.len() >= 3);
        if it.value {
            if it.makes && it.deletes && !many {
                names.push((it.name, it.line));
            }
            continue;
        }
        if many {
            if whole && times >= 2 {
                names.push((it.name, it.line));
            }
            continue;
        }
        // What is said once, is said of one thing that is done.
        if headed
            || it.verbs.len() >= 4
            || it.weight >= 2 && times >= 3
            || it.verbs.len() >= 2 && it.weight >= 4
            || it.verbs.len() >= 2 && times >= 3
            || times >= 8
        {
            names.push((it.name, it.line));
        }
    }
    if !many {
        names.extend(members(notes));
        if let Some(line) = accounts(notes) {
            names.push(("user".to_owned(), line));
        }
    }
    for (name, line) in names {
        let new = notes.known(&name).is_none();
        if let Some(entity) = notes.entity(&name, line) {
            entity.in_passing |= new;
        }
    }
}

fn candidate(notes: &Notes, operation: &OperationNote, found: &mut Vec<Candidate>) {
    let Some((verb, deed)) = operation.verb.filter(|_| !operation.object.is_empty()) else { return };
    let weight = match deed {
        Deed::Create | Deed::Update | Deed::Delete | Deed::Manage => 2,
        Deed::Act if MAKING.contains(&verb) => 2,
        Deed::Read | Deed::Act if ["calculate", "display", "show", "check"].contains(&verb) => 0,
        Deed::Read | Deed::Act => 1,
        Deed::Tell => 0,
    };
    // `expired tokens` are tokens.
    let plain = |it: &&String| {
        let lower = it.to_ascii_lowercase();
        (lower.ends_with("ed") || lower.ends_with("ly") || words::is_quality(&lower)) && lower.len() > 3
    };
    let leads = operation.object.iter().take_while(plain).count().min(operation.object.len().saturating_sub(1));
    let mut object: Vec<String> = operation.object[leads..].to_vec();
    // `employee records` are employees.
    while object.len() > 1
        && object.last().is_some_and(|it| {
            words::is_aspect(it)
                || ["record", "records", "profile", "profiles", "account", "accounts"]
                    .contains(&it.to_ascii_lowercase().as_str())
        })
        && notes.times(&object[..object.len() - 1]) > 2
    {
        object.pop();
    }
    // `official SIH problem statements` are problem statements.
    let tail = (1..object.len().saturating_sub(1)).find(|from| notes.times(&object[*from..]) >= 3);
    if let Some(from) = tail.filter(|_| object.len() > 2 && notes.times(&object) < 3) {
        object.drain(..from);
    }
    let name = object.join(" ");
    let key = words::key(&name);
    let last = object.last().map(|it| words::singular(&it.to_ascii_lowercase())).unwrap_or_default();
    let spoken = |it: &str| words::verb(it).is_some_and(|(base, _)| base == it && !words::is_noun_too(it));
    // What people write and upload, though other things have it, too.
    #[rustfmt::skip]
    let kept = [
        "category", "comment", "note", "message", "tag", "image", "photo", "file", "document", "question", "answer",
        "attachment", "location",
    ];
    let value = object.len() == 1 && words::is_common(&last) && !kept.contains(&last.as_str());
    let product = notes.product.as_deref().map(words::key).unwrap_or_default();
    let headed = notes.is_headed(&operation.object);
    let kept_by_somebody = weight == 2
        && deed != Deed::Act
        && !operation.actor.is_empty()
        && !operation.actor.ends_with("system")
        && ["alert", "notification"].contains(&last.as_str());
    let no_thing = words::is_no_thing(&key) && !headed && notes.times(&object) < 8
        || words::is_no_end(&last)
        || ENDS.contains(&last.as_str()) && !kept_by_somebody
        || ["data", "system", "information"].contains(&key.as_str())
        || spoken(&last)
        || spoken(&object[0].to_ascii_lowercase())
        || key == product
        || super::entities::is_technology(&name)
        || super::entities::is_component(&name)
        || key == "account" && notes.known("user").is_some()
        || object.len() > 3
        || words::verbal_noun(&last)
            .is_some_and(|_| !["booking", "listing", "meeting", "reservation", "order"].contains(&last.as_str()));
    if weight == 0 || no_thing || key.len() < 3 {
        return;
    }
    let value = value && !headed;
    let (makes, changes) = (deed == Deed::Create, matches!(deed, Deed::Update | Deed::Delete));
    match found.iter_mut().find(|it| it.key == key) {
        Some(known) => {
            known.weight += weight;
            known.makes |= makes;
            known.changes |= changes;
            known.deletes |= deed == Deed::Delete;
            known.value &= value;
            if !known.verbs.contains(&verb) {
                known.verbs.push(verb);
            }
        }
        None => found.push(Candidate {
            key,
            name,
            line: operation.line,
            weight,
            verbs: vec![verb],
            makes,
            changes,
            deletes: deed == Deed::Delete,
            value,
        }),
    }
}

/// Resources of stated endpoints that are made in a collection and have an address each: `POST /bookings`, `GET
/// /bookings/{id}`.
fn resources(notes: &mut Notes) {
    let stated: Vec<(String, String, u32)> = notes
        .operations
        .iter()
        .filter(|it| !it.guessed && !it.in_passing)
        .filter_map(|it| it.endpoint.clone().map(|(method, path)| (method, path, it.line)))
        .collect();
    for (method, path, line) in &stated {
        let Some(name) = path.rsplit('/').next().filter(|it| method == "POST" && words::is_plural(it)) else {
            continue;
        };
        let each = |it: &&(String, String, u32)| {
            it.1.strip_prefix(path.as_str())
                .is_some_and(|rest| rest.starts_with("/{") && rest.matches('/').count() == 1)
        };
        let fits =
            name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') && stated.iter().any(|it| each(&it));
        let new = notes.known(name).is_none();
        if fits
            && !words::is_no_thing(&words::key(name))
            && let Some(entity) = notes.entity(name, *line)
        {
            entity.in_passing |= new;
        }
    }
}

/// Whoever registers, where several do and not just anybody: `As a doctor, I want to register`.
fn members(notes: &Notes) -> Vec<(String, u32)> {
    const ANYBODY: &[&str] =
        &["user", "visitor", "guest", "system", "developer", "anyone", "person", "customer", "admin", "administrator"];
    let mut found: Vec<(String, u32)> = Vec::new();
    for operation in &notes.operations {
        let signs = operation.object.is_empty()
            && operation.verb.is_some_and(|(verb, _)| ["register", "signup"].contains(&verb));
        let who = words::key(&operation.actor);
        let words: Vec<String> = operation.actor.split_whitespace().map(str::to_owned).collect();
        if signs && words.len() <= 2 && !ANYBODY.contains(&who.as_str()) && notes.times(&words) >= 4 {
            found.push((operation.actor.clone(), operation.line));
        }
    }
    found
}

/// Where a text lets somebody sign in, it knows users.
fn accounts(notes: &Notes) -> Option<u32> {
    let known = ["user", "account", "member", "customer"].iter().any(|it| notes.known(it).is_some());
    let signs = |it: &&OperationNote| {
        it.verb.is_some_and(|(verb, _)| ["register", "login", "signup", "signin", "authenticate"].contains(&verb))
    };
    notes.operations.iter().find(signs).filter(|_| !known).map(|it| it.line)
}

/// Names like `CashCollector` that a text sets as code at least three times: things that it speaks of.
fn again_and_again(document: &Document) -> Vec<(String, u32)> {
    let mut found: Vec<(String, u32, usize)> = Vec::new();
    for block in &document.blocks {
        let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
        for code in text.codes() {
            let pascal = code.starts_with(char::is_uppercase)
                && code.chars().any(char::is_lowercase)
                && code.chars().all(char::is_alphanumeric);
            let part = [
                "Service",
                "Controller",
                "Repository",
                "Handler",
                "Dto",
                "Exception",
                "Error",
                "Manager",
                "Factory",
                "Store",
                "Form",
                "Page",
            ]
            .iter()
            .any(|end| code.len() > end.len() && code.ends_with(end));
            // `OrderPaid` is an event.
            let past = words::split(code).last().is_some_and(|it| it.ends_with("ed"));
            if !pascal || part || past {
                continue;
            }
            match found.iter_mut().find(|(name, ..)| name == code) {
                Some((.., times)) => *times += 1,
                None => found.push((code.to_owned(), block.line, 1)),
            }
        }
    }
    found.into_iter().filter(|(.., times)| *times >= 3).map(|(name, line, _)| (name, line)).collect()
}
