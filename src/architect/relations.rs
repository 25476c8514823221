//! Reading: how entities hang together: fields that refer to another one, and sentences that say so.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::document::{Document, Kind};
use super::notes::{Notes, RelationNote};
use super::words;

pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut found = std::mem::take(&mut notes.relations);
    found.extend(of_fields(notes));
    for (at, block) in document.blocks.iter().enumerate() {
        if document.asides[block.section] {
            continue;
        }
        let about = || about(document, notes, at);
        let cells: Vec<(u32, String)> = match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => vec![(block.line, text.plain.clone())],
            Kind::Table(_, rows) => {
                rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.line, cell.plain.clone()))).collect()
            }
            Kind::Code(..) => Vec::new(),
        };
        for (line, text) in cells {
            for sentence in text.replace('\n', " ").split(['.', ';']) {
                found.extend(of_sentence(notes, sentence, &about, line));
            }
        }
    }
    for relation in found {
        // Only what is known is related; the name is that of the entity.
        let name = |it: &str| notes.known(it).map(|it| it.name.clone());
        let (Some(source), Some(target)) = (name(&relation.source), name(&relation.target)) else { continue };
        let relation = RelationNote { source, target, ..relation };
        let same = |it: &RelationNote| {
            it.source == relation.source
                && it.target == relation.target
                && (it.kind == relation.kind || relation.kind == "REFERENCES")
                || it.source == relation.target
                    && it.target == relation.source
                    && it.cardinality == turned(relation.cardinality)
        };
        if !notes.relations.iter().any(same) {
            notes.relations.push(relation);
        }
    }
}

fn turned(cardinality: &str) -> &'static str {
    match cardinality {
        "1:N" => "N:1",
        "N:1" => "1:N",
        "N:N" => "N:N",
        _ => "1:1",
    }
}

/// `user_id`, `Foreign key (User)`, `items: Item[]`, `owner: User`
fn of_fields(notes: &Notes) -> Vec<RelationNote> {
    let mut found = Vec::new();
    for entity in &notes.entities {
        for field in &entity.fields {
            let many = field.kind.ends_with("[]")
                || ["array", "list", "set", "icollection", "ienumerable"]
                    .iter()
                    .any(|it| field.kind.to_ascii_lowercase().starts_with(it))
                || field.description.to_ascii_lowercase().starts_with("array of ");
            let words = words::split(&field.name);
            let of_name = match words.split_last() {
                Some((last, rest)) if ["id", "ids", "uuid", "ref"].contains(&last.as_str()) && !rest.is_empty() => {
                    // The id of the thing itself is no relation.
                    notes.meant_exactly(rest).filter(|it| *it != entity.name)
                }
                _ => None,
            };
            let said = format!("{} {}", field.kind, field.description);
            let lower = said.to_ascii_lowercase();
            let refers = lower.contains("foreign key")
                || lower.contains("fk")
                || lower.contains("references")
                || lower.contains("array of");
            let kind: String = field.kind.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
            let kind = ["Array", "List", "Set", "Optional", "ICollection", "Ref"]
                .iter()
                .find_map(|it| kind.strip_prefix(it))
                .unwrap_or(&kind)
                .to_owned();
            let target = of_name
                .or_else(|| {
                    refers
                        .then(|| {
                            said.split(|c: char| !(c.is_alphanumeric() || c == '_')).find_map(|word| {
                                notes
                                    .known(word)
                                    .filter(|it| it.name != entity.name || lower.contains("self"))
                                    .map(|it| it.name.clone())
                            })
                        })
                        .flatten()
                })
                .or_else(|| {
                    notes
                        .known(&kind)
                        .filter(|_| !kind.is_empty() && kind.starts_with(char::is_uppercase))
                        .map(|it| it.name.clone())
                })
                .or_else(|| {
                    notes
                        .known(&field.name)
                        .filter(|it| it.name != entity.name && field.kind.is_empty())
                        .map(|it| it.name.clone())
                });
            let Some(target) = target else { continue };
            let plural_ids = words.last().is_some_and(|it| it == "ids");
            let (kind, cardinality) = if many || plural_ids { ("HAS_MANY", "1:N") } else { ("BELONGS_TO", "N:1") };
            found.push(RelationNote { source: entity.name.clone(), target, kind, cardinality, line: field.line });
        }
    }
    found
}

/// The thing that a block is about: the one that its label names, or that of the item above, or else the heading.
fn about(document: &Document, notes: &Notes, at: usize) -> Option<String> {
    // What is longer names no thing.
    const LONGEST: usize = 100;
    let only = |text: &str| match entities_in(notes, text.get(..LONGEST.min(text.len())).unwrap_or("")).as_slice() {
        [one] if text.len() <= LONGEST => Some(one.clone()),
        _ => None,
    };
    let label = |at: usize| match &document.blocks[at].kind {
        Kind::Paragraph(text) | Kind::Item(text, _) => text.label().and_then(|(label, _)| only(label)),
        Kind::Table(..) | Kind::Code(..) => None,
    };
    let title = || only(document.title(document.blocks[at].section));
    std::iter::successors(Some(at), |it| document.above(*it)).take(8).find_map(label).or_else(title)
}

/// Whether nothing but `it` or `each` stands before what a sentence says of the thing it is about.
fn says_no_subject(before: &str) -> bool {
    let said = words::split(before);
    said.len() <= 3
        && said.iter().all(|it| {
            ["it", "each", "this", "also", "and", "has", "have", "can", "a", "one", "every"].contains(&it.as_str())
        })
}

/// Phrases that relate two things, each with the kind of the relation and the cardinality. The first phrase that a sentence
/// says counts.
#[rustfmt::skip]
const SAYS: &[(&str, &str, &str)] = &[
    ("belongs to exactly one", "BELONGS_TO", "N:1"),
    ("belongs to one", "BELONGS_TO", "N:1"),
    ("belong to one", "BELONGS_TO", "N:1"),
    ("belongs to many", "REFERENCES", "N:N"),
    ("belong to many", "REFERENCES", "N:N"),
    ("belong to multiple", "REFERENCES", "N:N"),
    ("belongs to", "BELONGS_TO", "N:1"),
    ("belong to", "BELONGS_TO", "N:1"),
    ("has exactly one", "OWNS", "1:1"),
    ("has many", "HAS_MANY", "1:N"),
    ("have many", "HAS_MANY", "1:N"),
    ("has multiple", "HAS_MANY", "1:N"),
    ("can have many", "HAS_MANY", "1:N"),
    ("can have multiple", "HAS_MANY", "1:N"),
    ("can have one or more", "HAS_MANY", "1:N"),
    ("may have many", "HAS_MANY", "1:N"),
    ("may have multiple", "HAS_MANY", "1:N"),
    ("may have one or more", "HAS_MANY", "1:N"),
    ("has zero or more", "HAS_MANY", "1:N"),
    ("has one or more", "HAS_MANY", "1:N"),
    ("has one", "OWNS", "1:1"),
    ("contains many", "HAS_MANY", "1:N"),
    ("contains multiple", "HAS_MANY", "1:N"),
    ("contains one or more", "HAS_MANY", "1:N"),
    ("consists of", "HAS_MANY", "1:N"),
    ("owns", "OWNS", "1:N"),
    ("extends", "EXTENDS", "1:1"),
    ("inherits from", "EXTENDS", "1:1"),
    ("is linked to", "REFERENCES", "N:1"),
    ("are linked to", "REFERENCES", "N:1"),
    ("references", "REFERENCES", "N:1"),
    ("refers to", "REFERENCES", "N:1"),
    ("depends on", "DEPENDS_ON", "N:1"),
    ("bound to", "BELONGS_TO", "N:1"),
    ("submitted against", "BELONGS_TO", "N:1"),
    ("(1:n)", "HAS_MANY", "1:N"),
    ("1:n", "HAS_MANY", "1:N"),
    ("1 : n", "HAS_MANY", "1:N"),
    ("one-to-many", "HAS_MANY", "1:N"),
    ("many-to-one", "BELONGS_TO", "N:1"),
    ("many-to-many", "REFERENCES", "N:N"),
    ("one-to-one", "REFERENCES", "1:1"),
    ("n:m", "REFERENCES", "N:N"),
    ("m:n", "REFERENCES", "N:N"),
];

/// A searcher for each of these phrases, made once: every sentence is searched for all phrases.
static SAYERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| SAYS.iter().map(|it| Finder::new(it.0)).collect());

/// `A user has many orders`, `Each category belongs to one brand`, `1:N relationship between a Policy and CoverageRules`.
/// `about` is the thing that is meant where the sentence names none: `Belongs to one user`.
fn of_sentence(notes: &Notes, sentence: &str, about: &dyn Fn() -> Option<String>, line: u32) -> Vec<RelationNote> {
    if sentence.len() > 400 {
        return Vec::new();
    }
    let lower = sentence.to_ascii_lowercase();
    let Some((at, says, kind, cardinality)) =
        SAYS.iter().zip(&*SAYERS).find_map(|((says, kind, cardinality), sayer)| {
            let at = sayer.find(lower.as_bytes())?;
            let after = lower.as_bytes().get(at + says.len());
            let before = at.checked_sub(1).and_then(|it| lower.as_bytes().get(it));
            let alone = |byte: Option<&u8>| byte.is_none_or(|it| !it.is_ascii_alphanumeric());
            (alone(after) && alone(before)).then_some((at, *says, *kind, *cardinality))
        })
    else {
        return put_to(notes, sentence, line);
    };
    let (before, after) = (sentence.get(..at).unwrap_or(""), sentence.get(at + says.len()..).unwrap_or(""));
    let symbolic = says.contains(':') || says.contains("-to-");
    let between = symbolic && after.contains("between");
    let implied = if between || !says_no_subject(before) { None } else { about() };
    let (sources, targets) = if let Some(source) = implied {
        (vec![source], entities_in(notes, after))
    } else if symbolic && (entities_in(notes, before).is_empty() || after.contains("between")) {
        let mut found = entities_in(notes, after);
        if found.len() < 2 {
            return Vec::new();
        }
        let rest = found.split_off(1);
        (found, rest)
    } else {
        (entities_in(notes, before), entities_in(notes, after))
    };
    let Some(source) = sources.last() else { return Vec::new() };
    let targets = targets.into_iter().filter(|it| it != source);
    // `belongs to one user and one group`
    let both = says.starts_with("belong") && after.contains(" and one ");
    let count = match says {
        _ if both => 2,
        "consists of" | "owns" => 6,
        _ if says.starts_with("has") => 6,
        _ => 1,
    };
    targets.take(count).map(|target| RelationNote { source: source.clone(), target, kind, cardinality, line }).collect()
}

/// `assign judges to teams`, `add an item to the cart`: one thing is put to another.
fn put_to(notes: &Notes, sentence: &str, line: u32) -> Vec<RelationNote> {
    const PUTS: &[&str] = &["assign", "add", "bind", "link", "attach", "connect", "associate"];
    let all: Vec<&str> = sentence.split_whitespace().collect();
    let says =
        |at: &usize, word: &str| all[*at].trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(word);
    let puts = |at: &usize| {
        let word = all[*at].trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        PUTS.contains(&word.as_str()) || word.strip_suffix('s').is_some_and(|it| PUTS.contains(&it))
    };
    let Some(verb) = (0..all.len()).find(puts) else { return Vec::new() };
    let Some(to) = (verb + 1..all.len().min(verb + 8)).find(|at| says(at, "to")) else { return Vec::new() };
    // `assign judges to evaluate teams` is about both, too.
    let end = all.len().min(to + 6);
    let sources = entities_in(notes, &all[verb + 1..to].join(" "));
    let targets = entities_in(notes, &all[to + 1..end].join(" "));
    match (sources.last(), targets.first()) {
        (Some(source), Some(target)) if source != target => vec![RelationNote {
            source: source.clone(),
            target: target.clone(),
            kind: "REFERENCES",
            cardinality: "N:1",
            line,
        }],
        _ => Vec::new(),
    }
}

/// Entities that a text names, in this order, the longest name at each place.
pub(super) fn entities_in(notes: &Notes, text: &str) -> Vec<String> {
    let said: Vec<String> = words::split(text).iter().map(|it| words::singular(it)).collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let fits = |it: &&super::notes::EntityNote| said[at..].starts_with(&it.words);
        match notes.entities.iter().filter(fits).max_by_key(|it| it.words.len()) {
            Some(entity) => {
                at += entity.words.len().max(1);
                if !found.contains(&entity.name) {
                    found.push(entity.name.clone());
                }
            }
            None => at += 1,
        }
    }
    found
}

impl Notes {
    /// The entity of exactly these words, or the only one whose name ends with them.
    fn meant_exactly(&self, name: &[String]) -> Option<String> {
        self.known(&name.join(" ")).map(|it| it.name.clone())
    }
}
